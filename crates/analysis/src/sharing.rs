//! Sharing: which objects more than one thread may access.
//!
//! Idea: collect for each object which thread classes read and write it. It may be shared if these
//! make up more than one thread, and, unless it is a global that exists once, if other threads
//! can get hold of its address: through arguments of a creation, the result of a thread, or the
//! contents of an object that may be shared itself. The last condition is recursive; the least fixed point is taken.
//! An object allocated by worker threads for themselves is thus local although many threads run the same code.
//! Source: thread-escape analysis as in Naik, Aiken & Whaley, PLDI 2006 (flow-insensitive form).
//!
//! Accesses are loads, stores, read-modify-writes, frees, lock operations. Those through unknown
//! addresses are listed in [`Sharing::wild`]; what is said about objects is right only if they access nothing that has a name
//! (see [`crate::points_to`]).

use raddle_ir::{FuncId, InstrRef, Op, Operand, Program};

use crate::objects::{Object, ObjectId, instructions};
use crate::points_to::PointsTo;
use crate::threads::{ClassId, Multiplicity, Threads};

/// How an instruction uses an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The address.
    pub addr: Operand,
    /// Whether memory is read.
    pub reads: bool,
    /// Whether memory is written (or the object ends).
    pub writes: bool,
}

/// The address that an instruction accesses memory through, if it does.
pub fn memory_use(op: &Op) -> Option<Use> {
    let (addr, reads, writes) = match op {
        Op::Load { addr, .. } | Op::ObjectSize { addr, .. } => (*addr, true, false),
        Op::Store { addr, .. } => (*addr, false, true),
        Op::Free { addr } => (*addr, true, true),
        Op::Rmw { addr, .. } | Op::CompareExchange { addr, .. } => (*addr, true, true),
        Op::Lock { mutex, .. } | Op::TryLock { mutex, .. } => (*mutex, true, true),
        Op::Unlock { mutex, .. } => (*mutex, false, true),
        Op::Assign { .. }
        | Op::Fence { .. }
        | Op::Alloc { .. }
        | Op::ThreadLocal { .. }
        | Op::Call { .. }
        | Op::Create { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Block { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Input { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => return None,
    };
    Some(Use { addr, reads, writes })
}

/// What is known about one object.
#[derive(Clone, Default, Debug)]
struct Accesses {
    readers: Vec<ClassId>,
    writers: Vec<ClassId>,
    /// Written after the first creation of a thread.
    written_late: bool,
    shared: bool,
    escapes: bool,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Sharing {
    objects: Vec<Accesses>,
    wild: Vec<InstrRef>,
}

impl Sharing {
    /// Analyses a program.
    pub fn new(program: &Program, points_to: &PointsTo, threads: &Threads) -> Sharing {
        let mut sharing = Sharing {
            objects: vec![Accesses::default(); points_to.objects().len()],
            wild: Vec::new(),
        };
        let running: Vec<Vec<ClassId>> =
            program.function_ids().map(|f| threads.running(f).collect()).collect();
        for (at, op) in instructions(program) {
            if let Some(usage) = memory_use(op)
                && !running[at.func.index()].is_empty()
            {
                sharing.record(points_to, threads, at, usage, &running[at.func.index()]);
            }
        }
        sharing.close(program, points_to, threads, &running);
        sharing
    }

    /// Whether two threads may access the object (the same one of those it stands for).
    pub fn may_be_shared(&self, object: ObjectId) -> bool {
        object == ObjectId::UNKNOWN || self.objects[object.index()].shared
    }

    /// Whether an access through this operand may touch shared memory. Unknown addresses do.
    pub fn may_access_shared(&self, points_to: &PointsTo, func: FuncId, addr: Operand) -> bool {
        let set = points_to.of(func, addr);
        set.is_empty() || set.iter().any(|o| self.may_be_shared(o))
    }

    /// The classes whose threads may read an object, sorted.
    pub fn readers(&self, object: ObjectId) -> &[ClassId] {
        &self.objects[object.index()].readers
    }

    /// The classes whose threads may write an object, sorted.
    pub fn written_by_threads(&self, object: ObjectId) -> &[ClassId] {
        &self.objects[object.index()].writers
    }

    /// Whether the object is never written once a second thread may exist. The contents every
    /// later reader sees are those that main left when it first created a thread.
    pub fn is_read_only_after_start(&self, object: ObjectId) -> bool {
        object != ObjectId::UNKNOWN && !self.objects[object.index()].written_late
    }

    /// Whether threads other than the one that made it may get hold of the object's address.
    pub fn escapes(&self, object: ObjectId) -> bool {
        object == ObjectId::UNKNOWN || self.objects[object.index()].escapes
    }

    /// Accesses whose address may come from nowhere.
    pub fn wild(&self) -> &[InstrRef] {
        &self.wild
    }

    fn record(
        &mut self,
        points_to: &PointsTo,
        threads: &Threads,
        at: InstrRef,
        usage: Use,
        classes: &[ClassId],
    ) {
        let set = points_to.of(at.func, usage.addr);
        if !set.is_known() {
            self.wild.push(at);
        }
        for object in set.iter() {
            let accesses = &mut self.objects[object.index()];
            if usage.reads {
                add_all(&mut accesses.readers, classes);
            }
            if usage.writes {
                add_all(&mut accesses.writers, classes);
                accesses.written_late |= !threads.before_first_creation(at);
            }
        }
    }

    /// Whether the threads that access an object are more than one.
    fn many_access(&self, threads: &Threads, object: ObjectId) -> bool {
        let accesses = &self.objects[object.index()];
        let mut all = accesses.readers.clone();
        add_all(&mut all, &accesses.writers);
        match all.as_slice() {
            [] => false,
            [one] => threads.class(*one).multiplicity == Multiplicity::Many,
            [_, _, ..] => true,
        }
    }

    fn close(
        &mut self,
        program: &Program,
        points_to: &PointsTo,
        threads: &Threads,
        running: &[Vec<ClassId>],
    ) {
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
        for (at, op) in instructions(program) {
            if let Op::Create { args, .. } = op
                && !running[at.func.index()].is_empty()
            {
                for &arg in args {
                    work.extend(points_to.of(at.func, arg).iter());
                }
            }
        }
        while let Some(object) = work.pop() {
            if object == ObjectId::UNKNOWN || self.objects[object.index()].escapes {
                continue;
            }
            self.objects[object.index()].escapes = true;
            if self.many_access(threads, object) {
                self.objects[object.index()].shared = true;
                work.extend(points_to.contents(object).iter());
            }
        }
    }
}

fn add_all(to: &mut Vec<ClassId>, classes: &[ClassId]) {
    for &c in classes {
        if let Err(i) = to.binary_search(&c) {
            to.insert(i, c);
        }
    }
}
