//! The automaton of a class of threads: control states, and what a step does as terms.
//!
//! A state stands before one instruction in one context. A step executes it and all that follows up
//! to the next instruction that others could notice, or the next head of a loop. What it does
//! depends on *state variables*: registers, counters, cells of memory. Where it can end, under which
//! condition and what the variables are then, are terms over the variables before, and over what
//! the step asks for (`inputs`). The threads of a class differ in [`StateVar::Own`] only.
//!
//! Invariants (`check_invariants`): the guards of a state's transitions exclude each other; a step
//! for which none holds does not happen. Besides transitions a state lists all that can be noticed
//! in its step: accesses, violations, what the bounds cut off, what is asked for.

use std::collections::BTreeMap;

use raddle_ir::{FuncId, InstrRef, Place, Property, RegId, Unmodelled};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::bounds::Bounds;
use crate::contexts::{ClassIx, ContextId};
use crate::layout::{CellId, Layout, SiteIx, ThreadIx};

/// Something that a step reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StateVar {
    /// Which thread it is: an index of [`Layout::threads`]; never written.
    Own,
    /// A register of a context.
    Register(ContextId, RegId),
    /// How many threads or objects a site has made, in this thread.
    Count(SiteIx),
    /// Which of its callers the single copy of a function returns to, from 1 on; 0 if it is not
    /// under way.
    Return(ContextId),
    /// A cell.
    Cell(CellId),
    /// An argument of a thread: written once, when it is created.
    Argument(ThreadIx, u32),
    /// What a thread leaves: written once, when it ends.
    Result(ThreadIx),
}

impl StateVar {
    /// Whether threads share it.
    pub fn is_shared(self) -> bool {
        match self {
            StateVar::Cell(_) | StateVar::Argument(..) | StateVar::Result(_) => true,
            StateVar::Own | StateVar::Register(..) | StateVar::Count(_) | StateVar::Return(_) => {
                false
            }
        }
    }
}

/// The variables of terms that stand for state variables.
#[derive(Default)]
pub struct Vars {
    terms: FxHashMap<StateVar, TermId>,
    of: FxHashMap<VarId, StateVar>,
}

impl Vars {
    /// The term of a state variable, made when it is first asked for.
    pub fn term(&mut self, terms: &mut Terms, var: StateVar, width: u32) -> TermId {
        let term = *self.terms.entry(var).or_insert_with(|| terms.fresh(width));
        self.of.insert(terms.as_var(term).expect("a state variable is a variable"), var);
        debug_assert_eq!(terms.width(term), width, "{var:?} has one width");
        term
    }

    /// The term of a state variable that occurs somewhere.
    pub fn known(&self, var: StateVar) -> Option<TermId> {
        self.terms.get(&var).copied()
    }

    /// The state variable that a variable stands for.
    pub fn state_var(&self, var: VarId) -> Option<StateVar> {
        self.of.get(&var).copied()
    }

    /// The state variables that occur in terms, sorted.
    pub fn in_terms(&self, terms: &Terms, roots: &[TermId]) -> Vec<StateVar> {
        let all = terms.variables(roots).into_iter();
        let mut vars: Vec<StateVar> = all.filter_map(|v| self.state_var(v)).collect();
        vars.sort_unstable();
        vars
    }
}

/// A control state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateIx(pub u32);

impl StateIx {
    /// Where a thread that will not go on stands; it has no transitions.
    pub const STOP: StateIx = StateIx(0);
    /// Where threads begin.
    pub const START: StateIx = StateIx(1);

    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a thread stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The context.
    pub context: ContextId,
    /// The next instruction.
    pub at: InstrRef,
    /// How many atomic sections it is in.
    pub sections: u32,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it leads.
    pub target: StateIx,
    /// When it is taken.
    pub guard: TermId,
    /// What state variables are then; the others keep their values.
    pub updates: Vec<(StateVar, TermId)>,
}

/// An access that can take part in a race.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// When it happens and is valid.
    pub cond: TermId,
    /// The first byte.
    pub address: TermId,
    /// How many bytes.
    pub bytes: u64,
    /// Whether it writes.
    pub writes: TermId,
    /// Whether it is atomic, by itself or by its section.
    pub atomic: bool,
    /// The instruction.
    pub at: InstrRef,
    /// Its line, outside library models.
    pub place: Place,
}

/// A cell that an access means.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The condition that the address is that of the cell.
    pub cond: TermId,
    /// The cell.
    pub cell: CellId,
    /// Whether the access may write, be it what was there before.
    pub writes: bool,
}

/// A violation of a property that is checked.
#[derive(Clone, Copy, Debug)]
pub struct Violation {
    /// When it happens.
    pub cond: TermId,
    /// What is violated.
    pub property: Property,
    /// The instruction.
    pub at: InstrRef,
    /// Whether it is an invalid access, free or call rather than a check.
    pub fault: bool,
    /// Its line, outside library models.
    pub place: Place,
}

