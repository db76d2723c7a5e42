//! From functions to automata: one region of code for each control state.
//!
//! Idea: a control state's step is a loop-free region of the control-flow graph: from its
//! instruction to the next control points. The region is executed symbolically, once, with paths
//! joined where they meet: what is waiting is kept in the order of the weak topological order
//! (`raddle_ir::cfg`), callers before callees before what follows the call, so that everything that
//! leads to a place comes before it. Control points are instructions that other threads could
//! notice (outside atomic sections: a section is one step), and heads of loops, so that regions are
//! free of loops and loops are not unrolled.
//! Source: "large blocks" as in Beyer et al., FMCAD 2009; paper 000 §2.2 merges in the same way.
//! Elsewhere: what an instruction does is in `step.rs`, `calls.rs`, `memory.rs` and `threads.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_analysis::{Facts, Object, Role};
use raddle_ir::{
    AllocKind, BlockId, Cfg, FuncId, InstrRef, Liveness, Op, Operand, Place, Program, RegId,
    Terminator,
};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::bounds::Bounds;
use crate::contexts::{ClassIx, ContextId};
use crate::layout::{Layout, TooLarge};
use crate::machine::{
    Automata, Automaton, Cut, CutKind, Position, State, StateIx, StateVar, Transition, Vars,
    Violation,
};
use crate::pure::Watched;
use crate::spin::Spin;

/// Makes the automata of a program.
pub fn automata(
    program: &Program,
    facts: &Facts,
    bounds: Bounds,
    terms: &mut Terms,
    is_over: &dyn Fn() -> bool,
) -> Result<Automata, TooLarge> {
    let layout = Layout::new(program, facts, bounds)?;
    layout.check_invariants();
    let mut vars = Vars::default();
    let (mut classes, mut remembered) = (Vec::new(), BTreeMap::new());
    for class in 0..layout.classes.len() {
        let class = ClassIx(class as u32);
        let mut builder =
            Builder::new(program, facts, (&layout, bounds), terms, &mut vars, class, is_over);
        builder.run();
        if let Some(why) = builder.given_up {
            return Err(why);
        }
        remembered.extend(builder.all_remembered());
        let automaton = Automaton { class, states: builder.states };
        automaton.check_invariants(terms);
        classes.push(automaton);
    }
    Ok(Automata { layout, vars, classes, remembered })
}

/// The condition of a path through a region, and the state variables that it has changed.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub cond: TermId,
    pub vars: FxHashMap<StateVar, TermId>,
}

/// What becomes of a thread for which a condition does not hold.
pub(crate) enum Otherwise {
    /// It cannot go on now: the step does not happen. With the word of a mutex.
    Wait(Option<TermId>),
    /// It goes no further; an atomic section that it is in cannot be completed.
    Stop,
    /// It ends there, and so does an atomic section that it is in.
    End,
    /// It violates a property; `true` for an invalid access.
    Violate(raddle_ir::Property, bool),
    /// The automaton ends.
    Cut(CutKind),
}

/// Most terms of all automata.
const MOST_TERMS: usize = 10_000_000;

/// The order in which places of a region are looked at.
type Key = Vec<u32>;

