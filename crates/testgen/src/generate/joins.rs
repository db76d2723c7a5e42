//! Threads that are copies of each other, and joins: in any order, on some paths only, of some
//! threads only, with steps of the creator in between, by numbers that were stored in memory.

use raddle_ir::{BinOp, CmpOp, Expr, FuncId, Op, Operand, Program, RegId, RmwOp, Terminator};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Builder, PLAIN, c};

/// A program with two or three threads, most often copies.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let mut cell = |name: &str| {
        let global = b.global(name, 1);
        Cell { address: Operand::Global(global, 0), width: 8 }
    };
    let cells = [cell("c0"), cell("c1")];
    let threads = random.pick(&[2, 2, 3]);
    let copies = !random.one_in(4);
    let different = if copies { 1 } else { threads };
    let mut funcs: Vec<FuncId> = Vec::new();
    for number in 0..different {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            let length = if threads == 2 { 2 + t.random.below(2) } else { 1 + t.random.below(2) };
            if t.random.one_in(3) {
                t.decide();
            }
            for _ in 0..length {
                t.step(cells);
            }
            let seen = t.body.resize(Operand::Reg(t.vars[0]), 64, false);
            let value = if t.random.one_in(4) { Operand::Reg(seen) } else { c(0, 64) };
            t.body.end(Terminator::Return(Some(value)));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        let funcs: Vec<FuncId> = (0..threads).map(|n| funcs[n as usize % funcs.len()]).collect();
        t.start_and_join(&funcs, cells);
    });
    b.finish(main)
}

impl Thread<'_, '_> {
    /// A step of a copy; conditional ones make the first step of a thread optional.
    fn step(&mut self, cells: [Cell; 2]) {
        let cell = self.random.pick(&cells);
        match self.random.below(10) {
            0 | 1 => self.add_one(cell),
            2 => {
                let value = c(1 + self.small(), 8);
                self.body.store(cell.address, value, ATOMIC);
            }
            3 => {
                let r = self.body.load(cell.address, 8, ATOMIC);
                self.set(0, r);
            }
            4 | 5 => {
                let cond = self.condition();
                self.when(cond, |t| t.add_one(cell));
            }
            6 => {
                let r = self.body.load(cell.address, 8, ATOMIC);
                let value = c(self.small(), 8);
                let cond = self.body.compare(CmpOp::Eq, Operand::Reg(r), value);
                let other = self.random.pick(&cells);
                self.when(cond, |t| t.add_one(other));
            }
            7 => {
                let cond = Operand::Reg(self.condition());
                self.body.op(Op::Assume { cond });
            }
            _ => self.locked_step(cell),
        }
    }

    /// `cell = (cell << 1) + 1`: unlike a sum, it shows the order of what others do.
    pub(super) fn add_one(&mut self, cell: Cell) {
        if self.random.one_in(2) {
            let dst = self.body.reg(8);
            let (op, value) = (RmwOp::Add, c(1, 8));
            self.body.op(Op::Rmw { dst, op, addr: cell.address, value, width: 8, access: ATOMIC });
            self.set(0, dst);
            return;
        }
        let r = Operand::Reg(self.body.load(cell.address, 8, ATOMIC));
        let twice = self.body.binary(BinOp::Add, r, r);
        let more = self.body.binary(BinOp::Add, Operand::Reg(twice), c(1, 8));
        self.body.store(cell.address, Operand::Reg(more), ATOMIC);
    }

    pub(super) fn locked_step(&mut self, cell: Cell) {
        let mutex = Operand::Global(self.globals.mutexes[0], 0);
        self.body.op(Op::Lock { mutex, wait: false });
        self.add_one(cell);
        self.body.op(Op::Unlock { mutex, wait: false });
    }

    fn start_and_join(&mut self, funcs: &[FuncId], cells: [Cell; 2]) {
        if self.random.one_in(2) {
            self.decide();
        }
        let mut started: Vec<RegId> = Vec::new();
        for &func in funcs {
            let thread = self.start(func, 0);
            started.push(if self.random.one_in(8) { self.through_memory(thread) } else { thread });
            if self.random.one_in(4) {
                self.observe(cells);
            }
        }
        for i in (1..started.len()).rev() {
            started.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        if self.random.one_in(12) {
            let cond = Operand::Reg(self.condition());
            let (a, b) = (Operand::Reg(started[0]), Operand::Reg(started[1]));
            let some = self.body.compute(Expr::Select { cond, a, b }, 64);
            started = vec![some];
        }
        // Strict programs join all threads one after the other, the case that symmetry is made for,
        // or all but one.
        let strict = self.random.one_in(2);
        if self.random.one_in(6) {
            started.clear();
        }
        if strict && started.len() > 2 && self.random.one_in(2) {
            started.pop();
        }
        for &thread in &started {
            match self.random.below(if strict { 1 } else { 8 }) {
                0..=4 => self.join_and_keep(thread),
                5 => {
                    let cond = self.condition();
                    self.when(cond, |t| t.join_and_keep(thread));
                }
                6 => {
                    self.join_and_keep(thread);
                    self.observe(cells);
                }
                _ => {}
            }
            if !strict && self.random.one_in(3) {
                self.observe(cells);
            }
        }
        let [a, b] = cells.map(|cell| self.body.load(cell.address, 8, PLAIN));
        self.outcomes(&[(a, 2), (b, 2), (self.vars[0], 2), (self.vars[1], 2)]);
    }

    fn join_and_keep(&mut self, thread: RegId) {
        let result = self.join_one(thread);
        if self.random.one_in(3) {
            self.set(1, result);
        }
    }

    /// What the creator sees, or does, between joins.
    fn observe(&mut self, cells: [Cell; 2]) {
        let cell = self.random.pick(&cells);
        if self.random.one_in(4) {
            self.body.store(cell.address, c(3, 8), ATOMIC);
        } else {
            let r = self.body.load(cell.address, 8, ATOMIC);
            self.keep(r);
        }
    }

    /// The number of a thread as it is read back from memory.
    fn through_memory(&mut self, thread: RegId) -> RegId {
        let place = Operand::Global(self.globals.handles, 8 * self.random.below(3) as i64);
        self.body.store(place, Operand::Reg(thread), PLAIN);
        self.body.load(place, 64, PLAIN)
    }
}
