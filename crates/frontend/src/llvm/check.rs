//! Checks of types while reading.
//!
//! Idea: the lowering should not have to expect `add float` or `load i32, i8 %x`. What LLVM's own
//!   parser rejects on account of types is rejected here, by classes (integer, float, pointer) and
//!   shapes (scalar, vector of n).
//! Source: LLVM Language Reference, the "Arguments" paragraph of each instruction.
//! Limits: no verifier: dominance, predecessors of `phi`, duplicate cases and attributes are not
//! looked at.

use super::ast::{Argument, BinaryOp, CastOp, Operand, RmwOp};
use super::parser::{Parsed, Parser};
use super::types::{FloatKind, Type, TypeId};

/// What kind of number a scalar or the element of a vector is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer(u32),
    Float(FloatKind),
    Pointer,
    Other,
}

impl Parser<'_> {
    /// The class of the elements, and how many there are if it is a vector.
    fn class(&self, ty: TypeId) -> (Class, Option<(u32, bool)>) {
        let (element, shape) = match *self.module.types.get(ty) {
            Type::Vector { element, count, scalable } => (element, Some((count, scalable))),
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => (ty, None),
        };
        let class = match *self.module.types.get(element) {
            Type::Integer(bits) => Class::Integer(bits),
            Type::Float(kind) => Class::Float(kind),
            Type::Pointer { .. } => Class::Pointer,
            Type::Void
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => Class::Other,
        };
        (class, shape)
    }

    #[inline]
    pub(crate) fn is_integer(&self, ty: TypeId) -> bool {
        // The usual ones without a look into the table.
        (TypeId::I1 <= ty && ty <= TypeId::I64) || matches!(self.class(ty).0, Class::Integer(_))
    }

    pub(crate) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.class(ty).0, Class::Float(_))
    }

    /// A pointer or a vector of them.
    #[inline]
    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        ty == TypeId::PTR || self.class(ty).0 == Class::Pointer
    }

    /// Fails unless the operand, which starts at `at`, is one pointer.
    #[inline]
    pub(crate) fn demand_pointer(&self, operand: &Operand, at: usize) -> Parsed<()> {
        if operand.ty == TypeId::PTR || self.module.types.is_pointer(operand.ty) {
            return Ok(());
        }
        self.fail_at(at, "expected a pointer")
    }

    /// Fails unless values of this type can be in memory and registers.
    #[inline]
    pub(crate) fn demand_sized(&self, ty: TypeId, at: usize) -> Parsed<()> {
        match self.module.types.get(ty) {
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token => {
                self.fail_at(at, "a type that no value in memory has")
            }
            Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Target(_) => Ok(()),
        }
    }

    /// Fails for `void`, `label` and functions; intrinsics also take metadata and tokens.
    pub(crate) fn demand_parameter(&self, ty: TypeId, at: usize) -> Parsed<()> {
        if ty == TypeId::METADATA || ty == TypeId::TOKEN {
            Ok(())
        } else {
            self.demand_sized(ty, at)
        }
    }

    #[inline]
    pub(crate) fn check_binary(&self, op: BinaryOp, ty: TypeId, at: usize) -> Parsed<()> {
        let fits = match op {
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                self.is_float(ty)
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.is_integer(ty),
        };
        if fits {
            Ok(())
        } else {
            self.fail_at(at, "an operand of a type that the operation does not take")
        }
    }

    pub(crate) fn check_rmw(&self, op: RmwOp, ty: TypeId, at: usize) -> Parsed<()> {
        let fits = match op {
            RmwOp::Exchange => self.is_integer(ty) || self.is_float(ty) || self.is_pointer(ty),
            RmwOp::FloatAdd
            | RmwOp::FloatSub
            | RmwOp::FloatMax
            | RmwOp::FloatMin
            | RmwOp::FloatMaximum
            | RmwOp::FloatMinimum => self.is_float(ty),
            RmwOp::Add
            | RmwOp::Sub
            | RmwOp::And
            | RmwOp::Nand
            | RmwOp::Or
            | RmwOp::Xor
            | RmwOp::SignedMax
            | RmwOp::SignedMin
            | RmwOp::UnsignedMax
            | RmwOp::UnsignedMin
            | RmwOp::IncrementWrap
            | RmwOp::DecrementWrap
            | RmwOp::SubConditional
            | RmwOp::SubSaturating => self.module.types.integer_width(ty).is_some(),
        };
        if fits {
            Ok(())
        } else {
            self.fail_at(at, "an operand of a type that the operation does not take")
        }
    }

    pub(crate) fn check_cast(&self, op: CastOp, from: TypeId, to: TypeId, at: usize) -> Parsed<()> {
        let (source, source_shape) = self.class(from);
        let (target, target_shape) = self.class(to);
        let fits = match (op, source, target) {
            (CastOp::Trunc, Class::Integer(wide), Class::Integer(narrow)) => wide > narrow,
            (CastOp::ZExt | CastOp::SExt, Class::Integer(narrow), Class::Integer(wide)) => {
                narrow < wide
            }
            (CastOp::FpTrunc | CastOp::FpExt, Class::Float(source), Class::Float(target)) => {
                source != target
            }
            (CastOp::FpToUi | CastOp::FpToSi, Class::Float(_), Class::Integer(_)) => true,
            (CastOp::UiToFp | CastOp::SiToFp, Class::Integer(_), Class::Float(_)) => true,
            (CastOp::PtrToInt, Class::Pointer, Class::Integer(_)) => true,
            (CastOp::IntToPtr, Class::Integer(_), Class::Pointer) => true,
            (CastOp::AddrSpaceCast, Class::Pointer, Class::Pointer) => true,
            (CastOp::BitCast, _, _) => return self.check_bitcast(from, to, at),
            (
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp
                | CastOp::PtrToInt
                | CastOp::IntToPtr
                | CastOp::AddrSpaceCast,
                _,
                _,
            ) => false,
        };
        if fits && source_shape == target_shape {
            return Ok(());
        }
        self.fail_at(at, "a cast between types that it does not join")
    }

    /// The same bits; pointers only to pointers.
    fn check_bitcast(&self, from: TypeId, to: TypeId, at: usize) -> Parsed<()> {
        let bits = |ty| self.module.layout.bits_of(&self.module.types, ty);
        let fits = from == to
            || (bits(from).is_some()
                && bits(from) == bits(to)
                && self.is_pointer(from) == self.is_pointer(to));
        if fits { Ok(()) } else { self.fail_at(at, "a bitcast between types of different sizes") }
    }

    /// A pointer (or vector of them) and integers (or vectors of them).
    #[inline]
    pub(crate) fn check_element_pointer(
        &self,
        base: &Operand,
        indices: &[Operand],
        at: usize,
    ) -> Parsed<()> {
        if self.is_pointer(base.ty) && indices.iter().all(|index| self.is_integer(index.ty)) {
            return Ok(());
        }
        self.fail_at(at, "`getelementptr` needs a pointer and integers")
    }

    /// The arguments of a call whose whole type is written.
    pub(crate) fn check_arguments(
        &self,
        ty: TypeId,
        arguments: &[Argument],
        at: usize,
    ) -> Parsed<()> {
        let Type::Function { parameters, variadic, .. } = self.module.types.get(ty) else {
            return Ok(());
        };
        let same =
            arguments.iter().zip(parameters).all(|(argument, &ty)| argument.operand.ty == ty);
        let enough = arguments.len() == parameters.len()
            || (*variadic && arguments.len() > parameters.len());
        if same && enough {
            Ok(())
        } else {
            self.fail_at(at, "the arguments do not fit the type of the callee")
        }
    }

    /// The elements of an aggregate constant against its type.
    pub(crate) fn check_elements(&self, ty: TypeId, elements: &[Operand], at: usize) -> Parsed<()> {
        let types = &self.module.types;
        let fits = match types.get(ty) {
            Type::Array { element, count } => {
                *count == elements.len() as u64
                    && elements.iter().all(|operand| operand.ty == *element)
            }
            Type::Vector { element, count, .. } => {
                *count as usize == elements.len()
                    && elements.iter().all(|operand| operand.ty == *element)
            }
            Type::Struct { .. } | Type::Named(_) => {
                types.struct_fields(ty).is_some_and(|(fields, _)| {
                    fields.len() == elements.len()
                        && fields.iter().zip(elements).all(|(&ty, operand)| operand.ty == ty)
                })
            }
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => false,
        };
        if fits { Ok(()) } else { self.fail_at(at, "an aggregate that does not fit its type") }
    }
}
