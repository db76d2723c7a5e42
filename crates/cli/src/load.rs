//! From arguments to a program that is ready for an engine.

use std::path::Path;

use anyhow::Context;
use raddle_frontend::{Loaded, Options};
use raddle_ir::linear::{Fairness, Linear};
use raddle_ir::{Program, Property, PropertySet};

use crate::args::{InputArgs, Undefined};

/// What `--property` asks for: names, or the file that holds them.
pub fn properties(specs: &[String]) -> anyhow::Result<PropertySet> {
    if specs.is_empty() {
        return Ok(raddle_properties::default_set());
    }
    let mut checked = PropertySet::EMPTY;
    for spec in specs {
        let is_file = spec.ends_with(".prp") || Path::new(spec).is_file();
        let text = if is_file {
            std::fs::read_to_string(spec).with_context(|| format!("property file {spec}"))?
        } else {
            spec.clone()
        };
        checked = raddle_properties::parse(&text)?.iter().fold(checked, PropertySet::with);
    }
    Ok(checked)
}

/// All that is asked: by names, and by formulas.
pub fn asked(input: &InputArgs) -> anyhow::Result<PropertySet> {
    let formulas = !input.ltl.is_empty() || !input.ltl_file.is_empty();
    let mut checked = match formulas && input.property.is_empty() {
        true => PropertySet::EMPTY,
        false => properties(&input.property)?,
    };
    if formulas {
        checked = checked.with(Property::Linear);
    }
    let text = "the property ltl needs a formula: --ltl or --ltl-file";
    anyhow::ensure!(formulas || !checked.contains(Property::Linear), text);
    let finite: PropertySet = checked.iter().filter(|p| Property::SAFETY.contains(p)).collect();
    if checked.is_linear() {
        let names = crate::check::names(finite);
        anyhow::ensure!(
            finite == PropertySet::EMPTY,
            "ltl and starvation speak of infinite executions; check {names} apart from them"
        );
    } else {
        let text = "--fairness is for --ltl, --ltl-file and --property starvation";
        anyhow::ensure!(input.fairness.is_none(), text);
    }
    Ok(checked)
}

/// What is asked about infinite executions of a program.
fn linear(input: &InputArgs, program: &Program) -> anyhow::Result<Linear> {
    let mut formulas = Vec::new();
    for (number, text) in (1..).zip(&input.ltl) {
        let line = if input.ltl.len() > 1 { number } else { 0 };
        formulas.push(raddle_properties::linear::sentence(program, text, "--ltl", line)?);
    }
    for path in &input.ltl_file {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("file of formulas {name}"))?;
        let read = raddle_properties::linear::file(program, &text, &name)?;
        anyhow::ensure!(!read.is_empty(), "{name}: there is no formula in the file");
        formulas.extend(read);
    }
    let fairness = input.fairness.map_or(Fairness::default(), Fairness::from);
    Ok(Linear { formulas, fairness })
}

/// Inserts the checks and reads the formulas.
fn prepare(input: &InputArgs, program: &mut Program, checked: PropertySet) -> anyhow::Result<()> {
    raddle_properties::instrument(program, checked);
    if checked.is_linear() {
        program.linear = linear(input, program)?;
    }
    Ok(())
}

/// What functions without a body do.
fn undefined(input: &InputArgs) -> raddle_frontend::Undefined {
    match input.undefined {
        Undefined::Refuse => raddle_frontend::Undefined::Refuse,
        Undefined::Any => raddle_frontend::Undefined::Any,
    }
}

/// The stubs of functions without a body, as C.
pub fn stubs(input: &InputArgs) -> anyhow::Result<String> {
    Ok(raddle_frontend::stubs(&input.files, &options(input, PropertySet::EMPTY))?)
}

/// How the files are read.
pub fn options(input: &InputArgs, checked: PropertySet) -> Options {
    Options {
        pointer_bits: input.pointer_bits(),
        clang: input.clang.clone(),
        clang_args: input.all_clang_args(),
        checked,
        arguments: input.arguments(),
        may_fail: input.may_fail.iter().cloned().collect(),
        volatile_is_atomic: input.volatile_is_atomic,
        error_labels: input.error_label.clone(),
        undefined: undefined(input),
        keep_llvm: false,
    }
}

/// Reads the files and inserts the checks.
pub fn program(input: &InputArgs, checked: PropertySet) -> anyhow::Result<Loaded> {
    with_options(input, &options(input, checked))
}

/// The same for several sets of properties.
pub fn programs(input: &InputArgs, sets: &[PropertySet]) -> anyhow::Result<Vec<Loaded>> {
    let options = options(input, PropertySet::EMPTY);
    let mut all = raddle_frontend::load_for(&input.files, &options, sets)?;
    for (loaded, &checked) in all.iter_mut().zip(sets) {
        prepare(input, &mut loaded.program, checked)?;
    }
    Ok(all)
}

/// The same with options of the caller's choice.
pub fn with_options(input: &InputArgs, options: &Options) -> anyhow::Result<Loaded> {
    let mut loaded = raddle_frontend::load(&input.files, options)?;
    prepare(input, &mut loaded.program, options.checked)?;
    Ok(loaded)
}
