//! The text form of a program, for `raddle show --stage program` and for tests.

use std::fmt::{self, Write};

use crate::expr::{Expr, Operand};
use crate::ids::RegId;
use crate::instr::{Callee, Op, Terminator};
use crate::program::{Function, Program};

/// Prints the whole program.
pub fn program(p: &Program) -> String {
    let mut out = String::new();
    let _ = write_program(&mut out, p);
    out
}

/// Prints one function.
pub fn function(p: &Program, f: &Function) -> String {
    let mut out = String::new();
    let _ = write_function(&mut out, p, f);
    out
}

fn write_program(out: &mut String, p: &Program) -> fmt::Result {
    writeln!(out, "; addresses of {} bits", p.pointer_bits)?;
    for g in &p.globals {
        let kind = match (g.thread_local, g.constant, g.external) {
            (true, ..) => "thread-local ",
            (_, true, _) => "constant ",
            (.., true) => "external ",
            (false, false, false) => "",
        };
        writeln!(out, "global {kind}@{} at {:#x}, {} bytes", g.name, g.address, g.size)?;
    }
    for f in &p.functions {
        writeln!(out)?;
        write_function(out, p, f)?;
    }
    Ok(())
}

fn write_function(out: &mut String, p: &Program, f: &Function) -> fmt::Result {
    let params: Vec<String> = f.params.iter().map(|&r| declare(f, r)).collect();
    let model = if f.is_model { " ; library model" } else { "" };
    writeln!(out, "function {}({}) at {:#x} {{{model}", f.name, params.join(", "), f.address)?;
    for (b, block) in f.blocks.iter().enumerate() {
        writeln!(out, "b{b}:")?;
        for instr in &block.instrs {
            write!(out, "    {}", op(p, f, &instr.op))?;
            if instr.place.is_known() {
                write!(out, "    ; line {}", instr.place.line)?;
            }
            writeln!(out)?;
        }
        writeln!(out, "    {}", terminator(p, f, &block.end))?;
    }
    writeln!(out, "}}")
}

fn reg(f: &Function, r: RegId) -> String {
    match &f.reg(r).name {
        Some(name) => format!("{name}.{}", r.0),
        None => format!("%{}", r.0),
    }
}

fn declare(f: &Function, r: RegId) -> String {
    format!("{}: {}", reg(f, r), f.reg(r).width)
}

/// Prints an operand.
pub fn operand(p: &Program, f: &Function, o: Operand) -> String {
    match o {
        Operand::Reg(r) => reg(f, r),
        Operand::Const(c) => format!("{}:{}", c.value, c.width),
        Operand::Global(g, 0) => format!("&{}", p.global(g).name),
        Operand::Global(g, offset) => format!("&{}{offset:+}", p.global(g).name),
        Operand::Function(id) => format!("&{}", p.function(id).name),
    }
}

fn expr(p: &Program, f: &Function, e: &Expr) -> String {
    let o = |x: Operand| operand(p, f, x);
    match *e {
        Expr::Use(a) => o(a),
        Expr::Binary { op, a, b, wrap } => {
            let nsw = if wrap.no_signed { ".nsw" } else { "" };
            format!("{op:?}{nsw}({}, {})", o(a), o(b))
        }
        Expr::Offset { base, offset } => format!("{} + {}", o(base), o(offset)),
        Expr::Compare { op, a, b } => format!("{op:?}({}, {})", o(a), o(b)),
        Expr::Cast { op, a, width } => format!("{op:?}({}, {width})", o(a)),
        Expr::Select { cond, a, b } => format!("{} ? {} : {}", o(cond), o(a), o(b)),
        Expr::Overflows { op, signed, a, b } => {
            format!("Overflows.{op:?}.{}({}, {})", if signed { "s" } else { "u" }, o(a), o(b))
        }
        Expr::Bits { op, a } => format!("{op:?}({})", o(a)),
        Expr::Float { op, kind, a, b } => format!("F{op:?}.{kind:?}({}, {})", o(a), o(b)),
        Expr::FloatNeg { kind, a } => format!("FNeg.{kind:?}({})", o(a)),
        Expr::FloatAbs { kind, a } => format!("FAbs.{kind:?}({})", o(a)),
        Expr::FloatCompare { cmp, kind, a, b } => format!("{cmp:?}.{kind:?}({}, {})", o(a), o(b)),
        Expr::FloatCast { from, to, a } => format!("FCast.{from:?}.{to:?}({})", o(a)),
        Expr::FloatToInt { from, signed, a, width } => {
            format!("FToInt.{from:?}.{signed}({}, {width})", o(a))
        }
        Expr::IntToFloat { to, signed, a, .. } => format!("IntToF.{to:?}.{signed}({})", o(a)),
    }
}

