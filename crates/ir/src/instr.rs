//! Instructions: everything that a step of a thread may do.
//!
//! The semantics in words is `docs/semantics.md`; the interpreter is its executable form. An
//! instruction is *visible* if it touches memory that another thread may reach or synchronises;
//! the others are glued to the visible one before them.

use crate::expr::{Expr, Operand};
use crate::ids::{BlockId, FuncId, GlobalId, RegId, TypeId};
use crate::place::Place;
use crate::program::Function;
use crate::property::Property;

/// The memory order of an atomic access (sequential consistency is the memory model; orders are
/// kept for reports and for memory models to come).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access {
    /// `Some` for C11 atomics and the `__sync`/`__atomic` builtins: such accesses do not race with
    /// each other.
    pub atomic: Option<Order>,
    /// `volatile` in the source. No effect on the semantics.
    pub volatile: bool,
    /// Inside a library model: never part of a data race (`memcpy` and friends, which stand for
    /// accesses of the caller, are not hidden).
    pub hidden: bool,
    /// A load that only asks whether the value is the number of its own thread: who holds a mutex.
    /// No effect on the semantics.
    pub holder: bool,
    /// A store by which the thread enters or leaves a set of threads: 8 bytes with a bit for each
    /// thread (for thread n the bit n - 1, counted from the lowest bit of the first byte), and 8 more
    /// with a bit for those of them that were woken. No effect on the semantics: it tells where memory
    /// names threads.
    pub set: bool,
}

/// Read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
}

/// The life of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocKind {
    /// Ends when the function that allocated it returns, or its thread ends inside it.
    Stack,
    /// Ends with `Free`.
    Heap,
}

