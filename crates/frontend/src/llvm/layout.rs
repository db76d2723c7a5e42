//! Sizes, alignments and offsets of types, as the `target datalayout` says.
//!
//! Idea: the string is a list of `kind bits : abi align`, separated by `-`; what it does not say is
//!   LLVM's default. An integer of unlisted width takes the alignment of the next wider one listed
//!   (or of the widest), a vector of unlisted width is aligned to its size rounded up to a power of
//!   two.
//! Source: LLVM Language Reference, "Data Layout"; checked against clang's `sizeof` and `offsetof`
//! for i386 and x86-64.
//! Limits: `None` for types without a size (opaque, function, scalable, target types) and for sizes
//! beyond 2^60.

use super::types::{FloatKind, Type, TypeId, Types};

/// The parsed `target datalayout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    /// The string itself.
    pub text: String,
    /// `E`: the most significant byte comes first.
    pub big_endian: bool,
    /// Per address space: number, width in bits, alignment in bytes. Space 0 comes first.
    pointers: Vec<(u32, u32, u64)>,
    /// Width in bits and alignment in bytes, by rising width.
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    /// Least alignment of aggregates in bytes.
    aggregate: u64,
    /// Address space of `alloca`.
    pub alloca_space: u32,
}

impl Default for DataLayout {
    fn default() -> DataLayout {
        DataLayout {
            text: String::new(),
            big_endian: false,
            pointers: vec![(0, 64, 8)],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregate: 1,
            alloca_space: 0,
        }
    }
}

/// Where the fields of a struct lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructLayout {
    /// Byte offset of each field.
    pub offsets: Vec<u64>,
    /// Size in bytes, padding at the end included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// Sizes beyond this are refused, so that sums and roundings cannot overflow.
const LARGEST: u64 = 1 << 60;
/// Types nested deeper than this are refused; the parser allows less for one type, but named
/// structs can chain.
const DEEPEST: u32 = 1024;
/// Structs that hold the next one twice have sizes that take exponential time to add up; these are
/// refused.
const MOST_STEPS: u32 = 1 << 20;

/// Guards the walk over nested types.
#[derive(Default)]
struct Walk {
    depth: u32,
    steps: u32,
}

impl DataLayout {
    /// Reads the string; the error says which part is wrong.
    pub fn parse(text: &str) -> Result<DataLayout, String> {
        let mut layout = DataLayout { text: text.into(), ..DataLayout::default() };
        for part in text.split('-').filter(|part| !part.is_empty()) {
            layout.read(part).ok_or_else(|| format!("cannot read `{part}` in the data layout"))?;
        }
        Ok(layout)
    }

