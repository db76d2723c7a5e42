//! Small skeletons, their meaning by brute force, and their models as the theory finds them.

#![allow(dead_code, reason = "each test file uses a part")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_order::{OrderTheory, Propagation, Settings, UnitId, WriteId, solve};
use raddle_sat::{Answer, Lit, Solver};
use raddle_testkit::Random;

/// An event of a unit. Without a guard it always occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub is_write: bool,
    pub location: usize,
    /// A Boolean of the case that decides whether the event occurs.
    pub guard: Option<usize>,
}

/// A write that touches a second location if a Boolean is true, as a write through a pointer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    pub unit: Unit,
    pub position: usize,
    pub location: usize,
    pub condition: usize,
}

/// A unit by thread and index.
pub type Unit = (usize, usize);

/// A skeleton with its Booleans, in a form that is easy to enumerate.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Threads, units, events. Positions count within the unit.
    pub threads: Vec<Vec<Vec<Event>>>,
    /// Free Booleans, by number.
    pub booleans: usize,
    pub fixed: Vec<(Unit, Unit)>,
    /// A Boolean, its value, and the edge that then holds.
    pub guarded: Vec<(usize, bool, Unit, Unit)>,
    pub aliases: Vec<Alias>,
    /// Pairs (read, write) by number for which the write is no candidate.
    pub excluded: Vec<Unit>,
}

/// A read or write with its number among its kind.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub unit: Unit,
    pub position: usize,
    pub event: Event,
}

impl Case {
    pub fn accesses(&self, writes: bool) -> Vec<Access> {
        let mut found = Vec::new();
        for (thread, units) in self.threads.iter().enumerate() {
            for (index, events) in units.iter().enumerate() {
                for (position, &event) in events.iter().enumerate() {
                    if event.is_write == writes {
                        found.push(Access { unit: (thread, index), position, event });
                    }
                }
            }
        }
        found
    }

    /// The condition under which a write hits a read: `None` never, else a conjunction of Booleans.
    pub fn hits(&self, write: &Access, read: &Access) -> Option<Vec<usize>> {
        let mut condition: Vec<usize> = write.event.guard.into_iter().collect();
        if write.event.location == read.event.location {
            return Some(condition);
        }
        let alias = self.aliases.iter().find(|alias| {
            (alias.unit, alias.position, alias.location)
                == (write.unit, write.position, read.event.location)
        })?;
        condition.push(alias.condition);
        Some(condition)
    }

    /// All pairs (values of the Booleans, source of each read that occurs) that some order allows.
    pub fn outcomes(&self) -> BTreeSet<Outcome> {
        let mut found = BTreeSet::new();
        let (reads, writes) = (self.accesses(false), self.accesses(true));
        let hits: Vec<Vec<Option<Vec<usize>>>> = reads
            .iter()
            .map(|read| writes.iter().map(|write| self.hits(write, read)).collect())
            .collect();
        self.each_order(&mut |order| {
            let time = |access: &Access| {
                let unit = order.iter().position(|&unit| unit == access.unit).expect("in order");
                (unit, access.position)
            };
            for bits in 0..1u32 << self.booleans {
                let value = |boolean: usize| bits >> boolean & 1 == 1;
                let at = |unit| order.iter().position(|&other| other == unit).expect("in order");
                let allowed = self
                    .guarded
                    .iter()
                    .all(|&(boolean, sign, a, b)| value(boolean) != sign || at(a) < at(b));
                if !allowed {
                    continue;
                }
                let sources: Option<Vec<Option<usize>>> = (0..reads.len())
                    .map(|read| {
                        if !reads[read].event.guard.is_none_or(value) {
                            return Some(None);
                        }
                        let last = (0..writes.len())
                            .filter(|&write| {
                                let condition = hits[read][write].as_ref();
                                condition.is_some_and(|all| all.iter().all(|&b| value(b)))
                                    && time(&writes[write]) < time(&reads[read])
                            })
                            .max_by_key(|&write| time(&writes[write]))?;
                        (!self.excluded.contains(&(read, last))).then_some(Some(last))
                    })
                    .collect();
                if let Some(sources) = sources {
                    found.insert(Outcome { bits, sources });
                }
            }
        });
        found
    }

