//! Formulas as automata: what they accept on random words, against the definition and against `lbt`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use raddle_engines::circuit::linear::tester::{Part, Tester};
use raddle_ir::linear::Formula;
use raddle_testkit::Random;

const ATOMS: usize = 2;

fn random_formula(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 || random.chance(15) {
        return match random.index(8) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Atom(random.index(ATOMS)),
        };
    }
    let mut inside = || Box::new(random_formula(random, depth - 1));
    let (a, b) = (inside(), inside());
    match random.index(7) {
        0 => Formula::Not(a),
        1 => Formula::And(a, b),
        2 => Formula::Or(a, b),
        3 => Formula::Next(a),
        4 => Formula::Release(a, b),
        _ => Formula::Until(a, b),
    }
}

type Letter = Vec<bool>;

/// A word: its letters, and the position that follows the last one.
struct Word {
    letters: Vec<Letter>,
    back: usize,
}

fn random_word(random: &mut Random) -> Word {
    let length = 1 + random.index(5);
    let letter = |r: &mut Random| (0..ATOMS).map(|_| r.chance(50)).collect();
    Word { letters: (0..length).map(|_| letter(random)).collect(), back: random.index(length) }
}

impl Word {
    fn next(&self, i: usize) -> usize {
        if i + 1 < self.letters.len() { i + 1 } else { self.back }
    }

    /// The definition: `U` looks along the word until all positions have been seen.
    fn satisfies(&self, formula: &Formula, at: usize) -> bool {
        let along = || {
            let steps = 2 * self.letters.len();
            std::iter::successors(Some(at), |i| Some(self.next(*i))).take(steps)
        };
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Atom(a) => self.letters[at][*a],
            Formula::Not(a) => !self.satisfies(a, at),
            Formula::And(a, b) => self.satisfies(a, at) && self.satisfies(b, at),
            Formula::Or(a, b) => self.satisfies(a, at) || self.satisfies(b, at),
            Formula::Next(a) => self.satisfies(a, self.next(at)),
            Formula::Until(a, b) => {
                let end = along().position(|i| self.satisfies(b, i));
                end.is_some_and(|end| along().take(end).all(|i| self.satisfies(a, i)))
            }
            Formula::Release(a, b) => {
                let end = along().position(|i| !self.satisfies(b, i));
                end.is_none_or(|end| along().take(end).any(|i| self.satisfies(a, i)))
            }
        }
    }
}

/// Whether a graph has a path from a first node to a cycle that meets each of some sets of edges.
fn has_fair_cycle(
    first: &[usize],
    edges: &BTreeMap<usize, Vec<(usize, Vec<bool>)>>,
    sets: usize,
) -> bool {
    let reach = |from: usize, nodes: Option<&BTreeSet<usize>>| {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(n) = work.pop() {
            for (to, _) in edges.get(&n).into_iter().flatten() {
                if nodes.is_none_or(|all| all.contains(to)) && seen.insert(*to) {
                    work.push(*to);
                }
            }
        }
        seen
    };
    let mut reached: BTreeSet<usize> = first.iter().copied().collect();
    first.iter().for_each(|&f| reached.extend(reach(f, None)));
    reached.iter().any(|&n| {
        let ahead = reach(n, None);
        let component: BTreeSet<usize> =
            ahead.iter().copied().filter(|&m| reach(m, None).contains(&n)).collect();
        let inside = component.iter().flat_map(|m| edges.get(m).into_iter().flatten());
        let inside: Vec<&Vec<bool>> =
            inside.filter(|(to, _)| component.contains(to)).map(|(_, marks)| marks).collect();
        !inside.is_empty() && (0..sets).all(|s| inside.iter().any(|marks| marks[s]))
    })
}

/// Whether the tester accepts a word.
fn accepts(tester: &Tester, word: &Word) -> bool {
    let promises = tester.promised.len();
    let states = 1usize << promises;
    let goals: Vec<(usize, usize)> = tester.eventualities().collect();
    // Position, promises, and whether the first letter is to be read.
    let number =
        |at: usize, kept: usize, begins: bool| (at * states + kept) * 2 + usize::from(begins);
    let mut edges: BTreeMap<usize, Vec<(usize, Vec<bool>)>> = BTreeMap::new();
    for at in 0..word.letters.len() {
        for guess in 0..states {
            let bit = |set: usize, i: usize| set >> i & 1 == 1;
            let mut holds: Vec<bool> = Vec::new();
            for part in &tester.parts {
                holds.push(match *part {
                    Part::Constant(value) => value,
                    Part::Atom(a, positive) => word.letters[at][a] == positive,
                    Part::And(a, b) => holds[a] && holds[b],
                    Part::Or(a, b) => holds[a] || holds[b],
                    Part::Next(_, p) => bit(guess, p),
                    Part::Until(a, b, p) => holds[b] || holds[a] && bit(guess, p),
                    Part::Release(a, b, p) => holds[b] && (holds[a] || bit(guess, p)),
                });
            }
            for kept in 0..states {
                if (0..promises).any(|p| bit(kept, p) && !holds[tester.promised[p]]) {
                    continue;
                }
                let marks: Vec<bool> =
                    goals.iter().map(|&(p, b)| !bit(kept, p) || holds[b]).collect();
                let to = number(word.next(at), guess, false);
                edges.entry(number(at, kept, false)).or_default().push((to, marks.clone()));
                if holds[tester.root] {
                    edges.entry(number(at, kept, true)).or_default().push((to, marks));
                }
            }
        }
    }
    has_fair_cycle(&[number(0, 0, true)], &edges, goals.len())
}

