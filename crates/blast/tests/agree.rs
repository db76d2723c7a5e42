//! The clauses say what the terms mean.
//!
//! For an assignment of the variables of a term, unit propagation must assign every literal without
//! a conflict, and the bits of the term must have the value the evaluator gives. That is a proof
//! for this assignment: all clauses are satisfied, and by propagation there is no other way. Small
//! widths are checked on all inputs.

#[path = "../../term/tests/common/mod.rs"]
mod common;

use common::{BINARY, Twins, UNARY};
use raddle_blast::{Blaster, ClauseSink};
use raddle_sat::{Answer, Lit, Solver, Var};
use raddle_term::{TermId, Terms, evaluate};
use raddle_testkit::Random;

/// Keeps clauses, and finds what follows from them by unit propagation.
#[derive(Default)]
struct Propagator {
    variables: usize,
    clauses: Vec<Vec<Lit>>,
    /// By literal index: the clauses that contain it.
    occurrences: Vec<Vec<usize>>,
}

/// The outcome of propagation.
struct Fixpoint {
    /// By literal index: whether it is true.
    holds: Vec<bool>,
    conflict: bool,
}

impl ClauseSink for Propagator {
    fn new_lit(&mut self) -> Lit {
        let lit = Var::from_index(self.variables).lit();
        self.variables += 1;
        self.occurrences.resize(2 * self.variables, Vec::new());
        lit
    }

    fn clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.occurrences[lit.index()].push(self.clauses.len());
        }
        self.clauses.push(clause.to_vec());
    }
}

impl Propagator {
    fn propagate(&self, decided: &[Lit]) -> Fixpoint {
        let mut fixpoint = Fixpoint { holds: vec![false; 2 * self.variables], conflict: false };
        let mut queue = decided.to_vec();
        for clause in &self.clauses {
            match clause[..] {
                [] => fixpoint.conflict = true,
                [unit] => queue.push(unit),
                [_, _, ..] => {}
            }
        }
        while let Some(lit) = queue.pop() {
            if fixpoint.holds[lit.index()] {
                continue;
            }
            fixpoint.conflict |= fixpoint.holds[(!lit).index()];
            fixpoint.holds[lit.index()] = true;
            for &clause in &self.occurrences[(!lit).index()] {
                let clause = &self.clauses[clause];
                if clause.iter().any(|l| fixpoint.holds[l.index()]) {
                    continue;
                }
                let mut open = clause.iter().filter(|l| !fixpoint.holds[(!**l).index()]);
                match (open.next(), open.next()) {
                    (None, _none) => fixpoint.conflict = true,
                    (Some(&unit), None) => queue.push(unit),
                    (Some(_one), Some(_two)) => {}
                }
            }
        }
        fixpoint
    }
}

/// Literals that give each variable its value, as far as it has bits.
fn decide_all(terms: &Terms, blaster: &Blaster, values: &[u128]) -> Vec<Lit> {
    let variables = terms.ids_from(0).filter_map(|t| terms.as_var(t));
    variables
        .flat_map(|v| {
            let value = values[v.index()];
            let bits = blaster.var_bits(v).unwrap_or(&[]).iter().enumerate();
            bits.map(move |(i, &bit)| if value >> i & 1 == 1 { bit } else { !bit })
        })
        .collect()
}

