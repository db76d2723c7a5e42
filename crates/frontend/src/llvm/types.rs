//! The type table: every type once, so that equal types have equal ids.
//!
//! Idea: hash-consing. A type is looked up by its structure; named structs are nominal, made on
//!   first mention and filled in when (and if) their body is read. An unfilled one is opaque.
//! Invariants: `list[id]` is final except for the body of a named struct, which is set at most
//!   once; the first ids are the constants below.
//! Elsewhere: sizes and offsets in `layout.rs`.

use super::symbols::Symbol;
use rustc_hash::FxHashMap;

/// A type: index into `Types`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl TypeId {
    /// `void`.
    pub const VOID: TypeId = TypeId(0);
    /// `ptr`, in address space 0.
    pub const PTR: TypeId = TypeId(1);
    /// `i1`.
    pub const I1: TypeId = TypeId(2);
    /// `i8`.
    pub const I8: TypeId = TypeId(3);
    /// `i16`.
    pub const I16: TypeId = TypeId(4);
    /// `i32`.
    pub const I32: TypeId = TypeId(5);
    /// `i64`.
    pub const I64: TypeId = TypeId(6);
    /// `float`.
    pub const FLOAT: TypeId = TypeId(7);
    /// `double`.
    pub const DOUBLE: TypeId = TypeId(8);
    /// `label`.
    pub const LABEL: TypeId = TypeId(9);
    /// `metadata`.
    pub const METADATA: TypeId = TypeId(10);
    /// `token`.
    pub const TOKEN: TypeId = TypeId(11);
}

/// Floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum FloatKind {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
}

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `iN`.
    Integer(u32),
    /// A floating-point type.
    Float(FloatKind),
    /// `ptr` or `ptr addrspace(n)`.
    Pointer {
        /// 0 for the usual one.
        address_space: u32,
    },
    /// `[count x element]`.
    Array {
        /// Type of the elements.
        element: TypeId,
        /// How many.
        count: u64,
    },
    /// `<count x element>`.
    Vector {
        /// Type of the elements.
        element: TypeId,
        /// How many, or the least number if scalable.
        count: u32,
        /// `vscale x`.
        scalable: bool,
    },
    /// `{ … }` or `<{ … }>`, compared by structure.
    Struct {
        /// Types of the fields.
        fields: Box<[TypeId]>,
        /// `<{ … }>`: no padding.
        packed: bool,
    },
    /// `%name`, compared by name; its body is in `Types::body`.
    Named(Symbol),
    /// `result (parameters, ...)`.
    Function {
        /// Result type.
        result: TypeId,
        /// Types of the fixed parameters.
        parameters: Box<[TypeId]>,
        /// `...` at the end.
        variadic: bool,
    },
    /// `label`.
    Label,
    /// `metadata`.
    Metadata,
    /// `token`.
    Token,
    /// `x86_amx`, `x86_mmx`, `target("…")`: of no known layout.
    Target(Symbol),
}

/// Body of a named struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructBody {
    /// Types of the fields.
    pub fields: Box<[TypeId]>,
    /// No padding.
    pub packed: bool,
}

/// All types of a module.
#[derive(Debug)]
pub struct Types {
    list: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    bodies: FxHashMap<TypeId, StructBody>,
    /// `%T = type i32` and the like: a name for a type that is no struct.
    synonyms: FxHashMap<Symbol, TypeId>,
}

impl Default for Types {
    fn default() -> Types {
        let mut types = Types {
            list: Vec::new(),
            ids: FxHashMap::default(),
            bodies: FxHashMap::default(),
            synonyms: FxHashMap::default(),
        };
        for ty in [
            Type::Void,
            Type::Pointer { address_space: 0 },
            Type::Integer(1),
            Type::Integer(8),
            Type::Integer(16),
            Type::Integer(32),
            Type::Integer(64),
            Type::Float(FloatKind::Float),
            Type::Float(FloatKind::Double),
            Type::Label,
            Type::Metadata,
            Type::Token,
        ] {
            types.intern(ty);
        }
        types
    }
}

impl Types {
    /// The id of a type, made if need be.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The id of `iN`.
    pub fn integer(&mut self, bits: u32) -> TypeId {
        match bits {
            1 => TypeId::I1,
            8 => TypeId::I8,
            16 => TypeId::I16,
            32 => TypeId::I32,
            64 => TypeId::I64,
            _ => self.intern(Type::Integer(bits)),
        }
    }

    /// The id of a named type, or of what the name is a synonym for.
    pub fn named(&mut self, name: Symbol) -> TypeId {
        if let Some(&id) = self.synonyms.get(&name) {
            return id;
        }
        self.intern(Type::Named(name))
    }

    /// Gives a named struct its body; false if it had one already.
    pub fn define(&mut self, name: Symbol, body: StructBody) -> bool {
        if self.synonyms.contains_key(&name) {
            return false;
        }
        let id = self.intern(Type::Named(name));
        self.bodies.insert(id, body).is_none()
    }

    /// Makes a name a synonym; false if the name was mentioned before, as its meaning would then
    /// change.
    pub fn define_synonym(&mut self, name: Symbol, ty: TypeId) -> bool {
        if self.ids.contains_key(&Type::Named(name)) {
            return false;
        }
        self.synonyms.insert(name, ty).is_none()
    }

    /// The structure of a type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    /// Fields and packedness of a struct type, literal or named; `None` for opaque and other types.
    pub fn struct_fields(&self, id: TypeId) -> Option<(&[TypeId], bool)> {
        match self.get(id) {
            Type::Struct { fields, packed } => Some((fields, *packed)),
            Type::Named(_) => self.bodies.get(&id).map(|body| (&*body.fields, body.packed)),
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => None,
        }
    }

    /// Width of an integer type.
    pub fn integer_width(&self, id: TypeId) -> Option<u32> {
        if let Type::Integer(bits) = self.get(id) { Some(*bits) } else { None }
    }

    /// Is it a pointer, of any address space?
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer { .. })
    }

    /// The type of one part of an aggregate or vector; `None` if there is no such part.
    pub fn part(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { element, count } => (index < *count).then_some(*element),
            Type::Vector { element, .. } => Some(*element),
            Type::Struct { .. } | Type::Named(_) => {
                let (fields, _) = self.struct_fields(id)?;
                fields.get(usize::try_from(index).ok()?).copied()
            }
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => None,
        }
    }

    /// All named structs, opaque ones included, in order of first mention.
    pub fn named_structs(&self) -> impl Iterator<Item = (TypeId, Symbol)> + '_ {
        self.list.iter().enumerate().filter_map(|(index, ty)| match ty {
            Type::Named(name) => Some((TypeId(index as u32), *name)),
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => None,
        })
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Never true: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
