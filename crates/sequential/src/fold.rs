//! Which registers become part of the expression that uses them.
//!
//! Idea: a register that is computed once and used once, later in the same block, with none of
//! its operands assigned in between, need not be a variable: its expression is written where it
//! is used. That turns three-address code back into C.
//! Invariant: folding never moves an access to memory, a call or a division (which can stop the
//! thread), and never writes an expression twice: operands that the text of an operation repeats
//! are not folded.

use raddle_ir::expr::mask;
use raddle_ir::{BinOp, Block, Callee, Const, Expr, Function, Op, Operand, RegId};

/// Longer chains are cut for readability.
const DEEPEST: u32 = 5;

/// The expressions of the registers that are written where they are used.
pub(crate) struct Folded {
    expressions: Vec<Option<Expr>>,
}

impl Folded {
    /// Looks at a function.
    pub(crate) fn new(function: &Function) -> Folded {
        let counts = count(function);
        let mut folded = Folded { expressions: vec![None; function.regs.len()] };
        let mut depth = vec![0; function.regs.len()];
        for block in &function.blocks {
            for (index, instr) in block.instrs.iter().enumerate() {
                let Op::Assign { dst, value } = &instr.op else { continue };
                let once = counts[dst.index()] == (1, 1) && !function.params.contains(dst);
                if !once || can_stop(value) || !folded.reaches(block, index, *dst, value) {
                    continue;
                }
                let below = value.operands().filter_map(register).map(|r| depth[r.index()]).max();
                let here = below.unwrap_or(0) + 1;
                if here <= DEEPEST {
                    depth[dst.index()] = here;
                    folded.expressions[dst.index()] = Some(*value);
                }
            }
        }
        folded
    }

    /// The expression of a register that has no variable.
    pub(crate) fn expression(&self, register: RegId) -> Option<&Expr> {
        self.expressions[register.index()].as_ref()
    }

    /// Gives a register a variable after all.
    pub(crate) fn unfold(&mut self, register: RegId) {
        self.expressions[register.index()] = None;
    }

    /// Whether the only use of `dst` stands later in the block and all that its text names keeps
    /// its value until there.
    fn reaches(&self, block: &Block, index: usize, dst: RegId, value: &Expr) -> bool {
        let mut needs = Vec::new();
        self.variables(value, &mut needs);
        for instr in &block.instrs[index + 1..] {
            if instr.op.operands().into_iter().filter_map(register).any(|r| r == dst) {
                return true;
            }
            if instr.op.defs().any(|d| needs.contains(&d)) {
                return false;
            }
        }
        block.end.operand().and_then(register) == Some(dst)
    }

    /// The variables that the text of an expression names.
    fn variables(&self, value: &Expr, into: &mut Vec<RegId>) {
        for r in value.operands().filter_map(register) {
            match self.expression(r) {
                Some(inner) => self.variables(inner, into),
                None => into.push(r),
            }
        }
    }
}

fn register(operand: Operand) -> Option<RegId> {
    match operand {
        Operand::Reg(r) => Some(r),
        Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => None,
    }
}

/// Assignments and uses of each register.
fn count(function: &Function) -> Vec<(u32, u32)> {
    let mut counts = vec![(0, 0); function.regs.len()];
    for block in &function.blocks {
        for instr in &block.instrs {
            instr.op.defs().for_each(|r| counts[r.index()].0 += 1);
            let uses = instr.op.operands().into_iter().filter_map(register);
            let times = if repeats_operands(function, &instr.op) { 2 } else { 1 };
            uses.for_each(|r| counts[r.index()].1 += times);
        }
        let uses = block.end.operand().and_then(register);
        uses.into_iter().for_each(|r| counts[r.index()].1 += 1);
    }
    counts
}

/// Whether the C text of an instruction contains operands more than once.
fn repeats_operands(function: &Function, op: &Op) -> bool {
    match op {
        Op::Assign { value, .. } => match value {
            Expr::Binary { op, b, .. } => match op {
                BinOp::Shl | BinOp::LShr | BinOp::AShr => !matches!(b, Operand::Const(_)),
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => true,
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => false,
            },
            Expr::Overflows { .. }
            | Expr::Bits { .. }
            | Expr::Float { .. }
            | Expr::FloatCompare { .. }
            | Expr::FloatToInt { .. } => true,
            Expr::Use(_)
            | Expr::Offset { .. }
            | Expr::Compare { .. }
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::FloatNeg { .. }
            | Expr::FloatAbs { .. }
            | Expr::FloatCast { .. }
            | Expr::IntToFloat { .. } => false,
        },
        Op::Rmw { .. } | Op::CompareExchange { .. } | Op::Create { .. } => true,
        // Wide accesses are done in halves.
        Op::Load { dst, .. } => function.reg(*dst).width > 64,
        Op::Store { width, .. } => *width > 64,
        Op::Fence { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::ObjectSize { .. }
        | Op::ThreadLocal { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::TryLock { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Block { .. }
        | Op::Assume { .. }
        | Op::Check { .. }
        | Op::Input { .. }
        | Op::Exit { .. }
        | Op::Unsupported { .. } => false,
        Op::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
    }
}

/// Whether computing the expression can end the thread.
pub(crate) fn can_stop(value: &Expr) -> bool {
    match value {
        Expr::Binary { op, b, .. } => {
            let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
            divides && !is_harmless_divisor(*b)
        }
        Expr::Use(_)
        | Expr::Offset { .. }
        | Expr::Compare { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::Overflows { .. }
        | Expr::Bits { .. }
        | Expr::Float { .. }
        | Expr::FloatNeg { .. }
        | Expr::FloatAbs { .. }
        | Expr::FloatCompare { .. }
        | Expr::FloatCast { .. }
        | Expr::FloatToInt { .. }
        | Expr::IntToFloat { .. } => false,
    }
}

/// Whether division by it is defined for every dividend: a constant other than 0 and -1.
fn is_harmless_divisor(divisor: Operand) -> bool {
    matches!(divisor, Operand::Const(Const { value, width }) if value != 0 && value != mask(width))
}
