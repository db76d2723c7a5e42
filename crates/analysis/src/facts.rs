//! All analyses of a program at once, in the order in which they build on each other.

use raddle_ir::Program;

use crate::call_graph::CallGraph;
use crate::effects::FunctionEffects;
use crate::locks::Locks;
use crate::loops::Loops;
use crate::mhp::Mhp;
use crate::points_to::PointsTo;
use crate::reach::Reach;
use crate::sharing::Sharing;
use crate::threads::Threads;

/// The results of all analyses.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Where addresses lead.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub graph: CallGraph,
    /// Which threads there are.
    pub threads: Threads,
    /// What more than one of them accesses.
    pub sharing: Sharing,
    /// What functions do besides computing.
    pub effects: FunctionEffects,
    /// Iteration counts and pure loops.
    pub loops: Loops,
    /// Where violations can happen.
    pub reach: Reach,
    /// Which mutexes are certainly held.
    pub locks: Locks,
}

impl Facts {
    /// Analyses a program.
    pub fn new(program: &Program) -> Facts {
        let points_to = PointsTo::new(program);
        let graph = CallGraph::new(program, &points_to);
        let threads = Threads::new(program, &points_to, &graph);
        let sharing = Sharing::new(program, &points_to, &threads);
        let effects = FunctionEffects::new(program, &points_to, &graph);
        let loops = Loops::new(program, &points_to, &graph, &effects);
        let reach = Reach::new(program, &graph);
        let locks = Locks::new(program, &points_to, &graph, &threads);
        Facts { points_to, graph, threads, sharing, effects, loops, reach, locks }
    }

    /// What may happen in parallel.
    pub fn mhp(&self) -> Mhp<'_> {
        Mhp::new(&self.threads, &self.locks)
    }
}
