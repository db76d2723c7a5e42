//! What an engine answers, as facts: the words are made in `report`.
//!
//! Everything a reader of a report may want to act upon (a test, a portfolio, another program) is a
//! case of an enum here and never a sentence. Places are those of the program model; a path and a
//! line are made of them where they are shown.
//!
//! **Invariant:** a finding is a [`ConfirmedTrace`], which only a successful replay in the
//! interpreter can make. [`Verdict::Safe`] is only said when no bound cut anything off, and says
//! what it rests on.

use std::collections::BTreeSet;

use raddle_interp::ConfirmedTrace;
use raddle_ir::{CommandLines, Place, Program, Property, PropertySet, Unmodelled};

use crate::Task;
use crate::circuit::certificate::Certificate;

/// What an engine found out.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The violations, each replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// Figures about the search.
    pub statistics: Vec<Statistic>,
    /// What the stages of the engine took, if it has stages.
    pub stages: Vec<StageFigures>,
    /// What else a reader should know.
    pub notes: Vec<Note>,
    /// The proof, if the answer is SAFE, one was asked for and the engine has one.
    pub certificate: Option<Certificate>,
}

impl Outcome {
    /// An answer without findings, figures or notes.
    pub fn new(verdict: Verdict) -> Outcome {
        let (findings, statistics) = (Vec::new(), Vec::new());
        let (stages, notes) = (Vec::new(), Vec::new());
        Outcome { verdict, findings, statistics, stages, notes, certificate: None }
    }

    /// The answer if the program was looked at within bounds of its own.
    #[must_use]
    pub fn within(mut self, program: &Program) -> Outcome {
        if let Some(lines) = program.arguments {
            self.cut(Cut::Arguments(lines));
        }
        if program.installs_handlers() {
            self.cut(Cut::Signals);
        }
        self
    }

    /// The same answer with a further thing left out.
    pub fn cut(&mut self, cut: Cut) {
        self.certificate = None;
        match &mut self.verdict {
            Verdict::Safe(_) => self.verdict = Verdict::Bounded(Bounds::new([cut])),
            Verdict::Bounded(bounds) => {
                *bounds = Bounds::new(bounds.cuts.iter().copied().chain([cut]));
            }
            Verdict::Unsafe | Verdict::Unknown(_) => {}
        }
    }

    /// What every engine's answer to a task must be.
    pub fn check_invariants(&self, task: &Task) {
        let (program, settings) = (task.program, task.settings);
        let has_findings = !self.findings.is_empty();
        assert_eq!(self.verdict == Verdict::Unsafe, has_findings, "UNSAFE has findings");
        let keys: BTreeSet<_> = self.findings.iter().map(|t| t.finding().key(program)).collect();
        assert_eq!(keys.len(), self.findings.len(), "each finding once");
        for trace in &self.findings {
            let property = trace.finding().property;
            assert!(program.checked.contains(property), "{property} was not asked for");
        }
        let safe = matches!(self.verdict, Verdict::Safe(_));
        assert!(safe || self.certificate.is_none(), "only what is SAFE has a certificate");
        if let Verdict::Bounded(bounds) = &self.verdict {
            assert!(!bounds.cuts.is_empty(), "BOUNDED says what was left out");
            assert!(bounds.cuts.is_sorted(), "in order");
        }
        for note in &self.notes {
            match note {
                Note::FurtherFindings { limits, undecided } => {
                    assert!(has_findings && !limits.is_empty(), "there may be more than none");
                    assert!(!settings.first_only, "one finding was enough");
                    let known = self.findings.iter().map(|t| t.finding().property);
                    assert!(!known.into_iter().any(|p| undecided.contains(p)), "it is decided");
                }
                Note::Undefined { property, places, .. } => {
                    assert!(!places.is_empty(), "undefined behaviour has a place");
                    assert!(!program.checked.contains(*property), "it would be a finding");
                }
                Note::Reduced { .. } => {
                    assert!(!has_findings, "what is found needs no reduction");
                    assert!(self.certificate.is_none(), "no invariant of the program");
                }
                Note::Large { .. } | Note::OneThread => {
                    let bounded = matches!(self.verdict, Verdict::Bounded(_));
                    assert!(bounded, "otherwise it is the reason, or a limit");
                }
                Note::Mistake(_) => assert!(has_findings, "otherwise it is the reason"),
            }
        }
    }
}

