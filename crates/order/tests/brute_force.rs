//! The theory against all interleavings: the set of outcomes must be the same.

mod common;

use std::collections::BTreeSet;

use common::{Case, Encoded, Event, SETTINGS, Shape, compare, random_case};
use raddle_sat::{Answer, Lit};
use raddle_testkit::Random;

const PLAIN: Shape = Shape {
    threads: 3,
    units: 6,
    locations: 2,
    booleans: 0,
    large_units: 0,
    guarded_events: 0,
    fixed: 0,
    guarded: 0,
    aliases: 0,
    excluded: 0,
};

fn run(count: u64, shape: Shape) {
    let mut total = 0;
    for seed in 0..count {
        total += compare(&random_case(&mut Random::new(seed), shape));
    }
    assert!(total as u64 > count, "cases have outcomes");
}

/// An access in a code: even numbers write, the rest divided by two is the location.
fn access(code: usize) -> Event {
    Event { is_write: code.is_multiple_of(2), location: code / 2, guard: None }
}

/// Every way to put `events` single accesses of `locations` locations into threads, up to renaming:
/// threads are a multiset of sequences (the largest first), and of the two ways to name two
/// locations the smaller one is taken. Left out is what a smaller skeleton shows as well: locations
/// that nobody reads or nobody writes.
fn all_skeletons(events: usize, locations: usize) -> Vec<Case> {
    fn extend(
        left: usize,
        kinds: usize,
        threads: &mut Vec<Vec<usize>>,
        found: &mut Vec<Vec<Vec<usize>>>,
    ) {
        if left == 0 {
            found.push(threads.clone());
        }
        for length in (1..=left).rev() {
            for code in 0..kinds.pow(length as u32) {
                let digit = |i| code / kinds.pow(i as u32) % kinds;
                let sequence: Vec<usize> = (0..length).map(digit).collect();
                let key = |s: &Vec<usize>| (s.len(), s.clone());
                if threads.last().is_none_or(|last| key(&sequence) <= key(last)) {
                    threads.push(sequence);
                    extend(left - length, kinds, threads, found);
                    threads.pop();
                }
            }
        }
    }
    let mut found = Vec::new();
    extend(events, 2 * locations, &mut Vec::new(), &mut found);
    found.retain(|threads| {
        let all: BTreeSet<usize> = threads.iter().flatten().copied().collect();
        let other = |code: usize| if locations == 2 { code ^ 2 } else { code };
        let mut renamed: Vec<Vec<usize>> =
            threads.iter().map(|t| t.iter().map(|&c| other(c)).collect()).collect();
        renamed.sort_by_key(|s| std::cmp::Reverse((s.len(), s.clone())));
        all.len() == 2 * locations && *threads <= renamed
    });
    found.iter().map(|threads| skeleton(threads, locations)).collect()
}

/// A first unit that writes all locations, and threads after it.
fn skeleton(codes: &[Vec<usize>], locations: usize) -> Case {
    let first = (0..locations).map(|location| access(2 * location)).collect();
    let mut threads = vec![vec![first]];
    threads.extend(codes.iter().map(|t| t.iter().map(|&c| vec![access(c)]).collect()));
    let fixed = (1..threads.len()).map(|t| ((0, 0), (t, 0))).collect();
    Case { fixed, threads, ..Case::default() }
}

#[test]
fn every_skeleton_of_up_to_six_accesses_of_one_location() {
    for events in 2..=6 {
        let cases = all_skeletons(events, 1);
        cases.iter().for_each(|case| assert!(compare(case) > 0));
    }
}

#[test]
fn every_skeleton_of_up_to_six_accesses_of_two_locations() {
    let mut count = 0;
    for events in 4..=6 {
        for case in all_skeletons(events, 2) {
            assert!(compare(&case) > 0);
            count += 1;
        }
    }
    assert_eq!(count, 5163);
}

#[test]
fn plain() {
    run(1500, PLAIN);
}

#[test]
fn many_threads() {
    run(400, Shape { threads: 5, units: 7, ..PLAIN });
}

#[test]
fn large_units() {
    run(800, Shape { large_units: 40, ..PLAIN });
}

#[test]
fn guards() {
    run(600, Shape { units: 5, booleans: 3, guarded_events: 50, ..PLAIN });
}

#[test]
fn edges() {
    run(800, Shape { fixed: 2, booleans: 2, guarded: 3, ..PLAIN });
}

#[test]
fn aliases_and_exclusions() {
    run(600, Shape { units: 5, booleans: 2, aliases: 3, excluded: 3, large_units: 20, ..PLAIN });
}

#[test]
fn everything() {
    let shape = Shape {
        booleans: 3,
        large_units: 30,
        guarded_events: 30,
        fixed: 1,
        guarded: 2,
        aliases: 2,
        excluded: 1,
        ..PLAIN
    };
    run(500, shape);
}

/// Reads join between solves, under changing assumptions.
#[test]
fn growing_skeletons() {
    let shape =
        Shape { units: 7, booleans: 2, guarded: 2, guarded_events: 20, aliases: 1, ..PLAIN };
    for seed in 0..300 {
        let mut rng = Random::new(seed);
        let case = random_case(&mut rng, shape);
        let expected = case.outcomes();
        for settings in SETTINGS {
            let mut encoded = Encoded::without_reads(&case, settings);
            for read in 0..case.accesses(false).len() {
                let assumed: Vec<Lit> = encoded
                    .booleans
                    .iter()
                    .map(|&lit| if rng.chance(50) { lit } else { !lit })
                    .collect();
                encoded.solve(&assumed);
                encoded.add_read(&case, read);
            }
            for bits in 0..4u32 {
                let assumed: Vec<Lit> = (0..2)
                    .map(|number| (number, encoded.booleans[number]))
                    .map(|(number, lit)| if bits >> number & 1 == 1 { lit } else { !lit })
                    .collect();
                let possible = expected.iter().any(|outcome| outcome.bits == bits);
                let answer = encoded.solve(&assumed);
                assert_eq!(
                    answer == Answer::Satisfiable,
                    possible,
                    "seed {seed} {settings:?} {case:#?}"
                );
            }
            assert!(expected == encoded.outcomes(&case), "seed {seed} {settings:?} {case:#?}");
        }
    }
}
