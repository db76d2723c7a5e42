//! Programs that are too large for automata: `lazy` says what is too large and where, in time and
//! within the limit on memory.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Megabytes that each run may take, and how many more it may have before that is noticed.
const MOST: u64 = 500;
const LATE: u64 = 250;

const THREADS: &str = "#include <pthread.h>\n#include <assert.h>
    extern unsigned __VERIFIER_nondet_uint(void);
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n";

/// The most memory that the processes below one had when they were looked at, in megabytes.
fn memory_below(process: u32) -> u64 {
    let children = format!("/proc/{process}/task/{process}/children");
    let children = std::fs::read_to_string(children).unwrap_or_default();
    let peak = |child: &str| {
        let status = std::fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        peak.and_then(|p| p.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
    };
    children.split_whitespace().map(peak).max().unwrap_or(0)
}

/// The report of a run that comes to no end, or to one within bounds.
fn check(program: &str, seconds: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("large.c"), folder.path().join("report"));
    std::fs::write(&file, format!("{THREADS}{program}")).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--engine", "lazy", "--property", "assertions", "--format", "json"])
        .args(["--memory", &MOST.to_string(), "--time", seconds])
        .arg(&file)
        .stdout(Stdio::from(std::fs::File::create(&out).expect("a file")))
        .spawn()
        .expect("raddle starts");
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        peak = peak.max(memory_below(child.id()));
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = std::fs::read_to_string(&out).expect("a report");
    assert_eq!(status.code(), Some(3), "{text}");
    assert!(peak <= MOST + LATE, "{peak} MB: {text}");
    serde_json::from_str(&text).expect("JSON")
}

/// The bound of a kind that an answer names, with its line.
fn bound(report: &Value, kind: &str) -> (u64, u64) {
    let bounds = report["bounds"].as_array().unwrap_or_else(|| panic!("{report}"));
    let bound = bounds.iter().find(|b| b["kind"] == kind);
    let bound = bound.unwrap_or_else(|| panic!("{kind}: {report}"));
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    (number(&bound["limit"]), number(&bound["at"]["line"]))
}

#[test]
fn cells_of_one_object() {
    let program = "char a[1 << 27];
        void *run(void *p) { unsigned i = __VERIFIER_nondet_uint();
            if (i < sizeof a) a[i] = 1;\n return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0);
            assert(a[__VERIFIER_nondet_uint() % 7] <= 1); }\n";
    assert_eq!(bound(&check(program, "10"), "object"), (4096, 8));
}

#[test]
fn cells_of_many_objects() {
    let mut program = String::new();
    for i in 0..1700 {
        program += &format!("int a{i}[64];\n");
    }
    let names: Vec<String> = (0..1700).map(|i| format!("a{i}")).collect();
    program += &format!("int *all[] = {{{}}};\n", names.join(","));
    program += "int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1700;
        assert(all[i][__VERIFIER_nondet_uint() % 64] == 0); }\n";
    let report = check(&program, "20");
    assert_eq!(report["verdict"], "UNKNOWN");
    assert_eq!(report["reason"]["kind"], "large", "{report}");
    let text = report["reason"]["text"].as_str().expect("words");
    assert!(text.contains("cells that threads could use"), "{text}");
    // One of the arrays, not the first ones.
    let line = report["reason"]["at"]["line"].as_u64().expect("a line");
    assert!((1500..1720).contains(&line), "{report}");
}

#[test]
fn recursion() {
    let program = "int down(unsigned n) { if (n == 0) return 0; x++;
        return 1 + down(n - 1); }
        int main(void) { assert(down(100000) == 100000); }\n";
    let (limit, line) = bound(&check(program, "10"), "recursion");
    assert!(limit >= 8 && line == 7, "{limit} {line}");
}

#[test]
fn calls() {
    let mut program =
        "void c0(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }\n".to_string();
    for i in 1..6 {
        program += &format!("void c{i}(void) {{ {} }}\n", format!("c{}(); ", i - 1).repeat(8));
    }
    program += "int main(void) { c5(); assert(x > 0); }\n";
    // 37,000 calls: one copy of each function is enough, and the depth is what ends it.
    let (limit, _) = bound(&check(&program, "5"), "steps");
    assert!(limit >= 8, "{limit}");
}

#[test]
fn threads() {
    let program = "pthread_t t[5000];
        void *run(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
        int main(void) { for (int i = 0; i < 5000; i++)\n pthread_create(&t[i], 0, run, 0);
            for (int i = 0; i < 5000; i++) pthread_join(t[i], 0);\n assert(x == 5000); }\n";
    assert_eq!(bound(&check(program, "20"), "threads"), (16, 9));
}

#[test]
fn threads_of_threads_that_take_all_memory() {
    let mut program = "void *t0(void *p) { pthread_mutex_lock(&m); x++;
        pthread_mutex_unlock(&m); return 0; }\n"
        .to_string();
    for i in 1..5 {
        program += &format!(
            "void *t{i}(void *p) {{ pthread_t t[8];
            for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, t{}, 0);
            for (int i = 0; i < 8; i++) pthread_join(t[i], 0); return 0; }}\n",
            i - 1
        );
    }
    program += "int main(void) { t4(0); assert(x > 0); }\n";
    let report = check(&program, "30");
    // What is known when the memory is used up is the answer, which says so.
    let (limit, _) = bound(&report, "steps");
    assert!(limit >= 2, "{report}");
    let notes = report["notes"].as_array().expect("a list");
    let note = notes.iter().find(|n| n["kind"] == "large");
    let text = note.unwrap_or_else(|| panic!("{report}"))["text"].as_str().expect("words");
    assert!(text.contains("the memory is used up"), "{text}");
    let advice = report["advice"].as_array().expect("a list").last().expect("one");
    assert_eq!(advice, "--memory 1000: more memory");
}
