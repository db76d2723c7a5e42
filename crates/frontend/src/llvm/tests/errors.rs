//! What is not LLVM text is refused with a place and a reason, and never crashes the reader.

use crate::llvm::{ErrorKind, ParseError, parse};

fn error(text: &str) -> ParseError {
    match parse(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error,
    }
}

/// Place and a part of the message.
fn check(text: &str, place: (u32, u32), message: &str) {
    let error = error(text);
    assert!(
        error.message.contains(message),
        "`{}` should contain `{message}`\n{text}",
        error.message
    );
    assert_eq!((error.line, error.column), place, "{}\n{text}", error.message);
}

#[test]
fn top_level() {
    check("@x = global i32", (1, 16), "the file ends where a value is expected");
    check("@x = global i32 0\n@x = global i32 1", (2, 1), "`@x` is defined twice");
    check("@x = global ptr @y", (1, 17), "`@y` is used but never declared");
    check("@x = i32", (1, 6), "expected `global`, `constant`, `alias` or `ifunc`, found `i32`");
    check("\n\n  nonsense", (3, 3), "expected a definition, found `nonsense`");
    check("target datalayout = \"z\"", (1, 21), "cannot read `z` in the data layout");
    check("target cpu = \"z\"", (1, 8), "expected `datalayout` or `triple`");
    check("@x = global i32 \"a", (1, 17), "a string that does not end");
    check("%t = type { i32 }\n%t = type { i32 }", (2, 1), "`%t` is defined twice");
    check("!0 = !{}\n!0 = !{}", (2, 1), "`!0` is defined twice");
    check("!4000000 = !{}", (1, 1), "larger than the file can fill");
    check("attributes #0 = { nounwind", (1, 27), "the file ends where `}` is expected");
    check("@x = global ?", (1, 13), "a character that LLVM text does not have here");
    check("@x = global i32 0, align 3", (1, 26), "power of two");
    check(
        "@x = global ptr blockaddress(@f, %b)\ndeclare void @f()",
        (1, 30),
        "no block of that name",
    );
}

#[test]
fn types() {
    check("@x = external global i0", (1, 22), "from 1 to 8388608 bits");
    check("@x = external global i8388609", (1, 22), "from 1 to 8388608 bits");
    check("@x = external global <0 x i8>", (1, 25), "a vector must have");
    check("@x = external global <2 x [1 x i8]>", (1, 36), "numbers or pointers");
    check("@x = external global [2 x void]", (1, 27), "no element of an aggregate");
    check("@x = external global [2 y i8]", (1, 25), "expected `x`");
    check("@x = external global [-2 x i8]", (1, 23), "the number of elements");
    check("@x = external global [99999999999999999999 x i8]", (1, 23), "the number of elements");
    let old = error("@x = external global i32*");
    assert_eq!(old.kind, ErrorKind::OldIr, "{old}");
    let old = error("declare i32 @f(i8* (i32)*, i32)");
    assert_eq!(old.kind, ErrorKind::OldIr, "{old}");
    assert_eq!(error("x").kind, ErrorKind::NotIr);
}

#[test]
fn constants() {
    check("@x = global i32 1.5", (1, 17), "a literal of the type before it");
    check("@x = global float 0.1", (1, 19), "a literal of the type before it");
    check("@x = global ptr 0", (1, 17), "a literal of the type before it");
    check("@x = global i32 %y", (1, 17), "a local name outside of functions");
    check("@x = global i32 call (i32 1)", (1, 17), "expected a value");
    check("@x = global i32 fneg (i32 1)", (1, 22), "LLVM 15 and newer do not have");
}

