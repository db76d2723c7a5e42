//! Writes that may touch the word of a mutex like other memory: its initialisation, or an accident.
//!
//! Idea: the words of mutexes are where lock operations may lead; a write is listed if its
//! points-to set meets one of them. Where the write has a name, the words are given relative to it,
//! so that callers translate them to their own mutexes.

use std::collections::BTreeSet;

use raddle_ir::{GlobalId, InstrRef, MemoryUse, Op, Operand, Program};
use rustc_hash::FxHashMap;

use crate::lock_names::{Name, Names};
use crate::lock_state::Unlocked;
use crate::objects::{Object, ObjectId, instructions};
use crate::points_to::PointsTo;

/// A write that may touch words of mutexes.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    addr: Operand,
    /// Where the words lie relative to the address, if that has a name.
    words: BTreeSet<i64>,
    /// The words otherwise (`None`: anywhere in the global).
    places: BTreeSet<(GlobalId, Option<i64>)>,
    /// The address may come from nowhere.
    wild: bool,
}

impl Write {
    /// The mutexes that are touched and have names.
    pub fn names(&self, names: &Names) -> impl Iterator<Item = Name> {
        let name = names.of(self.addr);
        self.words.iter().filter_map(move |&by| {
            let name = name?;
            Some(Name { base: name.base, offset: name.offset.checked_add(by)? })
        })
    }

    /// All that are touched.
    pub fn unlocked(&self, names: &Names) -> Unlocked {
        Unlocked { all: self.wild, names: self.names(names).collect(), places: self.places.clone() }
    }
}

/// Offsets of mutex words by object; `None`: anywhere.
type Words = FxHashMap<ObjectId, BTreeSet<Option<u64>>>;

/// The writes of the program that may touch the word of a mutex, other than by locking and
/// unlocking.
pub(crate) fn lock_word_writes(
    program: &Program,
    points_to: &PointsTo,
    names: &[Names],
) -> FxHashMap<InstrRef, Write> {
    let mut words = Words::default();
    for (at, op) in instructions(program) {
        if let Op::Lock { mutex, .. } | Op::TryLock { mutex, .. } = op {
            for (object, offset) in points_to.locations(at.func, *mutex) {
                words.entry(object).or_default().insert(offset);
            }
        }
    }
    let mut writes = FxHashMap::default();
    for (at, op) in instructions(program) {
        if matches!(op, Op::Lock { .. } | Op::Unlock { .. } | Op::TryLock { .. }) {
            continue;
        }
        if let Some(usage) = op.memory_use(program.function(at.func)).filter(|u| u.writes) {
            let named = names[at.func.index()].of(usage.addr).is_some();
            if let Some(write) = touched(points_to, at, usage, named, &words) {
                writes.insert(at, write);
            }
        }
    }
    writes
}

fn touched(
    points_to: &PointsTo,
    at: InstrRef,
    usage: MemoryUse,
    named: bool,
    words: &Words,
) -> Option<Write> {
    let mut write =
        Write { addr: usage.addr, words: BTreeSet::new(), places: BTreeSet::new(), wild: false };
    for (object, offset) in points_to.locations(at.func, usage.addr) {
        if object == ObjectId::UNKNOWN {
            write.wild = true;
        }
        let Some(words) = words.get(&object) else { continue };
        let global = match points_to.objects().get(object) {
            Object::Global(g) => Some(g),
            Object::Alloc(..) | Object::Function(_) | Object::Unknown => None,
        };
        match (offset, usage.bytes) {
            (Some(start), Some(bytes)) => {
                for by in hits(start, bytes, words) {
                    if named {
                        write.words.insert(by);
                    } else if let Some(g) = global {
                        write.places.insert((g, start.checked_add_signed(by).map(|o| o as i64)));
                    }
                }
            }
            (None, _) | (_, None) => write.places.extend(global.map(|g| (g, None))),
        }
    }
    (write.wild || !write.words.is_empty() || !write.places.is_empty()).then_some(write)
}

/// Where the mutex words that overlap some bytes lie relative to their start.
fn hits(start: u64, bytes: u64, words: &BTreeSet<Option<u64>>) -> Vec<i64> {
    if words.contains(&None) {
        return (0..bytes as i64).step_by(4).collect();
    }
    let known = words.range(Some(start.saturating_sub(3))..Some(start.saturating_add(bytes)));
    known.flatten().map(|&word| word.wrapping_sub(start) as i64).collect()
}
