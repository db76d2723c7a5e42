//! Inline assembly: the few x86 instructions that system headers use for concurrency; those of AArch64 are in
//! `assembly_arm.rs`.
//!
//! Known: barriers (empty text, `mfence`, a locked addition of 0 to the stack), `pause`, read-modify-write
//! instructions with a `lock` prefix (`xadd`, `cmpxchg`, `add`, `sub`, `and`, `or`, `xor`, `inc`, `dec`) and
//! `xchg`, which locks by itself, `sete`/`setne` after one of them, and `rdtsc`, whose result is an input. Everything
//! else is refused as a whole: no part of an unknown text is guessed.
//! The text is that of AT&T syntax, source before destination; operands are numbered by their
//! constraints, outputs first. An output is what its tied input was, unless an instruction wrote it.
//! Source: Intel's manual for the instructions, the LLVM Language Reference for constraints.
//! Invariant: a body of assembly is refused before it has emitted anything, or lowered completely, except
//! that what was emitted before a refusal is harmless: the thread stops there.

use raddle_ir::{Access, BinOp, CmpOp, Expr, InputKind, Op, Operand, Order, RmwOp, Wrap};

use super::body::Body;
use super::compute::{Computes, Parts, constant};
use super::refusal::{Lowered, refuse};
use crate::llvm::ast as ll;
use crate::llvm::types::TypeId;

/// An operand of the text.
#[derive(Clone, Debug)]
struct Slot {
    /// Its address, if it lies in memory.
    memory: Option<Operand>,
    /// What it holds, if that is known.
    value: Option<Operand>,
    /// The register, if the constraint names one.
    register: Option<String>,
    /// Whether it is a result.
    is_output: bool,
}

/// Operands and flags while the text is read.
pub(super) struct Machine {
    slots: Vec<Slot>,
    /// The zero flag, once an instruction has set it.
    pub(super) zero: Option<Operand>,
}

/// How an operand is written.
enum Written {
    Slot(usize),
    Immediate(u128),
    /// A place on the stack, which only barriers touch.
    Stack,
}

