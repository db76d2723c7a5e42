//! One LLVM module with what lowering asks of its types: widths, sizes, offsets, scalar leaves.
//!
//! Idea: the program model knows bit-vectors only. A type is therefore a list of *leaves*: its
//! scalars in order, each with its byte offset. Scalars have one leaf, aggregates and vectors
//! several.
//! Limits: scalars of more than 128 bits, bit-packed vectors and types of unknown layout are
//! refused.

use std::cell::RefCell;
use std::rc::Rc;

use raddle_ir::FloatKind;
use rustc_hash::FxHashMap;

use super::refusal::{Lowered, refuse};
use crate::llvm::Module;
use crate::llvm::layout::StructLayout;
use crate::llvm::types::{self, Type, TypeId};

/// The widest value of the program model.
pub(crate) const WIDEST: u32 = 128;
/// Values with more scalars than this are refused: clang passes larger ones in memory.
const MOST_LEAVES: usize = 4096;

/// An LLVM module of the program: index into `Context::units`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct UnitId(pub u32);

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The user's.
    User,
    /// A library model.
    Model {
        /// Its accesses never race.
        hides: bool,
        /// Its functions do more than give a result.
        effects: bool,
    },
}

/// One scalar of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Offset in bytes.
    pub offset: u64,
    /// Width in bits.
    pub width: u32,
}

/// A module and its caches.
pub(crate) struct Unit {
    /// What users call it.
    pub file: String,
    /// The tree.
    pub module: Module,
    /// Whose code it is.
    pub origin: Origin,
    layouts: RefCell<FxHashMap<TypeId, Option<Rc<StructLayout>>>>,
    sizes: RefCell<FxHashMap<TypeId, Option<u64>>>,
    leaves: RefCell<FxHashMap<TypeId, Lowered<Rc<[Leaf]>>>>,
}

/// Whether a target is AArch64 with the types of Linux.
pub(crate) fn is_arm(triple: &str) -> bool {
    triple.starts_with("aarch64-") && triple.contains("linux")
}

impl Unit {
    pub(crate) fn new(file: String, module: Module, origin: Origin) -> Unit {
        Unit {
            file,
            module,
            origin,
            layouts: RefCell::default(),
            sizes: RefCell::default(),
            leaves: RefCell::default(),
        }
    }

    pub(crate) fn is_model(&self) -> bool {
        self.origin != Origin::User
    }

    /// Whether it was made for AArch64.
    pub(crate) fn is_arm(&self) -> bool {
        is_arm(&self.module.triple)
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        self.module.layout.pointer_bits(0)
    }

    /// Width of a scalar type.
    pub(crate) fn width(&self, ty: TypeId) -> Lowered<u32> {
        match self.module.types.get(ty) {
            Type::Integer(bits) if *bits <= WIDEST && *bits > 0 => Ok(*bits),
            Type::Integer(bits) => refuse(format!("an integer of {bits} bits")),
            Type::Float(_) => Ok(self.float(ty)?.bits()),
            Type::Pointer { address_space: 0 } => Ok(self.pointer_bits()),
            Type::Pointer { .. } => refuse("pointers of a special address space"),
            Type::Void
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => refuse("a value of a type that is no scalar"),
        }
    }

    /// The format of a floating-point type.
    pub(crate) fn float(&self, ty: TypeId) -> Lowered<FloatKind> {
        match self.module.types.get(ty) {
            Type::Float(types::FloatKind::Half) => Ok(FloatKind::Half),
            Type::Float(types::FloatKind::Float) => Ok(FloatKind::Single),
            Type::Float(types::FloatKind::Double) => Ok(FloatKind::Double),
            Type::Float(types::FloatKind::X86Fp80) => Ok(FloatKind::X87),
            Type::Float(types::FloatKind::Fp128) => Ok(FloatKind::Quad),
            Type::Float(types::FloatKind::BFloat) => refuse("the type __bf16"),
            Type::Float(types::FloatKind::PpcFp128) => refuse("the type ppc_fp128"),
            _ => refuse("a floating-point operation on another type"),
        }
    }

