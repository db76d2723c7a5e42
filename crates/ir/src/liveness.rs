//! Which registers are live at the start of each block: backward data flow to a fixed point over
//! bit sets, the textbook algorithm.

use crate::expr::Operand;
use crate::ids::{BlockId, RegId};
use crate::program::Function;

/// Live registers of a function.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: usize,
    live_in: Vec<u64>,
}

impl Liveness {
    /// Analyses a function.
    pub fn new(function: &Function) -> Liveness {
        let n = function.blocks.len();
        let words = function.regs.len().div_ceil(64).max(1);
        let mut result = Liveness { words, live_in: vec![0; n * words] };
        let mut predecessors = vec![Vec::new(); n];
        for b in function.block_ids() {
            for s in function.block(b).end.successors() {
                predecessors[s.index()].push(b.index());
            }
        }
        let mut queued = vec![true; n];
        let mut work: Vec<usize> = (0..n).collect();
        let mut set = vec![0u64; words];
        while let Some(b) = work.pop() {
            queued[b] = false;
            result.transfer(function, b, &mut set);
            let old = &mut result.live_in[b * words..(b + 1) * words];
            if old != set.as_slice() {
                old.copy_from_slice(&set);
                for &p in &predecessors[b] {
                    if !queued[p] {
                        queued[p] = true;
                        work.push(p);
                    }
                }
            }
        }
        result
    }

    fn transfer(&self, function: &Function, b: usize, set: &mut [u64]) {
        set.fill(0);
        let block = &function.blocks[b];
        for s in block.end.successors() {
            let from = &self.live_in[s.index() * self.words..(s.index() + 1) * self.words];
            for (to, from) in set.iter_mut().zip(from) {
                *to |= from;
            }
        }
        let add = |set: &mut [u64], operand: Operand| {
            if let Operand::Reg(r) = operand {
                set[r.index() / 64] |= 1 << (r.index() % 64);
            }
        };
        if let Some(operand) = block.end.operand() {
            add(set, operand);
        }
        for instr in block.instrs.iter().rev() {
            for r in instr.op.defs() {
                set[r.index() / 64] &= !(1 << (r.index() % 64));
            }
            for operand in instr.op.operands() {
                add(set, operand);
            }
        }
    }

    /// Whether a register is live at the start of a block.
    pub fn is_live(&self, block: BlockId, reg: RegId) -> bool {
        self.live_in[block.index() * self.words + reg.index() / 64] >> (reg.index() % 64) & 1 == 1
    }

    /// The registers live at the start of a block, in order.
    pub fn live_at(&self, block: BlockId) -> impl Iterator<Item = RegId> + '_ {
        let row = &self.live_in[block.index() * self.words..(block.index() + 1) * self.words];
        row.iter().enumerate().flat_map(|(w, &bits)| {
            (0..64).filter(move |i| bits >> i & 1 == 1).map(move |i| RegId::new(w * 64 + i))
        })
    }
}
