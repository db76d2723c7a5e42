//! The rules of sequential consistency, kept saturated under assignment and undo.
//!
//! Idea: let read r take its value from write w, and let another write x hit r. Then x is not
//!   between: (after)  if w precedes x, then r precedes x;
//!   (before) if x precedes r, then x precedes w.
//! Each rule turns an order into an edge. Both are checked where something new happened: when r
//! gets its source, when x starts to hit, and when a clock is raised, then only for the units whose
//! order is news. In one thread it suffices to take the last x before r and the first x after w;
//! program order does the rest.
//! Source: the from-read and write-order rules of axiomatic SC (Alglave et al., "Herding cats",
//!   TOPLAS 2014), saturated as in Zord (He, Sun, Fan, PLDI 2021); clocks per chain are ours.
//! Invariants: without a clash, and with `changes` empty, no rule applies (`check_saturated`).
//! Limits: saturation does not decide consistency for three threads and more; `repair.rs` does the
//! rest.

use std::collections::VecDeque;
use std::ops::Range;

use raddle_sat::Lit;

use crate::clock::Change;
use crate::exclude::Exclusions;
use crate::explain::{Clash, Explainer};
use crate::graph::{Cause, EdgeId, Graph, GraphMark, Tentative};
use crate::index::{CandidateId, Index, Role};
use crate::skeleton::{Event, Place, ReadId, Skeleton, WriteId};

/// A state to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    graph: GraphMark,
    activated: usize,
    excluded: usize,
}

/// The order graph with the reads that have a source.
#[derive(Default, Debug)]
pub(crate) struct Closure {
    pub index: Index,
    pub graph: Graph,
    /// When each read happens.
    pub reads: Vec<Event>,
    /// By literal index: whether it is true.
    truth: Vec<bool>,
    /// By read: its source.
    source: Vec<Option<CandidateId>>,
    /// By write: the reads that take their value from it.
    readers: Vec<Vec<ReadId>>,
    /// The reads with a source, in the order in which they got it.
    activated: Vec<ReadId>,
    /// Clocks that were raised and not yet looked at.
    changes: VecDeque<Change>,
    pub explainer: Explainer,
    pub exclusions: Exclusions,
    /// Scratch for paths.
    path: Vec<EdgeId>,
}

impl Closure {
    /// The state with nothing assigned and no edges. `lits` bounds the literal indices.
    pub fn new(skeleton: &Skeleton, lits: usize, propagate: bool) -> Closure {
        Closure {
            index: Index::new(skeleton),
            graph: Graph::new(skeleton),
            reads: skeleton.reads.clone(),
            truth: vec![false; lits],
            source: vec![None; skeleton.reads.len()],
            readers: vec![Vec::new(); skeleton.writes.len()],
            exclusions: Exclusions::new(lits, propagate),
            ..Closure::default()
        }
    }

    pub fn is_true(&self, lit: Lit) -> bool {
        self.truth[lit.index()]
    }

    pub fn set_truth(&mut self, lit: Lit, value: bool) {
        self.truth[lit.index()] = value;
    }

    pub fn source(&self, read: ReadId) -> Option<CandidateId> {
        self.source[read.index()]
    }

    /// The reads that take their value from `write`.
    pub fn readers(&self, write: WriteId) -> &[ReadId] {
        &self.readers[write.index()]
    }

    /// The reads that have a source.
    pub fn active(&self) -> &[ReadId] {
        &self.activated
    }

    pub fn mark(&self) -> Mark {
        let (activated, excluded) = (self.activated.len(), self.exclusions.len());
        Mark { graph: self.graph.mark(), activated, excluded }
    }

    pub fn undo_to(&mut self, mark: Mark) {
        self.changes.clear();
        self.graph.undo_to(mark.graph);
        self.exclusions.truncate(mark.excluded);
        for read in self.activated.drain(mark.activated..).rev() {
            let source = self.source[read.index()].take().expect("an active read has a source");
            let write = self.index.candidate(source).write;
            let popped = self.readers[write.index()].pop();
            debug_assert_eq!(popped, Some(read), "readers leave in stack order");
        }
    }

