//! Confirmed executions, step by step, in words of the C program.
//!
//! **Invariant:** a [`ConfirmedTrace`] exists only if the interpreter has run it to its finding;
//! the one constructor is private to this crate and called by [`crate::replay()`] and, for infinite
//! executions, by [`crate::lasso`] alone.

use raddle_ir::{FuncId, InstrRef, Place, Program, TypeId};

use crate::choices::Choices;
use crate::finding::{Finding, FindingKey, FindingKind};
use crate::thread::ThreadId;

/// One step of a trace: an instruction that means something to a reader (jumps and nameless
/// intermediate results are left out).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction.
    pub at: InstrRef,
    /// The source place, outside library models.
    pub place: Place,
    /// The function of that place.
    pub function: FuncId,
    /// How deep calls are nested there, from 0.
    pub depth: u32,
    /// True inside a library model: a short report leaves such steps out unless they synchronise.
    pub in_model: bool,
    /// What happened.
    pub event: Event,
}

/// A value with its C reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The bits.
    pub bits: u128,
    /// How many.
    pub width: u32,
    /// The C type, where known.
    pub ctype: Option<TypeId>,
    /// As C would print it: `-1`, `3.5`, `&queue[2]`, `RED`.
    pub text: String,
}

/// A part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The C name: `x`, `queue.items[3]`, `heap object + 4`.
    pub name: String,
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Whether more than one thread can reach it.
    pub shared: bool,
}

impl Target {
    /// The same under another name, if there is one.
    #[must_use]
    pub fn called(mut self, name: Option<String>) -> Target {
        self.name = name.unwrap_or(self.name);
        self
    }
}

/// What a step did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Read memory.
    Read {
        /// What was read.
        target: Target,
        /// The value.
        value: Value,
    },
    /// Wrote memory.
    Write {
        /// What was written.
        target: Target,
        /// The value.
        value: Value,
    },
    /// Read and wrote memory in one step (`new` equals `old` where a compare-exchange failed).
    Update {
        /// What was updated.
        target: Target,
        /// The value before.
        old: Value,
        /// The value after.
        new: Value,
    },
    /// Assigned a local variable that lives in a register.
    Assign {
        /// Its C name.
        variable: String,
        /// The value.
        value: Value,
    },
    /// Took an input.
    Input {
        /// Its name in the program.
        name: String,
        /// The value.
        value: Value,
    },
    /// Allocated an object.
    Alloc {
        /// The object.
        target: Target,
    },
    /// Freed an object.
    Free {
        /// The object.
        target: Target,
    },
    /// Called a function.
    Call {
        /// The function.
        callee: FuncId,
    },
    /// Returned from a function.
    Return {
        /// The function that ended.
        from: FuncId,
        /// Its value.
        value: Option<Value>,
    },
    /// Started a thread.
    Create {
        /// Its number.
        created: ThreadId,
        /// What it runs.
        function: FuncId,
    },
    /// Saw the end of a thread.
    Join {
        /// Its number.
        joined: ThreadId,
    },
    /// The thread ended.
    End,
    /// Acquired a mutex.
    Lock {
        /// The mutex.
        mutex: Target,
    },
    /// Released a mutex.
    Unlock {
        /// The mutex.
        mutex: Target,
    },
    /// Tried to acquire a mutex.
    TryLock {
        /// The mutex.
        mutex: Target,
        /// Whether it did.
        taken: bool,
    },
    /// Began an atomic section.
    AtomicBegin,
    /// Ended an atomic section.
    AtomicEnd,
    /// Went on although what it waited for had not come.
    SpuriousWakeup,
    /// A weak compare-exchange failed although the values were equal.
    SpuriousFailure {
        /// What it left as it was.
        target: Target,
    },
    /// The program ended.
    Exit,
    /// The violation: the check that failed or the access that faults. For a race, the two accesses that
    /// are about to happen are the last two steps; for a deadlock, where each thread waits.
    Violation,
}

/// A function that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function.
    pub function: FuncId,
    /// Where it is.
    pub place: Place,
}

/// A violation that the interpreter has seen, with the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfirmedTrace {
    finding: Finding,
    key: FindingKey,
    calls: Vec<Vec<Call>>,
    steps: Vec<TraceStep>,
    choices: Choices,
    /// For an infinite execution: the step at which the loop begins.
    loop_at: Option<usize>,
}

impl ConfirmedTrace {
    pub(crate) fn new(
        program: &Program,
        finding: Finding,
        calls: Vec<Vec<Call>>,
        steps: Vec<TraceStep>,
        choices: Choices,
        loop_at: Option<usize>,
    ) -> Self {
        let key = finding.key(program);
        ConfirmedTrace { finding, key, calls, steps, choices, loop_at }
    }

    /// For an infinite execution: the step from which on the rest is repeated for ever. If that is the
    /// number of steps, nothing happens any more.
    pub fn loop_at(&self) -> Option<usize> {
        self.loop_at
    }

    /// For each site of the finding the user's functions that are under way there, innermost first.
    pub fn calls(&self) -> &[Vec<Call>] {
        &self.calls
    }

    /// What is wrong.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The finding's identity.
    pub fn key(&self) -> &FindingKey {
        &self.key
    }

    /// The steps, the violation last.
    pub fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    /// The choices that lead here again.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// How often the running thread changes, the step that is wrong included.
    pub fn switches(&self) -> u32 {
        let runs = self.choices.schedule.iter().map(|&(thread, _)| thread);
        let wrong = match self.finding.kind {
            FindingKind::Check { .. } | FindingKind::Memory(_) | FindingKind::Leak { .. } => {
                self.finding.sites.first().map(|site| site.thread)
            }
            // Threads stand there.
            FindingKind::Race { .. }
            | FindingKind::Deadlock { .. }
            | FindingKind::Formula { .. }
            | FindingKind::Starvation => None,
        };
        let mut runs: Vec<ThreadId> = runs.chain(wrong).collect();
        runs.dedup();
        u32::try_from(runs.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}
