//! Interned names.
//!
//! Idea: all texts lie one after another in one string; an open-addressing table of ids finds them by hash, so that
//!   a name seen before costs one hash and one comparison and no allocation.
//! Invariants: `slots.len()` is a power of two and at least twice `spans.len()`; a slot is an id + 1, or 0.
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

fn hash(text: &str) -> usize {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish() as usize
}

impl Symbols {
    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// The symbol of a text, if it occurs in the module.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.probe(text)];
        slot.checked_sub(1).map(Symbol)
    }

    /// The symbol of a text, made if need be.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if self.slots.len() <= 2 * self.ends.len() {
            self.grow();
        }
        let place = self.probe(text);
        if let Some(id) = self.slots[place].checked_sub(1) {
            return Symbol(id);
        }
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
    fn probe(&self, text: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash(text) & mask;
        while let Some(id) = self.slots[place].checked_sub(1) {
            if self.text(Symbol(id)) == text {
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
            let mut place = hash(self.text(Symbol(id))) & (size - 1);
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
        let empty = symbols.intern("");
        assert_eq!(symbols.text(empty), "");
    }
}
