//! Half A: what every engine on thread summaries shares.
//!
//! The threads of a program within a bound are summarised as guarded reads and writes
//! ([`raddle_summary`]). Engines differ only in how they link reads to writes: by an order of all
//! units (`staged`), by contexts, by a sequence of writes. Each is a [`composition::Composer`] and
//! says, besides the encoding itself, with which literals things go wrong and in which order units
//! happen in a model. Everything else is here, in reading order:
//!
//! | file | idea |
//! | --- | --- |
//! | [`scene`] | what is composed: program, memory, skeleton; none of it changes |
//! | [`composition`] | what an engine makes of it: formula, goals, schedule |
//! | [`deepen`] | bounds grow until there is a verdict |
//! | [`search`] | solve, replay, leave out what was shown, go on |
//! | [`violations`], [`races`], [`deadlocks`], [`cuts`] | what is looked for |
//! | [`witness`] | from a model to an execution to replay |
//! | [`facts`]: [`before`], [`implication`], [`sections`] | what holds in every execution |
//! | [`idle`] | reads on whose values nothing depends |
//! | [`symmetry`] | threads that are copies of each other |
//! | [`cells`], [`places`] | accesses cut into pieces; which of them meet |
//! | [`initial`] | what memory holds at the start |
//! | [`formula`], [`builtin`], [`smtlib`], [`solver`] | a formula, and who decides it |
//! | [`record`], [`recheck`] | models are compared with what was said, and with the memory model |
//! | [`stages`] | time and memory |
//!
//! **Invariant:** nothing here knows a particular engine. A composition adds terms to the pool and
//! keeps what it learns; the skeleton is not touched.

pub mod before;
pub mod builtin;
pub mod cells;
pub mod composition;
pub mod cuts;
pub mod deadlocks;
pub mod deepen;
pub mod facts;
pub mod formula;
pub mod idle;
pub mod implication;
pub mod initial;
pub mod places;
pub mod races;
pub mod recheck;
pub mod record;
pub mod scene;
pub mod search;
pub mod sections;
pub mod smtlib;
pub mod solver;
pub mod stages;
pub mod symmetry;
pub mod violations;
pub mod witness;
