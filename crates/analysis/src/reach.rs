//! Where violations can happen: which functions and blocks may still run into something that is
//! checked.
//!
//! Idea: an instruction is a *target* if executing it may violate a checked property or reach what
//! is not modelled; a function reaches a target if its body has one, or a call or thread creation
//! that does; a block if one of its instructions or a successor does. Code that reaches none and
//! has no [`crate::effects`] that others see need not be encoded.
//! Limits: blocks know only their own function, not what its callers do after it returns.

use raddle_ir::{BlockId, FuncId, InstrRef, Op, Program, Property, PropertySet, Terminator};

use crate::call_graph::{CallGraph, FuncSet};
use crate::objects::instructions_of;

/// Whether executing an instruction may violate a checked property or reach something not modelled.
pub fn is_target(op: &Op, checked: PropertySet) -> bool {
    let accessed = |hidden: bool| {
        checked.contains(Property::Memory) || (checked.contains(Property::Races) && !hidden)
    };
    match op {
        Op::Check { property, .. } => checked.contains(*property),
        Op::Unsupported { .. } => true,
        Op::Load { access, .. }
        | Op::Store { access, .. }
        | Op::Rmw { access, .. }
        | Op::CompareExchange { access, .. } => accessed(access.hidden),
        Op::Free { .. } | Op::ObjectSize { .. } | Op::Call { .. } => {
            checked.contains(Property::Memory)
        }
        Op::Lock { .. } => {
            checked.contains(Property::Deadlocks) || checked.contains(Property::Memory)
        }
        Op::Unlock { .. } | Op::TryLock { .. } => checked.contains(Property::Memory),
        Op::Join { .. } | Op::Block { .. } => checked.contains(Property::Deadlocks),
        Op::Exit { leaks } => *leaks && checked.looks_at_heap(),
        Op::Create { .. } => checked.contains(Property::Memory),
        Op::Assign { .. }
        | Op::Fence { .. }
        | Op::Alloc { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Assume { .. }
        | Op::Input { .. } => false,
    }
}

/// Whether the end of a block may violate a checked property: where main returns, the program ends.
fn end_is_target(program: &Program, f: FuncId, end: &Terminator) -> bool {
    let returns = matches!(end, Terminator::Return(_));
    returns && program.entry == Some(f) && program.checked.looks_at_heap()
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Reach {
    functions: FuncSet,
    /// Per function and block: the number of leading instructions from which a target is
    /// reachable in this function; one more than there are if also from the terminator on.
    blocks: Vec<Vec<u32>>,
}

impl Reach {
    /// Analyses a program for the properties it checks.
    pub fn new(program: &Program, graph: &CallGraph) -> Reach {
        let mut functions = FuncSet::new(program);
        let mut work: Vec<FuncId> = Vec::new();
        for f in program.function_ids() {
            let mut ends = program.function(f).blocks.iter().map(|block| &block.end);
            if instructions_of(program, f).any(|(_, op)| is_target(op, program.checked))
                || ends.any(|end| end_is_target(program, f, end))
            {
                functions.insert(f);
                work.push(f);
            }
        }
        for at in graph.unresolved() {
            if functions.insert(at.func) {
                work.push(at.func);
            }
        }
        while let Some(f) = work.pop() {
            for at in graph.callers(f).iter().chain(graph.creators(f)) {
                if functions.insert(at.func) {
                    work.push(at.func);
                }
            }
        }
        let blocks = program
            .function_ids()
            .map(|f| reaching_blocks(program, graph, f, &functions))
            .collect();
        Reach { functions, blocks }
    }

    /// Whether a call of the function (or a thread it creates) may run into a target.
    pub fn function(&self, f: FuncId) -> bool {
        self.functions.contains(f)
    }

    /// Whether a target may be run into from an instruction or terminator on, before the function
    /// returns.
    pub fn instruction(&self, at: InstrRef) -> bool {
        self.blocks[at.func.index()][at.block.index()] > at.index
    }

    /// The same from the beginning of a block.
    pub fn block(&self, f: FuncId, block: BlockId) -> bool {
        self.blocks[f.index()][block.index()] > 0
    }
}

fn reaching_blocks(
    program: &Program,
    graph: &CallGraph,
    f: FuncId,
    functions: &FuncSet,
) -> Vec<u32> {
    let function = program.function(f);
    let n = function.blocks.len();
    let mut count = vec![0u32; n];
    let mut predecessors = vec![Vec::new(); n];
    for b in function.block_ids() {
        for s in function.block(b).end.successors() {
            predecessors[s.index()].push(b);
        }
    }
    for (at, op) in instructions_of(program, f) {
        let enters = graph.calls_at(at).chain(graph.creates_at(at)).any(|g| functions.contains(g));
        if enters || is_target(op, program.checked) {
            count[at.block.index()] = at.index + 1;
        }
    }
    for at in graph.unresolved().iter().filter(|at| at.func == f) {
        let count = &mut count[at.block.index()];
        *count = (*count).max(at.index + 1);
    }
    for b in function.block_ids() {
        if end_is_target(program, f, &function.block(b).end) {
            count[b.index()] = function.block(b).instrs.len() as u32 + 1;
        }
    }
    let mut work: Vec<BlockId> = function.block_ids().filter(|b| count[b.index()] > 0).collect();
    while let Some(b) = work.pop() {
        for &p in &predecessors[b.index()] {
            let all = function.block(p).instrs.len() as u32 + 1;
            if count[p.index()] != all {
                count[p.index()] = all;
                work.push(p);
            }
        }
    }
    count
}
