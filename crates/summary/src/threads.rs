//! A thread from its start to its end; creation and joining.
//!
//! Idea: a created thread is executed when it is created, since its summary needs nothing of what
//! its creator does later. It begins on its creator's path, so that all it does implies its
//! creation. A join of a thread that is known at once is a mark, and its result the thread's; any
//! other join has a free result that composition links.
//! Invariants: a parent stands before its children; a thread that is joined by mark is summarised
//! already, so only an ancestor, whose summary is not complete, is joined like an unknown one.

use std::rc::Rc;

use raddle_ir::{BlockId, FuncId, InstrRef, Operand, RegId};
use raddle_term::TermId;

use crate::beginning::Image;
use crate::merge::Returned;
use crate::skeleton::{ChoiceKind, CutKind, Join, MarkKind, ThreadIx};
use crate::state::State;
use crate::step::Here;
use crate::walk::{End, Position, Walk};

impl Walk<'_> {
    /// Executes the program.
    pub fn run_main(&mut self) {
        let Some(entry) = self.program.entry else { return };
        self.run_thread(entry, Vec::new(), State::at_start());
    }

    /// Executes the running thread from its start function to its end.
    fn run_thread(&mut self, func: FuncId, args: Vec<TermId>, state: State) {
        let at = InstrRef { func, block: BlockId(0), index: 0 };
        // Return from the main thread is `Exit`: nobody comes after it, so it does not count as an
        // end.
        let is_main = self.recorder.thread() == ThreadIx(0);
        if let Some(Returned { mut state, value }) = self.call(at, func, args, state) {
            if is_main {
                self.exit(&mut state, true, at);
            } else {
                let width = self.program.pointer_bits;
                let nothing = self.terms.constant(0, width);
                let value = self.fit(Some(value.unwrap_or(nothing)), width);
                self.end_thread(&state, at, value);
            }
        }
        let ends = std::mem::take(&mut self.thread.ends);
        let ended = self.terms.or_all(&ends.iter().map(|e| e.guard).collect::<Vec<_>>());
        let nothing = self.terms.constant(0, self.program.pointer_bits);
        let result = ends.iter().fold(nothing, |r, end| self.terms.ite(end.guard, end.value, r));
        self.recorder.finish_thread(&self.terms, ended, result);
    }

    /// Notes that the thread ends on this path.
    pub fn end_thread(&mut self, state: &State, at: InstrRef, value: TermId) {
        let guard = state.path.term(&self.terms);
        self.thread.ends.push(End { guard, value });
        if state.atomic > 0 {
            self.recorder.end_section(&self.terms, state, at);
        }
        let unit = self.recorder.next_unit();
        self.recorder.mark(unit, MarkKind::End, guard, at);
    }

    /// Creates and executes a thread; returns its index, `None` if a limit forbids it.
    fn create_thread(
        &mut self,
        at: InstrRef,
        func: FuncId,
        args: Vec<TermId>,
        state: &mut State,
    ) -> Option<ThreadIx> {
        let same = self.thread.lineage.iter().filter(|&&l| l == at).count();
        if self.recorder.thread_count() >= self.limits.threads as usize
            || same > self.limits.unwind as usize
        {
            self.cut(state, CutKind::Threads, self.program.place(at));
            return None;
        }
        if !state.concurrent {
            self.publish(state);
        }
        let nth = self.count(at);
        let number = self.knowledge.thread_number(self.thread.number, at, nth);
        let first = args.first().and_then(|&a| self.terms.as_const(a));
        let name = self.program.function(self.program.given_start(func, first)).name.clone();
        let child = self.recorder.add_child(&self.terms, number, name);
        let guard = state.path.term(&self.terms);
        let unit = self.recorder.unit_of(state);
        self.recorder.mark(unit, MarkKind::Create(child), guard, at);
        self.recorder.choice(guard, at, ChoiceKind::Thread(child));
        self.effect(state);
        for &arg in &args {
            self.note_escape(arg);
        }
        let mut lineage = self.thread.lineage.clone();
        lineage.push(at);
        let position = Position::at_start(number, lineage);
        let creator = std::mem::replace(&mut self.thread, position);
        let recording = self.recorder.begin_thread(&self.terms, child);
        let start = State { path: state.path.clone(), concurrent: true, ..State::at_start() };
        self.run_thread(func, args, start);
        self.recorder.resume(recording);
        self.thread = creator;
        Some(child)
    }

    /// From here on other threads may see memory: what is in it now is the initial memory.
    pub fn publish(&mut self, state: &mut State) {
        debug_assert!(!state.concurrent, "memory is given to others once on a path");
        let guard = state.path.term(&self.terms);
        self.recorder.publish(Image { guard, memory: state.memory.clone() });
        state.concurrent = true;
    }

    /// Executes a creation: one thread for each function that the address may be.
    pub fn create(
        &mut self,
        here: &mut Here,
        func: Operand,
        args: &[Operand],
        dst: Option<RegId>,
    ) -> bool {
        let (f, args) = (self.operand(func, here.regs), self.operands(args, here.regs));
        let Some(functions) = self.callees(here, f) else { return false };
        let width = self.program.pointer_bits;
        let mut number = None;
        let mut some = self.terms.fals();
        for (id, hit) in functions {
            let mut start = self.state_if(here.state, hit);
            if start.is_dead(&self.terms) {
                continue;
            }
            let Some(child) = self.create_thread(here.at, id, args.clone(), &mut start) else {
                continue;
            };
            here.state.concurrent = true;
            some = self.terms.or(some, hit);
            let n = u128::from(self.recorder.record(child).number);
            let n = self.terms.constant(n, width);
            number = Some(match number {
                None => n,
                Some(before) => self.terms.ite(hit, n, before),
            });
        }
        let Some(number) = number else { return false };
        here.set_if_wanted(dst, number);
        self.restrict(here.state, some)
    }

    /// Executes a join.
    pub fn join(&mut self, here: &mut Here, thread: Operand, dst: Option<RegId>) -> bool {
        let (at, target) = (here.at, self.operand(thread, here.regs));
        let unit = self.recorder.unit_of(here.state);
        self.wait_for_join(at, unit, target, here.state);
        let known = self.terms.as_const(target).map(|number| self.recorder.by_number(number));
        if known == Some(None) {
            return false;
        }
        let complete = |&t: &ThreadIx| self.recorder.record(t).units > 0;
        let (done, result) = match known.flatten().filter(complete) {
            Some(child) => {
                let (ended, result) =
                    (self.recorder.record(child).ended, self.recorder.record(child).result);
                let guard = self.state_if(here.state, ended).path.term(&self.terms);
                self.recorder.mark(unit, MarkKind::Join(child), guard, at);
                let number = self.recorder.record(child).number;
                Rc::make_mut(&mut here.state.joined).insert(number);
                (ended, result)
            }
            None => {
                let done = self.terms.fresh(1);
                let result = self.terms.fresh(self.program.pointer_bits);
                let guard = here.state.path.term(&self.terms);
                let thread = self.recorder.thread();
                self.recorder.join(Join { thread, unit, guard, target, done, result, at });
                (done, result)
            }
        };
        here.set_if_wanted(dst, result);
        self.wait_for(here.state, done)
    }
}
