//! Debug information: source places, names of variables, C types.
//!
//! Debug information is advice: what is missing or odd in it costs the user a name, never the
//! verdict.

use std::path::Path;
use std::rc::Rc;

use raddle_ir::{CType, Field, FileId, Place, TypeId};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::unit::{Unit, UnitId};
use crate::llvm::ast::Global;
use crate::llvm::metadata::{
    BasicType, CompositeType, Encoding, MetadataId, MetadataOperand, Node, Tag,
};
use crate::llvm::symbols::Symbol;

/// Chains of scopes and types longer than this are cut: broken debug information may be circular.
const DEEPEST: u32 = 200;

/// What has been translated already.
#[derive(Default)]
pub(crate) struct DebugCache {
    places: FxHashMap<(UnitId, MetadataId), Place>,
    scopes: FxHashMap<(UnitId, MetadataId), Option<FileId>>,
    types: FxHashMap<(UnitId, MetadataId), TypeId>,
    incomplete: Vec<(UnitId, MetadataId, TypeId)>,
    /// Source files by path.
    pub files: FxHashMap<String, FileId>,
}

/// A variable of the source.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub ctype: Option<TypeId>,
}

impl Context {
    /// The place of an instruction.
    pub(crate) fn place(&mut self, unit: UnitId, debug: Option<MetadataId>) -> Place {
        let Some(id) = debug else { return Place::UNKNOWN };
        if let Some(&place) = self.debug.places.get(&(unit, id)) {
            return place;
        }
        let owner = Rc::clone(self.unit(unit));
        let place = match owner.module.metadata.get(id) {
            Some(Node::Location(location)) if location.line != 0 => {
                match location.scope.and_then(|s| self.scope_file(unit, s)) {
                    Some(file) => Place { file, line: location.line, column: location.column },
                    None => Place::UNKNOWN,
                }
            }
            Some(Node::Subprogram(subprogram)) => {
                match subprogram.file.and_then(|f| self.scope_file(unit, f)) {
                    Some(file) => Place { file, line: subprogram.line, column: 0 },
                    None => Place::UNKNOWN,
                }
            }
            _ => Place::UNKNOWN,
        };
        self.debug.places.insert((unit, id), place);
        place
    }

    /// The file that a scope lies in.
    fn scope_file(&mut self, unit: UnitId, scope: MetadataId) -> Option<FileId> {
        if let Some(&file) = self.debug.scopes.get(&(unit, scope)) {
            return file;
        }
        let owner = Rc::clone(self.unit(unit));
        let mut at = scope;
        let mut found = None;
        for _ in 0..DEEPEST {
            let next = match owner.module.metadata.get(at) {
                Some(Node::LexicalBlock(block)) => block.file.or(block.scope),
                Some(Node::Subprogram(subprogram)) => subprogram.file.or(subprogram.scope),
                Some(Node::File(file)) => {
                    let path = source_path(
                        owner.module.name(file.name),
                        owner.module.name(file.directory),
                    );
                    found = Some(self.file(&path, owner.is_model()));
                    None
                }
                _ => None,
            };
            let Some(next) = next else { break };
            at = next;
        }
        self.debug.scopes.insert((unit, scope), found);
        found
    }

    /// A local variable or parameter.
    pub(crate) fn variable(&mut self, unit: UnitId, id: MetadataId) -> Option<Variable> {
        let owner = Rc::clone(self.unit(unit));
        let Some(Node::LocalVariable(variable)) = owner.module.metadata.get(id) else {
            return None;
        };
        let name = owner.module.name(variable.name?).to_string();
        let ctype = variable.ty.map(|ty| self.ctype(unit, ty));
        Some(Variable { name, ctype })
    }

    /// C name, type and place of a global.
    pub(crate) fn global_debug(
        &mut self,
        unit: UnitId,
        global: &Global,
    ) -> (Option<String>, Option<TypeId>, Place) {
        let owner = Rc::clone(self.unit(unit));
        let metadata = &owner.module.metadata;
        let variable = global.debug.iter().find_map(|&id| match metadata.get(id)? {
            Node::GlobalVariableExpression { variable, .. } => match metadata.get((*variable)?)? {
                Node::GlobalVariable(variable) => Some(variable),
                _ => None,
            },
            _ => None,
        });
        let Some(variable) = variable else { return (None, None, Place::UNKNOWN) };
        let name = variable.name.map(|n| owner.module.name(n).to_string());
        let ctype = variable.ty.map(|ty| self.ctype(unit, ty));
        let file = variable.file.and_then(|f| self.scope_file(unit, f));
        let place =
            file.map_or(Place::UNKNOWN, |file| Place { file, line: variable.line, column: 0 });
        (name, ctype, place)
    }

    /// A C type. Its parts are filled in by [`Context::complete_types`], not here: types refer
    /// to each other in chains of any length, which must not become recursion.
    pub(crate) fn ctype(&mut self, unit: UnitId, id: MetadataId) -> TypeId {
        if let Some(&ty) = self.debug.types.get(&(unit, id)) {
            return ty;
        }
        let owner = Rc::clone(self.unit(unit));
        let ty = match strip(&owner, id) {
            Some(base) if base != id => self.ctype(unit, base),
            Some(_) => {
                let ty = self.add_type(CType::Unknown);
                self.debug.incomplete.push((unit, id, ty));
                ty
            }
            None => self.add_type(CType::Unknown),
        };
        self.debug.types.insert((unit, id), ty);
        ty
    }

