//! The experiments of the papers (`bench/papers`): the smallest of each, as `bench/papers/run` runs them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The results of a run over some experiments, rows and columns.
fn results(only: &str, engines: &str, rows: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("results");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/papers/run");
    let done = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_raddle"))
        .args(["--only", only, "--engines", engines, "--rows", rows, "--time", "60"])
        .arg("--results")
        .arg(&file)
        .output()
        .expect("python3 runs");
    let page = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{page}{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&file).expect("there are results");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Every cell is decided; that it is as expected the script has checked.
fn check(only: &str, engines: &str, rows: &str, cells: usize) {
    let results = results(only, engines, rows);
    assert_eq!(results.len(), cells, "{results:?}");
    for result in results {
        assert!(["SAFE", "UNSAFE"].iter().any(|v| result["verdict"] == *v), "{result}");
    }
}

#[test]
fn bubble_sort() {
    check("002", "^(block|staged)$", "^3 elements, (8|12) bits", 8);
}

#[test]
fn daisy() {
    check("003", "^staged$", "WW1|seek", 2);
    let all = &results("000-daisy-all", "^staged$", "")[0];
    assert!(all["findings"].as_u64().is_some_and(|n| n >= 50), "{all}");
}

#[test]
fn threads_by_the_dozen() {
    check("004-account,004-synchbench", "^staged$", "^(11|13) threads", 4);
    check("004-indexer", "^staged$", "^20 threads", 1);
}
