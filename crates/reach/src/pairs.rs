//! Invariants about one or two latches, all at once: constants, equalities, implications.
//!
//! Idea: walks from the initial states with random inputs show most of what two latches can be
//! together; what is never seen is a candidate. Then all candidates are assumed before a step, and
//! those that a model breaks after it are dropped, until none is: what is left is the largest set that
//! is an invariant by itself, whatever the walks have seen. A latch that no walk changes has no pairs.
//! Most of what IC3 learns about programs is of this kind (where a thread stands, its flag is set),
//! one clause after the other, and for each frame anew.
//! Source: van Eijk, DAC 1998 (equal latches by simulation and induction); implications as in Case,
//! Mishchenko, Brayton, FMCAD 2007; dropping what fails: Houdini (Flanagan and Leino, FME 2001).
//! Invariant: no candidate contains an initial state.
//! Limits: nothing is looked for where there are too many latches, and no pairs where there are too many
//! candidates.

use raddle_aig::{Edge, Node, System};
use raddle_sat::Lit;

use crate::certify::may_begin;
use crate::unroll::{Begin, Unrolling};
use crate::{Bit, Cube, Interrupted, Limits, Question};

/// Walks of 64 runs each.
const WALKS: usize = 8;
/// Steps of a walk.
const STEPS: usize = 128;
/// Beyond so many latches nothing is looked for: there would be too many pairs.
const MOST_LATCHES: usize = 4000;
/// Beyond so many candidates only constants are looked for.
const MOST_CANDIDATES: usize = 100_000;

/// A search for cubes of one or two values that no state is in, given which latches exclude each other.
pub struct Pairs<'a> {
    question: Question<'a>,
    walks: usize,
    stage: Stage,
}

/// How far a search is. Candidates that are left are those that no step has been seen to enter.
enum Stage {
    Begin,
    /// Constants that hold without anything else.
    Constants(Seen, Vec<Cube>),
    /// All others, with these constants.
    All(Vec<Cube>),
}

