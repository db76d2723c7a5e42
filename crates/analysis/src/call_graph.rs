//! The call graph: who calls and who starts whom, with calls through pointers resolved.
//!
//! Calls and thread creations are kept apart: a call runs in the caller's thread. Only functions
//! that are reachable from the program's entry call anything here.

use raddle_ir::{Callee, FuncId, InstrRef, Op, Operand, Program};

use crate::objects::instructions;
use crate::points_to::PointsTo;

/// A set of functions, as a bit set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FuncSet {
    words: Vec<u64>,
}

impl FuncSet {
    /// The empty set for a program.
    pub fn new(program: &Program) -> FuncSet {
        FuncSet { words: vec![0; program.functions.len().div_ceil(64)] }
    }

    /// The empty set for the same program.
    #[must_use]
    pub fn emptied(&self) -> FuncSet {
        FuncSet { words: vec![0; self.words.len()] }
    }

    /// Whether a function is a member.
    pub fn contains(&self, f: FuncId) -> bool {
        self.words[f.index() / 64] >> (f.index() % 64) & 1 == 1
    }

    /// Adds a function; whether it is new.
    pub fn insert(&mut self, f: FuncId) -> bool {
        let new = !self.contains(f);
        self.words[f.index() / 64] |= 1 << (f.index() % 64);
        new
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &bits)| {
            (0..64).filter(move |i| bits >> i & 1 == 1).map(move |i| FuncId::new(w * 64 + i))
        })
    }
}

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    calls: Vec<Vec<(InstrRef, FuncId)>>,
    creates: Vec<Vec<(InstrRef, FuncId)>>,
    callers: Vec<Vec<InstrRef>>,
    creators: Vec<Vec<InstrRef>>,
    /// Calls and creations through addresses that may lead to no known function.
    unresolved: Vec<InstrRef>,
    recursive: Vec<bool>,
}

impl CallGraph {
    /// Collects the calls of a program.
    pub fn new(program: &Program, points_to: &PointsTo) -> CallGraph {
        let n = program.functions.len();
        let mut graph = CallGraph {
            calls: vec![Vec::new(); n],
            creates: vec![Vec::new(); n],
            callers: vec![Vec::new(); n],
            creators: vec![Vec::new(); n],
            unresolved: Vec::new(),
            recursive: vec![false; n],
        };
        for (at, op) in instructions(program) {
            let (target, creates) = if let Op::Create { func, .. } = op {
                (*func, true)
            } else if let Op::Call { callee, .. } = op {
                match *callee {
                    Callee::Direct(f) => (Operand::Function(f), false),
                    Callee::Indirect(operand) => (operand, false),
                }
            } else {
                continue;
            };
            let reachable = !points_to.instances_of(at.func).is_empty();
            if reachable && !points_to.of(at.func, target).is_known() {
                graph.unresolved.push(at);
            }
            for &callee in points_to.callees(at) {
                if creates {
                    graph.creates[at.func.index()].push((at, callee));
                    graph.creators[callee.index()].push(at);
                } else {
                    graph.calls[at.func.index()].push((at, callee));
                    graph.callers[callee.index()].push(at);
                }
            }
        }
        graph.find_recursion(program);
        graph
    }

    /// A function is recursive if a callee reaches it. Functions that no cycle can pass through
    /// (leaves, and repeatedly those that call only such) are sorted out first, so the search is
    /// only run in a small rest.
    fn find_recursion(&mut self, program: &Program) {
        let mut open: Vec<usize> = self.calls.iter().map(Vec::len).collect();
        let mut work: Vec<FuncId> =
            program.function_ids().filter(|f| open[f.index()] == 0).collect();
        while let Some(f) = work.pop() {
            for at in &self.callers[f.index()] {
                open[at.func.index()] -= 1;
                if open[at.func.index()] == 0 {
                    work.push(at.func);
                }
            }
        }
        for f in program.function_ids().filter(|f| open[f.index()] > 0) {
            let found = self
                .calls(f)
                .iter()
                .any(|&(_, callee)| callee == f || self.reachable(program, callee).contains(f));
            self.recursive[f.index()] = found;
        }
    }

    /// The calls in a function.
    pub fn calls(&self, f: FuncId) -> &[(InstrRef, FuncId)] {
        &self.calls[f.index()]
    }

    /// The functions that an instruction may call.
    pub fn calls_at(&self, at: InstrRef) -> impl Iterator<Item = FuncId> + '_ {
        at_instruction(self.calls(at.func), at)
    }

    /// The functions that threads created by an instruction may start in.
    pub fn creates_at(&self, at: InstrRef) -> impl Iterator<Item = FuncId> + '_ {
        at_instruction(self.creates(at.func), at)
    }

    /// The thread creations in a function.
    pub fn creates(&self, f: FuncId) -> &[(InstrRef, FuncId)] {
        &self.creates[f.index()]
    }

    /// The places that call a function.
    pub fn callers(&self, f: FuncId) -> &[InstrRef] {
        &self.callers[f.index()]
    }

    /// The places that start a thread in a function.
    pub fn creators(&self, f: FuncId) -> &[InstrRef] {
        &self.creators[f.index()]
    }

    /// Calls and creations through addresses that may come from nowhere: they may enter more
    /// functions than are listed, in programs outside the promise of [`crate::points_to`].
    pub fn unresolved(&self) -> &[InstrRef] {
        &self.unresolved
    }

    /// Whether a call or creation may enter functions that are not listed because its address comes
    /// from nowhere. Where no address leads, to null or to garbage, nothing is entered.
    pub fn enters_unknown(&self, program: &Program, points_to: &PointsTo) -> bool {
        self.unresolved.iter().any(|at| {
            let target = match program.instr(*at).map(|i| &i.op) {
                Some(Op::Create { func, .. }) => *func,
                Some(Op::Call { callee: Callee::Indirect(operand), .. }) => *operand,
                Some(_) | None => return true,
            };
            !points_to.of(at.func, target).is_empty()
        })
    }

    /// Whether a function may call itself, directly or not.
    pub fn recursive(&self, f: FuncId) -> bool {
        self.recursive[f.index()]
    }

    /// The functions that run in a thread that starts in `entry`.
    pub fn reachable(&self, program: &Program, entry: FuncId) -> FuncSet {
        let mut seen = FuncSet::new(program);
        seen.insert(entry);
        let mut work = vec![entry];
        while let Some(f) = work.pop() {
            for &(_, callee) in self.calls(f) {
                if seen.insert(callee) {
                    work.push(callee);
                }
            }
        }
        seen
    }

    /// The functions from which a call chain leads into one of `targets` (these included).
    pub fn reaching(
        &self,
        program: &Program,
        targets: impl IntoIterator<Item = FuncId>,
    ) -> FuncSet {
        let mut seen = FuncSet::new(program);
        let mut work: Vec<FuncId> = targets.into_iter().filter(|&f| seen.insert(f)).collect();
        while let Some(f) = work.pop() {
            for at in self.callers(f) {
                if seen.insert(at.func) {
                    work.push(at.func);
                }
            }
        }
        seen
    }
}

/// The entries of one instruction in a list sorted by instruction.
fn at_instruction(list: &[(InstrRef, FuncId)], at: InstrRef) -> impl Iterator<Item = FuncId> + '_ {
    let first = list.partition_point(|c| c.0 < at);
    list[first..].iter().take_while(move |c| c.0 == at).map(|c| c.1)
}
