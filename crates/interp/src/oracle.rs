//! Who decides what the program does not determine.
//!
//! Everything that is not fixed by the program and the schedule is asked here: inputs, the
//! addresses of new objects, the numbers of new threads, the contents of memory that was never
//! written, spurious wakeups. Each question carries `nth`: how many questions of its kind the
//! thread asked before on its way. **Contract:** equal questions get equal answers, because the
//! interpreter asks again when it first tries an atomic section on a copy of the state.

use raddle_ir::{GlobalId, InputKind, InstrRef};
use serde::{Deserialize, Serialize};

use crate::thread::ThreadId;

/// A question for the value of an `Input` instruction.
#[derive(Clone, Copy, Debug)]
pub struct InputAsk<'a> {
    /// The asking thread.
    pub thread: ThreadId,
    /// How many `Input` instructions the thread executed before.
    pub nth: u32,
    /// The instruction.
    pub at: InstrRef,
    /// Width of the wanted value in bits; higher bits of the answer are dropped.
    pub width: u32,
    /// Where the value comes from in the program's view. For `Choice(n)` the answer is taken modulo n.
    pub kind: InputKind,
    /// The name given in the program.
    pub name: &'a str,
}

/// A question for the address of a new object.
#[derive(Clone, Copy, Debug)]
pub struct AddressAsk {
    /// The allocating thread.
    pub thread: ThreadId,
    /// How many `Alloc` instructions the thread executed before.
    pub nth: u32,
    /// The `Alloc` instruction.
    pub at: InstrRef,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
}

/// Any other question: the number of a new thread, a spurious wakeup.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The asking thread.
    pub thread: ThreadId,
    /// How many questions of this kind the thread asked before.
    pub nth: u32,
    /// The instruction.
    pub at: InstrRef,
}

/// Which object a byte of unknown content belongs to, independent of addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A global.
    Global(GlobalId),
    /// A stack or heap object.
    Allocation {
        /// The allocating thread.
        thread: ThreadId,
        /// How many `Alloc` instructions the thread executed before.
        nth: u32,
    },
    /// A thread's copy of a thread-local global.
    ThreadLocal {
        /// The thread.
        thread: ThreadId,
        /// The global.
        global: GlobalId,
    },
}

/// Answers the questions. See the module's contract.
pub trait Oracle {
    /// The value of an input.
    fn input(&mut self, ask: &InputAsk<'_>) -> u128;
    /// The address of a new object; `None`: the interpreter chooses.
    fn address(&mut self, ask: &AddressAsk) -> Option<u64>;
    /// The address of a thread's copy of a thread-local global; `None`: the interpreter chooses.
    fn thread_local_address(&mut self, thread: ThreadId, global: GlobalId) -> Option<u64> {
        let _ = (thread, global);
        None
    }
    /// The number of a new thread; `None`: the next free one.
    fn thread_number(&mut self, ask: &Ask) -> Option<u32>;
    /// The content of a byte that is read before it was ever written; asked once per byte.
    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8;
    /// Whether bytes that are asked for are written down; not where nobody looks at them.
    fn fixes_bytes(&self) -> bool {
        true
    }
    /// Whether a spurious `Block` with a false condition goes on.
    fn spurious(&mut self, ask: &Ask) -> bool;
}

/// Answers 0, no and "choose yourself" to everything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Oracle for Zeros {
    fn input(&mut self, _: &InputAsk<'_>) -> u128 {
        0
    }
    fn address(&mut self, _: &AddressAsk) -> Option<u64> {
        None
    }
    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }
    fn initial_byte(&mut self, _: &Origin, _: u64) -> u8 {
        0
    }
    fn spurious(&mut self, _: &Ask) -> bool {
        false
    }
}

/// [`Origin`] in the text form of a trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OriginName {
    /// The global of that index.
    Global(u32),
    /// Thread and number of the allocation.
    Allocation(ThreadId, u32),
    /// Thread and index of the global.
    ThreadLocal(ThreadId, u32),
}

impl From<Origin> for OriginName {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Global(g) => OriginName::Global(g.0),
            Origin::Allocation { thread, nth } => OriginName::Allocation(thread, nth),
            Origin::ThreadLocal { thread, global } => OriginName::ThreadLocal(thread, global.0),
        }
    }
}

impl From<OriginName> for Origin {
    fn from(name: OriginName) -> Self {
        match name {
            OriginName::Global(g) => Origin::Global(GlobalId(g)),
            OriginName::Allocation(thread, nth) => Origin::Allocation { thread, nth },
            OriginName::ThreadLocal(thread, g) => {
                Origin::ThreadLocal { thread, global: GlobalId(g) }
            }
        }
    }
}
