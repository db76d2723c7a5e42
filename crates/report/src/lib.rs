//! Reports for people and machines.
//!
//! Reading order: [`data`] (what a report says, all plain values), [`assemble`] and [`collect`]
//! (from an engine's outcome and its traces to that data), [`wording`] and [`facts`] (the sentences
//! about findings and about the search), [`effort`] (where the time went), [`expressions`] (what the
//! source has at a place), [`human`] (text for people, with [`snippet`] for source lines and
//! [`columns`] for the interleaving), [`json`].
//!
//! **Invariant:** wording lives here and facts in the values; an output format is one file that
//! reads [`data::Report`] only. Nothing here reads files: sources come in as [`sources::Sources`].

pub mod assemble;
mod callers;
pub mod collect;
pub mod columns;
pub mod data;
pub mod effort;
pub mod expressions;
pub mod facts;
pub mod human;
pub mod json;
mod library;
pub mod paint;
pub mod snippet;
pub mod sources;
pub mod wording;

pub use assemble::{Run, rank};
pub use data::Report;
pub use human::Style;
pub use sources::Sources;
