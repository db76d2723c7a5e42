//! Random transition systems: reading back what was written, and reducing, change no behaviour.

use raddle_aig::aiger::{Format, Malformed, read, read_witness, write};
use raddle_aig::btor2;
use raddle_aig::reduce::reduced;
use raddle_aig::{Edge, Execution, Gates, Input, Latch, System};
use raddle_testkit::Random;
use std::collections::BTreeMap;

fn random_system(random: &mut Random) -> System {
    let mut system = System::default();
    let mut pool = vec![Edge::TRUE];
    for i in 0..1 + random.index(3) {
        let now = system.graph.free();
        system.inputs.push(Input { now, name: format!("in {i}") });
        pool.push(now);
    }
    for i in 0..1 + random.index(5) {
        let now = system.graph.free();
        let initial = random.pick(&[Some(false), Some(false), Some(true), None]);
        system.latches.push(Latch { now, next: now, initial, name: format!("latch {i}") });
        pool.push(now);
    }
    for _gate in 0..random.index(30) {
        let mut pick = || random.pick(&pool).complement_if(random.chance(50));
        let (a, b) = (pick(), pick());
        pool.push(system.graph.and(a, b));
    }
    let mut pick = || random.pick(&pool).complement_if(random.chance(50));
    for latch in &mut system.latches {
        latch.next = pick();
    }
    system.bad = vec![pick(), pick()];
    if random.chance(30) {
        system.constraints = vec![random.pick(&pool)];
    }
    system.check_invariants();
    system
}

fn random_execution(random: &mut Random, system: &System) -> Execution {
    let first = system.latches.iter().map(|l| l.initial.unwrap_or(random.chance(50))).collect();
    let steps = 1 + random.index(8);
    let mut step = || system.inputs.iter().map(|_| random.chance(50)).collect();
    Execution { first, inputs: (0..steps).map(|_| step()).collect() }
}

/// Names of bad edges.
fn names(system: &System) -> Vec<String> {
    (0..system.bad.len()).map(|i| format!("bad {i}")).collect()
}

#[test]
fn files_and_reductions_keep_behaviour() {
    let mut random = Random::new(12);
    for _round in 0..3000 {
        let system = random_system(&mut random);
        let files = [Format::Text, Format::Binary].map(|f| write(&system, &names(&system), f));
        let back = files.map(|f| read(&f).expect("what was written can be read"));
        let small = reduced(&system);
        for _run in 0..5 {
            let execution = random_execution(&mut random, &system);
            let expected = system.run(&execution);
            for back in &back {
                assert_eq!(back.run(&execution), expected, "{system:#?}");
                assert_eq!(back.latches[0].name, "latch 0");
            }
            let pick = |all: &[bool], kept: &[usize]| kept.iter().map(|&i| all[i]).collect();
            let part = Execution {
                first: pick(&execution.first, &small.latches),
                inputs: execution.inputs.iter().map(|i| pick(i, &small.inputs)).collect(),
            };
            assert_eq!(small.system.run(&part), expected, "{system:#?}");
        }
    }
}

#[test]
fn what_is_no_file_is_refused() {
    let refused = |text: &str| read(text.as_bytes()).expect_err("it is malformed");
    assert_eq!(refused(""), Malformed::End);
    assert_eq!(refused("aig 1\n"), Malformed::Header);
    assert_eq!(refused("aag 1 1 1 0 0\n"), Malformed::Header);
    assert_eq!(refused("aag 1 1 0 0 0\n"), Malformed::End);
    assert_eq!(refused("aag 1 1 0 0 0\nx\n"), Malformed::Line(2));
    assert_eq!(refused("aag 1 1 0 1 0\n2\n6\n"), Malformed::Undefined(6));
    assert_eq!(refused("aag 1 1 0 0 0 0 0 1\n2\n"), Malformed::Liveness);
}

#[test]
fn witnesses_are_executions() {
    let file = "aag 3 1 1 0 1 1\n2\n4 6\n4\n6 2 5\n";
    let system = read(file.as_bytes()).expect("a file");
    let witness = read_witness("1\nb0\n0\n1\nx\n.\n", &system).expect("a witness");
    assert_eq!(witness.inputs, [[true], [false]]);
    assert_eq!(system.run(&witness), Ok(vec![0]));
    assert_eq!(read_witness("1\nb0\n00\n.\n", &system), Err(Malformed::Line(3)));
    assert_eq!(read_witness("1\nb0\n0\n1\n", &system), Err(Malformed::End));
}

/// The bad lines that hold in the last step, by a reader of its own for the few operators that are written.
fn run_btor2(text: &str, execution: &Execution) -> Result<Vec<usize>, &'static str> {
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(' ').collect()).collect();
    let number = |word: &str| word.parse::<usize>().expect("a number");
    let mut state: BTreeMap<usize, bool> = BTreeMap::new();
    let states = lines.iter().filter(|l| l[1] == "state").map(|l| number(l[0]));
    state.extend(states.zip(execution.first.iter().copied()));
    for line in lines.iter().filter(|l| l[1] == "init") {
        if state[&number(line[3])] != (line[4] == "3") {
            return Err("it does not begin in an initial state");
        }
    }
    let mut bad = Vec::new();
    for inputs in &execution.inputs {
        let mut values = state.clone();
        let (mut inputs, mut allowed) = (inputs.iter(), true);
        bad.clear();
        let mut bads = 0..;
        for line in &lines {
            let own = number(line[0]);
            let value = |i: usize| values[&number(line[i])];
            match line[1] {
                "zero" => _ = values.insert(own, false),
                "one" => _ = values.insert(own, true),
                "input" => _ = values.insert(own, *inputs.next().expect("one for each input")),
                "not" => _ = values.insert(own, !value(3)),
                "and" => _ = values.insert(own, value(3) && value(4)),
                "next" => _ = state.insert(number(line[3]), value(4)),
                "constraint" => allowed &= value(2),
                "bad" => bad.extend(bads.next().filter(|_| value(2))),
                "sort" | "state" | "init" => {}
                other => panic!("{other}"),
            }
        }
        if !allowed {
            return Err("it breaks a constraint");
        }
    }
    Ok(bad)
}

#[test]
fn btor2_files_behave_alike() {
    let mut random = Random::new(13);
    for _round in 0..1000 {
        let system = random_system(&mut random);
        let text = btor2::write(&system, &names(&system));
        for _run in 0..5 {
            let execution = random_execution(&mut random, &system);
            assert_eq!(run_btor2(&text, &execution), system.run(&execution), "{text}");
        }
    }
}
