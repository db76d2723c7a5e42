//! The line between UNKNOWN or BOUNDED and SAFE: something unsupported, or a loop without end, that
//! only some executions reach, or none. The verdict must not be SAFE if one does, and should be if
//! none does.

use raddle_ir::{BinOp, CmpOp, Op, Operand, Program, RegId, Terminator};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Builder, c};

/// A program with two threads, one or both with a limit.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let mut cell = |name: &str| {
        let global = b.global(name, 1);
        Cell { address: Operand::Global(global, 0), width: 8 }
    };
    let cells = [cell("c0"), cell("c1")];
    let endless = random.one_in(4);
    let helper = b.function("helper", &[32], Some(32), |f| {
        let argument = f.param(0);
        let mut t = Thread::new(random, &globals, options, &[], f);
        t.set(0, argument);
        t.limit(endless);
        let result = t.vars[0];
        f.end(Terminator::Return(Some(Operand::Reg(result))));
    });
    let mut funcs = Vec::new();
    for number in 0..2 {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            if t.random.one_in(4) {
                t.decide();
            }
            for _ in 0..1 + t.random.below(3) {
                t.touch(cells);
            }
            if number == 0 || t.random.one_in(4) {
                t.reach(endless, helper);
            }
            t.touch(cells);
            t.body.end(Terminator::Return(Some(c(0, 64))));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        let started: Vec<RegId> = funcs.iter().map(|&func| t.start(func, 0)).collect();
        if t.random.one_in(3) {
            t.touch(cells);
        }
        for thread in started {
            t.join_one(thread);
        }
        if t.random.one_in(3) {
            t.touch(cells);
            t.reach(endless, helper);
        }
    });
    b.finish(main)
}

impl Thread<'_, '_> {
    fn touch(&mut self, cells: [Cell; 2]) {
        let cell = self.random.pick(&cells);
        if self.random.one_in(2) {
            let r = self.body.load(cell.address, 8, ATOMIC);
            self.keep(r);
        } else {
            let value = if self.random.one_in(3) { self.value(8) } else { c(1 + self.small(), 8) };
            self.body.store(cell.address, value, ATOMIC);
        }
    }

    /// Under one or two conditions, by way of a function or here.
    fn reach(&mut self, endless: bool, helper: raddle_ir::FuncId) {
        let mut cond = self.condition();
        if self.random.one_in(2) {
            let other = self.condition();
            cond = self.body.binary(BinOp::And, Operand::Reg(cond), Operand::Reg(other));
        }
        self.when(cond, |t| {
            if t.random.one_in(3) {
                let (dst, args) = (Some(t.vars[1]), vec![Operand::Reg(t.vars[0])]);
                t.body.op(Op::Call { dst, callee: raddle_ir::Callee::Direct(helper), args });
            } else {
                t.limit(endless);
            }
        });
    }

    fn limit(&mut self, endless: bool) {
        if !endless {
            self.body.op(Op::Unsupported { what: "inline assembly".into() });
            return;
        }
        // Counts for ever, from a value on.
        let i = self.body.reg(32);
        self.body.assign(i, c(0, 32));
        let (head, inside, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.goto(head);
        let v = Operand::Reg(self.vars[0]);
        let least = c(self.small(), 32);
        let large = self.body.compare(CmpOp::Ugt, v, least);
        self.body.branch(large, inside, out);
        self.body.at = inside;
        let next = self.body.binary(BinOp::Add, Operand::Reg(i), c(1, 32));
        self.body.assign(i, Operand::Reg(next));
        self.body.end(Terminator::Goto(head));
        self.body.at = out;
    }
}
