//! What the source has at a place, as the user wrote it: a call, or the use of a macro.
//!
//! Idea: the compiler sees what macros became, and a check inside of a macro is known by the
//! expression that was expanded. The place of all of it is where the macro is used, and there the
//! source itself says what the user meant.
//! Limits: whether a name is that of a macro is not known; a use whose parentheses do not close
//! within [`LONGEST`] bytes is left out.

use crate::data::{Finding, Report, Spot};
use crate::sources::Sources;

/// Most bytes of a use that are looked at.
const LONGEST: usize = 2000;
/// Most characters that are shown.
const SHOWN: usize = 100;

/// Words that parentheses follow and that are no call.
const KEYWORDS: &[&str] = &["if", "while", "for", "switch", "return", "sizeof", "do", "else"];

/// Writes into a report what the sources have at its places.
pub fn fill(report: &mut Report, sources: &Sources) {
    for finding in &mut report.findings {
        finding.expression = finding.marks.first().and_then(|mark| at(sources, &mark.at));
        for call in finding.stacks.iter_mut().flat_map(|s| &mut s.calls) {
            call.expression = call.at.as_ref().and_then(|spot| at(sources, spot));
        }
    }
}

/// What is wrong, and in which use of a macro if it is one that hides a check.
pub fn headline(finding: &Finding) -> String {
    let is_check = matches!(finding.property.as_str(), "assertions" | "reach-error");
    let hides = |e: &&String| {
        let name = name(e);
        name != "assert" && name != "reach_error" && !name.starts_with("__")
    };
    match finding.expression.as_ref().filter(hides) {
        Some(expression) if is_check => format!("{} in `{expression}`", finding.headline),
        Some(_) | None => finding.headline.clone(),
    }
}

/// The name that is called or used.
pub fn name(expression: &str) -> &str {
    word(expression)
}

/// The call or the use of a macro that begins at a place, on one line.
fn at(sources: &Sources, spot: &Spot) -> Option<String> {
    let text = sources.text(&spot.file)?;
    let lines = usize::try_from(spot.line).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    let column = usize::try_from(spot.column).ok()?.checked_sub(1)?;
    let found = call(text.get(start + column..)?)?;
    let words: Vec<&str> = found.split_whitespace().filter(|w| *w != "\\").collect();
    let one_line = words.join(" ");
    match one_line.char_indices().nth(SHOWN) {
        Some((end, _)) => Some(format!("{}…", &one_line[..end])),
        None => Some(one_line),
    }
}

/// The word that a text begins with.
pub fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The name, and the parentheses with all that is between them, that a text begins with.
pub fn call(text: &str) -> Option<&str> {
    let name = word(text);
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if !starts || KEYWORDS.contains(&name) {
        return None;
    }
    let blanks = text[name.len()..].len() - text[name.len()..].trim_start_matches(' ').len();
    let open = name.len() + blanks;
    if !text[open..].starts_with('(') {
        return None;
    }
    let (mut depth, mut quote, mut escaped) = (0_u32, None, false);
    for (i, c) in text[open..].char_indices().take_while(|(i, _)| *i < LONGEST) {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 1 => return Some(&text[..=open + i]),
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_with_their_parenthesis() {
        let cases = [
            ("CHECK(x == 1); y", Some("CHECK(x == 1)")),
            ("f (a, g(\")\", ')', '\\''), (b)) + 1", Some("f (a, g(\")\", ')', '\\''), (b))")),
            ("if (x) f();", None),
            ("x = f(1);", None),
            ("f(never closed", None),
            ("1(2)", None),
            ("", None),
        ];
        for (text, found) in cases {
            assert_eq!(call(text), found, "{text}");
        }
    }

    #[test]
    fn uses_of_several_lines_are_shown_on_one() {
        let mut sources = Sources::default();
        sources.add("a.c", b"int x;\n  CHECK(a,\n        b) ;\n");
        let spot = |line, column| Spot { file: "a.c".into(), line, column };
        assert_eq!(at(&sources, &spot(2, 3)).as_deref(), Some("CHECK(a, b)"));
        assert_eq!(at(&sources, &spot(1, 1)), None);
        assert_eq!(at(&sources, &spot(0, 1)), None);
        assert_eq!(at(&sources, &spot(9, 1)), None);
        assert_eq!(at(&sources, &spot(2, 90)), None);
    }
}
