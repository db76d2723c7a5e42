//! One thread unrolled by itself, step by step.
//!
//! Idea: at depth k a thread can be in the states that control reaches in k steps (CSR). Each of
//! them is a *node* with the condition under which the thread is there and the values of its own
//! variables; a step of the automaton is made by putting these values in for the variables, so
//! constants fold, and states that no value leads to are never there. Memory that threads share is
//! not the thread's own: a [`Slot`] with a visible node finds it in fresh variables, which the
//! constraints of `token.rs` link to what this or another thread left.
//! Source: paper 000 §2.3 and §5.1. We differ: values belong to nodes, not to depths, so states
//! that share a depth do not blur each other's constants; states that others cannot notice need no
//! token; and until main has created a thread there is nothing to link, so its memory is values.
//! Invariant: the nodes of a slot exclude each other.

use std::rc::Rc;

use raddle_analysis::Locks;
use raddle_automaton::{
    Automaton, Bits, CellId, Initial, Layout, State, StateIx, StateVar, ThreadIx, Vars, Wait,
};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arrivals::{Arrival, add};
use super::load::Load;
use super::roles::{Role, Roles};

/// Bits of a time.
pub const CLOCK: u32 = 12;

/// Values of a thread's own variables, and of cells that are not passed on.
pub type Env = FxHashMap<StateVar, TermId>;

/// A state at a depth.
pub struct Node {
    /// The state.
    pub state: StateIx,
    /// When the thread is there.
    pub at: TermId,
    /// What was there.
    pub env: Rc<Env>,
    /// Its step, over the variables of the formula.
    pub step: State,
}

/// What a thread needs to make the step of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing: main is the only thread.
    Alone,
    /// Nothing: nobody can notice.
    Nothing,
    /// The token.
    Token,
}

/// The step of a thread at a depth.
pub struct Slot {
    /// What is needed.
    pub need: Need,
    /// Where the thread can be.
    pub nodes: Vec<Node>,
    /// Whether it holds the token, once it has received it.
    pub token: TermId,
    /// Whether it makes the step, if it can.
    pub go: TermId,
    /// Whether it makes the step.
    pub done: TermId,
    /// Whether it still holds the token afterwards, at its next slot.
    pub keeps: TermId,
    /// All threads together: the time.
    pub clock: TermId,
    /// What is passed on: before the step.
    pub before: Vec<TermId>,
    /// And after it.
    pub after: Vec<TermId>,
    /// The slot before it in this thread that needed the token.
    pub previous: Option<usize>,
    /// What its step may read and write of what is passed on.
    pub used: Used<Vec<usize>>,
    /// The same by groups of cells.
    pub groups: Used<Vec<usize>>,
}

/// Something for reads, and for writes.
#[derive(Clone, Default)]
#[allow(missing_docs)]
pub struct Used<T> {
    pub reads: T,
    pub writes: T,
}

/// A thread, unrolled.
pub struct Run {
    /// The thread.
    pub thread: ThreadIx,
    /// Its automaton.
    pub automaton: Automaton,
    /// By state: the variables that its step reads or writes.
    uses: Vec<Vec<StateVar>>,
    /// By depth.
    pub slots: Vec<Slot>,
    /// What control reaches next.
    pub frontier: Vec<Arrival>,
    /// What main has reached before its first creation of a thread.
    parked: Vec<Arrival>,
    /// Whether main is still alone.
    alone: bool,
    /// The last slot that needed the token.
    last: Option<usize>,
}

