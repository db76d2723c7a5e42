//! Proofs for any number of threads: an invariant that speaks of two of them at a time.
//!
//! Idea: a place in a loop creates threads without end, all of them alike. In the circuit three of
//! them show ([`raddle_automaton::Bounds::any_number`]): each creation is that of one of the three,
//! or of a thread that never shows. Let I be an inductive invariant of this circuit of which each
//! conjunct speaks of at most *two* of the three. Then it holds of the program with any number of
//! threads:
//!
//! *Claim:* in each state that the program reaches, I holds for whichever threads we take for the
//! three. It does at first, where none of them is created. Let a step of thread m lead from s to
//! s', let C be a conjunct and a, b the threads that it speaks of, some choice of them. If m is
//! neither, take m for the third, otherwise anybody. I holds in s for this choice; the step is one
//! of the circuit; so I holds in s' for this choice, and with it C, which does not speak of the
//! third. Creations are steps of their creator, with the new thread shown or not. Nothing bad is
//! possible in states with I: a violation is seen at one thread, a race at two.
//!
//! *Why a step of m is one of the circuit:* it depends on m's own state, on what threads share, and
//! on nothing else of threads that do not show. They do show in one more way, and that is a variable
//! of the circuit: somebody may be inside an atomic section. What would break this ends the
//! automaton, in a state that I must exclude: objects of such a thread whose addresses others may
//! know, its own number if the program asks for it, threads that it creates, and joining it. Handles
//! are any number. Words of mutexes say that some thread has them, not which; whoever reads one as
//! data ends, too.
//! Source: thread-modular proofs with invariants over tuples (Hoenicke, Majumdar, Podelski: Thread
//! Modularity at Many Levels, POPL 2017); inductive invariants checked on small instances (Pnueli,
//! Ruah, Zuck: Automatic Deductive Verification with Invisible Invariants, TACAS 2001). We learn the
//! invariant by IC3 on the small instance, with cubes about few threads ([`raddle_reach::Copies`]).
//! Limits: deadlocks, leaks and formulas speak of all threads at once and are not looked at.

use std::time::Instant;

use raddle_analysis::Facts;
use raddle_automaton::{CellId, CutKind, Kind, Layout, StateVar, ThreadIx};
use raddle_ir::{Program, Property, PropertySet};
use raddle_reach::{
    Bmc, Copies, End as Ic3End, Found as BmcFound, Ic3, Interrupted, Pairs, Question,
};
use rustc_hash::FxHashMap;

use super::bits::Circuit;
use super::compose::{Composition, Name};
use super::found::End;
use super::search::Search;
use crate::{Progress, Reason};

/// Of how many threads that stand for any number a conjunct may speak: one fewer than there are.
const MOST: usize = raddle_automaton::STAND_INS as usize - 1;

/// Steps in which something bad is looked for before a proof is.
const FIRST_STEPS: usize = 12;

/// Whether proofs for any number of threads are worth trying: threads are created in a loop, and what
/// is checked can be seen at two threads.
pub fn applies(program: &Program, facts: &Facts) -> bool {
    let bounds = raddle_automaton::Bounds { any_number: true, ..Default::default() };
    is_about_few(program.checked)
        && Layout::new(program, facts, bounds).is_ok_and(|l| l.stand_ins().next().is_some())
}

/// Whether violations are seen at two threads, or one.
pub fn is_about_few(checked: PropertySet) -> bool {
    let of_all = [Property::Deadlocks, Property::Leaks, Property::LostMemory];
    !checked.is_linear() && of_all.iter().all(|p| !checked.contains(*p))
}

/// Until when a proof is looked for, where the time is up then: others want their share.
pub fn deadline(end: Instant) -> Instant {
    let now = Instant::now();
    now + end.saturating_duration_since(now) * 3 / 4
}

