//! Leaks are judged where the program ends, by the interpreter and the engines; no pass.

/// The manual page.
pub const PAGE: &str = "\
# leaks

## What
When the program ends (by `exit` or by return from `main`, not by `abort`) all memory from `malloc` and its kin has been freed, also such
as could still be reached. In property files of SV-COMP this is `valid-memcleanup`.

## Why
Memory that nobody frees adds up in a library or a long-running process.

## Example
    int main(void) { char *p = malloc(10); return p == 0; }       /* never freed */

## Standard
C17 7.22.3 (memory management functions): a block lives until it is freed. A leak is no undefined behaviour.
";
