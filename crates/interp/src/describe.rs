//! Names of memory in words of the C program.

use raddle_ir::{CType, InstrRef, Op, Program, TypeId};

use crate::finding::{FaultKind, MemoryFault, Name, ObjectInfo};
use crate::memory::{Fault, Life, Memory, Object, ObjectKind};
use crate::trace::{Target, Value};
use crate::value::show;

/// Name and type of a whole object.
fn object(program: &Program, object: &Object) -> (Name, Option<TypeId>) {
    let (name, ctype) = match object.kind {
        ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => {
            let global = program.global(id);
            (Some(global.name.clone()), global.ctype)
        }
        ObjectKind::Stack | ObjectKind::Heap => {
            object.alloc.map_or((None, None), |at| alloc(program, at))
        }
    };
    if let Some((variable, ctype)) = heap_name(program, object) {
        return (Name { object: Some(format!("*{variable}")), path: String::new() }, Some(ctype));
    }
    (Name { object: name, path: String::new() }, ctype)
}

fn alloc(program: &Program, at: InstrRef) -> (Option<String>, Option<TypeId>) {
    match program.instr(at).map(|i| &i.op) {
        Some(Op::Alloc { name, ctype, .. }) => ((!name.is_empty()).then(|| name.clone()), *ctype),
        Some(_) | None => (None, None),
    }
}

/// What the program calls a heap object, and what it is an object or an array of.
fn heap_name(program: &Program, object: &Object) -> Option<(String, TypeId)> {
    if object.kind != ObjectKind::Heap {
        return None;
    }
    let name = program.heap_names.get(&object.allocated)?;
    let pointee = |ty| match program.types.get(ty) {
        CType::Pointer { to } => *to,
        _ => None,
    };
    let holder = if name.behind { pointee(name.ctype)? } else { name.ctype };
    let (path, ty) = program.types.path(holder, name.offset, program.pointer_bytes());
    let of = pointee(ty)?;
    let size = program.types.size(of, program.pointer_bytes());
    let variable = &name.variable;
    let text = match path.strip_prefix('.') {
        Some(field) if name.behind => format!("{variable}->{field}"),
        Some(_) | None if name.behind => return None,
        Some(_) | None => format!("{variable}{path}"),
    };
    (size > 0 && size <= object.size).then_some((text, of))
}

/// A part of a heap object: `entry->next`, `node[2].next`, `*count`.
fn heap_part(program: &Program, obj: &Object, offset: u64) -> Option<(Name, TypeId)> {
    let (variable, of) = heap_name(program, obj)?;
    let pointer = program.pointer_bytes();
    let size = program.types.size(of, pointer);
    let (path, part) = program.types.path(of, offset % size, pointer);
    let text = match path.strip_prefix('.') {
        _ if obj.size >= 2 * size => format!("{variable}[{}]{path}", offset / size),
        Some(field) => format!("{variable}->{field}"),
        None => format!("*{variable}"),
    };
    Some((Name { object: Some(text), path: String::new() }, part))
}

/// Name and type of the part of an object at an offset, e.g. `queue.items[3]`.
fn part(program: &Program, obj: &Object, offset: u64) -> (Name, Option<TypeId>) {
    if let Some((name, part)) = heap_part(program, obj, offset) {
        return (name, Some(part));
    }
    let (name, ctype) = object(program, obj);
    let Some(ctype) = ctype else {
        let path = if offset == 0 { String::new() } else { format!(" + {offset}") };
        return (Name { path, ..name }, None);
    };
    let pointer = program.pointer_bytes();
    let size = program.types.size(ctype, pointer);
    // An allocation may hold several elements of its type.
    let (index, inner) = match obj.kind {
        ObjectKind::Heap if size > 0 && obj.size > size => {
            (format!("[{}]", offset / size), offset % size)
        }
        ObjectKind::Heap
        | ObjectKind::Stack
        | ObjectKind::Global(_)
        | ObjectKind::ThreadLocal(_) => (String::new(), offset),
    };
    let (path, part) = program.types.path(ctype, inner, pointer);
    (Name { path: format!("{index}{path}"), ..name }, Some(part))
}

/// The part of memory at an address, with its type; where nothing is, the address is the name.
pub fn name(program: &Program, memory: &Memory, address: u64) -> (Name, Option<TypeId>) {
    match memory.object_at(address) {
        Some(object) => part(program, object, address - object.base),
        None => (Name { object: Some(format!("{address:#x}")), path: String::new() }, None),
    }
}

/// The part of memory at an address, with the type of that part.
pub fn target(
    program: &Program,
    memory: &Memory,
    address: u64,
    bytes: u64,
    shared: bool,
) -> (Target, Option<TypeId>) {
    let (name, ctype) = name(program, memory, address);
    (Target { name: name.to_string(), address, bytes, shared }, ctype)
}

/// The name of a pointer's value: `&x.y`, `main`, `entry` for the object that the program calls `*entry`,
/// `&heap object` for one that it calls nothing.
pub fn pointer(program: &Program, memory: &Memory, address: u64) -> Option<String> {
    if address == 0 {
        return None;
    }
    if let Some(f) = program.functions.iter().find(|f| f.address == address) {
        return Some(f.name.clone());
    }
    let object = memory.object_at(address)?;
    if address == object.base
        && let Some((variable, _)) = heap_name(program, object)
    {
        return Some(variable);
    }
    let (name, _) = part(program, object, address - object.base);
    Some(format!("&{name}"))
}

/// A value with its C reading. A type that does not fit the width is ignored.
pub fn value(
    program: &Program,
    memory: &Memory,
    bits: u128,
    width: u32,
    ctype: Option<TypeId>,
) -> Value {
    let fits = |t: &TypeId| {
        let size = program.types.size(*t, program.pointer_bytes()) * 8;
        size == 0 || size == u64::from(width) || (width == 80 && size > 80)
    };
    let ctype = ctype.filter(fits);
    let name = |address| pointer(program, memory, address);
    let text = show::show(program, bits, width, ctype, &name);
    Value { bits, width, ctype, text }
}

/// The facts of an invalid access.
pub fn fault(
    program: &Program,
    memory: &Memory,
    fault: Fault,
    address: u64,
    bytes: u64,
    write: bool,
) -> MemoryFault {
    let info = |o: &Object| {
        let (name, _) = object(program, o);
        let offset = address.wrapping_sub(o.base) as i64;
        let inside = address >= o.base && address - o.base < o.size;
        let part = if inside { part(program, o, address - o.base).0 } else { name.clone() };
        let freed = match o.life {
            Life::Freed(place) => Some(place),
            Life::Live | Life::Returned | Life::Ended => None,
        };
        let (base, size, allocated) = (o.base, o.size, o.allocated);
        ObjectInfo { name, part, base, size, offset, allocated, freed }
    };
    let object = match fault.kind {
        FaultKind::Null | FaultKind::Unmapped | FaultKind::NotAFunction => None,
        FaultKind::OutOfBounds
        | FaultKind::UseAfterFree
        | FaultKind::UseAfterReturn
        | FaultKind::UseAfterEnd
        | FaultKind::Constant
        | FaultKind::DoubleFree
        | FaultKind::InvalidFree => fault.object.and_then(|b| memory.object_at(b)).map(|o| info(o)),
    };
    MemoryFault { kind: fault.kind, address, bytes, write, object }
}
