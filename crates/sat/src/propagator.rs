//! Theories inside the SAT solver: the trait they implement and the adapter CaDiCaL calls.
//!
//! Idea: CaDiCaL's `ExternalPropagator` (Fazekas et al., "IPASIR-UP", SAT 2023) hands clauses over
//! literal by literal and aborts the process on any mistake. The adapter turns this into whole
//! clauses and checks the contract in Rust, where a mistake is an ordinary panic.
//! Invariants: (1) every literal that crosses towards the solver is over an observed variable;
//!   (2) a rejected model is followed by a clause; (3) levels seen by the theory are stack-like.
//! Panics: unwinding must not cross the solver's frames. A panic of the theory is caught, the
//!   search is stopped, and [`crate::Solver::solve`] raises it again.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use cadical_sys::ExternalPropagator;

use crate::lit::Lit;

/// What a theory says of a full assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModelCheck {
    /// The assignment is consistent with the theory.
    Accept,
    /// It is not; the clause given along is violated by the assignment.
    Reject,
}

/// A theory that watches the solver's assignment and forbids what is inconsistent with it.
///
/// The solver keeps a stack of levels. Level 0 is open from the start and is never left. Calls come
/// only while [`crate::Solver::solve`] runs. All literals, in both directions, are over observed
/// variables ([`crate::Solver::observe`]).
pub trait Theory {
    /// `lits` became true on the current level, in this order. Literals true on level 0 may be
    /// reported again, on any level; no literal is reported while its negation is true.
    fn assigned(&mut self, lits: &[Lit]);

    /// A new level is open; what is assigned from now on belongs to it.
    fn new_level(&mut self);

    /// All levels above `level` are closed and their literals are unassigned again. `level` is less
    /// than the number of open levels. A literal that the solver keeps although it was reported on
    /// a closed level is reported again.
    fn backtrack(&mut self, level: usize);

    /// Offers a clause that follows from the theory: writes its literals to `clause`, which is
    /// empty before, and returns true. Called when the solver has propagated all it can. A clause
    /// that is false under the current assignment is a conflict; the theory may go on offering
    /// clauses. A pending conflict that has not been asked for must survive until one of its
    /// literals is unassigned.
    fn clause(&mut self, clause: &mut Vec<Lit>) -> bool;

    /// All observed variables are assigned. `Reject` comes with a clause of the theory, in
    /// `clause`, that is false under this assignment.
    fn check_model(&mut self, clause: &mut Vec<Lit>) -> ModelCheck;

    /// A literal that follows from the current assignment, or `None`. Asked before
    /// [`Theory::clause`].
    fn propagate(&mut self) -> Option<Lit>;

    /// The reason of an earlier propagation of `lit` that is still on the trail: a clause with
    /// `lit` whose other literals were false when `lit` was propagated.
    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>);

    /// An unassigned observed literal to decide next, or `None` to leave the choice to the solver.
    fn decide(&mut self) -> Option<Lit>;

    /// Whether the solver may forget clauses and reasons; the theory must be able to give them
    /// again.
    fn forgettable(&self) -> bool;
}

/// What the adapter shares with the solver that owns it.
#[derive(Default)]
pub(crate) struct Shared {
    /// By variable index: whether the theory observes it.
    pub observed: Vec<bool>,
    /// A panic of the theory, raised again when the solver has returned.
    pub panic: Option<Box<dyn Any + Send>>,
}

impl Shared {
    pub(crate) fn is_observed(&self, lit: Lit) -> bool {
        self.observed.get(lit.var().index()).copied().unwrap_or(false)
    }
}

/// A clause on its way to the solver, literal by literal.
#[derive(Default)]
struct Outgoing {
    lits: Vec<Lit>,
    next: usize,
}

impl Outgoing {
    fn restart(&mut self) -> &mut Vec<Lit> {
        self.lits.clear();
        self.next = 0;
        &mut self.lits
    }

    /// The next literal, or 0 once at the end.
    fn take(&mut self) -> i32 {
        let lit = self.lits.get(self.next).map_or(0, |lit| lit.to_dimacs());
        self.next += 1;
        lit
    }
}

