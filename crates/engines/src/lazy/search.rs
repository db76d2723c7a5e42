//! One search: the threads unrolled deeper and deeper in one solver, until there is an answer.
//!
//! At each depth everything that can go wrong so far is looked for, finding by finding; then what
//! the bounds of the automata cut off; then whether any thread gets further at all. If none does,
//! that was all: the answer is about every execution.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use raddle_analysis::Facts;
use raddle_automaton::{
    Automata, Automaton, Bounds as Names, CutKind, MOST_ARRIVALS, StateVar, ThreadIx, TooLarge,
    automata,
};
use raddle_interp::{ConfirmedTrace, ReplayError, replay_guided};
use raddle_ir::{Place, Property};
use raddle_term::{TermId, Terms};

use super::deadlocks::{Deadlocks, Question, observed};
use super::goals::{Goal, Goals, Key};
use super::recheck;
use super::roles::{Role, Roles};
use super::token::{Last, Pair, Token};
use super::unroll::{Ground, Run};
use super::witness::Model;
use crate::bounded::builtin::BuiltIn;
use crate::bounded::formula::{Answer, Formula, Lit, any_of};
use crate::{Budget, Cut, Limit, Mistake, Note, Progress, Reason, Task};

/// Most clauses.
const MOST_CLAUSES: u64 = 30_000_000;
/// Most steps of all threads: clocks count passes of the token.
const MOST_SLOTS: usize = 4000;

/// What a search came to.
pub enum End {
    /// Everything within the depth was looked at, and nobody gets further.
    Complete,
    /// Nobody looked further than this depth.
    Depth(u32),
    /// The time was up; the depth that was looked at before, if any.
    Time(Option<u32>),
    /// No answer.
    No(Reason),
    /// Names are missing: begin again with more.
    More(Vec<StateVar>, Option<Names>),
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The depth, if it is given.
    pub depth: Option<u32>,
    /// What has names.
    pub names: Names,
    /// Whether more can have names.
    pub extensible: bool,
    /// Arguments that are known to have several values.
    pub varying: Vec<StateVar>,
    /// Pairs that mutexes exclude are left out.
    pub mutexes: bool,
    /// One of equivalent executions is enough.
    pub representatives: bool,
}

/// What was found on the way.
#[derive(Default)]
pub struct Found {
    /// Violations, replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// What replays of others said.
    pub unconfirmed: Vec<String>,
    /// What bounds cut off.
    pub cuts: Vec<Cut>,
    /// What is not modelled.
    pub unsupported: Vec<Limit>,
    /// Undefined behaviour that some execution comes to.
    pub notes: Vec<Note>,
    /// Sizes.
    pub figures: Figures,
}

/// Sizes of a search.
#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs)]
pub struct Figures {
    pub depth: u64,
    pub threads: u64,
    pub states: u64,
    pub slots: u64,
    pub pairs: u64,
    pub variables: u64,
    pub clauses: u64,
    pub conflicts: u64,
}

/// Searches with the given names.
pub fn search(
    task: &Task,
    facts: &Facts,
    manner: &Manner,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> (End, Found) {
    let mut terms = Terms::new();
    let made = automata(task.program, facts, manner.names, &mut terms);
    let Automata { layout, mut vars, classes } = match made {
        Ok(made) => made,
        Err(TooLarge::NoEntry) => return (End::Complete, Found::default()),
        Err(TooLarge::Cells(count)) => {
            let reason = Reason::Large { clauses: count as u64, place: Place::UNKNOWN };
            return (End::No(reason), Found::default());
        }
    };
    let mut threads: Vec<Automaton> = Vec::new();
    for thread in layout.thread_ids() {
        let class = layout.threads[thread.index()].class;
        threads.push(classes[class.index()].of_thread(&mut terms, &mut vars, thread));
        if budget.is_over() {
            return (End::Time(None), Found::default());
        }
    }
    let deadlocks = task.program.checked.contains(Property::Deadlocks);
    let observed = if deadlocks { observed(&layout) } else { Vec::new() };
    let roles = Roles::new(&terms, &vars, &threads, layout.cells.len(), &observed);
    let mut ground = Ground {
        terms,
        vars: &mut vars,
        layout: &layout,
        roles,
        left: Default::default(),
        arbitrary: Default::default(),
        handed: Default::default(),
        settled: Default::default(),
        varying: manner.varying.clone(),
        facts: Vec::new(),
        locks: manner.mutexes.then_some(&facts.locks),
        representatives: manner.representatives,
    };
    let formula = BuiltIn::new(budget, task.settings.recheck);
    let last = deadlocks.then(|| Last::new(&mut ground));
    let mut token = Token::default();
    token.last = last;
    let mut search = Search {
        task,
        manner,
        budget,
        threads,
        ground,
        formula,
        runs: Vec::new(),
        token,
        goals: Goals::default(),
        deadlocks: Deadlocks::default(),
        failed: BTreeSet::new(),
        found: Found::default(),
    };
    let end = search.run(progress);
    search.note_figures();
    (end, search.found)
}

struct Search<'a> {
    task: &'a Task<'a>,
    manner: &'a Manner,
    budget: &'a Budget,
    /// The automata of all threads, begun or not.
    threads: Vec<Automaton>,
    ground: Ground<'a>,
    formula: BuiltIn,
    /// Threads that have begun, main first.
    runs: Vec<Run>,
    token: Token,
    goals: Goals,
    deadlocks: Deadlocks,
    /// Goals whose replay failed.
    failed: BTreeSet<usize>,
    found: Found,
}

