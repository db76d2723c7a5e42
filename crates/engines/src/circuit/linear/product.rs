//! Infinite executions of a composition as executions of a larger one: who can go on, what is fair,
//! and the automaton of a negated formula, all as variables, constraints and conditions that must hold
//! infinitely often (*justice*).
//!
//! What is an infinite execution is defined in `docs/semantics.md`; here it is
//! - in each step some thread moves, unless none can go on or the program has ended;
//! - no thread fails an assumption, does something undefined or comes to an end of the automata;
//! - *weak* fairness: infinitely often a thread moves or cannot go on; *strong*: it moves infinitely
//!   often, or from some guessed moment on it can never go on.
//!
//! A thread can go on if its step is not blocked. If that depends on inputs, those are guessed, also to the
//! disadvantage of the thread: then executions are looked at that are not fair, which a replay finds out,
//! and none is left out.
//! While a thread is inside an atomic section nothing is looked at: the section is one step.
//! Letters are read when they differ from the last one, so that `X` counts changes; when nothing will
//! change any more, which is guessed and then enforced, the last letter is read again and again. Formulas
//! without `X` do not mind, and read each letter.

use raddle_automaton::{Kind, State, StateIx, StateVar, ThreadIx};
use raddle_ir::linear::{Atom, Fairness, Formula};
use raddle_ir::{AllocKind, Op, Program};
use raddle_term::TermId;

use super::atoms::Atoms;
use super::tester::{Part, Tester};
use crate::circuit::compose::{Composition, Name};

/// What is added to a composition.
pub struct Product {
    /// What holds in every step.
    pub constraints: Vec<TermId>,
    /// What holds infinitely often.
    pub justice: Vec<TermId>,
    /// By thread: that it is the one that waits for ever.
    pub waits: Vec<TermId>,
}

/// What shall be violated.
pub enum Against<'a> {
    /// A formula over atoms.
    Formula(&'a Formula, &'a [Atom]),
    /// That no thread waits for ever.
    Waiting,
}

/// Adds all that is needed; `None` if an atom speaks of memory without a cell.
pub fn product(
    program: &Program,
    composition: &mut Composition,
    against: &Against,
    fairness: Fairness,
) -> Option<Product> {
    let (exit_at, exited) = composition.watch(Some(false));
    let made = Product { constraints: Vec::new(), justice: Vec::new(), waits: Vec::new() };
    let mut maker = Maker { program, composition, exited, made };
    maker.end_of_program(exit_at);
    let quiet = maker.quiet();
    let threads: Vec<Doing> =
        (0..maker.composition.steps.len()).map(|t| maker.doing(ThreadIx(t as u32))).collect();
    maker.steps(&threads);
    for doing in &threads {
        maker.fairness(doing, quiet, fairness);
    }
    match against {
        Against::Formula(formula, atoms) => maker.formula(formula, atoms, quiet)?,
        Against::Waiting => maker.waiting(),
    }
    Some(maker.made)
}

/// What a thread can do and does.
struct Doing {
    /// It can go on, without being woken for no reason.
    can: TermId,
    /// It makes a step.
    moves: TermId,
    /// It is chosen and goes no further.
    stops: TermId,
}

struct Maker<'a> {
    program: &'a Program,
    composition: &'a mut Composition,
    exited: TermId,
    made: Product,
}