/// Prints an instruction.
pub fn op(p: &Program, f: &Function, op: &Op) -> String {
    let o = |x: &Operand| operand(p, f, *x);
    let list = |xs: &[Operand]| xs.iter().map(o).collect::<Vec<_>>().join(", ");
    let to = |dst: &Option<RegId>| dst.map_or(String::new(), |d| format!("{} = ", declare(f, d)));
    let dst = |d: &RegId| declare(f, *d);
    match op {
        Op::Assign { dst: d, value } => format!("{} = {}", dst(d), expr(p, f, value)),
        Op::Load { dst: d, addr, access } => {
            let holder = if access.holder { ".holder" } else { "" };
            format!("{} = load{}{holder} {}", dst(d), atomic(access), o(addr))
        }
        Op::Store { addr, value, access, .. } => {
            let set = if access.set { ".set" } else { "" };
            format!("store{}{set} {}, {}", atomic(access), o(addr), o(value))
        }
        Op::Rmw { dst: d, op, addr, value, .. } => {
            format!("{} = rmw.{op:?} {}, {}", dst(d), o(addr), o(value))
        }
        Op::CompareExchange { old, ok, addr, expected, new, weak, .. } => {
            let weak = if *weak { ".weak" } else { "" };
            let (old, ok) = (dst(old), dst(ok));
            format!("{old}, {ok} = cmpxchg{weak} {}, {}, {}", o(addr), o(expected), o(new))
        }
        Op::Fence { order } => format!("fence {order:?}"),
        Op::Alloc { dst: d, size, kind, zeroed, name, .. } => {
            let zeroed = if *zeroed { " zeroed" } else { "" };
            format!("{} = alloc {kind:?} {}{zeroed} {name}", dst(d), o(size))
        }
        Op::Free { addr } => format!("free {}", o(addr)),
        Op::ObjectSize { dst: d, addr } => format!("{} = object-size {}", dst(d), o(addr)),
        Op::ThreadLocal { dst: d, global } => {
            format!("{} = thread-local &{}", dst(d), p.global(*global).name)
        }
        Op::Call { dst: d, callee, args } => {
            let callee = match callee {
                Callee::Direct(id) => p.function(*id).name.clone(),
                Callee::Indirect(x) => format!("*{}", o(x)),
            };
            format!("{}call {callee}({})", to(d), list(args))
        }
        Op::Create { dst: d, func, args } => {
            format!("{}create {}({})", to(d), o(func), list(args))
        }
        Op::Join { dst: d, thread } => format!("{}join {}", to(d), o(thread)),
        Op::ThreadExit { value } => format!("thread-exit {}", o(value)),
        Op::ThreadSelf { dst: d, place } => {
            format!("{} = self{}", dst(d), if *place { ".place" } else { "" })
        }
        Op::Lock { mutex, wait } => format!("lock{} {}", waiting(*wait), o(mutex)),
        Op::Unlock { mutex, wait } => format!("unlock{} {}", waiting(*wait), o(mutex)),
        Op::TryLock { dst: d, mutex } => format!("{} = try-lock {}", dst(d), o(mutex)),
        Op::AtomicBegin => "atomic-begin".into(),
        Op::AtomicEnd => "atomic-end".into(),
        Op::Block { cond, spurious } => {
            format!("block{} {}", if *spurious { ".spurious" } else { "" }, o(cond))
        }
        Op::Assume { cond } => format!("assume {}", o(cond)),
        Op::Check { property, cond, message } => {
            format!("check.{property} {}, \"{}\"", o(cond), message.escape_debug())
        }
        Op::Input { dst: d, kind, name } => format!("{} = input {kind:?} {name}", dst(d)),
        Op::Exit { leaks } => format!("exit{}", if *leaks { "" } else { " abort" }),
        Op::Unsupported { what } => format!("unsupported \"{}\"", what.escape_debug()),
    }
}

fn atomic(access: &crate::instr::Access) -> String {
    access.atomic.map_or(String::new(), |order| format!(".{order:?}"))
}

fn waiting(wait: bool) -> &'static str {
    if wait { ".wait" } else { "" }
}

fn terminator(p: &Program, f: &Function, t: &Terminator) -> String {
    match t {
        Terminator::Goto(b) => format!("goto b{}", b.0),
        Terminator::Branch { cond, then, other } => {
            format!("if {} goto b{} else b{}", operand(p, f, *cond), then.0, other.0)
        }
        Terminator::Switch { value, cases, default } => {
            let cases: Vec<String> = cases.iter().map(|(v, b)| format!("{v} → b{}", b.0)).collect();
            format!("switch {} [{}] else b{}", operand(p, f, *value), cases.join(", "), default.0)
        }
        Terminator::Return(None) => "return".into(),
        Terminator::Return(Some(v)) => format!("return {}", operand(p, f, *v)),
        Terminator::Stop => "stop".into(),
    }
}
