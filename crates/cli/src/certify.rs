//! `raddle certify`: whether a certificate is a proof of a program.

use std::time::Instant;

use anyhow::bail;
use raddle_certificate::{Claim, Limits as Effort, No, Outside};
use raddle_engines::circuit::certificate::{Certificate, Literal, line};
use raddle_engines::circuit::certify::certify;
use raddle_engines::{Budget, Cut, Ground, Outcome, Settings, Task, Verdict};
use raddle_ir::{Place, Program};
use raddle_report::data::{Reason, ReasonKind};
use raddle_report::{Report, Run, facts};

use crate::args::{CertifyArgs, CheckArgs};
use crate::certificate::{self, File};
use crate::watch::{self, End, Limits};
use crate::{load, output, replay};

/// Runs the command; the result is the exit code.
pub fn run(args: &CertifyArgs) -> anyhow::Result<u8> {
    let start = Instant::now();
    let mut file = certificate::read(&args.file)?;
    if !args.files.is_empty() {
        file.files = args.files.iter().map(|f| f.display().to_string()).collect();
    }
    let mut check = replay::arguments(&file.files, &file.arguments, &args.file)?;
    if args.clang.is_some() {
        check.input.clang = args.clang.clone();
    }
    let limits = Limits::new(start, args.time, args.memory);
    let about = about(&check, &file)?;
    let run = about.clone();
    let end = watch::run(&limits, move |_| work(&check, &file, run, &limits, start), |(): ()| {});
    let unknown =
        |kind, text: &str| about.unknown(kind, text.into(), start.elapsed().as_secs_f64());
    let report = match end {
        End::Done(result) => result?,
        End::Time => unknown(ReasonKind::Time, "the time is up (--time)"),
        End::Memory => unknown(ReasonKind::Memory, "the memory is used up (--memory)"),
        End::Interrupted | End::Orphan => bail!("interrupted"),
        End::Panic(text) => bail!("a mistake in raddle: {text}"),
    };
    let code = report.verdict.exit_code();
    output::report(report, &args.output);
    Ok(code)
}

fn about(check: &CheckArgs, file: &File) -> anyhow::Result<Run> {
    Ok(Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: file.files.clone(),
        engine: "certify".into(),
        pointer_bits: check.input.pointer_bits(),
        checked: load::properties(&check.input.property)?,
        warnings: Vec::new(),
        missing: Vec::new(),
    })
}

fn work(
    check: &CheckArgs,
    file: &File,
    mut run: Run,
    limits: &Limits,
    start: Instant,
) -> anyhow::Result<Report> {
    let loaded = load::program(&check.input, run.checked)?;
    run.warnings = loaded.warnings;
    let program = &loaded.program;
    let row = raddle_engines::circuit::ROW;
    if row.decided(run.checked) != run.checked {
        bail!("the certificate names properties that no certificate is about");
    }
    let settings = Settings::default();
    let budget = Budget::until(limits.soft);
    match certify(&Task { program, settings: &settings }, &file.certificate, &budget) {
        Ok(notes) => {
            let clauses = file.certificate.never.len() as u32;
            let any_number = file.certificate.bounds.any_number;
            let ground = Ground::Invariant { clauses, any_number };
            let mut outcome = Outcome::new(Verdict::Safe(ground));
            outcome.notes = notes;
            let mut outcome = outcome.within(program);
            if !loaded.stubbed.is_empty() {
                outcome.cut(Cut::Undefined);
            }
            let conjunct = |nth: usize| line(&file.certificate.never[nth]);
            let answer = independent(program, &file.certificate, &budget);
            match facts::independent(program, &conjunct, &answer) {
                Ok(note) => {
                    let seconds = start.elapsed().as_secs_f64();
                    let mut report = run.report(program, &mut outcome, seconds);
                    report.notes.push(note);
                    Ok(report)
                }
                Err(reason) => Ok(refused(&run, reason, start)),
            }
        }
        Err(refusal) => Ok(refused(&run, facts::refusal(program, &refusal), start)),
    }
}

fn refused(run: &Run, reason: Reason, start: Instant) -> Report {
    let mut report = run.unknown(reason.kind, String::new(), start.elapsed().as_secs_f64());
    report.reason = Some(reason);
    report
}

/// Checks a certificate against the instructions of the program.
fn independent(program: &Program, certificate: &Certificate, budget: &Budget) -> Result<(), No> {
    if certificate.bounds.any_number {
        return Err(No::Outside(Outside::AnyNumber, Place::UNKNOWN));
    }
    let literal = |l: &Literal| (l.latch.clone(), l.value);
    let never = certificate.never.iter().map(|never| never.iter().map(literal).collect());
    let never: Vec<Vec<(String, bool)>> = never.collect();
    let claim = Claim { legend: &certificate.legend, never: &never };
    let limits = Effort { deadline: budget.deadline, stop: budget.cancelled().into() };
    raddle_certificate::check(program, claim, &limits)
}
