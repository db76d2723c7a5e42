//! Threads that are alike change places: the same findings as without, in fewer states.

use std::collections::BTreeSet;

use raddle_interp::{Exploration, FindingKey, Settings, explore};
use raddle_ir::{
    Access, AllocKind, BinOp, CmpOp, FuncId, GlobalId, Op, Operand, Program, Property, RegId,
};
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c, g};

fn keys(e: &Exploration) -> BTreeSet<FindingKey> {
    e.findings.iter().map(|t| t.key().clone()).collect()
}

/// Explores with and without; gives the numbers of states and of findings.
fn compare(program: &Program) -> (u64, u64, usize) {
    let alike = explore(program, &Settings::default());
    let apart = explore(program, &Settings { symmetry: false, ..Settings::default() });
    let one_by_one = explore(program, &Settings { states: false, ..Settings::default() });
    assert_eq!(keys(&alike), keys(&one_by_one));
    assert_eq!(keys(&apart), keys(&one_by_one));
    assert_eq!((&alike.cuts, &alike.undefined), (&apart.cuts, &apart.undefined));
    assert!(alike.states <= apart.states);
    (alike.states, apart.states, alike.findings.len())
}

/// Copies of one thread with these globals; main does something between and after their joins.
fn copies(
    checked: &[Property],
    count: usize,
    thread: impl Fn(&mut Body<'_>, &[GlobalId]),
    after_join: impl Fn(&mut Body<'_>, &[GlobalId], usize, RegId),
) -> Program {
    let mut b = Builder::checking(checked);
    let ids: Vec<GlobalId> = ["x", "y", "m", "n"].map(|name| b.global(name, 4)).into();
    let func: FuncId = b.thread("t", &[], |f| thread(f, &ids));
    let main = b.thread("main", &[], |f| {
        let started: Vec<RegId> = (0..count).map(|_| f.create(func)).collect();
        for (i, &t) in started.iter().enumerate() {
            f.join(t);
            after_join(f, &ids, i, t);
        }
    });
    b.finish(main)
}

fn add(f: &mut Body<'_>, global: GlobalId) {
    let r = f.read(global);
    let r = f.add(r, 1);
    f.store(g(global), Operand::Reg(r), PLAIN);
}

fn check(f: &mut Body<'_>, global: GlobalId, value: u128) {
    let r = f.read(global);
    let is = f.equal(r, value);
    f.check(Property::Assertions, is);
}

/// Each thread counts in two sections; all orders of n threads are as many states as multisets.
#[test]
fn counting_threads_are_multisets() {
    let thread = |f: &mut Body<'_>, ids: &[GlobalId]| {
        for global in [ids[0], ids[1]] {
            f.lock(ids[2]);
            add(f, global);
            f.unlock(ids[2]);
        }
    };
    let program = |count: usize| {
        copies(&[Property::Assertions, Property::Races, Property::Deadlocks], count, thread, {
            move |f, ids, i, _| {
                if i + 1 == count {
                    check(f, ids[0], count as u128);
                }
            }
        })
    };
    let (alike, apart, findings) = compare(&program(4));
    assert_eq!(findings, 0);
    assert!(alike * 3 < apart, "{alike} of {apart} states");
    let large = explore(&program(7), &Settings::default());
    assert!(
        large.complete() && large.findings.is_empty() && large.states < 400,
        "{}",
        large.states
    );
}

/// One of two threads ends and the other one waits for ever: main can wait at either join.
#[test]
fn a_join_waits_for_either() {
    let thread = |f: &mut Body<'_>, ids: &[GlobalId]| {
        f.lock(ids[2]);
        let seen = f.read(ids[0]);
        f.write(ids[0], 1);
        f.unlock(ids[2]);
        f.op(Op::AtomicBegin);
        let first = f.equal(seen, 0);
        f.read(ids[1]);
        f.op(Op::Block { cond: Operand::Reg(first), spurious: false });
        f.op(Op::AtomicEnd);
    };
    for count in [2, 3] {
        let p = copies(&[Property::Deadlocks], count, thread, |_, _, _, _| {});
        let (_, _, findings) = compare(&p);
        assert_eq!(findings, 2, "main at the first join, or at the second one");
    }
}

/// What main does between the joins meets threads that are still running.
#[test]
fn something_between_joins() {
    let thread = |f: &mut Body<'_>, ids: &[GlobalId]| {
        f.lock(ids[2]);
        add(f, ids[0]);
        f.unlock(ids[2]);
        f.write(ids[1], 1);
    };
    let checked = [Property::Assertions, Property::Races];
    let p = copies(&checked, 3, thread, |f, ids, i, _| {
        f.lock(ids[2]);
        let r = f.read(ids[0]);
        f.unlock(ids[2]);
        for value in if i == 1 { 2..4 } else { 0..0 } {
            let is = f.equal(r, value);
            let not = f.equal(is, 0);
            f.check(Property::Assertions, not);
        }
    });
    let (_, _, findings) = compare(&p);
    assert_eq!(findings, 3, "two numbers that can be seen after the second join, and a race");
}

