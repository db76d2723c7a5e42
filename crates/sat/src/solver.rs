//! CaDiCaL as a value: variables, clauses, assumptions, limits, answers.
//!
//! States: *open* (clauses may be added), *satisfied* and *unsatisfied* after [`Solver::solve`].
//! Adding a variable, a clause or a limit leads back to open. Each call asserts the state it needs.
//! Incremental use: CaDiCaL may eliminate a variable while solving and restores it when a later
//! clause uses it, but cannot observe an eliminated variable. Hence observe a variable before the
//! first solve after its creation, or [`Solver::freeze`] it. `observe` asserts this.
//! Limits: one theory; not `Send` (build a solver in the thread that uses it).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cadical_sys::{CaDiCal, Status, Terminator};

use crate::lit::{Lit, Var};
use crate::propagator::{Adapter, Shared, Theory};

/// The result of [`Solver::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; ask [`Solver::value`].
    Satisfiable,
    /// There is none under the assumptions; ask [`Solver::failed`].
    Unsatisfiable,
    /// The deadline, the stop flag or the conflict limit came first.
    Interrupted,
}

/// A flag that stops a running solver from any thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks every solver with this flag to stop soon.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`StopFlag::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for StopFlag {
    /// A flag that others know as what it is.
    fn from(flag: Arc<AtomicBool>) -> StopFlag {
        StopFlag(flag)
    }
}

/// Sizes and effort of a solver, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Variables made by [`Solver::new_var`].
    pub vars: u64,
    /// Clauses given to [`Solver::add_clause`].
    pub clauses: u64,
    /// Calls of [`Solver::solve`].
    pub solves: u64,
    /// Conflicts met during the search.
    pub conflicts: u64,
    /// Decisions taken during the search.
    pub decisions: u64,
    /// Literals propagated during the search.
    pub propagations: u64,
}

/// What may stop a search, shared with the terminator that CaDiCaL polls.
#[derive(Default)]
struct Limits {
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
}

/// Polled by CaDiCaL while it searches.
struct Watch {
    limits: Rc<RefCell<Limits>>,
    shared: Rc<RefCell<Shared>>,
}

impl Limits {
    fn exceeded(&self) -> bool {
        self.stop.as_ref().is_some_and(StopFlag::is_stopped)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.shared.borrow().panic.is_some() || self.limits.borrow().exceeded()
    }
}

/// An incremental SAT solver with at most one theory.
pub struct Solver {
    cadical: CaDiCal,
    limits: Rc<RefCell<Limits>>,
    /// Shared with the theory's adapter.
    shared: Rc<RefCell<Shared>>,
    theory_connected: bool,
    /// Conflicts allowed in each call of `solve`.
    conflict_limit: Option<u32>,
    /// The number of variables made so far.
    vars: usize,
    /// The number of variables at the last call of `solve`: older ones may be eliminated.
    vars_at_solve: usize,
    /// By variable index: frozen, hence never eliminated.
    frozen: Vec<bool>,
    clauses: u64,
    solves: u64,
    /// The answer of the last `solve` if nothing was added since.
    answer: Option<Answer>,
    /// Translation space for clauses.
    dimacs: Vec<i32>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// An empty solver with default options, whatever the environment says: CaDiCaL reads options
    /// from `CADICAL_*` variables when it is made, so they are set back.
    pub fn new() -> Solver {
        let mut cadical = CaDiCal::new();
        assert!(cadical.configure("default"), "CaDiCaL knows its default configuration");
        // With chronological backtracking the solver keeps literals of lower levels on later parts
        // of its trail and reports them again after every backtrack; a theory then redoes their
        // work.
        assert!(cadical.set("chrono", 0), "CaDiCaL knows this option");
        // Our formulas are small and hard: measured over 122 tasks, search without shrinking of
        // learned clauses and without inprocessing takes 0.89 of the time (geometric mean), and
        // less than half on the hardest refutations.
        for option in ["shrink", "inprocessing"] {
            assert!(cadical.set(option, 0), "CaDiCaL knows this option");
        }
        let limits = Rc::new(RefCell::new(Limits::default()));
        let shared = Rc::new(RefCell::new(Shared::default()));
        cadical.connect_terminator(Watch { limits: limits.clone(), shared: shared.clone() });
        Solver {
            cadical,
            limits,
            shared,
            theory_connected: false,
            conflict_limit: None,
            vars: 0,
            vars_at_solve: 0,
            frozen: Vec::new(),
            clauses: 0,
            solves: 0,
            answer: None,
            dimacs: Vec::new(),
        }
    }

    /// An empty solver for very many searches that end soon: none begins with guesses at whole models,
    /// which take longer than such searches do.
    pub fn for_short_searches() -> Solver {
        let mut solver = Solver::new();
        for option in ["lucky", "walk"] {
            assert!(solver.cadical.set(option, 0), "CaDiCaL knows this option");
        }
        solver
    }

    /// An empty solver that tries false first: for formulas in which most variables say that one of
    /// many things happens.
    pub fn preferring_false() -> Solver {
        let mut solver = Solver::new();
        assert!(solver.cadical.set("phase", 0), "CaDiCaL knows this option");
        solver
    }

    /// A fresh variable. Leaves the solver open.
    pub fn new_var(&mut self) -> Var {
        let var = Var::from_index(self.vars);
        self.vars += 1;
        self.answer = None;
        var
    }

