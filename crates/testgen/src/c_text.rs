//! Random programs in C, for what the front end and the library models add.
//!
//! The same idea as [`crate::generate`] with fewer kinds of statements: globals of several types,
//! an array, a union, a pointer, mutexes, atomics, a condition variable; each thread leaves a
//! result, and main asserts that a combination does not occur.

use std::fmt::Write;

use raddle_testkit::Random;

const HEADER: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int x, y; unsigned char b; short h; atomic_int n;
int a[4];
union { int word; unsigned char byte[4]; } u;
int *p = &x;
int *heap;
_Thread_local int local;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int result[4];
static int twice(int v) { x += v; return 2 * v; }
static int plain(int v) { return v + y; }
int (*f)(int) = plain;
";

fn statement(random: &mut Random, depth: u32) -> String {
    let k = random.below(4);
    let place = random.pick(&["x", "x", "y", "b", "h", "u.byte[1]", "u.word", "a[v & 3]", "a[1]"]);
    match random.below(if depth == 0 { 10 } else { 24 }) {
        0..=2 => format!("v = {place};"),
        3..=5 => format!("{place} = v + {k};"),
        6 => format!("{place}++;"),
        7 => format!("w = v; {place} = {k};"),
        8 => format!("v = atomic_fetch_add(&n, {k});"),
        9 => "v = n; n = v + 1;".into(),
        10 | 11 => {
            let inner = statement(random, 0);
            let more = if random.one_in(2) { statement(random, 0) } else { String::new() };
            let lock = random.pick(&["m", "m", "k"]);
            format!("pthread_mutex_lock(&{lock}); {inner} {more} pthread_mutex_unlock(&{lock});")
        }
        12 => {
            let inner = statement(random, 0);
            format!("if (pthread_mutex_trylock(&m) == 0) {{ {inner} pthread_mutex_unlock(&m); }}")
        }
        13 | 14 => {
            let (yes, no) = (statement(random, depth - 1), statement(random, depth - 1));
            format!("if (v == {k}) {{ {yes} }} else {{ {no} }}")
        }
        15 => {
            let inner = statement(random, 0);
            format!("for (int i = 0; i < {}; i++) {{ {inner} }}", 1 + random.below(3))
        }
        16 => format!("while ({place} != {k}) ;"),
        17 => "p = &a[v & 3];".into(),
        18 => "v = *p;".into(),
        19 => format!("*p = {k};"),
        20 => format!("heap = malloc(sizeof(int)); *heap = {k};"),
        21 => "if (heap) v = *heap;".into(),
        22 => random.pick(&["f = twice;", "v = f(v);", "local += v; v = local;"]).into(),
        _ => format!("{{ int e = {k}; if (atomic_compare_exchange_strong(&n, &e, v)) w = e; }}"),
    }
}

/// The C text of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = HEADER.to_string();
    let threads = 2 + random.below(2);
    for t in 0..threads {
        let mut body = String::new();
        for _ in 0..1 + random.below(4 - threads + 1) {
            let _ = writeln!(body, "    {}", statement(&mut random, 2));
        }
        let check = if random.one_in(3) {
            format!("    assert(!(v == {} && w == {}));\n", random.below(3), random.below(3))
        } else {
            String::new()
        };
        let _ = write!(
            text,
            "void *t{t}(void *argument) {{\n    int v = 0, w = 0;\n{body}{check}    result[{t}] = v;\n    \
             return argument;\n}}\n"
        );
    }
    text.push_str("int main(void) {\n    pthread_t id[4];\n");
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_create(&id[{t}], 0, t{t}, 0);");
    }
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_join(id[{t}], 0);");
    }
    let equal: Vec<String> =
        (0..threads).map(|t| format!("result[{t}] == {}", random.below(4))).collect();
    let _ = writeln!(text, "    assert(!({}));", equal.join(" && "));
    let _ = writeln!(text, "    assert(x != {});\n    return 0;\n}}", 1 + random.below(5));
    text
}
