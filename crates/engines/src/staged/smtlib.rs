//! The skeleton as SMT-LIB 2: the paper's clocks, for any SMT solver.
//!
//! Each atomic unit has a clock, an integer; order is `<` on clocks. For each read piece r a Boolean rf for each write
//! that it may see, and a number `l`: the clock of the write that it does see. A write that hits r's location
//! comes after r, or its clock is smaller than `l`, or r sees it or a later one of its thread. So
//! "no write in between" takes one clause for each pair of a read and a write, not one for each triple.
//! Source: paper 004 §5. We differ: `l`, and clocks of units instead of accesses.
//!
//! Context bound (paper 004, appendix): the clock of a unit is then the number of its context. Program order is `≤`,
//! order between threads `<`, and each of the first N + 1 contexts belongs to one thread. Only what happens up
//! to a violation must lie in those contexts: every execution up to there can be continued somehow.
//! We differ: the paper counts switches that data flow makes necessary, we count those of the schedule.
//!
//! Clocks are integers, or bit-vectors for solvers without arithmetic. Units that no constraint mentions have none.
//! Limits: violations and cuts only, no races and no deadlocks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use raddle_ir::Program;
use raddle_summary::{Event, Knowledge, MarkKind, Skeleton, ThreadIx};
use raddle_term::{TermId, VarId};

use super::before::{Before, Unit};
use super::cells::{self, Group, Piece};
use super::implication::Implication;
use super::initial;

/// What clocks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clocks {
    /// Integers.
    Integers,
    /// Bit-vectors, wide enough.
    Vectors,
}

/// What to encode.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What clocks are.
    pub clocks: Clocks,
    /// Most context switches.
    pub contexts: Option<u32>,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// A skeleton as commands.
pub struct Script {
    /// Everything but the question: options, declarations, definitions, assertions. The Boolean
    /// `violation<i>` says that violation i happens, `cut<i>` that cut i is reached.
    pub text: String,
    /// The variables of terms that occur; number n is `v<n>`.
    pub variables: Vec<VarId>,
    /// The units that have a clock, see [`clock_name`].
    pub units: BTreeSet<Unit>,
}

/// The name of a unit's clock.
pub fn clock_name(unit: Unit) -> String {
    format!("c{}_{}", unit.0.0, unit.1)
}

/// Encodes a skeleton; `None` if the time is up.
pub fn encode(
    program: &Program,
    knowledge: &Knowledge,
    skeleton: &mut Skeleton,
    options: Options,
) -> Option<Script> {
    let mut implication = Implication::default();
    let before = Before::new(skeleton, &mut implication);
    let start = (ThreadIx(skeleton.threads.len() as u32), 0);
    let width = vector_width(skeleton, options);
    let script = Script { text: String::new(), variables: Vec::new(), units: BTreeSet::new() };
    let defined = Vec::new();
    let mut writer = Writer {
        program,
        knowledge,
        skeleton,
        options,
        width,
        before,
        implication,
        start,
        script,
        defined,
        reads: 0,
    };
    writer.head();
    writer.edges();
    for group in cells::cut(writer.skeleton, knowledge) {
        for read in &group.reads {
            if options.deadline.is_some_and(|d| Instant::now() >= d) {
                return None;
            }
            writer.read(&group, read);
        }
    }
    writer.joins();
    for t in writer.skeleton.assumptions.clone() {
        let holds = writer.boolean(t);
        writer.assert(&holds);
    }
    writer.goals();
    Some(writer.script)
}

/// Wide enough for a value for each unit, and some above all of them.
fn vector_width(skeleton: &Skeleton, options: Options) -> u32 {
    let units: u64 = skeleton.threads.iter().map(|t| u64::from(t.units)).sum();
    let most = units + skeleton.threads.len() as u64 + u64::from(options.contexts.unwrap_or(0)) + 4;
    u64::BITS - most.leading_zeros()
}

/// An access in the order: its unit and its position there.
type Place = (Unit, u32);

