//! Critical sections as they are rarely written: long, with branches, left and entered again in the
//! middle, and all ways to break a mutex: an access without it, a release by another thread, a
//! mutex found by a pointer, a word that is overwritten.

use raddle_ir::{Access, CmpOp, Expr, Op, Operand, Program, Property, RegId, Terminator};

use super::Options;
use super::thread::{Cell, Globals, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{Builder, PLAIN, c};

/// What the sections are about.
#[derive(Clone, Copy)]
struct Shared {
    cells: [Cell; 2],
    /// One section in so many breaks the rules in some way.
    breaks: u64,
}

/// A program with two or three threads.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals: Globals = globals(&mut b, random, options);
    let first = random.below(3) as u8;
    let mut cell = |name: &str, init: &[u8]| {
        let global = b.global_with(name, 1, init);
        Cell { address: Operand::Global(global, 0), width: 8 }
    };
    let cells = [cell("c0", &[first]), cell("c1", &[])];
    let shared = Shared { cells, breaks: random.pick(&[2, 4, 12]) };
    let threads = random.pick(&[2, 2, 3]);
    let mut funcs = Vec::new();
    for number in 0..threads {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            if t.random.one_in(3) {
                t.decide();
            }
            for _ in 0..1 + t.random.below(if threads == 2 { 2 } else { 1 }) {
                if t.random.one_in(shared.breaks) {
                    t.break_rules(shared);
                } else {
                    t.long_section(shared);
                }
            }
            t.leave_both(number);
            t.body.end(Terminator::Return(Some(c(0, 64))));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        let started: Vec<RegId> = funcs.iter().map(|&func| t.start(func, 0)).collect();
        if t.random.one_in(4) {
            t.long_section(shared);
        }
        for thread in started {
            t.join_one(thread);
        }
        t.results(funcs.len());
    });
    b.finish(main)
}

impl Thread<'_, '_> {
    fn mutex(&mut self) -> Operand {
        // Most often the first, so that sections meet.
        let one = self.globals.mutexes[usize::from(self.random.one_in(5))];
        Operand::Global(one, 0)
    }

    fn long_section(&mut self, shared: Shared) {
        let mut mutex = self.mutex();
        if self.random.one_in(12) {
            mutex = self.some_mutex();
        }
        self.body.op(Op::Lock { mutex, wait: false });
        for _ in 0..2 + self.random.below(3) {
            self.inside(shared, mutex);
        }
        if self.random.one_in(4) {
            let asked = if self.random.one_in(3) { self.some_mutex() } else { mutex };
            self.ask_for_holder(asked);
        }
        self.body.op(Op::Unlock { mutex, wait: false });
        if self.random.one_in(8) {
            self.ask_for_holder(mutex);
        }
    }

    /// Whether this thread holds a mutex: kept as a value, or demanded.
    fn ask_for_holder(&mut self, mutex: Operand) {
        let access = Access { hidden: true, holder: true, ..PLAIN };
        let word = self.body.load(mutex, 32, access);
        let own = self.body.reg(64);
        self.body.op(Op::ThreadSelf { dst: own, place: false });
        let own = self.body.resize(Operand::Reg(own), 32, false);
        let mine = self.body.compare(CmpOp::Eq, Operand::Reg(word), Operand::Reg(own));
        if self.random.one_in(2) {
            self.body.check(Property::Locks, mine);
        } else {
            self.keep(mine);
        }
    }

    /// One of the mutexes, by a pointer.
    fn some_mutex(&mut self) -> Operand {
        let cond = Operand::Reg(self.condition());
        let [a, b] = self.globals.mutexes.map(|m| Operand::Global(m, 0));
        Operand::Reg(self.body.compute(Expr::Select { cond, a, b }, 64))
    }

    fn look(&mut self, cell: Cell) {
        let r = self.body.load(cell.address, cell.width, PLAIN);
        self.keep(r);
    }

    fn put(&mut self, cell: Cell) {
        let value = if self.random.one_in(3) { self.value(8) } else { c(self.small(), 8) };
        self.body.store(cell.address, value, PLAIN);
    }

