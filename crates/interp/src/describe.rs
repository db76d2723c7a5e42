//! Names of memory in words of the C program.

use raddle_ir::{CType, Global, HeapName, HeapStep, InstrRef, Op, Place, Program, TypeId};

use crate::finding::{FaultKind, MemoryFault, Name, ObjectInfo};
use crate::memory::{Fault, Life, Memory, Object, ObjectKind};
use crate::trace::{Call, Target, Value};
use crate::value::show;

/// Name and type of a whole object.
fn object(program: &Program, object: &Object) -> (Name, Option<TypeId>) {
    let (name, ctype) = match object.kind {
        ObjectKind::Global(id) | ObjectKind::ThreadLocal(id) => {
            let global = program.global(id);
            let library = program.file(global.place.file).is_model;
            let aggregate = global.ctype.is_some_and(|ty| {
                matches!(program.types.get(ty), CType::Array { .. } | CType::Struct { .. })
            });
            // What the library keeps for itself is named in words, if its name is made of some;
            // `optind` and `stdin` are known to everybody.
            if let Some(text) = literal(global) {
                (Some(text), None)
            } else if library && global.name.contains('_') {
                (Some(global.name.replace('_', " ")), None)
            } else if library && aggregate {
                (Some("memory of the C library".into()), None)
            } else {
                (Some(global.name.clone()), global.ctype)
            }
        }
        ObjectKind::Stack | ObjectKind::Heap => {
            object.alloc.map_or((None, None), |at| alloc(program, at))
        }
    };
    if let Some((variable, ctype)) = heap_name(program, object) {
        let variable = without_parentheses(variable);
        return (Name { object: Some(format!("*{variable}")), path: String::new() }, ctype);
    }
    (Name { object: name, path: String::new() }, ctype)
}

/// What a string literal says, in quotes, if the global is one: those have made-up names.
fn literal(global: &Global) -> Option<String> {
    const LONGEST: usize = 24;
    let made_up = global.constant && global.name.starts_with(".str");
    let text = global.init.split(|byte| *byte == 0).next().filter(|_| made_up)?;
    let shown: String = String::from_utf8_lossy(text).chars().take(LONGEST).collect();
    let rest = if text.len() > shown.len() { "…" } else { "" };
    Some(format!("\"{}{rest}\"", shown.escape_debug()))
}

fn alloc(program: &Program, at: InstrRef) -> (Option<String>, Option<TypeId>) {
    match program.instr(at).map(|i| &i.op) {
        Some(Op::Alloc { name, ctype, .. }) => ((!name.is_empty()).then(|| name.clone()), *ctype),
        Some(_) | None => (None, None),
    }
}

/// What the program calls a heap object, and what it is an object or an array of, if the program
/// knows.
fn heap_name(program: &Program, object: &Object) -> Option<(String, Option<TypeId>)> {
    let place = match object.kind {
        ObjectKind::Heap => object.named?,
        // What `alloca` gives has no name of its own, either.
        ObjectKind::Stack => program.instr(object.alloc?)?.place,
        ObjectKind::Global(..) | ObjectKind::ThreadLocal(..) => return None,
    };
    resolve(program, program.heap_names.get(&place)?, object.size)
}

/// The call that gives an object of this size its name: of the functions under way, innermost
/// first, the first one that puts the address where the type fits. Those before only pass it on.
pub fn naming_call(
    program: &Program,
    calls: impl Iterator<Item = Call>,
    size: u64,
) -> Option<Place> {
    for call in calls {
        let name = program.heap_names.get(&call.place)?;
        if resolve(program, name, size).is_some() {
            return Some(call.place);
        }
        if !name.returned {
            return None;
        }
    }
    None
}

