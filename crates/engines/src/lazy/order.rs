//! One order of steps that can change places: the normal form of an execution.
//!
//! Idea: steps of two threads depend on each other if one writes a cell that the other reads or
//! writes. Executions that differ only in the order of steps that do not depend on each other come
//! to the same place, so one of each kind is enough: the one that is first in the alphabet, where
//! threads are letters in the order of their creation. An execution is that one iff no step could
//! have come before a step of a later thread: going back from it to the last step that it depends
//! on, only earlier threads are met. That is local if the token carries *marks*: for each thread and
//! cell that it uses, whether a later thread has made a step since the cell was last used (or
//! written, if the thread only reads it), and since the thread itself made one. The cells of a large
//! object count as one, so that arrays do not cost a mark for each element.
//! Source: normal forms of traces (Anisimov, Knuth 1979); as constraints in bounded model checking:
//! Kahlon, Wang, Gupta, "Monotonic partial order reduction", CAV 2009. Paper 000 has nothing like it.
//! An atomic section in several slots is one letter: its steps are not asked, and set no marks.
//! Invariant: which slots depend on each other is fixed when a slot is made, and symmetric.

use raddle_automaton::{Automaton, StateVar, ThreadIx, Vars};
use raddle_term::{TermId, Terms};

use super::roles::{Role, Roles};
use super::unroll::Used;

/// Since when a mark counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Since {
    /// The thread itself made a step.
    Own,
    /// Somebody wrote a group of cells, of those that are passed on.
    Written(usize),
    /// Somebody read or wrote it.
    Used(usize),
}

/// The marks of one thread.
#[derive(Clone)]
pub struct Marks {
    thread: ThreadIx,
    list: Vec<Since>,
}

/// A step: whose it is, and what it may read and write.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The thread.
    pub thread: ThreadIx,
    /// Groups of cells that are passed on.
    pub used: &'a Used<Vec<usize>>,
    /// Whether it is part of an atomic section of several steps.
    pub section: bool,
}

