//! What output functions read.
//!
//! Idea: the text that a program prints does not matter, but reading it does: a string that is
//! freed, too short or being written by another thread is a mistake of the caller. Lowering knows
//! nearly all formats, so it looks at them here, once: for each argument that is read in memory it
//! puts a call of a model (`output_reads.c`) before the call itself, and none at all for string
//! literals. Formats that are not literals are interpreted when the program runs.
//! In programs with streams in memory the text does matter: there other functions are called, which keep
//! it (`stdio_memory.c`) and do their own reading.
//! The stream itself must be open, which is looked at in programs that open or close streams.
//! Limits: only if memory errors or races are checked; wide strings, numbered arguments and `%n` are refused.

use raddle_ir::{BinOp, Callee, Expr, Op, Operand, Property, Wrap};

use super::body::Body;
use super::calls::string_literal;
use super::compute::{Computes, constant};
use super::refusal::{Lowered, refuse};
use super::unit::UnitId;
use crate::llvm::ast::{self as ll, Item};

/// What is read, with places among the arguments.
#[derive(Clone, Copy)]
enum Reads {
    /// A string.
    Text(usize),
    /// A string, or nothing if it is null.
    TextOrNull(usize),
    /// A block, whose size is the product of one or two arguments.
    Block(usize, usize, Option<usize>),
    /// A format; its arguments are all that follow.
    Format(usize),
    /// A format and a list of arguments.
    List(usize, usize),
}

const FUNCTIONS: &[(&str, Reads)] = &[
    ("dprintf", Reads::Format(1)),
    ("fprintf", Reads::Format(1)),
    ("fputs", Reads::Text(0)),
    ("fputs_unlocked", Reads::Text(0)),
    ("fwrite", Reads::Block(0, 1, Some(2))),
    ("fwrite_unlocked", Reads::Block(0, 1, Some(2))),
    ("perror", Reads::TextOrNull(0)),
    ("printf", Reads::Format(0)),
    ("puts", Reads::Text(0)),
    ("syslog", Reads::Format(1)),
    ("vdprintf", Reads::List(1, 2)),
    ("vfprintf", Reads::List(1, 2)),
    ("vprintf", Reads::List(0, 1)),
    ("vsyslog", Reads::List(1, 2)),
];

/// The argument that is a stream.
const STREAMS: &[(&str, usize)] = &[
    ("fflush", 0),
    ("fflush_unlocked", 0),
    ("fprintf", 0),
    ("fputc", 1),
    ("fputc_unlocked", 1),
    ("fputs", 1),
    ("fputs_unlocked", 1),
    ("fwrite", 3),
    ("fwrite_unlocked", 3),
    ("putc", 1),
    ("putc_unlocked", 1),
    ("setbuf", 0),
    ("setlinebuf", 0),
    ("setvbuf", 0),
    ("vfprintf", 0),
];

/// Output functions that have another model in programs with streams in memory, by the name behind
/// `__raddle_memory_`.
const IN_MEMORY: &[(&str, &str)] = &[
    ("fflush", "fflush"),
    ("fflush_unlocked", "fflush"),
    ("fprintf", "fprintf"),
    ("fputc", "fputc"),
    ("fputc_unlocked", "fputc"),
    ("fputs", "fputs"),
    ("fputs_unlocked", "fputs"),
    ("fwrite", "fwrite"),
    ("fwrite_unlocked", "fwrite"),
    ("putc", "putc"),
    ("putc_unlocked", "putc"),
    ("vfprintf", "vfprintf"),
];

impl Body<'_, '_> {
    /// The model that keeps what is printed, if the program has streams in memory.
    pub(crate) fn kept_output(&mut self, name: &str) -> Option<(UnitId, u32)> {
        let (_, kept) = IN_MEMORY.iter().find(|row| row.0 == name)?;
        if !self.cx.uses_model("stdio_memory.c") {
            return None;
        }
        match self.cx.model(&format!("__raddle_memory_{kept}"))? {
            (unit, Item::Function(index)) => Some((unit, index)),
            (_, Item::Global(_) | Item::Alias(_)) => None,
        }
    }

    /// Emits what a call of a library function reads, if it is one that prints.
    pub(crate) fn output(&mut self, name: &str, call: &ll::Call) -> Lowered<()> {
        let looked_at = [Property::Memory, Property::Races];
        if !looked_at.into_iter().any(|p| self.cx.checked.contains(p)) {
            return Ok(());
        }
        self.use_stream(name, call)?;
        let Some(&(_, reads)) = FUNCTIONS.iter().find(|row| row.0 == name) else { return Ok(()) };
        match reads {
            Reads::Text(at) => self.read_text(call, at, None),
            Reads::TextOrNull(at) => match &value(call, at)?.value {
                ll::Value::Constant(ll::Constant::Null) => Ok(()),
                _ => self.read_text(call, at, None),
            },
            Reads::Block(at, size, times) => {
                let block = self.typed(value(call, at)?)?;
                let mut size = self.word(call, size)?;
                if let Some(times) = times {
                    let times = self.word(call, times)?;
                    let product =
                        Expr::Binary { op: BinOp::Mul, a: size, b: times, wrap: Wrap::default() };
                    size = self.compute(product, self.unit.pointer_bits())?;
                }
                self.call_reader("__raddle_read_bytes", vec![block, size])
            }
            Reads::Format(at) => match string_literal(self.unit, &value(call, at)?.value) {
                Some(format) => self.read_known_format(call, at + 1, &format),
                None => {
                    let format = self.typed(value(call, at)?)?;
                    let rest = self.variable_arguments(call, at + 1)?;
                    self.call_reader("__raddle_read_arguments", vec![format, rest])
                }
            },
            Reads::List(format, list) => {
                let format = self.typed(value(call, format)?)?;
                let list = self.typed(value(call, list)?)?;
                self.call_reader("__raddle_read_format", vec![format, list])
            }
        }
    }

