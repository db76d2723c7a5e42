//! Shifting, rounding and packing: from an exact result to an encoding.
//!
//! Idea: bits below those that are kept matter only by whether one of them is set; so they are
//! collected in the lowest bit kept ("sticky"), and two bits more than the significand, the lower
//! one sticky, decide the rounding. Exponent and fraction lie side by side in an encoding, so
//! rounding up is the increment of both as one number: a carry out of the fraction gives the next
//! exponent, out of the last one infinity.

use super::{Finite, Format, is_zero};
use crate::node::TermId;
use crate::pool::Terms;

impl Format {
    /// The encoding nearest to a value whose leading bit is set or that is zero.
    pub(super) fn round(self, t: &mut Terms, negative: TermId, value: Finite) -> TermId {
        let width = t.width(value.exponent);
        let one = t.constant(1, width);
        let is_small = t.slt(value.exponent, one);
        let excess = t.sub(one, value.exponent);
        let none = t.constant(0, width);
        let distance = t.ite(is_small, excess, none);
        let kept = collect_below(t, value.significand, self.significand + 2);
        let significand = shift_right(t, kept, distance);
        let exponent = t.ite(is_small, one, value.exponent);
        self.pack(t, negative, Finite { exponent, significand })
    }

    /// The encoding nearest to a value of exponent at least 1 whose leading bit is set, or whose
    /// exponent is 1, or that is zero.
    pub(super) fn pack(self, t: &mut Terms, negative: TermId, value: Finite) -> TermId {
        let significand = collect_below(t, value.significand, self.significand + 2);
        let top = self.significand + 1;
        let leading = t.sign(significand);
        let field = t.extract(value.exponent, self.exponent - 1, 0);
        let subnormal = t.constant(0, self.exponent);
        let field = t.ite(leading, field, subnormal);
        let fraction = t.extract(significand, top - 1, 2);
        let magnitude = t.concat(field, fraction);

        let [lowest, half, rest] = [2, 1, 0].map(|i| t.extract(significand, i, i));
        let odd_or_more = t.or(lowest, rest);
        let up = t.and(half, odd_or_more);
        let up = t.zext(up, t.width(magnitude));
        let rounded = t.add(magnitude, up);

        let largest = t.constant((1 << self.exponent) - 2, t.width(value.exponent));
        let exceeds = t.slt(largest, value.exponent);
        let overflows = t.and(leading, exceeds);
        let infinity = self.infinity(t);
        let magnitude = t.ite(overflows, infinity, rounded);
        t.concat(negative, magnitude)
    }
}

/// Shifts the leading bit to the top, but not below the least exponent, if one is given.
pub(super) fn normalise(t: &mut Terms, value: Finite, least: Option<u32>) -> Finite {
    let Finite { mut exponent, mut significand } = value;
    let (width, exponent_width) = (t.width(significand), t.width(exponent));
    let mut step = (width - 1).next_power_of_two();
    if step >= width {
        step /= 2;
    }
    // Greedily, from the longest step: the steps taken are the binary digits of the distance.
    while step > 0 {
        let top = t.extract(significand, width - 1, width - step);
        let mut moves = is_zero(t, top);
        if let Some(least) = least {
            let bound = t.constant(u128::from(least + step), exponent_width);
            let allowed = t.sle(bound, exponent);
            moves = t.and(moves, allowed);
        }
        let (rest, zeros) = (t.extract(significand, width - 1 - step, 0), t.constant(0, step));
        let moved = t.concat(rest, zeros);
        significand = t.ite(moves, moved, significand);
        let distance = t.constant(u128::from(step), exponent_width);
        let lower = t.sub(exponent, distance);
        exponent = t.ite(moves, lower, exponent);
        step /= 2;
    }
    Finite { exponent, significand }
}

/// `a >> distance` where the lowest bit of the result is set if a bit was lost.
pub(super) fn shift_right(t: &mut Terms, a: TermId, distance: TermId) -> TermId {
    let (width, digits) = (t.width(a), t.width(distance));
    let mut result = a;
    let mut lost = t.fals();
    let mut digit = 0;
    while digit < digits && 1 << digit < width {
        let step = 1 << digit;
        let moves = t.extract(distance, digit, digit);
        let below = t.extract(result, step - 1, 0);
        lost = loses(t, lost, moves, below);
        let rest = t.extract(result, width - 1, step);
        let moved = t.zext(rest, width);
        result = t.ite(moves, moved, result);
        digit += 1;
    }
    if digit < digits {
        let far = t.extract(distance, digits - 1, digit);
        let none = is_zero(t, far);
        let all = t.not(none);
        lost = loses(t, lost, all, result);
        let zero = t.constant(0, width);
        result = t.ite(none, result, zero);
    }
    with_sticky(t, result, lost)
}

/// Whether a bit is lost already, or now if `moves`.
fn loses(t: &mut Terms, lost: TermId, moves: TermId, bits: TermId) -> TermId {
    let none = is_zero(t, bits);
    let some = t.not(none);
    let now = t.and(moves, some);
    t.or(lost, now)
}

/// The upper bits of `a`, the lowest set if a bit of the others is; zeros below if there are too
/// few.
fn collect_below(t: &mut Terms, a: TermId, width: u32) -> TermId {
    let own = t.width(a);
    if own <= width {
        if own == width {
            return a;
        }
        let zeros = t.constant(0, width - own);
        return t.concat(a, zeros);
    }
    let upper = t.extract(a, own - 1, own - width);
    let below = t.extract(a, own - width - 1, 0);
    let none = is_zero(t, below);
    let lost = t.not(none);
    with_sticky(t, upper, lost)
}

fn with_sticky(t: &mut Terms, a: TermId, lost: TermId) -> TermId {
    let (upper, lowest) = (t.extract(a, t.width(a) - 1, 1), t.extract(a, 0, 0));
    let lowest = t.or(lowest, lost);
    t.concat(upper, lowest)
}
