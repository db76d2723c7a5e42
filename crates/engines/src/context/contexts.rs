//! The contexts of units: who runs when.
//!
//! *Block*: each unit has a number of its own, and units of two threads are never in one context.
//! *Begin*: each context k has a thread and the unit with which it begins; in unary, begun(t, u, k)
//! says that it begins at unit u or before. Where a thread's context ends is where its next one
//! begins, so the numbers of units follow from the last context to the first: a unit comes after
//! context k - 1 if context k is its thread's and begins with it or before, or is not and it comes
//! after context k.
//!
//! With free scheduling many numberings are one execution; only one of them is kept: contexts in
//! which nothing happens come last, and neighbours belong to different threads. Beyond the contexts
//! within the bound there are a few more, so that it can be asked whether anybody needs them.

use raddle_summary::{Skeleton, ThreadIx};

use super::{Encoding, Scheduling};
use crate::bounded::formula::{Formula, Lit};
use crate::slots::gates::{at_most_one, choose, clause, or};
use crate::slots::numbers::Numbers;

/// How many contexts there are, and for whom.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Most context switches within the bound: never more than there are units.
    pub switches: u32,
    /// Contexts beyond the bound.
    pub extra: u32,
    /// Who runs.
    pub scheduling: Scheduling,
    /// How many units each thread has.
    units: Vec<u32>,
    /// The first context in which each thread can run.
    first: Vec<u32>,
}

impl Plan {
    /// Plans so many switches for the threads of a skeleton.
    pub fn new(skeleton: &Skeleton, switches: u32, scheduling: Scheduling) -> Plan {
        let threads = skeleton.threads.iter();
        let threads: Vec<(u32, Option<usize>)> =
            threads.map(|t| (t.units, t.parent.map(|p| p.index()))).collect();
        Plan::of_threads(&threads, switches, scheduling)
    }

    /// The same for threads given by their number of units and their parent, which stands before
    /// them.
    fn of_threads(threads: &[(u32, Option<usize>)], switches: u32, scheduling: Scheduling) -> Plan {
        let units: Vec<u32> = threads.iter().map(|t| t.0).collect();
        let count = threads.len() as u32;
        let all = units.iter().copied().fold(0, u32::saturating_add);
        // More switches than this change nothing; beyond the bound lies the next thing that
        // happens.
        let (most, extra) = match scheduling {
            // Neighbours belong to different threads, so nobody runs more often than all others.
            Scheduling::Free => {
                let others = all - units.iter().copied().max().unwrap_or(0);
                (all.min(others.saturating_mul(2).saturating_add(1)).saturating_sub(1), 1)
            }
            Scheduling::RoundRobin => (all.saturating_mul(count), count),
        };
        let most = if count < 2 { 0 } else { most };
        let extra = if switches < most { extra } else { 0 };
        let switches = switches.min(most);
        let mut plan = Plan { switches, extra, scheduling, units, first: Vec::new() };
        for (t, (_, parent)) in threads.iter().enumerate() {
            let after = parent.map_or(0, |p| plan.first[p] + 1);
            let allowed = (after..after + count).find(|&k| plan.may_run(t, k));
            plan.first.push(allowed.expect("every thread has its turn in a round"));
        }
        assert!(plan.units.iter().all(|&n| n > 0), "the first unit of a thread is its existence");
        plan
    }

    /// All contexts.
    pub fn contexts(&self) -> u32 {
        self.switches + 1 + self.extra
    }

    fn may_run(&self, thread: usize, context: u32) -> bool {
        match self.scheduling {
            Scheduling::Free => true,
            Scheduling::RoundRobin => context as usize % self.units.len() == thread,
        }
    }

    /// A literal that implies that nothing happens beyond the bound.
    pub fn within(&self, formula: &mut dyn Formula, owned: &[Vec<Lit>]) -> Lit {
        let within = formula.new_lit();
        for &owned in owned[self.switches as usize + 1..].iter().flatten() {
            clause(formula, &[!within, !owned]);
        }
        within
    }

    /// A literal that implies that something happens beyond the bound, if that is possible.
    pub fn beyond(&self, formula: &mut dyn Formula, owned: &[Vec<Lit>]) -> Option<Lit> {
        if self.extra == 0 {
            return None;
        }
        let beyond = formula.new_lit();
        let mut some: Vec<Lit> = owned[self.switches as usize + 1..].concat();
        some.push(!beyond);
        clause(formula, &some);
        Some(beyond)
    }
}

