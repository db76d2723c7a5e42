//! A thread under construction: its variables, and values, conditions, places and accesses at random.
//!
//! Each thread computes with two 32-bit registers and a pointer. All registers and memory are initialised.

use raddle_ir::{
    Access, BinOp, CmpOp, Expr, FuncId, GlobalId, InputKind, Op, Operand, Property, RegId, RmwOp,
};

use super::Options;
use super::waiting::Waited;
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c};

/// A place in memory.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) address: Operand,
    pub(super) width: u32,
}

pub(super) struct Globals {
    /// Data of different widths; some overlap.
    pub(super) cells: Vec<Cell>,
    /// Four elements of `element` bytes.
    pub(super) array: GlobalId,
    pub(super) element: u64,
    pub(super) mutexes: [GlobalId; 2],
    /// Holds an address of data, or null.
    pub(super) pointer: GlobalId,
    /// Holds the address of a function.
    pub(super) function: GlobalId,
    pub(super) local: GlobalId,
    /// One byte for each thread.
    pub(super) results: GlobalId,
    /// Thread numbers.
    pub(super) handles: GlobalId,
    /// What else threads wait on.
    pub(super) waited: Option<Waited>,
}

/// The globals of a program.
pub(super) fn globals(b: &mut Builder, random: &mut Random, options: Options) -> Globals {
    let mut cells = Vec::new();
    let global = |id| Operand::Global(id, 0);
    let x = b.global("x", 4);
    cells.push(Cell { address: global(x), width: 32 });
    if random.one_in(2) {
        let y = b.global_with("y", 1, &[random.below(3) as u8]);
        cells.push(Cell { address: global(y), width: 8 });
    }
    if random.one_in(3) {
        let z = b.global("z", 2);
        cells.push(Cell { address: global(z), width: 16 });
    }
    if random.one_in(3) {
        let s = b.global_with("s", 8, &[1, 0, 2]);
        for _ in 0..2 + random.below(2) {
            let width = random.pick(&[8, 16, 32, 64]);
            let offset = random.below(9 - u64::from(width / 8)) as i64;
            cells.push(Cell { address: Operand::Global(s, offset), width });
        }
    }
    let element = random.pick(&[1, 1, 2, 4]);
    let array = b.global("a", 4 * element);
    let mutexes = [b.global("m", 4), b.global("n", 4)];
    let first = match random.below(3) {
        0 => c(0, 64),
        1 => global(x),
        _ => Operand::Global(array, random.below(4 * element) as i64),
    };
    let pointer = b.pointer("p", first);
    let function = b.pointer("f", c(0, 64));
    let local = b.thread_local("l", 4, &[1]);
    let results = b.global("results", 8);
    let handles = b.global("handles", 32);
    let waited = options.waits.then(|| Waited::new(b, random));
    Globals { cells, array, element, mutexes, pointer, function, local, results, handles, waited }
}

/// Emits random statements.
pub(super) struct Thread<'a, 'b> {
    pub(super) random: &'a mut Random,
    pub(super) globals: &'a Globals,
    pub(super) options: Options,
    pub(super) helpers: &'a [FuncId],
    pub(super) body: &'a mut Body<'b>,
    /// The thread's variables, 32 bits.
    pub(super) vars: [RegId; 2],
    /// Its pointer.
    pub(super) q: RegId,
    /// How many statements may still be nested.
    pub(super) depth: u32,
}

impl<'a, 'b> Thread<'a, 'b> {
    pub(super) fn new(
        random: &'a mut Random,
        globals: &'a Globals,
        options: Options,
        helpers: &'a [FuncId],
        body: &'a mut Body<'b>,
    ) -> Self {
        let vars = [body.reg(32), body.reg(32)];
        let q = body.reg(64);
        body.assign(vars[0], c(0, 32));
        body.assign(vars[1], c(u128::from(random.below(3)), 32));
        body.assign(q, Operand::Global(globals.array, 0));
        Thread { random, globals, options, helpers, body, vars, q, depth: 2 }
    }

