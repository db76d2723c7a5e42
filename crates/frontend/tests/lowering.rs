//! What C becomes: small programs, and lines that the printed program must (or must not) have.

mod common;

use common::{function, load_files, lower, unsupported};
use raddle_ir::{CType, Op};

/// Checks that `f` in the C text, lowered for 32 bits, has all these pieces in this order.
fn check(c: &str, pieces: &[&str]) {
    let text = function(&lower(c, 32), "f");
    let mut rest = text.as_str();
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => panic!("`{piece}` is missing (or too early) in\n{text}\nof\n{c}"),
        }
    }
}

/// Checks that `f` has none of these pieces.
fn check_absent(c: &str, pieces: &[&str]) {
    let text = function(&lower(c, 32), "f");
    for piece in pieces {
        assert!(!text.contains(piece), "`{piece}` is in\n{text}\nof\n{c}");
    }
}

#[test]
fn variables_become_registers_unless_their_address_is_used() {
    check(
        "int f(int a) { int b = a; b += 2; return b; } int main() { f(1); }",
        &["f(a.0: 32)", "b.1: 32 = a.0", "b.1: 32 = Add.nsw(b.1, 2:32)", "return b.1"],
    );
    check(
        "void g(int *p) { *p = 1; } int f() { int x; g(&x); return x; } int main() { f(); }",
        &["alloc Stack 4:32 x", "call g(", "load", "return"],
    );
    // The value before the increment must survive it.
    check(
        "int f(int a) { int b = a++; return a + b; } int main() { f(1); }",
        &["= a.0", "a.0: 32 = Add.nsw", "Add.nsw(a.0, b"],
    );
}

#[test]
fn uninitialised_variables_are_inputs() {
    check(
        "int f(int a) { int b; if (a) b = 1; return b; } int main() { f(1); }",
        &["b.1: 32 = input Uninitialised b", "if"],
    );
    check_absent(
        "int f(int a) { int b; if (a) b = 1; else b = 2; return b; } int main() { f(1); }",
        &["input"],
    );
    check("int f(void) { } int main() { return f(); }", &["input Uninitialised", "return"]);
}

#[test]
fn short_circuits_copy_on_edges() {
    check(
        "int f(int a, int b) { return a && b; } int main() { f(1, 2); }",
        &["if", "Ne(b.1, 0:32)", "ZeroExtend", ": 1 = 0:1"],
    );
}

#[test]
fn addresses_fold() {
    let globals = "struct s { int a; struct { char b, c; int d[3]; } e; } g; int x[4][5];";
    let c = format!(
        "{globals} int f(int i) {{ x[i][3] = 1; return g.e.d[2]; }} int main() {{ f(1); }}"
    );
    check(&c, &["Mul(i.0, 20:32)", "&x +", "+ 12:32", "store", "load &g+16"]);
}

#[test]
fn structs_travel_as_scalars() {
    let c = "struct s { char a; int b; }; struct s h(struct s v) { v.b++; return v; }
             int f(struct s *p) { *p = h(*p); return p->b; } int main() { struct s s; f(&s); }";
    // A copy of the argument in the caller, the result through memory of the caller.
    check(c, &["alloc Stack 8:32 argument", "load p.0", "call h("]);
    let program = lower(
        "struct t { long a, b; }; struct t f(long x) { struct t t = {x, 1}; return t; }
                         int main() { return f(3).b; }",
        64,
    );
    let text = function(&program, "f");
    assert!(text.contains("Shl(") && text.contains(": 128 = Or("), "{text}");
    assert!(function(&program, "main").contains("LShr("));
}

