//! All violations of single threads: failed checks, memory errors, leaks.
//!
//! Each is a condition over the skeleton; the solver is asked for a model of any of those that are
//! left, the model is replayed, and what was shown is left out from then on: all of one property at
//! one place, or, for leaks, this set of lines that leak. A replay may meet something else on its
//! way. That is a finding, too, but what was asked for stays unconfirmed.
//!
//! Two questions are answered by the replay only. (1) The skeleton keeps pointers inside their
//! objects; the interpreter, with its flat addresses, calls an access valid that leaves one object
//! for another. Then that other object is excluded and the solver asked again; if nothing else is
//! left, the place counts as something that is not modelled. (2) Whether what is left on the heap
//! is lost (no pointer leads to it). The skeleton knows what is left; if that is nothing, nothing
//! is lost.

use std::collections::{BTreeMap, BTreeSet};

use raddle_interp::{ConfirmedTrace, FindingKind, ThreadId, Wanted};
use raddle_ir::{Place, Property, Unmodelled};
use raddle_sat::Lit;
use raddle_summary::{CutKind, ObjectIx, Skeleton, Violation};
use raddle_term::TermId;

use super::composition::Shown;
use super::formula::{Formula, any_of};
use super::search::{Findings, Question, Search};

/// Sets of leaking lines that are told apart.
const MOST_LEAKS: usize = 500;

/// A source line.
type Line = (u32, u32);

/// What the replay of a violation must show.
fn wanted(skeleton: &Skeleton, v: &Violation) -> Wanted {
    let thread = ThreadId(skeleton.threads[v.thread.index()].number);
    match v.property {
        Property::Memory => Wanted::Memory { thread, at: v.at },
        Property::Leaks | Property::LostMemory => Wanted::Leak { thread },
        Property::Unreach
        | Property::Assertions
        | Property::Races
        | Property::Deadlocks
        | Property::Overflow
        | Property::Locks
        | Property::Linear
        | Property::Starvation => Wanted::Check { thread, at: v.at },
    }
}

/// Whether a trace shows a violation.
fn shows(trace: &ConfirmedTrace, v: &Violation) -> bool {
    let finding = trace.finding();
    let leak = matches!(finding.kind, FindingKind::Leak { .. });
    finding.property == v.property && (leak || finding.sites.iter().all(|s| s.at == v.at))
}

/// A violation that is looked for.
#[derive(Clone, Copy)]
struct Open {
    /// Sufficient for it.
    selector: Lit,
    /// Which one of the skeleton's.
    index: usize,
}

/// All violations that are left.
pub struct Violations<'a> {
    skeleton: &'a Skeleton,
    open: Vec<Open>,
    /// The sets of leaking lines that were met, by property.
    leaks: BTreeSet<(Property, BTreeSet<Line>)>,
}

impl<'a> Violations<'a> {
    /// All violations, given the literal of each.
    pub fn new(skeleton: &'a Skeleton, goals: &[Lit], formula: &mut dyn Formula) -> Self {
        assert_eq!(goals.len(), skeleton.violations.len(), "each violation is a goal");
        let mut open = Vec::new();
        for (index, &goal) in goals.iter().enumerate() {
            // A selector that is merely sufficient: what is left out says nothing about other
            // questions.
            let selector = formula.new_lit();
            formula.clause(&[!selector, goal]);
            open.push(Open { selector, index });
        }
        Violations { skeleton, open, leaks: BTreeSet::new() }
    }
}

impl Findings {
    /// Drops open questions about places where something was shown in the end.
    pub fn settle(&mut self) {
        let key = |p: Place| (p.file, p.line);
        let sites = self.found.iter().flat_map(|t| &t.finding().sites);
        let shown: Vec<_> = sites.map(|s| key(s.place)).collect();
        self.open.retain(|o| !shown.contains(&key(o.1)));
    }
}

impl Question for Violations<'_> {
    fn open(&mut self, formula: &mut dyn Formula) -> Option<Lit> {
        let lits: Vec<Lit> = self.open.iter().map(|o| o.selector).collect();
        (!lits.is_empty()).then(|| any_of(formula, &lits))
    }

    fn model(&mut self, search: &mut Search) -> Result<(), String> {
        let Some(hit) = self.open.iter().position(|o| search.value(o.selector)) else {
            return Err("a model of a violation violates nothing".into());
        };
        let Open { selector, index } = self.open[hit];
        let v = &self.skeleton.violations[index];
        let mut model = search.values();
        if !model.holds(v.condition) {
            return Err("a model disagrees with the value of its own variables".into());
        }
        let address = v.access.map(|(address, _)| model.value(address) as u64);
        let alive: Vec<bool> = v.leaks.iter().map(|l| model.holds(l.1)).collect();
        let replayed = search.replay(Shown::Violation(index), &[], &wanted(self.skeleton, v))?;
        let why = match replayed {
            Ok(trace) => {
                let shown = shows(&trace, v);
                search.findings.found.push(trace);
                (!shown).then(|| "the replay met another violation".to_string())
            }
            Err(e) => {
                if let Some(address) = address
                    && elsewhere(search, selector, v, address)
                {
                    return Ok(());
                }
                Some(e.to_string())
            }
        };
        self.leave_out(search, hit, why, &alive);
        Ok(())
    }
}

