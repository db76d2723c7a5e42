//! `raddle sequentialize`: the program without threads, for verifiers of sequential C.

use anyhow::{Context, bail};
use raddle_ir::{Property, PropertySet};
use raddle_sequential::{Scheme, Settings, Style};

use crate::args::{ChoiceStyle, SequentializeArgs};
use crate::{load, output, show};

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
