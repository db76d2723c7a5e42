//! From file names to LLVM text: finds clang, runs it, reads what is LLVM already.
//!
//! Idea: clang at `-O0` with debug information does the C part once and well; its textual output is
//! stable enough to read without linking LLVM. Flags of ours come first, the user's after them,
//! so the user may choose another `-std`; the machine flag (`-m32`, `-m64`) comes last.
//! Old C (implicit declarations, `int` conversions), which clang 16 and later refuse, is let
//! through; so is what gcc's stdatomic.h accepts and clang's does not, in a second attempt.
//! Limits: C only; x86 only.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::Options;
use crate::database;
use crate::error::Error;

/// The first LLVM version with opaque pointers by default.
const OLDEST: u32 = 15;
/// The newest version looked for; later ones are found under the plain name.
const NEWEST: u32 = 40;
/// More of the compiler's output than this helps nobody.
const MOST_MESSAGES: usize = 6000;

/// Makes old C acceptable to new clang, and its output complete.
const FLAGS: &[&str] = &[
    "-O0",
    "-g",
    "-S",
    "-emit-llvm",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
    "-std=gnu17",
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-type",
    "-Wno-return-mismatch",
    "-Wno-unknown-warning-option",
    "-Wno-unused-command-line-argument",
    "-Wno-ignored-optimization-argument",
    "-fcommon",
    "-fbracket-depth=4096",
    "-fno-color-diagnostics",
    // One function is one function: no inline copies by attribute, no sanitiser from a config file.
    "-fno-sanitize=all",
];

/// What gcc's stdatomic.h accepts and clang's does not.
const LAX_ATOMICS: &str = include_str!("lax_atomics.h");

/// A file of LLVM text and where it came from.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The file the user named.
    pub file: String,
    /// LLVM text.
    pub text: String,
    /// Made by clang just now, so consistent.
    pub from_clang: bool,
}

/// A C file to compile.
#[derive(Clone)]
struct Source {
    /// Where the compiler runs.
    directory: Option<PathBuf>,
    file: PathBuf,
    flags: Vec<String>,
    /// Whether `inline` means what it meant before C99.
    old_inline: bool,
}

enum Job {
    Compile(Source),
    Text(PathBuf),
    Bitcode(PathBuf),
}

/// What is to be done for the inputs.
pub(crate) struct Plan<'o> {
    jobs: Vec<Job>,
    clang: Option<PathBuf>,
    options: &'o Options,
}

impl Plan<'_> {
    /// Decides what to do with each input, and finds the compiler if one is needed.
    pub(crate) fn new<'o>(
        inputs: &[PathBuf],
        options: &'o Options,
        warnings: &mut Vec<String>,
    ) -> Result<Plan<'o>, Error> {
        if inputs.is_empty() {
            return Err(Error::NoInput);
        }
        let mut jobs = Vec::new();
        for input in inputs {
            plan(input, &mut jobs, warnings)?;
        }
        let compiles = jobs.iter().any(|j| matches!(j, Job::Compile(_)));
        let clang = if compiles { Some(find_clang(options)?) } else { None };
        Ok(Plan { jobs, clang, options })
    }

    /// Brings all inputs into LLVM text.
    pub(crate) fn run(&self) -> Result<Vec<Unit>, Error> {
        run_all(&self.jobs, |job| run(job, self.clang.as_deref(), self.options))
    }

    /// Compiles one input again with the other meaning of `inline`: a function that is declared
    /// `inline` (in C99) or `extern inline` (in old C) need not have a body of its own.
    pub(crate) fn again_with_other_inline(&self, index: usize) -> Option<Unit> {
        match self.jobs.get(index)? {
            Job::Compile(source) => {
                let other = Source { old_inline: !source.old_inline, ..source.clone() };
                compile(self.clang.as_deref()?, &other, self.options).ok()
            }
            Job::Text(_) | Job::Bitcode(_) => None,
        }
    }
}