/// The answer to a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No execution violates a property.
    Safe(Ground),
    /// Some execution does.
    Unsafe,
    /// No execution within these bounds does.
    Bounded(Bounds),
    /// No answer.
    Unknown(Reason),
}

/// What a proof rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// Every execution was run, or one that differs only in the order of independent steps.
    Exhaustion,
    /// No execution reaches the end of an unrolling to this bound, and none of the unrolled program
    /// violates a property.
    Unrolling {
        /// The bound.
        bound: u32,
    },
    /// So many steps without a violation are never followed by one, wherever they begin, and the
    /// first ones are without.
    Induction {
        /// How many.
        bound: u32,
    },
    /// A property of states that holds at first, is kept by every step and excludes violations.
    Invariant {
        /// Its size.
        clauses: u32,
        /// Whether it holds of any number of threads that places in loops create.
        any_number: bool,
    },
    /// All states that executions reach are known.
    States {
        /// How many; the largest number if there are more.
        count: u64,
    },
    /// All states that lead to a violation are known, and executions do not begin in one.
    Unreached {
        /// How many; the largest number if there are more.
        count: u64,
    },
    /// Two accesses to the same memory never meet, as each pair of them shows by itself, as long as accesses stay
    /// inside the objects that their addresses come from.
    Structure {
        /// How many pairs.
        pairs: u64,
    },
}

/// How far a bounded answer goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// What was left out, sorted; never empty in a verdict.
    pub cuts: Vec<Cut>,
}

impl Bounds {
    /// Sorts the cuts; the same cut is mentioned once.
    pub fn new(cuts: impl IntoIterator<Item = Cut>) -> Bounds {
        let mut cuts: Vec<Cut> = cuts.into_iter().collect();
        cuts.sort();
        cuts.dedup();
        Bounds { cuts }
    }
}

/// Something that was left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// Further iterations of a loop.
    Loop {
        /// Its head.
        place: Place,
        /// The bound that cut it.
        bound: u32,
    },
    /// Deeper recursion.
    Recursion {
        /// The call.
        place: Place,
        /// The bound that cut it.
        bound: u32,
    },
    /// Calls beyond so many that are followed apart from each other.
    Calls {
        /// The first one.
        place: Place,
        /// The bound that cut them.
        bound: u32,
    },
    /// More threads.
    Threads {
        /// Where they are created.
        place: Place,
        /// The bound that cut them.
        bound: u32,
    },
    /// Larger objects.
    Object {
        /// Where they are allocated.
        place: Place,
        /// The most cells of an object that have names, if that is what cut them.
        cells: Option<u64>,
    },
    /// Schedules with more context switches.
    Contexts {
        /// The most that were looked at.
        bound: u32,
    },
    /// Executions with more writes to shared memory, or clusters of them.
    Writes {
        /// The most that were looked at.
        bound: u32,
    },
    /// Executions in which a thread makes more steps that others can notice.
    Steps {
        /// The most that were looked at.
        bound: u32,
    },
    /// Executions in which all threads together make more such steps.
    AllSteps {
        /// The most that were looked at.
        bound: u32,
    },
    /// More objects.
    Allocations {
        /// Where they are allocated.
        place: Place,
        /// The bound that cut them.
        bound: u32,
    },
    /// Longer executions.
    Instructions {
        /// The most that were looked at.
        bound: u64,
    },
    /// Other values of an input.
    Inputs {
        /// The input.
        place: Place,
    },
    /// Other contents of memory that was never written.
    Uninitialised {
        /// The read.
        place: Place,
    },
    /// Other command lines.
    Arguments(CommandLines),
    /// Signals whose handlers run anywhere else than in the library's calls that wait.
    Signals,
    /// What functions without a body would really do: they did anything instead.
    Undefined,
    /// What would have come after the end of the time.
    Time,
}

