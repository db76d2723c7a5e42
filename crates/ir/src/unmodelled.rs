//! What is not modelled.
//!
//! Whoever comes to it says so, and gives no verdict of safety. Each case is a fact; its words are
//! made in `report`.

/// Something that an engine does not model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unmodelled {
    /// A construct of the program, in the words of the front end, which names parts of it.
    Construct(String),
    /// An access through a pointer of unknown origin.
    UnknownAccess,
    /// A call through a pointer of unknown origin.
    UnknownCall,
    /// `free` of a pointer of unknown origin.
    UnknownFree,
    /// The size of an object of unknown origin.
    UnknownSize,
    /// Calls nested more than so deep.
    NestedCalls(usize),
    /// Arithmetic in `long double`, or a remainder of floating-point numbers.
    Arithmetic,
    /// An atomic section that is open on one of two paths that join.
    HalfOpenSection,
    /// An atomic section that begins in several places.
    ScatteredSection,
    /// An atomic section that waits after a step of its own.
    WaitingSection,
    /// An access that leaves its object for another one.
    Elsewhere,
    /// Whether memory that is left at the end is lost.
    LostMemory,
    /// More threads than so many.
    ManyThreads(usize),
    /// An object for which there is no room.
    NoRoom,
    /// A race that seems possible, but could not be replayed.
    UnconfirmedRace,
    /// A violation that was seen, but could not be replayed.
    UnconfirmedViolation,
}
