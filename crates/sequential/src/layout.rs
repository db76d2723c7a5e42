//! Where memory is: every object has cells of 8 bytes in one table.
//!
//! An address is 8 · cell + byte, so pointers are numbers that every run of the sequential
//! program agrees on, and guesses can name memory that another thread has yet to allocate. Cells
//! that several threads use come first (scalar variables before the rest), then those that need
//! no guessing because the analysis of sharing says so. Within a cell, bytes are replaced under a
//! mask: accesses of other sizes to the same bytes need no rule of their own.
//!
//! Invariants: cell 0 is no object; objects do not touch each other (the address just past one is
//! not the next); an object is in the shared part iff any access to it through that part is
//! possible.
//! Limits: an access across the end of a cell (packed structures) is a failing check when it is
//! reached.

use std::fmt::Write;

use raddle_analysis::sharing::WHOLE;
use raddle_analysis::{
    CallGraph, Multiplicity, Object, ObjectId, PointsTo, Role, Sharing, Threads, sharing,
};
use raddle_ir::{AllocKind, FuncId, GlobalId, InstrRef, Op, Operand, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Names;
use crate::reach::Reached;
use crate::settings::{Error, MOST_THREADS, Settings};

/// Threads of a class that may have several, where the user gives no number.
const SOME_THREADS: u32 = 8;
/// Cells of each kind of run-time memory, where the user gives no number.
const SOME_CELLS: u64 = 64;
/// More cells than that are not a table any more.
const MOST_CELLS: u64 = 1 << 20;
/// Addresses of functions: above all cells.
const FUNCTION_ADDRESSES: u64 = 16 * MOST_CELLS;

/// How an access reaches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// A shared variable that has a cell of its own.
    Scalar,
    /// Memory that no other thread changes: the table itself.
    Own,
    /// Shared, or only the address can tell.
    Any,
}

/// A range of cells.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// The memory of the sequential program.
pub(crate) struct Layout {
    points_to: PointsTo,
    sharing: Sharing,
    shared_allocs: FxHashSet<InstrRef>,
    /// Nothing that the analysis says about sharing is used.
    all_shared: bool,
    global_names: FxHashMap<GlobalId, String>,
    function_names: FxHashMap<FuncId, String>,
    function_addresses: FxHashMap<FuncId, (String, u64)>,
    /// Cell and number of cells (of one copy, if it is thread-local) of each global.
    cells: FxHashMap<GlobalId, (u64, u64)>,
    shared_globals: FxHashSet<GlobalId>,
    /// Most threads.
    pub(crate) threads: u32,
    /// Cells of scalars, of all shared memory, of everything; they begin at 0 each.
    pub(crate) scalar_cells: u64,
    pub(crate) shared_cells: u64,
    pub(crate) all_cells: u64,
    /// Memory that is allocated at run time.
    pub(crate) heap: Region,
    pub(crate) zeroed_heap: Region,
    pub(crate) own_heap: Region,
    pub(crate) stack: Region,
}

impl Layout {
    /// Analyses sharing and places all objects.
    pub(crate) fn new(
        program: &Program,
        reached: &Reached,
        settings: &Settings,
    ) -> Result<Layout, Error> {
        let points_to = PointsTo::new(program);
        let graph = CallGraph::new(program, &points_to);
        let classes = Threads::new(program, &points_to, &graph);
        let sharing = Sharing::new(program, &points_to, &classes);
        let all_shared = !sharing.wild().is_empty();
        let many = |m: Multiplicity| if m == Multiplicity::Many { SOME_THREADS } else { 1 };
        let threads: u32 = classes.classes().iter().map(|c| many(c.multiplicity)).sum();
        let mut layout = Layout {
            points_to,
            sharing,
            shared_allocs: FxHashSet::default(),
            all_shared,
            global_names: FxHashMap::default(),
            function_names: FxHashMap::default(),
            function_addresses: FxHashMap::default(),
            cells: FxHashMap::default(),
            shared_globals: FxHashSet::default(),
            threads: settings.threads.unwrap_or(threads.clamp(2, MOST_THREADS)),
            scalar_cells: 0,
            shared_cells: 0,
            all_cells: 0,
            heap: Region::default(),
            zeroed_heap: Region::default(),
            own_heap: Region::default(),
            stack: Region::default(),
        };
        layout.name(program, reached);
        layout.place(program, reached, settings)?;
        Ok(layout)
    }

