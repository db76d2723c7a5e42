//! Pure values as terms, after `crates/ir/src/expr.rs`.

use raddle_ir::{BinOp, BitOp, CastOp, CmpOp, Expr, RmwOp};
use raddle_term::{TermId, Terms, mask};

/// The value of an expression; none if it is floating point, or wider than terms are.
pub(crate) fn value(terms: &mut Terms, expr: &Expr, args: &[TermId]) -> Option<TermId> {
    Some(match *expr {
        Expr::Use(_) => args[0],
        Expr::Binary { op, .. } => binary(terms, op, args[0], args[1]),
        Expr::Offset { .. } => terms.add(args[0], args[1]),
        Expr::Compare { op, .. } => compare(terms, op, args[0], args[1]),
        Expr::Cast { op, width, .. } => match op {
            CastOp::Trunc => terms.extract(args[0], width - 1, 0),
            CastOp::ZeroExtend => terms.zext(args[0], width),
            CastOp::SignExtend => terms.sext(args[0], width),
        },
        Expr::Select { .. } => terms.ite(args[0], args[1], args[2]),
        Expr::Overflows { op, signed, .. } => overflows(terms, op, signed, args[0], args[1])?,
        Expr::Bits { op, .. } => bits(terms, op, args[0]),
        Expr::Float { .. }
        | Expr::FloatNeg { .. }
        | Expr::FloatAbs { .. }
        | Expr::FloatCompare { .. }
        | Expr::FloatCast { .. }
        | Expr::FloatToInt { .. }
        | Expr::IntToFloat { .. } => return None,
    })
}

/// The condition under which an expression has a value; none if it always does.
pub(crate) fn is_defined(terms: &mut Terms, expr: &Expr, args: &[TermId]) -> Option<TermId> {
    let (Expr::Binary { op, .. }, [a, b]) = (*expr, args) else { return None };
    let width = terms.width(*b);
    let zero = terms.constant(0, width);
    let nonzero = terms.ne(*b, zero);
    match op {
        BinOp::UDiv | BinOp::URem => Some(nonzero),
        BinOp::SDiv | BinOp::SRem => {
            let least = terms.constant(1 << (width - 1), width);
            let minus_one = terms.constant(mask(width), width);
            let (fits_a, fits_b) = (terms.ne(*a, least), terms.ne(*b, minus_one));
            let fits = terms.or(fits_a, fits_b);
            Some(terms.and(nonzero, fits))
        }
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => None,
    }
}

fn binary(terms: &mut Terms, op: BinOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinOp::Add => terms.add(a, b),
        BinOp::Sub => terms.sub(a, b),
        BinOp::Mul => terms.mul(a, b),
        BinOp::UDiv => terms.udiv(a, b),
        BinOp::SDiv => terms.sdiv(a, b),
        BinOp::URem => terms.urem(a, b),
        BinOp::SRem => terms.srem(a, b),
        BinOp::Shl => terms.shl(a, b),
        BinOp::LShr => terms.lshr(a, b),
        BinOp::AShr => terms.ashr(a, b),
        BinOp::And => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor => terms.xor(a, b),
    }
}

fn compare(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId) -> TermId {
    match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Ult => terms.ult(a, b),
        CmpOp::Ule => terms.ule(a, b),
        CmpOp::Ugt => terms.ult(b, a),
        CmpOp::Uge => terms.ule(b, a),
        CmpOp::Slt => terms.slt(a, b),
        CmpOp::Sle => terms.sle(a, b),
        CmpOp::Sgt => terms.slt(b, a),
        CmpOp::Sge => terms.sle(b, a),
    }
}

/// Whether the exact result does not fit: computed in twice the width, or one bit more for sums.
fn overflows(terms: &mut Terms, op: BinOp, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    let wide = match op {
        BinOp::Add | BinOp::Sub => width + 2,
        BinOp::Mul => 2 * width,
        BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => return None,
    };
    if wide > 128 {
        return None;
    }
    let mut widen = |t| if signed { terms.sext(t, wide) } else { terms.zext(t, wide) };
    let (x, y) = (widen(a), widen(b));
    let exact = binary(terms, op, x, y);
    let low = terms.extract(exact, width - 1, 0);
    let back = if signed { terms.sext(low, wide) } else { terms.zext(low, wide) };
    Some(terms.ne(exact, back))
}

fn bits(terms: &mut Terms, op: BitOp, a: TermId) -> TermId {
    let width = terms.width(a);
    let all: Vec<TermId> = (0..width).map(|i| terms.extract(a, i, i)).collect();
    let first_set = |terms: &mut Terms, order: &[TermId]| {
        let mut result = terms.constant(u128::from(width), width);
        for (distance, &bit) in order.iter().enumerate().rev() {
            let here = terms.constant(distance as u128, width);
            result = terms.ite(bit, here, result);
        }
        result
    };
    match op {
        BitOp::CountOnes => {
            let mut sum = terms.constant(0, width);
            for bit in all {
                let one = terms.zext(bit, width);
                sum = terms.add(sum, one);
            }
            sum
        }
        BitOp::TrailingZeros => first_set(terms, &all),
        BitOp::LeadingZeros => {
            let from_top: Vec<TermId> = all.into_iter().rev().collect();
            first_set(terms, &from_top)
        }
        BitOp::SwapBytes => {
            let bytes: Vec<TermId> =
                (0..width / 8).map(|i| terms.extract(a, 8 * i + 7, 8 * i)).collect();
            bytes[1..].iter().fold(bytes[0], |high, &low| terms.concat(high, low))
        }
        BitOp::Reverse => all[1..].iter().fold(all[0], |high, &low| terms.concat(high, low)),
    }
}

