//! The example of paper 000, figure 1: which states each depth of the unrolling has, and which
//! passes of the token are left.
//!
//! States have the numbers of the paper's lines. Two things are elsewhere here: what nobody else can
//! notice is no state of its own (5a and 5b belong to 4, the assertion 7a to 6a), and the end of a
//! thread is one, because main waits for it.

use std::collections::BTreeSet;

use raddle_analysis::Facts;
use raddle_automaton::{Automaton, Bounds as Names, StateIx, ThreadIx, control_states};
use raddle_ir::{GlobalId, Op, Operand, Place, Program, Property, Unmodelled};
use raddle_testkit::build::{Body, Builder};

use super::outcome;
use super::search::{End, Found, Manner, Search, Settled, prepared};
use super::unroll::Need;
use crate::bounded::formula::{Answer, Formula};
use crate::options::Given;
use crate::{Bounds, Budget, Cut, Large, Reason, Settings, Task, Verdict};

const FIRST: ThreadIx = ThreadIx(1);
const SECOND: ThreadIx = ThreadIx(2);

/// Lines 2 to 6 of a thread: it writes `value` unless that is there.
fn section(f: &mut Body<'_>, g1: GlobalId, l1: GlobalId, value: u128) {
    f.lock(l1);
    let g = f.read(g1);
    let other = f.differs(g, value);
    f.when(other, |f| f.write(g1, value));
    f.unlock(l1);
}

/// Figure 1(a), with a main that starts both threads and waits for them.
pub fn figure_1() -> Program {
    let mut b = Builder::checking(&[Property::Races]);
    let [g1, l1] = ["g1", "l1"].map(|name| b.global(name, 4));
    let first = b.thread("first", &[], |f| section(f, g1, l1, 1));
    let second = b.thread("second", &[], |f| {
        section(f, g1, l1, 0);
        f.write(g1, 1);
    });
    let main = b.thread("main", &[], |f| {
        let threads = [first, second].map(|func| f.create(func));
        for thread in threads {
            f.join(thread);
        }
    });
    b.finish(main)
}

pub fn manner(balanced: bool, eager: bool) -> Manner {
    Manner {
        depth: None,
        names: Names::default(),
        varying: Vec::new(),
        mutexes: true,
        representatives: true,
        reachability: true,
        by_caller: true,
        balanced,
        eager,
    }
}

/// A thread in whose atomic section a loop that nobody can notice comes between two writes; main looks at
/// both in one section, and asserts that they are alike.
fn long_section(rounds: u128) -> Program {
    let mut b = Builder::checking(&[Property::Assertions]);
    let [x, y] = ["x", "y"].map(|name| b.global(name, 4));
    let thread = b.thread("thread", &[], |f| {
        f.op(Op::AtomicBegin);
        f.write(x, 1);
        let i = f.var(0, 32);
        let (head, out) = (f.block(), f.block());
        f.goto(head);
        let next = f.add(i, 1);
        f.assign(i, Operand::Reg(next));
        let last = f.equal(i, rounds);
        f.branch(last, out, head);
        f.at = out;
        f.write(y, 1);
        f.op(Op::AtomicEnd);
    });
    let main = b.thread("main", &[], |f| {
        f.create(thread);
        f.op(Op::AtomicBegin);
        let [x, y] = [x, y].map(|global| f.read(global));
        f.op(Op::AtomicEnd);
        let alike = f.binary(raddle_ir::BinOp::Xor, Operand::Reg(x), Operand::Reg(y));
        let same = f.equal(alike, 0);
        f.assert(same);
    });
    b.finish(main)
}

/// Whether a goal of a program has a model at a depth.
fn shows(program: &Program, depth: u32, eager: bool) -> bool {
    let settings = Settings::new(&Given::default());
    let task = Task { program, settings: &settings };
    let (manner, budget) = (manner(true, eager), Budget::default());
    let then = |mut search: Search| {
        search.begin();
        assert!(search.unroll(depth), "there is no limit of time");
        let here = search.formula.new_lit();
        search.token.close(&search.ground, &mut search.formula, &search.runs, here);
        let goals: Vec<_> = search.goals.goals.iter().map(|g| g.cond).collect();
        search.ask(here, &goals) == Some(Answer::Satisfiable)
    };
    let result = prepared(&task, &Facts::new(program), &manner, &budget, then);
    result.unwrap_or_else(|_| panic!("it is small enough"))
}

/// However deep threads are unrolled: a section that goes on behind that was not made.
#[test]
fn a_section_under_way_is_not_seen() {
    let program = long_section(9);
    for depth in 4..16 {
        for eager in [false, true] {
            assert!(!shows(&program, depth, eager), "depth {depth}, eager: {eager}");
        }
    }
}

