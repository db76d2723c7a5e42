//! Programs compiled by clang, read, written and compiled again: they must still give the same
//! answer.
//!
//! Each program prints what it computes. Running it after it went through the tree shows that
//! nothing of meaning was lost: operands, flags, types, offsets, constants, control flow. The
//! 32-bit text is not run but compiled, as the machine may have no 32-bit C library. A second
//! reading of the written text must write the same text.

use crate::llvm::{Module, parse, print};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAMS: &[(&str, &str)] = &[
    ("arithmetic", include_str!("programs/arithmetic.c")),
    ("memory", include_str!("programs/memory.c")),
    ("control", include_str!("programs/control.c")),
    ("atomics", include_str!("programs/atomics.c")),
    ("variadic", include_str!("programs/variadic.c")),
];

const FLAGS: &[&str] = &[
    "-S",
    "-emit-llvm",
    "-g",
    "-w",
    "-std=gnu17",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
];

fn clang() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names =
        (15..=20).rev().map(|version| format!("clang-{version}")).chain(["clang".to_owned()]);
    let found = names
        .flat_map(|name| {
            std::env::split_paths(&path).map(move |folder| folder.join(&name)).collect::<Vec<_>>()
        })
        .find(|file| file.is_file());
    found.expect("these tests compile C: clang 15 or newer must be on PATH")
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    output
}

/// A directory of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("raddle-reader-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(text: &str) -> Module {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The LLVM text of a C file.
fn compile(source: &Path, more: &[&str]) -> String {
    let output = run(Command::new(clang()).args(FLAGS).args(more).arg(source).args(["-o", "-"]));
    String::from_utf8(output.stdout).unwrap()
}

/// What a program prints, given as C or as LLVM text.
fn answer(folder: &Folder, source: &Path) -> String {
    let program = folder.0.join("program");
    run(Command::new(clang())
        .args(["-w", "-pthread", "-Wno-override-module"])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-lm"));
    String::from_utf8(run(&mut Command::new(program)).stdout).unwrap()
}

/// Writes what was read, and checks that reading it again changes nothing.
fn through_the_tree(text: &str) -> String {
    let written = print::module(&read(text));
    let again = print::module(&read(&written));
    let differs = written.lines().zip(again.lines()).find(|(left, right)| left != right);
    assert!(again == written, "reading the written text gave something else: {differs:?}");
    written
}

#[test]
fn programs_keep_their_meaning() {
    for (name, text) in PROGRAMS {
        let folder = Folder::new(name);
        let source = folder.file("program.c", text);
        let expected = answer(&folder, &source);
        assert!(expected.lines().count() > 3, "{name} prints too little: {expected}");
        for level in ["-O0", "-O2"] {
            let written = through_the_tree(&compile(&source, &["-m64", level]));
            let copy = folder.file("copy.ll", &written);
            assert_eq!(answer(&folder, &copy), expected, "{name} {level}");
        }
    }
}

#[test]
fn programs_for_32_bits_compile_again() {
    for (name, text) in PROGRAMS {
        let folder = Folder::new(&format!("{name}-32"));
        let source = folder.file("program.c", text);
        let text = compile(&source, &["-m32", "-O0"]);
        assert_eq!(read(&text).layout.pointer_bits(0), 32);
        let copy = folder.file("copy.ll", &through_the_tree(&text));
        run(Command::new(clang())
            .args(["-w", "-c", "-Wno-override-module", "-o", "/dev/null"])
            .arg(copy));
    }
}

#[test]
fn sizes_and_offsets_agree_with_clang() {
    let text = "
        #include <stddef.h>
        struct a { char c; long long l; short s; void *p; };
        struct b { struct a a[3]; long double d; char c; double e; } x;
        struct __attribute__((packed)) p { char c; long long l; short s; } y;
        union u { double d; char c[9]; struct a a; } z;
        struct f { unsigned a : 3, b : 20, c : 12; char d; } w;
        _BitInt(67) n; float v __attribute__((vector_size(16)));
        unsigned long sizes[] = {sizeof x, sizeof y, sizeof z, sizeof w, sizeof n, sizeof v,
            _Alignof(struct b), offsetof(struct b, d), offsetof(struct b, e)};
        ";
    for bits in ["-m32", "-m64"] {
        let folder = Folder::new(&format!("sizes{bits}"));
        let source = folder.file("sizes.c", text);
        let module = read(&compile(&source, &[bits]));
        let size = |name| {
            let ty = module.global(name).unwrap().ty;
            module.layout.size_of(&module.types, ty).unwrap()
        };
        let ty = module.global("x").unwrap().ty;
        let layout = module.layout.struct_layout(&module.types, ty).unwrap();
        let found = [
            size("x"),
            size("y"),
            size("z"),
            size("w"),
            size("n"),
            size("v"),
            layout.align,
            layout.offsets[1],
            layout.offsets[3],
        ];
        let global = module.global("sizes").unwrap();
        let sizes =
            crate::llvm::ast::Operand { ty: global.ty, value: global.initializer.clone().unwrap() };
        let word = if bits == "-m32" { "i32" } else { "i64" };
        let found: Vec<String> = found.iter().map(|number| format!("{word} {number}")).collect();
        let expected = print::operand(&module, &sizes);
        assert_eq!(format!("[9 x {word}] [{}]", found.join(", ")), expected, "{bits}");
    }
}
