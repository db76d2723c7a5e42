//! One step of a thread: from a place, instruction by instruction, to the next places.
//!
//! Every way is followed by itself; where a condition decides, the solver says which sides are
//! possible. What an instruction does is `docs/semantics.md`, here for control and values, in
//! `memory.rs` for accesses and in `lives.rs` for objects and threads. What must not happen is asked
//! as soon as it can, so that a way that goes on has done nothing wrong.

use raddle_ir::{
    BlockId, Callee, Expr, FuncId, InputKind, InstrRef, Op, Operand, Place, Property, RegId,
    Terminator,
};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::legend::{Stand, Way};
use crate::state::{Machine, Var};
use crate::{No, Outside, value};

/// Most instructions of one step, on all its ways.
const MOST_INSTRUCTIONS: usize = 20_000;
/// Most values of an address of one access or call.
pub(crate) const MOST_VALUES: usize = 1024;

/// Which part of a step an instruction belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// It is the first one.
    First,
    /// It is in the atomic section that comes first.
    Section,
    /// It comes later.
    Tail,
}

/// What an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Touched {
    /// A cell of an object.
    Cell(usize, u64),
    /// Whether an object lives.
    Life(usize),
}

/// How something that is touched takes part in data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Racing {
    /// Not at all.
    Never,
    /// As an access that is atomic, by itself or by its section.
    Atomic,
    /// As any other access.
    Plain,
}

/// Something that a step touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub what: Touched,
    pub writes: bool,
    /// When.
    pub cond: TermId,
    /// Whether it is in the tail of its step.
    pub tail: bool,
    pub racing: Racing,
    pub place: Place,
}

/// A way on which a step is under way.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub cond: TermId,
    /// What variables are now, if they are not what they were.
    pub changed: FxHashMap<Var, TermId>,
    pub calls: Vec<InstrRef>,
    pub at: InstrRef,
    pub sections: u32,
    pub part: Part,
    pub touches: Vec<Touch>,
}

/// A step on one way.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub thread: usize,
    pub from: usize,
    /// Where the thread stands afterwards; none if it has stopped.
    pub target: Option<usize>,
    /// When it is made: the thread may make a step, and goes this way.
    pub conds: [TermId; 2],
    /// What changes, but for where the thread stands.
    pub changed: FxHashMap<Var, TermId>,
    pub touches: Vec<Touch>,
}

/// What becomes of a thread for which a condition does not hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Otherwise {
    /// It cannot go on now.
    Wait,
    /// It goes no further, and what it did stays.
    Stop,
    /// A property is violated.
    Violates(Property),
    /// The legend does not go that far.
    Ends,
}

/// The steps from one place in the making.
pub(crate) struct Walk<'m, 'a> {
    pub machine: &'m mut Machine<'a>,
    pub thread: usize,
    from: usize,
    /// The thread may make a step.
    may_step: TermId,
    pub open: Vec<Path>,
    steps: Vec<Step>,
    executed: usize,
}

/// All steps of a thread from a place.
pub(crate) fn steps(machine: &mut Machine, thread: usize, from: usize) -> Result<Vec<Step>, No> {
    let may_step = machine.may_step(thread, from);
    let stand = machine.legend.places[thread][from].clone();
    let entry = machine.legend.threads[thread].entry;
    let mut path = Path {
        cond: machine.terms.tru(),
        changed: FxHashMap::default(),
        calls: stand.calls.to_vec(),
        at: stand.at.unwrap_or(InstrRef { func: entry, block: BlockId(0), index: 0 }),
        sections: stand.sections,
        part: if stand.sections > 0 { Part::Section } else { Part::First },
        touches: Vec::new(),
    };
    if from == 0 {
        // Nothing of the thread itself comes first.
        path.part = Part::Tail;
        for (nth, &param) in machine.program.function(entry).params.iter().enumerate() {
            let argument = machine.now(&Var::Argument(thread, nth as u32));
            let param = Var::Register(thread, Way::from([]), entry, param);
            path.changed.insert(param, argument);
        }
    }
    let (open, steps) = (Vec::new(), Vec::new());
    let mut walk = Walk { machine, thread, from, may_step, open, steps, executed: 0 };
    if from == 0 {
        walk.arrive(path)?
    } else {
        walk.execute(path)?
    }
    while let Some(path) = walk.open.pop() {
        walk.arrive(path)?;
    }
    Ok(walk.steps)
}

