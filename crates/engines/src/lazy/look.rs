//! What a depth has to show: findings, deadlocks, what was cut off.
//!
//! Each question is asked again, without what has been shown, until there is nothing left; each model
//! is compared with the tables of the paper if that is wanted, and replayed. What the interpreter
//! does not see is a mistake in raddle, and is said. What else an execution passes on its way counts
//! as well. Once something was found a question has a limit of conflicts, since what is deeper may be
//! easier to find than what is left is to refute; whoever gave up says so, and comes back
//! (`search.rs`).

use std::collections::BTreeSet;

use raddle_automaton::{CutKind, Leak, MOST_ARRIVALS, MOST_CONTEXTS};
use raddle_interp::{
    ConfirmedTrace, FindingKey, FindingKind, ReplayError, races_on_the_way, replay_guided,
};
use raddle_ir::{Place, Property, Unmodelled};
use raddle_term::TermId;

use super::arrivals::Arrival;
use super::deadlocks::Question;
use super::goals::{self, Goal, Key};
use super::recheck;
use super::search::{End, Level, Search};
use super::token::{Last, Pair};
use super::unroll::Need;
use super::witness::Model;
use crate::bounded::formula::{Answer, Formula, Lit, any_of};
use crate::{Cut, Limit, Note, Reason, Task};

/// After so many executions in which nothing that is left is lost nobody looks for more.
const MOST_IN_VAIN: u32 = 16;

/// Conflicts that a question may take at first, once something was found.
const PATIENCE: u32 = 4000;
/// Conflicts that a question with few passes may take at first.
const SIMPLE: u32 = 4000;

/// How a depth was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looked {
    /// All that is there was found.
    Wholly,
    /// The limit of conflicts was reached.
    InPart,
    /// The time is up.
    Late,
}

impl Looked {
    /// The worse of two.
    #[must_use]
    pub fn and(self, other: Looked) -> Looked {
        match (self, other) {
            (Looked::Late, _) | (_, Looked::Late) => Looked::Late,
            (Looked::InPart, _) | (_, Looked::InPart) => Looked::InPart,
            (Looked::Wholly, Looked::Wholly) => Looked::Wholly,
        }
    }
}

