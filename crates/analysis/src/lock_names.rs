//! Names of mutexes inside a function, and conditions that tell whether one is held.
//!
//! A mutex is named by the global it lies in, or by the parameter whose value its address is
//! computed from, plus a constant offset: what a function does to the mutexes of its parameters is
//! translated at each call. A register has a name if it is assigned once and from something that
//! has one. A condition may tell that a mutex is held: its word equals the number of the running
//! thread, or an attempt to lock it succeeded.

use raddle_ir::fold::signed;
use raddle_ir::{
    BlockId, CastOp, CmpOp, Expr, FuncId, Function, GlobalId, InstrRef, Op, Operand, Program, RegId,
};

/// What the address of a mutex is relative to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A global.
    Global(GlobalId),
    /// The value of a parameter at the call.
    Param(u32),
}

/// A mutex as one function sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name {
    /// What the offset counts from.
    pub base: Base,
    /// In bytes.
    pub offset: i64,
}

impl Name {
    fn moved(self, by: i64) -> Option<Name> {
        Some(Name { base: self.base, offset: self.offset.checked_add(by)? })
    }
}

/// The names of a function's registers.
#[derive(Clone, Debug)]
pub struct Names {
    regs: Vec<Option<Name>>,
}

impl Names {
    /// Finds the names of a function.
    pub fn new(function: &Function) -> Names {
        // The only assignment of each register: `None` for none yet, `Some(None)` for no use.
        let mut only: Vec<Option<Option<&Expr>>> = vec![None; function.regs.len()];
        for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
            for reg in instr.op.defs() {
                let first = only[reg.index()].is_none();
                only[reg.index()] = Some(None);
                if let Op::Assign { value, .. } = &instr.op
                    && first
                {
                    only[reg.index()] = Some(Some(value));
                }
            }
        }
        let mut names = Names { regs: vec![None; function.regs.len()] };
        for (i, &param) in function.params.iter().enumerate() {
            if only[param.index()].is_none() {
                let base = Base::Param(u32::try_from(i).expect("fewer than 2^32 parameters"));
                names.regs[param.index()] = Some(Name { base, offset: 0 });
            }
        }
        // Chains are short; each round names what depends on names found before.
        loop {
            let mut changed = false;
            for (r, value) in only.iter().enumerate() {
                if let Some(Some(value)) = value
                    && names.regs[r].is_none()
                    && !function.params.iter().any(|p| p.index() == r)
                    && let Some(name) = names.of_expr(value)
                {
                    names.regs[r] = Some(name);
                    changed = true;
                }
            }
            if !changed {
                return names;
            }
        }
    }

    /// The name of an address.
    pub fn of(&self, operand: Operand) -> Option<Name> {
        match operand {
            Operand::Reg(r) => self.regs[r.index()],
            Operand::Global(g, offset) => Some(Name { base: Base::Global(g), offset }),
            Operand::Const(_) | Operand::Function(_) => None,
        }
    }

    fn of_expr(&self, value: &Expr) -> Option<Name> {
        if let Expr::Use(a) = *value {
            return self.of(a);
        }
        if let Expr::Offset { base, offset: Operand::Const(c) } = *value {
            let by = i64::try_from(signed(c.value, c.width)).ok()?;
            return self.of(base)?.moved(by);
        }
        None
    }

    /// A name of a callee, as its caller sees it.
    pub fn translate(&self, name: Name, args: &[Operand]) -> Option<Name> {
        match name.base {
            Base::Global(_) => Some(name),
            Base::Param(i) => self.of(*args.get(i as usize)?)?.moved(name.offset),
        }
    }
}

/// Mutexes that are certainly held in some case; `None`: the case does not occur.
pub type Told = Option<Vec<Name>>;

/// What the result of a function tells: the mutexes that the thread holds if it is not zero, and if
/// it is.
pub type Tells = [Told; 2];

/// Reads conditions of one function.
pub struct Conditions<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function.
    pub func: FuncId,
    /// Its names.
    pub names: &'a Names,
    /// What results of called functions tell, by call.
    pub results: &'a dyn Fn(InstrRef) -> Tells,
}