/// The latches of threads that stand for any number, if latches have these variables and bits.
pub fn copies(composition: &Composition, latches: &[(usize, u32)]) -> Copies {
    let layout = &composition.layout;
    let owners = owners(layout);
    let owner = |name: Name| match name {
        Name::At(thread, _)
        | Name::Register(thread, ..)
        | Name::Count(thread, _)
        | Name::Return(thread, _)
        | Name::Shared(StateVar::Argument(thread, _) | StateVar::Result(thread)) => Some(thread),
        Name::Shared(StateVar::Cell(cell)) => owners.get(&cell).copied(),
        Name::Shared(_) | Name::Watch(_) | Name::Section => None,
    };
    let mut groups: Vec<(Option<_>, Vec<Vec<u32>>)> = Vec::new();
    for thread in layout.stand_ins() {
        let is_own = |v: usize| owner(composition.variables[v].name) == Some(thread);
        let own = (0..).zip(latches).filter(|(_, (v, _))| is_own(*v)).map(|(latch, _)| latch);
        let own: Vec<u32> = own.collect();
        let origin = layout.threads[thread.index()].origin.map(|(parent, site, _)| (parent, site));
        match groups.iter_mut().find(|g| g.0 == origin) {
            Some(group) => group.1.push(own),
            None => groups.push((origin, vec![own])),
        }
    }
    let groups = groups.into_iter().map(|g| g.1).collect();
    Copies::new(groups, latches.len(), MOST)
}

/// The cells that belong to one thread that stands for any number.
fn owners(layout: &Layout) -> FxHashMap<CellId, ThreadIx> {
    let mut owners = FxHashMap::default();
    for thread in layout.stand_ins() {
        let cells = layout.threads[thread.index()];
        owners.insert(cells.created, thread);
        owners.insert(cells.ended, thread);
    }
    for object in &layout.objects {
        let (Kind::ThreadLocal(thread, _) | Kind::Allocated(thread, ..)) = object.kind else {
            continue;
        };
        if layout.threads[thread.index()].stands_in {
            let (first, count) = object.cells;
            owners.extend((0..count as u32).map(|i| (CellId(first.0 + i), thread)));
            owners.extend(object.life.into_iter().chain(object.length).map(|c| (c, thread)));
        }
    }
    owners
}

impl Search<'_> {
    /// Looks for a proof; whatever else there is to say is left to other searches.
    pub(super) fn for_any_number(
        &mut self,
        circuit: &Circuit,
        wanted: &[usize],
        progress: &mut dyn FnMut(Progress),
    ) -> End {
        let (system, exclusive) = (&circuit.part.system, &circuit.exclusive);
        let moves = Some(system.bad[circuit.moves]);
        let question = Question { system, bad: wanted, moves, exclusive };
        self.proof(circuit, question, progress).unwrap_or(End::No(Reason::Time))
    }

    fn proof(
        &mut self,
        circuit: &Circuit,
        question: Question,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<End, Interrupted> {
        let mut bmc = Bmc::new(question);
        while bmc.depth() < FIRST_STEPS {
            match bmc.step(&self.limits)? {
                BmcFound::Nothing => {}
                BmcFound::Violation(execution) => return Ok(self.unproved(circuit, &execution)),
                BmcFound::End => break,
            }
        }
        self.found.figures.depth = bmc.depth() as u64;
        self.found.figures.clauses = bmc.clauses();
        self.tell(None, None, progress);
        let known = Pairs::new(question).run(&self.limits)?;
        let copies = copies(&self.composition, &circuit.variables_of_part());
        let mut ic3 = Ic3::about_few(question, known, Some(&copies));
        let invariant = loop {
            match ic3.run(&self.slice(super::search::SLICE)) {
                Ok(Ic3End::Holds(invariant)) => break invariant,
                Ok(Ic3End::Violated(execution)) => return Ok(self.unproved(circuit, &execution)),
                Ok(Ic3End::Broad) => return Ok(End::No(Reason::Time)),
                Err(Interrupted) if self.limits.is_over() => return Err(Interrupted),
                Err(Interrupted) => self.tell(None, Some(&ic3), progress),
            }
        };
        assert!(invariant.iter().all(|c| copies.is_narrow(c)), "all cubes speak of few copies");
        Ok(self.proved(circuit, question, invariant, &mut bmc))
    }

    /// What becomes of a search that has come to something bad: smaller cells may help.
    fn unproved(&mut self, circuit: &Circuit, execution: &raddle_aig::Execution) -> End {
        match self.shown_end(circuit, execution) {
            Some(CutKind::Alignment) if !self.names.bytes => {
                End::More(raddle_automaton::Bounds { bytes: true, ..self.names })
            }
            Some(_) | None => End::No(Reason::Time),
        }
    }
}
