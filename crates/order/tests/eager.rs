//! The theory against an eager encoding of total orders as clauses, on skeletons too large for
//! brute force.
//!
//! The eager encoding has a Boolean for each pair of units, closed under transitivity, and one
//! clause for each read, source and hider.

mod common;

use common::{Case, Encoded, SETTINGS, Shape, random_case};
use raddle_order::{OrderStatistics, Settings};
use raddle_sat::{Answer, Lit, Solver};
use raddle_testkit::Random;

/// Case and sources (write by read) as clauses only.
fn eager_answer(case: &Case, sources: &[Option<usize>]) -> Answer {
    let mut solver = Solver::new();
    let units: Vec<(usize, usize)> = (0..case.threads.len())
        .flat_map(|thread| (0..case.threads[thread].len()).map(move |index| (thread, index)))
        .collect();
    // By pair of unit numbers, the larger first.
    let order: Vec<Vec<Lit>> =
        (0..units.len()).map(|a| (0..a).map(|_| solver.new_var().lit()).collect()).collect();
    let before = |a: usize, b: usize| if b < a { order[a][b] } else { !order[b][a] };
    for a in 0..units.len() {
        for b in 0..units.len() {
            if a == b {
                continue;
            }
            if units[a].0 == units[b].0 && units[a].1 < units[b].1 {
                solver.add_clause(&[before(a, b)]);
            }
            for c in (0..units.len()).filter(|&c| c != a && c != b) {
                solver.add_clause(&[!before(a, b), !before(b, c), before(a, c)]);
            }
        }
    }
    let number = |unit| units.iter().position(|&other| other == unit).expect("a unit of the case");
    for &(a, b) in &case.fixed {
        solver.add_clause(&[before(number(a), number(b))]);
    }
    let (reads, writes) = (case.accesses(false), case.accesses(true));
    let truth = solver.new_var().lit();
    solver.add_clause(&[truth]);
    // Lexicographic: units first, then positions.
    let earlier = |x: &common::Access, y: &common::Access| match number(x.unit) == number(y.unit) {
        true if x.position < y.position => truth,
        true => !truth,
        false => before(number(x.unit), number(y.unit)),
    };
    for (read, source) in reads.iter().zip(sources) {
        let Some(source) = *source else { continue };
        solver.add_clause(&[earlier(&writes[source], read)]);
        for (other, hider) in writes.iter().enumerate() {
            if other != source && case.hits(hider, read).is_some() {
                let clause = [earlier(hider, &writes[source]), earlier(read, hider)];
                solver.add_clause(&clause);
            }
        }
    }
    solver.solve(&[])
}

/// The case with every read bound to the given source.
fn theory_answer(
    case: &Case,
    sources: &[Option<usize>],
    settings: Settings,
) -> (Answer, OrderStatistics) {
    let mut encoded = Encoded::new(case, settings);
    for (row, source) in encoded.reads_from.iter().zip(sources) {
        let source = source.expect("all reads occur");
        encoded.solver.add_clause(&[row[source].expect("all writes are candidates")]);
    }
    let answer = encoded.solve(&[]);
    let statistics = encoded.theory.borrow().statistics();
    (answer, statistics)
}

/// Sources that look plausible: mostly those of a random order, with some changed.
fn random_sources(rng: &mut Random, case: &Case, changes: usize) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = case.threads.iter().map(Vec::len).collect();
    let mut order = vec![(0, 0)];
    left[0] = 0;
    while left.iter().any(|&count| count > 0) {
        let thread = rng.index(left.len());
        if left[thread] > 0 {
            order.push((thread, case.threads[thread].len() - left[thread]));
            left[thread] -= 1;
        }
    }
    let (reads, writes) = (case.accesses(false), case.accesses(true));
    let at = |unit| order.iter().position(|&other| other == unit).expect("in order");
    let mut sources: Vec<Option<usize>> = reads
        .iter()
        .map(|read| {
            (0..writes.len())
                .filter(|&write| case.hits(&writes[write], read).is_some())
                .filter(|&write| {
                    (at(writes[write].unit), writes[write].position)
                        < (at(read.unit), read.position)
                })
                .max_by_key(|&write| (at(writes[write].unit), writes[write].position))
        })
        .collect();
    for _ in 0..changes {
        let read = rng.index(reads.len());
        let write = rng.index(writes.len());
        if case.hits(&writes[write], &reads[read]).is_some() {
            sources[read] = Some(write);
        }
    }
    sources
}

fn run(count: u64, shape: Shape, changes: usize) -> OrderStatistics {
    let mut total = OrderStatistics::default();
    let mut answers = [0; 2];
    for seed in 0..count {
        let mut rng = Random::new(seed);
        let case = random_case(&mut rng, shape);
        if case.accesses(false).is_empty() {
            continue;
        }
        let changes = rng.index(changes + 1);
        let sources = random_sources(&mut rng, &case, changes);
        let expected = eager_answer(&case, &sources);
        answers[usize::from(expected == Answer::Satisfiable)] += 1;
        for settings in SETTINGS {
            let (answer, statistics) = theory_answer(&case, &sources, settings);
            assert_eq!(answer, expected, "seed {seed}, {settings:?}: {case:#?} {sources:?}");
            total.models += statistics.models;
            total.refuted_models += statistics.refuted_models;
            total.spares_used += statistics.spares_used;
        }
    }
    assert!(answers.iter().all(|&answer| answer > count / 20), "both answers occur: {answers:?}");
    total
}

const SHAPE: Shape = Shape {
    threads: 4,
    units: 14,
    locations: 2,
    booleans: 0,
    large_units: 10,
    guarded_events: 0,
    fixed: 0,
    guarded: 0,
    aliases: 0,
    excluded: 0,
};

#[test]
fn four_threads() {
    run(800, SHAPE, 4);
}

#[test]
fn one_location() {
    run(500, Shape { locations: 1, units: 12, ..SHAPE }, 2);
}
