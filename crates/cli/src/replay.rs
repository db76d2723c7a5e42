//! `raddle replay`: runs the choices of a trace file, or of a witness of another tool, again and shows the
//! execution.

use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Parser;
use raddle_engines::{Outcome, Verdict};
use raddle_interp::Choices;
use raddle_report::Run;

use crate::args::{self, CheckArgs, Cli, Command, InputArgs, ReplayArgs};
use crate::watch::{self, End, Limits};
use crate::{hardware, load, output, trace};

/// Runs the command; the result is the exit code.
pub fn run(args: &ReplayArgs) -> anyhow::Result<u8> {
    let start = Instant::now();
    let limits = Limits::new(start, 0.0, None);
    let end = match args.witness.clone() {
        Some(witness) => {
            let input = args.input.clone();
            let work = move |_| hardware::finding(&input, &witness, start);
            watch::run(&limits, work, |(): ()| {})
        }
        None => {
            let file = trace_file(&args.input)?;
            let choices = trace::read(file)?;
            let mut check = arguments(&choices.files, &choices.arguments, file)?;
            if args.input.clang.is_some() {
                check.input.clang = args.input.clang.clone();
            }
            watch::run(&limits, move |_| work(&check, &choices, start), |(): ()| {})
        }
    };
    let report = match end {
        End::Done(result) => result?,
        End::Time | End::Memory | End::Interrupted | End::Orphan => bail!("the memory is used up"),
        End::Panic(text) => bail!("a mistake in raddle: {text}"),
    };
    let code = report.verdict.exit_code();
    output::report(report, &args.output);
    Ok(code)
}

/// The trace, if there is nothing beside it that is for a program.
fn trace_file(input: &InputArgs) -> anyhow::Result<&Path> {
    let file = &input.files[0];
    let words = ["raddle".as_ref(), "replay".as_ref(), file.as_os_str()];
    let mut plain = match Cli::try_parse_from(words)?.command {
        Command::Replay(args) => args.input,
        other => unreachable!("a replay is one: {other:?}"),
    };
    plain.clang = input.clang.clone();
    if format!("{plain:?}") != format!("{input:?}") {
        bail!("a trace knows its program and options; others can be given with --witness only");
    }
    Ok(file)
}

fn work(
    args: &CheckArgs,
    choices: &Choices,
    start: Instant,
) -> anyhow::Result<raddle_report::Report> {
    let checked = load::asked(&args.input)?;
    let loaded = load::program(&args.input, checked)?;
    let confirmed = raddle_interp::replay(&loaded.program, choices).with_context(|| {
        "this trace does not replay; did the program or its options change since it was written?"
    })?;
    let run = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: choices.files.clone(),
        engine: "replay".into(),
        pointer_bits: args.input.pointer_bits(),
        checked,
        warnings: loaded.warnings,
        missing: Vec::new(),
    };
    let mut outcome = Outcome::new(Verdict::Unsafe);
    outcome.findings.push(confirmed);
    Ok(run.report(&loaded.program, &mut outcome, start.elapsed().as_secs_f64()))
}

/// The arguments of the `raddle check` that wrote a trace or a certificate.
pub fn arguments(files: &[String], arguments: &[String], file: &Path) -> anyhow::Result<CheckArgs> {
    if files.is_empty() {
        bail!("{}: the file names no program", file.display());
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let found = files.iter().map(|name| {
        // A file that was moved together with its program is found, too.
        let beside = folder.join(name);
        if !Path::new(name).exists() && beside.exists() { beside.into() } else { name.into() }
    });
    let files: Vec<OsString> = found.collect();
    let words = ["raddle", "check"].map(OsString::from).into_iter();
    let words = words.chain(files).chain(arguments.iter().map(OsString::from));
    let cli = Cli::try_parse_from(args::normalise(words))
        .map_err(|e| anyhow::anyhow!("{}: wrong arguments in the file: {e}", file.display()))?;
    match cli.command {
        Command::Check(check) => Ok(*check),
        Command::Replay(_)
        | Command::Certify(_)
        | Command::Show(_)
        | Command::Export(_)
        | Command::Stubs(_)
        | Command::Sequentialize(_)
        | Command::Explain(_)
        | Command::Completions { .. }
        | Command::Man => bail!("{}: the file names no check", file.display()),
    }
}
