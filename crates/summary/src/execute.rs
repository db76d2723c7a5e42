//! Symbolic execution of every thread of the bounded program, merging paths where they join.
//!
//! Idea: blocks of one activation are executed in an order in which all paths to a block have arrived
//! before it is executed: its position in the weak topological order, with the iteration numbers of
//! the loops around it in between ([`Key`]). So every block instance is executed once, whatever
//! the number of paths. Calls are executed where they stand; a created thread is executed when it is
//! created, since its summary needs nothing of what its creator does later.
//! Source: paper 004 §4 (data-flow summarisation by reverse post-order and path merging). We differ:
//! loops are unrolled on the fly, while their exit test does not fold, instead of beforehand.
//! Limits: see [`Limits`]; everything cut off is recorded as a [`Cut`].
//! Length: the order of execution, joining of paths and loops are one algorithm.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use raddle_ir::{BlockId, Cfg, FuncId, InstrRef, Liveness, Place, Program, Terminator};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::functions::Summaries;
use crate::knowledge::{Knowledge, ObjectIx, ObjectKey};
use crate::memory::{Memory, common_ranges};
use crate::path::Path;
use crate::pointers::Pointers;
use crate::purity::{self, Arrival, Effect, Head};
use crate::skeleton::{
    Choice, Cut, CutKind, Held, Mark, MarkKind, Skeleton, Summary, Thread, ThreadIx,
};

/// How far the program is unrolled.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations of a loop whose end is not certain; also depth of recursion.
    pub unwind: u32,
    /// Iterations of a loop whose exit test folds each time.
    pub free: u32,
    /// Thread instances.
    pub threads: u32,
    /// Events: beyond, every loop is cut.
    pub events: usize,
    /// Functions that only compute are summarised once ([`crate::functions`]).
    pub summaries: bool,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        let (unwind, free, threads, events) = (4, 100_000, 256, 2_000_000);
        Limits { unwind, free, threads, events, summaries: true, deadline: None }
    }
}

/// Summarises the program within limits; `None` if the time is up.
pub fn summarise(program: &Program, knowledge: &mut Knowledge, limits: &Limits) -> Option<Summary> {
    loop {
        knowledge.begin_pass();
        let mut pass = Pass::new(program, knowledge, limits);
        pass.run_main();
        if pass.out_of_time {
            return None;
        }
        let summary = Summary { skeleton: pass.skeleton, terms: pass.terms };
        if !knowledge.learned() {
            if cfg!(any(debug_assertions, feature = "paranoid")) {
                summary.skeleton.check_invariants(&summary.terms, knowledge);
            }
            return Some(summary);
        }
    }
}

/// Position of a block instance in the order of execution: for each loop around the block the
/// position of its head and the iteration, then the block's own position.
type Key = SmallVec<[u32; 7]>;

/// The symbolic state of a thread on one path (without registers).
#[derive(Clone)]
pub(crate) struct State {
    pub path: Path,
    pub memory: Rc<Memory>,
    /// Other threads may run.
    pub concurrent: bool,
    /// Depth of atomic sections.
    pub atomic: u32,
    /// The unit of the current atomic section.
    pub section: u32,
    /// Mutexes that are certainly held, sorted by address.
    pub locks: Rc<Vec<Held>>,
}

impl State {
    /// Nothing has happened.
    pub fn at_start() -> State {
        State {
            path: Path::default(),
            memory: Rc::default(),
            concurrent: false,
            atomic: 0,
            section: 0,
            locks: Rc::default(),
        }
    }
}

/// Facts about a function.
pub(crate) struct Info {
    pub cfg: Cfg,
    pub liveness: Liveness,
}

/// A function being executed.
pub(crate) struct Activation {
    pub func: FuncId,
    info: Rc<Info>,
    pending: BTreeMap<Key, (State, Vec<TermId>)>,
    heads: Vec<Option<Head>>,
    /// Counts of the next iteration of each loop: (counted, free, waited).
    next: Vec<(u32, u32, Option<TermId>)>,
    exit: Option<(State, Option<TermId>)>,
    /// Where its part of [`Running::stack`] begins.
    stack_from: usize,
}

