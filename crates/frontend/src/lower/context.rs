//! The program under construction: which functions and globals of which modules are in it.
//!
//! Idea: everything is made on demand, starting from the entry. Asking for the id of a function or
//! global puts it into the program and on the list of work, so what nobody reaches is never
//! lowered. Addresses are given out at once: functions from 0x0010_0000 in steps of 16, globals
//! from 0x1000_0000 with gaps between them.
//! Invariant: when the list of work is empty, every id in the program is complete.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{
    Block, CType, FileId, FuncId, Function, Global, GlobalId, Place, Program, PropertySet,
    SourceFile, Terminator, TypeId,
};
use rustc_hash::FxHashMap;

use super::Purpose;
use super::debug::DebugCache;
use super::link::Links;
use super::output::own_name;
use super::refusal::{Lowered, refuse};
use super::survey::Refused;
use super::unit::{Origin, Unit, UnitId};
use crate::llvm::ast as ll;
use crate::{Arguments, Options};

const FIRST_FUNCTION: u64 = 0x0010_0000;
const FUNCTION_STEP: u64 = 16;
const FIRST_GLOBAL: u64 = 0x1000_0000;
/// Block addresses (labels as values) lie below everything else.
const FIRST_LABEL: u64 = 0x100;
const LAST_32: u64 = 0xF000_0000;
const LAST_64: u64 = 1 << 46;

/// Work that is still to be done.
pub(crate) enum Work {
    /// Lower the body of a function.
    Body(FuncId, UnitId, u32),
    /// Make a body for a function that has none: what a call of that name means.
    Stub(FuncId, UnitId, u32),
    /// Lower the initialiser of a global.
    Initialiser(GlobalId, UnitId, u32),
}

/// The program under construction.
pub(crate) struct Context {
    /// All modules, the user's first.
    pub units: Vec<Rc<Unit>>,
    /// What names mean across modules.
    pub links: Links,
    /// What is made.
    pub program: Program,
    /// What is checked: some primitives depend on it.
    pub checked: PropertySet,
    /// What `main` is called with.
    pub arguments: Arguments,
    /// Whether volatile accesses count as atomic ones.
    pub volatile_is_atomic: bool,
    /// Library functions that may fail.
    pub may_fail: BTreeSet<String>,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// What is still to be done.
    pub work: Vec<Work>,
    /// Things that make every execution meaningless, met outside of functions.
    pub refused_globals: Vec<String>,
    /// What was refused in the user's files.
    pub refused: Refused,
    /// What the program is made for.
    pub purpose: Purpose,
    /// For the user.
    pub warnings: Vec<String>,
    /// Places and C types already translated.
    pub debug: DebugCache,
    functions: FxHashMap<(UnitId, u32), FuncId>,
    stubs: FxHashMap<String, FuncId>,
    globals: FxHashMap<(UnitId, u32), GlobalId>,
    labels: FxHashMap<(UnitId, (String, ll::BlockId)), u64>,
    next_address: u64,
}

impl Context {
    /// The user's functions with a body that are not in the program, by name.
    pub(crate) fn uncalled(&self) -> Vec<String> {
        let mut called = BTreeSet::new();
        let mut all = BTreeSet::new();
        for (u, unit) in (0..).zip(&self.units).filter(|(_, unit)| unit.origin == Origin::User) {
            for (f, function) in (0..).zip(&unit.module.functions) {
                let name = unit.module.name(function.name);
                if self.functions.contains_key(&(UnitId(u), f)) {
                    called.insert(name);
                } else if function.is_definition() {
                    all.insert(name);
                }
            }
        }
        all.difference(&called).map(|name| name.to_string()).collect()
    }

    pub(crate) fn new(options: &Options, purpose: Purpose) -> Context {
        let Options { pointer_bits, checked, .. } = *options;
        let unknown = SourceFile { path: "unknown".into(), is_model: false };
        let program = Program { pointer_bits, checked, files: vec![unknown], ..Default::default() };
        Context {
            units: Vec::new(),
            links: Links::default(),
            program,
            checked,
            arguments: options.arguments.clone(),
            may_fail: options.may_fail.clone(),
            volatile_is_atomic: options.volatile_is_atomic,
            error_labels: options.error_labels.clone(),
            work: Vec::new(),
            refused_globals: Vec::new(),
            refused: Refused::default(),
            purpose,
            warnings: Vec::new(),
            debug: DebugCache::default(),
            functions: FxHashMap::default(),
            stubs: FxHashMap::default(),
            globals: FxHashMap::default(),
            labels: FxHashMap::default(),
            next_address: FIRST_GLOBAL,
        }
    }

    pub(crate) fn unit(&self, id: UnitId) -> &Rc<Unit> {
        &self.units[id.0 as usize]
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        self.program.pointer_bits
    }

