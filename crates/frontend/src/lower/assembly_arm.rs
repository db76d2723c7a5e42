//! Inline assembly of AArch64: what system headers use for concurrency.
//!
//! Known: barriers (`dmb`, `dsb`, `isb`), hints (`yield`, `wfe`, `sev`, `nop`, `prfm`), the atomic instructions of
//! LSE (`ldadd`, `ldclr`, `ldset`, `ldeor`, `st…` of these, `swp`, `cas`), and loops of a load-exclusive and a
//! store-exclusive that exchange, compute one new value from the old one, or compare and exchange; `mov` and `cset`
//! around them. Everything else is refused as a whole: no part of an unknown text is guessed.
//!
//! Idea: such a loop ends with an iteration in which nobody has written between load and store, and the iterations
//! before it change nothing. So it is one read-modify-write instruction.
//! Source: Arm Architecture Reference Manual for A-profile; the LLVM Language Reference for constraints.
//! Limits: operands that are written as registers; a store-exclusive whose failure is left to the program.

use raddle_ir::{Access, BinOp, Expr, Op, Operand, Order, RmwOp, Wrap};

use super::assembly::{Machine, unknown};
use super::body::Body;
use super::compute::{Computes, Parts, constant};
use super::refusal::Lowered;
use crate::llvm::ast as ll;

/// An operand as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written<'a> {
    /// A register: which operand, and how many bits of it.
    Register(usize, u32),
    /// Memory: which operand has or is its address.
    Memory(usize),
    Immediate(u64),
    /// The register that is always zero.
    Zero,
    /// A label, or a condition, or a kind of barrier.
    Word(&'a str),
}

/// A line of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line<'a> {
    Label(&'a str),
    Instruction(&'a str, Vec<Written<'a>>),
}

/// What a loop does with the old value.
enum Change<'a> {
    Modify(RmwOp, Written<'a>, Complement),
    CompareExchange { expected: Written<'a>, new: Written<'a> },
}

/// Whether the operand's bits are turned around first (`bic`, `ldclr`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Complement {
    Yes,
    No,
}

/// A loop of a load-exclusive and a store-exclusive.
struct Loop<'a> {
    change: Change<'a>,
    memory: usize,
    width: u32,
    /// Registers that hold the old value, what the store writes, and 0 once the store has succeeded.
    old: usize,
    new: Option<usize>,
    status: usize,
    /// The lines that it takes.
    lines: usize,
}

impl Body<'_, '_> {
    /// Lowers inline assembly of AArch64.
    pub(crate) fn arm_assembly(&mut self, asm: &ll::Assembly, call: &ll::Call) -> Lowered<Parts> {
        let Some(mut machine) = self.machine(asm, call)? else { return unknown(asm) };
        let text = asm.text.to_ascii_lowercase();
        let in_memory = |slot| machine.is_in_memory(slot);
        let Some(lines) = lines(&text, &in_memory) else { return unknown(asm) };
        if lines.is_empty() {
            self.push(Op::Fence { order: Order::SeqCst });
        }
        let mut at = 0;
        while at < lines.len() {
            let taken = match exclusive(&lines, at) {
                Some(found) => self.exclusive_loop(&mut machine, &found)?.then_some(found.lines),
                None => self.arm_line(&mut machine, &lines[at])?.then_some(1),
            };
            match taken {
                Some(taken) => at += taken,
                None => return unknown(asm),
            }
        }
        self.outputs(machine, call.result)
    }

    /// One line that is no part of a loop; false if it is not known.
    fn arm_line(&mut self, machine: &mut Machine, line: &Line<'_>) -> Lowered<bool> {
        let Line::Instruction(name, operands) = line else { return Ok(true) };
        match (*name, operands.as_slice()) {
            ("yield" | "nop" | "wfe" | "sev" | "sevl" | "prfm" | "hint", _) => Ok(true),
            ("dmb" | "dsb" | "isb", _) => {
                self.push(Op::Fence { order: Order::SeqCst });
                Ok(true)
            }
            ("mov", [Written::Register(to, width), from]) => {
                let value = self.arm_value(machine, *from, *width)?;
                Ok(value.is_some_and(|value| machine.set(*to, value)))
            }
            ("cset", [Written::Register(to, width), Written::Word(when @ ("eq" | "ne"))]) => {
                let Some(cond) = machine.zero else { return Ok(false) };
                let (one, zero) = (constant(1, *width), constant(0, *width));
                let (a, b) = if *when == "eq" { (one, zero) } else { (zero, one) };
                let value = self.compute(Expr::Select { cond, a, b }, *width)?;
                Ok(machine.set(*to, value))
            }
            (name, operands) => self.large_system(machine, name, operands),
        }
    }

