//! Loops: how often they can iterate, and whether their iterations are pure.
//!
//! **Bounds.** Idea: if a register is assigned once in the loop, by an instruction that runs
//! exactly once per iteration and computes its next value from its last one and constants, and a
//! block that runs exactly once per iteration leaves the loop on a condition over that register and
//! constants, then simulate just these two: the count is exact for that exit, wrap-around included,
//! and other exits only make it smaller. Source: the counting loops of any compiler textbook;
//! simulating instead of solving is ours.
//! Limits: one counter; the slice of the update and of the condition lies within one block each; at
//! most
//! [`MAX_COUNT`] iterations; initial values come from a chain of single predecessors.
//!
//! **Purity** is that of [`raddle_ir::cfg`], decided without running the loop: no instruction or
//! called function with lasting effects, and no register that is assigned in the loop is live at
//! its head.

use std::cell::RefCell;

use raddle_ir::{
    BlockId, Cfg, FuncId, Function, InstrRef, Liveness, Op, Operand, Program, RegId, Terminator,
};

use rustc_hash::FxHashMap;

use crate::call_graph::CallGraph;
use crate::effects::{Effects, FunctionEffects, of_instruction};
use crate::fold;
use crate::points_to::PointsTo;

/// Counts above this are not searched for.
pub const MAX_COUNT: u64 = 1 << 16;

/// The loops of one function.
#[derive(Clone, Debug)]
struct FunctionLoops {
    bounds: Vec<Option<u64>>,
    pure: Vec<bool>,
}

/// The loops of a program, numbered as in [`Cfg::loops`].
#[derive(Clone, Debug)]
pub struct Loops {
    functions: Vec<FunctionLoops>,
}

impl Loops {
    /// Analyses a program.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        graph: &CallGraph,
        effects: &FunctionEffects,
    ) -> Loops {
        let functions = program
            .function_ids()
            .map(|f| {
                let view = View::new(program, f);
                let loops = 0..view.cfg.loops.len();
                let liveness = (!loops.is_empty()).then(|| Liveness::new(view.function));
                FunctionLoops {
                    bounds: loops.clone().map(|l| view.bound(l)).collect(),
                    pure: loops
                        .map(|l| {
                            let liveness = liveness.as_ref().expect("there is a loop");
                            view.is_pure(l, liveness, points_to, graph, effects)
                        })
                        .collect(),
                }
            })
            .collect();
        Loops { functions }
    }

    /// How often a loop can return to its head each time it is entered: `n` for
    /// `for (i = 0; i < n; i++)`, whose head is then passed n + 1 times.
    pub fn bound(&self, f: FuncId, index: usize) -> Option<u64> {
        self.functions[f.index()].bounds[index]
    }

    /// Whether every iteration of a loop is pure.
    pub fn is_pure(&self, f: FuncId, index: usize) -> bool {
        self.functions[f.index()].pure[index]
    }
}

/// A function with what is needed to look at its loops.
struct View<'p> {
    program: &'p Program,
    func: FuncId,
    function: &'p Function,
    cfg: Cfg,
    predecessors: Vec<Vec<BlockId>>,
    /// Memo of [`View::invariant`]: simulating a loop asks again in every iteration.
    invariants: RefCell<FxHashMap<(usize, RegId), Option<u128>>>,
}

/// A counter of a loop: the register and the one instruction of the loop that assigns it.
#[derive(Clone, Copy)]
struct Counter {
    reg: RegId,
    block: BlockId,
    index: usize,
}

/// What registers hold where a slice begins.
struct Start {
    counter: (RegId, u128),
    /// The loop whose entry gives the values of all registers that it does not assign.
    index: usize,
}

impl<'p> View<'p> {
    fn new(program: &'p Program, func: FuncId) -> Self {
        let function = program.function(func);
        let cfg = Cfg::new(function);
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for b in function.block_ids().filter(|b| cfg.position[b.index()] != u32::MAX) {
            for s in function.block(b).end.successors() {
                if !predecessors[s.index()].contains(&b) {
                    predecessors[s.index()].push(b);
                }
            }
        }
        let invariants = RefCell::default();
        View { program, func, function, cfg, predecessors, invariants }
    }

    fn contains(&self, index: usize, block: BlockId) -> bool {
        let mut at = self.cfg.loop_of[block.index()];
        while let Some(l) = at {
            if l == index {
                return true;
            }
            at = self.cfg.loops[l].parent;
        }
        false
    }

