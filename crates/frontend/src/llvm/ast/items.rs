//! What a module holds: variables, aliases, functions, and the parts of a function.

use super::{Instruction, Operand, Terminator, Value};
use crate::llvm::metadata::MetadataId;
use crate::llvm::symbols::Symbol;
use crate::llvm::types::TypeId;

/// Linkage of a global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    /// The default.
    #[default]
    External,
    /// `private`: not in the symbol table at all.
    Private,
    /// `internal`: C's `static`.
    Internal,
    /// `available_externally`: a copy of a body that lives elsewhere.
    AvailableExternally,
    /// `linkonce`.
    LinkOnce,
    /// `linkonce_odr`.
    LinkOnceOdr,
    /// `weak`.
    Weak,
    /// `weak_odr`.
    WeakOdr,
    /// `common`: C's tentative definition.
    Common,
    /// `appending`: arrays such as `llvm.global_ctors`.
    Appending,
    /// `extern_weak`: null if nobody defines it.
    ExternWeak,
}

impl Linkage {
    /// Is the name invisible to other files?
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// May a definition in another file replace this one?
    pub fn is_weak(self) -> bool {
        match self {
            Linkage::LinkOnce
            | Linkage::LinkOnceOdr
            | Linkage::Weak
            | Linkage::WeakOdr
            | Linkage::Common
            | Linkage::AvailableExternally
            | Linkage::ExternWeak => true,
            Linkage::External | Linkage::Private | Linkage::Internal | Linkage::Appending => false,
        }
    }
}

/// A global variable.
#[derive(Debug)]
pub struct Global {
    /// Name without the `@`.
    pub name: Symbol,
    /// Type of the contents.
    pub ty: TypeId,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// `constant`, not `global`.
    pub constant: bool,
    /// One copy per thread.
    pub thread_local: bool,
    /// `externally_initialized`: the initialiser is not to be trusted.
    pub externally_initialized: bool,
    /// `addrspace(n)`.
    pub address_space: u32,
    /// `None` for a declaration.
    pub initializer: Option<Value>,
    /// `align n`, in bytes.
    pub align: Option<u32>,
    /// `section "…"`.
    pub section: Option<Symbol>,
    /// `!dbg`: each is a `GlobalVariableExpression`.
    pub debug: Vec<MetadataId>,
    /// Line of the definition in the LLVM text.
    pub line: u32,
}

/// `@a = alias T, ptr @b` or `@a = ifunc T, ptr @resolver`.
#[derive(Debug)]
pub struct Alias {
    /// Name without the `@`.
    pub name: Symbol,
    /// Type of the thing named (a function type for functions).
    pub ty: TypeId,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// An `ifunc`: the target is a resolver that returns the function.
    pub ifunc: bool,
    /// The thing named, usually `Value::Global`.
    pub target: Operand,
    /// Line of the definition in the LLVM text.
    pub line: u32,
}

/// A function, declared or defined.
#[derive(Debug)]
pub struct Function {
    /// Name without the `@`.
    pub name: Symbol,
    /// Visibility to the linker.
    pub linkage: Linkage,
    /// `cc n`, 0 being C.
    pub calling_convention: CallingConvention,
    /// Result type.
    pub result: TypeId,
    /// Attributes of the result.
    pub result_attributes: ParameterAttributes,
    /// Parameters in order; parameter `i` of a definition is `LocalId(i)`.
    pub parameters: Vec<Parameter>,
    /// `...` at the end of the parameters.
    pub variadic: bool,
    /// Attributes, groups included.
    pub attributes: FunctionAttributes,
    /// The function's own type.
    pub ty: TypeId,
    /// `!dbg`: a `Subprogram`.
    pub debug: Option<MetadataId>,
    /// Everything that `%name` can be in this function except blocks.
    pub locals: Vec<Local>,
    /// Basic blocks in text order, the entry first; empty for a declaration.
    pub blocks: Vec<Block>,
    /// Line of the head in the LLVM text.
    pub line: u32,
}

impl Function {
    /// Does this file give the body?
    pub fn is_definition(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The block of that id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// The local of that id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

/// Calling convention: how, not what, so only C and the rest are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CallingConvention {
    /// The default.
    #[default]
    C,
    /// `fastcc`.
    Fast,
    /// `coldcc`.
    Cold,
    /// Any other, named or `cc n`.
    Other,
}

/// Attributes of functions that matter to a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FunctionAttributes {
    /// Control never comes back.
    pub noreturn: bool,
    /// Like `setjmp`.
    pub returns_twice: bool,
}

/// A formal parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeId,
    /// What is kept of its attributes.
    pub attributes: ParameterAttributes,
}

/// Attributes of parameters, results and arguments that matter to a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ParameterAttributes {
    /// `byval(T)`: the pointee is copied for the callee.
    pub byval: Option<TypeId>,
    /// `sret(T)`: the pointee is where the result goes.
    pub sret: Option<TypeId>,
    /// `align n`, in bytes.
    pub align: Option<u32>,
    /// `zeroext`: unsigned, narrower than a register.
    pub zero_extend: bool,
    /// `signext`: signed, narrower than a register.
    pub sign_extend: bool,
}

/// A value of a function: index into `Function::locals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A basic block: index into `Function::blocks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// How the text names a local or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocalName {
    /// `%x.addr`.
    Named(Symbol),
    /// `%7`, written or implied.
    Numbered(u32),
}

/// An argument or the result of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its name in the text.
    pub name: LocalName,
    /// Its type.
    pub ty: TypeId,
}

/// A basic block.
#[derive(Debug)]
pub struct Block {
    /// Its label, written or implied.
    pub name: LocalName,
    /// Everything before the terminator.
    pub instructions: Vec<Instruction>,
    /// The last instruction.
    pub terminator: Terminator,
}
