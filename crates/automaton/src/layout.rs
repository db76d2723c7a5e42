//! What there is: threads, objects and the cells of memory, all with constant names and addresses.
//!
//! Idea: a bounded program has finitely many threads and objects. A thread is named by who creates
//! it, at which `Create`, and how many that had created before; an object by the thread and the
//! `Alloc`, likewise. Each has its number or address before anything runs, so pointers are numbers
//! and two names are never one thing. What a place makes beyond the bound has no name: there the
//! automaton ends in a state that can be reached.
//!
//! Objects are divided into *cells* of equal size: the largest by which all accesses to the object
//! that the points-to analysis knows of are aligned. An access at another place ends the automaton,
//! too, and can be had with cells of one byte. Memory that can end has a cell that says whether it lives.
//!
//! On request a place in a loop that creates threads has [`STAND_INS`] of them, which *stand for any
//! number* ([`Bounds::any_number`]): each creation is that of one of them, or of a thread that does not show. What
//! that means for proofs is said in the circuit engine (`any_number.rs`); what makes threads differ in more than
//! where they stand, their number and addresses that others know, ends the automaton.
//! Invariant: objects do not overlap and have gaps of at least [`GAP`] bytes between them.

use raddle_analysis::{Facts, Object, ObjectId};
use raddle_ir::{AllocKind, Cfg, FuncId, GlobalId, InstrRef, Op, Place, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::Bounds;
use crate::contexts::{ClassIx, ContextId, Contexts, Manner};
use crate::grains::grains;
use crate::sizes::{alignment, constant_size};

/// Bytes between objects.
pub const GAP: u64 = 32;
/// Most threads.
pub const MOST_THREADS: usize = 64;
/// Most cells.
pub const MOST_CELLS: usize = 100_000;
/// How many threads stand for any number that one place creates: two of which something is said, and
/// one that makes a step.
pub const STAND_INS: u32 = 3;

raddle_ir::ids! {
    /// A thread.
    ThreadIx
    /// An object of memory.
    ObjectIx
    /// A cell of memory, or another bit of state that threads share.
    CellId
    /// A place in a context that makes threads or objects.
    SiteIx
}

/// All threads that start in one function and are created in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Where they start.
    pub entry: FuncId,
    /// The calls that lead to where they are created, outermost first; none for main.
    pub created: Vec<InstrRef>,
}

/// A place that makes threads or objects.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The context.
    pub context: ContextId,
    /// The `Alloc` or `Create`.
    pub at: InstrRef,
    /// How many have names.
    pub most: u32,
    /// Whether these stand for any number.
    pub any_number: bool,
}

/// A thread.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// Where it starts.
    pub class: ClassIx,
    /// Who creates it, where, and how many that place has created before; none for main.
    pub origin: Option<(ThreadIx, SiteIx, u32)>,
    /// Whether it was created.
    pub created: CellId,
    /// Whether it has ended.
    pub ended: CellId,
    /// Whether it stands for any number of threads.
    pub stands_in: bool,
}

impl Thread {
    /// Its number in the program.
    pub fn number(index: ThreadIx) -> u32 {
        index.0 + 1
    }
}

/// What the word of a mutex holds that a thread has which stands for any number: that one of them
/// has it, not which.
pub const SOME_THREAD: u32 = MOST_THREADS as u32 + 1;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A global.
    Global(GlobalId),
    /// A thread's copy of a global.
    ThreadLocal(ThreadIx, GlobalId),
    /// What a thread allocates at a site, and how many that has made before.
    Allocated(ThreadIx, SiteIx, u32, AllocKind),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What it is.
    pub kind: Kind,
    /// Its address.
    pub base: u64,
    /// Its size in bytes; the most that it can have if `length` is there.
    pub size: u64,
    /// Bytes of a cell.
    pub grain: u64,
    /// Its first cell, and how many there are.
    pub cells: (CellId, u64),
    /// Says whether it lives (1), not yet (0), no longer (2); none if it always does.
    pub life: Option<CellId>,
    /// Holds its size, if that is not constant.
    pub length: Option<CellId>,
    /// Must not be written.
    pub constant: bool,
    /// Whether other threads may get hold of its address.
    pub escapes: bool,
}

