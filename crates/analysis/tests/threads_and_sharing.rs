//! Which threads there are and what they share.

mod common;

use common::*;
use raddle_analysis::sharing::{Role, WHOLE};
use raddle_analysis::{ClassId, Mhp, Multiplicity};
use raddle_ir::{AllocKind, GlobalId, InputKind, Op, Operand};

fn role(facts: &Facts, g: GlobalId) -> Role {
    facts.sharing.role(facts.points_to.objects().global(g), WHOLE)
}

fn choose(dst: raddle_ir::RegId) -> Op {
    Op::Input { dst, kind: InputKind::External, name: String::new() }
}

#[test]
fn multiplicity() {
    use Multiplicity::{Many, Once};
    let check = |main: Vec<(Vec<Op>, raddle_ir::Terminator)>, expected: Multiplicity| {
        let mut b = Build::new();
        b.func("main", 0, main);
        b.func("worker", 0, vec![(vec![], ret())]);
        b.func("start", 0, vec![(vec![create(code(1), &[])], ret())]);
        let facts = b.facts();
        let class = facts.threads.class_of_entry(facts.func("worker")).unwrap();
        assert_eq!(facts.threads.class(class).multiplicity, expected);
    };
    let one = || create(code(1), &[]);
    let start = || call(None, code(2), &[]);
    check(vec![(vec![one()], ret())], Once);
    check(vec![(vec![one(), one()], ret())], Many);
    check(vec![(vec![choose(b(0)), one()], branch(b(0), 0, 1)), (vec![], ret())], Many);
    check(vec![(vec![start()], ret())], Once);
    check(vec![(vec![start(), start()], ret())], Many);
    check(vec![(vec![choose(b(0)), start()], branch(b(0), 0, 1)), (vec![], ret())], Many);
}

#[test]
fn a_thread_that_creates_its_own_kind_is_many() {
    let mut b = Build::new();
    b.func("main", 0, vec![(vec![create(code(1), &[])], ret())]);
    b.func("worker", 0, vec![(vec![create(code(1), &[])], ret())]);
    let facts = b.facts();
    let class = facts.threads.class_of_entry(facts.func("worker")).unwrap();
    assert_eq!(facts.threads.class(class).multiplicity, Multiplicity::Many);
}

#[test]
fn roles_of_globals() {
    let mut b = Build::new();
    let names = ["before", "main", "worker", "both", "read", "handed"];
    let g: Vec<GlobalId> = names.iter().map(|n| b.global(n, 8)).collect();
    let put = |i: usize| store(addr(g[i]), num(1));
    let get = |i: usize| load(r(1), addr(g[i]));
    let main = vec![put(0), put(4), put(5), create(code(1), &[]), put(1), put(3), get(4)];
    b.func("main", 0, vec![(main, ret())]);
    b.func("worker", 0, vec![(vec![put(2), get(3), get(4), put(5), get(5)], ret())]);
    let facts = b.facts();
    let worker = facts.threads.class_of_entry(facts.func("worker")).unwrap();
    let expected = [
        Role::Local,
        Role::Owned(ClassId::MAIN),
        Role::Owned(worker),
        Role::Shared,
        Role::ReadOnly,
        Role::Owned(worker),
    ];
    let found: Vec<Role> = g.iter().map(|&g| role(&facts, g)).collect();
    assert_eq!(found, expected);
}

#[test]
fn bytes_have_roles_of_their_own() {
    let mut b = Build::new();
    let s = b.global("s", 16);
    let high = Operand::Global(s, 8);
    let main = vec![store(high, num(7)), create(code(1), &[]), store(addr(s), num(1))];
    b.func("main", 0, vec![(main, ret())]);
    b.func("worker", 0, vec![(vec![load(r(1), addr(s)), load(r(2), high)], ret())]);
    let facts = b.facts();
    let object = facts.points_to.objects().global(s);
    assert_eq!(facts.sharing.role(object, (0, 8)), Role::Shared);
    assert_eq!(facts.sharing.role(object, (8, 16)), Role::ReadOnly);
    assert_eq!(facts.sharing.role(object, (4, 12)), Role::Shared);
    assert!(facts.sharing.is_read_only_after_start(object, (8, 16)));
    assert!(!facts.sharing.is_never_written(object, (8, 16)));
}

