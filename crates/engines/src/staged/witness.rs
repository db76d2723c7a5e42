//! From a model to an execution: the schedule and everything the program leaves open.

use raddle_interp::{AddressAsk, Ask, Goal, GuideStep, InputAsk, Oracle, Origin, ThreadId};
use raddle_ir::{GlobalId, InstrRef};
use raddle_summary::{ChoiceKind, MarkKind, ObjectIx, ObjectKey, Skeleton, Trail};
use raddle_term::{Evaluator, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::backend::Backend;
use super::before::Unit;
use super::initial::InitialMemory;
use super::scene::Scene;

/// What replay does in a unit: position, instruction (or the end of the thread), address.
type Step = (u32, Option<InstrRef>, Option<TermId>);

/// An instruction, with its address, that a thread shall stand before after a unit.
pub type Stand = ((u32, u32), InstrRef, TermId);

/// The values of all terms in the last model.
pub struct Model<'a> {
    scene: Scene<'a>,
    skeleton: &'a Skeleton,
    terms: &'a Terms,
    values: FxHashMap<VarId, u128>,
    /// All units in an order that the model allows.
    order: Vec<Unit>,
    evaluator: Evaluator,
}

impl<'a> Model<'a> {
    /// Reads the model of the last satisfiable solve.
    pub fn new(scene: Scene<'a>, terms: &'a Terms, backend: &mut dyn Backend) -> Model<'a> {
        let (values, order) = (backend.variables(terms.variable_count()), backend.order());
        let skeleton = scene.skeleton;
        Model { scene, skeleton, terms, values, order, evaluator: Evaluator::new() }
    }

    /// The value of a term; variables that the solver never saw are 0.
    pub fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        self.evaluator.value(self.terms, t, &mut |v| values.get(&v).copied().unwrap_or(0))
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    fn thread_id(&self, index: usize) -> ThreadId {
        ThreadId(self.skeleton.threads[index].number)
    }

    /// The schedule up to the last of these units (thread, index). `stand` says where threads go beyond their last
    /// step at once, not only when their turn comes again.
    pub fn guide(&mut self, until: &[(u32, u32)], stand: &[Stand]) -> Vec<GuideStep> {
        let skeleton = self.skeleton;
        let mut steps: FxHashMap<(u32, u32), Vec<Step>> = FxHashMap::default();
        for e in &skeleton.events {
            let address = match e.trail {
                Trail::Address => Some(e.address),
                Trail::Look | Trail::Instruction => None,
                Trail::None => continue,
            };
            if self.holds(e.guard) && (e.trail != Trail::Look || self.holds(e.reached)) {
                let step = (e.position, Some(e.at), address);
                steps.entry((e.thread.0, e.unit)).or_default().push(step);
            }
        }
        let (mut open, mut complete) = (FxHashSet::default(), FxHashSet::default());
        for m in &skeleton.marks {
            let at = (m.kind != MarkKind::End).then_some(m.at);
            let visible = match m.kind {
                // A thread that is joined would run to its end by itself, but only then.
                MarkKind::Create(_) | MarkKind::End => true,
                MarkKind::Join(_) => false,
                MarkKind::SectionBegin => {
                    open.insert((m.thread.0, m.unit));
                    false
                }
                MarkKind::SectionEnd => {
                    if self.holds(m.guard) {
                        complete.insert((m.thread.0, m.unit));
                    }
                    false
                }
            };
            if visible && self.holds(m.guard) {
                steps.entry((m.thread.0, m.unit)).or_default().push((0, at, None));
            }
        }
        let mut left = until.len();
        let mut guide: Vec<GuideStep> = Vec::new();
        for (thread, index) in std::mem::take(&mut self.order) {
            let thread = thread.index();
            let here = (thread as u32, index);
            if thread >= skeleton.threads.len() {
                if until.contains(&here) {
                    break;
                }
                continue;
            }
            let mut all = steps.remove(&here).unwrap_or_default();
            // A section that cannot be completed takes no step, unless it is the one that goes wrong.
            if open.contains(&here) && !complete.contains(&here) && !until.contains(&here) {
                all.clear();
            }
            all.sort_by_key(|s| s.0);
            let first_of_unit = guide.len();
            for (_, at, address) in all {
                let thread = self.thread_id(thread);
                let address = address.map(|a| self.value(a) as u64);
                let goal = at.map_or(Goal::End, |at| Goal::Over { at, address });
                let step = GuideStep { thread, goal };
                // A read-modify-write is two events of one instruction, a look at an object's life goes
                // with the access: one unit, one step.
                match guide[first_of_unit..].last_mut() {
                    Some(last) if covers(last.goal, goal) => {}
                    Some(last) if covers(goal, last.goal) => *last = step,
                    Some(_) | None => guide.push(step),
                }
            }
            for &(_, at, address) in stand.iter().filter(|s| s.0 == here) {
                let address = self.value(address) as u64;
                let goal = Goal::Before { at, address };
                guide.push(GuideStep { thread: self.thread_id(thread), goal });
            }
            left -= usize::from(until.contains(&here));
            if left == 0 {
                break;
            }
        }
        guide
    }

    /// Answers for everything that the program leaves open.
    pub fn answers(&mut self, initial: &InitialMemory) -> Answers {
        let Scene { knowledge, skeleton, .. } = self.scene;
        let mut answers = Answers::default();
        let mut allocations: FxHashMap<ObjectIx, (ThreadId, u32)> = FxHashMap::default();
        for (i, thread) in skeleton.threads.iter().enumerate() {
            let id = self.thread_id(i);
            let (mut inputs, mut addresses, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
            for choice in &thread.choices {
                if !self.holds(choice.guard) {
                    continue;
                }
                match choice.kind {
                    ChoiceKind::Input(value, _) => inputs.push(self.value(value)),
                    ChoiceKind::Alloc(o) => {
                        allocations.insert(o, (id, addresses.len() as u32));
                        addresses.push(knowledge.object(o).base);
                    }
                    ChoiceKind::Thread(child) => {
                        numbers.push(skeleton.threads[child.index()].number)
                    }
                }
            }
            answers.inputs.insert(id, inputs);
            answers.addresses.insert(id, addresses);
            answers.numbers.insert(id, numbers);
        }
        let origin = |o| match knowledge.object(o).key {
            ObjectKey::Global(g) => Some(Origin::Global(g)),
            ObjectKey::ThreadLocal(thread, global) => {
                Some(Origin::ThreadLocal { thread: ThreadId(thread), global })
            }
            ObjectKey::Alloc { .. } => {
                let &(thread, nth) = allocations.get(&o)?;
                Some(Origin::Allocation { thread, nth })
            }
            ObjectKey::Function(_) | ObjectKey::Grave(_) => None,
        };
        for o in (0..knowledge.len()).map(|i| knowledge.object(ObjectIx(i as u32))) {
            if let ObjectKey::ThreadLocal(thread, global) = o.key {
                answers.locals.insert((ThreadId(thread), global), o.base);
            }
        }
        for (&(o, offset), &term) in &initial.bytes {
            if let Some(origin) = origin(o) {
                let byte = self.value(term) as u8;
                answers.bytes.insert((origin, offset), byte);
            }
        }
        for cell in &initial.cells {
            let (at, base) = (self.value(cell.address) as u64, knowledge.object(cell.object).base);
            if let (Some(origin), Some(offset)) = (origin(cell.object), at.checked_sub(base)) {
                let bytes = self.value(cell.value).to_le_bytes();
                let width = self.terms.width(cell.value) as usize / 8;
                for (place, &byte) in (offset..).zip(&bytes[..width]) {
                    answers.bytes.entry((origin, place)).or_insert(byte);
                }
            }
        }
        answers
    }
}

/// Whether the first of two neighbouring goals in one unit is the second as well: the same instruction, with a known address.
fn covers(a: Goal, b: Goal) -> bool {
    match (a, b) {
        (Goal::Over { at, .. }, Goal::Over { at: other, address: None }) => at == other,
        (Goal::Over { .. } | Goal::Before { .. } | Goal::End, _) => a == b,
    }
}

/// The answers of a model, as the interpreter asks for them.
#[derive(Default, Debug)]
pub struct Answers {
    inputs: FxHashMap<ThreadId, Vec<u128>>,
    addresses: FxHashMap<ThreadId, Vec<u64>>,
    locals: FxHashMap<(ThreadId, GlobalId), u64>,
    numbers: FxHashMap<ThreadId, Vec<u32>>,
    bytes: FxHashMap<(Origin, u64), u8>,
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
