//! All data races: pairs of accesses that two threads can be about to make in one state.
//!
//! For events e and f of different threads, a literal ρ(e, f) implies that both occur at overlapping addresses and
//! that the unit before e comes before f, and the unit before f before e. Then the execution, cut after the
//! later of those two units, contains neither e nor f, and both threads stand right before them: exactly
//! the definition of a race. No adjacency needs to be encoded.
//! If e is part of a unit with reads (a compare-exchange, an atomic section), whether it is reached depends on them; then
//! what they read from must come before f as well, so that it is in the cut.
//! Pairs of one pair of source lines share a group; a found group is blocked and the search goes on, so
//! that all racing pairs of lines are found in one run, or there are no others within the bound.
//! Pruning: pairs that are ordered in every execution, and pairs under a common mutex that is only released by its
//! holder.

use raddle_blast::ClauseSink;
use raddle_interp::{ConfirmedTrace, ThreadId, Wanted, replay_guided};
use raddle_ir::Program;
use raddle_order::solve;
use raddle_sat::{Answer, Lit};
use raddle_summary::{Event, EventKind, Knowledge, Skeleton};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::any_of;
use super::compose::Composition;
use super::sections;
use super::witness::Model;

/// One pair of accesses.
struct Pair {
    selector: Lit,
    first: usize,
    second: usize,
}

/// The pairs of one pair of source lines.
pub struct Group {
    pairs: Vec<Pair>,
}

/// What became of the search.
pub enum Races {
    /// All races, each replayed; `unconfirmed` says why others could not be shown.
    All {
        /// The races.
        found: Vec<ConfirmedTrace>,
        /// What the replays of others said.
        unconfirmed: Vec<String>,
    },
    /// The time was up; these were found before.
    Time(Vec<ConfirmedTrace>),
}

/// Encodes all pairs that may race. To be called before the first solve.
pub fn encode(
    program: &Program,
    skeleton: &mut Skeleton,
    composition: &mut Composition,
) -> Vec<Group> {
    let candidates: Vec<usize> =
        (0..skeleton.events.len()).filter(|&i| !skeleton.events[i].hidden).collect();
    // Events by object, so that only accesses that may meet are compared.
    let mut by_object: FxHashMap<raddle_summary::ObjectIx, Vec<usize>> = FxHashMap::default();
    for &i in &candidates {
        for (o, _) in &skeleton.events[i].targets {
            by_object.entry(*o).or_default().push(i);
        }
    }
    let mut objects: Vec<_> = by_object.into_iter().collect();
    objects.sort_unstable_by_key(|o| o.0);
    let mut groups: Vec<Group> = Vec::new();
    let mut index: FxHashMap<[(u32, u32); 2], usize> = FxHashMap::default();
    let mut seen: rustc_hash::FxHashSet<(usize, usize)> = rustc_hash::FxHashSet::default();
    for (_, events) in objects {
        for (n, &i) in events.iter().enumerate() {
            for &j in &events[n + 1..] {
                let (i, j) = (i.min(j), i.max(j));
                if i == j || !may_race(skeleton, composition, i, j) || !seen.insert((i, j)) {
                    continue;
                }
                let overlap = overlap(program, skeleton, i, j);
                if skeleton.terms.is_false(overlap) {
                    continue;
                }
                let selector = pair(skeleton, composition, i, j, overlap);
                let line = |e: &Event| {
                    let place = program.place(e.site);
                    (place.file.0, place.line)
                };
                let mut key = [line(&skeleton.events[i]), line(&skeleton.events[j])];
                key.sort_unstable();
                let g = *index.entry(key).or_insert_with(|| {
                    groups.push(Group { pairs: Vec::new() });
                    groups.len() - 1
                });
                groups[g].pairs.push(Pair { selector, first: i, second: j });
            }
        }
    }
    groups
}

fn may_race(skeleton: &Skeleton, composition: &mut Composition, i: usize, j: usize) -> bool {
    let (a, b) = (&skeleton.events[i], &skeleton.events[j]);
    let writes = a.kind == EventKind::Write || b.kind == EventKind::Write;
    if a.thread == b.thread || !writes || (a.atomic && b.atomic) {
        return false;
    }
    let (ua, ub) = ((a.thread, a.unit), (b.thread, b.unit));
    if composition.before.is_before(ua, ub) || composition.before.is_before(ub, ua) {
        return false;
    }
    !sections::exclude(skeleton, a, b)
        && !composition.implication.excludes(&skeleton.terms, a.reached, b.reached)
}

