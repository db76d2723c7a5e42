//! Variables and places: what a state of the program is here.
//!
//! A thread stands at one of its places or at none, once it has stopped. Registers that are not read
//! any more count as 0; which ones these are is not believed: who reads one finds no value.
//! Everything else is as `docs/semantics.md` says: objects at addresses, divided into cells of equal
//! size, alive or not; threads created and ended.

use std::collections::BTreeSet;

use raddle_ir::{FuncId, InstrRef, Liveness, Operand, Place, Program, RegId};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::legend::{Kind, Legend, Stand, Way};
use crate::prove::Prover;
use crate::{Limits, No};

/// Bits of a counter of threads or objects.
const COUNT_BITS: u32 = 16;
/// Bits of the size of an object.
pub(crate) const SIZE_BITS: u32 = 64;
/// Bits of the life of an object.
const LIFE_BITS: u32 = 2;

/// A variable of the state. Threads, places and objects are by their number in the legend.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Var {
    /// Whether a thread stands at a place.
    At(usize, usize),
    /// A register of the activation of a function to which these calls have led.
    Register(usize, Way, FuncId, RegId),
    /// A cell of an object.
    Cell(usize, u64),
    /// 0 before an object is made, 1 while it lives, then 2.
    Life(usize),
    /// The size of an object, if that is not constant.
    Length(usize),
    /// Whether a thread was created.
    Created(usize),
    /// Whether it has ended.
    Ended(usize),
    /// What was handed over to it.
    Argument(usize, u32),
    /// What it has left.
    Result(usize),
    /// How many threads or objects a thread has made on a way, if the legend knows several.
    Count(usize, Way),
}

/// A bit of a variable with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub var: Var,
    pub bit: u32,
    pub value: bool,
}

/// Literals that never hold together.
pub(crate) type Cube = Vec<Literal>;

/// A register of an activation.
pub(crate) type Register = (Way, FuncId, RegId);

