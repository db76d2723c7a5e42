//! Metadata: nodes, attachments and debug records.
//!
//! Idea: fields of a specialised node are `name: value` in any order. One rule reads a value of any
//!   shape into a `Field`, and a short table per kind of node picks what is kept; new fields and
//!   new kinds of nodes are read over.
//! Source: LLVM Language Reference, "Metadata"; "Debug Records" for `#dbg_*`.
//! Invariants: nothing is rejected for its meaning; only what is no metadata at all fails.
//! Limits: attachments other than `!dbg`, and the fields of unknown nodes, are dropped.
//! Length: one short table per kind of node.
//! Elsewhere: the nodes themselves in `metadata.rs`.

use super::ast::{Constant, DebugKind, DebugRecord, Op, Operand, Value};
use super::lexer::Token;
use super::metadata::{
    BasicType, CompositeType, DerivedType, Encoding, ExpressionOp, File, GlobalVariable, INLINE,
    LexicalBlock, LocalVariable, Location, MetadataId, MetadataOperand, Node, Subprogram, Subrange,
    Tag,
};
use super::parser::{Parsed, Parser};
use super::symbols::Symbol;
use super::types::TypeId;

/// The value of a field.
#[derive(Clone, Copy)]
enum Field<'a> {
    Null,
    Node(MetadataId),
    Text(Symbol),
    Number(i128),
    /// The first word, and the flags among all words of `A | B | …`.
    Words(&'a [u8], FlagWords),
    /// A constant with its type, a list in braces.
    Other,
}

/// The flags that matter.
#[derive(Clone, Copy, Default)]
struct FlagWords {
    bit_field: bool,
    vector: bool,
    artificial: bool,
}

impl Field<'_> {
    fn node(self) -> Option<MetadataId> {
        if let Field::Node(id) = self { Some(id) } else { None }
    }

    /// An empty name is no name.
    fn text(self) -> Option<Symbol> {
        if let Field::Text(text) = self { Some(text) } else { None }
    }

    fn line(self) -> u32 {
        if let Field::Number(number) = self { u32::try_from(number).unwrap_or(0) } else { 0 }
    }

    fn size(self) -> u64 {
        if let Field::Number(number) = self { u64::try_from(number).unwrap_or(0) } else { 0 }
    }

    fn flags(self) -> FlagWords {
        if let Field::Words(_, flags) = self { flags } else { FlagWords::default() }
    }

    fn tag(self) -> Tag {
        let Field::Words(word, _) = self else { return Tag::Other };
        match word {
            b"DW_TAG_member" => Tag::Member,
            b"DW_TAG_pointer_type" => Tag::Pointer,
            b"DW_TAG_typedef" => Tag::Typedef,
            b"DW_TAG_structure_type" => Tag::Structure,
            b"DW_TAG_array_type" => Tag::Array,
            b"DW_TAG_const_type" => Tag::Const,
            b"DW_TAG_volatile_type" => Tag::Volatile,
            b"DW_TAG_restrict_type" => Tag::Restrict,
            b"DW_TAG_atomic_type" => Tag::Atomic,
            b"DW_TAG_union_type" => Tag::Union,
            b"DW_TAG_enumeration_type" => Tag::Enumeration,
            _ => Tag::Other,
        }
    }

    fn encoding(self) -> Encoding {
        let Field::Words(word, _) = self else { return Encoding::Other };
        match word {
            b"DW_ATE_signed" => Encoding::Signed,
            b"DW_ATE_unsigned" => Encoding::Unsigned,
            b"DW_ATE_signed_char" => Encoding::SignedChar,
            b"DW_ATE_unsigned_char" => Encoding::UnsignedChar,
            b"DW_ATE_boolean" => Encoding::Boolean,
            b"DW_ATE_float" => Encoding::Float,
            b"DW_ATE_complex_float" => Encoding::ComplexFloat,
            b"DW_ATE_UTF" => Encoding::Utf,
            _ => Encoding::Other,
        }
    }
}

impl<'a> Parser<'a> {
    /// `!7 = …` at top level.
    pub(crate) fn numbered_metadata(&mut self, number: u32) -> Parsed<()> {
        let start = self.start;
        self.advance();
        self.mark(b'=')?;
        let node = self.node_body()?;
        let index = number as usize;
        // Each definition takes a few bytes of text, so a dense table never needs more entries than
        // that.
        if index > self.lexer.text.len() {
            return self.fail_at(start, "a metadata number larger than the file can fill");
        }
        let nodes = &mut self.module.metadata.numbered;
        if nodes.len() <= index {
            nodes.resize(index + 1, None);
        }
        if nodes[index].is_some() {
            return self.fail_at(start, format!("`!{number}` is defined twice"));
        }
        nodes[index] = Some(node);
        Ok(())
    }

