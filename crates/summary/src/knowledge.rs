//! What is learned about the bounded program from one pass to the next.
//!
//! Idea: instead of asking a static analysis which objects are shared, written or pointed to, a
//! pass over all threads starts by assuming *none*, notes where that was wrong, and is repeated
//! until nothing new is learned: an optimistic fixed point, exact to the object instance and
//! cell, where a static analysis sees allocation sites and variables. All facts only grow, so
//! passes end; the last pass used exactly the facts that it confirmed. Facts survive from bound to
//! bound, because a larger bound can only add to them.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{FuncId, GlobalId, InstrRef, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::skeleton::Held;
use crate::values::{Pass, Values};
use crate::writers::{Locksets, Writers, Writing};

/// An object of the bounded program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectIx(pub u32);

impl ObjectIx {
    /// As a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What makes an object the same object in every pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKey {
    /// A global.
    Global(GlobalId),
    /// A function: its address is a pointer, too.
    Function(FuncId),
    /// A thread's copy of a thread-local global.
    ThreadLocal(u32, GlobalId),
    /// The n-th object that a thread allocated at an instruction.
    Alloc {
        /// Number of the thread.
        thread: u32,
        /// The instruction.
        at: InstrRef,
        /// How many it had allocated there before.
        nth: u32,
    },
    /// A byte beside an object that says whether it is dead (or, on the heap, alive).
    Grave(ObjectIx),
}

/// Where a pointer may point: an object and, if known, the offset in it.
pub type Target = (ObjectIx, Option<u64>);

/// Bytes of an object: the first one, and how many.
pub type Range = (u64, u32);

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its identity.
    pub key: ObjectKey,
    /// Its first address.
    pub base: u64,
    /// Its size in bytes (the most it may have, if that is not known exactly).
    pub size: u64,
    /// Whether it starts as zeros (a stack or heap object; globals say so themselves).
    pub zeroed: bool,
    /// The thread that accessed it while others might run.
    owner: Option<u32>,
    /// Accessed by two threads while others might run: its accesses are events.
    shared: bool,
    /// Freed, or a stack object whose address outlives it: the threads that have certainly ended
    /// by then.
    survived: Option<BTreeSet<u32>>,
    /// Allocated on the heap while leaks are looked for.
    heap: bool,
    /// Too large for symbolic accesses to be plain values: its accesses are events from the start.
    forced: bool,
    /// The bytes that are written while others might run.
    written: FxHashMap<u64, Writers>,
    /// Who writes at an unknown offset.
    written_anywhere: Writers,
    /// What threads leave in ranges when they release the mutex that protects them.
    left: BTreeMap<Range, Values>,
    /// The word of a mutex in it is also written by ordinary stores, and not only of zero.
    overwritten: bool,
    numbered: bool,
    /// What pointers, or parts of them, stored in a range may point to; `None`: stored at an unknown
    /// offset.
    pointees: BTreeMap<Option<Range>, BTreeSet<Target>>,
}

/// All that is known.
#[derive(Debug)]
pub struct Knowledge {
    pointer_bits: u32,
    objects: Vec<Object>,
    by_key: FxHashMap<ObjectKey, ObjectIx>,
    by_address: BTreeMap<u64, ObjectIx>,
    next_address: u64,
    /// Numbers of threads by (creator, instruction, count).
    threads: FxHashMap<(u32, InstrRef, u32), u32>,
    /// Words of mutexes whose holders somebody asked for.
    asked: BTreeSet<Target>,
    /// Mutexes that others than their holders may release. Address 0 stands for all.
    broken_locks: FxHashSet<u64>,
    /// Sets of mutexes that are held at writes.
    locksets: Locksets,
    /// The last pass.
    pass: Pass,
    /// Whether something was learned since [`Knowledge::begin_pass`].
    changed: bool,
}

/// The most bytes that one access has.
const LONGEST_ACCESS: u64 = 16;

/// More offsets than this for one object are given up for "somewhere in it".
const MOST_OFFSETS: usize = 64;