/// A write that a read may see, or that may come in between.
struct Candidate {
    place: Place,
    /// It occurs at the read's location.
    hits: String,
    /// The read sees it.
    reads_from: String,
}

struct Writer<'a> {
    program: &'a Program,
    knowledge: &'a Knowledge,
    skeleton: &'a mut Skeleton,
    options: Options,
    /// Of clocks that are bit-vectors.
    width: u32,
    before: Before,
    implication: Implication,
    /// The unit before everything.
    start: Unit,
    script: Script,
    /// By term: it has a name.
    defined: Vec<bool>,
    /// How many reads there are so far.
    reads: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.script.text.push_str(text);
        self.script.text.push('\n');
    }

    fn assert(&mut self, formula: &str) {
        self.line(&format!("(assert {formula})"));
    }

    fn head(&mut self) {
        self.line("(set-option :produce-models true)");
        self.line(match self.options.clocks {
            Clocks::Integers => "(set-logic ALL)",
            Clocks::Vectors => "(set-logic QF_BV)",
        });
        let sort = self.sort();
        for k in self.contexts() {
            self.line(&format!("(declare-const run{k} {sort})"));
        }
    }

    /// The contexts in which one thread runs.
    fn contexts(&self) -> std::ops::RangeInclusive<u32> {
        match self.options.contexts {
            Some(switches) => 1..=switches.saturating_add(1),
            #[allow(clippy::reversed_empty_ranges)]
            None => 1..=0,
        }
    }

    fn sort(&self) -> String {
        match self.options.clocks {
            Clocks::Integers => "Int".into(),
            Clocks::Vectors => format!("(_ BitVec {})", self.width),
        }
    }

    fn number(&self, n: u32) -> String {
        match self.options.clocks {
            Clocks::Integers => n.to_string(),
            Clocks::Vectors => format!("(_ bv{n} {})", self.width),
        }
    }

    fn less(&self, a: &str, b: &str) -> String {
        match self.options.clocks {
            Clocks::Integers => format!("(< {a} {b})"),
            Clocks::Vectors => format!("(bvult {a} {b})"),
        }
    }

    /// The name of a term, after the definitions that it needs.
    fn term(&mut self, t: TermId) -> String {
        let terms = &self.skeleton.terms;
        self.defined.resize(terms.len(), false);
        let mut stack = vec![(t, false)];
        while let Some((t, arguments_known)) = stack.pop() {
            if self.defined[t.index()] {
                continue;
            }
            if !arguments_known {
                stack.push((t, true));
                stack.extend(terms.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            self.defined[t.index()] = true;
            if let Some(command) = terms.smtlib_command(t) {
                self.script.text.push_str(&command);
                self.script.text.push('\n');
            }
            self.script.variables.extend(terms.as_var(t));
        }
        terms.smtlib_name(t)
    }

    /// A term of width 1 as a formula.
    fn boolean(&mut self, t: TermId) -> String {
        match self.skeleton.terms.as_const(t) {
            Some(0) => "false".into(),
            Some(_) => "true".into(),
            None => format!("(= {} #b1)", self.term(t)),
        }
    }

    /// The clock of a unit.
    fn clock(&mut self, unit: Unit) -> String {
        let name = clock_name(unit);
        if !self.script.units.insert(unit) {
            return name;
        }
        let sort = self.sort();
        self.line(&format!("(declare-const {name} {sort})"));
        if unit == self.start {
            let zero = self.number(0);
            self.assert(&format!("(= {name} {zero})"));
            return name;
        }
        let units = &self.script.units;
        let earlier = units.range((unit.0, 0)..unit).next_back().copied();
        let later = units.range((unit.0, unit.1 + 1)..(unit.0, u32::MAX)).next().copied();
        let in_order = |a: &str, b: &str, w: &Self| match w.options.contexts {
            Some(_) => format!("(not {})", w.less(b, a)),
            None => w.less(a, b),
        };
        if let Some(earlier) = earlier {
            self.assert(&in_order(&clock_name(earlier), &name, self));
        }
        if let Some(later) = later {
            self.assert(&in_order(&name, &clock_name(later), self));
        }
        let thread = self.number(unit.0.0);
        for k in self.contexts() {
            let context = self.number(k);
            self.assert(&format!("(=> (= {name} {context}) (= run{k} {thread}))"));
        }
        name
    }

    /// The condition for an access to come before another.
    fn precedes(&mut self, a: Place, b: Place) -> String {
        if a.0.0 == b.0.0 {
            return if a < b { "true".into() } else { "false".into() };
        }
        if a.0 == self.start || b.0 == self.start {
            return if a.0 == self.start { "true".into() } else { "false".into() };
        }
        let (a, b) = (self.clock(a.0), self.clock(b.0));
        self.less(&a, &b)
    }

    fn edge(&mut self, condition: Option<String>, a: Unit, b: Unit) {
        let (a, b) = (self.clock(a), self.clock(b));
        let order = self.less(&a, &b);
        match condition {
            Some(condition) => self.assert(&format!("(=> {condition} {order})")),
            None => self.assert(&order),
        }
    }

    /// Edges between threads.
    fn edges(&mut self) {
        self.edge(None, self.start, (ThreadIx(0), 0));
        for (from, to) in self.before.fixed.clone() {
            self.edge(None, from, to);
        }
        for i in self.before.conditional_joins.clone() {
            let mark = self.skeleton.marks[i].clone();
            let MarkKind::Join(child) = mark.kind else { continue };
            let end = (child, self.skeleton.threads[child.index()].units - 1);
            let condition = self.boolean(mark.guard);
            self.edge(Some(condition), end, (mark.thread, mark.unit));
        }
    }

    /// Joins whose thread is found by its number.
    fn joins(&mut self) {
        for join in self.skeleton.joins.clone() {
            let width = self.program.pointer_bits;
            let mut some = self.skeleton.terms.fals();
            for child in 0..self.skeleton.threads.len() {
                if child == join.thread.index() {
                    continue;
                }
                let thread = self.skeleton.threads[child].clone();
                let terms = &mut self.skeleton.terms;
                let number = terms.constant(u128::from(thread.number), width);
                let meant = terms.eq(join.target, number);
                let ended = terms.and(meant, thread.ended);
                some = terms.or(some, ended);
                let joined = terms.and(join.done, ended);
                let joined = terms.and(joined, join.guard);
                let same = terms.eq(join.result, thread.result);
                if terms.is_false(joined) {
                    continue;
                }
                let (joined, same) = (self.boolean(joined), self.boolean(same));
                self.assert(&format!("(=> {joined} {same})"));
                let end = (ThreadIx(child as u32), thread.units - 1);
                self.edge(Some(joined), end, (join.thread, join.unit));
            }
            let (done, some) = (self.boolean(join.done), self.boolean(some));
            self.assert(&format!("(=> {done} {some})"));
        }
    }

    fn place(&self, piece: &Piece) -> Place {
        let e = &self.skeleton.events[piece.event];
        ((e.thread, e.unit), e.position * 16 + piece.first + 1)
    }

    /// A read sees the last write before it that hits its location.
    fn read(&mut self, group: &Group, read: &Piece) {
        let event = self.skeleton.events[read.event].clone();
        if self.skeleton.terms.is_false(event.guard) {
            return;
        }
        let (id, occurs, here) = (self.reads, self.boolean(event.guard), self.place(read));
        self.reads += 1;
        let mut threads: BTreeMap<ThreadIx, Vec<Candidate>> = BTreeMap::new();
        let first = self.initial(id, &event, read, &occurs);
        let mut some = format!("(or (not {occurs}) {}", first.reads_from);
        threads.entry(first.place.0.0).or_default().push(first);
        for write in &group.writes {
            if let Some(candidate) = self.candidate(id, &event, read, write) {
                some = some + " " + &candidate.reads_from;
                threads.entry(candidate.place.0.0).or_default().push(candidate);
            }
        }
        self.assert(&(some + ")"));
        let sort = self.sort();
        self.line(&format!("(declare-const l{id} {sort})"));
        for (thread, mut writes) in threads {
            writes.sort_by_key(|w| w.place);
            let mut later = String::from("false");
            for (i, write) in writes.iter().enumerate().rev() {
                let rf = &write.reads_from;
                let seen = format!("s{id}_{}_{i}", thread.0);
                self.line(&format!("(define-fun {seen} () Bool (or {rf} {later}))"));
                let (precedes, hits) = (self.precedes(write.place, here), &write.hits);
                // Not the opposite of `precedes`: units with equal clocks may come in any order.
                let follows = self.precedes(here, write.place);
                let clock = self.clock(write.place.0);
                let earlier = self.less(&clock, &format!("l{id}"));
                self.assert(&format!(
                    "(=> {rf} (and {occurs} {hits} {precedes} (= l{id} {clock})))"
                ));
                self.assert(&format!("(=> {hits} (or {follows} {earlier} {seen}))"));
                later = seen;
            }
        }
    }

    /// The initial value as a candidate.
    fn initial(&mut self, id: usize, event: &Event, read: &Piece, occurs: &str) -> Candidate {
        let rf = format!("r{id}_init");
        self.line(&format!("(declare-const {rf} Bool)"));
        self.assert(&format!("(=> {rf} {occurs})"));
        let (program, knowledge) = (self.program, self.knowledge);
        for (condition, value) in initial::contents(program, knowledge, self.skeleton, event, read)
        {
            let equal = self.skeleton.terms.eq(read.value, value);
            let (condition, equal) = (self.boolean(condition), self.boolean(equal));
            self.assert(&format!("(=> (and {rf} {condition}) {equal})"));
        }
        Candidate { place: (self.start, 0), hits: "true".into(), reads_from: rf }
    }

    /// A write as a candidate, unless it never is at the read's location or always comes later.
    fn candidate(
        &mut self,
        id: usize,
        event: &Event,
        read: &Piece,
        write: &Piece,
    ) -> Option<Candidate> {
        let (place, here) = (self.place(write), self.place(read));
        let terms = &mut self.skeleton.terms;
        // As in `compose.rs`: inside one section a write is seen as soon as it is reached.
        let written = &self.skeleton.events[write.event];
        let guard = if place.0 == here.0 { written.reached } else { written.guard };
        let same = terms.eq(read.address, write.address);
        let hits = terms.and(guard, same);
        let later = if place.0 == here.0 {
            here.1 < place.1
        } else {
            self.before.is_before(here.0, place.0)
        };
        let never = terms.is_false(hits)
            || later
            || self.implication.excludes(&self.skeleton.terms, event.guard, guard);
        if never {
            return None;
        }
        let equal = self.skeleton.terms.eq(read.value, write.value);
        let rf = format!("r{id}_{}_{}", write.event, write.first);
        self.line(&format!("(declare-const {rf} Bool)"));
        let (hits, equal) = (self.boolean(hits), self.boolean(equal));
        self.assert(&format!("(=> {rf} {equal})"));
        Some(Candidate { place, hits, reads_from: rf })
    }

    /// Names for what is asked.
    fn goals(&mut self) {
        for i in 0..self.skeleton.violations.len() {
            let v = self.skeleton.violations[i].clone();
            let mut goal = self.boolean(v.condition);
            if let Some(switches) = self.options.contexts {
                let last = self.number(switches.saturating_add(1));
                let clock = self.clock((v.thread, v.unit));
                goal = format!("(and {goal} (not {}))", self.less(&last, &clock));
            }
            self.line(&format!("(define-fun violation{i} () Bool {goal})"));
        }
        for i in 0..self.skeleton.cuts.len() {
            let goal = self.boolean(self.skeleton.cuts[i].condition);
            self.line(&format!("(define-fun cut{i} () Bool {goal})"));
        }
    }
}

/// A script that asks whether one of these Booleans can hold.
pub fn question(names: &[String]) -> String {
    match names {
        [] => "(assert false)\n(check-sat)\n".into(),
        names => format!("(assert (or {} false))\n(check-sat)\n", names.join(" ")),
    }
}
