//! Debug information: every kind of node that is kept, records and intrinsics.

use crate::llvm::ast::{DebugKind, DebugRecord, LocalId, Op, Value};
use crate::llvm::metadata::{Encoding, Location, MetadataId, MetadataOperand, Node, Tag};
use crate::llvm::{Module, parse};

fn read(text: &str) -> Module {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// `!0` of a file that defines it by this text.
fn node(text: &str) -> (Module, Node) {
    let module = read(&format!("!0 = {text}"));
    let node = module.metadata.get(MetadataId(0)).unwrap().clone();
    (module, node)
}

#[test]
fn places() {
    let (_, found) = node(
        "distinct !DILocation(line: 3, column: 7, scope: !5, inlinedAt: !6, isImplicitCode: true)",
    );
    let expected = Location {
        line: 3,
        column: 7,
        scope: Some(MetadataId(5)),
        inlined_at: Some(MetadataId(6)),
    };
    assert_eq!(found, Node::Location(expected));
    let (module, found) = node(
        "!DIFile(filename: \"a\\5Cb.c\", directory: \"/d\", checksumkind: CSK_MD5, checksum: \"00\")",
    );
    let Node::File(file) = found else { panic!("{found:?}") };
    assert_eq!((module.name(file.name), module.name(file.directory)), ("a\\b.c", "/d"));
    let (_, found) = node("distinct !DILexicalBlock(scope: !1, file: !2, line: 3, column: 4)");
    let Node::LexicalBlock(block) = found else { panic!("{found:?}") };
    assert_eq!((block.scope, block.line, block.column), (Some(MetadataId(1)), 3, 4));
    let (_, found) = node("!DILexicalBlockFile(scope: !1, file: !2, discriminator: 2)");
    let Node::LexicalBlock(block) = found else { panic!("{found:?}") };
    assert_eq!((block.file, block.line), (Some(MetadataId(2)), 0));
    let (module, found) = node(
        "distinct !DISubprogram(name: \"f\", linkageName: \"_f\", scope: !1, file: !2, line: 3, type: !4, scopeLine: 5,
         flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !6, retainedNodes: !7)",
    );
    let Node::Subprogram(function) = found else { panic!("{found:?}") };
    assert_eq!(function.name.map(|name| module.name(name)), Some("f"));
    assert_eq!(
        (function.line, function.scope_line, function.retained_nodes),
        (3, 5, Some(MetadataId(7)))
    );
}

#[test]
fn types() {
    for (word, encoding) in [
        ("DW_ATE_signed", Encoding::Signed),
        ("DW_ATE_unsigned", Encoding::Unsigned),
        ("DW_ATE_signed_char", Encoding::SignedChar),
        ("DW_ATE_unsigned_char", Encoding::UnsignedChar),
        ("DW_ATE_boolean", Encoding::Boolean),
        ("DW_ATE_float", Encoding::Float),
        ("DW_ATE_complex_float", Encoding::ComplexFloat),
        ("DW_ATE_UTF", Encoding::Utf),
        ("DW_ATE_fixed", Encoding::Other),
    ] {
        let (_, found) = node(&format!("!DIBasicType(name: \"t\", size: 16, encoding: {word})"));
        let Node::BasicType(basic) = found else { panic!("{found:?}") };
        assert_eq!((basic.size, basic.encoding), (16, encoding));
    }
    for (word, tag) in [
        ("typedef", Tag::Typedef),
        ("pointer_type", Tag::Pointer),
        ("member", Tag::Member),
        ("const_type", Tag::Const),
        ("volatile_type", Tag::Volatile),
        ("restrict_type", Tag::Restrict),
        ("atomic_type", Tag::Atomic),
        ("friend", Tag::Other),
    ] {
        let (_, found) = node(&format!(
            "!DIDerivedType(tag: DW_TAG_{word}, name: \"m\", scope: !1, file: !2, line: 9, baseType: !3, size: 3, offset: 35, flags: DIFlagBitField, extraData: i64 32)"
        ));
        let Node::DerivedType(derived) = found else { panic!("{found:?}") };
        assert_eq!(
            (derived.tag, derived.size, derived.offset, derived.bit_field),
            (tag, 3, 35, true)
        );
        assert_eq!((derived.base, derived.line), (Some(MetadataId(3)), 9));
    }
    for (word, tag) in [
        ("structure_type", Tag::Structure),
        ("union_type", Tag::Union),
        ("array_type", Tag::Array),
        ("enumeration_type", Tag::Enumeration),
    ] {
        let (_, found) = node(&format!(
            "distinct !DICompositeType(tag: DW_TAG_{word}, baseType: !3, size: 64, flags: DIFlagVector, elements: !4)"
        ));
        let Node::CompositeType(composite) = found else { panic!("{found:?}") };
        assert_eq!((composite.tag, composite.size, composite.vector), (tag, 64, true));
        assert_eq!(
            (composite.base, composite.elements, composite.name),
            (Some(MetadataId(3)), Some(MetadataId(4)), None)
        );
    }
    let counts = [
        ("count: 5", Some(5), None),
        ("count: -1", None, None),
        ("count: !7", None, Some(MetadataId(7))),
        ("", None, None),
    ];
    for (text, count, variable) in counts {
        let (_, found) = node(&format!("!DISubrange({text})"));
        let Node::Subrange(range) = found else { panic!("{found:?}") };
        assert_eq!((range.count, range.variable), (count, variable), "{text}");
    }
    let (module, found) = node("!DIEnumerator(name: \"E\", value: -3)");
    let Node::Enumerator { name, value } = found else { panic!("{found:?}") };
    assert_eq!((module.name(name), value), ("E", -3));
    let (module, found) = node("!DISubroutineType(cc: DW_CC_normal, types: !{null, !5})");
    let Node::SubroutineType { types: Some(types) } = found else { panic!("{found:?}") };
    let expected = vec![MetadataOperand::Null, MetadataOperand::Node(MetadataId(5))];
    assert_eq!(module.metadata.get(types), Some(&Node::Tuple(expected)));
}

