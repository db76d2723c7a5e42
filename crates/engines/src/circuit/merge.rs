//! Transactions as single steps: where nobody can disturb a thread, it goes on at once.
//!
//! Idea: while a thread stands in a *calm* state, no step of another thread that touches what its own
//! step touches can be made, and nothing that can go wrong elsewhere depends on it. So the step may be
//! made right after the one before it, whatever others did in between, and the two become one. A
//! lock that is taken, what is done under it and its release are one step then, if all that touch the
//! same variables take the lock; and so is what one thread alone uses.
//! A state is calm if for each other thread's step in conflict with its own
//! - the two threads never stand there at the same time: they would hold the same mutex (`Locks`, or a
//!   gate with its keeper's number), or
//! - the other step passes a gate that is shut by who stands here (`gates.rs`), and what can go wrong
//!   before it does not depend on the variable. That is how an unlocking is calm.
//!
//! Source: Lipton, Reduction (CACM 1975); paper 003 §3 makes transactions of lock patterns, and leaves
//! a step for each of their instructions.
//! We differ: transactions are found before the search, and only what comes after a step joins it, so
//! that the first step of a transaction need not be calm.
//!
//! **What is preserved:** violations, ends of automata and races. Take an execution without merging,
//! and in it a step from a calm state. Nothing between it and its thread's step before touches
//! what it touches, so it can be made at once, one step after the other from the front. If the
//! thread goes no further than the calm state the step is added: whoever else is to make a step, or
//! about to show something, does not notice. What goes wrong in the calm state
//! itself, or whether its step cannot be made, is known on the way there; then (`stays`) the thread is
//! left in it. A race there would be with a step in conflict, and these two do not stand there at the
//! same time. Facts of gates and locks hold of all executions, also of those that were rearranged.
//! Steps inside, into and out of atomic sections stay as they are.
//! Limits: not for threads that stand for any number; steps with inputs are not joined to others.

use raddle_analysis::Locks;
use raddle_automaton::{State, StateIx, StateVar, ThreadIx, Transition};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::compose::{Composition, Name};
use super::gates::AllGates;
use super::touches::Touches;

/// Most ways through one step: each is a transition with updates of its own.
const MOST_WAYS: usize = 8;

/// Makes single steps of transactions, before the composition is connected; whether there are any.
pub fn merge(composition: &mut Composition, locks: &Locks) -> bool {
    if composition.layout.stand_ins().next().is_some() {
        return false;
    }
    let calm = calm(composition, locks);
    let single = composition.steps.clone();
    let mut merged = false;
    for (t, states) in single.iter().enumerate() {
        for (s, first) in states.iter().enumerate() {
            let joins = |u: &Transition| calm[t][u.target.index()];
            if !first.in_section() && first.transitions.iter().any(joins) {
                let mut way =
                    Merger { composition, thread: ThreadIx(t as u32), states, calm: &calm[t] };
                let whole = way.whole(StateIx(s as u32));
                composition.steps[t][s] = whole;
                merged = true;
            }
        }
    }
    merged
}

/// Where and how a variable is touched.
struct At {
    thread: usize,
    state: usize,
    writes: bool,
    in_goals: bool,
}

