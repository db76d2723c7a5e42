//! What a verdict assumes, or leaves out, that does not follow from its bounds: notes beside SAFE and BOUNDED.
//!
//! They depend on the program alone, so they are known before any search begins: a run that is cut short
//! says them as well, for the groups of properties that have an answer by then.

use std::collections::BTreeSet;

use raddle_frontend::Loaded;
use raddle_ir::cfg::Cfg;
use raddle_ir::{Callee, FuncId, Op, Place, Program, Property, PropertySet};
use raddle_report::Report;
use raddle_report::data::{Note, NoteKind, Verdict};

/// Library functions that wait no longer than a time: whoever calls one again and again can always go on.
const TIMED: &[&str] = &[
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "cnd_timedwait",
    "sem_timedwait",
    "sem_clockwait",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "mtx_timedlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "mq_timedreceive",
    "mq_timedsend",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "thrd_sleep",
];

/// The notes of a program, and of its properties.
#[derive(Clone, Default, Debug)]
pub(crate) struct Assumptions {
    /// Beside any answer.
    always: Vec<Note>,
    /// Beside one for deadlocks.
    deadlocks: Option<Note>,
}

impl Assumptions {
    /// Those of a program that is checked in groups of properties.
    pub(crate) fn new(programs: &[(PropertySet, Loaded)], verbose: bool) -> Assumptions {
        let (_, first) = &programs[0];
        let never = programs.iter().flat_map(|(_, loaded)| loaded.program.never_fail.iter());
        let notes = [library(&never.copied().collect()), consistent(&first.program)];
        let always = notes.into_iter().chain([uncalled(&first.uncalled, verbose)]);
        let deadlocks = programs.iter().find(|(set, _)| set.contains(Property::Deadlocks));
        Assumptions {
            always: always.flatten().collect(),
            deadlocks: deadlocks.and_then(|(_, loaded)| timed(&loaded.program)),
        }
    }

    /// Puts into a report without findings what its answers assume.
    pub(crate) fn tell(&self, report: &mut Report) {
        let holds = |verdict| matches!(verdict, Verdict::Safe | Verdict::Bounded);
        let mut answered: Vec<&str> = Vec::new();
        if holds(report.verdict) {
            answered.extend(report.properties.iter().map(String::as_str));
        }
        for answer in report.answers.iter().filter(|answer| holds(answer.verdict)) {
            answered.extend(answer.properties.iter().map(String::as_str));
        }
        if answered.is_empty() || !report.findings.is_empty() {
            return;
        }
        let about_deadlocks = answered.contains(&Property::Deadlocks.name());
        let deadlocks = self.deadlocks.iter().filter(|_| about_deadlocks);
        report.notes.extend(self.always.iter().chain(deadlocks).cloned());
    }
}

/// What was assumed of library functions that the program calls.
fn library(names: &BTreeSet<&str>) -> Option<Note> {
    let names = names.iter().copied().collect::<Vec<_>>();
    let fail = if names.len() > 1 { "fail" } else { "fails" };
    let (all, list) = (names.join(" and "), names.join(","));
    let text = format!("Assumed: {all} never {fail} (--may-fail {list}).");
    (!names.is_empty()).then(|| Note::new(NoteKind::Assumed, text))
}

/// That memory is sequentially consistent although the program asks for less.
fn consistent(program: &Program) -> Option<Note> {
    let places = program.weak_orders();
    let first = program.show_place(*places.first()?);
    let text = match places.len() {
        1 => format!("Assumed: memory is sequentially consistent; {first} asks for less."),
        more => format!(
            "Assumed: memory is sequentially consistent; {more} atomic accesses ask for less, the first at {first}."
        ),
    };
    Some(Note::new(NoteKind::Assumed, text))
}

/// Functions that the verdict says nothing about.
fn uncalled(names: &[String], verbose: bool) -> Option<Note> {
    let text = match names {
        [] => return None,
        [one] => format!("The function {one} is never called."),
        all if verbose => format!("These functions are never called: {}.", all.join(", ")),
        all => format!("{} functions are never called (-v lists them).", all.len()),
    };
    Some(Note::new(NoteKind::Uncalled, text))
}

/// That no deadlock is found beside a thread that lets time pass again and again (docs/semantics.md): only a
/// state in which nobody can go on is a global one.
fn timed(program: &Program) -> Option<Note> {
    let places = timed_again_and_again(program);
    let first = program.show_place(*places.first()?);
    let others = match places.len() {
        1 => String::new(),
        2 => " and 1 other place".into(),
        more => format!(" and {} other places", more - 1),
    };
    let text = format!(
        "As long as a thread lets time pass again and again ({first}{others}), others that wait for ever are no deadlock \
         unless they wait for each other's locks."
    );
    Some(Note::new(NoteKind::Assumed, text))
}

/// Where the user's functions call one that waits for a time at most and may come there again.
fn timed_again_and_again(program: &Program) -> BTreeSet<Place> {
    let own: Vec<FuncId> =
        program.function_ids().filter(|f| !program.function(*f).is_model).collect();
    let graphs: Vec<Cfg> = own.iter().map(|f| Cfg::new(program.function(*f))).collect();
    // Calls by a pointer may be calls of any function whose address is used.
    let pointed = pointed_to(program);
    let called = |callee: &Callee| match callee {
        Callee::Direct(f) => vec![*f],
        Callee::Indirect(_) => pointed.iter().copied().collect(),
    };
    let mut repeated: BTreeSet<FuncId> = BTreeSet::new();
    let mut places = BTreeSet::new();
    loop {
        let before = repeated.len();
        for (id, graph) in own.iter().zip(&graphs) {
            let again = repeated.contains(id);
            let function = program.function(*id);
            for at in function.block_ids() {
                if !again && graph.loops_around(at).is_empty() {
                    continue;
                }
                for instr in &function.block(at).instrs {
                    let Op::Call { callee, .. } = &instr.op else { continue };
                    for callee in called(callee) {
                        let function = program.function(callee);
                        if !function.is_model {
                            repeated.insert(callee);
                        } else if TIMED.contains(&function.name.as_str()) {
                            places.insert(instr.place);
                        }
                    }
                }
            }
        }
        if repeated.len() == before {
            return places;
        }
    }
}

/// The functions whose address is used otherwise than to call them.
fn pointed_to(program: &Program) -> BTreeSet<FuncId> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let inside =
        blocks.flat_map(|b| b.instrs.iter().flat_map(|i| i.op.operands()).chain(b.end.operand()));
    let kept = program.globals.iter().flat_map(|g| &g.pointers).map(|(_, o)| *o);
    let function = |operand| match operand {
        raddle_ir::Operand::Function(f) => Some(f),
        raddle_ir::Operand::Reg(_)
        | raddle_ir::Operand::Const(_)
        | raddle_ir::Operand::Global(..) => None,
    };
    inside.chain(kept).filter_map(function).collect()
}
