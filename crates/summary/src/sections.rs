//! Units of several accesses: atomic sections, and instructions that read and write.
//!
//! Idea: everything between the beginning and the end of a section has one unit. A section that
//! cannot be completed takes no step: what it wrote before it stopped did not happen. So its writes
//! need all conditions under which it goes on; they are kept by the recorder and added when the
//! skeleton is finished. So do they where a bound cuts the section off (`walk.rs`): what the rest of
//! it does to the same memory is not known. A section in which the thread ends by undefined behaviour
//! is different: what it did before stays done.

use raddle_ir::{InstrRef, Property};
use raddle_term::TermId;

use crate::skeleton::CutKind;
use crate::state::State;
use crate::step::Here;
use crate::walk::Walk;

impl Walk<'_> {
    /// Begins an atomic section; sections nest, the outermost counts.
    pub fn begin_atomic(&mut self, here: &mut Here) -> bool {
        if here.state.atomic == 0 {
            here.state.section = self.recorder.next_unit();
            self.recorder.begin_section(&self.terms, here.state, here.at);
        }
        here.state.atomic += 1;
        true
    }

    /// Ends an atomic section.
    pub fn end_atomic(&mut self, here: &mut Here) -> bool {
        here.state.atomic = here.state.atomic.saturating_sub(1);
        if here.state.atomic == 0 {
            self.recorder.end_section(&self.terms, here.state, here.at);
        }
        true
    }

    /// Runs several accesses as one unit.
    pub fn atomically<R>(
        &mut self,
        state: &mut State,
        body: impl FnOnce(&mut Self, &mut State) -> R,
    ) -> R {
        if state.atomic == 0 {
            state.section = self.recorder.next_unit();
        }
        state.atomic += 1;
        let depth = state.atomic;
        let result = body(self, state);
        debug_assert_eq!(state.atomic, depth, "units of one instruction are nested");
        state.atomic -= 1;
        result
    }

    /// Goes on only where the condition holds; an atomic section that stops here has written
    /// nothing.
    pub fn wait_for(&mut self, state: &mut State, condition: TermId) -> bool {
        if state.atomic > 0 && !self.terms.is_true(condition) {
            let here = state.path.term(&self.terms);
            let passes = self.terms.implies(here, condition);
            self.recorder.needs(state.section, passes);
        }
        self.restrict(state, condition)
    }

    /// The thread ends where the condition does not hold: undefined behaviour, which a property that is not
    /// checked would have shown.
    pub fn undefined_unless(
        &mut self,
        state: &mut State,
        condition: TermId,
        property: Property,
        at: InstrRef,
    ) -> bool {
        debug_assert!(!self.program.checked.contains(property), "else it is a violation");
        let ends = self.terms.not(condition);
        let ending = self.state_if(state, ends);
        if !ending.is_dead(&self.terms) {
            let place = self.program.place(self.user_site(at));
            self.cut(&ending, CutKind::Undefined(property), place);
        }
        self.end_unless(state, condition, at)
    }

    /// The thread ends where the condition does not hold. What its atomic section did before stays done.
    pub fn end_unless(&mut self, state: &mut State, condition: TermId, at: InstrRef) -> bool {
        if state.atomic > 0 && !self.terms.is_true(condition) {
            let ends = self.terms.not(condition);
            let ending = self.state_if(state, ends);
            self.recorder.end_section(&self.terms, &ending, at);
        }
        self.restrict(state, condition)
    }
}
