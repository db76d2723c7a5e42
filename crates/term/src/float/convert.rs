//! Conversions between formats, and from and to integers.

use super::{Finite, Format, is_zero, round};
use crate::node::TermId;
use crate::pool::Terms;
use crate::rules::lift;

impl Format {
    /// The value of `a`, of format `from`, in this format. The payload of a NaN keeps its upper
    /// bits.
    pub fn from_format(self, t: &mut Terms, from: Format, a: TermId) -> TermId {
        if self == from {
            return a;
        }
        if let Some(known) = self.convert_by_machine(t, from, a) {
            return known;
        }
        if let Some(lifted) = lift::over_tree(t, a, |t, x| self.from_format(t, from, x)) {
            return lifted;
        }
        let x = from.parts(t, a);
        let finite = if self.exponent > from.exponent {
            self.widen(t, from, x.negative, x.magnitude)
        } else {
            self.narrow(t, from, x.negative, x.magnitude)
        };
        let infinity = self.infinity(t);
        let infinity = t.concat(x.negative, infinity);
        let result = t.ite(x.is_infinite, infinity, finite);
        let nan = self.nan_from(t, from, a);
        t.ite(x.is_nan, nan, result)
    }

    /// The NaN of another format.
    fn nan_from(self, t: &mut Terms, from: Format, a: TermId) -> TermId {
        let (own, other) = (self.significand, from.significand);
        let payload = t.extract(a, other - 2, other.saturating_sub(own));
        let fraction = if own > other {
            let zeros = t.constant(0, own - other);
            t.concat(payload, zeros)
        } else {
            payload
        };
        let (negative, field) = (t.sign(a), t.ones(self.exponent));
        let upper = t.concat(negative, field);
        let nan = t.concat(upper, fraction);
        self.quiet(t, nan)
    }

    /// To a format in which all values of the other are normal numbers.
    fn widen(self, t: &mut Terms, from: Format, negative: TermId, magnitude: TermId) -> TermId {
        assert!(
            self.significand >= from.significand
                && self.bias() > from.bias() + u128::from(from.significand),
            "every value has a normal encoding"
        );
        let value = from.normal(t, magnitude);
        let value = self.rebias(t, from, value);
        self.pack(t, negative, value)
    }

    /// To a format in which all subnormal values of the other are rounded to zero: they need no
    /// normalisation.
    fn narrow(self, t: &mut Terms, from: Format, negative: TermId, magnitude: TermId) -> TermId {
        assert!(
            from.significand > self.significand
                && from.bias() > self.bias() + u128::from(self.significand) + 2,
            "subnormal values vanish"
        );
        let value = from.finite(t, magnitude);
        let value = self.rebias(t, from, value);
        self.round(t, negative, value)
    }

    fn rebias(self, t: &mut Terms, from: Format, value: Finite) -> Finite {
        let width = self.exponent_width().max(from.exponent_width());
        let difference = t.constant(self.bias().wrapping_sub(from.bias()), width);
        let exponent = t.sext(value.exponent, width);
        Finite { exponent: t.add(exponent, difference), ..value }
    }

    /// The value nearest to an integer.
    pub fn from_int(self, t: &mut Terms, a: TermId, is_signed: bool) -> TermId {
        if let Some(known) = self.convert_int_by_machine(t, a, is_signed) {
            return known;
        }
        if let Some(lifted) = lift::over_tree(t, a, |t, x| self.from_int(t, x, is_signed)) {
            return lifted;
        }
        let (negative, significand) = if is_signed {
            let (sign, opposite) = (t.sign(a), t.neg(a));
            (sign, t.ite(sign, opposite, a))
        } else {
            (t.fals(), a)
        };
        // Nine bits hold the position of the leading bit.
        let exponent_width = self.exponent_width() + 9;
        let highest = self.bias() + u128::from(t.width(a) - 1);
        let exponent = t.constant(highest, exponent_width);
        let value = round::normalise(t, Finite { exponent, significand }, None);
        self.pack(t, negative, value)
    }

    /// The integer next to `a` toward zero; 0 if it is not one of the width.
    pub fn to_int(self, t: &mut Terms, a: TermId, is_signed: bool, width: u32) -> TermId {
        if let Some(lifted) = lift::over_tree(t, a, |t, x| self.to_int(t, x, is_signed, width)) {
            return lifted;
        }
        let x = self.parts(t, a);
        let value = self.finite(t, x.magnitude);
        let exponent_width = self.exponent_width() + 9;
        let exponent = t.zext(value.exponent, exponent_width);

        // 2^(exponent - bias) is the weight of the leading bit.
        let limit = t.constant(self.bias() + u128::from(width), exponent_width);
        let in_width = t.slt(exponent, limit);
        let magnitude = self.integer_part(t, value.significand, exponent, width);
        let none = is_zero(t, magnitude);
        let fits = if is_signed {
            let least = t.constant(1 << (width - 1), width);
            let is_least = t.eq(magnitude, least);
            let is_least = t.and(is_least, x.negative);
            let top = t.sign(magnitude);
            let is_small = t.not(top);
            t.or(is_small, is_least)
        } else {
            let positive = t.not(x.negative);
            t.or(positive, none)
        };
        let special = t.or(x.is_nan, x.is_infinite);
        let finite = t.not(special);
        let valid = t.and_all(&[finite, in_width, fits]);
        let opposite = t.neg(magnitude);
        let result = t.ite(x.negative, opposite, magnitude);
        let zero = t.constant(0, width);
        t.ite(valid, result, zero)
    }

    /// The integer part of a finite magnitude, modulo 2^width.
    fn integer_part(
        self,
        t: &mut Terms,
        significand: TermId,
        exponent: TermId,
        width: u32,
    ) -> TermId {
        let exponent_width = t.width(exponent);
        let wide = width.max(self.significand).max(exponent_width);
        let significand = t.zext(significand, wide);
        // The exponent at which the lowest bit of the significand has weight 1.
        let integral = t.constant(self.bias() + u128::from(self.significand - 1), exponent_width);
        let (up, down) = (t.sub(exponent, integral), t.sub(integral, exponent));
        let (up, down) = (t.zext(up, wide), t.zext(down, wide));
        let (shifted_up, shifted_down) = (t.shl(significand, up), t.lshr(significand, down));
        let has_fraction = t.slt(exponent, integral);
        let result = t.ite(has_fraction, shifted_down, shifted_up);
        t.extract(result, width - 1, 0)
    }
}
