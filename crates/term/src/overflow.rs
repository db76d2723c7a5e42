//! Overflow predicates: whether the mathematical result does not fit into the width.
//!
//! Idea: with a constant operand, overflow is a range of the other operand. Else sums look at signs
//! or the carry, and products do not build all bits: if the leading bits of the factors add up to
//! too large a power, the product overflows; if not, one more bit of the product decides.
//! Source: the leading-bit test is that of Schulte, Gok, Balzola and Brocato, "Combined unsigned
//! and two's complement saturating multipliers" (2000), which bit-vector solvers use.
//! Limits: products of width 128 have no further bit; they are checked by a division.

use crate::node::{MAX_WIDTH, TermId};
use crate::pool::Terms;
use crate::semantics::{mask, to_signed};

impl Terms {
    /// Whether the signed sum does not fit.
    pub fn add_overflow_signed(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.as_const(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if self.rewriting
            && let Some(k) = self.as_const(b)
        {
            let k = to_signed(k, width);
            let (least, greatest) = signed_bounds(width);
            return if k >= 0 {
                self.above_signed(a, greatest - k)
            } else {
                self.below_signed(a, least - k)
            };
        }
        let sum = self.add(a, b);
        let (sign_a, sign_b, sign_sum) = (self.sign(a), self.sign(b), self.sign(sum));
        let same = self.iff(sign_a, sign_b);
        let changed = self.xor(sign_a, sign_sum);
        self.and(same, changed)
    }

    /// Whether the signed difference `a - b` does not fit.
    pub fn sub_overflow_signed(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (least, greatest) = signed_bounds(width);
        if self.rewriting {
            if let Some(k) = self.as_const(b).map(|k| to_signed(k, width)) {
                return if k >= 0 {
                    self.below_signed(a, least + k)
                } else {
                    self.above_signed(a, greatest + k)
                };
            }
            if let Some(k) = self.as_const(a).map(|k| to_signed(k, width)) {
                // k - b < least or k - b > greatest; only one of the bounds is within the width.
                return if k >= 0 {
                    self.below_signed(b, k - greatest)
                } else {
                    self.above_signed(b, k - least)
                };
            }
        }
        let difference = self.sub(a, b);
        let (sign_a, sign_b, sign_difference) = (self.sign(a), self.sign(b), self.sign(difference));
        let differ = self.xor(sign_a, sign_b);
        let changed = self.xor(sign_a, sign_difference);
        self.and(differ, changed)
    }

    /// Whether the signed product does not fit.
    pub fn mul_overflow_signed(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.as_const(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if self.rewriting
            && let Some(k) = self.as_const(b)
        {
            return self.mul_overflow_signed_constant(a, to_signed(k, width));
        }
        if width == MAX_WIDTH {
            return self.mul_overflow_signed_by_division(a, b);
        }
        let (wide_a, wide_b) = (self.sext(a, width + 1), self.sext(b, width + 1));
        let product = self.mul(wide_a, wide_b);
        let (top, next) =
            (self.extract(product, width, width), self.extract(product, width - 1, width - 1));
        let next_bit = self.xor(top, next);
        if width < 3 {
            return next_bit;
        }
        let [x, y] = [a, b].map(|factor| {
            let sign = self.sign(factor);
            let signs = self.sext(sign, width);
            self.xor(factor, signs)
        });
        let leading = self.leading_bits_reach(x, y, width - 1);
        self.or(leading, next_bit)
    }

    /// Whether the unsigned sum does not fit.
    pub fn add_overflow_unsigned(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        self.ult(not_b, a)
    }

    /// Whether the unsigned difference `a - b` is negative.
    pub fn sub_overflow_unsigned(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(a, b)
    }

    /// Whether the unsigned product does not fit.
    pub fn mul_overflow_unsigned(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.as_const(a).is_some() { (b, a) } else { (a, b) };
        let width = self.width(a);
        if self.rewriting
            && let Some(k) = self.as_const(b)
        {
            let Some(limit) = mask(width).checked_div(k) else { return self.fals() };
            let limit = self.constant(limit, width);
            return self.ult(limit, a);
        }
        if width == MAX_WIDTH {
            return self.mul_overflow_unsigned_by_division(a, b);
        }
        let (wide_a, wide_b) = (self.zext(a, width + 1), self.zext(b, width + 1));
        let product = self.mul(wide_a, wide_b);
        let next_bit = self.extract(product, width, width);
        let leading = self.leading_bits_reach(a, b, width);
        self.or(leading, next_bit)
    }

    /// Whether bits `x[i]` and `y[j]` are set with `i + j >= sum`.
    fn leading_bits_reach(&mut self, x: TermId, y: TermId, sum: u32) -> TermId {
        let mut result = self.fals();
        let mut some_upper_y = self.fals();
        for i in 1..sum {
            let j = sum - i;
            let y_bit = self.extract(y, j, j);
            some_upper_y = self.or(some_upper_y, y_bit);
            let x_bit = self.extract(x, i, i);
            let both = self.and(x_bit, some_upper_y);
            result = self.or(result, both);
        }
        result
    }

    fn mul_overflow_signed_constant(&mut self, a: TermId, k: i128) -> TermId {
        let width = self.width(a);
        let (least, greatest) = signed_bounds(width);
        match k {
            0 | 1 => self.fals(),
            -1 => {
                let least = self.constant(least as u128, width);
                self.eq(a, least)
            }
            _other => {
                // Rounding to zero keeps both bounds exact.
                let (low, high) =
                    if k > 0 { (least / k, greatest / k) } else { (greatest / k, least / k) };
                let below = self.below_signed(a, low);
                let above = self.above_signed(a, high);
                self.or(below, above)
            }
        }
    }

    fn mul_overflow_unsigned_by_division(&mut self, a: TermId, b: TermId) -> TermId {
        let zero = self.constant(0, self.width(a));
        let product = self.mul(a, b);
        let quotient = self.udiv(product, a);
        let (is_factor, wrong) = (self.ne(a, zero), self.ne(quotient, b));
        self.and(is_factor, wrong)
    }

    fn mul_overflow_signed_by_division(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let product = self.mul(a, b);
        let quotient = self.sdiv(product, a);
        let (zero, minus_one) = (self.constant(0, width), self.ones(width));
        let least = self.constant(1 << (width - 1), width);
        let (is_factor, wrong) = (self.ne(a, zero), self.ne(quotient, b));
        let by_quotient = self.and(is_factor, wrong);
        // The one product whose quotient overflows as well.
        let (a_minus_one, b_least) = (self.eq(a, minus_one), self.eq(b, least));
        let exceptional = self.and(a_minus_one, b_least);
        self.or(by_quotient, exceptional)
    }

    fn below_signed(&mut self, a: TermId, bound: i128) -> TermId {
        let bound = self.constant(bound as u128, self.width(a));
        self.slt(a, bound)
    }

    fn above_signed(&mut self, a: TermId, bound: i128) -> TermId {
        let bound = self.constant(bound as u128, self.width(a));
        self.slt(bound, a)
    }
}

/// The least and the greatest signed value.
fn signed_bounds(width: u32) -> (i128, i128) {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}
