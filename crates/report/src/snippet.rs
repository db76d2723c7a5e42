//! Source lines with remarks, as compilers show them.
//!
//! The renderer must never be given a span that is outside of the text or inside a character, so
//! spans are computed here from the lines of the very text that is shown. A file that cannot be
//! read, or that has become shorter since it was compiled, gives a bare `file:line: remark`
//! instead.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::data::{Mark, Spot};
use crate::expressions;
use crate::human::Style;
use crate::sources::Sources;

/// Lines of context above and below a marked line.
const CONTEXT: usize = 1;

/// The headline with the marked lines.
pub fn render(
    id: &str,
    headline: &str,
    marks: &[Mark],
    sources: &Sources,
    style: &Style,
) -> String {
    let (shown, bare): (Vec<&Mark>, Vec<&Mark>) =
        marks.iter().partition(|mark| span(sources, &mark.at).is_some());
    let mut group = Group::with_title(Level::ERROR.primary_title(headline).id(id));
    for (path, marks) in by_file(&shown) {
        let text = sources.text(path).unwrap_or_default();
        let mut snippet = Snippet::source(text).path(path);
        for (order, mark) in marks {
            let span = span(sources, &mark.at).expect("only marks with a span are shown");
            let kind = if order == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            snippet = snippet
                .annotation(kind.span(span.clone()).label(mark.label.as_str()))
                .annotation(AnnotationKind::Visible.span(context(text, span)));
        }
        group = group.element(snippet);
    }
    for mark in bare {
        let at = &mark.at;
        let text = if at.line == 0 {
            mark.label.clone()
        } else {
            format!("{}:{}: {}", at.file, at.line, mark.label)
        };
        group = group.element(Level::NOTE.message(text));
    }
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(style.width).render(&[group])
}

/// The marks of each file with their ranks; the file of the first mark first.
fn by_file<'a>(marks: &[&'a Mark]) -> Vec<(&'a str, Vec<(usize, &'a Mark)>)> {
    let mut files: Vec<(&str, Vec<(usize, &Mark)>)> = Vec::new();
    for (order, mark) in marks.iter().enumerate() {
        match files.iter_mut().find(|(path, _)| *path == mark.at.file) {
            Some((_, list)) => list.push((order, mark)),
            None => files.push((&mark.at.file, vec![(order, mark)])),
        }
    }
    files
}

/// The bytes to underline: from the column to the end of the call or the word there, or the line
/// without its indent.
fn span(sources: &Sources, at: &Spot) -> Option<Range<usize>> {
    let text = sources.text(&at.file)?;
    let line = line_range(text, at.line)?;
    let content = &text[line.clone()];
    let column = usize::try_from(at.column).ok()?;
    let start = column.checked_sub(1).filter(|c| *c < content.len());
    let start = start.filter(|c| content.is_char_boundary(*c));
    let range = match start {
        Some(start) => {
            let rest = &content[start..];
            let word = expressions::call(rest).unwrap_or(expressions::word(rest)).len();
            let first = rest.chars().next().map_or(0, char::len_utf8);
            start..start + word.max(first)
        }
        None => content.len() - content.trim_start().len()..content.trim_end().len(),
    };
    let range = line.start + range.start..line.start + range.end.max(range.start);
    (range.end <= text.len()).then_some(range)
}

/// The bytes of a line (from 1), without its end.
fn line_range(text: &str, line: u32) -> Option<Range<usize>> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number == index {
            let content = content.trim_end_matches(['\n', '\r']);
            return Some(start..start + content.len());
        }
        start += content.len();
    }
    None
}

/// The lines around a span.
fn context(text: &str, span: Range<usize>) -> Range<usize> {
    let mut start = text[..span.start].rfind('\n').map_or(0, |i| i + 1);
    let mut end = text[span.end..].find('\n').map_or(text.len(), |i| span.end + i);
    for _ in 0..CONTEXT {
        start = text[..start.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
        end = match text.get(end + 1..) {
            Some(rest) => rest.find('\n').map_or(text.len(), |i| end + 1 + i),
            None => end,
        };
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(line: u32, column: u32, label: &str) -> Mark {
        let at = Spot { file: "a.c".into(), line, column };
        Mark { at, label: label.into() }
    }

    fn show(text: &[u8], marks: &[Mark]) -> String {
        let mut sources = Sources::default();
        sources.add("a.c", text);
        render("races", "data race", marks, &sources, &Style::default())
    }

    #[test]
    fn marks_words_of_lines() {
        let text = show(b"int x;\nvoid f(void) {\n  x = 1;\n}\n", &[mark(3, 3, "writes")]);
        assert!(text.contains("error[races]: data race"), "{text}");
        assert!(text.contains("3 |   x = 1;"), "{text}");
        assert!(text.contains("^ writes"), "{text}");
        assert!(text.contains("2 | void f(void) {"), "{text}");
    }

    #[test]
    fn odd_places_do_not_panic() {
        let texts: [&[u8]; 6] =
            [b"", b"\n", b"x", b"\xff\xfe\n\xc3", "äöü = ß;\r\n\r\n".as_bytes(), b"\n\n\n"];
        for text in texts {
            for line in 0..5 {
                for column in 0..9 {
                    let both = [mark(line, column, "a"), mark(1, column, "b")];
                    let shown = show(text, &both);
                    assert!(shown.contains("data race"), "{shown}");
                }
            }
        }
        let far =
            render("races", "h", &[mark(3, 1, "gone")], &Sources::default(), &Style::default());
        assert!(far.contains("a.c:3: gone"), "{far}");
    }
}
