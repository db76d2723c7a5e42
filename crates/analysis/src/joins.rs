//! Joins: where main knows that no thread of a class is alive.
//!
//! Idea: forward data flow over one function that only main runs, and only once: which of its calls
//! of `pthread_create` may have threads that are alive. A call begets some; a *match* of the call
//! with joins ends them:
//! - *One by one.* After `pthread_join(t)` if `t` is read from where the call put the thread's
//!   number.
//! - *Loop by loop.* Where a loop of joins ends by its own condition, if it goes through the same
//!   places as the loop of the call: the k-th iteration of the one joins what the k-th iteration of
//!   the other put there.
//!
//! **Why that is so.** The two loops are *in step*: both count from equal values, by equal steps,
//! and go on, at the head, under equal conditions ([`crate::values`]). So the loop of joins, if it
//! ends at its head, has passed each iteration that the loop of the call has begun, wherever that
//! one was left. In each of its iterations it joins what it reads from an address that is the one
//! of the call in the same iteration. The number of that thread is still there: addresses of
//! different iterations are apart (they move by a constant number of bytes), and nobody else writes
//! there between the loops (points-to sets of all writes of the program). Values that both loops
//! use, such as the bound and the address of the array, do not change between them. All threads of
//! the call that are alive were begotten in the latest run of its loop, since none is alive where
//! the loop is entered: this is a fact of the same data flow, so matches are assumed at first and
//! those whose condition fails are dropped until all hold. A join has the effect that the thread
//! has ended, if nobody detaches threads, nobody cancels them and only main joins; what it answers
//! does not matter: a thread that was joined before has ended, too.
//! Source: thread escape and join analyses such as in Goblint know single joins; loops in step are
//! ours.
//! What it rests on: accesses stay inside their objects; there are fewer threads than numbers of
//! threads, so that no counter comes back to where it was.
//! What it does not see: handles that are copied, loops in different functions, threads that are
//! created by others than main.

use raddle_ir::{BlockId, FuncId, InstrRef, Op, Program};

use crate::call_graph::{CallGraph, FuncSet};
use crate::matches::View;
use crate::objects::instructions_of;
use crate::paths::Paths;
use crate::points_to::PointsTo;
use crate::threads::{ClassId, Multiplicity, Threads};

/// Where one of these is called joins are not looked at.
const SPOILERS: [&str; 3] = ["pthread_detach", "thrd_detach", "pthread_cancel"];

/// Larger functions are not looked at.
const MOST_BLOCKS: usize = 1000;

/// The result of the analysis.
#[derive(Clone, Default, Debug)]
pub struct Joins {
    functions: Vec<Ends>,
}

/// What is known in one function.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    pub func: FuncId,
    /// The calls that create threads, by the class.
    pub calls: Vec<(InstrRef, ClassId)>,
    /// Per block, for each call: whether a thread of it may be alive at its start.
    pub alive: Vec<Vec<bool>>,
    /// The matches.
    pub matches: Vec<Match>,
    /// The functions that are entered without passing this one.
    pub elsewhere: FuncSet,
    /// The calls in this function, each with what runs inside it.
    pub inside: Vec<(InstrRef, FuncSet)>,
}

/// Joins that end all threads of a call.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    /// Into [`Ends::calls`].
    pub call: usize,
    /// Where it takes effect.
    pub at: End,
    /// Where no thread of the call may be alive.
    pub entry: Entry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    After(InstrRef),
    Edge(BlockId, BlockId),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    Before(InstrRef),
    Loop(usize),
}

impl Joins {
    /// Analyses a program.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        graph: &CallGraph,
        threads: &Threads,
    ) -> Joins {
        let reached = |f: &FuncId| !points_to.instances_of(*f).is_empty();
        let only_main = |f: FuncId| threads.running(f).eq([ClassId::MAIN]);
        let spoiled = program.function_ids().filter(reached).any(|f| {
            let function = program.function(f);
            let named = function.is_model && SPOILERS.contains(&function.name.as_str());
            let joins = instructions_of(program, f).any(|(_, op)| matches!(op, Op::Join { .. }));
            named || (joins && !only_main(f))
        });
        if spoiled || threads.classes().is_empty() || graph.enters_unknown(program, points_to) {
            return Joins::default();
        }
        let once = threads.class(ClassId::MAIN).multiplicity == Multiplicity::Once;
        let mut functions = Vec::new();
        for f in program.function_ids().filter(reached) {
            let function = program.function(f);
            let fits = once && only_main(f) && threads.runs_once(f) && !function.is_model;
            if fits && function.blocks.len() <= MOST_BLOCKS {
                let view = View::new(program, points_to, graph, threads, f);
                functions.extend(view.ends());
            }
        }
        Joins { functions }
    }

    /// Whether main, about to execute an instruction in a context, knows that no thread of a class
    /// is alive.
    pub fn ended(
        &self,
        program: &Program,
        chain: &[InstrRef],
        at: InstrRef,
        class: ClassId,
    ) -> bool {
        self.functions.iter().any(|ends| {
            let own = chain.iter().copied().chain([at]).find(|at| at.func == ends.func);
            if let Some(own) = own {
                return ends.ended(program, own, class);
            }
            let outermost = chain.first().map_or(at.func, |call| call.func);
            let calls = || ends.inside.iter().filter(|(_, all)| all.contains(outermost));
            !ends.elsewhere.contains(outermost)
                && calls().next().is_some()
                && calls().all(|(call, _)| ends.ended(program, *call, class))
        })
    }

    /// Whether two threads of these classes are never alive at the same time: each is only created
    /// by main, where none of the other is alive.
    pub fn take_turns(&self, program: &Program, threads: &Threads, a: ClassId, b: ClassId) -> bool {
        self.functions.iter().any(|ends| {
            let begins = |new: ClassId, old: ClassId| {
                ends.creates_all(threads, new)
                    && (ends.calls.iter().filter(|c| c.1 == new))
                        .all(|c| ends.ended(program, c.0, old))
            };
            ends.creates_all(threads, a)
                && ends.creates_all(threads, b)
                && begins(a, b)
                && begins(b, a)
        })
    }
}

