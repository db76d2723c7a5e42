//! Numbers as LLVM writes them, turned into bits.
//!
//! Idea: integers are read in two's complement of their type's width. Floating literals come in
//!   three forms: decimal, `0x` with the bits of a *double* whatever the type, and `0xK`, `0xL`,
//!   `0xM`, `0xH`, `0xR` with the type's own bits. A double is narrowed to `float`, `half` or
//!   `bfloat` bit by bit, as LLVM demands that nothing be lost.
//! Source: LLVM Language Reference, "Simple Constants"; the order of words in `0xL` and `0xM` (low
//!   word first) and `0xK` (exponent first) is that of LLVM's lexer.
//! Limits: integer literals of types wider than `WIDEST` bits are left to the caller to refuse.

use super::lexer::hex_digit;
use super::types::FloatKind;

/// Wider integer types may occur, but not with literals: a short text could claim much memory.
pub(crate) const WIDEST: u32 = 4096;

/// The value of a decimal integer, cut to at most 64 bits.
#[inline]
pub(crate) fn integer(text: &[u8], width: u32) -> Option<u64> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', digits)) => (true, digits),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    for &byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        // Arithmetic modulo 2^64 is exact modulo every smaller power of two.
        value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
    }
    let value = if negative { value.wrapping_neg() } else { value };
    Some(if width < 64 { value & ((1 << width) - 1) } else { value })
}

/// A decimal integer of more than 64 bits, in little-endian words.
pub(crate) fn wide_integer(text: &[u8], width: u32) -> Option<Box<[u64]>> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', digits)) => (true, digits),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    for &byte in digits {
        let mut carry = u128::from(byte - b'0');
        for word in &mut words {
            let product = u128::from(*word) * 10 + carry;
            *word = product as u64;
            carry = product >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            let (sum, over) = (!*word).overflowing_add(u64::from(carry));
            *word = sum;
            carry = over;
        }
    }
    cut(&mut words, width);
    Some(words.into())
}

/// `u0xFF` and `s0xFF`: hexadecimal integers, the latter sign-extended from its highest digit.
pub(crate) fn hex_integer(text: &[u8], width: u32) -> Option<Box<[u64]>> {
    let (signed, digits) = match text {
        [b'u', b'0', b'x', digits @ ..] => (false, digits),
        [b's', b'0', b'x', digits @ ..] => (true, digits),
        _ => return None,
    };
    let first = hex_digit(*digits.first()?)?;
    let fill = if signed && first >= 8 { u64::MAX } else { 0 };
    let mut words = vec![fill; width.div_ceil(64) as usize];
    for (place, &byte) in digits.iter().rev().enumerate() {
        let digit = u64::from(hex_digit(byte)?);
        if let Some(word) = words.get_mut(place / 16) {
            let shift = 4 * (place % 16);
            *word = *word & !(15 << shift) | digit << shift;
        }
    }
    cut(&mut words, width);
    Some(words.into())
}

/// Clears the bits of the last word that lie beyond the width.
fn cut(words: &mut [u64], width: u32) {
    if let (Some(last), 1..) = (words.last_mut(), width % 64) {
        *last &= (1 << (width % 64)) - 1;
    }
}

/// The bits of a floating literal in the format `kind`; `None` if it is none or does not fit.
pub(crate) fn float(text: &[u8], kind: FloatKind) -> Option<u128> {
    match (text, kind) {
        ([b'0', b'x', b'K', digits @ ..], FloatKind::X86Fp80) => hex(digits, 20),
        ([b'0', b'x', b'L', digits @ ..], FloatKind::Fp128)
        | ([b'0', b'x', b'M', digits @ ..], FloatKind::PpcFp128) => {
            Some(hex(digits, 32)?.rotate_left(64))
        }
        ([b'0', b'x', b'H', digits @ ..], FloatKind::Half)
        | ([b'0', b'x', b'R', digits @ ..], FloatKind::BFloat) => hex(digits, 4),
        ([b'0', b'x', digits @ ..], _) => narrow(hex_any(digits)?, kind),
        _ => {
            let text = std::str::from_utf8(text).ok()?;
            // Rust also reads `inf` and `nan`, but those do not begin with a digit.
            narrow(text.parse::<f64>().ok()?.to_bits(), kind)
        }
    }
}

fn hex(digits: &[u8], count: usize) -> Option<u128> {
    if digits.len() != count {
        return None;
    }
    digits.iter().try_fold(0, |value, &byte| Some(value << 4 | u128::from(hex_digit(byte)?)))
}

fn hex_any(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    digits.iter().try_fold(0, |value, &byte| Some(value << 4 | u64::from(hex_digit(byte)?)))
}