/// What became of one depth.
enum Level {
    /// Nobody gets further.
    Complete,
    /// Somebody does.
    Deeper,
    /// The time is up.
    Time,
    /// The search ends.
    End(End),
}

impl Search<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(Progress)) -> End {
        let main = Run::new(&self.ground, ThreadIx(0), self.threads[0].clone());
        self.runs.push(main);
        let mut depth = self.manner.depth.unwrap_or(8);
        let mut reached = None;
        let begin = Instant::now();
        let mut first_found: Option<Duration> = None;
        loop {
            let known = self.ground.varying.len();
            if !self.unroll(depth) {
                return End::Time(reached);
            }
            if self.ground.varying.len() > known {
                return End::More(self.ground.varying.clone(), None);
            }
            self.note_figures();
            let f = self.found.figures;
            let text = format!(
                "depth {depth}: {} states, {} pairs, {} clauses",
                f.slots, f.pairs, f.clauses
            );
            progress(Progress::doing(text));
            if f.clauses > MOST_CLAUSES || f.slots > MOST_SLOTS as u64 {
                let place = self.task.program.function(self.ground.layout.entries[0]).place;
                return match reached {
                    Some(depth) => End::Depth(depth),
                    None => End::No(Reason::Large { clauses: f.clauses, place }),
                };
            }
            match self.level() {
                Level::Complete => return End::Complete,
                Level::Time => return End::Time(reached),
                Level::End(end) => return end,
                Level::Deeper => {}
            }
            reached = Some(depth);
            if self.is_enough() || self.manner.depth.is_some() {
                return End::Depth(depth);
            }
            if !self.found.findings.is_empty() {
                // What else there is is worth as much time as the first findings took.
                let first = *first_found.get_or_insert_with(|| begin.elapsed());
                if begin.elapsed() > 2 * first + Duration::from_secs(1) {
                    return End::Depth(depth);
                }
            }
            depth += depth.div_ceil(2);
        }
    }

    fn note_figures(&mut self) {
        let effort = self.formula.effort();
        self.found.figures = Figures {
            depth: self.runs.iter().map(|r| r.slots.len()).max().unwrap_or(0) as u64,
            threads: self.runs.len() as u64,
            states: self.threads.iter().map(|t| t.states.len() as u64).sum(),
            slots: self.runs.iter().map(|r| r.slots.len() as u64).sum(),
            pairs: self.token.pairs.len() as u64,
            variables: effort.variables,
            clauses: effort.clauses,
            conflicts: effort.conflicts,
        };
    }

    /// Unrolls all threads to a depth; false if the time is up.
    fn unroll(&mut self, depth: u32) -> bool {
        loop {
            let mut changed = false;
            for r in 0..self.runs.len() {
                while self.runs[r].slots.len() < depth as usize {
                    if self.budget.is_over() {
                        return false;
                    }
                    if !self.runs[r].advance(&mut self.ground) {
                        break;
                    }
                    changed = true;
                    self.take_up(r);
                }
            }
            for t in 0..self.threads.len() {
                let thread = ThreadIx(t as u32);
                if self.runs.iter().all(|run| run.thread != thread) && self.is_created(thread) {
                    let run = Run::new(&self.ground, thread, self.threads[t].clone());
                    self.runs.push(run);
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// Says what holds of a run's last slot.
    fn take_up(&mut self, r: usize) {
        let new = (r, self.runs[r].slots.len() - 1);
        for (cond, fact) in std::mem::take(&mut self.ground.facts) {
            let cond = self.formula.lit(&self.ground.terms, cond);
            self.formula.assert_implies(&self.ground.terms, &[cond], fact);
        }
        self.token.add(&mut self.ground, &mut self.formula, &self.runs, new);
        let races = self.task.program.checked.contains(Property::Races);
        self.goals.add(&mut self.ground, &self.runs, new, races);
        if let Some(last) = &self.token.last {
            let (ground, formula) = (&mut self.ground, &mut self.formula);
            let (goals, ends) = self.deadlocks.add(ground, formula, &self.runs, new, last);
            self.goals.goals.extend(goals);
            self.goals.ends.extend(ends);
        }
        for (cond, fact) in std::mem::take(&mut self.ground.facts) {
            let cond = self.formula.lit(&self.ground.terms, cond);
            self.formula.assert_implies(&self.ground.terms, &[cond], fact);
        }
    }

    /// Whether the slots so far may have created a thread.
    fn is_created(&self, thread: ThreadIx) -> bool {
        let threads = &self.ground.layout.threads;
        let Some((parent, ..)) = threads[thread.index()].origin else { return false };
        let Role::Passed(i) = self.ground.roles.of(threads[thread.index()].created) else {
            return false;
        };
        let parent = self.runs.iter().find(|run| run.thread == parent);
        let after = |run: &Run| {
            let values = run.slots.iter().filter_map(|s| s.after.get(i));
            values.into_iter().any(|v| !self.ground.terms.is_false(*v))
        };
        parent.is_some_and(after)
    }

    fn level(&mut self) -> Level {
        let depth = self.formula.new_lit();
        self.token.close(&self.ground, &mut self.formula, &self.runs, depth);
        if !self.look_for_findings(depth) || !self.look_for_deadlocks(depth) {
            return Level::Time;
        }
        if self.is_enough() {
            return Level::Deeper;
        }
        if let Some(level) = self.look_for_ends(depth) {
            return level;
        }
        let ahead: Vec<TermId> =
            self.runs.iter().flat_map(|run| run.frontier.iter().map(|a| a.at)).collect();
        let ahead = self.ground.terms.or_all(&ahead);
        let level = match self.ask(depth, &[ahead]) {
            Some(Answer::Interrupted) => Level::Time,
            Some(Answer::Satisfiable) => Level::Deeper,
            Some(Answer::Unsatisfiable) | None => Level::Complete,
        };
        if let Level::Complete | Level::Deeper = level {
            self.note_undefined(depth);
        }
        level
    }

    /// Whether one of these can hold; `None` if certainly not.
    fn ask(&mut self, depth: Lit, any: &[TermId]) -> Option<Answer> {
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

    /// Looks for all findings; false if the time is up.
    fn look_for_findings(&mut self, depth: Lit) -> bool {
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
            match replay(self.task, &mut model, &goal) {
                Ok(trace) => {
                    let key = key(&trace);
                    if key != goal.key {
                        // Another violation comes first; this one may show in another execution.
                        self.failed.insert(shown);
                    }
                    if self.goals.closed.insert(key) {
                        self.found.findings.push(trace);
                    }
                }
                Err(error) => {
                    self.failed.insert(shown);
                    self.found.unconfirmed.push(error.to_string());
                }
            }
            if self.is_enough() {
                return true;
            }
        }
    }

    /// Looks for all deadlocks; false if the time is up.
    fn look_for_deadlocks(&mut self, depth: Lit) -> bool {
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
        match replay_guided(self.task.program, &guide, &mut model.answers(), &wanted) {
            Ok(trace) => {
                let property = trace.finding().property;
                if property != Property::Deadlocks {
                    let why = format!("the replay of a deadlock violates {property}");
                    self.found.unconfirmed.push(why);
                }
                // One set of lines may be a local deadlock and a global one.
                let key = trace.finding().key(self.task.program);
                let known = |t: &ConfirmedTrace| t.finding().key(self.task.program) == key;
                if !self.found.findings.iter().any(known) {
                    self.found.findings.push(trace);
                }
            }
            Err(error) => self.found.unconfirmed.push(error.to_string()),
        }
    }

    /// Whether what was found is enough.
    fn is_enough(&self) -> bool {
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
        recheck::check(&mut model, &self.runs, &passes)
    }

    /// Looks for what the automata cut off.
    fn look_for_ends(&mut self, depth: Lit) -> Option<Level> {
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
                let limit = Limit::Unsupported { what, place };
                if !self.found.unsupported.contains(&limit) {
                    self.found.unsupported.push(limit);
                }
                return None;
            }
            CutKind::Recursion => Cut::Recursion { place, bound: names.recursion },
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

    fn note_cut(&mut self, cut: Cut) {
        if !self.found.cuts.contains(&cut) {
            self.found.cuts.push(cut);
        }
    }

    /// Where executions end in undefined behaviour, one place for each property.
    fn note_undefined(&mut self, depth: Lit) {
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

/// What findings are the same as this one.
fn key(trace: &ConfirmedTrace) -> Key {
    let mut places: Vec<Place> = trace.finding().sites.iter().map(|s| s.place).collect();
    places.sort_unstable();
    (trace.finding().property, places)
}

fn replay(task: &Task, model: &mut Model, goal: &Goal) -> Result<ConfirmedTrace, ReplayError> {
    let guide = model.guide(goal.at);
    let mut answers = model.answers();
    replay_guided(task.program, &guide, &mut answers, &goal.wanted)
}

impl Found {
    /// The mistakes that replays showed.
    pub fn mistake(&self) -> Option<Mistake> {
        (!self.unconfirmed.is_empty()).then(|| Mistake::Unreplayed(self.unconfirmed.clone()))
    }
}
