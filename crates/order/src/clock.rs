//! Vector clocks of all units, with undo.
//!
//! Idea: threads are chains, so "which units of thread s precede unit i of thread t" is one number,
//! and for fixed s and t it never falls as i grows. Such a row is a staircase; we keep only its
//! steps. An edge touches the steps it changes, however long the threads are, and the number of
//! steps in all rows is bounded by what the live edges need.
//! Source: vector clocks (Mattern 1989); sparse rows after Tunç et al., "CSSTs", ASPLOS 2024, who
//! use segment trees where we use sorted vectors: we undo in stack order and need no other
//! deletion.
//! Invariants: (1) in each row `at` ascends strictly, `reach` does not fall; (2) a step's edge a →
//!   b is live, at least `reach` units of the source thread reach or are a, and b reaches or is
//!   unit `at`.

use crate::graph::EdgeId;
use crate::skeleton::Place;

/// From unit `at` of the target thread on, the first `reach` units of the source thread precede.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub at: u32,
    pub reach: u32,
    /// The edge that made it so.
    pub edge: EdgeId,
}

/// What [`Clocks::raise`] has changed: units `from..to` of the target thread are now preceded also
/// by the units `old..new` of the source thread (some of them by some of these before).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub target: u32,
    pub source: u32,
    pub from: u32,
    pub to: u32,
    pub old: u32,
    pub new: u32,
}

/// One change of a row, for undo: `step` stands at `position` where `removed` steps stood before.
#[derive(Clone, Copy, Debug)]
struct Undo {
    row: u32,
    position: u32,
    removed: u32,
}

/// A state to return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClockMark(usize);

#[derive(Default, Debug)]
pub(crate) struct Clocks {
    /// The number of units of each thread.
    lengths: Vec<u32>,
    /// By target thread times number of threads plus source thread.
    rows: Vec<Vec<Step>>,
    undo: Vec<Undo>,
    /// The steps removed by the entries of `undo`, in order.
    removed: Vec<Step>,
}

impl Clocks {
    pub fn new(lengths: Vec<u32>) -> Clocks {
        let rows = vec![Vec::new(); lengths.len() * lengths.len()];
        Clocks { lengths, rows, undo: Vec::new(), removed: Vec::new() }
    }

    pub fn threads(&self) -> u32 {
        self.lengths.len() as u32
    }

    pub fn length(&self, thread: u32) -> u32 {
        self.lengths[thread as usize]
    }

    fn row_number(&self, target: u32, source: u32) -> usize {
        target as usize * self.lengths.len() + source as usize
    }

    pub fn row(&self, target: u32, source: u32) -> &[Step] {
        &self.rows[self.row_number(target, source)]
    }

    /// How many units of `source` strictly precede `place`.
    pub fn reach(&self, place: Place, source: u32) -> u32 {
        if place.thread == source {
            return place.index;
        }
        let row = self.row(place.thread, source);
        match row.partition_point(|step| step.at <= place.index) {
            0 => 0,
            found => row[found - 1].reach,
        }
    }

    /// The first unit of `target` that `place` strictly precedes; the thread's length if there is
    /// none.
    pub fn first_after(&self, place: Place, target: u32) -> u32 {
        if place.thread == target {
            return place.index + 1;
        }
        let row = self.row(target, place.thread);
        let found = row.partition_point(|step| step.reach <= place.index);
        row.get(found).map_or(self.lengths[target as usize], |step| step.at)
    }

    /// Whether `a` strictly precedes `b`.
    pub fn before(&self, a: Place, b: Place) -> bool {
        self.reach(b, a.thread) > a.index
    }

