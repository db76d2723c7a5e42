//! The interference skeleton: what is left of a bounded program once all thread-local control and
//! data flow is folded into terms.
//!
//! A read's value is a fresh variable (interference abstraction); composition links it to writes.
//! Events of a thread are totally ordered by (unit, position); events of one unit happen at one
//! point. Events on exclusive paths are ordered, too, which does no harm: never both occur.

use raddle_ir::{InputKind, InstrRef, Place, Property, Unmodelled};
use raddle_term::{TermId, Terms};

use crate::beginning::{ArbitraryBytes, Image};
use crate::knowledge::{ObjectIx, Target};

/// A thread instance of the bounded program; the main thread is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadIx(pub u32);

impl ThreadIx {
    /// As a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum EventKind {
    Read,
    Write,
}

/// How replay recognises an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trail {
    /// By its instruction and address.
    Address,
    /// By its instruction.
    Instruction,
    /// By its instruction, where the access that it is a look for is `reached`; else that is an
    /// error, and no step.
    Look,
    /// Not at all: it goes with another event of its unit.
    None,
    /// Not at all: a thread that does not acquire a mutex looks at its word. What it finds matters
    /// only where the thread waits for ever, and then only what is there in the end.
    Wait,
}

/// An access to shared memory.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whose access.
    pub thread: ThreadIx,
    /// Which atomic unit of the thread.
    pub unit: u32,
    /// Order inside the unit (increasing over the whole thread).
    pub position: u32,
    /// Read or write.
    pub kind: EventKind,
    /// The address.
    pub address: TermId,
    /// Where it may lie, never empty; exactly one place with its offset if the address is constant.
    pub targets: Vec<Target>,
    /// How many low bits of the address are certainly zero (at most 4).
    pub alignment: u32,
    /// How many bytes.
    pub bytes: u32,
    /// The value read or written, `8 * bytes` wide.
    pub value: TermId,
    /// When it occurs.
    pub guard: TermId,
    /// When the thread comes to it: also in an atomic section that then cannot be completed.
    pub reached: TermId,
    /// The instruction.
    pub at: InstrRef,
    /// The innermost instruction outside library models.
    pub site: InstrRef,
    /// An atomic access, or inside an atomic section.
    pub atomic: bool,
    /// Never part of a data race.
    pub hidden: bool,
    /// The lock word of a mutex operation.
    pub lock: bool,
    /// How replay recognises it.
    pub trail: Trail,
    /// The mutexes that the thread certainly holds.
    pub locks: std::rc::Rc<Vec<Held>>,
}

/// A mutex that a thread certainly holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The address of the mutex.
    pub address: u64,
    /// The unit in which it was acquired; if that depends on the path, the last one.
    pub since: u32,
}

/// Something without an access that takes part in the order.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Whose.
    pub thread: ThreadIx,
    /// Its unit.
    pub unit: u32,
    /// What.
    pub kind: MarkKind,
    /// When it occurs.
    pub guard: TermId,
    /// The instruction.
    pub at: InstrRef,
}

/// What a mark stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// The creation of a thread.
    Create(ThreadIx),
    /// The join of a thread known at once.
    Join(ThreadIx),
    /// The end of the thread.
    End,
    /// The beginning of an atomic section: its unit.
    SectionBegin,
    /// The end of an atomic section, or of its thread inside it: one that does not come to it takes
    /// no step.
    SectionEnd,
}

/// A join whose thread is not known at once.
#[derive(Clone, Debug)]
pub struct Join {
    /// Who waits.
    pub thread: ThreadIx,
    /// In which unit.
    pub unit: u32,
    /// When it is reached.
    pub guard: TermId,
    /// The number of the thread waited for.
    pub target: TermId,
    /// A free Boolean: it has been joined.
    pub done: TermId,
    /// A free variable: what the thread returned.
    pub result: TermId,
    /// The instruction.
    pub at: InstrRef,
}

/// A thread instance.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number in the program.
    pub number: u32,
    /// Who created it.
    pub parent: Option<ThreadIx>,
    /// Units of this thread.
    pub units: u32,
    /// The condition under which it comes to its end.
    pub ended: TermId,
    /// What it returns then.
    pub result: TermId,
    /// Name of its start function.
    pub name: String,
    /// The variables that arose while it was executed.
    pub variables: std::ops::Range<usize>,
    /// What it asks of the environment, in program order.
    pub choices: Vec<Choice>,
}

impl Thread {
    /// A thread that has yet to be executed.
    pub(crate) fn unfinished(
        number: u32,
        parent: Option<ThreadIx>,
        name: String,
        terms: &Terms,
    ) -> Thread {
        let never = terms.fals();
        Thread {
            number,
            parent,
            units: 0,
            ended: never,
            result: never,
            name,
            variables: 0..0,
            choices: Vec::new(),
        }
    }
}

