//! Threads that are copies of each other begin in the order of their creation.
//!
//! Idea: when several threads run the same code with the same arguments, each execution has
//! variants in which they change roles. Of these it is enough to look at the one in which the
//! thread created first makes the first step, and so on: n threads that each enter one critical
//! section are then in one order instead of n!. Whether threads are copies is not guessed from the
//! source: their events, guards, values, violations and cuts must be equal term by term, up to a
//! renaming of the variables that arose while the threads were executed ([`Renaming`]). The only
//! constants that may differ are their own numbers in the words of mutexes. Roles can be changed if
//! (1) creation is unconditional, so that the k-th to begin may be the k-th created; (2) a thread
//! that does not make its first step makes none; (3) nobody can tell the threads apart: they create
//! and join none, return the same, their numbers and objects are not in shared memory, and their
//! creator joins none of them, or all of them with no step of its own in between; what is read of
//! the word of a mutex, whoever reads it, is only compared with 0 or the reader's own number. Limits:
//! threads whose arguments differ are never copies.

use std::ops::Range;

use raddle_summary::{
    Event, EventKind, Knowledge, MarkKind, ObjectKey, Skeleton, Thread, ThreadIx, Trail, WaitKind,
};
use raddle_term::{Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::before::Unit;
use super::implication::Implication;

/// The second thread makes its first step only after the first one has made its own.
pub struct Ordered {
    /// When they make it.
    pub steps: [TermId; 2],
    /// The units of the steps.
    pub units: [Unit; 2],
}

/// What each thread does, by position in the skeleton's lists.
#[derive(Default)]
struct Parts {
    events: Vec<usize>,
    marks: Vec<usize>,
    violations: Vec<usize>,
    waits: Vec<usize>,
    cuts: Vec<usize>,
    assumptions: Vec<TermId>,
}

/// All pairs of copies that are created one after the other.
pub fn find(
    skeleton: &Skeleton,
    terms: &Terms,
    knowledge: &Knowledge,
    implication: &mut Implication,
) -> Vec<Ordered> {
    // A join of a thread found by its number can tell threads apart.
    if skeleton.threads.len() < 3 || !skeleton.joins.is_empty() {
        return Vec::new();
    }
    if tells_holders_apart(skeleton, terms) {
        return Vec::new();
    }
    let parts = parts(skeleton, terms);
    let exposed = exposed(skeleton, knowledge);
    let words = lock_words(skeleton);
    let mut finder = Finder { skeleton, terms, parts, exposed, words, implication };
    let mut found = Vec::new();
    // The first steps of threads that are copies of each other.
    let mut groups: Vec<Vec<&Event>> = Vec::new();
    for t in 1..skeleton.threads.len() {
        let Some(step) = finder.first_step(t) else { continue };
        let copies = |g: &&mut Vec<&Event>| {
            g.last().is_some_and(|last| finder.copies(last.thread.index(), t))
        };
        match groups.iter_mut().find(copies) {
            Some(group) => group.push(step),
            None => groups.push(vec![step]),
        }
    }
    for steps in groups {
        let parents = |e: &&Event| skeleton.threads[e.thread.index()].parent;
        assert!(steps.windows(2).all(|p| parents(&p[0]) == parents(&p[1])), "copies are siblings");
        assert!(steps.is_sorted_by_key(|e| e.thread), "copies stand in the order of creation");
        assert!(steps.iter().all(|e| e.unit > 0), "the first unit of a thread is its existence");
        if steps.len() > 1 && finder.joined_together(&steps) {
            found.extend(steps.windows(2).map(|pair| Ordered {
                steps: [pair[0].reached, pair[1].reached],
                units: [pair[0], pair[1]].map(|e| (e.thread, e.unit)),
            }));
        }
    }
    found
}

struct Finder<'a> {
    skeleton: &'a Skeleton,
    terms: &'a Terms,
    parts: Vec<Parts>,
    /// Threads whose number or objects others may see.
    exposed: FxHashSet<usize>,
    /// Variables that hold the word of a mutex.
    words: FxHashSet<TermId>,
    implication: &'a mut Implication,
}

