//! What formulas about infinite executions can see, so that a step ends before and after it.
//!
//! Engines glue instructions that nobody notices to the visible one before them. A formula is one more
//! that notices: writes to the globals that it names, arrivals at its labels and what follows them,
//! calls, beginnings and ends of its functions.
//! Invariant: within a step no atom changes its value more than once.

use raddle_analysis::Object;
use raddle_ir::linear::Atom;
use raddle_ir::{Callee, FuncId, GlobalId, InstrRef, Op, Terminator, Unmodelled};
use raddle_term::TermId;

use crate::build::Builder;
use crate::machine::{Cut, CutKind, Position, State};

impl Builder<'_> {
    /// Whether infinite executions are looked at.
    pub fn is_linear(&self) -> bool {
        self.program.checked.is_linear()
    }

    /// Whether a formula can tell the moments before and after an instruction apart.
    pub fn is_observed(&self, position: Position) -> bool {
        let atoms = self.program.linear.formulas.iter().flat_map(|s| &s.atoms);
        self.is_linear() && atoms.into_iter().any(|atom| self.is_seen(atom, position))
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
            Atom::Value(value) => value.parts.iter().any(|p| self.may_write(position, p.global)),
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

    fn may_write(&self, position: Position, global: GlobalId) -> bool {
        let function = self.program.function(position.at.func);
        let Some(instr) = self.program.instr(position.at) else { return false };
        let Some(usage) = instr.op.memory_use(function).filter(|u| u.writes) else {
            return false;
        };
        let candidates = self.candidates(position.context, usage.addr);
        let objects = self.facts.points_to.objects();
        let is_it = |name| matches!(objects.get(name), Object::Global(g) if g == global);
        candidates.unknown || candidates.names.iter().any(|&(name, _)| is_it(name))
    }
}
