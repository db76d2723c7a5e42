//! Automata as text and as a graph for Graphviz.

use std::fmt::Write;

use raddle_ir::{InstrRef, Program};
use raddle_term::{TermId, Terms};

use crate::layout::{Kind, ObjectIx, Thread};
use crate::machine::{Automata, Automaton, CutKind, State, StateIx, StateVar, Waiting};

/// Prints automata.
pub struct Printer<'a> {
    /// The program.
    pub program: &'a Program,
    /// The automata.
    pub automata: &'a Automata,
    /// Their terms.
    pub terms: &'a Terms,
    /// Nested operations of a term that are shown.
    pub levels: u32,
}

impl Printer<'_> {
    /// All classes as text.
    pub fn text(&self) -> String {
        let layout = &self.automata.layout;
        let mut out = format!(
            "{} threads, {} objects, {} cells\n",
            layout.threads.len(),
            layout.objects.len(),
            layout.cells.len()
        );
        for automaton in &self.automata.classes {
            let threads = layout.threads_of(automaton.class).count();
            let name = self.class_name(automaton);
            let states = automaton.states.len();
            let _ = writeln!(out, "\nclass {name}: {states} states, {threads} threads");
            for (i, state) in automaton.states.iter().enumerate() {
                self.state(&mut out, StateIx(i as u32), state);
            }
        }
        out
    }

    /// All classes as one graph.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph automata {\n  node [shape=box, fontname=monospace];\n");
        for automaton in &self.automata.classes {
            let class = automaton.class.0;
            let name = self.class_name(automaton);
            let _ = writeln!(out, "  subgraph cluster_{class} {{\n    label=\"{name}\";");
            for (i, state) in automaton.states.iter().enumerate() {
                let label = self.label(StateIx(i as u32), state).replace('"', "'");
                let _ = writeln!(out, "    c{class}_{i} [label=\"{label}\"];");
            }
            for (i, state) in automaton.states.iter().enumerate() {
                for t in &state.transitions {
                    let to = t.target.0;
                    let guard = match self.terms.is_true(t.guard) {
                        true => String::new(),
                        false => self.term(t.guard).replace('"', "'"),
                    };
                    let _ = writeln!(out, "    c{class}_{i} -> c{class}_{to} [label=\"{guard}\"];");
                }
            }
            out.push_str("  }\n");
        }
        out + "}\n"
    }

    fn class_name(&self, automaton: &Automaton) -> String {
        let class = &self.automata.layout.classes[automaton.class.index()];
        let name = &self.program.function(class.entry).name;
        let of_user = |at: &&InstrRef| {
            let place = self.program.place(**at);
            !self.program.function(at.func).is_model && !self.program.file(place.file).is_model
        };
        let creation = class.created.iter().rev().find(of_user).or(class.created.last());
        match creation {
            None => name.clone(),
            Some(&call) => {
                format!("{name}, created at {}", self.program.show_place(self.program.place(call)))
            }
        }
    }

    fn label(&self, index: StateIx, state: &State) -> String {
        let Some(position) = state.position else {
            let name = if index == StateIx::STOP { "stop" } else { "start" };
            return format!("{}: {name}", index.0);
        };
        if state.idle {
            return format!("{}: idle", index.0);
        }
        let function = self.program.function(position.at.func);
        let what = match self.program.instr(position.at) {
            Some(instr) => raddle_ir::print::op(self.program, function, &instr.op),
            None => "end of block".into(),
        };
        let place = self.automata.layout.user_place(self.program, position.context, position.at);
        let place = self.program.show_place(place);
        let section = if position.sections > 0 { " (in a section)" } else { "" };
        format!("{}: {place}, in {}: {what}{section}", index.0, function.name)
    }

    fn state(&self, out: &mut String, index: StateIx, state: &State) {
        let _ = writeln!(out, "  {}", self.label(index, state));
        for a in &state.accesses {
            let (address, cond) = (self.term(a.address), self.term(a.cond));
            let kind = if a.atomic { "atomic access" } else { "access" };
            let _ = writeln!(out, "    {kind} of {} bytes at {address} if {cond}", a.bytes);
        }
        for v in &state.violations {
            let _ = writeln!(out, "    violates {} if {}", v.property, self.term(v.cond));
        }
        for c in &state.cuts {
            let (cond, place) = (self.term(c.cond), self.program.show_place(c.place));
            let kind = match &c.kind {
                CutKind::Undefined(p) => format!("undefined ({p})"),
                CutKind::Unsupported(what) => format!("not modelled ({what:?})"),
                CutKind::Recursion
                | CutKind::Calls
                | CutKind::Threads
                | CutKind::Objects
                | CutKind::Cells
                | CutKind::Alignment
                | CutKind::Iterations => format!("{:?}", c.kind).to_lowercase(),
            };
            let _ = writeln!(out, "    ends: {kind}, {place}, if {cond}");
        }
        for l in &state.leaks {
            let _ = writeln!(out, "    leaks if {}", self.term(l.cond));
        }
        for w in &state.waits {
            let (cond, place) = (self.term(w.cond), self.program.show_place(w.place));
            let how = match w.how {
                Waiting::Blocked => "waits",
                Waiting::Spins => "spins",
                Waiting::Perhaps => "perhaps spins",
            };
            let _ = writeln!(out, "    {how}, {place}, if {cond}");
        }
        for t in &state.transitions {
            let _ = writeln!(out, "    to {} if {}", t.target.0, self.term(t.guard));
            for &(var, value) in &t.updates {
                let _ = writeln!(out, "      {} := {}", self.var(var), self.term(value));
            }
        }
    }

    fn var(&self, var: StateVar) -> String {
        let layout = &self.automata.layout;
        match var {
            StateVar::Own => "own".into(),
            StateVar::Register(context, reg) => {
                let function = self.program.function(layout.contexts.get(context).func);
                // What is remembered of loops has no name (`pure.rs`).
                let known = function.regs.get(reg.index());
                let name = known.and_then(|r| r.name.clone()).unwrap_or_default();
                format!("{}#{}.{name}%{}", function.name, context.0, reg.0)
            }
            StateVar::Count(site) => format!("count{}", site.0),
            StateVar::Return(context) => format!("return{}", context.0),
            StateVar::Argument(thread, i) => format!("argument {i} of thread {}", thread.0 + 1),
            StateVar::Result(thread) => format!("result of thread {}", thread.0 + 1),
            StateVar::Cell(cell) => match layout.cells[cell.index()].part {
                Some((object, offset)) => self.part(object, offset),
                None => format!("cell{}", cell.0),
            },
        }
    }

    /// A part of an object, as the user calls it.
    fn part(&self, object: ObjectIx, offset: u64) -> String {
        let layout = &self.automata.layout;
        let name = match layout.objects[object.index()].kind {
            Kind::Global(g) => self.program.global(g).name.clone(),
            Kind::ThreadLocal(t, g) => {
                format!("{} of thread {}", self.program.global(g).name, Thread::number(t))
            }
            Kind::Allocated(t, site, nth, _) => {
                let site = layout.sites[site.index()];
                let place = layout.user_place(self.program, site.context, site.at);
                let place = self.program.show_place(place);
                format!("object {} of thread {} from {place}", nth + 1, Thread::number(t))
            }
        };
        format!("[{name}+{offset}]")
    }

    /// A term, with state variables by their names.
    fn term(&self, t: TermId) -> String {
        match self.terms.as_var(t).and_then(|v| self.automata.vars.state_var(v)) {
            Some(var) => self.var(var),
            None => self.terms.display(t, self.levels),
        }
    }
}
