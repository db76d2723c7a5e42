//! Guided replay: from an encoder's order of the steps it knows to a confirmed trace.
//!
//! An encoder orders only what it considers visible. For each step of its guide in turn, the thread
//! runs on, executing whatever it meets, until it is about to execute the step's instruction, and then
//! executes it. An atomic section that a thread is in is finished before another thread goes on; a thread that
//! another one joins runs to its end.
//! After the guide the threads concerned run on to what is wanted. The guide only produces a list of choices;
//! [`crate::replay()`] of that list then makes the trace, so nothing that happens here is trusted.
//! Length: the ends (checks, races, deadlocks) all continue the same run.

use raddle_ir::{InstrRef, Program};

use crate::choices::{Choices, Expected, VERSION, program_hash};
use crate::collect::merge;
use crate::deadlock;
use crate::finding::Finding;
use crate::oracle::Oracle;
use crate::race;
use crate::record::Recorder;
use crate::replay::{MAX_STEPS, ReplayError, confirm, tell};
use crate::section::{Unit, at_section, run_unit};
use crate::state::{Code, State, Status};
use crate::step::{Blocked, Effect, Step, step};
use crate::thread::ThreadId;
use crate::trace::ConfirmedTrace;

/// How many times each of two racing accesses is passed by in search of one that conflicts.
const OCCURRENCES: usize = 64;

/// One step of a guide: how far a thread goes before another one has its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// The thread.
    pub thread: ThreadId,
    /// Where it goes.
    pub goal: Goal,
}

/// Where a thread goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Over the next execution of an instruction.
    Over {
        /// The instruction.
        at: InstrRef,
        /// The address it accesses: executions with another address are passed by.
        address: Option<u64>,
    },
    /// To where an instruction comes next, with nothing on the way that others could notice: an access, one that
    /// waits, the head of a loop, the beginning of a section.
    Before {
        /// The instruction.
        at: InstrRef,
        /// The address it will access: executions with another address are passed by.
        address: Option<u64>,
    },
    /// To the thread's end.
    End,
}

/// What a guided replay shall show after its last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The check at `at` fails in `thread`.
    Check {
        /// The thread.
        thread: ThreadId,
        /// The `Check` instruction.
        at: InstrRef,
    },
    /// The instruction at `at` uses an invalid address.
    Memory {
        /// The thread.
        thread: ThreadId,
        /// The access, free or call.
        at: InstrRef,
    },
    /// Both threads are about to execute these accesses.
    Race {
        /// One thread and its access.
        first: (ThreadId, InstrRef),
        /// The other.
        second: (ThreadId, InstrRef),
    },
    /// Threads wait for each other, or for nobody.
    Deadlock {
        /// A cycle of locks: other threads stay where they are. Otherwise the others run to their end.
        local: bool,
        /// Who waits, and the instruction that it cannot pass; for one that spins the head of its loop.
        waits: Vec<(ThreadId, InstrRef)>,
    },
    /// A thread reaches `Exit` and heap objects are left.
    Leak {
        /// The thread that exits.
        thread: ThreadId,
    },
}

/// Runs the program along a guide to what is wanted. If the run violates a checked property earlier, that
/// violation is confirmed and returned instead: compare the finding.
pub fn replay_guided(
    program: &Program,
    guide: &[GuideStep],
    oracle: &mut dyn Oracle,
    wanted: &Wanted,
) -> Result<ConfirmedTrace, ReplayError> {
    let code = Code::new(program);
    let mut recorder = Recorder::new(oracle);
    let Some(state) = State::new(&code) else {
        return Err(ReplayError::NotShown {
            wanted: format!("{wanted:?}"),
            happened: "the program has no entry".into(),
        });
    };
    let (schedule, late) = (Vec::new(), None);
    let (left, outside) = (MAX_STEPS, None);
    let mut run = Run { code: &code, state, schedule, outside, late, left, depth: 0 };
    let finding = run.along(guide, &mut recorder, wanted)?;
    let late = run.late.unwrap_or(run.schedule.len());
    let choices = Choices {
        version: VERSION,
        program: program_hash(program),
        schedule: run.schedule,
        expected: expected(&finding),
        ..recorder.answers()
    };
    let mut trace = confirm(&code, choices)?;
    sooner(&code, &mut trace, late);
    Ok(trace)
}

