//! Walks: executions chosen at random, one after another, to find mistakes soon in programs too
//! large to be searched.
//!
//! Idea: a program of a few hundred lines with inputs has too many executions for any search to
//! come far beyond its start, but most mistakes show in many of them. A walk takes transitions of
//! the search ([`crate::dpor`], which also compares each access with all earlier ones that do not
//! happen before it, so that races show that did not quite happen), but never goes back.
//! Source: Burckhardt, Kothari, Musuvathi & Nagarakatte, "A randomized scheduler with probabilistic
//! guarantees of finding bugs", ASPLOS 2010, for threads that are held back until nobody else can
//! go on; most mistakes need few such delays. We differ: there are no priorities; each walk draws
//! how often the running thread changes and how often one is held back. Choices of the library and
//! inputs are drawn as well. Their first value is the usual one (no failure, 0), and how much it is
//! preferred differs from walk to walk: where every second call fails, no execution gets far.
//! Invariants: equal seeds give equal walks. What is found is replayed like all findings; a walk
//! proves nothing.
//! Limits: values of inputs are those of [`crate::inputs`]; at most 128 threads.

use crate::inputs::Tape;

/// How often a walk tries to go on from one state with choices that block the thread.
const ATTEMPTS: u32 = 50;

/// A source of random numbers (xorshift, Marsaglia 2003).
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
    /// Out of 256 choices so many are the first possibility.
    usual: u64,
}

impl Dice {
    /// A number below the limit.
    fn below(&mut self, limit: u64) -> u64 {
        assert!(limit > 0, "there is something to choose from");
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) % limit
    }

    /// One of some possibilities.
    pub fn choice(&mut self, possibilities: u32) -> u32 {
        if possibilities < 2 || self.below(256) < self.usual {
            return 0;
        }
        self.below(u64::from(possibilities)) as u32
    }
}

/// Chooses transitions. Threads are bits of a set, by their index.
#[derive(Clone, Debug)]
pub struct Walk {
    dice: Dice,
    /// Out of 256 transitions so many are of another thread than the one before, if they can be.
    changes: u64,
    /// Out of 256 changes so many hold the thread back that ran.
    holds: u64,
    /// The threads that are held back.
    held: u128,
    /// How often the same state was asked about.
    attempts: u32,
}

impl Walk {
    /// The first walk.
    pub fn new(seed: u64) -> Walk {
        // The state of a xorshift must not be 0.
        let dice = Dice { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, usual: 0 };
        let mut walk = Walk { dice, changes: 0, holds: 0, held: 0, attempts: 0 };
        walk.begin();
        walk
    }

    /// The next walk begins.
    pub fn begin(&mut self) {
        let mut one_of = |values: [u64; 4]| values[self.dice.below(4) as usize];
        self.changes = one_of([4, 16, 64, 256]);
        self.holds = one_of([0, 4, 32, 128]);
        self.dice.usual = one_of([0, 128, 224, 250]);
        self.held = 0;
        self.attempts = 0;
    }

    /// A thread that can go on, with choices for it; `None`: the walk is over. Asked again for the
    /// same state if these choices block the thread.
    pub fn choose(&mut self, enabled: u128, moved: Option<usize>) -> Option<(usize, Tape)> {
        self.attempts += 1;
        if enabled == 0 || self.attempts > ATTEMPTS {
            return None;
        }
        let moved = moved.map_or(0, |thread| 1u128 << thread);
        if moved != 0 && self.dice.below(256) < self.holds && self.dice.below(256) < self.changes {
            self.held |= moved;
        }
        if enabled & !self.held == 0 {
            self.held = 0;
        }
        let able = enabled & !self.held;
        let stays = able & moved != 0 && self.dice.below(256) >= self.changes;
        let threads: Vec<usize> = (0..128).filter(|t| able >> t & 1 != 0).collect();
        let thread = match stays {
            true => moved.trailing_zeros() as usize,
            false => threads[self.dice.below(threads.len() as u64) as usize],
        };
        // Each transition has dice of its own: what it throws must not depend on what was tried
        // before.
        let dice = Dice { state: self.dice.below(u64::MAX >> 16) | 1, ..self.dice };
        Some((thread, Tape::thrown(dice)))
    }

    /// A transition was taken.
    pub fn step(&mut self) {
        self.attempts = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_walks() {
        let walk = |seed| {
            let mut walk = Walk::new(seed);
            let next = |_| {
                walk.step();
                walk.choose(0b1011, Some(1)).map(|(thread, tape)| (thread, format!("{tape:?}")))
            };
            (0..200).map(next).collect::<Vec<_>>()
        };
        assert_eq!(walk(7), walk(7));
        assert_ne!(walk(7), walk(8));
    }

    #[test]
    fn every_thread_that_can_run_runs_and_no_other() {
        let mut seen = 0u128;
        let mut walk = Walk::new(3);
        for _ in 0..2000 {
            walk.begin();
            let (thread, _) = walk.choose(0b10110, Some(2)).expect("threads can go on");
            seen |= 1 << thread;
        }
        assert_eq!(seen, 0b10110);
        assert!(walk.choose(0, None).is_none(), "nobody can go on");
    }

    #[test]
    fn a_walk_gives_up_where_all_choices_block() {
        let mut walk = Walk::new(3);
        let tries = (0..).take_while(|_| walk.choose(1, None).is_some()).count();
        assert_eq!(tries, ATTEMPTS as usize);
    }

    #[test]
    fn all_possibilities_come_up() {
        for usual in [0, 128, 250] {
            let mut dice = Dice { state: 99, usual };
            let mut seen = [0u32; 5];
            (0..4000).for_each(|_| seen[dice.choice(5) as usize] += 1);
            assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
            assert!(usual == 0 || seen[0] > 2 * seen[1], "the first one is the usual one");
        }
    }
}
