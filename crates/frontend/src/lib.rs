//! From C to the program model, by way of clang.

pub mod llvm;
