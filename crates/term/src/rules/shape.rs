//! Rules for `Concat`, `Extract` and `Sext`: rearrangements of bits, free in clauses.
//!
//! Concatenations lean to the right, `a ++ (b ++ c)`; neighbouring constants merge; neighbouring
//! extracts of one vector merge. Extracts move inwards as long as they meet rearrangements or
//! bitwise operations with constants.

use super::lift;
use crate::build::Rule2;
use crate::node::{Op, TermId};
use crate::pool::Terms;

/// Rules of `Extract`: vector, highest bit, lowest bit.
type ExtractRule = fn(&mut Terms, TermId, u32, u32) -> Option<TermId>;
/// Rules of `Sext`: vector, new width.
type SextRule = fn(&mut Terms, TermId, u32) -> Option<TermId>;

pub(crate) const CONCAT: &[Rule2] =
    &[concat_associate, concat_constants, concat_neighbours, concat_choice];

pub(crate) const EXTRACT: &[ExtractRule] = &[
    extract_all,
    extract_extract,
    extract_concat,
    extract_sext,
    extract_complement,
    extract_bitwise_constant,
    extract_choice,
    extract_low_arithmetic,
];

pub(crate) const SEXT: &[SextRule] = &[sext_sext, sext_known_sign, sext_choice];

/// `(a ++ b) ++ c → a ++ (b ++ c)`
fn concat_associate(t: &mut Terms, hi: TermId, lo: TermId) -> Option<TermId> {
    let (a, b) = t.as_binary(hi, Op::Concat)?;
    let rest = t.concat(b, lo);
    Some(t.concat(a, rest))
}

/// `k1 ++ (k2 ++ x) → (k1 ++ k2) ++ x`, with the constants merged
fn concat_constants(t: &mut Terms, hi: TermId, lo: TermId) -> Option<TermId> {
    let (next, rest) = t.as_binary(lo, Op::Concat)?;
    if t.as_const(hi).is_none() || t.as_const(next).is_none() {
        return None;
    }
    let merged = t.concat(hi, next);
    Some(t.concat(merged, rest))
}

/// `x[h:m+1] ++ x[m:l] → x[h:l]`, also with more bits below
fn concat_neighbours(t: &mut Terms, hi: TermId, lo: TermId) -> Option<TermId> {
    let (next, rest) = match t.as_binary(lo, Op::Concat) {
        Some((next, rest)) => (next, Some(rest)),
        None => (lo, None),
    };
    let (x, y) = (t.as_unary(hi, Op::Extract)?, t.as_unary(next, Op::Extract)?);
    let (upper, lower) = (*t.node(hi), *t.node(next));
    if x != y || upper.low() != lower.low() + lower.width() {
        return None;
    }
    let merged = t.extract(x, upper.low() + upper.width() - 1, lower.low());
    Some(match rest {
        Some(rest) => t.concat(merged, rest),
        None => merged,
    })
}

/// `k ++ ite(c, k1, k2) → ite(c, k ++ k1, k ++ k2)` and the same with the constant below
fn concat_choice(t: &mut Terms, hi: TermId, lo: TermId) -> Option<TermId> {
    lift::over_choice_with_constant(t, hi, lo, |t, x, y| t.concat(x, y))
}

/// `x[w-1:0] → x`
fn extract_all(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    (lo == 0 && hi + 1 == t.width(a)).then_some(a)
}

/// `x[p:q][hi:lo] → x[hi+q:lo+q]`
fn extract_extract(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = t.as_unary(a, Op::Extract)?;
    let low = t.node(a).low();
    Some(t.extract(x, hi + low, lo + low))
}

/// `(h ++ l)[hi:lo]` → an extract of one part, or the concatenation of extracts of both
fn extract_concat(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let (h, l) = t.as_binary(a, Op::Concat)?;
    let split = t.width(l);
    if hi < split {
        return Some(t.extract(l, hi, lo));
    }
    if lo >= split {
        return Some(t.extract(h, hi - split, lo - split));
    }
    let upper = t.extract(h, hi - split, 0);
    let lower = t.extract(l, split - 1, lo);
    Some(t.concat(upper, lower))
}

