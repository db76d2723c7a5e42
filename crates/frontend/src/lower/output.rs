//! What output functions read.
//!
//! Idea: the text that a program prints does not matter, but reading it does: a string that is
//! freed, too short or being written by another thread is a mistake of the caller. Lowering knows
//! nearly all formats, so it looks at them here, once: for each argument that is read in memory it
//! puts a call of a model (`output_reads.c`) before the call itself, and none at all for string
//! literals. Formats that are not literals are interpreted when the program runs.
//! In programs with streams in memory the text does matter: there other functions are called, which keep
//! it (`stdio_memory.c`) and do their own reading.
//! The stream itself must be open, which is looked at in programs that open or close streams, and its buffer
//! must exist, in programs that give buffers to streams.
//! All this only if memory errors or races are checked; but `%n` writes always. Who takes the address
//! of such a function gets one that looks by itself when it is called (`output_pointers.c`).
//! The number of characters printed, for `%n` and as a result, is any in the range that the format
//! allows: exact if it has no conversion.
//! Limits: wide strings and numbered arguments are refused.

use raddle_ir::{BinOp, Callee, Expr, Op, Operand, Property, Wrap};

use super::body::Body;
use super::calls::{result_width, string_literal};
use super::compute::{Computes, Parts, constant, one};
use super::formats::{Conversion, END, Range, Size, conversions, has_count, length};
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
    ("setlinebuf", 0),
    ("vfprintf", 0),
];

