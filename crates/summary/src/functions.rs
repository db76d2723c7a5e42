//! Summaries of functions: what a function computes, as terms over its parameters.
//!
//! Idea: a function that only computes (registers, branches, loops, calls of such functions) is
//! executed once with variables for its parameters; later calls replace the variables by the
//! arguments instead of executing it again. The rules of the terms apply on replacement, so
//! constant arguments fold as they would have. A first call is executed where it stands: most
//! functions are called once. A function that cuts, checks or stops something on the way is
//! executed each time, for that depends on the path.
//! Source: paper 004 §4 (function summaries). We differ: functions that touch memory are executed
//! where they are called, because which of their accesses are events depends on who runs in
//! parallel.

use std::rc::Rc;

use raddle_ir::{Callee, Expr, FuncId, InstrRef, Op, Program, Terminator};
use raddle_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::merge::Returned;
use crate::state::State;
use crate::walk::Walk;

/// What a function returns.
struct Summary {
    parameters: Vec<TermId>,
    result: Option<TermId>,
}

/// What is known of a function.
enum Known {
    /// It was called once.
    Once,
    /// It is executed each time.
    No,
    /// Its summary.
    Yes(Rc<Summary>),
}

/// All summaries of a walk.
#[derive(Default)]
pub(crate) struct Summaries {
    functions: FxHashMap<FuncId, Known>,
}

/// Whether a function and all it calls only compute.
fn only_computes(program: &Program, func: FuncId, under_way: &mut FxHashSet<FuncId>) -> bool {
    if !under_way.insert(func) {
        return false;
    }
    let blocks = &program.function(func).blocks;
    let plain = blocks.iter().all(|block| {
        block.end != Terminator::Stop
            && block.instrs.iter().all(|instr| match &instr.op {
                Op::Assign { value, .. } => !matches!(value, Expr::Offset { .. }),
                Op::Call { callee: Callee::Direct(f), .. } => only_computes(program, *f, under_way),
                Op::Call { callee: Callee::Indirect(_), .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CompareExchange { .. }
                | Op::Fence { .. }
                | Op::Alloc { .. }
                | Op::Free { .. }
                | Op::ObjectSize { .. }
                | Op::Create { .. }
                | Op::Join { .. }
                | Op::ThreadExit { .. }
                | Op::ThreadSelf { .. }
                | Op::ThreadLocal { .. }
                | Op::Lock { .. }
                | Op::Unlock { .. }
                | Op::TryLock { .. }
                | Op::AtomicBegin
                | Op::AtomicEnd
                | Op::Block { .. }
                | Op::Assume { .. }
                | Op::Check { .. }
                | Op::Input { .. }
                | Op::Exit { .. }
                | Op::Unsupported { .. } => false,
            })
    });
    under_way.remove(&func);
    plain
}

impl Walk<'_> {
    /// The result of a call by the function's summary; `None` if it must be executed.
    pub(crate) fn instantiate(
        &mut self,
        at: InstrRef,
        func: FuncId,
        args: &[TermId],
    ) -> Option<Option<TermId>> {
        if !self.limits.summaries {
            return None;
        }
        let summary = match self.summaries.functions.get(&func) {
            Some(Known::Yes(summary)) => summary.clone(),
            Some(Known::No) => return None,
            Some(Known::Once) => self.summarise_function(at, func)?,
            None => {
                let fits = only_computes(self.program, func, &mut FxHashSet::default());
                let known = if fits { Known::Once } else { Known::No };
                self.summaries.functions.insert(func, known);
                return None;
            }
        };
        let widths = summary.parameters.iter().map(|&p| self.terms.width(p));
        if !widths.eq(args.iter().map(|&a| self.terms.width(a))) {
            return None;
        }
        debug_assert!(summary.parameters.iter().all(|&p| self.terms.as_var(p).is_some()), "free");
        let Some(result) = summary.result else { return Some(None) };
        let map = summary.parameters.iter().copied().zip(args.iter().copied()).collect();
        Some(self.terms.substitute(&[result], &map).pop())
    }

    /// Executes a function with variables as arguments.
    fn summarise_function(&mut self, at: InstrRef, func: FuncId) -> Option<Rc<Summary>> {
        self.summaries.functions.insert(func, Known::No);
        let program = self.program;
        let function = program.function(func);
        let parameters: Vec<TermId> =
            function.params.iter().map(|&p| self.terms.fresh(function.reg(p).width)).collect();
        let (cuts, events) = (self.recorder.cut_count(), self.recorder.event_count());
        let done = self.call(at, func, parameters.clone(), State::at_start());
        let complete = self.recorder.cut_count() == cuts;
        self.recorder.forget_cuts(cuts);
        debug_assert_eq!(self.recorder.event_count(), events, "what only computes has no events");
        let Returned { state, value: result } = done?;
        if !complete || !self.terms.is_true(state.path.term(&self.terms)) {
            return None;
        }
        let summary = Rc::new(Summary { parameters, result });
        self.summaries.functions.insert(func, Known::Yes(summary.clone()));
        Some(summary)
    }
}
