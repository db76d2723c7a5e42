//! A builder of programs: every instruction stands on a line of its own, so that findings are told apart
//! by their lines.

use raddle_ir::{
    Access, AllocKind, BinOp, Block, BlockId, CastOp, CmpOp, Const, Expr, FileId, FuncId, Function,
    Global, GlobalId, InputKind, Instr, Op, Operand, Order, Place, Program, Property, PropertySet,
    RegId, Register, RmwOp, SourceFile, Terminator,
};

/// An ordinary access.
pub const PLAIN: Access =
    Access { atomic: None, volatile: false, hidden: false, holder: false, set: false };
/// An atomic access.
pub const ATOMIC: Access = Access { atomic: Some(Order::SeqCst), ..PLAIN };

/// Globals lie so far apart that no index of 32 bits leads from one into another: the interpreter, with
/// its flat addresses, would go on there, where C says that it must not.
const FAR: u64 = 1 << 40;

/// A constant.
pub fn c(value: u128, width: u32) -> Operand {
    Operand::Const(Const::new(value, width))
}

/// A register's value.
pub fn reg(id: RegId) -> Operand {
    Operand::Reg(id)
}

/// A global's address.
pub fn g(id: GlobalId) -> Operand {
    Operand::Global(id, 0)
}

/// A program under construction.
pub struct Builder {
    program: Program,
    line: u32,
}

impl Builder {
    /// An empty program for which these properties are checked.
    pub fn checking(checked: &[Property]) -> Builder {
        Builder::new(checked.iter().copied().collect())
    }

    /// An empty program.
    pub fn new(checked: PropertySet) -> Builder {
        let file = |path: &str| SourceFile { path: path.into(), is_model: false };
        let program = Program {
            pointer_bits: 64,
            files: vec![file("unknown"), file("t.c")],
            checked,
            first_free_address: FAR * 32,
            ..Program::default()
        };
        Builder { program, line: 0 }
    }

    fn place(&mut self) -> Place {
        self.line += 1;
        Place { file: FileId(1), line: self.line, column: 1 }
    }

    /// A global of zeros.
    pub fn global(&mut self, name: &str, size: u64) -> GlobalId {
        self.global_with(name, size, &[])
    }

    /// A global with its first bytes; the rest is zero.
    pub fn global_with(&mut self, name: &str, size: u64, init: &[u8]) -> GlobalId {
        self.object(name, size, init, false)
    }

    /// A thread-local variable.
    pub fn thread_local(&mut self, name: &str, size: u64, init: &[u8]) -> GlobalId {
        self.object(name, size, init, true)
    }

    fn object(&mut self, name: &str, size: u64, init: &[u8], thread_local: bool) -> GlobalId {
        let address = FAR * (1 + self.program.globals.len() as u64);
        debug_assert!(address + size < self.program.first_free_address, "globals come first");
        let place = self.place();
        self.program.globals.push(Global {
            name: name.into(),
            size,
            align: 8,
            init: init.to_vec(),
            pointers: Vec::new(),
            constant: false,
            thread_local,
            external: false,
            is_model: false,
            ctype: None,
            address,
            place,
        });
        GlobalId::new(self.program.globals.len() - 1)
    }

    /// A global pointer that holds an address at the start.
    pub fn pointer(&mut self, name: &str, to: Operand) -> GlobalId {
        self.pointers(name, &[to])
    }

    /// A global array of pointers that hold these addresses at the start.
    pub fn pointers(&mut self, name: &str, to: &[Operand]) -> GlobalId {
        let address = |o: &Operand| self.program.constant(*o).expect("not a register") as u64;
        let bytes: Vec<u8> = to.iter().flat_map(|o| address(o).to_le_bytes()).collect();
        let id = self.global_with(name, 8 * to.len() as u64, &bytes);
        for (at, &to) in (0..).step_by(8).zip(to) {
            if !matches!(to, Operand::Const(_)) {
                self.program.globals[id.index()].pointers.push((at, to));
            }
        }
        id
    }

