//! What a step did: the memory it touched and how it synchronised.
//!
//! This is all that races, partial-order reduction, traces and replay see of a step.

use raddle_ir::{BlockId, InstrRef};
use smallvec::SmallVec;

use crate::thread::ThreadId;

/// Why memory was touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchKind {
    /// An access of the program.
    Data,
    /// A mutex operation.
    Mutex,
    /// The end of an object.
    Life,
    /// An access that is not valid.
    Invalid,
}

/// Memory touched by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The instruction.
    pub at: InstrRef,
    /// Why.
    pub kind: TouchKind,
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Whether it reads.
    pub read: bool,
    /// Whether it writes (a failed compare-exchange does not).
    pub write: bool,
    /// Whether the access is atomic, by itself or by its section.
    pub atomic: bool,
    /// Whether it takes no part in races.
    pub hidden: bool,
    /// Whether other threads can reach it.
    pub shared: bool,
    /// The value before.
    pub old: u128,
    /// The value after.
    pub new: u128,
}

/// Synchronisation by a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sync {
    /// Created a thread.
    Create(ThreadId),
    /// Saw the end of a thread.
    Join(ThreadId),
    /// The thread ended.
    End,
    /// The program ended.
    Exit,
    /// A heap object was allocated or freed.
    Heap,
}

/// An arrival at a loop head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The head.
    pub head: BlockId,
    /// Iterations completed.
    pub iterations: u32,
    /// Whether the last iteration was pure.
    pub pure: bool,
    /// Whether it was pure because a condition wait came to nothing for the second time.
    pub vain: bool,
}

/// What a step did.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Memory it touched.
    pub touches: SmallVec<[Touch; 2]>,
    /// Synchronisation.
    pub sync: Option<Sync>,
    /// Arrival at a loop head.
    pub arrival: Option<Arrival>,
    /// It read memory that was never written.
    pub unknown: bool,
    /// It touched an object owned by another thread.
    pub foreign: bool,
    /// It went on although its condition was false, or failed although it could have succeeded.
    pub woke: bool,
    /// It reached something that is not modelled.
    pub unsupported: bool,
    /// The instruction, if it asked for the thread's own number and not only for its place in sets.
    pub own_number: Option<InstrRef>,
    /// It looked for the thread that has a number, in order to join it.
    pub joins: bool,
}

impl Effect {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.sync = None;
        self.arrival = None;
        self.unknown = false;
        self.foreign = false;
        self.woke = false;
        self.unsupported = false;
        self.own_number = None;
        self.joins = false;
    }
}
