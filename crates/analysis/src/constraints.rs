//! The constraints that a program makes between its addresses, with calling contexts where they
//! pay.
//!
//! Idea: constraints are generated function by function, only for what is reachable from the
//! program's entry, on demand. A library model or another small function is generated anew for each
//! call (an *instance*), with registers and allocated objects of its own, so that `malloc` makes
//! different objects at different calls and `pthread_create` hands arguments to the right thread;
//! large functions have one instance. Calls through pointers are resolved while solving.
//! Source: selective cloning, as in Lhoták & Hendren (TOSEM 2008) by call strings, here of only the
//! functions where it is cheap.
//! Limits: call strings of at most [`MAX_CHAIN`]; at most [`MAX_INSTANCES`] instances; no instance
//! of a function inside one of itself.

use raddle_ir::{
    BitOp, Callee, Expr, FuncId, GlobalId, InputKind, InstrRef, Op, Operand, Program, RegId, RmwOp,
    Terminator,
};
use rustc_hash::FxHashMap;

use crate::addresses::Addresses;
use crate::inclusion::{Inclusion, Location, Node, Shift};
use crate::objects::{Object, ObjectId, Objects, instructions_of};

/// Longest chain of calls that instances tell apart.
pub const MAX_CHAIN: usize = 4;

/// Most instances; beyond, functions share their first one.
pub const MAX_INSTANCES: usize = 20_000;

/// Functions of at most so many instructions have an instance per call.
const SMALL: usize = 12;

/// A function in a calling context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// The id as a table position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function in a calling context.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The function.
    pub func: FuncId,
    /// The calls that lead to it, outermost first; empty if calls are not told apart.
    pub chain: Vec<InstrRef>,
    /// The node of register 0; the others follow.
    pub(crate) first_reg: u32,
    /// What it returns.
    pub(crate) result: Node,
}

impl Instance {
    /// The node of a register.
    pub(crate) fn reg(&self, reg: RegId) -> Node {
        Node(self.first_reg + reg.0)
    }
}

/// A `Create` in a context, and a function that it may start a thread in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Creation {
    /// The calls that lead to the `Create`, outermost first, and the `Create` itself.
    pub chain: Vec<InstrRef>,
    /// Where the thread starts.
    pub entry: FuncId,
}

/// A call or thread creation that is resolved while solving.
#[derive(Clone, Debug)]
struct Site {
    at: InstrRef,
    inside: InstanceId,
    kind: Entry,
    args: Vec<Operand>,
    /// Functions entered so far.
    known: Vec<FuncId>,
}

impl Site {
    fn new(inside: InstanceId, at: InstrRef, kind: Entry, args: &[Operand]) -> Site {
        Site { at, inside, kind, args: args.to_vec(), known: Vec::new() }
    }
}

/// How a function is entered.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// By a call that wants its result there.
    Call { dst: Option<RegId> },
    /// As a thread of its own.
    Create,
}

/// Generates constraints and solves them.
pub(crate) struct Constraints<'p> {
    program: &'p Program,
    pub objects: Objects,
    pub system: Inclusion,
    pub addresses: Addresses,
    pub instances: Vec<Instance>,
    /// Per function: its instance for calls that are not told apart.
    shared: Vec<Option<InstanceId>>,
    /// Instances whose bodies are still to be generated.
    pending: Vec<InstanceId>,
    pub thread_results: Node,
    /// Nodes of operands that are not registers.
    constant_nodes: FxHashMap<Location, Node>,
    sites: Vec<Site>,
    pub callees: FxHashMap<InstrRef, Vec<FuncId>>,
    pub creations: Vec<Creation>,
}

