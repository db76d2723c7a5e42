//! Debug information and other metadata, as a table of nodes.
//!
//! Idea: a numbered node `!7 = …` is found by its number; nodes written in place (`!DIExpression()`
//!   in a record, `!{…}` in a tuple) get ids from 2^31 upwards. Only what is needed to speak C is
//!   given fields: places, names, types with sizes and offsets. Other nodes are kept by their word
//!   alone.
//! Source: LLVM Language Reference, "Specialized Metadata Nodes".
//! Invariants: none on the content: debug information is advice. An id may name a missing node,
//! hence `Option`.
//! Limits: fields of unknown nodes and attachments other than `!dbg` are dropped.

use super::ast::Operand;
use super::symbols::Symbol;
use rustc_hash::FxHashMap;

/// A metadata node: its number, or 2^31 and more for a node without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetadataId(pub u32);

/// First id of the nodes that have no number.
pub(crate) const INLINE: u32 = 1 << 31;

/// All metadata of a module.
#[derive(Debug, Default)]
pub struct Metadata {
    pub(crate) numbered: Vec<Option<Node>>,
    pub(crate) inline: Vec<Node>,
    /// `!llvm.dbg.cu = !{…}` and the like.
    pub named: FxHashMap<Symbol, Vec<MetadataId>>,
}

impl Metadata {
    /// The node of that id, if the file has it.
    pub fn get(&self, id: MetadataId) -> Option<&Node> {
        match id.0.checked_sub(INLINE) {
            Some(index) => self.inline.get(index as usize),
            None => self.numbered.get(id.0 as usize)?.as_ref(),
        }
    }

    /// The node that an operand names.
    pub fn follow(&self, operand: &MetadataOperand) -> Option<&Node> {
        match operand {
            MetadataOperand::Node(id) => self.get(*id),
            MetadataOperand::Null | MetadataOperand::String(_) | MetadataOperand::Value(_) => None,
        }
    }

    /// All numbered nodes, in order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (MetadataId, &Node)> {
        self.numbered
            .iter()
            .enumerate()
            .filter_map(|(index, node)| Some((MetadataId(index as u32), node.as_ref()?)))
    }
}

/// An element of a tuple.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataOperand {
    /// `null`.
    Null,
    /// Another node.
    Node(MetadataId),
    /// `!"…"`.
    String(Symbol),
    /// A constant, or a local as argument of an intrinsic.
    Value(Box<Operand>),
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `!{…}`.
    Tuple(Vec<MetadataOperand>),
    /// `!DILocation`.
    Location(Location),
    /// `!DIFile`.
    File(File),
    /// `!DISubprogram`.
    Subprogram(Box<Subprogram>),
    /// `!DILexicalBlock`, and `!DILexicalBlockFile` with line 0.
    LexicalBlock(LexicalBlock),
    /// `!DIBasicType`.
    BasicType(BasicType),
    /// `!DIDerivedType`.
    DerivedType(Box<DerivedType>),
    /// `!DICompositeType`.
    CompositeType(Box<CompositeType>),
    /// `!DISubroutineType`.
    SubroutineType {
        /// A tuple: result (null is void), then parameters.
        types: Option<MetadataId>,
    },
    /// `!DISubrange`.
    Subrange(Subrange),
    /// `!DIEnumerator`.
    Enumerator {
        /// Its C name.
        name: Symbol,
        /// Its value.
        value: i128,
    },
    /// `!DILocalVariable`.
    LocalVariable(Box<LocalVariable>),
    /// `!DIGlobalVariable`.
    GlobalVariable(Box<GlobalVariable>),
    /// `!DIGlobalVariableExpression`.
    GlobalVariableExpression {
        /// A `GlobalVariable`.
        variable: Option<MetadataId>,
        /// An `Expression`.
        expression: Option<MetadataId>,
    },
    /// `!DIExpression`.
    Expression(Vec<ExpressionOp>),
    /// `!DILabel`.
    Label {
        /// Where it is visible.
        scope: Option<MetadataId>,
        /// Its C name.
        name: Option<Symbol>,
        /// A `File`.
        file: Option<MetadataId>,
        /// Its line.
        line: u32,
    },
    /// `!DICompileUnit`.
    CompileUnit {
        /// A `File`.
        file: Option<MetadataId>,
        /// E.g. "clang version 19.1.7".
        producer: Option<Symbol>,
    },
    /// Any other: its word without the `!`.
    Other(Symbol),
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// 0 if there is none.
    pub line: u32,
    /// 0 if there is none.
    pub column: u32,
    /// A `Subprogram` or `LexicalBlock`.
    pub scope: Option<MetadataId>,
    /// The `Location` of the call if the code was inlined.
    pub inlined_at: Option<MetadataId>,
}

