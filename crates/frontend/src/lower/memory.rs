//! Loads, stores, atomics, stack objects, block copies.
//!
//! Aggregates are loaded and stored scalar by scalar. Copies of constant length become
//! straight-line loads, then stores, in the element structure of the source or destination where
//! that is known: such accesses fall on the same cells as the rest of the program's. Bytes between
//! the elements are copied as well, since in a union they may be data. Other copies call the
//! library model of `memcpy` and its kin.

use raddle_ir::{
    Access, AllocKind, BinOp, Callee, CastOp, Expr, Instr, Op, Operand, Order, Place, RmwOp, Wrap,
};

use super::body::{Binding, Body};
use super::compute::{Computes, Parts, constant, one};
use super::refusal::{Lowered, refuse};
use super::unit::Leaf;
use crate::llvm::ast::{self as ll, Item, Value};
use crate::llvm::types::{Type, TypeId};

/// Longer copies are loops in the library model.
const MOST_CHUNKS: usize = 1024;

/// The memory order of an atomic access.
pub(crate) fn order(ordering: ll::Ordering) -> Order {
    match ordering {
        ll::Ordering::Unordered | ll::Ordering::Monotonic => Order::Relaxed,
        ll::Ordering::Acquire => Order::Acquire,
        ll::Ordering::Release => Order::Release,
        ll::Ordering::AcquireRelease => Order::AcqRel,
        ll::Ordering::SequentiallyConsistent => Order::SeqCst,
    }
}

impl Body<'_, '_> {
    pub(crate) fn access(&self, access: &ll::Access) -> Access {
        let atomic = self.cx.volatile_is_atomic && access.volatile;
        Access {
            atomic: access.ordering.map(order).or(atomic.then_some(Order::SeqCst)),
            volatile: access.volatile,
            hidden: self.hides(),
            holder: false,
            set: false,
        }
    }

    /// A plain access.
    pub(crate) fn plain(&self) -> Access {
        Access { hidden: self.hides(), ..Access::default() }
    }

    /// `alloca`.
    pub(crate) fn allocate(&mut self, instruction: &ll::Instruction) -> Lowered<()> {
        let (Some(local), ll::Op::Allocate { ty, count, align, address_space }) =
            (instruction.result, &instruction.op)
        else {
            return refuse("an alloca without result");
        };
        if let Some(width) = self.facts.promoted(local) {
            if matches!(self.bindings[local.0 as usize], Binding::Unset) && width > 0 {
                let reg = self.variable(width, local);
                self.bindings[local.0 as usize] = Binding::Variable(reg);
            }
            return Ok(());
        }
        if *address_space != 0 {
            return refuse("stack memory of a special address space");
        }
        let bits = self.unit.pointer_bits();
        let size = constant(u128::from(self.unit.size(*ty)?), bits);
        let size = match count {
            None => size,
            Some(count) => {
                let width = self.unit.width(count.ty)?;
                let n = self.typed(count)?;
                let n = self.resize(n, width, bits)?;
                let wrap = Wrap::default();
                self.compute(Expr::Binary { op: BinOp::Mul, a: n, b: size, wrap }, bits)?
            }
        };
        let align = align.unwrap_or_else(|| self.unit.align(*ty));
        let variable = self.facts.variables.get(&local).copied();
        let variable = variable.and_then(|v| self.cx.variable(self.unit_id, v));
        let (name, ctype) = match variable {
            Some(v) => (v.name, v.ctype),
            None if count.is_some() => {
                self.name_heap_object("alloca", true, Some(local));
                ("alloca".to_string(), None)
            }
            None => (self.llvm_name(local), None),
        };
        let dst = self.register(bits);
        let kind = AllocKind::Stack;
        self.push(Op::Alloc { dst, size, align, kind, zeroed: false, name, ctype });
        self.bind(Some(local), one(Operand::Reg(dst)));
        Ok(())
    }

    fn llvm_name(&self, local: ll::LocalId) -> String {
        match self.function.local(local).name {
            ll::LocalName::Named(symbol) => self.unit.module.name(symbol).to_string(),
            ll::LocalName::Numbered(n) => format!("%{n}"),
        }
    }

