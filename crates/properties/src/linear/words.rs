//! The words of a formula, each with its column.

use super::Wrong;

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// An identifier, or a temporal operator.
    Name(String),
    /// A number.
    Number(i128),
    /// Punctuation.
    Sign(&'static str),
}

/// A word and its column, from 0.
pub type Placed = (usize, Word);

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<->", "<<", ">>", "->", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%",
    "&", "|", "^", "~", "!", "(", ")", "[", "]", ".",
];

/// Takes a formula apart.
pub fn words(text: &str) -> Result<Vec<Placed>, Wrong> {
    let chars: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c.is_whitespace() {
            at += 1;
        } else if c.is_ascii_alphabetic() || c == '_' {
            let end = end_of(&chars, at, |c| c.is_ascii_alphanumeric() || c == '_');
            all.push((at, Word::Name(chars[at..end].iter().collect())));
            at = end;
        } else if c.is_ascii_digit() {
            let end = end_of(&chars, at, |c| c.is_ascii_alphanumeric());
            all.push((at, Word::Number(number(&chars[at..end], at)?)));
            at = end;
        } else if c == '\'' {
            let (Some(&letter), Some('\'')) = (chars.get(at + 1), chars.get(at + 2)) else {
                return Err(Wrong::new(at, "a character constant is one character in quotes"));
            };
            all.push((at, Word::Number(i128::from(u32::from(letter)))));
            at += 3;
        } else {
            let rest: String = chars[at..chars.len().min(at + 3)].iter().collect();
            let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) else {
                return Err(Wrong::new(at, unknown(c)));
            };
            all.push((at, Word::Sign(sign)));
            at += sign.len();
        }
    }
    Ok(all)
}

/// What to say about a character that begins nothing.
fn unknown(c: char) -> String {
    match c {
        '=' => "`=` is no comparison; write `==`".into(),
        other => format!("`{other}` has no meaning in a formula"),
    }
}

fn end_of(chars: &[char], from: usize, belongs: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|&i| !belongs(chars[i])).unwrap_or(chars.len())
}

/// A number as in C; suffixes for types are left out of account.
fn number(digits: &[char], column: usize) -> Result<i128, Wrong> {
    let text: String = digits.iter().collect::<String>().to_ascii_lowercase();
    let text = text.trim_end_matches(['u', 'l']);
    let value = match text.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None if text.len() > 1 && text.starts_with('0') => i128::from_str_radix(text, 8),
        None => text.parse(),
    };
    match value {
        Ok(value) if value <= i128::from(u64::MAX) => Ok(value),
        Ok(_) | Err(_) => Err(Wrong::new(column, format!("`{text}` is no number of C"))),
    }
}
