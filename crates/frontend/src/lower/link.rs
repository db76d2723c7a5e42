//! What a name means across modules: the user's files, then library models, linked on demand.
//!
//! Rules, those of a static linker: a name with internal linkage belongs to its module; a strong
//! definition beats weak and common ones, the larger of two common ones counts; two strong
//! ones are an error. A user's definition beats a library model. A model is read only when
//! something that is lowered refers to a function of it.

use std::rc::Rc;

use raddle_ir::{GlobalId, Operand, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compute::constant;
use super::context::Context;
use super::formats::has_count;
use super::output::by_pointer;
use super::refusal::{Lowered, refuse};
use super::unit::{Origin, Unit, UnitId};
use crate::error::Error;
use crate::llvm;
use crate::llvm::ast::{Constant, Global, Item, Linkage, Value};
use crate::llvm::symbols::Symbol;

/// What a global name of a module stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A function with a body.
    Function(UnitId, u32),
    /// A function without one (the ids are those of a declaration).
    Undefined(UnitId, u32),
    /// A variable, defined or not.
    Global(UnitId, u32),
    /// A weak name that nobody defines: the null address.
    Null,
}

/// Where a name is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// At one address.
    Fixed(Operand),
    /// At an address of its own in each thread.
    ThreadLocal(GlobalId),
}

/// Functions whose models, made for x86, have other structures or numbers than AArch64: `struct stat`,
/// `struct epoll_event`, numbers of system calls, wide characters without a sign.
const DIFFERENT_ON_ARM: &[&str] = &[
    "stat",
    "stat64",
    "fstat",
    "fstat64",
    "lstat",
    "lstat64",
    "fstatat",
    "fstatat64",
    "statvfs",
    "fstatvfs",
    "epoll_ctl",
    "epoll_wait",
    "epoll_pwait",
    "syscall",
    "wcscmp",
    "wcsncmp",
    "wmemcmp",
];

/// Definitions by name.
#[derive(Default)]
pub(crate) struct Links {
    /// Of the user's modules.
    user: FxHashMap<String, (UnitId, Item)>,
    /// Of the library models read so far.
    models: FxHashMap<String, (UnitId, Item)>,
    /// Variables that nobody defines: their first declaration.
    missing: FxHashMap<String, (UnitId, u32)>,
    /// Sizes of common variables, the largest of all declarations.
    common: FxHashMap<String, u64>,
    /// The models read so far.
    read: FxHashMap<&'static str, UnitId>,
    /// Whether a literal has `%n`, once that was asked.
    counts: Option<bool>,
    /// Whether the program uses a model file, once that was asked.
    uses: FxHashMap<&'static str, bool>,
}

impl Links {
    /// The size of a common variable, if it is one.
    pub(crate) fn common_size(&self, name: &str, global: &Global) -> Option<u64> {
        (global.linkage == Linkage::Common).then(|| self.common.get(name).copied()).flatten()
    }

    /// Whether the user's files define a function or variable of that name.
    pub(crate) fn is_user_defined(&self, name: &str) -> bool {
        self.user.contains_key(name)
    }
}

impl Context {
    /// Adds a module of the user.
    pub(crate) fn add_user_unit(&mut self, unit: Unit) -> Result<UnitId, Error> {
        let id = UnitId(self.units.len() as u32);
        let unit = Rc::new(unit);
        self.units.push(Rc::clone(&unit));
        for (symbol, item) in definitions(&unit) {
            let name = unit.module.name(symbol);
            if let Item::Global(g) = item {
                let global = &unit.module.globals[g as usize];
                if global.linkage == Linkage::Common {
                    let size = unit.size(global.ty).unwrap_or(0);
                    let known = self.links.common.entry(name.to_string()).or_default();
                    *known = size.max(*known);
                }
            }
            let Some(&(other_unit, other)) = self.links.user.get(name) else {
                self.links.user.insert(name.to_string(), (id, item));
                continue;
            };
            let before = Rc::clone(self.unit(other_unit));
            match (linkage(&before, other).is_weak(), linkage(&unit, item).is_weak()) {
                (false, false) => {
                    return Err(Error::Link(format!(
                        "`{name}` is defined in {} and again in {}",
                        before.file, unit.file
                    )));
                }
                (true, false) => {
                    self.links.user.insert(name.to_string(), (id, item));
                }
                (_, true) => {}
            }
        }
        Ok(id)
    }

    /// Whether a function of that name, as seen from a module, has a body that the user wrote.
    pub(crate) fn defines(&self, unit: UnitId, name: &str) -> bool {
        let here = self.unit(unit).module.function(name).is_some_and(|f| f.is_definition());
        here || self.links.is_user_defined(name)
    }

