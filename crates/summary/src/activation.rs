//! A call, block by block, in an order in which every block instance is executed once.
//!
//! Idea: blocks of one activation are executed in an order in which all paths to a block have
//! arrived before it is executed: its position in the weak topological order, with the iteration
//! numbers of the loops around it in between ([`Key`]). So every block instance is executed once,
//! whatever the number of paths. Calls are executed where they stand.
//! Source: paper 004 §4 (data-flow summarisation by reverse post-order and path merging). We
//! differ: loops are unrolled on the fly, while their exit test does not fold, instead of
//! beforehand.
//! Invariant: keys are taken in ascending order; what an edge adds is never before the block it
//! comes from.
//! Limits: the walk recurses on the depth of calls. [`crate::Limits`] bounds recursion; calls that
//! are nested deeper than [`MOST_CALLS`] are cut off, so that a stack of ordinary size is enough.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::{BlockId, FuncId, InstrRef, Operand, Property, Terminator, Unmodelled};
use raddle_term::TermId;
use smallvec::SmallVec;

use crate::loops::Count;
use crate::merge::Returned;
use crate::purity::Head;
use crate::skeleton::CutKind;
use crate::state::State;
use crate::step::Here;
use crate::walk::{Call, Info, Walk};

/// Position of a block instance in the order of execution: for each loop around the block the
/// position of its head and the iteration, then the block's own position.
type Key = SmallVec<[u32; 7]>;

/// Nested calls that are followed: one takes about 2 KiB of the stack (4 KiB without optimisation).
const MOST_CALLS: usize = 2_000;

/// A function being executed.
pub(crate) struct Activation {
    pub func: FuncId,
    pub info: Rc<Info>,
    /// Block instances that paths have come to.
    pending: BTreeMap<Key, Arrived>,
    /// The block instance that is being executed.
    current: Key,
    /// The state at the head of each loop when its iteration under way began; none if it was not
    /// entered there.
    pub heads: Vec<Option<Head>>,
    /// Counts for the next iteration of each loop.
    pub next: Vec<Count>,
    exit: Option<Returned>,
    /// Where its part of the thread's stack objects begins.
    stack_from: usize,
}

/// What has come to a block.
struct Arrived {
    state: State,
    regs: Vec<TermId>,
}

/// A way out of a block.
#[derive(Clone, Copy)]
struct Way {
    condition: TermId,
    to: BlockId,
}

