//! The sequence of positions: who publishes what where, and what follows for the positions of
//! units.
//!
//! A unit *publishes* if it writes a cell that another thread may look at. Two kinds of sequences:
//! *Single*: at each position at most one thread publishes (in the fine variants one unit), and it
//! comes last there: all others that are at this position read what memory held before. *Nested*:
//! at each position threads take turns in the order of nested calls ([`Nesting`]), each seeing what
//! those before it have written there.
//!
//! Creation and join take part: what they order may be at one position if it is in the right order
//! there. In a single sequence, units before the first publishing one of their thread come in the
//! order of nested calls. A join against that order must be later than the end of its thread, so
//! this end counts as publishing: it tells the joining thread something.
//! **Invariant:** ordered by position, then *late* (the publishing thread's units from the first
//! publishing one on), then place in the nesting, the units of a model are an execution.

use raddle_summary::{EventKind, ThreadIx};
use rustc_hash::FxHashMap;

use crate::bounded::before::Unit;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::scene::Scene;
use crate::slots::composition::Edge;
use crate::slots::gates::{and, at_most_one, clause, or};
use crate::slots::memory::Touch;
use crate::slots::nesting::Nesting;
use crate::slots::numbers::{Gap, Numbers};

/// How much a position holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// One publishing unit.
    Unit,
    /// Publishing units of one thread.
    Thread,
    /// Publishing units of any threads, in the order of nested calls.
    Threads,
}

/// What units publish, by thread and unit.
pub struct Publishing(Vec<Vec<Lit>>);

impl Publishing {
    /// From the accesses of cells that several threads look at, other writes, and joins against the
    /// nesting.
    pub fn new(
        scene: Scene,
        formula: &mut dyn Formula,
        touches: &[Touch],
        others: &[(Unit, Lit)],
        edges: &[Edge],
        nesting: &Nesting,
    ) -> Publishing {
        let mut causes: FxHashMap<Unit, Vec<Lit>> = FxHashMap::default();
        let writes = touches.iter().filter(|t| t.kind == EventKind::Write);
        let writes = writes.map(|t| (t.unit, t.occurs)).chain(others.iter().copied());
        let against = edges.iter().filter(|e| !nesting.is_before(e.from, e.to));
        for (unit, cause) in writes.chain(against.map(|e| (e.from, e.condition))) {
            debug_assert!(unit.1 < scene.skeleton.threads[unit.0.index()].units, "a unit");
            causes.entry(unit).or_default().push(cause);
        }
        let mut all = Vec::with_capacity(scene.skeleton.threads.len());
        for (t, thread) in (0..).zip(&scene.skeleton.threads) {
            let mut of_unit =
                |u| causes.get(&(ThreadIx(t), u)).map_or(!formula.tru(), |c| or(formula, c));
            all.push((0..thread.units).map(&mut of_unit).collect());
        }
        Publishing(all)
    }

    /// Whether a unit publishes.
    pub fn of(&self, unit: Unit) -> Lit {
        self.0[unit.0.index()][unit.1 as usize]
    }

    /// The units that may publish.
    fn units(&self, formula: &dyn Formula) -> Vec<Unit> {
        let never = !formula.tru();
        let threads = (0..).zip(&self.0);
        let units = threads.flat_map(|(t, units)| (0..).zip(units).map(move |(u, &l)| (t, u, l)));
        units.filter(|&(.., l)| l != never).map(|(t, u, _)| (ThreadIx(t), u)).collect()
    }
}

/// What a sequence looks like once it is encoded.
pub struct Sequence {
    /// For each position: something is published there.
    pub used: Vec<Lit>,
    /// For each position, by thread: it publishes there.
    pub owned: Vec<Vec<Lit>>,
    /// Units that come last at their positions; none in a nested sequence.
    pub late: Option<Vec<Vec<Lit>>>,
}

/// Encodes a sequence.
pub fn encode(
    formula: &mut dyn Formula,
    numbers: &mut Numbers,
    publishing: &Publishing,
    edges: &[Edge],
    nesting: &Nesting,
    grain: Grain,
) -> Sequence {
    for &Edge { condition, from, to } in edges {
        assert_ne!(from.0, to.0, "an edge leads to another thread");
        let gap = if nesting.is_before(from, to) { Gap::Same } else { Gap::Later };
        numbers.edge(formula, condition, from, to, gap);
    }
    let writers = publishing.units(formula);
    let threads = publishing.0.len();
    let (mut used, mut owned) = (Vec::new(), Vec::new());
    for k in 0..numbers.slots() {
        let mut by_thread: Vec<Vec<Lit>> = vec![Vec::new(); threads];
        for &unit in &writers {
            let here = and(formula, &[publishing.of(unit), numbers.at(unit, k)]);
            by_thread[unit.0.index()].push(here);
        }
        if grain == Grain::Unit {
            at_most_one(formula, &by_thread.concat());
        }
        let by_thread: Vec<Lit> = by_thread.iter().map(|units| or(formula, units)).collect();
        if grain == Grain::Thread {
            at_most_one(formula, &by_thread);
        }
        used.push(or(formula, &by_thread));
        owned.push(by_thread);
    }
    if grain == Grain::Threads {
        return Sequence { used, owned, late: None };
    }
    debug_assert_eq!(used.len(), numbers.slots() as usize, "every position is used or not");
    // A position at which nothing is published is not followed by others.
    for pair in used.windows(2) {
        clause(formula, &[!pair[1], pair[0]]);
    }
    let late = late(formula, numbers, publishing, grain);
    for edge in edges {
        let from_late = late[edge.from.0.index()][edge.from.1 as usize];
        let condition = and(formula, &[edge.condition, from_late]);
        if condition != !formula.tru() {
            numbers.edge(formula, condition, edge.from, edge.to, Gap::Later);
        }
    }
    Sequence { used, owned, late: Some(late) }
}

/// The units that come last at their positions.
fn late(
    formula: &mut dyn Formula,
    numbers: &mut Numbers,
    publishing: &Publishing,
    grain: Grain,
) -> Vec<Vec<Lit>> {
    if grain == Grain::Unit {
        for unit in publishing.units(formula) {
            let next = (unit.0, unit.1 + 1);
            if (next.1 as usize) < publishing.0[unit.0.index()].len() {
                numbers.edge(formula, publishing.of(unit), unit, next, Gap::Later);
            }
        }
        return publishing.0.clone();
    }
    let mut all = Vec::with_capacity(publishing.0.len());
    for (t, units) in (0..).zip(&publishing.0) {
        let mut late: Vec<Lit> = Vec::with_capacity(units.len());
        for (u, &publishes) in (0..).zip(units) {
            let before = late.last().copied().unwrap_or(!formula.tru());
            let goes_on = match before == !formula.tru() {
                true => before,
                false => {
                    let unit = |u| (ThreadIx(t), u);
                    let same = numbers.same(formula, unit(u - 1), unit(u));
                    and(formula, &[before, same])
                }
            };
            late.push(or(formula, &[publishes, goes_on]));
        }
        debug_assert_eq!(late.len(), units.len(), "every unit is late or not");
        all.push(late);
    }
    all
}
