//! Reports speak of the program as it is written: no names of raddle's own, no lines that nobody has.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Asks the library for all kinds of things, in threads of C11 with destructors.
const ASKS: &str = r#"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>
static char buffer[4];
static int shared;
static tss_t key;
static void init(void) { tss_create(&key, free); shared = rand() % 10; }
static once_flag once = ONCE_FLAG_INIT;
static int worker(void *unused) {
    call_once(&once, init);
    tss_set(key, malloc(4));
    shared++;
    return 0;
}
int main(void) {
    thrd_t a, b;
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    long n = read(0, buffer, sizeof buffer);
    thrd_join(a, 0);
    thrd_join(b, 0);
    if (n == 1)
        puts(buffer);
    assert(!(n == 2 && buffer[0] == 'q' && rand() == 77 && shared > 3));
}
"#;

/// Two files whose threads wait for each other.
const FIRST: &str = r#"
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *);
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return 0;
}
"#;
const SECOND: &str = r#"
#include <pthread.h>
extern pthread_mutex_t a, b;
void *other(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return unused;
}
"#;

/// Checks that macros hide.
const MACROS: &str = r#"
#include <assert.h>
static void failed(void) { assert(0); }
#define MUST(c) assert(c)
#define SAME(x, y) MUST((x) == (y))
#define CHECK(c) ((c) ? (void)0 : failed())
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        SAME(x,
             2 + 5);
    CHECK(x != 3);
}
"#;

fn raddle(folder: &Path, arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("raddle starts");
    assert!(matches!(out.status.code(), Some(0 | 1 | 3)), "{out:?}");
    String::from_utf8(out.stdout).expect("text")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn no_names_of_our_own() {
    let folder = folder(&[("asks.c", ASKS)]);
    let check = |options: &[&str]| {
        let all = ["check", "asks.c", "--property", "memory,assertions,races", "--time", "60"];
        raddle(folder.path(), &[&all[..], options].concat())
    };
    let text = check(&["--trace", "t"]);
    let replayed = raddle(folder.path(), &["replay", "t.2", "-v"]);
    // Without findings there are bounds, most of them in models.
    let bounded = check(&["--format", "json", "--unwind", "1"]);
    for output in [&text, &check(&["-v"]), &check(&["--format", "json"]), &replayed, &bounded] {
        for name in ["__raddle", "raddle-models"] {
            assert!(!output.contains(name), "{name} in {output}");
        }
    }
    for answer in ["  read = 2 (thread 1 at asks.c:22)", "  rand = 77 (thread 1 at asks.c:27)"] {
        assert!(text.lines().any(|line| line == answer), "{answer} in {text}");
    }
    assert!(text.contains("  bytes of read = \"q"), "{text}");
}

#[test]
fn lines_of_models_are_lines_of_their_calls() {
    let folder = folder(&[(
        "prints.c",
        "#include <stdio.h>\nint main(int n, char **a) {\n    if (n > 1)\n        puts(a[1]);\n}\n",
    )]);
    let options = ["check", "prints.c", "--unwind", "1", "--format", "json"];
    let report: Value = serde_json::from_str(&raddle(folder.path(), &options)).expect("JSON");
    let bounds = report["bounds"].as_array().expect("a list");
    let in_model =
        bounds.iter().find(|b| b["kind"] == "loop").unwrap_or_else(|| panic!("{report}"));
    assert_eq!(in_model["at"]["file"], "prints.c", "{report}");
    assert_eq!(in_model["at"]["line"], 4, "{report}");
    let text = in_model["text"].as_str().expect("words");
    assert_eq!(
        text,
        "loop over a string that the library reads, called at prints.c:4, unrolled up to bound 1"
    );
}

/// A bound that ends the search before there is a second thread says little, which a reader must know.
#[test]
fn a_bound_without_threads_says_so() {
    let text = |depth: u32| {
        format!(
            "#include <pthread.h>\nunsigned __VERIFIER_nondet_uint(void);\n\
             static unsigned down(int n) {{ return n ? down(n - 1) + 1 : 0; }}\n\
             static void *run(void *p) {{ return p; }}\n\
             int main(void) {{\n    pthread_t t;\n    down({depth});\n\
             pthread_create(&t, 0, run, 0);\n\
             for (unsigned i = __VERIFIER_nondet_uint(); i; i /= 2);\n}}\n"
        )
    };
    for (depth, expected) in [(9, true), (0, false)] {
        let folder = folder(&[("starts.c", &text(depth))]);
        let options = ["check", "starts.c", "--engine", "staged", "--format", "json"];
        let options = [&options[..], &["--unwind", "1", "--property", "races"]].concat();
        let report: Value = serde_json::from_str(&raddle(folder.path(), &options)).expect("JSON");
        assert_eq!(report["verdict"], "BOUNDED", "{report}");
        let notes = report["notes"].as_array().expect("a list");
        assert_eq!(notes.iter().any(|n| n["kind"] == "one-thread"), expected, "{report}");
    }
}

/// Every access is sequentially consistent here; who reads SAFE must know if the program asks for less.
#[test]
fn weaker_orders_of_memory_are_named() {
    let text = |order: &str| {
        format!(
            "#include <stdatomic.h>\n_Atomic int x;\nint main(void) {{\n    \
             atomic_store_explicit(&x, 1, memory_order_{order});\n    return x != 1;\n}}\n"
        )
    };
    for (order, expected) in [("relaxed", true), ("release", true), ("seq_cst", false)] {
        let folder = folder(&[("store.c", &text(order))]);
        let output = raddle(folder.path(), &["check", "store.c"]);
        let note = "note: Assumed: memory is sequentially consistent; store.c:4 asks for less.";
        assert_eq!(output.lines().any(|line| line == note), expected, "{order}: {output}");
        assert!(output.ends_with("VERDICT: SAFE\n"), "{output}");
    }
}

#[test]
fn who_waits_where_in_which_file() {
    let folder = folder(&[("first.c", FIRST), ("second.c", SECOND)]);
    let options = ["check", "first.c", "second.c", "--property", "deadlocks"];
    let text = raddle(folder.path(), &options);
    for words in ["thread 1 waits at first.c:9 for b", "thread 2 waits at second.c:6 for a"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("and holds b, taken at second.c:5"), "{text}");
}

#[test]
fn the_source_of_checks_that_macros_hide() {
    let folder = folder(&[("macros.c", MACROS)]);
    let text = raddle(folder.path(), &["check", "macros.c"]);
    let same = "error[assertions]: assertion `(x) == (2 + 5)` failed in `SAME(x, 2 + 5)`";
    assert!(text.contains(same), "{text}");
    let check = "in failed (macros.c:3), called from main (macros.c:13) in `CHECK(x != 3)`";
    assert!(text.contains(check), "{text}");
    let json = raddle(folder.path(), &["check", "macros.c", "--format", "json"]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let findings = report["findings"].as_array().expect("a list");
    let uses: Vec<&Value> = findings.iter().map(|f| &f["expression"]).collect();
    assert!(uses.contains(&&Value::from("SAME(x, 2 + 5)")), "{uses:?}");
}

/// Writes to a literal; the other thread waits for a semaphore that nobody posts.
const LITERALS: &str = r#"
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static char *names[] = {"one", "two"};
static void *worker(void *unused) {
    sem_wait(&ready);
    return unused;
}
int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, worker, 0);
#ifdef WRITES
    names[1][0] = 'T';
#endif
    pthread_join(t, 0);
}
"#;

