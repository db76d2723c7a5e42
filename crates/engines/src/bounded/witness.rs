//! From a model to an execution: what the interpreter is told to do, and answers to what the
//! program leaves open.
//!
//! A model is values of variables and a [`Schedule`], an order of units. What happens in a unit is
//! decided by the guards of its events and marks; each that replay can recognise ([`Trail`]) is a
//! step of the *guide*: "this thread goes over this instruction (at this address)", "this thread
//! ends". The interpreter executes what lies between by itself. Three rules:
//! 1. A read-modify-write is two events of one instruction, and a look at an object's life goes
//!    with the access: events of one unit that are the same to replay are one step.
//! 2. An atomic section that is not completed takes no step, unless it is the one that goes wrong.
//! 3. After the last step of a thread the interpreter lets it run on only when its turn comes.
//!    Where the number of context switches counts, a [`Stand`] makes it go at once to the
//!    instruction before which it shall stand.
//!
//! *Answers* are what the environment gives: inputs, addresses of new objects, numbers of new
//! threads, arbitrary contents of memory. They are found by who asks and how often it has asked
//! before, so they do not depend on the schedule. A model is trusted with nothing: what it says is
//! replayed, and a replay that fails is reported as a mistake.

use raddle_interp::{AddressAsk, Ask, Goal, GuideStep, InputAsk, Oracle, Origin, ThreadId};
use raddle_ir::{GlobalId, InstrRef};
use raddle_summary::{
    ChoiceKind, Event, Mark, MarkKind, ObjectIx, ObjectKey, Skeleton, Thread, Trail,
};
use raddle_term::{Evaluator, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::before::Unit;
use super::composition::Schedule;
use super::initial::InitialMemory;
use super::scene::Scene;

/// What replay does in a unit.
struct Step {
    /// Its place in the unit.
    position: u32,
    /// The instruction; `None` is the end of the thread.
    at: Option<InstrRef>,
    /// The address, if the step is recognised by it.
    address: Option<TermId>,
}

/// An instruction that a thread shall stand before after a unit.
pub struct Stand {
    /// The thread and its last unit.
    pub after: Unit,
    /// The instruction.
    pub at: InstrRef,
    /// The address that it will access, if it is recognised by it.
    pub address: Option<TermId>,
}

impl Stand {
    /// Before an instruction of a unit. A thread stands before an atomic section as a whole: what happens in it
    /// depends on what others do before it begins.
    pub fn new(skeleton: &Skeleton, unit: Unit, at: InstrRef, address: Option<TermId>) -> Stand {
        assert!(unit.1 > 0, "the first unit of a thread is its existence");
        let after = (unit.0, unit.1 - 1);
        let begins = |m: &&Mark| m.kind == MarkKind::SectionBegin && (m.thread, m.unit) == unit;
        match skeleton.marks.iter().find(begins) {
            Some(section) => Stand { after, at: section.at, address: None },
            None => Stand { after, at, address },
        }
    }
}

/// The values of all terms in a model.
pub struct Model<'a> {
    scene: Scene<'a>,
    terms: &'a Terms,
    values: FxHashMap<VarId, u128>,
    evaluator: Evaluator,
}

