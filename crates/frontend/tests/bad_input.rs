//! Input that is no program: one clear error each, never a panic.

mod common;

use std::path::PathBuf;

use common::{folder, load_files};
use raddle_frontend::{Error, Options, load};
use raddle_testkit::Random;

fn fails(files: &[(&str, &str)], bits: u32, part: &str) {
    match load_files(files, bits) {
        Ok(_) => panic!("{files:?} is accepted"),
        Err(e) => assert!(e.to_string().contains(part), "`{part}` is not in: {e}"),
    }
}

fn load_path(path: PathBuf) -> Result<(), Error> {
    load(&[path], &Options::default()).map(|_| ())
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder();
    assert!(matches!(load_path(folder.join("none.c")), Err(Error::NoSuchFile(_))));
    assert!(matches!(load_path(folder.clone()), Err(Error::IsDirectory(_))));
    assert!(matches!(load(&[], &Options::default()), Err(Error::NoInput)));
    fails(&[("empty.c", "")], 64, "empty");
    fails(&[("text.txt", "int main() {}")], 64, "not a kind of file");
    fails(&[("compile_commands.json", "{")], 64, "not a valid compilation database");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn programs_that_clang_refuses() {
    fails(&[("a.c", "int main() { return }")], 64, "expected expression");
    fails(&[("a.c", "#include \"none.h\"\nint main() {}")], 64, "-I");
    fails(&[("a.c", "int f() {}")], 64, "no function `main`");
    fails(&[("a.c", "\0\u{1}\u{2}noise")], 64, "this is no text");
    let folder = folder();
    std::fs::write(folder.join("a.c"), "int main() {}").unwrap();
    let options = Options { clang: Some(folder.join("no-clang")), ..Options::default() };
    let result = load(&[folder.join("a.c")], &options);
    assert!(matches!(result, Err(Error::ClangNotRunnable { .. })));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn llvm_text_that_does_not_fit() {
    fails(
        &[("a.ll", "target triple = \"riscv64-linux-gnu\"\ndefine i32 @main() {\n ret i32 0\n}")],
        64,
        "riscv64",
    );
    fails(&[("a.ll", "define i32 @main() {\nentry:\n  ret i32")], 64, "a.ll:3:");
    fails(&[("a.ll", "@x = global i8* null\n")], 64, "too old");
    fails(&[("a.ll", "this is no LLVM")], 64, "not valid LLVM IR");
    fails(&[("a.bc", "BC no bitcode")], 64, "bitcode");
    let layout = "target datalayout = \"e-m:e-p:32:32-i128:128-f64:32:64-f80:32-n8:16:32-S128\"\n";
    fails(&[("a.ll", &format!("{layout}define i32 @main() {{\n ret i32 0\n}}"))], 64, "32-bit");
}

/// Damaged LLVM text gives an error or a program that obeys the invariants.
#[test]
fn damaged_llvm_never_panics() {
    let c = "#include <pthread.h>\n#include <string.h>\nstruct s { int a; char b[3]; } g, h; int x = 1, *p = &x;
        struct s copy(struct s v) { v.a++; return v; } int many(int n, ...) { return n; }
        void *t(void *a) { x++; __atomic_fetch_add(&x, 1, 5); return a; }
        int main() { pthread_t i; pthread_create(&i, 0, t, 0); g = copy(h); switch (x) { case 1: x = 2; }
        double d = x * 0.5; memcpy(&g, &h, 4); return many(2, 3, 4) && d > 1 || g.a; }";
    let folder = folder();
    let source = folder.join("a.c");
    std::fs::write(&source, c).unwrap();
    let options = Options { keep_llvm: true, ..Options::default() };
    let text = load(&[source], &options).unwrap().llvm.remove(0).1;
    let lines: Vec<&str> = text.lines().collect();
    let damaged = folder.join("damaged.ll");
    let mut random = Random::new(1);
    let words = [
        "i1",
        "i64",
        "ptr",
        "double",
        "[4 x i8]",
        "{ i32, i1 }",
        "%0",
        "0",
        "undef",
        "poison",
        "null",
        "void",
    ];
    for _ in 0..300 {
        let mut new: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        for _ in 0..=random.index(3) {
            let at = random.index(new.len());
            let mut parts: Vec<String> = new[at].split(' ').map(String::from).collect();
            match random.index(4) {
                0 => new[at] = lines[random.index(lines.len())].to_string(),
                1 => new.truncate(at + 1),
                2 => {
                    let i = random.index(parts.len());
                    parts[i] = words[random.index(words.len())].to_string();
                    new[at] = parts.join(" ");
                }
                _ => {
                    let other: Vec<&str> = lines[random.index(lines.len())].split(' ').collect();
                    let i = random.index(parts.len());
                    parts[i] = other[random.index(other.len())].to_string();
                    new[at] = parts.join(" ");
                }
            }
        }
        std::fs::write(&damaged, new.join("\n")).unwrap();
        if let Ok(loaded) = load(std::slice::from_ref(&damaged), &Options::default()) {
            raddle_ir::validate::validate(&loaded.program).unwrap();
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
