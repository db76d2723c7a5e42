//! All deadlocks: states in which threads stand at points that they cannot pass.
//!
//! The summary lists where threads may wait, each point with the condition σ under which its thread
//! stands there and does not go on. A literal *global* implies: every thread was not created, or
//! ended, or stands at a point (a thread stands at one point at most, since σ excludes going
//! further), and some thread does stand. A literal *local* says the same of a set of threads that
//! all stand at locks, each held by a member, and each holding what a member waits for: such a set
//! is a cycle, or several without a thread in common. By definition a state with a cycle has no
//! global deadlock besides, so *global* also demands numbers for the threads that grow from a
//! thread to the holder of the lock that it waits for. Pairs of points are never looked at, so the
//! encoding is linear in their number (times threads for locks).
//!
//! What is left to an engine is time: under its literal, what a thread read to find out that it
//! cannot pass is the memory of one state, in which all threads that ended have done so and no
//! other has gone further than its point.
//!
//! A finding is the set of lines on which threads wait. Points of one line share a literal; when a
//! deadlock has been found exactly its set of lines is blocked, and the search goes on until there
//! is no other. What the solver finds is replayed: the replay is told who waits where. If it does
//! not get there, that is a mistake in raddle, and is said.

use std::collections::{BTreeMap, BTreeSet};

use raddle_interp::{ThreadId, Wanted};
use raddle_ir::Property;
use raddle_sat::Lit;
use raddle_summary::{MarkKind, Skeleton, ThreadIx, Wait, WaitKind};
use raddle_term::{TermId, Terms};

use super::composition::Shown;
use super::formula::Formula;
use super::scene::Scene;
use super::search::{Question, Search};
use super::witness::Stand;

/// More sets of lines than this are not told apart.
const MOST: usize = 64;

/// A source line.
type Line = (u32, u32);

/// A waiting point in a deadlock.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its place among the skeleton's.
    pub wait: usize,
    /// In a model of a deadlock, whether its thread waits there.
    pub waits: Lit,
    /// Implied by the deadlock and `waits`: the time of the deadlock may depend on it.
    pub stands: Lit,
}

/// A thread that has ended in a deadlock.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The thread.
    pub thread: ThreadIx,
    /// Implied by the deadlock if the thread has ended.
    pub ended: Lit,
}

/// One kind of deadlock.
pub struct Goal {
    /// Implies that there is one.
    pub some: Lit,
    /// Among a few threads only.
    pub local: bool,
    /// Where threads may wait.
    pub points: Vec<Point>,
    /// Who may have ended.
    pub ended: Vec<Ended>,
    /// For each line a literal: some thread waits there.
    lines: Vec<Lit>,
}

/// Encodes all waiting points: local deadlocks, if there can be any, and global ones.
pub fn encode(scene: Scene, terms: &mut Terms, formula: &mut dyn Formula) -> Vec<Goal> {
    let waits = &scene.skeleton.waits;
    let stuck: Vec<TermId> = waits.iter().map(|w| stuck(scene, terms, w)).collect();
    assert!(!waits.is_empty(), "without waiting points there is nothing to encode");
    let lits: Vec<Lit> = stuck.iter().map(|&t| formula.lit(terms, t)).collect();
    let global = global(scene, terms, formula, &lits);
    acyclic(scene.skeleton, terms, formula, &stuck, global.some);
    local(scene, terms, formula, &lits).into_iter().chain([global]).collect()
}

/// The condition under which a thread does not go on.
fn stuck(scene: Scene, terms: &mut Terms, wait: &Wait) -> TermId {
    assert!(wait.unit > 0, "the first unit of a thread is its existence");
    let WaitKind::Join(target) = wait.kind else { return wait.stuck };
    let mut stuck = wait.stuck;
    for (_, joined) in scene.joined(terms, wait.thread, target) {
        let not_joined = terms.not(joined);
        stuck = terms.and(stuck, not_joined);
    }
    stuck
}