/// Checks the roots under each of the assignments (a value per variable).
fn check(terms: &Terms, roots: &[TermId], assignments: &[Vec<u128>], what: &str) {
    let mut sink = Propagator::default();
    let mut blaster = Blaster::new(&mut sink);
    let bits: Vec<Vec<Lit>> =
        roots.iter().map(|&root| blaster.bits(terms, root, &mut sink).to_vec()).collect();
    for values in assignments {
        let decided = decide_all(terms, &blaster, values);
        let fixpoint = sink.propagate(&decided);
        assert!(!fixpoint.conflict, "{what}: conflict at {values:?}");
        let expected = evaluate(terms, roots, &mut |v| values[v.index()]);
        for (bits, expected) in bits.iter().zip(expected) {
            let mut actual = 0;
            for (i, bit) in bits.iter().enumerate() {
                assert!(
                    fixpoint.holds[bit.index()] != fixpoint.holds[(!*bit).index()],
                    "{what}: bit {i} stays open at {values:?}"
                );
                actual |= u128::from(fixpoint.holds[bit.index()]) << i;
            }
            assert_eq!(actual, expected, "{what} at {values:?}");
        }
        let open = (0..sink.variables)
            .map(|i| Var::from_index(i).lit())
            .filter(|lit| !fixpoint.holds[lit.index()] && !fixpoint.holds[(!*lit).index()]);
        assert_eq!(open.count(), 0, "{what}: gates stay open");
    }
}

/// All assignments to variables of the given widths.
fn all_assignments(widths: &[u32]) -> Vec<Vec<u128>> {
    let total: u32 = widths.iter().sum();
    let split = |mut code: u128| {
        let part = |&width: &u32| {
            let value = code & ((1 << width) - 1);
            code >>= width;
            value
        };
        widths.iter().map(part).collect()
    };
    (0..1u128 << total).map(split).collect()
}

#[test]
fn operations_on_all_inputs() {
    for width in 1..=4 {
        let assignments = all_assignments(&[width, width]);
        for &(name, f) in BINARY {
            for mut terms in [Terms::new(), Terms::raw()] {
                let (a, b) = (terms.fresh(width), terms.fresh(width));
                let t = f(&mut terms, a, b);
                check(&terms, &[t, a, b], &assignments, &format!("{name} at {width}"));
            }
        }
        for &(name, f) in UNARY {
            let mut terms = Terms::raw();
            let (a, b) = (terms.fresh(width), terms.fresh(width));
            let t = f(&mut terms, a);
            check(&terms, &[t, b], &assignments, &format!("{name} at {width}"));
        }
    }
}

#[test]
fn operations_with_a_constant_on_all_inputs() {
    let assignments = all_assignments(&[4]);
    for &(name, f) in BINARY {
        for k in 0..16 {
            for mut terms in [Terms::new(), Terms::raw()] {
                let (a, k) = (terms.fresh(4), terms.constant(k, 4));
                let (right, left) = (f(&mut terms, a, k), f(&mut terms, k, a));
                check(&terms, &[right, left], &assignments, &format!("{name} with {k:?}"));
            }
        }
    }
}

/// Every operation at widths around machine words and up to the widest, with two variables and with
/// constants on either side.
#[test]
fn operations_at_large_widths_on_samples() {
    for width in [8, 17, 32, 33, 64, 100, 128] {
        let mut random = Random::new(u64::from(width));
        let mask = u128::MAX >> (128 - width);
        let mut value = || random.value() & mask;
        let assignments: Vec<Vec<u128>> = vec![
            vec![value(), value()],
            vec![1 << (width - 1), mask],
            vec![value(), u128::from(width) / 2],
        ];
        let constants = [0, 10, 1 << (width / 2), mask, value()];
        for &(name, f) in BINARY {
            let mut terms = Terms::raw();
            let (a, b) = (terms.fresh(width), terms.fresh(width));
            let t = f(&mut terms, a, b);
            check(&terms, &[t, a, b], &assignments, &format!("{name} at {width}"));
            for k in constants {
                let mut terms = Terms::new();
                let (a, b) = (terms.fresh(width), terms.fresh(width));
                let constant = terms.constant(k, width);
                let (right, left) = (f(&mut terms, a, constant), f(&mut terms, constant, a));
                let what = format!("{name} with {k} at {width}");
                check(&terms, &[right, left, a, b], &assignments, &what);
            }
        }
    }
}

