//! From a confirmed trace to the data of a report: names, places and effects in words of C.
//!
//! Steps inside library models are shown at their call, and only those that concern other threads.
//! Which locks a thread holds is counted along here from the lock events.

use std::collections::BTreeMap;

use raddle_interp::{
    ConfirmedTrace, Event, FindingKind, InitialByte, Number, OriginName, ThreadId, TraceStep,
    WaitFor,
};
use raddle_ir::{InputKind, Op, Place, Program};

use crate::data::{Action, ActionKind, Blocked, Call, Finding, Input, Spot, Stack, Step, Thread};
use crate::library::{self, Answer};
use crate::wording;

/// The data of one finding.
pub fn finding(program: &Program, trace: &ConfirmedTrace) -> Finding {
    let found = trace.finding();
    let answers = library::answers(program, trace.steps());
    let mut collector = Collector { program, steps: Vec::new(), held: BTreeMap::new() };
    let violations = trace.steps().iter().filter(|s| s.event == Event::Violation).count();
    let mut violation = 0;
    let mut loop_from = None;
    for (index, step) in trace.steps().iter().enumerate() {
        if trace.loop_at() == Some(index) {
            loop_from = Some(collector.steps.len());
        }
        if let Some(answer) = answers.get(&index) {
            let action = action(ActionKind::Input, &answer.name, Some(answer.value.clone()));
            collector.push(step, Some(action), Visibility::Shared);
        } else if step.event == Event::Violation {
            let text = wording::at_violation(program, found, step.thread, violation, violations);
            violation += 1;
            let action = action(ActionKind::Violation, text, None);
            collector.push(step, Some(action), Visibility::Shared);
        } else {
            collector.step(step);
        }
    }
    Finding {
        property: found.property.name().to_string(),
        headline: wording::headline(program, found),
        expression: None,
        marks: wording::marks(program, found),
        stacks: stacks(program, trace),
        threads: threads(program, trace.steps()),
        inputs: command_line(program, trace)
            .into_iter()
            .chain(inputs(program, trace.steps(), &answers))
            .collect(),
        // A loop without steps: nobody goes on.
        loop_from: loop_from.or(trace.loop_at().map(|_| collector.steps.len())),
        steps: collector.steps,
        blocked: blocked(program, trace),
        trace: None,
    }
}

/// A place as a point of the source; nobody has the source of library models.
pub fn spot(program: &Program, place: Place) -> Option<Spot> {
    let file = program.file(place.file);
    let shown = place.is_known() && !file.is_model;
    shown.then(|| Spot { file: file.path.clone(), line: place.line, column: place.column })
}

fn action(kind: ActionKind, object: impl Into<String>, value: Option<String>) -> Action {
    Action { kind, object: object.into(), value }
}

/// Who can notice a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// Other threads.
    Shared,
    /// Only its own thread.
    Local,
}

impl Visibility {
    fn of(shared: bool) -> Visibility {
        if shared { Visibility::Shared } else { Visibility::Local }
    }
}

struct Collector<'a> {
    program: &'a Program,
    steps: Vec<Step>,
    /// The locks each thread holds, by address, in order of acquisition.
    held: BTreeMap<ThreadId, Vec<(u64, String)>>,
}

