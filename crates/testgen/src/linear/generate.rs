//! Random programs that run for ever, or not, with a formula.
//!
//! Two threads, two variables of one byte, a mutex. Statements: assignments, counting, conditions, spinning,
//! critical sections, atomic sections that wait (also ones that may wake for no reason), choices,
//! assumptions, calls, labels.

use raddle_ir::linear::{Atom, Computation, Formula, Part, Sentence};
use raddle_ir::{
    BinOp, CmpOp, Expr, FuncId, GlobalId, InputKind, InstrRef, Op, Operand, Program, Property,
    RegId, Terminator,
};
use raddle_testkit::Random;
use raddle_testkit::build::{Body, Builder, PLAIN, c, g, reg};

struct Globals {
    cells: [GlobalId; 2],
    mutex: GlobalId,
    helper: Option<FuncId>,
}

/// The program of a seed, with one formula, or with the question whether a thread waits for ever.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let starvation = random.chance(20);
    let property = if starvation { Property::Starvation } else { Property::Linear };
    let mut builder = Builder::checking(&[property]);
    let cells = [builder.global("x", 1), builder.global("y", 1)];
    let mutex = builder.global("m", 4);
    let mut globals = Globals { cells, mutex, helper: None };
    let helper = builder.function("helper", &[], None, |b| {
        statement(b, &mut random, &globals, 0);
        b.end(Terminator::Return(None));
    });
    globals.helper = Some(helper);
    let worker = builder.thread("worker", &[64], |b| {
        body(b, &mut random, &globals);
        b.end(Terminator::Return(Some(c(0, 64))));
    });
    let main = builder.function("main", &[], None, |b| {
        let id = b.reg(64);
        let func = Operand::Function(worker);
        b.op(Op::Create { dst: Some(id), func, args: vec![c(0, 64)] });
        body(b, &mut random, &globals);
        if random.chance(50) {
            b.op(Op::Join { dst: None, thread: reg(id) });
        }
        b.op(Op::Exit { leaks: false });
        b.end(Terminator::Stop);
    });
    let mut program = builder.finish(main);
    if !starvation {
        let atoms = atoms(&mut random, &program, &globals, worker);
        let formula = formula(&mut random, 3, atoms.len());
        let (text, source) = (format!("{formula:?}"), "generated".to_string());
        program.linear.formulas.push(Sentence { text, source, line: 1, formula, atoms });
    }
    program
}

/// What a thread does: something, perhaps in an endless loop.
fn body(b: &mut Body<'_>, random: &mut Random, globals: &Globals) {
    if random.chance(30) {
        statement(b, random, globals, 1);
    }
    if random.chance(65) {
        let (head, after) = (b.block(), b.block());
        b.goto(head);
        for _more in 0..1 + random.index(2) {
            statement(b, random, globals, 1);
        }
        b.end(Terminator::Goto(head));
        b.at = after;
    } else {
        statement(b, random, globals, 1);
    }
}

fn value(random: &mut Random) -> u128 {
    u128::from(random.below(3))
}

/// Whether a variable has a value.
fn test(b: &mut Body<'_>, random: &mut Random, cell: GlobalId) -> RegId {
    let loaded = b.load(g(cell), 8, PLAIN);
    let op = random.pick(&[CmpOp::Eq, CmpOp::Ne]);
    b.compare(op, reg(loaded), c(value(random), 8))
}

