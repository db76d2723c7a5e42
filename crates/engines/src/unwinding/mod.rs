//! The unwinding engine (paper 001): a sequence of at most N writes that threads show each other.
//!
//! A memory unwinding is the sequence of all writes to shared memory. Once it is guessed, each
//! thread can be run against it alone: a write must be its thread's next one in the sequence, a
//! read finds the last write before some position between those of the thread's neighbouring
//! writes. Here a position is a slot ([`crate::slots`]) that ends with its write: every unit has
//! the number of a position, numbers do not decrease along a thread, and a read at position k sees
//! the first k writes. So the next write of a thread and the last write of a cell are never
//! searched for in the whole sequence; the numbers of a thread's own units and the contents of the
//! cell are its projections. Position N has no write: it is for what is read after the last one.
//!
//! | variant | a position is | a read finds |
//! | --- | --- | --- |
//! | fine-explicit | one write | the contents of its cell before its position: a matrix ([`explicit`]) |
//! | fine-implicit | one write | the last position that writes its cell ([`implicit`]) |
//! | fine-mixed | one write | explicit for variables, implicit where addresses are symbolic |
//! | coarse-intra | writes of one thread | own writes of this position, or the contents before it |
//! | coarse-inter | writes of any threads, in turn | what those before have left at this position ([`clusters`]) |
//!
//! In clusters only the last value of each cell is seen later, so few positions cover many writes.
//! A unit with several writes (an atomic section) is one write. Only writes that another thread may
//! look at count; words of mutexes are cells like others.
//! Without a choice it is fine-explicit for few writes and coarse-inter for more. In the paper's
//! experiments the limit lies between 24 and 90 writes; here clusters are ahead from about a dozen
//! writes on (four philosophers with 24 writes: 0.2 s in clusters, more than 6 s one by one). Where
//! the contents of arrays would be most of the formula it is fine-mixed: a queue of 800 elements
//! has 7.7 million clauses in clusters, with two positions, and 0.5 million with 27 single writes.
//!
//! What the paper leaves out: N grows until there is a verdict, and one position more is looked at
//! to find out whether any execution goes beyond N ([`needed`]); in clusters, only the earliest form
//! of each execution is looked at; arrays, heap and symbolic addresses; races, deadlocks, leaks.
//! We differ: in coarse-inter all units at a position take turns in the order of nested calls, also
//! those that only read; the paper lets them read between clusters, so an execution may need more
//! positions here, but each costs half as much.
//!
//! Limits: those of [`crate::slots::memory`] where reads are explicit. Fine variants of programs
//! with many writes are slow.
//!
//! Reading order: this file, [`sequence`] (positions of units), [`explicit`], [`clusters`],
//! [`implicit`], [`needed`], [`merging`].

pub mod clusters;
pub mod explicit;
pub mod implicit;
pub mod merging;
pub mod needed;
pub mod sequence;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use raddle_ir::Property;
use raddle_summary::{Skeleton, ThreadIx};
use raddle_term::Terms;

use crate::bounded::before::Unit;
use crate::bounded::builtin::BuiltIn;
use crate::bounded::cells::{self, Group};
use crate::bounded::composition::{Beyond, Composed, Composer, Job, Stop};
use crate::bounded::deepen::{self, SUMMARIES, next_bound};
use crate::bounded::facts::Facts;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::initial::InitialMemory;
use crate::options::{EngineOption, Given, Kind, Measure, Switch, SwitchSet, UNWIND, Without};
use crate::slots::chain::Encoder;
use crate::slots::composition::{Edge, Slots, edges};
use crate::slots::gates::clause;
use crate::slots::goals;
use crate::slots::memory::{Cost, Link, Memory};
use crate::slots::nesting::Nesting;
use crate::slots::numbers::Numbers;
use crate::{Budget, Cut, Engine, EngineRow, Outcome, Progress, Role, Task, Values};
use implicit::Positions;
use needed::Needed;
use sequence::{Grain, Publishing, Sequence};

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "unwinding",
    summary: "a guessed sequence of at most N writes that threads show each other",
    source: "Tomasco, Inverso, Fischer, La Torre, Parlato: Verifying Concurrent Programs by Memory Unwinding",
    bounded: "no violation in executions with at most the printed number of writes or clusters, within the printed unrolling",
    decides: &Property::SAFETY,
    values: Values::All,
    role: Role::Search,
    options: &[UNWIND, WRITES, VARIANT],
    switches: &[SUMMARIES, REPRESENTATIVES],
    covers: |given, extent| {
        let Unwinding { variant, fixed, .. } = Unwinding::new(given);
        // What a context writes is one cluster; without a choice it may be single writes.
        let clusters = variant.is_some_and(|v| v.grain() != Grain::Unit);
        let positions = if clusters { extent.switches.saturating_add(1) } else { extent.writes };
        fixed.is_none_or(|most| positions <= most)
    },
    make: |given, _| Ok(Box::new(Unwinding::new(given))),
};

