//! Every construct, read and written again: the text must come back as it was, or as the table
//! says.

use crate::llvm::ast::{Callee, CallingConvention, Item, Linkage, LocalName, Op};
use crate::llvm::{Module, parse, print};

/// What the instructions below may use.
const HEAD: &str = "
%named = type { i32, [2 x i8] }
declare i32 @f(i32)
declare void @g(...)
declare void @h(ptr)
@x = global i32 0
define void @test(i32 %i, i64 %l, ptr %p, float %s, double %d, <4 x i32> %v, <4 x float> %w, %named %n,
                  {i32, i1} %a, i1 %c, i8 %b, x86_fp80 %e, i128 %q, <4 x i1> %m, ptr addrspace(3) %far) {
entry:
";

fn read(text: &str) -> Module {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The last instruction before `ret void` in a function with all sorts of parameters, written
/// again.
fn instruction(text: &str) -> String {
    let module = read(&format!("{HEAD}  {text}\n  ret void\n}}\n"));
    let function = module.function("test").unwrap();
    let block = &function.blocks[0];
    print::instruction(&module, function, block.instructions.last().unwrap())
}

fn check_instruction(text: &str, expected: &str) {
    assert_eq!(instruction(&format!("%r = {text}")), expected);
}

/// Instructions that are written as they were read.
const UNCHANGED: &[&str] = &[
    "add i32 %i, 1",
    "add nuw nsw i32 %i, -1",
    "sub nsw i32 0, %i",
    "mul i64 %l, %l",
    "udiv exact i32 %i, 3",
    "sdiv i32 %i, -2147483648",
    "urem i32 %i, 7",
    "srem i32 %i, 7",
    "shl nuw i32 %i, 2",
    "lshr exact i32 %i, 2",
    "ashr i32 %i, 31",
    "and i1 %c, true",
    "or disjoint i32 %i, 1",
    "xor i8 %b, -128",
    "add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>",
    "add <4 x i32> %v, splat (i32 7)",
    "add <4 x i32> %v, zeroinitializer",
    "fadd double %d, 0x3FF0000000000000",
    "fsub nnan ninf double %d, %d",
    "fmul float %s, %s",
    "fdiv float %s, %s",
    "frem double %d, %d",
    "fneg double %d",
    "fneg <4 x float> %w",
    "icmp eq ptr %p, null",
    "icmp ne i32 %i, 0",
    "icmp ugt i32 %i, 0",
    "icmp uge i32 %i, 0",
    "icmp ult i32 %i, 0",
    "icmp ule i32 %i, 0",
    "icmp sgt i32 %i, 0",
    "icmp sge i32 %i, 0",
    "icmp slt i32 %i, 0",
    "icmp sle <4 x i32> %v, zeroinitializer",
    "fcmp false double %d, %d",
    "fcmp oeq double %d, %d",
    "fcmp ogt double %d, %d",
    "fcmp oge double %d, %d",
    "fcmp olt double %d, %d",
    "fcmp ole double %d, %d",
    "fcmp one double %d, %d",
    "fcmp ord double %d, %d",
    "fcmp ueq double %d, %d",
    "fcmp ugt double %d, %d",
    "fcmp uge double %d, %d",
    "fcmp ult double %d, %d",
    "fcmp ule double %d, %d",
    "fcmp une double %d, %d",
    "fcmp uno double %d, %d",
    "fcmp true double %d, %d",
    "select i1 %c, i32 1, i32 %i",
    "select <4 x i1> %m, <4 x i32> %v, <4 x i32> poison",
    "trunc i32 %i to i8",
    "trunc nuw nsw i32 %i to i8",
    "zext nneg i32 %i to i64",
    "sext i8 %b to i128",
    "fptrunc double %d to half",
    "fpext float %s to x86_fp80",
    "fptoui double %d to i32",
    "fptosi double %d to i32",
    "uitofp nneg i32 %i to float",
    "sitofp i32 %i to bfloat",
    "ptrtoint ptr %p to i64",
    "inttoptr i64 %l to ptr",
    "bitcast float %s to i32",
    "addrspacecast ptr addrspace(3) %far to ptr",
    "getelementptr inbounds %named, ptr %p, i32 0, i32 1, i64 %l",
    "getelementptr i8, ptr %p, i32 -1",
    "getelementptr nusw nuw i8, ptr %p, i32 1",
    "getelementptr inbounds nuw i8, ptr %p, <4 x i32> %v",
    "alloca i32",
    "alloca i32, align 4",
    "alloca [3 x %named], align 16",
    "alloca i8, i32 %i, align 1",
    "alloca i8, i64 4, align 1, addrspace(5)",
    "load i32, ptr %p",
    "load volatile i32, ptr %p, align 4",
    "load atomic i32, ptr %p seq_cst, align 4",
    "load atomic volatile i64, ptr @x syncscope(\"singlethread\") unordered, align 8",
    "load %named, ptr addrspace(3) %far, align 2",
    "cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic, align 4",
    "cmpxchg weak volatile ptr %p, ptr null, ptr @x syncscope(\"agent\") acq_rel acquire, align 8",
    "atomicrmw add ptr %p, i32 1 monotonic, align 4",
    "atomicrmw volatile xchg ptr %p, ptr @x release",
    "atomicrmw sub ptr %p, i32 1 seq_cst",
    "atomicrmw and ptr %p, i32 1 seq_cst",
    "atomicrmw nand ptr %p, i32 1 seq_cst",
    "atomicrmw or ptr %p, i32 1 seq_cst",
    "atomicrmw xor ptr %p, i32 1 seq_cst",
    "atomicrmw max ptr %p, i32 1 seq_cst",
    "atomicrmw min ptr %p, i32 1 seq_cst",
    "atomicrmw umax ptr %p, i32 1 seq_cst",
    "atomicrmw umin ptr %p, i32 1 seq_cst",
    "atomicrmw fadd ptr %p, float %s seq_cst",
    "atomicrmw fsub ptr %p, double %d seq_cst",
    "atomicrmw fmax ptr %p, float %s seq_cst",
    "atomicrmw fmin ptr %p, float %s seq_cst",
    "atomicrmw fmaximum ptr %p, float %s seq_cst",
    "atomicrmw fminimum ptr %p, float %s seq_cst",
    "atomicrmw uinc_wrap ptr %p, i32 9 seq_cst",
    "atomicrmw udec_wrap ptr %p, i32 9 seq_cst",
    "atomicrmw usub_cond ptr %p, i32 9 seq_cst",
    "atomicrmw usub_sat ptr %p, i32 9 seq_cst, align 4",
    "extractvalue %named %n, 1, 0",
    "extractvalue { i32, i1 } %a, 1",
    "insertvalue { i32, i1 } %a, i32 %i, 0",
    "insertvalue { i32, i1 } poison, i1 true, 1",
    "extractelement <4 x i32> %v, i32 3",
    "insertelement <4 x i32> %v, i32 %i, i64 %l",
    "shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 undef>",
    "va_arg ptr %p, i32",
    "freeze i32 %i",
    "call i32 @f(i32 %i)",
    "call zeroext i8 %p(i32 zeroext 1, ptr byval(%named) align 4 %p)",
    "tail call fastcc i32 @f(i32 signext %i)",
    "musttail call i32 @f(i32 1)",
    "notail call coldcc i32 @f(i32 1)",
    "call i32 (ptr, ...) @g(ptr @x, i32 1, double %d)",
    "call nnan ninf double @g(double %d)",
    "call i32 asm sideeffect \"rdtsc\\0A\", \"=r,~{memory}\"()",
    "call i32 inttoptr (i64 64 to ptr)()",
    "call i32 @f(i32 1) noreturn returns_twice",
];

#[test]
fn instructions_that_come_back() {
    for text in UNCHANGED {
        check_instruction(text, text);
    }
}

#[test]
fn instructions_without_result() {
    for text in [
        "store i32 1, ptr %p",
        "store volatile i32 1, ptr %p, align 1",
        "store atomic i32 1, ptr %p release, align 4",
        "store atomic volatile ptr null, ptr %p syncscope(\"x\") seq_cst, align 8",
        "store %named { i32 1, [2 x i8] c\"\\00a\" }, ptr %p, align 4",
        "fence seq_cst",
        "fence syncscope(\"singlethread\") acq_rel",
        "call void @g()",
        "call void @h(ptr sret(%named) align 8 %p)",
    ] {
        assert_eq!(instruction(text), text);
    }
}

#[test]
fn instructions_written_otherwise() {
    for (text, expected) in [
        ("fadd fast double %d, 1.0", "fadd nnan ninf double %d, 0x3FF0000000000000"),
        ("fadd nsz arcp contract afn reassoc double %d, %d", "fadd double %d, %d"),
        ("icmp samesign ult i32 %i, 5", "icmp ult i32 %i, 5"),
        ("fcmp fast olt float %s, 0.5", "fcmp olt float %s, 0x3FE0000000000000"),
        (
            "select nnan i1 %c, double %d, double 1.0",
            "select i1 %c, double %d, double 0x3FF0000000000000",
        ),
        ("add i8 %b, 255", "add i8 %b, -1"),
        ("add i8 %b, u0xFf", "add i8 %b, -1"),
        ("add i128 %q, -1", "add i128 %q, u0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
        ("alloca inalloca i32, align 4", "alloca i32, align 4"),
        ("load i32, ptr %p, align 4, !nontemporal !{i32 1}, !tbaa !5", "load i32, ptr %p, align 4"),
        (
            "call noalias noundef nonnull align 8 dereferenceable(8) ptr @f(i32 noundef %i) #3",
            "call align 8 ptr @f(i32 %i)",
        ),
        (
            "call range(i32 0, 5) i32 @f(i32 inreg nocapture captures(none) \"k\"=\"v\" \"w\" 5)",
            "call i32 @f(i32 5)",
        ),
        (
            "call i32 @f(i32 1) nounwind memory(argmem: readwrite) \"a\"=\"b\" [ \"deopt\"(i32 1, ptr @x), \"x\"() ]",
            "call i32 @f(i32 1)",
        ),
        ("call cc 8 i32 @f(i32 1)", "call fastcc i32 @f(i32 1)"),
        ("call addrspace(0) i32 @f(i32 1)", "call i32 @f(i32 1)"),
        ("call i32 asm alignstack inteldialect \"nop\", \"\"()", "call i32 asm \"nop\", \"\"()"),
        (
            "landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr @x]",
            "unsupported \"landingpad\"",
        ),
        ("cleanuppad within none []", "unsupported \"cleanuppad\""),
        ("fpext float 0x7FF8000000000000 to double", "fpext float 0x7FF8000000000000 to double"),
        ("load i32, ptr addrspace(0) %p", "load i32, ptr %p"),
    ] {
        check_instruction(text, expected);
    }
}

/// The initialiser of a global, written again.
fn check_constant(text: &str, expected: &str) {
    let module = read(&format!(
        "%named = type {{ i32, [2 x i8] }}\n@x = global i32 0\n@y = global {text}\n
         define void @f() {{\n br label %b\nb:\n br label %1\n1:\n ret void\n}}\n"
    ));
    let global = module.global("y").unwrap();
    let value = global.initializer.clone().unwrap();
    let operand = crate::llvm::ast::Operand { ty: global.ty, value };
    assert_eq!(print::operand(&module, &operand), expected);
}

#[test]
fn constants_that_come_back() {
    for text in [
        "i1 true",
        "i32 -7",
        "i64 9223372036854775807",
        "ptr null",
        "ptr @x",
        "i32 undef",
        "i32 poison",
        "%named zeroinitializer",
        "%named { i32 1, [2 x i8] c\"a\\22\" }",
        "{ i32, i8 } { i32 1, i8 2 }",
        "<{ i32, i8 }> <{ i32 1, i8 2 }>",
        "{} {}",
        "[2 x [1 x i16]] [[1 x i16] [i16 1], [1 x i16] zeroinitializer]",
        "[0 x i32] []",
        "<2 x i1> <i1 true, i1 false>",
        "float 0x3FB99999A0000000",
        "double 0x4005BF0A8B145769",
        "half 0xH3C00",
        "bfloat 0xR3F80",
        "x86_fp80 0xK3FFF8000000000000000",
        "fp128 0xL00000000000000013FFF000000000000",
        "ppc_fp128 0xM3FF00000000000000000000000000000",
        "i72 u0x0000000000000001FFFFFFFFFFFFFFFF",
        "ptr getelementptr (i8, ptr @x, i64 4)",
        "ptr getelementptr inbounds (%named, ptr @x, i32 0, i32 1)",
        "i64 ptrtoint (ptr @x to i64)",
        "ptr inttoptr (i64 add (i64 ptrtoint (ptr @x to i64), i64 1) to ptr)",
        "i32 trunc (i64 ptrtoint (ptr @x to i64) to i32)",
        "i64 sub nuw nsw (i64 ptrtoint (ptr @x to i64), i64 1)",
        "i64 xor (i64 ptrtoint (ptr @x to i64), i64 -1)",
        "ptr addrspace(1) addrspacecast (ptr @x to ptr addrspace(1))",
        "i1 icmp eq (ptr @x, ptr null)",
        "i1 fcmp olt (double 0x0000000000000000, double 0x0000000000000000)",
        "i32 select (i1 icmp ne (ptr @x, ptr null), i32 1, i32 2)",
        "ptr blockaddress(@f, %b)",
        "ptr blockaddress(@f, %1)",
        "i32 extractelement (<2 x i32> <i32 1, i32 2>, i32 0)",
        "<2 x i32> insertelement (<2 x i32> poison, i32 2, i32 0)",
        "<2 x i32> shufflevector (<2 x i32> undef, <2 x i32> undef, <2 x i32> zeroinitializer)",
        "<4 x i32> splat (i32 1)",
        "target(\"spirv.Image\") zeroinitializer",
        "ptr addrspace(7) null",
        "[2 x ptr] [ptr @x, ptr @f]",
    ] {
        check_constant(text, text);
    }
}

#[test]
fn constants_written_otherwise() {
    for (text, expected) in [
        ("double 1.000000e+00", "double 0x3FF0000000000000"),
        ("float -0.0", "float 0x8000000000000000"),
        ("half 1.0", "half 0xH3C00"),
        ("i128 1", "i128 u0x00000000000000000000000000000001"),
        ("i1 1", "i1 true"),
        ("i8 s0xF", "i8 -1"),
        (
            "ptr getelementptr inbounds inrange(-16, 8) (i8, ptr @x, i32 1)",
            "ptr getelementptr inbounds (i8, ptr @x, i32 1)",
        ),
        ("ptr getelementptr (i8, ptr @x, inrange i32 1)", "ptr getelementptr (i8, ptr @x, i32 1)"),
        ("ptr dso_local_equivalent @f", "ptr unsupported \"dso_local_equivalent\""),
        ("ptr no_cfi @f", "ptr unsupported \"no_cfi\""),
        ("ptr ptrauth (ptr @x, i32 0)", "ptr unsupported \"ptrauth\""),
        ("i9999 1", "i9999 unsupported \"an integer literal of more than 4096 bits\""),
    ] {
        check_constant(text, expected);
    }
}

/// The terminator of the entry block, written again.
fn check_terminator(text: &str, expected: &str) {
    let module = read(&format!(
        "declare i32 @f(i32)\n
         define i32 @test(i32 %i, i1 %c, ptr %p, i128 %q) {{\nentry:\n  {text}\na:\n  ret i32 0\nb:\n  ret i32 1\n}}\n"
    ));
    let function = module.function("test").unwrap();
    assert_eq!(print::terminator(&module, function, &function.blocks[0].terminator), expected);
}

#[test]
fn terminators() {
    for text in [
        "ret i32 %i",
        "br label %b",
        "br i1 %c, label %b, label %a",
        "br i1 true, label %a, label %a",
        "switch i32 %i, label %b [ i32 1, label %a i32 -2, label %b ]",
        "switch i32 %i, label %b [ ]",
        "indirectbr ptr %p, [label %b, label %a]",
        "unreachable",
    ] {
        check_terminator(text, text);
    }
    let named = "invoke i32 @f(i32 1) to label %a unwind label %b";
    check_terminator(&format!("%r = {named}"), named);
    let named = "callbr i32 asm sideeffect \"jmp ${1:l}\", \"=r,!i\"() to label %a [label %b]";
    check_terminator(&format!("%r = {named}"), named);
    for (text, expected) in [
        (
            "switch i128 %q, label %b [ i128 18446744073709551616, label %a ]",
            "switch i128 %q, label %b [ i128 u0x00000000000000010000000000000000, label %a ]",
        ),
        ("resume { ptr, i32 } poison", "unsupported \"resume\""),
        ("cleanupret from none unwind to caller", "unsupported \"cleanupret\""),
        ("catchret from none to label %a", "unsupported \"catchret\""),
        ("%r = catchswitch within none [label %a] unwind to caller", "unsupported \"catchswitch\""),
        ("br label %b, !dbg !1, !llvm.loop !2", "br label %b"),
    ] {
        check_terminator(text, expected);
    }
}

#[test]
fn types() {
    for text in [
        "i1",
        "i17",
        "i8388608",
        "half",
        "bfloat",
        "float",
        "double",
        "x86_fp80",
        "fp128",
        "ppc_fp128",
        "x86_amx",
        "ptr",
        "ptr addrspace(2)",
        "[0 x i8]",
        "[18446744073709551615 x i8]",
        "<3 x float>",
        "<vscale x 4 x i32>",
        "<2 x ptr>",
        "{}",
        "{ i32, { ptr } }",
        "<{ i8, i32 }>",
        "%struct.s",
        "%\"a b\"",
        "%\"7\"",
    ] {
        let module = read(&format!("@x = external global {text}"));
        assert_eq!(print::ty(&module, module.globals[0].ty), text);
    }
    let module = read("@f = external alias i32 (ptr, ...), ptr @g\ndeclare i32 @g(ptr, ...)");
    assert_eq!(print::ty(&module, module.aliases[0].ty), "i32 (ptr, ...)");
    let module = read("%t = type i32\n@x = global %t 5");
    assert_eq!(print::ty(&module, module.globals[0].ty), "i32");
    let module = read(
        "%a = type opaque\n%b = type { %b.2, ptr }\n%b.2 = type <{ i8, i16 }>\n@x = external global %b",
    );
    let b = module.globals[0].ty;
    assert_eq!(module.types.part(b, 1), Some(crate::llvm::types::TypeId::PTR));
    assert_eq!(module.layout.size_of(&module.types, b), Some(16));
}

#[test]
fn globals() {
    let module = read(
        "$c = comdat any
         @a = private unnamed_addr constant [3 x i8] c\"hi\\00\", align 1
         @b = internal thread_local(initialexec) global i32 5, section \".d\", align 4, !dbg !1, !dbg !2
         @c = common dso_local global ptr null, comdat, align 8
         @d = external dso_local global i32
         @e = extern_weak hidden global i32, align 4
         @f = weak_odr protected local_unnamed_addr addrspace(3) externally_initialized global i32 undef, comdat($c), no_sanitize_address
         @g = linkonce global i32 1, partition \"p\", code_model \"large\"
         @h = appending global [1 x ptr] [ptr @x], section \"llvm.metadata\"
         @i = available_externally dllimport constant i32 1
         @\"odd name\\22\" = global i32 1
         @0 = private constant i32 7
         @al = weak alias i32, ptr @b
         @al2 = alias i8, getelementptr (i8, ptr @b, i32 1)
         @if = ifunc i32 (), ptr @x, partition \"q\"
         declare ptr @x()",
    );
    let show = |name: &str| {
        let global = module.global(name).unwrap();
        (
            global.linkage,
            global.constant,
            global.thread_local,
            global.initializer.is_some(),
            global.align,
        )
    };
    assert_eq!(show("a"), (Linkage::Private, true, false, true, Some(1)));
    assert_eq!(show("b"), (Linkage::Internal, false, true, true, Some(4)));
    assert_eq!(show("c"), (Linkage::Common, false, false, true, Some(8)));
    assert_eq!(show("d"), (Linkage::External, false, false, false, None));
    assert_eq!(show("e"), (Linkage::ExternWeak, false, false, false, Some(4)));
    assert_eq!(show("f"), (Linkage::WeakOdr, false, false, true, None));
    assert_eq!(show("g"), (Linkage::LinkOnce, false, false, true, None));
    assert_eq!(show("h"), (Linkage::Appending, false, false, true, None));
    assert_eq!(show("i"), (Linkage::AvailableExternally, true, false, true, None));
    assert_eq!(show("odd name\""), (Linkage::External, false, false, true, None));
    assert_eq!(show("@0"), (Linkage::Private, true, false, true, None));
    assert_eq!(module.global("b").unwrap().debug.len(), 2);
    assert_eq!(module.global("f").unwrap().address_space, 3);
    assert!(module.global("f").unwrap().externally_initialized);
    let section = module.global("b").unwrap().section.unwrap();
    assert_eq!(module.name(section), ".d");
    assert_eq!((module.aliases.len(), module.aliases[2].ifunc), (3, true));
    assert!(matches!(module.item("al"), Some(Item::Alias(0))));
}

#[test]
fn function_heads() {
    let module = read(
        "declare !dbg !4 i32 @a(ptr noundef, ...) #0
         declare void @b(i32 noundef signext %named, ptr byval([4 x i8]) align 4, ptr noalias sret(i64) align 8) nounwind \"x\"=\"y\"
         define internal fastcc zeroext i8 @c(i32 %x, i32, i32 %1) unnamed_addr #1 section \"s\" comdat($c) align 16 gc \"g\" prefix i32 1 prologue i32 2 personality ptr @a !dbg !5 !prof !6 {
           ret i8 0
         }
         $c = comdat largest
         define x86_stdcallcc noundef i32 @d() local_unnamed_addr addrspace(0) noreturn {
         l:
           unreachable
         }
         attributes #0 = { noreturn nounwind \"k\"=\"v\" memory(none) alignstack=4 allockind(\"alloc\") }
         attributes #1 = { returns_twice }",
    );
    let a = module.function("a").unwrap();
    assert!(a.variadic && !a.is_definition() && a.attributes.noreturn && a.debug.is_some());
    let b = module.function("b").unwrap();
    let attributes: Vec<_> = b.parameters.iter().map(|parameter| parameter.attributes).collect();
    assert!(
        attributes[0].sign_extend && attributes[1].byval.is_some() && attributes[2].sret.is_some()
    );
    assert_eq!((attributes[1].align, attributes[2].align), (Some(4), Some(8)));
    let c = module.function("c").unwrap();
    assert_eq!(
        (c.linkage, c.calling_convention, c.parameters.len()),
        (Linkage::Internal, CallingConvention::Fast, 3)
    );
    assert!(c.result_attributes.zero_extend && c.attributes.returns_twice && c.debug.is_some());
    let names: Vec<LocalName> = c.locals.iter().map(|local| local.name).collect();
    assert!(matches!(names[0], LocalName::Named(_)));
    assert_eq!(names[1..], [LocalName::Numbered(0), LocalName::Numbered(1)]);
    assert_eq!(c.blocks[0].name, LocalName::Numbered(2));
    let d = module.function("d").unwrap();
    assert!(d.attributes.noreturn && d.calling_convention == CallingConvention::Other);
}

#[test]
fn numbering_and_order_of_blocks() {
    let module = read(
        "declare i32 @g()
         define i32 @f(i1 %0, i32 %1) {
           br i1 %0, label %6, label %3
         3:
           call i32 @g()
           %5 = phi i32 [ %7, %6 ], [ %1, %2 ], [ %5, %3 ]
           br label %3
         6:
           %7 = add i32 %1, 1
           br i1 %0, label %3, label %\"quoted label\"
         \"quoted label\":
           ret i32 %5
           uselistorder i32 %7, { 1, 0 }
           uselistorder label %3, { 1, 0, 2 }
         }
         uselistorder ptr @g, { 1, 0 }
         uselistorder_bb @f, %3, { 1, 0 }
         ^0 = module: (path: \"x\", hash: (0, 0))
         ^1 = blockcount: 5",
    );
    let function = module.function("f").unwrap();
    let text: Vec<String> = function
        .blocks
        .iter()
        .map(|block| print::terminator(&module, function, &block.terminator))
        .collect();
    assert_eq!(
        text,
        [
            "br i1 %0, label %6, label %3",
            "br label %3",
            "br i1 %0, label %3, label %\"quoted label\"",
            "ret i32 %5"
        ]
    );
    let phi = &function.blocks[1].instructions[1];
    assert_eq!(
        print::instruction(&module, function, phi),
        "phi i32 [ %7, %6 ], [ %1, %2 ], [ %5, %3 ]"
    );
}

#[test]
fn module_level() {
    let module = read(
        "; ModuleID = 'x.c'
         source_filename = \"x.c\"
         target datalayout = \"e-p:32:32\"
         target triple = \"i386-pc-linux-gnu\"
         module asm \".globl \\22x\\22\"
         module asm \"x:\"",
    );
    assert_eq!((&*module.source_file, &*module.triple), ("x.c", "i386-pc-linux-gnu"));
    assert_eq!(module.layout.pointer_bits(0), 32);
    assert_eq!(module.assembly, [".globl \"x\"", "x:"]);
    assert!(parse(b"").unwrap().functions.is_empty());
}

#[test]
fn attributes_of_calls_come_from_groups_too() {
    let module = read(
        "declare void @g()
         define void @f() {
           call void @g() #1
           call void @g() #2
           unreachable
         }
         attributes #1 = { cold noreturn }
         attributes #2 = { nounwind }",
    );
    let function = module.function("f").unwrap();
    let noreturn: Vec<bool> = function.blocks[0]
        .instructions
        .iter()
        .map(|instruction| match &instruction.op {
            Op::Call(call) => {
                assert!(matches!(call.callee, Callee::Global(_)));
                module.call_attributes(call).noreturn
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(noreturn, [true, false]);
}
