//! Which functions may return because their thread has stopped: their callers have to look.

use raddle_ir::{Callee, Cfg, FuncId, Op, Program};

use crate::fold::can_stop;

/// Per function: whether it may stop its thread.
pub(crate) fn stopping(program: &Program, functions: &[FuncId]) -> Vec<bool> {
    let mut stops = vec![false; program.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &f in functions {
            if !stops[f.index()] && may_stop(program, f, &stops) {
                stops[f.index()] = true;
                changed = true;
            }
        }
    }
    stops
}

fn may_stop(program: &Program, f: FuncId, stops: &[bool]) -> bool {
    let function = program.function(f);
    if !Cfg::new(function).loops.is_empty() {
        return true;
    }
    let ops = function.blocks.iter().flat_map(|b| b.instrs.iter().map(|i| &i.op));
    ops.into_iter().any(|op| match op {
        Op::Call { callee: Callee::Direct(callee), .. } => stops[callee.index()],
        Op::Assign { value, .. } => can_stop(value),
        Op::Fence { .. }
        | Op::Free { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadSelf { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Input { .. } => false,
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CompareExchange { .. }
        | Op::Alloc { .. }
        | Op::ObjectSize { .. }
        | Op::Call { callee: Callee::Indirect(_), .. }
        | Op::Create { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::TryLock { .. }
        | Op::Block { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => true,
    })
}