#[test]
fn copies_follow_the_type() {
    check(
        "struct s { int *p; char c; short h; } a, b; void f() { a = b; } int main() { f(); }",
        &[
            ": 32 = load &b",
            ": 8 = load &b+4",
            ": 8 = load &b+5",
            ": 16 = load &b+6",
            "store &a,",
            "store &a+6,",
        ],
    );
    check(
        "void f(char *p, int n) { __builtin_memset(p, 0, n); } int main() { char a[3]; f(a, 3); }",
        &["call memset(p.0, 0:32, n.1)"],
    );
    check(
        "int a[3]; void f() { __builtin_memset(a, 0xff, sizeof a); } int main() { f(); }",
        &["store &a, 4294967295:32", "store &a+4, 4294967295:32", "store &a+8, 4294967295:32"],
    );
}

#[test]
fn verifier_functions_are_primitive() {
    let declarations = "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
        extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void);
        extern void __VERIFIER_atomic_end(void); void reach_error(void) { __builtin_abort(); }
        extern unsigned short nondet_ushort(void); void __VERIFIER_assert(int c) { if (!c) reach_error(); }";
    let c = |body: &str| {
        format!("{declarations} int x; void f(int a) {{ {body} }} int main() {{ f(1); }}")
    };
    check(&c("__VERIFIER_assume(a > 1);"), &["Sgt(a.0, 1:32)", "assume"]);
    check(&c("x = __VERIFIER_nondet_int();"), &[": 32 = input External __VERIFIER_nondet_int"]);
    check(&c("x = __VERIFIER_nondet_bool();"), &[": 1 = input External"]);
    check(&c("x = nondet_ushort();"), &[": 16 = input External nondet_ushort"]);
    check(
        &c("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"),
        &["atomic-begin", "load", "store", "atomic-end"],
    );
    check(&c("if (a) reach_error(); x = 1;"), &["check.reach-error 0:1", "stop", "store &x"]);
    // A user's own definition of __VERIFIER_assert is called.
    check(&c("__VERIFIER_assert(a);"), &["call __VERIFIER_assert(a.0)"]);
    let own = c("__VERIFIER_assert(a);")
        .replace("void __VERIFIER_assert", "static void __VERIFIER_assert");
    check(&own, &["call __VERIFIER_assert(a.0)"]);
    check(
        "extern void __VERIFIER_assert(int); void f(int a) { __VERIFIER_assert(a); } int main() { f(1); }",
        &["Ne(a.0, 0:32)", "check.assertions"],
    );
}

#[test]
fn atomic_functions_are_sections() {
    let c = "int x; int __VERIFIER_atomic_take(int a) { if (a) return 1; x++; return 0; }
             int main() { return __VERIFIER_atomic_take(0); }";
    let text = function(&lower(c, 32), "__VERIFIER_atomic_take");
    assert_eq!(text.matches("atomic-begin").count(), 1, "{text}");
    assert_eq!(text.matches("atomic-end").count(), text.matches("return").count(), "{text}");
}

#[test]
fn assertions_carry_their_text() {
    check(
        "#include <assert.h>\nvoid f(int a) { assert(a == 3); } int main() { f(1); }",
        &["check.assertions 0:1, \"assertion `a == 3` failed\"", "stop"],
    );
    check(
        "void f(int a) { if (a) __builtin_unreachable(); } int main() { f(1); }",
        &["check.assertions 0:1, \"unreachable code reached\""],
    );
}

#[test]
fn atomics_keep_their_order() {
    let c = |body: &str| {
        format!(
            "#include <stdatomic.h>\n_Atomic int x; void f(int a) {{ {body} }} int main() {{ f(1); }}"
        )
    };
    check(&c("x = a;"), &["store.SeqCst &x, a.0"]);
    check(&c("a = atomic_load_explicit(&x, memory_order_acquire);"), &["load.Acquire &x"]);
    check(&c("atomic_fetch_sub_explicit(&x, a, memory_order_relaxed);"), &["rmw.Sub &x"]);
    check(&c("int e = 0; atomic_compare_exchange_strong(&x, &e, a);"), &["cmpxchg &x"]);
    check(&c("atomic_thread_fence(memory_order_seq_cst);"), &["fence SeqCst"]);
    check(
        "int x; void f() { __sync_fetch_and_or(&x, 4); } int main() { f(); }",
        &["rmw.Or &x, 4:32"],
    );
}