    fn read(&mut self, part: &str) -> Option<()> {
        let kind = part.chars().next()?;
        let rest = &part[kind.len_utf8()..];
        match kind {
            'e' if rest.is_empty() => self.big_endian = false,
            'E' if rest.is_empty() => self.big_endian = true,
            'p' => {
                let mut fields = rest.split(':');
                let space = fields.next()?.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                let space = if space.is_empty() { 0 } else { space.parse().ok()? };
                let bits = width(fields.next()?)?;
                let align = alignment(fields.next()?)?.max(1);
                match self.pointers.iter_mut().find(|entry| entry.0 == space) {
                    Some(entry) => *entry = (space, bits, align),
                    None => self.pointers.push((space, bits, align)),
                }
            }
            'i' => set(&mut self.integers, rest)?,
            'f' => set(&mut self.floats, rest)?,
            'v' => set(&mut self.vectors, rest)?,
            'a' => {
                // `a:0:64`, or `a0:0:64` in old files.
                let mut fields = rest.split(':');
                fields.next()?;
                self.aggregate = alignment(fields.next()?)?.max(1);
            }
            'A' => self.alloca_space = rest.parse().ok()?,
            // Native widths, stack, mangling, function pointers, globals, non-integral spaces: no
            // effect on layout.
            'n' | 'S' | 'm' | 'F' | 'P' | 'G' | 's' => {}
            _ => return None,
        }
        Some(())
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(&self, address_space: u32) -> u32 {
        self.pointer(address_space).1
    }

    fn pointer(&self, address_space: u32) -> (u32, u32, u64) {
        let found = self.pointers.iter().find(|entry| entry.0 == address_space);
        *found.unwrap_or(&self.pointers[0])
    }

    /// Width in bits of a scalar or vector value, as it is in a register: 80 for `x86_fp80`, 1 for
    /// `i1`.
    pub fn bits_of(&self, types: &Types, ty: TypeId) -> Option<u64> {
        match types.get(ty) {
            Type::Integer(bits) => Some(u64::from(*bits)),
            Type::Float(kind) => Some(float_bits(*kind)),
            Type::Pointer { address_space } => Some(u64::from(self.pointer_bits(*address_space))),
            Type::Vector { element, count, scalable: false } => {
                Some(self.bits_of(types, *element)? * u64::from(*count))
            }
            Type::Vector { scalable: true, .. }
            | Type::Void
            | Type::Array { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => None,
        }
    }

    /// Distance in bytes between two elements of an array of this type: what C's `sizeof` says.
    pub fn size_of(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(self.measure(types, ty, &mut Walk::default())?.0)
    }

    /// Alignment in bytes that the ABI asks for.
    pub fn align_of(&self, types: &Types, ty: TypeId) -> Option<u64> {
        Some(self.measure(types, ty, &mut Walk::default())?.1)
    }

    /// Where the fields of a struct lie; `None` for opaque structs and other types.
    pub fn struct_layout(&self, types: &Types, ty: TypeId) -> Option<StructLayout> {
        self.lay_out(types, ty, &mut Walk::default())
    }

    /// Size and alignment.
    fn measure(&self, types: &Types, ty: TypeId, walk: &mut Walk) -> Option<(u64, u64)> {
        walk.steps += 1;
        if walk.depth == DEEPEST || walk.steps > MOST_STEPS {
            return None;
        }
        walk.depth += 1;
        let (size, align) = match types.get(ty) {
            Type::Integer(bits) => (u64::from(*bits).div_ceil(8), self.integer_align(*bits)),
            Type::Float(kind) => {
                let bits = float_bits(*kind);
                (
                    bits.div_ceil(8),
                    exact(&self.floats, bits as u32).unwrap_or_else(|| natural(bits)),
                )
            }
            Type::Pointer { address_space } => {
                let (_, bits, align) = self.pointer(*address_space);
                (u64::from(bits).div_ceil(8), align)
            }
            Type::Vector { scalable: false, .. } => {
                let bits = self.bits_of(types, ty)?;
                let listed = u32::try_from(bits).ok().and_then(|bits| exact(&self.vectors, bits));
                (bits.div_ceil(8), listed.unwrap_or_else(|| natural(bits)))
            }
            Type::Array { element, count } => {
                let (size, align) = self.measure(types, *element, walk)?;
                (size.checked_mul(*count)?, align)
            }
            Type::Struct { .. } | Type::Named(_) => {
                let layout = self.lay_out(types, ty, walk)?;
                (layout.size, layout.align)
            }
            Type::Vector { scalable: true, .. }
            | Type::Void
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => return None,
        };
        walk.depth -= 1;
        let size = size.checked_next_multiple_of(align)?;
        (size <= LARGEST).then_some((size, align))
    }

    fn lay_out(&self, types: &Types, ty: TypeId, walk: &mut Walk) -> Option<StructLayout> {
        let (fields, packed) = types.struct_fields(ty)?;
        let mut layout =
            StructLayout { offsets: Vec::with_capacity(fields.len()), size: 0, align: 1 };
        for &field in fields {
            let (size, align) = self.measure(types, field, walk)?;
            let align = if packed { 1 } else { align };
            let offset = layout.size.next_multiple_of(align);
            layout.offsets.push(offset);
            layout.size = offset + size;
            layout.align = layout.align.max(align);
            if layout.size > LARGEST {
                return None;
            }
        }
        if !packed {
            layout.align = layout.align.max(self.aggregate);
        }
        layout.size = layout.size.next_multiple_of(layout.align);
        Some(layout)
    }

    fn integer_align(&self, bits: u32) -> u64 {
        let wider = self.integers.iter().find(|entry| entry.0 >= bits);
        wider.or(self.integers.last()).map_or(1, |entry| entry.1)
    }
}

fn float_bits(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Float => 32,
        FloatKind::Double => 64,
        FloatKind::X86Fp80 => 80,
        FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
    }
}

/// Alignment in bytes of a type whose width is not listed: its size, rounded up to a power of two.
fn natural(bits: u64) -> u64 {
    bits.div_ceil(8).max(1).next_power_of_two()
}

fn exact(list: &[(u32, u64)], bits: u32) -> Option<u64> {
    list.iter().find(|entry| entry.0 == bits).map(|entry| entry.1)
}

fn set(list: &mut Vec<(u32, u64)>, text: &str) -> Option<()> {
    let mut fields = text.split(':');
    let bits = width(fields.next()?)?;
    let align = alignment(fields.next()?)?.max(1);
    match list.binary_search_by_key(&bits, |entry| entry.0) {
        Ok(place) => list[place].1 = align,
        Err(place) => list.insert(place, (bits, align)),
    }
    Some(())
}

fn width(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&bits| bits > 0 && bits < 1 << 24)
}