/// `sext(x)[hi:lo]` → an extract of `x`, the extension of one, or the extension of the sign
fn extract_sext(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = t.as_unary(a, Op::Sext)?;
    let top = t.width(x) - 1;
    if hi <= top {
        return Some(t.extract(x, hi, lo));
    }
    let kept = t.extract(x, top, lo.min(top));
    Some(t.sext(kept, hi - lo + 1))
}

/// `(~x)[hi:lo] → ~x[hi:lo]`
fn extract_complement(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let x = t.as_unary(a, Op::Not)?;
    let part = t.extract(x, hi, lo);
    Some(t.not(part))
}

/// `(x & k)[hi:lo] → x[hi:lo] & k[hi:lo]`, the same for `^`
fn extract_bitwise_constant(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let op = t.op(a);
    if op != Op::And && op != Op::Xor {
        return None;
    }
    let (x, k) = t.as_with_constant(a, op)?;
    let x = t.extract(x, hi, lo);
    let k = t.constant(k >> lo, hi - lo + 1);
    Some(if op == Op::And { t.and(x, k) } else { t.xor(x, k) })
}

/// `ite(c, x, y)[hi:lo] → ite(c, x[hi:lo], y[hi:lo])` if a branch is a rearrangement
fn extract_choice(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    let (c, x, y) = t.as_ite(a)?;
    let free = |branch: TermId| matches!(t.op(branch), Op::Const | Op::Concat | Op::Sext);
    if !free(x) && !free(y) {
        return None;
    }
    let (x, y) = (t.extract(x, hi, lo), t.extract(y, hi, lo));
    Some(t.ite(c, x, y))
}

/// `f(x, y)[hi:0] → f(x[hi:0], y[hi:0])` for `f` one of `+`, `*`, `-`, if the arguments are
/// extensions or constants: the upper bits do not matter to the lower
fn extract_low_arithmetic(t: &mut Terms, a: TermId, hi: u32, lo: u32) -> Option<TermId> {
    if lo != 0 || !is_arithmetic(t.op(a)) || !is_narrowable(t, a, 3) {
        return None;
    }
    let mut args = t.node(a).args;
    for arg in args.iter_mut().take(t.op(a).arity()) {
        *arg = t.extract(*arg, hi, 0);
    }
    Some(t.rebuild(a, args))
}

fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::Add | Op::Mul | Op::Neg)
}

/// Whether truncation reaches extensions or constants on all sides within some levels of
/// arithmetic.
fn is_narrowable(t: &Terms, a: TermId, levels: u32) -> bool {
    if is_arithmetic(t.op(a)) {
        return levels > 0 && t.args(a).iter().all(|&arg| is_narrowable(t, arg, levels - 1));
    }
    matches!(t.op(a), Op::Const | Op::Concat | Op::Sext)
}

/// `sext(sext(x)) → sext(x)`
fn sext_sext(t: &mut Terms, a: TermId, width: u32) -> Option<TermId> {
    let x = t.as_unary(a, Op::Sext)?;
    Some(t.sext(x, width))
}

/// `sext(k ++ x) → k' ++ x`, where `k'` is the sign extension of the constant
fn sext_known_sign(t: &mut Terms, a: TermId, width: u32) -> Option<TermId> {
    let (h, l) = t.as_binary(a, Op::Concat)?;
    t.as_const(h)?;
    let upper = t.sext(h, width - t.width(l));
    Some(t.concat(upper, l))
}

/// `sext(ite(c, k1, k2)) → ite(c, sext(k1), sext(k2))`
fn sext_choice(t: &mut Terms, a: TermId, width: u32) -> Option<TermId> {
    lift::over_choice(t, a, |t, x| t.sext(x, width))
}