#[test]
fn variables() {
    let (module, found) = node(
        "!DILocalVariable(name: \"x\", arg: 2, scope: !1, file: !2, line: 3, type: !4, flags: DIFlagArtificial, align: 32)",
    );
    let Node::LocalVariable(variable) = found else { panic!("{found:?}") };
    assert_eq!(variable.name.map(|name| module.name(name)), Some("x"));
    assert_eq!((variable.argument, variable.line, variable.artificial), (2, 3, true));
    let (module, found) = node(
        "!DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 7, DW_OP_stack_value))",
    );
    let Node::GlobalVariableExpression { variable, expression } = found else {
        panic!("{found:?}")
    };
    assert_eq!(variable, Some(MetadataId(1)));
    let Some(Node::Expression(ops)) = module.metadata.get(expression.unwrap()) else { panic!() };
    assert_eq!(ops.len(), 3);
    let (_, found) = node(
        "distinct !DIGlobalVariable(name: \"g\", scope: !1, file: !2, line: 3, type: !4, isLocal: true, isDefinition: true)",
    );
    assert!(
        matches!(found, Node::GlobalVariable(variable) if variable.line == 3 && variable.ty == Some(MetadataId(4)))
    );
    let (_, found) = node("!DILabel(scope: !1, name: \"out\", file: !2, line: 3)");
    assert!(matches!(found, Node::Label { line: 3, .. }));
    let (_, found) = node(
        "distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: \"clang\", emissionKind: FullDebug, globals: !{}, splitDebugInlining: false)",
    );
    assert!(matches!(found, Node::CompileUnit { file: Some(MetadataId(1)), producer: Some(_) }));
}

#[test]
fn other_nodes() {
    for text in [
        "!DIMacro(type: DW_MACINFO_define, line: 1, name: \"A\", value: \"(x)\")",
        "!DITemplateValueParameter(value: i32 5)",
        "!GenericDINode(tag: 3, operands: {!1, null})",
        "distinct !DIAssignID()",
        "!DIStringType(stringLengthExpression: !DIExpression(DW_OP_deref))",
    ] {
        let (_, found) = node(text);
        assert!(matches!(found, Node::Other(_)), "{text}");
    }
    let (module, found) =
        node("!{i32 7, !\"s\", null, !{}, !3, ptr @x, !DIExpression()}\n@x = global i32 0");
    let Node::Tuple(elements) = found else { panic!("{found:?}") };
    assert_eq!(elements.len(), 7);
    assert!(matches!(elements[1], MetadataOperand::String(text) if module.name(text) == "s"));
    let module = read("!llvm.ident = !{!0, !1}\n!odd\\20name = !{}\n!0 = !{!\"a\"}");
    let name = module.symbols.find("llvm.ident").unwrap();
    assert_eq!(module.metadata.named[&name], [MetadataId(0), MetadataId(1)]);
    assert!(module.metadata.get(MetadataId(1)).is_none());
    assert!(module.symbols.find("odd name").is_some());
}

