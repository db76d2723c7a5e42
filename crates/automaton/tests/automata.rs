//! Automata of small programs.

use std::path::PathBuf;

use raddle_analysis::Facts;
use raddle_automaton::{
    Automata, Automaton, Bounds, CutKind, Kind, State, StateIx, TooLarge, Waiting, automata,
    balanced, control_states,
};
use raddle_frontend::{Options, load};
use raddle_ir::{AllocKind, Op, Program, PropertySet};
use raddle_term::Terms;

fn program(name: &str) -> Program {
    program_with(name, "assertions,races")
}

fn program_with(name: &str, properties: &str) -> Program {
    let path = PathBuf::from(format!("tests/programs/{name}.c"));
    let checked = raddle_properties::parse(properties).expect("properties");
    let checked = checked.iter().fold(PropertySet::EMPTY, PropertySet::with);
    let options = Options { checked, ..Options::default() };
    let mut program = load(&[path], &options).expect("valid C").program;
    raddle_properties::instrument(&mut program, checked);
    program
}

fn made(program: &Program, bounds: Bounds) -> (Automata, Terms) {
    let mut terms = Terms::new();
    let automata = automata(program, &Facts::new(program), bounds, &mut terms, &|| false);
    (automata.expect("small enough"), terms)
}

fn class<'a>(program: &Program, automata: &'a Automata, name: &str) -> &'a Automaton {
    let classes = &automata.layout.classes;
    let class = classes.iter().position(|c| program.function(c.entry).name == name);
    &automata.classes[class.expect("there is such a class")]
}

/// What a state stands before.
fn kind(program: &Program, state: &State) -> &'static str {
    let Some(position) = state.position else { return "start" };
    match program.instr(position.at).map(|i| &i.op) {
        None => "end",
        Some(Op::Load { .. }) => "load",
        Some(Op::Store { .. }) => "store",
        Some(Op::Lock { .. }) => "lock",
        Some(Op::Unlock { .. }) => "unlock",
        Some(_) => "other",
    }
}

/// The states of each depth.
fn depths(program: &Program, automaton: &Automaton) -> Vec<Vec<&'static str>> {
    let all = control_states(automaton, 20);
    let names = all.iter().map(|states| {
        let mut names: Vec<_> = states.iter().map(|s| kind(program, automaton.state(*s))).collect();
        names.sort_unstable();
        names
    });
    names.collect()
}

#[test]
fn each_depth_has_the_states_that_control_reaches() {
    let program = program("two_threads_one_lock");
    let (automata, _) = made(&program, Bounds::default());
    let first: &[&[&str]] =
        &[&["start"], &["lock"], &["load"], &["store", "unlock"], &["end", "unlock"], &["end"]];
    assert_eq!(depths(&program, class(&program, &automata, "first")), first);
    let second: &[&[&str]] = &[
        &["start"],
        &["lock"],
        &["load"],
        &["store", "unlock"],
        &["store", "unlock"],
        &["end", "store"],
        &["end"],
    ];
    assert_eq!(depths(&program, class(&program, &automata, "second")), second);
}

#[test]
fn local_steps_are_merged_and_loops_are_kept() {
    let program = program("loops_and_objects");
    let (automata, _) = made(&program, Bounds::default());
    let work = class(&program, &automata, "work");
    // Stop, start, the argument, the head of the loop, the end: nobody else uses the array.
    assert_eq!(work.states.len(), 5, "{:?}", depths(&program, work));
    let deep = control_states(work, 30);
    assert_eq!(deep.len(), 31, "a loop goes on for ever");
}

#[test]
fn what_has_no_name_is_a_state_that_can_be_reached() {
    let program = program("loops_and_objects");
    let cuts = |repeats| {
        let (automata, _) = made(&program, Bounds { repeats, ..Bounds::default() });
        let main = &automata.classes[0];
        let cuts = main.states.iter().flat_map(|s| &s.cuts);
        let objects = cuts.filter(|c| c.kind == CutKind::Objects).count();
        (objects, automata.layout.objects.len())
    };
    let (few, many) = (cuts(2), cuts(5));
    assert!(few.0 > 0 && many.0 > 0, "an endless supply of objects has no names");
    assert_eq!(many.1 - few.1, 3, "three more objects of one place");
}

/// How a state may wait, by the kind of instruction.
fn waits(program: &Program, automaton: &Automaton) -> Vec<(&'static str, Waiting)> {
    let all = automaton.states.iter();
    all.flat_map(|s| s.waits.iter().map(move |w| (kind(program, s), w.how))).collect()
}

