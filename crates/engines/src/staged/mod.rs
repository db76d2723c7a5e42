//! The staged engine (paper 004): summarise each thread, compose the summaries by
//! sequential-consistency axioms, solve with an order theory.
//!
//! Reading order: this file (deepening of bounds and verdicts), `cells.rs` (locations), `before.rs` (fixed
//! order), `compose.rs` (the encoding), `violations.rs`, `races.rs`, `deadlocks.rs`, `contexts.rs` (what else is encoded), `backend.rs` (what
//! the encoding is written for) with `builtin.rs` and `smtlib.rs`, `witness.rs` (from a model to an execution to replay).
//!
//! For each bound: is there a violation? If so it is replayed. If not, can an execution reach a place where a
//! bound cut something off? If not, the program is safe; otherwise the bound grows.

pub mod backend;
pub mod before;
pub mod builtin;
pub mod cells;
pub mod compose;
pub mod contexts;
pub mod deadlocks;
pub mod implication;
pub mod initial;
pub mod races;
pub mod scene;
pub mod sections;
pub mod smtlib;
pub mod solver;
pub mod stages;
pub mod symmetry;
pub mod violations;
pub mod witness;

use std::collections::BTreeSet;

use raddle_interp::ConfirmedTrace;
use raddle_ir::{Place, Program, Property};
use raddle_sat::{Answer, Lit};
use raddle_summary::{CutKind, Knowledge, Limits, Skeleton, Summary, summarise};
use raddle_term::Terms;

use crate::outcome::further_findings;
use crate::{
    Bounds, Budget, Cut, Engine, Ground, Limit, Mistake, Note, Outcome, Progress, Reason, Settings,
    Statistic, Task, Verdict,
};
use backend::{Backend, any_of};
use builtin::BuiltIn;
use compose::{Composition, Pruning, Pseudo, compose, pseudo_thread};
use contexts::Contexts;
use races::Races;
use scene::Scene;
use smtlib::Smt;
use solver::Dialogue;
use stages::{Stage, Stages};

/// The optimisations that can be switched off, with what they do.
pub const SWITCHES: &[(&str, &str)] = &[
    ("mhp", "no reads-from against the order of creation and join"),
    ("kill", "no reads-from over a write that always comes in between"),
    ("value", "no reads-from between values that never agree"),
    ("locksets", "no reads-from that critical sections of one mutex rule out"),
    ("summaries", "functions that only compute are executed once, not at each call"),
    ("symmetry", "copies of a thread begin in the order of their creation"),
];

/// The properties that this engine decides.
pub const SUPPORTED: &[Property] = &[
    Property::Unreach,
    Property::Assertions,
    Property::Races,
    Property::Deadlocks,
    Property::Memory,
    Property::Leaks,
    Property::Overflow,
    Property::Locks,
    Property::LostMemory,
];

/// The staged engine.
#[derive(Default)]
pub struct Staged {
    statistics: Figures,
    /// Mistakes in raddle that do not matter for the verdict, because there are other findings.
    notes: Vec<Note>,
    stages: Stages,
}

/// Figures of the last bound.
#[derive(Default)]
struct Figures {
    unwind: u32,
    threads: usize,
    events: usize,
    pieces: usize,
    reads_from: usize,
    clauses: u64,
    variables: u64,
    conflicts: u64,
}

/// What one bound gave.
enum Level {
    /// Violations, replayed, and why there may be more.
    Found(Vec<ConfirmedTrace>, Vec<Limit>),
    /// No violation and nothing cut off.
    Safe,
    /// No violation, but these cuts can be reached.
    Cut(Vec<(CutKind, Place)>),
    /// Out of time.
    Time,
    /// An SMT solver cannot be used.
    Solver(String),
    /// A mistake in raddle.
    Internal(Mistake),
}

