//! The skeleton sorted for lookup.
//!
//! Idea: every question of the closure rules is about one read, one thread and a range of that
//! thread's units. Hence the candidates of a read stand together, grouped by thread and sorted by
//! time, and reads and writes of a thread are sorted by unit. What a literal means is one slice
//! lookup.
//! Invariants: within a group, candidates ascend strictly by event.

use std::ops::Range;

use raddle_sat::Lit;

use crate::skeleton::{Event, Place, ReadId, Skeleton, WriteId};

/// A candidate: a write that a read may see or that may hide others from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct CandidateId(pub u32);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub read: ReadId,
    pub write: WriteId,
    /// When the write happens.
    pub event: Event,
    pub reads_from: Option<Lit>,
    pub hits: Lit,
}

/// The candidates of one read in one thread.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub thread: u32,
    /// Into [`Index::candidates`].
    pub candidates: Range<u32>,
}

/// What the theory does when a literal becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// The read takes its value from the candidate.
    ReadsFrom(CandidateId),
    /// The candidate writes where its read reads.
    Hits(CandidateId),
    /// The first unit precedes the second.
    Guards(Place, Place),
}

#[derive(Default, Debug)]
pub(crate) struct Index {
    pub candidates: Vec<Candidate>,
    /// All groups, by read.
    groups: Vec<Group>,
    /// By read: its groups.
    groups_of: Vec<Range<u32>>,
    /// By thread, sorted by unit.
    reads_of: Vec<Vec<(u32, ReadId)>>,
    writes_of: Vec<Vec<(u32, WriteId)>>,
    /// By write: the candidates that are this write.
    pub candidates_of_write: Vec<Vec<CandidateId>>,
    /// Roles sorted by literal, and where those of each literal start.
    roles: Vec<Role>,
    role_starts: Vec<u32>,
}

impl Index {
    pub fn new(skeleton: &Skeleton) -> Index {
        let mut index = Index::default();
        index.sort_candidates(skeleton);
        index.reads_of = by_thread(skeleton, &skeleton.reads, ReadId);
        index.writes_of = by_thread(skeleton, &skeleton.writes, WriteId);
        index.candidates_of_write = vec![Vec::new(); skeleton.writes.len()];
        for (number, candidate) in (0..).zip(&index.candidates) {
            index.candidates_of_write[candidate.write.index()].push(CandidateId(number));
        }
        index.sort_roles(skeleton);
        index
    }

    fn sort_candidates(&mut self, skeleton: &Skeleton) {
        let event_of = |write: WriteId| skeleton.writes[write.index()];
        self.candidates = skeleton
            .may_read
            .iter()
            .map(|pair| Candidate {
                read: pair.read,
                write: pair.write,
                event: event_of(pair.write),
                reads_from: pair.reads_from,
                hits: pair.hits,
            })
            .collect();
        self.candidates.sort_by_key(|candidate| (candidate.read, candidate.event, candidate.write));
        for pair in self.candidates.windows(2) {
            let same = pair[0].read == pair[1].read && pair[0].event == pair[1].event;
            assert!(!same, "two candidates of {:?} at the same time: {pair:?}", pair[0].read);
        }
        let mut start = 0;
        let mut groups_of = vec![0..0; skeleton.reads.len()];
        for group in self
            .candidates
            .chunk_by(|a, b| a.read == b.read && a.event.place.thread == b.event.place.thread)
        {
            let end = start + group.len() as u32;
            let range: &mut Range<u32> = &mut groups_of[group[0].read.index()];
            let number = self.groups.len() as u32;
            let first = if range.start == range.end { number } else { range.start };
            *range = first..number + 1;
            self.groups.push(Group { thread: group[0].event.place.thread, candidates: start..end });
            start = end;
        }
        self.groups_of = groups_of;
    }

