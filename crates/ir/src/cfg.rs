//! The loops of one function's control-flow graph, for graphs of any shape.
//!
//! Idea: a *weak topological order*: take the strongly connected components in topological order;
//! in each non-trivial one choose a head (its first block in reverse post-order), drop the edges
//! into the head, and repeat inside. Every edge then goes forward in the order or back to the head
//! of a loop that contains its source, also in irreducible graphs.
//! Source: Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993; computed here
//! by repeated component search instead of his single recursive pass, so that recursion is only as
//! deep as loops nest.
//! Invariant: for an edge u→v with position(v) ≤ position(u), v is the head of a loop around u.
//!
//! **Pure iterations.** All engines use one definition. An iteration of a loop runs from one
//! arrival at its head to the next. It is *pure* if (1) every register live at the head has the
//! value it had,
//! (2) no memory was changed by it that outlives it, apart from the thread's private memory holding
//! the same bytes as before, no object allocated or freed, no thread created, (3) it acquired
//! and released no lock, or only one mutex by condition waits (`wait` marks on lock and unlock), and
//! the thread might as well have acquired that mutex later: either it came to the head without a
//! step that others can notice since it acquired the mutex, so that it would come there in
//! the same state from a later acquisition; or the iteration before this one was of the same kind, and
//! both begin with the release, so that it would be in the same state after the earlier release.
//! Looks at memory are such steps, too: what was found before the mutex was released may not
//! be there any more. Such an iteration can be cut out of any execution without a trace, so the
//! thread may as well stop there: the others go on, it does not come back.

use crate::ids::BlockId;
use crate::program::Function;

/// A loop: a head and the blocks that can return to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where iterations begin.
    pub head: BlockId,
    /// The innermost loop around this one.
    pub parent: Option<usize>,
    /// How many loops are around it.
    pub depth: u32,
}

/// Order and loops of a function's blocks.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Position of each block in the weak topological order; `u32::MAX` if unreachable.
    pub position: Vec<u32>,
    /// Reachable blocks in that order.
    pub order: Vec<BlockId>,
    /// The loops; an outer loop stands before the loops inside it.
    pub loops: Vec<Loop>,
    /// The innermost loop around each block (a head is inside its own loop).
    pub loop_of: Vec<Option<usize>>,
}

impl Cfg {
    /// Analyses a function.
    pub fn new(function: &Function) -> Cfg {
        let n = function.blocks.len();
        let successors: Vec<Vec<usize>> = function
            .blocks
            .iter()
            .map(|b| b.end.successors().iter().map(|s| s.index()).collect())
            .collect();
        let mut cfg = Cfg {
            position: vec![u32::MAX; n],
            order: Vec::with_capacity(n),
            loops: Vec::new(),
            loop_of: vec![None; n],
        };
        let rpo = reverse_post_order(&successors);
        let mut rank = vec![usize::MAX; n];
        for (i, &b) in rpo.iter().enumerate() {
            rank[b] = i;
        }
        cfg.decompose(&successors, &rank, rpo, None, None);
        for (i, b) in cfg.order.iter().enumerate() {
            cfg.position[b.index()] = i as u32;
        }
        cfg
    }

    /// Orders `blocks` (given in reverse post-order), ignoring edges into `head`.
    fn decompose(
        &mut self,
        successors: &[Vec<usize>],
        rank: &[usize],
        blocks: Vec<usize>,
        head: Option<usize>,
        parent: Option<usize>,
    ) {
        for mut component in components(successors, &blocks, head) {
            component.sort_by_key(|&b| rank[b]);
            let first = component[0];
            let cyclic =
                component.len() > 1 || (Some(first) != head && successors[first].contains(&first));
            if !cyclic {
                self.loop_of[first] = parent;
                self.order.push(BlockId::new(first));
                continue;
            }
            let depth = parent.map_or(0, |p| self.loops[p].depth + 1);
            self.loops.push(Loop { head: BlockId::new(first), parent, depth });
            let this = Some(self.loops.len() - 1);
            self.decompose(successors, rank, component, Some(first), this);
        }
    }

    /// Whether an edge closes a loop.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.position[to.index()] <= self.position[from.index()]
    }

    /// The loops around a block, outermost first.
    pub fn loops_around(&self, block: BlockId) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = self.loop_of[block.index()];
        while let Some(l) = at {
            chain.push(l);
            at = self.loops[l].parent;
        }
        chain.reverse();
        chain
    }

    /// The loop that has this block as its head.
    pub fn loop_at_head(&self, block: BlockId) -> Option<usize> {
        self.loop_of[block.index()].filter(|&l| self.loops[l].head == block)
    }
}

