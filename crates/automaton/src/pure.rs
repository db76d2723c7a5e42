//! Iterations that leave no trace, noticed while a thread runs.
//!
//! An iteration is pure if its thread comes back to the head of the loop as it was there before and
//! has changed nothing (`raddle_ir::cfg`); the execution without it exists as well, so the step back
//! to the head does not happen. Where every iteration of a loop is such, that is known beforehand
//! (`Loops::is_pure`). Of other loops a thread remembers what it had at the last arrival at the head:
//! the registers that are live there and that the loop assigns, and whether it has done anything
//! since. So a spin lock that writes 1 where there is 1, and an exchange that fails twice in the same
//! way, wait. Iterations that only wait on a condition variable are those of `vain.rs`.
//!
//! What is remembered are registers that the function does not have: their numbers come after its
//! own. They are live inside the loop only.
//! We differ from the definition where that is simpler, and call fewer iterations pure: whatever
//! is allocated is a trace, and so is private memory that is changed and changed back. Loops that are
//! entered past their head are watched from their next arrival on.
//! Limits: not with single copies of functions, whose callers are not known here; not for formulas
//! about infinite executions; at most [`MOST_KEPT`] registers of a loop.

use std::rc::Rc;

use raddle_ir::{BlockId, Cfg, FuncId, InstrRef, Op, RegId};
use raddle_term::TermId;

use crate::build::{Builder, Path};
use crate::contexts::ContextId;
use crate::machine::{Position, Remembered, StateVar};
use crate::spin::is_effect;
use crate::vain::WaitRegisters;

/// Most registers of a loop that are remembered.
const MOST_KEPT: usize = 8;

/// What a thread remembers of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    /// Whether something was done since the last arrival at the head.
    pub done: RegId,
    /// The registers that may change, each with the one that has its value at the last arrival.
    kept: Vec<(RegId, RegId)>,
    /// What is remembered of condition waits, if there are any.
    pub wait: Option<WaitRegisters>,
}

impl Watched {
    /// All registers, each with the one whose value it keeps, or with what it says.
    fn registers(&self) -> Vec<(RegId, Option<RegId>, &'static str)> {
        let mut all = vec![(self.done, None, "done")];
        all.extend(self.kept.iter().map(|&(of, kept)| (kept, Some(of), "kept")));
        let waits = self.wait.iter().flat_map(WaitRegisters::registers);
        all.extend(waits.map(|(reg, what)| (reg, None, what)));
        all
    }
}

/// The loops around a block, innermost first.
fn loops_around(cfg: &Cfg, block: BlockId) -> Vec<usize> {
    let parent = |l: &usize| cfg.loops[*l].parent;
    std::iter::successors(cfg.loop_of[block.index()], parent).collect()
}

/// Whether an instruction is more than a look, whatever it finds.
fn leaves_trace(op: &Op) -> bool {
    let waits = matches!(op, Op::Lock { wait: true, .. } | Op::Unlock { wait: true, .. });
    let joins = matches!(op, Op::Join { .. } | Op::Block { spurious: true, .. });
    !waits && (is_effect(op) || joins || matches!(op, Op::Alloc { .. }))
}

/// Whether an instruction looks at memory or does more.
fn is_noticed(op: &Op) -> bool {
    let access = matches!(op, Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. });
    let exchange = matches!(op, Op::CompareExchange { .. } | Op::TryLock { .. });
    let other = matches!(op, Op::ObjectSize { .. } | Op::Block { .. } | Op::Unlock { .. });
    access || exchange || other || leaves_trace(op)
}