/// Most positions.
pub const WRITES: EngineOption = EngineOption {
    name: "writes",
    short: None,
    value: "N",
    kind: Kind::Bound(Measure::Writes, Without::Deepens),
    help: "Most writes to shared memory, or clusters of them, up to a bug [default: deepen until the time is up]",
    more: "If no execution makes more, nothing found is VERDICT: SAFE.",
};

/// What a position is.
pub const VARIANT: EngineOption = EngineOption {
    name: "unwinding",
    short: None,
    value: "HOW",
    kind: Kind::OneOf(&[
        ("fine-explicit", "each write; memory is written down after each"),
        ("fine-implicit", "each write; a read looks for the last one of its variable"),
        ("fine-mixed", "each write; variables as in fine-explicit, arrays as in fine-implicit"),
        ("coarse-intra", "clusters of writes of one thread"),
        ("coarse-inter", "clusters of writes of several threads"),
    ]),
    help: "What the sequence of writes consists of [default: fine-explicit for few writes, else coarse-inter]",
    more: "",
};

/// One sequence of those that differ in nothing that matters.
pub const REPRESENTATIVES: Switch = Switch {
    name: "representatives",
    help: "every step in a cluster has a reason not to be in an earlier one",
};

/// Up to so many writes a fine sequence is best.
const FEW: u32 = 12;

/// Contents of arrays that take more clauses than this are not written down without being asked for.
const MUCH: u64 = 1_000_000;

/// Positions at the first bound.
const FIRST: u32 = 2;

/// What a position is, and how a read finds its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// One write; contents after each.
    FineExplicit,
    /// One write; reads look for their sources.
    FineImplicit,
    /// One write; explicit for cells with known addresses, implicit for others.
    FineMixed,
    /// Writes of one thread.
    CoarseIntra,
    /// Writes of several threads.
    CoarseInter,
}

impl Variant {
    /// The variant of a name.
    fn named(name: &str) -> Option<Variant> {
        match name {
            "fine-explicit" => Some(Variant::FineExplicit),
            "fine-implicit" => Some(Variant::FineImplicit),
            "fine-mixed" => Some(Variant::FineMixed),
            "coarse-intra" => Some(Variant::CoarseIntra),
            "coarse-inter" => Some(Variant::CoarseInter),
            _ => None,
        }
    }

    /// The best one for so many writes, as far as is known.
    fn of(writes: u32) -> Variant {
        if writes <= FEW { Variant::FineExplicit } else { Variant::CoarseInter }
    }

    /// Whether reads of a group look for their sources.
    fn is_implicit(self, group: &Group) -> bool {
        match self {
            Variant::FineImplicit => true,
            Variant::FineMixed => implicit::is_symbolic(group),
            Variant::FineExplicit | Variant::CoarseIntra | Variant::CoarseInter => false,
        }
    }

    fn grain(self) -> Grain {
        match self {
            Variant::FineExplicit | Variant::FineImplicit | Variant::FineMixed => Grain::Unit,
            Variant::CoarseIntra => Grain::Thread,
            Variant::CoarseInter => Grain::Threads,
        }
    }
}

/// The unwinding engine.
pub struct Unwinding {
    /// What a position is, if the user has chosen.
    variant: Option<Variant>,
    /// Most positions, if the user has fixed them.
    fixed: Option<u32>,
    /// Most positions now.
    writes: u32,
    /// What is switched off.
    without: SwitchSet,
}

