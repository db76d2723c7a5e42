//! One instruction on the path through a region.
//!
//! This is `docs/semantics.md` over terms. An instruction that returns false has ended the path, and
//! has said all there is to say about executions that come to it.

use raddle_ir::{Expr, InputKind, Op, Operand, Property, RegId, Unmodelled};
use raddle_summary::expression;
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::contexts::ContextId;
use crate::layout::SiteIx;
use crate::machine::{Answer, Choice, CutKind, Position, StateIx, StateVar, Trail};
use crate::spin::is_effect;

/// Width of counters of sites.
const COUNT_BITS: u32 = 16;

impl Builder<'_> {
    pub fn step(&mut self, position: &mut Position, path: &mut Path, op: &Op) -> bool {
        let here = *position;
        let context = here.context;
        if self.spin.is_some() && is_effect(op) {
            return false;
        }
        self.note_instruction(here, path, op);
        match op {
            Op::Assign { dst, value } => self.assign(here, path, *dst, value),
            Op::Load { dst, addr, access } => self.load(here, path, *dst, *addr, *access),
            Op::Store { .. } => self.store(here, path, op),
            Op::Rmw { .. } => self.modify(here, path, op),
            Op::CompareExchange { .. } => self.exchange(here, path, op),
            Op::Fence { .. } => true,
            Op::Alloc { .. } => self.allocate(here, path, op),
            Op::Free { addr } => self.free(here, path, *addr),
            Op::ObjectSize { dst, addr } => self.object_size(here, path, *dst, *addr),
            Op::ThreadLocal { dst, global } => self.thread_local(here, path, *dst, *global),
            Op::Call { .. } => unreachable!("calls are entered, not stepped over"),
            Op::Create { dst, func, args } => self.create(here, path, *dst, *func, args),
            Op::Join { dst, thread } => self.join_thread(here, path, *dst, *thread),
            Op::ThreadExit { value } => self.exit_thread(here, path, *value),
            Op::ThreadSelf { dst, .. } => self.ask_own_number(here, path, *dst),
            Op::Lock { mutex, wait } => self.lock(here, path, *mutex, *wait),
            Op::Unlock { mutex, wait } => self.unlock(here, path, *mutex, *wait),
            Op::TryLock { dst, mutex } => self.try_lock(here, path, *dst, *mutex),
            Op::AtomicBegin => {
                position.sections += 1;
                true
            }
            Op::AtomicEnd => {
                position.sections = position.sections.saturating_sub(1);
                true
            }
            Op::Block { cond, spurious } => {
                let cond = self.operand(path, context, *cond);
                if *spurious && self.spin.is_none() {
                    let asleep = self.terms.not(cond);
                    let asleep = self.terms.and(path.cond, asleep);
                    self.note_wait(here, asleep, None);
                    if self.is_linear() {
                        self.now.wakes.push(asleep);
                    }
                    return true;
                }
                self.require(path, here, cond, Otherwise::Wait(None))
            }
            Op::Assume { cond } => {
                let cond = self.operand(path, context, *cond);
                self.require(path, here, cond, Otherwise::Stop)
            }
            Op::Check { property, cond, .. } => self.check(here, path, *property, *cond),
            Op::Input { dst, kind, .. } => {
                let width = self.width(context, *dst);
                let cond = path.cond;
                let value = self.ask(cond, width, *kind);
                self.set(path, context, *dst, value);
                true
            }
            Op::Exit { leaks } => {
                if *leaks && self.program.checked.looks_at_heap() {
                    self.note_leaks(here, path);
                }
                if self.is_linear() {
                    self.now.exits.push(path.cond);
                    self.trail(here, path, None);
                }
                self.end_program(here, path.clone());
                false
            }
            Op::Unsupported { what } => {
                let what = Unmodelled::Construct(what.clone());
                self.cut(here, path, CutKind::Unsupported(what))
            }
        }
    }

    /// The program ends here. If that is inside an atomic section, nobody sees what the section did.
    pub fn end_program(&mut self, here: Position, path: Path) {
        if here.sections == 0 || self.is_linear() {
            self.end(StateIx::STOP, path);
        }
    }

    /// The automaton ends here.
    pub fn cut(&mut self, here: Position, path: &mut Path, kind: CutKind) -> bool {
        let fals = self.terms.fals();
        self.require(path, here, fals, Otherwise::Cut(kind))
    }

    pub fn width(&self, context: ContextId, reg: RegId) -> u32 {
        let func = self.layout.contexts.get(context).func;
        self.program.function(func).reg(reg).width
    }

    pub fn operand(&mut self, path: &Path, context: ContextId, operand: Operand) -> TermId {
        let func = self.layout.contexts.get(context).func;
        let width = self.program.width(self.program.function(func), operand);
        match (operand, self.program.constant(operand)) {
            (_, Some(value)) => self.terms.constant(value, width),
            (Operand::Reg(reg), None) => {
                let var = StateVar::Register(context, reg);
                let old = self.vars.term(self.terms, var, width);
                path.vars.get(&var).copied().unwrap_or(old)
            }
            (_, None) => unreachable!("only registers have no constant value"),
        }
    }

    pub fn set(&mut self, path: &mut Path, context: ContextId, reg: RegId, value: TermId) {
        let var = StateVar::Register(context, reg);
        let width = self.width(context, reg);
        debug_assert_eq!(self.terms.width(value), width, "a register keeps its width");
        self.vars.term(self.terms, var, width);
        path.vars.insert(var, value);
    }

    /// The low bits, or zeros above.
    pub fn resize(&mut self, value: TermId, width: u32) -> TermId {
        if self.terms.width(value) >= width {
            self.terms.extract(value, width - 1, 0)
        } else {
            self.terms.zext(value, width)
        }
    }

    fn assign(&mut self, here: Position, path: &mut Path, dst: RegId, value: &Expr) -> bool {
        let args: Vec<TermId> =
            value.operands().map(|o| self.operand(path, here.context, o)).collect();
        if let Some(defined) = expression::division_guard(self.terms, value, &args) {
            let wrong = match self.program.checked.contains(Property::Overflow) {
                true => Otherwise::End,
                false => Otherwise::Cut(CutKind::Undefined(Property::Overflow)),
            };
            if !self.require(path, here, defined, wrong) {
                return false;
            }
        }
        match expression::evaluate(self.terms, value, &args) {
            Some(value) => {
                let value = self.resize(value, self.width(here.context, dst));
                self.set(path, here.context, dst, value);
                true
            }
            None => self.cut(here, path, CutKind::Unsupported(Unmodelled::Arithmetic)),
        }
    }

    fn check(
        &mut self,
        here: Position,
        path: &mut Path,
        property: Property,
        cond: Operand,
    ) -> bool {
        let cond = self.operand(path, here.context, cond);
        if self.program.checked.contains(property) {
            self.require(path, here, cond, Otherwise::Violate(property, false))
        } else if property.unchecked_failure_stops() {
            self.require(path, here, cond, Otherwise::End)
        } else {
            true
        }
    }

    /// Something that the program does not determine.
    pub fn ask(&mut self, cond: TermId, width: u32, kind: InputKind) -> TermId {
        let value = self.terms.fresh(width);
        self.now.inputs.push(value);
        if let InputKind::Choice(n) = kind
            && u128::from(n.max(1)) <= raddle_ir::expr::mask(width)
        {
            let n = self.terms.constant(u128::from(n.max(1)), width);
            let in_range = self.terms.ult(value, n);
            self.now.assumptions.push(in_range);
        }
        self.now.choices.push(Choice { cond, answer: Answer::Input(value) });
        value
    }

    pub fn trail(&mut self, here: Position, path: &Path, address: Option<TermId>) {
        self.now.trail.push(Trail { cond: path.cond, at: Some(here.at), address });
    }

    pub fn count(&mut self, path: &Path, site: SiteIx) -> TermId {
        let var = StateVar::Count(site);
        let old = self.vars.term(self.terms, var, COUNT_BITS);
        path.vars.get(&var).copied().unwrap_or(old)
    }

    pub fn advance(&mut self, path: &mut Path, site: SiteIx, count: TermId) {
        // What is made once need not be counted.
        if self.layout.sites[site.index()].most > 1 {
            let one = self.terms.constant(1, COUNT_BITS);
            let next = self.terms.add(count, one);
            path.vars.insert(StateVar::Count(site), next);
        }
    }

    /// The condition that a count has reached a number.
    pub fn is_nth(&mut self, site: SiteIx, count: TermId, nth: usize) -> TermId {
        if self.layout.sites[site.index()].most == 1 {
            return self.terms.tru();
        }
        let nth = self.terms.constant(nth as u128, COUNT_BITS);
        self.terms.eq(count, nth)
    }
}
