//! All methods against brute force on random transition systems: who finds something bad, who
//! proves that there is nothing, and invariants that are none when they are changed.

use std::collections::BTreeSet;

use raddle_aig::{Edge, Gates, Input, Latch, System};
use raddle_reach::{
    BDD_NODES, Bdd, BddEnd, Bit, Bmc, Choice, Cube, Direction, End, Flaw, Found, Ic3, Induction,
    Interrupted, Limits, Pairs, Plan, Processes, Question, Rounds, certify, minimal,
};
use raddle_testkit::Random;

fn random_system(random: &mut Random) -> System {
    let mut system = System::default();
    let mut pool = vec![Edge::TRUE];
    for i in 0..random.index(3) {
        let now = system.graph.free();
        system.inputs.push(Input { now, name: format!("i{i}") });
        pool.push(now);
    }
    for i in 0..1 + random.index(6) {
        let now = system.graph.free();
        let initial = random.pick(&[Some(false), Some(false), Some(true), None]);
        system.latches.push(Latch { now, next: now, initial, name: format!("l{i}") });
        pool.push(now);
    }
    for _gate in 0..random.index(40) {
        let mut pick = || random.pick(&pool).complement_if(random.chance(50));
        let (a, b, c) = (pick(), pick(), pick());
        let new = match random.index(4) {
            0 => system.graph.xor(a, b),
            1 => system.graph.ite(a, b, c),
            _ => system.graph.and(a, b),
        };
        pool.push(new);
    }
    for i in 0..system.latches.len() {
        system.latches[i].next = random.pick(&pool).complement_if(random.chance(50));
    }
    let mut bad = random.pick(&pool);
    for _more in 0..random.index(4) {
        let other = random.pick(&pool).complement_if(random.chance(50));
        bad = system.graph.and(bad, other);
    }
    system.bad = vec![bad];
    if random.chance(25) {
        system.constraints = vec![random.pick(&pool)];
    }
    system
}

fn bits(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| number >> i & 1 == 1).collect()
}

/// In how many steps something bad is reached, and all states that are.
fn brute_force(system: &System) -> (Option<usize>, BTreeSet<Vec<bool>>) {
    let (latches, inputs) = (system.latches.len(), system.inputs.len());
    let initial = |s: &Vec<bool>| {
        system.latches.iter().zip(s).all(|(l, v)| l.initial.is_none_or(|i| i == *v))
    };
    let mut frontier: BTreeSet<Vec<bool>> =
        (0..1 << latches).map(|n| bits(n, latches)).filter(initial).collect();
    let mut seen = BTreeSet::new();
    let mut first = None;
    for depth in 0.. {
        let mut next = BTreeSet::new();
        for state in &frontier {
            seen.insert(state.clone());
            for n in 0..1 << inputs {
                let values = system.values(state, &bits(n, inputs));
                let value = |e: Edge| values[e.node()] != e.is_complement();
                if !system.constraints.iter().all(|&c| value(c)) {
                    continue;
                }
                if system.bad.iter().any(|&b| value(b)) {
                    first = first.or(Some(depth));
                }
                next.insert(system.latches.iter().map(|l| value(l.next)).collect());
            }
        }
        frontier = next.difference(&seen).cloned().collect();
        if frontier.is_empty() {
            return (first, seen);
        }
    }
    unreachable!("there are finitely many states")
}

