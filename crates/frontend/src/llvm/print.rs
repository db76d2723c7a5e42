//! The tree as LLVM text again.
//!
//! Idea: what was read can be written, read again, and given to clang; so the reader is tested by
//!   identity of text for single instructions and by running whole programs that went through the
//!   tree.
//! Invariants: the text of a module without `Unsupported` parts is valid LLVM IR of the same
//! meaning.
//! Length: one short arm per construct of the tree, so as long as the tree is rich.
//! Limits: metadata, debug records and operand bundles are left out, as are attributes that the
//! tree drops.
//! Users: the tests of the reader, and its fuzz target by the feature `print`; raddle itself never
//! writes LLVM text.

use super::ast::{
    Access, Alias, Callee, Constant, ElementPointer, Expression, Flags, Function,
    FunctionAttributes, Global, Instruction, Linkage, LocalName, Module, Op, Operand,
    ParameterAttributes, Tail, Terminator, TerminatorOp, Value,
};
use super::ast::{
    BlockId, Call, CallingConvention, CompareExchange, Item, LocalId, Ordering, RmwOp,
};
use super::symbols::Symbol;
use super::types::{FloatKind, Type, TypeId};
use std::fmt::{self, Display, Formatter};

/// The whole module.
pub fn module(module: &Module) -> String {
    Whole(module).to_string()
}

/// One instruction without its name.
pub fn instruction(module: &Module, function: &Function, instruction: &Instruction) -> String {
    Body { module, function: Some(function) }.op(&instruction.op, instruction.result)
}

/// One terminator without its name.
pub fn terminator(module: &Module, function: &Function, terminator: &Terminator) -> String {
    Body { module, function: Some(function) }.terminator(&terminator.op)
}

/// A constant or global with its type.
pub fn operand(module: &Module, operand: &Operand) -> String {
    Body { module, function: None }.operand(operand)
}

/// A type.
pub fn ty(module: &Module, ty: TypeId) -> String {
    Body { module, function: None }.ty(ty)
}

struct Whole<'a>(&'a Module);

impl Display for Whole<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let module = self.0;
        let body = Body { module, function: None };
        writeln!(out, "target datalayout = \"{}\"", escape(module.layout.text.as_bytes()))?;
        writeln!(out, "target triple = \"{}\"", escape(module.triple.as_bytes()))?;
        for line in &module.assembly {
            writeln!(out, "module asm \"{}\"", escape(line.as_bytes()))?;
        }
        // By name, as their order in the table is that of first mention and would not come back.
        let mut structs: Vec<_> = module.types.named_structs().collect();
        structs.sort_by_key(|&(_, name)| module.name(name));
        for (id, name) in structs {
            let fields = match module.types.struct_fields(id) {
                Some((fields, packed)) => body.fields(fields, packed),
                None => "opaque".into(),
            };
            writeln!(out, "%{} = type {fields}", quoted(module.name(name)))?;
        }
        module.globals.iter().try_for_each(|global| writeln!(out, "{}", body.global(global)))?;
        module.aliases.iter().try_for_each(|alias| writeln!(out, "{}", body.alias(alias)))?;
        module.functions.iter().try_for_each(|function| write_function(out, module, function))
    }
}