/// What all threads share while they are unrolled.
pub struct Ground<'a> {
    /// The terms of the formula.
    pub terms: Terms,
    /// State variables.
    pub vars: &'a mut Vars,
    /// Threads and cells.
    pub layout: &'a Layout,
    /// Who uses what.
    pub roles: Roles,
    /// By cell: the bits that it can have.
    pub bits: Vec<Bits>,
    /// What main left in cells when it first created a thread.
    pub left: FxHashMap<CellId, TermId>,
    /// What cells with arbitrary contents hold at first.
    pub arbitrary: FxHashMap<CellId, TermId>,
    /// What threads are given: by argument, under which condition which value.
    pub handed: FxHashMap<StateVar, Vec<(TermId, TermId)>>,
    /// Arguments whose value was taken to be constant.
    pub settled: FxHashMap<StateVar, TermId>,
    /// Arguments that have several values.
    pub varying: Vec<StateVar>,
    /// What holds: if the first, then the second.
    pub facts: Vec<(TermId, TermId)>,
    /// Which mutexes are certainly held, if pairs are left out that they exclude.
    pub locks: Option<&'a Locks>,
    /// What the token carries besides memory.
    pub load: Load,
    /// Whether of executions that differ in the order of independent steps one is enough.
    pub representatives: bool,
    /// Whether states of single copies are kept apart by callers (CXT).
    pub by_caller: bool,
    /// Whether states that control does not reach at a depth are left out (CSR).
    pub reachability: bool,
    /// Whether all threads are unrolled together (`eager.rs`).
    pub eager: bool,
}

impl Ground<'_> {
    fn initial(&mut self, cell: CellId) -> TermId {
        let width = self.layout.cells[cell.index()].width;
        match self.layout.cells[cell.index()].initial {
            Initial::Value(value) => self.terms.constant(value, width),
            Initial::Arbitrary => {
                *self.arbitrary.entry(cell).or_insert_with(|| self.terms.fresh(width))
            }
        }
    }

    /// What a cell holds when threads begin.
    pub fn at_start(&mut self, cell: CellId) -> TermId {
        match self.left.get(&cell) {
            Some(&value) => value,
            None => self.initial(cell),
        }
    }

    /// What is passed on holds when threads begin.
    pub fn memory_at_start(&mut self) -> Vec<TermId> {
        let passed = self.roles.passed.clone();
        passed.into_iter().map(|c| self.at_start(c)).collect()
    }

    /// The value of an argument, if all who create the thread so far agree on a constant.
    fn settle(&mut self, var: StateVar, term: TermId) -> TermId {
        if let Some(&value) = self.settled.get(&var) {
            return value;
        }
        let Some(handed) = self.handed.get(&var).filter(|_| !self.varying.contains(&var)) else {
            return term;
        };
        let first = handed[0].1;
        if self.terms.as_const(first).is_some() && handed.iter().all(|h| h.1 == first) {
            self.settled.insert(var, first);
            return first;
        }
        term
    }

    /// Several values, one of which holds.
    fn choose(&mut self, cond: TermId, a: TermId, b: TermId) -> TermId {
        self.terms.ite(cond, a, b)
    }
}

impl Run {
    /// A thread that has not begun.
    pub fn new(ground: &Ground, thread: ThreadIx, automaton: Automaton) -> Run {
        let uses = automaton.states.iter().map(|state| {
            let mut uses = ground.vars.in_terms(&ground.terms, &state.terms());
            uses.extend(state.transitions.iter().flat_map(|t| t.updates.iter().map(|u| u.0)));
            let touched = state.touches.iter().map(|t| StateVar::Cell(t.cell));
            uses.extend(touched.filter(|v| ground.vars.known(*v).is_some()));
            uses.sort_unstable();
            uses.dedup();
            uses
        });
        let start = Arrival { state: StateIx::START, at: ground.terms.tru(), env: Rc::default() };
        Run {
            thread,
            uses: uses.collect(),
            automaton,
            slots: Vec::new(),
            frontier: vec![start],
            parked: Vec::new(),
            alone: thread == ThreadIx(0),
            last: None,
        }
    }

    /// Makes one more step; false if control goes no further.
    pub fn advance(&mut self, ground: &mut Ground) -> bool {
        if self.alone && self.leave_start(ground) {
            self.first_slot(ground);
            return true;
        }
        if self.frontier.is_empty() {
            return false;
        }
        self.add_unreached(ground);
        let arrivals = std::mem::take(&mut self.frontier);
        let visible = self.is_visible(ground, &arrivals);
        let need = match (self.alone, visible) {
            (true, _) => Need::Alone,
            (false, true) => Need::Token,
            (false, false) => Need::Nothing,
        };
        let mut slot = self.slot(ground, need);
        self.fill(ground, &mut slot, arrivals);
        self.follow(ground, &mut slot);
        if need == Need::Token {
            self.note_uses(ground, &mut slot);
            self.last = Some(self.slots.len());
        }
        self.slots.push(slot);
        true
    }

