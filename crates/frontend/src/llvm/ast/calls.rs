//! Calls and what LLVM writes as calls: inline assembly and debug records.

use super::{CallingConvention, Flags, FunctionAttributes, Operand, ParameterAttributes, Value};
use crate::llvm::metadata::MetadataId;
use crate::llvm::symbols::Symbol;
use crate::llvm::types::TypeId;

/// A call.
#[derive(Debug)]
pub struct Call {
    /// `tail`, `musttail`, `notail`.
    pub tail: Tail,
    /// Fast-math flags.
    pub flags: Flags,
    /// How arguments travel.
    pub calling_convention: CallingConvention,
    /// Result type.
    pub result: TypeId,
    /// Attributes of the result.
    pub result_attributes: ParameterAttributes,
    /// The callee's whole type where the text gives it (always for variadic callees).
    pub ty: Option<TypeId>,
    /// `addrspace(n)` of the callee.
    pub address_space: u32,
    /// What is called.
    pub callee: Callee,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Attributes written out at the call.
    pub attributes: FunctionAttributes,
    /// Attribute groups at the call; see `Module::call_attributes`.
    pub groups: Box<[u32]>,
    /// Tags of operand bundles, e.g. "clang.arc.attachedcall"; their operands are dropped.
    pub bundles: Vec<Symbol>,
}

/// Tail-call marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tail {
    /// Nothing written.
    #[default]
    None,
    /// `tail`.
    Tail,
    /// `musttail`.
    Must,
    /// `notail`.
    Never,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// `@f` (a function, alias or even a variable of this module).
    Global(Symbol),
    /// A computed pointer: a local or a constant expression.
    Pointer(Value),
    /// `asm "…", "…"`.
    Assembly(Box<Assembly>),
}

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// `sideeffect`.
    pub side_effect: bool,
    /// The template.
    pub text: String,
    /// The constraints.
    pub constraints: String,
}

/// An actual argument.
#[derive(Debug)]
pub struct Argument {
    /// What is passed.
    pub operand: Operand,
    /// What is kept of its attributes.
    pub attributes: ParameterAttributes,
}

/// What a debug record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugKind {
    /// `#dbg_declare`: the variable lives at the address given, from here on.
    Declare,
    /// `#dbg_value`: the variable has this value from here on.
    Value,
    /// `#dbg_assign`: both, with an assignment id that is dropped.
    Assign,
    /// `#dbg_label`: `variable` is a `Label`.
    Label,
}

/// A `#dbg_*` record or a call of `llvm.dbg.*`.
#[derive(Debug)]
pub struct DebugRecord {
    /// What it says.
    pub kind: DebugKind,
    /// The address or value; `None` if it was optimised away, is a list, or for labels.
    pub value: Option<Operand>,
    /// A `LocalVariable` (or `Label`).
    pub variable: MetadataId,
    /// An `Expression` node.
    pub expression: Option<MetadataId>,
}
