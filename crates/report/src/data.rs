//! What a report says, as plain values: the one source of every output format.
//!
//! The JSON output is this data as it stands, so a change here is a change of the format that
//! `docs/json.md` describes and that [`SCHEMA`] numbers.

use serde::Serialize;

/// The version of the JSON format; grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// A whole report.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of raddle.
    pub raddle: String,
    /// The input files.
    pub files: Vec<String>,
    /// The engine that gave the answer.
    pub engine: String,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// Names of the checked properties, most serious first.
    pub properties: Vec<String>,
    /// The answer.
    pub verdict: Verdict,
    /// The answers for properties that were looked at apart from each other; the verdict is the
    /// weakest of them, UNSAFE first.
    pub answers: Vec<Answer>,
    /// For SAFE: what the proof rests on.
    pub ground: Option<Ground>,
    /// For BOUNDED: each bound that cut something off.
    pub bounds: Vec<Bound>,
    /// For UNKNOWN: why.
    pub reason: Option<Reason>,
    /// For UNKNOWN because something is not modelled: all that the program refers to, what an
    /// execution reaches first.
    pub missing: Vec<Missing>,
    /// What was found, most serious first.
    pub findings: Vec<Finding>,
    /// Figures about the search.
    pub statistics: Vec<Statistic>,
    /// What the stages of the engine took, in their order; empty for engines without stages.
    pub stages: Vec<Stage>,
    /// Where the time went in searches that did not come to their end.
    pub effort: Vec<Effort>,
    /// What to try then, most promising first.
    pub advice: Vec<String>,
    /// Remarks, also warnings of the front end.
    pub notes: Vec<Note>,
    /// Wall-clock time of the whole run.
    pub seconds: f64,
}

/// The answer for some of the properties.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// Their names.
    pub properties: Vec<String>,
    /// The answer.
    pub verdict: Verdict,
    /// For SAFE: what the proof rests on.
    pub ground: Option<Ground>,
    /// For BOUNDED: each bound that cut something off.
    pub bounds: Vec<Bound>,
    /// For UNKNOWN: why.
    pub reason: Option<Reason>,
    /// How many findings there are.
    pub findings: usize,
    /// When it was known.
    pub seconds: f64,
}

/// The four answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)]
pub enum Verdict {
    Safe,
    Unsafe,
    Bounded,
    Unknown,
}

impl Verdict {
    /// The word of the last line.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "SAFE",
            Verdict::Unsafe => "UNSAFE",
            Verdict::Bounded => "BOUNDED",
            Verdict::Unknown => "UNKNOWN",
        }
    }

    /// The exit code of `raddle check`.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Safe => 0,
            Verdict::Unsafe => 1,
            Verdict::Bounded | Verdict::Unknown => 3,
        }
    }
}

/// What a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ground {
    /// Which kind, for machines.
    pub kind: GroundKind,
    /// In words.
    pub text: String,
}

/// Kinds of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum GroundKind {
    Exhaustion,
    Unrolling,
    Induction,
    Invariant,
    States,
    Structure,
}

/// Something that a bound left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Bound {
    /// Which kind, for machines.
    pub kind: BoundKind,
    /// In words.
    pub text: String,
    /// The bound as a number, if it is one.
    pub limit: Option<u64>,
    /// Where in the source, if that can be said.
    pub at: Option<Spot>,
}

/// Kinds of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum BoundKind {
    Loop,
    Recursion,
    Calls,
    Threads,
    Object,
    Contexts,
    Writes,
    Steps,
    Allocations,
    Instructions,
    Inputs,
    Uninitialised,
    Arguments,
    Signals,
    Undefined,
    Time,
}

/// A remark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// Which kind, for machines.
    pub kind: NoteKind,
    /// In words.
    pub text: String,
    /// Where in the source, if that can be said.
    pub at: Option<Spot>,
}

impl Note {
    /// A remark about the whole run.
    pub fn new(kind: NoteKind, text: impl Into<String>) -> Note {
        Note { kind, text: text.into(), at: None }
    }
}

/// Kinds of remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum NoteKind {
    /// Of the front end.
    Warning,
    /// The search was limited, though there are findings.
    FurtherFindings,
    /// Some execution ends in undefined behaviour that is not checked.
    Undefined,
    /// Not all interleavings were looked at, but one of each kind.
    Reduced,
    /// The program creates threads, but not within the bounds.
    OneThread,
    /// The search ended within its bounds because something would be too large.
    Large,
    /// How far a certificate was checked without the code that found it.
    Certificate,
    /// What was assumed of the library, or of memory.
    Assumed,
    /// Code that nothing is said about.
    Uncalled,
    /// A mistake in raddle that does not matter for the verdict.
    Mistake,
    /// What the user can do next.
    Hint,
    /// How long something took.
    Figures,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reason {
    /// Which kind, for machines.
    pub kind: ReasonKind,
    /// In words.
    pub text: String,
    /// Where in the source, if that can be said.
    pub at: Option<Spot>,
}

/// Kinds of reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum ReasonKind {
    Time,
    Memory,
    Interrupted,
    Unsupported,
    Solver,
    Large,
    Certificate,
    Internal,
}

/// Something that the program needs and that is not modelled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Missing {
    /// In words.
    pub what: String,
    /// The name, if it is a function without a body.
    pub function: Option<String>,
    /// The lines that need it; empty where they are not known.
    pub at: Vec<Spot>,
    /// Whether an execution was found to come there; others may.
    pub reached: bool,
}

/// A figure about the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Statistic {
    pub name: String,
    pub value: u64,
}