fn write_function(out: &mut Formatter<'_>, module: &Module, function: &Function) -> fmt::Result {
    let body = Body { module, function: Some(function) };
    let word = if function.is_definition() { "define" } else { "declare" };
    let linkage = linkage(function.linkage);
    let convention = convention(function.calling_convention);
    let result_attributes = body.attributes(&function.result_attributes);
    let result = body.ty(function.result);
    let name = body.symbol(function.name);
    let parameters = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let attributes = body.attributes(&parameter.attributes);
        let name = body.local(LocalId(index as u32));
        let name = if function.is_definition() { format!(" {name}") } else { String::new() };
        format!("{}{}{name}", body.ty(parameter.ty), space_before(&attributes))
    });
    let parameters = list(parameters.chain(function.variadic.then(|| "...".into())));
    write!(
        out,
        "{word} {linkage}{convention}{}{result} {name}({parameters})",
        space_after(&result_attributes)
    )?;
    write!(out, "{}", function_attributes(function.attributes))?;
    if !function.is_definition() {
        return writeln!(out);
    }
    writeln!(out, " {{")?;
    for block in &function.blocks {
        match block.name {
            LocalName::Named(name) => writeln!(out, "{}:", quoted(module.name(name)))?,
            LocalName::Numbered(number) => writeln!(out, "{number}:")?,
        }
        for instruction in &block.instructions {
            if !matches!(instruction.op, Op::Debug(_)) {
                let text = body.op(&instruction.op, instruction.result);
                writeln!(out, "  {}{text}", body.result(instruction.result))?;
            }
        }
        let text = body.terminator(&block.terminator.op);
        writeln!(out, "  {}{text}", body.result(block.terminator.result))?;
    }
    writeln!(out, "}}")
}

/// Writes parts of a function, or of none.
struct Body<'a> {
    module: &'a Module,
    function: Option<&'a Function>,
}

