//! From LLVM modules to a program.
//!
//! Reading order: [`context`] (what is in the program, made on demand), [`link`] (what names mean),
//! [`unit`] (types as scalars), [`body`] (blocks), [`instructions`], [`memory`], [`apart`], [`calls`],
//! [`primitives`], [`hooks`], [`intrinsics`], [`assembly`], [`output`], [`cleanup`],
//! [`compute`] and [`fold`] (values), [`initialiser`] (globals),
//! [`debug`] and [`heap_names`] (C names and types), [`facts`] (promotion of variables to registers), [`tidy`],
//! [`entry`], [`arguments`], [`survey`] (all that is not modelled).
//!
//! **Invariant:** nothing is dropped silently. What cannot be expressed is an `Unsupported`
//! instruction at its place.

mod apart;
mod arguments;
mod assembly;
mod assembly_arm;
mod body;
mod calls;
mod cleanup;
mod compute;
mod context;
mod debug;
mod entry;
mod facts;
mod fold;
mod formats;
mod heap_names;
mod hooks;
mod initialiser;
mod instructions;
mod intrinsics;
mod link;
mod memory;
mod output;
mod primitives;
mod refusal;
mod survey;
mod tidy;
mod unit;

use raddle_ir::{Place, Program};

use crate::Options;
use crate::error::Error;
use crate::llvm::Module;
use context::{Context, Work};
pub use survey::Missing;
pub(crate) use unit::is_arm;
use unit::{Origin, Unit};

/// A program that was made of modules.
pub(crate) struct Made {
    pub program: Program,
    /// For the user.
    pub warnings: Vec<String>,
    /// What was refused; all of it after a survey.
    pub missing: Vec<Missing>,
    /// The user's functions that nothing in the program calls, by name.
    pub uncalled: Vec<String>,
}

/// What lowering is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A program to be checked.
    Check,
    /// A list of all that is not modelled.
    Survey,
}

/// Makes a program of modules (each with the name of its file).
pub(crate) fn lower(
    modules: Vec<(String, Module)>,
    options: &Options,
    purpose: Purpose,
) -> Result<Made, Error> {
    let mut cx = Context::new(options, purpose);
    for (file, module) in modules {
        if !module.assembly.is_empty() {
            cx.refused_globals.push(format!("assembly outside of functions in {file}"));
        }
        cx.add_user_unit(Unit::new(file, module, Origin::User))?;
    }
    entry::make(&mut cx)?;
    while let Some(work) = cx.work.pop() {
        match work {
            Work::Body(id, unit, index) => body::lower(&mut cx, id, unit, index),
            Work::Stub(id, unit, index) => calls::lower_stub(&mut cx, id, unit, index),
            Work::Initialiser(id, unit, index) => initialiser::lower(&mut cx, id, unit, index),
        }
    }
    for what in &cx.refused_globals {
        cx.refused.note(what, None, Place::UNKNOWN);
    }
    entry::refuse_at_start(&mut cx);
    cx.complete_types();
    cx.program.first_free_address = cx.first_free_address();
    let uncalled = cx.uncalled();
    let missing = cx.refused.into_list(&cx.program);
    Ok(Made { program: cx.program, warnings: cx.warnings, missing, uncalled })
}

/// How many functions a module refers to that no module defines and that have no meaning of their
/// own.
pub(crate) fn missing_functions(module: &Module, modules: &[(String, Module)]) -> usize {
    let defined = |name: &str| {
        let here = module.function(name).is_some_and(|f| f.is_definition());
        here || modules.iter().any(|(_, m)| {
            m.function(name).is_some_and(|f| f.is_definition() && !f.linkage.is_local())
        })
    };
    let declared = module.functions.iter().filter(|f| !f.is_definition());
    declared
        .map(|f| module.name(f.name))
        .filter(|name| {
            !name.starts_with("llvm.")
                && primitives::find(name, false).is_none()
                && raddle_models::find(name).is_none()
                && !defined(name)
        })
        .count()
}
