//! `raddle sequentialize`: the sequential program fails iff the concurrent one does.
//!
//! Programs of `tests/programs` are translated, and the result is (1) compiled by gcc and clang,
//! where warnings count, (2) checked by raddle, which must find an assertion that the program's
//! comments mark, or none, (3) where it fails, compiled with a driver that makes the choices of
//! the finding, and run: the same line must fail, (4) checked by CBMC if there is one on PATH.
//!
//! By default a selection runs; `RADDLE_SEQUENTIALIZE=all` runs every program that checks
//! assertions under every scheme (about an hour), `RADDLE_SEQUENTIALIZE=text` those of the
//! selection whose path contains the text.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use raddle_cli::args::{Cli, Command, normalise};
use raddle_cli::load;
use raddle_cli::sequentialize::{self, SequentializeArgs};
use raddle_engines::{Budget, ENGINES, Outcome, Settings, Task, Verdict};
use raddle_interp::Choices;
use raddle_ir::{Property, PropertySet};

/// Stack of the threads that run engines, as in the tool itself.
const STACK: usize = 1 << 29;

/// Makes the choices of a finding, natively.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long long inputs[] = { INPUTS 0 };
static unsigned long next;
unsigned long long __VERIFIER_nondet_ulonglong(void) {
    if (next >= sizeof inputs / sizeof *inputs - 1) exit(8);
    return inputs[next++];
}
void __VERIFIER_assume(int condition) {
    if (!condition) exit(9);
}
"#;

/// What a program's comments say about assertions.
struct Expectation {
    /// Lines where assertions fail; empty if none does.
    lines: BTreeSet<u32>,
    fails: bool,
    /// Options for clang and the machine.
    options: Vec<String>,
}

/// `None` if the program is not about assertions.
fn expectation(path: &Path) -> Option<Expectation> {
    let text =
        String::from_utf8_lossy(&std::fs::read(path).expect("a readable program")).into_owned();
    let is_assertion = |word: &str| ["assertions", "reach-error", "unreach-call"].contains(&word);
    let mut words = Vec::new();
    let mut expected = String::new();
    let mut lines = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(args) = line.strip_prefix("// args:") {
            words.extend(args.split_whitespace().map(String::from));
        } else if let Some(rest) = line.strip_prefix("// expect:") {
            expected = rest.to_string();
        }
        if let Some((_, marks)) = line.split_once("//~")
            && marks.split_whitespace().any(is_assertion)
        {
            lines.insert(number);
        }
    }
    let (mut properties, mut options) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--property" | "-p" => properties.extend(words.next()),
            "--unwind" | "--contexts" | "--engine" | "--time" | "--inputs" | "--steps" => {
                words.next();
            }
            _ => options.push(word),
        }
    }
    let asked = |p: &String| p.split(',').any(is_assertion);
    if !properties.is_empty() && !properties.iter().any(asked) {
        return None;
    }
    let fails = expected.split([' ', ',']).any(is_assertion);
    Some(Expectation { lines, fails, options })
}

/// One translation of a program.
struct Case {
    path: PathBuf,
    scheme: &'static str,
    bound: u32,
}

/// Translates a program; gives the path of the result.
fn translate(
    case: &Case,
    expected: &Expectation,
    folder: &Path,
    style: &str,
) -> Result<PathBuf, String> {
    let seq = folder.join(format!("{style}.c"));
    let kind = if case.scheme == "context" { "--contexts" } else { "--writes" };
    let mut words: Vec<String> = ["raddle", "sequentialize", "--scheme", case.scheme, kind]
        .iter()
        .map(|w| w.to_string())
        .collect();
    words.extend([case.bound.to_string(), "--style".into(), style.into(), "-o".into()]);
    words.extend([seq.display().to_string(), case.path.display().to_string()]);
    words.extend(expected.options.iter().cloned());
    let words = normalise(words.into_iter().map(OsString::from));
    let args: SequentializeArgs =
        match Cli::try_parse_from(words).map_err(|e| e.to_string())?.command {
            Command::Sequentialize(args) => args,
            other => return Err(format!("not a translation: {other:?}")),
        };
    let settings = sequentialize::settings(&args).map_err(|e| format!("{e:#}"))?;
    let text = sequentialize::text(&args, &settings).map_err(|e| format!("{e:#}"))?;
    std::fs::write(&seq, text).map_err(|e| e.to_string())?;
    Ok(seq)
}

fn clang() -> &'static str {
    let found = |name: &&&str| Process::new(name).arg("--version").output().is_ok();
    ["clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15"]
        .iter()
        .find(found)
        .expect("a clang")
}

/// What compilers have to say.
fn warnings(seq: &Path, wide: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    for compiler in ["gcc", clang()] {
        let mut process = Process::new(compiler);
        process.args(["-Wall", "-c", "-o", "/dev/null"]).arg(seq);
        if !wide {
            process.arg("-m32");
        }
        match process.output() {
            Ok(output) if output.status.success() && output.stderr.is_empty() => {}
            // No 32-bit headers here.
            Ok(output)
                if String::from_utf8_lossy(&output.stderr).contains("bits/libc-header-start.h") => {
            }
            Ok(output) => {
                complaints.push(format!("{compiler}: {}", String::from_utf8_lossy(&output.stderr)));
            }
            Err(error) if compiler == "gcc" => eprintln!("gcc is not tried: {error}"),
            Err(error) => complaints.push(format!("{compiler}: {error}")),
        }
    }
    complaints
}

