//! What `main` is called with.
//!
//! Idea: arguments are inputs. Unless they were given, there is any number of them, up to a bound,
//! and each is any string, up to a length: an object with arbitrary contents that ends in a zero, so
//! that characters which nobody reads cost nothing. If `main` does not look at its parameters there
//! is nothing to choose, and nothing that a bound would leave out.
//! Limits: the name of the program is `program`; the environment is empty.

use std::rc::Rc;

use raddle_ir::{
    Access, CmpOp, CommandLines, Expr, Global, GlobalId, InputKind, Op, Operand, Place,
};

use super::compute::constant;
use super::context::Context;
use super::entry::Start;
use super::facts::Facts;
use super::refusal::Refusal;
use super::unit::UnitId;
use crate::Arguments;
use crate::llvm::ast::{Function, LocalId, Op as LlOp, Value};

/// The number of arguments (32 bits) and the address of their list.
pub(crate) fn make(
    cx: &mut Context,
    start: &mut Start,
    unit: UnitId,
    main: u32,
) -> Result<(Operand, Operand), Refusal> {
    if cx.unit(unit).module.functions[main as usize].parameters.is_empty() {
        return Ok((constant(1, 32), constant(0, cx.pointer_bits())));
    }
    let is_used = looks_at_parameters(cx, unit, main);
    match cx.arguments.clone() {
        Arguments::Given(texts) => given(cx, &texts),
        Arguments::Any(bound) if is_used => {
            cx.program.arguments = Some(bound);
            any(cx, start, bound)
        }
        Arguments::Any(_) => given(cx, &[]),
    }
}

/// Whether `main` does anything with what it is called with.
fn looks_at_parameters(cx: &mut Context, unit: UnitId, index: u32) -> bool {
    let owner = Rc::clone(cx.unit(unit));
    let main = &owner.module.functions[index as usize];
    let facts = Facts::new(main, &owner);
    let count = |local: LocalId| facts.uses[local.0 as usize].count;
    // The parameters are the first locals.
    let mut parameters = (0..main.parameters.len() as u32).map(LocalId);
    parameters.any(|parameter| match facts.seeds.get(&parameter) {
        // It is stored in its variable, and that is all.
        Some(&variable) => {
            let vain = loads(main, variable).filter(|&result| count(result) == 0).count();
            count(parameter) > 1 || count(variable) as usize > 1 + vain
        }
        None => count(parameter) > 0,
    })
}

/// What is loaded from a variable.
fn loads(function: &Function, variable: LocalId) -> impl Iterator<Item = LocalId> {
    let all = function.blocks.iter().flat_map(|block| &block.instructions);
    all.filter_map(move |instruction| match &instruction.op {
        LlOp::Load { pointer, .. } if pointer.value == Value::Local(variable) => instruction.result,
        _ => None,
    })
}

/// These arguments.
fn given(cx: &mut Context, texts: &[String]) -> Result<(Operand, Operand), Refusal> {
    let mut list = object("argv", Vec::new(), word(cx) * (texts.len() as u64 + 2));
    for (i, text) in std::iter::once("program").chain(texts.iter().map(String::as_str)).enumerate()
    {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        let size = bytes.len() as u64;
        let text = cx.add_global(object(&format!("argv[{i}]"), bytes, size))?;
        let address = cx.program.global(text).address;
        list.init.extend(&address.to_le_bytes()[..word(cx) as usize]);
        list.pointers.push((word(cx) * i as u64, Operand::Global(text, 0)));
    }
    let list = cx.add_global(list)?;
    Ok((constant(texts.len() as u128 + 1, 32), Operand::Global(list, 0)))
}

/// Any arguments within a bound.
fn any(
    cx: &mut Context,
    start: &mut Start,
    bound: CommandLines,
) -> Result<(Operand, Operand), Refusal> {
    let bits = cx.pointer_bits();
    let list = cx.add_global(object("argv", Vec::new(), word(cx) * (u64::from(bound.most) + 2)))?;
    let more = start.register(32);
    let name = "number of arguments".to_string();
    let kind = InputKind::Choice(bound.most + 1);
    start.push(Op::Input { dst: more, kind, name });
    let access = Access { hidden: true, ..Access::default() };
    let name = cx.add_global(object("argv[0]", b"program\0".to_vec(), 8))?;
    let value = Operand::Global(name, 0);
    start.push(Op::Store { addr: Operand::Global(list, 0), value, width: bits, access });
    for i in 1..=bound.most {
        let text = text(cx, i, bound.length)?;
        let end = Operand::Global(text, i64::from(bound.length));
        start.push(Op::Store { addr: end, value: constant(0, 8), width: 8, access });
        let [given, address] = [start.register(1), start.register(bits)];
        let enough =
            Expr::Compare { op: CmpOp::Uge, a: Operand::Reg(more), b: constant(i.into(), 32) };
        start.push(Op::Assign { dst: given, value: enough });
        let pointer = Expr::Select {
            cond: Operand::Reg(given),
            a: Operand::Global(text, 0),
            b: constant(0, bits),
        };
        start.push(Op::Assign { dst: address, value: pointer });
        let addr = Operand::Global(list, (word(cx) * u64::from(i)) as i64);
        start.push(Op::Store { addr, value: Operand::Reg(address), width: bits, access });
    }
    let count = start.register(32);
    let wrap = raddle_ir::Wrap::default();
    let sum =
        Expr::Binary { op: raddle_ir::BinOp::Add, a: Operand::Reg(more), b: constant(1, 32), wrap };
    start.push(Op::Assign { dst: count, value: sum });
    Ok((Operand::Reg(count), Operand::Global(list, 0)))
}

/// A string of any characters.
fn text(cx: &mut Context, i: u32, length: u32) -> Result<GlobalId, Refusal> {
    let text = object(&format!("argv[{i}]"), Vec::new(), u64::from(length) + 1);
    cx.add_global(Global { external: true, ..text })
}

/// Bytes of an address.
fn word(cx: &Context) -> u64 {
    u64::from(cx.pointer_bits() / 8)
}

/// An empty environment.
pub(crate) fn environment(cx: &mut Context) -> Result<GlobalId, Refusal> {
    cx.add_global(object("environment", Vec::new(), word(cx)))
}

fn object(name: &str, init: Vec<u8>, size: u64) -> Global {
    Global {
        name: name.into(),
        size,
        align: 16,
        init,
        pointers: Vec::new(),
        constant: false,
        thread_local: false,
        external: false,
        is_model: false,
        ctype: None,
        address: 0,
        place: Place::UNKNOWN,
    }
}
