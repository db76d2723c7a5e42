//! What each operation means, on values.
//!
//! Source: the SMT-LIB theory FixedSizeBitVectors, division by zero included. Constant folding and
//! the evaluator both use `apply`; it is the one place that defines the operations.

use crate::node::Op;

/// The value with the lowest `width` bits set.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The value of a vector of `width` bits read as a two's complement number.
pub fn to_signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// An argument value with its width. Bits above the width are 0.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub bits: u128,
    pub width: u32,
}

/// The result of `op` with `width` bits; `low` is the lowest extracted bit of `Extract`.
/// `Const` and `Var` have no arguments to compute from and must not come here.
pub(crate) fn apply(op: Op, width: u32, low: u32, args: [Value; 3]) -> u128 {
    let [a, b, c] = args.map(|value| value.bits);
    let signed = |value: Value| to_signed(value.bits, value.width);
    let result = match op {
        Op::Const | Op::Var => unreachable!("leaves have a value of their own"),
        Op::Not => !a,
        Op::And => a & b,
        Op::Xor => a ^ b,
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Slt => u128::from(signed(args[0]) < signed(args[1])),
        Op::Neg => a.wrapping_neg(),
        Op::Add => a.wrapping_add(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Udiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::Urem => a.checked_rem(b).unwrap_or(a),
        Op::Shl => shift_amount(b, width).map_or(0, |by| a << by),
        Op::Lshr => shift_amount(b, width).map_or(0, |by| a >> by),
        Op::Ashr => (signed(args[0]) >> shift_amount(b, width).unwrap_or(127)) as u128,
        Op::Concat => (a << args[1].width) | b,
        Op::Extract => a >> low,
        Op::Sext => signed(args[0]) as u128,
    };
    result & mask(width)
}

/// The amount if it is below the width, so that Rust's shifts are defined.
fn shift_amount(amount: u128, width: u32) -> Option<u32> {
    (amount < u128::from(width)).then_some(amount as u32)
}
