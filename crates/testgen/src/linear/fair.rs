//! Whether a graph has a fair infinite path: strongly connected components.
//!
//! A component is fair if each goal is met by one of its edges, and each thread is treated fairly: it makes
//! a step inside, or cannot go on in one of the states (weak), or in none (strong). For strong fairness the
//! states in which a thread can go on that makes no step are left out, and what remains is looked at again.
//! Source: Emerson and Lei, Modalities for Model Checking, 1987. All nodes of the graph are reachable.

use raddle_ir::linear::Fairness;

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: usize,
    /// Who makes the step.
    pub thread: Option<usize>,
    /// By goal: whether it is met.
    pub kept: Vec<bool>,
}

/// A graph of reachable nodes.
pub struct Product {
    /// How many threads there are.
    pub threads: usize,
    /// By node: which threads can go on, and the edges.
    pub nodes: Vec<(Vec<bool>, Vec<Edge>)>,
    /// How many goals there are.
    pub goals: usize,
}

/// Whether there is a fair infinite path.
pub fn has_fair_cycle(product: &Product, fairness: Fairness) -> bool {
    let mut open: Vec<Vec<usize>> = vec![(0..product.nodes.len()).collect()];
    while let Some(part) = open.pop() {
        for component in components(product, &part) {
            match judged(product, &component, fairness) {
                Judged::Fair => return true,
                Judged::Never => {}
                Judged::Perhaps(smaller) => open.push(smaller),
            }
        }
    }
    false
}

enum Judged {
    Fair,
    Never,
    /// Only inside these nodes.
    Perhaps(Vec<usize>),
}

fn judged(product: &Product, component: &[usize], fairness: Fairness) -> Judged {
    let mut inside = vec![false; product.nodes.len()];
    component.iter().for_each(|&n| inside[n] = true);
    let edges: Vec<&Edge> =
        component.iter().flat_map(|&n| &product.nodes[n].1).filter(|e| inside[e.to]).collect();
    if edges.is_empty() || (0..product.goals).any(|g| edges.iter().all(|e| !e.kept[g])) {
        return Judged::Never;
    }
    let can = |n: usize, t: usize| product.nodes[n].0.get(t).copied().unwrap_or(false);
    for thread in 0..product.threads {
        if edges.iter().any(|e| e.thread == Some(thread)) {
            continue;
        }
        match fairness {
            Fairness::None => {}
            Fairness::Weak => {
                if component.iter().all(|&n| can(n, thread)) {
                    return Judged::Never;
                }
            }
            Fairness::Strong => {
                if component.iter().any(|&n| can(n, thread)) {
                    let rest = component.iter().copied().filter(|&n| !can(n, thread));
                    return Judged::Perhaps(rest.collect());
                }
            }
        }
    }
    Judged::Fair
}

/// The strongly connected components of a part of the graph (Tarjan, without recursion).
fn components(product: &Product, part: &[usize]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = product.nodes.len();
    let mut inside = vec![false; count];
    part.iter().for_each(|&n| inside[n] = true);
    let (mut index, mut low, mut on) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut stack, mut all, mut next) = (Vec::new(), Vec::new(), 0);
    for &root in part {
        if index[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, edge)) = calls.pop() {
            if index[node] == NEW {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on[node] = true;
            }
            let mut deeper = None;
            for (i, e) in product.nodes[node].1.iter().enumerate().skip(edge) {
                if !inside[e.to] {
                    continue;
                }
                if index[e.to] == NEW {
                    deeper = Some((i, e.to));
                    break;
                }
                if on[e.to] {
                    low[node] = low[node].min(index[e.to]);
                }
            }
            if let Some((i, to)) = deeper {
                // It comes back to the same edge, which then leads to a known node.
                calls.push((node, i));
                calls.push((to, 0));
                continue;
            }
            if low[node] == index[node] {
                let mut component = Vec::new();
                while let Some(n) = stack.pop() {
                    on[n] = false;
                    component.push(n);
                    if n == node {
                        break;
                    }
                }
                all.push(component);
            }
            if let Some(&(before, _)) = calls.last() {
                low[before] = low[before].min(low[node]);
            }
        }
    }
    all
}