impl Violations<'_> {
    /// Leaves out a violation that was shown; otherwise `why` says why not.
    fn leave_out(&mut self, search: &mut Search, hit: usize, why: Option<String>, alive: &[bool]) {
        let (index, open) = (self.open[hit].index, self.open.len());
        let violations = &self.skeleton.violations;
        let v = &violations[index];
        let lost = v.property == Property::LostMemory;
        match why {
            Some(_) if lost => {
                let place = search.scene.program.place(v.site);
                let kind = CutKind::Unsupported(Unmodelled::LostMemory);
                search.findings.open.push((kind, place));
                self.other_leaks(search, index, alive);
            }
            Some(why) => {
                search.findings.unconfirmed.push(why);
                self.open.swap_remove(hit);
            }
            None if lost || v.property == Property::Leaks => {
                self.other_leaks(search, index, alive);
            }
            None => {
                let key = |v: &Violation| (v.site, v.property);
                self.open.retain(|o| key(&violations[o.index]) != key(v));
                assert!(self.open.len() < open, "what was shown is not looked for again");
            }
        }
    }

    /// From now on other sets of lines leak than in this model.
    fn other_leaks(&mut self, search: &mut Search, index: usize, alive: &[bool]) {
        let violations = &self.skeleton.violations;
        let property = violations[index].property;
        assert_eq!(alive.len(), violations[index].leaks.len(), "each object is alive or not");
        let leaks = violations[index].leaks.iter().zip(alive);
        let leaking: BTreeSet<Line> =
            leaks.filter(|(_, alive)| **alive).map(|((o, _), _)| line(self.skeleton, *o)).collect();
        assert!(!leaking.is_empty(), "a leak has lines");
        let new = self.leaks.insert((property, leaking.clone()));
        assert!(new, "what was shown does not come again");
        if self.leaks.len() >= MOST_LEAKS {
            self.open.retain(|o| violations[o.index].property != property);
            return;
        }
        for o in self.open.iter().filter(|o| violations[o.index].property == property) {
            self.block_leaks(search, *o, &leaking);
        }
    }

    /// Leaks at this end of the program are of other lines than these.
    fn block_leaks(&self, search: &mut Search, open: Open, leaking: &BTreeSet<Line>) {
        let mut lines: BTreeMap<Line, Vec<TermId>> = BTreeMap::new();
        for &(o, alive) in &self.skeleton.violations[open.index].leaks {
            lines.entry(line(self.skeleton, o)).or_default().push(alive);
        }
        if leaking.iter().any(|l| !lines.contains_key(l)) {
            return;
        }
        let mut clause = vec![!open.selector];
        for (line, alive) in lines {
            let any = search.terms.or_all(&alive);
            let any = search.composition.formula().lit(search.terms, any);
            clause.push(if leaking.contains(&line) { !any } else { any });
        }
        search.composition.formula().clause(&clause);
    }
}

/// The interpreter found an access valid: if it is in another object, it shall not be there.
fn elsewhere(search: &mut Search, selector: Lit, v: &Violation, address: u64) -> bool {
    let (program, knowledge) = (search.scene.program, search.scene.knowledge);
    let Some((o, _)) = knowledge.find(address) else { return false };
    let Some((at, _)) = v.access else { return false };
    let object = knowledge.object(o);
    let inside = address >= object.base && address - object.base <= object.size;
    assert!(inside, "otherwise what is excluded would come again");
    let width = search.terms.width(at);
    let base = search.terms.constant(u128::from(object.base), width);
    let size = search.terms.constant(u128::from(object.size), width);
    let distance = search.terms.sub(at, base);
    let inside = search.terms.ule(distance, size);
    let formula = search.composition.formula();
    let inside = formula.lit(search.terms, inside);
    formula.clause(&[!selector, !inside]);
    let kind = CutKind::Unsupported(Unmodelled::Elsewhere);
    search.findings.open.push((kind, program.place(v.site)));
    true
}

/// Where an object was allocated.
fn line(skeleton: &Skeleton, o: ObjectIx) -> Line {
    let place = skeleton.heap.get(&o).copied().unwrap_or(Place::UNKNOWN);
    (place.file.0, place.line)
}
