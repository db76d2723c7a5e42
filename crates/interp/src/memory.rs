//! Memory: objects at flat addresses, cheap to copy.
//!
//! Objects are reference-counted and copied when written, so copying a memory costs one pointer per
//! object. Dead objects stay, because messages name them and their addresses are never used again.
//! A byte that was never written is unknown until its first read asks the oracle; then it is fixed.
//!
//! **Escape.** Each object knows which thread owns it while no other thread can reach it. It
//! escapes when an address inside it (or just behind it) is stored to memory that the owner does
//! not own, is handed to a new thread or returned from a thread; everything it points to escapes
//! with it. A stored address is looked for at every offset around the written bytes, so byte-wise
//! copies of pointers are seen; addresses hidden by arithmetic are not: a foreign access to an
//! owned object is reported by
//! [`Touched::foreign`], and exploration then starts again without trusting ownership.
//!
//! Invariants: objects are sorted by base and do not overlap; bytes at and above `bytes.len()` are
//! zero, or unknown if `known` is present.
//! The first [`DENSE`] bytes of an object are stored in a row up to the highest one used, the
//! others one by one: few programs touch much of a huge object.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_ir::{GlobalId, InstrRef, Place, Program};

use crate::finding::FaultKind;
use crate::oracle::{Oracle, Origin};
use crate::thread::ThreadId;

/// Bytes between objects, so that one byte past the end is never another object.
pub const GAP: u64 = 16;
/// How many bytes of an object are stored in a row.
const DENSE: usize = 1 << 20;
/// How far from an object an address may be and still be blamed on it.
const NEAR: u64 = 4096;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// A global variable.
    Global(GlobalId),
    /// A thread's copy of a global.
    ThreadLocal(GlobalId),
    /// A local variable whose address is taken.
    Stack,
    /// Allocated memory.
    Heap,
}

/// Whether an object may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    /// It may.
    Live,
    /// It was freed there.
    Freed(Place),
    /// Its function has returned.
    Returned,
    /// Its thread has ended.
    Ended,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Its name for the oracle.
    pub origin: Origin,
    /// What it is.
    pub kind: ObjectKind,
    /// The `Alloc` instruction of stack and heap objects.
    pub alloc: Option<InstrRef>,
    /// Where it was allocated or declared, outside library models.
    pub allocated: Place,
    /// The call whose result gives a heap object its name.
    pub named: Option<Place>,
    /// Must not be written.
    pub constant: bool,
    /// Whether it may be accessed.
    pub life: Life,
    /// The only thread that can reach it; `None`: several may.
    pub owner: Option<ThreadId>,
    bytes: Vec<u8>,
    /// Bytes from [`DENSE`] on that were written or asked for.
    far: BTreeMap<usize, u8>,
    /// Which of `bytes` are known, one bit each; absent: all are, and those not stored are zero.
    known: Option<Vec<u64>>,
}

/// An access that may not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// Base of the object that is to blame.
    pub object: Option<u64>,
}

/// The object that an access falls into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    index: usize,
    /// Whether another thread can reach the object and some thread may write it.
    pub shared: bool,
    /// Whether the object is owned by another thread than the one that accesses it.
    pub foreign: bool,
}

/// All objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Copied when the first of them changes: many copies of a memory only look.
    objects: Rc<Vec<Rc<Object>>>,
    /// Where the live objects that have an owner begin, in order. Dead ones stay in `objects` and become
    /// many, and owned ones are looked for at every head of a loop.
    owned: Vec<u64>,
    pointer_bytes: u64,
}

impl Object {
    /// Its first byte and the one behind its last.
    pub fn extent(&self) -> (u64, u64) {
        (self.base, self.base.saturating_add(self.size.max(1)))
    }

    /// An object without contents: zero or unknown.
    pub fn new(base: u64, size: u64, origin: Origin, kind: ObjectKind, zeroed: bool) -> Object {
        Object {
            base,
            size,
            origin,
            kind,
            alloc: None,
            allocated: Place::UNKNOWN,
            named: None,
            constant: false,
            life: Life::Live,
            owner: None,
            bytes: Vec::new(),
            far: BTreeMap::new(),
            known: if zeroed { None } else { Some(Vec::new()) },
        }
    }

