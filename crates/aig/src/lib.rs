//! Gates: terms as circuits, and-inverter graphs, transition systems and their files.
//!
//! Reading order: [`Gates`] (what circuits are built of), `adder.rs`, `multiply.rs`, `divide.rs`,
//! `shift.rs` (one arithmetic circuit each), [`Words`] (terms to gates), [`Graph`] (gates as an
//! and-inverter graph), [`System`] (with latches), [`reduce`] (the part that matters), [`aiger`]
//! and [`btor2`] (as files).
//!
//! **Invariant:** knows no program, no solver and no file system.

mod adder;
pub mod aiger;
pub mod btor2;
mod divide;
mod gates;
mod graph;
mod multiply;
pub mod reduce;
mod shift;
mod system;
mod words;

pub use gates::Gates;
pub use graph::{Edge, Graph, Node, Shape};
pub use system::{Execution, Input, Latch, System};
pub use words::Words;
