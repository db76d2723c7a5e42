//! What formulas about infinite executions can see, so that a step ends before and after it.
//!
//! Engines glue instructions that nobody notices to the visible one before them. A formula is one more
//! that notices: writes to the globals that it names, arrivals at its labels and what follows them,
//! calls, beginnings and ends of its functions. Who asks whether a thread waits for ever notices each of its
//! writes, also to what no other thread reads: two in one step might leave what was there before. And an execution in
//! which a thread fails an assumption or an assertion does not count, one in which it stops for ever right before does:
//! so a step ends there, too. If scheduling need not be fair a thread may wait for ever before any instruction, but not
//! before a join: then all instructions are steps.
//! Invariant: within a step no atom changes its value more than once.

use raddle_analysis::{Object, ObjectId};
use raddle_ir::linear::{Atom, Fairness};
use raddle_ir::{
    AllocKind, Callee, FuncId, InstrRef, Op, Operand, Property, Terminator, Unmodelled,
};
use raddle_term::TermId;

use crate::build::Builder;
use crate::machine::{Cut, CutKind, Position, State};

impl Builder<'_> {
    /// Whether infinite executions are looked at.
    pub fn is_linear(&self) -> bool {
        self.program.checked.is_linear()
    }

    /// Whether infinite executions can tell the moments before and after an instruction apart.
    pub fn is_observed(&self, position: Position) -> bool {
        if !self.is_linear() {
            return false;
        }
        let mut atoms = self.program.linear.formulas.iter().flat_map(|s| &s.atoms);
        self.may_end_all(position)
            || atoms.any(|atom| self.is_seen(atom, position))
            || self.program.checked.contains(Property::Starvation)
                && (self.program.linear.fairness == Fairness::None
                    || self.may_write(position, |name| self.is_public(name)))
    }

    /// Whether an instruction may fail so that the execution does not count.
    fn may_end_all(&self, position: Position) -> bool {
        let holds = |cond: &Operand| matches!(cond, Operand::Const(c) if c.value != 0);
        match self.program.instr(position.at).map(|i| &i.op) {
            Some(Op::Assume { cond }) => !holds(cond),
            Some(Op::Check { property, cond, .. }) => {
                let counts =
                    self.program.checked.contains(*property) || property.unchecked_failure_stops();
                counts && !holds(cond)
            }
            Some(_) | None => false,
        }
    }

    /// Whether an object is memory that others may see.
    fn is_public(&self, name: ObjectId) -> bool {
        match self.facts.points_to.objects().get(name) {
            Object::Unknown => true,
            Object::Function(_) => false,
            Object::Global(g) => {
                !self.program.global(g).thread_local || self.facts.sharing.escapes(name)
            }
            Object::Alloc(at, _) => {
                let heap = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Heap, .. });
                self.program.instr(at).is_some_and(|i| heap(&i.op))
                    || self.facts.sharing.escapes(name)
            }
        }
    }

    /// An atomic section that perhaps does not end is not followed: a thread that cannot finish it has
    /// not begun it, which steps inside it do not show. Sections of library models end, unless they
    /// wait in their middle.
    pub fn note_lasting(&mut self, state: &mut State) {
        let Some(position) = state.position.filter(|p| p.sections > 0) else { return };
        let guards: Vec<TermId> = state.transitions.iter().map(|t| t.guard).collect();
        let goes = self.terms.or_all(&guards);
        let cond = match self.program.function(position.at.func).is_model {
            true => self.terms.not(goes),
            false => self.terms.tru(),
        };
        if !self.terms.is_false(cond) {
            let what = "a loop in an atomic section, for infinite executions".to_string();
            let kind = CutKind::Unsupported(Unmodelled::Construct(what));
            state.cuts.push(Cut { cond, kind, place: self.user_place(position) });
        }
    }

    fn is_seen(&self, atom: &Atom, position: Position) -> bool {
        let at = position.at;
        match atom {
            Atom::Value(value) => value.parts.iter().any(|p| {
                let objects = self.facts.points_to.objects();
                let is_it = |name| matches!(objects.get(name), Object::Global(g) if g == p.global);
                self.may_write(position, is_it)
            }),
            Atom::Before(places) => places
                .iter()
                .any(|&place| at == place || InstrRef { index: at.index + 1, ..at } == place),
            Atom::Inside(function) => {
                let block = self.program.function(at.func).block(at.block);
                let begins = at.block.0 == 0 && at.index == 0;
                let returns = at.index as usize == block.instrs.len()
                    && matches!(block.end, Terminator::Return(_));
                at.func == *function && (begins || returns) || self.may_call(at, *function)
            }
            // Threads end visibly.
            Atom::Terminated(_) => false,
        }
    }

    fn may_call(&self, at: InstrRef, function: FuncId) -> bool {
        match self.program.instr(at).map(|i| &i.op) {
            Some(Op::Call { callee: Callee::Direct(callee), .. }) => *callee == function,
            Some(Op::Call { .. }) => true,
            Some(_) | None => false,
        }
    }

    /// Whether an instruction may write to one of some objects.
    fn may_write(&self, position: Position, is_one: impl Fn(ObjectId) -> bool) -> bool {
        let function = self.program.function(position.at.func);
        let Some(instr) = self.program.instr(position.at) else { return false };
        let Some(usage) = instr.op.memory_use(function).filter(|u| u.writes) else {
            return false;
        };
        let candidates = self.candidates(position.context, usage.addr);
        candidates.unknown || candidates.names.iter().any(|&(name, _)| is_one(name))
    }
}
