//! The engine for those who do not choose one.
//!
//! `staged` decides; where it has no answer because something is not modelled (`long double`,
//! whether memory is lost) or a violation could not be replayed, the exhaustive interpreter runs as
//! well. Its answer counts if it is one about all executions, or a finding. Where several searches
//! may run at once, it also runs beside `staged` when that takes longer than a moment: programs
//! with few states and many interleavings are its strength. The first answer about all executions
//! ends the other search. Both agree on what there is to find, so the race decides how soon, not
//! what. Beside both, some executions are run at random for a while ([`crate::walks`]): what is too
//! large for a proof may still have mistakes that are easy to meet.

use std::sync::mpsc::channel;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use raddle_interp::ConfirmedTrace;
use raddle_ir::Property;

use crate::explore::{self, Explore};
use crate::options::{CONTEXTS, Given, Host, Switch, UNWIND};
use crate::staged::{self, Staged};
use crate::walks;
use crate::{
    Budget, Doing, Engine, EngineRow, Extent, Note, Outcome, Progress, Reason, Role, Task, Values,
    Verdict,
};

/// How long `staged` searches alone.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "auto",
    summary: "staged, and explore beside it or where staged meets something that it does not model",
    source: "",
    bounded: "as for staged",
    decides: &Property::SAFETY,
    values: Values::All,
    role: Role::Portfolio,
    options: &[
        UNWIND,
        CONTEXTS,
        staged::SOLVER,
        explore::STEPS,
        explore::INPUTS,
        explore::NO_REDUCTION,
    ],
    switches: &SWITCHES,
    covers: Extent::is_within_switches,
    make: |given, host| Ok(Box::new(Auto::new(given, host)?)),
};

/// The switches of both.
const SWITCHES: [Switch; staged::SWITCHES.len() + 2] = {
    let mut all = [explore::STATES; staged::SWITCHES.len() + 2];
    all[staged::SWITCHES.len()] = explore::TRANSACTIONS;
    let mut i = 0;
    while i < staged::SWITCHES.len() {
        all[i] = staged::SWITCHES[i];
        i += 1;
    }
    all
};

/// The engines that it uses.
pub const PARTS: &[EngineRow] = &[staged::ROW, explore::ROW];

/// Whether it uses an engine, so that its answers rest on that one.
pub fn rests_on(engine: &EngineRow) -> bool {
    PARTS.iter().any(|part| part.name == engine.name)
}

/// `staged`, and `explore` where it has no answer.
#[derive(Default)]
pub struct Auto {
    staged: Staged,
    explore: Explore,
}

impl Auto {
    /// Each part as the user wants it.
    pub fn new(given: &Given, host: &Host) -> Result<Auto, String> {
        Ok(Auto { staged: Staged::new(given, host)?, explore: Explore::new(given) })
    }
}

impl Engine for Auto {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        if task.settings.jobs > 1 {
            return self.race(task, budget, progress);
        }
        let staged = self.staged.check(task, budget, progress);
        match has_no_model(&staged) {
            true => second_opinion(staged, self.explore.check(task, budget, progress)),
            false => staged,
        }
    }
}

/// What a search tells.
enum News {
    Progress(Box<Progress>),
    Staged(Box<Outcome>),
    Explored(Box<Outcome>),
    Walked(Vec<ConfirmedTrace>),
}

/// What was heard of the searches.
#[derive(Default)]
struct Heard {
    staged: Option<Outcome>,
    explored: Option<Outcome>,
    walked: Vec<ConfirmedTrace>,
    /// What `staged` does.
    doing: Option<Doing>,
}

impl Heard {
    /// Passes on what is known so far, should the time be up before `staged` looks at the clock.
    fn take(&mut self, news: News, task: &Task, progress: &mut dyn FnMut(Progress)) {
        match news {
            News::Progress(p) => {
                self.doing = Some(p.doing.clone());
                let known = |outcome| walks::joined(outcome, self.found(), task);
                progress(Progress { so_far: p.so_far.map(known), ..*p });
            }
            News::Staged(outcome) => self.staged = Some(*outcome),
            News::Explored(outcome) => {
                self.explored = Some(*outcome);
                self.tell(task, progress);
            }
            News::Walked(found) => {
                self.walked = found;
                self.tell(task, progress);
            }
        }
    }

    /// What was found beside `staged`.
    fn found(&self) -> Vec<ConfirmedTrace> {
        let explored = self.explored.iter().flat_map(|outcome| &outcome.findings);
        explored.chain(&self.walked).cloned().collect()
    }

    fn tell(&self, task: &Task, progress: &mut dyn FnMut(Progress)) {
        let found = self.found();
        if !found.is_empty() {
            let so_far = walks::joined(Outcome::new(Verdict::Unknown(Reason::Time)), found, task);
            // No bound is complete because of it.
            let doing = self.doing.clone().map(|doing| Doing { bound: None, ..doing });
            let doing = doing.unwrap_or_else(|| Progress::doing("interleavings", None).doing);
            progress(Progress { doing, so_far: Some(so_far) });
        }
    }

