//! What is recorded: the skeleton under construction.
//!
//! Idea: the walk says what happens on a path; this part gives it a place in its thread (unit and
//! position) and keeps it. Nothing that was recorded is changed later. Two things are not known
//! when an event is recorded; they are kept beside the events, and [`Recorder::finish`], which makes
//! the skeleton, puts them in:
//! - A write in an atomic section happens only if the section is completed: where the section may
//!   stop, the condition for going on ([`Recorder::needs`]) restricts all writes before.
//! - A look at an object's life belongs to an access that comes after it in the same instruction:
//!   it is reached where that access goes on ([`Recorder::settle_looks`]).
//!
//! Invariants: units of a thread are given in ascending order from 1 (unit 0 is its existence, so
//! that everything has a unit before it); positions ascend; looks are closed before the next
//! instruction; one thread is recorded at a time, and [`Recorder::begin_thread`] and
//! [`Recorder::resume`] are nested. [`Skeleton::check_invariants`] looks at the result.

use raddle_ir::{InstrRef, Place, Property};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::beginning::{ArbitraryBytes, Image};
use crate::dead_ends::{self, Acquisition};
use crate::knowledge::ObjectIx;
use crate::skeleton::{
    Choice, ChoiceKind, Cut, CutKind, Event, EventKind, Join, Mark, MarkKind, Skeleton, Thread,
    ThreadIx, Trail, Violation, Wait,
};
use crate::state::State;

/// The thread that is being recorded.
pub(crate) struct Running {
    thread: ThreadIx,
    /// The next fresh unit.
    unit: u32,
    /// The position of the last event.
    position: u32,
    choices: Vec<Choice>,
    /// The atomic sections, by their units.
    sections: FxHashMap<u32, Section>,
    first_variable: usize,
}

/// How much had been recorded when an atomic section began.
#[derive(Clone, Copy)]
struct Section {
    choices: usize,
    events: usize,
    marks: usize,
}

/// A condition without which an atomic section is not completed.
struct Need {
    /// How many events had been recorded.
    events: usize,
    condition: TermId,
}

/// What an event is, without its place in the order.
pub(crate) struct NewEvent {
    pub kind: EventKind,
    pub address: TermId,
    pub targets: Vec<crate::knowledge::Target>,
    pub alignment: u32,
    pub value: TermId,
    pub at: InstrRef,
    pub site: InstrRef,
    pub atomic: bool,
    pub hidden: bool,
    pub lock: bool,
    pub trail: Trail,
}

/// The skeleton under construction.
pub(crate) struct Recorder {
    skeleton: Skeleton,
    running: Running,
    /// By thread and unit of the section.
    needs: FxHashMap<(ThreadIx, u32), Vec<Need>>,
    /// Looks whose access is not yet known to go on.
    open_looks: Vec<usize>,
    /// The other looks, in order.
    looks: Vec<Look>,
    /// Mutexes that are acquired or waited for, in order.
    acquisitions: Vec<Acquisition>,
}

/// A look at an object's life.
struct Look {
    event: usize,
    /// Where the access that it is for goes on.
    reached: TermId,
}

impl Recorder {
    /// A skeleton with the main thread only, which is being recorded.
    pub fn new(terms: &Terms) -> Recorder {
        let mut skeleton = Skeleton::default();
        skeleton.threads.push(Thread::unfinished(1, None, "main".into(), terms));
        let running = Running::new(ThreadIx(0), terms);
        let (open_looks, looks, acquisitions) = (Vec::new(), Vec::new(), Vec::new());
        let needs = FxHashMap::default();
        Recorder { skeleton, running, needs, open_looks, looks, acquisitions }
    }

    // Threads.

    /// The thread that is being recorded.
    pub fn thread(&self) -> ThreadIx {
        self.running.thread
    }

    /// How many threads there are.
    pub fn thread_count(&self) -> usize {
        self.skeleton.threads.len()
    }

    /// What is known of a thread.
    pub fn record(&self, thread: ThreadIx) -> &Thread {
        &self.skeleton.threads[thread.index()]
    }

