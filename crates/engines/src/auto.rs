//! The engine for those who do not choose one.
//!
//! `staged` decides; where it has no answer because something is not modelled (`long double`,
//! whether memory is lost) or a violation could not be replayed, the exhaustive interpreter runs as
//! well. Its answer counts if it is one about all executions, or a finding. Where several searches
//! may run at once, others run beside `staged` when that takes longer than a moment: the
//! interpreter, since programs with few states and many interleavings are its strength; executions
//! at random ([`crate::walks`]), since what is too large for a proof may still have mistakes that
//! are easy to meet; and `circuit`, whose strength are loops without an end. Who is begun when, and
//! who rests or is stopped, is decided in `choice.rs`, by what the searches show of themselves. Whether the structure
//! of the program excludes races ([`crate::structure`]) is asked before all of these.
//! With one search at a time `circuit` gets its turn after a tenth of the time. Whoever gives a
//! bound for `staged` wants an answer within that bound: then nobody looks further.
//! The first answer about all executions ends the other searches. All agree on what there is to
//! find, so the race decides how soon, not what.

use std::sync::mpsc::{Sender, channel};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use raddle_interp::ConfirmedTrace;
use raddle_interp::gauge::Wish;
use raddle_ir::Property;

use crate::choice::{self, Turn};
use crate::circuit::{self, Circuit};
use crate::explore::{self, Explore};
use crate::options::{CONTEXTS, Given, Host, Switch, UNWIND};
use crate::staged::{self, Staged};
use crate::structure;
use crate::walks;
use crate::{
    Budget, Doing, Engine, EngineRow, Extent, Note, Outcome, Progress, Reason, Role, Task, Values,
    Verdict,
};

/// How long `staged` searches at least, if one search runs at a time.
const LEAST_SHARE: Duration = Duration::from_secs(5);
/// A tenth of the time if there is no limit.
const LONG: Duration = Duration::from_secs(60);
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "auto",
    summary: "staged, explore beside it or where something is not modelled, circuit where loops do not end",
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

/// The engines that decide what it decides.
pub const PARTS: &[EngineRow] = &[staged::ROW, explore::ROW];

/// The engine that proves what they leave open.
pub const PROVER: EngineRow = circuit::ROW;

/// Whether it uses an engine, so that what it says rests on that one.
pub fn rests_on(engine: &EngineRow) -> bool {
    must_decide(engine) || engine.name == PROVER.name
}

/// Whether what an engine leaves open is open for the default engine, too.
pub fn must_decide(engine: &EngineRow) -> bool {
    PARTS.iter().any(|part| part.name == engine.name)
}

/// `staged`, and the others where it has no answer.
pub struct Auto {
    staged: Staged,
    explore: Explore,
    circuit: Circuit,
    /// Whether nobody gave a bound.
    unbounded: bool,
}

impl Default for Auto {
    fn default() -> Auto {
        let (staged, explore) = (Staged::default(), Explore::default());
        Auto { staged, explore, circuit: Circuit::of_all_interleavings(), unbounded: true }
    }
}

impl Auto {
    /// Each part as the user wants it.
    pub fn new(given: &Given, host: &Host) -> Result<Auto, String> {
        let unbounded = given.small(&UNWIND).is_none() && given.small(&CONTEXTS).is_none();
        Ok(Auto {
            staged: Staged::new(given, host)?,
            explore: Explore::new(given),
            circuit: Circuit::of_all_interleavings(),
            unbounded,
        })
    }

    /// Whether a proof may be looked for: within no bound, and of nothing that the prover does not decide.
    fn may_prove(&self, task: &Task) -> bool {
        self.unbounded && PROVER.decided(task.program.checked) == task.program.checked
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
        self.one_at_a_time(task, budget, progress)
    }
}

impl Auto {
    /// `staged`, and then whom it needs. Where a proof may be looked for `staged` stops soon, and goes on
    /// from the beginning if there is none.
    fn one_at_a_time(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let may_prove = self.may_prove(task);
        let [first, proof] = shares(budget);
        let own = if may_prove { &first } else { budget };
        let mut staged = self.staged.check(task, own, progress);
        if self.unbounded && structure::is_wanted(task) && leaves_something_open(&staged) {
            let proved = structure::check(task);
            if leaves_nothing_open(&proved, task) {
                return proved;
            }
        }
        if may_prove && is_about_a_part(&staged) && !budget.is_over() {
            let proved = self.circuit.check(task, &proof, progress);
            if leaves_nothing_open(&proved, task) {
                return proved;
            }
            if first.is_over() && !budget.is_over() {
                staged = self.staged.check(task, budget, progress);
            }
            staged = second_opinion(staged, proved);
        }
        match has_no_model(&staged) {
            true => second_opinion(staged, self.explore.check(task, budget, progress)),
            false => staged,
        }
    }
}

