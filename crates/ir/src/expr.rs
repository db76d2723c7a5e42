//! Pure values: operands and expressions without memory access.
//!
//! Every value is a bit-vector of 1 to 128 bits: Booleans are 1 bit wide, pointers as wide as the
//! machine's addresses, floats their IEEE encoding (x87 `long double`: its 80 bits). Aggregates and
//! vectors do not occur: lowering splits them into scalars.

use crate::ids::{FuncId, GlobalId, RegId};

/// A constant; bits above `width` are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// The value, zero-extended.
    pub value: u128,
    /// The width in bits.
    pub width: u32,
}

impl Const {
    /// A constant, cut to its width.
    pub fn new(value: u128, width: u32) -> Const {
        Const { value: value & mask(width), width }
    }
}

/// The mask of the low `width` bits.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// Something that has a value without being computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(RegId),
    /// A constant.
    Const(Const),
    /// The address of a global (never a thread-local one) plus an offset in bytes.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FuncId),
}

/// Which wrap-around the source language forbids (LLVM's `nsw`, `nuw`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Wrap {
    /// Signed overflow is undefined behaviour.
    pub no_signed: bool,
    /// Unsigned overflow is undefined behaviour.
    pub no_unsigned: bool,
}

/// Integer operations on two operands of one width, modulo 2^width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division by zero stops the thread (it is undefined behaviour); so does `INT_MIN / -1`.
    UDiv,
    SDiv,
    URem,
    SRem,
    /// A shift by the width or more gives 0 (for `AShr` the sign in every bit).
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Comparisons; the result is one bit wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Changes of width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Trunc,
    ZeroExtend,
    SignExtend,
}

/// Operations on the bits of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BitOp {
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    SwapBytes,
    Reverse,
}

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    Single,
    Double,
    X87,
    Quad,
}

impl FloatKind {
    /// Width of the encoding in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }
}

/// Floating-point operations on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    CopySign,
}

/// Floating-point comparison: true iff the relation of the operands is one of those allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatCmp {
    /// True when the first is less.
    pub less: bool,
    /// True when they are equal.
    pub equal: bool,
    /// True when the first is greater.
    pub greater: bool,
    /// True when either is NaN.
    pub unordered: bool,
}

/// A pure computation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Expr {
    /// The operand itself.
    Use(Operand),
    /// Integer arithmetic.
    Binary { op: BinOp, a: Operand, b: Operand, wrap: Wrap },
    /// Pointer arithmetic: `base + offset`, both as wide as an address. Kept apart from `Add` so
    /// that analyses know which operand is the pointer.
    Offset { base: Operand, offset: Operand },
    /// Integer or pointer comparison.
    Compare { op: CmpOp, a: Operand, b: Operand },
    /// Change of width to that of the destination (also pointer/integer casts, by `Use`).
    Cast { op: CastOp, a: Operand, width: u32 },
    /// `cond ? a : b`.
    Select { cond: Operand, a: Operand, b: Operand },
    /// 1 iff `a op b` overflows (`Add`, `Sub`, `Mul` only).
    Overflows { op: BinOp, signed: bool, a: Operand, b: Operand },
    /// Bit counting and permutation.
    Bits { op: BitOp, a: Operand },
    /// Floating-point arithmetic, round to nearest even.
    Float { op: FloatOp, kind: FloatKind, a: Operand, b: Operand },
    /// Change of sign.
    FloatNeg { kind: FloatKind, a: Operand },
    /// Absolute value.
    FloatAbs { kind: FloatKind, a: Operand },
    /// Floating-point comparison.
    FloatCompare { cmp: FloatCmp, kind: FloatKind, a: Operand, b: Operand },
    /// Conversion between formats.
    FloatCast { from: FloatKind, to: FloatKind, a: Operand },
    /// Conversion to an integer, toward zero; out of range gives 0.
    FloatToInt { from: FloatKind, signed: bool, a: Operand, width: u32 },
    /// Conversion from an integer.
    IntToFloat { to: FloatKind, signed: bool, a: Operand, from_width: u32 },
}

impl Expr {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let (a, b, c) = match *self {
            Expr::Use(a)
            | Expr::Cast { a, .. }
            | Expr::Bits { a, .. }
            | Expr::FloatNeg { a, .. }
            | Expr::FloatAbs { a, .. }
            | Expr::FloatCast { a, .. }
            | Expr::FloatToInt { a, .. }
            | Expr::IntToFloat { a, .. } => (a, None, None),
            Expr::Binary { a, b, .. }
            | Expr::Compare { a, b, .. }
            | Expr::Overflows { a, b, .. }
            | Expr::Float { a, b, .. }
            | Expr::FloatCompare { a, b, .. } => (a, Some(b), None),
            Expr::Offset { base, offset } => (base, Some(offset), None),
            Expr::Select { cond, a, b } => (cond, Some(a), Some(b)),
        };
        std::iter::once(a).chain(b).chain(c)
    }
}
