//! What raddle checks: one file per property, which is also its manual page.
//!
//! [`registry`] lists them; [`parse`] reads names and SV-COMP property files; [`instrument`]
//! prepares a program: it inserts the checks that are instructions of their own and notes the rest
//! in `program.checked`, where the interpreter and the engines look.
//!
//! **Invariant:** a pass only adds `Check` instructions and what computes their conditions. It
//! never changes what the program does.

pub mod assertions;
pub mod deadlocks;
pub mod leaks;
pub mod linear;
pub mod locks;
pub mod lost_memory;
pub mod memory;
pub mod missing_return;
pub mod overflow;
pub mod parse;
pub mod races;
pub mod registry;
pub mod starvation;
pub mod unreach;

use raddle_ir::{Program, PropertySet};

pub use parse::{SpecError, parse};
pub use registry::{PROPERTIES, Row, row};

/// What is checked when the user names no property.
pub fn default_set() -> PropertySet {
    PROPERTIES.iter().filter(|row| row.by_default).map(|row| row.property).collect()
}

/// Prepares a program for checking: runs the passes of the chosen properties and notes the choice.
pub fn instrument(program: &mut Program, checked: PropertySet) {
    program.checked = checked;
    for row in PROPERTIES {
        if checked.contains(row.property)
            && let Some(pass) = row.pass
        {
            pass(program);
        }
    }
    debug_assert_eq!(raddle_ir::validate::validate(program), Ok(()), "a pass broke the program");
}
