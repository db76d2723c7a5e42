//! Parts of a state that are copies of each other, and cubes that speak of few of them.
//!
//! Idea: where copies stand for any number of alike parts, only cubes that speak of fewer parts than
//! there are copies say something about all of them. And what holds of some copies mostly holds of
//! others in their places, so each cube that is learned is tried with copies exchanged.
//! Invariant: a latch is in one part at most; the latches of copies correspond one by one.

use crate::{Bit, Cube};

/// Which latches are parts of copies.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// By latch: the part that it belongs to, and which latch of the part it is.
    of: Vec<Option<(usize, usize)>>,
    /// By part: its group, and its latches.
    parts: Vec<(usize, Vec<u32>)>,
    /// Of how many parts a cube may speak.
    most: usize,
}

impl Copies {
    /// Groups of parts that are copies of each other, each a list of latches, for so many latches in
    /// all. Cubes shall speak of at most so many parts.
    pub fn new(groups: Vec<Vec<Vec<u32>>>, latches: usize, most: usize) -> Copies {
        let mut copies = Copies { of: vec![None; latches], parts: Vec::new(), most };
        for (group, parts) in groups.into_iter().enumerate() {
            for part in parts {
                for (place, &latch) in part.iter().enumerate() {
                    let known = copies.of[latch as usize].replace((copies.parts.len(), place));
                    assert!(known.is_none(), "a latch is in one part");
                }
                copies.parts.push((group, part));
            }
        }
        copies
    }

    /// The parts that a cube speaks of, sorted.
    pub fn parts(&self, cube: &[Bit]) -> Vec<usize> {
        let part = |b: &Bit| self.of[b.latch as usize].map(|(part, _)| part);
        let mut all: Vec<usize> = cube.iter().filter_map(part).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a cube speaks of so few parts that it says something about all.
    pub fn is_narrow(&self, cube: &[Bit]) -> bool {
        self.parts(cube).len() <= self.most
    }

    /// A cube without what it says about some copies, so that it is narrow: all choices of those
    /// that are left.
    pub fn narrower(&self, cube: &[Bit]) -> Vec<Cube> {
        let parts = self.parts(cube);
        let mut all = Vec::new();
        for left in subsets(&parts, self.most) {
            let stays = |b: &&Bit| self.of[b.latch as usize].is_none_or(|(p, _)| left.contains(&p));
            all.push(cube.iter().filter(stays).copied().collect());
        }
        all
    }

    /// The same cube about other copies: all images but itself.
    pub fn images(&self, cube: &Cube) -> Vec<Cube> {
        let parts = self.parts(cube);
        let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
        for &part in &parts {
            let mut longer = Vec::new();
            for begin in chosen {
                for (other, (group, latches)) in self.parts.iter().enumerate() {
                    let (own, own_latches) = &self.parts[part];
                    let fits = group == own && latches.len() == own_latches.len();
                    if fits && !begin.contains(&other) {
                        let mut next = begin.clone();
                        next.push(other);
                        longer.push(next);
                    }
                }
            }
            chosen = longer;
        }
        let mut all: Vec<Cube> =
            chosen.iter().map(|others| self.image(cube, &parts, others)).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|c| c != cube);
        all
    }

    /// A cube with parts in the places of others.
    fn image(&self, cube: &Cube, parts: &[usize], others: &[usize]) -> Cube {
        let moved = |b: &Bit| match self.of[b.latch as usize] {
            None => *b,
            Some((part, place)) => {
                let at = parts.iter().position(|&p| p == part).expect("the cube speaks of it");
                Bit { latch: self.parts[others[at]].1[place], ..*b }
            }
        };
        let mut image: Cube = cube.iter().map(moved).collect();
        image.sort_unstable();
        image
    }
}

/// The subsets of a size.
fn subsets(all: &[usize], size: usize) -> Vec<Vec<usize>> {
    match (all, size) {
        (_, 0) => vec![Vec::new()],
        ([], _) => Vec::new(),
        ([first, rest @ ..], _) => {
            let mut with = subsets(rest, size - 1);
            with.iter_mut().for_each(|s| s.push(*first));
            with.extend(subsets(rest, size));
            with
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(latch: u32) -> Bit {
        Bit { latch, value: true }
    }

    /// Latch 0 is nobody's, then three copies with two latches each.
    fn three() -> Copies {
        Copies::new(vec![vec![vec![1, 2], vec![3, 4], vec![5, 6]]], 7, 2)
    }

    #[test]
    fn images_are_all_choices_of_other_copies() {
        let one = vec![bit(0), bit(2)];
        assert_eq!(three().images(&one), [vec![bit(0), bit(4)], vec![bit(0), bit(6)]]);
        let two = vec![bit(1), bit(4)];
        let images = three().images(&two);
        assert_eq!(images.len(), 5, "six ordered choices, one of them the cube itself");
        assert!(images.contains(&vec![bit(2), bit(3)]), "also with both exchanged");
        assert!(three().images(&vec![bit(0)]).is_empty());
    }

    #[test]
    fn what_speaks_of_all_copies_is_not_narrow() {
        assert!(three().is_narrow(&[bit(0), bit(1), bit(2), bit(5)]));
        let all = [bit(1), bit(3), bit(5)];
        assert!(!three().is_narrow(&all));
        let mut narrower = three().narrower(&all);
        narrower.sort_unstable();
        let pairs = [[bit(1), bit(3)], [bit(1), bit(5)], [bit(3), bit(5)]].map(Vec::from);
        assert_eq!(narrower, pairs);
    }

    #[test]
    fn copies_of_different_groups_are_not_exchanged() {
        let copies = Copies::new(vec![vec![vec![0], vec![1]], vec![vec![2], vec![3]]], 4, 2);
        let images = copies.images(&vec![bit(0), bit(2)]);
        assert_eq!(images, [[bit(0), bit(3)], [bit(1), bit(2)], [bit(1), bit(3)]].map(Vec::from));
    }
}
