//! Critical sections of a mutex, ordered as a whole.
//!
//! Idea: a mutex is there to put sections into an order, and that is all that is said about it: of
//! two sections of different threads that occur, the first has ended when the second begins. A
//! literal *first(A, B)* implies that an end of A comes before the beginning of B; for each pair
//! one of the two holds. So nobody reads the word of the mutex, and the order theory has plain edges
//! instead of reads and writes. What is first before an early section is first before a later
//! one of the same thread, which is said in clauses of two literals. A read that takes its value
//! from a write in another section of the same mutex comes later as a whole.
//!
//! Who waits for a mutex for ever finds in its word who holds it in the end: the thread with a
//! section that begins and does not end. That is a question about guards, not about orders.
//!
//! A section begins where a thread acquires the mutex and may end at several releases, on different
//! paths; each has the condition that it is the one that ends this section.
//!
//! Exact for a mutex that only holders release and nobody overwrites
//! ([`crate::bounded::sections`]), whose word is known at the start and accessed at a constant
//! address only. Others, and those that are acquired inside larger atomic sections,
//! are read and written like data.

use raddle_sat::Lit;
use raddle_summary::{Event, EventKind, Skeleton, ThreadIx, Trail};
use raddle_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::order::Order;
use crate::bounded::before::Unit;
use crate::bounded::facts::Facts;
use crate::bounded::initial::{self, InitialMemory};
use crate::bounded::scene::Scene;

/// A critical section.
struct Section {
    /// The unit in which it begins; the first unit of its thread if it had begun before.
    begin: Unit,
    /// The mutex must be free there.
    asks: TermId,
    /// Whether whoever asks holds it afterwards, in every execution.
    plain: bool,
    /// The units of the releases that may end it, ascending, and when each does.
    ends: Vec<(u32, TermId)>,
    /// It begins and does not end.
    open: TermId,
}

impl Section {
    /// Whether it ends, by the only release that there is, in every execution in which it begins.
    fn ends_once(&self, terms: &Terms) -> bool {
        self.ends.len() == 1 && terms.is_false(self.open)
    }

    /// Whether it has certainly ended before a unit of its thread.
    fn is_over(&self, terms: &Terms, unit: u32) -> bool {
        terms.is_false(self.open) && self.ends.iter().all(|end| end.0 < unit)
    }
}

/// The events of a mutex.
struct Word<'a> {
    address: u64,
    events: Vec<(usize, &'a Event)>,
}

/// What is known about mutexes whose sections are ordered.
#[derive(Default)]
pub struct Mutexes {
    /// Reads of words that nobody needs to look at.
    settled: FxHashSet<usize>,
    /// The sections by mutex and thread, in the order in which they begin.
    places: FxHashMap<(u64, ThreadIx), Vec<Place>>,
    /// The first of these sections has ended when the second begins.
    first: FxHashMap<(u32, u32), First>,
}

/// The order of two sections, as a literal and as a term.
#[derive(Clone, Copy)]
pub struct First {
    /// If it holds, the first one has ended when the second one begins; if both occur and it does
    /// not hold, it is the other way round.
    pub lit: Lit,
    /// The same.
    pub term: TermId,
}

/// A section, the unit and the condition for its beginning.
#[derive(Clone, Copy)]
struct Place {
    section: u32,
    unit: u32,
    /// Whether whoever asks holds the mutex afterwards.
    plain: bool,
    asks: TermId,
}

impl Mutexes {
    /// Whether the value of a read of a word follows from the order of sections.
    pub fn settles(&self, read: usize) -> bool {
        self.settled.contains(&read)
    }

    /// That the first of two sections is over when the second begins, and the other way round, as far
    /// as that is possible and not certain.
    pub fn order(&self, one: u32, other: u32) -> (Option<First>, Option<First>) {
        (self.first.get(&(one, other)).copied(), self.first.get(&(other, one)).copied())
    }

    /// The section of a mutex that an event is in, if that is certain.
    pub fn section(&self, terms: &Terms, facts: &mut Facts, e: &Event, mutex: u64) -> Option<u32> {
        let held = e.locks.iter().find(|l| l.address == mutex)?;
        let places = self.places.get(&(mutex, e.thread))?.iter().rev();
        // The last one that may have begun, if that is certain: on another path it may be another one.
        let mut begun = places.filter(|p| p.unit <= held.since);
        let last = begun.find(|p| !facts.implication.excludes(terms, e.guard, p.asks))?;
        let certain = last.plain && facts.implication.holds(terms, e.guard, last.asks);
        certain.then_some(last.section)
    }

