//! The entry of the program: a function without parameters that does what the C runtime does around
//! `main`.
//!
//! It registers the destructors (`llvm.global_dtors`) as `atexit` does, which runs them by falling priority and after
//! all that is registered later, runs the constructors (`llvm.global_ctors`, by rising priority), calls `main` with its
//! arguments ([`super::arguments`]), and then exits as `exit` does.

use std::rc::Rc;

use raddle_ir::{Block, Callee, Instr, Op, Operand, Place, RegId, Register, Terminator};

use super::arguments;
use super::calls::result_width;
use super::compute::constant;
use super::context::Context;
use super::link::Target;
use super::refusal::Refusal;
use super::unit::{Origin, UnitId};
use crate::error::Error;
use crate::llvm::ast::{Constant, Item, Module, Operand as LlOperand, Value};

/// Makes the entry.
pub(crate) fn make(cx: &mut Context) -> Result<(), Error> {
    let (unit, index) = find_main(cx).ok_or(Error::NoMain)?;
    let entry = cx.new_function("program start".into(), true);
    cx.program.entry = Some(entry);
    let mut start = Start { regs: Vec::new(), instrs: Vec::new() };
    // Arguments come first, so that the first input of a run says how many there are.
    let arguments = arguments::make(cx, &mut start, unit, index);
    for destructor in listed(cx, DESTRUCTORS) {
        let function = Operand::Function(cx.function(destructor.0, destructor.1));
        let Some(callee) = library_function(cx, "atexit") else {
            cx.refused_globals.push("a destructor in a program with an `atexit` of its own".into());
            break;
        };
        let op = Op::Call { dst: None, callee: Callee::Direct(callee), args: vec![function] };
        start.push(op);
    }
    for constructor in listed(cx, CONSTRUCTORS) {
        let callee = Callee::Direct(cx.function(constructor.0, constructor.1));
        start.push(Op::Call { dst: None, callee, args: Vec::new() });
    }
    if let Err(Refusal(what)) = start.call_main(cx, unit, index, arguments) {
        start.push(Op::Unsupported { what });
    }
    let function = &mut cx.program.functions[entry.index()];
    function.regs = start.regs;
    function.blocks =
        vec![Block { instrs: start.instrs, end: Terminator::Stop, end_place: Place::UNKNOWN }];
    Ok(())
}

/// Puts what was refused outside of functions at the very start: no verdict is possible then.
pub(crate) fn refuse_at_start(cx: &mut Context) {
    let Some(entry) = cx.program.entry else { return };
    let refused = cx.refused_globals.drain(..);
    let mut instrs: Vec<Instr> =
        refused.map(|what| Instr { op: Op::Unsupported { what }, place: Place::UNKNOWN }).collect();
    instrs.append(&mut cx.program.functions[entry.index()].blocks[0].instrs);
    cx.program.functions[entry.index()].blocks[0].instrs = instrs;
}

/// The function under construction.
pub(crate) struct Start {
    regs: Vec<Register>,
    instrs: Vec<Instr>,
}

impl Start {
    pub(crate) fn push(&mut self, op: Op) {
        self.instrs.push(Instr { op, place: Place::UNKNOWN });
    }

    pub(crate) fn register(&mut self, width: u32) -> RegId {
        self.regs.push(Register { width, name: None, ctype: None });
        RegId::new(self.regs.len() - 1)
    }

