//! All deadlocks: states in which threads stand at points that they cannot pass.
//!
//! The summary lists where threads may wait, each point with the condition σ under which its thread stands there
//! and does not go on. A literal *global* implies: every thread was not created, or ended, or stands at a point
//! (a thread stands at one point at most, since σ excludes going further), and some thread does stand. The order
//! has a unit D of its own for the time of the deadlock: everything that a thread did before it ended or
//! came to its point is before D, and what it read to find out that it cannot pass is after D. Since nobody
//! writes after D, those reads see the memory of the deadlock.
//! A literal *local* says the same of a set of threads that all stand at locks, each held by a member, and
//! each holding what a member waits for: such a set is a cycle, or several without a thread in common.
//! By definition a state with a cycle has no global deadlock besides, so *global* also demands numbers for the threads
//! that grow from a thread to the holder of the lock that it waits for.
//! Pairs of points are never looked at, so the encoding is linear in their number (times threads for locks).
//!
//! A finding is the set of lines on which threads wait. Points of one line share a literal; when
//! a deadlock has been found exactly its set of lines is blocked, and the search goes on until there is no other.
//! What the solver finds is replayed: the replay is told who waits where. If it does not get there, that is a mistake in
//! raddle, and is said.

use std::collections::BTreeMap;

use raddle_interp::{ConfirmedTrace, ThreadId, Wanted, replay_guided};
use raddle_ir::Property;
use raddle_sat::{Answer, Lit};
use raddle_summary::{EventKind, MarkKind, Skeleton, ThreadIx, Wait, WaitKind};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashSet;

use super::backend::Backend;
use super::before::Unit;
use super::compose::{Composition, Pseudo, pseudo_thread};
use super::contexts::Contexts;
use super::scene::Scene;
use super::witness::Model;

/// More sets of lines than this are not told apart.
const MOST: usize = 64;

/// A source line.
type Line = (u32, u32);

/// One kind of deadlock in the backend.
struct Query {
    /// Implies that there is one.
    some: Lit,
    /// Among a few threads only.
    local: bool,
    /// For each waiting point, by its place among the skeleton's, a literal: its thread waits there.
    points: Vec<(usize, Lit)>,
    /// For each line a literal: some thread waits there.
    lines: Vec<Lit>,
    /// The time of the deadlock.
    time: Unit,
}

/// The encoding.
pub struct Deadlocks {
    local: Option<Query>,
    global: Query,
}

impl Deadlocks {
    /// Literals each of which implies a deadlock.
    pub fn selectors(&self) -> Vec<Lit> {
        self.local.iter().chain([&self.global]).map(|q| q.some).collect()
    }
}

/// What the search gave.
#[derive(Default)]
pub struct Search {
    /// Deadlocks, replayed.
    pub found: Vec<ConfirmedTrace>,
    /// Why others could not be replayed.
    pub unconfirmed: Vec<String>,
    /// There may be more.
    pub out_of_time: bool,
}

/// Encodes all waiting points. To be called before the first solve.
pub fn encode(
    scene: Scene,
    terms: &mut Terms,
    composition: &mut Composition,
    contexts: Option<&Contexts>,
) -> Deadlocks {
    let waits = &scene.skeleton.waits;
    let stuck: Vec<TermId> = waits.iter().map(|w| stuck(scene, terms, w)).collect();
    let backend = composition.backend.as_mut();
    let lits: Vec<Lit> = stuck.iter().map(|&t| backend.lit(terms, t)).collect();
    let mut global = global(scene, terms, backend, &lits);
    acyclic(scene.skeleton, terms, backend, &stuck, global.some);
    let mut local = local(scene, terms, composition, &lits);
    if let Some(contexts) = contexts {
        let backend = composition.backend.as_mut();
        for query in local.iter_mut().chain([&mut global]) {
            query.some = contexts.within(backend, query.some, query.time);
        }
    }
    Deadlocks { local, global }
}

/// The condition under which a thread does not go on.
fn stuck(scene: Scene, terms: &mut Terms, wait: &Wait) -> TermId {
    let WaitKind::Join(target) = wait.kind else { return wait.stuck };
    let mut stuck = wait.stuck;
    for (i, thread) in scene.skeleton.threads.iter().enumerate() {
        if i == wait.thread.index() {
            continue;
        }
        let number = terms.constant(u128::from(thread.number), scene.program.pointer_bits);
        let meant = terms.eq(target, number);
        let joined = terms.and(meant, thread.ended);
        let not_joined = terms.not(joined);
        stuck = terms.and(stuck, not_joined);
    }
    stuck
}