impl Walk<'_> {
    /// Executes a call; `None` if it never returns.
    pub fn call(
        &mut self,
        at: InstrRef,
        func: FuncId,
        args: Vec<TermId>,
        state: State,
    ) -> Option<Returned> {
        if let Some(value) = self.instantiate(at, func, &args) {
            return Some(Returned { state, value });
        }
        let depth = self.thread.calls.iter().filter(|c| c.func == func).count();
        if depth > self.limits.unwind as usize {
            self.cut(&state, CutKind::Recursion, self.program.place(at));
            return None;
        }
        if self.depth >= MOST_CALLS {
            self.unsupported(&state, Unmodelled::NestedCalls(MOST_CALLS), at);
            return None;
        }
        let regs = self.parameters(func, &args);
        let mut act = Activation::new(func, self.info(func), self.thread.stack.len());
        let entry = act.key(None, BlockId(0));
        act.pending.insert(entry, Arrived { state, regs });
        let calls = self.thread.calls.len();
        self.thread.calls.push(Call { at, func });
        self.depth += 1;
        while let Some((key, arrived)) = act.pending.pop_first() {
            debug_assert!(act.current < key, "each block instance is executed once, in order");
            act.current = key;
            self.run_block(&mut act, arrived);
            if self.out_of_time {
                return None;
            }
        }
        self.depth -= 1;
        self.thread.calls.pop();
        debug_assert_eq!(self.thread.calls.len(), calls, "calls are nested");
        let gone = self.thread.stack.split_off(act.stack_from);
        let mut returned = act.exit?;
        if !gone.is_empty() {
            let memory = Rc::make_mut(&mut returned.state.memory);
            gone.iter().for_each(|&o| memory.forget(o));
        }
        Some(returned)
    }

    /// The registers of a function that is called; what is not a parameter is assigned before it is
    /// read.
    fn parameters(&mut self, func: FuncId, args: &[TermId]) -> Vec<TermId> {
        let function = self.program.function(func);
        let mut regs = vec![self.terms.fals(); function.regs.len()];
        for (i, &p) in function.params.iter().enumerate() {
            // Called with too few arguments: the value is arbitrary.
            regs[p.index()] = self.fit(args.get(i).copied(), function.reg(p).width);
        }
        regs
    }

    /// A value as wide as it is wanted; a missing one is arbitrary.
    pub fn fit(&mut self, value: Option<TermId>, width: u32) -> TermId {
        match value {
            Some(v) if self.terms.width(v) < width => self.terms.zext(v, width),
            Some(v) => self.terms.extract(v, width - 1, 0),
            None => self.terms.fresh(width),
        }
    }

    fn run_block(&mut self, act: &mut Activation, Arrived { mut state, mut regs }: Arrived) {
        let position = *act.current.last().expect("a key ends with the block's position");
        let from = act.info.cfg.order[position as usize];
        if let Some(l) = act.info.cfg.loop_at_head(from) {
            let first = act.current[act.current.len() - 2] == 0;
            let count = if first { Count::default() } else { std::mem::take(&mut act.next[l]) };
            act.heads[l] = Some(self.head(&state, &regs, count));
        }
        let program = self.program;
        let block = program.function(act.func).block(from);
        for (index, instr) in block.instrs.iter().enumerate() {
            if !self.tick() {
                return;
            }
            let at = InstrRef { func: act.func, block: from, index: index as u32 };
            let mut here = Here { at, state: &mut state, regs: &mut regs };
            if !self.step(&mut here, &instr.op) || state.is_dead(&self.terms) {
                return;
            }
        }
        match &block.end {
            Terminator::Goto(to) => self.edge(act, from, *to, Arrived { state, regs }),
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(*cond, &regs);
                let not_c = self.terms.not(c);
                let ways = [Way { condition: c, to: *then }, Way { condition: not_c, to: *other }];
                self.branch(act, from, Arrived { state, regs }, &ways);
            }
            Terminator::Switch { value, cases, default } => {
                let ways = self.cases(*value, cases, *default, &regs);
                self.branch(act, from, Arrived { state, regs }, &ways);
            }
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(v, &regs));
                let index = block.instrs.len() as u32;
                let at = InstrRef { func: act.func, block: from, index };
                let objects = self.thread.stack[act.stack_from..].to_vec();
                let (unit, entered) = (self.recorder.unit(), state.entered.take());
                self.end_locals(objects, value, at, &mut state);
                self.note_step(&mut state, unit, entered);
                act.exit = self.merge_returned(act.exit.take(), Returned { state, value });
            }
            Terminator::Stop => {
                // What comes here has passed a check of `memory` that nobody looks at.
                let index = block.instrs.len() as u32;
                let at = InstrRef { func: act.func, block: from, index };
                let never = self.terms.fals();
                self.undefined_unless(&mut state, never, Property::Memory, at);
            }
        }
    }

    /// The ways out of a switch; cases with one destination are one way.
    fn cases(
        &mut self,
        value: Operand,
        cases: &[(u128, BlockId)],
        default: BlockId,
        regs: &[TermId],
    ) -> Vec<Way> {
        let v = self.operand(value, regs);
        let width = self.terms.width(v);
        let mut rest = self.terms.tru();
        let mut ways: Vec<Way> = Vec::new();
        for &(k, to) in cases {
            let k = self.terms.constant(k, width);
            let hit = self.terms.eq(v, k);
            let miss = self.terms.not(hit);
            rest = self.terms.and(rest, miss);
            match ways.iter_mut().find(|w| w.to == to) {
                Some(way) => way.condition = self.terms.or(way.condition, hit),
                None => ways.push(Way { condition: hit, to }),
            }
        }
        ways.push(Way { condition: rest, to: default });
        ways
    }

    fn branch(
        &mut self,
        act: &mut Activation,
        from: BlockId,
        Arrived { state, regs }: Arrived,
        ways: &[Way],
    ) {
        let possible: Vec<Way> =
            ways.iter().filter(|w| !self.terms.is_false(w.condition)).copied().collect();
        debug_assert!(!possible.is_empty(), "some way is taken");
        // A test for leaving a loop that folds to "stay": iterations are certain to end some time.
        // Where the way out is a check that fails, as in an assertion, the test says nothing about that.
        let body = self.program.function(act.func);
        for l in act.info.cfg.loops_around(from) {
            let inside = |b: BlockId| act.info.cfg.loops_around(b).contains(&l);
            let can_leave = ways.iter().any(|w| !inside(w.to) && !body.block(w.to).always_fails());
            if can_leave
                && possible.iter().all(|w| inside(w.to))
                && let Some(head) = &mut act.heads[l]
            {
                head.decided = true;
            }
        }
        for Way { condition, to } in possible {
            let state = self.state_if(&state, condition);
            if !state.is_dead(&self.terms) {
                self.edge(act, from, to, Arrived { state, regs: regs.clone() });
            }
        }
    }

    /// A path goes from one block to another, and joins those that have come there.
    fn edge(&mut self, act: &mut Activation, from: BlockId, to: BlockId, arrived: Arrived) {
        let Arrived { mut state, regs } = arrived;
        if act.info.cfg.is_back_edge(from, to) {
            if !self.goes_round_again(act, to, &mut state, &regs) {
                return;
            }
        } else {
            act.forget_heads_passed_by(from, to);
        }
        let next = act.key(Some(from), to);
        debug_assert!(next > act.current, "edges go forward in the order of execution");
        let joined = match act.pending.remove(&next) {
            None => Arrived { state, regs },
            Some(other) => {
                let Some((state, pick)) = self.merge(other.state, state) else { return };
                let mut all = other.regs;
                let info = act.info.clone();
                for r in info.liveness.live_at(to) {
                    let (a, b) = (all[r.index()], regs[r.index()]);
                    if a != b {
                        all[r.index()] = self.choose_value(pick, a, b);
                    }
                }
                Arrived { state, regs: all }
            }
        };
        act.pending.insert(next, joined);
    }
}

