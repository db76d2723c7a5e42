//! Reads on whose values nothing depends (`idle`), and reads that look so but matter.

use raddle_ir::{CmpOp, Expr, Property};
use raddle_testkit::build::{Body, PLAIN, c, g, reg};

use super::{ASSERTIONS, Globals, Word, check, two_threads};

const RACES: &[Property] = &[Property::Races];
const DEADLOCKS: &[Property] = &[Property::Deadlocks];

/// `to = from + 1`, as two steps.
fn pass_on(f: &mut Body<'_>, from: raddle_ir::GlobalId, to: raddle_ir::GlobalId) {
    let r = f.read(from);
    let more = f.add(r, 1);
    f.store(g(to), reg(more), PLAIN);
}

/// A value that goes from hand to hand matters if somebody asserts something about it in the end.
#[test]
fn what_is_passed_on_matters_if_it_is_looked_at() {
    for looked_at in [None, Some(2), Some(7)] {
        let first = |f: &mut Body<'_>, at: Globals| {
            pass_on(f, at.x, at.y);
            pass_on(f, at.y, at.x);
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            pass_on(f, at.y, at.x);
            if let Some(value) = looked_at {
                let r = f.read(at.x);
                let other = f.differs(r, value);
                f.assert(other);
            }
        };
        let expected = if looked_at == Some(2) { Word::Unsafe } else { Word::Safe };
        check(&two_threads(ASSERTIONS, first, second), expected);
        check(&two_threads(RACES, first, second), Word::Unsafe);
    }
}

/// The value decides where another access goes.
#[test]
fn what_decides_on_an_address_matters() {
    for (value, expected) in [(0, Word::Safe), (1, Word::Unsafe)] {
        let first = |f: &mut Body<'_>, at: Globals| _ = f.write(at.y, value);
        let second = |f: &mut Body<'_>, at: Globals| {
            let r = f.read(at.y);
            let cond = reg(f.equal(r, 1));
            let place = f.compute(Expr::Select { cond, a: g(at.x), b: g(at.n) }, 64);
            f.store(reg(place), c(5, 32), PLAIN);
            let r = f.read(at.x);
            let unseen = f.equal(r, 0);
            f.assert(unseen);
        };
        check(&two_threads(ASSERTIONS, first, second), expected);
    }
}

/// The value decides whether a thread waits for a mutex that nobody releases.
#[test]
fn what_decides_on_the_way_matters() {
    for (value, expected) in [(0, Word::Safe), (1, Word::Unsafe)] {
        let first = |f: &mut Body<'_>, at: Globals| {
            f.lock(at.m);
            f.write(at.y, value);
        };
        let second = |f: &mut Body<'_>, at: Globals| {
            let r = f.read(at.y);
            let set = f.equal(r, 1);
            f.when(set, |f| f.lock(at.m));
        };
        check(&two_threads(DEADLOCKS, first, second), expected);
    }
}

/// Of two inputs only one is compared; the other one is stored where nobody looks.
#[test]
fn inputs_are_given_to_those_who_ask() {
    let first = |f: &mut Body<'_>, at: Globals| {
        let r = f.read(at.y);
        let asks = f.equal(r, 1);
        f.when(asks, |f| {
            let lost = f.choice(4);
            f.store(g(at.n), reg(lost), PLAIN);
        });
        let kept = f.choice(4);
        f.store(g(at.x), reg(kept), PLAIN);
        let again = f.read(at.x);
        let same = f.compare(CmpOp::Eq, reg(kept), reg(again));
        f.assert(same);
        let other = f.differs(kept, 3);
        f.assert(other);
    };
    let second = |f: &mut Body<'_>, at: Globals| {
        f.write(at.y, 1);
        pass_on(f, at.n, at.n);
    };
    check(&two_threads(ASSERTIONS, first, second), Word::Unsafe);
}
