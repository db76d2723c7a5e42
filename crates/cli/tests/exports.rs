//! Circuits for other model checkers: Berkeley ABC (Debian: berkeley-abc) proves what raddle proves, and
//! what it finds is replayed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn program(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/proofs");
    folder.join(name).display().to_string()
}

/// Standard output and exit code.
fn raddle(words: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(words)
        .output()
        .expect("raddle can be started");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// What ABC says to commands, in a folder.
fn abc(folder: &Path, commands: &str) -> String {
    let output = Command::new("berkeley-abc")
        .args(["-q", commands])
        .current_dir(folder)
        .output()
        .expect("berkeley-abc can be started: setup.sh installs it");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn exported(folder: &Path, program: &str, property: &str) -> PathBuf {
    let file = folder.join("circuit.aig");
    let path = file.display().to_string();
    let words = ["export", "--aiger", "-o", &path, "--property", property, program];
    let (text, code) = raddle(&words);
    assert_eq!(code, Some(0), "{text}");
    file
}

#[test]
fn what_another_model_checker_finds_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = program("a_late_violation_in_endless_loops.c");
    exported(folder.path(), &program, "assertions");
    let said = abc(folder.path(), "read_aiger circuit.aig; bmc3; write_cex -a witness");
    let witness = folder.path().join("witness").display().to_string();
    let replay = ["replay", "--property", "assertions", "--witness", &witness];
    let (text, code) = raddle(&[&replay[..], &[&program]].concat());
    assert_eq!(code, Some(1), "{said}: {text}");
    assert!(text.contains("a_late_violation_in_endless_loops.c:16"), "{text}");
    // A witness of another circuit is none.
    let other = self::program("dekker_in_endless_loops.c");
    let (text, code) = raddle(&[&replay[..], &[&other]].concat());
    assert_eq!((text.as_str(), code), ("", Some(2)));
    let written = std::fs::read_to_string(&witness).expect("it is there");
    std::fs::write(&witness, written.replace('1', "0")).expect("it can be written");
    let (text, code) = raddle(&[&replay[..], &[&program]].concat());
    assert_eq!((text.as_str(), code), ("", Some(2)));
}

#[test]
fn another_model_checker_proves_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, property) in [
        ("mutual_exclusion_in_endless_loops.c", "assertions"),
        ("no_deadlock_in_endless_loops.c", "deadlocks"),
    ] {
        exported(folder.path(), &program(name), property);
        let said = abc(folder.path(), "read_aiger circuit.aig; pdr");
        assert!(said.contains("Property proved"), "{name}: {said}");
    }
}

#[test]
fn a_deadlock_that_another_model_checker_finds_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = program("a_turn_of_nobody_in_endless_loops.c");
    exported(folder.path(), &program, "deadlocks");
    let said = abc(folder.path(), "read_aiger circuit.aig; bmc3; write_cex -a witness");
    let witness = folder.path().join("witness").display().to_string();
    let replay = ["replay", "--property", "deadlocks", "--witness", &witness, &program];
    let (text, code) = raddle(&replay);
    assert_eq!(code, Some(1), "{said}: {text}");
    assert!(text.contains("error[deadlocks]"), "{text}");
}

#[test]
fn all_forms_are_written_and_a_form_is_asked_for() {
    let program = program("mutual_exclusion_in_endless_loops.c");
    let forms = [("--aiger", "aag "), ("--btor2", "1 sort bitvec 1\n"), ("--smtlib", "; ")];
    for (form, begin) in forms {
        let (text, code) = raddle(&["export", form, "--property", "assertions", &program]);
        assert_eq!(code, Some(0), "{form}");
        assert!(text.starts_with(begin), "{form}: {text}");
    }
    assert_eq!(raddle(&["export", &program]).1, Some(2));
    assert_eq!(raddle(&["export", "--aiger", "--property", "lost-memory", &program]).1, Some(2));
}
