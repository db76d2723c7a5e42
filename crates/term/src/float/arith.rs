//! Sums, products and quotients.
//!
//! Idea: each operation computes the exact result of finite operands, or enough of its bits and
//! whether more follow, and rounds once; then special operands choose another result. Zeros need no
//! case of their own except for the sign of a sum.
//! A sum takes the operand of greater magnitude first, so differences are never negative, and
//! orders the operands by term before: `a - b` and `b - a` share everything but the sign.

use super::{Finite, Format, Parts, is_zero, round};
use crate::node::TermId;
use crate::pool::Terms;
use crate::rules::lift;
use crate::semantics::mask;

impl Format {
    /// `a + b`
    pub fn add(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        if let Some(known) = self.by_machine(t, [a, b], |x, y| x + y, |x, y| x + y) {
            return known;
        }
        if let Some(lifted) = lift::over_choices(t, a, b, |t, x, y| self.add(t, x, y)) {
            return lifted;
        }
        self.sum(t, [a, b], false)
    }

    /// `a - b`
    pub fn sub(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        if let Some(known) = self.by_machine(t, [a, b], |x, y| x - y, |x, y| x - y) {
            return known;
        }
        if let Some(lifted) = lift::over_choices(t, a, b, |t, x, y| self.sub(t, x, y)) {
            return lifted;
        }
        self.sum(t, [a, b], true)
    }

    /// `a · b`
    pub fn mul(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        if let Some(known) = self.by_machine(t, [a, b], |x, y| x * y, |x, y| x * y) {
            return known;
        }
        if let Some(lifted) = lift::over_choices(t, a, b, |t, x, y| self.mul(t, x, y)) {
            return lifted;
        }
        let (x, y) = (self.parts(t, a), self.parts(t, b));
        let negative = t.xor(x.negative, y.negative);
        let finite = self.product(t, negative, x.magnitude, y.magnitude);

        let infinite = t.or(x.is_infinite, y.is_infinite);
        let zero = t.or(x.is_zero, y.is_zero);
        let infinity = self.infinity(t);
        let infinity = t.concat(negative, infinity);
        let result = t.ite(infinite, infinity, finite);
        let invalid = t.and(infinite, zero);
        self.unless_nan(t, [a, b], [x, y], invalid, result)
    }

    /// `a / b`
    pub fn div(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        if let Some(known) = self.by_machine(t, [a, b], |x, y| x / y, |x, y| x / y) {
            return known;
        }
        if let Some(reciprocal) = self.reciprocal_of_power(t, b) {
            return self.mul(t, a, reciprocal);
        }
        if let Some(lifted) = lift::over_choices(t, a, b, |t, x, y| self.div(t, x, y)) {
            return lifted;
        }
        let (x, y) = (self.parts(t, a), self.parts(t, b));
        let negative = t.xor(x.negative, y.negative);
        let finite = self.quotient(t, negative, x.magnitude, y.magnitude);

        let infinity = self.infinity(t);
        let (infinity, zero) = (t.concat(negative, infinity), t.constant(0, self.width() - 1));
        let zero = t.concat(negative, zero);
        let result = t.ite(y.is_infinite, zero, finite);
        let infinite = t.or(x.is_infinite, y.is_zero);
        let result = t.ite(infinite, infinity, result);
        let (infinities, zeros) =
            (t.and(x.is_infinite, y.is_infinite), t.and(x.is_zero, y.is_zero));
        let invalid = t.or(infinities, zeros);
        self.unless_nan(t, [a, b], [x, y], invalid, result)
    }

    /// `a + b`, or `a - b` if `negate`. A NaN is taken from the operands as they are.
    fn sum(self, t: &mut Terms, [a, b]: [TermId; 2], negate: bool) -> TermId {
        let (x, y) = (self.parts(t, a), self.parts(t, b));
        let y_negative = if negate { t.not(y.negative) } else { y.negative };
        let (first, second) = ((x.magnitude, x.negative), (y.magnitude, y_negative));
        let (first, second) = if first <= second { (first, second) } else { (second, first) };
        let swap = t.ult(first.0, second.0);
        let greater = t.ite(swap, second.0, first.0);
        let lesser = t.ite(swap, first.0, second.0);
        let greater_negative = t.ite(swap, second.1, first.1);

        let differ = t.xor(x.negative, y_negative);
        let both_negative = t.and(x.negative, y_negative);
        let finite = self.sum_of_magnitudes(t, [greater, lesser], differ);
        let nothing = is_zero(t, finite.significand);
        let negative = t.ite(nothing, both_negative, greater_negative);
        let finite = self.pack(t, negative, finite);

        let infinite = t.or(x.is_infinite, y.is_infinite);
        let infinity = self.infinity(t);
        let infinity = t.concat(greater_negative, infinity);
        let result = t.ite(infinite, infinity, finite);
        let invalid = t.and_all(&[x.is_infinite, y.is_infinite, differ]);
        self.unless_nan(t, [a, b], [x, y], invalid, result)
    }

