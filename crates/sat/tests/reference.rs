//! CaDiCaL behind our interface against a reference that a reader can check at sight: backtracking
//! over all assignments. Random formulas, solved incrementally, with and without a theory.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use raddle_sat::{Answer, Lit, ModelCheck, Solver, StopFlag, Theory, Var};
use raddle_testkit::Random;

/// Whether `clauses` have a model that extends the values chosen so far.
fn dpll(clauses: &[Vec<Lit>], values: &mut Vec<Option<bool>>) -> bool {
    let value = |lit: Lit, values: &[Option<bool>]| {
        values[lit.var().index()].map(|value| value == lit.is_positive())
    };
    let mut unit = None;
    for clause in clauses {
        if clause.iter().any(|&lit| value(lit, values) == Some(true)) {
            continue;
        }
        let mut open = clause.iter().filter(|&&lit| value(lit, values).is_none());
        match (open.next(), open.next()) {
            (None, _) => return false,
            (Some(&lit), None) => unit = Some(lit),
            (Some(_), Some(_)) => {}
        }
    }
    let choices: Vec<Lit> = match unit {
        Some(lit) => vec![lit],
        None => match values.iter().position(Option::is_none) {
            None => return true,
            Some(index) => vec![Var::from_index(index).lit(), !Var::from_index(index).lit()],
        },
    };
    for lit in choices {
        values[lit.var().index()] = Some(lit.is_positive());
        if dpll(clauses, values) {
            return true;
        }
        values[lit.var().index()] = None;
    }
    false
}

fn satisfiable(vars: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    let mut all = clauses.to_vec();
    all.extend(assumptions.iter().map(|&lit| vec![lit]));
    dpll(&all, &mut vec![None; vars])
}

fn random_lit(rng: &mut Random, vars: usize) -> Lit {
    let lit = Var::from_index(rng.index(vars)).lit();
    if rng.index(2) == 0 { lit } else { !lit }
}

/// Forbids a set of clauses, but only says so when asked: a formula in the clothes of a theory.
struct Clauses {
    clauses: Vec<Vec<Lit>>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    propagate: bool,
    /// Reasons of propagations, by literal index.
    reasons: Vec<Option<usize>>,
}

impl Clauses {
    fn new(vars: usize, propagate: bool) -> Clauses {
        Clauses {
            clauses: Vec::new(),
            values: vec![None; vars],
            trail: Vec::new(),
            levels: Vec::new(),
            propagate,
            reasons: vec![None; 2 * vars],
        }
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] == Some(!lit.is_positive())
    }
}

impl Theory for Clauses {
    fn assigned(&mut self, lits: &[Lit]) {
        for &lit in lits {
            assert!(!self.is_false(lit), "{lit} is assigned twice");
            if self.values[lit.var().index()].is_none() {
                self.values[lit.var().index()] = Some(lit.is_positive());
                self.trail.push(lit);
            }
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        for lit in self.trail.drain(self.levels[level]..) {
            self.values[lit.var().index()] = None;
        }
        self.levels.truncate(level);
    }

    fn clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let Some(found) = self.clauses.iter().find(|c| c.iter().all(|&lit| self.is_false(lit)))
        else {
            return false;
        };
        clause.extend_from_slice(found);
        true
    }

    fn check_model(&mut self, clause: &mut Vec<Lit>) -> ModelCheck {
        assert!(self.values.iter().all(Option::is_some), "a model is total");
        if self.clause(clause) { ModelCheck::Reject } else { ModelCheck::Accept }
    }

    fn propagate(&mut self) -> Option<Lit> {
        if !self.propagate {
            return None;
        }
        for (index, clause) in self.clauses.iter().enumerate() {
            let open: Vec<Lit> =
                clause.iter().copied().filter(|&lit| !self.is_false(lit)).collect();
            if let [lit] = open[..]
                && self.values[lit.var().index()].is_none()
            {
                self.reasons[lit.index()] = Some(index);
                return Some(lit);
            }
        }
        None
    }

    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let reason = self.reasons[lit.index()].expect("only propagated literals have a reason");
        clause.extend_from_slice(&self.clauses[reason]);
    }

    fn decide(&mut self) -> Option<Lit> {
        None
    }

    fn forgettable(&self) -> bool {
        true
    }
}

