//! Threads that are alike: states that differ only in which of them is where are one.
//!
//! Idea: threads that were created with the same code and arguments, all of them before any of them
//! took a step, form a *group*. From then on whatever some of them do, others of the group can do
//! instead. So a state is remembered with the states of such threads sorted ([`crate::key`]).
//! Sources: Ip & Dill, "Better verification through symmetry", 1996; Emerson, Jha & Peled, "Combining
//! partial order and symmetry reductions", TACAS 1997. We differ: handles are not permuted.
//!
//! **What may change places.** Let P be a path from a state in which threads a and b are in one
//! group and neither has moved, to a state s in which neither was joined; P' the same with the steps
//! of a and b exchanged. P' can happen, and leads to s', which is s with a and b exchanged, if nothing in P
//! depends on who is who. Ways to find that out, and what becomes of each:
//! - *Words of mutexes* and *bits in sets of waiting threads* are exchanged with the threads
//!   ([`crate::names`]). Who signals chooses any of those that wait; there is no queue in which one of them is
//!   the first. Anybody who accesses words or sets as data ends all this: the search begins again
//!   without it. So does a thread of a group that asks for its own number (`pthread_self`, cancellation, keys of
//!   tables by thread), unless only to compare it with the word of a mutex.
//! - *Addresses:* each thread has a region of its own. So a thread that has allocated an object, on the stack or
//!   the heap, or has a copy of a thread-local one, is not *free*: it stays where it is. Up to then it
//!   could have been any free thread of its group. If these all were in the same state, nothing is
//!   lost if it is this one; otherwise the search begins again without all this.
//! - *Arguments* and the *time of creation:* who has others, or is created after one of the group has moved, is not of
//!   the group. *Order of creation:* numbers and handles are given in that order, and stay.
//! - *Handles*, below. To store, compare or print them is no harm, as they are not exchanged.
//!
//! So s can be reached if and only if s' can, for any two free threads of a group.
//!
//! **Handles** are what `Create` gave to whoever joins. They stay where they are when threads
//! change places, so a handle names any free thread of its group: in s and s' different ones. Where a
//! thread is about to join one, all of these are possible: it goes on with one that has ended (exchange,
//! then join), and it waits if another one has not ended ([`Joiner`]). A join takes its thread out of the
//! exchange for good. Threads of a group end with the same value and hold nothing in the end; so it does not
//! matter with which of them a join goes on. If they do not, or if two threads are about to join free ones at
//! the same time, or one that itself is in a group is, or somebody joins inside an atomic section, the search
//! begins again without all this. Whatever else goes by a handle (cancellation, joins that do not
//! wait) shows only in tables that the thread itself asks for by its number.
//!
//! **With the reduction.** Transitions of free threads are exchanged with their threads, dependences
//! among them, too, and futures are written down in sorted order. A join of a free thread touches nothing, but
//! it takes one that has ended away from other joins, and it decides who of the group comes before
//! what follows. It is explored last, when nobody else can move. So
//! - two that could join at the same time are seen to stand there;
//! - a state in which everybody else is stuck is seen before the join: there the joining thread may wait for
//!   one that never ends;
//! - let w be a way to an act in [`crate::remember`]'s proof that does not need thread e, with k joins of
//!   the group. Before the i-th of them at least i threads other than e have ended, on the explored way as
//!   well. If that one joins e all the same, one of them is left, and free. So if *after* a join is taken
//!   to be after e only where it is also after all that were free beside e ([`crate::future::Stride`]),
//!   then by induction, from the last join on, e is never before the act by its join. Who joins once more
//!   what was joined says nothing about who that was.
//!
//! What is known to be protected ([`crate::discipline`]) is known of whole groups.
//!
//! **Limits:** a pool whose workers allocate memory is explored as before. Threads 1 to 8, 9 to 16 and so
//! on are never in one group: what a thread touches in a set is the byte that has its bit.
//! Elsewhere: the search lets threads change places in `remember/exchange.rs`; what it reports is
//! executed anew in `remember/retrace.rs`.

use std::rc::Rc;

use raddle_ir::Op;
use smallvec::SmallVec;

use crate::future::{Set, bit};
use crate::memory::Memory;
use crate::names::Named;
use crate::state::{Code, Frame, State, Status, Thread, Visit};