/// Where a value that the program does not determine comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputKind {
    /// The environment: `__VERIFIER_nondet_*`, `rand`, `time`, `getchar`…
    External,
    /// A variable read before it was written.
    Uninitialised,
    /// A choice inside a library model, from 0 up to but not including the number: always
    /// enumerated completely, so it does not make a verdict BOUNDED.
    Choice(u32),
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// Whatever function has this address; any other address is a memory error.
    Indirect(Operand),
}

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Where it stands in the source.
    pub place: Place,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    /// `dst = value`, no memory access.
    Assign { dst: RegId, value: Expr },
    /// Reads as many bytes as `dst` is wide (rounded up; the unused high bits are dropped).
    Load { dst: RegId, addr: Operand, access: Access },
    /// Writes `width` bits (rounded up to bytes; the unused high bits become zero).
    Store { addr: Operand, value: Operand, width: u32, access: Access },
    /// Atomically `dst = *addr; *addr = dst op value`.
    Rmw { dst: RegId, op: RmwOp, addr: Operand, value: Operand, width: u32, access: Access },
    /// Atomically `old = *addr; ok = old == expected; if (ok) *addr = new`. A `weak` one may also fail although
    /// the values are equal: if they are, an input of kind `Choice(2)` is asked for, and 1 makes it fail.
    CompareExchange {
        old: RegId,
        ok: RegId,
        addr: Operand,
        expected: Operand,
        new: Operand,
        width: u32,
        access: Access,
        weak: bool,
    },
    /// A memory fence; no effect under sequential consistency.
    Fence { order: Order },
    /// A new object of `size` bytes (operand as wide as an address); contents arbitrary unless
    /// `zeroed`. `size` 0 gives an object that must not be accessed.
    Alloc {
        dst: RegId,
        size: Operand,
        align: u32,
        kind: AllocKind,
        zeroed: bool,
        /// The variable's name for stack objects, empty for heap objects.
        name: String,
        ctype: Option<TypeId>,
    },
    /// Ends a heap object; the null address is ignored; anything else is a memory error.
    Free { addr: Operand },
    /// The size in bytes of the live object that starts at `addr` (0 for null): for `realloc`.
    ObjectSize { dst: RegId, addr: Operand },
    /// The address of the running thread's copy of a thread-local global.
    ThreadLocal { dst: RegId, global: GlobalId },
    /// A call. `dst` is absent when the result is not used or void.
    Call { dst: Option<RegId>, callee: Callee, args: Vec<Operand> },
    /// Starts a thread that calls `func(args…)`; `dst` (as wide as an address) gets its number. The
    /// main thread is 1.
    Create { dst: Option<RegId>, func: Operand, args: Vec<Operand> },
    /// Blocks until the thread with that number has ended; `dst` gets what it returned.
    Join { dst: Option<RegId>, thread: Operand },
    /// Ends the running thread with a value (as wide as an address), and with it the stack objects
    /// of all its functions.
    ThreadExit { value: Operand },
    /// The number of the running thread. `place`: only asked for in order to find the thread's bit
    /// in sets of threads ([`Access::set`]), and no more needed when the atomic section ends in which it
    /// was asked for.
    ThreadSelf { dst: RegId, place: bool },
    /// The 32-bit word at `mutex` is 0 when free, else the number of the thread that holds it.
    /// Blocks until it is 0, then writes the thread's number. `wait`: re-acquisition after waiting
    /// on a condition variable (see [`crate::cfg`] on pure iterations).
    Lock { mutex: Operand, wait: bool },
    /// Writes 0 to the word. Whether the thread may do so is checked by the library model.
    Unlock { mutex: Operand, wait: bool },
    /// `dst` (32 bits) = 1 and locked, or 0 if the word is not 0.
    TryLock { dst: RegId, mutex: Operand },
    /// Begins an atomic section; sections nest, the outermost counts.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,
    /// Waits until `cond` (1 bit) holds: as the value cannot change after it was computed, this
    /// stands inside an atomic section that computes it from memory, and the whole section takes no
    /// step until it holds. `spurious`: may also go on although `cond` is false (a spurious
    /// wakeup), which does not count as progress when looking for deadlocks.
    Block { cond: Operand, spurious: bool },
    /// Only executions with `cond` (1 bit) go on.
    Assume { cond: Operand },
    /// `cond` (1 bit) must hold. What a failure does when `property` is not being checked is
    /// [`Property::unchecked_failure_stops`]; a failure that is reported ends the execution.
    Check { property: Property, cond: Operand, message: String },
    /// An arbitrary value.
    Input { dst: RegId, kind: InputKind, name: String },
    /// The program ends (`exit`, `abort`); `leaks` says whether leak checking applies here
    /// (`exit` and return from main: yes; `abort`: no).
    Exit { leaks: bool },
    /// Something that is not modelled; no verdict can be given on executions that reach it.
    Unsupported { what: String },
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Terminator {
    Goto(BlockId),
    /// `cond` is one bit wide.
    Branch {
        cond: Operand,
        then: BlockId,
        other: BlockId,
    },
    Switch {
        value: Operand,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// Control cannot come here: the instruction before it ends the thread or the program, or a
    /// failed `Check` stands there.
    Stop,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Its instructions.
    pub instrs: Vec<Instr>,
    /// How it ends.
    pub end: Terminator,
    /// Where the terminator stands.
    pub end_place: Place,
}

impl Block {
    /// Whether a check in it fails whenever control comes there.
    pub fn always_fails(&self) -> bool {
        let fails =
            |op: &Op| matches!(op, Op::Check { cond: Operand::Const(c), .. } if c.value == 0);
        self.instrs.iter().any(|instr| fails(&instr.op))
    }
}

/// Names one instruction of the program; `index` equal to the number of instructions names the
/// terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub struct InstrRef {
    pub func: FuncId,
    pub block: BlockId,
    pub index: u32,
}

/// How an instruction uses an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// The address.
    pub addr: Operand,
    /// How many bytes from there; `None` for the whole object.
    pub bytes: Option<u64>,
    /// Whether memory is read.
    pub reads: bool,
    /// Whether memory is written (or the object ends).
    pub writes: bool,
}

