//! The circuit engine as users start it: programs that run for ever are proved, by each method that
//! can, and a property that it does not decide is not called safe.

use std::path::Path;
use std::process::Command;

/// The standard output of a check with the circuit engine, and the exit code.
fn check(program: &str, options: &[&str]) -> (String, Option<i32>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--engine", "circuit", "--time", "300"])
        .args(options)
        .arg(root.join("tests/programs").join(program))
        .output()
        .expect("raddle can be started");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn endless_loops_are_proved() {
    let programs = [
        "proofs/mutual_exclusion_in_endless_loops.c",
        "proofs/values_of_inputs_in_endless_loops.c",
    ];
    for program in programs {
        for method in ["auto", "ic3", "bdd"] {
            let options = ["--method", method, "--property", "assertions"];
            let (text, code) = check(program, &options);
            assert_eq!(code, Some(0), "{program} by {method}: {text}");
            assert!(text.ends_with("VERDICT: SAFE\n"), "{program} by {method}: {text}");
        }
    }
}

#[test]
fn violations_are_found_by_every_method() {
    for method in ["auto", "bmc", "induction", "ic3", "bdd"] {
        let options = ["--method", method, "--property", "assertions"];
        let (text, code) = check("proofs/a_late_violation_in_endless_loops.c", &options);
        assert_eq!(code, Some(1), "by {method}: {text}");
    }
}

/// Deadlocks are states like others: found by every method, and proved to be absent.
#[test]
fn deadlocks_are_decided_by_every_method() {
    let two = "proofs/two_deadlocks_in_endless_loops.c";
    let spins = "proofs/a_turn_of_nobody_in_endless_loops.c";
    for method in ["bmc", "induction", "ic3", "bdd"] {
        let options = ["--method", method, "--property", "deadlocks"];
        let (text, code) = check(two, &options);
        assert_eq!(code, Some(1), "by {method}: {text}");
        assert!(text.contains("2 findings"), "by {method}: {text}");
        let (text, code) = check(spins, &options);
        assert_eq!(code, Some(1), "by {method}: {text}");
        // Executions have no end here.
        if method != "bmc" {
            let (text, code) = check("proofs/no_deadlock_in_endless_loops.c", &options);
            assert_eq!(code, Some(0), "by {method}: {text}");
        }
    }
}

/// The lines of one deadlock may be some of those of another one.
#[test]
fn deadlocks_of_fewer_lines_are_found_as_well() {
    let program = "proofs/a_deadlock_of_all_and_one_of_some.c";
    let (text, code) = check(program, &["--property", "deadlocks"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 findings"), "{text}");
}

#[test]
fn what_is_freed_after_any_number_of_requests_is_no_leak() {
    let (text, code) =
        check("proofs/freed_after_any_number_of_requests.c", &["--property", "leaks"]);
    assert_eq!(code, Some(0), "{text}");
}

/// All states are counted; fewer are reached where the scheduler is restricted, and where what nobody
/// disturbs is one step.
#[test]
fn states_are_counted() {
    let program = "proofs/mutual_exclusion_in_endless_loops.c";
    let options = ["--method", "bdd", "--property", "assertions"];
    let cases = [
        ("stubborn,transactions", 116, None),
        ("transactions", 84, Some("reduction: stubborn sets choose")),
        ("stubborn", 67, Some("reduction: transactions choose")),
        ("rounds", 59, Some("reduction: stubborn sets and transactions choose")),
    ];
    for (without, states, rests_on) in cases {
        let (text, _) = check(program, &[&options[..], &["--without", without]].concat());
        assert!(text.contains(&format!("none of {states} states leads to one")), "{text}");
        assert_eq!(text.contains("reduction"), rests_on.is_some(), "{text}");
        assert!(rests_on.is_none_or(|what| text.contains(what)), "{text}");
    }
}

#[test]
fn what_is_not_decided_is_not_called_safe() {
    let program = "proofs/mutual_exclusion_in_endless_loops.c";
    let (text, code) = check(program, &["--property", "assertions,lost-memory"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(!text.contains("VERDICT"), "{text}");
}

/// What a thread has that main never creates is no part of the circuit; exports have all threads.
#[test]
fn threads_that_are_never_created_are_left_out() {
    let program = "threads/as_many_as_main_counts.c";
    let (text, code) = check(program, &["--method", "bmc", "--property", "assertions"]);
    assert_eq!(code, Some(0), "{text}");
    let (before, _) = text.split_once(" latches").unwrap_or_else(|| panic!("{text}"));
    let few: u32 = before.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["export", "--aiger", "--property", "assertions"])
        .arg(root.join("tests/programs").join(program))
        .output()
        .expect("raddle can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The header has nodes, inputs and latches.
    let all: u32 = text.split(' ').nth(3).and_then(|n| n.parse().ok()).expect("a number");
    assert!(few < all, "{few} of {all} latches");
}
