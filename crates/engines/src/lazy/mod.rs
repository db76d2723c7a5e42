//! Lazy composition of threads that pass a token (paper 000).
//!
//! Reading order: `roles.rs` (what threads tell each other), `unroll.rs` and `arrivals.rs` (one
//! thread by itself, depth by depth), `token.rs` (the constraints that make threads one execution),
//! `load.rs` and `order.rs` (what the token carries), `few.rs` (where the search begins), `goals.rs`
//! (what can go wrong), `deadlocks.rs` (who waits for whom), `search.rs` (deeper and deeper),
//! `look.rs` (what a depth has to show), `witness.rs` (back to an execution), `recheck.rs` (whether it
//! is one); `eager.rs` is what paper 000 compares with. Threads are the automata of
//! `raddle_automaton`: loops are not unrolled beforehand.
//! Source: Ganai, Gupta: Efficient Modeling of Concurrent Systems in BMC. Where we differ is said in
//! each file.
//! Limits: whether memory that is left is lost is seen by replay only; with single copies, an
//! iteration of a loop that changes nothing is only recognised if all iterations of the loop are such.

mod arrivals;
mod deadlocks;
mod eager;
mod few;
mod goals;
mod load;
mod look;
mod order;
mod recheck;
mod roles;
mod search;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod tests;
mod token;
mod unroll;
mod witness;

use raddle_analysis::Facts;
use raddle_automaton::Bounds as Names;
use raddle_ir::{Property, Unmodelled};

use crate::options::{EngineOption, Given, Kind, Measure, Switch, Without};
use crate::outcome::{distinct, further_findings};
use crate::{
    Bounds, Budget, Cut, Engine, EngineRow, Ground, Limit, Note, Outcome, Progress, Reason, Role,
    Statistic, Task, Values, Verdict,
};
use search::{End, Found, Manner, search};

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "lazy",
    summary: "threads as automata, unrolled step by step, that pass a token from one to another",
    source: "paper 000: Ganai, Gupta, Efficient Modeling of Concurrent Systems in BMC",
    bounded: "no violation in executions in which no thread comes to more steps than printed",
    decides: &Property::SAFETY,
    values: Values::All,
    role: Role::Search,
    options: &[DEPTH, EAGER, SINGLE_COPY],
    switches: &[CSR, PB, CXT, MTX, REPRESENTATIVES],
    covers: |given, _| given.small(&DEPTH).is_none(),
    make: |given, _| Ok(Box::new(Lazy::new(given))),
};

/// Most steps of each thread.
pub const DEPTH: EngineOption = EngineOption {
    name: "depth",
    short: None,
    value: "N",
    kind: Kind::Bound(Measure::Steps, Without::Deepens),
    help: "Most steps of each thread that others can notice [default: deepen until the time is up]",
    more: "An arrival at the head of a loop counts as well, and so do idle steps on shorter paths.",
};

/// All threads in one model.
pub const EAGER: EngineOption = EngineOption {
    name: "eager",
    short: None,
    value: "",
    kind: Kind::Flag,
    help: "One model of all threads with a scheduler, in which threads wait: what lazy is compared with",
    more: "The depth is then the number of steps of all threads.",
};

/// Procedures that are not inlined.
pub const SINGLE_COPY: EngineOption = EngineOption {
    name: "single-copy",
    short: None,
    value: "",
    kind: Kind::Flag,
    help: "Functions that are called in several places have one copy in each automaton",
    more: "Otherwise they are inlined. Recursive ones and those of the library always are.",
};

/// Context-sensitive reachability.
pub const CXT: Switch = Switch {
    name: "cxt",
    help: "lazy keeps states of functions with a single copy apart by where they return to",
};

/// Control-state reachability.
pub const CSR: Switch =
    Switch { name: "csr", help: "lazy leaves out states that control does not reach at a depth" };

/// Path balancing.
pub const PB: Switch = Switch { name: "pb", help: "lazy makes paths that meet equally long" };

/// Lockset pruning.
pub const MTX: Switch = Switch {
    name: "mtx",
    help: "lazy leaves out passes of the token between places that hold one mutex",
};

/// Equivalent orders.
pub const REPRESENTATIVES: Switch = Switch {
    name: "representatives",
    help: "lazy looks at one of executions that differ in the order of independent steps",
};

/// Threads that pass a token.
#[derive(Clone, Debug)]
pub struct Lazy {
    depth: Option<u32>,
    mutexes: bool,
    representatives: bool,
    reachability: bool,
    by_caller: bool,
    single_copies: bool,
    balanced: bool,
    eager: bool,
}

