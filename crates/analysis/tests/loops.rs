//! Counting loops, pure loops, reachable checks, effects.

mod common;

use common::*;
use raddle_analysis::Effects;
use raddle_ir::{AllocKind, BinOp, CastOp, CmpOp, Expr, FuncId, Op, Operand, Terminator};

/// `r(1) = init; while (r(1) op limit) { body; r(1) = r(1) step by; }`
fn counting(init: Operand, op: CmpOp, limit: Operand, step: BinOp, by: i64) -> Option<u64> {
    let mut b = Build::new();
    b.func(
        "main",
        0,
        vec![
            (vec![copy(r(2), num(10)), input(r(3)), copy(r(1), init)], goto(1)),
            (vec![compare(self::b(0), op, reg(r(1)), limit)], branch(self::b(0), 2, 3)),
            (vec![nop(), binary(r(4), step, reg(r(1)), num(by)), copy(r(1), reg(r(4)))], goto(1)),
            (vec![], ret()),
        ],
    );
    b.facts().loops.bound(FuncId(0), 0)
}

#[test]
fn bounds() {
    let cases = [
        (num(0), CmpOp::Slt, num(10), BinOp::Add, 1, Some(10)),
        (num(0), CmpOp::Sle, num(10), BinOp::Add, 1, Some(11)),
        (num(0), CmpOp::Slt, num(10), BinOp::Add, 3, Some(4)),
        (num(10), CmpOp::Sgt, num(0), BinOp::Sub, 1, Some(10)),
        (num(10), CmpOp::Slt, num(0), BinOp::Add, 1, Some(0)),
        (num(0), CmpOp::Ne, num(4), BinOp::Add, 1, Some(4)),
        (num(1), CmpOp::Ult, num(100), BinOp::Mul, 2, Some(7)),
        // The limit in a register that the loop leaves alone.
        (num(0), CmpOp::Slt, reg(r(2)), BinOp::Add, 1, Some(10)),
        // Unknown limit or start, no progress, no end in sight.
        (num(0), CmpOp::Slt, reg(r(3)), BinOp::Add, 1, None),
        (reg(r(3)), CmpOp::Slt, num(10), BinOp::Add, 1, None),
        (num(0), CmpOp::Slt, num(10), BinOp::Add, 0, None),
        (num(0), CmpOp::Sge, num(0), BinOp::Add, 1, None),
        (num(1), CmpOp::Ne, num(0), BinOp::Add, 2, None),
    ];
    for (i, (init, op, limit, step, by, expected)) in cases.into_iter().enumerate() {
        assert_eq!(counting(init, op, limit, step, by), expected, "case {i}");
    }
}

#[test]
fn bounds_of_other_shapes() {
    // do { r1++; } while (r1 != 3), with a wider copy in the condition.
    let mut b = Build::new();
    let widen = Expr::Cast { op: CastOp::SignExtend, a: reg(w(1)), width: 64 };
    b.func(
        "main",
        0,
        vec![
            (vec![copy(w(1), num32(0))], goto(1)),
            (vec![binary(w(1), BinOp::Add, reg(w(1)), num32(1))], goto(2)),
            (
                vec![set(r(5), widen), compare(self::b(0), CmpOp::Ne, reg(r(5)), num(3))],
                branch(self::b(0), 1, 3),
            ),
            (vec![], ret()),
        ],
    );
    assert_eq!(b.facts().loops.bound(FuncId(0), 0), Some(2));

    // The step is skipped on some path: no bound.
    let mut b = Build::new();
    b.func(
        "main",
        0,
        vec![
            (vec![copy(r(1), num(0))], goto(1)),
            (vec![compare(self::b(0), CmpOp::Slt, reg(r(1)), num(3))], branch(self::b(0), 2, 5)),
            (
                vec![Op::Input {
                    dst: self::b(1),
                    kind: raddle_ir::InputKind::External,
                    name: String::new(),
                }],
                branch(self::b(1), 3, 4),
            ),
            (vec![binary(r(1), BinOp::Add, reg(r(1)), num(1))], goto(4)),
            (vec![], goto(1)),
            (vec![], ret()),
        ],
    );
    assert_eq!(b.facts().loops.bound(FuncId(0), 0), None);

    // Nested: both have bounds; the inner counter is set anew each time.
    let mut b = Build::new();
    b.func(
        "main",
        0,
        vec![
            (vec![copy(r(1), num(0))], goto(1)),
            (vec![compare(self::b(0), CmpOp::Slt, reg(r(1)), num(3))], branch(self::b(0), 2, 6)),
            (vec![copy(r(2), num(0))], goto(3)),
            (vec![compare(self::b(1), CmpOp::Slt, reg(r(2)), num(5))], branch(self::b(1), 4, 5)),
            (vec![binary(r(2), BinOp::Add, reg(r(2)), num(1))], goto(3)),
            (vec![binary(r(1), BinOp::Add, reg(r(1)), num(1))], goto(1)),
            (vec![], ret()),
        ],
    );
    let facts = b.facts();
    assert_eq!(facts.loops.bound(FuncId(0), 0), Some(3));
    assert_eq!(facts.loops.bound(FuncId(0), 1), Some(5));
}

