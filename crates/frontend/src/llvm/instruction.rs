//! Instructions.
//!
//! Idea: `result = word operands tail`. The word selects a rule that reads the operands and says
//!   the type of the result; the tail (`, align 4, !dbg !7`) has one rule for all, and what it
//!   found is put where it belongs afterwards.
//! Source: LLVM Language Reference, "Instruction Reference".
//! Invariants: a result is defined after its operands are read, with the type computed here.
//! Limits: exception handling is read over and becomes `Unsupported`. Checks of types are in
//! `check.rs`.
//! Length: one rule per instruction, each short; to split the list would only scatter it.
//! Elsewhere: calls in `call.rs`; debug records in `debug.rs`.

use super::ast::{
    Access, CompareExchange, Constant, ElementPointer, FloatPredicate, Instruction,
    IntegerPredicate, Op, Operand, Ordering, ReadModifyWrite, RmwOp, Terminator, TerminatorOp,
};
use super::lexer::Token;
use super::metadata::MetadataId;
use super::parser::{Parsed, Parser};
use super::types::{Type, TypeId};
use super::value::{binary_op, cast_op};

/// An instruction without its name and tail, and the type of its result (`void` if none).
pub(crate) enum Step {
    Op(Op, TypeId),
    End(TerminatorOp, TypeId),
}

/// What may follow the operands.
#[derive(Default)]
struct Tail {
    align: Option<u32>,
    address_space: u32,
    /// Number of elements of an `alloca`.
    count: Option<Operand>,
    debug: Option<MetadataId>,
}

/// Does the word begin an instruction?
pub(crate) fn is_opcode(word: &[u8]) -> bool {
    matches!(
        word,
        b"store"
            | b"load"
            | b"call"
            | b"br"
            | b"ret"
            | b"alloca"
            | b"getelementptr"
            | b"icmp"
            | b"switch"
            | b"unreachable"
            | b"phi"
            | b"select"
            | b"fcmp"
            | b"fneg"
            | b"indirectbr"
            | b"invoke"
            | b"callbr"
            | b"resume"
            | b"cleanupret"
            | b"catchret"
            | b"catchswitch"
            | b"landingpad"
            | b"cleanuppad"
            | b"catchpad"
            | b"cmpxchg"
            | b"atomicrmw"
            | b"fence"
            | b"extractvalue"
            | b"insertvalue"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"va_arg"
            | b"freeze"
            | b"tail"
            | b"musttail"
            | b"notail"
    ) || binary_op(word).is_some()
        || cast_op(word).is_some()
}

impl<'a> Parser<'a> {
    /// One instruction, or the terminator of the block.
    pub(crate) fn instruction(&mut self) -> Parsed<Result<Instruction, Terminator>> {
        let line = self.lexer.line;
        let start = self.start;
        if let Token::Record(kind) = self.token {
            let (op, debug) = self.debug_record(kind)?;
            return Ok(Ok(Instruction { result: None, op, debug, line }));
        }
        let name = self.take_local_name();
        if name.is_some() {
            self.mark(b'=')?;
        }
        let Token::Word(word) = self.token else { return self.expected("an instruction") };
        let mut step = self.step(word)?;
        let tail = self.tail()?;
        let debug = tail.debug;
        self.apply_tail(&mut step, tail)?;
        let (Step::Op(_, ty) | Step::End(_, ty)) = step;
        let result = match (ty, name) {
            (TypeId::VOID, None) => None,
            (TypeId::VOID, Some(_)) => {
                return self.fail_at(start, "a name for an instruction that has no result");
            }
            (_, name) => Some(self.define_local(name, ty, start)?),
        };
        Ok(match step {
            Step::Op(op, _) => Ok(Instruction { result, op, debug, line }),
            Step::End(op, _) => Err(Terminator { result, op, debug, line }),
        })
    }

