//! Instructions that read and write in one unit: read-modify-write and compare-exchange.
//!
//! Idea: writing what is there already changes nothing, so a spinning exchange is a pure iteration;
//! a compare-exchange is two paths that join again, with the write and without. Where a weak one finds
//! what was expected, a choice says whether it fails all the same.

use raddle_ir::{Access, InputKind, Operand, RegId, RmwOp};
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
    /// May fail although it finds what was expected.
    pub weak: bool,
}

/// What a compare-exchange found.
pub(crate) struct Found {
    pub value: TermId,
    /// Whether it was exchanged.
    pub exchanged: TermId,
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
            walk.changing_where(changes, |walk| walk.store(state, address, new, manner))
        })
    }

    /// Writes if the value is the expected one (and the exchange does not fail by chance); `None` if the thread
    /// ends here.
    pub fn exchange_if_equal(
        &mut self,
        state: &mut State,
        exchange: Exchange,
        how: Manner,
    ) -> Option<Found> {
        let Exchange { address, expected, new, width, weak } = exchange;
        let bytes = width.div_ceil(8);
        self.atomically(state, |walk, state| {
            let old = walk.load(state, address, bytes, how)?;
            let value = walk.terms.extract(old, width - 1, 0);
            let mut exchanged = walk.terms.eq(value, expected);
            if weak && !walk.terms.is_false(exchanged) {
                let asking = walk.state_if(state, exchanged);
                let fails = walk.ask(&asking, 1, InputKind::Choice(2), how.at);
                let succeeds = walk.terms.not(fails);
                exchanged = walk.terms.and(exchanged, succeeds);
            }
            let new = walk.terms.zext(new, bytes * 8);
            let unchanged = walk.terms.not(exchanged);
            let mut writing = walk.state_if(state, exchanged);
            let waiting = walk.state_if(state, unchanged);
            let wrote =
                !writing.is_dead(&walk.terms) && walk.store(&mut writing, address, new, how);
            *state = match (wrote, waiting.is_dead(&walk.terms)) {
                (true, true) => writing,
                (true, false) => {
                    let merged = walk.merge(writing, waiting);
                    merged.expect("both are in the unit of the instruction").0
                }
                (false, false) => waiting,
                (false, true) => return None,
            };
            Some(Found { value, exchanged })
        })
    }
}
