//! The skeleton as clauses and an order theory: sequential-consistency axioms over reads and
//! writes.
//!
//! For each read piece r and each write piece w that it may see, a literal rf(w, r): it implies
//! that both occur, at equal locations with equal values, and the order theory sees to it that w
//! comes before r with no other write to that location in between. A read that occurs sees some
//! write or the initial value. Initial values are one write each in a unit before everything.
//! Source: paper 004 §5 (axioms SC.1, SC.2, copy constraints) and §6 (pruning). We differ: order is
//! not encoded by integer clocks but left to the theory, so no clause mentions two writes. Which
//! pairs there are to encode is in `candidates.rs`, what mutexes add in `mutexes.rs`, and what counters in
//! `counters.rs`.

use raddle_sat::Lit;
use raddle_summary::{Event, EventKind, Skeleton, ThreadIx};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::Candidate;
use super::mutexes::{self, First, Mutexes, Unsaid};
use super::order::{Order, WriteIx};
use super::{deadlocks, races};
use crate::Budget;
use crate::bounded::before::Unit;
use crate::bounded::cells::{self, Group, Piece};
use crate::bounded::composition::{Composition, Schedule, Shown};
use crate::bounded::facts::Facts;
use crate::bounded::formula::Formula;
use crate::bounded::initial::{self, InitialMemory};
use crate::bounded::scene::Scene;
use crate::bounded::{idle, symmetry};

/// Which optimisations are on.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// May happen in parallel.
    pub mhp: bool,
    /// Killed writes.
    pub kill: bool,
    /// Values that never agree.
    pub value: bool,
    /// Critical sections of one mutex.
    pub locksets: bool,
    /// Critical sections as a whole.
    pub mutexes: bool,
    /// Reads on whose values nothing depends.
    pub idle: bool,
    /// Copies of a thread.
    pub symmetry: bool,
    /// Places that are added to.
    pub counters: bool,
}

/// Sizes, for progress and statistics.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sizes {
    /// Read and write pieces.
    pub pieces: usize,
    /// Reads-from literals.
    pub reads_from: usize,
}

/// A skeleton as a formula with an order.
pub struct Axioms {
    /// The formula and its solver.
    pub order: Box<dyn Order>,
    /// What holds in every execution.
    pub facts: Facts,
    /// What memory holds at the start.
    pub initial: InitialMemory,
    /// Reads that may have any value.
    pub idle: FxHashSet<usize>,
    /// For reads in units of several events: which literal says that it reads from which unit.
    pub sources: FxHashMap<Unit, Vec<(Lit, Unit)>>,
    /// Sizes.
    pub sizes: Sizes,
}

impl Axioms {
    /// What is read from is a unit of the program, and what reads is one of several events.
    fn check_invariants(&self, skeleton: &Skeleton) {
        let exists = |unit: &Unit| unit.1 < skeleton.threads[unit.0.index()].units;
        for (here, sources) in &self.sources {
            debug_assert!(exists(here), "a read is in a unit of its thread");
            debug_assert!(sources.iter().all(|s| exists(&s.1)), "so is a write");
            debug_assert!(here.1 > 0, "the first unit of a thread is its existence");
        }
        let memory = &self.initial;
        debug_assert!(
            memory.assumptions.is_empty() || !memory.cells.is_empty(),
            "assumptions are about cells"
        );
        let links: usize = self.sources.values().map(Vec::len).sum();
        debug_assert!(links <= self.sizes.reads_from, "sources are counted among all pairs");
    }

    /// The order of a model has what always holds, and what is read before who reads it.
    fn check_order(&mut self, order: &[Unit]) {
        let place: FxHashMap<Unit, usize> = order.iter().zip(0..).map(|(&u, i)| (u, i)).collect();
        assert_eq!(place.len(), order.len(), "each unit happens once");
        for (from, to) in &self.facts.before.fixed {
            assert!(place[from] < place[to], "what always comes before comes before");
        }
        for (here, sources) in &self.sources {
            for &(reads_from, source) in sources.iter().filter(|s| s.1 != *here) {
                let seen = self.order.value(reads_from);
                assert!(!seen || place[&source] < place[here], "what is read was written before");
            }
        }
    }
}

