//! The claims, one method each, at the places where an execution can refute them.

use raddle_analysis::sharing::{Role, range};
use raddle_analysis::{ClassId, Facts, InstanceId, Multiplicity, Object, ObjectId};
use raddle_interp::memory::ObjectKind;
use raddle_interp::state::{Code, State, Thread};
use raddle_interp::step::{Effect, Sync};
use raddle_ir::{Callee, FuncId, InstrRef, Op, Operand, Program};
use std::collections::HashMap;

use crate::walk::Observer;

/// How often each kind of claim was tested.
#[derive(Default, Debug)]
pub struct Tally {
    pub steps: u64,
    pub accesses: u64,
    /// Accesses of memory for which more than "anything can happen" is claimed.
    pub restricted: u64,
    /// Mutexes claimed to be held.
    pub held: u64,
    /// Pairs of threads that stood side by side.
    pub parallel: u64,
    pub bounded_loops: u64,
    pub pure_loops: u64,
    pub created: u64,
    pub violations: u64,
}

impl Tally {
    pub fn add(&mut self, more: &Tally) {
        self.steps += more.steps;
        self.accesses += more.accesses;
        self.restricted += more.restricted;
        self.held += more.held;
        self.parallel += more.parallel;
        self.bounded_loops += more.bounded_loops;
        self.pure_loops += more.pure_loops;
        self.created += more.created;
        self.violations += more.violations;
    }

    /// No kind of claim went untested.
    pub fn expect_all(&self) {
        let counts = [self.steps, self.accesses, self.restricted, self.held, self.parallel];
        let rare = [self.bounded_loops, self.pure_loops, self.created, self.violations];
        assert!(counts.iter().all(|n| *n > 1000) && rare.iter().all(|n| *n > 20), "{self:?}");
    }
}

/// An object of an execution under its name in the analyses.
#[derive(Clone, Copy)]
struct Made {
    object: ObjectId,
    by: usize,
}

/// The claims about a program and what one execution has shown so far.
pub struct Claims<'a> {
    program: &'a Program,
    facts: &'a Facts,
    code: &'a Code<'a>,
    /// Classes of the threads by index.
    classes: Vec<Option<ClassId>>,
    /// Stack and heap objects by address.
    made: HashMap<u64, Made>,
    /// The one thread of each class that is claimed to own something.
    owners: HashMap<ClassId, usize>,
    /// How often functions were entered.
    entered: HashMap<FuncId, u32>,
    /// What the thread that takes a step is about to execute, and how deep in calls.
    step: Option<(InstrRef, usize, InstanceId)>,
    pub failures: Vec<String>,
    pub tally: Tally,
}

