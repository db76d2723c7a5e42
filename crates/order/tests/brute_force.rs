//! The theory against all interleavings: the set of outcomes must be the same.

mod common;

use common::{Case, Encoded, Event, Rng, SETTINGS, Shape, compare, random_case};
use raddle_sat::{Answer, Lit};

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
        total += compare(&random_case(&mut Rng::new(seed), shape));
    }
    assert!(total as u64 > count, "cases have outcomes");
}

/// All ways to write `events` accesses of two kinds and `locations` locations into up to three threads.
fn all_skeletons(events: u32, locations: usize) -> Vec<Case> {
    let kinds = 2 * locations;
    let mut cases = Vec::new();
    for code in 0..(kinds as u32).pow(events) {
        for split in 0..3u32.pow(events) {
            let mut threads = vec![Vec::new(); 4];
            let write = |location| Event { is_write: true, location, guard: None };
            threads[0].push((0..locations).map(write).collect());
            let mut last = 0;
            let mut ascending = true;
            for event in 0..events {
                let kind = (code / (kinds as u32).pow(event)) as usize % kinds;
                let thread = (split / 3u32.pow(event)) as usize % 3;
                // Only nondecreasing splits: others are the same skeleton written differently.
                ascending &= thread >= last && thread <= last + 1;
                last = thread;
                let event =
                    Event { is_write: kind < locations, location: kind % locations, guard: None };
                threads[1 + thread].push(vec![event]);
            }
            if ascending && threads.iter().flatten().flatten().any(|event| !event.is_write) {
                let fixed = (1..4).filter(|&t| !threads[t].is_empty()).map(|t| ((0, 0), (t, 0)));
                cases.push(Case { fixed: fixed.collect(), threads, ..Case::default() });
            }
        }
    }
    cases
}

#[test]
fn every_skeleton_of_up_to_six_accesses_of_one_location() {
    for events in 1..=6 {
        all_skeletons(events, 1).iter().for_each(|case| assert!(compare(case) > 0));
    }
}

#[test]
fn every_skeleton_of_up_to_four_accesses_of_two_locations() {
    for events in 2..=4 {
        all_skeletons(events, 2).iter().for_each(|case| assert!(compare(case) > 0));
    }
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
        let mut rng = Rng::new(seed);
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
