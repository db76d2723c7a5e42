//! C expressions over globals, with C's types.
//!
//! Operands are integers, characters, Booleans, enumerators and pointers: globals, elements of arrays at
//! constant indices, members of structures. Integers are promoted and brought to a common type as in C17
//! 6.3.1; arithmetic wraps. A division needs a constant divisor that is not 0, so that every atom has a
//! value in every state.

use raddle_ir::linear::{Computation, Part};
use raddle_ir::{
    BinOp, CType, CastOp, CmpOp, Expr, Global, GlobalId, Operand, Program, TypeId, Wrap,
};

use super::Wrong;
use super::syntax::{Node, Tree};

/// A value with its C type, an integer one.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    operand: Operand,
    bits: u32,
    signed: bool,
}

/// A part of a global.
struct Place {
    part: Part,
    /// None where the program does not say.
    ctype: Option<TypeId>,
}

/// Makes one atom.
pub struct Values<'a> {
    program: &'a Program,
    made: Computation,
}

impl<'a> Values<'a> {
    /// The condition that an expression is not zero.
    pub fn atom(program: &'a Program, tree: &Tree) -> Result<Computation, Wrong> {
        let mut values = Values { program, made: Computation::default() };
        // Parts first: their registers come before those of steps.
        let mut parts = Vec::new();
        values.collect(tree, &mut parts)?;
        let value = values.value(tree)?;
        values.made.result = Some(value.operand);
        Ok(values.made)
    }

    /// Reads all parts of memory that occur.
    fn collect(&mut self, tree: &Tree, parts: &mut Vec<Part>) -> Result<(), Wrong> {
        match &tree.node {
            Node::Number(_) | Node::Call(..) => Ok(()),
            Node::Name(_) | Node::Element(..) | Node::Member(..) => {
                if let Some(place) = self.place(tree)?
                    && !parts.contains(&place.part)
                {
                    // An aggregate is told apart when its value is asked for.
                    if place.part.bytes <= 16 {
                        self.made.part(place.part);
                    }
                    parts.push(place.part);
                }
                Ok(())
            }
            Node::Before(_, a) => self.collect(a, parts),
            Node::Between(_, a, b) => {
                self.collect(a, parts)?;
                self.collect(b, parts)
            }
        }
    }

    fn value(&mut self, tree: &Tree) -> Result<Typed, Wrong> {
        match &tree.node {
            Node::Number(n) => {
                let bits = if i32::try_from(*n).is_ok() { 32 } else { 64 };
                let signed = i64::try_from(*n).is_ok();
                Ok(Typed { operand: Computation::constant(*n, bits), bits, signed })
            }
            Node::Name(name) => match self.enumerator(name) {
                Some(value) if self.global(name).is_none() => {
                    let operand = Computation::constant(value, 32);
                    Ok(Typed { operand, bits: 32, signed: true })
                }
                Some(_) | None => self.read(tree),
            },
            Node::Element(..) | Node::Member(..) => self.read(tree),
            Node::Call(name, ..) => {
                let message = format!("`{name}(…)` is a formula, no value to compute with");
                Err(Wrong::new(tree.column, message))
            }
            Node::Before(sign, inside) => self.before(tree, sign, inside),
            Node::Between(sign, a, b) => self.between(tree, sign, a, b),
        }
    }

    fn before(&mut self, tree: &Tree, sign: &str, inside: &Tree) -> Result<Typed, Wrong> {
        if !["!", "-", "~", "+"].contains(&sign) {
            let message = format!("`{sign}` cannot stand inside a C expression");
            return Err(Wrong::new(tree.column, message));
        }
        let a = self.value(inside)?;
        if sign == "!" {
            return Ok(self.compare(CmpOp::Eq, a, Computation::constant(0, a.bits)));
        }
        let a = self.promoted(a);
        let (zero, ones) = (Computation::constant(0, a.bits), Computation::constant(-1, a.bits));
        let operand = match sign {
            "-" => self.binary(BinOp::Sub, zero, a.operand, a.bits),
            "~" => self.binary(BinOp::Xor, a.operand, ones, a.bits),
            _ => a.operand,
        };
        Ok(Typed { operand, ..a })
    }

