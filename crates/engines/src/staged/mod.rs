//! The staged engine (paper 004): summarise each thread, compose the summaries by
//! sequential-consistency axioms, solve with an order theory.
//!
//! Reading order: this file (deepening of bounds and verdicts), `cells.rs` (locations), `before.rs` (fixed
//! order), `compose.rs` (the encoding), `races.rs`, `deadlocks.rs`, `witness.rs` (from a model to an execution
//! to replay).
//!
//! For each bound: is there a violation? If so it is replayed. If not, can an execution reach a place where a
//! bound cut something off? If not, the program is safe; otherwise the bound grows.

pub mod before;
pub mod cells;
pub mod compose;
pub mod deadlocks;
pub mod external;
pub mod implication;
pub mod initial;
pub mod races;
pub mod sections;
pub mod smtlib;
pub mod solver;
pub mod symmetry;
pub mod witness;

use std::collections::BTreeSet;

use raddle_interp::{ConfirmedTrace, ThreadId, Wanted, replay_guided};
use raddle_ir::{Place, Program, Property};
use raddle_order::solve;
use raddle_sat::{Answer, Lit};
use raddle_summary::{CutKind, Knowledge, Limits, Skeleton, Violation, summarise};

use crate::{Bounds, Budget, Engine, Outcome, Progress, Reason, Task, Verdict};
use compose::{Composition, Pruning, compose};
use races::Races;
use witness::Model;

/// The optimisations that can be switched off, with what they do.
pub const SWITCHES: &[(&str, &str)] = &[
    ("mhp", "no reads-from against the order of creation and join"),
    ("kill", "no reads-from over a write that always comes in between"),
    ("value", "no reads-from between values that never agree"),
    ("locksets", "no reads-from that critical sections of one mutex rule out"),
    ("summaries", "functions that only compute are executed once, not at each call"),
    ("symmetry", "copies of a thread begin in the order of their creation"),
];

/// The properties that this engine decides; for others its verdict is never `Safe`.
pub const SUPPORTED: &[Property] = &[
    Property::Unreach,
    Property::Assertions,
    Property::Races,
    Property::Deadlocks,
    Property::Memory,
    Property::Overflow,
    Property::Locks,
];

/// The staged engine.
#[derive(Default)]
pub struct Staged {
    statistics: Figures,
    /// Mistakes in raddle that do not matter for the verdict, because there are other findings.
    notes: Vec<String>,
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
    /// Violations, replayed.
    Found(Vec<ConfirmedTrace>),
    /// No violation and nothing cut off.
    Safe,
    /// No violation, but these cuts can be reached.
    Cut(Vec<(CutKind, Place)>),
    /// Out of time.
    Time,
    /// A mistake in raddle.
    Internal(String),
}

impl Engine for Staged {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        if task.settings.contexts.is_some() && task.settings.solver.is_none() {
            let what = "a bound on context switches without an SMT solver (--solver)".into();
            let reason = Reason::Unsupported { what, place: Place::UNKNOWN };
            return self.outcome(Verdict::Unknown(reason), Vec::new());
        }
        let mut knowledge = Knowledge::new(task.program);
        let mut last_cuts: Option<(u32, Vec<(CutKind, Place)>)> = None;
        let mut unwind = task.settings.unwind.unwrap_or(1);
        let mut free = if task.settings.unwind.is_some() { MOST_FREE } else { FIRST_FREE };
        let verdict = loop {
            let summaries = !task.settings.without.iter().any(|w| w == "summaries");
            let limits =
                Limits { unwind, free, summaries, deadline: budget.deadline, ..Limits::default() };
            match self.level(task, &mut knowledge, &limits, progress) {
                Level::Found(findings) => {
                    return self.outcome(Verdict::Unsafe, findings);
                }
                Level::Safe => break safe(task),
                Level::Internal(what) => break Verdict::Unknown(Reason::Internal(what)),
                Level::Time => break self.out_of_time(task.program, last_cuts),
                Level::Cut(cuts) => {
                    let only_unsupported =
                        cuts.iter().all(|c| matches!(c.0, CutKind::Unsupported(_)));
                    if task.settings.unwind.is_some() || only_unsupported || unwind > DEEPEST {
                        break bounded(task.program, unwind, &cuts);
                    }
                    last_cuts = Some((unwind, cuts));
                    unwind = next_bound(unwind);
                    free = free.saturating_mul(4).min(MOST_FREE);
                }
            }
            if budget.is_over() {
                break self.out_of_time(task.program, last_cuts);
            }
        };
        self.outcome(within_contexts(task, verdict), Vec::new())
    }
}

