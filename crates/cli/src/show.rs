//! `raddle show`: what raddle makes of a program.

use std::time::Instant;

use anyhow::bail;
use raddle_automaton::{Bounds, TooLarge};
use raddle_frontend::Options;
use raddle_ir::{FuncId, Program, print};
use raddle_summary::{Knowledge, Limits, Printer, Summary, summarise};

use crate::args::{ShowArgs, Stage};
use crate::watch::{self, End};
use crate::{analysis, load, output};

/// Nested operations of a term that are shown.
const LEVELS: u32 = 3;
/// The same for automata.
const AUTOMATON_LEVELS: u32 = 4;

/// Prints a stage.
pub fn run(args: &ShowArgs) -> anyhow::Result<u8> {
    let job = args.clone();
    let text = watched(move || text(&job))?;
    output::write(text.as_bytes());
    Ok(0)
}

/// Does some work with a large stack; a panic becomes an error.
pub fn watched<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    let limits = watch::Limits::new(Instant::now(), 0.0, None);
    match watch::run(&limits, move |_| work(), |(): ()| {}) {
        End::Done(result) => result,
        End::Time | End::Memory | End::Interrupted | End::Orphan => bail!("the memory is used up"),
        End::Panic(text) => bail!("a mistake in raddle: {text}"),
    }
}

fn text(args: &ShowArgs) -> anyhow::Result<String> {
    let checked = load::properties(&args.input.property)?;
    let keep_llvm = args.stage == Stage::Llvm;
    let options = Options { keep_llvm, ..load::options(&args.input, checked) };
    let loaded = load::with_options(&args.input, &options)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let program = &loaded.program;
    Ok(match args.stage {
        Stage::Llvm => {
            let show = |(file, text): &(String, String)| format!("; {file}\n{text}\n");
            loaded.llvm.iter().map(show).collect()
        }
        Stage::Program => program_text(program, args),
        Stage::Analysis => analysis::text(program),
        Stage::Cells => {
            let (knowledge, summary) = summary(program, args.unwind)?;
            printer(program, &knowledge, &summary).cells()
        }
        Stage::Skeleton => {
            let (knowledge, summary) = summary(program, args.unwind)?;
            printer(program, &knowledge, &summary).skeleton()
        }
        Stage::Automata => automata(program, args.dot)?,
    })
}

/// The automata of all classes of threads, as `lazy` has them at first: with names for a few objects and
/// parts of them. If that cuts something off that every execution comes to, there are more.
fn automata(program: &Program, dot: bool) -> anyhow::Result<String> {
    let facts = raddle_analysis::Facts::new(program);
    let mut bounds = Bounds { pure: true, ..Bounds::default() };
    loop {
        let mut terms = raddle_term::Terms::new();
        let made = raddle_automaton::automata(program, &facts, bounds, &mut terms, &|| false);
        let automata = match made {
            Ok(automata) => automata,
            Err(TooLarge::NoEntry) => bail!("there is no function main"),
            Err(TooLarge::Cells { count, place }) => {
                bail!("{}: more than {count} cells of memory", program.show_place(place))
            }
            Err(TooLarge::Terms { count, place }) => {
                bail!("{}: more than {count} terms", program.show_place(place))
            }
            Err(TooLarge::Stopped) => unreachable!("nobody stops it"),
        };
        match automata.needs(&terms, bounds) {
            Some(larger) => bounds = larger,
            None => {
                let (automata, terms) = (&automata, &terms);
                let levels = AUTOMATON_LEVELS;
                let printer = raddle_automaton::print::Printer { program, automata, terms, levels };
                return Ok(if dot { printer.dot() } else { printer.text() });
            }
        }
    }
}

fn printer<'a>(
    program: &'a Program,
    knowledge: &'a Knowledge,
    summary: &'a Summary,
) -> Printer<'a> {
    let Summary { skeleton, terms } = summary;
    Printer { program, knowledge, terms, skeleton, levels: LEVELS }
}

/// The summary within a bound, and what was learned on the way.
pub fn summary(program: &Program, unwind: u32) -> anyhow::Result<(Knowledge, Summary)> {
    let mut knowledge = Knowledge::new(program);
    let limits = Limits { unwind, ..Limits::default() };
    match summarise(program, &mut knowledge, &limits) {
        Some(summary) => Ok((knowledge, summary)),
        None => bail!("the time is up"),
    }
}

/// The program's text, possibly only of some functions.
fn program_text(program: &Program, args: &ShowArgs) -> String {
    let all = args.models && args.function.is_none();
    if all {
        return print::program(program);
    }
    let wanted = |id: &FuncId| {
        let function = program.function(*id);
        let named = args.function.as_ref().is_none_or(|part| function.name.contains(part));
        named && (args.models || args.function.is_some() || !function.is_model)
    };
    program
        .function_ids()
        .filter(wanted)
        .map(|id| print::function(program, program.function(id)) + "\n")
        .collect()
}