impl<'a> Model<'a> {
    /// A model with these values of variables.
    pub fn new(scene: Scene<'a>, terms: &'a Terms, values: FxHashMap<VarId, u128>) -> Model<'a> {
        Model { scene, terms, values, evaluator: Evaluator::new() }
    }

    /// The value of a term; variables that the solver never saw are 0.
    pub fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        self.evaluator.value(self.terms, t, &mut |v| values.get(&v).copied().unwrap_or(0))
    }

    /// The pool of terms.
    pub fn terms(&self) -> &'a Terms {
        self.terms
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, t: TermId) -> bool {
        debug_assert_eq!(self.terms.width(t), 1, "a condition is a Boolean");
        self.value(t) != 0
    }

    fn thread_id(&self, index: usize) -> ThreadId {
        ThreadId(self.scene.skeleton.threads[index].number)
    }

    /// The execution of a schedule, step by step.
    pub fn guide(&mut self, schedule: &Schedule, stands: &[Stand]) -> Vec<GuideStep> {
        let mut steps = self.steps();
        for unit in self.incomplete_sections() {
            if !schedule.last.contains(&unit) {
                steps.remove(&unit);
            }
        }
        let mut guide: Vec<GuideStep> = Vec::new();
        assert!(schedule.length <= schedule.order.len(), "an execution is part of its order");
        for stand in stands {
            let executed = schedule.order[..schedule.length].contains(&stand.after);
            assert!(executed, "a thread comes to where it shall stand");
        }
        for unit in &schedule.order[..schedule.length] {
            let mut all = steps.remove(unit).unwrap_or_default();
            all.sort_by_key(|s| s.position);
            let thread = self.thread_id(unit.0.index());
            let first_of_unit = guide.len();
            for step in all {
                let step = GuideStep { thread, goal: self.goal(&step) };
                push_once(&mut guide, first_of_unit, step);
            }
            for stand in stands.iter().filter(|s| s.after == *unit) {
                let address = stand.address.map(|a| self.value(a) as u64);
                guide.push(GuideStep { thread, goal: Goal::Before { at: stand.at, address } });
            }
        }
        guide
    }

    /// What happens in each unit.
    fn steps(&mut self) -> FxHashMap<Unit, Vec<Step>> {
        let skeleton = self.scene.skeleton;
        let mut steps: FxHashMap<Unit, Vec<Step>> = FxHashMap::default();
        for e in &skeleton.events {
            if let Some(step) = self.step(e) {
                steps.entry((e.thread, e.unit)).or_default().push(step);
            }
        }
        for m in &skeleton.marks {
            let at = match m.kind {
                MarkKind::Create(_) => Some(m.at),
                MarkKind::End => None,
                // A thread that is joined would run to its end by itself, but only then.
                MarkKind::Join(_) | MarkKind::SectionBegin | MarkKind::SectionEnd => continue,
            };
            if self.holds(m.guard) {
                let step = Step { position: 0, at, address: None };
                steps.entry((m.thread, m.unit)).or_default().push(step);
            }
        }
        steps
    }

    /// What replay sees of an event.
    fn step(&mut self, e: &Event) -> Option<Step> {
        let address = match e.trail {
            Trail::Address => Some(e.address),
            Trail::Look | Trail::Instruction => None,
            Trail::None | Trail::Wait => return None,
        };
        let occurs = self.holds(e.guard) && (e.trail != Trail::Look || self.holds(e.reached));
        occurs.then_some(Step { position: e.position, at: Some(e.at), address })
    }

    fn goal(&mut self, step: &Step) -> Goal {
        let address = step.address.map(|a| self.value(a) as u64);
        step.at.map_or(Goal::End, |at| Goal::Over { at, address })
    }

    /// The units of atomic sections that do not come to their end.
    fn incomplete_sections(&mut self) -> FxHashSet<Unit> {
        let skeleton = self.scene.skeleton;
        let (mut begun, mut complete) = (FxHashSet::default(), FxHashSet::default());
        for m in &skeleton.marks {
            match m.kind {
                MarkKind::SectionBegin => begun.insert((m.thread, m.unit)),
                MarkKind::SectionEnd if self.holds(m.guard) => complete.insert((m.thread, m.unit)),
                MarkKind::SectionEnd | MarkKind::Create(_) | MarkKind::Join(_) | MarkKind::End => {
                    continue;
                }
            };
        }
        begun.retain(|unit| !complete.contains(unit));
        begun
    }

    /// Answers for everything that the program leaves open.
    pub fn answers(&mut self, initial: &InitialMemory) -> Answers {
        let mut answers = Answers::default();
        let mut allocations: FxHashMap<ObjectIx, Origin> = FxHashMap::default();
        for (i, thread) in self.scene.skeleton.threads.iter().enumerate() {
            self.choices(self.thread_id(i), thread, &mut answers, &mut allocations);
        }
        let knowledge = self.scene.knowledge;
        for o in (0..knowledge.len()).map(|i| knowledge.object(ObjectIx(i as u32))) {
            if let ObjectKey::ThreadLocal(thread, global) = o.key {
                answers.locals.insert((ThreadId(thread), global), o.base);
            }
        }
        answers.bytes = self.contents(initial, &allocations);
        answers
    }

    /// What one thread is told, in the order in which it asks.
    fn choices(
        &mut self,
        id: ThreadId,
        thread: &Thread,
        answers: &mut Answers,
        allocations: &mut FxHashMap<ObjectIx, Origin>,
    ) {
        let Scene { knowledge, skeleton, .. } = self.scene;
        let (mut inputs, mut addresses, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for choice in &thread.choices {
            if !self.holds(choice.guard) {
                continue;
            }
            match choice.kind {
                ChoiceKind::Input(value, _) => inputs.push(self.value(value)),
                ChoiceKind::Alloc(o) => {
                    let nth = addresses.len() as u32;
                    let before = allocations.insert(o, Origin::Allocation { thread: id, nth });
                    debug_assert!(before.is_none(), "an object is allocated once");
                    addresses.push(knowledge.object(o).base);
                }
                ChoiceKind::Thread(child) => {
                    let child = &skeleton.threads[child.index()];
                    let parent = child.parent.map(|p| self.thread_id(p.index()));
                    debug_assert_eq!(parent, Some(id), "a thread numbers what it creates");
                    numbers.push(child.number);
                }
            }
        }
        let before = answers.inputs.insert(id, inputs);
        debug_assert!(before.is_none(), "threads have numbers of their own");
        answers.addresses.insert(id, addresses);
        answers.numbers.insert(id, numbers);
    }

    /// The arbitrary bytes of memory that the model decides.
    fn contents(
        &mut self,
        initial: &InitialMemory,
        allocations: &FxHashMap<ObjectIx, Origin>,
    ) -> FxHashMap<(Origin, u64), u8> {
        let knowledge = self.scene.knowledge;
        let origin = |o| match knowledge.object(o).key {
            ObjectKey::Global(g) => Some(Origin::Global(g)),
            ObjectKey::ThreadLocal(thread, global) => {
                Some(Origin::ThreadLocal { thread: ThreadId(thread), global })
            }
            ObjectKey::Alloc { .. } => allocations.get(&o).copied(),
            ObjectKey::Function(_) | ObjectKey::Grave(_) => None,
        };
        let mut contents = FxHashMap::default();
        for (&(o, offset), &term) in &initial.bytes {
            debug_assert_eq!(self.terms.width(term), 8, "a byte");
            debug_assert!(offset < knowledge.object(o).size, "of the object");
            if let Some(origin) = origin(o) {
                contents.insert((origin, offset), self.value(term) as u8);
            }
        }
        for cell in &initial.cells {
            let (at, base) = (self.value(cell.address) as u64, knowledge.object(cell.object).base);
            if let (Some(origin), Some(offset)) = (origin(cell.object), at.checked_sub(base)) {
                let bytes = self.value(cell.value).to_le_bytes();
                let width = self.terms.width(cell.value) as usize / 8;
                assert!(width <= bytes.len(), "a cell is at most as wide as a value");
                for (place, &byte) in (offset..).zip(&bytes[..width]) {
                    contents.entry((origin, place)).or_insert(byte);
                }
            }
        }
        contents
    }
}

