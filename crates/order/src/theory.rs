//! The order theory as a propagator of the SAT solver.
//!
//! Idea: literals come in trail order; each is handed to the closure, which adds edges and
//! saturates. A clash becomes a conflict clause. Backtracking undoes edges in stack order. A full
//! assignment is decided by `repair.rs`; what that finds too hard gets a *spare* variable that says
//! which of two units comes first, so that the solver can branch on it and learn about it. Spares
//! exist before the search, without meaning.
//! Invariants: (1) without a conflict every literal of the trail has been handed to the closure;
//!   (2) a conflict's literals are all true; it is kept until one of them is unassigned; (3) a
//!   bound spare that is assigned has its edge in the graph, unless there is a conflict.
//! Limits: when the spares run out, the model is let through and `needs_spares` is set;
//!   [`crate::solve`] makes more and solves again. So never trust an answer of the bare solver.

use std::collections::HashMap;

use raddle_sat::{Lit, ModelCheck, Theory, Var};
use rustc_hash::FxBuildHasher;

use crate::closure::{Closure, Mark};
use crate::graph::{Cause, Graph};
use crate::linearise::check_order;
use crate::repair::{Verdict, decide};
use crate::skeleton::{Event, GuardedEdge, MayRead, Place, ReadId, Skeleton, UnitId, WriteId};

/// What the theory tells the solver besides conflicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Propagation {
    /// Nothing.
    ConflictsOnly,
    /// Sources that the order rules out.
    Sources,
}

/// How the theory works. The default is chosen by measurement (`benches/scaling.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What to propagate.
    pub propagation: Propagation,
    /// Clashes allowed in the search over write orders for one full assignment.
    pub repair_budget: usize,
    /// The spare variables made at first. Free variables cost a decision each in every full
    /// assignment.
    pub first_spares: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { propagation: Propagation::Sources, repair_budget: 64, first_spares: 16 }
    }
}

/// Effort of the theory, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OrderStatistics {
    /// Conflict clauses found while literals were assigned.
    pub conflicts: u64,
    /// Sources ruled out and told to the solver.
    pub propagations: u64,
    /// Full assignments that were checked.
    pub models: u64,
    /// Full assignments that were refuted.
    pub refuted_models: u64,
    /// Spare variables that got a meaning.
    pub spares_used: u64,
}

/// Where a level starts.
#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    late: usize,
    mark: Mark,
}

/// Sequential consistency of a skeleton of events.
///
/// Threads are chains of units. The theory holds if there is a total order of all units that
/// extends the chains, the fixed edges and the guarded edges whose condition is true, and in which
/// each read with a true `reads_from` literal sees that write: it comes first, and no other write
/// whose `hits` literal is true lies between. Events of one unit are ordered by position.
///
/// The caller adds clauses so that some `reads_from` literal holds for each read that occurs, and
/// none for the others, and that `reads_from` implies `hits`. The theory itself forbids two sources
/// of one read. Parts may be added between calls of [`crate::solve`], but not units.
#[derive(Debug)]
pub struct OrderTheory {
    skeleton: Skeleton,
    /// The order by program order and fixed edges alone.
    always: Graph,
    settings: Settings,
    closure: Closure,
    /// The skeleton has grown since `closure` was built.
    stale: bool,
    pub(crate) connected: bool,
    /// By literal index: whether it is on the trail.
    on_trail: Vec<bool>,
    trail: Vec<Lit>,
    /// How much of the trail the closure has seen.
    head: usize,
    /// The open levels above level 0.
    levels: Vec<Level>,
    /// True literals that contradict each other.
    conflict: Option<Vec<Lit>>,
    /// The solver has been told of the conflict.
    conflict_given: bool,
    /// Variables for pairs that the search must order; the first `bound` ones have a meaning.
    spares: Vec<Var>,
    bound: usize,
    /// What the literals of bound spares mean.
    spare_edges: HashMap<Lit, (Place, Place), FxBuildHasher>,
    /// Spare literals whose edge was added later than they were assigned, in order.
    late: Vec<Lit>,
    /// Spare literals that are assigned but whose edge is missing.
    missing: Vec<Lit>,
    needs_spares: bool,
    linearisation: Vec<UnitId>,
    statistics: OrderStatistics,
}