    /// Calls `visit` with every order of the units that extends program order and the fixed edges.
    pub fn each_order(&self, visit: &mut impl FnMut(&[Unit])) {
        fn extend(
            case: &Case,
            next: &mut Vec<usize>,
            order: &mut Vec<Unit>,
            visit: &mut impl FnMut(&[Unit]),
        ) {
            if (0..next.len()).all(|thread| next[thread] == case.threads[thread].len()) {
                visit(order);
            }
            for thread in 0..next.len() {
                let unit = (thread, next[thread]);
                let ready = unit.1 < case.threads[thread].len()
                    && case.fixed.iter().all(|(a, b)| *b != unit || order.contains(a));
                if ready {
                    order.push(unit);
                    next[thread] += 1;
                    extend(case, next, order, visit);
                    next[thread] -= 1;
                    order.pop();
                }
            }
        }
        extend(self, &mut vec![0; self.threads.len()], &mut Vec::new(), visit);
    }
}

/// One way a case can go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outcome {
    pub bits: u32,
    /// By read: the write it sees, if it occurs.
    pub sources: Vec<Option<usize>>,
}

/// A case as clauses and theory.
pub struct Encoded {
    pub solver: Solver,
    pub theory: Rc<RefCell<OrderTheory>>,
    pub booleans: Vec<Lit>,
    /// By read, by write.
    pub reads_from: Vec<Vec<Option<Lit>>>,
    truth: Lit,
    writes: Vec<WriteId>,
}

impl Encoded {
    pub fn new(case: &Case, settings: Settings) -> Encoded {
        let mut encoded = Encoded::without_reads(case, settings);
        for read in 0..case.accesses(false).len() {
            encoded.add_read(case, read);
        }
        encoded
    }

    /// Edges and writes only.
    pub fn without_reads(case: &Case, settings: Settings) -> Encoded {
        let mut solver = Solver::new();
        let lengths: Vec<u32> = case.threads.iter().map(|units| units.len() as u32).collect();
        let mut theory = OrderTheory::with_settings(&lengths, settings);
        let truth = solver.new_var().lit();
        solver.add_clause(&[truth]);
        let booleans: Vec<Lit> = (0..case.booleans).map(|_| solver.new_var().lit()).collect();
        for &lit in booleans.iter().chain([&truth]) {
            solver.freeze(lit.var());
        }
        for &(a, b) in &case.fixed {
            let (a, b) = (unit_of(&theory, a), unit_of(&theory, b));
            theory.fixed_edge(a, b);
        }
        for &(number, sign, a, b) in &case.guarded {
            let lit = if sign { booleans[number] } else { !booleans[number] };
            let (a, b) = (unit_of(&theory, a), unit_of(&theory, b));
            theory.guarded_edge(lit, a, b);
        }
        let mut writes = Vec::new();
        for write in case.accesses(true) {
            let unit = unit_of(&theory, write.unit);
            writes.push(theory.write_at(unit, write.position as u32));
        }
        let theory = Rc::new(RefCell::new(theory));
        Encoded { solver, theory, booleans, reads_from: Vec::new(), truth, writes }
    }

    /// Adds the next read of the case.
    pub fn add_read(&mut self, case: &Case, number: usize) {
        assert_eq!(number, self.reads_from.len(), "reads come in order");
        let read = case.accesses(false)[number];
        let occurs = read.event.guard.map_or(self.truth, |boolean| self.booleans[boolean]);
        let unit = unit_of(&self.theory.borrow(), read.unit);
        let id = self.theory.borrow_mut().read_at(unit, read.position as u32);
        let mut row = vec![None; self.writes.len()];
        let mut clause = vec![!occurs];
        for (other, write) in case.accesses(true).iter().enumerate() {
            let Some(condition) = case.hits(write, &read) else { continue };
            let hits = self.conjunction(&condition);
            if !case.excluded.contains(&(number, other)) {
                let source = self.solver.new_var().lit();
                self.solver.add_clause(&[!source, hits]);
                self.solver.add_clause(&[!source, occurs]);
                clause.push(source);
                row[other] = Some(source);
            }
            self.theory.borrow_mut().may_read(id, self.writes[other], row[other], hits);
        }
        self.solver.add_clause(&clause);
        self.reads_from.push(row);
    }

