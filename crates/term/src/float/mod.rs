//! IEEE 754 arithmetic as terms over the encodings, rounded to nearest, ties to even.
//!
//! Idea: a floating-point value is the vector of its encoding; an operation takes encodings apart,
//! computes with integers on significands and exponents, rounds and packs. No operation of its own
//! is added to the terms, so rules, evaluator and bit-blaster know nothing of floats, and constants
//! fold. An operation on choices between constants is the choice between its results
//! (`lift::over_choices`): a sum costs over a thousand gates, a constant none.
//! NaN: an operation on a NaN gives the first operand that is one, with its quiet bit set; an
//! operation that has no result otherwise gives the positive quiet NaN without payload. Signs of
//! NaNs are never changed by arithmetic.
//! Source: the standard; the circuits are those of Brain, Schanda and Sun, "Building better
//! bit-blasting for floating-point problems" (TACAS 2019), without their unpacked intermediate
//! form: values here live in memory as encodings.
//! Limits: binary formats whose product of significands fits into a term, so not quadruple
//! precision; no remainder, no square root.
//! Elsewhere: `round.rs` (shifting and rounding), `arith.rs` (sum, product, quotient), `convert.rs`
//! (other formats and integers), `machine.rs` (constants).

mod arith;
mod convert;
mod machine;
mod round;

use crate::node::TermId;
use crate::pool::Terms;
use crate::rules::lift;
use crate::semantics::mask;

/// A binary interchange format: sign, biased exponent, and a significand without its leading bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    exponent: u32,
    significand: u32,
}

/// A set of relations between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relations {
    /// The first is less.
    pub less: bool,
    /// They are equal.
    pub equal: bool,
    /// The first is greater.
    pub greater: bool,
    /// One is NaN.
    pub unordered: bool,
}

/// An encoding taken apart.
#[derive(Clone, Copy)]
struct Parts {
    /// The sign bit.
    negative: TermId,
    /// All bits but the sign: finite values and infinities are ordered by it.
    magnitude: TermId,
    is_zero: TermId,
    is_infinite: TermId,
    is_nan: TermId,
}

/// A finite value: `significand · 2^exponent` up to a constant factor of the format.
#[derive(Clone, Copy)]
struct Finite {
    /// As in the encoding, but 1 for subnormal values, or less once they are normalised; signed.
    exponent: TermId,
    /// With the leading bit.
    significand: TermId,
}

impl Format {
    /// 16 bits.
    pub const HALF: Format = Format::new(5, 11);
    /// 32 bits.
    pub const SINGLE: Format = Format::new(8, 24);
    /// 64 bits.
    pub const DOUBLE: Format = Format::new(11, 53);

    /// The format with so many bits of exponent and of significand, the leading bit of the latter
    /// counted.
    pub const fn new(exponent: u32, significand: u32) -> Format {
        assert!(exponent >= 2 && significand >= 2, "room for every class of values");
        assert!(significand <= 1 << exponent, "exponents stay in their width when normalised");
        assert!(2 * significand <= 128 && exponent < 32, "products fit into a term");
        Format { exponent, significand }
    }

    /// Bits of an encoding.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The opposite, of NaNs as well.
    pub fn neg(self, t: &mut Terms, a: TermId) -> TermId {
        let sign = t.constant(1 << (self.width() - 1), self.width());
        t.xor(a, sign)
    }

    /// The value without its sign, of NaNs as well.
    pub fn abs(self, t: &mut Terms, a: TermId) -> TermId {
        let rest = t.constant(mask(self.width() - 1), self.width());
        t.and(a, rest)
    }

    /// The value of `a` with the sign of `b`.
    pub fn copy_sign(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (magnitude, sign) = (t.extract(a, self.width() - 2, 0), t.sign(b));
        t.concat(sign, magnitude)
    }

