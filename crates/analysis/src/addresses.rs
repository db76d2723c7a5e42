//! What constants mean as addresses: globals and functions have theirs before the program runs.

use raddle_ir::{Operand, Program};

use crate::inclusion::Location;
use crate::objects::{ObjectId, Objects};

/// The addresses that are known before the program runs, to give constants their meaning.
#[derive(Clone, Debug)]
pub(crate) struct Addresses {
    /// Start, end (one past it belongs to the object) and object, sorted by start.
    ranges: Vec<(u64, u64, ObjectId)>,
    pointer_bits: u32,
}

impl Addresses {
    pub fn new(program: &Program, objects: &Objects) -> Addresses {
        let mut ranges = Vec::new();
        for (i, g) in program.globals.iter().enumerate() {
            if !g.thread_local {
                let object = objects.global(raddle_ir::GlobalId::new(i));
                ranges.push((g.address, g.address.saturating_add(g.size), object));
            }
        }
        for f in program.function_ids() {
            let address = program.function(f).address;
            ranges.push((address, address, objects.function(f)));
        }
        ranges.sort_unstable();
        Addresses { ranges, pointer_bits: program.pointer_bits }
    }

    /// Where an operand that is not a register leads.
    pub fn location(&self, objects: &Objects, operand: Operand) -> Option<Location> {
        match operand {
            Operand::Reg(_) => None,
            Operand::Global(g, offset) => Some((objects.global(g), u64::try_from(offset).ok())),
            Operand::Function(f) => Some((objects.function(f), Some(0))),
            Operand::Const(c) => {
                let value = u64::try_from(c.value).ok().filter(|_| c.width == self.pointer_bits)?;
                let lowest = self.ranges.first()?.0;
                let next = self.ranges.partition_point(|r| r.0 <= value);
                let before = next.checked_sub(1).map(|i| self.ranges[i]);
                match before.filter(|r| value <= r.1) {
                    Some((start, _, object)) => Some((object, Some(value - start))),
                    // Small numbers, also negative ones, are error codes rather than addresses.
                    None if value < lowest || self.is_small_negative(value) => None,
                    None => Some((ObjectId::UNKNOWN, None)),
                }
            }
        }
    }

    fn is_small_negative(&self, value: u64) -> bool {
        let top = if self.pointer_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
        top.wrapping_sub(value) < 1 << 16
    }
}
