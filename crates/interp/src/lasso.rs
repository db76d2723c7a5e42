//! Lassos: infinite executions that repeat a loop for ever, confirmed.
//!
//! A lasso is a list of choices with the number of instructions after which its loop begins. It is
//! confirmed by running it: (1) the states at both ends of the loop are the same ([`crate::key`]), so the
//! loop can be run again and again; (2) the formula does not hold of the letters on the way, or a thread waits
//! all through the loop; (3) the loop is fair; (4) no thread fails an assumption or does something
//! undefined. An empty loop is the rest of an execution in which nobody can go on.
//! What the loop is fair to is found out by trying each thread in each of its states. A thread that asks
//! for inputs before it waits counts as one that can go on: then the loop must be fair to it.
//! An engine gives the steps of its automata ([`LassoStep`]); they only lead to choices, and
//! nothing that happens on the way is trusted.

use raddle_ir::linear::{Fairness, Sentence};
use raddle_ir::{GlobalId, InstrRef, Op, Program, Property};

use crate::choices::{Choices, Expected, FromChoices, VERSION, program_hash};
use crate::difference::Difference;
use crate::endless::{Letter, letter, satisfies};
use crate::finding::{Finding, FindingKind, Site};
use crate::key::{Encoder, Scope};
use crate::memory::ObjectKind;
use crate::narrate;
use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use crate::record::Recorder;
use crate::replay::{MAX_STEPS, ReplayError, tell};
use crate::section::{Unit, run_unit};
use crate::state::{Code, State, Status};
use crate::step::{Blocked, Effect, Step, Sync, step};
use crate::store::Interner;
use crate::thread::ThreadId;
use crate::trace::ConfirmedTrace;

/// Most instructions of an atomic section that is tried.
const SECTION: u64 = 100_000;

/// One step of a guide to a lasso.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LassoStep {
    /// The thread.
    pub thread: ThreadId,
    /// Whether it begins to run: then it may be there already.
    pub begins: bool,
    /// Where it goes, and whether that is inside an atomic section; to its end if there is none.
    pub to: Option<(InstrRef, bool)>,
}

/// What a lasso shall show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    /// A formula of the program, by its number, does not hold.
    Formula(usize),
    /// A thread waits for ever.
    Waits(ThreadId),
}

/// Runs the program along a guide and confirms the lasso.
pub fn replay_lasso(
    program: &Program,
    stem: &[LassoStep],
    cycle: &[LassoStep],
    oracle: &mut dyn Oracle,
    wanted: Endless,
) -> Result<ConfirmedTrace, ReplayError> {
    let code = Code::new(program);
    let mut recorder = Recorder::new(oracle);
    let state = State::new(&code).ok_or_else(|| not_shown("the program has no entry"))?;
    let mut walk = Walk { code: &code, state, schedule: Vec::new(), count: 0 };
    walk.along(stem, &mut recorder)?;
    let loop_from = walk.count;
    walk.along(cycle, &mut recorder)?;
    let (property, threads, formula) = match wanted {
        Endless::Formula(number) => (Property::Linear, Vec::new(), Some(number as u32)),
        Endless::Waits(thread) => (Property::Starvation, vec![thread], None),
    };
    let expected =
        Expected { property: property.name().into(), threads, accesses: Vec::new(), formula };
    let choices = Choices {
        version: VERSION,
        program: program_hash(program),
        schedule: walk.schedule,
        loop_from: Some(loop_from),
        expected,
        ..recorder.answers()
    };
    confirm(&code, choices)
}

fn not_shown(happened: impl Into<String>) -> ReplayError {
    ReplayError::NotShown { wanted: "an execution without end".into(), happened: happened.into() }
}

/// A run along a guide.
struct Walk<'a, 'p> {
    code: &'a Code<'p>,
    state: State,
    schedule: Vec<(ThreadId, u64)>,
    count: u64,
}

