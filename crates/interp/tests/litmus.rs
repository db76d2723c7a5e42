//! Exploration of small shapes whose executions can be counted by hand.

use raddle_interp::{Cut, Exploration, FindingKind, InputValues, Settings, explore, replay, walk};
use raddle_ir::{
    AllocKind, FuncId, GlobalId, InputKind, Op, Operand, Program, Property, RmwOp, Terminator,
    Unmodelled,
};
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c, g};

type Part = Box<dyn Fn(&mut Body<'_>, &[GlobalId])>;

fn part(f: impl Fn(&mut Body<'_>, &[GlobalId]) + 'static) -> Part {
    Box::new(f)
}

/// Main creates a thread for each part, joins all, then does its own part.
fn program(checked: &[Property], globals: usize, threads: &[Part], last: &Part) -> Program {
    let mut b = Builder::checking(checked);
    let names = ["x", "y", "m", "n"];
    let ids: Vec<GlobalId> = (0..globals).map(|i| b.global(names[i], 4)).collect();
    let funcs: Vec<FuncId> = threads.iter().map(|t| b.thread("t", &[], |f| t(f, &ids))).collect();
    let main = b.thread("main", &[], |f| {
        let started: Vec<_> = funcs.iter().map(|t| f.create(*t)).collect();
        for t in started {
            f.join(t);
        }
        last(f, &ids);
    });
    b.finish(main)
}

fn full() -> Settings {
    Settings { reduction: false, ..reduced() }
}

fn reduced() -> Settings {
    Settings { states: false, ..remembering() }
}

fn remembering() -> Settings {
    Settings { collect_final_states: true, ..Settings::default() }
}

/// Explores in all ways, compares, returns the result with reduction.
fn both(program: &Program) -> Exploration {
    let keys = |e: &Exploration| {
        let mut keys: Vec<_> = e.findings.iter().map(|t| t.key().clone()).collect();
        keys.sort();
        keys
    };
    let f = explore(program, &full());
    let every_state = Settings { reduction: false, ..remembering() };
    let short = Settings { transactions: false, ..remembering() };
    for settings in [reduced(), short, remembering(), every_state] {
        let r = explore(program, &settings);
        assert_eq!(r.cuts, f.cuts);
        assert_eq!(r.final_states, f.final_states);
        assert_eq!(keys(&r), keys(&f));
        assert!(r.executions <= f.executions);
        for trace in r.findings.iter().chain(&f.findings) {
            assert_eq!(replay(program, trace.choices()).as_ref(), Ok(trace));
        }
    }
    let alike = explore(program, &Settings::default());
    assert_eq!((&alike.cuts, keys(&alike)), (&f.cuts, keys(&f)), "threads that are alike");
    explore(program, &reduced())
}

fn nothing() -> Part {
    part(|_, _| {})
}

fn store(i: usize, v: u128) -> Part {
    part(move |f, g| {
        f.write(g[i], v);
    })
}

fn load(i: usize) -> Part {
    part(move |f, g| {
        f.read(g[i]);
    })
}

fn then(a: Part, b: Part) -> Part {
    part(move |f, g| {
        a(f, g);
        b(f, g);
    })
}

fn increment(i: usize) -> Part {
    part(move |f, ids| {
        let r = f.read(ids[i]);
        let r = f.add(r, 1);
        f.store(g(ids[i]), Operand::Reg(r), PLAIN);
    })
}

fn locked(m: usize, inner: Part) -> Part {
    part(move |f, g| {
        f.lock(g[m]);
        inner(f, g);
        f.unlock(g[m]);
    })
}

fn atomic(inner: Part) -> Part {
    part(move |f, g| {
        f.op(Op::AtomicBegin);
        inner(f, g);
        f.op(Op::AtomicEnd);
    })
}

/// Waits until a global has a value.
fn until(i: usize, v: u128) -> Part {
    atomic(part(move |f, g| {
        let r = f.read(g[i]);
        let is = f.equal(r, v);
        f.op(Op::Block { cond: Operand::Reg(is), spurious: false });
    }))
}

#[test]
fn numbers_of_executions() {
    let check = |threads: Vec<Part>, expected: u64| {
        let found = both(&program(&[], 2, &threads, &nothing()));
        assert_eq!(found.executions, expected);
        assert!(found.complete());
    };
    check(vec![store(0, 1), store(1, 1)], 1);
    check(vec![store(0, 1), store(0, 2)], 2);
    check(vec![store(0, 1), store(0, 2), store(0, 3)], 6);
    check(vec![store(0, 1), load(0), load(0)], 4);
    check(vec![load(0), load(0), load(0)], 1);
    // Store buffering, message passing, load buffering.
    check(vec![then(store(0, 1), load(1)), then(store(1, 1), load(0))], 3);
    check(vec![then(store(0, 1), store(1, 1)), then(load(1), load(0))], 3);
    check(vec![then(load(0), store(1, 1)), then(load(1), store(0, 1))], 3);
    // Lost update; under a lock; in an atomic section.
    check(vec![increment(0), increment(0)], 4);
    check(vec![locked(1, increment(0)), locked(1, increment(0))], 2);
    check(vec![atomic(increment(0)), atomic(increment(0)), atomic(increment(0))], 6);
    check(vec![until(0, 1), store(0, 1)], 1);
    check(vec![until(0, 1), store(0, 1), store(0, 2)], 3);
}

#[test]
fn final_states_of_increments() {
    let check = |threads: Vec<Part>, states: usize| {
        let found = both(&program(&[], 2, &threads, &nothing()));
        assert_eq!(found.final_states.len(), states);
    };
    check(vec![increment(0), increment(0)], 2);
    check(vec![increment(0), increment(0), increment(0)], 3);
    check(vec![locked(1, increment(0)), locked(1, increment(0))], 1);
    check(vec![atomic(increment(0)), increment(0)], 2);
}

fn expect(i: usize, v: u128) -> Part {
    part(move |f, g| {
        let r = f.read(g[i]);
        let is = f.equal(r, v);
        f.assert(is);
    })
}

#[test]
fn findings() {
    let check = |threads: Vec<Part>, last: Part, properties: &[(Property, usize)]| {
        let all = [Property::Assertions, Property::Races, Property::Deadlocks, Property::Memory];
        let found = both(&program(&all, 4, &threads, &last));
        for p in all {
            let wanted = properties.iter().find(|(q, _)| *q == p).map_or(0, |(_, n)| *n);
            let count = found.findings.iter().filter(|t| t.finding().property == p).count();
            assert_eq!(count, wanted, "{p}");
        }
    };
    use Property::{Assertions, Deadlocks, Races};
    // A lost update, and three racing pairs of lines: load-store, store-load, store-store.
    check(vec![increment(0), increment(0)], expect(0, 2), &[(Assertions, 1), (Races, 3)]);
    check(vec![locked(2, increment(0)), locked(2, increment(0))], expect(0, 2), &[]);
    check(vec![locked(2, increment(0)), locked(3, increment(0))], nothing(), &[(Races, 3)]);
    // Atomic sections race with plain accesses only.
    check(vec![atomic(increment(0)), atomic(increment(0))], expect(0, 2), &[]);
    check(vec![atomic(increment(0)), load(0)], nothing(), &[(Races, 1)]);
    // A race that exists only after another thread's flag.
    let flagged = part(|f, g| {
        let r = f.load(raddle_testkit::build::g(g[1]), 32, ATOMIC);
        let set = f.differs(r, 0);
        let (yes, no) = (f.block(), f.block());
        f.branch(set, yes, no);
        f.at = yes;
        f.write(g[0], 1);
        f.end(Terminator::Goto(no));
        f.at = no;
    });
    let raise = part(|f, g| {
        f.store(raddle_testkit::build::g(g[1]), c(1, 32), ATOMIC);
        f.write(g[0], 2);
    });
    check(vec![flagged, raise], nothing(), &[(Races, 1)]);
    // Deadlocks: lock order, self, a wait for nobody. Main waits in its join in the latter two.
    let order = |a, b| locked(a, locked(b, nothing()));
    check(vec![order(2, 3), order(3, 2)], nothing(), &[(Deadlocks, 1)]);
    check(vec![order(2, 3), order(2, 3)], nothing(), &[]);
    check(vec![order(2, 2)], nothing(), &[(Deadlocks, 1)]);
    check(vec![until(0, 1)], nothing(), &[(Deadlocks, 1)]);
    check(vec![until(0, 1), atomic(store(0, 1))], nothing(), &[]);
    // Two threads about to fail do not hide each other.
    let fail = |i: usize| then(store(i, 1), expect(i, 0));
    check(vec![fail(0), fail(1)], nothing(), &[(Assertions, 2)]);
}

/// `while (x == v);`, then the next part.
fn spin(i: usize, v: u128, next: Part) -> Part {
    part(move |f, g| {
        let (head, out) = (f.block(), f.block());
        f.goto(head);
        let r = f.load(raddle_testkit::build::g(g[i]), 32, ATOMIC);
        let still = f.equal(r, v);
        f.branch(still, head, out);
        f.at = out;
        next(f, g);
    })
}

#[test]
fn spinning() {
    let all = [Property::Assertions, Property::Deadlocks];
    let set = part(|f, g| {
        f.write(g[1], 5);
        f.store(raddle_testkit::build::g(g[0]), c(1, 32), ATOMIC);
    });
    // Found without any bound on the loop; after the flag, the data is there.
    let found = both(&program(&all, 2, &[spin(0, 0, expect(1, 5)), set], &nothing()));
    assert!(found.complete() && found.findings.is_empty(), "{:?}", found.findings);
    // Nobody sets the flag: a deadlock of the spinning thread and main.
    let found = both(&program(&all, 2, &[spin(0, 0, nothing())], &nothing()));
    assert_eq!(found.findings.len(), 1);
    assert!(matches!(found.findings[0].finding().kind, FindingKind::Deadlock { local: false, .. }));
    // A spin lock by exchange.
    let spin_lock = || {
        part(|f, ids| {
            let (head, out) = (f.block(), f.block());
            f.goto(head);
            let old = f.reg(32);
            let (addr, value) = (g(ids[1]), c(1, 32));
            let op = RmwOp::Exchange;
            f.op(Op::Rmw { dst: old, op, addr, value, width: 32, access: ATOMIC });
            let taken = f.equal(old, 1);
            f.branch(taken, head, out);
            f.at = out;
            increment(0)(f, ids);
            f.store(g(ids[1]), c(0, 32), ATOMIC);
        })
    };
    let found = both(&program(&all, 2, &[spin_lock(), spin_lock()], &expect(0, 2)));
    assert!(found.complete() && found.findings.is_empty(), "{:?}", found.findings);
}

#[test]
fn loops_inputs_and_what_is_not_modelled_are_reported() {
    let count = |bound: u128| {
        part(move |f, ids| {
            let i = f.var(0, 32);
            let (head, out) = (f.block(), f.block());
            f.goto(head);
            let next = f.add(i, 1);
            f.op(Op::Assign { dst: i, value: raddle_ir::Expr::Use(Operand::Reg(next)) });
            let more = f.differs(i, bound);
            f.branch(more, head, out);
            f.at = out;
            f.write(ids[0], 1);
        })
    };
    let p = program(&[], 1, &[count(10)], &nothing());
    assert!(explore(&p, &Settings::default()).complete());
    let cut = explore(&p, &Settings { unwind: Some(5), ..Settings::default() });
    assert!(matches!(cut.cuts[..], [Cut::Unwind { bound: 5, .. }]));
    let input = |kind: InputKind, bad: u128| {
        let ask = part(move |f, _| {
            let r = f.reg(32);
            f.op(Op::Input { dst: r, kind, name: "n".into() });
            let ok = f.differs(r, bad);
            f.assert(ok);
        });
        program(&[Property::Assertions], 1, &[ask], &nothing())
    };
    // The constant in the comparison is tried, a choice is enumerated.
    let found = explore(&input(InputKind::External, 1234), &Settings::default());
    assert_eq!(found.findings.len(), 1);
    assert!(matches!(found.cuts[..], [Cut::Inputs { .. }]));
    let none = Settings { inputs: InputValues::These(vec![1, 2]), ..Settings::default() };
    assert!(explore(&input(InputKind::External, 1234), &none).findings.is_empty());
    let found = both(&input(InputKind::Choice(3), 2));
    assert!(found.complete() && found.findings.len() == 1);
    // An input that nobody looks at has one value.
    let ignored = part(|f, _| {
        let r = f.reg(32);
        f.op(Op::Input { dst: r, kind: InputKind::External, name: "n".into() });
    });
    let found = both(&program(&[], 1, &[ignored], &nothing()));
    assert!(found.complete() && found.executions == 1);
    let odd = part(|f, _| {
        f.op(Op::Unsupported { what: "longjmp".into() });
    });
    let found = explore(&program(&[], 1, &[odd], &nothing()), &Settings::default());
    assert!(
        matches!(&found.cuts[..], [Cut::Unsupported { what: Unmodelled::Construct(what), .. }] if what == "longjmp")
    );
}

/// Heap objects: use after free by another thread, leaks that depend on the order, private objects.
#[test]
fn heap() {
    let checked = [Property::Memory, Property::Leaks];
    let malloc = |f: &mut Body<'_>| {
        let dst = f.reg(64);
        f.op(Op::Alloc {
            dst,
            size: c(4, 64),
            align: 4,
            kind: AllocKind::Heap,
            zeroed: true,
            name: String::new(),
            ctype: None,
        });
        dst
    };
    let build = |body: &dyn Fn(&mut Builder, GlobalId) -> FuncId| {
        let mut b = Builder::checking(&checked);
        let p = b.global("p", 8);
        let main = body(&mut b, p);
        b.finish(main)
    };
    // The thread writes through p while main frees it: depends on the order.
    let program = build(&|b, p| {
        let t = b.thread("t", &[], |f| {
            let r = f.load(g(p), 64, PLAIN);
            f.store(Operand::Reg(r), c(1, 32), PLAIN);
        });
        b.thread("main", &[], |f| {
            let r = malloc(f);
            f.store(g(p), Operand::Reg(r), PLAIN);
            f.create(t);
            f.op(Op::Free { addr: Operand::Reg(r) });
        })
    });
    let found = both(&program);
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    // Main may exit between the thread's allocation and its free.
    let program = build(&|b, _| {
        let t = b.thread("t", &[], |f| {
            let r = malloc(f);
            f.op(Op::Free { addr: Operand::Reg(r) });
        });
        b.thread("main", &[], |f| {
            f.create(t);
        })
    });
    let found = both(&program);
    assert_eq!(found.findings.len(), 1);
    assert!(matches!(found.findings[0].finding().kind, FindingKind::Leak { .. }));
    // Private objects do not interleave.
    let mut b = Builder::checking(&[]);
    let t = b.thread("t", &[], |f| {
        let r = malloc(f);
        f.store(Operand::Reg(r), c(1, 32), PLAIN);
        f.store(Operand::Reg(r), c(2, 32), PLAIN);
    });
    let main = b.thread("main", &[], |f| {
        for _ in 0..4 {
            f.create(t);
        }
    });
    assert_eq!(explore(&b.finish(main), &full()).executions, 1);
}

/// A condition variable: the waiter may wake spuriously, but if it does not, and nobody signals, it
/// waits for ever.
#[test]
fn spurious_wakeups() {
    let wait = |spurious: bool| {
        then(
            atomic(part(move |f, g| {
                let r = f.read(g[0]);
                let is = f.equal(r, 1);
                f.op(Op::Block { cond: Operand::Reg(is), spurious });
            })),
            expect(0, 1),
        )
    };
    let all = [Property::Assertions, Property::Deadlocks];
    let count = |p: Property, e: &Exploration| {
        e.findings.iter().filter(|t| t.finding().property == p).count()
    };
    let found = both(&program(&all, 2, &[wait(true), store(1, 1)], &nothing()));
    assert_eq!(count(Property::Assertions, &found), 1);
    assert_eq!(count(Property::Deadlocks, &found), 1);
    let found = both(&program(&all, 2, &[wait(true), store(0, 1)], &nothing()));
    assert_eq!(count(Property::Assertions, &found), 1);
    assert_eq!(count(Property::Deadlocks, &found), 0);
    let found = both(&program(&all, 2, &[wait(false), store(0, 1)], &nothing()));
    assert!(found.findings.is_empty());
}

/// Two threads that add under a lock, 19 times each: C(38, 19) orders of the sections. Nobody needs
/// to be looked at inside a section of the other: 20·20 states between sections, three inside
/// each section with the other thread at any of its 20 places, and a few at start and end.
#[test]
fn many_interleavings_of_few_states() {
    let sections = || part(|f, g| (0..19).for_each(|_| locked(1, increment(0))(f, g)));
    let last = part(|f, g| {
        let sum = f.read(g[0]);
        let right = f.equal(sum, 38);
        f.assert(right);
    });
    let checked = [Property::Assertions, Property::Races, Property::Deadlocks];
    let between = 20 * 20;
    let inside = 2 * 19 * 20 * 3;
    for (transactions, fewest) in [(false, between + inside), (true, between)] {
        let settings = Settings { transactions, ..remembering() };
        let found = explore(&program(&checked, 2, &[sections(), sections()], &last), &settings);
        assert!(found.complete() && found.findings.is_empty());
        assert_eq!(found.final_states.len(), 1);
        assert!((fewest..fewest + 50).contains(&found.states), "{} states", found.states);
    }
}

/// Sections that seem to be protected, and are not.
#[test]
fn what_disturbs_sections_is_seen() {
    const ALL: &[Property] =
        &[Property::Assertions, Property::Races, Property::Deadlocks, Property::Memory];
    let found = |threads: &[Part]| {
        let e = both(&program(ALL, 4, threads, &nothing()));
        let count = |p: Property| e.findings.iter().filter(|t| t.finding().property == p).count();
        (count(Property::Assertions), count(Property::Races), count(Property::Deadlocks))
    };
    let (x, y, m, n) = (0, 1, 2, 3);
    let plain = || locked(m, then(store(x, 1), then(store(x, 0), expect(x, 0))));
    assert_eq!(found(&[plain(), plain()]), (0, 0, 0));
    // Somebody without the lock sees what the section hides, or disturbs it.
    assert_eq!(found(&[plain(), expect(x, 0)]).0, 1);
    assert_eq!(found(&[plain(), store(x, 2)]).0, 1);
    // So does somebody with another lock.
    assert_eq!(found(&[plain(), locked(n, store(x, 2))]).0, 1);
    // A mutex that is released by somebody else protects nothing.
    let release = part(|f, g| {
        f.unlock(g[2]);
    });
    assert_eq!(found(&[plain(), plain(), release]).0, 2);
    // Whether a mutex is free is seen by who tries.
    let attempt = || {
        part(|f, ids| {
            let got = f.reg(32);
            f.op(Op::TryLock { dst: got, mutex: g(ids[2]) });
            let got = f.equal(got, 1);
            f.assert(got);
        })
    };
    assert_eq!(found(&[plain(), attempt()]).0, 1);
    // Two locks in two orders, alone and with data.
    let nested = |a: usize, b: usize| locked(a, locked(b, increment(x)));
    assert_eq!(found(&[nested(m, n), nested(m, n)]), (0, 0, 0));
    assert_eq!(found(&[nested(m, n), nested(n, m)]).2, 1);
    // Between two inner sections others can act.
    let twice = || locked(m, then(locked(n, store(x, 1)), locked(n, expect(x, 1))));
    assert_eq!(found(&[twice(), locked(n, store(x, 2))]), (1, 0, 0));
    // What is done behind a release can be seen before what is released.
    let handed = then(locked(m, store(x, 1)), store(y, 1));
    let seen = locked(m, load(x));
    assert!(found(&[handed, then(seen, expect(y, 0))]).1 > 0);
}

/// What walks find is what there is: all of it in a small program, nothing where there is nothing.
#[test]
fn walks_find_what_exploration_finds() {
    let all = [Property::Assertions, Property::Races, Property::Deadlocks];
    let racy = || program(&all, 3, &[increment(0), locked(2, increment(0))], &nothing());
    let shapes = [
        racy(),
        program(&all, 3, &[locked(2, increment(0)), locked(2, increment(0))], &nothing()),
        program(
            &all,
            4,
            &[locked(2, locked(3, increment(0))), locked(3, locked(2, increment(0)))],
            &nothing(),
        ),
    ];
    for program in shapes {
        let settings = Settings { max_executions: Some(500), ..Settings::default() };
        let keys = |traces: Vec<raddle_interp::ConfirmedTrace>| {
            let mut keys: Vec<_> = traces.iter().map(|t| t.key().clone()).collect();
            keys.sort();
            keys
        };
        let walked = walk(&program, &settings, 1);
        for trace in &walked {
            assert_eq!(replay(&program, trace.choices()).as_ref(), Ok(trace));
        }
        assert_eq!(keys(walked), keys(explore(&program, &Settings::default()).findings));
    }
}
