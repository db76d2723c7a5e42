//! Calls and returns: from context to context.
//!
//! An inlined function is entered and left within a step; a single copy is entered and left in states
//! of its own, and [`StateVar::Return`] says where to (`contexts.rs`).

use raddle_ir::{BlockId, Callee, InstrRef, Op, Operand, Terminator, Unmodelled};
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::contexts::{ClassIx, ContextId, callees};
use crate::machine::{CutKind, Position, StateVar};

/// Width of [`StateVar::Return`].
const RETURN_BITS: u32 = 16;

impl Builder<'_> {
    pub fn call(&mut self, position: Position, mut path: Path, callee: Callee, args: &[Operand]) {
        let Position { context, at, .. } = position;
        let values: Vec<TermId> = args.iter().map(|a| self.operand(&path, context, *a)).collect();
        let target = match callee {
            Callee::Direct(_) => None,
            Callee::Indirect(operand) => Some(self.operand(&path, context, operand)),
        };
        let mut none = path.cond;
        for func in callees(self.facts, at, callee) {
            let function = self.program.function(func);
            if function.params.len() > values.len() {
                continue;
            }
            let mut cond = none;
            if let Some(target) = target {
                let address =
                    self.terms.constant(function.address.into(), self.program.pointer_bits);
                let hit = self.terms.eq(target, address);
                cond = self.terms.and(none, hit);
                let miss = self.terms.not(hit);
                none = self.terms.and(none, miss);
            } else {
                none = self.terms.fals();
            }
            let mut entered = Path { cond, vars: path.vars.clone() };
            let Some(inner) = self.layout.contexts.callee(context, at, func) else {
                let fals = self.terms.fals();
                let kind = match self.layout.contexts.is_one_too_many(context, at, func) {
                    true => CutKind::Calls,
                    false => CutKind::Recursion,
                };
                self.require(&mut entered, position, fals, Otherwise::Cut(kind));
                continue;
            };
            for (&param, &value) in function.params.iter().zip(&values) {
                let value = self.resize(value, function.reg(param).width);
                self.set(&mut entered, inner, param, value);
            }
            self.note_call(position, &mut entered, func);
            let here = (context, at);
            let at = InstrRef { func, block: BlockId(0), index: 0 };
            let callee = self.layout.contexts.get(inner);
            if callee.single {
                let from = callee.callers.iter().position(|c| *c == here);
                let from = from.expect("the call is one of its callers") + 1;
                let var = StateVar::Return(inner);
                self.vars.term(self.terms, var, RETURN_BITS);
                entered.vars.insert(var, self.terms.constant(from as u128, RETURN_BITS));
            }
            self.arrive(Position { context: inner, at, ..position }, entered);
        }
        path.cond = none;
        let fals = self.terms.fals();
        let wrong = match callee {
            Callee::Direct(_) => Otherwise::End,
            Callee::Indirect(operand) => match self.candidates(context, operand).unknown {
                true => Otherwise::Cut(CutKind::Unsupported(Unmodelled::UnknownCall)),
                false => self.fault(),
            },
        };
        self.require(&mut path, position, fals, wrong);
    }

    pub fn give_back(&mut self, position: Position, mut path: Path, value: Option<Operand>) {
        let value = value.map(|v| self.operand(&path, position.context, v));
        let context = self.layout.contexts.get(position.context);
        if context.is_entry() && self.class == ClassIx::MAIN {
            if self.program.checked.looks_at_heap() {
                self.note_leaks(position, &path);
            }
            self.end_program(position, path);
            return;
        }
        if self.returns_visibly(position.context) && !context.is_entry() {
            self.trail(position, &path, None);
        }
        self.bury(&mut path, position.context);
        if context.is_entry() {
            self.end_thread(path, value);
            return;
        }
        if !context.single {
            self.return_to(position, path, value, context.callers[0]);
            return;
        }
        let var = StateVar::Return(position.context);
        let from = self.vars.term(self.terms, var, RETURN_BITS);
        for (i, &caller) in context.callers.iter().enumerate() {
            let mut path = path.clone();
            let number = self.terms.constant(i as u128 + 1, RETURN_BITS);
            let here = self.terms.eq(from, number);
            path.cond = self.terms.and(path.cond, here);
            path.vars.insert(var, self.terms.constant(0, RETURN_BITS));
            self.return_to(position, path, value, caller);
        }
    }

    /// Goes on behind a call.
    fn return_to(
        &mut self,
        position: Position,
        mut path: Path,
        value: Option<TermId>,
        (outer, call): (ContextId, InstrRef),
    ) {
        let Some(Op::Call { dst, .. }) = self.program.instr(call).map(|i| &i.op) else {
            unreachable!("contexts are entered by calls");
        };
        if let (Some(dst), Some(value)) = (dst, value) {
            let width = self.program.function(call.func).reg(*dst).width;
            let value = self.resize(value, width);
            self.set(&mut path, outer, *dst, value);
        }
        let at = InstrRef { index: call.index + 1, ..call };
        self.arrive(Position { context: outer, at, ..position }, path);
    }

    /// Whether a single copy of a function begins or returns there.
    pub fn is_single_copy_boundary(&self, Position { context, at, .. }: Position) -> bool {
        let single = self.layout.contexts.get(context).single;
        let block = self.program.function(at.func).block(at.block);
        let begins = at.block == BlockId(0) && at.index == 0;
        let returns =
            at.index as usize == block.instrs.len() && matches!(block.end, Terminator::Return(_));
        single && (begins || returns)
    }
}
