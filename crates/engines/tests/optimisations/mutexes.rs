//! Sections of a mutex, ordered as a whole (`mutexes`): how they begin and end, and who holds a mutex
//! in the end.

use raddle_ir::{Op, Program, Property};
use raddle_testkit::build::{Body, Builder, PLAIN, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

const DEADLOCKS: &[Property] = &[Property::Deadlocks];
const RACES: &[Property] = &[Property::Races];

/// `r = x; x = r + 1` must not be seen half done by a thread that writes x between.
fn add(f: &mut Body<'_>, at: Globals) {
    let before = f.read(at.x);
    let more = f.add(before, 1);
    f.store(g(at.x), reg(more), PLAIN);
    let after = f.read(at.x);
    let same = f.compare(raddle_ir::CmpOp::Eq, reg(more), reg(after));
    f.assert(same);
}

fn locked_add(f: &mut Body<'_>, at: Globals) {
    f.lock(at.m);
    add(f, at);
    f.unlock(at.m);
}

/// Beginnings on two paths, one end for both; and the other way round.
#[test]
fn a_section_begins_and_ends_on_several_paths() {
    let two_begins = |f: &mut Body<'_>, at: Globals, choices| {
        let choice = f.choice(choices);
        let (one, other) = (f.equal(choice, 0), f.equal(choice, 1));
        f.when(one, |f| f.lock(at.m));
        f.when(other, |f| f.lock(at.m));
        add(f, at);
        f.unlock(at.m);
    };
    for (choices, expected) in [(2, Word::Safe), (3, Word::Unsafe)] {
        let first = |f: &mut Body<'_>, at: Globals| two_begins(f, at, choices);
        check(&two_threads(ASSERTIONS, first, locked_add), expected);
    }
    for safe in [true, false] {
        let two_ends = |f: &mut Body<'_>, at: Globals| {
            let choice = f.choice(2);
            let (one, other) = (f.equal(choice, 0), f.equal(choice, 1));
            f.lock(at.m);
            if safe {
                add(f, at);
            }
            f.when(one, |f| f.unlock(at.m));
            f.when(other, |f| {
                f.write(at.y, 1);
                f.unlock(at.m);
            });
            if !safe {
                add(f, at);
            }
        };
        let expected = if safe { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, two_ends, locked_add), expected);
    }
}

/// A thread that keeps a mutex keeps others out for ever; what they did before they still did.
#[test]
fn a_section_without_end_is_the_last() {
    for keeps in [true, false] {
        let keeper = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.write(at.x, 1);
            if !keeps {
                f.unlock(at.m);
            }
        };
        let other = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            let r = f.read(at.x);
            let unseen = f.equal(r, 0);
            f.assert(unseen);
            f.unlock(at.m);
        };
        let expected = if keeps { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, keeper, other), expected);
        check(
            &two_threads(DEADLOCKS, keeper, other),
            if keeps { Word::Unsafe } else { Word::Safe },
        );
    }
}

/// The end of a section is left out on one path.
#[test]
fn a_section_may_have_no_end_on_one_path() {
    let forgets = |f: &mut Body<'_>, at: Globals| {
        let choice = f.choice(2);
        let fine = f.equal(choice, 0);
        f.lock(at.m);
        f.write(at.x, 1);
        f.when(fine, |f| f.unlock(at.m));
    };
    check(&two_threads(DEADLOCKS, forgets, locked_add), Word::Unsafe);
    check(&two_threads(ASSERTIONS, forgets, locked_add), Word::Safe);
}

#[test]
fn a_thread_waits_for_a_mutex_that_it_holds() {
    for twice in [true, false] {
        let thread = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            if twice {
                f.lock(at.m);
            }
            f.write(at.x, 1);
            f.unlock(at.m);
        };
        let reader = |f: &mut Body<'_>, at: Globals| {
            let r = f.read(at.x);
            let unseen = f.equal(r, 0);
            f.assert(unseen);
        };
        let expected = if twice { Word::Unsafe } else { Word::Safe };
        check(&two_threads(DEADLOCKS, thread, locked_add), expected);
        let expected = if twice { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, thread, reader), expected);
    }
}

