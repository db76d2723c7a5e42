//! From a control-flow graph back to `if`, `switch`, `for` and, where nothing else will do,
//! `goto`.
//!
//! Idea: walk the dominator tree. A block with one way in is written where that way leads to it;
//! a block where ways meet is written after the block that dominates it, and whoever comes from
//! elsewhere than just above jumps there. Loops whose head dominates them become `for (;;)`; what
//! follows a loop is written after it.
//! Source: Ramsey, "Beyond Relooper", ICFP 2022, with `goto` instead of nested blocks.
//! Invariants: every reachable block is written once; a label stands wherever a `goto` leads.
//! Limits: ways into the middle of a loop stay `goto`. Nesting deeper than [`DEEPEST`] goes on at
//! the function's end.

use std::collections::BTreeSet;

use raddle_ir::{BlockId, Cfg, Function, Terminator};

/// Compilers limit nesting, and so do readers.
const DEEPEST: usize = 30;

/// A piece of structured text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// The instructions of a block (without its terminator).
    Block(BlockId),
    /// The block's condition decides.
    If { block: BlockId, then: Vec<Node>, other: Vec<Node> },
    /// The block's switch; `None` is the default case.
    Switch { block: BlockId, cases: Vec<(Vec<Option<u128>>, Vec<Node>)> },
    /// The block's return or stop.
    End(BlockId),
    /// `for (;;)`, left only by jumps.
    Loop(Vec<Node>),
    /// The loop with that head begins.
    Enter(BlockId),
    /// The loop with that head begins another iteration.
    Again(BlockId),
    /// The text of a block begins: a place to jump to if there is a `goto` that does.
    Label(BlockId),
    /// A jump.
    Goto(BlockId),
    /// Leaves the innermost loop.
    Break,
    /// Goes to the head of the innermost loop.
    Continue,
}

/// What surrounds the text that is being written.
#[derive(Clone, Copy)]
struct Around {
    /// The block whose text follows.
    next: Option<BlockId>,
    /// The head of the innermost loop, and the block whose text follows that loop.
    inner: Option<(BlockId, Option<BlockId>)>,
    /// Inside of a `switch`, where `break` means something else.
    in_switch: bool,
    depth: usize,
}

struct Structure<'a> {
    function: &'a Function,
    cfg: Cfg,
    dominator: Vec<usize>,
    /// Rank of each block in reverse post-order.
    rank: Vec<usize>,
    /// Per loop of `cfg`: its head dominates it.
    natural: Vec<bool>,
    /// Blocks that are written where the one way to them leads.
    inline: Vec<bool>,
    /// Blocks that are written after this one, or after the loop that it heads.
    after_block: Vec<Vec<BlockId>>,
    after_loop: Vec<Vec<BlockId>>,
    /// Blocks that are written at the end because of their depth.
    postponed: Vec<BlockId>,
}

/// The text of a function, and the blocks that need labels.
pub(crate) fn structure(function: &Function) -> (Vec<Node>, BTreeSet<BlockId>) {
    let mut structure = Structure::new(function);
    let top = Around { next: None, inner: None, in_switch: false, depth: 0 };
    let mut nodes = structure.tree(BlockId::new(0), top);
    while let Some(block) = structure.postponed.pop() {
        nodes.extend(structure.tree(block, top));
    }
    let mut labels = BTreeSet::new();
    collect_labels(&nodes, &mut labels);
    (nodes, labels)
}

fn collect_labels(nodes: &[Node], labels: &mut BTreeSet<BlockId>) {
    for node in nodes {
        match node {
            Node::Goto(block) => {
                labels.insert(*block);
            }
            Node::If { then, other, .. } => {
                collect_labels(then, labels);
                collect_labels(other, labels);
            }
            Node::Switch { cases, .. } => {
                cases.iter().for_each(|(_, nodes)| collect_labels(nodes, labels));
            }
            Node::Loop(nodes) => collect_labels(nodes, labels),
            Node::Block(_)
            | Node::End(_)
            | Node::Enter(_)
            | Node::Again(_)
            | Node::Label(_)
            | Node::Break
            | Node::Continue => {}
        }
    }
}