impl Walk<'_, '_> {
    /// Goes on, unless a place is reached.
    fn arrive(&mut self, path: Path) -> Result<(), No> {
        let stand =
            Stand { calls: Way::from(&path.calls[..]), at: Some(path.at), sections: path.sections };
        match self.machine.place_at(self.thread, &stand) {
            Some(place) => self.finish(path, Some(place)),
            None => self.execute(path),
        }
    }

    /// Executes one instruction; ways that go on are put aside.
    fn execute(&mut self, mut path: Path) -> Result<(), No> {
        self.executed += 1;
        if self.executed > MOST_INSTRUCTIONS {
            return Err(No::Outside(Outside::Many, self.place(&path)));
        }
        let program = self.machine.program;
        let block = program.function(path.at.func).block(path.at.block);
        let before = path.part;
        match block.instrs.get(path.at.index as usize) {
            Some(instr) => {
                if let Op::Call { callee, args, .. } = &instr.op {
                    return self.call(path, *callee, args);
                }
                if self.instruction(&mut path, &instr.op)? {
                    path.at.index += 1;
                    path.part = next_part(before, path.sections);
                    self.open.push(path);
                }
                Ok(())
            }
            None => self.terminate(path, &block.end),
        }
    }

    pub fn place(&self, path: &Path) -> Place {
        self.machine.user_place(&path.calls, path.at)
    }

    /// Whether a condition can hold where a path is.
    pub fn possible(&mut self, path: &Path, cond: TermId) -> Result<bool, No> {
        let cond = self.machine.terms.and(path.cond, cond);
        self.machine.possible(&[self.may_step, cond])
    }

    /// The values that a term can have where a path is, under a condition.
    pub fn values(&mut self, path: &Path, cond: TermId, term: TermId) -> Result<Vec<u128>, No> {
        let machine = &mut *self.machine;
        let width = machine.terms.width(term);
        let mut conds = vec![self.may_step, path.cond, cond];
        let mut values = Vec::new();
        if conds.iter().any(|c| machine.terms.is_false(*c)) {
            return Ok(values);
        }
        while let Some(value) = machine.prover.some_value(&machine.terms, &conds, term)? {
            values.push(value);
            if values.len() > MOST_VALUES {
                return Err(No::Outside(Outside::Many, self.place(path)));
            }
            let value = machine.terms.constant(value, width);
            conds.push(machine.terms.ne(term, value));
        }
        values.sort_unstable();
        Ok(values)
    }

    /// The value of a term where a path is, under a condition, if there is only one.
    pub fn only_value(
        &mut self,
        path: &Path,
        cond: TermId,
        term: TermId,
    ) -> Result<Option<u128>, No> {
        self.machine.only_value(&[self.may_step, path.cond, cond], term)
    }

    /// Goes on where a condition holds; false if it never does.
    pub fn require(
        &mut self,
        path: &mut Path,
        cond: TermId,
        otherwise: Otherwise,
    ) -> Result<bool, No> {
        let wrong = self.machine.terms.not(cond);
        if self.possible(path, wrong)? {
            match otherwise {
                Otherwise::Wait if path.part == Part::Tail => return Err(self.glued(path)),
                Otherwise::Wait => {}
                Otherwise::Stop => {
                    let cond = self.machine.terms.and(path.cond, wrong);
                    self.stop(Path { cond, ..path.clone() })?;
                }
                Otherwise::Violates(property) => {
                    return Err(No::Violation(property, self.place(path)));
                }
                Otherwise::Ends => return Err(No::End(self.place(path))),
            }
        }
        path.cond = self.machine.terms.and(path.cond, cond);
        Ok(!self.machine.terms.is_false(path.cond))
    }

    /// The thread goes no further. If it has done nothing that remains, it might as well stand where
    /// it stood, unless that is inside an atomic section, which it leaves now.
    pub fn stop(&mut self, path: Path) -> Result<(), No> {
        let remains = |var: &Var| !matches!(var, Var::Register(..) | Var::Count(..));
        let inside = self.machine.legend.places[self.thread][self.from].sections > 0;
        if inside || path.changed.keys().any(remains) {
            return self.finish(path, None);
        }
        let (conds, touches) = ([self.may_step, path.cond], path.touches);
        let (thread, from, target) = (self.thread, self.from, Some(self.from));
        let changed = FxHashMap::default();
        self.steps.push(Step { thread, from, target, conds, changed, touches });
        Ok(())
    }