    fn sort_roles(&mut self, skeleton: &Skeleton) {
        let mut roles: Vec<(usize, Role)> = Vec::new();
        for edge in &skeleton.guarded {
            roles.push((edge.condition.index(), Role::Guards(edge.from, edge.to)));
        }
        for (number, candidate) in (0..).zip(&self.candidates) {
            let id = CandidateId(number);
            if let Some(lit) = candidate.reads_from {
                roles.push((lit.index(), Role::ReadsFrom(id)));
            }
            roles.push((candidate.hits.index(), Role::Hits(id)));
        }
        roles.sort_by_key(|&(lit, _)| lit);
        let lits = roles.last().map_or(0, |&(lit, _)| lit + 1);
        self.role_starts = vec![0; lits + 1];
        for &(lit, _) in &roles {
            self.role_starts[lit + 1] += 1;
        }
        for lit in 0..lits {
            self.role_starts[lit + 1] += self.role_starts[lit];
        }
        self.roles = roles.into_iter().map(|(_, role)| role).collect();
    }

    pub fn candidate(&self, id: CandidateId) -> &Candidate {
        &self.candidates[id.0 as usize]
    }

    /// The range of a literal's roles, for [`Index::role`].
    pub fn roles(&self, lit: Lit) -> Range<usize> {
        match self.role_starts.get(lit.index()..lit.index() + 2) {
            Some(bounds) => bounds[0] as usize..bounds[1] as usize,
            None => 0..0,
        }
    }

    pub fn role(&self, number: usize) -> Role {
        self.roles[number]
    }

    pub fn groups(&self, read: ReadId) -> &[Group] {
        let range = &self.groups_of[read.index()];
        &self.groups[range.start as usize..range.end as usize]
    }

    /// The candidates of `read` in `thread`, as a range of candidate numbers.
    pub fn group(&self, read: ReadId, thread: u32) -> Option<Range<u32>> {
        let groups = self.groups(read);
        let found = groups.binary_search_by_key(&thread, |group| group.thread).ok()?;
        Some(groups[found].candidates.clone())
    }

    /// The number of the first candidate in `range` for which `earlier` fails; `earlier` must hold
    /// for a prefix of the range.
    pub fn partition(&self, range: &Range<u32>, earlier: impl Fn(&Candidate) -> bool) -> u32 {
        let slice = &self.candidates[range.start as usize..range.end as usize];
        range.start + slice.partition_point(earlier) as u32
    }

    /// The numbers of the reads of `thread` whose unit lies in `units`, for [`Index::read_at`].
    pub fn reads_in(&self, thread: u32, units: Range<u32>) -> Range<usize> {
        range_of(&self.reads_of[thread as usize], units)
    }

    pub fn read_at(&self, thread: u32, number: usize) -> ReadId {
        self.reads_of[thread as usize][number].1
    }

    /// The numbers of the writes of `thread` whose unit lies in `units`, for [`Index::write_at`].
    pub fn writes_in(&self, thread: u32, units: Range<u32>) -> Range<usize> {
        range_of(&self.writes_of[thread as usize], units)
    }

    pub fn write_at(&self, thread: u32, number: usize) -> WriteId {
        self.writes_of[thread as usize][number].1
    }
}

fn by_thread<Id: Copy + Ord>(
    skeleton: &Skeleton,
    events: &[Event],
    id: impl Fn(u32) -> Id,
) -> Vec<Vec<(u32, Id)>> {
    let mut lists = vec![Vec::new(); skeleton.threads()];
    for (number, event) in (0..).zip(events) {
        lists[event.place.thread as usize].push((event.place.index, id(number)));
    }
    for list in &mut lists {
        list.sort_unstable();
    }
    lists
}

fn range_of<Id>(sorted: &[(u32, Id)], units: Range<u32>) -> Range<usize> {
    let start = sorted.partition_point(|&(unit, _)| unit < units.start);
    start..start + sorted[start..].partition_point(|&(unit, _)| unit < units.end)
}
