//! Orders that saturation cannot decide: propositional formulas written as skeletons.
//!
//! Two reads of different writes to one location exclude each other in time, so a location with two
//! such pairs is a Boolean: which pair comes first. For a clause of k literals take another
//! location with k pairs (v, s) and fixed edges so that a false literal number i puts pair i before
//! pair i + 1. All false is a cycle, any true literal leaves an order. (The reduction behind the
//! hardness of testing sequential consistency, Gibbons and Korach 1997.) The oracle is the SAT
//! solver on the formula itself.

mod common;

use common::{Case, Encoded, Event, SETTINGS, Unit};
use raddle_order::{OrderStatistics, Settings};
use raddle_sat::{Answer, Lit, Solver, Var};
use raddle_testkit::Random;

/// A literal: variable and sign.
type Literal = (usize, bool);

/// Pairs of one unit each, every unit in its own thread.
#[derive(Default)]
struct Pairs {
    case: Case,
    locations: usize,
}

impl Pairs {
    /// A location with `count` writes and a reader for each; returns (write, read) units.
    fn location(&mut self, count: usize) -> Vec<(Unit, Unit)> {
        let location = self.locations;
        self.locations += 1;
        let mut unit = |is_write| {
            self.case.threads.push(vec![vec![Event { is_write, location, guard: None }]]);
            (self.case.threads.len() - 1, 0)
        };
        (0..count).map(|_| (unit(true), unit(false))).collect()
    }
}

/// The formula as a skeleton; read number i sees write number i.
fn skeleton(vars: usize, clauses: &[Vec<Literal>]) -> Case {
    let mut pairs = Pairs::default();
    let booleans: Vec<Vec<(Unit, Unit)>> = (0..vars).map(|_| pairs.location(2)).collect();
    for clause in clauses {
        let ring = pairs.location(clause.len());
        for (number, &(var, sign)) in clause.iter().enumerate() {
            // The literal is false when the pair `first` precedes the pair `second`.
            let (first, second) = if sign {
                (booleans[var][1], booleans[var][0])
            } else {
                (booleans[var][0], booleans[var][1])
            };
            let (here, next) = (ring[number], ring[(number + 1) % clause.len()]);
            // v(here) → r(first) < w(second) → s(next): then v(here) precedes s(next).
            pairs.case.fixed.push((here.0, first.1));
            pairs.case.fixed.push((second.0, next.1));
        }
    }
    pairs.case
}

fn formula_answer(vars: usize, clauses: &[Vec<Literal>]) -> Answer {
    let mut solver = Solver::new();
    (0..vars).for_each(|_| {
        solver.new_var();
    });
    for clause in clauses {
        let lits: Vec<Lit> = clause
            .iter()
            .map(|&(var, sign)| {
                let var = Var::from_index(var);
                if sign { Lit::positive(var) } else { Lit::negative(var) }
            })
            .collect();
        solver.add_clause(&lits);
    }
    solver.solve(&[])
}

fn random_clauses(rng: &mut Random, vars: usize, count: usize) -> Vec<Vec<Literal>> {
    (0..count)
        .map(|_| {
            let mut clause: Vec<Literal> = Vec::new();
            while clause.len() < 2 + rng.index(2) {
                let var = rng.index(vars);
                if clause.iter().all(|&(other, _)| other != var) {
                    clause.push((var, rng.chance(50)));
                }
            }
            clause
        })
        .collect()
}

/// Compares answers for all settings; returns the effort for each.
fn compare(vars: usize, clauses: &[Vec<Literal>]) -> (Answer, [OrderStatistics; SETTINGS.len()]) {
    let expected = formula_answer(vars, clauses);
    let case = skeleton(vars, clauses);
    (expected, SETTINGS.map(|settings| check(&case, settings, expected)))
}

fn check(case: &Case, settings: Settings, expected: Answer) -> OrderStatistics {
    let mut encoded = Encoded::new(case, settings);
    for (read, row) in encoded.reads_from.iter().enumerate() {
        encoded.solver.add_clause(&[row[read].expect("all writes of a location are candidates")]);
    }
    assert_eq!(encoded.solve(&[]), expected, "{settings:?} {case:?}");
    encoded.theory.borrow().statistics()
}

#[test]
fn one_clause_excludes_one_assignment() {
    let all = |sign: bool, other: bool| vec![(0, sign), (1, other)];
    let mut clauses = Vec::new();
    for (sign, other) in [(true, true), (true, false), (false, true)] {
        clauses.push(all(sign, other));
        assert_eq!(compare(2, &clauses).0, Answer::Satisfiable);
    }
    clauses.push(all(false, false));
    assert_eq!(compare(2, &clauses).0, Answer::Unsatisfiable);
}

#[test]
fn random_formulas() {
    let mut answers = [0; 2];
    let mut total = [OrderStatistics::default(); SETTINGS.len()];
    for seed in 0..120 {
        let mut rng = Random::new(seed);
        let vars = 3 + rng.index(5);
        let count = 2 * vars + rng.index(2 * vars);
        let clauses = random_clauses(&mut rng, vars, count);
        let (answer, statistics) = compare(vars, &clauses);
        answers[usize::from(answer == Answer::Satisfiable)] += 1;
        for (total, new) in total.iter_mut().zip(statistics) {
            total.refuted_models += new.refuted_models;
            total.spares_used += new.spares_used;
        }
    }
    assert!(answers.iter().all(|&answer| answer > 20), "both answers occur: {answers:?}");
    // With a budget the repair search refutes models itself; without, spare variables do.
    assert!(total[0].refuted_models > 10 && total[1].refuted_models > 10, "{total:?}");
    assert!(total[2].spares_used > 50 && total[3].spares_used > 50, "{total:?}");
}

/// Larger formulas, mostly with a planted model, decided by the repair search alone: it meets many
/// dead ends.
#[test]
fn the_repair_search_backtracks() {
    let settings = Settings { repair_budget: usize::MAX, ..SETTINGS[1] };
    for seed in 0..24 {
        let mut rng = Random::new(1000 + seed);
        let vars = 6 + rng.index(3);
        let mut clauses = random_clauses(&mut rng, vars, 9 * vars / 2);
        clauses.iter_mut().filter(|clause| clause.len() == 2).for_each(|clause| {
            let free = (0..vars).find(|&var| clause.iter().all(|&(other, _)| other != var));
            clause.push((free.expect("more than two variables"), rng.chance(50)));
        });
        let model: Vec<bool> = (0..vars).map(|_| rng.chance(50)).collect();
        for clause in &mut clauses {
            if seed % 4 > 0 && clause.iter().all(|&(var, sign)| model[var] != sign) {
                clause[0].1 = !clause[0].1;
            }
        }
        check(&skeleton(vars, &clauses), settings, formula_answer(vars, &clauses));
    }
}
