//! Memory at symbolic indices: arrays that are not zero at the start, accesses of several sizes
//! that overlap in part, a large array, an array of pointers, an array that only one thread knows;
//! main may write some of them before the threads start.

use raddle_ir::{AllocKind, BinOp, CmpOp, Expr, GlobalId, Operand, Program, RegId, Terminator};

use super::Options;
use super::thread::{Cell, Thread, globals};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Builder, PLAIN, c};

/// The arrays.
#[derive(Clone, Copy)]
struct Arrays {
    /// 16 bytes.
    small: GlobalId,
    /// 256 bytes, few of them not zero.
    large: GlobalId,
    /// Four pointers.
    pointers: GlobalId,
    /// What they point to.
    targets: [GlobalId; 2],
    /// Pointers come up more often than data.
    about_pointers: bool,
}

/// A program with two threads.
pub(super) fn program(random: &mut Random, options: Options) -> Program {
    let mut b = Builder::new(options.checked);
    let globals = globals(&mut b, random, options);
    let contents: Vec<u8> = (0..16).map(|_| random.below(4) as u8).collect();
    let filled = &contents[..random.pick(&[0, 5, 16, 16])];
    let mut sparse = vec![0; 256];
    sparse[random.below(4) as usize * 64 + 1] = 2;
    let small = b.global_with("small", 16, filled);
    let large = b.global_with("large", 256, &sparse);
    let targets = [b.global_with("t0", 4, &[1, 2]), b.global_with("t1", 4, &[2, 3])];
    let about_pointers = random.one_in(3);
    let first: Vec<Operand> = (0..4)
        .map(|_| match random.below(if about_pointers { 1 } else { 4 }) {
            0 => Operand::Global(small, random.below(8) as i64),
            n => Operand::Global(targets[n as usize % 2], 0),
        })
        .collect();
    let pointers = b.pointers("pointers", &first);
    let arrays = Arrays { small, large, pointers, targets, about_pointers };
    let mut funcs = Vec::new();
    for number in 0..2 {
        funcs.push(b.function(&format!("t{number}"), &[64], Some(64), |f| {
            let mut t = Thread::new(random, &globals, options, &[], f);
            if number == 0 || t.random.one_in(2) {
                t.decide();
            }
            let private = t.random.one_in(4).then(|| t.body.alloc(8, AllocKind::Stack));
            for _ in 0..2 + t.random.below(2) {
                match private {
                    Some(array) if t.random.one_in(2) => t.private(array),
                    Some(_) | None => t.shared(arrays),
                }
            }
            t.leave_both(number);
            t.body.end(Terminator::Return(Some(c(0, 64))));
        }));
    }
    let main = b.function("main", &[], None, |f| {
        let mut t = Thread::new(random, &globals, options, &[], f);
        if t.random.one_in(3) {
            t.decide();
            t.shared(arrays);
        }
        let started: Vec<RegId> = funcs.iter().map(|&func| t.start(func, 0)).collect();
        if t.random.one_in(4) {
            t.shared(arrays);
        }
        for thread in started {
            t.join_one(thread);
        }
        if t.random.one_in(3) {
            let size = t.random.pick(&[1, 2, 4]);
            let at = t.random.below(16 / size) * size;
            let address = Operand::Global(arrays.small, at as i64);
            let seen = t.body.load(address, 8 * size as u32, PLAIN);
            t.outcomes(&[(seen, 4)]);
        }
        t.results(funcs.len());
    });
    b.finish(main)
}

impl Thread<'_, '_> {
    /// `base + (v & 3) * stride + shift`.
    fn indexed(&mut self, base: Operand, stride: u64, shift: u64) -> Operand {
        let v = Operand::Reg(self.var());
        let index = self.body.binary(BinOp::And, v, c(3, 32));
        let wide = Operand::Reg(self.body.resize(Operand::Reg(index), 64, false));
        let offset = self.body.binary(BinOp::Mul, wide, c(u128::from(stride), 64));
        let offset = self.body.binary(BinOp::Add, Operand::Reg(offset), c(u128::from(shift), 64));
        Operand::Reg(self.body.compute(Expr::Offset { base, offset: Operand::Reg(offset) }, 64))
    }