/// For each line a literal that holds if and only if a thread waits at one of its points.
fn lines(scene: Scene, points: &[Point], formula: &mut dyn Formula) -> Vec<Lit> {
    let mut lines: BTreeMap<Line, Vec<Lit>> = BTreeMap::new();
    for point in points {
        let place = scene.program.place(scene.skeleton.waits[point.wait].site);
        lines.entry((place.file.0, place.line)).or_default().push(point.waits);
    }
    let mut literal = |mut points: Vec<Lit>| {
        let line = formula.new_lit();
        for &point in &points {
            formula.clause(&[!point, line]);
        }
        points.push(!line);
        formula.clause(&points);
        line
    };
    lines.into_values().map(&mut literal).collect()
}

/// All threads stand, or ended, or were not created.
fn global(scene: Scene, terms: &Terms, formula: &mut dyn Formula, stuck: &[Lit]) -> Goal {
    let skeleton = scene.skeleton;
    let some = formula.new_lit();
    let mut any = vec![!some];
    any.extend_from_slice(stuck);
    formula.clause(&any);
    let both = |formula: &mut dyn Formula, lit: Lit| {
        let both = formula.new_lit();
        formula.clause(&[!some, !lit, both]);
        both
    };
    let mut all_ended = Vec::new();
    for (t, thread) in skeleton.threads.iter().enumerate() {
        let created = skeleton
            .marks
            .iter()
            .find(|m| matches!(m.kind, MarkKind::Create(child) if child.index() == t));
        let ended = formula.lit(terms, thread.ended);
        let mut clause = vec![!some, ended];
        if let Some(mark) = created {
            clause.push(!formula.lit(terms, mark.guard));
        }
        let waits = skeleton.waits.iter().zip(stuck);
        clause.extend(waits.filter(|(w, _)| w.thread.index() == t).map(|(_, &s)| s));
        formula.clause(&clause);
        all_ended.push(Ended { thread: ThreadIx(t as u32), ended: both(formula, ended) });
    }
    let mut points = Vec::new();
    for (wait, &waits) in stuck.iter().enumerate() {
        points.push(Point { wait, waits, stands: both(formula, waits) });
    }
    let lines = lines(scene, &points, formula);
    Goal { some, local: false, points, ended: all_ended, lines }
}

/// For each thread the condition that it has the lock with this word.
fn holders(skeleton: &Skeleton, terms: &mut Terms, word: TermId) -> Vec<(usize, TermId)> {
    assert_eq!(terms.width(word), 32, "the word of a mutex has four bytes");
    let mut all = Vec::new();
    for (t, thread) in skeleton.threads.iter().enumerate() {
        let number = terms.constant(u128::from(thread.number), 32);
        let holds = terms.eq(word, number);
        if !terms.is_false(holds) {
            all.push((t, holds));
        }
    }
    all
}

/// No threads wait for each other's locks in a circle.
fn acyclic(
    skeleton: &Skeleton,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    stuck: &[TermId],
    some: Lit,
) {
    let width = usize::BITS - skeleton.threads.len().leading_zeros();
    assert!(1 << width > skeleton.threads.len(), "there are ranks for all threads");
    let ranks: Vec<TermId> = skeleton.threads.iter().map(|_| terms.fresh(width)).collect();
    for (wait, &stuck) in skeleton.waits.iter().zip(stuck) {
        let WaitKind::Lock(word) = wait.kind else { continue };
        for (holder, holds) in holders(skeleton, terms, word) {
            let waits = terms.and(stuck, holds);
            let grows = terms.ult(ranks[wait.thread.index()], ranks[holder]);
            let right = terms.implies(waits, grows);
            formula.assert_implies(terms, &[some], right);
        }
    }
}

