//! What a formula still demands after each letter, by taking it apart.
//!
//! The demands of a moment are a set of formulas. A letter settles those about the present; the others are
//! put off to the next moment, in as many ways as there are disjunctions. A path on which an `U` is put off
//! for ever does not count.
//! Source: Gerth, Peled, Vardi, Wolper, PSTV 1995, with concrete letters.
//! Moments are changes: as long as the letter stays the same nothing is read. Where it stays so for
//! ever, which a path decides once, it is read with each step.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use raddle_interp::endless::Letter;
use raddle_ir::linear::Formula;

use super::fair::{Edge, Product};
use super::graph::Graph;

/// Most states of the product.
const MOST: usize = 20_000;

/// A formula without negations but before atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Plain {
    Constant(bool),
    Literal(usize, bool),
    And(Rc<Plain>, Rc<Plain>),
    Or(Rc<Plain>, Rc<Plain>),
    Next(Rc<Plain>),
    Until(Rc<Plain>, Rc<Plain>),
    Release(Rc<Plain>, Rc<Plain>),
}

fn plain(formula: &Formula, positive: bool) -> Rc<Plain> {
    let inside = |a: &Formula| plain(a, positive);
    Rc::new(match (formula, positive) {
        (Formula::True, p) => Plain::Constant(p),
        (Formula::False, p) => Plain::Constant(!p),
        (Formula::Atom(a), p) => Plain::Literal(*a, p),
        (Formula::Not(a), p) => return plain(a, !p),
        (Formula::And(a, b), true) | (Formula::Or(a, b), false) => Plain::And(inside(a), inside(b)),
        (Formula::And(a, b), false) | (Formula::Or(a, b), true) => Plain::Or(inside(a), inside(b)),
        (Formula::Next(a), _) => Plain::Next(inside(a)),
        (Formula::Until(a, b), true) | (Formula::Release(a, b), false) => {
            Plain::Until(inside(a), inside(b))
        }
        (Formula::Until(a, b), false) | (Formula::Release(a, b), true) => {
            Plain::Release(inside(a), inside(b))
        }
    })
}

type Demands = BTreeSet<Rc<Plain>>;

/// The ways to meet demands at a letter: what is demanded next, and what was put off.
fn ways(demands: &Demands, letter: &Letter) -> Vec<(Demands, Demands)> {
    let mut done = BTreeSet::new();
    let mut open =
        vec![(demands.iter().cloned().collect::<Vec<_>>(), Demands::new(), Demands::new())];
    while let Some((mut todo, mut next, mut put_off)) = open.pop() {
        let Some(first) = todo.pop() else {
            done.insert((next, put_off));
            continue;
        };
        match &*first {
            Plain::Constant(false) => {}
            Plain::Constant(true) => open.push((todo, next, put_off)),
            Plain::Literal(atom, value) => {
                if letter[*atom] == *value {
                    open.push((todo, next, put_off));
                }
            }
            Plain::And(a, b) => {
                todo.extend([a.clone(), b.clone()]);
                open.push((todo, next, put_off));
            }
            Plain::Or(a, b) => {
                for one in [a, b] {
                    let mut todo = todo.clone();
                    todo.push(one.clone());
                    open.push((todo, next.clone(), put_off.clone()));
                }
            }
            Plain::Next(a) => {
                next.insert(a.clone());
                open.push((todo, next, put_off));
            }
            Plain::Until(a, b) => {
                let mut now = todo.clone();
                now.push(b.clone());
                open.push((now, next.clone(), put_off.clone()));
                todo.push(a.clone());
                next.insert(first.clone());
                put_off.insert(first.clone());
                open.push((todo, next, put_off));
            }
            Plain::Release(a, b) => {
                todo.push(b.clone());
                let mut last = todo.clone();
                last.push(a.clone());
                open.push((last, next.clone(), put_off.clone()));
                next.insert(first.clone());
                open.push((todo, next, put_off));
            }
        }
    }
    done.into_iter().collect()
}

/// All `U` inside a formula.
fn untils(formula: &Rc<Plain>, all: &mut Vec<Rc<Plain>>) {
    match &**formula {
        Plain::Constant(_) | Plain::Literal(..) => {}
        Plain::Next(a) => untils(a, all),
        Plain::And(a, b) | Plain::Or(a, b) | Plain::Until(a, b) | Plain::Release(a, b) => {
            untils(a, all);
            untils(b, all);
        }
    }
    if matches!(**formula, Plain::Until(..)) && !all.contains(formula) {
        all.push(formula.clone());
    }
}

/// A state of the product: of the program, the demands on the next moment, and whether the letter stays.
type Place = (usize, Demands, bool);

/// The paths of a graph that do not satisfy a formula; `None` if there are too many states. The first goal
/// is to read; the others are not to put off.
pub fn product(graph: &Graph, formula: &Formula) -> Option<Product> {
    let root = plain(formula, false);
    let mut all_untils = Vec::new();
    untils(&root, &mut all_untils);
    let goals = 1 + all_untils.len();
    let mut made = Product { threads: graph.threads, nodes: Vec::new(), goals };
    let mut known: HashMap<Place, usize> = HashMap::new();
    let mut places: Vec<Place> = Vec::new();
    let mut number = |place: Place, places: &mut Vec<Place>| {
        *known.entry(place.clone()).or_insert_with(|| {
            places.push(place);
            places.len() - 1
        })
    };
    let first = ways(&BTreeSet::from([root]), &graph.nodes[0].letter);
    for (demands, _) in first {
        number((0, demands, false), &mut places);
    }
    let kept = |put_off: &Demands| -> Vec<bool> {
        let untils = all_untils.iter().map(|u| !put_off.contains(u));
        std::iter::once(true).chain(untils).collect()
    };
    let mut next = 0;
    while next < places.len() {
        if next > MOST {
            return None;
        }
        let (at, demands, stays) = places[next].clone();
        let node = &graph.nodes[at];
        let mut edges = Vec::new();
        for step in &node.steps {
            let letter = &graph.nodes[step.to].letter;
            let same = *letter == node.letter;
            let mut reading = |stays: bool, edges: &mut Vec<Edge>, places: &mut Vec<Place>| {
                for (demands, put_off) in ways(&demands, letter) {
                    let to = number((step.to, demands, stays), places);
                    edges.push(Edge { to, thread: step.thread, kept: kept(&put_off) });
                }
            };
            if same {
                reading(true, &mut edges, &mut places);
                if !stays {
                    let to = number((step.to, demands.clone(), false), &mut places);
                    let kept = vec![false; goals];
                    edges.push(Edge { to, thread: step.thread, kept });
                }
            } else if !stays {
                reading(false, &mut edges, &mut places);
            }
        }
        made.nodes.push((node.can.clone(), edges));
        next += 1;
    }
    Some(made)
}