impl Unwinding {
    /// As the user wants it.
    pub fn new(given: &Given) -> Unwinding {
        let variant = given.text(&VARIANT).and_then(Variant::named);
        let fixed = given.small(&WRITES);
        let writes = fixed.unwrap_or(FIRST);
        Unwinding { variant, fixed, writes, without: given.without.clone() }
    }

    /// How a program with at most so many writes is encoded.
    fn plan(&self, writes: u32) -> Plan {
        self.plan_for(self.variant.unwrap_or_else(|| Variant::of(writes)), writes)
    }

    /// The same with a given variant.
    fn plan_for(&self, variant: Variant, writes: u32) -> Plan {
        // Few writes need no deepening: the whole sequence is small.
        let small = self.variant.is_none() && self.fixed.is_none() && writes <= FEW;
        let wanted = if small { writes } else { self.writes };
        let most = match variant.grain() {
            Grain::Unit | Grain::Thread => writes,
            Grain::Threads => writes.saturating_mul(2),
        };
        let plan = Plan { variant, positions: wanted.min(most), complete: wanted >= most };
        debug_assert!(self.fixed.is_none_or(|n| plan.positions <= n), "a bound is kept to");
        plan
    }
}

/// How a program is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Plan {
    variant: Variant,
    /// Positions with writes.
    positions: u32,
    /// No execution needs more.
    complete: bool,
}

impl Engine for Unwinding {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        self.writes = self.fixed.unwrap_or(FIRST);
        deepen::check(self, task, budget, progress)
    }
}

impl Composer for Unwinding {
    fn compose(&mut self, job: &Job, terms: &mut Terms) -> Result<Composed, Stop> {
        let scene = job.scene;
        let mut formula = BuiltIn::new(job.budget, job.task.settings.recheck);
        let facts = &mut Facts::new(scene, terms);
        let nesting = &Nesting::new(scene.skeleton);
        let edges = edges(scene, terms, &mut formula, facts);
        let groups = cells::cut(scene.skeleton, scene.knowledge, terms);
        let writes = most_writes(scene.skeleton, &groups, &edges, nesting);
        let mut plan = self.plan(writes);
        let cost = Cost { scene, slots: plan.positions + 1 };
        let arrays = groups.iter().filter(|g| Variant::FineMixed.is_implicit(g));
        if self.variant.is_none() && cost.clauses(arrays) > MUCH {
            plan = self.plan_for(Variant::FineMixed, writes);
        }
        let mut numbers = positions(&mut formula, scene.skeleton, plan.positions + 1);
        let mut initial = InitialMemory::new(scene);
        let encoder = Encoder { terms, formula: &mut formula, numbers: &mut numbers };
        let (memory, writes) =
            memory(job, encoder, &mut initial, facts, &groups, nesting, plan.variant)?;
        for &t in scene.skeleton.assumptions.iter().chain(&initial.assumptions) {
            formula.assert_implies(terms, &[], t);
        }
        let publishing =
            Publishing::new(scene, &mut formula, &memory.touches, &writes, &edges, nesting);
        let grain = plan.variant.grain();
        let sequence =
            sequence::encode(&mut formula, &mut numbers, &publishing, &edges, nesting, grain);
        assert_eq!(sequence.used.len(), plan.positions as usize + 1, "one position without writes");
        let last = sequence.used[plan.positions as usize];
        let mut goals = goals::encode(job, terms, &mut formula, &numbers, facts, !last)?;
        let lit = formula.new_lit();
        let all = self.without.contains(&REPRESENTATIVES);
        if !all || !plan.complete {
            let condition = if all { lit } else { formula.tru() };
            let mut needed =
                Needed { formula: &mut formula, numbers: &numbers, nesting, condition };
            match grain {
                Grain::Unit => {}
                Grain::Thread => {
                    merging::require(&mut needed, scene, &memory, &edges, &publishing, &sequence);
                }
                Grain::Threads => needed.nested(scene, &memory, &edges),
            }
        }
        if !plan.complete {
            beyond(&mut formula, scene.skeleton, &numbers, &sequence, grain, lit);
            goals.beyond = Some(Beyond { lit, cut: Cut::Writes { bound: self.writes } });
        }
        let sizes = vec![
            ("positions", plan.positions as usize),
            ("pieces", memory.pieces),
            ("cells", memory.cells.len()),
        ];
        let (formula, late) = (Box::new(formula), sequence.late);
        let composition = Box::new(Slots { formula, numbers, initial, late, sizes });
        Ok(Composed { composition, goals, strict: false })
    }

