//! `raddle export`: the formula of a program, for other solvers.

use anyhow::Context;
use raddle_engines::staged::smtlib::{self, Clocks, Options};

use crate::args::ExportArgs;
use crate::{load, output, show};

/// Writes the formula.
pub fn run(args: &ExportArgs) -> anyhow::Result<u8> {
    let job = args.clone();
    let text = show::watched(move || text(&job))?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => output::write(text.as_bytes()),
    }
    Ok(0)
}

fn text(args: &ExportArgs) -> anyhow::Result<String> {
    let checked = load::properties(&args.input.property)?;
    let loaded = load::program(&args.input, checked)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let (knowledge, mut skeleton) = show::summary(&loaded.program, args.unwind)?;
    let clocks = if args.vectors { Clocks::Vectors } else { Clocks::Integers };
    let options = Options { clocks, contexts: args.contexts, deadline: None };
    let script = smtlib::encode(&loaded.program, &knowledge, &mut skeleton, options)
        .context("the time is up")?;
    let goals: Vec<String> =
        (0..skeleton.violations.len()).map(|i| format!("violation{i}")).collect();
    let mut text = format!(
        "; Is a property violated within {} iterations of each loop? Data races and deadlocks are left out.\n",
        args.unwind
    );
    for (i, violation) in skeleton.violations.iter().enumerate() {
        let at = loaded.program.show_place(loaded.program.place(violation.site));
        text += &format!("; violation{i}: {} at {at}\n", violation.property);
    }
    Ok(text + &script.text + &smtlib::question(&goals))
}
