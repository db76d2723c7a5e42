//! What of a state decides all that can still happen: its key.
//!
//! Idea: a state is written down as a list of components, one per thread and one per object; equal
//! components get equal numbers ([`crate::store`]), and the list of numbers is folded into one.
//! Between two states that follow each other most components are the same (shared pointers), so
//! only what a transition changed is written down again.
//! Source: Holzmann, "State compression in SPIN: recursive indexing and compression training runs",
//! 1997.
//!
//! **Contract:** states with equal keys have the same findings, cuts and final states ahead of
//! them. So the key holds everything that transitions look at, and nothing that only tells how the
//! state came about. Left out are
//! - registers that are not live (but where lost memory is looked for, all registers count);
//! - how many questions a thread asked, names of objects for the oracle, where locks were taken and
//!   objects freed: only messages and replays look at these, and those belong to the path on which
//!   something is found;
//! - the contents of dead objects, and all of a thread that has stopped but that it did (one that
//!   spins keeps its place: whether it still waits is decided in the end);
//! - of the last arrival at a loop head, what can no longer make an iteration pure: if the thread
//!   has had an effect since, the iteration is not, whatever registers and objects were; and loops
//!   that the activation has left and can enter only by their head, where counting begins again.
//!
//! The patterns below name every field: a new one makes the compiler ask where it belongs.

use std::rc::Rc;

use raddle_ir::{BlockId, FuncId, InstrRef, Operand, RegId, Terminator};
use rustc_hash::FxHashMap;

use crate::memory::{Life, Object, ObjectKind};
use crate::state::{Code, Frame, Marks, State, Status, Stopped, Thread, Visit};
use crate::store::Interner;

/// The numbers of the components of a state.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// One per object, in order of addresses; [`CONSTANT`] for those that never change.
    objects: Vec<u32>,
    /// One per thread.
    threads: Vec<u32>,
}

/// In place of the number of an object that is the same in all states.
const CONSTANT: u32 = u32::MAX;

/// What counts as part of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Registers that are not live: lost memory is looked for in them.
    pub dead_registers: bool,
    /// How often each loop has come back to its head: there is a bound on that.
    pub iterations: bool,
}

/// Writes down states.
pub struct Encoder<'a> {
    code: &'a Code<'a>,
    scope: Scope,
    /// Live registers before an instruction.
    live: FxHashMap<InstrRef, Rc<[RegId]>>,
    /// Whether a loop, by function and head, can be entered only by its head.
    by_head: FxHashMap<(FuncId, BlockId), bool>,
    /// Whether a function always returns a value if it returns.
    valued: FxHashMap<FuncId, bool>,
}

impl Parts {
    /// The components in one list; `more` is what else tells states apart.
    pub fn words(&self, more: &[u32]) -> Vec<u32> {
        let objects = self.objects.iter().copied().filter(|&o| o != CONSTANT);
        // The numbers of threads and of the other words say where each list ends.
        let lengths = [more.len() as u32, self.threads.len() as u32];
        let words = lengths.into_iter().chain(more.iter().copied());
        words.chain(self.threads.iter().copied()).chain(objects).collect()
    }
}