impl OrderTheory {
    /// A theory with so many units in each thread and nothing else.
    pub fn new(units_per_thread: &[u32]) -> OrderTheory {
        OrderTheory::with_settings(units_per_thread, Settings::default())
    }

    /// The same with other than default settings.
    pub fn with_settings(units_per_thread: &[u32], settings: Settings) -> OrderTheory {
        let skeleton = Skeleton::new(units_per_thread);
        OrderTheory {
            always: Graph::new(&skeleton),
            skeleton,
            settings,
            closure: Closure::default(),
            stale: true,
            connected: false,
            on_trail: Vec::new(),
            trail: Vec::new(),
            head: 0,
            levels: Vec::new(),
            conflict: None,
            conflict_given: false,
            spares: Vec::new(),
            bound: 0,
            spare_edges: HashMap::default(),
            late: Vec::new(),
            missing: Vec::new(),
            needs_spares: false,
            linearisation: Vec::new(),
            statistics: OrderStatistics::default(),
        }
    }

    /// The unit at `index` in the chain of `thread`.
    pub fn unit(&self, thread: usize, index: u32) -> UnitId {
        self.skeleton.unit(thread, index)
    }

    /// The thread of a unit and its index in the thread's chain.
    pub fn place(&self, unit: UnitId) -> (usize, u32) {
        let place = self.skeleton.place(unit);
        (place.thread as usize, place.index)
    }

    /// `a` precedes `b` in every order.
    pub fn fixed_edge(&mut self, a: UnitId, b: UnitId) {
        let (a, b) = (self.skeleton.place(a), self.skeleton.place(b));
        self.skeleton.fixed.push((a, b));
        self.stale = true;
        // A cycle of fixed edges is left to the search, which then finds no order at all.
        if a.thread != b.thread
            && !self.always.clocks.before(a, b)
            && !self.always.clocks.before(b, a)
        {
            self.always.insert(a, b, Cause::Fixed, &[], &mut Vec::new());
        }
    }

    /// Whether `a` precedes `b` in every order, by program order and the fixed edges given so far.
    /// For callers that leave out candidates which can never be seen.
    pub fn always_before(&self, a: UnitId, b: UnitId) -> bool {
        self.always.clocks.before(self.skeleton.place(a), self.skeleton.place(b))
    }

    /// `a` precedes `b` if `condition` is true.
    pub fn guarded_edge(&mut self, condition: Lit, a: UnitId, b: UnitId) {
        let (from, to) = (self.skeleton.place(a), self.skeleton.place(b));
        self.skeleton.guarded.push(GuardedEdge { condition, from, to });
        self.stale = true;
    }

    /// A write that is the only event of its unit, or the first.
    pub fn write(&mut self, unit: UnitId) -> WriteId {
        self.write_at(unit, 0)
    }

    /// A write at a position of its unit. Writes that hit the same read need different positions.
    pub fn write_at(&mut self, unit: UnitId, position: u32) -> WriteId {
        let id =
            WriteId(u32::try_from(self.skeleton.writes.len()).expect("fewer than 2^32 writes"));
        self.skeleton.writes.push(Event { place: self.skeleton.place(unit), position });
        self.stale = true;
        id
    }

    /// A read that is the only event of its unit, or the first.
    pub fn read(&mut self, unit: UnitId) -> ReadId {
        self.read_at(unit, 0)
    }

