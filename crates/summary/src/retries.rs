//! Retry loops around weak compare-exchanges.
//!
//! A weak exchange may fail although nobody interfered, any number of times in a row. So a loop that retries it ends
//! only because an iteration that fails in this way is pure ([`crate::purity`]), and that must not be lost on a store
//! in the loop: `n->next = top` and the exchange's own store to what it expected write what is there already. Idea:
//! in such loops a store of shared memory also reads what it overwrites, in its own unit, and counts as an effect only
//! where the two differ. That is one more read for a store in a retry loop, and none elsewhere.
//! Limits: an exchange behind a call through a pointer does not make the loop around the call one that retries;
//! then more iterations count, which costs time or a bound, never a verdict.

use raddle_ir::{BlockId, Callee, Cfg, Function, InstrRef, Op, Program};
use raddle_term::TermId;

use crate::access::Manner;
use crate::skeleton::Trail;
use crate::state::State;
use crate::walk::Walk;

/// For each function, whether it or something that it calls has a weak exchange; empty if none has.
pub(crate) fn exchanges_weakly(program: &Program) -> Vec<bool> {
    let weak = |f: &Function, known: &[bool]| {
        f.blocks.iter().any(|b| b.instrs.iter().any(|i| is_weak(&i.op, known)))
    };
    let mut found: Vec<bool> = program.functions.iter().map(|f| weak(f, &[])).collect();
    if !found.contains(&true) {
        return Vec::new();
    }
    loop {
        let next: Vec<bool> = program.functions.iter().map(|f| weak(f, &found)).collect();
        if next == found {
            return found;
        }
        found = next;
    }
}

/// For each block of a function, whether it is in a loop with a weak exchange.
pub(crate) fn retrying_blocks(function: &Function, cfg: &Cfg, weak: &[bool]) -> Vec<bool> {
    let mut loops = vec![false; cfg.loops.len()];
    for (i, block) in function.blocks.iter().enumerate() {
        if block.instrs.iter().any(|i| is_weak(&i.op, weak)) {
            cfg.loops_around(BlockId::new(i)).iter().for_each(|&l| loops[l] = true);
        }
    }
    let blocks = (0..function.blocks.len()).map(BlockId::new);
    blocks.map(|b| cfg.loops_around(b).iter().any(|&l| loops[l])).collect()
}

fn is_weak(op: &Op, functions: &[bool]) -> bool {
    match op {
        Op::CompareExchange { weak, .. } => *weak,
        Op::Call { callee: Callee::Direct(f), .. } => {
            functions.get(f.index()).copied().unwrap_or(false)
        }
        _ => false,
    }
}

impl Walk<'_> {
    /// Whether an instruction, or a call under way, is in a loop that retries a weak exchange.
    fn retries(&mut self, at: InstrRef) -> bool {
        if self.weak_functions.is_empty() {
            return false;
        }
        let sites: Vec<InstrRef> = self.thread.calls.iter().map(|c| c.at).chain([at]).collect();
        sites.into_iter().any(|i| self.info(i.func).retrying[i.block.index()])
    }

    /// A plain store; in a retry loop, one that writes what is there already is no effect.
    pub(crate) fn store_plainly(
        &mut self,
        state: &mut State,
        address: TermId,
        value: TermId,
        how: Manner,
    ) -> bool {
        if !self.retries(how.at) {
            return self.store(state, address, value, how);
        }
        let bytes = self.terms.width(value) / 8;
        let alone = state.atomic == 0 && !self.lifetime_unit;
        // The unit is there for the look at what is overwritten: it makes the store no atomic one.
        self.lifetime_unit |= alone;
        let done = self.atomically(state, |walk, state| {
            let mut look = Manner { trail: Trail::None, ..how };
            look.access.hidden = true;
            let Some(before) = walk.load(state, address, bytes, look) else { return false };
            let changes = walk.terms.ne(before, value);
            walk.changing_where(changes, |walk| walk.store(state, address, value, how))
        });
        self.lifetime_unit &= !alone;
        done
    }

    /// Runs something whose effects change something only under a condition.
    pub(crate) fn changing_where<R>(
        &mut self,
        condition: TermId,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before = self.thread.effects.len();
        let result = body(self);
        for effect in &mut self.thread.effects[before..] {
            effect.changed = condition;
        }
        result
    }
}
