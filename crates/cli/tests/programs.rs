//! Runs every program under `tests/programs` on every engine and compares verdicts and findings.
//!
//! The first comment lines of a program say what to expect:
//! ```c
//! // args: --property races -DN=2       options of `raddle check`
//! // args explore: --steps 50           further options for one engine
//! // expect: UNSAFE races               SAFE, BOUNDED, UNKNOWN, or UNSAFE with the violated properties
//! // expect staged: UNKNOWN (reason)    another expectation for one engine, with the reason
//! ```
//! Lines that take part in a finding end in `//~ property …`. The set of (property, line) of all
//! findings must be the set of the marks. A program that reads inputs and is SAFE may be BOUNDED
//! for an engine that tries only some values. Engines that the default engine does not use may leave
//! a program open within a third of a second; what they say must be right. Engines are asked only about
//! properties that they decide. `RADDLE_PROGRAMS=text` runs only the programs whose
//! path contains the text, `RADDLE_ENGINE=name` only one engine, `RADDLE_SECONDS=n` changes the
//! time each may take.
//!
//! The engines run in this process: starting raddle anew for each of them would take
//! longer than most checks. The default engine also runs as a command, since it puts the answers
//! for groups of properties together there.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use raddle_cli::args::{CheckArgs, Cli, Command, normalise};
use raddle_cli::{check, load, watch};
use raddle_engines::{
    Budget, Cut, ENGINES, EngineRow, Host, Note, Outcome, Reason, Task, Values, Verdict, auto,
};
use raddle_ir::{Program, Property, PropertySet};

/// Seconds for an engine that need not decide every program.
const OTHERS: f64 = 0.3;

/// Whether an engine has to decide every program: what it leaves open is open for the default engine. The
/// others may leave a question open, and say so; what they do say must be right.
fn must_decide(engine: &EngineRow) -> bool {
    auto::must_decide(engine)
}

/// A finding as tests see it.
type Line = (String, u32);

/// What a program's comments say.
struct Expectation {
    /// Options for all engines.
    args: Vec<String>,
    /// Further options, per engine.
    own_args: Vec<(String, Vec<String>)>,
    /// Verdict word and violated properties, per engine (`""`: all others).
    verdicts: Vec<(String, String, BTreeSet<String>)>,
    marks: BTreeSet<Line>,
}

fn read_expectation(path: &Path) -> Result<Expectation, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let (mut args, mut own_args) = (vec![path.display().to_string()], Vec::new());
    let mut verdicts = Vec::new();
    let mut marks = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((engine, words)) =
            line.strip_prefix("// args").and_then(|rest| rest.split_once(':'))
        {
            let words = words.split_whitespace().map(String::from);
            match engine.trim() {
                "" => args.extend(words),
                engine => own_args.push((engine.to_string(), words.collect())),
            }
        } else if let Some((engine, expected)) =
            line.strip_prefix("// expect").and_then(|rest| rest.split_once(':'))
        {
            let mut parts = expected.split([' ', ',']).filter(|w| !w.is_empty());
            let verdict = parts.next().ok_or("an empty expectation")?.to_string();
            let properties: BTreeSet<String> =
                parts.take_while(|_| verdict == "UNSAFE").map(String::from).collect();
            for engine in engine.split(',') {
                verdicts.push((engine.trim().to_string(), verdict.clone(), properties.clone()));
            }
        }
        if let Some((_, mark)) = line.split_once("//~") {
            marks.extend(mark.split_whitespace().map(|property| (property.to_string(), number)));
        }
    }
    if !verdicts.iter().any(|(engine, ..)| engine.is_empty()) {
        return Err("no line `// expect: …`".into());
    }
    let named = verdicts.iter().map(|v| &v.0).chain(own_args.iter().map(|a| &a.0));
    for name in named.filter(|name| !name.is_empty()) {
        if raddle_engines::row(name).is_none() {
            return Err(format!("there is no engine `{name}`"));
        }
    }
    Ok(Expectation { args, own_args, verdicts, marks })
}