impl Body<'_> {
    fn global(&self, global: &Global) -> String {
        let mut text = format!("{} = ", self.symbol(global.name));
        let declared = global.initializer.is_none() && global.linkage == Linkage::External;
        text += if declared { "external " } else { linkage(global.linkage) };
        text += if global.thread_local { "thread_local " } else { "" };
        text += &space(global.address_space);
        text += if global.externally_initialized { "externally_initialized " } else { "" };
        text += if global.constant { "constant " } else { "global " };
        text += &self.ty(global.ty);
        if let Some(value) = &global.initializer {
            text += &format!(" {}", self.value(value, global.ty));
        }
        if let Some(section) = global.section {
            text += &format!(", section \"{}\"", escape(self.module.name(section).as_bytes()));
        }
        text + &align(global.align)
    }

    fn alias(&self, alias: &Alias) -> String {
        let word = if alias.ifunc { "ifunc" } else { "alias" };
        let target = self.operand(&alias.target);
        format!(
            "{} = {}{word} {}, {target}",
            self.symbol(alias.name),
            linkage(alias.linkage),
            self.ty(alias.ty)
        )
    }

    fn ty(&self, id: TypeId) -> String {
        match self.module.types.get(id) {
            Type::Void => "void".into(),
            Type::Integer(bits) => format!("i{bits}"),
            Type::Float(kind) => match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::X86Fp80 => "x86_fp80",
                FloatKind::Fp128 => "fp128",
                FloatKind::PpcFp128 => "ppc_fp128",
            }
            .into(),
            Type::Pointer { address_space: 0 } => "ptr".into(),
            Type::Pointer { address_space } => format!("ptr addrspace({address_space})"),
            Type::Array { element, count } => format!("[{count} x {}]", self.ty(*element)),
            Type::Vector { element, count, scalable } => {
                let scale = if *scalable { "vscale x " } else { "" };
                format!("<{scale}{count} x {}>", self.ty(*element))
            }
            Type::Struct { fields, packed } => self.fields(fields, *packed),
            Type::Named(name) => format!("%{}", quoted(self.module.name(*name))),
            Type::Function { result, parameters, variadic } => {
                let parameters = parameters.iter().map(|&id| self.ty(id));
                let parameters = list(parameters.chain(variadic.then(|| "...".into())));
                format!("{} ({parameters})", self.ty(*result))
            }
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Token => "token".into(),
            Type::Target(name) => match self.module.name(*name) {
                word @ ("x86_amx" | "x86_mmx") => word.into(),
                name => format!("target(\"{}\")", escape(name.as_bytes())),
            },
        }
    }

    fn fields(&self, fields: &[TypeId], packed: bool) -> String {
        let text = match fields {
            [] => "{}".into(),
            _ => format!("{{ {} }}", list(fields.iter().map(|&id| self.ty(id)))),
        };
        if packed { format!("<{text}>") } else { text }
    }

    /// `@name`; numbers keep their sigil in the table.
    fn symbol(&self, symbol: Symbol) -> String {
        let name = self.module.name(symbol);
        match name.strip_prefix('@') {
            Some(number)
                if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                name.into()
            }
            Some(_) | None => format!("@{}", quoted(name)),
        }
    }

    fn local(&self, id: LocalId) -> String {
        match self.function.and_then(|function| function.locals.get(id.0 as usize)) {
            Some(local) => self.local_name(local.name),
            None => format!("%?{}", id.0),
        }
    }

    fn local_name(&self, name: LocalName) -> String {
        match name {
            LocalName::Named(symbol) => format!("%{}", quoted(self.module.name(symbol))),
            LocalName::Numbered(number) => format!("%{number}"),
        }
    }

    fn result(&self, result: Option<LocalId>) -> String {
        result.map_or_else(String::new, |id| format!("{} = ", self.local(id)))
    }

    fn block(&self, id: BlockId) -> String {
        match self.function.and_then(|function| function.blocks.get(id.0 as usize)) {
            Some(block) => self.local_name(block.name),
            None => format!("%?{}", id.0),
        }
    }

    fn label(&self, id: BlockId) -> String {
        format!("label {}", self.block(id))
    }

    fn operand(&self, operand: &Operand) -> String {
        format!("{} {}", self.ty(operand.ty), self.value(&operand.value, operand.ty))
    }

    fn operands<'a>(&self, operands: impl IntoIterator<Item = &'a Operand>) -> String {
        list(operands.into_iter().map(|operand| self.operand(operand)))
    }

    fn value(&self, value: &Value, ty: TypeId) -> String {
        match value {
            Value::Local(id) => self.local(*id),
            Value::Global(name) => self.symbol(*name),
            Value::Constant(constant) => self.constant(constant, ty),
            Value::Metadata(_) => "!{}".into(),
        }
    }

    fn constant(&self, constant: &Constant, ty: TypeId) -> String {
        match constant {
            Constant::Integer(bits) if ty == TypeId::I1 => {
                if *bits == 1 { "true" } else { "false" }.into()
            }
            Constant::Integer(bits) => {
                let unused = 64 - self.module.types.integer_width(ty).unwrap_or(64).min(64);
                ((bits << unused) as i64 >> unused).to_string()
            }
            Constant::WideInteger(words) => {
                let digits: String =
                    words.iter().rev().map(|word| format!("{word:016X}")).collect();
                format!("u0x{digits}")
            }
            Constant::Float(bits) => self.float(u128::from(*bits), ty),
            Constant::WideFloat(bits) => self.float(**bits, ty),
            Constant::Null => "null".into(),
            Constant::Undef => "undef".into(),
            Constant::Poison => "poison".into(),
            Constant::Zero => "zeroinitializer".into(),
            Constant::NoToken => "none".into(),
            Constant::Array(elements) => format!("[{}]", self.operands(elements)),
            Constant::Bytes(bytes) => format!("c\"{}\"", escape(bytes)),
            Constant::Struct(fields) => {
                let packed = self.module.types.struct_fields(ty).is_some_and(|(_, packed)| packed);
                let text = match &**fields {
                    [] => "{}".into(),
                    fields => format!("{{ {} }}", self.operands(fields)),
                };
                if packed { format!("<{text}>") } else { text }
            }
            Constant::Vector(elements) => format!("<{}>", self.operands(elements)),
            Constant::Splat(element) => format!("splat ({})", self.operand(element)),
            Constant::BlockAddress(index) => self.block_address(*index),
            Constant::Expression(expression) => self.expression(expression),
            Constant::Unsupported(what) => format!("unsupported \"{what}\""),
        }
    }

    fn float(&self, bits: u128, ty: TypeId) -> String {
        let Type::Float(kind) = self.module.types.get(ty) else { return format!("0x{bits:016X}") };
        match kind {
            FloatKind::Half => format!("0xH{bits:04X}"),
            FloatKind::BFloat => format!("0xR{bits:04X}"),
            FloatKind::Float => {
                let single = f32::from_bits(bits as u32);
                // A conversion by the processor would quieten a signalling NaN.
                let double = if single.is_nan() {
                    (bits as u64 >> 31) << 63 | 0x7ff << 52 | (bits as u64 & 0x7f_ffff) << 29
                } else {
                    f64::from(single).to_bits()
                };
                format!("0x{double:016X}")
            }
            FloatKind::Double => format!("0x{bits:016X}"),
            FloatKind::X86Fp80 => format!("0xK{bits:020X}"),
            FloatKind::Fp128 => format!("0xL{:032X}", bits.rotate_left(64)),
            FloatKind::PpcFp128 => format!("0xM{:032X}", bits.rotate_left(64)),
        }
    }

    fn block_address(&self, index: u32) -> String {
        let address = self.module.block_addresses[index as usize];
        let block = match self.module.item(self.module.name(address.function)) {
            Some(Item::Function(id)) => {
                let function = &self.module.functions[id as usize];
                self.local_name(function.block(address.block).name)
            }
            Some(Item::Global(_) | Item::Alias(_)) | None => "%?".into(),
        };
        format!("blockaddress({}, {block})", self.symbol(address.function))
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::ElementPointer(pointer) => {
                let source = self.ty(pointer.source);
                let operands = self.pointer_operands(pointer);
                format!("getelementptr{} ({source}, {operands})", flags(pointer.flags))
            }
            Expression::Cast { op, value, to } => {
                format!("{} ({} to {})", word(op), self.operand(value), self.ty(*to))
            }
            Expression::Binary { op, flags: written, left, right } => {
                format!("{}{} ({})", word(op), flags(*written), self.operands([left, right]))
            }
            Expression::CompareInteger { predicate, left, right } => {
                format!("icmp {} ({})", word(predicate), self.operands([left, right]))
            }
            Expression::CompareFloat { predicate, left, right } => {
                format!("fcmp {} ({})", word(predicate), self.operands([left, right]))
            }
            Expression::Select { condition, then, otherwise } => {
                format!("select ({})", self.operands([condition, then, otherwise]))
            }
            Expression::ExtractElement { vector, index } => {
                format!("extractelement ({})", self.operands([vector, index]))
            }
            Expression::InsertElement { vector, element, index } => {
                format!("insertelement ({})", self.operands([vector, element, index]))
            }
            Expression::ShuffleVector { left, right, mask } => {
                format!("shufflevector ({})", self.operands([left, right, mask]))
            }
        }
    }

    fn pointer_operands(&self, pointer: &ElementPointer) -> String {
        self.operands(std::iter::once(&pointer.base).chain(&pointer.indices))
    }

    fn op(&self, op: &Op, result: Option<LocalId>) -> String {
        match op {
            Op::Binary { op, flags: written, left, right } => {
                let right = self.value(right, left.ty);
                format!("{}{} {}, {right}", word(op), flags(*written), self.operand(left))
            }
            Op::NegateFloat { value } => format!("fneg {}", self.operand(value)),
            Op::CompareInteger { predicate, left, right } => {
                format!("icmp {} {}", word(predicate), self.compared(left, right))
            }
            Op::CompareFloat { predicate, left, right } => {
                format!("fcmp {} {}", word(predicate), self.compared(left, right))
            }
            Op::Select(operands) => format!("select {}", self.operands(&**operands)),
            Op::Phi { incoming } => self.phi(incoming, result),
            Op::Cast { op, flags: written, value, to } => {
                let (value, to) = (self.operand(value), self.ty(*to));
                format!("{}{} {value} to {to}", word(op), flags(*written))
            }
            Op::ElementPointer(pointer) => {
                let (source, operands) = (self.ty(pointer.source), self.pointer_operands(pointer));
                format!("getelementptr{} {source}, {operands}", flags(pointer.flags))
            }
            Op::Allocate { ty, count, align: written, address_space } => {
                let count = count.as_ref().map(|count| format!(", {}", self.operand(count)));
                let count = count.unwrap_or_default();
                let space = match address_space {
                    0 => String::new(),
                    space => format!(", addrspace({space})"),
                };
                format!("alloca {}{count}{}{space}", self.ty(*ty), align(*written))
            }
            Op::Load { ty, pointer, access } => {
                let operands = format!("{}, {}", self.ty(*ty), self.operand(pointer));
                format!("{} {operands}{}", head("load", access), self.access_end(access, None))
            }
            Op::Store { value, pointer, access } => {
                let operands = self.operands([value, pointer]);
                format!("{} {operands}{}", head("store", access), self.access_end(access, None))
            }
            Op::CompareExchange(op) => self.compare_exchange(op),
            Op::ReadModifyWrite(op) => {
                let volatile = if op.access.volatile { " volatile" } else { "" };
                let operands = self.operands([&op.pointer, &op.value]);
                let end = self.access_end(&op.access, None);
                format!("atomicrmw{volatile} {} {operands}{end}", rmw_word(op.op))
            }
            Op::Fence { ordering, scope } => {
                let ordering = Some(*ordering);
                let access = Access { ordering, scope: *scope, ..Access::default() };
                format!("fence{}", self.access_end(&access, None))
            }
            Op::ExtractValue { aggregate, indices } => {
                format!("extractvalue {}, {}", self.operand(aggregate), numbers(indices))
            }
            Op::InsertValue { aggregate, element, indices } => {
                format!("insertvalue {}, {}", self.operands([aggregate, element]), numbers(indices))
            }
            Op::ExtractElement { vector, index } => {
                format!("extractelement {}", self.operands([vector, index]))
            }
            Op::InsertElement(operands) => format!("insertelement {}", self.operands(&**operands)),
            Op::ShuffleVector(operands) => format!("shufflevector {}", self.operands(&**operands)),
            Op::VariadicArgument { list, ty } => {
                format!("va_arg {}, {}", self.operand(list), self.ty(*ty))
            }
            Op::Freeze { value } => format!("freeze {}", self.operand(value)),
            Op::Call(call) => self.call("call", call),
            Op::Debug(record) => format!("debug {:?}", record.kind),
            Op::Unsupported { what } => format!("unsupported \"{what}\""),
        }
    }

    fn compared(&self, left: &Operand, right: &Value) -> String {
        format!("{}, {}", self.operand(left), self.value(right, left.ty))
    }

    fn phi(&self, incoming: &[(Value, BlockId)], result: Option<LocalId>) -> String {
        let ty = result.and_then(|id| Some(self.function?.local(id).ty)).unwrap_or(TypeId::VOID);
        let pairs = incoming
            .iter()
            .map(|(value, from)| format!("[ {}, {} ]", self.value(value, ty), self.block(*from)));
        format!("phi {} {}", self.ty(ty), list(pairs))
    }

    fn compare_exchange(&self, op: &CompareExchange) -> String {
        let weak = if op.weak { " weak" } else { "" };
        let volatile = if op.access.volatile { " volatile" } else { "" };
        let operands = self.operands([&op.pointer, &op.expected, &op.desired]);
        format!(
            "cmpxchg{weak}{volatile} {operands}{}",
            self.access_end(&op.access, Some(op.failure))
        )
    }

    fn access_end(&self, access: &Access, failure: Option<Ordering>) -> String {
        let mut text = String::new();
        if let Some(scope) = access.scope {
            text += &format!(" syncscope(\"{}\")", escape(self.module.name(scope).as_bytes()));
        }
        for ordering in access.ordering.iter().chain(&failure) {
            text += match ordering {
                Ordering::Unordered => " unordered",
                Ordering::Monotonic => " monotonic",
                Ordering::Acquire => " acquire",
                Ordering::Release => " release",
                Ordering::AcquireRelease => " acq_rel",
                Ordering::SequentiallyConsistent => " seq_cst",
            };
        }
        text + &align(access.align)
    }

    fn call(&self, word: &str, call: &Call) -> String {
        let tail = match call.tail {
            Tail::None => "",
            Tail::Tail => "tail ",
            Tail::Must => "musttail ",
            Tail::Never => "notail ",
        };
        let attributes = self.attributes(&call.result_attributes);
        let result = self.ty(call.ty.unwrap_or(call.result));
        let callee = match &call.callee {
            Callee::Global(name) => self.symbol(*name),
            Callee::Pointer(value) => self.value(value, TypeId::PTR),
            Callee::Assembly(assembly) => {
                let side_effect = if assembly.side_effect { " sideeffect" } else { "" };
                let text = escape(assembly.text.as_bytes());
                format!(
                    "asm{side_effect} \"{text}\", \"{}\"",
                    escape(assembly.constraints.as_bytes())
                )
            }
        };
        let arguments = call.arguments.iter().map(|argument| {
            let attributes = self.attributes(&argument.attributes);
            let value = self.value(&argument.operand.value, argument.operand.ty);
            format!("{}{} {value}", self.ty(argument.operand.ty), space_before(&attributes))
        });
        let head =
            format!("{tail}{word}{} {}", flags(call.flags), convention(call.calling_convention));
        let attributes = space_after(&attributes) + &space(call.address_space);
        let after = function_attributes(self.module.call_attributes(call));
        format!("{head}{attributes}{result} {callee}({}){after}", list(arguments))
    }

    fn terminator(&self, op: &TerminatorOp) -> String {
        match op {
            TerminatorOp::Return(None) => "ret void".into(),
            TerminatorOp::Return(Some(value)) => format!("ret {}", self.operand(value)),
            TerminatorOp::Jump(to) => format!("br {}", self.label(*to)),
            TerminatorOp::Branch { condition, then, otherwise } => {
                let condition = self.value(condition, TypeId::I1);
                format!("br i1 {condition}, {}, {}", self.label(*then), self.label(*otherwise))
            }
            TerminatorOp::Switch { value, default, cases } => {
                let cases: String = cases
                    .iter()
                    .map(|(case, to)| {
                        let case = self.constant(case, value.ty);
                        format!(" {} {case}, {}", self.ty(value.ty), self.label(*to))
                    })
                    .collect();
                format!("switch {}, {} [{cases} ]", self.operand(value), self.label(*default))
            }
            TerminatorOp::IndirectBranch { address, targets } => {
                let targets = list(targets.iter().map(|&id| self.label(id)));
                format!("indirectbr {}, [{targets}]", self.operand(address))
            }
            TerminatorOp::Unreachable => "unreachable".into(),
            TerminatorOp::Invoke { call, normal, unwind } => {
                let call = self.call("invoke", call);
                format!("{call} to {} unwind {}", self.label(*normal), self.label(*unwind))
            }
            TerminatorOp::CallBranch { call, fallthrough, indirect } => {
                let indirect = list(indirect.iter().map(|&id| self.label(id)));
                format!(
                    "{} to {} [{indirect}]",
                    self.call("callbr", call),
                    self.label(*fallthrough)
                )
            }
            TerminatorOp::Unsupported { what } => format!("unsupported \"{what}\""),
        }
    }

    fn attributes(&self, attributes: &ParameterAttributes) -> String {
        let mut words = Vec::new();
        if attributes.zero_extend {
            words.push("zeroext".into());
        }
        if attributes.sign_extend {
            words.push("signext".into());
        }
        words.extend(attributes.byval.map(|id| format!("byval({})", self.ty(id))));
        words.extend(attributes.sret.map(|id| format!("sret({})", self.ty(id))));
        words.extend(attributes.align.map(|bytes| format!("align {bytes}")));
        words.join(" ")
    }
}