/// What `staged` gets before a proof is looked for, and until when that is: a tenth of the time, then up to
/// four tenths.
fn shares(budget: &Budget) -> [Budget; 2] {
    let now = Instant::now();
    let tenth = budget.deadline.map(|end| end.saturating_duration_since(now) / 10);
    let first = tenth.unwrap_or_default().max(LEAST_SHARE);
    let proof = first.max(tenth.unwrap_or(LONG) * 4);
    [first, proof].map(|share| {
        let end = now + share;
        let deadline = Some(budget.deadline.map_or(end, |d| d.min(end)));
        Budget { deadline, ..budget.clone() }
    })
}

/// What a search tells.
enum News {
    Progress(Box<Progress>),
    Staged(Box<Outcome>),
    Explored(Box<Outcome>),
    Proved(Box<Outcome>),
    Structure(Box<Outcome>),
    /// How large the circuit is.
    Latches(u64),
    Walked(Vec<ConfirmedTrace>),
}

/// What was heard of the searches.
#[derive(Default)]
struct Heard {
    staged: Option<Outcome>,
    explored: Option<Outcome>,
    proved: Option<Outcome>,
    structure: Option<Outcome>,
    walked: Vec<ConfirmedTrace>,
    /// What `staged` does.
    doing: Option<Doing>,
    /// Latches of the circuit.
    latches: Option<u64>,
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
            News::Proved(outcome) => {
                self.proved = Some(*outcome);
                self.tell(task, progress);
            }
            News::Structure(outcome) => self.structure = Some(*outcome),
            News::Latches(latches) => self.latches = Some(latches),
            News::Walked(found) => {
                self.walked = found;
                self.tell(task, progress);
            }
        }
    }

    /// What was found beside `staged`.
    fn found(&self) -> Vec<ConfirmedTrace> {
        let others = [&self.explored, &self.proved].into_iter().flatten();
        let found = others.flat_map(|outcome| &outcome.findings);
        found.chain(&self.walked).cloned().collect()
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

    /// What has become of `staged`.
    fn of_staged(&self) -> choice::Staged {
        match &self.staged {
            None => choice::Staged::Searches,
            Some(outcome) if has_no_model(outcome) => choice::Staged::HasNoModel,
            Some(outcome) if is_about_a_part(outcome) => choice::Staged::KnowsAPart,
            Some(_) => choice::Staged::Answers,
        }
    }

    /// Whether nothing else is waited for, if these searches run.
    fn is_enough(&self, [explores, proves, by_structure]: [bool; 3], task: &Task) -> bool {
        if task.settings.first_only && !self.walked.is_empty() {
            return true;
        }
        let others = [&self.explored, &self.proved, &self.structure];
        if others.into_iter().flatten().any(|other| leaves_nothing_open(other, task)) {
            return true;
        }
        let Some(staged) = &self.staged else { return false };
        let waits_for_explore = has_no_model(staged) && explores && self.explored.is_none();
        let waits_for_structure = by_structure && self.structure.is_none();
        let waits_for_proof = is_about_a_part(staged) && proves && self.proved.is_none();
        let waits_for_structure = waits_for_structure && leaves_something_open(staged);
        !waits_for_explore && !waits_for_proof && !waits_for_structure
    }

    fn answer(self, task: &Task) -> Outcome {
        let others = [self.explored, self.proved, self.structure].into_iter().flatten();
        let answers = self.staged.into_iter().chain(others);
        let answer = answers
            .reduce(|answer, other| better(answer, other, task))
            .expect("one of them has answered, or its panic was passed on");
        walks::joined(answer, self.walked, task)
    }
}

/// Whether loops create threads, so that a proof may be one for any number of them.
fn is_about_any_number(task: &Task) -> bool {
    let program = task.program;
    structure::is_small(program)
        && circuit::is_about_any_number(program, &raddle_analysis::Facts::new(program))
}

/// A search beside `staged`.
struct Beside<'scope> {
    running: ScopedJoinHandle<'scope, ()>,
    since: Instant,
    /// It was told to stop.
    stopped: bool,
}

