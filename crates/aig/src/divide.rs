//! Quotient and remainder: the restoring division of school arithmetic.
//!
//! Idea: take the bits of the dividend from the top; shift each into the remainder, and if the
//! divisor fits, subtract it and note a 1 in the quotient. After i steps the remainder is below
//! 2^i, and below the divisor; so step i compares i bits only, and the upper bits of the divisor
//! just forbid the subtraction. With a constant divisor the remainder never has more bits than the
//! divisor. The rejected way, fresh quotient and remainder bound by `q·d + r = n`, has as many
//! gates in general, and unit propagation does not compute it from its inputs.
//! Division by zero comes out as SMT-LIB wants it: zero always fits, so the quotient is all ones
//! and nothing is subtracted from the dividend.

use crate::adder::Sums;
use crate::gates::Gates;

/// The results of a division.
#[derive(Clone)]
pub(crate) struct Division<L> {
    /// How often the divisor fits.
    pub quotient: Vec<L>,
    /// What is left.
    pub remainder: Vec<L>,
}

/// Division of vectors.
pub(crate) trait Quotients: Sums {
    fn divide(&mut self, dividend: &[Self::Lit], divisor: &[Self::Lit]) -> Division<Self::Lit> {
        let width = dividend.len();
        let some_at_or_above = self.suffix_or(divisor);
        let limit = self.constant_length(divisor).unwrap_or(width);
        let mut quotient = vec![self.fals(); width];
        let mut remainder: Vec<Self::Lit> = Vec::new();
        for step in (0..width).rev() {
            remainder.insert(0, dividend[step]);
            let length = remainder.len();
            let smaller = self.less(&remainder, &divisor[..length]);
            let too_large = some_at_or_above.get(length).copied().unwrap_or(self.fals());
            let fits = self.and(!smaller, !too_large);
            let difference = self.subtract(&remainder, &divisor[..length]);
            remainder = self.choose(fits, &difference, &remainder);
            // Below the divisor now, so the bits above it are 0.
            remainder.truncate(limit.max(1));
            quotient[step] = fits;
        }
        remainder.resize(width, self.fals());
        Division { quotient, remainder }
    }

    /// For each position, whether a bit from there upwards is set.
    fn suffix_or(&mut self, bits: &[Self::Lit]) -> Vec<Self::Lit> {
        let mut result = bits.to_vec();
        for i in (0..bits.len().saturating_sub(1)).rev() {
            result[i] = self.or(bits[i], result[i + 1]);
        }
        result
    }

    /// The number of bits of a constant divisor other than 0. For 0, remainders are not smaller.
    fn constant_length(&self, bits: &[Self::Lit]) -> Option<usize> {
        let mut length = None;
        for (i, &bit) in bits.iter().enumerate() {
            if self.as_constant(bit)? {
                length = Some(i + 1);
            }
        }
        length
    }
}

impl<G: Gates + ?Sized> Quotients for G {}
