//! Counters: places that sections add known amounts to.
//!
//! Idea: a place that sections of one mutex, or atomic units, change by known amounts holds what it
//! held at the start and what was added since: how many sections came before counts, not which.
//! Reads-from pairs say it write by write, each order by itself, and to refute them all is to refute
//! a pigeonhole formula, for which clauses alone take exponentially many steps. So for each read the
//! sections that are over before it are counted in unary (a totalizer), and its value follows from the
//! count: nine threads that add one each take one conflict, and without it more than 80,000.
//!
//! A section that sets the place to a constant adds what that is more than before, if its guard
//! says what was there: `if (++arrived == all) arrived = 0;` adds one, or takes all but one. With two
//! amounts there are two counts, and pairs of them whose value no section can leave are excluded:
//! the values that can be are closed under all changes, from the initial value on.
//!
//! Why it holds: sections that change the place exclude each other, each begins with a read of it, and
//! nobody else writes it. So what a section finds is what the last one before it left, and by induction
//! the sum. The literals that order sections are those of `mutexes.rs`; atomic units get some here.
//! Source: Bailleux, Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
//! Invariant: what is said holds in every execution anyway, so that answers do not depend on it
//! (`--without counters`).
//! Limits: one known place, known at the start; at most [`MOST_AMOUNTS`] amounts and
//! [`MOST_SECTIONS`] sections.

use raddle_sat::Lit;
use raddle_summary::{EventKind, ThreadIx};
use raddle_term::{Op, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compose::Composer;
use crate::bounded::cells::{Group, Piece};
use crate::bounded::initial;

/// Amounts by which a counter may change: each has a count of its own.
const MOST_AMOUNTS: usize = 2;
/// Sections that may change a counter: fewer than three are counted by who is read from, and for
/// each read a totalizer has as many clauses as the square of this.
const FEWEST_SECTIONS: usize = 3;
const MOST_SECTIONS: usize = 64;
/// Values that a counter may have, if they are listed.
const MOST_VALUES: usize = 64;
/// Pairs of counts for one read.
const MOST_PAIRS: usize = 1000;

/// What keeps the changes of a counter apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    Mutex(u64),
    Atomic,
}

/// What a write leaves.
#[derive(Clone, Copy)]
enum Effect {
    /// So much more than the section found.
    Add(u128),
    /// This.
    Set(u128),
}

/// When a section changes a counter, and by how much.
#[derive(Clone, Copy)]
struct Change {
    condition: TermId,
    amount: u128,
}

/// What a thread does to a counter without being interrupted.
struct Section {
    /// Its number among those of the mutex, or its unit; none for a read outside.
    number: Option<u32>,
    /// The accesses, in order.
    pieces: Vec<Piece>,
    /// These exclude each other.
    changes: Vec<Change>,
}

/// A place that is a counter.
struct Counter {
    guard: Guard,
    sections: Vec<Section>,
    /// The amounts, ascending.
    amounts: Vec<u128>,
    /// What is there at the start.
    start: u128,
    /// The largest number that fits.
    mask: u128,
    /// All values between sections, if they are few.
    values: Option<FxHashSet<u128>>,
}

/// When a section is over at a read.
enum Over {
    Always,
    Never,
    If(Lit),
}