impl Lazy {
    /// As the user wants it.
    pub fn new(given: &Given) -> Lazy {
        Lazy {
            depth: given.small(&DEPTH),
            mutexes: !given.without.contains(&MTX),
            representatives: !given.without.contains(&REPRESENTATIVES),
            reachability: !given.without.contains(&CSR),
            by_caller: !given.without.contains(&CXT),
            single_copies: given.has(&SINGLE_COPY),
            balanced: !given.without.contains(&PB),
            eager: given.has(&EAGER),
        }
    }
}

impl Engine for Lazy {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let facts = Facts::new(task.program);
        let single_copies = self.single_copies;
        let mut names = Names { single_copies, pure: true, ..Names::default() };
        let mut varying = Vec::new();
        // What was found and settled before it turned out that more must have names.
        let mut before = Found::default();
        let outcome = loop {
            let manner = Manner {
                depth: self.depth,
                names,
                varying,
                mutexes: self.mutexes,
                representatives: self.representatives,
                by_caller: self.by_caller,
                reachability: self.reachability,
                balanced: self.balanced,
                eager: self.eager,
            };
            let (end, mut found) = search(task, &facts, &manner, budget, before, progress);
            match end {
                End::More(more, larger) => {
                    varying = more;
                    names = larger.unwrap_or(names);
                    found.earlier.append(&mut found.findings);
                    let Found { earlier, settled, figures, .. } = found;
                    before = Found { earlier, settled, figures, ..Found::default() };
                }
                end => break outcome(task, end, found, self.eager),
            }
        };
        outcome.check_invariants(task);
        outcome
    }
}

/// The answer; whether all threads were unrolled together says what a depth leaves out.
fn outcome(task: &Task, end: End, mut found: Found, eager: bool) -> Outcome {
    let steps = |bound| if eager { Cut::AllSteps { bound } } else { Cut::Steps { bound } };
    found.findings.append(&mut found.earlier);
    found.findings = distinct(task.program, found.findings);
    let mut cuts = std::mem::take(&mut found.cuts);
    let mut late = false;
    let mut reason = None;
    match end {
        End::Complete => {}
        End::Depth(bound) => cuts.push(steps(bound)),
        End::Time => {
            late = true;
            reason = Some(Reason::Time);
        }
        End::No(why) => reason = Some(why),
        End::More(..) => unreachable!("then there is another search"),
    }
    // How far everything was refuted stays true, whatever ended the search later. Only of what is
    // not modelled the answer has to speak.
    if !matches!(reason, Some(Reason::Unsupported(_)))
        && let Some(settled) = found.settled.take().filter(|_| reason.is_some())
    {
        if let Some(Reason::Large { what, place }) = reason.take() {
            found.notes.push(Note::Large { what, place });
        }
        cuts = settled.cuts;
        cuts.push(steps(settled.depth));
    }
    let mistake = found.mistake();
    let mut notes = Vec::new();
    let verdict = if !found.findings.is_empty() {
        notes.extend(mistake.map(Note::Mistake));
        if !task.settings.first_only {
            let limits = cuts.into_iter().map(Limit::Cut).chain(found.unsupported);
            let limits = limits.chain(late.then_some(Limit::Cut(Cut::Time)));
            let room = match reason {
                Some(Reason::Large { place, .. }) => {
                    Some(Limit::Unsupported { what: Unmodelled::NoRoom, place })
                }
                Some(_) | None => None,
            };
            let limits = limits.chain(room).collect();
            notes.extend(further_findings(task.program, &found.findings, limits));
        }
        Verdict::Unsafe
    } else if let Some(mistake) = mistake {
        Verdict::Unknown(Reason::Internal(mistake))
    } else if let Some(reason) = reason {
        Verdict::Unknown(reason)
    } else {
        notes = found.notes;
        match cuts.is_empty() {
            true => Verdict::Safe(Ground::Unrolling { bound: found.figures.depth as u32 }),
            false => Verdict::Bounded(Bounds::new(cuts)),
        }
    };
    let f = found.figures;
    let statistics = [
        ("depth", f.depth),
        ("threads", f.threads),
        ("states", f.states),
        ("steps", f.slots),
        ("pairs", f.pairs),
        ("variables", f.variables),
        ("clauses", f.clauses),
        ("conflicts", f.conflicts),
    ];
    let statistics = statistics.map(|(name, value)| Statistic { name, value }).to_vec();
    let (findings, stages) = (found.findings, Vec::new());
    Outcome { verdict, findings, statistics, stages, notes, certificate: None }
}
