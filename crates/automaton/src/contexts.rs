//! Functions where they are called: each activation that a thread can have is a context.
//!
//! Idea: calls are inlined. A context is a function and the calls that led to it from the function
//! in which its thread began, so the registers of a context are those of one activation at a time,
//! and a return has one place to go to. Contexts form one tree per class. Each knows which context
//! of the points-to analysis it belongs to, so that what is known there is known here.
//! Limits: a function occurs at most `recursion` times in a chain of calls, and there are at most
//! [`MOST`] contexts; a call that has no context for its callee is a state where the automaton ends.

use raddle_analysis::{Facts, InstanceId};
use raddle_ir::{Callee, Cfg, FuncId, InstrRef, Op, Program};
use rustc_hash::FxHashMap;

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

/// All threads that start in one function.
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
    /// Who calls, and where.
    pub caller: Option<(ContextId, InstrRef)>,
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
    entries: Vec<ContextId>,
}

impl Contexts {
    /// The contexts of the classes that start in these functions.
    pub fn new(program: &Program, facts: &Facts, entries: &[FuncId], recursion: u32) -> Contexts {
        let mut instances: FxHashMap<(FuncId, &[InstrRef]), InstanceId> = FxHashMap::default();
        for id in facts.points_to.instances() {
            let instance = facts.points_to.instance(id);
            instances.insert((instance.func, instance.chain.as_slice()), id);
        }
        let mut all =
            Contexts { list: Vec::new(), children: FxHashMap::default(), entries: vec![] };
        for (class, &func) in entries.iter().enumerate() {
            all.entries.push(ContextId(all.list.len() as u32));
            all.list.push(Context {
                class: ClassIx(class as u32),
                func,
                caller: None,
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
                        all.call(facts, &instances, (id, at, callee), looped, recursion);
                    }
                }
            }
            next += 1;
        }
        all
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
        if nested as u32 >= recursion || self.list.len() >= MOST {
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
            caller: Some((caller, at)),
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

    /// A context and those that led to it, innermost first.
    pub fn chain(&self, id: ContextId) -> impl Iterator<Item = ContextId> + '_ {
        std::iter::successors(Some(id), |c| self.get(*c).caller.map(|(caller, _)| caller))
    }
}

/// The functions that a call may enter.
pub fn callees(facts: &Facts, at: InstrRef, callee: Callee) -> Vec<FuncId> {
    match callee {
        Callee::Direct(f) => vec![f],
        Callee::Indirect(_) => facts.points_to.callees(at).to_vec(),
    }
}
