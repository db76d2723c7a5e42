//! All states of a small program, and what leads from one to another.
//!
//! A step is one instruction, or an atomic section. All answers to choices are tried. A thread that goes no
//! further (a failed assumption) has no such step. Where nobody can go on, the state follows itself.

use std::collections::HashMap;

use raddle_interp::difference::Difference;
use raddle_interp::endless::{Letter, letter};
use raddle_interp::lasso::Keys;
use raddle_interp::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use raddle_interp::state::{Code, State, Status};
use raddle_interp::step::{Blocked, Sync};
use raddle_interp::{ThreadId, Unit, run_unit};
use raddle_ir::linear::Atom;
use raddle_ir::{InputKind, Op, Program};

use super::fair::{Edge, Product};

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where it leads.
    pub to: usize,
    /// Who makes it; nobody, if nobody can.
    pub thread: Option<usize>,
    /// Whether it changes something that others can see, or ends the thread.
    pub changes: bool,
}

/// A state, as far as formulas and fairness look at it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which atoms hold.
    pub letter: Letter,
    /// By thread: whether it can go on.
    pub can: Vec<bool>,
    /// By thread: whether it runs, and not to wait for the end of another one.
    pub runs: Vec<bool>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// All states; the first is where the program begins.
pub struct Graph {
    /// The states.
    pub nodes: Vec<Node>,
    /// Most threads of a state.
    pub threads: usize,
}

impl Graph {
    /// All states of a program; `None` if there are more than `most`.
    pub fn new(program: &Program, atoms: &[Atom], most: usize) -> Option<Graph> {
        let code = Code::new(program);
        let mut keys = Keys::new(&code);
        let mut known: HashMap<(Vec<u32>, bool), usize> = HashMap::new();
        let mut states = vec![State::new(&code)?];
        let mut graph = Graph { nodes: Vec::new(), threads: 1 };
        known.insert((keys.key(&states[0]), false), 0);
        let mut next = 0;
        while next < states.len() {
            if next > most {
                return None;
            }
            let state = states[next].clone();
            let mut node = look(program, &state, atoms)?;
            for thread in 0..state.threads.len() {
                let (can, steps) = tried(&code, &state, thread);
                node.can[thread] = can;
                for (after, changes) in steps {
                    let mut plain = after.clone();
                    plain.exited = false;
                    let key = (keys.key(&plain), after.exited);
                    let to = *known.entry(key).or_insert_with(|| {
                        states.push(after);
                        states.len() - 1
                    });
                    node.steps.push(Step { to, thread: Some(thread), changes });
                }
            }
            if !node.can.contains(&true) {
                node.steps.push(Step { to: next, thread: None, changes: false });
            }
            graph.threads = graph.threads.max(state.threads.len());
            graph.nodes.push(node);
            next += 1;
        }
        Some(graph)
    }

    /// The part in which a thread waits: it runs and changes nothing.
    pub fn waiting(&self, thread: usize) -> Product {
        let waits = |n: &Node| n.runs.get(thread).copied().unwrap_or(false);
        let mut product = Product { threads: self.threads, nodes: Vec::new(), goals: 0 };
        for node in &self.nodes {
            let steps = node.steps.iter().filter(|s| {
                let idle = s.thread != Some(thread) || !s.changes;
                waits(node) && waits(&self.nodes[s.to]) && idle
            });
            let edge = |s: &Step| Edge { to: s.to, thread: s.thread, kept: Vec::new() };
            product.nodes.push((node.can.clone(), steps.map(edge).collect()));
        }
        product
    }
}

fn look(program: &Program, state: &State, atoms: &[Atom]) -> Option<Node> {
    let runs = state.threads.iter().map(|t| {
        let joins = matches!(t.op(program), Some(Op::Join { .. }));
        !state.exited && t.is_running() && !joins
    });
    Some(Node {
        letter: letter(program, state, atoms)?,
        can: vec![false; state.threads.len()],
        runs: runs.collect(),
        steps: Vec::new(),
    })
}

/// Whether a thread can go on, and the states that its steps lead to.
fn tried(code: &Code<'_>, state: &State, thread: usize) -> (bool, Vec<(State, bool)>) {
    let (mut can, mut all) = (false, Vec::new());
    let mut script: Vec<u128> = Vec::new();
    loop {
        let mut oracle = Script { given: script.clone(), asked: Vec::new(), woken: false };
        let mut after = state.clone();
        let (mut ends, mut difference) = (false, Difference::default());
        let unit = run_unit(code, &mut after, thread, &mut oracle, 10_000, &mut |_, effect| {
            ends |= matches!(effect.sync, Some(Sync::Create(_) | Sync::End | Sync::Exit));
            difference.add(effect, |_| true);
        });
        let changes = ends || difference.is_some();
        let goes = match unit {
            Unit::Done(_) => {
                let stopped = matches!(after.threads[thread].status, Status::Stopped(_));
                if !stopped {
                    all.push((after, changes));
                }
                true
            }
            Unit::Blocked(Blocked::Assumption) => true,
            Unit::Blocked(_) => false,
            Unit::Violation(..) | Unit::BadAnswer(_) | Unit::TooLong => {
                unreachable!("generated programs have none of that")
            }
        };
        can |= goes && !oracle.woken;
        // The next answers, as in an odometer.
        script = oracle.given;
        script.resize(oracle.asked.len(), 0);
        loop {
            let Some(last) = script.pop() else { return (can, all) };
            if last + 1 < oracle.asked[script.len()] {
                script.push(last + 1);
                break;
            }
        }
    }
}

/// Gives these answers, then 0.
struct Script {
    given: Vec<u128>,
    /// How many answers each question has.
    asked: Vec<u128>,
    woken: bool,
}

impl Script {
    fn answer(&mut self, count: u128) -> u128 {
        self.asked.push(count);
        self.given.get(self.asked.len() - 1).copied().unwrap_or(0)
    }
}

impl Oracle for Script {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        let InputKind::Choice(n) = ask.kind else { unreachable!("there are only choices") };
        self.answer(u128::from(n))
    }
    fn address(&mut self, _: &AddressAsk) -> Option<u64> {
        None
    }
    fn thread_local_address(&mut self, _: ThreadId, _: raddle_ir::GlobalId) -> Option<u64> {
        None
    }
    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }
    fn initial_byte(&mut self, _: &Origin, _: u64) -> u8 {
        0
    }
    fn spurious(&mut self, _: &Ask) -> bool {
        let woken = self.answer(2) == 1;
        self.woken |= woken;
        woken
    }
}
