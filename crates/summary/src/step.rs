//! One instruction on the symbolic state.
//!
//! Each instruction is one function; what is more than a few lines is in a file of its own:
//! `access.rs` (loads and stores), `atomics.rs`, `locks.rs`, `sections.rs`, `objects.rs`,
//! `lifetime.rs`, `calls.rs`, `threads.rs`, `waiting.rs`.
//! Invariant: an instruction that returns false has said all there is to say about executions that
//! come to it.

use raddle_ir::{Expr, InputKind, InstrRef, Op, Operand, Property, RegId, Unmodelled};
use raddle_term::TermId;

use crate::access::Manner;
use crate::atomics::{Exchange, Modification};
use crate::expression;
use crate::objects::Allocation;
use crate::purity::Entered;
use crate::skeleton::{ChoiceKind, Violation};
use crate::state::State;
use crate::walk::Walk;

/// Where an instruction is executed.
pub(crate) struct Here<'s> {
    pub at: InstrRef,
    pub state: &'s mut State,
    pub regs: &'s mut [TermId],
}

impl Here<'_> {
    /// Assigns a result. Always true: the thread goes on.
    fn set(&mut self, dst: RegId, value: TermId) -> bool {
        self.regs[dst.index()] = value;
        true
    }

    /// Assigns a result that may not be used.
    pub fn set_if_wanted(&mut self, dst: Option<RegId>, value: TermId) {
        if let Some(dst) = dst {
            self.regs[dst.index()] = value;
        }
    }
}

