//! The tree that the reader of LLVM text builds: one `Module` per file.
//!
//! Idea: an owned tree over small typed ids. Names are interned (`Symbol`), types live in one table (`TypeId`),
//!   values of a function are numbered densely (`LocalId`: arguments first), blocks stand in text order (`BlockId`,
//!   entry is 0), metadata nodes are found by their number (`MetadataId`).
//! Source: the LLVM Language Reference, for the opaque-pointer form written by LLVM 15 to 20.
//! Invariants, all established by the parser: every id resolves; every `Local` is defined exactly once; a call of
//!   `llvm.dbg.*` and a `#dbg_*` record are the same `Op::Debug`; integer literals are cut to their type's width.
//!   Operands have the types that their instruction takes (`check.rs`).
//! Limits: attributes are kept only where they change meaning (`byval`, `sret`, `align`, extensions, `noreturn`).
//!   It is not verified further: dominance or the predecessors of a `phi` may be wrong.
//! Length: one file, as it is one vocabulary and nine tenths declarations with their meaning.
//! Elsewhere: types in `types.rs`, sizes in `layout.rs`, debug information in `metadata.rs`.

use super::layout::DataLayout;
use super::metadata::{Metadata, MetadataId};
use super::symbols::{Symbol, Symbols};
use super::types::{TypeId, Types};
use rustc_hash::FxHashMap;

/// A whole LLVM file.
#[derive(Debug, Default)]
pub struct Module {
    /// What `source_filename` says, empty if nothing.
    pub source_file: String,
    /// The target triple, empty if none is given.
    pub triple: String,
    /// The parsed `target datalayout`; LLVM's defaults if none is given.
    pub layout: DataLayout,
    /// All names.
    pub symbols: Symbols,
    /// All types.
    pub types: Types,
    /// Variables, in text order.
    pub globals: Vec<Global>,
    /// Aliases and ifuncs, in text order.
    pub aliases: Vec<Alias>,
    /// Declarations and definitions, in text order.
    pub functions: Vec<Function>,
    /// What a `@name` means.
    pub items: FxHashMap<Symbol, Item>,
    /// Targets of `blockaddress` constants.
    pub block_addresses: Vec<BlockAddress>,
    /// Numbered, named and inline metadata.
    pub metadata: Metadata,
    /// What is kept of `attributes #n = { … }`, by number.
    pub attribute_groups: FxHashMap<u32, FunctionAttributes>,
    /// `module asm` lines.
    pub assembly: Vec<String>,
}

impl Module {
    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// What `@name` stands for in this module, if it is declared here.
    pub fn item(&self, name: &str) -> Option<Item> {
        self.symbols.find(name).and_then(|symbol| self.items.get(&symbol).copied())
    }

    /// The function of that name, declared or defined.
    pub fn function(&self, name: &str) -> Option<&Function> {
        match self.item(name)? {
            Item::Function(id) => Some(&self.functions[id as usize]),
            Item::Global(_) | Item::Alias(_) => None,
        }
    }

    /// The variable of that name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        match self.item(name)? {
            Item::Global(id) => Some(&self.globals[id as usize]),
            Item::Function(_) | Item::Alias(_) => None,
        }
    }

    /// The attributes written at a call, groups included (not those of the callee's declaration).
    pub fn call_attributes(&self, call: &Call) -> FunctionAttributes {
        self.resolve(call.attributes, &call.groups)
    }

    /// Own attributes together with those of the groups named.
    pub(crate) fn resolve(&self, own: FunctionAttributes, groups: &[u32]) -> FunctionAttributes {
        groups.iter().filter_map(|group| self.attribute_groups.get(group)).fold(own, |all, more| {
            FunctionAttributes {
                noreturn: all.noreturn || more.noreturn,
                returns_twice: all.returns_twice || more.returns_twice,
            }
        })
    }
}

/// What a global name stands for; the number indexes the vector of that kind in `Module`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// An index into `Module::globals`.
    Global(u32),
    /// An index into `Module::functions`.
    Function(u32),
    /// An index into `Module::aliases`.
    Alias(u32),
}

