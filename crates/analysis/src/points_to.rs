//! Points-to analysis: which objects an address may lead to.
//!
//! Idea: inclusion constraints (Andersen), insensitive to flow and calling context, sensitive to fields by constant
//! offset; one variable per register, calls through pointers are resolved while solving.
//! [`crate::inclusion`] solves them. A value may carry an address through any copy, cast, selection or
//! integer arithmetic (masked and tagged pointers), and byte by byte (`memcpy`).
//! Source: Andersen, PhD thesis 1994.
//!
//! **What a set means.** The analysis over-approximates all executions of programs that make
//! addresses only from addresses of objects, and access with them only objects that they came
//! from. An address that comes from an [`raddle_ir::InputKind::External`] input, from the contents of an external global, or from
//! a constant that is no object's address is [`ObjectId::UNKNOWN`]. Bytes that were never written, small constants and numbers computed from them
//! are nothing, so an *empty* set means null or garbage. Accesses through unknown addresses are not
//! followed: whoever meets them must decide (see [`ObjectSet::is_known`]).
//! Limits: one object per `Alloc`, so recursive structures are one object; at most
//! [`crate::inclusion::MAX_OFFSETS`] offsets per object; elements at computed indices are one.

use raddle_ir::{
    BitOp, Callee, Expr, FuncId, InputKind, InstrRef, Op, Operand, Program, RegId, RmwOp,
    Terminator,
};
use rustc_hash::FxHashMap;

use crate::inclusion::{Inclusion, Location, Node, Shift};
use crate::objects::{Object, ObjectId, ObjectSet, Objects, instructions_of};

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct PointsTo {
    objects: Objects,
    solution: Inclusion,
    /// The node of each function's register 0; the others follow.
    first_reg: Vec<u32>,
    /// What ended threads leave to those who join them.
    thread_results: Node,
    /// Resolved callees of calls and thread creations, sorted.
    callees: FxHashMap<InstrRef, Vec<FuncId>>,
    constants: Addresses,
}

impl PointsTo {
    /// Analyses a program.
    pub fn new(program: &Program) -> PointsTo {
        let mut builder = Builder::new(program);
        builder.globals();
        for f in program.function_ids() {
            builder.function(f);
        }
        builder.solve();
        let mut callees = builder.callees;
        for list in callees.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        PointsTo {
            objects: builder.objects,
            solution: builder.system,
            first_reg: builder.first_reg,
            thread_results: builder.thread_results,
            callees,
            constants: builder.constants,
        }
    }

    /// The table of objects.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The objects that an operand of a function may lead to.
    pub fn of(&self, func: FuncId, operand: Operand) -> ObjectSet {
        self.locations(func, operand).into_iter().map(|(object, _)| object).collect()
    }

    /// The same with byte offsets inside the objects (`None`: anywhere inside).
    pub fn locations(&self, func: FuncId, operand: Operand) -> Vec<Location> {
        match operand {
            Operand::Reg(r) => self.solution.locations(self.reg(func, r)).collect(),
            Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => {
                self.constants.location(&self.objects, operand).into_iter().collect()
            }
        }
    }

    /// The objects whose addresses an object may hold.
    pub fn contents(&self, object: ObjectId) -> ObjectSet {
        match self.solution.everything(object) {
            Some(node) => self.solution.locations(node).map(|(object, _)| object).collect(),
            None => ObjectSet::default(),
        }
    }

    /// The objects whose addresses threads may return to those who join them.
    pub fn thread_results(&self) -> ObjectSet {
        self.solution.locations(self.thread_results).map(|(object, _)| object).collect()
    }

    /// The functions that a `Call` (direct or not) or a `Create` may enter, sorted.
    pub fn callees(&self, at: InstrRef) -> &[FuncId] {
        self.callees.get(&at).map_or(&[], Vec::as_slice)
    }

    fn reg(&self, func: FuncId, reg: RegId) -> Node {
        Node(self.first_reg[func.index()] + reg.0)
    }
}

/// The addresses that are known before the program runs, to give constants their meaning.
#[derive(Clone, Debug)]
struct Addresses {
    /// Start, end (one past it belongs to the object) and object, sorted by start.
    ranges: Vec<(u64, u64, ObjectId)>,
    pointer_bits: u32,
}

impl Addresses {
    fn new(program: &Program, objects: &Objects) -> Addresses {
        let mut ranges = Vec::new();
        for (i, g) in program.globals.iter().enumerate() {
            if !g.thread_local {
                let object = objects.global(raddle_ir::GlobalId::new(i));
                ranges.push((g.address, g.address.saturating_add(g.size), object));
            }
        }
        for f in program.function_ids() {
            let address = program.function(f).address;
            ranges.push((address, address, objects.function(f)));
        }
        ranges.sort_unstable();
        Addresses { ranges, pointer_bits: program.pointer_bits }
    }

