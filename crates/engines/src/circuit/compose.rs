//! All threads under a scheduler as one transition system over terms.
//!
//! Idea: where a thread stands is one bit for each control state, none once it has stopped; its
//! registers and counters are its own copies, cells of memory and what threads hand over are shared. An
//! input chooses the thread that makes a step; what its automaton says about the step is the next
//! value of every variable. A thread that cannot make its step leaves everything as it is. While a
//! thread is inside an atomic section nobody else is chosen. If threads stand for any number
//! (`any_number.rs`), a variable says whether somebody is.
//! Registers that are not read any more are 0, so that states that do not differ are equal.
//! Source: paper 003 §2 (thread circuits and their scheduler).
//! We differ: control is one-hot, because invariants speak of places; and a step is a step of the
//! automaton, with all invisible instructions.
//! Invariants: (1) at most one bit of a thread's places is set; (2) an argument that is always handed
//! over with the same value has that value, and so has a register (`constants.rs`).

use raddle_automaton::{
    Automata, Automaton, CellId, ContextId, Initial, Layout, SiteIx, State, StateIx, StateVar,
    ThreadIx, Vars,
};
use raddle_ir::{BlockId, InstrRef, RegId};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::constants::constant_registers;
use super::creations::{Creations, creations};

/// A variable of the system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name {
    /// Whether a thread stands in a state.
    At(ThreadIx, StateIx),
    /// A register of a thread.
    Register(ThreadIx, ContextId, RegId),
    /// A counter of a thread.
    Count(ThreadIx, SiteIx),
    /// Where the single copy of a function returns to, in a thread.
    Return(ThreadIx, ContextId),
    /// What threads share.
    Shared(StateVar),
    /// What is added to watch infinite executions.
    Watch(u32),
    /// Whether some thread is inside an atomic section, perhaps one that does not show.
    Section,
}

impl Name {
    /// A variable of an automaton, in a thread.
    pub fn of(thread: ThreadIx, var: StateVar) -> Name {
        match var {
            StateVar::Own => unreachable!("threads know who they are, and it never changes"),
            StateVar::Register(context, reg) => Name::Register(thread, context, reg),
            StateVar::Count(site) => Name::Count(thread, site),
            StateVar::Return(context) => Name::Return(thread, context),
            StateVar::Cell(_) | StateVar::Argument(..) | StateVar::Result(_) => Name::Shared(var),
        }
    }
}

/// A variable with what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Which.
    pub name: Name,
    /// Its value before a step: a variable of terms.
    pub now: TermId,
    /// Its value after the step.
    pub next: TermId,
    /// Its first value; any if there is none.
    pub initial: Option<u128>,
}

/// The inputs that a thread's step asks for. In a race two threads stand before their steps, so there
/// are two sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pool {
    /// Of the thread that is chosen.
    First,
    /// Of another one.
    Second,
}

/// What is left out of a composition although automata have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// Nothing.
    Nothing,
    /// Registers that hold one value whenever they are read.
    Constants,
    /// Moreover threads of which main's own control flow shows that they are never created: they stand
    /// nowhere, and all that they have is stuck.
    ConstantsAndThreads,
}

/// The composition.
pub struct Composition {
    /// All terms.
    pub terms: Terms,
    /// Threads, objects and cells.
    pub layout: Layout,
    /// Whether main is known to create no threads but those that have names.
    pub main_creates_no_more: bool,
    /// By thread and state: what its step does, over variables of the system.
    pub steps: Vec<Vec<State>>,
    /// By thread and state: the condition that the step can be made.
    pub can: Vec<Vec<TermId>>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The inputs: the choice of a thread first.
    pub inputs: Vec<TermId>,
    /// By thread: the condition that it is chosen.
    pub chosen: Vec<TermId>,
    /// The condition that somebody makes a step.
    pub moves: TermId,
    /// By thread: the condition that it is inside an atomic section.
    pub in_section: Vec<TermId>,
    /// What holds in each step that is looked at: the scheduler may be restricted.
    pub constraints: Vec<TermId>,
    index: FxHashMap<Name, usize>,
    /// What threads share, as terms.
    values_of: FxHashMap<StateVar, TermId>,
    /// By pool: its inputs, each as wide as needed so far.
    pools: [Vec<TermId>; 2],
    /// By thread: its variables, for the terms of its automaton.
    own: Vec<FxHashMap<TermId, TermId>>,
    automata: Vec<Automaton>,
}