/// Which group a thread is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kin {
    /// The index of the first thread of the group.
    group: usize,
    /// It has not moved.
    fresh: bool,
    /// Somebody has joined it.
    joined: bool,
}

/// The groups of all threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kinship(SmallVec<[Kin; 8]>);

impl Default for Kinship {
    /// Of main alone.
    fn default() -> Kinship {
        Kinship(SmallVec::from_slice(&[Kin { group: 0, fresh: false, joined: false }]))
    }
}

impl Kinship {
    /// After a transition of a thread, perhaps with a join, that led to this state.
    pub fn after(&self, moved: usize, joined: Option<usize>, state: &State) -> Kinship {
        let mut kin = self.clone();
        kin.0[moved].fresh = false;
        if let Some(joined) = joined {
            kin.0[joined].joined = true;
        }
        for index in kin.0.len()..state.threads.len() {
            let new = &state.threads[index];
            let is_alike = |&i: &usize| {
                kin.members(i).all(|j| kin.0[j].fresh) && are_alike(&state.threads[i], new)
            };
            let group = (0..index).find(is_alike).map_or(index, |i| kin.0[i].group);
            kin.0.push(Kin { group, fresh: true, joined: false });
        }
        kin
    }

    /// After two threads of a group have changed places.
    pub fn exchange(&mut self, a: usize, b: usize) {
        debug_assert_eq!(self.0[a].group, self.0[b].group, "only threads that are alike do");
        self.0.swap(a, b);
    }

    fn members(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let group = self.0[index].group;
        (0..self.0.len()).filter(move |i| self.0[*i].group == group)
    }

    /// The first thread of a thread's group.
    pub fn group(&self, index: usize) -> usize {
        self.0[index].group
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.0.len()
    }

    /// All threads of a thread's group.
    pub fn mates(&self, index: usize) -> Set {
        self.members(index).fold(0, |set, i| set | bit(i))
    }

    /// Those of a thread's group that may change places.
    pub fn free_mates(&self, state: &State, index: usize) -> Set {
        let free = self.members(index).filter(|i| self.is_free(state, *i));
        free.fold(0, |set, i| set | bit(i))
    }

    /// Whether a thread that could have been another one of its group was joined.
    pub fn is_joined_again(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|kin| kin.joined) && !self.is_alone(index)
    }

    /// Whether a thread is alone in its group.
    pub fn is_alone(&self, index: usize) -> bool {
        self.members(index).count() == 1
    }

    /// A set of threads with all that could be there in place of them.
    pub fn spread(&self, set: Set) -> Set {
        let inside = (0..self.0.len()).filter(|i| set & bit(*i) != 0);
        inside.fold(set, |all, i| all | self.mates(i))
    }

    /// Whether a thread may change places with others of its group.
    pub fn is_free(&self, state: &State, index: usize) -> bool {
        let thread = &state.threads[index];
        index > 0
            && !self.0[index].joined
            && thread.asked.addresses == 0
            && thread.locals.is_empty()
    }
}

/// Whether two threads differ in nothing but their numbers; both have just been created.
fn are_alike(a: &Thread, b: &Thread) -> bool {
    let plain = |t: &Thread| {
        t.status == Status::Running
            && t.locks.is_empty()
            && t.locals.is_empty()
            && t.sets.is_empty()
            && t.asked.addresses == 0
    };
    // Their bits in sets are in the same byte, so that they touch the same.
    plain(a)
        && plain(b)
        && a.place().0 == b.place().0
        && (a.asked, a.marks, a.wake, a.atomic) == (b.asked, b.marks, b.wake, b.atomic)
        && a.frames.len() == b.frames.len()
        && a.frames.iter().zip(&b.frames).all(|(x, y)| are_alike_frames(x, y))
}

fn are_alike_frames(a: &Frame, b: &Frame) -> bool {
    let Frame { func, block, index, regs, dst, stack, loops } = a;
    let same_visit = |(x, y): (&Visit, &Visit)| {
        let Visit { head, iterations, live, marks, owned, waited } = x;
        (head, iterations, live, marks, waited)
            == (&y.head, &y.iterations, &y.live, &y.marks, &y.waited)
            && owned.is_empty()
            && y.owned.is_empty()
    };
    (func, block, index, regs, dst) == (&b.func, &b.block, &b.index, &b.regs, &b.dst)
        && stack.is_empty()
        && b.stack.is_empty()
        && loops.len() == b.loops.len()
        && loops.iter().zip(&b.loops).all(same_visit)
}

