//! Critical sections (`locksets`): what they rule out, and what they do not if something is missing.

use raddle_ir::Op;
use raddle_testkit::build::{Body, PLAIN, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

/// `lock; x = value; unlock`.
fn locked_write(f: &mut Body<'_>, at: Globals, value: u128) {
    f.lock(at.m);
    f.write(at.x, value);
    f.unlock(at.m);
}

/// `lock; r = x; unlock; assert(r != value)`.
fn locked_read_is_not(f: &mut Body<'_>, at: Globals, value: u128) {
    f.lock(at.m);
    let r = f.read(at.x);
    f.unlock(at.m);
    let good = f.differs(r, value);
    f.assert(good);
}

/// A section that writes 1 and then, under a condition, 2.
fn written_twice(always: bool, reader_locks: bool) -> raddle_ir::Program {
    two_threads(
        ASSERTIONS,
        |f, at| {
            f.lock(at.m);
            let choice = f.choice(2);
            f.write(at.x, 1);
            if always {
                f.write(at.x, 2);
            } else {
                let some = f.differs(choice, 0);
                f.when(some, |f| f.write(at.x, 2));
            }
            f.unlock(at.m);
        },
        |f, at| {
            if reader_locks {
                return locked_read_is_not(f, at, 1);
            }
            let r = f.read(at.x);
            let good = f.differs(r, 1);
            f.assert(good);
        },
    )
}

#[test]
fn a_write_that_its_section_overwrites_is_seen_by_nobody_who_locks() {
    check(&written_twice(true, true), Word::Safe);
    check(&written_twice(false, true), Word::Unsafe);
    check(&written_twice(true, false), Word::Unsafe);
}

/// A section that writes 1 and reads it back while another thread does something.
fn read_back(other: impl FnOnce(&mut Body<'_>, Globals)) -> raddle_ir::Program {
    let reader = |f: &mut Body<'_>, at: Globals| {
        f.lock(at.m);
        f.write(at.x, 1);
        let r = f.read(at.x);
        f.unlock(at.m);
        let good = f.equal(r, 1);
        f.assert(good);
    };
    two_threads(ASSERTIONS, reader, other)
}

#[test]
fn a_section_reads_what_it_wrote_if_all_writers_lock() {
    check(&read_back(|f, at| locked_write(f, at, 2)), Word::Safe);
    check(&read_back(|f, at| _ = f.write(at.x, 2)), Word::Unsafe);
}

#[test]
fn another_mutex_does_not_protect() {
    let other = |f: &mut Body<'_>, at: Globals| {
        f.lock(at.n);
        f.write(at.x, 2);
        f.unlock(at.n);
    };
    check(&read_back(other), Word::Unsafe);
}

#[test]
fn a_release_by_another_thread_breaks_the_mutex() {
    let other = |f: &mut Body<'_>, at: Globals| {
        f.unlock(at.m);
        locked_write(f, at, 2);
    };
    check(&read_back(other), Word::Unsafe);
}

#[test]
fn a_store_to_the_word_breaks_the_mutex() {
    let other = |f: &mut Body<'_>, at: Globals| {
        f.store(g(at.m), c(0, 32), PLAIN);
        locked_write(f, at, 2);
    };
    check(&read_back(other), Word::Unsafe);
    // One byte of the word is enough.
    let other = |f: &mut Body<'_>, at: Globals| {
        f.store(g(at.m), c(0, 8), PLAIN);
        locked_write(f, at, 2);
    };
    check(&read_back(other), Word::Unsafe);
}

#[test]
fn two_sections_are_not_one() {
    for between in [false, true] {
        let reader = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.write(at.x, 1);
            if between {
                f.unlock(at.m);
                f.lock(at.m);
            }
            let r = f.read(at.x);
            f.unlock(at.m);
            let good = f.equal(r, 1);
            f.assert(good);
        };
        let program = two_threads(ASSERTIONS, reader, |f, at| locked_write(f, at, 2));
        check(&program, if between { Word::Unsafe } else { Word::Safe });
    }
}

/// The section ends early on one of two paths that meet again.
#[test]
fn a_mutex_released_on_one_path_is_not_held() {
    for when in [0, 1] {
        let writer = |f: &mut Body<'_>, at: Globals| {
            let choice = f.choice(2);
            let (early, late) = (f.equal(choice, when), f.differs(choice, when));
            f.lock(at.m);
            f.write(at.x, 1);
            f.when(early, |f| f.unlock(at.m));
            f.write(at.x, 2);
            f.when(late, |f| f.unlock(at.m));
        };
        check(&two_threads(ASSERTIONS, writer, |f, at| locked_read_is_not(f, at, 1)), Word::Unsafe);
    }
}

#[test]
fn a_mutex_taken_on_one_path_is_not_held() {
    for when in [0, 1] {
        let reader = |f: &mut Body<'_>, at: Globals| {
            let choice = f.choice(2);
            let locks = f.equal(choice, when);
            f.when(locks, |f| f.lock(at.m));
            f.write(at.x, 1);
            let r = f.read(at.x);
            f.when(locks, |f| f.unlock(at.m));
            let good = f.equal(r, 1);
            f.assert(good);
        };
        check(&two_threads(ASSERTIONS, reader, |f, at| locked_write(f, at, 2)), Word::Unsafe);
    }
}

/// A second read finds what the first one found.
#[test]
fn a_section_reads_the_same_twice() {
    for (writer_locks, writes_between) in [(true, false), (false, false), (true, true)] {
        let reader = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            let a = f.read(at.x);
            if writes_between {
                let choice = f.choice(2);
                let some = f.differs(choice, 0);
                f.when(some, |f| f.write(at.x, 3));
            }
            let b = f.read(at.x);
            f.unlock(at.m);
            let good = f.compare(raddle_ir::CmpOp::Eq, reg(a), reg(b));
            f.assert(good);
        };
        let writer = |f: &mut Body<'_>, at: Globals| match writer_locks {
            true => locked_write(f, at, 2),
            false => _ = f.write(at.x, 2),
        };
        let expected = if writer_locks && !writes_between { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, reader, writer), expected);
    }
}

/// Which mutex is released is only known at run time.
#[test]
fn a_release_through_a_pointer_may_be_of_any_mutex() {
    let other = |f: &mut Body<'_>, at: Globals| {
        let choice = f.choice(2);
        let cond = reg(f.equal(choice, 0));
        let value = raddle_ir::Expr::Select { cond, a: g(at.m), b: g(at.n) };
        let mutex = reg(f.compute(value, 64));
        f.op(Op::Unlock { mutex, wait: false });
        locked_write(f, at, 2);
    };
    check(&read_back(other), Word::Unsafe);
}
