//! Atomic sections: the instructions that certainly stand inside one.
//!
//! Idea: how many sections are open at an instruction is a number that every path to it agrees on,
//! if the function is *balanced*: no path closes more than it opened, paths that meet have opened
//! equally many, and returns find none open. If every function that opens or closes sections is
//! balanced, calls leave the number as it was, and a function runs inside a section if all calls of
//! it do, or if it is only called from functions that do. Source: structured programs; nothing to
//! cite.
//! What it does not see: where one function opens a section and another one closes it nothing is
//! certain, in the whole program.

use raddle_ir::{BlockId, FuncId, InstrRef, Op, Program, Terminator};

use crate::call_graph::CallGraph;
use crate::points_to::PointsTo;
use crate::threads::Threads;

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Sections {
    /// Per function and block: how many sections are open at its start, those of callers left out;
    /// empty if nothing is certain.
    open: Vec<Vec<u32>>,
    /// Per function: whether it is only called inside sections.
    inside: Vec<bool>,
}

impl Sections {
    /// Analyses a program.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        graph: &CallGraph,
        threads: &Threads,
    ) -> Sections {
        let open: Option<Vec<Vec<u32>>> = program
            .function_ids()
            .map(|f| match points_to.instances_of(f) {
                [] => Some(Vec::new()),
                [_, ..] => balanced(program, f),
            })
            .collect();
        let Some(open) = open.filter(|_| !graph.enters_unknown(program, points_to)) else {
            return Sections { open: Vec::new(), inside: Vec::new() };
        };
        let mut sections = Sections { open, inside: vec![true; program.functions.len()] };
        for class in threads.classes() {
            sections.inside[class.entry.index()] = false;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for f in program.function_ids().filter(|f| !points_to.instances_of(*f).is_empty()) {
                let outside = |at: &InstrRef| {
                    !points_to.instances_of(at.func).is_empty() && !sections.contains(program, *at)
                };
                if sections.inside[f.index()] && graph.callers(f).iter().any(outside) {
                    sections.inside[f.index()] = false;
                    changed = true;
                }
            }
        }
        sections
    }

    /// Whether an instruction only runs inside an atomic section.
    pub fn contains(&self, program: &Program, at: InstrRef) -> bool {
        let Some(open) = self.open.get(at.func.index()) else { return false };
        if self.inside[at.func.index()] {
            return true;
        }
        let Some(&at_start) = open.get(at.block.index()) else { return false };
        let before = &program.function(at.func).block(at.block).instrs[..at.index as usize];
        before.iter().fold(at_start, |open, instr| after(open, &instr.op).unwrap_or(0)) > 0
    }
}

/// How many sections are open after an instruction; `None` if it closes one that is not.
fn after(open: u32, op: &Op) -> Option<u32> {
    if matches!(op, Op::AtomicBegin) {
        return open.checked_add(1);
    }
    if matches!(op, Op::AtomicEnd) {
        return open.checked_sub(1);
    }
    Some(open)
}

/// Per block the sections that are open at its start, if the function is balanced.
fn balanced(program: &Program, f: FuncId) -> Option<Vec<u32>> {
    let function = program.function(f);
    let mut starts: Vec<Option<u32>> = vec![None; function.blocks.len()];
    if starts.is_empty() {
        return Some(Vec::new());
    }
    starts[0] = Some(0);
    let mut work = vec![BlockId(0)];
    'blocks: while let Some(b) = work.pop() {
        let mut open = starts[b.index()].expect("only reached blocks are queued");
        for instr in &function.block(b).instrs {
            open = after(open, &instr.op)?;
            if instr.op.stops() {
                continue 'blocks;
            }
        }
        if matches!(function.block(b).end, Terminator::Return(_)) && open > 0 {
            return None;
        }
        for s in function.block(b).end.successors() {
            match starts[s.index()] {
                None => {
                    starts[s.index()] = Some(open);
                    work.push(s);
                }
                Some(known) if known != open => return None,
                Some(_) => {}
            }
        }
    }
    Some(starts.into_iter().map(Option::unwrap_or_default).collect())
}