/// The condition for common bytes.
fn overlap(program: &Program, skeleton: &mut Skeleton, i: usize, j: usize) -> TermId {
    let (a, b) = (&skeleton.events[i], &skeleton.events[j]);
    let (at, bt, an, bn) = (a.address, b.address, a.bytes, b.bytes);
    let terms = &mut skeleton.terms;
    if an == bn && (an == 1 || at == bt) {
        return terms.eq(at, bt);
    }
    // at - bt < bn, or bt - at < an, in modular arithmetic: objects are far from the ends.
    let (x, y) = (terms.sub(at, bt), terms.sub(bt, at));
    let bn = terms.constant(u128::from(bn), program.pointer_bits);
    let an = terms.constant(u128::from(an), program.pointer_bits);
    let (first, second) = (terms.ult(x, bn), terms.ult(y, an));
    terms.or(first, second)
}

fn pair(
    skeleton: &Skeleton,
    composition: &mut Composition,
    i: usize,
    j: usize,
    overlap: TermId,
) -> Lit {
    let Composition { solver, blaster, theory, sources, .. } = composition;
    let selector = solver.new_lit();
    for t in [skeleton.events[i].reached, skeleton.events[j].reached, overlap] {
        blaster.assert_implies(&skeleton.terms, &[selector], t, solver);
    }
    let mut edges = Vec::new();
    for (e, f) in [(i, j), (j, i)] {
        let (e, f) = (&skeleton.events[e], &skeleton.events[f]);
        for &(reads_from, source) in sources.get(&(e.thread, e.unit)).into_iter().flatten() {
            // What it reads from must be in the cut, so it cannot be the other access itself.
            if source == (f.thread, f.unit) {
                solver.clause(&[!selector, !reads_from]);
                continue;
            }
            let other = (f.thread, f.unit);
            if source == (e.thread, e.unit) {
                continue;
            }
            if source == other {
                solver.clause(&[!selector, !reads_from]);
                continue;
            }
            let both = solver.new_lit();
            solver.clause(&[!selector, !reads_from, both]);
            edges.push((both, source, other));
        }
    }
    let mut theory = theory.borrow_mut();
    for (condition, from, to) in edges {
        let from = theory.unit(from.0.index(), from.1);
        let to = theory.unit(to.0.index(), to.1);
        theory.guarded_edge(condition, from, to);
    }
    for (e, f) in [(i, j), (j, i)] {
        let (e, f) = (&skeleton.events[e], &skeleton.events[f]);
        let before = theory.unit(f.thread.index(), f.unit - 1);
        let here = theory.unit(e.thread.index(), e.unit);
        theory.guarded_edge(selector, before, here);
    }
    selector
}

/// Finds all races.
pub fn find(
    program: &Program,
    knowledge: &Knowledge,
    skeleton: &Skeleton,
    composition: &mut Composition,
    mut groups: Vec<Group>,
    first_only: bool,
) -> Result<Races, String> {
    let (mut found, mut unconfirmed) = (Vec::new(), Vec::new());
    while !groups.is_empty() {
        let lits: Vec<Lit> =
            groups.iter().flat_map(|g| g.pairs.iter().map(|p| p.selector)).collect();
        let any = any_of(composition, &lits);
        match solve(&mut composition.solver, &composition.theory, &[any]) {
            Answer::Unsatisfiable => break,
            Answer::Interrupted => return Ok(Races::Time(found)),
            Answer::Satisfiable => {}
        }
        let solver = &mut composition.solver;
        let hit = groups.iter().enumerate().find_map(|(g, group)| {
            group.pairs.iter().position(|p| solver.value(p.selector)).map(|p| (g, p))
        });
        let Some((g, p)) = hit else {
            return Err("a model of a race has no racing pair".into());
        };
        let Pair { first, second, .. } = groups[g].pairs[p];
        let (e, f) = (&skeleton.events[first], &skeleton.events[second]);
        let mut until = vec![(e.thread.0, e.unit - 1), (f.thread.0, f.unit - 1)];
        for event in [e, f] {
            let Composition { solver, sources, .. } = &mut *composition;
            for &(rf, from) in sources.get(&(event.thread, event.unit)).into_iter().flatten() {
                let here = (from.0.0, from.1);
                if from != (event.thread, event.unit) && solver.value(rf) && !until.contains(&here)
                {
                    until.push(here);
                }
            }
        }
        let mut model = Model::new(skeleton, composition);
        let guide = model.guide(composition, &until);
        let mut answers = model.answers(knowledge);
        let number = |e: &Event| ThreadId(skeleton.threads[e.thread.index()].number);
        let wanted = Wanted::Race { first: (number(e), e.at), second: (number(f), f.at) };
        match replay_guided(program, &guide, &mut answers, &wanted) {
            Ok(trace) => {
                found.push(trace);
                groups.swap_remove(g);
                if first_only {
                    break;
                }
            }
            // Another pair of the same lines may still race.
            Err(e) => {
                unconfirmed.push(e.to_string());
                groups[g].pairs.swap_remove(p);
                if groups[g].pairs.is_empty() {
                    groups.swap_remove(g);
                }
            }
        }
    }
    Ok(Races::All { found, unconfirmed })
}
