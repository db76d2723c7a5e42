//! Functions: heads, blocks, and what `%name` means inside.
//!
//! Idea: an id is given to a local or block when it is first seen, be it used or defined; tables by
//!   symbol and by number find it again. The tables are kept from function to function, an epoch
//!   telling which entries are of this one. At the end blocks are renumbered into text order.
//! Source: LLVM Language Reference, "Functions"; numbers of unnamed values are shared by arguments,
//! blocks and results.
//! Invariants: when a function is complete, every local and block is defined exactly once.
//! Limits: LLVM wants names of blocks and values to differ from each other; we keep two tables and
//! do not check.

use super::ast::{
    Block, BlockId, Function, FunctionAttributes, Instruction, Item, Linkage, Local, LocalId,
    LocalName, Op, Parameter, TerminatorOp,
};
use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::types::{Type, TypeId};

/// Names of the function being read.
#[derive(Default)]
pub(crate) struct Scope {
    /// Are we in a body at all?
    inside: bool,
    epoch: u32,
    values: Names,
    blocks: Names,
    /// What the function returns.
    pub(crate) result: Option<TypeId>,
    /// The number that the next unnamed argument, block or result has.
    next_number: u32,
    locals: Vec<Local>,
    /// By local: 0 if defined, else the position of the first use plus 1.
    undefined_locals: Vec<u32>,
    block_names: Vec<LocalName>,
    /// By block: 0 if defined, else the position of the first use plus 1.
    undefined_blocks: Vec<u32>,
    /// Blocks in text order.
    block_order: Vec<BlockId>,
    /// Of the block being read; kept to have one allocation of the right size per block.
    instructions: Vec<Instruction>,
}

/// A table from names to ids.
#[derive(Default)]
struct Names {
    /// By symbol: epoch and id.
    named: Vec<(u32, u32)>,
    /// By number: epoch and id.
    numbered: Vec<(u32, u32)>,
}

impl Names {
    /// The entry of a name, with epoch 0 if there was none.
    #[inline]
    fn entry(&mut self, name: LocalName) -> &mut (u32, u32) {
        let (table, index) = match name {
            LocalName::Named(symbol) => (&mut self.named, symbol.0 as usize),
            LocalName::Numbered(number) => (&mut self.numbered, number as usize),
        };
        if table.len() <= index {
            table.resize(index + 1, (0, 0));
        }
        &mut table[index]
    }
}

impl Scope {
    fn enter(&mut self) {
        self.inside = true;
        self.epoch += 1;
        self.next_number = 0;
        self.locals.clear();
        self.undefined_locals.clear();
        self.block_names.clear();
        self.undefined_blocks.clear();
        self.block_order.clear();
    }

    #[inline]
    fn local(&mut self, name: LocalName, ty: TypeId, position: u32) -> LocalId {
        let entry = self.values.entry(name);
        if entry.0 != self.epoch {
            *entry = (self.epoch, self.locals.len() as u32);
            self.locals.push(Local { name, ty });
            self.undefined_locals.push(position + 1);
        }
        LocalId(entry.1)
    }

    fn block(&mut self, name: LocalName, position: u32) -> BlockId {
        let entry = self.blocks.entry(name);
        if entry.0 != self.epoch {
            *entry = (self.epoch, self.block_names.len() as u32);
            self.block_names.push(name);
            self.undefined_blocks.push(position + 1);
        }
        BlockId(entry.1)
    }
}

impl<'a> Parser<'a> {
    /// The local of that name, used here.
    #[inline]
    pub(crate) fn use_local(&mut self, name: LocalName, ty: TypeId) -> Parsed<LocalId> {
        if !self.scope.inside {
            return self.fail("a local name outside of functions");
        }
        self.check_number(name)?;
        let id = self.scope.local(name, ty, self.start as u32);
        if self.scope.locals[id.0 as usize].ty != ty {
            return self.fail("a local used with another type than its own");
        }
        Ok(id)
    }

