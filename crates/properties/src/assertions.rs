//! Assertions: lowering turns `assert` and its kin into `Check` instructions; the pass is
//! `missing_return.rs`.

/// The manual page.
pub const PAGE: &str = "\
# assertions

## What
A violation is a call of `assert(e)` with `e` equal to 0 (also `__VERIFIER_assert`, `__CPROVER_assert`,
`static` checks made by the library models), or an execution that reaches code declared
unreachable (`__builtin_unreachable()`), or one that returns from a function declared not to (`_Noreturn`), or comes
to the end of a function without a `return` although all callers use its value. Calls of `reach_error()` count as well: see `reach-error`.
The violation stands at the moment the assertion is evaluated; what the program does later, or
that another thread blocks, does not take it back.

## Why
An assertion says what its author relied on. In a threaded program it may hold in every test
and still fail in one interleaving out of millions.

## Example
    int x;
    void *t(void *a) { x++; return a; }
    int main(void) {
        pthread_t p, q;
        pthread_create(&p, 0, t, 0);
        pthread_create(&q, 0, t, 0);
        pthread_join(p, 0); pthread_join(q, 0);
        assert(x == 2);               /* fails: both threads may read 0 */
    }

## Standard
C17 7.2.1.1 (the assert macro). With NDEBUG there is nothing to check.
";