#[test]
fn testers_accept_what_satisfies_their_formula() {
    let mut random = Random::new(7);
    let mut counts = [0; 2];
    for _round in 0..1500 {
        let formula = random_formula(&mut random, 3);
        if Tester::new(&formula, true).promised.len() > 4 {
            continue;
        }
        for _word in 0..4 {
            let word = random_word(&mut random);
            let expected = word.satisfies(&formula, 0);
            counts[usize::from(expected)] += 1;
            let (yes, no) = (Tester::new(&formula, true), Tester::new(&formula, false));
            assert_eq!(accepts(&yes, &word), expected, "{formula:?} on {:?}", word.letters);
            assert_eq!(accepts(&no, &word), !expected, "not {formula:?} on {:?}", word.letters);
        }
    }
    assert!(counts.iter().all(|&n| n > 500), "both answers occur: {counts:?}");
}

/// The prefix notation of `lbt`.
fn prefix(formula: &Formula) -> String {
    match formula {
        Formula::True => "t".into(),
        Formula::False => "f".into(),
        Formula::Atom(a) => format!("p{a}"),
        Formula::Not(a) => format!("! {}", prefix(a)),
        Formula::And(a, b) => format!("& {} {}", prefix(a), prefix(b)),
        Formula::Or(a, b) => format!("| {} {}", prefix(a), prefix(b)),
        Formula::Next(a) => format!("X {}", prefix(a)),
        Formula::Until(a, b) => format!("U {} {}", prefix(a), prefix(b)),
        Formula::Release(a, b) => format!("V {} {}", prefix(a), prefix(b)),
    }
}

/// A state as `lbt` writes it: whether it is initial, its acceptance sets, and its transitions with
/// their conditions.
type WrittenState = (bool, Vec<usize>, Vec<(usize, Vec<String>)>);

/// An automaton as `lbt` writes it.
struct Written {
    sets: usize,
    states: BTreeMap<usize, WrittenState>,
}

fn lbt(formula: &Formula) -> Written {
    let child = Command::new("lbt").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("lbt is installed (setup.sh)");
    let text = prefix(formula) + "\n";
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("lbt reads");
    let output = child.wait_with_output().expect("lbt ends").stdout;
    let output = String::from_utf8(output).expect("text");
    let mut words = output.split_whitespace();
    let number = |words: &mut std::str::SplitWhitespace| -> i64 {
        words.next().expect("a number").parse().expect("a number")
    };
    let count = number(&mut words);
    let sets = number(&mut words) as usize;
    let mut states = BTreeMap::new();
    for _state in 0..count {
        let name = number(&mut words) as usize;
        let initial = number(&mut words) == 1;
        let mut accepting = Vec::new();
        loop {
            match number(&mut words) {
                -1 => break,
                set => accepting.push(set as usize),
            }
        }
        let mut transitions = Vec::new();
        loop {
            let to = number(&mut words);
            if to < 0 {
                break;
            }
            let mut condition = Vec::new();
            // A condition in prefix notation: one operand more than binary operators.
            let mut open = 1;
            while open > 0 {
                let word = words.next().expect("a condition").to_string();
                open += match word.as_str() {
                    "&" | "|" => 1,
                    "!" => 0,
                    _ => -1,
                };
                condition.push(word);
            }
            transitions.push((to as usize, condition));
        }
        states.insert(name, (initial, accepting, transitions));
    }
    Written { sets, states }
}

fn condition(words: &mut std::slice::Iter<String>, letter: &Letter) -> bool {
    match words.next().expect("a condition").as_str() {
        "t" => true,
        "f" => false,
        "!" => !condition(words, letter),
        "&" => {
            let (a, b) = (condition(words, letter), condition(words, letter));
            a && b
        }
        "|" => {
            let (a, b) = (condition(words, letter), condition(words, letter));
            a || b
        }
        atom => letter[atom[1..].parse::<usize>().expect("an atom")],
    }
}

fn lbt_accepts(automaton: &Written, word: &Word) -> bool {
    let number = |at: usize, state: usize| at * 10_000 + state;
    let mut edges: BTreeMap<usize, Vec<(usize, Vec<bool>)>> = BTreeMap::new();
    let mut first = Vec::new();
    for (&name, (initial, accepting, transitions)) in &automaton.states {
        if *initial {
            first.push(number(0, name));
        }
        let marks: Vec<bool> = (0..automaton.sets).map(|s| accepting.contains(&s)).collect();
        for at in 0..word.letters.len() {
            for (to, guard) in transitions {
                if condition(&mut guard.iter(), &word.letters[at]) {
                    let to = number(word.next(at), *to);
                    edges.entry(number(at, name)).or_default().push((to, marks.clone()));
                }
            }
        }
    }
    has_fair_cycle(&first, &edges, automaton.sets)
}

#[test]
fn testers_agree_with_lbt() {
    let mut random = Random::new(11);
    let mut counts = [0; 2];
    for _round in 0..60 {
        let formula = random_formula(&mut random, 3);
        let tester = Tester::new(&formula, true);
        if tester.promised.len() > 4 {
            continue;
        }
        let automaton = lbt(&formula);
        for _word in 0..4 {
            let word = random_word(&mut random);
            let expected = lbt_accepts(&automaton, &word);
            counts[usize::from(expected)] += 1;
            assert_eq!(accepts(&tester, &word), expected, "{formula:?} on {:?}", word.letters);
        }
    }
    assert!(counts.iter().all(|&n| n > 20), "both answers occur: {counts:?}");
}