/// Linkage of a global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    /// The default.
    #[default]
    External,
    /// `private`: not in the symbol table at all.
    Private,
    /// `internal`: C's `static`.
    Internal,
    /// `available_externally`: a copy of a body that lives elsewhere.
    AvailableExternally,
    /// `linkonce`.
    LinkOnce,
    /// `linkonce_odr`.
    LinkOnceOdr,
    /// `weak`.
    Weak,
    /// `weak_odr`.
    WeakOdr,
    /// `common`: C's tentative definition.
    Common,
    /// `appending`: arrays such as `llvm.global_ctors`.
    Appending,
    /// `extern_weak`: null if nobody defines it.
    ExternWeak,
}

impl Linkage {
    /// Is the name invisible to other files?
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// May a definition in another file replace this one?
    pub fn is_weak(self) -> bool {
        match self {
            Linkage::LinkOnce
            | Linkage::LinkOnceOdr
            | Linkage::Weak
            | Linkage::WeakOdr
            | Linkage::Common
            | Linkage::AvailableExternally
            | Linkage::ExternWeak => true,
            Linkage::External | Linkage::Private | Linkage::Internal | Linkage::Appending => false,
        }
    }
}

/// A global variable.
#[derive(Debug)]
pub struct Global {
    /// Name without the `@`.
    pub name: Symbol,
    /// Type of the contents.
    pub ty: TypeId,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// `constant`, not `global`.
    pub constant: bool,
    /// One copy per thread.
    pub thread_local: bool,
    /// `externally_initialized`: the initialiser is not to be trusted.
    pub externally_initialized: bool,
    /// `addrspace(n)`.
    pub address_space: u32,
    /// `None` for a declaration.
    pub initializer: Option<Value>,
    /// `align n`, in bytes.
    pub align: Option<u32>,
    /// `section "…"`.
    pub section: Option<Symbol>,
    /// `!dbg`: each is a `GlobalVariableExpression`.
    pub debug: Vec<MetadataId>,
    /// Line of the definition in the LLVM text.
    pub line: u32,
}

/// `@a = alias T, ptr @b` or `@a = ifunc T, ptr @resolver`.
#[derive(Debug)]
pub struct Alias {
    /// Name without the `@`.
    pub name: Symbol,
    /// Type of the thing named (a function type for functions).
    pub ty: TypeId,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// An `ifunc`: the target is a resolver that returns the function.
    pub ifunc: bool,
    /// The thing named, usually `Value::Global`.
    pub target: Operand,
    /// Line of the definition in the LLVM text.
    pub line: u32,
}

/// A function, declared or defined.
#[derive(Debug)]
pub struct Function {
    /// Name without the `@`.
    pub name: Symbol,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// `cc n`, 0 being C.
    pub calling_convention: CallingConvention,
    /// Result type.
    pub result: TypeId,
    /// Attributes of the result.
    pub result_attributes: ParameterAttributes,
    /// Parameters in order; parameter `i` of a definition is `LocalId(i)`.
    pub parameters: Vec<Parameter>,
    /// `...` at the end of the parameters.
    pub variadic: bool,
    /// Attributes, groups included.
    pub attributes: FunctionAttributes,
    /// The function's own type.
    pub ty: TypeId,
    /// `!dbg`: a `Subprogram`.
    pub debug: Option<MetadataId>,
    /// Everything that `%name` can be in this function except blocks.
    pub locals: Vec<Local>,
    /// Basic blocks in text order, the entry first; empty for a declaration.
    pub blocks: Vec<Block>,
    /// Line of the head in the LLVM text.
    pub line: u32,
}

impl Function {
    /// Does this file give the body?
    pub fn is_definition(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The block of that id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The local of that id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

/// Calling convention: how, not what, so only C and the rest are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CallingConvention {
    /// The default.
    #[default]
    C,
    /// `fastcc`.
    Fast,
    /// `coldcc`.
    Cold,
    /// Any other, named or `cc n`.
    Other,
}

/// Attributes of functions that matter to a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FunctionAttributes {
    /// Control never comes back.
    pub noreturn: bool,
    /// Like `setjmp`.
    pub returns_twice: bool,
}