impl Conditions<'_> {
    /// The mutexes certainly held at the end of a block if a value is not zero there (or, for
    /// `nonzero == false`, if it is).
    pub fn told(&self, block: BlockId, operand: Operand, nonzero: bool) -> Told {
        let end = self.program.function(self.func).block(block).instrs.len();
        self.before(block, end, operand, nonzero)
    }

    fn before(&self, block: BlockId, end: usize, operand: Operand, nonzero: bool) -> Told {
        if let Operand::Const(c) = operand {
            return ((c.value != 0) == nonzero).then(Vec::new);
        }
        let nothing = Some(Vec::new());
        let Some((i, op)) = self.assignment(block, end, operand) else { return nothing };
        if let Op::Assign { value, .. } = op {
            return self.expr(block, i, value, nonzero);
        }
        let quiet = self.quiet_after(block, i);
        if let Op::TryLock { mutex, .. } = op {
            return Some(self.names.of(*mutex).filter(|_| nonzero && quiet).into_iter().collect());
        }
        if let Op::Call { .. } = op {
            let at = InstrRef { func: self.func, block, index: i as u32 };
            let [if_not, if_zero] = (self.results)(at);
            let told = if nonzero { if_not } else { if_zero };
            return if quiet { told } else { told.and(nothing) };
        }
        nothing
    }

    fn expr(&self, block: BlockId, i: usize, value: &Expr, nonzero: bool) -> Told {
        let zero = |o: Operand| matches!(o, Operand::Const(c) if c.value == 0);
        let nothing = Some(Vec::new());
        if let Expr::Use(a) = *value {
            return self.before(block, i, a, nonzero);
        }
        if let Expr::Cast { op, a, .. } = *value {
            return match op {
                CastOp::ZeroExtend | CastOp::SignExtend => self.before(block, i, a, nonzero),
                // A part that is not zero comes from a whole that is not.
                CastOp::Trunc if nonzero => self.before(block, i, a, true),
                CastOp::Trunc => nothing,
            };
        }
        if let Expr::Select { cond, a: Operand::Const(a), b: Operand::Const(b) } = *value {
            return match ((a.value != 0) == nonzero, (b.value != 0) == nonzero) {
                (true, true) => nothing,
                (true, false) => self.before(block, i, cond, true),
                (false, true) => self.before(block, i, cond, false),
                (false, false) => None,
            };
        }
        let Expr::Compare { op: op @ (CmpOp::Eq | CmpOp::Ne), a, b } = *value else {
            return nothing;
        };
        let equal = (op == CmpOp::Eq) == nonzero;
        if zero(b) {
            self.before(block, i, a, !equal)
        } else if equal {
            Some(self.own_word(block, i, a, b))
        } else {
            nothing
        }
    }

    /// The mutex whose word is compared with the number of the running thread.
    fn own_word(&self, block: BlockId, i: usize, a: Operand, b: Operand) -> Vec<Name> {
        let word = |o| self.word(block, i, o);
        let found = if self.is_self(block, i, b) {
            word(a)
        } else if self.is_self(block, i, a) {
            word(b)
        } else {
            None
        };
        found.into_iter().collect()
    }

    fn word(&self, block: BlockId, end: usize, operand: Operand) -> Option<Name> {
        let (i, op) = self.assignment(block, end, operand)?;
        if let Op::Load { dst, addr, .. } = op {
            let bits = self.program.function(self.func).reg(*dst).width;
            let name = self.names.of(*addr);
            return name.filter(|_| bits == 32 && self.quiet_after(block, i));
        }
        let Op::Assign { value: Expr::Use(a), .. } = op else { return None };
        self.word(block, i, *a)
    }

    /// Whether no instruction of the block after this one may free a mutex.
    pub fn quiet_after(&self, block: BlockId, i: usize) -> bool {
        let instrs = &self.program.function(self.func).block(block).instrs;
        instrs[i + 1..].iter().all(|instr| is_quiet(&instr.op))
    }

    fn is_self(&self, block: BlockId, end: usize, operand: Operand) -> bool {
        let Some((i, op)) = self.assignment(block, end, operand) else { return false };
        if let Op::Assign { value: Expr::Use(a), .. } = op {
            return self.is_self(block, i, *a);
        }
        if let Op::Assign { value: Expr::Cast { a, width, .. }, .. } = op {
            // Thread numbers are small: their low 32 bits tell them apart.
            return *width >= 32 && self.is_self(block, i, *a);
        }
        matches!(op, Op::ThreadSelf { .. })
    }

    /// Whether a block neither assigns an operand nor may free a mutex.
    pub fn passes(&self, block: BlockId, operand: Operand) -> bool {
        let instrs = &self.program.function(self.func).block(block).instrs;
        instrs.iter().all(|instr| is_quiet(&instr.op))
            && self.assignment(block, instrs.len(), operand).is_none()
    }

    /// The last assignment of an operand before an instruction of a block.
    fn assignment(&self, block: BlockId, end: usize, operand: Operand) -> Option<(usize, &Op)> {
        let Operand::Reg(reg) = operand else { return None };
        let instrs = &self.program.function(self.func).block(block).instrs;
        (0..end).rev().find(|&i| defines(&instrs[i].op, reg)).map(|i| (i, &instrs[i].op))
    }
}

/// Whether an instruction certainly frees no mutex: it neither writes nor calls.
fn is_quiet(op: &Op) -> bool {
    !matches!(
        op,
        Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CompareExchange { .. }
            | Op::Free { .. }
            | Op::Unlock { .. }
            | Op::Call { .. }
    )
}

fn defines(op: &Op, reg: RegId) -> bool {
    op.defs().any(|r| r == reg)
}