impl Engine for Staged {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        self.stages = Stages::new(task.settings.resident);
        let mut knowledge = Knowledge::new(task.program);
        let mut last_cuts: Option<(u32, Vec<(CutKind, Place)>)> = None;
        let mut unwind = task.settings.unwind.unwrap_or(1);
        let mut free = if task.settings.unwind.is_some() { MOST_FREE } else { FIRST_FREE };
        let verdict = loop {
            let summaries = !task.settings.without.iter().any(|w| w == "summaries");
            let limits =
                Limits { unwind, free, summaries, deadline: budget.deadline, ..Limits::default() };
            match self.level(task, &mut knowledge, &limits, progress) {
                Level::Found(findings, limits) => {
                    if !task.settings.first_only {
                        self.notes.extend(further_findings(task.program, &findings, limits));
                    }
                    return self.outcome(Verdict::Unsafe, findings);
                }
                Level::Safe => break Verdict::Safe(Ground::Unrolling { bound: unwind }),
                Level::Solver(what) => break Verdict::Unknown(Reason::Solver(what)),
                Level::Internal(what) => break Verdict::Unknown(Reason::Internal(what)),
                Level::Time => break out_of_time(last_cuts),
                Level::Cut(cuts) => {
                    let only_unsupported =
                        cuts.iter().all(|c| matches!(c.0, CutKind::Unsupported(_)));
                    if task.settings.unwind.is_some() || only_unsupported || unwind > DEEPEST {
                        break bounded(unwind, &cuts);
                    }
                    last_cuts = Some((unwind, cuts));
                    unwind = next_bound(unwind);
                    free = free.saturating_mul(4).min(MOST_FREE);
                }
            }
            if budget.is_over() {
                break out_of_time(last_cuts);
            }
        };
        self.outcome(within_contexts(task, verdict), Vec::new())
    }
}

/// With a bound on context switches nothing is proved without it.
fn within_contexts(task: &Task, verdict: Verdict) -> Verdict {
    let Some(most) = task.settings.contexts else { return verdict };
    let mut cuts = match verdict {
        Verdict::Safe(_) => Vec::new(),
        Verdict::Bounded(bounds) => bounds.cuts,
        Verdict::Unsafe | Verdict::Unknown(_) => return verdict,
    };
    cuts.push(Cut::Contexts { bound: most });
    Verdict::Bounded(Bounds::new(cuts))
}

/// Deeper than this nothing new is to be expected.
const DEEPEST: u32 = 100_000;

/// Iterations of loops with a known end at the first bound, and at most: long loops are first looked into.
const FIRST_FREE: u32 = 8;
const MOST_FREE: u32 = 100_000;

/// Bounds grow by half: small enough steps to find shallow bugs cheaply, large enough to get deep.
fn next_bound(bound: u32) -> u32 {
    bound.saturating_add(bound.div_ceil(2))
}

/// The verdict for a program in which nothing was found but something was cut off.
fn bounded(unwind: u32, cuts: &[(CutKind, Place)]) -> Verdict {
    let mut bounds = Vec::new();
    for cut in cuts {
        match limit(unwind, cut) {
            Limit::Unsupported { what, place } => {
                return Verdict::Unknown(Reason::Unsupported { what, place });
            }
            Limit::Cut(cut) => bounds.push(cut),
        }
    }
    Verdict::Bounded(Bounds::new(bounds))
}

fn out_of_time(last: Option<(u32, Vec<(CutKind, Place)>)>) -> Verdict {
    match last {
        Some((unwind, cuts)) => bounded(unwind, &cuts),
        None => Verdict::Unknown(Reason::Time),
    }
}

/// What a summary to a bound left out, as engines say it.
fn limit(bound: u32, (kind, place): &(CutKind, Place)) -> Limit {
    let place = *place;
    Limit::Cut(match kind {
        CutKind::Loop => Cut::Loop { place, bound },
        CutKind::Recursion => Cut::Recursion { place, bound },
        CutKind::Threads => Cut::Threads { place, bound },
        CutKind::Object => Cut::Object { place },
        CutKind::Unsupported(what) => return Limit::Unsupported { what: what.clone(), place },
    })
}