/// By thread and state: whether nobody disturbs its step.
fn calm(composition: &mut Composition, locks: &Locks) -> Vec<Vec<bool>> {
    let touches = Touches::new(composition);
    let gates = AllGates::new(composition, &touches);
    let mut touching: Vec<Vec<At>> = touches.variables.iter().map(|_| Vec::new()).collect();
    for (thread, steps) in touches.steps.iter().enumerate() {
        for (state, step) in steps.iter().enumerate() {
            for (all, writes) in [(&step.reads, false), (&step.writes, true)] {
                for (&variable, touch) in all {
                    let in_goals = touch.in_goals;
                    touching[variable].push(At { thread, state, writes, in_goals });
                }
            }
        }
    }
    let steps = &composition.steps;
    let excluded = |(i, s): (usize, usize), (j, q): (usize, usize)| {
        let positions = (steps[i][s].position, steps[j][q].position);
        gates.held[i][s] & gates.held[j][q] != 0
            || matches!(positions, (Some(a), Some(b)) if locks.exclude(a.at, b.at))
    };
    let is_calm = |i: usize, s: usize| {
        let step = &steps[i][s];
        let goes_into = |t: &Transition| steps[i][t.target.index()].in_section();
        if step.transitions.is_empty()
            || s == StateIx::START.index()
            || !step.inputs.is_empty()
            || !step.assumptions.is_empty()
            || step.in_section()
            || step.transitions.iter().any(goes_into)
        {
            return false;
        }
        let touch = &touches.steps[i][s];
        let reads = touch.reads.keys().map(|&x| (x, false));
        reads.chain(touch.writes.keys().map(|&x| (x, true))).all(|(x, writes)| {
            let others = touching[x].iter().filter(|q| q.thread != i && (writes || q.writes));
            others.into_iter().all(|q| {
                let waits = gates.held[i][s] & gates.passed[q.thread][q.state] != 0;
                waits && !q.in_goals || excluded((i, s), (q.thread, q.state))
            })
        })
    };
    let of_thread = |i: usize| (0..steps[i].len()).map(|s| is_calm(i, s)).collect();
    (0..steps.len()).map(of_thread).collect()
}

/// Joins calm steps to those before them.
struct Merger<'a> {
    composition: &'a mut Composition,
    thread: ThreadIx,
    /// Its steps, one by one.
    states: &'a [State],
    calm: &'a [bool],
}

/// How far a thread has come in a step.
struct Way {
    end: Transition,
    /// The calm states that it has passed, and where it began.
    passed: Vec<StateIx>,
}

impl Merger<'_> {
    /// The step of a state with all calm ones after it.
    fn whole(&mut self, first: StateIx) -> State {
        let mut whole = self.states[first.index()].clone();
        let begin = |end: Transition| Way { end, passed: vec![first] };
        let mut open: Vec<Way> =
            std::mem::take(&mut whole.transitions).into_iter().rev().map(begin).collect();
        while let Some(way) = open.pop() {
            let next = way.end.target;
            let room = whole.transitions.len() + open.len() < MOST_WAYS;
            if self.calm[next.index()] && room && !way.passed.contains(&next) {
                self.go_on(way, &mut whole, &mut open);
            } else {
                whole.transitions.push(way.end);
            }
        }
        for i in 0..whole.transitions.len() {
            self.tidy(&mut whole, i);
        }
        whole
    }

    /// Goes through one more calm state, except where the thread stays in it.
    fn go_on(&mut self, way: Way, whole: &mut State, open: &mut Vec<Way>) {
        let Way { end, mut passed } = way;
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &(var, value) in &end.updates {
            if let Some(now) = self.composition.known(Name::of(self.thread, var)) {
                map.insert(now, value);
            }
        }
        let terms = &mut self.composition.terms;
        let step = self.states[end.target.index()].replaced(terms, &map);
        let guards: Vec<TermId> = step.transitions.iter().map(|t| t.guard).collect();
        let can = terms.or_all(&guards);
        let mut wrong: Vec<TermId> = step.violations.iter().map(|v| v.cond).collect();
        wrong.extend(step.cuts.iter().map(|c| c.cond));
        wrong.extend(step.leaks.iter().map(|l| l.cond));
        wrong.push(terms.not(can));
        let stops = terms.or_all(&wrong);
        let stays = terms.and(end.guard, stops);
        let goes = terms.not(stops);
        let goes = terms.and(end.guard, goes);
        if !terms.is_false(stays) {
            let updates = end.updates.clone();
            whole.transitions.push(Transition { target: end.target, guard: stays, updates });
        }
        for mut trail in step.trail {
            trail.cond = terms.and(goes, trail.cond);
            whole.trail.push(trail);
        }
        for mut choice in step.choices {
            choice.cond = terms.and(goes, choice.cond);
            whole.choices.push(choice);
        }
        whole.creates |= step.creates;
        passed.push(end.target);
        for transition in step.transitions.into_iter().rev() {
            let guard = terms.and(goes, transition.guard);
            if !terms.is_false(guard) {
                let updates = after(&end.updates, transition.updates);
                let end = Transition { target: transition.target, guard, updates };
                open.push(Way { end, passed: passed.clone() });
            }
        }
    }

    /// Leaves out updates that change nothing, and those of registers that nobody reads any more: these
    /// are 0 unless they were read at first.
    fn tidy(&mut self, whole: &mut State, i: usize) {
        let Transition { target, guard, updates } = &mut whole.transitions[i];
        let (live, before) = (&self.states[target.index()].live, &whole.live);
        let composition = &mut *self.composition;
        updates.retain(|&(var, value)| {
            if let StateVar::Register(context, reg) = var
                && live.binary_search(&(context, reg)).is_err()
                && before.binary_search(&(context, reg)).is_err()
            {
                return false;
            }
            let Some(now) = composition.known(Name::of(self.thread, var)) else { return true };
            let terms = &mut composition.terms;
            let same = terms.eq(now, value);
            let changes = terms.not(same);
            let changes = terms.and(*guard, changes);
            !terms.is_false(changes)
        });
    }
}

