//! Pure values as terms.

use raddle_ir::{BinOp, BitOp, CastOp, CmpOp, Expr, FloatCmp, FloatKind, FloatOp, RmwOp};
use raddle_term::{Format, Relations, TermId, Terms};

/// The value of an expression, `None` if it is not modelled: floating-point remainders, and `long
/// double` and quadruple precision but for their signs. Division by zero is the caller's business:
/// see [`division_guard`].
pub fn evaluate(terms: &mut Terms, e: &Expr, args: &[TermId]) -> Option<TermId> {
    Some(match *e {
        Expr::Use(_) => args[0],
        Expr::Binary { op, .. } => binary(terms, op, args[0], args[1]),
        Expr::Offset { .. } => terms.add(args[0], args[1]),
        Expr::Compare { op, .. } => compare(terms, op, args[0], args[1]),
        Expr::Cast { op: CastOp::Trunc, width, .. } => terms.extract(args[0], width - 1, 0),
        Expr::Cast { op: CastOp::ZeroExtend, width, .. } => terms.zext(args[0], width),
        Expr::Cast { op: CastOp::SignExtend, width, .. } => terms.sext(args[0], width),
        Expr::Select { .. } => terms.ite(args[0], args[1], args[2]),
        Expr::Overflows { op, signed, .. } => overflows(terms, op, signed, args[0], args[1])?,
        Expr::Bits { op, .. } => bits(terms, op, args[0]),
        Expr::FloatNeg { kind, .. } => {
            let sign = terms.constant(1 << (kind.bits() - 1), kind.bits());
            terms.xor(args[0], sign)
        }
        Expr::FloatAbs { kind, .. } => {
            let rest = terms.constant((1 << (kind.bits() - 1)) - 1, kind.bits());
            terms.and(args[0], rest)
        }
        Expr::Float { op, kind, .. } => float(terms, op, format(kind)?, args[0], args[1])?,
        Expr::FloatCompare { cmp, kind, .. } => {
            let FloatCmp { less, equal, greater, unordered } = cmp;
            let wanted = Relations { less, equal, greater, unordered };
            format(kind)?.compare(terms, args[0], args[1], wanted)
        }
        Expr::FloatCast { from, to, .. } => format(to)?.from_format(terms, format(from)?, args[0]),
        Expr::FloatToInt { from, signed, width, .. } => {
            format(from)?.to_int(terms, args[0], signed, width)
        }
        Expr::IntToFloat { to, signed, .. } => format(to)?.from_int(terms, args[0], signed),
    })
}

/// The formats that are modelled.
fn format(kind: FloatKind) -> Option<Format> {
    match kind {
        FloatKind::Half => Some(Format::HALF),
        FloatKind::Single => Some(Format::SINGLE),
        FloatKind::Double => Some(Format::DOUBLE),
        FloatKind::X87 | FloatKind::Quad => None,
    }
}