impl Expectation {
    /// The arguments for an engine.
    fn args(&self, engine: &EngineRow) -> Result<CheckArgs, String> {
        let own = self.own_args.iter().filter(|(name, _)| engine.name == name);
        let own = own.flat_map(|(_, words)| words);
        let words = ["raddle", "check"].into_iter().map(OsString::from);
        let words = words.chain(self.args.iter().chain(own).map(OsString::from));
        let args = match Cli::try_parse_from(normalise(words)).map_err(|e| e.to_string())?.command {
            Command::Check(args) => *args,
            other => return Err(format!("not a check: {other:?}")),
        };
        match engine.misfit(&args.options.given) {
            // An engine is never left out silently: who has the option is said in the program.
            Some(misfit) => Err(format!("{misfit:?}: write `// args ENGINE: …`")),
            None => Ok(args),
        }
    }
}

/// What an engine said.
struct Answer {
    word: &'static str,
    detail: String,
    lines: BTreeSet<Line>,
    /// The engine tried only some values of inputs and of memory that is not initialised.
    inputs_only: bool,
    /// The search was not brought to its end, and the answer says so.
    open: bool,
    /// The answer speaks of a mistake in raddle, which no expectation excuses.
    mistake: bool,
}

fn answer(path: &Path, outcome: &Outcome) -> Answer {
    let (word, detail) = match &outcome.verdict {
        Verdict::Safe(ground) => ("SAFE", format!("{ground:?}")),
        Verdict::Unsafe => ("UNSAFE", String::new()),
        Verdict::Bounded(bounds) => ("BOUNDED", format!("{:?}", bounds.cuts)),
        Verdict::Unknown(reason) => ("UNKNOWN", format!("{reason:?}")),
    };
    let inputs_only = match &outcome.verdict {
        Verdict::Bounded(bounds) => bounds.cuts.iter().all(Cut::is_of_values),
        Verdict::Safe(_) | Verdict::Unsafe | Verdict::Unknown(_) => false,
    };
    let open = match &outcome.verdict {
        Verdict::Safe(_) => false,
        Verdict::Unsafe => outcome.notes.iter().any(|n| matches!(n, Note::FurtherFindings { .. })),
        Verdict::Bounded(_) => true,
        Verdict::Unknown(_) => true,
    };
    let mistake = matches!(outcome.verdict, Verdict::Unknown(Reason::Internal(_)))
        || outcome.notes.iter().any(|n| matches!(n, Note::Mistake(_)));
    let mut lines = BTreeSet::new();
    for trace in &outcome.findings {
        for (file, line) in &trace.key().places {
            let here = Path::new(file).file_name() == path.file_name();
            let line = if here { *line } else { 0 };
            lines.insert((trace.key().property.to_string(), line));
        }
    }
    Answer { word, detail, lines, inputs_only, open, mistake }
}

/// The complaints about one engine's answer on the properties that it was asked about.
fn judge(
    expected: &Expectation,
    engine: &EngineRow,
    asked: PropertySet,
    answer: &Answer,
) -> Vec<String> {
    let entry = expected.verdicts.iter().find(|(name, ..)| name == engine.name);
    let entry = entry.or_else(|| expected.verdicts.iter().find(|(name, ..)| name.is_empty()));
    let (_, word, properties) = entry.expect("reading demands a general expectation");
    let asked = |name: &str| Property::from_name(name).is_some_and(|p| asked.contains(p));
    let properties: BTreeSet<String> = properties.iter().filter(|p| asked(p)).cloned().collect();
    let marks: BTreeSet<Line> = expected.marks.iter().filter(|m| asked(&m.0)).cloned().collect();
    let word = if word == "UNSAFE" && properties.is_empty() { "SAFE" } else { word };
    let mut complaints = Vec::new();
    if answer.mistake {
        complaints.push(format!("a mistake in raddle ({})", answer.detail));
    }
    let lenient = engine.values == Values::Some && word == "SAFE" && answer.inputs_only;
    let open = answer.open && !must_decide(engine);
    if answer.word != word && !lenient && !(open && answer.lines.is_subset(&marks)) {
        complaints.push(format!("{}, expected {word} ({})", answer.word, answer.detail));
    }
    if word != "UNSAFE" || answer.word != "UNSAFE" {
        return complaints;
    }
    let found: BTreeSet<String> = answer.lines.iter().map(|(p, _)| p.clone()).collect();
    if found != properties && !open {
        complaints.push(format!("violates {found:?}, expected {properties:?}"));
    }
    for (property, line) in answer.lines.difference(&marks) {
        complaints.push(format!("line {line}: unexpected {property}"));
    }
    for (property, line) in marks.difference(&answer.lines).filter(|_| !open) {
        complaints.push(format!("line {line}: {property} not found"));
    }
    complaints
}