/// Width of inputs: the widest that a step asks for.
const INPUT_BITS: u32 = 128;

impl Composition {
    /// How many bits a state has.
    pub fn bits(&self) -> u64 {
        self.variables.iter().map(|v| u64::from(self.terms.width(v.now))).sum()
    }

    /// Composes the threads of a program.
    pub fn new(terms: Terms, automata: Automata) -> Composition {
        Composition::observing(terms, automata, &[], LeftOut::Nothing)
    }

    /// The same with variables for some cells, even if no thread reads them.
    pub fn observing(
        terms: Terms,
        automata: Automata,
        cells: &[CellId],
        left_out: LeftOut,
    ) -> Composition {
        let mut composition = Composition::unconnected(terms, automata, cells, left_out);
        composition.connect_all();
        composition
    }

    /// The same before it is said what becomes of variables: steps may still change.
    pub fn unconnected(
        mut terms: Terms,
        automata: Automata,
        cells: &[CellId],
        left_out: LeftOut,
    ) -> Composition {
        let Automata { layout, mut vars, classes, .. } = automata;
        for &cell in cells {
            vars.term(&mut terms, StateVar::Cell(cell), layout.cells[cell.index()].width);
        }
        let mut threads: Vec<Automaton> = Vec::new();
        for thread in layout.thread_ids() {
            let class = layout.threads[thread.index()].class;
            threads.push(classes[class.index()].of_thread(&mut terms, &mut vars, thread));
        }
        let creations = match left_out {
            LeftOut::Nothing | LeftOut::Constants => Creations::unknown(&layout),
            LeftOut::ConstantsAndThreads => creations(&mut terms, &layout, &vars, &threads[0]),
        };
        // With a number that chooses nobody, and no wider, so that most random choices choose somebody.
        let width = (threads.len() + 1).next_power_of_two().ilog2();
        let choice = terms.fresh(width);
        let numbers: Vec<TermId> =
            (0..threads.len()).map(|t| terms.constant(t as u128, width)).collect();
        let chosen = numbers.into_iter().map(|n| terms.eq(choice, n)).collect();
        let mut composition = Composition {
            moves: terms.fals(),
            terms,
            layout,
            steps: Vec::new(),
            can: Vec::new(),
            variables: Vec::new(),
            main_creates_no_more: creations.all,
            inputs: vec![choice],
            chosen,
            in_section: Vec::new(),
            constraints: Vec::new(),
            index: FxHashMap::default(),
            values_of: FxHashMap::default(),
            pools: [Vec::new(), Vec::new()],
            own: Vec::new(),
            automata: threads,
        };
        composition.make_variables(&vars, cells, &creations.created, left_out);
        if composition.layout.stand_ins().next().is_some() {
            let now = composition.terms.fresh(1);
            composition.variable(Name::Section, now, Some(0));
        }
        for t in 0..composition.automata.len() {
            let thread = ThreadIx(t as u32);
            let states = 0..composition.automata[t].states.len();
            let steps = states.map(|s| match creations.created[t] {
                true => composition.step(thread, StateIx(s as u32), Pool::First),
                false => composition.nowhere(thread, StateIx(s as u32)),
            });
            let steps = steps.collect();
            composition.steps.push(steps);
        }
        for steps in &composition.steps {
            let guards = |s: &State| s.transitions.iter().map(|t| t.guard).collect::<Vec<_>>();
            let can = steps.iter().map(|s| composition.terms.or_all(&guards(s)));
            composition.can.push(can.collect());
        }
        composition.make_sections();
        composition
    }

