//! The top level of a file: variables, aliases, types, and the checks once all is read.
//!
//! Idea: entities come in any order and are told apart by their first token. What may be used
//!   before its definition (attribute groups, blocks whose address is taken, global names) is
//!   resolved at the end.
//! Source: LLVM Language Reference, "Module Structure".
//! Invariants: after `module` every global name that is used is in `Module::items`, and every
//! `blockaddress` resolves.
//! Limits: comdats, use-list orders and module summaries are skipped.

use super::ast::{Alias, BlockAddress, BlockId, Global, Item, Linkage, LocalName, Module, Operand};
use super::layout::DataLayout;
use super::lexer::Token;
use super::metadata::MetadataId;
use super::parser::{Parsed, Parser};
use super::symbols::Symbol;
use super::types::{StructBody, TypeId};
use rustc_hash::FxHashMap;

impl<'a> Parser<'a> {
    /// The whole file.
    pub(crate) fn module(mut self) -> Parsed<Module> {
        while !matches!(self.token, Token::End) {
            self.entity()?;
        }
        self.check_globals()?;
        self.resolve_addresses()?;
        for index in 0..self.module.functions.len() {
            let own = self.module.functions[index].attributes;
            self.module.functions[index].attributes =
                self.module.resolve(own, &self.function_groups[index]);
        }
        Ok(self.module)
    }

    fn entity(&mut self) -> Parsed<()> {
        match self.token {
            Token::MetadataNumber(number) => self.numbered_metadata(number),
            Token::MetadataName(name) => self.named_metadata(name),
            Token::Global(_) | Token::GlobalNumber(_) => self.global(),
            Token::Local(_) | Token::LocalNumber(_) => self.type_definition(),
            Token::Comdat(_) => {
                self.advance();
                self.mark(b'=')?;
                self.word("comdat")?;
                self.advance();
                Ok(())
            }
            // `^0 = module: (…)`: a summary for link-time optimisation, one line each.
            Token::Mark(b'^') => {
                self.advance();
                self.advance();
                self.mark(b'=')?;
                self.advance();
                self.mark(b':')?;
                match self.token {
                    Token::Mark(b'(') => self.skip_brackets(),
                    _ => {
                        self.advance();
                        Ok(())
                    }
                }
            }
            Token::Word(word) => self.worded_entity(word),
            _ => self.expected("a definition"),
        }
    }

    fn worded_entity(&mut self, word: &'a [u8]) -> Parsed<()> {
        match word {
            b"define" | b"declare" => self.function(),
            b"attributes" => self.attribute_group(),
            b"target" => {
                self.advance();
                let layout = self.at_word(b"datalayout");
                if !layout && !self.at_word(b"triple") {
                    return self.expected("`datalayout` or `triple`");
                }
                self.advance();
                self.mark(b'=')?;
                let start = self.start;
                let text = self.text("a string")?;
                if layout {
                    self.module.layout =
                        DataLayout::parse(&text).or_else(|why| self.fail_at(start, why))?;
                } else {
                    self.module.triple = text;
                }
                Ok(())
            }
            b"source_filename" => {
                self.advance();
                self.mark(b'=')?;
                self.module.source_file = self.text("the name of a file")?;
                Ok(())
            }
            b"module" => {
                self.advance();
                self.word("asm")?;
                let line = self.text("assembly")?;
                self.module.assembly.push(line);
                Ok(())
            }
            b"uselistorder" | b"uselistorder_bb" => self.use_list_order(word),
            _ => self.expected("a definition"),
        }
    }

    /// `%name = type …`.
    fn type_definition(&mut self) -> Parsed<()> {
        let start = self.start;
        let name = match self.token {
            Token::Local(name) => self.intern(name),
            Token::LocalNumber(number) => self.numbered_symbol(number),
            _ => return self.expected("the name of a type"),
        };
        self.advance();
        self.mark(b'=')?;
        self.word("type")?;
        if self.take_word(b"opaque") {
            self.module.types.named(name);
            return Ok(());
        }
        self.lexer.skip_blanks();
        let packed = self.at_mark(b'<') && self.lexer.byte() == b'{';
        let fresh = if packed || self.at_mark(b'{') {
            if packed {
                self.advance();
            }
            let fields = self.fields()?;
            if packed {
                self.mark(b'>')?;
            }
            self.module.types.define(name, StructBody { fields, packed })
        } else {
            let ty = self.ty()?;
            self.module.types.define_synonym(name, ty)
        };
        if !fresh {
            let name = self.module.name(name).to_owned();
            return self
                .fail_at(start, format!("the type `%{name}` is defined twice, or after its use"));
        }
        Ok(())
    }

