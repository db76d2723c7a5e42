//! What a thread of a mixed program can do, as one list.

use raddle_ir::{AllocKind, BinOp, Callee, CmpOp, Op, Operand, Order, Property, Terminator};

use super::thread::{Cell, Thread};
use raddle_testkit::build::{ATOMIC, PLAIN, c};

impl Thread<'_, '_> {
    /// Sets, publishes or fetches pointers.
    pub(super) fn pointers(&mut self) {
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

    pub(super) fn section(&mut self) {
        self.body.op(Op::AtomicBegin);
        for _ in 0..=self.random.below(2) {
            self.access();
        }
        if self.random.one_in(2) {
            let cond = self.condition();
            match self.random.below(4) {
                2 => self.when(cond, Self::access),
                0 => {
                    self.body.op(Op::Assume { cond: Operand::Reg(cond) });
                }
                1 => {
                    self.body.check(Property::Assertions, cond);
                }
                _ => {
                    self.body.op(Op::Block { cond: Operand::Reg(cond), spurious: false });
                }
            }
        }
        if self.random.one_in(6) {
            self.access();
        }
        self.body.op(Op::AtomicEnd);
    }

    pub(super) fn locked(&mut self) {
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

    pub(super) fn choose(&mut self) {
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
    pub(super) fn repeat(&mut self) {
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
    pub(super) fn spin(&mut self) {
        let Cell { address: addr, width } = self.cell();
        let (head, out) = (self.body.block(), self.body.block());
        let wanted = c(self.small(), width);
        self.body.goto(head);
        let done = match self.random.below(3) {
            0 => {
                let (old, ok) = (self.body.reg(width), self.body.reg(1));
                let new = c(1 + self.small(), width);
                let (expected, access) = (wanted, ATOMIC);
                let weak = self.random.one_in(2);
                let op = Op::CompareExchange { old, ok, addr, expected, new, width, access, weak };
                self.body.op(op);
                ok
            }
            1 => {
                let seen = self.body.load(addr, width, ATOMIC);
                let new = self.body.binary(BinOp::Add, Operand::Reg(seen), c(1, width));
                let (old, ok) = (self.body.reg(width), self.body.reg(1));
                let (expected, new, access) = (Operand::Reg(seen), Operand::Reg(new), ATOMIC);
                let weak = self.random.one_in(2);
                let op = Op::CompareExchange { old, ok, addr, expected, new, width, access, weak };
                self.body.op(op);
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

    pub(super) fn call(&mut self) {
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

    /// An assertion that two variables do not have certain values at once, or about one variable.
    pub(super) fn assertion(&mut self) {
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

    pub(super) fn statement(&mut self) {
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
            33 => {
                self.body.op(Op::Fence { order: Order::SeqCst });
            }
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
}
