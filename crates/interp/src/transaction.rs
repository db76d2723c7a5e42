//! Longer transitions: what a thread does up to the point where others can notice it, as one step.
//!
//! Idea: a transition ([`crate::transition`]) goes on through further visible operations as long as
//! nobody can disturb it ([`crate::discipline`] says what is known of that):
//! - *gathering*: accesses to bytes that are not open (they can be moved over whatever others do), and
//!   locks that are free (they can be moved behind whatever others do meanwhile). One access to open
//!   bytes is the point at which the whole takes place; as races are seen by threads that stand before
//!   their accesses, it begins the transition, or is an access of a library model;
//! - *releasing*: unlocks (they can be moved before what others do meanwhile), and the reads of library
//!   models between them.
//!
//! So every execution has an equivalent one in which transitions happen one after the other. The
//! word of a mutex that is locked and unlocked in one transition is as it was: two such transitions
//! depend on each other only by their data ([`Mark::Section`]).
//! Source: Lipton, "Reduction: a method of proving properties of parallel programs", CACM 1975.
//!
//! **Deadlocks.** A lock that is taken while another is held is passed without a stop only if nobody
//! ever stops (or locks another) while holding it. So in a state in which threads wait, each thread
//! that is inside a transition waits for a mutex whose holder is inside one as well and can go on:
//! there is none.
//! **Violations** inside a transition end it before the operation, which then begins the next.
//! **Refutation.** Let some execution disturb a transition, and take the shortest. Before it all is
//! as if transitions were single steps, and what the two threads did of theirs changes nothing for
//! anybody else; so a state is reached in which both stand before them, and the search meets one
//! ([`crate::remember`], as for races). There the accesses are compared. Reads behind a release are
//! compared with all writes instead.
//!
//! Limits: atomic sections that lock, thread creation, joins and whatever else is not an access stand
//! alone, and where leaks are looked for every change of the heap.

use std::rc::Rc;

use raddle_ir::Op;
use smallvec::SmallVec;

use crate::discipline::{Exposed, Guarded, Held, Look};
use crate::footprint::{Footprint, Mark};
use crate::inputs::Tape;
use crate::section::Unit;
use crate::state::State;
use crate::step::{Touch, TouchKind};
use crate::transition::{Ahead, Pending, Taken, World};
use crate::visible::next_access;

/// Most visible operations of one transition.
const MOST_UNITS: usize = 1_000;
/// If there are more combinations of choices on the way, it ends: what it touches is found by trying
/// them all.
const MOST_COMBINATIONS: u64 = 16;
/// With so many operations it ends where a loop begins anew: so loops without end come back to states.
const MANY_UNITS: usize = 32;

/// How far a transition has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nobody can have noticed it.
    Gathering,
    /// It has taken place; locks are released.
    Releasing,
    /// It cannot be longer.
    Over,
}

/// What an operation is for the transition that it is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Class {
    /// It touches open bytes.
    open: bool,
    /// Library models make all its accesses to data.
    hidden: bool,
    /// It writes data.
    writes: bool,
    acquires: bool,
    releases: bool,
    /// It can only stand alone.
    alone: bool,
}

/// What a touch of memory is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Acquire,
    Release,
    Other(Look),
}

/// A transition in the making.
#[derive(Clone, Debug)]
struct Course {
    phase: Phase,
    /// Whether the last operation came after the transition had taken place.
    late: bool,
    /// Operations since the last one that others can notice.
    trailing: usize,
    marks: SmallVec<[Mark; 2]>,
    exposed: Exposed,
    acquired: Held,
    released: Held,
}

/// Where a transition may end although it went on.
struct Landing {
    state: State,
    taken: Taken,
    course: Course,
}

