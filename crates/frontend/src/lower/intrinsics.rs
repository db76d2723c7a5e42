//! LLVM intrinsics: the ones that clang emits for C at `-O0`. Others are refused by name.

use raddle_ir::{
    BinOp, BitOp, CmpOp, Expr, FloatKind, FloatOp, InputKind, Op, Operand, Order, Wrap,
};

use super::body::Body;
use super::compute::{Computes, Parts, constant, one};
use super::refusal::{Lowered, refuse};
use crate::llvm::ast::{self as ll, Item};
use crate::llvm::types::TypeId;

const FREE: Wrap = Wrap { no_signed: false, no_unsigned: false };

/// Intrinsics without an effect on what we check.
const IGNORED: &[&str] = &[
    "lifetime.start",
    "lifetime.end",
    "invariant.start",
    "invariant.end",
    "donothing",
    "sideeffect",
    "prefetch",
    "var.annotation",
    "stackrestore",
    "va_end",
    "pseudoprobe",
    "experimental.noalias.scope.decl",
    "x86.sse2.pause",
];

/// Intrinsics whose result is their first argument.
const TRANSPARENT: &[&str] = &[
    "expect",
    "annotation",
    "ptr.annotation",
    "launder.invariant.group",
    "strip.invariant.group",
    "ssa.copy",
    "threadlocal.address",
];