/// What a read-modify-write stores.
pub(crate) fn modified(terms: &mut Terms, op: RmwOp, old: TermId, value: TermId) -> TermId {
    let keeps_old = match op {
        RmwOp::Exchange => return value,
        RmwOp::Add => return terms.add(old, value),
        RmwOp::Sub => return terms.sub(old, value),
        RmwOp::And => return terms.and(old, value),
        RmwOp::Nand => {
            let both = terms.and(old, value);
            return terms.not(both);
        }
        RmwOp::Or => return terms.or(old, value),
        RmwOp::Xor => return terms.xor(old, value),
        RmwOp::Max => terms.sle(value, old),
        RmwOp::Min => terms.sle(old, value),
        RmwOp::UMax => terms.ule(value, old),
        RmwOp::UMin => terms.ule(old, value),
    };
    terms.ite(keeps_old, old, value)
}

#[cfg(test)]
mod tests {
    use raddle_ir::{Const, Operand, Wrap};

    use super::*;

    const WIDTH: u32 = 4;

    fn signed(value: u128) -> i128 {
        if value < 8 { value as i128 } else { value as i128 - 16 }
    }

    /// The value of an expression of two numbers of four bits.
    fn of(expr: impl Fn(Operand, Operand) -> Expr, x: u128, y: u128) -> Option<u128> {
        let mut terms = Terms::new();
        let [a, b] = [x, y].map(|v| Operand::Const(Const::new(v, WIDTH)));
        let args = [x, y].map(|v| terms.constant(v, WIDTH));
        let expr = expr(a, b);
        if let Some(defined) = is_defined(&mut terms, &expr, &args)
            && terms.is_false(defined)
        {
            return None;
        }
        let value = value(&mut terms, &expr, &args).expect("it is no floating point");
        Some(terms.as_const(value).expect("numbers give a number"))
    }

    #[test]
    fn all_numbers_of_four_bits() {
        for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
            let (sx, sy) = (signed(x), signed(y));
            let cut = |v: i128| (v & 15) as u128;
            let binary = |op| of(|a, b| Expr::Binary { op, a, b, wrap: Wrap::default() }, x, y);
            assert_eq!(binary(BinOp::Sub), Some(cut(sx - sy)));
            assert_eq!(binary(BinOp::Mul), Some(cut(sx * sy)));
            assert_eq!(binary(BinOp::UDiv), x.checked_div(y));
            assert_eq!(binary(BinOp::URem), x.checked_rem(y));
            let fits = y != 0 && !(sx == -8 && sy == -1);
            assert_eq!(binary(BinOp::SDiv), fits.then(|| cut(sx / sy)));
            assert_eq!(binary(BinOp::SRem), fits.then(|| cut(sx % sy)));
            assert_eq!(binary(BinOp::Shl), Some(if y < 4 { x << y & 15 } else { 0 }));
            assert_eq!(binary(BinOp::LShr), Some(x >> y));
            assert_eq!(binary(BinOp::AShr), Some(cut(sx >> y)));
            let compare = |op| of(|a, b| Expr::Compare { op, a, b }, x, y) == Some(1);
            assert_eq!([CmpOp::Ult, CmpOp::Uge].map(compare), [x < y, x >= y]);
            assert_eq!([CmpOp::Ugt, CmpOp::Ule].map(compare), [x > y, x <= y]);
            assert_eq!([CmpOp::Slt, CmpOp::Sge].map(compare), [sx < sy, sx >= sy]);
            assert_eq!([CmpOp::Sgt, CmpOp::Sle].map(compare), [sx > sy, sx <= sy]);
            let over =
                |op, signed| of(|a, b| Expr::Overflows { op, signed, a, b }, x, y) == Some(1);
            let leaves = |v: i128| !(-8..8).contains(&v);
            assert_eq!(over(BinOp::Add, true), leaves(sx + sy));
            assert_eq!(over(BinOp::Sub, true), leaves(sx - sy));
            assert_eq!(over(BinOp::Mul, true), leaves(sx * sy));
            assert_eq!(over(BinOp::Add, false), x + y > 15);
            assert_eq!(over(BinOp::Sub, false), x < y);
            assert_eq!(over(BinOp::Mul, false), x * y > 15);
            let mut terms = Terms::new();
            let [a, b] = [x, y].map(|v| terms.constant(v, WIDTH));
            let mut modified = |op| {
                let value = modified(&mut terms, op, a, b);
                terms.as_const(value)
            };
            assert_eq!(modified(RmwOp::Max), Some(cut(sx.max(sy))));
            assert_eq!(modified(RmwOp::Min), Some(cut(sx.min(sy))));
            assert_eq!(
                [RmwOp::UMax, RmwOp::UMin].map(&mut modified),
                [Some(x.max(y)), Some(x.min(y))]
            );
            assert_eq!(modified(RmwOp::Nand), Some(!(x & y) & 15));
        }
    }

    #[test]
    fn bits_of_numbers() {
        for x in 0..16u128 {
            let of = |op| of(|a, _| Expr::Bits { op, a }, x, 0);
            assert_eq!(of(BitOp::CountOnes), Some(u128::from(x.count_ones())));
            assert_eq!(of(BitOp::LeadingZeros), Some(u128::from(x.leading_zeros() - 124)));
            assert_eq!(of(BitOp::TrailingZeros), Some(u128::from(x.trailing_zeros().min(4))));
            assert_eq!(of(BitOp::Reverse), Some(x.reverse_bits() >> 124));
        }
    }
}
