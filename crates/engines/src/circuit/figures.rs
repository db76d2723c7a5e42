//! Figures 1 and 2 of paper 003: which context switches the constraint rules out, and which it must
//! not.
//!
//! Variables that one thread alone uses are no steps of their own here: a thread before 1b has not
//! begun. Races are checked, so that x matters though nobody reads it. Main is done once it has created both threads.

use raddle_analysis::Facts;
use raddle_automaton::{Bounds, StateIx, ThreadIx, automata};
use raddle_ir::{Program, Property};
use raddle_term::{TermId, Terms};
use raddle_testkit::build::{Body, Builder};

use super::bits::Values;
use super::compose::{Composition, Name};
use super::stubborn::{Reductions, Scheduler};
use super::witness::Run;

const MAIN: u128 = 0;
const FIRST: u128 = 1;
const SECOND: u128 = 2;

const STUBBORN: Reductions = Reductions { stubborn: true, transactions: false };
const TRANSACTIONS: Reductions = Reductions { stubborn: true, transactions: true };

/// Main creates two threads.
fn two_threads(
    b: &mut Builder,
    first: impl FnOnce(&mut Body<'_>),
    second: impl FnOnce(&mut Body<'_>),
) -> raddle_ir::FuncId {
    let one = b.thread("first", &[], first);
    let two = b.thread("second", &[], second);
    b.thread("main", &[], |f| {
        f.create(one);
        f.create(two);
    })
}

struct World {
    program: Program,
    composition: Composition,
    closures: Vec<Vec<TermId>>,
    allowed: Vec<TermId>,
}

/// What the constraint says in a state.
#[derive(PartialEq, Eq, Debug)]
struct Says {
    /// Whether what the first thread is about to do can be disturbed by the second.
    conflict: bool,
    /// Who may be chosen.
    allowed: Vec<u128>,
}

impl World {
    fn new(program: Program, reductions: Reductions) -> World {
        let facts = Facts::new(&program);
        let mut terms = Terms::new();
        let automata = automata(&program, &facts, Bounds::default(), &mut terms, &|| false);
        let mut composition =
            Composition::new(terms, automata.unwrap_or_else(|_| panic!("it is small")));
        let mut scheduler =
            Scheduler::new(&mut composition, reductions).expect("there are two threads");
        let closures = scheduler.closures();
        let allowed = scheduler.smallest(&closures);
        World { program, composition, closures, allowed }
    }

    fn run(&self, schedule: &[u128]) -> Run<'_> {
        let first = self.composition.variables.iter().map(|v| v.initial.unwrap_or(0)).collect();
        let others = self.composition.inputs.len() - 1;
        let step = |&thread: &u128| {
            let mut inputs = vec![thread];
            inputs.resize(1 + others, 0);
            inputs
        };
        // The last step is not made.
        let inputs = schedule.iter().chain([&MAIN]).map(step).collect();
        Run::new(&self.composition, &Values { first, inputs })
    }

    /// The line of the instruction before which a thread stands.
    fn line(&self, schedule: &[u128], thread: u128) -> Option<u32> {
        let mut run = self.run(schedule);
        let states = &self.composition.steps[thread as usize];
        let at = |s: &usize| Name::At(ThreadIx(thread as u32), StateIx(*s as u32));
        let here = (1..states.len()).find(|s| run.holds(self.composition.now(at(s))))?;
        states[here].position.map(|p| self.program.place(p.at).line)
    }

    /// Lets a thread go on until it stands before a line.
    fn go(&self, schedule: &mut Vec<u128>, thread: u128, line: u32) {
        for _step in 0..20 {
            if self.line(schedule, thread) == Some(line) {
                return;
            }
            schedule.push(thread);
        }
        panic!("thread {thread} does not come to line {line}");
    }

    fn says(&self, schedule: &[u128]) -> Says {
        let mut run = self.run(schedule);
        let conflict = run.holds(self.closures[FIRST as usize][SECOND as usize]);
        let allowed = [FIRST, SECOND].into_iter();
        let allowed = allowed.filter(|&t| run.holds(self.allowed[t as usize])).collect();
        Says { conflict, allowed }
    }
}

/// Main has created both threads and is done.
fn begun() -> Vec<u128> {
    vec![MAIN; 4]
}

/// Figure 1, with the lines of 3a and 5b.
fn figure_1() -> (Program, u32, u32) {
    let mut b = Builder::checking(&[Property::Races]);
    let [a, x, z, lk] = ["a", "x", "z", "lk"].map(|name| b.global(name, 4));
    let (mut line_3a, mut line_5b) = (0, 0);
    let main = two_threads(
        &mut b,
        |f| {
            f.write(a, 0);
            f.lock(lk);
            line_3a = f.write(x, 1);
            f.unlock(lk);
            f.write(a, 4);
        },
        |f| {
            f.write(z, 5);
            f.lock(lk);
            f.write(x, 2);
            f.unlock(lk);
            line_5b = f.write(x, 6);
        },
    );
    (b.finish(main), line_3a, line_5b)
}

#[test]
fn figure_1_has_no_switch_before_3a_while_the_second_thread_is_before_its_section() {
    let (program, line_3a, line_5b) = figure_1();
    let world = World::new(program.clone(), TRANSACTIONS);
    let mut schedule = begun();
    world.go(&mut schedule, FIRST, line_3a);
    assert_eq!(world.line(&schedule, SECOND), None, "it is before 1b");
    assert_eq!(world.says(&schedule), Says { conflict: false, allowed: vec![FIRST] });
    // Before 2b, too.
    schedule.push(SECOND);
    assert_eq!(world.says(&schedule), Says { conflict: false, allowed: vec![FIRST] });
    // Before 5b the lock does not help.
    let mut schedule = begun();
    world.go(&mut schedule, SECOND, line_5b);
    world.go(&mut schedule, FIRST, line_3a);
    assert_eq!(world.says(&schedule), Says { conflict: true, allowed: vec![FIRST, SECOND] });
    // Stubborn sets alone do not know about the lock.
    let world = World::new(program, STUBBORN);
    let mut schedule = begun();
    world.go(&mut schedule, FIRST, line_3a);
    assert!(world.says(&schedule).conflict);
}

/// Figure 2, with the lines of 6a, 2b and 6b.
fn figure_2() -> (Program, u32, u32) {
    let mut b = Builder::checking(&[Property::Races]);
    let names = ["a", "b", "x", "y", "z", "lk1", "lk2"];
    let [a, other, x, y, z, lk1, lk2] = names.map(|name| b.global(name, 4));
    let (mut line_6a, mut line_2b) = (0, 0);
    let main = two_threads(
        &mut b,
        |f| {
            f.write(a, 1);
            f.lock(lk1);
            f.lock(lk2);
            f.write(y, 1);
            f.unlock(lk2);
            line_6a = f.write(x, 0);
            f.unlock(lk1);
        },
        |f| {
            f.write(other, 0);
            line_2b = f.lock(lk2);
            f.lock(lk1);
            f.write(z, 2);
            f.unlock(lk1);
            f.write(x, 1);
            f.unlock(lk2);
        },
    );
    (b.finish(main), line_6a, line_2b)
}

#[test]
fn figure_2_has_no_switch_before_6a_though_no_lock_is_held_in_both_places() {
    let (program, line_6a, line_2b) = figure_2();
    let world = World::new(program.clone(), TRANSACTIONS);
    let mut schedule = begun();
    world.go(&mut schedule, FIRST, line_6a);
    assert_eq!(world.line(&schedule, SECOND), None, "it is before 1b");
    assert_eq!(world.says(&schedule), Says { conflict: false, allowed: vec![FIRST] });
    world.go(&mut schedule, SECOND, line_2b);
    assert_eq!(world.says(&schedule), Says { conflict: false, allowed: vec![FIRST] });
    let world = World::new(program, STUBBORN);
    let mut schedule = begun();
    world.go(&mut schedule, FIRST, line_6a);
    assert!(world.says(&schedule).conflict);
}

#[test]
fn a_lock_that_somebody_else_unlocks_makes_no_transaction() {
    let mut b = Builder::checking(&[Property::Races]);
    let [x, lk] = ["x", "lk"].map(|name| b.global(name, 4));
    let mut line = 0;
    let main = two_threads(
        &mut b,
        |f| {
            f.lock(lk);
            line = f.write(x, 1);
            f.unlock(lk);
        },
        |f| {
            f.unlock(lk);
            f.lock(lk);
            f.write(x, 2);
            f.unlock(lk);
        },
    );
    let world = World::new(b.finish(main), TRANSACTIONS);
    let mut schedule = begun();
    world.go(&mut schedule, FIRST, line);
    assert!(world.says(&schedule).conflict);
}