impl Knowledge {
    /// Nothing but the program's globals and functions.
    pub fn new(program: &Program) -> Knowledge {
        let mut knowledge = Knowledge {
            pointer_bits: program.pointer_bits,
            objects: Vec::new(),
            by_key: FxHashMap::default(),
            by_address: BTreeMap::new(),
            next_address: program.first_free_address.next_multiple_of(64),
            threads: FxHashMap::default(),
            asked: BTreeSet::new(),
            broken_locks: FxHashSet::default(),
            locksets: Locksets::default(),
            pass: Pass::default(),
            changed: false,
        };
        for (i, g) in program.globals.iter().enumerate() {
            if !g.thread_local {
                knowledge.add(ObjectKey::Global(GlobalId::new(i)), g.address, g.size, false);
            }
        }
        for (i, f) in program.functions.iter().enumerate() {
            knowledge.add(ObjectKey::Function(FuncId::new(i)), f.address, 1, false);
        }
        knowledge
    }

    /// Call before the passes to a bound.
    pub fn begin_bound(&mut self) {
        self.pass.first = self.pass.number + 1;
    }

    /// Call before each pass.
    pub fn begin_pass(&mut self) {
        self.changed = false;
        self.pass.number += 1;
    }

    /// Whether the pass learned something, so that another one is needed.
    pub fn learned(&self) -> bool {
        self.changed
    }