    /// The rule that the word (which is next) selects; the most frequent words come first.
    fn step(&mut self, word: &'a [u8]) -> Parsed<Step> {
        match word {
            b"store" | b"load" | b"alloca" | b"cmpxchg" | b"atomicrmw" | b"fence"
            | b"getelementptr" | b"va_arg" => {
                self.advance();
                self.memory(word)
            }
            b"call" | b"tail" | b"musttail" | b"notail" => self.call(),
            b"br" | b"ret" | b"switch" | b"unreachable" | b"indirectbr" | b"invoke" | b"callbr"
            | b"resume" | b"cleanupret" | b"catchret" | b"catchswitch" => self.terminator(word),
            _ => {
                if let Some(op) = binary_op(word) {
                    self.advance();
                    let flags = self.flags();
                    let start = self.start;
                    let left = self.operand()?;
                    self.check_binary(op, left.ty, start)?;
                    self.mark(b',')?;
                    let right = self.value(left.ty)?;
                    let ty = left.ty;
                    return Ok(Step::Op(Op::Binary { op, flags, left, right }, ty));
                }
                if let Some(op) = cast_op(word) {
                    self.advance();
                    let flags = self.flags();
                    let start = self.start;
                    let value = self.operand()?;
                    self.word("to")?;
                    let to = self.ty()?;
                    self.check_cast(op, value.ty, to, start)?;
                    return Ok(Step::Op(Op::Cast { op, flags, value, to }, to));
                }
                self.other(word)
            }
        }
    }

    fn memory(&mut self, word: &'a [u8]) -> Parsed<Step> {
        Ok(match word {
            b"load" => {
                let mut access = Access::default();
                let atomic = self.atomic_volatile(&mut access);
                let start = self.start;
                let ty = self.ty()?;
                self.demand_sized(ty, start)?;
                self.mark(b',')?;
                let pointer = self.pointer()?;
                self.ordering_if(atomic, &mut access)?;
                Step::Op(Op::Load { ty, pointer, access }, ty)
            }
            b"store" => {
                let mut access = Access::default();
                let atomic = self.atomic_volatile(&mut access);
                let start = self.start;
                let value = self.operand()?;
                self.demand_sized(value.ty, start)?;
                self.mark(b',')?;
                let pointer = self.pointer()?;
                self.ordering_if(atomic, &mut access)?;
                Step::Op(Op::Store { value, pointer, access }, TypeId::VOID)
            }
            b"alloca" => {
                self.take_word(b"inalloca");
                self.take_word(b"swifterror");
                let start = self.start;
                let ty = self.ty()?;
                self.demand_sized(ty, start)?;
                Step::Op(
                    Op::Allocate { ty, count: None, align: None, address_space: 0 },
                    TypeId::PTR,
                )
            }
            b"getelementptr" => self.element_pointer()?,
            b"cmpxchg" => self.compare_exchange()?,
            b"atomicrmw" => self.read_modify_write()?,
            b"fence" => {
                let mut access = Access::default();
                self.ordering_if(true, &mut access)?;
                let ordering = access.ordering.unwrap_or(Ordering::SequentiallyConsistent);
                Step::Op(Op::Fence { ordering, scope: access.scope }, TypeId::VOID)
            }
            _ => {
                let list = self.pointer()?;
                self.mark(b',')?;
                let start = self.start;
                let ty = self.ty()?;
                self.demand_sized(ty, start)?;
                Step::Op(Op::VariadicArgument { list, ty }, ty)
            }
        })
    }

    /// A pointer with its type.
    #[inline]
    fn pointer(&mut self) -> Parsed<Operand> {
        let start = self.start;
        let pointer = self.operand()?;
        self.demand_pointer(&pointer, start)?;
        Ok(pointer)
    }

    /// `atomic` and `volatile`; says whether it is atomic.
    fn atomic_volatile(&mut self, access: &mut Access) -> bool {
        let atomic = self.take_word(b"atomic");
        access.volatile = self.take_word(b"volatile");
        atomic
    }