    /// Whether it is main, and nobody else has been created.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Whether others may notice a step from one of these places, or the thread may wait there, or be
    /// in an atomic section before or after it. Who enters a section stops others, and who leaves it
    /// lets them go on: that is for those with the token, and others may come in between.
    pub fn is_visible(&self, ground: &Ground, arrivals: &[Arrival]) -> bool {
        arrivals.iter().any(|a| {
            let state = self.automaton.state(a.state);
            let targets = state.transitions.iter().map(|t| self.automaton.state(t.target));
            ground.roles.is_visible(&self.uses[a.state.index()])
                || !state.waits.is_empty()
                || targets.chain([state]).any(State::in_section)
        })
    }

    /// Adds the nodes of a slot.
    pub fn fill(&mut self, ground: &mut Ground, slot: &mut Slot, arrivals: Vec<Arrival>) {
        for arrival in arrivals {
            let step = self.instantiate(ground, &arrival, &slot.before);
            let Arrival { state, at, env } = arrival;
            slot.nodes.push(Node { state, at, env, step });
        }
    }

    /// Without CSR: all states that control does not reach at this depth are there as well, with
    /// any values; only the solver knows that the thread is not.
    pub fn add_unreached(&mut self, ground: &mut Ground) {
        if ground.reachability || self.alone {
            return;
        }
        for s in StateIx::START.index() + 1..self.automaton.states.len() {
            let state = StateIx(s as u32);
            if self.frontier.iter().any(|a| a.state == state) {
                continue;
            }
            let (at, fals) = (ground.terms.fresh(1), ground.terms.fals());
            ground.facts.push((at, fals));
            let mut env = Env::default();
            for &(context, register) in &self.automaton.state(state).live {
                let var = StateVar::Register(context, register);
                if let Some(term) = ground.vars.known(var) {
                    let width = ground.terms.width(term);
                    env.insert(var, ground.terms.fresh(width));
                }
            }
            self.frontier.push(Arrival { state, at, env: Rc::new(env) });
        }
    }

    /// Sets aside what has come to a creation of a thread; once everything has, main is no longer
    /// alone, and what it has left in memory is known. True if that is so.
    pub fn leave_start(&mut self, ground: &mut Ground) -> bool {
        let (late, early): (Vec<Arrival>, Vec<Arrival>) =
            self.frontier.drain(..).partition(|a| ground.roles.is_late(a.state));
        self.frontier = early;
        for arrival in late {
            add(ground, &mut self.parked, arrival);
        }
        if !self.frontier.is_empty() || self.parked.is_empty() {
            return false;
        }
        self.alone = false;
        for c in 0..ground.layout.cells.len() as u32 {
            let (cell, var) = (CellId(c), StateVar::Cell(CellId(c)));
            if !self.parked.iter().any(|a| a.env.contains_key(&var)) {
                continue;
            }
            let initial = ground.initial(cell);
            let mut value = None;
            for arrival in &self.parked {
                let here = arrival.env.get(&var).copied().unwrap_or(initial);
                value = Some(value.map_or(here, |v| ground.choose(arrival.at, here, v)));
            }
            ground.left.insert(cell, value.expect("something is parked"));
        }
        self.frontier = std::mem::take(&mut self.parked);
        true
    }

    /// Main's first slot with the token.
    fn first_slot(&mut self, ground: &mut Ground) {
        let before = ground.memory_at_start();
        let arrivals = std::mem::take(&mut self.frontier);
        let mut slot = Slot {
            token: ground.terms.tru(),
            go: ground.terms.fresh(1),
            keeps: ground.terms.fresh(1),
            after: before.clone(),
            before,
            ..self.slot(ground, Need::Alone)
        };
        slot.need = Need::Token;
        self.fill(ground, &mut slot, arrivals);
        self.follow(ground, &mut slot);
        self.note_uses(ground, &mut slot);
        self.last = Some(self.slots.len());
        self.slots.push(slot);
    }

