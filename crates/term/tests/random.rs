//! Rewriting never changes the value of a term: random terms, built with and without it, agree.

mod common;

use common::Twins;
use raddle_term::Evaluator;
use raddle_testkit::Random;

fn random(seed: u64) -> Random {
    Random::new(seed)
}

/// Builds `steps` random terms over variables of the given widths and compares `samples`
/// assignments.
fn check(seed: u64, widths: &[u32], steps: usize, samples: usize) {
    let mut random = random(seed);
    let mut twins = Twins::new(widths);
    for _step in 0..steps {
        twins.step(&mut random, widths);
    }
    compare(&twins, seed, widths, samples);
}

/// Compares all terms of both pools, on all inputs if they are few.
fn compare(twins: &Twins, seed: u64, widths: &[u32], samples: usize) {
    let mut random = random(seed);
    twins.new.check_invariants();
    twins.raw.check_invariants();
    let bits: u32 = widths.iter().sum();
    let exhaustive = bits <= 8;
    let rounds = if exhaustive { 1 << bits } else { samples };
    let (mut old, mut new) = (Evaluator::new(), Evaluator::new());
    for round in 0..rounds {
        let mut rest = round as u128;
        let values: Vec<u128> = widths
            .iter()
            .map(|width| {
                let value = if exhaustive { rest } else { random.value() };
                rest = rest.checked_shr(*width).unwrap_or(0);
                value
            })
            .collect();
        old.reset();
        new.reset();
        let mut value_of = |v: raddle_term::VarId| values[v.index()];
        for pair in &twins.terms {
            let expected = old.value(&twins.raw, pair.raw, &mut value_of);
            let actual = new.value(&twins.new, pair.new, &mut value_of);
            assert_eq!(
                expected,
                actual,
                "seed {seed}, variables {values:?}: {} became {}",
                twins.raw.display(pair.raw, 4),
                twins.new.display(pair.new, 4)
            );
        }
    }
}

#[test]
fn booleans_agree_on_all_inputs() {
    for seed in 0..1000 {
        check(seed, &[1, 1, 1, 1, 1], 60, 0);
    }
}

#[test]
fn guards_agree_on_all_inputs() {
    for seed in 0..2000 {
        let widths = [1; 6];
        let mut random = random(seed);
        let mut twins = Twins::new(&widths);
        for _step in 0..60 {
            twins.guard_step(&mut random, widths.len());
        }
        compare(&twins, seed, &widths, 0);
    }
}

#[test]
fn narrow_vectors_agree_on_all_inputs() {
    for seed in 0..200 {
        for widths in
            [&[1, 1, 2, 2][..], &[1, 1, 3, 3], &[1, 2, 4], &[3, 4, 1], &[1, 7], &[5, 1, 2]]
        {
            check(seed, widths, 80, 0);
        }
    }
}

#[test]
fn wide_vectors_agree_on_samples() {
    for seed in 0..200 {
        for widths in [&[1, 1, 8, 16, 32, 32][..], &[1, 1, 32, 64, 64], &[1, 1, 128, 128, 127, 33]]
        {
            check(seed, widths, 100, 12);
        }
    }
}
