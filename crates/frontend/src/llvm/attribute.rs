//! Attributes, linkage and calling conventions.
//!
//! Idea: attributes form an open set that grows with every release, so the rules know where
//!   attributes end rather than what they are: before a type at the first word that begins one,
//!   before a value at the first word that does, after a call at the first instruction or label.
//!   Unknown ones are skipped with their brackets.
//! Source: LLVM Language Reference, "Parameter Attributes", "Function Attributes", "Linkage Types".
//! Limits: only attributes that change what a program does are kept (see `ast.rs`).

use super::ast::{CallingConvention, FunctionAttributes, Linkage, ParameterAttributes};
use super::instruction::is_opcode;
use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::value::begins_constant;

impl<'a> Parser<'a> {
    /// A linkage word if there is one; `External` is also what `external` says.
    pub(crate) fn linkage(&mut self) -> Option<Linkage> {
        let Token::Word(word) = self.token else { return None };
        let linkage = match word {
            b"internal" => Linkage::Internal,
            b"private" => Linkage::Private,
            b"external" => Linkage::External,
            b"common" => Linkage::Common,
            b"weak" => Linkage::Weak,
            b"weak_odr" => Linkage::WeakOdr,
            b"linkonce" => Linkage::LinkOnce,
            b"linkonce_odr" => Linkage::LinkOnceOdr,
            b"available_externally" => Linkage::AvailableExternally,
            b"appending" => Linkage::Appending,
            b"extern_weak" => Linkage::ExternWeak,
            _ => return None,
        };
        self.advance();
        Some(linkage)
    }

    /// Words about visibility, which mean nothing to a checker.
    pub(crate) fn skip_visibility(&mut self) {
        while let Token::Word(
            b"dso_local" | b"dso_preemptable" | b"default" | b"hidden" | b"protected"
            | b"dllimport" | b"dllexport",
        ) = self.token
        {
            self.advance();
        }
    }

    pub(crate) fn calling_convention(&mut self) -> Parsed<CallingConvention> {
        let Token::Word(word) = self.token else { return Ok(CallingConvention::C) };
        let convention = match word {
            b"ccc" => CallingConvention::C,
            b"fastcc" => CallingConvention::Fast,
            b"coldcc" => CallingConvention::Cold,
            b"cc" => {
                self.advance();
                return Ok(match self.number("the number of a calling convention")? {
                    0 => CallingConvention::C,
                    8 => CallingConvention::Fast,
                    9 => CallingConvention::Cold,
                    _ => CallingConvention::Other,
                });
            }
            b"spir_kernel" | b"spir_func" => CallingConvention::Other,
            _ if word.ends_with(b"cc")
                || word.ends_with(b"_pcs")
                || word.starts_with(b"amdgpu_") =>
            {
                CallingConvention::Other
            }
            _ => return Ok(CallingConvention::C),
        };
        self.advance();
        Ok(convention)
    }

    /// Attributes of a result, up to its type.
    pub(crate) fn result_attributes(&mut self) -> Parsed<ParameterAttributes> {
        let mut attributes = ParameterAttributes::default();
        loop {
            match self.token {
                Token::Word(_) if self.at_type() || self.at_word(b"addrspace") => {
                    return Ok(attributes);
                }
                Token::Word(word) => self.parameter_attribute(word, &mut attributes)?,
                Token::String(_) => self.string_attribute()?,
                _ => return Ok(attributes),
            }
        }
    }

    /// Attributes of a parameter or argument, after its type and up to its name or value.
    #[inline]
    pub(crate) fn parameter_attributes(&mut self) -> Parsed<ParameterAttributes> {
        let mut attributes = ParameterAttributes::default();
        loop {
            match self.token {
                Token::Word(b"noundef") => self.advance(),
                Token::Word(word) if begins_constant(word) => return Ok(attributes),
                Token::Word(word) => self.parameter_attribute(word, &mut attributes)?,
                Token::String(_) => self.string_attribute()?,
                _ => return Ok(attributes),
            }
        }
    }

