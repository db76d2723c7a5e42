//! A total order of all units, by greedy scheduling.
//!
//! Idea: run the threads one unit at a time. A unit may run when all that precedes it has run.
//! While a read is *open* (its source has run, it has not), the next write of each thread that hits
//! it is blocked. Units that open no read are safe to run at once: whatever order works for the
//! rest also works after them, since a write that nobody reads and that blocks on nothing does no
//! harm by being early. The only choice is which write with readers runs next; there we look one
//! step ahead.
//! Invariants: next[t] units of thread t have run; `blocked` has one entry for each open read and
//!   unit that it blocks.
//! Limits: without search; a schedule that gets stuck reports the pair to decide, see `repair.rs`.

use crate::closure::Closure;
use crate::index::CandidateId;
use crate::skeleton::{Place, ReadId};

/// A schedule got stuck: the hider waits for an open read of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuck {
    /// The place of the write that was scheduled.
    pub source: Place,
    /// The place of the write that hits the same read and cannot be scheduled any more.
    pub hider: Place,
}

/// The state of one schedule.
struct Schedule<'a> {
    closure: &'a Closure,
    /// By thread: how many units have run.
    next: Vec<u32>,
    /// By thread: another thread and how many of its units must run first, as last seen. Saves most
    /// checks of whole clocks.
    waits_for: Vec<(u32, u32)>,
    /// By thread: its blocked units, one entry for each open read that blocks. Few at any time.
    blocked: Vec<Vec<u32>>,
    open: Vec<ReadId>,
    order: Vec<Place>,
}

/// Schedules all units, or says which pair of writes stands in the way.
pub(crate) fn linearise(closure: &Closure) -> Result<Vec<Place>, Stuck> {
    let clocks = &closure.graph.clocks;
    let total = (0..clocks.threads()).map(|thread| clocks.length(thread) as usize).sum();
    let mut schedule = Schedule {
        closure,
        next: vec![0; clocks.threads() as usize],
        waits_for: vec![(0, 0); clocks.threads() as usize],
        blocked: vec![Vec::new(); clocks.threads() as usize],
        open: Vec::new(),
        order: Vec::with_capacity(total),
    };
    while schedule.order.len() < total {
        if !schedule.run_safe_units() {
            match schedule.choose() {
                Some(place) => schedule.run(place),
                None => return Err(schedule.stuck()),
            }
        }
    }
    Ok(schedule.order)
}

