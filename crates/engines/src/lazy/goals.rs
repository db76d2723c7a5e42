//! What can go wrong in the slots so far: each a condition whose models are executions that show it.
//!
//! A violation needs that the thread is there, with the token if its step needs one; whether the
//! step can be completed does not matter. A race is a last state: one of two threads holds the token
//! and goes no further, the other does not hold it, and both stand before accesses that conflict in the
//! memory that the first one finds. So all that was unrolled is looked for at once. Either may be the
//! one that holds the token: who made the last step that matters keeps it, so that no pass is needed
//! that no step follows (`order.rs` leaves such passes out).
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

/// What findings are the same: those of the same lines.
pub type Key = (Property, Vec<Place>);

/// The key of a finding.
pub fn key(property: Property, places: impl IntoIterator<Item = Place>) -> Key {
    let line = |place: Place| Place { column: 0, ..place };
    let mut places: Vec<Place> = places.into_iter().map(line).collect();
    places.sort_unstable();
    (property, places)
}

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
    /// By slot of who has the token and of who waits: that both stand there for good.
    stand: FxHashMap<(At, At), TermId>,
}

impl Goals {
    /// Adds the goals of a new slot; slots of other threads have been added before.
    pub fn add(&mut self, ground: &mut Ground, runs: &[Run], new: At, races: bool) {
        let run = &runs[new.0];
        let slot = &run.slots[new.1];
        let outside = others_outside(ground, runs, &[new]);
        for node in &slot.nodes {
            let here = ground.terms.and_all(&[node.at, slot.token, outside]);
            for v in &node.step.violations {
                let cond = ground.terms.and(here, v.cond);
                let (thread, at) = (thread_id(run.thread), v.at);
                let wanted = match v.fault {
                    true => Wanted::Memory { thread, at },
                    false => Wanted::Check { thread, at },
                };
                let key = key(v.property, [v.place]);
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

    /// A condition that implies that one thread has the token and goes no further, and that the other
    /// has not, and finds what it would find if it had it: nobody else says so. It is asked for, never
    /// denied, so one direction is enough.
    fn stand(&mut self, ground: &mut Ground, runs: &[Run], holder: At, waiter: At) -> TermId {
        if let Some(&stand) = self.stand.get(&(holder, waiter)) {
            return stand;
        }
        let (h, w) = (&runs[holder.0].slots[holder.1], &runs[waiter.0].slots[waiter.1]);
        let terms = &mut ground.terms;
        let mut all: Vec<TermId> =
            w.used.reads.iter().map(|&i| terms.eq(w.before[i], h.before[i])).collect();
        if !ground.eager {
            all.extend([h.token, terms.not(h.go), terms.not(w.token)]);
        }
        all.retain(|t| !terms.is_true(*t));
        let stand = match all.as_slice() {
            [] => terms.tru(),
            [one] => *one,
            _ => terms.fresh(1),
        };
        if all.len() > 1 {
            ground.facts.extend(all.into_iter().map(|t| (stand, t)));
        }
        self.stand.insert((holder, waiter), stand);
        stand
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
                let inside =
                    |at: At, node: &Node| runs[at.0].automaton.state(node.state).in_section();
                let mut ways = Vec::new();
                if !inside(b, y) {
                    ways.push(self.stand(ground, runs, a, b));
                }
                if !inside(a, x) {
                    ways.push(self.stand(ground, runs, b, a));
                }
                let one = ground.terms.or_all(&ways);
                self.race(ground, runs, one, (a, x), (b, y));
            }
        }
    }

    /// The races of two nodes, if the threads stand there.
    fn race(
        &mut self,
        ground: &mut Ground,
        runs: &[Run],
        stand: TermId,
        (holder, has): (At, &Node),
        (waiter, waits): (At, &Node),
    ) {
        let outside = others_outside(ground, runs, &[holder, waiter]);
        let both = ground.terms.and_all(&[has.at, waits.at, stand, outside]);
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
                let first = (thread_id(runs[holder.0].thread), x.at);
                let second = (thread_id(runs[waiter.0].thread), y.at);
                let wanted = Wanted::Race { first, second };
                let key = key(Property::Races, [x.place, y.place]);
                // All threads together: the state is that of a time, not the last one.
                let at = ground.eager.then_some(holder);
                self.goal(ground, Goal { cond, key, wanted, at, leak: None });
            }
        }
    }
}

/// All threads together: the condition that no others than those of some slots of one time are inside an
/// atomic section then. Such a section is a step under way, which nobody sees. (Who passes a token keeps it
/// there, so that others cannot show anything.)
fn others_outside(ground: &mut Ground, runs: &[Run], at: &[At]) -> TermId {
    let mut outside = ground.terms.tru();
    if !ground.eager {
        return outside;
    }
    let time = runs[at[0].0].slots[at[0].1].clock;
    let others = runs.iter().enumerate().filter(|(r, _)| at.iter().all(|a| a.0 != *r));
    for (_, run) in others {
        let now = run.slots.last().filter(|slot| slot.clock == time && slot.need != Need::Alone);
        let nodes = now.into_iter().flat_map(|slot| &slot.nodes);
        for node in nodes.filter(|n| run.automaton.state(n.state).in_section()) {
            let not = ground.terms.not(node.at);
            outside = ground.terms.and(outside, not);
        }
    }
    outside
}

fn may_race(ground: &Ground, closed: &FxHashSet<Key>, a: &State, b: &State) -> bool {
    a.accesses.iter().any(|x| {
        b.accesses.iter().any(|y| {
            let apart = match (ground.terms.as_const(x.address), ground.terms.as_const(y.address)) {
                (Some(i), Some(j)) => i + u128::from(x.bytes) <= j || j + u128::from(y.bytes) <= i,
                _ => false,
            };
            let known = || closed.contains(&key(Property::Races, [x.place, y.place]));
            !apart && conflicts(&ground.terms, x, y) && !known()
        })
    })
}
