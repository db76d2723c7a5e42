//! Programs with a little of everything.
//!
//! Two to four threads, a few statements each; a thread may leave a value in a result cell, and
//! main, after joining, checks that a certain combination of results does not occur: that is a
//! litmus test, and the checks that hold in all but a few interleavings are the ones that tell
//! engines apart. Loops are short or spin.

use raddle_ir::{BinOp, CmpOp, Expr, FuncId, Op, Operand, Program, Property, RegId, Terminator};

use super::Options;
use super::thread::{Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{Builder, PLAIN, c};

/// A program; if so, its threads are copies of one.
pub(super) fn program(random: &mut Random, copies: bool, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let helpers: Vec<FuncId> = (0..random.below(3))
        .map(|n| {
            b.function(&format!("helper{n}"), &[32], Some(32), |f| {
                let argument = f.param(0);
                let mut t = Thread::new(random, &globals, options, &[], f);
                t.body.assign(t.vars[0], Operand::Reg(argument));
                t.access();
                let result = t.vars[0];
                f.end(Terminator::Return(Some(Operand::Reg(result))));
            })
        })
        .collect();
    let threads = random.pick(&[2, 2, 2, 3, 3, 4]);
    let mut funcs: Vec<FuncId> = Vec::new();
    for number in 0..threads {
        let inner = funcs.last().copied().filter(|_| random.one_in(12));
        let length = match threads {
            2 => 2 + random.below(3),
            3 => 1 + random.below(3),
            _ => 1 + random.below(2),
        };
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let argument = f.param(0);
            let mut t = Thread::new(random, &globals, options, &helpers, f);
            if t.random.one_in(3) {
                t.keep(argument);
            }
            for _ in 0..length {
                t.statement();
            }
            if let Some(inner) = inner {
                let (func, args) = (Operand::Function(inner), vec![c(2, 64)]);
                t.body.op(Op::Create { dst: None, func, args });
            }
            if !t.random.one_in(4) {
                t.leave_result(number);
            }
            let value = t.body.resize(Operand::Reg(t.vars[0]), 64, false);
            let value = if copies { c(0, 64) } else { Operand::Reg(value) };
            t.body.end(Terminator::Return(Some(value)));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &helpers, f);
        if copies {
            funcs = vec![funcs[0]; funcs.len()];
        }
        main_body(&mut t, &funcs, copies);
    });
    b.finish(main)
}

fn main_body(t: &mut Thread<'_, '_>, funcs: &[FuncId], copies: bool) {
    if t.random.one_in(3) {
        t.statement();
    }
    if t.random.one_in(8) {
        create_in_loop(t, funcs[0]);
    } else {
        let mut started = Vec::new();
        for (n, &func) in funcs.iter().enumerate() {
            let dst = t.body.reg(64);
            t.body.assign(dst, c(0, 64));
            let func = Operand::Function(func);
            let argument = if copies { 0 } else { n as u128 };
            let create = Op::Create { dst: Some(dst), func, args: vec![c(argument, 64)] };
            if t.random.one_in(10) {
                if t.random.one_in(2) {
                    t.input();
                }
                let cond = t.condition();
                t.when(cond, |t| t.body.op(create));
            } else {
                t.body.op(create);
            }
            started.push(dst);
        }
        if t.random.one_in(4) {
            t.access();
        }
        if t.random.one_in(6) {
            return t.assertion();
        }
        if t.options.waits && t.random.one_in(2) {
            started.reverse();
        }
        join(t, &started);
    }
    for _ in 0..t.random.below(3) {
        let cell = t.cell();
        let r = t.body.load(cell.address, cell.width, PLAIN);
        t.keep(r);
    }
    results(t, funcs.len());
    if t.random.one_in(2) {
        t.assertion();
    }
}

/// Joins the threads; those that were not created are numbered 0 and not joined.
pub(super) fn join(t: &mut Thread<'_, '_>, started: &[RegId]) {
    for &thread in started {
        if t.random.one_in(12) {
            continue;
        }
        let some = t.body.compare(CmpOp::Ne, Operand::Reg(thread), c(0, 64));
        t.when(some, |t| {
            let dst = t.body.reg(64);
            t.body.op(Op::Join { dst: Some(dst), thread: Operand::Reg(thread) });
            if t.random.one_in(3) {
                t.keep(dst);
            }
        });
    }
}

/// Creates two threads that run the same function, their numbers in memory, and joins them.
fn create_in_loop(t: &mut Thread<'_, '_>, func: FuncId) {
    for create in [true, false] {
        let i = t.body.reg(64);
        t.body.assign(i, c(0, 64));
        let (head, inside, out) = (t.body.block(), t.body.block(), t.body.block());
        t.body.goto(head);
        let more = t.body.compare(CmpOp::Ult, Operand::Reg(i), c(2, 64));
        t.body.branch(more, inside, out);
        t.body.at = inside;
        let offset = Operand::Reg(t.body.binary(BinOp::Shl, Operand::Reg(i), c(3, 64)));
        let base = Operand::Global(t.globals.handles, 0);
        let handle = Operand::Reg(t.body.compute(Expr::Offset { base, offset }, 64));
        if create {
            let dst = t.body.reg(64);
            let (func, args) = (Operand::Function(func), vec![Operand::Reg(i)]);
            t.body.op(Op::Create { dst: Some(dst), func, args });
            t.body.store(handle, Operand::Reg(dst), PLAIN);
        } else {
            let thread = Operand::Reg(t.body.load(handle, 64, PLAIN));
            t.body.op(Op::Join { dst: None, thread });
        }
        let next = t.body.binary(BinOp::Add, Operand::Reg(i), c(1, 64));
        t.body.assign(i, Operand::Reg(next));
        t.body.end(Terminator::Goto(head));
        t.body.at = out;
    }
}

/// Checks that a combination of results does not occur.
fn results(t: &mut Thread<'_, '_>, threads: usize) {
    let mut none = c(0, 1);
    for n in 0..threads {
        let cell = Operand::Global(t.globals.results, n as i64);
        let r = t.body.load(cell, 8, PLAIN);
        let k = c(t.small(), 8);
        let differs = t.body.compare(CmpOp::Ne, Operand::Reg(r), k);
        none = Operand::Reg(t.body.binary(BinOp::Or, none, Operand::Reg(differs)));
    }
    let cond = t.body.compare(CmpOp::Eq, none, c(1, 1));
    t.body.check(Property::Assertions, cond);
}