    /// `syncscope("…")` and an ordering, if the access is atomic.
    fn ordering_if(&mut self, atomic: bool, access: &mut Access) -> Parsed<()> {
        if !atomic {
            return Ok(());
        }
        if self.take_word(b"syncscope") {
            self.mark(b'(')?;
            let scope = self.string("the name of a scope")?;
            access.scope = Some(self.module.symbols.intern_bytes(&scope));
            self.mark(b')')?;
        }
        access.ordering = Some(self.ordering()?);
        Ok(())
    }

    fn ordering(&mut self) -> Parsed<Ordering> {
        let ordering = match self.token {
            Token::Word(b"seq_cst") => Ordering::SequentiallyConsistent,
            Token::Word(b"monotonic") => Ordering::Monotonic,
            Token::Word(b"acquire") => Ordering::Acquire,
            Token::Word(b"release") => Ordering::Release,
            Token::Word(b"acq_rel") => Ordering::AcquireRelease,
            Token::Word(b"unordered") => Ordering::Unordered,
            _ => return self.expected("a memory ordering"),
        };
        self.advance();
        Ok(ordering)
    }

    fn element_pointer(&mut self) -> Parsed<Step> {
        let flags = self.flags();
        let source = self.ty()?;
        self.mark(b',')?;
        let start = self.start;
        let base = self.operand()?;
        let mut indices = Vec::with_capacity(2);
        while self.more() {
            indices.push(self.operand()?);
        }
        self.check_element_pointer(&base, &indices, start)?;
        // One vector among the operands makes the result a vector of pointers.
        let types = &self.module.types;
        let shape = indices
            .iter()
            .map(|index| index.ty)
            .find(|&ty| matches!(types.get(ty), Type::Vector { .. }));
        let ty = match shape {
            Some(shape) if types.is_pointer(base.ty) => self.reshape(shape, base.ty),
            Some(_) | None => base.ty,
        };
        Ok(Step::Op(
            Op::ElementPointer(Box::new(ElementPointer { flags, source, base, indices })),
            ty,
        ))
    }

    /// The type with the shape (scalar or vector) of one type and the elements of another.
    fn reshape(&mut self, shape: TypeId, element: TypeId) -> TypeId {
        match *self.module.types.get(shape) {
            Type::Vector { count, scalable, .. } => {
                self.module.types.intern(Type::Vector { element, count, scalable })
            }
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => element,
        }
    }

    fn compare_exchange(&mut self) -> Parsed<Step> {
        let mut access = Access::default();
        let weak = self.take_word(b"weak");
        access.volatile = self.take_word(b"volatile");
        let pointer = self.pointer()?;
        self.mark(b',')?;
        let start = self.start;
        let expected = self.operand()?;
        self.mark(b',')?;
        let desired = self.operand()?;
        if expected.ty != desired.ty
            || !(self.is_integer(expected.ty) || self.is_pointer(expected.ty))
        {
            return self.fail_at(start, "`cmpxchg` compares integers or pointers of one type");
        }
        self.ordering_if(true, &mut access)?;
        let failure = self.ordering()?;
        let fields = [expected.ty, TypeId::I1].into();
        let ty = self.module.types.intern(Type::Struct { fields, packed: false });
        let op = CompareExchange { weak, pointer, expected, desired, access, failure };
        Ok(Step::Op(Op::CompareExchange(Box::new(op)), ty))
    }

