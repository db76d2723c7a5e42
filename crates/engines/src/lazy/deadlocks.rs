//! Deadlocks: threads that stand where the memory at the end of an execution lets nobody get on.
//!
//! The definition is in `docs/semantics.md`. An execution ends where the token is laid down
//! ([`Last`]); each place where a thread may wait is a *point*: the thread has come there, has not
//! made the step, and with the memory of the end it does not get on. A *global* deadlock: every
//! thread was not created, has ended or stands at a point, and some thread stands. A *local* one:
//! some threads stand at locks, each held by one of them, and each holds what one of them waits
//! for. A state with a circle has no global deadlock besides: then numbers of threads grow from
//! who waits to who holds. Nothing pairs points with points.
//! While main is alone there is no token: a point of main is a deadlock by itself.
//! A finding is a set of lines; what was shown is excluded exactly, and the search goes on.
//! Source: the same idea over summaries is `bounded/deadlocks.rs`; paper 000 has no deadlocks.
//! Invariant: points are only added; what is said of all of them is said anew for each depth.

use std::collections::{BTreeMap, BTreeSet};

use raddle_automaton::{Cut, CutKind, Thread, ThreadIx, Wait, Waiting};
use raddle_interp::Wanted;
use raddle_ir::{InstrRef, Place, Property, Unmodelled};
use raddle_sat::Lit;
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use super::goals::{End, Goal};
use super::roles::Role;
use super::token::{At, Last};
use super::unroll::{Ground, Need, Node, Run};
use super::witness::thread_id;
use crate::bounded::formula::Formula;

/// More sets of lines than this are not told apart.
const MOST: usize = 64;

/// A set of source lines, by file and number.
type Lines = BTreeSet<(u32, u32)>;

/// A place where a thread may wait at the end.
struct Point {
    /// Which run.
    run: usize,
    /// It stands there and does not get on.
    stuck: Lit,
    /// The word of the mutex that it waits for.
    word: Option<TermId>,
    at: InstrRef,
    place: Place,
    /// Whether that is certain.
    certain: bool,
}

/// One kind of deadlock at one depth.
pub struct Question {
    /// Implies that there is one.
    pub some: Lit,
    /// Implies that nobody waits only perhaps.
    pub certain: Lit,
    local: bool,
    /// Points, each with whether its thread waits there in the deadlock.
    waits: Vec<(usize, Lit)>,
    lines: BTreeMap<(u32, u32), Lit>,
}

/// All points so far.
#[derive(Default)]
pub struct Deadlocks {
    points: Vec<Point>,
    /// By run: a number that grows from who waits for a lock to who has it.
    ranks: Vec<TermId>,
    /// What was shown, by kind.
    shown: FxHashMap<bool, BTreeSet<Lines>>,
}

impl Deadlocks {
    /// Forgets the points, but not what was shown.
    pub fn forget_points(&mut self) {
        self.points.clear();
    }

    /// Adds the points of a new slot. What main can show alone, and what is not modelled, comes back.
    pub fn add(
        &mut self,
        ground: &mut Ground,
        formula: &mut dyn Formula,
        runs: &[Run],
        new: At,
        last: &Last,
    ) -> (Vec<Goal>, Vec<End>) {
        let (mut goals, mut ends) = (Vec::new(), Vec::new());
        let run = &runs[new.0];
        let slot = &run.slots[new.1];
        for node in &slot.nodes {
            if run.automaton.state(node.state).in_section() {
                ends.extend(
                    node.step.waits.iter().map(|w| in_section(ground, node, slot.token, w)),
                );
                continue;
            }
            if slot.need == Need::Alone {
                for wait in &node.step.waits {
                    match wait.how {
                        Waiting::Perhaps => ends.push(perhaps(ground, node, wait)),
                        Waiting::Blocked | Waiting::Spins => {
                            alone(ground, run.thread, node, wait, new, &mut goals);
                        }
                    }
                }
                continue;
            }
            for wait in run.waits_with(ground, node, &last.memory) {
                let stays = ground.terms.not(slot.done);
                let stuck = ground.terms.and_all(&[node.at, stays, wait.cond]);
                if ground.terms.is_false(stuck) {
                    continue;
                }
                let Wait { word, at, place, how, .. } = wait;
                let stuck = formula.lit(&ground.terms, stuck);
                let certain = how != Waiting::Perhaps;
                self.points.push(Point { run: new.0, stuck, word, at, place, certain });
            }
        }
        (goals, ends)
    }

