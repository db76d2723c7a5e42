//! What users see: verdict lines, exit codes, limits, traces, formats; and the examples of the
//! README.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn raddle(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(args).output().expect("raddle starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).display().to_string()
}

/// Expects a verdict on the last line and the exit code that goes with it.
fn expect(args: &[&str], verdict: &str, code: i32) -> String {
    let output = raddle(args);
    let text = stdout(&output);
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or_default();
    assert_eq!(last, format!("VERDICT: {verdict}"), "{args:?}\n{text}\n{errors}");
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}\n{errors}");
    text
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("writes");
    (path.clone(), path.display().to_string())
}

#[test]
fn heap_objects_have_the_names_that_the_program_gives_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let program = root.join("memory/freed_by_name.c").display().to_string();
    let text = expect(&["check", "--property", "memory", &program], "UNSAFE", 1);
    let headline = "write of 8 bytes in `queue->nodes[1].next` after it was freed";
    assert!(text.contains(headline), "{text}");
}

/// More interleavings than anybody can run.
const ENDLESS: &str = "#include <pthread.h>\n#include <stdatomic.h>\n\
    atomic_int x;\n\
    void *f(void *a) { for (int i = 0; i < 1000; i++) x = x * 3 + 1; return a; }\n\
    int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n\
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }\n";

#[test]
fn examples_show_their_bugs() {
    let cases = [
        ("fixed_update.c", "SAFE", 0, "No execution"),
        ("lost_update.c", "UNSAFE", 1, "reads account.balance = 1"),
        ("lost_wakeup.c", "UNSAFE", 1, "waits here for a wakeup"),
        ("use_after_free.c", "UNSAFE", 1, "after it was freed"),
        ("lock_order.c", "UNSAFE", 1, "wait for each other's locks"),
    ];
    for (name, verdict, code, words) in cases {
        let text = expect(&["check", &example(name)], verdict, code);
        assert!(text.contains(words), "{name}: `{words}` is missing in\n{text}");
        assert!(!text.contains('\x1b'), "{name}: colours without a terminal");
    }
}

/// A thread is shown by the function that the user gave, not by the wrappers of `thrd_create` and
/// of thread-specific data.
#[test]
fn threads_have_the_names_of_the_user() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let c11 = "#include <threads.h>\nint x;\nint work(void *a) { return a ? 1 : x++; }\n\
        int main(void) { thrd_t t; thrd_create(&t, work, 0); x++; return thrd_join(t, 0); }\n";
    let keys = "#include <pthread.h>\nint x;\npthread_key_t k;\n\
        void *work(void *a) { pthread_setspecific(k, &x); x++; return a; }\n\
        void gone(void *a) { (void)a; }\n\
        int main(void) { pthread_t t; pthread_key_create(&k, gone);\n\
        pthread_create(&t, 0, work, 0); x++; return pthread_join(t, 0); }\n";
    for (name, program) in [("c11.c", c11), ("keys.c", keys)] {
        let (_, path) = file(&folder, name, program);
        let text = expect(&["check", "--property", "races", &path], "UNSAFE", 1);
        assert!(text.contains("starts thread 2: work"), "{name}\n{text}");
        assert!(text.contains("│ thread 2: work"), "{name}\n{text}");
    }
}

/// All that follows `--args` goes to the program; a file that stands there was meant otherwise.
#[test]
fn a_file_among_the_arguments_of_the_program_is_noticed() {
    let path = example("lock_order.c");
    let output = raddle(&["check", "--args", "a", "b", &path]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains(&format!("raddle check {path} --args ...")), "{errors}");
    let output = raddle(&["check", "--args", "a", "b"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("<FILE>"), "{errors}");
}

/// Memory from `alloca` is called as where its address goes.
#[test]
fn memory_from_alloca_has_a_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = "#include <alloca.h>\n#include <pthread.h>\nstruct job { int state; };\n\
        void *work(void *a) { ((struct job *)a)->state = 1; return a; }\n\
        int main(int n, char **v) { struct job *jobs = alloca(n * sizeof *jobs); pthread_t t; (void)v;\n\
        pthread_create(&t, 0, work, &jobs[0]); jobs[0].state = 2; return pthread_join(t, 0); }\n";
    let (_, path) = file(&folder, "alloca.c", program);
    let text = expect(&["check", "--property", "races", &path], "UNSAFE", 1);
    assert!(text.contains("data race on `jobs"), "{text}");
}

