//! Tokens of LLVM text.
//!
//! Idea: one pass over the bytes, no copies: a token is a slice of the text. A table says which
//!   bytes may continue a word; `memchr` finds the ends of comments and strings. Words are not
//!   classified here: what `add` or `i32` means depends on the place, and the parser compares
//!   slices.
//! Invariants: `position` is the first byte after the last token; `line` is the line of `position`,
//! from 1.
//! Limits: the lexer never fails; what is no token becomes `Token::Bad`, which no rule of the
//! parser accepts.

use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Keyword, type, label, field name: letters, digits, `-`, `$`, `.`, `_`, not beginning like a
    /// number.
    Word(&'a [u8]),
    /// Begins with a digit, or `-` and a digit; not yet checked further.
    Number(&'a [u8]),
    /// `"…"`, the quotes removed, still escaped.
    String(&'a [u8]),
    /// `c"…"`, the quotes removed, still escaped.
    Bytes(&'a [u8]),
    /// `%x` or `%"x"` (still escaped).
    Local(&'a [u8]),
    /// `%7`.
    LocalNumber(u32),
    /// `@x` or `@"x"` (still escaped).
    Global(&'a [u8]),
    /// `@7`.
    GlobalNumber(u32),
    /// `$x` or `$"x"`.
    Comdat(&'a [u8]),
    /// `!7`.
    MetadataNumber(u32),
    /// `!x` (still escaped).
    MetadataName(&'a [u8]),
    /// `#7`.
    Group(u32),
    /// `#dbg_x`, without the `#`.
    Record(&'a [u8]),
    /// One of ``= , ( ) [ ] { } < > * : | ! ^``.
    Mark(u8),
    /// The end of the text.
    End,
    /// What is none of these; the phrase says why.
    Bad(&'static str),
}

/// Bytes that continue a word.
static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        table[byte] = c.is_ascii_alphanumeric() || matches!(c, b'-' | b'$' | b'.' | b'_');
        byte += 1;
    }
    table
};

/// The state of the lexer.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) position: usize,
    pub(crate) line: u32,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, position: 0, line: 1 }
    }

    /// The byte at `position`, 0 at the end.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        self.text.get(self.position).copied().unwrap_or(0)
    }

    /// Skips blanks and comments.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.get(self.position) {
            match byte {
                b' ' | b'\t' | b'\r' => self.position += 1,
                b'\n' => {
                    self.position += 1;
                    self.line += 1;
                }
                b';' => {
                    let rest = &self.text[self.position..];
                    self.position += memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// The next token; `skip_blanks` has been called.
    #[inline]
    pub(crate) fn token(&mut self) -> Token<'a> {
        let Some(&byte) = self.text.get(self.position) else { return Token::End };
        match byte {
            b'c' if self.text.get(self.position + 1) == Some(&b'"') => {
                self.position += 1;
                match self.string() {
                    Token::String(text) => Token::Bytes(text),
                    other => other,
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => Token::Word(self.word()),
            b'0'..=b'9' => self.number(),
            b'-' => match self.text.get(self.position + 1) {
                Some(b'0'..=b'9') => self.number(),
                _ => Token::Word(self.word()),
            },
            b'%' => self.name(Token::Local, Some(Token::LocalNumber)),
            b'@' => self.name(Token::Global, Some(Token::GlobalNumber)),
            b'$' => self.name(Token::Comdat, None),
            b'!' => self.metadata(),
            b'#' => self.hash(),
            b'"' => self.string(),
            b'=' | b',' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'*' | b':'
            | b'|' | b'^' => {
                self.position += 1;
                Token::Mark(byte)
            }
            _ => {
                self.position += 1;
                Token::Bad("a character that LLVM text does not have here")
            }
        }
    }

    /// The longest run of word bytes; not empty if called at one.
    #[inline]
    fn word(&mut self) -> &'a [u8] {
        let rest = &self.text[self.position..];
        let length = rest.iter().position(|&byte| !WORD[byte as usize]).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.position;
        self.word();
        // `1.0e+00`: the plus is no word byte, as `+` may not stand in names.
        if self.byte() == b'+' && matches!(self.text[self.position - 1], b'e' | b'E') {
            self.position += 1;
            self.word();
        }
        Token::Number(&self.text[start..self.position])
    }

    /// A name after a sigil: a number, a word or a string.
    #[inline]
    fn name(
        &mut self,
        named: fn(&'a [u8]) -> Token<'a>,
        numbered: Option<fn(u32) -> Token<'a>>,
    ) -> Token<'a> {
        self.position += 1;
        match self.byte() {
            b'"' => match self.string() {
                Token::String(text) => named(text),
                other => other,
            },
            b'0'..=b'9' => match (numbered, decimal(self.word())) {
                (Some(numbered), Some(number)) => numbered(number),
                _ => Token::Bad("a name that begins with a digit but is no number below 2^31"),
            },
            byte if WORD[byte as usize] => named(self.word()),
            _ => Token::Bad("a sigil (`%`, `@` or `$`) without a name"),
        }
    }

    fn metadata(&mut self) -> Token<'a> {
        self.position += 1;
        match self.byte() {
            b'0'..=b'9' => match decimal(self.word()) {
                Some(number) => Token::MetadataNumber(number),
                None => Token::Bad("a metadata number that is none below 2^31"),
            },
            byte if WORD[byte as usize] || byte == b'\\' => {
                let start = self.position;
                while WORD[self.byte() as usize] || self.byte() == b'\\' {
                    self.position += 1;
                }
                Token::MetadataName(&self.text[start..self.position])
            }
            _ => Token::Mark(b'!'),
        }
    }

    fn hash(&mut self) -> Token<'a> {
        self.position += 1;
        let word = self.word();
        match decimal(word) {
            Some(number) => Token::Group(number),
            None if word.starts_with(b"dbg_") => Token::Record(word),
            None => Token::Bad("`#` without an attribute group or debug record"),
        }
    }

    /// `"…"`; there are no escaped quotes in LLVM text.
    fn string(&mut self) -> Token<'a> {
        let start = self.position + 1;
        let mut end = start;
        loop {
            match memchr2(b'"', b'\n', &self.text[end..]) {
                Some(offset) if self.text[end + offset] == b'"' => {
                    end += offset;
                    break;
                }
                Some(offset) => {
                    self.line += 1;
                    end += offset + 1;
                }
                None => {
                    self.position = self.text.len();
                    return Token::Bad("a string that does not end");
                }
            }
        }
        self.position = end + 1;
        Token::String(&self.text[start..end])
    }
}

/// A number below 2^31, digits only.
#[inline]
pub(crate) fn decimal(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 10 {
        return None;
    }
    let mut value: u64 = 0;
    for &byte in text {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(byte - b'0');
    }
    (value < 1 << 31).then_some(value as u32)
}

/// Replaces `\xx` and `\\`; any other backslash stands for itself, as in LLVM.
pub(crate) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr(b'\\', text) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(&text[..first]);
    let mut rest = &text[first..];
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'\\' {
            if let Some((b'\\', tail)) = rest.split_first() {
                out.push(b'\\');
                rest = tail;
                continue;
            }
            if let [high, low, tail @ ..] = rest
                && let (Some(high), Some(low)) = (hex_digit(*high), hex_digit(*low))
            {
                out.push(high << 4 | low);
                rest = tail;
                continue;
            }
        }
        out.push(byte);
    }
    Cow::Owned(out)
}

