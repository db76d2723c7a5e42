//! The state of a machine that runs a program, and facts about the program that runs need often.
//!
//! **Invariant:** a state is a value: a copy goes its own way. Threads and objects are shared between
//! copies until written, so that copying costs a pointer each.

use std::cell::OnceCell;
use std::rc::Rc;

use raddle_ir::{
    BlockId, Callee, Cfg, FuncId, Function, GlobalId, InstrRef, Liveness, Op, Operand, Place,
    Program, RegId, Terminator,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::finding::Site;
use crate::memory::{Memory, Object};
use crate::thread::ThreadId;
use crate::trace::Call;

/// Why a thread will not go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stopped {
    /// A failed assumption.
    Assumption,
    /// A failed check of a property that is not checked but would have aborted the program.
    Check,
    /// Undefined behaviour whose property is not checked.
    Undefined,
    /// Something that is not modelled.
    Unsupported,
    /// A pure loop iteration: it waits for a change of what the loop reads.
    Spinning,
    /// About to violate a property; exploration goes on without it.
    Violated,
    /// About to end the program; exploration lets the others go on first.
    Exiting,
    /// A limit of the exploration.
    Cut,
}

/// Whether a thread goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It has a next instruction (that may be blocked).
    Running,
    /// It ended with a value.
    Ended(u64),
    /// It will not go on.
    Stopped(Stopped),
}

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldLock {
    /// The mutex.
    pub address: u64,
    /// Where it was acquired, outside library models.
    pub place: Place,
}

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The current block.
    pub block: BlockId,
    /// The next instruction in it.
    pub index: u32,
    /// The registers.
    pub regs: Vec<u128>,
    /// The caller's register for the result.
    pub dst: Option<RegId>,
    /// Bases of the objects that die with this activation.
    pub stack: SmallVec<[u64; 4]>,
    /// The loops it is in; kept only when [`State::watch_loops`] is set.
    pub loops: Vec<Visit>,
}

/// The last arrival of an activation at a loop head.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The head.
    pub head: BlockId,
    /// How many iterations were completed.
    pub iterations: u32,
    /// Values of the registers live at the head.
    pub live: Vec<u128>,
    /// The thread's counters at that time.
    pub marks: Marks,
    /// The objects owned by the thread, as they were.
    pub owned: Vec<Rc<Object>>,
    /// The mutex with which the iteration that ended there waited on a condition, if that was the
    /// last thing it did, or the only one and done once.
    pub waited: Option<u64>,
}

/// Counters of what a thread did; an iteration that moves none of them left no trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Changes that other threads may see, and lock operations.
    pub effects: u32,
    /// Writes to memory that the thread owns.
    pub private: u32,
    /// Releases and re-acquisitions of a mutex by a condition wait.
    pub waits: u32,
    /// Whatever else others could notice: looks at shared memory, joins.
    pub looks: u32,
    /// Those before the call of a library model that is under way, or the last one.
    pub looks_outside: u32,
    /// Those before the last release by a condition wait, without what the wait itself looked at.
    pub looks_before_wait: u32,
    /// The mutex of the last condition wait.
    pub wait_mutex: u64,
    /// The mutex that a condition wait acquired as the last thing of all these, if that was it.
    pub entered: Option<u64>,
}

/// How many questions of each kind a thread asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Asked {
    pub inputs: u32,
    pub addresses: u32,
    pub threads: u32,
    pub wakeups: u32,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number.
    pub id: ThreadId,
    /// Activations, the running one last. Kept after the end, to say where the thread ended.
    pub frames: Vec<Frame>,
    /// Whether it goes on.
    pub status: Status,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// Locks it holds.
    pub locks: SmallVec<[HeldLock; 2]>,
    /// Its copies of thread-local globals.
    pub locals: SmallVec<[(GlobalId, u64); 2]>,
    /// The sets of threads ([`raddle_ir::Access::set`]) that it is in, by their first byte.
    pub sets: SmallVec<[u64; 1]>,
    /// Questions asked.
    pub asked: Asked,
    /// What it did.
    pub marks: Marks,
    /// Where its next object goes.
    pub next_address: u64,
    /// Exploration only: the next wait that may wake spuriously will do so.
    pub wake: bool,
}

