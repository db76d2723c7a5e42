//! Rules for `Ult` and `Slt`. The other comparisons are complements or exchanges of these two.

use super::lift;
use crate::build::Rule2;
use crate::node::{Op, TermId};
use crate::pool::Terms;
use crate::semantics::{mask, to_signed};

pub(crate) const ULT: &[Rule2] = &[
    lt_same,
    ult_width_one,
    ult_same_condition,
    ult_bounds,
    ult_parts,
    ult_leading_constants,
    ult_sign_extended,
    ult_choice,
];

pub(crate) const SLT: &[Rule2] = &[
    lt_same,
    slt_width_one,
    slt_same_condition,
    slt_bounds,
    slt_nonnegative,
    slt_sign_extended,
    slt_choice,
];

/// `x < x → 0`
fn lt_same(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| t.fals())
}

/// Width 1: `x < y → ~x & y`
fn ult_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.width(a) != 1 {
        return None;
    }
    let not_a = t.not(a);
    Some(t.and(not_a, b))
}

/// `x < 0 → 0`, `x < 1 → x = 0`, `x < max → x ≠ max`, `max < x → 0`, `max-1 < x → x = max`,
/// `0 < x → x ≠ 0`
fn ult_bounds(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let max = mask(t.width(a));
    if let Some(k) = t.as_const(b) {
        return strict_bounds(t, a, k, 0, max);
    }
    let k = t.as_const(a)?;
    // The mirror image: complementing both sides exchanges them.
    strict_bounds_above(t, b, k, 0, max)
}

/// `x < k` where `low` is the least value and `high` the greatest
fn strict_bounds(t: &mut Terms, x: TermId, k: u128, low: u128, high: u128) -> Option<TermId> {
    let width = t.width(x);
    if k == low {
        Some(t.fals())
    } else if k == low.wrapping_add(1) & mask(width) {
        let low = t.constant(low, width);
        Some(t.eq(x, low))
    } else if k == high {
        let high = t.constant(high, width);
        Some(t.ne(x, high))
    } else {
        None
    }
}

/// `k < x` where `low` is the least value and `high` the greatest
fn strict_bounds_above(t: &mut Terms, x: TermId, k: u128, low: u128, high: u128) -> Option<TermId> {
    let width = t.width(x);
    if k == high {
        Some(t.fals())
    } else if k == high.wrapping_sub(1) & mask(width) {
        let high = t.constant(high, width);
        Some(t.eq(x, high))
    } else if k == low {
        let low = t.constant(low, width);
        Some(t.ne(x, low))
    } else {
        None
    }
}

/// The parts of a vector at a boundary, if that costs nothing.
fn parts_at(t: &mut Terms, a: TermId, split: u32) -> Option<(TermId, TermId)> {
    if let Some(k) = t.as_const(a) {
        let width = t.width(a);
        return Some((t.constant(k >> split, width - split), t.constant(k, split)));
    }
    t.as_binary(a, Op::Concat).filter(|&(_h, l)| t.width(l) == split)
}

/// `h ++ x < h ++ y → x < y`, and with different constants above: decided by them.
/// `x ++ l < y ++ l → x < y`
fn ult_parts(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let shape = if t.op(a) == Op::Concat { a } else { b };
    let (_h, l) = t.as_binary(shape, Op::Concat)?;
    let split = t.width(l);
    let (ah, al) = parts_at(t, a, split)?;
    let (bh, bl) = parts_at(t, b, split)?;
    if ah == bh {
        return Some(t.ult(al, bl));
    }
    if al == bl {
        return Some(t.ult(ah, bh));
    }
    let (p, q) = (t.as_const(ah)?, t.as_const(bh)?);
    Some(t.bool(p < q))
}

/// `k1 ++ x < k2 ++ y` with parts of different widths → decided by the common constants, or by the
/// bits below
fn ult_leading_constants(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((ah, al), (bh, bl)) = (t.as_binary(a, Op::Concat)?, t.as_binary(b, Op::Concat)?);
    let width = t.width(a);
    let split = t.width(al).max(t.width(bl));
    let p = t.as_const(ah)? >> (split - t.width(al));
    let q = t.as_const(bh)? >> (split - t.width(bl));
    debug_assert!(split < width, "both have leading constants");
    if p != q {
        return Some(t.bool(p < q));
    }
    let (x, y) = (t.extract(a, split - 1, 0), t.extract(b, split - 1, 0));
    Some(t.ult(x, y))
}

