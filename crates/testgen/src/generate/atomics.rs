//! Atomic sections as copies of large structures make them: with loops over the cells of an object, loops
//! that nobody else can notice, loops longer than the first bounds of the engines; sections that cannot be
//! completed, and sections in which the thread or the program ends.
//!
//! What a section leaves must be seen as a whole or not at all, and what lies between two of them must
//! not become one step with either.

use raddle_ir::{BinOp, CmpOp, Expr, GlobalId, Op, Operand, Program, Property, RegId, Terminator};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Builder, PLAIN, c};

/// The cells of the object.
const CELLS: u64 = 3;

/// What the sections are about.
#[derive(Clone, Copy)]
struct Shared {
    /// An object of a few bytes, accessed one by one.
    object: GlobalId,
    /// A byte beside it.
    beside: Cell,
    /// Sections may stop or end in the middle.
    stops: bool,
}

/// A program with two threads.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let object = b.global_with("o", CELLS, &[random.below(2) as u8]);
    let beside = Cell { address: Operand::Global(b.global("c", 1), 0), width: 8 };
    let shared = Shared { object, beside, stops: random.one_in(2) };
    let mut funcs = Vec::new();
    for number in 0..2 {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            if t.random.one_in(4) {
                t.decide();
            }
            for _ in 0..2 + t.random.below(2) {
                match t.random.below(6) {
                    0 => t.touch_part(shared, ATOMIC),
                    1 if t.random.one_in(2) => t.touch_part(shared, PLAIN),
                    2 => t.exchange_all(shared),
                    _ => t.whole_section(shared),
                }
            }
            t.leave_both(number);
            t.body.end(Terminator::Return(Some(c(0, 64))));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        if t.random.one_in(4) {
            t.whole_section(shared);
        }
        let started: Vec<RegId> = funcs.iter().map(|&func| t.start(func, 0)).collect();
        if t.random.one_in(3) {
            t.whole_section(shared);
        }
        for thread in started {
            t.join_one(thread);
        }
        t.results(funcs.len());
    });
    b.finish(main)
}

impl Thread<'_, '_> {
    /// One access, of one byte of the object or beside it.
    fn touch_part(&mut self, shared: Shared, access: raddle_ir::Access) {
        let cell = self.one_of(shared);
        self.look_at(cell, access);
    }

    fn look_at(&mut self, cell: Cell, access: raddle_ir::Access) {
        match self.random.below(5) {
            0 | 1 => {
                let r = self.body.load(cell.address, cell.width, access);
                self.keep(r);
            }
            2 | 3 => {
                let value = c(1 + self.small(), cell.width);
                self.body.store(cell.address, value, access);
            }
            _ => {
                let r = self.body.load(cell.address, cell.width, access);
                let sum = self.body.binary(BinOp::Add, Operand::Reg(r), c(1, cell.width));
                self.body.store(cell.address, Operand::Reg(sum), access);
            }
        }
    }

    fn one_of(&mut self, shared: Shared) -> Cell {
        match self.random.below(4) {
            0 => shared.beside,
            1 => {
                let v = Operand::Reg(self.var());
                let index = self.body.binary(BinOp::And, v, c(1, 32));
                self.byte(shared, index)
            }
            _ => {
                let offset = self.random.below(CELLS) as i64;
                Cell { address: Operand::Global(shared.object, offset), width: 8 }
            }
        }
    }

    /// A byte of the object, by its number.
    fn byte(&mut self, shared: Shared, index: RegId) -> Cell {
        let offset = Operand::Reg(self.body.resize(Operand::Reg(index), 64, false));
        let base = Operand::Global(shared.object, 0);
        let address = Operand::Reg(self.body.compute(Expr::Offset { base, offset }, 64));
        Cell { address, width: 8 }
    }