/// Who enters a section without a trace, or leaves one, lets others go on before and after it.
#[test]
fn others_go_on_before_a_section_and_after_it() {
    for before in [true, false] {
        let mut b = Builder::checking(&[Property::Assertions]);
        let [x, y] = ["x", "y"].map(|name| b.global(name, 4));
        let thread = b.thread("thread", &[], |f| {
            f.write(x, 1);
            f.op(Op::AtomicBegin);
            if !before {
                f.write(x, 2);
            }
            let i = f.var(0, 32);
            let (head, out) = (f.block(), f.block());
            f.goto(head);
            let next = f.add(i, 1);
            f.assign(i, Operand::Reg(next));
            let last = f.equal(i, 2);
            f.branch(last, out, head);
            f.at = out;
            if before {
                f.write(x, 2);
            }
            f.op(Op::AtomicEnd);
            f.write(y, 1);
        });
        let main = b.thread("main", &[], |f| {
            f.create(thread);
            f.op(Op::AtomicBegin);
            let [x, y] = [x, y].map(|global| f.read(global));
            f.op(Op::AtomicEnd);
            // The write before the section, or the section and not what comes after it.
            let there = f.equal(x, if before { 1 } else { 2 });
            f.when(there, |f| {
                let late = f.equal(y, 1);
                f.assert(late);
            });
        });
        let program = b.finish(main);
        for eager in [false, true] {
            assert!(shows(&program, 12, eager), "before: {before}, eager: {eager}");
        }
    }
}

/// The paper's number of the line that a state stands before.
fn line(program: &Program, automaton: &Automaton, state: StateIx) -> &'static str {
    let state = automaton.state(state);
    if state.idle {
        return "idle";
    }
    let Some(position) = state.position else { return "1" };
    match program.instr(position.at).map(|i| &i.op) {
        None => "end",
        Some(Op::Lock { .. }) => "2",
        Some(Op::Load { .. }) => "3",
        // The branch has blocks of its own; what comes after it begins with the unlock.
        Some(Op::Store { .. }) if position.at.index == 0 => "4",
        Some(Op::Unlock { .. }) => "6",
        Some(Op::Store { .. }) => "7",
        Some(other) => panic!("{other:?} is not in the figure"),
    }
}

/// What is there when all threads have been unrolled so far as they go, or to a depth.
fn unrolled<R>(manner: &Manner, depth: u32, look: impl FnOnce(&Program, &Search) -> R) -> R {
    let program = figure_1();
    let settings = Settings::new(&Given::default());
    let task = Task { program: &program, settings: &settings };
    let budget = Budget::default();
    let then = |mut search: Search| {
        search.begin();
        assert!(search.unroll(depth), "there is no limit of time");
        look(&program, &search)
    };
    let result = prepared(&task, &Facts::new(&program), manner, &budget, then);
    result.unwrap_or_else(|_| panic!("the figure is small enough"))
}

/// The states of one thread at each depth, in order.
fn states(search: &Search, thread: ThreadIx) -> Vec<BTreeSet<StateIx>> {
    let run = search.runs.iter().find(|run| run.thread == thread).expect("the thread begins");
    run.slots.iter().map(|slot| slot.nodes.iter().map(|n| n.state).collect()).collect()
}

/// The same as lines.
fn lines(program: &Program, search: &Search, thread: ThreadIx) -> Vec<Vec<&'static str>> {
    let automaton = &search.threads[thread.index()];
    let names = states(search, thread).into_iter().map(|at| {
        let mut names: Vec<_> = at.iter().map(|s| line(program, automaton, *s)).collect();
        names.sort_unstable();
        names
    });
    names.collect()
}

#[test]
fn each_depth_has_the_states_of_the_figure() {
    unrolled(&manner(false, false), 20, |program, search| {
        let first: &[&[&str]] = &[&["1"], &["2"], &["3"], &["4", "6"], &["6", "end"], &["end"]];
        assert_eq!(lines(program, search, FIRST), first);
        let second: &[&[&str]] =
            &[&["1"], &["2"], &["3"], &["4", "6"], &["6", "7"], &["7", "end"], &["end"]];
        assert_eq!(lines(program, search, SECOND), second);
    });
}

#[test]
fn balanced_paths_meet() {
    unrolled(&manner(true, false), 20, |program, search| {
        let second: &[&[&str]] =
            &[&["1"], &["2"], &["3"], &["4", "idle"], &["6"], &["7"], &["end"]];
        assert_eq!(lines(program, search, SECOND), second);
    });
}