impl Walk<'_, '_> {
    fn along(&mut self, guide: &[LassoStep], oracle: &mut Recorder<'_>) -> Result<(), ReplayError> {
        for (position, goal) in guide.iter().enumerate() {
            let diverged = |happened: String| ReplayError::Diverged {
                step: position,
                expected: format!("a step of thread {} to {:?}", goal.thread, goal.to),
                happened,
            };
            let index = self.state.index(goal.thread);
            let index = index.ok_or_else(|| diverged("there is no such thread yet".into()))?;
            let mut moved = goal.begins;
            while !(moved && self.is_there(index, goal)) {
                moved = true;
                self.count += 1;
                if self.count > MAX_STEPS {
                    return Err(ReplayError::TooLong(MAX_STEPS));
                }
                match step(self.code, &mut self.state, index, oracle, &mut Effect::default()) {
                    Step::Done => match self.schedule.last_mut() {
                        Some((last, count)) if *last == goal.thread => *count += 1,
                        Some(_) | None => self.schedule.push((goal.thread, 1)),
                    },
                    other @ (Step::Blocked(_) | Step::Violation(_) | Step::BadAnswer(_)) => {
                        return Err(diverged(tell(self.code.program, &self.state, index, &other)));
                    }
                }
            }
        }
        Ok(())
    }

    fn is_there(&self, index: usize, goal: &LassoStep) -> bool {
        let thread = &self.state.threads[index];
        match goal.to {
            Some((at, inside)) => {
                thread.is_running() && thread.at() == at && inside == (thread.atomic > 0)
            }
            None => self.state.exited || matches!(thread.status, Status::Ended(_)),
        }
    }
}

/// What is seen of an execution between its steps.
struct Seen {
    letters: Vec<Letter>,
    /// By thread: whether it made a step in the loop.
    moved: Vec<bool>,
    /// By thread: whether it could go on, in some state of the loop and in all of them.
    sometimes: Vec<bool>,
    always: Vec<bool>,
}

/// Runs a lasso and confirms what it is expected to show.
pub(crate) fn confirm(code: &Code<'_>, choices: Choices) -> Result<ConfirmedTrace, ReplayError> {
    let program = code.program;
    let loop_from = choices.loop_from.ok_or_else(|| not_shown("it has no loop"))?;
    let sentence = sentence(program, &choices)?;
    let mut run = Run::new(code, &choices, sentence)?;
    let mut oracle = FromChoices::new(&choices);
    let mut steps = Vec::new();
    run.look(false)?;
    let total: u64 = choices.schedule.iter().map(|s| s.1).sum();
    let mut lasso = (loop_from == 0).then_some(0);
    let mut first = (loop_from == 0).then(|| run.state.clone());
    if first.is_some() {
        run.begin_loop()?;
    }
    let mut done = 0;
    for &(thread, count) in &choices.schedule {
        let missing = || not_shown(format!("there is no thread {thread}"));
        let index = run.state.index(thread).ok_or_else(missing)?;
        for _ in 0..count {
            let before = narrate::before(code, &run.state, index);
            run.step(index, &mut oracle, first.is_some())?;
            steps.extend(narrate::after(code, &run.state, index, &before, &run.effect));
            done += 1;
            if done == loop_from {
                first = Some(run.state.clone());
                lasso = Some(steps.len());
                run.begin_loop()?;
            }
        }
    }
    let (Some(first), Some(lasso)) = (first, lasso) else {
        return Err(not_shown("it ends before its loop begins"));
    };
    if total > loop_from && !same(code, &first, &run.state) {
        return Err(not_shown("the states at both ends of the loop differ"));
    }
    run.check_fairness(total == loop_from)?;
    let finding = run.finding(&choices, sentence)?;
    let mut calls = Vec::new();
    for site in &finding.sites {
        if let Some(index) = run.state.index(site.thread) {
            calls.push(run.state.threads[index].calls(program).collect());
        }
    }
    drop(oracle);
    Ok(ConfirmedTrace::new(program, finding, calls, steps, choices, Some(lasso)))
}

fn sentence<'p>(
    program: &'p Program,
    choices: &Choices,
) -> Result<Option<&'p Sentence>, ReplayError> {
    match choices.expected.formula {
        None => Ok(None),
        Some(number) => {
            let all = &program.linear.formulas;
            all.get(number as usize).map(Some).ok_or_else(|| not_shown("no such formula"))
        }
    }
}

/// Tells states apart: two have equal keys iff all that can still happen is the same.
pub struct Keys<'a> {
    encoder: Encoder<'a>,
    interner: Interner,
}

