//! The report as JSON (format: `docs/json.md`).

use crate::data::Report;

/// One object, indented, with a newline at the end.
pub fn render(report: &Report) -> String {
    let mut text =
        serde_json::to_string_pretty(report).expect("plain data without maps always serialises");
    text.push('\n');
    text
}
