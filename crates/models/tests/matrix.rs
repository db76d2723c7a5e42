//! The table of `docs/models.md`: every file of models has its tests, or a reason why not.
//!
//! A model that nobody tests can hide mistakes for ever, since interpreter and engines share it. So the table is
//! read here: each file of models stands in one row, and each cell gives tests or says `no:` and why. A test that
//! is named exists, calls a function of the row, and expects what the column is about; so a file cannot be
//! added without its tests, and a test cannot be renamed or lose its finding unnoticed.

use std::collections::BTreeSet;
use std::path::Path;

use raddle_models::all;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The columns behind the names of files, in order.
const COLUMNS: [&str; 4] = ["native", "races", "memory", "cancellation"];

/// A row: files without their ending, and a cell for each column.
struct Row {
    files: Vec<String>,
    cells: Vec<String>,
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/models.md")).expect("the page");
    let mut lines = page.lines().skip_while(|l| !l.starts_with("| files |"));
    let head = lines.next().expect("the page has the table");
    assert_eq!(cells(head)[1..], COLUMNS, "the columns of the table");
    let rows = lines.skip(1).take_while(|l| l.starts_with('|')).map(|line| {
        let cells = cells(line);
        assert_eq!(cells.len(), 1 + COLUMNS.len(), "{line}");
        Row { files: words(&cells[0]), cells: cells[1..].to_vec() }
    });
    rows.collect()
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|c| c.trim().to_string()).collect()
}

fn words(cell: &str) -> Vec<String> {
    cell.split(',').map(|w| w.trim().to_string()).collect()
}

/// The functions of the library that the files of a row define.
fn functions(row: &Row) -> BTreeSet<&'static str> {
    let is_here = |name: &str| row.files.iter().any(|f| format!("{f}.c") == name);
    let files = all().iter().filter(|f| is_here(f.name));
    files.flat_map(|f| f.functions.iter().copied()).collect()
}

/// Whether a text calls one of the functions, whose names have something before them.
fn calls(text: &str, before: &str, functions: &BTreeSet<&str>) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let name = rest[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let called = name.and_then(|n| n.strip_prefix(before));
        if called.is_some_and(|n| functions.contains(n)) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

/// What is wrong with a test that a cell names.
fn judge(column: &str, test: &str, functions: &BTreeSet<&str>) -> Option<String> {
    if column == "native" {
        let driver = Path::new(ROOT).join(format!("crates/models/tests/native/{test}.c"));
        let Ok(text) = std::fs::read_to_string(driver) else {
            return Some(format!("there is no driver {test}"));
        };
        let drivers = include_str!("native.rs");
        if !drivers.contains(&format!("\"{test}\",")) {
            return Some(format!("nobody runs the driver {test}"));
        }
        let inner = functions.iter().copied().filter(|f| f.starts_with("__raddle_")).collect();
        let called = calls(&text, "model_", functions) || calls(&text, "", &inner);
        return (!called).then(|| format!("the driver {test} calls nothing of it"));
    }
    let Ok(text) = std::fs::read_to_string(Path::new(ROOT).join("tests/programs").join(test))
    else {
        return Some(format!("there is no program {test}"));
    };
    if !calls(&text, "", functions) && !is_hidden_part(functions) {
        return Some(format!("{test} calls nothing of it"));
    }
    let marked = |property: &str| text.lines().any(|l| l.contains("//~") && l.contains(property));
    let shows = match column {
        "races" => marked("races"),
        // Memory that nobody frees is a mistake with memory, too.
        "memory" => marked("memory") || marked("leaks"),
        _ => text.contains("pthread_cancel("),
    };
    (!shows).then(|| format!("{test} does not show {column}"))
}

/// Whether programs cannot call these functions: models do.
fn is_hidden_part(functions: &BTreeSet<&str>) -> bool {
    let own = |f: &&str| f.starts_with("__raddle_") || f.starts_with("__VERIFIER_");
    functions.iter().all(own)
}

#[test]
fn every_family_of_models_has_its_tests() {
    let rows = rows();
    let mut wrong = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    for row in &rows {
        named.extend(row.files.iter().map(String::as_str));
        let functions = functions(row);
        for (column, cell) in COLUMNS.iter().zip(&row.cells) {
            if let Some(reason) = cell.strip_prefix("no: ") {
                if reason.trim().len() < 10 {
                    wrong.push(format!("{}: no reason for {column}", row.files.join(", ")));
                }
                continue;
            }
            for test in words(cell) {
                let fault = judge(column, &test, &functions);
                wrong.extend(fault.map(|f| format!("{}: {f}", row.files.join(", "))));
            }
        }
    }
    for file in all() {
        let name = file.name.trim_end_matches(".c");
        let times = named.iter().filter(|n| **n == name).count();
        if times != 1 {
            wrong.push(format!("{name} is in {times} rows"));
        }
    }
    for name in &named {
        if !all().iter().any(|f| f.name == format!("{name}.c")) {
            wrong.push(format!("there is no file {name}.c"));
        }
    }
    assert!(wrong.is_empty(), "docs/models.md:\n{}", wrong.join("\n"));
}

#[test]
fn a_test_that_does_not_show_it_is_noticed() {
    let functions = BTreeSet::from(["pthread_spin_lock"]);
    let fault = |column, test| judge(column, test, &functions).unwrap_or_default();
    assert_eq!(fault("races", "spin/none.c"), "there is no program spin/none.c");
    assert_eq!(fault("races", "keys/own_values.c"), "keys/own_values.c calls nothing of it");
    assert_eq!(fault("memory", "spin/counter.c"), "spin/counter.c does not show memory");
    assert_eq!(fault("native", "math"), "the driver math calls nothing of it");
    assert_eq!(fault("native", "none"), "there is no driver none");
    assert_eq!(fault("races", "spin/read_outside.c"), "");
}
