//! What a function may do besides computing its result, calls included.
//!
//! Idea: flags per instruction, united over the body and everything it calls, to a fixed point over
//! the call graph. Stores of a function to its own stack objects do not count: the objects die when
//! it returns.

use raddle_ir::{AllocKind, FuncId, Op, Operand, Program};

use crate::call_graph::CallGraph;
use crate::objects::{Object, instructions_of};
use crate::points_to::PointsTo;

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Effects(u16);

impl Effects {
    /// None.
    pub const NONE: Effects = Effects(0);
    /// Writes memory that outlives the function.
    pub const WRITES: Effects = Effects(1);
    /// Reads memory that the function did not make on its stack.
    pub const READS: Effects = Effects(1 << 1);
    /// Allocates or frees heap memory.
    pub const HEAP: Effects = Effects(1 << 2);
    /// Locks, unlocks, tries to lock.
    pub const LOCKS: Effects = Effects(1 << 3);
    /// Creates threads.
    pub const CREATES: Effects = Effects(1 << 4);
    /// May wait: lock, join, block.
    pub const WAITS: Effects = Effects(1 << 5);
    /// May never return: assume, exit, end of thread, or a wait.
    pub const STOPS: Effects = Effects(1 << 6);
    /// Takes inputs.
    pub const INPUTS: Effects = Effects(1 << 7);
    /// Has checks.
    pub const CHECKS: Effects = Effects(1 << 8);
    /// Reaches something that is not modelled.
    pub const UNSUPPORTED: Effects = Effects(1 << 9);
    /// Begins or ends atomic sections.
    pub const ATOMIC: Effects = Effects(1 << 10);

    /// Everything that can be seen after the function returned, or by another thread.
    pub const LASTING: Effects =
        Effects(Self::WRITES.0 | Self::HEAP.0 | Self::LOCKS.0 | Self::CREATES.0);

    /// Whether the sets have a member in common.
    pub fn has(self, some: Effects) -> bool {
        self.0 & some.0 != 0
    }

    /// The union.
    #[must_use]
    pub fn with(self, more: Effects) -> Effects {
        Effects(self.0 | more.0)
    }
}

/// The effects of all functions.
#[derive(Clone, Debug)]
pub struct FunctionEffects {
    effects: Vec<Effects>,
}

impl FunctionEffects {
    /// Analyses a program.
    pub fn new(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> FunctionEffects {
        let mut effects: Vec<Effects> = program
            .function_ids()
            .map(|f| {
                instructions_of(program, f).fold(Effects::NONE, |all, (_, op)| {
                    all.with(of_instruction(program, points_to, f, op))
                })
            })
            .collect();
        // A call through a pointer that leads nowhere known may do anything a call can do.
        for at in graph.unresolved() {
            effects[at.func.index()] =
                effects[at.func.index()].with(Effects::UNSUPPORTED).with(Effects::LASTING);
        }
        let mut work: Vec<FuncId> = program.function_ids().collect();
        while let Some(f) = work.pop() {
            for at in graph.callers(f) {
                let caller = at.func.index();
                let all = effects[caller].with(effects[f.index()]);
                if all != effects[caller] {
                    effects[caller] = all;
                    work.push(at.func);
                }
            }
        }
        FunctionEffects { effects }
    }

    /// The effects of a function and all it calls.
    pub fn of(&self, f: FuncId) -> Effects {
        self.effects[f.index()]
    }
}

/// The effects of one instruction, without those of a called function.
pub fn of_instruction(program: &Program, points_to: &PointsTo, f: FuncId, op: &Op) -> Effects {
    let private = |addr: Operand| is_own_stack(program, points_to, f, addr);
    let unless_private =
        |addr: Operand, effects: Effects| if private(addr) { Effects::NONE } else { effects };
    let both = Effects::READS.with(Effects::WRITES);
    match op {
        Op::Load { addr, .. } => unless_private(*addr, Effects::READS),
        Op::Store { addr, .. } => unless_private(*addr, Effects::WRITES),
        Op::Rmw { addr, .. } | Op::CompareExchange { addr, .. } => unless_private(*addr, both),
        Op::Alloc { kind: AllocKind::Heap, .. } | Op::Free { .. } => Effects::HEAP,
        Op::ObjectSize { .. } => Effects::READS,
        Op::Lock { .. } => {
            Effects::LOCKS.with(Effects::WAITS).with(Effects::STOPS).with(Effects::WRITES)
        }
        Op::Unlock { .. } | Op::TryLock { .. } => Effects::LOCKS.with(Effects::WRITES),
        Op::Create { .. } => Effects::CREATES,
        Op::Join { .. } | Op::Block { .. } => Effects::WAITS.with(Effects::STOPS),
        Op::Assume { .. } | Op::Exit { .. } | Op::ThreadExit { .. } => Effects::STOPS,
        Op::AtomicBegin | Op::AtomicEnd => Effects::ATOMIC,
        Op::Check { .. } => Effects::CHECKS,
        Op::Input { .. } => Effects::INPUTS,
        Op::Unsupported { .. } => Effects::UNSUPPORTED.with(Effects::STOPS),
        Op::Assign { .. }
        | Op::Alloc { kind: AllocKind::Stack, .. }
        | Op::Fence { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadSelf { .. }
        | Op::Call { .. } => Effects::NONE,
    }
}

/// Whether an address leads only to stack objects of the function itself. They may be those of an
/// earlier activation only if it is still running, in a recursion, which callers rule out.
fn is_own_stack(program: &Program, points_to: &PointsTo, f: FuncId, addr: Operand) -> bool {
    let set = points_to.of(f, addr);
    set.is_known()
        && set.iter().all(|o| match points_to.objects().get(o) {
            Object::Alloc(at, _) => {
                at.func == f
                    && program
                        .instr(at)
                        .is_some_and(|i| matches!(i.op, Op::Alloc { kind: AllocKind::Stack, .. }))
            }
            Object::Unknown | Object::Global(_) | Object::Function(_) => false,
        })
}