    fn read_modify_write(&mut self) -> Parsed<Step> {
        let mut access = Access { volatile: self.take_word(b"volatile"), ..Access::default() };
        let op = match self.token {
            Token::Word(b"add") => RmwOp::Add,
            Token::Word(b"sub") => RmwOp::Sub,
            Token::Word(b"xchg") => RmwOp::Exchange,
            Token::Word(b"and") => RmwOp::And,
            Token::Word(b"nand") => RmwOp::Nand,
            Token::Word(b"or") => RmwOp::Or,
            Token::Word(b"xor") => RmwOp::Xor,
            Token::Word(b"max") => RmwOp::SignedMax,
            Token::Word(b"min") => RmwOp::SignedMin,
            Token::Word(b"umax") => RmwOp::UnsignedMax,
            Token::Word(b"umin") => RmwOp::UnsignedMin,
            Token::Word(b"fadd") => RmwOp::FloatAdd,
            Token::Word(b"fsub") => RmwOp::FloatSub,
            Token::Word(b"fmax") => RmwOp::FloatMax,
            Token::Word(b"fmin") => RmwOp::FloatMin,
            Token::Word(b"fmaximum") => RmwOp::FloatMaximum,
            Token::Word(b"fminimum") => RmwOp::FloatMinimum,
            Token::Word(b"uinc_wrap") => RmwOp::IncrementWrap,
            Token::Word(b"udec_wrap") => RmwOp::DecrementWrap,
            Token::Word(b"usub_cond") => RmwOp::SubConditional,
            Token::Word(b"usub_sat") => RmwOp::SubSaturating,
            _ => return self.expected("an operation of `atomicrmw`"),
        };
        self.advance();
        let pointer = self.pointer()?;
        self.mark(b',')?;
        let start = self.start;
        let value = self.operand()?;
        self.check_rmw(op, value.ty, start)?;
        self.ordering_if(true, &mut access)?;
        let ty = value.ty;
        Ok(Step::Op(
            Op::ReadModifyWrite(Box::new(ReadModifyWrite { op, pointer, value, access })),
            ty,
        ))
    }

    fn terminator(&mut self, word: &'a [u8]) -> Parsed<Step> {
        self.advance();
        let op = match word {
            b"ret" => {
                let start = self.start;
                let ty = self.ty()?;
                if Some(ty) != self.scope.result {
                    return self.fail_at(start, "the function returns another type");
                }
                let value = if ty == TypeId::VOID {
                    None
                } else {
                    Some(Operand { ty, value: self.value(ty)? })
                };
                TerminatorOp::Return(value)
            }
            b"br" => self.branch()?,
            b"switch" => self.switch()?,
            b"unreachable" => TerminatorOp::Unreachable,
            b"indirectbr" => {
                let address = self.pointer()?;
                self.mark(b',')?;
                TerminatorOp::IndirectBranch { address, targets: self.label_list()? }
            }
            b"invoke" | b"callbr" => return self.call_terminator(word == b"invoke"),
            b"resume" => {
                self.operand()?;
                TerminatorOp::Unsupported { what: "resume" }
            }
            b"cleanupret" | b"catchret" => {
                self.word("from")?;
                self.value(TypeId::TOKEN)?;
                self.unwind_target()?;
                TerminatorOp::Unsupported {
                    what: if word == b"catchret" { "catchret" } else { "cleanupret" },
                }
            }
            _ => {
                self.word("within")?;
                self.value(TypeId::TOKEN)?;
                self.label_list()?;
                self.unwind_target()?;
                return Ok(Step::End(
                    TerminatorOp::Unsupported { what: "catchswitch" },
                    TypeId::TOKEN,
                ));
            }
        };
        Ok(Step::End(op, TypeId::VOID))
    }

    /// `to label %a`, `unwind label %a` or `unwind to caller`.
    fn unwind_target(&mut self) -> Parsed<()> {
        if self.take_word(b"unwind") && self.take_word(b"to") {
            return self.word("caller");
        }
        self.take_word(b"to");
        self.label()?;
        Ok(())
    }

    fn branch(&mut self) -> Parsed<TerminatorOp> {
        if self.at_word(b"label") {
            return Ok(TerminatorOp::Jump(self.label()?));
        }
        let condition = self.operand()?;
        if condition.ty != TypeId::I1 {
            return self.fail("the condition of a branch must be an `i1`");
        }
        self.mark(b',')?;
        let then = self.label()?;
        self.mark(b',')?;
        let otherwise = self.label()?;
        Ok(TerminatorOp::Branch { condition: condition.value, then, otherwise })
    }