    /// What there is to ask at a depth.
    pub fn questions(
        &mut self,
        ground: &mut Ground,
        formula: &mut dyn Formula,
        runs: &[Run],
        last: &Last,
    ) -> Vec<Question> {
        let Some(reached) = last.reached(formula).filter(|_| !self.points.is_empty()) else {
            return Vec::new();
        };
        let local = self.local(ground, formula, runs, reached);
        let global = self.global(ground, formula, runs, last, reached);
        local.into_iter().chain([global]).collect()
    }

    fn global(
        &mut self,
        ground: &mut Ground,
        formula: &mut dyn Formula,
        runs: &[Run],
        last: &Last,
        reached: Lit,
    ) -> Question {
        let some = formula.new_lit();
        formula.clause(&[!some, reached]);
        for (r, run) in runs.iter().enumerate() {
            let thread = ground.layout.threads[run.thread.index()];
            let mut clause = vec![!some];
            if let Role::Passed(i) = ground.roles.of(thread.created) {
                clause.push(!formula.lit(&ground.terms, last.memory[i]));
            }
            if let Role::Passed(i) = ground.roles.of(thread.ended) {
                clause.push(formula.lit(&ground.terms, last.memory[i]));
            }
            clause.extend(self.points.iter().filter(|p| p.run == r).map(|p| p.stuck));
            formula.clause(&clause);
        }
        let any = self.points.iter().map(|p| p.stuck).chain([!some]);
        formula.clause(&any.collect::<Vec<Lit>>());
        self.acyclic(ground, formula, runs, some);
        let waits = self.points.iter().enumerate().map(|(i, p)| (i, p.stuck)).collect();
        self.question(formula, some, false, waits)
    }

    /// Nobody waits for locks in a circle.
    fn acyclic(&mut self, ground: &mut Ground, formula: &mut dyn Formula, runs: &[Run], some: Lit) {
        const RANK: u32 = 7;
        assert!(runs.len() <= 1 << RANK, "there are ranks for all threads");
        while self.ranks.len() < runs.len() {
            self.ranks.push(ground.terms.fresh(RANK));
        }
        for point in &self.points {
            let Some(word) = point.word else { continue };
            for (holder, run) in runs.iter().enumerate() {
                let holds = holds(ground, word, run.thread);
                let grows = ground.terms.ult(self.ranks[point.run], self.ranks[holder]);
                let right = ground.terms.implies(holds, grows);
                formula.assert_implies(&ground.terms, &[some, point.stuck], right);
            }
        }
    }

