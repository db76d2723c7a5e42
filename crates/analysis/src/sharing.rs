//! Sharing: which memory more than one thread may access.
//!
//! Idea: collect for each object the bytes that instructions access, with the thread classes that
//! may run them. Other threads than the one that made an object can get hold of its address only
//! through arguments of a creation, the result of a thread, or the contents of an object that may
//! be shared itself (globals are within everybody's reach). The last condition is recursive; the
//! least fixed point is taken. What is out of others' reach is local although many threads run the
//! same code. For the rest, only accesses after the first creation of a thread count: before it,
//! main is alone, and what it leaves is the initial memory of everybody.
//! Source: thread-escape analysis as in Naik, Aiken & Whaley, PLDI 2006 (flow-insensitive form).
//!
//! Accesses are loads, stores, read-modify-writes, frees (of all bytes), lock operations. Those
//! through unknown addresses are listed in [`Sharing::wild`]; what is said about objects is right
//! only if they access nothing that has a name (see [`crate::points_to`]).

use raddle_ir::{InstrRef, MemoryUse, Op, Program};

use crate::inclusion::Location;
use crate::objects::{Object, ObjectId, instructions_of};
use crate::points_to::PointsTo;
use crate::threads::{ClassId, Multiplicity, Threads};

/// Bytes of an object, from the first up to but not including the second.
pub type Range = (u64, u64);

/// All bytes of an object.
pub const WHOLE: Range = (0, u64::MAX);

/// Who accesses some memory once threads have been created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Only the thread that made it: no other gets hold of its address. A global that nobody
    /// accesses is local, too.
    Local,
    /// Anybody may read, nobody writes: it holds what main left there when it first created a
    /// thread (or what it held when it was allocated).
    ReadOnly,
    /// Only the one thread of this class; it finds there what main left when it first created a
    /// thread.
    Owned(ClassId),
    /// Several threads, and at least one writes.
    Shared,
}

/// One way in which an object is accessed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Access {
    range: Range,
    class: ClassId,
    writes: bool,
    /// Possibly after the first creation of a thread.
    late: bool,
}

/// What is known about one object.
#[derive(Clone, Default, Debug)]
struct Accesses {
    list: Vec<Access>,
    escapes: bool,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Sharing {
    objects: Vec<Accesses>,
    /// Per class: whether it has one thread.
    once: Vec<bool>,
    wild: Vec<InstrRef>,
}

impl Sharing {
    /// Analyses a program.
    pub fn new(program: &Program, points_to: &PointsTo, threads: &Threads) -> Sharing {
        let once = threads.classes().iter().map(|c| c.multiplicity == Multiplicity::Once);
        let mut sharing = Sharing {
            objects: vec![Accesses::default(); points_to.objects().len()],
            once: once.collect(),
            wild: Vec::new(),
        };
        let running: Vec<Vec<ClassId>> =
            program.function_ids().map(|f| threads.running(f).collect()).collect();
        for inside in points_to.instances() {
            let instance = points_to.instance(inside);
            let outermost = instance.chain.first().copied();
            let classes = &running[outermost.map_or(instance.func, |call| call.func).index()];
            for (at, op) in instructions_of(program, instance.func) {
                if let Some(usage) = op.memory_use(program.function(at.func)) {
                    let early = threads.before_first_creation_in(&instance.chain, at);
                    let locations = points_to.locations_in(inside, usage.addr);
                    sharing.record(at, usage, &locations, !early, classes);
                }
            }
        }
        sharing.wild.sort_unstable();
        sharing.wild.dedup();
        sharing.close(program, points_to);
        sharing
    }

    /// Who accesses these bytes of an object once threads have been created.
    pub fn role(&self, object: ObjectId, range: Range) -> Role {
        if object == ObjectId::UNKNOWN {
            return Role::Shared;
        }
        let accesses = &self.objects[object.index()];
        let mut class = None;
        let (mut many, mut written) = (false, false);
        for access in accesses.list.iter().filter(|a| a.late && overlap(a.range, range)) {
            written |= access.writes;
            many |= class.is_some_and(|c| c != access.class) || !self.once[access.class.index()];
            class = Some(access.class);
        }
        match class {
            _ if !accesses.escapes => Role::Local,
            None => Role::Local,
            Some(_) if !written => Role::ReadOnly,
            Some(_) if many => Role::Shared,
            Some(class) => Role::Owned(class),
        }
    }

