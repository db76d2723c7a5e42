//! Private memory: objects as plain values, copied on write.
//!
//! An object's contents are cells (offset, bytes, value); an access of another size or offset
//! cuts or joins cells. What was never written is not stored: the caller supplies it.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::knowledge::ObjectIx;

/// Part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The object.
    pub object: ObjectIx,
    /// Where it begins.
    pub offset: u64,
    /// How many bytes, at least one.
    pub bytes: u32,
}

/// The written part of one object. **Invariant:** cells do not overlap.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Contents {
    cells: BTreeMap<u64, (u32, TermId)>,
}

impl Contents {
    /// The cells: offset, bytes, value.
    pub fn cells(&self) -> impl Iterator<Item = (u64, u32, TermId)> + '_ {
        self.cells.iter().map(|(&offset, &(bytes, value))| (offset, bytes, value))
    }

    /// Reads; `missing` supplies what was never written.
    pub fn load(
        &self,
        terms: &mut Terms,
        part: Part,
        missing: &mut dyn FnMut(&mut Terms, Part) -> TermId,
    ) -> TermId {
        let Part { object, offset, bytes } = part;
        debug_assert!(bytes > 0, "at least one byte is read");
        if let Some(&(n, value)) = self.cells.get(&offset)
            && n == bytes
        {
            return value;
        }
        let end = offset + u64::from(bytes);
        let mut parts = Vec::new();
        let mut at = offset;
        while at < end {
            let cell = self.cells.range(..=at).next_back().map(|(&o, &c)| (o, c));
            match cell {
                Some((o, (n, value))) if o + u64::from(n) > at => {
                    let stop = (o + u64::from(n)).min(end);
                    let (low, high) = ((at - o) as u32 * 8, (stop - o) as u32 * 8 - 1);
                    parts.push(terms.extract(value, high, low));
                    at = stop;
                }
                Some(_) | None => {
                    let next = self.cells.range(at..end).next().map_or(end, |(&o, _)| o);
                    let gap = Part { object, offset: at, bytes: (next - at) as u32 };
                    parts.push(missing(terms, gap));
                    at = next;
                }
            }
        }
        let mut value = parts[0];
        for &part in &parts[1..] {
            value = terms.concat(part, value);
        }
        debug_assert_eq!(terms.width(value), bytes * 8, "a value fills its bytes");
        value
    }

    /// Writes.
    fn store(&mut self, terms: &mut Terms, offset: u64, bytes: u32, value: TermId) {
        debug_assert_eq!(terms.width(value), bytes * 8, "a value fills its bytes");
        if let Some(cell) = self.cells.get_mut(&offset)
            && cell.0 == bytes
        {
            cell.1 = value;
            return;
        }
        let end = offset + u64::from(bytes);
        let first = self.cells.range(..=offset).next_back().map(|(&o, _)| o).unwrap_or(offset);
        let hit: Vec<(u64, (u32, TermId))> = self
            .cells
            .range(first..end)
            .filter(|(o, (n, _))| **o + u64::from(*n) > offset)
            .map(|(&o, &c)| (o, c))
            .collect();
        for (o, (n, old)) in hit {
            self.cells.remove(&o);
            let stop = o + u64::from(n);
            if o < offset {
                let keep = (offset - o) as u32;
                self.cells.insert(o, (keep, terms.extract(old, keep * 8 - 1, 0)));
            }
            if stop > end {
                let drop = (end - o) as u32;
                self.cells.insert(end, (n - drop, terms.extract(old, n * 8 - 1, drop * 8)));
            }
        }
        self.cells.insert(offset, (bytes, value));
        debug_assert!(self.is_disjoint_around(offset, end), "cells do not overlap");
    }

    /// Whether the cells next to a range end before it and begin after it.
    fn is_disjoint_around(&self, start: u64, end: u64) -> bool {
        let before = self.cells.range(..start).next_back();
        let after = self.cells.range(start + 1..).next();
        before.is_none_or(|(&o, &(n, _))| o + u64::from(n) <= start)
            && after.is_none_or(|(&o, _)| o >= end)
    }
}

/// The private memory of one path.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    objects: FxHashMap<ObjectIx, Rc<Contents>>,
}

impl Memory {
    /// The written part of an object.
    pub fn contents(&self, object: ObjectIx) -> Option<&Rc<Contents>> {
        self.objects.get(&object)
    }

    /// Writes part of an object.
    pub fn store(&mut self, terms: &mut Terms, part: Part, value: TermId) {
        let contents = Rc::make_mut(self.objects.entry(part.object).or_default());
        contents.store(terms, part.offset, part.bytes, value);
    }

    /// Forgets an object that died.
    pub fn forget(&mut self, object: ObjectIx) {
        self.objects.remove(&object);
    }

    /// All objects with contents.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectIx, &Rc<Contents>)> {
        self.objects.iter().map(|(&o, c)| (o, c))
    }

    /// The objects whose contents are not the same in both, in a fixed order.
    pub fn differences(&self, other: &Memory) -> Vec<ObjectIx> {
        let mut all: Vec<ObjectIx> = self
            .objects
            .iter()
            .filter(|(o, c)| other.objects.get(o).is_none_or(|d| !Rc::ptr_eq(c, d)))
            .map(|(&o, _)| o)
            .chain(other.objects.keys().filter(|o| !self.objects.contains_key(o)).copied())
            .collect();
        all.sort_unstable();
        all
    }
}

/// The ranges into which the cells of both contents cut the parts that either has written.
pub fn common_ranges(a: Option<&Contents>, b: Option<&Contents>) -> Vec<(u64, u32)> {
    let mut bounds = Vec::new();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for c in [a, b].into_iter().flatten() {
        for (&o, &(n, _)) in &c.cells {
            bounds.push(o);
            bounds.push(o + u64::from(n));
            ranges.push((o, o + u64::from(n)));
        }
    }
    bounds.sort_unstable();
    bounds.dedup();
    ranges.sort_unstable();
    ranges.dedup();
    let mut result = Vec::new();
    for (start, end) in ranges {
        let from = bounds.partition_point(|&b| b < start);
        for pair in bounds[from..].windows(2).take_while(|p| p[1] <= end) {
            result.push((pair[0], (pair[1] - pair[0]) as u32));
        }
    }
    result.sort_unstable();
    result.dedup();
    result
}