    pub(crate) fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.module.types.get(ty),
            Type::Integer(_) | Type::Float(_) | Type::Pointer { .. }
        )
    }

    /// The element type of a vector, or the type itself.
    pub(crate) fn element(&self, ty: TypeId) -> TypeId {
        match self.module.types.get(ty) {
            Type::Vector { element, .. } => *element,
            _ => ty,
        }
    }

    /// Size in bytes, as `sizeof` says.
    pub(crate) fn size(&self, ty: TypeId) -> Lowered<u64> {
        if let Some(size) = self.sizes.borrow().get(&ty) {
            return size.map_or_else(|| refuse("an object of unknown size"), Ok);
        }
        let size = self.module.layout.size_of(&self.module.types, ty);
        self.sizes.borrow_mut().insert(ty, size);
        size.map_or_else(|| refuse("an object of unknown size"), Ok)
    }

    pub(crate) fn align(&self, ty: TypeId) -> u32 {
        let align = self.module.layout.align_of(&self.module.types, ty);
        align.and_then(|a| u32::try_from(a).ok()).unwrap_or(1).max(1)
    }

    /// Where the fields of a struct lie.
    pub(crate) fn layout(&self, ty: TypeId) -> Lowered<Rc<StructLayout>> {
        let cached = self.layouts.borrow().get(&ty).cloned();
        let layout = match cached {
            Some(layout) => layout,
            None => {
                let layout = self.module.layout.struct_layout(&self.module.types, ty).map(Rc::new);
                self.layouts.borrow_mut().insert(ty, layout.clone());
                layout
            }
        };
        layout.map_or_else(|| refuse("a struct of unknown layout"), Ok)
    }

    /// The type and byte offset of one part of an aggregate.
    pub(crate) fn part(&self, ty: TypeId, index: u64) -> Lowered<(TypeId, u64)> {
        let Some(part) = self.module.types.part(ty, index) else {
            return refuse("an index outside its type");
        };
        match self.module.types.get(ty) {
            Type::Struct { .. } | Type::Named(_) => {
                let offsets = &self.layout(ty)?.offsets;
                let offset = usize::try_from(index).ok().and_then(|i| offsets.get(i).copied());
                offset.map_or_else(|| refuse("an index outside its type"), |o| Ok((part, o)))
            }
            _ => Ok((part, self.size(part)?.saturating_mul(index))),
        }
    }

    /// The scalars of a type, in order.
    pub(crate) fn leaves(&self, ty: TypeId) -> Lowered<Rc<[Leaf]>> {
        if let Some(known) = self.leaves.borrow().get(&ty) {
            return known.clone();
        }
        let mut list = Vec::new();
        let result = self.collect(ty, 0, &mut list).map(|()| Rc::from(list));
        self.leaves.borrow_mut().insert(ty, result.clone());
        result
    }

    fn collect(&self, ty: TypeId, offset: u64, list: &mut Vec<Leaf>) -> Lowered<()> {
        if list.len() >= MOST_LEAVES {
            return refuse("a value of more than 4096 scalars");
        }
        match self.module.types.get(ty) {
            Type::Integer(_) | Type::Float(_) | Type::Pointer { .. } => {
                list.push(Leaf { offset, width: self.width(ty)? });
            }
            Type::Array { element, count } => {
                let size = self.size(*element)?;
                for i in 0..*count {
                    let before = list.len();
                    self.collect(*element, offset + i * size, list)?;
                    if list.len() == before {
                        break;
                    }
                }
            }
            Type::Vector { element, count, scalable: false } => {
                let width = self.width(*element)?;
                for i in 0..u64::from(*count) {
                    let at = offset + i * u64::from(width.div_ceil(8));
                    list.push(Leaf { offset: at, width });
                }
            }
            Type::Struct { .. } | Type::Named(_) => {
                let layout = self.layout(ty)?;
                let Some((fields, _)) = self.module.types.struct_fields(ty) else {
                    return refuse("a struct of unknown layout");
                };
                for (&field, &at) in fields.iter().zip(&layout.offsets) {
                    self.collect(field, offset + at, list)?;
                }
            }
            Type::Vector { scalable: true, .. } => return refuse("a scalable vector"),
            Type::Target(_) => return refuse("a type of the target machine"),
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token => {
                return refuse("a value of a type that has none");
            }
        }
        Ok(())
    }

    /// The leaves that `insertvalue` and `extractvalue` mean by these indices: first, count, type.
    pub(crate) fn leaf_range(
        &self,
        ty: TypeId,
        indices: &[u32],
    ) -> Lowered<(usize, usize, TypeId)> {
        let mut first = 0;
        let mut at = ty;
        for &index in indices {
            for before in 0..u64::from(index) {
                let (part, _) = self.part(at, before)?;
                first += self.leaves(part)?.len();
            }
            at = self.part(at, u64::from(index))?.0;
        }
        Ok((first, self.leaves(at)?.len(), at))
    }

    /// Whether a type is or contains a union.
    pub(crate) fn has_union(&self, ty: TypeId) -> bool {
        match self.module.types.get(ty) {
            Type::Named(name) if self.module.name(*name).starts_with("union.") => true,
            Type::Named(_) | Type::Struct { .. } => {
                let fields = self.module.types.struct_fields(ty).map(|(fields, _)| fields);
                fields.is_none_or(|fields| fields.iter().any(|f| self.has_union(*f)))
            }
            Type::Array { element, .. } | Type::Vector { element, .. } => self.has_union(*element),
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => false,
        }
    }

    /// Bit-packed vectors in memory do not follow the byte layout of the leaves.
    pub(crate) fn in_memory(&self, ty: TypeId) -> Lowered<()> {
        if let Type::Vector { element, .. } = self.module.types.get(ty)
            && !self.width(*element)?.is_multiple_of(8)
        {
            return refuse("a bit-packed vector in memory");
        }
        Ok(())
    }
}
