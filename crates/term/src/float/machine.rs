//! Operations on constants, by the machine.
//!
//! Idea: the circuits fold constants as well, but through dozens of terms; a loop that fills an
//! array needs it thousands of times. The machine's single and double precision is that of the
//! standard but for the bits of NaNs, so results that are NaN are left to the circuits.

use std::cmp::Ordering;

use super::{Format, Relations};
use crate::node::TermId;
use crate::pool::Terms;
use crate::semantics::to_signed;

/// A constant as a number of the machine.
#[derive(Clone, Copy)]
enum Number {
    Single(f32),
    Double(f64),
}

impl Format {
    /// The result of an operation, which is given at both precisions.
    pub(super) fn by_machine(
        self,
        t: &mut Terms,
        [a, b]: [TermId; 2],
        single: fn(f32, f32) -> f32,
        double: fn(f64, f64) -> f64,
    ) -> Option<TermId> {
        let result = match (self.number(t, a)?, self.number(t, b)?) {
            (Number::Single(a), Number::Single(b)) => Number::Single(single(a, b)),
            (Number::Double(a), Number::Double(b)) => Number::Double(double(a, b)),
            (Number::Single(_), Number::Double(_)) | (Number::Double(_), Number::Single(_)) => {
                return None;
            }
        };
        constant(t, result)
    }

    pub(super) fn compare_by_machine(
        self,
        t: &mut Terms,
        [a, b]: [TermId; 2],
        wanted: Relations,
    ) -> Option<TermId> {
        let [a, b] = [self.number(t, a)?, self.number(t, b)?].map(Number::widened);
        let holds = match a.partial_cmp(&b) {
            Some(Ordering::Less) => wanted.less,
            Some(Ordering::Equal) => wanted.equal,
            Some(Ordering::Greater) => wanted.greater,
            None => wanted.unordered,
        };
        Some(t.bool(holds))
    }

    pub(super) fn convert_by_machine(
        self,
        t: &mut Terms,
        from: Format,
        a: TermId,
    ) -> Option<TermId> {
        let a = from.number(t, a)?.widened();
        let result = self.of_type(a as f32, a)?;
        constant(t, result)
    }

    pub(super) fn convert_int_by_machine(
        self,
        t: &mut Terms,
        a: TermId,
        is_signed: bool,
    ) -> Option<TermId> {
        let k = t.as_const(a).filter(|_k| t.rewriting)?;
        let result = if is_signed {
            let k = to_signed(k, t.width(a));
            self.of_type(k as f32, k as f64)?
        } else {
            self.of_type(k as f32, k as f64)?
        };
        constant(t, result)
    }

    /// The number of this format.
    fn of_type(self, single: f32, double: f64) -> Option<Number> {
        match self {
            Format::SINGLE => Some(Number::Single(single)),
            Format::DOUBLE => Some(Number::Double(double)),
            _other => None,
        }
    }

    fn number(self, t: &Terms, a: TermId) -> Option<Number> {
        let k = t.as_const(a).filter(|_k| t.rewriting)?;
        self.of_type(f32::from_bits(k as u32), f64::from_bits(k as u64))
    }
}

impl Number {
    fn widened(self) -> f64 {
        match self {
            Number::Single(a) => f64::from(a),
            Number::Double(a) => a,
        }
    }
}

/// The encoding, unless the number is NaN.
fn constant(t: &mut Terms, result: Number) -> Option<TermId> {
    if result.widened().is_nan() {
        return None;
    }
    Some(match result {
        Number::Single(a) => t.constant(u128::from(a.to_bits()), 32),
        Number::Double(a) => t.constant(u128::from(a.to_bits()), 64),
    })
}
