//! Error calls: lowering turns them into failing `Check` instructions, so there is no pass.

/// The manual page.
pub const PAGE: &str = "\
# reach-error

## What
No execution calls `reach_error()` or `__VERIFIER_error()`. The call itself is the violation, whatever body
the program gives to these functions. In property files of SV-COMP this is `unreach-call`.

## Why
Benchmarks and test harnesses mark bad states by such a call; it needs no library.

## Example
    extern void reach_error(void);
    if (balance < 0) reach_error();

## Standard
Not part of C: the rules of SV-COMP define both functions.
";
