//! Bounds grow until there is a verdict.
//!
//! For each bound: is there a violation? If so it is replayed. If not, can an execution reach a
//! place where a bound cut something off? If not, the program is safe; otherwise the bound grows.
//! There are two kinds of bounds: those of the summary (iterations, recursion, threads), which grow
//! here, and those that an engine has besides (contexts, writes), which it grows itself
//! ([`Composer::deepen`]). A level whose cuts nobody reaches is complete. When the time is up the
//! last complete level counts.

use raddle_interp::ConfirmedTrace;
use raddle_ir::{Op, Place, Program, Property};
use raddle_summary::{CutKind, Knowledge, Limits, Skeleton, Summary, summarise};
use raddle_term::Terms;

use super::composition::{Beyond, Composed, Composer, Composition, Goals, Job, Stop};
use super::cuts::{Cuts, is_undefined};
use super::deadlocks::Deadlocks;
use super::formula::Answer;
use super::races::Races;
use super::scene::Scene;
use super::search::{End, Findings, Manner, Search};
use super::stages::{Stage, Stages};
use super::violations::Violations;
use crate::outcome::{distinct, further_findings};
use crate::{
    Bounds, Budget, Cut, Ground, Large, Limit, Mistake, Note, Outcome, Progress, Reason, Statistic,
    Switch, Task, Verdict,
};

/// Summaries of functions, for every engine on summaries.
pub const SUMMARIES: Switch = Switch {
    name: "summaries",
    help: "functions that only compute are executed once, not at each call",
};

/// Deeper than this nothing new is to be expected.
const DEEPEST: u32 = 100_000;

/// Iterations of loops with a known end at the first bound, and at most: long loops are first
/// looked into.
const FIRST_FREE: u32 = 8;
const MOST_FREE: u32 = 100_000;

/// Conflicts that a note may cost at least.
const LEAST_FOR_NOTES: u32 = 1000;

/// Bounds grow by half: small enough steps to find shallow bugs cheaply, large enough to get deep.
pub fn next_bound(bound: u32) -> u32 {
    bound.saturating_add(bound.div_ceil(2))
}

/// What some execution reaches at a level without violations.
#[derive(Default)]
struct Reached {
    /// Cuts of the summary.
    cuts: Vec<(CutKind, Place)>,
    /// The engine's own bound.
    beyond: Option<Cut>,
    /// Undefined behaviour that nobody checks.
    undefined: Vec<Note>,
}

/// Violations, replayed.
#[derive(Default)]
struct Found {
    findings: Vec<ConfirmedTrace>,
    /// Why there may be more.
    limits: Vec<Limit>,
    /// The engine's own bound, if some execution goes beyond it.
    beyond: Option<Cut>,
}

/// What one level gave.
enum Level {
    /// Violations.
    Found(Found),
    /// No violation. If nothing is reached, there is none at all.
    Without(Reached),
    /// Out of time.
    Time,
    /// No formula: why.
    No(Reason),
    /// A mistake in raddle.
    Internal(Mistake),
}

/// Figures of the last level.
#[derive(Default)]
struct Figures {
    unwind: u32,
    threads: usize,
    events: usize,
    /// Those of the engine.
    sizes: Vec<(&'static str, usize)>,
    clauses: u64,
    variables: u64,
    conflicts: u64,
}

impl Figures {
    /// How large the formula is, and what the engine's own bound is where it has one.
    fn size(&self) -> String {
        let own = self.sizes.iter().map(|&(name, count)| counted(count as u64, name));
        let all = [counted(self.events as u64, "events")].into_iter().chain(own);
        all.chain([counted(self.clauses, "clauses")]).collect::<Vec<_>>().join(", ")
    }
}

/// A bound of the summary, as figures name it.
fn at_bound(unwind: u32) -> Option<(&'static str, u64)> {
    Some(("unwinding", unwind.into()))
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}")
}

