//! Text with indentation and `#line`.

use std::fmt::Write;

use raddle_ir::{FileId, Place, Program};

/// C text that grows.
#[derive(Default)]
pub(crate) struct Writer {
    text: String,
    indent: usize,
    /// Where the last statement stands in the source.
    at: Option<(FileId, u32)>,
}

impl Writer {
    /// What has been written.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// One line.
    pub(crate) fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.indent);
        // The compiler counts on.
        if let Some((_, line)) = &mut self.at {
            *line += 1;
        }
    }

    /// More on the line before.
    pub(crate) fn append(&mut self, text: &str) {
        let ended = self.text.pop();
        debug_assert_eq!(ended, Some('\n'), "a line has been written");
        let _ = writeln!(self.text, " {text}");
    }

    /// A label, less indented.
    pub(crate) fn label(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
        self.indent += 1;
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// A line that closes a block and opens another.
    pub(crate) fn reopen(&mut self, text: &str) {
        self.indent -= 1;
        self.open(text);
    }

    /// A line that closes a block.
    pub(crate) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    /// What follows stands at a place of the source.
    pub(crate) fn place(&mut self, program: &Program, place: Place) {
        if !place.is_known() || self.at == Some((place.file, place.line)) {
            return;
        }
        let _ =
            writeln!(self.text, "#line {} {}", place.line, quoted(&program.file(place.file).path));
        self.at = Some((place.file, place.line));
    }
}

/// A C string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '?' => quoted.push_str("\\?"),
            ' '..='~' => quoted.push(c),
            _ => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Text inside of a comment.
pub(crate) fn commented(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}
