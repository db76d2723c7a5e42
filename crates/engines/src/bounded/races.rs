//! All data races: pairs of accesses that two threads can be about to make in one state.
//!
//! Which pairs may race is the same for every engine: accesses of different threads, one of them a
//! write, not both atomic, at addresses that may overlap. Left out are pairs that are ordered in
//! every execution, and pairs under a common mutex that is only released by its holder. An engine
//! gives each pair a literal that implies that both threads stand right before their accesses in
//! one state. Pairs of one pair of source lines share a group; a group of which one was shown is
//! left out and the search goes on, so that all racing pairs of lines are found in one run, or
//! there are no others within the bound.

use std::collections::BTreeMap;

use raddle_interp::{ThreadId, Wanted};
use raddle_ir::{InstrRef, Property};
use raddle_sat::Lit;
use raddle_summary::{Event, EventKind, ObjectIx, Skeleton, ThreadIx};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::before::Unit;
use super::composition::Shown;
use super::facts::Facts;
use super::formula::{Formula, any_of};
use super::places;
use super::scene::Scene;
use super::search::{Question, Search};
use super::witness::Stand;
use crate::Budget;

/// Two accesses that may race, as places in the skeleton's list.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The first access.
    pub first: usize,
    /// The second one.
    pub second: usize,
    /// The condition for common bytes.
    pub overlap: TermId,
}

/// A race that is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Implies the race.
    pub selector: Lit,
    /// The first access.
    pub first: usize,
    /// The second one.
    pub second: usize,
}

/// The unit after which a thread stands before an access.
pub fn before(event: &Event) -> Unit {
    assert!(event.unit > 0, "the first unit of a thread is its existence");
    (event.thread, event.unit - 1)
}

/// Accesses of one object, by their threads and the mutexes that those hold.
type Crowds = BTreeMap<(ThreadIx, Vec<u64>), Vec<usize>>;

/// All pairs that may race; `None` if the time is up.
pub fn pairs(
    scene: Scene,
    terms: &mut Terms,
    facts: &mut Facts,
    budget: &Budget,
) -> Option<Vec<Pair>> {
    let events = &scene.skeleton.events;
    // Only accesses that may meet are compared, and mutexes are compared once for many of them.
    let mut by_object: BTreeMap<ObjectIx, Crowds> = BTreeMap::new();
    for (i, e) in events.iter().enumerate().filter(|(_, e)| !e.hidden) {
        let held: Vec<u64> = e.locks.iter().map(|l| l.address).collect();
        for (o, _) in &e.targets {
            let crowds = by_object.entry(*o).or_default();
            crowds.entry((e.thread, held.clone())).or_default().push(i);
        }
    }
    let mut pairs = Vec::new();
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    for crowds in by_object.values() {
        let all = crowds.iter().flat_map(|a| crowds.range(a.0..).map(move |b| (a, b)));
        for (((thread, held), some), ((other, holds), others)) in all {
            if thread == other || facts.sections.exclude(held, holds) {
                continue;
            }
            for &i in some {
                if budget.is_over() {
                    return None;
                }
                for &j in others {
                    let (first, second) = (i.min(j), i.max(j));
                    if !may_race(terms, facts, &events[first], &events[second])
                        || !seen.insert((first, second))
                    {
                        continue;
                    }
                    let overlap = overlap(scene, terms, &events[first], &events[second]);
                    if !terms.is_false(overlap) {
                        pairs.push(Pair { first, second, overlap });
                    }
                }
            }
        }
    }
    pairs.sort_unstable_by_key(|p| (p.first, p.second));
    Some(pairs)
}

fn may_race(terms: &Terms, facts: &mut Facts, a: &Event, b: &Event) -> bool {
    let writes = a.kind == EventKind::Write || b.kind == EventKind::Write;
    if a.thread == b.thread || !writes || (a.atomic && b.atomic) {
        return false;
    }
    let (ua, ub) = ((a.thread, a.unit), (b.thread, b.unit));
    if facts.before.is_before(ua, ub) || facts.before.is_before(ub, ua) {
        return false;
    }
    !facts.implication.excludes(terms, a.reached, b.reached)
}