fn head(word: &str, access: &Access) -> String {
    let atomic = if access.ordering.is_some() { " atomic" } else { "" };
    let volatile = if access.volatile { " volatile" } else { "" };
    format!("{word}{atomic}{volatile}")
}

fn numbers(numbers: &[u32]) -> String {
    list(numbers.iter().map(u32::to_string))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// The operations and predicates are named after LLVM's words.
fn word(name: &impl fmt::Debug) -> String {
    format!("{name:?}").to_lowercase()
}

fn rmw_word(op: RmwOp) -> &'static str {
    match op {
        RmwOp::Exchange => "xchg",
        RmwOp::Add => "add",
        RmwOp::Sub => "sub",
        RmwOp::And => "and",
        RmwOp::Nand => "nand",
        RmwOp::Or => "or",
        RmwOp::Xor => "xor",
        RmwOp::SignedMax => "max",
        RmwOp::SignedMin => "min",
        RmwOp::UnsignedMax => "umax",
        RmwOp::UnsignedMin => "umin",
        RmwOp::FloatAdd => "fadd",
        RmwOp::FloatSub => "fsub",
        RmwOp::FloatMax => "fmax",
        RmwOp::FloatMin => "fmin",
        RmwOp::FloatMaximum => "fmaximum",
        RmwOp::FloatMinimum => "fminimum",
        RmwOp::IncrementWrap => "uinc_wrap",
        RmwOp::DecrementWrap => "udec_wrap",
        RmwOp::SubConditional => "usub_cond",
        RmwOp::SubSaturating => "usub_sat",
    }
}