#[test]
fn rearrangements_and_choices_on_all_inputs() {
    let assignments = all_assignments(&[1, 3, 3]);
    let mut terms = Terms::raw();
    let (c, a, b) = (terms.fresh(1), terms.fresh(3), terms.fresh(3));
    let mut roots =
        vec![terms.ite(c, a, b), terms.concat(a, b), terms.sext(a, 7), terms.zext(c, 5)];
    for (hi, lo) in [(0, 0), (1, 0), (2, 1), (2, 2)] {
        roots.push(terms.extract(a, hi, lo));
    }
    check(&terms, &roots, &assignments, "rearrangement");
}

#[test]
fn random_terms_on_samples() {
    for seed in 1..40 {
        for widths in [&[1, 1, 8, 8][..], &[1, 1, 16, 8], &[1, 32, 32], &[3, 1, 5, 128]] {
            let mut random = Random::new(seed * 64 + widths.len() as u64);
            let mut twins = Twins::new(widths);
            for _step in 0..40 {
                twins.step(&mut random, widths);
            }
            let assignments: Vec<Vec<u128>> =
                (0..4).map(|_round| widths.iter().map(|_v| random.value()).collect()).collect();
            for rewriting in [true, false] {
                let roots: Vec<TermId> =
                    twins.terms.iter().map(|p| if rewriting { p.new } else { p.raw }).collect();
                let terms = if rewriting { &twins.new } else { &twins.raw };
                check(terms, &roots, &assignments, &format!("seed {seed}, widths {widths:?}"));
            }
        }
    }
}

/// Facts under premises: propagation ends in a conflict exactly where a premise holds and the
/// conclusion does not.
fn check_fact(terms: &Terms, premise: TermId, fact: TermId, assignments: &[Vec<u128>], what: &str) {
    let mut sink = Propagator::default();
    let mut blaster = Blaster::new(&mut sink);
    let premise_lit = blaster.lit(terms, premise, &mut sink);
    blaster.assert_implies(terms, &[premise_lit], fact, &mut sink);
    for values in assignments {
        let decided = decide_all(terms, &blaster, values);
        let expected = evaluate(terms, &[premise, fact], &mut |v| values[v.index()]);
        let violated = expected[0] == 1 && expected[1] == 0;
        assert_eq!(sink.propagate(&decided).conflict, violated, "{what} at {values:?}");
    }
}

#[test]
fn facts_hold_exactly_where_their_terms_do() {
    let widths = [1, 1, 1, 2, 2];
    let assignments = all_assignments(&widths);
    for seed in 1..400 {
        let mut random = Random::new(seed);
        let mut twins = Twins::new(&widths);
        for _step in 0..30 {
            twins.step(&mut random, &widths);
        }
        let booleans: Vec<_> = twins.terms.iter().filter(|p| p.width == 1).collect();
        let fact = booleans[booleans.len() - 1 - random.index(3)];
        let premise = booleans[random.index(booleans.len())];
        let what = format!("seed {seed}");
        check_fact(&twins.new, premise.new, fact.new, &assignments, &what);
        check_fact(&twins.raw, premise.raw, fact.raw, &assignments, &what);
        let negated = twins.new.not(fact.new);
        check_fact(&twins.new, premise.new, negated, &assignments, &what);
    }
}

#[test]
fn the_solver_inverts_a_product() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh(16), terms.fresh(16));
    let product = terms.mul(a, b);
    let (one, wanted) = (terms.constant(1, 16), terms.constant(39_203, 16));
    let limit = terms.constant(256, 16);
    let facts = [
        terms.eq(product, wanted),
        terms.ult(one, a),
        terms.ult(one, b),
        terms.ult(a, limit),
        terms.ult(b, limit),
    ];
    let mut solver = Solver::new();
    let mut blaster = Blaster::new(&mut solver);
    for fact in facts {
        blaster.assert_true(&terms, fact, &mut solver);
    }
    assert_eq!(solver.solve(&[]), Answer::Satisfiable);
    let mut value = |t: TermId| {
        let v = terms.as_var(t).unwrap();
        blaster.var_value(v, |lit| solver.value(lit)).unwrap()
    };
    assert_eq!(value(a) * value(b), 39_203);
}
