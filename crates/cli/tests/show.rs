//! `raddle show`: texts that are kept beside this file and reviewed like code.
//!
//! `RADDLE_BLESS=1 cargo test -p raddle --test show` writes them anew.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What is shown of a program in `tests/show`.
fn shown(program: &str, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("show")
        .args(options)
        .arg(program)
        .current_dir(folder())
        .output()
        .expect("raddle starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/show")
}

/// Compares a text with the kept one.
fn compare(text: &str, kept: &str) {
    let kept = folder().join(kept);
    if std::env::var_os("RADDLE_BLESS").is_some() {
        std::fs::write(&kept, text).expect("writes");
    }
    assert_eq!(text, std::fs::read_to_string(&kept).unwrap_or_default(), "{}", kept.display());
}

#[test]
fn analysis() {
    compare(&shown("analysis.c", &["--stage", "analysis"]), "analysis.txt");
}

/// The class that calls nothing is compared; the others change with the models of the library.
#[test]
fn automata() {
    let options = ["--stage", "automata", "--property", "races"];
    let text = shown("automata.c", &options);
    let mut parts = text.split("\n\n");
    compare(parts.find(|p| p.starts_with("class spins")).expect("it is there"), "automata.txt");
    // What is remembered of the loop with the condition wait.
    assert!(text.contains("automata.c:15, in waits: done, waits, mutex,"), "{text}");
    assert!(text.contains("waits.loop 15.only waited before"), "{text}");
    let graph = shown("automata.c", &[&options[..], &["--dot"]].concat());
    assert!(graph.starts_with("digraph automata {") && graph.ends_with("}\n"), "{graph}");
    assert!(graph.contains("-> c1_3 [label=\"word == 0\"];"), "{graph}");
    assert!(graph.lines().all(|line| line.matches('"').count() % 2 == 0), "{graph}");
}