    /// The address of what a name means in a module.
    pub(crate) fn address(
        &mut self,
        unit_id: UnitId,
        symbol: Symbol,
        place: Place,
    ) -> Lowered<Address> {
        let unit = Rc::clone(self.unit(unit_id));
        let name = unit.module.name(symbol);
        if super::primitives::find(name, self.defines(unit_id, name)).is_some()
            && let Some(Item::Function(index)) = unit.module.items.get(&symbol)
        {
            return Ok(Address::Fixed(Operand::Function(self.stub(unit_id, *index, place))));
        }
        Ok(Address::Fixed(match self.resolve(unit_id, symbol)? {
            Target::Function(found, index) => {
                let asked_by_user = unit.origin == Origin::User;
                let of_model = matches!(self.unit(found).origin, Origin::Model { .. });
                let pointed = by_pointer(name).filter(|_| asked_by_user && of_model);
                let (found, index) = match pointed.and_then(|pointed| self.model(&pointed)) {
                    Some((unit, Item::Function(index))) => (unit, index),
                    Some((_, Item::Global(_) | Item::Alias(_))) | None => (found, index),
                };
                Operand::Function(self.function(found, index))
            }
            Target::Undefined(unit, index) => Operand::Function(self.stub(unit, index, place)),
            Target::Null => constant(0, unit.pointer_bits()),
            Target::Global(unit, index) => {
                let global = self.global(unit, index)?;
                if self.program.global(global).thread_local {
                    return Ok(Address::ThreadLocal(global));
                }
                Operand::Global(global, 0)
            }
        }))
    }

    /// What a name means in a module.
    pub(crate) fn resolve(&mut self, unit: UnitId, symbol: Symbol) -> Lowered<Target> {
        self.resolve_at(unit, symbol, 0)
    }

    fn resolve_at(&mut self, id: UnitId, symbol: Symbol, depth: u32) -> Lowered<Target> {
        let unit = Rc::clone(self.unit(id));
        let name = unit.module.name(symbol);
        let Some(&item) = unit.module.items.get(&symbol) else {
            return refuse(format!("the undeclared name `{name}`"));
        };
        if depth > 16 {
            return refuse(format!("the alias `{name}` of itself"));
        }
        let linkage = linkage(&unit, item);
        if linkage.is_local() {
            return self.here(id, item, depth);
        }
        if let Some(&(other, found)) = self.links.user.get(name) {
            return self.here(other, found, depth);
        }
        if is_definition(&unit, item) {
            return self.here(id, item, depth);
        }
        if let Item::Function(index) = item
            && unit.is_arm()
            && DIFFERENT_ON_ARM.contains(&name)
        {
            return Ok(Target::Undefined(id, index));
        }
        if let Some(&(other, found)) = self.links.models.get(name) {
            return self.here(other, found, depth);
        }
        match item {
            Item::Function(index) => {
                if let Some((model, found)) = self.model(name) {
                    return self.here(model, found, depth);
                }
                if linkage == Linkage::ExternWeak {
                    return Ok(Target::Null);
                }
                Ok(Target::Undefined(id, index))
            }
            Item::Global(_) if raddle_models::find_variable(name).is_some() => {
                match self.model_variable(name) {
                    Some((model, found)) => self.here(model, found, depth),
                    None => refuse(format!("the variable `{name}` of the library")),
                }
            }
            Item::Global(_) if linkage == Linkage::ExternWeak => Ok(Target::Null),
            Item::Global(index) => {
                let first = *self.links.missing.entry(name.to_string()).or_insert((id, index));
                Ok(Target::Global(first.0, first.1))
            }
            Item::Alias(_) => self.here(id, item, depth),
        }
    }

    /// An item of a module, aliases followed.
    fn here(&mut self, id: UnitId, item: Item, depth: u32) -> Lowered<Target> {
        let unit = Rc::clone(self.unit(id));
        match item {
            Item::Function(index) if unit.module.functions[index as usize].is_definition() => {
                Ok(Target::Function(id, index))
            }
            Item::Function(index) => Ok(Target::Undefined(id, index)),
            Item::Global(index) => Ok(Target::Global(id, index)),
            Item::Alias(index) => {
                let alias = &unit.module.aliases[index as usize];
                let name = unit.module.name(alias.name);
                match &alias.target.value {
                    Value::Global(symbol) if !alias.ifunc => {
                        self.resolve_at(id, *symbol, depth + 1)
                    }
                    _ => refuse(format!("the indirect function or alias `{name}`")),
                }
            }
        }
    }