impl<'a> Claims<'a> {
    pub fn new(program: &'a Program, facts: &'a Facts, code: &'a Code<'a>) -> Claims<'a> {
        let entry = program.entry.expect("programs have an entry");
        Claims {
            program,
            facts,
            code,
            classes: vec![Some(ClassId::MAIN)],
            made: HashMap::new(),
            owners: HashMap::new(),
            entered: HashMap::from([(entry, 1)]),
            step: None,
            failures: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn fail(&mut self, at: InstrRef, what: String) {
        let function = &self.program.function(at.func).name;
        let place = self.program.show_place(self.program.place(at));
        self.failures.push(format!("{place} ({function} {at:?}): {what}"));
    }

    /// The context in which a thread runs its innermost function, as the analysis tells them apart.
    fn context(&self, thread: &Thread) -> Option<InstanceId> {
        let points_to = &self.facts.points_to;
        let find = |func, chain: &[InstrRef]| {
            let all = points_to.instances_of(func).iter();
            all.copied().find(|id| points_to.instance(*id).chain == chain)
        };
        let mut inside = find(thread.frames[0].func, &[])?;
        for pair in thread.frames.windows(2) {
            let call = pair[0].at();
            let call = InstrRef { index: call.index - 1, ..call };
            let mut chain = points_to.instance(inside).chain.clone();
            chain.push(call);
            inside = find(pair[1].func, &chain).or_else(|| find(pair[1].func, &[]))?;
        }
        Some(inside)
    }

    /// Threads run what their class may run, and main's start phase is alone.
    fn position(&mut self, state: &State, index: usize, at: InstrRef) {
        let runs = self.classes[index]
            .is_some_and(|class| self.facts.threads.class(class).functions.contains(at.func));
        if !runs {
            self.fail(at, "the thread is not known to run this function".into());
        }
        if self.facts.threads.before_first_creation(at) && state.threads.len() > 1 {
            self.fail(at, "claimed to run before the first creation".into());
        }
    }

    fn locks(&mut self, state: &State, index: usize, at: InstrRef) {
        for &(global, offset) in self.facts.locks.held(at) {
            self.tally.held += 1;
            let address = self.program.global(global).address.wrapping_add_signed(offset);
            if !state.threads[index].locks.iter().any(|lock| lock.address == address) {
                let name = &self.program.global(global).name;
                self.fail(at, format!("{name}+{offset} is not held"));
            }
        }
    }

    fn parallel(&mut self, state: &State, index: usize, at: InstrRef) {
        let mhp = self.facts.mhp();
        for (other, thread) in state.threads.iter().enumerate() {
            if other != index && thread.is_running() {
                self.tally.parallel += 1;
                if !mhp.parallel(at, thread.at()) {
                    self.fail(at, format!("claimed not to be parallel to {:?}", thread.at()));
                }
            }
        }
    }

    /// The object at an address under its name in the analyses, and who made it.
    fn object(&self, state: &State, address: u64) -> Option<(ObjectId, u64, Option<usize>)> {
        let object = state.memory.object_at(address)?;
        let objects = self.facts.points_to.objects();
        let offset = address - object.base;
        match object.kind {
            ObjectKind::Global(g) => Some((objects.global(g), offset, None)),
            ObjectKind::ThreadLocal(g) => {
                let owns = |t: &Thread| t.locals.contains(&(g, object.base));
                let by = state.threads.iter().position(|t| owns(t));
                Some((objects.global(g), offset, by))
            }
            ObjectKind::Stack | ObjectKind::Heap => {
                let made = self.made.get(&object.base)?;
                Some((made.object, offset, Some(made.by)))
            }
        }
    }

    fn access(&mut self, state: &State, index: usize, at: InstrRef, inside: InstanceId, op: &Op) {
        let Some(usage) = op.memory_use(self.program.function(at.func)) else { return };
        let thread = &state.threads[index];
        let address = thread.frame().get(self.program, usage.addr) as u64;
        let locations = self.facts.points_to.locations_in(inside, usage.addr);
        let Some((object, offset, by)) = self.object(state, address) else { return };
        if locations.iter().any(|(o, _)| *o == ObjectId::UNKNOWN) {
            return;
        }
        self.tally.accesses += 1;
        let found =
            |&(o, d): &(ObjectId, Option<u64>)| o == object && d.is_none_or(|d| d == offset);
        if !locations.iter().any(found) {
            let object = self.facts.points_to.objects().get(object);
            self.fail(at, format!("leads to {object:?} + {offset}, claimed: {locations:?}"));
        }
        // What main does alone is no sharing; an address from nowhere makes all claims void.
        if state.threads.len() == 1 || !self.facts.sharing.wild().is_empty() {
            return;
        }
        let bytes = range(Some(offset), usage.bytes);
        let role = self.facts.sharing.role(object, bytes);
        self.tally.restricted += u64::from(role != Role::Shared);
        let right = match role {
            Role::Local => by == Some(index),
            Role::ReadOnly => !usage.writes,
            Role::Owned(class) => {
                let one = *self.owners.entry(class).or_insert(index);
                self.classes[index] == Some(class) && one == index
            }
            Role::Shared => true,
        };
        if !right {
            let object = self.facts.points_to.objects().get(object);
            self.fail(at, format!("thread {} accesses {object:?}: {role:?}", thread.id));
        }
        let written = usage.writes
            && (self.facts.sharing.is_read_only_after_start(object, bytes)
                || self.facts.sharing.is_never_written(object, bytes));
        if written {
            self.fail(at, "writes what is claimed not to be written".into());
        }
    }

    fn call(&mut self, state: &State, index: usize, at: InstrRef, op: &Op) {
        let target = match *op {
            Op::Call { callee: Callee::Direct(f), .. } => Operand::Function(f),
            Op::Call { callee: Callee::Indirect(o), .. } => o,
            Op::Create { func, .. } => func,
            _ => return,
        };
        let address = state.threads[index].frame().get(self.program, target) as u64;
        if let Some(f) = self.code.function_at(address)
            && !self.facts.points_to.callees(at).contains(&f)
            && !self.facts.graph.unresolved().contains(&at)
        {
            self.fail(at, format!("enters {}", self.program.function(f).name));
        }
    }

    fn entered(&mut self, at: InstrRef, func: FuncId) {
        let count = self.entered.entry(func).or_default();
        *count += 1;
        if *count > 1 && self.facts.threads.runs_once(func) {
            self.fail(at, format!("{} runs again", self.program.function(func).name));
        }
    }

    fn created(&mut self, state: &State, at: InstrRef) {
        self.tally.created += 1;
        let entry = state.threads.last().expect("there is a new thread").frames[0].func;
        let class = self.facts.threads.class_of_entry(entry);
        if class.is_none() {
            self.fail(at, "a thread of no class".into());
        }
        if let Some(class) = class
            && self.classes.contains(&Some(class))
            && self.facts.threads.class(class).multiplicity == Multiplicity::Once
        {
            self.fail(at, "another thread of a class that has one".into());
        }
        self.classes.push(class);
        self.entered(at, entry);
    }

    fn arrival(&mut self, at: InstrRef, effect: &Effect) {
        let Some(arrival) = effect.arrival.filter(|a| a.iterations > 0) else { return };
        let loops = &self.code.shape(at.func).cfg.loops;
        let index = loops.iter().position(|l| l.head == arrival.head).expect("it is a head");
        if let Some(bound) = self.facts.loops.bound(at.func, index) {
            self.tally.bounded_loops += 1;
            if u64::from(arrival.iterations) > bound {
                self.fail(at, format!("iteration {} of {bound}", arrival.iterations));
            }
        }
        if self.facts.loops.is_pure(at.func, index) {
            self.tally.pure_loops += 1;
            if !arrival.pure {
                self.fail(at, "an iteration that is not pure".into());
            }
        }
    }
}

impl Observer for Claims<'_> {
    fn before(&mut self, state: &State, index: usize) {
        self.tally.steps += 1;
        let thread = &state.threads[index];
        let at = thread.at();
        self.position(state, index, at);
        self.locks(state, index, at);
        self.parallel(state, index, at);
        let Some(inside) = self.context(thread) else {
            self.fail(at, "the function is claimed not to be reachable".into());
            return;
        };
        self.step = Some((at, thread.frames.len(), inside));
        if let Some(op) = thread.op(self.program) {
            self.access(state, index, at, inside, op);
            self.call(state, index, at, op);
        }
    }