/// What some updates and later ones, which already speak of the first state, come to.
fn after(first: &[(StateVar, TermId)], then: Vec<(StateVar, TermId)>) -> Vec<(StateVar, TermId)> {
    let mut all = then;
    for &(var, value) in first {
        if all.iter().all(|u| u.0 != var) {
            all.push((var, value));
        }
    }
    all.sort_unstable_by_key(|u| u.0);
    all
}

#[cfg(test)]
mod tests {
    use raddle_analysis::Facts;
    use raddle_automaton::{Bounds, automata};
    use raddle_ir::{Program, Property};
    use raddle_term::Terms;
    use raddle_testkit::build::{Body, Builder};

    use super::*;
    use crate::circuit::compose::LeftOut;

    /// Where the thread that main creates first can stand once it has made its step before a line: in which
    /// lines, 0 for its end.
    fn after_line(program: &Program, line: u32) -> Vec<u32> {
        let facts = Facts::new(program);
        let mut terms = Terms::new();
        let automata = automata(program, &facts, Bounds::default(), &mut terms, &|| false);
        let automata = automata.unwrap_or_else(|_| panic!("it is small"));
        let left_out = LeftOut::ConstantsAndThreads;
        let mut composition = Composition::unconnected(terms, automata, &[], left_out);
        merge(&mut composition, &facts.locks);
        let steps = &composition.steps[1];
        let at = |s: &State| s.position.map_or(0, |p| program.place(p.at).line);
        let step = steps.iter().find(|s| at(s) == line).expect("it stands there");
        let mut all: Vec<u32> =
            step.transitions.iter().map(|t| at(&steps[t.target.index()])).collect();
        all.sort_unstable();
        all
    }

    /// Main creates two threads; the first one writes x under a lock and then once more. The line of
    /// its locking, and of the last write.
    fn locked(second: impl FnOnce(&mut Body<'_>, [raddle_ir::GlobalId; 2])) -> (Program, u32, u32) {
        let mut b = Builder::checking(&[Property::Races]);
        let [x, y, lk] = ["x", "y", "lk"].map(|name| b.global(name, 4));
        let (mut begin, mut end) = (0, 0);
        let one = b.thread("first", &[], |f| {
            begin = f.lock(lk);
            f.write(x, 1);
            f.unlock(lk);
            end = f.write(y, 1);
        });
        let two = b.thread("second", &[], |f| {
            f.write(y, 2);
            f.lock(lk);
            f.write(x, 2);
            f.unlock(lk);
            second(f, [x, lk]);
        });
        let main = b.thread("main", &[], |f| {
            f.create(one);
            f.create(two);
        });
        (b.finish(main), begin, end)
    }

    #[test]
    fn what_a_lock_protects_is_one_step() {
        let (program, begin, end) = locked(|_, _| ());
        assert_eq!(after_line(&program, begin), [end], "up to what others do without the lock");
    }

    #[test]
    fn what_others_do_without_the_lock_is_a_step() {
        let (program, begin, end) = locked(|f, [x, _]| {
            f.write(x, 3);
        });
        let after = after_line(&program, begin);
        assert!(!after.contains(&end), "x may be written by another thread: {after:?}");
    }

    #[test]
    fn a_lock_that_others_release_protects_nothing() {
        let (program, begin, end) = locked(|f, [_, lk]| {
            f.unlock(lk);
        });
        let after = after_line(&program, begin);
        assert!(!after.contains(&end), "it is not certainly held: {after:?}");
    }
}
