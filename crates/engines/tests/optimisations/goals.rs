//! What is asked of the order: races, deadlocks, and what no engine can go beyond.

use raddle_ir::{Op, Property};
use raddle_testkit::build::{ATOMIC, Body, PLAIN, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

const RACES: &[Property] = &[Property::Races];
const DEADLOCKS: &[Property] = &[Property::Deadlocks];

/// `lock; x = 1; unlock` in both threads, with these mutexes.
#[test]
fn the_same_mutex_keeps_accesses_apart() {
    for same in [true, false] {
        let write = |f: &mut Body<'_>, at: Globals, mutex| {
            f.lock(mutex);
            f.write(at.x, 1);
            f.unlock(mutex);
        };
        let program = two_threads(
            RACES,
            |f, at| write(f, at, at.m),
            |f, at| write(f, at, if same { at.m } else { at.n }),
        );
        check(&program, if same { Word::Safe } else { Word::Unsafe });
    }
}

#[test]
fn a_mutex_that_others_release_keeps_nothing_apart() {
    let write = |f: &mut Body<'_>, at: Globals| {
        f.lock(at.m);
        f.write(at.x, 1);
        f.unlock(at.m);
    };
    let other = |f: &mut Body<'_>, at: Globals| {
        f.unlock(at.m);
        write(f, at);
    };
    check(&two_threads(RACES, write, other), Word::Unsafe);
}

/// The access is reached only if the other thread has gone on: no race with what comes before.
#[test]
fn a_flag_orders_accesses() {
    for flag_last in [true, false] {
        let writer = |f: &mut Body<'_>, at: Globals| {
            if !flag_last {
                f.store(g(at.y), c(1, 32), ATOMIC);
            }
            f.write(at.x, 1);
            f.store(g(at.y), c(1, 32), ATOMIC);
        };
        let reader = |f: &mut Body<'_>, at: Globals| {
            let r = f.load(g(at.y), 32, ATOMIC);
            let done = f.equal(r, 1);
            f.when(done, |f| f.read(at.x));
        };
        let expected = if flag_last { Word::Safe } else { Word::Unsafe };
        check(&two_threads(RACES, writer, reader), expected);
    }
}

/// Accesses of different sizes that overlap in a byte, or not.
#[test]
fn accesses_that_overlap_in_part() {
    for (offset, expected) in [(1, Word::Unsafe), (3, Word::Unsafe)] {
        let program = two_threads(
            RACES,
            |f, at| _ = f.write(at.x, 1),
            |f, at| {
                let address = raddle_ir::Operand::Global(at.x, offset);
                f.store(address, c(1, 8), PLAIN);
            },
        );
        check(&program, expected);
    }
    let halves = |offset| {
        move |f: &mut Body<'_>, at: Globals| {
            let address = raddle_ir::Operand::Global(at.x, offset);
            _ = f.store(address, c(1, 16), PLAIN);
        }
    };
    check(&two_threads(RACES, halves(0), halves(2)), Word::Safe);
    check(&two_threads(RACES, halves(0), halves(1)), Word::Unsafe);
}

#[test]
fn locks_in_opposite_order() {
    for guarded in [false, true] {
        let take = |f: &mut Body<'_>, at: Globals, order: [raddle_ir::GlobalId; 2]| {
            // The guard is the word y, used as a mutex.
            if guarded {
                f.lock(at.y);
            }
            for mutex in order {
                f.lock(mutex);
            }
            for mutex in order {
                f.unlock(mutex);
            }
            if guarded {
                f.unlock(at.y);
            }
        };
        let program = two_threads(
            DEADLOCKS,
            |f, at| take(f, at, [at.m, at.n]),
            |f, at| take(f, at, [at.n, at.m]),
        );
        check(&program, if guarded { Word::Safe } else { Word::Unsafe });
    }
}

/// One thread waits for a flag that the other sets, before or after taking what the first one holds.
#[test]
fn waiting_with_a_mutex() {
    for sets_first in [true, false] {
        let waiter = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.op(Op::AtomicBegin);
            let r = f.load(g(at.x), 32, ATOMIC);
            let cond = reg(f.equal(r, 1));
            f.op(Op::Block { cond, spurious: false });
            f.op(Op::AtomicEnd);
            f.unlock(at.m);
        };
        let setter = |f: &mut Body<'_>, at: Globals| {
            if sets_first {
                f.store(g(at.x), c(1, 32), ATOMIC);
            }
            f.lock(at.m);
            f.store(g(at.x), c(1, 32), ATOMIC);
            f.unlock(at.m);
        };
        let expected = if sets_first { Word::Safe } else { Word::Unsafe };
        check(&two_threads(DEADLOCKS, waiter, setter), expected);
    }
}

/// Something unsupported behind a value that is written, or not.
#[test]
fn unsupported_if_it_can_be_reached() {
    for (value, expected) in [(1, Word::Unknown), (2, Word::Unknown), (3, Word::Safe)] {
        let writer = |f: &mut Body<'_>, at: Globals| {
            f.store(g(at.x), c(1, 32), ATOMIC);
            f.store(g(at.x), c(2, 32), ATOMIC);
        };
        let reader = |f: &mut Body<'_>, at: Globals| {
            let r = f.load(g(at.x), 32, ATOMIC);
            let there = f.equal(r, value);
            f.when(there, |f| f.op(Op::Unsupported { what: "inline assembly".into() }));
        };
        check(&two_threads(ASSERTIONS, writer, reader), expected);
    }
}

/// A violation before it, or beside it, still counts.
#[test]
fn a_violation_beside_something_unsupported() {
    let writer = |f: &mut Body<'_>, at: Globals| _ = f.store(g(at.x), c(1, 32), ATOMIC);
    let reader = |f: &mut Body<'_>, at: Globals| {
        let r = f.load(g(at.x), 32, ATOMIC);
        let good = f.equal(r, 0);
        f.assert(good);
        f.op(Op::Unsupported { what: "inline assembly".into() });
    };
    check(&two_threads(ASSERTIONS, writer, reader), Word::Unsafe);
}
