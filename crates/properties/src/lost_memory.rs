//! Lost memory is judged where the program ends, by the interpreter and the engines; no pass.

/// The manual page.
pub const PAGE: &str = "\
# lost-memory

## What
When the program ends, each heap block that was not freed is still pointed to from live memory: from a global, or through
other blocks that are. Weaker than `leaks`. In property files of SV-COMP this is `valid-memtrack`.

## Why
A block without a pointer to it can never be freed: it is lost for certain, whereas a reachable one may be wanted until the end.

## Example
    int *cache;
    int main(void) { cache = malloc(4); cache = malloc(4); }      /* the first block is lost */

## Standard
C17 7.22.3 (memory management functions). A leak is no undefined behaviour.
";