    /// An atomic instruction of the Large System Extensions.
    fn large_system(
        &mut self,
        machine: &mut Machine,
        name: &str,
        operands: &[Written<'_>],
    ) -> Lowered<bool> {
        const KNOWN: &[(&str, RmwOp, Complement)] = &[
            ("add", RmwOp::Add, Complement::No),
            ("clr", RmwOp::And, Complement::Yes),
            ("set", RmwOp::Or, Complement::No),
            ("eor", RmwOp::Xor, Complement::No),
        ];
        let known = |rest: &str| {
            let found = KNOWN.iter().find(|(base, ..)| rest.starts_with(base));
            found.map(|(base, op, complement)| (*op, *complement, rest[base.len()..].to_string()))
        };
        let (change, to, memory, suffix, bits) = match *operands {
            [from @ (Written::Register(..) | Written::Zero), to, Written::Memory(memory)] => {
                let bits = bits_of(if from == Written::Zero { to } else { from });
                if let Some(suffix) = name.strip_prefix("cas") {
                    let change = Change::CompareExchange { expected: from, new: to };
                    (change, from, memory, suffix.to_string(), bits)
                } else if let Some(suffix) = name.strip_prefix("swp") {
                    let change = Change::Modify(RmwOp::Exchange, from, Complement::No);
                    (change, to, memory, suffix.to_string(), bits)
                } else if let Some((op, complement, suffix)) =
                    name.strip_prefix("ld").and_then(known)
                {
                    (Change::Modify(op, from, complement), to, memory, suffix, bits)
                } else {
                    return Ok(false);
                }
            }
            [from @ Written::Register(_, bits), Written::Memory(memory)] => {
                let Some((op, complement, suffix)) = name.strip_prefix("st").and_then(known) else {
                    return Ok(false);
                };
                (Change::Modify(op, from, complement), Written::Zero, memory, suffix, bits)
            }
            _ => return Ok(false),
        };
        let Some(width) = width_of_suffix(&suffix, bits) else { return Ok(false) };
        let Some((old, _)) = self.change(machine, &change, memory, width)? else {
            return Ok(false);
        };
        match to {
            Written::Register(slot, _) => Ok(machine.set(slot, old)),
            Written::Zero => Ok(true),
            Written::Memory(_) | Written::Immediate(_) | Written::Word(_) => Ok(false),
        }
    }

    /// A loop as one instruction.
    fn exclusive_loop(&mut self, machine: &mut Machine, found: &Loop<'_>) -> Lowered<bool> {
        let Loop { change, memory, width, old, new, status, .. } = found;
        let Some((value, written)) = self.change(machine, change, *memory, *width)? else {
            return Ok(false);
        };
        // The new value last: it may be in the register of the old one.
        let known = machine.set(*old, value)
            && new.is_none_or(|new| written.is_some_and(|w| machine.set(new, w)));
        let done = match (change, machine.zero) {
            // Without a store nothing was written there.
            (Change::CompareExchange { .. }, Some(cond)) => {
                let b = self.undefined(32);
                self.compute(Expr::Select { cond, a: constant(0, 32), b }, 32)?
            }
            _ => constant(0, 32),
        };
        Ok(known && machine.set(*status, done))
    }

    /// Emits a read-modify-write instruction; gives the old value, and the new one where it is computed.
    fn change(
        &mut self,
        machine: &mut Machine,
        change: &Change<'_>,
        memory: usize,
        width: u32,
    ) -> Lowered<Option<(Operand, Option<Operand>)>> {
        let Some(addr) = machine.address(memory) else { return Ok(None) };
        let access = Access { atomic: Some(Order::SeqCst), volatile: true, ..self.plain() };
        let old = self.register(width);
        match *change {
            Change::CompareExchange { expected, new } => {
                let expected = self.arm_value(machine, expected, width)?;
                let new = self.arm_value(machine, new, width)?;
                let (Some(expected), Some(new)) = (expected, new) else { return Ok(None) };
                let (ok, weak) = (self.register(1), false);
                self.push(Op::CompareExchange {
                    old,
                    ok,
                    addr,
                    expected,
                    new,
                    width,
                    access,
                    weak,
                });
                machine.zero = Some(Operand::Reg(ok));
                Ok(Some((Operand::Reg(old), None)))
            }
            Change::Modify(op, from, complement) => {
                let Some(mut value) = self.arm_value(machine, from, width)? else {
                    return Ok(None);
                };
                if complement == Complement::Yes {
                    value = self.binary(BinOp::Xor, value, constant(mask(width), width), width)?;
                }
                self.push(Op::Rmw { dst: old, op, addr, value, width, access });
                let new = match op {
                    RmwOp::Add => self.binary(BinOp::Add, Operand::Reg(old), value, width)?,
                    RmwOp::Sub => self.binary(BinOp::Sub, Operand::Reg(old), value, width)?,
                    RmwOp::And => self.binary(BinOp::And, Operand::Reg(old), value, width)?,
                    RmwOp::Or => self.binary(BinOp::Or, Operand::Reg(old), value, width)?,
                    RmwOp::Xor => self.binary(BinOp::Xor, Operand::Reg(old), value, width)?,
                    RmwOp::Exchange => value,
                    RmwOp::Nand | RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin => {
                        unreachable!("no instruction here computes this")
                    }
                };
                Ok(Some((Operand::Reg(old), Some(new))))
            }
        }
    }

    fn binary(&mut self, op: BinOp, a: Operand, b: Operand, width: u32) -> Lowered<Operand> {
        let wrap = Wrap { no_signed: false, no_unsigned: false };
        self.compute(Expr::Binary { op, a, b, wrap }, width)
    }

    /// What an operand holds, in so many bits.
    fn arm_value(
        &mut self,
        machine: &Machine,
        written: Written<'_>,
        width: u32,
    ) -> Lowered<Option<Operand>> {
        match written {
            Written::Register(slot, _) => match machine.value(slot) {
                Some(value) => self.resize(value, self.width_of(value), width).map(Some),
                None => Ok(None),
            },
            Written::Immediate(value) => Ok(Some(constant(u128::from(value) & mask(width), width))),
            Written::Zero => Ok(Some(constant(0, width))),
            Written::Memory(_) | Written::Word(_) => Ok(None),
        }
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn bits_of(written: Written<'_>) -> u32 {
    match written {
        Written::Register(_, bits) => bits,
        Written::Memory(_) | Written::Immediate(_) | Written::Zero | Written::Word(_) => 64,
    }
}

/// The width of an access: orders do not matter, `b` and `h` are bytes and half words.
fn width_of_suffix(suffix: &str, bits: u32) -> Option<u32> {
    let size = ["al", "a", "l"].iter().find_map(|o| suffix.strip_prefix(o)).unwrap_or(suffix);
    match size {
        "" => Some(bits),
        "b" => Some(8),
        "h" => Some(16),
        _ => None,
    }
}

/// The loop that begins with the load-exclusive of a line, its label before it.
fn exclusive<'a>(lines: &[Line<'a>], at: usize) -> Option<Loop<'a>> {
    let label = at.checked_sub(1).and_then(|before| match lines[before] {
        Line::Label(name) => Some(name),
        Line::Instruction(..) => None,
    })?;
    let instruction = |i: usize| match lines.get(i)? {
        Line::Instruction(name, operands) => Some((*name, operands.as_slice())),
        Line::Label(_) => None,
    };
    let (name, &[Written::Register(old, bits), Written::Memory(memory)]) = instruction(at)? else {
        return None;
    };
    let suffix = ["ldxr", "ldaxr"].iter().find_map(|load| name.strip_prefix(load))?;
    let width = width_of_suffix(suffix, bits).filter(|_| !suffix.starts_with(['a', 'l']))?;
    let store = (at + 1..lines.len()).find(|&i| {
        instruction(i).is_some_and(|(name, _)| {
            ["stxr", "stlxr"].iter().any(|s| name.strip_prefix(s) == Some(suffix))
        })
    })?;
    let (_, operands) = instruction(store)?;
    let &[Written::Register(status, _), source, Written::Memory(stored)] = operands else {
        return None;
    };
    let again = Written::Word(label);
    let back = instruction(store + 1)?;
    let repeats = matches!(back, ("cbnz", [Written::Register(s, _), Written::Word(to)])
        if *s == status && to.strip_suffix('b').map(Written::Word) == Some(again));
    if !repeats || stored != memory || status == old {
        return None;
    }
    let body: Option<Vec<_>> = (at + 1..store).map(instruction).collect();
    let (change, new) = match body?.as_slice() {
        [] => (Change::Modify(RmwOp::Exchange, source, Complement::No), None),
        [(op, [Written::Register(to, _), a, b])]
            if source == Written::Register(*to, bits_of(source)) =>
        {
            let (op, value, complement) = computed(op, *a, *b, old)?;
            (Change::Modify(op, value, complement), Some(*to))
        }
        [(test, compared), (jump, target)] => {
            let (expected, end) = unequal(test, compared, jump, target, (old, status))?;
            // What stands before the end is passed only after a store: barriers, nothing else.
            let mut rest = store + 2;
            while matches!(instruction(rest), Some(("dmb", _))) {
                rest += 1;
            }
            if lines.get(rest) != Some(&Line::Label(end)) {
                return None;
            }
            (Change::CompareExchange { expected, new: source }, None)
        }
        _ => return None,
    };
    let lines = store + 2 - at;
    Some(Loop { change, memory, width, old, new, status, lines })
}

