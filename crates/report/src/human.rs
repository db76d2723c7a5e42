//! The report as text for people.
//!
//! Order: findings, most serious first, each with its source lines, the interleaving, the inputs
//! and how to see it again; then remarks, figures and at the very end the verdict. The last
//! line is always `VERDICT: …`, which programs read too.

use crate::data::{Answer, Finding, Missing, Report, Spot, Stack, Verdict};
use crate::paint::{Look, Paint};
use crate::sources::Sources;
use crate::wording::counted;
use crate::{columns, effort, expressions, snippet};

/// How the text looks.
#[derive(Clone, Debug)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// All steps and all figures.
    pub verbose: bool,
    /// Headlines only.
    pub quiet: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { colour: false, width: 100, verbose: false, quiet: false }
    }
}

/// Findings shown with their interleaving; of the others only source lines, unless everything is
/// shown.
const FULL: usize = 3;

/// The whole report.
pub fn render(report: &Report, sources: &Sources, style: &Style) -> String {
    let mut text = String::new();
    for (index, finding) in report.findings.iter().enumerate() {
        let full = style.verbose || index < FULL;
        text += &finding_text(finding, index, sources, style, full);
        text.push('\n');
    }
    if report.findings.len() > FULL && !style.verbose && !style.quiet {
        text += &format!(
            "The interleavings of {} more findings are shown with -v.\n\n",
            report.findings.len() - FULL
        );
    }
    text += &summary(report, style);
    text
}

/// One finding.
fn finding_text(
    finding: &Finding,
    index: usize,
    sources: &Sources,
    style: &Style,
    full: bool,
) -> String {
    let paint = Paint { colour: style.colour };
    let headline = expressions::headline(finding);
    if style.quiet {
        let at = finding.marks.first().map(|m| format!("{}:{}: ", m.at.file, m.at.line));
        let at = at.unwrap_or_default();
        return format!("{at}{}: {headline}", finding.property);
    }
    let mut text = snippet::render(&finding.property, &headline, &finding.marks, sources, style);
    text.push('\n');
    for stack in &finding.stacks {
        text += &stack_text(stack);
    }
    if full && !finding.steps.is_empty() {
        let title = format!("How it happens (finding {}):", index + 1);
        text += &format!("\n{}\n", paint.paint(Look::Bold, &title));
        text += &steps(finding, sources, style);
    }
    text += &blocked(finding, style);
    if !finding.inputs.is_empty() {
        text += &format!("\n{}\n", paint.paint(Look::Bold, "With these inputs:"));
        for input in &finding.inputs {
            let at = input.at.as_ref().map(|at| format!(" at {}:{}", at.file, at.line));
            let at = at.unwrap_or_default();
            text += &format!("  {} = {} (thread {}{at})\n", input.name, input.value, input.thread);
        }
    }
    if let Some(trace) = &finding.trace {
        text += &format!("\nSee it again: raddle replay {trace}\n");
    }
    text
}

/// The execution; one without end in two parts.
fn steps(finding: &Finding, sources: &Sources, style: &Style) -> String {
    let Some(from) = finding.loop_from else {
        return columns::render(finding, sources, style);
    };
    let paint = Paint { colour: style.colour };
    let (stem, cycle) = finding.steps.split_at(from.min(finding.steps.len()));
    let part = |steps: &[crate::data::Step]| {
        let part = Finding { steps: steps.to_vec(), ..finding.clone() };
        if steps.is_empty() { String::new() } else { columns::render(&part, sources, style) }
    };
    let title = match cycle {
        [] if finding.blocked.is_empty() => "From here on nothing happens any more.",
        _ => "From here on for ever:",
    };
    let title = paint.paint(Look::Bold, title);
    format!("{}{title}\n{}", part(stem), part(cycle))
}

