//! Threads under a scheduler as one circuit, and proofs about it (paper 003).
//!
//! Reading order: `compose.rs` (one transition system over terms), `creations.rs` (of which threads),
//! `constants.rs` (without which registers),
//! `goals.rs` (what can go wrong),
//! `deadlocks.rs` and `lines.rs` (findings that are sets of lines),
//! `merge.rs` (transactions as single steps),
//! `stubborn.rs` (whom the scheduler may choose, with `touches.rs`, `observe.rs`, `later.rs`, `gates.rs`),
//! `bits.rs` (as latches and gates), `model.rs` (all of that), `how.rs`, `found.rs`, `bounded.rs`,
//! `narrow.rs` (without latches that never vary), `undefined.rs` and
//! `search.rs` (methods take turns), `any_number.rs` (threads without end), `diagrams.rs` (all states),
//! `witness.rs` (back to an execution of the program), `certificate.rs` and `certify.rs` (proofs as
//! text, with the names of `names.rs` and what they mean, `legend.rs`), `export.rs` (for hardware
//! model checkers). Threads are the automata of `raddle_automaton`; the methods are those of
//! `raddle_reach`.
//! Loops are not unrolled, so that programs that run for ever can be proved; those that create threads
//! for ever are proved for any number of them (`any_number.rs`).
//! Source: Kahlon, Gupta, Sinha: Symbolic Model Checking of Concurrent Programs Using Partial Orders and
//! On-the-Fly Transactions (CAV 2006).
//! Limits: lost memory is not decided.

mod any_number;
mod bits;
mod bounded;
pub mod certificate;
pub mod certify;
mod compose;
mod constants;
mod creations;
mod deadlocks;
mod diagrams;
pub mod export;
#[cfg(test)]
mod figures;
mod found;
mod gates;
mod goals;
mod how;
mod later;
mod legend;
pub mod linear;
mod lines;
mod merge;
mod model;
mod names;
mod narrow;
mod observe;
mod search;
mod stubborn;
mod touches;
mod undefined;
mod witness;
#[cfg(test)]
mod wrong_steps;

use std::time::Instant;

use raddle_analysis::Facts;
use raddle_automaton::Bounds as Names;
use raddle_ir::{Property, Unmodelled};

use crate::options::{EngineOption, Given, Kind, Switch};
use crate::outcome::{distinct, further_findings};
use crate::{
    Bounds, Budget, Cut, Engine, EngineRow, Ground, Limit, Mistake, Note, Outcome, Progress,
    Reason, Role, Statistic, Task, Values, Verdict,
};
pub use any_number::applies as is_about_any_number;
use found::{End, Found, Known};
use how::{How, Method};
use lines::Shown;
use search::search;
use stubborn::Reductions;

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "circuit",
    summary: "threads under a scheduler as one circuit: BMC, induction and IC3, also for endless loops",
    source: "paper 003: Kahlon, Gupta, Sinha, Symbolic Model Checking of Concurrent Programs",
    bounded: "no violation with no more threads and objects, and no deeper recursion, than printed",
    decides: &[
        Property::Unreach,
        Property::Assertions,
        Property::Races,
        Property::Deadlocks,
        Property::Memory,
        Property::Leaks,
        Property::Overflow,
        Property::Locks,
        Property::Linear,
        Property::Starvation,
    ],
    values: Values::All,
    role: Role::Search,
    options: &[METHOD, CERTIFICATE],
    switches: &[STUBBORN, TRANSACTIONS, ROUNDS],
    covers: |_, _| true,
    make: |given, _| Ok(Box::new(Circuit::new(given))),
};

/// How the circuit is checked.
pub const METHOD: EngineOption = EngineOption {
    name: "method",
    short: None,
    value: "METHOD",
    kind: Kind::OneOf(&[
        ("auto", "bmc, induction and ic3 take turns"),
        ("bmc", "executions step by step: finds violations, proves where executions end"),
        ("induction", "with induction over k steps, on paths without repeated states"),
        ("ic3", "with an invariant that is learned clause by clause"),
        ("bdd", "all states that are reached, as decision diagrams; small programs only"),
    ]),
    help: "How the circuit is checked [default: auto]",
    more: "",
};

