//! Static analyses of the program model. All are conservative: what they say holds in every execution.
//!
//! Reading order: [`objects`] (names for memory), [`inclusion`] and [`points_to`] (where addresses
//! lead), [`call_graph`], [`threads`] (which threads there are), [`sharing`] (what more than one of them
//! touches), [`effects`] (what functions do besides computing), [`loops`] (iteration counts, pure loops),
//! [`reach`] (where violations can happen).
//!
//! **Invariant:** nothing here knows terms or solvers; no analysis changes the program.

pub mod call_graph;
pub mod effects;
mod fold;
pub mod inclusion;
pub mod loops;
pub mod objects;
pub mod points_to;
pub mod reach;
pub mod sharing;
pub mod threads;

pub use call_graph::{CallGraph, FuncSet};
pub use effects::{Effects, FunctionEffects};
pub use loops::Loops;
pub use objects::{Object, ObjectId, ObjectSet, Objects};
pub use points_to::PointsTo;
pub use reach::Reach;
pub use sharing::{Role, Sharing};
pub use threads::{ClassId, Multiplicity, ThreadClass, Threads};
