//! A random execution: at each point one of the threads that can go on takes a step.
//!
//! Atomic sections are tried on a copy first, as the interpreter does: one that cannot be
//! completed has not begun. So answers to questions depend on nothing but the question.

use std::hash::{DefaultHasher, Hash, Hasher};

use raddle_interp::state::{Code, State};
use raddle_interp::step::{Effect, Step, step};
use raddle_interp::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use raddle_testkit::Random;

/// Steps of one execution.
const LONGEST: usize = 3000;
/// Steps of one atomic section.
const LONGEST_SECTION: usize = 500;

/// Someone who looks on.
pub trait Observer {
    /// A thread is about to take a step.
    fn before(&mut self, state: &State, index: usize);
    /// It did.
    fn after(&mut self, state: &State, index: usize, effect: &Effect);
    /// It would violate a property; the execution ends.
    fn violation(&mut self, state: &State, index: usize);
}

struct Nobody;

impl Observer for Nobody {
    fn before(&mut self, _: &State, _: usize) {}
    fn after(&mut self, _: &State, _: usize, _: &Effect) {}
    fn violation(&mut self, _: &State, _: usize) {}
}

/// Runs a program once.
pub fn walk(code: &Code<'_>, seed: u64, observer: &mut dyn Observer) {
    let mut random = Random::new(seed);
    let Some(mut state) = State::new(code) else { return };
    state.watch_loops = true;
    let mut steps = 0;
    while steps < LONGEST && !state.exited {
        let mut order: Vec<usize> = (0..state.threads.len()).collect();
        for i in 0..order.len() {
            let rest = (order.len() - i) as u64;
            order.swap(i, i + random.below(rest) as usize);
        }
        let ready =
            |&index: &usize| unit(code, &mut state.clone(), index, seed, &mut Nobody).is_some();
        let Some(index) = order.into_iter().find(ready) else { return };
        // Long runs of one thread and frequent changes are both likely.
        let scale = random.below(6);
        for _ in 0..=random.below(1 << scale) {
            if unit(code, &mut state.clone(), index, seed, &mut Nobody).is_none() {
                break;
            }
            match unit(code, &mut state, index, seed, observer) {
                Some(Taken::Steps(n)) => steps += n,
                Some(Taken::Violation) => return,
                None => unreachable!("it was possible on a copy"),
            }
        }
    }
}

enum Taken {
    Steps(usize),
    Violation,
}

/// One step, or one atomic section; `None` if it is not possible.
fn unit(
    code: &Code<'_>,
    state: &mut State,
    index: usize,
    seed: u64,
    observer: &mut dyn Observer,
) -> Option<Taken> {
    let mut effect = Effect::default();
    for steps in 1..=LONGEST_SECTION {
        let running = state.threads[index].is_running() && !state.exited;
        if running {
            observer.before(state, index);
        }
        match step(code, state, index, &mut Answers(seed), &mut effect) {
            Step::Done => observer.after(state, index, &effect),
            Step::Blocked(_) => return None,
            Step::Violation(_) => {
                observer.violation(state, index);
                return Some(Taken::Violation);
            }
            Step::BadAnswer(text) => unreachable!("{text}"),
        }
        if state.in_section != Some(index) {
            return Some(Taken::Steps(steps));
        }
    }
    None
}

/// Answers that look random but are the same each time.
struct Answers(u64);

impl Answers {
    fn number(&self, question: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0, question).hash(&mut hasher);
        hasher.finish()
    }
}

impl Oracle for Answers {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        u128::from(self.number((ask.thread, ask.nth)) % 5)
    }

    fn address(&mut self, _: &AddressAsk) -> Option<u64> {
        None
    }

    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }

    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        (self.number((object, offset)) % 2) as u8
    }

    fn spurious(&mut self, ask: &Ask) -> bool {
        self.number((ask.thread, ask.nth, ask.at)).is_multiple_of(4)
    }
}
