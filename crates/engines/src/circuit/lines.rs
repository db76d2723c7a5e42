//! Findings that are sets of lines: who waits where, which allocations are left.
//!
//! One goal stands for many findings, and which one an execution shows depends on its last state. When
//! one was found the goal becomes another one, that exactly these lines are not it, and the circuit
//! is made anew: gates cannot be added to a search under way, and such findings are few.

use std::collections::BTreeSet;

use raddle_interp::{ThreadId, Wanted};
use raddle_ir::{InstrRef, Place};
use raddle_term::{TermId, Terms};

/// More sets of lines than this are not told apart.
const MOST: usize = 64;

/// A set of source lines, by file and number.
pub type Lines = BTreeSet<(u32, u32)>;

/// Findings that are told apart by lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Deadlocks of one kind.
    Deadlock {
        /// A circle of locks.
        local: bool,
    },
    /// What is left when a thread ends the program.
    Leak {
        /// The thread.
        thread: ThreadId,
    },
}

/// One of the lines that a finding may have.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// When it has it.
    pub cond: TermId,
    /// The line.
    pub place: Place,
    /// Who waits there then, and before which instruction.
    pub waits: Option<(ThreadId, InstrRef)>,
}

impl Part {
    fn line(&self) -> (u32, u32) {
        (self.place.file.0, self.place.line)
    }
}

/// What was found: it is not looked for again.
#[derive(Clone, Default, Debug)]
pub struct Shown(BTreeSet<(Family, Lines)>);

impl Shown {
    /// Adds a finding.
    pub fn add(&mut self, family: Family, lines: Lines) {
        let fresh = self.0.insert((family, lines));
        assert!(fresh, "what was shown does not come again");
    }

    /// A condition without what was shown; nothing if no more of it are told apart.
    pub fn others(
        &self,
        terms: &mut Terms,
        family: Family,
        cond: TermId,
        parts: &[Part],
    ) -> Option<TermId> {
        let shown = self.0.iter().filter(|s| s.0 == family);
        if shown.clone().count() >= MOST {
            return None;
        }
        let all: Lines = parts.iter().map(Part::line).collect();
        let mut others = vec![cond];
        for (_, lines) in shown {
            let mut differs = Vec::new();
            for line in all.union(lines) {
                let here: Vec<TermId> =
                    parts.iter().filter(|p| p.line() == *line).map(|p| p.cond).collect();
                let has = terms.or_all(&here);
                differs.push(if lines.contains(line) { terms.not(has) } else { has });
            }
            others.push(terms.or_all(&differs));
        }
        Some(terms.and_all(&others))
    }
}

/// What an execution shows, by which parts hold in its last state.
pub fn shown(
    family: Family,
    parts: &[Part],
    holds: &mut dyn FnMut(TermId) -> bool,
) -> (Wanted, Lines) {
    let held: Vec<&Part> = parts.iter().filter(|p| holds(p.cond)).collect();
    let lines = held.iter().map(|p| p.line()).collect();
    let wanted = match family {
        Family::Deadlock { local } => {
            let waits = held.iter().filter_map(|p| p.waits).collect();
            Wanted::Deadlock { local, waits }
        }
        Family::Leak { thread } => Wanted::Leak { thread },
    };
    (wanted, lines)
}