/// Whether an intrinsic is the one of that name, for whatever types.
fn is(intrinsic: &str, name: &str) -> bool {
    intrinsic.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl Body<'_, '_> {
    /// Lowers a call of `llvm.<intrinsic>`.
    pub(crate) fn intrinsic(&mut self, intrinsic: &str, call: &ll::Call) -> Lowered<Parts> {
        if IGNORED.iter().any(|n| is(intrinsic, n)) {
            return self.ignored(call);
        }
        if TRANSPARENT.iter().any(|n| is(intrinsic, n)) {
            let first = self.first(call)?;
            return self.parts(first.ty, &first.value);
        }
        let (word, _) = intrinsic.split_once('.').unwrap_or((intrinsic, ""));
        match word {
            "memcpy" | "memmove" if !intrinsic.contains("element") => {
                self.copy(call, word)?;
                Ok(Parts::new())
            }
            "memset" if !intrinsic.contains("element") => {
                self.fill(call)?;
                Ok(Parts::new())
            }
            "trap" | "ubsantrap" | "debugtrap" => {
                self.push(Op::Exit { leaks: false });
                self.stopped = true;
                Ok(Parts::new())
            }
            "assume" => {
                let cond = self.operand_of(call, 0)?;
                if !matches!(cond, Operand::Const(c) if c.value == 1) {
                    self.push(Op::Assume { cond });
                }
                Ok(Parts::new())
            }
            "stacksave" => Ok(one(constant(0, self.unit.pointer_bits()))),
            "objectsize" => {
                let least = matches!(self.operand_of(call, 1)?, Operand::Const(c) if c.value == 1);
                let width = self.unit.width(call.result)?;
                Ok(one(constant(if least { 0 } else { u128::MAX }, width)))
            }
            "is" if is(intrinsic, "is.constant") => Ok(one(constant(0, 1))),
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" => self.checked(intrinsic, call),
            "abs" | "smax" | "smin" | "umax" | "umin" => self.choose(word, call),
            "ctpop" => self.bits(BitOp::CountOnes, call),
            "ctlz" => self.bits(BitOp::LeadingZeros, call),
            "cttz" => self.bits(BitOp::TrailingZeros, call),
            "bswap" => self.bits(BitOp::SwapBytes, call),
            "bitreverse" => self.bits(BitOp::Reverse, call),
            "fshl" | "fshr" => self.funnel(word == "fshl", call),
            "fabs" | "copysign" | "minnum" | "maxnum" | "fmuladd" | "fma" => {
                self.float_function(word, call)
            }
            "flt" | "get" if is(intrinsic, "flt.rounds") || is(intrinsic, "get.rounding") => {
                Ok(one(constant(1, self.unit.width(call.result)?)))
            }
            "readcyclecounter" | "readsteadycounter" => {
                let dst = self.register(self.unit.width(call.result)?);
                let name = format!("llvm.{word}");
                self.push(Op::Input { dst, kind: InputKind::External, name });
                Ok(one(Operand::Reg(dst)))
            }
            "va_start" | "va_copy" if self.unit.is_arm() => {
                refuse("a list of variable arguments on AArch64")
            }
            "va_start" => self.va_start(call),
            "va_copy" => self.va_copy(call),
            "aarch64" if is(intrinsic, "aarch64.hint") => Ok(Parts::new()),
            "aarch64" if ["dmb", "dsb", "isb"].iter().any(|f| intrinsic.ends_with(f)) => {
                self.push(Op::Fence { order: Order::SeqCst });
                Ok(Parts::new())
            }
            "x86" if ["mfence", "lfence", "sfence"].iter().any(|f| intrinsic.ends_with(f)) => {
                self.push(Op::Fence { order: Order::SeqCst });
                Ok(Parts::new())
            }
            "is" if is(intrinsic, "is.fpclass") => self.float_class(call),
            _ => self.library_float(word, intrinsic, call),
        }
    }

    /// Floating-point functions that clang turns into intrinsics but that have a library model:
    /// `llvm.floor.f32` is `floorf`.
    fn library_float(&mut self, word: &str, intrinsic: &str, call: &ll::Call) -> Lowered<Parts> {
        let suffix = match self.unit.float(call.result) {
            Ok(FloatKind::Single) => "f",
            Ok(FloatKind::Double) => "",
            Ok(FloatKind::X87) => "l",
            Ok(FloatKind::Half | FloatKind::Quad) | Err(_) => {
                return refuse(format!("the intrinsic llvm.{intrinsic}"));
            }
        };
        match self.cx.model(&format!("{word}{suffix}")) {
            Some((unit, Item::Function(index))) => self.call_function(unit, index, call),
            _ => refuse(format!("the intrinsic llvm.{intrinsic}")),
        }
    }

    /// `llvm.is.fpclass`: `isnormal` and its kin, by the bits of the encoding.
    fn float_class(&mut self, call: &ll::Call) -> Lowered<Parts> {
        let kind = self.unit.float(self.first(call)?.ty)?;
        let fraction = match kind {
            FloatKind::Half => 10,
            FloatKind::Single => 23,
            FloatKind::Double => 52,
            FloatKind::Quad => 112,
            FloatKind::X87 => return refuse("the class of a long double"),
        };
        let Operand::Const(wanted) = self.operand_of(call, 1)? else {
            return refuse("a variable floating-point class");
        };
        let x = self.operand_of(call, 0)?;
        let width = kind.bits();
        let sign = 1u128 << (width - 1);
        let infinity = (sign - 1) & !((1 << fraction) - 1);
        let quiet = infinity | 1 << (fraction - 1);
        let least = 1u128 << fraction;
        // Ranges of the magnitude, first and last, with the bits for positive and negative numbers.
        let classes: [(u128, u128, u128, u128); 6] = [
            (infinity + 1, quiet - 1, 1, 1),
            (quiet, sign - 1, 2, 2),
            (infinity, infinity, 0x200, 0x4),
            (least, infinity - 1, 0x100, 0x8),
            (1, least - 1, 0x80, 0x10),
            (0, 0, 0x40, 0x20),
        ];
        let mut result = constant(0, 1);
        for (first, last, positive, negative) in classes {
            for (bit, top) in [(positive, 0), (negative, sign)] {
                if wanted.value & bit == 0 {
                    continue;
                }
                let low = constant(first | top, width);
                let high = constant(last | top, width);
                let above = self.compute(Expr::Compare { op: CmpOp::Uge, a: x, b: low }, 1)?;
                let below = self.compute(Expr::Compare { op: CmpOp::Ule, a: x, b: high }, 1)?;
                let both = Expr::Binary { op: BinOp::And, a: above, b: below, wrap: FREE };
                let both = self.compute(both, 1)?;
                let or = Expr::Binary { op: BinOp::Or, a: result, b: both, wrap: FREE };
                result = self.compute(or, 1)?;
            }
        }
        Ok(one(result))
    }

    fn ignored(&mut self, call: &ll::Call) -> Lowered<Parts> {
        if call.result == TypeId::VOID {
            return Ok(Parts::new());
        }
        Ok(self.unit.leaves(call.result)?.iter().map(|l| Some(constant(0, l.width))).collect())
    }

    fn first<'a>(&self, call: &'a ll::Call) -> Lowered<&'a ll::Operand> {
        call.arguments
            .first()
            .map_or_else(|| refuse("a call with too few arguments"), |a| Ok(&a.operand))
    }

    fn operand_of(&mut self, call: &ll::Call, index: usize) -> Lowered<Operand> {
        match call.arguments.get(index) {
            Some(argument) => self.typed(&argument.operand),
            None => refuse("a call with too few arguments"),
        }
    }

    /// Arithmetic with overflow flag (`.with.overflow`) or saturation (`.sat`).
    fn checked(&mut self, intrinsic: &str, call: &ll::Call) -> Lowered<Parts> {
        let signed = intrinsic.starts_with('s');
        let op = match &intrinsic[1..4] {
            "add" => BinOp::Add,
            "sub" => BinOp::Sub,
            _ => BinOp::Mul,
        };
        let (a, b) = (self.operand_of(call, 0)?, self.operand_of(call, 1)?);
        let width = self.width_of(a);
        let value = self.compute(Expr::Binary { op, a, b, wrap: FREE }, width)?;
        let overflows = self.compute(Expr::Overflows { op, signed, a, b }, 1)?;
        let rest = &intrinsic[4..];
        if rest.starts_with(".with.overflow") {
            return Ok([Some(value), Some(overflows)].into_iter().collect());
        }
        if !rest.starts_with(".sat") || op == BinOp::Mul {
            return refuse(format!("the intrinsic llvm.{intrinsic}"));
        }
        let highest = constant(u128::MAX >> 1 >> (127 - (width - 1)), width);
        let limit = match (signed, op) {
            (false, BinOp::Add) => constant(u128::MAX, width),
            (false, _) => constant(0, width),
            (true, _) => {
                // The first operand tells the direction of a signed overflow.
                let lowest = constant(1 << (width - 1), width);
                let zero = constant(0, width);
                let cond = self.compute(Expr::Compare { op: CmpOp::Slt, a, b: zero }, 1)?;
                self.compute(Expr::Select { cond, a: lowest, b: highest }, width)?
            }
        };
        let expr = Expr::Select { cond: overflows, a: limit, b: value };
        Ok(one(self.compute(expr, width)?))
    }

    /// Absolute value, minimum, maximum.
    fn choose(&mut self, word: &str, call: &ll::Call) -> Lowered<Parts> {
        let a = self.operand_of(call, 0)?;
        let width = self.width_of(a);
        if word == "abs" {
            let undefined = matches!(self.operand_of(call, 1)?, Operand::Const(c) if c.value == 1);
            let zero = constant(0, width);
            let wrap = Wrap { no_signed: undefined, no_unsigned: false };
            let negated =
                self.compute(Expr::Binary { op: BinOp::Sub, a: zero, b: a, wrap }, width)?;
            let cond = self.compute(Expr::Compare { op: CmpOp::Slt, a, b: zero }, 1)?;
            return Ok(one(self.compute(Expr::Select { cond, a: negated, b: a }, width)?));
        }
        let b = self.operand_of(call, 1)?;
        let op = match word {
            "smax" => CmpOp::Sgt,
            "smin" => CmpOp::Slt,
            "umax" => CmpOp::Ugt,
            _ => CmpOp::Ult,
        };
        let cond = self.compute(Expr::Compare { op, a, b }, 1)?;
        Ok(one(self.compute(Expr::Select { cond, a, b }, width)?))
    }

    fn bits(&mut self, op: BitOp, call: &ll::Call) -> Lowered<Parts> {
        let a = self.operand_of(call, 0)?;
        let width = self.width_of(a);
        Ok(one(self.compute(Expr::Bits { op, a }, width)?))
    }

    /// Funnel shifts, which are how clang writes rotations. The far part is shifted twice, so that
    /// no shift is by the whole width.
    fn funnel(&mut self, left: bool, call: &ll::Call) -> Lowered<Parts> {
        let (a, b) = (self.operand_of(call, 0)?, self.operand_of(call, 1)?);
        let amount = self.operand_of(call, 2)?;
        let width = self.width_of(a);
        let bin = |op, a, b| Expr::Binary { op, a, b, wrap: FREE };
        let by =
            self.compute(bin(BinOp::URem, amount, constant(u128::from(width), width)), width)?;
        let most = constant(u128::from(width - 1), width);
        let rest = self.compute(bin(BinOp::Sub, most, by), width)?;
        let one_bit = constant(1, width);
        let (high, low) = if left {
            let high = self.compute(bin(BinOp::Shl, a, by), width)?;
            let half = self.compute(bin(BinOp::LShr, b, one_bit), width)?;
            (high, self.compute(bin(BinOp::LShr, half, rest), width)?)
        } else {
            let half = self.compute(bin(BinOp::Shl, a, one_bit), width)?;
            let high = self.compute(bin(BinOp::Shl, half, rest), width)?;
            (high, self.compute(bin(BinOp::LShr, b, by), width)?)
        };
        Ok(one(self.compute(bin(BinOp::Or, high, low), width)?))
    }

    fn float_function(&mut self, word: &str, call: &ll::Call) -> Lowered<Parts> {
        let kind = self.unit.float(call.result)?;
        let width = kind.bits();
        let a = self.operand_of(call, 0)?;
        if word == "fabs" {
            return Ok(one(self.compute(Expr::FloatAbs { kind, a }, width)?));
        }
        let b = self.operand_of(call, 1)?;
        let op = match word {
            "copysign" => FloatOp::CopySign,
            "minnum" => FloatOp::Min,
            "maxnum" => FloatOp::Max,
            "fmuladd" => {
                // May be fused or not: the C expression has two operations, so two are right.
                let c = self.operand_of(call, 2)?;
                let product = self.compute(Expr::Float { op: FloatOp::Mul, kind, a, b }, width)?;
                let sum = Expr::Float { op: FloatOp::Add, kind, a: product, b: c };
                return Ok(one(self.compute(sum, width)?));
            }
            _ => return self.library_float(word, word, call),
        };
        Ok(one(self.compute(Expr::Float { op, kind, a, b }, width)?))
    }

    /// `va_start`: the list begins at the hidden parameter. On x86-64 the offsets into the register
    /// area are set to its end, so that every argument is taken from memory.
    fn va_start(&mut self, call: &ll::Call) -> Lowered<Parts> {
        let Some(start) = self.variadic.map(Operand::Reg) else {
            return refuse("va_start outside of a variadic function");
        };
        let list = self.operand_of(call, 0)?;
        let bits = self.unit.pointer_bits();
        let access = self.plain();
        if bits == 32 {
            self.push(Op::Store { addr: list, value: start, width: bits, access });
            return Ok(Parts::new());
        }
        for (offset, value) in [(0, 48), (4, 176)] {
            let addr = self.offset(list, offset)?;
            self.push(Op::Store { addr, value: constant(value, 32), width: 32, access });
        }
        for (offset, value) in [(8, start), (16, constant(0, bits))] {
            let addr = self.offset(list, offset)?;
            self.push(Op::Store { addr, value, width: bits, access });
        }
        Ok(Parts::new())
    }

    fn va_copy(&mut self, call: &ll::Call) -> Lowered<Parts> {
        let (to, from) = (self.operand_of(call, 0)?, self.operand_of(call, 1)?);
        let bits = self.unit.pointer_bits();
        let words: &[(u64, u32)] =
            if bits == 32 { &[(0, 32)] } else { &[(0, 32), (4, 32), (8, 64), (16, 64)] };
        let access = self.plain();
        for &(offset, width) in words {
            let addr = self.offset(from, offset)?;
            let dst = self.register(width);
            self.push(Op::Load { dst, addr, access });
            let addr = self.offset(to, offset)?;
            self.push(Op::Store { addr, value: Operand::Reg(dst), width, access });
        }
        Ok(Parts::new())
    }
}