    /// Literals that hold if `second` takes its value from `first`: the sections of one mutex
    /// that they are in come in this order.
    pub fn implied(
        &self,
        terms: &Terms,
        facts: &mut Facts,
        first: &Event,
        second: &Event,
    ) -> Vec<First> {
        let mut section = |e: &Event, mutex: u64| self.section(terms, facts, e, mutex);
        let mut lits = Vec::new();
        for held in first.locks.iter().filter(|_| first.thread != second.thread) {
            let both = section(first, held.address).zip(section(second, held.address));
            lits.extend(both.and_then(|pair| self.first.get(&pair)));
        }
        lits
    }
}

/// What is to be said about sections that have been found.
enum Saying<'a> {
    /// A condition that never holds.
    Never(TermId),
    /// Of two sections one is first.
    Pair(u32, u32),
    /// The sections of two threads come in the order of their threads.
    Ascending(Vec<u32>, Vec<u32>),
    /// Who waits for this mutex finds its holder among these.
    Waits(Word<'a>, Vec<u32>),
}

/// Sections that have been found, and what is to be said about them.
pub struct Unsaid<'a> {
    sections: Vec<Section>,
    sayings: Vec<Saying<'a>>,
}

/// Finds the sections of all mutexes for which an order of sections is exact. Nothing is encoded but
/// the names of their orders.
pub fn find<'a>(
    scene: Scene<'a>,
    terms: &mut Terms,
    facts: &mut Facts,
    memory: &mut InitialMemory,
    order: &mut dyn Order,
) -> (Mutexes, Unsaid<'a>) {
    let mut encoder = Encoder {
        scene,
        terms,
        facts,
        order,
        mutexes: Mutexes::default(),
        sections: Vec::new(),
        sayings: Vec::new(),
    };
    for word in words(scene.skeleton, encoder.terms, encoder.facts) {
        let at_start = initial::at(scene, encoder.terms, memory, word.address, 4);
        let main = u128::from(scene.skeleton.threads[0].number);
        match encoder.terms.as_const(at_start) {
            Some(0) => encoder.mutex(word, false),
            Some(holder) if holder == main => encoder.mutex(word, true),
            Some(_) | None => {}
        }
    }
    (encoder.mutexes, Unsaid { sections: encoder.sections, sayings: encoder.sayings })
}

/// Orders the sections that were found.
pub fn encode(
    scene: Scene,
    terms: &mut Terms,
    facts: &mut Facts,
    order: &mut dyn Order,
    mutexes: Mutexes,
    unsaid: Unsaid,
) -> Mutexes {
    let Unsaid { sections, sayings } = unsaid;
    let said = Vec::new();
    let mut encoder = Encoder { scene, terms, facts, order, mutexes, sections, sayings: said };
    for saying in sayings {
        match saying {
            Saying::Never(condition) => {
                let never = encoder.terms.not(condition);
                encoder.order.assert_implies(encoder.terms, &[], never);
            }
            Saying::Pair(a, b) => encoder.pair(a, b),
            Saying::Ascending(some, others) => encoder.ascending(&some, &others),
            Saying::Waits(word, sections) => encoder.waits(&word, &sections),
        }
    }
    encoder.mutexes
}

/// The mutexes whose sections can be ordered as a whole.
fn words<'a>(skeleton: &'a Skeleton, terms: &Terms, facts: &Facts) -> Vec<Word<'a>> {
    let locks = || skeleton.events.iter().enumerate().filter(|(_, e)| e.lock);
    let symbolic = locks().filter(|(_, e)| terms.as_const(e.address).is_none());
    let reached: FxHashSet<_> = symbolic.flat_map(|(_, e)| &e.targets).map(|t| t.0).collect();
    let visible: FxHashSet<Unit> =
        skeleton.events.iter().filter(|e| !e.hidden).map(|e| (e.thread, e.unit)).collect();
    let mut words: Vec<Word> = Vec::new();
    let mut index: FxHashMap<u64, usize> = FxHashMap::default();
    for (i, e) in locks().filter(|(_, e)| !reached.contains(&e.targets[0].0)) {
        let address = terms.as_const(e.address).expect("other targets are left out") as u64;
        let at = *index.entry(address).or_insert_with(|| {
            words.push(Word { address, events: Vec::new() });
            words.len() - 1
        });
        words[at].events.push((i, e));
    }
    // Inside a larger atomic section, whether it is completed may depend on what comes later, and
    // what else it does on what it reads.
    let simple = |e: &Event| match e.kind {
        EventKind::Write => e.guard == e.reached && terms.as_const(e.value).is_some(),
        EventKind::Read => !visible.contains(&(e.thread, e.unit)),
    };
    words.retain(|w| facts.sections.protects(w.address) && w.events.iter().all(|(_, e)| simple(e)));
    words
}