/// Forward: the same depth and number of states as brute force, with and without cases; backward: the
/// same answer.
#[test]
fn diagrams_agree_with_brute_force() {
    let mut random = Random::new(11);
    let limits = Limits::default();
    let (mut violated, mut groups) = (0, 0);
    for round in 0..400 {
        let system = random_system(&mut random);
        let question = Question { system: &system, bad: &[0], moves: None, exclusive: &[] };
        let (depth, reached) = brute_force(&system);
        violated += usize::from(depth.is_some());
        let exclusive: Vec<Vec<u32>> = never_both(&reached).into_iter().take(2).collect();
        groups += exclusive.len();
        let question = Question { exclusive: &exclusive, ..question };
        let mut order: Vec<u32> = (0..system.latches.len() as u32).collect();
        for i in 1..order.len() {
            order.swap(i, random.index(i + 1));
        }
        let inputs: Vec<usize> = (0..system.inputs.len()).collect();
        let split = &inputs[..random.index(inputs.len() + 1)];
        for direction in [Direction::Forward, Direction::Backward] {
            let mut bdd =
                Bdd::new(question, Plan { direction, order: &order, split, nodes: BDD_NODES });
            match bdd.run(&limits).expect("no limit") {
                BddEnd::Violated(execution) => {
                    assert_eq!(system.run(&execution), Ok(vec![0]), "round {round}");
                    assert_eq!(depth, Some(execution.inputs.len() - 1), "round {round}");
                }
                BddEnd::Holds => {
                    assert_eq!(depth, None, "round {round}");
                    if direction == Direction::Forward {
                        assert_eq!(bdd.states(), reached.len() as f64, "round {round}");
                    }
                }
                BddEnd::Full => panic!("round {round}: it is small"),
            }
        }
    }
    assert!((50..350).contains(&violated), "both answers occur");
    assert!(groups > 100, "cases are also told apart by latches");
}

/// Pairs of latches that are never both set.
fn never_both(reached: &BTreeSet<Vec<bool>>) -> Vec<Vec<u32>> {
    let latches = reached.first().map_or(0, Vec::len);
    let pairs = (0..latches).flat_map(|a| (a + 1..latches).map(move |b| (a, b)));
    let never = pairs.filter(|&(a, b)| !reached.iter().any(|s| s[a] && s[b]));
    never.map(|(a, b)| vec![a as u32, b as u32]).collect()
}

/// Without latches that simple invariants show to be stuck something bad is as many steps away as with them.
#[test]
fn latches_that_are_stuck_can_be_left_out() {
    let mut random = Random::new(17);
    let (mut left_out, mut violated) = (0, 0);
    for round in 0..1500 {
        let system = random_system(&mut random);
        let question = Question { system: &system, bad: &[], moves: None, exclusive: &[] };
        let never = Pairs::new(question).run(&Limits::default()).expect("no limit");
        let mut stuck = vec![None; system.latches.len()];
        for bit in never.iter().filter(|c| c.len() == 1).flatten() {
            stuck[bit.latch as usize] = Some(!bit.value);
        }
        let known = raddle_aig::reduce::stuck_latches(&system);
        left_out += stuck.iter().zip(known).filter(|(s, k)| s.is_some() && k.is_none()).count();
        let smaller = raddle_aig::reduce::part(&system, stuck).system;
        let depth = brute_force(&system).0;
        violated += usize::from(depth.is_some());
        assert_eq!(brute_force(&smaller).0, depth, "round {round}");
    }
    assert!((200..1300).contains(&violated), "both answers occur: {violated}");
    assert!(left_out > 50, "more than simulation shows: {left_out}");
}

#[test]
fn diagrams_stop_when_the_time_is_up() {
    let system = random_system(&mut Random::new(11));
    let question = Question { system: &system, bad: &[0], moves: None, exclusive: &[] };
    let order: Vec<u32> = (0..system.latches.len() as u32).collect();
    let plan = Plan { direction: Direction::Forward, order: &order, split: &[], nodes: BDD_NODES };
    let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let mut bdd = Bdd::new(question, plan);
    assert_eq!(bdd.run(&over), Err(Interrupted));
    assert!(bdd.run(&Limits::default()).is_ok(), "it goes on");
}

