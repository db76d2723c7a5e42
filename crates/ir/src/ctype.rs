//! C types, kept so that reports can print values and name parts of objects as C does.

use crate::ids::TypeId;

/// A C type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// An integer type, also `char`.
    Int {
        /// Its C name.
        name: String,
        /// Width in bits.
        bits: u32,
        /// Whether values print as signed.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// A floating-point type.
    Float {
        /// Its C name.
        name: String,
        /// Width in bits (80 for x87 extended).
        bits: u32,
    },
    /// A pointer; `None` points to void.
    Pointer {
        /// What it points to.
        to: Option<TypeId>,
    },
    /// An array.
    Array {
        /// The element type.
        of: TypeId,
        /// How many elements; 0 where unknown.
        count: u64,
    },
    /// A struct, or a union (all offsets 0).
    Struct {
        /// The tag, empty where there is none.
        name: String,
        /// The members in order of declaration.
        fields: Vec<Field>,
        /// Size in bytes.
        size: u64,
    },
    /// An enumeration.
    Enum {
        /// The tag.
        name: String,
        /// Width in bits.
        bits: u32,
        /// Constants with their names.
        constants: Vec<(i128, String)>,
    },
    /// A function type.
    Function,
    /// Anything else.
    Unknown,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The member's name, empty for an anonymous one.
    pub name: String,
    /// Offset in bits from the start of the object.
    pub bit_offset: u64,
    /// Size in bits.
    pub bits: u64,
    /// The member's type.
    pub ty: TypeId,
}

/// The table of types of a program.
#[derive(Clone, Default, Debug)]
pub struct Types {
    types: Vec<CType>,
}

impl Types {
    /// Adds a type.
    pub fn add(&mut self, ty: CType) -> TypeId {
        self.types.push(ty);
        TypeId::new(self.types.len() - 1)
    }

    /// Replaces a type: recursive types are added first and filled in later.
    pub fn set(&mut self, id: TypeId, ty: CType) {
        self.types[id.index()] = ty;
    }

    /// Looks a type up.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.index()]
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Size in bytes, 0 where unknown.
    pub fn size(&self, id: TypeId, pointer_bytes: u64) -> u64 {
        match self.get(id) {
            CType::Int { bits, .. } | CType::Enum { bits, .. } => u64::from(*bits).div_ceil(8),
            CType::Bool => 1,
            CType::Float { bits, .. } => match bits {
                80 if pointer_bytes == 4 => 12,
                80 => 16,
                other => u64::from(*other).div_ceil(8),
            },
            CType::Pointer { .. } => pointer_bytes,
            CType::Array { of, count } => self.size(*of, pointer_bytes).saturating_mul(*count),
            CType::Struct { size, .. } => *size,
            CType::Function | CType::Unknown => 0,
        }
    }

    /// Names the part of an object at a byte offset, e.g. `.queue[3].head` (empty for the whole),
    /// with the type of that part.
    pub fn path(&self, id: TypeId, offset: u64, pointer_bytes: u64) -> (String, TypeId) {
        match self.get(id) {
            CType::Array { of, count } => {
                let size = self.size(*of, pointer_bytes);
                if size == 0 || (*count != 0 && offset / size >= *count) {
                    return (String::new(), id);
                }
                let (rest, ty) = self.path(*of, offset % size, pointer_bytes);
                (format!("[{}]{rest}", offset / size), ty)
            }
            CType::Struct { fields, .. } => {
                let bit = offset * 8;
                let hit = fields
                    .iter()
                    .find(|f| f.bit_offset <= bit && bit < f.bit_offset + f.bits.max(1));
                match hit {
                    Some(f) => {
                        let (rest, ty) = self.path(f.ty, offset - f.bit_offset / 8, pointer_bytes);
                        let name =
                            if f.name.is_empty() { String::new() } else { format!(".{}", f.name) };
                        (format!("{name}{rest}"), ty)
                    }
                    None => (String::new(), id),
                }
            }
            CType::Int { .. }
            | CType::Bool
            | CType::Float { .. }
            | CType::Pointer { .. }
            | CType::Enum { .. }
            | CType::Function
            | CType::Unknown => (String::new(), id),
        }
    }
}
