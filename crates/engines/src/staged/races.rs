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

use raddle_interp::{ConfirmedTrace, ThreadId, Wanted, replay_guided};
use raddle_ir::{InstrRef, Property};
use raddle_sat::{Answer, Lit};
use raddle_summary::{Event, EventKind, Skeleton};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::backend::any_of;
use super::before::Unit;
use super::compose::Composition;
use super::contexts::Contexts;
use super::scene::Scene;
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

impl Group {
    /// Literals each of which implies a race.
    pub fn selectors(&self) -> Vec<Lit> {
        self.pairs.iter().map(|p| p.selector).collect()
    }

    /// Where the accesses of the pairs are.
    pub fn sites(&self, skeleton: &Skeleton) -> [InstrRef; 2] {
        let pair = &self.pairs[0];
        [skeleton.events[pair.first].site, skeleton.events[pair.second].site]
    }
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// One race is enough.
    pub first_only: bool,
    /// There is a bound on context switches, so replay must not add any.
    pub bounded: bool,
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
    scene: Scene,
    terms: &mut Terms,
    composition: &mut Composition,
    contexts: Option<&Contexts>,
) -> Vec<Group> {
    let Scene { program, skeleton, .. } = scene;
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
                if i == j || !may_race(skeleton, terms, composition, i, j) || !seen.insert((i, j)) {
                    continue;
                }
                let overlap = overlap(scene, terms, i, j);
                if terms.is_false(overlap) {
                    continue;
                }
                let selector = pair((skeleton, terms), composition, contexts, (i, j), overlap);
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

fn may_race(
    skeleton: &Skeleton,
    terms: &Terms,
    composition: &mut Composition,
    i: usize,
    j: usize,
) -> bool {
    let (a, b) = (&skeleton.events[i], &skeleton.events[j]);
    let writes = a.kind == EventKind::Write || b.kind == EventKind::Write;
    if a.thread == b.thread || !writes || (a.atomic && b.atomic) {
        return false;
    }
    let (ua, ub) = ((a.thread, a.unit), (b.thread, b.unit));
    if composition.before.is_before(ua, ub) || composition.before.is_before(ub, ua) {
        return false;
    }
    !composition.sections.exclude(a, b)
        && !composition.implication.excludes(terms, a.reached, b.reached)
}

/// The condition for common bytes.
fn overlap(scene: Scene, terms: &mut Terms, i: usize, j: usize) -> TermId {
    let (program, events) = (scene.program, &scene.skeleton.events);
    let (a, b) = (&events[i], &events[j]);
    let (at, bt, an, bn) = (a.address, b.address, a.bytes, b.bytes);
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

/// The unit after which a thread stands before an access.
fn before(event: &Event) -> Unit {
    (event.thread, event.unit - 1)
}

fn pair(
    (skeleton, terms): (&Skeleton, &Terms),
    composition: &mut Composition,
    contexts: Option<&Contexts>,
    (i, j): (usize, usize),
    overlap: TermId,
) -> Lit {
    let Composition { backend, sources, .. } = composition;
    let selector = backend.new_lit();
    for t in [skeleton.events[i].reached, skeleton.events[j].reached, overlap] {
        backend.assert_implies(terms, &[selector], t);
    }
    for (e, f) in [(i, j), (j, i)] {
        let (e, f) = (&skeleton.events[e], &skeleton.events[f]);
        let (here, other) = ((e.thread, e.unit), (f.thread, f.unit));
        for &(reads_from, source) in sources.get(&here).into_iter().flatten() {
            if source == here {
                continue;
            }
            // What it reads from must be in the cut, so it cannot be the other access itself.
            if source == other {
                backend.clause(&[!selector, !reads_from]);
                continue;
            }
            let both = backend.new_lit();
            backend.clause(&[!selector, !reads_from, both]);
            backend.guarded_edge(both, source, other);
            if let Some(contexts) = contexts {
                contexts.reach(backend.as_mut(), both, source);
            }
        }
        backend.guarded_edge(selector, before(f), here);
        if let Some(contexts) = contexts {
            contexts.reach(backend.as_mut(), selector, before(e));
        }
    }
    selector
}

/// Finds all races.
pub fn find(
    scene: Scene,
    terms: &Terms,
    composition: &mut Composition,
    mut groups: Vec<Group>,
    Search { first_only, bounded }: Search,
) -> Result<Races, String> {
    let Scene { program, skeleton, .. } = scene;
    let (mut found, mut unconfirmed) = (Vec::new(), Vec::new());
    while !groups.is_empty() {
        let lits: Vec<Lit> =
            groups.iter().flat_map(|g| g.pairs.iter().map(|p| p.selector)).collect();
        let any = any_of(composition.backend.as_mut(), &lits);
        match composition.backend.solve(any) {
            Answer::Unsatisfiable => break,
            Answer::Interrupted => return Ok(Races::Time(found)),
            Answer::Satisfiable => {}
        }
        let backend = &mut composition.backend;
        let hit = groups.iter().enumerate().find_map(|(g, group)| {
            group.pairs.iter().position(|p| backend.value(p.selector)).map(|p| (g, p))
        });
        let Some((g, p)) = hit else {
            return Err("a model of a race has no racing pair".into());
        };
        let Pair { first, second, .. } = groups[g].pairs[p];
        let (e, f) = (&skeleton.events[first], &skeleton.events[second]);
        let mut until = vec![(e.thread.0, e.unit - 1), (f.thread.0, f.unit - 1)];
        for event in [e, f] {
            let Composition { backend, sources, .. } = &mut *composition;
            for &(rf, from) in sources.get(&(event.thread, event.unit)).into_iter().flatten() {
                let here = (from.0.0, from.1);
                if from != (event.thread, event.unit) && backend.value(rf) && !until.contains(&here)
                {
                    until.push(here);
                }
            }
        }
        let mut model = Model::new(scene, terms, composition.backend.as_mut());
        let stand = [e, f].map(|e| ((e.thread.0, e.unit - 1), e.at, e.address));
        let guide = model.guide(&until, if bounded { &stand } else { &[] });
        let mut answers = model.answers(&composition.initial);
        let number = |e: &Event| ThreadId(skeleton.threads[e.thread.index()].number);
        let wanted = Wanted::Race { first: (number(e), e.at), second: (number(f), f.at) };
        match replay_guided(program, &guide, &mut answers, &wanted) {
            Ok(trace) if trace.finding().property == Property::Races => {
                found.push(trace);
                groups.swap_remove(g);
            }
            // Another pair of the same lines may still race.
            other => {
                match other {
                    Ok(trace) => {
                        found.push(trace);
                        unconfirmed.push("the replay of a race met a violation".into());
                    }
                    Err(e) => unconfirmed.push(e.to_string()),
                }
                groups[g].pairs.swap_remove(p);
                if groups[g].pairs.is_empty() {
                    groups.swap_remove(g);
                }
            }
        }
        if first_only && !found.is_empty() {
            break;
        }
    }
    Ok(Races::All { found, unconfirmed })
}