/// A source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// As given to the compiler.
    pub name: Symbol,
    /// What a relative name is relative to.
    pub directory: Symbol,
}

/// A function of the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Subprogram {
    /// C name.
    pub name: Option<Symbol>,
    /// Name for the linker, if different.
    pub linkage_name: Option<Symbol>,
    /// A `File` or other scope.
    pub scope: Option<MetadataId>,
    /// A `File`.
    pub file: Option<MetadataId>,
    /// Line of the name.
    pub line: u32,
    /// Line of the opening brace.
    pub scope_line: u32,
    /// A `SubroutineType`.
    pub ty: Option<MetadataId>,
    /// A tuple of `LocalVariable`s that must be kept.
    pub retained_nodes: Option<MetadataId>,
}

/// A block of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LexicalBlock {
    /// What it stands in.
    pub scope: Option<MetadataId>,
    /// A `File`.
    pub file: Option<MetadataId>,
    /// Where it begins, 0 for `!DILexicalBlockFile`.
    pub line: u32,
    /// Where it begins, 0 for `!DILexicalBlockFile`.
    pub column: u32,
}

/// A type such as `unsigned int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct BasicType {
    /// C name.
    pub name: Option<Symbol>,
    /// In bits.
    pub size: u64,
    /// How the bits are read.
    pub encoding: Encoding,
}

/// How the bits of a basic type are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names are DWARF's own")]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Float,
    ComplexFloat,
    Utf,
    #[default]
    Other,
}

/// What a derived or composite type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names are DWARF's own")]
pub enum Tag {
    Typedef,
    Pointer,
    Member,
    Const,
    Volatile,
    Restrict,
    Atomic,
    Structure,
    Union,
    Array,
    Enumeration,
    #[default]
    Other,
}

/// A type made from one other, or a member of a composite.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DerivedType {
    /// What it is.
    pub tag: Tag,
    /// C name.
    pub name: Option<Symbol>,
    /// What it is made from; `None` is void.
    pub base: Option<MetadataId>,
    /// In bits; 0 if not said.
    pub size: u64,
    /// Of a member, in bits.
    pub offset: u64,
    /// The member is a bit field.
    pub bit_field: bool,
    /// Where declared.
    pub file: Option<MetadataId>,
    /// Where declared.
    pub line: u32,
}

/// A struct, union, array or enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CompositeType {
    /// What it is.
    pub tag: Tag,
    /// C tag.
    pub name: Option<Symbol>,
    /// Element type of an array, integer type of an enumeration.
    pub base: Option<MetadataId>,
    /// In bits; 0 if not said.
    pub size: u64,
    /// A tuple: members, subranges (one per dimension) or enumerators.
    pub elements: Option<MetadataId>,
    /// An array that is a vector.
    pub vector: bool,
    /// Where declared.
    pub file: Option<MetadataId>,
    /// Where declared.
    pub line: u32,
}

/// One dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Subrange {
    /// Number of elements, if constant and known (`int a[]` says -1, given as `None`).
    pub count: Option<u64>,
    /// The `LocalVariable` that holds the number, for arrays of variable length.
    pub variable: Option<MetadataId>,
}

/// A local variable or parameter of the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LocalVariable {
    /// C name.
    pub name: Option<Symbol>,
    /// 1, 2, … for parameters, 0 for others.
    pub argument: u32,
    /// Where it is visible.
    pub scope: Option<MetadataId>,
    /// A `File`.
    pub file: Option<MetadataId>,
    /// Where declared.
    pub line: u32,
    /// Its type.
    pub ty: Option<MetadataId>,
    /// Made by the compiler.
    pub artificial: bool,
}

/// A global or static variable of the source.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GlobalVariable {
    /// C name.
    pub name: Option<Symbol>,
    /// Where it is visible: a function for its static variables.
    pub scope: Option<MetadataId>,
    /// A `File`.
    pub file: Option<MetadataId>,
    /// Where declared.
    pub line: u32,
    /// Its type.
    pub ty: Option<MetadataId>,
}

/// One word of a `DIExpression`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionOp {
    /// `DW_OP_…` or `DW_ATE_…`.
    Word(Symbol),
    /// A number.
    Number(u64),
}