fn parts(skeleton: &Skeleton, terms: &Terms) -> Vec<Parts> {
    let mut parts: Vec<Parts> = skeleton.threads.iter().map(|_| Parts::default()).collect();
    for (i, e) in skeleton.events.iter().enumerate() {
        parts[e.thread.index()].events.push(i);
    }
    for (i, m) in skeleton.marks.iter().enumerate() {
        parts[m.thread.index()].marks.push(i);
    }
    for (i, v) in skeleton.violations.iter().enumerate() {
        parts[v.thread.index()].violations.push(i);
    }
    for (i, w) in skeleton.waits.iter().enumerate() {
        parts[w.thread.index()].waits.push(i);
    }
    for (i, c) in skeleton.cuts.iter().enumerate() {
        parts[c.thread.index()].cuts.push(i);
    }
    for &t in &skeleton.assumptions {
        let variables = variables(terms, t);
        for (thread, part) in skeleton.threads.iter().zip(&mut parts) {
            if variables.iter().any(|v| thread.variables.contains(v)) {
                part.assumptions.push(t);
            }
        }
    }
    parts
}

/// The numbers of the variables of a term, some perhaps twice.
fn variables(terms: &Terms, t: TermId) -> Vec<usize> {
    let mut all = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        if seen.insert(t) {
            all.extend(terms.as_var(t).map(|v| v.index()));
            work.extend_from_slice(terms.args(t));
        }
    }
    all
}

/// Threads whose number is stored in shared memory, or whose objects are shared.
fn exposed(skeleton: &Skeleton, knowledge: &Knowledge) -> FxHashSet<usize> {
    let creations: FxHashMap<(ThreadIx, u32), usize> = skeleton
        .marks
        .iter()
        .filter_map(|m| match m.kind {
            MarkKind::Create(child) => Some(((m.thread, m.unit), child.index())),
            MarkKind::Join(_) | MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => {
                None
            }
        })
        .collect();
    let by_number: FxHashMap<u32, usize> =
        skeleton.threads.iter().enumerate().map(|(i, t)| (t.number, i)).collect();
    let mut found = FxHashSet::default();
    for e in &skeleton.events {
        found.extend(creations.get(&(e.thread, e.unit)));
        for &(o, _) in &e.targets {
            let key = match knowledge.object(o).key {
                ObjectKey::Grave(of) => knowledge.object(of).key,
                other => other,
            };
            match key {
                ObjectKey::ThreadLocal(number, _) | ObjectKey::Alloc { thread: number, .. } => {
                    found.extend(by_number.get(&number));
                }
                ObjectKey::Global(_) | ObjectKey::Function(_) | ObjectKey::Grave(_) => {}
            }
        }
    }
    found
}

/// Whether two accesses may have a byte in common.
fn may_overlap(a: &Event, b: &Event) -> bool {
    let apart = |x: u64, y: u64| x + u64::from(a.bytes) <= y || y + u64::from(b.bytes) <= x;
    a.targets.iter().any(|&(o, x)| {
        let meet = |y: Option<u64>| x.zip(y).is_none_or(|(x, y)| !apart(x, y));
        b.targets.iter().any(|&(p, y)| o == p && meet(y))
    })
}

/// Whether something depends on who holds a mutex, other than whether anybody does, or the reader.
fn tells_holders_apart(skeleton: &Skeleton, terms: &Terms) -> bool {
    let locks: Vec<&Event> = skeleton.events.iter().filter(|e| e.lock).collect();
    let mut numbers: FxHashMap<TermId, u128> = FxHashMap::default();
    for e in skeleton.events.iter().filter(|e| e.kind == EventKind::Read) {
        if terms.as_const(e.value).is_some() || !locks.iter().any(|l| may_overlap(e, l)) {
            continue;
        }
        if terms.as_var(e.value).is_none() {
            return true;
        }
        numbers.insert(e.value, u128::from(skeleton.threads[e.thread.index()].number));
    }
    let compared = |word: TermId, other: TermId| {
        let value = terms.as_const(other);
        value == Some(0) || value == numbers.get(&word).copied()
    };
    let mut work = roots(skeleton);
    if work.iter().any(|t| numbers.contains_key(t)) {
        return true;
    }
    let mut seen = FxHashSet::default();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = terms.args(t);
        let harmless = match args {
            &[a, b] if terms.op(t) == Op::Eq => compared(a, b) || compared(b, a),
            _ => false,
        };
        if !harmless && args.iter().any(|a| numbers.contains_key(a)) {
            return true;
        }
        work.extend_from_slice(args);
    }
    false
}