    /// Numbers are dense, so one beyond the length of the text is wrong (and would claim much
    /// memory).
    #[inline]
    fn check_number(&self, name: LocalName) -> Parsed<()> {
        match name {
            LocalName::Numbered(number) if number as usize > self.lexer.text.len() => {
                self.fail("a local number that nothing in this file can define")
            }
            LocalName::Numbered(_) | LocalName::Named(_) => Ok(()),
        }
    }

    /// Defines a local: `None` takes the next number.
    #[inline]
    pub(crate) fn define_local(
        &mut self,
        name: Option<LocalName>,
        ty: TypeId,
        at: usize,
    ) -> Parsed<LocalId> {
        let name = self.fresh_name(name, at)?;
        let id = self.scope.local(name, ty, 0);
        let undefined = &mut self.scope.undefined_locals[id.0 as usize];
        if *undefined == 0 {
            let name = self.show(name);
            return self.fail_at(at, format!("`%{name}` is defined twice"));
        }
        *undefined = 0;
        if self.scope.locals[id.0 as usize].ty != ty {
            let name = self.show(name);
            return self.fail_at(at, format!("`%{name}` was used with another type before"));
        }
        Ok(id)
    }

    /// Checks and counts numbers.
    #[inline]
    fn fresh_name(&mut self, name: Option<LocalName>, at: usize) -> Parsed<LocalName> {
        let next = self.scope.next_number;
        match name {
            Some(name @ LocalName::Named(_)) => Ok(name),
            Some(LocalName::Numbered(number)) if number < next => self
                .fail_at(at, format!("expected the number {next} or a larger one, found {number}")),
            Some(name @ LocalName::Numbered(number)) => {
                self.check_number(name)?;
                self.scope.next_number = number + 1;
                Ok(name)
            }
            None => {
                self.scope.next_number = next + 1;
                Ok(LocalName::Numbered(next))
            }
        }
    }

    fn show(&self, name: LocalName) -> String {
        match name {
            LocalName::Named(symbol) => self.module.name(symbol).to_owned(),
            LocalName::Numbered(number) => number.to_string(),
        }
    }

    /// `label %b`.
    pub(crate) fn label(&mut self) -> Parsed<BlockId> {
        self.word("label")?;
        self.block_use()
    }

    /// `%b` in a place where only a block can be meant.
    pub(crate) fn block_use(&mut self) -> Parsed<BlockId> {
        let name = match self.token {
            Token::Local(name) => LocalName::Named(self.intern(name)),
            Token::LocalNumber(number) => LocalName::Numbered(number),
            _ => return self.expected("the label of a block"),
        };
        self.check_number(name)?;
        let id = self.scope.block(name, self.start as u32);
        self.advance();
        Ok(id)
    }

    /// `define …` or `declare …`.
    pub(crate) fn function(&mut self) -> Parsed<()> {
        let line = self.lexer.line;
        let defined = self.at_word(b"define");
        self.advance();
        let mut debug = None;
        while let Token::MetadataName(_) = self.token {
            self.attachment(&mut debug)?;
        }
        let linkage = self.linkage().unwrap_or(Linkage::External);
        self.skip_visibility();
        let calling_convention = self.calling_convention()?;
        let result_attributes = self.result_attributes()?;
        let result = self.function_result()?;
        let start = self.start;
        let name = self.global_name()?;
        self.scope.enter();
        self.scope.result = Some(result);
        self.mark(b'(')?;
        let (parameters, variadic) = self.parameters()?;
        let mut attributes = FunctionAttributes::default();
        let mut groups = Vec::new();
        self.head_end(&mut attributes, &mut groups, &mut debug)?;
        let blocks = if defined { self.body()? } else { Vec::new() };
        self.scope.inside = false;
        let types: Vec<TypeId> = parameters.iter().map(|parameter| parameter.ty).collect();
        let ty =
            self.module.types.intern(Type::Function { result, parameters: types.into(), variadic });
        let index = self.module.functions.len() as u32;
        self.add_item(start, name, Item::Function(index))?;
        self.module.functions.push(Function {
            name,
            linkage,
            calling_convention,
            result,
            result_attributes,
            parameters,
            variadic,
            attributes,
            ty,
            debug,
            locals: std::mem::take(&mut self.scope.locals),
            blocks,
            line,
        });
        self.function_groups.push(groups);
        Ok(())
    }

