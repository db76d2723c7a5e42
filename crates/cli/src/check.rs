//! `raddle check`: load, search, report.
//!
//! The work is done in a watched thread ([`crate::watch`]); what comes back is a finished report,
//! so nothing is printed twice and nothing by halves.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use raddle_engines::circuit::certificate::Certificate;
use raddle_engines::{Engine, Host, Settings, circuit};
use raddle_ir::PropertySet;
use raddle_report::data::{Missing, Note, NoteKind, ReasonKind, Spot, Verdict};
use raddle_report::effort::Short;
use raddle_report::{Report, Run, effort, rank};

use crate::args::CheckArgs;
use crate::assumptions::Assumptions;
use crate::clocks::{Clocks, Now};
use crate::progress::Line;
use crate::side_by_side::{self, Part, Search};
use crate::watch::{self, End, Limits};
use crate::{EXIT_INTERNAL, bundle, certificate, interrupt, load, options, output, solver, trace};

/// What a search tells while it works.
pub struct News {
    /// Which group of properties it looks at.
    pub group: usize,
    /// When it was told.
    pub at: Instant,
    /// What it does from then on.
    pub now: Now,
    /// Its report, if the time were up now.
    pub so_far: Option<Box<Report>>,
}

/// Runs the command; the result is the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<u8> {
    let start = Instant::now();
    let mut limits = Limits::new(start, args.time, args.memory);
    limits.parent = args.supervisor;
    limits.stop = Some(interrupt::flag(args.supervisor.is_some())?);
    let asked = load::asked(&args.input)?;
    let chosen;
    let args = if asked.is_linear() && args.engine == raddle_engines::AUTO.name {
        chosen = CheckArgs { engine: circuit::ROW.name.into(), ..args.clone() };
        &chosen
    } else {
        args
    };
    engine(args)?;
    let (checked, warning) = decided(args, asked)?;
    let about = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: args.input.files.iter().map(|f| f.display().to_string()).collect(),
        engine: args.engine.clone(),
        pointer_bits: args.input.pointer_bits(),
        checked,
        warnings: warning.into_iter().collect(),
        missing: Vec::new(),
    };
    let line = Line::new(args.output.quiet);
    line.show("compiling");
    let groups = side_by_side::groups(args, checked);
    let (job, run, sets) = (args.clone(), about.clone(), groups.clone());
    // The worker may not come back to tell what it assumed.
    let (assumptions, known) = known_once();
    let mut so_far: Vec<Option<Box<Report>>> = vec![None; groups.len()];
    let mut clocks = Clocks::new(start, &groups);
    let end = watch::run(
        &limits,
        move |messages| work(&job, run, &sets, &limits, start, &messages, &known),
        |news: News| {
            clocks.note(&news);
            line.show(&clocks.line(&news));
            let known = &mut so_far[news.group];
            *known = news.so_far.or(known.take());
        },
    );
    drop(line);
    let seconds = start.elapsed().as_secs_f64();
    // What was found or proved before stays so.
    let cut_short = |kind, text: &str| {
        let parts = groups.iter().zip(so_far).map(|(&checked, known)| match known {
            Some(report) => *report,
            None => Run { checked, ..about.clone() }.unknown(kind, text.into(), seconds),
        });
        assuming(joined(&about, parts.collect(), seconds), assumptions.get())
    };
    let mut short = Short::Time(args.time);
    let mut report = match end {
        End::Done(result) => result?,
        End::Time => cut_short(ReasonKind::Time, &format!("the time is up (--time {})", args.time)),
        End::Interrupted => cut_short(ReasonKind::Interrupted, "interrupted by a signal"),
        End::Memory => {
            let text = "the memory is used up (--memory, or the limit on the address space)";
            short = Short::Memory(args.memory.filter(|most| *most > 0));
            within_memory(cut_short(ReasonKind::Memory, text), text)
        }
        // Nobody waits for the answer any more.
        End::Orphan => return Ok(EXIT_INTERNAL),
        End::Panic(text) => {
            bug_report(&text, &args.input.files, None);
            about.unknown(ReasonKind::Internal, "a mistake in raddle".into(), seconds)
        }
    };
    let internal = report.reason.as_ref().is_some_and(|r| r.kind == ReasonKind::Internal);
    if !internal {
        report.effort = clocks.effort(&report, Instant::now());
        report.advice = effort::advice(&report, &args.options.given, short);
    }
    let code = if internal { EXIT_INTERNAL } else { report.verdict.exit_code() };
    output::report(report, &args.output);
    Ok(code)
}