/// The value of a hexadecimal digit.
pub(crate) fn hex_digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Token]) {
        let mut lexer = Lexer::new(text.as_bytes());
        for &token in expected {
            lexer.skip_blanks();
            assert_eq!(lexer.token(), token, "in {text}");
        }
        lexer.skip_blanks();
        assert_eq!(lexer.token(), Token::End, "after {text}");
    }

    #[test]
    fn tokens() {
        use Token::*;
        check("", &[]);
        check("  ; only a comment", &[]);
        check("%0 = add i32", &[LocalNumber(0), Mark(b'='), Word(b"add"), Word(b"i32")]);
        check("%x.addr,@\"a b\"", &[Local(b"x.addr"), Mark(b','), Global(b"a b")]);
        check("@.str @7 $f", &[Global(b".str"), GlobalNumber(7), Comdat(b"f")]);
        check(
            "!7 !llvm.loop !{",
            &[MetadataNumber(7), MetadataName(b"llvm.loop"), Mark(b'!'), Mark(b'{')],
        );
        check("#3 #dbg_value(", &[Group(3), Record(b"dbg_value"), Mark(b'(')]);
        check(
            "-1 1.5e+00 -2.0e-07 0xK3F",
            &[Number(b"-1"), Number(b"1.5e+00"), Number(b"-2.0e-07"), Number(b"0xK3F")],
        );
        check("c\"a\\00\" c", &[Bytes(b"a\\00"), Word(b"c")]);
        check("for.body:\n...", &[Word(b"for.body"), Mark(b':'), Word(b"...")]);
        check("-x:", &[Word(b"-x"), Mark(b':')]);
    }

    #[test]
    fn what_is_no_token() {
        for text in ["\"open", "%", "@ x", "%5x", "#x", "\u{7f}", "!99999999999", "?"] {
            let mut lexer = Lexer::new(text.as_bytes());
            assert!(matches!(lexer.token(), Token::Bad(_)), "{text}");
        }
    }

    #[test]
    fn lines_are_counted_through_strings_and_comments() {
        let mut lexer = Lexer::new(b"; one\n\"two\nthree\" ; three\n four");
        lexer.skip_blanks();
        assert_eq!(lexer.line, 2);
        lexer.token();
        lexer.skip_blanks();
        assert_eq!((lexer.line, lexer.token()), (4, Token::Word(b"four")));
    }

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("ab", "ab"),
            ("a\\0Ab", "a\nb"),
            ("\\\\", "\\"),
            ("\\zz", "\\zz"),
            ("x\\4", "x\\4"),
            ("\\", "\\"),
        ] {
            assert_eq!(&*unescape(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }
}