impl Body<'_, '_> {
    /// Lowers inline assembly.
    pub(crate) fn assembly(&mut self, asm: &ll::Assembly, call: &ll::Call) -> Lowered<Parts> {
        if self.unit.is_arm() {
            return self.arm_assembly(asm, call);
        }
        let Some(mut machine) = self.machine(asm, call)? else { return unknown(asm) };
        let mut locked = false;
        let mut pieces = 0;
        for piece in asm.text.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
            pieces += 1;
            let lower = piece.to_ascii_lowercase();
            let (rest, prefix) = match lower.strip_prefix("lock") {
                Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => (rest, true),
                _ => (lower.as_str(), false),
            };
            locked |= prefix;
            let rest = rest.trim();
            if rest.is_empty() {
                continue;
            }
            if !self.machine_instruction(&mut machine, rest, locked)? {
                return unknown(asm);
            }
            locked = false;
        }
        if pieces == 0 {
            self.push(Op::Fence { order: Order::SeqCst });
        }
        self.outputs(machine, call.result)
    }

    /// The operands before the first instruction; `None` if they are not understood.
    pub(super) fn machine(
        &mut self,
        asm: &ll::Assembly,
        call: &ll::Call,
    ) -> Lowered<Option<Machine>> {
        Ok(self.slots(asm, call)?.map(|slots| Machine { slots, zero: None }))
    }

    /// The operands by their constraints; `None` if they are not understood.
    fn slots(&mut self, asm: &ll::Assembly, call: &ll::Call) -> Lowered<Option<Vec<Slot>>> {
        let mut slots: Vec<Slot> = Vec::new();
        let mut arguments = call.arguments.iter();
        for text in asm.constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')) {
            let is_output = text.starts_with('=');
            let text = text.trim_start_matches(['=', '&', '%']);
            let in_memory = text.starts_with('*');
            let register = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
            let mut slot = Slot {
                memory: None,
                value: None,
                register: register.map(str::to_string),
                is_output: is_output && !in_memory,
            };
            if in_memory || !is_output {
                let Some(argument) = arguments.next() else { return Ok(None) };
                let value = self.typed(&argument.operand)?;
                if in_memory {
                    slot.memory = Some(value);
                } else {
                    slot.value = Some(value);
                }
                if let Ok(tied) = text.parse::<usize>() {
                    let Some(output) = slots.get_mut(tied) else { return Ok(None) };
                    output.value = slot.value;
                }
            }
            slots.push(slot);
        }
        Ok(arguments.next().is_none().then_some(slots))
    }

    /// One instruction without its prefix; false if it is not known.
    fn machine_instruction(
        &mut self,
        machine: &mut Machine,
        text: &str,
        locked: bool,
    ) -> Lowered<bool> {
        let (name, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        match name {
            "pause" | "nop" | "rep" if rest.is_empty() || rest.trim() == "nop" => return Ok(true),
            "mfence" | "lfence" | "sfence" => {
                self.push(Op::Fence { order: Order::SeqCst });
                return Ok(true);
            }
            "rdtsc" => return Ok(self.time_stamp(machine)),
            _ => {}
        }
        let written: Option<Vec<Written>> = rest.split(',').map(|o| operand(o.trim())).collect();
        let Some(written) = written else { return Ok(false) };
        match (name, written.as_slice()) {
            ("sete" | "setz" | "setne" | "setnz", [Written::Slot(to)]) => {
                let Some(zero) = machine.zero else { return Ok(false) };
                let Some(slot) = machine.slots.get_mut(*to).filter(|s| s.is_output) else {
                    return Ok(false);
                };
                let cond = zero;
                let (a, b) = match name {
                    "sete" | "setz" => (constant(1, 8), constant(0, 8)),
                    _ => (constant(0, 8), constant(1, 8)),
                };
                slot.value = Some(self.compute(Expr::Select { cond, a, b }, 8)?);
                Ok(true)
            }
            (_, [Written::Immediate(0), Written::Stack]) if locked && name.starts_with("add") => {
                self.push(Op::Fence { order: Order::SeqCst });
                Ok(true)
            }
            (_, [one]) => self.modify(machine, name, &Written::Immediate(1), one, locked),
            (_, [from, to]) => self.modify(machine, name, from, to, locked),
            _ => Ok(false),
        }
    }

    /// A read-modify-write instruction with its source and destination.
    fn modify(
        &mut self,
        machine: &mut Machine,
        name: &str,
        from: &Written,
        to: &Written,
        locked: bool,
    ) -> Lowered<bool> {
        const KNOWN: &[(&str, RmwOp)] = &[
            ("xadd", RmwOp::Add),
            ("xchg", RmwOp::Exchange),
            ("cmpxchg", RmwOp::Exchange),
            ("add", RmwOp::Add),
            ("sub", RmwOp::Sub),
            ("and", RmwOp::And),
            ("or", RmwOp::Or),
            ("xor", RmwOp::Xor),
            ("inc", RmwOp::Add),
            ("dec", RmwOp::Sub),
        ];
        let found = KNOWN.iter().find_map(|(base, op)| {
            let suffix = name.strip_prefix(base)?;
            let width = match suffix {
                "" => None,
                "b" => Some(8),
                "w" => Some(16),
                "l" => Some(32),
                "q" => Some(64),
                _ => return None,
            };
            Some((*base, *op, width))
        });
        let Some((base, op, width)) = found else { return Ok(false) };
        let one_operand = matches!(from, Written::Immediate(1)) && matches!(base, "inc" | "dec");
        if !one_operand && matches!(base, "inc" | "dec") {
            return Ok(false);
        }
        // `xchg` may name memory first.
        let memory = |w: &Written| match w {
            Written::Slot(s) => machine.slots.get(*s).and_then(|s| s.memory),
            Written::Immediate(_) | Written::Stack => None,
        };
        let (from, to) =
            if base == "xchg" && memory(to).is_none() { (to, from) } else { (from, to) };
        let Some(addr) = memory(to).filter(|_| locked || base == "xchg") else { return Ok(false) };
        let source = match from {
            Written::Slot(s) => machine.slots.get(*s).and_then(|s| s.value),
            Written::Immediate(value) => Some(constant(*value, width.unwrap_or(32))),
            Written::Stack => None,
        };
        let Some(source) = source else { return Ok(false) };
        let width = width.unwrap_or(self.width_of(source));
        let value = self.resize(source, self.width_of(source), width)?;
        let access = Access { atomic: Some(Order::SeqCst), volatile: true, ..self.plain() };
        let old = self.register(width);
        if base == "cmpxchg" {
            let Some(expected) = machine.accumulator() else { return Ok(false) };
            let expected = self.resize(expected, self.width_of(expected), width)?;
            let ok = self.register(1);
            let (new, weak) = (value, false);
            self.push(Op::CompareExchange { old, ok, addr, expected, new, width, access, weak });
            machine.zero = Some(Operand::Reg(ok));
            machine.set_accumulator(Operand::Reg(old));
            return Ok(true);
        }
        self.push(Op::Rmw { dst: old, op, addr, value, width, access });
        machine.zero = self.zero_flag(op, Operand::Reg(old), value, width)?;
        if matches!(base, "xadd" | "xchg") {
            let Written::Slot(s) = from else { return Ok(false) };
            let Some(slot) = machine.slots.get_mut(*s).filter(|s| s.is_output) else {
                return Ok(false);
            };
            slot.value = Some(Operand::Reg(old));
        }
        Ok(true)
    }

    /// Whether the result of an operation is zero; `xchg` leaves the flag alone.
    fn zero_flag(
        &mut self,
        op: RmwOp,
        a: Operand,
        b: Operand,
        width: u32,
    ) -> Lowered<Option<Operand>> {
        let op = match op {
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            RmwOp::Exchange | RmwOp::Nand | RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin => {
                return Ok(None);
            }
        };
        let wrap = Wrap { no_signed: false, no_unsigned: false };
        let result = self.compute(Expr::Binary { op, a, b, wrap }, width)?;
        let zero = constant(0, width);
        self.compute(Expr::Compare { op: CmpOp::Eq, a: result, b: zero }, 1).map(Some)
    }

    /// `rdtsc`: any time.
    fn time_stamp(&mut self, machine: &mut Machine) -> bool {
        for slot in machine.slots.iter_mut().filter(|s| s.is_output) {
            let dst = self.register(64);
            let (kind, name) = (InputKind::External, "rdtsc".to_string());
            self.push(Op::Input { dst, kind, name });
            slot.value = Some(Operand::Reg(dst));
        }
        true
    }

    /// The results, in the order of the constraints.
    pub(super) fn outputs(&mut self, machine: Machine, ty: TypeId) -> Lowered<Parts> {
        let outputs: Vec<Slot> = machine.slots.into_iter().filter(|s| s.is_output).collect();
        if ty == TypeId::VOID {
            return match outputs.is_empty() {
                true => Ok(Parts::new()),
                false => refuse("inline assembly whose outputs have no type"),
            };
        }
        let leaves = self.unit.leaves(ty)?;
        if leaves.len() != outputs.len() {
            return refuse("inline assembly with outputs of several parts");
        }
        let mut parts = Parts::new();
        for (leaf, slot) in leaves.iter().zip(outputs) {
            parts.push(Some(match slot.value {
                Some(value) => self.resize(value, self.width_of(value), leaf.width)?,
                None => self.undefined(leaf.width),
            }));
        }
        Ok(parts)
    }
}

