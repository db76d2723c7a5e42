//! Values of registers as expressions over what stays the same, to compare them between two places
//! of one function.
//!
//! Idea: a register is what its only reaching definition computes, down to parameters, results of
//! instructions that are not followed, and *counters*: registers that a loop changes exactly once
//! in each iteration. Each leaf names the execution that it means: the latest one of an
//! instruction, or the current iteration of a loop; a value is only given if that execution is
//! still the latest one where the value is used.
//! Source: global value numbering, as far as it is needed here.
//! Limits: one reaching definition, or a counter of the innermost loop; memory is a leaf with its
//! address.

use raddle_ir::{
    BinOp, BlockId, CastOp, CmpOp, Expr, FuncId, GlobalId, InstrRef, Op, Operand, RegId,
};

use crate::paths::{Paths, Position};

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// A constant and its width.
    Const(u128, u32),
    /// An address inside a global.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FuncId),
    /// What a parameter was at the call.
    Param(RegId),
    /// What the latest execution of an instruction left in the register.
    Of(InstrRef, RegId),
    /// What the latest execution of a load found at an address.
    Load(InstrRef, Box<Value>),
    /// The counter of a loop where the current iteration began.
    Counter(usize, RegId),
    /// Something computed.
    Computed(Kind, Vec<Value>),
}

/// How something is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Binary(BinOp),
    Cast(CastOp, u32),
    Compare(CmpOp),
    Offset,
}

/// Deeper expressions are not followed.
const DEEPEST: u32 = 24;

/// A counter: where it gets its first value, and its next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub first: InstrRef,
    pub next: InstrRef,
}

