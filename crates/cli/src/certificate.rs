//! Certificate files: an invariant together with what is needed to build the program again.
//!
//! Text, one thing in a line; lines that begin with `#` are for readers. First what the file is, then
//! `file` and `argument` lines, which are those of `raddle check`, then the invariant
//! ([`raddle_engines::circuit::certificate`]).

use std::path::Path;

use anyhow::{Context, bail};
use raddle_engines::circuit::certificate::Certificate;
use raddle_ir::PropertySet;

use crate::args::InputArgs;
use crate::trace;

/// The first line.
const TITLE: &str = "raddle certificate 1";

const EXPLANATION: &str = "\
# This is true of every state that the program reaches: it is true at first, every step keeps it, and
# it excludes all violations of the properties below. `raddle certify` checks that, with code that did
# not find it. Besides, a thread stands at one place at most.
#   never A & !B   no state has A and has not B
#   always A       every state has A (bits 3-5: of each of these bits)
#   where X = A    what A is in the program (functions, blocks, instructions and registers by number)
";

/// What a file says.
#[derive(Clone, Debug)]
pub struct File {
    /// The files of the program.
    pub files: Vec<String>,
    /// The options for `raddle check` that matter for building it.
    pub arguments: Vec<String>,
    /// The invariant.
    pub certificate: Certificate,
}

/// Writes a certificate of a program.
pub fn write(
    path: &Path,
    certificate: &Certificate,
    input: &InputArgs,
    checked: PropertySet,
) -> anyhow::Result<()> {
    let mut text = format!("{TITLE}\n{EXPLANATION}");
    for file in &input.files {
        text += &format!("file {}\n", escaped(&file.display().to_string()));
    }
    for argument in trace::arguments(input, checked) {
        text += &format!("argument {}\n", escaped(&argument));
    }
    text += &certificate.to_string();
    std::fs::write(path, text)
        .with_context(|| format!("cannot write the certificate to {}", path.display()))
}

/// Reads a certificate.
pub fn read(path: &Path) -> anyhow::Result<File> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&String::from_utf8_lossy(&bytes))
        .with_context(|| format!("{}: not a certificate of raddle", path.display()))
}

fn parse(text: &str) -> anyhow::Result<File> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|l| l.1) != Some(TITLE) {
        bail!("line 1: `{TITLE}` expected");
    }
    let (mut files, mut arguments, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (number, line) in lines {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        match line.split_once(' ') {
            Some(("file", name)) => files.push(unescaped(name)),
            Some(("argument", text)) => arguments.push(unescaped(text)),
            Some(_) | None => rest.push((number, line)),
        }
    }
    Ok(File { files, arguments, certificate: Certificate::parse(rest.into_iter())? })
}

/// A text in one line.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next().map(|c| if c == 'n' { '\n' } else { c })),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_argument_is_one_line() {
        for text in ["", "a b", "a\nb", "\\n", "a\\\nb\\"] {
            assert!(!escaped(text).contains('\n'));
            assert_eq!(unescaped(&escaped(text)), text);
        }
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["", "raddle certificate 2\nbounds 4 2 64 0\n", "raddle certificate 1\nx\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
