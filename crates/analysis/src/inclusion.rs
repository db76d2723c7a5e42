//! A solver of inclusion constraints between sets of memory locations, with fields.
//!
//! Idea: nodes carry sets of locations; constraints are base facts `l ∈ a`, copies `a ⊆ b`,
//! displacements `a + k ⊆ b`, loads `*a ⊆ b`, stores `a ⊆ *b`, and watches (the caller is told
//! about new members, for indirect calls). Waves: merge the cycles of the copy graph, push *new*
//! members along copies and displacements in topological order until nothing moves, then turn what
//! arrived at loads and stores into new copies.
//! Source: Andersen, PhD thesis 1994; waves after Pereira & Berlin, CGO 2009; fields by offset
//! after Pearce, Kelly & Hankin, TOPLAS 2007. We differ: a location is (object, byte offset or
//! *anywhere*), contents live in pointer-sized words, and an object with more than [`MAX_OFFSETS`]
//! offsets gets no new ones but *anywhere* instead, which also stops `p = p + 1` from running
//! forever. *Anywhere* covers every offset: a set with it takes in no more of that object.
//! Invariants: (1) sets and deltas are sorted, deltas are parts of sets; (2) a copy edge a→b means
//! set(a) ⊆ set(b) ∪ what is still in delta(a). [`Inclusion::is_solved`] checks a solution from
//! scratch; debug builds call it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::objects::ObjectId;

/// Most byte offsets that are told apart inside one object.
pub const MAX_OFFSETS: usize = 40;

/// A node: a variable or a piece of memory that holds addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

impl Node {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an address leads: an object and a byte offset, `None` for anywhere inside.
pub type Location = (ObjectId, Option<u64>);

/// How an address is displaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    /// By a constant number of bytes.
    By(i64),
    /// To anywhere in the same object.
    Anywhere,
}

/// The nodes of an object's contents.
#[derive(Clone, Default, Debug)]
struct Contents {
    /// Written at unknown offsets.
    anywhere: Option<Node>,
    /// Everything in the object: read at unknown offsets.
    all: Option<Node>,
    /// Written or read at known offsets: one node per word.
    words: FxHashMap<u64, Node>,
}

/// One node's state.
#[derive(Clone, Default, Debug)]
struct Data {
    set: Vec<u32>,
    /// Members that have not been pushed on yet.
    delta: Vec<u32>,
    copies: Vec<Node>,
    shifts: Vec<(Node, Shift)>,
    /// Destinations of loads through this node, with the bytes read.
    loads: Vec<(Node, u64)>,
    /// Sources of stores through this node, with the bytes written.
    stores: Vec<(Node, u64)>,
    watches: Vec<u32>,
}

