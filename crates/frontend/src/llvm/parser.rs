//! The parser's state, its small tools, and the grammar of types.
//!
//! Idea: recursive descent with one token of lookahead. The rules are spread over files by what
//!   they read, all as methods of `Parser`: `module.rs` (top level), `function.rs` (heads, blocks,
//!   local names), `instruction.rs`, `call.rs`, `value.rs` (constants), `attribute.rs`, `debug.rs`
//!   (metadata).
//! Invariants: `token` starts at `start` and ends at `lexer.position`; `depth` counts the nested
//!   rules under way, and no rule calls itself without going through `nest`, so the stack is
//!   bounded whatever the text.
//! Limits: see `DEEPEST` and the widest types below; all refusals name the place.

use super::ErrorKind;
use super::ast::Module;
use super::function::Scope;
use super::lexer::{Lexer, Token, unescape};
use super::metadata::MetadataId;
use super::symbols::Symbol;
use super::types::{FloatKind, Type, TypeId};
use std::borrow::Cow;

/// Types, constants and metadata nested deeper than this are refused.
const DEEPEST: u32 = 200;
/// LLVM's own limit.
const WIDEST_INTEGER: u32 = 1 << 23;
/// No target has vectors of anything like this length.
const LONGEST_VECTOR: u32 = 1 << 20;

const OLD_POINTERS: &str =
    "a pointer with `*` is IR of LLVM 14 or older; IR of LLVM 15 or newer is needed";

/// Where reading stopped, and why. Boxed to keep results small.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) position: usize,
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

pub(crate) type Parsed<T> = Result<T, Box<Failure>>;

