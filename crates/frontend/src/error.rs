//! What can be wrong with the input, in words that say what to do about it.

use std::path::PathBuf;

/// Why no program could be made from the input.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing to read.
    #[error("no input file given")]
    NoInput,
    /// The file is not there.
    #[error("{}: no such file; check the name and the current directory", .0.display())]
    NoSuchFile(PathBuf),
    /// A directory instead of a file.
    #[error(
        "{}: this is a directory; name its C files, or its compile_commands.json", .0.display()
    )]
    IsDirectory(PathBuf),
    /// A file without contents.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// A C file that is none.
    #[error("{}: this is no text; give the C file that it was made from", .0.display())]
    Binary(PathBuf),
    /// The operating system refuses.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The ending is none that we know.
    #[error(
        "{}: not a kind of file raddle reads; give C (.c, .i, .h), LLVM (.ll, .bc) or a \
         compile_commands.json", .0.display()
    )]
    UnknownKind(PathBuf),
    /// No usable compiler.
    #[error(
        "clang was not found (wanted: clang-15 or later, or `clang`, on PATH); install it or name \
         it with --clang"
    )]
    ClangMissing,
    /// The compiler that was named cannot be run.
    #[error("{}: cannot be run as clang: {source}", path.display())]
    ClangNotRunnable {
        /// The compiler.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The compiler says no.
    #[error("{}: clang rejects this file:\n{stderr}{hint}", file.display())]
    ClangFailed {
        /// The file.
        file: PathBuf,
        /// The compiler's own words.
        stderr: String,
        /// What else to try, or nothing.
        hint: String,
    },
    /// The bitcode cannot be disassembled.
    #[error(
        "{}: cannot be read as LLVM bitcode ({message}); give the .ll text made by `llvm-dis`",
        path.display()
    )]
    Bitcode {
        /// The file.
        path: PathBuf,
        /// The tool's own words.
        message: String,
    },
    /// A compile_commands.json that is not one.
    #[error("{}: not a valid compilation database: {message}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// LLVM text with typed pointers.
    #[error(
        "{file}: this LLVM IR has typed pointers and is too old; make it again with clang 15 or \
         later, or give the C file"
    )]
    TooOldIr {
        /// The file.
        file: String,
    },
    /// LLVM text for another machine.
    #[error(
        "{file}: made for `{triple}`; raddle reads code for x86 (compile with -m32 or -m64 on x86) and for \
         AArch64 with Linux"
    )]
    WrongArchitecture {
        /// The file.
        file: String,
        /// Its target.
        triple: String,
    },
    /// Files for 32 and for 64 bits together.
    #[error(
        "{file}: has {found}-bit addresses but {wanted} bits were asked for; choose the other data \
         model or compile the file again"
    )]
    WrongWidth {
        /// The file.
        file: String,
        /// Its address width.
        found: u32,
        /// The address width of the analysis.
        wanted: u32,
    },
    /// LLVM text that cannot be parsed.
    #[error("{file}:{line}:{column}: not valid LLVM IR: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was expected.
        message: String,
    },
    /// Nothing to run.
    #[error("the program has no function `main`; add the file that defines it")]
    NoMain,
    /// Two files do not fit together.
    #[error("linking fails: {0}")]
    Link(String),
    /// LLVM text that parses but makes no sense.
    #[error("{file}: inconsistent LLVM IR: {message}")]
    Inconsistent {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
}
