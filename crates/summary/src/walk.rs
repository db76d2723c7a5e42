//! The walk over the bounded program: what it carries along, and the small steps that all of it
//! uses.
//!
//! One [`Walk`] is one pass over all threads. It owns no facts of its own: terms are in the pool,
//! where they point in [`Pointers`], what happens in the [`Recorder`], what is learned for the next
//! pass in [`Knowledge`]. What is left is where the walk stands: the thread, its calls, its
//! effects. How it proceeds is in files of their own, from the outside in: `threads.rs` (a thread
//! from its start to its end), `activation.rs` (a call, block by block), `loops.rs` (whether to go
//! round again), `merge.rs` (paths that join), `step.rs` (one instruction).

use std::rc::Rc;

use raddle_ir::{Cfg, FuncId, InstrRef, Liveness, Operand, Place, Program, Unmodelled};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::beginning::Beginning;
use crate::functions::Summaries;
use crate::knowledge::{Knowledge, ObjectIx, Target};
use crate::memory::Part;
use crate::pointers::Pointers;
use crate::purity::Effect;
use crate::record::Recorder;
use crate::retries;
use crate::skeleton::{CutKind, Summary};
use crate::state::State;
use crate::summarise::Limits;

/// The clock is looked at once in so many instructions.
const STEPS_PER_LOOK: u64 = 1024;

/// Facts about a function.
pub(crate) struct Info {
    pub cfg: Cfg,
    pub liveness: Liveness,
    /// For each block, whether it is in a loop that retries a weak exchange.
    pub retrying: Vec<bool>,
}

/// A call under way.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    /// Where it stands.
    pub at: InstrRef,
    /// What was called.
    pub func: FuncId,
}

/// One end of a thread.
pub(crate) struct End {
    pub guard: TermId,
    pub value: TermId,
}

/// Where the walk stands in the running thread.
pub(crate) struct Position {
    /// The thread's number in the program.
    pub number: u32,
    /// Calls under way, the outermost first.
    pub calls: Vec<Call>,
    /// Executions so far of allocating and creating instructions.
    pub counts: FxHashMap<InstrRef, u32>,
    /// What makes loop iterations matter.
    pub effects: Vec<Effect>,
    pub ends: Vec<End>,
    /// Stack objects of the calls under way, outermost first: those of a call die when it returns,
    /// all when the thread ends inside it.
    pub stack: Vec<ObjectIx>,
    /// Its copies of thread-local globals.
    pub locals: Vec<ObjectIx>,
    /// Instructions at which this thread and its ancestors were created.
    pub lineage: Vec<InstrRef>,
}

impl Position {
    /// Before the first instruction.
    pub fn at_start(number: u32, lineage: Vec<InstrRef>) -> Position {
        Position {
            number,
            calls: Vec::new(),
            counts: FxHashMap::default(),
            effects: Vec::new(),
            ends: Vec::new(),
            stack: Vec::new(),
            locals: Vec::new(),
            lineage,
        }
    }
}

/// One pass over all threads.
pub(crate) struct Walk<'a> {
    pub program: &'a Program,
    pub limits: &'a Limits,
    /// What earlier passes learned; grows.
    pub knowledge: &'a mut Knowledge,
    pub terms: Terms,
    pub pointers: Pointers,
    pub recorder: Recorder,
    pub thread: Position,
    /// Stack objects whose address was stored, returned or handed to a thread.
    pub escaped: FxHashSet<ObjectIx>,
    /// Inside a unit that only joins an access with the look at its object's life.
    pub lifetime_unit: bool,
    /// The instruction under way used what an earlier one found in shared memory.
    pub remembered: bool,
    /// Sizes of objects that are not constant.
    pub sizes: FxHashMap<ObjectIx, TermId>,
    /// Functions with weak exchanges; empty if there are none.
    pub weak_functions: Vec<bool>,
    /// What functions compute.
    pub summaries: Summaries,
    /// Calls under way, those of the creators of the running thread included.
    pub depth: usize,
    infos: FxHashMap<FuncId, Rc<Info>>,
    steps: u64,
    pub out_of_time: bool,
}

impl<'a> Walk<'a> {
    /// Before the first instruction of the main thread.
    pub fn new(program: &'a Program, knowledge: &'a mut Knowledge, limits: &'a Limits) -> Self {
        let terms = Terms::new();
        let recorder = Recorder::new(&terms);
        Walk {
            program,
            limits,
            knowledge,
            terms,
            pointers: Pointers::new(program.pointer_bits),
            recorder,
            thread: Position::at_start(1, Vec::new()),
            escaped: FxHashSet::default(),
            lifetime_unit: false,
            remembered: false,
            sizes: FxHashMap::default(),
            weak_functions: retries::exchanges_weakly(program),
            summaries: Summaries::default(),
            depth: 0,
            infos: FxHashMap::default(),
            steps: 0,
            out_of_time: false,
        }
    }