/// Something that the program does not determine.
#[derive(Clone, Debug)]
pub struct Choice {
    /// When it is asked.
    pub guard: TermId,
    /// The instruction.
    pub at: InstrRef,
    /// What is asked.
    pub kind: ChoiceKind,
}

/// What is asked of the environment.
#[derive(Clone, Copy, Debug)]
pub enum ChoiceKind {
    /// An input.
    Input(TermId, InputKind),
    /// The address of a new object.
    Alloc(ObjectIx),
    /// The number of a new thread.
    Thread(ThreadIx),
}

/// A way to violate a property within one thread.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which property.
    pub property: Property,
    /// When it is violated.
    pub condition: TermId,
    /// By whom.
    pub thread: ThreadIx,
    /// The unit that comes after all that must have happened before.
    pub unit: u32,
    /// The instruction.
    pub at: InstrRef,
    /// The innermost instruction outside library models.
    pub site: InstrRef,
    /// For leaks: the heap objects, each with the condition for being alive at the end.
    pub leaks: Vec<(ObjectIx, TermId)>,
    /// For an access that may leave its objects: the address and how many bytes.
    pub access: Option<(TermId, u32)>,
}

/// A point at which a thread may wait for ever. Recorded only when deadlocks are checked.
#[derive(Clone, Debug)]
pub struct Wait {
    /// Who waits.
    pub thread: ThreadIx,
    /// What the thread did before has smaller units; what it reads to find out has this one or
    /// later ones.
    pub unit: u32,
    /// When the point is reached.
    pub guard: TermId,
    /// When the thread does not go on; a join also needs that nobody ended whom it could join.
    pub stuck: TermId,
    /// Whether `stuck` depends on reads from `unit` on, which must then see the final memory.
    pub reads: bool,
    /// What it waits for.
    pub kind: WaitKind,
    /// The instruction that it does not pass; the head of a loop in which it spins.
    pub at: InstrRef,
    /// The innermost instruction outside library models.
    pub site: InstrRef,
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitKind {
    /// A mutex whose word has this value.
    Lock(TermId),
    /// The end of the thread with this number.
    Join(TermId),
    /// A condition.
    Condition,
    /// Spinning: an iteration that changes nothing.
    Loop,
}

/// Where a bound cut executions off.
#[derive(Clone, Debug)]
pub struct Cut {
    /// When it does.
    pub condition: TermId,
    /// In which thread.
    pub thread: ThreadIx,
    /// A unit after all that must have happened before.
    pub unit: u32,
    /// What was cut.
    pub kind: CutKind,
    /// Where.
    pub place: Place,
}

/// What was cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CutKind {
    /// More iterations of a loop.
    Loop,
    /// Deeper recursion.
    Recursion,
    /// More threads.
    Threads,
    /// Larger objects.
    Object,
    /// Something that is not modelled.
    Unsupported(Unmodelled),
    /// What comes after undefined behaviour that this property, which is not checked, would have shown.
    Undefined(Property),
}

/// What a summary is: the skeleton, and beside it the pool of its terms, to which those who compose
/// it add their own.
pub struct Summary {
    /// What the threads do.
    pub skeleton: Skeleton,
    /// All terms.
    pub terms: Terms,
}

/// The skeleton. It does not change any more once it is made.
#[derive(Default)]
pub struct Skeleton {
    /// The threads; a parent stands before its children.
    pub threads: Vec<Thread>,
    /// The accesses, of each thread in the order of execution.
    pub events: Vec<Event>,
    /// Other points of the order.
    pub marks: Vec<Mark>,
    /// Joins of threads that are not known at once.
    pub joins: Vec<Join>,
    /// Memory when the first thread was created, under exclusive conditions.
    pub images: Vec<Image>,
    /// Variables for the bytes that are arbitrary at the start.
    pub initial_bytes: ArbitraryBytes,
    /// Validity of symbolic addresses and ranges of choices: these hold in every execution.
    pub assumptions: Vec<TermId>,
    /// Mutexes that some thread may release without holding them: holding one excludes nobody.
    /// Address 0 stands for all.
    pub broken_locks: rustc_hash::FxHashSet<u64>,
    /// Where the heap objects were allocated, outside library models; only if leaks are looked for.
    pub heap: std::collections::BTreeMap<ObjectIx, Place>,
    /// What can go wrong.
    pub violations: Vec<Violation>,
    /// Where threads may wait for ever.
    pub waits: Vec<Wait>,
    /// What was cut off.
    pub cuts: Vec<Cut>,
}
