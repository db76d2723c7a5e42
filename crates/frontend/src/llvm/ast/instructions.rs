//! Instructions and terminators.

use super::{
    BinaryOp, BlockId, Call, CastOp, Constant, DebugRecord, ElementPointer, Flags, FloatPredicate,
    IntegerPredicate, LocalId, Operand, Value,
};
use crate::llvm::metadata::MetadataId;
use crate::llvm::symbols::Symbol;
use crate::llvm::types::TypeId;

/// An instruction that is not a terminator.
#[derive(Debug)]
pub struct Instruction {
    /// What it defines; `None` for void.
    pub result: Option<LocalId>,
    /// What it does.
    pub op: Op,
    /// `!dbg`: a `Location`.
    pub debug: Option<MetadataId>,
    /// Line in the LLVM text.
    pub line: u32,
}

/// The last instruction of a block.
#[derive(Debug)]
pub struct Terminator {
    /// What it defines (only `invoke` and `callbr` do).
    pub result: Option<LocalId>,
    /// What it does.
    pub op: TerminatorOp,
    /// `!dbg`: a `Location`.
    pub debug: Option<MetadataId>,
    /// Line in the LLVM text.
    pub line: u32,
}

/// Where control goes at the end of a block.
#[derive(Debug)]
pub enum TerminatorOp {
    /// `ret`.
    Return(Option<Operand>),
    /// `br label %a`.
    Jump(BlockId),
    /// `br i1 %c, label %then, label %otherwise`.
    Branch {
        /// An `i1`.
        condition: Value,
        /// Taken on 1.
        then: BlockId,
        /// Taken on 0.
        otherwise: BlockId,
    },
    /// `switch`.
    Switch {
        /// What is looked up.
        value: Operand,
        /// Taken if no case matches.
        default: BlockId,
        /// Constants of the type of `value`, all different, and where they lead.
        cases: Vec<(Constant, BlockId)>,
    },
    /// `indirectbr`, C's computed goto.
    IndirectBranch {
        /// A `blockaddress` computed at run time.
        address: Operand,
        /// Where it may lead.
        targets: Vec<BlockId>,
    },
    /// `unreachable`: getting here is undefined.
    Unreachable,
    /// `invoke`: a call that may unwind.
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where it returns to.
        normal: BlockId,
        /// Where an exception leads.
        unwind: BlockId,
    },
    /// `callbr`: C's `asm goto`.
    CallBranch {
        /// The call, of inline assembly.
        call: Box<Call>,
        /// Where it falls through to.
        fallthrough: BlockId,
        /// Where the assembly may jump.
        indirect: Vec<BlockId>,
    },
    /// `resume`, `cleanupret`, `catchret`, `catchswitch`: exceptions, which C does not have.
    Unsupported {
        /// The instruction's word.
        what: &'static str,
    },
}

