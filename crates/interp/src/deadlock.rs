//! Deadlocks, straight from the definition.
//!
//! A thread *waits* if its next unit is blocked, or if, run alone from here, it comes back to a loop
//! head by a pure iteration without having done anything that others could notice. Whether a
//! thread whose iteration was pure earlier still spins is thus decided in the present state: another thread may
//! have released it since. A possible spurious wakeup does not count as progress.

use raddle_ir::{BlockId, GlobalId, InstrRef, Property};

use crate::describe;
use crate::finding::{Finding, FindingKind, Held, Site, Wait, WaitFor};
use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use crate::section::{Unit, at_section, run_unit};
use crate::state::{Code, State, Status, Stopped};
use crate::step::{Blocked, Effect, Step, step};
use crate::thread::ThreadId;

/// Instructions that a thread is watched for.
const LIMIT: u64 = 100_000;

/// The deadlocks of a state: all local ones, or else the global one.
pub fn find(code: &Code<'_>, state: &State, oracle: &mut dyn Oracle) -> Vec<Finding> {
    if state.exited || state.in_section.is_some() {
        return Vec::new();
    }
    let cycles = local(code, state, oracle);
    if cycles.is_empty() { global(code, state, oracle).into_iter().collect() } else { cycles }
}

/// [`find`], if all threads that would spin are in their loops and have done nothing in this iteration that would
/// not come again: to get there they need not run on.
pub fn find_standing(code: &Code<'_>, state: &State, oracle: &mut dyn Oracle) -> Vec<Finding> {
    let stands = |index: usize, oracle: &mut dyn Oracle| {
        !state.threads[index].is_running()
            || blocked(code, state, index, oracle).is_some()
            || iterates_in_vain(code, state, index, oracle)
    };
    let all = (0..state.threads.len()).all(|index| stands(index, oracle));
    if all { find(code, state, oracle) } else { local(code, state, oracle) }
}

/// Answers like another oracle, but wakes nobody spuriously.
struct NoWakeups<'a> {
    inner: &'a mut dyn Oracle,
    inputs: bool,
}

impl Oracle for NoWakeups<'_> {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        self.inputs = true;
        self.inner.input(ask)
    }
    fn address(&mut self, ask: &AddressAsk) -> Option<u64> {
        self.inner.address(ask)
    }
    fn thread_local_address(&mut self, thread: ThreadId, global: GlobalId) -> Option<u64> {
        self.inner.thread_local_address(thread, global)
    }
    fn thread_number(&mut self, ask: &Ask) -> Option<u32> {
        self.inner.thread_number(ask)
    }
    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        self.inner.initial_byte(object, offset)
    }
    fn spurious(&mut self, _: &Ask) -> bool {
        false
    }
}

/// Why a thread's next unit cannot happen, with the instruction that is in the way.
fn blocked(
    code: &Code<'_>,
    state: &State,
    index: usize,
    oracle: &mut dyn Oracle,
) -> Option<(Blocked, Site)> {
    let mut copy = state.clone();
    let mut oracle = NoWakeups { inner: oracle, inputs: false };
    match run_unit(code, &mut copy, index, &mut oracle, LIMIT, &mut |_, _| {}) {
        // With another input the section might go through.
        Unit::Blocked(_) if oracle.inputs => None,
        Unit::Blocked(why) => Some((why, copy.threads[index].site(code.program))),
        Unit::Done(_) | Unit::Violation(..) | Unit::BadAnswer(_) | Unit::TooLong => None,
    }
}

/// Whether the thread, run alone from here, spins without a trace. The site is the head of that loop, wherever
/// the thread stands: so it is the same for everyone who finds the deadlock.
fn spins(code: &Code<'_>, state: &State, index: usize, oracle: &mut dyn Oracle) -> Option<Site> {
    let mut copy = state.clone();
    copy.watch_loops = true;
    let thread = std::rc::Rc::make_mut(&mut copy.threads[index]);
    thread.status = Status::Running;
    for frame in &mut thread.frames {
        frame.loops.clear();
    }
    let marks = thread.marks;
    let mut oracle = NoWakeups { inner: oracle, inputs: false };
    let mut effect = Effect::default();
    for _ in 0..LIMIT {
        match step(code, &mut copy, index, &mut oracle, &mut effect) {
            Step::Done => {}
            Step::Blocked(_) | Step::Violation(_) | Step::BadAnswer(_) => return None,
        }
        let thread = &copy.threads[index];
        let unchanged = thread.marks.effects == marks.effects && thread.marks.waits == marks.waits;
        if oracle.inputs || !unchanged || !thread.is_running() || copy.exited {
            return None;
        }
        if effect.arrival.is_some_and(|a| a.pure) {
            return Some(thread.site(code.program));
        }
    }
    None
}