    /// A variable, alias or ifunc.
    fn global(&mut self) -> Parsed<()> {
        let line = self.lexer.line;
        let start = self.start;
        let name = self.global_name()?;
        self.mark(b'=')?;
        let written = self.linkage();
        let linkage = written.unwrap_or(Linkage::External);
        self.skip_visibility();
        let mut thread_local = self.take_thread_local()?;
        if self.take_word(b"local_unnamed_addr") || self.take_word(b"unnamed_addr") {
            thread_local |= self.take_thread_local()?;
        }
        if self.at_word(b"alias") || self.at_word(b"ifunc") {
            return self.alias(line, start, name, linkage);
        }
        let address_space = self.address_space()?;
        let externally_initialized = self.take_word(b"externally_initialized");
        let constant = self.at_word(b"constant");
        if !constant && !self.at_word(b"global") {
            return self.expected("`global`, `constant`, `alias` or `ifunc`");
        }
        self.advance();
        let type_start = self.start;
        let ty = self.ty()?;
        self.demand_sized(ty, type_start)?;
        // Only the two linkages of declarations go without an initialiser, and they must be
        // written.
        let declared = matches!(written, Some(Linkage::External | Linkage::ExternWeak));
        let initializer = if declared { None } else { Some(self.value(ty)?) };
        let mut global = Global {
            name,
            ty,
            linkage,
            constant,
            thread_local,
            externally_initialized,
            address_space,
            initializer,
            align: None,
            section: None,
            debug: Vec::new(),
            line,
        };
        self.global_tail(&mut global)?;
        let index = self.module.globals.len() as u32;
        self.add_item(start, name, Item::Global(index))?;
        self.module.globals.push(global);
        Ok(())
    }

    fn take_thread_local(&mut self) -> Parsed<bool> {
        if !self.take_word(b"thread_local") {
            return Ok(false);
        }
        if self.at_mark(b'(') {
            self.skip_brackets()?;
        }
        Ok(true)
    }

    fn global_tail(&mut self, global: &mut Global) -> Parsed<()> {
        while self.take_mark(b',') {
            match self.token {
                Token::Word(b"align") => {
                    self.advance();
                    global.align = Some(self.alignment()?);
                }
                Token::Word(b"section") => {
                    self.advance();
                    let section = self.string("the name of a section")?;
                    global.section = Some(self.module.symbols.intern_bytes(&section));
                }
                Token::Word(b"partition" | b"code_model") => {
                    self.advance();
                    self.string("a string")?;
                }
                Token::Word(b"comdat") => self.comdat_use()?,
                Token::MetadataName(_) => {
                    let mut debug: Option<MetadataId> = None;
                    self.attachment(&mut debug)?;
                    global.debug.extend(debug);
                }
                // `no_sanitize_address` and the like.
                Token::Word(_) => self.advance(),
                _ => return self.expected("a property of the variable"),
            }
        }
        while let Token::Group(_) = self.token {
            self.advance();
        }
        Ok(())
    }

    /// `comdat` or `comdat($name)`.
    pub(crate) fn comdat_use(&mut self) -> Parsed<()> {
        self.advance();
        if self.at_mark(b'(') { self.skip_brackets() } else { Ok(()) }
    }

    fn alias(&mut self, line: u32, start: usize, name: Symbol, linkage: Linkage) -> Parsed<()> {
        let ifunc = self.at_word(b"ifunc");
        self.advance();
        let ty = self.ty()?;
        self.mark(b',')?;
        // A constant expression may stand without its type.
        let target = if self.at_type() {
            self.operand()?
        } else {
            Operand { ty: TypeId::PTR, value: self.value(TypeId::PTR)? }
        };
        while self.take_mark(b',') {
            self.word("partition")?;
            self.string("the name of a partition")?;
        }
        let index = self.module.aliases.len() as u32;
        self.add_item(start, name, Item::Alias(index))?;
        self.module.aliases.push(Alias { name, ty, linkage, ifunc, target, line });
        Ok(())
    }

    /// Enters a global name.
    pub(crate) fn add_item(&mut self, start: usize, name: Symbol, item: Item) -> Parsed<()> {
        if self.module.items.insert(name, item).is_some() {
            let name = self.module.name(name).to_owned();
            return self.fail_at(start, format!("`@{name}` is defined twice"));
        }
        Ok(())
    }

    fn check_globals(&self) -> Parsed<()> {
        for (index, &position) in self.used_globals.iter().enumerate() {
            let symbol = Symbol(index as u32);
            if position != 0 && !self.module.items.contains_key(&symbol) {
                let name = self.module.name(symbol);
                let message = format!("`@{name}` is used but never declared");
                return self.fail_at(position as usize - 1, message);
            }
        }
        Ok(())
    }

    /// Finds the blocks that `blockaddress` names.
    fn resolve_addresses(&mut self) -> Parsed<()> {
        let mut tables: FxHashMap<Symbol, FxHashMap<LocalName, BlockId>> = FxHashMap::default();
        for &(position, function, name) in &self.pending_addresses {
            let module = &self.module;
            let table = tables.entry(function).or_insert_with(|| block_table(module, function));
            let Some(&block) = table.get(&name) else {
                return self.fail_at(position, "the function has no block of that name");
            };
            self.module.block_addresses.push(BlockAddress { function, block });
        }
        Ok(())
    }
}

fn block_table(module: &Module, function: Symbol) -> FxHashMap<LocalName, BlockId> {
    let Some(&Item::Function(index)) = module.items.get(&function) else {
        return FxHashMap::default();
    };
    let blocks = module.functions[index as usize].blocks.iter();
    blocks.enumerate().map(|(id, block)| (block.name, BlockId(id as u32))).collect()
}