impl<'p> Constraints<'p> {
    /// The solved constraints of a program.
    pub fn solved(program: &'p Program) -> Self {
        let objects = Objects::new(program);
        let sizes = objects.ids().map(|o| objects.size(o)).collect();
        let mut system = Inclusion::new(sizes, program.pointer_bytes().max(1));
        let thread_results = system.node();
        let mut constraints = Constraints {
            addresses: Addresses::new(program, &objects),
            program,
            objects,
            system,
            instances: Vec::new(),
            shared: vec![None; program.functions.len()],
            pending: Vec::new(),
            thread_results,
            constant_nodes: FxHashMap::default(),
            sites: Vec::new(),
            callees: FxHashMap::default(),
            creations: Vec::new(),
        };
        constraints.globals();
        if let Some(entry) = program.entry {
            constraints.shared_instance(entry);
        }
        constraints.solve();
        debug_assert!(constraints.system.is_solved(), "the solver stops at a solution");
        for list in constraints.callees.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        constraints
    }

    fn new_instance(&mut self, func: FuncId, chain: Vec<InstrRef>) -> InstanceId {
        let first = self.system.node();
        // One node more than registers, so that functions without any work alike.
        for _ in 0..self.program.function(func).regs.len() {
            self.system.node();
        }
        let result = self.system.node();
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance { func, chain, first_reg: first.0, result });
        self.pending.push(id);
        id
    }

    fn shared_instance(&mut self, func: FuncId) -> InstanceId {
        if let Some(id) = self.shared[func.index()] {
            return id;
        }
        let id = self.new_instance(func, Vec::new());
        self.shared[func.index()] = Some(id);
        id
    }

    /// The instance that a call enters.
    fn called_instance(&mut self, site: &Site, callee: FuncId) -> InstanceId {
        let function = self.program.function(callee);
        let caller = &self.instances[site.inside.index()];
        let size = |f: &raddle_ir::Function| f.blocks.iter().map(|b| b.instrs.len()).sum::<usize>();
        let cloned = (function.is_model || size(function) <= SMALL)
            && caller.chain.len() < MAX_CHAIN
            && self.instances.len() < MAX_INSTANCES
            && caller.func != callee
            && caller.chain.iter().all(|at| at.func != callee);
        if !cloned {
            return self.shared_instance(callee);
        }
        let mut chain = caller.chain.clone();
        chain.push(site.at);
        self.new_instance(callee, chain)
    }

    /// The node of an operand; `None` if it holds no address.
    fn node(&mut self, inside: InstanceId, operand: Operand) -> Option<Node> {
        if let Operand::Reg(r) = operand {
            return Some(self.reg(inside, r));
        }
        let location = self.addresses.location(&self.objects, operand)?;
        if let Some(&node) = self.constant_nodes.get(&location) {
            return Some(node);
        }
        let node = self.system.node();
        self.system.base(node, location);
        self.constant_nodes.insert(location, node);
        Some(node)
    }

    fn flow(&mut self, inside: InstanceId, from: Operand, to: Node) {
        if let Some(from) = self.node(inside, from) {
            self.system.copy(from, to);
        }
    }

    fn globals(&mut self) {
        let word = self.program.pointer_bytes();
        for (i, global) in self.program.globals.iter().enumerate() {
            let object = self.objects.global(GlobalId::new(i));
            for &(offset, value) in &global.pointers {
                let Some(location) = self.addresses.location(&self.objects, value) else {
                    continue;
                };
                for cell in self.system.cells((object, Some(offset)), word, false) {
                    self.system.base(cell, location);
                }
            }
            if global.external {
                for cell in self.system.cells((object, None), 1, false) {
                    self.system.base(cell, (ObjectId::UNKNOWN, None));
                }
            }
        }
    }

    fn body(&mut self, inside: InstanceId) {
        let program = self.program;
        let func = self.instances[inside.index()].func;
        for (at, op) in instructions_of(program, func) {
            self.op(inside, at, op);
        }
        for block in &program.function(func).blocks {
            if let Terminator::Return(Some(value)) = block.end {
                self.flow(inside, value, self.instances[inside.index()].result);
            }
        }
    }

    fn op(&mut self, inside: InstanceId, at: InstrRef, op: &Op) {
        let function = self.program.function(at.func);
        match op {
            Op::Assign { dst, value } => self.assign(inside, *dst, value),
            Op::Load { dst, addr, .. } => {
                let bytes = u64::from(function.reg(*dst).width.div_ceil(8));
                self.load(inside, *addr, *dst, bytes);
            }
            Op::Store { addr, value, width, .. } => {
                self.store(inside, *addr, *value, u64::from(width.div_ceil(8)));
            }
            Op::Rmw { dst, op, addr, value, width, .. } => {
                let bytes = u64::from(width.div_ceil(8));
                self.load(inside, *addr, *dst, bytes);
                self.store(inside, *addr, *value, bytes);
                if *op != RmwOp::Exchange {
                    self.store_moved(inside, *addr, *dst, bytes);
                }
            }
            Op::CompareExchange { old, addr, new, width, .. } => {
                let bytes = u64::from(width.div_ceil(8));
                self.load(inside, *addr, *old, bytes);
                self.store(inside, *addr, *new, bytes);
            }
            Op::Alloc { dst, .. } => {
                let object = self.new_object(inside, at, op);
                self.system.base(self.reg(inside, *dst), (object, Some(0)));
            }
            Op::ThreadLocal { dst, global } => {
                let object = self.objects.global(*global);
                self.system.base(self.reg(inside, *dst), (object, Some(0)));
            }
            Op::Call { dst, callee, args } => {
                let target = match *callee {
                    Callee::Direct(f) => Operand::Function(f),
                    Callee::Indirect(operand) => operand,
                };
                self.site(Site::new(inside, at, Entry::Call { dst: *dst }, args), target);
            }
            Op::Create { func: target, args, .. } => {
                self.site(Site::new(inside, at, Entry::Create, args), *target);
            }
            Op::Join { dst, .. } => {
                if let Some(dst) = dst {
                    self.system.copy(self.thread_results, self.reg(inside, *dst));
                }
            }
            Op::ThreadExit { value } => self.flow(inside, *value, self.thread_results),
            Op::Input { dst, kind, .. } => match kind {
                InputKind::External => {
                    let width = function.reg(*dst).width;
                    if width >= self.program.pointer_bits {
                        self.system.base(self.reg(inside, *dst), (ObjectId::UNKNOWN, None));
                    }
                }
                InputKind::Uninitialised | InputKind::Choice(_) => {}
            },
            Op::Fence { .. }
            | Op::Free { .. }
            | Op::ObjectSize { .. }
            | Op::ThreadSelf { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::TryLock { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Block { .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn assign(&mut self, inside: InstanceId, dst: RegId, value: &Expr) {
        let to = self.reg(inside, dst);
        match *value {
            Expr::Use(a) => self.flow(inside, a, to),
            Expr::Select { a, b, .. } => {
                self.flow(inside, a, to);
                self.flow(inside, b, to);
            }
            Expr::Offset { base, offset } => self.offset(inside, base, offset, to),
            Expr::Cast { a, width, .. } => {
                if width > 1 {
                    self.flow(inside, a, to);
                }
            }
            Expr::Binary { a, b, .. } => {
                for operand in [a, b] {
                    // A mask or a summand is no address of its own.
                    if !matches!(operand, Operand::Const(_)) {
                        self.arithmetic(inside, operand, to);
                    }
                }
            }
            Expr::Bits { op, a } => match op {
                BitOp::SwapBytes | BitOp::Reverse => self.arithmetic(inside, a, to),
                BitOp::CountOnes | BitOp::LeadingZeros | BitOp::TrailingZeros => {}
            },
            Expr::Compare { .. }
            | Expr::Overflows { .. }
            | Expr::Float { .. }
            | Expr::FloatNeg { .. }
            | Expr::FloatAbs { .. }
            | Expr::FloatCompare { .. }
            | Expr::FloatCast { .. }
            | Expr::FloatToInt { .. }
            | Expr::IntToFloat { .. } => {}
        }
    }

    fn arithmetic(&mut self, inside: InstanceId, operand: Operand, to: Node) {
        if let Some(from) = self.node(inside, operand) {
            self.system.shift(from, to, Shift::Anywhere);
        }
    }

    fn offset(&mut self, inside: InstanceId, base: Operand, offset: Operand, to: Node) {
        if matches!(base, Operand::Const(_)) {
            // The address stands on the other side: `(char *)0 + (size_t)p`.
            self.arithmetic(inside, offset, to);
        }
        let Some(from) = self.node(inside, base) else { return };
        let shift = match offset {
            Operand::Const(c) => Shift::By(sign_extended(c.value, c.width)),
            Operand::Reg(_) | Operand::Global(..) | Operand::Function(_) => Shift::Anywhere,
        };
        self.system.shift(from, to, shift);
    }

    fn load(&mut self, inside: InstanceId, addr: Operand, dst: RegId, bytes: u64) {
        if let Some(addr) = self.node(inside, addr) {
            self.system.load(addr, self.reg(inside, dst), bytes);
        }
    }

    fn store(&mut self, inside: InstanceId, addr: Operand, value: Operand, bytes: u64) {
        if let (Some(addr), Some(value)) = (self.node(inside, addr), self.node(inside, value)) {
            self.system.store(addr, value, bytes);
        }
    }

    /// An address in memory is moved in place by arithmetic.
    fn store_moved(&mut self, inside: InstanceId, addr: Operand, old: RegId, bytes: u64) {
        if let Some(addr) = self.node(inside, addr) {
            let moved = self.system.node();
            self.system.shift(self.reg(inside, old), moved, Shift::Anywhere);
            self.system.store(addr, moved, bytes);
        }
    }

    fn new_object(&mut self, inside: InstanceId, at: InstrRef, op: &Op) -> ObjectId {
        let mut size = None;
        if let Op::Alloc { size: Operand::Const(c), .. } = op {
            size = u64::try_from(c.value).ok();
        }
        self.system.object(size);
        self.objects.add_alloc(at, inside, size)
    }

    fn reg(&self, inside: InstanceId, reg: RegId) -> Node {
        self.instances[inside.index()].reg(reg)
    }

    fn site(&mut self, site: Site, target: Operand) {
        let name = u32::try_from(self.sites.len()).expect("fewer than 2^32 calls");
        let inside = site.inside;
        self.sites.push(site);
        match target {
            Operand::Function(f) => self.enter(name, f),
            Operand::Reg(_) | Operand::Const(_) | Operand::Global(..) => {
                if let Some(node) = self.node(inside, target) {
                    self.system.watch(node, name);
                }
            }
        }
    }

    /// Binds arguments and results of a call of a known function.
    fn enter(&mut self, name: u32, callee: FuncId) {
        let program = self.program;
        let site = &mut self.sites[name as usize];
        if site.known.contains(&callee) {
            return;
        }
        site.known.push(callee);
        let site = site.clone();
        self.callees.entry(site.at).or_default().push(callee);
        let entered = match site.kind {
            Entry::Call { .. } => self.called_instance(&site, callee),
            Entry::Create => {
                let mut chain = self.instances[site.inside.index()].chain.clone();
                chain.push(site.at);
                self.creations.push(Creation { chain, entry: callee });
                self.shared_instance(callee)
            }
        };
        for (&arg, &param) in site.args.iter().zip(&program.function(callee).params) {
            self.flow(site.inside, arg, self.reg(entered, param));
        }
        let result = self.instances[entered.index()].result;
        match site.kind {
            Entry::Call { dst: Some(dst) } => {
                self.system.copy(result, self.reg(site.inside, dst));
            }
            Entry::Call { dst: None } => {}
            Entry::Create => self.system.copy(result, self.thread_results),
        }
    }

    fn solve(&mut self) {
        loop {
            while let Some(instance) = self.pending.pop() {
                self.body(instance);
            }
            let news = self.system.solve();
            if news.is_empty() {
                return;
            }
            for (name, object) in news {
                if let Object::Function(callee) = self.objects.get(object) {
                    self.enter(name, callee);
                }
            }
        }
    }
}

/// The value of a constant as a signed number.
fn sign_extended(value: u128, width: u32) -> i64 {
    let unused = 128 - width.clamp(1, 128);
    (((value << unused) as i128) >> unused) as i64
}