/// The constraint system and its solution.
#[derive(Clone, Debug)]
pub struct Inclusion {
    parent: Vec<u32>,
    data: Vec<Data>,
    locations: Vec<Location>,
    location_ids: FxHashMap<Location, u32>,
    /// Per object: how many known offsets it has locations for.
    offsets: Vec<usize>,
    /// Per object: its size if constant.
    sizes: Vec<Option<u64>>,
    contents: Vec<Contents>,
    /// Per object: the location anywhere inside, if there is one yet.
    anywhere: Vec<Option<u32>>,
    edges: FxHashSet<(Node, Node)>,
    word: u64,
    /// What arrived at nodes with loads, stores or watches and is not yet dealt with.
    arrived: Vec<(Node, Vec<u32>)>,
    rank: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Inclusion {
    /// An empty system over objects of these sizes, with words of `word` bytes.
    pub fn new(sizes: Vec<Option<u64>>, word: u64) -> Inclusion {
        Inclusion {
            parent: Vec::new(),
            data: Vec::new(),
            locations: Vec::new(),
            location_ids: FxHashMap::default(),
            offsets: vec![0; sizes.len()],
            contents: vec![Contents::default(); sizes.len()],
            anywhere: vec![None; sizes.len()],
            sizes,
            edges: FxHashSet::default(),
            word,
            arrived: Vec::new(),
            rank: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Adds an object with the next number.
    pub fn object(&mut self, size: Option<u64>) {
        self.sizes.push(size);
        self.offsets.push(0);
        self.anywhere.push(None);
        self.contents.push(Contents::default());
    }

    /// A new node with an empty set.
    pub fn node(&mut self) -> Node {
        let id = u32::try_from(self.parent.len()).expect("fewer than 2^32 nodes");
        self.parent.push(id);
        self.data.push(Data::default());
        self.rank.push(0);
        Node(id)
    }

    /// `location ∈ node`.
    pub fn base(&mut self, node: Node, location: Location) {
        let (object, offset) = location;
        let id = self.location(object, offset.map(|o| o as i128));
        self.insert(node, &[id]);
    }

    /// `from ⊆ to`.
    pub fn copy(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.data[from.index()].copies.push(to);
        let set = std::mem::take(&mut self.data[from.index()].set);
        self.insert(to, &set);
        self.data[from.index()].set = set;
    }

    /// `from + shift ⊆ to`.
    pub fn shift(&mut self, from: Node, to: Node, shift: Shift) {
        if shift == Shift::By(0) {
            return self.copy(from, to);
        }
        let from = self.find(from);
        if self.data[from.index()].shifts.contains(&(to, shift)) {
            return;
        }
        self.data[from.index()].shifts.push((to, shift));
        let moved = self.shifted(&self.data[from.index()].set.clone(), shift);
        self.insert(to, &moved);
    }

    /// What the `bytes` at the addresses in `addr` hold flows to `to`.
    pub fn load(&mut self, addr: Node, to: Node, bytes: u64) {
        let addr = self.find(addr);
        self.data[addr.index()].loads.push((to, bytes));
        self.arrived.push((addr, self.data[addr.index()].set.clone()));
    }

    /// `value` flows to the `bytes` at the addresses in `addr`.
    pub fn store(&mut self, addr: Node, value: Node, bytes: u64) {
        let addr = self.find(addr);
        self.data[addr.index()].stores.push((value, bytes));
        self.arrived.push((addr, self.data[addr.index()].set.clone()));
    }

    /// [`Inclusion::solve`] reports the objects that the node may lead to under this name.
    pub fn watch(&mut self, node: Node, name: u32) {
        let node = self.find(node);
        self.data[node.index()].watches.push(name);
        self.arrived.push((node, self.data[node.index()].set.clone()));
    }

    /// Solves until a watched node has something new to tell: the names and objects, empty when the
    /// solution is complete. The caller adds constraints and calls again.
    pub fn solve(&mut self) -> Vec<(u32, ObjectId)> {
        let mut news = Vec::new();
        loop {
            self.merge_cycles();
            self.propagate();
            let arrived = std::mem::take(&mut self.arrived);
            if arrived.is_empty() {
                return news;
            }
            for (node, set) in arrived {
                self.expand(node, &set, &mut news);
            }
            if !news.is_empty() {
                return news;
            }
        }
    }

    /// Whether all constraints hold, checked one by one against the sets alone.
    pub fn is_solved(&mut self) -> bool {
        self.heap.is_empty()
            && self.arrived.is_empty()
            && (0..self.parent.len()).all(|i| {
                let node = Node(i as u32);
                self.find(node) != node || self.holds_at(node)
            })
    }

    fn holds_at(&mut self, node: Node) -> bool {
        let data = self.data[node.index()].clone();
        let copied = data.copies.iter().all(|&to| self.includes(to, &data.set));
        let shifted = data.shifts.iter().all(|&(to, shift)| {
            let moved = self.shifted(&data.set, shift);
            self.includes(to, &moved)
        });
        let mut through = data.set.iter().map(|&l| self.locations[l as usize]).collect::<Vec<_>>();
        through.dedup();
        copied
            && shifted
            && through.into_iter().all(|location| {
                let loaded = data.loads.iter().all(|&(to, bytes)| {
                    self.cells(location, bytes, true).into_iter().all(|cell| {
                        let held = self.data[self.find(cell).index()].set.clone();
                        self.includes(to, &held)
                    })
                });
                let stored = data.stores.iter().all(|&(from, bytes)| {
                    let value = self.data[self.find(from).index()].set.clone();
                    let cells = self.cells(location, bytes, false);
                    cells.into_iter().all(|cell| self.includes(cell, &value))
                });
                loaded && stored
            })
    }

    /// Whether a node has these members, or what covers them.
    fn includes(&self, node: Node, members: &[u32]) -> bool {
        let set = &self.data[self.find(node).index()].set;
        let has = |m: u32| set.binary_search(&m).is_ok();
        members.iter().all(|&m| {
            let (object, _) = self.locations[m as usize];
            has(m) || self.anywhere[object.index()].is_some_and(has)
        })
    }

    /// The locations in a node.
    pub fn locations(&self, node: Node) -> impl Iterator<Item = Location> + '_ {
        let data = &self.data[self.find(node).index()];
        data.set.iter().map(|&l| self.locations[l as usize])
    }

    /// The node of everything inside an object, if it holds or receives anything.
    pub fn everything(&self, object: ObjectId) -> Option<Node> {
        self.contents[object.index()].all
    }

    /// The nodes that a write (or, if `read`, a read) of some bytes at a location touches.
    pub fn cells(&mut self, location: Location, bytes: u64, read: bool) -> Vec<Node> {
        let (object, offset) = location;
        match offset {
            Some(offset) => {
                let last = offset.saturating_add(bytes.max(1) - 1) / self.word;
                (offset / self.word..=last).map(|w| self.word_node(object, w)).collect()
            }
            None if read => vec![self.ends(object).1],
            None => vec![self.ends(object).0],
        }
    }

    fn ends(&mut self, object: ObjectId) -> (Node, Node) {
        let contents = &self.contents[object.index()];
        if let (Some(anywhere), Some(all)) = (contents.anywhere, contents.all) {
            return (anywhere, all);
        }
        let (anywhere, all) = (self.node(), self.node());
        self.contents[object.index()].anywhere = Some(anywhere);
        self.contents[object.index()].all = Some(all);
        self.copy(anywhere, all);
        (anywhere, all)
    }

    fn word_node(&mut self, object: ObjectId, word: u64) -> Node {
        if let Some(&node) = self.contents[object.index()].words.get(&word) {
            return node;
        }
        let (anywhere, all) = self.ends(object);
        let node = self.node();
        self.contents[object.index()].words.insert(word, node);
        self.copy(anywhere, node);
        self.copy(node, all);
        node
    }

    fn find(&self, node: Node) -> Node {
        let mut at = node.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        Node(at)
    }

    /// The id of a location; offsets outside the object or too many of them become *anywhere*.
    fn location(&mut self, object: ObjectId, offset: Option<i128>) -> u32 {
        let limit = self.sizes[object.index()].unwrap_or(u64::MAX >> 1);
        let known = offset.and_then(|o| u64::try_from(o).ok()).filter(|&o| o <= limit);
        let known = if object == ObjectId::UNKNOWN { None } else { known };
        if let Some(&id) = self.location_ids.get(&(object, known)) {
            return id;
        }
        let known = known.filter(|_| self.offsets[object.index()] < MAX_OFFSETS);
        let next = u32::try_from(self.locations.len()).expect("fewer than 2^32 locations");
        let id = *self.location_ids.entry((object, known)).or_insert(next);
        if id == next {
            self.locations.push((object, known));
            if known.is_none() {
                self.anywhere[object.index()] = Some(id);
            }
            self.offsets[object.index()] += usize::from(known.is_some());
        }
        id
    }

    fn shifted(&mut self, set: &[u32], shift: Shift) -> Vec<u32> {
        let mut moved: Vec<u32> = set
            .iter()
            .map(|&l| {
                let (object, offset) = self.locations[l as usize];
                let offset = match (offset, shift) {
                    (Some(o), Shift::By(k)) => Some(i128::from(o) + i128::from(k)),
                    (None, Shift::By(_)) | (_, Shift::Anywhere) => None,
                };
                self.location(object, offset)
            })
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved
    }

    /// Adds sorted members to a node and queues it if any is new.
    fn insert(&mut self, node: Node, members: &[u32]) {
        let node = self.find(node);
        let data = &mut self.data[node.index()];
        let mut new = without(members, &data.set);
        new.retain(|&m| {
            let (object, _) = self.locations[m as usize];
            let covering = self.anywhere[object.index()].filter(|&any| any != m);
            covering.is_none_or(|any| data.set.binary_search(&any).is_err())
        });
        if new.is_empty() {
            return;
        }
        data.set = merged(&data.set, &new);
        let queued = !data.delta.is_empty();
        data.delta = merged(&data.delta, &new);
        if !queued {
            self.heap.push(Reverse((self.rank[node.index()], node.0)));
        }
    }

    fn propagate(&mut self) {
        while let Some(Reverse((_, n))) = self.heap.pop() {
            let node = self.find(Node(n));
            let delta = std::mem::take(&mut self.data[node.index()].delta);
            if delta.is_empty() {
                continue;
            }
            let copies = std::mem::take(&mut self.data[node.index()].copies);
            for &to in &copies {
                self.insert(to, &delta);
            }
            self.data[node.index()].copies = copies;
            let shifts = std::mem::take(&mut self.data[node.index()].shifts);
            for &(to, shift) in &shifts {
                let moved = self.shifted(&delta, shift);
                self.insert(to, &moved);
            }
            let data = &mut self.data[node.index()];
            data.shifts = shifts;
            if !(data.loads.is_empty() && data.stores.is_empty() && data.watches.is_empty()) {
                self.arrived.push((node, delta));
            }
        }
    }

    /// New members of an address: loads and stores through it become copies.
    fn expand(&mut self, node: Node, set: &[u32], news: &mut Vec<(u32, ObjectId)>) {
        let node = self.find(node);
        let loads = self.data[node.index()].loads.clone();
        let stores = self.data[node.index()].stores.clone();
        for &l in set {
            let location = self.locations[l as usize];
            for &name in &self.data[node.index()].watches {
                news.push((name, location.0));
            }
            for &(to, bytes) in &loads {
                for cell in self.cells(location, bytes, true) {
                    self.copy(cell, to);
                }
            }
            for &(value, bytes) in &stores {
                for cell in self.cells(location, bytes, false) {
                    self.copy(value, cell);
                }
            }
        }
    }

    /// Merges the cycles of the copy graph and ranks the nodes topologically.
    fn merge_cycles(&mut self) {
        let order = self.components();
        let mut rank = u32::try_from(order.len()).expect("fewer than 2^32 nodes");
        for component in order {
            rank -= 1;
            let first = component[0];
            for &other in &component[1..] {
                self.merge(first, other);
            }
            self.rank[first.index()] = rank;
        }
        for i in 0..self.parent.len() {
            self.parent[i] = self.find(Node(i as u32)).0;
        }
        let queued: Vec<u32> = self.heap.drain().map(|Reverse((_, n))| n).collect();
        for n in queued {
            let node = self.find(Node(n));
            self.heap.push(Reverse((self.rank[node.index()], node.0)));
        }
    }

    fn merge(&mut self, into: Node, from: Node) {
        self.parent[from.index()] = into.0;
        let gone = std::mem::take(&mut self.data[from.index()]);
        let kept = &mut self.data[into.index()];
        // What only one of the two has pushed on must be pushed on again by both.
        let mut delta = merged(&kept.delta, &gone.delta);
        delta.extend(gone.set.iter().filter(|m| kept.set.binary_search(m).is_err()));
        delta.extend(kept.set.iter().filter(|m| gone.set.binary_search(m).is_err()));
        delta.sort_unstable();
        delta.dedup();
        kept.set = merged(&kept.set, &gone.set);
        kept.delta = delta;
        kept.copies.extend(gone.copies);
        kept.shifts.extend(gone.shifts);
        kept.loads.extend(gone.loads);
        kept.stores.extend(gone.stores);
        kept.watches.extend(gone.watches);
        if !kept.delta.is_empty() {
            self.heap.push(Reverse((0, into.0)));
        }
    }

    /// Strongly connected components of the copy graph in reverse topological order (Tarjan,
    /// iterative). Also drops copies that have become loops or double.
    fn components(&mut self) -> Vec<Vec<Node>> {
        let n = self.parent.len();
        for i in 0..n {
            if self.data[i].copies.is_empty() {
                continue;
            }
            let mut copies = std::mem::take(&mut self.data[i].copies);
            for to in &mut copies {
                *to = self.find(*to);
            }
            copies.sort_unstable();
            copies.dedup();
            copies.retain(|to| to.index() != i);
            self.data[i].copies = copies;
        }
        let mut search = Search {
            index: vec![u32::MAX; n],
            low: vec![0; n],
            open: Vec::new(),
            is_open: vec![false; n],
            count: 0,
            found: Vec::new(),
        };
        for root in 0..n {
            if self.parent[root] as usize == root && search.index[root] == u32::MAX {
                search.run(&self.data, root);
            }
        }
        search.found
    }
}

/// The state of Tarjan's search.
struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    count: u32,
    found: Vec<Vec<Node>>,
}

impl Search {
    fn enter(&mut self, v: usize) {
        self.index[v] = self.count;
        self.low[v] = self.count;
        self.count += 1;
        self.open.push(v);
        self.is_open[v] = true;
    }