/// `sext(x) < sext(y) → x < y` for equal widths; with a constant, the gap between the extended
/// values decides
fn ult_sign_extended(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (t.as_unary(a, Op::Sext), t.as_unary(b, Op::Sext)) {
        return (t.width(x) == t.width(y)).then(|| t.ult(x, y));
    }
    let (extended, k, constant_is_greater) = match (t.as_const(a), t.as_const(b)) {
        (None, Some(k)) => (a, k, true),
        (Some(k), None) => (b, k, false),
        (_a, _b) => return None,
    };
    let x = t.as_unary(extended, Op::Sext)?;
    let (narrow, wide) = (t.width(x), t.width(extended));
    if to_signed(k, narrow) as u128 & mask(wide) == k {
        let k = t.constant(k, narrow);
        return Some(if constant_is_greater { t.ult(x, k) } else { t.ult(k, x) });
    }
    // The constant lies above all extensions of nonnegative and below all of negative values.
    let negative = t.sign(x);
    Some(if constant_is_greater { t.not(negative) } else { negative })
}

/// `ite(c, k1, k2) < 0 ++ c → ite(c, k1 < 1, k2 < 0)`
fn ult_same_condition(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_same_condition(t, a, b, |t, x, y| t.ult(x, y))
}

/// As `ult_same_condition`, signed
fn slt_same_condition(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_same_condition(t, a, b, |t, x, y| t.slt(x, y))
}

/// `ite(c, k1, x) < k → ite(c, k1 < k, x < k)`
fn ult_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::predicate_over_choice(t, a, b, |t, x, y| t.ult(x, y))
}

/// Width 1, where 1 is -1: `x < y → x & ~y`
fn slt_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.width(a) != 1 {
        return None;
    }
    let not_b = t.not(b);
    Some(t.and(a, not_b))
}

/// As `ult_bounds` with the signed bounds, and `x < 0 → sign(x)`, `-1 < x → ~sign(x)`
fn slt_bounds(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let (least, greatest) = (1u128 << (width - 1), mask(width - 1));
    if let Some(k) = t.as_const(b) {
        if k == 0 {
            return Some(t.sign(a));
        }
        return strict_bounds(t, a, k, least, greatest);
    }
    let k = t.as_const(a)?;
    if k == mask(width) {
        let negative = t.sign(b);
        return Some(t.not(negative));
    }
    strict_bounds_above(t, b, k, least, greatest)
}

/// `x <s y → x <u y` if the signs are known and equal, else decided by the signs
fn slt_nonnegative(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (p, q) = (known_sign(t, a)?, known_sign(t, b)?);
    Some(if p == q { t.ult(a, b) } else { t.bool(p) })
}

/// The highest bit, if the term shows it
fn known_sign(t: &Terms, a: TermId) -> Option<bool> {
    let top = t.as_binary(a, Op::Concat).map_or(a, |(h, _l)| h);
    let k = t.as_const(top)?;
    Some(k >> (t.width(top) - 1) == 1)
}

/// `sext(x) < sext(y) → x < y` for equal widths; `sext(x) < k → x < k` or decided if `k` is out of
/// range
fn slt_sign_extended(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (t.as_unary(a, Op::Sext), t.as_unary(b, Op::Sext)) {
        return (t.width(x) == t.width(y)).then(|| t.slt(x, y));
    }
    let (extended, k, constant_is_greater) = match (t.as_const(a), t.as_const(b)) {
        (None, Some(k)) => (a, k, true),
        (Some(k), None) => (b, k, false),
        (_a, _b) => return None,
    };
    let x = t.as_unary(extended, Op::Sext)?;
    let (narrow, wide) = (t.width(x), t.width(extended));
    if to_signed(k, narrow) as u128 & mask(wide) == k {
        let k = t.constant(k, narrow);
        return Some(if constant_is_greater { t.slt(x, k) } else { t.slt(k, x) });
    }
    let constant_is_positive = to_signed(k, wide) > 0;
    Some(t.bool(constant_is_positive == constant_is_greater))
}

/// `ite(c, k1, x) < k → ite(c, k1 < k, x < k)`
fn slt_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::predicate_over_choice(t, a, b, |t, x, y| t.slt(x, y))
}
