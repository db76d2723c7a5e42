//! What is different in memory after a step that others cannot look into.
//!
//! An atomic section may write a value and then the one that was there before: others see the state before and the
//! state after it, and nothing is different. So values are compared byte by byte over all instructions of a step.

use std::collections::BTreeMap;

use crate::step::{Effect, TouchKind};

/// Bytes whose values are known in a [`crate::step::Touch`].
const KNOWN: u64 = 16;

/// Memory that instructions have written.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// By address: the value before the first write, and after the last.
    bytes: BTreeMap<u64, (u8, u8)>,
    /// A write of many bytes changed something.
    many: bool,
}

impl Difference {
    /// Adds what an instruction has written where `counts` says so of its address.
    pub fn add(&mut self, effect: &Effect, counts: impl Fn(u64) -> bool) {
        for touch in &effect.touches {
            if !touch.write || touch.kind == TouchKind::Life || !counts(touch.address) {
                continue;
            }
            if touch.bytes > KNOWN {
                self.many |= touch.old != touch.new;
                continue;
            }
            let (old, new) = (touch.old.to_le_bytes(), touch.new.to_le_bytes());
            for (i, address) in (touch.address..).take(touch.bytes as usize).enumerate() {
                self.bytes.entry(address).or_insert((old[i], 0)).1 = new[i];
            }
        }
    }

    /// Whether something is different.
    pub fn is_some(&self) -> bool {
        self.many || self.bytes.values().any(|(before, after)| before != after)
    }
}