    fn look_or_put(&mut self, cell: Cell) {
        if self.random.one_in(2) { self.look(cell) } else { self.put(cell) }
    }

    fn inside(&mut self, shared: Shared, mutex: Operand) {
        let cell = shared.cells[usize::from(self.random.one_in(4))];
        match self.random.below(16) {
            0..=3 => self.put(cell),
            4..=7 => self.look(cell),
            8..=10 => {
                let cond = self.condition();
                self.when(cond, |t| t.put(cell));
            }
            11 => {
                let cond = self.condition();
                self.when(cond, |t| t.look_or_put(cell));
                self.look(cell);
            }
            12 => self.read_add_write(cell),
            // Leaves the section and comes back.
            13 => {
                self.body.op(Op::Unlock { mutex, wait: false });
                self.body.op(Op::Lock { mutex, wait: false });
            }
            14 => {
                let cond = self.condition();
                self.when(cond, |t| {
                    t.body.op(Op::Unlock { mutex, wait: false });
                    if t.random.one_in(3) {
                        t.look_or_put(cell);
                    }
                    t.body.op(Op::Lock { mutex, wait: false });
                });
            }
            _ => self.nested(cell),
        }
    }

    fn read_add_write(&mut self, cell: Cell) {
        let r = self.body.load(cell.address, cell.width, PLAIN);
        let sum = self.body.binary(raddle_ir::BinOp::Add, Operand::Reg(r), c(1, cell.width));
        self.body.store(cell.address, Operand::Reg(sum), PLAIN);
    }

    /// The other mutex, if it is free.
    fn nested(&mut self, cell: Cell) {
        let mutex = Operand::Global(self.globals.mutexes[1], 0);
        let dst = self.body.reg(32);
        self.body.op(Op::TryLock { dst, mutex });
        let taken = self.body.compare(CmpOp::Eq, Operand::Reg(dst), c(1, 32));
        self.when(taken, |t| {
            t.look_or_put(cell);
            t.body.op(Op::Unlock { mutex, wait: false });
        });
    }

    fn break_rules(&mut self, shared: Shared) {
        let cell = shared.cells[usize::from(self.random.one_in(4))];
        let mutex = self.mutex();
        match self.random.below(12) {
            // An access without the mutex.
            0..=3 => {
                self.look_or_put(cell);
                if self.random.one_in(3) {
                    self.look_or_put(cell);
                }
            }
            // A release of what another thread may hold.
            4 | 5 => {
                self.body.op(Op::Unlock { mutex, wait: false });
                self.look_or_put(cell);
            }
            6 => {
                let mutex = self.some_mutex();
                self.body.op(Op::Unlock { mutex, wait: false });
                self.put(cell);
            }
            7..=10 => self.held_on_some_paths(cell, mutex),
            // The word is overwritten, as by a second initialisation.
            _ => {
                let word = if self.random.one_in(3) { 2 } else { 0 };
                self.body.store(mutex, c(word, 32), PLAIN);
                if self.random.one_in(2) {
                    self.ask_for_holder(mutex);
                }
                self.look_or_put(cell);
            }
        }
    }

    /// Accesses that are under the mutex on one path only: it is released early there, or taken.
    fn held_on_some_paths(&mut self, cell: Cell, mutex: Operand) {
        let early = self.random.one_in(2);
        let var = self.decide();
        let cond = self.body.compare(CmpOp::Eq, Operand::Reg(var), c(0, 32));
        let not = self.body.compare(CmpOp::Ne, Operand::Reg(var), c(0, 32));
        if early {
            self.body.op(Op::Lock { mutex, wait: false });
            self.put(cell);
            self.when(cond, |t| t.body.op(Op::Unlock { mutex, wait: false }));
        } else {
            self.when(not, |t| t.body.op(Op::Lock { mutex, wait: false }));
        }
        for _ in 0..2 {
            self.look_or_put(cell);
        }
        self.when(not, |t| t.body.op(Op::Unlock { mutex, wait: false }));
    }
}