    /// An object.
    pub fn object(&self, o: ObjectIx) -> &Object {
        &self.objects[o.index()]
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    fn add(&mut self, key: ObjectKey, base: u64, size: u64, zeroed: bool) -> ObjectIx {
        let o = ObjectIx(self.objects.len() as u32);
        self.objects.push(Object {
            key,
            base,
            size,
            zeroed,
            owner: None,
            shared: false,
            survived: None,
            heap: false,
            forced: false,
            written: FxHashMap::default(),
            written_anywhere: Writers::default(),
            left: BTreeMap::new(),
            overwritten: false,
            numbered: false,
            pointees: BTreeMap::new(),
        });
        debug_assert!(
            self.find(base).is_none_or(
                |(before, _)| self.object(before).size <= base - self.object(before).base
            ),
            "objects do not overlap"
        );
        self.by_key.insert(key, o);
        let before = self.by_address.insert(base, o);
        debug_assert!(before.is_none(), "objects have addresses of their own");
        o
    }

    /// The object of a key, placed at a fresh address when it is new. `None`: the address space is
    /// full.
    pub fn intern(
        &mut self,
        key: ObjectKey,
        size: u64,
        align: u32,
        zeroed: bool,
    ) -> Option<ObjectIx> {
        if let Some(&o) = self.by_key.get(&key)
            && self.objects[o.index()].size >= size
            && self.objects[o.index()].zeroed == zeroed
        {
            // A later pass may know the size better; the space reserved first is enough.
            self.objects[o.index()].size = size;
            return Some(o);
        }
        let base = self.next_address.next_multiple_of(u64::from(align.max(16)));
        let end = base.checked_add(size)?.checked_add(16)?;
        let limit = if self.pointer_bits == 32 { 0xffff_0000 } else { 0x7fff_ffff_0000 };
        if end >= limit {
            return None;
        }
        self.next_address = end;
        Some(self.add(key, base, size, zeroed))
    }

    /// The number of a thread.
    pub fn thread_number(&mut self, creator: u32, at: InstrRef, nth: u32) -> u32 {
        let next = self.threads.len() as u32 + 2;
        debug_assert!(creator < next, "a creator has a number already");
        *self.threads.entry((creator, at, nth)).or_insert(next)
    }

    /// The object at an address, with the offset; an address one past the end belongs to it, too.
    pub fn find(&self, address: u64) -> Option<(ObjectIx, u64)> {
        let (&base, &o) = self.by_address.range(..=address).next_back()?;
        let offset = address - base;
        (offset <= self.objects[o.index()].size).then_some((o, offset))
    }

    /// Notes that a thread accesses an object while others may run; true if it is shared.
    pub fn access(&mut self, o: ObjectIx, thread: u32) -> bool {
        let object = &mut self.objects[o.index()];
        match object.owner {
            None => object.owner = Some(thread),
            Some(other) if other != thread && !object.shared => {
                object.shared = true;
                self.changed = true;
            }
            Some(_) => {}
        }
        object.shared || object.forced
    }

    /// Whether an object may die while a thread still runs, and pointers to it are left.
    pub fn is_mortal(&self, o: ObjectIx, thread: u32) -> bool {
        let survived = &self.objects[o.index()].survived;
        survived.as_ref().is_some_and(|ended| !ended.contains(&thread))
    }

    /// Notes that an object may die while pointers to it are left, and who has certainly ended then.
    pub fn bury(&mut self, o: ObjectIx, ended: &BTreeSet<u32>) {
        let survived = &mut self.objects[o.index()].survived;
        match survived {
            None => {
                *survived = Some(ended.clone());
                self.changed = true;
            }
            Some(before) if !before.is_subset(ended) => {
                before.retain(|thread| ended.contains(thread));
                self.changed = true;
            }
            Some(_) => {}
        }
    }

    /// Notes an object that must be freed.
    pub fn note_heap(&mut self, o: ObjectIx) {
        self.changed |= !self.objects[o.index()].heap;
        self.objects[o.index()].heap = true;
    }

    /// The objects that must be freed.
    pub fn heap_objects(&self) -> Vec<ObjectIx> {
        let all = (0..self.objects.len() as u32).map(ObjectIx);
        all.filter(|o| self.objects[o.index()].heap).collect()
    }

    /// Whether accesses of an object are events even when nothing runs in parallel.
    pub fn is_forced(&self, o: ObjectIx) -> bool {
        self.objects[o.index()].forced
    }

    /// Makes all accesses of an object events.
    pub fn force(&mut self, o: ObjectIx) {
        if !self.objects[o.index()].forced {
            self.objects[o.index()].forced = true;
            self.changed = true;
        }
    }

    /// Whether some byte of a range may be written while others may run.
    pub fn is_written(&self, o: ObjectIx, offset: u64, bytes: u32) -> bool {
        let object = &self.objects[o.index()];
        !object.written_anywhere.is_empty()
            || (offset..offset + u64::from(bytes)).any(|b| object.written.contains_key(&b))
    }

    /// A write by a thread that holds these mutexes; `certain`: to a known place.
    pub(crate) fn writing(&mut self, thread: u32, held: &[Held], certain: bool) -> Writing {
        Writing { thread, locks: self.locksets.of(held), certain }
    }

    /// Notes a write; `None`: at an unknown offset.
    pub(crate) fn write(&mut self, o: ObjectIx, offset: Option<u64>, bytes: u32, by: Writing) {
        let Knowledge { objects, locksets, changed, .. } = self;
        let object = &mut objects[o.index()];
        let end = offset.unwrap_or(0) + u64::from(bytes);
        debug_assert!(end <= object.size, "a write fits into its object");
        match offset {
            None => *changed |= object.written_anywhere.note(locksets, by),
            Some(offset) => {
                for byte in offset..end {
                    *changed |= object.written.entry(byte).or_default().note(locksets, by);
                }
            }
        }
    }

    fn writers(&self, (object, range): (ObjectIx, Range)) -> impl Iterator<Item = &Writers> {
        let object = &self.objects[object.index()];
        let bytes = range.0..range.0 + u64::from(range.1);
        let known = bytes.filter_map(|byte| object.written.get(&byte));
        known.chain([&object.written_anywhere])
    }

    /// Whether a thread is the only one that writes a range, and always knows what it wrote.
    pub(crate) fn is_own(&self, o: ObjectIx, range: Range, thread: u32) -> bool {
        self.objects[o.index()].written_anywhere.is_empty()
            && self.writers((o, range)).all(|w| w.is_own(thread))
    }

    /// A mutex among the held ones that every other thread holds when it writes a range.
    pub(crate) fn protecting(
        &self,
        o: ObjectIx,
        range: Range,
        thread: u32,
        held: &[Held],
    ) -> Option<Held> {
        let mut mutexes = held.to_vec();
        for writers in self.writers((o, range)) {
            if mutexes.is_empty() {
                return None;
            }
            writers.restrict(&self.locksets, thread, &mut mutexes);
        }
        let keeps = |mutex: &Held| {
            let word = self.find(mutex.address);
            word.is_some_and(|(o, offset)| self.keeps_holder((o, Some(offset))))
        };
        mutexes.into_iter().find(keeps)
    }

    /// Notes what a thread leaves in a range.
    pub(crate) fn leave(&mut self, o: ObjectIx, range: Range, values: &[Option<u128>]) {
        let left = self.objects[o.index()].left.entry(range).or_default();
        self.changed |= left.add(values, self.pass);
    }

    /// The few values that threads leave in a range, if there are only few.
    pub(crate) fn left(&self, o: ObjectIx, range: Range) -> Option<&[u128]> {
        let object = &self.objects[o.index()];
        if !object.written_anywhere.is_empty() {
            return None;
        }
        let near = (range.0.saturating_sub(LONGEST_ACCESS), 0);
        let end = (range.0 + u64::from(range.1), 0);
        let mut meeting = object.left.range(near..end).filter(|l| overlap(*l.0, range));
        let (here, values) = meeting.next()?;
        (*here == range && meeting.next().is_none()).then(|| values.few()).flatten()
    }

    /// Notes that somebody asks who holds the mutex with this word: stores to it matter then, also if
    /// nobody locks it.
    pub fn ask_for_holder(&mut self, word: Target) {
        self.asked.insert(word);
    }

    /// The words whose holders somebody asked for.
    pub fn asked_words(&self) -> impl Iterator<Item = Target> + '_ {
        self.asked.iter().copied()
    }

