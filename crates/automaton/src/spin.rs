//! Where threads wait: instructions that cannot be passed, and loops that are run in vain.
//!
//! A thread *spins* at the head of a loop if, run alone from there, it comes back without having
//! changed anything (`raddle_ir::cfg`): then it waits for others. That is a condition on the state
//! at the head, and so it is one more region of code: an iteration, executed with nobody else
//! running. Paths on which something is changed, asked for or waited for are left out; at the end
//! live registers and the thread's own memory must be as they were.
//! In an atomic section the thread then stands before the section; whoever uses the automaton has to
//! know that.
//! A thread that would spin after some more steps that nobody notices is found where these lead.
//! Only if deadlocks are checked.
//! Limits: loops inside are followed for [`MOST_ARRIVALS`]; whoever is not back by then spins
//! perhaps, and so does who calls a single copy. An iteration that changes memory and changes it
//! back is one that changes something.

use raddle_ir::{AllocKind, BlockId, Op, Property};
use raddle_term::TermId;
use rustc_hash::FxHashMap;

use crate::build::{Builder, Path};
use crate::contexts::ContextId;
use crate::layout::{CellId, Kind, Layout};
use crate::machine::{Answer, Position, StateVar, Wait, Waiting};

/// Most arrivals at the head of a loop inside another one.
pub const MOST_ARRIVALS: u32 = 16;

/// A loop whose iterations are looked at.
pub(crate) struct Spin {
    /// Its head.
    head: Position,
    /// How often the heads of loops inside have been arrived at.
    arrivals: FxHashMap<Position, u32>,
    /// The conditions under which the thread is back, and under which it is perhaps.
    back: Vec<(TermId, Waiting)>,
}

impl Spin {
    /// Whether the loop begins at a block.
    pub fn is_head(&self, context: ContextId, block: BlockId) -> bool {
        self.head.context == context && self.head.at.block == block
    }
}

/// The cells that say which threads there are: whether nobody can go on is about all of them.
pub fn lives(layout: &Layout) -> Vec<CellId> {
    layout.threads.iter().flat_map(|t| [t.created, t.ended]).collect()
}

