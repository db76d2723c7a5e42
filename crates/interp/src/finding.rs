//! What can be wrong with an execution, as facts; wording is the report's business.
//!
//! Places inside library models are replaced by the innermost caller outside them ([`Site`]).

use raddle_ir::{FuncId, InstrRef, Place, Program, Property};

use crate::thread::ThreadId;

/// Where a thread is when something happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The thread.
    pub thread: ThreadId,
    /// The instruction itself, possibly inside a library model.
    pub at: InstrRef,
    /// The source place, outside library models.
    pub place: Place,
    /// The function of that place.
    pub function: FuncId,
}

/// A violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The violated property.
    pub property: Property,
    /// What happened.
    pub kind: FindingKind,
    /// Where: one site, two for a race, one per waiting thread for a deadlock.
    pub sites: Vec<Site>,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FindingKind {
    /// A `Check` failed.
    Check {
        /// Its message.
        message: String,
    },
    /// Two threads are about to touch the same bytes.
    Race {
        /// The common part, e.g. `queue.items[3]`.
        object: Name,
        /// The two accesses, in the order of the sites.
        accesses: [RaceAccess; 2],
    },
    /// Threads wait for each other, or for nobody.
    Deadlock {
        /// A cycle of locks while other threads may still run.
        local: bool,
        /// Who waits for what, in the order of the sites.
        waits: Vec<Wait>,
    },
    /// An invalid access, free or call.
    Memory(MemoryFault),
    /// Heap objects that live at the program's end.
    Leak {
        /// The objects, in order of allocation address.
        objects: Vec<Leaked>,
    },
    /// An infinite execution does not satisfy a formula. The sites are where threads are when the loop
    /// begins.
    Formula {
        /// The formula, as it was written.
        text: String,
        /// The file, or the option that gave it.
        source: String,
        /// The line in the file, or which of the options.
        line: u32,
    },
    /// A thread waits for ever in an infinite execution.
    Starvation,
}

/// One access of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic (itself or by an atomic section).
    pub atomic: bool,
}

/// A waiting thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The thread.
    pub thread: ThreadId,
    /// What for.
    pub on: WaitFor,
    /// The locks it holds.
    pub holding: Vec<Held>,
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaitFor {
    /// A mutex.
    Lock {
        /// Its C name.
        mutex: String,
        /// Its address.
        address: u64,
        /// Who holds it.
        holder: Option<ThreadId>,
    },
    /// The end of a thread.
    Join(ThreadId),
    /// A condition.
    Condition {
        /// The file of library models that it stands in (`semaphore.c`); none for an atomic section of the
        /// program.
        model: Option<String>,
    },
    /// A change of what a loop reads (a pure loop iteration).
    Loop,
}

/// A lock that a thread holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The C name of the mutex.
    pub mutex: String,
    /// Its address.
    pub address: u64,
    /// Where it was acquired (outside library models).
    pub acquired: Place,
}

/// An access that is not inside a live object, or another misuse of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The address used.
    pub address: u64,
    /// Bytes accessed; 0 for a free or a call.
    pub bytes: u64,
    /// Whether it writes.
    pub write: bool,
    /// The object that the address lies in, or just behind or before.
    pub object: Option<ObjectInfo>,
}

/// What is wrong with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The null pointer or an address shortly after it.
    Null,
    /// Not, or not wholly, inside the object.
    OutOfBounds,
    /// In a heap object that was freed.
    UseAfterFree,
    /// In a stack object whose function has returned.
    UseAfterReturn,
    /// In a copy of a thread-local global whose thread has ended.
    UseAfterEnd,
    /// A write to a constant.
    Constant,
    /// Near no object.
    Unmapped,
    /// Free of an object that was freed.
    DoubleFree,
    /// Free of something that is not the start of a live heap object.
    InvalidFree,
    /// Call of an address that is no function, or of a function with other parameters.
    NotAFunction,
}

/// What a part of memory is called: `queue.items[3]`, `heap object + 4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The C name of the object; none for most on the heap.
    pub object: Option<String>,
    /// The way from there to the part.
    pub path: String,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.object.as_deref().unwrap_or("heap object"), self.path)
    }
}

/// An object, for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// The object.
    pub name: Name,
    /// The accessed part (`a[3].next`) if it is inside, else the object.
    pub part: Name,
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Offset of the access from the base; may be negative or beyond the end.
    pub offset: i64,
    /// It is on the heap.
    pub heap: bool,
    /// Where it was allocated or declared.
    pub allocated: Place,
    /// Where it was freed.
    pub freed: Option<Place>,
}

/// A leaked object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaked {
    /// Where it was allocated (outside library models).
    pub allocated: Place,
    /// Size in bytes.
    pub size: u64,
    /// No pointer in live memory leads to it (`valid-memtrack`).
    pub lost: bool,
}

/// What makes two findings the same one to a user: property and source lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FindingKey {
    /// The property's name.
    pub property: &'static str,
    /// File and line of the sites (for leaks: of the allocations; for formulas: of the formula), sorted.
    pub places: Vec<(String, u32)>,
}

impl Finding {
    /// Its identity.
    pub fn key(&self, program: &Program) -> FindingKey {
        let show = |p: Place| (program.file(p.file).path.clone(), p.line);
        let mut places: Vec<_> = match &self.kind {
            FindingKind::Leak { objects } => objects.iter().map(|o| show(o.allocated)).collect(),
            FindingKind::Formula { source, line, .. } => vec![(source.clone(), *line)],
            FindingKind::Check { .. }
            | FindingKind::Race { .. }
            | FindingKind::Deadlock { .. }
            | FindingKind::Starvation
            | FindingKind::Memory(_) => self.sites.iter().map(|s| show(s.place)).collect(),
        };
        places.sort();
        // How many threads wait on a line does not make it another deadlock.
        if matches!(self.kind, FindingKind::Leak { .. } | FindingKind::Deadlock { .. }) {
            places.dedup();
        }
        FindingKey { property: self.property.name(), places }
    }

    /// The first place: where a report points to.
    pub fn place(&self) -> Place {
        self.sites.first().map_or(Place::UNKNOWN, |s| s.place)
    }
}
