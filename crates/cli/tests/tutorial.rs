//! Runs the commands of `docs/tutorial.md` and compares what they print.
//!
//! A block of kind `console` holds commands after `$ ` with their output below them; a line that is `…` stands for
//! any number of lines, and `…` at the end of a line for its rest. Everything else must be there in this order.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A command and the lines that it must print.
struct Step {
    command: String,
    expected: Vec<String>,
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, _) => match line.strip_prefix("$ ") {
                Some(command) => {
                    steps.push(Step { command: command.into(), expected: Vec::new() });
                }
                None => {
                    let step = steps.last_mut().expect("a block begins with a command");
                    step.expected.push(line.into());
                }
            },
            (false, _) => {}
        }
    }
    steps
}

/// A copy of the project, since its build writes files.
fn copy(project: &str) -> PathBuf {
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tutorial").join(project);
    std::fs::create_dir_all(&to).expect("the folder can be made");
    let projects = Path::new(ROOT).join("tests/projects");
    for entry in std::fs::read_dir(projects.join(project)).expect("the project exists") {
        let path = entry.expect("it can be read").path();
        if path.is_file() {
            let name = path.file_name().expect("a file has a name");
            std::fs::copy(&path, to.join(name)).expect("it can be copied");
        }
    }
    let shared = to.parent().expect("it has a parent").join("project.mk");
    std::fs::copy(projects.join("project.mk"), shared).expect("it can be copied");
    to
}

fn run(command: &str, folder: &Path) -> String {
    let mut words = command.split_whitespace();
    let program = match words.next() {
        Some("raddle") => env!("CARGO_BIN_EXE_raddle"),
        Some("make") => "make",
        other => panic!("{other:?} is no command of the tutorial"),
    };
    let output = Command::new(program).args(words).current_dir(folder).output();
    let output = output.expect("the command can be run");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first expected line that is not found after those before it.
fn missing<'a>(expected: &'a [String], printed: &str) -> Option<&'a str> {
    let mut lines = printed.lines();
    expected.iter().filter(|l| *l != "…").map(String::as_str).find(|wanted| !match wanted
        .strip_suffix('…')
    {
        Some(start) => lines.any(|l| l.starts_with(start)),
        None => lines.any(|l| l == *wanted),
    })
}

#[test]
fn the_tutorial_shows_what_raddle_prints() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/tutorial.md"));
    let steps = steps(&text.expect("the tutorial exists"));
    assert!(steps.len() >= 6, "it has {} commands", steps.len());
    let folder = copy("lru");
    for step in steps {
        let printed = run(&step.command, &folder);
        if let Some(line) = missing(&step.expected, &printed) {
            panic!("`{}` does not print\n  {line}\nbut\n{printed}", step.command);
        }
    }
}
