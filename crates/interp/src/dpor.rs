//! Dynamic partial-order reduction: the search behind [`crate::explore()`].
//!
//! Idea: a depth-first search over transitions ([`crate::transition`]) that at each state explores
//! one thread first and adds another only where a later transition turns out to be dependent on
//! the one taken here and could have come before it.
//! Source: Flanagan & Godefroid, "Dynamic partial-order reduction for model checking software",
//! POPL 2005, for looking at every thread's next transition, enabled or not; Abdulla, Aronis,
//! Jonsson & Sagonas, "Optimal dynamic partial order reduction", POPL 2014 (source sets), for what
//! to add: a thread that can begin the reversed sequence. (With sleep sets the thread of the
//! transition itself, as in the first paper, is not enough: it may sleep there, because it was
//! explored before something that now comes first changed what it does.)
//! We differ: (1) a next transition is compared with *all* earlier
//! dependent events that do not happen before its thread, not only with the last one: then nothing
//! needs to be known about which transitions may be enabled together, which for atomic sections
//! with conditions nobody knows. The one exception is an `Unlock` of a held mutex against a waiting
//! `Lock`: the `Lock` before it is compared as well. (2) A transition may have several outcomes
//! (inputs, spurious wakeups): all are explored before the thread goes to the sleep set.
//! (3) After a violation its thread stops and the others go on: that is a prefix of the same
//! execution in which the thread has not moved yet, and so no violation hides another.
//!
//! **Races.** Let two threads be about to make conflicting accesses a and b in a reachable state.
//! Then "…ab" is an execution in which a is ordered before b by their own conflict only. The search
//! visits some reordering of every execution, and in all reorderings a does not happen before the
//! thread of b until b. So it is enough to compare each thread's next accesses with all earlier
//! ones that do not happen before it. Conversely such a pair can be brought together: leave out
//! what happens after a, and both threads stand before their accesses; this schedule is replayed
//! before it is reported. An atomic section that cannot be completed never is an event, so each
//! event is compared with those that stand beside it, too. Without reduction the definition is
//! applied to each state as it stands.
//!
//! **Deadlocks.** Every execution that cannot be extended is visited up to reordering, so every
//! final state is; a cycle of locks stays until the end unless a third thread unlocks, and is
//! looked for in every state. For waits that may wake spuriously the thread decides on arrival
//! whether it will, so that the state where nobody wakes is final.
//!
//! Limits: addresses of objects are fixed by their thread, so comparisons of unrelated addresses
//! have one outcome; at most 128 threads. With a bound on context switches there is no reduction.
//! Length: choosing, comparing and reporting all work on the one path that is being explored.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::{InstrRef, Place, Unmodelled};
use smallvec::SmallVec;

use crate::choices::Choices;
use crate::collect::{Collector, conflicts, deadlocks, doubt};
use crate::explore::{Cut, Exploration};
use crate::finding::Finding;
use crate::footprint::Clock;
use crate::inputs::Tape;
use crate::race::{self, Upcoming};
use crate::state::State;
use crate::thread::ThreadId;
use crate::transition::{Pending, Taken, World};
use crate::walk::Walk;

/// Explores all executions; `None` if a thread reached an object that it should not know, so that
/// ownership (`own_objects`) cannot be trusted.
pub fn search(world: World<'_>, own_objects: bool) -> Option<Exploration> {
    run(world, own_objects, None)
}

/// Runs executions one after another, as a walk chooses them, until the limits of `world` say so.
/// What was left out is no more than a part of all that was. `None` as for [`search`].
pub fn walk(world: World<'_>, own_objects: bool, walk: Walk) -> Option<Exploration> {
    run(world, own_objects, Some(walk))
}

fn run(world: World<'_>, own_objects: bool, walk: Option<Walk>) -> Option<Exploration> {
    let reduction = world.settings.reduction && world.settings.contexts.is_none();
    let collector = Collector::new(world.code.program);
    let mut search =
        Search { world, reduction, walk, nodes: Vec::new(), tried: BTreeMap::new(), collector };
    search.run(own_objects);
    if search.world.foreign && own_objects {
        return None;
    }
    Some(search.collector.into_exploration(search.world))
}

