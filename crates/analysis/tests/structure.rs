//! Race freedom by structure: what it must not say, and what it should.
//!
//! Programs with a race are called free of them never: small ones, one for each way to go wrong;
//! all of `tests/programs` and `tests/any_number` with an expected race; and generated ones, of
//! which the interpreter runs all interleavings. Length: one case for each way to go wrong.

use std::path::{Path, PathBuf};

use raddle_analysis::{Facts, Structure};
use raddle_frontend::{Options, load};
use raddle_interp::explore::{Settings, explore};
use raddle_ir::{Program, Property, PropertySet};
use raddle_testgen::generate;

fn races() -> PropertySet {
    [Property::Races].into_iter().collect()
}

fn of(program: &Program) -> Structure {
    Structure::new(program, &Facts::new(program))
}

fn of_c(source: &str) -> (Structure, String) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path: PathBuf = dir.path().join("test.c");
    let head = "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nint __VERIFIER_nondet_int(void);\n";
    std::fs::write(&path, format!("{head}{source}")).expect("the file can be written");
    let options = Options { checked: races(), ..Options::default() };
    let program = load(&[path], &options).expect("the program is valid C").program;
    let found = of(&program);
    let lines = match &found {
        Structure::Open(pairs) => pairs
            .iter()
            .map(|pair| pair.map(|at| program.show_place(program.place(at))).join(" | "))
            .collect(),
        Structure::NoRace { .. } | Structure::NoOpinion => Vec::new(),
    };
    (found, lines.join("\n"))
}

fn is_proved(source: &str) {
    let (found, lines) = of_c(source);
    assert!(matches!(found, Structure::NoRace { .. }), "{found:?}\n{lines}\n{source}");
}

fn is_not_proved(source: &str) {
    let (found, _) = of_c(source);
    assert!(!matches!(found, Structure::NoRace { .. }), "{found:?}\n{source}");
}

/// Any number of threads that run `thread`, created in a loop and never joined.
fn many(globals_and_thread: &str) -> String {
    format!(
        "{globals_and_thread}
         int main(void) {{
             int n = __VERIFIER_nondet_int();
             for (int i = 0; i < n; i++) {{ pthread_t t; pthread_create(&t, 0, thread, 0); }}
             return 0;
         }}"
    )
}

const LOCKED: &str =
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER; int x, y; ";

#[test]
fn threads_that_share_nothing() {
    is_proved(&many(
        "void *thread(void *a) { int own[10]; for (int i = 0; i < 10; i++) own[i] = i; return 0; }",
    ));
    is_proved(&many("_Thread_local int x; void *thread(void *a) { x++; return 0; }"));
    is_proved(&many(
        "_Thread_local int *p; void *thread(void *a) { p = malloc(40); p[__VERIFIER_nondet_int()] = 1; free(p); return 0; }",
    ));
    is_proved(&many("int x; void *thread(void *a) { __sync_fetch_and_add(&x, 1); return 0; }"));
    is_proved(&many("int x = 3; void *thread(void *a) { return (void *)(long)x; }"));
    is_proved(&many(
        "int x; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
         void *thread(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }",
    ));
}

