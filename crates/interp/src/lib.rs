//! The concrete interpreter, replay and exhaustive exploration.
//!
//! Reading order: [`value`] (arithmetic), [`memory`], [`state`], [`step`] (one instruction),
//! [`oracle`] (what the program does not determine), `section` (atomic sections as one step),
//! `loops`, `leak`, `race`, `deadlock` (properties, straight from their definitions), [`finding`]
//! and [`trace`] (what comes out), [`choices`] and [`replay()`] (a run is a list of choices),
//! [`guided`] (from an encoder's order to choices), `on_the_way` (what else an execution shows),
//! [`endless`], [`difference`] and [`lasso`] (infinite executions),
//! `visible`, `transition`, `footprint`, `inputs`, `collect`, `dpor` (all executions), `walk` (some,
//! at random), `names`, `alike`, `key`, `store`, `future`, `discipline`, `transaction` and
//! `remember` (all states), [`explore()`].
//!
//! **Invariant:** uses nothing but the program model: it is the referee of all engines and shares
//! no code with them.

mod alike;
pub mod choices;
mod collect;
mod deadlock;
mod describe;
pub mod difference;
mod discipline;
mod dpor;
pub mod endless;
pub mod explore;
pub mod finding;
mod footprint;
mod future;
pub mod gauge;
pub mod guided;
mod inputs;
mod key;
pub mod lasso;
mod leak;
mod loops;
pub mod memory;
mod names;
mod narrate;
mod on_the_way;
pub mod oracle;
mod race;
mod record;
mod remember;
pub mod replay;
mod section;
pub mod state;
pub mod step;
mod store;
mod thread;
pub mod trace;
mod transaction;
mod transition;
pub mod value;
mod visible;
mod walk;

pub use choices::{Choices, InitialByte, Number};
pub use explore::{Cut, Exploration, InputValues, Settings, explore, walk};
pub use finding::{
    FaultKind, Finding, FindingKey, FindingKind, Held, Leaked, MemoryFault, Name, ObjectInfo,
    RaceAccess, Site, Wait, WaitFor,
};
pub use guided::{Goal, GuideStep, Wanted, replay_guided};
pub use lasso::{Endless, LassoStep, replay_lasso};
pub use on_the_way::races_on_the_way;
pub use oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin, OriginName, Zeros};
pub use replay::{ReplayError, replay};
pub use section::{Unit, run_unit};
pub use thread::ThreadId;
pub use trace::{Call, ConfirmedTrace, Event, Target, TraceStep, Value};