    /// Draws all consequences of a literal that [`Closure::set_truth`] made true.
    pub fn assert_lit(&mut self, lit: Lit) -> Result<(), Clash> {
        for number in self.index.roles(lit) {
            match self.index.role(number) {
                Role::ReadsFrom(candidate) => self.reads_from(candidate, lit)?,
                Role::Hits(candidate) => self.hits(candidate)?,
                Role::Guards(from, to) => self.assert_edge(from, to, Cause::Literal(lit))?,
            }
        }
        Ok(())
    }

    /// Adds an edge and draws all consequences.
    pub fn assert_edge(&mut self, from: Place, to: Place, cause: Cause) -> Result<(), Clash> {
        let (from, to) = (Event { place: from, position: 0 }, Event { place: to, position: 0 });
        self.require(from, to, cause, None)?;
        self.saturate()
    }

    pub fn try_edge(&mut self, from: Place, to: Place, decision: Tentative) -> Result<(), Clash> {
        self.assert_edge(from, to, Cause::Try(decision))
    }

    /// Whether `a` happens before `b` in every order that is still possible.
    pub fn before(&self, a: Event, b: Event) -> bool {
        if a.place.thread == b.place.thread {
            return (a.place.index, a.position) < (b.place.index, b.position);
        }
        self.graph.clocks.before(a.place, b.place)
    }

    fn reads_from(&mut self, id: CandidateId, lit: Lit) -> Result<(), Clash> {
        let candidate = *self.index.candidate(id);
        let read = candidate.read;
        match self.source[read.index()] {
            Some(other) if other == id => return Ok(()),
            Some(other) => {
                let other = self.index.candidate(other).reads_from.expect("sources are literals");
                return Err(self.clash(&[Cause::Pair(lit, other)], &[]));
            }
            None => {}
        }
        self.source[read.index()] = Some(id);
        self.readers[candidate.write.index()].push(read);
        self.activated.push(read);
        if self.exclusions.enabled {
            self.exclude_others(read, id, lit);
        }
        self.require(candidate.event, self.reads[read.index()], Cause::Literal(lit), None)?;
        self.saturate()?;
        for number in 0..self.index.groups(read).len() {
            let thread = self.index.groups(read)[number].thread;
            self.rule_before(read, thread, 0)?;
            self.rule_after(read, thread, 0..u32::MAX)?;
        }
        self.saturate()
    }

    fn hits(&mut self, id: CandidateId) -> Result<(), Clash> {
        let hider = *self.index.candidate(id);
        let Some(source) = self.source[hider.read.index()] else {
            if self.exclusions.enabled {
                self.exclude_behind_candidate(id);
            }
            return Ok(());
        };
        if source == id {
            return Ok(());
        }
        let written = self.index.candidate(source).event;
        let read = self.reads[hider.read.index()];
        if self.before(written, hider.event) {
            self.require_after(source, id)?;
        } else if self.before(hider.event, read) {
            self.require_before(source, id)?;
        }
        self.saturate()
    }

    /// Applies both rules wherever clocks were raised, until nothing is left to do.
    fn saturate(&mut self) -> Result<(), Clash> {
        while let Some(change) = self.changes.pop_front() {
            if self.exclusions.enabled {
                self.exclude_by(change);
            }
            for number in self.index.reads_in(change.target, change.from..change.to) {
                let read = self.index.read_at(change.target, number);
                if self.source[read.index()].is_some() {
                    self.rule_before(read, change.source, change.old)?;
                }
            }
            for number in self.index.writes_in(change.source, change.old..change.new) {
                let write = self.index.write_at(change.source, number);
                for reader in 0..self.readers[write.index()].len() {
                    let read = self.readers[write.index()][reader];
                    self.rule_after(read, change.target, change.from..change.to)?;
                }
            }
        }
        Ok(())
    }