    /// A stream that is written to must be open; `fflush` of null means all of them.
    fn use_stream(&mut self, name: &str, call: &ll::Call) -> Lowered<()> {
        let Some(&(_, at)) = STREAMS.iter().find(|row| row.0 == name) else { return Ok(()) };
        let stream = value(call, at)?;
        let none = stream.value == ll::Value::Constant(ll::Constant::Null);
        if none || !self.cx.uses_model("stdio_stream.c") {
            return Ok(());
        }
        let stream = self.typed(stream)?;
        self.call_reader("__raddle_stream_use", vec![stream])
    }

    /// Reads what the conversions of a format ask for, from an argument on.
    fn read_known_format(&mut self, call: &ll::Call, first: usize, format: &str) -> Lowered<()> {
        let mut next = first;
        for conversion in conversions(format)? {
            next += usize::from(conversion.width_given);
            let most = match conversion.precision {
                Precision::None => None,
                Precision::Number(n) => Some(constant(u128::from(n), 32)),
                Precision::Given => {
                    next += 1;
                    Some(self.typed(value(call, next - 1)?)?)
                }
            };
            match conversion.letter {
                '%' | 'm' => continue,
                'n' => return refuse("the conversion %n"),
                's' if conversion.wide => return refuse("a wide string in a format"),
                'S' => return refuse("a wide string in a format"),
                's' => self.read_text(call, next, most)?,
                _ => {}
            }
            next += 1;
        }
        if next > call.arguments.len() {
            return refuse("a format with more conversions than arguments");
        }
        Ok(())
    }

    /// Reads a string; literals are known to be valid.
    fn read_text(&mut self, call: &ll::Call, at: usize, most: Option<Operand>) -> Lowered<()> {
        let argument = value(call, at)?;
        if string_literal(self.unit, &argument.value).is_some() {
            return Ok(());
        }
        let text = self.typed(argument)?;
        let most = most.unwrap_or(constant(u128::from(u32::MAX), 32));
        self.call_reader("__raddle_read_string", vec![text, most])
    }

    /// An argument as a number of the size of an address.
    fn word(&mut self, call: &ll::Call, at: usize) -> Lowered<Operand> {
        let number = self.typed(value(call, at)?)?;
        let (found, bits) = (self.width_of(number), self.unit.pointer_bits());
        self.resize(number, found, bits)
    }

    fn call_reader(&mut self, name: &str, args: Vec<Operand>) -> Lowered<()> {
        let Some((unit, Item::Function(index))) = self.cx.model(name) else {
            return refuse(format!("a model `{name}`"));
        };
        let callee = Callee::Direct(self.cx.function(unit, index));
        self.push(Op::Call { dst: None, callee, args });
        Ok(())
    }
}

fn value(call: &ll::Call, at: usize) -> Lowered<&ll::Operand> {
    match call.arguments.get(at) {
        Some(argument) => Ok(&argument.operand),
        None => refuse("an output function with too few arguments"),
    }
}

/// How many characters of a string are printed at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    None,
    Number(u32),
    /// By an argument.
    Given,
}

/// One conversion of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    width_given: bool,
    precision: Precision,
    wide: bool,
    letter: char,
}

/// The conversions of a format.
fn conversions(format: &str) -> Lowered<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        while rest.next_if(|c| "-+ #0'I".contains(*c)).is_some() {}
        let width_given = rest.next_if_eq(&'*').is_some();
        while rest.next_if(char::is_ascii_digit).is_some() {}
        if rest.peek() == Some(&'$') {
            return refuse("a format with numbered arguments");
        }
        let mut precision = Precision::None;
        if rest.next_if_eq(&'.').is_some() {
            precision = if rest.next_if_eq(&'*').is_some() {
                Precision::Given
            } else {
                let mut number: u32 = 0;
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    let digit = digit.to_digit(10).unwrap_or_default();
                    number = number.saturating_mul(10).saturating_add(digit);
                }
                Precision::Number(number.min(i32::MAX as u32))
            };
        }
        let mut wide = false;
        while let Some(length) = rest.next_if(|c| "hlqjztL".contains(*c)) {
            wide |= length == 'l';
        }
        let Some(letter) = rest.next() else { return refuse("a format that ends after `%`") };
        found.push(Conversion { width_given, precision, wide, letter });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> String {
        let found = conversions(format).expect("it is supported");
        found.iter().map(|c| c.letter).collect()
    }

    #[test]
    fn conversions_are_found_with_all_that_stands_before_their_letters() {
        assert_eq!(letters("no conversion"), "");
        assert_eq!(letters("%d, %-5s: %#08lx%%\n"), "dsx%");
        assert_eq!(letters("%+.3Lf%zu%hhd"), "fud");
        let all = conversions("%*.*s %.7s %ls").expect("it is supported");
        assert!(all[0].width_given && all[0].precision == Precision::Given);
        assert_eq!(all[1].precision, Precision::Number(7));
        assert!(all[2].wide && !all[1].wide);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(conversions("%2$s").is_err());
        assert!(conversions("100 %").is_err());
    }
}
