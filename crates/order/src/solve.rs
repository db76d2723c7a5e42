//! The loop around the SAT solver: connects the theory, and makes more spare variables when they
//! run out.
//!
//! The solver cannot make variables while it searches. When the theory needs one and has none left,
//! it lets the model through; here that counts as no answer, and the search goes on with more
//! spares. What the solver has learned stays. Each round gives a meaning to at least one pair of
//! units, so there are finitely many rounds.

use std::cell::RefCell;
use std::rc::Rc;

use raddle_sat::{Answer, Lit, Solver};

use crate::theory::OrderTheory;

/// Solves the clauses of `solver` together with `theory`. Connects the theory at the first call.
/// After `Satisfiable`, [`OrderTheory::linearisation`] gives an order for the model.
///
/// The theory must not be borrowed during the call, nor while clauses are added to the solver.
/// Variables that the theory needs must be observable: younger than the last call, or frozen since.
pub fn solve(
    solver: &mut Solver,
    theory: &Rc<RefCell<OrderTheory>>,
    assumptions: &[Lit],
) -> Answer {
    if !std::mem::replace(&mut theory.borrow_mut().connected, true) {
        solver.connect(theory.clone());
        add_spares(solver, theory);
    }
    loop {
        if theory.borrow_mut().prepare() {
            // Observing may call the theory, so it must not be borrowed meanwhile.
            let observed: Vec<_> = theory.borrow().observed().collect();
            observed.into_iter().for_each(|var| solver.observe(var));
        }
        let answer = solver.solve(assumptions);
        if answer != Answer::Satisfiable || !theory.borrow().needs_spares() {
            return answer;
        }
        add_spares(solver, theory);
    }
}

fn add_spares(solver: &mut Solver, theory: &Rc<RefCell<OrderTheory>>) {
    let count = theory.borrow().more_spares();
    let vars: Vec<_> = (0..count).map(|_| solver.new_var()).collect();
    theory.borrow_mut().add_spares(vars);
}
