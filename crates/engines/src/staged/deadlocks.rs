//! All deadlocks: states in which threads stand at points that they cannot pass.
//!
//! The summary lists where threads may wait, each point with the condition σ under which its thread stands there
//! and does not go on. A literal *global* implies: every thread was not created, or ended, or stands at a point
//! (a thread stands at one point at most, since σ excludes going further), and some thread does stand. The order
//! has a unit D of its own for the time of the deadlock: everything that a thread did before it ended or
//! came to its point is before D, and what it read to find out that it cannot pass is after D. Since nobody
//! writes after D, those reads see the memory of the deadlock.
//! A literal *local* says the same of a set of threads that all stand at locks, each of which holds the number of
//! a member; a finite set of this kind contains a cycle.
//! Pairs of points are never looked at, so the encoding is linear in their number.
//! Points of one source line share a literal; the lines of a deadlock that was found are blocked, and
//! the search goes on, until there are no deadlocks with other lines.

use std::collections::BTreeMap;

use raddle_blast::ClauseSink;
use raddle_interp::{ConfirmedTrace, Wanted, replay_guided};
use raddle_ir::Program;
use raddle_order::solve;
use raddle_sat::{Answer, Lit};
use raddle_summary::{Knowledge, MarkKind, Skeleton, Wait, WaitKind};
use raddle_term::TermId;

use super::compose::Composition;
use super::witness::Model;

/// More combinations of lines than this are not told apart.
const MOST: usize = 64;

/// A source line.
type Line = (u32, u32);

/// One kind of deadlock in the solver.
struct Query {
    /// Implies that there is one.
    some: Lit,
    /// For each line a literal that holds if a thread stands there, and the literals of its points.
    lines: BTreeMap<Line, (Lit, Vec<Lit>)>,
    /// The pseudo-thread of the order whose only unit is the time of the deadlock.
    time: usize,
}

/// The encoding.
pub struct Deadlocks {
    local: Option<Query>,
    global: Query,
}

/// What the search gave.
#[derive(Default)]
pub struct Search {
    /// Deadlocks, replayed.
    pub found: Vec<ConfirmedTrace>,
    /// There may be more.
    pub out_of_time: bool,
}

/// Encodes all waiting points. To be called before the first solve.
pub fn encode(
    program: &Program,
    skeleton: &mut Skeleton,
    composition: &mut Composition,
) -> Deadlocks {
    let waits = skeleton.waits.clone();
    let stuck: Vec<TermId> = waits.iter().map(|w| stuck(program, skeleton, w)).collect();
    let Composition { solver, blaster, .. } = composition;
    let lits: Vec<Lit> = stuck.iter().map(|&t| blaster.lit(&skeleton.terms, t, solver)).collect();
    let global = global(program, skeleton, composition, &waits, &lits);
    let local = local(program, skeleton, composition, &waits, &lits);
    Deadlocks { local, global }
}

/// The condition under which a thread does not go on.
fn stuck(program: &Program, skeleton: &mut Skeleton, wait: &Wait) -> TermId {
    let WaitKind::Join(target) = wait.kind else { return wait.stuck };
    let terms = &mut skeleton.terms;
    let mut stuck = wait.stuck;
    for (i, thread) in skeleton.threads.iter().enumerate() {
        if i == wait.thread.index() {
            continue;
        }
        let number = terms.constant(u128::from(thread.number), program.pointer_bits);
        let meant = terms.eq(target, number);
        let joined = terms.and(meant, thread.ended);
        let not_joined = terms.not(joined);
        stuck = terms.and(stuck, not_joined);
    }
    stuck
}

fn line(program: &Program, wait: &Wait) -> Line {
    let place = program.place(wait.site);
    (place.file.0, place.line)
}

/// Makes `here` imply the literal of its line; `point` is read from the model.
fn add_to_line(
    lines: &mut BTreeMap<Line, (Lit, Vec<Lit>)>,
    solver: &mut raddle_sat::Solver,
    line: Line,
    here: Lit,
    point: Lit,
) {
    let (lit, points) = lines.entry(line).or_insert_with(|| (solver.new_lit(), Vec::new()));
    solver.clause(&[!here, *lit]);
    points.push(point);
}

