//! How C would print a value of a type.

use raddle_ir::{CType, FloatKind, Program, TypeId};

use crate::value::arith::signed;
use crate::value::float;

/// Text of a value; `name_address` names what a pointer points to.
pub fn show(
    program: &Program,
    bits: u128,
    width: u32,
    ctype: Option<TypeId>,
    name_address: &dyn Fn(u64) -> Option<String>,
) -> String {
    let plain = || {
        if width == program.pointer_bits
            && let Some(name) = name_address(bits as u64)
        {
            return name;
        }
        signed(bits, width).to_string()
    };
    let Some(id) = ctype else { return plain() };
    match program.types.get(id) {
        CType::Int { signed: true, .. } => signed(bits, width).to_string(),
        CType::Int { signed: false, .. } => bits.to_string(),
        CType::Bool => (if bits == 0 { "false" } else { "true" }).to_string(),
        CType::Float { bits: format, .. } => match (*format, width) {
            (16, 16) => float::show(FloatKind::Half, bits),
            (32, 32) => float::show(FloatKind::Single, bits),
            (64, 64) => float::show(FloatKind::Double, bits),
            (80, 80) => float::show(FloatKind::X87, bits),
            (128, 128) => float::show(FloatKind::Quad, bits),
            (_, _) => format!("{bits:#x}"),
        },
        CType::Pointer { .. } => match bits as u64 {
            0 => "NULL".to_string(),
            address => name_address(address).unwrap_or_else(|| format!("{address:#x}")),
        },
        CType::Enum { constants, .. } => {
            let value = signed(bits, width);
            let hit = constants.iter().find(|(v, _)| *v == value || *v == bits as i128);
            hit.map_or_else(|| value.to_string(), |(_, name)| name.clone())
        }
        CType::Array { .. } | CType::Struct { .. } | CType::Function | CType::Unknown => plain(),
    }
}
