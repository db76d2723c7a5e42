//! Where a state names threads, apart from handles: needed to let threads change places
//! ([`crate::alike`]).
//!
//! Idea: the number of a running thread gets into memory in two ways only, both known to the
//! interpreter: as the word of a mutex that the thread holds, and as its bit in a set of threads
//! ([`raddle_ir::Access::set`]). Otherwise a thread learns its number by `ThreadSelf`; where that serves
//! to compare the number with the word of a mutex, and nothing else, what comes out does not depend on
//! the number. Everything else is noted here, and who relies on names being known gives up then:
//! any other `ThreadSelf`, and any access as data to a word or to a set that names somebody.
//! Invariant: `words` and `sets` are all of memory that changes if the thread gets another number.

use std::rc::Rc;

use raddle_ir::{CastOp, CmpOp, Expr, Function, Instr, InstrRef, Op, Operand, Program, RegId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::future::{Set, bit};
use crate::memory::Memory;
use crate::state::{State, Thread};
use crate::step::{Effect, Touch, TouchKind};

/// Bytes between the part of a set that says who is in it and the one that says who was woken.
const WOKEN: u64 = 8;

/// What in memory names a thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// The words of mutexes that it holds.
    pub words: SmallVec<[u64; 2]>,
    /// The sets that it is in: the first byte, and its bit in both parts.
    pub sets: SmallVec<[(u64, bool, bool); 1]>,
}

/// Bits of one byte of memory.
pub type Bits = (u64, u8);

impl Named {
    /// What names a thread.
    pub fn new(memory: &Memory, thread: &Thread) -> Named {
        let own = Some(u128::from(thread.id.0));
        let words = thread.locks.iter().map(|lock| lock.address);
        let mut words: SmallVec<[u64; 2]> =
            words.filter(|word| memory.peek(*word, 4) == own).collect();
        words.sort_unstable();
        words.dedup();
        let (byte, bit) = thread.place();
        let has = |address: u64| {
            memory.peek(address.wrapping_add(byte), 1).is_some_and(|b| b as u8 & bit != 0)
        };
        let mut sets: SmallVec<[_; 1]> = thread.sets.iter().copied().collect();
        sets.sort_unstable();
        let sets = sets.into_iter().map(|set| (set, has(set), has(set.wrapping_add(WOKEN))));
        Named { words, sets: sets.collect() }
    }

    /// The bits that name the thread.
    pub fn bits(&self, thread: &Thread) -> impl Iterator<Item = Bits> {
        let words = self.words.iter().flat_map(|w| (0..4).map(move |i| (w.wrapping_add(i), 0xff)));
        let (byte, bit) = thread.place();
        let parts = self.sets.iter().flat_map(|(set, ..)| [*set, set.wrapping_add(WOKEN)]);
        words.chain(parts.map(move |part| (part.wrapping_add(byte), bit)))
    }

    /// Takes the names out of memory.
    pub fn erase(&self, memory: &mut Memory, thread: &Thread) {
        for (address, bits) in self.bits(thread) {
            let old = memory.peek(address, 1).map_or(0, |byte| byte as u8);
            poke(memory, thread, address, 1, u128::from(old & !bits));
        }
    }

    /// Puts the names of a thread into memory: the same ones, with its number.
    pub fn write(&self, memory: &mut Memory, thread: &Thread) {
        for word in &self.words {
            poke(memory, thread, *word, 4, u128::from(thread.id.0));
        }
        let (byte, bit) = thread.place();
        for &(set, waits, woken) in &self.sets {
            for (part, is_in) in [(set, waits), (set.wrapping_add(WOKEN), woken)] {
                let address = part.wrapping_add(byte);
                let old = memory.peek(address, 1).map_or(0, |old| old as u8);
                if is_in {
                    poke(memory, thread, address, 1, u128::from(old | bit));
                }
            }
        }
    }
}

