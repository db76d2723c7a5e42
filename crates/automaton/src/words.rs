//! State variables and terms of automata in words of C, for people who look at one.
//!
//! Idea: what a term speaks of has a name that the user knows: a variable of the program, a register of a
//! function, a part of an object; a constant that is the address of an object is shown as one. Operators
//! are those of C; `<u` and its kin compare without sign. What a thread remembers of a loop
//! (`pure.rs`) is named after the line of the loop's head.
//! Limits: what is nested deeper than some levels is `…`; so is the rest of a long conjunction.

use raddle_ir::{FuncId, InstrRef, Op as Instruction, RegId, TypeId};
use raddle_term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::contexts::ContextId;
use crate::layout::{CellId, Kind, ObjectIx, Thread};
use crate::machine::{Automata, StateVar};

/// Most parts of a conjunction or disjunction that are shown.
const MOST_PARTS: usize = 12;

/// What is needed to name things.
pub(crate) struct Words<'a> {
    program: &'a raddle_ir::Program,
    automata: &'a Automata,
    terms: &'a Terms,
    /// Nested operations that are shown.
    levels: u32,
    /// By function: in how many contexts it occurs.
    contexts: FxHashMap<FuncId, usize>,
}

impl<'a> Words<'a> {
    pub fn new(
        program: &'a raddle_ir::Program,
        automata: &'a Automata,
        terms: &'a Terms,
        levels: u32,
    ) -> Words<'a> {
        let mut contexts = FxHashMap::default();
        for context in automata.layout.contexts.ids() {
            *contexts.entry(automata.layout.contexts.get(context).func).or_default() += 1;
        }
        Words { program, automata, terms, levels, contexts }
    }

    /// A term.
    pub fn term(&self, t: TermId) -> String {
        self.expression(t, self.levels).0
    }

    /// ` if …`, or nothing where the condition is true.
    pub fn condition(&self, t: TermId) -> String {
        if self.terms.is_true(t) { String::new() } else { format!(" if {}", self.term(t)) }
    }

    /// A term, and whether it needs parentheses inside another one.
    fn expression(&self, t: TermId, levels: u32) -> (String, bool) {
        if let Some(value) = self.terms.as_const(t) {
            return (self.number(value, self.terms.width(t)), false);
        }
        if let Some(var) = self.terms.as_var(t) {
            let known = self.automata.vars.state_var(var);
            let name = known.map_or_else(|| format!("input{}", var.index()), |v| self.var(v));
            return (name, false);
        }
        if levels == 0 {
            return ("…".into(), false);
        }
        let inner = |t: TermId| match self.expression(t, levels - 1) {
            (text, true) => format!("({text})"),
            (text, false) => text,
        };
        let args = self.terms.args(t);
        let infix =
            |operator: &str| (format!("{} {operator} {}", inner(args[0]), inner(args[1])), true);
        let is_condition = self.terms.width(t) == 1;
        match self.terms.op(t) {
            Op::Const | Op::Var => unreachable!("they were looked at before"),
            Op::Not => self.negated(args[0], levels),
            Op::And if is_condition => self.list(t, "&&", levels),
            Op::And => infix("&"),
            Op::Xor => infix("^"),
            Op::Ite => {
                (format!("{} ? {} : {}", inner(args[0]), inner(args[1]), inner(args[2])), true)
            }
            Op::Eq => infix("=="),
            Op::Ult => infix("<u"),
            Op::Slt => infix("<"),
            Op::Neg => (format!("-{}", inner(args[0])), false),
            Op::Add => self.sum(args, &inner),
            Op::Mul => infix("*"),
            Op::Udiv => infix("/u"),
            Op::Urem => infix("%u"),
            Op::Shl => infix("<<"),
            Op::Lshr => infix(">>u"),
            Op::Ashr => infix(">>"),
            Op::Concat => match self.terms.as_const(args[0]) {
                Some(0) => (inner(args[1]), false),
                Some(_) | None => infix("##"),
            },
            Op::Extract => {
                let low = self.terms.node(t).low();
                let high = low + self.terms.width(t) - 1;
                (format!("{}[{high}:{low}]", inner(args[0])), false)
            }
            Op::Sext => (inner(args[0]), false),
        }
    }

    /// The complement of a term.
    fn negated(&self, t: TermId, levels: u32) -> (String, bool) {
        let inner = |t: TermId| match self.expression(t, levels - 1) {
            (text, true) => format!("({text})"),
            (text, false) => text,
        };
        let args = self.terms.args(t);
        let infix =
            |operator: &str| (format!("{} {operator} {}", inner(args[0]), inner(args[1])), true);
        let is_condition = self.terms.width(t) == 1;
        let operator = match self.terms.op(t) {
            Op::Eq => Some("!="),
            Op::Xor if is_condition => Some("=="),
            Op::Ult => Some(">=u"),
            Op::Slt => Some(">="),
            Op::And if is_condition => return self.list(t, "||", levels),
            Op::Const | Op::Var | Op::Not | Op::And | Op::Xor | Op::Ite => None,
            Op::Neg | Op::Add | Op::Mul | Op::Udiv | Op::Urem => None,
            Op::Shl | Op::Lshr | Op::Ashr | Op::Concat | Op::Extract | Op::Sext => None,
        };
        let complement = if is_condition { "!" } else { "~" };
        operator.map_or_else(|| (format!("{complement}{}", inner(t)), false), infix)
    }

    /// The parts of a conjunction; or their complements, if it is denied: a disjunction.
    fn list(&self, t: TermId, operator: &str, levels: u32) -> (String, bool) {
        let (mut parts, mut work) = (Vec::new(), vec![t]);
        while let Some(t) = work.pop() {
            if self.terms.op(t) == Op::And {
                work.extend(self.terms.args(t).iter().rev());
            } else {
                parts.push(t);
            }
        }
        let mut words: Vec<String> = Vec::new();
        for &part in parts.iter().take(MOST_PARTS) {
            let (text, nested) = if operator == "&&" {
                self.expression(part, levels - 1)
            } else if self.terms.op(part) == Op::Not {
                self.expression(self.terms.args(part)[0], levels - 1)
            } else {
                self.negated(part, levels)
            };
            words.push(if nested { format!("({text})") } else { text });
        }
        if parts.len() > MOST_PARTS {
            words.push("…".into());
        }
        words.dedup();
        let several = words.len() > 1;
        (words.join(&format!(" {operator} ")), several)
    }

    /// A sum; one with a negative constant is a difference.
    fn sum(&self, args: &[TermId], inner: &dyn Fn(TermId) -> String) -> (String, bool) {
        for (constant, other) in [(args[0], args[1]), (args[1], args[0])] {
            let width = self.terms.width(constant);
            if let Some(value) = self.terms.as_const(constant)
                && width > 1
                && value >> (width - 1) != 0
            {
                let less = value.wrapping_neg() & (u128::MAX >> (128 - width));
                return (format!("{} - {}", inner(other), self.number(less, width)), true);
            }
        }
        (format!("{} + {}", inner(args[0]), inner(args[1])), true)
    }

    /// A constant: a truth value, an address, or a number.
    fn number(&self, value: u128, width: u32) -> String {
        if width == 1 {
            return if value == 0 { "false".into() } else { "true".into() };
        }
        if width == self.program.pointer_bits
            && let Ok(address) = u64::try_from(value)
            && let Some(name) = self.name_at(address)
        {
            return format!("&{name}");
        }
        let negative = width >= 8 && value >> (width - 1) != 0;
        match negative {
            true => format!("-{}", value.wrapping_neg() & (u128::MAX >> (128 - width))),
            false => value.to_string(),
        }
    }

    /// What is at an address.
    fn name_at(&self, address: u64) -> Option<String> {
        let objects = &self.automata.layout.objects;
        let inside = |o: &&crate::layout::Memory| {
            (o.base..o.base.saturating_add(o.size.max(1))).contains(&address)
        };
        if let Some(i) = objects.iter().position(|o| inside(&o)) {
            return Some(self.part(ObjectIx(i as u32), address - objects[i].base));
        }
        let mut functions = self.program.function_ids().map(|f| self.program.function(f));
        functions.find(|f| f.address == address).map(|f| f.name.clone())
    }

    /// A state variable.
    pub fn var(&self, var: StateVar) -> String {
        match var {
            StateVar::Own => "own number".into(),
            StateVar::Register(context, reg) => self.register(context, reg),
            StateVar::Count(site) => {
                let site = self.automata.layout.sites[site.index()];
                format!("made at {}", self.line(site.context, site.at))
            }
            StateVar::Return(context) => format!("caller of {}", self.function(context)),
            StateVar::Argument(thread, i) => {
                format!("argument {i} of thread {}", Thread::number(thread))
            }
            StateVar::Result(thread) => format!("result of thread {}", Thread::number(thread)),
            StateVar::Cell(cell) => self.cell(cell),
        }
    }

    /// A context: the name of its function, with a number if there are others of it.
    fn function(&self, context: ContextId) -> String {
        let func = self.automata.layout.contexts.get(context).func;
        let name = &self.program.function(func).name;
        match self.contexts.get(&func) {
            Some(1) | None => name.clone(),
            Some(_) => format!("{name}#{}", context.0),
        }
    }

    fn register(&self, context: ContextId, reg: RegId) -> String {
        let func = self.automata.layout.contexts.get(context).func;
        let (of, function) = (self.function(context), self.program.function(func));
        if let Some(remembered) = self.automata.remembered.get(&(func, reg)) {
            let line = self.program.place(remembered.head).line;
            return format!("{of}.loop {line}.{}", self.remembered(func, reg));
        }
        format!("{of}.{}", register_name(function, reg))
    }

    /// What is remembered in a register, without the loop.
    pub fn remembered(&self, func: FuncId, reg: RegId) -> String {
        let Some(remembered) = self.automata.remembered.get(&(func, reg)) else {
            return String::new();
        };
        match remembered.of {
            Some(of) => format!("{} at head", register_name(self.program.function(func), of)),
            None => remembered.what.into(),
        }
    }

    fn cell(&self, cell: CellId) -> String {
        let layout = &self.automata.layout;
        if let Some((object, offset)) = layout.cells[cell.index()].part {
            return self.part(object, offset);
        }
        for thread in layout.thread_ids() {
            let (number, known) = (Thread::number(thread), layout.threads[thread.index()]);
            if known.created == cell {
                return format!("thread {number} created");
            }
            if known.ended == cell {
                return format!("thread {number} ended");
            }
        }
        for (i, object) in layout.objects.iter().enumerate() {
            let name = || self.part(ObjectIx(i as u32), 0);
            if object.life == Some(cell) {
                return format!("life of {}", name());
            }
            if object.length == Some(cell) {
                return format!("size of {}", name());
            }
        }
        format!("cell {}", cell.0)
    }

    /// A part of an object, as the user calls it.
    fn part(&self, object: ObjectIx, offset: u64) -> String {
        let layout = &self.automata.layout;
        let of_global = |g| (self.program.global(g).name.clone(), self.program.global(g).ctype);
        let (name, ctype): (String, Option<TypeId>) = match layout.objects[object.index()].kind {
            Kind::Global(g) => of_global(g),
            Kind::ThreadLocal(t, g) => {
                let (name, ctype) = of_global(g);
                (format!("{name} of thread {}", Thread::number(t)), ctype)
            }
            Kind::Allocated(t, site, nth, _) => {
                let site = layout.sites[site.index()];
                let thread = Thread::number(t);
                let number = if site.most > 1 { format!("#{}", nth + 1) } else { String::new() };
                match self.program.instr(site.at).map(|i| &i.op) {
                    Some(Instruction::Alloc { name, ctype, .. }) if !name.is_empty() => {
                        let of = self.function(site.context);
                        (format!("{of}:{name}{number} of thread {thread}"), *ctype)
                    }
                    Some(_) | None => {
                        let line = self.line(site.context, site.at);
                        (format!("heap {line}{number} of thread {thread}"), None)
                    }
                }
            }
        };
        self.program.show_part(name, ctype, offset)
    }

    fn line(&self, context: ContextId, at: InstrRef) -> String {
        let place = self.automata.layout.user_place(self.program, context, at);
        self.program.show_place(place)
    }
}

fn register_name(function: &raddle_ir::Function, reg: RegId) -> String {
    match function.regs.get(reg.index()).and_then(|r| r.name.clone()) {
        Some(name) if !name.is_empty() => format!("{name}.{}", reg.0),
        Some(_) | None => format!("%{}", reg.0),
    }
}