#[test]
fn all_methods_agree_with_brute_force() {
    let mut random = Random::new(3);
    let limits = Limits::default();
    let (mut violated, mut learned, mut simple) = (0, 0, 0);
    for round in 0..1500 {
        let system = random_system(&mut random);
        let question = Question { system: &system, bad: &[0], moves: None, exclusive: &[] };
        let (depth, reached) = brute_force(&system);
        let mut bmc = Bmc::new(question);
        let states = 1 << system.latches.len();
        let found = (0..=states).find_map(|_| match bmc.step(&limits).expect("no limit") {
            Found::Violation(execution) => Some(execution),
            Found::Nothing => None,
            Found::End => unreachable!("nothing says which steps change something"),
        });
        assert_eq!(found.as_ref().map(|e| e.inputs.len() - 1), depth, "round {round}");
        if let Some(execution) = &found {
            assert_eq!(system.run(execution), Ok(vec![0]), "round {round}");
            violated += 1;
        }
        let known = simple_invariants(question, &reached);
        simple += known.len();
        let mut induction = Induction::new(question, &known);
        let most = depth.unwrap_or(states);
        let proved = (0..=most).any(|_| induction.step(&limits).expect("no limit"));
        // What is bad after `depth` steps is preceded by at most as many good ones.
        assert_eq!(proved, depth.is_none(), "round {round}");
        if depth == Some(0) {
            continue;
        }
        match Ic3::new(question, known).run(&limits).expect("no limit") {
            End::Violated(execution) => {
                assert!(depth.is_some(), "round {round}");
                assert_eq!(system.run(&execution), Ok(vec![0]), "round {round}");
            }
            End::Broad => unreachable!("there are no copies"),
            End::Holds(invariant) => {
                assert_eq!(depth, None, "round {round}");
                assert_eq!(certify(question, &invariant, &limits), Ok(()), "round {round}");
                learned += invariant.len();
                for cube in &invariant {
                    let inside =
                        |s: &&Vec<bool>| cube.iter().all(|b| s[b.latch as usize] == b.value);
                    assert!(reached.iter().find(inside).is_none(), "round {round}");
                }
                needs_every_cube(question, &invariant);
                for i in 0..invariant.len() {
                    let mut wrong = invariant.clone();
                    for bit in &mut wrong[i] {
                        bit.value = !bit.value;
                    }
                    let holds = |s: &Vec<bool>| {
                        wrong.iter().all(|c| c.iter().any(|b| s[b.latch as usize] != b.value))
                    };
                    if !reached.iter().all(holds) {
                        assert_ne!(certify(question, &wrong, &limits), Ok(()), "round {round}");
                    }
                }
            }
        }
    }
    assert!(violated > 200 && learned > 200, "{violated} violated, {learned} cubes");
    assert!(simple > 2000, "{simple} simple cubes");
}

