//! Which variables a computation looks at, and in which states.
//!
//! Idea: evaluate terms lazily. Of a choice only the branch that is taken is looked at, of a
//! conjunction the second part only if the first holds. Run over terms instead of values this is
//! one pass from the roots down: a term is looked at under the disjunction of what its users say.
//! A variable that is not looked at in a state does not matter there, however many such variables
//! change at once: the lazy evaluation runs the same way and meets the same values.
//! Which part of a conjunction comes first is free: the one that others cannot change, so that
//! addresses decide which cells count.
//! Conditions may not speak of inputs, because they are to hold of states: those that do are left
//! out, as if they were true.
//! Invariant: arguments have smaller numbers than terms that use them, so a pass in descending
//! order meets users first.

use std::collections::BTreeMap;

use raddle_term::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Only its own thread changes it.
    Own,
    /// Threads share it.
    Shared,
    /// Each step has it anew.
    Input,
}

/// Looks at terms.
pub struct Observer<'a> {
    source: &'a dyn Fn(VarId) -> Source,
    /// By term: the largest source of its variables; none without variables.
    known: FxHashMap<TermId, Option<Source>>,
}

impl<'a> Observer<'a> {
    /// Variables are what `source` says.
    pub fn new(source: &'a dyn Fn(VarId) -> Source) -> Observer<'a> {
        Observer { source, known: FxHashMap::default() }
    }

    /// The largest source of the variables of a term.
    pub fn source(&mut self, terms: &Terms, root: TermId) -> Option<Source> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let pending = stack.len();
            stack.extend(terms.args(t).iter().filter(|a| !self.known.contains_key(a)));
            if stack.len() == pending {
                let own = terms.as_var(t).map(self.source);
                let all = terms.args(t).iter().map(|a| self.known[a]).max().flatten();
                self.known.insert(t, own.max(all));
                stack.pop();
            }
        }
        self.known[&root]
    }

    /// Whether a term speaks of states only.
    pub fn is_of_state(&mut self, terms: &Terms, t: TermId) -> bool {
        self.source(terms, t) != Some(Source::Input)
    }

    /// The shared variables that roots look at, each with the condition; a root counts under its
    /// own condition.
    pub fn shared(
        &mut self,
        terms: &mut Terms,
        roots: &[(TermId, TermId)],
    ) -> BTreeMap<VarId, TermId> {
        let mut open: BTreeMap<TermId, TermId> = BTreeMap::new();
        for &(root, cond) in roots {
            let cond = if self.is_of_state(terms, cond) { cond } else { terms.tru() };
            add(terms, &mut open, root, cond);
        }
        let mut found = BTreeMap::new();
        while let Some((t, cond)) = open.pop_last() {
            if terms.is_false(cond) || self.source(terms, t) < Some(Source::Shared) {
                continue;
            }
            if let Some(var) = terms.as_var(t) {
                if (self.source)(var) == Source::Shared {
                    found.insert(var, cond);
                }
                continue;
            }
            for (arg, here) in self.parts(terms, t, cond) {
                add(terms, &mut open, arg, here);
            }
        }
        found
    }

    /// The arguments of a term that is looked at, each with the condition that it is as well.
    fn parts(&mut self, terms: &mut Terms, t: TermId, cond: TermId) -> Vec<(TermId, TermId)> {
        let args = terms.args(t).to_vec();
        match (terms.op(t), terms.width(t)) {
            (Op::Ite, _any) => {
                let (yes, no) = (self.and(terms, cond, args[0], true), {
                    self.and(terms, cond, args[0], false)
                });
                vec![(args[0], cond), (args[1], yes), (args[2], no)]
            }
            (Op::And, 1) => {
                let sources = (self.source(terms, args[0]), self.source(terms, args[1]));
                let swapped = sources.1 < sources.0;
                let (first, second) = if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
                let rest = self.and(terms, cond, first, true);
                vec![(first, cond), (second, rest)]
            }
            (_other, _width) => args.into_iter().map(|a| (a, cond)).collect(),
        }
    }

    /// A condition and another one, or its opposite; the condition alone if that is not of states.
    fn and(&mut self, terms: &mut Terms, cond: TermId, more: TermId, value: bool) -> TermId {
        if !self.is_of_state(terms, more) {
            return cond;
        }
        let more = if value { more } else { terms.not(more) };
        terms.and(cond, more)
    }

    /// The condition under which `value`, assigned to `old` under `cond`, is not `old` itself.
    /// What else it looks at on the way is added to `roots`.
    pub fn assigned(
        &mut self,
        terms: &mut Terms,
        (old, value): (TermId, TermId),
        cond: TermId,
        roots: &mut Vec<(TermId, TermId)>,
    ) -> TermId {
        let cond = if self.is_of_state(terms, cond) { cond } else { terms.tru() };
        let mut open = BTreeMap::from([(value, cond)]);
        let mut written = terms.fals();
        while let Some((t, cond)) = open.pop_last() {
            if t == old || terms.is_false(cond) {
                continue;
            }
            if let Some((c, a, b)) = terms.as_ite(t) {
                roots.push((c, cond));
                for (part, is) in [(a, true), (b, false)] {
                    let here = self.and(terms, cond, c, is);
                    add(terms, &mut open, part, here);
                }
            } else {
                roots.push((t, cond));
                written = terms.or(written, cond);
            }
        }
        written
    }
}

fn add(terms: &mut Terms, open: &mut BTreeMap<TermId, TermId>, t: TermId, cond: TermId) {
    let known = open.get(&t).copied().unwrap_or(terms.fals());
    let cond = terms.or(known, cond);
    open.insert(t, cond);
}
