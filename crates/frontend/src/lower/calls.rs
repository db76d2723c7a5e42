//! Calls: of functions with a body, of names with a fixed meaning, through pointers, of assembly.
//!
//! Arguments travel as scalars, one parameter register each; a result of several scalars travels
//! packed in one value. C allows calls that do not match the definition (old-style declarations,
//! casts of function pointers): surplus arguments are dropped, missing ones are arbitrary. Other
//! mismatches are refused. The variable arguments of a variadic function are laid out in memory by
//! the caller, as the i386 convention does and the x86-64 one does once registers are used up;
//! their address is a last, hidden parameter.

use raddle_ir::{Callee, FuncId, Op, Operand};

use super::body::{Body, Made};
use super::compute::{Computes, Parts, constant};
use super::context::Context;
use super::link::Target;
use super::primitives;
use super::refusal::{Lowered, refuse};
use super::unit::{Origin, Unit, UnitId};
use crate::llvm::ast::{self as ll, Item, Value};
use crate::llvm::symbols::Symbol;
use crate::llvm::types::{Type, TypeId};

/// How many integers x86-64 passes in registers.
const REGISTERS: u64 = 6;

/// The arguments of a call.
pub(crate) enum Arguments<'a> {
    /// As written.
    Written(&'a ll::Call),
    /// Computed already: in a function that stands for a primitive whose address is taken.
    Values(Vec<Operand>),
}

impl Arguments<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Arguments::Written(call) => call.arguments.len(),
            Arguments::Values(list) => list.len(),
        }
    }
}

/// Width of a function's result, packed; `None` for void.
pub(crate) fn result_width(unit: &Unit, ty: TypeId) -> Lowered<Option<u32>> {
    if ty == TypeId::VOID {
        return Ok(None);
    }
    let total: u32 = unit.leaves(ty)?.iter().map(|l| l.width).sum();
    match total {
        0 => Ok(None),
        1..=128 => Ok(Some(total)),
        _ => refuse(format!("a function result of {total} bits")),
    }
}

impl Body<'_, '_> {
    /// Lowers a call.
    pub(crate) fn call(&mut self, call: &ll::Call, result: Option<ll::LocalId>) -> Lowered<()> {
        let parts = match &call.callee {
            ll::Callee::Assembly(assembly) => self.assembly(assembly, call)?,
            ll::Callee::Global(symbol) => {
                let name = self.unit.module.name(*symbol);
                if let Some(intrinsic) = name.strip_prefix("llvm.") {
                    self.intrinsic(intrinsic, call)?
                } else {
                    self.call_named(*symbol, call, result)?
                }
            }
            ll::Callee::Pointer(value) => {
                let callee = self.operand(TypeId::PTR, value)?;
                self.call_pointer(callee, call)?
            }
        };
        self.bind(result, parts);
        Ok(())
    }

    fn call_named(
        &mut self,
        symbol: Symbol,
        call: &ll::Call,
        result: Option<ll::LocalId>,
    ) -> Lowered<Parts> {
        let name = self.unit.module.name(symbol);
        let user_defined = self.cx.defines(self.unit_id, name);
        if let Some(primitive) = primitives::find(name, user_defined) {
            return self.primitive(primitive, name, &Arguments::Written(call), call.result);
        }
        if let Some(parts) = self.cleanup_push(name, call)? {
            return Ok(parts);
        }
        match self.cx.resolve(self.unit_id, symbol)? {
            Target::Function(unit, index) => {
                let own = !matches!(self.cx.unit(unit).origin, Origin::Model { .. });
                if !own {
                    if let Some((unit, index)) = self.kept_output(name) {
                        return self.call_function(unit, index, call);
                    }
                    self.output(name, call)?;
                }
                if call.result == TypeId::PTR {
                    self.name_heap_object(name, !own, result);
                }
                let unused = result.is_none_or(|r| self.facts.uses[r.0 as usize].count == 0);
                if unused
                    && matches!(self.cx.unit(unit).origin, Origin::Model { effects: false, .. })
                {
                    return Ok(Parts::new());
                }
                if !own && let Some(result) = self.printed(name, call)? {
                    return Ok(result);
                }
                self.call_function(unit, index, call)
            }
            Target::Undefined(..) => self.call_undefined(name),
            Target::Null => self.call_pointer(constant(0, self.unit.pointer_bits()), call),
            Target::Global(..) => {
                let callee = self.address(symbol)?;
                self.call_pointer(callee, call)
            }
        }
    }