    /// The id of a function that has a body.
    pub(crate) fn function(&mut self, unit: UnitId, index: u32) -> FuncId {
        if let Some(&id) = self.functions.get(&(unit, index)) {
            return id;
        }
        let owner = Rc::clone(self.unit(unit));
        let function = &owner.module.functions[index as usize];
        let name = own_name(owner.module.name(function.name)).to_string();
        let id = self.new_function(name, owner.is_model());
        self.functions.insert((unit, index), id);
        self.work.push(Work::Body(id, unit, index));
        id
    }

    /// The id of a function that does what a call of a declared name means.
    /// `place` is where it is first referred to.
    pub(crate) fn stub(&mut self, unit: UnitId, index: u32, place: Place) -> FuncId {
        let owner = Rc::clone(self.unit(unit));
        let name = owner.module.name(owner.module.functions[index as usize].name);
        if let Some(&id) = self.stubs.get(name) {
            return id;
        }
        let id = self.new_function(name.to_string(), true);
        self.stubs.insert(name.to_string(), id);
        self.program.functions[id.index()].place = place;
        self.work.push(Work::Stub(id, unit, index));
        id
    }

    /// Adds a function with an empty body.
    pub(crate) fn new_function(&mut self, name: String, is_model: bool) -> FuncId {
        let id = FuncId::new(self.program.functions.len());
        let address = FIRST_FUNCTION + id.index() as u64 * FUNCTION_STEP;
        let end_place = Place::UNKNOWN;
        let block = Block { instrs: Vec::new(), end: Terminator::Stop, end_place };
        self.program.functions.push(Function {
            name,
            params: Vec::new(),
            result: None,
            regs: Vec::new(),
            blocks: vec![block],
            place: Place::UNKNOWN,
            is_model,
            address,
        });
        id
    }

    /// The id of a global of the program, defined or not.
    pub(crate) fn global(&mut self, unit: UnitId, index: u32) -> Lowered<GlobalId> {
        if let Some(&id) = self.globals.get(&(unit, index)) {
            return Ok(id);
        }
        let owner = Rc::clone(self.unit(unit));
        let global = &owner.module.globals[index as usize];
        let name = owner.module.name(global.name);
        let external = global.initializer.is_none();
        let size = match owner.size(global.ty) {
            Ok(size) => self.links.common_size(name, global).unwrap_or(size).max(size),
            Err(_) => return refuse(format!("the object `{name}`, whose size is not known")),
        };
        if size == 0 && external {
            return refuse(format!("the object `{name}`, whose size is not known"));
        }
        let align = global.align.unwrap_or_else(|| owner.align(global.ty)).max(1);
        let (source_name, ctype, place) = self.global_debug(unit, global);
        let id = self.add_global(Global {
            name: source_name.unwrap_or_else(|| name.to_string()),
            size,
            align,
            init: Vec::new(),
            pointers: Vec::new(),
            constant: global.constant,
            thread_local: global.thread_local,
            external,
            is_model: owner.is_model(),
            ctype,
            address: 0,
            place,
        })?;
        self.globals.insert((unit, index), id);
        if !external {
            self.work.push(Work::Initialiser(id, unit, index));
        }
        Ok(id)
    }

    /// Adds a global and gives it an address.
    pub(crate) fn add_global(&mut self, mut global: Global) -> Lowered<GlobalId> {
        if !global.thread_local {
            let last = if self.pointer_bits() == 32 { LAST_32 } else { LAST_64 };
            let align = u64::from(global.align).max(16).next_power_of_two();
            let gap = (global.size / 8).clamp(16, 4096);
            let address = self.next_address.next_multiple_of(align);
            let end = address.saturating_add(global.size).saturating_add(gap);
            if end > last {
                let name = &global.name;
                return refuse(format!("the object `{name}`: the variables fill all memory"));
            }
            global.address = address;
            self.next_address = end;
        }
        let id = GlobalId::new(self.program.globals.len());
        self.program.globals.push(global);
        Ok(id)
    }

    /// Addresses from here on are free.
    pub(crate) fn first_free_address(&self) -> u64 {
        self.next_address.next_multiple_of(4096)
    }

    /// The number that stands for a label whose address is taken.
    pub(crate) fn label(&mut self, unit: UnitId, function: &str, block: ll::BlockId) -> u64 {
        let next = FIRST_LABEL + self.labels.len() as u64;
        *self.labels.entry((unit, (function.to_string(), block))).or_insert(next)
    }

    /// The id of a source file.
    pub(crate) fn file(&mut self, path: &str, is_model: bool) -> FileId {
        if let Some(&id) = self.debug.files.get(path) {
            return id;
        }
        let id = FileId::new(self.program.files.len());
        self.program.files.push(SourceFile { path: path.to_string(), is_model });
        self.debug.files.insert(path.to_string(), id);
        id
    }

    /// Adds a C type.
    pub(crate) fn add_type(&mut self, ty: CType) -> TypeId {
        self.program.types.add(ty)
    }
}