impl World<'_> {
    /// Takes a transition that is as long as can be. Without one: what the thread looked at.
    pub fn take_whole(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        limit: u64,
    ) -> Result<Taken, Box<Footprint>> {
        tape.rewind();
        let mut taken = Taken::default();
        let held = self.held(state, index);
        let before = state.clone();
        self.vain = false;
        let done = self.take_one(state, index, tape, limit, &mut taken);
        let first = std::mem::take(&mut taken.footprint);
        let class = self.class(&before, index, &first);
        let mut course = Course::begin(class, &first);
        self.absorb(&mut course, &before, index, &first, &held);
        if !done {
            return Err(Box::new(course.footprint(first)));
        }
        let (mut landing, mut relevant) = (None, usize::MAX);
        for units in 0..MOST_UNITS {
            let again = std::mem::take(&mut self.came_back) && units >= MANY_UNITS;
            if course.phase == Phase::Over {
                relevant = self.decided;
                break;
            }
            if let Some(first) = tape.beyond(MOST_COMBINATIONS) {
                relevant = first.max(self.decided);
                break;
            }
            if again || !state.threads[index].is_running() {
                break;
            }
            if course.phase == Phase::Releasing && course.trailing == 0 {
                let (state, taken, course) = (state.clone(), taken.clone(), course.clone());
                landing = Some(Landing { state, taken, course });
            }
            if !self.go_on(state, index, tape, limit, &mut taken, &mut course) {
                break;
            }
        }
        if let Some(last) = landing.filter(|_| course.trailing > 0) {
            (*state, taken, course) = (last.state, last.taken, last.course);
        }
        self.vain |= self.would_wait_in_vain(state, index);
        self.vain &= !course.changes_data();
        if self.vain {
            return Err(Box::new(course.footprint(first)));
        }
        if let Some(discipline) = &mut self.discipline {
            for lock in &state.threads[index].locks {
                discipline.note_outer(lock.address);
            }
        }
        self.decided = relevant;
        taken.unlocked = course.released.iter().copied().find(|m| !course.acquired.contains(m));
        taken.footprint = course.footprint(first);
        Ok(taken)
    }

    /// What a thread would do next, by trying all choices.
    pub fn rehearse_whole(&mut self, state: &State, index: usize, pending: &mut Pending) {
        pending.section = true;
        pending.enabled = false;
        let mut tape = Tape::default();
        let mut first = true;
        loop {
            let (mut copy, limit) = (state.clone(), self.settings.max_steps);
            let relevant;
            let footprint = match self.take_whole(&mut copy, index, &mut tape, limit) {
                Ok(taken) => {
                    pending.enabled = true;
                    relevant = self.decided;
                    let footprint = taken.footprint.clone();
                    if first {
                        self.ahead = Some(Ahead { state: copy, taken, tape: tape.clone() });
                    }
                    footprint
                }
                Err(footprint) => {
                    pending.vain |= self.vain;
                    relevant = usize::MAX;
                    *footprint
                }
            };
            pending.footprint.join(footprint);
            first = false;
            tape.forget(relevant);
            if !tape.advance() {
                return;
            }
        }
    }

    /// Whether a thread that waits on a condition comes back, whatever others do meanwhile and whatever
    /// is chosen, to where it waits once more.
    fn would_wait_in_vain(&mut self, state: &State, index: usize) -> bool {
        let op = state.threads[index].op(self.code.program);
        if !state.threads[index].is_running() || !matches!(op, Some(Op::Lock { wait: true, .. })) {
            return false;
        }
        let mut tape = Tape::default();
        loop {
            let (mut copy, limit) = (state.clone(), self.settings.max_steps);
            self.take_one(&mut copy, index, &mut tape, limit, &mut Taken::default());
            if !std::mem::take(&mut self.vain) {
                return false;
            }
            if !tape.advance() {
                return true;
            }
        }
    }

    /// One more visible operation; false if it cannot be part of this transition.
    fn go_on(
        &mut self,
        state: &mut State,
        index: usize,
        tape: &mut Tape,
        limit: u64,
        taken: &mut Taken,
        course: &mut Course,
    ) -> bool {
        if !self.may_go_on(state, index, course) {
            return false;
        }
        let (before, answers) = (state.clone(), taken.answers.len());
        let held = self.held(state, index);
        let mut one = Footprint::default();
        let unit = self.unit(state, index, tape, &mut one, &mut taken.answers);
        let class = self.class(&before, index, &one);
        let count = match unit {
            Unit::Done(count) if course.admits(class) => count,
            Unit::Done(_)
            | Unit::Blocked(_)
            | Unit::Violation(..)
            | Unit::BadAnswer(_)
            | Unit::TooLong => {
                // How far the transition goes depends on what it saw here.
                course.look(&one);
                *state = before;
                taken.answers.truncate(answers);
                return false;
            }
        };
        self.absorb(course, &before, index, &one, &held);
        self.note_undefined(state, index);
        Rc::make_mut(&mut state.threads[index]).wake = false;
        self.decided = tape.position();
        let ran: u64 = taken.schedule.iter().map(|(_, count)| count).sum();
        taken.schedule.last_mut().expect("the first operation has an entry").1 += count;
        self.invisible(state, index, tape, taken, limit.saturating_sub(ran + count));
        true
    }

    /// Whether a thread's next operation can be part of a transition that has begun, as far as can be
    /// said beforehand.
    fn may_go_on(&mut self, state: &State, index: usize, course: &mut Course) -> bool {
        let thread = &state.threads[index];
        let program = self.code.program;
        let word = || next_access(thread, self.code).map(|(address, ..)| address);
        match thread.op(program) {
            Some(Op::Lock { .. }) => {
                let Some(mutex) = word() else { return false };
                let discipline = self.discipline.as_mut().expect("transitions are long");
                let nested = !thread.locks.is_empty();
                for lock in &thread.locks {
                    discipline.note_outer(lock.address);
                }
                if course.phase != Phase::Gathering || nested && discipline.is_outer(mutex) {
                    return false;
                }
                if state.memory.peek(mutex, 4) != Some(0) {
                    course.mark(Mark::Await { from: mutex, to: mutex.saturating_add(4) });
                    return false;
                }
                if nested {
                    discipline.note_inner(mutex);
                }
                true
            }
            Some(Op::Unlock { .. }) => word()
                .is_some_and(|mutex| state.memory.peek(mutex, 4) == Some(u128::from(thread.id.0))),
            Some(
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CompareExchange { .. }
                | Op::AtomicBegin,
            ) => true,
            Some(Op::Free { .. } | Op::ObjectSize { .. }) => !self.leaks,
            Some(_) | None => false,
        }
    }

    /// What an operation that was tried is.
    fn class(&self, before: &State, index: usize, one: &Footprint) -> Class {
        let discipline = self.discipline.as_ref().expect("transitions are long");
        let op = before.threads[index].op(self.code.program);
        let mut class = Class { hidden: true, ..Class::default() };
        class.alone = one.synchronises
            || match op {
                Some(
                    Op::Load { .. }
                    | Op::Store { .. }
                    | Op::Rmw { .. }
                    | Op::CompareExchange { .. }
                    | Op::AtomicBegin
                    | Op::Lock { .. }
                    | Op::Unlock { .. },
                ) => false,
                Some(Op::Free { .. } | Op::ObjectSize { .. }) => self.leaks,
                Some(_) | None => true,
            };
        for touch in one.touches.iter().filter(|t| t.shared) {
            let (from, to) = range(touch);
            class.open |= discipline.is_open(from, to);
            class.alone |= touch.kind == TouchKind::Invalid;
            match self.part(before, index, touch) {
                Part::Acquire => class.acquires = true,
                Part::Release => class.releases = true,
                Part::Other(_) => {
                    class.hidden &= touch.hidden;
                    class.writes |= touch.write;
                }
            }
        }
        class.alone |= matches!(op, Some(Op::AtomicBegin)) && class.acquires;
        class
    }

    /// The mutexes that protect what a thread does.
    fn held(&self, state: &State, index: usize) -> Held {
        let locks = state.threads[index].locks.iter().map(|l| l.address);
        let weak = |m: &u64| self.discipline.as_ref().is_some_and(|d| d.is_weak(*m));
        locks.filter(|m| !weak(m)).collect()
    }

    /// What a touch of memory is for.
    fn part(&self, before: &State, index: usize, touch: &Touch) -> Part {
        let own = u128::from(before.threads[index].id.0);
        match self.code.program.instr(touch.at).map(|i| &i.op) {
            Some(Op::Lock { .. }) => Part::Acquire,
            Some(Op::Unlock { .. }) if touch.old == own => Part::Release,
            Some(Op::Load { access, .. }) if access.holder => Part::Other(Look::Own),
            Some(Op::TryLock { .. }) => Part::Other(Look::Try),
            Some(_) | None => Part::Other(Look::Data),
        }
    }

    /// Adds an operation to a transition.
    fn absorb(
        &self,
        course: &mut Course,
        before: &State,
        index: usize,
        one: &Footprint,
        held: &Held,
    ) {
        for touch in one.touches.iter().filter(|t| t.shared) {
            let (from, to) = range(touch);
            match self.part(before, index, touch) {
                Part::Acquire => course.acquired.push(from),
                Part::Release => {
                    course.released.push(from);
                    if course.late {
                        let (write, look) = (true, Look::Data);
                        let released = Guarded { from, to, write, look, held: Held::new() };
                        course.exposed.late.push(released);
                    }
                }
                Part::Other(look) => {
                    course.mark(match look {
                        Look::Own => Mark::Await { from, to },
                        Look::Data | Look::Try => Mark::Bytes { from, to, write: touch.write },
                    });
                    let held = held.clone();
                    course.expose(Guarded { from, to, write: touch.write, look, held });
                }
            }
        }
    }
}