/// `while (!x) body`, where function 1 is pure, 2 writes to its own stack, 3 writes a global.
fn pure_loop(body: impl Fn(Operand) -> Vec<Op>) -> bool {
    let mut b = Build::new();
    let x = b.global("x", 8);
    let y = b.global("y", 8);
    b.func(
        "main",
        0,
        vec![
            (vec![copy(r(8), num(0)), alloc(r(7), "local", AllocKind::Stack)], goto(1)),
            (
                vec![load(r(1), addr(x)), compare(self::b(0), CmpOp::Eq, reg(r(1)), num(0))],
                branch(self::b(0), 2, 3),
            ),
            (body(addr(y)), goto(1)),
            (vec![], ret_value(reg(r(8)))),
        ],
    );
    b.func("get", 0, vec![(vec![load(r(1), addr(y))], ret_value(reg(r(1))))]);
    let own = vec![alloc(r(1), "own", AllocKind::Stack), store(reg(r(1)), num(1))];
    b.func("own_stack", 0, vec![(own, ret())]);
    b.func("write", 0, vec![(vec![store(addr(y), num(1))], ret())]);
    b.facts().loops.is_pure(FuncId(0), 0)
}

#[test]
fn purity() {
    assert!(pure_loop(|_| vec![]));
    assert!(pure_loop(|y| vec![load(r(2), y), nop()]));
    assert!(pure_loop(|_| vec![call(Some(r(2)), code(1), &[])]));
    assert!(pure_loop(|_| vec![call(None, code(2), &[])]));
    assert!(!pure_loop(|_| vec![call(None, code(3), &[])]));
    assert!(!pure_loop(|y| vec![store(y, num(1))]));
    assert!(!pure_loop(|_| vec![store(reg(r(7)), num(1))]), "it outlives the iteration");
    assert!(!pure_loop(|_| vec![binary(r(8), BinOp::Add, reg(r(8)), num(1))]), "live at the head");
    assert!(!pure_loop(|_| vec![alloc(r(2), "a", AllocKind::Heap)]));
    assert!(!pure_loop(|y| vec![lock(y)]));
    assert!(!pure_loop(|_| vec![create(code(1), &[])]));
    assert!(!pure_loop(|_| vec![input(r(3)), call(None, reg(r(3)), &[])]), "unknown function");
}

#[test]
fn reach_and_effects() {
    let mut b = Build::new();
    let x = b.global("x", 8);
    b.func(
        "main",
        0,
        vec![
            (
                vec![copy(self::b(0), Operand::Const(raddle_ir::Const::new(1, 1)))],
                branch(self::b(0), 1, 2),
            ),
            (vec![call(None, code(1), &[]), nop()], ret()),
            (vec![create(code(2), &[])], Terminator::Goto(raddle_ir::BlockId(3))),
            (vec![nop()], ret()),
        ],
    );
    b.func("quiet", 0, vec![(vec![store(addr(x), num(1))], ret())]);
    b.func("thread", 0, vec![(vec![call(None, code(3), &[])], ret())]);
    let truth = Operand::Const(raddle_ir::Const::new(1, 1));
    b.func("checks", 0, vec![(vec![check(truth), nop()], ret())]);
    let facts = b.facts();
    let [main, quiet, thread, checks] =
        ["main", "quiet", "thread", "checks"].map(|n| facts.func(n));
    let reaching = [main, quiet, thread, checks].map(|f| facts.reach.function(f));
    assert_eq!(reaching, [true, false, true, true]);
    let blocks = [0, 1, 2, 3].map(|i| facts.reach.block(main, raddle_ir::BlockId(i)));
    assert_eq!(blocks, [true, false, true, false]);
    assert!(facts.reach.instruction(at(checks, 0, 0)));
    assert!(!facts.reach.instruction(at(checks, 0, 1)));
    assert!(facts.effects.of(quiet).has(Effects::WRITES));
    assert!(facts.effects.of(thread).has(Effects::CHECKS));
    assert!(facts.effects.of(main).has(Effects::CREATES));
    assert!(!facts.effects.of(main).has(Effects::CHECKS), "the thread's effects are its own");
}
