//! `raddle sequentialize`: the program without threads, for verifiers of sequential C.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use raddle_ir::{Property, PropertySet};
use raddle_sequential::{Scheme, Settings, Style};

use crate::args::InputArgs;
use crate::{load, output, show};

/// What `raddle sequentialize --help` says at its end.
pub const EXAMPLES: &str = "\
Schemes (what is guessed, and what the bound counts):
  fine-explicit   all writes to shared memory (--writes); every variable tabulated at every position
  fine-implicit   all writes; a read looks for the last write of its variable
  fine-mixed      all writes; scalar variables tabulated, arrays and the heap looked for (default)
  coarse-intra    clusters of writes of one thread (--writes clusters); for programs with many writes
  coarse-inter    clusters in which all threads take their turn
  context         what one thread does between two context switches (--contexts switches)

Examples:
  raddle sequentialize prog.c -o seq.c                    12 writes
  raddle sequentialize --writes 20 --style cbmc prog.c -o seq.c && cbmc --unwind 21 seq.c
  raddle sequentialize --scheme context --contexts 4 prog.c -o seq.c
  raddle check --property assertions seq.c                it is a C program: raddle reads it, too

An assertion of seq.c fails iff the same one fails in an execution of the program within the bounds:
assertions, reach_error and code declared unreachable, nothing else. Lines are the user's (#line). Memory errors are not looked
for: check --property memory first. What has no translation is an assertion `not translated: …`.
docs/sequentialize.md explains how to read the result.";

/// Options of `raddle sequentialize`.
#[derive(Args, Debug, Clone)]
pub struct SequentializeArgs {
    /// How threads are put in sequence
    #[arg(long, default_value = "fine-mixed", value_parser = scheme_names())]
    pub scheme: String,

    /// Most writes to shared memory, locks and unlocks included (fine), or clusters of them
    /// (coarse) [default: 12 or 4]
    #[arg(long, value_name = "N", conflicts_with = "contexts")]
    pub writes: Option<u32>,

    /// Most context switches (context) [default: 4]
    #[arg(long, value_name = "N")]
    pub contexts: Option<u32>,

    /// How choices and assertions are written
    #[arg(long, value_enum, default_value_t = ChoiceStyle::Svcomp)]
    pub style: ChoiceStyle,

    /// Most threads, main included [default: an estimate; the head of the file says which]
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,

    /// Cells of 8 bytes for each kind of memory that is allocated at run time [default: an
    /// estimate]
    #[arg(long, value_name = "N")]
    pub heap: Option<u32>,

    /// Most iterations of each loop [default: left to the verifier]
    #[arg(short, long, value_name = "N")]
    pub unwind: Option<u32>,

    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub input: InputArgs,
}

/// Verifiers for sequential programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ChoiceStyle {
    /// __VERIFIER_nondet_…, __VERIFIER_assume, reach_error
    Svcomp,
    /// nondet_…, __CPROVER_assume, __CPROVER_assert
    Cbmc,
    /// nondet_…, __ESBMC_assume, __ESBMC_assert
    Esbmc,
}

fn scheme_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Scheme::ALL.iter().map(|(_, name)| *name))
}

/// Writes, clusters and context switches if the user gives no number.
const WRITES: u32 = 12;
const CLUSTERS: u32 = 4;
const CONTEXTS: u32 = 4;

/// Writes the program.
pub fn run(args: &SequentializeArgs) -> anyhow::Result<u8> {
    let settings = settings(args)?;
    let job = args.clone();
    let text = show::watched(move || text(&job, &settings))?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => output::write(text.as_bytes()),
    }
    Ok(0)
}

/// What the options mean together.
pub fn settings(args: &SequentializeArgs) -> anyhow::Result<Settings> {
    let found = Scheme::ALL.iter().find(|(_, name)| *name == args.scheme);
    let (scheme, _) = found.context("an unknown scheme")?;
    let bound = match scheme {
        Scheme::Context if args.writes.is_some() => {
            bail!("--scheme context counts context switches: use --contexts")
        }
        Scheme::Context => args.contexts.unwrap_or(CONTEXTS),
        Scheme::FineExplicit
        | Scheme::FineImplicit
        | Scheme::FineMixed
        | Scheme::CoarseIntra
        | Scheme::CoarseInter => {
            if args.contexts.is_some() {
                bail!(
                    "--contexts is for --scheme context; --scheme {} counts --writes",
                    args.scheme
                );
            }
            args.writes.unwrap_or(if scheme.is_fine() { WRITES } else { CLUSTERS })
        }
    };
    let style = match args.style {
        ChoiceStyle::Svcomp => Style::Svcomp,
        ChoiceStyle::Cbmc => Style::Cbmc,
        ChoiceStyle::Esbmc => Style::Esbmc,
    };
    let output_name =
        args.output.as_ref().map_or("sequential.c".into(), |p| p.display().to_string());
    let (threads, heap, unwind) = (args.threads, args.heap, args.unwind);
    Ok(Settings { scheme: *scheme, style, bound, threads, heap, unwind, output_name })
}

/// The program as text.
pub fn text(args: &SequentializeArgs, settings: &Settings) -> anyhow::Result<String> {
    let loaded = load::program(&args.input, checked(&args.input.property)?)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    Ok(raddle_sequential::sequentialize(&loaded.program, settings)?)
}

/// What is checked: assertions in the wide sense, or those that the user names.
fn checked(specs: &[String]) -> anyhow::Result<PropertySet> {
    let possible: PropertySet = [Property::Assertions, Property::Unreach].into_iter().collect();
    if specs.is_empty() {
        return Ok(possible);
    }
    let asked = load::properties(specs)?;
    if let Some(other) = asked.iter().find(|p| !possible.contains(*p)) {
        bail!(
            "a sequential program can only be checked for assertions and reach-error, not for {other}"
        );
    }
    Ok(asked)
}