    pub(super) fn small(&mut self) -> u128 {
        u128::from(self.random.below(4))
    }

    pub(super) fn cell(&mut self) -> Cell {
        self.random.pick(&self.globals.cells)
    }

    pub(super) fn manner(&mut self) -> Access {
        if self.random.one_in(3) { ATOMIC } else { PLAIN }
    }

    pub(super) fn var(&mut self) -> RegId {
        self.random.pick(&self.vars)
    }

    /// A value of that width.
    pub(super) fn value(&mut self, width: u32) -> Operand {
        let v = Operand::Reg(self.var());
        match self.random.below(5) {
            0 | 1 => c(self.small(), width),
            2 => c(u128::MAX - self.small(), width),
            3 => Operand::Reg(self.body.resize(v, width, false)),
            _ => {
                let more = c(1 + self.small(), 32);
                let sum = self.body.binary(BinOp::Add, v, more);
                let signed = self.random.one_in(2);
                Operand::Reg(self.body.resize(Operand::Reg(sum), width, signed))
            }
        }
    }

    /// Puts a value into a variable.
    pub(super) fn keep(&mut self, from: RegId) {
        let signed = self.random.one_in(4);
        let fit = self.body.resize(Operand::Reg(from), 32, signed);
        let var = self.var();
        self.body.assign(var, Operand::Reg(fit));
    }

    /// A comparison of a variable, one bit.
    pub(super) fn condition(&mut self) -> RegId {
        let v = Operand::Reg(self.var());
        let op = self.random.pick(&[
            CmpOp::Eq,
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Ult,
            CmpOp::Sgt,
            CmpOp::Sle,
            CmpOp::Uge,
        ]);
        let other =
            if self.random.one_in(5) { Operand::Reg(self.var()) } else { c(self.small(), 32) };
        self.body.compare(op, v, other)
    }

    /// `base + (v & 3) * size`; sometimes the mask is missing.
    pub(super) fn element(&mut self) -> Operand {
        let (array, size) = (self.globals.array, self.globals.element);
        let mut index = Operand::Reg(self.var());
        if !self.random.one_in(5) {
            index = Operand::Reg(self.body.binary(BinOp::And, index, c(3, 32)));
        }
        let wide = Operand::Reg(self.body.resize(index, 64, true));
        let offset = self.body.binary(BinOp::Mul, wide, c(u128::from(size), 64));
        let (base, offset) = (Operand::Global(array, 0), Operand::Reg(offset));
        Operand::Reg(self.body.compute(Expr::Offset { base, offset }, 64))
    }

    /// Somewhere to access.
    pub(super) fn place(&mut self) -> Cell {
        let width = 8 * self.globals.element as u32;
        match self.random.below(10) {
            0 => Cell { address: self.element(), width },
            1 => {
                let offset = self.random.below(4) as i64 * self.globals.element as i64;
                Cell { address: Operand::Global(self.globals.array, offset), width }
            }
            2 => Cell { address: Operand::Reg(self.q), width: self.random.pick(&[8, 8, 16, 32]) },
            3 if self.random.one_in(2) => {
                let (dst, global) = (self.body.reg(64), self.globals.local);
                self.body.op(Op::ThreadLocal { dst, global });
                Cell { address: Operand::Reg(dst), width: self.random.pick(&[8, 32]) }
            }
            _ => self.cell(),
        }
    }

    pub(super) fn access(&mut self) {
        let Cell { address: addr, width } = self.place();
        let access = self.manner();
        match self.random.below(12) {
            0..=4 => {
                let r = self.body.load(addr, width, access);
                self.keep(r);
            }
            5..=8 => {
                let value = self.value(width);
                self.body.store(addr, value, access);
            }
            9 | 10 => self.modify(addr, width),
            _ => {
                let (old, ok) = (self.body.reg(width), self.body.reg(1));
                let (expected, new) = (c(self.small(), width), self.value(width));
                let access = ATOMIC;
                let weak = self.random.one_in(2);
                let op = Op::CompareExchange { old, ok, addr, expected, new, width, access, weak };
                self.body.op(op);
                let from = if self.random.one_in(2) { old } else { ok };
                self.keep(from);
            }
        }
    }