/// What threads do at last, from a place in the schedule on, to get where they shall stand, nobody may notice; then
/// it can be done where the thread ran before, which saves changes of the running thread.
fn sooner(code: &Code<'_>, trace: &mut ConfirmedTrace, late: usize) {
    for position in (late..trace.choices().schedule.len()).rev() {
        let mut choices = trace.choices().clone();
        let (thread, count) = choices.schedule.remove(position);
        let before = choices.schedule[..position].iter_mut().rfind(|run| run.0 == thread);
        let Some(before) = before else { continue };
        before.1 += count;
        choices.schedule = merge(choices.schedule);
        if let Ok(same) = confirm(code, choices)
            && same.key() == trace.key()
        {
            *trace = same;
        }
    }
}

/// How a replay recognises a finding.
pub(crate) fn expected(finding: &Finding) -> Expected {
    let raw = |at: InstrRef| (at.func.0, at.block.0, at.index);
    let accesses = match finding.property {
        raddle_ir::Property::Races => finding.sites.iter().map(|s| raw(s.at)).collect(),
        raddle_ir::Property::Unreach
        | raddle_ir::Property::Assertions
        | raddle_ir::Property::Deadlocks
        | raddle_ir::Property::Memory
        | raddle_ir::Property::Leaks
        | raddle_ir::Property::Overflow
        | raddle_ir::Property::Locks
        | raddle_ir::Property::LostMemory
        | raddle_ir::Property::Linear
        | raddle_ir::Property::Starvation => Vec::new(),
    };
    Expected {
        property: finding.property.name().into(),
        threads: finding.sites.iter().map(|s| s.thread).collect(),
        accesses,
        formula: None,
    }
}

/// Why a thread stopped running on.
enum Met {
    /// It is where it was sent.
    Goal,
    /// It violates a property.
    Violation(Finding),
    /// It cannot go on.
    Stuck(Step),
}

#[derive(Clone)]
struct Run<'a, 'p> {
    code: &'a Code<'p>,
    state: State,
    schedule: Vec<(ThreadId, u64)>,
    /// Before the last atomic section: the state, the length of the schedule and that of its last part.
    outside: Option<(State, usize, u64)>,
    /// The place in it from which on threads are brought to where they wait.
    late: Option<usize>,
    left: u64,
    /// How many threads are being run because another one waits for their end.
    depth: usize,
}

impl Run<'_, '_> {
    fn along(
        &mut self,
        guide: &[GuideStep],
        oracle: &mut Recorder<'_>,
        wanted: &Wanted,
    ) -> Result<Finding, ReplayError> {
        for (position, goal) in guide.iter().enumerate() {
            let failed = |happened: String, run: &Self| ReplayError::Diverged {
                step: position,
                expected: match goal.goal {
                    Goal::Over { at, address } | Goal::Before { at, address } => {
                        run.show_goal(goal.thread, at, address)
                    }
                    Goal::End => format!("the end of thread {}", goal.thread),
                },
                happened,
            };
            if let Some(found) = self.finish_section(goal.thread, oracle)? {
                return Ok(found);
            }
            let Some(index) = self.state.index(goal.thread) else {
                return Err(failed("there is no such thread yet".into(), self));
            };
            let met = match goal.goal {
                Goal::Over { at, address } => self.run_over(index, oracle, at, address)?,
                Goal::Before { at, address } => {
                    self.run_to(index, oracle, &mut |run| run.is_at(index, at, address))?
                }
                Goal::End => self.let_end(u64::from(goal.thread.0), oracle)?,
            };
            match met {
                Met::Goal => {}
                Met::Violation(finding) => return Ok(finding),
                Met::Stuck(why) => {
                    let what = tell(self.code.program, &self.state, index, &why);
                    return Err(failed(what, self));
                }
            }
        }
        self.conclude(oracle, wanted)
    }

