//! From a model to an execution: the schedule and everything the program leaves open.

use raddle_interp::{AddressAsk, Ask, GuideStep, InputAsk, Oracle, Origin, ThreadId};
use raddle_ir::{GlobalId, InstrRef};
use raddle_summary::{
    ChoiceKind, Knowledge, MarkKind, ObjectIx, ObjectKey, Skeleton, ThreadIx, Trail,
};
use raddle_term::{Evaluator, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::before::Unit;
use super::compose::Composition;

/// What replay does in a unit: position, instruction, address.
type Step = (u32, InstrRef, Option<TermId>);

/// The values of all terms in the last model.
pub struct Model<'a> {
    skeleton: &'a Skeleton,
    values: FxHashMap<VarId, u128>,
    evaluator: Evaluator,
}

impl<'a> Model<'a> {
    /// Reads the model of the last satisfiable solve.
    pub fn new(skeleton: &'a Skeleton, composition: &mut Composition) -> Model<'a> {
        let Composition { solver, blaster, .. } = composition;
        let mut values = FxHashMap::default();
        for i in 0..skeleton.terms.variable_count() {
            let var = VarId::new(i);
            if let Some(value) = blaster.var_value(var, |l| solver.value(l)) {
                values.insert(var, value);
            }
        }
        Model::with(skeleton, values)
    }

    /// A model with these values.
    pub fn with(skeleton: &'a Skeleton, values: FxHashMap<VarId, u128>) -> Model<'a> {
        Model { skeleton, values, evaluator: Evaluator::new() }
    }

    /// The value of a term; variables that the solver never saw are 0.
    pub fn value(&mut self, t: TermId) -> u128 {
        let values = &self.values;
        self.evaluator.value(&self.skeleton.terms, t, &mut |v| values.get(&v).copied().unwrap_or(0))
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, t: TermId) -> bool {
        self.value(t) != 0
    }

    fn thread_id(&self, index: usize) -> ThreadId {
        ThreadId(self.skeleton.threads[index].number)
    }

    /// The schedule up to the last of these units (thread, index).
    pub fn guide(&mut self, composition: &Composition, until: &[(u32, u32)]) -> Vec<GuideStep> {
        let theory = composition.theory.borrow();
        let place = |unit| {
            let (thread, index) = theory.place(unit);
            (ThreadIx(thread as u32), index)
        };
        self.guide_along(theory.linearisation().into_iter().map(place), until)
    }

    /// The schedule along an order of all units, up to the last of these units (thread, index).
    pub fn guide_along(
        &mut self,
        order: impl IntoIterator<Item = Unit>,
        until: &[(u32, u32)],
    ) -> Vec<GuideStep> {
        let skeleton = self.skeleton;
        let mut steps: FxHashMap<(u32, u32), Vec<Step>> = FxHashMap::default();
        for e in &skeleton.events {
            let address = match e.trail {
                Trail::Address => Some(e.address),
                Trail::Instruction => None,
                Trail::None => continue,
            };
            if self.holds(e.guard) {
                let step = (e.position, e.at, address);
                steps.entry((e.thread.0, e.unit)).or_default().push(step);
            }
        }
        let (mut open, mut complete) = (FxHashSet::default(), FxHashSet::default());
        for m in &skeleton.marks {
            let visible = match m.kind {
                MarkKind::Create(_) => true,
                // Replay lets a thread that is joined run to its end by itself.
                MarkKind::Join(_) | MarkKind::End => false,
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
                steps.entry((m.thread.0, m.unit)).or_default().push((0, m.at, None));
            }
        }
        let mut left = until.len();
        let mut guide: Vec<GuideStep> = Vec::new();
        for (thread, index) in order {
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
                let step = GuideStep { thread, at, address };
                // A read-modify-write is two events of one instruction: one unit, one step.
                if !(first_of_unit < guide.len() && guide.last() == Some(&step)) {
                    guide.push(step);
                }
            }
            left -= usize::from(until.contains(&here));
            if left == 0 {
                break;
            }
        }
        guide
    }

    /// Answers for everything that the program leaves open.
    pub fn answers(&mut self, knowledge: &Knowledge) -> Answers {
        let skeleton = self.skeleton;
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
        for (&(o, offset), &term) in &skeleton.initial_bytes {
            if let Some(origin) = origin(o) {
                let byte = self.value(term) as u8;
                answers.bytes.insert((origin, offset), byte);
            }
        }
        for cell in &skeleton.initial_cells {
            let (at, base) = (self.value(cell.address) as u64, knowledge.object(cell.object).base);
            if let (Some(origin), Some(offset)) = (origin(cell.object), at.checked_sub(base)) {
                let bytes = self.value(cell.value).to_le_bytes();
                let width = skeleton.terms.width(cell.value) as usize / 8;
                for (place, &byte) in (offset..).zip(&bytes[..width]) {
                    answers.bytes.entry((origin, place)).or_insert(byte);
                }
            }
        }
        answers
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