/// How a thread came to where it is.
fn stack_text(stack: &Stack) -> String {
    let mut text = format!("thread {}: in ", stack.thread);
    for (i, call) in stack.calls.iter().enumerate() {
        let at = call.at.as_ref().map(|at| format!(" ({}:{})", at.file, at.line));
        let before = if i == 0 { "" } else { ", called from " };
        text += &format!("{before}{}{}", call.function, at.unwrap_or_default());
        // What a function is called by where it is a macro that calls it.
        let callee = i.checked_sub(1).map(|below| &stack.calls[below].function);
        let hidden = |e: &&String| callee.is_some_and(|f| expressions::name(e) != f);
        if let Some(expression) = call.expression.as_ref().filter(hidden) {
            text += &format!(" in `{expression}`");
        }
    }
    text + "\n"
}

/// Who waits for what at the end of a deadlock.
fn blocked(finding: &Finding, style: &Style) -> String {
    let paint = Paint { colour: style.colour };
    if finding.blocked.is_empty() {
        return String::new();
    }
    let several = columns::several_files(finding);
    let line = |at: &Spot| match several {
        true => format!("{}:{}", at.file, at.line),
        false => format!("line {}", at.line),
    };
    let mut text = format!("\n{}\n", paint.paint(Look::Bold, "These threads wait for ever:"));
    for thread in &finding.blocked {
        let at = thread.at.as_ref().map(|at| format!(" at {}", line(at))).unwrap_or_default();
        text += &format!("  thread {} waits{at} for {}\n", thread.thread, thread.waits_for);
        for (lock, at) in &thread.holds {
            let at = at.as_ref().map(|at| format!(", taken at {}", line(at)));
            text += &format!("    and holds {lock}{}\n", at.unwrap_or_default());
        }
    }
    text
}

/// Remarks, figures, verdict.
fn summary(report: &Report, style: &Style) -> String {
    let paint = Paint { colour: style.colour };
    let mut text = String::new();
    if !style.quiet {
        for note in &report.notes {
            text += &format!("note: {}\n", note.text);
        }
        let figures: Vec<String> =
            report.statistics.iter().map(|s| counted(s.value, &s.name)).collect();
        let mut line = format!("{}: {}", report.engine, report.properties.join(", "));
        for figure in figures.into_iter().chain([format!("{:.2} s", report.seconds)]) {
            line += &format!("; {figure}");
        }
        text += &paint.paint(Look::Dim, &line);
        text.push('\n');
    }
    let look = match report.verdict {
        Verdict::Safe => Look::Good,
        Verdict::Unsafe => Look::Bad,
        Verdict::Bounded | Verdict::Unknown => Look::Careful,
    };
    if !style.quiet {
        text += &answers(report);
    }
    text += &explanation(report);
    if !style.quiet {
        text += &effort::text(report);
    }
    text += &paint.paint(look, &format!("VERDICT: {}", report.verdict.word()));
    text.push('\n');
    text
}

/// A table of the answers, if properties were looked at apart from each other.
fn answers(report: &Report) -> String {
    if report.answers.len() < 2 {
        return String::new();
    }
    let names: Vec<String> = report.answers.iter().map(|a| a.properties.join(", ")).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (name, answer) in names.iter().zip(&report.answers) {
        let (word, why) = (answer.verdict.word(), why(answer));
        text += format!("  {name:width$}  {word:7}  {why}").trim_end();
        text.push('\n');
    }
    text
}

/// What an answer rests on, in a few words.
fn why(answer: &Answer) -> String {
    match answer.verdict {
        Verdict::Safe => answer.ground.as_ref().map_or(String::new(), |g| g.text.clone()),
        Verdict::Unsafe if answer.findings == 1 => "1 finding".into(),
        Verdict::Unsafe => format!("{} findings", answer.findings),
        Verdict::Bounded => {
            let first = answer.bounds.first().map_or("", |b| &b.text);
            let more = answer.bounds.len().saturating_sub(1);
            let more = if more == 0 { String::new() } else { format!(", and {more} more") };
            format!("{first}{more}")
        }
        Verdict::Unknown => answer.reason.as_ref().map_or(String::new(), |r| r.text.clone()),
    }
}