    fn blocks(&self, index: usize) -> impl Iterator<Item = BlockId> + '_ {
        self.cfg.order.iter().copied().filter(move |&b| self.contains(index, b))
    }

    /// The assignments of a register in a loop.
    fn assignments(&self, index: usize, reg: RegId) -> Vec<Counter> {
        let mut found = Vec::new();
        for block in self.blocks(index) {
            for (i, instr) in self.function.block(block).instrs.iter().enumerate() {
                if instr.op.defs().any(|r| r == reg) {
                    found.push(Counter { reg, block, index: i });
                }
            }
        }
        found
    }

    /// Whether a block runs exactly once in every iteration that returns to the head.
    fn once_per_iteration(&self, index: usize, block: BlockId) -> bool {
        let head = self.cfg.loops[index].head;
        if self.cfg.loop_of[block.index()] != Some(index) {
            return false;
        }
        if block == head {
            return true;
        }
        let mut seen = vec![false; self.function.blocks.len()];
        seen[block.index()] = true;
        let mut work = vec![head];
        while let Some(b) = work.pop() {
            for s in self.function.block(b).end.successors() {
                if s == head {
                    return false;
                }
                if self.contains(index, s) && !seen[s.index()] {
                    seen[s.index()] = true;
                    work.push(s);
                }
            }
        }
        true
    }

    fn bound(&self, index: usize) -> Option<u64> {
        let head = self.cfg.loops[index].head;
        let entered_elsewhere = self
            .blocks(index)
            .filter(|&b| b != head)
            .any(|b| self.predecessors[b.index()].iter().any(|&p| !self.contains(index, p)));
        if entered_elsewhere {
            return None;
        }
        let exits = self.blocks(index).filter(|&b| self.once_per_iteration(index, b));
        exits.filter_map(|b| self.bound_of_exit(index, b)).min()
    }

    fn bound_of_exit(&self, index: usize, block: BlockId) -> Option<u64> {
        let Terminator::Branch { cond: cond @ Operand::Reg(_), then, other } =
            self.function.block(block).end
        else {
            return None;
        };
        let stays = match (self.contains(index, then), self.contains(index, other)) {
            (true, false) => 1,
            (false, true) => 0,
            (true, true) | (false, false) => return None,
        };
        let end = self.function.block(block).instrs.len();
        let mut leaves = Vec::new();
        self.leaves(block, end, cond, &mut leaves);
        let mut counters = leaves.into_iter().filter(|&r| !self.assignments(index, r).is_empty());
        let reg = counters.next()?;
        if counters.any(|r| r != reg) {
            return None;
        }
        let counter = match *self.assignments(index, reg) {
            [one] if self.once_per_iteration(index, one.block) => one,
            _ => return None,
        };
        let initial = self.at_entry(index, reg)?;
        self.count(index, counter, initial, (block, end, cond, stays))
    }

    /// Simulates the counter from its initial value until the exit is taken.
    fn count(
        &self,
        index: usize,
        counter: Counter,
        initial: u128,
        (block, end, cond, stays): (BlockId, usize, Operand, u128),
    ) -> Option<u64> {
        // Is the counter assigned before the exit in each iteration? Inside the exit's own block
        // the slice of the condition finds the assignment by itself.
        let first = counter.block != block
            && self.cfg.position[counter.block.index()] < self.cfg.position[block.index()];
        let mut value = initial;
        for n in 0..=MAX_COUNT {
            let start = Start { counter: (counter.reg, value), index };
            let next =
                self.evaluate(counter.block, counter.index + 1, Operand::Reg(counter.reg), &start)?;
            let seen = if first { next } else { value };
            let start = Start { counter: (counter.reg, seen), index };
            if self.evaluate(block, end, cond, &start)? != stays {
                return Some(n);
            }
            if next == value {
                return None;
            }
            value = next;
        }
        None
    }

    /// The registers whose values at the start of the block decide `operand` before `end`.
    fn leaves(&self, block: BlockId, end: usize, operand: Operand, out: &mut Vec<RegId>) {
        let Operand::Reg(reg) = operand else { return };
        match self.last_assignment(block, end, reg) {
            None => out.push(reg),
            Some(i) => {
                if let Op::Assign { value, .. } = &self.function.block(block).instrs[i].op {
                    for operand in value.operands() {
                        self.leaves(block, i, operand, out);
                    }
                } else {
                    // Not computed from registers: no value will be found for it.
                    out.push(reg);
                }
            }
        }
    }

    fn last_assignment(&self, block: BlockId, end: usize, reg: RegId) -> Option<usize> {
        let instrs = &self.function.block(block).instrs;
        (0..end).rev().find(|&i| instrs[i].op.defs().any(|r| r == reg))
    }

    /// The value of an operand before instruction `end` of a block.
    fn evaluate(
        &self,
        block: BlockId,
        end: usize,
        operand: Operand,
        start: &Start,
    ) -> Option<u128> {
        let Operand::Reg(reg) = operand else { return self.program.constant(operand) };
        match self.last_assignment(block, end, reg) {
            Some(i) => {
                let Op::Assign { value, .. } = &self.function.block(block).instrs[i].op else {
                    return None;
                };
                fold::expr(value, |o| {
                    let width = self.program.width(self.function, o);
                    Some((self.evaluate(block, i, o, start)?, width))
                })
            }
            None if reg == start.counter.0 => Some(start.counter.1),
            None => self.invariant(start.index, reg),
        }
    }

    /// The constant that a register holds all through a loop.
    fn invariant(&self, index: usize, reg: RegId) -> Option<u128> {
        if let Some(&known) = self.invariants.borrow().get(&(index, reg)) {
            return known;
        }
        let unassigned = self.assignments(index, reg).is_empty();
        let value = if unassigned { self.at_entry(index, reg) } else { None };
        self.invariants.borrow_mut().insert((index, reg), value);
        value
    }

    /// The value that a register has whenever the loop is entered, if that is a constant.
    fn at_entry(&self, index: usize, reg: RegId) -> Option<u128> {
        let head = self.cfg.loops[index].head;
        if head == BlockId(0) {
            return None;
        }
        let mut values = self.predecessors[head.index()]
            .iter()
            .filter(|&&p| !self.contains(index, p))
            .map(|&p| self.constant_at_end(p, Operand::Reg(reg), 64));
        let first = values.next()??;
        values.all(|v| v == Some(first)).then_some(first)
    }

    /// The constant that an operand is at the end of a block, looking back along single
    /// predecessors.
    fn constant_at_end(&self, block: BlockId, operand: Operand, depth: u32) -> Option<u128> {
        self.constant_before(block, self.function.block(block).instrs.len(), operand, depth)
    }

    fn constant_before(
        &self,
        block: BlockId,
        end: usize,
        operand: Operand,
        depth: u32,
    ) -> Option<u128> {
        let Operand::Reg(reg) = operand else { return self.program.constant(operand) };
        let depth = depth.checked_sub(1)?;
        if let Some(i) = self.last_assignment(block, end, reg) {
            let Op::Assign { value, .. } = &self.function.block(block).instrs[i].op else {
                return None;
            };
            return fold::expr(value, |o| {
                let width = self.program.width(self.function, o);
                Some((self.constant_before(block, i, o, depth)?, width))
            });
        }
        if let Some(l) = self.cfg.loop_at_head(block)
            && self.assignments(l, reg).is_empty()
        {
            return self.at_entry(l, reg);
        }
        match self.predecessors[block.index()].as_slice() {
            [one] if block != BlockId(0) => self.constant_at_end(*one, operand, depth),
            _ => None,
        }
    }

    fn is_pure(
        &self,
        index: usize,
        liveness: &Liveness,
        points_to: &PointsTo,
        graph: &CallGraph,
        effects: &FunctionEffects,
    ) -> bool {
        let head = self.cfg.loops[index].head;
        self.blocks(index).all(|block| {
            self.function.block(block).instrs.iter().enumerate().all(|(i, instr)| {
                let at = InstrRef { func: self.func, block, index: i as u32 };
                let op = &instr.op;
                let own = if matches!(op, Op::Alloc { .. }) {
                    Effects::HEAP
                } else if writes_memory(op) {
                    Effects::WRITES
                } else {
                    of_instruction(self.program, points_to, self.func, op)
                };
                // In a recursion, the callee's own stack may be that of an activation that the loop
                // returns into.
                let called = graph.calls_at(at).all(|f| {
                    !effects.of(f).has(Effects::LASTING.with(Effects::UNSUPPORTED))
                        && !graph.recursive(f)
                });
                !own.has(Effects::LASTING)
                    && called
                    && !graph.unresolved().contains(&at)
                    && !instr.op.defs().any(|r| liveness.is_live(head, r))
            })
        })
    }
}

/// Stores count inside the loop even if they go to the function's own stack: that outlives the
/// iteration.
fn writes_memory(op: &Op) -> bool {
    matches!(op, Op::Store { .. } | Op::Rmw { .. } | Op::CompareExchange { .. })
}
