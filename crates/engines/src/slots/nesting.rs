//! The order of nested calls: what would come before what if creating a thread were calling it.
//!
//! Every unit of a program within a bound has a place in this order: a thread that is created
//! comes, with all that it creates, right after its creation, and then its creator goes on. It is
//! the order in which paper 001 simulates threads.
//! **Invariant:** units of a thread keep their order, a creation comes before all of its thread,
//! and the end of a thread before all that its creator does later. So of all edges between threads
//! only joins by others than creators can go against it.

use raddle_summary::{MarkKind, Skeleton, ThreadIx};

use crate::bounded::before::Unit;

/// The places of all units.
pub struct Nesting {
    places: Vec<Vec<u32>>,
}

impl Nesting {
    /// Of the threads of a skeleton.
    pub fn new(skeleton: &Skeleton) -> Nesting {
        let units: Vec<u32> = skeleton.threads.iter().map(|t| t.units).collect();
        let creations = skeleton.marks.iter().filter_map(|m| match m.kind {
            MarkKind::Create(child) => Some(((m.thread, m.unit), child)),
            MarkKind::Join(_) | MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => {
                None
            }
        });
        Nesting::of_threads(&units, creations.collect())
    }

    /// Of threads with so many units, and where they are created. Thread 0 is not.
    pub fn of_threads(units: &[u32], mut creations: Vec<(Unit, ThreadIx)>) -> Nesting {
        creations.sort_unstable();
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); units.len()];
        let mut next = 0;
        // Threads that are being passed through, the innermost last.
        let mut open = vec![ThreadIx(0)];
        while let Some(&thread) = open.last() {
            let unit = places[thread.index()].len() as u32;
            if unit >= units[thread.index()] {
                open.pop();
                continue;
            }
            places[thread.index()].push(next);
            next += 1;
            let here = creations.iter().filter(|(at, _)| *at == (thread, unit));
            // Of several threads that a section creates the first comes first.
            open.extend(here.rev().map(|(_, child)| *child));
        }
        let complete = places.iter().zip(units).all(|(p, &units)| p.len() == units as usize);
        assert!(complete, "every thread is created once");
        Nesting { places }
    }

    /// The place of a unit.
    pub fn place(&self, unit: Unit) -> u32 {
        self.places[unit.0.index()][unit.1 as usize]
    }

    /// Whether the first unit comes before the second.
    pub fn is_before(&self, a: Unit, b: Unit) -> bool {
        self.place(a) < self.place(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_comes_right_after_its_creation() {
        let t = ThreadIx;
        // Thread 0 creates 1 and 3 in its units 1 and 2; thread 1 creates 2 in its unit 0.
        let creations = vec![((t(0), 2), t(3)), ((t(0), 1), t(1)), ((t(1), 0), t(2))];
        let nesting = Nesting::of_threads(&[4, 2, 2, 1], creations);
        assert_eq!(nesting.places, [vec![0, 1, 6, 8], vec![2, 5], vec![3, 4], vec![7]]);
        assert!(nesting.is_before((t(2), 1), (t(0), 2)));
    }

    #[test]
    fn threads_of_one_section_come_in_turn() {
        let t = ThreadIx;
        let creations = vec![((t(0), 0), t(2)), ((t(0), 0), t(1))];
        let nesting = Nesting::of_threads(&[2, 1, 1], creations);
        assert_eq!(nesting.places, [vec![0, 3], vec![1], vec![2]]);
    }
}
