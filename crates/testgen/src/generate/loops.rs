//! Loops on the line between pure and not: they change private memory though nothing shared, have
//! effects on some paths only, come back to an earlier state after two iterations, retry, or count
//! what they see.
//!
//! Every loop ends after a few iterations, or waits for another thread in a way that changes nothing.

use raddle_ir::{AllocKind, BinOp, Callee, CmpOp, FuncId, Op, Operand, Program, RegId, Terminator};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c};

/// A program with two threads: one loops, the other changes what it looks at.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let mut cell = |name: &str| {
        let global = b.global(name, 1);
        Cell { address: Operand::Global(global, 0), width: 8 }
    };
    let cells = [cell("c0"), cell("c1")];
    let helper = b.function("helper", &[32], Some(32), count_up);
    let mut funcs = Vec::new();
    for number in 0..2 {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            if t.random.one_in(4) {
                t.decide();
            }
            if number == 0 || t.random.one_in(3) {
                t.looping(cells, number == 0);
            } else {
                for _ in 0..1 + t.random.below(3) {
                    t.change(cells);
                }
            }
            if t.random.one_in(3) {
                t.call_twice(helper);
            }
            t.leave_both(number);
            t.body.end(Terminator::Return(Some(c(0, 64))));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        let started: Vec<RegId> = funcs.iter().map(|&func| t.start(func, 0)).collect();
        for thread in started {
            t.join_one(thread);
        }
        t.results(funcs.len());
    });
    b.finish(main)
}

/// A function that only computes, with a loop: `v & 3` times `r = 2 * r + 1`.
fn count_up(f: &mut Body<'_>) {
    let argument = Operand::Reg(f.param(0));
    let times = f.binary(BinOp::And, argument, c(3, 32));
    let (i, result) = (f.reg(32), f.reg(32));
    f.assign(i, c(0, 32));
    f.assign(result, c(0, 32));
    let (head, inside, out) = (f.block(), f.block(), f.block());
    f.goto(head);
    let more = f.compare(CmpOp::Ult, Operand::Reg(i), Operand::Reg(times));
    f.branch(more, inside, out);
    f.at = inside;
    let next = f.binary(BinOp::Add, Operand::Reg(i), c(1, 32));
    f.assign(i, Operand::Reg(next));
    let twice = f.binary(BinOp::Add, Operand::Reg(result), Operand::Reg(result));
    let more = f.binary(BinOp::Add, Operand::Reg(twice), c(1, 32));
    f.assign(result, Operand::Reg(more));
    f.end(Terminator::Goto(head));
    f.at = out;
    f.end(Terminator::Return(Some(Operand::Reg(result))));
}

impl Thread<'_, '_> {
    /// The second call of a function that only computes may use a summary of it.
    fn call_twice(&mut self, helper: FuncId) {
        for var in self.vars {
            let args = vec![Operand::Reg(var)];
            self.body.op(Op::Call { dst: Some(var), callee: Callee::Direct(helper), args });
        }
    }

    fn change(&mut self, cells: [Cell; 2]) {
        let cell = self.random.pick(&cells);
        match self.random.below(3) {
            0 => {
                let r = self.body.load(cell.address, 8, ATOMIC);
                self.keep(r);
            }
            1 => self.bump(cell),
            _ => {
                let value = c(1 + self.small(), 8);
                self.body.store(cell.address, value, ATOMIC);
            }
        }
    }

    /// `*cell += 1` in two steps.
    fn bump(&mut self, cell: Cell) {
        let r = self.body.load(cell.address, 8, ATOMIC);
        let sum = self.body.binary(BinOp::Add, Operand::Reg(r), c(1, 8));
        self.body.store(cell.address, Operand::Reg(sum), ATOMIC);
    }

    /// The thread's own byte, and what is in it.
    fn own(&mut self, own: RegId) -> Operand {
        Operand::Reg(self.body.load(Operand::Reg(own), 8, PLAIN))
    }