/// What an instruction does.
#[derive(Debug)]
pub enum Op {
    /// Arithmetic on integers, floats or vectors of them.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Flags as written.
        flags: Flags,
        /// Left operand, with the type of all three.
        left: Operand,
        /// Right operand.
        right: Value,
    },
    /// `fneg`.
    NegateFloat {
        /// Of what.
        value: Operand,
    },
    /// `icmp`, of integers, pointers or vectors of them.
    CompareInteger {
        /// Which.
        predicate: IntegerPredicate,
        /// Left operand, with the type of both.
        left: Operand,
        /// Right operand.
        right: Value,
    },
    /// `fcmp`.
    CompareFloat {
        /// Which.
        predicate: FloatPredicate,
        /// Left operand, with the type of both.
        left: Operand,
        /// Right operand.
        right: Value,
    },
    /// `select`.
    Select(Box<[Operand; 3]>),
    /// `phi`, of the result's type.
    Phi {
        /// One entry per predecessor.
        incoming: Vec<(Value, BlockId)>,
    },
    /// A cast.
    Cast {
        /// Which.
        op: CastOp,
        /// Flags as written (`nneg`, `nuw`, `nsw`).
        flags: Flags,
        /// Of what.
        value: Operand,
        /// To what.
        to: TypeId,
    },
    /// `getelementptr`.
    ElementPointer(Box<ElementPointer>),
    /// `alloca`.
    Allocate {
        /// Type of one element.
        ty: TypeId,
        /// Number of elements; `None` is one.
        count: Option<Operand>,
        /// `align n`, in bytes.
        align: Option<u32>,
        /// `addrspace(n)`.
        address_space: u32,
    },
    /// `load`, of the result's type.
    Load {
        /// Type of what is read.
        ty: TypeId,
        /// From where.
        pointer: Operand,
        /// Volatility, atomicity, alignment.
        access: Access,
    },
    /// `store`.
    Store {
        /// What is written.
        value: Operand,
        /// To where.
        pointer: Operand,
        /// Volatility, atomicity, alignment.
        access: Access,
    },
    /// `cmpxchg`; the result is `{T, i1}`.
    CompareExchange(Box<CompareExchange>),
    /// `atomicrmw`; the result is the old contents.
    ReadModifyWrite(Box<ReadModifyWrite>),
    /// `fence`.
    Fence {
        /// Its strength.
        ordering: Ordering,
        /// `syncscope("…")`, if not the whole system.
        scope: Option<Symbol>,
    },
    /// `extractvalue`.
    ExtractValue {
        /// From where.
        aggregate: Operand,
        /// Which.
        indices: Box<[u32]>,
    },
    /// `insertvalue`.
    InsertValue {
        /// Into what.
        aggregate: Operand,
        /// What.
        element: Operand,
        /// Where.
        indices: Box<[u32]>,
    },
    /// `extractelement`.
    ExtractElement {
        /// From where.
        vector: Operand,
        /// Which.
        index: Operand,
    },
    /// `insertelement`: vector, element, index.
    InsertElement(Box<[Operand; 3]>),
    /// `shufflevector`: left, right, constant mask of `i32`.
    ShuffleVector(Box<[Operand; 3]>),
    /// `va_arg`.
    VariadicArgument {
        /// The `va_list`.
        list: Operand,
        /// Type of what is fetched.
        ty: TypeId,
    },
    /// `freeze`.
    Freeze {
        /// Of what.
        value: Operand,
    },
    /// `call`, of a function, a pointer or inline assembly.
    Call(Box<Call>),
    /// A `#dbg_*` record or a call of `llvm.dbg.*`.
    Debug(Box<DebugRecord>),
    /// `landingpad`, `cleanuppad`, `catchpad`: exceptions, which C does not have.
    Unsupported {
        /// The instruction's word.
        what: &'static str,
    },
}

/// How a load or store is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Access {
    /// `volatile`.
    pub volatile: bool,
    /// `None` for plain accesses.
    pub ordering: Option<Ordering>,
    /// `syncscope("…")`, if not the whole system.
    pub scope: Option<Symbol>,
    /// `align n`, in bytes.
    pub align: Option<u32>,
}

/// Memory orders of atomics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// `unordered` (Java's).
    Unordered,
    /// `monotonic`: C's relaxed.
    Monotonic,
    /// `acquire`, also for consume.
    Acquire,
    /// `release`.
    Release,
    /// `acq_rel`.
    AcquireRelease,
    /// `seq_cst`.
    SequentiallyConsistent,
}

/// `cmpxchg`.
#[derive(Debug)]
pub struct CompareExchange {
    /// May fail spuriously.
    pub weak: bool,
    /// Where.
    pub pointer: Operand,
    /// What is expected.
    pub expected: Operand,
    /// What is written on success.
    pub desired: Operand,
    /// Volatility, alignment; `ordering` is the one for success.
    pub access: Access,
    /// Ordering on failure.
    pub failure: Ordering,
}

/// `atomicrmw`.
#[derive(Debug)]
pub struct ReadModifyWrite {
    /// Which.
    pub op: RmwOp,
    /// Where.
    pub pointer: Operand,
    /// The other operand.
    pub value: Operand,
    /// Volatility, ordering, alignment.
    pub access: Access,
}

/// Operations of `atomicrmw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are LLVM's own")]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
    FloatAdd,
    FloatSub,
    FloatMax,
    FloatMin,
    /// `fmaximum`: as `FloatMax`, but NaN wins.
    FloatMaximum,
    /// `fminimum`: as `FloatMin`, but NaN wins.
    FloatMinimum,
    /// `uinc_wrap`.
    IncrementWrap,
    /// `udec_wrap`.
    DecrementWrap,
    /// `usub_cond`.
    SubConditional,
    /// `usub_sat`.
    SubSaturating,
}
