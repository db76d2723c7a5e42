//! Each optimisation on the smallest programs on which a wrong version of it would change the answer.
//!
//! A program is decided by the referee and by every engine, with and without each of its
//! optimisations: same verdict, same findings. Most programs come in pairs: one in which the
//! optimisation applies, and one that lacks a little.

mod counters;
mod goals;
mod idle;
mod mutexes;
mod order;
mod sections;
mod stubborn;
mod symmetry;

use std::collections::BTreeSet;

use raddle_engines::options::{Given, Host, Kind, SwitchSet, Value};
use raddle_engines::{Budget, ENGINES, EngineRow, Outcome, Role, Settings, Task, Verdict};
use raddle_interp::FindingKey;
use raddle_ir::{GlobalId, Program, Property};
use raddle_testkit::build::{Body, Builder};

/// The verdict in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Safe,
    Unsafe,
    Unknown,
}

fn word(verdict: &Verdict) -> Word {
    match verdict {
        Verdict::Safe(_) => Word::Safe,
        Verdict::Unsafe => Word::Unsafe,
        Verdict::Bounded(_) | Verdict::Unknown(_) => Word::Unknown,
    }
}

fn run(row: &EngineRow, program: &Program, given: &Given) -> Outcome {
    let settings = Settings { recheck: true, ..Settings::new(given) };
    let mut engine = (row.make)(given, &Host::default()).expect("nothing unusual is asked for");
    engine.check(&Task { program, settings: &settings }, &Budget::default(), &mut |_| {})
}

fn without(switches: SwitchSet) -> Given {
    let mut given = Given::default();
    given.without = switches;
    given
}

/// An engine as it is, without each of its optimisations, and with each of its flags.
fn variants(row: &EngineRow) -> Vec<Given> {
    // Without control-state reachability proofs take minutes even here: that is what it is for.
    // Generated programs are compared without it, within a limit of time.
    let some = row.switches.iter().filter(|s| s.name != "csr");
    let some = some.map(|s| without(SwitchSet::default().with(s)));
    let flags = row.options.iter().filter(|o| o.kind == Kind::Flag);
    let flags = flags.map(|flag| Given::default().with(flag, Value::Flag));
    std::iter::once(Given::default()).chain(some).chain(flags).collect()
}

fn keys(outcome: &Outcome) -> BTreeSet<FindingKey> {
    outcome.findings.iter().map(|t| t.key().clone()).collect()
}

/// All engines that decide what is checked give this answer, with and without each optimisation.
fn check(program: &Program, expected: Word) {
    let referee = ENGINES.iter().find(|row| row.role == Role::Referee).expect("there is one");
    let referee = run(referee, program, &without(referee.switches.iter().collect()));
    let text = || raddle_ir::print::program(program);
    assert_eq!(word(&referee.verdict), expected, "referee: {:?}\n{}", referee.verdict, text());
    let decides = |row: &&EngineRow| row.decided(program.checked) == program.checked;
    for row in ENGINES.iter().filter(|row| row.role != Role::Portfolio).filter(decides) {
        for given in variants(row) {
            let answer = run(row, program, &given);
            let (verdict, notes) = (&answer.verdict, &answer.notes);
            let how = format!("{} with {given:?}: {verdict:?} {notes:?}", row.name);
            assert_eq!(word(verdict), expected, "{how}\n{}", text());
            assert_eq!(keys(&answer), keys(&referee), "{how}\n{}", text());
        }
    }
}

/// Two threads, which main starts and joins. Globals: two numbers x and y, two mutexes m and n.
fn two_threads(
    checked: &[Property],
    first: impl FnOnce(&mut Body<'_>, Globals),
    second: impl FnOnce(&mut Body<'_>, Globals),
) -> Program {
    let mut b = Builder::checking(checked);
    let globals = Globals::new(&mut b);
    let one = b.thread("first", &[], |f| first(f, globals));
    let two = b.thread("second", &[], |f| second(f, globals));
    let main = b.thread("main", &[], |f| {
        let threads = [one, two].map(|func| f.create(func));
        for thread in threads {
            f.join(thread);
        }
    });
    b.finish(main)
}

#[derive(Clone, Copy)]
struct Globals {
    x: GlobalId,
    y: GlobalId,
    m: GlobalId,
    n: GlobalId,
}

impl Globals {
    fn new(b: &mut Builder) -> Globals {
        let [x, y, m, n] = ["x", "y", "m", "n"].map(|name| b.global(name, 4));
        Globals { x, y, m, n }
    }
}

const ASSERTIONS: &[Property] = &[Property::Assertions];