/// The condition for common bytes.
fn overlap(scene: Scene, terms: &mut Terms, a: &Event, b: &Event) -> TermId {
    let program = scene.program;
    let (at, bt, an, bn) = (a.address, b.address, a.bytes, b.bytes);
    debug_assert!(an > 0 && bn > 0, "an access has bytes");
    debug_assert_eq!(terms.width(at), program.pointer_bits, "addresses are pointers");
    if an == bn && at == bt {
        return terms.tru();
    }
    if let Some(overlap) = places::overlap(scene.knowledge, terms, a, b) {
        return overlap;
    }
    if an == 1 && bn == 1 {
        return terms.eq(at, bt);
    }
    // at - bt < bn, or bt - at < an, in modular arithmetic: objects are far from the ends.
    let (x, y) = (terms.sub(at, bt), terms.sub(bt, at));
    let bn = terms.constant(u128::from(bn), program.pointer_bits);
    let an = terms.constant(u128::from(an), program.pointer_bits);
    let (first, second) = (terms.ult(x, bn), terms.ult(y, an));
    terms.or(first, second)
}

/// The instructions of the accesses of a race, outside library models.
pub fn sites(skeleton: &Skeleton, goal: &Goal) -> [InstrRef; 2] {
    [goal.first, goal.second].map(|i| skeleton.events[i].site)
}

/// All races that are left, by pairs of lines.
pub struct Races<'a> {
    skeleton: &'a Skeleton,
    groups: Vec<Vec<Goal>>,
}

impl<'a> Races<'a> {
    /// All races.
    pub fn new(scene: Scene<'a>, goals: &[Goal]) -> Self {
        let mut groups: Vec<Vec<Goal>> = Vec::new();
        let mut index: FxHashMap<[(u32, u32); 2], usize> = FxHashMap::default();
        for &goal in goals {
            let mut key = sites(scene.skeleton, &goal).map(|site| {
                let place = scene.program.place(site);
                (place.file.0, place.line)
            });
            key.sort_unstable();
            let g = *index.entry(key).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[g].push(goal);
        }
        Races { skeleton: scene.skeleton, groups }
    }
}

impl Question for Races<'_> {
    fn open(&mut self, formula: &mut dyn Formula) -> Option<Lit> {
        let lits: Vec<Lit> = self.groups.iter().flatten().map(|p| p.selector).collect();
        (!lits.is_empty()).then(|| any_of(formula, &lits))
    }

    fn model(&mut self, search: &mut Search) -> Result<(), String> {
        let hit = self.groups.iter().enumerate().find_map(|(g, group)| {
            group.iter().position(|p| search.value(p.selector)).map(|p| (g, p))
        });
        let Some((g, p)) = hit else { return Err("a model of a race has no racing pair".into()) };
        let Goal { first, second, .. } = self.groups[g][p];
        let (e, f) = (&self.skeleton.events[first], &self.skeleton.events[second]);
        let number = |e: &Event| ThreadId(self.skeleton.threads[e.thread.index()].number);
        let wanted = Wanted::Race { first: (number(e), e.at), second: (number(f), f.at) };
        let stands =
            [e, f].map(|e| Stand::new(self.skeleton, (e.thread, e.unit), e.at, Some(e.address)));
        match search.replay(Shown::Race(first, second), &stands, &wanted)? {
            Ok(trace) if trace.finding().property == Property::Races => {
                search.findings.found.push(trace);
                self.groups.swap_remove(g);
                let again = |p: &Goal| (p.first, p.second) == (first, second);
                assert!(!self.groups.iter().flatten().any(again), "a pair is in one group");
            }
            // Another pair of the same lines may still race.
            other => {
                match other {
                    Ok(trace) => {
                        search.findings.found.push(trace);
                        let why = "the replay of a race met a violation";
                        search.findings.unconfirmed.push(why.into());
                    }
                    Err(e) => search.findings.unconfirmed.push(e.to_string()),
                }
                let removed = self.groups[g].swap_remove(p);
                debug_assert_eq!((removed.first, removed.second), (first, second), "that pair");
                if self.groups[g].is_empty() {
                    self.groups.swap_remove(g);
                }
            }
        }
        Ok(())
    }
}
