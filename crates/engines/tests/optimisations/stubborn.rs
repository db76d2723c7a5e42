//! Which thread goes next (`stubborn`, `transactions` of circuit): programs in which a set of threads
//! that is too small would hide something.

use raddle_ir::{CmpOp, Expr, Op, Property};
use raddle_testkit::build::{Body, PLAIN, c, g, reg};

use super::{ASSERTIONS, ENGINES, Globals, Word, check, run, two_threads, variants, word};

const RACES: &[Property] = &[Property::Races];

/// `r = x; assert(r != value)`.
fn never_sees(f: &mut Body<'_>, at: Globals, value: u128) {
    let r = f.read(at.x);
    let good = f.differs(r, value);
    f.assert(good);
}

/// `lock(m); x = 1; x = 2; unlock(m)`: who respects the lock never sees 1.
fn passes_one(f: &mut Body<'_>, at: Globals) {
    f.lock(at.m);
    f.write(at.x, 1);
    f.write(at.x, 2);
    f.unlock(at.m);
}

/// A thread that runs for ever without touching what others do must not keep them from running.
#[test]
fn a_thread_that_never_ends_postpones_nobody() {
    for seen in [1, 2] {
        let first = |f: &mut Body<'_>, at: Globals| {
            let head = f.block();
            f.goto(head);
            let r = f.fetch_add(at.y, 1);
            let odd = f.equal(r, 1);
            f.when(odd, |f| f.write(at.y, 0));
            f.end(raddle_ir::Terminator::Goto(head));
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            f.write(at.x, 1);
            never_sees(f, at, seen);
        };
        let expected = if seen == 1 { Word::Unsafe } else { Word::Safe };
        // The referee does not come to an end without its memory of states.
        let program = two_threads(ASSERTIONS, first, second);
        let row = ENGINES.iter().find(|row| row.name == "circuit").expect("it is an engine");
        for given in variants(row) {
            let verdict = run(row, &program, &given).verdict;
            assert_eq!(word(&verdict), expected, "with {given:?}");
        }
    }
}

/// Who unlocks what it does not hold lets others into the section.
#[test]
fn a_mutex_that_others_unlock_protects_nothing() {
    for disturbed in [true, false] {
        let second = |f: &mut Body<'_>, at: Globals| {
            if disturbed {
                f.unlock(at.m);
            }
            f.lock(at.m);
            never_sees(f, at, 1);
            f.unlock(at.m);
        };
        let expected = if disturbed { Word::Unsafe } else { Word::Safe };
        check(&two_threads(ASSERTIONS, passes_one, second), expected);
    }
}

/// Only the first part of the other thread is behind the lock.
#[test]
fn a_transaction_ends_where_the_lock_was_passed() {
    for locked in [true, false] {
        let second = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.write(at.y, 1);
            if !locked {
                f.unlock(at.m);
            }
            never_sees(f, at, 1);
            if locked {
                f.unlock(at.m);
            }
        };
        let expected = if locked { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, passes_one, second), expected);
        check(&two_threads(RACES, passes_one, second), expected);
    }
}

/// One way to the access takes the lock and another one does not.
#[test]
fn each_way_to_an_access_counts() {
    for both in [true, false] {
        let second = |f: &mut Body<'_>, at: Globals| {
            let choice = f.choice(2);
            let (one, other) = (f.equal(choice, 0), f.equal(choice, 1));
            f.when(one, |f| {
                f.lock(at.m);
                f.unlock(at.m);
                f.lock(at.m);
            });
            f.when(other, |f| match both {
                true => f.lock(at.m),
                false => f.lock(at.n),
            });
            never_sees(f, at, 1);
        };
        let expected = if both { Word::Safe } else { Word::Unsafe };
        check(&two_threads(ASSERTIONS, passes_one, second), expected);
    }
}

/// A flag that both threads set keeps nobody out.
#[test]
fn a_flag_is_kept_by_one_thread_only() {
    for by_both in [true, false] {
        let first = |f: &mut Body<'_>, at: Globals| {
            f.write(at.x, 1);
            f.write(at.x, 2);
            f.fetch_add(at.y, 1);
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            if by_both {
                f.fetch_add(at.y, 1);
            }
            let r = f.load(g(at.y), 32, raddle_testkit::build::ATOMIC);
            let set = f.differs(r, 0);
            f.op(Op::Assume { cond: reg(set) });
            never_sees(f, at, 1);
        };
        let expected = if by_both { Word::Unsafe } else { Word::Safe };
        check(&two_threads(ASSERTIONS, first, second), expected);
    }
}

/// What a pointer leads to counts, not what it might lead to; but it may be changed by others.
#[test]
fn an_address_that_another_thread_changes_is_looked_at() {
    for changed in [true, false] {
        let first = |f: &mut Body<'_>, at: Globals| {
            let r = f.read(at.y);
            let cond = reg(f.equal(r, 1));
            let place = f.compute(Expr::Select { cond, a: g(at.x), b: g(at.n) }, 64);
            f.store(reg(place), c(5, 32), PLAIN);
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            if changed {
                f.write(at.y, 1);
            }
            let before = f.read(at.x);
            let after = f.read(at.x);
            let same = f.compare(CmpOp::Eq, reg(before), reg(after));
            f.assert(same);
        };
        let expected = if changed { Word::Unsafe } else { Word::Safe };
        check(&two_threads(ASSERTIONS, first, second), expected);
    }
}

/// An atomic section that cannot be completed is no step: others go on.
#[test]
fn a_section_that_waits_holds_up_nobody() {
    for value in [1, 2] {
        let first = |f: &mut Body<'_>, at: Globals| {
            f.op(Op::AtomicBegin);
            let head = f.block();
            let (again, done) = (f.block(), f.block());
            let rounds = f.var(0, 32);
            f.goto(head);
            let more = f.differs(rounds, 2);
            f.branch(more, again, done);
            f.at = again;
            let next = f.add(rounds, 1);
            f.assign(rounds, reg(next));
            f.end(raddle_ir::Terminator::Goto(head));
            f.at = done;
            let r = f.read(at.y);
            let cond = reg(f.equal(r, 7));
            f.op(Op::Block { cond, spurious: false });
            f.op(Op::AtomicEnd);
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            f.write(at.y, 3);
            f.write(at.x, 1);
            never_sees(f, at, value);
        };
        let expected = if value == 1 { Word::Unsafe } else { Word::Safe };
        check(&two_threads(ASSERTIONS, first, second), expected);
    }
}
