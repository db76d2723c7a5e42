//! Replay: from choices, or from an encoder's guide, to a confirmed trace.

use raddle_ir::{InstrRef, Program};
use thiserror::Error;

use crate::choices::Choices;
use crate::oracle::Oracle;
use crate::thread::ThreadId;
use crate::trace::ConfirmedTrace;

/// One step of a guide: an instruction whose place in the order matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// The thread that takes it.
    pub thread: ThreadId,
    /// The instruction.
    pub at: InstrRef,
    /// The address it accesses: executions of `at` with another address are passed by.
    pub address: Option<u64>,
}

/// What a guided replay shall show after its last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The check at `at` fails in `thread`.
    Check {
        /// The thread.
        thread: ThreadId,
        /// The `Check` instruction.
        at: InstrRef,
    },
    /// The instruction at `at` uses an invalid address.
    Memory {
        /// The thread.
        thread: ThreadId,
        /// The access, free or call.
        at: InstrRef,
    },
    /// Both threads are about to execute these accesses.
    Race {
        /// One thread and its access.
        first: (ThreadId, InstrRef),
        /// The other.
        second: (ThreadId, InstrRef),
    },
    /// After every thread ran on until it is blocked or ended, they are deadlocked.
    Deadlock,
    /// A thread reaches `Exit` and heap objects are left.
    Leak {
        /// The thread that exits.
        thread: ThreadId,
    },
}

/// Why a replay did not show what it should: always a bug of whoever made the guide (or of this
/// crate), or a trace of another program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The trace belongs to another program.
    #[error("the trace was made for another program (or with other options or another version)")]
    OtherProgram,
    /// The guide or schedule could not be followed.
    #[error("step {step}: expected {expected}; {happened}")]
    Diverged {
        /// Index into the guide or schedule; its length means "after the last".
        step: usize,
        /// What should have happened.
        expected: String,
        /// What happened instead.
        happened: String,
    },
    /// The run came to its end without the wanted finding.
    #[error("the run ends without {wanted}; {happened}")]
    NotShown {
        /// What was wanted.
        wanted: String,
        /// The state at the end.
        happened: String,
    },
    /// The run took too many steps.
    #[error("more than {0} instructions")]
    TooLong(u64),
}

/// Runs the program with these choices.
pub fn replay(program: &Program, choices: &Choices) -> Result<ConfirmedTrace, ReplayError> {
    let _ = (program, choices);
    Err(ReplayError::TooLong(0))
}

/// Runs the program along a guide: for each step the thread runs on until it is about to execute
/// the step's instruction, then executes it.
pub fn replay_guided(
    program: &Program,
    guide: &[GuideStep],
    oracle: &mut dyn Oracle,
    wanted: &Wanted,
) -> Result<ConfirmedTrace, ReplayError> {
    let _ = (program, guide, oracle, wanted);
    Err(ReplayError::TooLong(0))
}
