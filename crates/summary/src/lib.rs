//! From a bounded program to its interference skeleton (half A of the design; paper 004).
//!
//! The walk. [`summarise`] passes over the whole program until nothing new is learned. A pass
//! executes the main thread symbolically: registers and private memory hold terms, paths join where
//! the control flow does, loops are unrolled on the way, calls are executed where they stand, and a
//! created thread where it is created. What other threads could notice is recorded as an event
//! under the condition of its path, with a fresh variable as the value of a read. What is left at
//! the end is the skeleton: a value that nobody changes any more, with the pool of its terms beside
//! it.
//!
//! Who does what:
//!
//! - What comes out? [`Skeleton`] in [`skeleton`]; as text, [`print`]; what holds of it, `check.rs`.
//! - What do passes learn (which objects are shared, written, pointed to)? [`knowledge`].
//! - What does a thread know of shared memory without looking? `protected.rs`, by what is known of
//!   writers (`writers.rs`) and of the values that they leave (`values.rs`).
//! - Where does a term point? `Pointers` in `pointers.rs`.
//! - What has been recorded, and where in the order does it stand? `Recorder` in `record.rs`; what
//!   of it leads nowhere, `dead_ends.rs`.
//! - What is in memory when threads start? [`beginning`].
//! - What happens next? `Walk` in `walk.rs`, and from the outside in `threads.rs`, `activation.rs`,
//!   `loops.rs` with [`purity`] and `retries.rs`, `merge.rs`, `step.rs`.
//!
//! A state is a [`path`], private [`memory`] and what is certainly held (`state.rs`). Instructions:
//! `step.rs` gives them to `access.rs` with `address.rs`, `atomics.rs`, `locks.rs`, `sections.rs`,
//! `objects.rs`, `lifetime.rs`, `calls.rs` with `functions.rs`, `threads.rs`, `waiting.rs`; pure
//! values are in [`expression`].
//!
//! **Invariant:** no solver is called here, and no interleaving is looked at.

mod access;
mod activation;
mod address;
mod atomics;
pub mod beginning;
mod calls;
mod check;
mod dead_ends;
pub mod expression;
mod functions;
pub mod holding;
mod knowledge;
mod lifetime;
mod locks;
mod loops;
pub mod memory;
mod merge;
mod objects;
pub mod path;
mod pointers;
pub mod print;
mod protected;
pub mod purity;
mod record;
mod retries;
mod sections;
pub mod skeleton;
mod state;
mod step;
mod summarise;
mod threads;
mod values;
mod waiting;
mod walk;
mod writers;

pub use beginning::{ArbitraryBytes, Beginning, Image};
pub use knowledge::{Knowledge, Object, ObjectIx, ObjectKey};
pub use memory::Part;
pub use print::Printer;
pub use skeleton::{
    Choice, ChoiceKind, Cut, CutKind, Event, EventKind, Held, Join, Mark, MarkKind, Skeleton,
    Summary, Thread, ThreadIx, Trail, Violation, Wait, WaitKind,
};
pub use summarise::{Limits, summarise};