    fn conjunction(&mut self, parts: &[usize]) -> Lit {
        match parts {
            [] => self.truth,
            [only] => self.booleans[*only],
            _ => {
                let all = self.solver.new_var().lit();
                let mut clause = vec![all];
                for &part in parts {
                    self.solver.add_clause(&[!all, self.booleans[part]]);
                    clause.push(!self.booleans[part]);
                }
                self.solver.add_clause(&clause);
                all
            }
        }
    }

    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        solve(&mut self.solver, &self.theory, assumptions)
    }

    /// The model, after checking that the linearisation shows it.
    pub fn outcome(&mut self, case: &Case) -> Outcome {
        let mut bits = 0;
        for (number, &lit) in self.booleans.iter().enumerate() {
            bits |= u32::from(self.solver.value(lit)) << number;
        }
        let mut sources = Vec::new();
        for row in &self.reads_from {
            let mut seen = row.iter().enumerate().filter_map(|(write, lit)| {
                lit.is_some_and(|lit| self.solver.value(lit)).then_some(write)
            });
            sources.push(seen.next());
            assert_eq!(seen.next(), None);
        }
        let outcome = Outcome { bits, sources };
        self.check_linearisation(case, &outcome);
        outcome
    }

    fn check_linearisation(&self, case: &Case, outcome: &Outcome) {
        let order: Vec<Unit> = self
            .theory
            .borrow()
            .linearisation()
            .iter()
            .map(|&unit| self.theory.borrow().place(unit))
            .map(|(thread, index)| (thread, index as usize))
            .collect();
        let only = Case { fixed: chain(&order), ..case.clone() };
        assert_eq!(order.len(), case.threads.iter().map(Vec::len).sum::<usize>());
        assert!(case.fixed.iter().all(|(a, b)| {
            let at = |unit| order.iter().position(|other| other == unit).expect("in order");
            at(a) < at(b)
        }));
        assert!(only.outcomes().contains(outcome), "the order {order:?} does not show {outcome:?}");
    }

    /// Forbids an outcome.
    pub fn block(&mut self, outcome: &Outcome) {
        let mut clause = Vec::new();
        for (number, &lit) in self.booleans.iter().enumerate() {
            clause.push(if outcome.bits >> number & 1 == 1 { !lit } else { lit });
        }
        for (row, source) in self.reads_from.iter().zip(&outcome.sources) {
            clause.extend(source.map(|write| !row[write].expect("sources are candidates")));
        }
        self.solver.add_clause(&clause);
    }

    /// All outcomes the theory allows.
    pub fn outcomes(&mut self, case: &Case) -> BTreeSet<Outcome> {
        let mut found = BTreeSet::new();
        loop {
            match self.solve(&[]) {
                Answer::Satisfiable => {
                    let outcome = self.outcome(case);
                    self.block(&outcome);
                    assert!(found.insert(outcome), "a blocked outcome came again");
                }
                Answer::Unsatisfiable => return found,
                Answer::Interrupted => panic!("no limit was set"),
            }
        }
    }
}

fn unit_of(theory: &OrderTheory, (thread, index): Unit) -> UnitId {
    theory.unit(thread, index as u32)
}

