//! Integer expressions over values that the caller knows.
//!
//! Only what counting loops and constant addresses need: everything floating is left alone.

use raddle_ir::fold::{binary, cast, compare};
use raddle_ir::{BinOp, Expr, Operand};

/// The value of an expression whose operands have the values and widths that `value` gives.
pub fn expr(
    expression: &Expr,
    mut value: impl FnMut(Operand) -> Option<(u128, u32)>,
) -> Option<u128> {
    match *expression {
        Expr::Use(a) => Some(value(a)?.0),
        Expr::Binary { op, a, b, .. } => {
            let ((a, width), (b, _)) = (value(a)?, value(b)?);
            binary(op, a, b, width)
        }
        Expr::Offset { base, offset } => {
            let ((a, width), (b, _)) = (value(base)?, value(offset)?);
            binary(BinOp::Add, a, b, width)
        }
        Expr::Compare { op, a, b } => {
            let ((a, width), (b, _)) = (value(a)?, value(b)?);
            Some(u128::from(compare(op, a, b, width)))
        }
        Expr::Cast { op, a, width } => {
            let (a, from) = value(a)?;
            Some(cast(op, a, from, width))
        }
        Expr::Select { cond, a, b } => {
            let chosen = if value(cond)?.0 == 1 { a } else { b };
            Some(value(chosen)?.0)
        }
        Expr::Overflows { .. }
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