#[test]
fn who_cannot_change_anything_waits() {
    let program = program_with("waiting", "deadlocks");
    let (automata, _) = made(&program, Bounds::default());
    let expect = |name: &str, expected: &[(&'static str, Waiting)]| {
        assert_eq!(waits(&program, class(&program, &automata, name)), expected, "{name}");
    };
    expect("takes_a_lock", &[("lock", Waiting::Blocked)]);
    expect("spins_for_a_flag", &[("load", Waiting::Spins)]);
    expect("tries_to_exchange", &[("other", Waiting::Spins)]);
    expect("spins_behind_a_loop", &[("other", Waiting::Spins)]);
    expect("counts_iterations", &[]);
}

#[test]
fn a_class_is_a_function_and_where_its_threads_are_created() {
    let program = program("procedures");
    let (automata, _) = made(&program, Bounds::default());
    let classes = &automata.layout.classes;
    let of_work = classes.iter().filter(|c| program.function(c.entry).name == "work");
    assert_eq!(of_work.count(), 2, "{classes:?}");
    assert_eq!(automata.layout.threads.len(), 3);
}

#[test]
fn a_single_copy_has_fewer_states_and_returns_to_all_its_callers() {
    let program = program("procedures");
    let states = |single_copies| {
        let (automata, _) = made(&program, Bounds { single_copies, ..Bounds::default() });
        let work = class(&program, &automata, "work");
        let loads = work.states.iter().filter(|s| kind(&program, s) == "load").count();
        let ways = work.states.iter().map(|s| s.transitions.len()).max();
        (loads, ways.expect("there are states"))
    };
    // Three calls of a function that reads once; the single copy returns to three places.
    assert_eq!(states(false), (3, 1));
    assert_eq!(states(true), (1, 3));
}

#[test]
fn paths_that_meet_are_equally_long() {
    let program = program("two_threads_one_lock");
    let (automata, terms) = made(&program, Bounds::default());
    let balanced = balanced(class(&program, &automata, "second"), terms.tru());
    let balanced = balanced.expect("few states are added");
    balanced.check_invariants(&terms);
    let widths: Vec<usize> = control_states(&balanced, 20).iter().map(|s| s.len()).collect();
    // The shorter way waits for the store: then one state at each depth.
    assert_eq!(widths, [1, 1, 1, 2, 1, 1, 1]);
}

#[test]
fn what_is_too_large_has_a_place() {
    let program = program("large_array");
    let make = |cells, is_over: &dyn Fn() -> bool| {
        let bounds = Bounds { cells, ..Bounds::default() };
        let facts = Facts::new(&program);
        automata(&program, &facts, bounds, &mut Terms::new(), is_over).map(|_| ())
    };
    assert_eq!(make(64, &|| false), Ok(()));
    let Err(TooLarge::Cells { count, place }) = make(1 << 20, &|| false) else {
        panic!("the array has more cells than there can be");
    };
    assert!(count > 150_000 && place.line == 5, "{count} cells, line {}", place.line);
    assert_eq!(make(64, &|| true), Err(TooLarge::Stopped));
}

#[test]
fn a_thread_differs_from_its_class_in_its_number_only() {
    let program = program("two_threads_one_lock");
    let (mut automata, mut terms) = made(&program, Bounds::default());
    for thread in automata.layout.thread_ids() {
        let class = automata.layout.threads[thread.index()].class;
        let class = &automata.classes[class.index()];
        let own = class.of_thread(&mut terms, &mut automata.vars, thread);
        own.check_invariants(&terms);
        assert_eq!(own.states.len(), class.states.len());
    }
}

#[test]
fn objects_have_the_size_that_their_callers_give() {
    let program = program("sizes");
    let (automata, _) = made(&program, Bounds::default());
    let heap = automata.layout.objects.iter().filter(|o| match o.kind {
        Kind::Allocated(_, _, _, kind) => kind == AllocKind::Heap,
        Kind::Global(_) | Kind::ThreadLocal(..) => false,
    });
    let mut sizes: Vec<_> = heap.map(|o| (o.length.is_none(), o.size)).collect();
    sizes.sort_unstable();
    let [unknown, known @ ..] = &sizes[..] else { panic!("there are objects") };
    assert!(!unknown.0, "nobody knows an input");
    assert_eq!(known, [(true, 8), (true, 12), (true, 16)]);
}

/// Where a section ends with its thread, because an assertion fails that nobody checks, what it did is done;
/// where it ends with the program, nobody sees it.
#[test]
fn a_section_ends_with_its_thread_but_not_with_the_program() {
    let program = program_with("sections", "races");
    let (automata, _) = made(&program, Bounds::default());
    for (name, seen) in [("asserts", true), ("exits", false), ("assumes", false)] {
        let states = &class(&program, &automata, name).states;
        let begins = |s: &&State| {
            let op = s.position.and_then(|p| program.instr(p.at));
            op.is_some_and(|i| i.op == Op::AtomicBegin)
        };
        let begin = states.iter().find(begins).expect("there is a section");
        let ends = begin.transitions.iter().filter(|t| t.target == StateIx::STOP);
        let writes = ends.filter(|t| t.updates.iter().any(|u| u.0.is_shared())).count();
        assert_eq!(writes, usize::from(seen), "{name}");
    }
}