/// The end of the program, at which heap objects may be left.
#[derive(Clone, Debug)]
pub struct Leak {
    /// When an object is left.
    pub cond: TermId,
    /// What that violates; lost memory only if no pointer leads there, which terms do not say.
    pub property: Property,
    /// Where the program ends.
    pub place: Place,
    /// For each line that allocates: whether an object of that line is left.
    pub lines: Vec<(Place, TermId)>,
}

/// Why an automaton ends where the program does not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CutKind {
    /// Deeper recursion.
    Recursion,
    /// More inlined calls.
    Calls,
    /// More threads.
    Threads,
    /// More objects.
    Objects,
    /// Larger objects, or parts of them farther from their beginning.
    Cells,
    /// Accesses that are not aligned to the cells of their object.
    Alignment,
    /// More iterations of a loop inside one that is perhaps run in vain.
    Iterations,
    /// Not modelled.
    Unsupported(Unmodelled),
    /// Undefined behaviour whose property is not checked: not a bound, but worth a note.
    Undefined(Property),
}

/// A place where an automaton ends although the program goes on.
#[derive(Clone, Debug)]
pub struct Cut {
    /// When it is reached.
    pub cond: TermId,
    /// Why.
    pub kind: CutKind,
    /// Where.
    pub place: Place,
}

/// What a thread asks for.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// When.
    pub cond: TermId,
    /// What it is given.
    pub answer: Answer,
}

/// What a thread is given.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// The value of an input.
    Input(TermId),
    /// The address of a new object.
    Address(TermId),
    /// The number of a new thread.
    Number(TermId),
}

/// A point that a thread cannot pass, so that it waits there. Noted only if deadlocks are checked.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// When it does not get on.
    pub cond: TermId,
    /// The word of the mutex that it waits for: 0 or the number of the thread that has it.
    pub word: Option<TermId>,
    /// The instruction; the head of the loop if it spins.
    pub at: InstrRef,
    /// Its line, outside library models.
    pub place: Place,
    /// How the thread waits.
    pub how: Waiting,
}

/// How a thread waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// An instruction cannot be passed.
    Blocked,
    /// Iterations of a loop change nothing.
    Spins,
    /// Iterations of a loop inside it were not followed to their end: perhaps it spins.
    Perhaps,
}

/// An instruction that a step executes, as far as a replay has to know.
#[derive(Clone, Copy, Debug)]
pub struct Trail {
    /// When.
    pub cond: TermId,
    /// The instruction; none for the thread's end.
    pub at: Option<InstrRef>,
    /// The address that it uses.
    pub address: Option<TermId>,
}

/// A control state, with all that its step does.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Where the thread stands; none before it begins and after its end.
    pub position: Option<Position>,
    /// Where the step can end.
    pub transitions: Vec<Transition>,
    /// Accesses for races, in order.
    pub accesses: Vec<Access>,
    /// What can be violated.
    pub violations: Vec<Violation>,
    /// What is cut off.
    pub cuts: Vec<Cut>,
    /// Ends of the program at which objects may be left.
    pub leaks: Vec<Leak>,
    /// Where the thread may wait in this step.
    pub waits: Vec<Wait>,
    /// When the thread goes no further: it fails an assumption, does something undefined, or the
    /// automaton ends. Noted only if infinite executions are looked at, as the next three.
    pub stops: Vec<TermId>,
    /// When it cannot go on now.
    pub blocked: Vec<TermId>,
    /// When the thread goes on although what it waits for has not come.
    pub wakes: Vec<TermId>,
    /// When the step ends the program.
    pub exits: Vec<TermId>,
    /// What is asked for, in order.
    pub choices: Vec<Choice>,
    /// What is executed, in order.
    pub trail: Vec<Trail>,
    /// Cells that accesses for races mean, whether their values matter or not.
    pub touches: Vec<Touch>,
    /// Variables that each step has anew.
    pub inputs: Vec<TermId>,
    /// What holds of inputs.
    pub assumptions: Vec<TermId>,
    /// Whether a thread is created.
    pub creates: bool,
    /// Whether it is there for its length only.
    pub idle: bool,
    /// The registers that may be read before they are written again, sorted.
    pub live: Vec<(ContextId, RegId)>,
}

impl State {
    /// Whether the thread is inside an atomic section.
    pub fn in_section(&self) -> bool {
        self.position.is_some_and(|p| p.sections > 0)
    }

    /// All terms, in a fixed order.
    pub fn terms(&self) -> Vec<TermId> {
        let mut all = Vec::new();
        self.clone().visit(&mut |t| all.push(*t));
        all
    }

