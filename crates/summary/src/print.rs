//! The skeleton as text: for people who ask what is left of their program (`raddle show`), and for
//! tests that compare whole skeletons.
//!
//! Idea: a line per event or mark, of each thread in the order of its units: what it does to which
//! part of memory, its value, the condition under which it occurs, the mutexes certainly held, the
//! source line. After them what the thread asks of the environment and how it ends; after the
//! threads all that is recorded for the whole program. Every field of [`Skeleton`] that an engine
//! may rely on is shown, so that two skeletons with equal text are equal but for the numbers of
//! their terms.
//! Limits: terms are cut at some nesting; `tn` stands for a term that is not shown.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{Op, Program, TypeId};
use raddle_term::{TermId, Terms};

use crate::beginning::Image;
use crate::knowledge::{Knowledge, ObjectIx, ObjectKey, Target};
use crate::skeleton::{
    ChoiceKind, Event, EventKind, MarkKind, Skeleton, Thread, ThreadIx, Trail, WaitKind,
};

/// More places of one access than this are not listed.
const MOST_NAMES: usize = 4;

/// What is needed to show a skeleton.
pub struct Printer<'a> {
    /// The program, for names and lines.
    pub program: &'a Program,
    /// What was learned, for the names of objects.
    pub knowledge: &'a Knowledge,
    /// The terms.
    pub terms: &'a Terms,
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// Nested operations of a term that are shown.
    pub levels: u32,
}