    fn name(&mut self, program: &Program, reached: &Reached) {
        let mut names = Names::new();
        for &f in &reached.functions {
            let function = program.function(f);
            let wanted = match function.name.as_str() {
                "main" => "original_main".to_string(),
                name if function.is_model => format!("lib_{name}"),
                name => name.to_string(),
            };
            self.function_names.insert(f, names.take(&wanted));
        }
        // Addresses have names of their own, after all others.
        let mut addresses = Names::new();
        for &g in &reached.globals {
            let name = addresses.take(&program.global(g).name);
            self.global_names.insert(g, format!("at_{name}"));
        }
        for (i, &f) in reached.addressed.iter().enumerate() {
            let name = addresses.take(&program.function(f).name);
            let address = FUNCTION_ADDRESSES + 16 * i as u64;
            self.function_addresses.insert(f, (format!("at_{name}"), address));
        }
    }

    fn place(
        &mut self,
        program: &Program,
        reached: &Reached,
        settings: &Settings,
    ) -> Result<(), Error> {
        self.find_shared(program, reached);
        let total: u64 =
            reached.globals.iter().fold(0u64, |sum, g| sum.saturating_add(program.global(*g).size));
        if total / 8 > MOST_CELLS / 2 {
            return Err(Error::TooLarge(total));
        }
        let mut next = 1;
        let is_scalar = |g: &GlobalId| {
            let global = program.global(*g);
            global.size <= 8 && !global.thread_local
        };
        let shared: Vec<GlobalId> =
            reached.globals.iter().copied().filter(|g| self.shared_globals.contains(g)).collect();
        let own = reached.globals.iter().copied().filter(|g| !self.shared_globals.contains(g));
        let own: Vec<GlobalId> = own.collect();
        for &g in shared.iter().filter(|g| is_scalar(g)) {
            next = self.place_global(program, g, next);
        }
        self.scalar_cells = next;
        for &g in shared.iter().filter(|g| !is_scalar(g)) {
            next = self.place_global(program, g, next);
        }
        let amounts = self.amounts(program, reached, settings);
        let mut region = |cells: u64| {
            let start = next;
            next += cells;
            Region { start, end: next }
        };
        self.heap = region(amounts.heap);
        self.zeroed_heap = region(amounts.zeroed_heap);
        self.shared_cells = next;
        for &g in &own {
            next = self.place_global(program, g, next);
        }
        let mut region = |cells: u64| {
            let start = next;
            next += cells;
            Region { start, end: next }
        };
        self.own_heap = region(amounts.own_heap);
        self.stack = region(amounts.stack);
        self.all_cells = next;
        Ok(())
    }

    /// Which objects are in the shared part.
    fn find_shared(&mut self, program: &Program, reached: &Reached) {
        let objects = self.points_to.objects();
        let is_shared =
            |o: ObjectId| self.all_shared || self.sharing.role(o, WHOLE) == Role::Shared;
        for &g in &reached.globals {
            if !program.global(g).constant && is_shared(objects.global(g)) {
                self.shared_globals.insert(g);
            }
        }
        for (at, op) in allocations(program, reached) {
            let Op::Alloc { .. } = op else { continue };
            if objects.allocs(at).iter().any(|o| is_shared(*o)) {
                self.shared_allocs.insert(at);
            }
        }
    }

    fn place_global(&mut self, program: &Program, g: GlobalId, next: u64) -> u64 {
        let global = program.global(g);
        let align = u64::from(global.align).div_ceil(8).clamp(1, 512);
        let start = next.next_multiple_of(align);
        // A byte beyond the end belongs to the object, so that the next one begins elsewhere.
        let cells = (global.size / 8 + 1).next_multiple_of(align);
        self.cells.insert(g, (start, cells));
        start + cells * if global.thread_local { u64::from(self.threads) } else { 1 }
    }

