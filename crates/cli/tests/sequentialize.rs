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
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

fn raddle() -> Process {
    Process::new(env!("CARGO_BIN_EXE_raddle"))
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
    let output = raddle()
        .args(["sequentialize", "--scheme", case.scheme, kind, &case.bound.to_string()])
        .args(["--style", style, "-o"])
        .args([&seq, &case.path])
        .args(&expected.options)
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() {
        Ok(seq)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
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

/// What raddle says about the sequential program.
struct Answer {
    verdict: String,
    /// Where assertions fail, and the values that were chosen.
    violations: Vec<(String, u32, Vec<String>)>,
}

/// Checks the sequential program with raddle.
fn check(seq: &Path, wide: bool, seconds: u32) -> Result<Answer, String> {
    let trace = seq.with_file_name("bug.trace");
    let output = raddle()
        .args(["check", "--engine", "staged", "--property", "assertions", "-q", "--trace"])
        .arg(&trace)
        .args(["--time", &seconds.to_string(), if wide { "--64" } else { "--32" }])
        .arg(seq)
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().and_then(|l| l.strip_prefix("VERDICT: "));
    let verdict = last.ok_or(String::from_utf8_lossy(&output.stderr).into_owned())?.to_string();
    let mut violations = Vec::new();
    for line in text.lines() {
        let Some((place, _)) = line.split_once(": reach-error: ") else { continue };
        let (file, line) = place.rsplit_once(':').ok_or("a place without line")?;
        let line = line.parse().map_err(|_| format!("no line in {place}"))?;
        let number = violations.len() + 1;
        let name = if number == 1 { "bug.trace".into() } else { format!("bug.{number}.trace") };
        let inputs = inputs(&seq.with_file_name(name))?;
        violations.push((file.to_string(), line, inputs));
    }
    Ok(Answer { verdict, violations })
}

/// The inputs in a trace, in order: there is only one thread.
fn inputs(trace: &Path) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(trace).map_err(|e| format!("{}: {e}", trace.display()))?;
    let data: serde_json::Value = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
    let Some(threads) = data["inputs"].as_object() else { return Ok(Vec::new()) };
    let all = threads.values().filter_map(|v| v.as_array()).flatten();
    Ok(all.filter_map(|v| v.as_str().map(String::from)).collect())
}

/// Runs the sequential program natively with the choices of a finding.
fn run_natively(seq: &Path, inputs: &[String], file: &str, line: u32) -> Result<(), String> {
    let inputs: String = inputs.iter().map(|n| format!("{n}ull, ")).collect();
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

fn run_case(case: &Case, seconds: u32, cbmc: bool) -> Vec<String> {
    let Some(expected) = expectation(&case.path) else { return vec!["no assertions".into()] };
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let seq = match translate(case, &expected, folder.path(), "svcomp") {
        Ok(seq) => seq,
        Err(message) => return vec![message],
    };
    let wide = !expected.options.iter().any(|o| ["-m32", "--32"].contains(&o.as_str()));
    let mut complaints = warnings(&seq, wide);
    let answer = match check(&seq, wide, seconds) {
        Ok(answer) => answer,
        Err(message) => return vec![message],
    };
    let found = answer.verdict == "UNSAFE";
    if found != expected.fails {
        let wanted = if expected.fails { "UNSAFE" } else { "SAFE" };
        complaints.push(format!("{}, expected {wanted}", answer.verdict));
    }
    for (file, line, inputs) in &answer.violations {
        if Path::new(file).file_name() != case.path.file_name() || !expected.lines.contains(line) {
            complaints.push(format!("unexpected violation at {file}:{line}"));
        } else if wide {
            complaints.extend(run_natively(&seq, inputs, file, *line).err());
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
                    let complaints = run_case(case, 60, cbmc);
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
            scope.spawn(work);
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
