//! A function of the program as a C function of the same name.
//!
//! Each instruction becomes a statement, or part of the expression that uses its result
//! ([`crate::fold`]); control flow is that of [`crate::control`]. After everything that may stop
//! the thread, the function returns if it did; its callers do the same, until the simulation of
//! the thread's creator goes on.

use raddle_ir::{FuncId, Function, Place, Program, RegId, Terminator};

use crate::control::{Node, structure};
use crate::expression::{Expressions, c_type};
use crate::fold::Folded;
use crate::layout::Layout;
use crate::names::Names;
use crate::needed::needed;
use crate::reach::Reached;
use crate::settings::Settings;
use crate::writer::Writer;

/// The checks of a program: number `i + 1` is the one at index `i`.
#[derive(Default)]
pub(crate) struct Checks {
    pub(crate) list: Vec<(String, Place)>,
}

impl Checks {
    /// A new check; gives its number.
    pub(crate) fn add(&mut self, message: &str, place: Place) -> usize {
        self.list.push((message.to_string(), place));
        self.list.len()
    }
}

/// What all functions have in common.
pub(crate) struct Unit<'a> {
    pub(crate) program: &'a Program,
    pub(crate) reached: &'a Reached,
    pub(crate) layout: &'a Layout,
    pub(crate) settings: &'a Settings,
    /// Per function: whether it may stop its thread.
    pub(crate) stopping: &'a [bool],
}

/// The text of one function in the making.
pub(crate) struct Translation<'a> {
    pub(crate) unit: &'a Unit<'a>,
    pub(crate) id: FuncId,
    pub(crate) function: &'a Function,
    pub(crate) expressions: Expressions<'a>,
    pub(crate) needed: &'a [bool],
    pub(crate) checks: &'a mut Checks,
    pub(crate) out: Writer,
    /// The variable that holds the stack pointer of the caller, once there are local objects.
    pub(crate) frame: Option<String>,
    labels: std::collections::BTreeSet<raddle_ir::BlockId>,
    label_names: Vec<String>,
    counters: Vec<(raddle_ir::BlockId, String)>,
}

/// `static u32 f(u32 a, u64 b)`.
pub(crate) fn signature(unit: &Unit, f: FuncId, names: Option<&[String]>) -> String {
    let function = unit.program.function(f);
    let result = function.result.map_or("void", c_type);
    let params: Vec<String> = function
        .params
        .iter()
        .map(|p| {
            let kind = c_type(function.reg(*p).width);
            names.map_or(kind.to_string(), |n| format!("{kind} {}", n[p.index()]))
        })
        .collect();
    let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
    format!("static {result} {}({params})", unit.layout.function_name(f))
}

/// Translates a function.
pub(crate) fn translate(unit: &Unit, f: FuncId, checks: &mut Checks) -> String {
    let function = unit.program.function(f);
    let needed = needed(function);
    let mut scope = Names::new();
    unit.layout.all_function_names().for_each(|name| {
        scope.take(name);
    });
    let objects = crate::statement::object_names(function);
    let wanted = |(i, r): (usize, &raddle_ir::Register)| match (&r.name, &objects[i]) {
        (Some(name), _) => name.clone(),
        (None, Some(object)) => format!("{object}_address"),
        (None, None) => format!("r{i}"),
    };
    let names: Vec<String> =
        function.regs.iter().enumerate().map(|r| scope.take(&wanted(r))).collect();
    let folded = supported(unit, function, &names);
    let (nodes, labels) = structure(function);
    let label_names = (0..function.blocks.len()).map(|i| format!("L{i}")).collect();
    let heads = raddle_ir::Cfg::new(function).loops;
    let counters = match unit.settings.unwind {
        Some(_) => heads.iter().map(|l| (l.head, scope.take("iterations"))).collect(),
        None => Vec::new(),
    };
    let returns = function.blocks.iter().any(|b| matches!(b.end, Terminator::Return(_)));
    let local_objects = returns && crate::statement::has_local_objects(unit, f);
    let frame = local_objects.then(|| scope.take("frame"));
    let expressions = Expressions {
        program: unit.program,
        function,
        layout: unit.layout,
        folded: &folded,
        names: &names,
    };
    let mut translation = Translation {
        unit,
        id: f,
        function,
        expressions,
        needed: &needed,
        checks,
        out: Writer::default(),
        frame,
        labels,
        label_names,
        counters,
    };
    translation.out.place(unit.program, function.place);
    translation.out.open(&format!("{} {{", signature(unit, f, Some(&names))));
    translation.declare();
    translation.nodes(&nodes);
    translation.out.close("}");
    translation.out.finish()
}

