//! Constant folding of expressions while they are lowered.
//!
//! Only what clang leaves behind at `-O0` matters: address arithmetic with constant offsets, casts
//! of constants, `sizeof` sums. Addresses of globals stay symbolic (`Operand::Global` with an
//! offset), so analyses keep seeing them.
//! Invariant: an operation that C leaves undefined (signed overflow, division by zero, oversized
//! shifts) is never folded, so that a check can still be put before it.

use raddle_ir::{BinOp, Const, Expr, Operand, Wrap, fold};

/// The value of an expression that needs no computation at run time.
pub(crate) fn fold_expr(expr: &Expr, pointer_bits: u32) -> Option<Operand> {
    match *expr {
        Expr::Use(a) => Some(a),
        Expr::Binary { op, a, b, wrap } => match (a, b) {
            (Operand::Const(a), Operand::Const(b)) => {
                binary(op, a, b, wrap).map(|v| Operand::Const(Const::new(v, a.width)))
            }
            (Operand::Global(g, offset), Operand::Const(c)) if c.width == pointer_bits => {
                let by = signed(c) as i64;
                match op {
                    BinOp::Add => offset.checked_add(by).map(|o| Operand::Global(g, o)),
                    BinOp::Sub => offset.checked_sub(by).map(|o| Operand::Global(g, o)),
                    BinOp::Mul
                    | BinOp::UDiv
                    | BinOp::SDiv
                    | BinOp::URem
                    | BinOp::SRem
                    | BinOp::Shl
                    | BinOp::LShr
                    | BinOp::AShr
                    | BinOp::And
                    | BinOp::Or
                    | BinOp::Xor => None,
                }
            }
            (Operand::Global(g, x), Operand::Global(h, y)) if g == h && op == BinOp::Sub => {
                Some(Operand::Const(Const::new(i128::from(x - y) as u128, pointer_bits)))
            }
            _ => None,
        },
        Expr::Offset { base, offset } => match (base, offset) {
            (base, Operand::Const(c)) if c.value == 0 => Some(base),
            (Operand::Global(g, x), Operand::Const(c)) => {
                x.checked_add(signed(c) as i64).map(|o| Operand::Global(g, o))
            }
            (Operand::Const(a), Operand::Const(c)) => {
                Some(Operand::Const(Const::new(a.value.wrapping_add(c.value), a.width)))
            }
            _ => None,
        },
        Expr::Compare { op, a: Operand::Const(a), b: Operand::Const(b) } => {
            let holds = fold::compare(op, a.value, b.value, a.width);
            Some(Operand::Const(Const::new(u128::from(holds), 1)))
        }
        Expr::Cast { op, a: Operand::Const(a), width } => {
            let value = fold::cast(op, a.value, a.width, width);
            Some(Operand::Const(Const::new(value, width)))
        }
        Expr::Select { cond: Operand::Const(c), a, b } => Some(if c.value != 0 { a } else { b }),
        Expr::Select { a, b, .. } if a == b => Some(a),
        Expr::Compare { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::Overflows { .. }
        | Expr::Bits { .. }
        | Expr::Float { .. }
        | Expr::FloatNeg { .. }
        | Expr::FloatAbs { .. }
        | Expr::FloatCompare { .. }
        | Expr::FloatCast { .. }
        | Expr::FloatToInt { .. }
        | Expr::IntToFloat { .. } => None,
    }
}

/// The value of a constant as a signed number.
pub(crate) fn signed(c: Const) -> i128 {
    fold::signed(c.value, c.width)
}

/// `None` also for what the model defines but C does not.
fn binary(op: BinOp, a: Const, b: Const, wrap: Wrap) -> Option<u128> {
    let (x, y) = (signed(a), signed(b));
    let fits = |v: Option<i128>| v.is_some_and(|v| signed(Const::new(v as u128, a.width)) == v);
    let defined = match op {
        BinOp::Add => !wrap.no_signed || fits(x.checked_add(y)),
        BinOp::Sub => !wrap.no_signed || fits(x.checked_sub(y)),
        BinOp::Mul => !wrap.no_signed || fits(x.checked_mul(y)),
        BinOp::Shl => !wrap.no_signed && b.value < u128::from(a.width),
        BinOp::LShr | BinOp::AShr => b.value < u128::from(a.width),
        BinOp::UDiv
        | BinOp::URem
        | BinOp::SDiv
        | BinOp::SRem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => true,
    };
    if defined { fold::binary(op, a.value, b.value, a.width) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{CastOp, CmpOp, GlobalId};

    fn c(value: i128, width: u32) -> Operand {
        Operand::Const(Const::new(value as u128, width))
    }

    #[test]
    fn defined_operations_fold_and_others_stay() {
        let g = Operand::Global(GlobalId(0), 4);
        let nsw = Wrap { no_signed: true, no_unsigned: false };
        let free = Wrap::default();
        let bin = |op, a, b, wrap| Expr::Binary { op, a, b, wrap };
        let cases = [
            (bin(BinOp::Add, c(2, 32), c(-3, 32), nsw), Some(c(-1, 32))),
            (bin(BinOp::Add, c(i128::from(i32::MAX), 32), c(1, 32), nsw), None),
            (bin(BinOp::Add, c(255, 8), c(1, 8), free), Some(c(0, 8))),
            (bin(BinOp::SDiv, c(-7, 32), c(2, 32), free), Some(c(-3, 32))),
            (bin(BinOp::SDiv, c(-7, 32), c(0, 32), free), None),
            (bin(BinOp::UDiv, c(7, 32), c(0, 32), free), None),
            (bin(BinOp::Shl, c(1, 32), c(32, 32), free), None),
            (bin(BinOp::AShr, c(-8, 32), c(1, 32), free), Some(c(-4, 32))),
            (bin(BinOp::Add, g, c(-4, 32), free), Some(Operand::Global(GlobalId(0), 0))),
            (bin(BinOp::Sub, g, g, free), Some(c(0, 32))),
            (Expr::Offset { base: g, offset: c(8, 32) }, Some(Operand::Global(GlobalId(0), 12))),
            (Expr::Cast { op: CastOp::SignExtend, a: c(-1, 8), width: 32 }, Some(c(-1, 32))),
            (Expr::Compare { op: CmpOp::Slt, a: c(-1, 8), b: c(0, 8) }, Some(c(1, 1))),
        ];
        for (expr, expected) in cases {
            assert_eq!(fold_expr(&expr, 32), expected, "{expr:?}");
        }
    }
}
