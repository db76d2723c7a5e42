//! What a search has found: findings are replayed before they count, one of each kind is kept.
//!
//! Both searches ([`crate::dpor`] and [`crate::remember`]) report here, look for deadlocks and for
//! the races of a state here, and stop when this says so.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

use raddle_ir::{Place, Program, Property, Unmodelled};
use smallvec::SmallVec;

use crate::choices::{Choices, VERSION, program_hash};
use crate::deadlock;
use crate::explore::{Cut, Exploration};
use crate::finding::{Finding, FindingKey};
use crate::footprint::Footprint;
use crate::guided::expected;
use crate::oracle::Zeros;
use crate::race::{self, Upcoming};
use crate::replay::confirm;
use crate::state::{State, Status, Stopped, Thread};
use crate::thread::ThreadId;
use crate::transition::{Pending, Taken, World};

/// The findings so far.
pub struct Collector {
    /// Of the program, for traces.
    hash: String,
    known: BTreeSet<FindingKey>,
    /// What will be returned.
    pub result: Exploration,
    /// The search is to end.
    pub stop: bool,
}

impl Collector {
    /// Nothing found yet.
    pub fn new(program: &Program) -> Collector {
        Collector {
            hash: program_hash(program),
            known: BTreeSet::new(),
            result: Exploration::default(),
            stop: false,
        }
    }

    /// Whether there is such a finding already.
    pub fn knows(&self, program: &Program, finding: &Finding) -> bool {
        self.known.contains(&finding.key(program))
    }

    /// The choices of a path of transitions, to show a finding.
    pub fn choices<'t>(&self, finding: &Finding, path: impl Iterator<Item = &'t Taken>) -> Choices {
        let mut choices = Choices {
            version: VERSION,
            program: self.hash.clone(),
            expected: expected(finding),
            ..Choices::default()
        };
        for taken in path {
            choices.schedule.extend_from_slice(&taken.schedule);
            for answer in &taken.answers {
                answer.record(&mut choices);
            }
        }
        choices
    }

    /// Replays and keeps a finding that the search has seen in a state it stood in.
    pub fn report(&mut self, world: &mut World<'_>, finding: &Finding, choices: Choices) {
        if self.knows(world.code.program, finding) {
            return;
        }
        let confirmed = self.confirm(world, finding, choices);
        debug_assert!(confirmed, "what exploration sees, replay sees: {finding:?}");
        if !confirmed {
            doubt(world, Unmodelled::UnconfirmedViolation, finding.place());
        }
    }

    /// Replays and keeps a finding; false if it did not show.
    pub fn confirm(&mut self, world: &World<'_>, finding: &Finding, mut choices: Choices) -> bool {
        choices.schedule = merge(choices.schedule);
        choices.initial.sort_by_key(|b| (b.object, b.offset));
        choices.initial.dedup_by_key(|b| (b.object, b.offset));
        let key = finding.key(world.code.program);
        match confirm(world.code, choices) {
            Ok(trace) => {
                let new = self.known.insert(trace.key().clone());
                if new || trace.key() == &key {
                    self.result.findings.push(trace);
                }
                self.known.insert(key);
                self.stop |= world.settings.first_only;
                true
            }
            Err(_) => false,
        }
    }

    /// An execution has come to its end.
    pub fn finish(&mut self, world: &World<'_>, state: &State) {
        self.result.executions += 1;
        // Where a thread spins, the execution has no end.
        let spins = |t: &std::rc::Rc<Thread>| t.status == Status::Stopped(Stopped::Spinning);
        if world.settings.collect_final_states && !state.threads.iter().any(spins) {
            self.result.final_states.insert(final_hash(state));
        }
    }

    /// Stops the search when time or patience are at an end.
    pub fn check_limits(&mut self, world: &mut World<'_>) {
        let settings = world.settings;
        let look = self.result.transitions.is_multiple_of(64);
        let late = look && settings.deadline.is_some_and(|d| Instant::now() >= d);
        let late = late || settings.cancelled.load(Ordering::Relaxed);
        let many = settings.max_executions.is_some_and(|m| self.result.executions >= m);
        if late || many {
            world.cuts.insert(Cut::Time);
            self.stop = true;
        }
    }

    /// All that was found, with what the transitions left out.
    pub fn into_exploration(mut self, world: World<'_>) -> Exploration {
        self.result.cuts = world.cuts.into_iter().collect();
        self.result.undefined = world.undefined;
        self.result
    }
}

/// Something that must not be passed over in silence: no verdict of safety after it.
pub fn doubt(world: &mut World<'_>, what: Unmodelled, place: Place) {
    world.cuts.insert(Cut::Unsupported { what, place });
}

/// The deadlocks of a state in which `pending` is what threads would do next; `stuck`: nobody can
/// go on.
pub fn deadlocks(
    world: &World<'_>,
    state: &State,
    pending: &[std::rc::Rc<Pending>],
    stuck: bool,
) -> Vec<Finding> {
    if !world.code.program.checked.contains(Property::Deadlocks) {
        return Vec::new();
    }
    let blocked = |i: usize| state.threads[i].is_running() && !pending[i].enabled;
    // In a cycle each thread waits for one that is blocked as well.
    let holder_blocked = |i: usize| match pending[i].lock {
        Some(mutex) => {
            let word = state.memory.peek(mutex, 4);
            word.and_then(|w| state.index(ThreadId(w as u32))).is_some_and(blocked)
        }
        None => pending[i].section,
    };
    if stuck {
        deadlock::find(world.code, state, &mut Zeros)
    } else if world.settings.contexts.is_some() {
        // A thread that would only spin may not come to that within the bound.
        deadlock::find_standing(world.code, state, &mut Zeros)
    } else if (0..pending.len()).any(|i| blocked(i) && holder_blocked(i)) {
        deadlock::local(world.code, state, &mut Zeros)
    } else {
        Vec::new()
    }
}

/// The pairs of accesses that conflict.
pub fn conflicts(first: &Footprint, second: &Footprint) -> Vec<(Upcoming, Upcoming)> {
    let mut found = Vec::new();
    for a in &first.accesses {
        for b in &second.accesses {
            if race::conflict(&a.touch, &b.touch) {
                found.push((*a, *b));
            }
        }
    }
    found
}

/// Joins neighbouring entries of one thread.
pub(crate) fn merge(schedule: Vec<(ThreadId, u64)>) -> Vec<(ThreadId, u64)> {
    let mut result: Vec<(ThreadId, u64)> = Vec::new();
    for (thread, count) in schedule.into_iter().filter(|(_, count)| *count > 0) {
        match result.last_mut() {
            Some((last, sum)) if *last == thread => *sum += count,
            Some(_) | None => result.push((thread, count)),
        }
    }
    result
}

/// A fingerprint of global memory and of how each thread ended.
fn final_hash(state: &State) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    for object in state.memory.objects() {
        if let crate::memory::ObjectKind::Global(id) = object.kind
            && !object.constant
        {
            (id.0, object.contents()).hash(&mut hasher);
        }
    }
    let mut threads: SmallVec<[_; 8]> = state
        .threads
        .iter()
        .map(|t| (t.id.0, matches!(t.status, Status::Ended(_)), t.status == Status::Running))
        .collect();
    threads.sort_unstable();
    threads.hash(&mut hasher);
    hasher.finish()
}
