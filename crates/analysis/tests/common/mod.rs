//! Small programs by hand. Registers have fixed widths by number: `r(i)` 64 bits, `w(i)` 32 bits,
//! `b(i)` one bit, sixteen of each in every function; parameters are `r(0)`, `r(1)`…

#![allow(dead_code)]

use raddle_ir::{
    Access, AllocKind, BinOp, Block, BlockId, Callee, CmpOp, Const, Expr, FuncId, Function, Global,
    GlobalId, InputKind, Instr, InstrRef, Op, Operand, Place, Program, Property, PropertySet,
    RegId, Register, Terminator, Wrap, validate,
};

/// A program under construction and, once analysed, all that is known about it.
pub struct Build {
    pub program: Program,
}

/// A program and the results of all analyses.
pub struct Facts {
    pub program: Program,
    all: raddle_analysis::Facts,
}

impl std::ops::Deref for Facts {
    type Target = raddle_analysis::Facts;

    fn deref(&self) -> &raddle_analysis::Facts {
        &self.all
    }
}

impl Facts {
    pub fn new(program: Program) -> Facts {
        let all = raddle_analysis::Facts::new(&program);
        Facts { program, all }
    }

    /// The function of a name.
    pub fn func(&self, name: &str) -> FuncId {
        self.program
            .function_ids()
            .find(|&f| self.program.function(f).name == name)
            .expect("the test names a function")
    }

    /// The global of a name.
    pub fn global(&self, name: &str) -> GlobalId {
        GlobalId::new(
            self.program
                .globals
                .iter()
                .position(|g| g.name == name)
                .expect("the test names a global"),
        )
    }

    /// The names of the objects that an operand may lead to, sorted.
    pub fn names(&self, f: FuncId, operand: Operand) -> Vec<String> {
        self.show(&self.points_to.of(f, operand))
    }

    pub fn show(&self, set: &raddle_analysis::ObjectSet) -> Vec<String> {
        use raddle_analysis::Object;
        let mut names: Vec<String> = set
            .iter()
            .map(|o| match self.points_to.objects().get(o) {
                Object::Unknown => "?".to_string(),
                Object::Global(g) => self.program.global(g).name.clone(),
                Object::Function(f) => self.program.function(f).name.clone(),
                Object::Alloc(at, _) => {
                    match &self.program.instr(at).expect("objects name instructions").op {
                        Op::Alloc { name, .. } => name.clone(),
                        other => panic!("an Alloc, not {other:?}"),
                    }
                }
            })
            .collect();
        names.sort();
        names
    }
}

impl Build {
    pub fn new() -> Build {
        let checked: PropertySet = [Property::Unreach].into_iter().collect();
        Build { program: Program { pointer_bits: 64, checked, ..Program::default() } }
    }

    pub fn global(&mut self, name: &str, size: u64) -> GlobalId {
        let n = self.program.globals.len();
        self.program.globals.push(Global {
            name: name.into(),
            size,
            align: 8,
            init: vec![],
            pointers: vec![],
            constant: false,
            thread_local: false,
            external: false,
            is_model: false,
            ctype: None,
            address: 0x10000 + 0x1000 * n as u64,
            place: Place::UNKNOWN,
        });
        GlobalId::new(n)
    }

    /// A function given by its blocks; the first one is the entry of the program.
    pub fn func(&mut self, name: &str, params: u32, blocks: Vec<(Vec<Op>, Terminator)>) -> FuncId {
        let n = self.program.functions.len();
        let widths = [64, 32, 1];
        let regs = (0..48).map(|i| Register { width: widths[i / 16], name: None, ctype: None });
        let blocks = blocks.into_iter().map(|(ops, end)| Block {
            instrs: ops.into_iter().map(|op| Instr { op, place: Place::UNKNOWN }).collect(),
            end,
            end_place: Place::UNKNOWN,
        });
        self.program.functions.push(Function {
            name: name.into(),
            params: (0..params).map(RegId).collect(),
            result: Some(64),
            regs: regs.collect(),
            blocks: blocks.collect(),
            place: Place::UNKNOWN,
            is_model: false,
            address: 0x1000 + 16 * n as u64,
        });
        FuncId::new(n)
    }

