//! Our own reader of LLVM IR text, from LLVM 15 (opaque pointers) to LLVM 20.
//!
//! Idea: a byte lexer and a recursive-descent parser, written by hand: no LLVM library is linked,
//!   errors are ours, and the tree holds what the lowering needs and nothing else. The debug
//!   information is kept, as traces speak C.
//! Invariants: no input makes it panic, overflow the stack, or allocate out of proportion to its
//!   size (the fuzz target in `fuzz/` looks for counterexamples).
//! Limits: it reads what clang writes for C. It is no verifier: wrong IR that reads well is
//! accepted.
//!
//! In reading order: `ast` (the tree), `types`, `layout`, `metadata`, `symbols`; `lexer`,
//! `literal`, `parser` (tools, types), `value`, `attribute`, `module`, `function`, `instruction`,
//! `call`, `debug`, `check`. `print` is for tests and fuzzing only.

pub mod ast;
pub mod layout;
pub mod metadata;
#[cfg(any(test, feature = "print"))]
pub mod print;
pub mod symbols;
pub mod types;

mod attribute;
mod call;
mod check;
mod debug;
mod function;
mod instruction;
mod lexer;
mod literal;
mod module;
mod parser;
mod value;

#[cfg(test)]
mod tests;

pub use ast::Module;

/// Why a text is not LLVM IR that we can read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    /// What the text is instead.
    pub kind: ErrorKind,
    /// What was found and what was expected.
    pub message: String,
}

/// What a text is that we cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// IR of an LLVM older than 15, with typed pointers.
    OldIr,
    /// Larger than positions can say.
    TooLarge,
    /// Something else.
    NotIr,
}

/// Reads a whole LLVM file.
pub fn parse(text: &[u8]) -> Result<Module, ParseError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ParseError {
            line: 1,
            column: 1,
            kind: ErrorKind::TooLarge,
            message: "the file is larger than 4 GiB".into(),
        });
    }
    parser::Parser::new(text).module().map_err(|failure| {
        let before = &text[..failure.position.min(text.len())];
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let column = (before.len() - start) as u32 + 1;
        ParseError { line, column, kind: failure.kind, message: failure.message }
    })
}