/// What is folded, without expressions that have no C text.
fn supported(unit: &Unit, function: &Function, names: &[String]) -> Folded {
    let mut folded = Folded::new(function);
    let mut wrong = Vec::new();
    let expressions = Expressions {
        program: unit.program,
        function,
        layout: unit.layout,
        folded: &folded,
        names,
    };
    for i in 0..function.regs.len() {
        let r = RegId::new(i);
        if let Some(value) = folded.expression(r)
            && expressions.expression(value, function.reg(r).width).is_err()
        {
            wrong.push(r);
        }
    }
    wrong.into_iter().for_each(|r| folded.unfold(r));
    folded
}

impl Translation<'_> {
    /// Whether a register is a variable of the C function.
    pub(crate) fn is_variable(&self, register: RegId) -> bool {
        self.needed[register.index()] && self.expressions.folded.expression(register).is_none()
    }

    fn declare(&mut self) {
        let mut assigned = vec![false; self.function.regs.len()];
        for instr in self.function.blocks.iter().flat_map(|b| &b.instrs) {
            instr.op.defs().for_each(|r| assigned[r.index()] = true);
        }
        for kind in ["u8", "u16", "u32", "u64", "u128"] {
            let wanted = |i: &usize| {
                let r = RegId::new(*i);
                let local = assigned[*i] && !self.function.params.contains(&r);
                let kept = self.is_variable(r) || crate::statement::is_temporary(self.function, r);
                local && kept && c_type(self.function.reg(r).width) == kind
            };
            let names: Vec<&str> = (0..assigned.len())
                .filter(wanted)
                .map(|i| self.expressions.names[i].as_str())
                .collect();
            let lines: Vec<String> =
                names.chunks(12).map(|c| format!("{kind} {};", c.join(", "))).collect();
            lines.iter().for_each(|line| self.out.line(line));
        }
        for (_, counter) in self.counters.clone() {
            self.out.line(&format!("u32 {counter} = 0;"));
        }
        if let Some(frame) = self.frame.clone() {
            self.out.line(&format!("u64 {frame} = raddle_now.stack;"));
        }
    }

    /// `return 0;` or `return;`.
    pub(crate) fn plain_return(&self) -> &'static str {
        if self.function.result.is_some() { "return 0;" } else { "return;" }
    }

    /// Returns if the thread has stopped.
    pub(crate) fn return_if_stopped(&mut self) {
        let value = if self.function.result.is_some() { "0" } else { "" };
        self.out.append(&format!("raddle_return_if_stopped({value});"));
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Block(block) => {
                for (index, instr) in self.function.block(*block).instrs.iter().enumerate() {
                    self.out.place(self.unit.program, instr.place);
                    self.statement(*block, index, &instr.op);
                }
            }
            Node::If { block, then, other } => self.if_else(*block, then, other),
            Node::Switch { block, cases } => self.switch(*block, cases),
            Node::End(block) => self.end(*block),
            Node::Loop(body) => self.repeat(body),
            Node::Enter(head) => {
                if let Some((_, counter)) = self.counters.iter().find(|(h, _)| h == head).cloned() {
                    self.out.line(&format!("{counter} = 0;"));
                }
            }
            Node::Again(head) => self.again(*head),
            Node::Label(block) => {
                if self.labels.contains(block) {
                    let label = format!("{}:;", self.label_names[block.index()]);
                    self.out.label(&label);
                }
            }
            Node::Goto(block) => {
                let jump = format!("goto {};", self.label_names[block.index()]);
                self.out.line(&jump);
            }
            Node::Break => self.out.line("break;"),
            Node::Continue => self.out.line("continue;"),
        }
    }

    fn condition_of(&self, block: raddle_ir::BlockId) -> String {
        match &self.function.block(block).end {
            Terminator::Branch { cond, .. } => self.expressions.condition(*cond),
            Terminator::Goto(_)
            | Terminator::Switch { .. }
            | Terminator::Return(_)
            | Terminator::Stop => {
                unreachable!("only branches have conditions")
            }
        }
    }

    fn if_else(&mut self, block: raddle_ir::BlockId, then: &[Node], other: &[Node]) {
        let condition = self.condition_of(block);
        self.out.place(self.unit.program, self.function.block(block).end_place);
        match (self.is_empty(then), self.is_empty(other)) {
            // The compiler shall not complain about variables that are used nowhere else.
            (true, true) => self.out.line(&format!("(void)({condition});")),
            (false, true) => {
                self.out.open(&format!("if ({condition}) {{"));
                self.nodes(then);
                self.out.close("}");
            }
            (true, false) => {
                self.out.open(&format!("if (!({condition})) {{"));
                self.nodes(other);
                self.out.close("}");
            }
            (false, false) => {
                self.out.open(&format!("if ({condition}) {{"));
                self.nodes(then);
                self.out.reopen("} else {");
                self.nodes(other);
                self.out.close("}");
            }
        }
    }

    /// Whether nothing would be written.
    fn is_empty(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Enter(_) => self.counters.is_empty(),
            Node::Label(block) => !self.labels.contains(block),
            Node::Block(block) => self.writes_nothing(*block),
            Node::If { .. }
            | Node::Switch { .. }
            | Node::End(_)
            | Node::Loop(_)
            | Node::Again(_)
            | Node::Goto(_)
            | Node::Break
            | Node::Continue => false,
        })
    }

    /// Whether all instructions of a block are part of expressions elsewhere.
    fn writes_nothing(&self, block: raddle_ir::BlockId) -> bool {
        self.function.block(block).instrs.iter().all(|i| match &i.op {
            raddle_ir::Op::Assign { dst, value } => {
                !self.is_variable(*dst) && !crate::fold::can_stop(value)
            }
            _ => false,
        })
    }

    fn switch(&mut self, block: raddle_ir::BlockId, cases: &[(Vec<Option<u128>>, Vec<Node>)]) {
        let Terminator::Switch { value, .. } = &self.function.block(block).end else {
            unreachable!("only switches have cases");
        };
        let width = self.expressions.width(*value);
        let text = self.expressions.bare(*value);
        self.out.place(self.unit.program, self.function.block(block).end_place);
        self.out.open(&format!("switch ({text}) {{"));
        for (values, nodes) in cases {
            let labels: Vec<String> = values
                .iter()
                .map(|v| match v {
                    Some(value) => format!("case {}:", crate::expression::constant(*value, width)),
                    None => "default:".to_string(),
                })
                .collect();
            self.out.label(&labels.join(" "));
            self.nodes(nodes);
            self.out.line("break;");
        }
        self.out.close("}");
    }

    /// A loop; one whose head does nothing but to decide becomes a `while`.
    fn repeat(&mut self, body: &[Node]) {
        if let [Node::Block(head), Node::If { block, then, other }, rest @ ..] = body
            && self.writes_nothing(*head)
            && (other.as_slice() == [Node::Break] || then.as_slice() == [Node::Break])
        {
            let condition = self.condition_of(*block);
            self.out.place(self.unit.program, self.function.block(*block).end_place);
            let (condition, first) = if other.as_slice() == [Node::Break] {
                (condition, then)
            } else {
                (format!("!({condition})"), other)
            };
            self.out.open(&format!("while ({condition}) {{"));
            self.nodes(first);
            self.nodes(rest);
        } else {
            self.out.open("for (;;) {");
            self.nodes(body);
        }
        self.out.close("}");
    }

    /// Another iteration: the thread may stop before it.
    fn again(&mut self, head: raddle_ir::BlockId) {
        let bound = self.unit.settings.unwind.unwrap_or(0);
        match self.counters.iter().find(|(h, _)| *h == head).cloned() {
            Some((_, counter)) => {
                self.out.open(&format!("if ({counter}++ >= {bound} || raddle_stops_here()) {{"));
                self.out.line("raddle_stop();");
                self.out.line(self.plain_return());
                self.out.close("}");
            }
            None => {
                let stop = format!("if (raddle_stops_here()) {}", self.plain_return());
                self.out.line(&stop);
            }
        }
    }

    fn end(&mut self, block: raddle_ir::BlockId) {
        let block = self.function.block(block);
        match &block.end {
            Terminator::Return(value) => {
                self.out.place(self.unit.program, block.end_place);
                if let Some(frame) = &self.frame {
                    let restore = format!("raddle_now.stack = {frame};");
                    self.out.line(&restore);
                }
                let text = match value {
                    Some(value) => format!("return {};", self.expressions.bare(*value)),
                    None => self.plain_return().to_string(),
                };
                self.out.line(&text);
            }
            Terminator::Stop => {
                if !block.instrs.last().is_some_and(|i| crate::statement::never_goes_on(&i.op)) {
                    self.out.line("raddle_stop();");
                    self.out.line(self.plain_return());
                }
            }
            Terminator::Goto(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {}
        }
    }
}
