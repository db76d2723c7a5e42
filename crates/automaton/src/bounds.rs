//! How much of a program has names: what lies beyond ends an automaton.

/// How much of a program has names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Threads and objects that one place in one thread makes, if it is in a loop.
    pub repeats: u32,
    /// How often a function occurs in a chain of calls.
    pub recursion: u32,
    /// Cells of one object.
    pub cells: u64,
    /// Cells are bytes, for programs with accesses that are not aligned.
    pub bytes: bool,
    /// Functions have a single copy where they can ([`crate::contexts`]).
    pub single_copies: bool,
    /// Iterations of loops that leave no trace end, also if only running shows which ones.
    pub pure: bool,
    /// Where threads are created in a loop, those that have names stand for any number.
    pub any_number: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            repeats: 4,
            recursion: 2,
            cells: 64,
            bytes: false,
            single_copies: false,
            pure: false,
            any_number: false,
        }
    }
}

impl Bounds {
    /// Larger ones.
    #[must_use]
    pub fn next(self) -> Bounds {
        Bounds {
            repeats: self.repeats.saturating_mul(2),
            recursion: self.recursion.saturating_mul(2),
            cells: self.cells.saturating_mul(8),
            ..self
        }
    }
}
