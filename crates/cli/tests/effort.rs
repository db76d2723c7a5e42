//! When the time is up the report says where it went and what to try.

use std::process::Command;

use serde_json::Value;

/// Never decided: both loops go on for ever.
const ENDLESS: &str = include_str!("endless.c");

fn check(seconds: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("endless.c");
    std::fs::write(&file, ENDLESS).expect("a file");
    let out = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--time", seconds])
        .args(options)
        .arg(&file)
        .output()
        .expect("raddle starts");
    assert_eq!(out.status.code(), Some(3), "{out:?}");
    String::from_utf8(out.stdout).expect("text")
}

#[test]
fn the_text_says_where_the_time_went() {
    let text = check("2", &[]);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    let (effort, advice) = (at("Where the time went:\n"), at("What to try:\n"));
    assert!(effort < advice && advice < at("VERDICT: "), "{text}");
    let rows = &text[effort..advice];
    // On a busy machine the program may not even be compiled by then.
    if !rows.contains("compiling") {
        for words in ["  deadlocks: ", "    at the end: ", " at unwinding "] {
            assert!(rows.contains(words), "{words}: {text}");
        }
        assert!(text.contains("  - --property "), "{text}");
        assert!(text.contains("  - --contexts 3: "), "{text}");
    }
    assert!(text.contains("  - --time 10: "), "{text}");
    assert!(!check("2", &["--quiet"]).contains("Where the time went"));
}

#[test]
fn json_has_the_figures() {
    for engine in ["auto", "staged", "context", "lazy", "explore"] {
        let options = ["--property", "races", "--engine", engine, "--format", "json"];
        let report: Value = serde_json::from_str(&check("2", &options)).expect("JSON");
        let effort = report["effort"].as_array().expect("a list");
        assert_eq!(effort.len(), 1, "{engine}: {report}");
        assert_eq!(effort[0]["properties"], serde_json::json!(["races"]));
        let stages = effort[0]["stages"].as_array().expect("a list");
        let stage = stages.iter().find(|s| s["name"] == effort[0]["stage"]);
        let seconds = |v: &Value| v.as_f64().expect("a number");
        let own = seconds(&stage.unwrap_or_else(|| panic!("{engine}: {report}"))["seconds"]);
        assert!(own >= seconds(&effort[0]["lasting"]) - 1e-9, "{engine}: {report}");
        let all: f64 = stages.iter().map(|s| seconds(&s["seconds"])).sum();
        assert!(all <= seconds(&report["seconds"]) + 1e-3, "{engine}: {report}");
        assert_eq!(
            report["advice"].as_array().expect("a list").last().expect("one"),
            "--time 10: more time"
        );
    }
}

#[test]
fn who_comes_to_an_end_needs_no_advice() {
    let text = check("60", &["--unwind", "1", "--property", "races"]);
    assert!(text.contains("VERDICT: BOUNDED"), "{text}");
    assert!(!text.contains("Where the time went"), "{text}");
}
