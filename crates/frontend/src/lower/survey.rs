//! Everything that a program needs and raddle does not model, in one list.
//!
//! Lowering stops where it meets something that is not modelled: no execution gets past it. A reader
//! of the report wants to know what comes after it as well, so the program is lowered once more and
//! thrown away: in such a *survey* an instruction that is refused has an arbitrary result and lowering
//! goes on. Only what stands in the user's files is listed; library models refuse what only some
//! calls of them need, which is known when an execution comes there.
//! Limits: code that nobody refers to from `main` is not looked at, code behind a condition is.

use std::collections::BTreeMap;

use raddle_ir::{Place, Program};

/// Something that is not modelled, with all lines that need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// What, in the words of the reason for UNKNOWN.
    pub what: String,
    /// The name, if it is a function without a body.
    pub function: Option<String>,
    /// Where: file, line and column, in order.
    pub places: Vec<(String, u32, u32)>,
}

/// What was refused so far.
#[derive(Default, Debug)]
pub(crate) struct Refused {
    /// By words: the function that is undefined, if that is the reason, and places.
    list: BTreeMap<String, (Option<String>, Vec<Place>)>,
}

impl Refused {
    /// Notes a refusal; the same one twice counts once.
    pub(crate) fn note(&mut self, what: &str, function: Option<&str>, place: Place) {
        let (known, places) = self.list.entry(what.to_string()).or_default();
        *known = known.take().or_else(|| function.map(str::to_string));
        if !places.contains(&place) {
            places.push(place);
        }
    }

    /// As a list for readers, functions first.
    pub(crate) fn into_list(self, program: &Program) -> Vec<Missing> {
        let mut list: Vec<Missing> = Vec::new();
        for (what, (function, places)) in self.list {
            let known = places.iter().filter(|p| p.is_known());
            let point = |p: &Place| (program.file(p.file).path.clone(), p.line, p.column);
            let mut places: Vec<_> = known.map(point).collect();
            places.sort();
            list.push(Missing { what, function, places });
        }
        list.sort_by_key(|m| m.function.is_none());
        list
    }
}
