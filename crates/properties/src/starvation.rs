//! Starvation is a property of infinite executions, so engines look for it; no pass.

/// The manual page.
pub const PAGE: &str = "\
# starvation

## What
No thread waits for ever while scheduling is fair (`--fairness`): from no moment on does a thread neither end nor change anything that others can see,
while all that it does is to wait for a mutex, a condition, or in a loop that finds nothing new. A thread that waits for the end of another one does not
count: if that one waits for ever, it is told. Decided by the engine circuit, for executions without end.

## Why
The program lives, but somebody never gets a turn: a request without an answer, a lock that others always take first.

## Example
    while (atomic_exchange(&lock, 1)) ;      /* others may take it whenever this thread does not look */

## Standard
C17 7.26.4.4 (mtx_lock) and POSIX pthread_mutex_lock promise no order of those who wait.
";