    fn parameter_attribute(
        &mut self,
        word: &'a [u8],
        attributes: &mut ParameterAttributes,
    ) -> Parsed<()> {
        self.advance();
        match word {
            b"zeroext" => attributes.zero_extend = true,
            b"signext" => attributes.sign_extend = true,
            b"align" => attributes.align = Some(self.alignment()?),
            b"byval" | b"sret" if self.at_mark(b'(') => {
                self.advance();
                let ty = Some(self.ty()?);
                self.mark(b')')?;
                if word == b"byval" {
                    attributes.byval = ty;
                } else {
                    attributes.sret = ty;
                }
            }
            b"..." => return self.fail("`...` must be the last parameter"),
            _ => self.attribute_value()?,
        }
        Ok(())
    }

    /// `n` or `(n)` after `align`; a power of two.
    pub(crate) fn alignment(&mut self) -> Parsed<u32> {
        let bracket = self.take_mark(b'(') || self.take_mark(b'=');
        let start = self.start;
        let align = self.long_number("an alignment")?;
        match u32::try_from(align) {
            Ok(small) if small.is_power_of_two() => {
                if bracket && self.at_mark(b')') {
                    self.advance();
                }
                Ok(small)
            }
            _ if align == 1 << 32 => Ok(1 << 31),
            _ => self.fail_at(start, "an alignment must be a power of two, at most 2^32"),
        }
    }

    /// `(…)` or `=n` after an attribute's word.
    fn attribute_value(&mut self) -> Parsed<()> {
        if self.at_mark(b'(') {
            self.skip_brackets()?;
        } else if self.take_mark(b'=') {
            self.long_number("the value of an attribute")?;
        }
        Ok(())
    }

    /// `"name"` or `"name"="value"`.
    fn string_attribute(&mut self) -> Parsed<()> {
        self.advance();
        if self.take_mark(b'=') {
            self.string("the value of an attribute")?;
        }
        Ok(())
    }

    /// Attributes of a function or call, up to what cannot be one.
    #[inline]
    pub(crate) fn function_attributes(
        &mut self,
        attributes: &mut FunctionAttributes,
        groups: &mut Vec<u32>,
    ) -> Parsed<()> {
        loop {
            match self.token {
                Token::Group(number) => {
                    groups.push(number);
                    self.advance();
                }
                Token::String(_) if self.lexer.byte() != b':' => self.string_attribute()?,
                Token::Word(word) if !self.ends_attributes(word) => {
                    self.function_attribute(word, attributes)?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn function_attribute(
        &mut self,
        word: &'a [u8],
        attributes: &mut FunctionAttributes,
    ) -> Parsed<()> {
        self.advance();
        match word {
            b"noreturn" => attributes.noreturn = true,
            b"returns_twice" => attributes.returns_twice = true,
            b"align" => {
                self.alignment()?;
            }
            _ => self.attribute_value()?,
        }
        Ok(())
    }

    /// A word that belongs to what comes after the attributes.
    fn ends_attributes(&self, word: &[u8]) -> bool {
        self.lexer.byte() == b':'
            || is_opcode(word)
            || matches!(
                word,
                b"to"
                    | b"unwind"
                    | b"define"
                    | b"declare"
                    | b"attributes"
                    | b"target"
                    | b"source_filename"
                    | b"module"
                    | b"uselistorder"
                    | b"uselistorder_bb"
                    | b"section"
                    | b"partition"
                    | b"comdat"
                    | b"gc"
                    | b"prefix"
                    | b"prologue"
                    | b"personality"
                    | b"addrspace"
            )
    }

    /// `attributes #n = { … }`.
    pub(crate) fn attribute_group(&mut self) -> Parsed<()> {
        self.advance();
        let Token::Group(number) = self.token else {
            return self.expected("the number of an attribute group");
        };
        self.advance();
        self.mark(b'=')?;
        self.mark(b'{')?;
        let mut attributes = FunctionAttributes::default();
        loop {
            match self.token {
                Token::String(_) => self.string_attribute()?,
                Token::Word(word) => self.function_attribute(word, &mut attributes)?,
                _ => break,
            }
        }
        self.mark(b'}')?;
        self.module.attribute_groups.insert(number, attributes);
        Ok(())
    }
}
