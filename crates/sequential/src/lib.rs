//! Concurrent programs as sequential C programs with choices (`raddle sequentialize`).
//!
//! Idea: guess how threads interact, simulate them one after the other against the guess, and
//! drop the run at the end if the guess was wrong. What is guessed depends on the scheme: the
//! sequence of all writes to shared memory, memory at the end of each cluster of writes, or
//! memory at the end of each context.
//! Sources: Tomasco et al., "Verifying Concurrent Programs by Memory Unwinding" (fine and coarse
//! schemes); Rabinovitz & Grumberg, "Bounded Model Checking of Concurrent Programs" (contexts).
//! The runtime that does the guessing is C, in the folder `c`; the functions of the program
//! become C functions over it. `docs/sequentialize.md` shows the result.
//!
//! Reading order: [`settings`], `layout` (where memory is), `runtime` (how the text is put
//! together), `function` and `statement` (from instructions to C), `control` (from graphs to `if`
//! and `for`), `expression`, `fold`.
//!
//! Invariant: no input makes it panic; what has no translation is a check that fails when it is
//! reached, with words.

mod control;
mod expression;
mod fold;
mod function;
mod layout;
mod names;
mod needed;
mod reach;
mod runtime;
pub mod settings;
mod statement;
mod stops;
mod writer;

pub use runtime::sequentialize;
pub use settings::{Error, Scheme, Settings, Style};
