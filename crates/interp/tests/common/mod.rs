//! A tiny builder of programs for tests. Every instruction stands on a line of its own.

#![allow(dead_code)]

use raddle_ir::{
    Access, Block, BlockId, CmpOp, Const, Expr, FileId, FuncId, Function, Global, GlobalId, Instr,
    Op, Operand, Order, Place, Program, Property, PropertySet, RegId, Register, RmwOp, SourceFile,
    Terminator,
};

pub const PLAIN: Access = Access { atomic: None, volatile: false, hidden: false };
pub const ATOMIC: Access = Access { atomic: Some(Order::SeqCst), volatile: false, hidden: false };

pub fn c(value: u128, width: u32) -> Operand {
    Operand::Const(Const::new(value, width))
}

pub fn g(id: GlobalId) -> Operand {
    Operand::Global(id, 0)
}

pub struct Builder {
    pub program: Program,
    line: u32,
}

impl Builder {
    pub fn new(checked: &[Property]) -> Builder {
        let program = Program {
            pointer_bits: 64,
            files: vec![
                SourceFile { path: "unknown".into(), is_model: false },
                SourceFile { path: "t.c".into(), is_model: false },
            ],
            checked: checked.iter().copied().collect::<PropertySet>(),
            first_free_address: 0x10_0000,
            ..Program::default()
        };
        Builder { program, line: 0 }
    }

    fn place(&mut self) -> Place {
        self.line += 1;
        Place { file: FileId(1), line: self.line, column: 1 }
    }

    /// A global of `size` bytes, all zero.
    pub fn global(&mut self, name: &str, size: u64) -> GlobalId {
        let address = 0x1000 + 0x100 * self.program.globals.len() as u64;
        let place = self.place();
        self.program.globals.push(Global {
            name: name.into(),
            size,
            align: 4,
            init: Vec::new(),
            pointers: Vec::new(),
            constant: false,
            thread_local: false,
            external: false,
            is_model: false,
            ctype: None,
            address,
            place,
        });
        GlobalId::new(self.program.globals.len() - 1)
    }

    pub fn function(
        &mut self,
        name: &str,
        params: &[u32],
        body: impl FnOnce(&mut Body<'_>),
    ) -> FuncId {
        let id = FuncId::new(self.program.functions.len());
        let place = self.place();
        let function = Function {
            name: name.into(),
            params: Vec::new(),
            result: Some(64),
            regs: Vec::new(),
            blocks: vec![empty(place)],
            place,
            is_model: false,
            address: 0x100 + 0x10 * id.0 as u64,
        };
        self.program.functions.push(function.clone());
        let mut b = Body { builder: self, function, at: BlockId(0) };
        for &width in params {
            let r = b.reg(width);
            b.function.params.push(r);
        }
        body(&mut b);
        let function = b.function;
        self.program.functions[id.index()] = function;
        id
    }

    /// The finished program.
    pub fn finish(mut self, entry: FuncId) -> Program {
        self.program.entry = Some(entry);
        raddle_ir::validate::validate(&self.program).expect("tests build valid programs");
        self.program
    }
}

fn empty(place: Place) -> Block {
    Block { instrs: Vec::new(), end: Terminator::Return(None), end_place: place }
}

pub struct Body<'b> {
    pub builder: &'b mut Builder,
    pub function: Function,
    pub at: BlockId,
}

impl Body<'_> {
    pub fn reg(&mut self, width: u32) -> RegId {
        self.function.regs.push(Register { width, name: None, ctype: None });
        RegId::new(self.function.regs.len() - 1)
    }

    /// A register with a name, set to a constant.
    pub fn var(&mut self, value: u128, width: u32) -> RegId {
        let r = self.reg(width);
        self.op(Op::Assign { dst: r, value: Expr::Use(c(value, width)) });
        r
    }

    /// Appends an instruction; returns its line.
    pub fn op(&mut self, op: Op) -> u32 {
        let place = self.builder.place();
        self.function.blocks[self.at.index()].instrs.push(Instr { op, place });
        place.line
    }

    pub fn block(&mut self) -> BlockId {
        let place = self.builder.place();
        self.function.blocks.push(empty(place));
        BlockId::new(self.function.blocks.len() - 1)
    }

    pub fn end(&mut self, end: Terminator) {
        self.function.blocks[self.at.index()].end = end;
    }

    pub fn goto(&mut self, to: BlockId) {
        self.end(Terminator::Goto(to));
        self.at = to;
    }

    /// Ends the block with a branch.
    pub fn branch(&mut self, cond: RegId, then: BlockId, other: BlockId) {
        self.end(Terminator::Branch { cond: Operand::Reg(cond), then, other });
    }

    pub fn load(&mut self, id: GlobalId) -> RegId {
        self.load_at(g(id), 32, PLAIN)
    }

    pub fn load_at(&mut self, addr: Operand, width: u32, access: Access) -> RegId {
        let dst = self.reg(width);
        self.op(Op::Load { dst, addr, access });
        dst
    }

    pub fn store(&mut self, id: GlobalId, value: u128) -> u32 {
        self.store_at(g(id), c(value, 32), 32, PLAIN)
    }

    pub fn store_at(&mut self, addr: Operand, value: Operand, width: u32, access: Access) -> u32 {
        self.op(Op::Store { addr, value, width, access })
    }

    pub fn add(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.function.regs[a.index()].width;
        let dst = self.reg(width);
        let (a, b) = (Operand::Reg(a), c(value, width));
        let value = Expr::Binary { op: raddle_ir::BinOp::Add, a, b, wrap: Default::default() };
        self.op(Op::Assign { dst, value });
        dst
    }

    pub fn fetch_add(&mut self, id: GlobalId, value: u128) -> RegId {
        let dst = self.reg(32);
        let (addr, value) = (g(id), c(value, 32));
        self.op(Op::Rmw { dst, op: RmwOp::Add, addr, value, width: 32, access: ATOMIC });
        dst
    }

    pub fn equal(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.function.regs[a.index()].width;
        let dst = self.reg(1);
        let value = Expr::Compare { op: CmpOp::Eq, a: Operand::Reg(a), b: c(value, width) };
        self.op(Op::Assign { dst, value });
        dst
    }

    pub fn differs(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.function.regs[a.index()].width;
        let dst = self.reg(1);
        let value = Expr::Compare { op: CmpOp::Ne, a: Operand::Reg(a), b: c(value, width) };
        self.op(Op::Assign { dst, value });
        dst
    }

    pub fn check(&mut self, cond: RegId) -> u32 {
        let (property, cond) = (Property::Assertions, Operand::Reg(cond));
        self.op(Op::Check { property, cond, message: "it holds".into() })
    }

    pub fn create(&mut self, func: FuncId) -> RegId {
        self.create_with(func, &[])
    }

    pub fn create_with(&mut self, func: FuncId, args: &[Operand]) -> RegId {
        let dst = self.reg(64);
        let args = args.to_vec();
        self.op(Op::Create { dst: Some(dst), func: Operand::Function(func), args });
        dst
    }

    pub fn join(&mut self, thread: RegId) -> u32 {
        self.op(Op::Join { dst: None, thread: Operand::Reg(thread) })
    }

    pub fn lock(&mut self, id: GlobalId) -> u32 {
        self.op(Op::Lock { mutex: g(id), wait: false })
    }

    pub fn unlock(&mut self, id: GlobalId) -> u32 {
        self.op(Op::Unlock { mutex: g(id), wait: false })
    }

    pub fn ret(&mut self) {
        self.end(Terminator::Return(None));
    }
}
