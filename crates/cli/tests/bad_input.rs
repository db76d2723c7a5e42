//! Wrong input gives a clear message on standard error, nothing on standard output, and exit code
//! 2.

use std::path::Path;
use std::process::{Command, Output};

struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        Sandbox { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Sandbox {
        std::fs::write(self.folder.path().join(name), content).expect("writes");
        self
    }

    fn run(&self, args: &[&str]) -> Output {
        run_in(self.folder.path(), args)
    }

    /// Expects exit code 2 and all the words in the message.
    fn refuses(&self, args: &[&str], words: &[&str]) {
        let output = self.run(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
        for word in words {
            assert!(message.contains(word), "{args:?}: `{word}` is missing in: {message}");
        }
        assert!(!message.contains("panicked"), "{args:?}: {message}");
    }
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("raddle starts")
}

const GOOD: &str = "int main(void) { return 0; }\n";

#[test]
fn files_that_are_no_programs() {
    let sandbox = Sandbox::new();
    sandbox
        .file("empty.c", "")
        .file("no_main.c", "int f(void) { return 1; }\n")
        .file("syntax.c", "int main(void) { return 0 }\n")
        .file("text.xyz", "hello")
        .file("empty.ll", "")
        .file("text.ll", "this is no LLVM\n")
        .file("binary.c", b"\x7fELF\x02\x01\x01\0\0\0")
        .file("good.c", GOOD);
    sandbox.refuses(&["good.c"], &["raddle check good.c"]);
    sandbox.refuses(&["check", "binary.c"], &["binary.c", "no text"]);
    sandbox.refuses(&["check", "missing.c"], &["missing.c", "no such file"]);
    sandbox.refuses(&["check", "empty.c"], &["empty.c", "empty"]);
    sandbox.refuses(&["check", "no_main.c"], &["main"]);
    sandbox.refuses(&["check", "syntax.c"], &["syntax.c:1", "expected ';'"]);
    sandbox.refuses(&["check", "text.xyz"], &["text.xyz"]);
    sandbox.refuses(&["check", "empty.ll"], &["empty.ll"]);
    sandbox.refuses(&["check", "text.ll"], &["text.ll:1"]);
    sandbox.refuses(&["check", "."], &["directory"]);
    sandbox.refuses(&["check", "good.c", "missing.c"], &["missing.c"]);
    sandbox.refuses(&["check", "--clang", "/no/such/clang", "good.c"], &["/no/such/clang"]);
    sandbox.refuses(&["check", "good.c", "--", "-not-an-option"], &["-not-an-option"]);
    sandbox.refuses(&["show", "--stage", "program", "missing.c"], &["missing.c"]);
}

#[test]
fn unreadable_files() {
    let sandbox = Sandbox::new();
    sandbox.file("good.c", GOOD);
    // An unreadable folder: access through a file as if it were one works also for root.
    sandbox.refuses(&["check", "good.c/inner.c"], &["good.c/inner.c"]);
}

#[test]
fn wrong_ir() {
    let sandbox = Sandbox::new();
    let risc = "target datalayout = \"e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128\"\n\
               target triple = \"riscv64-unknown-linux-gnu\"\n\
               define i32 @main() {\n  ret i32 0\n}\n";
    sandbox.file("risc.ll", risc);
    sandbox.refuses(&["check", "risc.ll"], &["risc.ll", "riscv64"]);
    let old = "target triple = \"x86_64-pc-linux-gnu\"\n\
               define i32 @main() {\n  %x = alloca i32\n  store i32 0, i32* %x\n  ret i32 0\n}\n";
    sandbox.file("old.ll", old);
    sandbox.refuses(&["check", "old.ll"], &["old.ll"]);
    let text = "target triple = \"x86_64-pc-linux-gnu\"\n\
                define i32 @main() {\nentry:\n  %x = add i32 1, 2\n  ret i32 %x\n}\n";
    let end = text.rfind('}').expect("a closing brace");
    for cut in (text.find("define").expect("a function") + 3..=end).step_by(7) {
        sandbox.file("cut.ll", &text[..cut]);
        sandbox.refuses(&["check", "cut.ll"], &["cut.ll"]);
    }
}

#[test]
fn noise() {
    let sandbox = Sandbox::new();
    // A megabyte of noise: the time to reject it grows linearly, so more would only cost time.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let noise: Vec<u8> = (0..1 << 20)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect();
    sandbox.file("noise.c", &noise).file("noise.ll", &noise).file("noise.bc", &noise);
    for file in ["noise.c", "noise.ll", "noise.bc"] {
        sandbox.refuses(&["check", file], &[file]);
    }
    sandbox.file("noise.trace", &noise);
    sandbox.refuses(&["replay", "noise.trace"], &["noise.trace"]);
    sandbox.file("compile_commands.json", &noise);
    sandbox.refuses(&["check", "compile_commands.json"], &["compile_commands.json"]);
}

#[test]
fn wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.file("good.c", GOOD).file("wrong.prp", "CHECK( init(main()), LTL(F end) )\n");
    sandbox.refuses(&[], &["Usage"]);
    sandbox.refuses(&["check"], &["FILE"]);
    sandbox.refuses(&["chekc", "good.c"], &["check"]);
    sandbox.refuses(&["check", "--no-such-option", "good.c"], &["--no-such-option"]);
    sandbox.refuses(&["check", "--engine", "magic", "good.c"], &["magic", "explore"]);
    sandbox.refuses(&["check", "--property", "magic", "good.c"], &["magic", "races"]);
    sandbox.refuses(&["check", "--property", "wrong.prp", "good.c"], &["F end"]);
    sandbox.refuses(&["check", "--property", "none.prp", "good.c"], &["none.prp"]);
    sandbox.refuses(&["check", "--time", "soon", "good.c"], &["soon"]);
    let steps = ["check", "--engine", "staged", "--steps", "3", "good.c"];
    sandbox.refuses(&steps, &["staged", "--steps", "explore"]);
    let without = ["check", "--engine", "explore", "--without", "mhp", "good.c"];
    sandbox.refuses(&without, &["explore", "mhp", "staged"]);
    sandbox.refuses(&["replay", "none.trace"], &["none.trace"]);
    sandbox.refuses(&["replay", "good.c"], &["good.c", "not a trace"]);
    sandbox.refuses(&["explain", "magic"], &["magic", "races"]);
}