    /// The sum, or the difference if `subtract`, of two magnitudes, the greater first.
    fn sum_of_magnitudes(
        self,
        t: &mut Terms,
        [greater, lesser]: [TermId; 2],
        subtract: TermId,
    ) -> Finite {
        let (greater, lesser) = (self.finite(t, greater), self.finite(t, lesser));
        // With three more bits, the last of them sticky, a difference rounds as the exact one does:
        // if more than one bit is lost, the operands are so far apart that the result loses one
        // leading bit at most.
        let zeros = t.constant(0, 3);
        let distance = t.sub(greater.exponent, lesser.exponent);
        let lesser = t.concat(lesser.significand, zeros);
        let lesser = round::shift_right(t, lesser, distance);
        let width = self.significand + 4;
        let lesser = t.zext(lesser, width);
        let complement = t.sext(subtract, width);
        let lesser = t.xor(lesser, complement);
        // One more bit below: its carry completes the negation.
        let upper = t.concat(greater.significand, zeros);
        let upper = t.zext(upper, width);
        let (upper, lesser) = (t.concat(upper, subtract), t.concat(lesser, subtract));
        let sum = t.add(upper, lesser);
        let significand = t.extract(sum, width, 1);
        let one = t.constant(1, self.exponent_width());
        let exponent = t.add(greater.exponent, one);
        round::normalise(t, Finite { exponent, significand }, Some(1))
    }

    /// The product of finite magnitudes.
    fn product(self, t: &mut Terms, negative: TermId, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.normal(t, a), self.normal(t, b));
        let width = 2 * self.significand;
        let (p, q) = (t.zext(x.significand, width), t.zext(y.significand, width));
        let product = t.mul(p, q);
        let bias = t.constant(self.bias() - 1, self.exponent_width());
        let exponent = t.add(x.exponent, y.exponent);
        let exponent = t.sub(exponent, bias);
        let value = one_step(t, Finite { exponent, significand: product });
        self.round(t, negative, value)
    }

    /// The quotient of finite magnitudes, the second not zero: one bit after the other, as at
    /// school.
    fn quotient(self, t: &mut Terms, negative: TermId, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.normal(t, a), self.normal(t, b));
        let width = self.significand + 1;
        let divisor = t.zext(y.significand, width);
        let mut remainder = t.zext(x.significand, width);
        // The quotient lies between 1/2 and 2; one bit may be a leading zero, one decides the
        // rounding.
        let mut digits = Vec::new();
        let zero = t.constant(0, 1);
        for _digit in 0..self.significand + 2 {
            let digit = t.ule(divisor, remainder);
            let difference = t.sub(remainder, divisor);
            let rest = t.ite(digit, difference, remainder);
            digits.push(digit);
            // Below the divisor, so the highest bit is 0.
            let rest = t.extract(rest, width - 2, 0);
            remainder = t.concat(rest, zero);
        }
        let exact = is_zero(t, remainder);
        let sticky = t.not(exact);
        let significand = digits.iter().rev().fold(sticky, |low, &digit| t.concat(digit, low));
        let bias = t.constant(self.bias(), self.exponent_width());
        let exponent = t.sub(x.exponent, y.exponent);
        let exponent = t.add(exponent, bias);
        let value = one_step(t, Finite { exponent, significand });
        self.round(t, negative, value)
    }

    /// `1 / b` for a constant power of two, if that is a normal number: then `a / b` is exactly
    /// `a · (1 / b)`.
    fn reciprocal_of_power(self, t: &mut Terms, b: TermId) -> Option<TermId> {
        let k = t.as_const(b)?;
        let field = k >> (self.significand - 1) & mask(self.exponent);
        let opposite = (2 * self.bias()).checked_sub(field)?;
        let is_power = k & mask(self.significand - 1) == 0;
        if !is_power || field == 0 || opposite == 0 {
            return None;
        }
        let sign = k >> (self.width() - 1) << self.exponent;
        Some(t.constant((sign | opposite) << (self.significand - 1), self.width()))
    }

    /// The result, unless an operand is NaN or the operation is invalid.
    fn unless_nan(
        self,
        t: &mut Terms,
        [a, b]: [TermId; 2],
        [x, y]: [Parts; 2],
        invalid: TermId,
        result: TermId,
    ) -> TermId {
        let nan = self.nan(t);
        let result = t.ite(invalid, nan, result);
        let (quiet_a, quiet_b) = (self.quiet(t, a), self.quiet(t, b));
        let result = t.ite(y.is_nan, quiet_b, result);
        t.ite(x.is_nan, quiet_a, result)
    }
}

/// Shifts by one bit if the highest is 0.
fn one_step(t: &mut Terms, value: Finite) -> Finite {
    let leading = t.sign(value.significand);
    let (width, zero) = (t.width(value.significand), t.constant(0, 1));
    let rest = t.extract(value.significand, width - 2, 0);
    let moved = t.concat(rest, zero);
    let one = t.constant(1, t.width(value.exponent));
    let lower = t.sub(value.exponent, one);
    Finite {
        exponent: t.ite(leading, value.exponent, lower),
        significand: t.ite(leading, value.significand, moved),
    }
}