    /// Runs a thread over an instruction.
    fn run_over(
        &mut self,
        index: usize,
        oracle: &mut Recorder<'_>,
        at: InstrRef,
        address: Option<u64>,
    ) -> Result<Met, ReplayError> {
        match self.run_to(index, oracle, &mut |run| run.is_at(index, at, address))? {
            Met::Goal => self.one_or_help(index, oracle),
            met @ (Met::Violation(_) | Met::Stuck(_)) => Ok(met),
        }
    }

    /// Executes one instruction.
    fn one(&mut self, index: usize, oracle: &mut Recorder<'_>) -> Result<Met, ReplayError> {
        self.left = self.left.checked_sub(1).ok_or(ReplayError::TooLong(MAX_STEPS))?;
        let id = self.state.threads[index].id;
        if at_section(self.code, &self.state, index) {
            let last = self.schedule.last().map_or(0, |part| part.1);
            self.outside = Some((self.state.clone(), self.schedule.len(), last));
        }
        match step(self.code, &mut self.state, index, oracle, &mut Effect::default()) {
            Step::Done => {
                match self.schedule.last_mut() {
                    Some((last, count)) if *last == id => *count += 1,
                    Some(_) | None => self.schedule.push((id, 1)),
                }
                Ok(Met::Goal)
            }
            Step::Violation(finding) => Ok(Met::Violation(*finding)),
            other @ (Step::Blocked(_) | Step::BadAnswer(_)) => Ok(Met::Stuck(other)),
        }
    }

    /// Runs a thread until `arrived` holds before an instruction.
    fn run_to(
        &mut self,
        index: usize,
        oracle: &mut Recorder<'_>,
        arrived: &mut dyn FnMut(&Self) -> bool,
    ) -> Result<Met, ReplayError> {
        while !arrived(self) {
            match self.one_or_help(index, oracle)? {
                Met::Goal => {}
                met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
            }
        }
        Ok(Met::Goal)
    }

    /// Executes one instruction; if it is a join, the joined thread may run to its end first.
    fn one_or_help(&mut self, index: usize, oracle: &mut Recorder<'_>) -> Result<Met, ReplayError> {
        let met = self.one(index, oracle)?;
        let Met::Stuck(Step::Blocked(Blocked::Join(number))) = met else { return Ok(met) };
        match self.let_end(number, oracle)? {
            Met::Goal => self.one(index, oracle),
            Met::Violation(finding) => Ok(Met::Violation(finding)),
            Met::Stuck(_) => Ok(met),
        }
    }

    /// Runs a thread that another one waits for to its end: guides need not mention what a thread
    /// does after its last visible step.
    fn let_end(&mut self, number: u64, oracle: &mut Recorder<'_>) -> Result<Met, ReplayError> {
        let id = u32::try_from(number).map(ThreadId).ok();
        let waiting = Step::Blocked(Blocked::Join(number));
        let Some(index) = id.and_then(|id| self.state.index(id)) else {
            return Ok(Met::Stuck(waiting));
        };
        self.depth += 1;
        let result = if self.depth > self.state.threads.len() {
            Ok(Met::Stuck(waiting))
        } else {
            self.run_to(index, oracle, &mut |run| {
                matches!(run.state.threads[index].status, Status::Ended(_))
            })
        };
        self.depth -= 1;
        result
    }

    fn is_at(&self, index: usize, at: InstrRef, address: Option<u64>) -> bool {
        let thread = &self.state.threads[index];
        thread.is_running()
            && thread.at() == at
            && address.is_none_or(|a| self.next_address(index).is_none_or(|b| a == b))
    }

    /// The address that a thread's next instruction uses.
    fn next_address(&self, index: usize) -> Option<u64> {
        let thread = &self.state.threads[index];
        let program = self.code.program;
        let function = program.function(thread.frame().func);
        let address = thread.op(program)?.memory_use(function)?.addr;
        Some(thread.frame().get(program, address) as u64)
    }

