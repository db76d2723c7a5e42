source_filename = "s.c"
target datalayout = "e-m:e-p:32:32-i64:64-f80:32-n8:16:32-S128"
target triple = "i386-pc-linux-gnu"
%s = type { i32, [2 x i8], ptr }
$c = comdat any
@g = dso_local global %s { i32 1, [2 x i8] c"a\00", ptr getelementptr (i8, ptr @g, i32 4) }, align 4, !dbg !0
@t = internal thread_local global float 0x3FB99999A0000000
@al = alias i32, ptr @g
declare i32 @printf(ptr noundef, ...) #0
declare void @llvm.dbg.value(metadata, metadata, metadata)
define dso_local zeroext i8 @f(i32 %x, ptr byval(%s) align 4 %p, i32) #0 !dbg !3 {
entry:
  %a = alloca i32, i32 %x, align 4
    #dbg_declare(ptr %a, !5, !DIExpression(DW_OP_plus_uconst, 4), !6)
  call void @llvm.dbg.value(metadata i32 %x, metadata !5, metadata !DIExpression()), !dbg !6
  store atomic i32 -1, ptr %a seq_cst, align 4, !dbg !6
  %1 = call i32 (ptr, ...) @printf(ptr noundef @g, double 1.5, x86_fp80 0xK3FFF8000000000000000) #1, !dbg !6
  %c = icmp slt i32 %1, 0
  %r = cmpxchg weak ptr %a, i32 0, i32 1 acq_rel monotonic, align 4
  %v = extractvalue { i32, i1 } %r, 0
  switch i32 %v, label %b [ i32 1, label %3
    i32 -2, label %b ]
b:
  %q = phi i32 [ %v, %entry ], [ 7, %entry ], [ %1, %3 ]
  %w = getelementptr inbounds nuw %s, ptr %p, i32 0, i32 1
  br i1 %c, label %3, label %e
3:
  call void asm sideeffect "nop", "~{memory}"() #1, !srcloc !7
  br label %b
e:
  ret i8 1
}
attributes #0 = { noinline noreturn "frame-pointer"="all" }
attributes #1 = { nounwind }
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "g", scope: !2, file: !4, line: 3, type: !8, isLocal: false)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !4, producer: "clang", isOptimized: false)
!3 = distinct !DISubprogram(name: "f", scope: !4, file: !4, line: 5, type: !9, spFlags: DISPFlagDefinition, unit: !2)
!4 = !DIFile(filename: "s.c", directory: "/d", checksumkind: CSK_MD5, checksum: "0")
!5 = !DILocalVariable(name: "a", arg: 1, scope: !3, file: !4, line: 5, type: !8)
!6 = !DILocation(line: 6, column: 3, scope: !3)
!7 = !{i32 2, !"Debug Info Version", i32 3, null, !{!"x"}}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DISubroutineType(types: !{null, !8})
