//! Rules for equality of vectors. At width 1 equality is the complement of `Xor`.

use super::{both_orders, lift};
use crate::build::Rule2;
use crate::node::{Op, TermId};
use crate::pool::Terms;
use crate::semantics::{mask, to_signed};

pub(crate) const EQ: &[Rule2] = &[
    eq_same,
    eq_width_one,
    eq_complement,
    eq_same_condition,
    eq_invertible,
    eq_sum,
    eq_parts,
    eq_constant_ends,
    eq_sign_extended,
    eq_choice_with_constant,
    eq_choice_with_branch,
    eq_choices,
];

/// `x = x → 1`
fn eq_same(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| t.tru())
}

/// Width 1: `x = y → ~(x ^ y)`
fn eq_width_one(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.width(a) != 1 {
        return None;
    }
    let differ = t.xor(a, b);
    Some(t.not(differ))
}

/// `x = ~x → 0`
fn eq_complement(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (t.as_unary(a, Op::Not) == Some(b) || t.as_unary(b, Op::Not) == Some(a)).then(|| t.fals())
}

/// `f(x) = k → x = f⁻¹(k)` and `f(x) = f(y) → x = y` for `f` one of `~`, `-`;
/// `x ^ k1 = k2 → x = k1 ^ k2`
fn eq_invertible(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (op, invert) in
        [(Op::Not, Terms::not as fn(&mut Terms, TermId) -> TermId), (Op::Neg, Terms::neg)]
    {
        let Some(x) = t.as_unary(a, op) else { continue };
        if t.as_const(b).is_some() {
            let k = invert(t, b);
            return Some(t.eq(x, k));
        }
        let y = t.as_unary(b, op)?;
        return Some(t.eq(x, y));
    }
    let (x, k1) = t.as_with_constant(a, Op::Xor)?;
    let k2 = t.as_const(b)?;
    let k = t.constant(k1 ^ k2, t.width(a));
    Some(t.eq(x, k))
}

/// `x + k1 = k2 → x = k2 - k1`, `x + k1 = y + k2 → x = y + (k2 - k1)`, `x + y = x → y = 0`,
/// `x + y = x + z → y = z`
fn eq_sum(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    for (sum, other) in both_orders(a, b) {
        let Some((x, y)) = t.as_binary(sum, Op::Add) else { continue };
        if let Some(k1) = t.as_const(y) {
            if let Some(k2) = t.as_const(other) {
                let k = t.constant(k2.wrapping_sub(k1), width);
                return Some(t.eq(x, k));
            }
            if let Some((z, k2)) = t.as_with_constant(other, Op::Add) {
                let k = t.constant(k2.wrapping_sub(k1), width);
                let z = t.add(z, k);
                return Some(t.eq(x, z));
            }
        }
        if let Some(rest) = remaining((x, y), other) {
            let zero = t.constant(0, width);
            return Some(t.eq(rest, zero));
        }
        let Some((p, q)) = t.as_binary(other, Op::Add) else { continue };
        for (shared, rest) in both_orders(p, q) {
            if let Some(own) = remaining((x, y), shared) {
                return Some(t.eq(own, rest));
            }
        }
    }
    None
}

/// The other of two terms, if `taken` is one of them.
fn remaining((x, y): (TermId, TermId), taken: TermId) -> Option<TermId> {
    if x == taken {
        Some(y)
    } else if y == taken {
        Some(x)
    } else {
        None
    }
}

/// `h ++ l = k → (h = kh) & (l = kl)`, `h ++ l = h' ++ l' → (h = h') & (l = l')` for equal widths
/// of the parts
fn eq_parts(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (h, l) = t.as_binary(a, Op::Concat)?;
    let split = t.width(l);
    let (other_h, other_l) = match t.as_binary(b, Op::Concat) {
        Some((other_h, other_l)) if t.width(other_l) == split => (other_h, other_l),
        Some((_h, _l)) => return None,
        None => {
            let k = t.as_const(b)?;
            (t.constant(k >> split, t.width(h)), t.constant(k, split))
        }
    };
    let upper = t.eq(h, other_h);
    if t.is_false(upper) {
        return Some(upper);
    }
    let lower = t.eq(l, other_l);
    Some(t.and(upper, lower))
}

/// `k1 ++ x = k2 ++ y → 0` or the equality of the bits below the common constants, where the parts
/// have different widths; the same for constants at the low end
fn eq_constant_ends(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((ah, al), (bh, bl)) = (t.as_binary(a, Op::Concat)?, t.as_binary(b, Op::Concat)?);
    let width = t.width(a);
    if t.as_const(ah).is_some() && t.as_const(bh).is_some() {
        let split = t.width(al).max(t.width(bl));
        return Some(eq_split(t, a, b, width, split));
    }
    if t.as_const(al).is_some() && t.as_const(bl).is_some() {
        let split = t.width(al).min(t.width(bl));
        return Some(eq_split(t, a, b, width, split));
    }
    None
}

/// `a = b` as the equality of the bits from `split` upwards and of those below
fn eq_split(t: &mut Terms, a: TermId, b: TermId, width: u32, split: u32) -> TermId {
    let [(ah, al), (bh, bl)] =
        [a, b].map(|x| (t.extract(x, width - 1, split), t.extract(x, split - 1, 0)));
    let (upper, lower) = (t.eq(ah, bh), t.eq(al, bl));
    t.and(upper, lower)
}

/// `sext(x) = k → x = k` truncated, or 0 if `k` is no sign extension; `sext(x) = sext(y) → x = y`
/// for equal widths
fn eq_sign_extended(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let x = t.as_unary(a, Op::Sext)?;
    let (narrow, wide) = (t.width(x), t.width(a));
    if let Some(k) = t.as_const(b) {
        if to_signed(k, narrow) as u128 & mask(wide) != k {
            return Some(t.fals());
        }
        let k = t.constant(k, narrow);
        return Some(t.eq(x, k));
    }
    let y = t.as_unary(b, Op::Sext).filter(|&y| t.width(y) == narrow)?;
    Some(t.eq(x, y))
}

/// `ite(c, k1, x) = k → ite(c, k1 = k, x = k)`, which is a conjunction or disjunction
fn eq_choice_with_constant(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::predicate_over_choice(t, a, b, |t, x, y| t.eq(x, y))
}

/// `ite(c, k1, k2) = 0 ++ c → ite(c, k1 = 1, k2 = 0)`
fn eq_same_condition(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    lift::over_same_condition(t, a, b, |t, x, y| t.eq(x, y))
}

/// `ite(c, x, y) = x → c | y = x`, `ite(c, x, y) = y → ~c | x = y`
fn eq_choice_with_branch(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (choice, other) in both_orders(a, b) {
        let Some((c, x, y)) = t.as_ite(choice) else { continue };
        if other != x && other != y {
            continue;
        }
        let equal = t.eq(x, y);
        return Some(if other == x { t.or(c, equal) } else { t.implies(c, equal) });
    }
    None
}

/// `ite(c, x, y) = ite(c, x, z) → c | y = z` and the same for the other branch
fn eq_choices(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (c, x, y) = t.as_ite(a)?;
    let (d, p, q) = t.as_ite(b)?;
    if c != d || (x != p && y != q) {
        return None;
    }
    let (yes, no) = (t.eq(x, p), t.eq(y, q));
    Some(t.ite(c, yes, no))
}
