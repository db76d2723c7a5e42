//! What a term is: an operation, a width and up to three arguments, in 16 bytes.
//!
//! Idea: the set of operations is small, so that each rule, the evaluator and the bit-blaster stay
//! short. Everything else is a definition in `build.rs` over these: `or` by De Morgan, `sub` as
//! `a + -b`, zero extension as concatenation with zeros, signed division by unsigned division of
//! magnitudes.
//! Limits: widths from 1 to [`MAX_WIDTH`]; at most 2^32 - 1 terms.

/// The widest vector: values are `u128`.
pub const MAX_WIDTH: u32 = 128;

/// A term in its pool. Arguments have smaller ids than the terms built from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position in the pool, for tables indexed by term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A free variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub(crate) u32);

impl VarId {
    /// The variable of that number.
    pub fn new(index: usize) -> VarId {
        VarId(u32::try_from(index).expect("fewer than 2^32 variables"))
    }

    /// Variables are numbered from 0 in the order of their creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node computes from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Op {
    /// A value, see `Terms::as_const`.
    Const,
    /// A free variable, see `Terms::as_var`.
    Var,
    /// Bitwise complement.
    Not,
    /// Bitwise conjunction.
    And,
    /// Bitwise exclusive or. Equality of width-1 terms is the complement of this.
    Xor,
    /// `args[1]` if the width-1 term `args[0]` is 1, else `args[2]`.
    Ite,
    /// Equality of vectors; width 1.
    Eq,
    /// Unsigned less-than; width 1.
    Ult,
    /// Signed less-than; width 1.
    Slt,
    /// Two's complement negation.
    Neg,
    /// Addition modulo 2^width.
    Add,
    /// Multiplication modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones if the divisor is 0.
    Udiv,
    /// Unsigned remainder; the dividend if the divisor is 0.
    Urem,
    /// Left shift; 0 if the amount is the width or more.
    Shl,
    /// Logical right shift; 0 if the amount is the width or more.
    Lshr,
    /// Arithmetic right shift; the sign everywhere if the amount is the width or more.
    Ashr,
    /// `args[0]` above `args[1]`.
    Concat,
    /// The bits from `Node::low` to `Node::low + width - 1` of `args[0]`.
    Extract,
    /// Sign extension to the node's width.
    Sext,
}

impl Op {
    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Op::Const | Op::Var => 0,
            Op::Not | Op::Neg | Op::Extract | Op::Sext => 1,
            Op::And
            | Op::Xor
            | Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Add
            | Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::Concat => 2,
            Op::Ite => 3,
        }
    }

    /// Whether the order of the two arguments does not matter.
    pub fn is_commutative(self) -> bool {
        matches!(self, Op::And | Op::Xor | Op::Eq | Op::Add | Op::Mul)
    }
}

/// A stored term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub(crate) op: Op,
    pub(crate) width: u8,
    /// Lowest extracted bit; 0 for all other operations.
    pub(crate) low: u8,
    /// Unused places hold `TermId(0)`; `Const` and `Var` keep an index in the first.
    pub(crate) args: [TermId; 3],
}

impl Node {
    /// The operation.
    pub fn op(&self) -> Op {
        self.op
    }

    /// The width of the result in bits.
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// The lowest extracted bit of an `Extract`, 0 otherwise.
    pub fn low(&self) -> u32 {
        u32::from(self.low)
    }

    /// The arguments.
    pub fn args(&self) -> &[TermId] {
        &self.args[..self.op.arity()]
    }
}
