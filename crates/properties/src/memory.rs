//! Validity of accesses is decided where memory is, in the interpreter and the encoders; no pass.

/// The manual page.
pub const PAGE: &str = "\
# memory

## What
Each access lies inside one live object (a variable in its scope, or heap memory before its `free`), nothing writes to a string
literal or `const` object, functions that copy (but `memmove`) are given blocks that do not overlap, each `free` gets null or the start of a live heap block, and each call
through a pointer reaches a function. A race with `free` in another thread is found as use after free. The variables of a thread
(main, too) are gone when it ends, also by `pthread_exit` from a nested function.

## Why
Anything else corrupts memory that belongs to somebody else, and is the most common way into a system.

## Example
    void *reader(void *a) { return (void *)(long)*shared; }
    int main(void) { shared = malloc(4); create(reader); free(shared); }   /* may free first */

## Standard
C17 6.5.3.2 p4 (invalid pointers), 6.5.6 p8 (bounds), 6.2.4 p2 (lifetime), 7.22.3.3 (free), 6.7.3 p6 (const),
7.24.1 p3 and 7.21.6 (copies that overlap), 6.5.16.1 p3.
";
