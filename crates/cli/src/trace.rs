//! Trace files: the choices of a run together with what is needed to build the program again.
//!
//! The file is the JSON of [`raddle_interp::Choices`]; `files` and `arguments` are those of
//! `raddle check`, so that replaying is: read the same program, run the same choices.

use std::path::{Path, PathBuf};

use anyhow::Context;
use raddle_interp::Choices;
use raddle_ir::PropertySet;
use raddle_ir::linear::Fairness;

use crate::args::{InputArgs, Undefined};
use crate::check::names;

/// The file of the finding at an index: `bug.trace`, `bug.2.trace`, …
pub fn numbered(path: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return path.to_path_buf();
    }
    let number = (index + 1).to_string();
    match path.extension() {
        Some(extension) => path.with_extension(format!("{number}.{}", extension.to_string_lossy())),
        None => path.with_extension(number),
    }
}

/// Writes a trace file.
pub fn write(
    path: &Path,
    choices: &Choices,
    input: &InputArgs,
    checked: PropertySet,
) -> anyhow::Result<()> {
    let mut choices = choices.clone();
    choices.files = input.files.iter().map(|f| f.display().to_string()).collect();
    choices.arguments = arguments(input, checked);
    std::fs::write(path, choices.to_json() + "\n")
        .with_context(|| format!("cannot write the trace to {}", path.display()))
}

/// The options that matter for building the program, as `raddle check` takes them.
pub fn arguments(input: &InputArgs, checked: PropertySet) -> Vec<String> {
    let mut arguments = vec![format!("--{}", input.pointer_bits())];
    arguments.push(format!("--property={}", names(checked)));
    arguments.extend(input.ltl.iter().map(|formula| format!("--ltl={formula}")));
    arguments.extend(input.ltl_file.iter().map(|file| format!("--ltl-file={}", file.display())));
    if let Some(fairness) = input.fairness {
        arguments.push(format!("--fairness={}", Fairness::from(fairness).name()));
    }
    arguments.extend(input.error_label.iter().map(|label| format!("--error-label={label}")));
    if input.undefined == Undefined::Any {
        arguments.push("--undefined=any".into());
    }
    if let Some(clang) = &input.clang {
        arguments.push(format!("--clang={}", clang.display()));
    }
    arguments.extend(input.include.iter().map(|dir| format!("-I{dir}")));
    arguments.extend(input.define.iter().map(|name| format!("-D{name}")));
    arguments.extend(input.standard.iter().map(|name| format!("--std={name}")));
    arguments.extend(input.volatile_is_atomic.then(|| "--volatile-is-atomic".to_string()));
    arguments.extend(input.may_fail.iter().map(|name| format!("--may-fail={name}")));
    arguments.push(format!("--max-args={}", input.max_args));
    arguments.push(format!("--max-arg-length={}", input.max_arg_length));
    if let Some(given) = &input.args {
        arguments.push("--args".into());
        arguments.extend(given.iter().cloned());
    }
    if !input.clang_args.is_empty() {
        arguments.push("--".into());
        arguments.extend(input.clang_args.iter().cloned());
    }
    arguments
}

/// Reads a trace file.
pub fn read(path: &Path) -> anyhow::Result<Choices> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    Choices::from_json(&text)
        .map_err(|message| anyhow::anyhow!("{}: not a trace of raddle: {message}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let cases = [("b.trace", 0, "b.trace"), ("b.trace", 1, "b.2.trace"), ("d/b", 2, "d/b.3")];
        for (path, index, expected) in cases {
            assert_eq!(numbered(Path::new(path), index), Path::new(expected));
        }
    }
}