/// Who joins one of two copies may go on before the other one does what it began first.
#[test]
fn what_comes_after_a_join_is_after_any_of_them() {
    let mut b = Builder::checking(&[Property::Assertions]);
    let (entered, done) = (b.global("entered", 4), b.global("done", 4));
    let copy = b.thread("copy", &[], |f| {
        let before = f.fetch_add(entered, 1);
        let first = f.equal(before, 0);
        f.when(first, |f| f.store(g(done), c(1, 32), ATOMIC));
    });
    let number = b.global("number", 8);
    let watch = b.thread("watch", &[], |f| {
        let t = f.load(g(number), 64, ATOMIC);
        f.join(t);
        let done = f.load(g(done), 32, ATOMIC);
        let done = f.differs(done, 0);
        f.check(Property::Assertions, done);
    });
    let main = b.thread("main", &[], |f| {
        let t = f.create(copy);
        f.store(g(number), Operand::Reg(t), ATOMIC);
        f.create(copy);
        f.create(watch);
    });
    let (_, _, findings) = compare(&b.finish(main));
    assert_eq!(findings, 1);
}

/// Two join at the same time: who finds one that has ended takes it away from the other one.
#[test]
fn two_join() {
    let mut b = Builder::checking(&[Property::Assertions]);
    let (tickets, done, number) =
        (b.global("tickets", 4), b.global("done", 4), b.global("number", 8));
    let copy = b.thread("copy", &[], |f| {
        let ticket = f.fetch_add(tickets, 1);
        let second = f.equal(ticket, 1);
        f.when(second, |f| f.store(g(done), c(1, 32), ATOMIC));
    });
    let watch = b.thread("watch", &[], |f| {
        let t = f.load(g(number), 64, ATOMIC);
        f.join(t);
        let done = f.load(g(done), 32, ATOMIC);
        let done = f.differs(done, 0);
        f.check(Property::Assertions, done);
    });
    let main = b.thread("main", &[], |f| {
        let first = f.create(copy);
        let t = f.create(copy);
        f.store(g(number), Operand::Reg(t), ATOMIC);
        f.create(watch);
        f.join(first);
    });
    let (_, _, findings) = compare(&b.finish(main));
    assert_eq!(findings, 1);
}

/// Likewise inside an atomic section, and if somebody joins once more what the watcher has joined.
#[test]
fn joins_in_sections_and_joins_again() {
    for section in [false, true] {
        let mut b = Builder::checking(&[Property::Assertions]);
        let (done, number) = (b.global("done", 4), b.global("number", 8));
        let copy = b.thread("copy", &[], |f| {
            f.fetch_add(done, 1);
        });
        let watch = b.thread("watch", &[], |f| {
            let t = f.load(g(number), 64, ATOMIC);
            if section {
                f.op(Op::AtomicBegin);
            }
            f.join(t);
            if section {
                f.op(Op::AtomicEnd);
            }
        });
        let main = b.thread("main", &[], |f| {
            f.create(copy);
            let t = f.create(copy);
            f.store(g(number), Operand::Reg(t), ATOMIC);
            let watcher = f.create(watch);
            f.join(watcher);
            f.join(t);
            let done = f.load(g(done), 32, ATOMIC);
            let both = f.differs(done, 1);
            f.check(Property::Assertions, both);
        });
        let (_, _, findings) = compare(&b.finish(main));
        assert_eq!(findings, 1, "the other one may come later");
    }
}

/// The first to come makes an object and never ends: either handle may name the other one.
#[test]
fn objects_are_seen() {
    for joined in [0, 1] {
        let mut b = Builder::checking(&[Property::Assertions]);
        let [tickets, seen, ready] = ["tickets", "seen", "ready"].map(|name| b.global(name, 4));
        let until = |f: &mut Body<'_>, global: GlobalId, value: u128| {
            f.op(Op::AtomicBegin);
            let r = f.load(g(global), 32, ATOMIC);
            let cond = Operand::Reg(f.equal(r, value));
            f.op(Op::Block { cond, spurious: false });
            f.op(Op::AtomicEnd);
        };
        let copy = b.thread("copy", &[], |f| {
            let ticket = f.fetch_add(tickets, 1);
            f.fetch_add(seen, 1);
            let first = f.equal(ticket, 0);
            f.when(first, |f| {
                f.alloc(4, AllocKind::Heap);
                f.store(g(ready), c(1, 32), ATOMIC);
                until(f, ready, 2);
            });
        });
        let main = b.thread("main", &[], |f| {
            let started = [f.create(copy), f.create(copy)];
            until(f, ready, 1);
            f.join(started[joined]);
            let never = f.var(0, 1);
            f.check(Property::Assertions, never);
        });
        let (_, _, findings) = compare(&b.finish(main));
        assert_eq!(findings, 1, "handle {joined}");
    }
}