impl Memory {
    /// The only thread that can have its address, if that is known.
    pub fn owner(&self) -> Option<ThreadIx> {
        match self.kind {
            Kind::Global(_) => None,
            Kind::ThreadLocal(t, _) | Kind::Allocated(t, ..) => (!self.escapes).then_some(t),
        }
    }
}

/// What a cell holds at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initial {
    /// This.
    Value(u128),
    /// Anything, but always the same until it is written.
    Arbitrary,
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its bits.
    pub width: u32,
    /// What it holds at first.
    pub initial: Initial,
    /// The object and the offset in it, if it is memory.
    pub part: Option<(ObjectIx, u64)>,
    /// Whether it always holds that.
    pub constant: bool,
}

/// Threads, objects and cells.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The functions inlined.
    pub contexts: Contexts,
    /// The classes of threads; main's is the first.
    pub classes: Vec<Class>,
    /// The threads; main is the first.
    pub threads: Vec<Thread>,
    /// Places that make threads or objects.
    pub sites: Vec<Site>,
    /// The objects.
    pub objects: Vec<Memory>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The threads that a place in a thread creates, by function.
    children: FxHashMap<(ThreadIx, SiteIx, FuncId), Vec<ThreadIx>>,
    /// The objects that a place in a thread makes.
    made: FxHashMap<(ThreadIx, SiteIx), Vec<ObjectIx>>,
    site_of: FxHashMap<(ContextId, InstrRef), SiteIx>,
    by_name: FxHashMap<ObjectId, Vec<ObjectIx>>,
    next_address: u64,
    /// Cells in words of mutexes, if some of these do not say who has them.
    pub(crate) holders: FxHashSet<CellId>,
    /// How many threads of one place have names at least, if there are too many of all places.
    fewest: Option<u32>,
}

