//! Mutexes that are certainly held.

mod common;

use common::*;
use raddle_ir::{CastOp, CmpOp, Expr, GlobalId, InputKind, Op, Operand, Terminator};

/// A program with mutexes `m`, `n`, data `x`, main that creates `worker` twice and then runs
/// the given blocks itself, and a library: lock(p), unlock(p), recursive_lock(p), trylock(p),
/// wait(p).
const LOCK: u32 = 2;
const UNLOCK: u32 = 3;
const REENTER: u32 = 4;
const TRYLOCK: u32 = 5;
const WAIT: u32 = 6;
const INIT: u32 = 7;

struct Mutexes {
    m: GlobalId,
    n: GlobalId,
    x: GlobalId,
}

fn program(main: impl Fn(&Mutexes) -> Vec<(Vec<Op>, Terminator)>) -> (Facts, Mutexes) {
    program_with(main, |_| vec![])
}

fn program_with(
    main: impl Fn(&Mutexes) -> Vec<(Vec<Op>, Terminator)>,
    worker: impl Fn(&Mutexes) -> Vec<Op>,
) -> (Facts, Mutexes) {
    let mut b = Build::new();
    let g = Mutexes { m: b.global("m", 40), n: b.global("n", 40), x: b.global("x", 8) };
    let mut blocks = main(&g);
    blocks[0].0.insert(0, create(code(1), &[num(0)]));
    b.func("main", 0, blocks);
    b.func("worker", 1, vec![(worker(&g), ret())]);
    b.func("lock", 1, vec![(vec![copy(r(1), reg(r(0))), lock(reg(r(1)))], ret())]);
    b.func("unlock", 1, vec![(vec![unlock(reg(r(0)))], ret())]);
    reenter(&mut b);
    trylock(&mut b);
    let choose = Op::Input { dst: self::b(0), kind: InputKind::External, name: String::new() };
    b.func(
        "wait",
        1,
        vec![
            (vec![choose], branch(self::b(0), 1, 2)),
            (vec![unlock(reg(r(0))), lock(reg(r(0)))], goto(2)),
            (vec![], ret()),
        ],
    );
    b.func(
        "init",
        1,
        vec![(vec![offset(r(1), reg(r(0)), num(0)), store(reg(r(1)), num(0))], ret())],
    );
    (b.facts(), g)
}

/// if (word == self) count++; else lock
fn reenter(b: &mut Build) {
    b.func(
        "reenter",
        1,
        vec![
            (
                vec![
                    load(w(0), reg(r(0))),
                    Op::ThreadSelf { dst: r(1), place: false },
                    set(w(1), Expr::Cast { op: CastOp::Trunc, a: reg(r(1)), width: 32 }),
                    compare(self::b(0), CmpOp::Eq, reg(w(0)), reg(w(1))),
                ],
                branch(self::b(0), 1, 2),
            ),
            (vec![offset(r(2), reg(r(0)), num(8)), store(reg(r(2)), num(1))], goto(3)),
            (vec![lock(reg(r(0)))], goto(3)),
            (vec![], ret()),
        ],
    );
}

/// r2 = trylock ? 0 : 16, in a block of its own, and returned by another.
fn trylock(b: &mut Build) {
    let choose = Expr::Select { cond: reg(self::b(0)), a: num(0), b: num(16) };
    b.func(
        "trylock",
        1,
        vec![
            (
                vec![
                    Op::TryLock { dst: w(0), mutex: reg(r(0)) },
                    compare(self::b(0), CmpOp::Ne, reg(w(0)), num32(0)),
                    set(r(2), choose),
                ],
                goto(1),
            ),
            (vec![], ret_value(reg(r(2)))),
        ],
    );
}

fn lib(f: u32, mutex: GlobalId) -> Op {
    call(None, code(f), &[addr(mutex)])
}

/// The names of the mutexes held in main at instruction `index` of a block.
fn held(facts: &Facts, block: u32, index: u32) -> Vec<String> {
    let held = facts.locks.held(at(facts.func("main"), block, index));
    held.iter().map(|m| facts.program.global(m.0).name.clone()).collect()
}

fn check(ops: impl Fn(&Mutexes) -> Vec<Op>, expected: &[&str]) {
    let (facts, _) = program(|g| vec![(ops(g), ret())]);
    let end = facts.program.functions[0].blocks[0].instrs.len() as u32;
    assert_eq!(held(&facts, 0, end), expected);
}

#[test]
fn straight_lines() {
    check(|_| vec![], &[]);
    check(|g| vec![lock(addr(g.m))], &["m"]);
    check(|g| vec![lib(LOCK, g.m)], &["m"]);
    check(|g| vec![lib(LOCK, g.m), lib(LOCK, g.n)], &["m", "n"]);
    check(|g| vec![lib(LOCK, g.m), lib(LOCK, g.n), lib(UNLOCK, g.m)], &["n"]);
    check(|g| vec![lib(REENTER, g.m)], &["m"]);
    check(|g| vec![lib(LOCK, g.m), lib(WAIT, g.m)], &["m"]);
    check(|g| vec![lib(LOCK, g.m), store(addr(g.x), num(1))], &["m"]);
    // What is not known to be a certain mutex.
    check(|_| vec![input(r(1)), lock(reg(r(1)))], &[]);
    check(|g| vec![lib(LOCK, g.m), input(r(1)), unlock(reg(r(1)))], &[]);
    check(|g| vec![call(None, code(TRYLOCK), &[addr(g.m)])], &[]);
}

