//! The program model (a concurrent control-flow graph) that every engine and the interpreter share.
//!
//! Reading order: [`program`] (the whole), [`instr`] (what a step may do), [`expr`] (pure values),
//! [`fold`] (their arithmetic on constants), [`property`] (what can be checked), [`linear`]
//! (formulas about infinite executions), [`unmodelled`]
//! (what cannot be followed), [`place`] and [`ctype`] (how to speak C about it), [`cfg`] and
//! [`liveness`] (facts about one function's graph that define what a *pure loop iteration* is),
//! [`print`] (the text form), [`validate`] (the invariants).
//!
//! **Invariant:** nothing here reads files, knows LLVM, terms or solvers.

pub mod cfg;
pub mod ctype;
pub mod expr;
pub mod fold;
pub mod ids;
pub mod instr;
pub mod linear;
pub mod liveness;
pub mod place;
pub mod print;
pub mod program;
pub mod property;
pub mod unmodelled;
pub mod validate;

pub use cfg::Cfg;
pub use ctype::{CType, Field, Types};
pub use expr::{
    BinOp, BitOp, CastOp, CmpOp, Const, Expr, FloatCmp, FloatKind, FloatOp, Operand, Wrap,
};
pub use ids::{BlockId, FileId, FuncId, GlobalId, RegId, TypeId};
pub use instr::{
    Access, AllocKind, Block, Callee, InputKind, Instr, InstrRef, MemoryUse, Op, Order, RmwOp,
    Terminator,
};
pub use liveness::Liveness;
pub use place::{Place, SourceFile};
pub use program::{CommandLines, Function, Global, HeapName, HeapStep, Program, Register};
pub use property::{Property, PropertySet};
pub use unmodelled::Unmodelled;
