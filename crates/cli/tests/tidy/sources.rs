//! Source files as text: which there are, what of them is code, where functions begin and end.
//!
//! Everything here reads formatted code (`cargo fmt`): a function ends at the first line with a
//! closing brace at its own indentation.

use crate::root;

/// A source file.
pub struct File {
    /// Its path from the root of the project.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// All files below a folder whose names end so, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<File> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                let built = path.file_name().is_some_and(|name| name == "target");
                folders.extend((!built).then_some(path));
            } else if path.extension().is_some_and(|e| e == extension) {
                let bytes = std::fs::read(&path).expect("a readable file");
                let inside = path.strip_prefix(&root).expect("it lies below the root");
                found.push(File {
                    path: inside.display().to_string(),
                    text: String::from_utf8_lossy(&bytes).into_owned(),
                });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl File {
    /// The lines of code with their numbers: no comments, and nothing that is for tests only.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let own = if self.is_for_tests() { "" } else { self.without_tests() };
        (1..).zip(own.lines()).map(|(number, line)| (number, line.split("//").next().unwrap_or("")))
    }

    /// The text up to the tests at its end.
    pub fn without_tests(&self) -> &str {
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        &self.text[..end]
    }

    fn is_for_tests(&self) -> bool {
        let folders = ["/tests/", "/benches/", "/examples/"];
        folders.iter().any(|folder| self.path.contains(folder))
    }

    /// The functions with their names, first lines and lengths in lines.
    pub fn functions(&self) -> Vec<(String, usize, usize)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let starts = lines.iter().enumerate().filter_map(|(i, line)| Some((i, function(line)?)));
        starts.map(|(i, name)| (name.to_string(), i + 1, length(&lines[i..]))).collect()
    }
}

/// The name of the function that begins on a line.
fn function(line: &str) -> Option<&str> {
    let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe ", "extern \"C\" "];
    let mut rest = line.trim_start();
    while let Some(after) = words.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next()
}

/// How many lines the function takes whose first line comes first.
fn length(lines: &[&str]) -> usize {
    let first = lines[0];
    let indent = &first[..first.len() - first.trim_start().len()];
    let close = format!("{indent}}}");
    let mut opened = false;
    for (i, line) in lines.iter().enumerate() {
        let one_line = i == 0 && line.contains('{') && line.ends_with('}');
        let declared = !opened && line.ends_with(';');
        if one_line || declared || *line == close {
            return i + 1;
        }
        opened |= line.ends_with('{');
    }
    lines.len()
}

/// Whether a name occurs in a text as a word of its own.
pub fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(i, _)| {
        let before = text[..i].chars().next_back();
        let after = text[i + name.len()..].chars().next();
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}

#[test]
fn functions_are_measured() {
    let text = "fn one() {}\n    pub(crate) fn two<T>(\n        x: u32,\n    ) {\n        f()\n    }\n\
                trait T {\n    fn three(&self);\n}\npub fn four() -> u32 {\n    4\n}\n";
    let file = File { path: "x.rs".into(), text: text.into() };
    let expected = [("one", 1, 1), ("two", 2, 5), ("three", 8, 1), ("four", 10, 3)];
    let expected = expected.map(|(name, line, length)| (name.to_string(), line, length));
    assert_eq!(file.functions(), expected);
}