fn reverse_post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut post = Vec::new();
    if successors.is_empty() {
        return post;
    }
    let mut stack = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&s) = successors[*block].get(*next) {
            *next += 1;
            if !seen[s] {
                seen[s] = true;
                stack.push((s, 0));
            }
        } else {
            post.push(*block);
            stack.pop();
        }
    }
    post.reverse();
    post
}

/// Strongly connected components of the subgraph of `blocks` without edges into `head`, in
/// topological order (Tarjan, iterative).
fn components(successors: &[Vec<usize>], blocks: &[usize], head: Option<usize>) -> Vec<Vec<usize>> {
    let n = successors.len();
    let mut inside = vec![false; n];
    for &b in blocks {
        inside[b] = true;
    }
    let mut index = vec![usize::MAX; n];
    let mut low = vec![usize::MAX; n];
    let mut on_stack = vec![false; n];
    let mut stack = Vec::new();
    let mut result = Vec::new();
    let mut count = 0;
    for &root in blocks {
        if index[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some(&(v, next)) = work.last() {
            if next == 0 && index[v] == usize::MAX {
                index[v] = count;
                low[v] = count;
                count += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&s) = successors[v].get(next) {
                work.last_mut().expect("the stack holds v").1 += 1;
                if !inside[s] || Some(s) == head {
                    continue;
                }
                if index[s] == usize::MAX {
                    work.push((s, 0));
                } else if on_stack[s] {
                    low[v] = low[v].min(index[s]);
                }
                continue;
            }
            work.pop();
            if let Some(&(u, _)) = work.last() {
                low[u] = low[u].min(low[v]);
            }
            if low[v] == index[v] {
                let mut component = Vec::new();
                loop {
                    let w = stack.pop().expect("v is on the stack");
                    on_stack[w] = false;
                    component.push(w);
                    if w == v {
                        break;
                    }
                }
                result.push(component);
            }
        }
    }
    result.reverse();
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Const, Operand};
    use crate::instr::{Block, Terminator};
    use crate::place::Place;

    fn function(edges: &[&[usize]]) -> Function {
        let blocks = edges
            .iter()
            .map(|targets| {
                let end = match targets {
                    [] => Terminator::Return(None),
                    [t] => Terminator::Goto(BlockId::new(*t)),
                    [a, b] => Terminator::Branch {
                        cond: Operand::Const(Const::new(1, 1)),
                        then: BlockId::new(*a),
                        other: BlockId::new(*b),
                    },
                    more => panic!("at most two successors, not {}", more.len()),
                };
                Block { instrs: Vec::new(), end, end_place: Place::UNKNOWN }
            })
            .collect();
        Function {
            name: "f".into(),
            params: vec![],
            result: None,
            regs: vec![],
            blocks,
            place: Place::UNKNOWN,
            is_model: false,
            address: 0,
        }
    }

    fn check(edges: &[&[usize]], heads: &[(u32, u32)]) {
        let f = function(edges);
        let cfg = Cfg::new(&f);
        let found: Vec<_> = cfg.loops.iter().map(|l| (l.head.0, l.depth)).collect();
        assert_eq!(found, heads);
        for (from, targets) in edges.iter().enumerate() {
            for &to in *targets {
                let (from, to) = (BlockId::new(from), BlockId::new(to));
                if cfg.position[from.index()] != u32::MAX && cfg.is_back_edge(from, to) {
                    let heads: Vec<_> =
                        cfg.loops_around(from).iter().map(|&l| cfg.loops[l].head).collect();
                    assert!(heads.contains(&to), "{from:?}→{to:?} returns to a head around it");
                }
            }
        }
    }

    #[test]
    fn loops_are_found() {
        check(&[&[1], &[]], &[]);
        check(&[&[0, 1], &[]], &[(0, 0)]);
        check(&[&[1], &[2, 3], &[1], &[]], &[(1, 0)]);
        check(&[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]], &[(1, 0), (2, 1)]);
        check(&[&[1], &[1, 2], &[1, 3], &[]], &[(1, 0)]);
        // Irreducible: two entries into the cycle 1 ↔ 2.
        check(&[&[1, 2], &[2], &[1, 3], &[]], &[(1, 0)]);
        // Unreachable blocks stay out.
        check(&[&[2], &[1], &[]], &[]);
    }
}