/// All threads stand, or ended, or were not created.
fn global(
    program: &Program,
    skeleton: &Skeleton,
    composition: &mut Composition,
    waits: &[Wait],
    stuck: &[Lit],
) -> Query {
    let Composition { solver, blaster, theory, .. } = composition;
    let mut theory = theory.borrow_mut();
    let some = solver.new_lit();
    let mut any = vec![!some];
    any.extend_from_slice(stuck);
    solver.clause(&any);
    let time = skeleton.threads.len() + 1;
    let now = theory.unit(time, 0);
    let both = |solver: &mut raddle_sat::Solver, lit: Lit| {
        let both = solver.new_lit();
        solver.clause(&[!some, !lit, both]);
        both
    };
    for (t, thread) in skeleton.threads.iter().enumerate() {
        let created = skeleton
            .marks
            .iter()
            .find(|m| matches!(m.kind, MarkKind::Create(child) if child.index() == t));
        let ended = blaster.lit(&skeleton.terms, thread.ended, solver);
        let mut clause = vec![!some, ended];
        if let Some(mark) = created {
            clause.push(!blaster.lit(&skeleton.terms, mark.guard, solver));
        }
        clause.extend(
            waits.iter().zip(stuck).filter(|(w, _)| w.thread.index() == t).map(|(_, &s)| s),
        );
        solver.clause(&clause);
        let last = theory.unit(t, thread.units - 1);
        let ended = both(solver, ended);
        theory.guarded_edge(ended, last, now);
    }
    let mut lines = BTreeMap::new();
    for (wait, &stuck) in waits.iter().zip(stuck) {
        let here = both(solver, stuck);
        let before = theory.unit(wait.thread.index(), wait.unit - 1);
        theory.guarded_edge(here, before, now);
        if wait.reads {
            let unit = theory.unit(wait.thread.index(), wait.unit);
            theory.guarded_edge(here, now, unit);
        }
        add_to_line(&mut lines, solver, line(program, wait), here, stuck);
    }
    Query { some, lines, time }
}

/// Some threads stand at locks that other ones of them hold.
fn local(
    program: &Program,
    skeleton: &mut Skeleton,
    composition: &mut Composition,
    waits: &[Wait],
    stuck: &[Lit],
) -> Option<Query> {
    let Composition { solver, blaster, theory, .. } = composition;
    let mut theory = theory.borrow_mut();
    let time = skeleton.threads.len() + 2;
    let now = theory.unit(time, 0);
    let members: Vec<Lit> = skeleton.threads.iter().map(|_| solver.new_lit()).collect();
    let mut stands: Vec<Vec<Lit>> = members.iter().map(|&m| vec![!m]).collect();
    let mut any = Vec::new();
    let mut lines = BTreeMap::new();
    for (wait, &stuck) in waits.iter().zip(stuck) {
        let WaitKind::Lock(word) = wait.kind else { continue };
        let here = solver.new_lit();
        any.push(here);
        stands[wait.thread.index()].push(here);
        solver.clause(&[!here, stuck]);
        let mut holders = vec![!here];
        for (t, thread) in skeleton.threads.iter().enumerate() {
            let number = skeleton.terms.constant(u128::from(thread.number), 32);
            let holds = skeleton.terms.eq(word, number);
            if skeleton.terms.is_false(holds) {
                continue;
            }
            let held_by = solver.new_lit();
            blaster.assert_implies(&skeleton.terms, &[held_by], holds, solver);
            solver.clause(&[!held_by, members[t]]);
            holders.push(held_by);
        }
        solver.clause(&holders);
        let before = theory.unit(wait.thread.index(), wait.unit - 1);
        theory.guarded_edge(here, before, now);
        if wait.reads {
            let unit = theory.unit(wait.thread.index(), wait.unit);
            theory.guarded_edge(here, now, unit);
        }
        add_to_line(&mut lines, solver, line(program, wait), here, here);
    }
    for clause in stands {
        solver.clause(&clause);
    }
    if any.is_empty() {
        return None;
    }
    let some = solver.new_lit();
    any.push(!some);
    solver.clause(&any);
    Some(Query { some, lines, time })
}

/// Finds all deadlocks, those of a few threads first.
pub fn find(
    program: &Program,
    knowledge: &Knowledge,
    skeleton: &Skeleton,
    composition: &mut Composition,
    deadlocks: Deadlocks,
    first_only: bool,
) -> Result<Search, String> {
    let mut search = Search::default();
    for query in deadlocks.local.into_iter().chain([deadlocks.global]) {
        let mut rounds = 0;
        loop {
            match solve(&mut composition.solver, &composition.theory, &[query.some]) {
                Answer::Unsatisfiable => break,
                Answer::Interrupted => {
                    search.out_of_time = true;
                    return Ok(search);
                }
                Answer::Satisfiable => {}
            }
            let solver = &mut composition.solver;
            let stands = |points: &[Lit], solver: &mut raddle_sat::Solver| {
                points.iter().any(|&p| solver.value(p))
            };
            let mut block: Vec<Lit> = Vec::new();
            for (line, points) in query.lines.values() {
                if stands(points, solver) {
                    block.push(!*line);
                }
            }
            let mut model = Model::new(skeleton, composition);
            let guide = model.guide(composition, &[(query.time as u32, 0)]);
            let mut answers = model.answers(knowledge);
            // What does not replay is not reported: absence of deadlocks is not claimed either.
            search.found.extend(replay_guided(program, &guide, &mut answers, &Wanted::Deadlock));
            rounds += 1;
            if (first_only && !search.found.is_empty()) || rounds == MOST {
                break;
            }
            block.push(!query.some);
            composition.solver.clause(&block);
        }
        if first_only && !search.found.is_empty() {
            break;
        }
    }
    Ok(search)
}
