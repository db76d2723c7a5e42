//! Statements that wait for other threads: semaphores, condition variables, reader-writer locks, barriers.
//!
//! Written as the library models write them, with atomic sections that block, but on smaller
//! objects; so the shapes that matter for deadlocks and lost wakeups come up often, without C. All
//! of them share one 32-bit word each.

use raddle_ir::{BinOp, CmpOp, GlobalId, InputKind, Op, Operand, RegId, RmwOp};

use super::thread::Thread;
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Builder, c};

/// Objects that threads wait on.
#[derive(Clone, Copy)]
pub(super) struct Waited {
    semaphores: [GlobalId; 2],
    /// Bits of threads that wait on the condition variable.
    waiting: GlobalId,
    /// Those of them that have been woken.
    woken: GlobalId,
    /// How many read, or all ones if somebody writes.
    readers: GlobalId,
    /// How many came to the barrier.
    arrived: GlobalId,
}

impl Waited {
    pub(super) fn new(b: &mut Builder, random: &mut Random) -> Waited {
        let first = random.below(3) as u8;
        Waited {
            semaphores: [b.global_with("s0", 4, &[first]), b.global_with("s1", 4, &[1])],
            waiting: b.global("waiting", 4),
            woken: b.global("woken", 4),
            readers: b.global("readers", 4),
            arrived: b.global("arrived", 4),
        }
    }
}

fn word(global: GlobalId) -> Operand {
    Operand::Global(global, 0)
}

impl Thread<'_, '_> {
    /// A statement that waits or wakes.
    pub(super) fn wait_statement(&mut self, on: Waited) {
        match self.random.below(12) {
            0 | 1 => {
                let semaphore = word(self.random.pick(&on.semaphores));
                self.take(semaphore);
            }
            2 => {
                let semaphore = word(self.random.pick(&on.semaphores));
                self.try_to_take(semaphore);
            }
            3 | 4 => {
                let semaphore = word(self.random.pick(&on.semaphores));
                self.add(semaphore, RmwOp::Add);
            }
            5..=7 => self.wait_on_condition(on),
            8 | 9 => self.signal(on),
            10 => self.read_or_write_locked(word(on.readers)),
            _ => self.barrier(word(on.arrived)),
        }
    }

    fn load(&mut self, address: Operand) -> Operand {
        Operand::Reg(self.body.load(address, 32, ATOMIC))
    }

    fn add(&mut self, address: Operand, op: RmwOp) {
        let dst = self.body.reg(32);
        let (addr, value) = (address, c(1, 32));
        self.body.op(Op::Rmw { dst, op, addr, value, width: 32, access: ATOMIC });
    }

    /// `word = word op value`, inside a section.
    fn update(&mut self, address: Operand, op: BinOp, value: Operand) {
        let old = self.load(address);
        let new = self.body.binary(op, old, value);
        self.body.store(address, Operand::Reg(new), ATOMIC);
    }

    fn block_until(&mut self, op: CmpOp, a: Operand, b: Operand) {
        let cond = Operand::Reg(self.body.compare(op, a, b));
        let spurious = self.random.one_in(8);
        self.body.op(Op::Block { cond, spurious });
    }

    fn section_of(&mut self, inside: impl FnOnce(&mut Self)) {
        self.body.op(Op::AtomicBegin);
        inside(self);
        self.body.op(Op::AtomicEnd);
    }

    fn take(&mut self, semaphore: Operand) {
        self.section_of(|t| {
            let value = t.load(semaphore);
            t.block_until(CmpOp::Ne, value, c(0, 32));
            t.update(semaphore, BinOp::Sub, c(1, 32));
        });
        if self.random.one_in(2) {
            self.access();
            self.add(semaphore, RmwOp::Add);
        }
    }

    fn try_to_take(&mut self, semaphore: Operand) {
        self.section_of(|t| {
            let value = t.load(semaphore);
            let some = t.body.compare(CmpOp::Ne, value, c(0, 32));
            t.when(some, |t| t.update(semaphore, BinOp::Sub, c(1, 32)));
            t.keep(some);
        });
    }

    /// A bit for the running thread.
    fn own_bit(&mut self) -> Operand {
        let id = self.body.reg(64);
        self.body.op(Op::ThreadSelf { dst: id, place: false });
        let id = self.body.resize(Operand::Reg(id), 32, false);
        Operand::Reg(self.body.binary(BinOp::Shl, c(1, 32), Operand::Reg(id)))
    }