impl<'a> Keys<'a> {
    /// For states of a program.
    pub fn new(code: &'a Code<'a>) -> Keys<'a> {
        let scope = Scope { dead_registers: false, iterations: false };
        Keys { encoder: Encoder::new(code, scope), interner: Interner::default() }
    }

    /// The key of a state outside atomic sections of a program that has not ended.
    pub fn key(&mut self, state: &State) -> Vec<u32> {
        self.encoder.parts(&mut self.interner, state, None, None).words(&[])
    }
}

/// Whether all that can still happen is the same.
fn same(code: &Code<'_>, a: &State, b: &State) -> bool {
    if a.in_section.is_some() || b.in_section.is_some() || a.exited != b.exited {
        return false;
    }
    if a.exited {
        return true;
    }
    let mut keys = Keys::new(code);
    keys.key(a) == keys.key(b)
}

struct Run<'a, 'p> {
    code: &'a Code<'p>,
    state: State,
    effect: Effect,
    sentence: Option<&'p Sentence>,
    /// Who shall wait all through the loop.
    waits: Option<ThreadId>,
    stem: Vec<Letter>,
    seen: Seen,
    /// What the one who shall wait has changed so far in the section that it is in.
    difference: Difference,
    /// Whether the one who shall wait got on.
    got_on: bool,
}

impl<'a, 'p> Run<'a, 'p> {
    fn new(
        code: &'a Code<'p>,
        choices: &Choices,
        sentence: Option<&'p Sentence>,
    ) -> Result<Run<'a, 'p>, ReplayError> {
        let state = State::new(code).ok_or_else(|| not_shown("the program has no entry"))?;
        let waits = choices.expected.threads.first().copied();
        let seen = Seen {
            letters: Vec::new(),
            moved: Vec::new(),
            sometimes: Vec::new(),
            always: Vec::new(),
        };
        let (effect, difference) = (Effect::default(), Difference::default());
        let (stem, got_on) = (Vec::new(), false);
        Ok(Run { code, state, effect, sentence, waits, stem, seen, difference, got_on })
    }

    /// From here on everything belongs to the loop.
    fn begin_loop(&mut self) -> Result<(), ReplayError> {
        let threads = self.state.threads.len();
        self.seen = Seen {
            letters: Vec::new(),
            moved: vec![false; threads],
            sometimes: vec![false; threads],
            always: vec![true; threads],
        };
        self.look(true)
    }

    /// Looks at the state, unless somebody is inside an atomic section.
    fn look(&mut self, in_loop: bool) -> Result<(), ReplayError> {
        if self.state.in_section.is_some() {
            return Ok(());
        }
        let program = self.code.program;
        if let Some(sentence) = self.sentence {
            let letter = letter(program, &self.state, &sentence.atoms);
            let letter = letter
                .ok_or_else(|| not_shown("an atom speaks of memory that was never written"))?;
            let letters = if in_loop { &mut self.seen.letters } else { &mut self.stem };
            letters.push(letter);
        }
        if !in_loop {
            return Ok(());
        }
        for index in 0..self.seen.moved.len().min(self.state.threads.len()) {
            let goes = can_go_on(self.code, &self.state, index);
            self.seen.sometimes[index] |= goes;
            self.seen.always[index] &= goes;
        }
        if let Some(index) = self.waits.and_then(|t| self.state.index(t)) {
            let thread = &self.state.threads[index];
            let joins = matches!(thread.op(program), Some(Op::Join { .. }));
            self.got_on |= !thread.is_running() || joins || self.state.exited;
        }
        Ok(())
    }

    fn step(
        &mut self,
        index: usize,
        oracle: &mut dyn Oracle,
        in_loop: bool,
    ) -> Result<(), ReplayError> {
        let id = self.state.threads[index].id;
        let result = step(self.code, &mut self.state, index, oracle, &mut self.effect);
        match result {
            Step::Done => {}
            other @ (Step::Blocked(_) | Step::Violation(_) | Step::BadAnswer(_)) => {
                return Err(not_shown(tell(self.code.program, &self.state, index, &other)));
            }
        }
        if let Status::Stopped(why) = &self.state.threads[index].status {
            return Err(not_shown(format!("thread {id} goes no further: {why:?}")));
        }
        if in_loop {
            if let Some(moved) = self.seen.moved.get_mut(index) {
                *moved = true;
            }
            if self.waits == Some(id) {
                self.got_on |= self.changes_something(id);
            }
        }
        self.look(in_loop)
    }

