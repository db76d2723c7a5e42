//! `raddle check`: load, search, report.
//!
//! The work is done in a watched thread ([`crate::watch`]); what comes back is a finished report,
//! so nothing is printed twice and nothing by halves.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Instant;

use raddle_engines::{Budget, Engine, Host, Progress, Reason, Settings, Task};
use raddle_ir::PropertySet;
use raddle_report::data::{Note, NoteKind, ReasonKind};
use raddle_report::{Report, Run, facts};

use crate::args::CheckArgs;
use crate::progress::Line;
use crate::watch::{self, End, Limits};
use crate::{EXIT_INTERNAL, bundle, load, options, output, solver, trace};

/// What the working thread tells while it works.
struct News {
    /// What it does.
    text: String,
    /// The report, if the time were up now.
    so_far: Option<Box<Report>>,
}

/// Runs the command; the result is the exit code.
pub fn run(args: &CheckArgs) -> anyhow::Result<u8> {
    let start = Instant::now();
    let mut limits = Limits::new(start, args.time, args.memory);
    limits.parent = args.supervisor;
    let checked = load::properties(&args.input.property)?;
    let engine = engine(args)?;
    let about = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: args.input.files.iter().map(|f| f.display().to_string()).collect(),
        engine: args.engine.clone(),
        pointer_bits: args.input.pointer_bits(),
        checked,
        warnings: Vec::new(),
    };
    let line = Line::new(args.output.quiet);
    line.show("compiling");
    let (job, run) = (args.clone(), about.clone());
    let mut so_far = None;
    let end = watch::run(
        &limits,
        move |messages| work(&job, run, engine, &limits, start, &messages),
        |news: News| {
            line.show(&news.text);
            so_far = news.so_far.or(so_far.take());
        },
    );
    drop(line);
    let seconds = start.elapsed().as_secs_f64();
    let report = match (end, so_far) {
        (End::Done(result), _) => result?,
        // What was proved before stays proved.
        (End::Time | End::Memory, Some(report)) => Report { seconds, ..*report },
        (End::Time, None) => {
            let text = format!("the time is up (--time {})", args.time);
            about.unknown(ReasonKind::Time, text, seconds)
        }
        (End::Memory, None) => {
            let text = "the memory is used up (--memory, or the limit on the address space)";
            about.unknown(ReasonKind::Memory, text.into(), seconds)
        }
        // Nobody waits for the answer any more.
        (End::Orphan, _) => return Ok(EXIT_INTERNAL),
        (End::Panic(text), _) => {
            bug_report(&text, &args.input.files, None);
            about.unknown(ReasonKind::Internal, "a mistake in raddle".into(), seconds)
        }
    };
    output::report(&report, &args.output);
    let internal = report.reason.as_ref().is_some_and(|r| r.kind == ReasonKind::Internal);
    Ok(if internal { EXIT_INTERNAL } else { report.verdict.exit_code() })
}

/// The engine, as the user wants it.
fn engine(args: &CheckArgs) -> anyhow::Result<Box<dyn Engine>> {
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
    mut engine: Box<dyn Engine>,
    limits: &Limits,
    start: Instant,
    messages: &Sender<News>,
) -> anyhow::Result<Report> {
    let loaded = load::program(&args.input, run.checked)?;
    run.warnings = loaded.warnings.clone();
    let settings = settings(args);
    let task = Task { program: &loaded.program, settings: &settings };
    let budget = Budget::until(limits.soft);
    let mut progress = |Progress { text, so_far }: Progress| {
        let seconds = start.elapsed().as_secs_f64();
        let report = |mut outcome| Box::new(run.report(&loaded.program, &mut outcome, seconds));
        // Nobody listens any more when the limits have struck.
        let _ = messages.send(News { text, so_far: so_far.map(report) });
    };
    let mut outcome = engine.check(&task, &budget, &mut progress);
    let mut report = run.report(&loaded.program, &mut outcome, start.elapsed().as_secs_f64());
    if args.output.verbose {
        let times = &loaded.times;
        let text = format!(
            "clang {:.3} s, reading {:.3} s, lowering {:.3} s",
            times.clang.as_secs_f64(),
            times.read.as_secs_f64(),
            times.lower.as_secs_f64()
        );
        report.notes.push(Note::new(NoteKind::Figures, text));
        let stages = report.stages.iter().map(|s| {
            let grown = s.megabytes.map_or(String::new(), |m| format!(" (+{m:.1} MB)"));
            format!("{} {:.3} s{grown}", s.name, s.seconds)
        });
        let stages: Vec<String> = stages.collect();
        let stages = (!stages.is_empty()).then(|| Note::new(NoteKind::Figures, stages.join(", ")));
        report.notes.extend(stages);
    }
    if let Some(path) = &args.trace {
        for (index, found) in outcome.findings.iter().enumerate() {
            let path = trace::numbered(path, index);
            trace::write(&path, found.choices(), &args.input, run.checked)?;
            report.findings[index].trace = Some(path.display().to_string());
        }
    } else if !outcome.findings.is_empty() {
        let text = "--trace FILE keeps the failing run for `raddle replay FILE`";
        report.notes.push(Note::new(NoteKind::Hint, text));
    }
    if let raddle_engines::Verdict::Unknown(Reason::Internal(mistake)) = &outcome.verdict {
        let program = raddle_ir::print::program(&loaded.program);
        bug_report(&facts::mistake(mistake), &args.input.files, Some(&program));
    }
    Ok(report)
}

/// What every engine is told.
pub fn settings(args: &CheckArgs) -> Settings {
    Settings {
        resident: Some(watch::resident),
        first_only: args.first,
        ..Settings::new(&args.options.given)
    }
}

/// Tells how to report a mistake in raddle, and puts together what is needed.
fn bug_report(text: &str, files: &[PathBuf], program: Option<&str>) {
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
