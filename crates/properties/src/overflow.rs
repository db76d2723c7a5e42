//! Integer overflow: inserts a `Check` before every operation that may have none.
//!
//! Idea: clang marks the additions, subtractions and multiplications whose signed overflow is
//! undefined (`nsw`); the program model keeps the mark. Division and remainder are undefined for a
//! zero divisor and for `INT_MIN / -1`, shifts for an amount of the width or more. Each becomes
//! `ok = …; check.overflow ok` in front of the operation.
//! Limits: left shifts of negative numbers and into the sign bit, which C17 also forbids but
//! everybody relies on, are not reported. Library models are not instrumented.

use raddle_ir::{
    BinOp, Block, CmpOp, Const, Expr, Function, Instr, Op, Operand, Place, Program, Property,
    RegId, Register,
};

/// The manual page.
pub const PAGE: &str = "\
# overflow

## What
No signed addition, subtraction, multiplication or negation leaves the range of its type; no division or remainder by
zero, nor of the smallest number by -1; no shift by a negative amount or by the width or more. Unsigned arithmetic wraps and is fine.

## Why
All these are undefined behaviour: the machine may trap, and compilers assume they do not happen.

## Example
    int middle(int low, int high) { return (low + high) / 2; }    /* mend: low + (high - low) / 2 */

## Standard
C17 6.5 p5 (exceptional conditions), 6.5.5 p5 and p6 (division), 6.5.7 p3 (shifts).
";

/// Inserts the checks into all functions that are not library models.
pub fn insert_checks(program: &mut Program) {
    let pointer_bits = program.pointer_bits;
    for function in program.functions.iter_mut().filter(|f| !f.is_model) {
        for b in 0..function.blocks.len() {
            let old = std::mem::take(&mut function.blocks[b].instrs);
            let mut out = Output { function, pointer_bits, instrs: Vec::with_capacity(old.len()) };
            for instr in old {
                if let Op::Assign { value: Expr::Binary { op, a, b, wrap }, .. } = instr.op {
                    out.place(instr.place).check(op, a, b, wrap.no_signed);
                }
                out.instrs.push(instr);
            }
            let instrs = out.instrs;
            function.blocks[b] = Block { instrs, ..function.blocks[b].clone() };
        }
    }
}

/// The block being rewritten.
struct Output<'f> {
    function: &'f mut Function,
    pointer_bits: u32,
    instrs: Vec<Instr>,
}

/// The block being rewritten, at the place of one instruction.
struct At<'o, 'f> {
    out: &'o mut Output<'f>,
    place: Place,
}

impl<'f> Output<'f> {
    fn place(&mut self, place: Place) -> At<'_, 'f> {
        At { out: self, place }
    }

    fn width(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(r) => self.function.reg(r).width,
            Operand::Const(c) => c.width,
            Operand::Global(..) | Operand::Function(_) => self.pointer_bits,
        }
    }
}

