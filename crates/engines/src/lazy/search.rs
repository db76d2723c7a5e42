//! One search: the threads unrolled deeper and deeper in one solver, until there is an answer.
//!
//! At each depth everything that can go wrong so far is looked for, finding by finding; then what
//! the bounds of the automata cut off; then whether any thread gets further at all. If none does,
//! that was all: the answer is about every execution.
//! Once something was found, a depth need not be refuted before the next one is looked at: to find
//! more is often easier there. The bound of the answer is a depth at which all was refuted, and at a
//! later depth all earlier ones are looked at again. What cannot be unrolled further is refuted with
//! twice the patience each time.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use raddle_analysis::Facts;
use raddle_automaton::{
    Automata, Automaton, Bounds as Names, StateVar, ThreadIx, TooLarge, automata, balanced,
    cell_bits, lives,
};
use raddle_interp::ConfirmedTrace;
use raddle_ir::Property;
use raddle_term::{TermId, Terms};

use super::deadlocks::Deadlocks;
use super::eager::Eager;
use super::goals::Goals;
use super::look::{self, Looked};
use super::outcome;
use super::roles::{Role, Roles};
use super::token::{At, Last, Token};
use super::unroll::{Ground, Run};
use crate::bounded::builtin::BuiltIn;
use crate::bounded::formula::{Answer, Formula};
use crate::{Budget, Cut, Large, Limit, Mistake, Note, Progress, Reason, Task};

/// The first depth.
const FIRST: u32 = 8;
/// Most clauses.
const MOST_CLAUSES: u64 = 30_000_000;
/// With so many, it is better to insist than to make them more.
const LARGE: u64 = 3_000_000;
/// A depth is looked at before it has more clauses than this, and [`GROWTH`] times those before it.
const MUCH: u64 = 300_000;
/// How much larger a formula may become from one depth that is looked at to the next.
const GROWTH: u64 = 4;
/// Most steps of all threads.
const MOST_SLOTS: usize = 4000;
/// The part of the time that more findings are worth.
const SHARE: u32 = 4;

/// What a search came to.
pub enum End {
    /// Everything within the depth was looked at, and nobody gets further.
    Complete,
    /// Nobody looked further than this depth.
    Depth(u32),
    /// The time was up.
    Time,
    /// Something is not modelled, or too large.
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
    /// Arguments that are known to have several values.
    pub varying: Vec<StateVar>,
    /// Pairs that mutexes exclude are left out.
    pub mutexes: bool,
    /// One of equivalent executions is enough.
    pub representatives: bool,
    /// States that control does not reach are left out.
    pub reachability: bool,
    /// States of single copies are kept apart by callers.
    pub by_caller: bool,
    /// Paths have equal length.
    pub balanced: bool,
    /// All threads are unrolled together.
    pub eager: bool,
}

/// What was found on the way.
#[derive(Clone, Default)]
pub struct Found {
    /// Violations, replayed.
    pub findings: Vec<ConfirmedTrace>,
    /// Those of searches before it, with fewer names.
    pub earlier: Vec<ConfirmedTrace>,
    /// What replays of others said.
    pub unconfirmed: Vec<String>,
    /// What bounds cut off.
    pub cuts: Vec<Cut>,
    /// How far everything was refuted, also by searches before it.
    pub settled: Option<Settled>,
    /// What is not modelled.
    pub unsupported: Vec<Limit>,
    /// Undefined behaviour that some execution comes to.
    pub notes: Vec<Note>,
    /// Sizes.
    pub figures: Figures,
}

/// A depth at which everything was looked at. That holds whatever has names in later searches: no
/// execution of this depth came to where names were missing.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The depth.
    pub depth: u32,
    /// What was cut off nevertheless.
    pub cuts: Vec<Cut>,
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

/// Searches with the given names; what was found and settled with fewer is known.
pub fn search(
    task: &Task,
    facts: &Facts,
    manner: &Manner,
    budget: &Budget,
    before: Found,
    progress: &mut dyn FnMut(Progress),
) -> (End, Found) {
    progress(Progress::doing("automata", None));
    let run = |mut search: Search| {
        search.found = before.clone();
        search.goals.closed = before.earlier.iter().map(look::key).collect();
        let end = search.run(progress);
        search.note_figures();
        (end, search.found)
    };
    prepared(task, facts, manner, budget, run).unwrap_or_else(|end| (end, before.clone()))
}

