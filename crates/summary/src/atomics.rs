//! Instructions that read and write in one unit: read-modify-write and compare-exchange.
//!
//! Idea: writing what is there already changes nothing, so a spinning exchange is a pure iteration;
//! a compare-exchange is two paths that join again, with the write and without.

use raddle_ir::{Access, Operand, RegId, RmwOp};
use raddle_term::TermId;

use crate::access::Manner;
use crate::expression;
use crate::state::State;
use crate::step::Here;
use crate::walk::Walk;

/// The values of a compare-exchange.
#[derive(Clone, Copy)]
pub(crate) struct Exchange {
    pub address: TermId,
    pub expected: TermId,
    pub new: TermId,
    /// In bits.
    pub width: u32,
}

/// What a compare-exchange found.
pub(crate) struct Found {
    pub value: TermId,
    /// Whether that was what was expected.
    pub equal: TermId,
}

/// A read-modify-write, apart from where it is and what it is given.
#[derive(Clone, Copy)]
pub(crate) struct Modification {
    pub op: RmwOp,
    pub dst: RegId,
    /// In bits.
    pub width: u32,
    pub access: Access,
}

impl Walk<'_> {
    /// Executes a read-modify-write.
    pub fn modify(
        &mut self,
        here: &mut Here,
        addr: Operand,
        value: Operand,
        how: Modification,
    ) -> bool {
        let Modification { op, dst, width, access } = how;
        let (address, value) = (self.operand(addr, here.regs), self.operand(value, here.regs));
        let (manner, bytes) = (Manner::plain(here.at, access), width.div_ceil(8));
        let regs = &mut *here.regs;
        self.atomically(here.state, |walk, state| {
            let Some(old) = walk.load(state, address, bytes, manner) else { return false };
            let old = walk.terms.extract(old, width - 1, 0);
            regs[dst.index()] = old;
            let new = expression::modify(&mut walk.terms, op, old, value);
            let changes = walk.terms.ne(old, new);
            let new = walk.terms.zext(new, bytes * 8);
            let before = walk.thread.effects.len();
            let done = walk.store(state, address, new, manner);
            for effect in &mut walk.thread.effects[before..] {
                effect.changed = changes;
            }
            done
        })
    }

    /// Writes if the value is the expected one; `None` if the thread ends here.
    pub fn exchange_if_equal(
        &mut self,
        state: &mut State,
        exchange: Exchange,
        how: Manner,
    ) -> Option<Found> {
        let Exchange { address, expected, new, width } = exchange;
        let bytes = width.div_ceil(8);
        self.atomically(state, |walk, state| {
            let old = walk.load(state, address, bytes, how)?;
            let value = walk.terms.extract(old, width - 1, 0);
            let equal = walk.terms.eq(value, expected);
            let new = walk.terms.zext(new, bytes * 8);
            let not_equal = walk.terms.not(equal);
            let mut writing = walk.state_if(state, equal);
            let waiting = walk.state_if(state, not_equal);
            let wrote =
                !writing.is_dead(&walk.terms) && walk.store(&mut writing, address, new, how);
            *state = match (wrote, waiting.is_dead(&walk.terms)) {
                (true, true) => writing,
                (true, false) => walk.merge(writing, waiting).0,
                (false, false) => waiting,
                (false, true) => return None,
            };
            Some(Found { value, equal })
        })
    }
}
