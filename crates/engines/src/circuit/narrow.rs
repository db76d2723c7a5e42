//! A smaller circuit by what simple invariants say: latches that are stuck are left out.
//!
//! Idea: a number that a condition keeps below 4 has 30 bits that never change. No step by itself shows
//! that, so three-valued simulation does not see it, but invariants about two latches do: where the
//! thread stands behind the condition these bits are 0 (`raddle_reach::Pairs`). What is known of one
//! latch is put into the circuit, and the search begins anew: every method gains.
//! Invariant: the invariants that are left hold of the smaller circuit. Its steps are those of the larger
//! one from states in which the constants hold, and what two latches exclude through a third
//! that is left out is among the invariants itself.
//! Limits: certificates have all latches, so nothing is left out for them.

use std::time::Duration;

use raddle_reach::{Bit, Cube, Flaw, Interrupted, Pairs, Question, certify};

use super::bits::Circuit;
use super::search::Search;

/// Of so many latches one must be stuck to begin anew.
const WORTH: usize = 8;

impl Search<'_> {
    /// Looks for simple invariants; by latch its value, if it is always the same, and many are.
    pub(super) fn stuck(
        &mut self,
        pairs: &mut Pairs,
        free: Question,
        slice: Duration,
    ) -> Result<Option<Vec<Option<bool>>>, Interrupted> {
        let never = pairs.run(&self.slice(slice))?;
        let mut stuck = vec![None; free.system.latches.len()];
        for cube in &never {
            if let [bit] = cube[..] {
                stuck[bit.latch as usize] = Some(!bit.value);
            }
        }
        let count = stuck.iter().flatten().count();
        let is_worth = self.narrows && count > 0 && count * WORTH >= stuck.len();
        let is_sure = is_worth && (!self.task.settings.recheck || self.hold(free, &never));
        self.known = Some(never);
        Ok(is_sure.then_some(stuck))
    }

    /// Whether simple invariants are checked to be some, in time.
    fn hold(&self, free: Question, never: &[Cube]) -> bool {
        match certify(Question { bad: &[], ..free }, never, &self.limits) {
            Ok(()) => true,
            Err(Flaw::Open) => false,
            Err(flaw) => panic!("what no step breaks is an invariant: {flaw:?}"),
        }
    }

    /// The circuit without latches that are stuck; invariants about those that are left stay known.
    pub(super) fn narrowed(&mut self, circuit: &Circuit, stuck: Vec<Option<bool>>) -> Circuit {
        let smaller = circuit.narrowed(&self.composition, stuck);
        let place = |bit: &Bit| {
            let latch = circuit.part.latches[bit.latch as usize];
            let latch = smaller.part.latches.binary_search(&latch).ok()?;
            Some(Bit { latch: latch as u32, value: bit.value })
        };
        let moved = |cube: &Cube| cube.iter().map(place).collect::<Option<Cube>>();
        let never = self.known.take().unwrap_or_default();
        self.known = Some(never.iter().filter_map(moved).collect());
        self.narrows = false;
        self.found.figures.latches = smaller.part.latches.len() as u64;
        self.found.figures.gates = smaller.part.system.graph.len() as u64;
        smaller
    }
}