/// Where a property that would have shown undefined behaviour is not checked, a verdict says what it does not cover.
#[test]
fn undefined_behaviour_is_noted_where_nobody_checks_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let null = "#include <pthread.h>\n#include <assert.h>\nint x, *p;\n\
        void *f(void *a) {\n*p = 1;\nassert(0); return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }\n";
    let initialised = null.replace("*p;", "*p = &x;").replace("assert(0)", "assert(x)");
    let index = "#include <pthread.h>\nint a[2]; volatile int i;\n\
        void *f(void *b) { i = 2; return b; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        return a[i]; }\n";
    let divided = "#include <pthread.h>\nvolatile int d = 1;\n\
        void *f(void *a) { d = 0; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        return 6 / d; }\n";
    let label = "#include <pthread.h>\nvolatile int i;\n\
        void *f(void *b) { i = 1; return b; }\n\
        int main(void) { static void *labels[2] = {&&end};\n\
        pthread_t t; pthread_create(&t, 0, f, 0);\n\
        goto *labels[i];\n\
        end: return 0; }\n";
    let cases = [
        ("null.c", null, Some("null.c:5 (`memory` is not checked)")),
        ("label.c", label, Some("label.c:6 (`memory` is not checked)")),
        ("initialised.c", initialised.as_str(), None),
        ("index.c", index, Some("index.c:5 (`memory` is not checked)")),
        ("divided.c", divided, Some("divided.c:5 (`overflow` is not checked)")),
    ];
    for (name, program, expected) in cases {
        let (_, path) = file(&folder, name, program);
        for engine in ["staged", "explore"] {
            let args = ["check", "--engine", engine, "--property", "assertions", &path];
            let text = expect(&args, "SAFE", 0);
            let noted = text.contains("ends in undefined behaviour at");
            assert_eq!(noted, expected.is_some(), "{name} {engine}\n{text}");
            assert!(expected.is_none_or(|e| text.contains(e)), "{name} {engine}\n{text}");
        }
    }
}

#[test]
fn the_readme_shows_what_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "examples/lock_order.c"])
        .current_dir(&root)
        .output()
        .expect("raddle starts");
    let readme = include_str!("../../../README.md");
    let (_, block) = readme.split_once("raddle check examples/lock_order.c").expect("the command");
    let block = block.split("```").nth(1).expect("a block of output").trim_start();
    // The figures of the search may change; what is said about the program must not.
    let text = stdout(&output);
    let before = |text: &str| text.split("\nnote:").next().map(str::to_string);
    assert_eq!(before(block), before(&text));
}

#[test]
fn traces_replay_until_the_program_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <assert.h>\n#include <pthread.h>\nint x;\n\
        void *f(void *a) { x = N; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }\n";
    let (path, program) = file(&folder, "p.c", source);
    let trace = folder.path().join("bug.trace").display().to_string();
    let check = ["check", "--engine", "explore", "-p", "assertions", "-DN=3", "-std=c11"];
    let text = expect(&[&check[..], &["--trace", &trace, &program]].concat(), "UNSAFE", 1);
    assert!(text.contains(&format!("raddle replay {trace}")), "{text}");
    let again = expect(&["replay", &trace], "UNSAFE", 1);
    assert!(again.contains("writes x = 3"), "{again}");
    std::fs::write(&path, source.replace("x = N;", "x = 1; x = N;")).expect("writes");
    let output = raddle(&["replay", &trace]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("did the program or its options change"), "{message}");
}

#[test]
fn json_has_the_fields_of_its_page() {
    let output =
        raddle(&["check", "--engine", "explore", "--format", "json", &example("lost_update.c")]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON only");
    let page = include_str!("../../../docs/json.md");
    let documented = |value: &serde_json::Value| {
        for key in value.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("`{key}`")), "{key} is not documented");
        }
    };
    documented(&report);
    documented(&report["findings"][0]);
    documented(&report["findings"][0]["steps"][0]);
    assert_eq!(report["verdict"], "UNSAFE");
    assert_eq!(report["findings"][0]["property"], "assertions");
    assert_eq!(report["findings"][0]["marks"][0]["at"]["line"], 46);
    assert_eq!(report["schema"], raddle_report::data::SCHEMA);
}

