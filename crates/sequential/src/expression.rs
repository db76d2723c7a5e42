//! Expressions as C text.
//!
//! Values are unsigned C integers whose bits above the value's width are zero; signed operations
//! cast before and after. Arithmetic is done in unsigned types at least as wide as `int`, so
//! nothing in it is undefined in C.
//! Limits: formats of floating-point numbers other than `float` and `double`, and the
//! floating-point remainder, have no text ([`Text::Unsupported`]).

use raddle_ir::expr::mask;
use raddle_ir::{
    BinOp, BitOp, CastOp, CmpOp, Expr, FloatCmp, FloatKind, FloatOp, Function, Operand, Program,
    RegId,
};

use crate::fold::Folded;
use crate::layout::Layout;

/// The C type of values of a width.
pub(crate) fn c_type(width: u32) -> &'static str {
    match width {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        33..=64 => "u64",
        _ => "u128",
    }
}

/// The width of that C type.
fn held(width: u32) -> u32 {
    match width {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        33..=64 => 64,
        _ => 128,
    }
}

/// What is needed to write the expressions of a function.
pub(crate) struct Expressions<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: &'a Function,
    pub(crate) layout: &'a Layout,
    pub(crate) folded: &'a Folded,
    /// The names of the registers.
    pub(crate) names: &'a [String],
}

/// An operation that has no text, in words.
pub(crate) type Unsupported = &'static str;

