//! Sizes of allocated objects that are constant where they are allocated, and their alignment.
//!
//! Idea: `malloc` has a parameter, but most calls give it a constant. In a context it is known which
//! call leads there, so a parameter is followed to the argument of the caller, and expressions over
//! constants are folded. An object of known size has as many cells as it needs, not as many as the
//! bounds allow.
//! Invariant: nobody relies on it: an execution that allocates another size ends the automaton
//! (`objects.rs`).
//! Limits: registers that are assigned in several places are not followed.

use raddle_analysis::fold;
use raddle_ir::{InstrRef, Op, Operand, Program};

use crate::contexts::{ContextId, Contexts};

/// How many registers are followed, one after another.
const DEPTH: u32 = 16;

/// The size of what an `Alloc` makes in a context.
pub(crate) fn constant_size(
    program: &Program,
    contexts: &Contexts,
    context: ContextId,
    at: InstrRef,
) -> Option<u64> {
    let Op::Alloc { size, .. } = program.instr(at)?.op else { return None };
    u64::try_from(constant(program, contexts, context, size, DEPTH)?).ok()
}

/// The value of an operand wherever a function is in this context.
fn constant(
    program: &Program,
    contexts: &Contexts,
    context: ContextId,
    operand: Operand,
    depth: u32,
) -> Option<u128> {
    let Operand::Reg(reg) = operand else { return program.constant(operand) };
    let depth = depth.checked_sub(1)?;
    let here = contexts.get(context);
    let function = program.function(here.func);
    let instrs = function.block_ids().flat_map(|b| &function.block(b).instrs);
    let mut assigning = instrs.filter(|i| i.op.defs().any(|d| d == reg));
    let parameter = function.params.iter().position(|p| *p == reg);
    match (assigning.next(), assigning.next(), parameter) {
        (Some(instr), None, None) => {
            let Op::Assign { value, .. } = &instr.op else { return None };
            fold::expr(value, |o| {
                let known = constant(program, contexts, context, o, depth)?;
                Some((known, program.width(function, o)))
            })
        }
        (None, None, Some(i)) => {
            let argument = |&(outer, call): &(ContextId, InstrRef)| {
                let Op::Call { args, .. } = &program.instr(call)?.op else { return None };
                let value = constant(program, contexts, outer, *args.get(i)?, depth)?;
                Some(value & (u128::MAX >> (128 - function.reg(reg).width.clamp(1, 128))))
            };
            let mut values = here.callers.iter().map(argument);
            let first = values.next()??;
            values.all(|v| v == Some(first)).then_some(first)
        }
        (_assigned, _again, _parameter) => None,
    }
}

/// What the addresses of the objects that an instruction makes are multiples of.
pub(crate) fn alignment(program: &Program, at: InstrRef) -> u32 {
    let Some(&Op::Alloc { align, .. }) = program.instr(at).map(|instr| &instr.op) else {
        unreachable!("objects are made by what allocates");
    };
    align
}
