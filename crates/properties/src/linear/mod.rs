//! Formulas of linear-time temporal logic, as users write them, over a program.
//!
//! Reading order: `words.rs` (words with their columns), `syntax.rs` (a tree of operators; C and
//! temporal ones in one grammar), `meaning.rs` (the tree as a formula over atoms), `values.rs` (C
//! expressions over globals, with C's types). A mistake is told with its column and what is known.
//! This file is the manual page, and reads files of formulas.

mod meaning;
mod syntax;
mod values;
mod words;

use raddle_ir::Program;
use raddle_ir::linear::Sentence;
use thiserror::Error;

/// The manual page.
pub const PAGE: &str = "\
# ltl

## What
Every infinite execution satisfies the formulas of `--ltl` and `--ltl-file`. Operators: `G p` (always p), `F p` (p at some time), `X p` (p
after the next change), `p U q` (p until q, and q comes), `p W q` (the same, but q need not come), `p R q` (q up to and including the first p),
`!`, `&&`, `||`, `->`, `<->`. Atoms: C expressions over global variables, `at(label)`, `at(function)` (some thread is there), `terminated(function)` (all
threads that were started in it have ended, and there was one). Which executions count is said by `--fairness`.

## Why
Assertions say that nothing bad happens. That something good happens at last cannot be said by an assertion.

## Example
    raddle check --ltl 'G (request == 1 -> F (grant == 1))' server.c

## Standard
C17 7.17.5 and 5.1.2.4 promise no fairness of scheduling; `--fairness weak` assumes that of every reasonable scheduler.
";

/// A formula that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{source_name}, column {column}: {message}\n  {text}\n  {:>width$}", "^", width = *column)]
pub struct FormulaError {
    /// The file and line, or the option.
    pub source_name: String,
    /// The formula.
    pub text: String,
    /// Where the mistake is, from 1.
    pub column: usize,
    /// What is wrong, and what is known.
    pub message: String,
}

/// A mistake at a column, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wrong {
    column: usize,
    message: String,
}

impl Wrong {
    fn new(column: usize, message: impl Into<String>) -> Wrong {
        Wrong { column, message: message.into() }
    }
}

/// Reads one formula.
pub fn sentence(
    program: &Program,
    text: &str,
    source: &str,
    line: u32,
) -> Result<Sentence, FormulaError> {
    let read = || {
        let tree = syntax::parse(text)?;
        meaning::sentence(program, &tree)
    };
    let (formula, atoms) = read().map_err(|wrong: Wrong| FormulaError {
        source_name: if line == 0 { source.into() } else { format!("{source}:{line}") },
        text: text.to_string(),
        column: wrong.column + 1,
        message: wrong.message,
    })?;
    Ok(Sentence { text: text.to_string(), source: source.to_string(), line, formula, atoms })
}

/// Reads a file of formulas: one on each line, empty lines and comments (`#` or `//`) apart.
pub fn file(program: &Program, text: &str, name: &str) -> Result<Vec<Sentence>, FormulaError> {
    let mut all = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        let content = content.split("//").next().unwrap_or_default().trim_end();
        if !content.trim().is_empty() {
            all.push(sentence(program, content, name, line)?);
        }
    }
    Ok(all)
}