    fn amounts(&self, program: &Program, reached: &Reached, settings: &Settings) -> Amounts {
        let mut amounts = Amounts::default();
        for (at, op) in allocations(program, reached) {
            let Op::Alloc { size, kind, zeroed, .. } = op else { continue };
            let shared = self.shared_allocs.contains(&at);
            let fixed = program
                .constant(*size)
                .map(|bytes| u64::try_from(bytes / 8 + 1).unwrap_or(MOST_CELLS));
            let amount = match (shared, kind, zeroed) {
                (true, AllocKind::Heap, true) => &mut amounts.zeroed_heap,
                (true, AllocKind::Heap | AllocKind::Stack, _) => &mut amounts.heap,
                (false, AllocKind::Heap, _) => &mut amounts.own_heap,
                (false, AllocKind::Stack, _) => &mut amounts.stack,
            };
            let heap = *kind == AllocKind::Heap;
            // Twice what all variables need at once leaves room for functions that are entered
            // again.
            let needed = if heap { SOME_CELLS } else { 2 * fixed.unwrap_or(SOME_CELLS / 2) };
            *amount = amount.saturating_add(needed).min(MOST_CELLS / 8);
        }
        let given = |amount: &mut u64, least: u64| {
            if *amount > 0 {
                *amount = settings.heap.map_or((*amount).max(least), u64::from);
            }
        };
        given(&mut amounts.heap, SOME_CELLS / 4);
        given(&mut amounts.zeroed_heap, SOME_CELLS);
        given(&mut amounts.own_heap, SOME_CELLS);
        given(&mut amounts.stack, SOME_CELLS / 2);
        amounts
    }

    /// The name of a global's address.
    pub(crate) fn global_name(&self, g: GlobalId) -> &str {
        self.global_names.get(&g).map_or("0", String::as_str)
    }

    /// The name of a function's address.
    pub(crate) fn function_address_name(&self, f: FuncId) -> &str {
        self.function_addresses.get(&f).map_or("0", |(name, _)| name.as_str())
    }

    /// The name of a function.
    pub(crate) fn function_name(&self, f: FuncId) -> &str {
        self.function_names.get(&f).map_or("0", String::as_str)
    }

    /// All names of functions: nothing else may have them.
    pub(crate) fn all_function_names(&self) -> impl Iterator<Item = &str> {
        self.function_names.values().map(String::as_str)
    }

    /// Bytes from one thread's copy of a thread-local global to the next one's.
    pub(crate) fn stride(&self, g: GlobalId) -> u64 {
        self.cells.get(&g).map_or(0, |(_, cells)| 8 * cells)
    }

    /// Whether what an `Alloc` makes is in the shared part.
    pub(crate) fn is_shared_alloc(&self, at: InstrRef) -> bool {
        self.shared_allocs.contains(&at)
    }

    /// The functions that an indirect call or a creation may enter.
    pub(crate) fn callees(&self, reached: &Reached, at: InstrRef, callee: Operand) -> Vec<FuncId> {
        let anything = self.points_to.of(at.func, callee).contains(ObjectId::UNKNOWN);
        if anything { reached.addressed.clone() } else { self.points_to.callees(at).to_vec() }
    }

    /// How an access of some bytes reaches memory.
    pub(crate) fn way(
        &self,
        program: &Program,
        f: FuncId,
        addr: Operand,
        bytes: u64,
        writes: bool,
    ) -> Way {
        if let Operand::Global(g, 0) = addr
            && self.shared_globals.contains(&g)
            && program.global(g).size == bytes
            && bytes <= 8
        {
            return Way::Scalar;
        }
        let locations = self.points_to.locations(f, addr);
        let own = |&(object, offset): &(ObjectId, Option<u64>)| {
            let range = sharing::range(offset, Some(bytes));
            !self.is_in_shared_part(object)
                || (!writes
                    && !self.all_shared
                    && self.sharing.is_read_only_after_start(object, range))
        };
        if !locations.is_empty() && locations.iter().all(own) { Way::Own } else { Way::Any }
    }

    fn is_in_shared_part(&self, object: ObjectId) -> bool {
        match self.points_to.objects().get(object) {
            Object::Unknown => true,
            Object::Function(_) => false,
            Object::Global(g) => self.shared_globals.contains(&g),
            Object::Alloc(at, _) => self.shared_allocs.contains(&at),
        }
    }

