//! The static thread structure: which functions threads start in, where they are created, how
//! often.
//!
//! Idea: threads that start in the same function form a class. A class has one instance if it is
//! created at one place (a `Create` and the calls that lead to it, as far as contexts are told
//! apart: `pthread_create` is a function), that place is not in a loop, and the function it lies in
//! runs at most once: that is the entry of a class with one instance and never called, or it is
//! called at one place that is in no loop, from a function that runs at most once, and only in one
//! class. The same walk finds the *start phase*: the instructions that only run while no thread but
//! main was ever created.
//! Source: common practice of static race detectors (Naik & Aiken, POPL 2007, use the same
//! classes).
//! Limits: two creations of the same function always make a class with many instances.

use raddle_ir::{BlockId, Cfg, FuncId, InstrRef, Program};
use rustc_hash::FxHashSet;

use crate::call_graph::{CallGraph, FuncSet};
use crate::points_to::PointsTo;

/// A class of threads: all that start in the same function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(pub u32);

impl ClassId {
    /// The class of the main thread.
    pub const MAIN: ClassId = ClassId(0);

    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many threads of a class there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Multiplicity {
    /// At most one in any execution.
    Once,
    /// Possibly more.
    Many,
}

/// A class of threads.
#[derive(Clone, Debug)]
pub struct ThreadClass {
    /// Where its threads start.
    pub entry: FuncId,
    /// The creations, each with the calls that lead to it; none for main.
    pub sites: Vec<Vec<InstrRef>>,
    /// How many threads.
    pub multiplicity: Multiplicity,
    /// The functions its threads may run.
    pub functions: FuncSet,
}

/// Per function and block: the first instruction that may run after certain creations.
type Phase = Vec<Vec<u32>>;

/// All classes of a program.
#[derive(Clone, Debug)]
pub struct Threads {
    classes: Vec<ThreadClass>,
    /// Per function: whether it runs at most once in any execution.
    runs_once: Vec<bool>,
    /// Per class: where threads of it may exist. Main's entry tells where any other thread may.
    started: Vec<Phase>,
    /// Where any thread may exist in a function that was entered before there was one.
    entered_early: Phase,
}

impl Threads {
    /// Analyses a program. Without an entry there are no classes.
    pub fn new(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> Threads {
        let mut threads = Threads {
            classes: find_classes(program, points_to, graph),
            runs_once: vec![false; program.functions.len()],
            started: Vec::new(),
            entered_early: Vec::new(),
        };
        threads.count(program, graph);
        for c in threads.ids() {
            let leads = threads.leading_to(graph, c);
            let (early, all) = start_phase(program, points_to, graph, &threads.classes, &leads);
            if c == ClassId::MAIN {
                threads.entered_early = early;
            }
            threads.started.push(all);
        }
        threads
    }

    /// The classes; the first is main's.
    pub fn classes(&self) -> &[ThreadClass] {
        &self.classes
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &ThreadClass {
        &self.classes[id.index()]
    }

    /// The ids of the classes.
    pub fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// The class that starts in a function.
    pub fn class_of_entry(&self, entry: FuncId) -> Option<ClassId> {
        self.ids().find(|c| self.class(*c).entry == entry)
    }

    /// The classes whose threads may run a function.
    pub fn running(&self, f: FuncId) -> impl Iterator<Item = ClassId> + '_ {
        self.ids().filter(move |c| self.class(*c).functions.contains(f))
    }

    /// Whether a function runs at most once in any execution.
    pub fn runs_once(&self, f: FuncId) -> bool {
        self.runs_once[f.index()]
    }

    /// Whether an instruction only runs while main is the only thread there ever was.
    pub fn before_first_creation(&self, at: InstrRef) -> bool {
        self.before_creation_of(at, ClassId::MAIN)
    }

    /// The same for an instruction in a context: the calls that lead to its function, outermost
    /// first.
    pub fn before_first_creation_in(&self, chain: &[InstrRef], at: InstrRef) -> bool {
        let Some((outermost, inner)) = chain.split_first() else {
            return self.before_first_creation(at);
        };
        let early =
            |at: &InstrRef| self.entered_early[at.func.index()][at.block.index()] > at.index;
        self.before_first_creation(*outermost) && inner.iter().all(early) && early(&at)
    }

    /// Whether an instruction only runs, in main, while no thread of a class was ever created, nor
    /// one from which one of that class descends. For main's class: no thread at all.
    pub fn before_creation_of(&self, at: InstrRef, class: ClassId) -> bool {
        match self.started.get(class.index()) {
            Some(phase) => phase[at.func.index()][at.block.index()] > at.index,
            None => true,
        }
    }

    /// The classes whose creation makes threads of a class possible: itself and those that create
    /// such classes; for main's class all but main.
    fn leading_to(&self, graph: &CallGraph, class: ClassId) -> FuncSet {
        let mut leads = self.classes[0].functions.emptied();
        let mut work = vec![class];
        if class == ClassId::MAIN {
            work = self.ids().collect();
        }
        while let Some(c) = work.pop() {
            let entry = self.class(c).entry;
            if c == ClassId::MAIN && graph.creators(entry).is_empty() || !leads.insert(entry) {
                continue;
            }
            for site in &self.class(c).sites {
                work.extend(self.running(site[0].func));
            }
        }
        leads
    }

    /// Multiplicities, as a least fixed point of "runs at most once" from the entry on.
    fn count(&mut self, program: &Program, graph: &CallGraph) {
        let looping: Vec<Vec<bool>> = program.functions.iter().map(blocks_in_loops).collect();
        let in_loop = |at: &InstrRef| looping[at.func.index()][at.block.index()];
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..self.classes.len() {
                let class = &self.classes[i];
                let once = match class.sites.as_slice() {
                    [] => true,
                    [site] => !site.iter().any(in_loop) && self.runs_once[site[0].func.index()],
                    _ => false,
                };
                // Main that is also created as a thread, or called, runs more than once.
                let once = once && (i > 0 || graph.creators(class.entry).is_empty());
                if once && class.multiplicity == Multiplicity::Many {
                    self.classes[i].multiplicity = Multiplicity::Once;
                    changed = true;
                }
            }
            for f in program.function_ids() {
                if self.runs_once[f.index()] {
                    continue;
                }
                let entry = self.class_of_entry(f);
                let once = match (entry, graph.callers(f)) {
                    (Some(c), []) => self.class(c).multiplicity == Multiplicity::Once,
                    (None, [call]) => !in_loop(call) && self.runs_once[call.func.index()],
                    _ => false,
                };
                if once {
                    self.runs_once[f.index()] = true;
                    changed = true;
                }
            }
        }
    }
}

fn find_classes(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> Vec<ThreadClass> {
    let Some(main) = program.entry else { return Vec::new() };
    let class = |entry| ThreadClass {
        entry,
        sites: Vec::new(),
        multiplicity: Multiplicity::Many,
        functions: graph.reachable(program, entry),
    };
    let mut classes = vec![class(main)];
    for creation in points_to.creations() {
        let known = classes.iter().skip(1).position(|c| c.entry == creation.entry);
        let i = known.map_or(classes.len(), |i| i + 1);
        if i == classes.len() {
            classes.push(class(creation.entry));
        }
        classes[i].sites.push(creation.chain.clone());
    }
    classes
}

fn blocks_in_loops(function: &raddle_ir::Function) -> Vec<bool> {
    Cfg::new(function).loop_of.iter().map(Option::is_some).collect()
}

/// Per function and block, the first instruction that may run after the creation of a thread that
/// starts in one of the functions `leads`; the number of instructions + 1 where not even the
/// terminator may. First for functions entered before, then for the program, where some are
/// entered after; everything that threads other than main run counts as after.
fn start_phase(
    program: &Program,
    points_to: &PointsTo,
    graph: &CallGraph,
    classes: &[ThreadClass],
    leads: &FuncSet,
) -> (Phase, Phase) {
    let chains: Vec<&[InstrRef]> = points_to
        .creations()
        .iter()
        .filter(|c| leads.contains(c.entry))
        .map(|c| c.chain.as_slice())
        .collect();
    let creating: FxHashSet<InstrRef> = chains.iter().flat_map(|c| c.iter().copied()).collect();
    let may_create = graph.reaching(program, chains.iter().map(|c| c[0].func));
    // Functions that may be entered when a creation has already happened.
    let mut late = FuncSet::new(program);
    let mut work: Vec<FuncId> = Vec::new();
    let add = |f: FuncId, late: &mut FuncSet, work: &mut Vec<FuncId>| {
        if late.insert(f) {
            work.push(f);
        }
    };
    for class in classes.iter().skip(1) {
        add(class.entry, &mut late, &mut work);
    }
    let first = |f: FuncId, is_late: bool| {
        first_started(program, f, is_late, |at| {
            creating.contains(&at) || graph.calls_at(at).any(|callee| may_create.contains(callee))
        })
    };
    let early: Phase = program.function_ids().map(|f| first(f, false)).collect();
    let mut result = early.clone();
    for f in program.function_ids() {
        for &(at, callee) in graph.calls(f) {
            if result[f.index()][at.block.index()] <= at.index {
                add(callee, &mut late, &mut work);
            }
        }
    }
    while let Some(f) = work.pop() {
        result[f.index()] = first(f, true);
        for &(_, callee) in graph.calls(f) {
            add(callee, &mut late, &mut work);
        }
    }
    (early, result)
}

fn first_started(
    program: &Program,
    f: FuncId,
    late: bool,
    starts: impl Fn(InstrRef) -> bool,
) -> Vec<u32> {
    let function = program.function(f);
    if late {
        return vec![0; function.blocks.len()];
    }
    let mut first: Vec<u32> = function.blocks.iter().map(|b| b.instrs.len() as u32 + 1).collect();
    let mut work: Vec<BlockId> = Vec::new();
    for block in function.block_ids() {
        let count = function.block(block).instrs.len() as u32;
        let creation = (0..count).find(|&index| starts(InstrRef { func: f, block, index }));
        if let Some(i) = creation {
            first[block.index()] = i + 1;
            work.push(block);
        }
    }
    while let Some(b) = work.pop() {
        for s in function.block(b).end.successors() {
            if first[s.index()] != 0 {
                first[s.index()] = 0;
                work.push(s);
            }
        }
    }
    first
}
