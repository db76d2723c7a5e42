//! From a path on which threads changed places to an execution that a replay can follow.
//!
//! Idea: let the path lead through states s0, s1, …, with exchanges of threads before some of its
//! transitions ([`super::exchange`]). Apply to each si all exchanges that come later: that gives the states of
//! an execution ([`crate::alike`] says why). Its transitions are found by taking them: the thread is known, so
//! is the state that it must come to, and of its choices there are few. To rename what the path
//! did would not do: who signals passes over those that wait before the one it chooses, so for
//! another one it takes other choices, more of them, and more instructions.
//! Invariant: each state of the execution has the key of the one it stands for. That is enough: what
//! keys leave out changes nothing but how questions are counted, and those are asked again here.

use smallvec::SmallVec;

use super::Search;
use crate::alike::{self, Exchange};
use crate::finding::{Finding, FindingKey};
use crate::inputs::Tape;
use crate::state::State;
use crate::transition::{Segments, Taken};

/// An execution that shows something.
pub(super) struct Execution {
    /// Its transitions.
    pub path: Vec<Taken>,
    /// The state that they lead to.
    pub state: State,
    /// A violation that the next transition comes to: as it is there, the transition, and its
    /// schedule up to it.
    pub inside: Option<(Finding, Taken, Segments)>,
}

/// What a transition is to come to.
enum Goal {
    /// A state, by its components.
    State(Vec<u32>),
    /// A violation.
    Finding(FindingKey),
}

impl Search<'_> {
    /// The execution behind the path, if threads change places once more in the end; `inside`: of the
    /// last transition up to this. `None` would be a mistake.
    pub(super) fn execution(
        &mut self,
        last: Option<Exchange>,
        inside: Option<(&Finding, &Segments)>,
    ) -> Option<Execution> {
        let events = self.nodes.iter().filter_map(|node| node.event.as_ref());
        let exchanges: SmallVec<[Option<Exchange>; 32]> =
            events.map(|event| event.exchange).chain([last]).collect();
        let whole = exchanges.len() - 1 - usize::from(inside.is_some());
        if exchanges.iter().all(|exchange| exchange.is_none()) {
            return Some(self.as_it_is(whole, inside));
        }
        let mut state = self.nodes.first()?.state.clone();
        let mut path = Vec::new();
        for position in 0..whole {
            let after = &self.nodes[position + 1].state;
            let goal = self.with_exchanges(after, &exchanges[position + 1..]);
            let goal = Goal::State(self.words(&goal));
            let taken = self.again(&mut state, position, &exchanges, &goal)?;
            path.push(taken);
        }
        let Some((finding, _)) = inside else {
            return Some(Execution { path, state, inside: None });
        };
        let key = finding.key(self.world.code.program);
        let goal = Goal::Finding(key.clone());
        let taken = self.again(&mut state.clone(), whole, &exchanges, &goal)?;
        let program = self.world.code.program;
        let (finding, part) = taken.findings.iter().find(|(f, _)| f.key(program) == key)?.clone();
        Some(Execution { path, state, inside: Some((finding, taken, part)) })
    }

    /// The path is an execution if nobody changed places on it.
    fn as_it_is(&self, whole: usize, inside: Option<(&Finding, &Segments)>) -> Execution {
        let events = self.nodes.iter().filter_map(|node| node.event.as_ref());
        let mut path: Vec<Taken> = events.map(|event| event.taken.clone()).collect();
        let last = path.drain(whole..).next();
        let inside = inside.zip(last);
        let inside = inside.map(|((finding, part), taken)| (finding.clone(), taken, part.clone()));
        Execution { path, state: self.top().state.clone(), inside }
    }

    /// A state with threads where they are after exchanges that come later. Where one of two that change
    /// places is not there yet, the other one has not moved.
    fn with_exchanges(&self, state: &State, later: &[Option<Exchange>]) -> State {
        let mut state = state.clone();
        for exchange in later.iter().flatten() {
            if exchange.0.max(exchange.1) < state.threads.len() {
                alike::exchange(self.world.code, &mut state, *exchange);
            }
        }
        state
    }

    fn words(&mut self, state: &State) -> Vec<u32> {
        self.encoder.parts(&mut self.interner, state, None, None).words(&[])
    }

    /// Takes the transition at a position of the path once more, with the choices that come to a goal.
    fn again(
        &mut self,
        state: &mut State,
        position: usize,
        exchanges: &[Option<Exchange>],
        goal: &Goal,
    ) -> Option<Taken> {
        let later = exchanges[position + 1..].iter().flatten();
        let there = |exchange: &&Exchange| exchange.0.max(exchange.1) < state.threads.len();
        let thread = self.nodes[position].event.as_ref()?.thread;
        let thread = later.filter(there).fold(thread, |thread, exchange| exchange.of(thread));
        let program = self.world.code.program;
        let limit = self.world.settings.max_steps;
        let mut tape = Tape::default();
        loop {
            let mut next = state.clone();
            if let Some(taken) = self.world.take(&mut next, thread, &mut tape, limit) {
                let reached = match goal {
                    Goal::State(words) => self.words(&next) == *words,
                    Goal::Finding(key) => {
                        taken.findings.iter().any(|(f, _)| f.key(program) == *key)
                    }
                };
                if reached {
                    *state = next;
                    return Some(taken);
                }
            }
            if !tape.advance() {
                return None;
            }
        }
    }
}
