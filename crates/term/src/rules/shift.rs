//! Rules for shifts: a shift by a constant is a rearrangement of bits.

use super::lift;
use crate::build::Rule2;
use crate::node::TermId;
use crate::pool::Terms;

pub(crate) const SHL: &[Rule2] = &[shift_of_zero, shl_by_constant, shl_choice];
pub(crate) const LSHR: &[Rule2] = &[shift_of_zero, lshr_by_constant, lshr_choice];
pub(crate) const ASHR: &[Rule2] = &[shift_of_zero, ashr_by_constant, ashr_choice];

/// `0 << y → 0`, `0 >> y → 0`
fn shift_of_zero(t: &mut Terms, a: TermId, _b: TermId) -> Option<TermId> {
    (t.as_const(a) == Some(0)).then_some(a)
}

/// `x << k → x[w-1-k:0] ++ 0`
fn shl_by_constant(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (k, width) = (t.as_const(b)?, t.width(a));
    if k == 0 {
        return Some(a);
    }
    if k >= u128::from(width) {
        return Some(t.constant(0, width));
    }
    let kept = t.extract(a, width - 1 - k as u32, 0);
    let zeros = t.constant(0, k as u32);
    Some(t.concat(kept, zeros))
}

/// `x >> k → 0 ++ x[w-1:k]`
fn lshr_by_constant(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (k, width) = (t.as_const(b)?, t.width(a));
    if k >= u128::from(width) {
        return Some(t.constant(0, width));
    }
    let kept = t.extract(a, width - 1, k as u32);
    Some(t.zext(kept, width))
}

/// `x >> k → sext(x[w-1:k])`, at least the sign itself
fn ashr_by_constant(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (k, width) = (t.as_const(b)?, t.width(a));
    let low = k.min(u128::from(width - 1)) as u32;
    let kept = t.extract(a, width - 1, low);
    Some(t.sext(kept, width))
}

/// `k << ite(c, k1, k2) → ite(c, k << k1, k << k2)`
fn shl_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.shl(x, y))
}

/// `k >> ite(c, k1, k2) → ite(c, k >> k1, k >> k2)`
fn lshr_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.lshr(x, y))
}

/// `k >> ite(c, k1, k2) → ite(c, k >> k1, k >> k2)`
fn ashr_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.ashr(x, y))
}
