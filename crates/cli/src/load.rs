//! From arguments to a program that is ready for an engine.

use std::path::Path;

use anyhow::Context;
use raddle_frontend::{Loaded, Options};
use raddle_ir::PropertySet;

use crate::args::InputArgs;

/// What `--property` asks for: names, or the file that holds them.
pub fn properties(text: Option<&str>) -> anyhow::Result<PropertySet> {
    let Some(text) = text else {
        return Ok(raddle_properties::default_set());
    };
    let is_file = text.ends_with(".prp") || Path::new(text).is_file();
    let spec = if is_file {
        std::fs::read_to_string(text).with_context(|| format!("property file {text}"))?
    } else {
        text.to_string()
    };
    Ok(raddle_properties::parse(&spec)?)
}

/// Reads the files and inserts the checks.
pub fn program(input: &InputArgs, checked: PropertySet) -> anyhow::Result<Loaded> {
    let options = Options {
        pointer_bits: input.pointer_bits(),
        clang: input.clang.clone(),
        clang_args: input.all_clang_args(),
        checked,
        keep_llvm: false,
    };
    with_options(input, &options)
}

/// The same with options of the caller's choice.
pub fn with_options(input: &InputArgs, options: &Options) -> anyhow::Result<Loaded> {
    let mut loaded = raddle_frontend::load(&input.files, options)?;
    raddle_properties::instrument(&mut loaded.program, options.checked);
    Ok(loaded)
}
