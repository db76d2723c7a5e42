//! Makes a failing program small: greedily removes what can go while the failure stays the same.
//!
//! Steps, tried until none helps or the time is up: remove an instruction, replace it by the constant 0, let a branch
//! always go one way, return at once. A candidate must be valid. Places stay, so findings keep their names.

use std::time::{Duration, Instant};

use raddle_ir::validate::validate;
use raddle_ir::{BlockId, Const, Expr, Op, Operand, Program, Terminator};

/// The smallest program found on which `fails` still holds.
pub fn shrink(program: &Program, time: Duration, fails: impl Fn(&Program) -> bool) -> Program {
    let end = Instant::now() + time;
    let mut best = program.clone();
    loop {
        let mut better = false;
        for f in 0..best.functions.len() {
            for b in 0..best.functions[f].blocks.len() {
                better |= shrink_block(&mut best, (f, b), end, &fails);
            }
        }
        if !better || Instant::now() >= end {
            sweep(&mut best);
            return best;
        }
    }
}

fn accept(best: &mut Program, candidate: Program, fails: &impl Fn(&Program) -> bool) -> bool {
    let good = validate(&candidate).is_ok() && fails(&candidate);
    if good {
        *best = candidate;
    }
    good
}

fn shrink_block(
    best: &mut Program,
    (f, b): (usize, usize),
    end: Instant,
    fails: &impl Fn(&Program) -> bool,
) -> bool {
    let mut better = false;
    let ends: Vec<Terminator> = best.functions[f].blocks[b]
        .end
        .successors()
        .into_iter()
        .map(Terminator::Goto)
        .chain([Terminator::Return(None)])
        .collect();
    let simple = |t: &Terminator| matches!(t, Terminator::Return(_) | Terminator::Stop);
    for new in ends {
        let old = &best.functions[f].blocks[b].end;
        if *old == new || simple(old) || Instant::now() >= end {
            continue;
        }
        let mut candidate = best.clone();
        candidate.functions[f].blocks[b].end = new;
        better |= accept(best, candidate, fails);
    }
    let mut i = best.functions[f].blocks[b].instrs.len();
    while i > 0 && Instant::now() < end {
        i -= 1;
        let mut candidate = best.clone();
        candidate.functions[f].blocks[b].instrs.remove(i);
        if accept(best, candidate, fails) {
            better = true;
            continue;
        }
        let op = &best.functions[f].blocks[b].instrs[i].op;
        let defs: Vec<_> = op.defs().collect();
        if let ([dst], false) =
            (defs.as_slice(), matches!(op, Op::Assign { value: Expr::Use(_), .. }))
        {
            let width = best.functions[f].regs[dst.index()].width;
            let value = Expr::Use(Operand::Const(Const::new(0, width)));
            let mut candidate = best.clone();
            candidate.functions[f].blocks[b].instrs[i].op = Op::Assign { dst: *dst, value };
            better |= accept(best, candidate, fails);
        }
    }
    better
}

/// Empties what cannot be reached, for the reader's sake.
fn sweep(program: &mut Program) {
    for function in &mut program.functions {
        let mut seen = vec![false; function.blocks.len()];
        let mut open = vec![BlockId(0)];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut seen[block.index()], true) {
                open.extend(function.block(block).end.successors());
            }
        }
        for (block, seen) in function.blocks.iter_mut().zip(seen) {
            if !seen {
                block.instrs.clear();
                block.end = Terminator::Stop;
            }
        }
    }
}
