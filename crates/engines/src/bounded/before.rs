//! What happens before what in every execution: program order, creation, and joins that are
//! certain.
//!
//! Idea: threads are chains, so a vector clock per unit answers "is a before b" in constant time.
//! Only units where an edge comes in from another thread change the clock; the others share that of
//! the last such unit.

use raddle_summary::{MarkKind, Skeleton, ThreadIx};
use raddle_term::Terms;
use rustc_hash::FxHashMap;

use super::implication::Implication;

/// A unit: thread and index.
pub type Unit = (ThreadIx, u32);

/// The fixed part of the order.
pub struct Before {
    /// For each thread the units with incoming edges, in order, and the clock from there on: for
    /// each thread the number of its units that are certainly before.
    clocks: Vec<Vec<(u32, Vec<u32>)>>,
    /// The edges between threads that hold in every execution.
    pub fixed: Vec<(Unit, Unit)>,
    /// Joins that are not certain for all that follows: marks by index.
    pub conditional_joins: Vec<usize>,
}

impl Before {
    /// Analyses a skeleton.
    pub fn new(skeleton: &Skeleton, terms: &Terms, implication: &mut Implication) -> Before {
        let mut fixed = Vec::new();
        let mut conditional_joins = Vec::new();
        for (i, mark) in skeleton.marks.iter().enumerate() {
            let here = (mark.thread, mark.unit);
            match mark.kind {
                MarkKind::Create(child) => fixed.push((here, (child, 0))),
                MarkKind::Join(child) => {
                    let end = (child, skeleton.threads[child.index()].units - 1);
                    if join_is_certain(skeleton, terms, implication, i) {
                        fixed.push((end, here));
                    } else {
                        conditional_joins.push(i);
                    }
                }
                MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => {}
            }
        }
        let clocks = clocks(skeleton, &fixed);
        let before = Before { clocks, fixed, conditional_joins };
        before.check_invariants(skeleton);
        before
    }

    /// Fixed edges are in the order, and the order has no cycle.
    fn check_invariants(&self, skeleton: &Skeleton) {
        for &(from, to) in &self.fixed {
            for (thread, unit) in [from, to] {
                let units = skeleton.threads[thread.index()].units;
                debug_assert!(unit < units, "an edge joins units of threads");
            }
            debug_assert!(self.is_before(from, to), "a fixed edge is in the order");
            debug_assert!(!self.is_before(to, from), "what always holds has no cycle");
            debug_assert_ne!(from.0, to.0, "program order needs no edges");
        }
        for &join in &self.conditional_joins {
            let mark = &skeleton.marks[join];
            debug_assert!(matches!(mark.kind, MarkKind::Join(t) if t != mark.thread), "of another");
        }
        for row in &self.clocks {
            debug_assert!(row.is_sorted_by_key(|r| r.0), "clocks are found by bisection");
            let grows = row.windows(2).all(|w| w[0].1.iter().zip(&w[1].1).all(|(a, b)| a <= b));
            debug_assert!(grows, "what was before a unit is before the next one");
        }
    }

    /// Whether `a` comes before `b` in every execution (different units).
    pub fn is_before(&self, a: Unit, b: Unit) -> bool {
        if a.0 == b.0 {
            return a.1 < b.1;
        }
        let row = &self.clocks[b.0.index()];
        let at = row.partition_point(|(unit, _)| *unit <= b.1);
        at > 0 && a.1 < row[at - 1].1[a.0.index()]
    }
}

/// A join orders everything after it only if nothing after it can occur without the join.
fn join_is_certain(
    skeleton: &Skeleton,
    terms: &Terms,
    implication: &mut Implication,
    mark: usize,
) -> bool {
    let join = &skeleton.marks[mark];
    let (thread, unit, guard) = (join.thread, join.unit, join.guard);
    let mut later = skeleton
        .events
        .iter()
        .map(|e| (e.thread, e.unit, e.guard))
        .chain(skeleton.marks.iter().map(|m| (m.thread, m.unit, m.guard)))
        .chain(skeleton.violations.iter().map(|v| (v.thread, v.unit, v.condition)))
        .chain(skeleton.cuts.iter().map(|c| (c.thread, c.unit, c.condition)))
        .chain(skeleton.joins.iter().map(|j| (j.thread, j.unit, j.guard)))
        .chain(skeleton.waits.iter().map(|w| (w.thread, w.unit, w.guard)))
        .filter(|(t, u, _)| *t == thread && *u > unit);
    later.all(|(_, _, g)| implication.holds(terms, g, guard))
}

fn clocks(skeleton: &Skeleton, fixed: &[(Unit, Unit)]) -> Vec<Vec<(u32, Vec<u32>)>> {
    let n = skeleton.threads.len();
    let mut incoming: Vec<FxHashMap<u32, Vec<Unit>>> = vec![FxHashMap::default(); n];
    for &(from, to) in fixed {
        incoming[to.0.index()].entry(to.1).or_default().push(from);
    }
    let mut clocks: Vec<Vec<(u32, Vec<u32>)>> = incoming
        .iter()
        .map(|edges| {
            let mut units: Vec<u32> = edges.keys().copied().collect();
            units.sort_unstable();
            units.into_iter().map(|u| (u, vec![0; n])).collect()
        })
        .collect();
    // A few rounds reach the fixed point: information flows along creation and join only.
    let mut changed = true;
    while changed {
        changed = false;
        for t in 0..n {
            let mut clock = vec![0; n];
            for i in 0..clocks[t].len() {
                let unit = clocks[t][i].0;
                for &(from_thread, from_unit) in &incoming[t][&unit] {
                    let row = &clocks[from_thread.index()];
                    let at = row.partition_point(|(u, _)| *u <= from_unit);
                    if at > 0 {
                        for (c, k) in clock.iter_mut().zip(&row[at - 1].1) {
                            *c = (*c).max(*k);
                        }
                    }
                    let own = &mut clock[from_thread.index()];
                    *own = (*own).max(from_unit + 1);
                }
                if clocks[t][i].1 != clock {
                    clocks[t][i].1.clone_from(&clock);
                    changed = true;
                }
            }
        }
    }
    clocks
}
