//! Remembered states, exactly: equal numbers if and only if equal states.
//!
//! Idea: byte strings of components get numbers in order of appearance; a list of numbers is
//! folded, eight at a time, into a tree whose inner nodes get numbers as well, until one is left.
//! Two states share the subtrees in which they agree, so a further state costs a few tuples of
//! eight numbers. Nothing rests on a hash being unique: all tables compare what they hold.
//! Source: Laarman, van de Pol & Weber, "Parallel recursive state compression for free", SPIN 2011;
//! with tuples instead of pairs, because most components stay the same from one state to the next.
//! Invariant: the number of a list determines it, because the number of the root is paired with the
//! list's length, which determines the shape of the tree.

use rustc_hash::FxHashMap;

/// How many numbers are folded into one.
const WIDTH: usize = 8;
/// In a tuple that is not full.
const NONE: u32 = u32::MAX;

/// The number of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(u32);

/// Gives numbers to components and lists of them.
#[derive(Default)]
pub struct Interner {
    parts: FxHashMap<Box<[u8]>, u32>,
    tuples: FxHashMap<[u32; WIDTH], u32>,
    /// About how much memory the tables take.
    bytes: u64,
}

impl Interner {
    /// The number of a component.
    pub fn part(&mut self, bytes: &[u8]) -> u32 {
        if let Some(&found) = self.parts.get(bytes) {
            return found;
        }
        let next = self.parts.len() as u32;
        self.parts.insert(bytes.into(), next);
        // The string, its entry, and the room that tables keep free.
        self.bytes += bytes.len() as u64 + 48;
        next
    }

    /// The number of a list of numbers.
    pub fn list(&mut self, words: &[u32]) -> StateId {
        let length = words.len() as u32;
        let mut level: Vec<u32> = words.to_vec();
        while level.len() > WIDTH - 1 {
            level = level.chunks(WIDTH).map(|chunk| self.tuple(chunk)).collect();
        }
        level.push(length);
        StateId(self.tuple(&level))
    }

    fn tuple(&mut self, words: &[u32]) -> u32 {
        debug_assert!(words.len() <= WIDTH, "chunks are no longer");
        let mut tuple = [NONE; WIDTH];
        tuple[..words.len()].copy_from_slice(words);
        let next = self.tuples.len() as u32;
        let number = *self.tuples.entry(tuple).or_insert(next);
        if number == next {
            assert!(next < NONE, "fewer than 2^32 - 1 tuples fit into any memory limit");
            self.bytes += 80;
        }
        number
    }

    /// About how much memory the tables take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn parts_are_told_apart() {
        let mut interner = Interner::default();
        let a = interner.part(b"a");
        assert_eq!(interner.part(b"a"), a);
        assert_ne!(interner.part(b""), a);
        assert_ne!(interner.part(b"aa"), a);
        assert!(interner.bytes() > 0);
    }

    /// Lists of all lengths around the sizes where the tree grows, few different numbers: equal
    /// numbers for equal lists only.
    #[test]
    fn lists_are_told_apart() {
        let mut interner = Interner::default();
        let mut seen: BTreeMap<StateId, Vec<u32>> = BTreeMap::new();
        for length in 0..140 {
            for seed in 0..40u32 {
                let word = |i: u32| (i * 7 + seed * seed + i * i * seed) >> 3 & 3;
                let list: Vec<u32> = (0..length).map(word).collect();
                let id = interner.list(&list);
                assert_eq!(interner.list(&list), id);
                let known = seen.entry(id).or_insert_with(|| list.clone());
                assert_eq!(*known, list);
            }
        }
    }

    #[test]
    fn a_small_change_costs_little() {
        let mut interner = Interner::default();
        let mut list: Vec<u32> = (0..4000).collect();
        interner.list(&list);
        let before = interner.bytes();
        list[1234] = 0;
        interner.list(&list);
        assert!(interner.bytes() - before <= 5 * 80);
    }
}