#[test]
fn memory_that_escapes() {
    is_not_proved(&many("int *p; void *thread(void *a) { int own; p = &own; *p = 1; return 0; }"));
    is_not_proved(&many(
        "int **q; _Thread_local int *p;
         void *thread(void *a) { int own = 0; p = &own; q = &p; **q = 1; return 0; }",
    ));
    is_not_proved(&many(
        "void *box[1]; void *thread(void *a) { int *h = malloc(4); memcpy(box, &h, sizeof h); *h = 1;
         void *o; memcpy(&o, box, sizeof o); *(int *)o = 2; return 0; }",
    ));
    is_not_proved(&many(
        "unsigned long box; void *thread(void *a) { int *h = malloc(4); box = (unsigned long)h ^ 5; *(int *)(box ^ 5) = 2; return 0; }",
    ));
    is_not_proved(&many(
        "union { void *p; unsigned long u; } box;
         void *thread(void *a) { int *h = malloc(4); box.p = h; *(int *)box.u = 2; return 0; }",
    ));
    is_not_proved(
        "void *thread(void *a) { *(int *)a = 1; return 0; }
         int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, thread, &x); x = 2; return 0; }",
    );
    is_not_proved(
        "void *inner(void *a) { *(int *)a = 1; return 0; }
         void *thread(void *a) { int x; pthread_t t; pthread_create(&t, 0, inner, &x); x = 2; pthread_join(t, 0); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); return 0; }",
    );
    is_not_proved(
        "void *inner(void *a) { *(int *)a = 1; return 0; }
         void deep(int n, int *up) { int x = 0; pthread_t t;
             if (n > 0) { deep(n - 1, &x); x = 1; } else pthread_create(&t, 0, inner, up); }
         int main(void) { deep(2, 0); return 0; }",
    );
    is_not_proved(
        "#include <stdarg.h>
         int x; void set(int n, ...) { va_list l; va_start(l, n); *va_arg(l, int *) = n; va_end(l); }
         void *thread(void *a) { set(1, &x); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); set(2, &x); return 0; }",
    );
    is_not_proved(
        "int x; void last(void) { x = 1; } void *thread(void *a) { x = 2; return 0; }
         int main(void) { atexit(last); pthread_t t; pthread_create(&t, 0, thread, 0); return 0; }",
    );
    is_not_proved(
        "pthread_key_t key; int x; void ends(void *a) { x++; }
         void *thread(void *a) { pthread_setspecific(key, &x); return 0; }
         int main(void) { pthread_key_create(&key, ends);
             for (int i = 0; i < 2; i++) { pthread_t t; pthread_create(&t, 0, thread, 0); } return 0; }",
    );
}

#[test]
fn mutexes() {
    let body = |s: &str| many(&format!("{LOCKED} {s}"));
    is_proved(&body(
        "void *thread(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }",
    ));
    is_proved(&body(
        "void *thread(void *a) { if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); } return 0; }",
    ));
    is_proved(&body(
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         void *thread(void *a) { pthread_mutex_lock(&m); while (x) pthread_cond_wait(&c, &m); x = 1; pthread_mutex_unlock(&m); return 0; }",
    ));
    is_proved(&body(
        "void *thread(void *a) { int own[4]; pthread_mutex_lock(&m); memcpy(own, &x, 4); memset(&x, 0, 4); pthread_mutex_unlock(&m); return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_trylock(&m); x++; pthread_mutex_unlock(&m); return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++; return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { if (a) pthread_mutex_lock(&m); x++; if (a) pthread_mutex_unlock(&m); return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_t *p = __VERIFIER_nondet_int() ? &m : &k;
         pthread_mutex_lock(p); x++; pthread_mutex_unlock(p); return 0; }",
    ));
    is_not_proved(&body(
        "pthread_mutex_t ms[2]; void *thread(void *a) { int i = __VERIFIER_nondet_int() & 1;
         pthread_mutex_lock(&ms[i]); x++; pthread_mutex_unlock(&ms[i]); return 0; }",
    ));
    is_not_proved(&body(
        "struct box { pthread_mutex_t m; } b[2]; void *thread(void *a) { struct box *p = &b[__VERIFIER_nondet_int() & 1];
         pthread_mutex_lock(&p->m); x++; pthread_mutex_unlock(&p->m); return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }",
    ));
    is_not_proved(&body(
        "void release(pthread_mutex_t *p) { pthread_mutex_unlock(p); }
         void *thread(void *a) { pthread_mutex_lock(&m); release(&m); x++; return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }",
    ));
    is_not_proved(&body(
        "_Thread_local pthread_mutex_t own; void *thread(void *a) { pthread_mutex_lock(&own); x++; pthread_mutex_unlock(&own); return 0; }",
    ));
    is_not_proved(&body(
        "void *thread(void *a) { pthread_mutex_t own; pthread_mutex_init(&own, 0);
         pthread_mutex_lock(&own); x++; pthread_mutex_unlock(&own); return 0; }",
    ));
    is_not_proved(&body(
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         void *thread(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
         pthread_mutex_unlock(&k); x++; return 0; }",
    ));
    is_not_proved(&body(
        "pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
         void *thread(void *a) { pthread_rwlock_rdlock(&w); x++; pthread_rwlock_unlock(&w); return 0; }",
    ));
}