    fn bound(&self) -> Option<Cut> {
        None
    }

    fn deepen(&mut self) -> bool {
        if self.fixed.is_some() {
            return false;
        }
        self.writes = next_bound(self.writes);
        true
    }

    fn without(&self) -> &SwitchSet {
        &self.without
    }
}

/// Free numbers for all units. The last position is for what comes after the last write.
fn positions(formula: &mut dyn Formula, skeleton: &Skeleton, slots: u32) -> Numbers {
    let units: Vec<u32> = skeleton.threads.iter().map(|t| t.units).collect();
    let after = Numbers::increase(formula, &units, slots, &vec![0; units.len()], |_, _| true);
    // The main thread exists from the start.
    clause(formula, &[!after[0][0][0]]);
    Numbers::new(formula, slots, after)
}

/// Encodes all accesses; also gives back those writes that are in no cell.
fn memory(
    job: &Job,
    mut encoder: Encoder,
    initial: &mut InitialMemory,
    facts: &mut Facts,
    groups: &[Group],
    nesting: &Nesting,
    variant: Variant,
) -> Result<(Memory, Vec<(Unit, Lit)>), Stop> {
    let scene = job.scene;
    let is_implicit = |g: &&Group| variant.is_implicit(g) && implicit::is_shared(scene, g);
    let (by_position, by_cell): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(is_implicit);
    Cost { scene, slots: encoder.numbers.slots() }.check(by_cell.iter().copied())?;
    let link: &Link = match variant {
        Variant::FineExplicit | Variant::FineImplicit | Variant::FineMixed => &explicit::cell,
        Variant::CoarseIntra => &|encoder, start, accesses| encoder.cell(start, accesses),
        Variant::CoarseInter => {
            &|encoder, start, accesses| clusters::cell(encoder, nesting, start, accesses)
        }
    };
    let mut memory = Memory::default();
    for group in by_cell {
        encoder.group(scene, initial, facts, group, link, job.budget, &mut memory)?;
    }
    let positions = Positions::new(&mut encoder, scene, &by_position);
    let mut writes = Vec::new();
    for group in by_position {
        if job.budget.is_over() {
            return Err(Stop::Time);
        }
        memory.pieces += group.reads.len() + group.writes.len();
        writes.extend(positions.group(&mut encoder, scene, initial, group));
    }
    Ok((memory, writes))
}

/// The most units that can publish something.
fn most_writes(skeleton: &Skeleton, groups: &[Group], edges: &[Edge], nesting: &Nesting) -> u32 {
    let mut writers: BTreeSet<Unit> = BTreeSet::new();
    for group in groups {
        let units = |pieces: &[cells::Piece]| -> Vec<Unit> {
            let events = pieces.iter().map(|p| &skeleton.events[p.event]);
            events.map(|e| (e.thread, e.unit)).collect()
        };
        let (reads, writes) = (units(&group.reads), units(&group.writes));
        let threads: BTreeSet<ThreadIx> = reads.iter().chain(&writes).map(|u| u.0).collect();
        if !reads.is_empty() && threads.len() > 1 {
            writers.extend(writes);
        }
    }
    let against = edges.iter().filter(|e| !nesting.is_before(e.from, e.to));
    writers.extend(against.map(|e| e.from));
    u32::try_from(writers.len()).unwrap_or(u32::MAX)
}

/// If the literal holds, the execution goes beyond the bound: something happens at the last
/// position.
fn beyond(
    formula: &mut dyn Formula,
    skeleton: &Skeleton,
    numbers: &Numbers,
    sequence: &Sequence,
    grain: Grain,
    lit: Lit,
) {
    let last = numbers.slots() - 1;
    let mut some: Vec<Lit> = vec![!lit];
    match grain {
        Grain::Unit | Grain::Thread => some.push(sequence.used[last as usize]),
        Grain::Threads => {
            for (t, thread) in (0..).zip(&skeleton.threads) {
                some.extend((0..thread.units).map(|u| numbers.at((ThreadIx(t), u), last)));
            }
        }
    }
    clause(formula, &some);
}