    /// Waits with a mutex, once or until a variable has a value, then does something.
    fn wait_on_condition(&mut self, on: Waited) {
        let mutex = word(self.globals.mutexes[0]);
        let again = self.random.one_in(2);
        self.body.op(Op::Lock { mutex, wait: false });
        let (head, sleep, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.goto(head);
        let cell = self.cell();
        let value = self.body.load(cell.address, cell.width, ATOMIC);
        let value = self.body.resize(Operand::Reg(value), 32, false);
        let good = self.body.compare(CmpOp::Ne, Operand::Reg(value), c(0, 32));
        self.body.branch(good, out, sleep);
        self.body.at = sleep;
        self.sleep(on, mutex);
        self.body.goto(if again { head } else { out });
        self.body.at = out;
        self.access();
        if !self.random.one_in(12) {
            self.body.op(Op::Unlock { mutex, wait: false });
        }
    }

    /// A wait that is spurious by choice, or lasts until it is signalled.
    fn sleep(&mut self, on: Waited, mutex: Operand) {
        let choice = self.body.reg(32);
        self.body.op(Op::Input { dst: choice, kind: InputKind::Choice(2), name: "w".into() });
        let asleep: RegId = self.body.compare(CmpOp::Eq, Operand::Reg(choice), c(0, 32));
        let (real, spurious, out) = (self.body.block(), self.body.block(), self.body.block());
        self.body.branch(asleep, real, spurious);
        self.body.at = real;
        let bit = self.own_bit();
        self.section_of(|t| {
            t.update(word(on.waiting), BinOp::Or, bit);
            t.body.op(Op::Unlock { mutex, wait: true });
        });
        self.section_of(|t| {
            let woken = t.load(word(on.woken));
            let mine = t.body.binary(BinOp::And, woken, bit);
            let cond = Operand::Reg(t.body.compare(CmpOp::Ne, Operand::Reg(mine), c(0, 32)));
            t.body.op(Op::Block { cond, spurious: false });
            for address in [word(on.waiting), word(on.woken)] {
                t.update(address, BinOp::Xor, bit);
            }
        });
        self.body.goto(out);
        self.body.at = spurious;
        self.body.op(Op::Unlock { mutex, wait: true });
        self.body.goto(out);
        self.body.op(Op::Lock { mutex, wait: true });
    }

    /// Wakes one thread or all, perhaps after a change, perhaps with the mutex.
    fn signal(&mut self, on: Waited) {
        let mutex = word(self.globals.mutexes[0]);
        let (locked, all) = (self.random.one_in(2), self.random.one_in(3));
        if locked {
            self.body.op(Op::Lock { mutex, wait: false });
        }
        if !self.random.one_in(4) {
            let cell = self.cell();
            self.body.store(cell.address, c(1, cell.width), ATOMIC);
        }
        self.section_of(|t| {
            let waiting = t.load(word(on.waiting));
            let chosen = if all {
                waiting
            } else {
                let woken = t.load(word(on.woken));
                let asleep = t.body.binary(BinOp::Xor, waiting, woken);
                let negated = t.body.binary(BinOp::Sub, c(0, 32), Operand::Reg(asleep));
                let (a, b) = (Operand::Reg(asleep), Operand::Reg(negated));
                Operand::Reg(t.body.binary(BinOp::And, a, b))
            };
            t.update(word(on.woken), BinOp::Or, chosen);
        });
        if locked {
            self.body.op(Op::Unlock { mutex, wait: false });
        }
    }

    fn read_or_write_locked(&mut self, readers: Operand) {
        let writes = self.random.one_in(2);
        self.section_of(|t| {
            let count = t.load(readers);
            if writes {
                t.block_until(CmpOp::Eq, count, c(0, 32));
                t.body.store(readers, c(u128::MAX, 32), ATOMIC);
            } else {
                t.block_until(CmpOp::Ne, count, c(u128::MAX, 32));
                t.update(readers, BinOp::Add, c(1, 32));
            }
        });
        self.access();
        match (self.random.one_in(12), writes) {
            (true, _) => {}
            (false, true) => {
                self.body.store(readers, c(0, 32), ATOMIC);
            }
            (false, false) => self.add(readers, RmwOp::Sub),
        }
    }

    /// Waits until two threads are there.
    fn barrier(&mut self, arrived: Operand) {
        self.add(arrived, RmwOp::Add);
        self.section_of(|t| {
            let count = t.load(arrived);
            t.block_until(CmpOp::Uge, count, c(2, 32));
        });
    }
}
