//! From a step and its effect to a line of a trace.

use raddle_ir::{FuncId, InstrRef, Op, Program, RegId, Terminator};

use crate::describe;
use crate::finding::Site;
use crate::state::{Code, State};
use crate::step::{Effect, Sync};
use crate::trace::{Event, TraceStep, Value};

/// What must be noted before a step to tell about it afterwards.
pub struct Before {
    site: Site,
    depth: u32,
    func: FuncId,
}

/// Notes where a thread is.
pub fn before(code: &Code<'_>, state: &State, index: usize) -> Before {
    let thread = &state.threads[index];
    Before {
        site: thread.site(code.program),
        depth: thread.frames.len() as u32 - 1,
        func: thread.frame().func,
    }
}

impl Before {
    /// A line for something that happens here.
    pub fn line(&self, program: &Program, event: Event) -> TraceStep {
        let in_model = program.function(self.func).is_model
            || program.file(program.place(self.site.at).file).is_model;
        TraceStep {
            thread: self.site.thread,
            at: self.site.at,
            place: self.site.place,
            function: self.site.function,
            depth: self.depth,
            in_model,
            event,
        }
    }
}

/// The line for a step that happened; `None` where there is nothing to tell.
pub fn after(
    code: &Code<'_>,
    state: &State,
    index: usize,
    before: &Before,
    effect: &Effect,
) -> Option<TraceStep> {
    let program = code.program;
    let at = before.site.at;
    let block = program.function(at.func).block(at.block);
    let event = match block.instrs.get(at.index as usize) {
        Some(instr) => of_op(program, state, index, at, &instr.op, effect)?,
        None => match &block.end {
            Terminator::Return(_) if state.exited => Event::Exit,
            Terminator::Return(_) if effect.sync == Some(Sync::End) => Event::End,
            Terminator::Return(_) => {
                let frame = state.threads[index].frame();
                let value = returned(program, state, index, frame.at());
                Event::Return { from: at.func, value }
            }
            Terminator::Goto(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Stop => return None,
        },
    };
    Some(before.line(program, event))
}

/// The result register of the call that a thread just came back from.
fn returned(program: &Program, state: &State, index: usize, at: InstrRef) -> Option<Value> {
    let call = InstrRef { index: at.index.checked_sub(1)?, ..at };
    match program.instr(call).map(|i| &i.op) {
        Some(Op::Call { dst: Some(dst), .. }) => Some(register(program, state, index, *dst)),
        Some(_) | None => None,
    }
}

/// The value of a register of a thread's running activation.
fn register(program: &Program, state: &State, index: usize, reg: RegId) -> Value {
    let frame = state.threads[index].frame();
    let decl = program.function(frame.func).reg(reg);
    let bits = frame.regs[reg.index()];
    describe::value(program, &state.memory, bits, decl.width, decl.ctype)
}

/// The function that the user gave to the newest thread.
fn newest_start(program: &Program, state: &State) -> Option<FuncId> {
    let frame = state.threads.last()?.frame();
    let first = program.function(frame.func).params.first();
    let first = first.map(|p| frame.regs[p.index()]);
    Some(program.given_start(frame.func, first))
}

fn of_op(
    program: &Program,
    state: &State,
    index: usize,
    at: InstrRef,
    op: &Op,
    effect: &Effect,
) -> Option<Event> {
    let touch = effect.touches.first();
    let target = |touch: &crate::step::Touch| {
        describe::target(program, &state.memory, touch.address, touch.bytes, touch.shared)
    };
    let value = |bits, width, ctype| describe::value(program, &state.memory, bits, width, ctype);
    Some(match op {
        Op::Assign { dst, .. } => {
            let variable = program.function(at.func).reg(*dst).name.clone()?;
            Event::Assign { variable, value: register(program, state, index, *dst) }
        }
        Op::Load { dst, .. } => {
            let width = program.function(at.func).reg(*dst).width;
            let touch = touch?;
            let (target, ctype) = target(touch);
            Event::Read { target, value: value(touch.new, width, ctype) }
        }
        Op::Store { width, .. } => {
            let touch = touch?;
            let (target, ctype) = target(touch);
            Event::Write { target, value: value(touch.new, *width, ctype) }
        }
        Op::CompareExchange { .. } if effect.woke => {
            Event::SpuriousFailure { target: target(touch?).0 }
        }
        Op::Rmw { width, .. } | Op::CompareExchange { width, .. } => {
            let touch = touch?;
            let (target, ctype) = target(touch);
            let old = value(touch.old, *width, ctype);
            Event::Update { target, old, new: value(touch.new, *width, ctype) }
        }
        Op::Alloc { dst, .. } => {
            let base = state.threads[index].frame().regs[dst.index()] as u64;
            let size = state.memory.object_at(base)?.size;
            Event::Alloc { target: describe::target(program, &state.memory, base, size, false).0 }
        }
        Op::Free { .. } => {
            let name = describe::freed(program, &state.memory, touch?.address);
            Event::Free { target: target(touch?).0.called(name) }
        }
        Op::Call { .. } => Event::Call { callee: state.threads[index].frame().func },
        Op::Create { .. } => {
            let Some(Sync::Create(created)) = effect.sync else { return None };
            Event::Create { created, function: newest_start(program, state)? }
        }
        Op::Join { .. } => {
            let Some(Sync::Join(joined)) = effect.sync else { return None };
            Event::Join { joined }
        }
        Op::ThreadExit { .. } => Event::End,
        Op::Lock { .. } => Event::Lock { mutex: target(touch?).0 },
        Op::Unlock { .. } => Event::Unlock { mutex: target(touch?).0 },
        Op::TryLock { .. } => {
            let touch = touch?;
            Event::TryLock { mutex: target(touch).0, taken: touch.write }
        }
        Op::AtomicBegin => Event::AtomicBegin,
        Op::AtomicEnd => Event::AtomicEnd,
        Op::Block { .. } if effect.woke => Event::SpuriousWakeup,
        Op::Input { dst, name, .. } => {
            Event::Input { name: name.clone(), value: register(program, state, index, *dst) }
        }
        Op::Exit { .. } => Event::Exit,
        Op::Block { .. }
        | Op::Fence { .. }
        | Op::ObjectSize { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadSelf { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => return None,
    })
}