    /// Whether `explore` is wanted: `staged` needs it, or has not answered for so long.
    fn wants_explore(&self, since: Instant) -> bool {
        self.staged.as_ref().map_or(since.elapsed() > PATIENCE, has_no_model)
    }

    /// Whether nothing else is waited for, if `explore` runs or not.
    fn is_enough(&self, explores: bool, task: &Task) -> bool {
        match (&self.staged, &self.explored) {
            _ if task.settings.first_only && !self.walked.is_empty() => true,
            (_, Some(explored)) if leaves_nothing_open(explored, task) => true,
            (Some(staged), None) => !has_no_model(staged) || !explores,
            (Some(_), Some(_)) => true,
            (None, _) => false,
        }
    }

    fn answer(self, task: &Task) -> Outcome {
        let answer = match (self.staged, self.explored) {
            (Some(staged), Some(explored)) => better(staged, explored, task),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => unreachable!("one of them has answered, or its panic was passed on"),
        };
        walks::joined(answer, self.walked, task)
    }
}

impl Auto {
    /// Both at the same time, once `staged` has not answered soon. The first answer that leaves
    /// nothing open ends the other search; there is only one such answer.
    fn race(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let (news, messages) = channel();
        let (own, others, of_walks) = (budget.part(), budget.part(), budget.part());
        let (staged, mut explore) = (&mut self.staged, Some(&mut self.explore));
        let mut heard = Heard::default();
        let start = Instant::now();
        thread::scope(|scope| {
            let (tell, budget_of_staged) = (news.clone(), &own);
            let search = move || {
                let told = tell.clone();
                let mut progress = move |p| _ = told.send(News::Progress(Box::new(p)));
                let outcome = staged.check(task, budget_of_staged, &mut progress);
                // Nobody waits any more if the other search has answered.
                _ = tell.send(News::Staged(Box::new(outcome)));
            };
            let searching = spawn(scope, search);
            let mut exploring: Option<ScopedJoinHandle<()>> = None;
            loop {
                // Who has ended without a word by now never says one: it panicked.
                let ended = searching.is_finished();
                let explorer_ended = exploring.as_ref().is_some_and(ScopedJoinHandle::is_finished);
                let first = messages.recv_timeout(LOOK).ok();
                first
                    .into_iter()
                    .chain(messages.try_iter())
                    .for_each(|n| heard.take(n, task, progress));
                let died = (ended && heard.staged.is_none())
                    || (explorer_ended && heard.explored.is_none());
                if heard.wants_explore(start)
                    && let Some(explore) = explore.take()
                {
                    let (tell, budget) = (news.clone(), &others);
                    let search = move || {
                        let outcome = explore.check(task, budget, &mut |_| {});
                        _ = tell.send(News::Explored(Box::new(outcome)));
                    };
                    exploring = Some(spawn(scope, search));
                    let (tell, budget) = (news.clone(), &of_walks);
                    let walk = move || {
                        // Nobody listens any more once there is an answer.
                        walks::walks(task, budget, &mut |found| _ = tell.send(News::Walked(found)));
                    };
                    if walks::are_wanted(task) {
                        spawn(scope, walk);
                    }
                }
                let enough = died || heard.is_enough(exploring.is_some(), task);
                if enough || budget.is_over() {
                    own.cancel();
                    others.cancel();
                    of_walks.cancel();
                }
                if enough {
                    break;
                }
            }
        });
        // A search that was ended tells what it has found so far.
        messages.try_iter().for_each(|news| heard.take(news, task, progress));
        heard.answer(task)
    }
}

fn spawn<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    search: impl FnOnce() + Send + 'scope,
) -> ScopedJoinHandle<'scope, ()> {
    let builder = thread::Builder::new().stack_size(crate::STACK);
    builder.spawn_scoped(scope, search).expect("a thread can be started")
}

/// Whether `staged` met something that it does not model, or a mistake of its own.
fn has_no_model(staged: &Outcome) -> bool {
    matches!(staged.verdict, Verdict::Unknown(Reason::Unsupported(_) | Reason::Internal(_)))
}

/// Whether an answer is about everything: nobody can find more, or less.
fn leaves_nothing_open(outcome: &Outcome, task: &Task) -> bool {
    let limited = outcome.notes.iter().any(|n| matches!(n, Note::FurtherFindings { .. }));
    match outcome.verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe => !limited || task.settings.first_only,
        Verdict::Bounded(_) | Verdict::Unknown(_) => false,
    }
}

/// Of two answers the one that says more; `staged` if both say the same.
fn better(staged: Outcome, explored: Outcome, task: &Task) -> Outcome {
    match staged.verdict {
        Verdict::Safe(_) => staged,
        Verdict::Unsafe if leaves_nothing_open(&explored, task) => explored,
        Verdict::Unsafe => staged,
        Verdict::Bounded(_) | Verdict::Unknown(_) => second_opinion(staged, explored),
    }
}

/// The interpreter's answer, if it has one where `staged` had none.
fn second_opinion(staged: Outcome, explored: Outcome) -> Outcome {
    match explored.verdict {
        Verdict::Safe(_) | Verdict::Unsafe => explored,
        Verdict::Bounded(_) | Verdict::Unknown(_) => staged,
    }
}
