//! From C to the program model, by way of clang.
//!
//! Reading order: [`clang`] (files to LLVM text), [`llvm`] (text to a tree), [`lower`] (tree to
//! [`raddle_ir::Program`]), [`stubs`] (bodies for functions that have none), [`error`] (what can be
//! wrong with the input).
//!
//! **Invariant:** no input makes this crate panic, and nothing in the source is skipped silently.

mod clang;
mod database;
pub mod error;
pub mod llvm;
mod lower;
mod stubs;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use raddle_ir::{CommandLines, Program, PropertySet};

pub use error::Error;
pub use lower::Missing;

/// How to read the input.
#[derive(Clone, Debug)]
pub struct Options {
    /// 32 or 64.
    pub pointer_bits: u32,
    /// The compiler; the newest clang on PATH if none is named.
    pub clang: Option<PathBuf>,
    /// More flags for it.
    pub clang_args: Vec<String>,
    /// What will be checked: library models depend on it.
    pub checked: PropertySet,
    /// What `main` is called with.
    pub arguments: Arguments,
    /// Library functions that may fail, of [`MAY_FAIL`]; the others never do.
    pub may_fail: BTreeSet<String>,
    /// Whether volatile accesses count as atomic ones.
    pub volatile_is_atomic: bool,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// What a call of a function without a body does.
    pub undefined: Undefined,
    /// Keep the LLVM text in the result.
    pub keep_llvm: bool,
}

/// What can be made to fail: all functions that allocate on the heap; those that start threads.
pub const MAY_FAIL: &[&str] = &["malloc", "pthread_create"];

/// What `main` is called with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// These arguments, after the name of the program.
    Given(Vec<String>),
    /// Any arguments within a bound.
    Any(CommandLines),
}

impl Arguments {
    /// The bound if nothing else is said.
    pub const DEFAULT: CommandLines = CommandLines { most: 2, length: 8 };
}

/// What a call of a function without a body does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undefined {
    /// It is not modelled: there is no verdict on executions that come there.
    #[default]
    Refuse,
    /// What its stub does: anything.
    Any,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            pointer_bits: 64,
            clang: None,
            clang_args: Vec::new(),
            checked: PropertySet::EMPTY,
            arguments: Arguments::Any(Arguments::DEFAULT),
            may_fail: BTreeSet::new(),
            volatile_is_atomic: false,
            error_labels: Vec::new(),
            undefined: Undefined::Refuse,
            keep_llvm: false,
        }
    }
}

/// Where the time went.
#[derive(Clone, Copy, Default, Debug)]
pub struct Times {
    /// Running clang.
    pub clang: Duration,
    /// Parsing LLVM text.
    pub read: Duration,
    /// Lowering, library models included.
    pub lower: Duration,
}

/// A program, ready to be checked.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// LLVM text by file, if it was to be kept.
    pub llvm: Vec<(String, String)>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Functions and constructs that are not modelled, all that `main` leads to.
    pub missing: Vec<Missing>,
    /// Functions without a body that do anything ([`Undefined::Any`]).
    pub stubbed: Vec<String>,
    /// Functions of the user's that nothing calls: nothing is said about them.
    pub uncalled: Vec<String>,
    /// Where the time went.
    pub times: Times,
}

/// Reads C files, LLVM files or a compilation database, and links them into one program.
pub fn load(inputs: &[PathBuf], options: &Options) -> Result<Loaded, Error> {
    let mut all = load_for(inputs, options, &[options.checked])?;
    Ok(all.pop().expect("one set of properties gives one program"))
}

/// The same for several sets of properties: one program for each, clang runs once.
pub fn load_for(
    inputs: &[PathBuf],
    options: &Options,
    sets: &[PropertySet],
) -> Result<Vec<Loaded>, Error> {
    let mut warnings = Vec::new();
    let start = Instant::now();
    let plan = clang::Plan::new(inputs, options, &mut warnings)?;
    let mut units = plan.run()?;
    let mut stubbed = Vec::new();
    if options.undefined == Undefined::Any {
        let (text, names) = stubs_of(&plan, &mut units, options)?;
        if let Some(unit) = plan.compile_text(&text).filter(|_| !names.is_empty()) {
            units.push(unit);
            stubbed = names;
        }
    }
    let mut clang = start.elapsed();
    let mut all = Vec::new();
    for (n, &checked) in sets.iter().enumerate() {
        let start = Instant::now();
        let mut modules = Vec::with_capacity(units.len());
        for unit in &units {
            modules.push((unit.file.clone(), read(unit, options)?));
        }
        let read = start.elapsed();
        if n == 0 {
            let start = Instant::now();
            find_inline_bodies(&plan, &mut units, &mut modules, options);
            clang += start.elapsed();
        }
        let times = Times { clang, read, lower: Duration::ZERO };
        let warnings = warnings.clone();
        all.push(link(&units, modules, &Options { checked, ..options.clone() }, warnings, times)?);
    }
    // What is not modelled is mostly the same whatever is checked.
    if all.iter().any(|loaded| !loaded.missing.is_empty()) {
        let missing = survey(&units, options)?;
        all.iter_mut().for_each(|loaded| loaded.missing.clone_from(&missing));
    }
    all.iter_mut().for_each(|loaded| loaded.stubbed.clone_from(&stubbed));
    Ok(all)
}