impl Op {
    /// The registers it assigns.
    pub fn defs(&self) -> impl Iterator<Item = RegId> + use<> {
        let (a, b) = match self {
            Op::Assign { dst, .. }
            | Op::Load { dst, .. }
            | Op::Rmw { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::ObjectSize { dst, .. }
            | Op::ThreadLocal { dst, .. }
            | Op::ThreadSelf { dst, .. }
            | Op::TryLock { dst, .. }
            | Op::Input { dst, .. } => (Some(*dst), None),
            Op::CompareExchange { old, ok, .. } => (Some(*old), Some(*ok)),
            Op::Call { dst, .. } | Op::Create { dst, .. } | Op::Join { dst, .. } => (*dst, None),
            Op::Store { .. }
            | Op::Fence { .. }
            | Op::Free { .. }
            | Op::ThreadExit { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Block { .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The operands it reads.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Op::Assign { value, .. } => value.operands().collect(),
            Op::Load { addr, .. } | Op::Free { addr } | Op::ObjectSize { addr, .. } => vec![*addr],
            Op::Store { addr, value, .. } | Op::Rmw { addr, value, .. } => vec![*addr, *value],
            Op::CompareExchange { addr, expected, new, .. } => vec![*addr, *expected, *new],
            Op::Alloc { size, .. } => vec![*size],
            Op::Call { callee, args, .. } => {
                let mut all = args.clone();
                if let Callee::Indirect(f) = callee {
                    all.push(*f);
                }
                all
            }
            Op::Create { func, args, .. } => {
                let mut all = args.clone();
                all.push(*func);
                all
            }
            Op::Join { thread, .. } => vec![*thread],
            Op::ThreadExit { value } => vec![*value],
            Op::Lock { mutex, .. } | Op::Unlock { mutex, .. } | Op::TryLock { mutex, .. } => {
                vec![*mutex]
            }
            Op::Block { cond, .. } | Op::Assume { cond } | Op::Check { cond, .. } => vec![*cond],
            Op::Fence { .. }
            | Op::ThreadLocal { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Input { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => Vec::new(),
        }
    }

    /// How it uses an address, if it does; `function` is the one that it stands in.
    pub fn memory_use(&self, function: &Function) -> Option<MemoryUse> {
        let bytes = |width: u32| Some(u64::from(width.div_ceil(8)));
        let (addr, bytes, reads, writes) = match self {
            Op::Load { dst, addr, .. } => (*addr, bytes(function.reg(*dst).width), true, false),
            Op::ObjectSize { addr, .. } => (*addr, None, true, false),
            Op::Store { addr, width, .. } => (*addr, bytes(*width), false, true),
            Op::Free { addr } => (*addr, None, true, true),
            Op::Rmw { addr, width, .. } | Op::CompareExchange { addr, width, .. } => {
                (*addr, bytes(*width), true, true)
            }
            Op::Lock { mutex, .. } | Op::TryLock { mutex, .. } => (*mutex, Some(4), true, true),
            Op::Unlock { mutex, .. } => (*mutex, Some(4), false, true),
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Alloc { .. }
            | Op::ThreadLocal { .. }
            | Op::Call { .. }
            | Op::Create { .. }
            | Op::Join { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Block { .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Input { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => return None,
        };
        Some(MemoryUse { addr, bytes, reads, writes })
    }

    /// Whether the thread never gets past it.
    pub fn stops(&self) -> bool {
        matches!(self, Op::ThreadExit { .. } | Op::Exit { .. } | Op::Unsupported { .. })
    }
}

impl Terminator {
    /// The blocks control may go to, in order, possibly with repetitions.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(b) => vec![*b],
            Terminator::Branch { then, other, .. } => vec![*then, *other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, b)| *b).chain([*default]).collect()
            }
            Terminator::Return(_) | Terminator::Stop => Vec::new(),
        }
    }

    /// The operand it reads.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Terminator::Branch { cond, .. } => Some(*cond),
            Terminator::Switch { value, .. } => Some(*value),
            Terminator::Return(value) => *value,
            Terminator::Goto(_) | Terminator::Stop => None,
        }
    }
}
