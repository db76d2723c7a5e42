//! Rules for `Neg`, `Add` and `Mul`.
//!
//! Constants float to the root of sums, so that `x + 1 + 1` is `x + 2` and two offsets from one
//! base compare by their constants. A sum over a concatenation with a constant low part stays a
//! concatenation: `4·i + 5` is `(i + 1) ++ 01`, so that accesses of different alignment are seen to
//! differ.

use super::{both_orders, lift};
use crate::build::{Rule1, Rule2};
use crate::node::{Op, TermId};
use crate::pool::Terms;
use crate::semantics::mask;

pub(crate) const NEG: &[Rule1] = &[neg_width_one, neg_unary, neg_sum, neg_product, neg_choice];

pub(crate) const ADD: &[Rule2] = &[
    add_width_one,
    add_zero,
    add_constants,
    add_opposite,
    add_complement,
    add_same,
    add_same_condition,
    add_disjoint,
    add_constant_to_aligned,
    add_choice,
];

pub(crate) const MUL: &[Rule2] = &[
    mul_width_one,
    mul_unit,
    mul_power_of_two,
    mul_constants,
    mul_distribute,
    mul_negated,
    mul_truth_value,
    mul_choice,
];

/// Width 1: `-x → x`
fn neg_width_one(t: &mut Terms, a: TermId) -> Option<TermId> {
    (t.width(a) == 1).then_some(a)
}

/// `--x → x`, `-~x → x + 1`
fn neg_unary(t: &mut Terms, a: TermId) -> Option<TermId> {
    if let Some(x) = t.as_unary(a, Op::Neg) {
        return Some(x);
    }
    let x = t.as_unary(a, Op::Not)?;
    let one = t.constant(1, t.width(a));
    Some(t.add(x, one))
}

/// `-(x + k) → -x + -k`, `-(x + -y) → y + -x`
fn neg_sum(t: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, y) = t.as_binary(a, Op::Add)?;
    if t.as_const(y).is_none() && t.op(x) != Op::Neg && t.op(y) != Op::Neg {
        return None;
    }
    let (x, y) = (t.neg(x), t.neg(y));
    Some(t.add(x, y))
}

/// `-(x * k) → x * -k`
fn neg_product(t: &mut Terms, a: TermId) -> Option<TermId> {
    let (x, k) = t.as_with_constant(a, Op::Mul)?;
    let k = t.constant(k.wrapping_neg(), t.width(a));
    Some(t.mul(x, k))
}

/// `-ite(c, k1, k2) → ite(c, -k1, -k2)`
fn neg_choice(t: &mut Terms, a: TermId) -> Option<TermId> {
    lift::over_choice(t, a, |t, x| t.neg(x))
}

/// Width 1: `x + y → x ^ y`
fn add_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (t.width(a) == 1).then(|| t.xor(a, b))
}

/// `x + 0 → x`
fn add_zero(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (t.as_const(b) == Some(0)).then_some(a)
}

/// `(x + k1) + k2 → x + (k1 + k2)`, `(x + k) + y → (x + y) + k`
fn add_constants(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (sum, other) in both_orders(a, b) {
        let Some((x, k1)) = t.as_with_constant(sum, Op::Add) else { continue };
        if let Some(k2) = t.as_const(other) {
            let k = t.constant(k1.wrapping_add(k2), t.width(a));
            return Some(t.add(x, k));
        }
        let k = t.constant(k1, t.width(a));
        let rest = t.add(x, other);
        return Some(t.add(rest, k));
    }
    None
}

/// `x + -x → 0`, `(x + y) + -x → y`, `(x + -y) + y → x`
fn add_opposite(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let opposite =
        |t: &Terms, x, y| t.as_unary(x, Op::Neg) == Some(y) || t.as_unary(y, Op::Neg) == Some(x);
    if opposite(t, a, b) {
        return Some(t.constant(0, t.width(a)));
    }
    for (sum, other) in both_orders(a, b) {
        let Some((x, y)) = t.as_binary(sum, Op::Add) else { continue };
        if opposite(t, x, other) {
            return Some(y);
        }
        if opposite(t, y, other) {
            return Some(x);
        }
    }
    None
}

/// `x + ~x → -1`, `~x + k → -x + (k - 1)`
fn add_complement(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    if t.as_unary(a, Op::Not) == Some(b) || t.as_unary(b, Op::Not) == Some(a) {
        return Some(t.ones(width));
    }
    let x = t.as_unary(a, Op::Not)?;
    let k = t.as_const(b)?;
    let minus_x = t.neg(x);
    let rest = t.constant(k.wrapping_sub(1), width);
    Some(t.add(minus_x, rest))
}

