//! What is wrong, in words: headlines and remarks on source lines.

use raddle_interp::{FaultKind, Finding, FindingKind, MemoryFault, Name, RaceAccess, ThreadId};
use raddle_ir::{InstrRef, Op, Place, Program};

use crate::collect::{lock_name, spot, wait_text};
use crate::data::{Mark, Spot};

/// Whether an instruction is an access that the source calls `volatile`.
fn is_volatile(program: &Program, at: InstrRef) -> bool {
    match program.instr(at).map(|i| &i.op) {
        Some(Op::Load { access, .. } | Op::Store { access, .. }) => access.volatile,
        Some(_) | None => false,
    }
}

/// What is wrong, in one line.
pub fn headline(program: &Program, finding: &Finding) -> String {
    match &finding.kind {
        FindingKind::Check { message } => message.clone(),
        FindingKind::Race { object, .. } => {
            let volatile = finding.sites.iter().all(|site| is_volatile(program, site.at));
            let remark = if volatile { "; both accesses are volatile, but not atomic" } else { "" };
            format!("data race on {}{remark}", quote(object))
        }
        FindingKind::Deadlock { local: true, waits } => {
            let threads: Vec<String> = waits.iter().map(|w| w.thread.to_string()).collect();
            match threads.as_slice() {
                [one] => format!("deadlock: thread {one} waits for a lock that it holds itself"),
                several => {
                    format!("deadlock: threads {} wait for each other's locks", and(several))
                }
            }
        }
        FindingKind::Deadlock { local: false, waits } => match waits.as_slice() {
            [one] => format!("deadlock: thread {} waits and no thread can go on", one.thread),
            several => {
                let threads: Vec<String> = several.iter().map(|w| w.thread.to_string()).collect();
                format!("deadlock: threads {} wait and no thread can go on", and(&threads))
            }
        },
        FindingKind::Memory(fault) => fault_headline(fault),
        FindingKind::Leak { objects } => {
            let bytes: u64 = objects.iter().map(|o| o.size).sum();
            let lost = objects.iter().all(|o| o.lost);
            let how = if lost { "is lost" } else { "is not freed" };
            match objects.as_slice() {
                [one] => format!("a heap object of {} {how}", counted(one.size, "bytes")),
                several => format!(
                    "{} heap objects ({}) {} at the end",
                    several.len(),
                    counted(bytes, "bytes"),
                    if lost { "are lost" } else { "are not freed" }
                ),
            }
        }
        FindingKind::Formula { text, .. } => {
            format!("an execution without end violates `{}`", text.trim())
        }
        FindingKind::Starvation => {
            let thread = finding.sites.first().map_or(ThreadId::MAIN, |s| s.thread);
            format!("thread {thread} waits for ever")
        }
    }
}

/// `1 thread`, `2 threads`: so many of something, given in the plural.
pub fn counted(number: u64, things: &str) -> String {
    match things.strip_suffix('s') {
        Some(thing) if number == 1 => format!("1 {thing}"),
        Some(_) | None => format!("{number} {things}"),
    }
}

fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

fn access(fault: &MemoryFault) -> String {
    let verb = if fault.write { "write" } else { "read" };
    format!("{verb} of {}", counted(fault.bytes, "bytes"))
}

fn fault_headline(fault: &MemoryFault) -> String {
    let access = access(fault);
    let object = fault.object.as_ref();
    let name = object.map_or("no object".into(), |o| quote(&o.name));
    let part = object.map_or("no object".into(), |o| quote(&o.part));
    match fault.kind {
        FaultKind::Null => format!("{access} through a null pointer"),
        FaultKind::OutOfBounds => match object {
            Some(o) => {
                let (size, offset) = (o.size, o.offset);
                format!("{access} outside of {name} (size {size}, offset {offset})")
            }
            None => format!("{access} outside of any object"),
        },
        FaultKind::UseAfterFree => format!("{access} in {part} after it was freed"),
        FaultKind::UseAfterReturn => {
            format!("{access} in the local variable {part} after its function returned")
        }
        FaultKind::UseAfterEnd => {
            format!("{access} in the thread-local variable {part} after its thread ended")
        }
        FaultKind::Constant => match object.and_then(|o| o.name.object.as_deref()) {
            Some(text) if text.starts_with('"') => format!("write to the string literal {text}"),
            Some(_) | None => format!("write to the constant {name}"),
        },
        FaultKind::Unmapped => {
            format!("{access} at address {:#x}, where there is no object", fault.address)
        }
        FaultKind::DoubleFree => format!("{name} is freed twice"),
        FaultKind::InvalidFree => match object {
            Some(_) => {
                format!("free of a pointer into {part}, which is not the start of a heap object")
            }
            None => format!("free of address {:#x}, which is no heap object", fault.address),
        },
        FaultKind::NotAFunction => {
            format!("call of address {:#x}, which is no such function", fault.address)
        }
    }
}

