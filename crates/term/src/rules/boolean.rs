//! Rules for bitwise operations at any width; Booleans are the case of width 1.
//!
//! Disjunction is `~(~a & ~b)`, so rules for `And` serve both. What looks deeper than one level
//! into conjunctions is in `guards.rs`.

use super::{both_orders, guards, lift};
use crate::build::{Rule1, Rule2};
use crate::node::{Op, TermId};
use crate::pool::Terms;
use crate::semantics::mask;

pub(crate) const NOT: &[Rule1] = &[not_not, not_arithmetic, not_concat, not_constant_choice];

pub(crate) const AND: &[Rule2] = &[
    and_unit,
    and_complement,
    and_nested_constant,
    and_parts,
    and_mask,
    lift::and_constant_choice,
    and_equalities,
    and_xor,
    and_condition,
    guards::conjoin,
];

pub(crate) const XOR: &[Rule2] =
    &[xor_unit, xor_complement, xor_nested, xor_parts, xor_and, lift::xor_constant_choice];

/// `~~x → x`
fn not_not(t: &mut Terms, a: TermId) -> Option<TermId> {
    t.as_unary(a, Op::Not)
}

/// `~-x → x + -1`, `~(x + k) → -x + ~k`
fn not_arithmetic(t: &mut Terms, a: TermId) -> Option<TermId> {
    let width = t.width(a);
    if let Some(x) = t.as_unary(a, Op::Neg) {
        let minus_one = t.ones(width);
        return Some(t.add(x, minus_one));
    }
    let (x, k) = t.as_with_constant(a, Op::Add)?;
    let minus_x = t.neg(x);
    let rest = t.constant(!k, width);
    Some(t.add(minus_x, rest))
}

/// `~(h ++ l) → ~h ++ ~l` if some part of the chain is a constant or a complement
fn not_concat(t: &mut Terms, a: TermId) -> Option<TermId> {
    let (h, l) = t.as_binary(a, Op::Concat)?;
    let free = |part: TermId| matches!(t.op(part), Op::Const | Op::Not);
    let mut rest = a;
    while let Some((upper, lower)) = t.as_binary(rest, Op::Concat)
        && !free(upper)
    {
        rest = lower;
    }
    if t.op(rest) != Op::Concat && !free(rest) {
        return None;
    }
    let (h, l) = (t.not(h), t.not(l));
    Some(t.concat(h, l))
}

/// `~ite(c, k1, k2) → ite(c, ~k1, ~k2)`
fn not_constant_choice(t: &mut Terms, a: TermId) -> Option<TermId> {
    lift::over_choice(t, a, |t, x| t.not(x))
}

/// `x & x → x`, `x & 0 → 0`, `x & 1…1 → x`
fn and_unit(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(a);
    }
    match t.as_const(b)? {
        0 => Some(b),
        k if k == mask(t.width(a)) => Some(a),
        _other => None,
    }
}

/// `x & ~x → 0`
fn and_complement(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.as_unary(a, Op::Not) == Some(b) || t.as_unary(b, Op::Not) == Some(a) {
        return Some(t.constant(0, t.width(a)));
    }
    None
}

/// `(x & k1) & k2 → x & (k1 & k2)`
fn and_nested_constant(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k2 = t.as_const(b)?;
    let (x, k1) = t.as_with_constant(a, Op::And)?;
    let both = t.constant(k1 & k2, t.width(a));
    Some(t.and(x, both))
}

/// `(h ++ l) & y → (h & yh) ++ (l & yl)` if `y`, `h` or `l` is a constant
fn and_parts(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    over_parts(t, a, b, |t, x, y| t.and(x, y))
}

/// `x & 0…01…10…0 → 0…0 ++ x[hi:lo] ++ 0…0`
fn and_mask(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let k = t.as_const(b)?;
    let width = t.width(a);
    let low = k.trailing_zeros();
    let count = (k >> low).trailing_ones();
    if k >> low != mask(count) {
        return None;
    }
    let middle = t.extract(a, low + count - 1, low);
    let upper = t.zext(middle, width - low);
    if low == 0 {
        return Some(upper);
    }
    let zeros = t.constant(0, low);
    Some(t.concat(upper, zeros))
}