    /// The object of a global (or of a thread's copy of it) with its initial contents.
    pub fn of_global(
        program: &Program,
        id: GlobalId,
        base: u64,
        owner: Option<ThreadId>,
    ) -> Object {
        let global = program.global(id);
        let (origin, kind) = match owner {
            Some(thread) => {
                (Origin::ThreadLocal { thread, global: id }, ObjectKind::ThreadLocal(id))
            }
            None => (Origin::Global(id), ObjectKind::Global(id)),
        };
        let mut object = Object::new(base, global.size, origin, kind, !global.external);
        if !global.external {
            for (i, byte) in global.init.iter().enumerate().take(global.size as usize) {
                object.set_byte(i, *byte);
            }
        }
        object.constant = global.constant;
        object.allocated = global.place;
        object.owner = owner;
        object
    }

    fn is_known(&self, i: usize) -> bool {
        match &self.known {
            None => true,
            Some(_) if i >= DENSE => self.far.contains_key(&i),
            Some(known) => known.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1),
        }
    }

    fn set_known(&mut self, i: usize) {
        if let Some(known) = &mut self.known
            && i < DENSE
        {
            if known.len() <= i / 64 {
                known.resize(i / 64 + 1, 0);
            }
            known[i / 64] |= 1 << (i % 64);
        }
    }

    fn byte(&self, i: usize) -> u8 {
        let found = if i < DENSE { self.bytes.get(i) } else { self.far.get(&i) };
        found.copied().unwrap_or(0)
    }

    fn set_byte(&mut self, i: usize, byte: u8) {
        if i >= DENSE {
            self.far.insert(i, byte);
            return;
        }
        if self.bytes.len() <= i {
            self.bytes.resize(i + 1, 0);
        }
        self.bytes[i] = byte;
    }

    /// The stored bytes, for hashing; those not stored are zero or unknown.
    pub fn contents(&self) -> (&[u8], &BTreeMap<usize, u8>) {
        let used = self.bytes.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
        (&self.bytes[..used], &self.far)
    }

    /// Which of the stored bytes are known, one bit each; `None`: all are.
    pub fn known(&self) -> Option<&[u64]> {
        self.known.as_deref()
    }

    /// Whether two states of one object hold the same.
    pub fn same_contents(&self, other: &Object) -> bool {
        self.life == other.life
            && self.contents() == other.contents()
            && match (&self.known, &other.known) {
                (None, None) => true,
                (Some(a), Some(b)) => a == b,
                (None, Some(_)) | (Some(_), None) => false,
            }
    }

    /// Everything in the stored bytes that may be an address, at every offset.
    pub fn pointers(&self, pointer_bytes: u64) -> impl Iterator<Item = u64> {
        let width = pointer_bytes as usize;
        let starts = (0..self.bytes.len()).chain(self.far.keys().copied());
        starts
            .map(move |at| (at..at + width).rev().fold(0, |v, i| v << 8 | u64::from(self.byte(i))))
    }

    fn end(&self) -> u64 {
        self.base.saturating_add(self.size.max(1))
    }
}

impl Memory {
    /// Memory with the program's globals.
    pub fn new(program: &Program) -> Memory {
        let mut objects = Vec::new();
        for (i, global) in program.globals.iter().enumerate() {
            if !global.thread_local {
                let object = Object::of_global(program, GlobalId::new(i), global.address, None);
                objects.push(Rc::new(object));
            }
        }
        objects.sort_by_key(|o: &Rc<Object>| o.base);
        let (owned, pointer_bytes) = (Vec::new(), program.pointer_bytes());
        Memory { objects: Rc::new(objects), owned, pointer_bytes }
    }

    /// An object that is about to change.
    fn object_mut(&mut self, index: usize) -> &mut Object {
        Rc::make_mut(&mut Rc::make_mut(&mut self.objects)[index])
    }

    /// All objects, dead ones too, by address.
    pub fn objects(&self) -> &[Rc<Object>] {
        &self.objects
    }

    fn index_at_or_before(&self, address: u64) -> Option<usize> {
        self.objects.partition_point(|o| o.base <= address).checked_sub(1)
    }

    /// The object that holds an address (its end counts as inside).
    pub fn object_at(&self, address: u64) -> Option<&Rc<Object>> {
        let object = &self.objects[self.index_at_or_before(address)?];
        (address - object.base <= object.size).then_some(object)
    }