impl Plan<'_> {
    fn sources(&self) -> impl Iterator<Item = &Source> {
        self.jobs.iter().filter_map(|job| match job {
            Job::Compile(source) => Some(source),
            Job::Text(_) | Job::Bitcode(_) => None,
        })
    }

    /// The `#include` lines of the C files, each once.
    pub(crate) fn includes(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for source in self.sources() {
            let bytes = std::fs::read(source.path()).unwrap_or_default();
            let content = text(bytes);
            let directive = |line: &&str| {
                line.strip_prefix('#').is_some_and(|l| l.trim_start().starts_with("include"))
            };
            for line in content.lines().map(str::trim).filter(directive) {
                if !all.iter().any(|known| known == line) {
                    all.push(line.to_string());
                }
            }
        }
        all
    }

    /// The syntax trees, as JSON, of declarations whose name contains a text, from the first file that has
    /// some.
    pub(crate) fn syntax_of(&self, name: &str) -> Option<String> {
        let clang = self.clang.as_deref()?;
        self.sources().find_map(|source| {
            let mut command = Command::new(clang);
            command.args(FLAGS.iter().filter(|f| **f != "-S" && **f != "-emit-llvm"));
            command.args(&source.flags).args(&self.options.clang_args);
            command.arg(if self.options.pointer_bits == 32 { "-m32" } else { "-m64" });
            command.args(["-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang"]);
            command.arg(format!("-ast-dump-filter={name}")).arg("--").arg(&source.file);
            if let Some(directory) = &source.directory {
                command.current_dir(directory);
            }
            let output = command.stdin(Stdio::null()).output().ok()?;
            Some(text(output.stdout)).filter(|json| !json.trim().is_empty())
        })
    }

    /// The lines of a C text that do not compile among the headers of the program.
    pub(crate) fn errors_in(&self, content: &str) -> Vec<usize> {
        let Some(output) = self.with_text(&["-fsyntax-only", "-ferror-limit=0"], content) else {
            return vec![0];
        };
        let messages = String::from_utf8_lossy(&output.stderr);
        let mut lines: Vec<usize> = Vec::new();
        for message in messages.lines().filter(|m| m.contains("error") || m.contains("included")) {
            let line = message.split_once("<stdin>:").and_then(|(_, m)| m.split_once(':'));
            lines.extend(line.and_then(|(number, _)| number.parse::<usize>().ok()));
        }
        if lines.is_empty() && !output.status.success() {
            lines.push(0);
        }
        lines
    }

    /// Compiles a C text among the headers of the program.
    pub(crate) fn compile_text(&self, content: &str) -> Option<Unit> {
        let content = format!("# 1 \"stubs\"\n{content}");
        let output = self.with_text(&["-S", "-emit-llvm", "-o", "-"], &content)?;
        let file = "stubs".to_string();
        output.status.success().then(|| Unit { file, text: text(output.stdout), from_clang: true })
    }

    /// Runs clang on a text, with the flags of the first file.
    fn with_text(&self, flags: &[&str], content: &str) -> Option<std::process::Output> {
        let first = self.sources().next()?;
        let mut command = Command::new(self.clang.as_deref()?);
        command.args(FLAGS.iter().filter(|f| **f != "-S" && **f != "-emit-llvm"));
        command.args(&first.flags).args(&self.options.clang_args);
        command.arg(if self.options.pointer_bits == 32 { "-m32" } else { "-m64" });
        for source in self.sources() {
            let path = source.path();
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            command.arg("-I").arg(folder.unwrap_or(Path::new(".")));
        }
        if let Some(directory) = &first.directory {
            command.current_dir(directory);
        }
        command.args(flags).args(["-x", "c", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        // clang reads all of its input before it writes.
        child.stdin.take()?.write_all(content.as_bytes()).ok()?;
        child.wait_with_output().ok()
    }
}

impl Source {
    fn path(&self) -> PathBuf {
        self.directory.as_deref().unwrap_or(Path::new("")).join(&self.file)
    }
}

/// Decides what to do with an input file.
fn plan(input: &Path, jobs: &mut Vec<Job>, warnings: &mut Vec<String>) -> Result<(), Error> {
    let unreadable = |source| Error::Unreadable { path: input.to_path_buf(), source };
    let meta = std::fs::metadata(input).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Error::NoSuchFile(input.to_path_buf()),
        _ => unreadable(e),
    })?;
    if meta.is_dir() {
        return Err(Error::IsDirectory(input.to_path_buf()));
    }
    // Also tells a file that exists but may not be opened.
    std::fs::File::open(input).map_err(unreadable)?;
    if meta.is_file() && meta.len() == 0 {
        return Err(Error::Empty(input.to_path_buf()));
    }
    let extension = input.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "c" | "i" | "h" => {
            if is_binary(input).map_err(unreadable)? {
                return Err(Error::Binary(input.to_path_buf()));
            }
            jobs.push(Job::Compile(source(None, input.to_path_buf(), Vec::new())));
        }
        "ll" => jobs.push(Job::Text(input.to_path_buf())),
        "bc" => jobs.push(Job::Bitcode(input.to_path_buf())),
        "json" => {
            let text = std::fs::read_to_string(input).map_err(unreadable)?;
            let (commands, left_out) = database::read(input, &text)?;
            warnings.extend(left_out);
            for command in commands {
                let directory = Some(command.directory);
                jobs.push(Job::Compile(source(directory, command.file, command.flags)));
            }
        }
        _ => return Err(Error::UnknownKind(input.to_path_buf())),
    }
    Ok(())
}