    /// A slot without nodes.
    fn slot(&mut self, ground: &mut Ground, need: Need) -> Slot {
        let terms = &mut ground.terms;
        let tru = terms.tru();
        let clock = terms.constant(0, CLOCK);
        let (token, go, keeps) = match need {
            Need::Token => (terms.fresh(1), terms.fresh(1), terms.fresh(1)),
            Need::Alone | Need::Nothing => (tru, tru, tru),
        };
        let mut before = Vec::new();
        if need == Need::Token {
            for (i, &cell) in ground.roles.passed.iter().enumerate() {
                // What nobody else writes is as it was left; at first, as main left it.
                let own = ground.roles.writers[i] == Some(self.thread);
                let known = match self.last {
                    Some(last) => Some(self.slots[last].after[i]),
                    None => ground.left.get(&cell).copied().or_else(|| {
                        match ground.layout.cells[cell.index()].initial {
                            Initial::Value(v) => {
                                Some(terms.constant(v, ground.layout.cells[cell.index()].width))
                            }
                            Initial::Arbitrary => ground.arbitrary.get(&cell).copied(),
                        }
                    }),
                };
                let width = ground.layout.cells[cell.index()].width;
                let any = |terms| ground.bits[cell.index()].fresh(terms, width);
                before.push(known.filter(|_| own).unwrap_or_else(|| any(terms)));
            }
        }
        Slot {
            need,
            nodes: Vec::new(),
            token,
            go,
            done: terms.fals(),
            keeps,
            clock,
            after: before.clone(),
            before,
            previous: self.last,
            used: Used::default(),
            groups: Used::default(),
        }
    }

    /// Notes what the steps of a slot may read and write.
    fn note_uses(&self, ground: &mut Ground, slot: &mut Slot) {
        let roots: Vec<TermId> = slot.nodes.iter().flat_map(|n| n.step.terms()).collect();
        let read: FxHashSet<VarId> = ground.terms.variables(&roots).into_iter().collect();
        let cells = 0..slot.before.len();
        // What the thread itself left there depends on nobody else, even if it is what it has read
        // elsewhere.
        let is_read = |i: &usize| {
            let parts = raddle_automaton::open_parts(&ground.terms, slot.before[*i]);
            let foreign = ground.roles.writers[*i] != Some(self.thread);
            foreign && parts.iter().any(|v| read.contains(v))
        };
        slot.used.reads = cells.clone().filter(is_read).collect();
        slot.used.writes = cells.filter(|&i| slot.before[i] != slot.after[i]).collect();
        slot.groups.reads = ground.roles.groups_of(&slot.used.reads);
        slot.groups.writes = ground.roles.groups_of(&slot.used.writes);
    }

    /// Whether the thread may be inside an atomic section before or after a slot's step: the rest
    /// of the section belongs to it.
    pub fn is_in_section(&self, slot: &Slot) -> bool {
        let is_inside = |state| self.automaton.state(state).in_section();
        slot.nodes
            .iter()
            .any(|n| is_inside(n.state) || n.step.transitions.iter().any(|t| is_inside(t.target)))
    }

    /// A state's step with the values that a thread has there.
    fn instantiate(&self, ground: &mut Ground, arrival: &Arrival, before: &[TermId]) -> State {
        let state = self.automaton.state(arrival.state);
        let mut map = FxHashMap::default();
        for &var in &self.uses[arrival.state.index()] {
            let term = ground.vars.known(var).expect("what is used has a term");
            let value = self.value(ground, &arrival.env, before, var, term);
            map.insert(term, value);
        }
        for &input in &state.inputs {
            let width = ground.terms.width(input);
            map.insert(input, ground.terms.fresh(width));
        }
        let mut step = state.replaced(&mut ground.terms, &map);
        let (terms, at) = (&mut ground.terms, arrival.at);
        step.transitions.retain(|t| {
            let cond = terms.and(at, t.guard);
            !terms.is_false(cond)
        });
        for &assumption in &step.assumptions {
            ground.facts.push((ground.terms.tru(), assumption));
        }
        step
    }

