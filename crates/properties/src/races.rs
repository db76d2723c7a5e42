//! Data races are a property of states, so the interpreter and the engines look for them; no pass.

/// The manual page.
pub const PAGE: &str = "\
# races

## What
A data race is a reachable moment in which two threads are each about to access overlapping bytes, at least one
of them writes, and not both accesses are atomic. Atomic are `_Atomic` objects, the `__atomic` and `__sync`
builtins, and everything inside `__VERIFIER_atomic_begin`/`end`. `volatile` is not atomic. Accesses of library
functions that stand for the caller's (`memcpy`, `strlen`, …) count; those inside a mutex or a condition variable do not.

## Why
A program with a data race has undefined behaviour: the compiler may assume there is none, so even a
race that looks harmless may do anything after optimisation.

## Example
    int done;                                           /* mend: atomic_int done; */
    void *worker(void *a) { done = 1; return a; }       /* races with the loop below */
    ...
    while (!done) ;

## Standard
C17 5.1.2.4, paragraphs 4, 25 and 35 (conflicting actions, data race).
";