    pub fn facts(mut self) -> Facts {
        self.program.entry = Some(FuncId(0));
        self.program.first_free_address = 0x1000_0000;
        validate::validate(&self.program).expect("tests build valid programs");
        Facts::new(self.program)
    }
}

pub fn at(func: FuncId, block: u32, index: u32) -> InstrRef {
    InstrRef { func, block: BlockId(block), index }
}

pub fn r(i: u32) -> RegId {
    RegId(i)
}
pub fn w(i: u32) -> RegId {
    RegId(16 + i)
}
pub fn b(i: u32) -> RegId {
    RegId(32 + i)
}
pub fn reg(r: RegId) -> Operand {
    Operand::Reg(r)
}
pub fn num(n: i64) -> Operand {
    Operand::Const(Const::new(n as u128, 64))
}
pub fn num32(n: i64) -> Operand {
    Operand::Const(Const::new(n as u128, 32))
}
pub fn addr(g: GlobalId) -> Operand {
    Operand::Global(g, 0)
}
pub fn code(f: u32) -> Operand {
    Operand::Function(FuncId(f))
}

pub fn set(dst: RegId, value: Expr) -> Op {
    Op::Assign { dst, value }
}
pub fn copy(dst: RegId, value: Operand) -> Op {
    set(dst, Expr::Use(value))
}
pub fn offset(dst: RegId, base: Operand, by: Operand) -> Op {
    set(dst, Expr::Offset { base, offset: by })
}
pub fn binary(dst: RegId, op: BinOp, a: Operand, b: Operand) -> Op {
    set(dst, Expr::Binary { op, a, b, wrap: Wrap::default() })
}
pub fn compare(dst: RegId, op: CmpOp, a: Operand, b: Operand) -> Op {
    set(dst, Expr::Compare { op, a, b })
}
pub fn load(dst: RegId, addr: Operand) -> Op {
    Op::Load { dst, addr, access: Access::default() }
}
pub fn store(addr: Operand, value: Operand) -> Op {
    Op::Store { addr, value, width: 64, access: Access::default() }
}
pub fn alloc(dst: RegId, name: &str, kind: AllocKind) -> Op {
    Op::Alloc { dst, size: num(32), align: 8, kind, zeroed: false, name: name.into(), ctype: None }
}
pub fn call(dst: Option<RegId>, callee: Operand, args: &[Operand]) -> Op {
    let callee = match callee {
        Operand::Function(f) => Callee::Direct(f),
        Operand::Reg(_) | Operand::Const(_) | Operand::Global(..) => Callee::Indirect(callee),
    };
    Op::Call { dst, callee, args: args.to_vec() }
}
pub fn create(func: Operand, args: &[Operand]) -> Op {
    Op::Create { dst: None, func, args: args.to_vec() }
}
pub fn lock(mutex: Operand) -> Op {
    Op::Lock { mutex, wait: false }
}
pub fn unlock(mutex: Operand) -> Op {
    Op::Unlock { mutex, wait: false }
}
pub fn input(dst: RegId) -> Op {
    Op::Input { dst, kind: InputKind::External, name: "input".into() }
}
pub fn check(cond: Operand) -> Op {
    Op::Check { property: Property::Unreach, cond, message: String::new() }
}
pub fn nop() -> Op {
    Op::Fence { order: raddle_ir::Order::SeqCst }
}

pub fn ret() -> Terminator {
    Terminator::Return(None)
}
pub fn ret_value(value: Operand) -> Terminator {
    Terminator::Return(Some(value))
}
pub fn goto(to: u32) -> Terminator {
    Terminator::Goto(BlockId(to))
}
pub fn branch(cond: RegId, then: u32, other: u32) -> Terminator {
    Terminator::Branch { cond: reg(cond), then: BlockId(then), other: BlockId(other) }
}
