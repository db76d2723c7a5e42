//! Reads on whose values nothing depends.
//!
//! Idea: a counter that is only counted, or data that is only passed on, decides nothing: neither which
//! way a thread goes, nor where it reads and writes, nor whether something goes wrong. A read of it
//! may have any value, so nothing needs to be said about where that comes from. What matters is found
//! backwards: all conditions and addresses matter, what a read finds matters if its variable
//! occurs in something that matters, and then everything that is written where it reads matters.
//! Known as the cone of influence, or slicing.
//! Invariant: what is replayed does not depend on an idle read: inputs are given by the conditions
//! under which they are asked for, which matter.

use raddle_summary::{EventKind, Skeleton, WaitKind};
use raddle_term::{Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Group;

/// The idle reads, as places in the skeleton's list. Groups are those of [`super::cells::cut`].
pub fn find(skeleton: &Skeleton, terms: &Terms, groups: &[Group]) -> FxHashSet<usize> {
    let mut search = Search::new(skeleton, terms, groups);
    search.conditions();
    search.run();
    let reads = search.reads.values().copied();
    let idle = reads.filter(|&e| !search.seen[skeleton.events[e].value.index()]);
    idle.collect()
}

struct Search<'a> {
    skeleton: &'a Skeleton,
    terms: &'a Terms,
    groups: &'a [Group],
    /// The reads whose values are variables, by these.
    reads: FxHashMap<TermId, usize>,
    /// The groups that each read has a part in.
    parts: FxHashMap<usize, Vec<usize>>,
    /// What joins give.
    results: FxHashSet<TermId>,
    /// By terms: whether it matters.
    seen: Vec<bool>,
    /// Whether all that is written there matters.
    written: Vec<bool>,
    work: Vec<TermId>,
}

impl<'a> Search<'a> {
    fn new(skeleton: &'a Skeleton, terms: &'a Terms, groups: &'a [Group]) -> Search<'a> {
        let all = skeleton.events.iter().enumerate().filter(|(_, e)| e.kind == EventKind::Read);
        let free = all.filter(|(_, e)| terms.op(e.value) == Op::Var);
        let mut parts: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (g, group) in groups.iter().enumerate() {
            for read in &group.reads {
                parts.entry(read.event).or_default().push(g);
            }
        }
        Search {
            skeleton,
            terms,
            groups,
            reads: free.map(|(i, e)| (e.value, i)).collect(),
            parts,
            results: skeleton.joins.iter().map(|j| j.result).collect(),
            seen: vec![false; terms.len()],
            written: vec![false; groups.len()],
            work: Vec::new(),
        }
    }

    fn matters(&mut self, t: TermId) {
        if !std::mem::replace(&mut self.seen[t.index()], true) {
            self.work.push(t);
        }
    }

    /// What matters in every program.
    fn conditions(&mut self) {
        let skeleton = self.skeleton;
        for (i, e) in skeleton.events.iter().enumerate() {
            [e.guard, e.reached, e.address].into_iter().for_each(|t| self.matters(t));
            // What a read must find is a condition, too.
            if e.kind == EventKind::Read && !self.reads.contains_key(&e.value) {
                self.matters(e.value);
                self.found(i);
            }
        }
        for thread in &skeleton.threads {
            self.matters(thread.ended);
            thread.choices.iter().for_each(|c| self.matters(c.guard));
        }
        skeleton.marks.iter().for_each(|m| self.matters(m.guard));
        for join in &skeleton.joins {
            [join.guard, join.target, join.done].into_iter().for_each(|t| self.matters(t));
        }
        for v in &skeleton.violations {
            self.matters(v.condition);
            v.leaks.iter().for_each(|l| self.matters(l.1));
            v.access.iter().for_each(|a| self.matters(a.0));
        }
        for wait in &skeleton.waits {
            [wait.guard, wait.stuck].into_iter().for_each(|t| self.matters(t));
            match wait.kind {
                WaitKind::Lock(t) | WaitKind::Join(t) => self.matters(t),
                WaitKind::Condition | WaitKind::Loop => {}
            }
        }
        skeleton.cuts.iter().for_each(|c| self.matters(c.condition));
        skeleton.images.iter().for_each(|i| self.matters(i.guard));
        skeleton.assumptions.iter().for_each(|&t| self.matters(t));
    }

    /// It matters what a read finds.
    fn found(&mut self, read: usize) {
        let groups = self.groups;
        for g in self.parts.get(&read).cloned().unwrap_or_default() {
            if !std::mem::replace(&mut self.written[g], true) {
                let writes = groups[g].writes.iter().map(|w| self.skeleton.events[w.event].value);
                writes.for_each(|value| self.matters(value));
            }
        }
    }

    fn run(&mut self) {
        let (terms, skeleton) = (self.terms, self.skeleton);
        while let Some(t) = self.work.pop() {
            terms.args(t).iter().for_each(|&arg| self.matters(arg));
            if let Some(&read) = self.reads.get(&t) {
                self.found(read);
            }
            if self.results.contains(&t) {
                skeleton.threads.iter().for_each(|thread| self.matters(thread.result));
            }
        }
    }
}