impl<'a> Encoder<'a> {
    /// An encoder for states of a program.
    pub fn new(code: &'a Code<'a>, scope: Scope) -> Encoder<'a> {
        let (live, by_head, valued) = Default::default();
        Encoder { code, scope, live, by_head, valued }
    }

    /// The components of a state, of which many may be those of the state before it.
    pub fn parts(
        &mut self,
        interner: &mut Interner,
        state: &State,
        before: Option<(&State, &Parts)>,
    ) -> Parts {
        let State { threads, memory, exited, in_section, watch_loops: _, own_objects: _ } = state;
        debug_assert!(in_section.is_none(), "between transitions no section is under way");
        debug_assert!(!exited, "a transition that ends the program is taken back");
        let (old_state, old) = before.unzip();
        let old_objects = old_state.map_or(&[][..], |s| s.memory.objects());
        let mut at = 0;
        let mut parts = Parts::default();
        for object in memory.objects() {
            while old_objects.get(at).is_some_and(|o| o.base < object.base) {
                at += 1;
            }
            let number = match (old_objects.get(at), old) {
                (Some(o), Some(old)) if Rc::ptr_eq(o, object) => old.objects[at],
                _ if object.constant && object.known().is_none() => CONSTANT,
                _ => interner.part(&object_bytes(object)),
            };
            parts.objects.push(number);
        }
        for (i, thread) in threads.iter().enumerate() {
            let number = match (old_state.and_then(|s| s.threads.get(i)), old) {
                (Some(t), Some(old)) if Rc::ptr_eq(t, thread) => old.threads[i],
                _ => {
                    let bytes = self.thread_bytes(interner, thread);
                    interner.part(&bytes)
                }
            };
            parts.threads.push(number);
        }
        parts
    }

    fn thread_bytes(&mut self, interner: &mut Interner, thread: &Thread) -> Vec<u8> {
        let Thread {
            id,
            frames,
            status,
            atomic,
            locks: _,
            locals,
            asked: _,
            marks,
            next_address,
            wake,
        } = thread;
        let mut out = vec![THREAD];
        number(&mut out, u128::from(id.0));
        let spins = match status {
            Status::Ended(value) => {
                out.push(0);
                number(&mut out, u128::from(*value));
                return out;
            }
            Status::Stopped(Stopped::Spinning) => true,
            Status::Stopped(why) => {
                out.extend([1, stopped(why)]);
                return out;
            }
            Status::Running => false,
        };
        debug_assert!(*atomic == 0, "between transitions no section is under way");
        out.extend([2, u8::from(spins), u8::from(*wake)]);
        number(&mut out, u128::from(*next_address));
        number(&mut out, locals.len() as u128);
        for (global, base) in locals {
            number(&mut out, u128::from(global.0));
            number(&mut out, u128::from(*base));
        }
        number(&mut out, frames.len() as u128);
        for (depth, frame) in frames.iter().enumerate() {
            // What a caller's register for the result holds now will be overwritten.
            let callee = frames.get(depth + 1);
            let awaited = callee.filter(|f| self.returns_value(f.func)).and_then(|f| f.dst);
            self.frame(&mut out, frame, awaited);
            if !spins {
                self.visits(&mut out, interner, frame, *marks);
            }
        }
        out
    }

    fn frame(&mut self, out: &mut Vec<u8>, frame: &Frame, awaited: Option<RegId>) {
        let Frame { func, block, index, regs, dst, stack, loops: _ } = frame;
        for word in [func.0, block.0, *index, dst.map_or(0, |d| d.0 + 1)] {
            number(out, u128::from(word));
        }
        if self.scope.dead_registers {
            regs.iter().for_each(|value| number(out, *value));
        } else {
            let live = self.live(frame.at());
            for reg in live.iter().filter(|r| Some(**r) != awaited) {
                number(out, regs[reg.index()]);
            }
        }
        number(out, stack.len() as u128);
        stack.iter().for_each(|base| number(out, u128::from(*base)));
    }

    /// What a frame remembers of loops, as far as it can still matter.
    fn visits(&mut self, out: &mut Vec<u8>, interner: &mut Interner, frame: &Frame, now: Marks) {
        let around = self.code.shape(frame.func).cfg.loops_around(frame.block);
        for visit in &frame.loops {
            let Visit { head, iterations, live, marks, owned, waited } = visit;
            let cfg = &self.code.shape(frame.func).cfg;
            let inside = around.iter().any(|&l| cfg.loops[l].head == *head);
            if !inside && self.entered_by_head(frame.func, *head) {
                continue;
            }
            number(out, u128::from(head.0) + 1);
            if self.scope.iterations {
                number(out, u128::from(*iterations));
            }
            // What the thread did last when it comes to the head.
            number(out, u128::from(now.entered.unwrap_or(0)));
            let untouched = marks.effects == now.effects;
            out.push(u8::from(untouched));
            if untouched {
                // Whether waits of this iteration are in vain.
                let waits = (now.waits - marks.waits).min(3);
                out.push(waits as u8);
                for looks in [now.looks, now.looks_outside, now.looks_before_wait] {
                    out.push(u8::from(looks == marks.looks));
                }
                let wait_mutex = (waits > 0).then_some(now.wait_mutex);
                let mutexes = [*waited, marks.entered, wait_mutex];
                mutexes.iter().for_each(|m| number(out, u128::from(m.unwrap_or(0))));
                live.iter().for_each(|value| number(out, *value));
                number(out, owned.len() as u128);
                for object in owned {
                    number(out, u128::from(interner.part(&object_bytes(object))));
                }
            }
        }
        number(out, 0);
    }

    /// The registers that are live before an instruction.
    fn live(&mut self, at: InstrRef) -> Rc<[RegId]> {
        if let Some(found) = self.live.get(&at) {
            return Rc::clone(found);
        }
        let function = self.code.program.function(at.func);
        let liveness = &self.code.shape(at.func).liveness;
        let block = function.block(at.block);
        let mut live = vec![false; function.regs.len()];
        for next in block.end.successors() {
            liveness.live_at(next).for_each(|r| live[r.index()] = true);
        }
        if let Some(Operand::Reg(r)) = block.end.operand() {
            live[r.index()] = true;
        }
        for instr in block.instrs.iter().skip(at.index as usize).rev() {
            instr.op.defs().for_each(|r| live[r.index()] = false);
            for operand in instr.op.operands() {
                if let Operand::Reg(r) = operand {
                    live[r.index()] = true;
                }
            }
        }
        let live: Rc<[RegId]> = (0..live.len()).filter(|&i| live[i]).map(RegId::new).collect();
        self.live.insert(at, Rc::clone(&live));
        live
    }

    /// Whether no edge from outside leads into a loop but to its head.
    fn entered_by_head(&mut self, func: FuncId, head: BlockId) -> bool {
        let code = self.code;
        *self.by_head.entry((func, head)).or_insert_with(|| {
            let cfg = &code.shape(func).cfg;
            let function = code.program.function(func);
            let inside =
                |b: BlockId| cfg.loops_around(b).iter().any(|&l| cfg.loops[l].head == head);
            let mut edges = function.block_ids().flat_map(|from| {
                let to = function.block(from).end.successors();
                to.into_iter().map(move |to| (from, to))
            });
            edges.all(|(from, to)| to == head || inside(from) || !inside(to))
        })
    }

    fn returns_value(&mut self, func: FuncId) -> bool {
        let code = self.code;
        *self.valued.entry(func).or_insert_with(|| {
            let blocks = &code.program.function(func).blocks;
            !blocks.iter().any(|b| matches!(b.end, Terminator::Return(None)))
        })
    }
}