#[test]
fn each_depth_has_the_states_that_reachability_predicts() {
    for balanced in [false, true] {
        unrolled(&manner(balanced, false), 20, |_, search| {
            for (t, automaton) in search.threads.iter().enumerate() {
                let thread = ThreadIx(t as u32);
                assert_eq!(states(search, thread), control_states(automaton, 20), "thread {t}");
            }
        });
    }
}

/// The paper's list for the same figure, each with what was executed and what comes next.
#[test]
fn mutexes_leave_the_passes_of_the_figure() {
    unrolled(&manner(true, false), 20, |program, search| {
        let at = |(r, slot): (usize, usize)| {
            let run = &search.runs[r];
            let mut names = lines(program, search, run.thread)[slot].clone();
            names.retain(|name| *name != "idle");
            (run.thread, names[0])
        };
        let main = |(r, _): (usize, usize)| search.runs[r].thread == ThreadIx(0);
        let between = search.token.pairs.iter().filter(|pair| !main(pair.from) && !main(pair.to));
        let outside = |line: &str| ["1", "end"].contains(&line);
        let passes: BTreeSet<_> = between
            .map(|pair| (at(pair.from).1, at(pair.to)))
            .map(|(from, (taker, to))| (from, taker, to))
            .filter(|(from, _, to)| !outside(from) && !outside(to))
            .collect();
        let inside = |line: &str| ["3", "4", "6"].contains(&line);
        for (from, _, to) in &passes {
            // Who has executed 2, 3 or 4 holds the lock; who stands before 3, 4 or 6 as well.
            assert!(!(["2", "3", "4"].contains(from) && inside(to)), "{from} to {to}");
        }
        // (r2@1, w1@9), (r1@1, w2@9), (r2@10, w1@3), (r2@10, w1@5), (r2@10, w1@9).
        let of_the_paper = [
            ("6", SECOND, "2"),
            ("6", FIRST, "2"),
            ("2", SECOND, "7"),
            ("3", SECOND, "7"),
            ("6", SECOND, "7"),
        ];
        for pass in of_the_paper {
            assert!(passes.contains(&pass), "{pass:?} of {passes:?}");
        }
    });
}

/// With wait cycles states that were reached once stay, until nothing is left out any more. (Here
/// values know a little more than control: 3a leads to 6a only when 7b may have been executed.)
#[test]
fn threads_that_wait_are_everywhere() {
    unrolled(&manner(false, true), 9, |program, search| {
        let run = search.runs.iter().find(|run| run.thread == FIRST).expect("it begins");
        assert!(run.slots.iter().all(|slot| slot.need == Need::Token), "each state can wait");
        let first = lines(program, search, FIRST);
        for times in first.windows(2) {
            assert!(times[0].iter().all(|line| times[1].contains(line)), "{times:?}");
        }
        assert_eq!(first[0], ["1"]);
        assert_eq!(first[5], ["1", "2", "3", "4", "6", "end"], "all states, for ever");
    });
}

/// A depth at which everything was refuted is in the answer, whatever ends the search later; but
/// something that is not modelled has to be said.
#[test]
fn a_bound_that_was_reached_is_not_lost() {
    let program = figure_1();
    let settings = Settings::new(&Given::default());
    let task = Task { program: &program, settings: &settings };
    let place = Place::UNKNOWN;
    let large = Reason::Large { what: Large::Clauses(1), place };
    let unsupported = Reason::Unsupported(vec![(Unmodelled::NoRoom, place)]);
    let loops = Cut::Loop { place, bound: 16 };
    let answer = |end: End, depth: Option<u32>| {
        // The cut of the level that was not finished does not count.
        let cuts = vec![Cut::Object { place, cells: None }];
        let settled = depth.map(|depth| Settled { depth, cuts: vec![loops] });
        outcome(&task, end, Found { cuts, settled, ..Found::default() }, false).verdict
    };
    let bounded = Verdict::Bounded(Bounds::new(vec![loops, Cut::Steps { bound: 12 }]));
    assert_eq!(answer(End::Time, Some(12)), bounded);
    assert_eq!(answer(End::No(large.clone()), Some(12)), bounded);
    assert_eq!(answer(End::Time, None), Verdict::Unknown(Reason::Time));
    assert_eq!(answer(End::No(large.clone()), None), Verdict::Unknown(large));
    let unknown = Verdict::Unknown(unsupported.clone());
    assert_eq!(answer(End::No(unsupported), Some(12)), unknown);
}