/// The expression that an address goes to, and what it points to, if an object of this size can be
/// that.
fn resolve(program: &Program, name: &HeapName, size: u64) -> Option<(String, Option<TypeId>)> {
    let (variable, mut ty, way) = name.goes_to.clone()?;
    let pointer = program.pointer_bytes();
    let mut text = variable;
    let mut behind = false;
    for step in &way {
        match step {
            HeapStep::Behind => {
                if std::mem::replace(&mut behind, true) {
                    text = format!("(*{text})");
                }
                ty = pointee(program, ty)?;
            }
            HeapStep::Field(offset) => {
                let (path, part) = program.types.path(ty, *offset, pointer);
                text = match path.strip_prefix('.') {
                    Some(field) if behind => format!("{text}->{field}"),
                    Some(_) | None if behind => return None,
                    Some(_) | None => format!("{text}{path}"),
                };
                (ty, behind) = (part, false);
            }
            HeapStep::Element(index) => {
                text = format!("{text}[{index}]");
                if let CType::Array { of, .. } = program.types.get(ty)
                    && !behind
                {
                    ty = *of;
                }
                behind = false;
            }
        }
    }
    if behind {
        text = format!("(*{text})");
    }
    if name.opaque {
        return Some((text, None));
    }
    let of = pointee(program, ty)?;
    let least = program.types.size(of, pointer);
    (least > 0 && least <= size).then_some((text, Some(of)))
}

fn pointee(program: &Program, ty: TypeId) -> Option<TypeId> {
    match program.types.get(ty) {
        CType::Pointer { to } => *to,
        CType::Int { .. }
        | CType::Bool
        | CType::Float { .. }
        | CType::Array { .. }
        | CType::Struct { .. }
        | CType::Enum { .. }
        | CType::Function
        | CType::Unknown => None,
    }
}

/// A part of a heap object: `entry->next`, `node[2].next`, `*count`.
fn heap_part(program: &Program, obj: &Object, offset: u64) -> Option<(Name, Option<TypeId>)> {
    let (variable, of) = heap_name(program, obj)?;
    let named = |text| Name { object: Some(text), path: String::new() };
    let Some(of) = of else { return Some((named(format!("*{variable}")), None)) };
    let pointer = program.pointer_bytes();
    let size = program.types.size(of, pointer);
    let (path, part) = program.types.path(of, offset % size, pointer);
    let path = without_internals(&path);
    let text = match path.strip_prefix('.') {
        _ if obj.size >= 2 * size => format!("{variable}[{}]{path}", offset / size),
        Some(field) => format!("{variable}->{field}"),
        None => format!("*{variable}"),
    };
    Some((named(text), Some(part)))
}

/// Name and type of the part of an object at an offset, e.g. `queue.items[3]`.
fn part(program: &Program, obj: &Object, offset: u64) -> (Name, Option<TypeId>) {
    if let Some((name, part)) = heap_part(program, obj, offset) {
        return (name, part);
    }
    let (name, ctype) = object(program, obj);
    let Some(ctype) = ctype else {
        let library = match obj.kind {
            ObjectKind::Global(id) => program.file(program.global(id).place.file).is_model,
            ObjectKind::ThreadLocal(_) | ObjectKind::Stack | ObjectKind::Heap => false,
        };
        let path = if offset == 0 || library { String::new() } else { format!(" + {offset}") };
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
    (Name { path: format!("{index}{}", without_internals(&path)), ..name }, Some(part))
}

/// A path without the members that the C library keeps inside its own types (`.__data.__lock` of a
/// mutex).
fn without_internals(path: &str) -> &str {
    let inner = [".__data", ".__size", ".__align"];
    let end = inner.iter().filter_map(|member| path.find(member)).min();
    &path[..end.unwrap_or(path.len())]
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

/// A heap object that is freed: the pointer to it as the program writes it.
pub fn freed(program: &Program, memory: &Memory, address: u64) -> Option<String> {
    heap_name(program, memory.object_at(address)?).map(|(pointer, _)| without_parentheses(pointer))
}

/// An expression by itself.
fn without_parentheses(text: String) -> String {
    let inner = text.strip_prefix("(*").and_then(|t| t.strip_suffix(')'));
    inner.filter(|t| !t.contains(')')).map(|t| format!("*{t}")).unwrap_or(text)
}

/// The name of a pointer's value: `&x.y`, `main`, `entry` for the object that the program calls
/// `*entry`, `&heap object` for one that it calls nothing.
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
        return Some(without_parentheses(variable));
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
        let heap = o.kind == ObjectKind::Heap;
        ObjectInfo { name, part, base, size, offset, heap, allocated, freed }
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
