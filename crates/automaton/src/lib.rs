//! Threads as extended finite state machines (half B of the design).
//!
//! Reading order: [`contexts`] (functions, inlined), `bounds.rs` (how much has names), [`layout`]
//! (threads, objects and cells, with their addresses), `grains.rs` and `sizes.rs` (how large cells
//! and objects are), `holders.rs` (what words of mutexes hide), [`machine`] (what comes out: states
//! and transitions as terms), `build.rs` (one region of code per state), `step.rs`, `calls.rs`,
//! `memory.rs`, `access.rs`, `objects.rs` and `threads.rs` (what instructions do), `observe.rs`
//! (what formulas see), `spin.rs` (where threads spin), `pure.rs` and `vain.rs` (iterations without
//! a trace), `reach.rs` (which states a depth can reach), `balance.rs` (paths of equal length),
//! `bits.rs` (which bits of cells can be 1), [`print`] and `words.rs` (as text and as a graph).
//!
//! **Invariant:** loops are not unrolled, no interleaving is looked at and no solver is called.
//! Whatever a bound or a missing model leaves out is a condition under which a state's step is cut.

mod access;
mod balance;
mod bits;
mod bounds;
mod build;
mod calls;
pub mod contexts;
mod grains;
mod holders;
pub mod layout;
pub mod machine;
mod memory;
mod objects;
mod observe;
pub mod print;
mod pure;
mod reach;
mod sizes;
mod spin;
mod step;
mod threads;
mod vain;
mod words;

pub use balance::balanced;
pub use bits::{Bits, cell_bits, open_parts};
pub use bounds::Bounds;
pub use build::automata;
pub use contexts::{ClassIx, Context, ContextId, Contexts, MOST as MOST_CONTEXTS};
pub use layout::{
    Cell, CellId, Class, Initial, Kind, Layout, Memory, ObjectIx, STAND_INS, Site, SiteIx, Thread,
    ThreadIx, TooLarge,
};
pub use machine::{
    Access, Answer, Automata, Automaton, Choice, Cut, CutKind, Leak, Position, Remembered, State,
    StateIx, StateVar, Touch, Trail, Transition, Vars, Violation, Wait, Waiting,
};
pub use reach::control_states;
pub use spin::{MOST_ARRIVALS, lives};
