//! Points-to sets against executions: random programs are run step by step, and every address that
//! a register ever holds must be in its set.

mod common;

use common::*;
use raddle_ir::{AllocKind, BinOp, Expr, FuncId, GlobalId, Op, Operand};
use raddle_testkit::Random;
use rustc_hash::FxHashMap;

/// A value of an execution: an object (a global, or an allocation of main by instruction) and an
/// offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Value {
    Number,
    Address(Place, i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Global(GlobalId),
    Alloc(usize),
    Code(FuncId),
}

const REGS: u32 = 6;
const GLOBALS: u32 = 3;
const SIZE: i64 = 32;

fn operand(random: &mut Random) -> Operand {
    match random.below(8) {
        0 => addr(GlobalId(random.below(u64::from(GLOBALS)) as u32)),
        1 => Operand::Global(GlobalId(random.below(u64::from(GLOBALS)) as u32), 8),
        2 => code(1),
        _ => reg(r(random.below(u64::from(REGS)) as u32)),
    }
}

fn instruction(random: &mut Random) -> Op {
    let dst = r(random.below(u64::from(REGS)) as u32);
    let (a, b) = (operand(random), operand(random));
    match random.below(10) {
        0 => copy(dst, a),
        1 => alloc(dst, "heap", AllocKind::Heap),
        2 => offset(dst, a, num(8 * (random.below(5) as i64 - 2))),
        3 | 4 => load(dst, a),
        5 | 6 => store(a, b),
        7 => set(dst, Expr::Select { cond: reg(self::b(0)), a, b }),
        8 => call(Some(dst), code(1), &[a, b]),
        _ => binary(dst, BinOp::Or, a, num(0)),
    }
}

/// The state of one run of main.
struct Run {
    regs: FxHashMap<u32, Value>,
    memory: FxHashMap<(Place, i64), Value>,
}

impl Run {
    fn value(&self, operand: Operand) -> Value {
        match operand {
            Operand::Reg(r) => self.regs.get(&r.0).copied().unwrap_or(Value::Number),
            Operand::Global(g, offset) => Value::Address(Place::Global(g), offset),
            Operand::Function(f) => Value::Address(Place::Code(f), 0),
            Operand::Const(_) => Value::Number,
        }
    }

    /// `None` where the access is invalid: the thread ends.
    fn cell(&self, operand: Operand) -> Option<(Place, i64)> {
        match self.value(operand) {
            Value::Address(place @ (Place::Global(_) | Place::Alloc(_)), offset) => {
                (0..=SIZE - 8).contains(&offset).then_some((place, offset))
            }
            Value::Address(Place::Code(_), _) | Value::Number => None,
        }
    }

    fn read(&self, operand: Operand) -> Option<Value> {
        Some(self.memory.get(&self.cell(operand)?).copied().unwrap_or(Value::Number))
    }

    /// Runs an instruction; `None` if the thread ends there.
    fn step(&mut self, index: usize, op: &Op, choice: bool) -> Option<()> {
        let (dst, value) = match op {
            Op::Alloc { dst, .. } => (*dst, Value::Address(Place::Alloc(index), 0)),
            Op::Load { dst, addr, .. } => (*dst, self.read(*addr)?),
            Op::Store { addr, value, .. } => {
                let cell = self.cell(*addr)?;
                self.memory.insert(cell, self.value(*value));
                return Some(());
            }
            Op::Call { dst: Some(dst), args, .. } => {
                // The callee swaps: old = *a; *a = b; return old.
                let old = self.read(args[0])?;
                let cell = self.cell(args[0])?;
                self.memory.insert(cell, self.value(args[1]));
                (*dst, old)
            }
            Op::Assign { dst, value } => {
                let value = match *value {
                    Expr::Use(a) | Expr::Binary { a, .. } => self.value(a),
                    Expr::Select { a, b, .. } => self.value(if choice { a } else { b }),
                    Expr::Offset { base, offset: Operand::Const(c) } => match self.value(base) {
                        Value::Address(p, o) => Value::Address(p, o + c.value as i64),
                        Value::Number => Value::Number,
                    },
                    ref other => panic!("not generated: {other:?}"),
                };
                (*dst, value)
            }
            other => panic!("not generated: {other:?}"),
        };
        self.regs.insert(dst.0, value);
        Some(())
    }
}

fn check(facts: &Facts, random: &mut Random) -> usize {
    let mut run = Run { regs: FxHashMap::default(), memory: FxHashMap::default() };
    let objects = facts.points_to.objects();
    let main = &facts.program.functions[0];
    let mut compared = 0;
    for round in 0..2 {
        for (i, instr) in main.blocks[1].instrs.iter().enumerate() {
            // An invalid access would end the thread; skipping it instead tests more, as if a
            // branch led around it.
            if run.step(i, &instr.op, random.below(2) == 0).is_none() {
                continue;
            }
            for dst in instr.op.defs() {
                let Value::Address(place, offset) = run.value(reg(dst)) else { continue };
                let object = match place {
                    Place::Global(g) => objects.global(g),
                    Place::Code(f) => objects.function(f),
                    Place::Alloc(i) => objects.allocs(at(FuncId(0), 1, i as u32))[0],
                };
                let found = facts.points_to.locations(FuncId(0), reg(dst));
                let hit = found
                    .iter()
                    .any(|l| l.0 == object && l.1.is_none_or(|o| u64::try_from(offset) == Ok(o)));
                assert!(hit, "round {round}, instruction {i}: {place:?}+{offset} not in {found:?}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn executions_stay_within_the_sets() {
    let mut random = Random::new(0x5eed);
    let mut compared = 0;
    for _ in 0..1500 {
        let mut build = Build::new();
        for i in 0..GLOBALS {
            build.global(&format!("g{i}"), SIZE as u64);
        }
        // Registers start as null: only executed instructions make addresses.
        let start = (0..REGS).map(|i| copy(r(i), num(0))).collect();
        let flip =
            Op::Input { dst: b(0), kind: raddle_ir::InputKind::External, name: String::new() };
        let mut first: Vec<Op> = start;
        first.push(flip);
        let body: Vec<Op> = (0..30).map(|_| instruction(&mut random)).collect();
        build.func("main", 0, vec![(first, goto(1)), (body, branch(b(0), 1, 2)), (vec![], ret())]);
        let swap = vec![load(r(2), reg(r(0))), store(reg(r(0)), reg(r(1)))];
        build.func("swap", 2, vec![(swap, ret_value(reg(r(2))))]);
        compared += check(&build.facts(), &mut random);
    }
    assert!(compared > 5000, "most executions get somewhere: {compared}");
}
