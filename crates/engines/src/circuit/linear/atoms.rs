//! Atoms of formulas as terms over the variables of a composition.
//!
//! Memory is read byte by byte from the cells that a part lies in. Where a thread is follows from its
//! control state; steps end wherever that matters (`raddle_automaton`, `observe.rs`).

use raddle_automaton::{Automata, CellId, Kind, Layout, StateIx, StateVar, ThreadIx};
use raddle_ir::linear::{Atom, Computation, Part};
use raddle_ir::{FuncId, InstrRef, Operand, Program};
use raddle_summary::expression;
use raddle_term::TermId;

use crate::circuit::compose::{Composition, Name};

/// The cells that atoms read.
pub fn observed(automata: &Automata, atoms: &[Atom]) -> Vec<CellId> {
    let parts = atoms.iter().flat_map(|atom| match atom {
        Atom::Value(made) => made.parts.as_slice(),
        Atom::Before(_) | Atom::Inside(_) | Atom::Terminated(_) => &[],
    });
    let mut cells: Vec<CellId> =
        parts.flat_map(|p| (0..p.bytes).filter_map(|i| cell(&automata.layout, p, i))).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The cell of a byte of a part; none if nobody accesses it.
fn cell(layout: &Layout, part: &Part, byte: u64) -> Option<CellId> {
    let object = layout.objects.iter().find(|o| o.kind == Kind::Global(part.global))?;
    let (first, count) = object.cells;
    let nth = (part.offset + byte).checked_div(object.grain).filter(|n| *n < count)?;
    Some(CellId(first.0 + nth as u32))
}

/// Makes terms of atoms.
pub struct Atoms<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its threads.
    pub composition: &'a mut Composition,
    /// Whether the program has ended.
    pub exited: TermId,
}

impl Atoms<'_> {
    /// The condition that an atom holds; `None` if it speaks of parts that have no cell.
    pub fn term(&mut self, atom: &Atom) -> Option<TermId> {
        match atom {
            Atom::Value(made) => self.value(made),
            Atom::Before(places) => {
                Some(self.somewhere(|_, chain| chain.first().is_some_and(|at| places.contains(at))))
            }
            Atom::Inside(function) => {
                let function = *function;
                Some(self.somewhere(|_, chain| chain.iter().any(|at| at.func == function)))
            }
            Atom::Terminated(function) => Some(self.terminated(*function)),
        }
    }

    fn value(&mut self, made: &Computation) -> Option<TermId> {
        let mut registers = Vec::new();
        for part in &made.parts {
            registers.push(self.part(part)?);
        }
        for step in &made.steps {
            let args: Vec<TermId> = step.operands().map(|o| self.operand(&registers, o)).collect();
            registers.push(expression::evaluate(&mut self.composition.terms, step, &args)?);
        }
        let value = self.operand(&registers, made.result?);
        let terms = &mut self.composition.terms;
        let zero = terms.constant(0, terms.width(value));
        let is_zero = terms.eq(value, zero);
        Some(terms.not(is_zero))
    }

    fn operand(&mut self, registers: &[TermId], operand: Operand) -> TermId {
        match operand {
            Operand::Reg(r) => registers[r.index()],
            Operand::Const(c) => self.composition.terms.constant(c.value, c.width),
            Operand::Global(..) | Operand::Function(_) => {
                unreachable!("atoms are made of registers and constants")
            }
        }
    }

    /// The value of a part of memory, byte by byte.
    fn part(&mut self, part: &Part) -> Option<TermId> {
        let global = self.program.global(part.global);
        let mut value = None;
        for i in 0..part.bytes {
            let cell = cell(&self.composition.layout, part, i);
            let shared = cell.and_then(|c| self.composition.shared(StateVar::Cell(c)));
            let terms = &mut self.composition.terms;
            let byte = match shared {
                Some(word) => {
                    let grain = u64::from(terms.width(word)) / 8;
                    let low = 8 * ((part.offset + i) % grain) as u32;
                    terms.extract(word, low + 7, low)
                }
                // Nobody writes it.
                None if !global.external => {
                    let at = (part.offset + i) as usize;
                    let byte = global.init.get(at).copied().unwrap_or(0);
                    terms.constant(u128::from(byte), 8)
                }
                None => return None,
            };
            value = Some(match value {
                None => byte,
                Some(lower) => terms.concat(byte, lower),
            });
        }
        value
    }

    /// The condition that a thread is somewhere: the instructions before which its functions under way
    /// stand, innermost first, say where.
    fn somewhere(&mut self, is_there: impl Fn(ThreadIx, &[InstrRef]) -> bool) -> TermId {
        let mut all = Vec::new();
        for t in 0..self.composition.steps.len() {
            let thread = ThreadIx(t as u32);
            for s in 1..self.composition.steps[t].len() {
                let state = StateIx(s as u32);
                let chain = self.composition.stack(thread, state);
                if is_there(thread, &chain) {
                    let stands = self.composition.now(Name::At(thread, state));
                    let exists = self.exists(thread);
                    all.push(self.composition.terms.and(stands, exists));
                }
            }
        }
        let terms = &mut self.composition.terms;
        let any = terms.or_all(&all);
        let lives = terms.not(self.exited);
        terms.and(any, lives)
    }

    /// The condition that a thread was created.
    pub fn exists(&mut self, thread: ThreadIx) -> TermId {
        let created = self.composition.layout.threads[thread.index()].created;
        match self.composition.shared(StateVar::Cell(created)) {
            Some(created) if thread.index() > 0 => created,
            Some(_) | None if thread.index() == 0 => self.composition.terms.tru(),
            Some(_) | None => self.composition.terms.fals(),
        }
    }

    /// The condition that a thread stands somewhere: it has not ended.
    pub fn stands(&mut self, thread: ThreadIx) -> TermId {
        let states = 1..self.composition.steps[thread.index()].len();
        let all: Vec<TermId> =
            states.map(|s| self.composition.now(Name::At(thread, StateIx(s as u32)))).collect();
        self.composition.terms.or_all(&all)
    }

    fn terminated(&mut self, function: FuncId) -> TermId {
        let (mut some, mut all) = (Vec::new(), Vec::new());
        for t in 0..self.composition.steps.len() {
            let thread = ThreadIx(t as u32);
            let began = self.began_in(thread, function);
            let exists = self.exists(thread);
            let stands = self.stands(thread);
            let terms = &mut self.composition.terms;
            let counts = terms.and(began, exists);
            some.push(counts);
            let ended = terms.not(stands);
            let ended = terms.or(ended, self.exited);
            all.push(terms.implies(counts, ended));
        }
        let terms = &mut self.composition.terms;
        let some = terms.or_all(&some);
        all.push(some);
        terms.and_all(&all)
    }

    /// The condition that a thread was given a function to run.
    fn began_in(&mut self, thread: ThreadIx, function: FuncId) -> TermId {
        let class = self.composition.layout.threads[thread.index()].class;
        let entry = self.composition.layout.classes[class.index()].entry;
        let terms = &mut self.composition.terms;
        if self.program.entry == Some(entry) {
            let is_main = self.program.function(function).name == "main";
            return if is_main { terms.tru() } else { terms.fals() };
        }
        if entry == function {
            return terms.tru();
        }
        if !self.program.function(entry).is_model {
            return terms.fals();
        }
        match self.composition.shared(StateVar::Argument(thread, 0)) {
            Some(given) => {
                let terms = &mut self.composition.terms;
                let address = u128::from(self.program.function(function).address);
                let address = terms.constant(address, terms.width(given));
                terms.eq(given, address)
            }
            None => self.composition.terms.fals(),
        }
    }
}