/// With a bound on context switches nothing is proved without it.
fn within_contexts(task: &Task, verdict: Verdict) -> Verdict {
    let Some(most) = task.settings.contexts else { return verdict };
    let mut bounds = match verdict {
        Verdict::Safe => Bounds::default(),
        Verdict::Bounded(bounds) => bounds,
        Verdict::Unsafe | Verdict::Unknown(_) => return verdict,
    };
    bounds.cuts.push(format!("schedules with at most {most} context switches"));
    Verdict::Bounded(bounds)
}

/// Safe, as far as this engine can tell.
fn safe(task: &Task) -> Verdict {
    match task.checked.iter().find(|p| !SUPPORTED.contains(p)) {
        None => Verdict::Safe,
        Some(p) => {
            let what = format!("the property {p} in the engine staged (use --engine explore)");
            Verdict::Unknown(Reason::Unsupported { what, place: Place::UNKNOWN })
        }
    }
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
fn bounded(program: &Program, unwind: u32, cuts: &[(CutKind, Place)]) -> Verdict {
    for (kind, place) in cuts {
        if let CutKind::Unsupported(what) = kind {
            return Verdict::Unknown(Reason::Unsupported { what: what.clone(), place: *place });
        }
    }
    let mut words = BTreeSet::new();
    for (kind, place) in cuts {
        let at = program.show_place(*place);
        words.insert(match kind {
            CutKind::Loop => format!("loop at {at} unrolled up to bound {unwind}"),
            CutKind::Recursion => format!("recursion at {at} to depth {unwind}"),
            CutKind::Threads => format!("threads created at {at} up to {unwind}"),
            CutKind::Object => format!("objects allocated at {at} up to a size limit"),
            CutKind::Unsupported(_) => continue,
        });
    }
    Verdict::Bounded(Bounds { cuts: words.into_iter().collect() })
}

impl Staged {
    fn outcome(&self, verdict: Verdict, findings: Vec<ConfirmedTrace>) -> Outcome {
        let f = &self.statistics;
        let statistics = vec![
            ("unwinding", f.unwind.to_string()),
            ("threads", f.threads.to_string()),
            ("events", f.events.to_string()),
            ("pieces", f.pieces.to_string()),
            ("reads-from pairs", f.reads_from.to_string()),
            ("variables", f.variables.to_string()),
            ("clauses", f.clauses.to_string()),
            ("conflicts", f.conflicts.to_string()),
        ];
        Outcome { verdict, findings, statistics, notes: self.notes.clone() }
    }

    fn out_of_time(
        &self,
        program: &Program,
        last: Option<(u32, Vec<(CutKind, Place)>)>,
    ) -> Verdict {
        match last {
            Some((unwind, cuts)) => bounded(program, unwind, &cuts),
            None => Verdict::Unknown(Reason::Time),
        }
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
        let Some(mut skeleton) = summarise(task.program, knowledge, limits) else {
            return Level::Time;
        };
        self.statistics.unwind = unwind;
        self.statistics.threads = skeleton.threads.len();
        self.statistics.events = skeleton.events.len();
        let races = task.checked.contains(Property::Races) && skeleton.threads.len() > 1;
        if skeleton.violations.is_empty()
            && skeleton.cuts.is_empty()
            && !races
            && skeleton.waits.is_empty()
        {
            return Level::Safe;
        }
        if let Some(solver) = &task.settings.solver {
            progress(Progress { text: format!("unwinding {unwind}: solving with {solver}") });
            return external::level(task, knowledge, &mut skeleton, limits, solver);
        }
        let off = |name: &str| task.settings.without.iter().any(|w| w == name);
        let pruning = Pruning {
            mhp: !off("mhp"),
            kill: !off("kill"),
            value: !off("value"),
            locksets: !off("locksets"),
            symmetry: !off("symmetry"),
        };
        let composed = compose(task.program, knowledge, &mut skeleton, pruning, limits.deadline);
        let Some(mut composition) = composed else { return Level::Time };
        composition.solver.set_deadline(limits.deadline);
        self.note_sizes(&composition);
        progress(Progress {
            text: format!(
                "unwinding {unwind}: {} events, {} clauses",
                self.statistics.events, self.statistics.clauses
            ),
        });
        let groups = if races {
            races::encode(task.program, &mut skeleton, &mut composition)
        } else {
            Vec::new()
        };
        let deadlocks = (!skeleton.waits.is_empty())
            .then(|| deadlocks::encode(task.program, &mut skeleton, &mut composition));
        let level = self.queries(task, knowledge, &skeleton, &mut composition, (groups, deadlocks));
        self.note_sizes(&composition);
        level
    }

    fn note_sizes(&mut self, composition: &Composition) {
        let s = composition.solver.statistics();
        self.statistics.pieces = composition.sizes.pieces;
        self.statistics.reads_from = composition.sizes.reads_from;
        self.statistics.clauses = s.clauses;
        self.statistics.variables = s.vars;
        self.statistics.conflicts = s.conflicts;
    }

    fn queries(
        &mut self,
        task: &Task,
        knowledge: &Knowledge,
        skeleton: &Skeleton,
        composition: &mut Composition,
        (groups, deadlocks): (Vec<races::Group>, Option<deadlocks::Deadlocks>),
    ) -> Level {
        let mut found = match self.violations(task, knowledge, skeleton, composition) {
            Ok(Some(findings)) => findings,
            Ok(None) => return Level::Time,
            Err(what) => return Level::Internal(what),
        };
        let first_only = task.settings.first_only;
        if !first_only || found.is_empty() {
            let program = task.program;
            match races::find(program, knowledge, skeleton, composition, groups, first_only) {
                Ok(Races::All { found: races, unconfirmed }) => {
                    found.extend(races);
                    if found.is_empty() && !unconfirmed.is_empty() {
                        let why = unconfirmed.join("; ");
                        return Level::Internal(format!("a race could not be replayed: {why}"));
                    }
                }
                Ok(Races::Time(races)) => {
                    found.extend(races);
                    if found.is_empty() {
                        return Level::Time;
                    }
                }
                Err(what) => return Level::Internal(what),
            }
        }
        if let Some(deadlocks) = deadlocks
            && (!first_only || found.is_empty())
        {
            let program = task.program;
            let search =
                deadlocks::find(program, knowledge, skeleton, composition, deadlocks, first_only);
            found.extend(search.found);
            let failed = |why: &String| format!("a deadlock could not be replayed: {why}");
            self.notes.extend(search.unconfirmed.iter().map(failed));
            match search.unconfirmed.first() {
                Some(why) if found.is_empty() => return Level::Internal(failed(why)),
                Some(_) | None => {}
            }
            if found.is_empty() && search.out_of_time {
                return Level::Time;
            }
        }
        if !found.is_empty() {
            return Level::Found(distinct(task.program, found));
        }
        match reachable_cuts(skeleton, composition) {
            None => Level::Time,
            Some(cuts) if cuts.is_empty() => Level::Safe,
            Some(cuts) => Level::Cut(cuts),
        }
    }

    /// All violations, one per place; `None` if the time is up.
    fn violations(
        &mut self,
        task: &Task,
        knowledge: &Knowledge,
        skeleton: &Skeleton,
        composition: &mut Composition,
    ) -> Result<Option<Vec<ConfirmedTrace>>, String> {
        let mut open: Vec<(Lit, usize)> = Vec::new();
        for (i, v) in skeleton.violations.iter().enumerate() {
            let lit =
                composition.blaster.lit(&skeleton.terms, v.condition, &mut composition.solver);
            open.push((lit, i));
        }
        let mut findings = Vec::new();
        while !open.is_empty() {
            let lits: Vec<Lit> = open.iter().map(|o| o.0).collect();
            let any = any_of(composition, &lits);
            match solve(&mut composition.solver, &composition.theory, &[any]) {
                Answer::Unsatisfiable => break,
                Answer::Interrupted => return Ok((!findings.is_empty()).then_some(findings)),
                Answer::Satisfiable => {}
            }
            let mut model = Model::new(skeleton, composition);
            let hit =
                open.iter().map(|o| o.1).find(|&i| model.holds(skeleton.violations[i].condition));
            let Some(hit) = hit else {
                return Err("a model of a violation violates nothing".into());
            };
            let v = &skeleton.violations[hit];
            let guide = model.guide(composition, &[(v.thread.0, v.unit)]);
            let mut answers = model.answers(knowledge);
            let wanted = wanted(skeleton, v);
            match replay_guided(task.program, &guide, &mut answers, &wanted) {
                Ok(trace) => findings.push(trace),
                Err(e) => return Err(format!("a violation could not be replayed: {e}")),
            }
            if task.settings.first_only {
                break;
            }
            let site = v.site;
            open.retain(|o| skeleton.violations[o.1].site != site);
        }
        Ok(Some(findings))
    }
}

/// What the replay of a violation must show.
fn wanted(skeleton: &Skeleton, v: &Violation) -> Wanted {
    let thread = ThreadId(skeleton.threads[v.thread.index()].number);
    match v.property {
        Property::Memory => Wanted::Memory { thread, at: v.at },
        Property::Unreach
        | Property::Assertions
        | Property::Races
        | Property::Deadlocks
        | Property::Leaks
        | Property::LostMemory
        | Property::Overflow
        | Property::Locks => Wanted::Check { thread, at: v.at },
    }
}

/// One trace for each finding.
fn distinct(program: &Program, found: Vec<ConfirmedTrace>) -> Vec<ConfirmedTrace> {
    let mut keys = BTreeSet::new();
    found.into_iter().filter(|t| keys.insert(t.finding().key(program))).collect()
}

/// A literal that implies that one of these holds.
fn any_of(composition: &mut Composition, lits: &[Lit]) -> Lit {
    use raddle_blast::ClauseSink;
    if let [one] = lits {
        return *one;
    }
    let any = composition.solver.new_lit();
    let mut clause = vec![!any];
    clause.extend_from_slice(lits);
    composition.solver.clause(&clause);
    any
}

/// The cuts that some execution reaches; `None` if the time is up.
fn reachable_cuts(
    skeleton: &Skeleton,
    composition: &mut Composition,
) -> Option<Vec<(CutKind, Place)>> {
    let mut open: Vec<(Lit, usize)> = Vec::new();
    for (i, cut) in skeleton.cuts.iter().enumerate() {
        let lit = composition.blaster.lit(&skeleton.terms, cut.condition, &mut composition.solver);
        open.push((lit, i));
    }
    let mut found: Vec<(CutKind, Place)> = Vec::new();
    while !open.is_empty() {
        let lits: Vec<Lit> = open.iter().map(|o| o.0).collect();
        let any = any_of(composition, &lits);
        match solve(&mut composition.solver, &composition.theory, &[any]) {
            Answer::Unsatisfiable => break,
            Answer::Interrupted => return None,
            Answer::Satisfiable => {}
        }
        let solver = &mut composition.solver;
        let before = open.len();
        let reached: Vec<usize> = open.iter().filter(|o| solver.value(o.0)).map(|o| o.1).collect();
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