/// The verdict in words.
fn explanation(report: &Report) -> String {
    match report.verdict {
        Verdict::Safe => match &report.ground {
            Some(ground) => format!("No execution violates a checked property: {}.\n", ground.text),
            None => "No execution violates a checked property.\n".into(),
        },
        Verdict::Unsafe => match report.findings.len() {
            1 => "1 finding, replayed by the interpreter.\n".into(),
            n => format!("{n} findings, each replayed by the interpreter.\n"),
        },
        Verdict::Bounded => {
            let mut text = String::from("Nothing was found within these bounds:\n");
            for bound in &report.bounds {
                text += &format!("  - {}\n", bound.text);
            }
            text
        }
        Verdict::Unknown => match &report.reason {
            Some(reason) => {
                let at = reason.at.as_ref().filter(|at| at.line != 0);
                let at = at.map(|at| format!("{}:{}: ", at.file, at.line)).unwrap_or_default();
                format!("No answer: {at}{}.\n{}", reason.text, missing(&report.missing))
            }
            None => "No answer.\n".into(),
        },
    }
}

/// Lines of one entry of the list that are named.
const LINES: usize = 6;

/// All that is not modelled, unless the reason has said it.
fn missing(list: &[Missing]) -> String {
    if list.iter().map(|m| m.at.len().max(1)).sum::<usize>() < 2 {
        return String::new();
    }
    let mut text = String::from("Not modelled, of all that main leads to (reached first):\n");
    for missing in list {
        let mark = if missing.reached { "reached" } else { "" };
        let times = match missing.at.len() {
            0 => String::new(),
            1 => " (once)".into(),
            n => format!(" ({n} times)"),
        };
        let at = missing.at.iter().take(LINES).map(|at| format!("{}:{}", at.file, at.line));
        let mut at: Vec<String> = at.collect();
        at.dedup();
        if missing.at.len() > LINES {
            at.push("…".into());
        }
        let colon = if at.is_empty() { "" } else { ": " };
        text += &format!("  {mark:7}  {}{times}{colon}{}\n", missing.what, at.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{
        Action, ActionKind, Bound, BoundKind, Ground, GroundKind, Mark, Reason, ReasonKind, SCHEMA,
        Step, Thread,
    };

    fn spot(line: u32) -> Spot {
        Spot { file: "a.c".into(), line, column: 1 }
    }

    fn step(thread: u32, line: u32, object: &str) -> Step {
        let value = Some("7".to_string());
        Step {
            thread,
            at: Some(spot(line)),
            function: "f".into(),
            actions: vec![Action { kind: ActionKind::Write, object: object.into(), value }],
            holds: if thread == 2 { vec!["m".into()] } else { Vec::new() },
            local: object == "local",
        }
    }

    fn finding(threads: u32, steps: Vec<Step>) -> Finding {
        let thread = |number| Thread { number, function: format!("run{number}") };
        Finding {
            property: "assertions".into(),
            headline: "assertion `x` failed".into(),
            expression: None,
            marks: vec![Mark { at: spot(2), label: "in thread 1".into() }],
            stacks: Vec::new(),
            threads: (1..=threads).map(thread).collect(),
            inputs: Vec::new(),
            steps,
            loop_from: None,
            blocked: Vec::new(),
            trace: Some("bug.trace".into()),
        }
    }

    fn report(verdict: Verdict, findings: Vec<Finding>) -> Report {
        Report {
            schema: SCHEMA,
            raddle: "0".into(),
            files: vec!["a.c".into()],
            engine: "test".into(),
            pointer_bits: 64,
            properties: vec!["assertions".into()],
            verdict,
            answers: Vec::new(),
            ground: Some(Ground { kind: GroundKind::Exhaustion, text: "every execution".into() }),
            bounds: vec![Bound {
                kind: BoundKind::Loop,
                text: "loop at a.c:3 unrolled up to bound 4".into(),
                limit: Some(4),
                at: Some(spot(3)),
            }],
            reason: Some(Reason {
                kind: ReasonKind::Unsupported,
                text: "inline assembly is not modelled".into(),
                at: Some(spot(3)),
            }),
            missing: Vec::new(),
            findings,
            statistics: Vec::new(),
            stages: Vec::new(),
            effort: Vec::new(),
            advice: Vec::new(),
            notes: Vec::new(),
            seconds: 0.5,
        }
    }

    fn show(report: &Report, style: &Style) -> String {
        let mut sources = Sources::default();
        sources.add("a.c", b"int x;\nx = 7;\ny = 7;\nlocal = 7;\n");
        render(report, &sources, style)
    }

    #[test]
    fn threads_stand_side_by_side_while_there_is_room() {
        let steps = vec![step(1, 2, "x"), step(1, 4, "local"), step(2, 3, "y"), step(1, 2, "x")];
        let report = report(Verdict::Unsafe, vec![finding(2, steps)]);
        let text = show(&report, &Style::default());
        assert!(text.contains("│ thread 1: run1"), "{text}");
        assert!(text.contains("    2 │ x = 7;"), "{text}");
        assert!(text.contains("  holds m"), "{text}");
        assert!(!text.contains("local"), "{text}");
        assert_eq!(text.matches("╌┼").count(), 4, "two switches of two columns: {text}");
        let narrow = show(&report, &Style { width: 50, ..Style::default() });
        assert!(narrow.contains("── thread 2: run2 ─"), "{narrow}");
        let all = show(&report, &Style { verbose: true, ..Style::default() });
        assert!(all.contains("writes local = 7"), "{all}");
    }

    #[test]
    fn long_runs_are_cut_in_the_middle() {
        let steps: Vec<Step> = (0..400).map(|i| step(1 + i % 2, 2, "x")).collect();
        let report = report(Verdict::Unsafe, vec![finding(2, steps)]);
        let text = show(&report, &Style::default());
        assert!(text.contains("280 entries left out"), "{text}");
        assert!(text.lines().count() < 500);
        assert!(show(&report, &Style { verbose: true, ..Style::default() }).lines().count() > 800);
    }

    #[test]
    fn all_that_is_missing_is_listed() {
        let mut report = report(Verdict::Unknown, Vec::new());
        let missing = |what: &str, lines: &[u32], reached| {
            let at = lines.iter().map(|l| spot(*l)).collect();
            Missing { what: what.into(), function: None, at, reached }
        };
        report.missing = vec![missing("f", &[3], true)];
        let text = show(&report, &Style::default());
        assert!(!text.contains("main leads to"), "the reason says it: {text}");
        report.missing.push(missing("g", &[4, 7], false));
        let text = show(&report, &Style::default());
        assert!(text.contains("  reached  f (once): a.c:3\n"), "{text}");
        assert!(text.contains("           g (2 times): a.c:4, a.c:7\n"), "{text}");
    }

    #[test]
    fn verdicts_in_words() {
        let cases = [
            (Verdict::Safe, "No execution violates a checked property: every execution."),
            (Verdict::Bounded, "  - loop at a.c:3 unrolled up to bound 4"),
            (Verdict::Unknown, "No answer: a.c:3: inline assembly is not modelled."),
        ];
        for (verdict, words) in cases {
            for quiet in [false, true] {
                let style = Style { quiet, ..Style::default() };
                let text = show(&report(verdict, Vec::new()), &style);
                assert!(text.contains(words), "{text}");
                let last = format!("VERDICT: {}\n", verdict.word());
                assert!(text.ends_with(&last), "{text}");
            }
        }
    }
}