impl Cut {
    /// Whether values were left out, but no schedule and no length of executions.
    pub fn is_of_values(&self) -> bool {
        match self {
            Cut::Inputs { .. } | Cut::Uninitialised { .. } | Cut::Arguments(_) | Cut::Undefined => {
                true
            }
            Cut::Loop { .. }
            | Cut::Recursion { .. }
            | Cut::Calls { .. }
            | Cut::Threads { .. }
            | Cut::Object { .. }
            | Cut::Contexts { .. }
            | Cut::Signals
            | Cut::Writes { .. }
            | Cut::Steps { .. }
            | Cut::AllSteps { .. }
            | Cut::Allocations { .. }
            | Cut::Instructions { .. }
            | Cut::Time => false,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time is up, or the search was cancelled.
    Time,
    /// Something that is not modelled can be reached: what and where, in order, never empty.
    Unsupported(Vec<(Unmodelled, Place)>),
    /// The SMT solver that the user chose cannot be used: what it said.
    Solver(String),
    /// Something would be too large.
    Large {
        /// What, and how large it would be.
        what: Large,
        /// What takes much of it.
        place: Place,
    },
    /// A mistake in raddle.
    Internal(Mistake),
}

/// Something that can be too large: how many, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Large {
    /// Clauses of a formula.
    Clauses(u64),
    /// Cells of memory.
    Cells(u64),
    /// Terms of automata.
    Terms(u64),
    /// Bits of a state.
    Bits(u64),
    /// Nodes of decision diagrams.
    Diagrams(u64),
}

/// A mistake in raddle: for those who mend it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Violations that the interpreter does not see: for each why.
    Unreplayed(Vec<String>),
    /// A model that contradicts its own formula.
    Model(String),
}

/// What a reader should know beside the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// The search for violations was limited, though there are findings.
    FurtherFindings {
        /// What was left out or could not be decided.
        limits: Vec<Limit>,
        /// The properties without a finding: within the limits they hold.
        undecided: PropertySet,
    },
    /// A mistake in raddle that does not matter for the verdict, because there are findings.
    Mistake(Mistake),
    /// Some execution ends in undefined behaviour: what would come after it was not looked at.
    Undefined {
        /// The property, not checked, that would have shown it.
        property: Property,
        /// Where, at some of the places; never empty.
        places: Vec<Place>,
        /// Whether it is certain that some execution comes there.
        certain: bool,
    },
    /// Not all interleavings were looked at, but one of each kind that can matter.
    Reduced {
        /// Whether the scheduler chose from stubborn sets.
        stubborn: bool,
        /// Whether what locks, joins and flags keep apart was left out as well.
        transactions: bool,
    },
    /// The program creates threads, but not within the bounds that are named.
    OneThread,
    /// The search ended within the bounds that are named because something would be too large.
    Large {
        /// What, and how large it would be.
        what: Large,
        /// What takes much of it.
        place: Place,
    },
}

/// Why a search that found something may have missed something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A bound left something out.
    Cut(Cut),
    /// Something that is not modelled.
    Unsupported {
        /// What.
        what: Unmodelled,
        /// Where.
        place: Place,
    },
}

/// One trace for each finding.
pub fn distinct(program: &Program, found: Vec<ConfirmedTrace>) -> Vec<ConfirmedTrace> {
    let mut keys = BTreeSet::new();
    let asked = |t: &ConfirmedTrace| program.checked.contains(t.finding().property);
    debug_assert!(found.iter().all(asked), "only what is checked is found");
    found.into_iter().filter(|t| keys.insert(t.finding().key(program))).collect()
}

/// The note that there may be more than these findings, unless the search was complete.
pub fn further_findings(
    program: &Program,
    findings: &[ConfirmedTrace],
    limits: Vec<Limit>,
) -> Option<Note> {
    assert!(!findings.is_empty(), "there may be more than none");
    let found: PropertySet = findings.iter().map(|t| t.finding().property).collect();
    let undecided = program.checked.iter().filter(|&p| !found.contains(p)).collect();
    (!limits.is_empty()).then_some(Note::FurtherFindings { limits, undecided })
}

/// A figure about the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistic {
    /// What is counted (`clauses`): the key in JSON, listed in `docs/json.md`.
    pub name: &'static str,
    /// How many.
    pub value: u64,
}

/// What one stage of an engine took, summed over all bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct StageFigures {
    /// Its name.
    pub name: &'static str,
    /// Wall-clock time.
    pub seconds: f64,
    /// By how much the resident memory grew, if that was asked for.
    pub bytes: Option<u64>,
}