/// The thread being executed.
pub(crate) struct Running {
    pub ix: ThreadIx,
    pub number: u32,
    pub unit: u32,
    pub position: u32,
    /// Calls under way: where each stands, and what was called.
    pub calls: Vec<(InstrRef, FuncId)>,
    /// Executions so far of allocating and creating instructions.
    pub counts: FxHashMap<InstrRef, u32>,
    pub effects: Vec<Effect>,
    pub ends: Vec<(TermId, TermId)>,
    pub choices: Vec<Choice>,
    /// For each atomic section, by its unit, how many choices had been made when it began.
    pub sections: FxHashMap<u32, usize>,
    /// Stack objects of the calls under way, outermost first: those of a call die when it returns, all when
    /// the thread ends inside it.
    pub stack: Vec<ObjectIx>,
    /// Its copies of thread-local globals.
    pub locals: Vec<ObjectIx>,
    /// Instructions at which this thread and its ancestors were created.
    pub lineage: Vec<InstrRef>,
}

pub(crate) struct Pass<'a> {
    pub program: &'a Program,
    pub knowledge: &'a mut Knowledge,
    pub limits: &'a Limits,
    pub terms: Terms,
    pub skeleton: Skeleton,
    pub thread: Running,
    pub pointers: Pointers,
    /// Stack objects whose address was stored, returned or handed to a thread.
    pub escaped: FxHashSet<ObjectIx>,
    /// Inside a unit that only joins an access with the look at its object's life.
    pub lifetime_unit: bool,
    /// Sizes of objects that are not constant.
    pub sizes: FxHashMap<ObjectIx, TermId>,
    /// What functions compute.
    pub summaries: Summaries,
    infos: FxHashMap<FuncId, Rc<Info>>,
    steps: u64,
    pub out_of_time: bool,
}

