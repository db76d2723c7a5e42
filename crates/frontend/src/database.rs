//! Compilation databases (`compile_commands.json`): which files to compile, where, with which
//! flags.
//!
//! Format: <https://clang.llvm.org/docs/JSONCompilationDatabase.html>. Of each command we keep
//! what changes the meaning of the source (`-I`, `-D`, `-std`, …) and drop what concerns
//! the kind of output, its name, dependency files, optimisation and warnings.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// One C file of a project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Command {
    /// The directory the compiler runs in.
    pub directory: PathBuf,
    /// The file, absolute or relative to `directory`.
    pub file: PathBuf,
    /// The flags to keep.
    pub flags: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Entry {
    directory: Option<String>,
    file: String,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads a database; entries that are not C are left out and named in the second result.
pub(crate) fn read(path: &Path, text: &str) -> Result<(Vec<Command>, Vec<String>), Error> {
    let fail = |message: String| Error::Database { path: path.to_path_buf(), message };
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|e| fail(e.to_string()))?;
    let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut commands: Vec<Command> = Vec::new();
    let mut left_out = Vec::new();
    for entry in entries {
        let arguments = match (entry.arguments, entry.command) {
            (Some(list), _) => list,
            (None, Some(line)) => shlex::split(&line).ok_or_else(|| {
                fail(format!("`{}`: unbalanced quotes in the command", entry.file))
            })?,
            (None, None) => {
                return Err(fail(format!("`{}`: neither arguments nor command", entry.file)));
            }
        };
        let file = PathBuf::from(&entry.file);
        if !matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
            left_out.push(format!("{} is not C and was left out", entry.file));
            continue;
        }
        let directory = base.join(entry.directory.unwrap_or_default());
        // A file compiled twice (for two targets) is taken once: its symbols would clash.
        if commands.iter().any(|c| c.directory.join(&c.file) == directory.join(&file)) {
            left_out.push(format!("{}: only its first command is used", entry.file));
            continue;
        }
        let flags = keep(&arguments, &entry.file);
        commands.push(Command { directory, file, flags });
    }
    if commands.is_empty() {
        return Err(fail("it names no C file".into()));
    }
    Ok((commands, left_out))
}

/// The flags that matter for the meaning of the source.
fn keep(arguments: &[String], file: &str) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = arguments.iter().skip(1);
    while let Some(flag) = rest.next() {
        match flag.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" | "-x" | "--serialize-diagnostics" => {
                rest.next();
            }
            "-c" | "-S" | "-E" | "--" | "-save-temps" | "-pipe" | "-static" | "-shared" => {}
            "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote" | "-idirafter"
            | "-imacros" | "-isysroot" | "-Xclang" => {
                flags.push(flag.clone());
                flags.extend(rest.next().cloned());
            }
            f if f == file || f.ends_with(".o") => {}
            f if [
                "-M",
                "-O",
                "-g",
                "-W",
                "-m32",
                "-m64",
                "-flto",
                "-fsanitize",
                "-o",
                "-fprofile",
            ]
            .iter()
            .any(|p| f.starts_with(p)) => {}
            // The source file may be written differently from `file`.
            f if !f.starts_with('-') && same_name(f, file) => {}
            f => flags.push(f.to_string()),
        }
    }
    flags
}

fn same_name(a: &str, b: &str) -> bool {
    Path::new(a).file_name() == Path::new(b).file_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(json: &str) -> Vec<String> {
        let (commands, _) = read(Path::new("/p/compile_commands.json"), json).expect("valid");
        commands.into_iter().flat_map(|c| c.flags).collect()
    }

    #[test]
    fn flags_are_kept_or_dropped() {
        let cases = [
            (
                r#"[{"directory":"/p","file":"a.c","command":"cc -c -O2 -DX='a b' a.c -o a.o"}]"#,
                "-DX=a b",
            ),
            (
                r#"[{"directory":"/p","file":"/p/a.c","arguments":["cc","-I","inc","-MMD","-MF","d","/p/a.c"]}]"#,
                "-I inc",
            ),
            (
                r#"[{"directory":"/p","file":"a.c","command":"gcc -Wall -Werror -std=c99 ./a.c"}]"#,
                "-std=c99",
            ),
        ];
        for (json, expected) in cases {
            assert_eq!(flags(json).join(" "), expected, "{json}");
        }
    }

    #[test]
    fn bad_databases_are_errors() {
        for json in [
            "",
            "{}",
            "[]",
            r#"[{"file":"a.c"}]"#,
            r#"[{"file":"a.c","command":"cc 'a.c"}]"#,
            r#"[{"file":"a.cpp","command":"c++ a.cpp"}]"#,
        ] {
            let result = read(Path::new("compile_commands.json"), json);
            assert!(matches!(result, Err(Error::Database { .. })), "{json}");
        }
    }
}
