//! What circuits are built of, whatever a gate is made of: clauses, or nodes of a graph.
//!
//! Idea: sums, products and shifts are the same circuits for a solver and for a hardware model
//! checker. They are written once, over this trait; `blast` gives each gate its clauses, [`crate::Graph`]
//! gives it nodes. Implementations simplify: constants vanish, equal gates are one gate.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Not;

/// Something that makes gates.
pub trait Gates {
    /// The output of a gate, or its complement.
    type Lit: Copy + Ord + Hash + Debug + Not<Output = Self::Lit>;

    /// The literal that is always true.
    fn tru(&self) -> Self::Lit;
    /// The value, if the literal is constant.
    fn as_constant(&self, a: Self::Lit) -> Option<bool>;
    /// A literal that can have any value.
    fn free(&mut self) -> Self::Lit;
    /// Both.
    fn and(&mut self, a: Self::Lit, b: Self::Lit) -> Self::Lit;
    /// All of them.
    fn and_many(&mut self, inputs: &[Self::Lit]) -> Self::Lit;
    /// Exactly one of two.
    fn xor(&mut self, a: Self::Lit, b: Self::Lit) -> Self::Lit;
    /// `a` if `c`, else `b`.
    fn ite(&mut self, c: Self::Lit, a: Self::Lit, b: Self::Lit) -> Self::Lit;
    /// The sum bit of three.
    fn xor3(&mut self, a: Self::Lit, b: Self::Lit, c: Self::Lit) -> Self::Lit;
    /// The carry bit of three.
    fn majority(&mut self, a: Self::Lit, b: Self::Lit, c: Self::Lit) -> Self::Lit;

    /// The literal that is always false.
    fn fals(&self) -> Self::Lit {
        !self.tru()
    }

    /// The constant literal with this value.
    fn constant(&self, value: bool) -> Self::Lit {
        if value { self.tru() } else { self.fals() }
    }

    /// One of two, or both.
    fn or(&mut self, a: Self::Lit, b: Self::Lit) -> Self::Lit {
        !self.and(!a, !b)
    }

    /// At least one of them.
    fn or_many(&mut self, inputs: &[Self::Lit]) -> Self::Lit {
        let negated: Vec<Self::Lit> = inputs.iter().map(|&a| !a).collect();
        !self.and_many(&negated)
    }
}
