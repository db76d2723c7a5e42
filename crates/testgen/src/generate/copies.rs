//! Copies of a thread that can change places, and everything that tells them apart after all.
//!
//! Copies draw tickets, so that what one of them does is decided by who came first: nothing that a number of
//! a thread says. Then it matters which of them is joined: by main, by a watcher that found the number in
//! memory, or inside an atomic section. Some copies are told apart: by an argument, by an object of their own, by
//! thread-local memory, by their own number, by what they return. Who waits on the condition variable is in a set
//! of threads as in `crates/models/c/pthread_cond.c`, and a signal wakes any of them.

use raddle_ir::{
    Access, AllocKind, BinOp, CmpOp, FuncId, GlobalId, Op, Operand, Program, RegId, RmwOp,
    Terminator,
};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c};

/// What the threads of a program share.
#[derive(Clone, Copy)]
struct Shared {
    cells: [Cell; 2],
    /// How many copies have come.
    tickets: GlobalId,
    /// An address that copies leave there.
    left: GlobalId,
    /// Who waits, and who of them was woken.
    set: GlobalId,
    /// Waits and wakes one thread.
    wait: FuncId,
    signal: FuncId,
}

/// A program with two or three copies, perhaps with a watcher.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let mut cell = |name: &str| {
        let global = b.global(name, 1);
        Cell { address: Operand::Global(global, 0), width: 8 }
    };
    let cells = [cell("c0"), cell("c1")];
    let (tickets, left) = (b.global("tickets", 4), b.global("left", 8));
    let set = b.global("set", 16);
    let mutex = Operand::Global(globals.mutexes[0], 0);
    let wait = b.function("wait", &[], None, |f| wait(f, set, mutex));
    let signal = b.function("signal", &[], None, |f| signal(f, set));
    [wait, signal].into_iter().for_each(|f| b.is_model(f));
    let shared = Shared { cells, tickets, left, set, wait, signal };
    let watched = random.one_in(2);
    let copies = if watched { random.pick(&[2, 2, 3]) } else { random.pick(&[2, 3]) };
    let copy = b.function("copy", &[64], Some(64), |f| {
        let argument = f.param(0);
        let mut t = Thread::new(random, &globals, options, &[], f);
        t.copy(shared, argument, if copies == 2 { 2 } else { 1 });
    });
    let watch = watched.then(|| {
        b.function("watch", &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            t.watch(shared);
        })
    });
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        t.start_all(shared, copy, copies, watch);
    });
    b.finish(main)
}

/// An access of a library model.
const HIDDEN: Access = Access { hidden: true, ..PLAIN };

/// The bit of the running thread.
fn own_bit(f: &mut Body<'_>) -> Operand {
    let number = f.reg(64);
    f.op(Op::ThreadSelf { dst: number, place: true });
    let place = f.binary(BinOp::Sub, Operand::Reg(number), c(1, 64));
    let bit = f.binary(BinOp::Shl, c(1, 64), Operand::Reg(place));
    Operand::Reg(f.resize(Operand::Reg(bit), 8, false))
}

/// Lasts until a signal chooses the thread; meanwhile it does not hold the mutex.
fn wait(f: &mut Body<'_>, set: GlobalId, mutex: Operand) {
    let (waiting, woken) = (Operand::Global(set, 0), Operand::Global(set, 8));
    let enter = Access { set: true, ..HIDDEN };
    f.op(Op::AtomicBegin);
    let bit = own_bit(f);
    let old = f.load(waiting, 8, HIDDEN);
    let new = f.binary(BinOp::Or, Operand::Reg(old), bit);
    f.store(waiting, Operand::Reg(new), enter);
    f.op(Op::Unlock { mutex, wait: true });
    f.op(Op::AtomicEnd);
    f.op(Op::AtomicBegin);
    let bit = own_bit(f);
    let chosen = f.load(woken, 8, HIDDEN);
    let mine = f.binary(BinOp::And, Operand::Reg(chosen), bit);
    let cond = Operand::Reg(f.compare(CmpOp::Ne, Operand::Reg(mine), c(0, 8)));
    f.op(Op::Block { cond, spurious: false });
    for (part, access) in [(waiting, enter), (woken, HIDDEN)] {
        let old = f.load(part, 8, HIDDEN);
        let new = f.binary(BinOp::Xor, Operand::Reg(old), bit);
        f.store(part, Operand::Reg(new), access);
    }
    f.op(Op::AtomicEnd);
    f.op(Op::Lock { mutex, wait: true });
}