/// The cubes of one or two values that are found beforehand: none of them is reached, they are an
/// invariant by themselves, and the largest one.
fn simple_invariants(question: Question, reached: &BTreeSet<Vec<bool>>) -> Vec<Cube> {
    let found = Pairs::new(question).run(&Limits::default()).expect("no limit");
    let without_walks = Pairs::after_walks(question, 0).run(&Limits::default());
    assert_eq!(without_walks, Ok(found.clone()), "walks decide about the time only");
    let in_cube = |s: &[bool], c: &Cube| c.iter().all(|b| s[b.latch as usize] == b.value);
    for cube in &found {
        assert!(!reached.iter().any(|s| in_cube(s, cube)), "{cube:?}");
    }
    let system = question.system;
    let follows = |s: &Vec<bool>, known: &[Cube]| {
        let excluded = |s: &[bool]| known.iter().any(|c| in_cube(s, c));
        let mut after = Vec::new();
        for n in (0..1 << system.inputs.len()).filter(|_| !excluded(s)) {
            let values = system.values(s, &bits(n, system.inputs.len()));
            let value = |e: Edge| values[e.node()] != e.is_complement();
            if system.constraints.iter().all(|&c| value(c)) {
                after.push(system.latches.iter().map(|l| value(l.next)).collect::<Vec<bool>>());
            }
        }
        after
    };
    // By brute force: all cubes without initial state, then fewer, until steps enter none of them.
    let latches = system.latches.len();
    let states: Vec<Vec<bool>> = (0..1 << latches).map(|n| bits(n, latches)).collect();
    let initial = |s: &Vec<bool>| {
        system.latches.iter().zip(s).all(|(l, v)| l.initial.is_none_or(|i| i == *v))
    };
    let all_bits: Vec<Bit> = (0..latches as u32)
        .flat_map(|latch| [false, true].map(|value| Bit { latch, value }))
        .collect();
    let mut largest: Vec<Cube> = all_bits.iter().map(|b| vec![*b]).collect();
    for a in &all_bits {
        largest.extend(all_bits.iter().filter(|b| b.latch > a.latch).map(|b| vec![*a, *b]));
    }
    largest.retain(|c| !states.iter().any(|s| initial(s) && in_cube(s, c)));
    loop {
        let after: Vec<Vec<bool>> = states.iter().flat_map(|s| follows(s, &largest)).collect();
        let before = largest.len();
        largest.retain(|c| !after.iter().any(|s| in_cube(s, c)));
        if largest.len() == before {
            break;
        }
    }
    let excluded = |s: &Vec<bool>, known: &[Cube]| known.iter().any(|c| in_cube(s, c));
    for state in &states {
        assert_eq!(excluded(state, &found), excluded(state, &largest), "{state:?}");
    }
    found
}

/// A minimal part is an invariant; without a cube, or with one negated, it is none.
fn needs_every_cube(question: Question, invariant: &[Cube]) {
    let limits = Limits::default();
    let part = minimal(question, invariant, &limits).expect("it is an invariant");
    assert_eq!(certify(question, &part, &limits), Ok(()));
    for i in 0..part.len() {
        let mut wrong = part.clone();
        let cube = wrong.remove(i);
        assert_ne!(certify(question, &wrong, &limits), Ok(()), "without {cube:?}");
        wrong.extend(cube.iter().map(|b| vec![Bit { value: !b.value, ..*b }]));
        assert_ne!(certify(question, &wrong, &limits), Ok(()), "with {cube:?} negated");
    }
}

#[test]
fn what_excludes_each_other_is_checked() {
    let mut system = System::default();
    for i in 0..2 {
        let now = system.graph.free();
        system.latches.push(Latch { now, next: now, initial: Some(false), name: format!("l{i}") });
    }
    let input = system.graph.free();
    system.inputs.push(Input { now: input, name: "i".into() });
    system.latches[0].next = input;
    system.latches[1].next = !input;
    let both = system.graph.and(system.latches[0].now, system.latches[1].now);
    system.bad = vec![both];
    let exclusive = [vec![0, 1]];
    let question = Question { system: &system, bad: &[0], moves: None, exclusive: &exclusive };
    assert_eq!(certify(question, &[], &Limits::default()), Ok(()));
    system.latches[1].next = input;
    let question = Question { system: &system, bad: &[0], moves: None, exclusive: &exclusive };
    let flaw = Flaw::Exclusive(0, 1);
    assert_eq!(certify(question, &[], &Limits::default()), Err(flaw));
}