fn poke(memory: &mut Memory, thread: &Thread, address: u64, bytes: u64, value: u128) {
    if memory.peek(address, bytes).is_some_and(|old| old != value)
        && let Ok(touched) = memory.check(thread.id, address, bytes, true)
    {
        memory.write(touched, address, bytes, value);
    }
}

/// What has been seen of threads that look at names.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The instructions that ask for the own number only to compare it with the word of a mutex, and
    /// those that load that word.
    harmless: Rc<FxHashSet<InstrRef>>,
    /// Threads that asked for their own number otherwise.
    pub asked: Set,
    /// A name was accessed as data, or used for a join inside an atomic section.
    pub looked: bool,
}

impl Watch {
    /// Nothing seen yet.
    pub fn new(program: &Program) -> Watch {
        let mut harmless = FxHashSet::default();
        for func in program.function_ids() {
            let function = program.function(func);
            for block in function.block_ids() {
                for load in 0..function.block(block).instrs.len() {
                    if compares_with_holder(function, &function.block(block).instrs[load..]) {
                        let at = |index: usize| InstrRef { func, block, index: index as u32 };
                        harmless.extend([at(load), at(load + 1)]);
                    }
                }
            }
        }
        Watch { harmless: Rc::new(harmless), asked: 0, looked: false }
    }

    /// Looks at what one instruction of a thread did.
    pub fn see(&mut self, state: &State, index: usize, effect: &Effect) {
        if effect.own_number.is_some_and(|at| !self.harmless.contains(&at)) {
            self.asked |= bit(index);
        }
        // Only who stands before a join is seen to be about to join.
        self.looked |= effect.joins && state.in_section.is_some();
        let mut data = effect.touches.iter().filter(|t| t.kind == TouchKind::Data);
        self.looked |= data.any(|t| is_name(state, t) && !self.harmless.contains(&t.at));
    }
}

/// Whether an access touches bytes that name a thread.
fn is_name(state: &State, touch: &Touch) -> bool {
    let end = touch.address.saturating_add(touch.bytes);
    let overlaps = |from: u64, bytes: u64| touch.address < from.saturating_add(bytes) && from < end;
    // Models alone know what sets are, and treat all threads in them alike.
    let set = |t: &Thread| !touch.hidden && t.sets.iter().any(|s| overlaps(*s, 2 * WOKEN));
    let word = |t: &Thread| t.locks.iter().any(|l| overlaps(l.address, 4));
    state.threads.iter().any(|t| set(t) || word(t))
}

/// Whether instructions begin with a load of a mutex's word that is at once compared with the number of
/// the running thread, and word and number are used for nothing else.
fn compares_with_holder(function: &Function, instrs: &[Instr]) -> bool {
    let op = |i: usize| instrs.get(i).map(|instr| &instr.op);
    let Some(Op::Load { dst: word, access, .. }) = op(0) else { return false };
    let Some(Op::ThreadSelf { dst: number, .. }) = op(1) else { return false };
    let (low, compared) = match op(2) {
        Some(Op::Assign { dst, value: Expr::Cast { op: CastOp::Trunc, a, .. } })
            if *a == Operand::Reg(*number) =>
        {
            (dst, op(3))
        }
        other => (number, other),
    };
    let Some(Op::Assign { value: Expr::Compare { op: CmpOp::Eq | CmpOp::Ne, a, b }, .. }) =
        compared
    else {
        return false;
    };
    let (word_first, own_first) = (Operand::Reg(*word), Operand::Reg(*low));
    let both = (*a, *b) == (word_first, own_first) || (*a, *b) == (own_first, word_first);
    let once = |reg: &RegId| uses(function, *reg) == 1;
    access.holder && both && once(word) && once(number) && once(low)
}

/// How often a register is used.
fn uses(function: &Function, reg: RegId) -> usize {
    let reg = Operand::Reg(reg);
    let ops = function.blocks.iter().flat_map(|b| &b.instrs).map(|i| &i.op);
    let in_ops = ops.flat_map(|op| op.operands()).filter(|o| *o == reg).count();
    in_ops + function.blocks.iter().filter(|b| b.end.operand() == Some(reg)).count()
}
