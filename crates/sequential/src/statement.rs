//! Instructions as C statements over the runtime.

use raddle_ir::expr::mask;
use raddle_ir::{
    AllocKind, BlockId, Callee, CmpOp, Const, Expr, FuncId, Function, InputKind, InstrRef, Op,
    Operand, RegId, RmwOp, Wrap,
};

use crate::expression::{bare, c_type, constant};
use crate::function::{Translation, Unit};
use crate::layout::Way;
use crate::needed::register;
use crate::writer::commented;

/// Whether a function allocates local objects that only its thread uses.
pub(crate) fn has_local_objects(unit: &Unit, f: FuncId) -> bool {
    raddle_analysis::objects::instructions_of(unit.program, f).any(|(at, op)| {
        matches!(op, Op::Alloc { kind: AllocKind::Stack, .. }) && !unit.layout.is_shared_alloc(at)
    })
}

/// The variable whose address a register holds.
pub(crate) fn object_names(function: &Function) -> Vec<Option<String>> {
    let mut names = vec![None; function.regs.len()];
    for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
        if let Op::Alloc { dst, name, .. } = &instr.op
            && !name.is_empty()
        {
            names[dst.index()] = Some(name.clone());
        }
    }
    names
}

/// Whether an access through a register is certainly inside of the object that it was assigned.
fn is_inside_object(function: &Function, addr: Operand, bytes: u64) -> bool {
    let Operand::Reg(r) = addr else { return false };
    let instrs = function.blocks.iter().flat_map(|b| &b.instrs);
    let mut defs = instrs.filter(|i| i.op.defs().any(|d| d == r));
    let (first, second) = (defs.next(), defs.next());
    match first.map(|i| &i.op) {
        Some(Op::Alloc { size: Operand::Const(c), .. }) => {
            second.is_none() && bytes <= 8 && u128::from(bytes) <= c.value
        }
        _ => false,
    }
}

/// Whether a register is needed to write an instruction although its value is not used
/// afterwards.
pub(crate) fn is_temporary(function: &Function, register: RegId) -> bool {
    function.blocks.iter().flat_map(|b| &b.instrs).any(|i| match &i.op {
        Op::Rmw { dst, op, .. } => *dst == register && *op != RmwOp::Exchange,
        Op::CompareExchange { old, .. } => *old == register,
        Op::Load { dst, .. } => *dst == register && function.reg(*dst).width > 64,
        _ => false,
    })
}

/// Whether the thread never gets past an instruction, and its text says so.
pub(crate) fn never_goes_on(op: &Op) -> bool {
    match op {
        Op::Check { cond: Operand::Const(c), .. } => c.value == 0,
        other => other.stops(),
    }
}