fn range(touch: &Touch) -> (u64, u64) {
    (touch.address, touch.address.saturating_add(touch.bytes.max(1)))
}

impl Course {
    fn begin(class: Class, first: &Footprint) -> Course {
        let phase = if class.alone {
            Phase::Over
        } else if class.open || class.releases {
            Phase::Releasing
        } else {
            Phase::Gathering
        };
        let (acquired, released) = (Held::new(), Held::new());
        // What is no access of memory, and for what stands alone also what only looks like one.
        let kept = |m: &&Mark| class.alone || !matches!(m, Mark::Bytes { .. });
        let marks = first.marks.iter().filter(kept).copied().collect();
        Course {
            phase,
            late: false,
            trailing: 0,
            marks,
            exposed: Exposed::default(),
            acquired,
            released,
        }
    }

    /// Whether an operation can be the next one; if so, where that leads.
    fn admits(&mut self, class: Class) -> bool {
        let admitted = !class.alone
            && match self.phase {
                Phase::Gathering => !class.open || class.hidden && !class.acquires,
                Phase::Releasing => !class.acquires && !class.open && !class.writes && class.hidden,
                Phase::Over => false,
            };
        self.late = self.phase == Phase::Releasing;
        if admitted && (class.open || class.releases) {
            (self.phase, self.trailing) = (Phase::Releasing, 0);
        } else if admitted && self.phase == Phase::Releasing {
            self.trailing += 1;
        }
        admitted
    }