/// A place for what is known once, with two owners.
fn known_once<T>() -> (Arc<OnceLock<T>>, Arc<OnceLock<T>>) {
    let place = Arc::new(OnceLock::new());
    (Arc::clone(&place), place)
}

/// A report of a run that was cut short says what its answers assume.
fn assuming(mut report: Report, known: Option<&Assumptions>) -> Report {
    if let Some(assumptions) = known {
        assumptions.tell(&mut report);
    }
    report
}

/// A report of a run whose memory is used up says so, also if there is an answer.
fn within_memory(mut report: Report, why: &str) -> Report {
    if report.reason.is_none() {
        let text = format!("The search went no further: {why}.");
        report.notes.push(Note::new(NoteKind::Large, text));
    }
    report
}

/// What the engine decides of the properties, with a warning if that is not all of them. Who names
/// properties wants to know about each of them: then it is an error.
fn decided(args: &CheckArgs, asked: PropertySet) -> anyhow::Result<(PropertySet, Option<String>)> {
    let Some(row) = raddle_engines::row(&args.engine) else {
        anyhow::bail!("there is no engine `{}`", args.engine);
    };
    let decided = row.decided(asked);
    let left: PropertySet = asked.iter().filter(|p| !decided.contains(*p)).collect();
    if left == PropertySet::EMPTY {
        return Ok((asked, None));
    }
    let text = format!("the engine {} does not decide {}", row.name, names(left));
    if asked.is_linear() {
        anyhow::bail!("{text}; the engine circuit does");
    }
    anyhow::ensure!(args.input.property.is_empty(), text);
    Ok((decided, Some(format!("{text}: not checked"))))
}

/// The engine, as the user wants it.
pub fn engine(args: &CheckArgs) -> anyhow::Result<Box<dyn Engine>> {
    let Some(row) = raddle_engines::row(&args.engine) else {
        anyhow::bail!("there is no engine `{}`", args.engine);
    };
    let given = &args.options.given;
    if let Some(misfit) = row.misfit(given) {
        anyhow::bail!(options::misfit_text(row, &misfit));
    }
    let host = Host { solver: |command| solver::solver(command).map_err(|e| e.to_string()) };
    (row.make)(given, &host).map_err(anyhow::Error::msg)
}

/// Everything between the arguments and the finished report.
fn work(
    args: &CheckArgs,
    mut run: Run,
    groups: &[PropertySet],
    limits: &Limits,
    start: Instant,
    messages: &Sender<News>,
    known: &OnceLock<Assumptions>,
) -> anyhow::Result<Report> {
    let shared = side_by_side::shared(args, groups);
    let sets: Vec<PropertySet> = groups.iter().copied().chain(shared).collect();
    let mut programs = load::programs(&args.input, &sets)?;
    let of_all = shared.and_then(|_| programs.pop());
    run.warnings.extend(programs[0].warnings.iter().cloned());
    if let [first, rest @ ..] = programs[0].stubbed.as_slice() {
        let names = rest.iter().fold(format!("`{first}`"), |all, name| format!("{all}, `{name}`"));
        run.warnings.push(format!("undefined functions return anything: {names}"));
    }
    run.missing = programs[0].missing.iter().map(missing).collect();
    let times = programs[0].times;
    let programs: Vec<_> = groups.iter().copied().zip(programs).collect();
    let assumptions = Assumptions::new(&programs, args.output.verbose);
    let assumptions = known.get_or_init(|| assumptions);
    let search = Search { args, run: &run, limits, start, messages };
    let parts = search.all(&programs, of_all.as_ref())?;
    let seconds = start.elapsed().as_secs_f64();
    let mut found = Vec::new();
    let mut reports = Vec::new();
    let mut proofs = Vec::new();
    for Part { report, traces, checked, certificate } in parts {
        proofs.extend(kept_proof(args, &report, checked, certificate)?);
        found.extend(traces.into_iter().map(|trace| (trace, checked)));
        reports.push(report);
    }
    let mut report = joined(&run, reports, seconds);
    // In the order of the report's findings.
    found.sort_by_key(|(trace, _)| rank(trace.finding().property));
    assert_eq!(report.findings.len(), found.len(), "each finding has its trace");
    assumptions.tell(&mut report);
    report.notes.extend(proofs);
    report.notes.extend(figures(args, &times, &report));
    if let Some(path) = &args.trace {
        for (index, (found, checked)) in found.iter().enumerate() {
            let path = trace::numbered(path, index);
            trace::write(&path, found.choices(), &args.input, *checked)?;
            report.findings[index].trace = Some(path.display().to_string());
        }
    } else if !found.is_empty() {
        let text = "--trace FILE keeps the failing run for `raddle replay FILE`";
        report.notes.push(Note::new(NoteKind::Hint, text));
    }
    Ok(report)
}