#[test]
fn threads_wait_in_a_circle_only_if_they_lock_in_different_orders() {
    let nested = |f: &mut Body<'_>, mutexes: [raddle_ir::GlobalId; 2]| {
        for m in mutexes {
            f.lock(m);
        }
        for m in mutexes {
            f.unlock(m);
        }
    };
    for same in [true, false] {
        let program = two_threads(
            DEADLOCKS,
            |f, at| nested(f, [at.m, at.n]),
            |f, at| nested(f, if same { [at.m, at.n] } else { [at.n, at.m] }),
        );
        check(&program, if same { Word::Safe } else { Word::Unsafe });
    }
}

/// Main holds the mutex while it creates a thread.
fn held_at_start(writes: bool, releases: bool, checked: &[Property]) -> Program {
    let mut b = Builder::checking(checked);
    let at = Globals::new(&mut b);
    let thread = b.thread("thread", &[], |f| {
        f.lock(at.m);
        let r = f.read(at.x);
        let seen = f.equal(r, 1);
        f.assert(seen);
        f.unlock(at.m);
    });
    let main = b.thread("main", &[], |f| {
        f.lock(at.m);
        let thread = f.create(thread);
        if writes {
            f.write(at.x, 1);
        }
        if releases {
            f.unlock(at.m);
        }
        if !writes {
            f.write(at.x, 1);
        }
        f.join(thread);
    });
    b.finish(main)
}

#[test]
fn a_section_may_have_begun_before_there_were_threads() {
    check(&held_at_start(true, true, ASSERTIONS), Word::Safe);
    check(&held_at_start(false, true, ASSERTIONS), Word::Unsafe);
    check(&held_at_start(false, false, ASSERTIONS), Word::Safe);
    check(&held_at_start(true, true, DEADLOCKS), Word::Safe);
    check(&held_at_start(true, false, DEADLOCKS), Word::Unsafe);
}

/// An atomic section locks, and cannot be completed unless somebody has written.
#[test]
fn a_mutex_is_acquired_inside_an_atomic_section() {
    for waits in [true, false] {
        let section = |f: &mut Body<'_>, at: Globals| {
            f.op(Op::AtomicBegin);
            f.lock(at.m);
            if waits {
                let r = f.read(at.y);
                let cond = reg(f.equal(r, 1));
                f.op(Op::Block { cond, spurious: false });
            }
            f.write(at.x, 5);
            f.op(Op::AtomicEnd);
            f.unlock(at.m);
        };
        let other = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            let r = f.read(at.x);
            let unseen = f.equal(r, 0);
            f.assert(unseen);
            f.unlock(at.m);
        };
        let expected = if waits { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, section, other), expected);
        check(
            &two_threads(DEADLOCKS, section, other),
            if waits { Word::Unsafe } else { Word::Safe },
        );
        check(&two_threads(RACES, section, other), Word::Safe);
    }
}

/// Somebody also looks at the word of a mutex as a number.
#[test]
fn the_word_of_a_mutex_is_read_as_a_number() {
    for holds in [true, false] {
        let looks = |f: &mut Body<'_>, at: Globals| {
            if holds {
                f.lock(at.m);
            }
            let r = f.load(g(at.m), 32, PLAIN);
            let free = f.equal(r, 0);
            f.when(free, |f| f.write(at.y, 1));
            let r = f.read(at.y);
            let never = f.equal(r, 0);
            f.assert(never);
        };
        let expected = if holds { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, looks, locked_add), expected);
    }
}

/// A release that is part of a larger step, as when a thread begins to wait on a condition variable.
#[test]
fn a_section_ends_inside_an_atomic_section() {
    for first in [true, false] {
        let waiter = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.op(Op::AtomicBegin);
            if first {
                f.write(at.x, 1);
            }
            f.unlock(at.m);
            f.op(Op::AtomicEnd);
            if !first {
                f.write(at.x, 1);
            }
            f.lock(at.m);
            f.write(at.y, 1);
            f.unlock(at.m);
        };
        let other = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            let y = f.read(at.y);
            let late = f.equal(y, 1);
            f.when(late, |f| {
                let x = f.read(at.x);
                let seen = f.equal(x, 1);
                f.assert(seen);
                f.store(g(at.x), c(2, 32), PLAIN);
            });
            f.unlock(at.m);
        };
        check(&two_threads(ASSERTIONS, waiter, other), Word::Safe);
        check(&two_threads(DEADLOCKS, waiter, other), Word::Safe);
    }
}
