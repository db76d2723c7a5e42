//! The analyses on C programs, library models included.

mod common;

use std::path::PathBuf;

use common::Facts;
use raddle_analysis::sharing::{Role, WHOLE};
use raddle_analysis::{ClassId, Mhp, Multiplicity};
use raddle_frontend::{Options, load};
use raddle_ir::{Cfg, InstrRef, Op, Property};

fn facts(source: &str) -> Facts {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path: PathBuf = dir.path().join("test.c");
    std::fs::write(&path, source).expect("the file can be written");
    let checked = [Property::Unreach].into_iter().collect();
    let options = Options { checked, ..Options::default() };
    Facts::new(load(&[path], &options).expect("the program is valid C").program)
}

fn role(facts: &Facts, global: &str) -> Role {
    let object = facts.points_to.objects().global(facts.global(global));
    facts.sharing.role(object, WHOLE)
}

/// The accesses of a global by load and store in a function.
fn accesses(facts: &Facts, function: &str, global: &str) -> Vec<InstrRef> {
    let f = facts.func(function);
    raddle_analysis::objects::instructions_of(&facts.program, f)
        .filter(|(_, op)| {
            op.memory_use(facts.program.function(f))
                .is_some_and(|u| facts.names(f, u.addr) == [global])
        })
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn two_threads_and_a_mutex() {
    let facts = facts(
        "#include <pthread.h>
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         int x, y, limit;
         void *first(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); y = limit; return 0; }
         void *second(void *a) { pthread_mutex_lock(&m); x--; pthread_mutex_unlock(&m); return 0; }
         int main(void) {
             pthread_t p, q;
             limit = 7;
             pthread_create(&p, 0, first, 0);
             pthread_create(&q, 0, second, 0);
             return 0;
         }",
    );
    let [first, second] = ["first", "second"]
        .map(|n| facts.threads.class_of_entry(facts.func(n)).expect("it is the start of a thread"));
    for class in [ClassId::MAIN, first, second] {
        assert_eq!(facts.threads.class(class).multiplicity, Multiplicity::Once);
    }
    assert_eq!(role(&facts, "x"), Role::Shared);
    assert_eq!(role(&facts, "y"), Role::Owned(first));
    assert_eq!(role(&facts, "limit"), Role::ReadOnly);
    let m = facts.points_to.objects().global(facts.global("m"));
    assert_eq!(facts.sharing.role(m, (0, 4)), Role::Shared, "the word of the mutex");
    assert_eq!(facts.sharing.role(m, (16, 20)), Role::ReadOnly, "its kind");
    let mhp = Mhp::new(&facts.threads, &facts.locks);
    for a in accesses(&facts, "first", "x") {
        assert_eq!(facts.locks.held(a), [(facts.global("m"), 0)]);
        for b in accesses(&facts, "second", "x") {
            assert!(!mhp.parallel(a, b));
        }
    }
    for a in accesses(&facts, "first", "y") {
        assert_eq!(facts.locks.held(a), []);
    }
}

#[test]
fn mutexes_by_other_means() {
    let facts = facts(
        "#include <pthread.h>
         struct account { int id; pthread_mutex_t lock; int money; } bank[2];
         pthread_mutex_t r; pthread_cond_t c;
         int x, y, z;
         static void enter(struct account *a) { pthread_mutex_lock(&a->lock); }
         static void leave(struct account *a) { pthread_mutex_unlock(&a->lock); }
         void *thread(void *a) {
             enter(&bank[1]); x = 1; leave(&bank[1]);
             pthread_mutex_lock(&r);
             while (!y) pthread_cond_wait(&c, &r);
             y = 2;
             pthread_mutex_unlock(&r);
             if (pthread_mutex_trylock(&r) == 0) { z = 1; pthread_mutex_unlock(&r); }
             return 0;
         }
         int main(void) {
             pthread_t p;
             pthread_mutex_init(&r, 0);
             pthread_mutex_init(&bank[1].lock, 0);
             pthread_create(&p, 0, thread, 0);
             pthread_create(&p, 0, thread, 0);
             return 0;
         }",
    );
    let held = |global: &str| -> Vec<Vec<String>> {
        accesses(&facts, "thread", global)
            .into_iter()
            .filter(|&at| {
                let instr = facts.program.instr(at).expect("an access is an instruction");
                matches!(instr.op, Op::Store { .. })
            })
            .map(|at| {
                let held = facts.locks.held(at).iter();
                held.map(|m| format!("{}+{}", facts.program.global(m.0).name, m.1)).collect()
            })
            .collect()
    };
    assert_eq!(held("x"), [["bank+64"]]);
    assert_eq!(held("y"), [["r+0"]]);
    assert_eq!(held("z"), [["r+0"]]);
    let class = facts.threads.class_of_entry(facts.func("thread")).expect("a thread starts there");
    assert_eq!(facts.threads.class(class).multiplicity, Multiplicity::Many);
}

#[test]
fn heap_objects_of_different_calls() {
    let facts = facts(
        "#include <pthread.h>
         #include <stdlib.h>
         struct node { struct node *next; int value; } *list;
         int sum;
         void *thread(void *a) {
             int *own = malloc(4 * sizeof(int));
             own[1] = 5;
             struct node *n = malloc(sizeof *n);
             n->value = own[1];
             n->next = list;
             list = n;
             sum = ((int *)a)[0];
             return 0;
         }
         int main(void) {
             pthread_t p;
             int *argument = malloc(8);
             argument[0] = 3;
             pthread_create(&p, 0, thread, argument);
             pthread_create(&p, 0, thread, argument);
             return 0;
         }",
    );
    let mut roles: Vec<(String, Role)> = Vec::new();
    for object in facts.points_to.objects().ids() {
        if let raddle_analysis::Object::Alloc(at, inside) = facts.points_to.objects().get(object)
            && facts.program.function(at.func).is_model
            && let Some(&call) = facts.points_to.instance(inside).chain.last()
        {
            let line = facts.program.place(call).line;
            roles.push((format!("line {line}"), facts.sharing.role(object, WHOLE)));
        }
    }
    roles.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [("line 17", Role::ReadOnly), ("line 6", Role::Local), ("line 8", Role::Shared)];
    assert_eq!(roles, expected.map(|(l, r)| (l.to_string(), r)));
}

#[test]
fn loops_of_c() {
    let facts = facts(
        "#include <stdatomic.h>
         int flag, data[10], n; atomic_int lock;
         int main(void) {
             for (int i = 0; i < 10; i++) data[i] = i;
             for (unsigned char c = 250; c != 3; c++) n += c;
             for (int *p = data; p < data + 10; p += 2) *p = 0;
             while (!flag) ;
             for (int i = 0; i < n; i++) data[i] = 1;
             return 0;
         }",
    );
    let main = facts.func("main");
    let count = Cfg::new(facts.program.function(main)).loops.len();
    let found: Vec<_> =
        (0..count).map(|l| (facts.loops.bound(main, l), facts.loops.is_pure(main, l))).collect();
    let expected =
        [(Some(10), false), (Some(9), false), (Some(5), false), (None, true), (None, false)];
    assert_eq!(found, expected);
}
