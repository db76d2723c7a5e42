//! Properties side by side: each group of them gets a search and an answer of its own.
//!
//! Idea: what makes one property expensive (who wakes whom, for deadlocks; pairs of accesses, for
//! races) is a burden for all if they share a search. So the default engine looks at groups of
//! properties apart from each other, at the same time, each on a program that is made for its group:
//! an expensive one never holds back the others. One answer is put together from all; a group
//! whose time is up answers with the bound that it reached. Only the search through all interleavings
//! is one for several groups ([`Together`]).
//! Invariant: which findings there are does not depend on how many groups run at once, as long as
//! the time suffices.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use raddle_engines::circuit::certificate::Certificate;
use raddle_engines::explore::Explore;
use raddle_engines::{
    Budget, Cut, Note as EngineNote, Outcome, Progress, Role, Settings, Task, Together,
};
use raddle_frontend::Loaded;
use raddle_interp::ConfirmedTrace;
use raddle_ir::{Property, PropertySet};
use raddle_report::data::Report;
use raddle_report::{Run, facts};

use crate::args::CheckArgs;
use crate::check::{self, News};
use crate::clocks::Now;
use crate::watch::{Limits, STACK};

/// Properties that are looked at together: they need the same models.
const GROUPS: &[&[Property]] = &[
    &[Property::Memory, Property::Leaks, Property::LostMemory],
    &[Property::Unreach, Property::Assertions, Property::Overflow],
    &[Property::Deadlocks],
    &[Property::Races],
    &[Property::Locks],
];

/// The groups of the properties that are checked: several if the engine is a portfolio.
pub fn groups(args: &CheckArgs, checked: PropertySet) -> Vec<PropertySet> {
    let portfolio = raddle_engines::row(&args.engine).is_some_and(|r| r.role == Role::Portfolio);
    if !portfolio {
        return vec![checked];
    }
    let own = |group: &&[Property]| {
        let checked = group.iter().copied().filter(|p| checked.contains(*p));
        checked.collect::<PropertySet>()
    };
    GROUPS.iter().map(own).filter(|set| set.iter().next().is_some()).collect()
}

/// Whether a group takes part in the search through all interleavings that groups share. Where who
/// wakes whom matters, or what memory is left, library models do other things than for the others.
fn shares(group: PropertySet) -> bool {
    let own = [Property::Deadlocks, Property::Leaks, Property::LostMemory];
    !own.into_iter().any(|property| group.contains(property))
}

/// The properties of all groups that share a search, if there are several.
pub fn shared(args: &CheckArgs, groups: &[PropertySet]) -> Option<PropertySet> {
    let members: Vec<PropertySet> = groups.iter().copied().filter(|&g| shares(g)).collect();
    let all = members.iter().flat_map(|group| group.iter()).collect();
    (jobs(args) > 1 && members.len() > 1).then_some(all)
}

/// What is known about one group: its report, and the traces of its findings in the same order.
pub struct Part {
    /// The report about these properties.
    pub report: Report,
    /// For each finding, how it comes about.
    pub traces: Vec<ConfirmedTrace>,
    /// What its program checks.
    pub checked: PropertySet,
    /// Its proof, if it is to be kept.
    pub certificate: Option<Certificate>,
}

/// What all groups share.
pub struct Search<'a> {
    /// The command line.
    pub args: &'a CheckArgs,
    /// All properties.
    pub run: &'a Run,
    /// Until when.
    pub limits: &'a Limits,
    /// Since when.
    pub start: Instant,
    /// Who wants to know how far it is.
    pub messages: &'a Sender<News>,
}