/// What a program can act upon is a kind, beside the words.
#[test]
fn json_has_kinds_beside_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n\
        int i = 0;\nwhile (__VERIFIER_nondet_int()) i++;\nassert(i != BUG);\nreturn 0; }\n";
    let (_, program) = file(&folder, "loop.c", text);
    let json = |args: &[&str]| -> serde_json::Value {
        let output = raddle(&[&["check", "--format", "json"], args].concat());
        serde_json::from_slice(&output.stdout).expect("JSON only")
    };
    let bounded = json(&["--unwind", "3", "-DBUG=9", &program]);
    assert_eq!(bounded["bounds"][0]["kind"], "loop", "{bounded}");
    assert_eq!(bounded["bounds"][0]["limit"], 3);
    assert_eq!(bounded["bounds"][0]["at"]["line"], 5);
    // Found at the first bound that is deep enough; what comes later was not looked at.
    let found = json(&["-p", "assertions,overflow", "-DBUG=1", &program]);
    let note = found["notes"].as_array().expect("notes");
    let note = note.iter().find(|n| n["kind"] == "further-findings").expect("a limited search");
    assert!(note["text"].as_str().expect("words").contains("overflow"), "{note}");
    for (engine, kind) in [("staged", "unrolling"), ("explore", "exhaustion")] {
        let safe = json(&["--engine", engine, &example("fixed_update.c")]);
        assert_eq!(safe["ground"]["kind"], kind, "{safe}");
    }
}

#[test]
fn time_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = file(&folder, "endless.c", ENDLESS);
    let start = Instant::now();
    let args = ["check", "--engine", "explore", "-p", "assertions", "--time", "2", &program];
    let text = expect(&args, "UNKNOWN", 3);
    assert!(text.contains("the time is up"), "{text}");
    // The limit is 2 s; the rest allows for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn nothing_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = file(&folder, "endless.c", ENDLESS);
    let mut child = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--engine", "explore", "--time", "60", &program])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("raddle starts");
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("it runs");
    // Standard output is closed only when the last process that could write to it has ended.
    let start = Instant::now();
    child.wait_with_output().expect("the output ends");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn memory_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = file(&folder, "endless.c", ENDLESS);
    let common = ["check", "--engine", "explore", "-p", "assertions", "--time", "20"];
    let text = expect(&[&common[..], &["--memory", "1", &program]].concat(), "UNKNOWN", 3);
    assert!(text.contains("memory is used up"), "{text}");
    let limited = Command::new("sh")
        .args(["-c", "ulimit -v 600000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_raddle")])
        .args(common)
        .arg(&program)
        .output()
        .expect("sh starts");
    let text = stdout(&limited);
    assert!(text.trim_end().ends_with("VERDICT: UNKNOWN"), "{text}");
}

