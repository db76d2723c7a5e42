//! The pool: equal terms are one term.
//!
//! Idea: nodes live in one vector, in the order of creation; a hash table of ids finds the node
//! that is already there. The table is open addressing with linear probing; a slot holds an id and
//! the hash of its node, so that other nodes on the way are passed without a look at them, and
//! growing reads the table only.
//! Invariants: (1) arguments of node i are smaller than i; (2) no two nodes are equal, except
//!   variables, which are all distinct by their number; (3) `TermId(0)` is false and `TermId(1)` is
//!   true. `check_invariants` tests them.
//! Elsewhere: constructors in `build.rs`, simplification in `rules/`.

use rustc_hash::FxHashMap;

use crate::node::{MAX_WIDTH, Node, Op, TermId, VarId};
use crate::semantics::mask;

/// A free slot of the table.
const FREE: u64 = u64::MAX;

/// The pool of terms. See the crate's documentation for the constructors.
pub struct Terms {
    pub(crate) nodes: Vec<Node>,
    /// Values of the constants, by the index in their node.
    values: Vec<u128>,
    /// The term of each variable.
    variables: Vec<TermId>,
    constants: FxHashMap<(u128, u8), TermId>,
    /// Hash (upper half) and id (lower half) of nodes that are neither constants nor variables; a
    /// power of two long, at most half full.
    table: Vec<u64>,
    used: usize,
    pub(crate) rewriting: bool,
    /// How many rules are active in each other; bounded, so that rules may call constructors.
    pub(crate) depth: u32,
    /// How many constructor calls of the outermost rule may still apply rules.
    pub(crate) fuel: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An empty pool that simplifies terms as they are built.
    pub fn new() -> Self {
        Self::with_rewriting(true)
    }

    /// An empty pool that shares equal terms, but simplifies nothing, not even constants. For tests
    /// of the rules.
    pub fn raw() -> Self {
        Self::with_rewriting(false)
    }

    fn with_rewriting(rewriting: bool) -> Self {
        let mut terms = Terms {
            nodes: Vec::new(),
            values: Vec::new(),
            variables: Vec::new(),
            constants: FxHashMap::default(),
            table: vec![FREE; 1 << 10],
            used: 0,
            rewriting,
            depth: 0,
            fuel: 0,
        };
        terms.constant(0, 1);
        terms.constant(1, 1);
        terms
    }

    /// The Boolean 1.
    pub fn tru(&self) -> TermId {
        TermId(1)
    }

    /// The Boolean 0.
    pub fn fals(&self) -> TermId {
        TermId(0)
    }

    /// The Boolean with this value.
    pub fn bool(&self, value: bool) -> TermId {
        TermId(u32::from(value))
    }

