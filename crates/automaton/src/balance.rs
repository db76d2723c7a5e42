//! Paths of equal length (PB): states that do nothing, so that paths meet at one depth.
//!
//! Idea: where paths of different lengths lead to one state, control can be there at several
//! depths, and from then on at each depth in more states: unrolling costs more, and pairs of depths
//! have more to say. So the shorter ones are made longer. A state's *level* is the length of the
//! longest path to it, back edges aside; a transition that leads more than one level up gets as
//! many idle states as are missing. So do transitions back to the head of a loop, up to the longest
//! way around it: then a state of a loop that is entered at one depth is reached each so many steps.
//! Source: Ganai, Gupta: Accelerating high-level BMC, ICCAD 2006, which paper 000 calls PB.
//! We differ: lengths of different loops are not made multiples of each other.
//! Invariant: what a thread does is the same but for idle steps; an idle state stands where its
//! target does, so that sections and mutexes held are the same.

use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::machine::{Automaton, State, StateIx, Transition};

/// Most idle states, as a multiple of the states that there are.
const MOST: usize = 3;

/// The same automaton with paths of equal length; none if that takes too many idle states.
pub fn balanced(automaton: &Automaton, always: TermId) -> Option<Automaton> {
    let levels = Levels::new(automaton);
    let mut result = automaton.clone();
    let mut idle: FxHashMap<(StateIx, u32), StateIx> = FxHashMap::default();
    for &s in &levels.reached {
        for t in 0..automaton.states[s].transitions.len() {
            let target = automaton.states[s].transitions[t].target;
            if target == StateIx::STOP {
                continue;
            }
            let missing = levels.missing(s, target.index());
            if result.states.len() + missing as usize > (MOST + 1) * automaton.states.len() {
                return None;
            }
            let mut to = target;
            for left in 1..=missing {
                let next = StateIx(result.states.len() as u32);
                to = *idle.entry((target, left)).or_insert_with(|| {
                    let passes = Transition { target: to, guard: always, updates: Vec::new() };
                    let there = automaton.state(target);
                    result.states.push(State {
                        position: there.position,
                        transitions: vec![passes],
                        live: there.live.clone(),
                        idle: true,
                        ..State::default()
                    });
                    next
                });
            }
            result.states[s].transitions[t].target = to;
        }
    }
    Some(result)
}

/// How far states are from the start.
struct Levels {
    /// The states that there are paths to.
    reached: Vec<usize>,
    /// The longest path to each state, back edges aside.
    level: Vec<u32>,
    /// The transitions that close a loop.
    back: Vec<Vec<usize>>,
    /// By head of a loop: the longest way around.
    around: FxHashMap<usize, u32>,
}

impl Levels {
    fn new(automaton: &Automaton) -> Levels {
        let n = automaton.states.len();
        let next: Vec<Vec<usize>> = automaton
            .states
            .iter()
            .map(|s| s.transitions.iter().map(|t| t.target.index()).collect())
            .collect();
        let (order, back) = depth_first(&next);
        let mut level = vec![0; n];
        for &s in order.iter().rev() {
            for &t in next[s].iter().filter(|t| !back[s].contains(t)) {
                level[t] = level[t].max(level[s] + 1);
            }
        }
        let mut around: FxHashMap<usize, u32> = FxHashMap::default();
        for &s in &order {
            for &head in &back[s] {
                let length = around.entry(head).or_default();
                *length = (*length).max(level[s] - level[head] + 1);
            }
        }
        Levels { reached: order, level, back, around }
    }

    /// How many idle states a transition needs.
    fn missing(&self, from: usize, to: usize) -> u32 {
        if self.back[from].contains(&to) {
            return self.around[&to] - (self.level[from] - self.level[to] + 1);
        }
        debug_assert!(self.level[to] > self.level[from], "levels grow along paths");
        self.level[to] - self.level[from] - 1
    }
}

/// The states in post-order from the start, and for each the targets that are being visited when
/// they are met.
fn depth_first(next: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; next.len()];
    let (mut order, mut back) = (Vec::new(), vec![Vec::new(); next.len()]);
    let start = StateIx::START.index();
    let mut stack = vec![(start, 0)];
    marks[start] = Mark::Open;
    while let Some((s, i)) = stack.last_mut() {
        let s = *s;
        let Some(&t) = next[s].get(*i) else {
            marks[s] = Mark::Done;
            order.push(s);
            stack.pop();
            continue;
        };
        *i += 1;
        match marks[t] {
            Mark::New => {
                marks[t] = Mark::Open;
                stack.push((t, 0));
            }
            Mark::Open if !back[s].contains(&t) => back[s].push(t),
            Mark::Open | Mark::Done => {}
        }
    }
    (order, back)
}
