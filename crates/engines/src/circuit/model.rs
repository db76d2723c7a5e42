//! From a program to its circuit: the same for searches, certificates and exports.

use raddle_analysis::Facts;
use raddle_automaton::{Bounds as Names, CutKind, TooLarge, automata, lives};
use raddle_ir::{Program, Property};
use raddle_term::{TermId, Terms};

use super::bits::Circuit;
use super::compose::{Composition, LeftOut};
use super::goals::{End, Goal, goals};
use super::lines::Shown;
use super::merge::merge;
use super::names::names;
use super::stubborn::{self, Reductions};
use crate::Reason;
use crate::outcome::Large;

/// Most nodes of a circuit.
const MOST_NODES: usize = 20_000_000;

/// A program as a circuit.
pub struct Model {
    /// All threads under a scheduler.
    pub composition: Composition,
    /// What can go wrong.
    pub goals: Vec<Goal>,
    /// Where automata end.
    pub ends: Vec<End>,
    /// Latches and gates; its bad edges are the goals, then the ends.
    pub circuit: Circuit,
    /// Whether the scheduler is restricted: then an invariant of the circuit is none of the program.
    pub reduced: bool,
    /// Whether transactions are single steps, so that not all interleavings are there.
    pub merged: bool,
}

/// Which circuit is wanted.
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    /// What gets names.
    pub bounds: Names,
    /// How the scheduler is restricted.
    pub reductions: Reductions,
    /// What is left out of it.
    pub left_out: LeftOut,
    /// Most bits of state.
    pub most_bits: Option<u64>,
    /// What is not looked for again.
    pub shown: &'a Shown,
}

impl<'a> Manner<'a> {
    /// Everything, with a free scheduler.
    pub fn of_all(bounds: Names, shown: &'a Shown) -> Manner<'a> {
        let (reductions, left_out) = (Reductions::NONE, LeftOut::Nothing);
        Manner { bounds, reductions, left_out, most_bits: None, shown }
    }
}

/// Why there is no circuit.
pub enum NoModel {
    /// The program has no entry.
    NoEntry,
    /// The time was up.
    Time,
    /// It would be too large.
    Large(Reason),
}

impl Model {
    /// The circuit that is wanted; `is_over` says when to give up.
    pub fn new(
        program: &Program,
        facts: &Facts,
        manner: Manner,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Model, NoModel> {
        let large = |what, place| NoModel::Large(Reason::Large { what, place });
        let mut terms = Terms::new();
        let automata = automata(program, facts, manner.bounds, &mut terms, is_over);
        let automata = automata.map_err(|e| match e {
            TooLarge::NoEntry => NoModel::NoEntry,
            TooLarge::Stopped => NoModel::Time,
            TooLarge::Cells { count, place } => large(Large::Cells(count as u64), place),
            TooLarge::Terms { count, place } => large(Large::Terms(count as u64), place),
        })?;
        let checked = program.checked;
        // Whether threads have ended matters to deadlocks though nobody asks.
        let observed = match checked.contains(Property::Deadlocks) {
            true => lives(&automata.layout),
            false => Vec::new(),
        };
        let mut composition = Composition::unconnected(terms, automata, &observed, manner.left_out);
        let reductions = stubborn::that_preserve(checked, manner.reductions);
        let merged = reductions.transactions && merge(&mut composition, &facts.locks);
        composition.connect_all();
        let entry = |c: &Composition| c.layout.entry_place(program);
        let bits = composition.bits();
        if manner.most_bits.is_some_and(|most| bits > most) {
            return Err(large(Large::Bits(bits), entry(&composition)));
        }
        let (goals, ends) = goals(&mut composition, checked, &facts.locks, manner.shown);
        let allowed = stubborn::allowed(&mut composition, reductions);
        composition.restrict(allowed.as_deref().unwrap_or_default());
        if is_over() {
            return Err(NoModel::Time);
        }
        let conds: Vec<TermId> =
            goals.iter().map(|g| g.cond).chain(ends.iter().map(|e| e.cond)).collect();
        let names = names(program, &composition);
        let circuit = Circuit::new(&composition, &names, &conds);
        let nodes = circuit.part.system.graph.len();
        if nodes > MOST_NODES {
            return Err(large(Large::Clauses(3 * nodes as u64), entry(&composition)));
        }
        Ok(Model { composition, goals, ends, circuit, reduced: allowed.is_some(), merged })
    }

    /// The bad edges that no execution may come to: all but undefined behaviour that is not checked.
    pub fn wanted(&self) -> Vec<usize> {
        (0..self.goals.len() + self.ends.len()).filter(|&i| self.undefined(i).is_none()).collect()
    }

    /// The property that is not checked and that would show this undefined behaviour, if that is what
    /// a bad edge is.
    pub fn undefined(&self, bad: usize) -> Option<Property> {
        match self.ends.get(bad.checked_sub(self.goals.len())?)?.cut.kind {
            CutKind::Undefined(property) => Some(property),
            CutKind::Recursion
            | CutKind::Calls
            | CutKind::Threads
            | CutKind::Objects
            | CutKind::Cells
            | CutKind::Alignment
            | CutKind::Iterations
            | CutKind::Unsupported(_) => None,
        }
    }
}
