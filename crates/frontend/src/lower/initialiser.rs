//! Initial contents of globals: bytes, and which of them are addresses.
//!
//! The list of addresses lets points-to analysis start from the initialisers. What is no plain
//! address (a difference of labels, a pointer cut to a smaller integer) is computed here, as all
//! addresses are known.

use raddle_ir::{Expr, GlobalId, Operand, Place};

use super::compute::{Computes, Parts, constant};
use super::context::Context;
use super::fold::fold_expr;
use super::link::Address;
use super::refusal::{Lowered, Refusal, refuse};
use super::unit::{Unit, UnitId};
use crate::llvm::ast::{self as ll, Constant, Value};
use crate::llvm::symbols::Symbol;
use crate::llvm::types::{Type, TypeId};

/// Larger initialisers are refused: nobody writes gigabytes by hand.
const LARGEST: u64 = 1 << 28;

struct Initialiser<'c, 'u> {
    cx: &'c mut Context,
    unit: &'u Unit,
    unit_id: UnitId,
    /// Where the global is declared.
    place: Place,
    bytes: Vec<u8>,
    pointers: Vec<(u64, Operand)>,
}

/// Lowers the initialiser of a global.
pub(crate) fn lower(cx: &mut Context, id: GlobalId, unit_id: UnitId, index: u32) {
    let owner = std::rc::Rc::clone(cx.unit(unit_id));
    let global = &owner.module.globals[index as usize];
    let Some(value) = &global.initializer else { return };
    let place = cx.program.global(id).place;
    let mut work =
        Initialiser { cx, unit: &owner, unit_id, place, bytes: Vec::new(), pointers: Vec::new() };
    let outcome = work.write(global.ty, value, 0);
    let (mut bytes, pointers) = (work.bytes, work.pointers);
    if let Err(Refusal(what)) = outcome {
        let name = owner.module.name(global.name);
        cx.refused_globals.push(format!("the initialiser of `{name}`: {what}"));
        return;
    }
    bytes.truncate(usize::try_from(cx.program.global(id).size).unwrap_or(usize::MAX));
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    let target = &mut cx.program.globals[id.index()];
    target.init = bytes;
    target.pointers = pointers;
}

impl Initialiser<'_, '_> {
    fn write(&mut self, ty: TypeId, value: &Value, at: u64) -> Lowered<()> {
        if at > LARGEST {
            return refuse("an initialiser of more than 256 MiB");
        }
        match value {
            Value::Constant(Constant::Zero | Constant::Null) => Ok(()),
            // An undefined part of an initialiser is padding: C zeroes static objects.
            Value::Constant(Constant::Undef | Constant::Poison) => Ok(()),
            Value::Constant(Constant::Bytes(bytes)) => {
                self.put(at, bytes);
                Ok(())
            }
            Value::Constant(Constant::Array(list)) => {
                let Type::Array { element, .. } = self.unit.module.types.get(ty) else {
                    return refuse("an array of another type");
                };
                let size = self.unit.size(*element)?;
                for (i, part) in list.iter().enumerate() {
                    self.write(
                        part.ty,
                        &part.value,
                        at.saturating_add((i as u64).saturating_mul(size)),
                    )?;
                }
                Ok(())
            }
            Value::Constant(Constant::Struct(list)) => {
                let layout = self.unit.layout(ty)?;
                for (part, offset) in list.iter().zip(&layout.offsets) {
                    self.write(part.ty, &part.value, at.saturating_add(*offset))?;
                }
                Ok(())
            }
            Value::Constant(_) | Value::Global(_) | Value::Local(_) | Value::Metadata(_) => {
                self.unit.in_memory(ty)?;
                let leaves = self.unit.leaves(ty)?;
                let parts = self.parts(ty, value)?;
                for (leaf, part) in leaves.iter().zip(parts) {
                    self.scalar(at + leaf.offset, leaf.width, part)?;
                }
                Ok(())
            }
        }
    }

    fn scalar(&mut self, at: u64, width: u32, part: Option<Operand>) -> Lowered<()> {
        let Some(operand) = part else { return Ok(()) };
        let Some(number) = self.cx.program.constant(operand) else {
            return refuse("a register in an initialiser");
        };
        if matches!(operand, Operand::Global(..) | Operand::Function(_)) {
            self.pointers.push((at, operand));
        }
        let bytes = number.to_le_bytes();
        self.put(at, &bytes[..width.div_ceil(8) as usize]);
        Ok(())
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if self.bytes.len() < at + bytes.len() {
            self.bytes.resize(at + bytes.len(), 0);
        }
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

impl<'u> Computes<'u> for Initialiser<'_, 'u> {
    fn context(&mut self) -> &mut Context {
        self.cx
    }

    fn unit(&self) -> &'u Unit {
        self.unit
    }

    fn unit_id(&self) -> UnitId {
        self.unit_id
    }

    /// Replaces addresses by their numbers and tries again.
    fn emit(&mut self, expr: Expr, _width: u32) -> Lowered<Operand> {
        let bits = self.unit.pointer_bits();
        let program = &self.cx.program;
        let number = |o: Operand| match program.constant(o) {
            Some(value) => constant(value, if let Operand::Const(c) = o { c.width } else { bits }),
            None => o,
        };
        let plain = match expr {
            Expr::Binary { op, a, b, wrap } => {
                Expr::Binary { op, a: number(a), b: number(b), wrap }
            }
            Expr::Offset { base, offset } => {
                Expr::Offset { base: number(base), offset: number(offset) }
            }
            Expr::Compare { op, a, b } => Expr::Compare { op, a: number(a), b: number(b) },
            Expr::Cast { op, a, width } => Expr::Cast { op, a: number(a), width },
            Expr::Select { cond, a, b } => Expr::Select { cond: number(cond), a, b },
            Expr::Use(_)
            | Expr::Overflows { .. }
            | Expr::Bits { .. }
            | Expr::Float { .. }
            | Expr::FloatNeg { .. }
            | Expr::FloatAbs { .. }
            | Expr::FloatCompare { .. }
            | Expr::FloatCast { .. }
            | Expr::FloatToInt { .. }
            | Expr::IntToFloat { .. } => expr,
        };
        fold_expr(&plain, bits).map_or_else(|| refuse("a constant expression"), Ok)
    }

    fn undefined(&mut self, width: u32) -> Operand {
        constant(0, width)
    }

    fn local(&mut self, _id: ll::LocalId) -> Lowered<Parts> {
        refuse("a local value in an initialiser")
    }

    fn address(&mut self, symbol: Symbol) -> Lowered<Operand> {
        match self.cx.address(self.unit_id, symbol, self.place)? {
            Address::Fixed(address) => Ok(address),
            Address::ThreadLocal(_) => refuse("the address of a thread-local variable"),
        }
    }
}