fn flags(flags: Flags) -> String {
    let words = [
        (Flags::IN_BOUNDS, " inbounds"),
        (Flags::NO_UNSIGNED_SIGNED_WRAP, " nusw"),
        (Flags::NO_UNSIGNED_WRAP, " nuw"),
        (Flags::NO_SIGNED_WRAP, " nsw"),
        (Flags::EXACT, " exact"),
        (Flags::DISJOINT, " disjoint"),
        (Flags::NON_NEGATIVE, " nneg"),
        (Flags::SAME_SIGN, " samesign"),
        (Flags::NO_NAN, " nnan"),
        (Flags::NO_INFINITY, " ninf"),
    ];
    words.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, word)| *word).collect()
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "",
        Linkage::Private => "private ",
        Linkage::Internal => "internal ",
        Linkage::AvailableExternally => "available_externally ",
        Linkage::LinkOnce => "linkonce ",
        Linkage::LinkOnceOdr => "linkonce_odr ",
        Linkage::Weak => "weak ",
        Linkage::WeakOdr => "weak_odr ",
        Linkage::Common => "common ",
        Linkage::Appending => "appending ",
        Linkage::ExternWeak => "extern_weak ",
    }
}

fn convention(convention: CallingConvention) -> &'static str {
    match convention {
        CallingConvention::C => "",
        CallingConvention::Fast => "fastcc ",
        CallingConvention::Cold => "coldcc ",
        CallingConvention::Other => "othercc ",
    }
}

fn function_attributes(attributes: FunctionAttributes) -> String {
    let noreturn = if attributes.noreturn { " noreturn" } else { "" };
    let twice = if attributes.returns_twice { " returns_twice" } else { "" };
    format!("{noreturn}{twice}")
}

fn align(align: Option<u32>) -> String {
    align.map_or_else(String::new, |bytes| format!(", align {bytes}"))
}

fn space(address_space: u32) -> String {
    if address_space == 0 { String::new() } else { format!("addrspace({address_space}) ") }
}

fn space_before(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}

fn space_after(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text} ") }
}

/// A name, in quotes if it needs them.
fn quoted(name: &str) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_');
    if name.bytes().all(plain) && !name.bytes().next().is_none_or(|byte| byte.is_ascii_digit()) {
        name.into()
    } else {
        format!("\"{}\"", escape(name.as_bytes()))
    }
}

fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if (byte.is_ascii_graphic() || byte == b' ') && byte != b'"' && byte != b'\\' {
            text.push(byte as char);
        } else {
            text += &format!("\\{byte:02X}");
        }
    }
    text
}
