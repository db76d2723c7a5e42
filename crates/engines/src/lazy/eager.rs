//! The monolithic composition that paper 000 compares with (`--eager`).
//!
//! Idea: all threads are unrolled together, one step of one thread at a time. At each time a thread
//! that the scheduler has not chosen waits where it is: every control state has a loop to itself.
//! So memory is one sequence of values and there is nothing to pass on, but control states that
//! were reached once are there at all later times, and values of all threads are carried along.
//! Source: paper 000 §2.1 and §3, figure 1(c). As there, steps that nobody can notice need no
//! scheduler. We add: once nobody makes a step, nobody does any more, so that a state at the last
//! time is the end of each shorter execution.
//! Invariant: at most one visible step at a time; the slots of a time have its number as clock.

use raddle_term::TermId;

use super::arrivals::{Arrival, add};
use super::unroll::{CLOCK, Ground, Need, Run, Slot, Used};

/// All threads up to some time.
#[derive(Default)]
pub struct Eager {
    /// What is in memory now; none while main is alone.
    pub memory: Option<Vec<TermId>>,
    /// How many steps have been made.
    pub time: u32,
    /// Whether the last one was made.
    pub active: Option<TermId>,
}

impl Eager {
    /// Lets one thread make a step; false if control goes no further.
    pub fn advance(&mut self, ground: &mut Ground, runs: &mut [Run]) -> bool {
        let Some(memory) = self.memory.take() else {
            return self.advance_alone(ground, &mut runs[0]);
        };
        self.time += 1;
        let clock = ground.terms.constant(u128::from(self.time), CLOCK);
        let chosen: Vec<TermId> = runs.iter().map(|_| ground.terms.fresh(1)).collect();
        for (i, &a) in chosen.iter().enumerate() {
            for &b in &chosen[..i] {
                let not = ground.terms.not(b);
                ground.facts.push((a, not));
            }
        }
        let mut after = memory.clone();
        let mut active = Vec::new();
        for (r, run) in runs.iter_mut().enumerate() {
            if run.frontier.is_empty() {
                continue;
            }
            let slot = run.step_or_wait(ground, &memory, chosen[r], clock);
            for node in slot.nodes.iter().filter(|n| run.automaton.state(n.state).in_section()) {
                for (_, &other) in chosen.iter().enumerate().filter(|(q, _)| *q != r) {
                    let not = ground.terms.not(other);
                    ground.facts.push((node.at, not));
                }
            }
            for (now, &then) in after.iter_mut().zip(&slot.after) {
                *now = ground.terms.ite(slot.done, then, *now);
            }
            active.push(slot.done);
            run.slots.push(slot);
        }
        let now = ground.terms.or_all(&active);
        if let Some(before) = self.active.replace(now) {
            ground.facts.push((now, before));
        }
        self.memory = Some(after);
        !active.is_empty()
    }

    /// A step of main before it creates a thread.
    fn advance_alone(&mut self, ground: &mut Ground, main: &mut Run) -> bool {
        if main.leave_start(ground) {
            self.memory = Some(ground.memory_at_start());
            return true;
        }
        main.advance(ground)
    }
}

impl Run {
    /// The step of a thread at a time: it is made if the thread is chosen; otherwise it waits.
    fn step_or_wait(
        &mut self,
        ground: &mut Ground,
        memory: &[TermId],
        chosen: TermId,
        clock: TermId,
    ) -> Slot {
        self.add_unreached(ground);
        let arrivals = std::mem::take(&mut self.frontier);
        let visible = self.is_visible(ground, &arrivals);
        let (tru, fals) = (ground.terms.tru(), ground.terms.fals());
        let mut slot = Slot {
            need: if visible { Need::Token } else { Need::Nothing },
            nodes: Vec::new(),
            token: tru,
            go: if visible { chosen } else { tru },
            done: fals,
            keeps: fals,
            clock,
            before: memory.to_vec(),
            after: memory.to_vec(),
            previous: None,
            used: Used::default(),
            groups: Used::default(),
        };
        self.fill(ground, &mut slot, arrivals);
        self.follow(ground, &mut slot);
        if visible {
            let stays = ground.terms.not(slot.done);
            for node in &slot.nodes {
                let at = ground.terms.and(node.at, stays);
                let arrival = Arrival { state: node.state, at, env: node.env.clone() };
                if !ground.terms.is_false(at) {
                    add(ground, &mut self.frontier, arrival);
                }
            }
        }
        slot
    }
}
