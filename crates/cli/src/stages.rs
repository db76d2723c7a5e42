//! The interference skeleton and its cells as text, for `raddle show`.
//!
//! A line per event: unit, what it does to which part of memory, its value and the condition under which
//! it occurs (terms are cut at a few levels; `tn` stands for a term that is not shown), and the source line.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{Op, Program, TypeId};
use raddle_summary::{
    Event, EventKind, Knowledge, MarkKind, ObjectIx, ObjectKey, Skeleton, Summary, ThreadIx,
};
use raddle_term::{TermId, Terms};

/// Nested operations of a term that are shown.
const LEVELS: u32 = 3;

/// The events of all threads in order.
pub fn skeleton(program: &Program, knowledge: &Knowledge, summary: &Summary) -> String {
    let Summary { skeleton, terms } = summary;
    let mut text = String::new();
    for (index, thread) in skeleton.threads.iter().enumerate() {
        text += &format!("thread {}: {}, {} units\n", thread.number, thread.name, thread.units);
        let mut rows: Vec<(u32, u32, String)> = Vec::new();
        let mine = |t: ThreadIx| t.index() == index;
        for event in skeleton.events.iter().filter(|e| mine(e.thread)) {
            let row = event_text(program, knowledge, terms, event);
            rows.push((event.unit, event.position, row));
        }
        for mark in skeleton.marks.iter().filter(|m| mine(m.thread)) {
            let number = |t: ThreadIx| skeleton.threads[t.index()].number;
            let what = match mark.kind {
                MarkKind::Create(t) => format!("create thread {}", number(t)),
                MarkKind::Join(t) => format!("join thread {}", number(t)),
                MarkKind::End => "end".to_string(),
                MarkKind::SectionBegin => "atomic section".to_string(),
                MarkKind::SectionEnd => "end of the atomic section".to_string(),
            };
            rows.push((mark.unit, u32::MAX, what + &guard(terms, mark.guard)));
        }
        rows.sort();
        for (unit, _, row) in rows {
            text += &format!("  {unit:>4}  {row}\n");
        }
    }
    for violation in &skeleton.violations {
        let at = program.show_place(program.place(violation.site));
        let thread = skeleton.threads[violation.thread.index()].number;
        let condition = terms.display(violation.condition, LEVELS);
        let property = violation.property;
        text += &format!("violation of {property} in thread {thread} at {at} if {condition}\n");
    }
    for cut in &skeleton.cuts {
        let condition = terms.display(cut.condition, LEVELS);
        let at = program.show_place(cut.place);
        text += &format!("cut at {at} ({:?}) if {condition}\n", cut.kind);
    }
    text
}

fn event_text(program: &Program, knowledge: &Knowledge, terms: &Terms, event: &Event) -> String {
    let verb = match event.kind {
        EventKind::Read => "read ",
        EventKind::Write => "write",
    };
    let mut names: Vec<String> = event
        .targets
        .iter()
        .take(4)
        .map(|(object, offset)| part(program, knowledge, *object, *offset))
        .collect();
    if event.targets.len() > names.len() {
        names.push("…".into());
    }
    let value = terms.display(event.value, LEVELS);
    let kind = match (event.lock, event.atomic) {
        (true, _) => " (lock)",
        (false, true) => " (atomic)",
        (false, false) => "",
    };
    let at = program.show_place(program.place(event.site));
    let guard = guard(terms, event.guard);
    format!("{verb} {} = {value}{kind}{guard}    ; {at}", names.join(" | "))
}

fn guard(terms: &Terms, guard: TermId) -> String {
    match terms.as_const(guard) {
        Some(1) => String::new(),
        Some(_) | None => format!(" if {}", terms.display(guard, LEVELS)),
    }
}

/// The parts of memory that threads share: who reads and writes each.
pub fn cells(program: &Program, knowledge: &Knowledge, skeleton: &Skeleton) -> String {
    #[derive(Default)]
    struct Users {
        readers: BTreeSet<u32>,
        writers: BTreeSet<u32>,
        accesses: usize,
    }
    let mut cells: BTreeMap<(u64, Option<u64>, u32), (String, Users)> = BTreeMap::new();
    for event in &skeleton.events {
        let thread = skeleton.threads[event.thread.index()].number;
        for (object, offset) in &event.targets {
            let base = knowledge.object(*object).base;
            let entry = cells
                .entry((base, *offset, event.bytes))
                .or_insert_with(|| (part(program, knowledge, *object, *offset), Users::default()));
            let users = &mut entry.1;
            users.accesses += 1;
            match event.kind {
                EventKind::Read => users.readers.insert(thread),
                EventKind::Write => users.writers.insert(thread),
            };
        }
    }
    let list = |threads: &BTreeSet<u32>| {
        let words: Vec<String> = threads.iter().map(u32::to_string).collect();
        if words.is_empty() { "-".to_string() } else { words.join(",") }
    };
    let mut text = String::from("address     bytes  accesses  read by   written by  name\n");
    for ((base, offset, bytes), (name, users)) in &cells {
        let address = base + offset.unwrap_or(0);
        text += &format!(
            "{address:#010x}  {bytes:>5}  {:>8}  {:<8}  {:<10}  {name}\n",
            users.accesses,
            list(&users.readers),
            list(&users.writers),
        );
    }
    text
}

/// A part of an object in words of C; `[*]` where the offset is not constant.
fn part(program: &Program, knowledge: &Knowledge, object: ObjectIx, offset: Option<u64>) -> String {
    let (name, ctype) = object_name(program, knowledge.object(object).key);
    let Some(offset) = offset else {
        return format!("{name}[*]");
    };
    let path = ctype.map(|ty| program.types.path(ty, offset, program.pointer_bytes()).0);
    match path {
        Some(path) if !path.is_empty() || offset == 0 => name + &path,
        Some(_) | None if offset == 0 => name,
        Some(_) | None => format!("{name}+{offset}"),
    }
}

fn object_name(program: &Program, key: ObjectKey) -> (String, Option<TypeId>) {
    match key {
        ObjectKey::Global(g) => (program.global(g).name.clone(), program.global(g).ctype),
        ObjectKey::ThreadLocal(thread, g) => {
            (format!("{} of thread {thread}", program.global(g).name), program.global(g).ctype)
        }
        ObjectKey::Grave(o) => (format!("life of object {}", o.0), None),
        ObjectKey::Function(f) => (program.function(f).name.clone(), None),
        ObjectKey::Alloc { thread, at, nth } => {
            let function = &program.function(at.func).name;
            match program.instr(at).map(|i| &i.op) {
                Some(Op::Alloc { name, ctype, .. }) if !name.is_empty() => {
                    (format!("{function}:{name}#{nth} of thread {thread}"), *ctype)
                }
                Some(_) | None => (format!("heap#{nth} of thread {thread}"), None),
            }
        }
    }
}
