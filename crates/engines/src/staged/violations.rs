//! All violations of single threads: failed checks, memory errors, leaks.
//!
//! Each is a condition over the skeleton; the solver is asked for a model of any of those that are left, the model is replayed, and what was
//! shown is left out from then on: all of one property at one place, or, for leaks, this set of lines that leak.
//! A replay may meet something else on its way. That is a finding, too, but what was asked for stays unconfirmed.
//!
//! Two questions are answered by the replay only. (1) The skeleton keeps pointers inside their objects; the interpreter, with its flat
//! addresses, calls an access valid that leaves one object for another. Then that other object is excluded and
//! the solver asked again; if nothing else is left, the place counts as something that is not modelled.
//! (2) Whether what is left on the heap is lost (no pointer leads to it). The skeleton knows what is left; if that
//! is nothing, nothing is lost.

use std::collections::BTreeMap;

use raddle_interp::{ConfirmedTrace, FindingKind, ThreadId, Wanted, replay_guided};
use raddle_ir::{Place, Property};
use raddle_sat::{Answer, Lit};
use raddle_summary::{CutKind, Skeleton, Violation};
use raddle_term::{TermId, Terms};

use super::backend::any_of;
use super::compose::Composition;
use super::scene::Scene;
use super::witness::Model;

/// Sets of leaking lines that are told apart.
const MOST_LEAKS: usize = 500;

/// What was found.
#[derive(Default)]
pub struct Violations {
    /// The violations, replayed.
    pub found: Vec<ConfirmedTrace>,
    /// What the replays of others said.
    pub unconfirmed: Vec<String>,
    /// What could not be decided.
    pub open: Vec<(CutKind, Place)>,
    /// The time was up.
    pub out_of_time: bool,
}

/// What the replay of a violation must show.
pub fn wanted(skeleton: &Skeleton, v: &Violation) -> Wanted {
    let thread = ThreadId(skeleton.threads[v.thread.index()].number);
    match v.property {
        Property::Memory => Wanted::Memory { thread, at: v.at },
        Property::Leaks | Property::LostMemory => Wanted::Leak { thread },
        Property::Unreach
        | Property::Assertions
        | Property::Races
        | Property::Deadlocks
        | Property::Overflow
        | Property::Locks => Wanted::Check { thread, at: v.at },
    }
}

/// Whether a trace shows a violation.
fn shows(trace: &ConfirmedTrace, v: &Violation) -> bool {
    let finding = trace.finding();
    let leak = matches!(finding.kind, FindingKind::Leak { .. });
    finding.property == v.property && (leak || finding.sites.iter().all(|s| s.at == v.at))
}

/// Finds all violations, or one.
pub fn find(
    scene: Scene,
    terms: &mut Terms,
    composition: &mut Composition,
    goals: Vec<Lit>,
    first_only: bool,
) -> Result<Violations, String> {
    let mut open: Vec<(Lit, usize)> = Vec::new();
    for (i, goal) in goals.into_iter().enumerate() {
        // A selector that is merely sufficient: what is left out says nothing about other questions.
        let selector = composition.backend.new_lit();
        composition.backend.clause(&[!selector, goal]);
        open.push((selector, i));
    }
    let result = Violations::default();
    let mut search = Search { scene, terms, composition, open, leaks: 0, result };
    while !search.open.is_empty() {
        let lits: Vec<Lit> = search.open.iter().map(|o| o.0).collect();
        let backend = search.composition.backend.as_mut();
        let any = any_of(backend, &lits);
        match backend.solve(any) {
            Answer::Unsatisfiable => break,
            Answer::Interrupted => {
                search.result.out_of_time = true;
                break;
            }
            Answer::Satisfiable => search.replay()?,
        }
        if first_only && !search.result.found.is_empty() {
            break;
        }
    }
    Ok(search.result.settled())
}

impl Violations {
    /// Without open questions about places where something was shown in the end.
    fn settled(mut self) -> Violations {
        let key = |p: Place| (p.file, p.line);
        let sites = self.found.iter().flat_map(|t| &t.finding().sites);
        let shown: Vec<_> = sites.map(|s| key(s.place)).collect();
        self.open.retain(|o| !shown.contains(&key(o.1)));
        self
    }
}

struct Search<'a> {
    scene: Scene<'a>,
    terms: &'a mut Terms,
    composition: &'a mut Composition,
    /// The violations that are looked for.
    open: Vec<(Lit, usize)>,
    /// How many sets of leaking lines were met.
    leaks: usize,
    result: Violations,
}