    /// Whether the operands are in one of the relations.
    pub fn compare(self, t: &mut Terms, a: TermId, b: TermId, wanted: Relations) -> TermId {
        if let Some(known) = self.compare_by_machine(t, [a, b], wanted) {
            return known;
        }
        if let Some(lifted) = lift::over_choices(t, a, b, |t, x, y| self.compare(t, x, y, wanted)) {
            return lifted;
        }
        let (x, y) = (self.parts(t, a), self.parts(t, b));
        let unordered = t.or(x.is_nan, y.is_nan);
        let zeros = t.and(x.is_zero, y.is_zero);
        let same = t.eq(a, b);
        let equal = t.or(same, zeros);
        // Encodings of one sign are ordered as numbers, those of negative values the other way
        // round.
        let below = t.ult(a, b);
        let above = t.not(below);
        let of_one_sign = t.ite(x.negative, above, below);
        let signs_differ = t.xor(x.negative, y.negative);
        let less = t.ite(signs_differ, x.negative, of_one_sign);
        let [when_less, when_equal, when_greater, when_unordered] =
            [wanted.less, wanted.equal, wanted.greater, wanted.unordered]
                .map(|holds| t.bool(holds));
        let strict = t.ite(less, when_less, when_greater);
        let ordered = t.ite(equal, when_equal, strict);
        t.ite(unordered, when_unordered, ordered)
    }

    /// The lesser value; the other one if one is NaN; the first if they are equal.
    pub fn min(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        let less = Relations { less: true, equal: false, greater: false, unordered: false };
        let second = self.compare(t, b, a, less);
        self.choose_number(t, a, b, second)
    }

    /// The greater value; the other one if one is NaN; the first if they are equal.
    pub fn max(self, t: &mut Terms, a: TermId, b: TermId) -> TermId {
        let less = Relations { less: true, equal: false, greater: false, unordered: false };
        let second = self.compare(t, a, b, less);
        self.choose_number(t, a, b, second)
    }

    fn choose_number(self, t: &mut Terms, a: TermId, b: TermId, second: TermId) -> TermId {
        let first_is_nan = self.parts(t, a).is_nan;
        let second = t.or(first_is_nan, second);
        t.ite(second, b, a)
    }

    fn parts(self, t: &mut Terms, a: TermId) -> Parts {
        assert_eq!(t.width(a), self.width(), "an encoding of the format");
        let magnitude = t.extract(a, self.width() - 2, 0);
        let (field, fraction) = self.field_and_fraction(t, magnitude);
        let (no_field, no_fraction) = (is_zero(t, field), is_zero(t, fraction));
        let largest = t.ones(self.exponent);
        let is_special = t.eq(field, largest);
        let some_fraction = t.not(no_fraction);
        Parts {
            negative: t.sign(a),
            magnitude,
            is_zero: t.and(no_field, no_fraction),
            is_infinite: t.and(is_special, no_fraction),
            is_nan: t.and(is_special, some_fraction),
        }
    }

    fn field_and_fraction(self, t: &mut Terms, magnitude: TermId) -> (TermId, TermId) {
        let field = t.extract(magnitude, self.width() - 2, self.significand - 1);
        (field, t.extract(magnitude, self.significand - 2, 0))
    }

    /// The finite value of a magnitude.
    fn finite(self, t: &mut Terms, magnitude: TermId) -> Finite {
        let (field, fraction) = self.field_and_fraction(t, magnitude);
        let is_subnormal = is_zero(t, field);
        let leading = t.not(is_subnormal);
        let one = t.constant(1, self.exponent);
        let exponent = t.ite(is_subnormal, one, field);
        Finite {
            exponent: t.zext(exponent, self.exponent_width()),
            significand: t.concat(leading, fraction),
        }
    }

    /// The finite value of a magnitude, with the leading bit set unless the value is zero.
    fn normal(self, t: &mut Terms, magnitude: TermId) -> Finite {
        let value = self.finite(t, magnitude);
        round::normalise(t, value, None)
    }

    /// Bits for signed exponents: of normalised values, of their sums and differences, and some
    /// steps beyond.
    fn exponent_width(self) -> u32 {
        self.exponent + 3
    }

    fn bias(self) -> u128 {
        mask(self.exponent - 1)
    }

    /// The magnitude of infinity.
    fn infinity(self, t: &mut Terms) -> TermId {
        t.constant(mask(self.exponent) << (self.significand - 1), self.width() - 1)
    }

    /// The NaN of operations without a result.
    fn nan(self, t: &mut Terms) -> TermId {
        t.constant(mask(self.exponent + 1) << (self.significand - 2), self.width())
    }

    /// `a`, a NaN, with its quiet bit set.
    fn quiet(self, t: &mut Terms, a: TermId) -> TermId {
        let bit = t.constant(1 << (self.significand - 2), self.width());
        t.or(a, bit)
    }
}

/// Whether no bit is set.
fn is_zero(t: &mut Terms, a: TermId) -> TermId {
    let zero = t.constant(0, t.width(a));
    t.eq(a, zero)
}
