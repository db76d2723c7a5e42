//! A search that remembers states: the search behind [`crate::explore()`] unless it is switched
//! off.
//!
//! Idea: a depth-first search over transitions ([`crate::transition`]) that goes on only from
//! states it has not met ([`crate::key`], [`crate::store`]: states are compared, not hashes of
//! them), together with dynamic partial-order reduction: at each state one thread is explored
//! first, and another only if something that can happen later, in whatever way, depends on the step
//! taken here and could have come before it. What can happen after a state that was met before is
//! known from its first visit ([`crate::future`]).
//! Sources: Flanagan & Godefroid, "Dynamic partial-order reduction for model checking software",
//! POPL 2005; Yang, Chen, Gopalakrishnan & Kirby, "Efficient stateful dynamic partial order
//! reduction", SPIN 2008; Gabow, "Path-based depth-first search for strong and biconnected
//! components", 2000. We differ: there are no sleep sets (remembered states cut off what they
//! would), and cycles are handled by components: every state on a cycle is explored with all its
//! threads.
//!
//! **Why it is sound.** Let E(s) be the threads explored from s when s is left. An *attempt* is the
//! next transition of a blocked thread: it looks at its footprint and changes nothing. *Claim:*
//! E(s) is persistent: if w = t1…tn can happen from s by threads outside E(s), where tn may also be
//! an attempt, then no ti depends on what a thread of E(s) would do in s. States on cycles have
//! E(s) = all enabled threads, so nothing is claimed there. For the others take the components of
//! the explored graph in the order in which they are closed, and the shortest w that breaks the
//! claim: tn of thread q depends on a step t of p in E(s), and t1…tn-1 do not, so they can happen
//! after t. (Then q is about to do something that depends on t there, too: what it touches can
//! differ only behind the first byte that t wrote.) *(1)* From s·t the search goes through a state
//! in which q is about to do that, by a way in which t does not happen before q, and in which
//! nothing happens before q but steps of w: where the claim holds, either a step of w is explored
//! first (w becomes shorter), or a step that all of the rest of w, the attempt included, does not
//! depend on (w stays, and a later component is entered), or, on a cycle, the first step of w is
//! explored (w becomes shorter). *(2)* So the future of s·t has an entry for q that is not ordered
//! after t, and a thread of `after` that is enabled in s has been added to E(s), or all were. Each
//! such thread is one of w, or w has none that is enabled in s: both contradict the choice of w.
//! The exception is a plain `Lock` of the mutex that t, a step of its holder, releases: it cannot
//! happen before t, and as an attempt it touches the same before and after t.
//!
//! *Consequences*, each by following a path w to what is to be found, as in (1). **Violations**
//! happen in a transition, which some path takes.
//! **Races:** let p and q stand before conflicting accesses a and b after w. If neither p nor q nor
//! a thread of w is in E(s), w can follow any step of E(s). If p is, b does not depend on a unless
//! q is in E(s) as well; then both stand there in s. So some explored state has both, and the
//! definition is applied to each state as it stands. **Deadlocks:** nobody can move, so w cannot be
//! put off for ever; the threads of a cycle of locks are attempts, and only the holder itself can
//! release without being seen.
//!
//! **Cycles.** Components are found while searching: a state that is met again and not closed yet
//! joins all states on the path from its component on. They are marked before any of them is left,
//! and so all their threads are explored. A cycle is an execution without end; it has no finding
//! that its states do not have, and `docs/semantics.md` asks only for finite prefixes.
//!
//! **Steps.** A state may be met again by a shorter path. If the bound on instructions has cut
//! something off, more may be reachable from there within the bound: then the search is repeated
//! with the number of instructions as part of each state. With a bound on context switches the
//! state has also the number of switches, who runs and who has run, and there is no reduction.
//!
//! **Long transitions.** Unless it is switched off, a transition is as long as nobody can disturb it
//! ([`crate::transaction`]); all above holds for whatever transitions there are, as long as what
//! they touch is known.
//!
//! **Threads that are alike** change places, unless that is switched off ([`crate::alike`]).
//!
//! Length: search, cycles and reduction all work on the one path that is being explored.
//! Limits: as for [`crate::dpor`]; when the memory for states is used up there is no answer, and
//! that search is used instead.