/// The records of a function, with the place of each.
fn records(line: &str) -> Vec<(DebugRecord, Option<MetadataId>)> {
    let module = read(&format!(
        "declare void @llvm.dbg.declare(metadata, metadata, metadata)
         declare void @llvm.dbg.value(metadata, metadata, metadata)
         declare void @llvm.dbg.label(metadata)
         declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)
         define void @f(ptr %p, i32 %i) {{\n{line}\n  ret void\n}}"
    ));
    let mut functions = module.functions;
    let blocks = functions.pop().unwrap().blocks;
    let instructions = blocks.into_iter().flat_map(|block| block.instructions);
    instructions
        .map(|instruction| match instruction.op {
            Op::Debug(record) => (*record, instruction.debug),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn records_and_intrinsics_are_the_same() {
    let all = [
        (
            "#dbg_declare(ptr %p, !1, !DIExpression(), !2)",
            "call void @llvm.dbg.declare(metadata ptr %p, metadata !1, metadata !DIExpression()), !dbg !2",
            DebugKind::Declare,
            Some(LocalId(0)),
        ),
        (
            "#dbg_value(i32 %i, !1, !DIExpression(DW_OP_deref), !2)",
            "tail call void @llvm.dbg.value(metadata i32 %i, metadata !1, metadata !DIExpression(DW_OP_deref)) #4, !dbg !2",
            DebugKind::Value,
            Some(LocalId(1)),
        ),
        (
            "#dbg_value(i32 poison, !1, !DIExpression(), !2)",
            "call void @llvm.dbg.value(metadata i32 undef, metadata !1, metadata !DIExpression()), !dbg !2",
            DebugKind::Value,
            None,
        ),
        (
            "#dbg_value(!DIArgList(i32 %i, ptr %p), !1, !DIExpression(DW_OP_LLVM_arg, 0), !2)",
            "call void @llvm.dbg.value(metadata !DIArgList(i32 %i, ptr %p), metadata !1, metadata !DIExpression(DW_OP_LLVM_arg, 0)), !dbg !2",
            DebugKind::Value,
            None,
        ),
        (
            "#dbg_assign(i32 %i, !1, !DIExpression(), !3, ptr %p, !DIExpression(), !2)",
            "call void @llvm.dbg.assign(metadata i32 %i, metadata !1, metadata !DIExpression(), metadata !3, metadata ptr %p, metadata !DIExpression()), !dbg !2",
            DebugKind::Assign,
            Some(LocalId(1)),
        ),
        (
            "#dbg_label(!1, !2)",
            "call void @llvm.dbg.label(metadata !1), !dbg !2",
            DebugKind::Label,
            None,
        ),
    ];
    for (record, call, kind, value) in all {
        for text in [record, call] {
            let found = records(text);
            let [(found, place)] = found.as_slice() else { panic!("{text}") };
            assert_eq!(
                (found.kind, found.variable, *place),
                (kind, MetadataId(1), Some(MetadataId(2))),
                "{text}"
            );
            let local = found.value.as_ref().map(|operand| operand.value.clone());
            assert_eq!(local, value.map(Value::Local), "{text}");
            assert_eq!(found.expression.is_some(), kind != DebugKind::Label, "{text}");
        }
    }
}

#[test]
fn instructions_keep_their_place() {
    let module = read(
        "define i32 @f(ptr %p) !dbg !9 {\n  %x = load i32, ptr %p, align 4, !tbaa !1, !dbg !2\n  ret i32 %x, !dbg !DILocation(line: 5, scope: !9)\n}",
    );
    let function = &module.functions[0];
    assert_eq!(function.debug, Some(MetadataId(9)));
    let load = &function.blocks[0].instructions[0];
    assert_eq!((load.debug, load.line), (Some(MetadataId(2)), 2));
    let inline = module.metadata.get(function.blocks[0].terminator.debug.unwrap());
    assert!(matches!(inline, Some(Node::Location(location)) if location.line == 5));
}
