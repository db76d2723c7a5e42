//! Ctrl-C and SIGTERM: the run ends with what is known.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Never decided: both loops go on for ever.
const ENDLESS: &str = include_str!("endless.c");

/// Starts a run, sends it a signal and gives what it printed.
fn interrupted(text: &str, signal: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("endless.c");
    std::fs::write(&file, text).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--property", "races"])
        .args(options)
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("raddle starts");
    // Long enough that it listens; how far it gets does not matter.
    sleep(Duration::from_secs(3));
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    let status = child.wait().expect("it ends");
    assert!(status.code().is_some(), "{signal} {options:?}: it ends by itself, not by the signal");
    text
}

#[test]
fn a_signal_ends_the_run_with_a_verdict() {
    for signal in ["-INT", "-TERM"] {
        for options in [&[][..], &["--unsupervised"]] {
            let text = interrupted(ENDLESS, signal, options);
            let last = text.lines().last().unwrap_or_default();
            let fits = matches!(last, "VERDICT: BOUNDED" | "VERDICT: UNKNOWN");
            assert!(fits, "{signal} {options:?}: {text}");
        }
    }
}

/// The bound that was reached rests on the same assumptions as a proof.
#[test]
fn what_is_cut_short_says_what_it_assumes() {
    let text = ENDLESS.replace("x = x + y;", "x = __atomic_load_n(&x, __ATOMIC_RELAXED) + y;");
    let output = interrupted(&text, "-INT", &[]);
    assert!(output.ends_with("VERDICT: BOUNDED\n"), "{output}");
    let note = "Assumed: memory is sequentially consistent; ";
    assert!(output.contains(note), "{output}");
}