impl Staged {
    fn outcome(&self, verdict: Verdict, findings: Vec<ConfirmedTrace>) -> Outcome {
        let f = &self.statistics;
        let statistics = [
            ("unwinding", u64::from(f.unwind)),
            ("threads", f.threads as u64),
            ("events", f.events as u64),
            ("pieces", f.pieces as u64),
            ("reads-from pairs", f.reads_from as u64),
            ("variables", f.variables),
            ("clauses", f.clauses),
            ("conflicts", f.conflicts),
        ];
        let statistics = statistics.map(|(name, value)| Statistic { name, value }).to_vec();
        let (stages, notes) = (self.stages.figures(), self.notes.clone());
        Outcome { verdict, findings, statistics, stages, notes }
    }

    /// Decides one bound.
    fn level(
        &mut self,
        task: &Task,
        knowledge: &mut Knowledge,
        limits: &Limits,
        progress: &mut dyn FnMut(Progress),
    ) -> Level {
        let unwind = limits.unwind;
        progress(Progress { text: format!("unwinding {unwind}: summarising threads") });
        let summary =
            self.stages.measure(Stage::Summary, || summarise(task.program, knowledge, limits));
        let Some(Summary { skeleton, mut terms }) = summary else { return Level::Time };
        let scene = Scene { program: task.program, knowledge, skeleton: &skeleton };
        self.statistics.unwind = unwind;
        self.statistics.threads = skeleton.threads.len();
        self.statistics.events = skeleton.events.len();
        let races = task.program.checked.contains(Property::Races) && skeleton.threads.len() > 1;
        if skeleton.violations.is_empty()
            && skeleton.cuts.is_empty()
            && !races
            && skeleton.waits.is_empty()
        {
            return Level::Safe;
        }
        let dialogue = match &task.settings.solver {
            Some(solver) => match Dialogue::start(solver, limits.deadline) {
                Ok(dialogue) => Some((solver.clocks, dialogue)),
                Err(what) => return Level::Solver(what),
            },
            None => None,
        };
        let switches = switches(task.settings, &skeleton);
        let units = compose::units(&skeleton, switches.map_or(0, |n| n + 1));
        let backend: Box<dyn Backend> = match dialogue {
            Some((clocks, dialogue)) => Box::new(Smt::new(units, clocks, dialogue)),
            None => Box::new(BuiltIn::new(&units, limits.deadline)),
        };
        let encoded = self.stages.measure(Stage::Composition, || {
            encode(task, scene, &mut terms, backend, limits.deadline)
        });
        let Some(mut encoding) = encoded else { return Level::Time };
        self.note_sizes(&encoding.composition);
        progress(Progress {
            text: format!(
                "unwinding {unwind}: {} events, {} clauses",
                self.statistics.events, self.statistics.clauses
            ),
        });
        let mut stages = std::mem::take(&mut self.stages);
        let level =
            stages.measure(Stage::Solving, || self.queries(task, scene, &mut terms, &mut encoding));
        self.stages = stages;
        self.note_sizes(&encoding.composition);
        match encoding.composition.backend.failure() {
            Some(what) if matches!(level, Level::Time) => Level::Solver(what.into()),
            Some(_) | None => level,
        }
    }

    fn note_sizes(&mut self, composition: &Composition) {
        let effort = composition.backend.effort();
        self.statistics.pieces = composition.sizes.pieces;
        self.statistics.reads_from = composition.sizes.reads_from;
        self.statistics.clauses = effort.clauses;
        self.statistics.variables = effort.variables;
        self.statistics.conflicts = effort.conflicts;
    }

