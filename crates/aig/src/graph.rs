//! And-inverter graphs: every function as conjunctions of two, with complements on the edges.
//!
//! Idea: nodes lie in one vector, operands before users. A conjunction is made only if no rule makes
//! something smaller of it and no node has the same operands (structural hashing).
//! Source: the rules that look at the operands of operands are those of Brummayer and Biere, Local
//! Two-Level And-Inverter Graph Minimization without Blowup (MEMICS 2006), up to their level 3; the
//! rules that could add nodes are left out.
//! Invariants (`check_invariants`): operands have smaller numbers than the node, in order; no
//! operand is constant, no two are equal or complementary; no two nodes are alike.

use std::fmt;
use std::ops::Not;

use rustc_hash::FxHashMap;

use crate::gates::Gates;

/// A node or its complement; a number as in AIGER files: twice the node, plus one for a complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u32);

impl Edge {
    /// Never true.
    pub const FALSE: Edge = Edge(0);
    /// Always true.
    pub const TRUE: Edge = Edge(1);

    /// The edge to a node.
    pub fn to(node: usize) -> Edge {
        Edge(u32::try_from(2 * node).expect("fewer than 2^31 nodes"))
    }

    /// The node.
    pub fn node(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether the edge complements.
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The edge, complemented where that is wanted.
    #[must_use]
    pub fn complement_if(self, complement: bool) -> Edge {
        Edge(self.0 ^ u32::from(complement))
    }

    /// The number in AIGER files, if nodes are numbered as here.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_complement() { "!" } else { "" };
        write!(f, "{sign}n{}", self.node())
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// False; the first node.
    False,
    /// Anything: an input or a latch of whoever made it.
    Free,
    /// Both.
    And(Edge, Edge),
}

/// What a node computes, looking at its operands as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// False.
    False,
    /// Anything.
    Free,
    /// Both.
    And(Edge, Edge),
    /// Exactly one of two.
    Xor(Edge, Edge),
    /// The complement of: the second if the first, else the third.
    NotIte(Edge, Edge, Edge),
}

/// An and-inverter graph.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<(Edge, Edge), u32>,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { nodes: vec![Node::False], known: FxHashMap::default() }
    }
}

impl Graph {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// A node.
    pub fn node(&self, index: usize) -> Node {
        self.nodes[index]
    }

    /// What a node computes. An exclusive or and a choice are three conjunctions.
    pub fn shape(&self, index: usize) -> Shape {
        let (a, b) = match self.nodes[index] {
            Node::False => return Shape::False,
            Node::Free => return Shape::Free,
            Node::And(a, b) => (a, b),
        };
        let (Some((p, q)), Some((r, s))) = (self.negated_and(a), self.negated_and(b)) else {
            return Shape::And(a, b);
        };
        // !(p & q) & !(r & s) with p = !r: the complement of `q` if `p`, else `s`.
        for (p, q, r, s) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
            if p == !r {
                return if q == !s { Shape::Xor(p, q) } else { Shape::NotIte(p, q, s) };
            }
        }
        Shape::And(a, b)
    }

    /// The operands, if the edge is to a conjunction without complement.
    fn and_operands(&self, a: Edge) -> Option<(Edge, Edge)> {
        match self.nodes[a.node()] {
            Node::And(x, y) if !a.is_complement() => Some((x, y)),
            Node::And(..) | Node::False | Node::Free => None,
        }
    }

    /// The operands of the conjunction that the edge complements.
    fn negated_and(&self, a: Edge) -> Option<(Edge, Edge)> {
        self.and_operands(!a).filter(|_| a.is_complement())
    }

    /// A smaller function that equals `a & b`: another pair, or the second alone.
    fn rewritten(&self, a: Edge, b: Edge) -> Option<(Edge, Edge)> {
        if let Some((x, y)) = self.and_operands(a) {
            if b == !x || b == !y {
                return Some((Edge::FALSE, Edge::FALSE));
            }
            if b == x || b == y {
                return Some((a, a));
            }
            if let Some((z, w)) = self.and_operands(b) {
                if [x, y].into_iter().any(|e| e == !z || e == !w) {
                    return Some((Edge::FALSE, Edge::FALSE));
                }
                for (common, other) in [(z, w), (w, z)] {
                    if x == common || y == common {
                        return Some((a, other));
                    }
                }
            }
            if let Some((z, w)) = self.negated_and(b) {
                if [x, y].into_iter().any(|e| e == !z || e == !w) {
                    return Some((a, a));
                }
                for (common, other) in [(z, w), (w, z)] {
                    if x == common || y == common {
                        return Some((a, !other));
                    }
                }
            }
        }
        if let Some((x, y)) = self.negated_and(a) {
            if b == !x || b == !y {
                return Some((b, b));
            }
            for (common, other) in [(x, y), (y, x)] {
                if b == common {
                    return Some((b, !other));
                }
            }
            if let Some((z, w)) = self.negated_and(b) {
                for (p, q) in [(x, y), (y, x)] {
                    if p == z && q == !w || p == w && q == !z {
                        return Some((!p, !p));
                    }
                }
            }
        }
        None
    }

    /// The values of all nodes, given those of free ones.
    pub fn evaluate(&self, mut free: impl FnMut(usize) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let value = |e: Edge| values[e.node()] != e.is_complement();
            values.push(match *node {
                Node::False => false,
                Node::Free => free(i),
                Node::And(a, b) => value(a) && value(b),
            });
        }
        values
    }

    /// By node: whether one of the edges depends on it.
    pub fn cone(&self, roots: impl IntoIterator<Item = Edge>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        roots.into_iter().for_each(|e| needed[e.node()] = true);
        for i in (0..self.nodes.len()).rev() {
            if let (Node::And(a, b), true) = (self.nodes[i], needed[i]) {
                needed[a.node()] = true;
                needed[b.node()] = true;
            }
        }
        needed
    }

    /// Panics if the graph is none.
    pub fn check_invariants(&self) {
        assert_eq!(self.nodes[0], Node::False, "the first node is the constant");
        let mut conjunctions = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            if let Node::And(a, b) = *node {
                assert!(a < b && b.node() < i, "operands come before, in order");
                assert!(a.node() != 0 && a.node() != b.node(), "operands are independent");
                assert_eq!(self.known.get(&(a, b)), Some(&(i as u32)), "no two nodes are alike");
                conjunctions += 1;
            }
        }
        assert_eq!(conjunctions, self.known.len(), "what is known is there");
    }
}

