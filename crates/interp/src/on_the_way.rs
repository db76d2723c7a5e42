//! Races on the way of an execution that is known already, and behind it.
//!
//! An execution that ends in a race passes many states, and each of them is the end of an execution
//! as well. Whoever looks for all races need not ask for those anew: before each access that is made,
//! the next accesses of all threads that stand still are compared with it. Such a thread may have to
//! be brought before its next access first, over instructions that nobody can notice. And from where
//! the execution ends each of its threads can go on alone, as far as it gets, while the others stand
//! where they are.
//! Nothing is trusted: what is seen here is a list of choices, which [`crate::replay()`] confirms.
//! Limits: only accesses that are next count, as in the definition; a thread that would have to
//! synchronise first is left where it is.

use std::collections::BTreeSet;

use raddle_ir::Program;

use crate::choices::{Choices, FromChoices, VERSION, program_hash};
use crate::collect::merge;
use crate::finding::{Finding, FindingKey};
use crate::guided::expected;
use crate::oracle::Oracle;
use crate::race::{self, Upcoming};
use crate::record::Recorder;
use crate::replay::confirm;
use crate::section::at_section;
use crate::state::{Code, State};
use crate::step::{Effect, Step, step};
use crate::thread::ThreadId;
use crate::trace::ConfirmedTrace;

/// Most instructions of an execution that is looked at.
const MOST_STEPS: u64 = 100_000;
/// Most instructions that bring a thread before its next access.
const MOST_AHEAD: u64 = 10_000;
/// Most instructions of a thread that goes on alone.
const MOST_BEHIND: u64 = 20_000;

/// The races that an execution passes, one for each key that is not known; they are known then. Those
/// that follow if one thread goes on alone, too, if that is wanted.
pub fn races_on_the_way(
    program: &Program,
    trace: &ConfirmedTrace,
    behind: bool,
    known: &mut BTreeSet<FindingKey>,
) -> Vec<ConfirmedTrace> {
    let choices = trace.choices();
    let steps: u64 = choices.schedule.iter().map(|run| run.1).sum();
    let code = Code::new(program);
    let Some(state) = State::new(&code).filter(|_| steps <= MOST_STEPS) else { return Vec::new() };
    let mut answers = FromChoices::new(choices);
    let oracle = Recorder::new(&mut answers);
    let hash = program_hash(program);
    let mut way = Way { code: &code, hash, state, oracle, schedule: Vec::new(), next: Vec::new() };
    let mut found = Vec::new();
    for &(thread, count) in &choices.schedule {
        let Some(index) = way.state.index(thread) else { return found };
        for _ in 0..count {
            way.look(index, known, &mut found);
            if !way.advance(index) {
                return found;
            }
        }
    }
    let end = (way.state.clone(), way.schedule.clone());
    for index in (0..end.0.threads.len()).filter(|_| behind) {
        (way.state, way.schedule) = end.clone();
        way.next.clear();
        way.go_on(index, known, &mut found);
    }
    found
}

/// What a thread that stands still would access next.
#[derive(Clone)]
struct Ahead {
    /// So many instructions, that nobody can notice, come before.
    count: u64,
    accesses: Vec<Upcoming>,
}

/// An execution under way.
struct Way<'a, 'p> {
    code: &'a Code<'p>,
    hash: String,
    state: State,
    oracle: Recorder<'a>,
    /// What has been executed.
    schedule: Vec<(ThreadId, u64)>,
    /// By thread, since it was last run.
    next: Vec<Option<Ahead>>,
}

impl Way<'_, '_> {
    fn advance(&mut self, index: usize) -> bool {
        let done =
            step(self.code, &mut self.state, index, &mut self.oracle, &mut Effect::default());
        self.schedule.push((self.state.threads[index].id, 1));
        if let Some(next) = self.next.get_mut(index) {
            *next = None;
        }
        done == Step::Done
    }

    /// Lets a thread go on alone, as far as it gets.
    fn go_on(
        &mut self,
        index: usize,
        known: &mut BTreeSet<FindingKey>,
        found: &mut Vec<ConfirmedTrace>,
    ) {
        for _ in 0..MOST_BEHIND {
            if !self.state.threads[index].is_running() {
                return;
            }
            self.look(index, known, found);
            if !self.advance(index) {
                return;
            }
        }
    }

    /// Compares what a thread is about to access with what all others are.
    fn look(
        &mut self,
        index: usize,
        known: &mut BTreeSet<FindingKey>,
        found: &mut Vec<ConfirmedTrace>,
    ) {
        if self.state.in_section.is_some() {
            return;
        }
        let own = shared(self.code, &self.state, index, &mut self.oracle);
        if own.is_empty() {
            return;
        }
        self.next.resize(self.state.threads.len(), None);
        for other in (0..self.state.threads.len()).filter(|&other| other != index) {
            if self.next[other].is_none() {
                self.next[other] = Some(self.ahead(other));
            }
            let ahead = self.next[other].clone().expect("it was put there");
            for a in &own {
                for b in ahead.accesses.iter().filter(|b| race::conflict(&a.touch, &b.touch)) {
                    let finding = race::finding(self.code.program, &self.state, a, b);
                    let key = finding.key(self.code.program);
                    let last = (self.state.threads[other].id, ahead.count);
                    if !known.contains(&key)
                        && let Ok(trace) = confirm(self.code, self.choices(&finding, last))
                    {
                        known.insert(key);
                        found.push(trace);
                    }
                }
            }
        }
    }

    /// Where a thread comes to by itself before its next access, and what that is.
    fn ahead(&mut self, index: usize) -> Ahead {
        let mut state = self.state.clone();
        let mut effect = Effect::default();
        for count in 0..MOST_AHEAD {
            if !state.threads[index].is_running() {
                break;
            }
            let accesses = shared(self.code, &state, index, &mut self.oracle);
            if !accesses.is_empty() {
                return Ahead { count, accesses };
            }
            if at_section(self.code, &state, index) {
                break;
            }
            let done = step(self.code, &mut state, index, &mut self.oracle, &mut effect);
            let noticed = effect.sync.is_some() || effect.touches.iter().any(|t| t.shared);
            if done != Step::Done || noticed {
                break;
            }
        }
        Ahead { count: 0, accesses: Vec::new() }
    }

    /// The execution so far, and a little more of one thread.
    fn choices(&self, finding: &Finding, last: (ThreadId, u64)) -> Choices {
        let mut schedule = self.schedule.clone();
        schedule.push(last);
        Choices {
            version: VERSION,
            program: self.hash.clone(),
            schedule: merge(schedule),
            expected: expected(finding),
            ..self.oracle.answers()
        }
    }
}

/// The accesses of a thread's next unit that others can reach.
fn shared(code: &Code<'_>, state: &State, index: usize, oracle: &mut dyn Oracle) -> Vec<Upcoming> {
    let mut all = race::upcoming(code, state, index, oracle);
    all.retain(|u| u.touch.shared);
    all
}