/// Some threads stand at locks that other ones of them hold.
fn local(
    scene: Scene,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    stuck: &[Lit],
) -> Option<Goal> {
    let skeleton = scene.skeleton;
    let members: Vec<Lit> = skeleton.threads.iter().map(|_| formula.new_lit()).collect();
    // A member stands somewhere, and a member waits for it.
    let mut stands: Vec<Vec<Lit>> = members.iter().map(|&m| vec![!m]).collect();
    let mut wanted = stands.clone();
    let mut points = Vec::new();
    for (i, (wait, &stuck)) in skeleton.waits.iter().zip(stuck).enumerate() {
        let WaitKind::Lock(word) = wait.kind else { continue };
        let here = formula.new_lit();
        points.push(Point { wait: i, waits: here, stands: here });
        stands[wait.thread.index()].push(here);
        formula.clause(&[!here, stuck]);
        formula.clause(&[!here, members[wait.thread.index()]]);
        let mut held = vec![!here];
        for (holder, holds) in holders(skeleton, terms, word) {
            let held_by = formula.new_lit();
            formula.assert_implies(terms, &[held_by], holds);
            formula.clause(&[!held_by, members[holder]]);
            formula.clause(&[!held_by, here]);
            held.push(held_by);
            wanted[holder].push(held_by);
        }
        formula.clause(&held);
    }
    if points.is_empty() {
        return None;
    }
    for clause in stands.iter().chain(&wanted) {
        formula.clause(clause);
    }
    let some = formula.new_lit();
    let any: Vec<Lit> = points.iter().map(|p| p.waits).chain([!some]).collect();
    formula.clause(&any);
    let lines = lines(scene, &points, formula);
    Some(Goal { some, local: true, points, ended: Vec::new(), lines })
}

/// The deadlocks of one kind.
pub struct Deadlocks<'a> {
    skeleton: &'a Skeleton,
    goal: &'a Goal,
    /// How many sets of lines may still be told apart.
    left: usize,
    /// The sets that were shown: for each line whether a thread waits there.
    shown: BTreeSet<Vec<bool>>,
}

impl<'a> Deadlocks<'a> {
    /// All of them.
    pub fn new(skeleton: &'a Skeleton, goal: &'a Goal) -> Self {
        Deadlocks { skeleton, goal, left: MOST, shown: BTreeSet::new() }
    }
}

impl Question for Deadlocks<'_> {
    fn open(&mut self, _: &mut dyn Formula) -> Option<Lit> {
        (self.left > 0).then_some(self.goal.some)
    }

    fn model(&mut self, search: &mut Search) -> Result<(), String> {
        self.left -= 1;
        let lines: Vec<bool> = self.goal.lines.iter().map(|&l| search.value(l)).collect();
        assert!(lines.contains(&true), "a deadlock has lines");
        let mut other_lines = vec![!self.goal.some];
        let each = self.goal.lines.iter().zip(&lines);
        other_lines.extend(each.map(|(&line, &waits)| if waits { !line } else { line }));
        assert!(self.shown.insert(lines), "what was shown does not come again");
        let waiting = self.goal.points.iter().filter(|p| search.value(p.waits));
        let waiting: Vec<&Wait> = waiting.map(|p| &self.skeleton.waits[p.wait]).collect();
        let number = |wait: &Wait| self.skeleton.threads[wait.thread.index()].number;
        let waits = waiting.iter().map(|w| (ThreadId(number(w)), w.at)).collect();
        let stand = |w: &&Wait| Stand::new(self.skeleton, (w.thread, w.unit), w.at, None);
        let stands: Vec<Stand> = waiting.iter().map(stand).collect();
        let wanted = Wanted::Deadlock { local: self.goal.local, waits };
        let shown = if self.goal.local { Shown::LocalDeadlock } else { Shown::GlobalDeadlock };
        match search.replay(shown, &stands, &wanted)? {
            Ok(trace) if trace.finding().property == Property::Deadlocks => {
                search.findings.found.push(trace);
            }
            Ok(trace) => {
                let property = trace.finding().property;
                let why = format!("the replay of a deadlock violates {property}");
                search.findings.unconfirmed.push(why);
            }
            Err(e) => search.findings.unconfirmed.push(format!("a deadlock: {e}")),
        }
        search.composition.formula().clause(&other_lines);
        Ok(())
    }
}