    /// A read at a position of its unit. Writes at the same position do not precede it.
    pub fn read_at(&mut self, unit: UnitId, position: u32) -> ReadId {
        let id = ReadId(u32::try_from(self.skeleton.reads.len()).expect("fewer than 2^32 reads"));
        self.skeleton.reads.push(Event { place: self.skeleton.place(unit), position });
        self.stale = true;
        id
    }

    /// `write` may be seen by `read` (then `reads_from` says that it is), or may hide other writes
    /// from it: `hits` says that it occurs and writes where `read` reads. At most one call for each
    /// pair.
    pub fn may_read(&mut self, read: ReadId, write: WriteId, reads_from: Option<Lit>, hits: Lit) {
        self.skeleton.may_read.push(MayRead { read, write, reads_from, hits });
        self.stale = true;
    }

    /// All variables that the theory must see, with repetitions.
    pub fn observed(&self) -> impl Iterator<Item = Var> {
        self.skeleton.literals().map(Lit::var).chain(self.spares.iter().copied())
    }

    /// A total order of all units for the model of the last [`crate::solve`] that found one.
    pub fn linearisation(&self) -> Vec<UnitId> {
        self.linearisation.clone()
    }

    /// Effort so far.
    pub fn statistics(&self) -> OrderStatistics {
        self.statistics
    }

    pub(crate) fn needs_spares(&self) -> bool {
        self.needs_spares
    }

    #[cfg(test)]
    pub(crate) fn clocks(&self) -> &crate::clock::Clocks {
        &self.closure.graph.clocks
    }

    /// How many spares to add next.
    pub(crate) fn more_spares(&self) -> usize {
        self.spares.len().max(self.settings.first_spares).max(1)
    }

    pub(crate) fn add_spares(&mut self, vars: impl IntoIterator<Item = Var>) {
        self.spares.extend(vars);
        self.needs_spares = false;
        self.stale = true;
    }

    /// Builds the closure anew if the skeleton has grown. Literals assigned so far are replayed:
    /// the solver does not repeat those of level 0. Says whether there was anything to do.
    pub(crate) fn prepare(&mut self) -> bool {
        if !self.stale {
            return false;
        }
        self.stale = false;
        let vars = self.observed().map(|var| var.index() + 1).max().unwrap_or(0);
        self.on_trail.resize(2 * vars, false);
        let propagate = self.settings.propagation == Propagation::Sources;
        self.closure = Closure::new(&self.skeleton, 2 * vars, propagate);
        self.conflict = None;
        self.conflict_given = false;
        self.head = 0;
        self.late.clear();
        self.missing.clear();
        for number in 0..self.skeleton.fixed.len() {
            let (from, to) = self.skeleton.fixed[number];
            if let Err(clash) = self.closure.assert_edge(from, to, Cause::Fixed) {
                self.conflict = Some(clash.lits);
                break;
            }
        }
        if propagate {
            self.closure.exclude_later_in_thread();
        }
        let trail = std::mem::take(&mut self.trail);
        let levels = std::mem::take(&mut self.levels);
        let starts = levels.iter().map(|level| level.trail).chain([trail.len()]);
        let mut done = 0;
        for (number, start) in starts.enumerate() {
            self.trail.extend_from_slice(&trail[done..start]);
            self.process();
            done = start;
            if number < levels.len() {
                self.open_level();
            }
        }
        self.check_invariants();
        true
    }

    fn open_level(&mut self) {
        let mark = self.closure.mark();
        self.levels.push(Level { trail: self.trail.len(), late: self.late.len(), mark });
    }

    /// Hands to the closure what it has not seen, up to the first conflict.
    fn process(&mut self) {
        while self.conflict.is_none() {
            let result = if let Some(lit) = self.missing.pop() {
                self.add_late_edge(lit)
            } else if self.head < self.trail.len() {
                let lit = self.trail[self.head];
                self.head += 1;
                self.closure.set_truth(lit, true);
                let edge = self.spare_edges.get(&lit).copied();
                self.closure.assert_lit(lit).and_then(|()| match edge {
                    Some((from, to)) => self.closure.assert_edge(from, to, Cause::Literal(lit)),
                    None => Ok(()),
                })
            } else {
                break;
            };
            if let Err(clash) = result {
                debug_assert!(clash.tentative.is_empty(), "nothing is tentative during the search");
                self.statistics.conflicts += 1;
                self.conflict = Some(clash.lits);
            }
        }
    }