/// `(x = k1) & (x = k2) → 0` and `(x = k1) & ~(x = k2) → (x = k1)` for different constants
fn and_equalities(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (this, other) in both_orders(a, b) {
        let Some((x, k1)) = t.as_with_constant(this, Op::Eq) else { continue };
        let negated = t.as_unary(other, Op::Not);
        let Some((y, k2)) = t.as_with_constant(negated.unwrap_or(other), Op::Eq) else { continue };
        if x == y && k1 != k2 {
            return Some(if negated.is_some() { this } else { t.fals() });
        }
    }
    None
}

/// `x & (x ^ y) → x & ~y`, `x & ~(x ^ y) → x & y`
fn and_xor(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in both_orders(a, b) {
        let negated = t.as_unary(other, Op::Not);
        let Some((p, q)) = t.as_binary(negated.unwrap_or(other), Op::Xor) else { continue };
        let y = match x {
            x if x == p => q,
            x if x == q => p,
            _other => continue,
        };
        let y = if negated.is_some() { y } else { t.not(y) };
        return Some(t.and(x, y));
    }
    None
}

/// `c & ite(c, x, y) → c & x`, `~c & ite(c, x, y) → ~c & y`, and the same under a complement of the
/// `ite`
fn and_condition(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (c, other) in both_orders(a, b) {
        let negated = t.as_unary(other, Op::Not);
        let Some((condition, x, y)) = t.as_ite(negated.unwrap_or(other)) else { continue };
        let branch = match c {
            c if c == condition => x,
            c if t.as_unary(c, Op::Not) == Some(condition) => y,
            _other => continue,
        };
        let branch = if negated.is_some() { t.not(branch) } else { branch };
        return Some(t.and(c, branch));
    }
    None
}

/// `x ^ x → 0`, `x ^ 0 → x`, `x ^ 1…1 → ~x`
fn xor_unit(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    if a == b {
        return Some(t.constant(0, width));
    }
    match t.as_const(b)? {
        0 => Some(a),
        k if k == mask(width) => Some(t.not(a)),
        _other => None,
    }
}

/// `~x ^ y → ~(x ^ y)`, `~x ^ k → x ^ ~k`
fn xor_complement(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (this, other) in both_orders(a, b) {
        let Some(x) = t.as_unary(this, Op::Not) else { continue };
        if t.as_const(other).is_some() {
            let flipped = t.not(other);
            return Some(t.xor(x, flipped));
        }
        let inner = t.xor(x, other);
        return Some(t.not(inner));
    }
    None
}

/// `(x ^ k1) ^ k2 → x ^ (k1 ^ k2)`, `(x ^ y) ^ x → y`
fn xor_nested(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (this, other) in both_orders(a, b) {
        let Some((x, y)) = t.as_binary(this, Op::Xor) else { continue };
        if x == other {
            return Some(y);
        }
        if y == other {
            return Some(x);
        }
        if t.as_const(y).is_some() && t.as_const(other).is_some() {
            let both = t.xor(y, other);
            return Some(t.xor(x, both));
        }
    }
    None
}

/// `(h ++ l) ^ y → (h ^ yh) ++ (l ^ yl)` if `y`, `h` or `l` is a constant
fn xor_parts(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    over_parts(t, a, b, |t, x, y| t.xor(x, y))
}

/// `x ^ (x & y) → x & ~y`
fn xor_and(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (x, other) in both_orders(a, b) {
        let Some((p, q)) = t.as_binary(other, Op::And) else { continue };
        let y = match x {
            x if x == p => q,
            x if x == q => p,
            _other => continue,
        };
        let not_y = t.not(y);
        return Some(t.and(x, not_y));
    }
    None
}

/// `f(h ++ l, y) → f(h, yh) ++ f(l, yl)` for a bitwise `f`, if `y` or a part is a constant.
fn over_parts(
    t: &mut Terms,
    a: TermId,
    b: TermId,
    f: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    for (this, other) in both_orders(a, b) {
        let Some((h, l)) = t.as_binary(this, Op::Concat) else { continue };
        if [h, l, other].iter().all(|&part| t.as_const(part).is_none()) {
            continue;
        }
        let split = t.width(l);
        let upper = t.extract(other, t.width(other) - 1, split);
        let lower = t.extract(other, split - 1, 0);
        let (upper, lower) = (f(t, h, upper), f(t, l, lower));
        return Some(t.concat(upper, lower));
    }
    None
}