/// Where a proof is written.
pub const CERTIFICATE: EngineOption = EngineOption {
    name: "certificate",
    short: None,
    value: "FILE",
    kind: Kind::Text,
    help: "Write a proof of SAFE as an inductive invariant, for `raddle certify FILE`",
    more: "Each line is needed: without any of them it is no proof. Proofs by induction over several \
           steps have none; then an invariant is looked for as well until the time is up.",
};

/// The scheduler chooses from small sets of threads.
pub const STUBBORN: Switch = Switch {
    name: "stubborn",
    help: "circuit lets only threads of a smallest conditional stubborn set make the next step",
};

/// What others cannot reach while a thread stands still does not disturb it.
pub const TRANSACTIONS: Switch = Switch {
    name: "transactions",
    help: "circuit makes one step of what nobody disturbs, and knows what lies behind locks that one thread keeps shut",
};

/// Each thread makes a step at a time.
pub const ROUNDS: Switch = Switch {
    name: "rounds",
    help: "circuit also looks for violations in rounds in which each thread makes a step or none",
};

/// What was proved so far had a few thousand bits of state at most. With many more, making the circuit
/// alone takes the time of other searches.
const MOST_BITS_TO_PROVE: u64 = 20_000;

/// Most cells of one object that are given names.
const MOST_CELLS: u64 = 4096;

/// Threads as a circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    how: How,
}

impl Circuit {
    /// As the user wants it.
    pub fn new(given: &Given) -> Circuit {
        let method = match given.text(&METHOD) {
            Some("bmc") => Method::Bmc,
            Some("induction") => Method::Induction,
            Some("ic3") => Method::Ic3,
            Some("bdd") => Method::Bdd,
            Some(_) | None => Method::Auto,
        };
        let certificate = given.text(&CERTIFICATE).is_some();
        // An invariant of a restricted scheduler is none of the program.
        let reductions = match certificate {
            true => Reductions::NONE,
            false => Reductions {
                stubborn: !given.without.contains(&STUBBORN),
                transactions: !given.without.contains(&TRANSACTIONS),
            },
        };
        let rounds = !given.without.contains(&ROUNDS);
        Circuit { how: How { method, certificate, rounds, reductions, most_bits: None } }
    }

    /// All methods, on all interleavings, of programs that are small enough for proofs.
    pub fn of_all_interleavings() -> Circuit {
        let (method, reductions) = (Method::Auto, Reductions::NONE);
        let most_bits = Some(MOST_BITS_TO_PROVE);
        Circuit { how: How { method, certificate: false, rounds: true, reductions, most_bits } }
    }
}

impl Engine for Circuit {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let facts = Facts::new(task.program);
        let proves = matches!(self.how.method, Method::Auto | Method::Ic3);
        let any_number = proves && any_number::applies(task.program, &facts);
        let every_iteration =
            self.how.certificate && certify::follows_every_iteration(task.program.checked);
        let mut names = Names { any_number, every_iteration, ..Names::default() };
        let (findings, shown, begin) = (Vec::new(), Shown::default(), Instant::now());
        let mut known = Known { findings, shown, begin, last_found: None };
        if any_number && self.how.rounds && !self.how.certificate {
            // Where there is something near, or all executions end soon, no such proof is needed.
            let how = How { method: Method::Look, ..self.how };
            let with = (Names::default(), true);
            let (end, mut found) = search(task, &facts, with, &known, how, budget, progress);
            if found.is_answer(&end) {
                let outcome = outcome(task, end, found);
                outcome.check_invariants(task);
                return outcome;
            }
            names.any_number = found.findings.is_empty();
            known.findings.append(&mut found.findings);
            known.last_found = found.last_found;
        }
        let outcome = loop {
            let extensible = names.cells < MOST_CELLS;
            let with = (names, extensible);
            let (end, mut found) = search(task, &facts, with, &known, self.how, budget, progress);
            match end {
                End::More(more) => {
                    names = more;
                    known.findings.append(&mut found.findings);
                    known.last_found = found.last_found;
                }
                // There are no findings yet, and there is no proof of this kind.
                End::No(_) | End::Time if names.any_number => {
                    names = Names { every_iteration, ..Names::default() }
                }
                End::Again(family, lines) => {
                    known.shown.add(family, lines);
                    known.findings.append(&mut found.findings);
                    known.last_found = found.last_found;
                }
                end => {
                    found.findings.append(&mut known.findings);
                    found.findings = distinct(task.program, found.findings);
                    let end = match end {
                        End::Complete(ground) if task.program.checked.is_linear() => {
                            let method = self.how.method;
                            let (answers, figures) =
                                linear::answers(task, &facts, names, method, budget, progress);
                            found.figures = figures;
                            linear_end(ground, answers, &mut found)
                        }
                        end => end,
                    };
                    break outcome(task, end, found);
                }
            }
        };
        outcome.check_invariants(task);
        outcome
    }
}