#[test]
fn functions() {
    let body = |text: &str| format!("define i32 @f(i32 %x) {{\n{text}\n}}\n");
    check(&body("  ret i32 %y"), (2, 11), "`%y` is used but never defined");
    check(&body("  br label %y"), (2, 12), "the block `%y` is used but never defined");
    check(&body("  %x = add i32 1, 2\n  ret i32 0"), (2, 3), "`%x` is defined twice");
    check(&body("a:\n  br label %a\na:\n  ret i32 0"), (4, 1), "the block `a` is defined twice");
    check(
        &body("  %5 = add i32 1, 2\n  %3 = add i32 1, 2\n  ret i32 0"),
        (3, 3),
        "expected the number 6",
    );
    check(&body("  %y = store i32 1, ptr null\n  ret i32 0"), (2, 3), "has no result");
    check(&body("  %y = frobnicate i32 1"), (2, 8), "expected an instruction, found `frobnicate`");
    check(&body("  %y = add i32 1, 2"), (3, 1), "expected an instruction, found `}`");
    check(&body("  ret i32 %999999999"), (2, 11), "that nothing in this file can define");
    check(&body("  br i32 1, label %a, label %a"), (2, 11), "must be an `i1`");
    check(&body("  switch i32 %x, label %a [ i8 1, label %a ]"), (2, 29), "a case must be");
    check(
        &body("  %y = extractvalue {i32} undef, 1\n ret i32 0"),
        (2, 21),
        "no part of that index",
    );
    check(&body("  %y = extractelement i32 %x, i32 1\n ret i32 0"), (2, 23), "needs a vector");
    check(
        &body("  %y = load atomic i32, ptr null, align 4\n ret i32 0"),
        (2, 33),
        "a memory ordering",
    );
    check(
        &body("  %y = add i32 %x, 1, align 4\n ret i32 0"),
        (3, 2),
        "an alignment for an instruction",
    );
    check("define void @f() {\n}", (2, 1), "expected a block");
    check("define void @f(i32 %x, i32 %x) { ret void }", (1, 28), "`%x` is defined twice");
    check("define label @f() { ret void }", (1, 8), "no function can return");
}

