//! The circuit of a program for hardware model checkers, and their witnesses as findings.
//!
//! What is exported is the reduced circuit, with one bad edge for each property: some violation of it.
//! The last bad edge says that an execution goes on where the circuit ends, because a bound on threads,
//! objects or recursion was reached or something is not modelled: a proof of a program shows that this
//! one is not reached either.
//! Invariant: the same program and options give the same circuit, so that a witness fits.

use raddle_aig::aiger::{self, Format, Malformed};
use raddle_aig::{Edge, Gates, System, btor2};
use raddle_analysis::Facts;
use raddle_automaton::Bounds as Names;
use raddle_interp::{ConfirmedTrace, ReplayError};
use raddle_ir::{Place, Program, Property};

pub use raddle_aig::aiger::Format as AigerFormat;

use super::lines::Shown;
use super::model::{Manner, Model, NoModel};
use super::witness::{Run, replayed};
use crate::{Budget, Reason};

/// What the last bad edge is called.
const END: &str = "end-of-circuit";

/// A program as a circuit for others.
pub struct Export {
    system: System,
    /// By bad edge: the property, or [`END`].
    bad: Vec<String>,
    model: Model,
}

/// Why there is no circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoCircuit {
    /// The program has no entry.
    NoEntry,
    /// Another reason.
    No(Reason),
}

/// Why a witness shows no violation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoFinding {
    /// It is no witness, or one of another circuit.
    #[error("it is no witness of this circuit")]
    Malformed(#[from] Malformed),
    /// It is no execution of the circuit.
    #[error("it is no execution of the circuit: {0}")]
    Execution(&'static str),
    /// Nothing bad happens.
    #[error("nothing bad happens in its last step")]
    Nothing,
    /// The circuit ends there.
    #[error("the execution reaches the end of the circuit, but violates nothing")]
    End(Place),
    /// The interpreter does not see it.
    #[error("the interpreter does not show it: {0}")]
    Replay(String),
}

impl Export {
    /// The circuit of a program.
    pub fn new(program: &Program, budget: &Budget) -> Result<Export, NoCircuit> {
        let facts = Facts::new(program);
        let shown = Shown::default();
        let manner = Manner::of_all(Names::default(), &shown);
        let model = Model::new(program, &facts, manner, &|| budget.is_over());
        let model = model.map_err(|e| match e {
            NoModel::NoEntry => NoCircuit::NoEntry,
            NoModel::Time => NoCircuit::No(Reason::Time),
            NoModel::Large(reason) => NoCircuit::No(reason),
        })?;
        let mut system = model.circuit.part.system.clone();
        let bads = std::mem::take(&mut system.bad);
        let mut bad = Vec::new();
        for property in Property::ALL {
            if program.checked.contains(property) {
                let own = (0..model.goals.len()).filter(|&g| model.goals[g].key.0 == property);
                let own: Vec<Edge> = own.map(|g| bads[g]).collect();
                system.bad.push(system.graph.or_many(&own));
                bad.push(property.name().to_string());
            }
        }
        let ends = model.wanted().into_iter().filter(|&i| i >= model.goals.len());
        let ends: Vec<Edge> = ends.map(|i| bads[i]).collect();
        system.bad.push(system.graph.or_many(&ends));
        bad.push(END.to_string());
        system.check_invariants();
        Ok(Export { system, bad, model })
    }

    /// As an AIGER file.
    pub fn aiger(&self, format: Format) -> Vec<u8> {
        aiger::write(&self.system, &self.bad, format)
    }

    /// As a BTOR2 file.
    pub fn btor2(&self) -> String {
        btor2::write(&self.system, &self.bad)
    }

    /// The finding that a witness in the AIGER format shows.
    pub fn finding(
        &mut self,
        program: &Program,
        witness: &str,
    ) -> Result<ConfirmedTrace, NoFinding> {
        let execution = &aiger::read_witness(&standard(witness), &self.system)?;
        self.system.run(execution).map_err(NoFinding::Execution)?;
        let Model { composition, goals, ends, circuit, reduced: _, merged: _ } = &mut self.model;
        let values = circuit.values(composition, execution);
        let mut run = Run::new(composition, &values);
        let shown = goals.iter().find(|g| run.holds(g.cond)).cloned();
        let end = ends.iter().find(|e| run.holds(e.cond)).map(|e| e.cut.place);
        match (shown, end) {
            (Some(goal), _) => replayed(program, composition, &values, &goal)
                .0
                .map_err(|e: ReplayError| NoFinding::Replay(e.to_string())),
            (None, Some(place)) => Err(NoFinding::End(place)),
            (None, None) => Err(NoFinding::Nothing),
        }
    }
}

/// A witness as the standard has it: `write_cex -a` of Berkeley ABC leaves its first and last lines out.
fn standard(witness: &str) -> String {
    match witness.split_once("# DONE") {
        Some((steps, _)) => format!("1\nb0\n{steps}\n.\n"),
        None => witness.to_string(),
    }
}