impl Collector<'_> {
    fn push(&mut self, step: &TraceStep, action: Option<Action>, visibility: Visibility) {
        let holds = self.held.get(&step.thread).into_iter().flatten();
        self.steps.push(Step {
            thread: step.thread.0,
            at: spot(self.program, step.place),
            function: library::shown_name(self.program.function(step.function)),
            actions: action.into_iter().collect(),
            holds: holds.map(|(_, name)| name.clone()).collect(),
            local: visibility == Visibility::Local,
        });
    }

    /// A step inside a library function that says no more than that it was called.
    fn library(&mut self, step: &TraceStep) {
        let at = spot(self.program, step.place);
        let last = self.steps.last();
        let shown = last.is_some_and(|s| s.thread == step.thread.0 && s.at == at && !s.local);
        if !shown {
            self.push(step, None, Visibility::Shared);
        }
    }

    fn step(&mut self, step: &TraceStep) {
        let model = step.in_model;
        match &step.event {
            // Library functions that synchronise do so in atomic sections; their calls show.
            Event::AtomicBegin if model => return self.library(step),
            Event::Read { .. } | Event::Write { .. } | Event::Update { .. } if model => return,
            Event::Assign { .. } | Event::Call { .. } if model => return,
            Event::Return { .. } | Event::AtomicEnd if model => return,
            // The declaration of a local variable; heap objects come from inside a model.
            Event::Alloc { .. } if !model => return,
            event => self.note_locks(step.thread, event),
        }
        if let Some((action, visibility)) = self.action(step) {
            self.push(step, Some(action), visibility);
        }
    }

    fn note_locks(&mut self, thread: ThreadId, event: &Event) {
        let held = self.held.entry(thread).or_default();
        match event {
            Event::Lock { mutex } | Event::TryLock { mutex, taken: true } => {
                held.push((mutex.address, lock_name(&mutex.name)));
            }
            Event::Unlock { mutex } => held.retain(|(address, _)| *address != mutex.address),
            _ => {}
        }
    }

    /// What a step does; `None` for a choice that a library model makes on its own.
    fn action(&self, step: &TraceStep) -> Option<(Action, Visibility)> {
        use ActionKind as K;
        let name = |f| self.program.function(f).name.clone();
        Some(match &step.event {
            Event::Read { target, value } => (
                action(K::Read, &target.name, Some(value.text.clone())),
                Visibility::of(target.shared),
            ),
            Event::Write { target, value } => (
                action(K::Write, &target.name, Some(value.text.clone())),
                Visibility::of(target.shared),
            ),
            Event::Update { target, old, new } => {
                let value = if old.bits == new.bits {
                    format!("{} (unchanged)", new.text)
                } else {
                    format!("{} (was {})", new.text, old.text)
                };
                (action(K::Write, &target.name, Some(value)), Visibility::of(target.shared))
            }
            Event::Assign { variable, value } => {
                (action(K::Write, variable, Some(value.text.clone())), Visibility::Local)
            }
            Event::Input { value, .. } => (
                action(K::Input, input_name(self.program, step)?, Some(value.text.clone())),
                Visibility::Shared,
            ),
            Event::Alloc { target } => (action(K::Allocate, &target.name, None), Visibility::Local),
            Event::Free { target } => (action(K::Free, &target.name, None), Visibility::Shared),
            Event::Call { callee } => {
                (action(K::Other, format!("calls {}", name(*callee)), None), Visibility::Local)
            }
            Event::Return { from, value } => {
                let with = value.as_ref().map(|v| format!(" with {}", v.text)).unwrap_or_default();
                let text = format!("returns from {}{with}", name(*from));
                (action(K::Other, text, None), Visibility::Local)
            }
            Event::Create { created, function } => {
                let text = format!("thread {created}: {}", name(*function));
                (action(K::Create, text, None), Visibility::Shared)
            }
            Event::Join { joined } => {
                (action(K::Join, format!("thread {joined}"), None), Visibility::Shared)
            }
            Event::End => (action(K::End, "", None), Visibility::Shared),
            Event::Lock { mutex } => {
                (action(K::Lock, lock_name(&mutex.name), None), Visibility::Shared)
            }
            Event::Unlock { mutex } => {
                (action(K::Unlock, lock_name(&mutex.name), None), Visibility::Shared)
            }
            Event::TryLock { mutex, taken } => {
                let value = if *taken { "taken" } else { "busy" };
                (action(K::TryLock, lock_name(&mutex.name), Some(value.into())), Visibility::Shared)
            }
            Event::AtomicBegin => {
                (action(K::Other, "begins an atomic section", None), Visibility::Local)
            }
            Event::AtomicEnd => {
                (action(K::Other, "ends the atomic section", None), Visibility::Local)
            }
            Event::SpuriousWakeup => {
                (action(K::Other, "wakes up without a signal", None), Visibility::Shared)
            }
            Event::SpuriousFailure { target } => {
                let text = format!("does not exchange {}: it fails spuriously", target.name);
                (action(K::Other, text, None), Visibility::Shared)
            }
            Event::Exit => (action(K::Exit, "", None), Visibility::Shared),
            Event::Violation => unreachable!("violations are put into words by the caller"),
        })
    }
}

/// The functions under way at each site, where that says more than the site itself.
fn stacks(program: &Program, trace: &ConfirmedTrace) -> Vec<Stack> {
    let call = |c: &raddle_interp::Call| Call {
        function: program.function(c.function).name.clone(),
        at: spot(program, c.place),
        expression: None,
    };
    let mut stacks = Vec::new();
    for (site, calls) in trace.finding().sites.iter().zip(trace.calls()) {
        let stack = Stack { thread: site.thread.0, calls: calls.iter().map(call).collect() };
        if stack.calls.len() > 1 && !stacks.contains(&stack) {
            stacks.push(stack);
        }
    }
    stacks
}

/// The threads of a trace by number, with the functions they run.
fn threads(program: &Program, steps: &[TraceStep]) -> Vec<Thread> {
    let mut names = BTreeMap::from([(ThreadId::MAIN.0, "main".to_string())]);
    for step in steps {
        if let Event::Create { created, function } = step.event {
            names.insert(created.0, program.function(function).name.clone());
        }
        names.entry(step.thread.0).or_default();
    }
    names.into_iter().map(|(number, function)| Thread { number, function }).collect()
}

