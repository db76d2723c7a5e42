//! The interleaving as a table: a column per thread, time runs downward.
//!
//! Steps of one thread at one source line form a *row group*: the line itself, then what it did
//! with values. A dashed rule is a context switch. Steps that only their own thread can notice are
//! condensed to a count, and the middle of a very long execution is left out; both can be shown
//! in full. When the columns would be too narrow to read, the same groups are
//! listed below each other with a heading at each switch.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::data::{ActionKind, Finding, Spot, Step};
use crate::human::Style;
use crate::paint::{Look, Paint};
use crate::sources::Sources;

/// Columns narrower than this are no longer readable.
const NARROWEST: usize = 24;
/// Shorter runs of local steps are left out, longer ones are counted.
const LOCAL_RUN: usize = 5;
/// Row groups shown at the start and at the end of a long execution.
const KEPT: (usize, usize) = (30, 90);

/// What stands in one row group.
struct Group {
    /// The thread; `None` where groups are left out.
    thread: Option<u32>,
    /// For the gutter.
    place: String,
    /// The lines of the cell.
    lines: Vec<(Look, String)>,
}

/// The table of a finding.
pub fn render(finding: &Finding, sources: &Sources, style: &Style) -> String {
    let groups = shorten(groups(finding, sources, style), style);
    let gutter = groups.iter().map(|g| g.place.width()).max().unwrap_or(0).max(4);
    let threads: Vec<u32> = finding
        .threads
        .iter()
        .map(|t| t.number)
        .filter(|n| groups.iter().any(|g| g.thread == Some(*n)))
        .collect();
    let widths = widths(&groups, &threads, style.width.saturating_sub(gutter + 2));
    match widths {
        Some(widths) => table(finding, &groups, &threads, gutter, &widths, style),
        None => list(finding, &groups, gutter, style),
    }
}

/// The width of each thread's column: what it needs if there is room, else fair shares of it;
/// `None` if that is too narrow to read.
fn widths(groups: &[Group], threads: &[u32], room: usize) -> Option<Vec<usize>> {
    let room = room.checked_sub(2 * threads.len())?;
    let needs = |thread: &u32| {
        let mine = groups.iter().filter(|g| g.thread == Some(*thread));
        let longest = mine.flat_map(|g| &g.lines).map(|(_, line)| line.width()).max();
        longest.unwrap_or(0).max(NARROWEST)
    };
    let needs: Vec<usize> = threads.iter().map(needs).collect();
    // The largest share with which all columns fit, found from the needs in ascending order.
    let mut sorted = needs.clone();
    sorted.sort_unstable();
    let (mut left, mut share) = (room, usize::MAX);
    for (index, need) in sorted.iter().enumerate() {
        let fair = left / (sorted.len() - index);
        if *need > fair {
            share = fair;
            break;
        }
        left -= need;
    }
    let readable = share >= NARROWEST || threads.len() <= 1;
    readable.then(|| needs.iter().map(|need| (*need).min(share).max(NARROWEST)).collect())
}

/// One group per thread and source line; runs of local steps become one group.
fn groups(finding: &Finding, sources: &Sources, style: &Style) -> Vec<Group> {
    let several = several_files(finding);
    let mut groups = Vec::new();
    let mut rest = finding.steps.as_slice();
    while let Some(first) = rest.first() {
        let hides = |s: &Step| s.local && !style.verbose;
        // Local steps on the line of a visible one belong to it and say nothing more.
        let joins = |s: &&Step| {
            s.thread == first.thread
                && if hides(first) { hides(s) } else { same_line(&s.at, &first.at) }
        };
        let count = rest.iter().take_while(joins).count();
        let (run, later) = rest.split_at(count);
        rest = later;
        let next = rest.first().filter(|s| s.thread == first.thread);
        if hides(first) {
            groups.extend(condensed(run, next));
            continue;
        }
        let source = first.at.as_ref().and_then(|at| sources.line(&at.file, at.line));
        let title = source.filter(|line| !line.is_empty()).unwrap_or(&first.function);
        let mut lines = vec![(Look::Plain, title.to_string())];
        for action in run.iter().filter(|s| !hides(s)).flat_map(|s| &s.actions) {
            let look = if action.kind == ActionKind::Violation { Look::Bad } else { Look::Bold };
            lines.push((look, format!("  {}", action.text())));
        }
        let holds = &run.last().expect("a run is not empty").holds;
        // A switch that only local steps of others fill is not shown, so it is none here.
        let visible = rest.iter().find(|s| !hides(s));
        let switches = visible.is_none_or(|s| s.thread != first.thread);
        if switches && !holds.is_empty() {
            lines.push((Look::Careful, format!("  holds {}", holds.join(", "))));
        }
        let place = first.at.as_ref().map(|at| place(at, several)).unwrap_or_default();
        groups.push(Group { thread: Some(first.thread), place, lines });
    }
    groups
}