impl Expressions<'_> {
    /// The width of an operand.
    pub(crate) fn width(&self, operand: Operand) -> u32 {
        self.program.width(self.function, operand)
    }

    /// An operand; what is folded into it stands in parentheses.
    pub(crate) fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(r) => match self.folded.expression(r) {
                Some(value) => match self.expression(value, self.function.reg(r).width) {
                    Ok(text) => text,
                    // Checked when the register was declared.
                    Err(_) => self.name(r).to_string(),
                },
                None => self.name(r).to_string(),
            },
            Operand::Const(c) => constant(c.value, c.width),
            Operand::Global(g, offset) => {
                let name = self.layout.global_name(g);
                match offset {
                    0 => name.to_string(),
                    1.. => format!("({name} + {offset})"),
                    _ => format!("({name} - {})", offset.unsigned_abs()),
                }
            }
            Operand::Function(f) => self.layout.function_address_name(f).to_string(),
        }
    }

    /// The operand without parentheses around it.
    pub(crate) fn bare(&self, operand: Operand) -> String {
        bare(&self.operand(operand)).to_string()
    }

    pub(crate) fn name(&self, register: RegId) -> &str {
        &self.names[register.index()]
    }

    /// An operand as a condition.
    pub(crate) fn condition(&self, operand: Operand) -> String {
        self.bare(operand)
    }

    /// An expression whose value has a width.
    pub(crate) fn expression(&self, value: &Expr, width: u32) -> Result<String, Unsupported> {
        let text = |o: Operand| self.operand(o);
        Ok(match *value {
            Expr::Use(a) => text(a),
            Expr::Binary { op, a, b, .. } => self.binary(op, a, b, width),
            Expr::Offset { base, offset } => {
                self.wrapped(format!("{} + {}", text(base), text(offset)), width)
            }
            Expr::Compare { op, a, b } => self.compare(op, a, b),
            Expr::Cast { op, a, .. } => self.cast(op, a, width),
            Expr::Select { cond, a, b } => format!("({} ? {} : {})", text(cond), text(a), text(b)),
            Expr::Overflows { op, signed, a, b } => self.overflows(op, signed, a, b)?,
            Expr::Bits { op, a } => self.bits(op, a)?,
            Expr::Float { op, kind, a, b } => self.float(op, kind, a, b)?,
            Expr::FloatNeg { kind, a } => format!("({} ^ {})", text(a), sign(kind)?),
            Expr::FloatAbs { kind, a } => {
                let all = mask(kind.bits() - 1);
                sign(kind)?;
                format!("({} & {})", text(a), constant(all, kind.bits()))
            }
            Expr::FloatCompare { cmp, kind, a, b } => self.float_compare(cmp, kind, a, b)?,
            Expr::FloatCast { from, to, a } => {
                encoded(to, format!("({}){}", float_type(to)?, decoded(from, &text(a))?))?
            }
            Expr::FloatToInt { from, signed, a, width } => {
                self.float_to_int(from, signed, a, width)?
            }
            Expr::IntToFloat { to, signed, a, from_width } => {
                let number = if signed { self.signed(a, from_width) } else { text(a) };
                encoded(to, format!("({}){number}", float_type(to)?))?
            }
        })
    }

    /// Cuts the bits above a width off the value of unsigned arithmetic.
    fn wrapped(&self, text: String, width: u32) -> String {
        match width {
            32 | 64 | 128 => format!("({})", text),
            8 | 16 => format!("({})({})", c_type(width), text),
            _ => format!("(({})({}) & {})", c_type(width), text, constant(mask(width), width)),
        }
    }

    /// The operand as a signed C number.
    fn signed(&self, operand: Operand, width: u32) -> String {
        let text = self.operand(operand);
        let held = held(width);
        if held == width {
            format!("(s{width}){text}")
        } else {
            format!("((s{held})((u{held}){text} << {0}) >> {0})", held - width)
        }
    }

    fn binary(&self, op: BinOp, a: Operand, b: Operand, width: u32) -> String {
        let (left, right) = (self.operand(a), self.operand(b));
        let simple = |sign: &str| self.wrapped(format!("{left} {sign} {right}"), width);
        let signed = |sign: &str| {
            let text = format!("{} {sign} {}", self.signed(a, width), self.signed(b, width));
            self.wrapped(format!("({})({text})", c_type(width)), width)
        };
        match op {
            BinOp::Add => simple("+"),
            BinOp::Sub => simple("-"),
            BinOp::Mul if width < 32 => self.wrapped(format!("(u32){left} * {right}"), width),
            BinOp::Mul => simple("*"),
            BinOp::UDiv => format!("({left} / {right})"),
            BinOp::URem => format!("({left} % {right})"),
            BinOp::SDiv => signed("/"),
            BinOp::SRem => signed("%"),
            BinOp::And => format!("({left} & {right})"),
            BinOp::Or => format!("({left} | {right})"),
            BinOp::Xor => format!("({left} ^ {right})"),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.shift(op, a, b, width),
        }
    }

    /// Shifts by the width or more give 0, or the sign.
    fn shift(&self, op: BinOp, a: Operand, b: Operand, width: u32) -> String {
        let (left, right) = (self.operand(a), self.operand(b));
        let within = match b {
            Operand::Const(c) => Some(c.value < u128::from(width)),
            Operand::Reg(_) | Operand::Global(..) | Operand::Function(_) => None,
        };
        let shifted = match op {
            BinOp::Shl => {
                self.wrapped(format!("({}){left} << {right}", c_type(width.max(32))), width)
            }
            BinOp::LShr => format!("({left} >> {right})"),
            _ => {
                let text = format!("({} >> {right})", self.signed(a, width));
                self.wrapped(format!("({}){text}", c_type(width)), width)
            }
        };
        let beyond = match op {
            BinOp::AShr => {
                let all = constant(mask(width), width);
                format!("({} < 0 ? {all} : 0)", self.signed(a, width))
            }
            _ => "0".to_string(),
        };
        match within {
            Some(true) => shifted,
            Some(false) => beyond,
            None => format!("({right} < {width} ? {shifted} : {beyond})"),
        }
    }

    fn compare(&self, op: CmpOp, a: Operand, b: Operand) -> String {
        let width = self.width(a);
        let (sign, signed) = match op {
            CmpOp::Eq => ("==", false),
            CmpOp::Ne => ("!=", false),
            CmpOp::Ult => ("<", false),
            CmpOp::Ule => ("<=", false),
            CmpOp::Ugt => (">", false),
            CmpOp::Uge => (">=", false),
            CmpOp::Slt => ("<", true),
            CmpOp::Sle => ("<=", true),
            CmpOp::Sgt => (">", true),
            CmpOp::Sge => (">=", true),
        };
        let side = |o: Operand| match o {
            Operand::Const(c) if signed => signed_constant(c.value, width),
            _ if signed => self.signed(o, width),
            _ => self.operand(o),
        };
        format!("({} {sign} {})", side(a), side(b))
    }

    fn cast(&self, op: CastOp, a: Operand, width: u32) -> String {
        let text = self.operand(a);
        let from = self.width(a);
        match op {
            CastOp::Trunc if held(width) == width => format!("({}){text}", c_type(width)),
            CastOp::Trunc => {
                format!("(({}){text} & {})", c_type(width), constant(mask(width), width))
            }
            CastOp::ZeroExtend => format!("({}){text}", c_type(width)),
            CastOp::SignExtend => {
                let signed = format!("(s{}){}", held(width), self.signed(a, from));
                self.wrapped(format!("({}){signed}", c_type(width)), width)
            }
        }
    }

    /// Computed exactly in twice the width, or by the compiler where there is none.
    fn overflows(
        &self,
        op: BinOp,
        signed: bool,
        a: Operand,
        b: Operand,
    ) -> Result<String, Unsupported> {
        let width = self.width(a);
        let (name, sign) = match op {
            BinOp::Add => ("add", "+"),
            BinOp::Sub => ("sub", "-"),
            _ => ("mul", "*"),
        };
        if width > 64 {
            let kind = if signed { "s128" } else { "u128" };
            if width != 128 {
                return Err("overflow of a width between 64 and 128 bits");
            }
            let (a, b) = (self.operand(a), self.operand(b));
            return Ok(format!(
                "__builtin_{name}_overflow(({kind}){a}, ({kind}){b}, &({kind}){{0}})"
            ));
        }
        if signed {
            let exact =
                format!("(s128){} {sign} (s128){}", self.signed(a, width), self.signed(b, width));
            let most = mask(width - 1);
            return Ok(format!("({exact} > {most}ll || {exact} < -{most}ll - 1)"));
        }
        let exact = format!("(s128){} {sign} (s128){}", self.operand(a), self.operand(b));
        let most = constant(mask(width), width.max(64));
        Ok(format!("((u128)({exact}) > {most})"))
    }

    fn bits(&self, op: BitOp, a: Operand) -> Result<String, Unsupported> {
        let width = self.width(a);
        let text = self.operand(a);
        if width > 64 {
            return Err("bit counting in more than 64 bits");
        }
        Ok(match op {
            BitOp::CountOnes => format!("({})__builtin_popcountll({text})", c_type(width)),
            BitOp::LeadingZeros => format!(
                "({})({text} ? __builtin_clzll({text}) - {} : {width})",
                c_type(width),
                64 - width
            ),
            BitOp::TrailingZeros => {
                format!("({})({text} ? __builtin_ctzll({text}) : {width})", c_type(width))
            }
            BitOp::SwapBytes if width.is_multiple_of(16) => {
                format!("({})__builtin_bswap{width}({text})", c_type(width))
            }
            BitOp::SwapBytes | BitOp::Reverse => return Err("the reversal of bits"),
        })
    }

    fn float(
        &self,
        op: FloatOp,
        kind: FloatKind,
        a: Operand,
        b: Operand,
    ) -> Result<String, Unsupported> {
        let (ta, tb) = (self.operand(a), self.operand(b));
        let (left, right) = (decoded(kind, &ta)?, decoded(kind, &tb)?);
        let simple = |sign: &str| encoded(kind, format!("{left} {sign} {right}"));
        let chosen =
            |sign: &str| Ok(format!("({right} != {right} || {left} {sign} {right} ? {ta} : {tb})"));
        match op {
            FloatOp::Add => simple("+"),
            FloatOp::Sub => simple("-"),
            FloatOp::Mul => simple("*"),
            FloatOp::Div => simple("/"),
            FloatOp::Rem => Err("the floating-point remainder"),
            FloatOp::Min => chosen("<"),
            FloatOp::Max => chosen(">"),
            FloatOp::CopySign => {
                let bit = sign(kind)?;
                Ok(format!("(({ta} & ~{bit}) | ({tb} & {bit}))"))
            }
        }
    }

    fn float_compare(
        &self,
        cmp: FloatCmp,
        kind: FloatKind,
        a: Operand,
        b: Operand,
    ) -> Result<String, Unsupported> {
        let (left, right) = (decoded(kind, &self.operand(a))?, decoded(kind, &self.operand(b))?);
        let relations = [(cmp.less, "<"), (cmp.equal, "=="), (cmp.greater, ">")];
        let mut parts: Vec<String> = relations
            .iter()
            .filter(|(wanted, _)| *wanted)
            .map(|(_, sign)| format!("{left} {sign} {right}"))
            .collect();
        if cmp.unordered {
            parts.push(format!("{left} != {left} || {right} != {right}"));
        }
        Ok(if parts.is_empty() { "0".into() } else { format!("({})", parts.join(" || ")) })
    }

    /// Toward zero; out of range gives 0.
    fn float_to_int(
        &self,
        from: FloatKind,
        signed: bool,
        a: Operand,
        width: u32,
    ) -> Result<String, Unsupported> {
        let value = decoded(from, &self.operand(a))?;
        if width > 64 {
            return Err("conversion to more than 64 bits");
        }
        // Powers of two are exact in both formats. The value is cut before it is compared with
        // the lower bound.
        let (low, high) = if signed {
            let limit = 2f64.powi(width as i32 - 1);
            (format!("(double){value} > -{limit:.1} - 1.0 || {value} == -{limit:.1}"), limit)
        } else {
            (format!("(double){value} > -1.0"), 2f64.powi(width as i32))
        };
        let cast = if signed { "(s64)" } else { "(u64)" };
        let number = self.wrapped(format!("({}){cast}{value}", c_type(width)), width);
        Ok(format!("(({low}) && {value} < {high:.1} ? {number} : 0)"))
    }
}