/// All terms that say what threads do; that a thread waits for the holder of a mutex is known.
fn roots(skeleton: &Skeleton) -> Vec<TermId> {
    let mut all = skeleton.assumptions.clone();
    for e in &skeleton.events {
        all.extend([e.address, e.guard, e.reached]);
        all.extend((e.kind == EventKind::Write).then_some(e.value));
    }
    all.extend(skeleton.marks.iter().map(|m| m.guard));
    all.extend(skeleton.violations.iter().map(|v| v.condition));
    all.extend(skeleton.cuts.iter().map(|c| c.condition));
    all.extend(skeleton.waits.iter().flat_map(|w| [w.guard, w.stuck]));
    all.extend(skeleton.threads.iter().flat_map(|t| [t.ended, t.result]));
    all
}

fn lock_words(skeleton: &Skeleton) -> FxHashSet<TermId> {
    let words: FxHashSet<TermId> =
        skeleton.events.iter().filter(|e| e.lock).map(|e| e.address).collect();
    skeleton
        .events
        .iter()
        .filter(|e| e.kind == EventKind::Read && words.contains(&e.address))
        .map(|e| e.value)
        .collect()
}

/// Looking at a word in order to wait is no step.
fn is_step(e: &Event) -> bool {
    e.kind == EventKind::Write || !matches!(e.trail, Trail::None | Trail::Wait)
}