pub(crate) struct Builder<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub layout: &'a Layout,
    pub bounds: Bounds,
    pub terms: &'a mut Terms,
    pub vars: &'a mut Vars,
    pub class: ClassIx,
    pub states: Vec<State>,
    known: FxHashMap<Position, StateIx>,
    cfgs: FxHashMap<FuncId, Cfg>,
    liveness: FxHashMap<FuncId, Liveness>,
    /// What is remembered of loops (`pure.rs`).
    pub watched: FxHashMap<FuncId, Rc<[Option<Watched>]>>,
    /// The state that is being made.
    pub now: State,
    /// Places of the region that are still to be looked at.
    waiting: BTreeMap<Key, (Position, Path)>,
    /// Where the region has ended so far.
    /// A single copy of a function is entered from each of its callers apart.
    ends: BTreeMap<(StateIx, u128), Path>,
    /// The loop whose iterations are looked at, for a thread that runs alone.
    pub spin: Option<Spin>,
    /// Whether nobody waits any longer.
    is_over: &'a dyn Fn() -> bool,
    /// Why nothing more is made.
    given_up: Option<TooLarge>,
    /// Instructions executed so far.
    executed: u64,
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a Program,
        facts: &'a Facts,
        (layout, bounds): (&'a Layout, Bounds),
        terms: &'a mut Terms,
        vars: &'a mut Vars,
        class: ClassIx,
        is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        Builder {
            program,
            facts,
            layout,
            bounds,
            terms,
            vars,
            class,
            states: Vec::new(),
            known: FxHashMap::default(),
            cfgs: FxHashMap::default(),
            liveness: FxHashMap::default(),
            watched: FxHashMap::default(),
            now: State::default(),
            waiting: BTreeMap::new(),
            ends: BTreeMap::new(),
            spin: None,
            is_over,
            given_up: None,
            executed: 0,
        }
    }

    fn run(&mut self) {
        self.states = vec![State::default(), State::default()];
        let mut path = Path { cond: self.terms.tru(), vars: FxHashMap::default() };
        let context = self.layout.contexts.entry(self.class);
        self.begin(&mut path, context);
        let start = Position {
            context,
            at: InstrRef {
                func: self.layout.contexts.get(context).func,
                block: BlockId(0),
                index: 0,
            },
            sections: 0,
        };
        self.arrive(start, path);
        self.finish(StateIx::START);
        let mut next = 2;
        while next < self.states.len() && self.given_up.is_none() {
            let position = self.states[next].position.expect("only the first two have none");
            self.now.waits = self.spins(position);
            self.now.position = Some(position);
            let path = Path { cond: self.terms.tru(), vars: FxHashMap::default() };
            self.execute(position, path);
            self.finish(StateIx(next as u32));
            next += 1;
        }
    }

    /// Executes what is waiting and puts the state together.
    fn finish(&mut self, index: StateIx) {
        self.execute_waiting();
        let mut state = std::mem::take(&mut self.now);
        if let Some(position) = state.position {
            self.live_registers(position, &mut state.live);
        }
        for ((target, _), path) in std::mem::take(&mut self.ends) {
            let mut updates: Vec<(StateVar, TermId)> = path.vars.into_iter().collect();
            updates.retain(|&(var, value)| self.vars.known(var) != Some(value));
            updates.sort_unstable_by_key(|u| u.0);
            state.transitions.push(Transition { target, guard: path.cond, updates });
        }
        if self.is_linear() {
            self.note_lasting(&mut state);
        }
        self.states[index.index()] = state;
    }

    /// Executes the rest of the region.
    pub fn execute_waiting(&mut self) {
        while let Some((_, (position, path))) = self.waiting.pop_first() {
            self.execute(position, path);
        }
    }

    pub fn cfg(&mut self, func: FuncId) -> &Cfg {
        self.cfgs.entry(func).or_insert_with(|| Cfg::new(self.program.function(func)))
    }

    pub fn liveness(&mut self, func: FuncId) -> &Liveness {
        let function = self.program.function(func);
        self.liveness.entry(func).or_insert_with(|| Liveness::new(function))
    }

    fn key(&mut self, position: Position) -> Key {
        let mut key = vec![position.sections];
        let mut at = Some((position.context, position.at));
        while let Some((context, instr)) = at {
            let block = self.cfg(instr.func).position[instr.block.index()];
            key.extend([instr.index, block, context.0]);
            at = self.layout.contexts.get(context).caller();
        }
        // Outermost first; the number of sections decides last.
        key.reverse();
        key
    }

    /// A path comes to a place: the step ends there, or goes on.
    pub fn arrive(&mut self, position: Position, path: Path) {
        if self.spin.is_some() && !self.spins_on(position, &path) {
            return;
        }
        if self.is_control_point(position) {
            let index = self.index_of(position);
            self.end(index, path);
            return;
        }
        let key = self.key(position);
        match self.waiting.remove(&key) {
            None => self.waiting.insert(key, (position, path)),
            Some((_, other)) => {
                let joined = self.join(other, path);
                self.waiting.insert(key, (position, joined))
            }
        };
    }

    fn index_of(&mut self, position: Position) -> StateIx {
        if let Some(&index) = self.known.get(&position) {
            return index;
        }
        let index = StateIx(self.states.len() as u32);
        self.states.push(State { position: Some(position), ..State::default() });
        self.known.insert(position, index);
        index
    }

    /// The step ends in a state.
    pub fn end(&mut self, index: StateIx, mut path: Path) {
        if self.terms.is_false(path.cond) || self.spin.is_some() {
            return;
        }
        let target = self.states[index.index()].position;
        let mut live = Vec::new();
        if let Some(position) = target {
            self.live_registers(position, &mut live);
        }
        path.vars.retain(|var, _| match var {
            StateVar::Register(context, reg) => live.binary_search(&(*context, *reg)).is_ok(),
            StateVar::Own
            | StateVar::Count(_)
            | StateVar::Return(_)
            | StateVar::Cell(_)
            | StateVar::Argument(..)
            | StateVar::Result(_) => true,
        });
        let caller = target.and_then(|p| path.vars.get(&StateVar::Return(p.context)));
        let caller = caller.and_then(|&c| self.terms.as_const(c)).unwrap_or(0);
        let path = match self.ends.remove(&(index, caller)) {
            None => path,
            Some(other) => self.join(other, path),
        };
        self.ends.insert((index, caller), path);
    }

    /// The registers that may be read before they are written again, sorted.
    pub fn live_registers(&mut self, position: Position, live: &mut Vec<(ContextId, RegId)>) {
        let mut work = vec![(position.context, position.at, None)];
        let mut seen = BTreeSet::new();
        while let Some((context, at, assigned)) = work.pop() {
            if !seen.insert((context, at)) {
                continue;
            }
            let function = self.program.function(at.func);
            let liveness = self.liveness(at.func);
            let block = function.block(at.block);
            let mut here: BTreeSet<RegId> =
                block.end.operand().and_then(register).into_iter().collect();
            for successor in block.end.successors() {
                here.extend(liveness.live_at(successor));
            }
            for instr in block.instrs[at.index as usize..].iter().rev() {
                here.retain(|r| instr.op.defs().all(|d| d != *r));
                here.extend(instr.op.operands().into_iter().filter_map(register));
            }
            if let Some(assigned) = assigned {
                here.remove(&assigned);
            }
            live.extend(here.into_iter().map(|r| (context, r)));
            live.extend(self.remembered(at.func, at.block).into_iter().map(|r| (context, r)));
            // The caller goes on behind its call, which assigns the result.
            work.extend(self.layout.contexts.get(context).callers.iter().map(|&(outer, call)| {
                let result = self.program.instr(call).and_then(|i| i.op.defs().next());
                (outer, InstrRef { index: call.index + 1, ..call }, result)
            }));
        }
        live.sort_unstable();
        live.dedup();
    }

    fn join(&mut self, a: Path, b: Path) -> Path {
        let mut vars = FxHashMap::default();
        let names = a.vars.keys().chain(b.vars.keys().filter(|v| !a.vars.contains_key(v)));
        for &var in names {
            let old = self.vars.known(var).expect("what is written has a term");
            let (x, y) = (a.vars.get(&var).copied(), b.vars.get(&var).copied());
            let value = self.terms.ite(a.cond, x.unwrap_or(old), y.unwrap_or(old));
            vars.insert(var, value);
        }
        Path { cond: self.terms.or(a.cond, b.cond), vars }
    }

    /// Executes from a place to where the path ends or joins others.
    pub fn execute(&mut self, mut position: Position, mut path: Path) {
        let first = position;
        loop {
            if self.terms.is_false(path.cond) || self.gives_up(position) {
                return;
            }
            if position != first && self.is_control_point(position) {
                self.arrive(position, path);
                return;
            }
            let block = self.program.function(position.at.func).block(position.at.block);
            let Some(instr) = block.instrs.get(position.at.index as usize) else {
                self.terminate(position, path, &block.end);
                return;
            };
            if let Op::Call { callee, args, .. } = &instr.op {
                self.call(position, path, *callee, args);
                return;
            }
            match self.step(&mut position, &mut path, &instr.op) {
                true => position.at.index += 1,
                false => return,
            }
        }
    }

    /// Whether to stop here: the time is up, or there are too many terms.
    fn gives_up(&mut self, position: Position) -> bool {
        let looks = self.executed.is_multiple_of(64);
        self.executed += 1;
        if looks && self.given_up.is_none() {
            let count = self.terms.len();
            if count > MOST_TERMS {
                let place = self.user_place(position);
                self.given_up = Some(TooLarge::Terms { count, place });
            } else if (self.is_over)() {
                self.given_up = Some(TooLarge::Stopped);
            }
        }
        self.given_up.is_some()
    }

    fn terminate(&mut self, position: Position, path: Path, end: &Terminator) {
        let context = position.context;
        match end {
            Terminator::Goto(to) => self.jump(position, *to, path),
            Terminator::Branch { cond, then, other } => {
                let cond = self.operand(&path, context, *cond);
                let not = self.terms.not(cond);
                for (to, cond) in [(*then, cond), (*other, not)] {
                    let cond = self.terms.and(path.cond, cond);
                    self.jump(position, to, Path { cond, vars: path.vars.clone() });
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(&path, context, *value);
                let width = self.terms.width(value);
                let mut left = path.cond;
                for &(case, to) in cases {
                    let case = self.terms.constant(case, width);
                    let hit = self.terms.eq(value, case);
                    let cond = self.terms.and(left, hit);
                    self.jump(position, to, Path { cond, vars: path.vars.clone() });
                    let not = self.terms.not(hit);
                    left = self.terms.and(left, not);
                }
                self.jump(position, *default, Path { cond: left, vars: path.vars });
            }
            Terminator::Return(value) => self.give_back(position, path, *value),
            Terminator::Stop => {
                let mut path = path;
                let fals = self.terms.fals();
                self.require(&mut path, position, fals, Otherwise::End);
            }
        }
    }

    fn jump(&mut self, from: Position, to: BlockId, mut path: Path) {
        if self.terms.is_false(path.cond) {
            return;
        }
        let func = from.at.func;
        let cfg = self.cfg(func);
        let back = cfg.is_back_edge(from.at.block, to);
        let spins = back
            && cfg.loop_at_head(to).is_some_and(|l| self.facts.loops.is_pure(func, l))
            && !self.is_linear()
            && !self.bounds.every_iteration;
        let to_itself = self.spin.as_ref().is_some_and(|s| s.is_head(from.context, to));
        if spins && !to_itself {
            // An iteration without a trace: the execution without it exists as well.
            let fals = self.terms.fals();
            self.require(&mut path, from, fals, Otherwise::Stop);
            return;
        }
        self.cross(from, to, &mut path);
        self.arrive(Position { at: InstrRef { func, block: to, index: 0 }, ..from }, path);
    }

    /// Goes on where a condition holds.
    pub fn require(
        &mut self,
        path: &mut Path,
        position: Position,
        cond: TermId,
        otherwise: Otherwise,
    ) -> bool {
        let wrong = self.terms.not(cond);
        let failing = self.terms.and(path.cond, wrong);
        path.cond = self.terms.and(path.cond, cond);
        if self.terms.is_false(failing) {
            return true;
        }
        if self.spin.is_some() {
            return !self.terms.is_false(path.cond);
        }
        if self.is_linear() {
            match otherwise {
                Otherwise::Wait(_) => self.now.blocked.push(failing),
                Otherwise::Stop | Otherwise::End | Otherwise::Violate(..) | Otherwise::Cut(_) => {
                    self.now.stops.push(failing)
                }
            }
        }
        let ends = matches!(otherwise, Otherwise::End | Otherwise::Cut(CutKind::Undefined(_)));
        match otherwise {
            Otherwise::Wait(word) => {
                self.note_wait(position, failing, word);
                return !self.terms.is_false(path.cond);
            }
            Otherwise::Stop | Otherwise::End => {}
            Otherwise::Violate(property, fault) => {
                let (at, place) = (position.at, self.user_place(position));
                let violation = Violation { cond: failing, property, at, fault, place };
                self.now.violations.push(violation);
            }
            Otherwise::Cut(kind) => {
                let place = self.user_place(position);
                self.now.cuts.push(Cut { cond: failing, kind, place });
            }
        }
        // A section that is not completed has not happened; otherwise what was done stays, be it in
        // earlier steps of the section.
        let done = path.vars.keys().any(|v| v.is_shared());
        if position.sections == 0 && done || position.sections > 0 && ends {
            self.end(StateIx::STOP, Path { cond: failing, vars: path.vars.clone() });
        }
        !self.terms.is_false(path.cond)
    }

    /// Where a position is, outside library models.
    pub fn user_place(&self, position: Position) -> Place {
        self.layout.user_place(self.program, position.context, position.at)
    }

    fn is_control_point(&mut self, position: Position) -> bool {
        if self.spin.is_some() {
            return false;
        }
        self.is_head(position)
            || self.is_single_copy_boundary(position)
            || position.sections == 0 && (self.is_visible(position) || self.is_observed(position))
    }

    /// Whether a loop begins at a position.
    pub fn is_head(&mut self, position: Position) -> bool {
        let at = position.at;
        at.index == 0 && self.cfg(at.func).loop_at_head(at.block).is_some()
    }

    /// Whether other threads could notice the instruction at a position.
    fn is_visible(&mut self, position: Position) -> bool {
        let Position { context, at, .. } = position;
        let function = self.program.function(at.func);
        let Some(instr) = self.program.instr(at) else {
            let returns = matches!(function.block(at.block).end, Terminator::Return(_));
            return returns && self.returns_visibly(context);
        };
        match &instr.op {
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::CompareExchange { .. } => {
                let usage = instr.op.memory_use(function).expect("these access memory");
                !self.is_early(position) && self.touches_shared(context, usage.addr, usage.bytes)
            }
            Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::TryLock { .. }
            | Op::Free { .. }
            | Op::ObjectSize { .. }
            | Op::Create { .. }
            | Op::Join { .. }
            | Op::ThreadExit { .. }
            | Op::AtomicBegin
            | Op::Block { .. } => true,
            // What is left at the end of the program depends on them.
            Op::Alloc { kind: AllocKind::Heap, .. } | Op::Exit { leaks: true } => {
                let ends = matches!(instr.op, Op::Exit { .. });
                self.program.checked.looks_at_heap() || ends && self.is_linear()
            }
            Op::Exit { leaks: false } => self.is_linear(),
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Alloc { .. }
            | Op::ThreadLocal { .. }
            | Op::Call { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicEnd
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Input { .. }
            | Op::Unsupported { .. } => false,
        }
    }

    /// Whether main is alone there.
    fn is_early(&self, position: Position) -> bool {
        let context = self.layout.contexts.get(position.context);
        let Some(instance) = context.instance.filter(|_| self.class == ClassIx::MAIN) else {
            return false;
        };
        let chain = &self.facts.points_to.instance(instance).chain;
        self.facts.threads.before_first_creation_in(chain, position.at)
    }

    fn touches_shared(&self, context: ContextId, addr: Operand, bytes: Option<u64>) -> bool {
        let candidates = self.candidates(context, addr);
        let objects = self.facts.points_to.objects();
        candidates.unknown
            || candidates.names.iter().any(|&(name, offset)| {
                let role =
                    self.facts.sharing.role(name, raddle_analysis::sharing::range(offset, bytes));
                // Ends of local objects and of copies are not among the accesses that roles are
                // made from.
                let ends = match objects.get(name) {
                    Object::Alloc(..) => true,
                    Object::Global(g) => self.program.global(g).thread_local,
                    Object::Unknown | Object::Function(_) => false,
                };
                let known_to_others = ends && self.facts.sharing.escapes(name);
                role == Role::Shared || role != Role::Local && known_to_others
            })
    }

    /// Whether a return ends something that others may know, or the thread; or the program, and
    /// what is left then matters.
    pub fn returns_visibly(&self, context: ContextId) -> bool {
        let notices = self.class != ClassIx::MAIN || self.program.checked.looks_at_heap();
        let ends = self.layout.contexts.get(context).is_entry() && notices;
        ends || self.local_objects(context).any(|o| self.layout.objects[o.index()].escapes)
    }
}

fn register(operand: Operand) -> Option<RegId> {
    match operand {
        Operand::Reg(r) => Some(r),
        Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => None,
    }
}
