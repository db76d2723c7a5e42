//! The table of properties: to add one, add its file and its row here.

use raddle_ir::{Program, Property};

/// A property as users meet it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The property.
    pub property: Property,
    /// What it is called in property files of SV-COMP; empty if it has no such name.
    pub svcomp: &'static str,
    /// In one line.
    pub summary: &'static str,
    /// The manual page: what, why, example, where the C standard speaks of it.
    pub page: &'static str,
    /// Checked when the user names no property.
    pub by_default: bool,
    /// Inserts its checks, where they are instructions of their own.
    pub pass: Option<fn(&mut Program)>,
}

/// All properties, in the order of the manual.
pub const PROPERTIES: &[Row] = &[
    Row {
        property: Property::Assertions,
        svcomp: "",
        summary: "assert() and its kin hold; code declared unreachable is not reached",
        page: crate::assertions::PAGE,
        by_default: true,
        pass: Some(crate::missing_return::insert_checks),
    },
    Row {
        property: Property::Unreach,
        svcomp: "unreach-call",
        summary: "reach_error() and __VERIFIER_error() are never called",
        page: crate::unreach::PAGE,
        by_default: true,
        pass: None,
    },
    Row {
        property: Property::Races,
        svcomp: "no-data-race",
        summary: "no two threads access the same memory at once, one of them writing",
        page: crate::races::PAGE,
        by_default: true,
        pass: None,
    },
    Row {
        property: Property::Deadlocks,
        svcomp: "no-deadlock",
        summary: "threads never wait for each other for ever",
        page: crate::deadlocks::PAGE,
        by_default: true,
        pass: None,
    },
    Row {
        property: Property::Memory,
        svcomp: "valid-memsafety",
        summary: "every access and every free() is valid",
        page: crate::memory::PAGE,
        by_default: true,
        pass: None,
    },
    Row {
        property: Property::Locks,
        svcomp: "",
        summary: "locks and other thread objects are used as their rules demand",
        page: crate::locks::PAGE,
        by_default: true,
        pass: None,
    },
    Row {
        property: Property::Overflow,
        svcomp: "no-overflow",
        summary: "no signed overflow, division by zero or oversized shift",
        page: crate::overflow::PAGE,
        by_default: false,
        pass: Some(crate::overflow::insert_checks),
    },
    Row {
        property: Property::Leaks,
        svcomp: "valid-memcleanup",
        summary: "all heap memory is freed when the program ends",
        page: crate::leaks::PAGE,
        by_default: false,
        pass: None,
    },
    Row {
        property: Property::LostMemory,
        svcomp: "valid-memtrack",
        summary: "heap memory that was not freed can still be reached when the program ends",
        page: crate::lost_memory::PAGE,
        by_default: false,
        pass: None,
    },
    Row {
        property: Property::Linear,
        svcomp: "",
        summary: "every infinite execution satisfies the formulas of `--ltl` and `--ltl-file`",
        page: crate::linear::PAGE,
        by_default: false,
        pass: None,
    },
    Row {
        property: Property::Starvation,
        svcomp: "",
        summary: "no thread waits for ever while scheduling is fair",
        page: crate::starvation::PAGE,
        by_default: false,
        pass: None,
    },
];

/// The row of a property.
pub fn row(property: Property) -> &'static Row {
    PROPERTIES
        .iter()
        .find(|row| row.property == property)
        .expect("a test checks that every property has a row")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_has_one_row_and_a_page() {
        for property in Property::ALL {
            assert_eq!(PROPERTIES.iter().filter(|r| r.property == property).count(), 1);
            for part in ["## What", "## Why", "## Example", "## Standard"] {
                assert!(row(property).page.contains(part), "{property}: {part}");
            }
        }
    }
}
