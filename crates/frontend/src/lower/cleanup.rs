//! `pthread_cleanup_push` as glibc's header writes it.
//!
//! The macro saves where it stands with `__sigsetjmp`, and registers the saved place. When the
//! thread is cancelled or exits, it comes back there a second time, calls the handler and goes on
//! to the next one with `__pthread_unwind_next`. Nobody jumps here: the handler and its argument
//! are read where the place is registered, from the variables that the code of the second time
//! would read, and `pthread_cleanup.c` keeps them until the thread ends. So `__sigsetjmp` returns
//! 0, once. Limits: the form that compilers see without `-fexceptions`; any other `__sigsetjmp` is
//! refused as every function without a body is.

use raddle_ir::{Callee, Expr, Op, Operand};

use super::body::{Binding, Body};
use super::compute::{Computes, Parts, constant, one};
use super::refusal::{Lowered, refuse};
use crate::llvm::ast::{self as ll, Item, Value};
use crate::llvm::types::TypeId;

const SAVE: &str = "__sigsetjmp";
const REGISTER: &str = "__pthread_register_cancel";
const NEXT: &str = "__pthread_unwind_next";

/// What the code that runs when the thread comes back reads.
struct Handler<'f> {
    routine: &'f ll::Operand,
    argument: &'f ll::Operand,
}

impl<'u> Body<'_, 'u> {
    /// A call that belongs to `pthread_cleanup_push`; `None` for others.
    pub(crate) fn cleanup_push(&mut self, name: &str, call: &ll::Call) -> Lowered<Option<Parts>> {
        if name != SAVE && name != REGISTER {
            return Ok(None);
        }
        let Some(buffer) = call.arguments.first() else { return Ok(None) };
        let Some(handler) = self.handler(self.root(&buffer.operand.value)) else { return Ok(None) };
        if name == SAVE {
            return Ok(Some(one(constant(0, self.unit.width(call.result)?))));
        }
        let address = self.typed(&buffer.operand)?;
        let routine = self.content(handler.routine)?;
        let argument = self.content(handler.argument)?;
        let Some((unit, Item::Function(index))) = self.cx.model("__raddle_cleanup_push") else {
            return refuse("cleanup handlers");
        };
        let callee = Callee::Direct(self.cx.function(unit, index));
        self.push(Op::Call { dst: None, callee, args: vec![address, routine, argument] });
        Ok(Some(Parts::new()))
    }

    /// The local that an address inside of it was made from.
    fn root(&self, mut value: &'u Value) -> Option<ll::LocalId> {
        loop {
            let Value::Local(local) = value else { return None };
            let definition = self.facts.definition(self.function, *local)?;
            match &definition.op {
                ll::Op::ElementPointer(gep) => value = &gep.base.value,
                ll::Op::Allocate { .. } => return Some(*local),
                _ => return None,
            }
        }
    }

    /// What the block that ends in `__pthread_unwind_next` of a buffer calls.
    fn handler(&self, buffer: Option<ll::LocalId>) -> Option<Handler<'u>> {
        let buffer = buffer?;
        let function = self.function;
        let goes_on = |call: &ll::Call| {
            let ll::Callee::Global(symbol) = &call.callee else { return false };
            let argument = call.arguments.first().map(|a| &a.operand.value);
            self.unit.module.name(*symbol) == NEXT && argument == Some(&Value::Local(buffer))
        };
        let block = function.blocks.iter().find(|b| calls(b).any(goes_on))?;
        let call = calls(block).find(|c| matches!(c.callee, ll::Callee::Pointer(_)))?;
        let ll::Callee::Pointer(routine) = &call.callee else { return None };
        let routine = self.loaded_from(routine)?;
        let argument = self.loaded_from(&call.arguments.first()?.operand.value)?;
        Some(Handler { routine, argument })
    }

    fn loaded_from(&self, value: &Value) -> Option<&'u ll::Operand> {
        let Value::Local(local) = value else { return None };
        match &self.facts.definition(self.function, *local)?.op {
            ll::Op::Load { pointer, .. } => Some(pointer),
            _ => None,
        }
    }

    /// The content of a variable that holds a pointer.
    fn content(&mut self, pointer: &ll::Operand) -> Lowered<Operand> {
        if let Value::Local(local) = pointer.value
            && let Binding::Variable(register) = self.bindings[local.0 as usize]
        {
            return self.emit(Expr::Use(Operand::Reg(register)), self.unit.pointer_bits());
        }
        let addr = self.operand(TypeId::PTR, &pointer.value)?;
        let access = self.plain();
        let dst = self.register(self.unit.pointer_bits());
        self.push(Op::Load { dst, addr, access });
        Ok(Operand::Reg(dst))
    }
}

fn calls(block: &ll::Block) -> impl Iterator<Item = &ll::Call> {
    block.instructions.iter().filter_map(|i| match &i.op {
        ll::Op::Call(call) => Some(&**call),
        _ => None,
    })
}