    /// Lets the first `reach` units of `source` precede unit `at` of `target` and all later ones.
    pub fn raise(
        &mut self,
        target: u32,
        source: u32,
        at: u32,
        reach: u32,
        edge: EdgeId,
    ) -> Option<Change> {
        let number = self.row_number(target, source);
        let row = &mut self.rows[number];
        let after = row.partition_point(|step| step.at <= at);
        let old = if after == 0 { 0 } else { row[after - 1].reach };
        if old >= reach {
            return None;
        }
        // A step at the same unit is replaced, as are later ones that reach less far. One that
        // reaches as far stays: its edge is older, which makes better reasons.
        let first = if after > 0 && row[after - 1].at == at { after - 1 } else { after };
        let end = first + row[first..].partition_point(|step| step.reach < reach);
        let to = row.get(end).map_or(self.lengths[target as usize], |step| step.at);
        self.removed.extend_from_slice(&row[first..end]);
        let removed = (end - first) as u32;
        self.undo.push(Undo { row: number as u32, position: first as u32, removed });
        let step = Step { at, reach, edge };
        if removed == 0 {
            row.insert(first, step);
        } else {
            row[first] = step;
            row.drain(first + 1..end);
        }
        Some(Change { target, source, from: at, to, old, new: reach })
    }

    pub fn mark(&self) -> ClockMark {
        ClockMark(self.undo.len())
    }

    pub fn undo_to(&mut self, mark: ClockMark) {
        while self.undo.len() > mark.0 {
            let undo = self.undo.pop().expect("there are entries above the mark");
            let row = &mut self.rows[undo.row as usize];
            let position = undo.position as usize;
            let start = self.removed.len() - undo.removed as usize;
            match undo.removed {
                0 => {
                    row.remove(position);
                }
                1 => row[position] = self.removed[start],
                _ => {
                    row.splice(position..=position, self.removed[start..].iter().copied());
                }
            }
            self.removed.truncate(start);
        }
    }

    /// Checks invariant (1); (2) is the graph's to check.
    pub fn check_invariants(&self) {
        for row in &self.rows {
            for pair in row.windows(2) {
                assert!(pair[0].at < pair[1].at && pair[0].reach <= pair[1].reach, "{row:?}");
            }
        }
        let removed: usize = self.undo.iter().map(|undo| undo.removed as usize).sum();
        assert_eq!(removed, self.removed.len(), "undo restores what was removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row as a plain function, against which the staircase is compared.
    fn dense(clocks: &Clocks, length: u32) -> Vec<u32> {
        (0..length).map(|index| clocks.reach(Place { thread: 0, index }, 1)).collect()
    }

    #[test]
    fn staircases_agree_with_dense_rows_and_undo() {
        let length = 7;
        let mut state = 1u64;
        let mut below = |bound: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % bound
        };
        let mut clocks = Clocks::new(vec![length, length]);
        let mut history = vec![(clocks.mark(), vec![0; length as usize])];
        for _ in 0..4000 {
            if below(4) == 0 {
                let keep = 1 + below(history.len() as u32) as usize;
                history.truncate(keep);
                clocks.undo_to(history[keep - 1].0);
            } else {
                let (at, reach) = (below(length), 1 + below(length));
                let mut expected = history.last().unwrap().1.clone();
                let before = expected.clone();
                expected.iter_mut().skip(at as usize).for_each(|value| *value = reach.max(*value));
                let change = clocks.raise(0, 1, at, reach, EdgeId(0));
                assert_eq!(change.is_some(), before != expected);
                if let Some(change) = change {
                    for index in 0..length as usize {
                        let inside = (change.from..change.to).contains(&(index as u32));
                        assert_eq!(inside, before[index] != expected[index]);
                        assert!(
                            !inside
                                || (before[index] >= change.old && change.new == expected[index])
                        );
                    }
                }
                history.push((clocks.mark(), expected));
            }
            clocks.check_invariants();
            assert_eq!(dense(&clocks, length), history.last().unwrap().1);
            for index in 0..length {
                let first = clocks.first_after(Place { thread: 1, index }, 0);
                let expected = dense(&clocks, length).iter().position(|&reach| reach > index);
                assert_eq!(first, expected.map_or(length, |found| found as u32));
            }
        }
    }
}
