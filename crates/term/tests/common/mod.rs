//! Random terms, built the same way in several pools.

#![allow(dead_code, reason = "each test file uses a part of this")]

use raddle_term::{TermId, Terms};
use raddle_testkit::Random;

pub type Unary = fn(&mut Terms, TermId) -> TermId;
pub type Binary = fn(&mut Terms, TermId, TermId) -> TermId;

pub const UNARY: &[(&str, Unary)] =
    &[("not", Terms::not), ("neg", Terms::neg), ("sign", Terms::sign)];

/// All constructors of two arguments of one width.
pub const BINARY: &[(&str, Binary)] = &[
    ("and", Terms::and),
    ("or", Terms::or),
    ("xor", Terms::xor),
    ("implies", Terms::implies),
    ("iff", Terms::iff),
    ("eq", Terms::eq),
    ("ne", Terms::ne),
    ("ult", Terms::ult),
    ("ule", Terms::ule),
    ("ugt", Terms::ugt),
    ("uge", Terms::uge),
    ("slt", Terms::slt),
    ("sle", Terms::sle),
    ("sgt", Terms::sgt),
    ("sge", Terms::sge),
    ("add", Terms::add),
    ("sub", Terms::sub),
    ("mul", Terms::mul),
    ("udiv", Terms::udiv),
    ("urem", Terms::urem),
    ("sdiv", Terms::sdiv),
    ("srem", Terms::srem),
    ("shl", Terms::shl),
    ("lshr", Terms::lshr),
    ("ashr", Terms::ashr),
    ("add_overflow_signed", Terms::add_overflow_signed),
    ("sub_overflow_signed", Terms::sub_overflow_signed),
    ("mul_overflow_signed", Terms::mul_overflow_signed),
    ("add_overflow_unsigned", Terms::add_overflow_unsigned),
    ("sub_overflow_unsigned", Terms::sub_overflow_unsigned),
    ("mul_overflow_unsigned", Terms::mul_overflow_unsigned),
];

/// One term in each of two pools, equal in meaning.
#[derive(Clone, Copy)]
pub struct Pair {
    pub raw: TermId,
    pub new: TermId,
    pub width: u32,
}

/// Two pools that get the same constructor calls, one with and one without rewriting.
pub struct Twins {
    pub raw: Terms,
    pub new: Terms,
    pub terms: Vec<Pair>,
}

impl Twins {
    /// Pools with one variable of each given width.
    pub fn new(widths: &[u32]) -> Self {
        let mut twins = Twins { raw: Terms::raw(), new: Terms::new(), terms: Vec::new() };
        for &width in widths {
            twins.both(|t| t.fresh(width));
        }
        twins
    }

    fn both(&mut self, f: impl Fn(&mut Terms) -> TermId) {
        let (raw, new) = (f(&mut self.raw), f(&mut self.new));
        self.push(raw, new);
    }

    fn push(&mut self, raw: TermId, new: TermId) {
        let width = self.raw.width(raw);
        assert_eq!(width, self.new.width(new), "rewriting changed a width");
        self.terms.push(Pair { raw, new, width });
    }

    pub fn unary(&mut self, a: Pair, f: impl Fn(&mut Terms, TermId) -> TermId) {
        let (raw, new) = (f(&mut self.raw, a.raw), f(&mut self.new, a.new));
        self.push(raw, new);
    }

    pub fn binary(&mut self, a: Pair, b: Pair, f: impl Fn(&mut Terms, TermId, TermId) -> TermId) {
        let (raw, new) = (f(&mut self.raw, a.raw, b.raw), f(&mut self.new, a.new, b.new));
        self.push(raw, new);
    }

    /// A known term of the width, a new constant, or a known term brought to the width.
    fn pick(&mut self, random: &mut Random, width: u32) -> Pair {
        if random.index(4) == 0 {
            let k = random.value();
            self.both(|t| t.constant(k, width));
            return self.terms[self.terms.len() - 1];
        }
        // Recent terms, so that terms get deep.
        let start = self.terms.len() - random.index(self.terms.len().min(24)) - 1;
        let found = (0..=start).rev().map(|i| self.terms[i]).find(|p| p.width == width);
        if let Some(pair) = found.filter(|_pair| random.index(8) != 0) {
            return pair;
        }
        let a = self.terms[start];
        if a.width > width {
            let low = random.index((a.width - width) as usize + 1) as u32;
            self.unary(a, |t, x| t.extract(x, low + width - 1, low));
        } else if random.index(2) == 0 {
            self.unary(a, |t, x| t.zext(x, width));
        } else {
            self.unary(a, |t, x| t.sext(x, width));
        }
        self.terms[self.terms.len() - 1]
    }

    /// The term added last.
    pub fn last(&self) -> Pair {
        self.terms[self.terms.len() - 1]
    }

    /// One step of a random walk over guards: a branch on a variable, or a join, or both guards at
    /// once.
    pub fn guard_step(&mut self, random: &mut Random, variables: usize) {
        let recent = self.terms.len().min(10);
        let [a, b] = [0, 1].map(|_i| self.terms[self.terms.len() - 1 - random.index(recent)]);
        let condition = self.terms[random.index(variables)];
        match random.index(7) {
            0..3 => {
                self.binary(a, condition, Terms::and);
                self.unary(condition, Terms::not);
                let otherwise = self.last();
                self.binary(a, otherwise, Terms::and);
            }
            3..6 => self.binary(a, b, Terms::or),
            _six => self.binary(a, b, [Terms::and as Binary, Terms::xor][random.index(2)]),
        }
    }

    /// Adds one random term, and what it needs.
    pub fn step(&mut self, random: &mut Random, widths: &[u32]) {
        let width = widths[random.index(widths.len())];
        match random.index(12) {
            0 | 1 => {
                let a = self.pick(random, width);
                let (_name, f) = UNARY[random.index(UNARY.len())];
                self.unary(a, f);
            }
            2 | 3 => {
                let (c, a, b) =
                    (self.pick(random, 1), self.pick(random, width), self.pick(random, width));
                let raw = self.raw.ite(c.raw, a.raw, b.raw);
                let new = self.new.ite(c.new, a.new, b.new);
                self.push(raw, new);
            }
            4 => {
                let a = self.pick(random, width);
                let other = widths[random.index(widths.len())];
                let b = self.pick(random, other);
                if a.width + b.width <= 128 {
                    self.binary(a, b, Terms::concat);
                }
            }
            5 => {
                // Guards: chains of Booleans and their joins.
                let (a, b) = (self.pick(random, 1), self.pick(random, 1));
                let f = [Terms::and as Binary, Terms::or, Terms::xor][random.index(3)];
                self.binary(a, b, f);
            }
            _other => {
                let (a, b) = (self.pick(random, width), self.pick(random, width));
                let (_name, f) = BINARY[random.index(BINARY.len())];
                self.binary(a, b, f);
            }
        }
    }
}