impl Composer<'_> {
    /// Says of each read of a counter how many changes come before it.
    pub(super) fn count(&mut self, group: &Group) {
        let Some(counter) = self.counter(group) else { return };
        debug_assert!(!counter.amounts.contains(&0), "what adds nothing is no change");
        for section in &counter.sections {
            self.count_before(&counter, section);
        }
    }

    /// What is known about a counter; none if it is none.
    fn counter(&mut self, group: &Group) -> Option<Counter> {
        let write = group.writes.first()?;
        let (place, bytes) = (write.constant?, write.bytes);
        let all = group.reads.iter().chain(&group.writes);
        let known = all.clone().all(|p| p.constant == Some(place)) && bytes <= 8;
        let mut writers: Vec<ThreadIx> =
            group.writes.iter().map(|w| self.event(w).thread).collect();
        writers.dedup();
        if !known || writers.len() < 2 {
            return None;
        }
        let guard = self.guard(group)?;
        let mut pieces: Vec<&Piece> = all.collect();
        pieces.sort_by_key(|p| self.place(p));
        let mut sections: Vec<Section> = Vec::new();
        let mut index: FxHashMap<(ThreadIx, u32), usize> = FxHashMap::default();
        for piece in pieces {
            let number = self.section_of(piece, guard);
            let new = sections.len();
            let at =
                number.map_or(new, |n| *index.entry((self.event(piece).thread, n)).or_insert(new));
            if at == new {
                sections.push(Section { number, pieces: Vec::new(), changes: Vec::new() });
            }
            sections[at].pieces.push(piece.clone());
        }
        let mask = (1 << (bytes * 8)) - 1;
        for section in &mut sections {
            section.changes = self.changes(&section.pieces, mask)?;
        }
        let changing = sections.iter().filter(|s| !s.changes.is_empty()).count();
        let changes = sections.iter().flat_map(|s| &s.changes);
        let mut amounts: Vec<u128> = changes.map(|c| c.amount).collect();
        amounts.sort_unstable();
        amounts.dedup();
        if !(FEWEST_SECTIONS..=MOST_SECTIONS).contains(&changing) || amounts.len() > MOST_AMOUNTS {
            return None;
        }
        let start = initial::at(self.scene, self.terms, &mut self.initial, place, bytes);
        let start = self.terms.as_const(start)?;
        let values = self.values(&sections, start, mask);
        Some(Counter { guard, sections, amounts, start, mask, values })
    }

    /// What keeps all changes apart, if anything does.
    fn guard(&mut self, group: &Group) -> Option<Guard> {
        let held = self.event(&group.writes[0]).locks.clone();
        let mutexes = held.iter().map(|l| Guard::Mutex(l.address));
        let mut guards = mutexes.chain([Guard::Atomic]);
        guards.find(|&guard| group.writes.iter().all(|w| self.section_of(w, guard).is_some()))
    }

    fn section_of(&mut self, piece: &Piece, guard: Guard) -> Option<u32> {
        let event = self.event(piece);
        match guard {
            Guard::Mutex(_) if event.atomic => None,
            Guard::Mutex(mutex) => self.mutexes.section(self.terms, &mut self.facts, event, mutex),
            Guard::Atomic => event.atomic.then_some(event.unit),
        }
    }

    /// How a section changes the place; none if that is not known.
    fn changes(&mut self, pieces: &[Piece], mask: u128) -> Option<Vec<Change>> {
        if pieces.iter().all(|p| self.event(p).kind == EventKind::Read) {
            return Some(Vec::new());
        }
        let first = self.event(&pieces[0]);
        // The values that were read: what they are, and when.
        let mut found: FxHashMap<TermId, (Effect, TermId)> = FxHashMap::default();
        let mut writes: Vec<(TermId, Effect)> = Vec::new();
        for piece in pieces {
            let event = self.event(piece);
            let here = event.guard;
            match event.kind {
                EventKind::Read => {
                    let effect = match writes.last() {
                        None => Effect::Add(0),
                        Some(&(guard, effect)) if self.holds(here, guard) => effect,
                        Some(_) => continue,
                    };
                    if self.terms.as_var(piece.value).is_some() {
                        found.entry(piece.value).or_insert((effect, here));
                    }
                }
                EventKind::Write => {
                    let begins = first.kind == EventKind::Read && self.holds(here, first.guard);
                    if !begins || (here != event.reached && !event.atomic) {
                        return None;
                    }
                    writes.push((here, self.effect(&found, here, piece.value, mask)?));
                }
            }
        }
        let mut changes = Vec::new();
        let mut later = self.terms.fals();
        for &(guard, effect) in writes.iter().rev() {
            let is_last = self.terms.not(later);
            let condition = self.terms.and(guard, is_last);
            later = self.terms.or(later, guard);
            let amount = match effect {
                Effect::Add(amount) => amount,
                Effect::Set(value) => {
                    value.wrapping_sub(self.found_before(&found, guard, mask)?) & mask
                }
            };
            if amount != 0 && !self.terms.is_false(condition) {
                changes.push(Change { condition, amount });
            }
        }
        Some(changes)
    }

    fn holds(&mut self, premise: TermId, conclusion: TermId) -> bool {
        self.facts.implication.holds(self.terms, premise, conclusion)
    }

    /// What a value that is written under a guard is.
    fn effect(
        &mut self,
        found: &FxHashMap<TermId, (Effect, TermId)>,
        guard: TermId,
        value: TermId,
        mask: u128,
    ) -> Option<Effect> {
        if let Some(value) = self.terms.as_const(value) {
            return Some(Effect::Set(value));
        }
        if let Some(&(effect, when)) = found.get(&value) {
            return self.holds(guard, when).then_some(effect);
        }
        if self.terms.op(value) != Op::Add {
            return None;
        }
        let (rest, amount) = self.with_constant(value)?;
        let add = |before: u128| before.wrapping_add(amount) & mask;
        Some(match self.effect(found, guard, rest, mask)? {
            Effect::Add(before) => Effect::Add(add(before)),
            Effect::Set(before) => Effect::Set(add(before)),
        })
    }

    /// The arguments of a term, if one of its two is a constant.
    fn with_constant(&self, t: TermId) -> Option<(TermId, u128)> {
        let [a, b] = self.terms.args(t)[..] else { return None };
        match (self.terms.as_const(a), self.terms.as_const(b)) {
            (Some(constant), None) => Some((b, constant)),
            (None, Some(constant)) => Some((a, constant)),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }

    /// What a section found at its beginning, if a guard says so.
    fn found_before(
        &mut self,
        found: &FxHashMap<TermId, (Effect, TermId)>,
        guard: TermId,
        mask: u128,
    ) -> Option<u128> {
        let conjuncts = self.facts.implication.conjuncts(self.terms, guard);
        let equals = conjuncts.iter().filter(|&&c| self.terms.op(c) == Op::Eq);
        let known = equals.filter_map(|&c| {
            let (term, value) = self.with_constant(c)?;
            match *found.get(&term)? {
                (Effect::Add(more), when) => Some((value.wrapping_sub(more) & mask, when)),
                (Effect::Set(_), _) => None,
            }
        });
        let known: Vec<(u128, TermId)> = known.collect();
        known.into_iter().find(|&(_, when)| self.holds(guard, when)).map(|k| k.0)
    }

    /// All values that the place may have between sections, if they are few.
    fn values(&mut self, sections: &[Section], start: u128, mask: u128) -> Option<FxHashSet<u128>> {
        // What must hold of the value that is found, and what is added then.
        let mut steps: Vec<(Vec<TermId>, u128)> = Vec::new();
        for section in sections.iter().filter(|s| !s.changes.is_empty()) {
            let variable = self.terms.as_var(section.pieces[0].value)?;
            for change in &section.changes {
                let conjuncts = self.facts.implication.conjuncts(self.terms, change.condition);
                let about = |c: &&TermId| self.terms.variables(&[**c]) == [variable];
                let about = conjuncts.iter().filter(about).copied().collect();
                steps.push((about, change.amount));
            }
        }
        let (mut values, mut new) = (FxHashSet::from_iter([start]), vec![start]);
        while let Some(value) = new.pop() {
            for (conditions, amount) in &steps {
                let next = value.wrapping_add(*amount) & mask;
                let holds = || raddle_term::evaluate(self.terms, conditions, &mut |_| value);
                if !values.contains(&next) && holds().iter().all(|&h| h == 1) {
                    values.insert(next);
                    new.push(next);
                }
            }
            if values.len() > MOST_VALUES {
                return None;
            }
        }
        Some(values)
    }

    /// Counts the changes before the first access of a section, if it is a read that somebody
    /// needs; none if some section is in no known order with it.
    fn count_before(&mut self, counter: &Counter, section: &Section) -> Option<()> {
        let read = &section.pieces[0];
        let event = self.event(read);
        let is_said = self.is_settled(read.event) || self.defined.contains(&read.event);
        if event.kind == EventKind::Write || is_said {
            return None;
        }
        let mut inputs: Vec<Vec<Lit>> = vec![Vec::new(); counter.amounts.len()];
        for other in counter.sections.iter().filter(|s| !s.changes.is_empty()) {
            let is_over = match std::ptr::eq(other, section) {
                true => Over::Never,
                false => self.is_over(counter.guard, other, section)?,
            };
            for change in &other.changes {
                let class = counter.amounts.binary_search(&change.amount);
                let class = class.expect("each amount is listed");
                let condition = self.lit(change.condition);
                match is_over {
                    Over::Never => {}
                    Over::Always => inputs[class].push(condition),
                    Over::If(over) => inputs[class].push(self.both(over, condition)),
                }
            }
        }
        let pairs: usize = inputs.iter().map(|i| i.len() + 1).product();
        if pairs > MOST_PAIRS {
            return None;
        }
        let counts: Vec<Vec<Lit>> = inputs.iter().map(|i| self.total(i)).collect();
        self.follows(counter, read, &counts);
        Some(())
    }

    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.order.new_lit();
        self.order.clause(&[!both, a]);
        self.order.clause(&[!both, b]);
        self.order.clause(&[both, !a, !b]);
        both
    }

    /// When a section is over at the beginning of another one, if both occur: otherwise it has not
    /// begun.
    fn is_over(&mut self, guard: Guard, one: &Section, other: &Section) -> Option<Over> {
        let (first, last) = (&one.pieces[0], one.pieces.last().expect("sections have accesses"));
        let read = &other.pieces[0];
        if self.precedes(last, read) {
            return Some(Over::Always);
        }
        if self.precedes(read, first) {
            return Some(Over::Never);
        }
        match guard {
            Guard::Mutex(_) => {
                let (one, other) = (one.number?, other.number?);
                match self.mutexes.order(one, other) {
                    (Some(first), _) => Some(Over::If(first.lit)),
                    (None, Some(_)) => Some(Over::Never),
                    (None, None) => None,
                }
            }
            Guard::Atomic => Some(Over::If(self.units_in_order(last, read))),
        }
    }

    /// A literal for the order of two units that are reached.
    fn units_in_order(&mut self, one: &Piece, other: &Piece) -> Lit {
        let units = [self.place(one).0, self.place(other).0];
        debug_assert_ne!(units[0].0, units[1].0, "those of a thread are in order");
        if let Some(&lit) = self.unit_orders.get(&units) {
            return lit;
        }
        let [first, second] = [self.order.new_lit(), self.order.new_lit()];
        self.order.guarded_edge(first, units[0], units[1]);
        self.order.guarded_edge(second, units[1], units[0]);
        let [a, b] = [one, other].map(|p| self.event(p).reached).map(|t| self.lit(t));
        self.order.clause(&[!a, !b, first, second]);
        self.order.clause(&[!first, !second]);
        self.unit_orders.insert(units, first);
        self.unit_orders.insert([units[1], units[0]], second);
        first
    }

    /// Literals in a row: the n-th holds if and only if at least n inputs do, from one on.
    fn total(&mut self, inputs: &[Lit]) -> Vec<Lit> {
        if inputs.len() < 2 {
            return inputs.to_vec();
        }
        let (left, right) = inputs.split_at(inputs.len() / 2);
        let (left, right) = (self.total(left), self.total(right));
        let sum: Vec<Lit> = inputs.iter().map(|_| self.order.new_lit()).collect();
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                if let Some(last) = (i + j).checked_sub(1) {
                    let mut clause = vec![sum[last]];
                    clause.extend(i.checked_sub(1).map(|i| !left[i]));
                    clause.extend(j.checked_sub(1).map(|j| !right[j]));
                    self.order.clause(&clause);
                }
                if let Some(&more) = sum.get(i + j) {
                    let mut clause = vec![!more];
                    clause.extend(left.get(i));
                    clause.extend(right.get(j));
                    self.order.clause(&clause);
                }
            }
        }
        sum
    }

    /// The value of a read follows from the counts.
    fn follows(&mut self, counter: &Counter, read: &Piece, counts: &[Vec<Lit>]) {
        let occurs = self.lit(self.event(read).guard);
        // For all counts: that they are others, and the value.
        let mut cases: Vec<(Vec<Lit>, u128)> = vec![(vec![!occurs], counter.start)];
        for (&amount, count) in counter.amounts.iter().zip(counts) {
            let mut next = Vec::new();
            for (others, value) in &cases {
                for n in 0..=count.len() {
                    let mut others = others.clone();
                    others.extend(n.checked_sub(1).map(|n| !count[n]));
                    others.extend(count.get(n));
                    let added = amount.wrapping_mul(n as u128);
                    next.push((others, value.wrapping_add(added) & counter.mask));
                }
            }
            cases = next;
        }
        let width = self.terms.width(read.value);
        for (mut clause, value) in cases {
            if counter.values.as_ref().is_none_or(|v| v.contains(&value)) {
                let value = self.terms.constant(value, width);
                let equal = self.terms.eq(read.value, value);
                clause.push(self.lit(equal));
            }
            self.order.clause(&clause);
        }
    }
}
