//! Deadlocks as states of the composition.
//!
//! The definition is in `docs/semantics.md`. Each place where a thread may wait is a *point*: the
//! thread stands before a step, and does not get on in this state (the automata say when: a lock, a
//! join, a condition, an iteration that would change nothing). A *global* deadlock is a state in which
//! each thread is not created, has ended or stands at a point, and some thread stands. A *local* one is
//! a circle of threads that stand at locks, each held by the next: the transitive closure of who waits
//! for whom, as gates. A state with a circle has no global deadlock besides. Both are conditions on one
//! state, like any violation, so that all methods, certificates and exports have them.
//! A thread that spins can always move, and whoever wakes for no reason as well: what stubborn sets
//! preserve (states in which nobody moves) is something else, and the scheduler is not restricted where
//! deadlocks are looked for.
//! A finding is a set of lines (`lines.rs`).
//! Source: the same idea over unrolled automata is `lazy/deadlocks.rs`; paper 003 has no deadlocks.
//! Limits: who perhaps spins ([`Waiting::Perhaps`]) is a bound, and an atomic section that waits after a step of its
//! own is not modelled.

use raddle_automaton::{CellId, Cut, CutKind, StateIx, StateVar, Thread, ThreadIx, Wait, Waiting};
use raddle_ir::{Place, Property, Unmodelled};
use raddle_term::TermId;

use super::compose::{Composition, Name};
use super::goals::{End, Goal, Shows};
use super::lines::{Family, Part, Shown};
use super::witness::thread_id;

/// A place where a thread may wait.
struct Point {
    thread: ThreadIx,
    /// It stands there and does not get on.
    stuck: TermId,
    wait: Wait,
}

/// Adds what there is to look for.
pub fn add(
    composition: &mut Composition,
    shown: &Shown,
    goals: &mut Vec<Goal>,
    ends: &mut Vec<End>,
) {
    let points = points(composition, ends);
    let certain: Vec<usize> =
        (0..points.len()).filter(|&p| points[p].wait.how != Waiting::Perhaps).collect();
    let all: Vec<usize> = (0..points.len()).collect();
    let waits_for = waits_for(composition, &points);
    for (t, row) in waits_for.iter().enumerate() {
        let members: Vec<TermId> =
            (0..row.len()).map(|u| composition.terms.and(row[u], waits_for[u][t])).collect();
        let parts = locks_of(composition, &points, &members);
        goals.extend(goal(composition, true, members[t], parts, shown));
    }
    let circles: Vec<TermId> = waits_for.iter().enumerate().map(|(t, row)| row[t]).collect();
    let circle = composition.terms.or_all(&circles);
    let [surely, perhaps] = [&certain, &all].map(|some| global(composition, &points, some, circle));
    let parts: Vec<Part> = certain.iter().map(|&p| part(&points[p], points[p].stuck)).collect();
    goals.extend(goal(composition, false, surely, parts, shown));
    let only_perhaps = composition.terms.not(surely);
    for point in points.iter().filter(|p| p.wait.how == Waiting::Perhaps) {
        let cond = composition.terms.and_all(&[perhaps, only_perhaps, point.stuck]);
        let (kind, place) = (CutKind::Iterations, point.wait.place);
        ends.push(End { cond, cut: Cut { cond, kind, place } });
    }
}

/// All points, and the sections in which threads wait where that is not modelled.
fn points(composition: &mut Composition, ends: &mut Vec<End>) -> Vec<Point> {
    let mut points = Vec::new();
    for t in 0..composition.steps.len() {
        let thread = ThreadIx(t as u32);
        for s in 1..composition.steps[t].len() {
            let step = &composition.steps[t][s];
            let (waits, in_section) = (step.waits.clone(), step.in_section());
            let at = composition.now(Name::At(thread, StateIx(s as u32)));
            for wait in waits {
                let stuck = composition.terms.and(at, wait.cond);
                if !in_section {
                    points.push(Point { thread, stuck, wait });
                    continue;
                }
                let undisturbed = composition.undisturbed(&[thread]);
                let cond = composition.terms.and(stuck, undisturbed);
                let kind = match wait.how {
                    Waiting::Blocked | Waiting::Spins => {
                        CutKind::Unsupported(Unmodelled::WaitingSection)
                    }
                    Waiting::Perhaps => CutKind::Iterations,
                };
                ends.push(End { cond, cut: Cut { cond, kind, place: wait.place } });
            }
        }
    }
    points
}