impl Auto {
    /// All at the same time, once `staged` has not answered soon. The first answer that leaves
    /// nothing open ends the other searches; there is only one such answer.
    fn race(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let (news, messages) = channel();
        let (own, of_explore, of_walks) = (budget.part(), budget.part(), budget.part());
        // One for each time that the proof is begun.
        let of_circuit = [budget.part(), budget.part()];
        let may_prove = self.may_prove(task);
        let (staged, explore) = (&mut self.staged, &mut self.explore);
        let gauge =
            task.settings.together.as_ref().map_or_else(|| explore.gauge.clone(), |t| t.gauge());
        let mut explore = Some(explore);
        let circuit = &self.circuit;
        let (walks, pace) = (walks::are_wanted(task), walks::Pace::default());
        let mut heard = Heard::default();
        let any_number = (!may_prove).then_some(false);
        let start = Instant::now();
        thread::scope(|scope| {
            let searching = begin(scope, staged, (task, &own), news.clone());
            let (mut walking, mut exploring) = (false, None::<(Beside, Wish)>);
            let mut proof =
                Proof { any_number, budgets: of_circuit.iter(), ..Proof::new(task, circuit) };
            let mut asked = Asked::new(self.unbounded, task);
            loop {
                // Who has ended without a word by now never says one: it panicked.
                let ended = searching.is_finished();
                let explorer_ended = exploring.as_ref().is_some_and(|e| e.0.running.is_finished());
                let prover_ended = proof.running.as_ref().is_some_and(|p| p.running.is_finished());
                let new = messages.recv_timeout(LOOK).into_iter().chain(messages.try_iter());
                new.for_each(|n| heard.take(n, task, progress));
                let died = (ended && heard.staged.is_none())
                    || (explorer_ended && heard.explored.is_none())
                    || (prover_ended && heard.proved.is_none())
                    || (asked.has_ended() && heard.structure.is_none());
                proof.forget_stopped(&mut heard);
                let explores = exploring.is_some() && heard.explored.is_none();
                let facts = choice::Facts {
                    elapsed: start.elapsed(),
                    left: budget.deadline.map(|d| d.saturating_duration_since(Instant::now())),
                    staged: heard.of_staged(),
                    explore: explores.then(|| gauge.read()),
                    ..proof.facts(&heard)
                };
                match (facts.explore(), &mut exploring) {
                    (Turn::Go, None) => {
                        let with = (task, &of_explore);
                        let search = |explore| look_through(scope, explore, with, news.clone());
                        let begun = explore.take().map(search);
                        exploring = begun.map(|search| (search, Wish::new(gauge.clone())));
                    }
                    (turn, Some((_, wish))) => wish.rest(turn == Turn::Rest),
                    (Turn::Wait | Turn::Rest | Turn::Stop, None) => {}
                }
                let walk_now = walks && facts.walks(pace.walked());
                pace.go(walk_now);
                if walk_now && !std::mem::replace(&mut walking, true) {
                    walk(scope, (task, &of_walks, &pace), news.clone());
                }
                if may_prove && !budget.is_over() {
                    proof.go_on(scope, &facts, &mut heard, &news);
                }
                asked.go_on(scope, task, &facts, &news);
                let running = [exploring.is_some(), proof.running.is_some(), asked.runs()];
                let enough = died || heard.is_enough(running, task);
                if enough || budget.is_over() {
                    let parts = [&own, &of_explore, &of_walks].into_iter().chain(&of_circuit);
                    parts.for_each(Budget::cancel);
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

/// Whether the structure of the program excludes races, asked beside the searches.
struct Asked<'scope> {
    wanted: bool,
    running: Option<Beside<'scope>>,
}

impl<'scope> Asked<'scope> {
    fn new(unbounded: bool, task: &Task) -> Asked<'scope> {
        Asked { wanted: unbounded && structure::is_wanted(task), running: None }
    }

    fn runs(&self) -> bool {
        self.running.is_some()
    }

    fn has_ended(&self) -> bool {
        self.running.as_ref().is_some_and(|asked| asked.running.is_finished())
    }

    /// Asks once it is time.
    fn go_on(
        &mut self,
        scope: &'scope thread::Scope<'scope, '_>,
        task: &'scope Task<'_>,
        facts: &choice::Facts,
        news: &Sender<News>,
    ) {
        if self.wanted && self.running.is_none() && facts.asks_about_structure() {
            let ask = || News::Structure(Box::new(structure::check(task)));
            self.running = Some(beside(scope, news.clone(), ask));
        }
    }
}

/// The proof that is looked for beside the searches.
struct Proof<'scope, 'a> {
    task: &'scope Task<'a>,
    circuit: &'scope Circuit,
    /// One for each time that it is begun.
    budgets: std::slice::Iter<'scope, Budget>,
    running: Option<Beside<'scope>>,
    /// That of the search that runs.
    budget: Option<&'scope Budget>,
    /// It was stopped.
    too_large: bool,
    /// Loops create threads; none if nobody has looked yet.
    any_number: Option<bool>,
}

impl<'scope, 'a> Proof<'scope, 'a> {
    /// One that was not begun.
    fn new(task: &'scope Task<'a>, circuit: &'scope Circuit) -> Proof<'scope, 'a> {
        let (running, budget, any_number) = (None, None, None);
        Proof { task, circuit, budgets: [].iter(), running, budget, too_large: false, any_number }
    }

    /// What is known of it.
    fn facts(&self, heard: &Heard) -> choice::Facts {
        let making =
            |p: &Beside| choice::Making { elapsed: p.since.elapsed(), latches: heard.latches };
        choice::Facts {
            any_number: self.any_number,
            circuit: self.running.as_ref().map(making),
            too_large: self.too_large,
            ..choice::Facts::default()
        }
    }

    /// What was stopped has no answer, and may be begun once more.
    fn forget_stopped(&mut self, heard: &mut Heard) {
        let stopped = self.running.as_ref().is_some_and(|p| p.stopped);
        if stopped && heard.proved.as_ref().is_some_and(is_about_a_part) {
            (self.running, heard.proved, self.too_large) = (None, None, true);
        }
    }

    /// Begins or stops it.
    fn go_on(
        &mut self,
        scope: &'scope thread::Scope<'scope, '_>,
        facts: &choice::Facts,
        heard: &mut Heard,
        news: &Sender<News>,
    ) {
        if facts.asks_about_threads() {
            self.any_number = Some(is_about_any_number(self.task));
        }
        match (facts.circuit(), &mut self.running) {
            (Turn::Go, None) => {
                self.budget = self.budgets.next();
                let circuit = self.circuit.clone();
                let begin = |budget| prove(scope, circuit, (self.task, budget), news.clone());
                self.running = self.budget.map(begin);
                heard.latches = None;
            }
            (Turn::Stop, Some(proof)) => {
                proof.stopped = true;
                self.budget.expect("what runs has one").cancel();
            }
            (Turn::Go | Turn::Wait | Turn::Rest | Turn::Stop, _) => {}
        }
    }
}

/// Starts `staged`.
fn begin<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    staged: &'scope mut Staged,
    (task, budget): (&'scope Task<'_>, &'scope Budget),
    news: Sender<News>,
) -> ScopedJoinHandle<'scope, ()> {
    spawn(scope, move || {
        let told = news.clone();
        let mut progress = move |p| _ = told.send(News::Progress(Box::new(p)));
        let outcome = staged.check(task, budget, &mut progress);
        // Nobody waits any more if another search has answered.
        _ = news.send(News::Staged(Box::new(outcome)));
    })
}

/// Starts `explore` beside it.
fn look_through<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    explore: &'scope mut Explore,
    (task, budget): (&'scope Task<'_>, &'scope Budget),
    news: Sender<News>,
) -> Beside<'scope> {
    beside(scope, news, move || News::Explored(Box::new(explored(explore, task, budget))))
}

/// Starts a proof beside the searches.
fn prove<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    mut circuit: Circuit,
    (task, budget): (&'scope Task<'_>, &'scope Budget),
    news: Sender<News>,
) -> Beside<'scope> {
    let told = news.clone();
    beside(scope, news, move || {
        let mut progress = |p: Progress| {
            if let Some(latches) = p.doing.latches {
                // Nobody listens any more once there is an answer.
                _ = told.send(News::Latches(latches));
            }
        };
        News::Proved(Box::new(circuit.check(task, budget, &mut progress)))
    })
}

/// Starts walks beside the searches.
fn walk<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    (task, budget, pace): (&'scope Task<'_>, &'scope Budget, &'scope walks::Pace),
    news: Sender<News>,
) {
    spawn(scope, move || {
        // Nobody listens any more once there is an answer.
        walks::walks(task, budget, pace, &mut |found| _ = news.send(News::Walked(found)));
    });
}

