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
        .args(["--cpu", "60", "--jobs", "2"])
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
    check("002-bubble", "^(block|staged)$", "^3 elements, (8|12) bits", 8);
}

#[test]
fn daisy() {
    check("003-daisy", "^staged$", "WW1|seek", 2);
    let all = &results("000-daisy-all", "^staged$", "")[0];
    assert!(all["findings"].as_u64().is_some_and(|n| n >= 50), "{all}");
}

#[test]
fn threads_by_the_dozen() {
    check("004-account,004-synchbench", "^staged$", "^(11|13) threads", 4);
    check("004-indexer", "^staged$", "^20 threads", 1);
}

/// Up to a depth without a race, both models; the depth is that which was asked for.
#[test]
fn depths() {
    for result in results("000-depth", "^(lazy|eager) CSR$", "^depth 6$") {
        assert_eq!(result["verdict"], "BOUNDED", "{result}");
        assert_eq!(result["figures"]["depth"], 6, "{result}");
    }
}

/// Paper 001, figure 2: how many positions the sequence needs that shows all additions in turns. One by one, each
/// is a position; so it is if only writes of one thread share one, since no two of a thread follow each other;
/// in the order of nested calls the second thread sees what the first one did at the same position.
#[test]
fn positions_of_fibonacci() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/papers/fibonacci.c");
    let verdict = |scheme: &str, writes: u32| {
        let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["check", "--engine", "unwinding", "--unwinding", scheme, "--first", "-q"])
            .args(["--property", "assertions", "-DITERATIONS=3", "--writes", &writes.to_string()])
            .arg(&source)
            .output()
            .expect("raddle runs");
        String::from_utf8_lossy(&done.stdout).lines().last().unwrap_or_default().to_owned()
    };
    let needed = [
        ("fine-explicit", 6),
        ("fine-implicit", 6),
        ("fine-mixed", 6),
        ("coarse-intra", 6),
        ("coarse-inter", 3),
    ];
    for (scheme, writes) in needed {
        assert_eq!(verdict(scheme, writes - 1), "VERDICT: BOUNDED", "{scheme}");
        assert_eq!(verdict(scheme, writes), "VERDICT: UNSAFE", "{scheme}");
    }
}

/// The contents of a large array after each position would be most of the formula; reads look for their writes then.
#[test]
fn large_arrays_are_not_written_down() {
    const STACK: &str = "
        #include <assert.h>
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static int stack[800], top;
        extern int __VERIFIER_nondet_int(void);
        static void *push(void *unused) {
            int at = __VERIFIER_nondet_int();
            for (int i = 1; __VERIFIER_nondet_int() && at >= 0 && at < 790; i++) {
                pthread_mutex_lock(&lock);
                top = at;
                stack[at++] = i;
                pthread_mutex_unlock(&lock);
            }
            return unused;
        }
        int main(void) {
            pthread_t other;
            pthread_create(&other, 0, push, 0);
            while (__VERIFIER_nondet_int()) {
                pthread_mutex_lock(&lock);
                assert(stack[top] < 3);
                pthread_mutex_unlock(&lock);
            }
            return 0;
        }";
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("stack.c");
    std::fs::write(&source, STACK).expect("a file is written");
    let done = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--engine", "unwinding", "--property", "assertions", "--first"])
        .args(["--unwind", "4", "--format", "json"])
        .arg(&source)
        .output()
        .expect("raddle runs");
    let answer: Value = serde_json::from_slice(&done.stdout).expect("the answer is JSON");
    assert_eq!(answer["verdict"], "UNSAFE", "{answer}");
    let statistics = answer["statistics"].as_array().expect("there are figures");
    let clauses = statistics.iter().find(|s| s["name"] == "clauses").expect("clauses are counted");
    assert!(clauses["value"].as_u64().is_some_and(|n| n < 200_000), "{clauses}");
}