#[test]
fn before_and_after() {
    is_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         int main(void) { x = 1; memset(&x, 0, 4); pthread_t t; pthread_create(&t, 0, thread, 0); return 0; }",
    );
    is_not_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); x = 1; pthread_join(t, 0); return 0; }",
    );
    is_not_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         void start(void) { pthread_t t; pthread_create(&t, 0, thread, 0); }
         int main(void) { for (int i = 0; i < 2; i++) { x = 1; if (i == 0) start(); } return 0; }",
    );
    is_not_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_detach(t); x = 1; return 0; }",
    );
    is_not_proved(
        "int x; void *inner(void *a) { x++; return 0; }
         void *thread(void *a) { pthread_t t; pthread_create(&t, 0, inner, 0); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); x = 1; return 0; }",
    );
    is_not_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         int main(void) { for (int i = 0; i < 2; i++) { pthread_t t; pthread_create(&t, 0, thread, 0); } pthread_exit(0); }",
    );
}

/// Main with some statements, beside threads that write `x` under a mutex; main reads it at the
/// end.
fn joined(before: &str, body: &str) -> String {
    format!(
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; {before}
         void *thread(void *a) {{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }}
         int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return x; }}"
    )
}

/// Loops that create and join.
fn loops(declared: &str, create: &str, join: &str) -> String {
    joined("", &format!("{declared} for ({create} for ({join}"))
}

#[test]
fn joins_one_by_one() {
    is_proved(&joined("", "pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0);"));
    is_proved(&joined(
        "pthread_t t[2];",
        "pthread_create(&t[0], 0, thread, 0); pthread_create(&t[1], 0, thread, 0);
         pthread_join(t[1], 0); pthread_join(t[0], 0);",
    ));
    is_proved(&joined(
        "",
        "for (int i = 0; i < n; i++) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); x++; }",
    ));
    let not = |before: &str, body: &str| is_not_proved(&joined(before, body));
    not(
        "",
        "pthread_t t, u; pthread_create(&t, 0, thread, 0); pthread_create(&u, 0, thread, 0); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; pthread_create(&t, 0, thread, 0); pthread_create(&t, 0, thread, 0); pthread_join(t, 0);",
    );
    not("", "pthread_t t; pthread_create(&t, 0, thread, 0); if (n) pthread_join(t, 0);");
    not("", "pthread_t t = 0, u; u = t; pthread_create(&t, 0, thread, 0); pthread_join(u, 0);");
    not(
        "",
        "pthread_t t = 0, *p = &t; pthread_create(&t, 0, thread, 0); *p = pthread_self(); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; pthread_create(&t, 0, thread, 0); memset(&t, 0, sizeof t); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; pthread_create(&t, 0, thread, 0); pthread_detach(t); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, n);
         pthread_create(&t, &a, thread, 0); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, thread, 0); pthread_join(t, 0);",
    );
    not(
        "pthread_t t; void *other(void *a) { t = pthread_self(); return 0; }",
        "pthread_t u; pthread_create(&u, 0, other, 0); pthread_create(&t, 0, thread, 0); pthread_join(t, 0);",
    );
    not(
        "pthread_t t; void *other(void *a) { pthread_join(t, 0); return 0; }",
        "pthread_t u; pthread_create(&t, 0, thread, 0); pthread_create(&u, 0, other, 0); pthread_join(t, 0);",
    );
    not(
        "",
        "pthread_t t; pthread_create(&t, 0, thread, 0); pthread_cancel(pthread_self()); pthread_join(t, 0);",
    );
    // A number that was read before the thread was created.
    not(
        "",
        "pthread_t t[2]; t[0] = pthread_self(); int i = 0; pthread_t old = t[i]; pthread_create(&t[i], 0, thread, 0); pthread_join(old, 0);",
    );
    // A thread of a thread.
    is_not_proved(
        "int x; void *inner(void *a) { x++; return 0; }
         void *thread(void *a) { pthread_t t; pthread_create(&t, 0, inner, 0); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); return x; }",
    );
    // Main runs again.
    is_not_proved(
        "int x; void *thread(void *a) { x++; return 0; }
         int main(int n, char **a) { pthread_t t; pthread_create(&t, 0, thread, 0); if (n) main(0, a); pthread_join(t, 0); return x; }",
    );
}

