//! BTOR2 files: the exchange format of word-level model checkers, one line for each node.
//!
//! Source: Niemetz, Preiner, Wolf, Biere: Btor2, BtorMC and Boolector 3.0 (CAV 2018). Everything here
//! has one bit; a complemented edge is a `not` of its own, made where it is first used.

use std::fmt::Write;

use crate::graph::{Edge, Node};
use crate::system::System;

/// The system as a file; its bad edges have these names, in order.
pub fn write(system: &System, bad: &[String]) -> String {
    assert_eq!(bad.len(), system.bad.len(), "each bad edge has a name");
    let mut out = String::from("1 sort bitvec 1\n2 zero 1\n3 one 1\n");
    let mut writer = Writer {
        out: &mut out,
        next: 4,
        numbers: vec![None; system.graph.len()],
        complements: vec![None; system.graph.len()],
    };
    writer.numbers[Edge::FALSE.node()] = Some(2);
    writer.complements[Edge::FALSE.node()] = Some(3);
    for input in &system.inputs {
        let number = writer.line(&format!("input 1 {}", symbol(&input.name)));
        writer.numbers[input.now.node()] = Some(number);
    }
    for latch in &system.latches {
        let number = writer.line(&format!("state 1 {}", symbol(&latch.name)));
        writer.numbers[latch.now.node()] = Some(number);
        if let Some(value) = latch.initial {
            writer.line(&format!("init 1 {number} {}", if value { 3 } else { 2 }));
        }
    }
    for i in 0..system.graph.len() {
        if let Node::And(a, b) = system.graph.node(i) {
            let (a, b) = (writer.edge(a), writer.edge(b));
            writer.numbers[i] = Some(writer.line(&format!("and 1 {a} {b}")));
        }
    }
    for latch in &system.latches {
        let (now, next) = (writer.edge(latch.now), writer.edge(latch.next));
        writer.line(&format!("next 1 {now} {next}"));
    }
    for &constraint in &system.constraints {
        let edge = writer.edge(constraint);
        writer.line(&format!("constraint {edge}"));
    }
    for (&edge, name) in system.bad.iter().zip(bad) {
        let edge = writer.edge(edge);
        writer.line(&format!("bad {edge} {}", symbol(name)));
    }
    out
}

/// A name as one word.
fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c == ';' { '_' } else { c }).collect()
}

struct Writer<'a> {
    out: &'a mut String,
    /// The number of the next line.
    next: u32,
    /// By node: its line, and that of its complement.
    numbers: Vec<Option<u32>>,
    complements: Vec<Option<u32>>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) -> u32 {
        let number = self.next;
        let _infallible = writeln!(self.out, "{number} {text}");
        self.next += 1;
        number
    }

    fn edge(&mut self, edge: Edge) -> u32 {
        let plain = self.numbers[edge.node()].expect("operands come first");
        if !edge.is_complement() {
            return plain;
        }
        if let Some(known) = self.complements[edge.node()] {
            return known;
        }
        let new = self.line(&format!("not 1 {plain}"));
        self.complements[edge.node()] = Some(new);
        new
    }
}
