//! What a depth has to show: findings, deadlocks, what was cut off.
//!
//! Each question is asked again, without what has been shown, until there is nothing left; each model
//! is compared with the tables of the paper if that is wanted, and replayed. What the interpreter
//! does not see is a mistake in raddle, and is said.

use std::collections::BTreeSet;

use raddle_automaton::{Bounds as Names, CutKind, Leak, MOST_ARRIVALS, MOST_CONTEXTS};
use raddle_interp::{ConfirmedTrace, FindingKind, ReplayError, replay_guided};
use raddle_ir::{Place, Property, Unmodelled};
use raddle_term::TermId;

use super::deadlocks::Question;
use super::goals::{Goal, Key};
use super::recheck;
use super::search::{End, Level, Search};
use super::token::{Last, Pair};
use super::unroll::Need;
use super::witness::Model;
use crate::bounded::formula::{Answer, Formula, Lit, any_of};
use crate::{Cut, Limit, Note, Reason, Task};

/// After so many executions in which nothing that is left is lost nobody looks for more.
const MOST_IN_VAIN: u32 = 16;

impl Search<'_> {
    /// Whether one of these can hold; `None` if certainly not.
    pub fn ask(&mut self, depth: Lit, any: &[TermId]) -> Option<Answer> {
        let mut lits = Vec::new();
        for &t in any.iter().filter(|t| !self.ground.terms.is_false(**t)) {
            lits.push(self.formula.lit(&self.ground.terms, t));
        }
        if lits.is_empty() {
            return None;
        }
        let any = any_of(&mut self.formula, &lits);
        Some(self.formula.solve(&[depth, any]))
    }

    /// Looks for all findings, and tells of each; false if the time is up.
    pub fn look_for_findings(&mut self, depth: Lit, tell: &mut dyn FnMut(&Search)) -> bool {
        loop {
            let open: Vec<usize> = (0..self.goals.goals.len())
                .filter(|i| !self.failed.contains(i))
                .filter(|&i| !self.goals.closed.contains(&self.goals.goals[i].key))
                .collect();
            let conds: Vec<TermId> = open.iter().map(|&i| self.goals.goals[i].cond).collect();
            match self.ask(depth, &conds) {
                None | Some(Answer::Unsatisfiable) => return true,
                Some(Answer::Interrupted) => return false,
                Some(Answer::Satisfiable) => {}
            }
            if let Err(what) = self.recheck() {
                self.found.unconfirmed.push(what);
                return true;
            }
            let values = self.formula.variables(self.ground.terms.variable_count());
            let mut model = Model::new(&self.ground, &self.runs, values);
            let shown = open.into_iter().find(|&i| model.holds(self.goals.goals[i].cond));
            let Some(shown) = shown else {
                self.found.unconfirmed.push("a model shows nothing".into());
                return true;
            };
            let goal = self.goals.goals[shown].clone();
            let left = goal.leak.as_ref().map(|leak| Left::new(leak, &mut model));
            match (replay(self.task, &mut model, &goal), left) {
                (result, Some(left)) => self.show_leak(shown, result, &left),
                (Ok(trace), None) => {
                    let key = key(&trace);
                    if key != goal.key {
                        // Another violation comes first; this one may show in another execution.
                        self.failed.insert(shown);
                    }
                    self.goals.closed.insert(key);
                    self.keep(trace);
                }
                (Err(error), None) => {
                    self.failed.insert(shown);
                    self.found.unconfirmed.push(error.to_string());
                }
            }
            if self.is_enough() {
                return true;
            }
            tell(self);
        }
    }

    /// Looks for all deadlocks; false if the time is up.
    pub fn look_for_deadlocks(&mut self, depth: Lit) -> bool {
        let now = self.eager.memory.clone().filter(|_| self.looks_for_deadlocks());
        if let Some(memory) = now {
            self.token.last = Some(self.state_at_end(memory));
        }
        let Some(last) = &self.token.last else { return true };
        let (ground, formula) = (&mut self.ground, &mut self.formula);
        let questions = self.deadlocks.questions(ground, formula, &self.runs, last);
        for question in &questions {
            while self.deadlocks.is_open(question) && !self.is_enough() {
                let mut answer = self.formula.solve(&[depth, question.some, question.certain]);
                if answer == Answer::Unsatisfiable {
                    answer = self.formula.solve(&[depth, question.some]);
                }
                match answer {
                    Answer::Unsatisfiable => break,
                    Answer::Interrupted => return false,
                    Answer::Satisfiable => self.show_deadlock(question),
                }
            }
        }
        true
    }

    pub fn looks_for_deadlocks(&self) -> bool {
        self.task.program.checked.contains(Property::Deadlocks)
    }

    /// All threads together: where they stand at the last time.
    fn state_at_end(&mut self, memory: Vec<TermId>) -> Last {
        let last = Last::at(&self.formula, memory);
        self.deadlocks.forget_points();
        for r in 0..self.runs.len() {
            // A thread without a slot has just been created.
            let Some(slot) = self.runs[r].slots.len().checked_sub(1) else { continue };
            if self.runs[r].slots[slot].need != Need::Alone {
                self.add_waits((r, slot), &last);
            }
        }
        last
    }

    /// Replays the deadlock of the last model.
    fn show_deadlock(&mut self, question: &Question) {
        if let Err(what) = self.recheck() {
            self.found.unconfirmed.push(what);
        }
        let values = self.formula.variables(self.ground.terms.variable_count());
        let (wanted, perhaps) = self.deadlocks.shown(&mut self.formula, &self.runs, question);
        if let Some(place) = perhaps {
            self.note_cut(Cut::Loop { place, bound: MOST_ARRIVALS });
            return;
        }
        let mut model = Model::new(&self.ground, &self.runs, values);
        let guide = model.guide(None);
        match replay_guided(self.task.program, &guide, &mut model.answers(None), &wanted) {
            Ok(trace) => {
                let property = trace.finding().property;
                if property != Property::Deadlocks {
                    let why = format!("the replay of a deadlock violates {property}");
                    self.found.unconfirmed.push(why);
                }
                // One set of lines may be a local deadlock and a global one.
                self.keep(trace);
            }
            Err(error) => self.found.unconfirmed.push(error.to_string()),
        }
    }

    /// Keeps a finding, if it is new.
    fn keep(&mut self, trace: ConfirmedTrace) {
        let key = trace.finding().key(self.task.program);
        let known = |t: &ConfirmedTrace| t.finding().key(self.task.program) == key;
        if !self.found.findings.iter().any(known) {
            self.found.findings.push(trace);
        }
    }

    /// Keeps a leak. Whether what is left is lost only the replay knows: the same lines may be left
    /// elsewhere and others of them be lost.
    fn show_leak(&mut self, goal: usize, result: Result<ConfirmedTrace, ReplayError>, left: &Left) {
        let lost = left.property == Property::LostMemory;
        match result {
            Ok(trace) => {
                if lost && leaked(&trace) != left.places() {
                    self.note_unsupported(Unmodelled::LostMemory, left.place);
                }
                self.keep(trace);
            }
            Err(ReplayError::NotShown { .. }) if lost => {
                self.note_unsupported(Unmodelled::LostMemory, left.place);
                self.lost_in_vain += 1;
                if self.lost_in_vain > MOST_IN_VAIN {
                    self.failed.insert(goal);
                }
            }
            Err(error) => {
                self.failed.insert(goal);
                self.found.unconfirmed.push(error.to_string());
            }
        }
        self.other_lines(goal, &left.lines);
    }

    /// From now on a leak is one of other lines than these, those that hold.
    fn other_lines(&mut self, goal: usize, lines: &[(Place, TermId, bool)]) {
        let terms = &mut self.ground.terms;
        let differ =
            lines.iter().map(|&(_, left, holds)| if holds { terms.not(left) } else { left });
        let differ: Vec<TermId> = differ.collect();
        let other = terms.or_all(&differ);
        let cond = &mut self.goals.goals[goal].cond;
        *cond = terms.and(*cond, other);
    }

    /// Whether what was found is enough.
    pub fn is_enough(&self) -> bool {
        self.task.settings.first_only && !self.found.findings.is_empty()
    }

    /// Compares the last model with what was said and with the tables of the paper, if that is
    /// wanted.
    fn recheck(&mut self) -> Result<(), String> {
        if !self.task.settings.recheck {
            return Ok(());
        }
        self.formula.recheck(&self.ground.terms)?;
        let happen = |p: &&Pair| self.formula.value(p.lit);
        let passes: Vec<Pair> = self.token.pairs.iter().filter(happen).copied().collect();
        let values = self.formula.variables(self.ground.terms.variable_count());
        let mut model = Model::new(&self.ground, &self.runs, values);
        match self.manner.eager {
            true => recheck::check_together(&mut model, &self.runs),
            false => recheck::check(&mut model, self.task.program, &self.runs, &passes),
        }
    }

    /// Looks for what the automata cut off.
    pub fn look_for_ends(&mut self, depth: Lit) -> Option<Level> {
        let mut seen: BTreeSet<(CutKind, Place)> = BTreeSet::new();
        loop {
            let open = self.goals.ends.iter().filter(|e| {
                let bound = !matches!(e.cut.kind, CutKind::Undefined(_));
                bound && !seen.contains(&(e.cut.kind.clone(), e.cut.place))
            });
            let conds: Vec<TermId> = open.map(|e| e.cond).collect();
            match self.ask(depth, &conds) {
                None | Some(Answer::Unsatisfiable) => return self.not_modelled(),
                Some(Answer::Interrupted) => return Some(Level::Time),
                Some(Answer::Satisfiable) => {}
            }
            let values = self.formula.variables(self.ground.terms.variable_count());
            let mut model = Model::new(&self.ground, &self.runs, values);
            let reached: Vec<(CutKind, Place)> = self
                .goals
                .ends
                .iter()
                .filter(|e| !matches!(e.cut.kind, CutKind::Undefined(_)) && model.holds(e.cond))
                .map(|e| (e.cut.kind.clone(), e.cut.place))
                .collect();
            for (kind, place) in reached {
                seen.insert((kind.clone(), place));
                if let Some(end) = self.reached(kind, place) {
                    return Some(Level::End(end));
                }
            }
        }
    }

    /// Ends the search where something is not modelled and nothing was found.
    fn not_modelled(&self) -> Option<Level> {
        let all = self.found.unsupported.iter().filter_map(|limit| match limit {
            Limit::Unsupported { what, place } => Some((what.clone(), *place)),
            Limit::Cut(_) => None,
        });
        let mut all: Vec<_> = all.collect();
        all.sort();
        let ends = !all.is_empty() && self.found.findings.is_empty();
        ends.then_some(Level::End(End::No(Reason::Unsupported(all))))
    }

    /// Notes what is cut off; ends the search if more names are needed.
    fn reached(&mut self, kind: CutKind, place: Place) -> Option<End> {
        let names = self.manner.names;
        let cut = match kind {
            CutKind::Unsupported(what) => {
                self.note_unsupported(what, place);
                return None;
            }
            CutKind::Recursion => Cut::Recursion { place, bound: names.recursion },
            CutKind::Calls if !names.single_copies => {
                let fewer = Names { single_copies: true, ..names };
                return Some(End::More(self.ground.varying.clone(), Some(fewer)));
            }
            CutKind::Calls => {
                self.note_cut(Cut::Calls { place, bound: MOST_CONTEXTS as u32 });
                return None;
            }
            CutKind::Threads => Cut::Threads { place, bound: names.repeats },
            CutKind::Objects => Cut::Allocations { place, bound: names.repeats },
            CutKind::Cells => Cut::Object { place },
            CutKind::Alignment => {
                let finer = Names { bytes: true, ..names };
                return Some(End::More(self.ground.varying.clone(), Some(finer)));
            }
            CutKind::Iterations => {
                self.note_cut(Cut::Loop { place, bound: MOST_ARRIVALS });
                return None;
            }
            CutKind::Undefined(_) => unreachable!("it is no bound"),
        };
        self.note_cut(cut);
        let more = self.manner.extensible.then(|| names.next());
        more.map(|more| End::More(self.ground.varying.clone(), Some(more)))
    }

    fn note_unsupported(&mut self, what: Unmodelled, place: Place) {
        let limit = Limit::Unsupported { what, place };
        if !self.found.unsupported.contains(&limit) {
            self.found.unsupported.push(limit);
        }
    }

    fn note_cut(&mut self, cut: Cut) {
        if !self.found.cuts.contains(&cut) {
            self.found.cuts.push(cut);
        }
    }

    /// Where executions end in undefined behaviour, one place for each property.
    pub fn note_undefined(&mut self, depth: Lit) {
        self.found.notes.clear();
        for property in [Property::Memory, Property::Overflow] {
            let here = |e: &&super::goals::End| e.cut.kind == CutKind::Undefined(property);
            let conds: Vec<TermId> = self.goals.ends.iter().filter(here).map(|e| e.cond).collect();
            if self.ask(depth, &conds) != Some(Answer::Satisfiable) {
                continue;
            }
            let values = self.formula.variables(self.ground.terms.variable_count());
            let mut model = Model::new(&self.ground, &self.runs, values);
            let reached = self.goals.ends.iter().filter(here).find(|e| model.holds(e.cond));
            if let Some(end) = reached {
                let places = vec![end.cut.place];
                self.found.notes.push(Note::Undefined { property, places, certain: true });
            }
        }
    }
}

