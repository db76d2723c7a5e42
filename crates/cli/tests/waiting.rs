//! Loops in which threads wait: `lazy` comes to an end, since an iteration without a trace is none.

use std::path::Path;
use std::process::Command;

/// A spin lock, exchanges that fail, condition waits that end by themselves: each has endless
/// executions, and none of them needs to be looked at.
const WAITING: [(&str, &str); 5] = [
    ("atomics/flag_spin_lock.c", "assertions,races"),
    ("atomics/weak_retry_adds_up.c", "assertions"),
    ("cond/wait_in_while.c", "assertions,races"),
    ("cond/wait_before_look.c", "assertions"),
    ("cond/timedwait_timeout_handled.c", "assertions,races"),
];

#[test]
fn waiting_ends() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    for (program, properties) in WAITING {
        let out = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["check", "--engine", "lazy", "--time", "60", "--property", properties])
            .arg(folder.join(program))
            .output()
            .expect("raddle starts");
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(text.ends_with("VERDICT: SAFE\n"), "{program}: {text}");
    }
}
