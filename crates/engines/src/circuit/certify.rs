//! From an invariant of the reduced circuit to a certificate, and whether a certificate is one.
//!
//! A certificate is about the whole circuit: that bits never change is part of it, as far as it is
//! needed. It is minimal, so that it is no longer one if anything is left out.
//! The check makes the circuit anew from the program, does not reduce it and asks a solver: no first
//! state contradicts the certificate, no step from a state that it allows leads to one that it does
//! not, nothing that is checked and no end of an automaton is possible where it holds. Nothing that
//! found the invariant is used. A certificate for any number of threads (`any_number.rs`) is one of the circuit with
//! three that stand for all, and no conjunct speaks of more than two of them.
//! Limits: the front end, the automata, and the static analyses that they rest on (where pointers point,
//! which mutexes exclude a race) are trusted here. The crate `certificate` checks without them.

use raddle_analysis::Facts;
use raddle_automaton::Bounds as Names;
use raddle_ir::{Place, Property, PropertySet};
use raddle_reach::{Bit, Cube, Flaw, Interrupted, Invariant, Limits, Question, allows, minimal};
use rustc_hash::FxHashMap;

use super::any_number;
use super::bits::Circuit;
use super::certificate::{Certificate, Literal, line};
use super::lines::Shown;
use super::model::{Manner, Model, NoModel};
use crate::{Budget, Note, Reason, Task};

/// The conjuncts of an invariant of the part, as a minimal one of the whole circuit. Nothing if the
/// time was up.
pub fn conjuncts(
    circuit: &Circuit,
    bad: &[usize],
    invariant: &Invariant,
    limits: &Limits,
) -> Option<Vec<Vec<Literal>>> {
    let whole = &circuit.whole;
    let of_whole = |b: &Bit| Bit { latch: circuit.part.latches[b.latch as usize] as u32, ..*b };
    let mut cubes: Vec<Cube> = invariant.iter().map(|c| c.iter().map(of_whole).collect()).collect();
    for (latch, stuck) in circuit.part.stuck.iter().enumerate() {
        cubes.extend(stuck.map(|value| vec![Bit { latch: latch as u32, value: !value }]));
    }
    let exclusive = &circuit.exclusive_of_whole;
    let question = Question { system: whole, bad, moves: None, exclusive };
    let kept = match minimal(question, &cubes, limits) {
        Ok(kept) => kept,
        Err(Flaw::Open) => return None,
        Err(flaw) => panic!("an invariant of the part, with stuck bits, is one: {flaw:?}"),
    };
    let literal = |b: &Bit| {
        let latch = whole.latches[b.latch as usize].name.clone();
        Literal { latch, value: b.value }
    };
    let mut all: Vec<Vec<Literal>> = kept.iter().map(|c| c.iter().map(literal).collect()).collect();
    all.iter_mut().for_each(|never| never.sort());
    all.sort_by_key(|never| (never.len(), never.clone()));
    Some(all)
}

/// Whether certificates are about executions with all iterations of loops, also those that leave no
/// trace. A thread that spins waits, if deadlocks are looked at.
pub fn follows_every_iteration(checked: PropertySet) -> bool {
    !checked.contains(Property::Deadlocks)
}

/// Why a certificate is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The program has no such latch.
    Name(String),
    /// It does not hold at first: a conjunct.
    Initial(String),
    /// A step leads out of it: a conjunct.
    Step(String),
    /// It does not exclude a violation.
    Violation(Property, Vec<Place>),
    /// It does not exclude that an execution goes on where the circuit ends.
    End(Place),
    /// A conjunct speaks of so many threads that it says nothing about any number.
    Broad(String),
    /// It is about few threads, and what is checked is about all.
    AnyNumber,
    /// A thread could stand in two places.
    Places,
    /// There is no circuit, or no time.
    No(Reason),
}

