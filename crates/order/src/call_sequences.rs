//! Random sequences of the solver's calls against a theory made from scratch.
//!
//! Saturation gives the same order relation whatever the order of the literals, so after each call
//! the state must equal that of a fresh theory that gets the whole trail at once. Conflicts and
//! reasons must be false and valid: the fresh theory objects to their literals alone.

use raddle_sat::{Lit, ModelCheck, Theory, Var};

use raddle_testkit::Random;

use crate::skeleton::Place;
use crate::theory::{OrderTheory, Propagation, Settings};

/// Three threads on two locations, with guarded edges; the same for equal seeds.
fn theory(seed: u64, settings: Settings) -> (OrderTheory, usize) {
    let mut rng = Random::new(seed);
    let lengths = [1, 3 + rng.index(3) as u32, 3 + rng.index(3) as u32, 3];
    let mut theory = OrderTheory::with_settings(&lengths, settings);
    let mut vars = 0;
    let mut fresh = || {
        vars += 1;
        Var::from_index(vars - 1).lit()
    };
    let first = theory.unit(0, 0);
    let mut writes: Vec<Vec<_>> =
        (0..2).map(|location| vec![(theory.write_at(first, location), fresh())]).collect();
    let mut reads = Vec::new();
    for (thread, &length) in lengths.iter().enumerate().skip(1) {
        let start = theory.unit(thread, 0);
        theory.fixed_edge(first, start);
        for index in 0..length {
            let unit = theory.unit(thread, index);
            for position in 0..1 + rng.index(2) as u32 {
                let location = rng.index(2);
                if rng.index(2) == 0 {
                    writes[location].push((theory.write_at(unit, position), fresh()));
                } else {
                    reads.push((theory.read_at(unit, position), location));
                }
            }
        }
    }
    for (read, location) in reads {
        for &(write, hits) in &writes[location] {
            let reads_from = (rng.index(8) > 0).then(&mut fresh);
            theory.may_read(read, write, reads_from, hits);
        }
    }
    for _ in 0..3 {
        let lit = fresh();
        let (a, b) = (1 + rng.index(3), 1 + rng.index(3));
        let (x, y) = (theory.unit(a, 1), theory.unit(b, 2));
        if a != b {
            theory.guarded_edge(lit, x, y);
            theory.guarded_edge(!lit, y, x);
        }
    }
    theory.add_spares([Var::from_index(vars), Var::from_index(vars + 1)]);
    theory.prepare();
    (theory, vars)
}

/// Whether a fresh theory objects to `lits`.
fn objects(seed: u64, lits: &[Lit]) -> bool {
    let (mut fresh, _) = theory(seed, Settings::default());
    fresh.assigned(lits);
    fresh.clause(&mut Vec::new())
}

fn check_clause(seed: u64, trail: &[Lit], clause: &[Lit], implied: Option<Lit>) {
    for &lit in clause.iter().filter(|&&lit| Some(lit) != implied) {
        assert!(trail.contains(&!lit), "seed {seed}: {lit} is false");
    }
    let negated: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
    assert!(objects(seed, &negated), "seed {seed}: {clause:?} is valid");
}

fn same_order(left: &OrderTheory, right: &OrderTheory) -> bool {
    let (left, right) = (left.clocks(), right.clocks());
    let places = || {
        (0..left.threads())
            .flat_map(|thread| (0..left.length(thread)).map(move |index| Place { thread, index }))
    };
    places().all(|a| places().all(|b| left.before(a, b) == right.before(a, b)))
}

fn run(seed: u64, settings: Settings, counts: &mut [usize; 3]) {
    let (mut subject, vars) = theory(seed, settings);
    let mut rng = Random::new(!seed);
    let mut levels: Vec<Vec<Lit>> = vec![Vec::new()];
    for _ in 0..60 {
        let trail: Vec<Lit> = levels.concat();
        let mut clause = Vec::new();
        let conflict = subject.clause(&mut clause);
        if conflict {
            counts[0] += 1;
            check_clause(seed, &trail, &clause, None);
        }
        assert_eq!(conflict, objects(seed, &trail), "seed {seed}: {trail:?}");
        if conflict || rng.index(6) == 0 {
            if levels.len() == 1 {
                return;
            }
            // The solver may go back several levels; the conflict may stay when its literals do.
            let level = rng.index(levels.len() - 1);
            subject.backtrack(level);
            levels.truncate(level + 1);
            if conflict && clause.iter().all(|&lit| levels.concat().contains(&!lit)) {
                return;
            }
            continue;
        }
        let (mut fresh, _) = theory(seed, settings);
        fresh.assigned(&trail);
        assert!(same_order(&subject, &fresh), "seed {seed}");
        let propagated = subject.propagate();
        let next = propagated.or_else(|| {
            let var = Var::from_index(rng.index(vars));
            let lit = if rng.index(3) > 0 { var.lit() } else { !var.lit() };
            (!trail.contains(&lit) && !trail.contains(&!lit)).then_some(lit)
        });
        if let Some(lit) = propagated {
            counts[1] += 1;
            clause.clear();
            subject.reason(lit, &mut clause);
            check_clause(seed, &trail, &clause, Some(lit));
        }
        let Some(lit) = next else { continue };
        if propagated.is_none() && rng.index(3) > 0 {
            subject.new_level();
            levels.push(Vec::new());
        }
        subject.assigned(&[lit]);
        levels.last_mut().expect("level 0 is open").push(lit);
        let full = levels.concat().len() == vars;
        if full && !subject.clause(&mut Vec::new()) {
            counts[2] += 1;
            let spares = [Var::from_index(vars).lit(), !Var::from_index(vars + 1).lit()];
            subject.assigned(&spares);
            let mut clause = Vec::new();
            let trail = [levels.concat(), spares.to_vec()].concat();
            match subject.check_model(&mut clause) {
                ModelCheck::Accept => assert!(!subject.linearisation().is_empty()),
                ModelCheck::Reject => assert!(clause.iter().all(|&lit| trail.contains(&!lit))),
            }
            return;
        }
    }
}

#[test]
fn incremental_equals_from_scratch() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        for propagation in [Propagation::ConflictsOnly, Propagation::Sources] {
            run(seed, Settings { propagation, ..Settings::default() }, &mut counts);
        }
    }
    assert!(counts[0] > 200 && counts[1] > 200, "conflicts and propagations occur: {counts:?}");
}
