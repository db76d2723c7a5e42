//! From a bounded program to its interference skeleton (half A of the design; paper 004).
//!
//! Reading order: [`skeleton`] (what comes out), [`knowledge`] (what is learned from pass to pass:
//! which objects are shared, written, pointed to), [`path`] (path conditions), [`memory`] (private
//! memory as plain values), [`execute`] (symbolic execution with path merging), [`step`] (one
//! instruction), [`access`] (loads and stores, private or as events), [`lifetime`] (objects that die), [`purity`] (loop iterations
//! that change nothing), [`expression`] (pure values).
//!
//! **Invariant:** no solver is called here, and no interleaving is looked at.

pub mod access;
mod check;
pub mod execute;
pub mod expression;
mod functions;
pub mod knowledge;
pub mod lifetime;
pub mod memory;
pub mod path;
mod pointers;
pub mod print;
pub mod purity;
pub mod skeleton;
pub mod step;
pub mod waiting;

pub use execute::{Limits, summarise};
pub use knowledge::{Knowledge, Object, ObjectIx, ObjectKey};
pub use print::Printer;
pub use skeleton::{
    Choice, ChoiceKind, Cut, CutKind, Event, EventKind, Held, Join, Mark, MarkKind, Skeleton,
    Summary, Thread, ThreadIx, Trail, Violation, Wait, WaitKind,
};
