//! A crash still gives a verdict.
//!
//! `raddle check` runs itself again as a child and waits. If the child ends by a signal (an
//! allocation that fails, a stack that overflows, the kernel's out-of-memory killer), the parent
//! prints the verdict UNKNOWN with the reason, which the child no longer could. If the parent is
//! ended, the child notices and ends as well; signals that end it politely are passed on
//! ([`interrupt`]). This costs about a millisecond; `--unsupervised` does without.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use raddle_ir::PropertySet;
use raddle_report::Run;
use raddle_report::data::ReasonKind;

use crate::args::CheckArgs;
use crate::{EXIT_INTERNAL, interrupt, output, watch};

/// Runs the command line again in a child and takes over its exit code.
pub fn run(args: &CheckArgs, words: &[OsString]) -> anyhow::Result<u8> {
    let start = Instant::now();
    let program = std::env::current_exe().context("cannot find raddle's own program file")?;
    let check = words.iter().position(|w| w == "check").map_or(1, |i| i + 1);
    let mut child = Command::new(program)
        .args(words.iter().take(check).skip(1))
        .arg(format!("--supervisor={}", std::process::id()))
        .args(words.iter().skip(check))
        .stdin(Stdio::piped())
        .spawn()
        .context("cannot run raddle's own program file")?;
    interrupt::pass_on(child.stdin.take())?;
    let status = child.wait().context("cannot wait for raddle's own program")?;
    if let Some(code) = status.code() {
        return Ok(u8::try_from(code).unwrap_or(EXIT_INTERNAL));
    }
    let signal = status.signal().unwrap_or(0);
    let (kind, text) = reason(signal);
    let run = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: args.input.files.iter().map(|f| f.display().to_string()).collect(),
        engine: args.engine.clone(),
        pointer_bits: args.input.pointer_bits(),
        checked: PropertySet::EMPTY,
        warnings: Vec::new(),
        missing: Vec::new(),
    };
    let report = run.unknown(kind, text, start.elapsed().as_secs_f64());
    let verdict = report.verdict;
    output::report(report, &args.output);
    Ok(if kind == ReasonKind::Memory { verdict.exit_code() } else { EXIT_INTERNAL })
}

/// What a signal means.
fn reason(signal: i32) -> (ReasonKind, String) {
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    const SIGSEGV: i32 = 11;
    match signal {
        SIGABRT if watch::address_space_limit().is_some() => {
            (ReasonKind::Memory, "an allocation failed under the limit on the address space".into())
        }
        SIGKILL => (ReasonKind::Memory, "raddle was killed, perhaps for lack of memory".into()),
        SIGABRT => (ReasonKind::Internal, "raddle aborted (signal 6)".into()),
        SIGSEGV => (ReasonKind::Internal, "raddle crashed (signal 11)".into()),
        other => (ReasonKind::Internal, format!("raddle was ended by signal {other}")),
    }
}
