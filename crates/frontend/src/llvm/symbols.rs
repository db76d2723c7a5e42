//! Interned names.
//!
//! Idea: all texts lie one after another in one string; an open-addressing table of ids finds them
//!   by hash, so that a name seen before costs one hash and one comparison and no allocation.
//! Invariants: `slots.len()` is a power of two and at least twice `spans.len()`; a slot is an id +
//! 1, or 0.
//! Limits: at most 4 GiB of names. Names that are not UTF-8 are kept with replacement characters.

use std::hash::Hasher;

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// All names of a module.
#[derive(Debug, Default)]
pub struct Symbols {
    text: String,
    /// End of each name in `text`; it begins where the one before ends.
    ends: Vec<u32>,
    slots: Vec<u32>,
}

#[inline]
fn hash(text: &[u8]) -> usize {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text);
    hasher.finish() as usize
}

impl Symbols {
    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.text[self.span(symbol.0)]
    }

    fn span(&self, id: u32) -> std::ops::Range<usize> {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] as usize };
        start..self.ends[id as usize] as usize
    }

    /// The symbol of a text, if it occurs in the module.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.probe(text.as_bytes())];
        slot.checked_sub(1).map(Symbol)
    }

    /// The symbol of a text, made if need be.
    pub fn intern(&mut self, text: &str) -> Symbol {
        self.intern_bytes(text.as_bytes())
    }

    /// The symbol of a text that may not be UTF-8: then of the text with replacement characters.
    #[inline]
    pub fn intern_bytes(&mut self, text: &[u8]) -> Symbol {
        if self.slots.len() <= 2 * self.ends.len() {
            self.grow();
        }
        let place = self.probe(text);
        match self.slots[place].checked_sub(1) {
            Some(id) => Symbol(id),
            None => self.add(text, place),
        }
    }

    fn add(&mut self, text: &[u8], place: usize) -> Symbol {
        // Checked here only: what is in the table is UTF-8, so a text found in it is too.
        let Ok(text) = std::str::from_utf8(text) else {
            return self.intern(&String::from_utf8_lossy(text));
        };
        let id = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.slots[place] = id + 1;
        Symbol(id)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Are there no names at all?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The slot that holds `text`, or the free one where it belongs.
    #[inline]
    fn probe(&self, text: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash(text) & mask;
        while let Some(id) = self.slots[place].checked_sub(1) {
            if &self.text.as_bytes()[self.span(id)] == text {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(size, 0);
        for id in 0..self.ends.len() as u32 {
            let mut place = hash(&self.text.as_bytes()[self.span(id)]) & (size - 1);
            while self.slots[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = id + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_symbols() {
        let mut symbols = Symbols::default();
        let made: Vec<Symbol> = (0..1000).map(|i| symbols.intern(&format!("n{i}"))).collect();
        for (i, &symbol) in made.iter().enumerate() {
            let text = format!("n{i}");
            assert_eq!(symbols.text(symbol), text);
            assert_eq!(symbols.intern(&text), symbol);
            assert_eq!(symbols.find(&text), Some(symbol));
        }
        assert_eq!(symbols.len(), 1000);
        assert_eq!(symbols.find("other"), None);
        let bad = symbols.intern_bytes(b"\xff");
        assert_eq!((symbols.intern_bytes(b"\xff"), symbols.text(bad)), (bad, "\u{fffd}"));
        let empty = symbols.intern("");
        assert_eq!(symbols.text(empty), "");
    }
}