    /// A call of a name that nobody defines.
    fn call_undefined(&mut self, name: &str) -> Lowered<Parts> {
        match name {
            "abort" | "_exit" | "_Exit" => {
                self.push(Op::Exit { leaks: false });
                self.stopped = true;
                Ok(Parts::new())
            }
            "exit" | "quick_exit" => {
                self.push(Op::Exit { leaks: true });
                self.stopped = true;
                Ok(Parts::new())
            }
            _ => {
                let what = format!("call of undefined function `{name}`");
                self.cx.refused.note(&what, Some(name), self.place);
                refuse(what)
            }
        }
    }

    /// The arguments as scalars; copies of those passed by value.
    fn flatten(&mut self, arguments: &[ll::Argument]) -> Lowered<Vec<Operand>> {
        let mut list = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let operand = &argument.operand;
            if let Some(ty) = argument.attributes.byval {
                let source = self.typed(operand)?;
                list.push(self.by_value(source, ty)?);
                continue;
            }
            let parts = self.parts(operand.ty, &operand.value)?;
            list.extend(self.define(operand.ty, &parts)?);
        }
        Ok(list)
    }

    pub(crate) fn call_function(
        &mut self,
        unit: UnitId,
        index: u32,
        call: &ll::Call,
    ) -> Lowered<Parts> {
        let owner = std::rc::Rc::clone(self.cx.unit(unit));
        let function = &owner.module.functions[index as usize];
        let name = owner.module.name(function.name);
        let fixed = function.parameters.len().min(call.arguments.len());
        let mut args = self.flatten(&call.arguments[..fixed])?;
        let mut wanted = Vec::new();
        for parameter in &function.parameters {
            wanted.extend(owner.leaves(parameter.ty)?.iter().map(|l| l.width));
        }
        args.truncate(wanted.len());
        for (i, &width) in wanted.iter().enumerate() {
            match args.get(i).map(|&arg| (arg, self.width_of(arg))) {
                Some((_, found)) if found == width => {}
                // The callee looks at the low bits only. Library functions are often declared by
                // hand with other integer types; narrower arguments arrive zero-extended.
                Some((arg, found)) if found > width || owner.is_model() => {
                    args[i] = self.resize(arg, found, width)?;
                }
                Some(_) => {
                    return refuse(format!("call of `{name}` with an argument of another width"));
                }
                None => args.push(self.undefined(width)),
            }
        }
        if function.variadic {
            args.push(self.variable_arguments(call, fixed)?);
        }
        let made = result_width(&owner, function.result)?;
        let callee = Callee::Direct(self.cx.function(unit, index));
        self.emit_call(callee, args, made, call.result, name)
    }

    /// Emits the call; fits what comes back to what is expected.
    fn emit_call(
        &mut self,
        callee: Callee,
        args: Vec<Operand>,
        made: Option<u32>,
        expected: TypeId,
        name: &str,
    ) -> Lowered<Parts> {
        let wanted = result_width(self.unit, expected)?;
        let dst = match (made, wanted) {
            (Some(width), Some(_)) => Some(self.register(width)),
            (None, _) | (_, None) => None,
        };
        self.push(Op::Call { dst, callee, args });
        match (dst, made, wanted) {
            (_, _, None) => Ok(Parts::new()),
            (Some(dst), Some(made), Some(wanted)) if made == wanted => {
                self.unpack(Operand::Reg(dst), expected)
            }
            (Some(dst), Some(made), Some(wanted)) if made > wanted => {
                let cut = self.resize(Operand::Reg(dst), made, wanted)?;
                self.unpack(cut, expected)
            }
            (Some(_), ..) => refuse(format!("call of `{name}` with a result of another width")),
            // A void function called as if it had a result: what comes back is arbitrary.
            (None, _, Some(wanted)) => {
                let any = self.undefined(wanted);
                self.unpack(any, expected)
            }
        }
    }

    /// A call through a pointer.
    fn call_pointer(&mut self, callee: Operand, call: &ll::Call) -> Lowered<Parts> {
        let variadic = call.ty.and_then(|ty| match self.unit.module.types.get(ty) {
            // `int f()` in old C looks variadic, but has no fixed parameter.
            Type::Function { parameters, variadic: true, .. } if !parameters.is_empty() => {
                Some(parameters.len())
            }
            _ => None,
        });
        let fixed = variadic.unwrap_or(call.arguments.len()).min(call.arguments.len());
        let mut args = self.flatten(&call.arguments[..fixed])?;
        if variadic.is_some() {
            args.push(self.variable_arguments(call, fixed)?);
        }
        let made = result_width(self.unit, call.result)?;
        let callee = match callee {
            Operand::Function(f) => Callee::Direct(f),
            Operand::Reg(_) | Operand::Const(_) | Operand::Global(..) => Callee::Indirect(callee),
        };
        self.emit_call(callee, args, made, call.result, "a function pointer")
    }

    /// Lays out the arguments after the first `fixed` in memory; gives their address.
    ///
    /// A numeral in a register of x86-64 fills it, so a `0` that is read as a null pointer is one;
    /// otherwise bits above an argument are arbitrary.
    pub(crate) fn variable_arguments(&mut self, call: &ll::Call, fixed: usize) -> Lowered<Operand> {
        let word = u64::from(self.unit.pointer_bits() / 8);
        let mut at = 0;
        let mut pieces: Vec<(u64, Operand, u32)> = Vec::new();
        for argument in &call.arguments[fixed..] {
            let operand = &argument.operand;
            let (ty, align) = match argument.attributes.byval {
                Some(ty) => (ty, u64::from(argument.attributes.align.unwrap_or(1))),
                None => (operand.ty, u64::from(self.unit.align(operand.ty))),
            };
            // On x86-64 only types of 16 bytes alignment are aligned to more than a word.
            let align = if word == 8 && align > 8 { 16 } else { word };
            at = u64::next_multiple_of(at, align);
            let leaves = self.unit.leaves(ty)?;
            if argument.attributes.byval.is_some() {
                let source = self.typed(operand)?;
                for leaf in leaves.iter() {
                    let addr = self.offset(source, leaf.offset)?;
                    let dst = self.register(leaf.width);
                    let access = self.plain();
                    self.push(Op::Load { dst, addr, access });
                    pieces.push((at + leaf.offset, Operand::Reg(dst), leaf.width));
                }
            } else {
                let parts = self.parts(operand.ty, &operand.value)?;
                let parts = self.define(operand.ty, &parts)?;
                let in_register = word == 8 && at / word + (fixed as u64) < REGISTERS;
                for (leaf, part) in leaves.iter().zip(parts) {
                    let (value, width) = match part {
                        Operand::Const(c) if c.width == 32 && leaves.len() == 1 && in_register => {
                            (constant(c.value, 64), 64)
                        }
                        part => (part, leaf.width),
                    };
                    pieces.push((at + leaf.offset, value, width));
                }
            }
            at += self.unit.size(ty)?.next_multiple_of(word);
        }
        if pieces.is_empty() {
            return Ok(constant(0, self.unit.pointer_bits()));
        }
        let slot = self.slot(at, 16, "variable arguments");
        let access = self.plain();
        for (offset, value, width) in pieces {
            let addr = self.offset(slot, offset)?;
            self.push(Op::Store { addr, value, width, access });
        }
        Ok(slot)
    }

    /// A scalar argument.
    pub(crate) fn argument(&mut self, args: &Arguments<'_>, index: usize) -> Lowered<Operand> {
        match args {
            Arguments::Written(call) => match call.arguments.get(index) {
                Some(argument) => self.typed(&argument.operand),
                None => refuse("a call with too few arguments"),
            },
            Arguments::Values(list) => {
                list.get(index).map_or_else(|| refuse("a call with too few arguments"), |a| Ok(*a))
            }
        }
    }

    /// The text of an argument that is a string literal.
    pub(crate) fn text(&self, args: &Arguments<'_>, index: usize) -> Option<String> {
        let Arguments::Written(call) = args else { return None };
        let value = &call.arguments.get(index)?.operand.value;
        string_literal(self.unit, value)
    }
}

