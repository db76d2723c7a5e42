//! Fair infinite executions of random systems, against brute force: who finds a lasso, who proves that
//! there is none.

use raddle_aig::{Edge, Gates, Input, Latch, System};
use raddle_reach::{
    BDD_NODES, Bmc, Direction, End, Fair, FairEnd, Found, Ic3, Lasso, Limits, Plan, Question, lasso,
};
use raddle_testkit::Random;

/// A system, and what must hold infinitely often.
fn random_system(random: &mut Random) -> (System, Vec<Edge>) {
    let mut system = System::default();
    let mut pool = vec![Edge::TRUE];
    for i in 0..random.index(3) {
        let now = system.graph.free();
        system.inputs.push(Input { now, name: format!("i{i}") });
        pool.push(now);
    }
    for i in 0..1 + random.index(4) {
        let now = system.graph.free();
        let initial = random.pick(&[Some(false), Some(true), None]);
        system.latches.push(Latch { now, next: now, initial, name: format!("l{i}") });
        pool.push(now);
    }
    for _gate in 0..random.index(25) {
        let mut pick = || random.pick(&pool).complement_if(random.chance(50));
        let (a, b, c) = (pick(), pick(), pick());
        let new = match random.index(3) {
            0 => system.graph.xor(a, b),
            1 => system.graph.ite(a, b, c),
            _ => system.graph.and(a, b),
        };
        pool.push(new);
    }
    let pick = |random: &mut Random| random.pick(&pool).complement_if(random.chance(50));
    for i in 0..system.latches.len() {
        system.latches[i].next = pick(random);
    }
    let justice = (0..random.index(4)).map(|_| pick(random)).collect();
    if random.chance(40) {
        system.constraints = vec![pick(random)];
    }
    (system, justice)
}

fn bits(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| number >> i & 1 == 1).collect()
}

fn number(bits: impl Iterator<Item = bool>) -> usize {
    bits.enumerate().map(|(i, b)| usize::from(b) << i).sum()
}

/// Whether there is an infinite execution in which each condition holds infinitely often.
fn has_fair_execution(system: &System, justice: &[Edge]) -> bool {
    let (latches, inputs) = (system.latches.len(), system.inputs.len());
    let states = 1 << latches;
    // From, to, which conditions hold.
    let mut edges: Vec<(usize, usize, Vec<bool>)> = Vec::new();
    for state in 0..states {
        for input in 0..1 << inputs {
            let values = system.values(&bits(state, latches), &bits(input, inputs));
            let value = |e: Edge| values[e.node()] != e.is_complement();
            if system.constraints.iter().all(|&c| value(c)) {
                let next = number(system.latches.iter().map(|l| value(l.next)));
                edges.push((state, next, justice.iter().map(|&j| value(j)).collect()));
            }
        }
    }
    let reach = |from: Vec<usize>| {
        let mut seen = vec![false; states];
        let mut work = from;
        while let Some(s) = work.pop() {
            for &(a, b, _) in edges.iter().filter(|e| e.0 == s) {
                debug_assert_eq!(a, s);
                if !seen[b] {
                    seen[b] = true;
                    work.push(b);
                }
            }
        }
        seen
    };
    let begins = |s: &usize| {
        let state = bits(*s, latches);
        system.latches.iter().zip(state).all(|(l, v)| l.initial.is_none_or(|i| i == v))
    };
    let first: Vec<usize> = (0..states).filter(begins).collect();
    let mut reached = reach(first.clone());
    first.iter().for_each(|&s| reached[s] = true);
    let ahead: Vec<Vec<bool>> = (0..states).map(|s| reach(vec![s])).collect();
    (0..states).filter(|&s| reached[s] && ahead[s][s]).any(|s| {
        let inside = |t: usize| ahead[s][t] && ahead[t][s];
        let all = || edges.iter().filter(|e| inside(e.0) && inside(e.1));
        (0..justice.len()).all(|j| all().any(|e| e.2[j]))
    })
}

/// Checks that an execution is one, comes back to where its loop begins, and has each condition, which
/// are the bad edges, in the loop.
fn is_fair(system: &System, Lasso { execution, begin }: &Lasso) {
    assert!(system.run(execution).is_ok());
    let mut seen = vec![false; system.bad.len()];
    let (mut state, mut first_of_loop) = (execution.first.clone(), None);
    for (k, inputs) in execution.inputs.iter().enumerate() {
        if k == *begin {
            first_of_loop = Some(state.clone());
        }
        let values = system.values(&state, inputs);
        let value = |e: Edge| values[e.node()] != e.is_complement();
        for (seen, &bad) in seen.iter_mut().zip(&system.bad) {
            *seen |= k >= *begin && value(bad);
        }
        state = system.latches.iter().map(|l| value(l.next)).collect();
    }
    assert_eq!(first_of_loop, Some(state), "it is closed");
    assert!(seen.iter().all(|&s| s), "it is fair");
}