    /// The constant `value` modulo 2^width.
    pub fn constant(&mut self, value: u128, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} is outside 1..=128");
        let value = value & mask(width);
        let key = (value, width as u8);
        if let Some(&known) = self.constants.get(&key) {
            return known;
        }
        let index = TermId(self.values.len() as u32);
        self.values.push(value);
        let id = self.push(Node {
            op: Op::Const,
            width: width as u8,
            low: 0,
            args: [index, TermId(0), TermId(0)],
        });
        self.constants.insert(key, id);
        id
    }

    /// A new variable, different from all others.
    pub fn fresh(&mut self, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} is outside 1..=128");
        let number = TermId(self.variables.len() as u32);
        let id = self.push(Node {
            op: Op::Var,
            width: width as u8,
            low: 0,
            args: [number, TermId(0), TermId(0)],
        });
        self.variables.push(id);
        id
    }

    /// The stored node.
    pub fn node(&self, t: TermId) -> &Node {
        &self.nodes[t.index()]
    }

    /// The operation of a term.
    pub fn op(&self, t: TermId) -> Op {
        self.node(t).op
    }

    /// The arguments of a term.
    pub fn args(&self, t: TermId) -> &[TermId] {
        self.node(t).args()
    }

    /// The width of a term in bits.
    pub fn width(&self, t: TermId) -> u32 {
        self.node(t).width()
    }

    /// The value, if the term is a constant.
    pub fn as_const(&self, t: TermId) -> Option<u128> {
        let node = self.node(t);
        (node.op == Op::Const).then(|| self.values[node.args[0].index()])
    }

    /// Whether the term is the Boolean 1.
    pub fn is_true(&self, t: TermId) -> bool {
        t == self.tru()
    }

    /// Whether the term is the Boolean 0.
    pub fn is_false(&self, t: TermId) -> bool {
        t == self.fals()
    }

    /// The variable, if the term is one.
    pub fn as_var(&self, t: TermId) -> Option<VarId> {
        let node = self.node(t);
        (node.op == Op::Var).then_some(VarId(node.args[0].0))
    }

    /// The term of a variable.
    pub fn variable(&self, v: VarId) -> TermId {
        self.variables[v.index()]
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The terms from the given position on, in the order of creation.
    pub fn ids_from(&self, first: usize) -> impl Iterator<Item = TermId> + use<> {
        (first as u32..self.nodes.len() as u32).map(TermId)
    }

    /// Never: false and true are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The arguments, if the term is `op`.
    pub(crate) fn as_unary(&self, t: TermId, op: Op) -> Option<TermId> {
        let node = self.node(t);
        (node.op == op).then_some(node.args[0])
    }

    /// The arguments, if the term is `op`.
    pub(crate) fn as_binary(&self, t: TermId, op: Op) -> Option<(TermId, TermId)> {
        let node = self.node(t);
        (node.op == op).then_some((node.args[0], node.args[1]))
    }

    /// Condition and branches, if the term is an `Ite`.
    pub fn as_ite(&self, t: TermId) -> Option<(TermId, TermId, TermId)> {
        let node = self.node(t);
        (node.op == Op::Ite).then_some((node.args[0], node.args[1], node.args[2]))
    }

    /// `(x, k)`, if the term is `op(x, k)` with a constant; constants come second in commutative
    /// operations.
    pub(crate) fn as_with_constant(&self, t: TermId, op: Op) -> Option<(TermId, u128)> {
        let (x, k) = self.as_binary(t, op)?;
        Some((x, self.as_const(k)?))
    }

    /// The node's id, new or known.
    pub(crate) fn intern(&mut self, node: Node) -> TermId {
        let hash = hash(&node);
        let last = self.table.len() - 1;
        let mut slot = hash as usize & last;
        while self.table[slot] != FREE {
            let (known_hash, known) = ((self.table[slot] >> 32) as u32, self.table[slot] as u32);
            if known_hash == hash && self.nodes[known as usize] == node {
                return TermId(known);
            }
            slot = (slot + 1) & last;
        }
        let id = self.push(node);
        self.table[slot] = u64::from(hash) << 32 | u64::from(id.0);
        self.used += 1;
        if self.used * 2 > self.table.len() {
            self.grow();
        }
        id
    }

    fn push(&mut self, node: Node) -> TermId {
        debug_assert!(
            matches!(node.op, Op::Const | Op::Var)
                || node.args().iter().all(|a| a.index() < self.nodes.len()),
            "arguments come from this pool"
        );
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| id != u32::MAX);
        self.nodes.push(node);
        TermId(id.expect("memory ends before 2^32 - 1 terms of 16 bytes and their clauses"))
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        let old = std::mem::replace(&mut self.table, vec![FREE; length]);
        for entry in old.into_iter().filter(|&entry| entry != FREE) {
            let mut slot = (entry >> 32) as usize & (length - 1);
            while self.table[slot] != FREE {
                slot = (slot + 1) & (length - 1);
            }
            self.table[slot] = entry;
        }
    }

    /// Panics if an invariant of the pool is broken. Linear in the size of the pool.
    pub fn check_invariants(&self) {
        let mut seen = FxHashMap::default();
        for (id, node) in self.nodes.iter().enumerate() {
            assert!((1..=MAX_WIDTH).contains(&node.width()));
            assert!(node.args().iter().all(|a| a.index() < id), "arguments are older");
            let key = (node.op, node.width, node.low, node.args);
            if node.op != Op::Const {
                assert_eq!(seen.insert(key, id), None, "two equal nodes");
            }
        }
        assert_eq!(self.as_const(self.fals()), Some(0));
        assert_eq!(self.as_const(self.tru()), Some(1));
    }
}

/// Both halves of a 128-bit product of the node's 16 bytes.
fn hash(node: &Node) -> u32 {
    const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
    const SECOND: u64 = 0xd6e8_feb8_6659_fd93;
    let [a, b, c] = node.args.map(|arg| u64::from(arg.0));
    let head = u64::from(node.op as u8) | u64::from(node.width) << 8 | u64::from(node.low) << 16;
    let product = u128::from((a << 32 | b) ^ FIRST) * u128::from((c << 32 | head) ^ SECOND);
    ((product >> 64) as u64 ^ product as u64) as u32
}