/// The program with its variables, and a solver that knows what holds of them.
pub(crate) struct Machine<'a> {
    pub program: &'a Program,
    pub legend: &'a Legend,
    pub terms: Terms,
    pub prover: Prover,
    pub facts: Facts,
    vars: FxHashMap<Var, TermId>,
    /// By thread: its places.
    places: Vec<FxHashMap<Stand, usize>>,
    /// By thread and place: the registers that may be read before they are written.
    live: Vec<Vec<BTreeSet<Register>>>,
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, legend: &'a Legend, limits: &Limits) -> Machine<'a> {
        let index = |all: &Vec<Stand>| all.iter().cloned().zip(0..).collect();
        let mut liveness = FxHashMap::default();
        let live = legend.places.iter().map(|all| {
            all.iter().map(|stand| live_registers(program, stand, &mut liveness)).collect()
        });
        let mut machine = Machine {
            program,
            legend,
            terms: Terms::new(),
            prover: Prover::new(limits),
            facts: Facts::default(),
            vars: FxHashMap::default(),
            places: legend.places.iter().map(index).collect(),
            live: live.collect(),
        };
        for thread in 0..legend.threads.len() {
            let at = (0..legend.places[thread].len()).map(|p| machine.now(&Var::At(thread, p)));
            let at: Vec<TermId> = at.collect();
            machine.prover.at_most_one(&machine.terms, &at);
        }
        machine
    }

    /// Its value before a step.
    pub fn now(&mut self, var: &Var) -> TermId {
        if let Some(&term) = self.vars.get(var) {
            return term;
        }
        let term = self.terms.fresh(self.width(var));
        self.vars.insert(var.clone(), term);
        term
    }

    pub fn width(&self, var: &Var) -> u32 {
        match var {
            Var::At(..) | Var::Created(_) | Var::Ended(_) => 1,
            Var::Register(_, _, func, reg) => self.program.function(*func).reg(*reg).width,
            Var::Cell(object, _) => 8 * self.legend.objects[*object].grain as u32,
            Var::Life(_) => LIFE_BITS,
            Var::Length(_) => SIZE_BITS,
            Var::Argument(thread, nth) => {
                let entry = self.program.function(self.legend.threads[*thread].entry);
                entry.reg(entry.params[*nth as usize]).width
            }
            Var::Result(_) => self.program.pointer_bits,
            Var::Count(..) => COUNT_BITS,
        }
    }

    /// Its first value; none if it can be any.
    pub fn initial(&self, var: &Var) -> Option<u128> {
        match var {
            Var::At(_, place) => Some(u128::from(*place == 0)),
            Var::Created(thread) => Some(u128::from(*thread == 0)),
            Var::Register(..)
            | Var::Length(_)
            | Var::Ended(_)
            | Var::Argument(..)
            | Var::Result(_)
            | Var::Count(..) => Some(0),
            Var::Life(object) => match self.legend.objects[*object].kind {
                Kind::Global(_) | Kind::Copy(..) => Some(1),
                Kind::Made(..) => Some(0),
            },
            Var::Cell(object, nth) => {
                let object = &self.legend.objects[*object];
                let (Kind::Global(g) | Kind::Copy(_, g)) = object.kind else { return None };
                let global = self.program.global(g);
                let first = (nth * object.grain) as usize;
                let byte = |i: usize| u128::from(global.init.get(first + i).copied().unwrap_or(0));
                let bytes = (0..object.grain as usize).rev();
                (!global.external).then(|| bytes.fold(0, |value, i| value << 8 | byte(i)))
            }
        }
    }

    /// The place of a thread at this instruction, if it is one.
    pub fn place_at(&self, thread: usize, stand: &Stand) -> Option<usize> {
        self.places[thread].get(stand).copied()
    }

    /// The registers that may be read from a place on before they are written.
    pub fn live(&self, thread: usize, place: usize) -> &BTreeSet<Register> {
        &self.live[thread][place]
    }

    /// The condition that a thread stands at a place and may make a step.
    pub fn may_step(&mut self, thread: usize, place: usize) -> TermId {
        self.stands_undisturbed(thread, place, &[thread])
    }

    /// The condition that a thread stands at a place, was created, and nobody but these is inside an
    /// atomic section.
    pub fn stands_undisturbed(&mut self, thread: usize, place: usize, but: &[usize]) -> TermId {
        let mut all = vec![self.now(&Var::At(thread, place))];
        let legend = self.legend;
        for (other, places) in legend.places.iter().enumerate().filter(|o| !but.contains(&o.0)) {
            for (p, _) in places.iter().enumerate().filter(|p| p.1.sections > 0) {
                let inside = self.now(&Var::At(other, p));
                all.push(self.terms.not(inside));
            }
        }
        if place == 0 {
            all.push(self.now(&Var::Created(thread)));
        }
        self.terms.and_all(&all)
    }

    /// Where an instruction is, outside library models: the innermost call that leads there.
    pub fn user_place(&self, calls: &[InstrRef], at: InstrRef) -> Place {
        let known = |at: &&InstrRef| {
            let place = self.program.place(**at);
            !self.program.function(at.func).is_model && !self.program.file(place.file).is_model
        };
        let at = calls.iter().chain([&at]).rev().find(known).copied().unwrap_or(at);
        self.program.place(at)
    }

    /// Where a thread is that stands at a place.
    pub fn place_of(&self, thread: usize, place: usize) -> Place {
        let stand = &self.legend.places[thread][place];
        match stand.at {
            Some(at) => self.user_place(&stand.calls, at),
            None => self.program.function(self.legend.threads[thread].entry).place,
        }
    }

    /// Whether these conditions can hold in a state that is not excluded.
    pub fn possible(&mut self, conds: &[TermId]) -> Result<bool, No> {
        if conds.iter().any(|c| self.terms.is_false(*c)) {
            return Ok(false);
        }
        self.prover.possible(&self.terms, conds)
    }

    /// The value of a term under conditions, if there is only one.
    pub fn only_value(&mut self, conds: &[TermId], term: TermId) -> Result<Option<u128>, No> {
        let (terms, prover) = (&mut self.terms, &mut self.prover);
        if let Some(value) = terms.as_const(term) {
            return Ok(Some(value));
        }
        let Some(value) = prover.some_value(terms, conds, term)? else { return Ok(None) };
        let constant = terms.constant(value, terms.width(term));
        let other = terms.ne(term, constant);
        let conds: Vec<TermId> = conds.iter().copied().chain([other]).collect();
        Ok((!prover.possible(terms, &conds)?).then_some(value))
    }

    /// The low bits, or zeros above.
    pub fn resize(&mut self, value: TermId, width: u32) -> TermId {
        if self.terms.width(value) >= width {
            self.terms.extract(value, width - 1, 0)
        } else {
            self.terms.zext(value, width)
        }
    }
}

/// The registers that may be read before they are written, of all activations under way.
fn live_registers(
    program: &Program,
    stand: &Stand,
    liveness: &mut FxHashMap<FuncId, Liveness>,
) -> BTreeSet<Register> {
    let Some(at) = stand.at else { return BTreeSet::new() };
    let mut live = BTreeSet::new();
    for depth in 0..=stand.calls.len() {
        let calls: Way = stand.calls[..depth].into();
        // Who waits for a call goes on behind it, with the result.
        let (at, result) = match stand.calls.get(depth) {
            Some(call) => {
                let result = program.instr(*call).and_then(|i| i.op.defs().next());
                (InstrRef { index: call.index + 1, ..*call }, result)
            }
            None => (at, None),
        };
        let function = program.function(at.func);
        let known = liveness.entry(at.func).or_insert_with(|| Liveness::new(function));
        let block = function.block(at.block);
        let mut here: BTreeSet<RegId> =
            block.end.operand().and_then(register).into_iter().collect();
        for successor in block.end.successors() {
            here.extend(known.live_at(successor));
        }
        for instr in block.instrs.iter().skip(at.index as usize).rev() {
            here.retain(|r| instr.op.defs().all(|d| d != *r));
            here.extend(instr.op.operands().into_iter().filter_map(register));
        }
        here.retain(|r| Some(*r) != result);
        live.extend(here.into_iter().map(|r| (calls.clone(), at.func, r)));
    }
    live
}

fn register(operand: Operand) -> Option<RegId> {
    match operand {
        Operand::Reg(r) => Some(r),
        Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => None,
    }
}