/// Who runs when.
pub struct Contexts {
    /// The contexts of units.
    pub numbers: Numbers,
    /// By context and thread: some unit of the thread is executed in it.
    pub owned: Vec<Vec<Lit>>,
}

impl Contexts {
    /// Encodes the contexts of a plan.
    pub fn new(formula: &mut dyn Formula, plan: &Plan, encoding: Encoding) -> Contexts {
        let slots = plan.contexts();
        let after = match encoding {
            Encoding::Block => {
                let allowed = |t: ThreadIx, k| plan.may_run(t.index(), k);
                Numbers::increase(formula, &plan.units, slots, &plan.first, allowed)
            }
            Encoding::Begin => begin(formula, plan),
        };
        // The main thread exists from the start.
        clause(formula, &[!after[0][0][0]]);
        let numbers = Numbers::new(formula, slots, after);
        let mut owned: Vec<Vec<Lit>> = Vec::with_capacity(slots as usize);
        for k in 0..slots {
            let mut by_thread = Vec::with_capacity(plan.units.len());
            for (t, &units) in (0..).zip(&plan.units) {
                let units: Vec<Lit> = (0..units).map(|u| numbers.at((ThreadIx(t), u), k)).collect();
                by_thread.push(or(formula, &units));
            }
            owned.push(by_thread);
        }
        if plan.scheduling == Scheduling::Free {
            one_form(formula, &owned);
        }
        Contexts { numbers, owned }
    }
}

/// Contexts belong to one thread each, neighbours to different ones, and empty ones come last.
fn one_form(formula: &mut dyn Formula, owned: &[Vec<Lit>]) {
    let mut earlier: Option<(&Vec<Lit>, Lit)> = None;
    for by_thread in owned {
        at_most_one(formula, by_thread);
        let used = or(formula, by_thread);
        if let Some((before, used_before)) = earlier {
            clause(formula, &[!used, used_before]);
            for (&a, &b) in before.iter().zip(by_thread) {
                clause(formula, &[!a, !b]);
            }
        }
        earlier = Some((by_thread, used));
    }
}

/// Numbers that follow from where contexts begin.
fn begin(formula: &mut dyn Formula, plan: &Plan) -> Vec<Vec<Vec<Lit>>> {
    let slots = plan.contexts();
    let mut all = Vec::with_capacity(plan.units.len());
    for (t, &units) in plan.units.iter().enumerate() {
        let units = units as usize;
        // From which unit on the thread is in the look; then from the last context to the first.
        let mut after: Vec<Vec<Lit>> = vec![increasing(formula, units)];
        for k in (1..slots).rev() {
            let later = after.last().expect("the look is there").clone();
            if k < plan.first[t] || !plan.may_run(t, k) {
                after.push(later);
                continue;
            }
            let begun = increasing(formula, units);
            let runs = begun[units - 1];
            let mut now = Vec::with_capacity(units);
            for u in 0..units {
                // It does not end before it has begun, and something happens in it.
                clause(formula, &[!runs, !later[u], begun[u]]);
                let earlier = if u == 0 { !formula.tru() } else { begun[u - 1] };
                clause(formula, &[!begun[u], earlier, !later[u]]);
                now.push(choose(formula, runs, begun[u], later[u]));
            }
            after.push(now);
        }
        after.reverse();
        // Nothing of a thread comes before the first context in which it can run.
        if let Some(k) = plan.first[t].checked_sub(1) {
            clause(formula, &[after[slots.min(k + 1) as usize - 1][0]]);
        }
        let of_unit = |u: usize| after.iter().map(|of_context| of_context[u]).collect();
        all.push((0..units).map(of_unit).collect());
    }
    all
}

/// New literals each of which implies the next.
fn increasing(formula: &mut dyn Formula, count: usize) -> Vec<Lit> {
    let lits: Vec<Lit> = (0..count).map(|_| formula.new_lit()).collect();
    for pair in lits.windows(2) {
        clause(formula, &[!pair[0], pair[1]]);
    }
    lits
}

#[cfg(test)]
mod tests {
    use raddle_sat::Answer;

    use super::*;
    use crate::Budget;
    use crate::bounded::builtin::BuiltIn;