/// The state of the parser.
pub(crate) struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    /// The token to be read next.
    pub(crate) token: Token<'a>,
    /// Where it starts.
    pub(crate) start: usize,
    depth: u32,
    pub(crate) module: Module,
    /// Names of the function being read.
    pub(crate) scope: Scope,
    /// Position + 1 of the first use of each global, by symbol; 0 for symbols that are no globals.
    pub(crate) used_globals: Vec<u32>,
    /// `blockaddress`es whose block is not yet known: position, function, block.
    pub(crate) pending_addresses: Vec<(usize, Symbol, super::ast::LocalName)>,
    /// The one node for all `!DIExpression()`.
    pub(crate) empty_expression: Option<MetadataId>,
    /// The group numbers of each function, resolved once all groups are known.
    pub(crate) function_groups: Vec<Vec<u32>>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Parser<'a> {
        let mut parser = Parser {
            lexer: Lexer::new(text),
            token: Token::End,
            start: 0,
            depth: 0,
            module: Module::default(),
            scope: Scope::default(),
            used_globals: Vec::new(),
            pending_addresses: Vec::new(),
            empty_expression: None,
            function_groups: Vec::new(),
        };
        parser.advance();
        parser
    }

    /// Goes on to the next token.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.lexer.skip_blanks();
        self.start = self.lexer.position;
        self.token = self.lexer.token();
    }

    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.start, message)
    }

    pub(crate) fn fail_at<T>(&self, position: usize, message: impl Into<String>) -> Parsed<T> {
        let (kind, message) = (ErrorKind::NotIr, message.into());
        Err(Box::new(Failure { position, kind, message }))
    }

    /// Fails at a pointer with `*`.
    fn fail_at_old_pointer<T>(&self) -> Parsed<T> {
        let (kind, message) = (ErrorKind::OldIr, OLD_POINTERS.into());
        Err(Box::new(Failure { position: self.start, kind, message }))
    }

    /// The usual complaint.
    #[cold]
    pub(crate) fn expected<T>(&self, what: &str) -> Parsed<T> {
        match self.token {
            Token::End => self.fail(format!("the file ends where {what} is expected")),
            Token::Bad(why) => self.fail(format!("expected {what}, found {why}")),
            _ => {
                let text = &self.lexer.text[self.start..self.lexer.position];
                let text = String::from_utf8_lossy(text);
                let short: String = text.chars().take(40).collect();
                let dots = if short.len() < text.len() { "…" } else { "" };
                self.fail(format!("expected {what}, found `{short}{dots}`"))
            }
        }
    }

    #[cold]
    fn expected_text<T>(&self, text: &[u8]) -> Parsed<T> {
        self.expected(&format!("`{}`", String::from_utf8_lossy(text)))
    }

    /// Runs a rule that may contain itself.
    #[inline]
    pub(crate) fn nest<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return self.fail(format!("nested deeper than {DEEPEST} levels"));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    #[inline]
    pub(crate) fn at_mark(&self, mark: u8) -> bool {
        matches!(self.token, Token::Mark(found) if found == mark)
    }

    /// Takes the mark if it is next.
    #[inline]
    pub(crate) fn take_mark(&mut self, mark: u8) -> bool {
        let found = self.at_mark(mark);
        if found {
            self.advance();
        }
        found
    }

    #[inline]
    pub(crate) fn mark(&mut self, mark: u8) -> Parsed<()> {
        if self.take_mark(mark) { Ok(()) } else { self.expected_text(&[mark]) }
    }

    #[inline]
    pub(crate) fn at_word(&self, word: &[u8]) -> bool {
        matches!(self.token, Token::Word(found) if found == word)
    }

    /// Takes the word if it is next.
    #[inline]
    pub(crate) fn take_word(&mut self, word: &[u8]) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word.as_bytes()) { Ok(()) } else { self.expected_text(word.as_bytes()) }
    }

    /// A number without sign below 2^32.
    pub(crate) fn number(&mut self, what: &str) -> Parsed<u32> {
        match u32::try_from(self.long_number(what)?) {
            Ok(number) => Ok(number),
            Err(_) => self.fail(format!("{what} is too large")),
        }
    }

    /// A number without sign below 2^64.
    pub(crate) fn long_number(&mut self, what: &str) -> Parsed<u64> {
        if let Token::Number(text) = self.token
            && let Ok(text) = std::str::from_utf8(text)
            && let Ok(number) = text.parse()
        {
            self.advance();
            return Ok(number);
        }
        self.expected(what)
    }

    /// A string, unescaped.
    pub(crate) fn string(&mut self, what: &str) -> Parsed<Cow<'a, [u8]>> {
        if let Token::String(text) = self.token {
            self.advance();
            return Ok(unescape(text));
        }
        self.expected(what)
    }

    /// A string, unescaped, as readable text.
    pub(crate) fn text(&mut self, what: &str) -> Parsed<String> {
        Ok(String::from_utf8_lossy(&self.string(what)?).into_owned())
    }

    /// Interns a name that may be escaped.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8]) -> Symbol {
        match unescape(name) {
            Cow::Borrowed(name) => self.module.symbols.intern_bytes(name),
            Cow::Owned(name) => self.module.symbols.intern_bytes(&name),
        }
    }

    /// `addrspace(n)` if it is next, else 0.
    pub(crate) fn address_space(&mut self) -> Parsed<u32> {
        if !self.take_word(b"addrspace") {
            return Ok(0);
        }
        self.mark(b'(')?;
        let space = match self.token {
            // `addrspace("A")` names the space of `alloca`, globals or code.
            Token::String(b"A") => {
                self.advance();
                self.module.layout.alloca_space
            }
            Token::String(_) => {
                self.advance();
                0
            }
            _ => self.number("the number of an address space")?,
        };
        self.mark(b')')?;
        Ok(space)
    }

    /// The name after `%` or `@` in a place where numbers are names too.
    pub(crate) fn numbered_symbol(&mut self, number: u32) -> Symbol {
        self.module.symbols.intern(&number.to_string())
    }

    /// `#…`, `(…)`: everything up to the closing bracket; the opening one is next.
    pub(crate) fn skip_brackets(&mut self) -> Parsed<()> {
        let mut open = 0u32;
        loop {
            match self.token {
                Token::Mark(b'(' | b'[' | b'{') => open += 1,
                Token::Mark(b')' | b']' | b'}') => open = open.saturating_sub(1),
                Token::End | Token::Bad(_) => return self.expected("a closing bracket"),
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// A type, `void` included.
    #[inline]
    pub(crate) fn ty(&mut self) -> Parsed<TypeId> {
        let base = match self.token {
            Token::Word(word) => match basic_type(word) {
                Some(id) => {
                    self.advance();
                    id
                }
                None => self.rare_type(word)?,
            },
            _ => self.nest(Self::compound_type)?,
        };
        match self.token {
            Token::Mark(b'(') => self.nest(|parser| parser.function_type(base)),
            Token::Mark(b'*') => self.fail_at_old_pointer(),
            Token::Word(b"addrspace") if base == TypeId::PTR => {
                let address_space = self.address_space()?;
                let ty = self.module.types.intern(Type::Pointer { address_space });
                if self.at_mark(b'(') {
                    return self.nest(|parser| parser.function_type(ty));
                }
                Ok(ty)
            }
            _ => Ok(base),
        }
    }

    /// Can a type begin here?
    pub(crate) fn at_type(&self) -> bool {
        match self.token {
            Token::Word(word) => basic_type(word).is_some() || is_rare_type(word),
            Token::Local(_) | Token::LocalNumber(_) => true,
            Token::Mark(mark) => matches!(mark, b'[' | b'{' | b'<'),
            _ => false,
        }
    }

    fn rare_type(&mut self, word: &'a [u8]) -> Parsed<TypeId> {
        let ty = match word {
            b"half" => Type::Float(FloatKind::Half),
            b"bfloat" => Type::Float(FloatKind::BFloat),
            b"x86_fp80" => Type::Float(FloatKind::X86Fp80),
            b"fp128" => Type::Float(FloatKind::Fp128),
            b"ppc_fp128" => Type::Float(FloatKind::PpcFp128),
            b"x86_amx" | b"x86_mmx" => Type::Target(self.intern(word)),
            b"target" => {
                self.advance();
                self.mark(b'(')?;
                let name = self.string("the name of a target type")?;
                let name = self.module.symbols.intern_bytes(&name);
                while !self.at_mark(b')') {
                    if matches!(self.token, Token::End | Token::Bad(_)) {
                        return self.expected("`)`");
                    }
                    self.advance();
                }
                Type::Target(name)
            }
            [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                match super::lexer::decimal(digits) {
                    Some(bits @ 1..=WIDEST_INTEGER) => Type::Integer(bits),
                    _ => return self.fail("an integer type must have from 1 to 8388608 bits"),
                }
            }
            _ => return self.expected("a type"),
        };
        self.advance();
        Ok(self.module.types.intern(ty))
    }

    fn compound_type(&mut self) -> Parsed<TypeId> {
        match self.token {
            Token::Local(name) => {
                let name = self.intern(name);
                self.advance();
                Ok(self.module.types.named(name))
            }
            Token::LocalNumber(number) => {
                let name = self.numbered_symbol(number);
                self.advance();
                Ok(self.module.types.named(name))
            }
            Token::Mark(b'[') => self.array_type(),
            Token::Mark(b'{') => {
                let fields = self.fields()?;
                Ok(self.module.types.intern(Type::Struct { fields, packed: false }))
            }
            Token::Mark(b'<') => {
                self.advance();
                if !self.at_mark(b'{') {
                    return self.vector_type();
                }
                let fields = self.fields()?;
                self.mark(b'>')?;
                Ok(self.module.types.intern(Type::Struct { fields, packed: true }))
            }
            _ => self.expected("a type"),
        }
    }

    fn array_type(&mut self) -> Parsed<TypeId> {
        self.advance();
        let count = self.long_number("the number of elements of an array")?;
        self.word("x")?;
        let element = self.element_type()?;
        self.mark(b']')?;
        Ok(self.module.types.intern(Type::Array { element, count }))
    }

    /// After the `<`.
    fn vector_type(&mut self) -> Parsed<TypeId> {
        let scalable = self.take_word(b"vscale");
        if scalable {
            self.word("x")?;
        }
        let count = self.number("the number of elements of a vector")?;
        if count == 0 || count > LONGEST_VECTOR {
            return self.fail(format!("a vector must have from 1 to {LONGEST_VECTOR} elements"));
        }
        self.word("x")?;
        let element = self.element_type()?;
        self.mark(b'>')?;
        let types = &mut self.module.types;
        match types.get(element) {
            Type::Integer(_) | Type::Float(_) | Type::Pointer { .. } => {
                Ok(types.intern(Type::Vector { element, count, scalable }))
            }
            Type::Void
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Function { .. }
            | Type::Label
            | Type::Metadata
            | Type::Token
            | Type::Target(_) => self.fail("a vector has numbers or pointers as elements"),
        }
    }

    /// `{ T, … }`.
    pub(crate) fn fields(&mut self) -> Parsed<Box<[TypeId]>> {
        self.mark(b'{')?;
        let mut fields = Vec::new();
        if !self.at_mark(b'}') {
            fields.push(self.element_type()?);
            while self.take_mark(b',') {
                fields.push(self.element_type()?);
            }
        }
        self.mark(b'}')?;
        Ok(fields.into())
    }

    /// A type that a value in memory can have.
    fn element_type(&mut self) -> Parsed<TypeId> {
        let start = self.start;
        let ty = self.ty()?;
        match self.module.types.get(ty) {
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::Function { .. } => {
                self.fail_at(start, "a type that no element of an aggregate can have")
            }
            Type::Integer(_)
            | Type::Float(_)
            | Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Named(_)
            | Type::Target(_) => Ok(ty),
        }
    }

    /// `result (T, …, ...)`, the result read.
    fn function_type(&mut self, result: TypeId) -> Parsed<TypeId> {
        self.mark(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.at_mark(b')') {
            if self.take_word(b"...") {
                variadic = true;
                break;
            }
            parameters.push(self.ty()?);
            if !self.take_mark(b',') {
                break;
            }
        }
        self.mark(b')')?;
        if self.at_mark(b'*') {
            return self.fail_at_old_pointer();
        }
        let parameters = parameters.into();
        Ok(self.module.types.intern(Type::Function { result, parameters, variadic }))
    }
}

/// The types that fill most texts, without a look into the table.
#[inline]
fn basic_type(word: &[u8]) -> Option<TypeId> {
    Some(match word {
        b"ptr" => TypeId::PTR,
        b"i32" => TypeId::I32,
        b"i64" => TypeId::I64,
        b"i8" => TypeId::I8,
        b"i1" => TypeId::I1,
        b"i16" => TypeId::I16,
        b"void" => TypeId::VOID,
        b"double" => TypeId::DOUBLE,
        b"float" => TypeId::FLOAT,
        b"label" => TypeId::LABEL,
        b"metadata" => TypeId::METADATA,
        b"token" => TypeId::TOKEN,
        _ => return None,
    })
}

fn is_rare_type(word: &[u8]) -> bool {
    match word {
        b"half" | b"bfloat" | b"x86_fp80" | b"fp128" | b"ppc_fp128" | b"x86_amx" | b"x86_mmx"
        | b"target" => true,
        [b'i', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
