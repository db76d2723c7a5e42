//! Copies of known length between blocks that may overlap.
//!
//! C leaves undefined what `memcpy` does to blocks that overlap, and an assignment of structures that overlap in part.
//! Where `memory` is checked such a copy has a check before it, as the library model has for copies of other lengths
//! (`apart.h`). A copy of a block onto itself is none: it is harmless, and what clang makes of `*p = *p`.
//!
//! Most copies are between two variables, or from an initialiser: those need no check.

use raddle_ir::{BinOp, CmpOp, Expr, Op, Operand, Property, Wrap};

use super::body::Body;
use super::compute::{Computes, constant};
use super::refusal::Lowered;
use crate::llvm::ast::{self as ll, Value};

/// What the report says.
const OVERLAP: &str =
    "the block that is copied overlaps with the place that it is copied to (memmove allows that)";

impl Body<'_, '_> {
    /// A check that `length` bytes at the two addresses are the same ones, or apart.
    pub(crate) fn check_apart(
        &mut self,
        to: (&Value, Operand),
        from: (&Value, Operand),
        length: u128,
    ) -> Lowered<()> {
        let needless = length <= 1 || self.surely_apart(to.0, from.0);
        if needless || !self.cx.checked.contains(Property::Memory) {
            return Ok(());
        }
        let bits = self.unit.pointer_bits();
        let wrap = Wrap::default();
        let up = self.compute(Expr::Binary { op: BinOp::Sub, a: to.1, b: from.1, wrap }, bits)?;
        let same = Expr::Compare { op: CmpOp::Eq, a: up, b: constant(0, bits) };
        let same = self.compute(same, 1)?;
        // From `length - 1` below to as much above: one interval, moved to begin at 0.
        let moved = Expr::Binary { op: BinOp::Add, a: up, b: constant(length - 1, bits), wrap };
        let moved = self.compute(moved, bits)?;
        let far = Expr::Compare { op: CmpOp::Ugt, a: moved, b: constant(2 * length - 2, bits) };
        let far = self.compute(far, 1)?;
        let cond = self.compute(Expr::Binary { op: BinOp::Or, a: same, b: far, wrap }, 1)?;
        self.push(Op::Check { property: Property::Memory, cond, message: OVERLAP.to_string() });
        Ok(())
    }

    /// Whether two addresses lie in variables that are not the same.
    fn surely_apart(&self, a: &Value, b: &Value) -> bool {
        match (self.lies_in(a), self.lies_in(b)) {
            (Some(Value::Local(a)), Some(Value::Local(b))) => a != b,
            (Some(Value::Global(a)), Some(Value::Global(b))) => a != b,
            (Some(_), Some(_)) => true,
            (None, _) | (_, None) => false,
        }
    }

    /// The variable that an address lies in, if the function itself says so.
    fn lies_in<'v>(&'v self, value: &'v Value) -> Option<&'v Value> {
        match value {
            Value::Local(id) => match &self.facts.definition(self.function, *id)?.op {
                ll::Op::Allocate { .. } => Some(value),
                ll::Op::ElementPointer(gep) => self.lies_in(&gep.base.value),
                _ => None,
            },
            Value::Global(_) => Some(value),
            Value::Constant(_) | Value::Metadata(_) => None,
        }
    }
}