    /// The step ends.
    pub fn finish(&mut self, mut path: Path, target: Option<usize>) -> Result<(), No> {
        let (thread, from) = (self.thread, self.from);
        let before = self.machine.live(thread, from).clone();
        let live = target.map(|t| self.machine.live(thread, t).clone()).unwrap_or_default();
        path.changed.retain(|var, _| match var {
            Var::Register(_, calls, func, reg) => live.contains(&(calls.clone(), *func, *reg)),
            Var::At(..)
            | Var::Cell(..)
            | Var::Life(_)
            | Var::Length(_)
            | Var::Created(_)
            | Var::Ended(_)
            | Var::Argument(..)
            | Var::Result(_)
            | Var::Count(..) => true,
        });
        for (calls, func, reg) in before.union(&live) {
            let var = Var::Register(thread, calls.clone(), *func, *reg);
            let key = (calls.clone(), *func, *reg);
            if !live.contains(&key) {
                let zero = self.machine.terms.constant(0, self.machine.width(&var));
                path.changed.insert(var, zero);
            } else if !before.contains(&key) && !path.changed.contains_key(&var) {
                return Err(No::End(self.place(&path)));
            }
        }
        let (conds, changed, touches) = ([self.may_step, path.cond], path.changed, path.touches);
        self.steps.push(Step { thread, from, target, conds, changed, touches });
        Ok(())
    }

    /// Something that must come first in its step does not.
    fn glued(&self, path: &Path) -> No {
        No::Glued(self.machine.place_of(self.thread, self.from), self.place(path))
    }

    pub fn must_be_first(&self, path: &Path) -> Result<(), No> {
        if path.part == Part::Tail { Err(self.glued(path)) } else { Ok(()) }
    }

    /// What a variable is now.
    pub fn get(&mut self, path: &Path, var: &Var) -> TermId {
        path.changed.get(var).copied().unwrap_or_else(|| self.machine.now(var))
    }

    /// The value of an operand.
    pub fn operand(&mut self, path: &Path, operand: Operand) -> Result<TermId, No> {
        let program = self.machine.program;
        let func = path.at.func;
        let width = program.width(program.function(func), operand);
        if let Some(value) = program.constant(operand) {
            return Ok(self.machine.terms.constant(value, width));
        }
        let Operand::Reg(reg) = operand else {
            unreachable!("only registers have no constant value");
        };
        let calls = Way::from(&path.calls[..]);
        let var = Var::Register(self.thread, calls.clone(), func, reg);
        let known = path.changed.contains_key(&var)
            || self.machine.live(self.thread, self.from).contains(&(calls, func, reg));
        if known { Ok(self.get(path, &var)) } else { Err(No::End(self.place(path))) }
    }

    pub fn operands(&mut self, path: &Path, all: &[Operand]) -> Result<Vec<TermId>, No> {
        all.iter().map(|o| self.operand(path, *o)).collect()
    }

    /// Assigns a register of the running function.
    pub fn set(&mut self, path: &mut Path, reg: RegId, value: TermId) {
        let var = Var::Register(self.thread, Way::from(&path.calls[..]), path.at.func, reg);
        let value = self.machine.resize(value, self.machine.width(&var));
        path.changed.insert(var, value);
    }

    pub fn constant(&mut self, value: u64) -> TermId {
        self.machine.terms.constant(u128::from(value), self.machine.program.pointer_bits)
    }

    /// What something undefined is, if it would show as a violation of a property.
    pub fn undefined(&self, property: Property) -> Otherwise {
        match self.machine.program.checked.contains(property) {
            true => Otherwise::Violates(property),
            false => Otherwise::Stop,
        }
    }