    /// Whether the last instruction, or the section that it ends, changed something that others can see.
    fn changes_something(&mut self, id: ThreadId) -> bool {
        let memory = &self.state.memory;
        self.difference.add(&self.effect, |address| {
            !memory.object_at(address).is_some_and(|o| {
                matches!(o.kind, ObjectKind::Stack | ObjectKind::ThreadLocal(_))
                    && o.owner == Some(id)
            })
        });
        let sync = match self.effect.sync {
            Some(Sync::Create(_) | Sync::End | Sync::Exit | Sync::Heap) => true,
            Some(Sync::Join(_)) | None => false,
        };
        let different =
            self.state.in_section.is_none() && std::mem::take(&mut self.difference).is_some();
        sync || different
    }

    /// Whether the loop is one of an execution that counts.
    fn check_fairness(&self, empty: bool) -> Result<(), ReplayError> {
        let names = |index: usize| self.state.threads[index].id;
        for index in 0..self.seen.moved.len() {
            let (sometimes, always) = (self.seen.sometimes[index], self.seen.always[index]);
            if empty && sometimes {
                return Err(not_shown(format!("thread {} can go on", names(index))));
            }
            let due = match self.code.program.linear.fairness {
                Fairness::None => false,
                Fairness::Weak => always,
                Fairness::Strong => sometimes,
            };
            if due && !self.seen.moved[index] {
                return Err(not_shown(format!("the loop is not fair to thread {}", names(index))));
            }
        }
        Ok(())
    }

    fn finding(
        &self,
        choices: &Choices,
        sentence: Option<&Sentence>,
    ) -> Result<Finding, ReplayError> {
        let program = self.code.program;
        let running = self.state.threads.iter().filter(|t| !self.state.exited && t.is_running());
        let sites: Vec<Site> = running.map(|t| t.site(program)).collect();
        match (sentence, self.waits) {
            (Some(sentence), _) => {
                if satisfies(&sentence.formula, &self.stem, &self.seen.letters) {
                    return Err(not_shown("the formula holds of it"));
                }
                let Sentence { text, source, line, .. } = sentence;
                let (text, source, line) = (text.clone(), source.clone(), *line);
                let kind = FindingKind::Formula { text, source, line };
                Ok(Finding { property: Property::Linear, kind, sites })
            }
            (None, Some(thread)) => {
                let site = sites.into_iter().find(|s| s.thread == thread);
                let site = site.filter(|_| !self.got_on);
                let site = site.ok_or_else(|| not_shown(format!("thread {thread} gets on")))?;
                let kind = FindingKind::Starvation;
                Ok(Finding { property: Property::Starvation, kind, sites: vec![site] })
            }
            (None, None) => Err(not_shown(format!("no {}", choices.expected.property))),
        }
    }
}

/// Whether a thread can make a step, without being woken for no reason. One that fails an assumption
/// could go on, too: an execution in which it never does is not fair to it.
pub fn can_go_on(code: &Code<'_>, state: &State, index: usize) -> bool {
    let mut copy = state.clone();
    let mut oracle = Trying { asked: false };
    let unit = run_unit(code, &mut copy, index, &mut oracle, SECTION, &mut |_, _| {});
    match unit {
        Unit::Done(_) | Unit::Violation(..) | Unit::BadAnswer(_) | Unit::TooLong => true,
        Unit::Blocked(Blocked::Assumption) => true,
        Unit::Blocked(Blocked::Over | Blocked::Section) => false,
        Unit::Blocked(Blocked::Lock(_) | Blocked::Join(_) | Blocked::Condition | Blocked::Loop) => {
            oracle.asked
        }
    }
}

/// Answers 0, and notes that it was asked for an input.
struct Trying {
    asked: bool,
}

impl Oracle for Trying {
    fn input(&mut self, _: &InputAsk<'_>) -> u128 {
        self.asked = true;
        0
    }
    fn address(&mut self, _: &AddressAsk) -> Option<u64> {
        None
    }
    fn thread_local_address(&mut self, _: ThreadId, _: GlobalId) -> Option<u64> {
        None
    }
    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }
    fn initial_byte(&mut self, _: &Origin, _: u64) -> u8 {
        self.asked = true;
        0
    }
    fn spurious(&mut self, _: &Ask) -> bool {
        false
    }
}
