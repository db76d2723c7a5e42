//! IEEE arithmetic on encodings, by software (`rustc_apfloat`), round to nearest even: the result
//! does not depend on the machine that runs raddle, and x87 and quad precision work everywhere.

use std::cmp::Ordering;

use raddle_ir::expr::mask;
use raddle_ir::{FloatCmp, FloatKind, FloatOp};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Status};

use crate::value::arith::signed;

/// Instantiates a generic function at the type of a format.
macro_rules! at_kind {
    ($kind:expr, $f:ident ( $($arg:expr),* )) => {
        match $kind {
            FloatKind::Half => $f::<Half>($($arg),*),
            FloatKind::Single => $f::<Single>($($arg),*),
            FloatKind::Double => $f::<Double>($($arg),*),
            FloatKind::X87 => $f::<X87DoubleExtended>($($arg),*),
            FloatKind::Quad => $f::<Quad>($($arg),*),
        }
    };
}

/// Arithmetic on two operands.
pub fn binary(kind: FloatKind, op: FloatOp, a: u128, b: u128) -> u128 {
    at_kind!(kind, binary_at(op, a, b))
}

fn binary_at<F: Float>(op: FloatOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatOp::Add => (a + b).value,
        FloatOp::Sub => (a - b).value,
        FloatOp::Mul => (a * b).value,
        FloatOp::Div => (a / b).value,
        FloatOp::Rem => a.c_fmod(b).value,
        FloatOp::Min => a.min(b),
        FloatOp::Max => a.max(b),
        FloatOp::CopySign => a.copy_sign(b),
    };
    result.to_bits()
}

/// Comparison.
pub fn compare(kind: FloatKind, cmp: FloatCmp, a: u128, b: u128) -> bool {
    match at_kind!(kind, order_at(a, b)) {
        Some(Ordering::Less) => cmp.less,
        Some(Ordering::Equal) => cmp.equal,
        Some(Ordering::Greater) => cmp.greater,
        None => cmp.unordered,
    }
}

fn order_at<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}

/// Conversion between formats.
pub fn cast(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    if from == to {
        return a;
    }
    // Quad holds every value of the other formats exactly, so going through it rounds once only.
    let wide = at_kind!(from, widen(a));
    at_kind!(to, narrow(wide))
}

fn widen<F: Float + FloatConvert<Quad>>(a: u128) -> Quad {
    F::from_bits(a).convert(&mut false).value
}

fn narrow<F: Float>(wide: Quad) -> u128
where
    Quad: FloatConvert<F>,
{
    let narrowed: F = wide.convert(&mut false).value;
    narrowed.to_bits()
}

/// Conversion to an integer, toward zero; 0 if out of range.
pub fn to_int(from: FloatKind, is_signed: bool, a: u128, width: u32) -> u128 {
    at_kind!(from, to_int_at(is_signed, a, width))
}

fn to_int_at<F: Float>(is_signed: bool, a: u128, width: u32) -> u128 {
    let a = F::from_bits(a);
    let (status, value) = if is_signed {
        // The library cannot do one bit, whose numbers are -1 and 0.
        let result = a.to_i128(width.max(2) as usize);
        let fits = width > 1 || matches!(result.value, -1 | 0);
        (result.status, if fits { result.value as u128 } else { 0 })
    } else {
        let result = a.to_u128(width as usize);
        (result.status, result.value)
    };
    if status.contains(Status::INVALID_OP) { 0 } else { value & mask(width) }
}

/// Conversion from an integer.
pub fn from_int(to: FloatKind, is_signed: bool, a: u128, from_width: u32) -> u128 {
    at_kind!(to, from_int_at(is_signed, a, from_width))
}

fn from_int_at<F: Float>(is_signed: bool, a: u128, from_width: u32) -> u128 {
    let result = if is_signed { F::from_i128(signed(a, from_width)) } else { F::from_u128(a) };
    result.value.to_bits()
}

/// Decimal text.
pub fn show(kind: FloatKind, a: u128) -> String {
    at_kind!(kind, show_at(a))
}

fn show_at<F: Float>(a: u128) -> String {
    F::from_bits(a).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_agree_with_the_machine() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e308,
            1e-308,
            5e-324,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            3.0,
            1e16,
            123456789.0,
        ];
        let raw = |v: f64| u128::from(v.to_bits());
        let same = |bits: u128, v: f64| {
            let found = f64::from_bits(bits as u64);
            assert!(
                found.to_bits() == v.to_bits() || (found.is_nan() && v.is_nan()),
                "{found} {v}"
            );
        };
        for a in values {
            for b in values {
                let run = |op| binary(FloatKind::Double, op, raw(a), raw(b));
                same(run(FloatOp::Add), a + b);
                same(run(FloatOp::Sub), a - b);
                same(run(FloatOp::Mul), a * b);
                same(run(FloatOp::Div), a / b);
                same(run(FloatOp::Rem), a % b);
                let less = FloatCmp { less: true, equal: false, greater: false, unordered: false };
                assert_eq!(compare(FloatKind::Double, less, raw(a), raw(b)), a < b);
            }
            let single = cast(FloatKind::Double, FloatKind::Single, raw(a));
            same(cast(FloatKind::Single, FloatKind::Double, single), f64::from(a as f32));
            same(
                cast(
                    FloatKind::X87,
                    FloatKind::Double,
                    cast(FloatKind::Double, FloatKind::X87, raw(a)),
                ),
                a,
            );
            let int = to_int(FloatKind::Double, true, raw(a), 32) as u32 as i32;
            let wanted = if a > -2147483649.0 && a < 2147483648.0 { a as i32 } else { 0 };
            assert_eq!(int, wanted, "{a}");
        }
        same(from_int(FloatKind::Double, true, 0xffff_ffff, 32), -1.0);
        same(from_int(FloatKind::Double, false, 0xffff_ffff, 32), 4294967295.0);
    }
}