#[test]
fn manuals_and_colours() {
    let cases: [(&[&str], &str); 7] = [
        (&["--help"], "raddle check prog.c"),
        (&["check", "--help"], "compile_commands.json"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
        (&["man"], ".SH COMMAND CHECK"),
        (&["completions", "bash"], "_raddle"),
        (&["explain"], "races"),
        (&["explain", "no-data-race"], "C17 5.1.2.4"),
    ];
    for (args, words) in cases {
        let output = raddle(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(stdout(&output).contains(words), "{args:?}");
    }
    let lost = example("lost_update.c");
    let text = stdout(&raddle(&["check", "--engine", "explore", "--color", "always", &lost]));
    assert!(text.contains("\x1b[1;31mVERDICT: UNSAFE"), "{text}");
    let text = expect(&["check", "--engine", "explore", "-q", &lost], "UNSAFE", 1);
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn functions_without_a_body_do_anything_if_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "struct config { int size; };\nstruct hidden;\n\
                  int parse(struct config *config, const char *text);\n\
                  struct hidden *open_hidden(void);\nint use(struct hidden *, char **name);\n";
    file(&folder, "lib.h", header);
    let text = "#include \"lib.h\"\n#include <assert.h>\nint main(void) {\n\
                struct config c = {1};\nconst char text[] = \"x\";\nchar *name = 0;\n\
                struct hidden *h = open_hidden();\nif (h) use(h, &name);\n\
                int got = parse(&c, text);\nassert(text[0] == 'x');\n\
                WRONG\nreturn 0; }\n";
    let (_, safe) = file(&folder, "safe.c", &text.replace("WRONG", ""));
    let (_, size) = file(&folder, "size.c", &text.replace("WRONG", "assert(c.size == 1);"));
    let (_, result) = file(&folder, "result.c", &text.replace("WRONG", "assert(got >= 0);"));
    let common = ["check", "--property", "assertions,memory"];
    let unknown = expect(&[&common[..], &[&safe]].concat(), "UNKNOWN", 3);
    for name in ["open_hidden", "use", "parse"] {
        assert!(unknown.contains(&format!("function `{name}`")), "{unknown}");
    }
    let any = ["--undefined", "any"];
    let bounded = expect(&[&common[..], &any, &[&safe]].concat(), "BOUNDED", 3);
    assert!(bounded.contains("  - undefined functions return anything"), "{bounded}");
    assert!(bounded.contains("`parse`"), "{bounded}");
    for wrong in [&size, &result] {
        let trace = folder.path().join("bug.trace").display().to_string();
        let args = [&common[..], &any, &["--trace", &trace, wrong]].concat();
        expect(&args, "UNSAFE", 1);
        expect(&["replay", &trace], "UNSAFE", 1);
    }
    let stubs = raddle(&["stubs", &safe]);
    assert_eq!(stubs.status.code(), Some(0));
    let (_, stubs) = file(&folder, "stubs.c", &stdout(&stubs));
    expect(&[&common[..], &[&safe, &stubs]].concat(), "SAFE", 0);
    expect(&[&common[..], &[&size, &stubs]].concat(), "UNSAFE", 1);
}

#[test]
fn stages_are_shown() {
    let fixed = example("fixed_update.c");
    let cases = [
        ("llvm", "define"),
        ("program", "function deposit("),
        ("cells", "balance"),
        ("skeleton", "thread 2: deposit"),
    ];
    for (stage, words) in cases {
        let output = raddle(&["show", "--stage", stage, &fixed]);
        assert_eq!(output.status.code(), Some(0), "{stage}");
        assert!(stdout(&output).contains(words), "{stage}: {}", stdout(&output));
    }
}

/// The skeleton of a thread as it is shown, without source lines.
fn skeleton(program: &str, thread: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(program);
    let path = path.display().to_string();
    let output = raddle(&[
        "show",
        "--stage",
        "skeleton",
        "--property",
        "assertions",
        "--unwind",
        "1",
        &path,
    ]);
    let text = stdout(&output);
    let lines = text.lines().skip_while(|l| !l.starts_with(thread)).skip(1);
    let has_unit = |l: &&str| l.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let lines = lines.take_while(|l| l.starts_with(' ')).filter(has_unit);
    let event = |l: &str| {
        let l = l.split("    ;").next().unwrap_or_default();
        l.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    lines.map(event).collect()
}

/// Paper 004 §1.1: a hundred local steps vanish, the shared writes are functions of the one read.
#[test]
fn local_steps_vanish_from_the_skeleton() {
    let mut expected = vec!["read x = v0".to_string()];
    expected.extend((0..99).map(|i| format!("write z[{i}] = (add v0 {}:32)", i + 1)));
    expected.extend(["write x = (add v0 100:32)".to_string(), "end".to_string()]);
    assert_eq!(skeleton("summary/carried_value.c", "thread 2"), expected);
}

/// Paper 004, figure 1: each access with its value and the condition under which it occurs, each
/// read with a value of its own.
#[test]
fn accesses_occur_under_the_conditions_of_their_paths() {
    let expected = [
        "read x = v0",
        "read x = v1 if (not (slt v0 1:32))",
        "write x = (add v1 2:32) if (not (slt v0 1:32))",
        "read x = v2 if (slt v0 1:32)",
        "write x = (add v2 1:32) if (slt v0 1:32)",
        "end",
    ];
    assert_eq!(skeleton("summary/two_adders.c", "thread 2"), expected);
    assert_eq!(skeleton("summary/two_adders.c", "thread 3").len(), expected.len());
}

#[test]
fn a_solver_that_is_missing_or_fails_is_an_error_with_advice() {
    let program = example("lost_update.c");
    let output = raddle(&["check", "--solver", "raddle-no-such-solver", &program]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("raddle-no-such-solver") && text.contains("apt install"), "{text}");
    let text = expect(&["check", "--engine", "staged", "--solver", "cat", &program], "UNKNOWN", 3);
    assert!(text.contains("the solver cat said"), "{text}");
}

#[test]
fn stages_are_measured() {
    let output =
        raddle(&["check", "--engine", "staged", "--format", "json", &example("lost_update.c")]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let stages = report["stages"].as_array().expect("stages");
    let names: Vec<&str> = stages.iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["summary", "composition", "solving"]);
    assert!(stages.iter().all(|s| s["seconds"].as_f64().is_some_and(|t| t > 0.0)), "{report}");
}
