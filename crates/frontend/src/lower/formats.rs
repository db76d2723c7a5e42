//! Formats of output functions that are literals: their conversions, and how long the text can be.
//!
//! What `printf` gives back, and what `%n` writes, is the number of characters. It is known for
//! characters between conversions and for literals; for a number it lies in a range, which is all that is
//! computed here: digits would have to be counted when the program runs, and hardly a program asks.
//! Limits: numbered arguments are refused.

use std::iter::Peekable;
use std::str::Chars;

use raddle_ir::Operand;

use super::compute::constant;
use super::refusal::{Lowered, refuse};

/// The width or the precision of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Size {
    None,
    Number(u32),
    /// By an argument.
    Given,
}

/// One conversion of a format, with the characters before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// How many characters stand before it.
    pub(super) before: u32,
    pub(super) width: Size,
    pub(super) precision: Size,
    /// -2 hh, -1 h, 0 int, 1 long and other words, 2 long long, more for long double.
    pub(super) longs: i32,
    pub(super) letter: char,
}

/// In the place of a letter: no conversion, but the end of the format.
pub(super) const END: char = '\0';

/// How many characters are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Range {
    /// More than a function can say.
    pub(super) const MOST: u32 = i32::MAX as u32;

    pub(super) fn exactly(count: u32) -> Range {
        Range { least: count.min(Range::MOST), most: count.min(Range::MOST) }
    }

    pub(super) fn and(self, other: Range) -> Range {
        let sum = |a: u32, b: u32| a.saturating_add(b).min(Range::MOST);
        Range { least: sum(self.least, other.least), most: sum(self.most, other.most) }
    }

    pub(super) fn operands(self) -> Vec<Operand> {
        [self.least, self.most].map(|n| constant(u128::from(n), 32)).to_vec()
    }
}

impl Conversion {
    /// How long its text can be, with what stands before it, if its string has a known length.
    pub(super) fn range(&self, known: Option<u32>) -> Range {
        let precision = match self.precision {
            Size::None => None,
            Size::Number(n) => Some(n),
            Size::Given => Some(Range::MOST),
        };
        // Numbers: all digits of the largest one, signs, prefixes and marks between groups.
        let of = |least, most: u32| Range { least, most: most.max(precision.unwrap_or(0)) };
        let whole = of(u32::from(precision.is_none()), 48);
        let mut text = match self.letter {
            'n' | END => Range::exactly(0),
            '%' => Range::exactly(1),
            'c' if self.longs == 0 => Range::exactly(1),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'p' => whole,
            // The largest long double has 4933 digits.
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                Range { least: 1, most: precision.unwrap_or(64).saturating_add(8192) }
            }
            's' if self.longs == 0 && self.precision != Size::Given => {
                let most = known.unwrap_or(Range::MOST).min(precision.unwrap_or(Range::MOST));
                Range { least: known.map_or(0, |_| most), most }
            }
            _ => Range { least: 0, most: Range::MOST },
        };
        match self.width {
            Size::None => {}
            Size::Number(n) => {
                text = Range { least: text.least.max(n), most: text.most.max(n) };
            }
            Size::Given => text.most = Range::MOST,
        }
        Range::exactly(self.before).and(text)
    }
}

/// The bytes of a text, unless it was no text and some were lost when it was read as one.
pub(super) fn length(text: &str) -> Option<u32> {
    let whole = !text.contains(char::REPLACEMENT_CHARACTER);
    u32::try_from(text.len()).ok().filter(|_| whole)
}

/// Whether a text has a conversion that counts characters, if it is a format.
pub(super) fn has_count(text: &str) -> bool {
    let of = |rest: &str| {
        let letter = rest.chars().find(|c| !"-+ #0'I*.$hlqjztL123456789".contains(*c));
        letter == Some('n')
    };
    text.match_indices('%').any(|(at, _)| of(&text[at + 1..]))
}

/// The conversions of a format, and its end.
pub(super) fn conversions(format: &str) -> Lowered<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    let mut before = 0;
    while let Some(c) = rest.next() {
        if c != '%' {
            before += c.len_utf8() as u32;
            continue;
        }
        while rest.next_if(|c| "-+ #0'I".contains(*c)).is_some() {}
        let width = size(&mut rest).unwrap_or(Size::None);
        if rest.peek() == Some(&'$') {
            return refuse("a format with numbered arguments");
        }
        let mut precision = Size::None;
        if rest.next_if_eq(&'.').is_some() {
            precision = size(&mut rest).unwrap_or(Size::Number(0));
        }
        let mut longs = 0;
        while let Some(length) = rest.next_if(|c| "hlqjztL".contains(*c)) {
            longs += match length {
                'h' => -1,
                'l' | 'z' | 't' => 1,
                'q' | 'j' => 2,
                _ => 3,
            };
        }
        let Some(letter) = rest.next() else { return refuse("a format that ends after `%`") };
        found.push(Conversion { before, width, precision, longs, letter });
        before = 0;
    }
    let (width, precision) = (Size::None, Size::None);
    found.push(Conversion { before, width, precision, longs: 0, letter: END });
    Ok(found)
}

/// A number, or the star that stands for an argument.
fn size(rest: &mut Peekable<Chars<'_>>) -> Option<Size> {
    if rest.next_if_eq(&'*').is_some() {
        return Some(Size::Given);
    }
    let mut number = None;
    while let Some(digit) = rest.next_if(char::is_ascii_digit) {
        let digit = digit.to_digit(10).unwrap_or_default();
        number = Some(number.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
    }
    number.map(|n| Size::Number(n.min(Range::MOST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> String {
        let found = conversions(format).expect("it is supported");
        found.iter().map(|c| c.letter).filter(|l| *l != END).collect()
    }

    #[test]
    fn conversions_are_found_with_all_that_stands_before_their_letters() {
        assert_eq!(letters("no conversion"), "");
        assert_eq!(letters("%d, %-5s: %#08lx%%\n"), "dsx%");
        assert_eq!(letters("%+.3Lf%zu%hhd"), "fud");
        let all = conversions("%*.*s %.7s %ls").expect("it is supported");
        assert!(all[0].width == Size::Given && all[0].precision == Size::Given);
        assert_eq!(all[1].precision, Size::Number(7));
        assert!(all[2].longs == 1 && all[1].longs == 0);
        assert_eq!(conversions("%hhn%lln").expect("it is supported")[0].longs, -2);
    }

    #[test]
    fn the_number_of_characters_lies_in_a_range() {
        let range = |format| {
            let found = conversions(format).expect("it is supported");
            let all = found.iter().fold(Range::exactly(0), |all, c| all.and(c.range(None)));
            (all.least, all.most)
        };
        assert_eq!(range("text\n"), (5, 5));
        assert_eq!(range("100 %%n"), (6, 6));
        assert_eq!(range("[%c]%n"), (3, 3));
        assert_eq!(range("x=%5d."), (8, 51));
        assert_eq!(range("%.3s"), (0, 3));
        assert_eq!(range("%8.3s"), (8, 8));
        assert_eq!(range("%s"), (0, Range::MOST));
        assert_eq!(
            conversions("%s").expect("it is supported")[0].range(Some(4)),
            Range::exactly(4)
        );
    }

    #[test]
    fn formats_that_count_are_found() {
        assert!(has_count("%d%n") && has_count("%5$hhn") && has_count("a%%%n"));
        assert!(!has_count("%d\n") && !has_count("100 %") && !has_count("name"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(conversions("%2$s").is_err());
        assert!(conversions("100 %").is_err());
    }
}
