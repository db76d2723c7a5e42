//! Hardware model checkers: the circuit of a program as a file for them, and their witnesses as findings.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use raddle_engines::circuit::export::{Export, NoCircuit};
use raddle_engines::{Budget, Outcome, Verdict, circuit};
use raddle_frontend::Loaded;
use raddle_ir::PropertySet;
use raddle_report::{Report, Run, facts};

use crate::args::InputArgs;
use crate::check::names;
use crate::{load, output};

/// The program with what is checked of it, and its circuit. Properties that circuits do not decide are
/// left out, unless they were asked for by name.
pub fn circuit(input: &InputArgs) -> anyhow::Result<(Loaded, PropertySet, Export)> {
    let asked = load::properties(&input.property)?;
    let checked = circuit::ROW.decided(asked);
    let left: PropertySet = asked.iter().filter(|p| !checked.contains(*p)).collect();
    if left != PropertySet::EMPTY {
        let text = format!("a circuit does not decide {}", names(left));
        anyhow::ensure!(input.property.is_empty(), text);
        output::remark(&format!("{text}: left out"));
    }
    let loaded = load::program(input, checked)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let export = match Export::new(&loaded.program, &Budget::default()) {
        Ok(export) => export,
        Err(NoCircuit::NoEntry) => bail!("the program has no `main`"),
        Err(NoCircuit::No(reason)) => bail!("{}", facts::reason(&loaded.program, &reason).text),
    };
    Ok((loaded, checked, export))
}

/// The finding that a witness shows, as a report.
pub fn finding(input: &InputArgs, witness: &Path, start: Instant) -> anyhow::Result<Report> {
    let bytes = std::fs::read(witness);
    let bytes = bytes.with_context(|| format!("cannot read {}", witness.display()))?;
    let (loaded, checked, mut export) = circuit(input)?;
    let program = &loaded.program;
    let confirmed = export
        .finding(program, &String::from_utf8_lossy(&bytes))
        .with_context(|| format!("{}: this witness shows no violation", witness.display()))?;
    let run = Run {
        version: env!("CARGO_PKG_VERSION").into(),
        files: input.files.iter().map(|f| f.display().to_string()).collect(),
        engine: "replay".into(),
        pointer_bits: input.pointer_bits(),
        checked,
        warnings: Vec::new(),
        missing: Vec::new(),
    };
    let mut outcome = Outcome::new(Verdict::Unsafe);
    outcome.findings.push(confirmed);
    Ok(run.report(program, &mut outcome, start.elapsed().as_secs_f64()))
}
