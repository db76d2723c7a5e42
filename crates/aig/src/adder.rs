//! Sums and comparisons: ripple carry over full adders.
//!
//! Idea: carries ripple from the lowest bit; a constant operand turns full adders into half adders
//! or wires by the simplification of gates. A difference is the sum with the complement and a carry
//! into the lowest bit; `a < b` is the borrow of `a - b`, one majority per bit, without the
//! difference bits. Vectors are lists of literals, lowest bit first.

use crate::gates::Gates;

/// Sums and comparisons of vectors, lowest bit first.
pub(crate) trait Sums: Gates {
    /// `a + b + carry`, without the carry out.
    fn add(&mut self, a: &[Self::Lit], b: &[Self::Lit], mut carry: Self::Lit) -> Vec<Self::Lit> {
        let last = a.len() - 1;
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if i < last {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }

    /// `a - b`
    fn subtract(&mut self, a: &[Self::Lit], b: &[Self::Lit]) -> Vec<Self::Lit> {
        let complement: Vec<Self::Lit> = b.iter().map(|&y| !y).collect();
        self.add(a, &complement, self.tru())
    }

    /// `-a`
    fn negate(&mut self, a: &[Self::Lit]) -> Vec<Self::Lit> {
        let zero = vec![self.fals(); a.len()];
        self.subtract(&zero, a)
    }

    /// Unsigned `a < b`.
    fn less(&mut self, a: &[Self::Lit], b: &[Self::Lit]) -> Self::Lit {
        let mut borrow = self.fals();
        for (&x, &y) in a.iter().zip(b) {
            borrow = self.majority(!x, y, borrow);
        }
        borrow
    }

    /// Signed `a < b`: the signs count the other way round.
    fn less_signed(&mut self, a: &[Self::Lit], b: &[Self::Lit]) -> Self::Lit {
        let top = a.len() - 1;
        let borrow = self.less(&a[..top], &b[..top]);
        self.majority(a[top], !b[top], borrow)
    }

    /// `a = b`: one conjunction of all bits.
    fn equal(&mut self, a: &[Self::Lit], b: &[Self::Lit]) -> Self::Lit {
        let same: Vec<Self::Lit> = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.and_many(&same)
    }

    /// `a` if `c`, else `b`, bit by bit.
    fn choose(&mut self, c: Self::Lit, a: &[Self::Lit], b: &[Self::Lit]) -> Vec<Self::Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.ite(c, x, y)).collect()
    }
}

impl<G: Gates + ?Sized> Sums for G {}