/// A state of the whole machine.
#[derive(Clone, Debug)]
pub struct State {
    /// The threads in order of creation.
    pub threads: Vec<Rc<Thread>>,
    /// Memory.
    pub memory: Memory,
    /// Whether the program has ended.
    pub exited: bool,
    /// Index of the thread that is inside an atomic section.
    pub in_section: Option<usize>,
    /// Whether to look for pure loop iterations.
    pub watch_loops: bool,
    /// Whether new objects belong to their thread at first; else all are shared.
    pub own_objects: bool,
}

/// A program with what runs need to know about it.
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    by_address: FxHashMap<u64, FuncId>,
    /// Made when first needed: most functions of a large program are never watched.
    shapes: Vec<OnceCell<Shape>>,
}

/// Facts about one function.
pub struct Shape {
    /// Its loops.
    pub cfg: Cfg,
    /// For each block: registers live at its start if it is a loop head.
    pub live_at_head: Vec<Option<Vec<RegId>>>,
    /// Registers live at the start of each block.
    pub liveness: Liveness,
}

impl<'p> Code<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program) -> Self {
        let by_address = program.function_ids().map(|f| (program.function(f).address, f)).collect();
        let shapes = program.functions.iter().map(|_| OnceCell::new()).collect();
        Code { program, by_address, shapes }
    }

    /// The function of an address.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.by_address.get(&address).copied()
    }

    /// Facts about a function.
    pub fn shape(&self, func: FuncId) -> &Shape {
        self.shapes[func.index()].get_or_init(|| Shape::new(self.program.function(func)))
    }

    /// Whether an instruction uses a register for more than a parameter that its callee ignores.
    fn uses(&self, op: &Op, reg: RegId) -> bool {
        let reg = Operand::Reg(reg);
        let Op::Call { callee: Callee::Direct(callee), args, .. } = op else {
            return op.operands().contains(&reg);
        };
        let params = &self.program.function(*callee).params;
        let liveness = &self.shape(*callee).liveness;
        let ignored = |i: usize| params.get(i).is_none_or(|p| !liveness.is_live(BlockId(0), *p));
        args.iter().enumerate().any(|(i, arg)| *arg == reg && !ignored(i))
    }

    /// The addresses that objects of a thread get when nobody else chooses: each thread has its own
    /// region, so that where an object lies does not depend on the order of threads.
    pub fn region(&self, thread: ThreadId) -> (u64, u64) {
        let bits = if self.program.pointer_bits == 32 { 23 } else { 36 };
        let first = self.program.first_free_address.max(1 << 16).next_multiple_of(1 << 16);
        let from = u64::from(thread.0).saturating_sub(1).saturating_mul(1 << bits);
        let from = first.saturating_add(from);
        (from, from.saturating_add(1 << bits).min(self.address_limit()))
    }

    /// The end of the address space.
    pub fn address_limit(&self) -> u64 {
        if self.program.pointer_bits == 32 { 1 << 32 } else { 1 << 62 }
    }
}

impl Shape {
    fn new(function: &Function) -> Shape {
        let cfg = Cfg::new(function);
        let liveness = Liveness::new(function);
        let mut live_at_head = vec![None; function.blocks.len()];
        for l in &cfg.loops {
            live_at_head[l.head.index()] = Some(liveness.live_at(l.head).collect());
        }
        Shape { cfg, live_at_head, liveness }
    }
}

impl Frame {
    /// A fresh activation.
    pub fn new(program: &Program, func: FuncId, args: &[u128], dst: Option<RegId>) -> Frame {
        let function = program.function(func);
        let mut regs = vec![0; function.regs.len()];
        for (param, value) in function.params.iter().zip(args) {
            let width = function.reg(*param).width;
            regs[param.index()] = value & raddle_ir::expr::mask(width);
        }
        Frame {
            func,
            block: BlockId(0),
            index: 0,
            regs,
            dst,
            stack: SmallVec::new(),
            loops: Vec::new(),
        }
    }

    /// The next instruction.
    pub fn at(&self) -> InstrRef {
        InstrRef { func: self.func, block: self.block, index: self.index }
    }

    /// The value of an operand.
    #[inline]
    pub fn get(&self, program: &Program, operand: Operand) -> u128 {
        match operand {
            Operand::Reg(r) => self.regs[r.index()],
            Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => {
                program.constant(operand).expect("only registers have no constant value")
            }
        }
    }

