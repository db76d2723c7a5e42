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
//! Where threads can change places ([`crate::alike`]), a free thread has no number: what names it in
//! memory is written down with the thread and erased from the objects, and the threads of a group are
//! sorted. So equal keys mean: equal up to exchanges of free threads of a group.
//!
//! The patterns below name every field: a new one makes the compiler ask where it belongs.

use std::rc::Rc;

use raddle_ir::{BlockId, FuncId, InstrRef, Operand, RegId, Terminator};
use rustc_hash::FxHashMap;

use crate::alike::Kinship;
use crate::future::{Set, bit};
use crate::memory::{Life, Object, ObjectKind};
use crate::names::{Bits, Named};
use crate::state::{Code, Frame, Marks, State, Status, Stopped, Thread, Visit};
use crate::store::Interner;

/// The numbers of the components of a state.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// One per object, in order of addresses; [`CONSTANT`] for those that never change.
    objects: Vec<u32>,
    /// One per thread.
    threads: Vec<u32>,
    /// Threads without a number: those that may change places.
    free: Set,
    /// What names them in memory, sorted.
    erased: Vec<Bits>,
    /// The threads in sorted order, if that is not their own.
    order: Option<Order>,
}

/// For each place the index of the thread that stands there.
pub type Order = Rc<[usize]>;

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
        let threads = (0..self.threads.len()).map(|place| match &self.order {
            None => self.threads[place],
            Some(order) => self.threads[order[place]],
        });
        words.chain(threads).chain(objects).collect()
    }

    /// The threads in the order in which they are written down, if that is not their own.
    pub fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }

    /// Whether those of the threads that may change places are all written down alike: then it makes
    /// no difference if they do.
    pub fn are_one(&self, threads: Set) -> bool {
        let all = (0..self.threads.len()).filter(|i| threads & self.free & bit(*i) != 0);
        let mut numbers = all.map(|i| self.threads[i]);
        let first = numbers.next();
        numbers.all(|number| Some(number) == first)
    }

    /// Sorts the free threads of each group.
    fn sort(&mut self, kin: &Kinship) {
        let mut order: Vec<usize> = (0..self.threads.len()).collect();
        for first in 0..order.len() {
            let places: Vec<usize> = (0..order.len())
                .filter(|i| kin.group(*i) == first && self.free & bit(*i) != 0)
                .collect();
            let mut members = places.clone();
            members.sort_by_key(|i| self.threads[*i]);
            places.into_iter().zip(members).for_each(|(place, index)| order[place] = index);
        }
        let moved = order.iter().enumerate().any(|(place, index)| place != *index);
        self.order = moved.then(|| order.into());
    }
}