impl At<'_, '_> {
    /// Adds what must hold for `a op b` to be defined.
    fn check(&mut self, op: BinOp, a: Operand, b: Operand, no_signed: bool) {
        match op {
            BinOp::Add => self.no_overflow(op, a, b, no_signed, "addition"),
            BinOp::Sub if matches!(a, Operand::Const(c) if c.value == 0) => {
                self.no_overflow(op, a, b, no_signed, "negation");
            }
            BinOp::Sub => self.no_overflow(op, a, b, no_signed, "subtraction"),
            BinOp::Mul => self.no_overflow(op, a, b, no_signed, "multiplication"),
            BinOp::UDiv | BinOp::URem => self.divisor(op, b),
            BinOp::SDiv | BinOp::SRem => {
                self.divisor(op, b);
                self.no_smallest_by_minus_one(op, a, b);
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.shift(b),
            BinOp::And | BinOp::Or | BinOp::Xor => {}
        }
    }

    fn no_overflow(&mut self, op: BinOp, a: Operand, b: Operand, no_signed: bool, what: &str) {
        if !no_signed {
            return;
        }
        let overflows = self.assign(Expr::Overflows { op, signed: true, a, b });
        let ok = self.compare(CmpOp::Eq, overflows, constant(0, 1));
        self.require(ok, format!("signed overflow in {what}"));
    }

    fn divisor(&mut self, op: BinOp, b: Operand) {
        if matches!(b, Operand::Const(c) if c.value != 0) {
            return;
        }
        let zero = constant(0, self.out.width(b));
        let ok = self.compare(CmpOp::Ne, b, zero);
        let what = if matches!(op, BinOp::URem | BinOp::SRem) { "remainder" } else { "division" };
        self.require(ok, format!("{what} by zero"));
    }

    fn no_smallest_by_minus_one(&mut self, op: BinOp, a: Operand, b: Operand) {
        let width = self.out.width(a);
        let minus_one = constant(u128::MAX, width);
        let smallest = constant(1 << (width - 1), width);
        let is_constant = |o: Operand| matches!(o, Operand::Const(_));
        if (is_constant(b) && b != minus_one) || (is_constant(a) && a != smallest) {
            return;
        }
        let a_fine = self.compare(CmpOp::Ne, a, smallest);
        let b_fine = self.compare(CmpOp::Ne, b, minus_one);
        let wrap = Default::default();
        let ok = self.assign(Expr::Binary { op: BinOp::Or, a: a_fine, b: b_fine, wrap });
        let what = if op == BinOp::SRem { "remainder" } else { "division" };
        self.require(ok, format!("signed overflow in {what}"));
    }

    fn shift(&mut self, amount: Operand) {
        let width = self.out.width(amount);
        if matches!(amount, Operand::Const(c) if c.value < u128::from(width)) {
            return;
        }
        let ok = self.compare(CmpOp::Ult, amount, constant(u128::from(width), width));
        self.require(ok, "shift by a negative amount or by the width or more".into());
    }

    fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Operand {
        self.assign(Expr::Compare { op, a, b })
    }

    /// Computes a value one bit wide.
    fn assign(&mut self, value: Expr) -> Operand {
        let dst = RegId::new(self.out.function.regs.len());
        self.out.function.regs.push(Register { width: 1, name: None, ctype: None });
        self.push(Op::Assign { dst, value });
        Operand::Reg(dst)
    }

    fn require(&mut self, cond: Operand, message: String) {
        self.push(Op::Check { property: Property::Overflow, cond, message });
    }

    fn push(&mut self, op: Op) {
        self.out.instrs.push(Instr { op, place: self.place });
    }
}

fn constant(value: u128, width: u32) -> Operand {
    Operand::Const(Const::new(value, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{PropertySet, Terminator, Wrap};

    /// `f(a, b) { r = a op b; }` with the checks that were put before it.
    fn checks(op: BinOp, no_signed: bool, b: Option<u128>, is_model: bool) -> Vec<String> {
        let reg = || Register { width: 32, name: None, ctype: None };
        let right = b.map_or(Operand::Reg(RegId(1)), |v| constant(v, 32));
        let wrap = Wrap { no_signed, no_unsigned: false };
        let value = Expr::Binary { op, a: Operand::Reg(RegId(0)), b: right, wrap };
        let instr = Instr { op: Op::Assign { dst: RegId(2), value }, place: Place::UNKNOWN };
        let function = Function {
            name: "f".into(),
            params: vec![RegId(0), RegId(1)],
            result: None,
            regs: vec![reg(), reg(), reg()],
            blocks: vec![Block {
                instrs: vec![instr],
                end: Terminator::Return(None),
                end_place: Place::UNKNOWN,
            }],
            place: Place::UNKNOWN,
            is_model,
            address: 0,
        };
        let mut program =
            Program { pointer_bits: 32, functions: vec![function], ..Default::default() };
        crate::instrument(&mut program, PropertySet::EMPTY.with(Property::Overflow));
        raddle_ir::validate::validate(&program).expect("still a program");
        let instrs = &program.functions[0].blocks[0].instrs;
        assert!(matches!(instrs.last().map(|i| &i.op), Some(Op::Assign { dst: RegId(2), .. })));
        instrs
            .iter()
            .filter_map(|i| match &i.op {
                Op::Check { message, .. } => Some(message.clone()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn checks_are_inserted_where_needed() {
        let cases: &[(BinOp, bool, Option<u128>, &[&str])] = &[
            (BinOp::Add, true, None, &["signed overflow in addition"]),
            (BinOp::Add, false, None, &[]),
            (BinOp::Mul, true, Some(2), &["signed overflow in multiplication"]),
            (BinOp::UDiv, false, None, &["division by zero"]),
            (BinOp::UDiv, false, Some(3), &[]),
            (BinOp::SDiv, false, None, &["division by zero", "signed overflow in division"]),
            (BinOp::SDiv, false, Some(0xffff_ffff), &["signed overflow in division"]),
            (BinOp::SRem, false, Some(3), &[]),
            (BinOp::Shl, false, None, &["shift by a negative amount or by the width or more"]),
            (BinOp::Shl, false, Some(31), &[]),
            (BinOp::AShr, false, Some(32), &["shift by a negative amount or by the width or more"]),
            (BinOp::Xor, false, None, &[]),
        ];
        for (op, no_signed, b, expected) in cases {
            assert_eq!(checks(*op, *no_signed, *b, false), *expected, "{op:?} {b:?}");
        }
        assert!(checks(BinOp::Add, true, None, true).is_empty(), "models are left alone");
    }
}