    /// Where an operand that is not a register leads.
    fn location(&self, objects: &Objects, operand: Operand) -> Option<Location> {
        match operand {
            Operand::Reg(_) => None,
            Operand::Global(g, offset) => Some((objects.global(g), u64::try_from(offset).ok())),
            Operand::Function(f) => Some((objects.function(f), Some(0))),
            Operand::Const(c) => {
                let value = u64::try_from(c.value).ok().filter(|_| c.width == self.pointer_bits)?;
                let lowest = self.ranges.first()?.0;
                let next = self.ranges.partition_point(|r| r.0 <= value);
                let before = next.checked_sub(1).map(|i| self.ranges[i]);
                match before.filter(|r| value <= r.1) {
                    Some((start, _, object)) => Some((object, Some(value - start))),
                    // Small numbers, also negative ones, are error codes rather than addresses.
                    None if value < lowest || self.is_small_negative(value) => None,
                    None => Some((ObjectId::UNKNOWN, None)),
                }
            }
        }
    }

    fn is_small_negative(&self, value: u64) -> bool {
        let top = if self.pointer_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
        top.wrapping_sub(value) < 1 << 16
    }
}

/// A call or thread creation that is resolved while solving.
#[derive(Clone, Debug)]
struct Site {
    at: InstrRef,
    dst: Option<RegId>,
    args: Vec<Operand>,
    creates: bool,
}