mod exchange;
mod retrace;

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use raddle_ir::{Place, Unmodelled};
use rustc_hash::FxHashMap;

use crate::alike::{self, Exchange, Joiner, Kinship};
use crate::collect::{Collector, conflicts, deadlocks};
use crate::discipline::{Discipline, Over};
use crate::explore::{Cut, Exploration};
use crate::finding::Finding;
use crate::future::{Act, Before, Draft, Future, Futures, Set, Stride, bit};
use crate::gauge::Course;
use crate::inputs::Tape;
use crate::key::{Encoder, Parts, Scope};
use crate::race::{self, Upcoming};
use crate::state::State;
use crate::store::{Interner, StateId};
use crate::transition::{Ahead, Pending, Segments, Taken, World};

/// How a search ended.
pub enum Answered {
    /// As far as limits let it.
    Yes(Exploration),
    /// A thread reached an object that it should not know: ownership cannot be trusted.
    Foreign,
    /// It matters which thread has which number; this was found before.
    Unlike(Exploration),
    /// Transitions can be disturbed: this was found before, and this is known now.
    Refuted(Exploration, Box<Discipline>),
    /// The memory for states is used up; this was found before.
    Full(Exploration),
    /// The bound on instructions was met, and states were met again by shorter paths; this was
    /// found.
    Shorter(Exploration),
}

/// What a search takes for granted.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// New objects belong to their thread at first.
    pub own_objects: bool,
    /// The number of instructions up to a state is part of it.
    pub count_steps: bool,
    /// Threads that are alike may change places.
    pub alike: bool,
}

/// Explores all states.
pub fn search(world: World<'_>, mode: Mode) -> Answered {
    let settings = world.settings;
    let scope = Scope { dead_registers: world.lost, iterations: settings.unwind.is_some() };
    let mut search = Search {
        mode,
        reduction: settings.reduction && settings.contexts.is_none(),
        encoder: Encoder::new(world.code, scope),
        collector: Collector::new(world.code.program),
        world,
        nodes: Vec::new(),
        interner: Interner::default(),
        futures: Futures::new(),
        entries: FxHashMap::default(),
        open: Vec::new(),
        components: Vec::new(),
        results: FxHashMap::default(),
        unlike: false,
        shorter: false,
        full: false,
        course: Course::default(),
    };
    search.run();
    search.answer()
}

/// What is known of a state that was met.
struct Entry {
    /// Instructions on the path that met it first.
    steps: u64,
    known: Known,
}

enum Known {
    /// Its component is being explored; its place in [`Search::open`].
    Open(usize),
    /// All that can happen after it has been explored.
    Closed(Future),
}

/// A state whose component is being explored.
struct Open {
    id: StateId,
    /// What can happen after it, once it has been left.
    draft: Draft,
}

/// A transition on the path.
struct Event {
    /// The thread's index.
    thread: usize,
    taken: Taken,
    /// How many threads there are after it.
    threads: usize,
    /// Who changed places right before it.
    exchange: Option<Exchange>,
}