fn same_line(a: &Option<Spot>, b: &Option<Spot>) -> bool {
    let line = |at: &Option<Spot>| at.as_ref().map(|at| (at.file.clone(), at.line));
    line(a) == line(b)
}

/// Whether more than one file takes part, so that a line alone does not say where.
pub fn several_files(finding: &Finding) -> bool {
    let steps = finding.steps.iter().filter_map(|s| s.at.as_ref());
    let marks = finding.marks.iter().map(|m| &m.at).filter(|at| at.line != 0);
    let mut files = steps.chain(marks).map(|at| &at.file);
    let first = files.next();
    files.any(|file| Some(file) != first)
}

fn place(at: &Spot, several: bool) -> String {
    if several {
        let name = at.file.rsplit('/').next().unwrap_or(&at.file);
        format!("{name}:{}", at.line)
    } else {
        at.line.to_string()
    }
}

/// A run of local steps as a count of source lines, without those that the next group shows.
fn condensed(run: &[Step], next: Option<&Step>) -> Option<Group> {
    let mut places: Vec<_> = run.iter().map(|s| &s.at).collect();
    places.dedup_by(|a, b| same_line(a, b));
    if let Some(next) = next
        && places.last().is_some_and(|at| same_line(at, &next.at))
    {
        places.pop();
    }
    if places.len() < LOCAL_RUN {
        return None;
    }
    let words = format!("({} local steps)", places.len());
    let thread = run.first().map(|s| s.thread);
    Some(Group { thread, place: "·".into(), lines: vec![(Look::Dim, words)] })
}

/// Leaves the middle of a long execution out.
fn shorten(mut groups: Vec<Group>, style: &Style) -> Vec<Group> {
    let (head, tail) = KEPT;
    if style.verbose || groups.len() <= head + tail + 1 {
        return groups;
    }
    let missing = groups.len() - head - tail;
    let note = format!("… {missing} entries left out, -v shows them");
    let gap = Group { thread: None, place: "⋮".into(), lines: vec![(Look::Dim, note)] };
    groups.splice(head..head + missing, [gap]);
    groups
}

fn heading(finding: &Finding, number: u32) -> String {
    let function = finding.threads.iter().find(|t| t.number == number);
    format!("thread {number}: {}", function.map_or("?", |t| t.function.as_str()))
}

fn table(
    finding: &Finding,
    groups: &[Group],
    threads: &[u32],
    gutter: usize,
    widths: &[usize],
    style: &Style,
) -> String {
    let paint = Paint { colour: style.colour };
    let rule = |fill: &str, cross: &str| {
        let mut line = fill.repeat(gutter + 2);
        for width in widths {
            line += cross;
            line += &fill.repeat(width + 1);
        }
        paint.paint(Look::Dim, &line) + "\n"
    };
    let bar = paint.paint(Look::Dim, "│");
    let mut text = format!(" {:>gutter$} ", "line");
    for (number, width) in threads.iter().zip(widths) {
        let cell = fit(&heading(finding, *number), *width);
        text += &format!("{bar} {}", paint.paint(Look::Bold, &pad(&cell, *width)));
    }
    text = text.trim_end().to_string() + "\n" + &rule("─", "┼");
    let mut last = None;
    for group in groups {
        if last.is_some() && last != Some(group.thread) {
            text += &rule("╌", "┼");
        }
        last = Some(group.thread);
        let Some(thread) = group.thread else {
            text += &format!(" {} {}\n", pad(&group.place, gutter), group.lines[0].1);
            continue;
        };
        let column = threads.iter().position(|t| *t == thread).unwrap_or(0);
        for (number, (look, line)) in cell_lines(group, widths[column]).into_iter().enumerate() {
            let place = if number == 0 { group.place.as_str() } else { "" };
            let mut row = format!(" {}{place} ", " ".repeat(gutter - place.width()));
            for (index, width) in widths.iter().enumerate() {
                let cell = if index == column { line.as_str() } else { "" };
                row += &format!("{bar} {}", paint.paint(look, &pad(cell, *width)));
            }
            text += row.trim_end();
            text.push('\n');
        }
    }
    text
}