impl<'a> Pass<'a> {
    fn new(program: &'a Program, knowledge: &'a mut Knowledge, limits: &'a Limits) -> Self {
        let terms = Terms::new();
        let (ended, result) = (terms.fals(), terms.fals());
        let main = Thread {
            number: 1,
            parent: None,
            units: 0,
            ended,
            result,
            name: "main".into(),
            variables: 0..0,
            choices: Vec::new(),
        };
        let skeleton = Skeleton {
            threads: vec![main],
            events: Vec::new(),
            marks: Vec::new(),
            joins: Vec::new(),
            images: Vec::new(),
            initial_bytes: FxHashMap::default(),
            assumptions: Vec::new(),
            broken_locks: FxHashSet::default(),
            violations: Vec::new(),
            heap: BTreeMap::new(),
            waits: Vec::new(),
            cuts: Vec::new(),
        };
        Pass {
            program,
            knowledge,
            limits,
            terms,
            skeleton,
            thread: Running::new(ThreadIx(0), 1, Vec::new()),
            pointers: Pointers::new(program.pointer_bits),
            escaped: FxHashSet::default(),
            lifetime_unit: false,
            sizes: FxHashMap::default(),
            summaries: Summaries::default(),
            infos: FxHashMap::default(),
            steps: 0,
            out_of_time: false,
        }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn run_main(&mut self) {
        let Some(entry) = self.program.entry else { return };
        self.run_thread(entry, Vec::new(), State::at_start());
    }

    /// Executes the running thread from its start function to its end.
    fn run_thread(&mut self, func: FuncId, args: Vec<TermId>, state: State) {
        let at = InstrRef { func, block: BlockId(0), index: 0 };
        let first_variable = self.terms.variable_count();
        // The first unit is the thread's existence: every event has a unit before it.
        self.next_unit();
        // Return from the main thread is `Exit`: nobody comes after it, so it does not count as an end.
        let is_main = self.thread.ix == ThreadIx(0);
        if let Some((mut state, result)) = self.call(at, func, args, state) {
            if is_main {
                self.exit(&mut state, true, at);
            } else {
                let width = self.program.pointer_bits;
                let result = match result {
                    Some(r) if self.terms.width(r) < width => self.terms().zext(r, width),
                    Some(r) => self.terms().extract(r, width - 1, 0),
                    None => self.terms().constant(0, width),
                };
                self.end_thread(&state, at, result);
            }
        }
        let ends = std::mem::take(&mut self.thread.ends);
        let terms = &mut self.terms;
        let ended = terms.or_all(&ends.iter().map(|e| e.0).collect::<Vec<_>>());
        let mut result = terms.constant(0, self.program.pointer_bits);
        for &(guard, value) in &ends {
            result = terms.ite(guard, value, result);
        }
        let units = self.next_unit() + 1;
        let record = &mut self.skeleton.threads[self.thread.ix.index()];
        record.ended = ended;
        record.result = result;
        record.units = units;
        record.variables = first_variable..self.terms.variable_count();
        record.choices = std::mem::take(&mut self.thread.choices);
    }

    /// Notes that the thread ends on this path.
    pub fn end_thread(&mut self, state: &State, at: InstrRef, value: TermId) {
        let guard = state.path.term(&self.terms);
        self.thread.ends.push((guard, value));
        if state.atomic > 0 {
            self.end_section(state, at);
        }
        let unit = self.next_unit();
        let thread = self.thread.ix;
        self.skeleton.marks.push(Mark { thread, unit, kind: MarkKind::End, guard, at });
    }

    /// Creates and executes a thread; returns its index, `None` if a limit forbids it.
    pub fn create_thread(
        &mut self,
        at: InstrRef,
        func: FuncId,
        args: Vec<TermId>,
        state: &mut State,
    ) -> Option<ThreadIx> {
        let same = self.thread.lineage.iter().filter(|&&l| l == at).count();
        if self.skeleton.threads.len() >= self.limits.threads as usize
            || same > self.limits.unwind as usize
        {
            self.cut(state, CutKind::Threads, self.program.place(at));
            return None;
        }
        if !state.concurrent {
            self.publish(state);
        }
        let nth = self.count(at);
        let number = self.knowledge.thread_number(self.thread.number, at, nth);
        let ix = ThreadIx(self.skeleton.threads.len() as u32);
        let name = self.program.function(func).name.clone();
        let (ended, result) = (self.terms.fals(), self.terms.fals());
        self.skeleton.threads.push(Thread {
            number,
            parent: Some(self.thread.ix),
            units: 0,
            ended,
            result,
            name,
            variables: 0..0,
            choices: Vec::new(),
        });
        let guard = state.path.term(&self.terms);
        let unit = self.unit_of(state);
        let (thread, kind) = (self.thread.ix, MarkKind::Create(ix));
        self.skeleton.marks.push(Mark { thread, unit, kind, guard, at });
        let kind = crate::skeleton::ChoiceKind::Thread(ix);
        self.thread.choices.push(Choice { guard, at, kind });
        self.effect(state);
        for &arg in &args {
            self.note_escape(arg);
        }
        let mut lineage = self.thread.lineage.clone();
        lineage.push(at);
        let creator = std::mem::replace(&mut self.thread, Running::new(ix, number, lineage));
        let child = State { path: state.path.clone(), concurrent: true, ..State::at_start() };
        self.run_thread(func, args, child);
        self.thread = creator;
        Some(ix)
    }

    /// From here on other threads may see memory: what is in it now is the initial memory.
    fn publish(&mut self, state: &mut State) {
        let guard = state.path.term(&self.terms);
        self.skeleton.images.push((guard, state.memory.clone()));
        state.concurrent = true;
    }

    /// A fresh unit of the running thread.
    pub fn next_unit(&mut self) -> u32 {
        self.thread.unit += 1;
        self.thread.unit - 1
    }

    /// The unit of what happens next on a path: that of its atomic section, or a fresh one.
    pub fn unit_of(&mut self, state: &State) -> u32 {
        if state.atomic > 0 { state.section } else { self.next_unit() }
    }

    /// How often the running thread has executed an instruction before.
    pub fn count(&mut self, at: InstrRef) -> u32 {
        let n = self.thread.counts.entry(at).or_insert(0);
        *n += 1;
        *n - 1
    }

    /// Notes something that makes a loop iteration matter.
    pub fn effect(&mut self, state: &State) {
        let changed = self.terms.tru();
        self.thread.effects.push(Effect { path: state.path.clone(), changed, wait: false });
    }

    /// Records that executions on this path are cut off.
    pub fn cut(&mut self, state: &State, kind: CutKind, place: Place) {
        let condition = state.path.term(&self.terms);
        let (thread, unit) = (self.thread.ix, self.thread.unit);
        self.skeleton.cuts.push(Cut { condition, thread, unit, kind, place });
    }

    fn info(&mut self, func: FuncId) -> Rc<Info> {
        let program = self.program;
        self.infos
            .entry(func)
            .or_insert_with(|| {
                let f = program.function(func);
                Rc::new(Info { cfg: Cfg::new(f), liveness: Liveness::new(f) })
            })
            .clone()
    }

    /// Executes a call; `None` if it never returns.
    pub fn call(
        &mut self,
        at: InstrRef,
        func: FuncId,
        args: Vec<TermId>,
        state: State,
    ) -> Option<(State, Option<TermId>)> {
        if let Some(result) = self.instantiate(at, func, &args) {
            return Some((state, result));
        }
        let depth = self.thread.calls.iter().filter(|c| c.1 == func).count();
        if depth > self.limits.unwind as usize {
            self.cut(&state, CutKind::Recursion, self.program.place(at));
            return None;
        }
        let function = self.program.function(func);
        let mut regs = vec![self.terms.fals(); function.regs.len()];
        for (i, &p) in function.params.iter().enumerate() {
            let width = function.reg(p).width;
            regs[p.index()] = match args.get(i) {
                Some(&a) if self.terms.width(a) == width => a,
                Some(&a) if self.terms.width(a) < width => self.terms().zext(a, width),
                Some(&a) => self.terms().extract(a, width - 1, 0),
                // Called with too few arguments: the value is arbitrary.
                None => self.terms().fresh(width),
            };
        }
        let info = self.info(func);
        let loops = info.cfg.loops.len();
        let mut act = Activation {
            func,
            info,
            pending: BTreeMap::new(),
            heads: vec![None; loops],
            next: vec![(0, 0, None); loops],
            exit: None,
            stack_from: self.thread.stack.len(),
        };
        self.thread.calls.push((at, func));
        let entry = act.key(None, BlockId(0));
        act.pending.insert(entry, (state, regs));
        while let Some((key, (state, regs))) = act.pending.pop_first() {
            self.run_block(&mut act, &key, state, regs);
            if self.out_of_time {
                return None;
            }
        }
        self.thread.calls.pop();
        let gone = self.thread.stack.split_off(act.stack_from);
        let (mut state, result) = act.exit?;
        if !gone.is_empty() {
            let memory = Rc::make_mut(&mut state.memory);
            gone.iter().for_each(|&o| memory.forget(o));
        }
        Some((state, result))
    }

    fn run_block(
        &mut self,
        act: &mut Activation,
        key: &Key,
        mut state: State,
        mut regs: Vec<TermId>,
    ) {
        let position = *key.last().expect("a key ends with the block's position");
        let block_id = act.info.cfg.order[position as usize];
        if let Some(l) = act.info.cfg.loop_at_head(block_id) {
            let first = key[key.len() - 2] == 0;
            let (counted, free, waited) =
                if first { (0, 0, None) } else { std::mem::take(&mut act.next[l]) };
            act.heads[l] = Some(Head {
                path: state.path.clone(),
                regs: regs.clone(),
                memory: state.memory.clone(),
                effects: self.thread.effects.len(),
                unit: self.thread.unit,
                choices: self.thread.choices.len(),
                waited: waited.unwrap_or(self.terms.fals()),
                counted,
                free,
                decided: false,
            });
        }
        let program = self.program;
        let block = program.function(act.func).block(block_id);
        for (index, instr) in block.instrs.iter().enumerate() {
            self.steps += 1;
            if self.steps.is_multiple_of(1024)
                && self.limits.deadline.is_some_and(|d| Instant::now() >= d)
            {
                self.out_of_time = true;
                return;
            }
            let at = InstrRef { func: act.func, block: block_id, index: index as u32 };
            if !self.step(act, at, instr, &mut state, &mut regs) || state.path.is_false(&self.terms)
            {
                return;
            }
        }
        self.leave_block(act, key, block_id, state, regs);
    }

    fn leave_block(
        &mut self,
        act: &mut Activation,
        key: &Key,
        from: BlockId,
        state: State,
        regs: Vec<TermId>,
    ) {
        let program = self.program;
        let block = program.function(act.func).block(from);
        match &block.end {
            Terminator::Goto(to) => self.edge(act, key, from, *to, state, regs),
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(*cond, &regs);
                let not_c = self.terms().not(c);
                self.branch(act, key, from, state, regs, &[(c, *then), (not_c, *other)]);
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.operand(*value, &regs);
                let width = self.terms.width(v);
                let mut rest = self.terms.tru();
                let mut ways: Vec<(TermId, BlockId)> = Vec::new();
                for &(k, to) in cases {
                    let k = self.terms().constant(k, width);
                    let hit = self.terms().eq(v, k);
                    let miss = self.terms().not(hit);
                    rest = self.terms().and(rest, miss);
                    match ways.iter_mut().find(|w| w.1 == to) {
                        Some(way) => way.0 = self.terms.or(way.0, hit),
                        None => ways.push((hit, to)),
                    }
                }
                ways.push((rest, *default));
                self.branch(act, key, from, state, regs, &ways);
            }
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(v, &regs));
                let mut state = state;
                let index = block.instrs.len() as u32;
                let at = InstrRef { func: act.func, block: from, index };
                let objects = self.thread.stack[act.stack_from..].to_vec();
                self.end_locals(objects, value, at, &mut state);
                act.exit = Some(match act.exit.take() {
                    None => (state, value),
                    Some((other, old)) => {
                        let (state, pick) = self.merge(other, state);
                        let value = match (old, value) {
                            (Some(a), Some(b)) => Some(self.choose_value(pick, a, b)),
                            (a, b) => a.or(b),
                        };
                        (state, value)
                    }
                });
            }
            Terminator::Stop => {}
        }
    }

    fn branch(
        &mut self,
        act: &mut Activation,
        key: &Key,
        from: BlockId,
        state: State,
        regs: Vec<TermId>,
        ways: &[(TermId, BlockId)],
    ) {
        let possible: Vec<(TermId, BlockId)> =
            ways.iter().filter(|w| !self.terms.is_false(w.0)).copied().collect();
        // A test for leaving a loop that folds to "stay": iterations are certain to end some time.
        for l in act.info.cfg.loops_around(from) {
            let inside = |b: BlockId| act.info.cfg.loops_around(b).contains(&l);
            let can_leave = ways.iter().any(|w| !inside(w.1));
            if can_leave
                && possible.iter().all(|w| inside(w.1))
                && let Some(head) = &mut act.heads[l]
            {
                head.decided = true;
            }
        }
        for (cond, to) in possible {
            let path = state.path.and(&mut self.terms, cond);
            if path.is_false(&self.terms) {
                continue;
            }
            let state = State { path, ..state.clone() };
            self.edge(act, key, from, to, state, regs.clone());
        }
    }

    fn edge(
        &mut self,
        act: &mut Activation,
        key: &Key,
        from: BlockId,
        to: BlockId,
        mut state: State,
        regs: Vec<TermId>,
    ) {
        if act.info.cfg.is_back_edge(from, to) {
            if !self.back_edge(act, to, &mut state, &regs) {
                return;
            }
        } else {
            act.forget_heads_passed_by(from, to);
        }
        let next = act.key(Some((key, from)), to);
        match act.pending.remove(&next) {
            None => {
                act.pending.insert(next, (state, regs));
            }
            Some((other, other_regs)) => {
                let (merged, pick) = self.merge(other, state);
                let mut all = other_regs;
                let info = act.info.clone();
                for r in info.liveness.live_at(to) {
                    let (a, b) = (all[r.index()], regs[r.index()]);
                    if a != b {
                        all[r.index()] = self.choose_value(pick, a, b);
                    }
                }
                act.pending.insert(next, (merged, all));
            }
        }
    }

    /// Decides whether a further iteration is taken; adds the condition for it to the path.
    fn back_edge(
        &mut self,
        act: &mut Activation,
        head_block: BlockId,
        state: &mut State,
        regs: &[TermId],
    ) -> bool {
        let l = act.info.cfg.loop_at_head(head_block).expect("back edges go to heads");
        let Some(head) = act.heads[l].clone() else {
            // Entered past its head: nothing to compare with, so the iteration just counts.
            let place = self.loop_place(act.func, head_block);
            let counted = act.next[l].0.max(1);
            if counted > self.limits.unwind {
                self.cut(state, CutKind::Loop, place);
                return false;
            }
            act.next[l].0 = counted;
            return true;
        };
        let live: Vec<usize> = act.info.liveness.live_at(head_block).map(|r| r.index()).collect();
        let (program, knowledge) = (self.program, &*self.knowledge);
        let terms = &mut self.terms;
        let Skeleton { images, initial_bytes, .. } = &mut self.skeleton;
        let effects = &self.thread.effects;
        let now = Arrival { regs, memory: &state.memory, path: &state.path, effects };
        let effect =
            purity::had_effect(terms, &head, &now, &mut live.into_iter(), &mut |t, o, at, n| {
                initial_value(program, knowledge, images, initial_bytes, t, (o, at, n))
            });
        let waited = purity::waited(terms, &head, effects);
        self.wait_spinning(state, act.func, head_block, &head, (effect, waited));
        if !self.wait_for(state, effect) {
            return false;
        }
        let (mut counted, mut free) = (head.counted, head.free);
        if head.decided
            && free < self.limits.free
            && self.skeleton.events.len() < self.limits.events
        {
            free += 1;
        } else {
            counted += 1;
        }
        if counted > self.limits.unwind {
            let place = self.loop_place(act.func, head_block);
            self.cut(state, CutKind::Loop, place);
            return false;
        }
        let next = &mut act.next[l];
        let before = next.2.unwrap_or(self.terms.fals());
        *next = (next.0.max(counted), next.1.max(free), Some(self.terms.or(before, waited)));
        true
    }

    fn loop_place(&self, func: FuncId, head: BlockId) -> Place {
        let block = self.program.function(func).block(head);
        block.instrs.iter().map(|i| i.place).find(|p| p.is_known()).unwrap_or(block.end_place)
    }

    /// Joins two states of exclusive paths; the condition picks the first.
    pub fn merge(&mut self, mut a: State, mut b: State) -> (State, TermId) {
        if a.concurrent != b.concurrent {
            if a.concurrent {
                self.publish(&mut b);
            } else {
                self.publish(&mut a);
            }
        }
        let (path, pick) = Path::join(&mut self.terms, &a.path, &b.path);
        if a.atomic != b.atomic {
            let what = "an atomic section that is open on one path only".to_string();
            let state = State { path: path.clone(), ..a.clone() };
            self.cut(&state, CutKind::Unsupported(what), Place::UNKNOWN);
        }
        let memory = self.merge_memory(&a, &b, pick);
        let merged = State {
            path,
            memory,
            concurrent: a.concurrent,
            atomic: a.atomic.max(b.atomic),
            section: a.section.max(b.section),
            locks: common_locks(&a.locks, &b.locks),
        };
        (merged, pick)
    }

    fn merge_memory(&mut self, a: &State, b: &State, pick: TermId) -> Rc<Memory> {
        if Rc::ptr_eq(&a.memory, &b.memory) {
            return a.memory.clone();
        }
        let differences = a.memory.differences(&b.memory);
        let mut merged = a.memory.clone();
        for o in differences {
            let (x, y) = (a.memory.contents(o).cloned(), b.memory.contents(o).cloned());
            for (offset, bytes) in common_ranges(x.as_deref(), y.as_deref()) {
                let vx = self.load_private(a, o, offset, bytes);
                let vy = self.load_private(b, o, offset, bytes);
                let value = self.choose_value(pick, vx, vy);
                let target = Rc::make_mut(&mut merged).contents_mut(o);
                target.store(&mut self.terms, offset, bytes, value);
            }
        }
        merged
    }

    /// What a part of an object holds where the running thread has not written it.
    pub fn initial(&mut self, o: ObjectIx, offset: u64, bytes: u32) -> TermId {
        let terms = &mut self.terms;
        let Skeleton { images, initial_bytes, .. } = &mut self.skeleton;
        initial_value(
            self.program,
            self.knowledge,
            images,
            initial_bytes,
            terms,
            (o, offset, bytes),
        )
    }
}