    /// The result type of a head; unlike in a call it is never a function type.
    fn function_result(&mut self) -> Parsed<TypeId> {
        let start = self.start;
        let ty = self.ty()?;
        match self.module.types.get(ty) {
            Type::Function { .. } | Type::Label | Type::Metadata => {
                self.fail_at(start, "a type that no function can return")
            }
            Type::Void
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Token
            | Type::Target(_) => Ok(ty),
        }
    }

    /// The formal parameters and the closing bracket. They become the first locals.
    fn parameters(&mut self) -> Parsed<(Vec<Parameter>, bool)> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.at_mark(b')') {
            if self.take_word(b"...") {
                variadic = true;
                break;
            }
            let start = self.start;
            let ty = self.ty()?;
            self.demand_parameter(ty, start)?;
            let attributes = self.parameter_attributes()?;
            let start = self.start;
            let name = self.take_local_name();
            self.define_local(name, ty, start)?;
            parameters.push(Parameter { ty, attributes });
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b')')?;
        Ok((parameters, variadic))
    }

    /// `%x` where it is defined.
    pub(crate) fn take_local_name(&mut self) -> Option<LocalName> {
        let name = match self.token {
            Token::Local(name) => LocalName::Named(self.intern(name)),
            Token::LocalNumber(number) => LocalName::Numbered(number),
            _ => return None,
        };
        self.advance();
        Some(name)
    }

    /// All that may stand between the parameters and the body.
    fn head_end(
        &mut self,
        attributes: &mut FunctionAttributes,
        groups: &mut Vec<u32>,
        debug: &mut Option<super::metadata::MetadataId>,
    ) -> Parsed<()> {
        loop {
            self.function_attributes(attributes, groups)?;
            match self.token {
                Token::Word(b"section" | b"partition" | b"gc") => {
                    self.advance();
                    self.string("a string")?;
                }
                Token::Word(b"comdat") => self.comdat_use()?,
                Token::Word(b"addrspace") => {
                    self.address_space()?;
                }
                Token::Word(b"prefix" | b"prologue" | b"personality") => {
                    self.advance();
                    self.operand()?;
                }
                // `!name` at the end of a declaration may also begin the next top-level entity.
                Token::MetadataName(_) if !self.begins_definition() => self.attachment(debug)?,
                _ => return Ok(()),
            }
        }
    }

    /// Is the metadata name that is next followed by `=`?
    fn begins_definition(&self) -> bool {
        let rest = &self.lexer.text[self.lexer.position..];
        rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'=')
    }

    /// `{ blocks }`.
    fn body(&mut self) -> Parsed<Vec<Block>> {
        self.mark(b'{')?;
        let mut blocks = Vec::new();
        while !self.at_mark(b'}') {
            if let Token::Word(word @ (b"uselistorder" | b"uselistorder_bb")) = self.token
                && self.lexer.byte() != b':'
            {
                self.use_list_order(word)?;
                continue;
            }
            blocks.push(self.block()?);
        }
        if blocks.is_empty() {
            return self.expected("a block");
        }
        self.check_complete()?;
        self.sort_blocks(&mut blocks);
        self.advance();
        Ok(blocks)
    }

    /// A label, if there is one, and instructions up to a terminator.
    fn block(&mut self) -> Parsed<Block> {
        let start = self.start;
        let label = self.block_label();
        let name = self.fresh_name(label, start)?;
        let id = self.scope.block(name, 0);
        let undefined = &mut self.scope.undefined_blocks[id.0 as usize];
        if *undefined == 0 {
            let name = self.show(name);
            return self.fail_at(start, format!("the block `{name}` is defined twice"));
        }
        *undefined = 0;
        self.scope.block_order.push(id);
        let terminator = loop {
            match self.instruction()? {
                Ok(instruction) => self.scope.instructions.push(instruction),
                Err(terminator) => break terminator,
            }
        };
        let instructions = self.scope.instructions.drain(..).collect();
        Ok(Block { name, instructions, terminator })
    }

    /// `name:`, `7:` or `"name":`.
    fn block_label(&mut self) -> Option<LocalName> {
        if self.lexer.byte() != b':' {
            return None;
        }
        let name = match self.token {
            Token::Word(text) | Token::String(text) => LocalName::Named(self.intern(text)),
            Token::Number(text) => match super::lexer::decimal(text) {
                Some(number) => LocalName::Numbered(number),
                None => LocalName::Named(self.intern(text)),
            },
            _ => return None,
        };
        self.advance();
        self.advance();
        Some(name)
    }

    fn check_complete(&self) -> Parsed<()> {
        let scope = &self.scope;
        if let Some(index) = scope.undefined_locals.iter().position(|&at| at != 0) {
            let name = self.show(scope.locals[index].name);
            let at = scope.undefined_locals[index] as usize - 1;
            return self
                .fail_at(at, format!("`%{name}` is used but never defined in this function"));
        }
        if let Some(index) = scope.undefined_blocks.iter().position(|&at| at != 0) {
            let name = self.show(scope.block_names[index]);
            let at = scope.undefined_blocks[index] as usize - 1;
            return self.fail_at(
                at,
                format!("the block `%{name}` is used but never defined in this function"),
            );
        }
        Ok(())
    }

    /// From ids in order of first mention to ids in text order.
    fn sort_blocks(&self, blocks: &mut [Block]) {
        let order = &self.scope.block_order;
        if order.iter().enumerate().all(|(index, id)| index == id.0 as usize) {
            return;
        }
        let mut place = vec![BlockId(0); order.len()];
        for (index, id) in order.iter().enumerate() {
            place[id.0 as usize] = BlockId(index as u32);
        }
        let rename = |id: &mut BlockId| *id = place[id.0 as usize];
        for block in blocks {
            for instruction in &mut block.instructions {
                if let Op::Phi { incoming } = &mut instruction.op {
                    incoming.iter_mut().for_each(|(_, from)| rename(from));
                }
            }
            targets(&mut block.terminator.op, rename);
        }
    }

    /// `uselistorder T v, { … }`: the order of uses in memory, of no meaning.
    pub(crate) fn use_list_order(&mut self, word: &[u8]) -> Parsed<()> {
        self.advance();
        if word == b"uselistorder" && self.at_word(b"label") {
            self.label()?;
        } else if word == b"uselistorder" {
            self.operand()?;
        } else {
            self.global_use()?;
            self.mark(b',')?;
            self.advance();
        }
        self.mark(b',')?;
        self.skip_brackets()
    }
}

/// Visits every block that a terminator names.
fn targets(op: &mut TerminatorOp, mut visit: impl FnMut(&mut BlockId)) {
    match op {
        TerminatorOp::Jump(to) => visit(to),
        TerminatorOp::Branch { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        TerminatorOp::Switch { default, cases, .. } => {
            visit(default);
            cases.iter_mut().for_each(|(_, to)| visit(to));
        }
        TerminatorOp::IndirectBranch { targets, .. } => targets.iter_mut().for_each(visit),
        TerminatorOp::Invoke { normal, unwind, .. } => {
            visit(normal);
            visit(unwind);
        }
        TerminatorOp::CallBranch { fallthrough, indirect, .. } => {
            visit(fallthrough);
            indirect.iter_mut().for_each(visit);
        }
        TerminatorOp::Return(_) | TerminatorOp::Unreachable | TerminatorOp::Unsupported { .. } => {}
    }
}