    /// Says what becomes of variables.
    pub fn connect_all(&mut self) {
        for t in 0..self.steps.len() {
            for s in 0..self.steps[t].len() {
                self.connect(ThreadIx(t as u32), StateIx(s as u32));
            }
        }
    }

    fn make_variables(
        &mut self,
        vars: &Vars,
        cells: &[CellId],
        created: &[bool],
        left_out: LeftOut,
    ) {
        let mut all: Vec<Vec<StateVar>> =
            self.automata.iter().map(|a| used(&self.terms, vars, a)).collect();
        if let Some(first) = all.first_mut() {
            first.extend(cells.iter().map(|&c| StateVar::Cell(c)));
            first.sort_unstable();
            first.dedup();
        }
        let constants = constant_arguments(&self.terms, vars, &self.automata);
        let stand_ins = self.layout.stand_ins().next().is_some();
        for (t, used) in all.into_iter().enumerate() {
            let thread = ThreadIx(t as u32);
            for s in 1..self.automata[t].states.len() {
                let state = StateIx(s as u32);
                let now = self.terms.fresh(1);
                let initial = u128::from(state == StateIx::START && created[t]);
                self.variable(Name::At(thread, state), now, Some(initial));
            }
            let mut own = FxHashMap::default();
            // Threads that stand for others are alike; constants could tell them apart.
            let registers = match left_out {
                LeftOut::Constants | LeftOut::ConstantsAndThreads if !stand_ins => {
                    let automaton = &self.automata[t];
                    constant_registers(&mut self.terms, vars, automaton, &constants)
                }
                LeftOut::Constants | LeftOut::ConstantsAndThreads | LeftOut::Nothing => {
                    FxHashMap::default()
                }
            };
            for var in used {
                let shared = vars.known(var).expect("it occurs");
                if let Some(&value) = registers.get(&var) {
                    own.insert(shared, value);
                    continue;
                }
                let width = self.terms.width(shared);
                let name = Name::of(thread, var);
                if let Name::Shared(_) = name {
                    let value = constants.get(&var).copied();
                    self.values_of.insert(var, value.unwrap_or(shared));
                    if let Some(value) = value {
                        own.insert(shared, value);
                    } else if !self.index.contains_key(&name) {
                        let initial = self.initial(var);
                        self.variable(name, shared, initial);
                    }
                    continue;
                }
                let now = self.terms.fresh(width);
                own.insert(shared, now);
                self.variable(name, now, Some(0));
            }
            self.own.push(own);
        }
    }

    fn initial(&self, var: StateVar) -> Option<u128> {
        match var {
            StateVar::Cell(cell) => match self.layout.cells[cell.index()].initial {
                Initial::Value(value) => Some(value),
                Initial::Arbitrary => None,
            },
            StateVar::Argument(..) | StateVar::Result(_) => Some(0),
            StateVar::Own | StateVar::Register(..) | StateVar::Count(_) | StateVar::Return(_) => {
                unreachable!("threads have their own")
            }
        }
    }

    fn variable(&mut self, name: Name, now: TermId, initial: Option<u128>) {
        let known = self.index.insert(name, self.variables.len());
        debug_assert!(known.is_none(), "each variable once");
        self.variables.push(Variable { name, now, next: now, initial });
    }

    /// The value of something that threads share, if it is read.
    pub fn shared(&self, var: StateVar) -> Option<TermId> {
        self.values_of.get(&var).copied()
    }

    /// The instructions before which the functions of a thread that are under way in a state stand,
    /// innermost first.
    pub fn stack(&self, thread: ThreadIx, state: StateIx) -> Vec<InstrRef> {
        let contexts = &self.layout.contexts;
        let position = self.steps[thread.index()][state.index()].position;
        let class = self.layout.threads[thread.index()].class;
        let begin = contexts.entry(class);
        let first = || {
            let func = contexts.get(begin).func;
            (begin, InstrRef { func, block: BlockId(0), index: 0 })
        };
        let mut at = Some(position.map_or_else(first, |p| (p.context, p.at)));
        let mut all = Vec::new();
        while let Some((context, instr)) = at {
            all.push(instr);
            at = contexts.get(context).caller();
        }
        all
    }