    /// Executes an instruction; whether the path goes on.
    fn instruction(&mut self, path: &mut Path, op: &Op) -> Result<bool, No> {
        match op {
            Op::Assign { dst, value } => self.assign(path, *dst, value),
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::CompareExchange { .. } => {
                self.access(path, op)
            }
            Op::Lock { mutex, .. } => self.lock(path, *mutex),
            Op::Unlock { mutex, .. } => self.unlock(path, *mutex),
            Op::TryLock { dst, mutex } => self.try_lock(path, *dst, *mutex),
            Op::Fence { .. } => Ok(true),
            Op::Alloc { .. } => self.allocate(path, op),
            Op::Free { addr } => self.free(path, *addr),
            Op::ObjectSize { dst, addr } => self.object_size(path, *dst, *addr),
            Op::ThreadLocal { dst, global } => self.thread_local(path, *dst, *global),
            Op::Call { .. } => unreachable!("calls are entered"),
            Op::Create { dst, func, args } => self.create(path, *dst, *func, args),
            Op::Join { dst, thread } => self.join(path, *dst, *thread),
            Op::ThreadExit { value } => {
                let value = self.operand(path, *value)?;
                for depth in (0..=path.calls.len()).rev() {
                    self.bury(path, depth);
                }
                self.end_thread(path.clone(), Some(value))?;
                Ok(false)
            }
            Op::ThreadSelf { dst, .. } => {
                let number = self.constant(self.thread as u64 + 1);
                self.set(path, *dst, number);
                Ok(true)
            }
            Op::AtomicBegin => {
                self.must_be_first(path)?;
                path.sections += 1;
                Ok(true)
            }
            Op::AtomicEnd => {
                path.sections = path.sections.saturating_sub(1);
                Ok(true)
            }
            // It may go on in any case.
            Op::Block { spurious: true, .. } => Ok(true),
            Op::Block { cond, spurious: false } => {
                let cond = self.operand(path, *cond)?;
                self.require(path, cond, Otherwise::Wait)
            }
            Op::Assume { cond } => {
                let cond = self.operand(path, *cond)?;
                let otherwise = if path.sections > 0 { Otherwise::Wait } else { Otherwise::Stop };
                self.require(path, cond, otherwise)
            }
            Op::Check { property, cond, .. } => self.check(path, *property, *cond),
            Op::Input { dst, kind, .. } => {
                let width = self.machine.program.function(path.at.func).reg(*dst).width;
                let value = self.input(path, width, *kind);
                self.set(path, *dst, value);
                Ok(true)
            }
            // Nobody makes a step afterwards; that others might does no harm.
            Op::Exit { .. } => self.finish(path.clone(), None).map(|()| false),
            Op::Unsupported { .. } => {
                let never = self.machine.terms.fals();
                self.require(path, never, Otherwise::Ends)
            }
        }
    }

    fn assign(&mut self, path: &mut Path, dst: RegId, value: &Expr) -> Result<bool, No> {
        let args: Vec<Operand> = value.operands().collect();
        let args = self.operands(path, &args)?;
        if let Some(defined) = value::is_defined(&mut self.machine.terms, value, &args)
            && !self.require(path, defined, Otherwise::Stop)?
        {
            return Ok(false);
        }
        let Some(value) = value::value(&mut self.machine.terms, value, &args) else {
            return Err(No::Outside(Outside::Arithmetic, self.place(path)));
        };
        self.set(path, dst, value);
        Ok(true)
    }

    fn check(&mut self, path: &mut Path, property: Property, cond: Operand) -> Result<bool, No> {
        let cond = self.operand(path, cond)?;
        match self.machine.program.checked.contains(property) {
            true => self.require(path, cond, Otherwise::Violates(property)),
            false if property.unchecked_failure_stops() => {
                self.require(path, cond, Otherwise::Stop)
            }
            false => Ok(true),
        }
    }

    /// Any value of a kind.
    pub fn input(&mut self, path: &mut Path, width: u32, kind: InputKind) -> TermId {
        let terms = &mut self.machine.terms;
        let value = terms.fresh(width);
        if let InputKind::Choice(n) = kind
            && u128::from(n.max(1)) <= raddle_ir::expr::mask(width)
        {
            let n = terms.constant(u128::from(n.max(1)), width);
            let in_range = terms.ult(value, n);
            path.cond = terms.and(path.cond, in_range);
        }
        value
    }