    /// All sequences of numbers that do not decrease.
    fn increasing_numbers(length: u32, most: u32) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for _ in 0..length {
            let mut longer = Vec::new();
            for numbers in &all {
                let least = numbers.last().copied().unwrap_or(0);
                longer.extend((least..=most).map(|n| [numbers.as_slice(), &[n]].concat()));
            }
            all = longer;
        }
        all
    }

    /// Whether numbers of units are contexts of a plan, by the definition.
    fn is_allowed(plan: &Plan, numbers: &[Vec<u32>]) -> bool {
        let slots = plan.contexts();
        let owners = |k: u32| -> Vec<usize> {
            (0..numbers.len()).filter(|&t| numbers[t].contains(&k)).collect()
        };
        let placed = numbers.iter().enumerate().all(|(t, of_thread)| {
            of_thread.iter().all(|&k| k == slots || k >= plan.first[t] && plan.may_run(t, k))
        });
        let one_form = plan.scheduling == Scheduling::RoundRobin
            || (0..slots).all(|k| {
                let here = owners(k);
                let before = if k == 0 { None } else { Some(owners(k - 1)) };
                here.len() <= 1
                    && (here.is_empty() || before.is_none_or(|b| !b.is_empty() && b != here))
            });
        placed && one_form && numbers[0][0] == 0
    }

    fn check(plan: &Plan, encoding: Encoding) {
        let mut formula = BuiltIn::new(&Budget::default(), true);
        let Contexts { numbers, owned } = Contexts::new(&mut formula, plan, encoding);
        let slots = plan.contexts();
        let choices: Vec<Vec<Vec<u32>>> =
            plan.units.iter().map(|&units| increasing_numbers(units, slots)).collect();
        let mut allowed_ones = 0;
        for first in &choices[0] {
            for second in &choices[1] {
                let these = [first.clone(), second.clone()];
                let mut assumed = Vec::new();
                for (t, of_thread) in (0..).zip(&these) {
                    let units = (0..).zip(of_thread);
                    assumed.extend(units.map(|(u, &k)| numbers.at((ThreadIx(t), u), k)));
                }
                let satisfiable = formula.solve(&assumed) == Answer::Satisfiable;
                assert_eq!(
                    satisfiable,
                    is_allowed(plan, &these),
                    "{encoding:?} {plan:?} {these:?}"
                );
                if satisfiable {
                    allowed_ones += 1;
                    assert_eq!(numbers.of_model(&mut formula), these);
                    for (k, by_thread) in (0..).zip(&owned) {
                        for (t, &owned) in by_thread.iter().enumerate() {
                            assert_eq!(formula.value(owned), these[t].contains(&k));
                        }
                    }
                }
            }
        }
        assert!(allowed_ones > 1, "something is allowed");
    }

    #[test]
    fn both_encodings_allow_what_the_definition_allows() {
        let threads = [(2, None), (3, Some(0))];
        for scheduling in [Scheduling::Free, Scheduling::RoundRobin] {
            for switches in 1..4 {
                let plan = Plan::of_threads(&threads, switches, scheduling);
                for encoding in [Encoding::Block, Encoding::Begin] {
                    check(&plan, encoding);
                }
            }
        }
    }

    #[test]
    fn plans_do_not_exceed_what_can_happen() {
        let alone = Plan::of_threads(&[(9, None)], 7, Scheduling::Free);
        assert_eq!((alone.switches, alone.extra, alone.contexts()), (0, 0, 1));
        let two = [(2, None), (2, Some(0))];
        let many = Plan::of_threads(&two, 100, Scheduling::Free);
        assert_eq!((many.switches, many.extra), (3, 0));
        let few = Plan::of_threads(&two, 2, Scheduling::Free);
        assert_eq!((few.switches, few.extra), (2, 1));
        let uneven = Plan::of_threads(&[(90, None), (2, Some(0))], 50, Scheduling::Free);
        assert_eq!((uneven.switches, uneven.extra), (4, 0));
        let turns = Plan::of_threads(&two, 3, Scheduling::RoundRobin);
        assert_eq!((turns.switches, turns.extra, turns.first.clone()), (3, 2, vec![0, 1]));
        let nested = [(2, None), (2, Some(0)), (2, Some(1))];
        assert_eq!(Plan::of_threads(&nested, 9, Scheduling::Free).first, [0, 1, 2]);
    }
}