impl Translation<'_> {
    /// Writes one instruction.
    pub(crate) fn statement(&mut self, block: BlockId, index: usize, op: &Op) {
        let at = InstrRef { func: self.id, block, index: index as u32 };
        match op {
            Op::Assign { dst, value } => self.assign(at, *dst, value),
            Op::Load { dst, addr, .. } => self.load(*dst, *addr),
            Op::Store { addr, value, width, .. } => {
                let text = self.expressions.bare(*value);
                self.store(*addr, &text, *width);
            }
            Op::Rmw { dst, op, addr, value, width, .. } => {
                self.rmw(*dst, *op, *addr, *value, *width)
            }
            Op::CompareExchange { old, ok, addr, expected, new, width, weak, .. } => {
                self.compare_exchange((*old, *ok), *addr, (*expected, *new), *width, *weak);
            }
            Op::Fence { .. } | Op::Free { .. } => {}
            Op::Alloc { dst, size, align, kind, zeroed, .. } => {
                self.alloc(at, *dst, *size, (*align, *kind, *zeroed));
            }
            Op::ObjectSize { dst, addr } => {
                let text = format!("raddle_object_size({})", self.expressions.bare(*addr));
                self.result(Some(*dst), &text, true);
            }
            Op::ThreadLocal { dst, global } => {
                let (name, stride) =
                    (self.unit.layout.global_name(*global), self.unit.layout.stride(*global));
                self.result(
                    Some(*dst),
                    &format!("{name} + {stride} * (raddle_now.self - 1)"),
                    false,
                );
            }
            Op::Call { dst, callee, args } => self.call(at, *dst, *callee, args),
            Op::Create { dst, func, args } => self.create(at, *dst, *func, args),
            Op::Join { dst, thread } => {
                let text = format!("raddle_join({})", self.expressions.bare(*thread));
                self.result(*dst, &text, true);
            }
            Op::ThreadExit { value } => {
                let text = format!("raddle_thread_exit({});", self.expressions.bare(*value));
                self.leave(&text);
            }
            Op::ThreadSelf { dst, .. } => self.result(Some(*dst), "raddle_now.self", false),
            Op::Lock { mutex, .. } => {
                let text = format!("raddle_lock({})", self.expressions.bare(*mutex));
                self.result(None, &text, true);
            }
            Op::Unlock { mutex, .. } => self.store(*mutex, "0", 32),
            Op::TryLock { dst, mutex } => {
                let text = format!("raddle_try_lock({})", self.expressions.bare(*mutex));
                self.result(Some(*dst), &text, true);
            }
            Op::AtomicBegin => self.out.line("raddle_atomic_begin();"),
            Op::AtomicEnd => self.out.line("raddle_atomic_end();"),
            Op::Block { spurious: true, .. } => {}
            Op::Block { cond, .. } | Op::Assume { cond } => self.unless(*cond, "raddle_stop();"),
            Op::Check { property, cond, message } => {
                let place = self.unit.program.place(at);
                if self.unit.program.checked.contains(*property) {
                    let number = self.checks.add(message, place);
                    self.unless(
                        *cond,
                        &format!("raddle_fail({number}); /* {} */", commented(message)),
                    );
                } else if property.unchecked_failure_stops() {
                    self.unless(*cond, "raddle_stop();");
                }
            }
            Op::Input { dst, kind, name } => self.input(*dst, *kind, name),
            Op::Exit { .. } => self.leave("raddle_stop(); /* the program ends */"),
            Op::Unsupported { what } => self.unsupported(at, what),
        }
    }

    /// A statement after which the function returns.
    fn leave(&mut self, text: &str) {
        self.out.line(text);
        self.out.line(self.plain_return());
    }

    fn unsupported(&mut self, at: InstrRef, what: &str) {
        let place = self.unit.program.place(at);
        let number = self.checks.add(&format!("not translated: {what}"), place);
        self.leave(&format!("raddle_fail({number}); /* not translated: {} */", commented(what)));
    }

    /// Does something and returns unless the condition holds.
    fn unless(&mut self, cond: Operand, text: &str) {
        if let Operand::Const(Const { value, .. }) = cond {
            if value == 0 {
                self.leave(text);
            }
            return;
        }
        let open = format!("if (!{}) {{", self.expressions.operand(cond));
        self.out.open(&open);
        self.leave(text);
        self.out.close("}");
    }

    /// Assigns a result if anybody wants it.
    fn result(&mut self, dst: Option<RegId>, text: &str, may_stop: bool) {
        match dst.filter(|d| self.is_variable(*d)) {
            Some(dst) => {
                let width = self.function.reg(dst).width;
                let cut = match width {
                    8 | 16 | 32 => format!("({}){text}", c_type(width)),
                    64 | 128 => text.to_string(),
                    _ => format!("({})({text} & {})", c_type(width), constant(mask(width), width)),
                };
                let line = format!("{} = {cut};", self.expressions.name(dst));
                self.out.line(&line);
            }
            None => self.out.line(&format!("{text};")),
        }
        if may_stop {
            self.return_if_stopped();
        }
    }

    fn assign(&mut self, at: InstrRef, dst: RegId, value: &Expr) {
        let width = self.function.reg(dst).width;
        if crate::fold::can_stop(value) {
            self.stop_unless_defined(value, width);
        }
        if !self.is_variable(dst) {
            return;
        }
        match self.expressions.expression(value, width) {
            Ok(text) => {
                let line = format!("{} = {};", self.expressions.name(dst), bare(&text));
                self.out.line(&line);
            }
            Err(what) => self.no_text(at, value, what),
        }
    }

    /// An expression that C has no text for.
    fn no_text(&mut self, at: InstrRef, value: &Expr, what: &str) {
        // The compiler shall not complain about variables that are used nowhere else.
        for r in value.operands().filter_map(register) {
            if !self.is_variable(r) {
                continue;
            }
            let mention = format!("(void){};", self.expressions.name(r));
            self.out.line(&mention);
        }
        self.unsupported(at, what);
    }

    /// Division by zero, and of the smallest number by -1, end the thread.
    fn stop_unless_defined(&mut self, value: &Expr, width: u32) {
        let Expr::Binary { op, a, b, .. } = value else { return };
        let (left, right) = (self.expressions.operand(*a), self.expressions.operand(*b));
        let signed = matches!(op, raddle_ir::BinOp::SDiv | raddle_ir::BinOp::SRem);
        let least = constant(1 << (width - 1), width);
        let least_by_minus_one =
            format!("{left} == {least} && {right} == {}", constant(mask(width), width));
        let condition = if signed {
            format!("{right} == 0 || ({least_by_minus_one})")
        } else {
            format!("{right} == 0")
        };
        self.out.open(&format!("if ({condition}) {{"));
        self.leave("raddle_stop();");
        self.out.close("}");
    }

    fn way(&self, addr: Operand, bytes: u64, writes: bool) -> (Way, bool) {
        let layout = self.unit.layout;
        let way = layout.way(self.unit.program, self.id, addr, bytes, writes);
        let certain = layout.is_certainly_valid(self.unit.program, addr, bytes)
            || is_inside_object(self.function, addr, bytes);
        let fine = self.unit.settings.scheme.is_fine();
        let may_stop = match way {
            Way::Own => !certain,
            Way::Scalar | Way::Any => writes || !fine || !certain,
        };
        (way, may_stop)
    }

    /// The text that reads some bytes, and whether that may stop the thread.
    fn load_text(&self, addr: Operand, address: &str, bytes: u64) -> (String, bool) {
        let (way, may_stop) = self.way(addr, bytes, false);
        let text = match way {
            Way::Scalar => format!("raddle_get({address})"),
            Way::Own => format!("raddle_own_load({address}, {bytes})"),
            Way::Any => format!("raddle_load({address}, {bytes})"),
        };
        (text, may_stop)
    }

    fn load(&mut self, dst: RegId, addr: Operand) {
        let width = self.function.reg(dst).width;
        let bytes = u64::from(width.div_ceil(8));
        if bytes > 8 {
            return self.wide_load(dst, addr, bytes);
        }
        let (text, may_stop) = self.load_text(addr, &self.expressions.bare(addr), bytes);
        if self.is_variable(dst) || may_stop {
            self.result(Some(dst), &text, may_stop);
        }
    }

    /// More than a cell: in halves, as one step.
    fn wide_load(&mut self, dst: RegId, addr: Operand, bytes: u64) {
        let name = self.expressions.name(dst).to_string();
        let address = self.expressions.operand(addr);
        self.out.line("raddle_atomic_begin();");
        self.out.line(&format!("{name} = raddle_load({}, 8);", bare(&address)));
        self.return_if_stopped();
        self.out.line(&format!("{name} |= (u128)raddle_load({address} + 8, {}) << 64;", bytes - 8));
        self.return_if_stopped();
        self.out.line("raddle_atomic_end();");
    }

    fn store(&mut self, addr: Operand, value: &str, width: u32) {
        let bytes = u64::from(width.div_ceil(8));
        let address = self.expressions.operand(addr);
        if bytes > 8 {
            self.out.line("raddle_atomic_begin();");
            self.out.line(&format!("raddle_store({}, 8, (u64)({value}));", bare(&address)));
            self.return_if_stopped();
            let high = format!("(u64)((u128)({value}) >> 64)");
            self.out.line(&format!("raddle_store({address} + 8, {}, {high});", bytes - 8));
            self.return_if_stopped();
            self.out.line("raddle_atomic_end();");
            return;
        }
        let (way, may_stop) = self.way(addr, bytes, true);
        let address = bare(&address);
        self.out.line(&match way {
            Way::Scalar => format!("raddle_set({address}, {value});"),
            Way::Own => format!("raddle_own_store({address}, {bytes}, {value});"),
            Way::Any => format!("raddle_store({address}, {bytes}, {value});"),
        });
        if may_stop {
            self.return_if_stopped();
        }
    }

    /// Reads into a variable although nobody may want the value.
    fn load_into(&mut self, dst: RegId, addr: Operand, width: u32) {
        let bytes = u64::from(width.div_ceil(8));
        if bytes > 8 {
            return self.wide_load(dst, addr, bytes);
        }
        let (text, may_stop) = self.load_text(addr, &self.expressions.bare(addr), bytes);
        let line = format!("{} = ({}){text};", self.expressions.name(dst), c_type(width));
        self.out.line(&line);
        if may_stop {
            self.return_if_stopped();
        }
    }

    fn rmw(&mut self, dst: RegId, op: RmwOp, addr: Operand, value: Operand, width: u32) {
        let new = self.updated(op, Operand::Reg(dst), value, width);
        if op == RmwOp::Exchange && !self.is_variable(dst) {
            return self.store(addr, &new, width);
        }
        self.out.line("raddle_atomic_begin();");
        self.load_into(dst, addr, width);
        self.store(addr, &new, width);
        self.out.line("raddle_atomic_end();");
    }

    /// The new contents of a read-modify-write.
    fn updated(&self, op: RmwOp, old: Operand, value: Operand, width: u32) -> String {
        use raddle_ir::BinOp;
        let binary = |op| Expr::Binary { op, a: old, b: value, wrap: Wrap::default() };
        let expression =
            |e: Expr, width| self.expressions.expression(&e, width).unwrap_or_default();
        let (old_text, new_text) = (self.expressions.operand(old), self.expressions.operand(value));
        let choose = |op: CmpOp| {
            let condition = expression(Expr::Compare { op, a: old, b: value }, 1);
            format!("{condition} ? {old_text} : {new_text}")
        };
        let text = match op {
            RmwOp::Exchange => new_text.clone(),
            RmwOp::Add => expression(binary(BinOp::Add), width),
            RmwOp::Sub => expression(binary(BinOp::Sub), width),
            RmwOp::And => expression(binary(BinOp::And), width),
            RmwOp::Or => expression(binary(BinOp::Or), width),
            RmwOp::Xor => expression(binary(BinOp::Xor), width),
            RmwOp::Nand => format!(
                "(~{} & {})",
                expression(binary(BinOp::And), width),
                constant(mask(width), width)
            ),
            RmwOp::Max => choose(CmpOp::Sgt),
            RmwOp::Min => choose(CmpOp::Slt),
            RmwOp::UMax => choose(CmpOp::Ugt),
            RmwOp::UMin => choose(CmpOp::Ult),
        };
        bare(&text).to_string()
    }

    fn compare_exchange(
        &mut self,
        (old, ok): (RegId, RegId),
        addr: Operand,
        (expected, new): (Operand, Operand),
        width: u32,
        weak: bool,
    ) {
        self.out.line("raddle_atomic_begin();");
        self.load_into(old, addr, width);
        let mut exchanged =
            format!("{} == {}", self.expressions.name(old), self.expressions.operand(expected));
        if weak {
            // Whether it fails spuriously is chosen once.
            self.out.open("{");
            self.out.line(&format!("u8 exchanged = {exchanged} && !raddle_choose(0, 1);"));
            exchanged = "exchanged".into();
        }
        if self.is_variable(ok) {
            let line = format!("{} = {exchanged};", self.expressions.name(ok));
            self.out.line(&line);
        }
        self.out.open(&format!("if ({exchanged}) {{"));
        let text = self.expressions.bare(new);
        self.store(addr, &text, width);
        self.out.close("}");
        if weak {
            self.out.close("}");
        }
        self.out.line("raddle_atomic_end();");
    }

    fn alloc(
        &mut self,
        at: InstrRef,
        dst: RegId,
        size: Operand,
        (align, kind, zeroed): (u32, AllocKind, bool),
    ) {
        let size = self.expressions.bare(size);
        let align = align.clamp(8, 4096);
        let text = match (self.unit.layout.is_shared_alloc(at), kind) {
            (true, AllocKind::Heap | AllocKind::Stack) => {
                format!("raddle_alloc({size}, {align}, {})", u32::from(zeroed))
            }
            (false, AllocKind::Heap) => {
                format!("raddle_own_alloc({size}, {align}, {})", u32::from(zeroed))
            }
            (false, AllocKind::Stack) => format!("raddle_own_stack({size}, {align})"),
        };
        self.result(Some(dst), &text, true);
    }

    fn call(&mut self, at: InstrRef, dst: Option<RegId>, callee: Callee, args: &[Operand]) {
        let texts: Vec<String> = args.iter().map(|a| self.expressions.bare(*a)).collect();
        match callee {
            Callee::Direct(f) => {
                let text = format!("{}({})", self.unit.layout.function_name(f), texts.join(", "));
                self.result(dst, &text, self.unit.stopping[f.index()]);
            }
            Callee::Indirect(address) => {
                let dst = dst.filter(|d| self.is_variable(*d));
                let target = dst.map(|d| self.expressions.name(d).to_string());
                self.dispatch(at, address, &texts, target.as_deref());
                self.return_if_stopped();
            }
        }
    }

    /// Calls the function with that address; anything else ends the thread.
    fn dispatch(&mut self, at: InstrRef, address: Operand, args: &[String], target: Option<&str>) {
        let program = self.unit.program;
        let callees = self.unit.layout.callees(self.unit.reached, at, address);
        let open = format!("switch ({}) {{", self.expressions.bare(address));
        self.out.open(&open);
        for f in callees {
            let function = program.function(f);
            let fits = function.params.len() == args.len()
                && (target.is_none() || function.result.is_some());
            let address = self.unit.layout.function_address_name(f);
            if !fits || address == "0" {
                continue;
            }
            let call = format!("{}({})", self.unit.layout.function_name(f), args.join(", "));
            self.out.label(&format!("case {address}:"));
            self.out.line(&match target.filter(|_| function.result.is_some()) {
                Some(target) => format!("{target} = {call};"),
                None => format!("{call};"),
            });
            self.out.line("break;");
        }
        self.out.label("default:");
        self.out.line("raddle_stop();");
        self.out.line(if target.is_some() { self.plain_return() } else { "break;" });
        self.out.close("}");
    }

    /// The new thread is simulated at once.
    fn create(&mut self, at: InstrRef, dst: Option<RegId>, func: Operand, args: &[Operand]) {
        let texts: Vec<String> = args.iter().map(|a| self.expressions.bare(*a)).collect();
        self.out.line("raddle_create();");
        self.return_if_stopped();
        self.out.open("{");
        self.out.line("struct raddle_thread creator = raddle_begin_thread();");
        self.out.line("u64 result = 0;");
        self.out.open("if (!raddle_now.stopped) {");
        self.dispatch_thread(at, func, &texts);
        self.out.close("}");
        match dst.filter(|d| self.is_variable(*d)) {
            Some(dst) => {
                let kind = c_type(self.function.reg(dst).width);
                let line = format!(
                    "{} = ({kind})raddle_end_thread(creator, result);",
                    self.expressions.name(dst)
                );
                self.out.line(&line);
            }
            None => self.out.line("raddle_end_thread(creator, result);"),
        }
        self.out.close("}");
    }

    fn dispatch_thread(&mut self, at: InstrRef, func: Operand, args: &[String]) {
        let callees = self.unit.layout.callees(self.unit.reached, at, func);
        let open = format!("switch ({}) {{", self.expressions.bare(func));
        self.out.open(&open);
        for f in callees {
            let function = self.unit.program.function(f);
            let address = self.unit.layout.function_address_name(f);
            if function.params.len() != args.len() || address == "0" {
                continue;
            }
            let call = format!("{}({})", self.unit.layout.function_name(f), args.join(", "));
            self.out.label(&format!("case {address}:"));
            self.out.line(&match function.result {
                Some(_) => format!("result = {call};"),
                None => format!("{call};"),
            });
            self.out.line("break;");
        }
        self.out.label("default:");
        self.out.line("raddle_stop();");
        self.out.line("break;");
        self.out.close("}");
    }

    fn input(&mut self, dst: RegId, kind: InputKind, name: &str) {
        let width = self.function.reg(dst).width;
        if !self.is_variable(dst) {
            return;
        }
        let text = match kind {
            InputKind::Choice(count) => format!("raddle_choose(0, {})", count.saturating_sub(1)),
            InputKind::External | InputKind::Uninitialised if width > 64 => {
                "((u128)raddle_any() << 64 | raddle_any())".to_string()
            }
            InputKind::External | InputKind::Uninitialised => "raddle_any()".to_string(),
        };
        self.result(Some(dst), &text, false);
        if !name.is_empty() {
            self.out.append(&format!("/* {} */", commented(name)));
        }
    }
}
