//! Static analyses of the program model. All are conservative: what they say holds in every
//! execution.
//!
//! Reading order: [`objects`] (names for memory), [`points_to`], [`constraints`] and [`inclusion`]
//! (where addresses lead), [`call_graph`], [`threads`] (which threads there are), [`sharing`] (what
//! more than one of them touches), [`locks`] (which mutexes are certainly held), [`effects`] (what
//! functions do besides computing), [`loops`] (iteration counts, pure loops), [`reach`] (where
//! violations can happen), [`mhp`] (what may happen in parallel), [`facts`] (all of them at once),
//! [`atomic`] (what runs inside atomic sections), [`joins`] (where threads have ended),
//! [`structure`] (why there are no races).
//!
//! **Invariant:** nothing here knows terms or solvers; no analysis changes the program.

mod addresses;
pub mod atomic;
pub mod call_graph;
pub mod constraints;
pub mod effects;
pub mod facts;
pub mod fold;
pub mod inclusion;
pub mod joins;
pub mod lock_names;
mod lock_state;
mod lock_writes;
pub mod locks;
pub mod loops;
mod matches;
pub mod mhp;
pub mod objects;
mod owned;
mod paths;
pub mod points_to;
pub mod reach;
pub mod sharing;
pub mod structure;
pub mod threads;
mod values;

pub use call_graph::{CallGraph, FuncSet};
pub use constraints::{Creation, Instance, InstanceId};
pub use effects::{Effects, FunctionEffects};
pub use facts::Facts;
pub use lock_state::Mutex;
pub use locks::Locks;
pub use loops::Loops;
pub use mhp::Mhp;
pub use objects::{Object, ObjectId, ObjectSet, Objects};
pub use points_to::PointsTo;
pub use reach::Reach;
pub use sharing::{Role, Sharing};
pub use structure::Structure;
pub use threads::{ClassId, Multiplicity, ThreadClass, Threads};
