//! What a search comes to, and what it finds on the way.

use std::time::{Duration, Instant};

use raddle_automaton::Bounds as Names;
use raddle_interp::ConfirmedTrace;
use raddle_ir::{Place, Unmodelled};

use super::certificate::Certificate;
use super::goals::Key;
use super::lines::{Family, Lines, Shown};
use crate::{Cut, Ground, Note, Reason};

/// What a search came to.
pub enum End {
    /// Nothing else is reached, because of this.
    Complete(Ground),
    /// The time was up; so many steps were looked at.
    Time,
    /// No answer.
    No(Reason),
    /// Names are missing: begin again with more.
    More(Names),
    /// This was found; others like it have to be looked for.
    Again(Family, Lines),
    /// One finding is enough.
    Enough,
}

/// What earlier searches have found, with fewer names or before a finding that others are like.
pub struct Known {
    /// Findings, replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// Those that are sets of lines.
    pub shown: Shown,
    /// When the first search began.
    pub begin: Instant,
    /// When something was found last.
    pub last_found: Option<Duration>,
}

/// What was found on the way.
#[derive(Default)]
pub struct Found {
    /// Violations, replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// What replays of others said.
    pub unconfirmed: Vec<String>,
    /// Whether something was cut off and not looked at any further.
    pub left_out: bool,
    /// What bounds cut off.
    pub cuts: Vec<Cut>,
    /// What is not modelled, and where.
    pub unsupported: Vec<(Unmodelled, Place)>,
    /// Undefined behaviour that some execution comes to, or may.
    pub notes: Vec<Note>,
    /// Whether the proof is one of all interleavings although others are restricted.
    pub all_interleavings: bool,
    /// The proof as an invariant.
    pub certificate: Option<Certificate>,
    /// When something was found last, or something unsupported for the first time.
    pub last_found: Option<Duration>,
    /// Sizes.
    pub figures: Figures,
}

impl Found {
    /// Whether nothing is left to look for after a search that came to this end.
    pub fn is_answer(&self, end: &End) -> bool {
        let nothing = self.findings.is_empty() && self.unconfirmed.is_empty();
        match end {
            End::Enough => true,
            End::Complete(_) => nothing && !self.left_out,
            End::Time | End::No(_) | End::More(_) | End::Again(..) => false,
        }
    }
}

/// Sizes of a search.
#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs)]
pub struct Figures {
    pub threads: u64,
    pub states: u64,
    pub latches: u64,
    pub gates: u64,
    pub depth: u64,
    pub rounds: u64,
    pub level: u64,
    pub cubes: u64,
    pub clauses: u64,
    pub reached: u64,
}

/// What findings are the same as this one.
pub fn key(trace: &ConfirmedTrace) -> Key {
    let mut places: Vec<Place> = trace.finding().sites.iter().map(|s| s.place).collect();
    places.sort_unstable();
    (trace.finding().property, places)
}