/// A C name in quotes, or a description as it is.
fn quote(name: &Name) -> String {
    if name.object.is_some() { format!("`{name}`") } else { format!("a {name}") }
}

/// The source lines that matter; the first is where it goes wrong.
pub fn marks(program: &Program, finding: &Finding) -> Vec<Mark> {
    let mut marks = Marks { program, list: Vec::new() };
    let first = finding.place();
    match &finding.kind {
        FindingKind::Check { .. } => {
            let thread = finding.sites.first().map(|s| s.thread);
            marks.add(first, thread.map_or(String::new(), |t| format!("in thread {t}")));
        }
        FindingKind::Race { accesses, .. } => {
            for (site, access) in finding.sites.iter().zip(accesses) {
                marks.add(site.place, format!("thread {} {} here", site.thread, verb(access)));
            }
        }
        FindingKind::Deadlock { waits, .. } => {
            for (site, wait) in finding.sites.iter().zip(waits) {
                let text = wait_text(&wait.on);
                marks.add(site.place, format!("thread {} waits here for {text}", site.thread));
            }
            for wait in waits {
                for held in &wait.holding {
                    let lock = lock_name(&held.mutex);
                    let text = format!("thread {} took {lock} here", wait.thread);
                    marks.add(held.acquired, text);
                }
            }
        }
        FindingKind::Memory(fault) => {
            let thread = finding.sites.first().map_or(ThreadId::MAIN, |s| s.thread);
            marks.add(first, format!("in thread {thread}"));
            if let Some(object) = &fault.object {
                let text = match &object.name.object {
                    Some(name) if object.heap => format!("`{name}` is allocated here"),
                    Some(name) => format!("`{name}` is declared here"),
                    None => "allocated here".to_string(),
                };
                marks.add(object.allocated, text);
                if let Some(freed) = object.freed {
                    marks.add(freed, "freed here".into());
                }
            }
        }
        FindingKind::Leak { objects } => {
            for object in objects {
                let how =
                    if object.lost { "and no pointer to it is left" } else { "and never freed" };
                marks.add(object.allocated, format!("allocated here {how}"));
            }
            marks.add(first, "the program ends here".into());
        }
        FindingKind::Formula { .. } => {
            for site in &finding.sites {
                marks.add(site.place, format!("thread {} is here then", site.thread));
            }
            if finding.sites.is_empty() {
                marks.add(Place::UNKNOWN, "the program has ended then".into());
            }
        }
        FindingKind::Starvation => {
            for site in &finding.sites {
                marks.add(site.place, format!("thread {} waits here", site.thread));
            }
        }
    }
    marks.list
}

fn verb(access: &RaceAccess) -> &'static str {
    match (access.write, access.atomic) {
        (true, false) => "writes",
        (false, false) => "reads",
        (true, true) => "writes atomically",
        (false, true) => "reads atomically",
    }
}

struct Marks<'a> {
    program: &'a Program,
    list: Vec<Mark>,
}

impl Marks<'_> {
    /// The same remark is made once.
    fn add(&mut self, place: Place, label: String) {
        let unknown = || Spot { file: "unknown place".into(), line: 0, column: 0 };
        let at = spot(self.program, place).unwrap_or_else(unknown);
        let mark = Mark { at, label };
        if !self.list.contains(&mark) {
            self.list.push(mark);
        }
    }
}

/// The words in the interleaving at the `index`-th of the steps where it goes wrong.
pub fn at_violation(
    program: &Program,
    finding: &Finding,
    thread: ThreadId,
    index: usize,
    total: usize,
) -> String {
    match &finding.kind {
        FindingKind::Race { accesses, object } => {
            let site = finding.sites.iter().position(|s| s.thread == thread);
            match site.and_then(|i| accesses.get(i)) {
                Some(access) if index + 1 == total && total > 1 => {
                    format!("at the same time {} {object}", verb(access))
                }
                Some(access) => format!("{} {object}", verb(access)),
                None => "data race".into(),
            }
        }
        FindingKind::Deadlock { waits, .. } => match waits.iter().find(|w| w.thread == thread) {
            Some(wait) => format!("waits for {}", wait_text(&wait.on)),
            None => "deadlock".into(),
        },
        FindingKind::Check { .. }
        | FindingKind::Memory(_)
        | FindingKind::Leak { .. }
        | FindingKind::Formula { .. }
        | FindingKind::Starvation => headline(program, finding),
    }
}