    /// Adds a variable that watches executions; what becomes of it is said later.
    pub fn watch(&mut self, initial: Option<bool>) -> (usize, TermId) {
        let now = self.terms.fresh(1);
        let number = self.variables.len();
        self.variable(Name::Watch(number as u32), now, initial.map(u128::from));
        (number, now)
    }

    /// Adds an input of one bit.
    pub fn guess(&mut self) -> TermId {
        let input = self.terms.fresh(1);
        self.inputs.push(input);
        input
    }

    /// The variable of a name.
    pub fn now(&self, name: Name) -> TermId {
        self.variables[self.index[&name]].now
    }

    /// The variable of a name, if there is one.
    pub fn known(&self, name: Name) -> Option<TermId> {
        self.index.get(&name).map(|&i| self.variables[i].now)
    }

    /// Chooses only threads for which a condition holds; in a step that nobody makes nobody is chosen.
    pub fn restrict(&mut self, allowed: &[TermId]) {
        for (&chosen, &allowed) in self.chosen.iter().zip(allowed) {
            let constraint = self.terms.implies(chosen, allowed);
            self.constraints.push(constraint);
        }
    }

    /// A thread's step in a state, over the variables of the system and the inputs of a pool.
    pub fn step(&mut self, thread: ThreadIx, state: StateIx, pool: Pool) -> State {
        let step = self.automata[thread.index()].state(state).clone();
        let mut map = self.own[thread.index()].clone();
        for (k, &input) in step.inputs.iter().enumerate() {
            let wide = self.input(pool, k);
            let width = self.terms.width(input);
            let value = self.terms.extract(wide, width - 1, 0);
            map.insert(input, value);
        }
        step.replaced(&mut self.terms, &map)
    }

    /// The step in a state of a thread that stands nowhere: none.
    fn nowhere(&self, thread: ThreadIx, state: StateIx) -> State {
        let State { position, live, .. } = self.automata[thread.index()].state(state);
        State { position: *position, live: live.clone(), ..State::default() }
    }

    fn input(&mut self, pool: Pool, k: usize) -> TermId {
        let pool = match pool {
            Pool::First => 0,
            Pool::Second => 1,
        };
        while self.pools[pool].len() <= k {
            let new = self.terms.fresh(INPUT_BITS);
            self.pools[pool].push(new);
            self.inputs.push(new);
        }
        self.pools[pool][k]
    }

    fn make_sections(&mut self) {
        for t in 0..self.automata.len() {
            let inside: Vec<TermId> = (1..self.automata[t].states.len())
                .filter(|&s| self.automata[t].states[s].in_section())
                .map(|s| self.now(Name::At(ThreadIx(t as u32), StateIx(s as u32))))
                .collect();
            let inside = self.terms.or_all(&inside);
            self.in_section.push(inside);
        }
    }

    /// The condition that nobody but these threads is inside an atomic section.
    pub fn undisturbed(&mut self, threads: &[ThreadIx]) -> TermId {
        if let Some(somebody) = self.known(Name::Section) {
            let mut all: Vec<TermId> = threads.iter().map(|t| self.in_section[t.index()]).collect();
            all.push(self.terms.not(somebody));
            return self.terms.or_all(&all);
        }
        let others = (0..self.in_section.len()).filter(|t| threads.iter().all(|u| u.index() != *t));
        let others: Vec<TermId> = others.map(|t| self.in_section[t]).collect();
        let any = self.terms.or_all(&others);
        self.terms.not(any)
    }

    /// The condition that a thread stands in a state and may make its step, with inputs that exist.
    pub fn stands(&mut self, thread: ThreadIx, state: StateIx, step: &State) -> TermId {
        let mut all = step.assumptions.clone();
        all.push(self.now(Name::At(thread, state)));
        self.terms.and_all(&all)
    }