/// Without the parentheses around it, if they belong together.
pub(crate) fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// A constant of a width.
pub(crate) fn constant(value: u128, width: u32) -> String {
    if width > 64 {
        let (high, low) = ((value >> 64) as u64, value as u64);
        return format!("((u128){high:#x}ull << 64 | {low:#x}ull)");
    }
    let ending = if width > 32 { "ull" } else { "u" };
    match value {
        0..1024 => format!("{value}{}", if width >= 32 { ending } else { "" }),
        _ => format!("{value:#x}{ending}"),
    }
}

/// A constant as a signed number.
fn signed_constant(value: u128, width: u32) -> String {
    let negative = width < 128 && value >> (width - 1) == 1;
    if width > 64 {
        return format!("(s128){}", constant(value, width));
    }
    let ending = if width > 32 { "ll" } else { "" };
    if !negative {
        return format!("{value}{ending}");
    }
    // The smallest number has no literal of its own.
    let size = mask(width) - value;
    format!("(-{size}{ending} - 1)")
}

fn float_type(kind: FloatKind) -> Result<&'static str, Unsupported> {
    match kind {
        FloatKind::Single => Ok("float"),
        FloatKind::Double => Ok("double"),
        FloatKind::Half => Err("half-precision floating point"),
        FloatKind::X87 => Err("long double"),
        FloatKind::Quad => Err("quadruple-precision floating point"),
    }
}

fn decoded(kind: FloatKind, text: &str) -> Result<String, Unsupported> {
    float_type(kind)?;
    Ok(format!("raddle_f{}({})", kind.bits(), bare(text)))
}

fn encoded(kind: FloatKind, value: String) -> Result<String, Unsupported> {
    float_type(kind)?;
    Ok(format!("raddle_f{}_bits({value})", kind.bits()))
}

fn sign(kind: FloatKind) -> Result<String, Unsupported> {
    float_type(kind)?;
    Ok(constant(1 << (kind.bits() - 1), kind.bits()))
}