    /// Adds a clause. Needs variables of this solver; leaves it open. The empty clause is false.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.dimacs.clear();
        for &lit in clause {
            self.assert_known(lit);
            self.dimacs.push(lit.to_dimacs());
        }
        self.cadical.clause6(&self.dimacs);
        self.clauses += 1;
        self.answer = None;
    }

    /// Searches for a model in which the assumptions hold. Assumptions last for this call only.
    ///
    /// # Panics
    /// With the theory's panic, if the theory panicked.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        // CaDiCaL polls rarely on easy instances; a deadline that has passed must count at once.
        if self.limits.borrow().exceeded() {
            self.answer = Some(Answer::Interrupted);
            return Answer::Interrupted;
        }
        for &lit in assumptions {
            self.assert_known(lit);
            self.cadical.assume(lit.to_dimacs());
        }
        if let Some(limit) = self.conflict_limit {
            let limit = i32::try_from(limit).unwrap_or(i32::MAX);
            assert!(self.cadical.limit("conflicts", limit), "CaDiCaL knows this limit");
        }
        self.solves += 1;
        self.vars_at_solve = self.vars;
        let status = self.cadical.solve();
        let panic = self.shared.borrow_mut().panic.take();
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        let answer = match status {
            Status::SATISFIABLE => Answer::Satisfiable,
            Status::UNSATISFIABLE => Answer::Unsatisfiable,
            Status::UNKNOWN => Answer::Interrupted,
        };
        self.answer = Some(answer);
        answer
    }

    /// The value of a literal in the model. Needs the state satisfied.
    pub fn value(&mut self, lit: Lit) -> bool {
        self.assert_known(lit);
        assert_eq!(self.answer, Some(Answer::Satisfiable), "values exist only in a model");
        // IPASIR: the result is `lit` itself if it is true.
        self.cadical.val(lit.to_dimacs()) == lit.to_dimacs()
    }

    /// Whether the assumption `lit` was used to refute. Needs the state unsatisfied, and a literal
    /// that was assumed.
    pub fn failed(&mut self, lit: Lit) -> bool {
        self.assert_known(lit);
        assert_eq!(
            self.answer,
            Some(Answer::Unsatisfiable),
            "assumptions fail only in a refutation"
        );
        self.cadical.failed(lit.to_dimacs())
    }

    /// The value that `lit` has in every model, as far as known.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        match self.cadical.fixed(lit.to_dimacs()) {
            0 => None,
            sign => Some(sign > 0),
        }
    }

    /// Connects the theory. Needs a solver without one; observe its variables afterwards.
    pub fn connect(&mut self, theory: Rc<RefCell<dyn Theory>>) {
        assert!(!self.theory_connected, "a solver has at most one theory");
        self.cadical.connect_external_propagator(Adapter::new(theory, self.shared.clone()));
        self.theory_connected = true;
    }

    /// Lets the theory see the assignment of `var`; a second call has no effect. Needs a theory,
    /// and a variable that is frozen or younger than the last solve.
    pub fn observe(&mut self, var: Var) {
        self.assert_known(var.lit());
        assert!(self.theory_connected, "only a theory observes");
        if self.is_observed(var) {
            return;
        }
        assert!(
            var.index() >= self.vars_at_solve || self.is_frozen(var),
            "{var:?} may have been eliminated: observe or freeze it before solving"
        );
        let mut shared = self.shared.borrow_mut();
        if shared.observed.len() <= var.index() {
            shared.observed.resize(self.vars, false);
        }
        shared.observed[var.index()] = true;
        drop(shared);
        self.cadical.add_observed_var(var.lit().to_dimacs());
        self.answer = None;
    }

    /// Whether the theory sees the assignment of `var`.
    pub fn is_observed(&self, var: Var) -> bool {
        self.shared.borrow().is_observed(var.lit())
    }

    /// Keeps `var` from being eliminated, so that it can be observed later. Needs a variable that
    /// is younger than the last solve.
    pub fn freeze(&mut self, var: Var) {
        self.assert_known(var.lit());
        if self.is_frozen(var) || self.is_observed(var) {
            return;
        }
        assert!(var.index() >= self.vars_at_solve, "{var:?} may have been eliminated");
        if self.frozen.len() <= var.index() {
            self.frozen.resize(self.vars, false);
        }
        self.frozen[var.index()] = true;
        self.cadical.freeze(var.lit().to_dimacs());
    }

    /// Makes `lit` the first choice when its variable is decided.
    pub fn prefer(&mut self, lit: Lit) {
        self.assert_known(lit);
        self.cadical.phase(lit.to_dimacs());
    }

    /// Stops later searches at `deadline`.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.limits.borrow_mut().deadline = deadline;
    }

    /// Stops later searches when the flag is set.
    pub fn set_stop_flag(&mut self, stop: StopFlag) {
        self.limits.borrow_mut().stop = Some(stop);
    }

    /// Stops each later search after so many conflicts.
    pub fn set_conflict_limit(&mut self, limit: Option<u32>) {
        self.conflict_limit = limit;
    }

    /// Sizes and effort so far.
    pub fn statistics(&self) -> Statistics {
        let read = |name| u64::try_from(self.cadical.get_statistic_value(name)).unwrap_or(0);
        Statistics {
            vars: self.vars as u64,
            clauses: self.clauses,
            solves: self.solves,
            conflicts: read("conflicts"),
            decisions: read("decisions"),
            propagations: read("propagations"),
        }
    }

    fn is_frozen(&self, var: Var) -> bool {
        self.frozen.get(var.index()).copied().unwrap_or(false)
    }

    fn assert_known(&self, lit: Lit) {
        assert!(lit.var().index() < self.vars, "{lit} is not a literal of this solver");
    }
}
