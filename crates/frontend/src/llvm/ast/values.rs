//! Values: operands, constants, and the expressions over constants that need no instruction.

use super::{BlockId, LocalId};
use crate::llvm::metadata::MetadataId;
use crate::llvm::symbols::Symbol;
use crate::llvm::types::TypeId;

/// A value with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its type.
    pub ty: TypeId,
    /// The value.
    pub value: Value,
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `%x`.
    Local(LocalId),
    /// `@x`: the address of a variable, function or alias, always found in `Module::items`.
    Global(Symbol),
    /// Anything else; aggregates may hold globals.
    Constant(Constant),
    /// `metadata …` as an argument of an intrinsic that is not a debug intrinsic; a string or value
    /// there is a `Tuple` of one.
    Metadata(MetadataId),
}

/// A constant that is not merely a global's address.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer of at most 64 bits, its two's complement cut to the width of its type; also
    /// `true` and `false`.
    Integer(u64),
    /// An integer type wider than 64 bits: little-endian words, cut to the width.
    WideInteger(Box<[u64]>),
    /// `half`, `bfloat`, `float` or `double`: the bits in the format of its own type.
    Float(u64),
    /// `x86_fp80`, `fp128` or `ppc_fp128`: the bits in the format of its own type.
    WideFloat(Box<u128>),
    /// `null`.
    Null,
    /// `undef`.
    Undef,
    /// `poison`.
    Poison,
    /// `zeroinitializer`, of any type.
    Zero,
    /// `none`, of type token.
    NoToken,
    /// `[…]`.
    Array(Box<[Operand]>),
    /// `c"…"`, unescaped: an array of bytes.
    Bytes(Box<[u8]>),
    /// `{…}` or `<{…}>`; the type says which.
    Struct(Box<[Operand]>),
    /// `<…>`.
    Vector(Box<[Operand]>),
    /// `splat (T v)`.
    Splat(Box<Operand>),
    /// `blockaddress(@f, %b)`: an index into `Module::block_addresses`.
    BlockAddress(u32),
    /// A constant expression.
    Expression(Box<Expression>),
    /// `dso_local_equivalent @f`, `no_cfi @f`, `ptrauth(…)`: the word.
    Unsupported(&'static str),
}

/// The target of a `blockaddress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAddress {
    /// The function, defined in this file.
    pub function: Symbol,
    /// The block of that function.
    pub block: BlockId,
}

/// A constant expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// `getelementptr`.
    ElementPointer(ElementPointer),
    /// A cast.
    Cast {
        /// Which.
        op: CastOp,
        /// Of what.
        value: Operand,
        /// To what.
        to: TypeId,
    },
    /// An arithmetic operation.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Flags as written.
        flags: Flags,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// `icmp`, until LLVM 18.
    CompareInteger {
        /// Which.
        predicate: IntegerPredicate,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// `fcmp`, until LLVM 18.
    CompareFloat {
        /// Which.
        predicate: FloatPredicate,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// `select`, until LLVM 16.
    Select {
        /// An `i1` or a vector of them.
        condition: Operand,
        /// Chosen on 1.
        then: Operand,
        /// Chosen on 0.
        otherwise: Operand,
    },
    /// `extractelement`.
    ExtractElement {
        /// From where.
        vector: Operand,
        /// Which.
        index: Operand,
    },
    /// `insertelement`.
    InsertElement {
        /// Into what.
        vector: Operand,
        /// What.
        element: Operand,
        /// Where.
        index: Operand,
    },
    /// `shufflevector`.
    ShuffleVector {
        /// First vector.
        left: Operand,
        /// Second vector.
        right: Operand,
        /// Constant mask.
        mask: Operand,
    },
}

/// `getelementptr`, as instruction or constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementPointer {
    /// `inbounds`, or one of `nusw`, `nuw`.
    pub flags: Flags,
    /// The type that the first index steps over.
    pub source: TypeId,
    /// The pointer.
    pub base: Operand,
    /// The indices.
    pub indices: Vec<Operand>,
}

/// Flags of arithmetic, casts and `getelementptr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// `nuw`.
    pub const NO_UNSIGNED_WRAP: Flags = Flags(1);
    /// `nsw`.
    pub const NO_SIGNED_WRAP: Flags = Flags(1 << 1);
    /// `exact`.
    pub const EXACT: Flags = Flags(1 << 2);
    /// `disjoint`.
    pub const DISJOINT: Flags = Flags(1 << 3);
    /// `nneg`.
    pub const NON_NEGATIVE: Flags = Flags(1 << 4);
    /// `samesign`.
    pub const SAME_SIGN: Flags = Flags(1 << 5);
    /// `inbounds`.
    pub const IN_BOUNDS: Flags = Flags(1 << 6);
    /// `nusw`.
    pub const NO_UNSIGNED_SIGNED_WRAP: Flags = Flags(1 << 7);
    /// `nnan`.
    pub const NO_NAN: Flags = Flags(1 << 8);
    /// `ninf`.
    pub const NO_INFINITY: Flags = Flags(1 << 9);
    /// Any other fast-math flag: `nsz`, `arcp`, `contract`, `afn`, `reassoc`, `fast`.
    pub const RELAXED_MATH: Flags = Flags(1 << 10);

    /// Are all flags of `other` set?
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// Binary operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Casts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
}

/// Predicates of `icmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum IntegerPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Predicates of `fcmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}
