//! Time in slots: what the engines share that number the units of threads instead of ordering them.
//!
//! An execution is divided into *slots*, numbered from 0. Every unit of every thread has the number
//! of a slot, and numbers never decrease along a thread; what a slot is (a context, a write) and
//! who may be in it is the engine's business. Memory is passed from slot to slot: for each cell its
//! contents at the end of each slot. A read sees the last write that its own thread has made in the
//! same slot, or what memory held when the slot began. So threads meet only in the contents of
//! memory between slots, and the encoding grows with slots × accesses and slots × cells: nowhere
//! are two accesses of different threads compared. Source: papers 002 (contexts) and 001 (sequences
//! of writes), which share this idea.
//!
//! After the last slot comes the *look*: a unit with this number is not part of the execution.
//! There each thread runs on by itself from the final memory, sees its own writes and shows them to
//! nobody. Hence every prefix of an execution is an execution, and a state in which threads stand
//! before something is described without a further encoding: what a thread reads to find out where
//! it stands, it reads in the look.
//!
//! | file | idea |
//! | --- | --- |
//! | [`gates`] | small circuits over literals |
//! | [`numbers`] | the slot of each unit, in unary |
//! | [`memory`] | accesses divided among cells; symbolic addresses |
//! | [`narrow`] | the bits of a cell that matter |
//! | [`protected`] | what reads find inside critical sections |
//! | [`chain`] | one cell: what reads see, what is left at the end of each slot |
//! | [`nesting`] | the order of units inside a slot |
//! | [`goals`] | violations, cuts, races, deadlocks |
//! | [`composition`] | the formula and the schedule of its models |

pub mod chain;
pub mod composition;
pub mod gates;
pub mod goals;
pub mod memory;
pub mod narrow;
pub mod nesting;
pub mod numbers;
pub mod protected;
