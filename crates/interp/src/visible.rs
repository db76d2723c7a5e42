//! Which operations others can notice: an access to memory that is not owned by the thread (or that
//! is invalid), mutex operations on it, creation and joining, the end of objects that others can
//! reach, and, where leaks are checked, every change of the heap and the end of the program.

use raddle_ir::{AllocKind, Op, Terminator};

use crate::memory::Life;
use crate::state::{Code, State, Thread};
use crate::thread::ThreadId;
use crate::transition::World;

/// The memory that a thread's next instruction accesses: address, bytes, whether it writes.
pub fn next_access(thread: &Thread, code: &Code<'_>) -> Option<(u64, u64, bool)> {
    let (program, frame) = (code.program, thread.frame());
    let usage = thread.op(program)?.memory_use(program.function(frame.func))?;
    Some((frame.get(program, usage.addr) as u64, usage.bytes?, usage.writes))
}

impl World<'_> {
    /// Whether a thread's next instruction is visible.
    pub(crate) fn is_visible(&self, state: &State, index: usize) -> bool {
        let thread = &state.threads[index];
        let program = self.code.program;
        if let Some((address, bytes, write)) = next_access(thread, self.code) {
            let owned = match state.memory.check(thread.id, address, bytes, write) {
                Ok(touched) => !touched.shared && !touched.foreign,
                Err(_) => false,
            };
            // A thread can wait for its own private mutex only for ever.
            let held = matches!(thread.op(program), Some(Op::Lock { .. }))
                && state.memory.peek(address, 4) != Some(0);
            return !owned || held;
        }
        let shared = |address: u64| {
            state.memory.object_at(address).is_none_or(|o| o.owner != Some(thread.id))
        };
        match thread.op(program) {
            Some(Op::Create { .. } | Op::Join { .. } | Op::AtomicBegin) => true,
            Some(Op::Alloc { kind: AllocKind::Heap, .. }) => self.leaks,
            Some(Op::Exit { leaks }) => *leaks && self.leaks,
            Some(Op::Free { addr }) => {
                self.leaks || shared(thread.frame().get(program, *addr) as u64)
            }
            Some(Op::ObjectSize { addr, .. }) => shared(thread.frame().get(program, *addr) as u64),
            Some(Op::Block { cond, spurious }) => {
                let holds = thread.frame().get(program, *cond) != 0;
                !(holds || *spurious && thread.wake)
            }
            Some(Op::ThreadExit { .. }) => {
                let mut stacks = thread.frames.iter().flat_map(|f| &f.stack);
                stacks.any(|base| is_shared(state, *base)) || locals_are_shared(state, thread)
            }
            Some(_) => false,
            None => self.ending_is_visible(state, thread),
        }
    }

    /// A return is visible if it ends objects that others can reach, or the program.
    fn ending_is_visible(&self, state: &State, thread: &Thread) -> bool {
        let frame = thread.frame();
        let block = self.code.program.function(frame.func).block(frame.block);
        let Terminator::Return(_) = block.end else { return false };
        let last = thread.frames.len() == 1;
        if last && thread.id == ThreadId::MAIN {
            return self.leaks;
        }
        frame.stack.iter().any(|base| is_shared(state, *base))
            || last && locals_are_shared(state, thread)
    }

    /// Whether the next instruction ends the program.
    pub(crate) fn is_exit(&self, thread: &Thread) -> bool {
        match thread.op(self.code.program) {
            Some(op) => matches!(op, Op::Exit { .. }),
            None => {
                let frame = thread.frame();
                let block = self.code.program.function(frame.func).block(frame.block);
                matches!(block.end, Terminator::Return(_))
                    && thread.frames.len() == 1
                    && thread.id == ThreadId::MAIN
            }
        }
    }
}

/// Whether other threads can reach the live object at that address.
fn is_shared(state: &State, base: u64) -> bool {
    state.memory.object_at(base).is_some_and(|o| o.owner.is_none() && o.life == Life::Live)
}

/// Whether other threads can reach a thread's copies of thread-local globals, which end with it.
fn locals_are_shared(state: &State, thread: &Thread) -> bool {
    thread.locals.iter().any(|(_, base)| is_shared(state, *base))
}
