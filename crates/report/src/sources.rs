//! The text of source files, as far as it could be read.

use std::collections::HashMap;

/// Source texts by path.
#[derive(Default, Debug)]
pub struct Sources {
    texts: HashMap<String, String>,
}

impl Sources {
    /// Adds a file. The bytes need not be UTF-8.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        self.texts.insert(path.to_string(), String::from_utf8_lossy(bytes).into_owned());
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// A line (from 1) of a file, without surrounding blanks.
    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(path)?.lines().nth(index).map(str::trim)
    }
}