    /// `!name = !{!0, …}` at top level.
    pub(crate) fn named_metadata(&mut self, name: &'a [u8]) -> Parsed<()> {
        let name = self.intern(name);
        self.advance();
        self.mark(b'=')?;
        self.mark(b'!')?;
        self.mark(b'{')?;
        let mut nodes = Vec::new();
        if !self.at_mark(b'}') {
            nodes.push(self.node()?);
            while self.take_mark(b',') {
                nodes.push(self.node()?);
            }
        }
        self.mark(b'}')?;
        self.module.metadata.named.entry(name).or_default().extend(nodes);
        Ok(())
    }

    /// `!name node`, of which only `!dbg` is kept.
    #[inline]
    pub(crate) fn attachment(&mut self, debug: &mut Option<MetadataId>) -> Parsed<()> {
        let Token::MetadataName(name) = self.token else { return self.expected("metadata") };
        self.advance();
        let node = self.node()?;
        if name == b"dbg" {
            *debug = Some(node);
        }
        Ok(())
    }

    /// A node, by number or written out.
    #[inline]
    pub(crate) fn node(&mut self) -> Parsed<MetadataId> {
        if let Token::MetadataNumber(number) = self.token {
            self.advance();
            return Ok(MetadataId(number));
        }
        let node = self.nest(Self::node_body)?;
        self.inline_node(node)
    }

    fn inline_node(&mut self, node: Node) -> Parsed<MetadataId> {
        if let (Node::Expression(ops), Some(id)) = (&node, self.empty_expression)
            && ops.is_empty()
        {
            return Ok(id);
        }
        let inline = &mut self.module.metadata.inline;
        let id = MetadataId(INLINE + inline.len() as u32);
        if node == Node::Expression(Vec::new()) {
            self.empty_expression = Some(id);
        }
        inline.push(node);
        Ok(id)
    }

    /// `[distinct] !{…}` or `[distinct] !DIThing(…)`.
    fn node_body(&mut self) -> Parsed<Node> {
        self.take_word(b"distinct");
        match self.token {
            Token::MetadataName(kind) => {
                self.advance();
                self.special_node(kind)
            }
            Token::Mark(b'!') => {
                self.advance();
                if let Token::String(text) = self.token {
                    let text = self.intern(text);
                    self.advance();
                    return Ok(Node::Tuple(vec![MetadataOperand::String(text)]));
                }
                self.mark(b'{')?;
                let mut elements = Vec::new();
                if !self.at_mark(b'}') {
                    elements.push(self.element()?);
                    while self.take_mark(b',') {
                        elements.push(self.element()?);
                    }
                }
                self.mark(b'}')?;
                Ok(Node::Tuple(elements))
            }
            _ => self.expected("a metadata node"),
        }
    }

    /// An element of a tuple.
    fn element(&mut self) -> Parsed<MetadataOperand> {
        match self.token {
            Token::Word(b"null") => {
                self.advance();
                Ok(MetadataOperand::Null)
            }
            Token::Mark(b'!') if self.lexer.byte() == b'"' => {
                self.advance();
                let Token::String(text) = self.token else { return self.expected("a string") };
                let text = self.intern(text);
                self.advance();
                Ok(MetadataOperand::String(text))
            }
            Token::MetadataNumber(_) | Token::MetadataName(_) | Token::Mark(b'!') => {
                Ok(MetadataOperand::Node(self.node()?))
            }
            _ => Ok(MetadataOperand::Value(Box::new(self.nest(Self::operand)?))),
        }
    }

    /// What follows the type `metadata` in a call. Strings and values stand in a tuple of one.
    pub(crate) fn metadata_argument(&mut self) -> Parsed<MetadataId> {
        match self.element()? {
            MetadataOperand::Node(id) => Ok(id),
            other @ (MetadataOperand::Null
            | MetadataOperand::String(_)
            | MetadataOperand::Value(_)) => self.inline_node(Node::Tuple(vec![other])),
        }
    }