/// Adds clauses in steps, some to the solver and some to a theory, and compares each answer.
fn incremental(seed: u64, theory_share: usize, propagate: bool) -> [usize; 2] {
    let mut rng = Random::new(seed);
    let vars = 4 + rng.index(6);
    let mut solver = Solver::new();
    for _ in 0..vars {
        solver.new_var();
    }
    let theory = Rc::new(RefCell::new(Clauses::new(vars, propagate)));
    if theory_share > 0 {
        solver.connect(theory.clone());
        (0..vars).for_each(|index| solver.observe(Var::from_index(index)));
    }
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let mut answers = [0; 2];
    for _ in 0..6 {
        for _ in 0..vars {
            let length = 1 + rng.index(2) + rng.index(3);
            let mut clause: Vec<Lit> = (0..length).map(|_| random_lit(&mut rng, vars)).collect();
            clause.sort_unstable();
            clause.dedup();
            if rng.index(100) < theory_share {
                theory.borrow_mut().clauses.push(clause.clone());
            } else {
                solver.add_clause(&clause);
            }
            clauses.push(clause);
        }
        let assumptions: Vec<Lit> = (0..rng.index(3)).map(|_| random_lit(&mut rng, vars)).collect();
        let expected = satisfiable(vars, &clauses, &assumptions);
        answers[usize::from(expected)] += 1;
        if expected {
            assert_eq!(solver.solve(&assumptions), Answer::Satisfiable, "seed {seed}");
            for clause in clauses.iter().chain([&assumptions].into_iter().filter(|a| a.len() == 1))
            {
                assert!(clause.iter().any(|&lit| solver.value(lit)), "seed {seed}");
            }
        } else {
            assert_eq!(solver.solve(&assumptions), Answer::Unsatisfiable, "seed {seed}");
            let core: Vec<Lit> =
                assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
            assert!(!satisfiable(vars, &clauses, &core), "seed {seed}: the core is refuted");
        }
    }
    answers
}

fn many(theory_share: usize, propagate: bool) {
    let mut answers = [0; 2];
    for seed in 0..1500 {
        let new = incremental(seed, theory_share, propagate);
        answers = [answers[0] + new[0], answers[1] + new[1]];
    }
    assert!(answers.iter().all(|&count| count > 500), "both answers occur often: {answers:?}");
}

#[test]
fn clauses_only() {
    many(0, false);
}

#[test]
fn half_in_a_theory_that_only_objects() {
    many(50, false);
}

#[test]
fn half_in_a_theory_that_propagates() {
    many(50, true);
}

#[test]
fn all_in_a_theory() {
    many(100, true);
}

/// The pigeonhole formula: hard for every resolution prover.
fn pigeons(solver: &mut Solver, pigeons: usize) {
    let holes = pigeons - 1;
    let sits: Vec<Vec<Lit>> =
        (0..pigeons).map(|_| (0..holes).map(|_| solver.new_var().lit()).collect()).collect();
    for pigeon in &sits {
        solver.add_clause(pigeon);
    }
    for (index, first) in sits.iter().enumerate() {
        for second in &sits[..index] {
            for (&a, &b) in first.iter().zip(second) {
                solver.add_clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn a_deadline_interrupts_a_hard_search() {
    let mut solver = Solver::new();
    pigeons(&mut solver, 14);
    let start = Instant::now();
    solver.set_deadline(Some(start + Duration::from_millis(300)));
    assert_eq!(solver.solve(&[]), Answer::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(20));
    solver.set_deadline(None);
    solver.set_conflict_limit(Some(100));
    assert_eq!(solver.solve(&[]), Answer::Interrupted);
    solver.set_conflict_limit(None);
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
}

#[test]
fn a_flag_interrupts_from_another_thread() {
    let mut solver = Solver::new();
    pigeons(&mut solver, 14);
    let flag = StopFlag::new();
    solver.set_stop_flag(flag.clone());
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.stop();
    });
    assert_eq!(solver.solve(&[]), Answer::Interrupted);
    stopper.join().unwrap();
}

/// Breaks the contract on purpose.
struct Broken(Lit);

impl Theory for Broken {
    fn assigned(&mut self, _lits: &[Lit]) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: usize) {}
    fn clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        clause.push(self.0);
        true
    }
    fn check_model(&mut self, _clause: &mut Vec<Lit>) -> ModelCheck {
        ModelCheck::Accept
    }
    fn propagate(&mut self) -> Option<Lit> {
        None
    }
    fn reason(&mut self, _lit: Lit, _clause: &mut Vec<Lit>) {}
    fn decide(&mut self) -> Option<Lit> {
        None
    }
    fn forgettable(&self) -> bool {
        false
    }
}

#[test]
#[should_panic(expected = "does not observe")]
fn a_broken_theory_is_a_panic_not_an_abort() {
    let mut solver = Solver::new();
    let (a, b) = (solver.new_var(), solver.new_var());
    solver.connect(Rc::new(RefCell::new(Broken(b.lit()))));
    solver.observe(a);
    solver.add_clause(&[a.lit(), b.lit()]);
    solver.solve(&[]);
}

#[test]
#[should_panic(expected = "may have been eliminated")]
fn late_observation_is_a_panic_not_an_abort() {
    let mut solver = Solver::new();
    let a = solver.new_var();
    solver.connect(Rc::new(RefCell::new(Broken(a.lit()))));
    solver.add_clause(&[a.lit()]);
    solver.set_conflict_limit(Some(1));
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| solver.solve(&[])));
    solver.observe(a);
}

#[test]
fn variables_without_clauses_have_values() {
    let mut solver = Solver::new();
    let (a, b) = (solver.new_var().lit(), solver.new_var().lit());
    assert_eq!(solver.solve(&[a]), Answer::Satisfiable);
    assert!(solver.value(a) && !solver.value(!a));
    assert_ne!(solver.value(b), solver.value(!b));
    solver.add_clause(&[!b]);
    assert_eq!(solver.solve(&[b]), Answer::Unsatisfiable);
    assert!(solver.failed(b));
    assert_eq!(solver.fixed(b), Some(false));
}
