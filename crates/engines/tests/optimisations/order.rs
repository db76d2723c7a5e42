//! What is ordered in every execution (`mhp`), overwritten in every execution (`kill`), never equal
//! (`value`), and functions that are executed once for all calls (`summaries`).

use raddle_ir::{BinOp, Callee, CmpOp, Op, Program};
use raddle_testkit::build::{ATOMIC, Body, Builder, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

/// Main and a thread that writes 1 to x.
fn with_writer(main: impl FnOnce(&mut Body<'_>, Globals, raddle_ir::RegId)) -> Program {
    let mut b = Builder::checking(ASSERTIONS);
    let globals = Globals::new(&mut b);
    let writer = b.thread("writer", &[], |f| _ = f.store(g(globals.x), c(1, 32), ATOMIC));
    let main = b.thread("main", &[], |f| {
        let choice = f.choice(2);
        let some = f.differs(choice, 0);
        let thread = f.create(writer);
        f.store(g(globals.y), c(1, 32), ATOMIC);
        f.when(some, |f| f.join(thread));
        main(f, globals, some);
    });
    b.finish(main)
}

fn assert_x_is_1(f: &mut Body<'_>, at: Globals) {
    let r = f.load(g(at.x), 32, ATOMIC);
    let good = f.equal(r, 1);
    f.assert(good);
}

#[test]
fn a_join_on_one_path_orders_that_path_only() {
    check(&with_writer(|f, at, _| assert_x_is_1(f, at)), Word::Unsafe);
    check(&with_writer(|f, at, joined| f.when(joined, |f| assert_x_is_1(f, at))), Word::Safe);
}

/// What is read after a join on one path may still be overwritten by the thread.
#[test]
fn a_write_after_a_conditional_join() {
    for joined in [false, true] {
        let program = with_writer(|f, at, some| {
            let overwrite = |f: &mut Body<'_>| {
                f.store(g(at.x), c(2, 32), ATOMIC);
                let r = f.load(g(at.x), 32, ATOMIC);
                let good = f.equal(r, 2);
                f.assert(good);
            };
            if joined { f.when(some, overwrite) } else { overwrite(f) }
        });
        check(&program, if joined { Word::Safe } else { Word::Unsafe });
    }
}

/// `x = 1; if (c) x = 2; r = x` while another thread reads x.
#[test]
fn a_write_on_one_path_kills_on_that_path_only() {
    for always in [false, true] {
        let writer = |f: &mut Body<'_>, at: Globals| {
            let choice = f.choice(2);
            f.store(g(at.x), c(1, 32), ATOMIC);
            let some = match always {
                true => f.var(1, 1),
                false => f.differs(choice, 0),
            };
            f.when(some, |f| f.store(g(at.x), c(2, 32), ATOMIC));
            let r = f.load(g(at.x), 32, ATOMIC);
            let good = f.equal(r, 2);
            f.assert(good);
        };
        let reader = |f: &mut Body<'_>, at: Globals| _ = f.load(g(at.x), 32, ATOMIC);
        let expected = if always { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, writer, reader), expected);
    }
}

/// A write that certainly happens hides the initial value, but not what others write.
#[test]
fn a_certain_write_does_not_hide_what_comes_after_it() {
    for value in [0, 1, 3] {
        let reader = |f: &mut Body<'_>, at: Globals| {
            f.store(g(at.x), c(1, 32), ATOMIC);
            let r = f.load(g(at.x), 32, ATOMIC);
            let good = f.differs(r, value);
            f.assert(good);
        };
        let writer = |f: &mut Body<'_>, at: Globals| _ = f.store(g(at.x), c(3, 32), ATOMIC);
        let expected = if value == 0 { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, reader, writer), expected);
    }
}

/// A write that a read cannot see, because the path says otherwise, still comes in between.
#[test]
fn a_write_with_another_value_comes_in_between() {
    for value in [1, 2] {
        let writer = |f: &mut Body<'_>, at: Globals| {
            f.store(g(at.x), c(1, 32), ATOMIC);
            f.store(g(at.x), c(2, 32), ATOMIC);
            f.store(g(at.y), c(1, 32), ATOMIC);
        };
        let reader = |f: &mut Body<'_>, at: Globals| {
            let done = f.load(g(at.y), 32, ATOMIC);
            let r = f.load(g(at.x), 32, ATOMIC);
            let done = f.equal(done, 1);
            f.when(done, |f| {
                let good = f.equal(r, value);
                f.assert(good);
            });
        };
        let expected = if value == 2 { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, writer, reader), expected);
    }
}

/// A function with a loop, called twice with what another thread wrote: the second call may use its summary.
#[test]
fn a_summary_is_for_all_arguments() {
    for value in [1, 3, 7] {
        let mut b = Builder::checking(ASSERTIONS);
        let at = Globals::new(&mut b);
        // `for (r = 0; n != 0; n >>= 1) r = 2 * r + 1` is the smallest 2^k - 1 that is not less.
        let fill = b.function("fill", &[32], Some(32), |f| {
            let (n, r) = (f.param(0), f.reg(32));
            let n = f.binary(BinOp::And, reg(n), c(7, 32));
            f.assign(r, c(0, 32));
            let (head, inside, out) = (f.block(), f.block(), f.block());
            f.goto(head);
            let more = f.differs(n, 0);
            f.branch(more, inside, out);
            f.at = inside;
            let half = f.binary(BinOp::LShr, reg(n), c(1, 32));
            f.assign(n, reg(half));
            let twice = f.binary(BinOp::Add, reg(r), reg(r));
            let next = f.add(twice, 1);
            f.assign(r, reg(next));
            f.end(raddle_ir::Terminator::Goto(head));
            f.at = out;
            f.end(raddle_ir::Terminator::Return(Some(reg(r))));
        });
        let writer = b.thread("writer", &[], |f| {
            f.store(g(at.x), c(2, 32), ATOMIC);
            f.store(g(at.x), c(5, 32), ATOMIC);
        });
        let main = b.thread("main", &[], |f| {
            f.create(writer);
            let seen = f.load(g(at.x), 32, ATOMIC);
            let mut result = seen;
            for argument in [c(1, 32), reg(seen)] {
                result = f.reg(32);
                let callee = Callee::Direct(fill);
                f.op(Op::Call { dst: Some(result), callee, args: vec![argument] });
            }
            let good = f.compare(CmpOp::Ne, reg(result), c(value, 32));
            f.assert(good);
        });
        check(&b.finish(main), if value == 1 { Word::Safe } else { Word::Unsafe });
    }
}