impl Activation {
    fn new(func: FuncId, info: Rc<Info>, stack_from: usize) -> Activation {
        let loops = info.cfg.loops.len();
        Activation {
            func,
            info,
            pending: BTreeMap::new(),
            current: Key::new(),
            heads: vec![None; loops],
            next: vec![Count::default(); loops],
            exit: None,
            stack_from,
        }
    }

    /// A loop that is entered elsewhere than at its head has no state at its head to compare with.
    fn forget_heads_passed_by(&mut self, from: BlockId, to: BlockId) {
        let cfg = &self.info.cfg;
        if cfg.loop_of[to.index()] == cfg.loop_of[from.index()] {
            return;
        }
        let around = cfg.loops_around(from);
        for l in cfg.loops_around(to) {
            if !around.contains(&l) && cfg.loops[l].head != to {
                self.heads[l] = None;
                self.next[l] = Count::default();
            }
        }
    }

    /// The key of a block reached from the current one (or at the start of the activation).
    fn key(&self, from: Option<BlockId>, to: BlockId) -> Key {
        let cfg = &self.info.cfg;
        let loops = cfg.loops_around(to);
        let old = self.current.as_slice();
        let old_loops = from.map_or(Vec::new(), |block| cfg.loops_around(block));
        let again = from.is_some_and(|block| cfg.is_back_edge(block, to));
        let mut key = Key::new();
        for (i, &l) in loops.iter().enumerate() {
            let same = old_loops.get(i) == Some(&l) && old_loops[..i] == loops[..i];
            let mut iteration = if same { old[2 * i + 1] } else { 0 };
            if again && i + 1 == loops.len() {
                iteration += 1;
            }
            key.push(cfg.position[cfg.loops[l].head.index()]);
            key.push(iteration);
        }
        key.push(cfg.position[to.index()]);
        key
    }
}
