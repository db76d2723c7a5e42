//! The concrete interpreter, replay and exhaustive exploration.
//!
//! **Invariant:** uses nothing but the program model: it is the referee of all engines and shares no
//! code with them.

pub mod choices;
pub mod explore;
pub mod finding;
pub mod oracle;
pub mod replay;
mod thread;
pub mod trace;

pub use choices::Choices;
pub use explore::{Cut, Exploration, InputValues, Settings, explore};
pub use finding::{
    FaultKind, Finding, FindingKey, FindingKind, Held, Leaked, MemoryFault, ObjectInfo, RaceAccess,
    Site, Wait, WaitFor,
};
pub use oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin, Zeros};
pub use replay::{GuideStep, ReplayError, Wanted, replay, replay_guided};
pub use thread::ThreadId;
pub use trace::{ConfirmedTrace, Event, Target, TraceStep, Value};
