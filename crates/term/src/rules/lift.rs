//! Operations on a choice between constants happen in its branches.
//!
//! Idea: program variables hold few constants on each path, `ite(c1, 0, ite(c2, 1, 2))`. An
//! operation with a constant on such a tree gives a tree of the same shape, without any arithmetic.
//! Only trees of at most `LEVELS` levels that have a constant branch at each level are lifted, so
//! results stay of the same size.

use super::both_orders;
use crate::node::{Op, TermId};
use crate::pool::Terms;

/// Levels of nested choices that are still lifted.
const LEVELS: usize = 4;

/// Whether the term is a tree of choices whose leaves are all constants, a constant branch at each
/// level.
fn is_constant_choice(t: &Terms, mut a: TermId) -> bool {
    for _level in 0..LEVELS {
        let Some((_c, x, y)) = t.as_ite(a) else { return false };
        match (t.as_const(x), t.as_const(y)) {
            (Some(_x), Some(_y)) => return true,
            (Some(_x), None) => a = y,
            (None, Some(_y)) => a = x,
            (None, None) => return false,
        }
    }
    false
}

/// `f(ite(c, k1, k2)) → ite(c, f(k1), f(k2))`
pub(crate) fn over_choice(
    t: &mut Terms,
    a: TermId,
    f: impl Fn(&mut Terms, TermId) -> TermId,
) -> Option<TermId> {
    if !is_constant_choice(t, a) {
        return None;
    }
    let (c, x, y) = t.as_ite(a)?;
    let (x, y) = (f(t, x), f(t, y));
    Some(t.ite(c, x, y))
}

/// `f(ite(c, k1, k2), k) → ite(c, f(k1, k), f(k2, k))` and the same with the choice on the right
pub(crate) fn over_choice_with_constant(
    t: &mut Terms,
    a: TermId,
    b: TermId,
    f: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    if t.as_const(b).is_some() {
        return over_choice(t, a, |t, x| f(t, x, b));
    }
    t.as_const(a)?;
    over_choice(t, b, |t, y| f(t, a, y))
}

/// Nested concatenations in which two values are still seen.
const PARTS: usize = 3;

impl Terms {
    /// The condition and the two constants of a term that has only two values: `ite(c, k1, k2)`, or
    /// the bit of a condition between constants.
    pub fn two_values(&self, a: TermId) -> Option<(TermId, [u128; 2])> {
        two_values(self, a, PARTS)
    }
}

fn two_values(t: &Terms, a: TermId, parts: usize) -> Option<(TermId, [u128; 2])> {
    if t.width(a) == 1 {
        return Some(match t.as_unary(a, Op::Not) {
            Some(c) => (c, [0, 1]),
            None => (a, [1, 0]),
        });
    }
    if let Some((c, x, y)) = t.as_ite(a) {
        return Some((c, [t.as_const(x)?, t.as_const(y)?]));
    }
    let (h, l) = t.as_binary(a, Op::Concat).filter(|_| parts > 0)?;
    let split = t.width(l);
    let joined = |h: u128, l: u128| (h << split) | l;
    match (t.as_const(h), t.as_const(l)) {
        (Some(h), _) => {
            let (c, low) = two_values(t, l, parts - 1)?;
            Some((c, low.map(|l| joined(h, l))))
        }
        (None, Some(l)) => {
            let (c, high) = two_values(t, h, parts - 1)?;
            Some((c, high.map(|h| joined(h, l))))
        }
        (None, None) => None,
    }
}

/// `f(a, b) → ite(c, f(a1, b1), f(a2, b2))` where `a` and `b` have two values each, on one
/// condition, or `b` is a constant
pub(crate) fn over_same_condition(
    t: &mut Terms,
    a: TermId,
    b: TermId,
    f: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    let width = t.width(a);
    if width == 1 {
        return None;
    }
    let (c, of_a) = t.two_values(a)?;
    let of_b = match t.as_const(b) {
        Some(k) => [k, k],
        None => {
            let (_, values) = t.two_values(b).filter(|(d, _)| *d == c)?;
            values
        }
    };
    let [x, y] = [0, 1].map(|i| {
        let [a, b] = [of_a[i], of_b[i]].map(|k| t.constant(k, width));
        f(t, a, b)
    });
    Some(t.ite(c, x, y))
}

/// Pairs of constants on which an expensive operation is computed instead.
const CASES: usize = 32;

/// `f(ite(c, x, y), b) → ite(c, f(x, b), f(y, b))`, or the same on the right, if all leaves of both
/// trees are constants: for operations that cost more than their values on all pairs of leaves
pub(crate) fn over_choices(
    t: &mut Terms,
    a: TermId,
    b: TermId,
    f: impl Fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    let of_b = constant_leaves(t, b, CASES)?;
    constant_leaves(t, a, CASES / of_b)?;
    if let Some((c, x, y)) = t.as_ite(a) {
        let (x, y) = (f(t, x, b), f(t, y, b));
        return Some(t.ite(c, x, y));
    }
    let (c, x, y) = t.as_ite(b)?;
    let (x, y) = (f(t, a, x), f(t, a, y));
    Some(t.ite(c, x, y))
}

/// As `over_choices`, for one argument.
pub(crate) fn over_tree(
    t: &mut Terms,
    a: TermId,
    f: impl Fn(&mut Terms, TermId) -> TermId,
) -> Option<TermId> {
    over_choices(t, a, t.fals(), |t, x, _none| f(t, x))
}

/// The number of leaves of a tree of choices, if they are all constants and at most `limit`.
fn constant_leaves(t: &Terms, a: TermId, limit: usize) -> Option<usize> {
    if limit == 0 || t.as_const(a).is_some() {
        return (limit > 0).then_some(1);
    }
    let (_c, x, y) = t.as_ite(a)?;
    let of_x = constant_leaves(t, x, limit - 1)?;
    Some(of_x + constant_leaves(t, y, limit - of_x)?)
}

/// `ite(c, k1, k2) & k → ite(c, k1 & k, k2 & k)`
pub(crate) fn and_constant_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    over_choice_with_constant(t, a, b, |t, x, y| t.and(x, y))
}

/// `ite(c, k1, k2) ^ k → ite(c, k1 ^ k, k2 ^ k)`
pub(crate) fn xor_constant_choice(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    over_choice_with_constant(t, a, b, |t, x, y| t.xor(x, y))
}

/// `p(ite(c, k1, x), k) → ite(c, p(k1, k), p(x, k))` for a predicate `p`: the constant branch
/// decides at once, so the result is one conjunction or disjunction with `p(x, k)`
pub(crate) fn predicate_over_choice(
    t: &mut Terms,
    a: TermId,
    b: TermId,
    p: fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    for (choice, k) in both_orders(a, b) {
        if t.as_const(k).is_none() {
            continue;
        }
        let Some((c, x, y)) = t.as_ite(choice) else { continue };
        if t.as_const(x).is_none() && t.as_const(y).is_none() {
            continue;
        }
        let [x, y] =
            [x, y].map(|branch| if choice == a { p(t, branch, k) } else { p(t, k, branch) });
        return Some(t.ite(c, x, y));
    }
    None
}
