//! Functions where they are called: each activation that a thread can have is a context.
//!
//! Idea: calls are inlined. A context is a function and the calls that led to it from the function
//! in which its thread began, so the registers of a context are those of one activation at a time,
//! and a return has one place to go to. Contexts form one tree per class. Each knows which context
//! of the points-to analysis it belongs to, so that what is known there is known here.
//!
//! On request a function of the program that is called in several places and is not recursive has a
//! *single copy* in each class (paper 000 §2.2): one context, whose entry and return are control
//! states, and a state variable that says which of its callers it returns to. Functions of the
//! library are always inlined: what happens in them is reported at the line of the call.
//! Limits: a function occurs at most `recursion` times in a chain of calls, and there are at most
//! [`MOST`] contexts; a call that has no context for its callee is a state where the automaton ends,
//! and which of the two it is is known.

use raddle_analysis::{Facts, InstanceId};
use raddle_ir::{Callee, Cfg, FuncId, InstrRef, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most contexts of all classes together.
pub const MOST: usize = 3000;

/// A context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContextId(pub u32);

impl ContextId {
    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All threads that start in one function and are created in one place ([`crate::Class`]).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassIx(pub u32);

impl ClassIx {
    /// The class of the main thread.
    pub const MAIN: ClassIx = ClassIx(0);

    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function and the calls that lead to it.
#[derive(Clone, Debug)]
pub struct Context {
    /// Whose threads have it.
    pub class: ClassIx,
    /// The function.
    pub func: FuncId,
    /// Who calls, and where; none for the entry of a class, several for a single copy.
    pub callers: Vec<(ContextId, InstrRef)>,
    /// Whether all calls of the function in this class lead here.
    pub single: bool,
    /// Its context in the points-to analysis, if that has one.
    pub instance: Option<InstanceId>,
    /// Whether a thread may have it more than once.
    pub repeated: bool,
}

/// All contexts.
#[derive(Clone, Debug)]
pub struct Contexts {
    list: Vec<Context>,
    children: FxHashMap<(ContextId, InstrRef, FuncId), ContextId>,
    /// Calls for which there was no context left.
    too_many: FxHashSet<(ContextId, InstrRef, FuncId)>,
    entries: Vec<ContextId>,
}

impl Context {
    /// Who calls it, if it is inlined.
    pub fn caller(&self) -> Option<(ContextId, InstrRef)> {
        self.callers.first().copied().filter(|_| !self.single)
    }

    /// Whether threads begin in it.
    pub fn is_entry(&self) -> bool {
        self.callers.is_empty()
    }
}

/// How functions become contexts.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How often a function occurs in a chain of calls.
    pub recursion: u32,
    /// Whether functions have single copies where they can.
    pub single: bool,
}

impl Contexts {
    /// The contexts of the classes that start in these functions.
    pub fn new(program: &Program, facts: &Facts, entries: &[FuncId], manner: Manner) -> Contexts {
        let single = if manner.single { single_copies(program, facts) } else { Vec::new() };
        let mut instances: FxHashMap<(FuncId, &[InstrRef]), InstanceId> = FxHashMap::default();
        for id in facts.points_to.instances() {
            let instance = facts.points_to.instance(id);
            instances.insert((instance.func, instance.chain.as_slice()), id);
        }
        let mut all = Contexts {
            list: Vec::new(),
            children: FxHashMap::default(),
            too_many: FxHashSet::default(),
            entries: vec![],
        };
        for (class, &func) in entries.iter().enumerate() {
            all.entries.push(ContextId(all.list.len() as u32));
            all.list.push(Context {
                class: ClassIx(class as u32),
                func,
                callers: Vec::new(),
                single: false,
                instance: instances.get(&(func, &[][..])).copied(),
                repeated: false,
            });
        }
        let mut cfgs: FxHashMap<FuncId, Cfg> = FxHashMap::default();
        let mut next = 0;
        while next < all.list.len() {
            let id = ContextId(next as u32);
            let func = all.list[next].func;
            let cfg = cfgs.entry(func).or_insert_with(|| Cfg::new(program.function(func)));
            for block in program.function(func).block_ids() {
                let looped = cfg.loop_of[block.index()].is_some();
                for (index, instr) in program.function(func).block(block).instrs.iter().enumerate()
                {
                    let at = InstrRef { func, block, index: index as u32 };
                    let Op::Call { callee, .. } = &instr.op else { continue };
                    for callee in callees(facts, at, *callee) {
                        let call = (id, at, callee);
                        if single.contains(&callee) {
                            all.call_single(call, looped);
                        } else {
                            all.call(facts, &instances, call, looped, manner.recursion);
                        }
                    }
                }
            }
            next += 1;
        }
        all.note_repeated();
        all
    }

    /// A call of a function with a single copy.
    fn call_single(&mut self, (caller, at, func): (ContextId, InstrRef, FuncId), looped: bool) {
        let class = self.get(caller).class;
        let known = self.ids().find(|&c| {
            let context = self.get(c);
            context.single && context.func == func && context.class == class
        });
        if known.is_none() && self.list.len() >= MOST {
            self.too_many.insert((caller, at, func));
            return;
        }
        let id = known.unwrap_or(ContextId(self.list.len() as u32));
        if known.is_none() {
            let (callers, repeated) = (Vec::new(), false);
            let instance = None;
            self.list.push(Context { class, func, callers, single: true, instance, repeated });
        }
        let context = &mut self.list[id.index()];
        context.callers.push((caller, at));
        context.repeated |= looped || context.callers.len() > 1;
        self.children.insert((caller, at, func), id);
    }

    /// What is called by something repeated is repeated.
    fn note_repeated(&mut self) {
        loop {
            let mut changed = false;
            for c in 0..self.list.len() {
                let repeated = |&(caller, _): &(ContextId, InstrRef)| self.get(caller).repeated;
                if !self.list[c].repeated && self.list[c].callers.iter().any(repeated) {
                    self.list[c].repeated = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn call(
        &mut self,
        facts: &Facts,
        instances: &FxHashMap<(FuncId, &[InstrRef]), InstanceId>,
        (caller, at, func): (ContextId, InstrRef, FuncId),
        looped: bool,
        recursion: u32,
    ) {
        let nested = self.chain(caller).filter(|c| self.get(*c).func == func).count();
        if nested as u32 >= recursion {
            return;
        }
        if self.list.len() >= MOST {
            self.too_many.insert((caller, at, func));
            return;
        }
        let outer = self.get(caller);
        let instance = outer.instance.and_then(|i| {
            let mut chain = facts.points_to.instance(i).chain.clone();
            chain.push(at);
            let own = instances.get(&(func, chain.as_slice()));
            own.or_else(|| instances.get(&(func, &[][..]))).copied()
        });
        let context = Context {
            class: outer.class,
            func,
            callers: vec![(caller, at)],
            single: false,
            instance,
            repeated: outer.repeated || looped,
        };
        let id = ContextId(self.list.len() as u32);
        self.list.push(context);
        self.children.insert((caller, at, func), id);
    }

    /// A context.
    pub fn get(&self, id: ContextId) -> &Context {
        &self.list[id.index()]
    }

    /// All contexts.
    pub fn ids(&self) -> impl Iterator<Item = ContextId> + use<> {
        (0..self.list.len() as u32).map(ContextId)
    }

    /// The context in which the threads of a class begin.
    pub fn entry(&self, class: ClassIx) -> ContextId {
        self.entries[class.index()]
    }

    /// The context that a call enters, unless a bound leaves it out.
    pub fn callee(&self, caller: ContextId, at: InstrRef, func: FuncId) -> Option<ContextId> {
        self.children.get(&(caller, at, func)).copied()
    }

    /// Whether a call has no context because there are [`MOST`] already.
    pub fn is_one_too_many(&self, caller: ContextId, at: InstrRef, func: FuncId) -> bool {
        self.too_many.contains(&(caller, at, func))
    }

    /// A context and those that led to it, innermost first, up to a single copy.
    fn chain(&self, id: ContextId) -> impl Iterator<Item = ContextId> + '_ {
        std::iter::successors(Some(id), |c| self.get(*c).caller().map(|(caller, _)| caller))
    }

    /// A context and all that may be under way when it is, sorted.
    pub fn under_way(&self, id: ContextId) -> Vec<ContextId> {
        let mut all = vec![id];
        let mut next = 0;
        while let Some(&context) = all.get(next) {
            for &(caller, _) in &self.get(context).callers {
                if !all.contains(&caller) {
                    all.push(caller);
                }
            }
            next += 1;
        }
        all.sort_unstable();
        all
    }
}

/// The functions of the program that have a single copy: called in several places, not recursive.
fn single_copies(program: &Program, facts: &Facts) -> Vec<FuncId> {
    let mut calls: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    let mut times: FxHashMap<FuncId, u32> = FxHashMap::default();
    for func in program.function_ids() {
        for (at, op) in raddle_analysis::objects::instructions_of(program, func) {
            let Op::Call { callee, .. } = op else { continue };
            for callee in callees(facts, at, *callee) {
                calls.entry(func).or_default().push(callee);
                *times.entry(callee).or_default() += 1;
            }
        }
    }
    let recursive = |func: FuncId| {
        let mut seen: Vec<FuncId> = Vec::new();
        let mut work = calls.get(&func).cloned().unwrap_or_default();
        while let Some(f) = work.pop() {
            if !seen.contains(&f) {
                seen.push(f);
                work.extend(calls.get(&f).into_iter().flatten());
            }
        }
        seen.contains(&func)
    };
    let often = program.function_ids().filter(|f| times.get(f).is_some_and(|&n| n > 1));
    often.filter(|&f| !program.function(f).is_model && !recursive(f)).collect()
}

/// The functions that a call may enter.
pub fn callees(facts: &Facts, at: InstrRef, callee: Callee) -> Vec<FuncId> {
    match callee {
        Callee::Direct(f) => vec![f],
        Callee::Indirect(_) => facts.points_to.callees(at).to_vec(),
    }
}
