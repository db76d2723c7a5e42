//! Calls: `call`, `invoke`, `callbr`, inline assembly, and the debug intrinsics.
//!
//! Idea: one rule for the three, since they differ only in where control goes. A call of
//!   `llvm.dbg.declare`, `.value`, `.assign` or `.label` becomes the same `Op::Debug` as the
//!   records that LLVM 19 writes instead.
//! Source: LLVM Language Reference, "call Instruction", "Operand Bundles", "Inline Assembler
//! Expressions".
//! Limits: the operands of operand bundles are dropped, their tags kept.

use super::ast::{
    Argument, Assembly, Call, Callee, DebugKind, FunctionAttributes, Op, Operand,
    ParameterAttributes, Tail, TerminatorOp, Value,
};
use super::instruction::Step;
use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::symbols::Symbol;
use super::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// `[tail|musttail|notail] call …`.
    pub(crate) fn call(&mut self) -> Parsed<Step> {
        let tail = match self.token {
            Token::Word(b"tail") => Tail::Tail,
            Token::Word(b"musttail") => Tail::Must,
            Token::Word(b"notail") => Tail::Never,
            _ => Tail::None,
        };
        if tail != Tail::None {
            self.advance();
        }
        self.word("call")?;
        let call = self.call_rest(tail)?;
        Ok(match call {
            Called::Call(call) => {
                let result = call.result;
                Step::Op(Op::Call(call), result)
            }
            Called::Debug(op) => Step::Op(op, TypeId::VOID),
        })
    }

    /// `invoke` and `callbr`, the word read.
    pub(crate) fn call_terminator(&mut self, invoke: bool) -> Parsed<Step> {
        let start = self.start;
        let Called::Call(call) = self.call_rest(Tail::None)? else {
            return self.fail_at(start, "a debug intrinsic must be called with `call`");
        };
        let result = call.result;
        self.word("to")?;
        let normal = self.label()?;
        let op = if invoke {
            self.word("unwind")?;
            TerminatorOp::Invoke { call, normal, unwind: self.label()? }
        } else {
            TerminatorOp::CallBranch { call, fallthrough: normal, indirect: self.label_list()? }
        };
        Ok(Step::End(op, result))
    }

    fn call_rest(&mut self, tail: Tail) -> Parsed<Called> {
        let flags = self.flags();
        let calling_convention = self.calling_convention()?;
        let result_attributes = self.result_attributes()?;
        let space = self.address_space()?;
        let result_start = self.start;
        let written = self.ty()?;
        let (result, ty) = match self.module.types.get(written) {
            Type::Function { result, .. } => (*result, Some(written)),
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => (written, None),
        };
        if result != TypeId::VOID {
            self.demand_parameter(result, result_start)?;
        }
        let callee = self.callee(space)?;
        if let Callee::Global(symbol) = callee
            && let Some(kind) = self.debug_intrinsic(symbol)
        {
            let op = self.debug_call(kind)?;
            self.function_attributes(&mut FunctionAttributes::default(), &mut Vec::new())?;
            return Ok(Called::Debug(op));
        }
        let start = self.start;
        let arguments = self.arguments()?;
        if let Some(ty) = ty {
            self.check_arguments(ty, &arguments, start)?;
        }
        let mut attributes = FunctionAttributes::default();
        let mut groups = Vec::new();
        self.function_attributes(&mut attributes, &mut groups)?;
        let bundles = if self.at_mark(b'[') { self.bundles()? } else { Vec::new() };
        Ok(Called::Call(Box::new(Call {
            tail,
            flags,
            calling_convention,
            result,
            result_attributes,
            ty,
            address_space: space,
            callee,
            arguments,
            attributes,
            groups: groups.into(),
            bundles,
        })))
    }

    fn callee(&mut self, address_space: u32) -> Parsed<Callee> {
        match self.token {
            Token::Global(_) | Token::GlobalNumber(_) => Ok(Callee::Global(self.global_use()?)),
            Token::Word(b"asm") => self.assembly(),
            _ => {
                let ty = self.module.types.intern(Type::Pointer { address_space });
                Ok(Callee::Pointer(self.value(ty)?))
            }
        }
    }

    fn assembly(&mut self) -> Parsed<Callee> {
        self.advance();
        let mut side_effect = false;
        while let Token::Word(
            word @ (b"sideeffect" | b"alignstack" | b"inteldialect" | b"unwind"),
        ) = self.token
        {
            side_effect |= word == b"sideeffect";
            self.advance();
        }
        let text = self.text("the text of inline assembly")?;
        self.mark(b',')?;
        let constraints = self.text("the constraints of inline assembly")?;
        Ok(Callee::Assembly(Box::new(Assembly { side_effect, text, constraints })))
    }

    fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        self.mark(b'(')?;
        let mut arguments = Vec::new();
        while !self.at_mark(b')') {
            // `musttail` passes the caller's variable arguments on as `...`.
            if self.take_word(b"...") {
                break;
            }
            let start = self.start;
            let ty = self.ty()?;
            let argument = if ty == TypeId::METADATA {
                let value = Value::Metadata(self.metadata_argument()?);
                Argument {
                    operand: Operand { ty, value },
                    attributes: ParameterAttributes::default(),
                }
            } else {
                self.demand_parameter(ty, start)?;
                let attributes = self.parameter_attributes()?;
                Argument { operand: Operand { ty, value: self.value(ty)? }, attributes }
            };
            arguments.push(argument);
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b')')?;
        Ok(arguments)
    }

    /// `[ "tag"(T v, …), … ]`.
    fn bundles(&mut self) -> Parsed<Vec<Symbol>> {
        self.mark(b'[')?;
        let mut bundles = Vec::new();
        while !self.at_mark(b']') {
            let tag = self.string("the tag of an operand bundle")?;
            bundles.push(self.module.symbols.intern_bytes(&tag));
            self.mark(b'(')?;
            while !self.at_mark(b')') {
                let ty = self.ty()?;
                if ty == TypeId::METADATA {
                    self.metadata_argument()?;
                } else {
                    self.value(ty)?;
                }
                if !self.take_mark(b',') {
                    break;
                }
            }
            self.mark(b')')?;
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b']')?;
        Ok(bundles)
    }

    #[inline]
    fn debug_intrinsic(&self, symbol: Symbol) -> Option<DebugKind> {
        match self.module.name(symbol).strip_prefix("llvm.dbg.")? {
            "declare" => Some(DebugKind::Declare),
            "value" => Some(DebugKind::Value),
            "assign" => Some(DebugKind::Assign),
            "label" => Some(DebugKind::Label),
            _ => None,
        }
    }
}

/// A call, or what a call of a debug intrinsic says.
enum Called {
    Call(Box<Call>),
    Debug(Op),
}
