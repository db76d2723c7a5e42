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

/// The complaints about one translation. Without sufficient bounds a violation may be missed.
fn run_case(case: &Case, bounds_suffice: bool, cbmc: bool) -> Vec<String> {
    let Some(expected) = expectation(&case.path) else { return vec!["no assertions".into()] };
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let seq = match translate(case, &expected, folder.path(), "svcomp") {
        Ok(seq) => seq,
        Err(message) => return vec![message],
    };
    let wide = !expected.options.iter().any(|o| ["-m32", "--32"].contains(&o.as_str()));
    let mut complaints = warnings(&seq, wide);
    let answer = match check(&seq, wide, if bounds_suffice { 120 } else { 20 }) {
        Ok(answer) => answer,
        Err(message) => return vec![message],
    };
    let found = answer.verdict == "UNSAFE";
    if found && !expected.fails {
        complaints.push("UNSAFE, expected SAFE".into());
    }
    if !found && expected.fails && bounds_suffice {
        complaints.push(format!("{}, expected UNSAFE", answer.verdict));
    }
    if !found && expected.fails {
        eprintln!("not found: {} {} {}", case.path.display(), case.scheme, answer.verdict);
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

/// Scheme and sufficient bound for each program of the selection.
const SELECTION: &[(&str, &str, u32)] = &[
    ("atomics/bits_not_atomic.c", "fine-implicit", 8),
    ("atomics/compare_exchange_once.c", "coarse-intra", 3),
    ("atomics/compare_exchange_updates_expected.c", "coarse-inter", 3),
    ("atomics/exchange.c", "context", 4),
    ("atomics/load_then_store.c", "fine-mixed", 8),
    ("atomics/message_order.c", "coarse-inter", 3),
    ("atomics/pair_of_ints.c", "fine-implicit", 8),
    ("builtins/atomic_operations.c", "fine-mixed", 8),
    ("builtins/sync_full_barrier.c", "coarse-inter", 3),
    ("c11/mutex_timedlock.c", "coarse-inter", 3),
    ("c11/thread_exit.c", "fine-explicit", 8),
    ("c11/thread_local.c", "coarse-intra", 3),
    ("classics/bank_account.c", "coarse-intra", 3),
    ("classics/philosophers_5.c", "fine-implicit", 8),
    ("classics/philosophers_ordered.c", "fine-implicit", 8),
    ("classics/reference_count_two_steps.c", "fine-implicit", 8),
    ("classics/sequence_lock_no_recheck.c", "context", 4),
    ("cond/timedwait_may_time_out.c", "coarse-intra", 3),
    ("keys/destructor_runs.c", "context", 4),
    ("keys/no_destructor_for_null.c", "fine-explicit", 8),
    ("keys/own_values.c", "coarse-intra", 3),
    ("language/bit_field_update_lost.c", "fine-mixed", 8),
    ("language/computed_goto.c", "context", 4),
    ("language/floating_point_shared.c", "coarse-intra", 3),
    ("language/missing_return.c", "fine-mixed", 8),
    ("language/statement_expression.c", "coarse-intra", 3),
    ("language/uninitialised_local.c", "coarse-inter", 3),
    ("language/unions.c", "context", 4),
    ("language/unreachable_reached.c", "fine-implicit", 8),
    ("library/abort_is_no_assertion.c", "context", 4),
    ("library/errno_of_each_thread.c", "context", 4),
    ("library/random_is_any_number.c", "fine-mixed", 8),
    ("library/sort_and_search.c", "fine-explicit", 8),
    ("loops/counting_wait.c", "context", 4),
    ("loops/nested_loops.c", "fine-explicit", 8),
    ("memory/grown_by_realloc.c", "coarse-intra", 3),
    ("memory/not_zeroed_by_malloc.c", "fine-mixed", 8),
    ("memory/zeroed_by_calloc.c", "fine-explicit", 8),
    ("mutex/counter_locked.c", "fine-implicit", 12),
    ("mutex/invariant_seen_broken.c", "fine-mixed", 8),
    ("mutex/lock_passed_on.c", "fine-explicit", 8),
    ("mutex/section_looked_into.c", "coarse-intra", 3),
    ("mutex/split_section.c", "coarse-inter", 3),
    ("mutex/timedlock_may_time_out.c", "fine-implicit", 8),
    ("mutex/trylock_result_used.c", "fine-implicit", 8),
    ("once/by_hand.c", "fine-implicit", 8),
    ("once/two_controls.c", "coarse-inter", 3),
    ("overflow/wraps_when_not_checked.c", "coarse-inter", 3),
    ("semaphore/orders_two_threads.c", "fine-implicit", 8),
    ("semaphore/timedwait.c", "coarse-inter", 3),
    ("semaphore/trywait.c", "context", 4),
    ("spin/counter.c", "fine-mixed", 8),
    ("summary/two_adders.c", "fine-mixed", 8),
    ("threads/exit_value.c", "context", 4),
    ("threads/join_orders_write.c", "coarse-inter", 3),
    ("threads/main_exits_alone.c", "coarse-intra", 3),
    ("threads/main_returns_early.c", "coarse-inter", 3),
    ("threads/missing_join.c", "context", 4),
    ("threads/return_value_wrong.c", "context", 4),
    ("threads/self_differs.c", "fine-implicit", 8),
    ("threads/writes_before_create.c", "fine-explicit", 8),
    ("unsupported/fork_not_reached.c", "coarse-inter", 3),
    ("verifier/assume_after_join.c", "fine-implicit", 8),
    ("verifier/assume_ends_only_its_thread.c", "fine-explicit", 8),
    ("verifier/assume_hides_nothing_before.c", "coarse-intra", 3),
    ("verifier/check_inside_section.c", "fine-explicit", 8),
    ("verifier/error_not_reached.c", "coarse-intra", 3),
    ("verifier/nondet_magic.c", "context", 4),
    ("verifier/nondet_types.c", "fine-implicit", 8),
    ("verifier/thread_ends_inside_section.c", "coarse-intra", 3),
];

/// All schemes, with bounds for programs about which nothing is known.
const SCHEMES: [(&str, u32); 6] = [
    ("fine-mixed", 12),
    ("fine-implicit", 12),
    ("fine-explicit", 12),
    ("coarse-intra", 4),
    ("coarse-inter", 4),
    ("context", 4),
];

/// All programs that are about assertions and that have a translation.
fn programs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root()).expect("a readable folder") {
        let folder = folder.expect("a readable entry").path();
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let text = std::fs::read(&path).map(|b| String::from_utf8_lossy(&b).into_owned());
            let unknown = |line: &str| line.starts_with("// expect") && line.contains("UNKNOWN");
            let translated = !text.expect("a readable program").lines().any(unknown);
            let is_c = path.extension().is_some_and(|e| e == "c");
            if is_c && translated && expectation(&path).is_some() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn cases(wanted: &str) -> Vec<Case> {
    if wanted == "all" {
        let with = |path: PathBuf| {
            SCHEMES.map(|(scheme, bound)| Case { path: path.clone(), scheme, bound })
        };
        return programs().into_iter().flat_map(with).collect();
    }
    SELECTION
        .iter()
        .map(|&(path, scheme, bound)| Case { path: root().join(path), scheme, bound })
        .filter(|c| c.path.display().to_string().contains(wanted))
        .collect()
}

#[test]
fn sequential_programs_fail_iff_the_concurrent_ones_do() {
    let cbmc = Process::new("cbmc").arg("--version").output().is_ok();
    if !cbmc {
        eprintln!("CBMC is not tried: there is none on PATH");
    }
    let wanted = std::env::var("RADDLE_SEQUENTIALIZE").unwrap_or_default();
    let cases = cases(&wanted);
    assert!(!cases.is_empty(), "no program matches");
    let bounds_suffice = wanted != "all";
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            let work = || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaints = run_case(case, bounds_suffice, cbmc);
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

#[test]
fn bounds_are_exact() {
    // Two increments without a lock: two writes, in one cluster of all threads or two of single ones,
    // and four switches (main, first, second, first, main).
    let first_failing = [
        ("fine-mixed", 2),
        ("fine-implicit", 2),
        ("fine-explicit", 2),
        ("coarse-intra", 2),
        ("coarse-inter", 1),
        ("context", 4),
    ];
    let path = root().join("threads/lost_update.c");
    let expected = expectation(&path).expect("a program with assertions");
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (scheme, least) in first_failing {
        for bound in [least - 1, least] {
            if bound == 0 {
                continue;
            }
            let case = Case { path: path.clone(), scheme, bound };
            let seq = translate(&case, &expected, folder.path(), "svcomp").expect("translates");
            let verdict = check(&seq, true, 60).expect("an answer").verdict;
            let wanted = if bound < least { "SAFE" } else { "UNSAFE" };
            assert_eq!(verdict, wanted, "{scheme} {bound}");
        }
    }
}

#[test]
fn all_styles_compile() {
    let path = root().join("mutex/counter_locked.c");
    let expected = expectation(&path).expect("a program with assertions");
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for style in ["svcomp", "cbmc", "esbmc"] {
        let case = Case { path: path.clone(), scheme: "fine-mixed", bound: 5 };
        let seq = translate(&case, &expected, folder.path(), style).expect("translates");
        assert_eq!(warnings(&seq, true), Vec::<String>::new(), "{style}");
    }
}

#[test]
fn wrong_usage_is_explained() {
    let program = root().join("threads/lost_update.c").display().to_string();
    let cases: &[(&[&str], &str)] = &[
        (&["--scheme", "magic", &program], "fine-mixed"),
        (&["--scheme", "context", "--writes", "3", &program], "use --contexts"),
        (&["--contexts", "3", &program], "for --scheme context"),
        (&["--writes", "3", "--contexts", "3", &program], "cannot be used with"),
        (&["--writes", "0", &program], "between 1 and"),
        (&["--writes", "4000000000", &program], "between 1 and"),
        (&["--threads", "0", &program], "--threads must be between"),
        (&["--heap", "0", &program], "--heap must be between"),
        (&["--property", "races", &program], "only be checked for assertions"),
        (&["--style", "magic", &program], "svcomp"),
        (&["-o", "/no/such/folder/seq.c", &program], "cannot write"),
        (&["/no/such/file.c"], "/no/such/file.c"),
        (&[], "FILE"),
    ];
    for (args, words) in cases {
        let output = raddle().arg("sequentialize").args(*args).output().expect("raddle starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: `{words}` is missing in {said}");
    }
}

#[test]
fn what_has_no_translation_fails_when_it_is_reached() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = root().join("unsupported/inline_assembly.c");
    let expected = Expectation { lines: BTreeSet::new(), fails: true, options: Vec::new() };
    let case = Case { path, scheme: "fine-mixed", bound: 4 };
    let seq = translate(&case, &expected, folder.path(), "svcomp").expect("translates");
    let text = std::fs::read_to_string(&seq).expect("a readable file");
    assert!(text.contains("raddle_violation(\"not translated: "), "{text}");
    assert_eq!(check(&seq, true, 60).expect("an answer").verdict, "UNSAFE");
}

/// More threads or memory than there is room for is a violation, unless nobody wants to know.
#[test]
fn exceeding_a_bound_fails_as_an_assertion() {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("program.c");
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint *p;\n\
        void *t(void *a) { p = malloc(400); assert(!p); return a; }\n\
        int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); return 0; }\n";
    std::fs::write(&path, program).expect("a file can be written");
    // With which the assertion itself is out of reach.
    let cases = [(["--threads", "1"], true), (["--heap", "2"], true), (["--heap", "100"], false)];
    for (options, exceeded) in cases {
        let expected = Expectation {
            lines: BTreeSet::new(),
            fails: true,
            options: options.map(String::from).to_vec(),
        };
        let case = Case { path: path.clone(), scheme: "fine-mixed", bound: 3 };
        let seq = translate(&case, &expected, folder.path(), "svcomp").expect("translates");
        let loud = check(&seq, true, 60).expect("an answer");
        assert_eq!(loud.verdict, "UNSAFE", "{options:?}");
        let text = std::fs::read_to_string(&seq).expect("a readable file");
        let silent = format!("#define RADDLE_NO_BOUND_ASSERTIONS\n{text}");
        std::fs::write(&seq, silent).expect("a file can be written");
        let quiet = check(&seq, true, 60).expect("an answer");
        assert_eq!(quiet.verdict != "UNSAFE", exceeded, "{options:?}: {}", quiet.verdict);
    }
}