impl Ends {
    fn creates_all(&self, threads: &Threads, class: ClassId) -> bool {
        let calls = self.calls.iter().filter(|c| c.1 == class).count();
        calls > 0 && calls == threads.class(class).sites.len()
    }

    /// Calls are only listed if all of their class are.
    fn ended(&self, program: &Program, at: InstrRef, class: ClassId) -> bool {
        let mut calls = self.calls.iter().enumerate().filter(|(_, c)| c.1 == class).peekable();
        if calls.peek().is_none() {
            return false;
        }
        let alive = self.at(program, at);
        calls.all(|(i, _)| !alive[i])
    }

    /// Whose threads may be alive where an instruction is about to be executed.
    fn at(&self, program: &Program, at: InstrRef) -> Vec<bool> {
        let mut alive = self.alive[at.block.index()].clone();
        for index in
            0..at.index.min(program.function(self.func).block(at.block).instrs.len() as u32)
        {
            self.step(InstrRef { index, ..at }, &mut alive);
        }
        alive
    }

    fn step(&self, at: InstrRef, alive: &mut [bool]) {
        for (i, (call, _)) in self.calls.iter().enumerate() {
            alive[i] |= *call == at;
        }
        for m in self.matches.iter().filter(|m| m.at == End::After(at)) {
            alive[m.call] = false;
        }
    }

    /// Solves the data flow with the matches as they are.
    fn flow(&mut self, program: &Program) {
        let function = program.function(self.func);
        let mut alive: Vec<Option<Vec<bool>>> = vec![None; function.blocks.len()];
        alive[0] = Some(vec![false; self.calls.len()]);
        let mut work = vec![BlockId(0)];
        'blocks: while let Some(block) = work.pop() {
            let mut now = alive[block.index()].clone().expect("only reached blocks are queued");
            for (i, instr) in function.block(block).instrs.iter().enumerate() {
                self.step(InstrRef { func: self.func, block, index: i as u32 }, &mut now);
                if instr.op.stops() {
                    continue 'blocks;
                }
            }
            for s in function.block(block).end.successors() {
                let mut next = now.clone();
                for m in self.matches.iter().filter(|m| m.at == End::Edge(block, s)) {
                    next[m.call] = false;
                }
                let known = alive[s.index()].get_or_insert_with(|| {
                    work.push(s);
                    next.clone()
                });
                let grown: Vec<bool> = known.iter().zip(&next).map(|(a, b)| *a || *b).collect();
                if *known != grown {
                    *known = grown;
                    work.push(s);
                }
            }
        }
        // What control does not come to needs no care.
        let none = vec![false; self.calls.len()];
        self.alive = alive.into_iter().map(|a| a.unwrap_or_else(|| none.clone())).collect();
    }

    /// Drops matches whose call may have threads where it begins, until all others hold.
    pub fn settle(&mut self, program: &Program, paths: &Paths) {
        loop {
            self.flow(program);
            let holds = |m: &Match| match m.entry {
                Entry::Before(at) => !self.at(program, at)[m.call],
                Entry::Loop(index) => {
                    let head = paths.cfg.loops[index].head;
                    let blocks = paths.function.block_ids().filter(|b| {
                        !paths.contains(index, *b)
                            && paths.function.block(*b).end.successors().contains(&head)
                    });
                    let mut ends = blocks.map(|block| {
                        let index = paths.function.block(block).instrs.len() as u32;
                        InstrRef { func: self.func, block, index }
                    });
                    ends.all(|at| !self.at(program, at)[m.call])
                }
            };
            let kept: Vec<Match> = self.matches.iter().filter(|m| holds(m)).cloned().collect();
            if kept.len() == self.matches.len() {
                return;
            }
            self.matches = kept;
        }
    }
}