fn inputs(program: &Program, steps: &[TraceStep], answers: &BTreeMap<usize, Answer>) -> Vec<Input> {
    let input = |(index, step): (usize, &TraceStep)| {
        let (name, value) = match (answers.get(&index), &step.event) {
            (Some(answer), _) => (answer.name.clone(), answer.value.clone()),
            (None, Event::Input { value, .. }) => (input_name(program, step)?, value.text.clone()),
            (None, _) => return None,
        };
        Some(Input { thread: step.thread.0, at: spot(program, step.place), name, value })
    };
    steps.iter().enumerate().filter_map(input).collect()
}

/// What the program was started with, if that was open; a shell understands it.
fn command_line(program: &Program, trace: &ConfirmedTrace) -> Option<Input> {
    program.arguments?;
    let choices = trace.choices();
    let Number(count) = *choices.inputs.get(&ThreadId::MAIN)?.first()?;
    let mut value = "program".to_string();
    for i in 1..=count {
        let name = format!("argv[{i}]");
        let (object, _) =
            (0..).zip(&program.globals).find(|(_, g)| g.name == name && g.external)?;
        let byte = |offset: u64| {
            let here =
                |b: &&InitialByte| b.object == OriginName::Global(object) && b.offset == offset;
            choices.initial.iter().find(here).map_or(0, |b| b.byte)
        };
        let text: Vec<u8> = (0..).map(byte).take_while(|b| *b != 0).collect();
        let shown: String =
            text.iter().map(|b| std::ascii::escape_default(*b).to_string()).collect();
        let plain = !shown.is_empty()
            && shown.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./=".contains(&b));
        value += &if plain { format!(" {shown}") } else { format!(" $'{shown}'") };
    }
    Some(Input { thread: ThreadId::MAIN.0, at: None, name: "command line".into(), value })
}

/// What an input is called; `None` for a choice that a library model makes on its own.
fn input_name(program: &Program, step: &TraceStep) -> Option<String> {
    let Some(Op::Input { kind, name, .. }) = program.instr(step.at).map(|i| &i.op) else {
        return None;
    };
    match kind {
        InputKind::Choice(_) => None,
        // What the library answers is shown where it answers.
        InputKind::External | InputKind::Uninitialised if step.in_model => None,
        InputKind::External | InputKind::Uninitialised if !name.is_empty() => Some(name.clone()),
        InputKind::External | InputKind::Uninitialised => {
            Some(program.function(step.at.func).name.clone())
        }
    }
}

/// Who waits for what, if the finding is a deadlock.
fn blocked(program: &Program, trace: &ConfirmedTrace) -> Vec<Blocked> {
    let FindingKind::Deadlock { waits, .. } = &trace.finding().kind else {
        return Vec::new();
    };
    let sites = &trace.finding().sites;
    let blocked = |(index, wait): (usize, &raddle_interp::Wait)| Blocked {
        thread: wait.thread.0,
        at: sites.get(index).and_then(|site| spot(program, site.place)),
        waits_for: wait_text(&wait.on),
        holds: wait
            .holding
            .iter()
            .map(|held| (lock_name(&held.mutex), spot(program, held.acquired)))
            .collect(),
    };
    waits.iter().enumerate().map(blocked).collect()
}

/// What is waited for, in words.
pub fn wait_text(on: &WaitFor) -> String {
    match on {
        WaitFor::Lock { mutex, holder: Some(holder), .. } => {
            format!("{} (held by thread {holder})", lock_name(mutex))
        }
        WaitFor::Lock { mutex, holder: None, .. } => lock_name(mutex),
        WaitFor::Join(thread) => format!("the end of thread {thread}"),
        WaitFor::Condition { model } => condition_text(model.as_deref()).into(),
        WaitFor::Loop => "a change of what its loop reads".into(),
    }
}

/// What a thread waits for in a function of the library, by the file that models it.
fn condition_text(model: Option<&str>) -> &'static str {
    match model {
        Some("semaphore.c") => "a semaphore that is 0",
        Some("pthread_barrier.c") => "more threads at a barrier",
        Some("pthread_barrier_destroy.c" | "pthread_cond_destroy.c") => {
            "threads that still wait for what it destroys"
        }
        Some("pthread_rwlock.c") => "a read-write lock",
        Some("pthread_once.c") => "the end of an initialisation",
        Some("file_io.c" | "sockets.c") => "data that nobody has written",
        Some("poll.c") => "a descriptor that is ready",
        Some("message_queues.c") => "a message, or room for one",
        Some(_) | None => "a wakeup",
    }
}

/// The name of a lock as the program knows it: members that the C library keeps inside a
/// `pthread_mutex_t` (`.__data.__lock`) are left off.
pub fn lock_name(name: &str) -> String {
    let end = name.find(".__").unwrap_or(name.len());
    name[..end].to_string()
}
