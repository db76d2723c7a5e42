//! IC3 and bounded model checking on circuits of random programs, against Berkeley ABC (`pdr`, `bmc3`).
//!
//! The circuits go through files, so what is written and read is compared as well. The long run is
//! `RADDLE_CIRCUITS=1000 cargo test --release -p raddle-testgen --test abc`.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use raddle_aig::{System, aiger};
use raddle_engines::Budget;
use raddle_engines::circuit::export::{AigerFormat, Export};
use raddle_ir::{Property, PropertySet};
use raddle_reach::{Bmc, End, Found, Ic3, Limits, Pairs, Question, certify};
use raddle_testgen::generate::{Kind, Options, program};

/// Steps that bounded model checking looks at.
const STEPS: usize = 12;
/// Seconds for each proof.
const SECONDS: u64 = 10;

/// What a model checker says of all bad edges of a circuit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Proved,
    /// Something bad is reached, in this step if it is known.
    Violated(Option<usize>),
    Undecided,
}

/// The circuits of programs, as files in a folder.
fn export(folder: &Path, count: usize) -> Vec<System> {
    let checked: PropertySet = [Property::Assertions, Property::Races].into_iter().collect();
    let mut systems = Vec::new();
    for seed in 0.. {
        if systems.len() == count {
            break;
        }
        let p = program(seed, Options::of(Kind::Mixed, checked));
        let circuit = Export::new(&p, &Budget::default());
        let bytes = circuit.expect("programs are small").aiger(AigerFormat::Binary);
        let system = aiger::read(&bytes).expect("what is written is read");
        // ABC wants other commands for circuits without latches.
        if !system.latches.is_empty() {
            let file = folder.join(format!("{}.aig", systems.len()));
            std::fs::write(file, bytes).expect("it can be written");
            systems.push(system);
        }
    }
    systems
}

/// What ABC says to a command about each circuit.
fn abc(folder: &Path, count: usize, command: &str) -> Vec<Answer> {
    let all: Vec<usize> = (0..count).collect();
    let mut answers = Vec::new();
    for some in all.chunks(20) {
        let ask = |i: &usize| format!("read_aiger {i}.aig; {command}; echo next; ");
        let commands: String = some.iter().map(ask).collect();
        let output = Command::new("berkeley-abc")
            .args(["-q", &commands])
            .current_dir(folder)
            .output()
            .expect("berkeley-abc can be started: setup.sh installs it");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said: Vec<&str> = text.split("next").take(some.len()).collect();
        assert_eq!(said.len(), some.len(), "{text}");
        answers.extend(said.into_iter().map(answer));
    }
    answers
}

fn answer(said: &str) -> Answer {
    if let Some((_, rest)) = said.split_once("was asserted in frame ") {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return Answer::Violated(Some(number.parse().expect("a number")));
    }
    match said.contains("Property proved") {
        true => Answer::Proved,
        false => Answer::Undecided,
    }
}

fn limits() -> Limits {
    let deadline = Some(Instant::now() + Duration::from_secs(SECONDS));
    Limits { deadline, ..Limits::default() }
}

/// By bounded model checking: the step in which something bad is reached.
fn by_steps(question: Question) -> Answer {
    let mut bmc = Bmc::new(question);
    for step in 0..STEPS {
        match bmc.step(&Limits::default()).expect("no limit") {
            Found::Violation(execution) => {
                assert_eq!(question.system.run(&execution).map(|bad| bad.is_empty()), Ok(false));
                return Answer::Violated(Some(step));
            }
            Found::Nothing => {}
            Found::End => unreachable!("nothing says which steps change something"),
        }
    }
    Answer::Undecided
}

fn by_ic3(question: Question) -> Answer {
    let limits = limits();
    let Ok(known) = Pairs::new(question).run(&limits) else { return Answer::Undecided };
    match Ic3::new(question, known).run(&limits) {
        Ok(End::Violated(_)) => Answer::Violated(None),
        Ok(End::Broad) => unreachable!("there are no copies"),
        Ok(End::Holds(invariant)) => {
            assert_eq!(certify(question, &invariant, &Limits::default()), Ok(()));
            Answer::Proved
        }
        Err(_) => Answer::Undecided,
    }
}

#[test]
fn another_model_checker_says_the_same() {
    let number = std::env::var("RADDLE_CIRCUITS").ok().and_then(|n| n.parse().ok());
    let count = number.unwrap_or(60);
    let folder = tempfile::tempdir().expect("a folder");
    let systems = export(folder.path(), count);
    let stepped = abc(folder.path(), count, &format!("bmc3 -F {STEPS}"));
    let proved = abc(folder.path(), count, &format!("pdr -T {SECONDS}"));
    let (mut safe, mut violated) = (0, 0);
    for (i, system) in systems.iter().enumerate() {
        let bad: Vec<usize> = (0..system.bad.len()).collect();
        let question = Question { system, bad: &bad, moves: None, exclusive: &[] };
        let ours = by_steps(question);
        assert_eq!(ours, stepped[i], "circuit {i}, step by step");
        // What is bad in the first step is not a question for IC3.
        if ours == Answer::Violated(Some(0)) {
            continue;
        }
        match (by_ic3(question), proved[i]) {
            (Answer::Proved, Answer::Proved) => safe += 1,
            (Answer::Violated(_), Answer::Violated(_)) => violated += 1,
            (Answer::Undecided, _) | (_, Answer::Undecided) => {}
            (ours, other) => panic!("circuit {i}: {ours:?}, Berkeley ABC: {other:?}"),
        }
    }
    println!("{count} circuits: {safe} proved and {violated} violated by both");
    assert!(safe >= count / 10 && violated >= count / 10, "{safe} proved, {violated} violated");
}
