//! Race freedom by structure: a proof that no two threads are ever about to touch the same bytes,
//! one of them writing, read off the shape of the program.
//!
//! Idea: look at all pairs of accesses of the program, library models included, that may lead to
//! the same bytes of the same object, and find for each a reason why two threads never stand before
//! them at the same time:
//! 1. *One thread.* The object is out of others' reach ([`crate::sharing::Role::Local`]: own stack,
//!    own heap objects, thread-local variables), or both accesses are made by the only thread of a
//!    class.
//! 2. *Nobody writes.* Neither access writes, or both are atomic ([`crate::atomic`]).
//! 3. *Too early.* One is made by main before a thread of the other's class was ever created.
//! 4. *Too late.* One is made by main where it has joined all threads of the other's class, or
//!    threads of the two classes take turns ([`crate::joins`]).
//! 5. *Its own.* Each thread was given the memory for itself (`owned.rs`).
//! 6. *A mutex.* Both threads certainly hold the same one ([`crate::locks`]).
//!
//! No loop is unrolled, no interleaving is looked at and no thread is counted, so the answer holds
//! for any number of iterations, threads and bytes. If a pair is left there is no answer: it may
//! race or not.
//! Source: the pairs and filters of Chord (Naik, Aiken & Whaley, PLDI 2006) and RELAY (Voung, Jhala
//! & Lerner, FSE 2007), here as a proof instead of as a list of warnings.
//!
//! **What the proof rests on.** All that it uses holds in every execution in which accesses stay
//! inside the objects that their addresses come from (the promise of [`crate::points_to`]). Whoever
//! says SAFE because of it must say that, too. There is no answer where addresses come from
//! nowhere, functions are called that are not known, or handlers of signals run, and none where
//! control may come to something that is not modelled, but for [`ROOM`].
//! What it does not see: values. A flag that keeps two threads apart, a semaphore, a barrier, a
//! mutex in one of many objects of one name.

use raddle_ir::{InstrRef, Op, Program};

use crate::atomic::Sections;
use crate::constraints::InstanceId;
use crate::effects::Effects;
use crate::facts::Facts;
use crate::joins::Joins;
use crate::lock_state::Mutex;
use crate::objects::{Object, ObjectId, instructions_of};
use crate::owned::Owned;
use crate::sharing::{Range, Role, WHOLE, overlap, range};
use crate::threads::{ClassId, Multiplicity};

/// What models say where a table of theirs is full, and nothing else would be unknown. The analyses
/// do not tell the elements of such tables apart, so what they say holds of tables of any size, and
/// of real libraries.
pub const ROOM: [&str; 3] = [
    "more than 1023 threads",
    "condition variables with more than 64 threads",
    "more than 32 keys of thread-specific data",
];

/// Programs with more pairs of accesses to the same bytes are not looked at.
const MOST_PAIRS: usize = 20_000_000;

/// What can be said about races.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Structure {
    /// There are none: so many pairs of accesses may touch the same bytes, and never at the same
    /// time.
    NoRace {
        /// How many pairs.
        pairs: u64,
    },
    /// These pairs may race for all that is known, at most a few of them. Never empty.
    Open(Vec<[InstrRef; 2]>),
    /// The program is outside of what the argument is about.
    NoOpinion,
}

/// Pairs that are named.
const NAMED: usize = 100;

/// An access in a context by a thread of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub inside: InstanceId,
    pub at: InstrRef,
    pub class: ClassId,
    pub range: Range,
    pub writes: bool,
    pub atomic: bool,
    /// Into [`Search::held`].
    held: usize,
}

impl Structure {
    /// Looks at all pairs.
    pub fn new(program: &Program, facts: &Facts) -> Structure {
        if is_outside(program, facts) {
            return Structure::NoOpinion;
        }
        let mut search = Search {
            program,
            facts,
            joins: Joins::new(program, &facts.points_to, &facts.graph, &facts.threads),
            sections: Sections::new(program, &facts.points_to, &facts.graph, &facts.threads),
            owned: Owned::new(program, facts),
            objects: vec![Vec::new(); facts.points_to.objects().len()],
            held: Vec::new(),
        };
        search.collect();
        search.compare()
    }
}

/// Whether the program does something that the argument does not cover.
fn is_outside(program: &Program, facts: &Facts) -> bool {
    program.entry.is_none()
        || program.installs_handlers()
        || !facts.sharing.wild().is_empty()
        || facts.graph.enters_unknown(program, &facts.points_to)
        || program.function_ids().any(|f| {
            let entered = !facts.points_to.instances_of(f).is_empty();
            entered && instructions_of(program, f).any(|(_, op)| is_unknown(op))
        })
}

fn is_unknown(op: &Op) -> bool {
    matches!(op, Op::Unsupported { what } if !ROOM.contains(&what.as_str()))
}

struct Search<'a> {
    program: &'a Program,
    facts: &'a Facts,
    sections: Sections,
    joins: Joins,
    owned: Owned<'a>,
    /// By object.
    objects: Vec<Vec<Access>>,
    /// What is held at accesses.
    held: Vec<Vec<Mutex>>,
}

