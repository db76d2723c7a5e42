//! Proofs for any number of threads: programs that create threads without end are proved, with
//! certificates; those that more threads break than stand for all are not.
//!
//! The programs are in `tests/any_number`; a first line `// property: NAME` says what is checked, if it is
//! not assertions.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of a folder, each with what is checked.
fn programs(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/any_number").join(folder);
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let mut all: Vec<PathBuf> = files.map(|f| f.expect("it can be read").path()).collect();
    all.sort();
    let property = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let named = text.lines().next().and_then(|l| l.strip_prefix("// property: "));
        named.unwrap_or("assertions").to_string()
    };
    all.iter().map(|path| (path.clone(), property(path))).collect()
}

fn raddle(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle")).args(words).output();
    String::from_utf8_lossy(&output.expect("raddle can be started").stdout).into_owned()
}

fn certify(file: &Path, certificate: &str) -> String {
    std::fs::write(file, certificate).expect("it can be written");
    raddle(&["certify", &file.display().to_string()])
}

#[test]
fn what_holds_of_any_number_of_threads_is_proved_with_a_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof");
    for (program, property) in programs("safe") {
        let (path, proof) = (program.display().to_string(), file.display().to_string());
        let words = ["check", "--engine", "circuit", "--method", "ic3", "--time", "900"];
        let words =
            [&words[..], &["--property", &property, "--certificate", &proof, &path]].concat();
        let text = raddle(&words);
        assert!(text.contains("that holds of any number of threads"), "{path}: {text}");
        assert!(text.ends_with("VERDICT: SAFE\n"), "{path}: {text}");
        let certificate = std::fs::read_to_string(&file).expect("there is one");
        let text = certify(&file, &certificate);
        assert!(text.ends_with("VERDICT: SAFE\n"), "{path}: {text}");
    }
}

/// What stands for any number are three threads: an invariant of these three alone is no proof.
#[test]
fn a_conjunct_about_all_that_stand_for_others_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof");
    let (program, _) = &programs("safe")[0];
    let (path, proof) = (program.display().to_string(), file.display().to_string());
    raddle(&[
        "check",
        "--engine",
        "circuit",
        "--property",
        "assertions",
        "--certificate",
        &proof,
        &path,
    ]);
    let certificate = std::fs::read_to_string(&file).expect("there is one");
    let broad = "never thread 2 was created & thread 3 was created & !thread 4 was created";
    let text = certify(&file, &format!("{certificate}{broad}\n"));
    assert!(text.contains("speaks of too many threads"), "{text}");
    assert!(text.ends_with("VERDICT: UNKNOWN\n"), "{text}");
}

#[test]
fn what_more_threads_break_than_stand_for_all_is_not_proved() {
    for (program, property) in programs("violated") {
        let path = program.display().to_string();
        let words = ["check", "--engine", "circuit", "--method", "ic3", "--time", "4"];
        let text = raddle(&[&words[..], &["--property", &property, &path]].concat());
        assert!(text.contains("\nVERDICT: "), "{path}: {text}");
        assert!(!text.contains("VERDICT: SAFE"), "{path}: {text}");
    }
}