impl Search<'_> {
    /// Sets how long a question may take: without an end as long as nothing was found.
    pub fn set_patience(&mut self) {
        let any = self.found.findings.len() + self.found.earlier.len() > 0;
        let most = PATIENCE.saturating_mul(self.insistence);
        self.formula.limit_conflicts(any.then_some(most));
    }

    /// Why a question was not answered.
    fn given_up(&self) -> Looked {
        if self.budget.is_over() { Looked::Late } else { Looked::InPart }
    }

    /// Whether one of these can hold; `None` if certainly not.
    pub fn ask(&mut self, depth: Lit, any: &[TermId]) -> Option<Answer> {
        self.ask_with(&[depth], any)
    }

    /// The same where more literals hold.
    fn ask_with(&mut self, assumed: &[Lit], any: &[TermId]) -> Option<Answer> {
        let mut lits = Vec::new();
        for &t in any.iter().filter(|t| !self.ground.terms.is_false(**t)) {
            lits.push(self.formula.lit(&self.ground.terms, t));
        }
        if lits.is_empty() {
            return None;
        }
        let any = any_of(&mut self.formula, &lits);
        let mut all = assumed.to_vec();
        all.push(any);
        Some(self.formula.solve(&all))
    }

    /// Looks for all findings, and tells of each.
    pub fn look_for_findings(&mut self, depth: Lit, tell: &mut dyn FnMut(&Search)) -> Looked {
        // Passes are few at first, if threads pass a token at all.
        let mut few = !self.manner.eager;
        loop {
            let open: Vec<usize> = (0..self.goals.goals.len())
                .filter(|i| !self.failed.contains(i))
                .filter(|&i| !self.goals.closed.contains(&self.goals.goals[i].key))
                .collect();
            let conds: Vec<TermId> = open.iter().map(|&i| self.goals.goals[i].cond).collect();
            let mut answer = Some(Answer::Unsatisfiable);
            if few {
                let wanted = self.token.few.wanted(&mut self.formula);
                let most = SIMPLE.saturating_mul(self.insistence);
                self.formula.limit_conflicts(Some(most));
                answer = self.ask_with(&[depth, wanted], &conds);
                few = answer == Some(Answer::Satisfiable);
            }
            if !few && answer.is_some() {
                self.set_patience();
                answer = self.ask(depth, &conds);
            }
            match answer {
                None | Some(Answer::Unsatisfiable) => return Looked::Wholly,
                Some(Answer::Interrupted) => return self.given_up(),
                Some(Answer::Satisfiable) => {}
            }
            if let Err(what) = self.recheck() {
                self.found.unconfirmed.push(what);
                return Looked::Wholly;
            }
            let values = self.formula.variables(self.ground.terms.variable_count());
            let mut model = Model::new(&self.ground, &self.runs, values);
            let shown = open.into_iter().find(|&i| model.holds(self.goals.goals[i].cond));
            let Some(shown) = shown else {
                self.found.unconfirmed.push("a model shows nothing".into());
                return Looked::Wholly;
            };
            let goal = self.goals.goals[shown].clone();
            if self.task.settings.recheck
                && !self.manner.eager
                && let Err(what) = recheck::check_goal(&mut model, &self.runs, &self.goals, &goal)
            {
                self.found.unconfirmed.push(what);
                return Looked::Wholly;
            }
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
                return Looked::Wholly;
            }
            tell(self);
        }
    }

    /// Looks for all deadlocks.
    pub fn look_for_deadlocks(&mut self, depth: Lit) -> Looked {
        let now = self.eager.memory.clone().filter(|_| self.looks_for_deadlocks());
        if let Some(memory) = now {
            self.token.last = Some(self.state_at_end(memory));
        }
        let Some(last) = &self.token.last else { return Looked::Wholly };
        let (ground, formula) = (&mut self.ground, &mut self.formula);
        let questions = self.deadlocks.questions(ground, formula, &self.runs, last);
        let mut looked = Looked::Wholly;
        for question in &questions {
            while self.deadlocks.is_open(question) && !self.is_enough() {
                self.set_patience();
                let mut answer = self.formula.solve(&[depth, question.some, question.certain]);
                if answer == Answer::Unsatisfiable {
                    answer = self.formula.solve(&[depth, question.some]);
                }
                match answer {
                    Answer::Unsatisfiable => break,
                    Answer::Interrupted => {
                        looked = looked.and(self.given_up());
                        break;
                    }
                    Answer::Satisfiable => self.show_deadlock(question),
                }
            }
        }
        looked
    }

    pub fn looks_for_deadlocks(&self) -> bool {
        self.task.program.checked.contains(Property::Deadlocks)
    }

    /// All threads together: where they stand at the last time.
    fn state_at_end(&mut self, memory: Vec<TermId>) -> Last {
        let ends = self.outside_sections();
        let last = Last::at(ends, memory);
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

    /// All threads together: a literal that implies that nobody is inside an atomic section after the last
    /// time.
    fn outside_sections(&mut self) -> Lit {
        let ends = self.formula.new_lit();
        for run in &self.runs {
            let inside = |a: &&Arrival| run.automaton.state(a.state).in_section();
            for arrival in run.frontier.iter().filter(inside) {
                let at = self.formula.lit(&self.ground.terms, arrival.at);
                self.formula.clause(&[!ends, !at]);
            }
        }
        ends
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
            self.found.findings.push(trace.clone());
        }
        let races = self.task.program.checked.contains(Property::Races);
        if races && !self.task.settings.first_only {
            self.keep_races_on_the_way(&trace);
        }
    }

    /// Keeps what else an execution shows.
    fn keep_races_on_the_way(&mut self, trace: &ConfirmedTrace) {
        let all = self.found.findings.iter().chain(&self.found.earlier);
        let mut known: BTreeSet<FindingKey> = all.map(|t| t.key().clone()).collect();
        // What is behind may be deeper than the user wants to look.
        let behind = self.manner.depth.is_none();
        for race in races_on_the_way(self.task.program, trace, behind, &mut known) {
            self.goals.closed.insert(key(&race));
            self.found.findings.push(race);
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
                Some(Answer::Interrupted) => return Some(Level::Looked(self.given_up())),
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
        let more = names.beyond(&kind);
        let cut = match kind {
            CutKind::Unsupported(what) => {
                self.note_unsupported(what, place);
                return None;
            }
            CutKind::Recursion => Cut::Recursion { place, bound: names.recursion },
            CutKind::Calls => Cut::Calls { place, bound: MOST_CONTEXTS as u32 },
            CutKind::Threads => {
                let bound = self.ground.layout.threads_of_a_place(names);
                Cut::Threads { place, bound }
            }
            CutKind::Objects => Cut::Allocations { place, bound: names.repeats },
            CutKind::Cells => Cut::Object { place, cells: Some(names.cells) },
            CutKind::Alignment => {
                assert!(more.is_some(), "bytes are aligned");
                return more.map(|more| End::More(self.ground.varying.clone(), Some(more)));
            }
            CutKind::Iterations => Cut::Loop { place, bound: MOST_ARRIVALS },
            CutKind::Undefined(_) => unreachable!("it is no bound"),
        };
        self.note_cut(cut);
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
pub fn key(trace: &ConfirmedTrace) -> Key {
    goals::key(trace.finding().property, trace.finding().sites.iter().map(|s| s.place))
}

fn replay(task: &Task, model: &mut Model, goal: &Goal) -> Result<ConfirmedTrace, ReplayError> {
    let guide = model.guide(goal.at);
    let mut answers = model.answers(goal.at);
    replay_guided(task.program, &guide, &mut answers, &goal.wanted)
}