/// Adds a step, unless it is the same to replay as the one before in its unit.
fn push_once(guide: &mut Vec<GuideStep>, first_of_unit: usize, step: GuideStep) {
    match guide[first_of_unit..].last_mut() {
        Some(last) if covers(last.goal, step.goal) => {}
        Some(last) if covers(step.goal, last.goal) => *last = step,
        Some(_) | None => guide.push(step),
    }
}

/// Whether the first of two neighbouring goals in one unit is the second as well: the same
/// instruction, with a known address.
fn covers(a: Goal, b: Goal) -> bool {
    match (a, b) {
        (Goal::Over { at, .. }, Goal::Over { at: other, address: None }) => at == other,
        (Goal::Over { .. } | Goal::Before { .. } | Goal::End, _) => a == b,
    }
}

/// The answers of a model, as the interpreter asks for them.
#[derive(Default, Debug)]
pub struct Answers {
    pub(crate) inputs: FxHashMap<ThreadId, Vec<u128>>,
    pub(crate) addresses: FxHashMap<ThreadId, Vec<u64>>,
    pub(crate) locals: FxHashMap<(ThreadId, GlobalId), u64>,
    pub(crate) numbers: FxHashMap<ThreadId, Vec<u32>>,
    pub(crate) bytes: FxHashMap<(Origin, u64), u8>,
}

impl Oracle for Answers {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        self.inputs.get(&ask.thread).and_then(|v| v.get(ask.nth as usize)).copied().unwrap_or(0)
    }

    fn address(&mut self, ask: &AddressAsk) -> Option<u64> {
        self.addresses.get(&ask.thread).and_then(|v| v.get(ask.nth as usize)).copied()
    }

    fn thread_local_address(&mut self, thread: ThreadId, global: GlobalId) -> Option<u64> {
        self.locals.get(&(thread, global)).copied()
    }

    fn thread_number(&mut self, ask: &Ask) -> Option<u32> {
        self.numbers.get(&ask.thread).and_then(|v| v.get(ask.nth as usize)).copied()
    }

    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        self.bytes.get(&(*object, offset)).copied().unwrap_or(0)
    }

    fn spurious(&mut self, _: &Ask) -> bool {
        true
    }
}