/// For each line a literal that holds if and only if one of its points does.
fn lines(scene: Scene, points: &[(usize, Lit)], backend: &mut dyn Backend) -> Vec<Lit> {
    let mut lines: BTreeMap<Line, Vec<Lit>> = BTreeMap::new();
    for &(wait, point) in points {
        let place = scene.program.place(scene.skeleton.waits[wait].site);
        lines.entry((place.file.0, place.line)).or_default().push(point);
    }
    let mut literal = |mut points: Vec<Lit>| {
        let line = backend.new_lit();
        for &point in &points {
            backend.clause(&[!point, line]);
        }
        points.push(!line);
        backend.clause(&points);
        line
    };
    lines.into_values().map(&mut literal).collect()
}

/// Orders what a thread did before a point before `now`, and what it reads there after it.
fn stands_at(backend: &mut dyn Backend, wait: &Wait, here: Lit, now: Unit) {
    backend.guarded_edge(here, (wait.thread, wait.unit - 1), now);
    if wait.reads {
        backend.guarded_edge(here, now, (wait.thread, wait.unit));
    }
}

/// All threads stand, or ended, or were not created.
fn global(scene: Scene, terms: &Terms, backend: &mut dyn Backend, stuck: &[Lit]) -> Query {
    let skeleton = scene.skeleton;
    let waits = &skeleton.waits;
    let some = backend.new_lit();
    let mut any = vec![!some];
    any.extend_from_slice(stuck);
    backend.clause(&any);
    let now = (pseudo_thread(skeleton, Pseudo::GlobalDeadlock), 0);
    let both = |backend: &mut dyn Backend, lit: Lit| {
        let both = backend.new_lit();
        backend.clause(&[!some, !lit, both]);
        both
    };
    for (t, thread) in skeleton.threads.iter().enumerate() {
        let created = skeleton
            .marks
            .iter()
            .find(|m| matches!(m.kind, MarkKind::Create(child) if child.index() == t));
        let ended = backend.lit(terms, thread.ended);
        let mut clause = vec![!some, ended];
        if let Some(mark) = created {
            clause.push(!backend.lit(terms, mark.guard));
        }
        clause.extend(
            waits.iter().zip(stuck).filter(|(w, _)| w.thread.index() == t).map(|(_, &s)| s),
        );
        backend.clause(&clause);
        let ended = both(backend, ended);
        backend.guarded_edge(ended, (ThreadIx(t as u32), thread.units - 1), now);
    }
    for (wait, &stuck) in waits.iter().zip(stuck) {
        let here = both(backend, stuck);
        stands_at(backend, wait, here, now);
    }
    let points: Vec<(usize, Lit)> = stuck.iter().copied().enumerate().collect();
    let lines = lines(scene, &points, backend);
    Query { some, local: false, points, lines, time: now }
}

/// For each thread the condition that it has the lock with this word.
fn holders(skeleton: &Skeleton, terms: &mut Terms, word: TermId) -> Vec<(usize, TermId)> {
    let holds = skeleton.threads.iter().enumerate().map(|(t, thread)| {
        let number = terms.constant(u128::from(thread.number), 32);
        (t, terms.eq(word, number))
    });
    let all: Vec<(usize, TermId)> = holds.collect();
    all.into_iter().filter(|&(_, holds)| !terms.is_false(holds)).collect()
}

/// No threads wait for each other's locks in a circle.
fn acyclic(
    skeleton: &Skeleton,
    terms: &mut Terms,
    backend: &mut dyn Backend,
    stuck: &[TermId],
    some: Lit,
) {
    let width = usize::BITS - skeleton.threads.len().leading_zeros();
    let ranks: Vec<TermId> = skeleton.threads.iter().map(|_| terms.fresh(width)).collect();
    for (wait, &stuck) in skeleton.waits.iter().zip(stuck) {
        let WaitKind::Lock(word) = wait.kind else { continue };
        for (holder, holds) in holders(skeleton, terms, word) {
            let waits = terms.and(stuck, holds);
            let grows = terms.ult(ranks[wait.thread.index()], ranks[holder]);
            let right = terms.implies(waits, grows);
            backend.assert_implies(terms, &[some], right);
        }
    }
}

/// The units that write something other than lock words.
fn data_writes(skeleton: &Skeleton) -> FxHashSet<Unit> {
    let writes = skeleton.events.iter().filter(|e| e.kind == EventKind::Write && !e.lock);
    writes.map(|e| (e.thread, e.unit)).collect()
}