/// First bytes of components, so that no thread looks like an object.
const THREAD: u8 = 0;
const OBJECT: u8 = 1;

/// Writes a number so that where it ends can be seen: seven bits per byte.
fn number(out: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn stopped(why: &Stopped) -> u8 {
    match why {
        Stopped::Assumption => 0,
        Stopped::Check => 1,
        Stopped::Undefined => 2,
        Stopped::Unsupported => 3,
        Stopped::Spinning => 4,
        Stopped::Violated => 5,
        Stopped::Exiting => 6,
        Stopped::Cut => 7,
    }
}

fn object_bytes(object: &Object) -> Vec<u8> {
    let mut out = vec![OBJECT];
    let kind = match object.kind {
        ObjectKind::Global(id) => (0, id.0),
        ObjectKind::ThreadLocal(id) => (1, id.0),
        ObjectKind::Stack => (2, 0),
        ObjectKind::Heap => (3, 0),
    };
    let life = match object.life {
        Life::Live => 0,
        Life::Freed(_) => 1,
        Life::Returned => 2,
        Life::Ended => 3,
    };
    out.extend([kind.0, life, u8::from(object.constant)]);
    let owner = object.owner.map_or(0, |t| u64::from(t.0) + 1);
    for word in [u64::from(kind.1), object.base, object.size, owner] {
        number(&mut out, u128::from(word));
    }
    if object.life != Life::Live {
        return out;
    }
    // Leaks are told apart by it.
    let place = object.allocated;
    for word in [place.file.0, place.line, place.column] {
        number(&mut out, u128::from(word));
    }
    let known = object.known();
    number(&mut out, known.map_or(0, |k| k.len() as u128 + 1));
    for word in known.into_iter().flatten() {
        number(&mut out, u128::from(*word));
    }
    let (bytes, far) = object.contents();
    number(&mut out, far.len() as u128);
    for (at, byte) in far {
        number(&mut out, *at as u128);
        out.push(*byte);
    }
    out.extend_from_slice(bytes);
    out
}
