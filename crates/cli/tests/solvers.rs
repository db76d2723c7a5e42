//! The two back ends of the staged engine against each other, and bounds on context switches
//! against the interpreter.
//!
//! Needs the SMT solvers z3 and cvc5 (`./setup.sh --install` installs them): without them these
//! tests fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use raddle_cli::load;
use raddle_engines::bounded::solver::SmtSolver;
use raddle_engines::staged::{self, Staged};
use raddle_engines::{
    Budget, Cut, Engine, Outcome, Settings, Switch, SwitchSet, Task, Verdict, explore::Explore,
};
use raddle_interp::FindingKey;
use raddle_ir::{Program, Property, PropertySet};

fn solver(name: &str) -> SmtSolver {
    raddle_cli::solver::solver(name).unwrap_or_else(|e| panic!("{e} (or ./setup.sh --install)"))
}

/// A program of the repository for the properties that the staged engine decides.
fn program(path: &Path) -> (Program, PropertySet) {
    let text = std::fs::read_to_string(path).expect("a program");
    let words: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// args:"))
        .flat_map(str::split_whitespace)
        .collect();
    let given = words.iter().position(|w| *w == "--property").map(|i| words[i + 1].to_string());
    let checked = load::properties(given.as_slice()).expect("properties");
    let checked = staged::ROW.decided(checked);
    let bits = if words.contains(&"--32") { 32 } else { 64 };
    (read(path, checked, bits), checked)
}

fn read(path: &Path, checked: PropertySet, pointer_bits: u32) -> Program {
    let options = raddle_frontend::Options { checked, pointer_bits, ..Default::default() };
    let mut loaded = raddle_frontend::load(&[path.to_path_buf()], &options).expect("it compiles");
    raddle_properties::instrument(&mut loaded.program, checked);
    loaded.program
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(folder);
    let entries = std::fs::read_dir(root).expect("a folder of programs");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// How long an engine may take for a program.
const LIMIT: Duration = Duration::from_secs(120);

fn check(engine: &mut dyn Engine, program: &Program, settings: &Settings) -> Outcome {
    let task = Task { program, settings };
    let budget = Budget::until(Some(Instant::now() + LIMIT));
    engine.check(&task, &budget, &mut |_| {})
}

fn keys(outcome: &Outcome) -> BTreeSet<FindingKey> {
    outcome.findings.iter().map(|t| t.key().clone()).collect()
}

/// Runs with the stack that engines need.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new()
        .stack_size(raddle_cli::watch::STACK)
        .spawn(work)
        .expect("starts");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

/// The same verdict, bounds and findings with a solver as without.
fn agree(name: &'static str, folders: &'static [&'static str], without: &'static [Switch]) {
    with_stack(move || {
        let (mut verdicts, mut late) = ([0; 2], Vec::new());
        for path in folders.iter().flat_map(|f| programs(f)) {
            let (program, checked) = program(&path);
            if checked == PropertySet::EMPTY {
                continue;
            }
            let own = check(&mut Staged::default(), &program, &Settings::default());
            let without = without.iter().collect();
            let mut staged = Staged::with(without, Some(solver(name)));
            let start = Instant::now();
            let other = check(&mut staged, &program, &Settings::default());
            // A solver that takes too long disagrees with nothing: its answer is that of the last
            // bound that it has finished, or none.
            if start.elapsed() >= LIMIT {
                late.push(path);
                continue;
            }
            assert_eq!(own.verdict, other.verdict, "{name}: {}", path.display());
            // Which combinations of lines deadlock together depends on the models.
            let plain = |o: &Outcome| -> BTreeSet<FindingKey> {
                keys(o).into_iter().filter(|k| k.property != "deadlocks").collect()
            };
            assert_eq!(plain(&own), plain(&other), "{name}: {}", path.display());
            match own.verdict {
                Verdict::Safe(_) => verdicts[0] += 1,
                Verdict::Unsafe => verdicts[1] += 1,
                Verdict::Bounded(_) | Verdict::Unknown(_) => {}
            }
        }
        assert!(verdicts.iter().all(|&n| n > 5), "both answers occur: {verdicts:?}");
        assert!(late.len() < 5, "too slow: {late:?}");
    });
}

#[test]
fn z3_agrees() {
    agree("z3", &["atomics", "spin", "mutex", "memory", "threads"], &[]);
}

#[test]
fn z3_agrees_without_optimisations() {
    agree("z3", &["atomics", "mutex"], &[staged::MHP, staged::KILL, staged::VALUE]);
}

#[test]
fn cvc5_agrees() {
    agree("cvc5", &["atomics", "mutex"], &[]);
}

/// Programs that need some context switches, with how many for the first finding.
const SWITCHES: &[(&str, u32, &str)] = &[
    (
        "one thread writes, main looks",
        2,
        "int x; void *f(void *a) { x = 1; return a; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) assert(0); return 0; }",
    ),
    (
        "a thread fails by itself",
        1,
        "int x; void *f(void *a) { int i = x; assert(i != 0); return a; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
    ),
    (
        "main joins a thread that does nothing",
        2,
        "void *f(void *a) { return a; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(0); }",
    ),
    (
        "a lost update",
        4,
        "int x; void *f(void *a) { int v = x; x = v + 1; return a; }
         int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
         pthread_join(t, 0); pthread_join(u, 0); assert(x == 2); return 0; }",
    ),
    (
        "ping and pong",
        5,
        "int x; void *f(void *a) { if (x == 1) x = 2; if (x == 3) x = 4; if (x == 5) assert(0); return a; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; if (x == 2) x = 3; if (x == 4) x = 5;
         return 0; }",
    ),
];

