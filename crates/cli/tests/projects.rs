//! Checks the projects in `tests/projects`: programs of several files as people write them, each with a
//! mistake and repaired.
//!
//! The first lines of a project's `main.c` say what is expected: `repaired:` the verdict without the
//! mistake (`SAFE`, or `SAFE or BOUNDED` where a proof can take longer than the limit), `finding:` properties
//! and files of which at least one of each must be in a finding with the mistake. By default only the projects
//! whose proof is quick are run; `RADDLE_PROJECTS=all` runs all, `RADDLE_PROJECTS=name` one.
//! Both runs read the `compile_commands.json` that the project's Makefile writes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

const PROJECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/projects");

/// The time for one run, in seconds.
const LIMIT: &str = "60";

/// What `main.c` says of its project.
struct Expected {
    /// The verdicts that the repaired program may have.
    repaired: Vec<String>,
    properties: Vec<String>,
    files: Vec<String>,
}

fn words(text: &str, between: &str) -> Vec<String> {
    text.split(between).map(|w| w.trim().to_string()).collect()
}

fn expected(project: &Path) -> Expected {
    let main = std::fs::read_to_string(project.join("main.c")).expect("a project has a main.c");
    let line = |key: &str| {
        let start = format!(" * {key}: ");
        let found = main.lines().find_map(|l| l.strip_prefix(start.as_str()));
        found.unwrap_or_else(|| panic!("{} says `{key}:`", project.display())).to_string()
    };
    let finding = line("finding");
    let (properties, files) = finding.split_once(' ').expect("properties, then files");
    Expected {
        repaired: words(&line("repaired"), " or "),
        properties: words(properties, ","),
        files: words(files, ","),
    }
}

/// Writes the compilation database of one variant and checks it; gives the report.
fn check(project: &Path, bug: bool) -> Value {
    let name = project.file_name().expect("a folder has a name").to_string_lossy();
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{bug}"));
    let mut make = Command::new("make");
    make.arg("-s").arg("-C").arg(project).arg(format!("OUT={}", out.display()));
    make.arg("compile_commands.json").args(bug.then_some("BUG=1"));
    assert!(make.status().expect("make can be run").success(), "make fails for {name}");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--format", "json", "--time", LIMIT])
        .arg(out.join("compile_commands.json"))
        .output()
        .expect("raddle can be run");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!("{name}: no report ({e}):\n{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// The names of the files that a finding points to.
fn files(finding: &Value) -> Vec<String> {
    let all = |key: &str| finding[key].as_array().cloned().unwrap_or_default();
    let calls = all("stacks").into_iter().flat_map(|s| s["calls"].as_array().cloned());
    let spots = all("marks").into_iter().chain(calls.flatten());
    let paths = spots.filter_map(|spot| spot["at"]["file"].as_str().map(str::to_string));
    paths.map(|p| p.rsplit('/').next().unwrap_or_default().to_string()).collect()
}

/// What is wrong with the answer to one project.
fn judge(project: &Path, expected: &Expected) -> Vec<String> {
    let mut wrong = Vec::new();
    let repaired = check(project, false);
    let verdict = repaired["verdict"].as_str().unwrap_or("none");
    if !expected.repaired.iter().any(|v| v == verdict) {
        wrong.push(format!("repaired: {verdict}, expected {}", expected.repaired.join(" or ")));
    }
    let report = check(project, true);
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let is_it = |finding: &Value| {
        let property = finding["property"].as_str().unwrap_or_default();
        expected.properties.iter().any(|p| p == property)
            && expected.files.iter().any(|file| files(finding).iter().any(|f| f == file))
    };
    if !findings.iter().any(is_it) {
        wrong.push(format!("the mistake is not found among {} findings", findings.len()));
    }
    wrong
}

#[test]
fn mistakes_are_found_and_repaired_projects_have_none() {
    let chosen = std::env::var("RADDLE_PROJECTS").unwrap_or_default();
    let entries = std::fs::read_dir(PROJECTS).expect("the folder of projects exists");
    let mut projects: Vec<PathBuf> = entries.map(|e| e.expect("it can be read").path()).collect();
    projects.retain(|p| p.join("main.c").exists());
    projects.sort();
    assert!(projects.len() >= 15, "there are {} projects", projects.len());
    let mut wrong = Vec::new();
    for project in projects {
        let name = project.file_name().expect("a folder has a name").to_string_lossy();
        let expected = expected(&project);
        let run = match chosen.as_str() {
            "" => expected.repaired == ["SAFE"],
            "all" => true,
            one => one == name,
        };
        if !run {
            continue;
        }
        let start = Instant::now();
        wrong.extend(judge(&project, &expected).into_iter().map(|w| format!("{name}: {w}")));
        println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