    /// Adds the edge of a spare literal that was assigned earlier.
    fn add_late_edge(&mut self, lit: Lit) -> Result<(), crate::explain::Clash> {
        let (from, to) = self.spare_edges[&lit];
        self.late.push(lit);
        self.closure.assert_edge(from, to, Cause::Literal(lit))
    }

    /// Gives the next spare the meaning "true: `a` before `b`; false: `b` before `a`" and adds the
    /// edge for its present value. False if there is no spare.
    fn bind_spare(&mut self, a: Place, b: Place) -> bool {
        let Some(&var) = self.spares.get(self.bound) else { return false };
        self.bound += 1;
        self.statistics.spares_used += 1;
        self.spare_edges.insert(var.lit(), (a, b));
        self.spare_edges.insert(!var.lit(), (b, a));
        let lit = if self.on_trail[var.lit().index()] { var.lit() } else { !var.lit() };
        assert!(self.on_trail[lit.index()], "a full assignment assigns the spares");
        self.missing.push(lit);
        self.process();
        true
    }

    fn write_conflict(&self, clause: &mut Vec<Lit>) {
        let conflict = self.conflict.as_ref().expect("there is a conflict to tell");
        clause.extend(conflict.iter().map(|&lit| !lit));
    }

    /// Checks the invariants of the header; the costly ones on small skeletons only. Debug builds
    /// only.
    fn check_invariants(&self) {
        if !cfg!(debug_assertions) {
            return;
        }
        match &self.conflict {
            Some(lits) => {
                assert!(lits.iter().all(|&lit| self.on_trail[lit.index()]), "invariant (2)")
            }
            None => {
                assert!(self.head == self.trail.len() && self.missing.is_empty(), "invariant (1)");
                if self.skeleton.units() <= 24 {
                    self.closure.check_saturated();
                    for (&lit, &(from, to)) in &self.spare_edges {
                        let holds = self.closure.graph.clocks.before(from, to);
                        assert!(!self.on_trail[lit.index()] || holds, "invariant (3)");
                    }
                }
            }
        }
    }
}

impl Theory for OrderTheory {
    fn assigned(&mut self, lits: &[Lit]) {
        // The solver also calls between searches, when clauses are added; a stale closure goes on
        // meanwhile.
        for &lit in lits {
            debug_assert!(
                !self.on_trail[(!lit).index()],
                "{lit} is not assigned against its value"
            );
            if !std::mem::replace(&mut self.on_trail[lit.index()], true) {
                self.trail.push(lit);
            }
        }
        self.process();
        self.check_invariants();
    }

    fn new_level(&mut self) {
        self.open_level();
    }

    fn backtrack(&mut self, level: usize) {
        let start = self.levels[level];
        self.levels.truncate(level);
        for lit in self.trail.drain(start.trail..) {
            self.on_trail[lit.index()] = false;
            self.closure.set_truth(lit, false);
        }
        self.head = self.head.min(self.trail.len());
        self.closure.undo_to(start.mark);
        self.missing.extend(self.late.drain(start.late..));
        self.missing.retain(|&lit| self.on_trail[lit.index()]);
        if let Some(lits) = &self.conflict
            && !lits.iter().all(|&lit| self.on_trail[lit.index()])
        {
            self.conflict = None;
            self.conflict_given = false;
        }
        self.process();
        self.check_invariants();
    }