/// The role of the object that a worker (created twice) allocates and hands to `escape`.
fn role_of_alloc(escape: impl Fn(GlobalId) -> Vec<Op>, main_reads: bool) -> Role {
    let mut b = Build::new();
    let shared = b.global("shared", 8);
    let mut main = vec![create(code(1), &[num(0)]), create(code(1), &[num(0)])];
    if main_reads {
        main.extend([load(r(1), addr(shared)), load(r(2), reg(r(1)))]);
    }
    b.func("main", 0, vec![(main, ret())]);
    let mut ops = vec![alloc(r(1), "own", AllocKind::Heap), store(reg(r(1)), num(1))];
    ops.extend(escape(shared));
    b.func("worker", 1, vec![(ops, ret())]);
    let facts = b.facts();
    let object = facts.points_to.objects().allocs(at(facts.func("worker"), 0, 0))[0];
    facts.sharing.role(object, WHOLE)
}

#[test]
fn escape() {
    assert_eq!(role_of_alloc(|_| vec![], true), Role::Local);
    assert_eq!(role_of_alloc(|g| vec![store(addr(g), reg(r(1)))], true), Role::Shared);
    assert_eq!(role_of_alloc(|_| vec![create(code(1), &[reg(r(1))])], false), Role::Shared);
    let through_another = |g| {
        vec![
            alloc(r(2), "box", AllocKind::Heap),
            store(reg(r(2)), reg(r(1))),
            store(addr(g), reg(r(2))),
            load(r(3), addr(g)),
            load(r(4), reg(r(3))),
        ]
    };
    assert_eq!(role_of_alloc(through_another, false), Role::Shared);
}

#[test]
fn phases() {
    let mut b = Build::new();
    let x = b.global("x", 8);
    let put = || store(addr(x), num(1));
    let main = vec![
        call(None, code(1), &[]),
        put(),
        create(code(2), &[]),
        put(),
        call(None, code(1), &[]),
    ];
    b.func("main", 0, vec![(main, ret())]);
    b.func("helper", 0, vec![(vec![put()], ret())]);
    b.func("first", 0, vec![(vec![create(code(3), &[])], ret())]);
    b.func("second", 0, vec![(vec![put()], ret())]);
    let facts = b.facts();
    let main = facts.func("main");
    let early: Vec<bool> =
        (0..5).map(|i| facts.threads.before_first_creation(at(main, 0, i))).collect();
    assert_eq!(early, [true, true, true, false, false]);
    // Called before and after.
    assert!(!facts.threads.before_first_creation(at(facts.func("helper"), 0, 0)));
    let mhp = Mhp::new(&facts.threads, &facts.locks);
    let second = at(facts.func("second"), 0, 0);
    let parallel: Vec<bool> = (0..5).map(|i| mhp.parallel(at(main, 0, i), second)).collect();
    assert_eq!(parallel, [false, false, false, true, true]);
    assert!(!mhp.parallel(second, second));
}

#[test]
fn main_before_the_second_of_two_creations() {
    let mut b = Build::new();
    let x = b.global("x", 8);
    let put = || store(addr(x), num(1));
    b.func("main", 0, vec![(vec![create(code(1), &[]), put(), create(code(2), &[])], ret())]);
    b.func("first", 0, vec![(vec![put()], ret())]);
    b.func("second", 0, vec![(vec![put()], ret())]);
    let facts = b.facts();
    let mhp = Mhp::new(&facts.threads, &facts.locks);
    let [main, first, second] = ["main", "first", "second"].map(|n| facts.func(n));
    assert!(mhp.parallel(at(main, 0, 1), at(first, 0, 0)));
    assert!(!mhp.parallel(at(main, 0, 1), at(second, 0, 0)));
    assert!(mhp.parallel(at(first, 0, 0), at(second, 0, 0)));
}
