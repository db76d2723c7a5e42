//! Paths through one function: whether control can come from one position to another without
//! passing certain others.
//!
//! A position is "about to execute this instruction"; the arrival at a block is its first position.
//! Control that calls a function is taken to come back. Idea: search forward, block by block.
//! Nothing to cite.

use raddle_ir::{BlockId, Cfg, FuncId, Function, InstrRef, Program};

/// About to execute an instruction of the function, or its terminator.
pub(crate) type Position = (BlockId, u32);

/// A function with its loops.
pub(crate) struct Paths<'p> {
    pub func: FuncId,
    pub function: &'p Function,
    pub cfg: Cfg,
}

impl<'p> Paths<'p> {
    pub fn new(program: &'p Program, func: FuncId) -> Paths<'p> {
        let function = program.function(func);
        Paths { func, function, cfg: Cfg::new(function) }
    }

    /// About to execute it.
    pub fn before(&self, at: InstrRef) -> Position {
        (at.block, at.index)
    }

    /// Having executed it.
    pub fn after(&self, at: InstrRef) -> Position {
        (at.block, at.index + 1)
    }

    /// Whether a loop contains a block.
    pub fn contains(&self, index: usize, block: BlockId) -> bool {
        let mut at = self.cfg.loop_of[block.index()];
        while let Some(l) = at {
            if l == index {
                return true;
            }
            at = self.cfg.loops[l].parent;
        }
        false
    }

    /// The arrival at the head of a loop.
    pub fn head(&self, index: usize) -> Position {
        (self.cfg.loops[index].head, 0)
    }

    /// Whether control that is at `from` may come to `to` (after at least one step if they are the
    /// same), through no position in `avoiding`, that at `from` aside, and, if a loop is given,
    /// without leaving it.
    pub fn lead(
        &self,
        from: Position,
        to: Position,
        avoiding: &[Position],
        inside: Option<usize>,
    ) -> bool {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut work = vec![from];
        let mut first = true;
        while let Some((block, start)) = work.pop() {
            let instrs = &self.function.block(block).instrs;
            let mut goes_on = true;
            for index in start..=instrs.len() as u32 {
                let is_start = first && index == start;
                if !is_start && (block, index) == to {
                    return true;
                }
                let stops = instrs.get(index as usize).is_some_and(|i| i.op.stops());
                if (!is_start && avoiding.contains(&(block, index))) || stops {
                    goes_on = false;
                    break;
                }
            }
            first = false;
            if !goes_on {
                continue;
            }
            for s in self.function.block(block).end.successors() {
                let allowed = inside.is_none_or(|l| self.contains(l, s));
                if allowed && !seen[s.index()] {
                    seen[s.index()] = true;
                    work.push((s, 0));
                }
            }
        }
        false
    }
}
