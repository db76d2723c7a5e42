//! Integer arithmetic on constants, as the program model defines it.
//!
//! For whoever computes at analysis time: lowering and the static analyses. The interpreter does not
//! use it: it is the referee, and its arithmetic is its own.

use crate::expr::{BinOp, CastOp, CmpOp, mask};

/// A value of some width as a signed number.
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// The result of an operation; `None` where it would stop the thread.
pub fn binary(op: BinOp, a: u128, b: u128, width: u32) -> Option<u128> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let shift = u32::try_from(b).ok().filter(|&s| s < width);
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::URem => a.checked_rem(b)?,
        // The quotient of the smallest number and -1 does not fit: undefined at every width.
        BinOp::SDiv | BinOp::SRem if sb == -1 && a == 1 << (width - 1) => return None,
        BinOp::SDiv => sa.checked_div(sb)? as u128,
        BinOp::SRem => sa.checked_rem(sb)? as u128,
        BinOp::Shl => shift.map_or(0, |s| a << s),
        BinOp::LShr => shift.map_or(0, |s| a >> s),
        BinOp::AShr => (sa >> shift.unwrap_or(127)) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
    };
    Some(result & mask(width))
}

/// Whether a comparison holds.
pub fn compare(op: CmpOp, a: u128, b: u128, width: u32) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

/// A value brought from one width to another.
pub fn cast(op: CastOp, a: u128, from: u32, width: u32) -> u128 {
    match op {
        CastOp::Trunc | CastOp::ZeroExtend => a & mask(width),
        CastOp::SignExtend => signed(a, from) as u128 & mask(width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic() {
        let check = |op, a, b, width, expected| {
            assert_eq!(binary(op, a, b, width), expected, "{op:?} {a} {b}");
        };
        check(BinOp::Add, 0xff, 2, 8, Some(1));
        check(BinOp::Sub, 1, 2, 8, Some(0xff));
        check(BinOp::Mul, 16, 17, 8, Some(16));
        check(BinOp::UDiv, 7, 0, 8, None);
        check(BinOp::SDiv, 0x80, 0xff, 8, None);
        check(BinOp::SRem, 0x80, 0xff, 8, None);
        check(BinOp::SDiv, 0xf9, 2, 8, Some(0xfd));
        check(BinOp::SRem, 0xf9, 2, 8, Some(0xff));
        check(BinOp::Shl, 1, 8, 8, Some(0));
        check(BinOp::LShr, 0x80, 7, 8, Some(1));
        check(BinOp::AShr, 0x80, 7, 8, Some(0xff));
        check(BinOp::AShr, 0x80, 200, 8, Some(0xff));
        check(BinOp::AShr, 0x40, 200, 8, Some(0));
    }

    #[test]
    fn comparisons_and_casts() {
        assert!(compare(CmpOp::Slt, 0xff, 0, 8));
        assert!(!compare(CmpOp::Ult, 0xff, 0, 8));
        assert!(compare(CmpOp::Sge, 0x7f, 0x80, 8));
        assert!(compare(CmpOp::Ne, 1, 2, 8));
        assert_eq!(cast(CastOp::SignExtend, 0x80, 8, 16), 0xff80);
        assert_eq!(cast(CastOp::ZeroExtend, 0x80, 8, 16), 0x80);
        assert_eq!(cast(CastOp::Trunc, 0x180, 16, 8), 0x80);
    }
}
