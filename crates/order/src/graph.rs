//! The order graph: edges between units, their reasons, and the clocks they imply.
//!
//! Idea: the clocks are kept transitively closed, so a new edge a → b needs no search. Every
//! thread's part that reaches a (a clock of a) now reaches every thread's part that follows b (an
//! inverse lookup); for all pairs of threads where this is news, one row is raised.
//! Each edge remembers what it was derived from: literals, or a tentative decision, and a path of
//! older edges. So reasons never run in circles, and removing edges in stack order is sound.
//! Invariants: (1) the graph is acyclic; (2) an edge's premises are older than it; (3) rows equal
//!   reachability over program order and live edges (`check_invariants`, on small graphs).

use raddle_sat::Lit;

use crate::clock::{Change, ClockMark, Clocks};
use crate::skeleton::{Place, Skeleton};

/// A live edge; numbers grow with age on the trail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct EdgeId(pub u32);

/// A tentative decision of the repair search, by its depth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Tentative(pub u32);

/// Why an edge holds, apart from its premises.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// It is part of the skeleton.
    Fixed,
    /// One literal is true.
    Literal(Lit),
    /// Two literals are true: a read's source, and another write that hits.
    Pair(Lit, Lit),
    /// The repair search tries it.
    Try(Tentative),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub from: Place,
    pub to: Place,
    pub cause: Cause,
    /// Where its premises start in `Graph::premises`; they end where those of the next edge start.
    premises: u32,
}

/// A state to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GraphMark {
    clocks: ClockMark,
    edges: usize,
}

#[derive(Default, Debug)]
pub(crate) struct Graph {
    pub clocks: Clocks,
    edges: Vec<Edge>,
    /// The premises of all edges, in order.
    premises: Vec<EdgeId>,
    /// Scratch: threads whose part before the new edge is news after it, with the part's length.
    news: Vec<(u32, u32)>,
}

impl Graph {
    pub fn new(skeleton: &Skeleton) -> Graph {
        let lengths =
            (0..skeleton.threads() as u32).map(|thread| skeleton.length(thread)).collect();
        Graph { clocks: Clocks::new(lengths), ..Graph::default() }
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn premises(&self, id: EdgeId) -> &[EdgeId] {
        let start = self.edges[id.0 as usize].premises as usize;
        let next = self.edges.get(id.0 as usize + 1);
        let end = next.map_or(self.premises.len(), |edge| edge.premises as usize);
        &self.premises[start..end]
    }

    /// Adds an edge between threads that neither holds already nor closes a cycle, and reports what
    /// it changed. `premises` are live edges.
    pub fn insert(
        &mut self,
        from: Place,
        to: Place,
        cause: Cause,
        premises: &[EdgeId],
        changes: &mut impl Extend<Change>,
    ) {
        debug_assert_ne!(from.thread, to.thread, "program order is not an edge");
        debug_assert!(!self.clocks.before(from, to), "the edge is news");
        debug_assert!(!self.clocks.before(to, from), "the edge closes no cycle");
        let id = EdgeId(u32::try_from(self.edges.len()).expect("fewer than 2^32 edges"));
        self.edges.push(Edge { from, to, cause, premises: self.premises.len() as u32 });
        self.premises.extend_from_slice(premises);

        let mut news = std::mem::take(&mut self.news);
        news.clear();
        for source in 0..self.clocks.threads() {
            let own = u32::from(source == from.thread);
            let reach = self.clocks.reach(from, source) + own;
            if reach > self.clocks.reach(to, source) {
                news.push((source, reach));
            }
        }
        for target in 0..self.clocks.threads() {
            let own = u32::from(target == to.thread);
            let at = self.clocks.first_after(to, target) - own;
            if at >= self.clocks.length(target) {
                continue;
            }
            for &(source, reach) in &news {
                if source != target {
                    changes.extend(self.clocks.raise(target, source, at, reach, id));
                }
            }
        }
        self.news = news;
    }

    pub fn mark(&self) -> GraphMark {
        GraphMark { clocks: self.clocks.mark(), edges: self.edges.len() }
    }

    pub fn undo_to(&mut self, mark: GraphMark) {
        self.clocks.undo_to(mark.clocks);
        if let Some(first) = self.edges.get(mark.edges) {
            self.premises.truncate(first.premises as usize);
            self.edges.truncate(mark.edges);
        }
    }

    /// Appends the live edges of a path from `from` to `to`, which must hold; old edges are
    /// preferred, since they tend to be justified on lower levels.
    pub fn path(&self, from: Place, to: Place, edges: &mut Vec<EdgeId>) {
        if from.thread == to.thread {
            debug_assert!(from.index <= to.index, "program order holds");
            return;
        }
        let row = self.clocks.row(to.thread, from.thread);
        let first = row.partition_point(|step| step.reach <= from.index);
        let oldest =
            row[first..].iter().take_while(|step| step.at <= to.index).map(|step| step.edge).min();
        let id = oldest.expect("the order to explain holds");
        let edge = self.edges[id.0 as usize];
        self.path(from, edge.from, edges);
        edges.push(id);
        self.path(edge.to, to, edges);
    }

    /// Checks all invariants; (3) by a search from every unit, hence only on small graphs.
    pub fn check_invariants(&self) {
        self.clocks.check_invariants();
        for number in 0..self.edges.len() {
            let id = EdgeId(number as u32);
            assert!(self.premises(id).iter().all(|&premise| premise < id), "premises are older");
            let edge = self.edge(id);
            assert!(self.clocks.before(edge.from, edge.to), "a live edge holds");
        }
        let threads = self.clocks.threads();
        let places = (0..threads).flat_map(|thread| {
            (0..self.clocks.length(thread)).map(move |index| Place { thread, index })
        });
        for place in places {
            let firsts = self.search(place);
            for target in (0..threads).filter(|&target| target != place.thread) {
                assert_eq!(self.clocks.first_after(place, target), firsts[target as usize]);
            }
            assert!(firsts[place.thread as usize] > place.index, "acyclic");
        }
    }

    /// The first unit of each thread that `start` strictly precedes, by search over the edges.
    fn search(&self, start: Place) -> Vec<u32> {
        let mut firsts: Vec<u32> =
            (0..self.clocks.threads()).map(|thread| self.clocks.length(thread)).collect();
        firsts[start.thread as usize] = start.index + 1;
        let mut changed = true;
        while changed {
            changed = false;
            for edge in &self.edges {
                let reached =
                    edge.from == start || edge.from.index >= firsts[edge.from.thread as usize];
                let first = &mut firsts[edge.to.thread as usize];
                if reached && edge.to.index < *first {
                    *first = edge.to.index;
                    changed = true;
                }
            }
        }
        firsts
    }
}