impl Schedule<'_> {
    /// The next unit of a thread, if all that precedes it has run.
    fn enabled(&mut self, thread: u32) -> Option<Place> {
        let (source, count) = self.waits_for[thread as usize];
        if self.next[source as usize] < count {
            return None;
        }
        let clocks = &self.closure.graph.clocks;
        let place = Place { thread, index: self.next[thread as usize] };
        if place.index >= clocks.length(thread) {
            return None;
        }
        for source in 0..clocks.threads() {
            let count = clocks.reach(place, source);
            if count > self.next[source as usize] {
                self.waits_for[thread as usize] = (source, count);
                return None;
            }
        }
        Some(place)
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.blocked[place.thread as usize].contains(&place.index)
    }

    /// Runs every unit that can run and opens no read; says whether there was one.
    fn run_safe_units(&mut self) -> bool {
        let before = self.order.len();
        for thread in 0..self.closure.graph.clocks.threads() {
            while let Some(place) = self.enabled(thread) {
                if self.is_blocked(place) || self.opens(place).next().is_some() {
                    break;
                }
                self.run(place);
            }
        }
        self.order.len() > before
    }

    /// The reads that a unit opens: those elsewhere that take their value from one of its writes.
    fn opens(&self, place: Place) -> impl Iterator<Item = ReadId> {
        let closure = self.closure;
        let index = &closure.index;
        index
            .writes_in(place.thread, place.index..place.index + 1)
            .flat_map(move |number| closure.readers(index.write_at(place.thread, number)))
            .copied()
            .filter(move |read| closure.reads[read.index()].place != place)
    }

    /// A unit that can run, preferably one that blocks nothing that an open read waits for.
    fn choose(&mut self) -> Option<Place> {
        let mut best = None;
        for thread in 0..self.closure.graph.clocks.threads() {
            let Some(place) = self.enabled(thread) else { continue };
            if self.is_blocked(place) {
                continue;
            }
            let harm = self.harm(place);
            if harm == 0 {
                return Some(place);
            }
            if best.is_none_or(|(least, _)| harm < least) {
                best = Some((harm, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// How many open reads wait for a unit that running `place` would block, and how many of the
    /// reads it opens wait for a blocked unit.
    fn harm(&self, place: Place) -> usize {
        let clocks = &self.closure.graph.clocks;
        let mut harm = 0;
        for read in self.opens(place) {
            let when = self.closure.reads[read.index()].place;
            for hider in self.hiders(read) {
                let waits =
                    |open: &&ReadId| clocks.before(hider, self.closure.reads[open.index()].place);
                harm += self.open.iter().filter(waits).count();
            }
            for (thread, blocked) in (0..).zip(&self.blocked) {
                if !blocked.is_empty() {
                    let needed = clocks.reach(when, thread);
                    harm += blocked.iter().filter(|&&index| index < needed).count();
                }
            }
        }
        harm
    }

    /// The units that a read blocks while it is open: in each thread the first that hits it and has
    /// not run.
    fn hiders(&self, read: ReadId) -> impl Iterator<Item = Place> {
        let index = &self.closure.index;
        let source = self.closure.source(read);
        let when = self.closure.reads[read.index()].place;
        index.groups(read).iter().filter_map(move |group| {
            let next = self.next[group.thread as usize];
            let start = index.partition(&group.candidates, |other| other.event.place.index < next);
            let hits = |&number: &u32| {
                Some(CandidateId(number)) != source
                    && self.closure.is_true(index.candidate(CandidateId(number)).hits)
            };
            let first = (start..group.candidates.end).find(hits)?;
            let place = index.candidate(CandidateId(first)).event.place;
            // What follows the read in its own thread, or shares its unit, waits for it anyway.
            (place.thread != when.thread || place.index < when.index).then_some(place)
        })
    }

    fn run(&mut self, place: Place) {
        self.order.push(place);
        let reads = self.closure.index.reads_in(place.thread, place.index..place.index + 1);
        for number in reads {
            let read = self.closure.index.read_at(place.thread, number);
            if let Some(position) = self.open.iter().position(|&open| open == read) {
                self.open.swap_remove(position);
                self.unblock(read);
            }
        }
        self.next[place.thread as usize] += 1;
        for read in self.opens(place).collect::<Vec<_>>() {
            self.open.push(read);
            self.block(read);
        }
    }

    fn block(&mut self, read: ReadId) {
        for hider in self.hiders(read).collect::<Vec<_>>() {
            self.blocked[hider.thread as usize].push(hider.index);
        }
    }

    /// Undoes [`Schedule::block`]: what the read blocked has not run, so the hiders are the same.
    fn unblock(&mut self, read: ReadId) {
        for hider in self.hiders(read).collect::<Vec<_>>() {
            let blocked = &mut self.blocked[hider.thread as usize];
            let found = blocked.iter().position(|&index| index == hider.index);
            blocked.swap_remove(found.expect("an open read blocks its hiders"));
        }
    }

    /// A blocked unit that could run otherwise, with the source of a read that blocks it.
    fn stuck(&mut self) -> Stuck {
        let hider = (0..self.closure.graph.clocks.threads())
            .find_map(|thread| self.enabled(thread))
            .expect("the graph is acyclic, so some unit could run but for open reads");
        let read = self
            .open
            .iter()
            .find(|&&read| self.hiders(read).any(|place| place == hider))
            .expect("an enabled unit that cannot run is blocked by an open read");
        let source = self.closure.source(*read).expect("an open read has a source");
        Stuck { source: self.closure.index.candidate(source).event.place, hider }
    }
}

/// Checks a total order against the definition: it extends all edges, and each read with a source
/// sees it.
pub(crate) fn check_order(closure: &Closure, order: &[Place]) {
    let clocks = &closure.graph.clocks;
    let mut time: Vec<Vec<usize>> = (0..clocks.threads())
        .map(|thread| vec![usize::MAX; clocks.length(thread) as usize])
        .collect();
    for (when, place) in order.iter().enumerate() {
        time[place.thread as usize][place.index as usize] = when;
    }
    let at = |place: Place| time[place.thread as usize][place.index as usize];
    for row in &time {
        assert!(
            row.is_sorted() && row.iter().all(|&when| when != usize::MAX),
            "program order holds"
        );
    }
    for edge in closure.graph.edges() {
        assert!(at(edge.from) < at(edge.to), "edges hold");
    }
    for &read in closure.active() {
        let when = closure.reads[read.index()];
        let source = closure.source(read).expect("an active read has a source");
        let written = closure.index.candidate(source).event;
        let key = |event: crate::skeleton::Event| (at(event.place), event.position);
        assert!(key(written) < key(when), "a source comes first");
        for number in closure.index.groups(read).iter().flat_map(|group| group.candidates.clone()) {
            let hider = closure.index.candidate(CandidateId(number));
            if number != source.0 && closure.is_true(hider.hits) {
                let between = key(written) < key(hider.event) && key(hider.event) < key(when);
                assert!(!between, "no other write comes between");
            }
        }
    }
}