/// Lets two free threads change places.
pub fn exchange(code: &Code<'_>, state: &mut State, Exchange(a, b): Exchange) {
    debug_assert!(state.in_section.is_none(), "between transitions no section is under way");
    let names = [a, b].map(|i| Named::new(&state.memory, &state.threads[i]));
    for (i, named) in [a, b].into_iter().zip(&names) {
        named.erase(&mut state.memory, &state.threads[i]);
    }
    let ids = [a, b].map(|i| state.threads[i].id);
    state.threads.swap(a, b);
    for ((index, id), named) in [a, b].into_iter().zip(ids).zip([&names[1], &names[0]]) {
        let thread = Rc::make_mut(&mut state.threads[index]);
        thread.id = id;
        thread.next_address = code.region(id).0;
        named.write(&mut state.memory, thread);
    }
}

/// A thread that is about to join a free one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joiner {
    /// The thread.
    pub thread: usize,
    /// The one that its handle names in this state.
    pub target: usize,
    /// One that it may name instead and that has ended.
    pub ended: Option<usize>,
    /// Likewise, one that has not.
    pub running: Option<usize>,
    /// How many it may name.
    pub count: usize,
}

/// Who is about to join one of several free threads; an error if that is more than can be told.
pub fn joiner(code: &Code<'_>, state: &State, kin: &Kinship) -> Result<Option<Joiner>, TooMany> {
    let mut found = None;
    for (thread, record) in state.threads.iter().enumerate() {
        let Some(Op::Join { thread: number, .. }) = record.op(code.program) else { continue };
        if !record.is_running() {
            continue;
        }
        let number = record.frame().get(code.program, *number);
        let mut ids = state.threads.iter().map(|t| u128::from(t.id.0));
        let Some(target) = ids.position(|id| id == number) else { continue };
        if kin.is_alone(target) || !kin.is_free(state, target) {
            continue;
        }
        if found.is_some() || !kin.is_alone(thread) {
            return Err(TooMany);
        }
        let has_ended = |i: &usize| matches!(state.threads[*i].status, Status::Ended(_));
        // The handle as it stands comes first: then nobody has to change places.
        let rest = kin.members(target).filter(|i| *i != target && kin.is_free(state, *i));
        let all: SmallVec<[usize; 8]> = [target].into_iter().chain(rest).collect();
        let ended = all.iter().copied().find(|i| has_ended(i));
        let running = all.iter().copied().find(|i| !has_ended(i));
        found = Some(Joiner { thread, target, ended, running, count: all.len() });
    }
    Ok(found)
}

/// Several threads join at once, or one joins its like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// Whether a thread that has ended holds nothing.
pub fn holds_nothing(memory: &Memory, thread: &Thread) -> bool {
    Named::new(memory, thread) == Named::default()
}

/// Two threads that change places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange(pub usize, pub usize);

impl Exchange {
    /// Where a thread is after it.
    pub fn of(self, index: usize) -> usize {
        match index {
            i if i == self.0 => self.1,
            i if i == self.1 => self.0,
            other => other,
        }
    }
}

impl Joiner {
    /// Who changes places so that the join can go on.
    pub fn to_go_on(self) -> Option<Exchange> {
        let ended = self.ended.filter(|ended| *ended != self.target)?;
        Some(Exchange(self.target, ended))
    }

    /// Who changes places so that the join has to wait, if it need not wait in any case.
    pub fn to_wait(self) -> Option<Exchange> {
        let running = self.running.filter(|running| *running != self.target)?;
        Some(Exchange(self.target, running))
    }

    /// Whether there are several with which the thread could go on, sooner or later.
    pub fn has_choice(&self) -> bool {
        self.count > 1
    }

    /// Whether it depends on who is who whether the thread can go on.
    pub fn is_open(&self) -> bool {
        self.ended.is_some() && self.running.is_some()
    }
}
