//! Our own reader of LLVM IR text.

pub mod ast;
pub mod layout;
pub mod metadata;
pub mod symbols;
pub mod types;

pub use ast::Module;

/// Why a text is not LLVM IR that we can read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
}

/// Reads a whole LLVM file.
pub fn parse(_text: &[u8]) -> Result<Module, ParseError> {
    Err(ParseError { line: 1, column: 1, message: "the reader is not complete".into() })
}
