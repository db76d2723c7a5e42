//! All engines on random programs with fixed seeds: the referee's verdicts, the referee's findings.
//!
//! The long run is `cargo run --release -p raddle-testgen -- --count 20000`, all kinds mixed.
//! Objects that die, arbitrary inputs and leaks: the same with `--lifetimes --inputs --properties
//! assertions,races,memory,overflow,locks,leaks`.

use std::time::Duration;

use raddle_engines::options::Measure;
use raddle_engines::{AUTO, ENGINES, EngineRow, auto};
use raddle_ir::{Program, Property, PropertySet};
use raddle_testgen::compare::{Comparison, compare};
use raddle_testgen::generate::{Kind, Options, program};
use raddle_testgen::limits::{Bound, Limits};

const LIMITS: Limits = Limits {
    executions: 300,
    time: Duration::from_secs(10),
    bound: None,
    engine: None,
    choices: Vec::new(),
    without: Vec::new(),
    of_default: true,
};

#[derive(Default, Debug)]
struct Counts {
    safe: u64,
    broken: u64,
    open: u64,
    skipped: u64,
    undecided: u64,
}

/// Compares the programs of these seeds; stops at the first disagreement.
fn agree(seeds: std::ops::Range<u64>, make: impl Fn(u64) -> Program + Send + 'static) -> Counts {
    agree_within(LIMITS, seeds, make)
}

