//! How files look: headers, lengths, comments, open ends, and paths in the documents.

use std::collections::BTreeSet;

use crate::sources::{self, File};
use crate::{assert_none, root};

/// Files above this length say in their header why they are one file (`Length: …`).
const LONG: usize = 600;
/// No file is longer, for no reason.
const LONGEST_FILE: usize = 800;
const LONGEST_FUNCTION: usize = 80;
const WIDEST_COMMENT: usize = 120;

fn all_files() -> Vec<File> {
    let folders = [("crates", "rs"), ("crates", "c"), ("crates", "h"), ("fuzz", "rs")];
    folders.iter().flat_map(|(folder, extension)| sources::files(folder, extension)).collect()
}

/// What is too long in a file: [`LONGEST_FILE`], [`LONGEST_FUNCTION`], [`WIDEST_COMMENT`].
fn too_long(file: &File) -> Vec<String> {
    let mut complaints = Vec::new();
    let path = &file.path;
    let lines = file.text.lines().count();
    if lines > LONGEST_FILE {
        complaints.push(format!("{path}: {lines} lines"));
    }
    for (name, line, length) in file.functions() {
        if length > LONGEST_FUNCTION {
            complaints.push(format!("{path}:{line}: {name} has {length} lines"));
        }
    }
    for (number, line) in (1..).zip(file.text.lines()) {
        let comment = ["//", "/*", " * "].iter().any(|start| line.trim_start().starts_with(start));
        let width = line.chars().count();
        if comment && width > WIDEST_COMMENT {
            complaints.push(format!("{path}:{number}: {width} columns"));
        }
    }
    complaints
}

#[test]
fn files_functions_and_comments_are_short() {
    let complaints: Vec<String> = all_files().iter().flat_map(too_long).collect();
    assert_none(&complaints);
}

#[test]
fn files_say_what_they_hold() {
    let mut complaints = Vec::new();
    for file in all_files() {
        let rust = file.path.ends_with(".rs");
        let starts: &[&str] = if rust { &["//! "] } else { &["/*", "//"] };
        if !starts.iter().any(|start| file.text.starts_with(start)) {
            complaints.push(format!("{}: no header", file.path));
        }
        let header: Vec<&str> = file.text.lines().take_while(|l| l.starts_with("//!")).collect();
        let reason = header.join(" ").to_lowercase();
        let words = ["length:", "longer than", "one file", "two files"];
        let explained = words.iter().any(|w| reason.contains(w));
        let lines = file.without_tests().lines().count();
        if rust && lines > LONG && !explained {
            complaints.push(format!("{}: {lines} lines and no reason", file.path));
        }
    }
    assert_none(&complaints);
}

#[test]
fn open_ends_have_an_issue_and_no_test_is_switched_off() {
    // Spelled in parts so that this file does not complain about itself.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let never = [concat!("#[ig", "nore"), concat!("to", "do!("), concat!("unimple", "mented!(")];
    let mut complaints = Vec::new();
    let documents = [("docs", "md"), ("tests", "c")];
    let documents = documents.iter().flat_map(|(folder, ending)| sources::files(folder, ending));
    for file in all_files().into_iter().chain(documents) {
        for (number, line) in (1..).zip(file.text.lines()) {
            let place = format!("{}:{number}", file.path);
            for word in words {
                let mut rest = line.split(word).skip(1);
                if rest.any(|after| !after.starts_with("(#")) {
                    complaints.push(format!("{place}: {word} without (#issue)"));
                }
            }
            let code = line.split("//").next().unwrap_or_default();
            for word in never.iter().filter(|word| code.contains(**word)) {
                complaints.push(format!("{place}: {word}"));
            }
        }
    }
    assert_none(&complaints);
}

/// The words in backquotes of a document that name files or folders of the project.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        let ending = [".rs", ".md", ".c", ".h", ".sh", "/"].iter().any(|e| word.ends_with(e));
        let plain = word.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        plain && ending && word.len() > 3 && !word.starts_with(['.', '/'])
    })
}

/// Documents name files from the root or from `crates`, or by their last name alone.
#[test]
fn paths_in_documents_exist() {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for file in ["rs", "c", "h", "md", "sh"].iter().flat_map(|ending| sources::files(".", ending)) {
        let file = file.path.trim_start_matches("./");
        let from_crates = file.strip_prefix("crates/").unwrap_or(file);
        for path in [file, from_crates] {
            names.extend(path.match_indices('/').map(|(i, _)| path[..=i].to_string()));
            names.insert(path.to_string());
        }
        let parts: Vec<&str> = file.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            names.insert(format!("{part}/"));
        }
        names.extend(parts.last().map(|name| name.to_string()));
    }
    let mut complaints = Vec::new();
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let readme = File { path: "README.md".into(), text: readme };
    for document in sources::files("docs", "md").into_iter().chain([readme]) {
        // What stands between fences is an example.
        let text: String = document.text.split("```").step_by(2).collect();
        for path in paths(&text).filter(|path| !names.contains(*path)) {
            complaints.push(format!("{}: there is no {path}", document.path));
        }
    }
    assert_none(&complaints);
}