#[test]
fn thread_local_variables_have_no_constant_address() {
    check(
        "_Thread_local int t[2]; int f() { return t[1]; } int main() { f(); }",
        &["= thread-local &t", "+ 4:32", "load"],
    );
}

#[test]
fn computed_goto_is_a_switch() {
    let c = "int f(int n) { void *t[] = {&&a, &&b}; goto *t[n]; a: return 1; b: return 2; }
             int main() { f(1); }";
    check(c, &["switch", "256 →", "257 →", "check.memory 0:1, \"computed goto"]);
}

#[test]
fn variable_arguments_lie_in_memory() {
    let c = "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int);
             va_end(l); return r; } int main() { return f(1, 2, 3); }";
    let program = lower(c, 32);
    let main = function(&program, "main");
    assert!(main.contains("alloc Stack 8:32 variable arguments"), "{main}");
    assert_eq!(unsupported(&program), []);
    assert_eq!(unsupported(&lower(c, 64)), []);
}

#[test]
fn what_is_not_modelled_is_named_with_its_line() {
    let cases = [
        ("void f();\nint main() { f(); }", "call of undefined function `f`", 2),
        ("int main() {\n__asm__(\"hlt\" ::: \"memory\"); }", "inline assembly `hlt`", 2),
        ("int main() {\nreturn (int)__builtin_frame_address(0); }", "llvm.frameaddress", 2),
        (
            "extern int a[];\nint main() { return a[1]; }",
            "the object `a`, whose size is not known",
            2,
        ),
    ];
    for (c, what, line) in cases {
        let found = unsupported(&lower(c, 32));
        assert!(found.iter().any(|(w, l)| w.contains(what) && *l == line), "{found:?} of {c}");
    }
    // A barrier for the compiler is a fence.
    check(
        "int x; void f() { x = 1; __asm__(\"\" ::: \"memory\"); x = 2; } int main() { f(); }",
        &["store", "fence", "store"],
    );
}

#[test]
fn only_what_is_reachable_is_lowered() {
    let c = "int used, unused; void dead() { unused = 1; } void taken() { used = 2; }
             void (*table[])(void) = { taken }; int main() { table[0](); }";
    let program = lower(c, 64);
    let names: Vec<_> = program.functions.iter().map(|f| f.name.as_str()).collect();
    assert!(names.contains(&"taken") && !names.contains(&"dead"), "{names:?}");
    assert!(program.globals.iter().all(|g| g.name != "unused"));
}