    fn call_main(
        &mut self,
        cx: &mut Context,
        unit: UnitId,
        index: u32,
        arguments: Result<(Operand, Operand), Refusal>,
    ) -> Result<(), Refusal> {
        let (count, list) = arguments?;
        let owner = Rc::clone(cx.unit(unit));
        let main = &owner.module.functions[index as usize];
        let bits = cx.pointer_bits();
        let mut args = Vec::new();
        for (i, parameter) in main.parameters.iter().enumerate() {
            let width = owner.width(parameter.ty)?;
            args.push(match i {
                0 if width == 32 => count,
                1 if width == bits => list,
                2 if width == bits => Operand::Global(arguments::environment(cx)?, 0),
                _ => return Err(Refusal("a `main` with such parameters".into())),
            });
        }
        if main.variadic {
            args.push(constant(0, bits));
        }
        let result = result_width(&owner, main.result)?;
        let dst = result.map(|width| self.register(width));
        let callee = Callee::Direct(cx.function(unit, index));
        self.push(Op::Call { dst, callee, args });
        match exit_function(cx) {
            Some(exit) => {
                let code = match (dst, result) {
                    (Some(r), Some(32)) => Operand::Reg(r),
                    _ => constant(0, 32),
                };
                self.push(Op::Call { dst: None, callee: Callee::Direct(exit), args: vec![code] });
            }
            None => self.push(Op::Exit { leaks: true }),
        }
        Ok(())
    }
}

fn find_main(cx: &mut Context) -> Option<(UnitId, u32)> {
    (0..cx.units.len()).find_map(|i| {
        let unit = UnitId(i as u32);
        let owner = Rc::clone(cx.unit(unit));
        let symbol = owner.module.symbols.find("main")?;
        match cx.resolve(unit, symbol) {
            Ok(Target::Function(unit, index)) => Some((unit, index)),
            Ok(Target::Undefined(..) | Target::Global(..) | Target::Null) | Err(_) => None,
        }
    })
}

/// The library's `exit`, when the program registers functions to be called at exit.
fn exit_function(cx: &mut Context) -> Option<raddle_ir::FuncId> {
    if !registers_ends(cx) {
        return None;
    }
    library_function(cx, "exit")
}

/// Whether something may be called when the program ends.
pub(crate) fn registers_ends(cx: &Context) -> bool {
    let registers = ["atexit", "at_quick_exit", "on_exit", "__cxa_atexit"];
    let registers = |module: &Module| {
        registers.iter().any(|name| module.function(name).is_some())
            || module.global(DESTRUCTORS).is_some()
    };
    let mut user = cx.units.iter().filter(|unit| unit.origin == Origin::User);
    user.any(|unit| registers(&unit.module))
}

/// A function of the library, unless the program has one of that name.
fn library_function(cx: &mut Context, name: &str) -> Option<raddle_ir::FuncId> {
    if cx.links.is_user_defined(name) {
        return None;
    }
    match cx.model(name)? {
        (unit, Item::Function(index)) => Some(cx.function(unit, index)),
        (_, Item::Global(_) | Item::Alias(_)) => None,
    }
}

const CONSTRUCTORS: &str = "llvm.global_ctors";
const DESTRUCTORS: &str = "llvm.global_dtors";

/// The constructors or destructors of all modules, by rising priority.
fn listed(cx: &mut Context, name: &str) -> Vec<(UnitId, u32)> {
    let mut found: Vec<(u64, UnitId, u32)> = Vec::new();
    for i in 0..cx.units.len() {
        let unit = UnitId(i as u32);
        let owner = Rc::clone(cx.unit(unit));
        let list = owner.module.global(name).and_then(|g| g.initializer.as_ref());
        let Some(Value::Constant(Constant::Array(list))) = list else { continue };
        for row in list {
            match constructor(&row.value) {
                Some((priority, Value::Global(symbol))) => match cx.resolve(unit, *symbol) {
                    Ok(Target::Function(u, index)) => found.push((priority, u, index)),
                    Ok(Target::Undefined(..) | Target::Global(..) | Target::Null) | Err(_) => {
                        cx.refused_globals.push("a constructor or destructor without body".into());
                    }
                },
                _ => cx
                    .refused_globals
                    .push("a list of constructors or destructors of unknown form".into()),
            }
        }
    }
    found.sort_by_key(|(priority, ..)| *priority);
    found.into_iter().map(|(_, unit, index)| (unit, index)).collect()
}

fn constructor(row: &Value) -> Option<(u64, &Value)> {
    let Value::Constant(Constant::Struct(fields)) = row else { return None };
    match &**fields {
        [LlOperand { value: Value::Constant(Constant::Integer(p)), .. }, function, ..] => {
            Some((*p, &function.value))
        }
        _ => None,
    }
}