impl Layout {
    /// Names what a program has. An error says what is too large.
    pub fn new(program: &Program, facts: &Facts, bounds: Bounds) -> Result<Layout, TooLarge> {
        let entry = program.entry.ok_or(TooLarge::NoEntry)?;
        let mut classes = vec![Class { entry, created: Vec::new() }];
        for creation in facts.points_to.creations() {
            let class = Class { entry: creation.entry, created: creation.chain.clone() };
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        let entries: Vec<FuncId> = classes.iter().map(|c| c.entry).collect();
        let manner = Manner { recursion: bounds.recursion, single: bounds.single_copies };
        let contexts = Contexts::new(program, facts, &entries, manner);
        let top = program.globals.iter().map(|g| g.address + g.size).max().unwrap_or(0);
        let mut layout = Layout {
            contexts,
            classes,
            threads: Vec::new(),
            sites: Vec::new(),
            objects: Vec::new(),
            cells: Vec::new(),
            children: FxHashMap::default(),
            made: FxHashMap::default(),
            site_of: FxHashMap::default(),
            by_name: FxHashMap::default(),
            holders: FxHashSet::default(),
            next_address: program.first_free_address.max(top).max(1 << 16) + GAP,
            fewest: None,
        };
        layout.find_sites(program, bounds);
        layout.make_threads(program, facts);
        layout.make_objects(program, facts, bounds)?;
        if layout.stand_ins().next().is_some() {
            layout.find_holders(program, facts);
        }
        Ok(layout)
    }

    fn find_sites(&mut self, program: &Program, bounds: Bounds) {
        let mut cfgs: FxHashMap<FuncId, Cfg> = FxHashMap::default();
        for context in self.contexts.ids() {
            let (func, repeated) = {
                let c = self.contexts.get(context);
                (c.func, c.repeated)
            };
            let cfg = cfgs.entry(func).or_insert_with(|| Cfg::new(program.function(func)));
            for block in program.function(func).block_ids() {
                let looped = cfg.loop_of[block.index()].is_some();
                let most = if repeated || looped { bounds.repeats } else { 1 };
                for (index, i) in program.function(func).block(block).instrs.iter().enumerate() {
                    if matches!(i.op, Op::Alloc { .. } | Op::Create { .. }) {
                        let at = InstrRef { func, block, index: index as u32 };
                        self.site_of.insert((context, at), SiteIx(self.sites.len() as u32));
                        let creates = matches!(i.op, Op::Create { .. });
                        let any_number = bounds.any_number && creates && (repeated || looped);
                        let most = if any_number { STAND_INS } else { most };
                        self.sites.push(Site { context, at, most, any_number });
                    }
                }
            }
        }
    }

    /// The functions in which a `Create` of a context may start threads, each with the class.
    fn started(&self, facts: &Facts, site: Site) -> Vec<(FuncId, ClassIx)> {
        let instance = self.contexts.get(site.context).instance;
        let chain = instance.map(|i| {
            let mut chain = facts.points_to.instance(i).chain.clone();
            chain.push(site.at);
            chain
        });
        let mut all: Vec<FuncId> = match &chain {
            Some(chain) => {
                let here = facts.points_to.creations().iter().filter(|c| c.chain == *chain);
                here.map(|c| c.entry).collect()
            }
            None => facts.points_to.callees(site.at).to_vec(),
        };
        all.sort_unstable();
        all.dedup();
        let class = |func: FuncId| {
            let here = |c: &Class| c.entry == func && chain.as_ref() == Some(&c.created);
            let mut classes = self.classes.iter();
            let class = classes.clone().position(here);
            // Where it is not known which calls lead here, any class of the function will do.
            let class = class.or_else(|| classes.position(|c| c.entry == func));
            (func, ClassIx(class.expect("every function of a creation is one") as u32))
        };
        all.into_iter().map(class).collect()
    }

    fn make_threads(&mut self, program: &Program, facts: &Facts) {
        let main = self.thread(ClassIx::MAIN, None, false);
        debug_assert_eq!(main, ThreadIx(0), "main comes first");
        let mut next = 0;
        while next < self.threads.len() {
            let (parent, class) = (ThreadIx(next as u32), self.threads[next].class);
            for site in 0..self.sites.len() {
                let here = self.sites[site];
                let creates = program.instr(here.at).map(|i| matches!(i.op, Op::Create { .. }));
                if creates != Some(true) || self.contexts.get(here.context).class != class {
                    continue;
                }
                // What those create whom it stands for would have to show, too.
                if self.threads[next].stands_in {
                    continue;
                }
                let site = SiteIx(site as u32);
                for (func, class) in self.started(facts, here) {
                    for nth in 0..here.most {
                        if self.threads.len() >= MOST_THREADS {
                            self.fewest = Some(self.fewest.map_or(nth, |n| n.min(nth)));
                            break;
                        }
                        let origin = Some((parent, site, nth));
                        let child = self.thread(class, origin, here.any_number);
                        self.children.entry((parent, site, func)).or_default().push(child);
                    }
                }
            }
            next += 1;
        }
    }

    fn thread(
        &mut self,
        class: ClassIx,
        origin: Option<(ThreadIx, SiteIx, u32)>,
        stands_in: bool,
    ) -> ThreadIx {
        let exists = u128::from(origin.is_none());
        let created = self.cell(1, Initial::Value(exists), None);
        let ended = self.cell(1, Initial::Value(0), None);
        self.threads.push(Thread { class, origin, created, ended, stands_in });
        ThreadIx(self.threads.len() as u32 - 1)
    }

    fn cell(&mut self, width: u32, initial: Initial, part: Option<(ObjectIx, u64)>) -> CellId {
        self.cells.push(Cell { width, initial, part, constant: false });
        CellId(self.cells.len() as u32 - 1)
    }

    fn make_objects(
        &mut self,
        program: &Program,
        facts: &Facts,
        bounds: Bounds,
    ) -> Result<(), TooLarge> {
        let mut grains = grains(program, facts);
        if bounds.bytes {
            grains.iter_mut().for_each(|g| *g = (*g).min(1));
        }
        let table = facts.points_to.objects();
        for name in table.ids() {
            let (grain, escapes) = (grains[name.index()], facts.sharing.escapes(name));
            let size = table.size(name);
            match table.get(name) {
                Object::Unknown | Object::Function(_) => {}
                Object::Global(g) if program.global(g).thread_local => {
                    for t in 0..self.threads.len() {
                        let kind = Kind::ThreadLocal(ThreadIx(t as u32), g);
                        self.object(program, name, kind, size, grain, escapes, bounds);
                    }
                }
                Object::Global(g) => {
                    let first = self.cells.len();
                    self.object(program, name, Kind::Global(g), size, grain, true, bounds);
                    for cell in &mut self.cells[first..] {
                        let known = cell.initial != Initial::Arbitrary;
                        cell.constant = cell.part.is_some_and(|(_, offset)| {
                            let bytes = (offset, offset + grain);
                            known && facts.sharing.is_never_written(name, bytes)
                        });
                    }
                }
                Object::Alloc(at, instance) => {
                    let Some(Op::Alloc { kind, .. }) = program.instr(at).map(|i| &i.op) else {
                        unreachable!("an allocated object has an allocation");
                    };
                    for (t, s) in self.makers(at, instance) {
                        // Others could get hold of objects that do not show.
                        if escapes && self.threads[t.index()].stands_in {
                            continue;
                        }
                        let context = self.sites[s.index()].context;
                        let known = || constant_size(program, &self.contexts, context, at);
                        let size = size.or_else(known);
                        for nth in 0..self.sites[s.index()].most {
                            let kind = Kind::Allocated(t, s, nth, *kind);
                            self.object(program, name, kind, size, grain, escapes, bounds);
                        }
                    }
                }
            }
            if self.cells.len() > MOST_CELLS {
                let place = match table.get(name) {
                    Object::Global(g) => program.global(g).place,
                    Object::Alloc(at, _) => program.place(at),
                    Object::Unknown | Object::Function(_) => Place::UNKNOWN,
                };
                return Err(TooLarge::Cells { count: self.cells.len(), place });
            }
        }
        Ok(())
    }

    /// The threads and sites that make the objects of a name.
    fn makers(
        &self,
        at: InstrRef,
        instance: raddle_analysis::InstanceId,
    ) -> Vec<(ThreadIx, SiteIx)> {
        let mut all = Vec::new();
        for (s, site) in self.sites.iter().enumerate().filter(|(_, s)| s.at == at) {
            let context = self.contexts.get(site.context);
            if context.instance.is_some_and(|i| i != instance) {
                continue;
            }
            let threads = self.threads.iter().enumerate().filter(|(_, t)| t.class == context.class);
            all.extend(threads.map(|(t, _)| (ThreadIx(t as u32), SiteIx(s as u32))));
        }
        all
    }

    #[expect(clippy::too_many_arguments, reason = "each is one fact about the object")]
    fn object(
        &mut self,
        program: &Program,
        name: ObjectId,
        kind: Kind,
        size: Option<u64>,
        grain: u64,
        escapes: bool,
        bounds: Bounds,
    ) {
        let index = ObjectIx(self.objects.len() as u32);
        if let Kind::Allocated(t, s, nth, _) = kind {
            // The contexts of several names may share a site; it makes one object each time.
            let made = self.made.entry((t, s)).or_default();
            if let Some(&known) = made.get(nth as usize) {
                self.by_name.entry(name).or_default().push(known);
                return;
            }
            made.push(index);
        }
        let global = match kind {
            Kind::Global(g) | Kind::ThreadLocal(_, g) => Some(program.global(g)),
            Kind::Allocated(..) => None,
        };
        let capacity = size.unwrap_or(grain.max(1) * bounds.cells);
        let base = match kind {
            Kind::Global(g) => program.global(g).address,
            Kind::ThreadLocal(..) | Kind::Allocated(..) => {
                let align = match kind {
                    Kind::Allocated(_, s, ..) => alignment(program, self.sites[s.index()].at),
                    Kind::Global(_) | Kind::ThreadLocal(..) => global.map_or(1, |g| g.align),
                };
                let align = u64::from(align).next_power_of_two();
                let base = self.next_address.next_multiple_of(align.max(64));
                self.next_address = base + capacity + GAP;
                base
            }
        };
        let count = capacity.checked_div(grain).unwrap_or(0).min(bounds.cells);
        let first = CellId(self.cells.len() as u32);
        for i in 0..count {
            let initial = global.map_or(Initial::Arbitrary, |g| {
                if g.external {
                    Initial::Arbitrary
                } else {
                    Initial::Value(bytes(&g.init, i, grain))
                }
            });
            self.cell(8 * grain as u32, initial, Some((index, i * grain)));
        }
        let life = match kind {
            Kind::Global(_) => None,
            Kind::ThreadLocal(..) => escapes.then(|| self.cell(2, Initial::Value(1), None)),
            Kind::Allocated(..) => Some(self.cell(2, Initial::Value(0), None)),
        };
        let length = size.is_none().then(|| self.cell(64, Initial::Value(0), None));
        self.objects.push(Memory {
            kind,
            base,
            size: capacity,
            grain,
            cells: (first, count),
            life,
            length,
            constant: global.is_some_and(|g| g.constant),
            escapes,
        });
        self.by_name.entry(name).or_default().push(index);
    }

    /// The objects that a name of the points-to analysis stands for.
    pub fn objects_named(&self, name: ObjectId) -> &[ObjectIx] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The objects that a place in a thread makes, in order.
    pub fn made(&self, thread: ThreadIx, site: SiteIx) -> &[ObjectIx] {
        self.made.get(&(thread, site)).map_or(&[], Vec::as_slice)
    }

    /// The threads that a place in a thread creates in a function, in order.
    pub fn children(&self, thread: ThreadIx, site: SiteIx, func: FuncId) -> &[ThreadIx] {
        self.children.get(&(thread, site, func)).map_or(&[], Vec::as_slice)
    }

    /// The threads that stand for any number.
    pub fn stand_ins(&self) -> impl Iterator<Item = ThreadIx> + '_ {
        self.thread_ids().filter(|t| self.threads[t.index()].stands_in)
    }