    /// Whether an access through a constant address is certainly inside of its object.
    pub(crate) fn is_certainly_valid(&self, program: &Program, addr: Operand, bytes: u64) -> bool {
        match addr {
            Operand::Global(g, offset) => {
                let inside = u64::try_from(offset)
                    .is_ok_and(|o| o.saturating_add(bytes) <= program.global(g).size);
                inside && offset.rem_euclid(8) as u64 + bytes <= 8
            }
            Operand::Reg(_) | Operand::Const(_) | Operand::Function(_) => false,
        }
    }

    /// The address constants of globals and functions.
    pub(crate) fn address_text(&self, program: &Program, reached: &Reached) -> String {
        let mut text = String::new();
        let mut globals: Vec<(u64, GlobalId)> =
            reached.globals.iter().map(|g| (self.cells[g].0, *g)).collect();
        globals.sort_unstable();
        for (cell, g) in globals {
            let global = program.global(g);
            let shared = if self.shared_globals.contains(&g) { "shared" } else { "not shared" };
            let copies = if global.thread_local { ", a copy for each thread" } else { "" };
            let place = program.show_place(global.place);
            let (name, bytes) = (self.global_name(g), global.size);
            let _ = writeln!(
                text,
                "    {name} = {}, /* {bytes} bytes, {shared}{copies}; {place} */",
                8 * cell
            );
        }
        for f in &reached.addressed {
            let (name, address) = &self.function_addresses[f];
            let _ = writeln!(text, "    {name} = {address},");
        }
        text
    }

    /// The initial contents of the cells that are not zero: cell, value, whose.
    pub(crate) fn initial(&self, program: &Program, reached: &Reached) -> Vec<(u64, u64, String)> {
        let mut cells = Vec::new();
        for &g in &reached.globals {
            let global = program.global(g);
            let (start, stride) = self.cells[&g];
            let bytes = self.initial_bytes(program, g);
            let copies = if global.thread_local { u64::from(self.threads) } else { 1 };
            for copy in 0..copies {
                for (i, chunk) in bytes.chunks(8).enumerate() {
                    let value = chunk.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
                    if value != 0 {
                        cells.push((start + copy * stride + i as u64, value, global.name.clone()));
                    }
                }
            }
        }
        cells.sort_unstable();
        cells
    }

    /// The initial bytes of a global, with the addresses of this layout.
    fn initial_bytes(&self, program: &Program, g: GlobalId) -> Vec<u8> {
        let global = program.global(g);
        let mut bytes = global.init.clone();
        let width = program.pointer_bytes() as usize;
        for &(offset, to) in &global.pointers {
            let address = match to {
                Operand::Global(target, shift) => self
                    .cells
                    .get(&target)
                    .map_or(0, |(cell, _)| (8 * cell).wrapping_add_signed(shift)),
                Operand::Function(f) => self.function_addresses.get(&f).map_or(0, |(_, a)| *a),
                Operand::Const(_) | Operand::Reg(_) => continue,
            };
            let offset = offset as usize;
            // Zeros at the end of the initial bytes are left out.
            bytes.resize(bytes.len().max(offset + width), 0);
            if let Some(field) = bytes.get_mut(offset..offset + width) {
                field.copy_from_slice(&address.to_le_bytes()[..width]);
            }
        }
        bytes
    }

    /// Cells whose initial contents are arbitrary: globals that are declared only, and the shared
    /// heap.
    pub(crate) fn arbitrary(&self, program: &Program, reached: &Reached) -> Vec<Region> {
        let external = reached.globals.iter().filter(|g| program.global(**g).external);
        let mut regions: Vec<Region> = external
            .map(|g| Region {
                start: self.cells[g].0,
                end: self.cells[g].0 + program.global(*g).size.div_ceil(8),
            })
            .collect();
        regions.push(self.heap);
        regions.retain(|r| r.start < r.end);
        regions
    }
}

/// Cells of memory that is allocated at run time.
#[derive(Default)]
struct Amounts {
    heap: u64,
    zeroed_heap: u64,
    own_heap: u64,
    stack: u64,
}

/// The instructions of all functions that are reached.
fn allocations<'a>(
    program: &'a Program,
    reached: &'a Reached,
) -> impl Iterator<Item = (InstrRef, &'a Op)> {
    reached.functions.iter().flat_map(|&f| raddle_analysis::objects::instructions_of(program, f))
}
