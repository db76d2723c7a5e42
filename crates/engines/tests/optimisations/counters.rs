//! Counters (`counters`): what follows from how many changes came before, and what does not if one of
//! them is none of the mutex, or of another kind.

use raddle_ir::Program;
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

/// How `x` is raised by 1.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Locked,
    /// Under another mutex than the others.
    Elsewhere,
    Unlocked,
    Atomically,
    /// Under the mutex; who finds 2 takes it back to 0.
    Wrapping,
}

/// Raises `x`; what it found.
fn raise(f: &mut Body<'_>, at: Globals, how: How) -> raddle_ir::RegId {
    if how == How::Atomically {
        return f.fetch_add(at.x, 1);
    }
    let mutex = match how {
        How::Elsewhere => Some(at.n),
        How::Locked | How::Wrapping => Some(at.m),
        How::Unlocked | How::Atomically => None,
    };
    mutex.map(|m| f.lock(m));
    let found = f.read(at.x);
    let more = f.add(found, 1);
    f.store(g(at.x), reg(more), PLAIN);
    if how == How::Wrapping {
        let last = f.equal(found, 2);
        f.when(last, |f| f.write(at.x, 0));
    }
    mutex.map(|m| f.unlock(m));
    found
}

/// Two threads raise `x` twice each, the second one last as said; what that finds is not this.
fn raised(how: How, last: How, value: u128) -> Program {
    two_threads(
        ASSERTIONS,
        |f, at| {
            raise(f, at, how);
            raise(f, at, how);
        },
        |f, at| {
            raise(f, at, how);
            let found = raise(f, at, last);
            let good = f.differs(found, value);
            f.assert(good);
        },
    )
}

#[test]
fn what_is_found_is_what_was_added_before() {
    for how in [How::Locked, How::Atomically] {
        for (value, expected) in [(0, Word::Safe), (3, Word::Unsafe), (4, Word::Safe)] {
            check(&raised(how, how, value), expected);
        }
    }
}

/// Two threads raise `x` twice each, the second one last as said; in the end it is not this.
fn in_the_end(how: How, last: How, value: u128) -> Program {
    let mut b = Builder::checking(ASSERTIONS);
    let at = Globals::new(&mut b);
    let raisers = [how, last].map(|last| {
        b.thread("raiser", &[], |f| {
            raise(f, at, how);
            raise(f, at, last);
        })
    });
    let main = b.thread("main", &[], |f| {
        let threads = raisers.map(|func| f.create(func));
        for thread in threads {
            f.join(thread);
        }
        let found = f.read(at.x);
        let good = f.differs(found, value);
        f.assert(good);
    });
    b.finish(main)
}

#[test]
fn additions_get_lost_if_one_is_not_under_the_mutex() {
    check(&in_the_end(How::Locked, How::Locked, 3), Word::Safe);
    check(&in_the_end(How::Locked, How::Unlocked, 3), Word::Unsafe);
    check(&in_the_end(How::Locked, How::Elsewhere, 3), Word::Unsafe);
}

#[test]
fn who_finds_the_last_value_begins_anew() {
    for (value, expected) in [(0, Word::Unsafe), (3, Word::Safe)] {
        check(&raised(How::Wrapping, How::Wrapping, value), expected);
    }
}

/// Two threads raise `x` twice each, and the first one reads it at the end, or between other accesses.
fn looked_at(how: How, mutex: bool, value: u128) -> Program {
    two_threads(
        ASSERTIONS,
        |f, at| {
            raise(f, at, how);
            raise(f, at, how);
            if mutex {
                f.lock(at.m);
            }
            let found = match how {
                How::Atomically => f.load(g(at.x), 32, ATOMIC),
                How::Locked | How::Elsewhere | How::Unlocked | How::Wrapping => f.read(at.x),
            };
            if mutex {
                f.unlock(at.m);
            }
            let good = f.differs(found, value);
            f.assert(good);
        },
        |f, at| {
            raise(f, at, how);
            raise(f, at, how);
        },
    )
}

#[test]
fn who_only_looks_finds_a_sum_too() {
    for (value, expected) in [(1, Word::Safe), (4, Word::Unsafe), (5, Word::Safe)] {
        check(&looked_at(How::Locked, true, value), expected);
        check(&looked_at(How::Atomically, false, value), expected);
    }
}

#[test]
fn who_looks_without_the_mutex_sees_what_a_section_leaves_for_a_moment() {
    check(&looked_at(How::Wrapping, false, 3), Word::Unsafe);
    check(&looked_at(How::Wrapping, true, 3), Word::Safe);
}
