//! How programs of the special kinds begin and end.
//!
//! Main starts the threads, joins them and looks at what they left in their result cells. Each
//! combination of results has a line of its own with an assertion that fails there. So what one
//! engine finds and another does not is an interleaving that it misses, whatever the program
//! computes. One program in four asserts that one combination does not occur, which is most often
//! true.

use raddle_ir::{BinOp, FuncId, Op, Operand, Property, RegId, Terminator};

use super::thread::Thread;
use raddle_testkit::build::{PLAIN, c};

impl Thread<'_, '_> {
    /// Starts a thread; its number.
    pub(super) fn start(&mut self, func: FuncId, argument: u64) -> RegId {
        let dst = self.body.reg(64);
        let (func, args) = (Operand::Function(func), vec![c(u128::from(argument), 64)]);
        self.body.op(Op::Create { dst: Some(dst), func, args });
        dst
    }

    /// Waits for a thread; what it returned.
    pub(super) fn join_one(&mut self, thread: RegId) -> RegId {
        let dst = self.body.reg(64);
        self.body.op(Op::Join { dst: Some(dst), thread: Operand::Reg(thread) });
        dst
    }

    /// Both variables, two bits each, as the result of a thread.
    pub(super) fn leave_both(&mut self, number: u64) {
        let low = self.bits(self.vars[0], 2, 0);
        let high = self.bits(self.vars[1], 2, 2);
        let both = self.body.binary(BinOp::Or, Operand::Reg(low), Operand::Reg(high));
        let byte = self.body.resize(Operand::Reg(both), 8, false);
        let cell = Operand::Global(self.globals.results, number as i64);
        self.body.store(cell, Operand::Reg(byte), PLAIN);
    }

    /// The low bits of a register of any width, moved to a place in 32 bits.
    fn bits(&mut self, from: RegId, count: u32, at: u32) -> RegId {
        let word = self.body.resize(Operand::Reg(from), 32, false);
        let low = self.body.binary(BinOp::And, Operand::Reg(word), c((1 << count) - 1, 32));
        self.body.binary(BinOp::Shl, Operand::Reg(low), c(u128::from(at), 32))
    }

    /// The results of so many threads, in all or as one of few.
    pub(super) fn results(&mut self, threads: usize) {
        let each = if threads == 2 { 4 } else { 2 };
        let mut parts = Vec::new();
        for n in 0..threads.min(3) {
            let cell = Operand::Global(self.globals.results, n as i64);
            parts.push((self.body.load(cell, 8, PLAIN), each));
        }
        self.outcomes(&parts);
    }

    /// Looks at these registers, so many bits of each: at most eight bits in all.
    pub(super) fn outcomes(&mut self, parts: &[(RegId, u32)]) {
        let all: u32 = parts.iter().map(|p| p.1).sum();
        assert!(all <= 8, "so many lines are enough");
        let (mut at, mut sum) = (0, c(0, 32));
        for &(register, count) in parts {
            let part = self.bits(register, count, at);
            sum = Operand::Reg(self.body.binary(BinOp::Or, sum, Operand::Reg(part)));
            at += count;
        }
        let out = self.body.block();
        let all: Vec<u128> = (0..1 << all).collect();
        let few = self.random.one_in(4);
        let one = self.random.below(all.len() as u64) as u128;
        let wanted = all.into_iter().filter(|&value| !few || value == one);
        let cases: Vec<_> = wanted.map(|value| (value, self.body.block())).collect();
        self.body.end(Terminator::Switch { value: sum, cases: cases.clone(), default: out });
        for (_, block) in cases {
            self.body.at = block;
            let never = self.body.reg(1);
            self.body.assign(never, c(0, 1));
            self.body.check(Property::Assertions, never);
            self.body.end(Terminator::Goto(out));
        }
        self.body.at = out;
    }
}
