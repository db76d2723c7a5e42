//! Random programs of the program model.
//!
//! Two to four threads, a few accesses each, so that `explore` needs milliseconds. Each thread computes with two 32-bit
//! registers and a pointer; at its end it may leave a value in a result cell, and main, after joining, checks that a certain
//! combination of results does not occur: that is a litmus test, and the checks that hold in all but a few interleavings are the ones
//! that tell engines apart. All registers and memory are initialised; loops are short or spin.
//! One file, because statements are best read as one list of what can be generated.

use raddle_ir::{
    Access, AllocKind, BinOp, Callee, CmpOp, Expr, FuncId, GlobalId, InputKind, Op, Operand, Order,
    Program, Property, PropertySet, RegId, RmwOp, Terminator,
};

use crate::build::{ATOMIC, Body, Builder, PLAIN, c};
use crate::random::Random;
use crate::waiting::Waited;

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The properties to check.
    pub checked: PropertySet,
    /// Objects may die while pointers to them live.
    pub lifetimes: bool,
    /// Inputs with arbitrary values.
    pub external_inputs: bool,
    /// Semaphores, condition variables, reader-writer locks, barriers; joins in any order.
    pub waits: bool,
}

impl Options {
    /// The simplest programs.
    pub fn new(checked: PropertySet) -> Options {
        Options { checked, lifetimes: false, external_inputs: false, waits: false }
    }
}

/// A place in memory.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) address: Operand,
    pub(crate) width: u32,
}

pub(crate) struct Globals {
    /// Data of different widths; some overlap.
    cells: Vec<Cell>,
    /// Four elements of `element` bytes.
    array: GlobalId,
    element: u64,
    pub(crate) mutexes: [GlobalId; 2],
    /// Holds an address of data, or null.
    pointer: GlobalId,
    /// Holds the address of a function.
    function: GlobalId,
    local: GlobalId,
    /// One byte for each thread.
    results: GlobalId,
    /// Thread numbers.
    handles: GlobalId,
    /// What else threads wait on.
    waited: Option<Waited>,
}

fn globals(b: &mut Builder, random: &mut Random, options: Options) -> Globals {
    let mut cells = Vec::new();
    let global = |id| Operand::Global(id, 0);
    let x = b.global("x", 4, &[], false);
    cells.push(Cell { address: global(x), width: 32 });
    if random.one_in(2) {
        let y = b.global("y", 1, &[random.below(3) as u8], false);
        cells.push(Cell { address: global(y), width: 8 });
    }
    if random.one_in(3) {
        let z = b.global("z", 2, &[], false);
        cells.push(Cell { address: global(z), width: 16 });
    }
    if random.one_in(3) {
        let s = b.global("s", 8, &[1, 0, 2], false);
        for _ in 0..2 + random.below(2) {
            let width = random.pick(&[8, 16, 32, 64]);
            let offset = random.below(9 - u64::from(width / 8)) as i64;
            cells.push(Cell { address: Operand::Global(s, offset), width });
        }
    }
    let element = random.pick(&[1, 1, 2, 4]);
    let array = b.global("a", 4 * element, &[], false);
    let mutexes = [b.global("m", 4, &[], false), b.global("n", 4, &[], false)];
    let first = match random.below(3) {
        0 => c(0, 64),
        1 => global(x),
        _ => Operand::Global(array, random.below(4 * element) as i64),
    };
    let pointer = b.pointer("p", first);
    let function = b.pointer("f", c(0, 64));
    let local = b.global("l", 4, &[1], true);
    let results = b.global("results", 8, &[], false);
    let handles = b.global("handles", 32, &[], false);
    let waited = options.waits.then(|| Waited::new(b, random));
    Globals { cells, array, element, mutexes, pointer, function, local, results, handles, waited }
}

/// Emits random statements.
pub(crate) struct Thread<'a, 'b> {
    pub(crate) random: &'a mut Random,
    pub(crate) globals: &'a Globals,
    options: Options,
    helpers: &'a [FuncId],
    pub(crate) body: &'a mut Body<'b>,
    /// The thread's variables, 32 bits.
    vars: [RegId; 2],
    /// Its pointer.
    q: RegId,
    /// How many statements may still be nested.
    depth: u32,
}