impl Search<'_> {
    /// All accesses that count for races.
    fn collect(&mut self) {
        let Facts { points_to, threads, .. } = self.facts;
        for inside in points_to.instances() {
            let instance = points_to.instance(inside);
            let runs = instance.chain.first().map_or(instance.func, |call| call.func);
            let classes: Vec<ClassId> = threads.running(runs).collect();
            for (at, op) in instructions_of(self.program, instance.func) {
                let Some(usage) = op.memory_use(self.program.function(at.func)) else { continue };
                let (Op::Load { access, .. }
                | Op::Store { access, .. }
                | Op::Rmw { access, .. }
                | Op::CompareExchange { access, .. }) = op
                else {
                    continue;
                };
                if access.hidden {
                    continue;
                }
                let atomic = access.atomic.is_some() || self.is_in_section(&instance.chain, at);
                self.held.push(self.mutexes(&instance.chain, at));
                let held = self.held.len() - 1;
                for (object, offset) in points_to.locations_in(inside, usage.addr) {
                    let range = range(offset, usage.bytes);
                    for &class in &classes {
                        let writes = usage.writes;
                        let access = Access { inside, at, class, range, writes, atomic, held };
                        self.objects[object.index()].push(access);
                    }
                }
            }
        }
    }

    fn is_in_section(&self, chain: &[InstrRef], at: InstrRef) -> bool {
        chain.iter().chain([&at]).any(|at| self.sections.contains(self.program, *at))
    }

    /// The mutexes that are certainly held at an instruction in a context: those that are held
    /// there in every context, and those that are held at the calls that lead there, if nothing is
    /// unlocked on the way.
    fn mutexes(&self, chain: &[InstrRef], at: InstrRef) -> Vec<Mutex> {
        let mut held = self.facts.locks.held(at).to_vec();
        for &call in chain.iter().rev() {
            let mut callees = self.facts.graph.calls_at(call);
            if callees.any(|f| self.facts.effects.of(f).has(Effects::LOCKS)) {
                break;
            }
            held.extend(self.facts.locks.held(call));
        }
        held.sort_unstable();
        held.dedup();
        held
    }

    fn compare(&self) -> Structure {
        let (mut pairs, mut open) = (0, Vec::new());
        for (i, accesses) in self.objects.iter().enumerate() {
            let object = ObjectId(i as u32);
            let is_memory = match self.facts.points_to.objects().get(object) {
                Object::Global(g) => !self.program.global(g).constant,
                Object::Alloc(..) => true,
                // Nothing there can be accessed.
                Object::Function(_) | Object::Unknown => false,
            };
            let never_written = !accesses.iter().any(|a| a.writes);
            if !is_memory || never_written || self.facts.sharing.role(object, WHOLE) == Role::Local
            {
                continue;
            }
            for (n, a) in accesses.iter().enumerate() {
                for b in &accesses[n..] {
                    if !(a.writes || b.writes) || !overlap(a.range, b.range) {
                        continue;
                    }
                    pairs += 1;
                    if pairs > MOST_PAIRS {
                        return Structure::NoOpinion;
                    }
                    if !self.are_apart(a, b) && !open.contains(&[a.at, b.at]) {
                        open.push([a.at, b.at]);
                    }
                    if open.len() == NAMED {
                        return Structure::Open(open);
                    }
                }
            }
        }
        match open.is_empty() {
            true => Structure::NoRace { pairs: pairs as u64 },
            false => Structure::Open(open),
        }
    }

    /// Whether two threads are never about to make these two accesses at the same time.
    fn are_apart(&self, a: &Access, b: &Access) -> bool {
        (a.atomic && b.atomic)
            || self.is_one_thread(a, b)
            || self.is_too_early(a, b.class)
            || self.is_too_early(b, a.class)
            || self.is_too_late(a, b)
            || self.is_too_late(b, a)
            || self.held[a.held].iter().any(|m| self.held[b.held].binary_search(m).is_ok())
            || self.owned.apart(a, b)
            || self.owned.apart(b, a)
    }

    fn is_one_thread(&self, a: &Access, b: &Access) -> bool {
        let once = self.facts.threads.class(a.class).multiplicity == Multiplicity::Once;
        a.class == b.class && once
    }

    /// Whether main has joined all threads of the other's class, or the threads of both take turns.
    fn is_too_late(&self, a: &Access, b: &Access) -> bool {
        if a.class != ClassId::MAIN {
            let threads = &self.facts.threads;
            return b.class != ClassId::MAIN
                && self.joins.take_turns(self.program, threads, a.class, b.class);
        }
        let chain = &self.facts.points_to.instance(a.inside).chain;
        b.class != ClassId::MAIN && self.joins.ended(self.program, chain, a.at, b.class)
    }

    /// Whether an access of main only happens while no thread of a class was ever created.
    fn is_too_early(&self, a: &Access, class: ClassId) -> bool {
        if a.class != ClassId::MAIN || class == ClassId::MAIN {
            return false;
        }
        let Facts { points_to, threads, graph, effects, .. } = self.facts;
        let chain = &points_to.instance(a.inside).chain;
        // While a call that creates nothing lasts it is as early as when it began.
        let creates =
            |call: &InstrRef| graph.calls_at(*call).any(|f| effects.of(f).has(Effects::CREATES));
        threads.before_creation_of(a.at, class)
            || chain.iter().any(|c| threads.before_creation_of(*c, class) && !creates(c))
    }
}