/// Whether a file holds bytes that no text has: clang would quote pages of them.
fn is_binary(path: &Path) -> Result<bool, std::io::Error> {
    let mut start = Vec::new();
    std::fs::File::open(path)?.take(4096).read_to_end(&mut start)?;
    Ok(start.contains(&0))
}

/// In C99 a function that is only ever declared `inline` has no body of its own, which makes
/// programs with such functions fail to link; the old meaning gives it one. The source tells which
/// is meant.
fn source(directory: Option<PathBuf>, file: PathBuf, flags: Vec<String>) -> Source {
    let path = directory.as_deref().unwrap_or(Path::new("")).join(&file);
    let text = std::fs::read(path).unwrap_or_default();
    let has = |word: &str| memchr::memmem::find(&text, word.as_bytes()).is_some();
    let old_inline = has("inline") && !has("extern inline") && !has("extern __inline");
    Source { directory, file, flags, old_inline }
}

/// Runs all jobs, as many at a time as there are processors; the first error in order wins.
fn run_all(
    jobs: &[Job],
    run: impl Fn(&Job) -> Result<Unit, Error> + Sync,
) -> Result<Vec<Unit>, Error> {
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len());
    if workers <= 1 {
        return jobs.iter().map(run).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<Unit, Error>>>> =
        Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(i) else { break };
                    let result = run(job);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(result);
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

fn run(job: &Job, clang: Option<&Path>, options: &Options) -> Result<Unit, Error> {
    match job {
        Job::Compile(source) => {
            let clang = clang.expect("a job that compiles made us look for clang");
            compile(clang, source, options)
        }
        Job::Text(path) => {
            let bytes = std::fs::read(path)
                .map_err(|source| Error::Unreadable { path: path.clone(), source })?;
            Ok(Unit { file: path.display().to_string(), text: text(bytes), from_clang: false })
        }
        Job::Bitcode(path) => disassemble(path, options),
    }
}

/// LLVM text is ASCII (other bytes are escaped) except for names in comments.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

fn compile(clang: &Path, source: &Source, options: &Options) -> Result<Unit, Error> {
    let Source { directory, file, .. } = source;
    let shown = directory.as_ref().map_or_else(|| file.clone(), |d| d.join(file));
    let cannot_run = |source| Error::ClangNotRunnable { path: clang.to_path_buf(), source };
    let mut output = run_clang(clang, source, options, None).map_err(cannot_run)?;
    if !output.status.success() && blames_atomics(&output.stderr) {
        let again = run_clang(clang, source, options, Some(LAX_ATOMICS)).map_err(cannot_run)?;
        if again.status.success() {
            output = again;
        }
    }
    if !output.status.success() {
        let mut stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if stderr.trim().is_empty() {
            stderr = format!("it ended with {}\n", output.status);
        }
        cut(&mut stderr);
        let hint = hint(&stderr);
        return Err(Error::ClangFailed { file: shown, stderr, hint });
    }
    Ok(Unit { file: shown.display().to_string(), text: text(output.stdout), from_clang: true })
}

/// Runs clang on a file, after a header if there is one.
fn run_clang(
    clang: &Path,
    source: &Source,
    options: &Options,
    header: Option<&str>,
) -> std::io::Result<Output> {
    let Source { directory, file, flags, old_inline } = source;
    let mut command = Command::new(clang);
    command.args(FLAGS);
    if *old_inline {
        command.arg("-fgnu89-inline");
    }
    command.args(flags).args(&options.clang_args);
    command.arg(if options.pointer_bits == 32 { "-m32" } else { "-m64" });
    if header.is_some() {
        // Headers look at the macro once, and the file defines it after the first of them.
        command.args(["-D_GNU_SOURCE", "-include", "/dev/stdin"]);
    }
    if file.extension().is_some_and(|e| e.eq_ignore_ascii_case("h")) {
        command.args(["-x", "c"]);
    }
    command.args(["-o", "-", "--"]).arg(file);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let Some(header) = header else { return command.stdin(Stdio::null()).output() };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // A clang that ends before it has read the header says why.
    let _ = child.stdin.take().expect("it is piped").write_all(header.as_bytes());
    child.wait_with_output()
}

/// Whether messages are about the types that clang's stdatomic.h demands.
fn blames_atomics(messages: &[u8]) -> bool {
    let messages = String::from_utf8_lossy(messages);
    messages.contains("stdatomic.h") || messages.contains("_Atomic")
}

fn hint(stderr: &str) -> String {
    if stderr.contains("stubs-32.h") || stderr.contains("bits/libc-header-start.h") {
        "hint: the headers of the 32-bit C library are not installed (gcc-multilib or \
         libc6-dev-i386); install them or use the 64-bit data model\n"
            .into()
    } else if stderr.contains("file not found") {
        "hint: name the folder of the header with -I, or give compile_commands.json\n".into()
    } else {
        String::new()
    }
}

fn cut(message: &mut String) {
    if message.len() > MOST_MESSAGES {
        let end =
            (0..=MOST_MESSAGES).rev().find(|&i| message.is_char_boundary(i)).unwrap_or_default();
        message.truncate(end);
        message.push_str("…\n");
    }
}

/// The compiler the user named, else the newest `clang-NN` on PATH, else `clang`.
pub(crate) fn find_clang(options: &Options) -> Result<PathBuf, Error> {
    if let Some(path) = &options.clang {
        return Ok(path.clone());
    }
    newest("clang").ok_or(Error::ClangMissing)
}

fn newest(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = (OLDEST..=NEWEST).rev().map(|n| format!("{tool}-{n}")).chain([tool.to_string()]);
    for name in names {
        if let Some(hit) = folders.iter().map(|f| f.join(&name)).find(|p| p.is_file()) {
            return Some(hit);
        }
    }
    None
}

/// Bitcode to text: by llvm-dis, else by clang, which can read its own bitcode.
fn disassemble(path: &Path, options: &Options) -> Result<Unit, Error> {
    let fail = |message: String| Error::Bitcode { path: path.to_path_buf(), message };
    let mut attempts: Vec<(PathBuf, Vec<OsString>)> = Vec::new();
    if let Some(tool) = newest("llvm-dis") {
        attempts.push((tool, vec!["-o".into(), "-".into(), "--".into(), path.into()]));
    }
    if let Ok(clang) = find_clang(options) {
        let flags = ["-x", "ir", "-S", "-emit-llvm", "-O0", "-w", "-o", "-", "--"];
        let mut all: Vec<OsString> = flags.iter().map(OsString::from).collect();
        all.push(path.into());
        attempts.push((clang, all));
    }
    let mut message = "neither llvm-dis nor clang was found".to_string();
    for (tool, arguments) in attempts {
        match Command::new(&tool).args(arguments).stdin(std::process::Stdio::null()).output() {
            Ok(output) if output.status.success() && !output.stdout.is_empty() => {
                return Ok(Unit {
                    file: path.display().to_string(),
                    text: text(output.stdout),
                    from_clang: false,
                });
            }
            Ok(output) => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                message = stderr.lines().next().unwrap_or("no output").to_string();
            }
            Err(e) => message = e.to_string(),
        }
    }
    Err(fail(message))
}
