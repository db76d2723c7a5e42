//! Certificates as users get them: proofs of programs in endless loops come with one that is
//! accepted; one that was changed, or is of another program, is not.

use std::path::{Path, PathBuf};
use std::process::Command;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/proofs").join(name)
}

/// Standard output and exit code.
fn raddle(words: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(words)
        .output()
        .expect("raddle can be started");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// Proves a program; the certificate as text.
fn certificate(program: &Path, file: &Path, options: &[&str]) -> String {
    let (program, path) = (program.display().to_string(), file.display().to_string());
    let mut words = vec!["check", "--engine", "circuit", "--time", "900", "--certificate", &path];
    words.extend(options);
    words.push(&program);
    let (text, code) = raddle(&words);
    assert_eq!(code, Some(0), "{program}: {text}");
    std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{program}: {e}: {text}"))
}

/// Exit code of a check of this certificate, and what it says.
fn certify(file: &Path, certificate: &str, programs: &[&Path]) -> (Option<i32>, String) {
    std::fs::write(file, certificate).expect("it can be written");
    let path = file.display().to_string();
    let programs: Vec<String> = programs.iter().map(|p| p.display().to_string()).collect();
    let mut words = vec!["certify", path.as_str()];
    words.extend(programs.iter().map(String::as_str));
    let (text, code) = raddle(&words);
    (code, text)
}

fn is_conjunct(line: &str) -> bool {
    line.starts_with("never ") || line.starts_with("always ")
}

#[test]
fn proofs_of_endless_loops_have_certificates() {
    let checked = "each conjunct was checked against the instructions of the program as well";
    let trusted = "the check without them does not cover deadlocks";
    let programs = [
        ("mutual_exclusion_in_endless_loops.c", "assertions", checked),
        ("dekker_in_endless_loops.c", "assertions", checked),
        ("bakery_in_endless_loops.c", "assertions", checked),
        ("szymanski_in_endless_loops.c", "assertions", checked),
        ("ticket_lock_in_endless_loops.c", "assertions", checked),
        ("bounded_buffer_in_endless_loops.c", "assertions", checked),
        ("no_deadlock_in_endless_loops.c", "deadlocks", trusted),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (name, property, note) in programs {
        let file = folder.path().join("proof");
        let text = certificate(&program(name), &file, &["--property", property]);
        assert!(text.contains(&format!("at {name}:")), "{name}: places by line\n{text}");
        let (code, said) = certify(&file, &text, &[]);
        assert_eq!(code, Some(0), "{name}: {said}");
        assert!(said.ends_with("VERDICT: SAFE\n"), "{name}: {said}");
        assert!(said.contains(note), "{name}: {said}");
    }
}

/// How far a certificate was checked is data, too; one that does not say what its names are is
/// checked on the circuit only, one that lies about it is refused.
#[test]
fn what_names_mean_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("proof"), folder.path().join("counter.c"));
    std::fs::write(&source, COUNTER).expect("it can be written");
    let text = certificate(&source, &file, &["--property", "assertions,races,memory"]);
    let path = file.display().to_string();
    let (json, code) = raddle(&["certify", "--format", "json", &path]);
    assert_eq!(code, Some(0), "{json}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let notes = json["notes"].as_array().expect("notes").iter();
    let notes: Vec<&serde_json::Value> = notes.filter(|n| n["kind"] == "certificate").collect();
    assert_eq!(notes.len(), 1, "{json}");
    let without: Vec<&str> = text.lines().filter(|l| !l.starts_with("where ")).collect();
    let (code, said) = certify(&file, &without.join("\n"), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("certificates that do not say what their names are"), "{said}");
    let count = text.lines().find(|l| l.ends_with(" = count")).expect("it is about the counter");
    for wrong in ["where cell 0 4 = count", "where created 2 = count", "where cell 9999 0 = count"]
    {
        assert_ne!(wrong, count);
        let (code, said) = certify(&file, &text.replace(count, wrong), &[]);
        assert_eq!(code, Some(3), "{wrong}: {said}");
        assert!(said.contains("the certificate is refused"), "{wrong}: {said}");
    }
}

/// What holds of infinite executions is proved, but not written down; the time is not the reason.
#[test]
fn proofs_of_formulas_have_no_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof");
    let path = file.display().to_string();
    let program = program("mutual_exclusion_in_endless_loops.c").display().to_string();
    let formula = "G (turn == 0 || turn == 1)";
    let engine = ["check", "--engine", "circuit", "--time", "300", "--certificate", &path];
    let (text, code) = raddle(&[&engine[..], &["--ltl", formula, &program]].concat());
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no certificate: there are none about infinite executions"), "{text}");
    assert!(!file.exists(), "{text}");
}

