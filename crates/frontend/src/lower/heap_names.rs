//! What the program calls a new heap object: the variable or field that its address goes to.
//!
//! The heap has no names, but a reader of a report knows an object as `entry->references` where the
//! program says `entry = malloc(…)`. So for each call of an allocator that the user wrote, the
//! store of its result is looked up, with the debug type of where it goes: a variable, a field, an
//! element, also of what pointers lead to (`pool->threads[i]`). Many programs allocate through
//! functions of their own (`xmalloc`): where the address is returned, the same is noted for calls
//! of such functions. Streams and other objects of the library are named alike, but have no fields.
//! `interp` makes names of it when the types are complete.
//! Limits: only addresses that are stored in the block of their call.

use raddle_ir::{HeapName, HeapStep};

use super::body::Body;
use crate::llvm::ast::{self as ll, Item, TerminatorOp, Value};

const ALLOCATORS: &[&str] = &[
    "aligned_alloc",
    "alloca",
    "calloc",
    "malloc",
    "memalign",
    "realloc",
    "reallocarray",
    "strdup",
    "strndup",
];

/// Whether a function of the library gives new memory to its caller, who decides what is in it.
fn allocates(function: &str) -> bool {
    ALLOCATORS.contains(&function)
}

impl<'u> Body<'_, 'u> {
    /// Notes where the result of an allocation goes, or of a function that may return one.
    pub(crate) fn name_heap_object(
        &mut self,
        callee: &str,
        of_library: bool,
        result: Option<ll::LocalId>,
    ) {
        let Some(result) = result else { return };
        if self.unit.is_model() || !self.place.is_known() {
            return;
        }
        let block = &self.function.blocks[self.at.0 as usize];
        let rest = block.instructions.get(self.at.1 as usize + 1..).unwrap_or_default();
        let stored = rest.iter().find_map(|i| match &i.op {
            ll::Op::Store { value, pointer, .. } if value.value == Value::Local(result) => {
                Some(&pointer.value)
            }
            _ => None,
        });
        let goes_to = stored.and_then(|address| self.way_to(address));
        let returned = match stored {
            Some(address) => self.is_returned(address),
            None => self.returns(&Value::Local(result)),
        };
        let opaque = of_library && !allocates(callee);
        if of_library || goes_to.is_some() || returned {
            self.cx.program.heap_names.insert(self.place, HeapName { goes_to, opaque, returned });
        }
    }

    /// Whether some return of the function gives this value.
    fn returns(&self, wanted: &Value) -> bool {
        self.function.blocks.iter().any(|block| match &block.terminator.op {
            TerminatorOp::Return(Some(value)) => value.value == *wanted,
            _ => false,
        })
    }

    /// Whether the function returns what it keeps at this address: a variable, or the place that
    /// clang makes for results.
    fn is_returned(&self, address: &Value) -> bool {
        let instructions = self.function.blocks.iter().flat_map(|b| &b.instructions);
        let loads = instructions.clone().filter_map(|i| match &i.op {
            ll::Op::Load { pointer, .. } if pointer.value == *address => i.result,
            _ => None,
        });
        let copies = |loaded: &Value| {
            instructions.clone().any(|i| match &i.op {
                ll::Op::Store { value, pointer, .. } => {
                    value.value == *loaded && !self.has_name(&pointer.value)
                }
                _ => false,
            })
        };
        loads.map(Value::Local).any(|loaded| self.returns(&loaded) || copies(&loaded))
    }

    fn has_name(&self, address: &Value) -> bool {
        match address {
            Value::Local(local) => {
                self.facts.variables.contains_key(local)
                    || !matches!(self.definition(address), Some(ll::Op::Allocate { .. }))
            }
            Value::Global(_) | Value::Constant(_) | Value::Metadata(_) => true,
        }
    }

    /// The variable that an address is in, or behind, and the way from there.
    fn way_to(&mut self, address: &Value) -> Option<(String, raddle_ir::TypeId, Vec<HeapStep>)> {
        if let Some((name, ctype)) = self.named(address) {
            return Some((name, ctype, Vec::new()));
        }
        match self.definition(address)? {
            ll::Op::Load { pointer, .. } => {
                let (name, ctype, mut way) = self.way_to(&pointer.value)?;
                way.push(HeapStep::Behind);
                Some((name, ctype, way))
            }
            ll::Op::ElementPointer(gep) => {
                let (name, ctype, mut way) = self.way_to(&gep.base.value)?;
                way.push(self.step(gep)?);
                Some((name, ctype, way))
            }
            _ => None,
        }
    }

    /// A field, or an element of an array or of what a pointer leads to.
    fn step(&mut self, gep: &'u ll::ElementPointer) -> Option<HeapStep> {
        if let Some(offset) = self.field_offset(gep) {
            return Some(HeapStep::Field(offset));
        }
        match gep.indices.as_slice() {
            [index] => Some(HeapStep::Element(self.index(&index.value)?)),
            [first, index] if is_zero(&first.value) => {
                Some(HeapStep::Element(self.index(&index.value)?))
            }
            _ => None,
        }
    }

    /// An index as people write it, if it is a number or a variable.
    fn index(&mut self, value: &Value) -> Option<String> {
        if let Value::Constant(ll::Constant::Integer(n)) = value {
            return Some(n.to_string());
        }
        match self.definition(value)? {
            ll::Op::Cast { value, .. } => self.index(&value.value),
            ll::Op::Load { pointer, .. } => self.named(&pointer.value).map(|(name, _)| name),
            _ => None,
        }
    }

    fn definition(&self, value: &Value) -> Option<&'u ll::Op> {
        let Value::Local(local) = value else { return None };
        self.facts.definition(self.function, *local).map(|i| &i.op)
    }

    /// A variable by its address.
    fn named(&mut self, address: &Value) -> Option<(String, raddle_ir::TypeId)> {
        match address {
            Value::Local(local) => {
                let id = *self.facts.variables.get(local)?;
                let variable = self.cx.variable(self.unit_id, id)?;
                Some((variable.name, variable.ctype?))
            }
            Value::Global(symbol) => {
                let Item::Global(index) = self.unit.module.items.get(symbol)? else { return None };
                let global = &self.unit.module.globals[*index as usize];
                let (name, ctype, _) = self.cx.global_debug(self.unit_id, global);
                Some((name?, ctype?))
            }
            Value::Constant(_) | Value::Metadata(_) => None,
        }
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

fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Constant(ll::Constant::Integer(0)))
}
