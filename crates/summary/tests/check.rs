//! Each invariant of a skeleton, broken on purpose: the check says which one it was.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use raddle_frontend::{Options, load};
use raddle_ir::{Program, PropertySet};
use raddle_summary::{
    EventKind, Held, Image, Knowledge, Limits, MarkKind, Skeleton, Summary, ThreadIx, summarise,
};
use raddle_term::Terms;

fn program(name: &str) -> Program {
    let path = PathBuf::from(format!("tests/skeletons/{name}.c"));
    let checked = raddle_properties::parse("assertions,deadlocks").expect("properties");
    let checked = checked.iter().fold(PropertySet::EMPTY, PropertySet::with);
    let options = Options { checked, ..Options::default() };
    let mut program = load(&[path], &options).expect("valid C").program;
    raddle_properties::instrument(&mut program, checked);
    program
}

/// Something done to a skeleton.
type Break = fn(&mut Skeleton, &mut Terms);

/// The message with which the check fails on a broken skeleton.
fn complaint(program: &Program, damage: Break) -> String {
    let mut knowledge = Knowledge::new(program);
    let Summary { mut skeleton, mut terms } =
        summarise(program, &mut knowledge, &Limits::default()).expect("there is no deadline");
    skeleton.check_invariants(&terms, &knowledge);
    damage(&mut skeleton, &mut terms);
    let check = || skeleton.check_invariants(&terms, &knowledge);
    let Err(panic) = catch_unwind(AssertUnwindSafe(check)) else { return String::new() };
    let text = panic.downcast_ref::<String>().cloned();
    text.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default()
}

#[test]
fn what_is_broken_is_noticed() {
    let cases: &[(&str, Break)] = &[
        ("a parent stands before its children", |s, _| {
            s.threads[0].choices.clear();
            s.threads[1].parent = Some(ThreadIx(1));
        }),
        ("only the main thread has no parent", |s, _| {
            s.threads[0].choices.clear();
            s.threads[1].parent = None;
        }),
        ("a thread names its child", |s, _| s.threads[1].parent = None),
        ("is used once", |s, _| s.threads[1].number = 1),
        ("has a unit before it", |s, _| s.events[0].unit = 0),
        ("an event of", |s, _| s.events[0].unit = 1_000),
        ("positions of a thread ascend", |s, _| s.events[1].position = s.events[0].position),
        ("an access goes somewhere", |s, _| s.events[0].targets.clear()),
        ("a constant address has one place", |s, _| s.events[0].targets[0].1 = None),
        ("the target is at the address", |s, terms| {
            s.events[0].address = terms.constant(12, 64);
        }),
        ("an access to one place has a constant address", |s, terms| {
            s.events[0].address = terms.fresh(64);
        }),
        ("the value of an event has the right width", |s, terms| {
            s.events[0].value = terms.fresh(8);
        }),
        ("an event occurs only where it is reached", |s, terms| {
            s.events[0].reached = terms.fals();
        }),
        ("an event needs its thread", |s, terms| {
            // The creation comes to depend on a new variable, what the child does does not.
            let free = terms.fresh(1);
            for mark in s.marks.iter_mut().filter(|m| matches!(m.kind, MarkKind::Create(_))) {
                mark.guard = free;
            }
        }),
        ("is created once, the first one never", |s, _| {
            s.marks.retain(|m| !matches!(m.kind, MarkKind::Create(_)));
        }),
        ("a section ends after it began", |s, _| {
            s.marks.retain(|m| m.kind != MarkKind::SectionBegin);
        }),
        ("a thread ends once", |s, _| {
            let end = s.marks.iter().find(|m| m.kind == MarkKind::End).expect("an end").clone();
            s.marks.push(end);
        }),
        ("mutexes that are held are sorted", |s, _| {
            let held = Held { address: 1, since: 1 };
            s.events[0].locks = std::rc::Rc::new(vec![held, held]);
        }),
        ("a mutex is held after it was acquired", |s, _| {
            let held = Held { address: 1, since: s.events[0].unit + 1 };
            s.events[0].locks = std::rc::Rc::new(vec![held]);
        }),
        ("lock words never race", |s, _| {
            for e in s.events.iter_mut().filter(|e| e.kind == EventKind::Write) {
                (e.lock, e.hidden) = (true, false);
            }
        }),
        ("memory is given to others once", |s, terms| {
            let Image { memory, .. } = s.images[0].clone();
            s.images.push(Image { guard: terms.tru(), memory });
        }),
        ("a thread is stuck only at a point that it reached", |s, terms| {
            let never = terms.fals();
            s.waits.iter_mut().for_each(|w| w.guard = never);
        }),
        ("a wait that never lasts is not recorded", |s, terms| s.waits[0].stuck = terms.fals()),
    ];
    let program = program("wait_lock");
    let mut wrong = Vec::new();
    for (expected, damage) in cases {
        let found = complaint(&program, *damage);
        if !found.contains(expected) {
            wrong.push(format!("`{expected}` expected, `{found}` found"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