/// What the answers to questions about infinite executions come to.
fn linear_end(first: Ground, answers: Vec<linear::Answer>, found: &mut Found) -> End {
    let mut end = End::Complete(first);
    for answer in answers {
        match answer {
            linear::Answer::Holds(ground) => {
                if let End::Complete(_) = end {
                    end = End::Complete(ground);
                }
            }
            linear::Answer::Violated(trace) => found.findings.push(*trace),
            linear::Answer::Unconfirmed(why) => found.unconfirmed.push(why),
            linear::Answer::No(Reason::Time) => end = End::Time,
            linear::Answer::No(reason) => end = End::No(reason),
        }
    }
    end
}

/// The answer.
fn outcome(task: &Task, end: End, mut found: Found) -> Outcome {
    let cuts = std::mem::take(&mut found.cuts);
    let mistake =
        (!found.unconfirmed.is_empty()).then(|| Mistake::Unreplayed(found.unconfirmed.clone()));
    let mut notes = Vec::new();
    let verdict = if !found.findings.is_empty() {
        notes.extend(mistake.map(Note::Mistake));
        if !task.settings.first_only {
            let unsupported = found.unsupported.into_iter();
            let unsupported = unsupported.map(|(what, place)| Limit::Unsupported { what, place });
            let limits = cuts.into_iter().map(Limit::Cut).chain(unsupported);
            let limits = limits.chain(end_of_search(&end)).collect();
            notes.extend(further_findings(task.program, &found.findings, limits));
        }
        Verdict::Unsafe
    } else if let Some(mistake) = mistake {
        Verdict::Unknown(Reason::Internal(mistake))
    } else if !found.unsupported.is_empty() {
        Verdict::Unknown(Reason::Unsupported(found.unsupported))
    } else {
        match end {
            End::Complete(ground) => {
                notes = found.notes;
                match cuts.is_empty() {
                    true => Verdict::Safe(ground),
                    false => Verdict::Bounded(Bounds::new(cuts)),
                }
            }
            End::Time => Verdict::Unknown(Reason::Time),
            End::No(reason) => Verdict::Unknown(reason),
            End::More(_) | End::Again(..) => unreachable!("then there is another search"),
            End::Enough => unreachable!("then there is a finding"),
        }
    };
    let f = found.figures;
    let statistics = [
        ("threads", f.threads),
        ("states", f.states),
        ("latches", f.latches),
        ("gates", f.gates),
        ("depth", f.depth),
        ("rounds", f.rounds),
        ("level", f.level),
        ("cubes", f.cubes),
        ("clauses", f.clauses),
        ("reached", f.reached),
    ];
    let statistics = statistics.map(|(name, value)| Statistic { name, value }).to_vec();
    let certificate = found.certificate.filter(|_| matches!(verdict, Verdict::Safe(_)));
    let (findings, stages) = (found.findings, Vec::new());
    Outcome { verdict, findings, statistics, stages, notes, certificate }
}

/// What a search that found something left out because of how it ended.
fn end_of_search(end: &End) -> Option<Limit> {
    match end {
        End::Complete(_) | End::Enough | End::More(_) | End::Again(..) => None,
        End::No(Reason::Large { place, .. }) => {
            Some(Limit::Unsupported { what: Unmodelled::NoRoom, place: *place })
        }
        End::Time | End::No(_) => Some(Limit::Cut(Cut::Time)),
    }
}