fn statement(b: &mut Body<'_>, random: &mut Random, globals: &Globals, depth: usize) {
    let cell = random.pick(&globals.cells);
    match random.index(if depth == 0 { 4 } else { 11 }) {
        0 | 1 => {
            b.store(g(cell), c(value(random), 8), PLAIN);
        }
        2 => {
            let old = b.load(g(cell), 8, PLAIN);
            let more = b.binary(BinOp::Add, reg(old), c(1, 8));
            let new = b.binary(BinOp::And, reg(more), c(1, 8));
            b.store(g(cell), reg(new), PLAIN);
        }
        3 => {
            let cond = Operand::Const(raddle_ir::Const::new(1, 1));
            let message = "label".to_string();
            b.op(Op::Check { property: Property::Linear, cond, message });
        }
        4 => {
            let cond = test(b, random, cell);
            let (then, after) = (b.block(), b.block());
            b.branch(cond, then, after);
            b.at = then;
            statement(b, random, globals, depth - 1);
            b.goto(after);
        }
        5 => {
            let (head, after) = (b.block(), b.block());
            b.goto(head);
            let cond = test(b, random, cell);
            b.branch(cond, head, after);
            b.at = after;
        }
        6 => {
            b.op(Op::Lock { mutex: g(globals.mutex), wait: false });
            statement(b, random, globals, depth - 1);
            b.op(Op::Unlock { mutex: g(globals.mutex), wait: false });
        }
        7 => {
            b.op(Op::AtomicBegin);
            let cond = test(b, random, cell);
            b.op(Op::Block { cond: reg(cond), spurious: random.chance(30) });
            let other = random.pick(&globals.cells);
            for _write in 0..1 + random.index(2) {
                b.store(g(other), c(value(random), 8), PLAIN);
            }
            b.op(Op::AtomicEnd);
        }
        8 => {
            let chosen = b.reg(8);
            let (kind, name) = (InputKind::Choice(2), "choice".to_string());
            b.op(Op::Input { dst: chosen, kind, name });
            b.store(g(cell), reg(chosen), PLAIN);
        }
        9 => {
            let cond = test(b, random, cell);
            b.op(Op::Assume { cond: reg(cond) });
        }
        _ => {
            if let Some(helper) = globals.helper {
                let callee = raddle_ir::Callee::Direct(helper);
                b.op(Op::Call { dst: None, callee, args: Vec::new() });
            }
        }
    }
}

fn atoms(random: &mut Random, program: &Program, globals: &Globals, worker: FuncId) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for cell in globals.cells {
        let mut made = Computation::default();
        let part = made.part(Part { global: cell, offset: 0, bytes: 1 });
        let compare = Expr::Compare { op: CmpOp::Eq, a: part, b: c(value(random), 8) };
        made.result = Some(made.step(compare, 1));
        atoms.push(Atom::Value(made));
    }
    atoms.push(match random.index(3) {
        0 => Atom::Before(marks(program)),
        1 => Atom::Inside(globals.helper.unwrap_or(worker)),
        _ => Atom::Terminated(worker),
    });
    atoms
}

/// Behind the instructions that mark labels.
fn marks(program: &Program) -> Vec<InstrRef> {
    let mut all = Vec::new();
    for func in program.function_ids() {
        for block in program.function(func).block_ids() {
            for (index, instr) in (1..).zip(&program.function(func).block(block).instrs) {
                if matches!(instr.op, Op::Check { property: Property::Linear, .. }) {
                    all.push(InstrRef { func, block, index });
                }
            }
        }
    }
    all
}

fn formula(random: &mut Random, depth: usize, atoms: usize) -> Formula {
    if depth == 0 || random.chance(15) {
        return Formula::Atom(random.index(atoms));
    }
    let mut inside = || Box::new(formula(random, depth - 1, atoms));
    let (a, b) = (inside(), inside());
    match random.index(9) {
        0 => Formula::Not(a),
        1 => Formula::And(a, b),
        2 => Formula::Or(a, b),
        3 => Formula::Next(a),
        4 => Formula::Release(a, b),
        5 => Formula::Until(a, b),
        6 => Formula::Until(Box::new(Formula::True), b),
        7 => Formula::Release(Box::new(Formula::False), b),
        _ => Formula::Release(
            Box::new(Formula::False),
            Box::new(Formula::Until(Box::new(Formula::True), b)),
        ),
    }
}
