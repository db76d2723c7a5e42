//! Exact evaluation of pure expressions on bit-vectors of up to 128 bits.
//!
//! Every value is a `u128` whose bits above its width are zero; every operation masks its result.
//! **Invariant:** the meaning of each operation is that of `ir::expr`, written a second time,
//! independently of the encoders.

use raddle_ir::expr::mask;
use raddle_ir::{BinOp, BitOp, CastOp, CmpOp, Expr, Operand, RmwOp};

use crate::value::float;

/// An operation without a defined result: division by zero or `INT_MIN / -1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndefinedDivision;

/// The value as a signed number.
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// Evaluates an expression; `get` gives value and width of an operand.
pub fn eval(
    expr: &Expr,
    get: &mut dyn FnMut(Operand) -> (u128, u32),
) -> Result<u128, UndefinedDivision> {
    Ok(match *expr {
        Expr::Use(a) => get(a).0,
        Expr::Binary { op, a, b, wrap: _ } => {
            let (x, width) = get(a);
            return binary(op, x, get(b).0, width);
        }
        Expr::Offset { base, offset } => {
            let (x, width) = get(base);
            x.wrapping_add(get(offset).0) & mask(width)
        }
        Expr::Compare { op, a, b } => {
            let (x, width) = get(a);
            u128::from(compare(op, x, get(b).0, width))
        }
        Expr::Cast { op, a, width } => {
            let (x, from) = get(a);
            match op {
                CastOp::Trunc | CastOp::ZeroExtend => x & mask(width),
                CastOp::SignExtend => signed(x, from) as u128 & mask(width),
            }
        }
        Expr::Select { cond, a, b } => {
            let chosen = if get(cond).0 != 0 { a } else { b };
            get(chosen).0
        }
        Expr::Overflows { op, signed, a, b } => {
            let (x, width) = get(a);
            u128::from(overflows(op, signed, x, get(b).0, width))
        }
        Expr::Bits { op, a } => {
            let (x, width) = get(a);
            bits(op, x, width)
        }
        Expr::Float { op, kind, a, b } => float::binary(kind, op, get(a).0, get(b).0),
        Expr::FloatNeg { kind, a } => get(a).0 ^ (1 << (kind.bits() - 1)),
        Expr::FloatAbs { kind, a } => get(a).0 & !(1 << (kind.bits() - 1)),
        Expr::FloatCompare { cmp, kind, a, b } => {
            u128::from(float::compare(kind, cmp, get(a).0, get(b).0))
        }
        Expr::FloatCast { from, to, a } => float::cast(from, to, get(a).0),
        Expr::FloatToInt { from, signed, a, width } => float::to_int(from, signed, get(a).0, width),
        Expr::IntToFloat { to, signed, a, from_width } => {
            float::from_int(to, signed, get(a).0, from_width)
        }
    })
}

/// Integer arithmetic modulo 2^width.
pub fn binary(op: BinOp, x: u128, y: u128, width: u32) -> Result<u128, UndefinedDivision> {
    let (sx, sy) = (signed(x, width), signed(y, width));
    let least = signed(1 << (width - 1), width);
    let undefined = match op {
        BinOp::UDiv | BinOp::URem => y == 0,
        // In one bit the only non-zero divisor is -1, and -1 / -1 overflows like any other least value.
        BinOp::SDiv | BinOp::SRem => y == 0 || (sy == -1 && sx == least),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => false,
    };
    if undefined {
        return Err(UndefinedDivision);
    }
    let oversized = y >= u128::from(width);
    let result = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::UDiv => x / y,
        BinOp::SDiv => (sx / sy) as u128,
        BinOp::URem => x % y,
        BinOp::SRem => (sx % sy) as u128,
        BinOp::Shl => {
            if oversized {
                0
            } else {
                x << y
            }
        }
        BinOp::LShr => {
            if oversized {
                0
            } else {
                x >> y
            }
        }
        BinOp::AShr => (if oversized { sx >> 127 } else { sx >> y }) as u128,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
    };
    Ok(result & mask(width))
}

/// Integer comparison.
pub fn compare(op: CmpOp, x: u128, y: u128, width: u32) -> bool {
    let (sx, sy) = (signed(x, width), signed(y, width));
    match op {
        CmpOp::Eq => x == y,
        CmpOp::Ne => x != y,
        CmpOp::Ult => x < y,
        CmpOp::Ule => x <= y,
        CmpOp::Ugt => x > y,
        CmpOp::Uge => x >= y,
        CmpOp::Slt => sx < sy,
        CmpOp::Sle => sx <= sy,
        CmpOp::Sgt => sx > sy,
        CmpOp::Sge => sx >= sy,
    }
}

fn overflows(op: BinOp, is_signed: bool, x: u128, y: u128, width: u32) -> bool {
    if is_signed {
        let (x, y) = (signed(x, width), signed(y, width));
        let exact = match op {
            BinOp::Add => x.checked_add(y),
            BinOp::Sub => x.checked_sub(y),
            BinOp::Mul => x.checked_mul(y),
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor => unreachable!("only sums and products have an overflow expression"),
        };
        exact.is_none_or(|r| signed(r as u128 & mask(width), width) != r)
    } else {
        let exact = match op {
            BinOp::Add => x.checked_add(y),
            BinOp::Sub => x.checked_sub(y),
            BinOp::Mul => x.checked_mul(y),
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor => unreachable!("only sums and products have an overflow expression"),
        };
        exact.is_none_or(|r| r & !mask(width) != 0)
    }
}

