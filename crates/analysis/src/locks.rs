//! Locksets: the mutexes that a thread certainly holds at an instruction.
//!
//! Idea: per function, forward data flow of two sets relative to its start: mutexes it has locked
//! since (on all paths) and mutexes it may have unlocked since (on some path, without locking them
//! again). What a function does in total is its summary, translated at calls from parameters to
//! arguments; summaries are the greatest fixed point over the call graph. A second fixed point
//! finds the mutexes held at the entry of each function: those held at all calls. Together: held =
//! (held at entry ∖ unlocked) ∪ locked.
//! Source: must-locksets as in RacerX (Engler & Ashcraft, SOSP 2003) and RELAY (Voung, Jhala &
//! Lerner, FSE 2007: relative locksets); names of mutexes and what branches tell about them:
//! [`crate::lock_names`].
//!
//! **Mutual exclusion.** Two threads that hold the same mutex do not exist at the same time only if
//! nobody else frees it: so a mutex is dropped everywhere unless every unlock that may free it is
//! executed by a thread that certainly holds it, and no other instruction writes its word once
//! there may be two threads.
//! Limits: only mutexes in globals at constant offsets; recursive locking counts once, so the first
//! unlock ends it.

use std::collections::BTreeSet;

use raddle_ir::{BlockId, FuncId, InstrRef, Op, Operand, Program, Terminator};
use rustc_hash::FxHashMap;

use crate::call_graph::CallGraph;
use crate::lock_names::{Base, Conditions, Name, Names, Tells, Told};
use crate::lock_state::{Flow, Mutex, Unlocked, join, lock, meet, near};
use crate::lock_writes::{Write, lock_word_writes};
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use crate::threads::Threads;

/// What a call of a function does; `None` while no return is known to be reached.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Summary {
    effect: Option<Flow>,
    tells: Tells,
    /// Mutexes of parameters that it unlocks without having locked them.
    frees: BTreeSet<Name>,
    /// Mutexes of parameters whose words it writes like other memory.
    writes: BTreeSet<Name>,
}

/// The mutexes held from an instruction of a block on, at each change.
type Changes = Vec<(u32, Vec<Mutex>)>;

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Locks {
    /// Per function and block.
    held: Vec<Vec<Changes>>,
}

impl Locks {
    /// Analyses a program.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        graph: &CallGraph,
        threads: &Threads,
    ) -> Locks {
        let names: Vec<Names> = program.functions.iter().map(Names::new).collect();
        let writes = lock_word_writes(program, points_to, &names);
        let mut analysis = Analysis {
            program,
            points_to,
            graph,
            threads,
            names,
            writes,
            summaries: vec![Summary::default(); program.functions.len()],
        };
        analysis.summarise();
        let entries = analysis.entries();
        let broken = analysis.broken(&entries);
        let held = program.function_ids().map(|f| analysis.held(f, &entries, &broken)).collect();
        Locks { held }
    }

    /// The mutexes that the running thread certainly holds when it is about to execute an
    /// instruction, sorted. No two threads are at places with a mutex in common at the same time.
    pub fn held(&self, at: InstrRef) -> &[Mutex] {
        let changes = &self.held[at.func.index()][at.block.index()];
        let next = changes.partition_point(|c| c.0 <= at.index);
        next.checked_sub(1).map_or(&[], |i| changes[i].1.as_slice())
    }

    /// Whether a mutex keeps two threads from being about to execute these two at the same time.
    pub fn exclude(&self, a: InstrRef, b: InstrRef) -> bool {
        self.held(a).iter().any(|m| self.held(b).binary_search(m).is_ok())
    }
}

struct Analysis<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    graph: &'a CallGraph,
    threads: &'a Threads,
    names: Vec<Names>,
    /// Writes that may touch the word of a mutex like other memory.
    writes: FxHashMap<InstrRef, Write>,
    summaries: Vec<Summary>,
}