    fn call(&mut self, mut path: Path, callee: Callee, args: &[Operand]) -> Result<(), No> {
        let args = self.operands(&path, args)?;
        let functions = match callee {
            Callee::Direct(func) => vec![(self.machine.terms.tru(), func)],
            Callee::Indirect(target) => {
                let target = self.operand(&path, target)?;
                self.functions(&mut path, target)?
            }
        };
        for (cond, func) in functions {
            let mut inner = path.clone();
            inner.cond = self.machine.terms.and(path.cond, cond);
            let function = self.machine.program.function(func);
            if function.params.len() > args.len() {
                match callee {
                    Callee::Direct(_) => self.stop(inner)?,
                    Callee::Indirect(_) => {
                        let (never, wrong) =
                            (self.machine.terms.fals(), self.undefined(Property::Memory));
                        self.require(&mut inner, never, wrong)?;
                    }
                }
                continue;
            }
            inner.calls.push(path.at);
            inner.at = InstrRef { func, block: BlockId(0), index: 0 };
            inner.part = next_part(path.part, path.sections);
            for (&param, &arg) in function.params.iter().zip(&args) {
                self.set(&mut inner, param, arg);
            }
            self.open.push(inner);
        }
        Ok(())
    }

    /// The functions that an address can be that of; the path goes on where it is one.
    pub fn functions(
        &mut self,
        path: &mut Path,
        target: TermId,
    ) -> Result<Vec<(TermId, FuncId)>, No> {
        let program = self.machine.program;
        let mut all = Vec::new();
        for func in program.function_ids() {
            let address = self.constant(program.function(func).address);
            let hit = self.machine.terms.eq(target, address);
            if !self.machine.terms.is_false(hit) && self.possible(path, hit)? {
                all.push((hit, func));
            }
        }
        let hits: Vec<TermId> = all.iter().map(|a| a.0).collect();
        let any = self.machine.terms.or_all(&hits);
        let wrong = self.undefined(Property::Memory);
        let goes_on = self.require(path, any, wrong)?;
        Ok(if goes_on { all } else { Vec::new() })
    }

    fn terminate(&mut self, mut path: Path, end: &Terminator) -> Result<(), No> {
        let branches = match end {
            Terminator::Goto(to) => vec![(self.machine.terms.tru(), *to)],
            Terminator::Branch { cond, then, other } => {
                let cond = self.operand(&path, *cond)?;
                vec![(cond, *then), (self.machine.terms.not(cond), *other)]
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(&path, *value)?;
                let terms = &mut self.machine.terms;
                let (width, mut left, mut all) = (terms.width(value), terms.tru(), Vec::new());
                for (case, to) in cases {
                    let case = terms.constant(*case, width);
                    let hit = terms.eq(value, case);
                    all.push((terms.and(left, hit), *to));
                    let miss = terms.not(hit);
                    left = terms.and(left, miss);
                }
                all.push((left, *default));
                all
            }
            Terminator::Return(value) => return self.give_back(path, *value),
            Terminator::Stop => return self.stop(path),
        };
        path.part = next_part(path.part, path.sections);
        let several = branches.len() > 1;
        for (cond, to) in branches {
            if several && !self.possible(&path, cond)? {
                continue;
            }
            let mut next = path.clone();
            next.cond = self.machine.terms.and(path.cond, cond);
            next.at = InstrRef { block: to, index: 0, ..path.at };
            self.open.push(next);
        }
        Ok(())
    }

    fn give_back(&mut self, mut path: Path, value: Option<Operand>) -> Result<(), No> {
        let value = value.map(|v| self.operand(&path, v)).transpose()?;
        let depth = path.calls.len();
        if depth == 0 && self.thread == 0 {
            // The program ends.
            return self.finish(path, None);
        }
        self.bury(&mut path, depth);
        let Some(call) = path.calls.pop() else { return self.end_thread(path, value) };
        path.part = next_part(path.part, path.sections);
        path.at = call;
        let Some(Op::Call { dst, .. }) = self.machine.program.instr(call).map(|i| &i.op) else {
            return Err(No::End(self.place(&path)));
        };
        if let (Some(dst), Some(value)) = (dst, value) {
            self.set(&mut path, *dst, value);
        }
        path.at.index += 1;
        self.open.push(path);
        Ok(())
    }
}

/// The part that comes after an instruction of a part, inside so many sections.
fn next_part(part: Part, sections: u32) -> Part {
    match part {
        Part::First | Part::Section if sections > 0 => Part::Section,
        Part::First | Part::Section | Part::Tail => Part::Tail,
    }
}