    /// Lets the thread that is inside an atomic section finish it, unless it is the one to go on.
    fn finish_section(
        &mut self,
        next: ThreadId,
        oracle: &mut Recorder<'_>,
    ) -> Result<Option<Finding>, ReplayError> {
        let Some(inside) = self.state.in_section else { return Ok(None) };
        if self.state.threads[inside].id == next {
            return Ok(None);
        }
        match self.run_to(inside, oracle, &mut |run| run.state.in_section.is_none())? {
            Met::Goal => Ok(None),
            Met::Violation(finding) => Ok(Some(finding)),
            Met::Stuck(why) => Err(ReplayError::Diverged {
                step: self.schedule.len(),
                expected: "the end of an atomic section".into(),
                happened: tell(self.code.program, &self.state, inside, &why),
            }),
        }
    }

    /// Takes the section under way back.
    fn leave_section(&mut self) {
        let (state, length, last) =
            self.outside.take().expect("it was noted when the section began");
        self.state = state;
        self.schedule.truncate(length);
        if let Some(part) = self.schedule.last_mut() {
            part.1 = last;
        }
    }

    fn conclude(
        &mut self,
        oracle: &mut Recorder<'_>,
        wanted: &Wanted,
    ) -> Result<Finding, ReplayError> {
        match wanted {
            &(Wanted::Check { thread, .. }
            | Wanted::Memory { thread, .. }
            | Wanted::Leak { thread }) => {
                if let Some(found) = self.finish_section(thread, oracle)? {
                    return Ok(found);
                }
                let index = self.thread(thread, wanted)?;
                match self.run_to(index, oracle, &mut |_| false)? {
                    Met::Violation(finding) => Ok(finding),
                    Met::Stuck(why) => {
                        let happened = tell(self.code.program, &self.state, index, &why);
                        Err(self.not_shown(wanted, happened))
                    }
                    Met::Goal => unreachable!("there is no goal to reach"),
                }
            }
            &Wanted::Race { first, second } => self.race(oracle, wanted, first, second),
            Wanted::Deadlock { local, waits } => self.deadlock(oracle, wanted, *local, waits),
        }
    }

    fn thread(&self, id: ThreadId, wanted: &Wanted) -> Result<usize, ReplayError> {
        let missing = || self.not_shown(wanted, format!("there is no thread {id}"));
        self.state.index(id).ok_or_else(missing)
    }

    fn not_shown(&self, wanted: &Wanted, happened: String) -> ReplayError {
        let wanted = match wanted {
            &Wanted::Check { thread, at } => {
                format!("a failed check: {}", self.show_goal(thread, at, None))
            }
            &Wanted::Memory { thread, at } => {
                format!("an invalid access: {}", self.show_goal(thread, at, None))
            }
            Wanted::Race { first, second } => format!(
                "a race: {} with {}",
                self.show_goal(first.0, first.1, None),
                self.show_goal(second.0, second.1, None)
            ),
            Wanted::Deadlock { waits, .. } => {
                let all: Vec<String> =
                    waits.iter().map(|&(thread, at)| self.show_goal(thread, at, None)).collect();
                format!("a deadlock: {}", all.join(" with "))
            }
            Wanted::Leak { thread } => format!("a leak at an exit by thread {thread}"),
        };
        ReplayError::NotShown { wanted, happened }
    }

    fn show_goal(&self, thread: ThreadId, at: InstrRef, address: Option<u64>) -> String {
        let program = self.code.program;
        let function = program.function(at.func);
        let what = match program.instr(at) {
            Some(instr) => raddle_ir::print::op(program, function, &instr.op),
            None => "the end of the block".into(),
        };
        let address = address.map_or(String::new(), |a| format!(", address {a:#x}"));
        format!(
            "thread {thread} at {} (function {}, block {}, instruction {}: {what}{address})",
            program.show_place(program.place(at)),
            function.name,
            at.block.0,
            at.index
        )
    }