/// Those that print without naming the stream.
const STANDARD: &[&str] = &["printf", "putchar", "putchar_unlocked", "puts", "vprintf"];

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
        let looked_at = looked_at.into_iter().any(|p| self.cx.checked.contains(p));
        if looked_at {
            self.use_stream(name, call)?;
        }
        let Some(&(_, reads)) = FUNCTIONS.iter().find(|row| row.0 == name) else { return Ok(()) };
        if !looked_at && !self.counts(call, reads)? {
            return Ok(());
        }
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
                Some(format) => self.read_known_format(call, at + 1, &format, looked_at),
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

    /// Whether a call may write by `%n`. A format that is not known here is assumed to be one of
    /// the program's literals.
    fn counts(&mut self, call: &ll::Call, reads: Reads) -> Lowered<bool> {
        match reads {
            Reads::Text(_) | Reads::TextOrNull(_) | Reads::Block(..) => Ok(false),
            Reads::Format(at) => match string_literal(self.unit, &value(call, at)?.value) {
                Some(format) => Ok(has_count(&format)),
                None => Ok(self.cx.has_counting_format()),
            },
            Reads::List(..) => Ok(self.cx.has_counting_format()),
        }
    }

    /// The result of a call that prints by a known format.
    pub(crate) fn printed(&mut self, name: &str, call: &ll::Call) -> Lowered<Option<Parts>> {
        let row = FUNCTIONS.iter().find(|row| row.0 == name);
        let Some(&(_, Reads::Format(at))) = row else { return Ok(None) };
        let Some(width) = result_width(self.unit, call.result)? else { return Ok(None) };
        let Some(format) = string_literal(self.unit, &value(call, at)?.value) else {
            return Ok(None);
        };
        let Ok(conversions) = conversions(&format) else { return Ok(None) };
        let range = self.range(call, at + 1, &format, &conversions);
        let Some((unit, Item::Function(index))) = self.cx.model("__raddle_printed") else {
            return refuse("the result of an output function");
        };
        let callee = Callee::Direct(self.cx.function(unit, index));
        let dst = self.register(width);
        self.push(Op::Call { dst: Some(dst), callee, args: range.operands() });
        Ok(Some(one(Operand::Reg(dst))))
    }

    /// How many characters come of some conversions of a format and what stands before them; its
    /// arguments begin at a place.
    fn range(
        &self,
        call: &ll::Call,
        first: usize,
        format: &str,
        conversions: &[Conversion],
    ) -> Range {
        if length(format).is_none() {
            return Range { least: 0, most: Range::MOST };
        }
        let mut next = first;
        let mut all = Range::exactly(0);
        for conversion in conversions {
            next += usize::from(conversion.width == Size::Given);
            next += usize::from(conversion.precision == Size::Given);
            let literal = match call.arguments.get(next) {
                Some(a) if conversion.letter == 's' => string_literal(self.unit, &a.operand.value),
                Some(_) | None => None,
            };
            all = all.and(conversion.range(literal.and_then(|text| length(&text))));
            next += usize::from(!matches!(conversion.letter, '%' | 'm' | END));
        }
        all
    }

    /// A stream that is written to must be open; `fflush` of null means all of them.
    fn use_stream(&mut self, name: &str, call: &ll::Call) -> Lowered<()> {
        let buffers = self.cx.uses_model("stdio_buffer.c");
        if buffers && STANDARD.contains(&name) {
            return self.call_reader("__raddle_stdout_use", Vec::new());
        }
        let Some(&(_, at)) = STREAMS.iter().find(|row| row.0 == name) else { return Ok(()) };
        let stream = value(call, at)?;
        let none = stream.value == ll::Value::Constant(ll::Constant::Null);
        if none || !(buffers || self.cx.uses_model("stdio_stream.c")) {
            return Ok(());
        }
        let stream = self.typed(stream)?;
        self.call_reader("__raddle_stream_use", vec![stream])
    }

    /// Reads what the conversions of a format ask for, from an argument on.
    fn read_known_format(
        &mut self,
        call: &ll::Call,
        first: usize,
        format: &str,
        looked_at: bool,
    ) -> Lowered<()> {
        let mut next = first;
        let conversions = conversions(format)?;
        for (at, conversion) in conversions.iter().enumerate() {
            next += usize::from(conversion.width == Size::Given);
            let most = match conversion.precision {
                Size::None => None,
                Size::Number(n) => Some(constant(u128::from(n), 32)),
                Size::Given => {
                    next += 1;
                    Some(self.typed(value(call, next - 1)?)?)
                }
            };
            match conversion.letter {
                '%' | 'm' | END => continue,
                'n' => {
                    let mut arguments = vec![self.typed(value(call, next)?)?];
                    // A number below 0 in two's complement.
                    arguments.push(constant(u128::from(conversion.longs as u32), 32));
                    arguments
                        .extend(self.range(call, first, format, &conversions[..=at]).operands());
                    self.call_reader("__raddle_count_into", arguments)?;
                }
                's' if conversion.longs > 0 => return refuse("a wide string in a format"),
                'S' => return refuse("a wide string in a format"),
                's' if looked_at => self.read_text(call, next, most)?,
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

/// The function that stands for one that prints where its address is taken.
pub(crate) fn by_pointer(name: &str) -> Option<String> {
    let prints = FUNCTIONS.iter().any(|row| row.0 == name);
    let uses_stream = STREAMS.iter().any(|row| row.0 == name);
    (prints || uses_stream).then(|| pointed(name))
}

/// Before the names of functions that are called by a pointer.
const POINTED: &str = "__raddle_pointed_";

fn pointed(name: &str) -> String {
    format!("{POINTED}{name}")
}

/// The name by which the user knows a function.
pub(crate) fn own_name(name: &str) -> &str {
    name.strip_prefix(POINTED).unwrap_or(name)
}

fn value(call: &ll::Call, at: usize) -> Lowered<&ll::Operand> {
    match call.arguments.get(at) {
        Some(argument) => Ok(&argument.operand),
        None => refuse("an output function with too few arguments"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_output_function_can_be_called_by_a_pointer() {
        for name in FUNCTIONS.iter().map(|row| row.0).chain(STREAMS.iter().map(|row| row.0)) {
            assert!(raddle_models::find(&pointed(name)).is_some(), "{name}");
        }
    }
}