    /// Fills in all types that were asked for, and those they are made of.
    pub(crate) fn complete_types(&mut self) {
        while let Some((unit, id, ty)) = self.debug.incomplete.pop() {
            let owner = Rc::clone(self.unit(unit));
            let full = match owner.module.metadata.get(id) {
                Some(Node::BasicType(basic)) => {
                    basic_type(basic, basic.name.map_or("", |n| owner.module.name(n)))
                }
                Some(Node::DerivedType(derived)) if derived.tag == Tag::Pointer => {
                    let to = derived.base.and_then(|b| strip(&owner, b));
                    CType::Pointer { to: to.map(|b| self.ctype(unit, b)) }
                }
                Some(Node::CompositeType(composite)) => {
                    self.composite_type(unit, &owner, composite)
                }
                Some(Node::SubroutineType { .. }) => CType::Function,
                _ => CType::Unknown,
            };
            self.program.types.set(ty, full);
        }
    }

    fn composite_type(&mut self, unit: UnitId, owner: &Unit, composite: &CompositeType) -> CType {
        let name = composite.name.map_or(String::new(), |n| owner.module.name(n).to_string());
        let elements = tuple(owner, composite.elements);
        match composite.tag {
            Tag::Structure | Tag::Union => {
                let fields = elements.iter().filter_map(|&e| self.field(unit, owner, e)).collect();
                CType::Struct { name, fields, size: composite.size / 8 }
            }
            Tag::Enumeration => {
                let constants = elements
                    .iter()
                    .filter_map(|&e| match owner.module.metadata.get(e) {
                        Some(Node::Enumerator { name, value }) => {
                            Some((*value, owner.module.name(*name).to_string()))
                        }
                        _ => None,
                    })
                    .collect();
                CType::Enum { name, bits: composite.size as u32, constants }
            }
            Tag::Array => {
                let Some(base) = composite.base else { return CType::Unknown };
                let mut of = self.ctype(unit, base);
                // Dimensions from the innermost outwards; the outermost becomes the type itself.
                for (i, &e) in elements.iter().enumerate().rev() {
                    let count = match owner.module.metadata.get(e) {
                        Some(Node::Subrange(range)) => range.count.unwrap_or(0),
                        _ => 0,
                    };
                    if i == 0 {
                        return CType::Array { of, count };
                    }
                    of = self.add_type(CType::Array { of, count });
                }
                CType::Array { of, count: 0 }
            }
            _ => CType::Unknown,
        }
    }

    fn field(&mut self, unit: UnitId, owner: &Unit, id: MetadataId) -> Option<Field> {
        let Some(Node::DerivedType(member)) = owner.module.metadata.get(id) else { return None };
        let name = member.name.map_or(String::new(), |n: Symbol| owner.module.name(n).to_string());
        let ty = self.ctype(unit, member.base?);
        Some(Field { name, bit_offset: member.offset, bits: member.size, ty })
    }
}

/// The type under typedefs and qualifiers; `None` for void, and for circular chains.
fn strip(owner: &Unit, id: MetadataId) -> Option<MetadataId> {
    let mut at = id;
    for _ in 0..DEEPEST {
        match owner.module.metadata.get(at) {
            Some(Node::DerivedType(d)) => match d.tag {
                Tag::Typedef | Tag::Const | Tag::Volatile | Tag::Restrict | Tag::Atomic => {
                    at = d.base?;
                }
                Tag::Pointer
                | Tag::Member
                | Tag::Structure
                | Tag::Union
                | Tag::Array
                | Tag::Enumeration
                | Tag::Other => return Some(at),
            },
            _ => return Some(at),
        }
    }
    None
}

fn basic_type(basic: &BasicType, name: &str) -> CType {
    let bits = u32::try_from(basic.size).unwrap_or(0);
    let int = |signed| CType::Int { name: name.to_string(), bits, signed };
    match basic.encoding {
        Encoding::Boolean => CType::Bool,
        Encoding::Signed | Encoding::SignedChar => int(true),
        Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Utf => int(false),
        // The size of `long double` in debug information includes its padding.
        Encoding::Float if name == "long double" && bits >= 96 => {
            CType::Float { name: name.to_string(), bits: 80 }
        }
        Encoding::Float => CType::Float { name: name.to_string(), bits },
        Encoding::ComplexFloat | Encoding::Other => CType::Unknown,
    }
}

fn tuple(owner: &Unit, id: Option<MetadataId>) -> Vec<MetadataId> {
    match id.and_then(|id| owner.module.metadata.get(id)) {
        Some(Node::Tuple(list)) => list
            .iter()
            .filter_map(|o| match o {
                MetadataOperand::Node(id) => Some(*id),
                MetadataOperand::Null | MetadataOperand::String(_) | MetadataOperand::Value(_) => {
                    None
                }
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The path as the user would open it: relative names are relative to where the compiler ran.
fn source_path(name: &str, directory: &str) -> String {
    let path = Path::new(name);
    if path.is_absolute() || directory.is_empty() {
        return name.to_string();
    }
    let here = std::env::current_dir().unwrap_or_default();
    if Path::new(directory) == here {
        name.to_string()
    } else {
        Path::new(directory).join(path).display().to_string()
    }
}