impl Composition for Axioms {
    fn formula(&mut self) -> &mut dyn Formula {
        self.order.as_mut()
    }

    fn initial(&self) -> &InitialMemory {
        &self.initial
    }

    fn schedule(&mut self, scene: Scene, shown: Shown) -> Schedule {
        let skeleton = scene.skeleton;
        let last = match shown {
            Shown::Violation(i) => {
                vec![(skeleton.violations[i].thread, skeleton.violations[i].unit)]
            }
            Shown::Cut(i) => vec![(skeleton.cuts[i].thread, skeleton.cuts[i].unit)],
            Shown::Race(a, b) => {
                races::last_units(self, [&skeleton.events[a], &skeleton.events[b]])
            }
            Shown::GlobalDeadlock => vec![deadlocks::time(skeleton, false)],
            Shown::LocalDeadlock => vec![deadlocks::time(skeleton, true)],
        };
        let order = self.order.order();
        let units: u32 = skeleton.threads.iter().map(|t| t.units).sum();
        assert!(order.len() >= units as usize, "the order has all units");
        if cfg!(debug_assertions) {
            self.check_order(&order);
        }
        Schedule::until(scene, order, last)
    }

    fn idle(&self) -> Option<&FxHashSet<usize>> {
        Some(&self.idle)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![("pieces", self.sizes.pieces), ("reads-from pairs", self.sizes.reads_from)]
    }
}

/// Points of the order that belong to no thread of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pseudo {
    /// Before everything: initial values are written here.
    Start,
    /// The time of a global deadlock.
    GlobalDeadlock,
    /// The time of a local deadlock.
    LocalDeadlock,
    /// The ends of contexts.
    Contexts,
}

/// The thread of the order that stands for such points.
pub fn pseudo_thread(skeleton: &Skeleton, what: Pseudo) -> ThreadIx {
    ThreadIx(skeleton.threads.len() as u32 + what as u32)
}

/// The number of units of all threads of the order, if it has so many ends of contexts.
pub fn units(skeleton: &Skeleton, contexts: u32) -> Vec<u32> {
    skeleton.threads.iter().map(|t| t.units).chain([1, 1, 1, contexts]).collect()
}

/// Encodes a skeleton; `None` if the time is up.
pub fn compose(
    scene: Scene,
    terms: &mut Terms,
    pruning: Pruning,
    order: Box<dyn Order>,
    budget: &Budget,
) -> Option<Axioms> {
    let skeleton = scene.skeleton;
    let start = pseudo_thread(skeleton, Pseudo::Start);
    let mut composer = Composer {
        scene,
        skeleton,
        facts: Facts::new(scene, terms),
        initial: InitialMemory::new(scene),
        terms,
        pruning,
        order,
        start: (start, 0),
        initial_writes: FxHashMap::default(),
        sources: FxHashMap::default(),
        mutexes: Mutexes::default(),
        unit_orders: FxHashMap::default(),
        idle: FxHashSet::default(),
        defined: FxHashSet::default(),
        sizes: Sizes::default(),
    };
    composer.edges();
    composer.symmetry();
    let unsaid = composer.find_sections();
    let groups = cells::cut(skeleton, scene.knowledge, composer.terms);
    if pruning.idle {
        composer.idle = idle::find(skeleton, composer.terms, &groups);
    }
    for group in &groups {
        composer.define_by_sections(group);
    }
    composer.order_sections(unsaid);
    if pruning.counters {
        groups.iter().for_each(|group| composer.count(group));
    }
    for group in groups {
        if !composer.group(&group, budget) {
            return None;
        }
    }
    composer.joins();
    let Composer { terms, mut order, facts, initial, .. } = composer;
    for &t in skeleton.assumptions.iter().chain(&initial.assumptions) {
        order.assert_implies(terms, &[], t);
    }
    let (idle, sources, sizes) = (composer.idle, composer.sources, composer.sizes);
    let axioms = Axioms { order, facts, initial, idle, sources, sizes };
    axioms.check_invariants(skeleton);
    Some(axioms)
}

