//! `raddle show`: texts that are kept beside this file and reviewed like code.
//!
//! `RADDLE_BLESS=1 cargo test -p raddle --test show` writes them anew.

use std::path::Path;
use std::process::Command;

/// Compares the output for a program in `tests/show` with the kept text.
fn check(program: &str, stage: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/show");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["show", "--stage", stage, program])
        .current_dir(&folder)
        .output()
        .expect("raddle starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("text");
    let kept = folder.join(program).with_extension("txt");
    if std::env::var_os("RADDLE_BLESS").is_some() {
        std::fs::write(&kept, &text).expect("writes");
    }
    assert_eq!(text, std::fs::read_to_string(&kept).unwrap_or_default(), "{}", kept.display());
}

#[test]
fn analysis() {
    check("analysis.c", "analysis");
}
