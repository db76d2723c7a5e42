//! Random programs of the program model.
//!
//! Two to four threads, a few accesses each, so that `explore` needs milliseconds. A [`Kind`] is
//! what a program is about: one file each. `mixed` has a little of everything; the others are about
//! what mixed programs rarely reach, found by putting mistakes into the engines and looking which
//! of them no test noticed (`bench/mutate.py`).
//!
//! Most programs end in a table of all outcomes (`outcomes.rs`): each is a finding of its own, so
//! that engines must agree not only on the verdict but on everything that the threads can come to
//! see.

mod atomics;
mod copies;
mod indices;
mod joins;
mod limits;
mod loops;
mod mixed;
mod outcomes;
mod sections;
mod statements;
mod thread;
mod waiting;

use raddle_ir::{Program, PropertySet};

use raddle_testkit::Random;

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The properties to check.
    pub checked: PropertySet,
    /// What the programs are about; `None`: each seed chooses, by the weights of [`Kind::ALL`].
    pub kind: Option<Kind>,
    /// Objects may die while pointers to them live.
    pub lifetimes: bool,
    /// Inputs with arbitrary values.
    pub external_inputs: bool,
    /// Semaphores, condition variables, reader-writer locks, barriers; joins in any order.
    pub waits: bool,
}

impl Options {
    /// The simplest programs.
    pub fn new(checked: PropertySet) -> Options {
        Options { checked, kind: None, lifetimes: false, external_inputs: false, waits: false }
    }

    /// Programs of one kind.
    pub fn of(kind: Kind, checked: PropertySet) -> Options {
        Options { kind: Some(kind), ..Options::new(checked) }
    }
}

/// What a program is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A little of everything.
    Mixed,
    /// Critical sections: long, with branches, broken in several ways.
    Sections,
    /// Copies of threads, and joins: in any order, conditional, with steps in between.
    Joins,
    /// Copies of a thread that can change places, and joins of one of them by others.
    Copies,
    /// Memory at symbolic indices.
    Indices,
    /// Loops that change private memory, or have effects on some paths.
    Loops,
    /// Atomic sections with loops, over the cells of an object and in silence, some left in the middle.
    Atomics,
    /// Unsupported instructions and endless loops that only some executions reach.
    Limits,
}

impl Kind {
    /// All kinds with their names and weights: how many of 20 programs.
    pub const ALL: &[(Kind, &str, u64)] = &[
        (Kind::Mixed, "mixed", 4),
        (Kind::Sections, "sections", 3),
        (Kind::Joins, "joins", 3),
        (Kind::Copies, "copies", 2),
        (Kind::Indices, "indices", 3),
        (Kind::Loops, "loops", 2),
        (Kind::Limits, "limits", 1),
        (Kind::Atomics, "atomics", 2),
    ];

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The kind that a seed chooses.
    fn of(seed: u64) -> Kind {
        let sum: u64 = Kind::ALL.iter().map(|row| row.2).sum();
        let mut left = seed % sum;
        for &(kind, _, weight) in Kind::ALL {
            if left < weight {
                return kind;
            }
            left -= weight;
        }
        unreachable!("the rest is below the sum of the weights");
    }
}

/// The program of a seed.
pub fn program(seed: u64, options: Options) -> Program {
    let mut random = Random::new(seed);
    let random = &mut random;
    match options.kind.unwrap_or_else(|| Kind::of(seed)) {
        // Some programs run copies of one thread.
        Kind::Mixed => mixed::program(random, seed % 5 == 4, options),
        Kind::Sections => sections::program(random, options),
        Kind::Joins => joins::program(random, options),
        Kind::Copies => copies::program(random, options),
        Kind::Indices => indices::program(random, options),
        Kind::Loops => loops::program(random, options),
        Kind::Limits => limits::program(random, options),
        Kind::Atomics => atomics::program(random, options),
    }
}