/// Whether some code of the program creates a thread.
fn creates_threads(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.flat_map(|b| &b.instrs).any(|i| matches!(i.op, Op::Create { .. }))
}

/// Decides a task with a way to compose threads.
pub fn check(
    composer: &mut dyn Composer,
    task: &Task,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    let stages = Stages::new(task.settings.resident);
    let (figures, notes, undefined) = (Figures::default(), Vec::new(), Vec::new());
    let alone = false;
    let mut deepening = Deepening { task, composer, stages, figures, notes, undefined, alone };
    let (verdict, findings) = deepening.run(budget, progress);
    let outcome = deepening.outcome(verdict, findings);
    outcome.check_invariants(task);
    outcome
}

struct Deepening<'a> {
    task: &'a Task<'a>,
    composer: &'a mut dyn Composer,
    stages: Stages,
    figures: Figures,
    /// Mistakes in raddle that do not matter for the verdict, because there are other findings.
    notes: Vec<Note>,
    /// Undefined behaviour that executions of the last level without findings end in.
    undefined: Vec<Note>,
    /// Whether that level has no thread but the first one, in a program that creates threads.
    alone: bool,
}

impl Deepening<'_> {
    fn run(
        &mut self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> (Verdict, Vec<ConfirmedTrace>) {
        let settings = self.task.settings;
        let summaries = !self.composer.without().contains(&SUMMARIES);
        let mut knowledge = Knowledge::new(self.task.program);
        let mut last: Option<Verdict> = None;
        let mut unwind = settings.unwind.unwrap_or(1);
        let mut free = if settings.unwind.is_some() { MOST_FREE } else { FIRST_FREE };
        let verdict = loop {
            let limits = Limits {
                unwind,
                free,
                summaries,
                deadline: budget.deadline,
                cancelled: budget.cancelled(),
                check: settings.recheck,
                ..Limits::default()
            };
            match self.level(&mut knowledge, &limits, budget, progress) {
                Level::Found(found) => {
                    let found = self.found(found, &mut knowledge, &limits, budget, progress);
                    return (Verdict::Unsafe, found);
                }
                Level::No(Reason::Large { what, place }) => {
                    if let Some(Verdict::Bounded(_)) = last {
                        self.notes.push(Note::Large { what, place });
                    }
                    break last.unwrap_or(Verdict::Unknown(Reason::Large { what, place }));
                }
                Level::No(why) => break Verdict::Unknown(why),
                Level::Internal(what) => break Verdict::Unknown(Reason::Internal(what)),
                Level::Time => break last.unwrap_or(Verdict::Unknown(Reason::Time)),
                Level::Without(mut reached) => {
                    let verdict = self.without_findings(unwind, &reached);
                    self.alone = self.figures.threads == 1 && creates_threads(self.task.program);
                    self.undefined = std::mem::take(&mut reached.undefined);
                    let supported = |c: &(CutKind, Place)| !matches!(c.0, CutKind::Unsupported(_));
                    let deeper = settings.unwind.is_none()
                        && unwind <= DEEPEST
                        && reached.cuts.iter().any(supported);
                    let further = reached.beyond.is_some() && self.composer.deepen();
                    if !deeper && !further {
                        break verdict;
                    }
                    let so_far = Some(self.outcome(verdict.clone(), Vec::new()));
                    let done = Progress::doing(Stage::Solving.name(), at_bound(unwind));
                    progress(Progress { so_far, ..done });
                    last = Some(verdict);
                    assert!(further || next_bound(unwind) > unwind, "a bound that grows is larger");
                    if deeper {
                        unwind = next_bound(unwind);
                        free = free.saturating_mul(4).min(MOST_FREE);
                    }
                }
            }
            if budget.is_over() {
                break last.unwrap_or(Verdict::Unknown(Reason::Time));
            }
        };
        (verdict, Vec::new())
    }

    /// All findings, once there are some. An engine's own bound grows as long as that shows more.
    fn found(
        &mut self,
        mut all: Found,
        knowledge: &mut Knowledge,
        limits: &Limits,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Vec<ConfirmedTrace> {
        let program = self.task.program;
        if self.task.settings.first_only {
            return all.findings;
        }
        while all.beyond.is_some() && self.composer.deepen() {
            let before = all.findings.len();
            match self.level(knowledge, limits, budget, progress) {
                Level::Found(more) => {
                    all.findings.extend(more.findings);
                    all.findings = distinct(program, all.findings);
                    all.limits.extend(more.limits);
                    all.beyond = more.beyond;
                }
                Level::Time => all.limits.push(Limit::Cut(Cut::Time)),
                Level::Internal(what) => self.notes.push(Note::Mistake(what)),
                Level::Without(_) | Level::No(_) => {}
            }
            if all.findings.len() == before {
                break;
            }
        }
        let limits = once(all.limits.into_iter().chain(all.beyond.map(Limit::Cut)));
        self.notes.extend(further_findings(program, &all.findings, limits));
        all.findings
    }

    /// The verdict for a program in which nothing was found.
    fn without_findings(&self, unwind: u32, reached: &Reached) -> Verdict {
        let mut cuts: Vec<Cut> = reached.beyond.into_iter().chain(self.composer.bound()).collect();
        let mut unsupported = Vec::new();
        for cut in &reached.cuts {
            match limit(unwind, cut) {
                Limit::Unsupported { what, place } => unsupported.push((what, place)),
                Limit::Cut(cut) => cuts.push(cut),
            }
        }
        if !unsupported.is_empty() {
            return Verdict::Unknown(Reason::Unsupported(unsupported));
        }
        let open = reached.cuts.len() + usize::from(reached.beyond.is_some());
        assert!(open == 0 || !cuts.is_empty(), "what is reached is named");
        match cuts.is_empty() {
            true => Verdict::Safe(Ground::Unrolling { bound: unwind }),
            false => Verdict::Bounded(Bounds::new(cuts)),
        }
    }

    fn outcome(&self, verdict: Verdict, findings: Vec<ConfirmedTrace>) -> Outcome {
        let f = &self.figures;
        let own = f.sizes.iter().map(|&(name, value)| (name, value as u64));
        let statistics = [
            ("unwinding", u64::from(f.unwind)),
            ("threads", f.threads as u64),
            ("events", f.events as u64),
        ];
        let effort =
            [("variables", f.variables), ("clauses", f.clauses), ("conflicts", f.conflicts)];
        let statistics = statistics.into_iter().chain(own).chain(effort);
        let statistics = statistics.map(|(name, value)| Statistic { name, value }).collect();
        let (stages, mut notes) = (self.stages.figures(), self.notes.clone());
        if matches!(verdict, Verdict::Safe(_) | Verdict::Bounded(_)) {
            notes.extend(self.undefined.iter().cloned());
        }
        if self.alone && matches!(verdict, Verdict::Bounded(_)) {
            notes.push(Note::OneThread);
        }
        Outcome { verdict, findings, statistics, stages, notes, certificate: None }
    }

    /// Decides one level.
    fn level(
        &mut self,
        knowledge: &mut Knowledge,
        limits: &Limits,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Level {
        let (unwind, task) = (limits.unwind, self.task);
        assert!(unwind >= self.figures.unwind, "bounds grow");
        let bound = at_bound(unwind);
        progress(Progress::doing(Stage::Summary.name(), bound));
        let summary =
            self.stages.measure(Stage::Summary, || summarise(task.program, knowledge, limits));
        let Some(Summary { skeleton, mut terms }) = summary else { return Level::Time };
        let scene = Scene { program: task.program, knowledge, skeleton: &skeleton };
        self.figures.unwind = unwind;
        self.figures.threads = skeleton.threads.len();
        self.figures.events = skeleton.events.len();
        if nothing_to_find(task.program, &skeleton) {
            return Level::Without(Reached::default());
        }
        let size = counted(skeleton.events.len() as u64, "events");
        progress(Progress::doing(Stage::Composition.name(), bound).of_size(size));
        let job = Job { task, scene, budget };
        let composer = &mut self.composer;
        let composed =
            self.stages.measure(Stage::Composition, || composer.compose(&job, &mut terms));
        let mut composed = match composed {
            Ok(composed) => composed,
            Err(Stop::Time) => return Level::Time,
            Err(Stop::Solver(what)) => return Level::No(Reason::Solver(what)),
            Err(Stop::Large { clauses, place }) => {
                return Level::No(Reason::Large { what: Large::Clauses(clauses), place });
            }
        };
        composed.goals.check_invariants(scene);
        self.note_sizes(composed.composition.as_mut());
        progress(Progress::doing(Stage::Solving.name(), bound).of_size(self.figures.size()));
        let mut stages = std::mem::take(&mut self.stages);
        let level = stages.measure(Stage::Solving, || self.ask(scene, &mut terms, &mut composed));
        self.stages = stages;
        self.note_sizes(composed.composition.as_mut());
        match composed.composition.formula().failure() {
            Some(what) if matches!(level, Level::Time) => Level::No(Reason::Solver(what.into())),
            Some(_) | None => level,
        }
    }

    fn note_sizes(&mut self, composition: &mut dyn Composition) {
        let effort = composition.formula().effort();
        self.figures.sizes = composition.sizes();
        self.figures.clauses = effort.clauses;
        self.figures.variables = effort.variables;
        self.figures.conflicts = effort.conflicts;
    }

    /// Asks everything about a composition.
    fn ask(&mut self, scene: Scene, terms: &mut Terms, composed: &mut Composed) -> Level {
        let Composed { composition, goals, strict } = composed;
        let manner = Manner {
            first_only: self.task.settings.first_only,
            strict: *strict,
            recheck: self.task.settings.recheck,
        };
        let (composition, findings) = (composition.as_mut(), Findings::default());
        let mut search = Search { scene, terms, composition, manner, findings };
        let late = match findings_of(&mut search, goals) {
            Ok(late) => late,
            Err(what) => return Level::Internal(Mistake::Model(what)),
        };
        let Findings { found, unconfirmed, open } = std::mem::take(&mut search.findings);
        if found.is_empty() {
            return match (late, unconfirmed.is_empty()) {
                (_, false) => Level::Internal(Mistake::Unreplayed(unconfirmed)),
                (true, true) => Level::Time,
                (false, true) => reached(&mut search, goals, open),
            };
        }
        if !unconfirmed.is_empty() {
            self.notes.push(Note::Mistake(Mistake::Unreplayed(unconfirmed)));
        }
        let cuts = scene.skeleton.cuts.iter().filter(|c| !is_undefined(&c.kind));
        let cuts = cuts.map(|c| (c.kind.clone(), c.place));
        let limits = cuts.chain(open).map(|c| limit(self.figures.unwind, &c));
        let limits = limits.chain(late.then_some(Limit::Cut(Cut::Time)));
        let (findings, limits) = (distinct(self.task.program, found), once(limits));
        assert!(!findings.is_empty(), "of equal findings one is left");
        let beyond = match late || self.task.settings.first_only {
            true => None,
            false => beyond(&mut search, goals),
        };
        Level::Found(Found { findings, limits, beyond })
    }
}

/// Whether the threads of a skeleton can do no wrong, and nothing was cut off.
fn nothing_to_find(program: &Program, skeleton: &Skeleton) -> bool {
    let races = program.checked.contains(Property::Races) && skeleton.threads.len() > 1;
    let Skeleton { violations, cuts, waits, .. } = skeleton;
    violations.is_empty() && cuts.is_empty() && waits.is_empty() && !races
}

/// Looks for all findings, or one; says whether the time was up before the end.
fn findings_of(search: &mut Search, goals: &Goals) -> Result<bool, String> {
    let skeleton = search.scene.skeleton;
    let formula = search.composition.formula();
    let mut violations = Violations::new(skeleton, &goals.violations, formula);
    let mut late = search.exhaust(&mut violations)? == End::Time;
    search.findings.settle();
    if late && search.findings.found.is_empty() {
        return Ok(true);
    }
    late |= search.exhaust(&mut Races::new(search.scene, &goals.races))? == End::Time;
    if search.findings.found.is_empty() && (late || !search.findings.unconfirmed.is_empty()) {
        return Ok(late);
    }
    for goal in &goals.deadlocks {
        if search.exhaust(&mut Deadlocks::new(skeleton, goal))? == End::Time {
            return Ok(true);
        }
    }
    Ok(late)
}

/// What executions reach, besides what is `open`.
fn reached(search: &mut Search, goals: &Goals, open: Vec<(CutKind, Place)>) -> Level {
    let mut cuts = Cuts::of_bounds(search.scene.skeleton, &goals.cuts);
    match search.exhaust(&mut cuts) {
        Ok(End::Time) => return Level::Time,
        Ok(End::Complete | End::Enough) => {}
        Err(what) => return Level::Internal(Mistake::Model(what)),
    }
    let mut cuts = cuts.reached;
    cuts.extend(open);
    let beyond = beyond(search, goals);
    match undefined(search, goals) {
        Ok(undefined) => Level::Without(Reached { cuts, beyond, undefined }),
        Err(what) => Level::Internal(Mistake::Model(what)),
    }
}

/// Where executions end in undefined behaviour; where that is hard to say, where they may. A note
/// is not worth more than the answer was.
fn undefined(search: &mut Search, goals: &Goals) -> Result<Vec<Note>, String> {
    let mut cuts = Cuts::undefined(search.scene.skeleton, &goals.cuts);
    let formula = search.composition.formula();
    let conflicts = formula.effort().conflicts.try_into().unwrap_or(u32::MAX);
    formula.limit_conflicts(Some(conflicts.max(LEAST_FOR_NOTES)));
    let end = search.exhaust(&mut cuts);
    search.composition.formula().limit_conflicts(None);
    let left = match end? {
        End::Complete | End::Enough => Vec::new(),
        End::Time => cuts.left().collect(),
    };
    let reached = cuts.reached.into_iter().map(|c| (c, true));
    let mut notes: Vec<Note> = Vec::new();
    for ((kind, place), certain) in reached.chain(left.into_iter().map(|c| (c, false))) {
        let CutKind::Undefined(property) = kind else { continue };
        let known = |n: &Note| matches!(n, Note::Undefined { property: p, .. } if *p == property);
        if !notes.iter().any(known) {
            notes.push(Note::Undefined { property, places: vec![place], certain });
        }
    }
    Ok(notes)
}

/// What lies beyond the engine's own bound, unless that is known to be nothing.
fn beyond(search: &mut Search, goals: &Goals) -> Option<Cut> {
    let Beyond { lit, cut } = goals.beyond?;
    let answer = search.composition.formula().solve(&[lit]);
    (answer != Answer::Unsatisfiable).then_some(cut)
}

/// What a summary to a bound left out, as engines say it.
fn limit(bound: u32, (kind, place): &(CutKind, Place)) -> Limit {
    let place = *place;
    Limit::Cut(match kind {
        CutKind::Loop => Cut::Loop { place, bound },
        CutKind::Recursion => Cut::Recursion { place, bound },
        CutKind::Threads => Cut::Threads { place, bound },
        CutKind::Object => Cut::Object { place, cells: None },
        CutKind::Unsupported(what) => {
            return Limit::Unsupported { what: what.clone(), place };
        }
        CutKind::Undefined(_) => unreachable!("it is no bound, and not among them"),
    })
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
