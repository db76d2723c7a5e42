//! How fast LLVM text is read, in bytes per second, with and without debug information.
//!
//! The text has the shape that `clang -O0` gives to C: allocas, loads and stores of locals, calls,
//! small blocks, one `!dbg` per instruction and one location node for nearly each. The aim is 100
//! MB/s and more.

use divan::Bencher;
use divan::counter::BytesCount;
use std::fmt::Write;

fn main() {
    divan::main();
}

/// A file of `functions` functions.
fn text(functions: u32, debug: bool) -> String {
    let mut out = String::from(
        "source_filename = \"bench.c\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n
         %struct.node = type { i32, ptr, [4 x i8] }\n@shared = dso_local global %struct.node zeroinitializer, align 8\n
         @.str = private unnamed_addr constant [4 x i8] c\"%d\\0A\\00\", align 1\ndeclare i32 @printf(ptr noundef, ...) #1\n",
    );
    let mut nodes = String::new();
    let mut next = 10;
    for index in 0..functions {
        function(&mut out, &mut nodes, &mut next, index, debug);
    }
    out += "attributes #0 = { noinline nounwind \"frame-pointer\"=\"all\" }\nattributes #1 = { \"frame-pointer\"=\"all\" }\n";
    if debug {
        out += "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: \"clang\", isOptimized: false)\n
                !1 = !DIFile(filename: \"bench.c\", directory: \"/\")\n
                !2 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n!3 = !{}\n
                !4 = !DISubroutineType(types: !5)\n!5 = !{!2, !2}\n";
        out += &nodes;
    }
    out
}

fn function(out: &mut String, nodes: &mut String, next: &mut u32, index: u32, debug: bool) {
    let (scope, variable) = (*next, *next + 1);
    *next += 2;
    let mut place = || {
        if !debug {
            return String::new();
        }
        let id = *next;
        *next += 1;
        let _ = writeln!(
            nodes,
            "!{id} = !DILocation(line: {}, column: {}, scope: !{scope})",
            index + 7,
            id % 70
        );
        format!(", !dbg !{id}")
    };
    let head = if debug { format!(" !dbg !{scope}") } else { String::new() };
    let mut line = |text: &str| {
        let place = place();
        let _ = writeln!(out, "{text}{place}");
    };
    line(&format!(
        "define dso_local i32 @function{index}(i32 noundef %x) #0{head} {{\nentry:\n  %x.addr = alloca i32, align 4"
    ));
    line("  %node = alloca ptr, align 8");
    line("  store i32 %x, ptr %x.addr, align 4");
    for block in 0..6 {
        line(&format!("  br label %while.cond{block}"));
        line(&format!("\nwhile.cond{block}:\n  %value{block} = load i32, ptr %x.addr, align 4"));
        line(&format!("  %cmp{block} = icmp slt i32 %value{block}, 100"));
        line(&format!("  br i1 %cmp{block}, label %while.body{block}, label %while.end{block}"));
        line(&format!("\nwhile.body{block}:\n  %add{block} = add nsw i32 %value{block}, 1"));
        line(&format!("  store i32 %add{block}, ptr %x.addr, align 4"));
        line(&format!(
            "  %field{block} = getelementptr inbounds nuw %struct.node, ptr @shared, i32 0, i32 1"
        ));
        line(&format!(
            "  %call{block} = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %add{block})"
        ));
        line(&format!("  store atomic i32 %call{block}, ptr %field{block} seq_cst, align 4"));
        line(&format!("  br label %while.cond{block}"));
        line(&format!("\nwhile.end{block}:\n  %again{block} = load i32, ptr %x.addr, align 4"));
    }
    line("  ret i32 0");
    if debug {
        let _ = writeln!(
            nodes,
            "!{scope} = distinct !DISubprogram(name: \"function{index}\", scope: !1, file: !1, line: {index}, type: !4, \
             scopeLine: {index}, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !3)\n\
             !{variable} = !DILocalVariable(name: \"x\", arg: 1, scope: !{scope}, file: !1, line: {index}, type: !2)"
        );
    }
    out.push_str("}\n");
}

#[divan::bench(args = [false, true])]
fn read(bencher: Bencher, debug: bool) {
    let text = text(2000, debug);
    if let Err(error) = raddle_frontend::llvm::parse(text.as_bytes()) {
        panic!("{error}");
    }
    bencher
        .counter(BytesCount::of_slice(text.as_bytes()))
        .bench_local(|| raddle_frontend::llvm::parse(divan::black_box(text.as_bytes())).is_ok());
}