/// Makes the automata of all threads; an end if there are none.
fn make(
    task: &Task,
    facts: &Facts,
    manner: &Manner,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Automata, End> {
    let is_over = || budget.is_over();
    automata(task.program, facts, manner.names, terms, &is_over).map_err(|large| match large {
        TooLarge::NoEntry => End::Complete,
        TooLarge::Stopped => End::Time,
        TooLarge::Cells { count, place } => {
            End::No(Reason::Large { what: Large::Cells(count as u64), place })
        }
        TooLarge::Terms { count, place } => {
            End::No(Reason::Large { what: Large::Terms(count as u64), place })
        }
    })
}

/// Does something with a search that is about to begin.
pub fn prepared<R>(
    task: &Task,
    facts: &Facts,
    manner: &Manner,
    budget: &Budget,
    then: impl FnOnce(Search) -> R,
) -> Result<R, End> {
    let mut terms = Terms::new();
    let Automata { layout, mut vars, classes, .. } = make(task, facts, manner, &mut terms, budget)?;
    let mut threads: Vec<Automaton> = Vec::new();
    for thread in layout.thread_ids() {
        let class = layout.threads[thread.index()].class;
        let mut automaton = classes[class.index()].of_thread(&mut terms, &mut vars, thread);
        if manner.balanced {
            automaton = balanced(&automaton, terms.tru()).unwrap_or(automaton);
        }
        threads.push(automaton);
        if budget.is_over() {
            return Err(End::Time);
        }
    }
    let deadlocks = task.program.checked.contains(Property::Deadlocks);
    let observed = if deadlocks { lives(&layout) } else { Vec::new() };
    let mut roles = Roles::new(&terms, &vars, &threads, layout.cells.len(), &observed);
    roles.group(&layout);
    let bits = cell_bits(&terms, &vars, &threads, &layout);
    let mut ground = Ground {
        terms,
        vars: &mut vars,
        layout: &layout,
        roles,
        bits,
        left: Default::default(),
        arbitrary: Default::default(),
        handed: Default::default(),
        settled: Default::default(),
        varying: manner.varying.clone(),
        facts: Vec::new(),
        locks: manner.mutexes.then_some(&facts.locks),
        load: Default::default(),
        representatives: manner.representatives,
        by_caller: manner.by_caller,
        reachability: manner.reachability,
        eager: manner.eager,
    };
    let formula = BuiltIn::preferring_false(budget, task.settings.recheck);
    let last = (deadlocks && !manner.eager).then(|| Last::new(&mut ground));
    let mut token = Token::default();
    token.last = last;
    Ok(then(Search {
        task,
        manner,
        budget,
        threads,
        ground,
        formula,
        runs: Vec::new(),
        token,
        goals: Goals::default(),
        eager: Eager::default(),
        deadlocks: Deadlocks::default(),
        failed: BTreeSet::new(),
        lost_in_vain: 0,
        insistence: 1,
        depth: 0,
        found: Found::default(),
    }))
}

/// A search under way.
pub struct Search<'a> {
    pub task: &'a Task<'a>,
    pub manner: &'a Manner,
    pub budget: &'a Budget,
    /// The automata of all threads, begun or not.
    pub threads: Vec<Automaton>,
    pub ground: Ground<'a>,
    pub formula: BuiltIn,
    /// Threads that have begun, main first.
    pub runs: Vec<Run>,
    pub token: Token,
    pub goals: Goals,
    /// All threads together, if that is how they are unrolled.
    pub eager: Eager,
    pub deadlocks: Deadlocks,
    /// Goals whose replay failed.
    pub failed: BTreeSet<usize>,
    /// Executions in which nothing of what is left is lost.
    pub lost_in_vain: u32,
    /// How much longer than usual a question may take.
    pub insistence: u32,
    /// How far all threads are unrolled.
    depth: u32,
    pub found: Found,
}

/// What became of one depth.
pub enum Level {
    /// Nobody gets further.
    Complete,
    /// Somebody does, or nobody needs to know.
    Deeper,
    /// Not everything was looked at.
    Looked(Looked),
    /// The search ends.
    End(End),
}

