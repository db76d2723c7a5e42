//! Arithmetic, comparisons, casts and address computation, for instructions and constant
//! expressions alike.
//!
//! Idea: constant expressions mean the same as instructions, so one implementation serves both,
//! over a trait that says what to do with an expression that does not fold: a function body emits
//! an assignment, an initialiser computes the number. Vectors are computed element by element.

use raddle_ir::expr::mask;
use raddle_ir::{BinOp, CastOp, CmpOp, Const, Expr, FloatCmp, FloatKind, FloatOp, Operand, Wrap};
use smallvec::SmallVec;

use super::context::Context;
use super::fold::{fold_expr, signed};
use super::refusal::{Lowered, refuse};
use super::unit::{Unit, UnitId};
use crate::llvm::ast::{
    self as ll, BinaryOp, Constant, ElementPointer, Expression, Flags, FloatPredicate,
    IntegerPredicate, Value,
};
use crate::llvm::types::{Type, TypeId};

/// A value: its scalars in order; `None` is undefined (any value will do).
pub(crate) type Parts = SmallVec<[Option<Operand>; 2]>;

/// Somewhere that values are computed.
pub(crate) trait Computes<'u> {
    fn context(&mut self) -> &mut Context;
    fn unit(&self) -> &'u Unit;
    fn unit_id(&self) -> UnitId;
    /// Computes an expression that does not fold.
    fn emit(&mut self, expr: Expr, width: u32) -> Lowered<Operand>;
    /// Any value of that width.
    fn undefined(&mut self, width: u32) -> Operand;
    /// The value of a local.
    fn local(&mut self, id: ll::LocalId) -> Lowered<Parts>;
    /// The address of what a global name stands for.
    fn address(&mut self, symbol: crate::llvm::symbols::Symbol) -> Lowered<Operand>;

    /// Computes an expression, folding what can be folded.
    fn compute(&mut self, expr: Expr, width: u32) -> Lowered<Operand> {
        match fold_expr(&expr, self.unit().pointer_bits()) {
            Some(operand) => Ok(operand),
            None => self.emit(expr, width),
        }
    }

    /// The scalars of a value.
    fn parts(&mut self, ty: TypeId, value: &Value) -> Lowered<Parts> {
        match value {
            Value::Local(id) => self.local(*id),
            Value::Global(symbol) => Ok(one(self.address(*symbol)?)),
            Value::Constant(constant) => self.constant(ty, constant),
            Value::Metadata(_) => refuse("metadata as a value"),
        }
    }

    /// A scalar value.
    fn operand(&mut self, ty: TypeId, value: &Value) -> Lowered<Operand> {
        if let Value::Constant(Constant::Integer(v)) = value {
            return Ok(constant(u128::from(*v), self.unit().width(ty)?));
        }
        let width = self.unit().width(ty)?;
        let parts = self.parts(ty, value)?;
        match parts.as_slice() {
            [Some(operand)] => Ok(*operand),
            [None] => Ok(self.undefined(width)),
            _ => refuse("a value of another type than its use"),
        }
    }

    fn typed(&mut self, operand: &ll::Operand) -> Lowered<Operand> {
        self.operand(operand.ty, &operand.value)
    }

    /// Gives undefined scalars a value.
    fn define(&mut self, ty: TypeId, parts: &Parts) -> Lowered<SmallVec<[Operand; 2]>> {
        let leaves = self.unit().leaves(ty)?;
        if leaves.len() != parts.len() {
            return refuse("a value of another type than its use");
        }
        let all = leaves.iter().zip(parts);
        Ok(all.map(|(leaf, part)| part.unwrap_or_else(|| self.undefined(leaf.width))).collect())
    }

    /// The scalars of a constant.
    fn constant(&mut self, ty: TypeId, value: &Constant) -> Lowered<Parts> {
        let unit = self.unit();
        match value {
            Constant::Integer(v) => Ok(one(constant(u128::from(*v), unit.width(ty)?))),
            Constant::WideInteger(words) => {
                let width = unit.width(ty)?;
                let low = words.iter().take(2).rev().fold(0, |v, w| v << 64 | u128::from(*w));
                Ok(one(constant(low, width)))
            }
            Constant::Float(bits) => {
                let width = unit.float(ty)?.bits();
                Ok(one(constant(u128::from(*bits), width)))
            }
            Constant::WideFloat(bits) => Ok(one(constant(**bits, unit.float(ty)?.bits()))),
            Constant::Null | Constant::Zero => {
                let leaves = unit.leaves(ty)?;
                Ok(leaves.iter().map(|leaf| Some(constant(0, leaf.width))).collect())
            }
            Constant::Undef | Constant::Poison => {
                Ok(unit.leaves(ty)?.iter().map(|_| None).collect())
            }
            Constant::NoToken => Ok(Parts::new()),
            Constant::Array(list) | Constant::Struct(list) | Constant::Vector(list) => {
                let mut parts = Parts::new();
                for part in list {
                    parts.extend(self.parts(part.ty, &part.value)?);
                }
                Ok(parts)
            }
            Constant::Bytes(bytes) => {
                Ok(bytes.iter().map(|b| Some(constant(u128::from(*b), 8))).collect())
            }
            Constant::Splat(element) => {
                let value = self.parts(element.ty, &element.value)?;
                let count = unit.leaves(ty)?.len();
                Ok((0..count).flat_map(|_| value.iter().copied()).collect())
            }
            Constant::BlockAddress(index) => {
                let Some(target) = unit.module.block_addresses.get(*index as usize) else {
                    return refuse("the address of a label");
                };
                let id = self.unit_id();
                let name = unit.module.name(target.function);
                let number = self.context().label(id, name, target.block);
                Ok(one(constant(u128::from(number), unit.pointer_bits())))
            }
            Constant::Expression(expression) => self.expression(expression),
            Constant::Unsupported(what) => refuse(format!("the constant `{what}`")),
        }
    }

    /// A constant expression.
    fn expression(&mut self, expression: &Expression) -> Lowered<Parts> {
        match expression {
            Expression::ElementPointer(gep) => Ok(one(self.element_pointer(gep)?)),
            Expression::Cast { op, value, to } => self.cast(*op, value, *to),
            Expression::Binary { op, flags, left, right } => {
                self.binary(*op, *flags, left, &right.value)
            }
            Expression::CompareInteger { predicate, left, right } => {
                self.compare_integer(*predicate, left, &right.value)
            }
            Expression::CompareFloat { predicate, left, right } => {
                self.compare_float(*predicate, left, &right.value)
            }
            Expression::Select { condition, then, otherwise } => {
                self.select(condition, then, otherwise)
            }
            Expression::ExtractElement { .. }
            | Expression::InsertElement { .. }
            | Expression::ShuffleVector { .. } => refuse("a constant vector expression"),
        }
    }

    /// Arithmetic.
    fn binary(
        &mut self,
        op: BinaryOp,
        flags: Flags,
        left: &ll::Operand,
        right: &Value,
    ) -> Lowered<Parts> {
        let element = self.unit().element(left.ty);
        let width = self.unit().width(element)?;
        let wrap = Wrap {
            no_signed: flags.has(Flags::NO_SIGNED_WRAP),
            no_unsigned: flags.has(Flags::NO_UNSIGNED_WRAP),
        };
        let integer = |op| Kernel::Integer(op, wrap);
        let kernel = match op {
            BinaryOp::Add => integer(BinOp::Add),
            BinaryOp::Sub => integer(BinOp::Sub),
            BinaryOp::Mul => integer(BinOp::Mul),
            BinaryOp::UDiv => integer(BinOp::UDiv),
            BinaryOp::SDiv => integer(BinOp::SDiv),
            BinaryOp::URem => integer(BinOp::URem),
            BinaryOp::SRem => integer(BinOp::SRem),
            BinaryOp::Shl => integer(BinOp::Shl),
            BinaryOp::LShr => integer(BinOp::LShr),
            BinaryOp::AShr => integer(BinOp::AShr),
            BinaryOp::And => integer(BinOp::And),
            BinaryOp::Or => integer(BinOp::Or),
            BinaryOp::Xor => integer(BinOp::Xor),
            BinaryOp::FAdd => Kernel::Float(FloatOp::Add, self.unit().float(element)?),
            BinaryOp::FSub => Kernel::Float(FloatOp::Sub, self.unit().float(element)?),
            BinaryOp::FMul => Kernel::Float(FloatOp::Mul, self.unit().float(element)?),
            BinaryOp::FDiv => Kernel::Float(FloatOp::Div, self.unit().float(element)?),
            BinaryOp::FRem => Kernel::Float(FloatOp::Rem, self.unit().float(element)?),
        };
        self.zip(left, right, width, |a, b| match kernel {
            Kernel::Integer(op, wrap) => Expr::Binary { op, a, b, wrap },
            Kernel::Float(op, kind) => Expr::Float { op, kind, a, b },
        })
    }

    /// Applies an operation to each pair of scalars.
    fn zip(
        &mut self,
        left: &ll::Operand,
        right: &Value,
        width: u32,
        make: impl Fn(Operand, Operand) -> Expr,
    ) -> Lowered<Parts> {
        if self.unit().is_scalar(left.ty) {
            let a = self.operand(left.ty, &left.value)?;
            let b = self.operand(left.ty, right)?;
            return Ok(one(self.compute(make(a, b), width)?));
        }
        let a = self.parts(left.ty, &left.value)?;
        let a = self.define(left.ty, &a)?;
        let b = self.parts(left.ty, right)?;
        let b = self.define(left.ty, &b)?;
        let pairs: Vec<_> = a.into_iter().zip(b).collect();
        pairs.into_iter().map(|(a, b)| self.compute(make(a, b), width).map(Some)).collect()
    }

    /// Applies an operation to each scalar.
    fn map(
        &mut self,
        value: &ll::Operand,
        width: u32,
        make: impl Fn(Operand) -> Expr,
    ) -> Lowered<Parts> {
        let parts = self.parts(value.ty, &value.value)?;
        let parts = self.define(value.ty, &parts)?;
        parts.into_iter().map(|a| self.compute(make(a), width).map(Some)).collect()
    }

    fn compare_integer(
        &mut self,
        predicate: IntegerPredicate,
        left: &ll::Operand,
        right: &Value,
    ) -> Lowered<Parts> {
        let op = match predicate {
            IntegerPredicate::Eq => CmpOp::Eq,
            IntegerPredicate::Ne => CmpOp::Ne,
            IntegerPredicate::Ugt => CmpOp::Ugt,
            IntegerPredicate::Uge => CmpOp::Uge,
            IntegerPredicate::Ult => CmpOp::Ult,
            IntegerPredicate::Ule => CmpOp::Ule,
            IntegerPredicate::Sgt => CmpOp::Sgt,
            IntegerPredicate::Sge => CmpOp::Sge,
            IntegerPredicate::Slt => CmpOp::Slt,
            IntegerPredicate::Sle => CmpOp::Sle,
        };
        self.zip(left, right, 1, |a, b| Expr::Compare { op, a, b })
    }

    fn compare_float(
        &mut self,
        predicate: FloatPredicate,
        left: &ll::Operand,
        right: &Value,
    ) -> Lowered<Parts> {
        let kind = self.unit().float(self.unit().element(left.ty))?;
        let (less, equal, greater, unordered) = match predicate {
            FloatPredicate::False => (false, false, false, false),
            FloatPredicate::Oeq => (false, true, false, false),
            FloatPredicate::Ogt => (false, false, true, false),
            FloatPredicate::Oge => (false, true, true, false),
            FloatPredicate::Olt => (true, false, false, false),
            FloatPredicate::Ole => (true, true, false, false),
            FloatPredicate::One => (true, false, true, false),
            FloatPredicate::Ord => (true, true, true, false),
            FloatPredicate::Ueq => (false, true, false, true),
            FloatPredicate::Ugt => (false, false, true, true),
            FloatPredicate::Uge => (false, true, true, true),
            FloatPredicate::Ult => (true, false, false, true),
            FloatPredicate::Ule => (true, true, false, true),
            FloatPredicate::Une => (true, false, true, true),
            FloatPredicate::Uno => (false, false, false, true),
            FloatPredicate::True => (true, true, true, true),
        };
        let cmp = FloatCmp { less, equal, greater, unordered };
        self.zip(left, right, 1, |a, b| Expr::FloatCompare { cmp, kind, a, b })
    }

    fn select(
        &mut self,
        condition: &ll::Operand,
        then: &ll::Operand,
        otherwise: &ll::Operand,
    ) -> Lowered<Parts> {
        let conditions = self.parts(condition.ty, &condition.value)?;
        let conditions = self.define(condition.ty, &conditions)?;
        let a = self.parts(then.ty, &then.value)?;
        let a = self.define(then.ty, &a)?;
        let b = self.parts(otherwise.ty, &otherwise.value)?;
        let b = self.define(otherwise.ty, &b)?;
        let leaves = self.unit().leaves(then.ty)?;
        let mut parts = Parts::new();
        for (i, leaf) in leaves.iter().enumerate() {
            let Some(&cond) = conditions.get(i).or(conditions.first()) else {
                return refuse("a select without condition");
            };
            let (Some(&a), Some(&b)) = (a.get(i), b.get(i)) else {
                return refuse("a select between different types");
            };
            let expr = Expr::Select { cond, a, b };
            parts.push(Some(self.compute(expr, leaf.width)?));
        }
        Ok(parts)
    }

    /// A cast, element by element, or over the bits for `bitcast`.
    fn cast(&mut self, op: ll::CastOp, value: &ll::Operand, to: TypeId) -> Lowered<Parts> {
        let unit = self.unit();
        let (from_element, to_element) = (unit.element(value.ty), unit.element(to));
        if matches!(op, ll::CastOp::BitCast) {
            if unit.is_scalar(value.ty) && unit.is_scalar(to) {
                return Ok(one(self.typed(value)?));
            }
            let parts = self.parts(value.ty, &value.value)?;
            let parts = self.define(value.ty, &parts)?;
            let packed = self.pack(&parts, value.ty)?;
            return self.unpack(packed, to);
        }
        let (from, width) = (unit.width(from_element)?, unit.width(to_element)?);
        let resize = |a: Operand, op: CastOp| match from.cmp(&width) {
            std::cmp::Ordering::Equal => Expr::Use(a),
            std::cmp::Ordering::Less => Expr::Cast { op, a, width },
            std::cmp::Ordering::Greater => Expr::Cast { op: CastOp::Trunc, a, width },
        };
        match op {
            ll::CastOp::Trunc | ll::CastOp::ZExt | ll::CastOp::PtrToInt | ll::CastOp::IntToPtr => {
                self.map(value, width, |a| resize(a, CastOp::ZeroExtend))
            }
            ll::CastOp::SExt => self.map(value, width, |a| resize(a, CastOp::SignExtend)),
            ll::CastOp::FpTrunc | ll::CastOp::FpExt => {
                let (from, to) = (unit.float(from_element)?, unit.float(to_element)?);
                self.map(value, width, |a| Expr::FloatCast { from, to, a })
            }
            ll::CastOp::FpToUi | ll::CastOp::FpToSi => {
                let from = unit.float(from_element)?;
                let signed = matches!(op, ll::CastOp::FpToSi);
                self.map(value, width, |a| Expr::FloatToInt { from, signed, a, width })
            }
            ll::CastOp::UiToFp | ll::CastOp::SiToFp => {
                let to = unit.float(to_element)?;
                let signed = matches!(op, ll::CastOp::SiToFp);
                self.map(value, width, |a| Expr::IntToFloat { to, signed, a, from_width: from })
            }
            ll::CastOp::AddrSpaceCast => refuse("a cast between address spaces"),
            ll::CastOp::BitCast => refuse("a bitcast"),
        }
    }

    /// All scalars side by side in one value, the first in the lowest bits.
    fn pack(&mut self, parts: &[Operand], ty: TypeId) -> Lowered<Operand> {
        let leaves = self.unit().leaves(ty)?;
        if let ([only], 1) = (parts, leaves.len()) {
            return Ok(*only);
        }
        let total: u32 = leaves.iter().map(|l| l.width).sum();
        if total > super::unit::WIDEST || total == 0 {
            return refuse(format!("a value of {total} bits"));
        }
        let wrap = Wrap::default();
        let mut at = 0;
        let mut all = None;
        for (&part, leaf) in parts.iter().zip(leaves.iter()) {
            let mut wide = part;
            if leaf.width < total {
                let op = CastOp::ZeroExtend;
                wide = self.compute(Expr::Cast { op, a: part, width: total }, total)?;
            }
            if at > 0 {
                let b = constant(u128::from(at), total);
                wide = self.compute(Expr::Binary { op: BinOp::Shl, a: wide, b, wrap }, total)?;
            }
            all = Some(match all {
                None => wide,
                Some(a) => self.compute(Expr::Binary { op: BinOp::Or, a, b: wide, wrap }, total)?,
            });
            at += leaf.width;
        }
        all.map_or_else(|| refuse("an empty value"), Ok)
    }

    /// The inverse of [`Computes::pack`].
    fn unpack(&mut self, packed: Operand, ty: TypeId) -> Lowered<Parts> {
        let leaves = self.unit().leaves(ty)?;
        if leaves.len() == 1 {
            return Ok(one(packed));
        }
        let total: u32 = leaves.iter().map(|l| l.width).sum();
        if total > super::unit::WIDEST {
            return refuse(format!("a value of {total} bits"));
        }
        let mut at = 0;
        let mut parts = Parts::new();
        for leaf in leaves.iter() {
            let mut part = packed;
            if at > 0 {
                let b = constant(u128::from(at), total);
                let wrap = Wrap::default();
                part = self.compute(Expr::Binary { op: BinOp::LShr, a: part, b, wrap }, total)?;
            }
            if leaf.width < total {
                let cast = Expr::Cast { op: CastOp::Trunc, a: part, width: leaf.width };
                part = self.compute(cast, leaf.width)?;
            }
            parts.push(Some(part));
            at += leaf.width;
        }
        Ok(parts)
    }

    /// `getelementptr`.
    fn element_pointer(&mut self, gep: &ElementPointer) -> Lowered<Operand> {
        let unit = self.unit();
        if !unit.is_scalar(gep.base.ty) {
            return refuse("a vector of pointers");
        }
        let bits = unit.pointer_bits();
        let mut base = self.typed(&gep.base)?;
        let mut fixed: i64 = 0;
        let mut moving: Option<Operand> = None;
        let mut ty = gep.source;
        for (i, index) in gep.indices.iter().enumerate() {
            let size;
            if i == 0 {
                size = unit.size(ty)?;
            } else if unit.module.types.struct_fields(ty).is_some() {
                let Value::Constant(Constant::Integer(field)) = &index.value else {
                    return refuse("a struct field by variable index");
                };
                let (part, offset) = unit.part(ty, *field)?;
                fixed = fixed.wrapping_add(offset as i64);
                ty = part;
                continue;
            } else {
                ty = match unit.module.types.get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                    _ => return refuse("an index into a scalar"),
                };
                size = unit.size(ty)?;
            }
            let width = unit.width(index.ty)?;
            match self.operand(index.ty, &index.value)? {
                Operand::Const(c) => {
                    fixed = fixed.wrapping_add((signed(c) as i64).wrapping_mul(size as i64));
                }
                at => {
                    let scaled = self.scaled(at, width, size)?;
                    moving = Some(match moving {
                        None => scaled,
                        Some(a) => self.add(a, scaled, bits)?,
                    });
                }
            }
        }
        let fixed = constant(i128::from(fixed) as u128, bits);
        if let (Operand::Reg(_), Some(m)) = (base, moving) {
            moving = Some(self.add(m, fixed, bits)?);
        } else {
            base = self.compute(Expr::Offset { base, offset: fixed }, bits)?;
        }
        match moving {
            None => Ok(base),
            Some(offset) => self.compute(Expr::Offset { base, offset }, bits),
        }
    }

    /// An index times the size of an element, as wide as an address.
    fn scaled(&mut self, index: Operand, width: u32, size: u64) -> Lowered<Operand> {
        let bits = self.unit().pointer_bits();
        let index = match width.cmp(&bits) {
            std::cmp::Ordering::Equal => index,
            std::cmp::Ordering::Less => {
                let op = CastOp::SignExtend;
                self.compute(Expr::Cast { op, a: index, width: bits }, bits)?
            }
            std::cmp::Ordering::Greater => {
                let op = CastOp::Trunc;
                self.compute(Expr::Cast { op, a: index, width: bits }, bits)?
            }
        };
        if size == 1 {
            return Ok(index);
        }
        let b = constant(u128::from(size), bits);
        let wrap = Wrap::default();
        self.compute(Expr::Binary { op: BinOp::Mul, a: index, b, wrap }, bits)
    }

    fn add(&mut self, a: Operand, b: Operand, width: u32) -> Lowered<Operand> {
        if matches!(b, Operand::Const(c) if c.value == 0) {
            return Ok(a);
        }
        self.compute(Expr::Binary { op: BinOp::Add, a, b, wrap: Wrap::default() }, width)
    }
}

enum Kernel {
    Integer(BinOp, Wrap),
    Float(FloatOp, FloatKind),
}

/// A value of one scalar.
pub(crate) fn one(operand: Operand) -> Parts {
    let mut parts = Parts::new();
    parts.push(Some(operand));
    parts
}

/// A constant operand.
pub(crate) fn constant(value: u128, width: u32) -> Operand {
    Operand::Const(Const { value: value & mask(width), width })
}