    fn changes_data(&self) -> bool {
        self.exposed.data.iter().any(|guarded| guarded.write)
    }

    fn mark(&mut self, mark: Mark) {
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    fn expose(&mut self, guarded: Guarded) {
        if self.late && !self.exposed.late.contains(&guarded) {
            self.exposed.late.push(guarded.clone());
        }
        if !self.exposed.data.contains(&guarded) {
            self.exposed.data.push(guarded);
        }
    }

    /// Adds what an operation looked at that did not become part of it.
    fn look(&mut self, one: &Footprint) {
        for touch in one.touches.iter().filter(|t| t.shared) {
            let (from, to) = range(touch);
            self.mark(Mark::Bytes { from, to, write: false });
        }
    }

    /// The footprint of the whole; races are those of its first operation.
    fn footprint(mut self, first: Footprint) -> Footprint {
        let words = self.acquired.iter().chain(&self.released).copied();
        let words: SmallVec<[u64; 2]> = words.collect();
        for &from in &words {
            let to = from.saturating_add(4);
            let passed = self.acquired.contains(&from) && self.released.contains(&from);
            self.mark(match passed {
                true => Mark::Section { from, to },
                false => Mark::Bytes { from, to, write: true },
            });
        }
        self.exposed.words = words;
        let written: Vec<Mark> = self.marks.iter().copied().collect();
        self.marks.retain(|mark| match *mark {
            Mark::Bytes { from, to, write: false } => {
                !written.contains(&Mark::Bytes { from, to, write: true })
            }
            _ => true,
        });
        self.marks.sort_unstable();
        Footprint {
            marks: self.marks,
            accesses: first.accesses,
            exposed: self.exposed,
            ..Footprint::default()
        }
    }
}
