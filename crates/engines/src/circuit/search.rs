//! One search: methods take turns on one circuit until there is an answer.
//!
//! Bounded model checking finds violations and, where executions end, that there are none; in rounds,
//! in which each thread makes a step, it finds them sooner. Induction
//! and IC3 prove that there are none, from simple invariants on that are found beforehand, and so do
//! decision diagrams where they are not too large. Each gets
//! a slice of the time, twice as long in each turn, and goes on where it was. The scheduler is
//! restricted (`stubborn.rs`) for steps one by one and induction; IC3 is faster without the constraint. What is
//! found is replayed and no longer looked for. What the automata leave out counts as something to
//! be looked for: if it is reached, more gets names or the answer says so.

use std::time::{Duration, Instant};

use raddle_aig::{Execution, System};
use raddle_analysis::Facts;
use raddle_automaton::{Bounds as Names, CutKind, MOST_ARRIVALS, MOST_CONTEXTS};
use raddle_reach::{
    Bmc, Cube, End as Ic3End, Flaw, Ic3, Induction, Interrupted, Invariant, Limits, Pairs,
    Processes, Question, certify, needed,
};

use super::any_number;
use super::bits::{Circuit, Values};
use super::bounded::{Bounded, Looked, MOST_NODES_OF_ROUNDS, deadline_to_look};
use super::certificate::Certificate;
use super::certify::conjuncts;
use super::compose::{Composition, LeftOut};
use super::diagrams::{Seen, Turns};
use super::found::{End, Figures, Found, Known, key};
use super::goals::{End as CutEnd, Goal, Shows};
use super::how::{How, Method};
use super::legend::legend;
use super::model::{Manner, Model, NoModel};
use super::undefined::so_far;
use super::witness::{Run, replayed};
use crate::{Budget, Cut, Ground, Large, Note, Progress, Reason, Task};

/// The first slice of time for each method.
pub(super) const SLICE: Duration = Duration::from_millis(400);

/// Slices from which on methods begin without simple invariants, if these are not found yet.
pub(super) const PATIENCE_WITH_PAIRS: Duration = Duration::from_secs(3);

/// Searches with the given names.
pub fn search(
    task: &Task,
    facts: &Facts,
    (names, extensible): (Names, bool),
    known: &Known,
    how: How,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> (End, Found) {
    progress(Progress::doing("automata", None));
    let How { reductions, most_bits, .. } = how;
    // The conjuncts of a certificate have to say themselves which threads there are, and what holds one
    // value.
    let left_out = match how.certificate {
        true => LeftOut::Nothing,
        false => LeftOut::ConstantsAndThreads,
    };
    let manner = Manner { bounds: names, reductions, left_out, most_bits, shown: &known.shown };
    let model = match Model::new(task.program, facts, manner, &|| budget.is_over()) {
        Ok(model) => model,
        Err(NoModel::NoEntry) => {
            let ground = Ground::Unrolling { bound: 0 };
            return (End::Complete(ground), Found::default());
        }
        Err(NoModel::Time) => return (End::Time, Found::default()),
        Err(NoModel::Large(reason)) => return (End::No(reason), Found::default()),
    };
    // A finding that is a set of lines says nothing about other sets; its condition leaves it out.
    let is_one = |goal: &Goal| matches!(goal.shows, Shows::One(_));
    let found = |goal: &Goal| is_one(goal) && known.findings.iter().any(|t| goal.key == key(t));
    let is_open = |i: &usize| model.goals.get(*i).is_none_or(|goal| !found(goal));
    let wanted: Vec<usize> = model.wanted().into_iter().filter(is_open).collect();
    let Model { composition, goals, ends, circuit, reduced, merged } = model;
    let deadline = match (names.any_number, how.method) {
        (_, Method::Look) => Some(deadline_to_look(budget.deadline, &composition)),
        (true, _) => budget.deadline.map(any_number::deadline),
        (false, _) => budget.deadline,
    };
    let mut search = Search {
        task,
        names,
        extensible,
        how,
        composition,
        goals,
        ends,
        found: Found::default(),
        known: None,
        narrows: !how.certificate,
        limits: Limits { deadline, stop: budget.cancelled().into() },
        budget,
        begin: known.begin,
        last_found: known.last_found,
    };
    search.found.figures = Figures {
        threads: search.composition.steps.len() as u64,
        states: search.composition.steps.iter().map(|s| s.len() as u64).sum(),
        latches: circuit.part.latches.len() as u64,
        gates: circuit.part.system.graph.len() as u64,
        ..Figures::default()
    };
    let mut begun = Progress::doing("solving", None);
    begun.doing.latches = Some(search.found.figures.latches);
    progress(begun);
    let end = match names.any_number {
        true => search.for_any_number(&circuit, &wanted, progress),
        false => search.run(&circuit, wanted, progress),
    };
    search.found.last_found = search.last_found;
    // An invariant is one of the free scheduler, and so are rounds.
    let of_all = search.found.all_interleavings;
    let stubborn = reduced && !of_all && !matches!(end, End::Complete(Ground::Invariant { .. }));
    if stubborn || merged {
        let transactions = how.reductions.transactions;
        search.found.notes.push(Note::Reduced { stubborn, transactions });
    }
    (end, search.found)
}

/// A search, with what it has found so far.
pub(super) struct Search<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) names: Names,
    extensible: bool,
    pub(super) how: How,
    pub(super) composition: Composition,
    pub(super) goals: Vec<Goal>,
    pub(super) ends: Vec<CutEnd>,
    pub(super) found: Found,
    /// Simple invariants, once they were found.
    pub(super) known: Option<Vec<Cube>>,
    /// Whether the circuit may become smaller by them.
    pub(super) narrows: bool,
    pub(super) limits: Limits,
    budget: &'a Budget,
    begin: Instant,
    /// When something was found last, or something unsupported for the first time.
    last_found: Option<Duration>,
}