pub(super) struct Composer<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) skeleton: &'a Skeleton,
    pub(super) terms: &'a mut Terms,
    pub(super) facts: Facts,
    pub(super) initial: InitialMemory,
    pub(super) pruning: Pruning,
    pub(super) order: Box<dyn Order>,
    /// The unit before everything.
    start: Unit,
    /// Initial writes of constant locations: address and size.
    initial_writes: FxHashMap<(u64, u32), WriteIx>,
    sources: FxHashMap<Unit, Vec<(Lit, Unit)>>,
    pub(super) mutexes: Mutexes,
    /// The first of two atomic units comes before the second.
    pub(super) unit_orders: FxHashMap<[Unit; 2], Lit>,
    idle: FxHashSet<usize>,
    /// Reads whose values are terms.
    pub(super) defined: FxHashSet<usize>,
    pub(super) sizes: Sizes,
}

/// The position of a piece in its unit: pieces of one access stand apart.
fn position(event: &Event, piece: &Piece) -> u32 {
    assert!(event.bytes <= 16 && piece.first < 16, "an access has at most 16 bytes");
    assert!(event.position < u32::MAX / 16, "there is a number for each");
    event.position * 16 + piece.first + 1
}

impl<'a> Composer<'a> {
    pub(super) fn lit(&mut self, t: TermId) -> Lit {
        self.order.lit(self.terms, t)
    }

    /// Edges between threads.
    fn edges(&mut self) {
        self.order.fixed_edge(self.start, (ThreadIx(0), 0));
        for (from, to) in self.facts.before.fixed.clone() {
            self.order.fixed_edge(from, to);
        }
        for i in self.facts.before.conditional_joins.clone() {
            let mark = &self.skeleton.marks[i];
            let raddle_summary::MarkKind::Join(child) = mark.kind else {
                unreachable!("only joins are conditional")
            };
            debug_assert_ne!(child, mark.thread, "nobody joins itself");
            let end = (child, self.skeleton.threads[child.index()].units - 1);
            let condition = self.lit(mark.guard);
            self.order.guarded_edge(condition, end, (mark.thread, mark.unit));
        }
    }

    /// Copies of a thread begin in the order of their creation.
    fn symmetry(&mut self) {
        if !self.pruning.symmetry {
            return;
        }
        for pair in symmetry::find(
            self.skeleton,
            self.terms,
            self.scene.knowledge,
            &mut self.facts.implication,
        ) {
            let [first, second] = pair.steps.map(|t| self.lit(t));
            self.order.clause(&[!second, first]);
            self.order.guarded_edge(second, pair.units[0], pair.units[1]);
        }
    }

