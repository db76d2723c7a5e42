//! Conjunctions and disjunctions of path conditions.
//!
//! Idea: the guard of a program point is a chain of conjunctions `entry & c1 & ~c2 & …`; a branch
//! extends it by a condition and its complement, and a join is a disjunction that should give the
//! guard before the branch back: `(g & c) | (g & ~c) → g`, also if further conditions stand
//! between. Two conjunctions are compared by walking down from the younger node: terms are numbered
//! bottom-up, so the largest id in both frontiers is either common to both, or belongs to one side
//! only and can be taken apart. A shared prefix `g` is thus found without being walked through. The
//! search is bounded by `BUDGET` expansions; whatever is not taken apart is treated as an atom,
//! which is exact, as a conjunction equals the conjunction of any frontier of it.
//! Source: ours; it extends the two-level rules of Brummayer & Biere to chains.
//! Invariants: for `split(a, b)`: a = common & left & clash and b = common & right & ~clash.

use smallvec::SmallVec;

use crate::node::{Op, TermId};
use crate::pool::Terms;

/// How many conjunctions one comparison takes apart.
const BUDGET: usize = 48;

/// A factored disjunction may have this many terms beside the common ones; more would trade one new
/// node for many.
const SMALL: usize = 3;

pub(crate) type Atoms = SmallVec<[TermId; 8]>;

/// Two conjunctions side by side.
#[derive(Default)]
struct Split {
    /// In both.
    common: Atoms,
    /// Only in the first.
    left: Atoms,
    /// Only in the second.
    right: Atoms,
    /// In the first, with the complement in the second.
    clash: Atoms,
}

/// What a first condition says about a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// The second holds whenever the first does.
    Implies,
    /// They never hold together.
    Excludes,
    /// Nothing found within the budget.
    Unrelated,
}

/// The relation of two Booleans, as far as their conjuncts show it.
pub(crate) fn relation(t: &Terms, a: TermId, b: TermId) -> Relation {
    if let Some(inner) = t.as_unary(b, Op::Not)
        && t.op(inner) == Op::And
    {
        return match relation_to_conjunction(t, a, inner) {
            Relation::Implies => Relation::Excludes,
            Relation::Excludes => Relation::Implies,
            Relation::Unrelated => Relation::Unrelated,
        };
    }
    relation_to_conjunction(t, a, b)
}

fn relation_to_conjunction(t: &Terms, a: TermId, b: TermId) -> Relation {
    let split = split(t, &[a], &[b]);
    if !split.clash.is_empty() {
        Relation::Excludes
    } else if split.right.is_empty() {
        Relation::Implies
    } else {
        Relation::Unrelated
    }
}

/// Conjunction of chains: dispatches on which arguments are complements of conjunctions.
pub(crate) fn conjoin(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match (negated_conjunction(t, a), negated_conjunction(t, b)) {
        (None, None) => conjoin_chains(t, a, b),
        (None, Some(inner)) => conjoin_negated(t, a, b, inner),
        (Some(inner), None) => conjoin_negated(t, b, a, inner),
        (Some(p), Some(q)) => {
            let joined = join(t, p, q)?;
            Some(t.not(joined))
        }
    }
}

/// `x` for `~x` if `x` is a conjunction
fn negated_conjunction(t: &Terms, a: TermId) -> Option<TermId> {
    t.as_unary(a, Op::Not).filter(|&inner| t.op(inner) == Op::And)
}

/// `(g & c) & ~c → 0`, `(g & c) & g → g & c`, `(g & c) & (g & d) → (g & c) & d`
fn conjoin_chains(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if t.op(a) != Op::And && t.op(b) != Op::And {
        return None;
    }
    let split = split(t, &[a], &[b]);
    if !split.clash.is_empty() {
        return Some(t.constant(0, t.width(a)));
    }
    if split.right.is_empty() {
        return Some(a);
    }
    if split.left.is_empty() {
        return Some(b);
    }
    if split.common.is_empty() {
        return None;
    }
    match (&split.left[..], &split.right[..]) {
        (_left, [one]) => Some(t.and(a, *one)),
        ([one], _right) => Some(t.and(b, *one)),
        (_left, _right) => None,
    }
}

