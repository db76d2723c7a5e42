//! Compiles the models in `c/` to LLVM text, for 32 and for 64 bits, and writes the table of them.
//!
//! So that a run of raddle needs clang for the user's files only. Which functions a file models is
//! read off the compiled text (definitions with external linkage): to add a model is to add a C
//! function.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The first LLVM whose text has opaque pointers only.
const OLDEST_CLANG: u32 = 15;
const NEWEST_CLANG: u32 = 40;

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("c");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-env-changed=CLANG");
    let clang = find_clang();
    // For the tests, which compile the models natively.
    println!("cargo::rustc-env=RADDLE_MODELS_CLANG={clang}");
    let mut table = String::from("&[\n");
    for source in c_files(&folder) {
        table.push_str(&row(&clang, &folder, &source, &out));
    }
    table.push_str("]\n");
    fs::write(out.join("table.rs"), table).expect("OUT_DIR can be written");
}

fn find_clang() -> String {
    if let Ok(clang) = env::var("CLANG") {
        return clang;
    }
    let numbered = (OLDEST_CLANG..=NEWEST_CLANG).rev().map(|n| format!("clang-{n}"));
    numbered
        .chain(["clang".into()])
        .find(|c| Command::new(c).arg("--version").output().is_ok_and(|o| o.status.success()))
        .expect("clang 15 or later is needed: install it, or name it in the variable CLANG")
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of models exists");
    let mut files: Vec<PathBuf> = entries
        .map(|e| e.expect("the folder can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// Compiles one file twice and gives its row of the table.
fn row(clang: &str, folder: &Path, source: &Path, out: &Path) -> String {
    let name = source.file_stem().and_then(|s| s.to_str()).expect("models have plain names");
    let text = fs::read_to_string(source).expect("models are UTF-8");
    let hides = match (text.contains("accesses: hidden"), text.contains("accesses: visible")) {
        (true, false) => true,
        (false, true) => false,
        _ => panic!("{name}.c must say either `accesses: hidden` or `accesses: visible`"),
    };
    let has_effects = !text.contains("effects: none");
    let (mut functions, mut variables) = (Vec::new(), Vec::new());
    for (bits, target) in [(32, "i386-pc-linux-gnu"), (64, "x86_64-pc-linux-gnu")] {
        let llvm = out.join(format!("{name}.{bits}.ll"));
        compile(clang, folder, &format!("{name}.c"), target, &llvm);
        let text = fs::read_to_string(&llvm).expect("clang wrote it");
        let defined = defined_functions(&text);
        variables = defined_variables(&text);
        let all_in_64 = functions.iter().all(|f| defined.contains(f));
        assert!(bits == 32 || all_in_64, "what {name}.c defines for 32 bits it defines for 64");
        functions = defined;
    }
    let mut row = String::new();
    let path = source.display();
    writeln!(
        row,
        "ModelFile {{ name: {:?}, functions: &{functions:?}, variables: &{variables:?}, hides_accesses: {hides}, \
         has_effects: {has_effects}, \
         source: include_str!(\"{path}\"), llvm32: include_str!(\"{name}.32.ll\"), \
         llvm64: include_str!(\"{name}.64.ll\") }},",
        format!("{name}.c"),
    )
    .expect("strings can be written to");
    row
}

fn compile(clang: &str, folder: &Path, file: &str, target: &str, llvm: &Path) {
    let flags = "-std=gnu17 -O0 -g -S -emit-llvm -Xclang -disable-O0-optnone \
                 -fno-discard-value-names -ffreestanding -fno-builtin -nostdinc \
                 -fno-stack-protector \
                 -fdebug-compilation-dir=raddle-models -Wall -Werror -Wno-unused-parameter";
    let output = Command::new(clang)
        .current_dir(folder)
        .args(flags.split_whitespace())
        .arg(format!("--target={target}"))
        .args([file, "-o"])
        .arg(llvm)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {clang}: {e}"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{clang} does not compile {file} for {target}:\n{messages}");
}

/// Names of global variables with external linkage, sorted.
fn defined_variables(llvm: &str) -> Vec<String> {
    let mut names: Vec<String> = llvm
        .lines()
        .filter_map(|line| line.strip_prefix('@'))
        .filter_map(|line| line.split_once(" = "))
        .filter(|(_, rest)| {
            let mut words = rest.split(' ').take_while(|w| *w != "global" && *w != "constant");
            words.all(|w| !matches!(w, "internal" | "private" | "external"))
        })
        .map(|(name, _)| name.to_string())
        .collect();
    names.sort();
    names
}

/// Names after `define` with external linkage, sorted.
fn defined_functions(llvm: &str) -> Vec<String> {
    let mut names: Vec<String> = llvm
        .lines()
        .filter_map(|line| line.strip_prefix("define "))
        .filter(|rest| !rest.starts_with("internal "))
        .filter_map(|rest| rest.split_once('@'))
        .filter_map(|(_, name)| name.split_once('('))
        .map(|(name, _)| name.trim_matches('"').trim_start_matches("\\01").to_string())
        .collect();
    names.sort();
    names
}
