//! Rules for `Udiv` and `Urem`. Signed division is defined by these, so its rules are theirs.

use super::lift;
use crate::build::Rule2;
use crate::node::{Op, TermId};
use crate::pool::Terms;
use crate::semantics::mask;

pub(crate) const UDIV: &[Rule2] =
    &[udiv_width_one, udiv_unit, udiv_power_of_two, udiv_zero_extended, udiv_choice];

pub(crate) const UREM: &[Rule2] =
    &[urem_width_one, urem_same, urem_power_of_two, urem_zero_extended, urem_choice];

/// Width 1: `x / y → x | ~y`
fn udiv_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (t.width(a) == 1).then(|| t.implies(b, a))
}

/// `x / 0 → 1…1`, `x / 1 → x`
fn udiv_unit(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match t.as_const(b)? {
        0 => Some(t.ones(t.width(a))),
        1 => Some(a),
        _other => None,
    }
}

/// `x / 2^n → x >> n`
fn udiv_power_of_two(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k = t.as_const(b).filter(|k| k.is_power_of_two())?;
    let amount = t.constant(u128::from(k.trailing_zeros()), t.width(a));
    Some(t.lshr(a, amount))
}

/// `(0 ++ x) / k → 0 ++ (x / k)`, or 0 if `k` exceeds all values of `x`
fn udiv_zero_extended(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, k) = zero_extended_by_constant(t, a, b)?;
    let (width, narrow) = (t.width(a), t.width(x));
    if k > mask(narrow) {
        return Some(t.constant(0, width));
    }
    let k = t.constant(k, narrow);
    let quotient = t.udiv(x, k);
    Some(t.zext(quotient, width))
}

/// `ite(c, k1, k2) / k → ite(c, k1 / k, k2 / k)`
fn udiv_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.udiv(x, y))
}

/// Width 1: `x % y → x & ~y`
fn urem_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.width(a) != 1 {
        return None;
    }
    let not_b = t.not(b);
    Some(t.and(a, not_b))
}

/// `x % x → 0`
fn urem_same(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| t.constant(0, t.width(a)))
}

/// `x % 0 → x`, `x % 2^n → 0 ++ x[n-1:0]`
fn urem_power_of_two(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match t.as_const(b)? {
        0 => Some(a),
        k if k.is_power_of_two() => {
            let low_bits = t.constant(k - 1, width);
            Some(t.and(a, low_bits))
        }
        _other => None,
    }
}

/// `(0 ++ x) % k → 0 ++ (x % k)`, or the dividend if `k` exceeds all values of `x`
fn urem_zero_extended(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, k) = zero_extended_by_constant(t, a, b)?;
    let (width, narrow) = (t.width(a), t.width(x));
    if k > mask(narrow) {
        return Some(a);
    }
    let k = t.constant(k, narrow);
    let remainder = t.urem(x, k);
    Some(t.zext(remainder, width))
}

/// `ite(c, k1, k2) % k → ite(c, k1 % k, k2 % k)`
fn urem_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.urem(x, y))
}

/// `(x, k)` for a dividend `0 ++ x` and a divisor `k` that is not 0
fn zero_extended_by_constant(t: &Terms, a: TermId, b: TermId) -> Option<(TermId, u128)> {
    let k = t.as_const(b).filter(|&k| k != 0)?;
    let (zeros, x) = t.as_binary(a, Op::Concat)?;
    (t.as_const(zeros) == Some(0)).then_some((x, k))
}
