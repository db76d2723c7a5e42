//! Values: local and global names, and constants of every kind.
//!
//! Idea: the type is read before the value and says how to read it: the same digits are an integer
//! or a float.
//! Source: LLVM Language Reference, "Constants" and "Constant Expressions", back to LLVM 15.
//! Invariants: literals, aggregates and the operands of expressions fit their types; that the
//!   result of an expression has the type written before it is checked for casts only.
//! Limits: forms that only C++ or signed pointers bring (`dso_local_equivalent`, `no_cfi`,
//!   `ptrauth`), and literals wider than 4096 bits, become `Constant::Unsupported`.

use super::ast::{
    BinaryOp, CastOp, Constant, ElementPointer, Expression, Flags, LocalName, Operand, Value,
};
use super::lexer::{Token, unescape};
use super::literal;
use super::parser::{Parsed, Parser};
use super::symbols::Symbol;
use super::types::{FloatKind, Type, TypeId};

/// Can a constant begin with this word? The words are disjoint from those of parameter attributes.
pub(crate) fn begins_constant(word: &[u8]) -> bool {
    matches!(
        word,
        b"null"
            | b"true"
            | b"false"
            | b"undef"
            | b"poison"
            | b"zeroinitializer"
            | b"none"
            | b"splat"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"asm"
    ) || is_expression(word)
        || word.starts_with(b"u0x")
        || word.starts_with(b"s0x")
}

fn is_expression(word: &[u8]) -> bool {
    cast_op(word).is_some()
        || binary_op(word).is_some()
        || matches!(
            word,
            b"getelementptr"
                | b"icmp"
                | b"fcmp"
                | b"select"
                | b"extractelement"
                | b"insertelement"
                | b"shufflevector"
                | b"fneg"
                | b"extractvalue"
                | b"insertvalue"
        )
}