    fn whole_section(&mut self, shared: Shared) {
        self.body.op(Op::AtomicBegin);
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(9) {
                0..=2 => self.touch_part(shared, PLAIN),
                3 | 4 => self.fill(shared),
                5 => self.sum(shared),
                6 => self.silence(),
                _ if shared.stops => self.perhaps_stop(shared),
                _ => self.touch_part(shared, PLAIN),
            }
        }
        self.body.op(Op::AtomicEnd);
    }

    /// `for (i = 0; i < n; i++) body(i);`
    fn times(&mut self, n: u64, body: impl FnOnce(&mut Self, RegId)) {
        let i = self.body.var(0, 32);
        let (head, inside, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.goto(head);
        let more = self.body.compare(CmpOp::Ult, Operand::Reg(i), c(n.into(), 32));
        self.body.branch(more, inside, out);
        self.body.at = inside;
        body(self, i);
        let next = self.body.binary(BinOp::Add, Operand::Reg(i), c(1, 32));
        self.body.assign(i, Operand::Reg(next));
        self.body.end(Terminator::Goto(head));
        self.body.at = out;
    }

    /// One value, or values that grow, into each cell.
    fn fill(&mut self, shared: Shared) {
        let value = if self.random.one_in(3) { self.value(8) } else { c(1 + self.small(), 8) };
        let grows = self.random.one_in(3);
        self.times(CELLS, |t, i| {
            let cell = t.byte(shared, i);
            let low = t.body.resize(Operand::Reg(i), 8, false);
            let sum = t.body.binary(BinOp::Add, Operand::Reg(low), value);
            let value = if grows { Operand::Reg(sum) } else { value };
            t.body.store(cell.address, value, PLAIN);
        });
    }

    /// All cells together.
    fn sum(&mut self, shared: Shared) {
        let sum = self.body.var(0, 8);
        self.times(CELLS, |t, i| {
            let cell = t.byte(shared, i);
            let r = t.body.load(cell.address, 8, PLAIN);
            let new = t.body.binary(BinOp::Add, Operand::Reg(sum), Operand::Reg(r));
            t.body.assign(sum, Operand::Reg(new));
        });
        self.keep(sum);
    }

    /// A loop that nobody else notices, often longer than a bound.
    fn silence(&mut self) {
        let n = self.random.pick(&[1, 2, 2, 9]);
        self.times(n, |_, _| {});
    }

    /// If all cells have one value, they get another one.
    fn exchange_all(&mut self, shared: Shared) {
        let (expected, new) = (c(self.small(), 8), c(1 + self.small(), 8));
        let equal = self.body.var(1, 1);
        self.body.op(Op::AtomicBegin);
        self.times(CELLS, |t, i| {
            let cell = t.byte(shared, i);
            let r = t.body.load(cell.address, 8, PLAIN);
            let same = t.body.compare(CmpOp::Eq, Operand::Reg(r), expected);
            let both = t.body.binary(BinOp::And, Operand::Reg(equal), Operand::Reg(same));
            t.body.assign(equal, Operand::Reg(both));
        });
        self.when(equal, |t| {
            t.times(CELLS, |t, i| {
                let cell = t.byte(shared, i);
                t.body.store(cell.address, new, PLAIN);
            });
        });
        self.body.op(Op::AtomicEnd);
        self.keep(equal);
    }

    /// Under a condition the section cannot be completed, fails, or ends with its thread.
    fn perhaps_stop(&mut self, shared: Shared) {
        let cond = self.condition();
        let value = c(self.small(), 64);
        match self.random.below(8) {
            7 => self.spin_on(shared),
            0 => {
                self.body.op(Op::Assume { cond: Operand::Reg(cond) });
            }
            1 => {
                self.body.op(Op::Block { cond: Operand::Reg(cond), spurious: false });
            }
            2 | 3 => {
                self.body.check(Property::Assertions, cond);
            }
            4 => self.when(cond, |t| {
                t.body.op(Op::ThreadExit { value });
            }),
            5 => self.when(cond, |t| {
                t.body.op(Op::Exit { leaks: false });
            }),
            // Undefined where the condition does not hold.
            _ => {
                let divisor = Operand::Reg(self.body.resize(Operand::Reg(cond), 32, false));
                let v = Operand::Reg(self.var());
                let r = self.body.binary(BinOp::UDiv, v, divisor);
                self.keep(r);
            }
        }
    }

    /// Goes round until a byte is not zero.
    fn spin_on(&mut self, shared: Shared) {
        let cell = self.one_of(shared);
        let (head, out) = (self.body.block(), self.body.block());
        self.body.goto(head);
        let r = self.body.load(cell.address, cell.width, PLAIN);
        let some = self.body.compare(CmpOp::Ne, Operand::Reg(r), c(0, cell.width));
        self.body.branch(some, out, head);
        self.body.at = out;
    }
}