impl<'a, 'b> Thread<'a, 'b> {
    fn new(
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

    fn small(&mut self) -> u128 {
        u128::from(self.random.below(4))
    }

    pub(crate) fn cell(&mut self) -> Cell {
        self.random.pick(&self.globals.cells)
    }

    fn manner(&mut self) -> Access {
        if self.random.one_in(3) { ATOMIC } else { PLAIN }
    }

    fn var(&mut self) -> RegId {
        self.random.pick(&self.vars)
    }

    /// A value of that width.
    fn value(&mut self, width: u32) -> Operand {
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
    pub(crate) fn keep(&mut self, from: RegId) {
        let signed = self.random.one_in(4);
        let fit = self.body.resize(Operand::Reg(from), 32, signed);
        let var = self.var();
        self.body.assign(var, Operand::Reg(fit));
    }

    /// A comparison of a variable, one bit.
    fn condition(&mut self) -> RegId {
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
    fn element(&mut self) -> Operand {
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
    fn place(&mut self) -> Cell {
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

    pub(crate) fn access(&mut self) {
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
                self.body.op(Op::CompareExchange { old, ok, addr, expected, new, width, access });
                let from = if self.random.one_in(2) { old } else { ok };
                self.keep(from);
            }
        }
    }

    fn modify(&mut self, addr: Operand, width: u32) {
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

    fn arithmetic(&mut self) {
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

    /// Sets, publishes or fetches pointers.
    fn pointers(&mut self) {
        let p = Operand::Global(self.globals.pointer, 0);
        match self.random.below(8) {
            0 | 1 => {
                let to = match self.random.below(4) {
                    0 => self.element(),
                    1 => c(0, 64),
                    _ => self.cell().address,
                };
                self.body.store(p, to, ATOMIC);
            }
            2 | 3 => {
                let heap = !self.options.lifetimes || self.random.one_in(2);
                let kind = if heap { AllocKind::Heap } else { AllocKind::Stack };
                let bytes = self.random.pick(&[1, 4, 4, 8]);
                let r = if heap || !self.random.one_in(4) {
                    self.body.alloc(bytes, kind)
                } else {
                    let (dst, global) = (self.body.reg(64), self.globals.local);
                    self.body.op(Op::ThreadLocal { dst, global });
                    dst
                };
                if self.random.one_in(2) {
                    let value = self.value(8);
                    self.body.store(Operand::Reg(r), value, PLAIN);
                }
                self.body.assign(self.q, Operand::Reg(r));
                if !self.random.one_in(3) {
                    self.body.store(p, Operand::Reg(r), ATOMIC);
                }
            }
            4 if self.options.lifetimes => {
                self.body.op(Op::Free { addr: Operand::Reg(self.q) });
            }
            _ => {
                let r = self.body.load(p, 64, ATOMIC);
                self.body.assign(self.q, Operand::Reg(r));
                let width = self.random.pick(&[8, 8, 32]);
                let some = self.body.compare(CmpOp::Ne, Operand::Reg(r), c(0, 64));
                let store = self.random.one_in(2);
                let deref = |t: &mut Self| {
                    if store {
                        let value = t.value(width);
                        t.body.store(Operand::Reg(t.q), value, PLAIN);
                    } else {
                        let r = t.body.load(Operand::Reg(t.q), width, PLAIN);
                        t.keep(r);
                    }
                };
                if self.random.one_in(2) { self.when(some, deref) } else { deref(self) }
            }
        }
    }

    fn section(&mut self) {
        self.body.op(Op::AtomicBegin);
        for _ in 0..=self.random.below(2) {
            self.access();
        }
        if self.random.one_in(2) {
            let cond = self.condition();
            match self.random.below(4) {
                0 => self.body.op(Op::Assume { cond: Operand::Reg(cond) }),
                1 => self.body.check(Property::Assertions, cond),
                2 => self.when(cond, Self::access),
                _ => self.body.op(Op::Block { cond: Operand::Reg(cond), spurious: false }),
            }
        }
        if self.random.one_in(6) {
            self.access();
        }
        self.body.op(Op::AtomicEnd);
    }

    fn locked(&mut self) {
        let m = Operand::Global(self.random.pick(&self.globals.mutexes), 0);
        if self.random.one_in(4) {
            let dst = self.body.reg(32);
            self.body.op(Op::TryLock { dst, mutex: m });
            let taken = self.body.compare(CmpOp::Eq, Operand::Reg(dst), c(1, 32));
            self.when(taken, |t| {
                t.access();
                t.body.op(Op::Unlock { mutex: m, wait: false });
            });
            return;
        }
        self.body.op(Op::Lock { mutex: m, wait: false });
        let nested = self.random.one_in(4);
        let n = Operand::Global(self.random.pick(&self.globals.mutexes), 0);
        if nested {
            self.body.op(Op::Lock { mutex: n, wait: false });
        }
        for _ in 0..=self.random.below(2) {
            self.access();
        }
        if nested {
            self.body.op(Op::Unlock { mutex: n, wait: false });
        }
        if !self.random.one_in(12) {
            self.body.op(Op::Unlock { mutex: m, wait: false });
        }
    }

    pub(crate) fn when(&mut self, cond: RegId, then: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.body.block(), self.body.block());
        self.body.branch(cond, yes, no);
        self.body.at = yes;
        then(self);
        self.body.goto(no);
    }

    fn choose(&mut self) {
        if self.random.one_in(4) {
            let (one, two, out) = (self.body.block(), self.body.block(), self.body.block());
            let value = Operand::Reg(self.var());
            let cases = vec![(0, one), (self.random.below(2) as u128 + 1, two)];
            self.body.end(Terminator::Switch { value, cases, default: out });
            for block in [one, two] {
                self.body.at = block;
                self.access();
                let to = if block == one && self.random.one_in(3) { two } else { out };
                self.body.end(Terminator::Goto(to));
            }
            self.body.at = out;
            return;
        }
        let cond = self.condition();
        let (yes, no, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.branch(cond, yes, no);
        self.body.at = yes;
        self.statement();
        self.body.goto(out);
        self.body.at = no;
        if self.random.one_in(2) {
            self.statement();
        }
        if self.random.one_in(10) {
            self.body.end(Terminator::Return(None));
        } else {
            self.body.end(Terminator::Goto(out));
        }
        self.body.at = out;
    }

    /// A loop with a constant number of iterations, or one that reads decide.
    fn repeat(&mut self) {
        let n = 1 + u128::from(self.random.below(3));
        let i = self.body.reg(32);
        self.body.assign(i, c(0, 32));
        let (head, inside, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.goto(head);
        let more = self.body.compare(CmpOp::Ult, Operand::Reg(i), c(n, 32));
        self.body.branch(more, inside, out);
        self.body.at = inside;
        self.access();
        if self.random.one_in(3) {
            let go_on = self.body.block();
            let cond = self.condition();
            self.body.branch(cond, go_on, out);
            self.body.at = go_on;
        }
        let next = self.body.binary(BinOp::Add, Operand::Reg(i), c(1, 32));
        self.body.assign(i, Operand::Reg(next));
        self.body.end(Terminator::Goto(head));
        self.body.at = out;
    }

    /// Waits for a value, or retries a compare-and-exchange.
    fn spin(&mut self) {
        let Cell { address: addr, width } = self.cell();
        let (head, out) = (self.body.block(), self.body.block());
        let wanted = c(self.small(), width);
        self.body.goto(head);
        let done = match self.random.below(3) {
            0 => {
                let (old, ok) = (self.body.reg(width), self.body.reg(1));
                let new = c(1 + self.small(), width);
                let (expected, access) = (wanted, ATOMIC);
                self.body.op(Op::CompareExchange { old, ok, addr, expected, new, width, access });
                ok
            }
            1 => {
                let seen = self.body.load(addr, width, ATOMIC);
                let new = self.body.binary(BinOp::Add, Operand::Reg(seen), c(1, width));
                let (old, ok) = (self.body.reg(width), self.body.reg(1));
                let (expected, new, access) = (Operand::Reg(seen), Operand::Reg(new), ATOMIC);
                self.body.op(Op::CompareExchange { old, ok, addr, expected, new, width, access });
                ok
            }
            _ => {
                let access = self.manner();
                let r = self.body.load(addr, width, access);
                let op = self.random.pick(&[CmpOp::Ne, CmpOp::Ne, CmpOp::Eq]);
                self.body.compare(op, Operand::Reg(r), wanted)
            }
        };
        self.body.branch(done, out, head);
        self.body.at = out;
    }

    fn call(&mut self) {
        let Some(&f) = self.helpers.first() else { return self.access() };
        let f = if self.random.one_in(2) { f } else { self.random.pick(self.helpers) };
        let args = vec![Operand::Reg(self.var())];
        let dst = Some(self.var());
        let cell = Operand::Global(self.globals.function, 0);
        let callee = match self.random.below(4) {
            0 | 1 => Callee::Direct(f),
            2 => {
                self.body.store(cell, Operand::Function(f), ATOMIC);
                return;
            }
            _ => Callee::Indirect(Operand::Reg(self.body.load(cell, 64, ATOMIC))),
        };
        self.body.op(Op::Call { dst, callee, args });
    }

    fn input(&mut self) {
        let dst = self.body.reg(32);
        let external = self.options.external_inputs && self.random.one_in(2);
        let kind = if external { InputKind::External } else { InputKind::Choice(2) };
        self.body.op(Op::Input { dst, kind, name: "c".into() });
        self.keep(dst);
    }

    /// An assertion that two variables do not have certain values at once, or about one variable.
    fn assertion(&mut self) {
        let both = self.random.one_in(2);
        let (k0, k1) = (c(self.small(), 32), c(self.small(), 32));
        let cond = if both {
            let first = self.body.compare(CmpOp::Ne, Operand::Reg(self.vars[0]), k0);
            let second = self.body.compare(CmpOp::Ne, Operand::Reg(self.vars[1]), k1);
            self.body.binary(BinOp::Or, Operand::Reg(first), Operand::Reg(second))
        } else {
            let k = c(1 + self.small(), 32);
            let op = self.random.pick(&[CmpOp::Ne, CmpOp::Ne, CmpOp::Ule]);
            let v = Operand::Reg(self.var());
            self.body.compare(op, v, k)
        };
        self.body.check(Property::Assertions, cond);
    }

    fn statement(&mut self) {
        if self.depth == 0 {
            return self.access();
        }
        if let Some(on) = self.globals.waited
            && self.random.one_in(3)
        {
            return self.wait_statement(on);
        }
        self.depth -= 1;
        match self.random.below(36) {
            0..=11 => self.access(),
            12..=14 => self.section(),
            15..=17 => self.locked(),
            18 | 19 => self.choose(),
            20 => self.repeat(),
            21 => self.spin(),
            22 | 23 => self.arithmetic(),
            24..=27 => self.pointers(),
            28 => self.call(),
            29 => self.input(),
            30 | 31 => self.assertion(),
            32 => {
                let cond = Operand::Reg(self.condition());
                self.body.op(Op::Assume { cond });
            }
            33 => self.body.op(Op::Fence { order: Order::SeqCst }),
            34 if self.random.one_in(4) => {
                let cond = self.condition();
                let value = c(self.small(), 64);
                self.when(cond, |t| {
                    let op = if t.random.one_in(3) {
                        Op::Exit { leaks: true }
                    } else {
                        Op::ThreadExit { value }
                    };
                    t.body.op(op);
                });
            }
            _ => self.access(),
        }
        self.depth += 1;
    }

    /// The thread's value goes into its result cell.
    fn leave_result(&mut self, number: u64) {
        let v = Operand::Reg(self.var());
        let byte = self.body.resize(v, 8, false);
        let cell = Operand::Global(self.globals.results, number as i64);
        self.body.store(cell, Operand::Reg(byte), PLAIN);
    }
}

/// The program of a seed.
pub fn program(seed: u64, options: Options) -> Program {
    let mut random = Random::new(seed);
    let random = &mut random;
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
    // Some programs run copies of one thread.
    let copies = seed % 5 == 4;
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
fn join(t: &mut Thread<'_, '_>, started: &[RegId]) {
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