/// `a & ~inner`: `g & ~(~g & x) → g`, `(g & x) & ~x → 0`, `g & ~(g & x) → g & ~x`
fn conjoin_negated(t: &mut Terms, a: TermId, b: TermId, inner: TermId) -> Option<TermId> {
    let split = split(t, &[a], &[inner]);
    if !split.clash.is_empty() {
        return Some(a);
    }
    if split.right.is_empty() {
        return Some(t.constant(0, t.width(a)));
    }
    if split.common.is_empty() || split.right.len() > 2 {
        return absorb_into_chain(t, a, b, inner);
    }
    let width = t.width(a);
    let rest = conjunction(t, &split.right, width);
    let not_rest = t.not(rest);
    Some(t.and(a, not_rest))
}

/// `(y & ~p) & ~q → y & ~(p | q)` where the disjunction is simpler than both: a join with an
/// earlier disjunct
fn absorb_into_chain(t: &mut Terms, a: TermId, b: TermId, inner: TermId) -> Option<TermId> {
    let (x, y) = t.as_binary(a, Op::And)?;
    for (this, other) in [(x, y), (y, x)] {
        let Some(p) = negated_conjunction(t, this) else { continue };
        let Some(joined) = join_exactly(t, p, inner) else { continue };
        if joined == p {
            return Some(a);
        }
        if joined == inner {
            return Some(t.and(other, b));
        }
        let not_joined = t.not(joined);
        return Some(t.and(other, not_joined));
    }
    None
}

/// `p | q` where one implies the other or they differ in one complementary condition
fn join_exactly(t: &mut Terms, p: TermId, q: TermId) -> Option<TermId> {
    let width = t.width(p);
    let split = split(t, &[p], &[q]);
    match (&split.left[..], &split.right[..], &split.clash[..]) {
        ([], _right, []) => Some(p),
        (_left, [], []) => Some(q),
        ([], [], [_one]) => Some(conjunction(t, &split.common, width)),
        (_left, _right, _clash) => None,
    }
}

/// `p | q` of two conjunctions:
/// `g | (g & x) → g`, `(g & c) | (g & ~c) → g`, `(g & c) | (g & ~c & x) → g & (c | x)`,
/// `(g & ~(c & d)) | (g & c & d & x) → g & (~(c & d) | x)`, `(g & x) | (g & y) → g & (x | y)`
fn join(t: &mut Terms, p: TermId, q: TermId) -> Option<TermId> {
    let width = t.width(p);
    let Split { common, left, right, clash } = split(t, &[p], &[q]);
    match (&left[..], &right[..], &clash[..]) {
        ([], _right, []) => Some(p),
        (_left, [], []) => Some(q),
        ([], [], [_one]) => Some(conjunction(t, &common, width)),
        ([], rest, [one]) if rest.len() <= SMALL => {
            let rest = conjunction(t, rest, width);
            let either = t.or(*one, rest);
            Some(with_common(t, &common, either))
        }
        (rest, [], [one]) if rest.len() <= SMALL => {
            let rest = conjunction(t, rest, width);
            let not_one = t.not(*one);
            let either = t.or(not_one, rest);
            Some(with_common(t, &common, either))
        }
        (left, right, []) => {
            let either = join_complement(t, left, right)
                .or_else(|| join_complement(t, right, left))
                .or_else(|| factor(t, &common, left, right))?;
            Some(with_common(t, &common, either))
        }
        (_left, _right, _clash) => None,
    }
}