/// A program with a small proof.
const COUNTER: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *work(void *unused) {
    for (;;) {
        count++;
        count++;
        count -= 2;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    for (;;)
        assert(count <= 2);
}
";

/// `bits 2-30` stands for a conjunct for each of these bits; of a wrong one, the first is enough.
fn of_first_bit(conjunct: &str) -> String {
    match conjunct.split_once(" bits ") {
        Some((before, range)) => {
            let first = range.split('-').next().expect("a range has a begin");
            format!("{before} bit {first}")
        }
        None => conjunct.to_owned(),
    }
}

#[test]
fn changed_certificates_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof");
    let source = folder.path().join("counter.c");
    std::fs::write(&source, COUNTER).expect("it can be written");
    let text = certificate(&source, &file, &["--property", "assertions"]);
    let lines: Vec<&str> = text.lines().collect();
    let conjuncts: Vec<usize> = (0..lines.len()).filter(|&i| is_conjunct(lines[i])).collect();
    assert!(conjuncts.len() > 5, "{text}");
    for &i in &conjuncts {
        let mut dropped = lines.clone();
        dropped.remove(i);
        let (code, said) = certify(&file, &dropped.join("\n"), &[]);
        assert_eq!(code, Some(3), "without {}: {said}", lines[i]);
        assert!(said.contains("the certificate is refused"), "{said}");
        let negated = match lines[i].strip_prefix("never ") {
            Some(cube) => format!("always {cube}"),
            None => lines[i].replace("always ", "never "),
        };
        let negated = of_first_bit(&negated);
        let mut wrong = lines.clone();
        wrong[i] = &negated;
        let (code, said) = certify(&file, &wrong.join("\n"), &[]);
        assert_eq!(code, Some(3), "{negated}: {said}");
        assert!(said.contains("it does not hold at first"), "{negated}: {said}");
    }
    let (code, said) = certify(&file, &text.replace(" bit 0", " bit 77"), &[]);
    assert_eq!(code, Some(3), "{said}");
    let (code, said) = certify(&file, &text.replace("bounds ", "limits "), &[]);
    assert_eq!((code, said.as_str()), (Some(2), ""), "not a certificate");
}

#[test]
fn a_certificate_is_of_its_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof");
    let name = "mutual_exclusion_in_endless_loops.c";
    let text = certificate(&program(name), &file, &["--property", "assertions"]);
    let source = std::fs::read_to_string(program(name)).expect("it is there");
    let copy = folder.path().join(name);
    std::fs::write(&copy, &source).expect("it can be written");
    let (code, said) = certify(&file, &text, &[&copy]);
    assert_eq!(code, Some(0), "another folder: {said}");
    for (old, new) in [
        ("turn == 1 - me", "turn == me"),
        ("wants[me] = 1;", ";"),
        ("inside++;", "inside += 2;"),
        ("assert(inside == 1)", "assert(inside == 0)"),
    ] {
        assert!(source.contains(old), "{old}");
        std::fs::write(&copy, source.replace(old, new)).expect("it can be written");
        let (code, said) = certify(&file, &text, &[&copy]);
        assert_eq!(code, Some(3), "{new}: {said}");
    }
    let (code, said) = certify(&file, &text, &[&program("dekker_in_endless_loops.c")]);
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn proofs_by_other_methods_have_certificates_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, source) = (folder.path().join("proof"), folder.path().join("counter.c"));
    std::fs::write(&source, COUNTER).expect("it can be written");
    let options = ["--property", "assertions,races", "--method", "induction"];
    let text = certificate(&source, &file, &options);
    let (code, said) = certify(&file, &text, &[]);
    assert_eq!(code, Some(0), "{said}");
}
