//! Path conditions as shared lists of conjuncts.
//!
//! Idea: at a join of two paths the common part of their lists is kept as it is; only what came
//! after it is combined. So values merge under the branch condition alone (`c ? a : b`, not
//! `whole path ? a : b`), and after an if-then-else without effect on the path the condition
//! is again what it was before.

use std::rc::Rc;

use raddle_term::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

#[derive(Debug)]
struct Node {
    conjunct: TermId,
    /// The conjunction of the whole list.
    all: TermId,
    parent: Path,
    length: u32,
}

/// So many conjuncts of a path are looked at to see what it decides.
const MOST_CONJUNCTS: usize = 256;

/// So many sides of disjunctions are looked at to see what a condition implies.
const MOST_SIDES: usize = 64;

/// A path condition.
#[derive(Clone, Default, Debug)]
pub struct Path(Option<Rc<Node>>);

impl Path {
    /// The conjunction as a term.
    pub fn term(&self, terms: &Terms) -> TermId {
        self.0.as_ref().map_or(terms.tru(), |n| n.all)
    }

    /// One more conjunct.
    #[must_use]
    pub fn and(&self, terms: &mut Terms, conjunct: TermId) -> Path {
        debug_assert_eq!(terms.width(conjunct), 1, "a conjunct is a Boolean");
        if terms.is_true(conjunct) {
            return self.clone();
        }
        let before = self.term(terms);
        let all = terms.and(before, conjunct);
        if all == before {
            return self.clone();
        }
        let length = self.length() + 1;
        Path(Some(Rc::new(Node { conjunct, all, parent: self.clone(), length })))
    }

    /// The same path, where a condition is known that will be added: of what was joined since an
    /// earlier point, sides that contradict the condition are gone.
    #[must_use]
    pub fn given(&self, terms: &mut Terms, earlier: &Path, condition: TermId) -> Path {
        let known = implied(terms, condition, MOST_SIDES);
        let Some(added) = self.since(earlier).filter(|_| !known.is_empty()) else {
            return self.clone();
        };
        let left = |terms: &mut Terms, conjunct| {
            let all = sides(terms, conjunct);
            let possible = |terms: &mut Terms, side: &TermId| {
                !leaves(terms, *side).into_iter().any(|l| known.contains(&terms.not(l)))
            };
            let some: Vec<TermId> = all.iter().filter(|s| possible(terms, s)).copied().collect();
            if some.len() == all.len() { conjunct } else { terms.or_all(&some) }
        };
        added.into_iter().rev().fold(earlier.clone(), |path, conjunct| {
            let conjunct = left(terms, conjunct);
            path.and(terms, conjunct)
        })
    }

    /// Whether no execution takes the path.
    pub fn is_false(&self, terms: &Terms) -> bool {
        self.0.as_ref().is_some_and(|n| terms.is_false(n.all))
    }

    fn length(&self) -> u32 {
        self.0.as_ref().map_or(0, |n| n.length)
    }

    fn same(&self, other: &Path) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// Joins two exclusive paths. The second result is a condition that, on the joined path,
    /// tells the first path (true) from the second.
    pub fn join(terms: &mut Terms, a: &Path, b: &Path) -> (Path, TermId) {
        let (mut x, mut y) = (a.clone(), b.clone());
        let (mut after_x, mut after_y) = (Vec::new(), Vec::new());
        while !x.same(&y) {
            if x.length() >= y.length() {
                let node = x.0.take().expect("the longer list is not empty");
                after_x.push(node.conjunct);
                x = node.parent.clone();
            } else {
                let node = y.0.take().expect("the longer list is not empty");
                after_y.push(node.conjunct);
                y = node.parent.clone();
            }
        }
        debug_assert!(x.length() <= a.length().min(b.length()), "a common part is not longer");
        after_x.reverse();
        after_y.reverse();
        let (from_x, from_y) = (terms.and_all(&after_x), terms.and_all(&after_y));
        let either = terms.or(from_x, from_y);
        // Either side tells the paths apart; the shorter one makes smaller terms.
        let selector = if after_y.len() < after_x.len() { terms.not(from_y) } else { from_x };
        (x.and(terms, either), selector)
    }

