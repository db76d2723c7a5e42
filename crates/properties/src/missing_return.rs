//! Functions that end without returning the value that their caller uses: a pass of the property
//! `assertions`.
//!
//! Idea: clang keeps the value to be returned in a variable of its own. Where a function falls off
//! its end, that variable still has the arbitrary value of its beginning on all paths; there a
//! check that fails is inserted. C allows such an end if the caller does not use the value, so only
//! functions are taken that are called directly, never by pointer or as a thread, and whose result
//! all callers use.
//! Limits: a function that some callers use and others do not is left alone, and so is an end that
//! only some paths come to without a value.

use raddle_ir::{
    Block, BlockId, Callee, Const, FuncId, Function, InputKind, Instr, Op, Operand, Place, Program,
    Property, RegId, Terminator,
};

/// Inserts the checks into all functions that are not library models.
pub fn insert_checks(program: &mut Program) {
    for f in 0..program.functions.len() {
        let id = FuncId::new(f);
        if program.functions[f].is_model || Some(id) == program.entry || !value_is_used(program, id)
        {
            continue;
        }
        let function = &mut program.functions[f];
        for (from, to) in falls_off(function) {
            let message =
                format!("`{}` ends without returning a value that is used", function.name);
            let cond = Operand::Const(Const { value: 0, width: 1 });
            let op = Op::Check { property: Property::Assertions, cond, message };
            let end_place = function.blocks[to.index()].end_place;
            let check = Instr { op, place: end_place };
            if from == to {
                function.blocks[to.index()].instrs.push(check);
                continue;
            }
            let between = BlockId::new(function.blocks.len());
            let block = Block { instrs: vec![check], end: Terminator::Goto(to), end_place };
            function.blocks.push(block);
            redirect(&mut function.blocks[from.index()].end, to, between);
        }
    }
}

/// Whether all calls are direct, there is one, and each result is read.
fn value_is_used(program: &Program, func: FuncId) -> bool {
    let address = program.function(func).address.to_le_bytes();
    let bytes = program.pointer_bits as usize / 8;
    let in_memory = program
        .globals
        .iter()
        .any(|g| g.init.windows(bytes).any(|window| window == &address[..bytes]));
    let mut calls = 0;
    for caller in &program.functions {
        for instr in caller.blocks.iter().flat_map(|b| &b.instrs) {
            if let Op::Call { dst, callee: Callee::Direct(f), .. } = &instr.op
                && *f == func
            {
                calls += 1;
                if !dst.is_some_and(|dst| is_read(caller, dst)) {
                    return false;
                }
            }
            if instr.op.operands().contains(&Operand::Function(func)) {
                return false;
            }
        }
    }
    calls > 0 && !in_memory
}

fn is_read(function: &Function, reg: RegId) -> bool {
    function.blocks.iter().any(|b| {
        b.end.operand() == Some(Operand::Reg(reg))
            || b.instrs.iter().any(|i| i.op.operands().contains(&Operand::Reg(reg)))
    })
}

fn redirect(end: &mut Terminator, old: BlockId, new: BlockId) {
    let change = |b: &mut BlockId| {
        if *b == old {
            *b = new;
        }
    };
    match end {
        Terminator::Goto(b) => change(b),
        Terminator::Branch { then, other, .. } => [then, other].into_iter().for_each(change),
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().map(|c| &mut c.1).chain([default]).for_each(change);
        }
        Terminator::Return(_) | Terminator::Stop => {}
    }
}

/// The edges into returns of a value that certainly was never set; a block with itself if that is
/// so of the whole block.
fn falls_off(function: &Function) -> Vec<(BlockId, BlockId)> {
    let mut found = Vec::new();
    for (r, block) in function.blocks.iter().enumerate() {
        let Terminator::Return(Some(Operand::Reg(value))) = block.end else { continue };
        if !starts_arbitrary(function, value) || block.end_place == Place::UNKNOWN {
            continue;
        }
        let unset = certainly_unset(function, value);
        if unset[r] {
            found.push((BlockId::new(r), BlockId::new(r)));
            continue;
        }
        for (b, from) in function.blocks.iter().enumerate() {
            let here = BlockId::new(r);
            if unset[b] && !sets(block, value) && from.end.successors().contains(&here) {
                found.push((BlockId::new(b), here));
            }
        }
    }
    found
}

/// Whether a register without a name in the source begins with an arbitrary value.
fn starts_arbitrary(function: &Function, value: RegId) -> bool {
    function.reg(value).name.is_none()
        && function.blocks[0].instrs.iter().any(|i| {
        matches!(i.op, Op::Input { dst, kind: InputKind::Uninitialised, .. } if dst == value)
    })
}

/// Whether a block gives a register a value that is not arbitrary.
fn sets(block: &Block, value: RegId) -> bool {
    block.instrs.iter().any(|i| {
        !matches!(i.op, Op::Input { kind: InputKind::Uninitialised, .. })
            && i.op.defs().any(|d| d == value)
    })
}

/// For each block, whether no path to its end sets the register.
fn certainly_unset(function: &Function, value: RegId) -> Vec<bool> {
    let mut unset: Vec<bool> = function.blocks.iter().map(|b| !sets(b, value)).collect();
    loop {
        let mut changed = false;
        for b in 0..function.blocks.len() {
            if unset[b] {
                continue;
            }
            for next in function.blocks[b].end.successors() {
                changed |= std::mem::replace(&mut unset[next.index()], false);
            }
        }
        if !changed {
            return unset;
        }
    }
}
