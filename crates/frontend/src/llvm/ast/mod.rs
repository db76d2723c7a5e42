//! The tree that the reader of LLVM text builds: one `Module` per file.
//!
//! Idea: an owned tree over small typed ids. Names are interned (`Symbol`), types live in one table
//!   (`TypeId`), values of a function are numbered densely (`LocalId`: arguments first), blocks
//!   stand in text order (`BlockId`, entry is 0), metadata nodes are found by their number
//!   (`MetadataId`).
//! Source: the LLVM Language Reference, for the opaque-pointer form written by LLVM 15 to 20.
//! Invariants, all established by the parser: every id resolves; every `Local` is defined exactly
//!   once; a call of `llvm.dbg.*` and a `#dbg_*` record are the same `Op::Debug`; integer literals
//!   are cut to their type's width. Operands have the types that their instruction takes
//!   (`check.rs`).
//! Limits: attributes are kept only where they change meaning (`byval`, `sret`, `align`,
//!   extensions, `noreturn`). It is not verified further: dominance or the predecessors of a `phi`
//!   may be wrong.
//! In reading order: the module here, `items`, `instructions`, `calls`, `values`.
//! Elsewhere: types in `types.rs`, sizes in `layout.rs`, debug information in `metadata.rs`.

mod calls;
mod instructions;
mod items;
mod values;

pub use calls::{Argument, Assembly, Call, Callee, DebugKind, DebugRecord, Tail};
pub use instructions::{
    Access, CompareExchange, Instruction, Op, Ordering, ReadModifyWrite, RmwOp, Terminator,
    TerminatorOp,
};
pub use items::{
    Alias, Block, BlockId, CallingConvention, Function, FunctionAttributes, Global, Linkage, Local,
    LocalId, LocalName, Parameter, ParameterAttributes,
};
pub use values::{
    BinaryOp, BlockAddress, CastOp, Constant, ElementPointer, Expression, Flags, FloatPredicate,
    IntegerPredicate, Operand, Value,
};

use super::layout::DataLayout;
use super::metadata::Metadata;
use super::symbols::{Symbol, Symbols};
use super::types::Types;
use rustc_hash::FxHashMap;

/// A whole LLVM file.
#[derive(Debug, Default)]
pub struct Module {
    /// What `source_filename` says, empty if nothing.
    pub source_file: String,
    /// The target triple, empty if none is given.
    pub triple: String,
    /// The parsed `target datalayout`; LLVM's defaults if none is given.
    pub layout: DataLayout,
    /// All names.
    pub symbols: Symbols,
    /// All types.
    pub types: Types,
    /// Variables, in text order.
    pub globals: Vec<Global>,
    /// Aliases and ifuncs, in text order.
    pub aliases: Vec<Alias>,
    /// Declarations and definitions, in text order.
    pub functions: Vec<Function>,
    /// What a `@name` means.
    pub items: FxHashMap<Symbol, Item>,
    /// Targets of `blockaddress` constants.
    pub block_addresses: Vec<BlockAddress>,
    /// Numbered, named and inline metadata.
    pub metadata: Metadata,
    /// What is kept of `attributes #n = { … }`, by number.
    pub attribute_groups: FxHashMap<u32, FunctionAttributes>,
    /// `module asm` lines.
    pub assembly: Vec<String>,
}

impl Module {
    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// What `@name` stands for in this module, if it is declared here.
    pub fn item(&self, name: &str) -> Option<Item> {
        self.symbols.find(name).and_then(|symbol| self.items.get(&symbol).copied())
    }

    /// The function of that name, declared or defined.
    pub fn function(&self, name: &str) -> Option<&Function> {
        match self.item(name)? {
            Item::Function(id) => Some(&self.functions[id as usize]),
            Item::Global(_) | Item::Alias(_) => None,
        }
    }

    /// The variable of that name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        match self.item(name)? {
            Item::Global(id) => Some(&self.globals[id as usize]),
            Item::Function(_) | Item::Alias(_) => None,
        }
    }

    /// The attributes written at a call, groups included (not those of the callee's declaration).
    pub fn call_attributes(&self, call: &Call) -> FunctionAttributes {
        self.resolve(call.attributes, &call.groups)
    }

    /// Own attributes together with those of the groups named.
    pub(crate) fn resolve(&self, own: FunctionAttributes, groups: &[u32]) -> FunctionAttributes {
        groups.iter().filter_map(|group| self.attribute_groups.get(group)).fold(own, |all, more| {
            FunctionAttributes {
                noreturn: all.noreturn || more.noreturn,
                returns_twice: all.returns_twice || more.returns_twice,
            }
        })
    }
}

/// What a global name stands for; the number indexes the vector of that kind in `Module`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// An index into `Module::globals`.
    Global(u32),
    /// An index into `Module::functions`.
    Function(u32),
    /// An index into `Module::aliases`.
    Alias(u32),
}