/// `x + x → x * 2`
fn add_same(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a != b {
        return None;
    }
    let two = t.constant(2, t.width(a));
    Some(t.mul(a, two))
}

/// `(h ++ 0) + (0 ++ l) → h ++ l` for equal widths of the parts
fn add_disjoint(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (upper, lower) in both_orders(a, b) {
        let (Some((h, zeros_l)), Some((zeros_h, l))) =
            (t.as_binary(upper, Op::Concat), t.as_binary(lower, Op::Concat))
        else {
            continue;
        };
        if t.as_const(zeros_l) == Some(0)
            && t.as_const(zeros_h) == Some(0)
            && t.width(zeros_l) == t.width(l)
        {
            return Some(t.concat(h, l));
        }
    }
    None
}

/// `(h ++ k1) + k2 → (h + carry) ++ low`, where `carry ++ low` is `k1 + k2`
fn add_constant_to_aligned(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k2 = t.as_const(b)?;
    let (h, k1) = t.as_with_constant(a, Op::Concat)?;
    let split = t.width(a) - t.width(h);
    let low = k1 + (k2 & mask(split));
    let carry = (k2 >> split).wrapping_add(low >> split);
    let carry = t.constant(carry, t.width(h));
    let upper = t.add(h, carry);
    let lower = t.constant(low, split);
    Some(t.concat(upper, lower))
}

/// `(0 ++ c) + k → ite(c, k + 1, k)`, `ite(c, k1, k2) + ite(c, k3, k4) → ite(c, k1 + k3, k2 + k4)`
fn add_same_condition(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_same_condition(t, a, b, |t, x, y| t.add(x, y))
}

/// `ite(c, k1, k2) + k → ite(c, k1 + k, k2 + k)`
fn add_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.add(x, y))
}

/// Width 1: `x * y → x & y`
fn mul_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (t.width(a) == 1).then(|| t.and(a, b))
}

/// `x * 0 → 0`, `x * 1 → x`, `x * -1 → -x`
fn mul_unit(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match t.as_const(b)? {
        0 => Some(b),
        1 => Some(a),
        k if k == mask(t.width(a)) => Some(t.neg(a)),
        _other => None,
    }
}

/// `x * 2^n → x << n`, after constants within `x` are multiplied out
fn mul_power_of_two(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k = t.as_const(b)?;
    if !k.is_power_of_two() || t.as_with_constant(a, Op::Add).is_some() {
        return None;
    }
    let amount = t.constant(u128::from(k.trailing_zeros()), t.width(a));
    Some(t.shl(a, amount))
}

/// `(x * k1) * k2 → x * (k1 * k2)`
fn mul_constants(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k2 = t.as_const(b)?;
    let (x, k1) = t.as_with_constant(a, Op::Mul)?;
    let k = t.constant(k1.wrapping_mul(k2), t.width(a));
    Some(t.mul(x, k))
}

/// `(x + k1) * k2 → x * k2 + k1 * k2`
fn mul_distribute(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k2 = t.as_const(b)?;
    let (x, k1) = t.as_with_constant(a, Op::Add)?;
    let k = t.constant(k1.wrapping_mul(k2), t.width(a));
    let scaled = t.mul(x, b);
    Some(t.add(scaled, k))
}

/// `-x * k → x * -k`, `-x * -y → x * y`
fn mul_negated(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = t.as_unary(a, Op::Neg)?;
    let y = match t.as_const(b) {
        Some(_k) => t.neg(b),
        None => t.as_unary(b, Op::Neg)?,
    };
    Some(t.mul(x, y))
}

/// `(0 ++ c) * x → ite(c, x, 0)` for a single bit `c`
fn mul_truth_value(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (factor, x) in both_orders(a, b) {
        let Some((zeros, c)) = t.as_binary(factor, Op::Concat) else { continue };
        if t.as_const(zeros) != Some(0) || t.width(c) != 1 {
            continue;
        }
        let zero = t.constant(0, t.width(a));
        return Some(t.ite(c, x, zero));
    }
    None
}

/// `ite(c, k1, k2) * k → ite(c, k1 * k, k2 * k)`
fn mul_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, a, b, |t, x, y| t.mul(x, y))
}