/// Checks that a certificate is one of a program; what else a reader should know if it is.
pub fn certify(
    task: &Task,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Vec<Note>, Refusal> {
    let facts = Facts::new(task.program);
    let shown = Shown::default();
    if certificate.bounds.any_number && !any_number::is_about_few(task.program.checked) {
        return Err(Refusal::AnyNumber);
    }
    let every_iteration = follows_every_iteration(task.program.checked);
    let bounds = Names { every_iteration, ..certificate.bounds };
    let manner = Manner::of_all(bounds, &shown);
    let model = Model::new(task.program, &facts, manner, &|| budget.is_over());
    let model = match model {
        Ok(model) => model,
        // Then nothing is executed.
        Err(NoModel::NoEntry) => return Ok(Vec::new()),
        Err(NoModel::Time) => return Err(Refusal::No(Reason::Time)),
        Err(NoModel::Large(reason)) => return Err(Refusal::No(reason)),
    };
    let whole = &model.circuit.whole;
    let latches = (0..).zip(&whole.latches).map(|(i, l)| (l.name.as_str(), i));
    let latches: FxHashMap<&str, u32> = latches.collect();
    let mut cubes: Vec<Cube> = Vec::new();
    for never in &certificate.never {
        cubes.push(cube(&latches, never)?);
    }
    let copies = any_number::copies(&model.composition, model.circuit.variables_of_whole());
    if let Some(broad) = cubes.iter().position(|c| !copies.is_narrow(c)) {
        return Err(Refusal::Broad(line(&certificate.never[broad])));
    }
    let wanted = model.wanted();
    let exclusive = &model.circuit.exclusive_of_whole;
    let question = Question { system: whole, bad: &wanted, moves: None, exclusive };
    let limits = Limits { deadline: budget.deadline, stop: budget.cancelled().into() };
    let shown = |broken: &Cube| {
        let same = cubes.iter().position(|c| c == broken).expect("it is one of them");
        line(&certificate.never[same])
    };
    match raddle_reach::certify(question, &cubes, &limits) {
        Ok(()) => undefined(&model, question, &cubes, &limits),
        Err(Flaw::Initial(cube)) => Err(Refusal::Initial(shown(&cube))),
        Err(Flaw::Step(cube)) => Err(Refusal::Step(shown(&cube))),
        Err(Flaw::Bad) => Err(not_excluded(&model, question, &cubes, &limits)),
        Err(Flaw::Exclusive(..)) => Err(Refusal::Places),
        Err(Flaw::Open) => Err(Refusal::No(Reason::Time)),
    }
}

fn cube(latches: &FxHashMap<&str, u32>, never: &[Literal]) -> Result<Cube, Refusal> {
    let bit = |l: &Literal| match latches.get(l.latch.as_str()) {
        Some(&latch) => Ok(Bit { latch, value: l.value }),
        None => Err(Refusal::Name(l.latch.clone())),
    };
    let mut cube = never.iter().map(bit).collect::<Result<Cube, Refusal>>()?;
    cube.sort_unstable();
    cube.dedup();
    Ok(cube)
}

/// What is possible although a certificate holds.
fn not_excluded(model: &Model, question: Question, cubes: &[Cube], limits: &Limits) -> Refusal {
    for &bad in question.bad {
        match allows(question, cubes, &[bad], limits) {
            Ok(false) => {}
            Ok(true) => {
                return match bad.checked_sub(model.goals.len()) {
                    None => {
                        let (property, places) = model.goals[bad].key.clone();
                        Refusal::Violation(property, places)
                    }
                    Some(end) => Refusal::End(model.ends[end].cut.place),
                };
            }
            Err(Interrupted) => break,
        }
    }
    Refusal::No(Reason::Time)
}

/// Undefined behaviour that is not checked and that a certificate does not exclude, one place for each
/// property.
fn undefined(
    model: &Model,
    question: Question,
    cubes: &[Cube],
    limits: &Limits,
) -> Result<Vec<Note>, Refusal> {
    let mut notes = Vec::new();
    for property in [Property::Memory, Property::Overflow] {
        for (e, end) in model.ends.iter().enumerate() {
            let bad = model.goals.len() + e;
            if model.undefined(bad) != Some(property) {
                continue;
            }
            if allows(question, cubes, &[bad], limits) != Ok(false) {
                let places = vec![end.cut.place];
                notes.push(Note::Undefined { property, places, certain: false });
                break;
            }
        }
    }
    Ok(notes)
}