impl Builder<'_> {
    /// Whether iterations are watched.
    pub fn watches(&self) -> bool {
        self.bounds.pure && !self.bounds.single_copies && self.spin.is_none() && !self.is_linear()
    }

    /// What is remembered of the loops of a function; none of loops that are not watched.
    fn watched(&mut self, func: FuncId) -> Rc<[Option<Watched>]> {
        if let Some(known) = self.watched.get(&func) {
            return known.clone();
        }
        let function = self.program.function(func);
        let mut next = function.regs.len();
        let mut fresh = || {
            next += 1;
            RegId::new(next - 1)
        };
        let waits = self.has_waits();
        let cfg = self.cfg(func).clone();
        let mut all = Vec::new();
        for (l, this) in cfg.loops.iter().enumerate() {
            let inside = |b: &BlockId| loops_around(&cfg, *b).contains(&l);
            let blocks: Vec<BlockId> = function.block_ids().filter(inside).collect();
            let instrs = blocks.iter().flat_map(|b| &function.block(*b).instrs);
            let assigned: Vec<RegId> = instrs.flat_map(|i| i.op.defs()).collect();
            let live = self.liveness(func).live_at(this.head);
            let kept: Vec<RegId> = live.filter(|r| assigned.contains(r)).collect();
            let counts = self.facts.loops.bound(func, l).is_some();
            let pure = self.facts.loops.is_pure(func, l);
            let watched = !counts && !pure && !inside(&BlockId(0)) && kept.len() <= MOST_KEPT;
            all.push(watched.then(|| {
                let done = fresh();
                let kept = kept.into_iter().map(|r| (r, fresh())).collect();
                let wait = waits.then(|| WaitRegisters::new(&mut fresh));
                Watched { done, kept, wait }
            }));
        }
        self.watched.entry(func).or_insert(all.into()).clone()
    }

    /// Whether the program has condition waits.
    fn has_waits(&self) -> bool {
        let mut funcs = self.program.function_ids().map(|f| self.program.function(f));
        funcs.any(|f| {
            let mut all = f.block_ids().flat_map(|b| &f.block(b).instrs);
            all.any(|i| matches!(i.op, Op::Lock { wait: true, .. }))
        })
    }

    /// The loops around a block that are watched.
    fn watched_around(&mut self, func: FuncId, block: BlockId) -> Vec<Watched> {
        let around = loops_around(self.cfg(func), block);
        let watched = self.watched(func);
        around.into_iter().filter_map(|l| watched[l].clone()).collect()
    }

    /// The registers that are remembered at a place of a function.
    pub fn remembered(&mut self, func: FuncId, block: BlockId) -> Vec<RegId> {
        if !self.watches() {
            return Vec::new();
        }
        let loops = self.watched_around(func, block);
        loops.iter().flat_map(Watched::registers).map(|r| r.0).collect()
    }

    /// All that is remembered of loops so far, for people.
    pub fn all_remembered(&mut self) -> Vec<((FuncId, RegId), Remembered)> {
        let watched: Vec<_> = self.watched.iter().map(|(f, all)| (*f, all.clone())).collect();
        let mut all = Vec::new();
        for (func, watched) in watched {
            let heads: Vec<BlockId> = self.cfg(func).loops.iter().map(|l| l.head).collect();
            for (block, watched) in heads.into_iter().zip(watched.iter()) {
                let head = InstrRef { func, block, index: 0 };
                for (reg, of, what) in watched.iter().flat_map(Watched::registers) {
                    all.push(((func, reg), Remembered { head, of, what }));
                }
            }
        }
        all
    }

    /// The value of a register, of the function or remembered.
    pub fn value(&mut self, path: &Path, context: ContextId, reg: RegId, width: u32) -> TermId {
        let var = StateVar::Register(context, reg);
        let old = self.vars.term(self.terms, var, width);
        path.vars.get(&var).copied().unwrap_or(old)
    }

    pub fn remember(&mut self, path: &mut Path, context: ContextId, reg: RegId, value: TermId) {
        let var = StateVar::Register(context, reg);
        self.vars.term(self.terms, var, self.terms.width(value));
        path.vars.insert(var, value);
    }

    /// Goes from block to block: iterations that leave no trace end, others begin.
    pub fn cross(&mut self, from: Position, to: BlockId, path: &mut Path) {
        if !self.watches() {
            return;
        }
        let (func, context) = (from.at.func, from.context);
        let left = loops_around(self.cfg(func), from.at.block);
        for l in loops_around(self.cfg(func), to) {
            let Some(watched) = self.watched(func)[l].clone() else { continue };
            let is_head = self.cfg(func).loops[l].head == to;
            if is_head {
                // In an atomic section nobody else can change what it waits for.
                let comes_back = left.contains(&l);
                let any = self.arrive_at_head(context, &watched, comes_back, path);
                if comes_back && from.sections == 0 {
                    path.cond = self.terms.and(path.cond, any);
                }
            } else if !left.contains(&l) {
                let (tru, fals) = (self.terms.tru(), self.terms.fals());
                self.remember(path, context, watched.done, tru);
                if let Some(wait) = watched.wait {
                    self.remember(path, context, wait.direct, fals);
                }
            }
        }
    }

    /// An iteration ends and the next one begins: whether the one that ends left a trace.
    fn arrive_at_head(
        &mut self,
        context: ContextId,
        watched: &Watched,
        comes_back: bool,
        path: &mut Path,
    ) -> TermId {
        let mut traces = vec![self.value(path, context, watched.done, 1)];
        for &(reg, kept) in &watched.kept {
            let width = self.width(context, reg);
            let now = self.value(path, context, reg, width);
            let before = self.value(path, context, kept, width);
            traces.push(self.terms.ne(now, before));
            self.remember(path, context, kept, now);
        }
        let mut trace = self.terms.or_all(&traces);
        if let Some(wait) = watched.wait {
            let vain = self.end_waits(context, wait, (comes_back, trace), path);
            let not = self.terms.not(vain);
            trace = self.terms.or(trace, not);
        }
        let fals = self.terms.fals();
        self.remember(path, context, watched.done, fals);
        trace
    }

    /// Notes that an instruction does something, if that is so whatever it finds.
    pub fn note_instruction(&mut self, here: Position, path: &mut Path, op: &Op) {
        if !self.watches() || !is_noticed(op) {
            return;
        }
        if leaves_trace(op) {
            let tru = self.terms.tru();
            self.note_trace(here, path, tru);
        }
        self.note_look(here, path, op);
    }

    /// The loops that are watched and under way at a place, each with its context.
    pub fn under_watch(&mut self, here: Position) -> Vec<(ContextId, Watched)> {
        let mut all = Vec::new();
        let mut at = Some((here.context, here.at));
        while let Some((context, instr)) = at {
            let around = self.watched_around(instr.func, instr.block);
            all.extend(around.into_iter().map(|watched| (context, watched)));
            at = self.layout.contexts.get(context).caller();
        }
        all
    }

    /// Whether an instruction is in a loop that is watched.
    pub fn is_watched(&mut self, here: Position) -> bool {
        self.watches() && !self.under_watch(here).is_empty()
    }

    /// Notes that something is done if a condition holds, in all loops that are under way.
    pub fn note_trace(&mut self, here: Position, path: &mut Path, cond: TermId) {
        if !self.watches() || self.terms.is_false(cond) {
            return;
        }
        for (context, watched) in self.under_watch(here) {
            let before = self.value(path, context, watched.done, 1);
            let done = self.terms.or(before, cond);
            self.remember(path, context, watched.done, done);
        }
    }
}