#[test]
fn types_of_operands() {
    let head = "declare void @g(i32)\ndefine void @f(i32 %i, float %s, ptr %p, <2 x i32> %v, {i32} %a, i64 %l) {\n  ";
    for (text, column, message) in [
        ("%r = add float %s, 1.0", 12, "does not take"),
        ("%r = fadd i32 %i, 1", 13, "does not take"),
        ("%r = add ptr %p, null", 12, "does not take"),
        ("%r = add i64 %i, 1", 16, "another type than its own"),
        (
            "%r = add i32 %later, 1\n  %later = load i64, ptr %p",
            3,
            "was used with another type before",
        ),
        ("%r = load i32, i32 %i", 18, "expected a pointer"),
        ("%r = load void, ptr %p", 13, "no value in memory"),
        ("store i32 1, i32 %i", 16, "expected a pointer"),
        ("%r = alloca label", 15, "no value in memory"),
        ("%r = alloca i32, float %s", 3, "must be an integer"),
        ("%r = icmp eq float %s, 1.0", 16, "integers or pointers"),
        ("%r = fcmp oeq i32 %i, 1", 17, "floating-point"),
        ("%r = fneg i32 %i", 13, "floating-point"),
        ("%r = trunc i32 %i to i64", 14, "does not join"),
        ("%r = zext i32 %i to i32", 13, "does not join"),
        ("%r = sext <2 x i32> %v to i64", 13, "does not join"),
        ("%r = ptrtoint i32 %i to i64", 17, "does not join"),
        ("%r = bitcast i32 %i to i64", 16, "different sizes"),
        ("%r = getelementptr i8, i32 %i, i32 1", 26, "needs a pointer and integers"),
        ("%r = getelementptr i8, ptr %p, float %s", 26, "needs a pointer and integers"),
        ("%r = select i32 %i, i32 1, i32 2", 15, "`i1` and two values"),
        ("%r = select i1 true, i32 1, i64 2", 15, "`i1` and two values"),
        ("%r = cmpxchg ptr %p, i32 1, i64 2 seq_cst seq_cst", 24, "of one type"),
        ("%r = atomicrmw add ptr %p, float %s seq_cst", 30, "does not take"),
        ("%r = atomicrmw fadd ptr %p, i32 %i seq_cst", 31, "does not take"),
        ("%r = insertvalue {i32} %a, i64 %l, 0", 20, "another type than the part"),
        ("%r = insertelement <2 x i32> %v, i64 %l, i32 0", 22, "needs an element of the vector"),
        (
            "%r = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i64> zeroinitializer",
            22,
            "a mask of `i32`",
        ),
        ("call void (i32) @g(i64 %l)", 21, "do not fit"),
        ("call void (i32) @g()", 21, "do not fit"),
        ("call void @g(i32 @g)", 20, "no pointer"),
        ("%r = call label @g()", 13, "no value in memory"),
        ("switch float %s, label %x []", 10, "needs an integer"),
        ("indirectbr i32 %i, []", 14, "expected a pointer"),
        ("ret i32 %i", 7, "returns another type"),
        ("store i32 true, ptr %p", 13, "a value of the type before it"),
        ("store i32 null, ptr %p", 13, "a value of the type before it"),
        ("store [2 x i32] [i32 1], ptr %p", 19, "does not fit its type"),
        ("store [2 x i8] c\"abc\", ptr %p", 18, "a string of 3 bytes"),
        ("store {i32, i8} {i32 1, i32 2}, ptr %p", 19, "does not fit its type"),
        ("store <2 x i32> splat (i8 1), ptr %p", 26, "does not fit its vector"),
        ("store i32 ptrtoint (ptr @g to i64), ptr %p", 23, "to another type"),
    ] {
        let error = error(&format!("{head}{text}\n  ret void\n}}\n"));
        assert!(
            error.message.contains(message),
            "`{}` should contain `{message}`\n{text}",
            error.message
        );
        let line = if text.contains("later") { 4 } else { 3 };
        assert!(error.column == column && error.line >= line, "{error}\n{text}");
    }
}

#[test]
fn nesting_is_limited() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("@x = external global {}{middle}{}", open.repeat(100_000), close.repeat(100_000))
    };
    for text in [
        deep("[1 x ", "i8", "]"),
        deep("{", "i8", "}"),
        deep("<{", "i8", "}>"),
        deep("void (", "i8", ")"),
        format!("@x = global i8 {}", "trunc (i8 ".repeat(100_000)),
        format!("@x = global [1 x i8] {}", "[i8 ".repeat(100_000)),
        format!("@x = global i8 {}", "splat (i8 ".repeat(100_000)),
        format!("!0 = {}", "!{".repeat(100_000)),
        format!("!0 = {}", "!DIFile(name: ".repeat(100_000)),
        format!("@x = global ptr {}", "getelementptr (i8, ptr ".repeat(100_000)),
    ] {
        let error = error(&text);
        assert!(error.message.contains("nested deeper"), "{}: {}", &text[..40], error.message);
    }
}

/// Cutting a file anywhere, or changing any byte, gives a result or an error but no panic.
#[test]
fn broken_files() {
    let text = include_bytes!("sample.ll");
    parse(text).expect("the sample is valid");
    for end in 0..text.len() {
        let _ = parse(&text[..end]);
    }
    let mut copy = text.to_vec();
    for place in 0..text.len() {
        for byte in [b'0', b'}', b'"', b'!', b' ', 0xff] {
            copy[place] = byte;
            let _ = parse(&copy);
        }
        copy[place] = text[place];
    }
}

#[test]
fn truncated_files_say_so() {
    let text = std::str::from_utf8(include_bytes!("sample.ll")).unwrap();
    let head = text.find("define").unwrap();
    let body = text[head..].find("ret").unwrap() + head;
    let error = error(&text[..body]);
    assert!(error.message.contains("the file ends"), "{error}");
}