    pub(super) fn modify(&mut self, addr: Operand, width: u32) {
        let dst = self.body.reg(width);
        let op = self.random.pick(&[
            RmwOp::Add,
            RmwOp::Add,
            RmwOp::Sub,
            RmwOp::Exchange,
            RmwOp::Or,
            RmwOp::And,
            RmwOp::Xor,
            RmwOp::Nand,
            RmwOp::Max,
            RmwOp::Min,
            RmwOp::UMax,
            RmwOp::UMin,
        ]);
        let value = self.value(width);
        self.body.op(Op::Rmw { dst, op, addr, value, width, access: ATOMIC });
        self.keep(dst);
    }

    pub(super) fn arithmetic(&mut self) {
        let (a, b) = (Operand::Reg(self.vars[0]), Operand::Reg(self.vars[1]));
        let b = if self.random.one_in(2) { b } else { c(self.small(), 32) };
        let r = match self.random.below(8) {
            0 => {
                let cond = Operand::Reg(self.condition());
                self.body.compute(Expr::Select { cond, a, b }, 32)
            }
            1 => {
                let (op, signed) = (self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul]), true);
                let wraps = self.body.compute(Expr::Overflows { op, signed, a, b }, 1);
                let no = self.body.compare(CmpOp::Eq, Operand::Reg(wraps), c(0, 1));
                self.body.check(Property::Overflow, no);
                self.body.binary(op, a, b)
            }
            2 => {
                let op = self.random.pick(&[BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem]);
                let some = self.body.compare(CmpOp::Ne, b, c(0, 32));
                self.body.check(Property::Overflow, some);
                self.body.binary(op, a, b)
            }
            _ => {
                let op = self.random.pick(&[
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                    BinOp::Shl,
                    BinOp::LShr,
                    BinOp::AShr,
                ]);
                self.body.binary(op, a, b)
            }
        };
        self.keep(r);
    }

    pub(super) fn when<R>(&mut self, cond: RegId, then: impl FnOnce(&mut Self) -> R) {
        let (yes, no) = (self.body.block(), self.body.block());
        self.body.branch(cond, yes, no);
        self.body.at = yes;
        then(self);
        self.body.goto(no);
    }

    pub(super) fn input(&mut self) {
        let dst = self.body.reg(32);
        let external = self.options.external_inputs && self.random.one_in(2);
        let kind = if external { InputKind::External } else { InputKind::Choice(2) };
        self.body.op(Op::Input { dst, kind, name: "c".into() });
        self.keep(dst);
    }

    /// A variable gets one of two or three values, chosen by the environment.
    pub(super) fn decide(&mut self) -> RegId {
        let dst = self.body.reg(32);
        let kind = InputKind::Choice(self.random.pick(&[2, 2, 3]));
        self.body.op(Op::Input { dst, kind, name: "c".into() });
        let nth = self.random.below(2) as usize;
        self.set(nth, dst)
    }

    /// A certain variable gets a value; the variable.
    pub(super) fn set(&mut self, nth: usize, from: RegId) -> RegId {
        let fit = self.body.resize(Operand::Reg(from), 32, false);
        self.body.assign(self.vars[nth], Operand::Reg(fit));
        self.vars[nth]
    }

    /// The thread's value goes into its result cell.
    pub(super) fn leave_result(&mut self, number: u64) {
        let v = Operand::Reg(self.var());
        let byte = self.body.resize(v, 8, false);
        let cell = Operand::Global(self.globals.results, number as i64);
        self.body.store(cell, Operand::Reg(byte), PLAIN);
    }
}