impl Paths<'_> {
    /// The definitions of a register.
    fn definitions(&self, reg: RegId) -> Vec<InstrRef> {
        let mut found = Vec::new();
        for block in self.function.block_ids() {
            for (i, instr) in self.function.block(block).instrs.iter().enumerate() {
                if instr.op.defs().any(|r| r == reg) {
                    found.push(InstrRef { func: self.func, block, index: i as u32 });
                }
            }
        }
        found
    }

    /// The definitions that may have given a register its value at a position, and whether it may
    /// be the one of the call.
    fn reaching(&self, reg: RegId, at: Position) -> (Vec<InstrRef>, bool) {
        let all = self.definitions(reg);
        let others: Vec<Position> = all.iter().map(|d| self.before(*d)).collect();
        let comes = |from: Position| self.lead_past(from, at, &others);
        let reach = all.iter().copied().filter(|d| comes(self.after(*d))).collect();
        let entry = self.function.params.contains(&reg) && comes((BlockId(0), 0));
        (reach, entry)
    }

    /// As [`Paths::lead`], but no step may be enough, and what is to be avoided stops control at
    /// the beginning as well.
    pub fn lead_past(&self, from: Position, to: Position, avoiding: &[Position]) -> bool {
        from == to || (!avoiding.contains(&from) && self.lead(from, to, avoiding, None))
    }

    /// How a register counts in a loop.
    pub fn counter(&self, index: usize, reg: RegId) -> Option<Counter> {
        let head = self.head(index);
        let (reach, entry) = self.reaching(reg, head);
        let (inner, outer): (Vec<_>, Vec<_>) =
            reach.into_iter().partition(|d| self.contains(index, d.block));
        let (&[next], &[first], false) = (inner.as_slice(), outer.as_slice(), entry) else {
            return None;
        };
        let definitions = self.definitions(reg);
        let only = definitions.iter().filter(|d| self.contains(index, d.block)).count() == 1;
        // Once in each iteration, not more often and not less.
        let skipped = self.lead(head, head, &[self.before(next)], Some(index));
        let twice = self.lead(self.after(next), self.before(next), &[head], Some(index));
        let entered_elsewhere = self.function.block_ids().any(|b| {
            !self.contains(index, b)
                && self.cfg.position[b.index()] != u32::MAX
                && (self.function.block(b).end.successors().iter())
                    .any(|s| self.contains(index, *s) && *s != head.0)
        });
        (only && !skipped && !twice && !entered_elsewhere).then_some(Counter { first, next })
    }

    /// The value of an operand at a position.
    pub fn value(&self, operand: Operand, at: Position) -> Option<Value> {
        self.value_to(operand, at, DEEPEST)
    }

    /// What a definition gives a register.
    pub fn defined(&self, definition: InstrRef) -> Option<Value> {
        let reg = self.op(definition).defs().next()?;
        self.of_definition(reg, definition, DEEPEST)
    }

    /// The instruction.
    pub fn op(&self, at: InstrRef) -> &Op {
        &self.function.block(at.block).instrs[at.index as usize].op
    }

    fn value_to(&self, operand: Operand, at: Position, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let reg = match operand {
            Operand::Const(c) => return Some(Value::Const(c.value, c.width)),
            Operand::Global(g, offset) => return Some(Value::Global(g, offset)),
            Operand::Function(f) => return Some(Value::Function(f)),
            Operand::Reg(reg) => reg,
        };
        match self.reaching(reg, at) {
            (reach, true) if reach.is_empty() => Some(Value::Param(reg)),
            (reach, false) if reach.len() == 1 => {
                let value = self.of_definition(reg, reach[0], depth)?;
                self.is_fresh(&value, at, reach[0]).then_some(value)
            }
            (_, false) => {
                let index = self.cfg.loop_of[at.0.index()]?;
                let counter = self.counter(index, reg)?;
                let head = self.head(index);
                let advanced = at != head && self.lead(self.after(counter.next), at, &[head], None);
                (!advanced).then_some(Value::Counter(index, reg))
            }
            (_, true) => None,
        }
    }

    fn of_definition(&self, reg: RegId, definition: InstrRef, depth: u32) -> Option<Value> {
        let before = self.before(definition);
        let of = |operand| self.value_to(operand, before, depth);
        let op = self.op(definition);
        if let Op::Load { addr, .. } = op {
            return Some(match of(*addr) {
                Some(addr) => Value::Load(definition, Box::new(addr)),
                None => Value::Of(definition, reg),
            });
        }
        let Op::Assign { value, .. } = op else { return Some(Value::Of(definition, reg)) };
        let (kind, operands) = match *value {
            Expr::Use(a) => return of(a),
            Expr::Binary { op, a, b, .. } => (Kind::Binary(op), vec![a, b]),
            Expr::Cast { op, a, width } => (Kind::Cast(op, width), vec![a]),
            Expr::Compare { op, a, b } => (Kind::Compare(op), vec![a, b]),
            Expr::Offset { base, offset } => (Kind::Offset, vec![base, offset]),
            _ => return Some(Value::Of(definition, reg)),
        };
        let operands: Option<Vec<Value>> = operands.into_iter().map(of).collect();
        Some(operands.map_or(Value::Of(definition, reg), |o| Value::Computed(kind, o)))
    }

    /// Whether all executions that a value names are still the latest ones at a position that is
    /// reached from where the value was computed: none of them comes to the position without
    /// passing there again.
    pub fn is_fresh(&self, value: &Value, at: Position, definition: InstrRef) -> bool {
        let again = |from: Position| self.lead_past(from, at, &[self.before(definition)]);
        match value {
            Value::Const(..) | Value::Global(..) | Value::Function(_) | Value::Param(_) => true,
            Value::Of(q, _) => *q == definition || !again(self.after(*q)),
            Value::Load(q, addr) => {
                (*q == definition || !again(self.after(*q))) && self.is_fresh(addr, at, definition)
            }
            Value::Counter(index, _) => !again(self.head(*index)),
            Value::Computed(_, of) => of.iter().all(|v| self.is_fresh(v, at, definition)),
        }
    }
}