/// A formal parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// What is kept of its attributes.
    pub attributes: ParameterAttributes,
}

/// Attributes of parameters, results and arguments that matter to a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ParameterAttributes {
    /// `byval(T)`: the pointee is copied for the callee.
    pub byval: Option<TypeId>,
    /// `sret(T)`: the pointee is where the result goes.
    pub sret: Option<TypeId>,
    /// `align n`, in bytes.
    pub align: Option<u32>,
    /// `zeroext`: unsigned, narrower than a register.
    pub zero_extend: bool,
    /// `signext`: signed, narrower than a register.
    pub sign_extend: bool,
}

/// A value of a function: index into `Function::locals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A basic block: index into `Function::blocks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// How the text names a local or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalName {
    /// `%x.addr`.
    Named(Symbol),
    /// `%7`, written or implied.
    Numbered(u32),
}

/// An argument or the result of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its name in the text.
    pub name: LocalName,
    /// Its type.
    pub ty: TypeId,
}

/// A basic block.
#[derive(Debug)]
pub struct Block {
    /// Its label, written or implied.
    pub name: LocalName,
    /// Everything before the terminator.
    pub instructions: Vec<Instruction>,
    /// The last instruction.
    pub terminator: Terminator,
}

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
    /// `metadata …` as an argument of an intrinsic that is not a debug intrinsic; a string or value there is a
    /// `Tuple` of one.
    Metadata(MetadataId),
}

/// A constant that is not merely a global's address.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer of at most 64 bits, its two's complement cut to the width of its type; also `true` and `false`.
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

/// A call.
#[derive(Debug)]
pub struct Call {
    /// `tail`, `musttail`, `notail`.
    pub tail: Tail,
    /// Fast-math flags.
    pub flags: Flags,
    /// How arguments travel.
    pub calling_convention: CallingConvention,
    /// Result type.
    pub result: TypeId,
    /// Attributes of the result.
    pub result_attributes: ParameterAttributes,
    /// The callee's whole type where the text gives it (always for variadic callees).
    pub ty: Option<TypeId>,
    /// `addrspace(n)` of the callee.
    pub address_space: u32,
    /// What is called.
    pub callee: Callee,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Attributes written out at the call.
    pub attributes: FunctionAttributes,
    /// Attribute groups at the call; see `Module::call_attributes`.
    pub groups: Box<[u32]>,
    /// Tags of operand bundles, e.g. "clang.arc.attachedcall"; their operands are dropped.
    pub bundles: Vec<Symbol>,
}

/// Tail-call marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tail {
    /// Nothing written.
    #[default]
    None,
    /// `tail`.
    Tail,
    /// `musttail`.
    Must,
    /// `notail`.
    Never,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// `@f` (a function, alias or even a variable of this module).
    Global(Symbol),
    /// A computed pointer: a local or a constant expression.
    Pointer(Value),
    /// `asm "…", "…"`.
    Assembly(Box<Assembly>),
}

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// `sideeffect`.
    pub side_effect: bool,
    /// The template.
    pub text: String,
    /// The constraints.
    pub constraints: String,
}

/// An actual argument.
#[derive(Debug)]
pub struct Argument {
    /// What is passed.
    pub operand: Operand,
    /// What is kept of its attributes.
    pub attributes: ParameterAttributes,
}

/// What a debug record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugKind {
    /// `#dbg_declare`: the variable lives at the address given, from here on.
    Declare,
    /// `#dbg_value`: the variable has this value from here on.
    Value,
    /// `#dbg_assign`: both, with an assignment id that is dropped.
    Assign,
    /// `#dbg_label`: `variable` is a `Label`.
    Label,
}

/// A `#dbg_*` record or a call of `llvm.dbg.*`.
#[derive(Debug)]
pub struct DebugRecord {
    /// What it says.
    pub kind: DebugKind,
    /// The address or value; `None` if it was optimised away, is a list, or for labels.
    pub value: Option<Operand>,
    /// A `LocalVariable` (or `Label`).
    pub variable: MetadataId,
    /// An `Expression` node.
    pub expression: Option<MetadataId>,
}