/// What is held on both paths. If it was acquired on them apart, events before they joined are on one path only.
fn common_locks(a: &Rc<Vec<Held>>, b: &Rc<Vec<Held>>) -> Rc<Vec<Held>> {
    if a == b {
        return a.clone();
    }
    let both = a.iter().filter_map(|l| {
        let other = b.iter().find(|m| m.address == l.address)?;
        Some(Held { address: l.address, since: l.since.max(other.since) })
    });
    Rc::new(both.collect())
}

/// The contents of a part (object, offset, bytes) of memory when the first thread was created.
pub fn initial_value(
    program: &Program,
    knowledge: &Knowledge,
    images: &[(TermId, Rc<Memory>)],
    arbitrary: &mut FxHashMap<(ObjectIx, u64), TermId>,
    terms: &mut Terms,
    part: (ObjectIx, u64, u32),
) -> TermId {
    let (o, offset, bytes) = part;
    let mut value = None;
    for (guard, memory) in images {
        let in_image = match memory.contents(o) {
            Some(contents) => contents.load(terms, offset, bytes, &mut |t, at, n| {
                static_value(program, knowledge, arbitrary, t, (o, at, n))
            }),
            None => static_value(program, knowledge, arbitrary, terms, part),
        };
        // The first image stands for "none of the others": conditions are exclusive.
        value = Some(value.map_or(in_image, |before| terms.ite(*guard, in_image, before)));
    }
    value.unwrap_or_else(|| static_value(program, knowledge, arbitrary, terms, part))
}