impl<'a> Pairs<'a> {
    /// Nothing is known yet.
    pub fn new(question: Question<'a>) -> Pairs<'a> {
        Pairs::after_walks(question, WALKS)
    }

    /// After so many walks; that number decides about the time only.
    pub fn after_walks(question: Question<'a>, walks: usize) -> Pairs<'a> {
        Pairs { question, walks, stage: Stage::Begin }
    }

    /// The largest set that is an invariant by itself, without what follows from a constant. What was
    /// found out is kept if the time is up.
    pub fn run(&mut self, limits: &Limits) -> Result<Vec<Cube>, Interrupted> {
        let question = self.question;
        if question.system.latches.len() > MOST_LATCHES {
            return Ok(Vec::new());
        }
        loop {
            match &mut self.stage {
                Stage::Begin => {
                    let seen = walks(question.system, self.walks, limits)?;
                    let constants = constants(question.system, &seen);
                    self.stage = Stage::Constants(seen, constants);
                }
                Stage::Constants(seen, constants) => {
                    inductive(question, constants, limits)?;
                    let all = candidates(question, seen, std::mem::take(constants));
                    self.stage = Stage::All(all);
                }
                Stage::All(candidates) => {
                    inductive(question, candidates, limits)?;
                    let constants: Vec<Cube> =
                        candidates.iter().filter(|c| c.len() == 1).cloned().collect();
                    let follows = |c: &Cube| {
                        c.len() == 2 && c.iter().any(|b| constants.binary_search(&vec![*b]).is_ok())
                    };
                    return Ok(candidates.iter().filter(|c| !follows(c)).cloned().collect());
                }
            }
        }
    }
}

/// What walks have seen.
struct Seen {
    /// By latch: its values in all states, 64 in a word.
    values: Vec<Vec<u64>>,
    /// Which of these states are reached: a walk ends where a constraint breaks.
    reached: Vec<u64>,
}

impl Seen {
    fn word(&self, bit: Bit, word: usize) -> u64 {
        let values = self.values[bit.latch as usize][word];
        self.reached[word] & if bit.value { values } else { !values }
    }

    fn has(&self, cube: &[Bit]) -> bool {
        let both = |w: usize| cube.iter().fold(u64::MAX, |all, &bit| all & self.word(bit, w));
        (0..self.reached.len()).any(|w| both(w) != 0)
    }
}

/// Random numbers (Marsaglia's xorshift), the same in each run.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Walks through states that are reached, with random inputs.
fn walks(system: &System, walks: usize, limits: &Limits) -> Result<Seen, Interrupted> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = Seen { values: vec![Vec::new(); system.latches.len()], reached: Vec::new() };
    let mut nodes = vec![0u64; system.graph.len()];
    for _walk in 0..walks {
        let mut state: Vec<u64> = Vec::new();
        for latch in &system.latches {
            let first = latch.initial.map(|value| u64::from(value).wrapping_neg());
            state.push(first.unwrap_or_else(|| random.word()));
        }
        let mut reached = u64::MAX;
        for _step in 0..STEPS {
            if limits.is_over() {
                return Err(Interrupted);
            }
            seen.reached.push(reached);
            for ((values, latch), &now) in seen.values.iter_mut().zip(&system.latches).zip(&state) {
                values.push(now);
                nodes[latch.now.node()] = now;
            }
            for input in &system.inputs {
                nodes[input.now.node()] = random.word();
            }
            simulate(system, &mut nodes);
            for &constraint in &system.constraints {
                reached &= word(&nodes, constraint);
            }
            state = system.latches.iter().map(|l| word(&nodes, l.next)).collect();
        }
    }
    Ok(seen)
}

fn word(nodes: &[u64], edge: Edge) -> u64 {
    nodes[edge.node()] ^ u64::from(edge.is_complement()).wrapping_neg()
}

/// The values of all conjunctions, where those of free nodes are given.
fn simulate(system: &System, nodes: &mut [u64]) {
    for i in 0..nodes.len() {
        match system.graph.node(i) {
            Node::False => nodes[i] = 0,
            Node::Free => {}
            Node::And(a, b) => nodes[i] = word(nodes, a) & word(nodes, b),
        }
    }
}

fn is_candidate(system: &System, seen: &Seen, cube: &[Bit]) -> bool {
    !may_begin(system, cube) && !seen.has(cube)
}

fn both_values(latch: usize) -> [Bit; 2] {
    [false, true].map(|value| Bit { latch: latch as u32, value })
}

/// Values of single latches that were never seen.
fn constants(system: &System, seen: &Seen) -> Vec<Cube> {
    let all = (0..system.latches.len()).flat_map(both_values);
    all.filter(|&b| is_candidate(system, seen, &[b])).map(|b| vec![b]).collect()
}

/// What was never seen, and does not follow from constants or what excludes each other. Sorted.
fn candidates(question: Question, seen: &Seen, proved: Vec<Cube>) -> Vec<Cube> {
    let system = question.system;
    let is_proved = |latch: usize| proved.iter().any(|c| c[0].latch as usize == latch);
    let others: Vec<usize> = (0..system.latches.len()).filter(|&l| !is_proved(l)).collect();
    let mut group = vec![None; system.latches.len()];
    for (g, latches) in question.exclusive.iter().enumerate() {
        latches.iter().for_each(|&l| group[l as usize] = Some(g));
    }
    let mut found = constants(system, seen);
    for (i, &a) in others.iter().enumerate() {
        for &b in &others[i + 1..] {
            let same_group = group[a].is_some_and(|g| group[b] == Some(g));
            let known = |x: Bit, y: Bit| same_group && x.value && y.value;
            let all = both_values(a).into_iter().flat_map(|x| both_values(b).map(|y| (x, y)));
            let new = all.filter(|&(x, y)| !known(x, y) && is_candidate(system, seen, &[x, y]));
            found.extend(new.map(|(x, y)| vec![x, y]));
        }
        if found.len() > MOST_CANDIDATES {
            return proved;
        }
    }
    found.sort_unstable();
    found
}

/// Drops candidates until those that are left are an invariant. They are sorted.
fn inductive(
    question: Question,
    candidates: &mut Vec<Cube>,
    limits: &Limits,
) -> Result<(), Interrupted> {
    loop {
        let mut alive = vec![true; candidates.len()];
        let end = round(question, candidates, &mut alive, limits);
        // Whatever a step enters is none, also if the time is up.
        let mut kept = alive.iter();
        let before = candidates.len();
        candidates.retain(|_| *kept.next().expect("each candidate has one"));
        end?;
        if candidates.len() == before {
            return Ok(());
        }
    }
}

/// Finds candidates into which a step leads from where all hold.
fn round(
    question: Question,
    all: &[Cube],
    alive: &mut [bool],
    limits: &Limits,
) -> Result<(), Interrupted> {
    let mut step = Unrolling::new(question, Begin::Anywhere);
    step.know(all);
    step.push();
    let mut begin = 0;
    for group in all.chunk_by(|a, b| a[0] == b[0] && a.len() == b.len()) {
        let members = begin..begin + group.len();
        begin = members.end;
        loop {
            let open = members.clone().filter(|&c| alive[c]).map(|c| &all[c]).collect();
            let Some(after) = enters(&mut step, question.system, open, limits)? else { break };
            for (cube, alive) in all.iter().zip(alive.iter_mut()) {
                *alive &= !cube.iter().all(|b| after[b.latch as usize] == b.value);
            }
        }
    }
    Ok(())
}

/// A state into which a step leads and that is in one of these cubes, which have the same
/// first value and are of one size.
fn enters(
    step: &mut Unrolling,
    system: &System,
    cubes: Vec<&Cube>,
    limits: &Limits,
) -> Result<Option<Vec<bool>>, Interrupted> {
    let Some(cube) = cubes.first() else { return Ok(None) };
    let mut after = |bit: Bit| {
        let lit = step.next(0, bit.latch as usize);
        if bit.value { lit } else { !lit }
    };
    let mut assumptions = vec![after(cube[0])];
    if let [_first, _second] = cube[..] {
        let mut clause: Vec<Lit> = cubes.iter().map(|cube| after(cube[1])).collect();
        let one_of_them = step.solver.new_var().lit();
        clause.push(!one_of_them);
        step.solver.add_clause(&clause);
        assumptions.push(one_of_them);
    }
    if !step.solve(&assumptions, limits)? {
        return Ok(None);
    }
    let values = system.values(&step.latches(0), &step.inputs(0));
    let value = |e: Edge| values[e.node()] != e.is_complement();
    Ok(Some(system.latches.iter().map(|l| value(l.next)).collect()))
}
