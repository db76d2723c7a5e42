//! Propagation: sources that the order rules out.
//!
//! Idea: read r cannot see write w if it sees another one, if r precedes w, or if another write
//! that hits r lies between them for sure. When a clock is raised, only the reads and writes whose
//! order is news are looked at. This finds fewer exclusions than there are; the rest show up as
//! conflicts. Each excluded source keeps the path that excludes it, so its reason needs only what
//! was there before.
//! Invariants: entries of `excluded` grow with the trail and leave in stack order with the edges
//! they use.

use raddle_sat::Lit;

use crate::clock::Change;
use crate::closure::Closure;
use crate::explain::Clash;
use crate::graph::{Cause, EdgeId, Graph};
use crate::index::CandidateId;
use crate::skeleton::{Event, ReadId};

/// A source that is ruled out.
#[derive(Clone, Copy, Debug)]
struct Excluded {
    /// The literal that became false.
    reads_from: Lit,
    /// The literal that says that the write in between hits, or that the read has another source.
    cause: Option<Lit>,
    /// Where its path starts in `paths`; it ends where that of the next entry starts.
    path: u32,
}

/// The sources ruled out so far.
#[derive(Default, Debug)]
pub(crate) struct Exclusions {
    pub enabled: bool,
    excluded: Vec<Excluded>,
    paths: Vec<EdgeId>,
    /// By literal index: one more than its entry, if that entry is still about it.
    entry_of: Vec<u32>,
    /// How many entries the solver has been told of.
    head: usize,
}

impl Exclusions {
    pub fn new(lits: usize, enabled: bool) -> Exclusions {
        Exclusions { enabled, entry_of: vec![0; lits], ..Exclusions::default() }
    }

    pub fn len(&self) -> usize {
        self.excluded.len()
    }

    pub fn truncate(&mut self, len: usize) {
        if let Some(first) = self.excluded.get(len) {
            self.paths.truncate(first.path as usize);
            self.excluded.truncate(len);
            self.head = self.head.min(len);
        }
    }

    fn entry(&self, reads_from: Lit) -> Option<usize> {
        let entry = (self.entry_of[reads_from.index()] as usize).checked_sub(1)?;
        (self.excluded.get(entry)?.reads_from == reads_from).then_some(entry)
    }

    /// The next source to tell the solver of.
    pub fn next(&mut self) -> Option<Lit> {
        let excluded = self.excluded.get(self.head)?;
        self.head += 1;
        Some(excluded.reads_from)
    }
}

impl Closure {
    /// Why `reads_from` is ruled out: true literals that contradict it.
    pub fn why_excluded(&mut self, reads_from: Lit) -> Clash {
        let entry = self.exclusions.entry(reads_from).expect("only excluded sources have a reason");
        let excluded = self.exclusions.excluded[entry];
        let next = self.exclusions.excluded.get(entry + 1);
        let end = next.map_or(self.exclusions.paths.len(), |next| next.path as usize);
        let path = &self.exclusions.paths[excluded.path as usize..end];
        let cause = excluded.cause.map_or(Cause::Fixed, Cause::Literal);
        self.explainer.explain(&self.graph, &[cause], path)
    }

    /// Rules out what program order rules out: sources that follow their read in its thread.
    pub fn exclude_later_in_thread(&mut self) {
        for number in 0..self.reads.len() {
            let read = ReadId(number as u32);
            let when = self.reads[number];
            let Some(group) = self.index.group(read, when.place.thread) else { continue };
            let start = self.index.partition(&group, |candidate| candidate.event < when);
            for number in start..group.end {
                self.exclude(CandidateId(number), None);
            }
        }
    }

    /// Rules out all other sources of a read that has one. So the caller needs no clauses for this,
    /// which would be quadratic in the sources.
    pub(crate) fn exclude_others(&mut self, read: ReadId, source: CandidateId, lit: Lit) {
        for number in 0..self.index.groups(read).len() {
            for other in self.index.groups(read)[number].candidates.clone() {
                if other != source.0 {
                    self.push_excluded(CandidateId(other), Some(lit), |_, _| {});
                }
            }
        }
    }