impl Marks {
    /// The marks that a thread needs.
    pub fn new(
        terms: &Terms,
        vars: &Vars,
        automaton: &Automaton,
        thread: ThreadIx,
        roles: &Roles,
    ) -> Marks {
        let passed = |var: &StateVar| match var {
            StateVar::Cell(cell) => match roles.of(*cell) {
                Role::Passed(i) => Some(i),
                Role::Own(_) | Role::Fixed => None,
            },
            StateVar::Own
            | StateVar::Register(..)
            | StateVar::Count(_)
            | StateVar::Return(_)
            | StateVar::Argument(..)
            | StateVar::Result(_) => None,
        };
        let mut list = vec![Since::Own];
        for state in &automaton.states {
            let updates = state.transitions.iter().flat_map(|t| &t.updates);
            let written: Vec<usize> = updates.filter_map(|u| passed(&u.0)).collect();
            let written = roles.groups_of(&written);
            let read: Vec<usize> =
                vars.in_terms(terms, &state.terms()).iter().filter_map(passed).collect();
            // What nobody else writes the thread finds as it left it.
            let foreign = read.into_iter().filter(|&i| roles.writers[i] != Some(thread));
            let foreign = roles.groups_of(&foreign.collect::<Vec<usize>>());
            let read = foreign.into_iter().filter(|g| !written.contains(g));
            list.extend(read.map(Since::Written));
            list.extend(written.iter().map(|&g| Since::Used(g)));
        }
        list.sort_unstable();
        list.dedup();
        Marks { thread, list }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// What a step leaves that finds these marks.
    pub fn after(&self, terms: &Terms, before: &[TermId], step: Step) -> Vec<TermId> {
        let mark = |(&since, &before): (&Since, &TermId)| {
            let depends = match since {
                Since::Own => false,
                Since::Written(i) => step.used.writes.contains(&i),
                Since::Used(i) => step.used.writes.contains(&i) || step.used.reads.contains(&i),
            };
            if self.thread == step.thread || depends {
                terms.fals()
            } else if step.thread > self.thread && !step.section {
                terms.tru()
            } else {
                before
            }
        };
        self.list.iter().zip(before).map(mark).collect()
    }

    /// The condition that a step of the thread could not have come before one of a later thread.
    pub fn in_order(&self, terms: &mut Terms, before: &[TermId], step: Step) -> TermId {
        assert_eq!(step.thread, self.thread, "marks are of one thread");
        let written = step.used.writes.iter().map(|&i| Since::Used(i));
        let read = step.used.reads.iter().filter(|i| !step.used.writes.contains(i));
        let read = read.map(|&i| Since::Written(i));
        let mut free = Vec::new();
        for since in written.chain(read).chain([Since::Own]) {
            // Where there is no mark nothing is known.
            let Ok(mark) = self.list.binary_search(&since) else { return terms.tru() };
            free.push(terms.not(before[mark]));
        }
        terms.or_all(&free)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use raddle_testkit::Random;

    use super::*;

    /// A step of a small program.
    #[derive(Clone)]
    struct Letter {
        thread: ThreadIx,
        nth: usize,
        used: Used<Vec<usize>>,
        section: bool,
    }

    /// Threads with a few steps each that read and write two cells.
    fn random_threads(random: &mut Random) -> Vec<Vec<Letter>> {
        let thread = |t: u32, random: &mut Random| {
            let steps = 1 + random.below(3) as usize;
            let letter = |nth| {
                let mut cells = || (0..2).filter(|_| random.one_in(3)).collect::<Vec<usize>>();
                let used = Used { reads: cells(), writes: cells() };
                Letter { thread: ThreadIx(t), nth, used, section: false }
            };
            (0..steps).map(letter).collect()
        };
        (0..3).map(|t| thread(t, random)).collect()
    }

    fn depend(a: &Letter, b: &Letter) -> bool {
        let meet = |x: &[usize], y: &[usize]| x.iter().any(|c| y.contains(c));
        let (a_used, b_used) = (&a.used, &b.used);
        a.thread == b.thread
            || meet(&a_used.writes, &b_used.writes)
            || meet(&a_used.writes, &b_used.reads)
            || meet(&a_used.reads, &b_used.writes)
    }

    /// All orders of all steps, as indices of threads.
    fn orders(left: &mut [usize], so_far: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if left.iter().all(|&n| n == 0) {
            all.push(so_far.clone());
        }
        for t in 0..left.len() {
            if left[t] > 0 {
                left[t] -= 1;
                so_far.push(t);
                orders(left, so_far, all);
                so_far.pop();
                left[t] += 1;
            }
        }
    }

    fn letters(threads: &[Vec<Letter>], order: &[usize]) -> Vec<Letter> {
        let mut next = vec![0; threads.len()];
        let one = |&t: &usize| {
            next[t] += 1;
            threads[t][next[t] - 1].clone()
        };
        order.iter().map(one).collect()
    }

    /// What orders that come to the same have in common: which of two steps that depend on each
    /// other comes first.
    fn kind(word: &[Letter]) -> Vec<(u32, usize, u32, usize)> {
        let mut all = Vec::new();
        for (i, a) in word.iter().enumerate() {
            for b in word[i + 1..].iter().filter(|b| depend(a, b)) {
                all.push((a.thread.0, a.nth, b.thread.0, b.nth));
            }
        }
        all.sort_unstable();
        all
    }

    /// Whether the marks let an order pass.
    fn passes(threads: &[Vec<Letter>], word: &[Letter]) -> bool {
        let mut terms = Terms::new();
        let marks = |t: usize| {
            let mut list = vec![Since::Own];
            for letter in &threads[t] {
                let only_read =
                    letter.used.reads.iter().filter(|i| !letter.used.writes.contains(i));
                list.extend(only_read.map(|&i| Since::Written(i)));
                list.extend(letter.used.writes.iter().map(|&i| Since::Used(i)));
            }
            list.sort_unstable();
            list.dedup();
            Marks { thread: ThreadIx(t as u32), list }
        };
        let marks: Vec<Marks> = (0..threads.len()).map(marks).collect();
        let mut now: Vec<Vec<TermId>> = marks.iter().map(|m| vec![terms.fals(); m.len()]).collect();
        word.iter().all(|letter| {
            let own = letter.thread.index();
            let Letter { thread, used, section, .. } = letter;
            let step = Step { thread: *thread, used, section: *section };
            let right = marks[own].in_order(&mut terms, &now[own], step);
            now = marks.iter().zip(&now).map(|(m, b)| m.after(&terms, b, step)).collect();
            *section || terms.is_true(right)
        })
    }

    #[test]
    fn of_orders_that_come_to_the_same_the_first_one_passes() {
        let mut random = Random::new(7);
        for _ in 0..60 {
            let threads = random_threads(&mut random);
            let mut left: Vec<usize> = threads.iter().map(Vec::len).collect();
            let mut all = Vec::new();
            orders(&mut left, &mut Vec::new(), &mut all);
            let mut kinds: BTreeMap<_, (Vec<usize>, Vec<Vec<usize>>)> = BTreeMap::new();
            for order in all {
                let word = letters(&threads, &order);
                let (first, passing) =
                    kinds.entry(kind(&word)).or_insert_with(|| (order.clone(), Vec::new()));
                *first = order.clone().min(first.clone());
                if passes(&threads, &word) {
                    passing.push(order);
                }
            }
            for (first, passing) in kinds.into_values() {
                assert_eq!(passing, [first]);
            }
        }
    }

    #[test]
    fn sections_of_several_steps_are_not_kept_apart() {
        let mut random = Random::new(11);
        for _ in 0..60 {
            let mut threads = random_threads(&mut random);
            // All steps of one thread are one section.
            let whole = random.below(3) as usize;
            threads[whole].iter_mut().for_each(|l| l.section = true);
            let mut left: Vec<usize> = threads.iter().map(Vec::len).collect();
            let mut all = Vec::new();
            orders(&mut left, &mut Vec::new(), &mut all);
            let mut kinds: BTreeMap<_, bool> = BTreeMap::new();
            for order in all {
                let place = order.iter().position(|&t| t == whole).expect("it has a step");
                let end = (place + threads[whole].len()).min(order.len());
                if order[place..end].iter().any(|&t| t != whole) {
                    continue;
                }
                let word = letters(&threads, &order);
                *kinds.entry(kind(&word)).or_default() |= passes(&threads, &word);
            }
            assert!(kinds.into_values().all(|shown| shown), "an execution is lost");
        }
    }
}
