//! Certificates: inductive invariants as text, one conjunct in a line.
//!
//! `never A & !B` says that no state that is reached has the latch A set and B not set; `always A`
//! is `never !A`. Latches have the names of [`super::names`]; for a bit of a wider variable the bit
//! follows (`x bit 3`), and `always !x bits 3-31` says the same of several bits. The first line has
//! the bounds within which threads and objects have names: that they suffice is part of what is checked.
//! Lines with `where` say what the names mean in the program, for a check that makes no circuit.
//! What stands around it in a file (program, options) is not known here.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use raddle_automaton::Bounds as Names;

/// No variable has more bits.
const MOST_BITS: u32 = 1024;

/// An inductive invariant of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// How much of the program has names.
    pub bounds: Names,
    /// None of these is reached.
    pub never: Vec<Vec<Literal>>,
    /// What the names mean in the program ([`super::legend`]); empty if that is not said.
    pub legend: Vec<String>,
}

/// A latch with a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// The name of the latch.
    pub latch: String,
    /// Its value.
    pub value: bool,
}

/// A line that is none of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct NoCertificate {
    /// Which, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}{}", if self.value { "" } else { "!" }, self.latch)
    }
}

/// A conjunct as a line.
pub fn line(never: &[Literal]) -> String {
    if let [one] = never {
        return format!("always {}", Literal { value: !one.value, ..one.clone() });
    }
    let all: Vec<String> = never.iter().map(ToString::to_string).collect();
    format!("never {}", all.join(" & "))
}

impl Display for Certificate {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        // Whether every iteration is followed depends on what is checked.
        let Names {
            repeats,
            recursion,
            cells,
            bytes,
            any_number,
            single_copies,
            pure,
            every_iteration: _,
        } = self.bounds;
        debug_assert!(!pure, "the circuit remembers nothing of loops");
        debug_assert!(!single_copies, "the circuit has no single copies");
        let (bytes, any_number) = (u8::from(bytes), u8::from(any_number));
        writeln!(f, "bounds {repeats} {recursion} {cells} {bytes} {any_number}")?;
        for ((variable, value), bits) in self.bits_that_stay() {
            let sign = if value { "" } else { "!" };
            for range in bits.chunk_by(|a, b| a + 1 == *b) {
                match range {
                    [bit] => writeln!(f, "always {sign}{variable} bit {bit}")?,
                    [first, .., last] => {
                        writeln!(f, "always {sign}{variable} bits {first}-{last}")?;
                    }
                    [] => unreachable!("chunks have elements"),
                }
            }
        }
        let others = self.never.iter().filter(|never| bit_that_stays(never).is_none());
        others.map(|never| line(never)).try_for_each(|line| writeln!(f, "{line}"))?;
        self.legend.iter().try_for_each(|line| writeln!(f, "where {line}"))
    }
}

/// The variable, value and bit of a conjunct that is about one bit.
fn bit_that_stays(never: &[Literal]) -> Option<((&str, bool), u32)> {
    let [one] = never else { return None };
    let (variable, bit) = one.latch.rsplit_once(" bit ")?;
    Some(((variable, !one.value), bit.parse().ok()?))
}

impl Certificate {
    /// By variable and value: the bits of it that always have that value.
    fn bits_that_stay(&self) -> BTreeMap<(&str, bool), Vec<u32>> {
        let mut all: BTreeMap<(&str, bool), Vec<u32>> = BTreeMap::new();
        for (which, bit) in self.never.iter().filter_map(|never| bit_that_stays(never)) {
            all.entry(which).or_default().push(bit);
        }
        all.values_mut().for_each(|bits| bits.sort_unstable());
        all
    }

    /// Reads lines, each with its number.
    pub fn parse<'a>(
        lines: impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<Certificate, NoCertificate> {
        let (mut bounds, mut never, mut legend) = (None, Vec::new(), Vec::new());
        for (line, text) in lines {
            let wrong = |what: &str| NoCertificate { line, what: what.to_string() };
            let (word, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
            let literals: Vec<Literal> = rest.split('&').map(literal).collect();
            if matches!(word, "never" | "always") && literals.iter().any(|l| l.latch.is_empty()) {
                return Err(wrong("a name is missing"));
            }
            match word {
                "bounds" if bounds.is_none() => {
                    bounds =
                        Some(self::bounds(rest).ok_or_else(|| wrong("five numbers expected"))?);
                }
                "where" => legend.push(rest.to_string()),
                "never" => never.push(literals),
                "always" => {
                    let negated = |l: Literal| vec![Literal { value: !l.value, ..l }];
                    never.extend(literals.into_iter().flat_map(each_bit).map(negated));
                }
                _ => return Err(wrong("`bounds`, `never`, `always` or `where` expected")),
            }
        }
        let missing = NoCertificate { line: 0, what: "there is no line with bounds".into() };
        Ok(Certificate { bounds: bounds.ok_or(missing)?, never, legend })
    }
}

fn literal(text: &str) -> Literal {
    let text = text.trim();
    let (value, latch) = text.strip_prefix('!').map_or((true, text), |latch| (false, latch));
    Literal { latch: latch.trim().to_string(), value }
}

/// `x bits 3-5` as three literals.
fn each_bit(literal: Literal) -> Vec<Literal> {
    let range = literal.latch.rsplit_once(" bits ").and_then(|(variable, range)| {
        let (first, last) = range.split_once('-')?;
        Some((variable, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
    });
    match range {
        Some((variable, first, last)) if first < last && last < MOST_BITS => (first..=last)
            .map(|bit| Literal { latch: format!("{variable} bit {bit}"), value: literal.value })
            .collect(),
        Some(_) | None => vec![literal],
    }
}

fn bounds(text: &str) -> Option<Names> {
    let numbers: Option<Vec<u32>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    match numbers?[..] {
        [repeats, recursion, cells, bytes @ 0..=1, any_number @ 0..=1] => Some(Names {
            repeats,
            recursion,
            cells: u64::from(cells),
            bytes: bytes == 1,
            any_number: any_number == 1,
            ..Names::default()
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Certificate, NoCertificate> {
        Certificate::parse((1..).zip(text.lines()))
    }

    #[test]
    fn what_is_written_is_read() {
        let text = "bounds 4 2 64 0 0\nalways !x bit 3\nalways !x bits 9-31\nalways x bit 4\n\
                    always z\nnever thread 1 at a.c:3 in f & !y\nwhere cell 0 8 = x\n";
        let certificate = parse(text).expect("it is one");
        assert_eq!(certificate.to_string(), text);
        assert_eq!(certificate.never.len(), 1 + 23 + 1 + 1 + 1);
    }

    #[test]
    fn what_is_none_is_refused_with_its_line() {
        let cases = [
            ("", 0),
            ("bounds 4 2 64 0", 1),
            ("bounds 4 2 64 0 2", 1),
            ("bounds 4 2 64 0 0\nbounds 4 2 64 0 0", 2),
            ("bounds 4 2 64 0 0\nnever", 2),
            ("bounds 4 2 64 0 0\nnever x & ", 2),
            ("bounds 4 2 64 0 0\nalways !", 2),
            ("bounds 4 2 64 0 0\nmaybe x", 2),
        ];
        for (text, line) in cases {
            assert_eq!(parse(text).expect_err(text).line, line, "{text}");
        }
    }
}