    /// Value and width of an operand.
    #[inline]
    pub fn get_wide(&self, program: &Program, operand: Operand) -> (u128, u32) {
        let function = program.function(self.func);
        (self.get(program, operand), program.width(function, operand))
    }
}

impl Thread {
    /// A thread about to run a function.
    pub fn new(code: &Code<'_>, id: ThreadId, func: FuncId, args: &[u128]) -> Thread {
        Thread {
            id,
            frames: vec![Frame::new(code.program, func, args, None)],
            status: Status::Running,
            atomic: 0,
            locks: SmallVec::new(),
            locals: SmallVec::new(),
            sets: SmallVec::new(),
            asked: Asked::default(),
            marks: Marks::default(),
            next_address: code.region(id).0,
            wake: false,
        }
    }

    /// Its bit in sets of threads: which byte, and which bit of that.
    pub fn place(&self) -> (u64, u8) {
        let place = self.id.0 - 1;
        (u64::from(place / 8), 1 << (place % 8))
    }

    /// Notes a store to a byte of a set of threads that holds this thread's bit.
    pub(crate) fn note_set(&mut self, byte: u64, value: u128) {
        let (offset, bit) = self.place();
        let set = byte.wrapping_sub(offset);
        self.sets.retain(|known| *known != set);
        if value & u128::from(bit) != 0 {
            self.sets.push(set);
        }
    }

    /// The running activation.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a thread keeps its last activation")
    }

    /// The next instruction.
    pub fn at(&self) -> InstrRef {
        self.frame().at()
    }

    /// What the next instruction does; `None` for a terminator.
    pub fn op<'p>(&self, program: &'p Program) -> Option<&'p Op> {
        program.instr(self.at()).map(|i| &i.op)
    }

    /// The user's functions that are under way, innermost first, each with where it is.
    pub fn calls<'s>(&'s self, program: &'s Program) -> impl Iterator<Item = Call> + 's {
        let frames = self.frames.iter().rev().enumerate();
        frames.filter_map(move |(depth, frame)| {
            let mut from = frame.at();
            // A caller's index already points behind its call.
            from.index -= u32::from(depth > 0);
            let place = program.place(from);
            let own = !program.function(frame.func).is_model && !program.file(place.file).is_model;
            own.then_some(Call { function: frame.func, place })
        })
    }

    /// Where the thread is, outside library models: the innermost activation that is not part of one.
    pub fn site(&self, program: &Program) -> Site {
        let (thread, at) = (self.id, self.at());
        let here = || Call { function: at.func, place: program.place(at) };
        let Call { function, place } = self.calls(program).next().unwrap_or_else(here);
        Site { thread, at, place, function }
    }

    /// Whether the value that the next instruction puts into a register is never used: not by
    /// this activation, nor, if it is returned, by the callers.
    pub fn ignores(&self, code: &Code<'_>, dst: RegId) -> bool {
        let mut reg = dst;
        // Behind the instruction at hand; callers stand behind their calls already.
        let mut skip = 1;
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let block = code.program.function(frame.func).block(frame.block);
            for instr in block.instrs.iter().skip(frame.index as usize + skip) {
                if code.uses(&instr.op, reg) {
                    return false;
                }
                if instr.op.defs().any(|d| d == reg) {
                    return true;
                }
            }
            skip = 0;
            match &block.end {
                Terminator::Return(value) if *value == Some(Operand::Reg(reg)) => match frame.dst {
                    Some(dst) => reg = dst,
                    // What a thread's first function returns goes to whoever joins it.
                    None => return depth > 0,
                },
                other => {
                    let liveness = &code.shape(frame.func).liveness;
                    let used = other.operand() == Some(Operand::Reg(reg))
                        || other.successors().iter().any(|s| liveness.is_live(*s, reg));
                    return !used;
                }
            }
        }
        false
    }

    /// Whether it has a next instruction.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }
}

impl State {
    /// The start of a program; `None` if it has no entry.
    pub fn new(code: &Code<'_>) -> Option<State> {
        let main = Thread::new(code, ThreadId::MAIN, code.program.entry?, &[]);
        Some(State {
            threads: vec![Rc::new(main)],
            memory: Memory::new(code.program),
            exited: false,
            in_section: None,
            watch_loops: false,
            own_objects: true,
        })
    }

    /// The index of a thread.
    pub fn index(&self, id: ThreadId) -> Option<usize> {
        self.threads.iter().position(|t| t.id == id)
    }
}