#[test]
fn joins_in_loops() {
    let array = "pthread_t *t = malloc(n * sizeof *t);";
    let create = "int i = 0; i < n; i++) pthread_create(&t[i], 0, thread, 0);";
    let join = "int i = 0; i < n; i++) pthread_join(t[i], 0);";
    is_proved(&loops(array, create, join));
    is_proved(&loops(
        "pthread_t t[10];",
        "int i = 0; i < 10; i++) pthread_create(t + i, 0, thread, 0);",
        "int j = 0; j < 10; j++) pthread_join(t[j], 0);",
    ));
    is_proved(&loops(array, create, "int i = 0; i < n; i++) if (pthread_join(t[i], 0)) exit(1);"));
    is_proved(&loops(
        array,
        "int i = 0; i < n; i++) if (pthread_create(&t[i], 0, thread, 0)) break;",
        join,
    ));
    is_proved(&joined(
        "pthread_t *t; int total;",
        "total = n; t = malloc(total * sizeof *t);
         for (int i = 0; i < total; i++) pthread_create(&t[i], 0, thread, 0);
         for (int i = 0; i < total; i++) pthread_join(t[i], 0);",
    ));
    is_proved(&joined(
        "",
        &format!("{array} for (int k = 0; k < 3; k++) {{ x = k; for ({create} for ({join} }}"),
    ));
    is_proved(&joined(
        "struct worker { int a; pthread_t t; void *p; } w[20];",
        "for (int i = 0; i != 20; i++) pthread_create(&w[i].t, 0, thread, &w[i]);
         for (int i = 0; i != 20; i++) pthread_join(w[i].t, 0);",
    ));
}

#[test]
fn joins_in_loops_that_are_not_in_step() {
    let array = "pthread_t *t = malloc(n * sizeof *t);";
    let create = "int i = 0; i < n; i++) pthread_create(&t[i], 0, thread, 0);";
    let join = "int i = 0; i < n; i++) pthread_join(t[i], 0);";
    let not =
        |declared: &str, create: &str, join: &str| is_not_proved(&loops(declared, create, join));
    not(array, create, "int i = 0; i < n - 1; i++) pthread_join(t[i], 0);");
    not(array, create, "int i = 1; i < n; i++) pthread_join(t[i], 0);");
    not(array, create, "int i = 0; i < n; i += 2) pthread_join(t[i], 0);");
    not(array, create, "int i = 0; i < n; i++) pthread_join(t[0], 0);");
    not(array, create, "int i = 0; i < n; i++) { if (i == 3) break; pthread_join(t[i], 0); }");
    not(array, create, "int i = 0; i < n; i++) { if (i == 3) continue; pthread_join(t[i], 0); }");
    not(array, create, "int i = 0; i < n; i++) { if (i == 3) i++; pthread_join(t[i], 0); }");
    not(array, create, "int i = 0; i < n--; i++) pthread_join(t[i], 0);");
    not(array, create, "int i = 0; i <= n; i++) { n = 1; pthread_join(t[i], 0); }");
    not(array, "int i = 0; i < n; i++) pthread_create(&t[0], 0, thread, 0);", join);
    not(array, "int i = 0; i < n; i++) pthread_create(&t[i / 2], 0, thread, 0);", join);
    not(array, "int i = 0; i < n; i++) pthread_create(&t[i & 1], 0, thread, 0);", join);
    not(
        array,
        "unsigned char i = 0; i < n; i++) pthread_create(&t[i], 0, thread, 0);",
        "unsigned char i = 0; i < n; i++) pthread_join(t[i], 0);",
    );
    not(
        array,
        "int i = 0; i < n; i++) { pthread_create(&t[i], 0, thread, 0); pthread_create(&t[i], 0, thread, 0); }",
        join,
    );
    not(
        array,
        "int i = 0; i < n; i++) do pthread_create(&t[i], 0, thread, 0); while (__VERIFIER_nondet_int());",
        join,
    );
    not(
        array,
        create,
        "int i = 0; i < n; i++) { pthread_t o = t[i]; if (i) o = t[i - 1]; pthread_join(o, 0); }",
    );
    not(
        "pthread_t *t = malloc(n * sizeof *t), *u = malloc(n * sizeof *t);",
        create,
        "int i = 0; i < n; i++) pthread_join(u[i], 0);",
    );
    not(
        &format!("{array} int p[100];"),
        "int i = 0; i < n; i++) pthread_create(&t[i + p[i]], 0, thread, 0);",
        "int i = 0; i < n; i++) pthread_join(t[i + p[i]], 0);",
    );
    not(
        "pthread_t *t = malloc(n * sizeof *t);",
        create,
        "int k = 0; k < 1; k++) for (int i = 0; i < n; i++) { t[i] = 0; pthread_join(t[i], 0); }",
    );
}