/// Whether the thread completes the iteration that it is in, run alone from here, without a trace.
fn iterates_in_vain(code: &Code<'_>, state: &State, index: usize, oracle: &mut dyn Oracle) -> bool {
    let mut copy = state.clone();
    copy.watch_loops = true;
    let mut effect = Effect::default();
    // The loops it is in: how deep the stack is there, and the head.
    let mut loops: Vec<(usize, BlockId)> = Vec::new();
    for (depth, frame) in (1..).zip(&state.threads[index].frames) {
        loops.extend(frame.loops.iter().map(|visit| (depth, visit.head)));
    }
    for _ in 0..LIMIT {
        let mut oracle = NoWakeups { inner: oracle, inputs: false };
        match step(code, &mut copy, index, &mut oracle, &mut effect) {
            Step::Done => {}
            Step::Blocked(_) | Step::Violation(_) | Step::BadAnswer(_) => return false,
        }
        let thread = &copy.threads[index];
        if oracle.inputs || !thread.is_running() || copy.exited {
            return false;
        }
        let depth = thread.frames.len();
        loops.retain(|l| l.0 <= depth);
        let Some(arrival) = effect.arrival else { continue };
        let is_back = loops.contains(&(depth, arrival.head));
        if arrival.pure || is_back {
            return arrival.pure && is_back;
        }
    }
    false
}

fn global(code: &Code<'_>, state: &State, oracle: &mut dyn Oracle) -> Option<Finding> {
    let mut waits = Vec::new();
    for (index, thread) in state.threads.iter().enumerate() {
        let (on, site) = match &thread.status {
            Status::Ended(_) => continue,
            Status::Stopped(Stopped::Spinning) => {
                (WaitFor::Loop, spins(code, state, index, oracle)?)
            }
            Status::Stopped(
                Stopped::Assumption
                | Stopped::Check
                | Stopped::Undefined
                | Stopped::Unsupported
                | Stopped::Violated
                | Stopped::Exiting
                | Stopped::Cut,
            ) => return None,
            Status::Running => match blocked(code, state, index, oracle) {
                Some((why, site)) => (wait_for(code, state, why, site)?, site),
                None => (WaitFor::Loop, spins(code, state, index, oracle)?),
            },
        };
        waits.push((index, on, site));
    }
    (!waits.is_empty()).then(|| finding(code, state, false, waits))
}

/// The cycles of threads that wait for each other's locks.
pub fn local(code: &Code<'_>, state: &State, oracle: &mut dyn Oracle) -> Vec<Finding> {
    // For each thread, the thread that holds what it waits for.
    let holder = |index: usize, oracle: &mut dyn Oracle| {
        let thread = &state.threads[index];
        if !thread.is_running() {
            return None;
        }
        let (why, site) = blocked(code, state, index, oracle)?;
        let Blocked::Lock(address) = why else { return None };
        let word = state.memory.peek(address, 4)?;
        let next = state.index(ThreadId(word as u32))?;
        Some((next, wait_for(code, state, why, site)?, site))
    };
    let edges: Vec<_> = (0..state.threads.len()).map(|i| holder(i, oracle)).collect();
    let mut found = Vec::new();
    for start in 0..edges.len() {
        let mut cycle = Vec::new();
        let mut at = start;
        while let Some((next, on, site)) = &edges[at] {
            cycle.push((at, on.clone(), *site));
            at = *next;
            // Each cycle is found once, from its first thread.
            if at < start || cycle.len() > edges.len() {
                break;
            }
            if at == start {
                found.push(finding(code, state, true, cycle));
                break;
            }
        }
    }
    found
}

fn wait_for(code: &Code<'_>, state: &State, why: Blocked, site: Site) -> Option<WaitFor> {
    match why {
        Blocked::Lock(address) => Some(WaitFor::Lock {
            mutex: describe::target(code.program, &state.memory, address, 4, true).0.name,
            address,
            holder: state.memory.peek(address, 4).map(|w| ThreadId(w as u32)),
        }),
        Blocked::Join(number) => Some(WaitFor::Join(ThreadId(number as u32))),
        Blocked::Condition => {
            let file = code.program.file(code.program.place(site.at).file);
            let name = file.path.rsplit('/').next().unwrap_or_default().to_string();
            Some(WaitFor::Condition { model: file.is_model.then_some(name) })
        }
        Blocked::Loop => Some(WaitFor::Loop),
        Blocked::Assumption | Blocked::Section | Blocked::Over => None,
    }
}

fn finding(
    code: &Code<'_>,
    state: &State,
    local: bool,
    waits: Vec<(usize, WaitFor, Site)>,
) -> Finding {
    let sites = waits.iter().map(|(_, _, site)| *site).collect();
    let waits = waits.into_iter().map(|(index, on, _)| {
        let thread = &state.threads[index];
        let holding = thread.locks.iter().map(|lock| Held {
            mutex: describe::target(code.program, &state.memory, lock.address, 4, true).0.name,
            address: lock.address,
            acquired: lock.place,
        });
        Wait { thread: thread.id, on, holding: holding.collect() }
    });
    let kind = FindingKind::Deadlock { local, waits: waits.collect() };
    Finding { property: Property::Deadlocks, kind, sites }
}

/// Whether a thread waits at an instruction: it stands there, or before the atomic section around it, and is
/// blocked by it, or it stands at the head of a loop in which it spins.
pub fn waits_at(
    code: &Code<'_>,
    state: &State,
    index: usize,
    at: InstrRef,
    oracle: &mut dyn Oracle,
) -> bool {
    let thread = &state.threads[index];
    if !thread.is_running() {
        return false;
    }
    let here = thread.at() == at;
    if !here && !at_section(code, state, index) {
        return false;
    }
    match blocked(code, state, index, oracle) {
        Some((_, site)) => site.at == at,
        None => here && spins(code, state, index, oracle).is_some_and(|site| site.at == at),
    }
}