    /// A loop; the thread's own byte counts its iterations, or what it saw, or is toggled. Two handshakes might
    /// go on for ever.
    fn looping(&mut self, cells: [Cell; 2], handshake: bool) {
        let own = self.body.alloc(4, AllocKind::Stack);
        let (head, out) = (self.body.block(), self.body.block());
        let most = c(1 + u128::from(self.random.below(3)), 8);
        self.body.goto(head);
        let r = self.body.load(cells[0].address, 8, ATOMIC);
        let wanted = c(1 + self.small(), 8);
        let seen = self.body.compare(CmpOp::Eq, Operand::Reg(r), wanted);
        let go_on = self.body.block();
        match self.random.below(if handshake { 8 } else { 5 }) {
            // So many tries, counted in memory.
            0 | 1 => {
                self.count(own, r);
                let tries = self.own(own);
                let last = self.body.compare(CmpOp::Uge, tries, most);
                let stop = self.either(seen, last);
                self.body.branch(stop, out, go_on);
            }
            // Waits; on some paths it does something that others see, at most a few times.
            2 => {
                self.few_effects(own, r, cells[1], most);
                self.body.branch(seen, out, go_on);
            }
            // Remembers what it saw last: the state is the same after the second look.
            3 => {
                self.body.store(Operand::Reg(own), Operand::Reg(r), PLAIN);
                self.body.branch(seen, out, go_on);
            }
            // A phase that changes in each iteration must also be right; four iterations at most.
            4 => {
                self.count(own, r);
                let times = self.own(own);
                let phase = self.body.binary(BinOp::And, times, c(1, 8));
                let odd = self.body.compare(CmpOp::Eq, Operand::Reg(phase), c(1, 8));
                let (a, b) = (Operand::Reg(seen), Operand::Reg(odd));
                let right = self.body.binary(BinOp::And, a, b);
                let last = self.body.compare(CmpOp::Uge, times, c(4, 8));
                let stop = self.either(right, last);
                self.body.branch(stop, out, go_on);
            }
            // Counts the iterations in which it saw something.
            5 => {
                self.when(seen, |t| t.count(own, r));
                let times = self.own(own);
                let stop = self.body.compare(CmpOp::Uge, times, c(1, 8));
                self.body.branch(stop, out, go_on);
            }
            // A handshake: what it sees makes it go on to the next value, and only that is an effect.
            _ => {
                let from = c(self.small(), 8);
                let to = if wanted == from { c(0, 8) } else { wanted };
                let turn = self.body.compare(CmpOp::Eq, Operand::Reg(r), from);
                self.when(turn, |t| t.body.store(cells[0].address, to, ATOMIC));
                self.body.branch(seen, out, go_on);
            }
        }
        self.body.at = go_on;
        if self.random.one_in(4) {
            let again = self.body.load(cells[0].address, 8, ATOMIC);
            self.keep(again);
        }
        self.body.end(Terminator::Goto(head));
        self.body.at = out;
        let left = self.body.load(Operand::Reg(own), 8, PLAIN);
        self.set(0, left);
        if self.random.one_in(2) {
            self.change(cells);
        }
    }

    fn either(&mut self, a: RegId, b: RegId) -> RegId {
        self.body.binary(BinOp::Or, Operand::Reg(a), Operand::Reg(b))
    }

    /// Adds one to the thread's own byte, or what it saw to a second one besides.
    fn count(&mut self, own: RegId, seen: RegId) {
        let old = self.own(own);
        let new = self.body.binary(BinOp::Add, old, c(1, 8));
        self.body.store(Operand::Reg(own), Operand::Reg(new), PLAIN);
        if self.random.one_in(3) {
            self.keep(seen);
        }
    }

    /// If the cell has a certain value and it has not been too often: an effect.
    fn few_effects(&mut self, own: RegId, seen: RegId, cell: Cell, most: Operand) {
        let value = c(self.small(), 8);
        let here = self.body.compare(CmpOp::Eq, Operand::Reg(seen), value);
        let times = self.own(own);
        let few = self.body.compare(CmpOp::Ult, times, most);
        let both = self.body.binary(BinOp::And, Operand::Reg(here), Operand::Reg(few));
        self.when(both, |t| {
            t.count(own, seen);
            if t.random.one_in(2) {
                t.bump(cell);
            } else {
                let dst = t.body.reg(8);
                let op = raddle_ir::RmwOp::Add;
                let (addr, value, access) = (cell.address, c(1, 8), ATOMIC);
                t.body.op(Op::Rmw { dst, op, addr, value, width: 8, access });
            }
        });
    }
}
