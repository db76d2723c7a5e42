//! Algorithms for mutual exclusion, by looking at every state: whether somebody waits for ever while
//! scheduling is fair. What the engine says about the same programs is in `tests/linear` and `docs/ltl.md`.

use std::path::Path;

use raddle_frontend::{Options, load};
use raddle_ir::linear::Fairness;
use raddle_ir::{Program, PropertySet};
use raddle_testgen::linear::reference;

fn program(file: &str, clang: &[&str]) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(file);
    let checked = raddle_properties::parse("starvation").expect("a property");
    let checked = checked.iter().fold(PropertySet::EMPTY, PropertySet::with);
    let clang_args = clang.iter().map(|a| a.to_string()).collect();
    let options = Options { checked, clang_args, ..Options::default() };
    let mut program = load(&[path], &options).expect("valid C").program;
    raddle_properties::instrument(&mut program, checked);
    program.linear.fairness = Fairness::Weak;
    program
}

fn nobody_waits_for_ever(file: &str, clang: &[&str]) -> bool {
    reference(&program(file, clang), 400_000).unwrap_or_else(|| panic!("{file}: too many states"))
}

#[test]
fn six_algorithms_by_looking_at_every_state() {
    let holds = |name: &str| {
        nobody_waits_for_ever(&format!("programs/proofs/{name}_in_endless_loops.c"), &[])
    };
    assert!(holds("mutual_exclusion"));
    assert!(holds("dekker"));
    assert!(holds("szymanski"));
    assert!(holds("ticket_lock"));
    // The mutex may always be taken by the other one.
    assert!(!holds("bounded_buffer"));
    // Who would draw too high a number tries again at once, and seems to choose all the time.
    assert!(!holds("bakery"));
}

#[test]
fn bakery_with_bounded_numbers_by_looking_at_every_state() {
    assert!(nobody_waits_for_ever("linear/bakery_with_choosing.c", &[]));
    assert!(!nobody_waits_for_ever("linear/bakery_with_choosing.c", &["-DAT_ONCE"]));
}