impl Printer<'_> {
    /// The whole skeleton.
    pub fn skeleton(&self) -> String {
        let mut text = String::new();
        for index in 0..self.skeleton.threads.len() {
            self.thread(ThreadIx(index as u32), &mut text);
        }
        self.memory(&mut text);
        self.outcomes(&mut text);
        text
    }

    fn term(&self, t: TermId) -> String {
        self.terms.display(t, self.levels)
    }

    /// ` if …`, or nothing where the condition is true.
    fn guard(&self, guard: TermId) -> String {
        if self.terms.is_true(guard) { String::new() } else { format!(" if {}", self.term(guard)) }
    }

    fn record(&self, thread: ThreadIx) -> &Thread {
        &self.skeleton.threads[thread.index()]
    }

    fn place(&self, at: raddle_ir::InstrRef) -> String {
        self.program.show_place(self.program.place(at))
    }

    fn thread(&self, index: ThreadIx, text: &mut String) {
        let thread = self.record(index);
        *text += &format!("thread {}: {}, {} units\n", thread.number, thread.name, thread.units);
        let mut rows: Vec<(u32, u32, String)> = Vec::new();
        for event in self.skeleton.events.iter().filter(|e| e.thread == index) {
            rows.push((event.unit, event.position, self.event(event)));
        }
        for mark in self.skeleton.marks.iter().filter(|m| m.thread == index) {
            let what = match mark.kind {
                MarkKind::Create(t) => format!("create thread {}", self.record(t).number),
                MarkKind::Join(t) => format!("join thread {}", self.record(t).number),
                MarkKind::End => "end".to_string(),
                MarkKind::SectionBegin => "atomic section".to_string(),
                MarkKind::SectionEnd => "end of the atomic section".to_string(),
            };
            rows.push((mark.unit, u32::MAX, what + &self.guard(mark.guard)));
        }
        rows.sort();
        for (unit, _, row) in rows {
            *text += &format!("  {unit:>4}  {row}\n");
        }
        for choice in &thread.choices {
            let what = match choice.kind {
                ChoiceKind::Input(value, kind) => {
                    format!("input {}, {kind:?}", self.term(value)).to_lowercase()
                }
                ChoiceKind::Alloc(o) => {
                    format!("object {}", object_name(self.program, self.knowledge.object(o).key).0)
                }
                ChoiceKind::Thread(t) => format!("thread {}", self.record(t).number),
            };
            *text += &format!("  asks for {what}{}\n", self.guard(choice.guard));
        }
        if index != ThreadIx(0) {
            *text += &format!("  returns {}", self.term(thread.result));
            *text += &format!("{}\n", self.guard(thread.ended));
        }
    }

    fn event(&self, event: &Event) -> String {
        let verb = match event.kind {
            EventKind::Read => "read ",
            EventKind::Write => "write",
        };
        let mut names: Vec<String> =
            event.targets.iter().take(MOST_NAMES).map(|&target| self.part(target)).collect();
        if event.targets.len() > names.len() {
            names.push("…".into());
        }
        let names = names.join(" | ");
        let at = match self.terms.as_const(event.address) {
            Some(_) => String::new(),
            None => format!(" at {}, {} zero bits", self.term(event.address), event.alignment),
        };
        let value = self.term(event.value);
        let kind = match (event.lock, event.atomic) {
            (true, _) => " (lock)",
            (false, true) => " (atomic)",
            (false, false) => "",
        };
        let hidden = if event.hidden && !event.lock { " (hidden)" } else { "" };
        let trail = match event.trail {
            Trail::Address => "",
            Trail::Instruction => " (a step by its instruction)",
            Trail::Look => " (a look)",
            Trail::None => " (no step)",
            Trail::Wait => " (waits)",
        };
        let guard = self.guard(event.guard);
        let reached = match event.reached {
            same if same == event.guard => String::new(),
            other => format!(", reached{}", self.guard(other)),
        };
        let locks =
            event.locks.iter().map(|l| format!("{} since {}", self.name_at(l.address), l.since));
        let locks: Vec<String> = locks.collect();
        let holding =
            if locks.is_empty() { String::new() } else { format!(" holding {}", locks.join(", ")) };
        let site = self.place(event.site);
        format!(
            "{verb} {names}{at} = {value}{kind}{hidden}{trail}{guard}{reached}{holding}    ; {site}"
        )
    }

    /// Memory at the start, and what is known of all executions.
    fn memory(&self, text: &mut String) {
        for Image { guard, memory } in &self.skeleton.images {
            *text += &format!("memory when the first thread is created{}:\n", self.guard(*guard));
            let objects: BTreeMap<ObjectIx, _> = memory.objects().collect();
            for (o, contents) in objects {
                for (offset, _, value) in contents.cells() {
                    let name = self.part((o, Some(offset)));
                    *text += &format!("    {name} = {}\n", self.term(value));
                }
            }
        }
        let arbitrary: BTreeMap<_, _> = self.skeleton.initial_bytes.iter().collect();
        for (&(o, offset), &value) in arbitrary {
            let (name, _) = object_name(self.program, self.knowledge.object(o).key);
            *text += &format!("byte {offset} of {name} starts as {}\n", self.term(value));
        }
        for &assumption in &self.skeleton.assumptions {
            *text += &format!("always {}\n", self.term(assumption));
        }
        let broken: BTreeSet<u64> = self.skeleton.broken_locks.iter().copied().collect();
        for address in broken {
            let which = if address == 0 { "any mutex".into() } else { self.name_at(address) };
            *text += &format!("{which} may be released by a thread that does not hold it\n");
        }
        for (&o, &place) in &self.skeleton.heap {
            let (name, _) = object_name(self.program, self.knowledge.object(o).key);
            *text += &format!("{name} is allocated at {}\n", self.program.show_place(place));
        }
    }

    /// Joins, waits, violations, cuts.
    fn outcomes(&self, text: &mut String) {
        for join in &self.skeleton.joins {
            let (number, target) = (self.record(join.thread).number, self.term(join.target));
            let (done, result) = (self.term(join.done), self.term(join.result));
            let (unit, guard) = (join.unit, self.guard(join.guard));
            *text += &format!(
                "join of thread number {target} in thread {number}, unit {unit}, done {done}, result {result}{guard}\n"
            );
        }
        for wait in &self.skeleton.waits {
            let what = match wait.kind {
                WaitKind::Lock(word) => format!("a mutex with word {}", self.term(word)),
                WaitKind::Join(target) => format!("the end of thread {}", self.term(target)),
                WaitKind::Condition => "a condition".to_string(),
                WaitKind::Loop => "the end of a loop".to_string(),
            };
            let (number, unit) = (self.record(wait.thread).number, wait.unit);
            let reads = if wait.reads { ", by what it reads" } else { "" };
            let (guard, stuck) = (self.guard(wait.guard), self.term(wait.stuck));
            let at = self.place(wait.site);
            *text += &format!(
                "thread {number} waits for {what} in unit {unit} at {at}{guard}, stuck if {stuck}{reads}\n"
            );
        }
        for violation in &self.skeleton.violations {
            let (number, unit) = (self.record(violation.thread).number, violation.unit);
            let (property, at) = (violation.property, self.place(violation.site));
            let condition = self.term(violation.condition);
            *text += &format!(
                "violation of {property} in thread {number} at {at} before unit {unit} if {condition}\n"
            );
            for (o, alive) in &violation.leaks {
                let (name, _) = object_name(self.program, self.knowledge.object(*o).key);
                *text += &format!("    {name} is left if {}\n", self.term(*alive));
            }
        }
        for cut in &self.skeleton.cuts {
            let (number, unit) = (self.record(cut.thread).number, cut.unit);
            let at = self.program.show_place(cut.place);
            let condition = self.term(cut.condition);
            *text += &format!(
                "cut in thread {number} at {at} before unit {unit} ({:?}) if {condition}\n",
                cut.kind
            );
        }
    }

    /// The parts of memory that threads share: who reads and writes each.
    pub fn cells(&self) -> String {
        #[derive(Default)]
        struct Users {
            readers: BTreeSet<u32>,
            writers: BTreeSet<u32>,
            accesses: usize,
        }
        let mut cells: BTreeMap<(u64, Option<u64>, u32), (String, Users)> = BTreeMap::new();
        for event in &self.skeleton.events {
            let thread = self.record(event.thread).number;
            for &(object, offset) in &event.targets {
                let base = self.knowledge.object(object).base;
                let entry = cells
                    .entry((base, offset, event.bytes))
                    .or_insert_with(|| (self.part((object, offset)), Users::default()));
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

    /// What is at an address.
    fn name_at(&self, address: u64) -> String {
        match self.knowledge.find(address) {
            Some((o, offset)) => self.part((o, Some(offset))),
            None => format!("{address:#x}"),
        }
    }

    /// A part of an object in words of C; `[*]` where the offset is not constant.
    fn part(&self, (object, offset): Target) -> String {
        let (name, ctype) = object_name(self.program, self.knowledge.object(object).key);
        let Some(offset) = offset else {
            return format!("{name}[*]");
        };
        self.program.show_part(name, ctype, offset)
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