impl<'a> Finder<'a> {
    /// The first step of a thread that might have copies.
    fn first_step(&mut self, t: usize) -> Option<&'a Event> {
        let (skeleton, part) = (self.skeleton, &self.parts[t]);
        let terms = self.terms;
        let alone = part.marks.iter().all(|&m| match skeleton.marks[m].kind {
            MarkKind::Create(_) | MarkKind::Join(_) => false,
            MarkKind::End | MarkKind::SectionBegin | MarkKind::SectionEnd => true,
        });
        let created = skeleton
            .marks
            .iter()
            .any(|m| m.kind == MarkKind::Create(ThreadIx(t as u32)) && terms.is_true(m.guard));
        if !alone || !created || self.exposed.contains(&t) {
            return None;
        }
        let steps = part.events.iter().filter(|&&e| is_step(&skeleton.events[e]));
        let first = &skeleton.events[*steps.clone().next()?];
        let made = first.reached;
        let mut later = steps
            .map(|&e| skeleton.events[e].reached)
            .chain(part.violations.iter().map(|&v| skeleton.violations[v].condition))
            .chain(part.cuts.iter().map(|&c| skeleton.cuts[c].condition))
            .chain([skeleton.threads[t].ended]);
        later.all(|guard| self.implication.holds(terms, guard, made)).then_some(first)
    }

    /// Whether thread b does what thread a does.
    fn copies(&self, a: usize, b: usize) -> bool {
        let s = self.skeleton;
        let (ta, tb) = (&s.threads[a], &s.threads[b]);
        let (pa, pb) = (&self.parts[a], &self.parts[b]);
        let same_size = ta.parent == tb.parent
            && ta.name == tb.name
            && ta.units == tb.units
            && ta.result == tb.result
            && pa.events.len() == pb.events.len()
            && pa.marks.len() == pb.marks.len()
            && pa.violations.len() == pb.violations.len()
            && pa.waits.len() == pb.waits.len()
            && pa.cuts.len() == pb.cuts.len()
            && pa.assumptions.len() == pb.assumptions.len();
        if !same_size {
            return false;
        }
        let mut renaming = Renaming::new(self.terms, [ta, tb], &self.words);
        let zipped = |x: &[usize], y: &[usize]| -> Vec<(usize, usize)> {
            x.iter().copied().zip(y.iter().copied()).collect()
        };
        zipped(&pa.events, &pb.events)
            .iter()
            .all(|&(i, j)| renaming.events(&s.events[i], &s.events[j]))
            && zipped(&pa.marks, &pb.marks).iter().all(|&(i, j)| {
                let (x, y) = (&s.marks[i], &s.marks[j]);
                x.unit == y.unit
                    && x.kind == y.kind
                    && x.at == y.at
                    && renaming.terms(x.guard, y.guard)
            })
            && zipped(&pa.violations, &pb.violations).iter().all(|&(i, j)| {
                let (x, y) = (&s.violations[i], &s.violations[j]);
                x.unit == y.unit
                    && x.at == y.at
                    && x.site == y.site
                    && renaming.terms(x.condition, y.condition)
            })
            && zipped(&pa.waits, &pb.waits).iter().all(|&(i, j)| {
                let (x, y) = (&s.waits[i], &s.waits[j]);
                x.unit == y.unit
                    && x.site == y.site
                    && x.reads == y.reads
                    && renaming.waits(x.kind, y.kind)
                    && renaming.terms(x.guard, y.guard)
                    && renaming.terms(x.stuck, y.stuck)
            })
            && zipped(&pa.cuts, &pb.cuts).iter().all(|&(i, j)| {
                let (x, y) = (&s.cuts[i], &s.cuts[j]);
                x.unit == y.unit
                    && x.kind == y.kind
                    && x.place == y.place
                    && renaming.terms(x.condition, y.condition)
            })
            && renaming.terms(ta.ended, tb.ended)
            && pa.assumptions.iter().zip(&pb.assumptions).all(|(&x, &y)| renaming.terms(x, y))
    }

    /// Whether nobody joins one of these threads, or one thread joins all of them at once.
    fn joined_together(&mut self, group: &[&Event]) -> bool {
        let s = self.skeleton;
        let member = |t: ThreadIx| group.iter().any(|step| step.thread == t);
        let joins: Vec<usize> = (0..s.marks.len())
            .filter(|&m| matches!(s.marks[m].kind, MarkKind::Join(child) if member(child)))
            .collect();
        let [first, .., last] = joins[..] else { return joins.is_empty() };
        if joins.len() != group.len() {
            return false;
        }
        let (by, from, to) = (s.marks[first].thread, s.marks[first].unit, s.marks[last].unit);
        let mut ended = s.marks[first].guard;
        for pair in joins.windows(2) {
            let (a, b) = (&s.marks[pair[0]], &s.marks[pair[1]]);
            let MarkKind::Join(child) = b.kind else { return false };
            let end = s.threads[child.index()].ended;
            // A deadlock names the line of the join at which the creator stands.
            let line = |unit| s.waits.iter().find(|w| w.thread == by && w.unit == unit);
            let same_line = line(a.unit).map(|w| w.site) == line(b.unit).map(|w| w.site);
            if b.thread != by
                || !same_line
                || !self.implication.hold_together(self.terms, [ended, end], b.guard)
                || !self.implication.holds(self.terms, b.guard, ended)
            {
                return false;
            }
            ended = b.guard;
        }
        let between = |thread: ThreadIx, unit: u32| thread == by && (from..=to).contains(&unit);
        let others = s.events.iter().any(|e| between(e.thread, e.unit))
            || s.marks
                .iter()
                .enumerate()
                .any(|(i, m)| between(m.thread, m.unit) && !joins.contains(&i))
            || s.violations.iter().any(|v| between(v.thread, v.unit))
            || s.cuts.iter().any(|c| between(c.thread, c.unit) && c.unit != from)
            || s.waits.iter().any(|w| {
                between(w.thread, w.unit) && !matches!(w.kind, WaitKind::Join(_)) && w.unit != from
            });
        !others
    }
}