/// Chooses one of those that wait, if there is one.
fn signal(f: &mut Body<'_>, set: GlobalId) {
    f.op(Op::AtomicBegin);
    let (waiting, woken) = (Operand::Global(set, 0), Operand::Global(set, 8));
    let all = f.load(waiting, 8, HIDDEN);
    let chosen = f.load(woken, 8, HIDDEN);
    let asleep = f.binary(BinOp::Xor, Operand::Reg(all), Operand::Reg(chosen));
    // Pass over candidates as long as another one remains and the choice says so.
    for _ in 0..3 {
        let less = f.binary(BinOp::Sub, Operand::Reg(asleep), c(1, 8));
        let rest = f.binary(BinOp::And, Operand::Reg(asleep), Operand::Reg(less));
        let more = f.differs(rest, 0);
        f.when(more, |f| {
            let pass = f.choice(2);
            let pass = f.differs(pass, 0);
            f.when(pass, |f| f.assign(asleep, Operand::Reg(rest)));
        });
    }
    let negated = f.binary(BinOp::Sub, c(0, 8), Operand::Reg(asleep));
    let one = f.binary(BinOp::And, Operand::Reg(asleep), Operand::Reg(negated));
    let new = f.binary(BinOp::Or, Operand::Reg(chosen), Operand::Reg(one));
    f.store(woken, Operand::Reg(new), HIDDEN);
    f.op(Op::AtomicEnd);
}

impl Thread<'_, '_> {
    fn copy(&mut self, shared: Shared, argument: RegId, steps: u64) {
        if self.random.one_in(3) {
            self.set(1, argument);
        }
        if !self.random.one_in(6) {
            let dst = self.body.reg(32);
            let (addr, value) = (Operand::Global(shared.tickets, 0), c(1, 32));
            let op = RmwOp::Add;
            self.body.op(Op::Rmw { dst, op, addr, value, width: 32, access: ATOMIC });
            self.set(0, dst);
        }
        for _ in 0..steps + self.random.below(2) {
            if self.random.one_in(3) {
                self.step_of_copy(shared);
                continue;
            }
            let ticket = c(u128::from(self.random.below(2)), 32);
            let op = self.random.pick(&[CmpOp::Eq, CmpOp::Eq, CmpOp::Ne]);
            let cond = self.body.compare(op, Operand::Reg(self.vars[0]), ticket);
            self.when(cond, |t| t.step_of_copy(shared));
        }
        let value = match self.random.below(8) {
            0 => Operand::Reg(self.body.resize(Operand::Reg(self.vars[0]), 64, false)),
            _ => c(0, 64),
        };
        self.body.end(Terminator::Return(Some(value)));
    }

    fn step_of_copy(&mut self, shared: Shared) {
        let cell = self.random.pick(&shared.cells);
        match self.random.below(18) {
            0..=3 => {
                let value = c(1 + self.small(), 8);
                self.body.store(cell.address, value, ATOMIC);
            }
            4 | 5 => self.add_one(cell),
            6 => self.locked_step(cell),
            7 | 8 => self.wait_until_there(cell),
            9 | 10 => self.wait_for_signal(shared, cell),
            11 => self.signal_one(shared, cell),
            12 | 13 => self.make_object(shared),
            14 | 15 => self.look_at_names(shared, cell),
            16 => {
                let (dst, global) = (self.body.reg(64), self.globals.local);
                self.body.op(Op::ThreadLocal { dst, global });
                self.body.store(Operand::Reg(dst), c(1, 8), PLAIN);
            }
            _ => {
                let dst = self.body.reg(64);
                self.body.op(Op::ThreadSelf { dst, place: self.random.one_in(2) });
                let low = self.body.resize(Operand::Reg(dst), 8, false);
                self.body.store(cell.address, Operand::Reg(low), ATOMIC);
            }
        }
    }

    /// Reads as data who holds the mutex, or who waits.
    fn look_at_names(&mut self, shared: Shared, cell: Cell) {
        let mutex = Operand::Global(self.globals.mutexes[0], 0);
        let (holds, waits) = (self.random.one_in(2), self.random.one_in(2));
        if holds {
            self.body.op(Op::Lock { mutex, wait: false });
        }
        let names = if waits { Operand::Global(shared.set, 0) } else { mutex };
        let seen = self.body.load(names, 8, ATOMIC);
        self.body.store(cell.address, Operand::Reg(seen), ATOMIC);
        if holds {
            self.body.op(Op::Unlock { mutex, wait: false });
        }
    }

    /// Blocks until a cell is not 0.
    fn wait_until_there(&mut self, cell: Cell) {
        self.body.op(Op::AtomicBegin);
        let value = self.body.load(cell.address, 8, ATOMIC);
        let cond = Operand::Reg(self.body.compare(CmpOp::Ne, Operand::Reg(value), c(0, 8)));
        self.body.op(Op::Block { cond, spurious: false });
        self.body.op(Op::AtomicEnd);
    }