    /// Reads `( name: value, … )` and shows each field.
    fn each_field(&mut self, mut visit: impl FnMut(&'a [u8], Field<'a>)) -> Parsed<()> {
        self.mark(b'(')?;
        while !self.at_mark(b')') {
            let Token::Word(name) = self.token else { return self.expected("the name of a field") };
            self.advance();
            self.mark(b':')?;
            let value = self.field()?;
            visit(name, value);
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b')')
    }

    fn field(&mut self) -> Parsed<Field<'a>> {
        match self.token {
            Token::MetadataNumber(number) => {
                self.advance();
                Ok(Field::Node(MetadataId(number)))
            }
            Token::String(text) => {
                let text = self.intern(text);
                self.advance();
                Ok(Field::Text(text))
            }
            Token::Number(text) => {
                let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                self.advance();
                // Values of enumerators can be wider than anything we compute with.
                Ok(number.map_or(Field::Other, Field::Number))
            }
            Token::Word(b"null") => {
                self.advance();
                Ok(Field::Null)
            }
            Token::MetadataName(_) | Token::Mark(b'!') => Ok(Field::Node(self.node()?)),
            Token::Mark(b'{') => {
                self.skip_brackets()?;
                Ok(Field::Other)
            }
            Token::Word(word) if !self.at_type() => self.words(word),
            _ if self.at_type() => {
                self.nest(Self::operand)?;
                Ok(Field::Other)
            }
            _ => self.expected("the value of a field"),
        }
    }

    /// `A | B | …`, numbers allowed after the first.
    fn words(&mut self, first: &'a [u8]) -> Parsed<Field<'a>> {
        let mut flags = FlagWords::default();
        loop {
            match self.token {
                Token::Word(b"DIFlagBitField") => flags.bit_field = true,
                Token::Word(b"DIFlagVector") => flags.vector = true,
                Token::Word(b"DIFlagArtificial") => flags.artificial = true,
                Token::Word(_) | Token::Number(_) => {}
                _ => return self.expected("a word"),
            }
            self.advance();
            if !self.take_mark(b'|') {
                return Ok(Field::Words(first, flags));
            }
        }
    }

    /// `!DIThing(…)`, the name read. The kinds that fill most files come first.
    fn special_node(&mut self, kind: &'a [u8]) -> Parsed<Node> {
        match kind {
            b"DILocation" => {
                let mut node = Location::default();
                self.each_field(|name, value| match name {
                    b"line" => node.line = value.line(),
                    b"column" => node.column = value.line(),
                    b"scope" => node.scope = value.node(),
                    b"inlinedAt" => node.inlined_at = value.node(),
                    _ => {}
                })?;
                Ok(Node::Location(node))
            }
            b"DIDerivedType" => self.derived_type(),
            b"DILexicalBlock" | b"DILexicalBlockFile" => {
                let mut node = LexicalBlock::default();
                self.each_field(|name, value| match name {
                    b"scope" => node.scope = value.node(),
                    b"file" => node.file = value.node(),
                    b"line" => node.line = value.line(),
                    b"column" => node.column = value.line(),
                    _ => {}
                })?;
                Ok(Node::LexicalBlock(node))
            }
            b"DILocalVariable" => self.local_variable(),
            b"DISubprogram" => self.subprogram(),
            b"DIGlobalVariable" => self.global_variable(),
            b"DICompositeType" => self.composite_type(),
            b"DIExpression" => self.debug_expression(),
            b"DIGlobalVariableExpression" => {
                let (mut variable, mut expression) = (None, None);
                self.each_field(|name, value| match name {
                    b"var" => variable = value.node(),
                    b"expr" => expression = value.node(),
                    _ => {}
                })?;
                Ok(Node::GlobalVariableExpression { variable, expression })
            }
            _ => self.small_node(kind),
        }
    }

    fn small_node(&mut self, kind: &'a [u8]) -> Parsed<Node> {
        Ok(match kind {
            b"DIEnumerator" => {
                let (mut name, mut number) = (None, 0);
                self.each_field(|field, value| match (field, value) {
                    (b"name", value) => name = value.text(),
                    (b"value", Field::Number(value)) => number = value,
                    _ => {}
                })?;
                let name = name.unwrap_or_else(|| self.module.symbols.intern(""));
                Node::Enumerator { name, value: number }
            }
            b"DISubrange" => {
                let mut node = Subrange::default();
                self.each_field(|name, value| match (name, value) {
                    (b"count", Field::Number(count)) => node.count = u64::try_from(count).ok(),
                    (b"count", Field::Node(variable)) => node.variable = Some(variable),
                    _ => {}
                })?;
                Node::Subrange(node)
            }
            b"DISubroutineType" => {
                let mut types = None;
                self.each_field(|name, value| {
                    if name == b"types" {
                        types = value.node();
                    }
                })?;
                Node::SubroutineType { types }
            }
            b"DIBasicType" => {
                let mut node = BasicType::default();
                self.each_field(|name, value| match name {
                    b"name" => node.name = value.text(),
                    b"size" => node.size = value.size(),
                    b"encoding" => node.encoding = value.encoding(),
                    _ => {}
                })?;
                Node::BasicType(node)
            }
            b"DIFile" => {
                let (mut name, mut directory) = (None, None);
                self.each_field(|field, value| match field {
                    b"filename" => name = value.text(),
                    b"directory" => directory = value.text(),
                    _ => {}
                })?;
                let empty = self.module.symbols.intern("");
                Node::File(File {
                    name: name.unwrap_or(empty),
                    directory: directory.unwrap_or(empty),
                })
            }
            b"DILabel" => self.debug_label()?,
            b"DICompileUnit" => {
                let (mut file, mut producer) = (None, None);
                self.each_field(|name, value| match name {
                    b"file" => file = value.node(),
                    b"producer" => producer = value.text(),
                    _ => {}
                })?;
                Node::CompileUnit { file, producer }
            }
            // Two more nodes (`!DIArgList`, `!GenericDINode` in part) have no names for their
            // fields.
            _ => {
                if !self.at_mark(b'(') {
                    return self.expected("`(`");
                }
                self.argument_list(kind)?
            }
        })
    }

    /// A node whose fields are dropped. Locals in it still have to be read, so that their
    /// definition is demanded.
    fn argument_list(&mut self, kind: &'a [u8]) -> Parsed<Node> {
        let kind_name = self.intern(kind);
        if kind == b"DIArgList" {
            self.advance();
            while !self.at_mark(b')') {
                self.operand()?;
                if !self.take_mark(b',') {
                    break;
                }
            }
            self.mark(b')')?;
        } else {
            self.skip_brackets()?;
        }
        Ok(Node::Other(kind_name))
    }

    fn derived_type(&mut self) -> Parsed<Node> {
        let mut node = DerivedType::default();
        self.each_field(|name, value| match name {
            b"tag" => node.tag = value.tag(),
            b"name" => node.name = value.text(),
            b"baseType" => node.base = value.node(),
            b"size" => node.size = value.size(),
            b"offset" => node.offset = value.size(),
            b"flags" => node.bit_field = value.flags().bit_field,
            b"file" => node.file = value.node(),
            b"line" => node.line = value.line(),
            _ => {}
        })?;
        Ok(Node::DerivedType(Box::new(node)))
    }

    fn composite_type(&mut self) -> Parsed<Node> {
        let mut node = CompositeType::default();
        self.each_field(|name, value| match name {
            b"tag" => node.tag = value.tag(),
            b"name" => node.name = value.text(),
            b"baseType" => node.base = value.node(),
            b"size" => node.size = value.size(),
            b"elements" => node.elements = value.node(),
            b"flags" => node.vector = value.flags().vector,
            b"file" => node.file = value.node(),
            b"line" => node.line = value.line(),
            _ => {}
        })?;
        Ok(Node::CompositeType(Box::new(node)))
    }

    fn local_variable(&mut self) -> Parsed<Node> {
        let mut node = LocalVariable::default();
        self.each_field(|name, value| match name {
            b"name" => node.name = value.text(),
            b"arg" => node.argument = value.line(),
            b"scope" => node.scope = value.node(),
            b"file" => node.file = value.node(),
            b"line" => node.line = value.line(),
            b"type" => node.ty = value.node(),
            b"flags" => node.artificial = value.flags().artificial,
            _ => {}
        })?;
        Ok(Node::LocalVariable(Box::new(node)))
    }

    fn subprogram(&mut self) -> Parsed<Node> {
        let mut node = Subprogram::default();
        self.each_field(|name, value| match name {
            b"name" => node.name = value.text(),
            b"linkageName" => node.linkage_name = value.text(),
            b"scope" => node.scope = value.node(),
            b"file" => node.file = value.node(),
            b"line" => node.line = value.line(),
            b"scopeLine" => node.scope_line = value.line(),
            b"type" => node.ty = value.node(),
            b"retainedNodes" => node.retained_nodes = value.node(),
            _ => {}
        })?;
        Ok(Node::Subprogram(Box::new(node)))
    }

    fn global_variable(&mut self) -> Parsed<Node> {
        let mut node = GlobalVariable::default();
        self.each_field(|name, value| match name {
            b"name" => node.name = value.text(),
            b"scope" => node.scope = value.node(),
            b"file" => node.file = value.node(),
            b"line" => node.line = value.line(),
            b"type" => node.ty = value.node(),
            _ => {}
        })?;
        Ok(Node::GlobalVariable(Box::new(node)))
    }

    fn debug_label(&mut self) -> Parsed<Node> {
        let (mut scope, mut text, mut file, mut line) = (None, None, None, 0);
        self.each_field(|name, value| match name {
            b"scope" => scope = value.node(),
            b"name" => text = value.text(),
            b"file" => file = value.node(),
            b"line" => line = value.line(),
            _ => {}
        })?;
        Ok(Node::Label { scope, name: text, file, line })
    }

    fn debug_expression(&mut self) -> Parsed<Node> {
        self.mark(b'(')?;
        let mut ops = Vec::new();
        while !self.at_mark(b')') {
            match self.token {
                Token::Word(word) => {
                    ops.push(ExpressionOp::Word(self.intern(word)));
                    self.advance();
                }
                _ => ops.push(ExpressionOp::Number(self.long_number("an operation")?)),
            }
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b')')?;
        Ok(Node::Expression(ops))
    }

    /// `#dbg_kind(…)`; also gives its location.
    pub(crate) fn debug_record(&mut self, kind: &'a [u8]) -> Parsed<(Op, Option<MetadataId>)> {
        let kind = match kind {
            b"dbg_declare" => DebugKind::Declare,
            b"dbg_value" => DebugKind::Value,
            b"dbg_assign" => DebugKind::Assign,
            b"dbg_label" => DebugKind::Label,
            _ => return self.expected("a debug record"),
        };
        self.advance();
        self.mark(b'(')?;
        let record = self.record_fields(kind, Self::element)?;
        self.mark(b',')?;
        let location = self.node()?;
        self.mark(b')')?;
        Ok((Op::Debug(Box::new(record)), Some(location)))
    }

    /// `(metadata …, …)` of a call of `llvm.dbg.kind`.
    pub(crate) fn debug_call(&mut self, kind: DebugKind) -> Parsed<Op> {
        self.mark(b'(')?;
        let record = self.record_fields(kind, |parser| {
            parser.word("metadata")?;
            parser.element()
        })?;
        self.mark(b')')?;
        Ok(Op::Debug(Box::new(record)))
    }

    /// What records and calls have in common: value, variable, expression, and for assignments
    /// three more.
    fn record_fields(
        &mut self,
        kind: DebugKind,
        element: impl Fn(&mut Self) -> Parsed<MetadataOperand>,
    ) -> Parsed<DebugRecord> {
        if kind == DebugKind::Label {
            let label = element(self)?;
            let variable = self.demand_node(label)?;
            return Ok(DebugRecord { kind, value: None, variable, expression: None });
        }
        let value = match element(self)? {
            MetadataOperand::Value(operand) => Some(*operand).filter(is_present),
            MetadataOperand::Null | MetadataOperand::Node(_) | MetadataOperand::String(_) => None,
        };
        self.mark(b',')?;
        let variable = element(self)?;
        let variable = self.demand_node(variable)?;
        self.mark(b',')?;
        let expression = element(self)?;
        let expression = Some(self.demand_node(expression)?);
        if kind == DebugKind::Assign {
            for _ in 0..3 {
                self.mark(b',')?;
                element(self)?;
            }
        }
        Ok(DebugRecord { kind, value, variable, expression })
    }

    fn demand_node(&self, operand: MetadataOperand) -> Parsed<MetadataId> {
        match operand {
            MetadataOperand::Node(id) => Ok(id),
            MetadataOperand::Null | MetadataOperand::String(_) | MetadataOperand::Value(_) => {
                self.fail("expected a metadata node before this")
            }
        }
    }
}

/// Does a variable really have this value, or was it optimised away?
fn is_present(operand: &Operand) -> bool {
    operand.ty != TypeId::METADATA
        && !matches!(operand.value, Value::Constant(Constant::Undef | Constant::Poison))
}