/// What is left on the heap in a model.
struct Left {
    /// What that violates, perhaps.
    property: Property,
    /// Where the program ends.
    place: Place,
    /// The lines that allocate, and whether an object of each is left.
    lines: Vec<(Place, TermId, bool)>,
}

impl Left {
    fn new(leak: &Leak, model: &mut Model) -> Left {
        let lines = leak.lines.iter().map(|&(place, left)| (place, left, model.holds(left)));
        Left { property: leak.property, place: leak.place, lines: lines.collect() }
    }

    /// The lines of what is left.
    fn places(&self) -> BTreeSet<Place> {
        self.lines.iter().filter(|l| l.2).map(|l| l.0).collect()
    }
}

/// The lines of what a finding says is left.
fn leaked(trace: &ConfirmedTrace) -> BTreeSet<Place> {
    match &trace.finding().kind {
        FindingKind::Leak { objects } => objects.iter().map(|o| o.allocated).collect(),
        FindingKind::Check { .. }
        | FindingKind::Race { .. }
        | FindingKind::Deadlock { .. }
        | FindingKind::Formula { .. }
        | FindingKind::Starvation
        | FindingKind::Memory(_) => BTreeSet::new(),
    }
}

/// What findings are the same as this one.
fn key(trace: &ConfirmedTrace) -> Key {
    let mut places: Vec<Place> = trace.finding().sites.iter().map(|s| s.place).collect();
    places.sort_unstable();
    (trace.finding().property, places)
}

fn replay(task: &Task, model: &mut Model, goal: &Goal) -> Result<ConfirmedTrace, ReplayError> {
    let guide = model.guide(goal.at);
    let mut answers = model.answers(goal.at);
    replay_guided(task.program, &guide, &mut answers, &goal.wanted)
}