    fn run(&mut self, data: &[Data], root: usize) {
        let mut work = vec![(root, 0usize)];
        self.enter(root);
        while let Some((v, next)) = work.last_mut() {
            let v = *v;
            if let Some(to) = data[v].copies.get(*next) {
                *next += 1;
                let s = to.index();
                if self.index[s] == u32::MAX {
                    self.enter(s);
                    work.push((s, 0));
                } else if self.is_open[s] {
                    self.low[v] = self.low[v].min(self.index[s]);
                }
                continue;
            }
            work.pop();
            if let Some(&(u, _)) = work.last() {
                self.low[u] = self.low[u].min(self.low[v]);
            }
            if self.low[v] == self.index[v] {
                self.close(v);
            }
        }
    }

    fn close(&mut self, v: usize) {
        let mut component = Vec::new();
        loop {
            let w = self.open.pop().expect("v is open");
            self.is_open[w] = false;
            component.push(Node(w as u32));
            if w == v {
                break;
            }
        }
        self.found.push(component);
    }
}

/// The members of a sorted set that are not in another.
fn without(a: &[u32], b: &[u32]) -> Vec<u32> {
    if a.len() * 8 < b.len() {
        return a.iter().copied().filter(|m| b.binary_search(m).is_err()).collect();
    }
    let mut rest = b.iter().copied().peekable();
    let mut out = Vec::new();
    for &m in a {
        while rest.next_if(|&n| n < m).is_some() {}
        if rest.peek() != Some(&m) {
            out.push(m);
        }
    }
    out
}

/// The union of two sorted sets.
fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => {
                out.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                out.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                out.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}