#[test]
fn initialisers_are_bytes_and_addresses() {
    let c = "struct s { char a; int *p; short b[2]; } g = {1, (int *)&g.b[1], {2, -1}};
             int main() { return g.a; }";
    let program = lower(c, 32);
    let g = program.globals.iter().find(|g| g.name == "g").unwrap();
    assert_eq!(g.size, 12);
    assert_eq!(g.init[0], 1);
    assert_eq!(&g.init[8..], [2, 0, 0xff, 0xff]);
    let address = u32::from_le_bytes(g.init[4..8].try_into().unwrap());
    assert_eq!(u64::from(address), g.address + 10);
    assert_eq!(g.pointers.len(), 1);
    match program.types.get(g.ctype.unwrap()) {
        CType::Struct { fields, size: 12, .. } => {
            let names: Vec<_> = fields.iter().map(|f| (f.name.as_str(), f.bit_offset)).collect();
            assert_eq!(names, [("a", 0), ("p", 32), ("b", 64)]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn objects_do_not_overlap() {
    let c = "char a; double b; int c[1000]; int main() { a = b + c[2]; return 0; }";
    let program = lower(c, 32);
    let mut ranges: Vec<_> = program.globals.iter().map(|g| (g.address, g.size)).collect();
    ranges.sort_unstable();
    for pair in ranges.windows(2) {
        assert!(pair[0].0 + pair[0].1 + 16 <= pair[1].0, "{ranges:x?}");
    }
    let (last, size) = *ranges.last().unwrap();
    assert!(program.first_free_address >= last + size);
}

#[test]
fn several_files_are_linked() {
    let a = "int shared; static int own = 1; extern int g(void); int main() { return g() + own + shared; }";
    let b = "int shared; static int own = 2; int g(void) { shared = 3; return own; }";
    let loaded = load_files(&[("a.c", a), ("b.c", b)], 64).unwrap();
    let names: Vec<_> = loaded.program.globals.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names.iter().filter(|n| **n == "shared").count(), 1, "{names:?}");
    assert_eq!(names.iter().filter(|n| **n == "own").count(), 2, "{names:?}");
    let clash = load_files(&[("a.c", "int f() {} int main() {}"), ("b.c", "int f() {}")], 64);
    assert!(clash.unwrap_err().to_string().contains("`f` is defined in"));
}

#[test]
fn a_definition_of_the_user_beats_the_library() {
    let c = "void *malloc(unsigned long n) { return 0; } int main() { return malloc(1) == 0; }";
    let program = lower(c, 64);
    let malloc = program.functions.iter().find(|f| f.name == "malloc").unwrap();
    assert!(!malloc.is_model);
}

#[test]
fn main_is_wrapped() {
    let c = "__attribute__((constructor)) void first() {} int main(int argc, char **argv) { return argc; }";
    let program = lower(c, 64);
    let entry = program.function(program.entry.unwrap());
    assert!(entry.params.is_empty());
    let text = function(&program, &entry.name);
    let first = text.find("call first()").expect("constructors run");
    let number = text.find("input Choice(3) number of arguments").expect("they are inputs");
    let main = text.find("call main(").expect("main is called");
    assert!(number < first && first < main && text[main..].contains("exit"), "{text}");
    assert_eq!(program.arguments, Some(raddle_frontend::Arguments::DEFAULT));
    let deaf = lower("int main(int argc, char **argv) { (void)argv; return 0; }", 64);
    assert!(function(&deaf, "program start").contains("call main(1:32, &argv)"));
    assert_eq!(deaf.arguments, None);
}

#[test]
fn inline_functions_have_bodies() {
    let c = "inline int twice(int a) { return 2 * a; } int main() { return twice(2); }";
    assert_eq!(unsupported(&lower(c, 64)), []);
    let c = "extern inline int twice(int a) { return 2 * a; } int main() { return twice(2); }";
    assert_eq!(unsupported(&lower(c, 64)), []);
}

#[test]
fn old_c_is_accepted() {
    let c = "main() { x(1); return 0; } x(a) int a; { int *p = a; char *q = p; return; }";
    lower(c, 32);
    // A start function without parameters.
    let c = "#include <pthread.h>\nvoid *t() { return 0; }
             int main() { pthread_t p; pthread_create(&p, 0, t, 0); }";
    assert_eq!(unsupported(&lower(c, 32)), []);
}

#[test]
fn threads_are_counted_where_somebody_joins() {
    let program = |more: &str| {
        format!(
            "#include <pthread.h>\nvoid *t(void *a) {{ return a; }}
             int main() {{ pthread_t p; pthread_create(&p, 0, t, 0); {more} }}"
        )
    };
    for (more, expected) in [
        ("", vec![]),
        ("pthread_join(p, 0);", vec!["more than 1023 threads"]),
        ("pthread_detach(p);", vec!["more than 1023 threads"]),
        ("pthread_cancel(p);", vec!["more than 1023 threads"]),
        ("pthread_kill(p, 0);", vec!["more than 1023 threads"]),
    ] {
        let limits = unsupported(&lower(&program(more), 64)).into_iter().map(|u| u.0);
        let limits: Vec<String> = limits.filter(|l| l.contains("1023")).collect();
        assert_eq!(limits, expected, "{more}");
    }
}

#[test]
fn accesses_of_models_are_hidden_but_copies_are_not() {
    let c = "#include <pthread.h>\n#include <string.h>\npthread_mutex_t m; char a[9];
             int main(int n, char **v) { pthread_mutex_lock(&m); memcpy(a, v[0], n); }";
    let program = lower(c, 64);
    let hidden = |file: &str| {
        let here = |f: &&raddle_ir::Function| program.file(f.place.file).path.ends_with(file);
        let blocks = program.functions.iter().filter(here).flat_map(|f| &f.blocks);
        let accesses = blocks.flat_map(|b| &b.instrs).filter_map(|i| match &i.op {
            Op::Load { access, .. } | Op::Store { access, .. } => Some(access.hidden),
            _ => None,
        });
        accesses.collect::<Vec<_>>()
    };
    let locks = hidden("pthread_mutex.c");
    assert!(!locks.is_empty() && locks.iter().all(|h| *h));
    let copies = hidden("memory.c");
    assert!(!copies.is_empty() && copies.iter().all(|h| !*h));
}

#[test]
fn llvm_text_is_read() {
    let text = "define i32 @main() {\n  %x = add nsw i32 1, 2\n  ret i32 %x\n}\n";
    let layout = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";
    let loaded = load_files(&[("a.ll", &format!("{layout}{text}"))], 64).unwrap();
    assert!(function(&loaded.program, "main").contains("return 3:32"));
}

#[test]
fn compilation_databases_are_read() {
    let folder = common::folder();
    std::fs::create_dir(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/a.c"), "#include \"h.h\"\nint main() { return f(N); }")
        .unwrap();
    std::fs::write(folder.join("src/b.c"), "int f(int n) { return n; }").unwrap();
    std::fs::write(folder.join("h.h"), "int f(int);").unwrap();
    let commands = format!(
        r#"[{{"directory":"{0}/src","file":"a.c","command":"cc -I.. -DN=7 -O2 -Wall -c a.c -o a.o"}},
            {{"directory":"{0}","file":"src/b.c","arguments":["cc","-c","src/b.c"]}},
            {{"directory":"{0}","file":"src/c.cpp","arguments":["c++","-c","src/c.cpp"]}}]"#,
        folder.display()
    );
    let path = folder.join("compile_commands.json");
    std::fs::write(&path, commands).unwrap();
    let loaded = raddle_frontend::load(&[path], &raddle_frontend::Options::default()).unwrap();
    assert!(function(&loaded.program, "main").contains("call f(7:32)"));
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn functions_without_body_may_have_their_address_taken() {
    let c =
        "extern void callback(int);\nvoid (*p)(int) = callback;\nint main() { if (p) return 1; }";
    let program = lower(c, 64);
    assert_eq!(unsupported(&program), [("call of undefined function `callback`".to_string(), 2)]);
    // The address of a primitive is that of a function which does what the primitive does.
    let c = "extern void __VERIFIER_assume(int); void (*p)(int); int main() { p = __VERIFIER_assume; p(1); }";
    assert!(function(&lower(c, 64), "__VERIFIER_assume").contains("assume"));
}

#[test]
fn all_that_is_not_modelled_is_listed() {
    let text = "int first(void);\nvoid second(int *);\nint unused(void);\n\
                int never(void) { return unused(); }\n\
                void deep(int *p) {\n  second(p);\n  __asm__(\"hlt\");\n  second(p);\n}\n\
                int main(void) {\n  int x = first();\n  deep(&x);\n  return x;\n}\n";
    let loaded = common::load_files(&[("a.c", text)], 64).expect("it compiles");
    let list: Vec<(Option<&str>, Vec<u32>)> = loaded
        .missing
        .iter()
        .map(|m| (m.function.as_deref(), m.places.iter().map(|p| p.1).collect()))
        .collect();
    let wanted = [(Some("first"), vec![11]), (Some("second"), vec![6, 8]), (None, vec![7])];
    assert_eq!(list, wanted, "{:?}", loaded.missing);
}
