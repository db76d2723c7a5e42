//! To the terminal: how wide it is, whether it shows colours, and writing without failing.

use std::io::{IsTerminal, Write};

use raddle_report::{Report, Sources, Style, expressions, human, json};

use crate::args::{Colour, Format, OutputArgs};

/// Columns where the output is no terminal.
const WIDTH: usize = 100;
/// Wider tables are no easier to read.
const WIDEST: usize = 200;

/// Writes to standard output. A reader that went away is no error: the exit code still says it all.
pub fn write(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Prints an error message.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "raddle: error: {}", text.trim_end());
}

/// Prints a remark that is not part of the report.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "raddle: {}", text.trim_end());
}

/// How the report shall look.
pub fn style(args: &OutputArgs) -> Style {
    let terminal = std::io::stdout().is_terminal();
    let colour = match args.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let forbidden = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
            terminal && !forbidden && !dumb
        }
    };
    let width = if terminal {
        terminal_size::terminal_size().map_or(WIDTH, |(w, _)| usize::from(w.0).min(WIDEST))
    } else {
        WIDTH
    };
    Style { colour, width, verbose: args.verbose, quiet: args.quiet }
}

/// Prints a report.
pub fn report(mut report: Report, args: &OutputArgs) {
    let sources = sources(&report);
    expressions::fill(&mut report, &sources);
    let text = match args.format {
        Format::Json => json::render(&report),
        Format::Human => human::render(&report, &sources, &style(args)),
    };
    write(text.as_bytes());
}

/// Reads the source files that a report speaks of, as far as possible.
fn sources(report: &Report) -> Sources {
    let mut sources = Sources::default();
    for finding in &report.findings {
        let marks = finding.marks.iter().map(|m| &m.at);
        let steps = finding.steps.iter().filter_map(|s| s.at.as_ref());
        let calls = finding.stacks.iter().flat_map(|s| &s.calls).filter_map(|c| c.at.as_ref());
        for at in marks.chain(steps).chain(calls) {
            if sources.text(&at.file).is_none()
                && let Ok(bytes) = std::fs::read(&at.file)
            {
                sources.add(&at.file, &bytes);
            }
        }
    }
    sources
}