/// The contents of a part of an object at the start of its life.
fn static_value(
    program: &Program,
    knowledge: &Knowledge,
    arbitrary: &mut FxHashMap<(ObjectIx, u64), TermId>,
    terms: &mut Terms,
    (o, offset, bytes): (ObjectIx, u64, u32),
) -> TermId {
    let object = knowledge.object(o);
    let fixed = match object.key {
        ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => {
            let global = program.global(g);
            (!global.external).then_some(global.init.as_slice())
        }
        ObjectKey::Alloc { .. } => object.zeroed.then_some(&[][..]),
        ObjectKey::Function(_) | ObjectKey::Grave(_) => Some(&[][..]),
    };
    let mut value = None;
    for i in (0..u64::from(bytes)).rev() {
        let byte = match fixed {
            Some(init) => {
                let byte = init.get((offset + i) as usize).copied().unwrap_or(0);
                terms.constant(u128::from(byte), 8)
            }
            None => *arbitrary.entry((o, offset + i)).or_insert_with(|| terms.fresh(8)),
        };
        value = Some(value.map_or(byte, |high| terms.concat(high, byte)));
    }
    value.expect("at least one byte is read")
}

impl Activation {
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
                self.next[l] = (0, 0, None);
            }
        }
    }

    /// The key of a block reached from another (or at the start of the activation).
    fn key(&self, from: Option<(&Key, BlockId)>, to: BlockId) -> Key {
        let cfg = &self.info.cfg;
        let loops = cfg.loops_around(to);
        let (old, old_loops) = match from {
            Some((key, block)) => (key.as_slice(), cfg.loops_around(block)),
            None => (&[][..], Vec::new()),
        };
        let again = from.is_some_and(|(_, block)| cfg.is_back_edge(block, to));
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

impl Running {
    fn new(ix: ThreadIx, number: u32, lineage: Vec<InstrRef>) -> Running {
        Running {
            ix,
            number,
            unit: 0,
            position: 0,
            calls: Vec::new(),
            counts: FxHashMap::default(),
            effects: Vec::new(),
            ends: Vec::new(),
            choices: Vec::new(),
            sections: FxHashMap::default(),
            stack: Vec::new(),
            locals: Vec::new(),
            lineage,
        }
    }
}