/// A thread that asks for its number, or whose word of a mutex somebody reads, is told apart.
#[test]
fn numbers_are_seen() {
    let store_number = |f: &mut Body<'_>, ids: &[GlobalId]| {
        let own = f.reg(64);
        f.op(Op::ThreadSelf { dst: own, place: false });
        let own = f.resize(Operand::Reg(own), 32, false);
        f.store(g(ids[0]), Operand::Reg(own), ATOMIC);
    };
    let read_word = |f: &mut Body<'_>, ids: &[GlobalId]| {
        f.lock(ids[2]);
        let word = f.load(g(ids[2]), 32, PLAIN);
        f.store(g(ids[0]), Operand::Reg(word), ATOMIC);
        f.unlock(ids[2]);
    };
    let numbers = |f: &mut Body<'_>, ids: &[GlobalId], i: usize, _: RegId| {
        for number in if i == 1 { 2..4 } else { 0..0 } {
            let r = f.read(ids[0]);
            let is = f.equal(r, number);
            let not = f.equal(is, 0);
            f.check(Property::Assertions, not);
        }
    };
    for (_, _, findings) in [
        compare(&copies(&[Property::Assertions], 2, store_number, numbers)),
        compare(&copies(&[Property::Assertions], 2, read_word, numbers)),
    ] {
        assert_eq!(findings, 2, "either may have been the last one");
    }
}

/// Who holds a mutex is one question; which thread that is, another one.
#[test]
fn holders_are_exchanged() {
    let thread = |f: &mut Body<'_>, ids: &[GlobalId]| {
        f.lock(ids[2]);
        f.write(ids[0], 1);
        let word = f.load(g(ids[2]), 32, Access { hidden: true, holder: true, ..PLAIN });
        let own = f.reg(64);
        f.op(Op::ThreadSelf { dst: own, place: false });
        let own = f.resize(Operand::Reg(own), 32, false);
        let mine = f.compare(CmpOp::Eq, Operand::Reg(word), Operand::Reg(own));
        f.check(Property::Locks, mine);
        f.lock(ids[3]);
        add(f, ids[1]);
        f.unlock(ids[3]);
        f.unlock(ids[2]);
    };
    let checked = [Property::Locks, Property::Deadlocks, Property::Assertions];
    let p = copies(&checked, 4, thread, |f, ids, i, _| {
        f.lock(ids[3]);
        let r = f.read(ids[1]);
        let enough = f.compare(CmpOp::Ule, c(i as u128 + 1, 32), Operand::Reg(r));
        f.check(Property::Assertions, enough);
        f.unlock(ids[3]);
    });
    let (alike, apart, findings) = compare(&p);
    assert_eq!(findings, 0);
    assert!(alike * 3 < apart * 2, "{alike} of {apart} states");
}

/// Threads that end with what they saw are told apart.
#[test]
fn results_are_seen() {
    let mut b = Builder::checking(&[Property::Assertions]);
    let x = b.global("x", 8);
    let func = b.function("t", &[], Some(64), |f| {
        let old = f.reg(64);
        let (op, value) = (raddle_ir::RmwOp::Add, c(1, 64));
        f.op(Op::Rmw { dst: old, op, addr: g(x), value, width: 64, access: ATOMIC });
        f.end(raddle_ir::Terminator::Return(Some(Operand::Reg(old))));
    });
    let main = b.thread("main", &[], |f| {
        let started = [f.create(func), f.create(func)];
        let results = started.map(|t| {
            let dst = f.reg(64);
            f.op(Op::Join { dst: Some(dst), thread: Operand::Reg(t) });
            dst
        });
        let twice = f.binary(BinOp::Add, Operand::Reg(results[0]), Operand::Reg(results[0]));
        let sum = f.binary(BinOp::Add, Operand::Reg(twice), Operand::Reg(results[1]));
        for value in [1, 2] {
            let not = f.compare(CmpOp::Ne, Operand::Reg(sum), c(value, 64));
            f.check(Property::Assertions, not);
        }
    });
    let (_, _, findings) = compare(&b.finish(main));
    assert_eq!(findings, 2, "either may have been the first one");
}
