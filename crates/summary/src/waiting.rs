//! Where threads may wait for ever, for the search for deadlocks.
//!
//! Idea: a deadlock is a state in which threads stand before points that they cannot walk. Each
//! such point becomes a [`Wait`] with the condition under which the thread stands there and cannot
//! go on. A condition that depends on shared memory rests on reads that are events of the point's
//! own unit (or of the spinning iteration), so that composition can demand that they come after
//! everything else. A `Lock` of a known word is passed by a free choice; waiting reads the word
//! instead. Nothing is recorded unless deadlocks are checked.
//! Limits: an atomic section that spins after a write, or waits after it created a thread, is
//! recorded as a cut.

use raddle_ir::{BlockId, FuncId, InstrRef, Operand, Property, Unmodelled};
use raddle_term::TermId;

use crate::access::Manner;
use crate::knowledge::Target;
use crate::locks::lock_word;
use crate::purity::Head;
use crate::skeleton::{CutKind, Trail, Wait, WaitKind};
use crate::state::State;
use crate::step::Here;
use crate::walk::Walk;

impl Walk<'_> {
    fn deadlocks_checked(&self) -> bool {
        self.program.checked.contains(Property::Deadlocks)
    }

    /// Goes on if the condition holds, or, where wakeups may be spurious, by choice.
    pub(crate) fn block(&mut self, here: &mut Here, cond: Operand, spurious: bool) -> bool {
        let cond = self.operand(cond, here.regs);
        let (at, state) = (here.at, &mut *here.state);
        let stays = self.terms.not(cond);
        if !spurious {
            self.wait_at(at, stays, WaitKind::Condition, state);
            return self.wait_for(state, cond);
        }
        if !self.deadlocks_checked() {
            return true;
        }
        let asleep = self.terms.fresh(1);
        let stays = self.terms.and(stays, asleep);
        self.wait_at(at, stays, WaitKind::Condition, state);
        let goes_on = self.terms.not(stays);
        self.wait_for(state, goes_on)
    }

    /// A mutex with a shared word: the thread that does not acquire it looks at the word.
    pub(crate) fn wait_for_lock(
        &mut self,
        at: InstrRef,
        place: Target,
        mutex: TermId,
        acquired: TermId,
        state: &State,
    ) {
        if !self.deadlocks_checked() {
            return;
        }
        let fails = self.terms.not(acquired);
        let path = state.path.and(&mut self.terms, fails);
        let waiting = state.on(path);
        let word = self.terms.fresh(32);
        let how = Manner { trail: Trail::Wait, ..lock_word(at) };
        self.read_known(&waiting, place, mutex, word, how);
        let zero = self.terms.constant(0, 32);
        let held = self.terms.ne(word, zero);
        self.wait_at(at, held, WaitKind::Lock(word), &waiting);
    }

    /// A mutex whose word has been read.
    pub(crate) fn wait_for_word(
        &mut self,
        at: InstrRef,
        word: TermId,
        is_free: TermId,
        state: &State,
    ) {
        let held = self.terms.not(is_free);
        self.wait_at(at, held, WaitKind::Lock(word), state);
    }

    /// A join; whether its thread ended is known only when all threads are.
    pub(crate) fn wait_for_join(&mut self, at: InstrRef, unit: u32, target: TermId, state: &State) {
        if !self.deadlocks_checked() {
            return;
        }
        let guard = state.path.term(&self.terms);
        let (thread, site) = (self.recorder.thread(), self.user_site(at));
        let kind = WaitKind::Join(target);
        self.undone(at, guard, kind, state);
        let reads = state.atomic > 0;
        self.recorder.wait(Wait { thread, unit, guard, stuck: guard, reads, kind, at, site });
    }

    /// An iteration without effect that needed no input and did not wait on a condition variable.
    pub(crate) fn wait_spinning(
        &mut self,
        state: &State,
        func: FuncId,
        head_block: BlockId,
        head: &Head,
        [effect, waited]: [TermId; 2],
    ) {
        if !self.deadlocks_checked() || self.terms.is_true(effect) {
            return;
        }
        let asked = self.recorder.input_since(&mut self.terms, head.choices);
        let other = [effect, waited, asked];
        let other = self.terms.or_all(&other);
        let at = InstrRef { func, block: head_block, index: 0 };
        let pure = self.terms.not(other);
        let unit = if state.atomic > 0 { state.section } else { head.unit };
        self.wait(at, unit, pure, WaitKind::Loop, true, state);
    }

    /// A point inside the section that is under way, or between units.
    fn wait_at(&mut self, at: InstrRef, stays: TermId, kind: WaitKind, state: &State) {
        let reads = state.atomic > 0;
        let unit = if reads { state.section } else { self.recorder.unit() };
        self.wait(at, unit, stays, kind, reads, state);
    }

    fn wait(
        &mut self,
        at: InstrRef,
        unit: u32,
        stays: TermId,
        kind: WaitKind,
        reads: bool,
        state: &State,
    ) {
        if !self.deadlocks_checked() {
            return;
        }
        let mut path = state.path.and(&mut self.terms, stays);
        let section = (state.atomic > 0).then_some(unit);
        let asked = section.and_then(|s| self.recorder.input_in_section(&mut self.terms, s));
        if let Some(asked) = asked {
            // With another input the section might go through.
            let not_asked = self.terms.not(asked);
            path = path.and(&mut self.terms, not_asked);
        }
        if path.is_false(&self.terms) {
            return;
        }
        let guard = state.path.term(&self.terms);
        let stuck = path.term(&self.terms);
        let (thread, site) = (self.recorder.thread(), self.user_site(at));
        self.undone(at, stuck, kind, state);
        self.recorder.wait(Wait { thread, unit, guard, stuck, reads, kind, at, site });
    }

    /// A section that cannot be completed takes no step: what it did would have to be undone. For
    /// writes this is already so ([`Walk::wait_for`]), except where it spins.
    fn undone(&mut self, at: InstrRef, stuck: TermId, kind: WaitKind, state: &State) {
        if state.atomic == 0 {
            return;
        }
        let writes = kind == WaitKind::Loop;
        let steps = self.recorder.steps_of_section(&mut self.terms, state.section, writes);
        for guard in steps {
            let condition = self.terms.and(guard, stuck);
            if self.terms.is_false(condition) {
                continue;
            }
            let kind = CutKind::Unsupported(Unmodelled::WaitingSection);
            self.recorder.cut(condition, kind, self.program.place(at));
        }
    }
}