/// A system of processes: the first two inputs choose one of them, or nobody. Bad edge 1 says that a
/// latch changes.
fn random_processes(random: &mut Random) -> (System, Choice) {
    let mut system = System::default();
    for i in 0..2 + random.index(2) {
        let now = system.graph.free();
        system.inputs.push(Input { now, name: format!("i{i}") });
    }
    for i in 0..2 + random.index(4) {
        let now = system.graph.free();
        let initial = random.pick(&[Some(false), Some(false), Some(true), None]);
        system.latches.push(Latch { now, next: now, initial, name: format!("l{i}") });
    }
    let count = 1 + random.index(3);
    let mut pool: Vec<Edge> = system.latches.iter().map(|l| l.now).collect();
    pool.extend(system.inputs[2..].iter().map(|i| i.now));
    for _gate in 0..random.index(20) {
        let mut pick = || random.pick(&pool).complement_if(random.chance(50));
        let (a, b, c) = (pick(), pick(), pick());
        let new = match random.index(4) {
            0 => system.graph.xor(a, b),
            1 => system.graph.ite(a, b, c),
            _ => system.graph.and(a, b),
        };
        pool.push(new);
    }
    let processes: Vec<Vec<bool>> = (0..count).map(|p| bits(p, 2)).collect();
    for process in &processes {
        let chosen: Vec<Edge> = process
            .iter()
            .zip(&system.inputs)
            .map(|(&value, input)| input.now.complement_if(!value))
            .collect();
        let chosen = system.graph.and_many(&chosen);
        for i in (0..system.latches.len()).filter(|_| random.chance(60)).collect::<Vec<_>>() {
            let value = random.pick(&pool).complement_if(random.chance(50));
            let guard = random.pick(&pool).complement_if(random.chance(50));
            let taken = system.graph.and(chosen, guard);
            system.latches[i].next = system.graph.ite(taken, value, system.latches[i].next);
        }
    }
    let mut bad = random.pick(&pool);
    for _more in 0..1 + random.index(4) {
        let other = random.pick(&pool).complement_if(random.chance(50));
        bad = system.graph.and(bad, other);
    }
    let mut changes = Vec::new();
    for i in 0..system.latches.len() {
        let Latch { now, next, .. } = system.latches[i];
        changes.push(system.graph.xor(now, next));
    }
    system.bad = vec![bad, system.graph.or_many(&changes)];
    (system, Choice { inputs: vec![0, 1], processes, nobody: vec![true, true] })
}

/// In rounds something is found iff it is there, in no more rounds than steps, and in an execution of
/// the system; and if executions end there is no more of them step by step either.
#[test]
fn rounds_agree_with_steps() {
    let mut random = Random::new(29);
    let limits = Limits::default();
    let (mut violated, mut sooner, mut ended) = (0, 0, 0);
    for number in 0..1500 {
        let (mut system, choice) = random_processes(&mut random);
        let moves = system.bad.pop().expect("it says what changes");
        let (depth, _) = brute_force(&system);
        let question = Question { system: &system, bad: &[0], moves: Some(moves), exclusive: &[] };
        let processes = Processes::new(&system, &choice, moves);
        let mut rounds = Rounds::new(question, &processes);
        let found = (0..=1 << system.latches.len()).find_map(|_| {
            match rounds.step(&limits).expect("no limit") {
                Found::Nothing => None,
                found => Some(found),
            }
        });
        match found {
            Some(Found::Violation(execution)) => {
                let steps = depth.unwrap_or_else(|| panic!("number {number}: there is none"));
                assert_eq!(system.run(&execution), Ok(vec![0]), "number {number}");
                assert!(rounds.depth() <= steps, "number {number}");
                assert!(execution.inputs.len() > steps, "number {number}: steps are shortest");
                violated += 1;
                sooner += usize::from(rounds.depth() < steps);
            }
            Some(Found::End) => {
                assert_eq!(depth, None, "number {number}");
                let mut bmc = Bmc::new(question);
                let end =
                    (0..=rounds.depth()).find_map(|_| match bmc.step(&limits).expect("no limit") {
                        Found::Nothing => None,
                        found => Some(found),
                    });
                assert_eq!(end, Some(Found::End), "number {number}");
                ended += 1;
            }
            Some(Found::Nothing) | None => assert_eq!(depth, None, "number {number}"),
        }
    }
    assert!(violated > 200, "{violated} violated");
    assert!(sooner > 20, "{sooner} in fewer rounds than steps");
    assert!(ended > 20, "{ended} ended");
}