#[test]
fn loops_with_writes_in_between() {
    let array = "pthread_t *t = malloc(n * sizeof *t);";
    let create = "int i = 0; i < n; i++) pthread_create(&t[i], 0, thread, 0);";
    let join = "int i = 0; i < n; i++) pthread_join(t[i], 0);";
    is_not_proved(&joined(
        "pthread_t *t;",
        &format!("t = malloc(n * 8); for ({create} t = malloc(n * 8); for ({join}"),
    ));
    is_not_proved(&joined("", &format!("{array} for ({create} n--; for ({join}")));
    is_not_proved(&joined("", &format!("{array} for ({create} t[0] = t[1]; for ({join}")));
    is_not_proved(&joined("", &format!("{array} for ({create} for ({create} for ({join}")));
    is_not_proved(&joined("", &format!("{array} for ({create} x = 1; for ({join}")));
    is_not_proved(&joined(
        "int total; void *other(void *a) { total--; return 0; }",
        "total = n; pthread_t u; pthread_create(&u, 0, other, 0); pthread_t *t = malloc(total * sizeof *t);
         for (int i = 0; i < total; i++) pthread_create(&t[i], 0, thread, 0);
         for (int i = 0; i < total; i++) pthread_join(t[i], 0);",
    ));
    is_not_proved(&joined(
        "int total; void lower(void) { total--; }",
        "total = n; pthread_t *t = malloc(total * sizeof *t);
         for (int i = 0; i < total; i++) pthread_create(&t[i], 0, thread, 0);
         lower();
         for (int i = 0; i < total; i++) pthread_join(t[i], 0);",
    ));
}

/// Threads in a loop that get arguments; they are never joined.
fn given(declared: &str, thread: &str, body: &str) -> String {
    format!(
        "struct box {{ int id, result; struct box *next; int many[4]; }}; {declared}
         void *thread(void *a) {{ {thread} return 0; }}
         int main(void) {{ int n = __VERIFIER_nondet_int(); pthread_t t; {body} return 0; }}"
    )
}