/// What a stage of an engine took, summed over all bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stage {
    /// `summary`, `composition` or `solving`.
    pub name: String,
    /// Wall-clock time.
    pub seconds: f64,
    /// By how much the resident memory grew.
    pub megabytes: Option<f64>,
}

/// Where the time went in the search for violations of some properties.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Effort {
    /// Their names.
    pub properties: Vec<String>,
    /// What was being done when the time was up: `compiling`, or a stage of the engine.
    pub stage: String,
    /// For how long.
    pub lasting: f64,
    /// The bound that was worked at.
    pub bound: Option<AtBound>,
    /// How large the task was, in words; empty where that is not known.
    pub size: String,
    /// The largest bound within which the search is complete.
    pub complete: Option<AtBound>,
    /// The seconds of each stage, over all bounds, in the order of the stages.
    pub stages: Vec<Share>,
}

/// A bound that grows while a search goes on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AtBound {
    /// What it counts: the name of a statistic (`unwinding`).
    pub what: String,
    /// How many.
    pub value: u64,
}

/// A part of the time.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Share {
    /// What it was for.
    pub name: String,
    /// How long that took.
    pub seconds: f64,
}

/// A point of the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Spot {
    /// The path as the compiler saw it.
    pub file: String,
    /// From 1; 0 where it is not known.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

/// The functions that are under way in a thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Stack {
    /// The thread.
    pub thread: u32,
    /// Innermost first.
    pub calls: Vec<Call>,
}

/// A function that is under way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Call {
    /// Its name.
    pub function: String,
    /// Where it is, if that is known.
    pub at: Option<Spot>,
    /// The call or the use of a macro that the source has there, as it is written.
    pub expression: Option<String>,
}

/// One violation with the execution that shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The name of the property.
    pub property: String,
    /// What is wrong, in one line.
    pub headline: String,
    /// The call or the use of a macro that the source has where it goes wrong, as it is written there.
    pub expression: Option<String>,
    /// The source lines that matter; the first is where it goes wrong.
    pub marks: Vec<Mark>,
    /// The functions under way where it goes wrong, for each thread that has called any.
    pub stacks: Vec<Stack>,
    /// The threads that take part, by number.
    pub threads: Vec<Thread>,
    /// The inputs of the execution, in order.
    pub inputs: Vec<Input>,
    /// The execution.
    pub steps: Vec<Step>,
    /// For an execution without end: the step, from 0, from which on the rest is repeated for ever. If
    /// there are no more steps, nothing happens any more.
    pub loop_from: Option<usize>,
    /// The state of each thread that cannot go on, at the end of a deadlock.
    pub blocked: Vec<Blocked>,
    /// The file for `raddle replay`, if one was written.
    pub trace: Option<String>,
}

/// A source line with a remark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mark {
    /// Where.
    pub at: Spot,
    /// The remark.
    pub label: String,
}

/// A thread of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Thread {
    /// Its number; main is 1.
    pub number: u32,
    /// The function it runs.
    pub function: String,
}

/// A value that came from outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Input {
    /// The thread that asked.
    pub thread: u32,
    /// Where, if known.
    pub at: Option<Spot>,
    /// What was asked (`__VERIFIER_nondet_int`, an uninitialised variable).
    pub name: String,
    /// The value.
    pub value: String,
}

/// Something that one thread did at one point of the source without a switch in between.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The thread.
    pub thread: u32,
    /// Where, if known; library functions are shown at their call.
    pub at: Option<Spot>,
    /// The function.
    pub function: String,
    /// What it did to memory and to other threads, in order.
    pub actions: Vec<Action>,
    /// The locks that the thread holds afterwards.
    pub holds: Vec<String>,
    /// Only the thread itself can tell the difference: condensed unless everything is shown.
    pub local: bool,
}

/// One effect of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Action {
    /// What kind of effect.
    pub kind: ActionKind,
    /// The variable, lock, thread or function concerned.
    pub object: String,
    /// The value read or written.
    pub value: Option<String>,
}

/// Kinds of effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum ActionKind {
    Read,
    Write,
    Lock,
    Unlock,
    TryLock,
    Create,
    Join,
    Input,
    Allocate,
    Free,
    Wait,
    Exit,
    End,
    Violation,
    Other,
}

/// A thread that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Blocked {
    /// The thread.
    pub thread: u32,
    /// Where it waits.
    pub at: Option<Spot>,
    /// What it waits for, in words (`lock current.lock, held by thread 3`).
    pub waits_for: String,
    /// The locks it holds, with the place where each was taken.
    pub holds: Vec<(String, Option<Spot>)>,
}

impl Action {
    /// The effect in words.
    pub fn text(&self) -> String {
        let object = &self.object;
        let value = self.value.as_deref().unwrap_or_default();
        match self.kind {
            ActionKind::Read => format!("reads {object} = {value}"),
            ActionKind::Write => format!("writes {object} = {value}"),
            ActionKind::Lock => format!("locks {object}"),
            ActionKind::Unlock => format!("unlocks {object}"),
            ActionKind::TryLock => format!("tries to lock {object}: {value}"),
            ActionKind::Create => format!("starts {object}"),
            ActionKind::Join => format!("joins {object}"),
            ActionKind::Input => format!("input {object} = {value}"),
            ActionKind::Allocate => format!("allocates {object}"),
            ActionKind::Free => format!("frees {object}"),
            ActionKind::Wait => format!("waits for {object}"),
            ActionKind::Exit => "ends the program".into(),
            ActionKind::End => "ends".into(),
            ActionKind::Violation => format!("✗ {object}"),
            ActionKind::Other => object.clone(),
        }
    }
}