    fn read_or_write(&mut self, Cell { address, width }: Cell) {
        if self.random.one_in(2) {
            let r = self.body.load(address, width, ATOMIC);
            // Bytes that are not the lowest tell parts of accesses apart.
            let shift = 8 * self.random.below(u64::from(width / 8));
            let part = self.body.binary(BinOp::LShr, Operand::Reg(r), c(shift.into(), width));
            self.keep(part);
        } else {
            let pattern = c(0x0102_0301 ^ (self.small() << 8), width);
            let value = if self.random.one_in(2) { self.value(width) } else { pattern };
            self.body.store(address, value, ATOMIC);
        }
    }

    fn shared(&mut self, arrays: Arrays) {
        let base = Operand::Global(arrays.small, 0);
        let width = self.random.pick(&[8, 8, 16, 32]);
        let bytes = u64::from(width / 8);
        let first = if arrays.about_pointers { 5 } else { 0 };
        match first + self.random.below(12 - first) {
            0..=3 => {
                let stride = self.random.pick(&[1, 1, 2, 4]);
                let shift = self.random.below(17 - bytes - 3 * stride).min(3);
                let address = self.indexed(base, stride, shift);
                self.read_or_write(Cell { address, width });
            }
            4 | 5 => {
                let at = self.random.below(8) as i64;
                self.read_or_write(Cell { address: Operand::Global(arrays.small, at), width });
            }
            6 => {
                let base = Operand::Global(arrays.large, 0);
                let shift = self.random.below(3);
                let address = match self.random.one_in(3) {
                    true => Operand::Global(arrays.large, 64 * self.random.below(4) as i64 + 1),
                    false => self.indexed(base, 64, shift),
                };
                self.read_or_write(Cell { address, width });
            }
            7 | 8 => {
                let place = self.pointer_place(arrays);
                let to = match self.random.below(3) {
                    0 => self.indexed(base, 1, 0),
                    n => {
                        Operand::Global(arrays.targets[n as usize - 1], self.random.below(2) as i64)
                    }
                };
                self.body.store(place, to, ATOMIC);
            }
            _ => {
                let place = self.pointer_place(arrays);
                let address = Operand::Reg(self.body.load(place, 64, ATOMIC));
                let width = self.random.pick(&[8, 8, 16]);
                self.read_or_write(Cell { address, width });
            }
        }
    }

    /// A known or unknown element of the array of pointers.
    fn pointer_place(&mut self, arrays: Arrays) -> Operand {
        if self.random.one_in(2) {
            Operand::Global(arrays.pointers, 8 * self.random.below(4) as i64)
        } else {
            self.indexed(Operand::Global(arrays.pointers, 0), 8, 0)
        }
    }

    /// A write at an unknown index of the thread's own array, and a read elsewhere in it.
    fn private(&mut self, array: RegId) {
        let base = Operand::Reg(array);
        let (wide, narrow) = (self.random.pick(&[8, 16]), self.random.pick(&[8, 16]));
        let stride = self.random.pick(&[1, 1, 2]);
        let address = self.indexed(base, stride, 0);
        let value = self.value(wide);
        self.body.store(address, value, PLAIN);
        let address = match self.random.one_in(2) {
            true => self.indexed(base, 1, 1),
            false => {
                let offset = c(self.small(), 64);
                Operand::Reg(self.body.compute(Expr::Offset { base, offset }, 64))
            }
        };
        let r = self.body.load(address, narrow, PLAIN);
        let some = self.body.compare(CmpOp::Ne, Operand::Reg(r), c(0, narrow));
        let seen = if self.random.one_in(3) { some } else { r };
        self.keep(seen);
    }
}