    /// The thread with a number, if there is one. An ancestor of the running thread is not complete
    /// (it has no units).
    pub fn by_number(&self, number: u128) -> Option<ThreadIx> {
        let at = self.skeleton.threads.iter().position(|t| u128::from(t.number) == number)?;
        Some(ThreadIx(at as u32))
    }

    /// Notes a child of the running thread.
    pub fn add_child(&mut self, terms: &Terms, number: u32, name: String) -> ThreadIx {
        let child = ThreadIx(self.skeleton.threads.len() as u32);
        let parent = Some(self.running.thread);
        self.skeleton.threads.push(Thread::unfinished(number, parent, name, terms));
        child
    }

    /// From here on a child is recorded; gives back what is needed to go on with the running
    /// thread.
    pub fn begin_thread(&mut self, terms: &Terms, child: ThreadIx) -> Running {
        debug_assert_eq!(self.record(child).parent, Some(self.thread()), "a parent runs its child");
        debug_assert_eq!(self.record(child).units, 0, "a thread is recorded once");
        std::mem::replace(&mut self.running, Running::new(child, terms))
    }

    /// The running thread is complete: its end, under a condition and with a value.
    pub fn finish_thread(&mut self, terms: &Terms, ended: TermId, result: TermId) {
        debug_assert!(self.open_looks.is_empty(), "each look has its access");
        let units = self.next_unit() + 1;
        let running = &mut self.running;
        let record = &mut self.skeleton.threads[running.thread.index()];
        debug_assert_eq!(record.units, 0, "a thread is finished once");
        record.ended = ended;
        record.result = result;
        record.units = units;
        record.variables = running.first_variable..terms.variable_count();
        record.choices = std::mem::take(&mut running.choices);
    }

    /// Goes on with the creator of the thread that was recorded.
    pub fn resume(&mut self, creator: Running) {
        debug_assert!(self.record(self.thread()).units > 0, "the child is complete");
        debug_assert!(creator.thread < self.thread(), "a creator is older than its child");
        self.running = creator;
    }

    // Units.

    /// A fresh unit of the running thread.
    pub fn next_unit(&mut self) -> u32 {
        self.running.unit += 1;
        self.running.unit - 1
    }

    /// The unit that comes next, if it is a fresh one.
    pub fn unit(&self) -> u32 {
        self.running.unit
    }

    /// The unit of what happens next on a path: that of its atomic section, or a fresh one.
    pub fn unit_of(&mut self, state: &State) -> u32 {
        debug_assert!(self.running.unit > 0, "unit 0 is the thread's existence");
        if state.atomic > 0 { state.section } else { self.next_unit() }
    }

    // Atomic sections.

    /// An atomic section begins on a path.
    pub fn begin_section(&mut self, terms: &Terms, state: &State, at: InstrRef) {
        let now = Section {
            choices: self.running.choices.len(),
            events: self.skeleton.events.len(),
            marks: self.skeleton.marks.len(),
        };
        let before = self.running.sections.insert(state.section, now);
        debug_assert!(before.is_none(), "a section has a unit of its own");
        self.mark(state.section, MarkKind::SectionBegin, state.path.term(terms), at);
    }

    /// The section under way ends on a path, or the thread does inside it. The unit of a single
    /// instruction has no marks.
    pub fn end_section(&mut self, terms: &Terms, state: &State, at: InstrRef) {
        if self.running.sections.contains_key(&state.section) {
            self.mark(state.section, MarkKind::SectionEnd, state.path.term(terms), at);
        }
    }

    /// The section under way is completed only if a condition holds: else it has written nothing.
    pub fn needs(&mut self, section: u32, condition: TermId) {
        debug_assert!(section < self.running.unit, "the section is under way");
        let need = Need { events: self.skeleton.events.len(), condition };
        self.needs.entry((self.running.thread, section)).or_default().push(need);
    }

    /// The condition under which a write occurs, as far as it is known: it is reached, and its
    /// section is completed.
    fn occurs(&self, terms: &mut Terms, event: usize) -> TermId {
        let e = &self.skeleton.events[event];
        let needs = self.needs.get(&(e.thread, e.unit)).map_or(&[][..], Vec::as_slice);
        let later = needs.iter().filter(|need| need.events > event);
        later.fold(e.guard, |guard, need| terms.and(guard, need.condition))
    }