/// Some threads stand at locks that other ones of them hold.
fn local(
    scene: Scene,
    terms: &mut Terms,
    composition: &mut Composition,
    stuck: &[Lit],
) -> Option<Query> {
    let skeleton = scene.skeleton;
    let Composition { backend, sources, .. } = composition;
    let backend = backend.as_mut();
    let data = data_writes(skeleton);
    let now = (pseudo_thread(skeleton, Pseudo::LocalDeadlock), 0);
    let members: Vec<Lit> = skeleton.threads.iter().map(|_| backend.new_lit()).collect();
    // A member stands somewhere, and a member waits for it.
    let mut stands: Vec<Vec<Lit>> = members.iter().map(|&m| vec![!m]).collect();
    let mut wanted = stands.clone();
    let mut points = Vec::new();
    for (i, (wait, &stuck)) in skeleton.waits.iter().zip(stuck).enumerate() {
        let WaitKind::Lock(word) = wait.kind else { continue };
        let here = backend.new_lit();
        points.push((i, here));
        stands[wait.thread.index()].push(here);
        backend.clause(&[!here, stuck]);
        backend.clause(&[!here, members[wait.thread.index()]]);
        let mut held = vec![!here];
        for (holder, holds) in holders(skeleton, terms, word) {
            let held_by = backend.new_lit();
            backend.assert_implies(terms, &[held_by], holds);
            backend.clause(&[!held_by, members[holder]]);
            backend.clause(&[!held_by, here]);
            held.push(held_by);
            wanted[holder].push(held_by);
        }
        backend.clause(&held);
        stands_at(backend, wait, here, now);
        // Other threads may go on after that time: what they write then is not what blocks.
        let read = sources.get(&(wait.thread, wait.unit)).into_iter().flatten();
        for &(reads_from, write) in read.filter(|(_, w)| data.contains(w)) {
            let both = backend.new_lit();
            backend.clause(&[!here, !reads_from, both]);
            backend.guarded_edge(both, write, now);
        }
    }
    if points.is_empty() {
        return None;
    }
    for clause in stands.iter().chain(&wanted) {
        backend.clause(clause);
    }
    let some = backend.new_lit();
    let any: Vec<Lit> = points.iter().map(|p| p.1).chain([!some]).collect();
    backend.clause(&any);
    let lines = lines(scene, &points, backend);
    Some(Query { some, local: true, points, lines, time: now })
}

/// Finds all deadlocks, those of a few threads first.
pub fn find(
    scene: Scene,
    terms: &Terms,
    composition: &mut Composition,
    deadlocks: Deadlocks,
    first_only: bool,
) -> Search {
    let mut search = Search::default();
    for query in deadlocks.local.into_iter().chain([deadlocks.global]) {
        for _ in 0..MOST {
            match composition.backend.solve(query.some) {
                Answer::Unsatisfiable => break,
                Answer::Interrupted => {
                    search.out_of_time = true;
                    return search;
                }
                Answer::Satisfiable => {}
            }
            let mut other = vec![!query.some];
            for &line in &query.lines {
                other.push(if composition.backend.value(line) { !line } else { line });
            }
            match replay(scene, terms, composition, &query) {
                Ok(trace) => search.found.push(trace),
                Err(what) => search.unconfirmed.push(what),
            }
            if first_only && !search.found.is_empty() {
                return search;
            }
            composition.backend.clause(&other);
        }
    }
    search
}

/// Replays the deadlock of the last model.
fn replay(
    scene: Scene,
    terms: &Terms,
    composition: &mut Composition,
    query: &Query,
) -> Result<ConfirmedTrace, String> {
    let skeleton = scene.skeleton;
    let backend = composition.backend.as_mut();
    let waiting = query.points.iter().filter(|p| backend.value(p.1));
    let waits = waiting.map(|&(wait, _)| {
        let wait = &skeleton.waits[wait];
        (ThreadId(skeleton.threads[wait.thread.index()].number), wait.at)
    });
    let wanted = Wanted::Deadlock { local: query.local, waits: waits.collect() };
    let mut model = Model::new(scene, terms, backend);
    let guide = model.guide(&[(query.time.0.0, query.time.1)], &[]);
    let mut answers = model.answers(&composition.initial);
    match replay_guided(scene.program, &guide, &mut answers, &wanted) {
        Ok(trace) if trace.finding().property == Property::Deadlocks => Ok(trace),
        Ok(trace) => Err(format!("its replay violates {}", trace.finding().property)),
        Err(e) => Err(e.to_string()),
    }
}
