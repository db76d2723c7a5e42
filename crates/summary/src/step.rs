//! One instruction on the symbolic state.
//! Length: one short arm or function for each instruction.

use std::rc::Rc;

use raddle_ir::{
    Access, AllocKind, Callee, Expr, FuncId, InputKind, Instr, InstrRef, Op, Operand, Order,
    Property, RegId,
};
use raddle_term::TermId;

use crate::access::Manner;
use crate::execute::{Activation, Pass, State};
use crate::expression;
use crate::knowledge::ObjectKey;
use crate::purity::Effect;
use crate::skeleton::{
    Choice, ChoiceKind, CutKind, EventKind, Held, Join, Mark, MarkKind, Trail, Violation,
};

/// An object of unknown size gets this much room.
const ROOM: u64 = 1 << 20;

/// Where a call stands and what becomes of its result.
#[derive(Clone, Copy)]
struct CallSite {
    at: InstrRef,
    dst: Option<RegId>,
    /// Width of `dst`.
    width: u32,
}

impl Pass<'_> {
    /// The value of an operand.
    pub fn operand(&mut self, operand: Operand, regs: &[TermId]) -> TermId {
        match operand {
            Operand::Reg(r) => regs[r.index()],
            Operand::Const(c) => self.terms().constant(c.value, c.width),
            Operand::Global(..) | Operand::Function(_) => {
                let program = self.program;
                let k = program.constant(operand).expect("globals and functions have addresses");
                self.terms().constant(k, program.pointer_bits)
            }
        }
    }

    fn operands(&mut self, all: &[Operand], regs: &[TermId]) -> Vec<TermId> {
        all.iter().map(|&o| self.operand(o, regs)).collect()
    }

    /// Goes on only where the condition holds.
    pub fn restrict(&mut self, state: &mut State, condition: TermId) -> bool {
        state.path = state.path.and(&mut self.terms, condition);
        !state.path.is_false(&self.terms)
    }

    /// The thread ends where the condition does not hold: undefined behaviour. What its atomic section did before stays done.
    pub fn end_unless(&mut self, state: &mut State, condition: TermId, at: InstrRef) -> bool {
        if state.atomic > 0 && !self.terms.is_true(condition) {
            let ends = self.terms().not(condition);
            let path = state.path.and(&mut self.terms, ends);
            self.end_section(&State { path, ..state.clone() }, at);
        }
        self.restrict(state, condition)
    }

    /// Executes an instruction; false if the thread goes no further on this path.
    pub(crate) fn step(
        &mut self,
        act: &mut Activation,
        at: InstrRef,
        instr: &Instr,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        match &instr.op {
            Op::Assign { dst, value } => self.assign(at, *dst, value, state, regs),
            Op::Load { dst, addr, access } => {
                let address = self.operand(*addr, regs);
                let width = self.program.function(act.func).reg(*dst).width;
                let how = Manner { at, access: *access, lock: false, trail: Trail::Address };
                let Some(v) = self.load(state, address, width.div_ceil(8), how) else {
                    return false;
                };
                regs[dst.index()] = self.terms().extract(v, width - 1, 0);
                true
            }
            Op::Store { addr, value, width, access } => {
                let (address, value) = (self.operand(*addr, regs), self.operand(*value, regs));
                let value = self.terms().zext(value, width.div_ceil(8) * 8);
                self.store(
                    state,
                    address,
                    value,
                    Manner { at, access: *access, lock: false, trail: Trail::Address },
                )
            }
            Op::Rmw { dst, op, addr, value, width, access } => {
                let (address, value) = (self.operand(*addr, regs), self.operand(*value, regs));
                let how = Manner { at, access: *access, lock: false, trail: Trail::Address };
                self.atomically(state, |pass, state| {
                    let Some(old) = pass.load(state, address, width.div_ceil(8), how) else {
                        return false;
                    };
                    let old = pass.terms().extract(old, width - 1, 0);
                    regs[dst.index()] = old;
                    let new = expression::modify(pass.terms(), *op, old, value);
                    // Writing what is there already changes nothing: a spinning exchange is pure.
                    let changes = pass.terms().ne(old, new);
                    let new = pass.terms().zext(new, width.div_ceil(8) * 8);
                    let before = pass.thread.effects.len();
                    let done = pass.store(state, address, new, how);
                    for effect in &mut pass.thread.effects[before..] {
                        effect.changed = changes;
                    }
                    done
                })
            }
            Op::CompareExchange { old, ok, addr, expected, new, width, access } => {
                let args = self.operands(&[*addr, *expected, *new], regs);
                let how = Manner { at, access: *access, lock: false, trail: Trail::Address };
                let found = self.compare_exchange(state, (args[0], args[1], args[2]), *width, how);
                let Some((value, equal)) = found else { return false };
                regs[old.index()] = value;
                regs[ok.index()] = equal;
                true
            }
            Op::Fence { .. } => true,
            Op::Alloc { dst, size, align, kind, zeroed, .. } => {
                let size = self.operand(*size, regs);
                self.allocate(at, (*dst, size, *align, *kind, *zeroed), state, regs)
            }
            Op::Free { addr } => {
                let address = self.operand(*addr, regs);
                self.effect(state);
                self.free(state, address, at)
            }
            Op::ObjectSize { dst, addr } => {
                let address = self.operand(*addr, regs);
                self.object_size(at, *dst, address, state, regs)
            }
            Op::ThreadLocal { dst, global } => {
                let g = self.program.global(*global);
                let key = ObjectKey::ThreadLocal(self.thread.number, *global);
                let Some(o) = self.knowledge.intern(key, g.size, g.align, false) else {
                    self.cut(state, CutKind::Object, instr.place);
                    return false;
                };
                if !self.thread.locals.contains(&o) {
                    self.thread.locals.push(o);
                }
                let base = u128::from(self.knowledge.object(o).base);
                let width = self.program.pointer_bits;
                regs[dst.index()] = self.terms().constant(base, width);
                true
            }
            Op::Call { dst, callee, args } => {
                let args = self.operands(args, regs);
                let width = dst.map(|d| self.program.function(act.func).reg(d).width);
                let site = CallSite { at, dst: *dst, width: width.unwrap_or(1) };
                match callee {
                    Callee::Direct(f) => self.call_one(site, *f, args, state, regs),
                    Callee::Indirect(f) => {
                        let f = self.operand(*f, regs);
                        self.call_any(site, f, args, state, regs)
                    }
                }
            }
            Op::Create { dst, func, args } => {
                let (f, args) = (self.operand(*func, regs), self.operands(args, regs));
                self.create(at, f, args, *dst, state, regs)
            }
            Op::Join { dst, thread } => {
                let target = self.operand(*thread, regs);
                self.join(at, target, *dst, state, regs)
            }
            Op::ThreadExit { value } => {
                let value = self.operand(*value, regs);
                let objects = self.thread.stack.clone();
                self.end_locals(objects, Some(value), at, state);
                self.end_thread(state, at, value);
                false
            }
            Op::ThreadSelf { dst } => {
                let (number, width) = (u128::from(self.thread.number), self.program.pointer_bits);
                regs[dst.index()] = self.terms().constant(number, width);
                true
            }
            Op::Lock { mutex, wait } => {
                let mutex = self.operand(*mutex, regs);
                self.lock(at, mutex, *wait, state)
            }
            Op::Unlock { mutex, wait } => {
                let mutex = self.operand(*mutex, regs);
                let Some(mutex) = self.settle(state, mutex, 4, at) else { return false };
                let free = self.terms().constant(0, 32);
                self.release(state, mutex);
                let done = self.store(state, mutex, free, lock_word(at));
                self.lock_effect(state, *wait);
                done
            }
            Op::TryLock { dst, mutex } => {
                let mutex = self.operand(*mutex, regs);
                let free = self.terms().constant(0, 32);
                let own = self.terms.constant(u128::from(self.thread.number), 32);
                let found = self.compare_exchange(state, (mutex, free, own), 32, lock_word(at));
                let Some((_, taken)) = found else { return false };
                regs[dst.index()] = self.terms().zext(taken, 32);
                let path = state.path.and(&mut self.terms, taken);
                self.lock_effect(&State { path, ..state.clone() }, false);
                true
            }
            Op::AtomicBegin => {
                if state.atomic == 0 {
                    state.section = self.next_unit();
                    self.thread.sections.insert(state.section, self.thread.choices.len());
                    self.section_mark(state, MarkKind::SectionBegin, at);
                }
                state.atomic += 1;
                true
            }
            Op::AtomicEnd => {
                state.atomic = state.atomic.saturating_sub(1);
                if state.atomic == 0 {
                    self.end_section(state, at);
                }
                true
            }
            Op::Block { cond, spurious } => {
                let cond = self.operand(*cond, regs);
                self.block(at, cond, *spurious, state)
            }
            Op::Assume { cond } => {
                let cond = self.operand(*cond, regs);
                self.wait_for(state, cond)
            }
            Op::Check { property, cond, .. } => {
                let cond = self.operand(*cond, regs);
                self.check(at, *property, cond, state)
            }
            Op::Input { dst, kind, .. } => {
                let width = self.program.function(act.func).reg(*dst).width;
                regs[dst.index()] = self.input(at, width, *kind, state);
                true
            }
            Op::Exit { leaks } => self.exit(state, *leaks, at),
            Op::Unsupported { what } => {
                self.cut(state, CutKind::Unsupported(what.clone()), instr.place);
                false
            }
        }
    }

    /// Marks the end of the section that is under way; the unit of a single instruction has no marks.
    pub fn end_section(&mut self, state: &State, at: InstrRef) {
        if self.thread.sections.contains_key(&state.section) {
            self.section_mark(state, MarkKind::SectionEnd, at);
        }
    }

    fn section_mark(&mut self, state: &State, kind: MarkKind, at: InstrRef) {
        let guard = state.path.term(&self.terms);
        let (thread, unit) = (self.thread.ix, state.section);
        self.skeleton.marks.push(Mark { thread, unit, kind, guard, at });
    }

    /// Goes on only where the condition holds; an atomic section that stops here has written nothing.
    pub(crate) fn wait_for(&mut self, state: &mut State, cond: TermId) -> bool {
        if state.atomic > 0 && !self.terms.is_true(cond) {
            let here = state.path.term(&self.terms);
            let passes = self.terms().implies(here, cond);
            let (thread, unit) = (self.thread.ix, state.section);
            for i in (0..self.skeleton.events.len()).rev() {
                let e = &self.skeleton.events[i];
                if e.thread == thread && e.unit < unit {
                    break;
                }
                if e.thread == thread && e.unit == unit && e.kind == EventKind::Write {
                    let guard = e.guard;
                    self.skeleton.events[i].guard = self.terms.and(guard, passes);
                }
            }
        }
        self.restrict(state, cond)
    }

    fn assign(
        &mut self,
        at: InstrRef,
        dst: RegId,
        value: &Expr,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let operands: Vec<Operand> = value.operands().collect();
        let args = self.operands(&operands, regs);
        if let Some(defined) = expression::division_guard(self.terms(), value, &args)
            && !self.end_unless(state, defined, at)
        {
            return false;
        }
        let pointer = match value {
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
            | Expr::IntToFloat { .. } => None,
        };
        if let Some(v) = pointer {
            regs[dst.index()] = v;
            return true;
        }
        match expression::evaluate(self.terms(), value, &args) {
            Some(v) => {
                regs[dst.index()] = v;
                true
            }
            None => {
                let what = "a floating-point remainder or arithmetic in long double (use --engine explore)"
                    .to_string();
                self.cut(state, CutKind::Unsupported(what), self.program.place(at));
                false
            }
        }
    }

    /// Runs several accesses as one unit.
    pub fn atomically<R>(
        &mut self,
        state: &mut State,
        body: impl FnOnce(&mut Self, &mut State) -> R,
    ) -> R {
        if state.atomic == 0 {
            state.section = self.next_unit();
        }
        state.atomic += 1;
        let result = body(self, state);
        state.atomic -= 1;
        result
    }

    fn compare_exchange(
        &mut self,
        state: &mut State,
        (address, expected, new): (TermId, TermId, TermId),
        width: u32,
        how: Manner,
    ) -> Option<(TermId, TermId)> {
        let bytes = width.div_ceil(8);
        self.atomically(state, |pass, state| {
            let old = pass.load(state, address, bytes, how)?;
            let value = pass.terms().extract(old, width - 1, 0);
            let equal = pass.terms().eq(value, expected);
            let new = pass.terms().zext(new, bytes * 8);
            // Two paths, joined again: with the write and without.
            let not_equal = pass.terms().not(equal);
            let with = state.path.and(&mut pass.terms, equal);
            let without = state.path.and(&mut pass.terms, not_equal);
            let mut writing = State { path: with, ..state.clone() };
            let waiting = State { path: without, ..state.clone() };
            let wrote =
                !writing.path.is_false(&pass.terms) && pass.store(&mut writing, address, new, how);
            *state = match (wrote, waiting.path.is_false(&pass.terms)) {
                (true, true) => writing,
                (true, false) => pass.merge(writing, waiting).0,
                (false, false) => waiting,
                (false, true) => return None,
            };
            Some((value, equal))
        })
    }

    fn lock(&mut self, at: InstrRef, mutex: TermId, wait: bool, state: &mut State) -> bool {
        let how = lock_word(at);
        let Some(mutex) = self.settle(state, mutex, 4, at) else { return false };
        let own = self.terms.constant(u128::from(self.thread.number), 32);
        let free = self.terms().constant(0, 32);
        let place = self.shared_place(state, mutex, 4);
        let taken = self.atomically(state, |pass, state| match place {
            Some(place) => {
                // The thread may stop before the lock; if it goes on, the word was 0.
                let acquired = pass.terms().fresh(1);
                pass.wait_for_lock(at, place, mutex, acquired, state);
                if !pass.wait_for(state, acquired) {
                    return false;
                }
                pass.read_known(state, place, mutex, free, how);
                pass.store(state, mutex, own, how)
            }
            None => {
                // Looking at the word of a mutex that is held is no step.
                let look = Manner { trail: Trail::None, ..how };
                let Some(word) = pass.load(state, mutex, 4, look) else { return false };
                let is_free = pass.terms().eq(word, free);
                pass.wait_for_word(at, word, is_free, state);
                pass.wait_for(state, is_free) && pass.store(state, mutex, own, how)
            }
        });
        self.lock_effect(state, wait);
        if let Some(k) = self.terms.as_const(mutex)
            && let Err(place) = state.locks.binary_search_by_key(&(k as u64), |l| l.address)
        {
            let held = Held { address: k as u64, since: state.section };
            Rc::make_mut(&mut state.locks).insert(place, held);
        }
        taken
    }

    /// Forgets a lock that is released; notes whether the thread is certain to hold it.
    fn release(&mut self, state: &mut State, mutex: TermId) {
        match self.terms.as_const(mutex).map(|k| k as u64) {
            Some(k) => match state.locks.binary_search_by_key(&k, |l| l.address) {
                Ok(place) => {
                    Rc::make_mut(&mut state.locks).remove(place);
                }
                Err(_) => {
                    self.skeleton.broken_locks.insert(k);
                }
            },
            None => {
                self.skeleton.broken_locks.insert(0);
                state.locks = Rc::default();
            }
        }
    }

    fn lock_effect(&mut self, state: &State, wait: bool) {
        let changed = self.terms.tru();
        self.thread.effects.push(Effect { path: state.path.clone(), changed, wait });
    }

    fn check(&mut self, at: InstrRef, property: Property, cond: TermId, state: &mut State) -> bool {
        let checked = self.program.checked.contains(property);
        if checked {
            let wrong = self.terms().not(cond);
            self.violation(state, property, wrong, at);
        }
        if checked {
            // After a violation an atomic section has done nothing, as if it had not begun.
            self.wait_for(state, cond)
        } else if property.unchecked_failure_stops() {
            self.end_unless(state, cond, at)
        } else {
            true
        }
    }

    /// Notes that a property is violated where the condition holds; what was noted, if that is possible at all.
    pub fn violation(
        &mut self,
        state: &State,
        property: Property,
        wrong: TermId,
        at: InstrRef,
    ) -> Option<&mut Violation> {
        let path = state.path.and(&mut self.terms, wrong);
        if path.is_false(&self.terms) {
            return None;
        }
        let unit = self.unit_of(state);
        let site = self.user_site(at);
        let condition = path.term(&self.terms);
        let (thread, leaks, access) = (self.thread.ix, Vec::new(), None);
        let violation = Violation { property, condition, thread, unit, at, site, leaks, access };
        self.skeleton.violations.push(violation);
        self.skeleton.violations.last_mut()
    }

    fn input(&mut self, at: InstrRef, width: u32, kind: InputKind, state: &State) -> TermId {
        let value = self.terms().fresh(width);
        if let InputKind::Choice(n) = kind {
            let n = self.terms().constant(u128::from(n), width);
            let in_range = self.terms().ult(value, n);
            self.skeleton.assumptions.push(in_range);
        }
        let guard = state.path.term(&self.terms);
        self.thread.choices.push(Choice { guard, at, kind: ChoiceKind::Input(value, kind) });
        value
    }

    fn allocate(
        &mut self,
        at: InstrRef,
        (dst, size, align, kind, zeroed): (RegId, TermId, u32, AllocKind, bool),
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let nth = self.count(at);
        let key = ObjectKey::Alloc { thread: self.thread.number, at, nth };
        let bytes = match self.terms.as_const(size) {
            Some(k) => k as u64,
            None => {
                let room = self.terms.constant(u128::from(ROOM), self.program.pointer_bits);
                let fits = self.terms().ule(size, room);
                let too_large = self.terms().not(fits);
                let path = state.path.and(&mut self.terms, too_large);
                self.cut(&State { path, ..state.clone() }, CutKind::Object, self.program.place(at));
                if !self.restrict(state, fits) {
                    return false;
                }
                ROOM
            }
        };
        let Some(o) = self.knowledge.intern(key, bytes, align, zeroed) else {
            self.cut(state, CutKind::Object, self.program.place(at));
            return false;
        };
        if self.terms.as_const(size).is_none() {
            self.sizes.insert(o, size);
        }
        match kind {
            AllocKind::Stack => self.thread.stack.push(o),
            AllocKind::Heap => self.effect(state),
        }
        let guard = state.path.term(&self.terms);
        self.thread.choices.push(Choice { guard, at, kind: ChoiceKind::Alloc(o) });
        if kind == AllocKind::Heap && !self.begin_life(state, o, at) {
            return false;
        }
        let base = u128::from(self.knowledge.object(o).base);
        regs[dst.index()] = self.terms.constant(base, self.program.pointer_bits);
        true
    }

    fn object_size(
        &mut self,
        at: InstrRef,
        dst: RegId,
        address: TermId,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let width = self.program.pointer_bits;
        let mut size = self.terms().constant(0, width);
        let targets = self.targets(address);
        if targets.is_empty() && self.terms.as_const(address) != Some(0) {
            let what = "the size of an object of unknown origin".to_string();
            self.cut(state, CutKind::Unsupported(what), self.program.place(at));
            return false;
        }
        for &(o, _) in targets.iter() {
            let (base, bytes) = (self.knowledge.object(o).base, self.knowledge.object(o).size);
            let base = self.terms().constant(u128::from(base), width);
            let here = self.terms().eq(address, base);
            let constant = self.terms().constant(u128::from(bytes), width);
            let bytes = self.sizes.get(&o).copied().unwrap_or(constant);
            size = self.terms().ite(here, bytes, size);
        }
        regs[dst.index()] = size;
        true
    }

    fn call_one(
        &mut self,
        site: CallSite,
        f: FuncId,
        args: Vec<TermId>,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let Some((after, result)) = self.call(site.at, f, args, state.clone()) else {
            return false;
        };
        *state = after;
        if let Some(dst) = site.dst {
            regs[dst.index()] = self.fit(result, site.width);
        }
        true
    }

    /// A result as wide as it is wanted; a missing one is arbitrary.
    fn fit(&mut self, value: Option<TermId>, width: u32) -> TermId {
        match value {
            Some(v) if self.terms.width(v) < width => self.terms().zext(v, width),
            Some(v) => self.terms().extract(v, width - 1, 0),
            None => self.terms().fresh(width),
        }
    }

    /// The functions that an address may be, each with its condition.
    fn functions(&mut self, f: TermId) -> Vec<(FuncId, TermId)> {
        let width = self.program.pointer_bits;
        let mut found = Vec::new();
        for &(o, _) in self.targets(f).iter() {
            if let ObjectKey::Function(id) = self.knowledge.object(o).key {
                let address = self.program.function(id).address;
                let address = self.terms().constant(u128::from(address), width);
                let hit = self.terms().eq(f, address);
                if !self.terms.is_false(hit) {
                    found.push((id, hit));
                }
            }
        }
        found
    }

    fn unknown_function(&mut self, at: InstrRef, f: TermId, state: &mut State) {
        if self.terms.as_const(f).is_some() {
            self.memory_fault(state, at);
        } else {
            let what = "a call through a pointer of unknown origin".to_string();
            self.cut(state, CutKind::Unsupported(what), self.program.place(at));
        }
    }

    fn call_any(
        &mut self,
        site: CallSite,
        f: TermId,
        args: Vec<TermId>,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let functions = self.functions(f);
        if functions.is_empty() {
            self.unknown_function(site.at, f, state);
            return false;
        }
        let hits: Vec<TermId> = functions.iter().map(|f| f.1).collect();
        let valid = self.terms().or_all(&hits);
        if !self.demand(state, valid, site.at) {
            return false;
        }
        let mut joined: Option<(State, Option<TermId>)> = None;
        for (id, hit) in functions {
            let path = state.path.and(&mut self.terms, hit);
            if path.is_false(&self.terms) {
                continue;
            }
            let start = State { path, ..state.clone() };
            let Some((after, result)) = self.call(site.at, id, args.clone(), start) else {
                continue;
            };
            let result = site.dst.map(|_| self.fit(result, site.width));
            joined = Some(match joined {
                None => (after, result),
                Some((other, old)) => {
                    let (state, pick) = self.merge(other, after);
                    let result = match (old, result) {
                        (Some(a), Some(b)) => Some(self.choose_value(pick, a, b)),
                        (a, b) => a.or(b),
                    };
                    (state, result)
                }
            });
        }
        let Some((after, result)) = joined else { return false };
        *state = after;
        if let (Some(dst), Some(result)) = (site.dst, result) {
            regs[dst.index()] = result;
        }
        true
    }

    fn create(
        &mut self,
        at: InstrRef,
        f: TermId,
        args: Vec<TermId>,
        dst: Option<RegId>,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let functions = self.functions(f);
        if functions.is_empty() {
            self.unknown_function(at, f, state);
            return false;
        }
        let hits: Vec<TermId> = functions.iter().map(|f| f.1).collect();
        let valid = self.terms().or_all(&hits);
        if !self.demand(state, valid, at) {
            return false;
        }
        let width = self.program.pointer_bits;
        let mut number = None;
        let mut some = self.terms.fals();
        for (id, hit) in functions {
            let path = state.path.and(&mut self.terms, hit);
            if path.is_false(&self.terms) {
                continue;
            }
            let mut start = State { path, ..state.clone() };
            let Some(child) = self.create_thread(at, id, args.clone(), &mut start) else {
                continue;
            };
            state.concurrent = true;
            some = self.terms().or(some, hit);
            let n = u128::from(self.skeleton.threads[child.index()].number);
            let n = self.terms().constant(n, width);
            number = Some(match number {
                None => n,
                Some(before) => self.terms().ite(hit, n, before),
            });
        }
        let Some(number) = number else { return false };
        if let Some(dst) = dst {
            regs[dst.index()] = number;
        }
        self.restrict(state, some)
    }

    fn join(
        &mut self,
        at: InstrRef,
        target: TermId,
        dst: Option<RegId>,
        state: &mut State,
        regs: &mut [TermId],
    ) -> bool {
        let unit = self.unit_of(state);
        let thread = self.thread.ix;
        self.wait_for_join(at, unit, target, state);
        let known = self.terms.as_const(target).map(|number| {
            self.skeleton.threads.iter().position(|t| u128::from(t.number) == number)
        });
        if known == Some(None) {
            return false;
        }
        // An ancestor's summary is not complete yet (it has no units): treat it as unknown.
        let known = known.flatten().filter(|&t| self.skeleton.threads[t].units > 0);
        let (done, result) = match known {
            Some(child) => {
                let record = &self.skeleton.threads[child];
                let (ended, result) = (record.ended, record.result);
                let child = crate::ThreadIx(child as u32);
                let path = state.path.and(&mut self.terms, ended);
                let guard = path.term(&self.terms);
                let kind = MarkKind::Join(child);
                self.skeleton.marks.push(Mark { thread, unit, kind, guard, at });
                (ended, result)
            }
            None => {
                let done = self.terms().fresh(1);
                let width = self.program.pointer_bits;
                let result = self.terms().fresh(width);
                let guard = state.path.term(&self.terms);
                self.skeleton.joins.push(Join { thread, unit, guard, target, done, result, at });
                (done, result)
            }
        };
        if let Some(dst) = dst {
            regs[dst.index()] = result;
        }
        self.wait_for(state, done)
    }
}

/// How mutex operations access the word.
pub(crate) fn lock_word(at: InstrRef) -> Manner {
    let access = Access { atomic: Some(Order::SeqCst), volatile: false, hidden: true };
    Manner { at, access, lock: true, trail: Trail::Address }
}