    /// A function that may be a thread: it returns a word, or nothing.
    pub fn thread(
        &mut self,
        name: &str,
        params: &[u32],
        body: impl FnOnce(&mut Body<'_>),
    ) -> FuncId {
        self.function(name, params, Some(64), body)
    }

    /// A function; it returns nothing unless the body says so.
    pub fn function(
        &mut self,
        name: &str,
        params: &[u32],
        result: Option<u32>,
        body: impl FnOnce(&mut Body<'_>),
    ) -> FuncId {
        let id = FuncId::new(self.program.functions.len());
        let place = self.place();
        let function = Function {
            name: name.into(),
            params: Vec::new(),
            result,
            regs: Vec::new(),
            blocks: vec![empty(place)],
            place,
            is_model: false,
            address: 0x100 + 0x10 * u64::from(id.0),
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

    /// Makes a function one of a library model.
    pub fn is_model(&mut self, id: FuncId) {
        self.program.functions[id.index()].is_model = true;
    }

    /// The finished program.
    pub fn finish(mut self, entry: FuncId) -> Program {
        self.program.entry = Some(entry);
        raddle_ir::validate::validate(&self.program).expect("generated programs are valid");
        self.program
    }
}

fn empty(place: Place) -> Block {
    Block { instrs: Vec::new(), end: Terminator::Return(None), end_place: place }
}

/// A function under construction.
pub struct Body<'b> {
    builder: &'b mut Builder,
    function: Function,
    /// Where instructions are appended.
    pub at: BlockId,
}

impl Body<'_> {
    /// A new register.
    pub fn reg(&mut self, width: u32) -> RegId {
        self.function.regs.push(Register { width, name: None, ctype: None });
        RegId::new(self.function.regs.len() - 1)
    }

    /// The nth parameter.
    pub fn param(&self, n: usize) -> RegId {
        self.function.params[n]
    }

    fn width(&self, operand: Operand) -> u32 {
        self.builder.program.width(&self.function, operand)
    }

    /// Appends an instruction; its line.
    pub fn op(&mut self, op: Op) -> u32 {
        let place = self.builder.place();
        self.function.blocks[self.at.index()].instrs.push(Instr { op, place });
        place.line
    }

    /// A new block.
    pub fn block(&mut self) -> BlockId {
        let place = self.builder.place();
        self.function.blocks.push(empty(place));
        BlockId::new(self.function.blocks.len() - 1)
    }

    /// Ends the current block.
    pub fn end(&mut self, end: Terminator) {
        self.function.blocks[self.at.index()].end = end;
    }

    /// Ends the current block and goes on with another.
    pub fn goto(&mut self, to: BlockId) {
        self.end(Terminator::Goto(to));
        self.at = to;
    }

    /// Ends the current block with a branch.
    pub fn branch(&mut self, cond: RegId, then: BlockId, other: BlockId) {
        self.end(Terminator::Branch { cond: Operand::Reg(cond), then, other });
    }

    /// `dst = value`.
    pub fn assign(&mut self, dst: RegId, value: Operand) {
        self.op(Op::Assign { dst, value: Expr::Use(value) });
    }

    /// A new register with a value.
    pub fn compute(&mut self, value: Expr, width: u32) -> RegId {
        let dst = self.reg(width);
        self.op(Op::Assign { dst, value });
        dst
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> RegId {
        let width = self.width(a);
        self.compute(Expr::Binary { op, a, b, wrap: Default::default() }, width)
    }

    /// `a op b`, one bit.
    pub fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> RegId {
        self.compute(Expr::Compare { op, a, b }, 1)
    }

    /// The value with another width.
    pub fn resize(&mut self, a: Operand, width: u32, signed: bool) -> RegId {
        let value = match self.width(a).cmp(&width) {
            std::cmp::Ordering::Equal => Expr::Use(a),
            std::cmp::Ordering::Greater => Expr::Cast { op: CastOp::Trunc, a, width },
            std::cmp::Ordering::Less if signed => Expr::Cast { op: CastOp::SignExtend, a, width },
            std::cmp::Ordering::Less => Expr::Cast { op: CastOp::ZeroExtend, a, width },
        };
        self.compute(value, width)
    }

    /// Reads memory.
    pub fn load(&mut self, addr: Operand, width: u32, access: Access) -> RegId {
        let dst = self.reg(width);
        self.op(Op::Load { dst, addr, access });
        dst
    }

    /// Writes memory; its line.
    pub fn store(&mut self, addr: Operand, value: Operand, access: Access) -> u32 {
        let width = self.width(value);
        self.op(Op::Store { addr, value, width, access })
    }

    /// A new zeroed object.
    pub fn alloc(&mut self, bytes: u64, kind: AllocKind) -> RegId {
        let dst = self.reg(64);
        let (size, name) = (c(u128::from(bytes), 64), String::new());
        self.op(Op::Alloc { dst, size, align: 8, kind, zeroed: true, name, ctype: None });
        dst
    }

    /// A check; its line.
    pub fn check(&mut self, property: Property, cond: RegId) -> u32 {
        self.op(Op::Check { property, cond: Operand::Reg(cond), message: "it holds".into() })
    }
}

/// Programs written by hand: 32-bit globals by name.
impl Body<'_> {
    /// A register with a value.
    pub fn var(&mut self, value: u128, width: u32) -> RegId {
        self.compute(Expr::Use(c(value, width)), width)
    }

    /// Reads a global, not atomically.
    pub fn read(&mut self, id: GlobalId) -> RegId {
        self.load(g(id), 32, PLAIN)
    }

    /// Writes a global, not atomically; its line.
    pub fn write(&mut self, id: GlobalId, value: u128) -> u32 {
        self.store(g(id), c(value, 32), PLAIN)
    }

    /// `a + value`.
    pub fn add(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.width(Operand::Reg(a));
        self.binary(BinOp::Add, Operand::Reg(a), c(value, width))
    }

    /// Adds to a global atomically; what was there.
    pub fn fetch_add(&mut self, id: GlobalId, value: u128) -> RegId {
        let dst = self.reg(32);
        let (addr, value) = (g(id), c(value, 32));
        self.op(Op::Rmw { dst, op: RmwOp::Add, addr, value, width: 32, access: ATOMIC });
        dst
    }

    /// `a == value`.
    pub fn equal(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.width(Operand::Reg(a));
        self.compare(CmpOp::Eq, Operand::Reg(a), c(value, width))
    }

    /// `a != value`.
    pub fn differs(&mut self, a: RegId, value: u128) -> RegId {
        let width = self.width(Operand::Reg(a));
        self.compare(CmpOp::Ne, Operand::Reg(a), c(value, width))
    }

    /// An assertion; its line.
    pub fn assert(&mut self, cond: RegId) -> u32 {
        self.check(Property::Assertions, cond)
    }

    /// `if (cond) then`.
    pub fn when<R>(&mut self, cond: RegId, then: impl FnOnce(&mut Self) -> R) {
        let (yes, no) = (self.block(), self.block());
        self.branch(cond, yes, no);
        self.at = yes;
        then(self);
        self.goto(no);
    }

    /// One of so many numbers, 32 bits.
    pub fn choice(&mut self, count: u32) -> RegId {
        let dst = self.reg(32);
        self.op(Op::Input { dst, kind: InputKind::Choice(count), name: "c".into() });
        dst
    }

    /// Starts a thread; its number.
    pub fn create(&mut self, func: FuncId) -> RegId {
        self.create_with(func, &[])
    }

    /// Starts a thread with arguments.
    pub fn create_with(&mut self, func: FuncId, args: &[Operand]) -> RegId {
        let dst = self.reg(64);
        let args = args.to_vec();
        self.op(Op::Create { dst: Some(dst), func: Operand::Function(func), args });
        dst
    }

    /// Waits for a thread; its line.
    pub fn join(&mut self, thread: RegId) -> u32 {
        self.op(Op::Join { dst: None, thread: Operand::Reg(thread) })
    }

    /// Takes a mutex; its line.
    pub fn lock(&mut self, id: GlobalId) -> u32 {
        self.op(Op::Lock { mutex: g(id), wait: false })
    }

    /// Releases a mutex; its line.
    pub fn unlock(&mut self, id: GlobalId) -> u32 {
        self.op(Op::Unlock { mutex: g(id), wait: false })
    }

    /// Returns.
    pub fn ret(&mut self) {
        self.end(Terminator::Return(None));
    }
}