/// Translates the solver's callbacks into calls of a [`Theory`].
pub(crate) struct Adapter {
    theory: Rc<RefCell<dyn Theory>>,
    shared: Rc<RefCell<Shared>>,
    /// The conflict or lemma being handed over.
    clause: Outgoing,
    /// `clause` holds a clause that the solver has not asked for yet.
    clause_ready: bool,
    /// The reason being handed over.
    reason: Outgoing,
    /// The literal whose reason is being handed over.
    reason_of: Option<Lit>,
    /// The open levels above level 0.
    levels: usize,
    /// Translation space for notifications.
    batch: Vec<Lit>,
}

impl Adapter {
    pub(crate) fn new(theory: Rc<RefCell<dyn Theory>>, shared: Rc<RefCell<Shared>>) -> Adapter {
        Adapter {
            theory,
            shared,
            clause: Outgoing::default(),
            clause_ready: false,
            reason: Outgoing::default(),
            reason_of: None,
            levels: 0,
            batch: Vec::new(),
        }
    }

    /// Runs `call`, unless the theory has panicked before; a panic gives `neutral`.
    fn guard<R>(&mut self, neutral: R, call: impl FnOnce(&mut Adapter) -> R) -> R {
        if self.shared.borrow().panic.is_some() {
            return neutral;
        }
        match catch_unwind(AssertUnwindSafe(|| call(self))) {
            Ok(result) => result,
            Err(panic) => {
                self.shared.borrow_mut().panic = Some(panic);
                neutral
            }
        }
    }

    fn assert_observed(&self, lits: &[Lit]) {
        let shared = self.shared.borrow();
        for &lit in lits {
            assert!(shared.is_observed(lit), "the theory used {lit}, which it does not observe");
        }
    }
}

impl ExternalPropagator for Adapter {
    fn is_lazy(&mut self) -> bool {
        false
    }

    fn are_reasons_forgettable(&mut self) -> bool {
        self.theory.borrow().forgettable()
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.guard((), |this| {
            let mut batch = std::mem::take(&mut this.batch);
            batch.clear();
            // Variables merged with a fixed one may be reported without being observed.
            let shared = this.shared.borrow();
            batch.extend(
                lits.iter()
                    .filter_map(|&lit| Lit::from_dimacs(lit))
                    .filter(|&lit| shared.is_observed(lit)),
            );
            drop(shared);
            this.theory.borrow_mut().assigned(&batch);
            this.batch = batch;
        });
    }

    fn notify_new_decision_level(&mut self) {
        self.guard((), |this| {
            this.levels += 1;
            this.theory.borrow_mut().new_level();
        });
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.guard((), |this| {
            assert!(new_level < this.levels, "the solver closes at least one open level");
            this.levels = new_level;
            this.theory.borrow_mut().backtrack(new_level);
        });
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        self.guard(true, |this| {
            let verdict = this.theory.borrow_mut().check_model(this.clause.restart());
            match verdict {
                ModelCheck::Accept => true,
                ModelCheck::Reject => {
                    this.assert_observed(&this.clause.lits);
                    this.clause_ready = true;
                    false
                }
            }
        })
    }

    fn cb_decide(&mut self) -> i32 {
        self.guard(0, |this| {
            let lit = this.theory.borrow_mut().decide();
            this.assert_observed(lit.as_slice());
            lit.map_or(0, Lit::to_dimacs)
        })
    }

    fn cb_propagate(&mut self) -> i32 {
        self.guard(0, |this| {
            let lit = this.theory.borrow_mut().propagate();
            this.assert_observed(lit.as_slice());
            lit.map_or(0, Lit::to_dimacs)
        })
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        self.guard(0, |this| {
            let lit = Lit::from_dimacs(propagated_lit).expect("the solver names a literal");
            if this.reason_of != Some(lit) {
                this.reason_of = Some(lit);
                this.theory.borrow_mut().reason(lit, this.reason.restart());
                this.assert_observed(&this.reason.lits);
                assert!(this.reason.lits.contains(&lit), "a reason contains what it implies");
            }
            let next = this.reason.take();
            if next == 0 {
                this.reason_of = None;
            }
            next
        })
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = self.theory.borrow().forgettable();
        self.guard(false, |this| {
            if !this.clause_ready {
                let offered = this.theory.borrow_mut().clause(this.clause.restart());
                if offered {
                    this.assert_observed(&this.clause.lits);
                }
                return offered;
            }
            this.clause_ready = false;
            true
        })
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.guard(0, |this| this.clause.take())
    }
}