    /// Checks an access: which object it falls into, or what is wrong with it.
    pub fn check(
        &self,
        thread: ThreadId,
        address: u64,
        bytes: u64,
        write: bool,
    ) -> Result<Touched, Fault> {
        let index = self.index_at_or_before(address);
        if let Some(index) = index {
            let object = &self.objects[index];
            let offset = address - object.base;
            if bytes <= object.size && offset <= object.size - bytes {
                let fault = |kind| Err(Fault { kind, object: Some(object.base) });
                return match object.life {
                    Life::Freed(_) => fault(FaultKind::UseAfterFree),
                    Life::Returned => fault(FaultKind::UseAfterReturn),
                    Life::Ended => fault(FaultKind::UseAfterEnd),
                    Life::Live if write && object.constant => fault(FaultKind::Constant),
                    Life::Live => Ok(Touched {
                        index,
                        shared: object.owner.is_none() && !object.constant,
                        foreign: object.owner.is_some_and(|o| o != thread),
                    }),
                };
            }
        }
        Err(self.blame(index, address))
    }

    fn blame(&self, before: Option<usize>, address: u64) -> Fault {
        if address < NEAR {
            return Fault { kind: FaultKind::Null, object: None };
        }
        let before = before.map(|i| &self.objects[i]);
        let next = self.objects.get(self.objects.partition_point(|o| o.base <= address));
        let behind = before.map(|o| (address.saturating_sub(o.end()), o.base));
        let ahead = next.map(|o| (o.base - address, o.base));
        let nearest = behind.into_iter().chain(ahead).min();
        match nearest {
            Some((distance, base)) if distance < NEAR => {
                Fault { kind: FaultKind::OutOfBounds, object: Some(base) }
            }
            Some(_) | None => Fault { kind: FaultKind::Unmapped, object: None },
        }
    }

    /// Reads up to 16 bytes of a checked access; unknown bytes are asked and fixed. The second
    /// result says whether any had to be asked.
    pub fn read(
        &mut self,
        touched: Touched,
        address: u64,
        bytes: u64,
        oracle: &mut dyn Oracle,
    ) -> (u128, bool) {
        let object = &self.objects[touched.index];
        let start = (address - object.base) as usize;
        let end = start + bytes as usize;
        let mut asked = false;
        if object.known.is_some() && !(start..end).all(|i| object.is_known(i)) {
            if !oracle.fixes_bytes() {
                return (0, true);
            }
            asked = true;
            let object = self.object_mut(touched.index);
            for i in start..end {
                if !object.is_known(i) {
                    let byte = oracle.initial_byte(&object.origin, i as u64);
                    object.set_byte(i, byte);
                    object.set_known(i);
                }
            }
        }
        let object = &self.objects[touched.index];
        let value = (start..end).rev().fold(0, |v: u128, i| v << 8 | u128::from(object.byte(i)));
        (value, asked)
    }

    /// The bytes at an address as far as they are known, without asking: for looking ahead.
    pub fn peek(&self, address: u64, bytes: u64) -> Option<u128> {
        let object = &self.objects[self.index_at_or_before(address)?];
        let start = (address - object.base) as usize;
        let end = start.checked_add(bytes as usize)?;
        if end as u64 > object.size || object.life != Life::Live {
            return None;
        }
        if !(start..end).all(|i| object.is_known(i)) {
            return None;
        }
        Some((start..end).rev().fold(0, |v: u128, i| v << 8 | u128::from(object.byte(i))))
    }

    /// Writes up to 16 bytes of a checked access by `thread`. Returns whether anything changed.
    pub fn write(&mut self, touched: Touched, address: u64, bytes: u64, value: u128) -> bool {
        let object = &self.objects[touched.index];
        let start = (address - object.base) as usize;
        let end = start + bytes as usize;
        let wanted = |i: usize| (value >> (8 * (i - start))) as u8;
        let same = (start..end).all(|i| object.is_known(i) && object.byte(i) == wanted(i));
        if same {
            return false;
        }
        let object = self.object_mut(touched.index);
        for i in start..end {
            object.set_byte(i, wanted(i));
            object.set_known(i);
        }
        if object.owner.is_none() && !self.owned.is_empty() {
            self.escape_around(touched.index, start, end);
        }
        true
    }

