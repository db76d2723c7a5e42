//! Gates: what others cannot pass while one thread does not move.
//!
//! Idea: a mutex that a thread holds, the end of a thread that has not ended, the creation of a
//! thread, a flag that one thread sets: a shared variable has a value such that (1) nobody but the
//! *keeper* changes it while it has that value, and (2) certain steps of others cannot be made then.
//! As long as the keeper makes no step others do not get beyond these steps. Both are asked of the
//! terms of steps: put the value in, and see whether guards are false. So no lock discipline
//! and no kind of lock is assumed, and a word that somebody unlocks without having it is no gate.
//!
//! A lock is shut by the number of its holder. Whoever unlocks it must be known to hold it: the
//! states of a thread in which the word certainly is its number are the largest set such that each
//! way in makes it so or begins in the set. This is an invariant of all threads together: a step
//! outside the set that could change a word that somebody else holds makes the word no lock at all.
//! Anything else is shut by 0.
//! Source: paper 003 §3, patterns of lock acquisition. We differ: joins, creations and flags count
//! as well, and mutexes are recognised by what steps do.
//! Limits: at most 64 gates; words at addresses that are not constant are none.

use raddle_automaton::{State, StateIx, StateVar, Thread, ThreadIx};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::compose::{Composition, Name};
use super::later::Gates;
use super::touches::{Shared, Touches};

/// Most gates.
const MOST_GATES: usize = 64;

/// By which value a gate is shut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// By the number of its keeper.
    Lock,
    /// By 0.
    Flag,
}

/// The gates of a program.
pub struct AllGates {
    /// By gate, a bit of [`Gates`], and thread: the condition that the thread keeps it shut.
    pub shut_by: Vec<Vec<TermId>>,
    /// By thread and state: the gates that the step passes.
    pub passed: Vec<Vec<Gates>>,
    /// By thread and state: the locks that certainly have the thread's number, so that it keeps them shut.
    pub held: Vec<Vec<Gates>>,
}

impl AllGates {
    /// None at all.
    pub fn none(touches: &Touches) -> AllGates {
        let nowhere: Vec<Vec<Gates>> = touches.steps.iter().map(|s| vec![0; s.len()]).collect();
        AllGates { shut_by: Vec::new(), passed: nowhere.clone(), held: nowhere }
    }

    /// All that are found.
    pub fn new(composition: &mut Composition, touches: &Touches) -> AllGates {
        let mut all = AllGates::none(touches);
        for variable in 0..touches.variables.len() {
            let name = Name::Shared(touches.variables[variable]);
            let Some(now) = composition.known(name) else { continue };
            let mut finder = Finder { composition, touches, variable, now };
            finder.lock(&mut all);
            finder.flag(&mut all);
            if all.shut_by.len() >= MOST_GATES {
                break;
            }
        }
        all
    }
}

struct Finder<'a> {
    composition: &'a mut Composition,
    touches: &'a Touches,
    variable: Shared,
    /// Its term.
    now: TermId,
}

/// What a step does to the variable, once it has a certain value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// The step cannot be made.
    Shut,
    /// The value stays.
    Keeps,
    /// It may change.
    Changes,
}

