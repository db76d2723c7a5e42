//! `raddle export`: the formula of a program, or its circuit, for other solvers and model checkers.

use std::path::PathBuf;

use anyhow::Context;
use raddle_engines::bounded::scene::Scene;
use raddle_engines::bounded::solver::Numbers;
use raddle_engines::circuit::export::AigerFormat;
use raddle_engines::staged::export::{Wrong, export};
use raddle_engines::{Settings, Task, staged};
use raddle_ir::Program;
use raddle_summary::Summary;

use crate::args::ExportArgs;
use crate::{hardware, load, output, show};

/// Writes the file.
pub fn run(args: &ExportArgs) -> anyhow::Result<u8> {
    let job = args.clone();
    let bytes = show::watched(move || bytes(&job))?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, bytes)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => output::write(&bytes),
    }
    Ok(0)
}

fn bytes(args: &ExportArgs) -> anyhow::Result<Vec<u8>> {
    if args.smtlib {
        return Ok(text(args)?.into_bytes());
    }
    let (_, _, export) = hardware::circuit(&args.input)?;
    if args.btor2 {
        return Ok(export.btor2().into_bytes());
    }
    let is_binary = |path: &PathBuf| path.extension().is_some_and(|e| e == "aig");
    let binary = args.output.as_ref().is_some_and(is_binary);
    Ok(export.aiger(if binary { AigerFormat::Binary } else { AigerFormat::Text }))
}

fn text(args: &ExportArgs) -> anyhow::Result<String> {
    let checked = load::properties(&args.input.property)?;
    let loaded = load::program(&args.input, checked)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let program = &loaded.program;
    let (knowledge, Summary { skeleton, terms }) = show::summary(program, args.unwind)?;
    let settings = Settings { contexts: args.contexts, ..Settings::default() };
    let off = staged::SWITCHES.iter().filter(|s| args.without.iter().any(|name| name == s.name));
    let task = Task { program, settings: &settings };
    let scene = Scene { program, knowledge: &knowledge, skeleton: &skeleton };
    let numbers = if args.vectors { Numbers::Vectors } else { Numbers::Integers };
    let formula =
        export(&task, off.collect(), (scene, terms), numbers).map_err(anyhow::Error::msg)?;
    let mut text = format!(
        "; Is a property violated within {} iterations of each loop? Each of these Booleans says that one is:\n",
        args.unwind
    );
    for (name, wrong) in &formula.goals {
        text += &format!("; {name}: {}\n", words(program, *wrong));
    }
    Ok(text + &formula.text)
}

/// What goes wrong, in words.
fn words(program: &Program, wrong: Wrong) -> String {
    let at = |site| program.show_place(program.place(site));
    match wrong {
        Wrong::Violation(property, site) => format!("{property} at {}", at(site)),
        Wrong::Race([a, b]) => format!("races at {} and {}", at(a), at(b)),
        Wrong::Deadlock => "deadlocks".to_string(),
    }
}