    /// What came out; nothing if the time was up.
    pub fn finish(mut self) -> Option<Summary> {
        if self.out_of_time {
            return None;
        }
        debug_assert!(self.thread.calls.is_empty(), "all calls have returned or been given up");
        debug_assert_eq!(self.depth, 0, "all calls have returned or been given up");
        debug_assert!(!self.lifetime_unit, "no access is under way");
        let skeleton = self.recorder.finish(&mut self.terms);
        Some(Summary { skeleton, terms: self.terms })
    }

    /// Counts an instruction; false if the time is up.
    pub fn tick(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.limits.are_over() {
            self.out_of_time = true;
        }
        !self.out_of_time
    }

    /// Order, loops and live registers of a function, computed once.
    pub fn info(&mut self, func: FuncId) -> Rc<Info> {
        let (program, weak) = (self.program, &self.weak_functions);
        self.infos
            .entry(func)
            .or_insert_with(|| {
                let f = program.function(func);
                let cfg = Cfg::new(f);
                let retrying = retries::retrying_blocks(f, &cfg, weak);
                Rc::new(Info { cfg, liveness: Liveness::new(f), retrying })
            })
            .clone()
    }

    /// How often the running thread has executed an instruction before.
    pub fn count(&mut self, at: InstrRef) -> u32 {
        let n = self.thread.counts.entry(at).or_insert(0);
        *n += 1;
        *n - 1
    }

    /// The value of an operand.
    pub fn operand(&mut self, operand: Operand, regs: &[TermId]) -> TermId {
        match operand {
            Operand::Reg(r) => regs[r.index()],
            Operand::Const(c) => self.terms.constant(c.value, c.width),
            Operand::Global(..) | Operand::Function(_) => {
                let program = self.program;
                let k = program.constant(operand).expect("globals and functions have addresses");
                self.terms.constant(k, program.pointer_bits)
            }
        }
    }

    /// The values of operands.
    pub fn operands(&mut self, all: &[Operand], regs: &[TermId]) -> Vec<TermId> {
        all.iter().map(|&o| self.operand(o, regs)).collect()
    }

    /// The innermost instruction outside library models.
    pub fn user_site(&self, at: InstrRef) -> InstrRef {
        let mut site = at;
        for call in self.thread.calls.iter().rev() {
            if !self.program.function(site.func).is_model {
                break;
            }
            site = call.at;
        }
        site
    }

    /// Where a value may point.
    pub fn targets(&mut self, value: TermId) -> Rc<[Target]> {
        self.pointers.of(&self.terms, self.knowledge, value)
    }

    /// `cond ? a : b` for values that may be pointers.
    pub fn choose_value(&mut self, cond: TermId, a: TermId, b: TermId) -> TermId {
        self.pointers.choose(&mut self.terms, self.knowledge, cond, [a, b])
    }

    /// What a part of an object holds where the running thread has not written it.
    pub fn initial(&mut self, part: Part) -> TermId {
        let (images, arbitrary) = self.recorder.beginning();
        let (program, knowledge) = (self.program, &*self.knowledge);
        Beginning { program, knowledge, images, arbitrary }.value(&mut self.terms, part)
    }

    /// Goes on only where the condition holds; false if that is nowhere.
    pub fn restrict(&mut self, state: &mut State, condition: TermId) -> bool {
        state.path = state.path.and(&mut self.terms, condition);
        !state.is_dead(&self.terms)
    }

    /// The state where a condition holds as well.
    pub fn state_if(&mut self, state: &State, condition: TermId) -> State {
        state.on(state.path.and(&mut self.terms, condition))
    }

    /// Notes something that makes a loop iteration matter.
    pub fn effect(&mut self, state: &State) {
        let changed = self.terms.tru();
        self.thread.effects.push(Effect { path: state.path.clone(), changed, wait: None });
    }

    /// Records that executions on this path are cut off. An atomic section that is cut off has no
    /// end, so nobody sees what it wrote; one that ends by undefined behaviour does end there.
    pub fn cut(&mut self, state: &State, kind: CutKind, place: Place) {
        let condition = state.path.term(&self.terms);
        let ends = matches!(kind, CutKind::Undefined(_));
        if state.atomic > 0 && !ends {
            let passes = self.terms.not(condition);
            self.recorder.needs(state.section, passes);
        }
        self.recorder.cut(condition, kind, place);
    }

    /// Records that executions on this path come to something that is not modelled.
    pub fn unsupported(&mut self, state: &State, what: Unmodelled, at: InstrRef) {
        self.cut(state, CutKind::Unsupported(what), self.program.place(at));
    }
}
