//! Tests of the reader: single constructs, errors, debug information, and programs compiled by
//! clang.

mod clang;
mod constructs;
mod debug_information;
mod errors;