    /// The conditions under which the section under way has created a thread, and (if asked)
    /// written.
    pub fn steps_of_section(&self, terms: &mut Terms, section: u32, writes: bool) -> Vec<TermId> {
        let Some(begin) = self.running.sections.get(&section) else { return Vec::new() };
        let here = (self.running.thread, section);
        let mut guards = Vec::new();
        if writes {
            for i in (begin.events..self.skeleton.events.len()).rev() {
                let e = &self.skeleton.events[i];
                if (e.thread, e.unit) == here && e.kind == EventKind::Write {
                    guards.push(self.occurs(terms, i));
                }
            }
        }
        let marks = self.skeleton.marks[begin.marks..].iter();
        let created =
            marks.filter(|m| (m.thread, m.unit) == here && matches!(m.kind, MarkKind::Create(_)));
        guards.extend(created.map(|m| m.guard));
        guards
    }

    // Events and marks.

    /// How many waiting points there are.
    pub fn wait_count(&self) -> usize {
        self.skeleton.waits.len()
    }

    /// How many events there are.
    pub fn event_count(&self) -> usize {
        self.skeleton.events.len()
    }

    /// Records an access on a path.
    pub fn event(&mut self, terms: &Terms, state: &State, new: NewEvent) {
        debug_assert!(!new.targets.is_empty(), "an access goes somewhere");
        debug_assert_eq!(terms.width(new.value) % 8, 0, "an access is whole bytes");
        let unit = self.unit_of(state);
        self.running.position += 1;
        if new.trail == Trail::Look {
            self.open_looks.push(self.skeleton.events.len());
        }
        let here = state.path.term(terms);
        self.skeleton.events.push(Event {
            thread: self.running.thread,
            unit,
            position: self.running.position,
            kind: new.kind,
            address: new.address,
            targets: new.targets,
            alignment: new.alignment,
            bytes: terms.width(new.value) / 8,
            value: new.value,
            guard: here,
            reached: here,
            at: new.at,
            site: new.site,
            atomic: new.atomic,
            hidden: new.hidden,
            lock: new.lock,
            trail: new.trail,
            locks: state.locks.clone(),
        });
    }

    /// The access of the open looks goes on where `reached` holds.
    pub fn settle_looks(&mut self, reached: TermId) {
        self.looks.extend(self.open_looks.drain(..).map(|event| Look { event, reached }));
    }

    /// Records a mark of the running thread.
    pub fn mark(&mut self, unit: u32, kind: MarkKind, guard: TermId, at: InstrRef) {
        debug_assert!(unit < self.running.unit, "a mark has a unit that was given out");
        let thread = self.running.thread;
        self.skeleton.marks.push(Mark { thread, unit, kind, guard, at });
    }

    /// Records a join of a thread that is not known at once.
    pub fn join(&mut self, join: Join) {
        debug_assert_eq!(join.thread, self.thread(), "the running thread joins");
        self.skeleton.joins.push(join);
    }

    // What is asked of the environment.

    /// Records a choice of the running thread.
    pub fn choice(&mut self, guard: TermId, at: InstrRef, kind: ChoiceKind) {
        self.running.choices.push(Choice { guard, at, kind });
    }

    /// How many choices the running thread has made.
    pub fn choice_count(&self) -> usize {
        self.running.choices.len()
    }

    /// The condition under which an input was asked for, from a choice of the thread on.
    pub fn input_since(&self, terms: &mut Terms, first: usize) -> TermId {
        let choices = self.running.choices[first..].iter();
        let inputs = choices.filter(|c| matches!(c.kind, ChoiceKind::Input(..)));
        let guards: Vec<TermId> = inputs.map(|c| c.guard).collect();
        terms.or_all(&guards)
    }

    /// The condition under which the section under way asked for an input; none if it is a single
    /// instruction.
    pub fn input_in_section(&self, terms: &mut Terms, section: u32) -> Option<TermId> {
        let begin = self.running.sections.get(&section)?;
        Some(self.input_since(terms, begin.choices))
    }