    /// Brings both threads to their accesses. If a guide ends inside a section, that may be what is left
    /// of it behind its last access, or the race is with a later one: then the thread stands before the
    /// section.
    fn race(
        &mut self,
        oracle: &mut Recorder<'_>,
        wanted: &Wanted,
        first: (ThreadId, InstrRef),
        second: (ThreadId, InstrRef),
    ) -> Result<Finding, ReplayError> {
        let inside = self.state.in_section.map(|index| self.state.threads[index].id);
        let before = self.clone();
        let behind = match self.finish_section(ThreadId(0), oracle) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => self.race_from_here(oracle, wanted, first, second),
            Err(error) => Err(error),
        };
        if behind.is_ok() || !inside.is_some_and(|id| [first.0, second.0].contains(&id)) {
            return behind;
        }
        *self = before;
        self.leave_section();
        self.race_from_here(oracle, wanted, first, second)
    }

    /// The same between sections.
    fn race_from_here(
        &mut self,
        oracle: &mut Recorder<'_>,
        wanted: &Wanted,
        first: (ThreadId, InstrRef),
        second: (ThreadId, InstrRef),
    ) -> Result<Finding, ReplayError> {
        // The thread that ran last goes on first, for a schedule with few switches.
        let swap = self.schedule.last().is_some_and(|last| last.0 == second.0);
        let (first, second) = if swap { (second, first) } else { (first, second) };
        let (a, b) = (self.thread(first.0, wanted)?, self.thread(second.0, wanted)?);
        let mut happened = String::new();
        // A violation behind an access that was passed by in vain: the race may be at a later one of the other thread.
        let mut other: Option<(Self, Finding)> = None;
        for _ in 0..OCCURRENCES {
            match self.bring(a, first.1, oracle)? {
                Met::Goal => {}
                Met::Violation(finding) => {
                    other.get_or_insert_with(|| (self.clone(), finding));
                    break;
                }
                Met::Stuck(why) => {
                    happened += &tell(self.code.program, &self.state, a, &why);
                    break;
                }
            }
            let mut ahead = self.clone();
            for _ in 0..OCCURRENCES {
                match ahead.bring(b, second.1, oracle)? {
                    Met::Goal => {}
                    Met::Violation(finding) => {
                        other.get_or_insert_with(|| (ahead.clone(), finding));
                        break;
                    }
                    Met::Stuck(why) => {
                        happened = tell(self.code.program, &ahead.state, b, &why) + "; ";
                        break;
                    }
                }
                let races = race::between(self.code, &ahead.state, a, b, oracle);
                let hit = |f: &Finding| {
                    let at = [f.sites[0].at, f.sites[1].at];
                    at == [first.1, second.1] || at == [second.1, first.1]
                };
                if let Some(finding) = races.into_iter().find(hit) {
                    *self = ahead;
                    return Ok(finding);
                }
                if !ahead.pass(b, oracle)? {
                    break;
                }
            }
            if !self.pass(a, oracle)? {
                break;
            }
        }
        if let Some((run, finding)) = other {
            *self = run;
            return Ok(finding);
        }
        Err(self.not_shown(wanted, format!("no conflicting pair was met; {happened}")))
    }

    /// Runs a thread until `at` is in its next unit.
    fn bring(
        &mut self,
        index: usize,
        at: InstrRef,
        oracle: &mut Recorder<'_>,
    ) -> Result<Met, ReplayError> {
        loop {
            if !self.state.threads[index].is_running() {
                return Ok(Met::Stuck(Step::Blocked(Blocked::Over)));
            }
            if at_section(self.code, &self.state, index) {
                let accesses = race::upcoming(self.code, &self.state, index, oracle);
                if accesses.iter().any(|u| u.touch.at == at) {
                    return Ok(Met::Goal);
                }
            } else if self.is_at(index, at, None) {
                return Ok(Met::Goal);
            }
            match self.unit(index, oracle)? {
                Met::Goal => {}
                Met::Stuck(Step::Blocked(Blocked::Join(number))) => {
                    match self.let_end(number, oracle)? {
                        Met::Goal => {}
                        met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
                    }
                }
                met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
            }
        }
    }

    /// Executes one unit, if it can be completed.
    fn unit(&mut self, index: usize, oracle: &mut Recorder<'_>) -> Result<Met, ReplayError> {
        if !at_section(self.code, &self.state, index) {
            return self.one(index, oracle);
        }
        let mut copy = self.state.clone();
        match run_unit(self.code, &mut copy, index, oracle, self.left, &mut |_, _| {}) {
            Unit::Blocked(why) => Ok(Met::Stuck(Step::Blocked(why))),
            Unit::BadAnswer(text) => Ok(Met::Stuck(Step::BadAnswer(text))),
            Unit::TooLong => Err(ReplayError::TooLong(MAX_STEPS)),
            Unit::Done(count) | Unit::Violation(_, count) => {
                for _ in 0..count {
                    match self.one(index, oracle)? {
                        Met::Goal => {}
                        met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
                    }
                }
                // The last instruction of a violating section shows its finding.
                if self.state.in_section == Some(index) {
                    self.one(index, oracle)
                } else {
                    Ok(Met::Goal)
                }
            }
        }
    }

    /// Passes an access by; false if the thread cannot.
    fn pass(&mut self, index: usize, oracle: &mut Recorder<'_>) -> Result<bool, ReplayError> {
        Ok(matches!(self.unit(index, oracle)?, Met::Goal))
    }

    /// Brings the threads that shall not wait to their end, then the others to where they do.
    fn deadlock(
        &mut self,
        oracle: &mut Recorder<'_>,
        wanted: &Wanted,
        local: bool,
        waits: &[(ThreadId, InstrRef)],
    ) -> Result<Finding, ReplayError> {
        if let Some(found) = self.finish_section(ThreadId(0), oracle)? {
            return Ok(found);
        }
        self.late = Some(self.schedule.len());
        let threads = 0..self.state.threads.len();
        let (waiting, others): (Vec<usize>, Vec<usize>) =
            threads.partition(|&i| waits.iter().any(|w| w.0 == self.state.threads[i].id));
        // A thread at a join waits only if the joined one has not just to be run to its end.
        let ending = if local { Vec::new() } else { others };
        for index in ending.into_iter().chain(waiting) {
            let id = self.state.threads[index].id;
            let met = match waits.iter().find(|w| w.0 == id) {
                Some(&(_, at)) => self.bring_to_wait(index, at, oracle)?,
                None => self.run_to(index, oracle, &mut |run| {
                    matches!(run.state.threads[index].status, Status::Ended(_))
                })?,
            };
            match met {
                Met::Goal => {}
                Met::Violation(finding) => return Ok(finding),
                Met::Stuck(why) => {
                    let happened = tell(self.code.program, &self.state, index, &why);
                    return Err(self.not_shown(wanted, happened));
                }
            }
        }
        let shown = |f: &Finding| f.sites.iter().all(|s| waits.contains(&(s.thread, s.at)));
        let mut found = deadlock::find(self.code, &self.state, oracle).into_iter();
        found
            .find(shown)
            .ok_or_else(|| self.not_shown(wanted, "in the last state they do not wait".into()))
    }

    /// Runs a thread until it waits at an instruction. Before that it may be woken spuriously elsewhere.
    fn bring_to_wait(
        &mut self,
        index: usize,
        at: InstrRef,
        oracle: &mut Recorder<'_>,
    ) -> Result<Met, ReplayError> {
        while !deadlock::waits_at(self.code, &self.state, index, at, oracle) {
            match self.unit(index, oracle)? {
                Met::Goal => {}
                Met::Stuck(Step::Blocked(Blocked::Join(number))) => {
                    match self.let_end(number, oracle)? {
                        Met::Goal => {}
                        met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
                    }
                }
                met @ (Met::Violation(_) | Met::Stuck(_)) => return Ok(met),
            }
        }
        Ok(Met::Goal)
    }
}
