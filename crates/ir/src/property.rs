//! What can be checked.

use std::fmt;

/// A property; the manual page of each is its file in the `properties` crate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// `reach_error`, `__VERIFIER_error`: the SV-COMP property `unreach-call`.
    Unreach,
    /// `assert` and its kin, `__builtin_unreachable`, a missing return of a used value.
    Assertions,
    /// Data races.
    Races,
    /// Deadlocks, global and local.
    Deadlocks,
    /// Invalid dereference, invalid or double free.
    Memory,
    /// Memory that is not freed at the end (lost or still reachable).
    Leaks,
    /// Signed overflow, division by zero, oversized shifts.
    Overflow,
    /// Misuse of locks.
    Locks,
    /// Heap memory that no pointer in live memory leads to at the end (SV-COMP: `valid-memtrack`).
    LostMemory,
    /// Formulas of linear-time temporal logic: [`crate::linear`].
    Linear,
    /// No thread waits for ever under fair scheduling.
    Starvation,
}

impl Property {
    /// All properties, most serious first (the order of reports).
    pub const ALL: [Property; 11] = [
        Property::Memory,
        Property::Unreach,
        Property::Assertions,
        Property::Deadlocks,
        Property::Races,
        Property::Locks,
        Property::Overflow,
        Property::Leaks,
        Property::LostMemory,
        Property::Linear,
        Property::Starvation,
    ];

    /// Those that a finite execution violates, in the same order.
    pub const SAFETY: [Property; 9] = {
        let mut some = [Property::Memory; 9];
        let mut i = 0;
        while i < some.len() {
            some[i] = Property::ALL[i];
            i += 1;
        }
        some
    };

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Property::Unreach => "reach-error",
            Property::Assertions => "assertions",
            Property::Races => "races",
            Property::Deadlocks => "deadlocks",
            Property::Memory => "memory",
            Property::Leaks => "leaks",
            Property::Overflow => "overflow",
            Property::Locks => "locks",
            Property::LostMemory => "lost-memory",
            Property::Linear => "ltl",
            Property::Starvation => "starvation",
        }
    }

    /// The property of that name.
    pub fn from_name(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.name() == name)
    }

    /// A failed check of a property that was not asked for either ends its thread (the program
    /// would have aborted) or has no effect.
    pub fn unchecked_failure_stops(self) -> bool {
        match self {
            Property::Unreach | Property::Assertions => true,
            Property::Races
            | Property::Deadlocks
            | Property::Memory
            | Property::Leaks
            | Property::Overflow
            | Property::Locks
            | Property::LostMemory
            | Property::Linear
            | Property::Starvation => false,
        }
    }

    /// The number by which library models name the property in `__raddle_check`.
    pub fn code(self) -> u32 {
        self as u32
    }

    /// The property of a number.
    pub fn from_code(code: u32) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.code() == code)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PropertySet(u16);

impl PropertySet {
    /// No property.
    pub const EMPTY: PropertySet = PropertySet(0);

    /// Whether a property is in the set.
    pub fn contains(self, p: Property) -> bool {
        self.0 & (1 << p.code()) != 0
    }

    /// The set with one more property.
    #[must_use]
    pub fn with(self, p: Property) -> PropertySet {
        PropertySet(self.0 | (1 << p.code()))
    }

    /// Whether it matters what is left on the heap when the program ends.
    pub fn looks_at_heap(self) -> bool {
        self.contains(Property::Leaks) || self.contains(Property::LostMemory)
    }

    /// Whether it speaks of executions without end: then no iteration of a loop is left out.
    pub fn is_linear(self) -> bool {
        self.contains(Property::Linear) || self.contains(Property::Starvation)
    }

    /// The members, most serious first.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |p| self.contains(*p))
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(iter: I) -> Self {
        iter.into_iter().fold(PropertySet::EMPTY, PropertySet::with)
    }
}