    fn switch(&mut self) -> Parsed<TerminatorOp> {
        let start = self.start;
        let value = self.operand()?;
        if self.module.types.integer_width(value.ty).is_none() {
            return self.fail_at(start, "`switch` needs an integer");
        }
        self.mark(b',')?;
        let default = self.label()?;
        self.mark(b'[')?;
        let mut cases = Vec::new();
        while !self.at_mark(b']') {
            let start = self.start;
            let ty = self.ty()?;
            let constant = self.constant(ty)?;
            if ty != value.ty
                || !matches!(constant, Constant::Integer(_) | Constant::WideInteger(_))
            {
                return self
                    .fail_at(start, "a case must be an integer of the type that is switched on");
            }
            self.mark(b',')?;
            cases.push((constant, self.label()?));
        }
        self.advance();
        Ok(TerminatorOp::Switch { value, default, cases })
    }

    /// `[ label %a, … ]`.
    pub(crate) fn label_list(&mut self) -> Parsed<Vec<super::ast::BlockId>> {
        self.mark(b'[')?;
        let mut labels = Vec::new();
        if !self.at_mark(b']') {
            labels.push(self.label()?);
            while self.take_mark(b',') {
                labels.push(self.label()?);
            }
        }
        self.mark(b']')?;
        Ok(labels)
    }

    /// Instructions that are neither frequent nor of a family.
    fn other(&mut self, word: &'a [u8]) -> Parsed<Step> {
        if !is_opcode(word) {
            return self.expected("an instruction");
        }
        self.advance();
        Ok(match word {
            b"icmp" => {
                self.flags();
                let predicate = self.integer_predicate()?;
                let start = self.start;
                let left = self.operand()?;
                if !self.is_integer(left.ty) && !self.is_pointer(left.ty) {
                    return self.fail_at(start, "`icmp` compares integers or pointers");
                }
                self.mark(b',')?;
                let right = self.value(left.ty)?;
                let ty = self.reshape(left.ty, TypeId::I1);
                Step::Op(Op::CompareInteger { predicate, left, right }, ty)
            }
            b"fcmp" => {
                self.flags();
                let predicate = self.float_predicate()?;
                let start = self.start;
                let left = self.operand()?;
                if !self.is_float(left.ty) {
                    return self.fail_at(start, "`fcmp` compares floating-point numbers");
                }
                self.mark(b',')?;
                let right = self.value(left.ty)?;
                let ty = self.reshape(left.ty, TypeId::I1);
                Step::Op(Op::CompareFloat { predicate, left, right }, ty)
            }
            b"phi" => self.phi()?,
            b"select" => {
                self.flags();
                let start = self.start;
                let operands = self.three()?;
                let ty = operands[1].ty;
                let condition = operands[0].ty;
                if operands[2].ty != ty
                    || (condition != TypeId::I1 && condition != self.reshape(ty, TypeId::I1))
                {
                    return self
                        .fail_at(start, "`select` needs an `i1` and two values of one type");
                }
                Step::Op(Op::Select(operands), ty)
            }
            b"fneg" => {
                self.flags();
                let start = self.start;
                let value = self.operand()?;
                let ty = value.ty;
                if !self.is_float(ty) {
                    return self.fail_at(start, "`fneg` needs a floating-point number");
                }
                Step::Op(Op::NegateFloat { value }, ty)
            }
            b"freeze" => {
                let value = self.operand()?;
                let ty = value.ty;
                Step::Op(Op::Freeze { value }, ty)
            }
            b"extractvalue" | b"insertvalue" => self.aggregate_part(word == b"insertvalue")?,
            b"extractelement" | b"insertelement" | b"shufflevector" => self.vector_part(word)?,
            _ => self.exception_pad(word)?,
        })
    }

    fn phi(&mut self) -> Parsed<Step> {
        self.flags();
        let start = self.start;
        let ty = self.ty()?;
        self.demand_sized(ty, start)?;
        let mut incoming = Vec::with_capacity(2);
        loop {
            self.mark(b'[')?;
            let value = self.value(ty)?;
            self.mark(b',')?;
            let from = self.block_use()?;
            self.mark(b']')?;
            incoming.push((value, from));
            if !self.more() {
                return Ok(Step::Op(Op::Phi { incoming }, ty));
            }
        }
    }

