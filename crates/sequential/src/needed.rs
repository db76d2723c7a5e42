//! Which registers matter: their values reach memory, a call, a condition or a result.

use raddle_ir::{Expr, Function, Op, Operand, RegId};

/// Whether the value of each register is needed.
pub(crate) fn needed(function: &Function) -> Vec<bool> {
    let mut needed = vec![false; function.regs.len()];
    let mut work: Vec<RegId> = Vec::new();
    let mut inputs: Vec<Vec<Expr>> = vec![Vec::new(); function.regs.len()];
    for block in &function.blocks {
        for instr in &block.instrs {
            match &instr.op {
                Op::Assign { dst, value } if !crate::fold::can_stop(value) => {
                    inputs[dst.index()].push(*value);
                }
                other => work.extend(other.operands().into_iter().filter_map(register)),
            }
        }
        work.extend(block.end.operand().and_then(register));
    }
    while let Some(r) = work.pop() {
        if !std::mem::replace(&mut needed[r.index()], true) {
            let values = inputs[r.index()].iter();
            work.extend(values.flat_map(|v| v.operands().filter_map(register)));
        }
    }
    needed
}

/// The register that an operand is.
pub(crate) fn register(operand: Operand) -> Option<RegId> {
    match operand {
        Operand::Reg(r) => Some(r),
        Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => None,
    }
}