/// Where a finding shows.
#[derive(Clone, Copy)]
enum At<'f> {
    /// In the last state.
    State,
    /// Likewise, between these threads, which are about to make these accesses.
    Race([(usize, &'f Upcoming); 2]),
    /// In the last transition, after this part of it.
    Inside(&'f Segments),
}

/// A state on the path, with what remains to be explored from it.
struct Node {
    state: State,
    parts: Parts,
    /// What each thread would do next.
    pending: Vec<Rc<Pending>>,
    enabled: Set,
    /// Threads to be explored from here.
    explore: Set,
    done: Set,
    /// The thread that is being explored, and its choices.
    current: Option<(usize, Tape)>,
    /// The transition that leads to the next node.
    event: Option<Event>,
    /// Which threads each thread knows to be over.
    over: Over,
    /// Which threads are alike.
    kin: Kinship,
    /// The thread that is about to join one of several.
    joiner: Option<Joiner>,
    /// Threads whose first choice was tried here already, each with what came out.
    ahead: Vec<(usize, Ahead)>,
    /// What can happen after it, as far as it has been explored.
    draft: Draft,
    /// Its place in [`Search::open`].
    place: usize,
    /// It lies on a cycle.
    cyclic: bool,
    /// Instructions up to here.
    steps: u64,
    /// How often the running thread changed up to here.
    switches: u32,
    /// The threads that have run, and the last of them.
    ran: (Set, Option<usize>),
}

impl Node {
    /// A node of which nothing is known but its state.
    fn new(state: State, parts: Parts, place: usize) -> Node {
        Node {
            state,
            parts,
            pending: Vec::new(),
            enabled: 0,
            explore: 0,
            done: 0,
            current: None,
            event: None,
            over: Over::default(),
            kin: Kinship::default(),
            joiner: None,
            ahead: Vec::new(),
            draft: Draft::new(),
            place,
            cyclic: false,
            steps: 0,
            switches: 0,
            ran: (0, None),
        }
    }
}

impl Node {
    /// Whether several threads can go on.
    fn branches(&self) -> bool {
        self.enabled.count_ones() > 1
    }
}

struct Search<'a> {
    world: World<'a>,
    mode: Mode,
    /// Whether equivalent executions are left out.
    reduction: bool,
    encoder: Encoder<'a>,
    collector: Collector,
    nodes: Vec<Node>,
    interner: Interner,
    futures: Futures,
    entries: FxHashMap<StateId, Entry>,
    /// The states that are not closed, in the order in which they were met.
    open: Vec<Open>,
    /// Where in `open` the components of the path begin; the last is that of the last node.
    components: Vec<usize>,
    /// What threads of each group end with.
    results: FxHashMap<usize, u64>,
    /// It matters which thread has which number.
    unlike: bool,
    /// Some state was met again by a path with fewer instructions.
    shorter: bool,
    /// The memory for states is used up.
    full: bool,
    /// How it went so far, as to places where several threads can go on.
    course: Course,
}

impl<'a> Search<'a> {
    fn answer(mut self) -> Answered {
        if self.world.foreign && self.mode.own_objects {
            return Answered::Foreign;
        }
        if self.unlike {
            return Answered::Unlike(self.collector.into_exploration(self.world));
        }
        if let Some(discipline) = self.world.discipline.take_if(|d| d.is_refuted()) {
            let memory = self.nodes.last().map(|node| node.state.memory.clone());
            let object = |address| memory.as_ref()?.object_at(address).map(|o| o.extent());
            let refined = discipline.refined(object);
            return Answered::Refuted(
                self.collector.into_exploration(self.world),
                Box::new(refined),
            );
        }
        let cut = self.world.cuts.iter().any(|c| matches!(c, Cut::Steps { .. }));
        let shorter = cut && self.shorter && !self.collector.stop;
        self.collector.result.states = self.entries.len() as u64;
        let exploration = self.collector.into_exploration(self.world);
        match (self.full, shorter) {
            (true, _) => Answered::Full(exploration),
            (false, true) => Answered::Shorter(exploration),
            (false, false) => Answered::Yes(exploration),
        }
    }

    fn run(&mut self) {
        let Some(mut state) = State::new(self.world.code) else { return };
        state.watch_loops = true;
        state.own_objects = self.mode.own_objects;
        let parts = self.encoder.parts(&mut self.interner, &state, None, None);
        // The start: main before its first instruction, nothing visible done yet.
        let pending = vec![Rc::new(Pending { enabled: true, ..Pending::default() })];
        let node = Node { pending, enabled: 1, explore: 1, ..Node::new(state, parts, 0) };
        let id = self.id(&node);
        self.push(node, id);
        let refuted = |world: &World<'_>| world.discipline.as_ref().is_some_and(|d| d.is_refuted());
        let over = |s: &Self| s.collector.stop || s.world.foreign || s.full || s.unlike;
        while !over(self) && !refuted(&self.world) {
            match self.choose() {
                Some((thread, tape)) => self.descend(thread, tape),
                None => {
                    self.leave();
                    if self.nodes.is_empty() {
                        return;
                    }
                }
            }
            self.collector.check_limits(&mut self.world);
            self.full = self.world.settings.memory.is_some_and(|most| self.bytes() > most);
            if self.course.has_news() {
                self.show();
            }
        }
    }

    /// Tells how far the search is, and rests as long as it should.
    fn show(&mut self) {
        let settings = self.world.settings;
        let (states, cut) = (self.entries.len() as u64, !self.world.cuts.is_empty());
        settings.gauge.show(self.course.reading(states, cut));
        self.course.rest(&settings.gauge, || {
            settings.cancelled.load(Ordering::Relaxed)
                || settings.deadline.is_some_and(|end| Instant::now() >= end)
        });
    }

    /// About how much memory remembered states take.
    fn bytes(&self) -> u64 {
        self.interner.bytes() + self.futures.bytes() + 64 * self.entries.len() as u64
    }

    fn top(&self) -> &Node {
        self.nodes.last().expect("the search has a node")
    }

    /// What to explore next from the last node.
    fn choose(&mut self) -> Option<(usize, Tape)> {
        let node = self.nodes.last_mut()?;
        node.event = None;
        if let Some((thread, mut tape)) = node.current.take() {
            if tape.advance() {
                return Some((thread, tape));
            }
            node.done |= bit(thread);
        }
        let left = node.explore & node.enabled & !node.done;
        (left != 0).then(|| (left.trailing_zeros() as usize, Tape::default()))
    }

    /// The number of a node's state.
    fn id(&mut self, node: &Node) -> StateId {
        let mut more = Vec::new();
        if self.mode.count_steps {
            more.extend([node.steps as u32, (node.steps >> 32) as u32]);
        }
        if self.world.settings.contexts.is_some() {
            let (ran, last) = node.ran;
            more.extend([node.switches, last.map_or(u32::MAX, |t| t as u32)]);
            more.extend((0..4).map(|i| (ran >> (32 * i)) as u32));
        }
        self.interner.list(&node.parts.words(&more))
    }

    /// Takes a transition; goes on from the state it leads to if that is new.
    fn descend(&mut self, thread: usize, mut tape: Tape) {
        let node = self.nodes.last_mut().expect("choose found a node");
        let joiner = node.joiner.filter(|joiner| joiner.thread == thread);
        let exchange = joiner.and_then(|joiner| joiner.to_go_on());
        let (state, taken) = self.attempt(thread, &mut tape, exchange);
        let node = self.nodes.last_mut().expect("choose found a node");
        node.current = Some((thread, tape));
        let Some(taken) = taken else { return };
        let steps = node.steps + taken.steps;
        let switched = node.ran.1.is_some_and(|last| last != thread);
        let (switches, ran) = (node.switches + u32::from(switched), node.ran.0 | bit(thread));
        let findings = taken.findings.clone();
        node.event = Some(Event { thread, taken, threads: state.threads.len(), exchange });
        self.collector.result.transitions += 1;
        for (finding, schedule) in findings {
            self.report(&finding, None, At::Inside(&schedule));
        }
        if state.threads.len() > 128 {
            let (what, place) = (Unmodelled::ManyThreads(128), Place::UNKNOWN);
            self.world.cuts.insert(Cut::Unsupported { what, place });
            return;
        }
        let node = self.nodes.last().expect("choose found a node");
        let taken = &node.event.as_ref().expect("set above").taken;
        let joined = taken.joined.and_then(|id| node.state.index(id));
        if let Some(discipline) = &mut self.world.discipline {
            let (by, others) = node.anybody_like(thread, self.mode.alike);
            discipline.note(by, &taken.footprint.exposed, others);
        }
        let (over, kin) = node.relations_after(&state, thread, joined, exchange, self.mode);
        let before = Some((&node.state, &node.parts));
        let known = node.state.threads.len();
        let alike = self.mode.alike.then_some(&kin);
        let parts = self.encoder.parts(&mut self.interner, &state, alike, before);
        let ran = (ran, Some(thread));
        let node = Node::new(state, parts, self.open.len());
        let node = Node { over, kin, steps, switches, ran, ..node };
        self.look_at_names(&node.kin);
        self.look_at_objects(&node, thread);
        self.look_at_ends(&node, [thread].into_iter().chain(known..node.state.threads.len()));
        let id = self.id(&node);
        match self.entries.get(&id) {
            None => self.enter(node, id, thread),
            Some(Entry { steps: first, known }) => {
                self.shorter |= steps < *first;
                match known {
                    Known::Open(place) => self.close_cycle(*place),
                    Known::Closed(future) => {
                        let future = Rc::clone(future);
                        let future = self.out_of_order(&node.parts, future);
                        self.learn(&future);
                    }
                }
            }
        }
    }

    /// A transition from the last state, after two threads have changed places: where it leads and
    /// what it did, if it can happen.
    fn attempt(
        &mut self,
        thread: usize,
        tape: &mut Tape,
        exchange: Option<Exchange>,
    ) -> (State, Option<Taken>) {
        let node = self.nodes.last_mut().expect("choose found a node");
        let limit = self.world.settings.max_steps.saturating_sub(node.steps);
        let tried = match tape.is_blank() && exchange.is_none() {
            true => node.ahead.iter().position(|(of, a)| *of == thread && a.taken.steps < limit),
            false => None,
        };
        match tried {
            Some(at) => {
                let ahead = node.ahead.swap_remove(at).1;
                *tape = ahead.tape;
                (ahead.state, Some(ahead.taken))
            }
            None => {
                let mut state = node.state.clone();
                if let Some(exchange) = exchange {
                    alike::exchange(self.world.code, &mut state, exchange);
                }
                let taken = self.world.take(&mut state, thread, tape, limit);
                (state, taken)
            }
        }
    }

    fn push(&mut self, node: Node, id: StateId) {
        debug_assert!(node.place == self.open.len(), "a new state is the last open one");
        let entry = Entry { steps: node.steps, known: Known::Open(node.place) };
        self.entries.insert(id, entry);
        self.components.push(node.place);
        self.open.push(Open { id, draft: Draft::new() });
        self.course.goes_deeper(node.branches());
        self.nodes.push(node);
    }

    /// Makes the node of a new state: what threads would do, what is wrong in it, whom to explore
    /// first.
    fn enter(&mut self, mut node: Node, id: StateId, moved: usize) {
        let last = self.nodes.last().expect("the state before");
        let Event { taken, exchange, .. } = last.event.as_ref().expect("the transition just taken");
        let exchanged = |i: usize| exchange.is_some_and(|Exchange(a, b)| i == a || i == b);
        // Threads that stand before something else than in the state before.
        let mut fresh: Set = 0;
        for index in 0..node.state.threads.len() {
            let old = last.pending.get(index).filter(|_| index != moved && !exchanged(index));
            let next = match old.filter(|old| old.survives(&taken.footprint)) {
                Some(old) => Rc::clone(old),
                None => {
                    fresh |= bit(index);
                    let pending = Rc::new(self.world.pending(&node.state, index));
                    node.ahead.extend(self.world.ahead.take().map(|ahead| (index, ahead)));
                    pending
                }
            };
            node.pending.push(next);
        }
        self.find_joiner(&mut node);
        self.look_at_names(&node.kin);
        for (index, next) in node.pending.iter().enumerate() {
            node.enabled |= bit(index) & Set::from(next.enabled).wrapping_neg();
        }
        if let Some(discipline) = &mut self.world.discipline {
            let exposed = |i: usize| &node.pending[i].footprint.exposed;
            discipline.compare_all(node.pending.len(), fresh, exposed);
        }
        let enabled = node.enabled;
        // Who joins one of several comes last.
        let last = node.joiner.filter(Joiner::has_choice);
        let others = enabled & !last.map_or(0, |joiner| bit(joiner.thread));
        let open = last.filter(Joiner::is_open);
        let vain = node.pending.iter().any(|p| p.vain);
        let (stuck, may_be_stuck) = (enabled == 0 && !vain, open.is_some() && others == 0 && !vain);
        node.explore = if !self.reduction {
            self.within_contexts(&node)
        } else if others & bit(moved) != 0 {
            bit(moved)
        } else if others != 0 {
            others & others.wrapping_neg()
        } else {
            enabled & enabled.wrapping_neg()
        };
        for (thread, pending) in node.pending.iter().enumerate() {
            if self.reduction && !pending.footprint.marks.is_empty() {
                let marks = self.futures.marks(&pending.footprint);
                let act = Act { thread, marks, lock: pending.lock };
                let way = Before { after: bit(thread), past: Futures::NOTHING };
                self.futures.add(&mut node.draft, act, way);
            }
        }
        self.push(node, id);
        if self.world.races {
            self.look_for_races(fresh);
        }
        let node = self.top();
        for finding in deadlocks(&self.world, &node.state, &node.pending, stuck) {
            self.report(&finding, None, At::State);
        }
        if let Some(joiner) = open.filter(|_| may_be_stuck) {
            self.look_for_deadlock_before(joiner);
        }
        if stuck {
            let node = self.nodes.last().expect("pushed above");
            self.collector.finish(&self.world, &node.state);
        }
    }

    /// Those of the enabled threads that may run next if there is a bound on context switches.
    fn within_contexts(&mut self, node: &Node) -> Set {
        let Some(bound) = self.world.settings.contexts else { return node.enabled };
        if node.switches < bound {
            return node.enabled;
        }
        let same = node.ran.1.map_or(0, bit);
        if node.enabled & !same != 0 {
            self.world.cuts.insert(Cut::Contexts { bound });
        }
        node.enabled & same
    }

    /// Races in the last state, by definition; those between threads that stand where they stood
    /// before have been looked for there.
    fn look_for_races(&mut self, fresh: Set) {
        let node = self.top();
        // Where context switches are counted, a thread whose first operation is the access has to
        // be scheduled as well in order to stand before it.
        let left = self.world.settings.contexts.map(|most| most.saturating_sub(node.switches));
        let ran = node.ran.0;
        let stand = |i: usize, j: usize| {
            let new = u32::from(ran & bit(i) == 0) + u32::from(ran & bit(j) == 0);
            left.is_none_or(|left| new <= left)
        };
        let mut found = Vec::new();
        for i in 0..node.pending.len() {
            for j in (0..i).filter(|&j| stand(i, j)) {
                // With a bound on switches it also matters how many are left.
                if fresh & (bit(i) | bit(j)) != 0 || left.is_some() {
                    let (p, q) = (&node.pending[i], &node.pending[j]);
                    let pairs = conflicts(&p.footprint, &q.footprint);
                    found.extend(pairs.into_iter().map(|(a, b)| (i, a, j, b)));
                }
            }
        }
        for (i, a, j, b) in found {
            let program = self.world.code.program;
            let node = self.nodes.last().expect("the node above");
            let finding = race::finding(program, &node.state, &a, &b);
            self.report(&finding, None, At::Race([(i, &a), (j, &b)]));
        }
    }

    /// Reports a finding at the end of the path, after two threads have changed places once more.
    fn report(&mut self, finding: &Finding, exchange: Option<Exchange>, at: At<'_>) {
        if self.collector.knows(self.world.code.program, finding) {
            return;
        }
        let inside = match at {
            At::Inside(part) => Some((finding, part)),
            At::State | At::Race(_) => None,
        };
        let Some(execution) = self.execution(exchange, inside) else {
            // Somebody has just looked who is who: the search without exchanges will find it.
            debug_assert!(self.has_seen_names(), "who is alike can change places: {finding:?}");
            self.unlike = true;
            return;
        };
        let (finding, last) = match &execution.inside {
            Some((finding, taken, part)) => (finding, Some((taken, part))),
            None => (finding, None),
        };
        let mut choices = self.collector.choices(finding, execution.path.iter());
        if let Some((taken, part)) = last {
            choices.schedule.extend_from_slice(part);
            taken.answers.iter().for_each(|answer| answer.record(&mut choices));
        }
        if let At::Race(accesses) = at {
            for (index, access) in accesses {
                if self.top().pending[index].section {
                    let answers = self.world.answers_for(&execution.state, index, access);
                    answers.iter().for_each(|answer| answer.record(&mut choices));
                }
            }
        }
        self.collector.report(&mut self.world, finding, choices);
    }

    /// The last transition leads to an open state: all states from its component on lie on cycles.
    fn close_cycle(&mut self, place: usize) {
        while self.components.last().is_some_and(|&start| start > place) {
            self.components.pop();
        }
        let start = *self.components.last().expect("an open state is in a component");
        for node in self.nodes.iter_mut().rev().take_while(|n| n.place >= start) {
            if !node.cyclic {
                node.cyclic = true;
                // With a bound on context switches, only those within it.
                if self.reduction {
                    node.explore = node.enabled;
                }
            }
        }
    }

    /// Takes over what can happen after the last transition: it may have to be explored in another
    /// order.
    fn learn(&mut self, future: &Future) {
        if !self.reduction {
            return;
        }
        let node = self.nodes.last_mut().expect("a transition has a node before it");
        let Event { thread, taken, threads, exchange } =
            node.event.as_ref().expect("the transition just taken");
        let future = match exchange {
            None => Rc::clone(future),
            Some(exchange) => self.futures.relabel(future, |i| exchange.of(i)),
        };
        let (joined, instead) = node.joined_by(*thread, taken);
        let own = u128::from(node.state.threads[*thread].id.0);
        let holds = |mutex: &u64| node.state.memory.peek(*mutex, 4) == Some(own);
        let stride = Stride {
            thread: *thread,
            touched: self.futures.marks(&taken.footprint),
            might_touch: self.futures.marks(&node.pending[*thread].footprint),
            released: taken.unlocked.filter(holds),
            joined,
            instead,
            created: (node.state.threads.len()..*threads).fold(0, |set, i| set | bit(i)),
        };
        for &(act, way) in future.iter() {
            let (way, reverse) = self.futures.back(&stride, act, way);
            self.futures.add(&mut node.draft, act, way);
            if reverse {
                let first = way.after & node.enabled;
                if first == 0 {
                    node.explore = node.enabled;
                } else if first & node.explore == 0 {
                    let own = bit(act.thread) & first;
                    node.explore |= if own != 0 { own } else { first & first.wrapping_neg() };
                }
            }
        }
    }

    /// Leaves the last node; if it is the first of its component, all of that is explored.
    fn leave(&mut self) {
        let node = self.nodes.pop().expect("the search has a node");
        self.course.comes_back(node.branches());
        debug_assert!(!node.cyclic || !self.reduction || node.done == node.enabled);
        if self.components.last() != Some(&node.place) {
            debug_assert!(node.cyclic, "only states on cycles are not alone");
            self.open[node.place].draft = node.draft;
            return;
        }
        self.components.pop();
        let draft = if node.cyclic {
            // In what order things happen depends on the way, and there are many.
            let rest = self.open[node.place + 1..].iter().map(|open| &open.draft);
            let acts = rest.chain([&node.draft]).flat_map(|draft| draft.keys());
            let alone = |act: Act| (act, Before { after: bit(act.thread), past: Futures::NOTHING });
            // On the way round threads that are alike may have changed places.
            let mates = |act: &Act| {
                let known = self.mode.alike && act.thread < node.kin.threads();
                let all = if known { node.kin.mates(act.thread) } else { bit(act.thread) };
                let act = *act;
                (0..128)
                    .filter(move |i| all & bit(*i) != 0)
                    .map(move |thread| Act { thread, ..act })
            };
            acts.flat_map(mates).map(alone).collect()
        } else {
            node.draft
        };
        let future = self.futures.finish(draft);
        // States are remembered with their threads in order; what holds for a cycle is the same in
        // any order.
        let in_order = match node.cyclic {
            true => Rc::clone(&future),
            false => self.in_order(&node.parts, Rc::clone(&future)),
        };
        for open in self.open.drain(node.place..) {
            if let Some(entry) = self.entries.get_mut(&open.id) {
                entry.known = Known::Closed(Rc::clone(&in_order));
            }
        }
        if !self.nodes.is_empty() {
            self.learn(&future);
        }
    }
}
