//! Loops: whether to go round again.
//!
//! Idea: a path that returns to a loop head takes the next iteration only under the condition that
//! this one had an effect ([`crate::purity`]), and only while bounds allow. An iteration whose exit
//! test folded to "stay" while something counts is free: such loops end by themselves, and their
//! iterations count against a bound of their own. Where nothing counts (`while (running)` with a
//! flag that nobody clears) the end is not known, and iterations count against the usual bound.
//! Limits: a loop that is entered past its head has no state to compare with, so its iterations
//! just count.

use raddle_ir::{BlockId, FuncId, Place};
use raddle_term::{TermId, Terms};

use crate::activation::Activation;
use crate::beginning::Beginning;
use crate::memory::{Part, common_ranges};
use crate::purity::{self, Arrival, Change, Head, Rest};
use crate::skeleton::CutKind;
use crate::state::State;
use crate::walk::Walk;

/// What is counted from one iteration of a loop to the next, over all paths that come back.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    /// Iterations that count against the bound.
    pub counted: u32,
    /// Iterations that were certain to happen.
    pub free: u32,
    /// The last iteration, if all that it did was to wait on a condition variable.
    pub rest: Option<Rest>,
}

impl Walk<'_> {
    /// The state at a loop head where an iteration begins.
    pub fn head(&self, state: &State, regs: &[TermId], count: Count) -> Head {
        Head {
            path: state.path.clone(),
            regs: regs.to_vec(),
            memory: state.memory.clone(),
            effects: self.thread.effects.len(),
            unit: self.recorder.unit(),
            choices: self.recorder.choice_count(),
            entered: state.entered,
            rest: count.rest,
            counted: count.counted,
            free: count.free,
            decided: false,
        }
    }

    /// Decides whether a further iteration is taken; adds the condition for it to the path.
    pub fn goes_round_again(
        &mut self,
        act: &mut Activation,
        head_block: BlockId,
        state: &mut State,
        regs: &[TermId],
    ) -> bool {
        let l = act.info.cfg.loop_at_head(head_block).expect("back edges go to heads");
        let Some(head) = act.heads[l].clone() else {
            let counted = act.next[l].counted.max(1);
            let within = self.within_bound(counted, act.func, head_block, state);
            if within {
                act.next[l].counted = counted;
            }
            return within;
        };
        let live: Vec<usize> = act.info.liveness.live_at(head_block).map(|r| r.index()).collect();
        let Change { lasting, effect } = self.had_effect(&head, state, regs, &live);
        let waited = purity::waited(&mut self.terms, &head, &self.thread.effects);
        self.wait_spinning(state, act.func, head_block, &head, [effect, waited]);
        // Paths that had no effect are joined with this one; they lead nowhere.
        state.path = state.path.given(&mut self.terms, &head.path, effect);
        if !self.wait_for(state, effect) {
            return false;
        }
        let (mut counted, mut free) = (head.counted, head.free);
        let room = self.recorder.event_count() < self.limits.events;
        let ends = head.decided && self.counts(&head, state, regs, &live);
        if ends && free < self.limits.free && room {
            free += 1;
        } else {
            counted += 1;
        }
        if !self.within_bound(counted, act.func, head_block, state) {
            return false;
        }
        let rest = self.rest(&head, state, lasting, act.next[l].rest);
        let next = &mut act.next[l];
        *next = Count { counted: next.counted.max(counted), free: next.free.max(free), rest };
        true
    }

    /// What the iteration that ends here did, and others that end at the same time, if it was waiting.
    fn rest(
        &mut self,
        head: &Head,
        state: &State,
        lasting: TermId,
        others: Option<Rest>,
    ) -> Option<Rest> {
        let waiting = purity::waiting(head, &self.thread.effects)?;
        let (here, nothing_else) = (state.path.term(&self.terms), self.terms.not(lasting));
        let mut condition = self.terms.and(here, nothing_else);
        if let Some(others) = others.filter(|r| r.mutex == waiting.mutex) {
            condition = self.terms.or(condition, others.condition);
        }
        Some(Rest { mutex: waiting.mutex, condition })
    }

    /// Whether something that the thread alone knows went from one number to another: a counter, or
    /// a pointer that moves on. Without one, a loop that goes on this time always does.
    fn counts(&mut self, head: &Head, state: &State, regs: &[TermId], live: &[usize]) -> bool {
        let number = |terms: &Terms, t: TermId| terms.as_const(t);
        let moved = |terms: &Terms, before: TermId, after: TermId| {
            number(terms, before).zip(number(terms, after)).is_some_and(|(a, b)| a != b)
        };
        if live.iter().any(|&r| moved(&self.terms, head.regs[r], regs[r])) {
            return true;
        }
        for o in head.memory.differences(&state.memory) {
            let contents = [&head.memory, &state.memory].map(|m| m.contents(o).cloned());
            let [before, after] = &contents;
            for (offset, bytes) in common_ranges(before.as_deref(), after.as_deref()) {
                let part = Part { object: o, offset, bytes };
                let values = [&head.memory, &state.memory].map(|m| self.value_in(m, part));
                if moved(&self.terms, values[0], values[1]) {
                    return true;
                }
            }
        }
        false
    }

    /// What the iteration that ends here changed.
    fn had_effect(
        &mut self,
        head: &Head,
        state: &State,
        regs: &[TermId],
        live: &[usize],
    ) -> Change {
        debug_assert!(head.effects <= self.thread.effects.len(), "effects are never taken back");
        let (images, arbitrary) = self.recorder.beginning();
        let (program, knowledge) = (self.program, &*self.knowledge);
        let mut beginning = Beginning { program, knowledge, images, arbitrary };
        let effects = &self.thread.effects;
        let now = Arrival { regs, memory: &state.memory, path: &state.path, effects };
        let mut initial = |terms: &mut _, part: Part| beginning.value(terms, part);
        purity::had_effect(&mut self.terms, head, &now, live, &mut initial)
    }

    /// Records a cut if so many iterations are more than the bound.
    fn within_bound(&mut self, counted: u32, func: FuncId, head: BlockId, state: &State) -> bool {
        let within = counted <= self.limits.unwind;
        if !within {
            self.cut(state, CutKind::Loop, self.loop_place(func, head));
        }
        within
    }

    fn loop_place(&self, func: FuncId, head: BlockId) -> Place {
        let block = self.program.function(func).block(head);
        block.instrs.iter().map(|i| i.place).find(|p| p.is_known()).unwrap_or(block.end_place)
    }
}