impl Analysis<'_> {
    fn summarise(&mut self) {
        let mut work: Vec<FuncId> = self.program.function_ids().collect();
        work.reverse();
        let mut queued = vec![true; work.len()];
        while let Some(f) = work.pop() {
            queued[f.index()] = false;
            let summary = self.summary(f);
            if summary == self.summaries[f.index()] {
                continue;
            }
            self.summaries[f.index()] = summary;
            for at in self.graph.callers(f) {
                if !queued[at.func.index()] {
                    queued[at.func.index()] = true;
                    work.push(at.func);
                }
            }
        }
    }

    fn summary(&self, f: FuncId) -> Summary {
        let function = self.program.function(f);
        let starts = self.block_starts(f);
        let mut summary = Summary::default();
        let mut told: [Option<BTreeSet<Name>>; 2] = [None, None];
        for b in function.block_ids() {
            let Some(mut flow) = starts[b.index()].clone() else { continue };
            let ends = self.run_block(f, b, &mut flow, |at, op, flow| {
                self.note(&mut summary, at, op, flow);
            });
            if let Terminator::Return(value) = function.block(b).end
                && ends
            {
                if let Some(value) = value {
                    self.returned(f, b, value, &flow, &starts, &mut told);
                }
                join(&mut summary.effect, flow);
            }
        }
        summary.tells = told.map(|t| t.map(|names| names.into_iter().collect()));
        summary
    }

    /// What a returned value tells. Often one block returns a variable that several others assign:
    /// then each of them is looked at by itself.
    fn returned(
        &self,
        f: FuncId,
        b: BlockId,
        value: Operand,
        flow: &Flow,
        starts: &[Option<Flow>],
        told: &mut [Option<BTreeSet<Name>>; 2],
    ) {
        let function = self.program.function(f);
        let mut cases = vec![(b, flow.clone())];
        if b != BlockId(0) && self.conditions(f, &|at| self.tells(at)).passes(b, value) {
            cases.clear();
            for p in function.block_ids() {
                let Some(mut flow) = starts[p.index()].clone() else { continue };
                if function.block(p).end.successors().contains(&b)
                    && self.run_block(f, p, &mut flow, |_, _, _| ())
                {
                    cases.push((p, flow));
                }
            }
        }
        for (at, flow) in cases {
            for (i, nonzero) in [true, false].into_iter().enumerate() {
                if let Some(names) = self.told(f, at, value, nonzero) {
                    meet(&mut told[i], flow.locked.iter().copied().chain(names).collect());
                }
            }
        }
    }

    /// Collects what callers must answer for.
    fn note(&self, summary: &mut Summary, at: InstrRef, op: &Op, flow: &Flow) {
        let is_param = |n: &Name| matches!(n.base, Base::Param(_));
        let names = &self.names[at.func.index()];
        if let Op::Unlock { mutex, .. } = op {
            if let Some(name) = names.of(*mutex).filter(|n| is_param(n) && !flow.locked.contains(n))
            {
                summary.frees.insert(name);
            }
        } else if let Op::Call { args, .. } = op {
            for callee in self.graph.calls_at(at) {
                let callee = &self.summaries[callee.index()];
                let seen = |n: &Name| names.translate(*n, args).filter(is_param);
                summary.frees.extend(
                    callee.frees.iter().filter_map(seen).filter(|n| !flow.locked.contains(n)),
                );
                summary.writes.extend(callee.writes.iter().filter_map(seen));
            }
        } else if let Some(write) = self.writes.get(&at) {
            summary.writes.extend(write.names(names).filter(is_param));
        }
    }

    /// The flow at the start of each block; `None` where it cannot come.
    fn block_starts(&self, f: FuncId) -> Vec<Option<Flow>> {
        let function = self.program.function(f);
        let mut starts: Vec<Option<Flow>> = vec![None; function.blocks.len()];
        starts[0] = Some(Flow::default());
        let mut work = vec![BlockId(0)];
        while let Some(b) = work.pop() {
            let mut flow = starts[b.index()].clone().expect("only reached blocks are queued");
            if !self.run_block(f, b, &mut flow, |_, _, _| ()) {
                continue;
            }
            for s in function.block(b).end.successors() {
                let Some(told) = self.told_by_edge(f, b, s) else { continue };
                let mut to = flow.clone();
                for name in told {
                    lock(&mut to, name);
                }
                if join(&mut starts[s.index()], to) {
                    work.push(s);
                }
            }
        }
        starts
    }

    /// What it means that control goes from a block to a successor; `None`: it does not.
    fn told_by_edge(&self, f: FuncId, b: BlockId, to: BlockId) -> Told {
        if let Terminator::Branch { cond, then, other } = self.program.function(f).block(b).end
            && then != other
        {
            return self.told(f, b, cond, to == then);
        }
        Some(Vec::new())
    }

    fn told(&self, f: FuncId, b: BlockId, value: Operand, nonzero: bool) -> Told {
        self.conditions(f, &|at| self.tells(at)).told(b, value, nonzero)
    }

    fn conditions<'b>(
        &'b self,
        func: FuncId,
        results: &'b dyn Fn(InstrRef) -> Tells,
    ) -> Conditions<'b> {
        Conditions { program: self.program, func, names: &self.names[func.index()], results }
    }

    /// What the result of a call tells, in names of the caller.
    fn tells(&self, at: InstrRef) -> Tells {
        let mut callees = self.graph.calls_at(at);
        if let Some(instr) = self.program.instr(at)
            && let Op::Call { args, .. } = &instr.op
            && let (Some(callee), None) = (callees.next(), callees.next())
        {
            let names = &self.names[at.func.index()];
            let tells = self.summaries[callee.index()].tells.clone();
            return tells.map(|told| {
                Some(told?.into_iter().filter_map(|n| names.translate(n, args)).collect())
            });
        }
        [Some(Vec::new()), Some(Vec::new())]
    }

    /// Runs the instructions of a block, showing each with the flow before it; false if control
    /// does not get to the end.
    fn run_block(
        &self,
        f: FuncId,
        b: BlockId,
        flow: &mut Flow,
        mut see: impl FnMut(InstrRef, &Op, &Flow),
    ) -> bool {
        for (i, instr) in self.program.function(f).block(b).instrs.iter().enumerate() {
            let at = InstrRef { func: f, block: b, index: i as u32 };
            see(at, &instr.op, flow);
            if !self.step(at, &instr.op, flow) || instr.op.stops() {
                return false;
            }
        }
        true
    }

    /// The effect of one instruction; false if control does not get past it.
    fn step(&self, at: InstrRef, op: &Op, flow: &mut Flow) -> bool {
        let names = &self.names[at.func.index()];
        if let Op::Lock { mutex, .. } = op {
            if let Some(name) = names.of(*mutex) {
                lock(flow, name);
            }
        } else if let Op::Unlock { mutex, .. } = op {
            self.unlock(at.func, *mutex, flow);
        } else if let Op::Call { args, .. } = op {
            return self.call(at, args, flow);
        } else if let Some(write) = self.writes.get(&at) {
            let unlocked = write.unlocked(names);
            self.apply(at.func, &unlocked, flow);
        }
        true
    }

    fn unlock(&self, f: FuncId, addr: Operand, flow: &mut Flow) {
        let mut unlocked = Unlocked::default();
        match self.names[f.index()].of(addr) {
            Some(name) => {
                unlocked.names.insert(name);
            }
            None => self.unlock_places(f, addr, Some(0), &mut unlocked),
        }
        self.apply(f, &unlocked, flow);
    }

    /// Adds where an address without a name, moved by an offset, may lead.
    fn unlock_places(&self, f: FuncId, addr: Operand, by: Option<i64>, to: &mut Unlocked) {
        for (object, offset) in self.points_to.locations(f, addr) {
            if object == ObjectId::UNKNOWN {
                to.all = true;
            } else if let Object::Global(g) = self.points_to.objects().get(object) {
                let place = offset.and_then(|o| i64::try_from(o).ok()?.checked_add(by?));
                to.places.insert((g, place));
            }
        }
    }

    fn call(&self, at: InstrRef, args: &[Operand], flow: &mut Flow) -> bool {
        let mut callees = self.graph.calls_at(at).peekable();
        if callees.peek().is_none() {
            // Not a known function: whatever it does, nothing is certain after it.
            *flow = Flow::default();
            flow.unlocked.all = true;
            return true;
        }
        let mut after = None;
        for callee in callees {
            let Some(effect) = &self.summaries[callee.index()].effect else { continue };
            let mut one = flow.clone();
            self.apply(at.func, &self.translated(at.func, &effect.unlocked, args), &mut one);
            for &name in &effect.locked {
                if let Some(name) = self.names[at.func.index()].translate(name, args) {
                    lock(&mut one, name);
                }
            }
            join(&mut after, one);
        }
        match after {
            Some(after) => {
                *flow = after;
                true
            }
            None => false,
        }
    }

    /// What a callee unlocks, in names of the caller.
    fn translated(&self, f: FuncId, unlocked: &Unlocked, args: &[Operand]) -> Unlocked {
        let names = &self.names[f.index()];
        let mut seen = Unlocked { names: BTreeSet::new(), ..unlocked.clone() };
        for &name in &unlocked.names {
            match (names.translate(name, args), name.base) {
                (Some(name), _) => {
                    seen.names.insert(name);
                }
                (None, Base::Param(i)) => match args.get(i as usize) {
                    Some(&arg) => self.unlock_places(f, arg, Some(name.offset), &mut seen),
                    None => seen.all = true,
                },
                (None, Base::Global(_)) => seen.all = true,
            }
        }
        seen
    }

    /// Takes what may have been unlocked out of what is held.
    fn apply(&self, f: FuncId, unlocked: &Unlocked, flow: &mut Flow) {
        if unlocked.all {
            flow.locked.clear();
        }
        flow.locked.retain(|&n| !self.may_unlock(f, unlocked, n));
        flow.unlocked.all |= unlocked.all;
        flow.unlocked.names.extend(&unlocked.names);
        flow.unlocked.places.extend(&unlocked.places);
    }

    /// Whether a mutex may be among those unlocked.
    fn may_unlock(&self, f: FuncId, unlocked: &Unlocked, name: Name) -> bool {
        unlocked.all
            || unlocked.names.iter().any(|&other| self.may_alias(f, other, name))
            || unlocked.places.iter().any(|&(g, offset)| match name.base {
                Base::Global(h) => g == h && offset.is_none_or(|o| near(o, name.offset)),
                Base::Param(_) => true,
            })
    }

    fn may_alias(&self, f: FuncId, a: Name, b: Name) -> bool {
        let (param, offset, global, at) = match (a.base, b.base) {
            (Base::Global(g), Base::Global(h)) => return g == h && near(a.offset, b.offset),
            (Base::Param(i), Base::Param(j)) => return i != j || near(a.offset, b.offset),
            (Base::Param(i), Base::Global(g)) => (i, a.offset, g, b.offset),
            (Base::Global(g), Base::Param(i)) => (i, b.offset, g, a.offset),
        };
        let param = self.program.function(f).params[param as usize];
        let mut places = Unlocked::default();
        self.unlock_places(f, Operand::Reg(param), Some(offset), &mut places);
        places.all
            || places.places.iter().any(|&(g, o)| g == global && o.is_none_or(|o| near(o, at)))
    }

    /// The mutexes held whenever a function is entered; `None` if it never is.
    fn entries(&self) -> Vec<Option<BTreeSet<Mutex>>> {
        let mut entries: Vec<Option<BTreeSet<Mutex>>> = vec![None; self.program.functions.len()];
        let mut work: Vec<FuncId> = Vec::new();
        for class in self.threads.classes() {
            entries[class.entry.index()] = Some(BTreeSet::new());
            work.push(class.entry);
        }
        while let Some(f) = work.pop() {
            let entry = entries[f.index()].clone().expect("only entered functions are queued");
            for (b, start) in self.block_starts(f).into_iter().enumerate() {
                let Some(mut flow) = start else { continue };
                self.run_block(f, BlockId::new(b), &mut flow, |at, op, flow| {
                    if !matches!(op, Op::Call { .. }) {
                        return;
                    }
                    let held = self.combine(f, &entry, flow);
                    for callee in self.graph.calls_at(at) {
                        if meet(&mut entries[callee.index()], held.clone()) {
                            work.push(callee);
                        }
                    }
                });
            }
        }
        entries
    }

    /// Held = (held at entry ∖ unlocked) ∪ locked.
    fn combine(&self, f: FuncId, entry: &BTreeSet<Mutex>, flow: &Flow) -> BTreeSet<Mutex> {
        let kept = entry.iter().copied().filter(|&(g, offset)| {
            !self.may_unlock(f, &flow.unlocked, Name { base: Base::Global(g), offset })
        });
        let locked = flow.locked.iter().filter_map(|name| match name.base {
            Base::Global(g) => Some((g, name.offset)),
            Base::Param(_) => None,
        });
        kept.chain(locked).collect()
    }

    /// The mutexes that somebody may free who does not hold them.
    fn broken(&self, entries: &[Option<BTreeSet<Mutex>>]) -> Unlocked {
        let mut broken = Unlocked::default();
        // Parameters of a thread's first function have no caller to answer for them.
        for class in self.threads.classes() {
            let summary = &self.summaries[class.entry.index()];
            for name in summary.frees.union(&summary.writes) {
                if let Base::Param(i) = name.base {
                    let param = self.program.function(class.entry).params[i as usize];
                    let addr = Operand::Reg(param);
                    self.unlock_places(class.entry, addr, Some(name.offset), &mut broken);
                }
            }
        }
        for f in self.program.function_ids() {
            let Some(entry) = &entries[f.index()] else { continue };
            for (b, start) in self.block_starts(f).into_iter().enumerate() {
                let Some(mut flow) = start else { continue };
                self.run_block(f, BlockId::new(b), &mut flow, |at, op, flow| {
                    let held = || self.combine(f, entry, flow);
                    self.find_broken(at, op, &held, &mut broken);
                });
            }
        }
        broken
    }

    /// What parameters lead to is answered for by callers; the rest here.
    fn find_broken(
        &self,
        at: InstrRef,
        op: &Op,
        held: &dyn Fn() -> BTreeSet<Mutex>,
        broken: &mut Unlocked,
    ) {
        let early = self.threads.before_first_creation(at);
        let names = &self.names[at.func.index()];
        if let Op::Unlock { mutex, .. } = op {
            match names.of(*mutex) {
                Some(name) => blame(name, &held(), broken),
                None => self.unlock_places(at.func, *mutex, Some(0), broken),
            }
        } else if let Op::Call { args, .. } = op {
            for callee in self.graph.calls_at(at) {
                let callee = &self.summaries[callee.index()];
                self.blame_all(at, args, &callee.frees, &held(), broken);
                if !early {
                    self.blame_all(at, args, &callee.writes, &BTreeSet::new(), broken);
                }
            }
        } else if let Some(write) = self.writes.get(&at)
            && !early
        {
            let unlocked = write.unlocked(names);
            for &name in &unlocked.names {
                blame(name, &BTreeSet::new(), broken);
            }
            broken.places.extend(unlocked.places);
            broken.all |= unlocked.all;
        }
    }

    /// Blames what a callee does to the mutexes of its parameters.
    fn blame_all(
        &self,
        at: InstrRef,
        args: &[Operand],
        done: &BTreeSet<Name>,
        held: &BTreeSet<Mutex>,
        broken: &mut Unlocked,
    ) {
        for &name in done {
            let Base::Param(i) = name.base else { continue };
            match (self.names[at.func.index()].translate(name, args), args.get(i as usize)) {
                (Some(name), _) => blame(name, held, broken),
                (None, Some(&arg)) => {
                    self.unlock_places(at.func, arg, Some(name.offset), broken);
                }
                (None, None) => broken.all = true,
            }
        }
    }

    fn held(
        &self,
        f: FuncId,
        entries: &[Option<BTreeSet<Mutex>>],
        broken: &Unlocked,
    ) -> Vec<Changes> {
        let n = self.program.function(f).blocks.len();
        let Some(entry) = &entries[f.index()] else { return vec![Vec::new(); n] };
        let sound = |&(g, offset): &Mutex| {
            !self.may_unlock(f, broken, Name { base: Base::Global(g), offset })
        };
        let starts = self.block_starts(f).into_iter().enumerate();
        starts
            .map(|(b, start)| {
                let mut changes: Changes = Vec::new();
                let mut add = |index: u32, flow: &Flow| {
                    let held: Vec<Mutex> =
                        self.combine(f, entry, flow).into_iter().filter(sound).collect();
                    if changes.last().map_or(&[][..], |c| c.1.as_slice()) != held.as_slice() {
                        changes.push((index, held));
                    }
                };
                if let Some(mut flow) = start {
                    let end = self.program.function(f).blocks[b].instrs.len() as u32;
                    if self.run_block(f, BlockId::new(b), &mut flow, |at, _, flow| {
                        add(at.index, flow);
                    }) {
                        add(end, &flow);
                    }
                }
                changes
            })
            .collect()
    }
}

/// A mutex that a thread frees without holding it excludes nobody. Those of parameters are answered
/// for by callers.
fn blame(name: Name, held: &BTreeSet<Mutex>, broken: &mut Unlocked) {
    match name.base {
        Base::Global(g) => {
            if !held.contains(&(g, name.offset)) {
                broken.names.insert(name);
            }
        }
        Base::Param(_) => {}
    }
}
