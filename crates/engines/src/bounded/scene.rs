//! What is composed: a program within a bound, what is known of its memory, and what its threads
//! do.
//!
//! All of it is fixed once the threads are summarised. What a composition adds is its own: terms in
//! the pool beside the skeleton, and what memory holds at the start
//! ([`super::initial::InitialMemory`]).

use raddle_ir::Program;
use raddle_summary::{Knowledge, Skeleton};

/// A summarised program.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its objects.
    pub knowledge: &'a Knowledge,
    /// Its threads.
    pub skeleton: &'a Skeleton,
}