/// By two threads: that the first one waits for a lock that the second one has, or for one of somebody
/// who waits for the second one so.
fn waits_for(composition: &mut Composition, points: &[Point]) -> Vec<Vec<TermId>> {
    let threads = composition.steps.len();
    let quiet = composition.undisturbed(&[]);
    let terms = &mut composition.terms;
    let mut reach = vec![vec![terms.fals(); threads]; threads];
    for point in points {
        let Some(word) = point.wait.word else { continue };
        for (u, waits) in reach[point.thread.index()].iter_mut().enumerate() {
            let number = u128::from(Thread::number(ThreadIx(u as u32)));
            let number = terms.constant(number, terms.width(word));
            let holds = terms.eq(word, number);
            let here = terms.and_all(&[quiet, point.stuck, holds]);
            *waits = terms.or(*waits, here);
        }
    }
    for k in 0..threads {
        let through = reach[k].clone();
        for row in &mut reach {
            if terms.is_false(row[k]) {
                continue;
            }
            for (u, &beyond) in through.iter().enumerate() {
                let both = terms.and(row[k], beyond);
                row[u] = terms.or(row[u], both);
            }
        }
    }
    reach
}

/// Where threads that are members of a circle wait.
fn locks_of(composition: &mut Composition, points: &[Point], members: &[TermId]) -> Vec<Part> {
    let mut parts = Vec::new();
    for point in points.iter().filter(|p| p.wait.word.is_some()) {
        let waits = composition.terms.and(point.stuck, members[point.thread.index()]);
        if !composition.terms.is_false(waits) {
            parts.push(part(point, waits));
        }
    }
    parts
}

/// The condition that everybody has ended, or stands at one of some points, and somebody does.
fn global(
    composition: &mut Composition,
    points: &[Point],
    some: &[usize],
    circle: TermId,
) -> TermId {
    let (mut all, mut any) = (vec![composition.terms.not(circle)], Vec::new());
    for t in 0..composition.steps.len() {
        let thread = composition.layout.threads[t];
        let value = |cell: CellId| {
            composition.shared(StateVar::Cell(cell)).expect("what lives is observed")
        };
        let (created, ended) = (value(thread.created), value(thread.ended));
        let own = some.iter().map(|&p| &points[p]).filter(|p| p.thread.index() == t);
        let own: Vec<TermId> = own.map(|p| p.stuck).collect();
        let terms = &mut composition.terms;
        let stands = terms.or_all(&own);
        any.push(stands);
        let missing = terms.not(created);
        all.push(terms.or_all(&[missing, ended, stands]));
    }
    all.push(composition.terms.or_all(&any));
    composition.terms.and_all(&all)
}

/// A goal, unless enough deadlocks of its kind were shown.
fn goal(
    composition: &mut Composition,
    local: bool,
    cond: TermId,
    parts: Vec<Part>,
    shown: &Shown,
) -> Option<Goal> {
    let family = Family::Deadlock { local };
    let cond = shown.others(&mut composition.terms, family, cond, &parts)?;
    let mut places: Vec<Place> = parts.iter().map(|p| p.place).collect();
    places.sort_unstable();
    places.dedup();
    let shows = Shows::Lines { family, parts };
    Some(Goal { cond, key: (Property::Deadlocks, places), shows, stands: Vec::new() })
}

fn part(point: &Point, cond: TermId) -> Part {
    let waits = Some((thread_id(point.thread), point.wait.at));
    Part { cond, place: point.wait.place, waits }
}