impl<'a> Structure<'a> {
    fn new(function: &'a Function) -> Structure<'a> {
        let cfg = Cfg::new(function);
        let n = function.blocks.len();
        let order = reverse_post_order(function);
        let mut rank = vec![usize::MAX; n];
        order.iter().enumerate().for_each(|(i, b)| rank[b.index()] = i);
        let mut ways: Vec<Vec<BlockId>> = vec![Vec::new(); n];
        for &from in &order {
            for to in function.block(from).end.successors() {
                ways[to.index()].push(from);
            }
        }
        let dominator = dominators(&order, &rank, &ways);
        let mut structure = Structure {
            function,
            cfg,
            dominator,
            rank,
            natural: Vec::new(),
            inline: vec![false; n],
            after_block: vec![Vec::new(); n],
            after_loop: vec![Vec::new(); n],
            postponed: Vec::new(),
        };
        structure.natural = structure.natural_loops();
        structure.place(&order, &ways);
        structure
    }

    fn natural_loops(&self) -> Vec<bool> {
        let mut natural = vec![true; self.cfg.loops.len()];
        for &block in &self.cfg.order {
            for l in self.cfg.loops_around(block) {
                natural[l] &= self.dominates(self.cfg.loops[l].head, block);
            }
        }
        natural
    }

    fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let mut at = below.index();
        while self.rank[at] > self.rank[above.index()] {
            at = self.dominator[at];
        }
        at == above.index()
    }

    /// Decides where each block is written.
    fn place(&mut self, order: &[BlockId], ways: &[Vec<BlockId>]) {
        for &block in order.iter().skip(1) {
            let above = BlockId::new(self.dominator[block.index()]);
            let around = self.cfg.loops_around(block);
            let left = self.cfg.loops_around(above).into_iter().find(|l| !around.contains(l));
            let forward = ways[block.index()].iter().filter(|w| !self.cfg.is_back_edge(**w, block));
            let only = forward.count() == 1;
            match left.filter(|&l| self.natural[l]) {
                Some(outermost) => {
                    let head = self.cfg.loops[outermost].head;
                    self.after_loop[head.index()].push(block);
                }
                None if only => self.inline[block.index()] = true,
                None => self.after_block[above.index()].push(block),
            }
        }
    }

    fn is_natural_head(&self, block: BlockId) -> bool {
        let at = self.cfg.loop_of[block.index()];
        at.is_some_and(|l| self.cfg.loops[l].head == block && self.natural[l])
    }

    /// The text of a block and all that it dominates.
    fn tree(&mut self, block: BlockId, around: Around) -> Vec<Node> {
        let mut nodes = vec![Node::Label(block)];
        if !self.is_natural_head(block) {
            nodes.extend(self.core(block, around));
            return nodes;
        }
        let after = self.after_loop[block.index()].clone();
        let follows = after.first().copied().or(around.next);
        let inside = Around {
            next: Some(block),
            inner: Some((block, follows)),
            in_switch: false,
            depth: around.depth + 1,
        };
        nodes.push(Node::Loop(self.core(block, inside)));
        self.sequence(&after, around, &mut nodes);
        nodes
    }

    /// Writes blocks one after the other.
    fn sequence(&mut self, blocks: &[BlockId], around: Around, nodes: &mut Vec<Node>) {
        for (i, &block) in blocks.iter().enumerate() {
            let next = blocks.get(i + 1).copied().or(around.next);
            nodes.extend(self.tree(block, Around { next, ..around }));
        }
    }

    /// The block itself, where it leads, and what is written after it.
    fn core(&mut self, block: BlockId, around: Around) -> Vec<Node> {
        let after = self.after_block[block.index()].clone();
        let next = after.first().copied().or(around.next);
        let here = Around { next, ..around };
        let deeper = Around { depth: around.depth + 1, ..here };
        let mut nodes = vec![Node::Block(block)];
        match &self.function.block(block).end {
            Terminator::Goto(to) => nodes.extend(self.jump(block, *to, here)),
            Terminator::Branch { then, other, .. } => {
                let (then, other) = (*then, *other);
                let then = self.jump(block, then, deeper);
                let other = self.jump(block, other, deeper);
                nodes.push(Node::If { block, then, other });
            }
            Terminator::Switch { cases, default, .. } => {
                let mut targets: Vec<(BlockId, Vec<Option<u128>>)> = vec![(*default, vec![None])];
                for &(value, to) in cases {
                    match targets.iter_mut().find(|(t, _)| *t == to) {
                        Some((_, values)) => values.insert(0, Some(value)),
                        None => targets.insert(targets.len() - 1, (to, vec![Some(value)])),
                    }
                }
                let deeper = Around { in_switch: true, ..deeper };
                let mut written = Vec::new();
                for (to, values) in targets {
                    written.push((values, self.jump(block, to, deeper)));
                }
                nodes.push(Node::Switch { block, cases: written });
            }
            Terminator::Return(_) | Terminator::Stop => nodes.push(Node::End(block)),
        }
        self.sequence(&after, around, &mut nodes);
        nodes
    }