impl Walk<'_> {
    /// Executes an instruction, and notes whether others can notice that; false if the thread goes
    /// no further on this path.
    pub fn step(&mut self, here: &mut Here, op: &Op) -> bool {
        if matches!(op, Op::Call { .. }) {
            // It is its callee's instructions that are noticed.
            return self.execute(here, op);
        }
        let (unit, entered) = (self.recorder.unit(), here.state.entered.take());
        let goes_on = self.execute(here, op);
        self.note_step(here.state, unit, entered);
        goes_on
    }

    /// Notes what others can notice, which has units of its own; `entered` and the next unit are
    /// those before it. What is remembered of an earlier look counts like a look: at another time
    /// it would have been something else.
    pub fn note_step(&mut self, state: &mut State, unit: u32, entered: Option<Entered>) {
        let remembered = std::mem::take(&mut self.remembered);
        if self.recorder.unit() != unit {
            state.last = self.recorder.unit() - 1;
        } else if remembered {
            state.last = unit;
        } else if state.entered.is_none() {
            state.entered = entered;
        }
    }

    fn execute(&mut self, here: &mut Here, op: &Op) -> bool {
        match op {
            Op::Assign { dst, value } => self.assign(here, *dst, value),
            Op::Load { dst, addr, access } => {
                let width = self.width_of(here, *dst);
                let (address, how) =
                    (self.operand(*addr, here.regs), Manner::plain(here.at, *access));
                let value = self.load(here.state, address, width.div_ceil(8), how);
                value.is_some_and(|v| here.set(*dst, self.terms.extract(v, width - 1, 0)))
            }
            Op::Store { addr, value, width, access } => {
                let [address, value] = [*addr, *value].map(|o| self.operand(o, here.regs));
                let value = self.terms.zext(value, width.div_ceil(8) * 8);
                self.store_plainly(here.state, address, value, Manner::plain(here.at, *access))
            }
            &Op::Rmw { dst, op, addr, value, width, access } => {
                self.modify(here, addr, value, Modification { op, dst, width, access })
            }
            &Op::CompareExchange { old, ok, addr, expected, new, width, access, weak } => {
                let [address, expected, new] =
                    [addr, expected, new].map(|o| self.operand(o, here.regs));
                let exchange = Exchange { address, expected, new, width, weak };
                let how = Manner::plain(here.at, access);
                let found = self.exchange_if_equal(here.state, exchange, how);
                found.is_some_and(|f| here.set(old, f.value) && here.set(ok, f.exchanged))
            }
            Op::Fence { .. } => true,
            &Op::Alloc { dst, size, align, kind, zeroed, .. } => {
                self.allocate(here, Allocation { dst, size, align, kind, zeroed })
            }
            Op::Free { addr } => self.free(here, *addr),
            Op::ObjectSize { dst, addr } => self.object_size(here, *dst, *addr),
            Op::ThreadLocal { dst, global } => self.thread_local(here, *dst, *global),
            Op::Call { dst, callee, args } => self.call_instruction(here, *dst, *callee, args),
            Op::Create { dst, func, args } => self.create(here, *func, args, *dst),
            Op::Join { dst, thread } => self.join(here, *thread, *dst),
            Op::ThreadExit { value } => self.exit_thread(here, *value),
            Op::ThreadSelf { dst, .. } => {
                let (number, width) = (u128::from(self.thread.number), self.program.pointer_bits);
                here.set(*dst, self.terms.constant(number, width))
            }
            Op::Lock { mutex, wait } => self.lock(here, *mutex, *wait),
            Op::Unlock { mutex, wait } => self.unlock(here, *mutex, *wait),
            Op::TryLock { dst, mutex } => self.try_lock(here, *dst, *mutex),
            Op::AtomicBegin => self.begin_atomic(here),
            Op::AtomicEnd => self.end_atomic(here),
            Op::Block { cond, spurious } => self.block(here, *cond, *spurious),
            Op::Assume { cond } => {
                let cond = self.operand(*cond, here.regs);
                self.wait_for(here.state, cond)
            }
            Op::Check { property, cond, .. } => self.check(here, *property, *cond),
            Op::Input { dst, kind, .. } => self.input(here, *dst, *kind),
            Op::Exit { leaks } => self.exit(here.state, *leaks, here.at),
            Op::Unsupported { what } => {
                self.unsupported(here.state, Unmodelled::Construct(what.clone()), here.at);
                false
            }
        }
    }

    /// The width of a register of the function that is being executed.
    pub fn width_of(&self, here: &Here, reg: RegId) -> u32 {
        self.program.function(here.at.func).reg(reg).width
    }

    /// Goes on where a division is defined. Where `overflow` is checked, a check stands before it.
    fn defined_if(&mut self, here: &mut Here, defined: TermId) -> bool {
        if self.program.checked.contains(Property::Overflow) {
            return self.end_unless(here.state, defined, here.at);
        }
        self.undefined_unless(here.state, defined, Property::Overflow, here.at)
    }

    fn assign(&mut self, here: &mut Here, dst: RegId, value: &Expr) -> bool {
        let operands: Vec<Operand> = value.operands().collect();
        let args = self.operands(&operands, here.regs);
        if let Some(defined) = expression::division_guard(&mut self.terms, value, &args)
            && !self.defined_if(here, defined)
        {
            return false;
        }
        let result = match value {
            Expr::Offset { .. } => {
                let (terms, knowledge) = (&mut self.terms, &*self.knowledge);
                Some(self.pointers.add(terms, knowledge, args[0], args[1]))
            }
            Expr::Select { .. } => Some(self.choose_value(args[0], args[1], args[2])),
            Expr::Use(_)
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Cast { .. }
            | Expr::Overflows { .. }
            | Expr::Bits { .. }
            | Expr::Float { .. }
            | Expr::FloatNeg { .. }
            | Expr::FloatAbs { .. }
            | Expr::FloatCompare { .. }
            | Expr::FloatCast { .. }
            | Expr::FloatToInt { .. }
            | Expr::IntToFloat { .. } => expression::evaluate(&mut self.terms, value, &args),
        };
        if result.is_none() {
            self.unsupported(here.state, Unmodelled::Arithmetic, here.at);
        }
        result.is_some_and(|value| here.set(dst, value))
    }

    fn check(&mut self, here: &mut Here, property: Property, cond: Operand) -> bool {
        let cond = self.operand(cond, here.regs);
        if self.program.checked.contains(property) {
            let wrong = self.terms.not(cond);
            self.violation(here.state, property, wrong, here.at);
            // After a violation an atomic section has done nothing, as if it had not begun.
            self.wait_for(here.state, cond)
        } else if property.unchecked_failure_stops() {
            self.end_unless(here.state, cond, here.at)
        } else {
            true
        }
    }

    /// Notes that a property is violated where the condition holds; what was noted, if that is
    /// possible at all.
    pub fn violation(
        &mut self,
        state: &State,
        property: Property,
        wrong: TermId,
        at: InstrRef,
    ) -> Option<&mut Violation> {
        debug_assert!(self.program.checked.contains(property), "only what is checked is noted");
        let failing = self.state_if(state, wrong);
        if failing.is_dead(&self.terms) {
            return None;
        }
        let (site, condition) = (self.user_site(at), failing.path.term(&self.terms));
        Some(self.recorder.violation(state, property, condition, at, site))
    }

    fn input(&mut self, here: &mut Here, dst: RegId, kind: InputKind) -> bool {
        let width = self.width_of(here, dst);
        let value = self.ask(here.state, width, kind, here.at);
        here.set(dst, value)
    }

    /// An input of so many bits, asked for on this path.
    pub fn ask(&mut self, state: &State, width: u32, kind: InputKind, at: InstrRef) -> TermId {
        let value = self.terms.fresh(width);
        if let InputKind::Choice(n) = kind
            && u128::from(n) <= raddle_ir::expr::mask(width)
        {
            let n = self.terms.constant(u128::from(n), width);
            let in_range = self.terms.ult(value, n);
            self.recorder.assume(in_range);
        }
        let guard = state.path.term(&self.terms);
        self.recorder.choice(guard, at, ChoiceKind::Input(value, kind));
        value
    }

    fn exit_thread(&mut self, here: &mut Here, value: Operand) -> bool {
        let value = self.operand(value, here.regs);
        let objects = self.thread.stack.clone();
        self.end_locals(objects, Some(value), here.at, here.state);
        self.end_thread(here.state, here.at, value);
        false
    }
}