/// Writes a proof where the user wants it; what to say about that.
fn kept_proof(
    args: &CheckArgs,
    report: &Report,
    checked: PropertySet,
    certificate: Option<Certificate>,
) -> anyhow::Result<Option<Note>> {
    let Some(path) = args.options.given.text(&circuit::CERTIFICATE) else { return Ok(None) };
    let text = match certificate {
        Some(certificate) => {
            certificate::write(Path::new(path), &certificate, &args.input, checked)?;
            format!("the certificate is in {path}; `raddle certify {path}` checks it")
        }
        None if report.verdict == Verdict::Safe && checked.is_linear() => {
            "this proof has no certificate: there are none about infinite executions".to_string()
        }
        None if report.verdict == Verdict::Safe => {
            "this proof has no certificate: no invariant was found in time".to_string()
        }
        None => return Ok(None),
    };
    Ok(Some(Note::new(NoteKind::Hint, text)))
}

/// What is not modelled, for the report.
fn missing(missing: &raddle_frontend::Missing) -> Missing {
    let spot = |(file, line, column): &(String, u32, u32)| Spot {
        file: file.clone(),
        line: *line,
        column: *column,
    };
    let at = missing.places.iter().map(spot).collect();
    let (what, function) = (missing.what.clone(), missing.function.clone());
    Missing { what, function, at, reached: false }
}

/// One report about all properties.
fn joined(run: &Run, mut parts: Vec<Report>, seconds: f64) -> Report {
    match parts.len() {
        1 => Report { seconds, ..parts.remove(0) },
        _ => run.join(parts, seconds),
    }
}

/// Where the time went, for those who want to know.
fn figures(args: &CheckArgs, times: &raddle_frontend::Times, report: &Report) -> Vec<Note> {
    if !args.output.verbose {
        return Vec::new();
    }
    let text = format!(
        "clang {:.3} s, reading {:.3} s, lowering {:.3} s",
        times.clang.as_secs_f64(),
        times.read.as_secs_f64(),
        times.lower.as_secs_f64()
    );
    let stages = report.stages.iter().map(|s| {
        let grown = s.megabytes.map_or(String::new(), |m| format!(" (+{m:.1} MB)"));
        format!("{} {:.3} s{grown}", s.name, s.seconds)
    });
    let stages: Vec<String> = stages.collect();
    let stages = (!stages.is_empty()).then(|| stages.join(", "));
    let texts = std::iter::once(text).chain(stages);
    texts.map(|text| Note::new(NoteKind::Figures, text)).collect()
}

/// What every engine is told.
pub fn settings(args: &CheckArgs) -> Settings {
    Settings {
        resident: Some(watch::resident),
        first_only: args.first,
        jobs: side_by_side::jobs(args),
        ..Settings::new(&args.options.given)
    }
}

/// Tells how to report a mistake in raddle, and puts together what is needed.
pub fn bug_report(text: &str, files: &[PathBuf], program: Option<&str>) {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|w| !w.starts_with("--supervisor")).collect();
    let report = format!(
        "version: {}\ncommand: raddle {}\n{text}",
        env!("CARGO_PKG_VERSION"),
        words.join(" ")
    );
    let what = match bundle::write(&std::env::temp_dir(), &report, files, program) {
        Ok(folder) => format!("what is in {} (it contains the input files)", folder.display()),
        Err(_) => "the input files and this".to_string(),
    };
    output::remark(&format!(
        "this is a mistake in raddle, not in your program. Please report it with {what}:\n  {}",
        report.replace('\n', "\n  ")
    ));
}

/// The names of a set of properties, as `--property` takes them.
pub fn names(checked: PropertySet) -> String {
    checked.iter().map(|p| p.name()).collect::<Vec<_>>().join(",")
}