#[test]
fn branches() {
    let choose = || Op::Input { dst: b(0), kind: InputKind::External, name: String::new() };
    let (facts, _) = program(|g| {
        vec![
            (vec![lib(LOCK, g.m), choose()], branch(b(0), 1, 2)),
            (vec![lib(LOCK, g.n)], goto(3)),
            (vec![lib(UNLOCK, g.m), lib(LOCK, g.m)], goto(3)),
            (vec![nop(), lib(UNLOCK, g.m)], ret()),
        ]
    });
    assert_eq!(held(&facts, 1, 1), ["m", "n"]);
    assert_eq!(held(&facts, 2, 1), [""; 0]);
    assert_eq!(held(&facts, 3, 0), ["m"]);
    // A loop that unlocks on its way back.
    let (facts, _) = program(|g| {
        vec![
            (vec![lib(LOCK, g.m)], goto(1)),
            (vec![choose()], branch(b(0), 2, 3)),
            (vec![lib(LOCK, g.m), lib(UNLOCK, g.m)], goto(1)),
            (vec![], ret()),
        ]
    });
    assert_eq!(held(&facts, 1, 0), [""; 0]);
}

#[test]
fn a_successful_attempt_holds() {
    let (facts, _) = program(|g| {
        vec![
            (
                vec![
                    call(Some(r(1)), code(TRYLOCK), &[addr(g.m)]),
                    compare(b(0), CmpOp::Eq, reg(r(1)), num(0)),
                ],
                branch(b(0), 1, 2),
            ),
            (vec![nop(), lib(UNLOCK, g.m)], ret()),
            (vec![nop()], ret()),
        ]
    });
    assert_eq!(held(&facts, 1, 0), ["m"]);
    assert_eq!(held(&facts, 2, 0), [""; 0]);
}

#[test]
fn what_a_condition_told_is_not_believed_after_an_unlock() {
    let after = |unlocks: bool| {
        let (facts, _) = program(|g| {
            let mut ops = vec![
                lib(LOCK, g.m),
                load(w(0), addr(g.m)),
                Op::ThreadSelf { dst: r(1), place: false },
                set(w(1), Expr::Cast { op: CastOp::Trunc, a: reg(r(1)), width: 32 }),
                compare(b(0), CmpOp::Eq, reg(w(0)), reg(w(1))),
            ];
            if unlocks {
                ops.push(lib(UNLOCK, g.m));
            }
            vec![(ops, branch(b(0), 1, 2)), (vec![nop()], ret()), (vec![nop()], ret())]
        });
        held(&facts, 1, 0)
    };
    assert_eq!(after(false), ["m"]);
    assert_eq!(after(true), [""; 0]);
}

#[test]
fn held_at_entry() {
    let mut b = Build::new();
    let m = b.global("m", 40);
    let x = b.global("x", 8);
    let put = || store(addr(x), num(1));
    let around = |f: u32| vec![lock(addr(m)), call(None, code(f), &[]), unlock(addr(m))];
    let mut main = vec![create(code(1), &[])];
    main.extend(around(2));
    main.push(call(None, code(3), &[]));
    b.func("main", 0, vec![(main, ret())]);
    let mut thread = around(2);
    thread.extend(around(3));
    b.func("thread", 0, vec![(thread, ret())]);
    b.func("inner", 0, vec![(vec![put()], ret())]);
    b.func("sometimes", 0, vec![(vec![put()], ret())]);
    let facts = b.facts();
    let inner = at(facts.func("inner"), 0, 0);
    assert_eq!(facts.locks.held(inner), [(m, 0)]);
    assert_eq!(facts.locks.held(at(facts.func("sometimes"), 0, 0)), []);
    assert!(facts.locks.exclude(inner, inner));
}

#[test]
fn undisciplined_mutexes_exclude_nobody() {
    let main = |g: &Mutexes| vec![(vec![lib(LOCK, g.m), nop(), lib(UNLOCK, g.m)], ret())];
    let check = |worker: fn(&Mutexes) -> Vec<Op>, expected: &[&str]| {
        let (facts, _) = program_with(main, worker);
        assert_eq!(held(&facts, 0, 2), expected);
    };
    check(|g| vec![lib(LOCK, g.m), lib(UNLOCK, g.m)], &["m"]);
    check(|g| vec![lib(UNLOCK, g.m)], &[]);
    check(|g| vec![unlock(addr(g.m))], &[]);
    check(|g| vec![lib(UNLOCK, g.n)], &["m"]);
    check(|g| vec![lib(LOCK, g.m), lib(UNLOCK, g.m), lib(UNLOCK, g.m)], &[]);
    check(|g| vec![store(addr(g.m), num(0))], &[]);
    check(|g| vec![lib(INIT, g.m)], &[]);
    check(|g| vec![store(Operand::Global(g.m, 8), num(0))], &["m"]);
    check(|_| vec![unlock(reg(r(0)))], &["m"]);
    check(|g| vec![input(r(1)), offset(r(2), addr(g.m), reg(r(1))), store(reg(r(2)), num(1))], &[]);
}

#[test]
fn initialisation_before_the_first_thread_does_no_harm() {
    let mut b = Build::new();
    let m = b.global("m", 40);
    let store32 =
        Op::Store { addr: addr(m), value: num32(0), width: 32, access: Default::default() };
    let main = vec![store32, create(code(1), &[]), lock(addr(m)), nop(), unlock(addr(m))];
    b.func("main", 0, vec![(main, ret())]);
    b.func("worker", 0, vec![(vec![lock(addr(m)), unlock(addr(m))], ret())]);
    let facts = b.facts();
    assert_eq!(held(&facts, 0, 3), ["m"]);
}