/// Generates constraints.
struct Builder<'p> {
    program: &'p Program,
    objects: Objects,
    system: Inclusion,
    constants: Addresses,
    first_reg: Vec<u32>,
    /// Per function: what it returns.
    results: Vec<Node>,
    thread_results: Node,
    /// Nodes of operands that are not registers.
    constant_nodes: FxHashMap<Location, Node>,
    sites: Vec<Site>,
    callees: FxHashMap<InstrRef, Vec<FuncId>>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program) -> Self {
        let objects = Objects::new(program);
        let sizes = objects.ids().map(|o| objects.size(o)).collect();
        let mut system = Inclusion::new(sizes, program.pointer_bytes().max(1));
        let mut first_reg = Vec::with_capacity(program.functions.len());
        for f in &program.functions {
            let first = system.node();
            first_reg.push(first.0);
            // One node more than registers, so that functions without any work alike.
            for _ in 0..f.regs.len() {
                system.node();
            }
        }
        let results = program.functions.iter().map(|_| system.node()).collect();
        let thread_results = system.node();
        Builder {
            constants: Addresses::new(program, &objects),
            program,
            objects,
            system,
            first_reg,
            results,
            thread_results,
            constant_nodes: FxHashMap::default(),
            sites: Vec::new(),
            callees: FxHashMap::default(),
        }
    }

    fn reg(&self, func: FuncId, reg: RegId) -> Node {
        Node(self.first_reg[func.index()] + reg.0)
    }

    /// The node of an operand; `None` if it holds no address.
    fn node(&mut self, func: FuncId, operand: Operand) -> Option<Node> {
        if let Operand::Reg(r) = operand {
            return Some(self.reg(func, r));
        }
        let location = self.constants.location(&self.objects, operand)?;
        if let Some(&node) = self.constant_nodes.get(&location) {
            return Some(node);
        }
        let node = self.system.node();
        self.system.base(node, location);
        self.constant_nodes.insert(location, node);
        Some(node)
    }

    fn flow(&mut self, func: FuncId, from: Operand, to: Node) {
        if let Some(from) = self.node(func, from) {
            self.system.copy(from, to);
        }
    }

    fn globals(&mut self) {
        let word = self.program.pointer_bytes();
        for (i, global) in self.program.globals.iter().enumerate() {
            let object = self.objects.global(raddle_ir::GlobalId::new(i));
            for &(offset, value) in &global.pointers {
                let Some(location) = self.constants.location(&self.objects, value) else {
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

    fn function(&mut self, func: FuncId) {
        let program = self.program;
        for (at, op) in instructions_of(program, func) {
            self.op(at, op);
        }
        for block in &program.function(func).blocks {
            if let Terminator::Return(Some(value)) = block.end {
                self.flow(func, value, self.results[func.index()]);
            }
        }
    }

    fn op(&mut self, at: InstrRef, op: &Op) {
        let func = at.func;
        match op {
            Op::Assign { dst, value } => self.assign(func, *dst, value),
            Op::Load { dst, addr, .. } => {
                let bytes = u64::from(self.program.function(func).reg(*dst).width.div_ceil(8));
                self.load(func, *addr, *dst, bytes);
            }
            Op::Store { addr, value, width, .. } => {
                self.store(func, *addr, *value, u64::from(width.div_ceil(8)));
            }
            Op::Rmw { dst, op, addr, value, width, .. } => {
                let bytes = u64::from(width.div_ceil(8));
                self.load(func, *addr, *dst, bytes);
                self.store(func, *addr, *value, bytes);
                if *op != RmwOp::Exchange {
                    self.store_moved(func, *addr, *dst, bytes);
                }
            }
            Op::CompareExchange { old, addr, new, width, .. } => {
                let bytes = u64::from(width.div_ceil(8));
                self.load(func, *addr, *old, bytes);
                self.store(func, *addr, *new, bytes);
            }
            Op::Alloc { dst, .. } => {
                let object = self.objects.alloc(at).expect("every Alloc has an object");
                self.system.base(self.reg(func, *dst), (object, Some(0)));
            }
            Op::ThreadLocal { dst, global } => {
                let object = self.objects.global(*global);
                self.system.base(self.reg(func, *dst), (object, Some(0)));
            }
            Op::Call { dst, callee, args } => {
                let target = match *callee {
                    Callee::Direct(f) => Operand::Function(f),
                    Callee::Indirect(operand) => operand,
                };
                self.site(Site { at, dst: *dst, args: args.clone(), creates: false }, target);
            }
            Op::Create { func: target, args, .. } => {
                self.site(Site { at, dst: None, args: args.clone(), creates: true }, *target);
            }
            Op::Join { dst, .. } => {
                if let Some(dst) = dst {
                    self.system.copy(self.thread_results, self.reg(func, *dst));
                }
            }
            Op::ThreadExit { value } => self.flow(func, *value, self.thread_results),
            Op::Input { dst, kind, .. } => match kind {
                InputKind::External => {
                    let width = self.program.function(func).reg(*dst).width;
                    if width >= self.program.pointer_bits {
                        self.system.base(self.reg(func, *dst), (ObjectId::UNKNOWN, None));
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

    fn assign(&mut self, func: FuncId, dst: RegId, value: &Expr) {
        let to = self.reg(func, dst);
        match *value {
            Expr::Use(a) => self.flow(func, a, to),
            Expr::Select { a, b, .. } => {
                self.flow(func, a, to);
                self.flow(func, b, to);
            }
            Expr::Offset { base, offset } => self.offset(func, base, offset, to),
            Expr::Cast { a, width, .. } => {
                if width > 1 {
                    self.flow(func, a, to);
                }
            }
            Expr::Binary { a, b, .. } => {
                for operand in [a, b] {
                    // A mask or a summand is no address of its own.
                    if !matches!(operand, Operand::Const(_)) {
                        self.arithmetic(func, operand, to);
                    }
                }
            }
            Expr::Bits { op, a } => match op {
                BitOp::SwapBytes | BitOp::Reverse => self.arithmetic(func, a, to),
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

    fn arithmetic(&mut self, func: FuncId, operand: Operand, to: Node) {
        if let Some(from) = self.node(func, operand) {
            self.system.shift(from, to, Shift::Anywhere);
        }
    }

    fn offset(&mut self, func: FuncId, base: Operand, offset: Operand, to: Node) {
        if matches!(base, Operand::Const(_)) {
            // The address stands on the other side: `(char *)0 + (size_t)p`.
            self.arithmetic(func, offset, to);
        }
        let Some(from) = self.node(func, base) else { return };
        let shift = match offset {
            Operand::Const(c) => Shift::By(sign_extended(c.value, c.width)),
            Operand::Reg(_) | Operand::Global(..) | Operand::Function(_) => Shift::Anywhere,
        };
        self.system.shift(from, to, shift);
    }

    fn load(&mut self, func: FuncId, addr: Operand, dst: RegId, bytes: u64) {
        if let Some(addr) = self.node(func, addr) {
            self.system.load(addr, self.reg(func, dst), bytes);
        }
    }

    fn store(&mut self, func: FuncId, addr: Operand, value: Operand, bytes: u64) {
        if let (Some(addr), Some(value)) = (self.node(func, addr), self.node(func, value)) {
            self.system.store(addr, value, bytes);
        }
    }

    /// An address in memory is moved in place by arithmetic.
    fn store_moved(&mut self, func: FuncId, addr: Operand, old: RegId, bytes: u64) {
        if let Some(addr) = self.node(func, addr) {
            let moved = self.system.node();
            self.system.shift(self.reg(func, old), moved, Shift::Anywhere);
            self.system.store(addr, moved, bytes);
        }
    }

    fn site(&mut self, site: Site, target: Operand) {
        match target {
            Operand::Function(f) => self.enter(&site, f),
            Operand::Reg(_) | Operand::Const(_) | Operand::Global(..) => {
                if let Some(node) = self.node(site.at.func, target) {
                    let name = u32::try_from(self.sites.len()).expect("fewer than 2^32 calls");
                    self.sites.push(site);
                    self.system.watch(node, name);
                }
            }
        }
    }

    /// Binds arguments and results of a call of a known function.
    fn enter(&mut self, site: &Site, callee: FuncId) {
        self.callees.entry(site.at).or_default().push(callee);
        let program = self.program;
        for (&arg, &param) in site.args.iter().zip(&program.function(callee).params) {
            self.flow(site.at.func, arg, self.reg(callee, param));
        }
        let result = self.results[callee.index()];
        if site.creates {
            self.system.copy(result, self.thread_results);
        } else if let Some(dst) = site.dst {
            self.system.copy(result, self.reg(site.at.func, dst));
        }
    }

    fn solve(&mut self) {
        loop {
            let news = self.system.solve();
            if news.is_empty() {
                return;
            }
            for (name, object) in news {
                if let Object::Function(callee) = self.objects.get(object) {
                    let site = self.sites[name as usize].clone();
                    if !self.callees.get(&site.at).is_some_and(|known| known.contains(&callee)) {
                        self.enter(&site, callee);
                    }
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