    fn local(
        &mut self,
        ground: &mut Ground,
        formula: &mut dyn Formula,
        runs: &[Run],
        reached: Lit,
    ) -> Option<Question> {
        let members: Vec<Lit> = runs.iter().map(|_| formula.new_lit()).collect();
        // A member stands somewhere, and a member waits for it.
        let mut stands: Vec<Vec<Lit>> = members.iter().map(|&m| vec![!m]).collect();
        let mut wanted = stands.clone();
        let mut waits = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            let Some(word) = point.word else { continue };
            let here = formula.new_lit();
            waits.push((i, here));
            stands[point.run].push(here);
            formula.clause(&[!here, point.stuck]);
            formula.clause(&[!here, members[point.run]]);
            let mut held = vec![!here];
            for (holder, run) in runs.iter().enumerate() {
                let holds = holds(ground, word, run.thread);
                if ground.terms.is_false(holds) {
                    continue;
                }
                let held_by = formula.new_lit();
                formula.assert_implies(&ground.terms, &[held_by], holds);
                formula.clause(&[!held_by, members[holder]]);
                formula.clause(&[!held_by, here]);
                held.push(held_by);
                wanted[holder].push(held_by);
            }
            formula.clause(&held);
        }
        if waits.is_empty() {
            return None;
        }
        for clause in stands.iter().chain(&wanted) {
            formula.clause(clause);
        }
        let some = formula.new_lit();
        formula.clause(&[!some, reached]);
        let any = waits.iter().map(|w| w.1).chain([!some]);
        formula.clause(&any.collect::<Vec<Lit>>());
        Some(self.question(formula, some, true, waits))
    }

    /// Adds lines, and excludes what was shown at smaller depths.
    fn question(
        &self,
        formula: &mut dyn Formula,
        some: Lit,
        local: bool,
        waits: Vec<(usize, Lit)>,
    ) -> Question {
        let mut by_line: BTreeMap<(u32, u32), Vec<Lit>> = BTreeMap::new();
        let certain = formula.new_lit();
        for &(i, lit) in &waits {
            let Point { place, certain: known, .. } = self.points[i];
            by_line.entry((place.file.0, place.line)).or_default().push(lit);
            if !known {
                formula.clause(&[!certain, !lit]);
            }
        }
        let mut lines = BTreeMap::new();
        for (line, mut lits) in by_line {
            let any = formula.new_lit();
            lits.iter().for_each(|&lit| formula.clause(&[!lit, any]));
            lits.push(!any);
            formula.clause(&lits);
            lines.insert(line, any);
        }
        let question = Question { some, certain, local, waits, lines };
        for shown in self.shown.get(&local).into_iter().flatten() {
            question.exclude(formula, shown);
        }
        question
    }

    /// Whether more sets of lines are told apart.
    pub fn is_open(&self, question: &Question) -> bool {
        self.shown.get(&question.local).is_none_or(|shown| shown.len() < MOST)
    }

    /// The deadlock of a model, which is not shown again; and where it is uncertain, if it is.
    pub fn shown(
        &mut self,
        formula: &mut dyn Formula,
        runs: &[Run],
        question: &Question,
    ) -> (Wanted, Option<Place>) {
        let waiting: Vec<&Point> = question
            .waits
            .iter()
            .filter(|w| formula.value(w.1))
            .map(|w| &self.points[w.0])
            .collect();
        let lines: Lines = waiting.iter().map(|p| (p.place.file.0, p.place.line)).collect();
        assert!(!lines.is_empty(), "in a deadlock somebody waits");
        question.exclude(formula, &lines);
        let waits = waiting.iter().map(|p| (thread_id(runs[p.run].thread), p.at)).collect();
        let perhaps = waiting.iter().find(|p| !p.certain).map(|p| p.place);
        let fresh = self.shown.entry(question.local).or_default().insert(lines);
        assert!(fresh, "what was shown does not come again");
        (Wanted::Deadlock { local: question.local, waits }, perhaps)
    }
}

impl Question {
    /// Not exactly these lines.
    fn exclude(&self, formula: &mut dyn Formula, shown: &Lines) {
        let mut clause = vec![!self.some];
        for (line, &any) in &self.lines {
            clause.push(if shown.contains(line) { !any } else { any });
        }
        formula.clause(&clause);
    }
}

/// The condition that a thread has the mutex with this word.
fn holds(ground: &mut Ground, word: TermId, thread: ThreadIx) -> TermId {
    let number = ground.terms.constant(u128::from(Thread::number(thread)), 32);
    ground.terms.eq(word, number)
}

/// A section that waits after a step of its own: the thread stands before it, which is not modelled.
fn in_section(ground: &mut Ground, node: &Node, token: TermId, wait: &Wait) -> End {
    let cond = ground.terms.and_all(&[node.at, token, wait.cond]);
    let kind = match wait.how {
        Waiting::Blocked | Waiting::Spins => CutKind::Unsupported(Unmodelled::WaitingSection),
        Waiting::Perhaps => CutKind::Iterations,
    };
    End { cond, cut: Cut { cond, kind, place: wait.place } }
}

/// Main is alone and perhaps spins.
fn perhaps(ground: &mut Ground, node: &Node, wait: &Wait) -> End {
    let cond = ground.terms.and(node.at, wait.cond);
    End { cond, cut: Cut { cond, kind: CutKind::Iterations, place: wait.place } }
}

/// Main waits, and there is nobody else: for itself, or for nobody.
fn alone(
    ground: &mut Ground,
    thread: ThreadIx,
    node: &Node,
    wait: &Wait,
    at: At,
    goals: &mut Vec<Goal>,
) {
    let itself = match wait.word {
        Some(word) => holds(ground, word, thread),
        None => ground.terms.fals(),
    };
    let nobody = ground.terms.not(itself);
    for (local, kind) in [(true, itself), (false, nobody)] {
        let cond = ground.terms.and_all(&[node.at, wait.cond, kind]);
        if ground.terms.is_false(cond) {
            continue;
        }
        let key = (Property::Deadlocks, vec![wait.place]);
        let wanted = Wanted::Deadlock { local, waits: vec![(thread_id(thread), wait.at)] };
        goals.push(Goal { cond, key, wanted, at: Some(at), leak: None });
    }
}
