//! One search through all interleavings for several groups of properties.
//!
//! Idea: groups of properties are looked at apart from each other, each on a program of its own, but
//! `explore` runs the same executions for all of them: looking for one more property in a state
//! that is visited anyway costs next to nothing. So the first group that wants `explore` starts one
//! search for all, on a program that checks the properties of all groups. If no execution violates
//! any of them, each group has its answer. Otherwise each group explores by itself: an execution ends
//! at its first violation, so what comes later, of another group, was perhaps not seen.
//! Invariant: the program of all does what each group's program does, and checks more. Where no check
//! fails, they have the same executions.
//! Limits: who calls this keeps groups apart whose library models do something else. Deadlocks are
//! the most important: there it matters who wakes whom, whereas for other properties a wait can end at
//! any time, which is a smaller search.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use raddle_interp::gauge::Gauge;
use raddle_ir::PropertySet;

use crate::explore::Explore;
use crate::{Budget, Engine, Ground, Note, Outcome, Settings, Task, Verdict};

/// How often a group that waits looks at its own budget.
const LOOK: Duration = Duration::from_millis(10);

/// A search that several groups wait for.
#[derive(Debug)]
pub struct Together {
    state: Mutex<State>,
    changed: Condvar,
    /// What its program checks.
    checked: PropertySet,
    /// Of the search.
    budget: Budget,
    /// How far it is.
    gauge: Arc<Gauge>,
}

#[derive(Debug)]
struct State {
    /// How many groups have no answer yet.
    members: usize,
    /// Somebody waits for it.
    wanted: bool,
    /// How it has ended.
    answer: Option<Answer>,
}

#[derive(Clone, Debug)]
enum Answer {
    /// No execution violates a property of any group; what else is to be known.
    Safe(Vec<Note>),
    /// Each group has to search by itself.
    Open,
}

impl Together {
    /// A search for so many groups and all their properties, within a budget that only it has.
    pub fn new(members: usize, checked: PropertySet, budget: Budget) -> Together {
        let state = State { members, wanted: false, answer: None };
        let (state, gauge) = (Mutex::new(state), Arc::default());
        Together { state, changed: Condvar::new(), checked, budget, gauge }
    }

    /// Searches, once a group wants it, on the program that checks the properties of all groups. Returns
    /// soon after the last group has left.
    pub fn search(&self, explore: &mut Explore, task: &Task) {
        let nobody_wants = |s: &mut State| !s.wanted && s.members > 0;
        let state = self.changed.wait_while(self.state(), nobody_wants).expect(UNHARMED);
        if state.members == 0 {
            return;
        }
        drop(state);
        assert_eq!(task.program.checked, self.checked, "the groups rely on it");
        // One violation is enough to send the groups to searches of their own.
        let settings = Settings { first_only: true, ..task.settings.clone() };
        let task = Task { settings: &settings, ..*task };
        explore.gauge = self.gauge();
        let outcome = explore.check(&task, &self.budget, &mut |_| {});
        let answer = match outcome.verdict {
            Verdict::Safe(_) => Answer::Safe(outcome.notes),
            Verdict::Unsafe | Verdict::Bounded(_) | Verdict::Unknown(_) => Answer::Open,
        };
        self.state().answer = Some(answer);
        self.changed.notify_all();
    }

    /// Waits for the search: the answer about one group, if it has one. None if the group's own budget
    /// is used up before.
    pub fn wait(&self, group: &Task, own: &Budget) -> Option<Outcome> {
        let mut asked = group.program.checked.iter();
        assert!(asked.all(|p| self.checked.contains(p)), "no answer without a look");
        let mut state = self.state();
        state.wanted = true;
        self.changed.notify_all();
        while state.answer.is_none() && !own.is_over() {
            state = self.changed.wait_timeout(state, LOOK).expect(UNHARMED).0;
        }
        match state.answer.clone()? {
            Answer::Safe(notes) => {
                Some(Outcome { notes, ..Outcome::new(Verdict::Safe(Ground::Exhaustion)) })
            }
            Answer::Open => None,
        }
    }

    /// How far it is, for groups to look at.
    pub fn gauge(&self) -> Arc<Gauge> {
        Arc::clone(&self.gauge)
    }

    /// A group does not need the search any more. Every group says so once.
    pub fn leave(&self) {
        let mut state = self.state();
        state.members -= 1;
        if state.members == 0 {
            self.budget.cancel();
        }
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNHARMED)
    }
}

/// No code between lock and unlock can panic.
const UNHARMED: &str = "nobody panics while they hold this lock";

#[cfg(test)]
mod tests {
    use std::thread;

    use raddle_ir::{Program, Property};
    use raddle_testkit::build::{Builder, PLAIN, g};

    use super::*;

    const CHECKED: [Property; 2] = [Property::Assertions, Property::Races];

    /// Asserts that 0 is this number.
    fn program(checked: &[Property], expected: u128) -> Program {
        let mut b = Builder::checking(checked);
        let zero = b.global("zero", 4);
        let main = b.thread("main", &[], |f| {
            let value = f.load(g(zero), 32, PLAIN);
            let good = f.equal(value, expected);
            f.assert(good);
        });
        b.finish(main)
    }

    fn together(budget: Budget) -> Together {
        Together::new(2, CHECKED.into_iter().collect(), budget)
    }

    #[test]
    fn a_group_that_gives_up_does_not_wait() {
        let (own, settings) = (Budget::default(), Settings::default());
        own.cancel();
        let program = program(&CHECKED[..1], 0);
        let group = Task { program: &program, settings: &settings };
        assert!(together(Budget::default()).wait(&group, &own).is_none());
    }

    #[test]
    #[should_panic(expected = "no answer without a look")]
    fn a_group_that_was_not_asked_about_gets_no_answer() {
        let program = program(&[Property::Memory], 0);
        let group = Task { program: &program, settings: &Settings::default() };
        together(Budget::default()).wait(&group, &Budget::default());
    }

    #[test]
    fn the_search_ends_when_all_groups_have_left() {
        let budget = Budget::default();
        let together = together(budget.clone());
        together.leave();
        assert!(!budget.is_over(), "one group may still want it");
        together.leave();
        assert!(budget.is_over());
    }

    /// What groups are told about a program.
    fn told(expected: u128, budget: Budget) -> Option<Outcome> {
        let (all, settings) = (program(&CHECKED, expected), Settings::default());
        let groups = CHECKED.map(|property| program(&[property], expected));
        let together = together(budget);
        thread::scope(|scope| {
            let wait = |program| {
                let task = Task { program, settings: &settings };
                together.wait(&task, &Budget::default())
            };
            let groups = groups.each_ref().map(|program| scope.spawn(move || wait(program)));
            let task = Task { program: &all, settings: &settings };
            together.search(&mut Explore::default(), &task);
            let [first, second] = groups.map(|group| group.join().expect("it does not panic"));
            let verdicts = [&first, &second].map(|o| o.as_ref().map(|o| o.verdict.clone()));
            assert_eq!(verdicts[0], verdicts[1]);
            first
        })
    }

    #[test]
    fn no_violation_is_the_answer_for_each_group() {
        let outcome = told(0, Budget::default()).expect("there is an answer");
        assert_eq!(outcome.verdict, Verdict::Safe(Ground::Exhaustion));
    }

    #[test]
    fn a_violation_sends_each_group_to_its_own_search() {
        assert!(told(1, Budget::default()).is_none());
    }

    #[test]
    fn what_was_not_run_sends_each_group_to_its_own_search() {
        let over = Budget::default();
        over.cancel();
        assert!(told(0, over).is_none(), "nothing was tried");
    }
}
