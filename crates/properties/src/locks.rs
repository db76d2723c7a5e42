//! Misuse of locks: the library models carry these `Check` instructions, so there is no pass.

/// The manual page.
pub const PAGE: &str = "\
# locks

## What
Unlocking a mutex that the thread does not hold, locking a normal mutex that it holds already, destroying a mutex that is held or what a thread waits for,
using a mutex, condition variable, barrier or semaphore that was never initialised or is destroyed, waiting on a condition
variable without holding the mutex, joining or detaching a thread that is joined or detached already (or that another thread
waits to join), or that never existed, a thread that joins itself.

## Why
POSIX leaves the outcome undefined in nearly all these cases. They work by luck until the library or the timing changes.

## Example
    pthread_mutex_lock(&m);
    if (failed) { pthread_mutex_unlock(&m); }
    pthread_mutex_unlock(&m);          /* unlocks twice when `failed` */

## Standard
POSIX.1-2017, pthread_mutex_lock, pthread_mutex_destroy, pthread_cond_wait, pthread_join, pthread_detach; C17 7.26.4 (mutexes), 7.26.5.3 and
7.26.5.6 (threads).
";