    /// From the end of a block to another one.
    fn jump(&mut self, from: BlockId, to: BlockId, around: Around) -> Vec<Node> {
        let mut nodes = Vec::new();
        let heads = self.cfg.loops.iter().any(|l| l.head == to);
        if heads {
            let back = self.cfg.is_back_edge(from, to);
            nodes.push(if back { Node::Again(to) } else { Node::Enter(to) });
        }
        if self.inline[to.index()] && !self.cfg.is_back_edge(from, to) {
            if around.depth < DEEPEST {
                nodes.extend(self.tree(to, around));
                return nodes;
            }
            self.postponed.push(to);
        }
        match around.inner {
            _ if around.next == Some(to) => {}
            Some((head, _)) if head == to => nodes.push(Node::Continue),
            Some((_, Some(follows))) if follows == to && !around.in_switch => {
                nodes.push(Node::Break);
            }
            Some(_) | None => nodes.push(Node::Goto(to)),
        }
        nodes
    }
}

fn reverse_post_order(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut work = vec![(BlockId::new(0), 0)];
    seen[0] = true;
    while let Some((block, next)) = work.pop() {
        let successors = function.block(block).end.successors();
        let Some(&to) = successors.get(next) else {
            order.push(block);
            continue;
        };
        work.push((block, next + 1));
        if !seen[to.index()] {
            seen[to.index()] = true;
            work.push((to, 0));
        }
    }
    order.reverse();
    order
}

/// The immediate dominator of each reachable block (Cooper, Harvey & Kennedy, 2001); the entry is
/// its own.
fn dominators(order: &[BlockId], rank: &[usize], ways: &[Vec<BlockId>]) -> Vec<usize> {
    let mut dominator = vec![usize::MAX; rank.len()];
    dominator[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let mut common = usize::MAX;
            for from in ways[block.index()].iter().map(|w| w.index()) {
                if dominator[from] == usize::MAX {
                    continue;
                }
                common =
                    if common == usize::MAX { from } else { meet(&dominator, rank, common, from) };
            }
            changed |= dominator[block.index()] != common;
            dominator[block.index()] = common;
        }
    }
    dominator
}