/// Stubs for the functions that have no body, as a C file.
pub fn stubs(inputs: &[PathBuf], options: &Options) -> Result<String, Error> {
    let plan = clang::Plan::new(inputs, options, &mut Vec::new())?;
    let mut units = plan.run()?;
    Ok(stubs_of(&plan, &mut units, options)?.0)
}

/// The stubs and their names.
fn stubs_of(
    plan: &clang::Plan<'_>,
    units: &mut [clang::Unit],
    options: &Options,
) -> Result<(String, Vec<String>), Error> {
    let mut modules = Vec::with_capacity(units.len());
    for unit in units.iter() {
        modules.push((unit.file.clone(), read(unit, options)?));
    }
    find_inline_bodies(plan, units, &mut modules, options);
    Ok(stubs::text(plan, &survey(units, options)?))
}

/// All that is not modelled.
fn survey(units: &[clang::Unit], options: &Options) -> Result<Vec<Missing>, Error> {
    let mut modules = Vec::with_capacity(units.len());
    for unit in units {
        modules.push((unit.file.clone(), read(unit, options)?));
    }
    let purpose = lower::Purpose::Survey;
    Ok(lower::lower(modules, options, purpose)?.missing)
}

/// From the modules of the units to a program.
fn link(
    units: &[clang::Unit],
    modules: Vec<(String, llvm::Module)>,
    options: &Options,
    mut warnings: Vec<String>,
    mut times: Times,
) -> Result<Loaded, Error> {
    let start = Instant::now();
    let made = lower::lower(modules, options, lower::Purpose::Check)?;
    let lower::Made { program, warnings: more, missing, uncalled } = made;
    warnings.extend(more);
    times.lower = start.elapsed();

    // clang's output is consistent; hand-written LLVM may not be, and must not confuse the engines.
    let foreign = units.iter().any(|u| !u.from_clang);
    if foreign || cfg!(debug_assertions) {
        raddle_ir::validate::validate(&program).map_err(|message| Error::Inconsistent {
            file: units.iter().map(|u| u.file.as_str()).collect::<Vec<_>>().join(", "),
            message,
        })?;
    }
    let llvm = if options.keep_llvm {
        units.iter().map(|u| (u.file.clone(), u.text.clone())).collect()
    } else {
        Vec::new()
    };
    Ok(Loaded { program, llvm, warnings, missing, stubbed: Vec::new(), uncalled, times })
}

/// Where functions have no body, looks whether `inline` is the reason.
fn find_inline_bodies(
    plan: &clang::Plan<'_>,
    units: &mut [clang::Unit],
    modules: &mut [(String, llvm::Module)],
    options: &Options,
) {
    for i in 0..modules.len() {
        let missing = lower::missing_functions(&modules[i].1, modules);
        if missing == 0 {
            continue;
        }
        let Some(unit) = plan.again_with_other_inline(i) else { continue };
        let Ok(module) = read(&unit, options) else { continue };
        if lower::missing_functions(&module, modules) < missing {
            modules[i].1 = module;
            units[i] = unit;
        }
    }
}

/// Parses one file and checks that it is for the machine we model.
fn read(unit: &clang::Unit, options: &Options) -> Result<llvm::Module, Error> {
    let file = unit.file.clone();
    let module = llvm::parse(unit.text.as_bytes()).map_err(|e| {
        let file = file.clone();
        match e.kind {
            llvm::ErrorKind::OldIr => Error::TooOldIr { file },
            llvm::ErrorKind::TooLarge | llvm::ErrorKind::NotIr => {
                let (line, column) = (e.line as usize, e.column as usize);
                Error::Syntax { file, line, column, message: e.message }
            }
        }
    })?;
    let triple = &module.triple;
    let x86 = triple.is_empty()
        || (triple.starts_with('i') && triple.get(2..4) == Some("86"))
        || triple.starts_with("x86_64");
    let known = x86 || lower::is_arm(triple);
    if !known || module.layout.big_endian {
        return Err(Error::WrongArchitecture { file, triple: triple.clone() });
    }
    let found = module.layout.pointer_bits(0);
    if found != options.pointer_bits {
        return Err(Error::WrongWidth { file, found, wanted: options.pointer_bits });
    }
    Ok(module)
}