fn float(terms: &mut Terms, op: FloatOp, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    match op {
        FloatOp::Add => Some(format.add(terms, a, b)),
        FloatOp::Sub => Some(format.sub(terms, a, b)),
        FloatOp::Mul => Some(format.mul(terms, a, b)),
        FloatOp::Div => Some(format.div(terms, a, b)),
        FloatOp::Min => Some(format.min(terms, a, b)),
        FloatOp::Max => Some(format.max(terms, a, b)),
        FloatOp::CopySign => Some(format.copy_sign(terms, a, b)),
        FloatOp::Rem => None,
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

/// The condition under which a division is defined; `None` for other operations.
pub fn division_guard(terms: &mut Terms, e: &Expr, args: &[TermId]) -> Option<TermId> {
    let Expr::Binary { op, .. } = *e else { return None };
    let signed = match op {
        BinOp::UDiv | BinOp::URem => false,
        BinOp::SDiv | BinOp::SRem => true,
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => return None,
    };
    debug_assert_eq!(args.len(), 2, "a division has two operands");
    let width = terms.width(args[1]);
    let zero = terms.constant(0, width);
    let nonzero = terms.ne(args[1], zero);
    if !signed {
        return Some(nonzero);
    }
    let minimum = terms.constant(1 << (width - 1), width);
    let minus_one = terms.constant(raddle_term::mask(width), width);
    let (low, negative) = (terms.eq(args[0], minimum), terms.eq(args[1], minus_one));
    let both = terms.and(low, negative);
    let fits = terms.not(both);
    Some(terms.and(nonzero, fits))
}

fn compare(terms: &mut Terms, op: CmpOp, a: TermId, b: TermId) -> TermId {
    match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Ult => terms.ult(a, b),
        CmpOp::Ule => terms.ule(a, b),
        CmpOp::Ugt => terms.ugt(a, b),
        CmpOp::Uge => terms.uge(a, b),
        CmpOp::Slt => terms.slt(a, b),
        CmpOp::Sle => terms.sle(a, b),
        CmpOp::Sgt => terms.sgt(a, b),
        CmpOp::Sge => terms.sge(a, b),
    }
}

fn overflows(terms: &mut Terms, op: BinOp, signed: bool, a: TermId, b: TermId) -> Option<TermId> {
    Some(match (op, signed) {
        (BinOp::Add, true) => terms.add_overflow_signed(a, b),
        (BinOp::Add, false) => terms.add_overflow_unsigned(a, b),
        (BinOp::Sub, true) => terms.sub_overflow_signed(a, b),
        (BinOp::Sub, false) => terms.sub_overflow_unsigned(a, b),
        (BinOp::Mul, true) => terms.mul_overflow_signed(a, b),
        (BinOp::Mul, false) => terms.mul_overflow_unsigned(a, b),
        (
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor,
            _,
        ) => return None,
    })
}

fn bits(terms: &mut Terms, op: BitOp, a: TermId) -> TermId {
    let width = terms.width(a);
    let bit = |terms: &mut Terms, i: u32| terms.extract(a, i, i);
    match op {
        BitOp::CountOnes => {
            let mut sum = terms.constant(0, width);
            for i in 0..width {
                let b = bit(terms, i);
                let b = terms.zext(b, width);
                sum = terms.add(sum, b);
            }
            sum
        }
        BitOp::LeadingZeros | BitOp::TrailingZeros => {
            // The last bit looked at wins: go from the far end to the near one.
            let mut result = terms.constant(u128::from(width), width);
            for distance in (0..width).rev() {
                let i = if op == BitOp::TrailingZeros { distance } else { width - 1 - distance };
                let (b, d) = (bit(terms, i), terms.constant(u128::from(distance), width));
                result = terms.ite(b, d, result);
            }
            result
        }
        BitOp::SwapBytes => {
            let bytes: Vec<TermId> =
                (0..width / 8).map(|i| terms.extract(a, i * 8 + 7, i * 8)).collect();
            bytes[1..].iter().fold(bytes[0], |high, &low| terms.concat(high, low))
        }
        BitOp::Reverse => {
            let all: Vec<TermId> = (0..width).map(|i| bit(terms, i)).collect();
            all[1..].iter().fold(all[0], |high, &low| terms.concat(high, low))
        }
    }
}

/// The new value of a read-modify-write.
pub fn modify(terms: &mut Terms, op: RmwOp, old: TermId, value: TermId) -> TermId {
    match op {
        RmwOp::Exchange => value,
        RmwOp::Add => terms.add(old, value),
        RmwOp::Sub => terms.sub(old, value),
        RmwOp::And => terms.and(old, value),
        RmwOp::Nand => {
            let both = terms.and(old, value);
            terms.not(both)
        }
        RmwOp::Or => terms.or(old, value),
        RmwOp::Xor => terms.xor(old, value),
        RmwOp::Max => {
            let c = terms.sgt(old, value);
            terms.ite(c, old, value)
        }
        RmwOp::Min => {
            let c = terms.slt(old, value);
            terms.ite(c, old, value)
        }
        RmwOp::UMax => {
            let c = terms.ugt(old, value);
            terms.ite(c, old, value)
        }
        RmwOp::UMin => {
            let c = terms.ult(old, value);
            terms.ite(c, old, value)
        }
    }
}