impl Maker<'_> {
    fn states(&self, thread: ThreadIx) -> Vec<(StateIx, State)> {
        let steps = &self.composition.steps[thread.index()];
        (1..steps.len()).map(|s| (StateIx(s as u32), steps[s].clone())).collect()
    }

    /// The program ends with a step that says so; nobody moves after that.
    fn end_of_program(&mut self, exit_at: usize) {
        let mut ends = vec![self.exited];
        for t in 0..self.composition.steps.len() {
            let thread = ThreadIx(t as u32);
            for (state, step) in self.states(thread) {
                if step.exits.is_empty() {
                    continue;
                }
                let chosen = self.composition.chosen[t];
                let undisturbed = self.composition.undisturbed(&[thread]);
                let stands = self.composition.stands(thread, state, &step);
                let exits = self.composition.terms.or_all(&step.exits);
                let terms = &mut self.composition.terms;
                ends.push(terms.and_all(&[chosen, undisturbed, stands, exits]));
            }
        }
        let terms = &mut self.composition.terms;
        self.composition.variables[exit_at].next = terms.or_all(&ends);
        let terms = &mut self.composition.terms;
        let after = terms.and(self.exited, self.composition.moves);
        self.made.constraints.push(terms.not(after));
    }

    /// The condition that nobody is inside an atomic section.
    fn quiet(&mut self) -> TermId {
        self.composition.undisturbed(&[])
    }

    fn doing(&mut self, thread: ThreadIx) -> Doing {
        let undisturbed = self.composition.undisturbed(&[thread]);
        let chosen = self.composition.chosen[thread.index()];
        let (mut can, mut moves, mut stops) = (Vec::new(), Vec::new(), Vec::new());
        for (state, step) in self.states(thread) {
            let at = self.composition.now(Name::At(thread, state));
            let stands = self.composition.stands(thread, state, &step);
            let terms = &mut self.composition.terms;
            let guards: Vec<TermId> = step.transitions.iter().map(|t| t.guard).collect();
            let goes = terms.or_all(&guards);
            let stop = terms.or_all(&step.stops);
            let able = if state == StateIx::START {
                terms.or(goes, stop)
            } else {
                let blocked: Vec<TermId> =
                    step.blocked.iter().chain(&step.wakes).copied().collect();
                let blocked = terms.or_all(&blocked);
                terms.not(blocked)
            };
            can.push(terms.and(at, able));
            moves.push(terms.and_all(&[chosen, undisturbed, stands, goes]));
            stops.push(terms.and_all(&[chosen, undisturbed, stands, stop]));
        }
        let terms = &mut self.composition.terms;
        let lives = terms.not(self.exited);
        let can = terms.or_all(&can);
        let can = terms.and(can, lives);
        let (moves, stops) = (terms.or_all(&moves), terms.or_all(&stops));
        Doing { can, moves, stops }
    }

    /// Which steps there are.
    fn steps(&mut self, threads: &[Doing]) {
        let terms = &mut self.composition.terms;
        let can: Vec<TermId> = threads.iter().map(|d| d.can).collect();
        let can = terms.or_all(&can);
        let moves: Vec<TermId> = threads.iter().map(|d| d.moves).collect();
        let moves = terms.or_all(&moves);
        self.made.constraints.push(terms.implies(can, moves));
        let stops: Vec<TermId> = threads.iter().map(|d| d.stops).collect();
        let stops = terms.or_all(&stops);
        let lives = terms.not(self.exited);
        let stops = terms.and(stops, lives);
        self.made.constraints.push(terms.not(stops));
    }

    fn fairness(&mut self, doing: &Doing, quiet: TermId, fairness: Fairness) {
        match fairness {
            Fairness::None => {}
            Fairness::Weak => {
                let terms = &mut self.composition.terms;
                let cannot = terms.not(doing.can);
                let cannot = terms.and(cannot, quiet);
                let just = terms.or_all(&[doing.moves, cannot, self.exited]);
                self.made.justice.push(just);
            }
            Fairness::Strong => {
                let never = self.since_some_moment();
                let terms = &mut self.composition.terms;
                let goes = terms.and(doing.can, quiet);
                let cannot = terms.not(goes);
                self.made.constraints.push(terms.implies(never, cannot));
                let just = terms.or_all(&[doing.moves, never, self.exited]);
                self.made.justice.push(just);
            }
        }
    }

    /// Something that is guessed to be so from some moment on.
    fn since_some_moment(&mut self) -> TermId {
        let guess = self.composition.guess();
        let (at, holds) = self.composition.watch(Some(false));
        let next = self.composition.terms.or(holds, guess);
        self.composition.variables[at].next = next;
        holds
    }

    /// The automaton of the words of which a formula does not hold.
    fn formula(&mut self, formula: &Formula, atoms: &[Atom], quiet: TermId) -> Option<()> {
        let exited = self.exited;
        let mut letters = Vec::new();
        for atom in atoms {
            let mut maker = Atoms { program: self.program, composition: self.composition, exited };
            letters.push(maker.term(atom)?);
        }
        let read = match formula.has_next() {
            true => self.changes(&letters, quiet),
            false => quiet,
        };
        let tester = Tester::new(formula, false);
        let guesses: Vec<TermId> =
            tester.promised.iter().map(|_| self.composition.guess()).collect();
        let mut holds: Vec<TermId> = Vec::new();
        for part in &tester.parts {
            let terms = &mut self.composition.terms;
            holds.push(match *part {
                Part::Constant(true) => terms.tru(),
                Part::Constant(false) => terms.fals(),
                Part::Atom(a, true) => letters[a],
                Part::Atom(a, false) => terms.not(letters[a]),
                Part::And(a, b) => terms.and(holds[a], holds[b]),
                Part::Or(a, b) => terms.or(holds[a], holds[b]),
                Part::Next(_, p) => guesses[p],
                Part::Until(a, b, p) => {
                    let later = terms.and(holds[a], guesses[p]);
                    terms.or(holds[b], later)
                }
                Part::Release(a, b, p) => {
                    let later = terms.or(holds[a], guesses[p]);
                    terms.and(holds[b], later)
                }
            });
        }
        let fals = self.composition.terms.fals();
        let first = self.promise(true, fals, read, holds[tester.root]);
        debug_assert!(self.composition.terms.as_const(first).is_none(), "it is a variable");
        let mut promised = Vec::new();
        for (&part, &guess) in tester.promised.iter().zip(&guesses) {
            promised.push(self.promise(false, guess, read, holds[part]));
        }
        self.made.justice.push(read);
        for (promise, second) in tester.eventualities() {
            let terms = &mut self.composition.terms;
            let none = terms.not(promised[promise]);
            let kept = terms.or(none, holds[second]);
            let just = terms.and(read, kept);
            self.made.justice.push(just);
        }
        Some(())
    }

    /// A promise: whether it is given, what is promised next, and what must hold when it is read.
    fn promise(&mut self, initial: bool, next: TermId, read: TermId, holds: TermId) -> TermId {
        let (at, given) = self.composition.watch(Some(initial));
        let terms = &mut self.composition.terms;
        let due = terms.and(given, read);
        self.made.constraints.push(terms.implies(due, holds));
        self.composition.variables[at].next = terms.ite(read, next, given);
        given
    }

    /// When a letter is read: it differs from the last one, or nothing will change any more.
    fn changes(&mut self, letters: &[TermId], quiet: TermId) -> TermId {
        let settled = self.since_some_moment();
        let (begun_at, begun) = self.composition.watch(Some(false));
        let lasts: Vec<(usize, TermId)> =
            letters.iter().map(|_| self.composition.watch(Some(false))).collect();
        let terms = &mut self.composition.terms;
        let differ: Vec<TermId> = letters
            .iter()
            .zip(&lasts)
            .map(|(&letter, &(_, last))| {
                let same = terms.eq(letter, last);
                terms.not(same)
            })
            .collect();
        let differs = terms.or_all(&differ);
        let first = terms.not(begun);
        let due = terms.or_all(&[first, differs, settled]);
        let read = terms.and(due, quiet);
        let changes = terms.and_all(&[settled, begun, quiet, differs]);
        self.made.constraints.push(terms.not(changes));
        self.composition.variables[begun_at].next = terms.or(begun, read);
        for (&letter, &(at, last)) in letters.iter().zip(&lasts) {
            self.composition.variables[at].next = self.composition.terms.ite(read, letter, last);
        }
        read
    }

    /// One thread, which is guessed, waits from some moment on.
    fn waiting(&mut self) {
        let mut all = Vec::new();
        for t in 0..self.composition.steps.len() {
            let thread = ThreadIx(t as u32);
            let waits = self.since_some_moment();
            let gets_on = self.gets_on(thread);
            let exited = self.exited;
            let mut atoms = Atoms { program: self.program, composition: self.composition, exited };
            let (exists, stands) = (atoms.exists(thread), atoms.stands(thread));
            let terms = &mut self.composition.terms;
            let (lives, no) = (terms.not(exited), terms.not(gets_on));
            let so = terms.and_all(&[exists, stands, lives, no]);
            self.made.constraints.push(terms.implies(waits, so));
            self.made.waits.push(waits);
            all.push(waits);
        }
        let any = self.composition.terms.or_all(&all);
        self.made.justice.push(any);
    }

    /// The condition that a thread changes something that others can see, ends, or waits for the end
    /// of another one.
    fn gets_on(&mut self, thread: ThreadIx) -> TermId {
        let mut all = Vec::new();
        let undisturbed = self.composition.undisturbed(&[thread]);
        let chosen = self.composition.chosen[thread.index()];
        for (state, step) in self.states(thread) {
            let at = self.composition.now(Name::At(thread, state));
            let instr = step.position.and_then(|p| self.program.instr(p.at));
            if matches!(instr.map(|i| &i.op), Some(Op::Join { .. })) {
                all.push(at);
            }
            let stands = self.composition.stands(thread, state, &step);
            for transition in &step.transitions {
                let mut changes = Vec::new();
                for &(var, value) in &transition.updates {
                    let known = self.composition.shared(var).filter(|_| self.is_public(var));
                    if let Some(now) = known {
                        let terms = &mut self.composition.terms;
                        let same = terms.eq(now, value);
                        changes.push(terms.not(same));
                    }
                }
                let terms = &mut self.composition.terms;
                if transition.target == StateIx::STOP {
                    changes.push(terms.tru());
                }
                let changes = terms.or_all(&changes);
                let guard = transition.guard;
                all.push(terms.and_all(&[chosen, undisturbed, stands, guard, changes]));
            }
        }
        self.composition.terms.or_all(&all)
    }

    fn is_public(&self, var: StateVar) -> bool {
        is_public(self.composition.layout.objects.as_slice(), var)
    }
}

/// Whether something is memory that others may see, or says that a thread exists.
pub fn is_public(objects: &[raddle_automaton::Memory], var: StateVar) -> bool {
    let StateVar::Cell(cell) = var else { return false };
    let owner = objects.iter().find(|o| {
        let (first, count) = o.cells;
        let number = u64::from(cell.0);
        (u64::from(first.0)..u64::from(first.0) + count).contains(&number)
            || o.life == Some(cell)
            || o.length == Some(cell)
    });
    match owner.map(|o| (o.kind, o.escapes)) {
        Some((Kind::Global(_), _)) | None => true,
        Some((Kind::ThreadLocal(..), escapes)) => escapes,
        Some((Kind::Allocated(_, _, _, AllocKind::Heap), _)) => true,
        Some((Kind::Allocated(_, _, _, AllocKind::Stack), escapes)) => escapes,
    }
}
