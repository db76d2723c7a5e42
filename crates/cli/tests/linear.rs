//! Formulas about infinite executions, as users check them.
//!
//! Each program of `tests/linear` says in its first lines what the answers are: a verdict, options, and
//! perhaps `--ltl` with a formula up to the end of the line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a check prints, on both outputs, and its exit code.
fn check(file: &Path, options: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .current_dir(ROOT)
        .args(["check", "--quiet", "--time", "240"])
        .arg(file)
        .args(options)
        .output()
        .expect("raddle can be started");
    let text = [output.stdout, output.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
    (text.concat(), output.status.code())
}

/// The expected verdicts of a program, each with its options.
fn expected(text: &str) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("// ")) {
        let Some((verdict, options)) = line.split_once(" --") else { continue };
        if verdict != "SAFE" && verdict != "UNSAFE" {
            continue;
        }
        let options = format!("--{options}");
        let (words, formula) = match options.split_once("--ltl ") {
            Some((words, formula)) => (words.to_string(), Some(formula.to_string())),
            None => (options, None),
        };
        let mut words: Vec<String> = words.split_whitespace().map(String::from).collect();
        if let Some(formula) = formula {
            words.extend(["--ltl".to_string(), formula]);
        }
        all.push((verdict.to_string(), words));
    }
    all
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join("tests/linear");
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    let paths = entries.map(|e| e.expect("it can be read").path());
    let mut all: Vec<PathBuf> = paths.filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    all.sort();
    all
}

#[test]
fn programs_have_the_expected_answers() {
    let only = std::env::var("RADDLE_PROGRAMS").unwrap_or_default();
    let mut all = Vec::new();
    for path in programs() {
        if !path.display().to_string().contains(&only) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let expected = expected(&text);
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        all.extend(expected.into_iter().map(|(verdict, options)| (path.clone(), verdict, options)));
    }
    assert!(!all.is_empty(), "something is checked");
    let next = AtomicUsize::new(0);
    let look = || {
        while let Some((path, verdict, options)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            let (text, _) = check(path, &options);
            let last = format!("VERDICT: {verdict}\n");
            assert!(text.ends_with(&last), "{} {options:?}: {text}", path.display());
        }
    };
    // One after the other they would be the longest test of all.
    std::thread::scope(|scope| {
        scope.spawn(look);
        look();
    });
}

/// What `docs/ltl.md` shows is what raddle prints: a line that is `…` stands for any lines, one that ends
/// so for its beginning.
#[test]
fn the_page_shows_what_raddle_prints() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/ltl.md")).expect("the page");
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let mut parts = command.split('\'');
        let first = parts.next().and_then(|c| c.strip_prefix("$ raddle ")).expect("a command");
        let (formula, rest) = (parts.next().expect("a formula"), parts.next().expect("a file"));
        let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .current_dir(ROOT)
            .args(first.split_whitespace())
            .arg(formula)
            .args(rest.split_whitespace())
            .output()
            .expect("raddle can be started");
        let text = [output.stdout, output.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
        let text = text.concat();
        let mut lines = text.lines();
        for wanted in expected.lines().filter(|l| *l != "…") {
            let found = match wanted.strip_suffix('…') {
                Some(start) => lines.any(|l| l.starts_with(start)),
                None => lines.any(|l| l == wanted),
            };
            assert!(found, "`{command}` does not print\n  {wanted}\nbut\n{text}");
        }
        commands += 1;
    }
    assert!(commands >= 3, "the page has {commands} commands");
}

#[test]
fn mistakes_are_told_with_their_column() {
    let cases = [
        ("G (lock == ", 12, "the formula ends where an operand is expected"),
        ("G (lock == 1", 13, "`)` is missing for the `(` in column 3"),
        ("G lock = 1", 8, "`=` is no comparison; write `==`"),
        ("F at(insid)", 6, "no label or function `insid`; did you mean `inside`?"),
        ("F terminated(oher)", 14, "no function `oher`; did you mean `other`?"),
        ("F locked(other)", 3, "`locked` cannot be called; known are at(…) and terminated(…)"),
        ("(F lock) + 1 == 2", 2, "`F` cannot stand inside a C expression"),
        ("G lock / waiting == 1", 10, "a divisor must be a positive number, so that it is never 0"),
        ("lock[0] == 1", 5, "only arrays have elements"),
        ("lock == 1 waiting", 11, "`waiting` is not expected here"),
        ("U lock", 1, "`U` stands between two operands"),
        ("G (lock == 99999999999999999999)", 12, "`99999999999999999999` is no number of C"),
    ];
    let file = Path::new(ROOT).join("examples/spin_lock.c");
    for (formula, column, message) in cases {
        let (text, code) = check(&file, &["--ltl", formula]);
        assert_eq!(code, Some(2), "{formula}: {text}");
        let wanted = format!("--ltl, column {column}: {message}\n  {formula}\n");
        assert!(text.contains(&wanted), "{formula}: {text}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let file = Path::new(ROOT).join("examples/spin_lock.c");
    let cases: [(&[&str], &str); 5] = [
        (&["--ltl", "G lock == 0", "--engine", "staged"], "the engine circuit does"),
        (&["--ltl", "G lock == 0", "--property", "races"], "check races apart from them"),
        (&["--property", "ltl"], "the property ltl needs a formula"),
        (&["--fairness", "strong"], "--fairness is for --ltl"),
        (&["--ltl-file", "examples"], "file of formulas examples"),
    ];
    for (options, message) in cases {
        let (text, code) = check(&file, options);
        assert_eq!(code, Some(2), "{options:?}: {text}");
        assert!(text.contains(message), "{options:?}: {text}");
    }
}

/// Diagrams of a product of two words are too large: then nothing is said.
#[test]
fn diagrams_that_are_too_large_are_no_proof() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linear");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join("products.c");
    let program = "#include <pthread.h>\n#include <stdatomic.h>
        atomic_uint a = 3, b = 5, product;
        void *other(void *p) { for (;;) product = a * b; return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, other, 0);
            for (;;) { a = b + 2; b = a * 3; } }\n";
    std::fs::write(&file, program).expect("it can be written");
    let options = ["--engine", "circuit", "--method", "bdd", "--ltl", "G F (product != 7)"];
    let (text, code) = check(&file, &options);
    assert!(text.contains("decision diagrams would have more than 4 million nodes"), "{text}");
    assert!(text.ends_with("VERDICT: UNKNOWN\n"), "{text}");
    assert_eq!(code, Some(3), "{text}");
}

/// A lasso is kept in a file and shown again; with other formulas it is refused.
#[test]
fn lassos_are_replayed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linear");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let (trace, formulas) = (folder.join("bug.trace"), folder.join("formulas"));
    let text = "# first\nG F (lock == 0) // holds\n\nG (waiting == 1 -> F at(inside))\n";
    std::fs::write(&formulas, text).expect("it can be written");
    let file = Path::new(ROOT).join("examples/spin_lock.c");
    let path = |p: &PathBuf| p.display().to_string();
    let (text, code) = check(&file, &["--ltl-file", &path(&formulas), "--trace", &path(&trace)]);
    assert_eq!(code, Some(1), "{text}");
    let replay = || {
        let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["replay", &path(&trace)])
            .output()
            .expect("raddle can be started");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    };
    let (text, code) = replay();
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("From here on for ever:"), "{text}");
    std::fs::write(&formulas, "G F (lock == 0)\n").expect("it can be written");
    assert_eq!(replay().1, Some(2), "a trace of another formula");
}
