//! Transitions: a visible operation (or a whole atomic section) with the invisible instructions after it.
//!
//! Between transitions every thread stands before a visible operation ([`crate::visible`]), is
//! blocked or is over.
//! Where leaks are not checked, `Exit` just stops its thread: an exit that nobody looks at can be delayed for ever.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::{Op, Place, Property, Unmodelled};
use smallvec::SmallVec;

use crate::discipline::Discipline;
use crate::explore::{Cut, Settings};
use crate::finding::{Finding, Site};
use crate::footprint::{Footprint, Mark};
use crate::inputs::{Answer, Candidates, Enumerator, Tape};
use crate::names::Watch;
use crate::race::Upcoming;
use crate::section::{Unit, run_unit};
use crate::state::{Code, State, Status, Stopped, Thread};
use crate::step::{Effect, Step, Sync, Touch, TouchKind, step};
use crate::thread::ThreadId;
use crate::visible::next_access;

/// What transitions need to know.
pub struct World<'a> {
    /// The program.
    pub code: &'a Code<'a>,
    /// How to explore.
    pub settings: &'a Settings,
    /// Values of inputs.
    pub candidates: Candidates,
    /// What was left out.
    pub cuts: BTreeSet<Cut>,
    /// Where threads ended in undefined behaviour, with the property that would have shown it.
    pub undefined: BTreeSet<(Property, Place)>,
    /// Functions that may wait with spurious wakeups.
    pub wakes: Vec<bool>,
    /// Whether the heap is looked at when the program ends.
    pub leaks: bool,
    /// Whether lost memory is looked for, which depends on all pointers.
    pub lost: bool,
    /// Whether races are checked.
    pub races: bool,
    /// An object was reached by a thread that should not know it.
    pub foreign: bool,
    /// A thread has waited on a condition for the second time without effect.
    pub vain: bool,
    /// A thread has come back to the head of a loop.
    pub came_back: bool,
    /// How many choices were made up to the invisible end of the last visible operation; of a long
    /// transition, how many of its choices have a part in what it touches.
    pub decided: usize,
    /// What came out when the last long transition was tried with its first choices.
    pub ahead: Option<Ahead>,
    /// How memory is protected, where transitions are as long as that allows.
    pub discipline: Option<Discipline>,
    /// Who looked at what names threads, where threads can change places.
    pub watch: Option<Watch>,
}

/// What a thread would do next.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// Whether it can.
    pub enabled: bool,
    /// What it would touch; for a blocked one, what it looked at.
    pub footprint: Footprint,
    /// The mutex of a plain `Lock`.
    pub lock: Option<u64>,
    /// Whether the footprint depends on the contents of memory (atomic sections, compare-exchange).
    pub section: bool,
    /// Whether it could go on, but only to wait on a condition once more.
    pub vain: bool,
}

impl Pending {
    /// Whether it stays as it is when another thread takes a step that touches this.
    pub fn survives(&self, taken: &Footprint) -> bool {
        // What is blocked is looked at again each time: a thread may have ended that it joins.
        self.enabled && !self.footprint.dependent(taken)
    }
}

/// Threads and how many instructions each executes in a row.
pub type Segments = SmallVec<[(ThreadId, u64); 2]>;

/// A transition that was taken.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// What it touched.
    pub footprint: Footprint,
    /// Instructions executed, by thread.
    pub schedule: Segments,
    /// Answers given.
    pub answers: Vec<Answer>,
    /// Violations on the way, each with the schedule of this transition up to it.
    pub findings: Vec<(Finding, Segments)>,
    /// The mutex that was released.
    pub unlocked: Option<u64>,
    /// The thread that was joined.
    pub joined: Option<ThreadId>,
    /// Instructions executed.
    pub steps: u64,
}

/// A transition that was tried: where it leads, and its choices.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// The state after it.
    pub state: State,
    /// What it did.
    pub taken: Taken,
    /// Its choices.
    pub tape: Tape,
}