    /// Zero-extends or cuts.
    pub(crate) fn resize(&mut self, a: Operand, from: u32, width: u32) -> Lowered<Operand> {
        let op = match from.cmp(&width) {
            std::cmp::Ordering::Equal => return Ok(a),
            std::cmp::Ordering::Less => CastOp::ZeroExtend,
            std::cmp::Ordering::Greater => CastOp::Trunc,
        };
        self.compute(Expr::Cast { op, a, width }, width)
    }

    /// An address some bytes further on.
    pub(crate) fn offset(&mut self, base: Operand, by: u64) -> Lowered<Operand> {
        let bits = self.unit.pointer_bits();
        self.compute(Expr::Offset { base, offset: constant(u128::from(by), bits) }, bits)
    }

    pub(crate) fn load(
        &mut self,
        result: Option<ll::LocalId>,
        ty: TypeId,
        pointer: &ll::Operand,
        access: &ll::Access,
    ) -> Lowered<()> {
        if let Value::Local(id) = pointer.value
            && let Binding::Variable(reg) = self.bindings[id.0 as usize]
        {
            let Some(local) = result else { return Ok(()) };
            if self.facts.forwards(local, id, self.at.0, self.at.1) {
                self.bind(result, one(Operand::Reg(reg)));
            } else {
                let dst = self.register(self.regs[reg.index()].width);
                self.push(Op::Assign { dst, value: Expr::Use(Operand::Reg(reg)) });
                self.bind(result, one(Operand::Reg(dst)));
            }
            return Ok(());
        }
        self.unit.in_memory(ty)?;
        let base = self.typed(pointer)?;
        let access = self.access(access);
        let parts = self.load_parts(base, &self.unit.leaves(ty)?.clone(), access)?;
        self.bind(result, parts.into_iter().map(Some).collect());
        Ok(())
    }

