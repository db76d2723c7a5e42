//! Products: shift and add.
//!
//! Idea: one row per bit of one factor, added up row by row; only the bits below the width are
//! built. The factor with more constant bits gives the rows: a 0 costs nothing, a 1 no gates for
//! the row itself. A constant factor is recoded into digits -1, 0, 1 without two neighbouring
//! non-zero digits, which needs the fewest rows (canonical signed digits; Reitwiesner 1960):
//! `x * 15` is `16 x - x`.

use crate::adder::Sums;
use crate::gates::Gates;

/// Products of vectors.
pub(crate) trait Products: Sums {
    /// `a * b` modulo 2^width.
    fn multiply(&mut self, a: &[Self::Lit], b: &[Self::Lit]) -> Vec<Self::Lit> {
        let constants =
            |x: &[Self::Lit]| x.iter().filter(|&&bit| self.as_constant(bit).is_some()).count();
        let (shifted, rows) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let values: Option<Vec<bool>> = rows.iter().map(|&bit| self.as_constant(bit)).collect();
        match values {
            Some(digits) => self.multiply_by_constant(shifted, &signed_digits(&digits)),
            None => self.multiply_rows(shifted, rows),
        }
    }

    fn multiply_rows(&mut self, shifted: &[Self::Lit], rows: &[Self::Lit]) -> Vec<Self::Lit> {
        let width = shifted.len();
        let mut product = vec![self.fals(); width];
        for (i, &bit) in rows.iter().enumerate() {
            if self.as_constant(bit) == Some(false) {
                continue;
            }
            let row: Vec<Self::Lit> =
                shifted[..width - i].iter().map(|&x| self.and(x, bit)).collect();
            let sum = self.add(&product[i..], &row, self.fals());
            product.truncate(i);
            product.extend(sum);
        }
        product
    }

    fn multiply_by_constant(&mut self, shifted: &[Self::Lit], digits: &[Digit]) -> Vec<Self::Lit> {
        let width = shifted.len();
        let mut product = vec![self.fals(); width];
        for (i, digit) in digits.iter().enumerate() {
            let row = &shifted[..width - i];
            let sum = match digit {
                Digit::Zero => continue,
                Digit::Plus => self.add(&product[i..], row, self.fals()),
                Digit::Minus => self.subtract(&product[i..], row),
            };
            product.truncate(i);
            product.extend(sum);
        }
        product
    }
}

impl<G: Gates + ?Sized> Products for G {}

/// A digit of weight 2^i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Digit {
    Minus,
    Zero,
    Plus,
}

/// The canonical signed digits of a number modulo 2^width, lowest first.
fn signed_digits(bits: &[bool]) -> Vec<Digit> {
    let mut carry = false;
    let mut digits = Vec::with_capacity(bits.len());
    for (i, &bit) in bits.iter().enumerate() {
        let odd = bit != carry;
        let next = bits.get(i + 1).copied().unwrap_or(false);
        digits.push(match (odd, next) {
            (false, _next) => Digit::Zero,
            (true, false) => Digit::Plus,
            (true, true) => Digit::Minus,
        });
        // A run of ones is the next power of two minus one.
        carry = (bit && carry) || (odd && next);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_have_the_value_of_the_bits() {
        for width in 1..=10 {
            for value in 0i64..1 << width {
                let bits: Vec<bool> = (0..width).map(|i| value >> i & 1 == 1).collect();
                let digits = signed_digits(&bits);
                let sum: i64 = digits
                    .iter()
                    .enumerate()
                    .map(|(i, digit)| match digit {
                        Digit::Minus => -(1 << i),
                        Digit::Zero => 0,
                        Digit::Plus => 1 << i,
                    })
                    .sum();
                assert_eq!(sum.rem_euclid(1 << width), value, "{digits:?}");
                let neighbours = digits.windows(2);
                assert!(neighbours.into_iter().all(|pair| pair.contains(&Digit::Zero)));
            }
        }
    }
}
