//! `raddle export`: the formula of a program, for other solvers.
//!
//! What is written is what a solver would be told by `--solver`, up to the first question; a
//! listener takes its place.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::Context;
use raddle_engines::staged::backend::{Lit, any_of};
use raddle_engines::staged::scene::Scene;
use raddle_engines::staged::smtlib::{Clocks, Smt, name};
use raddle_engines::staged::solver::{Conversation, Dialogue, Heard, SmtSolver};
use raddle_engines::staged::{Encoding, compose, encode, switches};
use raddle_engines::{Settings, Task};
use raddle_ir::Program;
use raddle_summary::{Skeleton, Summary};

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

/// Writes down what it is told and says nothing.
struct Listener(Arc<Mutex<String>>);

impl Conversation for Listener {
    fn send(&mut self, text: &str) -> Result<(), String> {
        self.0.lock().map_err(|e| e.to_string())?.push_str(text);
        Ok(())
    }

    fn hear(&mut self, _deadline: Option<Instant>) -> Heard {
        Heard::Ended
    }
}

fn text(args: &ExportArgs) -> anyhow::Result<String> {
    let checked = load::properties(&args.input.property)?;
    let loaded = load::program(&args.input, checked)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let (knowledge, Summary { skeleton, mut terms }) = show::summary(&loaded.program, args.unwind)?;
    let scene = Scene { program: &loaded.program, knowledge: &knowledge, skeleton: &skeleton };
    let settings =
        Settings { contexts: args.contexts, without: args.without.clone(), ..Settings::default() };
    let task = Task { program: &loaded.program, settings: &settings };
    let clocks = if args.vectors { Clocks::Vectors } else { Clocks::Integers };
    let heard = Arc::new(Mutex::new(String::new()));
    let ear = Arc::clone(&heard);
    let start = move || Ok(Box::new(Listener(Arc::clone(&ear))) as Box<dyn Conversation>);
    let listener = SmtSolver { name: "export".into(), clocks, start: Arc::new(start) };
    let dialogue = Dialogue::start(&listener, None).map_err(anyhow::Error::msg)?;
    let units = compose::units(&skeleton, switches(&settings, &skeleton).map_or(0, |n| n + 1));
    let backend = Box::new(Smt::new(units, clocks, dialogue));
    let mut encoding = encode(&task, scene, &mut terms, backend, None).context("the time is up")?;
    let goals = goals(&loaded.program, &skeleton, &encoding);
    let mut text = format!(
        "; Is a property violated within {} iterations of each loop? Each of these Booleans says that one is:\n",
        args.unwind
    );
    for (lit, what) in &goals {
        text += &format!("; {}: {what}\n", name(*lit));
    }
    let lits: Vec<Lit> = goals.iter().map(|g| g.0).collect();
    let backend = encoding.composition.backend.as_mut();
    let any = any_of(backend, &lits);
    backend.solve(any);
    let heard = heard.lock().map_err(|e| anyhow::anyhow!("{e}"))?;
    Ok(text + &heard)
}

/// What is asked, with words.
fn goals(program: &Program, skeleton: &Skeleton, encoding: &Encoding) -> Vec<(Lit, String)> {
    let at = |site| program.show_place(program.place(site));
    let violations = skeleton.violations.iter().zip(&encoding.violations);
    let violations = violations.map(|(v, &lit)| (lit, format!("{} at {}", v.property, at(v.site))));
    let races = encoding.groups.iter().flat_map(|group| {
        let [a, b] = group.sites(skeleton);
        let words = format!("races at {} and {}", at(a), at(b));
        group.selectors().into_iter().map(move |lit| (lit, words.clone()))
    });
    let deadlocks = encoding.deadlocks.iter().flat_map(|d| d.selectors());
    let deadlocks = deadlocks.map(|lit| (lit, "deadlocks".to_string()));
    violations.chain(races).chain(deadlocks).collect()
}