    fn three(&mut self) -> Parsed<Box<[Operand; 3]>> {
        let first = self.operand()?;
        self.mark(b',')?;
        let second = self.operand()?;
        self.mark(b',')?;
        Ok(Box::new([first, second, self.operand()?]))
    }

    fn aggregate_part(&mut self, insert: bool) -> Parsed<Step> {
        let start = self.start;
        let aggregate = self.operand()?;
        let element = if insert {
            self.mark(b',')?;
            Some(self.operand()?)
        } else {
            None
        };
        let mut indices = Vec::new();
        let mut part = Some(aggregate.ty);
        while self.more() {
            let index = self.number("an index")?;
            part = part.and_then(|ty| self.module.types.part(ty, u64::from(index)));
            indices.push(index);
        }
        let Some(part) = part.filter(|_| !indices.is_empty()) else {
            return self.fail_at(start, "the aggregate has no part of that index");
        };
        let indices = indices.into();
        Ok(match element {
            None => Step::Op(Op::ExtractValue { aggregate, indices }, part),
            Some(element) => {
                if element.ty != part {
                    return self
                        .fail_at(start, "the element has another type than the part it replaces");
                }
                let ty = aggregate.ty;
                Step::Op(Op::InsertValue { aggregate, element, indices }, ty)
            }
        })
    }

    fn vector_part(&mut self, word: &'a [u8]) -> Parsed<Step> {
        let start = self.start;
        let vector = self.operand()?;
        let Type::Vector { element, .. } = *self.module.types.get(vector.ty) else {
            return self
                .fail_at(start, format!("`{}` needs a vector", String::from_utf8_lossy(word)));
        };
        self.mark(b',')?;
        let second = self.operand()?;
        if word == b"extractelement" {
            if !self.is_integer(second.ty) {
                return self.fail_at(start, "the index must be an integer");
            }
            return Ok(Step::Op(Op::ExtractElement { vector, index: second }, element));
        }
        self.mark(b',')?;
        let third = self.operand()?;
        let ty = vector.ty;
        if word == b"insertelement" {
            if second.ty != element || !self.is_integer(third.ty) {
                return self.fail_at(
                    start,
                    "`insertelement` needs an element of the vector and an integer",
                );
            }
            return Ok(Step::Op(Op::InsertElement(Box::new([vector, second, third])), ty));
        }
        if second.ty != ty
            || self.reshape(third.ty, TypeId::I32) != third.ty
            || third.ty == TypeId::I32
        {
            return self.fail_at(
                start,
                "`shufflevector` needs two vectors of one type and a mask of `i32`",
            );
        }
        let ty = self.reshape(third.ty, element);
        Ok(Step::Op(Op::ShuffleVector(Box::new([vector, second, third])), ty))
    }

    /// `landingpad`, `cleanuppad`, `catchpad`.
    fn exception_pad(&mut self, word: &'a [u8]) -> Parsed<Step> {
        if word != b"landingpad" {
            self.word("within")?;
            self.value(TypeId::TOKEN)?;
            self.skip_brackets()?;
            let what = if word == b"catchpad" { "catchpad" } else { "cleanuppad" };
            return Ok(Step::Op(Op::Unsupported { what }, TypeId::TOKEN));
        }
        let ty = self.ty()?;
        self.take_word(b"cleanup");
        while self.take_word(b"catch") || self.take_word(b"filter") {
            self.operand()?;
        }
        Ok(Step::Op(Op::Unsupported { what: "landingpad" }, ty))
    }

    pub(crate) fn integer_predicate(&mut self) -> Parsed<IntegerPredicate> {
        let predicate = match self.token {
            Token::Word(b"eq") => IntegerPredicate::Eq,
            Token::Word(b"ne") => IntegerPredicate::Ne,
            Token::Word(b"ugt") => IntegerPredicate::Ugt,
            Token::Word(b"uge") => IntegerPredicate::Uge,
            Token::Word(b"ult") => IntegerPredicate::Ult,
            Token::Word(b"ule") => IntegerPredicate::Ule,
            Token::Word(b"sgt") => IntegerPredicate::Sgt,
            Token::Word(b"sge") => IntegerPredicate::Sge,
            Token::Word(b"slt") => IntegerPredicate::Slt,
            Token::Word(b"sle") => IntegerPredicate::Sle,
            _ => return self.expected("a predicate of `icmp`"),
        };
        self.advance();
        Ok(predicate)
    }