    /// What a value is on this path: a choice on a condition that the path decides is one of its two
    /// values. Only the last conjuncts of a long path are looked at.
    pub fn resolve(&self, terms: &mut Terms, mut value: TermId) -> TermId {
        let mut known: Option<FxHashSet<TermId>> = None;
        while let Some([condition, yes, no]) = choice(terms, value) {
            let known = known.get_or_insert_with(|| self.last_conjuncts(terms));
            let parts = leaves(terms, condition);
            if parts.iter().all(|c| known.contains(c)) {
                value = yes;
            } else if parts.into_iter().any(|c| known.contains(&terms.not(c))) {
                value = no;
            } else {
                break;
            }
        }
        value
    }

    /// The leaves of the last conjuncts.
    fn last_conjuncts(&self, terms: &Terms) -> FxHashSet<TermId> {
        let nodes = std::iter::successors(self.0.as_ref(), |node| node.parent.0.as_ref());
        nodes.take(MOST_CONJUNCTS).flat_map(|node| leaves(terms, node.conjunct)).collect()
    }

    /// The conjuncts added since an earlier point of the path; `None` if that is not a point of it.
    pub fn since(&self, earlier: &Path) -> Option<Vec<TermId>> {
        let mut added = Vec::new();
        let mut at = self;
        while at.length() > earlier.length() {
            let node = at.0.as_ref()?;
            added.push(node.conjunct);
            at = &node.parent;
        }
        at.same(earlier).then_some(added)
    }
}

/// The condition and the two values of a term that is a choice, or the bit of a condition.
fn choice(terms: &mut Terms, value: TermId) -> Option<[TermId; 3]> {
    if let (Op::Ite, &[condition, yes, no]) = (terms.op(value), terms.args(value)) {
        return Some([condition, yes, no]);
    }
    let width = terms.width(value);
    let (condition, values) = terms.two_values(value).filter(|_| width > 1)?;
    let [yes, no] = values.map(|k| terms.constant(k, width));
    Some([condition, yes, no])
}

/// The leaves of a conjunction.
fn leaves(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let (mut found, mut work) = (Vec::new(), vec![condition]);
    while let Some(t) = work.pop() {
        match terms.op(t) {
            Op::And if work.len() + found.len() < MOST_CONJUNCTS => {
                work.extend_from_slice(terms.args(t));
            }
            _ => found.push(t),
        }
    }
    found
}

/// The sides of a disjunction.
fn sides(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[none]) if terms.op(none) == Op::And => {
            leaves(terms, none).into_iter().map(|l| terms.not(l)).collect()
        }
        _ => vec![condition],
    }
}

/// Leaves that hold where a condition does: those of a conjunction, and those that all sides of
/// a disjunction have, which are looked at if they are not too many.
fn implied(terms: &mut Terms, condition: TermId, most: usize) -> FxHashSet<TermId> {
    let mut known = FxHashSet::default();
    for leaf in leaves(terms, condition) {
        let sides = sides(terms, leaf);
        if sides.len() == 1 || sides.len() > most {
            known.insert(leaf);
            continue;
        }
        let each: Vec<_> = sides.iter().map(|&s| implied(terms, s, most / sides.len())).collect();
        let common = each.into_iter().reduce(|a, b| a.intersection(&b).copied().collect());
        known.extend(common.unwrap_or_default());
    }
    known
}

impl Drop for Node {
    fn drop(&mut self) {
        // Long lists would otherwise be dropped by recursion.
        let mut next = self.parent.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.parent.0.take(),
                Err(_) => break,
            }
        }
    }
}