/// How often a pair of accesses that may race is tried. Attempts fail if the past access changes
/// what an atomic section does; then the pair is met in the other order, too.
const ATTEMPTS: u32 = 200;

/// A set of threads by index.
type Set = u128;

fn bit(index: usize) -> Set {
    1 << index
}

/// A transition on the path that is being explored.
struct Event {
    /// The thread's index.
    thread: usize,
    /// Its place among the thread's events, from 1.
    number: u32,
    /// What happens before it, itself included.
    clock: Rc<Clock>,
    /// What it did.
    taken: Taken,
}

/// A state on the path, with what remains to be explored from it.
struct Node {
    state: State,
    /// What each thread would do next.
    pending: Vec<Rc<Pending>>,
    enabled: Set,
    /// Threads to be explored from here.
    backtrack: Set,
    done: Set,
    /// Threads whose next transition was explored in an equivalent place.
    sleep: Set,
    /// What each thread knows.
    clocks: Vec<Rc<Clock>>,
    /// The thread that is being explored, and its choices.
    current: Option<(usize, Tape)>,
    /// The transition that leads to the next node.
    event: Option<Event>,
    /// Instructions up to here.
    steps: u64,
}

struct Search<'a> {
    world: World<'a>,
    /// Whether equivalent executions are left out.
    reduction: bool,
    /// Who chooses the next transition, if not all are to be explored.
    walk: Option<Walk>,
    nodes: Vec<Node>,
    /// Pairs of accesses that looked like a race but could not be brought together: how often
    /// tried.
    tried: BTreeMap<(InstrRef, InstrRef), u32>,
    collector: Collector,
}