    /// Lets escape whatever the bytes `start..end` of a shared object may now point to.
    fn escape_around(&mut self, index: usize, start: usize, end: usize) {
        let width = self.pointer_bytes as usize;
        let object = Rc::clone(&self.objects[index]);
        let first = start.saturating_sub(width - 1);
        let last = end.min((object.size as usize).saturating_sub(width - 1));
        for at in first..last {
            let known = (at..at + width).all(|i| object.is_known(i));
            if known {
                let value =
                    (at..at + width).rev().fold(0, |v, i| v << 8 | u64::from(object.byte(i)));
                self.escape(value);
            }
        }
    }

    /// Shares the object that holds an address, if it has an owner, and all that it points to.
    pub fn escape(&mut self, address: u64) {
        let Some(index) = self.index_at_or_before(address) else { return };
        let object = &self.objects[index];
        if address - object.base > object.size || object.owner.is_none() {
            return;
        }
        let object = self.object_mut(index);
        object.owner = None;
        if object.life == Life::Live {
            let base = object.base;
            let used = object.bytes.len();
            let far: Vec<usize> = object.far.keys().copied().collect();
            self.disown(base);
            self.escape_around(index, 0, used);
            for i in far {
                self.escape_around(index, i, i + 1);
            }
        }
    }

    /// A free place of that size and alignment at or after `from`, ending before `limit`.
    pub fn place(&self, from: u64, limit: u64, size: u64, align: u32) -> Option<u64> {
        let align = u64::from(align.max(1)).next_power_of_two().max(8);
        let base = from.checked_next_multiple_of(align)?;
        let end = base.checked_add(size)?.checked_add(GAP)?;
        (base != 0 && end <= limit && self.is_free(base, size)).then_some(base)
    }

    /// A free place behind all objects.
    pub fn place_last(&self, limit: u64, size: u64, align: u32) -> Option<u64> {
        let from = self.objects.last().map_or(NEAR, |o| o.end().saturating_add(GAP));
        self.place(from, limit, size, align)
    }

    /// Whether no object, dead or alive, is in the way.
    pub fn is_free(&self, base: u64, size: u64) -> bool {
        let Some(end) = base.checked_add(size.max(1)) else { return false };
        match self.index_at_or_before(end - 1) {
            Some(i) => self.objects[i].end() <= base,
            None => true,
        }
    }

    /// Adds an object; its place must be free.
    pub fn add(&mut self, object: Object) {
        debug_assert!(self.is_free(object.base, object.size), "objects do not overlap");
        if object.owner.is_some() {
            let at = self.owned.partition_point(|base| *base < object.base);
            self.owned.insert(at, object.base);
        }
        let at = self.objects.partition_point(|o| o.base <= object.base);
        Rc::make_mut(&mut self.objects).insert(at, Rc::new(object));
    }

    /// Ends the object that starts at `base`.
    pub fn end(&mut self, base: u64, life: Life) {
        if let Some(index) = self.index_at_or_before(base)
            && self.objects[index].base == base
            && self.objects[index].life == Life::Live
        {
            let object = self.object_mut(index);
            object.life = life;
            if object.owner.is_some() {
                self.disown(base);
            }
        }
    }

    /// The live objects that a thread owns.
    pub fn owned_by(&self, thread: ThreadId) -> impl Iterator<Item = &Rc<Object>> {
        let object = |base: &u64| self.index_at_or_before(*base).map(|index| &self.objects[index]);
        self.owned.iter().filter_map(object).filter(move |o| o.owner == Some(thread))
    }