/// Checks the sequential program with raddle.
fn check(seq: &Path, expected: &Expectation, seconds: f64) -> Result<Outcome, String> {
    let mut words = vec!["raddle".into(), "check".into(), seq.display().to_string()];
    words.extend(
        expected.options.iter().filter(|o| ["-m32", "--32"].contains(&o.as_str())).cloned(),
    );
    let words = normalise(words.into_iter().map(OsString::from));
    let Command::Check(args) = Cli::try_parse_from(words).map_err(|e| e.to_string())?.command
    else {
        return Err("not a check".into());
    };
    let checked: PropertySet = [Property::Assertions, Property::Unreach].into_iter().collect();
    let loaded = load::program(&args.input, checked).map_err(|e| format!("{e:#}"))?;
    let settings = Settings::default();
    let task = Task { program: &loaded.program, settings: &settings };
    let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)) };
    let staged = ENGINES.iter().find(|row| row.name == "staged").ok_or("no engine staged")?;
    Ok((staged.make)().check(&task, &budget, &mut |_| {}))
}

/// Runs the sequential program natively with the choices of a finding.
fn run_natively(seq: &Path, choices: &Choices, file: &str, line: u32) -> Result<(), String> {
    let inputs: String =
        choices.inputs.values().flatten().map(|n| format!("{:#x}ull, ", n.0 as u64)).collect();
    let driver = seq.with_file_name("driver.c");
    let program = seq.with_file_name("native");
    std::fs::write(&driver, DRIVER.replace("INPUTS", &inputs)).map_err(|e| e.to_string())?;
    let compile = Process::new(clang()).arg("-o").arg(&program).arg(seq).arg(&driver).output();
    let output = compile.map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("does not link: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let output = Process::new(&program).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let place = format!("{file}:{line}:");
    if output.status.success() || !said.contains(&place) {
        return Err(format!("runs natively to {} and says `{said}`, not {place}", output.status));
    }
    Ok(())
}

/// Asks CBMC; an answer other than expected is a complaint, none in time is not.
fn ask_cbmc(case: &Case, expected: &Expectation, folder: &Path) -> Result<(), String> {
    let seq = translate(case, expected, folder, "cbmc")?;
    let unwind = (case.bound + 8).to_string();
    let output = Process::new("timeout")
        .args(["60", "cbmc", "--unwind", &unwind, "--no-standard-checks"])
        .arg(&seq)
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let failed = said.contains("VERIFICATION FAILED");
    let passed = said.contains("VERIFICATION SUCCESSFUL");
    match (failed, passed) {
        (true, _) if !expected.fails => Err("CBMC finds a violation".into()),
        (_, true) if expected.fails => Err("CBMC finds no violation".into()),
        _ => Ok(()),
    }
}

fn run_case(case: &Case, seconds: f64, cbmc: bool) -> Vec<String> {
    let Some(expected) = expectation(&case.path) else { return vec!["no assertions".into()] };
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let seq = match translate(case, &expected, folder.path(), "svcomp") {
        Ok(seq) => seq,
        Err(message) => return vec![message],
    };
    let wide = !expected.options.iter().any(|o| ["-m32", "--32"].contains(&o.as_str()));
    let mut complaints = warnings(&seq, wide);
    let outcome = match check(&seq, &expected, seconds) {
        Ok(outcome) => outcome,
        Err(message) => return vec![message],
    };
    let found = matches!(outcome.verdict, Verdict::Unsafe);
    if found != expected.fails {
        complaints.push(format!(
            "{:?}, expected {}",
            outcome.verdict,
            if expected.fails { "UNSAFE" } else { "SAFE" }
        ));
    }
    for trace in &outcome.findings {
        for (file, line) in &trace.key().places {
            if Path::new(file).file_name() != case.path.file_name()
                || !expected.lines.contains(line)
            {
                complaints.push(format!("unexpected violation at {file}:{line}"));
            } else if wide {
                complaints.extend(run_natively(&seq, trace.choices(), file, *line).err());
            }
        }
    }
    if cbmc {
        complaints.extend(ask_cbmc(case, &expected, folder.path()).err());
    }
    complaints
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    root.canonicalize().expect("tests/programs exists")
}

/// Scheme and bound for each program of the selection.
const SELECTION: &[(&str, &str, u32)] =
    &[("threads/lost_update.c", "fine-mixed", 6), ("mutex/counter_locked.c", "fine-implicit", 12)];

fn cases() -> Vec<Case> {
    let wanted = std::env::var("RADDLE_SEQUENTIALIZE").unwrap_or_default();
    let selected = SELECTION.iter().map(|&(path, scheme, bound)| Case {
        path: root().join(path),
        scheme,
        bound,
    });
    selected.filter(|c| c.path.display().to_string().contains(&wanted)).collect()
}

#[test]
fn sequential_programs_fail_iff_the_concurrent_ones_do() {
    let cbmc = Process::new("cbmc").arg("--version").output().is_ok();
    if !cbmc {
        eprintln!("CBMC is not tried: there is none on PATH");
    }
    let cases = cases();
    assert!(!cases.is_empty(), "no program matches");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            let work = || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaints = run_case(case, 60.0, cbmc);
                    if !complaints.is_empty() {
                        let text = complaints.join("\n    ");
                        let name =
                            format!("{} {} {}", case.path.display(), case.scheme, case.bound);
                        failures
                            .lock()
                            .expect("no panic while held")
                            .push(format!("{name}\n    {text}"));
                    }
                }
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).expect("starts");
        }
    });
    let failures = failures.into_inner().expect("no panic while held");
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}