/// What became of a violation of the circuit.
enum Handled {
    /// These need not be looked for any more.
    Closed(Vec<usize>),
    /// The search ends.
    End(End),
}

/// What became of one turn of all methods.
pub(super) enum Turn {
    /// Something was found and closed.
    Again,
    /// These latches are stuck: a smaller circuit is enough.
    Narrower(Vec<Option<bool>>),
    /// The search ends.
    End(End),
}

impl Search<'_> {
    fn run(
        &mut self,
        circuit: &Circuit,
        mut open: Vec<usize>,
        progress: &mut dyn FnMut(Progress),
    ) -> End {
        let circuit = match self.run_on(circuit, &mut open, progress) {
            Ok(end) => return end,
            Err(stuck) => self.narrowed(circuit, stuck),
        };
        match self.run_on(&circuit, &mut open, progress) {
            Ok(end) => end,
            Err(_) => unreachable!("it is narrowed once"),
        }
    }

    /// Searches until there is an end, or a smaller circuit is enough: which latches are stuck.
    fn run_on(
        &mut self,
        circuit: &Circuit,
        open: &mut Vec<usize>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<End, Vec<Option<bool>>> {
        let all = open.clone();
        let system = &circuit.part.system;
        let moves = Some(system.bad[circuit.moves]);
        let question = Question { system, bad: &all, moves, exclusive: &circuit.exclusive };
        let unrestricted = System { constraints: Vec::new(), ..system.clone() };
        let choice = circuit.turns(self.composition.steps.len());
        let moves = system.bad[circuit.moves];
        let fits = choice.processes.len() * system.graph.len() <= MOST_NODES_OF_ROUNDS;
        let wants_rounds = self.how.rounds && fits && self.how.method != Method::Bdd;
        let processes = wants_rounds.then(|| Processes::new(&unrestricted, &choice, moves));
        let in_rounds = Question { system: &unrestricted, ..question };
        let mut bounded = Bounded::new(question, in_rounds, processes.as_ref());
        loop {
            let now = open.clone();
            let question = Question { bad: &now, ..question };
            let free = Question { system: &unrestricted, ..question };
            let turn = self.turns(circuit, (question, free), &mut bounded, open, progress);
            bounded.tell(&mut self.found.figures);
            match turn {
                Turn::Again => {}
                Turn::Narrower(stuck) => return Err(stuck),
                Turn::End(end) => return Ok(end),
            }
        }
    }

    /// Lets methods take turns while the same things are looked for. The second question is the
    /// first one with a free scheduler. Induction must not ask it: its first steps are those of
    /// bounded model checking, and a restricted scheduler may need more steps to the same violation.
    fn turns(
        &mut self,
        circuit: &Circuit,
        (question, free): (Question, Question),
        bounded: &mut Bounded,
        open: &mut Vec<usize>,
        progress: &mut dyn FnMut(Progress),
    ) -> Turn {
        if self.how.method == Method::Bdd {
            return self.diagrams(circuit, (question, free), bounded, open, progress);
        }
        let mut induction: Option<Induction> = None;
        let mut ic3: Option<Ic3> = None;
        let mut pairs = Pairs::new(free);
        let (order, split) = (circuit.order(&self.composition), circuit.choice());
        let mut diagrams = Turns::new(free, &order, &split);
        let mut slice = SLICE;
        loop {
            bounded.tell(&mut self.found.figures);
            self.tell(induction.as_ref(), ic3.as_ref(), progress);
            if let Some(end) = self.has_ended(bounded) {
                return Turn::End(end);
            }
            match self.run_bounded(circuit, bounded, open, slice) {
                Looked::Turn(turn) => return turn,
                Looked::Ends { bound } => {
                    self.certify_by_ic3(circuit, free, ic3, progress);
                    return Turn::End(End::Complete(Ground::Unrolling { bound }));
                }
                Looked::Nothing if self.how.method == Method::Look => continue,
                Looked::Nothing => {}
            }
            let bmc = &mut bounded.steps;
            if self.how.method != Method::Bmc && self.known.is_none() {
                match self.stuck(&mut pairs, free, 4 * slice) {
                    Ok(Some(stuck)) => return Turn::Narrower(stuck),
                    Ok(None) => {}
                    // Proofs without them take much longer; but it may be these that take long.
                    Err(Interrupted) if slice < PATIENCE_WITH_PAIRS => {
                        slice *= 2;
                        continue;
                    }
                    Err(Interrupted) => {}
                }
            }
            let known = self.known.clone().unwrap_or_default();
            if let Some(seen) = self.turn_of_diagrams(&mut diagrams, (free, &known), slice) {
                return match seen {
                    Seen::Violation(execution) => self.handled(circuit, &execution, bounded, open),
                    Seen::All(end) => Turn::End(end),
                };
            }
            if matches!(self.how.method, Method::Induction | Method::Auto) {
                let induction = induction.get_or_insert_with(|| Induction::new(question, &known));
                if let Ok(true) = self.run_induction(induction, bmc.depth(), slice) {
                    let mut reaches = |bad: &[usize], limits: &_| so_far(bmc, bad, limits);
                    self.note_undefined(&mut reaches, Some((question, &known)));
                    self.certify_by_ic3(circuit, free, ic3, progress);
                    let bound = induction.k() as u32;
                    return Turn::End(End::Complete(Ground::Induction { bound }));
                }
            }
            // What is bad in the first step is for bounded model checking.
            if matches!(self.how.method, Method::Ic3 | Method::Auto) && bmc.depth() > 0 {
                let ic3 = ic3.get_or_insert_with(|| Ic3::new(free, known));
                match ic3.run(&self.slice(2 * slice)) {
                    Ok(Ic3End::Violated(execution)) => {
                        return self.handled(circuit, &execution, bounded, open);
                    }
                    Ok(Ic3End::Holds(invariant)) => {
                        return Turn::End(self.proved(circuit, free, invariant, bmc));
                    }
                    Ok(Ic3End::Broad) => unreachable!("cubes may speak of all threads"),
                    Err(Interrupted) => {}
                }
            }
            slice = slice.saturating_mul(2);
        }
    }

    /// Tells how far methods are.
    pub(super) fn tell(
        &mut self,
        induction: Option<&Induction>,
        ic3: Option<&Ic3>,
        progress: &mut dyn FnMut(Progress),
    ) {
        let f = &mut self.found.figures;
        let (level, cubes) = ic3.map_or((0, 0), |i| (i.level(), i.cubes()));
        (f.level, f.cubes) = (level as u64, cubes as u64);
        let size = format!(
            "{} latches, induction over {}, IC3 level {level} with {cubes} clauses",
            f.latches,
            induction.map_or(0, Induction::k),
        );
        progress(Progress::doing("solving", Some(("steps", f.depth))).of_size(size));
    }

    /// Why nobody gets another turn, if so.
    fn has_ended(&self, bounded: &Bounded) -> Option<End> {
        if self.budget.is_over() || self.is_enough() {
            return Some(End::Time);
        }
        let is_stuck = self.how.method == Method::Bmc && bounded.is_full();
        is_stuck.then(|| {
            let place = self.composition.layout.entry_place(self.task.program);
            End::No(Reason::Large { what: Large::Clauses(bounded.steps.clauses()), place })
        })
    }

    /// The end of a search that IC3 has ended with an invariant.
    pub(super) fn proved(
        &mut self,
        circuit: &Circuit,
        question: Question,
        invariant: Invariant,
        bmc: &mut Bmc,
    ) -> End {
        let invariant = self.needed(question, invariant);
        if self.task.settings.recheck {
            match certify(question, &invariant, &self.limits) {
                Ok(()) => {}
                // A recheck that was wanted and not completed is no proof.
                Err(Flaw::Open) => return End::Time,
                Err(flaw) => panic!("an invariant of IC3 is one: {flaw:?}"),
            }
        }
        let mut reaches = |bad: &[usize], limits: &_| so_far(bmc, bad, limits);
        self.note_undefined(&mut reaches, Some((question, &invariant)));
        self.certify(circuit, question, &invariant);
        let (clauses, any_number) = (invariant.len() as u32, self.names.any_number);
        End::Complete(Ground::Invariant { clauses, any_number })
    }

    /// The part of an invariant that a proof needs; all of it if the time is up.
    fn needed(&self, question: Question, invariant: Invariant) -> Invariant {
        match needed(question, &invariant, &self.limits) {
            Ok(needed) => needed,
            Err(Flaw::Open) => invariant,
            Err(flaw) => panic!("an invariant of IC3 is one: {flaw:?}"),
        }
    }

    /// Whether a proof of what is looked for now is one of the program, and shall be written down.
    pub(super) fn wants_certificate(&self) -> bool {
        let Found { findings, unconfirmed, cuts, unsupported, .. } = &self.found;
        let nothing_open = findings.is_empty() && unconfirmed.is_empty();
        // Of a formula this would be the smaller part of the proof.
        let whole = self.how.certificate && !self.task.program.checked.is_linear();
        whole && nothing_open && cuts.is_empty() && unsupported.is_empty()
    }

    /// Keeps an invariant as a certificate, if one is wanted.
    fn certify(&mut self, circuit: &Circuit, question: Question, invariant: &Invariant) {
        if self.wants_certificate() {
            let never = conjuncts(circuit, question.bad, invariant, &self.limits);
            let (bounds, program) = (self.names, self.task.program);
            self.found.certificate = never.map(|never| {
                let legend = legend(program, &self.composition, &never);
                Certificate { bounds, never, legend }
            });
        }
    }

    /// Where something else has proved that nothing is reached: looks for an invariant as well, if a
    /// certificate is wanted, until the time is up.
    pub(super) fn certify_by_ic3(
        &mut self,
        circuit: &Circuit,
        question: Question,
        ic3: Option<Ic3>,
        progress: &mut dyn FnMut(Progress),
    ) {
        if !self.wants_certificate() {
            return;
        }
        progress(Progress::doing("certificate", None));
        let known = self.known.clone().map_or_else(|| Pairs::new(question).run(&self.limits), Ok);
        let mut ic3 = ic3.unwrap_or_else(|| Ic3::new(question, known.unwrap_or_default()));
        match ic3.run(&self.limits) {
            Ok(Ic3End::Holds(invariant)) => self.certify(circuit, question, &invariant),
            Ok(Ic3End::Violated(_)) => panic!("what was proved is not violated"),
            Ok(Ic3End::Broad) => unreachable!("cubes may speak of all threads"),
            Err(Interrupted) => {}
        }
    }

    /// What else there is is worth as much time as the findings so far took.
    pub(super) fn is_enough(&self) -> bool {
        let patience = |found: Duration| 2 * found + Duration::from_secs(1);
        self.last_found.is_some_and(|found| self.begin.elapsed() > patience(found))
    }

    /// The limits of one turn.
    pub(super) fn slice(&self, slice: Duration) -> Limits {
        let end = Instant::now() + slice;
        let deadline = Some(self.limits.deadline.map_or(end, |d| d.min(end)));
        Limits { deadline, stop: self.limits.stop.clone() }
    }

    /// Whether induction over at most as many steps as have been looked at proves something.
    fn run_induction(
        &self,
        induction: &mut Induction,
        depth: usize,
        slice: Duration,
    ) -> Result<bool, Interrupted> {
        let limits = self.slice(slice);
        while induction.k() <= depth {
            if induction.step(&limits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn handled(
        &mut self,
        circuit: &Circuit,
        execution: &Execution,
        bounded: &mut Bounded,
        open: &mut Vec<usize>,
    ) -> Turn {
        match self.handle(circuit, execution, open) {
            Handled::End(end) => Turn::End(end),
            Handled::Closed(closed) => {
                closed.iter().for_each(|&c| bounded.close(c));
                open.retain(|o| !closed.contains(o));
                Turn::Again
            }
        }
    }

    /// The first of what is looked for that an execution of the circuit shows.
    fn shown(&self, values: &Values, open: &[usize]) -> Option<usize> {
        let mut run = Run::new(&self.composition, values);
        let cond = |i: usize| match i.checked_sub(self.goals.len()) {
            None => self.goals[i].cond,
            Some(end) => self.ends[end].cond,
        };
        open.iter().copied().find(|&i| run.holds(cond(i)))
    }

    /// Why an automaton ends in an execution of the circuit, if that is what it shows.
    pub(super) fn shown_end(&self, circuit: &Circuit, execution: &Execution) -> Option<CutKind> {
        let values = circuit.values(&self.composition, execution);
        let ends: Vec<usize> = (0..self.ends.len()).map(|e| e + self.goals.len()).collect();
        let shown = self.shown(&values, &ends)?;
        Some(self.ends[shown - self.goals.len()].cut.kind.clone())
    }

    /// Replays what an execution of the circuit shows.
    fn handle(&mut self, circuit: &Circuit, execution: &Execution, open: &[usize]) -> Handled {
        let values = circuit.values(&self.composition, execution);
        let Some(shown) = self.shown(&values, open) else {
            let what = "an execution of the circuit shows nothing".to_string();
            return Handled::End(End::No(Reason::Internal(crate::Mistake::Model(what))));
        };
        if let Some(end) = shown.checked_sub(self.goals.len()) {
            return self.reached(end);
        }
        let goal = self.goals[shown].clone();
        let (replayed, lines) = replayed(self.task.program, &mut self.composition, &values, &goal);
        match replayed {
            Ok(trace) => {
                let key = key(&trace);
                let same = (0..self.goals.len()).filter(|&g| self.goals[g].key == key);
                // Another violation may come first; then this one may show in another execution.
                let mut closed: Vec<usize> = same.collect();
                closed.push(shown);
                let program = self.task.program;
                let new = trace.finding().key(program);
                if self.found.findings.iter().all(|t| t.finding().key(program) != new) {
                    self.found.findings.push(trace);
                    self.last_found = Some(self.begin.elapsed());
                }
                match (self.task.settings.first_only, lines) {
                    (true, _) => Handled::End(End::Enough),
                    (false, Some((family, lines))) => Handled::End(End::Again(family, lines)),
                    (false, None) => Handled::Closed(closed),
                }
            }
            Err(error) => {
                self.found.unconfirmed.push(error.to_string());
                Handled::Closed(vec![shown])
            }
        }
    }

    /// Notes what is cut off; ends the search if more names are needed.
    fn reached(&mut self, end: usize) -> Handled {
        let names = self.names;
        if self.how.method == Method::Look {
            // What is near needs no more names, mostly.
            self.found.left_out = true;
            return Handled::Closed(self.same_end(end));
        }
        let raddle_automaton::Cut { kind, place, .. } = self.ends[end].cut.clone();
        let cut = match kind {
            CutKind::Unsupported(what) => {
                // A violation beside it still counts, but is not worth all of the time.
                self.found.unsupported.push((what, place));
                self.last_found.get_or_insert(self.begin.elapsed());
                return Handled::Closed(self.same_end(end));
            }
            CutKind::Recursion => Cut::Recursion { place, bound: names.recursion },
            CutKind::Calls if !names.single_copies => {
                return Handled::End(End::More(Names { single_copies: true, ..names }));
            }
            CutKind::Calls => Cut::Calls { place, bound: MOST_CONTEXTS as u32 },
            CutKind::Threads => {
                let bound = self.composition.layout.threads_of_a_place(names);
                Cut::Threads { place, bound }
            }
            CutKind::Objects => Cut::Allocations { place, bound: names.repeats },
            CutKind::Cells => Cut::Object { place, cells: Some(names.cells) },
            CutKind::Alignment => {
                return Handled::End(End::More(Names { bytes: true, ..names }));
            }
            CutKind::Iterations => Cut::Loop { place, bound: MOST_ARRIVALS },
            CutKind::Undefined(_) => unreachable!("it is no bound"),
        };
        if self.extensible && self.ends[end].cut.kind != CutKind::Iterations {
            return Handled::End(End::More(names.next()));
        }
        if !self.found.cuts.contains(&cut) {
            self.found.cuts.push(cut);
        }
        Handled::Closed(self.same_end(end))
    }

    /// All ends of the same kind at the same place.
    fn same_end(&self, end: usize) -> Vec<usize> {
        let this = &self.ends[end].cut;
        let same = |e: &CutEnd| e.cut.kind == this.kind && e.cut.place == this.place;
        (0..self.ends.len())
            .filter(|&e| same(&self.ends[e]))
            .map(|e| e + self.goals.len())
            .collect()
    }
}