    fn queries(
        &mut self,
        task: &Task,
        scene: Scene,
        terms: &mut Terms,
        encoding: &mut Encoding,
    ) -> Level {
        let Encoding { composition, violations, groups, deadlocks, cuts } = encoding;
        let groups = std::mem::take(groups);
        let first_only = task.settings.first_only;
        let goals = std::mem::take(violations);
        let violations = violations::find(scene, terms, composition, goals, first_only);
        let violations = match violations {
            Ok(v) if v.out_of_time && v.found.is_empty() => return Level::Time,
            Ok(violations) => violations,
            Err(what) => return Level::Internal(Mistake::Model(what)),
        };
        let mut late = violations.out_of_time;
        let (mut found, mut unconfirmed) = (violations.found, violations.unconfirmed);
        if !first_only || found.is_empty() {
            let search = races::Search { first_only, bounded: task.settings.contexts.is_some() };
            match races::find(scene, terms, composition, groups, search) {
                Ok(Races::All { found: races, unconfirmed: others }) => {
                    found.extend(races);
                    unconfirmed.extend(others);
                }
                Ok(Races::Time(races)) => {
                    found.extend(races);
                    if found.is_empty() {
                        return Level::Time;
                    }
                    late = true;
                }
                Err(what) => return Level::Internal(Mistake::Model(what)),
            }
        }
        if found.is_empty() && !unconfirmed.is_empty() {
            return Level::Internal(Mistake::Unreplayed(unconfirmed));
        }
        if let Some(deadlocks) = deadlocks.take()
            && (!first_only || found.is_empty())
        {
            let search = deadlocks::find(scene, terms, composition, deadlocks, first_only);
            found.extend(search.found);
            unconfirmed.extend(search.unconfirmed);
            if found.is_empty() && !unconfirmed.is_empty() {
                return Level::Internal(Mistake::Unreplayed(unconfirmed));
            }
            if found.is_empty() && search.out_of_time {
                return Level::Time;
            }
            late |= search.out_of_time;
        }
        if !unconfirmed.is_empty() {
            self.notes.push(Note::Mistake(Mistake::Unreplayed(unconfirmed)));
        }
        if !found.is_empty() {
            let cuts = scene.skeleton.cuts.iter().map(|c| (c.kind.clone(), c.place));
            let limits = cuts.chain(violations.open).map(|c| limit(self.statistics.unwind, &c));
            let limits = limits.chain(late.then_some(Limit::Cut(Cut::Time)));
            return Level::Found(distinct(task.program, found), once(limits));
        }
        match reachable_cuts(scene.skeleton, composition, cuts) {
            None => Level::Time,
            Some(mut cuts) => {
                cuts.extend(violations.open);
                if cuts.is_empty() { Level::Safe } else { Level::Cut(cuts) }
            }
        }
    }
}

/// The same, each mentioned once.
fn once(limits: impl Iterator<Item = Limit>) -> Vec<Limit> {
    let mut all: Vec<Limit> = Vec::new();
    for limit in limits {
        if !all.contains(&limit) {
            all.push(limit);
        }
    }
    all
}

/// A skeleton as a formula, with a literal for each thing that can be asked.
pub struct Encoding {
    /// The formula.
    pub composition: Composition,
    /// For each violation.
    pub violations: Vec<Lit>,
    /// Pairs of accesses that may race.
    pub groups: Vec<races::Group>,
    /// Deadlocks, if they are looked for.
    pub deadlocks: Option<deadlocks::Deadlocks>,
    /// For each cut.
    pub cuts: Vec<Lit>,
}