    /// Rules out what a raised clock rules out.
    pub(crate) fn exclude_by(&mut self, change: Change) {
        for number in self.index.reads_in(change.source, change.old..change.new) {
            let read = self.index.read_at(change.source, number);
            let Some(group) = self.index.group(read, change.target) else { continue };
            let start = self.index.partition(&group, |other| other.event.place.index < change.from);
            for number in start..group.end {
                if self.index.candidate(CandidateId(number)).event.place.index >= change.to {
                    break;
                }
                self.exclude(CandidateId(number), None);
            }
        }
        for number in self.index.reads_in(change.target, change.from..change.to) {
            let read = self.index.read_at(change.target, number);
            if self.source(read).is_none() {
                self.exclude_behind(read, change.source, change.old);
            }
        }
    }

    /// Rules out the sources of `read` behind the last write of `thread` that hits it and precedes
    /// it, if that lies in unit `old` or later.
    fn exclude_behind(&mut self, read: ReadId, thread: u32, old: u32) {
        let Some(group) = self.index.group(read, thread) else { return };
        let when = self.reads[read.index()];
        let end = self.index.partition(&group, |candidate| self.before(candidate.event, when));
        for number in (group.start..end).rev() {
            let hider = self.index.candidate(CandidateId(number));
            if hider.event.place.index < old {
                return;
            }
            if self.is_true(hider.hits) {
                return self.exclude_hidden(read, hider.event, hider.hits);
            }
        }
    }

    /// A candidate has begun to hit its read, which has no source yet.
    pub(crate) fn exclude_behind_candidate(&mut self, id: CandidateId) {
        let hider = *self.index.candidate(id);
        let when = self.reads[hider.read.index()];
        if !self.before(hider.event, when) {
            return;
        }
        let group =
            self.index.group(hider.read, hider.event.place.thread).expect("it has a member");
        for number in id.0 + 1..group.end {
            let later = self.index.candidate(CandidateId(number));
            if !self.before(later.event, when) {
                break;
            }
            if self.is_true(later.hits) {
                return;
            }
        }
        self.exclude_hidden(hider.read, hider.event, hider.hits);
    }

    /// Rules out all sources of `read` that precede `hider`, which precedes `read`.
    fn exclude_hidden(&mut self, read: ReadId, hider: Event, hits: Lit) {
        for number in 0..self.index.groups(read).len() {
            let group = self.index.groups(read)[number].candidates.clone();
            let end = self.index.partition(&group, |candidate| self.before(candidate.event, hider));
            for number in group.start..end {
                self.exclude(CandidateId(number), Some((hider, hits)));
            }
        }
    }

    /// Rules out one source, because its read precedes it or because `hider` lies in between.
    fn exclude(&mut self, id: CandidateId, hider: Option<(Event, Lit)>) {
        let candidate = *self.index.candidate(id);
        let when = self.reads[candidate.read.index()];
        match hider {
            None => self.push_excluded(id, None, |graph, path| {
                graph.path(when.place, candidate.event.place, path);
            }),
            Some((hider, hits)) => self.push_excluded(id, Some(hits), |graph, path| {
                graph.path(candidate.event.place, hider.place, path);
                graph.path(hider.place, when.place, path);
            }),
        }
    }

    fn push_excluded(
        &mut self,
        id: CandidateId,
        cause: Option<Lit>,
        write_path: impl FnOnce(&Graph, &mut Vec<EdgeId>),
    ) {
        let Some(reads_from) = self.index.candidate(id).reads_from else { return };
        if self.is_true(!reads_from) || self.exclusions.entry(reads_from).is_some() {
            return;
        }
        let path = self.exclusions.paths.len() as u32;
        write_path(&self.graph, &mut self.exclusions.paths);
        self.exclusions.excluded.push(Excluded { reads_from, cause, path });
        self.exclusions.entry_of[reads_from.index()] = self.exclusions.excluded.len() as u32;
    }
}