    /// Waits on the condition variable, most often only if a cell is 0.
    fn wait_for_signal(&mut self, shared: Shared, cell: Cell) {
        let mutex = Operand::Global(self.globals.mutexes[0], 0);
        self.body.op(Op::Lock { mutex, wait: false });
        let value = self.body.load(cell.address, 8, ATOMIC);
        let value = if self.random.one_in(4) { c(0, 8) } else { Operand::Reg(value) };
        let cond = self.body.compare(CmpOp::Eq, value, c(0, 8));
        self.when(cond, |t| t.call_model(shared.wait));
        if self.random.one_in(2) {
            self.add_one(cell);
        }
        self.body.op(Op::Unlock { mutex, wait: false });
    }

    fn signal_one(&mut self, shared: Shared, cell: Cell) {
        if self.random.one_in(2) {
            self.body.store(cell.address, c(1, 8), ATOMIC);
        }
        self.call_model(shared.signal);
    }

    fn call_model(&mut self, func: FuncId) {
        let callee = raddle_ir::Callee::Direct(func);
        self.body.op(Op::Call { dst: None, callee, args: Vec::new() });
    }

    /// A new object, whose address others find.
    fn make_object(&mut self, shared: Shared) {
        let kind = self.random.pick(&[AllocKind::Heap, AllocKind::Stack]);
        let object = self.body.alloc(4, kind);
        if self.random.one_in(2) {
            self.body.store(Operand::Global(shared.left, 0), Operand::Reg(object), ATOMIC);
        }
    }

    /// Joins a thread whose number it finds, then looks around.
    fn watch(&mut self, shared: Shared) {
        if self.random.one_in(4) {
            self.wait_until_there(shared.cells[0]);
        }
        let place = Operand::Global(self.globals.handles, 0);
        let thread = self.body.load(place, 64, ATOMIC);
        self.join_somehow(thread);
        self.look_around(shared);
        let byte = self.body.resize(Operand::Reg(self.vars[0]), 8, false);
        let result = Operand::Global(self.globals.results, 0);
        self.body.store(result, Operand::Reg(byte), ATOMIC);
        self.body.end(Terminator::Return(Some(c(0, 64))));
    }

    fn join_somehow(&mut self, thread: RegId) {
        let section = self.random.one_in(10);
        if section {
            self.body.op(Op::AtomicBegin);
        }
        let result = self.join_one(thread);
        if section {
            self.body.op(Op::AtomicEnd);
        }
        if self.random.one_in(3) {
            self.set(0, result);
        }
    }

    /// What is seen, or done, after a join.
    fn look_around(&mut self, shared: Shared) {
        let cell = self.random.pick(&shared.cells);
        match self.random.below(8) {
            0 => {
                self.body.store(cell.address, c(3, 8), ATOMIC);
            }
            1 => self.signal_one(shared, cell),
            2 => self.look_at_names(shared, cell),
            _ => {
                let seen = self.body.load(cell.address, 8, ATOMIC);
                self.set(0, seen);
            }
        }
    }

    fn start_all(&mut self, shared: Shared, copy: FuncId, copies: u64, watch: Option<FuncId>) {
        let mut started: Vec<RegId> = Vec::new();
        let seen = self.random.below(copies);
        let different = self.random.one_in(6);
        for number in 0..copies {
            let thread = self.start(copy, if different { number } else { 0 });
            started.push(thread);
            if number == seen {
                let place = Operand::Global(self.globals.handles, 0);
                self.body.store(place, Operand::Reg(thread), ATOMIC);
            }
            match self.random.below(12) {
                0 => self.look_around(shared),
                1 => self.wait_until_there(shared.cells[1]),
                _ => {}
            }
        }
        for i in (1..started.len()).rev() {
            started.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        if let Some(watch) = watch {
            let watcher = self.start(watch, 0);
            match self.random.below(3) {
                0 => started = vec![watcher],
                1 => started = vec![watcher, started[0]],
                _ => started.push(watcher),
            }
        }
        if self.random.one_in(3) {
            self.wait_until_there(shared.cells[0]);
        }
        if self.random.one_in(4) {
            self.signal_one(shared, shared.cells[1]);
        }
        for thread in started {
            if self.random.one_in(8) {
                continue;
            }
            self.join_somehow(thread);
            if self.random.one_in(2) {
                self.look_around(shared);
            }
        }
        let [a, b] = shared.cells.map(|cell| self.body.load(cell.address, 8, ATOMIC));
        let result = Operand::Global(self.globals.results, 0);
        let result = self.body.load(result, 8, ATOMIC);
        self.outcomes(&[(a, 2), (b, 2), (result, 2), (self.vars[0], 2)]);
    }
}
