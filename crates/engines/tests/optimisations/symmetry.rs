//! Copies of a thread (`symmetry`): who can tell them apart must not lose an execution.

use raddle_ir::{FuncId, Op, Operand, Program, RegId, Terminator};
use raddle_testkit::build::{ATOMIC, Body, Builder, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check};

/// A thread function, and main.
fn copies(
    thread: impl FnOnce(&mut Body<'_>, Globals),
    main: impl FnOnce(&mut Body<'_>, Globals, FuncId),
) -> Program {
    let mut b = Builder::checking(ASSERTIONS);
    let globals = Globals::new(&mut b);
    let copy = b.thread("copy", &[], |f| thread(f, globals));
    let main = b.thread("main", &[], |f| main(f, globals, copy));
    b.finish(main)
}

fn add_to_x(f: &mut Body<'_>, at: Globals) {
    f.fetch_add(at.x, 1);
}

fn assert_x_is(f: &mut Body<'_>, at: Globals, value: u128) {
    let r = f.load(g(at.x), 32, ATOMIC);
    let good = f.equal(r, value);
    f.assert(good);
}

#[test]
fn joined_all_at_once() {
    for value in [3, 2] {
        let program = copies(add_to_x, |f, at, copy| {
            let threads = [copy; 3].map(|func| f.create(func));
            for thread in threads {
                f.join(thread);
            }
            assert_x_is(f, at, value);
        });
        check(&program, if value == 3 { Word::Safe } else { Word::Unsafe });
    }
}

/// The one that is not joined may come last, whichever it is.
#[test]
fn one_is_not_joined() {
    for left_out in 0..3 {
        let program = copies(add_to_x, |f, at, copy| {
            let threads = [copy; 3].map(|func| f.create(func));
            for (_, thread) in threads.into_iter().enumerate().filter(|t| t.0 != left_out) {
                f.join(thread);
            }
            assert_x_is(f, at, 3);
        });
        check(&program, Word::Unsafe);
    }
}

/// Between the joins only one of them must have ended.
#[test]
fn a_step_between_the_joins() {
    for order in [[0, 1], [1, 0]] {
        let program = copies(add_to_x, |f, at, copy| {
            let threads = [copy; 2].map(|func| f.create(func));
            f.join(threads[order[0]]);
            assert_x_is(f, at, 2);
            f.join(threads[order[1]]);
        });
        check(&program, Word::Unsafe);
    }
}

/// A write between the joins, by which it is seen which one was late.
#[test]
fn a_write_between_the_joins() {
    let program = copies(
        |f, at| {
            let r = f.load(g(at.y), 32, ATOMIC);
            let late = f.equal(r, 1);
            f.when(late, |f| f.fetch_add(at.x, 1));
        },
        |f, at, copy| {
            let threads = [copy; 2].map(|func| f.create(func));
            f.join(threads[1]);
            f.store(g(at.y), c(1, 32), ATOMIC);
            f.join(threads[0]);
            assert_x_is(f, at, 0);
        },
    );
    check(&program, Word::Unsafe);
}

#[test]
fn a_join_on_one_path() {
    let program = copies(add_to_x, |f, at, copy| {
        let choice = f.choice(2);
        let some = f.differs(choice, 0);
        let threads = [copy; 2].map(|func| f.create(func));
        f.join(threads[1]);
        f.when(some, |f| f.join(threads[0]));
        assert_x_is(f, at, 2);
    });
    check(&program, Word::Unsafe);
}

/// The first one to come does more; on the path without the second join, the one that was joined need
/// not have been the first.
#[test]
fn a_join_on_one_path_and_work_of_the_first() {
    for joined in [0, 1] {
        let thread = |f: &mut Body<'_>, at: Globals| {
            let seen = f.fetch_add(at.x, 1);
            let first = f.equal(seen, 0);
            f.when(first, |f| f.store(g(at.y), c(1, 32), ATOMIC));
        };
        let program = copies(thread, |f, at, copy| {
            let choice = f.choice(2);
            let some = f.differs(choice, 0);
            let threads = [copy; 2].map(|func| f.create(func));
            f.join(threads[joined]);
            f.when(some, |f| f.join(threads[1 - joined]));
            let r = f.load(g(at.y), 32, ATOMIC);
            let good = f.equal(r, 1);
            f.assert(good);
        });
        check(&program, Word::Unsafe);
    }
}

fn join_for_result(f: &mut Body<'_>, thread: RegId) -> RegId {
    let dst = f.reg(64);
    f.op(Op::Join { dst: Some(dst), thread: Operand::Reg(thread) });
    dst
}

/// The results tell who was first.
#[test]
fn results_that_differ() {
    for (which, value) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let thread = |f: &mut Body<'_>, at: Globals| {
            let seen = f.fetch_add(at.x, 1);
            let wide = f.resize(reg(seen), 64, false);
            f.end(Terminator::Return(Some(reg(wide))));
        };
        let program = copies(thread, |f, _, copy| {
            let threads = [copy; 2].map(|func| f.create(func));
            let results = threads.map(|thread| join_for_result(f, thread));
            let good = f.differs(results[which], value);
            f.assert(good);
        });
        check(&program, Word::Unsafe);
    }
}

/// The first one skips what would be its first step, and has done the rest before the second one is created.
#[test]
fn a_first_step_that_is_optional() {
    let thread = |f: &mut Body<'_>, at: Globals| {
        let choice = f.choice(2);
        let some = f.differs(choice, 0);
        f.when(some, |f| f.fetch_add(at.x, 1));
        f.fetch_add(at.y, 1);
    };
    let program = copies(thread, |f, at, copy| {
        f.create(copy);
        let done = f.load(g(at.y), 32, ATOMIC);
        let before = f.load(g(at.x), 32, ATOMIC);
        // Nobody is joined: one join alone would tell them apart.
        f.create(copy);
        let after = f.load(g(at.x), 32, ATOMIC);
        // Not: the first has done its work without the step, and the second has made it.
        let parts = [f.differs(done, 1), f.differs(before, 0), f.differs(after, 1)];
        let or = raddle_ir::BinOp::Or;
        let some = f.binary(or, reg(parts[0]), reg(parts[1]));
        let good = f.binary(or, reg(some), reg(parts[2]));
        f.assert(good);
    });
    check(&program, Word::Unsafe);
}