/// What an instruction computes from the old value.
fn computed<'a>(
    name: &str,
    a: Written<'a>,
    b: Written<'a>,
    old: usize,
) -> Option<(RmwOp, Written<'a>, Complement)> {
    let is_old = |w: Written<'_>| matches!(w, Written::Register(slot, _) if slot == old);
    let (op, complement, turns) = match name {
        "add" => (RmwOp::Add, Complement::No, true),
        "sub" => (RmwOp::Sub, Complement::No, false),
        "and" => (RmwOp::And, Complement::No, true),
        "orr" => (RmwOp::Or, Complement::No, true),
        "eor" => (RmwOp::Xor, Complement::No, true),
        "bic" => (RmwOp::And, Complement::Yes, false),
        _ => return None,
    };
    match (is_old(a), is_old(b)) {
        (true, false) => Some((op, b, complement)),
        (false, true) if turns => Some((op, a, complement)),
        _ => None,
    }
}

/// The value that the old one is compared with, and the label for when it is another one.
fn unequal<'a>(
    test: &str,
    compared: &[Written<'a>],
    jump: &str,
    target: &[Written<'a>],
    (old, status): (usize, usize),
) -> Option<(Written<'a>, &'a str)> {
    let is = |slot: usize, w: Written<'_>| matches!(w, Written::Register(s, _) if s == slot);
    let (expected, to) = match (test, compared, jump, target) {
        ("cmp", &[a, b], "b.ne" | "bne", &[Written::Word(to)]) if is(old, a) => (b, to),
        // The difference is in the register that the store would have written its result to.
        ("eor", &[d, a, b], "cbnz", &[tested, Written::Word(to)])
            if is(status, d) && is(status, tested) && is(old, a) && !is(status, b) =>
        {
            (b, to)
        }
        _ => return None,
    };
    Some((expected, to.strip_suffix('f')?))
}

/// The lines of a text; `None` if an operand is not understood.
fn lines<'a>(text: &'a str, in_memory: &dyn Fn(usize) -> bool) -> Option<Vec<Line<'a>>> {
    let mut lines = Vec::new();
    for piece in text.split([';', '\n']) {
        let mut rest = piece.split("//").next().unwrap_or_default().trim();
        while let Some((label, after)) = rest.split_once(':').filter(|(l, _)| is_label(l)) {
            lines.push(Line::Label(label));
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        // Directives for the assembler would be another language.
        if rest.starts_with('.') {
            return None;
        }
        let (name, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        if matches!(name, "prfm" | "hint") {
            lines.push(Line::Instruction(name, Vec::new()));
            continue;
        }
        let operands = operands.split(',').map(str::trim).filter(|o| !o.is_empty());
        let operands: Option<_> = operands.map(|o| operand(o, in_memory)).collect();
        lines.push(Line::Instruction(name, operands?));
    }
    Some(lines)
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn operand<'a>(text: &'a str, in_memory: &dyn Fn(usize) -> bool) -> Option<Written<'a>> {
    if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        return slot(inner).map(|(number, _)| Written::Memory(number));
    }
    if let Some(number) = text.strip_prefix('#') {
        return number.parse().ok().map(Written::Immediate);
    }
    if let Some((number, modifier)) = slot(text) {
        return match modifier {
            "w" => Some(Written::Register(number, 32)),
            "" if in_memory(number) => Some(Written::Memory(number)),
            "" | "x" => Some(Written::Register(number, 64)),
            _ => None,
        };
    }
    match text {
        "wzr" | "xzr" => Some(Written::Zero),
        _ if text.bytes().all(|b| b.is_ascii_alphanumeric()) && !is_register(text) => {
            Some(Written::Word(text))
        }
        _ => None,
    }
}

/// Registers that the text names itself are nobody's operands.
fn is_register(text: &str) -> bool {
    matches!(text, "sp" | "lr" | "fp")
        || text.strip_prefix(['w', 'x']).is_some_and(|n| n.parse::<u32>().is_ok())
}

/// `$2` and `${2:w}`: the number of an operand, and how it is to be written.
fn slot(text: &str) -> Option<(usize, &str)> {
    let text = text.strip_prefix('$')?;
    let inner = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
    let (number, modifier) = inner.split_once(':').unwrap_or((inner, ""));
    number.parse().ok().map(|n| (n, modifier))
}