/// Whether so few nodes suffice. If they do the answer is the right one.
fn fits(question: Question, plan: Plan, expected: bool) -> bool {
    let mut fair = Fair::new(question, plan);
    let end = fair.run(&Limits::default()).expect("there is no limit of time");
    match end {
        FairEnd::Some => {
            assert!(expected, "too few nodes are no lasso");
            if let Some(lasso) = fair.lasso(&Limits::default()).expect("nor here") {
                is_fair(question.system, &lasso);
            }
        }
        FairEnd::None => assert!(!expected, "too few nodes are no proof"),
        FairEnd::Full => {}
    }
    end != FairEnd::Full
}

/// The same with decision diagrams, in some order of the latches, and with some input that tells cases
/// apart.
fn by_diagrams(
    mut system: System,
    justice: &[Edge],
    expected: bool,
    random: &mut Random,
    small: &mut [usize; 2],
) -> bool {
    system.bad = std::iter::once(Edge::TRUE).chain(justice.iter().copied()).collect();
    let bad: Vec<usize> = (0..system.bad.len()).collect();
    let mut order: Vec<u32> = (0..system.latches.len() as u32).collect();
    order.rotate_left(random.index(system.latches.len()));
    let split: Vec<usize> = (0..system.inputs.len()).filter(|_| random.chance(50)).collect();
    let question = Question { system: &system, bad: &bad, moves: None, exclusive: &[] };
    let mut plan = Plan { direction: Direction::Forward, order: &order, split: &split, nodes: 0 };
    for nodes in [20, 40, 80, 160, 320] {
        plan.nodes = nodes;
        small[usize::from(fits(question, plan, expected))] += 1;
    }
    plan.nodes = BDD_NODES;
    let mut fair = Fair::new(question, plan);
    match fair.run(&Limits::default()).expect("there is no limit") {
        FairEnd::Some => {
            let lasso = fair.lasso(&Limits::default()).expect("there is no limit");
            is_fair(&system, &lasso.expect("four latches need few nodes"));
            true
        }
        FairEnd::None => false,
        FairEnd::Full => unreachable!("four latches need few nodes"),
    }
}

#[test]
fn lassos_counting_and_diagrams_agree_with_brute_force() {
    let mut random = Random::new(5);
    let (mut counts, mut small) = ([0; 2], [0; 2]);
    for round in 0..400 {
        let (system, justice) = random_system(&mut random);
        let expected = has_fair_execution(&system, &justice);
        counts[usize::from(expected)] += 1;
        let lassos = lasso::lassos(&system, &justice, &[]);
        let question = Question { system: &lassos, bad: &[0], moves: None, exclusive: &[] };
        let mut bmc = Bmc::new(question);
        // A lasso that is fair to all conditions visits each state for each of them at most.
        let longest = (1 << system.latches.len()) * (justice.len() + 2);
        let mut found = false;
        while bmc.depth() <= longest && !found {
            match bmc.step(&Limits::default()).expect("there is no limit") {
                Found::Violation(execution) => {
                    assert!(lassos.run(&execution).is_ok_and(|bad| bad == [0]));
                    assert!(lasso::loop_begins(&system, &execution).is_some());
                    found = true;
                }
                Found::Nothing => {}
                Found::End => unreachable!("no step is left out"),
            }
        }
        assert_eq!(found, expected, "round {round}: lassos");
        // No more rounds than states, if there is no fair execution.
        let mut proved = false;
        for rounds in [1, 2, 4, 8, 16, 32] {
            let counting = lasso::counting(&system, &justice, rounds, &[]);
            let question = Question { system: &counting, bad: &[0], moves: None, exclusive: &[] };
            let mut ic3 = Ic3::new(question, Vec::new());
            match ic3.run(&Limits::default()).expect("there is no limit") {
                End::Holds(_) => {
                    proved = true;
                    break;
                }
                End::Violated(_) => {}
                End::Broad => unreachable!("there are no copies"),
            }
        }
        assert_eq!(proved, !expected, "round {round}: counting");
        let fair = by_diagrams(system, &justice, expected, &mut random, &mut small);
        assert_eq!(fair, expected, "round {round}: diagrams");
    }
    assert!(counts.iter().all(|&n| n > 50), "both answers occur: {counts:?}");
    assert!(small.iter().all(|&n| n > 100), "few nodes suffice or not: {small:?}");
}
