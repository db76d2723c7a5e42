//! Library functions as C bodies.
//!
//! Every function of pthread.h, string.h and so on that raddle knows is a C function in `c/`,
//! written over the primitives of `c/raddle.h`. They are compiled to LLVM text when this crate is
//! built; the front end links those files that a program needs. The header comment of each file
//! says what the standard demands and what is simplified.
//! To add a function: write it in the file of its topic, and test it (`tests/native.rs`).

/// One file of models.
#[derive(Debug)]
pub struct ModelFile {
    /// The file's name, as in `pthread_mutex.c`.
    pub name: &'static str,
    /// The functions it defines, sorted.
    pub functions: &'static [&'static str],
    /// The variables it defines for programs (`optarg`, `stdin`), sorted.
    pub variables: &'static [&'static str],
    /// Whether its loads and stores are never part of a data race. False for functions
    /// whose accesses stand for accesses of the caller.
    pub hides_accesses: bool,
    /// False if its functions do nothing but give a result: a call whose result is not used
    /// may be dropped (`printf`).
    pub has_effects: bool,
    /// The C source, for traces.
    pub source: &'static str,
    llvm32: &'static str,
    llvm64: &'static str,
}

static FILES: &[ModelFile] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

impl ModelFile {
    /// The LLVM module in text form, for addresses of 32 or 64 bits.
    pub fn llvm(&self, pointer_bits: u32) -> &'static str {
        assert!(matches!(pointer_bits, 32 | 64), "models are compiled for 32 and 64 bits only");
        if pointer_bits == 32 { self.llvm32 } else { self.llvm64 }
    }
}

/// All files, sorted by name.
pub fn all() -> &'static [ModelFile] {
    FILES
}

/// The file that models a function.
pub fn find(function: &str) -> Option<&'static ModelFile> {
    FILES.iter().find(|file| file.functions.binary_search(&function).is_ok())
}

/// The file that defines a variable of the library.
pub fn find_variable(variable: &str) -> Option<&'static ModelFile> {
    FILES.iter().find(|file| file.variables.binary_search(&variable).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A reader of a verdict must be able to find out what a model does not do.
    #[test]
    fn every_model_says_what_it_leaves_out() {
        for file in all() {
            let (header, _) = file.source.split_once("*/").expect("a file begins with a comment");
            let mut lines = header.lines();
            let says = lines.any(|l| l.trim_start().starts_with("* left out: "));
            assert!(says, "the header of {} needs a line `left out: …`", file.name);
        }
    }

    #[test]
    fn variables_are_found_where_they_are_defined() {
        for (variable, file) in [("optind", "getopt.c"), ("stdin", "stdio_stream.c")] {
            assert_eq!(find_variable(variable).map(|f| f.name), Some(file), "{variable}");
        }
        assert!(find_variable("rest").is_none(), "static variables are not for programs");
    }

    #[test]
    fn functions_are_found_where_they_are_defined() {
        for (function, file) in [
            ("pthread_create", "pthread_thread.c"),
            ("pthread_mutex_lock", "pthread_mutex.c"),
            ("pthread_cond_wait", "pthread_cond.c"),
        ] {
            assert_eq!(find(function).map(|f| f.name), Some(file), "{function}");
        }
        assert!(find("no_such_function").is_none());
        assert!(find("is_mine").is_none(), "static helpers are not library functions");
    }

    #[test]
    fn every_function_has_one_model() {
        let mut seen = BTreeMap::new();
        for file in all() {
            assert!(!file.functions.is_empty(), "{} models something", file.name);
            for function in file.functions {
                let other = seen.insert(function, file.name);
                assert_eq!(other, None, "{function} is modelled in {} as well", file.name);
            }
        }
    }

    #[test]
    fn the_text_is_llvm_of_the_right_size_without_local_paths() {
        for file in all() {
            for bits in [32, 64] {
                let text = file.llvm(bits);
                let pointers = if bits == 32 { "p:32:32" } else { "p270:32:32" };
                assert!(text.contains(pointers), "{} for {bits} bits", file.name);
                let home = concat!("directory: \"", env!("CARGO_MANIFEST_DIR"));
                assert!(
                    !text.contains(home),
                    "{} does not depend on where it was built",
                    file.name
                );
            }
        }
    }

    /// A function that a model calls is a primitive, or has a model itself.
    #[test]
    fn models_call_only_what_is_modelled() {
        let header = include_str!("../c/raddle.h");
        for file in all() {
            for line in file.llvm(64).lines().filter(|l| l.starts_with("declare ")) {
                let name = line.split_once('@').and_then(|(_, r)| r.split_once('('));
                let name = name.expect("a declaration has a name").0;
                let known = name.starts_with("llvm.")
                    || find(name).is_some()
                    || header.contains(&format!("{name}("));
                assert!(known, "{} calls {name}, which nobody defines", file.name);
            }
        }
    }
}
