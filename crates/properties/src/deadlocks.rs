//! Deadlocks are a property of states, so the interpreter and the engines look for them; no pass.

/// The manual page.
pub const PAGE: &str = "\
# deadlocks

## What
Global: no thread can take a step, the program has not ended, and at least one thread waits: for a mutex, a condition variable, a
barrier, a semaphore, the end of another thread, or in a loop that only reads. Local: a circle of threads, each of
which waits for a mutex that the next one holds, even if other threads still run. A thread that waits on a condition variable is
waiting although POSIX permits it to wake up for no reason.

## Why
The program hangs, usually on a customer's machine and under load.

## Example
    void *a(void *p) { lock(&m); lock(&n); ... }
    void *b(void *p) { lock(&n); lock(&m); ... }        /* other order: both may wait for ever */

## Standard
POSIX.1-2017, pthread_mutex_lock: locking in a circle deadlocks. C17 7.26.4.4 (mtx_lock) blocks until it is free.
";