    /// How many threads of a place in a loop have names, whoever creates them.
    pub fn threads_of_a_place(&self, bounds: Bounds) -> u32 {
        self.fewest.map_or(bounds.repeats, |n| n.min(bounds.repeats))
    }

    /// The site of an `Alloc` or `Create` in a context.
    pub fn site(&self, context: ContextId, at: InstrRef) -> SiteIx {
        self.site_of[&(context, at)]
    }

    /// All cells.
    pub fn cell_ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len() as u32).map(CellId)
    }

    /// All threads.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadIx> + use<> {
        (0..self.threads.len() as u32).map(ThreadIx)
    }

    /// The threads of a class.
    pub fn threads_of(&self, class: ClassIx) -> impl Iterator<Item = ThreadIx> + '_ {
        self.thread_ids().filter(move |t| self.threads[t.index()].class == class)
    }

    /// Where the program begins: the place of what is about all of it.
    pub fn entry_place(&self, program: &Program) -> Place {
        program.function(self.classes[0].entry).place
    }

    /// Where an instruction of a context is, outside library models: the innermost call that leads
    /// there from code of the user.
    pub fn user_place(&self, program: &Program, context: ContextId, instr: InstrRef) -> Place {
        let mut at = Some((context, instr));
        while let Some((context, instr)) = at {
            let place = program.place(instr);
            let func = self.contexts.get(context).func;
            if !program.function(func).is_model && !program.file(place.file).is_model {
                return place;
            }
            at = self.contexts.get(context).caller();
        }
        program.place(instr)
    }

    /// The lowest and the first address behind the highest of all objects.
    pub fn window(&self) -> (u64, u64) {
        let low = self.objects.iter().map(|o| o.base).min().unwrap_or(0);
        let high = self.objects.iter().map(|o| o.base + o.size).max().unwrap_or(0);
        (low, high)
    }

    /// Panics if objects overlap.
    pub fn check_invariants(&self) {
        let mut all: Vec<(u64, u64)> = self.objects.iter().map(|o| (o.base, o.size)).collect();
        all.sort_unstable();
        for pair in all.windows(2) {
            assert!(pair[0].0 + pair[0].1 <= pair[1].0, "objects do not overlap");
        }
    }
}

/// Why a program has no automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// It has no entry.
    NoEntry,
    /// So many cells of memory, and more.
    Cells {
        /// How many.
        count: usize,
        /// The object that was one too many.
        place: Place,
    },
    /// So many terms, and more.
    Terms {
        /// How many.
        count: usize,
        /// The state that was being made.
        place: Place,
    },
    /// Nobody waits any longer.
    Stopped,
}

/// The value of a cell in initial contents.
fn bytes(init: &[u8], cell: u64, grain: u64) -> u128 {
    let at = (cell * grain) as usize;
    let byte = |i: usize| u128::from(init.get(at + i).copied().unwrap_or(0));
    (0..grain as usize).rev().fold(0, |value, i| value << 8 | byte(i))
}