/// Starts a search beside the first one, whose answer is told.
fn beside<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    news: Sender<News>,
    search: impl FnOnce() -> News + Send + 'scope,
) -> Beside<'scope> {
    let running = spawn(scope, move || _ = news.send(search()));
    Beside { running, since: Instant::now(), stopped: false }
}

/// What `explore` says: in the search that other groups of properties want as well, and where that has no
/// answer in one of its own.
fn explored(explore: &mut Explore, task: &Task, budget: &Budget) -> Outcome {
    let together = task.settings.together.as_ref();
    let of_all = together.and_then(|together| together.wait(task, budget));
    of_all.unwrap_or_else(|| explore.check(task, budget, &mut |_| {}))
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

/// Whether `staged` is through, or its time is up, and loops, recursion or threads may go on.
fn is_about_a_part(staged: &Outcome) -> bool {
    matches!(staged.verdict, Verdict::Bounded(_) | Verdict::Unknown(Reason::Time))
}

/// Whether `staged` has no answer for whatever reason.
fn leaves_something_open(staged: &Outcome) -> bool {
    matches!(staged.verdict, Verdict::Bounded(_) | Verdict::Unknown(_))
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

/// Of two answers the one that says more; the first if both say the same.
fn better(first: Outcome, second: Outcome, task: &Task) -> Outcome {
    match (&first.verdict, &second.verdict) {
        // What was replayed counts, and a proof that denies it is a mistake.
        (Verdict::Safe(_), Verdict::Unsafe) => walks::joined(first, second.findings, task),
        (Verdict::Unsafe, Verdict::Safe(_)) => walks::joined(second, first.findings, task),
        (Verdict::Unsafe, Verdict::Unsafe) => {
            let second_is_all = leaves_nothing_open(&second, task);
            if second_is_all && !leaves_nothing_open(&first, task) { second } else { first }
        }
        (Verdict::Safe(_) | Verdict::Unsafe, _) => first,
        (Verdict::Bounded(_) | Verdict::Unknown(_), _) => second_opinion(first, second),
    }
}

/// Another search's answer, if it has one where the first had none.
fn second_opinion(first: Outcome, second: Outcome) -> Outcome {
    match second.verdict {
        Verdict::Safe(_) | Verdict::Unsafe => second,
        Verdict::Bounded(_) | Verdict::Unknown(_) => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ground, Mistake, Settings};
    use raddle_testkit::build::Builder;

    /// What each search says of a program with a violation, with one that errs: its proof.
    fn answer(says: impl FnOnce(Outcome, Outcome) -> Heard) -> (Outcome, usize) {
        let mut b = Builder::checking(&[Property::Assertions]);
        let x = b.global("x", 4);
        let main = b.thread("main", &[], |f| {
            let value = f.read(x);
            let one = f.equal(value, 1);
            f.assert(one);
        });
        let program = b.finish(main);
        let task = Task { program: &program, settings: &Settings::default() };
        let violated = Explore::default().check(&task, &Budget::default(), &mut |_| {});
        assert_eq!(violated.verdict, Verdict::Unsafe, "the assertion fails");
        let count = violated.findings.len();
        let proof =
            Outcome::new(Verdict::Safe(Ground::Invariant { clauses: 1, any_number: false }));
        (says(violated, proof).answer(&task), count)
    }

    fn is_called_a_mistake((outcome, count): (Outcome, usize)) {
        assert_eq!(outcome.verdict, Verdict::Unsafe, "what was replayed counts");
        assert_eq!(outcome.findings.len(), count, "and is reported");
        let is_mistake = |n: &Note| matches!(n, Note::Mistake(Mistake::Model(_)));
        assert!(outcome.notes.iter().any(is_mistake), "the proof is wrong: {:?}", outcome.notes);
    }

    #[test]
    fn a_proof_that_denies_a_replayed_trace_is_a_mistake() {
        is_called_a_mistake(answer(|violated, proof| Heard {
            staged: Some(violated),
            proved: Some(proof),
            ..Heard::default()
        }));
        is_called_a_mistake(answer(|violated, proof| Heard {
            explored: Some(violated),
            proved: Some(proof),
            ..Heard::default()
        }));
        is_called_a_mistake(answer(|violated, proof| Heard {
            staged: Some(proof),
            proved: Some(violated),
            ..Heard::default()
        }));
        is_called_a_mistake(answer(|violated, proof| Heard {
            proved: Some(proof),
            walked: violated.findings,
            ..Heard::default()
        }));
    }
}
