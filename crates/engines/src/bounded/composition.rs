//! What an engine on summaries makes of a summarised program: a formula, and what its models mean.
//!
//! An engine links the reads and writes of threads in its own way ([`Composer::compose`]), gives a
//! literal to each thing that can go wrong ([`Goals`]), and says in which order the units of
//! threads happen in a model ([`Composition::schedule`]). Everything else is shared: which accesses
//! may race and when threads are stuck, the search for all findings, replay, deepening.

use raddle_ir::Place;
use raddle_sat::Lit;
use raddle_term::Terms;
use rustc_hash::FxHashSet;

use super::before::Unit;
use super::deadlocks;
use super::formula::Formula;
use super::initial::InitialMemory;
use super::races;
use super::scene::Scene;
use crate::{Budget, Cut, SwitchSet, Task};

/// A way to compose threads.
pub trait Composer {
    /// Encodes a summarised program within the present bound of this engine.
    fn compose(&mut self, job: &Job, terms: &mut Terms) -> Result<Composed, Stop>;
    /// A bound of the engine itself that every answer is subject to, since nothing asks whether
    /// executions go beyond it.
    fn bound(&self) -> Option<Cut>;
    /// Some execution goes [`Beyond`] the engine's own bound: a larger one is taken. False if the
    /// user has fixed it.
    fn deepen(&mut self) -> bool;
    /// The optimisations that are switched off.
    fn without(&self) -> &SwitchSet;
}

/// What is to be composed, and until when.
pub struct Job<'a> {
    /// What the user asked.
    pub task: &'a Task<'a>,
    /// The summarised program.
    pub scene: Scene<'a>,
    /// When to give up.
    pub budget: &'a Budget,
}

/// Why there is no formula.
pub enum Stop {
    /// The time is up.
    Time,
    /// An SMT solver cannot be used.
    Solver(String),
    /// The formula would be too large.
    Large {
        /// Its clauses, roughly.
        clauses: u64,
        /// An access that takes many of them.
        place: Place,
    },
}

/// A formula and what can be asked about it.
pub struct Composed {
    /// The formula.
    pub composition: Box<dyn Composition>,
    /// The questions.
    pub goals: Goals,
    /// The number of context switches is bounded, so replay must not add any.
    pub strict: bool,
}

/// A formula whose models are executions.
pub trait Composition {
    /// The formula.
    fn formula(&mut self) -> &mut dyn Formula;
    /// What memory holds at the start, where the program leaves it open.
    fn initial(&self) -> &InitialMemory;
    /// The order of units in the last model, which shows this.
    fn schedule(&mut self, scene: Scene, shown: Shown) -> Schedule;
    /// The reads whose values the formula leaves open, because nothing depends on them; none if it
    /// says something about all.
    fn idle(&self) -> Option<&FxHashSet<usize>>;
    /// Sizes of the encoding, by name.
    fn sizes(&self) -> Vec<(&'static str, usize)>;
}

/// Literals that imply that something happens within the bounds of the engine.
#[derive(Default)]
pub struct Goals {
    /// For each violation of the skeleton.
    pub violations: Vec<Lit>,
    /// For each cut of the skeleton.
    pub cuts: Vec<Lit>,
    /// Pairs of accesses, if races are looked for.
    pub races: Vec<races::Goal>,
    /// Kinds of deadlocks, if they are looked for; those of a few threads come first.
    pub deadlocks: Vec<deadlocks::Goal>,
    /// The engine's own bound, if it can be asked about.
    pub beyond: Option<Beyond>,
}

impl Goals {
    /// Each thing of the skeleton that can be found is a goal, once.
    pub fn check_invariants(&self, scene: Scene) {
        let Scene { program, skeleton, .. } = scene;
        assert_eq!(self.violations.len(), skeleton.violations.len(), "each violation is a goal");
        assert_eq!(self.cuts.len(), skeleton.cuts.len(), "each cut is a goal");
        for race in &self.races {
            let (a, b) = (&skeleton.events[race.first], &skeleton.events[race.second]);
            assert!(race.first < race.second, "a pair is mentioned once");
            assert_ne!(a.thread, b.thread, "a thread does not race with itself");
            assert!(!a.hidden && !b.hidden, "hidden accesses never race");
        }
        assert!(
            self.races.is_empty() || program.checked.contains(raddle_ir::Property::Races),
            "races are looked for only if they are asked for"
        );
        assert_eq!(self.deadlocks.is_empty(), skeleton.waits.is_empty(), "waits may deadlock");
        for goal in &self.deadlocks {
            let mut waits = goal.points.iter().map(|p| &skeleton.waits[p.wait]);
            let locks =
                |w: &raddle_summary::Wait| matches!(w.kind, raddle_summary::WaitKind::Lock(_));
            assert!(!goal.local || waits.all(locks), "a local deadlock is one of locks");
        }
    }
}

/// Whether a bound of the engine itself leaves something out.
#[derive(Clone, Copy, Debug)]
pub struct Beyond {
    /// Holds in some model if some execution goes beyond the bound.
    pub lit: Lit,
    /// What is left out then.
    pub cut: Cut,
}

/// What a model shows; numbers are places in the skeleton's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A violation.
    Violation(usize),
    /// Two accesses that race.
    Race(usize, usize),
    /// A deadlock of all threads.
    GlobalDeadlock,
    /// A deadlock of a few threads.
    LocalDeadlock,
    /// A place where a bound cuts executions off.
    Cut(usize),
}

/// An order of units, and the part of it that is the execution.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Units of threads. **Invariant:** those of one thread in program order, none twice.
    pub order: Vec<Unit>,
    /// So many units are executed; what follows is a continuation that nobody looks at.
    pub length: usize,
    /// The units after which it ends. An atomic section among them need not be complete: it is the
    /// one that goes wrong.
    pub last: Vec<Unit>,
}

impl Schedule {
    /// An order that is executed until each of these units was. Units of other threads than those
    /// of the program are points in time only.
    pub fn until(scene: Scene, order: Vec<Unit>, last: Vec<Unit>) -> Schedule {
        let end = order.iter().rposition(|u| last.contains(u));
        let end = end.expect("an execution ends with units of the order");
        let is_thread = |u: &Unit| u.0.index() < scene.skeleton.threads.len();
        let length = order[..=end].iter().filter(|u| is_thread(u)).count();
        let order: Vec<Unit> = order.into_iter().filter(is_thread).collect();
        let schedule = Schedule { order, length, last };
        debug_assert_eq!(schedule.check_invariants(scene), Ok(()));
        schedule
    }

    /// Whether the order is one of units of the threads, in program order, and what the execution
    /// ends with is executed.
    pub fn check_invariants(&self, scene: Scene) -> Result<(), String> {
        let mut next = vec![0; scene.skeleton.threads.len()];
        for &(thread, unit) in &self.order {
            let units = scene.skeleton.threads[thread.index()].units;
            if unit < next[thread.index()] || unit >= units {
                return Err(format!("unit {unit} of thread {} is out of order", thread.0));
            }
            next[thread.index()] = unit + 1;
        }
        let Some(executed) = self.order.get(..self.length) else {
            return Err("an execution is longer than its order".into());
        };
        // Units of other threads than those of the program are points in time.
        let mut last = self.last.iter().filter(|u| u.0.index() < next.len());
        match last.find(|unit| !executed.contains(unit)) {
            Some((thread, unit)) => {
                Err(format!("an execution ends with unit {unit} of thread {} left out", thread.0))
            }
            None => Ok(()),
        }
    }
}