    /// Rule (before) for an active read and the writes of `thread`, leaving out units below `old`,
    /// for which it was applied already.
    fn rule_before(&mut self, read: ReadId, thread: u32, old: u32) -> Result<(), Clash> {
        let Some(group) = self.index.group(read, thread) else { return Ok(()) };
        let source = self.source[read.index()].expect("the read is active");
        let when = self.reads[read.index()];
        let end = if thread == when.place.thread {
            self.index.partition(&group, |candidate| candidate.event < when)
        } else {
            let reach = self.graph.clocks.reach(when.place, thread);
            self.index.partition(&group, |candidate| candidate.event.place.index < reach)
        };
        for number in (group.start..end).rev() {
            let id = CandidateId(number);
            let hider = self.index.candidate(id);
            if id == source || hider.event.place.index < old {
                break;
            }
            if self.truth[hider.hits.index()] {
                return self.require_before(source, id);
            }
        }
        Ok(())
    }

    /// Rule (after) for an active read and the writes in the given units of `thread`.
    fn rule_after(&mut self, read: ReadId, thread: u32, units: Range<u32>) -> Result<(), Clash> {
        let Some(group) = self.index.group(read, thread) else { return Ok(()) };
        let source = self.source[read.index()].expect("the read is active");
        let written = self.index.candidate(source).event;
        let start = if thread == written.place.thread {
            self.index.partition(&group, |candidate| candidate.event <= written)
        } else {
            let first = self.graph.clocks.first_after(written.place, thread);
            self.index.partition(&group, |candidate| candidate.event.place.index < first)
        };
        for number in start..group.end {
            let id = CandidateId(number);
            let hider = self.index.candidate(id);
            if hider.event.place.index >= units.end {
                break;
            }
            if self.truth[hider.hits.index()] {
                return self.require_after(source, id);
            }
        }
        Ok(())
    }

    /// The hider precedes the read of `source`: it must precede the source.
    fn require_before(&mut self, source: CandidateId, hider: CandidateId) -> Result<(), Clash> {
        let (source, hider) = (*self.index.candidate(source), *self.index.candidate(hider));
        let cause = Cause::Pair(source.reads_from.expect("sources are literals"), hider.hits);
        let read = self.reads[source.read.index()];
        self.require(hider.event, source.event, cause, Some((hider.event.place, read.place)))
    }

    /// The source precedes the hider: the read of `source` must precede it too.
    fn require_after(&mut self, source: CandidateId, hider: CandidateId) -> Result<(), Clash> {
        let (source, hider) = (*self.index.candidate(source), *self.index.candidate(hider));
        let cause = Cause::Pair(source.reads_from.expect("sources are literals"), hider.hits);
        let read = self.reads[source.read.index()];
        self.require(read, hider.event, cause, Some((source.event.place, hider.event.place)))
    }

    /// Lets `first` happen before `second`, because of `cause` and the order of `premise`.
    fn require(
        &mut self,
        first: Event,
        second: Event,
        cause: Cause,
        premise: Option<(Place, Place)>,
    ) -> Result<(), Clash> {
        if self.before(first, second) {
            return Ok(());
        }
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        if let Some((from, to)) = premise {
            self.graph.path(from, to, &mut path);
        }
        let against = first.place.thread == second.place.thread
            || self.graph.clocks.before(second.place, first.place);
        let result = if against {
            self.graph.path(second.place, first.place, &mut path);
            Err(self.clash(&[cause], &path))
        } else {
            self.graph.insert(first.place, second.place, cause, &path, &mut self.changes);
            Ok(())
        };
        self.path = path;
        result
    }

    fn clash(&mut self, causes: &[Cause], edges: &[EdgeId]) -> Clash {
        self.explainer.explain(&self.graph, causes, edges)
    }

    /// Checks that no rule applies, against the definition.
    pub fn check_saturated(&self) {
        assert!(self.changes.is_empty(), "all changes were looked at");
        self.graph.check_invariants();
        for &read in &self.activated {
            let source = self.source[read.index()].expect("an active read has a source");
            let written = self.index.candidate(source).event;
            let when = self.reads[read.index()];
            assert!(self.before(written, when), "a source precedes its read");
            for number in self.index.groups(read).iter().flat_map(|group| group.candidates.clone())
            {
                let hider = self.index.candidate(CandidateId(number));
                if number == source.0 || !self.is_true(hider.hits) {
                    continue;
                }
                assert!(!self.before(written, hider.event) || self.before(when, hider.event));
                assert!(!self.before(hider.event, when) || self.before(hider.event, written));
            }
        }
    }
}
