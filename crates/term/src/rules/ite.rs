//! Rules for `ite(c, a, b)`.
//!
//! Joins of values after branches are nested choices whose conditions are guards; knowing that a
//! guard implies or excludes another removes the inner choice.

use super::guards::{Relation, relation};
use crate::build::Rule3;
use crate::node::{Op, TermId};
use crate::pool::Terms;

pub(crate) const ITE: &[Rule3] = &[
    ite_decided,
    ite_complement,
    ite_boolean,
    ite_truth_value,
    ite_inner_decided,
    ite_inner_truth_value,
    ite_shared_branch,
    ite_complements,
    ite_parts,
];

/// `ite(1, a, b) → a`, `ite(0, a, b) → b`, `ite(c, a, a) → a`
fn ite_decided(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if t.is_true(c) || a == b {
        Some(a)
    } else if t.is_false(c) {
        Some(b)
    } else {
        None
    }
}

/// `ite(~c, a, b) → ite(c, b, a)`
fn ite_complement(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let inner = t.as_unary(c, Op::Not)?;
    Some(t.ite(inner, b, a))
}

/// Width 1: `ite(c, 1, b) → c | b`, `ite(c, 0, b) → ~c & b`, `ite(c, a, 1) → ~c | a`,
/// `ite(c, a, 0) → c & a`, the same with `c` or `~c` for the constants, and `ite(c, ~b, b) → c ^ b`
fn ite_boolean(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if t.width(a) != 1 {
        return None;
    }
    let complement = |t: &Terms, x: TermId| t.as_unary(x, Op::Not);
    if t.is_true(a) || a == c {
        Some(t.or(c, b))
    } else if t.is_false(a) || complement(t, a) == Some(c) {
        let not_c = t.not(c);
        Some(t.and(not_c, b))
    } else if t.is_true(b) || complement(t, b) == Some(c) {
        Some(t.implies(c, a))
    } else if t.is_false(b) || b == c {
        Some(t.and(c, a))
    } else if complement(t, a) == Some(b) || complement(t, b) == Some(a) {
        Some(t.xor(c, b))
    } else {
        None
    }
}

/// `ite(c, 1, 0) → 0…0 ++ c`, `ite(c, 0, 1) → 0…0 ++ ~c` at width 2 and above
fn ite_truth_value(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_const(a)?, t.as_const(b)?) {
        (1, 0) => Some(t.zext(c, width)),
        (0, 1) => {
            let not_c = t.not(c);
            Some(t.zext(not_c, width))
        }
        (_a, _b) => None,
    }
}

/// `ite(c, ite(d, x, y), b) → ite(c, x, b)` if `c` implies `d`, `ite(c, y, b)` if they exclude each
/// other; the same for the other branch under `~c`
fn ite_inner_decided(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(branch) = decided_branch(t, c, a) {
        return Some(t.ite(c, branch, b));
    }
    if t.op(b) != Op::Ite {
        return None;
    }
    let not_c = t.not(c);
    let branch = decided_branch(t, not_c, b)?;
    Some(t.ite(c, a, branch))
}

/// `ite(c, k1, k2 ++ c) → ite(c, k1, k2 ++ 0)`, and the same for the other branch
fn ite_inner_truth_value(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    let mut decided = |branch: TermId, side: usize| {
        let (_, values) = t.two_values(branch).filter(|(d, _)| *d == c && width > 1)?;
        Some(t.constant(values[side], width))
    };
    match (decided(a, 0), decided(b, 1)) {
        (None, None) => None,
        (x, y) => Some(t.ite(c, x.unwrap_or(a), y.unwrap_or(b))),
    }
}

/// The branch of a choice that is taken under a condition
fn decided_branch(t: &Terms, condition: TermId, choice: TermId) -> Option<TermId> {
    let (d, x, y) = t.as_ite(choice)?;
    match relation(t, condition, d) {
        Relation::Implies => Some(x),
        Relation::Excludes => Some(y),
        Relation::Unrelated => None,
    }
}

/// `ite(c, ite(d, x, b), b) → ite(c & d, x, b)`, `ite(c, ite(d, b, y), b) → ite(c & ~d, y, b)`,
/// `ite(c, a, ite(d, a, y)) → ite(c | d, a, y)`, `ite(c, a, ite(d, x, a)) → ite(c | ~d, a, x)`
fn ite_shared_branch(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Some((d, x, y)) = t.as_ite(a) {
        if y == b {
            let both = t.and(c, d);
            return Some(t.ite(both, x, b));
        }
        if x == b {
            let not_d = t.not(d);
            let both = t.and(c, not_d);
            return Some(t.ite(both, y, b));
        }
    }
    let (d, x, y) = t.as_ite(b)?;
    if x == a {
        let either = t.or(c, d);
        return Some(t.ite(either, a, y));
    }
    if y == a {
        let either = t.implies(d, c);
        return Some(t.ite(either, a, x));
    }
    None
}

/// `ite(c, ~a, ~b) → ~ite(c, a, b)`
fn ite_complements(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let a = t.as_unary(a, Op::Not)?;
    let b = t.as_unary(b, Op::Not)?;
    let inner = t.ite(c, a, b);
    Some(t.not(inner))
}

/// `ite(c, h ++ x, h ++ y) → h ++ ite(c, x, y)` and `ite(c, x ++ l, y ++ l) → ite(c, x, y) ++ l`;
/// one of the two may be a constant with the same bits
fn ite_parts(t: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let (shape, other) = if t.op(a) == Op::Concat { (a, b) } else { (b, a) };
    let (h, l) = t.as_binary(shape, Op::Concat)?;
    let split = t.width(l);
    let (other_h, other_l) = match t.as_binary(other, Op::Concat) {
        Some((other_h, other_l)) if t.width(other_l) == split => (other_h, other_l),
        Some((_h, _l)) => return None,
        None => {
            let k = t.as_const(other)?;
            (t.constant(k >> split, t.width(h)), t.constant(k, split))
        }
    };
    if h != other_h && l != other_l {
        return None;
    }
    let swapped = shape == b;
    let mut choose = |x, y| if swapped { t.ite(c, y, x) } else { t.ite(c, x, y) };
    let (upper, lower) = (choose(h, other_h), choose(l, other_l));
    Some(t.concat(upper, lower))
}
