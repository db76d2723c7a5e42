//! Programs that are deep in one way or another: no walk over terms, blocks or values may overflow
//! the stack, and where calls are nested too deep the answer is an honest UNKNOWN.

use std::fmt::Write;
use std::process::Command;

/// The last line that `raddle check` prints for a program, and all it prints.
fn verdict(name: &str, source: &str, args: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("writes");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["check", "--time", "120", "--engine", "staged"]).args(args).arg(&path);
    let output = command.output().expect("raddle starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or_default().to_string();
    (last, format!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn expect(expected: &str, name: &str, source: &str, args: &[&str]) -> String {
    let (last, text) = verdict(name, source, args);
    assert_eq!(last, format!("VERDICT: {expected}"), "{name}\n{text}");
    text
}

/// A thread with this body runs beside main, which sets `y`.
fn program(globals: &str, body: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n{globals}\nint y, z;\n\
         void *work(void *arg) {{\n{body}\nreturn arg;\n}}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); y = 1; return z; }}\n"
    )
}

#[test]
fn long_chains_of_values() {
    // Each value is made from the one before: a term as deep as there are iterations.
    let body = "unsigned x = y;\nfor (int i = 0; i < 100000; i++) x = ((x ^ i) + (x >> 1)) & 3;\n\
                z = x;\nassert(y != 2);";
    expect("SAFE", "values.c", &program("", body), &["--property", "assertions"]);
    // A pointer that moves on and on, and where it points is asked at the end.
    let body = "char *p = a;\nint k = y & 1;\nfor (int i = 0; i < 30000; i++) p = a + ((p - a + k) & 3);\n\
                *p = 1;\nassert(y != 2);";
    expect("SAFE", "pointers.c", &program("char a[4];", body), &["--property", "assertions"]);
}

#[test]
fn long_functions() {
    let mut body = String::from("int own = y;\n");
    for i in 0..10_000 {
        writeln!(body, "own = own * 3 + {i};").expect("strings take all");
    }
    body += "z = own;\nassert(y != 2);";
    expect("SAFE", "statements.c", &program("", &body), &["--property", "assertions"]);
    let mut body = String::from("int own = y;\n");
    for i in 0..3_000 {
        writeln!(body, "if (own == {i}) own += {};", i % 7).expect("strings take all");
    }
    body += "z = own;\nassert(y != 2);";
    expect("SAFE", "branches.c", &program("", &body), &["--property", "assertions"]);
}

/// Functions that call each other in a chain of this length.
fn chain(length: usize) -> String {
    let mut text = String::from("extern int y, z;\nstatic void f0(void) { z = y; }\n");
    for i in 1..length {
        writeln!(text, "static void f{i}(void) {{ f{}(); z = {i}; }}", i - 1)
            .expect("strings take all");
    }
    program(&text, &format!("f{}();\nassert(y != 2);", length - 1))
}

#[test]
fn deep_calls() {
    expect("SAFE", "calls.c", &chain(1_500), &["--property", "assertions"]);
    let text = expect("UNKNOWN", "too_deep.c", &chain(4_000), &["--property", "assertions"]);
    assert!(text.contains("nested more than"), "the reason is said:\n{text}");
    let body = "z = sum(400, y);\nassert(y != 2);";
    let sum = "static int sum(int n, int k) { return n ? sum(n - 1, k) + k : 0; }";
    let args = ["--property", "assertions", "--unwind", "500"];
    expect("SAFE", "recursion.c", &program(sum, body), &args);
}