fn bits(op: BitOp, x: u128, width: u32) -> u128 {
    match op {
        BitOp::CountOnes => u128::from(x.count_ones()),
        BitOp::LeadingZeros => u128::from(x.leading_zeros() - (128 - width)),
        BitOp::TrailingZeros => u128::from(x.trailing_zeros().min(width)),
        BitOp::SwapBytes => x.swap_bytes() >> (128 - width),
        BitOp::Reverse => x.reverse_bits() >> (128 - width),
    }
}

/// What a read-modify-write stores.
pub fn rmw(op: RmwOp, old: u128, value: u128, width: u32) -> u128 {
    let pick = |first: bool| if first { old } else { value };
    let result = match op {
        RmwOp::Exchange => value,
        RmwOp::Add => old.wrapping_add(value),
        RmwOp::Sub => old.wrapping_sub(value),
        RmwOp::And => old & value,
        RmwOp::Nand => !(old & value),
        RmwOp::Or => old | value,
        RmwOp::Xor => old ^ value,
        RmwOp::Max => pick(signed(old, width) >= signed(value, width)),
        RmwOp::Min => pick(signed(old, width) <= signed(value, width)),
        RmwOp::UMax => pick(old >= value),
        RmwOp::UMin => pick(old <= value),
    };
    result & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against machine arithmetic on all pairs of 8-bit numbers.
    #[test]
    fn eight_bits() {
        for x in 0..=255u8 {
            for y in 0..=255u8 {
                let (sx, sy) = (x as i8, y as i8);
                let run = |op| binary(op, u128::from(x), u128::from(y), 8).map(|v| v as u8);
                assert_eq!(run(BinOp::Add), Ok(x.wrapping_add(y)));
                assert_eq!(run(BinOp::Sub), Ok(x.wrapping_sub(y)));
                assert_eq!(run(BinOp::Mul), Ok(x.wrapping_mul(y)));
                assert_eq!(run(BinOp::UDiv).ok(), x.checked_div(y));
                assert_eq!(run(BinOp::URem).ok(), x.checked_rem(y));
                assert_eq!(run(BinOp::SDiv).ok(), sx.checked_div(sy).map(|v| v as u8));
                assert_eq!(run(BinOp::SRem).ok(), sx.checked_rem(sy).map(|v| v as u8));
                let shift = u32::from(y);
                assert_eq!(run(BinOp::Shl), Ok(x.checked_shl(shift).unwrap_or(0)));
                assert_eq!(run(BinOp::LShr), Ok(x.checked_shr(shift).unwrap_or(0)));
                assert_eq!(run(BinOp::AShr), Ok((sx >> shift.min(7)) as u8));
                let less = compare(CmpOp::Slt, u128::from(x), u128::from(y), 8);
                assert_eq!(less, sx < sy);
                let over = |op, s| overflows(op, s, u128::from(x), u128::from(y), 8);
                assert_eq!(over(BinOp::Add, true), sx.checked_add(sy).is_none());
                assert_eq!(over(BinOp::Sub, true), sx.checked_sub(sy).is_none());
                assert_eq!(over(BinOp::Mul, true), sx.checked_mul(sy).is_none());
                assert_eq!(over(BinOp::Add, false), x.checked_add(y).is_none());
                assert_eq!(over(BinOp::Sub, false), x.checked_sub(y).is_none());
                assert_eq!(over(BinOp::Mul, false), x.checked_mul(y).is_none());
                let change = |op| rmw(op, u128::from(x), u128::from(y), 8) as u8;
                assert_eq!(change(RmwOp::Nand), !(x & y));
                assert_eq!(change(RmwOp::Max) as i8, sx.max(sy));
                assert_eq!(change(RmwOp::UMin), x.min(y));
            }
            let one = |op| bits(op, u128::from(x), 8) as u8;
            assert_eq!(u32::from(one(BitOp::LeadingZeros)), x.leading_zeros());
            assert_eq!(u32::from(one(BitOp::TrailingZeros)), x.trailing_zeros());
            assert_eq!(one(BitOp::Reverse), x.reverse_bits());
            assert_eq!(u32::from(one(BitOp::CountOnes)), x.count_ones());
        }
        assert_eq!(bits(BitOp::SwapBytes, 0x1234, 16), 0x3412);
    }

    #[test]
    fn widths_at_the_edges() {
        assert_eq!(binary(BinOp::Add, 1, 1, 1), Ok(0));
        assert_eq!(binary(BinOp::SDiv, 1, 1, 1), Err(UndefinedDivision));
        let least = 1u128 << 127;
        assert_eq!(binary(BinOp::SDiv, least, u128::MAX, 128), Err(UndefinedDivision));
        assert_eq!(binary(BinOp::Mul, u128::MAX, u128::MAX, 128), Ok(1));
        assert!(overflows(BinOp::Mul, true, least, 2, 128));
        assert_eq!(signed(0x80, 8), -128);
    }
}
