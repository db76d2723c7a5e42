//! Race freedom by structure, as users meet it: an answer of the default engine for programs that no
//! bound fits, with words about what it rests on.

use std::process::Command;

/// Any number of threads, joined in a loop, under a mutex; `END` is what main does then.
const PROGRAM: &str = "
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        pthread_mutex_lock(&m);
        sum += i;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    pthread_t *threads = malloc(n * sizeof *threads);
    for (int i = 0; i < n; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = FIRST; i < n; i++) pthread_join(threads[i], 0);
    return sum;
}";

fn check(first: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM.replace("FIRST", first)).expect("it can be written");
    let path = file.display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--property", "races"])
        .args(more)
        .arg(&path)
        .output();
    String::from_utf8_lossy(&output.expect("raddle can be started").stdout).into_owned()
}

#[test]
fn threads_that_loops_create_and_join() {
    for jobs in ["1", "2"] {
        let text = check("0", &["--jobs", jobs, "--time", "120"]);
        assert!(text.ends_with("VERDICT: SAFE\n"), "{text}");
        assert!(text.contains("as long as accesses stay inside their objects"), "{text}");
    }
}

#[test]
fn a_bound_is_kept_to() {
    let text = check("0", &["--unwind", "1", "--time", "60"]);
    assert!(text.ends_with("VERDICT: BOUNDED\n"), "{text}");
}

#[test]
fn a_thread_that_is_not_joined() {
    let text = check("1", &["--time", "60"]);
    assert!(text.ends_with("VERDICT: UNSAFE\n"), "{text}");
}
