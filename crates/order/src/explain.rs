//! Reasons: from edges back to the literals that force them.
//!
//! Idea: an edge holds because of its literals and its premises, which are older edges; so walking
//! back ends. A visited mark per edge keeps the walk linear in the edges met. Edges of the skeleton
//! need no literal.
//! Invariants: the literals returned are true, and together with the skeleton they force the edges.
//! Limits: reasons are small because paths prefer old edges, not because they are minimal.

use raddle_sat::Lit;

use crate::graph::{Cause, EdgeId, Graph, Tentative};

/// What contradicts itself: true literals and, during repair, tentative decisions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Clash {
    /// Sorted, without repetition.
    pub lits: Vec<Lit>,
    /// Sorted, without repetition.
    pub tentative: Vec<Tentative>,
}

impl Clash {
    fn add(&mut self, cause: Cause) {
        match cause {
            Cause::Fixed => {}
            Cause::Literal(lit) => self.lits.push(lit),
            Cause::Pair(first, second) => self.lits.extend([first, second]),
            Cause::Try(tentative) => self.tentative.push(tentative),
        }
    }

    fn normalise(&mut self) {
        self.lits.sort_unstable();
        self.lits.dedup();
        self.tentative.sort_unstable();
        self.tentative.dedup();
    }

    /// What remains contradictory when both sides of `decision` are: resolution on the decision.
    pub fn resolve(mut self, other: Clash, decision: Tentative) -> Clash {
        self.lits.extend(other.lits);
        self.tentative.extend(other.tentative);
        self.tentative.retain(|&tentative| tentative != decision);
        self.normalise();
        self
    }
}

/// Marks of edges already explained; reused between calls.
#[derive(Default, Debug)]
pub(crate) struct Explainer {
    /// By edge: the number of the call that visited it last.
    visited: Vec<u32>,
    call: u32,
    stack: Vec<EdgeId>,
}

impl Explainer {
    /// The reason for `causes` together with all of `edges`.
    pub fn explain(&mut self, graph: &Graph, causes: &[Cause], edges: &[EdgeId]) -> Clash {
        self.visited.resize(graph.edges().len().max(self.visited.len()), 0);
        if self.call == u32::MAX {
            self.visited.fill(0);
            self.call = 0;
        }
        self.call += 1;
        let mut clash = Clash::default();
        for &cause in causes {
            clash.add(cause);
        }
        self.stack.extend_from_slice(edges);
        while let Some(id) = self.stack.pop() {
            let visited = &mut self.visited[id.0 as usize];
            if *visited == self.call {
                continue;
            }
            *visited = self.call;
            clash.add(graph.edge(id).cause);
            self.stack.extend_from_slice(graph.premises(id));
        }
        clash.normalise();
        clash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_sat::Var;

    #[test]
    fn resolution_keeps_both_reasons_but_the_decision() {
        let lit = |index| Var::from_index(index).lit();
        let first =
            Clash { lits: vec![lit(0), lit(1)], tentative: vec![Tentative(0), Tentative(2)] };
        let second =
            Clash { lits: vec![lit(1), lit(2)], tentative: vec![Tentative(1), Tentative(2)] };
        let expected = Clash {
            lits: vec![lit(0), lit(1), lit(2)],
            tentative: vec![Tentative(0), Tentative(1)],
        };
        assert_eq!(first.resolve(second, Tentative(2)), expected);
    }
}