    /// The classes whose threads may read or write an object, sorted.
    pub fn accessed_by_threads(&self, object: ObjectId) -> Vec<ClassId> {
        self.classes(object, |_| true)
    }

    /// The classes whose threads may write an object, sorted.
    pub fn written_by_threads(&self, object: ObjectId) -> Vec<ClassId> {
        self.classes(object, |access| access.writes)
    }

    /// Whether the bytes are never written once a second thread may exist: what every later
    /// reader sees is what main left there when it first created a thread.
    pub fn is_read_only_after_start(&self, object: ObjectId, range: Range) -> bool {
        let list = &self.objects[object.index()].list;
        object != ObjectId::UNKNOWN
            && !list.iter().any(|a| a.late && a.writes && overlap(a.range, range))
    }

    /// Whether the bytes are never written at all: they keep their initial values.
    pub fn is_never_written(&self, object: ObjectId, range: Range) -> bool {
        let list = &self.objects[object.index()].list;
        object != ObjectId::UNKNOWN && !list.iter().any(|a| a.writes && overlap(a.range, range))
    }

    /// Whether threads other than the one that made it may get hold of the object's address.
    pub fn escapes(&self, object: ObjectId) -> bool {
        object == ObjectId::UNKNOWN || self.objects[object.index()].escapes
    }

    /// Accesses whose address may come from nowhere, sorted.
    pub fn wild(&self) -> &[InstrRef] {
        &self.wild
    }

    fn classes(&self, object: ObjectId, wanted: impl Fn(&Access) -> bool) -> Vec<ClassId> {
        let list = self.objects[object.index()].list.iter();
        let mut all: Vec<ClassId> = list.filter(|a| wanted(a)).map(|a| a.class).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn record(
        &mut self,
        at: InstrRef,
        usage: MemoryUse,
        locations: &[Location],
        late: bool,
        classes: &[ClassId],
    ) {
        for &(object, offset) in locations {
            if object == ObjectId::UNKNOWN {
                self.wild.push(at);
            }
            let range = range(offset, usage.bytes);
            let list = &mut self.objects[object.index()].list;
            for &class in classes {
                // Only main's own accesses can be early.
                let late = late || class != ClassId::MAIN;
                let access = Access { range, class, writes: usage.writes, late };
                if !list.contains(&access) {
                    list.push(access);
                }
            }
        }
    }

    /// Whether the threads that access an object at any time are more than one.
    fn many_access(&self, object: ObjectId) -> bool {
        match self.accessed_by_threads(object).as_slice() {
            [] => false,
            [one] => !self.once[one.index()],
            [_, _, ..] => true,
        }
    }

    fn close(&mut self, program: &Program, points_to: &PointsTo) {
        let objects = points_to.objects();
        let mut work: Vec<ObjectId> = Vec::new();
        for object in objects.ids() {
            if let Object::Global(g) = objects.get(object)
                && !program.global(g).thread_local
            {
                work.push(object);
            }
        }
        work.extend(points_to.thread_results().iter());
        for inside in points_to.instances() {
            for (_, op) in instructions_of(program, points_to.instance(inside).func) {
                if let Op::Create { args, .. } = op {
                    for &arg in args {
                        work.extend(points_to.locations_in(inside, arg).iter().map(|l| l.0));
                    }
                }
            }
        }
        while let Some(object) = work.pop() {
            if object == ObjectId::UNKNOWN || self.objects[object.index()].escapes {
                continue;
            }
            self.objects[object.index()].escapes = true;
            if self.many_access(object) {
                work.extend(points_to.contents(object).iter());
            }
        }
    }
}

/// The bytes from an offset on; `None` for an offset or a number that is not known.
pub fn range(offset: Option<u64>, bytes: Option<u64>) -> Range {
    match (offset, bytes) {
        (Some(offset), Some(bytes)) => (offset, offset.saturating_add(bytes)),
        (None, _) | (_, None) => WHOLE,
    }
}

/// Whether two ranges have bytes in common.
pub(crate) fn overlap(a: Range, b: Range) -> bool {
    a.0 < b.1 && b.0 < a.1
}