impl Machine {
    /// Whether an operand lies in memory.
    pub(super) fn is_in_memory(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(|s| s.memory.is_some())
    }

    /// Where an operand lies, or points to.
    pub(super) fn address(&self, slot: usize) -> Option<Operand> {
        self.slots.get(slot).and_then(|s| s.memory.or(s.value))
    }

    /// What an operand holds.
    pub(super) fn value(&self, slot: usize) -> Option<Operand> {
        self.slots.get(slot).and_then(|s| s.value)
    }

    /// Writes a result; false if the operand is none.
    pub(super) fn set(&mut self, slot: usize, value: Operand) -> bool {
        match self.slots.get_mut(slot).filter(|s| s.is_output) {
            Some(slot) => {
                slot.value = Some(value);
                true
            }
            None => false,
        }
    }

    fn accumulator(&self) -> Option<Operand> {
        let slots = self.slots.iter().filter(|s| s.register.as_deref() == Some("ax"));
        slots.filter_map(|s| s.value).next()
    }

    fn set_accumulator(&mut self, value: Operand) {
        let is = |s: &&mut Slot| s.is_output && s.register.as_deref() == Some("ax");
        self.slots.iter_mut().filter(is).for_each(|s| s.value = Some(value));
    }
}

fn operand(text: &str) -> Option<Written> {
    if let Some(number) = text.strip_prefix("$$") {
        return number.parse().ok().map(Written::Immediate);
    }
    if let Some(slot) = text.strip_prefix('$') {
        let slot = slot.trim_start_matches('{').trim_end_matches('}');
        let (number, _modifier) = slot.split_once(':').unwrap_or((slot, ""));
        return number.parse().ok().map(Written::Slot);
    }
    let on_stack = text.ends_with("(%esp)") || text.ends_with("(%rsp)");
    on_stack.then_some(Written::Stack)
}

/// Assembly that is not understood.
pub(super) fn unknown<T>(asm: &ll::Assembly) -> Lowered<T> {
    let text: String = asm.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = text.chars().take(60).collect();
    refuse(format!("inline assembly `{short}`"))
}