/// Bits to bytes; 0 stays 0.
fn alignment(text: &str) -> Option<u64> {
    let bits: u64 = text.parse().ok()?;
    let bytes = bits / 8;
    (bits.is_multiple_of(8) && (bits == 0 || bytes.is_power_of_two()) && bits < 1 << 24)
        .then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::symbols::Symbol;
    use crate::llvm::types::StructBody;

    const I386: &str =
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";
    const X86_64: &str =
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    /// Size and alignment for both targets.
    fn check(make: impl Fn(&mut Types) -> TypeId, small: (u64, u64), large: (u64, u64)) {
        let mut types = Types::default();
        let ty = make(&mut types);
        for (text, expected) in [(I386, small), (X86_64, large)] {
            let layout = DataLayout::parse(text).unwrap();
            let found = (layout.size_of(&types, ty).unwrap(), layout.align_of(&types, ty).unwrap());
            assert_eq!(found, expected, "{:?} under {text}", types.get(ty));
        }
    }

    #[test]
    fn scalars() {
        check(|_| TypeId::I1, (1, 1), (1, 1));
        check(|_| TypeId::I32, (4, 4), (4, 4));
        check(|_| TypeId::I64, (8, 4), (8, 8));
        check(|_| TypeId::PTR, (4, 4), (8, 8));
        check(|_| TypeId::DOUBLE, (8, 4), (8, 8));
        check(|types| types.integer(24), (4, 4), (4, 4));
        check(|types| types.integer(48), (8, 4), (8, 8));
        check(|types| types.integer(128), (16, 16), (16, 16));
        check(|types| types.integer(256), (32, 16), (32, 16));
        check(|types| types.intern(Type::Float(FloatKind::X86Fp80)), (12, 4), (16, 16));
        check(|types| types.intern(Type::Float(FloatKind::Half)), (2, 2), (2, 2));
        check(|types| types.intern(Type::Float(FloatKind::Fp128)), (16, 16), (16, 16));
        check(|types| types.intern(Type::Pointer { address_space: 272 }), (8, 8), (8, 8));
    }

    #[test]
    fn aggregates() {
        let fields: Box<[TypeId]> = [TypeId::I8, TypeId::I64, TypeId::I16, TypeId::PTR].into();
        let literal = |packed| {
            move |types: &mut Types| types.intern(Type::Struct { fields: fields.clone(), packed })
        };
        check(literal.clone()(false), (20, 4), (32, 8));
        check(literal(true), (15, 1), (19, 1));
        check(
            |types| types.intern(Type::Array { element: TypeId::I16, count: 5 }),
            (10, 2),
            (10, 2),
        );
        check(
            |types| {
                types.intern(Type::Vector { element: TypeId::FLOAT, count: 4, scalable: false })
            },
            (16, 16),
            (16, 16),
        );
        check(
            |types| types.intern(Type::Vector { element: TypeId::I8, count: 3, scalable: false }),
            (4, 4),
            (4, 4),
        );
    }

    #[test]
    fn sizes_that_do_not_exist() {
        let mut types = Types::default();
        let layout = DataLayout::default();
        let huge = types.intern(Type::Array { element: TypeId::I64, count: u64::MAX / 2 });
        assert_eq!(layout.size_of(&types, huge), None);
        assert_eq!(layout.size_of(&types, TypeId::VOID), None);
        assert_eq!(layout.size_of(&types, TypeId::LABEL), None);
        // A struct that contains itself, and a tower of structs that hold the next one twice.
        let body = |fields: [TypeId; 2]| StructBody { fields: fields.into(), packed: false };
        let itself = types.named(Symbol(0));
        types.define(Symbol(0), body([TypeId::I8, itself]));
        assert_eq!(layout.size_of(&types, itself), None);
        for level in 1..60 {
            let next = types.named(Symbol(level + 1));
            types.define(Symbol(level), body([next, next]));
        }
        types.define(Symbol(60), body([TypeId::I8, TypeId::I8]));
        let tower = types.named(Symbol(1));
        assert_eq!(layout.size_of(&types, tower), None);
        let small = types.named(Symbol(51));
        assert_eq!(layout.size_of(&types, small), Some(1024));
    }

    #[test]
    fn bad_strings() {
        for text in ["q", "i", "i32", "ix:32", "p:0:0", "p", "i32:33", "a", "i32:24", "Ax"] {
            assert!(DataLayout::parse(text).is_err(), "{text}");
        }
        assert!(DataLayout::parse("").unwrap() == DataLayout::default());
        let layout = DataLayout::parse("E-p:16:16-A5-a:0:64").unwrap();
        assert!(layout.big_endian && layout.alloca_space == 5 && layout.pointer_bits(0) == 16);
    }
}
