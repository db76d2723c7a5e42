//! Where addresses lead.

mod common;

use common::*;
use raddle_ir::{AllocKind, BinOp, CastOp, Expr, Op, Operand, RmwOp};

/// The names that `r(9)` of the first function may lead to.
fn check(build: impl FnOnce(&mut Build), expected: &[&str]) {
    let mut b = Build::new();
    build(&mut b);
    let facts = b.facts();
    assert_eq!(facts.names(raddle_ir::FuncId(0), reg(r(9))), expected);
}

fn main_with(b: &mut Build, ops: Vec<Op>) {
    b.func("main", 0, vec![(ops, ret())]);
}

#[test]
fn registers_and_arithmetic() {
    check(
        |b| {
            let x = b.global("x", 8);
            main_with(b, vec![copy(r(1), addr(x)), copy(r(9), reg(r(1)))]);
        },
        &["x"],
    );
    check(
        |b| {
            let (x, y) = (b.global("x", 8), b.global("y", 8));
            let choose = Expr::Select { cond: reg(self::b(0)), a: addr(x), b: reg(r(1)) };
            main_with(
                b,
                vec![
                    Op::Input {
                        dst: self::b(0),
                        kind: raddle_ir::InputKind::External,
                        name: String::new(),
                    },
                    copy(r(1), addr(y)),
                    set(r(9), choose),
                ],
            );
        },
        &["x", "y"],
    );
    // Tag bits on and off, through an integer of the same width.
    check(
        |b| {
            let x = b.global("x", 8);
            main_with(
                b,
                vec![
                    binary(r(1), BinOp::Or, addr(x), num(1)),
                    binary(r(9), BinOp::And, reg(r(1)), num(-8)),
                ],
            );
        },
        &["x"],
    );
    check(|b| main_with(b, vec![input(r(9))]), &["?"]);
    check(|b| main_with(b, vec![copy(r(9), num(12))]), &[]);
    check(|b| main_with(b, vec![copy(r(9), num(-1))]), &[]);
    // The address of a global as a plain number.
    check(
        |b| {
            b.global("x", 8);
            main_with(b, vec![copy(r(9), num(0x10004))]);
        },
        &["x"],
    );
}

#[test]
fn fields_are_told_apart() {
    let fields = |read: Operand| {
        move |b: &mut Build| {
            let (s, x, y) = (b.global("s", 16), b.global("x", 8), b.global("y", 8));
            assert_eq!(s.0, 0);
            main_with(
                b,
                vec![
                    store(addr(s), addr(x)),
                    offset(r(1), addr(s), num(8)),
                    store(reg(r(1)), addr(y)),
                    offset(r(2), addr(s), read),
                    load(r(9), reg(r(2))),
                ],
            );
        }
    };
    check(fields(num(0)), &["x"]);
    check(fields(num(8)), &["y"]);
    check(
        |b| {
            let (s, x, y) = (b.global("s", 16), b.global("x", 8), b.global("y", 8));
            main_with(
                b,
                vec![
                    store(addr(s), addr(x)),
                    store(Operand::Global(s, 8), addr(y)),
                    input(r(3)),
                    offset(r(2), addr(s), reg(r(3))),
                    load(r(9), reg(r(2))),
                ],
            );
        },
        &["x", "y"],
    );
    // A store somewhere is seen everywhere.
    check(
        |b| {
            let (s, x) = (b.global("s", 16), b.global("x", 8));
            main_with(
                b,
                vec![
                    input(r(3)),
                    offset(r(2), addr(s), reg(r(3))),
                    store(reg(r(2)), addr(x)),
                    load(r(9), Operand::Global(s, 8)),
                ],
            );
        },
        &["x"],
    );
}

#[test]
fn bytes_carry_addresses() {
    check(
        |b| {
            let (s, t, x) = (b.global("s", 8), b.global("t", 8), b.global("x", 8));
            let byte = |dst, from| set(dst, Expr::Cast { op: CastOp::Trunc, a: from, width: 32 });
            main_with(
                b,
                vec![
                    store(addr(s), addr(x)),
                    load(w(0), addr(s)),
                    Op::Store {
                        addr: addr(t),
                        value: reg(w(0)),
                        width: 32,
                        access: Default::default(),
                    },
                    load(r(1), addr(t)),
                    byte(w(1), reg(r(1))),
                    set(r(9), Expr::Cast { op: CastOp::ZeroExtend, a: reg(w(1)), width: 64 }),
                ],
            );
        },
        &["x"],
    );
}

#[test]
fn heap_lists_and_atomics() {
    check(
        |b| {
            let head = b.global("head", 8);
            main_with(
                b,
                vec![
                    alloc(r(1), "node", AllocKind::Heap),
                    load(r(2), addr(head)),
                    store(reg(r(1)), reg(r(2))),
                    store(addr(head), reg(r(1))),
                    load(r(3), addr(head)),
                    load(r(9), reg(r(3))),
                ],
            );
        },
        &["node"],
    );
    check(
        |b| {
            let (s, x, y) = (b.global("s", 8), b.global("x", 8), b.global("y", 8));
            main_with(
                b,
                vec![
                    Op::CompareExchange {
                        old: r(1),
                        ok: self::b(0),
                        addr: addr(s),
                        expected: num(0),
                        new: addr(x),
                        width: 64,
                        access: Default::default(),
                        weak: false,
                    },
                    Op::Rmw {
                        dst: r(9),
                        op: RmwOp::Exchange,
                        addr: addr(s),
                        value: addr(y),
                        width: 64,
                        access: Default::default(),
                    },
                ],
            );
        },
        &["x", "y"],
    );
}

#[test]
fn calls_and_threads() {
    // A table of functions; the callee returns its argument.
    check(
        |b| {
            let (table, x) = (b.global("table", 16), b.global("x", 8));
            b.program.globals[0].pointers.push((8, code(1)));
            main_with(
                b,
                vec![
                    load(r(1), Operand::Global(table, 8)),
                    call(Some(r(9)), reg(r(1)), &[addr(x)]),
                ],
            );
            b.func("identity", 1, vec![(vec![], ret_value(reg(r(0))))]);
        },
        &["x"],
    );
    // Arguments go to a thread, its result comes back through a join.
    check(
        |b| {
            let (x, y) = (b.global("x", 8), b.global("y", 8));
            main_with(
                b,
                vec![create(code(1), &[addr(x)]), Op::Join { dst: Some(r(9)), thread: num(2) }],
            );
            let exit = vec![Op::ThreadExit { value: addr(y) }];
            b.func(
                "thread",
                1,
                vec![
                    (
                        vec![Op::Input {
                            dst: self::b(0),
                            kind: raddle_ir::InputKind::External,
                            name: String::new(),
                        }],
                        branch(self::b(0), 1, 2),
                    ),
                    (vec![], ret_value(reg(r(0)))),
                    (exit, raddle_ir::Terminator::Stop),
                ],
            );
        },
        &["x", "y"],
    );
}

#[test]
fn cycles_with_steps_end() {
    // p = p + 1 in a loop, and a list that runs through its own middle.
    check(
        |b| {
            let x = b.global("x", 4096);
            b.func(
                "main",
                0,
                vec![
                    (vec![copy(r(9), addr(x))], goto(1)),
                    (
                        vec![
                            offset(r(9), reg(r(9)), num(8)),
                            store(reg(r(9)), reg(r(9))),
                            load(r(9), reg(r(9))),
                        ],
                        goto(1),
                    ),
                ],
            );
        },
        &["x"],
    );
}