    /// Something holds in every execution.
    pub fn assume(&mut self, condition: TermId) {
        self.skeleton.assumptions.push(condition);
    }

    // What goes wrong, waits, or is cut off.

    /// Records a violation by the running thread.
    pub fn violation(
        &mut self,
        state: &State,
        property: Property,
        condition: TermId,
        at: InstrRef,
        site: InstrRef,
    ) -> &mut Violation {
        let (thread, unit) = (self.running.thread, self.unit_of(state));
        let (leaks, access) = (Vec::new(), None);
        let new = Violation { property, condition, thread, unit, at, site, leaks, access };
        self.skeleton.violations.push(new);
        self.skeleton.violations.last_mut().expect("it was just added")
    }

    /// Records a point at which the running thread may wait for ever.
    pub fn wait(&mut self, wait: Wait) {
        debug_assert_eq!(wait.thread, self.thread(), "the running thread waits");
        debug_assert!(wait.unit <= self.running.unit, "what it did before has smaller units");
        self.skeleton.waits.push(wait);
    }

    /// Records that executions of the running thread are cut off.
    pub fn cut(&mut self, condition: TermId, kind: CutKind, place: Place) {
        let (thread, unit) = (self.running.thread, self.running.unit);
        self.skeleton.cuts.push(Cut { condition, thread, unit, kind, place });
    }

    /// How many cuts there are.
    pub fn cut_count(&self) -> usize {
        self.skeleton.cuts.len()
    }

    /// Forgets the cuts of a trial that came after the first so many.
    pub fn forget_cuts(&mut self, count: usize) {
        self.skeleton.cuts.truncate(count);
    }

    // Memory and mutexes.

    /// Other threads may see memory from here on.
    pub fn publish(&mut self, image: Image) {
        self.skeleton.images.push(image);
    }

    /// The images so far, and the bytes that are arbitrary at the start.
    pub fn beginning(&mut self) -> (&[Image], &mut ArbitraryBytes) {
        (&self.skeleton.images, &mut self.skeleton.initial_bytes)
    }

    /// A heap object, and where it is allocated.
    pub fn heap(&mut self, o: ObjectIx, place: Place) {
        self.skeleton.heap.insert(o, place);
    }

    /// A thread acquires a mutex, or waits for it.
    pub fn acquisition(&mut self, acquisition: Acquisition) {
        self.acquisitions.push(acquisition);
    }

    /// Some thread may release a mutex (`None`: any) without holding it.
    pub fn break_lock(&mut self, address: Option<u64>) {
        debug_assert!(address != Some(0), "no mutex is at the null address");
        self.skeleton.broken_locks.insert(address.unwrap_or(0));
    }

    /// The skeleton. Writes in atomic sections occur only if their sections are completed; looks
    /// are reached where their accesses are.
    pub fn finish(mut self, terms: &mut Terms) -> Skeleton {
        debug_assert_eq!(self.running.thread, ThreadIx(0), "the main thread ends last");
        debug_assert!(self.open_looks.is_empty(), "each look has its access");
        let with_needs: FxHashSet<(ThreadIx, u32)> = self.needs.keys().copied().collect();
        for i in 0..self.skeleton.events.len() {
            let e = &self.skeleton.events[i];
            if e.kind == EventKind::Write && with_needs.contains(&(e.thread, e.unit)) {
                self.skeleton.events[i].guard = self.occurs(terms, i);
            }
        }
        debug_assert!(self.looks.is_sorted_by(|a, b| a.event < b.event), "each is settled once");
        for look in self.looks {
            let event = &mut self.skeleton.events[look.event];
            debug_assert_eq!(event.trail, Trail::Look, "only looks wait for something");
            event.reached = look.reached;
        }
        dead_ends::leave_out(&mut self.skeleton, terms, &self.acquisitions);
        self.skeleton
    }
}

impl Running {
    /// The first unit is the thread's existence: everything has a unit before it.
    fn new(thread: ThreadIx, terms: &Terms) -> Running {
        Running {
            thread,
            unit: 1,
            position: 0,
            choices: Vec::new(),
            sections: FxHashMap::default(),
            first_variable: terms.variable_count(),
        }
    }
}