fn run_engine(engine: &EngineRow, args: &CheckArgs, task: &Task, seconds: f64) -> Outcome {
    let engine = (engine.make)(&args.options.given, &Host::default());
    let mut engine = engine.expect("the options fit");
    let budget = Budget::until(Some(Instant::now() + Duration::from_secs_f64(seconds)));
    engine.check(task, &budget, &mut |_| {}).within(task.program)
}

/// Runs a program on all engines; the result is the list of complaints.
fn run_program(path: &Path, only: Option<&str>, seconds: f64) -> Vec<String> {
    let expected = match read_expectation(path) {
        Ok(expected) => expected,
        Err(message) => return vec![message],
    };
    let mut complaints = Vec::new();
    let mut complete: Vec<(&str, PropertySet, Answer)> = Vec::new();
    let mut loaded: Option<Program> = None;
    for engine in ENGINES.iter().filter(|row| only.is_none_or(|name| name == row.name)) {
        let args = match expected.args(engine) {
            Ok(args) => args,
            Err(message) => return vec![format!("{}: {message}", engine.name)],
        };
        let asked = load::properties(&args.input.property).map(|all| engine.decided(all));
        let read = asked.and_then(|asked| match loaded.take() {
            Some(program) if program.checked == asked => Ok(program),
            Some(_) | None => Ok(load::program(&args.input, asked)?.program),
        });
        let program = match read {
            Ok(program) => loaded.insert(program),
            Err(error) => return vec![format!("{error:#}")],
        };
        let asked = program.checked;
        if asked == PropertySet::EMPTY {
            continue;
        }
        let task = Task { program, settings: &check::settings(&args) };
        let start = Instant::now();
        let seconds = if must_decide(engine) { seconds } else { seconds.min(OTHERS) };
        let run = || run_engine(engine, &args, &task, seconds);
        let Ok(outcome) = catch_unwind(AssertUnwindSafe(run)) else {
            complaints.push(format!("{}: panics (message above)", engine.name));
            continue;
        };
        let answer = answer(path, &outcome);
        let took = start.elapsed().as_secs_f64();
        for complaint in judge(&expected, engine, asked, &answer) {
            complaints.push(format!("{} ({took:.1} s): {complaint}", engine.name));
        }
        if !matches!(answer.word, "SAFE" | "UNSAFE") || (answer.open && !must_decide(engine)) {
            continue;
        }
        for (other, both, before) in &complete {
            let both = |(name, _): &&Line| {
                let property = Property::from_name(name);
                property.is_some_and(|p| both.contains(p) && asked.contains(p))
            };
            if !before.lines.iter().filter(both).eq(answer.lines.iter().filter(both)) {
                complaints.push(format!("{other} and {} disagree", engine.name));
            }
        }
        complete.push((engine.name, asked, answer));
    }
    complaints
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let root = root.canonicalize().expect("tests/programs exists");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_program_on_every_engine() {
    let only = std::env::var("RADDLE_ENGINE").ok();
    let seconds =
        std::env::var("RADDLE_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(120.0);
    run_all(|path| run_program(path, only.as_deref(), seconds));
}

/// What a report says.
struct Reported {
    verdict: String,
    /// Property, headline, lines.
    findings: BTreeSet<(String, String, Vec<u64>)>,
    /// It says that there may be further findings.
    limited: bool,
}

/// Runs `raddle check` as users do.
fn run_by_default(expected: &Expectation, jobs: &str) -> Result<Reported, String> {
    let auto = expected.own_args.iter().filter(|(name, _)| name == raddle_engines::AUTO.name);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--format", "json", "--time", "120", "--jobs", jobs])
        .args(auto.flat_map(|(_, words)| words))
        .args(&expected.args)
        .output()
        .map_err(|e| e.to_string())?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let finding = |f: &serde_json::Value| {
        let marks = list(&f["marks"]);
        let lines = marks.iter().map(|m| m["at"]["line"].as_u64().unwrap_or_default()).collect();
        (text(&f["property"]), text(&f["headline"]), lines)
    };
    let answers = list(&report["answers"]);
    let checked = list(&report["properties"]);
    let answered: Vec<_> = answers.iter().flat_map(|a| list(&a["properties"])).collect();
    if !answers.is_empty() && !checked.iter().all(|p| answered.contains(p)) {
        return Err(format!("not every property has an answer: {answers:?}"));
    }
    let findings = list(&report["findings"]).iter().map(finding).collect();
    let limited = list(&report["notes"]).iter().any(|n| n["kind"] == "further-findings");
    Ok(Reported { verdict: text(&report["verdict"]), findings, limited })
}

/// Whether two answers agree on what there is. Which search answers depends on the machine where several
/// run side by side, and one that is limited says so: then what it has found is among all.
fn agree(a: &Reported, b: &Reported) -> bool {
    match (a.limited, b.limited) {
        (false, false) => a.findings == b.findings,
        (true, false) => a.findings.is_subset(&b.findings),
        (false, true) => b.findings.is_subset(&a.findings),
        (true, true) => true,
    }
}

/// The default engine, as a command: the expected verdict and properties, with one search at a time
/// and with several.
#[test]
fn every_program_by_default() {
    let run = |path: &Path| {
        let expected = match read_expectation(path) {
            Ok(expected) => expected,
            Err(message) => return vec![message],
        };
        let auto = expected.verdicts.iter().find(|v| v.0 == raddle_engines::AUTO.name);
        let general = expected.verdicts.iter().find(|v| v.0.is_empty());
        let (_, word, properties) = auto.or(general).expect("reading demands one");
        let mut complaints = Vec::new();
        let mut before: Option<Reported> = None;
        for jobs in ["1", "2"] {
            let answer = match run_by_default(&expected, jobs) {
                Ok(answer) => answer,
                Err(message) => return vec![message],
            };
            let Reported { verdict, findings, .. } = &answer;
            let violated: BTreeSet<String> = findings.iter().map(|f| f.0.clone()).collect();
            if verdict != word || violated != *properties {
                complaints.push(format!("{verdict} {violated:?}, expected {word} {properties:?}"));
            }
            if before.as_ref().is_some_and(|before| !agree(before, &answer)) {
                complaints.push(format!("other findings with --jobs {jobs}"));
            }
            before = Some(answer);
        }
        complaints
    };
    run_all(run);
}

/// Runs all programs, several at once; fails with the complaints.
fn run_all(run_one: impl Fn(&Path) -> Vec<String> + Sync + std::panic::RefUnwindSafe) {
    let wanted = std::env::var("RADDLE_PROGRAMS").unwrap_or_default();
    let mut programs = programs();
    programs.retain(|path| path.display().to_string().contains(&wanted));
    assert!(!programs.is_empty(), "no program matches");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let work = || {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = || run_one(path);
                    let complaints =
                        catch_unwind(run).unwrap_or_else(|_| vec!["panics (message above)".into()]);
                    if !complaints.is_empty() {
                        failures.lock().expect("no panic while held").push((path, complaints));
                    }
                }
            };
            std::thread::Builder::new()
                .stack_size(watch::STACK)
                .spawn_scoped(scope, work)
                .expect("starts");
        }
    });
    let mut failures = failures.into_inner().expect("no panic while held");
    failures.sort();
    let mut text = String::new();
    for (path, complaints) in &failures {
        text += &format!("{}\n", path.display());
        for complaint in complaints {
            text += &format!("    {complaint}\n");
        }
    }
    assert!(failures.is_empty(), "{} of {} programs fail:\n{text}", failures.len(), programs.len());
}