fn agree_within(
    limits: Limits,
    seeds: std::ops::Range<u64>,
    make: impl Fn(u64) -> Program + Send + 'static,
) -> Counts {
    let run = move || {
        let mut counts = Counts::default();
        for seed in seeds {
            let p = make(seed);
            match compare(&p, &limits) {
                Comparison::Safe => counts.safe += 1,
                Comparison::Unsafe => counts.broken += 1,
                Comparison::Open => counts.open += 1,
                Comparison::Skipped => counts.skipped += 1,
                Comparison::Undecided(_) => counts.undecided += 1,
                Comparison::Mismatch(m) => {
                    let text = raddle_ir::print::program(&p);
                    panic!("seed {seed}: {:?}\n{}\n{text}", m.kind, m.text);
                }
            }
        }
        counts
    };
    let worker = std::thread::Builder::new().stack_size(16 << 20).spawn(run);
    match worker.expect("a thread can be started").join() {
        Ok(counts) => counts,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn supported() -> PropertySet {
    Property::SAFETY.into_iter().collect()
}

#[test]
fn assertions() {
    let counts = agree(0..2000, |seed| {
        let checked = PropertySet::EMPTY.with(Property::Assertions);
        program(seed, Options::of(Kind::Mixed, checked))
    });
    let Counts { safe, broken, skipped, undecided, .. } = counts;
    // Neither answer is rare, and most programs are compared.
    assert!(safe > 1000 && broken > 150 && skipped < 200 && undecided < 25, "{counts:?}");
}

/// All engines, also those that the default engine does not use: they may leave a program undecided.
#[test]
fn other_engines() {
    let limits = Limits { of_default: false, time: Duration::from_secs(1), ..LIMITS };
    let make = |seed| program(seed, Options::of(Kind::Mixed, supported()));
    let counts = agree_within(limits, 15_000..15_100, make);
    assert!(counts.safe + counts.broken > 50, "{counts:?}");
}

/// Engines that the default engine asks for proofs: they may leave a program undecided, but few.
#[test]
fn provers() {
    let is_prover = |row: &&EngineRow| auto::rests_on(row) && !auto::must_decide(row);
    let provers: Vec<&EngineRow> = ENGINES.iter().filter(is_prover).collect();
    assert!(!provers.is_empty(), "otherwise nothing is compared");
    for row in provers {
        let limits = Limits { engine: Some(row.name), time: Duration::from_secs(3), ..LIMITS };
        let decided = AUTO.decided(row.decides.iter().copied().collect());
        for (kind, begin) in [(Kind::Mixed, 16_000), (Kind::Loops, 16_200), (Kind::Limits, 16_300)]
        {
            let make = move |seed| program(seed, Options::of(kind, decided));
            let limits = Limits { of_default: false, ..limits.clone() };
            let counts = agree_within(limits, begin..begin + 50, make);
            assert!(counts.safe + counts.broken + counts.open > 25, "{kind:?}: {counts:?}");
        }
    }
}

#[test]
fn all_properties() {
    let counts = agree(10_000..11_000, |seed| program(seed, Options::of(Kind::Mixed, supported())));
    assert!(counts.safe > 150 && counts.broken > 300, "{counts:?}");
}

/// Assertions alone, so that the table of outcomes decides, then all properties.
fn both_ways(kind: fn(u64, PropertySet) -> Program, seeds: std::ops::Range<u64>) -> [Counts; 2] {
    let middle = seeds.start + (seeds.end - seeds.start) * 2 / 3;
    let assertions = PropertySet::EMPTY.with(Property::Assertions);
    let one = agree(seeds.start..middle, move |seed| kind(seed, assertions));
    [one, agree(middle..seeds.end, move |seed| kind(seed, supported()))]
}

#[test]
fn sections() {
    let make = |seed, checked| program(seed, Options::of(Kind::Sections, checked));
    let [one, all] = both_ways(make, 60_000..60_900);
    assert!(one.safe > 100 && one.broken > 300 && one.undecided == 0, "{one:?}");
    assert!(all.broken > 150, "{all:?}");
}

/// Atomic sections with loops, also where a failed assertion is not reported but ends its thread. What `lazy`
/// and `circuit` make several steps of are the sections.
#[test]
fn atomics() {
    let make = |seed, checked| program(seed, Options::of(Kind::Atomics, checked));
    let [one, all] = both_ways(make, 90_000..90_300);
    assert!(one.safe > 40 && one.broken > 80 && one.undecided == 0, "{one:?}");
    assert!(all.broken > 40, "{all:?}");
    let races = PropertySet::EMPTY.with(Property::Races);
    for engine in ["lazy", "circuit"] {
        let limits = Limits {
            engine: Some(engine),
            of_default: false,
            time: Duration::from_millis(500),
            ..LIMITS
        };
        let counts = agree_within(limits, 91_000..91_040, move |seed| make(seed, races));
        assert!(counts.safe + counts.broken > 10, "{engine}: {counts:?}");
    }
}

#[test]
fn joins() {
    let make = |seed, checked| program(seed, Options::of(Kind::Joins, checked));
    let [one, all] = both_ways(make, 70_000..71_500);
    assert!(one.safe > 200 && one.broken > 500 && one.undecided == 0, "{one:?}");
    assert!(all.broken > 250, "{all:?}");
}

/// Threads that can change places, and what tells them apart.
#[test]
fn copies() {
    let make = |seed, checked| program(seed, Options::of(Kind::Copies, checked));
    let explore = Limits { engine: Some("explore"), ..LIMITS };
    let assertions = PropertySet::EMPTY.with(Property::Assertions);
    let one = agree_within(explore.clone(), 75_000..76_500, move |seed| make(seed, assertions));
    assert!(one.safe > 600 && one.broken > 400 && one.skipped < 100, "{one:?}");
    let deadlocks = assertions.with(Property::Deadlocks);
    let two = agree_within(explore, 76_500..78_000, move |seed| make(seed, deadlocks));
    assert!(two.safe > 100 && two.broken > 900, "{two:?}");
    let all = agree(78_000..78_060, move |seed| make(seed, supported()));
    assert!(all.broken > 40, "{all:?}");
}

#[test]
fn indices() {
    let make = |seed, checked| program(seed, Options::of(Kind::Indices, checked));
    let [one, all] = both_ways(make, 80_000..81_200);
    assert!(one.safe > 100 && one.broken > 500 && one.undecided == 0, "{one:?}");
    assert!(all.broken > 250, "{all:?}");
}

#[test]
fn loops() {
    let make = |seed, checked| program(seed, Options::of(Kind::Loops, checked));
    let [one, all] = both_ways(make, 90_000..90_600);
    assert!(one.safe > 150 && one.broken > 100 && one.undecided == 0, "{one:?}");
    assert!(all.broken > 50, "{all:?}");
}

/// What no engine can go beyond is noticed if and only if some execution reaches it.
#[test]
fn limits() {
    let make = |seed, checked| program(seed, Options::of(Kind::Limits, checked));
    let [one, all] = both_ways(make, 110_000..111_200);
    assert!(one.safe > 300 && one.open > 200 && one.undecided == 0, "{one:?}");
    assert!(all.open > 50, "{all:?}");
}

#[test]
fn inputs() {
    let counts = agree(20_000..20_400, |seed| {
        program(seed, Options { external_inputs: true, ..Options::of(Kind::Mixed, supported()) })
    });
    assert!(counts.broken > 100, "{counts:?}");
}

#[test]
fn waits() {
    let counts = agree(30_000..31_000, |seed| {
        let properties = [Property::Deadlocks, Property::Locks, Property::Assertions];
        let checked = properties.into_iter().collect();
        program(seed, Options { waits: true, ..Options::of(Kind::Mixed, checked) })
    });
    assert!(counts.safe > 150 && counts.broken > 300, "{counts:?}");
}

/// A bound on context switches: all interleavings within it, one by one, against the encoding.
#[test]
fn contexts() {
    let mut broken = Vec::new();
    for most in 0..=4 {
        let bound = Some(Bound { measure: Measure::Contexts, most });
        let limits = Limits { executions: 3000, bound, ..LIMITS };
        let counts = agree_within(limits, 30_000..30_150, |seed| {
            program(seed, Options::of(Kind::Mixed, supported()))
        });
        assert!(counts.safe + counts.broken > 75, "{counts:?}");
        broken.push(counts.broken);
    }
    assert!(broken[0] < broken[2] && broken[2] > 10, "the bound matters: {broken:?}");
}

#[test]
fn lifetimes() {
    let counts = agree(50_000..50_800, |seed| {
        program(
            seed,
            Options {
                lifetimes: true,
                external_inputs: true,
                ..Options::of(Kind::Mixed, supported())
            },
        )
    });
    assert!(counts.safe > 100 && counts.broken > 250 && counts.undecided < 20, "{counts:?}");
}

#[test]
fn leaks() {
    let counts = agree(40_000..41_000, |seed| {
        let checked = PropertySet::EMPTY.with(Property::Leaks);
        program(seed, Options { lifetimes: true, ..Options::of(Kind::Mixed, checked) })
    });
    assert!(counts.safe > 500 && counts.broken > 25 && counts.undecided < 20, "{counts:?}");
}

/// Programs on which the engines once disagreed: sections that do not complete, races of
/// compare-exchanges, reads after writes in such sections (wrongly safe), threads that spin after
/// main has returned.
#[test]
fn mended() {
    for seed in [311, 1496, 1579, 1627, 2833, 2840, 5788] {
        agree(seed..seed + 1, |seed| {
            let checked = PropertySet::EMPTY.with(Property::Assertions);
            program(seed, Options::of(Kind::Mixed, checked))
        });
    }
    for seed in [100_273, 100_471, 101_147, 101_276] {
        agree(seed..seed + 1, |seed| {
            let options = Options::of(Kind::Mixed, supported());
            program(seed, options)
        });
    }
    for seed in [207_233, 208_785, 215_714, 200_054, 200_093, 200_325] {
        agree(seed..seed + 1, |seed| {
            let checked = supported().with(Property::Deadlocks);
            program(seed, Options { lifetimes: true, ..Options::of(Kind::Mixed, checked) })
        });
    }
}

#[test]
fn seeds_decide() {
    let options = Options {
        lifetimes: true,
        external_inputs: true,
        waits: true,
        ..Options::new(supported())
    };
    for seed in 0..20 {
        let text = |p| raddle_ir::print::program(&p);
        assert_eq!(text(program(seed, options)), text(program(seed, options)), "seed {seed}");
    }
}
