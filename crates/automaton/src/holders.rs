//! Words of mutexes that do not say who has them.
//!
//! A thread that stands for any number writes [`crate::layout::SOME_THREAD`] where its number would
//! be. Nothing but mutex operations may read such a word: they only ask whether it is 0.

use raddle_analysis::Facts;
use raddle_analysis::objects::instructions_of;
use raddle_ir::{Op, Program};

use crate::layout::{CellId, Layout, Memory};

/// Bytes of the word of a mutex.
const WORD: u64 = 4;

impl Layout {
    /// Finds the cells in which a mutex may lie.
    pub(crate) fn find_holders(&mut self, program: &Program, facts: &Facts) {
        for func in program.function_ids() {
            for (_, op) in instructions_of(program, func) {
                let (Op::Lock { mutex, .. } | Op::TryLock { mutex, .. }) = op else { continue };
                for (name, offset) in facts.points_to.locations(func, *mutex) {
                    for object in self.objects_named(name).to_vec() {
                        let Memory { grain, cells: (first, count), .. } =
                            self.objects[object.index()];
                        let word = match offset {
                            Some(offset) if grain > 0 => {
                                offset / grain..(offset + WORD).div_ceil(grain).min(count)
                            }
                            Some(_) | None => 0..count,
                        };
                        self.holders.extend(word.map(|c| CellId(first.0 + c as u32)));
                    }
                }
            }
        }
    }

    /// Whether a cell is in the word of a mutex that does not say who has it.
    pub fn hides_its_holder(&self, cell: CellId) -> bool {
        self.holders.contains(&cell)
    }
}
