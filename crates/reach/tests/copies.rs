//! Invariants about few copies against brute force: what is proved with three copies holds of more.
//!
//! A copy is a little machine: it has four places and shares a variable of four values with all others, and a
//! table says where its steps lead. Some begin, one after the other; nobody knows how many there are.

use std::collections::BTreeSet;

use raddle_aig::{Edge, Gates, Input, Latch, System};
use raddle_reach::{Copies, End, Ic3, Limits, Pairs, Question, certify};
use raddle_testkit::Random;

/// Values of a variable, and places of a copy; none has begun in the first place.
const VALUES: usize = 4;
/// Copies that stand for any number.
const COPIES: usize = 3;
/// So many are looked at one by one.
const MORE: usize = 7;

/// What is shared and a place.
type Point = (usize, usize);

struct Machine {
    /// By shared value, place and choice: what is shared and the place after a step.
    steps: Vec<[Point; 2]>,
    /// Two copies in these places, with this value.
    bad: (usize, usize, usize),
}

impl Machine {
    fn random(random: &mut Random) -> Machine {
        let mut steps = Vec::new();
        for shared in 0..VALUES {
            for place in 0..VALUES {
                // Who has not begun begins, and changes nothing else. Some steps are none.
                let mut step = || match (place, random.chance(40)) {
                    (0, _) => (shared, 1),
                    (_, true) => (shared, place),
                    (_, false) => (random.index(VALUES), 1 + random.index(VALUES - 1)),
                };
                steps.push([step(), step()]);
            }
        }
        let bad =
            (random.index(VALUES), 1 + random.index(VALUES - 1), 1 + random.index(VALUES - 1));
        Machine { steps, bad }
    }

    /// Whether so many copies come to something bad: states are how many are in each place.
    fn fails(&self, copies: usize) -> bool {
        let mut first = [0; VALUES];
        first[0] = copies;
        let mut seen = BTreeSet::from([(0, first)]);
        let mut open = vec![(0, first)];
        while let Some((shared, count)) = open.pop() {
            let (value, a, b) = self.bad;
            let two = if a == b { count[a] > 1 } else { count[a] > 0 && count[b] > 0 };
            if value == shared && two {
                return true;
            }
            for place in (0..VALUES).filter(|&p| count[p] > 0) {
                for (next, to) in self.steps[shared * VALUES + place] {
                    let mut after = count;
                    after[place] -= 1;
                    after[to] += 1;
                    if seen.insert((next, after)) {
                        open.push((next, after));
                    }
                }
            }
        }
        false
    }

    /// Three copies as latches: two for what is shared, two for each.
    fn system(&self) -> System {
        let mut system = System::default();
        let inputs: Vec<Edge> = (0..3).map(|_| system.graph.free()).collect();
        for (i, &now) in inputs.iter().enumerate() {
            system.inputs.push(Input { now, name: format!("i{i}") });
        }
        for l in 0..2 * (COPIES + 1) {
            let now = system.graph.free();
            let name = format!("l{l}");
            system.latches.push(Latch { now, next: now, initial: Some(false), name });
        }
        let mut next: Vec<Edge> = system.latches.iter().map(|l| l.now).collect();
        for copy in 0..COPIES {
            let moves = is(&mut system, &inputs[..2], copy);
            for shared in 0..VALUES {
                for place in 0..VALUES {
                    let own = 2 * (copy + 1);
                    let here = self.is_at(&mut system, (shared, own, place));
                    let here = system.graph.and(moves, here);
                    for (choice, (to, at)) in
                        self.steps[shared * VALUES + place].into_iter().enumerate()
                    {
                        let chosen = inputs[2].complement_if(choice == 0);
                        let taken = system.graph.and(here, chosen);
                        for (latch, value) in [(0, to), (own, at)] {
                            for bit in 0..2 {
                                let value = Edge::TRUE.complement_if(value >> bit & 1 == 0);
                                let old = next[latch + bit];
                                next[latch + bit] = system.graph.ite(taken, value, old);
                            }
                        }
                    }
                }
            }
        }
        system.latches.iter_mut().zip(next).for_each(|(l, next)| l.next = next);
        let (value, a, b) = self.bad;
        let mut bad = !Edge::TRUE;
        for first in 0..COPIES {
            for second in (0..COPIES).filter(|&c| c != first) {
                let one = self.is_at(&mut system, (value, 2 * (first + 1), a));
                let other = self.is_at(&mut system, (value, 2 * (second + 1), b));
                let both = system.graph.and(one, other);
                bad = system.graph.or(bad, both);
            }
        }
        system.bad = vec![bad];
        system
    }

    fn is_at(&self, system: &mut System, (shared, own, place): (usize, usize, usize)) -> Edge {
        let now: Vec<Edge> = system.latches.iter().map(|l| l.now).collect();
        let value = is(system, &now[..2], shared);
        let there = is(system, &now[own..own + 2], place);
        system.graph.and(value, there)
    }
}

/// Whether two bits are a number.
fn is(system: &mut System, bits: &[Edge], number: usize) -> Edge {
    system.graph.and(bits[0].complement_if(number & 1 == 0), bits[1].complement_if(number & 2 == 0))
}

#[test]
fn what_is_proved_about_two_of_three_holds_of_more() {
    let mut random = Random::new(7);
    let limits = Limits::default();
    let parts: Vec<Vec<u32>> = (1..=COPIES as u32).map(|c| vec![2 * c, 2 * c + 1]).collect();
    let copies = Copies::new(vec![parts], 2 * (COPIES + 1), COPIES - 1);
    let (mut proved, mut broad, mut later) = (0, 0, 0);
    for round in 0..500 {
        let machine = Machine::random(&mut random);
        let (few, more) = (machine.fails(COPIES), machine.fails(MORE));
        let system = machine.system();
        let question = Question { system: &system, bad: &[0], moves: None, exclusive: &[] };
        let known = Pairs::new(question).run(&limits).expect("no limit");
        match Ic3::about_few(question, known, Some(&copies)).run(&limits).expect("no limit") {
            End::Holds(invariant) => {
                proved += 1;
                assert!(!more, "round {round}: more copies come to something bad");
                assert!(invariant.iter().all(|cube| copies.is_narrow(cube)), "round {round}");
                assert_eq!(certify(question, &invariant, &limits), Ok(()), "round {round}");
            }
            End::Violated(execution) => {
                assert!(few, "round {round}");
                assert_eq!(system.run(&execution), Ok(vec![0]), "round {round}");
            }
            End::Broad => {
                broad += 1;
                later += u32::from(more && !few);
            }
        }
    }
    assert!(proved > 50 && broad > 2, "{proved} proved, {broad} open");
    assert!(later > 0, "some machines fail with more copies than three only");
}

/// With three of three nothing is gained: the same machines would be proved wrongly.
#[test]
fn invariants_about_all_copies_prove_nothing_about_more() {
    let mut random = Random::new(7);
    let limits = Limits::default();
    let wrong = (0..500).filter(|_| {
        let machine = Machine::random(&mut random);
        let system = machine.system();
        let question = Question { system: &system, bad: &[0], moves: None, exclusive: &[] };
        let fails_later = !machine.fails(COPIES) && machine.fails(MORE);
        fails_later && matches!(Ic3::new(question, Vec::new()).run(&limits), Ok(End::Holds(_)))
    });
    assert!(wrong.count() > 0, "this is what the limit on copies is for");
}