    /// Critical sections, where nobody needs to read words of mutexes.
    fn find_sections(&mut self) -> Option<Unsaid<'a>> {
        let Composer { scene, terms, facts, initial, order, .. } = self;
        let found = || mutexes::find(*scene, terms, facts, initial, order.as_mut());
        let (mutexes, unsaid) = self.pruning.mutexes.then(found)?;
        self.mutexes = mutexes;
        Some(unsaid)
    }

    /// What is said about them. It depends on guards, so values that can be defined come before.
    fn order_sections(&mut self, unsaid: Option<Unsaid>) {
        let Some(unsaid) = unsaid else { return };
        let found = std::mem::take(&mut self.mutexes);
        let Composer { scene, terms, facts, order, .. } = self;
        self.mutexes = mutexes::encode(*scene, terms, facts, order.as_mut(), found, unsaid);
    }

    /// Joins whose thread is found by its number.
    fn joins(&mut self) {
        for join in &self.skeleton.joins {
            let mut some = self.terms.fals();
            for (child, ended) in self.scene.joined(self.terms, join.thread, join.target) {
                let thread = &self.skeleton.threads[child.index()];
                let terms = &mut *self.terms;
                some = terms.or(some, ended);
                let joined = terms.and(join.done, ended);
                let joined = terms.and(joined, join.guard);
                if terms.is_false(joined) {
                    continue;
                }
                let same = terms.eq(join.result, thread.result);
                let condition = self.lit(joined);
                self.order.assert_implies(self.terms, &[condition], same);
                let end = (child, thread.units - 1);
                self.order.guarded_edge(condition, end, (join.thread, join.unit));
            }
            let done = self.lit(join.done);
            self.order.assert_implies(self.terms, &[done], some);
        }
    }

    pub(super) fn event(&self, piece: &Piece) -> &'a Event {
        &self.skeleton.events[piece.event]
    }

    pub(super) fn place(&self, piece: &Piece) -> (Unit, u32) {
        let e = self.event(piece);
        ((e.thread, e.unit), e.position)
    }

    /// The condition under which a write is there for a read. A section that does not complete
    /// takes no step, so nobody else sees its writes; but what it read to find that out it read
    /// after its own writes.
    pub(super) fn occurs_for(&self, read: &Piece, write: &Piece) -> TermId {
        let event = self.event(write);
        if self.place(read).0 == self.place(write).0 { event.reached } else { event.guard }
    }

    /// Whether `a` comes before `b` in every execution.
    pub(super) fn precedes(&self, a: &Piece, b: &Piece) -> bool {
        let ((unit_a, at), (unit_b, bt)) = (self.place(a), self.place(b));
        if unit_a == unit_b { at < bt } else { self.facts.before.is_before(unit_a, unit_b) }
    }

    /// Whether nobody needs to know what a read found, or it follows from the order of sections.
    pub(super) fn is_settled(&self, read: usize) -> bool {
        self.mutexes.settles(read) || self.idle.contains(&read)
    }

    /// Encodes the reads of a group; false if the time is up.
    fn group(&mut self, group: &Group, budget: &Budget) -> bool {
        self.sizes.pieces += group.reads.len() + group.writes.len();
        let mut ids: Vec<Option<WriteIx>> = vec![None; group.writes.len()];
        let overwritten = self.overwritten(group);
        let mut last: FxHashMap<ThreadIx, &Piece> = FxHashMap::default();
        for read in &group.reads {
            if budget.is_over() {
                return false;
            }
            if self.is_settled(read.event) || self.defined.contains(&read.event) {
                continue;
            }
            let (mut candidates, initial) = self.candidates(group, read);
            if self.pruning.locksets {
                self.prune_sections(group, read, &overwritten, &mut candidates);
                let earlier = last.insert(self.event(read).thread, read);
                if let Some(earlier) = earlier
                    && self.read_again(group, earlier, read, &candidates)
                {
                    continue;
                }
            }
            if !self.read(group, read, &candidates, initial, &mut ids, budget) {
                return false;
            }
        }
        true
    }

    /// Links a read with the writes that it may see; no if the budget is over.
    fn read(
        &mut self,
        group: &Group,
        read: &Piece,
        candidates: &[Candidate],
        initial: bool,
        ids: &mut [Option<WriteIx>],
        budget: &Budget,
    ) -> bool {
        let event = self.event(read);
        debug_assert_eq!(event.kind, EventKind::Read, "what reads is a read");
        let occurs = self.lit(event.guard);
        let visible = candidates.iter().filter(|c| c.visible).count() + usize::from(initial);
        if visible == 0 {
            self.order.clause(&[!occurs]);
            return true;
        }
        let here = (event.thread, event.unit);
        let needs_order =
            candidates.len() + usize::from(initial) > 1 || candidates.iter().any(|c| !c.before);
        let id = needs_order.then(|| self.order.read_at(here, position(event, read)));
        let mut some = vec![!occurs];
        // Of each write in another section of a mutex: its section came first, and it is there.
        let mut overwrites: Vec<[Lit; 2]> = Vec::new();
        for c in candidates {
            // The value of each write may be a large circuit.
            if budget.is_over() {
                return false;
            }
            let write = &group.writes[c.write];
            let guard = self.occurs_for(read, write);
            let terms = &mut *self.terms;
            let hit = terms.and(guard, c.same);
            let hits = self.lit(hit);
            let reads_from = c.visible.then(|| {
                self.sizes.reads_from += 1;
                if visible == 1 { occurs } else { self.order.new_lit() }
            });
            if let Some(rf) = reads_from {
                some.push(rf);
                if event.atomic {
                    let from = self.place(write).0;
                    self.sources.entry(here).or_default().push((rf, from));
                }
                self.link(rf, occurs, hits, read, write);
                let after = self.sections_in_order(write, read);
                after.iter().for_each(|after| self.order.clause(&[!rf, after.lit]));
                overwrites.extend(after.into_iter().map(|after| [after.lit, hits]));
            }
            if let Some(id) = id {
                let w = *ids[c.write].get_or_insert_with(|| {
                    let e = &self.skeleton.events[write.event];
                    self.order.write_at((e.thread, e.unit), position(e, write))
                });
                self.order.may_read(id, w, reads_from, hits);
            }
        }
        if initial {
            self.sizes.reads_from += 1;
            let rf = if visible == 1 { occurs } else { self.order.new_lit() };
            some.push(rf);
            self.order.clause(&[!rf, occurs]);
            for [after, hits] in overwrites {
                self.order.clause(&[!rf, !after, !hits]);
            }
            if let Some(id) = id {
                let w = self.initial_write(read);
                let always = self.order.tru();
                self.order.may_read(id, w, Some(rf), always);
            }
            self.initial_contents(rf, read);
        }
        if visible > 1 {
            self.order.clause(&some);
        }
        true
    }

    /// rf → both occur at one location with one value.
    fn link(&mut self, rf: Lit, occurs: Lit, hits: Lit, read: &Piece, write: &Piece) {
        debug_assert_eq!(self.event(write).kind, EventKind::Write, "what is read was written");
        if rf != occurs {
            self.order.clause(&[!rf, occurs]);
        }
        self.order.clause(&[!rf, hits]);
        let equal = self.terms.eq(read.value, write.value);
        self.order.assert_implies(self.terms, &[rf], equal);
    }

    /// What says that the section of a write has ended when that of a read begins.
    pub(super) fn sections_in_order(&mut self, write: &Piece, read: &Piece) -> Vec<First> {
        let (first, second) = (self.event(write), self.event(read));
        self.mutexes.implied(self.terms, &mut self.facts, first, second)
    }

    fn initial_write(&mut self, read: &Piece) -> WriteIx {
        let (start, order) = (self.start, &mut self.order);
        match read.constant {
            Some(at) => *self
                .initial_writes
                .entry((at, read.bytes))
                .or_insert_with(|| order.write_at(start, 0)),
            None => order.write_at(start, 0),
        }
    }

    /// rf → the value is what the location holds at the start.
    fn initial_contents(&mut self, rf: Lit, read: &Piece) {
        let event = self.event(read);
        let contents = initial::contents(self.scene, self.terms, &mut self.initial, event, read);
        for (condition, value) in contents {
            let equal = self.terms.eq(read.value, value);
            let mut premises = vec![rf];
            if !self.terms.is_true(condition) {
                premises.push(self.lit(condition));
            }
            self.order.assert_implies(self.terms, &premises, equal);
        }
    }
}