impl Search<'_> {
    /// Replays the model of the last solve, and leaves out what it shows.
    fn replay(&mut self) -> Result<(), String> {
        let skeleton = self.scene.skeleton;
        let backend = self.composition.backend.as_mut();
        let Some(hit) = self.open.iter().position(|o| backend.value(o.0)) else {
            return Err("a model of a violation violates nothing".into());
        };
        let mut model = Model::new(self.scene, self.terms, backend);
        let (lit, index) = self.open[hit];
        let v = &skeleton.violations[index];
        if !model.holds(v.condition) {
            return Err("a model disagrees with the value of its own variables".into());
        }
        let guide = model.guide(&[(v.thread.0, v.unit)], &[]);
        let mut answers = model.answers(&self.composition.initial);
        let replayed =
            replay_guided(self.scene.program, &guide, &mut answers, &wanted(skeleton, v));
        let address = v.access.map(|(address, _)| model.value(address) as u64);
        let alive: Vec<bool> = v.leaks.iter().map(|l| model.holds(l.1)).collect();
        let why = match replayed {
            Ok(trace) => {
                let shown = shows(&trace, v);
                self.result.found.push(trace);
                (!shown).then(|| "the replay met another violation".to_string())
            }
            Err(e) => {
                if let Some(address) = address
                    && self.elsewhere(lit, v, address)
                {
                    return Ok(());
                }
                Some(e.to_string())
            }
        };
        let lost = v.property == Property::LostMemory;
        match why {
            Some(_) if lost => {
                let what = "whether memory that is left at the end is lost".to_string();
                self.result
                    .open
                    .push((CutKind::Unsupported(what), self.scene.program.place(v.site)));
                self.other_leaks(index, &alive);
            }
            Some(why) => {
                self.result.unconfirmed.push(why);
                self.open.swap_remove(hit);
            }
            None if lost || v.property == Property::Leaks => self.other_leaks(index, &alive),
            None => {
                let violations = &skeleton.violations;
                let key = |v: &Violation| (v.site, v.property);
                self.open.retain(|o| key(&violations[o.1]) != key(v));
            }
        }
        Ok(())
    }

    /// The interpreter found an access valid: if it is in another object, it shall not be there.
    fn elsewhere(&mut self, violation: Lit, v: &Violation, address: u64) -> bool {
        let Some((o, _)) = self.scene.knowledge.find(address) else { return false };
        let Some((at, _)) = v.access else { return false };
        let object = self.scene.knowledge.object(o);
        exclude(self.terms, self.composition, violation, (at, object.base, object.size));
        let what = "an access that leaves its object for another one".to_string();
        self.result.open.push((CutKind::Unsupported(what), self.scene.program.place(v.site)));
        true
    }

    /// From now on other sets of lines leak than in this model.
    fn other_leaks(&mut self, index: usize, alive: &[bool]) {
        self.leaks += 1;
        if self.leaks < MOST_LEAKS {
            let Search { scene, terms, composition, open, .. } = self;
            block_leaks(scene.skeleton, terms, composition, open, (index, alive));
        } else {
            let violations = &self.scene.skeleton.violations;
            let property = violations[index].property;
            self.open.retain(|o| violations[o.1].property != property);
        }
    }
}

/// This violation is not one with that address in that object (start and size).
fn exclude(
    terms: &mut Terms,
    composition: &mut Composition,
    violation: Lit,
    (address, base, size): (TermId, u64, u64),
) {
    let width = terms.width(address);
    let base = terms.constant(u128::from(base), width);
    let size = terms.constant(u128::from(size), width);
    let distance = terms.sub(address, base);
    let inside = terms.ule(distance, size);
    let inside = composition.backend.lit(terms, inside);
    composition.backend.clause(&[!violation, !inside]);
}

/// Leaks at all ends of the program are of other lines than those of this model.
fn block_leaks(
    skeleton: &Skeleton,
    terms: &mut Terms,
    composition: &mut Composition,
    open: &[(Lit, usize)],
    (index, alive): (usize, &[bool]),
) {
    let shown = &skeleton.violations[index];
    let property = shown.property;
    let leaking: Vec<(u32, u32)> = (shown.leaks.iter().zip(alive))
        .filter(|(_, alive)| **alive)
        .map(|((o, _), _)| line(skeleton, *o))
        .collect();
    for &(lit, i) in open.iter().filter(|o| skeleton.violations[o.1].property == property) {
        let mut lines: BTreeMap<(u32, u32), Vec<TermId>> = BTreeMap::new();
        for &(o, alive) in &skeleton.violations[i].leaks {
            lines.entry(line(skeleton, o)).or_default().push(alive);
        }
        if leaking.iter().any(|l| !lines.contains_key(l)) {
            continue;
        }
        let mut clause = vec![!lit];
        for (line, alive) in lines {
            let any = terms.or_all(&alive);
            let any = composition.backend.lit(terms, any);
            clause.push(if leaking.contains(&line) { !any } else { any });
        }
        composition.backend.clause(&clause);
    }
}

/// Where an object was allocated.
fn line(skeleton: &Skeleton, o: raddle_summary::ObjectIx) -> (u32, u32) {
    let place = skeleton.heap.get(&o).copied().unwrap_or(Place::UNKNOWN);
    (place.file.0, place.line)
}