    fn clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let offer = self.conflict.is_some() && !self.conflict_given;
        if offer {
            self.conflict_given = true;
            self.write_conflict(clause);
        }
        offer
    }

    fn check_model(&mut self, clause: &mut Vec<Lit>) -> ModelCheck {
        assert!(!self.stale, "the skeleton has grown: solve through `raddle_order::solve`");
        self.statistics.models += 1;
        while self.conflict.is_none() {
            match decide(&mut self.closure, self.settings.repair_budget) {
                Verdict::Order(order) => {
                    if cfg!(debug_assertions) {
                        check_order(&self.closure, &order);
                    }
                    self.linearisation =
                        order.into_iter().map(|place| self.skeleton.unit_at(place)).collect();
                    return ModelCheck::Accept;
                }
                Verdict::Clash(clash) => self.conflict = Some(clash.lits),
                Verdict::Open(a, b) => {
                    if !self.bind_spare(a, b) {
                        self.needs_spares = true;
                        return ModelCheck::Accept;
                    }
                }
            }
        }
        self.statistics.refuted_models += 1;
        self.conflict_given = true;
        self.write_conflict(clause);
        self.check_invariants();
        ModelCheck::Reject
    }

    fn propagate(&mut self) -> Option<Lit> {
        if self.conflict.is_some() {
            return None;
        }
        while let Some(reads_from) = self.closure.exclusions.next() {
            // A source that is true and ruled out is a conflict, which the closure has found.
            debug_assert!(!self.on_trail[reads_from.index()], "no true source is ruled out");
            if !self.on_trail[(!reads_from).index()] {
                self.statistics.propagations += 1;
                return Some(!reads_from);
            }
        }
        None
    }

    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let clash = self.closure.why_excluded(!lit);
        clause.push(lit);
        clause.extend(clash.lits.iter().map(|&lit| !lit));
    }

    fn decide(&mut self) -> Option<Lit> {
        None
    }

    fn forgettable(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_edges_order_units_transitively() {
        let mut theory = OrderTheory::new(&[2, 3, 1]);
        let unit = |thread, index| Skeleton::new(&[2, 3, 1]).unit(thread, index);
        theory.fixed_edge(unit(0, 1), unit(1, 1));
        theory.fixed_edge(unit(1, 2), unit(2, 0));
        for (a, b, expected) in [
            ((0, 0), (0, 1), true),
            ((0, 0), (2, 0), true),
            ((0, 1), (1, 0), false),
            ((1, 0), (0, 1), false),
            ((1, 0), (2, 0), true),
            ((2, 0), (0, 0), false),
            ((0, 0), (0, 0), false),
        ] {
            assert_eq!(
                theory.always_before(unit(a.0, a.1), unit(b.0, b.1)),
                expected,
                "{a:?} {b:?}"
            );
        }
    }

    #[test]
    fn a_spare_bound_late_keeps_its_edge_while_it_is_assigned() {
        let mut theory = OrderTheory::new(&[1, 1]);
        let (spare, other) = (Var::from_index(0), Var::from_index(1));
        theory.add_spares([spare, other]);
        theory.prepare();
        let (a, b) = (Place { thread: 0, index: 0 }, Place { thread: 1, index: 0 });
        let holds =
            |theory: &OrderTheory| (theory.clocks().before(a, b), theory.clocks().before(b, a));
        theory.new_level();
        theory.assigned(&[!spare.lit()]);
        theory.new_level();
        theory.assigned(&[other.lit()]);
        assert_eq!(holds(&theory), (false, false));
        assert!(theory.bind_spare(a, b));
        assert_eq!(holds(&theory), (false, true));
        theory.backtrack(1);
        assert_eq!(holds(&theory), (false, true), "the spare is still assigned");
        theory.backtrack(0);
        assert_eq!(holds(&theory), (false, false));
        theory.assigned(&[spare.lit()]);
        assert_eq!(holds(&theory), (true, false), "now the meaning is known in time");
    }
}