#[test]
fn memory_that_threads_are_given() {
    let start = "pthread_create(&t, 0, thread,";
    let fresh = |thread: &str, body: &str| given("", &format!("struct box *b = a; {thread}"), body);
    let allocate = "for (int i = 0; i < n; i++) { struct box *b = malloc(sizeof *b);";
    is_proved(&fresh("b->result = b->id;", &format!("{allocate} b->id = i; {start} b); }}")));
    is_proved(&fresh(
        "b->result++;",
        &format!(
            "{allocate} if (!b) continue; b->id = i; b->result = 0; if ({start} b)) free(b); }}"
        ),
    ));
    is_not_proved(&fresh("b->result = b->id;", &format!("{allocate} {start} b); b->id = i; }}")));
    is_not_proved(&fresh("b->result = b->id;", &format!("{allocate} {start} b); {start} b); }}")));
    is_not_proved(&fresh("b->next->id = 1;", &format!("{allocate} b->next = b; {start} b); }}")));
    is_not_proved(&fresh(
        "b->id = 1;",
        &format!(
            "struct box *b = malloc(sizeof *b); for (int i = 0; i < n; i++) {{ {start} b); }}"
        ),
    ));
    is_not_proved(&fresh(
        "b->id = 1;",
        &format!(
            "struct box *b; for (int i = 0; i < n; i++) {{ if (i % 2 == 0) b = malloc(sizeof *b); {start} b); }}"
        ),
    ));
    is_not_proved(&given(
        "struct box *last;",
        "struct box *b = a; last->id = 1; b->id = 2;",
        &format!("last = malloc(sizeof *last); {allocate} {start} b); }}"),
    ));
    is_not_proved(&given(
        "_Atomic(struct box *) last;",
        "struct box *b = a; b->id = 1; last->id = 2;",
        &format!("{allocate} last = b; {start} b); }}"),
    ));
}

#[test]
fn elements_that_threads_are_given() {
    let start = "pthread_create(&t, 0, thread,";
    let counted = |thread: &str, body: &str| {
        given(
            "struct box all[100]; int sums[200]; int *late;",
            &format!("struct box *b = a; {thread}"),
            body,
        )
    };
    let each = "for (int i = 0; i < 100; i++) {";
    is_proved(&counted("b->id++; b->result = b->id;", &format!("{each} {start} &all[i]); }}")));
    is_proved(&counted("b->id++;", &format!("{each} all[i].id = i; {start} &all[i]); }}")));
    is_proved(&counted("b->id++;", &format!("{each} {start} all + i); }}")));
    is_not_proved(&counted("b->id++;", &format!("{each} {start} &all[i]); all[i].id = 1; }}")));
    is_not_proved(&counted("b->id++;", &format!("{each} {start} &all[i]); }} all[3].id = 1;")));
    is_not_proved(&counted(
        "b->id++;",
        &format!("{each} all[i + 1].id = i; if (i) all[i - 1].id = i; {start} &all[i]); }}"),
    ));
    is_not_proved(&counted("b->id++;", &format!("{each} {start} &all[i / 2]); }}")));
    is_not_proved(&counted("b->id++;", &format!("{each} {start} &all[i & 7]); }}")));
    is_not_proved(&counted("b->id++; b[1].id++;", &format!("{each} {start} &all[i]); }}")));
    is_not_proved(&counted(
        "b->id++;",
        &format!("for (int k = 0; k < 2; k++) {each} {start} &all[i]); }}"),
    ));
    is_not_proved(&counted("b->id++;", &format!("{each} {start} &all[i]); {start} &all[i]); }}")));
    is_not_proved(&counted(
        "b->id++;",
        "for (char *p = (char *)all; n--; p++) pthread_create(&t, 0, thread, p);",
    ));
    is_not_proved(&counted(
        "b->id++;",
        "for (unsigned char i = 0; n--; i++) pthread_create(&t, 0, thread, &all[i]);",
    ));
    is_not_proved(&counted(
        "b->id++;",
        &format!("{each} int j = i; if (i == 5) j = 4; {start} &all[j]); }}"),
    ));
    let number = |thread: &str| {
        counted(
            &format!("long k = (long)a; {thread}"),
            &format!("{each} {start} (void *)(long)i); }}"),
        )
    };
    is_proved(&number("sums[k] = 1;"));
    is_proved(&number("sums[(int)k]++; all[k].result = sums[k];"));
    is_proved(&number("sums[2 * k] = 1; sums[2 * k + 1] = 2;"));
    is_not_proved(&number("sums[k] = 1; sums[k + 1] = 2;"));
    is_not_proved(&number("sums[k / 2] = 1;"));
    is_not_proved(&number("sums[k & 3] = 1;"));
    is_not_proved(&number("sums[(unsigned char)k] = 1;"));
    is_not_proved(&number("sums[k] = 1; sums[2 * k] = 1;"));
    is_not_proved(&number("int *p = sums; for (int j = 0; j <= k; j++) *p++ = 1;"));
    is_not_proved(&number("k++; if (k > 9) k = 0; sums[k] = 1;"));
    is_not_proved(&number("late[k] = 1; late = sums + 1;"));
    is_proved(&counted(
        "long k = (long)a; late[k] = 1;",
        &format!("late = malloc(400); {each} {start} (void *)(long)i); }}"),
    ));
    is_not_proved(&counted(
        "long k = (long)a; late[k] = 1;",
        &format!("late = sums; {each} {start} (void *)(long)i); }} late = sums + 1;"),
    ));
    is_not_proved(&counted(
        "long k = (long)a; sums[k] = 1;",
        &format!("{each} {start} (void *)(long)i); }} thread((void *)3);"),
    ));
}