/// A renaming of the variables of one thread into those of another.
struct Renaming<'a> {
    terms: &'a Terms,
    numbers: [u128; 2],
    ranges: [Range<usize>; 2],
    words: &'a FxHashSet<TermId>,
    pairs: FxHashMap<TermId, TermId>,
    taken: FxHashSet<TermId>,
}

impl<'a> Renaming<'a> {
    fn new(terms: &'a Terms, threads: [&Thread; 2], words: &'a FxHashSet<TermId>) -> Self {
        let numbers = threads.map(|t| u128::from(t.number));
        let ranges = threads.map(|t| t.variables.clone());
        let [a, b] = &ranges;
        assert!(a.end <= b.start || b.end <= a.start, "threads have variables of their own");
        Renaming {
            terms,
            numbers,
            ranges,
            words,
            pairs: FxHashMap::default(),
            taken: FxHashSet::default(),
        }
    }

    fn events(&mut self, a: &Event, b: &Event) -> bool {
        let own_numbers =
            a.lock && [a, b].map(|e| self.terms.as_const(e.value)) == self.numbers.map(Some);
        a.unit == b.unit
            && a.kind == b.kind
            && a.address == b.address
            && a.targets == b.targets
            && a.at == b.at
            && a.site == b.site
            && (a.atomic, a.hidden, a.lock, a.trail) == (b.atomic, b.hidden, b.lock, b.trail)
            && a.locks == b.locks
            && (own_numbers || self.terms(a.value, b.value))
            && self.terms(a.guard, b.guard)
            && self.terms(a.reached, b.reached)
    }

    fn waits(&mut self, a: WaitKind, b: WaitKind) -> bool {
        match (a, b) {
            (WaitKind::Lock(x), WaitKind::Lock(y)) => self.terms(x, y),
            (WaitKind::Condition, WaitKind::Condition) | (WaitKind::Loop, WaitKind::Loop) => true,
            (WaitKind::Lock(_) | WaitKind::Join(_) | WaitKind::Condition | WaitKind::Loop, _) => {
                false
            }
        }
    }

    /// Whether the renaming takes one term to the other; it grows as needed. It is of no use after
    /// a failure.
    fn terms(&mut self, a: TermId, b: TermId) -> bool {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            match self.pairs.get(&a) {
                Some(&known) if known == b => {}
                Some(_) => return false,
                None if a == b => {}
                None => match self.below(a, b) {
                    Some(pairs) => {
                        self.pairs.insert(a, b);
                        // Left before right: the first pair of a variable decides.
                        work.extend(pairs.into_iter().rev());
                    }
                    None => return false,
                },
            }
        }
        true
    }

    /// The pairs of arguments that must be renamings for two different terms to be; `None` if they
    /// cannot be.
    fn below(&mut self, a: TermId, b: TermId) -> Option<Vec<(TermId, TermId)>> {
        let terms = self.terms;
        if let (Some(x), Some(y)) = (terms.as_var(a), terms.as_var(b)) {
            let own = self.ranges[0].contains(&x.index()) && self.ranges[1].contains(&y.index());
            debug_assert!(!self.pairs.contains_key(&a), "a variable is renamed once");
            let fits = own && terms.width(a) == terms.width(b) && self.taken.insert(b);
            return fits.then(Vec::new);
        }
        let (m, n) = (terms.node(a), terms.node(b));
        let same = (m.op(), m.width(), m.low()) == (n.op(), n.width(), n.low());
        if !same || m.op() == Op::Const || m.op() == Op::Var {
            return None;
        }
        let (left, right) = (m.args(), n.args());
        let count = if self.own_number(m.op(), left, right) { 1 } else { left.len() };
        Some(left.iter().copied().zip(right.iter().copied()).take(count).collect())
    }

    /// Both compare the word of a mutex with their own number.
    fn own_number(&self, op: Op, a: &[TermId], b: &[TermId]) -> bool {
        op == Op::Eq
            && self.words.contains(&a[0])
            && self.words.contains(&b[0])
            && [a[1], b[1]].map(|t| self.terms.as_const(t)) == self.numbers.map(Some)
    }
}