    /// The object that starts at `base` has no owner any more, or has ended.
    fn disown(&mut self, base: u64) {
        let at = self.owned.binary_search(&base).expect("what has an owner is in the list");
        self.owned.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{AddressAsk, Ask, InputAsk};

    /// Unknown bytes hold their offset.
    struct Offsets;

    impl Oracle for Offsets {
        fn input(&mut self, _: &InputAsk<'_>) -> u128 {
            0
        }
        fn address(&mut self, _: &AddressAsk) -> Option<u64> {
            None
        }
        fn thread_number(&mut self, _: &Ask) -> Option<u32> {
            None
        }
        fn initial_byte(&mut self, _: &Origin, offset: u64) -> u8 {
            offset as u8
        }
        fn spurious(&mut self, _: &Ask) -> bool {
            false
        }
    }

    const ME: ThreadId = ThreadId(1);

    fn heap(base: u64, size: u64, owner: Option<ThreadId>) -> Object {
        let origin = Origin::Allocation { thread: ME, nth: base as u32 };
        Object { owner, ..Object::new(base, size, origin, ObjectKind::Heap, false) }
    }

    fn memory(objects: Vec<Object>) -> Memory {
        let mut memory = Memory { pointer_bytes: 8, ..Memory::default() };
        for o in objects {
            memory.add(o);
        }
        memory
    }

    #[test]
    fn unknown_bytes_are_asked_once_and_copies_are_independent() {
        let mut a = memory(vec![heap(0x10000, 8, None)]);
        let t = a.check(ME, 0x10002, 4, false).unwrap();
        assert_eq!(a.read(t, 0x10002, 4, &mut Offsets), (0x0504_0302, true));
        assert_eq!(a.read(t, 0x10002, 4, &mut Offsets), (0x0504_0302, false));
        let mut b = a.clone();
        assert!(b.write(t, 0x10002, 2, 0xffff));
        assert!(!b.write(t, 0x10002, 2, 0xffff));
        assert_eq!(b.peek(0x10002, 4), Some(0x0504_ffff));
        assert_eq!(a.peek(0x10002, 4), Some(0x0504_0302));
        assert_eq!(a.peek(0x10000, 4), None);
    }

    #[test]
    fn huge_objects_are_cheap() {
        let mut m = memory(vec![heap(0x10000, 1 << 40, None), heap(1 << 50, 8, Some(ME))]);
        let at = 0x10000 + (1 << 39);
        let t = m.check(ME, at, 8, true).unwrap();
        assert_eq!(m.peek(at, 8), None);
        m.write(t, at, 8, 1 << 50);
        assert_eq!(m.peek(at, 8), Some(1 << 50));
        assert_eq!(m.read(t, at + 8, 1, &mut Offsets), (8, true));
        assert_eq!(m.owned_by(ME).count(), 0);
        assert!(m.objects()[0].pointers(8).any(|p| p == 1 << 50));
    }

    #[test]
    fn faults() {
        let mut m = memory(vec![heap(0x10000, 8, None), heap(0x20000, 4, None)]);
        m.end(0x20000, Life::Freed(Place::UNKNOWN));
        let check = |m: &Memory, address, bytes| {
            m.check(ME, address, bytes, true).map_err(|f| f.kind).err()
        };
        assert_eq!(check(&m, 0x10004, 4), None);
        assert_eq!(check(&m, 0x10005, 4), Some(FaultKind::OutOfBounds));
        assert_eq!(check(&m, 0x10008, 1), Some(FaultKind::OutOfBounds));
        assert_eq!(check(&m, 0x0fffc, 4), Some(FaultKind::OutOfBounds));
        assert_eq!(check(&m, 0, 1), Some(FaultKind::Null));
        assert_eq!(check(&m, 0x20000, 4), Some(FaultKind::UseAfterFree));
        assert_eq!(check(&m, 0x90000, 4), Some(FaultKind::Unmapped));
        assert_eq!(check(&m, u64::MAX, 4), Some(FaultKind::Unmapped));
    }

    #[test]
    fn escape_is_transitive_and_sees_bytewise_copies() {
        let mut m = memory(vec![
            heap(0x10000, 8, None),
            heap(0x20000, 8, Some(ME)),
            heap(0x30000, 8, Some(ME)),
            heap(0x40000, 8, Some(ME)),
        ]);
        let owned = |m: &Memory| m.owned_by(ME).map(|o| o.base).collect::<Vec<_>>();
        let t = m.check(ME, 0x20000, 8, true).unwrap();
        m.write(t, 0x20000, 8, 0x30004);
        assert_eq!(owned(&m), [0x20000, 0x30000, 0x40000]);
        let t = m.check(ME, 0x10000, 8, true).unwrap();
        for i in 0..8 {
            m.write(t, 0x10000 + i, 1, 0x20000 >> (8 * i));
        }
        assert_eq!(owned(&m), [0x40000]);
        assert!(m.check(ThreadId(2), 0x40000, 1, false).unwrap().foreign);
    }
}