    pub(crate) fn float_predicate(&mut self) -> Parsed<FloatPredicate> {
        let predicate = match self.token {
            Token::Word(b"false") => FloatPredicate::False,
            Token::Word(b"oeq") => FloatPredicate::Oeq,
            Token::Word(b"ogt") => FloatPredicate::Ogt,
            Token::Word(b"oge") => FloatPredicate::Oge,
            Token::Word(b"olt") => FloatPredicate::Olt,
            Token::Word(b"ole") => FloatPredicate::Ole,
            Token::Word(b"one") => FloatPredicate::One,
            Token::Word(b"ord") => FloatPredicate::Ord,
            Token::Word(b"ueq") => FloatPredicate::Ueq,
            Token::Word(b"ugt") => FloatPredicate::Ugt,
            Token::Word(b"uge") => FloatPredicate::Uge,
            Token::Word(b"ult") => FloatPredicate::Ult,
            Token::Word(b"ule") => FloatPredicate::Ule,
            Token::Word(b"une") => FloatPredicate::Une,
            Token::Word(b"uno") => FloatPredicate::Uno,
            Token::Word(b"true") => FloatPredicate::True,
            _ => return self.expected("a predicate of `fcmp`"),
        };
        self.advance();
        Ok(predicate)
    }

    /// Takes a comma if the list goes on; a comma before metadata belongs to the tail and is left
    /// to it.
    #[inline]
    fn more(&mut self) -> bool {
        if !self.at_mark(b',') {
            return false;
        }
        self.lexer.skip_blanks();
        if self.lexer.byte() == b'!' {
            return false;
        }
        self.advance();
        true
    }

    #[inline]
    fn tail(&mut self) -> Parsed<Tail> {
        let mut tail = Tail::default();
        while self.take_mark(b',') {
            match self.token {
                Token::Word(b"align") => {
                    self.advance();
                    tail.align = Some(self.alignment()?);
                }
                Token::MetadataName(_) => self.attachment(&mut tail.debug)?,
                Token::Word(b"addrspace") => tail.address_space = self.address_space()?,
                _ => {
                    if tail.count.is_some() {
                        return self.expected("an alignment or metadata");
                    }
                    tail.count = Some(self.operand()?);
                }
            }
        }
        Ok(tail)
    }

    /// Puts what the tail says where it belongs.
    #[inline]
    fn apply_tail(&mut self, step: &mut Step, tail: Tail) -> Parsed<()> {
        match step {
            Step::Op(Op::Load { access, .. } | Op::Store { access, .. }, _) => {
                access.align = tail.align
            }
            Step::Op(Op::Allocate { count, align, address_space, .. }, ty) => {
                *count = tail.count;
                *align = tail.align;
                if let Some(count) = count
                    && self.module.types.integer_width(count.ty).is_none()
                {
                    return self.fail("the number of elements before this must be an integer");
                }
                if tail.address_space != 0 {
                    *address_space = tail.address_space;
                    *ty = self
                        .module
                        .types
                        .intern(Type::Pointer { address_space: tail.address_space });
                }
                return Ok(());
            }
            Step::Op(Op::CompareExchange(op), _) => op.access.align = tail.align,
            Step::Op(Op::ReadModifyWrite(op), _) => op.access.align = tail.align,
            Step::Op(_, _) | Step::End(_, _) if tail.align.is_some() => {
                return self.fail("an alignment for an instruction that has none");
            }
            Step::Op(_, _) | Step::End(_, _) => {}
        }
        if tail.count.is_some() {
            return self.fail("an operand too many before this");
        }
        Ok(())
    }
}