/// Encodes everything that is asked about a skeleton; `None` if the time is up.
pub fn encode(
    task: &Task,
    scene: Scene,
    terms: &mut Terms,
    backend: Box<dyn Backend>,
    deadline: Option<std::time::Instant>,
) -> Option<Encoding> {
    let skeleton = scene.skeleton;
    let off = |name: &str| task.settings.without.iter().any(|w| w == name);
    let pruning = Pruning {
        mhp: !off("mhp"),
        kill: !off("kill"),
        value: !off("value"),
        locksets: !off("locksets"),
        // Which copy begins first may decide how often the running thread changes.
        symmetry: !off("symmetry") && task.settings.contexts.is_none(),
    };
    let mut composition = compose(scene, terms, pruning, backend, deadline)?;
    let backend = composition.backend.as_mut();
    let contexts = switches(task.settings, skeleton).map(|most| {
        contexts::encode(skeleton, backend, pseudo_thread(skeleton, Pseudo::Contexts), most)
    });
    let contexts = contexts.as_ref();
    let violations = skeleton.violations.iter();
    let violations = violations.map(|v| (v.condition, (v.thread, v.unit)));
    let violations = goals(terms, backend, contexts, violations);
    let cuts = skeleton.cuts.iter().map(|c| (c.condition, (c.thread, c.unit)));
    let cuts = goals(terms, backend, contexts, cuts);
    let races = task.program.checked.contains(Property::Races) && skeleton.threads.len() > 1;
    let groups = match races {
        true => races::encode(scene, terms, &mut composition, contexts),
        false => Vec::new(),
    };
    let deadlocks = (!skeleton.waits.is_empty())
        .then(|| deadlocks::encode(scene, terms, &mut composition, contexts));
    Some(Encoding { composition, violations, groups, deadlocks, cuts })
}

/// The most context switches that are looked at, if there is a bound: never more than there are units.
pub fn switches(settings: &Settings, skeleton: &Skeleton) -> Option<u32> {
    let units = skeleton.threads.iter().map(|t| t.units).fold(0, u32::saturating_add);
    settings.contexts.map(|most| most.min(units))
}

/// Literals for conditions, each with the unit up to which the contexts must reach.
fn goals(
    terms: &Terms,
    backend: &mut dyn Backend,
    contexts: Option<&Contexts>,
    conditions: impl Iterator<Item = (raddle_term::TermId, before::Unit)>,
) -> Vec<Lit> {
    let mut goal = |(condition, unit)| {
        let lit = backend.lit(terms, condition);
        contexts.map_or(lit, |c| c.within(backend, lit, unit))
    };
    conditions.map(&mut goal).collect()
}

/// One trace for each finding.
fn distinct(program: &Program, found: Vec<ConfirmedTrace>) -> Vec<ConfirmedTrace> {
    let mut keys = BTreeSet::new();
    found.into_iter().filter(|t| keys.insert(t.finding().key(program))).collect()
}

/// The cuts that some execution reaches; `None` if the time is up.
fn reachable_cuts(
    skeleton: &Skeleton,
    composition: &mut Composition,
    goals: &[Lit],
) -> Option<Vec<(CutKind, Place)>> {
    let backend = composition.backend.as_mut();
    let mut open: Vec<(Lit, usize)> = goals.iter().enumerate().map(|(i, &l)| (l, i)).collect();
    let mut found: Vec<(CutKind, Place)> = Vec::new();
    while !open.is_empty() {
        let lits: Vec<Lit> = open.iter().map(|o| o.0).collect();
        let any = any_of(backend, &lits);
        match backend.solve(any) {
            Answer::Unsatisfiable => break,
            Answer::Interrupted => return None,
            Answer::Satisfiable => {}
        }
        let before = open.len();
        let reached: Vec<usize> = open.iter().filter(|o| backend.value(o.0)).map(|o| o.1).collect();
        for i in reached {
            let key = (skeleton.cuts[i].kind.clone(), skeleton.cuts[i].place);
            if !found.contains(&key) {
                found.push(key);
            }
        }
        open.retain(|o| {
            let cut = &skeleton.cuts[o.1];
            !found.iter().any(|f| f.0 == cut.kind && f.1 == cut.place)
        });
        if open.len() == before {
            break;
        }
    }
    Some(found)
}
