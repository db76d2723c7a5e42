//! Abstract objects: the finitely many names under which analyses speak of memory.
//!
//! One object per global (one also for all copies of a thread-local one), per function, and per
//! `Alloc` instruction and context (standing for all objects it ever makes there), and
//! [`ObjectId::UNKNOWN`] for addresses that the program takes from nowhere: inputs and the contents
//! of external globals.

use raddle_ir::{FuncId, GlobalId, InstrRef, Op, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::constraints::InstanceId;

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// An address that comes from nowhere; it sorts before all others.
    pub const UNKNOWN: ObjectId = ObjectId(0);

    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn new(index: usize) -> ObjectId {
        ObjectId(u32::try_from(index).expect("tables have fewer than 2^32 entries"))
    }
}

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// Nothing is known.
    Unknown,
    /// A global; for a thread-local one, the copies of all threads.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// All objects made by one `Alloc` in one context.
    Alloc(InstrRef, InstanceId),
}

/// A set of abstract objects, sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObjectSet {
    members: SmallVec<[ObjectId; 4]>,
}

impl ObjectSet {
    /// The members in order; [`ObjectId::UNKNOWN`] first if it is one.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.members.iter().copied()
    }

    /// The members in order.
    pub fn as_slice(&self) -> &[ObjectId] {
        &self.members
    }

    /// Whether an object is a member.
    pub fn contains(&self, object: ObjectId) -> bool {
        self.members.binary_search(&object).is_ok()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether the set says where an address may lead: it names objects and no unknown one. An
    /// access through any other set may lead anywhere or, more often, nowhere.
    pub fn is_known(&self) -> bool {
        self.members.first().is_some_and(|&o| o != ObjectId::UNKNOWN)
    }

    /// The only member, if there is just one and it is known.
    pub fn single(&self) -> Option<ObjectId> {
        match *self.members.as_slice() {
            [one] if one != ObjectId::UNKNOWN => Some(one),
            _ => None,
        }
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = ObjectId>>(iter: I) -> Self {
        let mut members: SmallVec<[ObjectId; 4]> = iter.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        ObjectSet { members }
    }
}

/// The table of abstract objects of a program.
#[derive(Clone, Debug)]
pub struct Objects {
    table: Vec<Object>,
    /// Size in bytes where it is constant.
    sizes: Vec<Option<u64>>,
    globals: usize,
    allocs: FxHashMap<InstrRef, Vec<ObjectId>>,
}

impl Objects {
    /// Numbers globals and functions; allocated objects are added while solving.
    pub fn new(program: &Program) -> Objects {
        let mut objects = Objects {
            table: vec![Object::Unknown],
            sizes: vec![None],
            globals: program.globals.len(),
            allocs: FxHashMap::default(),
        };
        for (i, global) in program.globals.iter().enumerate() {
            objects.add(Object::Global(GlobalId::new(i)), Some(global.size));
        }
        for f in program.function_ids() {
            objects.add(Object::Function(f), Some(0));
        }
        objects
    }

    /// A new object for an `Alloc` in a context.
    pub(crate) fn add_alloc(
        &mut self,
        at: InstrRef,
        inside: InstanceId,
        size: Option<u64>,
    ) -> ObjectId {
        let id = self.add(Object::Alloc(at, inside), size);
        self.allocs.entry(at).or_default().push(id);
        id
    }

    fn add(&mut self, object: Object, size: Option<u64>) -> ObjectId {
        self.table.push(object);
        self.sizes.push(size);
        ObjectId::new(self.table.len() - 1)
    }

    /// What an object stands for.
    pub fn get(&self, id: ObjectId) -> Object {
        self.table[id.index()]
    }

    /// The size in bytes, if it is the same constant for all objects it stands for.
    pub fn size(&self, id: ObjectId) -> Option<u64> {
        self.sizes[id.index()]
    }

    /// The object of a global.
    pub fn global(&self, id: GlobalId) -> ObjectId {
        ObjectId::new(1 + id.index())
    }

    /// The object of a function.
    pub fn function(&self, id: FuncId) -> ObjectId {
        ObjectId::new(1 + self.globals + id.index())
    }

    /// The objects of an `Alloc`, one per context; none if it is not reachable.
    pub fn allocs(&self, at: InstrRef) -> &[ObjectId] {
        self.allocs.get(&at).map_or(&[], Vec::as_slice)
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Never: there is always the unknown object.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.table.len()).map(ObjectId::new)
    }
}

/// All instructions of a program with their references, unreachable blocks included.
pub fn instructions(program: &Program) -> impl Iterator<Item = (InstrRef, &Op)> {
    program.function_ids().flat_map(|f| instructions_of(program, f))
}

/// All instructions of a function with their references.
pub fn instructions_of(program: &Program, func: FuncId) -> impl Iterator<Item = (InstrRef, &Op)> {
    let function = program.function(func);
    function.block_ids().flat_map(move |block| {
        let instrs = function.block(block).instrs.iter().enumerate();
        instrs.map(move |(i, instr)| {
            let index = u32::try_from(i).expect("blocks have fewer than 2^32 instructions");
            (InstrRef { func, block, index }, &instr.op)
        })
    })
}