    /// Visits all terms but inputs, in a fixed order.
    fn visit(&mut self, see: &mut dyn FnMut(&mut TermId)) {
        for transition in &mut self.transitions {
            see(&mut transition.guard);
            transition.updates.iter_mut().for_each(|u| see(&mut u.1));
        }
        for a in &mut self.accesses {
            see(&mut a.cond);
            see(&mut a.address);
            see(&mut a.writes);
        }
        self.touches.iter_mut().for_each(|t| see(&mut t.cond));
        self.violations.iter_mut().for_each(|v| see(&mut v.cond));
        self.cuts.iter_mut().for_each(|c| see(&mut c.cond));
        for leak in &mut self.leaks {
            see(&mut leak.cond);
            leak.lines.iter_mut().for_each(|l| see(&mut l.1));
        }
        for wait in &mut self.waits {
            see(&mut wait.cond);
            wait.word.iter_mut().for_each(&mut *see);
        }
        for all in [&mut self.stops, &mut self.blocked, &mut self.wakes, &mut self.exits] {
            all.iter_mut().for_each(&mut *see);
        }
        for choice in &mut self.choices {
            see(&mut choice.cond);
            match &mut choice.answer {
                Answer::Input(t) | Answer::Address(t) | Answer::Number(t) => see(t),
            }
        }
        for trail in &mut self.trail {
            see(&mut trail.cond);
            trail.address.iter_mut().for_each(&mut *see);
        }
        self.assumptions.iter_mut().for_each(&mut *see);
    }

    /// The same with variables replaced; what can no longer happen is left out, and so is what no
    /// longer changes.
    #[must_use]
    pub fn replaced(&self, terms: &mut Terms, map: &FxHashMap<TermId, TermId>) -> State {
        let new = terms.substitute(&self.terms(), map);
        let mut state = self.clone();
        let mut next = new.into_iter();
        state.visit(&mut |t| *t = next.next().expect("as many terms as before"));
        let happens = |t: TermId| !terms.is_false(t);
        state.transitions.retain(|t| happens(t.guard));
        state.accesses.retain(|a| happens(a.cond));
        state.touches.retain(|t| happens(t.cond));
        state.violations.retain(|v| happens(v.cond));
        state.cuts.retain(|c| happens(c.cond));
        state.leaks.retain(|l| happens(l.cond));
        state.waits.retain(|w| happens(w.cond));
        for all in [&mut state.stops, &mut state.blocked, &mut state.wakes, &mut state.exits] {
            all.retain(|t| happens(*t));
        }
        state.choices.retain(|c| happens(c.cond));
        state.trail.retain(|t| happens(t.cond));
        state
    }
}

/// The automaton of a class.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The class.
    pub class: ClassIx,
    /// Its states; [`StateIx::STOP`] and [`StateIx::START`] come first.
    pub states: Vec<State>,
}

impl Automaton {
    /// A state.
    pub fn state(&self, index: StateIx) -> &State {
        &self.states[index.index()]
    }

    /// The automaton of one thread.
    #[must_use]
    pub fn of_thread(&self, terms: &mut Terms, vars: &mut Vars, thread: ThreadIx) -> Automaton {
        let own = vars.term(terms, StateVar::Own, OWN_BITS);
        let index = terms.constant(u128::from(thread.0), OWN_BITS);
        let map = FxHashMap::from_iter([(own, index)]);
        let states = self.states.iter().map(|s| {
            let mut state = s.replaced(terms, &map);
            for transition in &mut state.transitions {
                transition.updates.retain(|&(var, value)| vars.known(var) != Some(value));
            }
            state
        });
        Automaton { class: self.class, states: states.collect() }
    }

    /// Panics if the automaton is not one.
    pub fn check_invariants(&self, terms: &Terms) {
        assert!(self.states[StateIx::STOP.index()].transitions.is_empty(), "who stops stays");
        for state in &self.states {
            for transition in &state.transitions {
                assert!(transition.target.index() < self.states.len(), "targets exist");
                assert_eq!(terms.width(transition.guard), 1, "a guard is a condition");
                let mut vars: Vec<StateVar> = transition.updates.iter().map(|u| u.0).collect();
                vars.dedup();
                assert_eq!(vars.len(), transition.updates.len(), "each variable once");
                assert!(!vars.contains(&StateVar::Own), "who a thread is does not change");
            }
        }
    }
}

/// Width of [`StateVar::Own`].
pub const OWN_BITS: u32 = 8;

/// What a register that its function does not have is for (`pure.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// The head of the loop.
    pub head: InstrRef,
    /// The register whose value at the last arrival it is, if it is one.
    pub of: Option<RegId>,
    /// What it says otherwise.
    pub what: &'static str,
}

/// The automata of all classes, with what they speak of.
pub struct Automata {
    /// Threads, objects, cells.
    pub layout: Layout,
    /// State variables.
    pub vars: Vars,
    /// One for each class.
    pub classes: Vec<Automaton>,
    /// What is remembered of loops, by function and register.
    pub remembered: BTreeMap<(FuncId, RegId), Remembered>,
}

impl Automata {
    /// Larger bounds, if with these a state is cut off whatever happens in it.
    pub fn needs(&self, terms: &Terms, bounds: Bounds) -> Option<Bounds> {
        let states = self.classes.iter().flat_map(|c| &c.states);
        let mut certain = states.flat_map(|s| &s.cuts).filter(|c| terms.is_true(c.cond));
        certain.find_map(|cut| bounds.beyond(&cut.kind))
    }
}