    /// Adds what a thread's step in a state does.
    fn connect(&mut self, thread: ThreadIx, state: StateIx) {
        if state == StateIx::STOP {
            return;
        }
        let step = self.steps[thread.index()][state.index()].clone();
        let undisturbed = self.undisturbed(&[thread]);
        let stands = self.stands(thread, state, &step);
        let go = self.terms.and_all(&[self.chosen[thread.index()], stands, undisturbed]);
        for transition in &step.transitions {
            let taken = self.terms.and(go, transition.guard);
            self.moves = self.terms.or(self.moves, taken);
            if transition.target != state {
                let (tru, fals) = (self.terms.tru(), self.terms.fals());
                self.set(Name::At(thread, state), taken, fals);
                if transition.target != StateIx::STOP {
                    self.set(Name::At(thread, transition.target), taken, tru);
                }
            }
            for &(var, value) in &transition.updates {
                let name = Name::of(thread, var);
                // What has no variable is read by nobody, or constant.
                if self.index.contains_key(&name) {
                    self.set(name, taken, value);
                }
            }
            self.forget(thread, &step, transition.target, taken);
            let goes_on = self.automata[thread.index()].state(transition.target).in_section();
            if self.index.contains_key(&Name::Section) && goes_on != step.in_section() {
                let inside = self.terms.constant(u128::from(goes_on), 1);
                self.set(Name::Section, taken, inside);
            }
        }
    }

    /// Registers that were live and are not any more become 0.
    fn forget(&mut self, thread: ThreadIx, step: &State, target: StateIx, taken: TermId) {
        let automaton = &self.automata[thread.index()];
        let live = automaton.state(target).live.clone();
        for &(context, reg) in step.live.iter().filter(|r| live.binary_search(r).is_err()) {
            let name = Name::Register(thread, context, reg);
            if let Some(&i) = self.index.get(&name) {
                let zero = self.terms.constant(0, self.terms.width(self.variables[i].now));
                self.set(name, taken, zero);
            }
        }
    }

    fn set(&mut self, name: Name, cond: TermId, value: TermId) {
        let i = self.index[&name];
        let next = self.terms.ite(cond, value, self.variables[i].next);
        self.variables[i].next = next;
    }

    /// The values of the variables of terms in a state with inputs.
    pub fn values(&self, state: &[u128], inputs: &[u128]) -> FxHashMap<VarId, u128> {
        let variables = self.variables.iter().map(|v| v.now).zip(state);
        let all = variables.chain(self.inputs.iter().copied().zip(inputs));
        let var = |t: TermId| self.terms.as_var(t).expect("it is a variable");
        all.map(|(t, &value)| (var(t), value)).collect()
    }
}

/// The state variables that occur in an automaton, sorted.
fn used(terms: &Terms, vars: &Vars, automaton: &Automaton) -> Vec<StateVar> {
    let all: Vec<TermId> = automaton.states.iter().flat_map(State::terms).collect();
    vars.in_terms(terms, &all)
}

/// Arguments that are only ever handed over with one constant value. They are read by their thread
/// when it begins, after they were handed over.
fn constant_arguments(
    terms: &Terms,
    vars: &Vars,
    threads: &[Automaton],
) -> FxHashMap<StateVar, TermId> {
    let mut values: FxHashMap<StateVar, Vec<TermId>> = FxHashMap::default();
    let transitions = threads.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions);
    for &(var, value) in transitions.flat_map(|t| &t.updates) {
        if let StateVar::Argument(..) = var {
            let mut open = vec![value];
            while let Some(term) = open.pop() {
                match terms.as_ite(term) {
                    Some((_, a, b)) => open.extend([a, b]),
                    None if vars.known(var) == Some(term) => {}
                    None => values.entry(var).or_default().push(term),
                }
            }
        }
    }
    values.retain(|_, all| all.iter().all(|t| *t == all[0] && terms.as_const(*t).is_some()));
    values.into_iter().map(|(var, all)| (var, all[0])).collect()
}