struct Encoder<'s, 'a> {
    scene: Scene<'a>,
    terms: &'s mut Terms,
    facts: &'s mut Facts,
    order: &'s mut dyn Order,
    mutexes: Mutexes,
    /// Of all mutexes.
    sections: Vec<Section>,
    sayings: Vec<Saying<'a>>,
}

impl<'a> Encoder<'_, 'a> {
    fn lit(&mut self, t: TermId) -> Lit {
        self.order.lit(self.terms, t)
    }

    /// One mutex, which nobody holds at the start, or the main thread.
    fn mutex(&mut self, word: Word<'a>, held: bool) {
        let mut by_thread: Vec<Vec<u32>> = Vec::new();
        for t in 0..self.scene.skeleton.threads.len() as u32 {
            let first = self.sections.len() as u32;
            self.thread(&word, ThreadIx(t), held && t == 0);
            by_thread.push((first..self.sections.len() as u32).collect());
        }
        for &section in by_thread.iter().flatten() {
            let Section { begin: (thread, unit), asks, plain, .. } =
                self.sections[section as usize];
            let places = self.mutexes.places.entry((word.address, thread)).or_default();
            debug_assert!(places.last().is_none_or(|p| p.unit <= unit), "in program order");
            places.push(Place { section, unit, asks, plain });
        }
        for a in 0..by_thread.len() {
            for b in a + 1..by_thread.len() {
                self.threads(&by_thread[a], &by_thread[b]);
            }
        }
        let waits = word.events.iter().filter(|(_, e)| e.trail == Trail::Wait);
        self.mutexes.settled.extend(waits.map(|&(i, _)| i));
        self.sayings.push(Saying::Waits(word, by_thread.concat()));
    }

    /// The sections of a thread.
    fn thread(&mut self, word: &Word, thread: ThreadIx, holds: bool) {
        let mine = self.sections.len();
        let begin = |unit, asks, open| {
            let (begin, plain) = ((thread, unit), asks == open);
            Section { begin, asks, plain, ends: Vec::new(), open }
        };
        if holds {
            let always = self.terms.tru();
            self.sections.push(begin(0, always, always));
        }
        for &(i, e) in word.events.iter().filter(|(_, e)| e.thread == thread) {
            match (e.kind, self.terms.as_const(e.value)) {
                (EventKind::Read, Some(0)) => {
                    self.mutexes.settled.insert(i);
                    self.is_released(mine, e.guard);
                    // Until it is written, the thread has only found that the mutex is free.
                    let never = self.terms.fals();
                    self.sections.push(begin(e.unit, e.guard, never));
                }
                (EventKind::Read, _) => {}
                (EventKind::Write, Some(0)) => self.release(mine, e),
                (EventKind::Write, _) => {
                    let last = self.sections[mine..].last();
                    let asked = last.filter(|s| s.begin.1 == e.unit && self.terms.is_false(s.open));
                    let asks = asked.map(|s| s.asks);
                    if asks.is_some() {
                        self.sections.pop();
                    }
                    self.sections.push(begin(e.unit, asks.unwrap_or(e.guard), e.guard));
                }
            }
        }
    }

    /// A thread that holds the mutex does not acquire it.
    fn is_released(&mut self, mine: usize, acquires: TermId) {
        for s in mine..self.sections.len() {
            let both = self.terms.and(self.sections[s].open, acquires);
            self.sayings.push(Saying::Never(both));
        }
    }

    /// A release ends the section that is under way.
    fn release(&mut self, mine: usize, e: &Event) {
        for section in &mut self.sections[mine..] {
            let ends = self.terms.and(section.open, e.guard);
            if !self.terms.is_false(ends) {
                section.ends.push((e.unit, ends));
                let stays = self.terms.not(e.guard);
                section.open = self.terms.and(section.open, stays);
            }
        }
    }

    /// The sections of two threads.
    fn threads(&mut self, some: &[u32], others: &[u32]) {
        for &a in some {
            for &b in others {
                self.name(a, b);
            }
        }
        self.sayings.push(Saying::Ascending(some.to_vec(), others.to_vec()));
        self.sayings.push(Saying::Ascending(others.to_vec(), some.to_vec()));
    }

    /// Names for the orders of two sections that are possible.
    fn name(&mut self, a: u32, b: u32) {
        let (one, two) = (&self.sections[a as usize], &self.sections[b as usize]);
        let (begin, other) = (one.begin, two.begin);
        if self.facts.implication.excludes(self.terms, one.asks, two.asks)
            || self.is_certain(a, b)
            || self.is_certain(b, a)
        {
            return;
        }
        let before = &self.facts.before;
        let never = [before.is_before(other, begin), before.is_before(begin, other)];
        for ((a, b), _) in [(a, b), (b, a)].into_iter().zip(never).filter(|(_, never)| !never) {
            let term = self.terms.fresh(1);
            let lit = self.lit(term);
            self.mutexes.first.insert((a, b), First { lit, term });
        }
        self.sayings.push(Saying::Pair(a, b));
    }

    /// Of two sections that occur one is first.
    fn pair(&mut self, a: u32, b: u32) {
        let (one, two) = (&self.sections[a as usize], &self.sections[b as usize]);
        let (asks, other) = (one.asks, two.asks);
        let mut clause = vec![!self.lit(asks), !self.lit(other)];
        let literals = [(a, b), (b, a)].map(|(a, b)| {
            let lit = self.mutexes.first.get(&(a, b)).map(|first| first.lit)?;
            self.comes_first(lit, a, b);
            Some(lit)
        });
        clause.extend(literals.into_iter().flatten());
        self.order.clause(&clause);
        if let [Some(first), Some(second)] = literals {
            self.order.clause(&[!first, !second]);
        }
    }

    /// Whether a section is over when another one begins, in every execution.
    fn is_certain(&self, a: u32, b: u32) -> bool {
        let (one, two) = (&self.sections[a as usize], &self.sections[b as usize]);
        let is_before = |unit: u32| self.facts.before.is_before((one.begin.0, unit), two.begin);
        self.terms.is_false(one.open)
            && is_before(one.begin.1)
            && one.ends.iter().all(|end| is_before(end.0))
    }

    /// A literal implies that a section is over when another one begins.
    fn comes_first(&mut self, lit: Lit, a: u32, b: u32) {
        let (one, begin) = (&self.sections[a as usize], self.sections[b as usize].begin);
        let (thread, ends, open) = (one.begin.0, one.ends.clone(), one.open);
        if !one.plain {
            self.order.guarded_edge(lit, one.begin, begin);
        }
        if one.ends_once(self.terms) {
            return self.order.guarded_edge(lit, (thread, ends[0].0), begin);
        }
        for (unit, condition) in ends {
            let condition = self.lit(condition);
            let both = self.order.new_lit();
            self.order.clause(&[!lit, !condition, both]);
            self.order.guarded_edge(both, (thread, unit), begin);
        }
        if !self.terms.is_false(open) {
            let open = self.lit(open);
            self.order.clause(&[!lit, !open]);
        }
    }

    /// What is first before a section is first before the later ones of its thread; and what comes before it in
    /// its own thread is over by then, too.
    fn ascending(&mut self, some: &[u32], others: &[u32]) {
        let Encoder { terms, order, mutexes, sections, .. } = self;
        let first = |a: u32, b: u32| mutexes.first.get(&(a, b)).map(|first| first.lit);
        for &a in some {
            let row: Vec<Lit> = others.iter().filter_map(|&b| first(a, b)).collect();
            row.windows(2).for_each(|w| order.clause(&[!w[0], w[1]]));
        }
        for &b in others {
            let column: Vec<(u32, Lit)> =
                some.iter().filter_map(|&a| Some((a, first(a, b)?))).collect();
            for pair in column.windows(2) {
                let [(early, is_over), (late, lit)] = [pair[0], pair[1]];
                let begin = sections[late as usize].begin.1;
                if sections[early as usize].is_over(terms, begin) {
                    order.clause(&[!lit, is_over]);
                }
            }
        }
    }

    /// Who waits for the mutex finds its holder.
    fn waits(&mut self, word: &Word, sections: &[u32]) {
        let waits = word.events.iter().filter(|(_, e)| e.trail == Trail::Wait);
        let waits: Vec<(usize, &Event)> = waits.copied().collect();
        if waits.is_empty() {
            return;
        }
        let mut holder = self.terms.constant(0, 32);
        for &s in sections {
            let Section { begin, open, .. } = self.sections[s as usize];
            let number = self.scene.skeleton.threads[begin.0.index()].number;
            let number = self.terms.constant(u128::from(number), 32);
            holder = self.terms.ite(open, number, holder);
        }
        for (_, e) in waits {
            let waiting = self.lit(e.guard);
            let finds = self.terms.eq(e.value, holder);
            self.order.assert_implies(self.terms, &[waiting], finds);
        }
    }
}
