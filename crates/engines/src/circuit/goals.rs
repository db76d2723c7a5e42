//! What can go wrong in a state of the composition, and where its automata end.
//!
//! A violation needs a thread that stands before its step and may make it. A race needs two threads
//! before steps whose accesses conflict, in the same memory; one of them may be inside an atomic
//! section. Deadlocks are in `deadlocks.rs`; what is left at the end of the program is seen before the
//! step that ends it.

use raddle_analysis::Locks;
use raddle_automaton::{Cut, State, StateIx, ThreadIx};
use raddle_interp::Wanted;
use raddle_ir::{Place, Property, PropertySet};
use raddle_term::{TermId, Terms};

use super::compose::{Composition, Pool};
use super::deadlocks;
use super::lines::{Family, Part, Shown};
use super::witness::thread_id;
use crate::accesses::{conflicts, overlap};

/// What findings are the same.
pub type Key = (Property, Vec<Place>);

/// A thread before its step, with inputs of a pool.
pub type Stand = (ThreadIx, StateIx, Pool);

/// Something that can go wrong.
#[derive(Clone, Debug)]
pub struct Goal {
    /// When it does.
    pub cond: TermId,
    /// What finding that would be.
    pub key: Key,
    /// What a replay shall show.
    pub shows: Shows,
    /// Who is about to do it.
    pub stands: Vec<Stand>,
}

/// What a replay shall show.
#[derive(Clone, Debug)]
pub enum Shows {
    /// Always the same.
    One(Wanted),
    /// One of several findings.
    Lines {
        /// Of which kind.
        family: Family,
        /// By which they differ.
        parts: Vec<Part>,
    },
}

/// A place where an automaton ends.
#[derive(Clone, Debug)]
pub struct End {
    /// When it is reached.
    pub cond: TermId,
    /// Why and where.
    pub cut: Cut,
}

/// All that can go wrong, and all ends.
pub fn goals(
    composition: &mut Composition,
    checked: PropertySet,
    locks: &Locks,
    shown: &Shown,
) -> (Vec<Goal>, Vec<End>) {
    let (mut goals, mut ends) = (Vec::new(), Vec::new());
    for t in 0..composition.steps.len() {
        for s in 1..composition.steps[t].len() {
            let (thread, state) = (ThreadIx(t as u32), StateIx(s as u32));
            let step = composition.steps[t][s].clone();
            if step.violations.is_empty() && step.cuts.is_empty() && step.leaks.is_empty() {
                continue;
            }
            let stands = composition.stands(thread, state, &step);
            let undisturbed = composition.undisturbed(&[thread]);
            let here = composition.terms.and(stands, undisturbed);
            for v in &step.violations {
                let cond = composition.terms.and(here, v.cond);
                let (id, at) = (thread_id(thread), v.at);
                let wanted = match v.fault {
                    true => Wanted::Memory { thread: id, at },
                    false => Wanted::Check { thread: id, at },
                };
                let (key, shows) = ((v.property, vec![v.place]), Shows::One(wanted));
                goals.push(Goal { cond, key, shows, stands: vec![(thread, state, Pool::First)] });
            }
            for leak in &step.leaks {
                let cond = composition.terms.and(here, leak.cond);
                let part = |&(place, cond): &(Place, TermId)| Part { cond, place, waits: None };
                let parts: Vec<Part> = leak.lines.iter().map(part).collect();
                let family = Family::Leak { thread: thread_id(thread) };
                if let Some(cond) = shown.others(&mut composition.terms, family, cond, &parts) {
                    let key = (leak.property, vec![leak.place]);
                    let stands = vec![(thread, state, Pool::First)];
                    goals.push(Goal { cond, key, shows: Shows::Lines { family, parts }, stands });
                }
            }
            for cut in &step.cuts {
                let cond = composition.terms.and(here, cut.cond);
                ends.push(End { cond, cut: cut.clone() });
            }
        }
    }
    if checked.contains(Property::Deadlocks) {
        deadlocks::add(composition, shown, &mut goals, &mut ends);
    }
    if checked.contains(Property::Races) {
        add_races(composition, locks, &mut goals);
    }
    goals.retain(|g| !composition.terms.is_false(g.cond));
    ends.retain(|e| !composition.terms.is_false(e.cond));
    (goals, ends)
}

fn add_races(composition: &mut Composition, locks: &Locks, goals: &mut Vec<Goal>) {
    for x in 0..composition.steps.len() {
        for y in x + 1..composition.steps.len() {
            for sx in 1..composition.steps[x].len() {
                for sy in 1..composition.steps[y].len() {
                    let (a, b) = (&composition.steps[x][sx], &composition.steps[y][sy]);
                    if !may_race(&composition.terms, locks, a, b) {
                        continue;
                    }
                    let first = (ThreadIx(x as u32), StateIx(sx as u32));
                    let second = (ThreadIx(y as u32), StateIx(sy as u32));
                    // Who is inside a section comes first.
                    let (first, second) =
                        if b.in_section() { (second, first) } else { (first, second) };
                    race(composition, first, second, goals);
                }
            }
        }
    }
}

fn race(
    composition: &mut Composition,
    first: (ThreadIx, StateIx),
    second: (ThreadIx, StateIx),
    goals: &mut Vec<Goal>,
) {
    let a = composition.steps[first.0.index()][first.1.index()].clone();
    let b = composition.step(second.0, second.1, Pool::Second);
    let both = [
        composition.stands(first.0, first.1, &a),
        composition.stands(second.0, second.1, &b),
        composition.undisturbed(&[first.0, second.0]),
    ];
    for x in &a.accesses {
        for y in &b.accesses {
            let terms = &mut composition.terms;
            if !conflicts(terms, x, y) {
                continue;
            }
            let overlap = overlap(terms, x, y);
            let writes = terms.or(x.writes, y.writes);
            let cond = terms.and_all(&[both[0], both[1], both[2], x.cond, y.cond, overlap, writes]);
            let mut places = vec![x.place, y.place];
            places.sort_unstable();
            let wanted = Wanted::Race {
                first: (thread_id(first.0), x.at),
                second: (thread_id(second.0), y.at),
            };
            let stands = vec![(first.0, first.1, Pool::First), (second.0, second.1, Pool::Second)];
            let (key, shows) = ((Property::Races, places), Shows::One(wanted));
            goals.push(Goal { cond, key, shows, stands });
        }
    }
}

/// Whether two threads before these steps may race, by all that is known beforehand.
fn may_race(terms: &Terms, locks: &Locks, a: &State, b: &State) -> bool {
    if a.in_section() && b.in_section() {
        return false;
    }
    if let (Some(p), Some(q)) = (a.position, b.position)
        && locks.exclude(p.at, q.at)
    {
        return false;
    }
    let meet = a
        .touches
        .iter()
        .any(|x| b.touches.iter().any(|y| x.cell == y.cell && (x.writes || y.writes)));
    meet && a.accesses.iter().any(|x| b.accesses.iter().any(|y| conflicts(terms, x, y)))
}