#[test]
fn what_is_not_known() {
    is_not_proved(&many(
        "int *p; void *thread(void *a) { p = (int *)(long)__VERIFIER_nondet_int(); *p = 1; return 0; }",
    ));
    is_not_proved(&many("void *any(void); void *thread(void *a) { return any(); }"));
    is_not_proved(&many(
        "void *thread(void *a) { void (*f)(void) = (void (*)(void))0x1234567L; f(); return 0; }",
    ));
}

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn programs_with_an_expected_race() {
    let mut files = Vec::new();
    for folder in ["../../tests/programs", "../../tests/any_number"] {
        programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    files.sort();
    let (mut racing, mut proved) = (0, 0);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let pointer_bits = if text.contains("--32") { 32 } else { 64 };
        let options = Options { checked: races(), pointer_bits, ..Options::default() };
        let Ok(loaded) = load(std::slice::from_ref(&path), &options) else { continue };
        let says_free = matches!(of(&loaded.program), Structure::NoRace { .. });
        let races = text.lines().any(|l| l.contains("//~") && l.contains("races"));
        assert!(!races || !says_free, "{} has a race", path.display());
        racing += usize::from(races);
        proved += usize::from(says_free);
    }
    assert!(racing > 50 && proved > 50, "{racing} with a race, {proved} proved");
}

/// Generated programs that are said to be free of races: how many of them the interpreter could run
/// in all ways.
fn oracle(seeds: std::ops::Range<u64>) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let plain = generate::Options::new(races());
        let options = generate::Options {
            lifetimes: seed % 3 == 1,
            external_inputs: seed % 3 == 1,
            waits: seed % 3 == 2,
            ..plain
        };
        let program = generate::program(seed, options);
        if !matches!(of(&program), Structure::NoRace { .. }) {
            continue;
        }
        let settings =
            Settings { max_executions: Some(2000), first_only: true, ..Settings::default() };
        let run = explore(&program, &settings);
        assert!(run.findings.is_empty(), "seed {seed}:\n{}", raddle_ir::print::program(&program));
        compared += usize::from(run.cuts.is_empty());
    }
    compared
}

#[test]
fn generated_programs() {
    let compared = oracle(0..1200);
    assert!(compared > 20, "{compared} programs");
}

/// For hours: `RADDLE_STRUCTURE=first..last cargo test --release -p raddle-analysis --test
/// structure many_generated`.
#[test]
fn many_generated_programs() {
    let Ok(text) = std::env::var("RADDLE_STRUCTURE") else { return };
    let numbers: Vec<u64> = text.split("..").map(|n| n.parse().expect("a number")).collect();
    let [first, last] = numbers[..] else { panic!("first..last") };
    println!("{} programs compared", oracle(first..last));
}
