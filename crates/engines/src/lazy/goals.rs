//! What can go wrong in the slots so far: each a condition whose models are executions that show it.
//!
//! A violation needs that the thread is there, with the token if its step needs one; whether the
//! step can be completed does not matter. A race is a last state: one thread holds the token and
//! goes no further, the other does not hold it, and both stand before accesses that conflict in the
//! memory that the first one finds. So all that was unrolled is looked for at once.
//! Source: paper 000, P4 and S4. We differ in races: there a race is a pass right after an access;
//! here nothing is executed, so accesses in atomic sections are seen as they are in that state.

use raddle_automaton::{Cut, Leak, State};
use raddle_interp::Wanted;
use raddle_ir::{Place, Property};
use raddle_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::token::At;
use super::unroll::{Ground, Need, Node, Run};
use super::witness::thread_id;
use crate::accesses::{conflicts, overlap};

/// What findings are the same.
pub type Key = (Property, Vec<Place>);

/// Something that can go wrong.
#[derive(Clone, Debug)]
pub struct Goal {
    /// When it does.
    pub cond: TermId,
    /// What finding that would be.
    pub key: Key,
    /// What a replay shall show.
    pub wanted: Wanted,
    /// The slot in which it happens; none for a last state.
    pub at: Option<At>,
    /// For what is left at the end. The lines of which objects are left make the finding.
    pub leak: Option<Leak>,
}

/// A place where the automata end.
#[derive(Clone, Debug)]
pub struct End {
    /// When it is reached.
    pub cond: TermId,
    /// Why and where.
    pub cut: Cut,
}

/// All goals so far.
#[derive(Default)]
pub struct Goals {
    /// What can go wrong.
    pub goals: Vec<Goal>,
    /// What can be cut off.
    pub ends: Vec<End>,
    /// What was found.
    pub closed: FxHashSet<Key>,
    /// Slots with the token, in the order in which they were added.
    seen: Vec<At>,
    /// By slot of who has the token and of who waits: whether the second finds the same.
    same: FxHashMap<(At, At), TermId>,
}

impl Goals {
    /// Adds the goals of a new slot; slots of other threads have been added before.
    pub fn add(&mut self, ground: &mut Ground, runs: &[Run], new: At, races: bool) {
        let run = &runs[new.0];
        let slot = &run.slots[new.1];
        for node in &slot.nodes {
            let here = ground.terms.and(node.at, slot.token);
            for v in &node.step.violations {
                let cond = ground.terms.and(here, v.cond);
                let (thread, at) = (thread_id(run.thread), v.at);
                let wanted = match v.fault {
                    true => Wanted::Memory { thread, at },
                    false => Wanted::Check { thread, at },
                };
                let key = (v.property, vec![v.place]);
                self.goal(ground, Goal { cond, key, wanted, at: Some(new), leak: None });
            }
            for leak in &node.step.leaks {
                let cond = ground.terms.and(here, leak.cond);
                let wanted = Wanted::Leak { thread: thread_id(run.thread) };
                let key = (leak.property, Vec::new());
                let leak = Some(leak.clone());
                self.goal(ground, Goal { cond, key, wanted, at: Some(new), leak });
            }
            for cut in &node.step.cuts {
                let cond = ground.terms.and(here, cut.cond);
                if !ground.terms.is_false(cond) {
                    self.ends.push(End { cond, cut: cut.clone() });
                }
            }
        }
        if !races || slot.need != Need::Token {
            return;
        }
        for &old in &self.seen.clone() {
            if old.0 != new.0 {
                self.races(ground, runs, old, new);
            }
        }
        self.seen.push(new);
    }

    fn goal(&mut self, ground: &Ground, goal: Goal) {
        if !ground.terms.is_false(goal.cond) {
            self.goals.push(goal);
        }
    }