fn list(finding: &Finding, groups: &[Group], gutter: usize, style: &Style) -> String {
    let paint = Paint { colour: style.colour };
    let room = style.width.saturating_sub(gutter + 4).max(NARROWEST);
    let mut text = String::new();
    let mut last = None;
    for group in groups {
        if last != Some(group.thread) {
            if let Some(thread) = group.thread {
                let title = format!("── {} ", heading(finding, thread));
                let fill = "─".repeat(style.width.saturating_sub(title.width()));
                text += &paint.paint(Look::Bold, &format!("{title}{fill}"));
                text.push('\n');
            }
            last = Some(group.thread);
        }
        for (number, (look, line)) in cell_lines(group, room).into_iter().enumerate() {
            let place = if number == 0 { group.place.as_str() } else { "" };
            let blank = " ".repeat(gutter - place.width());
            text += format!("  {blank}{place}  {}", paint.paint(look, &line)).trim_end();
            text.push('\n');
        }
    }
    text
}

/// The lines of a cell: the source line cut to the width, effects wrapped.
fn cell_lines(group: &Group, width: usize) -> Vec<(Look, String)> {
    let mut lines = Vec::new();
    for (number, (look, line)) in group.lines.iter().enumerate() {
        if number == 0 {
            lines.push((*look, fit(line, width)));
        } else {
            lines.extend(wrap(line, width).into_iter().map(|l| (*look, l)));
        }
    }
    lines
}

/// Cuts a text to a width.
fn fit(text: &str, width: usize) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.width() <= width {
        return clean;
    }
    let mut result = String::new();
    let mut used = 1;
    for c in clean.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        result.push(c);
    }
    result.push('…');
    result
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Breaks a text into lines, at blanks where possible; later lines are indented further.
fn wrap(text: &str, width: usize) -> Vec<String> {
    const INDENT: &str = "    ";
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut lines = Vec::new();
    let mut rest = clean.as_str();
    while rest.width() > width {
        let mut used = 0;
        let mut hard = rest.len();
        let mut soft = None;
        for (index, c) in rest.char_indices() {
            if c == ' ' && !rest[..index].trim().is_empty() {
                soft = Some(index);
            }
            used += c.width().unwrap_or(0);
            if used > width {
                hard = index;
                break;
            }
        }
        let cut = soft.unwrap_or(hard).max(rest.chars().next().map_or(1, char::len_utf8));
        lines.push(rest[..cut].to_string());
        rest = rest[cut..].trim_start();
        if !rest.is_empty() && width > 2 * INDENT.len() {
            // The remainder is at most as long as before, so this ends.
            let indented = format!("{INDENT}{rest}");
            lines.extend(wrap(&indented, width));
            return lines;
        }
    }
    if !rest.is_empty() {
        lines.push(rest.to_string());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping() {
        let cases: &[(&str, usize, &[&str])] = &[
            ("  writes x = 1", 30, &["  writes x = 1"]),
            ("  writes a.b.c = 12", 14, &["  writes a.b.c", "    = 12"]),
            ("aaaaaaaaaaaaaaaaaaaa", 12, &["aaaaaaaaaaaa", "    aaaaaaaa"]),
            ("", 10, &[]),
        ];
        for (text, width, expected) in cases {
            assert_eq!(wrap(text, *width), *expected, "{text}");
        }
        for width in 1..20 {
            let lines = wrap("  some words andaverylongone that öäü wrap 日本語日本語", width);
            assert!(!lines.is_empty());
        }
    }

    #[test]
    fn cutting() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("ab\tcd", 9), "ab cd");
        assert_eq!(fit("日本語", 4), "日…");
    }
}