impl Gates for Graph {
    type Lit = Edge;

    fn tru(&self) -> Edge {
        Edge::TRUE
    }

    fn as_constant(&self, a: Edge) -> Option<bool> {
        (a.node() == 0).then_some(a == Edge::TRUE)
    }

    fn free(&mut self) -> Edge {
        self.nodes.push(Node::Free);
        Edge::to(self.nodes.len() - 1)
    }

    fn and(&mut self, a: Edge, b: Edge) -> Edge {
        let (mut a, mut b) = (a, b);
        // Each rule leads to fewer or lower nodes, so this ends.
        loop {
            if a == Edge::FALSE || b == Edge::FALSE || a == !b {
                return Edge::FALSE;
            }
            if a == Edge::TRUE || a == b {
                return b;
            }
            if b == Edge::TRUE {
                return a;
            }
            match self.rewritten(a, b).or_else(|| self.rewritten(b, a)) {
                Some(pair) => (a, b) = pair,
                None => break,
            }
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(&node) = self.known.get(&key) {
            return Edge::to(node as usize);
        }
        let node = self.nodes.len();
        self.nodes.push(Node::And(key.0, key.1));
        self.known.insert(key, node as u32);
        Edge::to(node)
    }

    fn and_many(&mut self, inputs: &[Edge]) -> Edge {
        // A balanced tree over sorted operands: shallow, and alike for alike sets.
        let mut level = inputs.to_vec();
        level.sort_unstable();
        level.dedup();
        while level.len() > 1 {
            let next: Vec<Edge> = level
                .chunks(2)
                .map(|pair| pair[1..].iter().fold(pair[0], |a, &b| self.and(a, b)))
                .collect();
            level = next;
        }
        level.first().copied().unwrap_or(Edge::TRUE)
    }

    fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither)
    }

    fn ite(&mut self, c: Edge, a: Edge, b: Edge) -> Edge {
        if a == b {
            return a;
        }
        let then = self.and(c, a);
        let other = self.and(!c, b);
        self.or(then, other)
    }

    fn xor3(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        let two = self.xor(a, b);
        self.xor(two, c)
    }

    fn majority(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        let (any, both) = (self.or(a, b), self.and(a, b));
        let carried = self.and(c, any);
        self.or(both, carried)
    }
}

#[cfg(test)]
mod tests {
    use raddle_testkit::Random;

    use super::*;

    /// All gates over three variables, nested at random: the graph computes what truth tables say.
    #[test]
    fn gates_compute_what_they_say() {
        let mut random = Random::new(7);
        for _round in 0..2000 {
            let mut graph = Graph::default();
            let mut pool: Vec<(Edge, u8)> =
                vec![(graph.free(), 0xf0), (graph.free(), 0xcc), (graph.free(), 0xaa)];
            pool.push((Edge::TRUE, 0xff));
            for _gate in 0..12 {
                let mut pick = || {
                    let (e, v) = pool[random.index(pool.len())];
                    if random.below(2) == 0 { (!e, !v) } else { (e, v) }
                };
                let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
                let new = match random.below(5) {
                    0 => (graph.and(a, b), x & y),
                    1 => (graph.xor(a, b), x ^ y),
                    2 => (graph.ite(a, b, c), x & y | !x & z),
                    3 => (graph.xor3(a, b, c), x ^ y ^ z),
                    _ => (graph.majority(a, b, c), x & y | x & z | y & z),
                };
                pool.push(new);
            }
            graph.check_invariants();
            for row in 0..8u8 {
                let values = graph.evaluate(|i| [0xf0u8, 0xcc, 0xaa][i - 1] >> row & 1 == 1);
                let value = |e: Edge| values[e.node()] != e.is_complement();
                for &(e, table) in &pool {
                    assert_eq!(value(e), table >> row & 1 == 1, "{e:?} in {graph:?}");
                }
                for (i, &expected) in values.iter().enumerate() {
                    let shape = match graph.shape(i) {
                        Shape::False => false,
                        Shape::Free => expected,
                        Shape::And(a, b) => value(a) && value(b),
                        Shape::Xor(a, b) => value(a) != value(b),
                        Shape::NotIte(c, a, b) => !(if value(c) { value(a) } else { value(b) }),
                    };
                    assert_eq!(shape, expected, "the shape of node {i} in {graph:?}");
                }
            }
        }
    }
}