    /// A condition that implies that a thread without the token finds what it would find if it had
    /// it: nobody else says so. It is asked for, never denied, so one direction is enough.
    fn finds_the_same(
        &mut self,
        ground: &mut Ground,
        runs: &[Run],
        holder: At,
        waiter: At,
    ) -> TermId {
        if let Some(&same) = self.same.get(&(holder, waiter)) {
            return same;
        }
        let (h, w) = (&runs[holder.0].slots[holder.1], &runs[waiter.0].slots[waiter.1]);
        let equal: Vec<TermId> =
            w.used.reads.iter().map(|&i| ground.terms.eq(w.before[i], h.before[i])).collect();
        let open: Vec<TermId> = equal.into_iter().filter(|e| !ground.terms.is_true(*e)).collect();
        let same = match open.is_empty() {
            true => ground.terms.tru(),
            false => ground.terms.fresh(1),
        };
        ground.facts.extend(open.into_iter().map(|e| (same, e)));
        self.same.insert((holder, waiter), same);
        same
    }

    /// The races between two slots.
    fn races(&mut self, ground: &mut Ground, runs: &[Run], a: At, b: At) {
        let times = [a, b].map(|at| runs[at.0].slots[at.1].clock);
        if ground.eager && times[0] != times[1] {
            return;
        }
        for x in &runs[a.0].slots[a.1].nodes {
            for y in &runs[b.0].slots[b.1].nodes {
                if !may_race(ground, &self.closed, &x.step, &y.step) {
                    continue;
                }
                // Who is inside a section has the token.
                let in_section = runs[a.0].automaton.state(x.state).in_section();
                let ((holder, has), (waiter, waits)) =
                    if in_section { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
                self.race(ground, runs, (holder, has), (waiter, waits));
            }
        }
    }

    fn race(
        &mut self,
        ground: &mut Ground,
        runs: &[Run],
        (holder, has): (At, &Node),
        (waiter, waits): (At, &Node),
    ) {
        if runs[waiter.0].automaton.state(waits.state).in_section() {
            return;
        }
        let (h, w) = (&runs[holder.0].slots[holder.1], &runs[waiter.0].slots[waiter.1]);
        let mut both = vec![has.at, waits.at];
        if !ground.eager {
            let (stays, without) = (ground.terms.not(h.go), ground.terms.not(w.token));
            both.extend([h.token, stays, without]);
        }
        both.push(self.finds_the_same(ground, runs, holder, waiter));
        let both = ground.terms.and_all(&both);
        if ground.terms.is_false(both) {
            return;
        }
        for x in &has.step.accesses {
            for y in &waits.step.accesses {
                if !conflicts(&ground.terms, x, y) {
                    continue;
                }
                let overlap = overlap(&mut ground.terms, x, y);
                let writes = ground.terms.or(x.writes, y.writes);
                let cond = ground.terms.and_all(&[both, x.cond, y.cond, overlap, writes]);
                let mut places = vec![x.place, y.place];
                places.sort_unstable();
                let first = (thread_id(runs[holder.0].thread), x.at);
                let second = (thread_id(runs[waiter.0].thread), y.at);
                let wanted = Wanted::Race { first, second };
                let key = (Property::Races, places);
                // All threads together: the state is that of a time, not the last one.
                let at = ground.eager.then_some(holder);
                self.goal(ground, Goal { cond, key, wanted, at, leak: None });
            }
        }
    }
}

fn may_race(ground: &Ground, closed: &FxHashSet<Key>, a: &State, b: &State) -> bool {
    a.accesses.iter().any(|x| {
        b.accesses.iter().any(|y| {
            let mut places = vec![x.place, y.place];
            places.sort_unstable();
            let apart = match (ground.terms.as_const(x.address), ground.terms.as_const(y.address)) {
                (Some(i), Some(j)) => i + u128::from(x.bytes) <= j || j + u128::from(y.bytes) <= i,
                _ => false,
            };
            !apart && conflicts(&ground.terms, x, y) && !closed.contains(&(Property::Races, places))
        })
    })
}
