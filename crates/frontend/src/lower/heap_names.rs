//! What the program calls a new heap object: the variable or field that its address goes to.
//!
//! The heap has no names, but a reader of a report knows an object as `entry->references` where the program says
//! `entry = malloc(…)`. So for each call of an allocator that the user wrote, the store of its result is looked up,
//! with the debug type of where it goes: a variable, or a field of one, or of what one points to.
//! `interp` makes names of it when the types are complete.
//! Limits: only addresses that are stored in the same block by a constant path of fields.

use raddle_ir::HeapName;

use super::body::Body;
use crate::llvm::ast::{self as ll, Item, Value};

const ALLOCATORS: &[&str] = &[
    "aligned_alloc",
    "calloc",
    "malloc",
    "memalign",
    "realloc",
    "reallocarray",
    "strdup",
    "strndup",
];

impl<'u> Body<'_, 'u> {
    /// Notes where the result of an allocation goes.
    pub(crate) fn name_heap_object(&mut self, callee: &str, result: Option<ll::LocalId>) {
        let Some(result) = result.filter(|_| ALLOCATORS.contains(&callee)) else { return };
        if self.unit.is_model() || !self.place.is_known() {
            return;
        }
        let block = &self.function.blocks[self.at.0 as usize];
        let rest = block.instructions.get(self.at.1 as usize + 1..).unwrap_or_default();
        let goes_to = rest.iter().find_map(|i| match &i.op {
            ll::Op::Store { value, pointer, .. } if value.value == Value::Local(result) => {
                Some(&pointer.value)
            }
            _ => None,
        });
        if let Some(name) = goes_to.and_then(|value| self.heap_name(value)) {
            self.cx.program.heap_names.insert(self.place, name);
        }
    }

    /// The variable that an address is in, or behind, by constant fields.
    fn heap_name(&mut self, address: &Value) -> Option<HeapName> {
        if let Some(name) = self.named(address) {
            return Some(name);
        }
        let ll::Op::ElementPointer(gep) = self.definition(address)? else { return None };
        let offset = self.field_offset(gep)?;
        if let Some(name) = self.named(&gep.base.value) {
            return Some(HeapName { offset, ..name });
        }
        let ll::Op::Load { pointer, .. } = self.definition(&gep.base.value)? else { return None };
        let name = self.named(&pointer.value)?;
        Some(HeapName { offset, behind: true, ..name })
    }

    fn definition(&self, value: &Value) -> Option<&'u ll::Op> {
        let Value::Local(local) = value else { return None };
        self.facts.definition(self.function, *local).map(|i| &i.op)
    }

    /// A variable by its address.
    fn named(&mut self, address: &Value) -> Option<HeapName> {
        let (variable, ctype) = match address {
            Value::Local(local) => {
                let id = *self.facts.variables.get(local)?;
                let variable = self.cx.variable(self.unit_id, id)?;
                (variable.name, variable.ctype?)
            }
            Value::Global(symbol) => {
                let Item::Global(index) = self.unit.module.items.get(symbol)? else { return None };
                let global = &self.unit.module.globals[*index as usize];
                let (name, ctype, _) = self.cx.global_debug(self.unit_id, global);
                (name?, ctype?)
            }
            Value::Constant(_) | Value::Metadata(_) => return None,
        };
        Some(HeapName { variable, ctype, offset: 0, behind: false })
    }

    /// The offset of a field, of a field of it, and so on; no other indices.
    fn field_offset(&self, gep: &ll::ElementPointer) -> Option<u64> {
        let mut constants = gep.indices.iter().map(|index| match &index.value {
            Value::Constant(ll::Constant::Integer(n)) => Some(*n),
            _ => None,
        });
        if constants.next()?? != 0 {
            return None;
        }
        let (mut ty, mut offset) = (gep.source, 0);
        for index in constants {
            self.unit.module.types.struct_fields(ty)?;
            let (part, at) = self.unit.part(ty, index?).ok()?;
            ty = part;
            offset += at;
        }
        Some(offset)
    }
}