    /// The library model of a function, read if need be.
    pub(crate) fn model(&mut self, name: &str) -> Option<(UnitId, Item)> {
        if let Some(&found) = self.links.models.get(name) {
            return Some(found);
        }
        let file = raddle_models::find(name)?;
        self.read_model(file);
        self.links.models.get(name).copied()
    }

    /// A variable that a library model defines, read if need be.
    fn model_variable(&mut self, name: &str) -> Option<(UnitId, Item)> {
        self.read_model(raddle_models::find_variable(name)?);
        self.links.models.get(name).copied()
    }

    /// Whether the program uses a model file.
    pub(crate) fn uses_model(&mut self, file: &'static str) -> bool {
        if let Some(&known) = self.links.uses.get(file) {
            return known;
        }
        let names = declared(&self.units);
        let uses = self.needs(names, file);
        self.links.uses.insert(file, uses);
        uses
    }

    /// Whether a literal of the user's files would count characters if it were a format.
    pub(crate) fn has_counting_format(&mut self) -> bool {
        *self.links.counts.get_or_insert_with(|| {
            let user = self.units.iter().filter(|unit| unit.origin == Origin::User);
            let mut texts = user.flat_map(|unit| &unit.module.globals);
            texts.any(|global| match &global.initializer {
                Some(Value::Constant(Constant::Bytes(bytes))) => {
                    has_count(&String::from_utf8_lossy(bytes))
                }
                Some(_) | None => false,
            })
        })
    }

    /// Whether the models of these functions, or models that they call, are in a certain file.
    fn needs(&mut self, mut names: Vec<String>, wanted: &str) -> bool {
        let mut seen: FxHashSet<&'static str> = FxHashSet::default();
        while let Some(name) = names.pop() {
            let Some(file) = raddle_models::find(&name) else { continue };
            // Hooks have models of their own name; a reference is no use.
            if name.starts_with("__raddle_") || !seen.insert(file.name) {
                continue;
            }
            if file.name == wanted {
                return true;
            }
            self.read_model(file);
            let unit = self.links.read[file.name];
            names.extend(declared(std::slice::from_ref(self.unit(unit))));
        }
        false
    }

    fn read_model(&mut self, file: &'static raddle_models::ModelFile) {
        if self.links.read.contains_key(file.name) {
            return;
        }
        let text = file.llvm(self.pointer_bits());
        let module = match llvm::parse(text.as_bytes()) {
            Ok(module) => module,
            Err(e) => panic!("the library model {} that raddle carries is broken: {e}", file.name),
        };
        let id = UnitId(self.units.len() as u32);
        let origin = Origin::Model { hides: file.hides_accesses, effects: file.has_effects };
        let unit = Rc::new(Unit::new(file.name.to_string(), module, origin));
        self.units.push(Rc::clone(&unit));
        self.links.read.insert(file.name, id);
        for (symbol, item) in definitions(&unit) {
            let name = unit.module.name(symbol).to_string();
            self.links.models.entry(name).or_insert((id, item));
        }
    }
}

/// The functions that modules refer to without defining them.
fn declared(units: &[Rc<Unit>]) -> Vec<String> {
    let mut names = Vec::new();
    for unit in units.iter().map(|u| &u.module) {
        let functions = unit.functions.iter().filter(|f| !f.is_definition());
        names.extend(functions.map(|f| unit.name(f.name).to_string()));
    }
    names
}

/// The names that a module defines for others.
fn definitions(unit: &Unit) -> impl Iterator<Item = (Symbol, Item)> {
    let module = &unit.module;
    let functions =
        module.functions.iter().enumerate().map(|(i, f)| (f.name, Item::Function(i as u32)));
    let globals = module.globals.iter().enumerate().map(|(i, g)| (g.name, Item::Global(i as u32)));
    let aliases = module.aliases.iter().enumerate().map(|(i, a)| (a.name, Item::Alias(i as u32)));
    functions.chain(globals).chain(aliases).filter(|(_, item)| {
        let linkage = linkage(unit, *item);
        is_definition(unit, *item) && !linkage.is_local() && linkage != Linkage::Appending
    })
}

fn is_definition(unit: &Unit, item: Item) -> bool {
    match item {
        Item::Function(i) => unit.module.functions[i as usize].is_definition(),
        Item::Global(i) => unit.module.globals[i as usize].initializer.is_some(),
        Item::Alias(_) => true,
    }
}

fn linkage(unit: &Unit, item: Item) -> Linkage {
    match item {
        Item::Function(i) => unit.module.functions[i as usize].linkage,
        Item::Global(i) => unit.module.globals[i as usize].linkage,
        Item::Alias(i) => unit.module.aliases[i as usize].linkage,
    }
}
