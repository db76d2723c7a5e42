//! Colours, or none.

/// How a piece of text looks on a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Look {
    Plain,
    Bold,
    Dim,
    Bad,
    Good,
    Careful,
}

/// Paints text if the output can show it.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether to emit escape sequences.
    pub colour: bool,
}

impl Paint {
    /// The text in that look.
    pub fn paint(self, look: Look, text: &str) -> String {
        let code = match look {
            Look::Plain => return text.to_string(),
            Look::Bold => "1",
            Look::Dim => "2",
            Look::Bad => "1;31",
            Look::Good => "1;32",
            Look::Careful => "1;33",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}
