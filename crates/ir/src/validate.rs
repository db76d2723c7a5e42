//! The invariants of a program, checked in one place: front end tests and debug builds call
//! [`validate`] on everything they produce.

use crate::expr::{Expr, Operand};
use crate::instr::{Op, Terminator};
use crate::liveness::Liveness;
use crate::program::{Function, Program};

/// The first broken invariant, in words.
pub fn validate(program: &Program) -> Result<(), String> {
    if !matches!(program.pointer_bits, 32 | 64) {
        return Err(format!("addresses are {} bits wide", program.pointer_bits));
    }
    for function in &program.functions {
        check_function(program, function).map_err(|e| format!("in `{}`: {e}", function.name))?;
    }
    if let Some(entry) = program.entry
        && !program.function(entry).params.is_empty()
    {
        return Err("the entry takes parameters".into());
    }
    Ok(())
}

fn check_function(program: &Program, function: &Function) -> Result<(), String> {
    if function.blocks.is_empty() {
        return Err("no blocks".into());
    }
    if let Some(r) = function.regs.iter().find(|r| r.width == 0 || r.width > 128) {
        return Err(format!("register {:?} is {} bits wide", r.name, r.width));
    }
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, instr) in block.instrs.iter().enumerate() {
            let fail = |what: String| format!("block {b}, instruction {i}: {what}: {:?}", instr.op);
            for operand in instr.op.operands() {
                check_operand(program, function, operand).map_err(fail)?;
            }
            if instr.op.defs().any(|r| r.index() >= function.regs.len()) {
                return Err(fail("no such register".into()));
            }
            check_widths(program, function, &instr.op).map_err(fail)?;
        }
        if let Some(operand) = block.end.operand() {
            check_operand(program, function, operand)?;
        }
        if let Terminator::Branch { cond, .. } = block.end
            && program.width(function, cond) != 1
        {
            return Err(format!("block {b} branches on a value wider than one bit"));
        }
        if block.end.successors().iter().any(|s| s.index() >= function.blocks.len()) {
            return Err(format!("block {b} goes to a block that does not exist"));
        }
    }
    let liveness = Liveness::new(function);
    let entry = crate::ids::BlockId(0);
    match liveness.live_at(entry).find(|r| !function.params.contains(r)) {
        Some(r) => Err(format!(
            "register {} ({:?}) may be read before it is assigned",
            r.0,
            function.reg(r).name
        )),
        None => Ok(()),
    }
}

fn check_operand(program: &Program, function: &Function, operand: Operand) -> Result<(), String> {
    let ok = match operand {
        Operand::Reg(r) => r.index() < function.regs.len(),
        Operand::Const(c) => {
            c.width >= 1 && c.width <= 128 && c.value & !crate::expr::mask(c.width) == 0
        }
        Operand::Global(g, _) => {
            g.index() < program.globals.len() && !program.global(g).thread_local
        }
        Operand::Function(f) => f.index() < program.functions.len(),
    };
    if ok { Ok(()) } else { Err(format!("bad operand {operand:?}")) }
}

fn check_widths(program: &Program, function: &Function, op: &Op) -> Result<(), String> {
    let width = |o: Operand| program.width(function, o);
    let same = |found: u32, wanted: u32| {
        if found == wanted { Ok(()) } else { Err(format!("width {found}, expected {wanted}")) }
    };
    match op {
        Op::Assign { dst, value } => same(expr_width(&width, value)?, function.reg(*dst).width),
        Op::Load { addr, .. } | Op::Free { addr } | Op::ObjectSize { addr, .. } => {
            same(width(*addr), program.pointer_bits)
        }
        Op::Store { addr, value, width: w, .. } | Op::Rmw { addr, value, width: w, .. } => {
            same(width(*addr), program.pointer_bits)?;
            same(width(*value), *w)
        }
        Op::CompareExchange { addr, expected, new, width: w, ok, old, .. } => {
            same(width(*addr), program.pointer_bits)?;
            same(width(*expected), *w)?;
            same(function.reg(*old).width, *w)?;
            same(function.reg(*ok).width, 1)?;
            same(width(*new), *w)
        }
        Op::Alloc { dst, size, .. } => {
            same(function.reg(*dst).width, program.pointer_bits)?;
            same(width(*size), program.pointer_bits)
        }
        Op::Block { cond, .. } | Op::Assume { cond } | Op::Check { cond, .. } => {
            same(width(*cond), 1)
        }
        Op::TryLock { dst, .. } => same(function.reg(*dst).width, 32),
        Op::Fence { .. }
        | Op::ThreadLocal { .. }
        | Op::Call { .. }
        | Op::Create { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Input { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => Ok(()),
    }
}

fn expr_width(width: &dyn Fn(Operand) -> u32, value: &Expr) -> Result<u32, String> {
    let equal = |a: Operand, b: Operand| {
        if width(a) == width(b) {
            Ok(width(a))
        } else {
            Err(format!("operands of {} and {} bits", width(a), width(b)))
        }
    };
    match *value {
        Expr::Use(a) => Ok(width(a)),
        Expr::Binary { a, b, .. } => equal(a, b),
        Expr::Offset { base, offset } => equal(base, offset),
        Expr::Compare { a, b, .. } | Expr::Overflows { a, b, .. } => equal(a, b).map(|_| 1),
        Expr::Cast { width, .. } | Expr::FloatToInt { width, .. } => Ok(width),
        Expr::Select { cond, a, b } => {
            if width(cond) != 1 {
                return Err("the condition is wider than one bit".into());
            }
            equal(a, b)
        }
        Expr::Bits { a, .. } | Expr::FloatNeg { a, .. } | Expr::FloatAbs { a, .. } => Ok(width(a)),
        Expr::Float { a, b, .. } => equal(a, b),
        Expr::FloatCompare { a, b, .. } => equal(a, b).map(|_| 1),
        Expr::FloatCast { to, .. } | Expr::IntToFloat { to, .. } => Ok(to.bits()),
    }
}