fn meet(dominator: &[usize], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if rank[a] < rank[b] {
            std::mem::swap(&mut a, &mut b);
        }
        a = dominator[a];
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Block, Const, Operand, Place};

    /// A step of the text after all structure has been taken apart again.
    enum Step {
        Visit(BlockId),
        /// Goes to one of these places, as the block's terminator is decided.
        Decide(Vec<usize>),
        Jump(usize),
        End,
    }

    fn function(edges: &[Vec<usize>]) -> Function {
        let one = Operand::Const(Const::new(1, 1));
        let block = |targets: &Vec<usize>| {
            let to = |i: usize| BlockId::new(targets[i]);
            let end = match targets.len() {
                0 => Terminator::Return(None),
                1 => Terminator::Goto(to(0)),
                2 => Terminator::Branch { cond: one, then: to(0), other: to(1) },
                n => {
                    let cases = (1..n).map(|i| (i as u128, to(i))).collect();
                    Terminator::Switch { value: one, cases, default: to(0) }
                }
            };
            Block { instrs: Vec::new(), end, end_place: Place::UNKNOWN }
        };
        Function {
            name: "f".into(),
            params: vec![],
            result: None,
            regs: vec![],
            blocks: edges.iter().map(block).collect(),
            place: Place::UNKNOWN,
            is_model: false,
            address: 0,
        }
    }

    /// Takes text apart: `labels` get their places, `open` are jumps whose places are not known
    /// yet.
    struct Apart {
        steps: Vec<Step>,
        labels: Vec<Option<usize>>,
        open: Vec<(usize, BlockId)>,
    }

    impl Apart {
        /// `inner`: where the innermost loop begins, and jumps to its end.
        fn nodes(&mut self, f: &Function, nodes: &[Node], inner: &mut Option<(usize, Vec<usize>)>) {
            for node in nodes {
                match node {
                    Node::Block(b) => self.steps.push(Step::Visit(*b)),
                    Node::End(_) => self.steps.push(Step::End),
                    Node::Enter(_) | Node::Again(_) => {}
                    Node::Label(b) => {
                        let before = self.labels[b.index()].replace(self.steps.len());
                        assert_eq!(before, None, "a block is written once");
                    }
                    Node::Goto(b) => {
                        self.open.push((self.steps.len(), *b));
                        self.steps.push(Step::Jump(usize::MAX));
                    }
                    Node::Continue => {
                        let (begin, _) = inner.as_ref().expect("inside of a loop");
                        self.steps.push(Step::Jump(*begin));
                    }
                    Node::Break => {
                        inner.as_mut().expect("inside of a loop").1.push(self.steps.len());
                        self.steps.push(Step::Jump(usize::MAX));
                    }
                    Node::Loop(body) => {
                        let begin = self.steps.len();
                        let mut here = Some((begin, Vec::new()));
                        self.nodes(f, body, &mut here);
                        self.steps.push(Step::Jump(begin));
                        let end = self.steps.len();
                        for at in here.expect("still there").1 {
                            self.steps[at] = Step::Jump(end);
                        }
                    }
                    Node::If { then, other, .. } => {
                        self.choice(f, &[(vec![0], then), (vec![1], other)], inner);
                    }
                    Node::Switch { block, cases } => {
                        let Terminator::Switch { cases: all, .. } = &f.block(*block).end else {
                            panic!("a switch");
                        };
                        let index = |v: &Option<u128>| match v {
                            Some(v) => 1 + all.iter().position(|(w, _)| w == v).expect("a case"),
                            None => 0,
                        };
                        let parts: Vec<_> = cases
                            .iter()
                            .map(|(values, nodes)| (values.iter().map(index).collect(), nodes))
                            .collect();
                        self.choice(f, &parts, inner);
                    }
                }
            }
        }

        fn choice(
            &mut self,
            f: &Function,
            parts: &[(Vec<usize>, &Vec<Node>)],
            inner: &mut Option<(usize, Vec<usize>)>,
        ) {
            let decide = self.steps.len();
            self.steps.push(Step::End);
            let count = parts.iter().map(|(values, _)| values.len()).sum();
            let mut targets = vec![0; count];
            let mut ends = Vec::new();
            for (values, nodes) in parts {
                values.iter().for_each(|v| targets[*v] = self.steps.len());
                self.nodes(f, nodes, inner);
                ends.push(self.steps.len());
                self.steps.push(Step::Jump(usize::MAX));
            }
            let end = self.steps.len();
            ends.into_iter().for_each(|at| self.steps[at] = Step::Jump(end));
            self.steps[decide] = Step::Decide(targets);
        }
    }

    /// Walks graph and text with the same decisions: they visit the same blocks.
    fn check(edges: &[Vec<usize>], random: &mut impl FnMut() -> usize) {
        let f = function(edges);
        let (nodes, _) = structure(&f);
        let mut apart = Apart { steps: vec![], labels: vec![None; edges.len()], open: vec![] };
        apart.nodes(&f, &nodes, &mut None);
        for (at, block) in std::mem::take(&mut apart.open) {
            let place = apart.labels[block.index()].expect("every goto leads to a label");
            apart.steps[at] = Step::Jump(place);
        }
        for _ in 0..20 {
            let (mut block, mut at, mut visits) = (0, 0, 0);
            while visits < 50 {
                match &apart.steps[at] {
                    Step::Visit(b) => {
                        assert_eq!(b.index(), block, "{edges:?}\n{nodes:?}");
                        visits += 1;
                        at += 1;
                        // A block with one way out has nothing to decide.
                        if edges[block].len() == 1 {
                            block = edges[block][0];
                        }
                    }
                    Step::Decide(targets) => {
                        let way = random() % targets.len();
                        at = targets[way];
                        block = edges[block][way];
                    }
                    Step::Jump(to) => at = *to,
                    Step::End => {
                        assert!(edges[block].is_empty(), "{edges:?}\n{nodes:?}");
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn text_and_graph_visit_the_same_blocks() {
        let mut state = 88172645463325252u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize
        };
        for round in 0..3000 {
            let n = 1 + random() % (2 + round / 200);
            let mut edges = Vec::new();
            for _ in 0..n {
                let ways = [0, 1, 1, 2, 2, 2, 3][random() % 7];
                edges.push((0..ways).map(|_| random() % n).collect::<Vec<_>>());
            }
            check(&edges, &mut random);
        }
        // Nesting that must be cut.
        let deep: Vec<Vec<usize>> = (0..200).map(|i| vec![i + 1, 200]).chain([vec![]]).collect();
        check(&deep, &mut random);
    }
}