impl World<'_> {
    /// Whether nobody will look at the value that the next instruction gets. An unknown byte read in
    /// this way stays unknown.
    fn ignored(&self, thread: &Thread) -> bool {
        match thread.op(self.code.program) {
            Some(Op::Input { dst, .. } | Op::Load { dst, .. }) => thread.ignores(self.code, *dst),
            Some(_) | None => false,
        }
    }

    fn oracle<'b>(&'b mut self, tape: &'b mut Tape, wake: bool) -> Enumerator<'b> {
        Enumerator {
            program: self.code.program,
            candidates: &mut self.candidates,
            tape,
            wake,
            answers: Vec::new(),
            cuts: &mut self.cuts,
            last_byte: None,
            ignored: false,
        }
    }

    /// What a thread would do next.
    pub fn pending(&mut self, state: &State, index: usize) -> Pending {
        let thread = &state.threads[index];
        if !thread.is_running() {
            return Pending::default();
        }
        let program = self.code.program;
        let mut pending = Pending { enabled: true, ..Pending::default() };
        if let Some(op @ (Op::Lock { .. } | Op::Join { .. })) = thread.op(program) {
            match op {
                Op::Lock { mutex, .. } => {
                    let address = thread.frame().get(program, *mutex) as u64;
                    let to = address.saturating_add(4);
                    let word = state.memory.peek(address, 4);
                    pending.lock = Some(address);
                    pending.enabled = word.is_none_or(|w| w == 0);
                    match self.discipline.is_some() {
                        true if pending.enabled => {
                            self.rehearse_whole(state, index, &mut pending);
                        }
                        true => {
                            pending.footprint.mark(Mark::Await { from: address, to });
                            pending.footprint.exposed.words.push(address);
                        }
                        false => {
                            let mark = Mark::Bytes { from: address, to, write: true };
                            pending.footprint.mark(mark);
                        }
                    }
                }
                Op::Join { thread: number, .. } => {
                    let number = thread.frame().get(program, *number);
                    let mut threads = state.threads.iter();
                    pending.enabled = threads.any(|t| {
                        u128::from(t.id.0) == number && matches!(t.status, Status::Ended(_))
                    });
                }
                _ => unreachable!("matched above"),
            }
            return pending;
        }
        if !self.is_visible(state, index) {
            return pending;
        }
        if self.discipline.is_some() {
            self.rehearse_whole(state, index, &mut pending);
        } else if !self.plain(state, index, &mut pending) {
            self.rehearse(state, index, &mut pending);
        }
        pending
    }

    /// The common case without a rehearsal: a valid load or store.
    fn plain(&self, state: &State, index: usize, pending: &mut Pending) -> bool {
        let thread = &state.threads[index];
        let access = match thread.op(self.code.program) {
            Some(Op::Load { access, .. } | Op::Store { access, .. }) => *access,
            Some(_) | None => return false,
        };
        let Some((address, bytes, write)) = next_access(thread, self.code) else { return false };
        if state.memory.check(thread.id, address, bytes, write).is_err() {
            return false;
        }
        let touch = Touch {
            at: thread.at(),
            kind: TouchKind::Data,
            address,
            bytes,
            read: !write,
            write,
            atomic: access.atomic.is_some() || thread.atomic > 0,
            hidden: access.hidden,
            shared: true,
            old: 0,
            new: 0,
        };
        let site = self.races.then(|| thread.site(self.code.program));
        note(&mut pending.footprint, &touch, site);
        true
    }

    /// Runs the next unit on copies, for every combination of choices in it.
    fn rehearse(&mut self, state: &State, index: usize, pending: &mut Pending) {
        pending.section = true;
        pending.enabled = false;
        let mut tape = Tape::default();
        loop {
            let mut copy = state.clone();
            let mut footprint = std::mem::take(&mut pending.footprint);
            let unit = self.unit(&mut copy, index, &mut tape, &mut footprint, &mut Vec::new());
            pending.footprint = footprint;
            pending.enabled |= match unit {
                Unit::Done(_) | Unit::Violation(..) | Unit::TooLong => true,
                Unit::Blocked(_) | Unit::BadAnswer(_) => false,
            };
            if !tape.advance() {
                return;
            }
        }
    }

    /// The choices by which a thread's next unit comes to make an access.
    pub fn answers_for(&mut self, state: &State, index: usize, access: &Upcoming) -> Vec<Answer> {
        let mut tape = Tape::default();
        loop {
            let mut footprint = Footprint::default();
            let mut answers = Vec::new();
            self.unit(&mut state.clone(), index, &mut tape, &mut footprint, &mut answers);
            if footprint.accesses.contains(access) {
                return answers;
            }
            if !tape.advance() {
                return Vec::new();
            }
        }
    }

    /// Runs the visible part of a transition.
    pub(crate) fn unit(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        footprint: &mut Footprint,
        answers: &mut Vec<Answer>,
    ) -> Unit {
        let code = self.code;
        let (leaks, lost, races) = (self.leaks, self.lost, self.races);
        let long = self.discipline.is_some();
        let mut foreign = false;
        let mut unknown = None;
        let mut watch = self.watch.take();
        // Where the thread stands costs something to say: only for races is it needed each time.
        let stands = |state: &State| {
            let thread = &state.threads[index];
            (races && thread.is_running()).then(|| thread.site(code.program))
        };
        let mut site = stands(state);
        if self.is_exit(&state.threads[index]) {
            footprint.mark(Mark::HeapRead);
            if lost {
                footprint.mark(Mark::Bytes { from: 0, to: u64::MAX, write: false });
            }
        }
        let limit = self.settings.max_steps;
        let wake = state.threads[index].wake;
        let ignored = self.ignored(&state.threads[index]);
        let mut oracle = self.oracle(tape, wake);
        oracle.ignored = ignored;
        let unit = run_unit(code, state, index, &mut oracle, limit, &mut |after, effect| {
            foreign |= effect.foreign;
            if let Some(watch) = &mut watch {
                watch.see(after, index, effect);
            }
            if effect.unknown {
                unknown = Some(place_before(code, &after.threads[index]));
            }
            for touch in &effect.touches {
                note(footprint, touch, site);
            }
            if long {
                footprint.touches.extend_from_slice(&effect.touches);
            }
            if let Some(sync) = effect.sync {
                footprint.sync(sync, leaks);
                footprint.synchronises |= long && sync != Sync::Heap;
            }
            site = stands(after).or(site);
        });
        answers.append(&mut oracle.answers);
        self.watch = watch;
        self.foreign |= foreign;
        if let Some(place) = unknown.filter(|_| !ignored) {
            self.cuts.insert(Cut::Uninitialised { place });
        }
        unit
    }

    /// Takes a transition of a thread with the choices of the tape. `None` if these choices block it.
    pub fn take(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        limit: u64,
    ) -> Option<Taken> {
        if self.discipline.is_some() {
            return self.take_whole(state, index, tape, limit).ok();
        }
        tape.rewind();
        let mut taken = Taken::default();
        self.take_one(state, index, tape, limit, &mut taken).then_some(taken)
    }

    /// Takes one visible operation with the invisible ones after it; false if it is blocked.
    pub(crate) fn take_one(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        limit: u64,
        taken: &mut Taken,
    ) -> bool {
        let threads = state.threads.len();
        let id = state.threads[index].id;
        let mut ran = 0;
        if self.is_visible(state, index) {
            if let Some((address, ..)) = next_access(&state.threads[index], self.code)
                && let Some(Op::Unlock { .. }) = state.threads[index].op(self.code.program)
                && state.memory.peek(address, 4).is_some_and(|w| w != 0)
            {
                taken.unlocked = Some(address);
            }
            if let Some(Op::Join { thread, .. }) = state.threads[index].op(self.code.program) {
                let number = state.threads[index].frame().get(self.code.program, *thread);
                taken.joined = Some(ThreadId(number as u32));
            }
            let exit = self.is_exit(&state.threads[index]);
            let start = state.clone();
            let mut footprint = Footprint::default();
            let unit = self.unit(state, index, tape, &mut footprint, &mut taken.answers);
            taken.footprint = footprint;
            match unit {
                Unit::Done(count) => {
                    ran = count;
                    self.note_undefined(state, index);
                    Rc::make_mut(&mut state.threads[index]).wake = false;
                    // An atomic section in which the program ends has done nothing that anybody sees.
                    if exit || state.exited {
                        *state = start;
                        self.stop(state, index, Stopped::Exiting);
                        return true;
                    }
                }
                Unit::Blocked(_) | Unit::BadAnswer(_) => return false,
                Unit::Violation(finding, count) => {
                    taken.findings.push((*finding, SmallVec::from_slice(&[(id, count)])));
                    *state = start;
                    self.stop(state, index, Stopped::Violated);
                    return true;
                }
                Unit::TooLong => {
                    self.cuts.insert(Cut::Steps { bound: self.settings.max_steps });
                    *state = start;
                    self.stop(state, index, Stopped::Cut);
                    return true;
                }
            }
        }
        taken.schedule.push((id, ran));
        self.decided = tape.position();
        self.invisible(state, index, tape, taken, limit);
        // A new thread stands before its first visible operation at once, unless that takes a context switch.
        let started = if self.settings.contexts.is_some() {
            threads..threads
        } else {
            threads..state.threads.len()
        };
        for new in started {
            let id = state.threads[new].id;
            taken.schedule.push((id, 0));
            self.invisible(state, new, tape, taken, limit);
        }
        taken.schedule.retain(|(_, count)| *count > 0);
        taken.steps = taken.schedule.iter().map(|(_, count)| count).sum();
        true
    }

    fn stop(&self, state: &mut State, index: usize, why: Stopped) {
        let thread = Rc::make_mut(&mut state.threads[index]);
        thread.status = Status::Stopped(why);
        thread.atomic = 0;
        if state.in_section == Some(index) {
            state.in_section = None;
        }
    }

    /// Runs a thread up to its next visible operation.
    pub(crate) fn invisible(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        taken: &mut Taken,
        limit: u64,
    ) {
        let code = self.code;
        let mut effect = Effect::default();
        let mut left = limit;
        while state.threads[index].is_running() {
            if self.is_exit(&state.threads[index]) && !self.is_visible(state, index) {
                return self.stop(state, index, Stopped::Exiting);
            }
            let waits = matches!(
                state.threads[index].op(code.program),
                Some(Op::AtomicBegin | Op::Block { spurious: true, .. })
            );
            if waits && self.wakes[state.threads[index].at().func.index()] {
                let wake = self.oracle(tape, false).decide_wakeup();
                Rc::make_mut(&mut state.threads[index]).wake = wake;
            }
            if self.is_visible(state, index) {
                return;
            }
            if left == 0 || state.threads[index].frames.len() > 10_000 {
                self.cuts.insert(Cut::Steps { bound: self.settings.max_steps });
                return self.stop(state, index, Stopped::Cut);
            }
            left -= 1;
            let site = state.threads[index].at();
            let wake = state.threads[index].wake;
            let ignored = self.ignored(&state.threads[index]);
            let mut oracle = self.oracle(tape, wake);
            oracle.ignored = ignored;
            let result = step(code, state, index, &mut oracle, &mut effect);
            taken.answers.append(&mut oracle.answers);
            self.foreign |= effect.foreign;
            if let Some(watch) = &mut self.watch {
                watch.see(state, index, &effect);
            }
            if effect.unknown && !ignored {
                self.cuts.insert(Cut::Uninitialised { place: code.program.place(site) });
            }
            match result {
                Step::Done => {}
                Step::Violation(finding) => {
                    taken.findings.push((*finding, taken.schedule.clone()));
                    return self.stop(state, index, Stopped::Violated);
                }
                Step::Blocked(_) | Step::BadAnswer(_) => return,
            }
            taken.schedule.last_mut().expect("the thread's entry was pushed").1 += 1;
            self.note_undefined(state, index);
            if effect.unsupported {
                let place = code.program.place(site);
                let what = match code.program.instr(site).map(|i| &i.op) {
                    Some(Op::Unsupported { what }) => Unmodelled::Construct(what.clone()),
                    Some(_) | None => Unmodelled::NoRoom,
                };
                self.cuts.insert(Cut::Unsupported { what, place });
            }
            if matches!(code.program.instr(site).map(|i| &i.op), Some(Op::Block { .. })) {
                Rc::make_mut(&mut state.threads[index]).wake = false;
            }
            self.look_at_loop(state, index, &effect);
        }
    }

    /// Notes a thread that has just ended in undefined behaviour: it still stands there.
    pub(crate) fn note_undefined(&mut self, state: &State, index: usize) {
        let thread = &state.threads[index];
        if thread.status != Status::Stopped(Stopped::Undefined) {
            return;
        }
        let property = match thread.op(self.code.program) {
            Some(Op::Assign { .. }) => Property::Overflow,
            Some(_) | None => Property::Memory,
        };
        self.undefined.insert((property, thread.site(self.code.program).place));
    }

    /// Stops a thread that spins or has gone round too often.
    fn look_at_loop(&mut self, state: &mut State, index: usize, effect: &Effect) {
        let Some(arrival) = effect.arrival else { return };
        self.came_back |= arrival.iterations > 0;
        if arrival.pure {
            self.vain |= arrival.vain;
            self.stop(state, index, Stopped::Spinning);
        } else if let Some(bound) = self.settings.unwind
            && arrival.iterations > bound
        {
            let place = state.threads[index].site(self.code.program).place;
            self.cuts.insert(Cut::Unwind { place, bound });
            self.stop(state, index, Stopped::Cut);
        }
    }
}

/// Where a thread stood, outside library models, before it loaded something.
fn place_before(code: &Code<'_>, thread: &Thread) -> Place {
    let mut before = thread.clone();
    let frame = before.frames.last_mut().expect("a thread keeps its last activation");
    frame.index = frame.index.saturating_sub(1);
    before.site(code.program).place
}

/// Adds a touch to a footprint if others may notice it; with the site if races are checked.
fn note(footprint: &mut Footprint, touch: &Touch, site: Option<Site>) {
    if !touch.shared {
        return;
    }
    footprint.touch(touch);
    if let Some(site) = site
        && touch.kind == TouchKind::Data
        && !touch.hidden
    {
        footprint.accesses.push(Upcoming { touch: *touch, site });
    }
}