fn chain(order: &[Unit]) -> Vec<(Unit, Unit)> {
    order.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The settings that every case is tried with: the last two leave all search to the SAT solver,
/// with one spare variable at first.
pub const SETTINGS: [Settings; 4] = [
    Settings { propagation: Propagation::ConflictsOnly, repair_budget: 64, first_spares: 16 },
    Settings { propagation: Propagation::Sources, repair_budget: 64, first_spares: 16 },
    Settings { propagation: Propagation::ConflictsOnly, repair_budget: 0, first_spares: 1 },
    Settings { propagation: Propagation::Sources, repair_budget: 0, first_spares: 1 },
];

/// Compares both sides, with all settings; says how many outcomes there are.
pub fn compare(case: &Case) -> usize {
    let expected = case.outcomes();
    for settings in SETTINGS {
        let found = Encoded::new(case, settings).outcomes(case);
        assert!(
            expected == found,
            "{case:#?}\n{settings:?}\nexpected {expected:?}\nfound {found:?}"
        );
    }
    expected.len()
}

/// The shape of random cases.
#[derive(Clone, Copy)]
pub struct Shape {
    pub threads: usize,
    pub units: usize,
    pub locations: usize,
    pub booleans: usize,
    /// Percent: units with a second and third event.
    pub large_units: u64,
    pub guarded_events: u64,
    pub fixed: usize,
    pub guarded: usize,
    pub aliases: usize,
    pub excluded: usize,
}

/// A random case: a first unit that writes all locations, then random threads.
pub fn random_case(rng: &mut Random, shape: Shape) -> Case {
    let mut case = Case { booleans: shape.booleans, ..Case::default() };
    let write = |location| Event { is_write: true, location, guard: None };
    case.threads.push(vec![(0..shape.locations).map(write).collect()]);
    case.threads.resize(1 + shape.threads, Vec::new());
    for _ in 0..shape.units {
        let thread = 1 + rng.index(shape.threads);
        let mut events = Vec::new();
        while events.is_empty() || events.len() < 3 && rng.chance(shape.large_units) {
            let guard = (shape.booleans > 0 && rng.chance(shape.guarded_events))
                .then(|| rng.index(shape.booleans));
            events.push(Event {
                is_write: rng.chance(50),
                location: rng.index(shape.locations),
                guard,
            });
        }
        case.threads[thread].push(events);
    }
    let ends: Vec<usize> =
        (1..case.threads.len()).filter(|&t| !case.threads[t].is_empty()).collect();
    case.fixed = ends.iter().map(|&thread| ((0, 0), (thread, 0))).collect();
    let units: Vec<Unit> = ends
        .iter()
        .flat_map(|&thread| (0..case.threads[thread].len()).map(move |index| (thread, index)))
        .collect();
    for _ in 0..shape.fixed {
        // Edges go upwards in a fixed numbering, so they never close a cycle with program order.
        let (a, b) = (units[rng.index(units.len())], units[rng.index(units.len())]);
        if a.0 < b.0 {
            case.fixed.push((a, b));
        }
    }
    if shape.booleans > 0 {
        for _ in 0..shape.guarded {
            let (a, b) = (units[rng.index(units.len())], units[rng.index(units.len())]);
            if a != b {
                let boolean = rng.index(shape.booleans);
                case.guarded.push((boolean, true, a, b));
                if rng.chance(70) {
                    case.guarded.push((boolean, false, b, a));
                }
            }
        }
        let writes = case.accesses(true);
        for _ in 0..shape.aliases {
            let write = writes[rng.index(writes.len())];
            let location = rng.index(shape.locations);
            if location != write.event.location {
                case.aliases.retain(|alias: &Alias| {
                    (alias.unit, alias.position) != (write.unit, write.position)
                });
                let condition = rng.index(shape.booleans);
                case.aliases.push(Alias {
                    unit: write.unit,
                    position: write.position,
                    location,
                    condition,
                });
            }
        }
    }
    let (reads, writes) = (case.accesses(false).len(), case.accesses(true).len());
    for _ in 0..shape.excluded {
        if reads > 0 {
            case.excluded.push((rng.index(reads), rng.index(writes)));
        }
    }
    case
}