impl Search<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(Progress)) -> End {
        self.begin();
        let mut depth = self.at_most(FIRST);
        let begin = Instant::now();
        let until = |end: Instant| end.saturating_duration_since(begin);
        let all = self.budget.deadline.map_or(Duration::ZERO, until);
        // How many findings there were, and since when.
        let mut latest = (0, Duration::ZERO);
        loop {
            let known = self.ground.varying.len();
            progress(Progress::doing("unrolling", Some(("depth", u64::from(depth)))));
            depth = match self.deepen(depth) {
                Some(reached) => reached,
                None => return End::Time,
            };
            if self.ground.varying.len() > known {
                return End::More(self.ground.varying.clone(), None);
            }
            self.note_figures();
            let f = self.found.figures;
            let bound = Some(("depth", u64::from(depth)));
            let size = format!(
                "{} states, {} steps, {} pairs, {} clauses",
                f.states, f.slots, f.pairs, f.clauses
            );
            progress(Progress::doing("solving", bound).of_size(size));
            if f.clauses > MOST_CLAUSES || f.slots > MOST_SLOTS as u64 {
                let place = self.ground.layout.entry_place(self.task.program);
                return End::No(Reason::Large { what: Large::Clauses(f.clauses), place });
            }
            let wholly = match self.level(progress) {
                Level::Complete => return End::Complete,
                Level::End(end) => return end,
                Level::Looked(Looked::Late) => return End::Time,
                Level::Looked(Looked::InPart) => false,
                Level::Looked(Looked::Wholly) | Level::Deeper => true,
            };
            if wholly {
                self.settle(depth);
            }
            self.tell(progress);
            if self.is_enough() || wholly && self.manner.depth.is_some_and(|most| depth >= most) {
                return End::Depth(depth);
            }
            let count = self.found.findings.len();
            if count > latest.0 {
                latest = (count, begin.elapsed());
            }
            // What else there is is worth as much time as what there is took, and a part of all.
            let late = begin.elapsed() > 2 * latest.1 + Duration::from_secs(1) + all / SHARE;
            if count > 0 && late && self.manner.depth.is_none() {
                return if wholly { End::Depth(depth) } else { End::Time };
            }
            if wholly || self.manner.depth.is_none() && self.can_go_deeper() {
                depth = self.at_most(depth.saturating_add(depth.div_ceil(2).max(1)));
                self.insistence = 1;
            } else {
                self.insistence = self.insistence.saturating_mul(2);
            }
        }
    }

    /// A depth, or the one that the user wants.
    fn at_most(&self, depth: u32) -> u32 {
        self.manner.depth.map_or(depth, |most| depth.min(most))
    }

    /// Whether some thread has a next step at all.
    fn can_go_deeper(&self) -> bool {
        let small = self.found.figures.clauses < LARGE;
        small && (self.manner.eager || self.runs.iter().any(|run| !run.frontier.is_empty()))
    }

    /// Notes that everything at a depth was looked at.
    fn settle(&mut self, depth: u32) {
        if self.found.settled.as_ref().is_none_or(|known| known.depth <= depth) {
            self.found.settled = Some(Settled { depth, cuts: self.found.cuts.clone() });
        }
    }

    /// Says what the answer would be if the time were up now.
    pub fn tell(&self, progress: &mut dyn FnMut(Progress)) {
        let Found { findings, earlier, settled, .. } = &self.found;
        if settled.is_none() && findings.is_empty() && earlier.is_empty() {
            return;
        }
        let bound = Some(("depth", self.found.figures.depth));
        let outcome = outcome(self.task, End::Time, self.found.clone(), self.manner.eager);
        let so_far = Some(outcome);
        progress(Progress { so_far, ..Progress::doing("solving", bound) });
    }

    /// Takes up main.
    pub fn begin(&mut self) {
        debug_assert!(self.runs.is_empty(), "a search begins once");
        let main = Run::new(&self.ground, ThreadIx(0), self.threads[0].clone());
        self.runs.push(main);
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

    /// Unrolls all threads to a depth, or to a smaller one if the formula grows much on the way: the
    /// depth, unless the time is up.
    fn deepen(&mut self, depth: u32) -> Option<u32> {
        let most = MUCH.max(GROWTH * self.formula.effort().clauses);
        while self.depth < depth {
            let known = self.extent();
            if !self.unroll(self.depth + 1) {
                return None;
            }
            // Nobody goes further, so that any depth is reached.
            self.depth = if self.extent() == known { depth } else { self.depth + 1 };
            if self.formula.effort().clauses > most && self.depth > 1 {
                break;
            }
        }
        Some(self.depth)
    }

    /// How far threads are unrolled, alone and together.
    fn extent(&self) -> (usize, usize, u32) {
        let slots = self.runs.iter().map(|run| run.slots.len()).sum();
        (self.runs.len(), slots, self.eager.time)
    }

    /// Unrolls all threads to a depth; false if the time is up.
    pub fn unroll(&mut self, depth: u32) -> bool {
        if self.manner.eager {
            return self.unroll_together(depth);
        }
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
            if !self.begin_threads() && !changed {
                return true;
            }
        }
    }

    /// The same with one thread at a time.
    fn unroll_together(&mut self, depth: u32) -> bool {
        while self.runs[0].slots.len().max(self.eager.time as usize) < depth as usize {
            if self.budget.is_over() {
                return false;
            }
            let known: Vec<usize> = self.runs.iter().map(|run| run.slots.len()).collect();
            if !self.eager.advance(&mut self.ground, &mut self.runs) {
                return true;
            }
            for (r, known) in known.into_iter().enumerate() {
                if self.runs[r].slots.len() > known {
                    self.take_up(r);
                }
            }
            self.begin_threads();
        }
        true
    }

    /// Takes up threads that may have been created; false if there are none.
    fn begin_threads(&mut self) -> bool {
        let known = self.runs.len();
        for t in 0..self.threads.len() {
            let thread = ThreadIx(t as u32);
            if self.runs.iter().all(|run| run.thread != thread) && self.is_created(thread) {
                let run = Run::new(&self.ground, thread, self.threads[t].clone());
                self.runs.push(run);
            }
        }
        self.runs.len() > known
    }

    /// Says what holds of a run's last slot.
    fn take_up(&mut self, r: usize) {
        let new = (r, self.runs[r].slots.len() - 1);
        for (cond, fact) in std::mem::take(&mut self.ground.facts) {
            let cond = self.formula.lit(&self.ground.terms, cond);
            self.formula.assert_implies(&self.ground.terms, &[cond], fact);
        }
        if !self.manner.eager {
            self.token.add(&mut self.ground, &mut self.formula, &self.runs, new);
        }
        let races = self.task.program.checked.contains(Property::Races);
        self.goals.add(&mut self.ground, &self.runs, new, races);
        if self.manner.eager {
            // Where threads wait together is asked at each depth anew (`look.rs`).
            if self.runs[r].is_alone() && self.looks_for_deadlocks() {
                let tru = self.formula.tru();
                self.add_waits(new, &Last::at(tru, Vec::new()));
            }
        } else if let Some(last) = self.token.last.take() {
            self.add_waits(new, &last);
            self.token.last = Some(last);
        }
        for (cond, fact) in std::mem::take(&mut self.ground.facts) {
            let cond = self.formula.lit(&self.ground.terms, cond);
            self.formula.assert_implies(&self.ground.terms, &[cond], fact);
        }
    }

    /// Adds where a thread may wait in a slot.
    pub fn add_waits(&mut self, new: At, last: &Last) {
        let (ground, formula) = (&mut self.ground, &mut self.formula);
        let (goals, ends) = self.deadlocks.add(ground, formula, &self.runs, new, last);
        self.goals.goals.extend(goals);
        self.goals.ends.extend(ends);
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

    fn level(&mut self, progress: &mut dyn FnMut(Progress)) -> Level {
        let depth = self.formula.new_lit();
        self.token.close(&self.ground, &mut self.formula, &self.runs, depth);
        let mut tell = |search: &Search| search.tell(progress);
        let mut looked = self.look_for_findings(depth, &mut tell);
        if looked != Looked::Late {
            looked = looked.and(self.look_for_deadlocks(depth));
        }
        if looked == Looked::Late {
            return Level::Looked(looked);
        }
        if self.is_enough() {
            return Level::Deeper;
        }
        self.set_patience();
        if let Some(level) = self.look_for_ends(depth) {
            return level;
        }
        if looked == Looked::InPart {
            return Level::Looked(looked);
        }
        let ahead: Vec<TermId> = match self.eager.active {
            Some(active) => vec![active],
            None => self.runs.iter().flat_map(|run| run.frontier.iter().map(|a| a.at)).collect(),
        };
        let ahead = self.ground.terms.or_all(&ahead);
        let level = match self.ask(depth, &[ahead]) {
            // Whether or not somebody gets further: what is here was looked at.
            Some(Answer::Interrupted) if !self.budget.is_over() => Level::Deeper,
            Some(Answer::Interrupted) => Level::Looked(Looked::Late),
            Some(Answer::Satisfiable) => Level::Deeper,
            Some(Answer::Unsatisfiable) | None => Level::Complete,
        };
        if let Level::Complete | Level::Deeper = level {
            self.note_undefined(depth);
        }
        level
    }
}

impl Found {
    /// The mistakes that replays showed.
    pub fn mistake(&self) -> Option<Mistake> {
        (!self.unconfirmed.is_empty()).then(|| Mistake::Unreplayed(self.unconfirmed.clone()))
    }
}