    /// Notes that others than its holder may release a mutex (0: any).
    pub fn break_lock(&mut self, address: u64) {
        self.changed |= self.broken_locks.insert(address);
    }

    /// Notes that the word of a mutex is written by an ordinary store while others may run.
    pub fn overwrite_word(&mut self, o: ObjectIx, zero: bool) {
        let object = &mut self.objects[o.index()];
        self.changed |= !object.overwritten || (!zero && !object.numbered);
        object.overwritten = true;
        object.numbered |= !zero;
    }

    /// Whether the word of a mutex stays as it is while a thread holds the mutex. Once it is
    /// overwritten two threads may take it for theirs, and each may release it.
    pub fn keeps_holder(&self, (o, offset): Target) -> bool {
        let object = &self.objects[o.index()];
        let broken = match offset {
            Some(offset) => self.broken_locks.contains(&(object.base + offset)),
            None => !self.broken_locks.is_empty(),
        };
        !broken && !self.broken_locks.contains(&0) && !object.overwritten
    }

    /// Whether only zeros are stored to words of mutexes in an object, but by those who lock.
    pub fn is_free_of_numbers(&self, o: ObjectIx) -> bool {
        !self.objects[o.index()].numbered
    }

    /// Notes that a pointer to `targets`, or part of one, is stored; `None`: at an unknown offset.
    pub fn point(&mut self, o: ObjectIx, range: Option<Range>, targets: &[Target]) {
        if targets.is_empty() {
            return;
        }
        // C keeps pointers inside their object or one past its end; without this, a pointer that is
        // moved on in a loop would be learned step by step far beyond.
        let inside: Vec<Target> = targets
            .iter()
            .filter(|(object, at)| at.is_none_or(|at| at <= self.objects[object.index()].size))
            .copied()
            .collect();
        let set = self.objects[o.index()].pointees.entry(range).or_default();
        for (object, offset) in inside {
            if set.contains(&(object, None)) {
                continue;
            }
            self.changed |= set.insert((object, offset));
            if set.range((object, None)..=(object, Some(u64::MAX))).count() > MOST_OFFSETS {
                set.retain(|t| t.0 != object);
                set.insert((object, None));
            }
        }
    }

    /// Where what is stored in a range (`None`: anywhere) of an object may point.
    pub fn pointees(&self, o: ObjectIx, range: Option<Range>) -> BTreeSet<Target> {
        let all = &self.objects[o.index()].pointees;
        let Some((offset, bytes)) = range else {
            return all.values().flatten().copied().collect();
        };
        let anywhere = all.get(&None).into_iter().flatten().copied();
        let near = Some((offset.saturating_sub(LONGEST_ACCESS), 0));
        let end = offset + u64::from(bytes);
        let overlapping = all.range(near..Some((end, 0))).filter_map(|(&stored, targets)| {
            let stored = stored.filter(|&(at, size)| overlap((at, size), (offset, bytes)))?;
            Some((stored, targets))
        });
        // What is read in another way than it was stored is made of parts of pointers.
        let stored = overlapping.flat_map(|(stored, targets)| {
            let whole = stored == (offset, bytes) && bytes * 8 == self.pointer_bits;
            targets.iter().map(move |&(object, at)| (object, at.filter(|_| whole)))
        });
        anywhere.chain(stored).collect()
    }
}

/// Whether two ranges have a byte in common.
pub(crate) fn overlap((a, size): Range, (b, other): Range) -> bool {
    a < b + u64::from(other) && b < a + u64::from(size)
}