/// A double in another format, if it can be had without loss. LLVM writes the wide formats in their
/// own bits only.
fn narrow(double: u64, kind: FloatKind) -> Option<u128> {
    let (exponent_bits, fraction_bits) = match kind {
        FloatKind::Double => return Some(u128::from(double)),
        FloatKind::Float => (8, 23),
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => return None,
    };
    let sign = double >> 63 << (exponent_bits + fraction_bits);
    let exponent = (double >> 52 & 0x7ff) as i32;
    let fraction = double & ((1 << 52) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let all_ones = (1u64 << exponent_bits) - 1;
    let drop = |value: u64, bits: u32| {
        (bits < 64 && value.trailing_zeros() >= bits).then(|| value >> bits)
    };
    let magnitude = if exponent == 0x7ff {
        all_ones << fraction_bits | drop(fraction, 52 - fraction_bits)?
    } else if exponent == 0 {
        // A subnormal double is below all that the narrow formats can hold.
        if fraction != 0 {
            return None;
        }
        0
    } else {
        let target = exponent - 1023 + bias;
        if target >= all_ones as i32 {
            return None;
        }
        if target > 0 {
            (target as u64) << fraction_bits | drop(fraction, 52 - fraction_bits)?
        } else {
            drop(fraction | 1 << 52, 52 - fraction_bits + 1 + target.unsigned_abs())?
        }
    };
    Some(u128::from(sign | magnitude))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        for (text, width, expected) in [
            ("0", 1, Some(0)),
            ("-1", 8, Some(255)),
            ("255", 8, Some(255)),
            ("-2147483648", 32, Some(1 << 31)),
            ("18446744073709551615", 64, Some(u64::MAX)),
            ("-1", 64, Some(u64::MAX)),
            ("", 8, None),
            ("-", 8, None),
            ("1x", 8, None),
        ] {
            assert_eq!(integer(text.as_bytes(), width), expected, "{text}");
        }
    }

    #[test]
    fn wide_integers() {
        let two_to_64 = b"18446744073709551616";
        assert_eq!(&*wide_integer(two_to_64, 128).unwrap(), [0, 1]);
        assert_eq!(&*wide_integer(b"-1", 65).unwrap(), [u64::MAX, 1]);
        assert_eq!(&*wide_integer(b"-18446744073709551616", 128).unwrap(), [0, u64::MAX]);
        assert_eq!(wide_integer(b"1.5", 128), None);
        assert_eq!(&*hex_integer(b"u0xff", 16).unwrap(), [255]);
        assert_eq!(&*hex_integer(b"s0xff", 128).unwrap(), [u64::MAX, u64::MAX]);
        assert_eq!(&*hex_integer(b"s0x7f", 72).unwrap(), [0x7f, 0]);
        assert_eq!(hex_integer(b"s0x", 72), None);
    }

    #[test]
    fn floats() {
        use FloatKind::*;
        for (text, kind, expected) in [
            ("1.000000e+00", Double, Some(u128::from(1.0f64.to_bits()))),
            ("-1.500000e+00", Float, Some(u128::from((-1.5f32).to_bits()))),
            ("0x3FF0000000000000", Float, Some(u128::from(1.0f32.to_bits()))),
            ("0x3FB99999A0000000", Float, Some(u128::from(0.1f32.to_bits()))),
            ("0x3FB999999999999A", Float, None),
            ("0x36A0000000000000", Float, Some(1)),
            ("0x7FF8000000000000", Float, Some(0x7fc0_0000)),
            ("0xFFF0000000000000", Float, Some(0xff80_0000)),
            ("0x47EFFFFFE0000000", Float, Some(u128::from(f32::MAX.to_bits()))),
            ("0x47F0000000000000", Float, None),
            ("0.0", Float, Some(0)),
            ("-0.0", Float, Some(1 << 31)),
            ("0xH3C00", Half, Some(0x3c00)),
            ("1.0", Half, Some(0x3c00)),
            ("0x3E70000000000000", Half, Some(1)),
            ("0xR3F80", BFloat, Some(0x3f80)),
            ("1.0", BFloat, Some(0x3f80)),
            ("0xK3FFF8000000000000000", X86Fp80, Some(0x3fff_8000_0000_0000_0000)),
            ("0xL00000000000000013FFF000000000000", Fp128, Some(0x3fff << 112 | 1)),
            ("0xM3FF00000000000000000000000000002", PpcFp128, Some(2 << 64 | 0x3ff << 52)),
            ("1.0", X86Fp80, None),
            ("0xK3FFF", X86Fp80, None),
            ("0xH3C00", Float, None),
            ("1x", Double, None),
        ] {
            assert_eq!(float(text.as_bytes(), kind), expected, "{text} as {kind:?}");
        }
    }

    #[test]
    fn every_float_comes_back() {
        for step in 0..100_000u32 {
            let bits = step.wrapping_mul(0x9E37_79B9);
            if f32::from_bits(bits).is_nan() {
                continue;
            }
            let text = format!("0x{:016X}", f64::from(f32::from_bits(bits)).to_bits());
            assert_eq!(float(text.as_bytes(), FloatKind::Float), Some(u128::from(bits)), "{text}");
        }
    }
}