/// Whether an instruction changes something whenever it is passed, or ends the thread.
pub(crate) fn is_effect(op: &Op) -> bool {
    match op {
        Op::Alloc { kind, .. } => *kind == AllocKind::Heap,
        Op::Free { .. }
        | Op::Create { .. }
        | Op::ThreadExit { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => true,
        Op::Assign { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CompareExchange { .. }
        | Op::Fence { .. }
        | Op::ObjectSize { .. }
        | Op::ThreadLocal { .. }
        | Op::Call { .. }
        | Op::Join { .. }
        | Op::ThreadSelf { .. }
        | Op::TryLock { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Block { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Input { .. } => false,
    }
}

impl Builder<'_> {
    /// Notes that a thread waits at an instruction.
    pub fn note_wait(&mut self, here: Position, cond: TermId, word: Option<TermId>) {
        if !self.program.checked.contains(Property::Deadlocks) || self.spin.is_some() {
            return;
        }
        let cond = self.without_inputs(cond);
        if !self.terms.is_false(cond) {
            let place = self.user_place(here);
            self.now.waits.push(Wait { cond, word, at: here.at, place, how: Waiting::Blocked });
        }
    }

    /// The condition, if nothing was asked for on the way: other answers might lead elsewhere.
    fn without_inputs(&mut self, cond: TermId) -> TermId {
        let asked = self.now.choices.iter().filter(|c| matches!(c.answer, Answer::Input(_)));
        let asked: Vec<TermId> = asked.map(|c| c.cond).collect();
        let asked = self.terms.or_all(&asked);
        let not = self.terms.not(asked);
        self.terms.and(cond, not)
    }

    /// The conditions under which a thread spins at a position.
    pub fn spins(&mut self, head: Position) -> Vec<Wait> {
        let checked = self.program.checked.contains(Property::Deadlocks);
        if !checked || !self.is_head(head) {
            return Vec::new();
        }
        let (arrivals, back) = (FxHashMap::default(), Vec::new());
        self.spin = Some(Spin { head, arrivals, back });
        let path = Path { cond: self.terms.tru(), vars: FxHashMap::default() };
        self.execute(head, path);
        self.execute_waiting();
        let spin = self.spin.take().expect("it was set above");
        // What the region did besides is of no interest; what it asked for occurs in conditions that do
        // not depend on it.
        let conds: Vec<TermId> = spin.back.iter().map(|b| b.0).collect();
        let occurring = self.terms.variables(&conds);
        let mut inputs = std::mem::take(&mut self.now).inputs;
        inputs.retain(|&i| self.terms.as_var(i).is_some_and(|v| occurring.contains(&v)));
        self.now.inputs = inputs;
        let place = self.user_place(head);
        let wait = |(cond, how)| Wait { cond, word: None, at: head.at, place, how };
        spin.back.into_iter().map(wait).collect()
    }

    /// A path of an iteration comes to a place; false if it ends there.
    pub fn spins_on(&mut self, position: Position, path: &Path) -> bool {
        let entered = self.is_single_copy_boundary(position);
        if !self.is_head(position) && !entered {
            return true;
        }
        let spin = self.spin.as_mut().expect("an iteration is looked at");
        let how = if entered {
            Waiting::Perhaps
        } else if position == spin.head {
            Waiting::Spins
        } else {
            let arrivals = spin.arrivals.entry(position).or_default();
            *arrivals += 1;
            if *arrivals <= MOST_ARRIVALS {
                return true;
            }
            Waiting::Perhaps
        };
        let head = spin.head;
        let mut cond = self.without_inputs(path.cond);
        if how == Waiting::Spins {
            let same = self.is_unchanged(head, path);
            cond = self.terms.and(cond, same);
        }
        if !self.terms.is_false(cond)
            && let Some(spin) = &mut self.spin
        {
            spin.back.push((cond, how));
        }
        false
    }

    /// Whether live registers and what is left of memory are as they were at the head.
    fn is_unchanged(&mut self, head: Position, path: &Path) -> TermId {
        let mut live = Vec::new();
        self.live_registers(head, &mut live);
        let mut same = self.terms.tru();
        let mut changed: Vec<(StateVar, TermId)> =
            path.vars.iter().map(|(var, value)| (*var, *value)).collect();
        changed.sort_unstable_by_key(|c| c.0);
        for (var, value) in changed {
            let matters = match var {
                StateVar::Register(c, r) => live.binary_search(&(c, r)).is_ok(),
                StateVar::Cell(cell) => !self.dies_inside(head, cell),
                StateVar::Own
                | StateVar::Count(_)
                | StateVar::Return(_)
                | StateVar::Argument(..)
                | StateVar::Result(_) => false,
            };
            let old = self.vars.known(var).expect("what is written has a term");
            if matters {
                let equal = self.terms.eq(old, value);
                same = self.terms.and(same, equal);
            }
        }
        same
    }

    /// Whether a cell belongs to a local object of a function that is called in the loop.
    fn dies_inside(&self, head: Position, cell: CellId) -> bool {
        let is_part = |memory: &&crate::layout::Memory| {
            let (first, count) = memory.cells;
            let contents =
                (u64::from(first.0)..u64::from(first.0) + count).contains(&u64::from(cell.0));
            contents || memory.life == Some(cell) || memory.length == Some(cell)
        };
        let object = self.layout.objects.iter().find(is_part);
        match object.map(|o| o.kind) {
            Some(Kind::Allocated(_, site, _, AllocKind::Stack)) => {
                let context = self.layout.sites[site.index()].context;
                !self.layout.contexts.under_way(head.context).contains(&context)
            }
            Some(Kind::Allocated(..) | Kind::Global(_) | Kind::ThreadLocal(..)) | None => false,
        }
    }

    /// A path on which a cell, if a condition holds, already has the value that is written.
    pub fn keep_cell(&mut self, path: &mut Path, cell: CellId, cond: TermId, value: TermId) {
        let old = self.cell(path, cell);
        let equal = self.terms.eq(old, value);
        let kept = self.terms.implies(cond, equal);
        path.cond = self.terms.and(path.cond, kept);
    }
}
