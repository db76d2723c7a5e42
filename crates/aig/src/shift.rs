//! Shifts by a variable amount: a barrel of choices.
//!
//! Idea: stage s shifts by 2^s if bit s of the amount is set; the stages with 2^s below the width
//! suffice, any higher bit of the amount moves everything out.

use crate::gates::Gates;

/// Shifts of vectors.
pub(crate) trait Shifts: Gates {
    /// `a >> amount` with `fill` moved in from above.
    fn shift_right(
        &mut self,
        a: &[Self::Lit],
        amount: &[Self::Lit],
        fill: Self::Lit,
    ) -> Vec<Self::Lit> {
        let width = a.len();
        let mut result = a.to_vec();
        let stages = (0..width).take_while(|&stage| 1 << stage < width).count();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let distance = 1usize << stage;
            result = (0..width)
                .map(|i| {
                    let moved = result.get(i + distance).copied().unwrap_or(fill);
                    self.ite(bit, moved, result[i])
                })
                .collect();
        }
        let all_out = self.or_many(&amount[stages..]);
        result.iter().map(|&bit| self.ite(all_out, fill, bit)).collect()
    }

    /// `a << amount`: the right shift of the reversed vector.
    fn shift_left(&mut self, a: &[Self::Lit], amount: &[Self::Lit]) -> Vec<Self::Lit> {
        let reversed: Vec<Self::Lit> = a.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, amount, self.fals());
        result.reverse();
        result
    }
}

impl<G: Gates + ?Sized> Shifts for G {}