impl<'a> Encoder<'a> {
    /// An encoder for states of a program.
    pub fn new(code: &'a Code<'a>, scope: Scope) -> Encoder<'a> {
        let (live, by_head, valued) = Default::default();
        Encoder { code, scope, live, by_head, valued }
    }

    /// The components of a state, of which many may be those of the state before it; `kin` says which
    /// threads may change places.
    pub fn parts(
        &mut self,
        interner: &mut Interner,
        state: &State,
        kin: Option<&Kinship>,
        before: Option<(&State, &Parts)>,
    ) -> Parts {
        let State { threads, memory, exited, in_section, watch_loops: _, own_objects: _ } = state;
        debug_assert!(in_section.is_none(), "between transitions no section is under way");
        debug_assert!(!exited, "a transition that ends the program is taken back");
        let (old_state, old) = before.unzip();
        let old_objects = old_state.map_or(&[][..], |s| s.memory.objects());
        let mut at = 0;
        let mut parts = Parts::default();
        let mut names: Vec<Option<Named>> = vec![None; threads.len()];
        for (i, thread) in threads.iter().enumerate() {
            if kin.is_some_and(|kin| kin.is_free(state, i)) {
                parts.free |= bit(i);
                let named = Named::new(memory, thread);
                parts.erased.extend(named.bits(thread));
                names[i] = Some(named);
            }
        }
        parts.erased.sort_unstable();
        let old_erased = old.map_or(&[][..], |old| &old.erased);
        let same_names = old_erased == parts.erased.as_slice();
        // Whether what is erased from an object can have changed.
        let renamed = |object: &Object| {
            let inside = |bits: &Bits| object.extent().0 <= bits.0 && bits.0 < object.extent().1;
            !same_names && (old_erased.iter().any(inside) || parts.erased.iter().any(inside))
        };
        for object in memory.objects() {
            while old_objects.get(at).is_some_and(|o| o.base < object.base) {
                at += 1;
            }
            let number = match (old_objects.get(at), old) {
                (Some(o), Some(old)) if Rc::ptr_eq(o, object) && !renamed(object) => {
                    old.objects[at]
                }
                _ if object.constant && object.known().is_none() => CONSTANT,
                _ => interner.part(&object_bytes(object, &parts.erased)),
            };
            parts.objects.push(number);
        }
        for (i, thread) in threads.iter().enumerate() {
            let named = names[i].as_ref();
            // What names a thread can change while the thread does not.
            let stays = |old: &Parts| {
                (old.free ^ parts.free) & bit(i) == 0
                    && named.is_none_or(|_| thread.locks.is_empty() && thread.sets.is_empty())
            };
            let number = match (old_state.and_then(|s| s.threads.get(i)), old) {
                (Some(t), Some(old)) if Rc::ptr_eq(t, thread) && stays(old) => old.threads[i],
                _ => {
                    let kin = kin.zip(named).map(|(kin, named)| (kin.group(i), named));
                    let bytes = self.thread_bytes(interner, thread, kin);
                    interner.part(&bytes)
                }
            };
            parts.threads.push(number);
        }
        if let Some(kin) = kin {
            parts.sort(kin);
        }
        parts
    }

    /// A thread; a free one with its group and what names it, instead of its number.
    fn thread_bytes(
        &mut self,
        interner: &mut Interner,
        thread: &Thread,
        free: Option<(usize, &Named)>,
    ) -> Vec<u8> {
        let Thread {
            id,
            frames,
            status,
            atomic,
            locks: _,
            locals,
            sets: _,
            asked: _,
            marks,
            next_address,
            wake,
        } = thread;
        let mut out = match free {
            None => {
                let mut out = vec![THREAD];
                number(&mut out, u128::from(id.0));
                out
            }
            Some((group, Named { words, sets })) => {
                let mut out = vec![FREE];
                number(&mut out, group as u128);
                number(&mut out, words.len() as u128);
                words.iter().for_each(|word| number(&mut out, u128::from(*word)));
                number(&mut out, sets.len() as u128);
                for (set, waits, woken) in sets {
                    number(&mut out, u128::from(*set));
                    out.extend([u8::from(*waits), u8::from(*woken)]);
                }
                out
            }
        };
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
        // A free thread has no objects.
        if free.is_none() {
            number(&mut out, u128::from(*next_address));
        }
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
                    number(out, u128::from(interner.part(&object_bytes(object, &[]))));
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
const FREE: u8 = 2;

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

/// An object without what is to be erased.
fn object_bytes(object: &Object, erased: &[Bits]) -> Vec<u8> {
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
    let (from, to) = object.extent();
    let first = erased.partition_point(|bits| bits.0 < from);
    let erased = &erased[first..];
    let erased = &erased[..erased.partition_point(|bits| bits.0 < to)];
    let (bytes, far) = object.contents();
    let without = |at: usize, byte: u8| {
        let here = erased.iter().filter(|bits| bits.0 == from + at as u64);
        here.fold(byte, |byte, bits| byte & !bits.1)
    };
    number(&mut out, far.len() as u128);
    for (at, byte) in far {
        number(&mut out, *at as u128);
        out.push(without(*at, *byte));
    }
    if erased.is_empty() {
        out.extend_from_slice(bytes);
        return out;
    }
    let bytes: Vec<u8> = bytes.iter().enumerate().map(|(at, b)| without(at, *b)).collect();
    let used = bytes.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
    out.extend_from_slice(&bytes[..used]);
    out
}