    /// Loads scalars one by one.
    fn load_parts(
        &mut self,
        base: Operand,
        leaves: &[Leaf],
        access: Access,
    ) -> Lowered<Vec<Operand>> {
        let mut parts = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let addr = self.offset(base, leaf.offset)?;
            let dst = self.register(leaf.width);
            self.push(Op::Load { dst, addr, access });
            parts.push(Operand::Reg(dst));
        }
        Ok(parts)
    }

    pub(crate) fn store(
        &mut self,
        value: &ll::Operand,
        pointer: &ll::Operand,
        access: &ll::Access,
    ) -> Lowered<()> {
        if let Value::Local(id) = pointer.value
            && let Binding::Variable(reg) = self.bindings[id.0 as usize]
        {
            return self.assign_variable(reg, value);
        }
        self.unit.in_memory(value.ty)?;
        let parts = self.parts(value.ty, &value.value)?;
        let parts = self.define(value.ty, &parts)?;
        let base = self.typed(pointer)?;
        let access = self.access(access);
        let leaves = self.unit.leaves(value.ty)?.clone();
        for (leaf, &value) in leaves.iter().zip(&parts) {
            let addr = self.offset(base, leaf.offset)?;
            self.push(Op::Store { addr, value, width: leaf.width, access });
        }
        Ok(())
    }

    /// A store to a variable that became a register.
    fn assign_variable(&mut self, reg: raddle_ir::RegId, value: &ll::Operand) -> Lowered<()> {
        let operand = self.typed(value)?;
        if operand == Operand::Reg(reg) {
            return Ok(());
        }
        // If the instruction just before computes the value for this store alone, let it write
        // here.
        if let (Value::Local(id), Operand::Reg(from)) = (&value.value, operand)
            && self.fresh == Some(*id)
            && self.facts.uses[id.0 as usize].count == 1
            && let Some(Instr { op, .. }) = self.instrs.last_mut()
            && let Some(dst) = only_result(op)
            && *dst == from
        {
            *dst = reg;
            return Ok(());
        }
        self.push(Op::Assign { dst: reg, value: Expr::Use(operand) });
        Ok(())
    }

    pub(crate) fn compare_exchange(&mut self, x: &ll::CompareExchange) -> Lowered<Parts> {
        let width = self.unit.width(x.expected.ty)?;
        let addr = self.typed(&x.pointer)?;
        let expected = self.typed(&x.expected)?;
        let new = self.typed(&x.desired)?;
        let (old, ok) = (self.register(width), self.register(1));
        let access = self.access(&x.access);
        let weak = x.weak;
        self.push(Op::CompareExchange { old, ok, addr, expected, new, width, access, weak });
        Ok([old, ok].into_iter().map(|r| Some(Operand::Reg(r))).collect())
    }

    pub(crate) fn read_modify_write(&mut self, x: &ll::ReadModifyWrite) -> Lowered<Parts> {
        let width = self.unit.width(x.value.ty)?;
        let op = match x.op {
            ll::RmwOp::Exchange => RmwOp::Exchange,
            ll::RmwOp::Add => RmwOp::Add,
            ll::RmwOp::Sub => RmwOp::Sub,
            ll::RmwOp::And => RmwOp::And,
            ll::RmwOp::Nand => RmwOp::Nand,
            ll::RmwOp::Or => RmwOp::Or,
            ll::RmwOp::Xor => RmwOp::Xor,
            ll::RmwOp::SignedMax => RmwOp::Max,
            ll::RmwOp::SignedMin => RmwOp::Min,
            ll::RmwOp::UnsignedMax => RmwOp::UMax,
            ll::RmwOp::UnsignedMin => RmwOp::UMin,
            ll::RmwOp::FloatAdd | ll::RmwOp::FloatSub => return self.float_modify(x, width),
            ll::RmwOp::FloatMax
            | ll::RmwOp::FloatMin
            | ll::RmwOp::FloatMaximum
            | ll::RmwOp::FloatMinimum
            | ll::RmwOp::IncrementWrap
            | ll::RmwOp::DecrementWrap
            | ll::RmwOp::SubConditional
            | ll::RmwOp::SubSaturating => {
                return refuse(format!("the atomic operation {:?}", x.op));
            }
        };
        let addr = self.typed(&x.pointer)?;
        let value = self.typed(&x.value)?;
        let dst = self.register(width);
        let access = self.access(&x.access);
        self.push(Op::Rmw { dst, op, addr, value, width, access });
        Ok(one(Operand::Reg(dst)))
    }

    /// Atomic floating-point addition: an atomic section, as the program model has no such
    /// operation.
    fn float_modify(&mut self, x: &ll::ReadModifyWrite, width: u32) -> Lowered<Parts> {
        let kind = self.unit.float(x.value.ty)?;
        let op = match x.op {
            ll::RmwOp::FloatSub => raddle_ir::FloatOp::Sub,
            _ => raddle_ir::FloatOp::Add,
        };
        let addr = self.typed(&x.pointer)?;
        let value = self.typed(&x.value)?;
        let access = self.access(&x.access);
        let old = self.register(width);
        self.push(Op::AtomicBegin);
        self.push(Op::Load { dst: old, addr, access });
        let old = Operand::Reg(old);
        let new = self.compute(Expr::Float { op, kind, a: old, b: value }, width)?;
        self.push(Op::Store { addr, value: new, width, access });
        self.push(Op::AtomicEnd);
        Ok(one(old))
    }

    /// `llvm.memcpy` and `llvm.memmove`.
    pub(crate) fn copy(&mut self, call: &ll::Call, name: &str) -> Lowered<()> {
        let [to, from, length, ..] = call.arguments.as_slice() else {
            return refuse("a copy without arguments");
        };
        let align = to.attributes.align.unwrap_or(1).min(from.attributes.align.unwrap_or(1));
        let target = self.typed(&to.operand)?;
        let source = self.typed(&from.operand)?;
        let length_width = self.unit.width(length.operand.ty)?;
        let length = self.typed(&length.operand)?;
        if let Operand::Const(c) = length {
            let types = [self.pointee(&to.operand.value), self.pointee(&from.operand.value)];
            if let Some(chunks) = self.chunks(c.value, &types, align) {
                if name == "memcpy" {
                    let to = (&to.operand.value, target);
                    self.check_apart(to, (&from.operand.value, source), c.value)?;
                }
                let access = self.plain();
                let parts = self.load_parts(source, &chunks, access)?;
                for (chunk, value) in chunks.iter().zip(parts) {
                    let addr = self.offset(target, chunk.offset)?;
                    self.push(Op::Store { addr, value, width: chunk.width, access });
                }
                return Ok(());
            }
        }
        let length = self.resize(length, length_width, self.unit.pointer_bits())?;
        self.call_library(name, vec![target, source, length])
    }

    /// `llvm.memset`.
    pub(crate) fn fill(&mut self, call: &ll::Call) -> Lowered<()> {
        let [to, byte, length, ..] = call.arguments.as_slice() else {
            return refuse("a memset without arguments");
        };
        let target = self.typed(&to.operand)?;
        let value = self.typed(&byte.operand)?;
        let length_width = self.unit.width(length.operand.ty)?;
        let length = self.typed(&length.operand)?;
        if let Operand::Const(c) = length {
            let types = [self.pointee(&to.operand.value), None];
            let align = to.attributes.align.unwrap_or(1);
            if let Some(chunks) = self.chunks(c.value, &types, align) {
                let access = self.plain();
                for chunk in chunks {
                    let addr = self.offset(target, chunk.offset)?;
                    let wide = self.repeat(value, chunk.width)?;
                    self.push(Op::Store { addr, value: wide, width: chunk.width, access });
                }
                return Ok(());
            }
        }
        let length = self.resize(length, length_width, self.unit.pointer_bits())?;
        let value = self.resize(value, 8, 32)?;
        self.call_library("memset", vec![target, value, length])
    }

    /// A byte repeated over the whole width.
    fn repeat(&mut self, byte: Operand, width: u32) -> Lowered<Operand> {
        if width == 8 {
            return Ok(byte);
        }
        let wide = self.compute(Expr::Cast { op: CastOp::ZeroExtend, a: byte, width }, width)?;
        let ones = (0..width / 8).fold(0u128, |v, i| v | 1 << (8 * i));
        let b = constant(ones, width);
        let wrap = Wrap::default();
        self.compute(Expr::Binary { op: BinOp::Mul, a: wide, b, wrap }, width)
    }

    /// Calls a function of the library by name.
    fn call_library(&mut self, name: &str, args: Vec<Operand>) -> Lowered<()> {
        let Some((unit, Item::Function(index))) = self.cx.model(name) else {
            return refuse(format!("`{name}` of variable or large length"));
        };
        let function = self.cx.function(unit, index);
        self.push(Op::Call { dst: None, callee: Callee::Direct(function), args });
        Ok(())
    }

    /// The type of the object that an address surely starts, if it can be told.
    fn pointee(&self, value: &Value) -> Option<TypeId> {
        match value {
            Value::Local(id) => match &self.facts.definition(self.function, *id)?.op {
                ll::Op::Allocate { ty, count: None, .. } => Some(*ty),
                ll::Op::ElementPointer(gep) => self.indexed(gep),
                _ => None,
            },
            Value::Global(symbol) => match self.unit.module.items.get(symbol)? {
                Item::Global(g) => Some(self.unit.module.globals[*g as usize].ty),
                Item::Function(_) | Item::Alias(_) => None,
            },
            Value::Constant(_) | Value::Metadata(_) => None,
        }
    }

    /// The type that a `getelementptr` leads to.
    fn indexed(&self, gep: &ll::ElementPointer) -> Option<TypeId> {
        let types = &self.unit.module.types;
        let mut ty = gep.source;
        for index in gep.indices.iter().skip(1) {
            ty = match (types.get(ty), &index.value) {
                (Type::Array { element, .. } | Type::Vector { element, .. }, _) => *element,
                (_, Value::Constant(ll::Constant::Integer(i))) => types.part(ty, *i)?,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// Divides `length` bytes into accesses; `None` if there are too many.
    fn chunks(&self, length: u128, types: &[Option<TypeId>], align: u32) -> Option<Vec<Leaf>> {
        let length = u64::try_from(length).ok()?;
        let word = u64::from(self.unit.pointer_bits() / 8);
        let step = u64::from(align.max(1)).min(word);
        if length / word > MOST_CHUNKS as u64 {
            return None;
        }
        let mut chunks = Vec::new();
        let mut done = 0;
        let fitting = |ty: &&TypeId| self.unit.size(**ty).is_ok_and(|s| s >= length && s > 0);
        if let Some(ty) = types.iter().flatten().find(fitting) {
            for leaf in self.unit.leaves(*ty).ok()?.iter() {
                let bytes = u64::from(leaf.width.div_ceil(8));
                if leaf.offset + bytes > length {
                    break;
                }
                gap(&mut chunks, done, leaf.offset, word);
                chunks.push(Leaf { offset: leaf.offset, width: bytes as u32 * 8 });
                done = leaf.offset + bytes;
            }
            gap(&mut chunks, done, length, word);
        } else {
            gap(&mut chunks, 0, length, step);
        }
        (chunks.len() <= MOST_CHUNKS).then_some(chunks)
    }

    /// A stack object made at the start of the function.
    pub(crate) fn slot(&mut self, size: u64, align: u32, name: &str) -> Operand {
        let bits = self.unit.pointer_bits();
        let dst = self.register(bits);
        let op = Op::Alloc {
            dst,
            size: constant(u128::from(size), bits),
            align,
            kind: AllocKind::Stack,
            zeroed: false,
            name: name.to_string(),
            ctype: None,
        };
        self.prologue.push(Instr { op, place: Place::UNKNOWN });
        Operand::Reg(dst)
    }

    /// Copies an object for a parameter passed by value.
    pub(crate) fn by_value(&mut self, source: Operand, ty: TypeId) -> Lowered<Operand> {
        let size = self.unit.size(ty)?;
        let align = self.unit.align(ty);
        let slot = self.slot(size, align, "argument");
        // C does not say what padding holds in a copy; bytes between the members of a union may be
        // data.
        let chunks = if self.unit.has_union(ty) {
            self.chunks(u128::from(size), &[Some(ty)], align)
        } else {
            Some(self.unit.leaves(ty)?.to_vec()).filter(|l| l.len() <= MOST_CHUNKS)
        };
        let Some(chunks) = chunks else {
            let bits = self.unit.pointer_bits();
            self.call_library("memcpy", vec![slot, source, constant(u128::from(size), bits)])?;
            return Ok(slot);
        };
        let access = self.plain();
        let parts = self.load_parts(source, &chunks, access)?;
        for (chunk, value) in chunks.iter().zip(parts) {
            let addr = self.offset(slot, chunk.offset)?;
            self.push(Op::Store { addr, value, width: chunk.width, access });
        }
        Ok(slot)
    }
}

/// Covers the bytes from `from` up to `to` with aligned accesses of at most `step` bytes.
fn gap(chunks: &mut Vec<Leaf>, from: u64, to: u64, step: u64) {
    let mut at = from;
    while at < to {
        let mut size = step;
        while !at.is_multiple_of(size) || at + size > to {
            size /= 2;
        }
        chunks.push(Leaf { offset: at, width: size as u32 * 8 });
        at += size;
    }
}

/// The register of an instruction that assigns just one.
fn only_result(op: &mut Op) -> Option<&mut raddle_ir::RegId> {
    match op {
        Op::Assign { dst, .. }
        | Op::Load { dst, .. }
        | Op::Rmw { dst, .. }
        | Op::Input { dst, .. }
        | Op::Alloc { dst, .. }
        | Op::ThreadSelf { dst, .. }
        | Op::TryLock { dst, .. } => Some(dst),
        Op::Call { dst, .. } | Op::Create { dst, .. } | Op::Join { dst, .. } => dst.as_mut(),
        Op::Store { .. }
        | Op::CompareExchange { .. }
        | Op::Fence { .. }
        | Op::Free { .. }
        | Op::ObjectSize { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadExit { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Block { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_covered_by_aligned_accesses() {
        let check = |from, to, step, expected: &[(u64, u32)]| {
            let mut chunks = Vec::new();
            gap(&mut chunks, from, to, step);
            let found: Vec<_> = chunks.iter().map(|c| (c.offset, c.width)).collect();
            assert_eq!(found, expected);
        };
        check(0, 8, 4, &[(0, 32), (4, 32)]);
        check(1, 8, 4, &[(1, 8), (2, 16), (4, 32)]);
        check(0, 7, 8, &[(0, 32), (4, 16), (6, 8)]);
        check(0, 3, 1, &[(0, 8), (1, 8), (2, 8)]);
        check(4, 4, 4, &[]);
    }
}