/// The text of a string literal.
pub(crate) fn string_literal(unit: &Unit, value: &Value) -> Option<String> {
    let symbol = match value {
        Value::Global(symbol) => symbol,
        Value::Constant(ll::Constant::Expression(expression)) => match &**expression {
            ll::Expression::ElementPointer(gep) => {
                let zero = |o: &ll::Operand| o.value == Value::Constant(ll::Constant::Integer(0));
                match &gep.base.value {
                    Value::Global(symbol) if gep.indices.iter().all(zero) => symbol,
                    _ => return None,
                }
            }
            _ => return None,
        },
        Value::Constant(_) | Value::Local(_) | Value::Metadata(_) => return None,
    };
    let Item::Global(index) = unit.module.items.get(symbol)? else { return None };
    let global = &unit.module.globals[*index as usize];
    if !global.constant || global.externally_initialized {
        return None;
    }
    match global.initializer.as_ref()? {
        Value::Constant(ll::Constant::Bytes(bytes)) => {
            let end = bytes.iter().position(|b| *b == 0)?;
            Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
        }
        _ => None,
    }
}

/// Makes the body of a function that is called through a pointer but has no body: what a call of
/// its name does.
pub(crate) fn lower_stub(cx: &mut Context, id: FuncId, unit_id: UnitId, index: u32) {
    let owner = std::rc::Rc::clone(cx.unit(unit_id));
    let function = &owner.module.functions[index as usize];
    let name = owner.module.name(function.name);
    let place = cx.program.function(id).place;
    let mut body = Body::new(cx, &owner, unit_id, function);
    body.place = place;
    let (params, made) = body.stub(name);
    let result = result_width(&owner, function.result).ok().flatten();
    let target = &mut cx.program.functions[id.index()];
    target.params = params;
    target.result = result;
    target.regs = made.regs;
    target.blocks = made.blocks;
}

impl Body<'_, '_> {
    fn stub(mut self, name: &str) -> (Vec<raddle_ir::RegId>, Made) {
        let mut params = Vec::new();
        let mut refused = None;
        for parameter in &self.function.parameters {
            match self.unit.leaves(parameter.ty) {
                Ok(leaves) => {
                    params.extend(leaves.iter().map(|l| self.register(l.width)));
                }
                Err(refusal) => refused = Some(refusal),
            }
        }
        let args = Arguments::Values(params.iter().map(|r| Operand::Reg(*r)).collect());
        let user_defined = self.cx.defines(self.unit_id, name);
        let outcome = match (refused, primitives::find(name, user_defined)) {
            (Some(refusal), _) => Err(refusal),
            (None, Some(primitive)) => self.primitive(primitive, name, &args, self.function.result),
            (None, None) => self.call_undefined(name),
        };
        let outcome = outcome.and_then(|parts| {
            if self.stopped || parts.is_empty() {
                return Ok(None);
            }
            let parts = self.define(self.function.result, &parts)?;
            self.pack(&parts, self.function.result).map(Some)
        });
        (params, self.one_block(outcome))
    }
}