/// The interpreter runs all interleavings within the bound; both back ends must find the same, and
/// what they show must be within the bound.
#[test]
fn context_bounds_agree_with_all_interleavings() {
    with_stack(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let checked = PropertySet::EMPTY.with(Property::Assertions).with(Property::Races);
        for (number, (what, needed, body)) in SWITCHES.iter().enumerate() {
            let path = folder.path().join(format!("p{number}.c"));
            let text = format!("#include <assert.h>\n#include <pthread.h>\n{body}\n");
            std::fs::write(&path, text).expect("writes");
            for checked in [PropertySet::EMPTY.with(Property::Assertions), checked] {
                let program = read(&path, checked, 64);
                for most in 0..=6 {
                    bounds(what, &program, most);
                }
            }
            let program = read(&path, PropertySet::EMPTY.with(Property::Assertions), 64);
            for most in [needed - 1, *needed] {
                let settings = Settings { contexts: Some(most), ..Settings::default() };
                let outcome = check(&mut Staged::default(), &program, &settings);
                assert_eq!(outcome.verdict == Verdict::Unsafe, most == *needed, "{what}, {most}");
            }
        }
    });
}

fn bounds(what: &str, program: &Program, most: u32) {
    let settings = Settings { contexts: Some(most), ..Settings::default() };
    let all = check(&mut Explore::default(), program, &settings);
    for (name, solver) in [("own", None), ("z3", Some(solver("z3")))] {
        let mut staged = Staged::with(SwitchSet::default(), solver);
        let found = check(&mut staged, program, &settings);
        assert_eq!(keys(&found), keys(&all), "{what}, {most}, {name}: {:?}", found.verdict);
        match &found.verdict {
            Verdict::Unsafe => {}
            Verdict::Bounded(bounds) => {
                assert_eq!(bounds.cuts, [Cut::Contexts { bound: most }], "{what}, {name}");
            }
            other => panic!("{what}, {most}, {name}: {other:?}"),
        }
        for trace in &found.findings {
            let schedule = &trace.choices().schedule;
            assert!(trace.switches() <= most, "{what}, {most}, {name}: {schedule:?}");
        }
    }
}