impl Search<'_> {
    fn run(&mut self, own_objects: bool) {
        let Some(mut state) = State::new(self.world.code) else { return };
        state.watch_loops = true;
        state.own_objects = own_objects;
        let clocks = vec![Rc::new(Clock::default())];
        // The start: main before its first instruction, nothing visible done yet.
        let pending = vec![Rc::new(Pending { enabled: true, ..Pending::default() })];
        self.nodes.push(Node {
            state,
            pending,
            enabled: 1,
            backtrack: 1,
            done: 0,
            sleep: 0,
            clocks,
            current: None,
            event: None,
            steps: 0,
        });
        while !self.collector.stop && !self.world.foreign {
            let Some((thread, tape)) = self.choose() else {
                if let Some(walk) = &mut self.walk {
                    walk.begin();
                    self.nodes.truncate(1);
                    continue;
                }
                self.nodes.pop();
                if self.nodes.is_empty() {
                    return;
                }
                continue;
            };
            self.descend(thread, tape);
            self.collector.check_limits(&mut self.world);
        }
    }

    /// What to explore next from the last node.
    fn choose(&mut self) -> Option<(usize, Tape)> {
        let reduction = self.reduction;
        let before = self.nodes.len().checked_sub(2);
        let moved = before.and_then(|i| self.nodes[i].event.as_ref()).map(|e| e.thread);
        let node = self.nodes.last_mut()?;
        node.event = None;
        if let Some(walk) = &mut self.walk {
            return walk.choose(node.enabled, moved);
        }
        if let Some((thread, mut tape)) = node.current.take() {
            if tape.advance() {
                return Some((thread, tape));
            }
            node.done |= bit(thread);
            if reduction {
                node.sleep |= bit(thread);
            }
        }
        let left = node.backtrack & node.enabled & !node.done & !node.sleep;
        (left != 0).then(|| (left.trailing_zeros() as usize, Tape::default()))
    }

    /// Takes a transition and makes the node it leads to.
    fn descend(&mut self, thread: usize, mut tape: Tape) {
        let node = self.nodes.last().expect("choose found a node");
        let mut state = node.state.clone();
        let steps = node.steps;
        let limit = self.world.settings.max_steps.saturating_sub(steps);
        let taken = self.world.take(&mut state, thread, &mut tape, limit);
        let node = self.nodes.last_mut().expect("choose found a node");
        node.current = Some((thread, tape));
        let Some(taken) = taken else { return };
        self.collector.result.transitions += 1;
        self.walk.iter_mut().for_each(Walk::step);
        if self.world.races {
            self.race_with_blocked(thread, &taken);
        }
        let event = self.event(thread, taken);
        let mut clocks = self.top().clocks.clone();
        clocks[thread] = Rc::clone(&event.clock);
        while clocks.len() < state.threads.len() {
            clocks.push(Rc::clone(&event.clock));
        }
        let sleep = self.sleep_after(thread, &event);
        let steps = steps + event.taken.steps;
        let findings = event.taken.findings.clone();
        self.nodes.last_mut().expect("choose found a node").event = Some(event);
        for (finding, schedule) in findings {
            self.report(&finding, &schedule);
        }
        self.enter(state, clocks, sleep, steps, thread);
    }

    fn top(&self) -> &Node {
        self.nodes.last().expect("the search has a node")
    }

    /// The event of a transition from the last node: its clock joins those of earlier dependent
    /// events.
    fn event(&self, thread: usize, taken: Taken) -> Event {
        let node = self.top();
        let mut clock = (*node.clocks[thread]).clone();
        clock.tick(thread);
        if let Some(joined) = taken.joined.and_then(|id| node.state.index(id)) {
            clock.join(&node.clocks[joined]);
        }
        for earlier in self.nodes.iter().rev().skip(1) {
            let Some(e) = &earlier.event else { continue };
            if clock.get(e.thread) < e.number && e.taken.footprint.dependent(&taken.footprint) {
                clock.join(&e.clock);
            }
        }
        Event { thread, number: clock.get(thread), clock: Rc::new(clock), taken }
    }

    fn sleep_after(&self, thread: usize, event: &Event) -> Set {
        let node = self.top();
        let mut sleep = node.sleep & !bit(thread);
        for (i, pending) in node.pending.iter().enumerate() {
            if sleep & bit(i) != 0 && pending.footprint.dependent(&event.taken.footprint) {
                sleep &= !bit(i);
            }
        }
        sleep
    }

    /// Makes the node of a state: what threads would do, whom that conflicts with, whether it is
    /// final.
    fn enter(
        &mut self,
        state: State,
        clocks: Vec<Rc<Clock>>,
        sleep: Set,
        steps: u64,
        moved: usize,
    ) {
        if state.threads.len() > 128 {
            let (what, place) = (Unmodelled::ManyThreads(128), Place::UNKNOWN);
            self.world.cuts.insert(Cut::Unsupported { what, place });
            return;
        }
        let mut pending = Vec::with_capacity(state.threads.len());
        let mut fresh: Set = 0;
        let mut enabled: Set = 0;
        for index in 0..state.threads.len() {
            let next = match self.unchanged(index, moved) {
                Some(old) => old,
                None => {
                    let next = self.world.pending(&state, index);
                    let old = self.top().pending.get(index).filter(|_| index != moved);
                    if old.is_none_or(|old| old.footprint != next.footprint) {
                        fresh |= bit(index);
                    }
                    Rc::new(next)
                }
            };
            if next.enabled {
                enabled |= bit(index);
            }
            pending.push(next);
        }
        let stuck = enabled == 0;
        self.nodes.push(Node {
            state,
            pending,
            enabled,
            backtrack: 0,
            done: 0,
            sleep,
            clocks,
            current: None,
            event: None,
            steps,
        });
        if self.reduction {
            self.compare(fresh);
        } else if self.world.races {
            self.race_here();
        }
        let node = self.top();
        for finding in deadlocks(&self.world, &node.state, &node.pending, stuck) {
            self.report(&finding, &[]);
        }
        if stuck {
            let node = self.nodes.last().expect("pushed above");
            self.collector.finish(&self.world, &node.state);
        }
        let allowed = self.within_contexts(enabled, moved);
        let node = self.nodes.last_mut().expect("pushed above");
        let awake = enabled & !node.sleep;
        node.backtrack = if !self.reduction {
            allowed
        } else if awake & bit(moved) != 0 {
            bit(moved)
        } else {
            awake & awake.wrapping_neg()
        };
    }

    /// How often the running thread changed on the path.
    fn switches(&self) -> usize {
        let path = self.nodes.iter().filter_map(|n| n.event.as_ref()).map(|e| e.thread);
        let path: Vec<usize> = path.collect();
        path.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Those of the enabled threads that may run next if there is a bound on context switches.
    fn within_contexts(&mut self, enabled: Set, moved: usize) -> Set {
        let Some(bound) = self.world.settings.contexts else { return enabled };
        if self.switches() < bound as usize {
            return enabled;
        }
        if enabled & !bit(moved) != 0 {
            self.world.cuts.insert(Cut::Contexts { bound });
        }
        enabled & bit(moved)
    }

    /// The pending transition of a thread from the last node, if the transition just taken did not
    /// change it.
    fn unchanged(&self, index: usize, moved: usize) -> Option<Rc<Pending>> {
        let node = self.top();
        let event = node.event.as_ref()?;
        let old = node.pending.get(index).filter(|_| index != moved)?;
        old.survives(&event.taken.footprint).then(|| Rc::clone(old))
    }

    /// Compares what threads would do next with earlier events: the heart of the reduction.
    fn compare(&mut self, fresh: Set) {
        let last = self.nodes.len() - 1;
        for index in 0..self.nodes[last].pending.len() {
            let pending = Rc::clone(&self.nodes[last].pending[index]);
            if pending.footprint.marks.is_empty() {
                continue;
            }
            // What does not depend on the newest event was compared with the others before.
            let newest = self.nodes[last - 1].event.as_ref();
            let news = newest.is_some_and(|e| e.taken.footprint.dependent(&pending.footprint));
            if news || fresh & bit(index) != 0 {
                for position in (0..last).rev() {
                    self.compare_with(position, index, &pending);
                }
            }
        }
    }

    fn compare_with(&mut self, position: usize, index: usize, pending: &Pending) {
        let node = self.nodes.last().expect("the search has a node");
        let Some(event) = &self.nodes[position].event else { return };
        if event.thread == index
            || node.clocks[index].get(event.thread) >= event.number
            || !event.taken.footprint.dependent(&pending.footprint)
        {
            return;
        }
        if self.world.races {
            self.race_with(position, pending);
        }
        let event = self.nodes[position].event.as_ref().expect("looked up above");
        // The mutex was held, so the two were never possible together.
        if pending.lock.is_some() && pending.lock == event.taken.unlocked {
            return;
        }
        if self.walk.is_none() {
            self.add_backtrack(position, index, pending);
        }
    }

    /// Has the reversal of an event and a thread's next transition explored: from the state before
    /// the event, all later events that do not happen after it can be taken, and then the
    /// transition. Any thread that can come first in that sequence will do.
    fn add_backtrack(&mut self, position: usize, index: usize, pending: &Pending) {
        let event = self.nodes[position].event.as_ref().expect("checked by the caller");
        let (thread, number) = (event.thread, event.number);
        let mut sequence: SmallVec<[&Event; 16]> = SmallVec::new();
        let mut first: Set = 0;
        let mut seen: Set = 0;
        for later in self.nodes[position + 1..].iter().filter_map(|n| n.event.as_ref()) {
            if later.clock.get(thread) >= number {
                continue;
            }
            let after = sequence.iter().any(|e| later.clock.get(e.thread) >= e.number);
            if seen & bit(later.thread) == 0 && !after {
                first |= bit(later.thread);
            }
            seen |= bit(later.thread);
            sequence.push(later);
        }
        let clock = &self.top().clocks[index];
        let after = sequence.iter().any(|e| {
            clock.get(e.thread) >= e.number || e.taken.footprint.dependent(&pending.footprint)
        });
        drop(sequence);
        if !after {
            first |= bit(index);
        }
        let node = &mut self.nodes[position];
        first &= node.enabled;
        if first & (node.backtrack | node.sleep) == 0 {
            node.backtrack |= first & first.wrapping_neg();
        }
    }

    /// Races between a past event and what a thread would do next.
    fn race_with(&mut self, position: usize, pending: &Pending) {
        let event = self.nodes[position].event.as_ref().expect("checked by the caller");
        for (a, b) in conflicts(&event.taken.footprint, &pending.footprint) {
            let finding = race::finding(self.world.code.program, &self.top().state, &a, &b);
            let attempts = *self.tried.get(&(a.site.at, b.site.at)).unwrap_or(&0);
            if attempts >= ATTEMPTS || self.collector.knows(self.world.code.program, &finding) {
                continue;
            }
            let choices = self.choices_around(position, &finding);
            if !self.collector.confirm(&self.world, &finding, choices) {
                *self.tried.entry((a.site.at, b.site.at)).or_default() += 1;
                if attempts + 1 == ATTEMPTS {
                    let what = Unmodelled::UnconfirmedRace;
                    doubt(&mut self.world, what, a.site.place);
                }
            }
        }
    }

    /// Races between a transition from the last node and atomic sections that cannot be completed
    /// there. These never become past events; and if one looks at what the transition writes, it
    /// goes another way afterwards.
    fn race_with_blocked(&mut self, thread: usize, taken: &Taken) {
        let node = self.top();
        let mut hits: Vec<(Upcoming, Upcoming)> = Vec::new();
        for (i, pending) in node.pending.iter().enumerate() {
            if i == thread || pending.enabled {
                continue;
            }
            hits.extend(conflicts(&taken.footprint, &pending.footprint));
        }
        for (a, b) in hits {
            let program = self.world.code.program;
            let finding = race::finding(program, &self.top().state, &a, &b);
            if self.collector.knows(program, &finding) {
                continue;
            }
            let mut choices = self.choices(&finding, self.nodes.iter());
            for answer in &taken.answers {
                answer.record(&mut choices);
            }
            if !self.collector.confirm(&self.world, &finding, choices) {
                let what = Unmodelled::UnconfirmedRace;
                doubt(&mut self.world, what, a.site.place);
            }
        }
    }

    /// Races in the last state, by definition.
    fn race_here(&mut self) {
        // Where context switches are counted, a thread whose first operation is the access has to
        // be scheduled as well in order to stand before it.
        let left = self
            .world
            .settings
            .contexts
            .map(|most| (most as usize).saturating_sub(self.switches()));
        let events = self.nodes.iter().filter_map(|n| n.event.as_ref());
        let ran = events.fold(0, |ran: Set, e| ran | bit(e.thread));
        let stand = |i: usize, j: usize| {
            let new = [i, j].iter().filter(|&&t| ran & bit(t) == 0).count();
            left.is_none_or(|left| new <= left)
        };
        let pending = self.top().pending.clone();
        for (i, p) in pending.iter().enumerate() {
            for (_, q) in pending[..i].iter().enumerate().filter(|q| stand(i, q.0)) {
                for (a, b) in conflicts(&p.footprint, &q.footprint) {
                    let program = self.world.code.program;
                    let finding = race::finding(program, &self.top().state, &a, &b);
                    self.report(&finding, &[]);
                }
            }
        }
    }

    /// Reports a finding at the end of the path (plus some instructions).
    fn report(&mut self, finding: &Finding, more: &[(ThreadId, u64)]) {
        if self.collector.knows(self.world.code.program, finding) {
            return;
        }
        let complete = self.nodes.len() - usize::from(self.top().event.is_some());
        let mut choices = self.choices(finding, (0..complete).map(|i| &self.nodes[i]));
        if let Some(event) = &self.top().event {
            choices.schedule.extend_from_slice(more);
            for answer in &event.taken.answers {
                answer.record(&mut choices);
            }
        }
        self.collector.report(&mut self.world, finding, choices);
    }

    fn choices<'n>(&self, finding: &Finding, nodes: impl Iterator<Item = &'n Node>) -> Choices {
        let events = nodes.filter_map(|n| n.event.as_ref());
        self.collector.choices(finding, events.map(|e| &e.taken))
    }

    /// The path without the event at a position and what happens after it.
    fn choices_around(&self, position: usize, finding: &Finding) -> Choices {
        let event = self.nodes[position].event.as_ref().expect("a race has a past event");
        let kept = self
            .nodes
            .iter()
            .filter(|n| n.event.as_ref().is_some_and(|e| e.clock.get(event.thread) < event.number));
        let mut choices = self.choices(finding, kept);
        for answer in &event.taken.answers {
            answer.record(&mut choices);
        }
        choices
    }
}