#[test]
fn literals_and_what_is_waited_for_have_names() {
    let folder = folder(&[("literals.c", LITERALS)]);
    let options = ["check", "-DWRITES", "literals.c", "--property", "memory"];
    let text = raddle(folder.path(), &options);
    assert!(text.contains("write to the string literal \"two\""), "{text}");
    assert!(!text.contains(".str"), "{text}");
    let text = raddle(folder.path(), &["check", "literals.c", "--property", "deadlocks"]);
    assert!(text.contains("waits here for a semaphore that is 0"), "{text}");
}

/// A thread that lets time pass again and again hides that others wait for ever; who reads SAFE must know.
#[test]
fn waits_that_end_by_themselves_are_named() {
    let text = |before: &str, wait: &str| {
        format!(
            "#include <semaphore.h>\n#include <time.h>\nstatic sem_t done;\n\
             static int wait(void) {{ struct timespec time = {{0}}; {wait} }}\n\
             int main(void) {{\n    sem_init(&done, 0, 1);\n    {before} wait();\n}}\n"
        )
    };
    let timed = "return sem_timedwait(&done, &time);";
    let again = "for (int i = 0; i < 2; i++)";
    for (before, wait, property, expected) in [
        (again, timed, "deadlocks", true),
        ("", timed, "deadlocks", false),
        (again, "return sem_trywait(&done);", "deadlocks", false),
        (again, timed, "assertions", false),
    ] {
        let folder = folder(&[("waits.c", &text(before, wait))]);
        let output = raddle(folder.path(), &["check", "waits.c", "--property", property]);
        let note = "note: As long as a thread lets time pass again and again (waits.c:4), others that wait";
        assert_eq!(output.contains(note), expected, "{before} {wait} {property}: {output}");
        assert!(output.ends_with("VERDICT: SAFE\n"), "{output}");
    }
}

/// What is proved for some properties stands beside what is open for others, and so does what it assumes.
#[test]
fn answers_of_an_open_run_say_what_they_assume() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    \
                free(malloc(1));\n    printf(\"%s\");\n}\n";
    let folder = folder(&[("prints.c", text)]);
    let note = "note: Assumed: malloc never fails (--may-fail malloc).";
    for (properties, expected) in [("memory,assertions", true), ("memory", false)] {
        let output = raddle(folder.path(), &["check", "prints.c", "--property", properties]);
        assert_eq!(output.lines().any(|line| line == note), expected, "{output}");
        assert!(output.ends_with("VERDICT: UNKNOWN\n"), "{output}");
    }
}
