//! The input of the theory: units, events and the literals that talk about them.
//!
//! Idea: a *unit* is a node of the order graph, one event or all events of an atomic section. The
//! units of a thread form a chain. Events of one unit are ordered by their position, so an event's
//! time is the pair (time of the unit, position), compared lexicographically.
//! Invariants: a unit id is its place: units of a thread are numbered consecutively.

use raddle_sat::Lit;

/// An atomic unit: a node of the order graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct UnitId(pub(crate) u32);

/// A read event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ReadId(pub(crate) u32);

/// A write event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WriteId(pub(crate) u32);

impl UnitId {
    /// The number of the unit, counted over all threads in order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ReadId {
    /// The number of the read, in order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl WriteId {
    /// The number of the write, in order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A unit by thread and index in the thread's chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub thread: u32,
    pub index: u32,
}

/// When an event happens: its unit, and its position within.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Event {
    pub place: Place,
    pub position: u32,
}

/// A write that a read may see, or that may hide another write from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MayRead {
    pub read: ReadId,
    pub write: WriteId,
    /// True: the read takes its value from the write. `None`: it never does.
    pub reads_from: Option<Lit>,
    /// True: the write occurs and writes where the read reads.
    pub hits: Lit,
}

/// An edge that holds when its condition does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuardedEdge {
    pub condition: Lit,
    pub from: Place,
    pub to: Place,
}

/// All that the caller has said.
#[derive(Clone, Default, Debug)]
pub(crate) struct Skeleton {
    /// The number of units before those of each thread; one entry more than there are threads.
    base: Vec<u32>,
    /// The place of each unit.
    places: Vec<Place>,
    pub fixed: Vec<(Place, Place)>,
    pub guarded: Vec<GuardedEdge>,
    /// By read and by write.
    pub reads: Vec<Event>,
    pub writes: Vec<Event>,
    pub may_read: Vec<MayRead>,
}

impl Skeleton {
    pub fn new(units_per_thread: &[u32]) -> Skeleton {
        let mut skeleton = Skeleton::default();
        skeleton.base.push(0);
        for (thread, &count) in (0..).zip(units_per_thread) {
            skeleton.places.extend((0..count).map(|index| Place { thread, index }));
            let total = u32::try_from(skeleton.places.len()).expect("fewer than 2^32 units");
            skeleton.base.push(total);
        }
        skeleton
    }

    pub fn threads(&self) -> usize {
        self.base.len() - 1
    }

    pub fn units(&self) -> usize {
        self.places.len()
    }

    /// The number of units of a thread.
    pub fn length(&self, thread: u32) -> u32 {
        self.base[thread as usize + 1] - self.base[thread as usize]
    }

    pub fn unit(&self, thread: usize, index: u32) -> UnitId {
        assert!(thread < self.threads(), "no thread {thread}");
        assert!(index < self.length(thread as u32), "thread {thread} has no unit {index}");
        UnitId(self.base[thread] + index)
    }

    pub fn unit_at(&self, place: Place) -> UnitId {
        UnitId(self.base[place.thread as usize] + place.index)
    }

    pub fn place(&self, unit: UnitId) -> Place {
        self.places[unit.index()]
    }

    /// Every literal that the theory reacts to, with repetitions.
    pub fn literals(&self) -> impl Iterator<Item = Lit> {
        let guards = self.guarded.iter().map(|edge| edge.condition);
        let pairs =
            self.may_read.iter().flat_map(|pair| pair.reads_from.into_iter().chain([pair.hits]));
        guards.chain(pairs)
    }
}
