//! Memory when the first thread is created, as seen by all.
//!
//! Idea: until main creates a thread, nobody else looks, and memory is plain values. At that point
//! the memory of its path becomes an *image*: what shared cells hold at the start. Main may come to
//! its first creation on several paths, so there may be several images, under exclusive conditions.
//! What an image has not written is what the object began with: a global's initialiser, zeros, or
//! arbitrary bytes, each with a variable of its own.
//! Invariants: the conditions of images are exclusive; an arbitrary byte has one variable, whoever
//! asks.

use std::rc::Rc;

use raddle_ir::Program;
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::knowledge::{Knowledge, ObjectIx, ObjectKey};
use crate::memory::{Memory, Part};

/// Variables for the bytes that are arbitrary at the start, by object and offset.
pub type ArbitraryBytes = FxHashMap<(ObjectIx, u64), TermId>;

/// Memory under one condition, when the first thread was created.
#[derive(Clone, Debug)]
pub struct Image {
    /// When this is the one.
    pub guard: TermId,
    /// What had been written.
    pub memory: Rc<Memory>,
}

/// All that is needed to say what memory holds at the start.
pub struct Beginning<'a> {
    /// For the initialisers of globals.
    pub program: &'a Program,
    /// For the kinds of objects.
    pub knowledge: &'a Knowledge,
    /// The images so far.
    pub images: &'a [Image],
    /// Grows when an arbitrary byte is asked for.
    pub arbitrary: &'a mut ArbitraryBytes,
}

impl Beginning<'_> {
    /// The contents of a part of an object when the first thread was created.
    pub fn value(&mut self, terms: &mut Terms, part: Part) -> TermId {
        let images = self.images;
        let mut value = None;
        for Image { guard, memory } in images {
            let in_image = match memory.contents(part.object) {
                Some(contents) => {
                    contents.load(terms, part, &mut |terms, gap| self.before(terms, gap))
                }
                None => self.before(terms, part),
            };
            // The first image stands for "none of the others": conditions are exclusive.
            value = Some(value.map_or(in_image, |other| terms.ite(*guard, in_image, other)));
        }
        let value = value.unwrap_or_else(|| self.before(terms, part));
        debug_assert_eq!(terms.width(value), part.bytes * 8, "a value fills its part");
        value
    }

    /// The contents of a part of an object at the start of its life.
    fn before(&mut self, terms: &mut Terms, Part { object, offset, bytes }: Part) -> TermId {
        debug_assert!(bytes > 0, "at least one byte is read");
        let known = self.knowledge.object(object);
        let fixed = match known.key {
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => {
                let global = self.program.global(g);
                (!global.external).then_some(global.init.as_slice())
            }
            ObjectKey::Alloc { .. } => known.zeroed.then_some(&[][..]),
            ObjectKey::Function(_) | ObjectKey::Grave(_) => Some(&[][..]),
        };
        let mut value = None;
        for i in (0..u64::from(bytes)).rev() {
            let byte = match fixed {
                Some(init) => {
                    let byte = init.get((offset + i) as usize).copied().unwrap_or(0);
                    terms.constant(u128::from(byte), 8)
                }
                None => {
                    let place = (object, offset + i);
                    *self.arbitrary.entry(place).or_insert_with(|| terms.fresh(8))
                }
            };
            value = Some(value.map_or(byte, |high| terms.concat(high, byte)));
        }
        value.expect("at least one byte is read")
    }
}
