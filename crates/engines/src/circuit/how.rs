//! What is wanted of a search: which methods, with which reductions, and whether with a certificate.

use super::stubborn::Reductions;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Bounded model checking only.
    Bmc,
    /// With induction.
    Induction,
    /// With IC3.
    Ic3,
    /// With decision diagrams only.
    Bdd,
    /// All of them.
    Auto,
    /// Bounded model checking in rounds only, for a part of the time, before others begin.
    Look,
}

/// What is wanted of a search.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Its methods.
    pub method: Method,
    /// Whether a proof shall come with a certificate.
    pub certificate: bool,
    /// Whether violations are looked for in rounds as well.
    pub rounds: bool,
    /// How the scheduler is restricted.
    pub reductions: Reductions,
    /// With more bits of state than this there is no search.
    pub most_bits: Option<u64>,
}