impl Search<'_> {
    /// Looks at all groups, each with its program. `of_all` is the program for the search that groups
    /// share.
    pub fn all(
        &self,
        groups: &[(PropertySet, Loaded)],
        of_all: Option<&Loaded>,
    ) -> anyhow::Result<Vec<Part>> {
        // All groups may keep what they find out at the same time.
        let memory = self.limits.memory().map(|bytes| bytes / groups.len().max(1) as u64);
        let budget = Budget::until(self.limits.soft).within(memory);
        if jobs(self.args) == 1 || groups.len() == 1 {
            return self.one_by_one(groups, &budget);
        }
        let members = groups.iter().filter(|(checked, _)| shares(*checked)).count();
        let search = |of_all: &Loaded| {
            Arc::new(Together::new(members, of_all.program.checked, budget.part()))
        };
        let together = of_all.map(search);
        thread::scope(|scope| {
            let mut running = Vec::new();
            for (group, (checked, loaded)) in groups.iter().enumerate() {
                let (budget, messages) = (budget.clone(), self.messages.clone());
                let together = together.clone().filter(|_| shares(*checked));
                let work = move || {
                    let _member = Member(together.clone());
                    self.one(group, (*checked, loaded), &budget, together, &messages)
                };
                running.push(thread().spawn_scoped(scope, work)?);
            }
            if let Some((loaded, together)) = of_all.zip(together) {
                let search = move || {
                    let settings = check::settings(self.args);
                    let task = Task { program: &loaded.program, settings: &settings };
                    together.search(&mut Explore::new(&self.args.options.given), &task);
                };
                thread().spawn_scoped(scope, search)?;
            }
            let join = |t: thread::ScopedJoinHandle<'_, _>| match t.join() {
                Ok(part) => part,
                // What a panic says was recorded where it happened.
                Err(panic) => std::panic::resume_unwind(panic),
            };
            running.into_iter().map(join).collect()
        })
    }

    /// One group after the other, each with its share of the time that is left.
    fn one_by_one(
        &self,
        groups: &[(PropertySet, Loaded)],
        budget: &Budget,
    ) -> anyhow::Result<Vec<Part>> {
        let mut parts = Vec::new();
        for (group, (checked, loaded)) in groups.iter().enumerate() {
            let mut own = budget.clone();
            let left = u32::try_from(groups.len() - group).unwrap_or(1);
            own.deadline = budget.deadline.map(|end| {
                let now = Instant::now();
                now + end.saturating_duration_since(now) / left
            });
            parts.push(self.one(group, (*checked, loaded), &own, None, self.messages)?);
        }
        Ok(parts)
    }

    /// Looks at one group.
    fn one(
        &self,
        group: usize,
        (checked, loaded): (PropertySet, &Loaded),
        budget: &Budget,
        together: Option<Arc<Together>>,
        messages: &Sender<News>,
    ) -> anyhow::Result<Part> {
        let mut engine = check::engine(self.args)?;
        let settings = Settings { together, ..check::settings(self.args) };
        let task = Task { program: &loaded.program, settings: &settings };
        let run = Run { checked, ..self.run.clone() };
        let report = |outcome: &mut Outcome| {
            // Undefined behaviour is noted where nobody looks for it.
            outcome.notes.retain(|n| match n {
                EngineNote::Undefined { property, .. } => !self.run.checked.contains(*property),
                _ => true,
            });
            if !loaded.stubbed.is_empty() {
                outcome.cut(Cut::Undefined);
            }
            run.report(&loaded.program, outcome, self.start.elapsed().as_secs_f64())
        };
        let tell = |now: Now, so_far: Option<Report>| {
            let (at, so_far) = (Instant::now(), so_far.map(Box::new));
            // Nobody listens any more when the limits have struck.
            let _ = messages.send(News { group, at, now, so_far });
        };
        let mut progress = |Progress { doing, so_far }: Progress| {
            let so_far = so_far.map(|outcome| report(&mut outcome.within(&loaded.program)));
            tell(Now::Does(doing), so_far);
        };
        let outcome = engine.check(&task, budget, &mut progress);
        let mut outcome = outcome.within(&loaded.program);
        let report = report(&mut outcome);
        if self.args.first && !report.findings.is_empty() {
            budget.cancel();
        }
        let late = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        tell(if late { Now::Late } else { Now::Done }, Some(report.clone()));
        if let raddle_engines::Verdict::Unknown(raddle_engines::Reason::Internal(mistake)) =
            &outcome.verdict
        {
            let program = raddle_ir::print::program(&loaded.program);
            check::bug_report(&facts::mistake(mistake), &self.args.input.files, Some(&program));
        }
        let (traces, certificate) = (outcome.findings, outcome.certificate);
        Ok(Part { report, traces, checked, certificate })
    }
}

/// A group's part in the search that groups share: it leaves however its own search ends.
struct Member(Option<Arc<Together>>);

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(together) = &self.0 {
            together.leave();
        }
    }
}

fn thread() -> thread::Builder {
    thread::Builder::new().name("search".into()).stack_size(STACK)
}

/// How many searches may run at once.
pub fn jobs(args: &CheckArgs) -> usize {
    args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}