    fn between(
        &mut self,
        tree: &Tree,
        sign: &str,
        left: &Tree,
        right: &Tree,
    ) -> Result<Typed, Wrong> {
        if ["U", "R", "W", "->", "<->"].contains(&sign) {
            let message = format!("`{sign}` cannot stand inside a C expression");
            return Err(Wrong::new(tree.column, message));
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        if let "&&" | "||" = sign {
            let (a, b) = (self.truth(a), self.truth(b));
            let op = if sign == "&&" { BinOp::And } else { BinOp::Or };
            let operand = self.binary(op, a.operand, b.operand, 32);
            return Ok(Typed { operand, bits: 32, signed: true });
        }
        if let "<<" | ">>" = sign {
            let (a, b) = (self.promoted(a), self.promoted(b));
            let b = self.resized(b, a.bits, a.signed);
            let op = match (sign, a.signed) {
                ("<<", _) => BinOp::Shl,
                (_, true) => BinOp::AShr,
                (_, false) => BinOp::LShr,
            };
            return Ok(Typed { operand: self.binary(op, a.operand, b.operand, a.bits), ..a });
        }
        let (a, b) = self.common(a, b);
        let op = match (sign, a.signed) {
            ("==", _) => return Ok(self.compare(CmpOp::Eq, a, b.operand)),
            ("!=", _) => return Ok(self.compare(CmpOp::Ne, a, b.operand)),
            ("<", true) => return Ok(self.compare(CmpOp::Slt, a, b.operand)),
            ("<", false) => return Ok(self.compare(CmpOp::Ult, a, b.operand)),
            ("<=", true) => return Ok(self.compare(CmpOp::Sle, a, b.operand)),
            ("<=", false) => return Ok(self.compare(CmpOp::Ule, a, b.operand)),
            (">", true) => return Ok(self.compare(CmpOp::Sgt, a, b.operand)),
            (">", false) => return Ok(self.compare(CmpOp::Ugt, a, b.operand)),
            (">=", true) => return Ok(self.compare(CmpOp::Sge, a, b.operand)),
            (">=", false) => return Ok(self.compare(CmpOp::Uge, a, b.operand)),
            ("+", _) => BinOp::Add,
            ("-", _) => BinOp::Sub,
            ("*", _) => BinOp::Mul,
            ("&", _) => BinOp::And,
            ("|", _) => BinOp::Or,
            ("^", _) => BinOp::Xor,
            ("/", true) => BinOp::SDiv,
            ("/", false) => BinOp::UDiv,
            ("%", true) => BinOp::SRem,
            (_, true | false) => BinOp::URem,
        };
        if let "/" | "%" = sign {
            let is_fine = |n: i128| n > 0;
            if !matches!(right.node, Node::Number(n) if is_fine(n)) {
                let message = "a divisor must be a positive number, so that it is never 0";
                return Err(Wrong::new(right.column, message));
            }
        }
        Ok(Typed { operand: self.binary(op, a.operand, b.operand, a.bits), ..a })
    }

    fn binary(&mut self, op: BinOp, a: Operand, b: Operand, bits: u32) -> Operand {
        self.made.step(Expr::Binary { op, a, b, wrap: Wrap::default() }, bits)
    }

    /// A comparison, as the `int` that C makes of it.
    fn compare(&mut self, op: CmpOp, a: Typed, b: Operand) -> Typed {
        let bit = self.made.step(Expr::Compare { op, a: a.operand, b }, 1);
        let cast = Expr::Cast { op: CastOp::ZeroExtend, a: bit, width: 32 };
        Typed { operand: self.made.step(cast, 32), bits: 32, signed: true }
    }

    fn truth(&mut self, a: Typed) -> Typed {
        self.compare(CmpOp::Ne, a, Computation::constant(0, a.bits))
    }

    fn resized(&mut self, a: Typed, bits: u32, signed: bool) -> Typed {
        let op = match (a.bits.cmp(&bits), a.signed) {
            (std::cmp::Ordering::Equal, _) => return Typed { signed, ..a },
            (std::cmp::Ordering::Greater, _) => CastOp::Trunc,
            (std::cmp::Ordering::Less, true) => CastOp::SignExtend,
            (std::cmp::Ordering::Less, false) => CastOp::ZeroExtend,
        };
        let operand = self.made.step(Expr::Cast { op, a: a.operand, width: bits }, bits);
        Typed { operand, bits, signed }
    }

    /// Integer promotion.
    fn promoted(&mut self, a: Typed) -> Typed {
        if a.bits < 32 { self.resized(a, 32, true) } else { a }
    }

    /// The usual arithmetic conversions.
    fn common(&mut self, a: Typed, b: Typed) -> (Typed, Typed) {
        let (a, b) = (self.promoted(a), self.promoted(b));
        let bits = a.bits.max(b.bits);
        let unsigned = |x: Typed| x.bits == bits && !x.signed;
        let signed = !unsigned(a) && !unsigned(b);
        (self.resized(a, bits, signed), self.resized(b, bits, signed))
    }

    fn read(&mut self, tree: &Tree) -> Result<Typed, Wrong> {
        let place = self.place(tree)?;
        let Some(Place { part, ctype }) = place else {
            let Node::Name(name) = &tree.node else {
                return Err(Wrong::new(tree.column, "not a part of a global variable"));
            };
            return Err(Wrong::new(tree.column, self.unknown(name)));
        };
        let refuse = |what: &str| Err(Wrong::new(tree.column, what.to_string()));
        let bits = 8 * part.bytes as u32;
        let signed = match ctype.map(|t| self.program.types.get(t)) {
            Some(CType::Int { signed, .. }) => *signed,
            Some(CType::Bool | CType::Pointer { .. }) => false,
            Some(CType::Enum { constants, .. }) => constants.iter().any(|(value, _)| *value < 0),
            Some(CType::Float { .. }) => return refuse("floating-point values are not supported"),
            Some(CType::Array { .. }) => return refuse("an array has no value; name an element"),
            Some(CType::Struct { .. }) => {
                return refuse("a structure has no value; name a member");
            }
            Some(CType::Function) => return refuse("a function has no value"),
            Some(CType::Unknown) | None => true,
        };
        if ![1, 2, 4, 8].contains(&part.bytes) {
            return refuse("only integers of 1, 2, 4 and 8 bytes are supported");
        }
        let at = self.made.parts.iter().position(|p| *p == part).expect("all parts were read");
        let operand = Operand::Reg(raddle_ir::RegId::new(at));
        Ok(Typed { operand, bits, signed })
    }

    /// The global or part of one that an expression names; none if the name is no global's.
    fn place(&self, tree: &Tree) -> Result<Option<Place>, Wrong> {
        let bytes = self.program.pointer_bytes();
        match &tree.node {
            Node::Name(name) => {
                let Some((id, global)) = self.global(name) else {
                    let known = self.enumerator(name).is_some();
                    let missing = || Err(Wrong::new(tree.column, self.unknown(name)));
                    return if known { Ok(None) } else { missing() };
                };
                if global.thread_local {
                    let message = format!("`{name}` is thread-local: which copy is meant?");
                    return Err(Wrong::new(tree.column, message));
                }
                let part = Part { global: id, offset: 0, bytes: global.size };
                Ok(Some(Place { part, ctype: global.ctype }))
            }
            Node::Element(array, index) => {
                let Node::Number(index_value) = index.node else {
                    let message = "an index must be a number";
                    return Err(Wrong::new(index.column, message));
                };
                let Some(Place { part, ctype }) = self.place(array)? else { return Ok(None) };
                let Some(CType::Array { of, .. }) = ctype.map(|t| self.program.types.get(t)) else {
                    return Err(Wrong::new(tree.column, "only arrays have elements"));
                };
                let size = self.program.types.size(*of, bytes);
                let count = part.bytes.checked_div(size).unwrap_or(0);
                let index_value = u64::try_from(index_value).unwrap_or(u64::MAX);
                if index_value >= count {
                    let message = format!("the array has {count} elements");
                    return Err(Wrong::new(index.column, message));
                }
                let offset = part.offset + index_value * size;
                let part = Part { offset, bytes: size, ..part };
                Ok(Some(Place { part, ctype: Some(*of) }))
            }
            Node::Member(object, name) => {
                let Some(Place { part, ctype }) = self.place(object)? else { return Ok(None) };
                let Some(CType::Struct { fields, .. }) = ctype.map(|t| self.program.types.get(t))
                else {
                    return Err(Wrong::new(tree.column, "only structures have members"));
                };
                let Some(field) = fields.iter().find(|f| f.name == *name) else {
                    let known = fields.iter().map(|f| f.name.as_str());
                    let message = format!("no member `{name}`{}", did_you_mean(name, known));
                    return Err(Wrong::new(tree.column, message));
                };
                let size = self.program.types.size(field.ty, bytes);
                if field.bit_offset % 8 != 0 || field.bits != 8 * size {
                    return Err(Wrong::new(tree.column, "bit-fields are not supported"));
                }
                let offset = part.offset + field.bit_offset / 8;
                let part = Part { offset, bytes: size, ..part };
                Ok(Some(Place { part, ctype: Some(field.ty) }))
            }
            Node::Number(_) | Node::Call(..) | Node::Before(..) | Node::Between(..) => {
                Err(Wrong::new(tree.column, "not a part of a global variable"))
            }
        }
    }

    fn global(&self, name: &str) -> Option<(GlobalId, &'a Global)> {
        let own = |g: &Global| !g.is_model && g.name == name;
        let at = self.program.globals.iter().position(own)?;
        Some((GlobalId::new(at), &self.program.globals[at]))
    }

    fn enumerator(&self, name: &str) -> Option<i128> {
        let types = (0..self.program.types.len()).map(|i| self.program.types.get(TypeId::new(i)));
        let constants = types.filter_map(|t| match t {
            CType::Enum { constants, .. } => constants.iter().find(|(_, n)| n == name),
            CType::Int { .. }
            | CType::Bool
            | CType::Float { .. }
            | CType::Pointer { .. }
            | CType::Array { .. }
            | CType::Struct { .. }
            | CType::Function
            | CType::Unknown => None,
        });
        constants.map(|(value, _)| *value).next()
    }

    fn unknown(&self, name: &str) -> String {
        let known = self.program.globals.iter().filter(|g| !g.is_model).map(|g| g.name.as_str());
        format!("the program uses no global variable `{name}`{}", did_you_mean(name, known))
    }
}

/// The most similar of the known names, if one is similar; else all, if they are few.
pub fn did_you_mean<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let mut known: Vec<&str> = known.filter(|k| !k.is_empty() && !k.starts_with('.')).collect();
    known.sort_unstable();
    known.dedup();
    let best = known.iter().map(|k| (distance(name, k), *k)).min();
    match best {
        Some((changes, best)) if changes <= 1 + name.chars().count() / 4 => {
            format!("; did you mean `{best}`?")
        }
        Some(_) if known.len() <= 8 => format!("; known are {}", known.join(", ")),
        Some(_) | None => String::new(),
    }
}

/// How many letters have to be inserted, dropped or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