/// `~u | (u & x) → ~u | x`, where the left side is a single complement of a conjunction
fn join_complement(t: &mut Terms, left: &[TermId], right: &[TermId]) -> Option<TermId> {
    let [one] = left else { return None };
    let u = negated_conjunction(t, *one)?;
    let split = split(t, &[u], right);
    if !split.clash.is_empty() {
        return Some(*one);
    }
    if !split.left.is_empty() || split.right.len() > SMALL {
        return None;
    }
    let width = t.width(*one);
    let rest = conjunction(t, &split.right, width);
    Some(t.or(*one, rest))
}

/// The disjunction of what is left beside a common part, if it is small
fn factor(t: &mut Terms, common: &[TermId], left: &[TermId], right: &[TermId]) -> Option<TermId> {
    if common.is_empty() || left.len() + right.len() > SMALL {
        return None;
    }
    let width = t.width(common[0]);
    let (left, right) = (conjunction(t, left, width), conjunction(t, right, width));
    Some(t.or(left, right))
}

fn with_common(t: &mut Terms, common: &[TermId], rest: TermId) -> TermId {
    let width = t.width(rest);
    let common = conjunction(t, common, width);
    t.and(common, rest)
}

/// The conjunction of atoms of one width; all ones if there are none. The oldest come first, so
/// that the chain is the one a program would have built.
fn conjunction(t: &mut Terms, atoms: &[TermId], width: u32) -> TermId {
    let mut sorted = Atoms::from_slice(atoms);
    sorted.sort_unstable();
    let all_ones = t.ones(width);
    sorted.iter().fold(all_ones, |result, &atom| t.and(result, atom))
}

/// Walks down two conjunctions at once; see the header.
fn split(t: &Terms, left: &[TermId], right: &[TermId]) -> Split {
    let mut result = Split::default();
    let mut frontiers = [Frontier::new(t, left), Frontier::new(t, right)];
    let mut budget = BUDGET;
    loop {
        let (side, top) = match (frontiers[0].top(), frontiers[1].top()) {
            (Some(a), Some(b)) if a.base == b.base => {
                frontiers[0].pop();
                frontiers[1].pop();
                if a.term == b.term { &mut result.common } else { &mut result.clash }.push(a.term);
                continue;
            }
            (Some(a), Some(b)) if a.base > b.base => (0, a),
            (Some(_a), Some(b)) => (1, b),
            (_one_side, _is_done) => break,
        };
        frontiers[side].pop();
        let is_conjunction = top.term == top.base && t.op(top.term) == Op::And;
        if is_conjunction && budget > 0 {
            budget -= 1;
            for &arg in t.args(top.term) {
                frontiers[side].insert(t, arg);
            }
        } else if side == 0 {
            result.left.push(top.term);
        } else {
            result.right.push(top.term);
        }
    }
    let [left, right] = frontiers;
    result.left.extend(left.0.iter().map(|atom| atom.term));
    result.right.extend(right.0.iter().map(|atom| atom.term));
    result
}

/// A conjunct and the term below its complement, if it is one: complementary atoms meet at one
/// base.
#[derive(Clone, Copy)]
struct Atom {
    base: TermId,
    term: TermId,
}

/// Conjuncts sorted by base, largest last.
struct Frontier(SmallVec<[Atom; 16]>);

impl Frontier {
    fn new(t: &Terms, terms: &[TermId]) -> Self {
        let mut frontier = Frontier(SmallVec::new());
        for &term in terms {
            frontier.insert(t, term);
        }
        frontier
    }

    fn top(&self) -> Option<Atom> {
        self.0.last().copied()
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn insert(&mut self, t: &Terms, term: TermId) {
        let base = t.as_unary(term, Op::Not).unwrap_or(term);
        let at = self.0.partition_point(|atom| (atom.base, atom.term) < (base, term));
        if self.0.get(at).is_none_or(|atom| atom.term != term) {
            self.0.insert(at, Atom { base, term });
        }
    }
}
