//! How much of a program has names: the bounds of automata, and how they grow.
//!
//! Threads, objects, parts of objects and calls get names before anything runs (`layout.rs`,
//! `contexts.rs`); what has none ends the automaton there. If an execution comes to such an end, the
//! automata are made anew with larger bounds: only the one that was met grows, since each multiplies
//! what the others cost.

use crate::machine::CutKind;

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
    /// Iterations of loops that leave no trace are followed like all others: more than is needed, but
    /// an invariant then holds of every execution, as it is.
    pub every_iteration: bool,
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
            every_iteration: false,
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

    /// Larger ones where they have cut something off for this reason, and only there; none if they are
    /// as large as they get, or if it is not a matter of bounds.
    #[must_use]
    pub fn beyond(self, kind: &CutKind) -> Option<Bounds> {
        let larger = match kind {
            CutKind::Threads | CutKind::Objects => Bounds { repeats: self.repeats * 2, ..self },
            CutKind::Recursion => Bounds { recursion: self.recursion * 2, ..self },
            CutKind::Cells => Bounds { cells: self.cells * 8, ..self },
            CutKind::Alignment => Bounds { bytes: true, ..self },
            CutKind::Calls => Bounds { single_copies: true, ..self },
            CutKind::Iterations | CutKind::Unsupported(_) | CutKind::Undefined(_) => self,
        };
        let Bounds { repeats, recursion, cells, .. } = Bounds::default().next().next();
        let fits = larger.repeats <= repeats && larger.recursion <= recursion;
        (larger != self && fits && larger.cells <= cells).then_some(larger)
    }
}