    fn after(&mut self, state: &State, index: usize, effect: &Effect) {
        let Some((at, depth, inside)) = self.step.take() else { return };
        let thread = &state.threads[index];
        if let Some(Sync::Create(_)) = effect.sync {
            self.created(state, at);
        }
        if thread.frames.len() > depth {
            self.entered(at, thread.frame().func);
        }
        if let Some(Op::Alloc { dst, .. }) = self.program.instr(at).map(|i| &i.op) {
            let base = thread.frame().get(self.program, Operand::Reg(*dst)) as u64;
            let objects = self.facts.points_to.objects();
            let named = |id: &&ObjectId| objects.get(**id) == Object::Alloc(at, inside);
            match objects.allocs(at).iter().find(named) {
                Some(object) => _ = self.made.insert(base, Made { object: *object, by: index }),
                None => self.fail(at, "an object without a name".into()),
            }
        }
        self.arrival(at, effect);
    }

    fn violation(&mut self, state: &State, index: usize) {
        self.tally.violations += 1;
        for (i, frame) in state.threads[index].frames.iter().rev().enumerate() {
            // Callers stand behind their calls.
            let at = frame.at();
            let at = InstrRef { index: at.index - u32::from(i > 0), ..at };
            if !self.facts.reach.instruction(at) {
                self.fail(at, "a violation is claimed not to be reachable".into());
            }
        }
    }
}
