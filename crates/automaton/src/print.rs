//! Automata as text and as a graph for Graphviz.
//!
//! A state is a line with the C line it stands before, and what it stands before; below it all that can be
//! noticed in its step, and where it leads, with guards and updates. Names are those of `words.rs`.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_ir::{InstrRef, Program};
use raddle_term::Terms;

use crate::machine::{Automata, Automaton, CutKind, State, StateIx, StateVar, Waiting};
use crate::words::Words;

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
        let (layout, words) = (&self.automata.layout, self.words());
        let threads = count(layout.threads.len(), "thread");
        let objects = count(layout.objects.len(), "object");
        let cells = count(layout.cells.len(), "cell");
        let mut out = format!("{threads}, {objects}, {cells} of memory\n");
        self.remembered(&mut out, &words);
        for automaton in &self.automata.classes {
            let threads = count(layout.threads_of(automaton.class).count(), "thread");
            let name = self.class_name(automaton);
            let states = count(automaton.states.len(), "state");
            let _ = writeln!(out, "\nclass {name}: {states}, {threads}");
            for (i, state) in automaton.states.iter().enumerate() {
                self.state(&mut out, &words, StateIx(i as u32), state);
            }
        }
        out
    }

    fn words(&self) -> Words<'_> {
        Words::new(self.program, self.automata, self.terms, self.levels)
    }

    /// What is remembered of loops whose iterations may be without a trace.
    fn remembered(&self, out: &mut String, words: &Words) {
        let mut loops: BTreeMap<InstrRef, Vec<String>> = BTreeMap::new();
        for (&(func, reg), remembered) in &self.automata.remembered {
            loops.entry(remembered.head).or_default().push(words.remembered(func, reg));
        }
        if !loops.is_empty() {
            out.push_str("\nremembered of loops, so that a round that changes nothing ends:\n");
        }
        for (head, names) in loops {
            let place = self.program.show_place(self.program.place(head));
            let function = &self.program.function(head.func).name;
            let _ = writeln!(out, "  {place}, in {function}: {}", names.join(", "));
        }
    }

    /// All classes as one graph.
    pub fn dot(&self) -> String {
        let words = self.words();
        let mut out = String::from("digraph automata {\n  node [shape=box, fontname=monospace];\n");
        for automaton in &self.automata.classes {
            let class = automaton.class.0;
            let name = quoted(&self.class_name(automaton));
            let _ = writeln!(out, "  subgraph cluster_{class} {{\n    label={name};");
            for (i, state) in automaton.states.iter().enumerate() {
                let label = quoted(&self.label(StateIx(i as u32), state));
                let _ = writeln!(out, "    c{class}_{i} [label={label}];");
            }
            for (i, state) in automaton.states.iter().enumerate() {
                for t in &state.transitions {
                    let to = t.target.0;
                    let guard = match self.terms.is_true(t.guard) {
                        true => quoted(""),
                        false => quoted(&words.term(t.guard)),
                    };
                    let _ = writeln!(out, "    c{class}_{i} -> c{class}_{to} [label={guard}];");
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

    fn state(&self, out: &mut String, words: &Words, index: StateIx, state: &State) {
        let _ = writeln!(out, "  {}", self.label(index, state));
        for a in &state.accesses {
            let (address, cond) = (words.term(a.address), words.condition(a.cond));
            let kind = if a.atomic { "atomic access" } else { "access" };
            let _ = writeln!(
                out,
                "    {kind} of {} at {address}{cond}",
                count(a.bytes as usize, "byte")
            );
        }
        for v in &state.violations {
            let _ = writeln!(out, "    violates {}{}", v.property, words.condition(v.cond));
        }
        for c in &state.cuts {
            let (cond, place) = (words.condition(c.cond), self.program.show_place(c.place));
            let kind = match &c.kind {
                CutKind::Undefined(p) => format!("undefined ({p})"),
                CutKind::Unsupported(what) => format!("not modelled ({what:?})"),
                CutKind::Recursion => "deeper recursion".into(),
                CutKind::Calls => "more calls".into(),
                CutKind::Threads => "more threads".into(),
                CutKind::Objects => "more objects".into(),
                CutKind::Cells => "larger objects".into(),
                CutKind::Alignment => "an access across cells".into(),
                CutKind::Iterations => "more iterations".into(),
            };
            let _ = writeln!(out, "    ends here ({kind}, {place}){cond}");
        }
        for l in &state.leaks {
            let _ = writeln!(out, "    leaks{}", words.condition(l.cond));
        }
        for w in &state.waits {
            let (cond, place) = (words.condition(w.cond), self.program.show_place(w.place));
            let how = match w.how {
                Waiting::Blocked => "waits",
                Waiting::Spins => "spins",
                Waiting::Perhaps => "perhaps spins",
            };
            let _ = writeln!(out, "    {how} at {place}{cond}");
        }
        for t in &state.transitions {
            let _ = writeln!(out, "    to {}{}", t.target.0, words.condition(t.guard));
            for (cells, value) in together(words, &t.updates) {
                let _ = writeln!(out, "      {cells} := {value}");
            }
        }
    }
}

/// Updates, those to the same value on one line.
fn together(words: &Words, updates: &[(StateVar, raddle_term::TermId)]) -> Vec<(String, String)> {
    let mut lines: Vec<(Vec<String>, String)> = Vec::new();
    for &(var, value) in updates {
        let (name, value) = (words.var(var), words.term(value));
        match lines.last_mut() {
            Some((names, same)) if *same == value => names.push(name),
            Some(_) | None => lines.push((vec![name], value)),
        }
    }
    lines.into_iter().map(|(names, value)| (names.join(", "), value)).collect()
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A string of Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
