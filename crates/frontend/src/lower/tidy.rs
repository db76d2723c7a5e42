//! Makes a lowered function smaller without changing what it does.
//!
//! clang writes a block for every part of a loop or condition; many only jump on. Here jumps to
//! empty blocks go on to where those lead, a block with one predecessor that jumps to it is joined
//! to that, and what is not reachable is dropped. Fewer blocks are less work for every engine, and
//! traces do not show them anyway.

use raddle_ir::{BinOp, BlockId, Expr, Function, Liveness, Op, Operand, RegId, Terminator};

/// Tidies a function in place.
pub(crate) fn tidy(function: &mut Function) {
    skip_empty(function);
    join(function);
    drop_unreachable(function);
    drop_dead(function);
}

/// Drops assignments of temporaries that nobody reads. Variables of the source stay, as traces show
/// them, and so does what may be undefined, as that may be checked.
fn drop_dead(function: &mut Function) {
    let liveness = Liveness::new(function);
    let mut live = vec![false; function.regs.len()];
    for b in 0..function.blocks.len() {
        live.fill(false);
        let end = &function.blocks[b].end;
        for s in end.successors() {
            for r in liveness.live_at(s) {
                live[r.index()] = true;
            }
        }
        let read = |live: &mut Vec<bool>, operand| {
            if let Operand::Reg(r) = operand {
                live[RegId::index(r)] = true;
            }
        };
        if let Some(operand) = end.operand() {
            read(&mut live, operand);
        }
        let mut keep = vec![true; function.blocks[b].instrs.len()];
        for (i, instr) in function.blocks[b].instrs.iter().enumerate().rev() {
            if let Op::Assign { dst, value } = &instr.op
                && !live[dst.index()]
                && function.reg(*dst).name.is_none()
                && is_always_defined(value)
            {
                keep[i] = false;
                continue;
            }
            for r in instr.op.defs() {
                live[r.index()] = false;
            }
            for operand in instr.op.operands() {
                read(&mut live, operand);
            }
        }
        let mut i = 0;
        function.blocks[b].instrs.retain(|_| {
            i += 1;
            keep[i - 1]
        });
    }
}

/// Whether an expression has a value whatever its operands are, in C's eyes.
fn is_always_defined(value: &Expr) -> bool {
    match value {
        Expr::Binary { op, wrap, .. } => match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => !wrap.no_signed,
            BinOp::And | BinOp::Or | BinOp::Xor => true,
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr => false,
        },
        Expr::Use(_)
        | Expr::Offset { .. }
        | Expr::Compare { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::Overflows { .. }
        | Expr::Bits { .. }
        | Expr::Float { .. }
        | Expr::FloatNeg { .. }
        | Expr::FloatAbs { .. }
        | Expr::FloatCompare { .. }
        | Expr::FloatCast { .. }
        | Expr::FloatToInt { .. }
        | Expr::IntToFloat { .. } => true,
    }
}

fn skip_empty(function: &mut Function) {
    let n = function.blocks.len();
    let next: Vec<BlockId> = (0..n)
        .map(|b| {
            let mut at = BlockId::new(b);
            // A circle of empty blocks is an endless loop: it stays as it is.
            for _ in 0..n {
                let block = function.block(at);
                match block.end {
                    Terminator::Goto(to) if block.instrs.is_empty() && to != at => at = to,
                    _ => return at,
                }
            }
            BlockId::new(b)
        })
        .collect();
    for block in &mut function.blocks {
        retarget(&mut block.end, |b| next[b.index()]);
    }
}

fn join(function: &mut Function) {
    let mut predecessors = vec![0u32; function.blocks.len()];
    predecessors[0] = 1;
    let mut reached = vec![false; function.blocks.len()];
    for b in reachable(function, &mut reached) {
        for s in function.block(b).end.successors() {
            predecessors[s.index()] += 1;
        }
    }
    for b in 0..function.blocks.len() {
        if !reached[b] {
            continue;
        }
        while let Terminator::Goto(to) = function.blocks[b].end {
            if to.index() == b || to.index() == 0 || predecessors[to.index()] != 1 {
                break;
            }
            let target = &mut function.blocks[to.index()];
            let mut instrs = std::mem::take(&mut target.instrs);
            let end = std::mem::replace(&mut target.end, Terminator::Stop);
            let end_place = target.end_place;
            reached[to.index()] = false;
            let block = &mut function.blocks[b];
            block.instrs.append(&mut instrs);
            block.end = end;
            block.end_place = end_place;
        }
    }
}

fn drop_unreachable(function: &mut Function) {
    let mut reached = vec![false; function.blocks.len()];
    reachable(function, &mut reached);
    let mut new_ids = vec![BlockId(0); function.blocks.len()];
    let mut kept = 0;
    for (b, &r) in reached.iter().enumerate() {
        new_ids[b] = BlockId::new(kept);
        kept += usize::from(r);
    }
    let mut b = 0;
    function.blocks.retain(|_| {
        b += 1;
        reached[b - 1]
    });
    for block in &mut function.blocks {
        retarget(&mut block.end, |b| new_ids[b.index()]);
    }
}

fn reachable(function: &Function, reached: &mut [bool]) -> Vec<BlockId> {
    let mut list = vec![BlockId(0)];
    reached[0] = true;
    let mut done = 0;
    while done < list.len() {
        for s in function.block(list[done]).end.successors() {
            if !reached[s.index()] {
                reached[s.index()] = true;
                list.push(s);
            }
        }
        done += 1;
    }
    list
}

fn retarget(end: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match end {
        Terminator::Goto(b) => *b = to(*b),
        Terminator::Branch { then, other, .. } => {
            *then = to(*then);
            *other = to(*other);
        }
        Terminator::Switch { cases, default, .. } => {
            for (_, b) in cases {
                *b = to(*b);
            }
            *default = to(*default);
        }
        Terminator::Return(_) | Terminator::Stop => {}
    }
}