    /// Where a thread waits in a state, with these contents of what is passed on.
    pub fn waits_with(&self, ground: &mut Ground, node: &Node, memory: &[TermId]) -> Vec<Wait> {
        let waits = &self.automaton.state(node.state).waits;
        if waits.is_empty() {
            return Vec::new();
        }
        let terms: Vec<TermId> =
            waits.iter().flat_map(|w| [Some(w.cond), w.word]).flatten().collect();
        let mut map = FxHashMap::default();
        for &var in &self.uses[node.state.index()] {
            let term = ground.vars.known(var).expect("what is used has a term");
            map.insert(term, self.value(ground, &node.env, memory, var, term));
        }
        let mut new = ground.terms.substitute(&terms, &map).into_iter();
        let mut next = || new.next().expect("as many terms as before");
        let with = |w: &Wait| Wait { cond: next(), word: w.word.map(|_| next()), ..*w };
        waits.iter().map(with).collect()
    }

    fn value(
        &self,
        ground: &mut Ground,
        env: &Env,
        before: &[TermId],
        var: StateVar,
        term: TermId,
    ) -> TermId {
        if let StateVar::Cell(cell) = var
            && !self.alone
            && let Role::Passed(i) = ground.roles.of(cell)
        {
            return before[i];
        }
        if let Some(&value) = env.get(&var) {
            return value;
        }
        match var {
            StateVar::Cell(cell) if self.alone => ground.initial(cell),
            StateVar::Cell(cell) => ground.at_start(cell),
            StateVar::Argument(..) => ground.settle(var, term),
            StateVar::Result(_) => term,
            // Counters begin at 0; registers are written before they are read.
            StateVar::Count(_) | StateVar::Return(_) | StateVar::Register(..) | StateVar::Own => {
                let width = ground.terms.width(term);
                ground.terms.constant(0, width)
            }
        }
    }

    /// Where the steps of a slot lead, and what they leave.
    pub fn follow(&mut self, ground: &mut Ground, slot: &mut Slot) {
        let mut next: Vec<Arrival> = Vec::new();
        for node in &slot.nodes {
            for transition in &node.step.transitions {
                let cond = ground.terms.and(node.at, transition.guard);
                let done = ground.terms.and(cond, slot.go);
                slot.done = ground.terms.or(slot.done, done);
                let mut env = Env::clone(&node.env);
                for &(var, value) in &transition.updates {
                    // What is not under way has no entry.
                    if matches!(var, StateVar::Return(_)) && ground.terms.as_const(value) == Some(0)
                    {
                        env.remove(&var);
                        continue;
                    }
                    match var {
                        StateVar::Cell(cell) => match ground.roles.of(cell) {
                            Role::Passed(i) if !self.alone => {
                                slot.after[i] = ground.choose(cond, value, slot.after[i]);
                            }
                            Role::Passed(_) | Role::Own(_) | Role::Fixed => {
                                env.insert(var, value);
                            }
                        },
                        StateVar::Argument(..) | StateVar::Result(_) => {
                            hand_over(ground, var, done, value);
                        }
                        StateVar::Own
                        | StateVar::Register(..)
                        | StateVar::Count(_)
                        | StateVar::Return(_) => {
                            env.insert(var, value);
                        }
                    }
                }
                if transition.target == StateIx::STOP || ground.terms.is_false(done) {
                    continue;
                }
                let live = &self.automaton.state(transition.target).live;
                env.retain(|var, _| match var {
                    StateVar::Register(c, r) => live.binary_search(&(*c, *r)).is_ok(),
                    _ => true,
                });
                let arrival = Arrival { state: transition.target, at: done, env: Rc::new(env) };
                add(ground, &mut next, arrival);
            }
        }
        self.frontier = next;
    }
}

/// An argument or result is given: it is that value in the whole execution.
fn hand_over(ground: &mut Ground, var: StateVar, cond: TermId, value: TermId) {
    let term = ground.vars.known(var).expect("what is written has a term");
    if value == term || ground.terms.is_false(cond) {
        return;
    }
    if ground.settled.get(&var).is_some_and(|&settled| settled != value) {
        ground.varying.push(var);
    }
    let equal = ground.terms.eq(term, value);
    ground.facts.push((cond, equal));
    ground.handed.entry(var).or_default().push((cond, value));
}
