//! Rules of the house that no compiler checks.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Which crates each crate may use; the order is that of the layers in `docs/architecture.md`.
const LAYERS: &[(&str, &[&str])] = &[
    ("raddle-ir", &[]),
    ("raddle-models", &["raddle-ir"]),
    ("raddle-properties", &["raddle-ir"]),
    ("raddle-frontend", &["raddle-ir", "raddle-models"]),
    ("raddle-interp", &["raddle-ir"]),
    ("raddle-analysis", &["raddle-ir"]),
    ("raddle-term", &[]),
    ("raddle-sat", &[]),
    ("raddle-blast", &["raddle-term", "raddle-sat"]),
    ("raddle-order", &["raddle-term", "raddle-sat"]),
    ("raddle-summary", &["raddle-ir", "raddle-analysis", "raddle-term"]),
    ("raddle-engines", EVERYTHING_BELOW_ENGINES),
    ("raddle-report", &["raddle-ir", "raddle-interp", "raddle-engines"]),
    ("raddle", &["raddle-report", "raddle-engines"]),
    ("raddle-testgen", &["raddle-engines"]),
];

const EVERYTHING_BELOW_ENGINES: &[&str] = &[
    "raddle-ir",
    "raddle-models",
    "raddle-properties",
    "raddle-frontend",
    "raddle-interp",
    "raddle-analysis",
    "raddle-term",
    "raddle-sat",
    "raddle-blast",
    "raddle-order",
    "raddle-summary",
];

/// Files above this length say in their header why they are one file (`Length: …`).
const LONGEST: usize = 600;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}

/// All source files below a folder whose names end so.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().unwrap_or_default();
            if path.is_dir() && name != "target" {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned()
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn crates_use_only_what_their_layer_may() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut complaints = Vec::new();
    for package in data["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let Some((_, allowed)) = LAYERS.iter().find(|(n, _)| *n == name) else {
            complaints
                .push(format!("{name} has no layer: add it to docs/architecture.md and here"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"].as_str().expect("a name");
            let ordinary = dependency["kind"].is_null();
            let ours = LAYERS.iter().any(|(n, _)| *n == used);
            let whole_tool = ["raddle", "raddle-testgen"].contains(&name);
            let known =
                allowed.contains(&used) || (whole_tool && EVERYTHING_BELOW_ENGINES.contains(&used));
            if ordinary && ours && !known {
                complaints.push(format!("{name} must not use {used}"));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn files_say_what_they_hold() {
    let mut complaints = Vec::new();
    for path in files("crates", "rs") {
        let text = text(&path);
        let header: Vec<&str> = text.lines().take_while(|l| l.starts_with("//!")).collect();
        if header.is_empty() {
            complaints.push(format!("{}: no header", path.display()));
        }
        let code = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
        let lines = text[..code].lines().count();
        let reason = header.join(" ").to_lowercase();
        let words = ["length:", "longer than", "one file", "two files"];
        let explained = words.iter().any(|w| reason.contains(w));
        if lines > LONGEST && !explained {
            complaints.push(format!("{}: {lines} lines and no reason", path.display()));
        }
    }
    for path in files("crates", "c") {
        let text = text(&path);
        if !text.starts_with("/*") && !text.starts_with("//") {
            complaints.push(format!("{}: no header", path.display()));
        }
    }
    assert_none(&complaints);
}

#[test]
fn open_ends_have_an_issue() {
    // Spelled in parts so that this file does not complain about itself.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let mut complaints = Vec::new();
    let kinds = [("crates", "rs"), ("crates", "c"), ("docs", "md"), ("tests", "c")];
    for path in kinds.iter().flat_map(|(folder, extension)| files(folder, extension)) {
        for (number, line) in (1..).zip(text(&path).lines()) {
            for word in words {
                let mut rest = line.split(word).skip(1);
                if rest.any(|after| !after.starts_with("(#")) {
                    complaints
                        .push(format!("{}:{number}: {word} without (#issue)", path.display()));
                }
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn no_test_is_switched_off_and_unsafe_stays_in_its_crate() {
    let mut complaints = Vec::new();
    // Spelled in parts so that this file does not complain about itself.
    let ignore = concat!("#[ig", "nore");
    let unsafe_code = [" {", " impl", " fn", " trait"].map(|after| format!("un{}{after}", "safe"));
    for path in files("crates", "rs") {
        let name = path.display().to_string();
        let inside = name.contains("/crates/sat/");
        for (number, line) in (1..).zip(text(&path).lines()) {
            let code = line.split("//").next().unwrap_or_default();
            if !inside && unsafe_code.iter().any(|words| code.contains(words.as_str())) {
                complaints.push(format!("{name}:{number}: unsafe outside of crates/sat"));
            }
            if code.trim_start().starts_with(ignore) {
                complaints.push(format!("{name}:{number}: a test is switched off"));
            }
        }
    }
    assert_none(&complaints);
}