/// The cast that a word names.
pub(crate) fn cast_op(word: &[u8]) -> Option<CastOp> {
    Some(match word {
        b"trunc" => CastOp::Trunc,
        b"zext" => CastOp::ZExt,
        b"sext" => CastOp::SExt,
        b"fptrunc" => CastOp::FpTrunc,
        b"fpext" => CastOp::FpExt,
        b"fptoui" => CastOp::FpToUi,
        b"fptosi" => CastOp::FpToSi,
        b"uitofp" => CastOp::UiToFp,
        b"sitofp" => CastOp::SiToFp,
        b"ptrtoint" => CastOp::PtrToInt,
        b"inttoptr" => CastOp::IntToPtr,
        b"bitcast" => CastOp::BitCast,
        b"addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// The operation that a word names.
pub(crate) fn binary_op(word: &[u8]) -> Option<BinaryOp> {
    Some(match word {
        b"add" => BinaryOp::Add,
        b"sub" => BinaryOp::Sub,
        b"mul" => BinaryOp::Mul,
        b"udiv" => BinaryOp::UDiv,
        b"sdiv" => BinaryOp::SDiv,
        b"urem" => BinaryOp::URem,
        b"srem" => BinaryOp::SRem,
        b"shl" => BinaryOp::Shl,
        b"lshr" => BinaryOp::LShr,
        b"ashr" => BinaryOp::AShr,
        b"and" => BinaryOp::And,
        b"or" => BinaryOp::Or,
        b"xor" => BinaryOp::Xor,
        b"fadd" => BinaryOp::FAdd,
        b"fsub" => BinaryOp::FSub,
        b"fmul" => BinaryOp::FMul,
        b"fdiv" => BinaryOp::FDiv,
        b"frem" => BinaryOp::FRem,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// A type and a value of it.
    #[inline]
    pub(crate) fn operand(&mut self) -> Parsed<Operand> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(Operand { ty, value })
    }

    /// A value of the type just read.
    #[inline]
    pub(crate) fn value(&mut self, ty: TypeId) -> Parsed<Value> {
        match self.token {
            Token::Local(name) => {
                let name = LocalName::Named(self.intern(name));
                let id = self.use_local(name, ty)?;
                self.advance();
                Ok(Value::Local(id))
            }
            Token::LocalNumber(number) => {
                let id = self.use_local(LocalName::Numbered(number), ty)?;
                self.advance();
                Ok(Value::Local(id))
            }
            Token::Global(_) | Token::GlobalNumber(_) => {
                if !self.module.types.is_pointer(ty) {
                    return self.fail("the name of a global where its type is no pointer");
                }
                Ok(Value::Global(self.global_use()?))
            }
            _ => Ok(Value::Constant(self.constant(ty)?)),
        }
    }

    /// `@x` as a use.
    pub(crate) fn global_use(&mut self) -> Parsed<Symbol> {
        let start = self.start;
        let symbol = self.global_name()?;
        let index = symbol.0 as usize;
        if self.used_globals.len() <= index {
            self.used_globals.resize(index + 1, 0);
        }
        if self.used_globals[index] == 0 {
            self.used_globals[index] = start as u32 + 1;
        }
        Ok(symbol)
    }

    /// `@x`; a number keeps its sigil, so that `@0` and `@"0"` differ.
    pub(crate) fn global_name(&mut self) -> Parsed<Symbol> {
        let symbol = match self.token {
            Token::Global(name) => self.intern(name),
            Token::GlobalNumber(number) => self.module.symbols.intern(&format!("@{number}")),
            _ => return self.expected("a global name"),
        };
        self.advance();
        Ok(symbol)
    }

    /// A constant that is not simply a global.
    pub(crate) fn constant(&mut self, ty: TypeId) -> Parsed<Constant> {
        match self.token {
            Token::Number(text) => self.number_constant(text, ty),
            Token::Word(word) => self.word_constant(word, ty),
            Token::Bytes(text) => {
                let bytes: Box<[u8]> = unescape(text).into();
                let count = bytes.len() as u64;
                if *self.module.types.get(ty) != (Type::Array { element: TypeId::I8, count }) {
                    return self
                        .fail(format!("a string of {count} bytes that does not fit its type"));
                }
                self.advance();
                Ok(Constant::Bytes(bytes))
            }
            Token::Mark(b'[') => Ok(Constant::Array(self.elements(ty, b']')?)),
            Token::Mark(b'{') => Ok(Constant::Struct(self.elements(ty, b'}')?)),
            Token::Mark(b'<') => {
                // No vector has structs as elements, so a brace here means a packed struct.
                self.lexer.skip_blanks();
                if self.lexer.byte() != b'{' {
                    return Ok(Constant::Vector(self.elements(ty, b'>')?));
                }
                self.advance();
                let elements = self.elements(ty, b'}')?;
                self.mark(b'>')?;
                Ok(Constant::Struct(elements))
            }
            _ => self.expected("a value"),
        }
    }

    #[inline]
    fn number_constant(&mut self, text: &'a [u8], ty: TypeId) -> Parsed<Constant> {
        let constant = match *self.module.types.get(ty) {
            Type::Integer(width @ ..=64) => literal::integer(text, width).map(Constant::Integer),
            Type::Integer(width @ ..=literal::WIDEST) => {
                literal::wide_integer(text, width).map(Constant::WideInteger)
            }
            Type::Integer(_) => {
                Some(Constant::Unsupported("an integer literal of more than 4096 bits"))
            }
            Type::Float(kind) => literal::float(text, kind).map(|bits| match kind {
                FloatKind::Half | FloatKind::BFloat | FloatKind::Float | FloatKind::Double => {
                    Constant::Float(bits as u64)
                }
                FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => {
                    Constant::WideFloat(Box::new(bits))
                }
            }),
            Type::Void
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => None,
        };
        match constant {
            Some(constant) => {
                self.advance();
                Ok(constant)
            }
            None => self.expected("a literal of the type before it"),
        }
    }

    fn word_constant(&mut self, word: &'a [u8], ty: TypeId) -> Parsed<Constant> {
        let constant = match word {
            b"null" if self.module.types.is_pointer(ty) => Constant::Null,
            b"true" if ty == TypeId::I1 => Constant::Integer(1),
            b"false" if ty == TypeId::I1 => Constant::Integer(0),
            b"null" | b"true" | b"false" => return self.expected("a value of the type before it"),
            b"undef" => Constant::Undef,
            b"poison" => Constant::Poison,
            b"zeroinitializer" => Constant::Zero,
            b"none" => Constant::NoToken,
            b"splat" => {
                self.advance();
                self.mark(b'(')?;
                let start = self.start;
                let element = self.nest(Self::operand)?;
                if !matches!(self.module.types.get(ty), Type::Vector { element: ty, .. } if *ty == element.ty)
                {
                    return self.fail_at(start, "an element that does not fit its vector");
                }
                self.mark(b')')?;
                return Ok(Constant::Splat(Box::new(element)));
            }
            b"blockaddress" => return self.block_address(),
            b"dso_local_equivalent" | b"no_cfi" => {
                self.advance();
                self.global_use()?;
                let word = if word == b"no_cfi" { "no_cfi" } else { "dso_local_equivalent" };
                return Ok(Constant::Unsupported(word));
            }
            b"ptrauth" => {
                self.advance();
                self.skip_brackets()?;
                return Ok(Constant::Unsupported("ptrauth"));
            }
            [b'u' | b's', b'0', b'x', ..] => return self.hex_constant(word, ty),
            _ => {
                return match self.nest(|parser| parser.expression(word, ty))? {
                    Some(expression) => Ok(Constant::Expression(Box::new(expression))),
                    None => self.expected("a value"),
                };
            }
        };
        self.advance();
        Ok(constant)
    }

    fn hex_constant(&mut self, word: &'a [u8], ty: TypeId) -> Parsed<Constant> {
        let width = self.module.types.integer_width(ty);
        let Some(width) = width.filter(|&width| width <= literal::WIDEST) else {
            return self.expected("a literal of the type before it");
        };
        let Some(words) = literal::hex_integer(word, width) else {
            return self.expected("a hexadecimal integer");
        };
        self.advance();
        Ok(if width <= 64 { Constant::Integer(words[0]) } else { Constant::WideInteger(words) })
    }

    /// `[ T v, … ]` with any brackets; the opening one is next.
    fn elements(&mut self, ty: TypeId, close: u8) -> Parsed<Box<[Operand]>> {
        let start = self.start;
        self.advance();
        let mut elements = Vec::new();
        if !self.at_mark(close) {
            elements.push(self.nest(Self::operand)?);
            while self.take_mark(b',') {
                elements.push(self.nest(Self::operand)?);
            }
        }
        self.mark(close)?;
        self.check_elements(ty, &elements, start)?;
        Ok(elements.into())
    }

    /// `blockaddress(@f, %b)`; the block is looked up when all functions are read.
    fn block_address(&mut self) -> Parsed<Constant> {
        self.advance();
        self.mark(b'(')?;
        let start = self.start;
        let function = self.global_use()?;
        self.mark(b',')?;
        let block = match self.token {
            Token::Local(name) => LocalName::Named(self.intern(name)),
            Token::LocalNumber(number) => LocalName::Numbered(number),
            _ => return self.expected("the label of a block"),
        };
        self.advance();
        self.mark(b')')?;
        self.pending_addresses.push((start, function, block));
        Ok(Constant::BlockAddress(self.pending_addresses.len() as u32 - 1))
    }

    /// A constant expression, if the word (which is next) begins one.
    fn expression(&mut self, word: &'a [u8], ty: TypeId) -> Parsed<Option<Expression>> {
        if !is_expression(word) {
            return Ok(None);
        }
        self.advance();
        let expression = if word == b"getelementptr" {
            self.constant_element_pointer()?
        } else if let Some(op) = cast_op(word) {
            self.flags();
            self.mark(b'(')?;
            let start = self.start;
            let value = self.operand()?;
            self.word("to")?;
            let to = self.ty()?;
            self.check_cast(op, value.ty, to, start)?;
            if to != ty {
                return self.fail_at(start, "a cast to another type than the one before it");
            }
            Expression::Cast { op, value, to }
        } else if let Some(op) = binary_op(word) {
            let flags = self.flags();
            self.mark(b'(')?;
            let start = self.start;
            let (left, right) = self.pair()?;
            self.check_binary(op, left.ty, start)?;
            if left.ty != right.ty || left.ty != ty {
                return self.fail_at(start, "operands of different types");
            }
            Expression::Binary { op, flags, left, right }
        } else {
            self.rare_expression(word)?
        };
        self.mark(b')')?;
        Ok(Some(expression))
    }

    fn rare_expression(&mut self, word: &'a [u8]) -> Parsed<Expression> {
        Ok(match word {
            b"icmp" => {
                let predicate = self.integer_predicate()?;
                self.mark(b'(')?;
                let (left, right) = self.pair()?;
                Expression::CompareInteger { predicate, left, right }
            }
            b"fcmp" => {
                let predicate = self.float_predicate()?;
                self.mark(b'(')?;
                let (left, right) = self.pair()?;
                Expression::CompareFloat { predicate, left, right }
            }
            b"select" => {
                let [condition, then, otherwise] = self.triple()?;
                Expression::Select { condition, then, otherwise }
            }
            b"insertelement" => {
                let [vector, element, index] = self.triple()?;
                Expression::InsertElement { vector, element, index }
            }
            b"shufflevector" => {
                let [left, right, mask] = self.triple()?;
                Expression::ShuffleVector { left, right, mask }
            }
            b"extractelement" => {
                self.mark(b'(')?;
                let (vector, index) = self.pair()?;
                Expression::ExtractElement { vector, index }
            }
            // `fneg`, `extractvalue` and `insertvalue` went with LLVM 15, and clang folded them
            // always.
            _ => return self.fail("a constant expression that LLVM 15 and newer do not have"),
        })
    }

    fn pair(&mut self) -> Parsed<(Operand, Operand)> {
        let left = self.operand()?;
        self.mark(b',')?;
        Ok((left, self.operand()?))
    }

    /// `( T a, T b, T c`.
    fn triple(&mut self) -> Parsed<[Operand; 3]> {
        self.mark(b'(')?;
        let (first, second) = self.pair()?;
        self.mark(b',')?;
        Ok([first, second, self.operand()?])
    }

    fn constant_element_pointer(&mut self) -> Parsed<Expression> {
        let mut flags = self.flags();
        if self.take_word(b"inrange") {
            self.skip_brackets()?;
            flags = flags.with(self.flags());
        }
        self.mark(b'(')?;
        let source = self.ty()?;
        self.mark(b',')?;
        let start = self.start;
        let base = self.operand()?;
        let mut indices = Vec::new();
        while self.take_mark(b',') {
            self.take_word(b"inrange");
            indices.push(self.operand()?);
        }
        self.check_element_pointer(&base, &indices, start)?;
        Ok(Expression::ElementPointer(ElementPointer { flags, source, base, indices }))
    }

    /// Flags of arithmetic, as many as there are.
    #[inline]
    pub(crate) fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Token::Word(word) = self.token {
            flags = flags.with(match word {
                b"nsw" => Flags::NO_SIGNED_WRAP,
                b"nuw" => Flags::NO_UNSIGNED_WRAP,
                b"inbounds" => Flags::IN_BOUNDS,
                b"exact" => Flags::EXACT,
                b"disjoint" => Flags::DISJOINT,
                b"nneg" => Flags::NON_NEGATIVE,
                b"samesign" => Flags::SAME_SIGN,
                b"nusw" => Flags::NO_UNSIGNED_SIGNED_WRAP,
                b"nnan" => Flags::NO_NAN,
                b"ninf" => Flags::NO_INFINITY,
                b"nsz" | b"arcp" | b"contract" | b"afn" | b"reassoc" => Flags::RELAXED_MATH,
                b"fast" => Flags::RELAXED_MATH.with(Flags::NO_NAN).with(Flags::NO_INFINITY),
                _ => return flags,
            });
            self.advance();
        }
        flags
    }
}