impl Finder<'_> {
    fn threads(&self) -> impl Iterator<Item = ThreadIx> + use<> {
        (0..self.composition.steps.len() as u32).map(ThreadIx)
    }

    fn number(&mut self, thread: ThreadIx) -> TermId {
        let width = self.composition.terms.width(self.now);
        self.composition.terms.constant(u128::from(Thread::number(thread)), width)
    }

    /// The steps that touch the variable.
    fn steps(&self, write_only: bool) -> Vec<(ThreadIx, StateIx)> {
        let mut all = Vec::new();
        for (t, steps) in self.touches.steps.iter().enumerate() {
            for (s, step) in steps.iter().enumerate() {
                let writes = step.writes.contains_key(&self.variable);
                if writes || !write_only && step.reads.contains_key(&self.variable) {
                    all.push((ThreadIx(t as u32), StateIx(s as u32)));
                }
            }
        }
        all
    }

    /// What a step does if the variable has a value.
    fn effect(&mut self, (thread, state): (ThreadIx, StateIx), value: TermId) -> Effect {
        let step = &self.composition.steps[thread.index()][state.index()];
        let written = self.touches.variables[self.variable];
        let mut roots = Vec::new();
        for transition in &step.transitions {
            let update = transition.updates.iter().find(|u| u.0 == written);
            roots.extend([transition.guard, update.map_or(self.now, |u| u.1)]);
        }
        let map = FxHashMap::from_iter([(self.now, value)]);
        let terms = &mut self.composition.terms;
        let folded = terms.substitute(&roots, &map);
        let mut effect = Effect::Shut;
        for pair in folded.chunks_exact(2) {
            if terms.is_false(pair[0]) {
                continue;
            }
            if pair[1] != value {
                return Effect::Changes;
            }
            effect = Effect::Keeps;
        }
        effect
    }

    /// Whether it is a lock: then who passes it.
    fn lock(&mut self, all: &mut AllGates) {
        if all.shut_by.len() >= MOST_GATES || !self.could_be_lock() {
            return;
        }
        let writers = self.steps(true);
        let held: Vec<Vec<bool>> = self.threads().map(|t| self.certainly_held(t)).collect();
        for &at in &writers {
            if held[at.0.index()][at.1.index()] {
                continue;
            }
            for keeper in self.threads().filter(|k| *k != at.0) {
                let number = self.number(keeper);
                if self.effect(at, number) == Effect::Changes {
                    return;
                }
            }
        }
        let mut passing = Vec::new();
        for at in self.steps(false) {
            let others: Vec<ThreadIx> = self.threads().filter(|k| *k != at.0).collect();
            let shut = others.into_iter().all(|keeper| {
                let number = self.number(keeper);
                self.effect(at, number) == Effect::Shut
            });
            if shut {
                passing.push(at);
            }
        }
        let shut_by = self.threads().map(|t| self.shut(t, Kind::Lock)).collect();
        let bit = add(all, passing, shut_by);
        for (all, held) in all.held.iter_mut().zip(held) {
            all.iter_mut().zip(held).filter(|(_, held)| *held).for_each(|(all, _)| *all |= bit);
        }
    }

    /// Whether a thread's number fits into it: words of mutexes do, counters may.
    fn could_be_lock(&self) -> bool {
        let is_cell = matches!(self.touches.variables[self.variable], StateVar::Cell(_));
        is_cell && self.composition.terms.width(self.now) >= 8
    }

    /// The states of a thread in which the variable certainly is its number, provided that others
    /// leave it alone then.
    fn certainly_held(&mut self, thread: ThreadIx) -> Vec<bool> {
        let number = self.number(thread);
        let steps: Vec<State> = self.composition.steps[thread.index()].clone();
        let mut held = vec![true; steps.len()];
        held[StateIx::STOP.index()] = false;
        held[StateIx::START.index()] = false;
        loop {
            let mut changed = false;
            for (s, step) in steps.iter().enumerate() {
                for (t, transition) in step.transitions.iter().enumerate() {
                    let target = transition.target.index();
                    if held[target] && !self.leaves_held(thread, (s, t), number, held[s]) {
                        held[target] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return held;
            }
        }
    }

    /// Whether the variable is the thread's number after a transition.
    fn leaves_held(
        &mut self,
        thread: ThreadIx,
        (state, transition): (usize, usize),
        number: TermId,
        before: bool,
    ) -> bool {
        let written = self.touches.variables[self.variable];
        let step = &self.composition.steps[thread.index()][state];
        let updates = &step.transitions[transition].updates;
        match updates.iter().find(|u| u.0 == written) {
            None => before,
            Some(&(_, value)) if !before => value == number,
            Some(&(_, value)) => {
                let map = FxHashMap::from_iter([(self.now, number)]);
                self.composition.terms.substitute(&[value], &map)[0] == number
            }
        }
    }

    /// Whether 0 shuts it: then who passes it.
    fn flag(&mut self, all: &mut AllGates) {
        let width = self.composition.terms.width(self.now);
        let zero = self.composition.terms.constant(0, width);
        let mut passing = Vec::new();
        for at in self.steps(false) {
            if self.effect(at, zero) == Effect::Shut {
                passing.push(at);
            }
        }
        if passing.is_empty() || all.shut_by.len() >= MOST_GATES {
            return;
        }
        let mut changing: Vec<ThreadIx> = Vec::new();
        for at in self.steps(true) {
            if self.effect(at, zero) == Effect::Changes {
                changing.push(at.0);
            }
        }
        changing.dedup();
        // One thread alone can open it; if two can, none keeps it shut.
        let [keeper] = changing[..] else { return };
        let shut_by = self.threads().map(|t| match t == keeper {
            true => self.shut(t, Kind::Flag),
            false => self.composition.terms.fals(),
        });
        let shut_by = shut_by.collect();
        add(all, passing, shut_by);
    }

    /// The condition that the variable has the value by which a thread keeps it shut.
    fn shut(&mut self, keeper: ThreadIx, kind: Kind) -> TermId {
        let width = self.composition.terms.width(self.now);
        let value = match kind {
            Kind::Lock => self.number(keeper),
            Kind::Flag => self.composition.terms.constant(0, width),
        };
        self.composition.terms.eq(self.now, value)
    }
}

/// Adds a gate, if somebody passes it; its bit.
fn add(all: &mut AllGates, passing: Vec<(ThreadIx, StateIx)>, shut_by: Vec<TermId>) -> Gates {
    if passing.is_empty() {
        return 0;
    }
    let bit = 1 << all.shut_by.len();
    for (thread, state) in passing {
        all.passed[thread.index()][state.index()] |= bit;
    }
    all.shut_by.push(shut_by);
    bit
}
