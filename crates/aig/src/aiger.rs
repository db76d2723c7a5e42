//! AIGER files: the exchange format of hardware model checkers, as text (`aag`) and binary (`aig`).
//!
//! Source: Biere, Heljanko, Wieringa: AIGER 1.9 and beyond (FMV report 11/2, 2011). A file numbers
//! inputs, then latches, then conjunctions; in a binary file that order is implied and conjunctions
//! are differences of numbers, seven bits in a byte. Names are in the symbol table.
//! Limits: justice and fairness are refused when read; outputs count as bad where a file has no bad
//! edges, as in AIGER before 1.9.

use crate::gates::Gates;
use crate::graph::{Edge, Node};
use crate::system::{Execution, Input, Latch, System};

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Lines of numbers.
    Text,
    /// Conjunctions as bytes.
    Binary,
}

/// Why a file is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// The first line.
    #[error("the first line is not 'aag' or 'aig' with at least five numbers")]
    Header,
    /// A later line.
    #[error("line {0} is not what an AIGER file has there")]
    Line(usize),
    /// It ends too early.
    #[error("the file ends before everything that its first line announces")]
    End,
    /// What is not supported.
    #[error("justice and fairness properties are not supported")]
    Liveness,
    /// A literal that is not defined.
    #[error("literal {0} is not defined before its use")]
    Undefined(u32),
}

/// The system as a file; its bad edges have these names, in order.
pub fn write(system: &System, bad: &[String], format: Format) -> Vec<u8> {
    assert_eq!(bad.len(), system.bad.len(), "each bad edge has a name");
    let mut numbers = vec![0u32; system.graph.len()];
    let free = system.inputs.iter().map(|i| i.now).chain(system.latches.iter().map(|l| l.now));
    let mut next = 0;
    for edge in free {
        next += 1;
        numbers[edge.node()] = 2 * next;
    }
    let mut conjunctions = Vec::new();
    for (i, number) in numbers.iter_mut().enumerate() {
        if let Node::And(a, b) = system.graph.node(i) {
            next += 1;
            *number = 2 * next;
            conjunctions.push((2 * next, a, b));
        }
    }
    let number = |e: Edge| numbers[e.node()] + u32::from(e.is_complement());
    let magic = match format {
        Format::Text => "aag",
        Format::Binary => "aig",
    };
    let (i, l, a) = (system.inputs.len(), system.latches.len(), conjunctions.len());
    let (b, c) = (system.bad.len(), system.constraints.len());
    let mut out = format!("{magic} {next} {i} {l} 0 {a} {b} {c}\n").into_bytes();
    let line = |out: &mut Vec<u8>, text: String| {
        out.extend(text.bytes());
        out.push(b'\n');
    };
    if format == Format::Text {
        system.inputs.iter().for_each(|i| line(&mut out, number(i.now).to_string()));
    }
    for latch in &system.latches {
        let initial = match latch.initial {
            Some(value) => u32::from(value),
            None => number(latch.now),
        };
        let own = match format {
            Format::Text => format!("{} ", number(latch.now)),
            Format::Binary => String::new(),
        };
        line(&mut out, format!("{own}{} {initial}", number(latch.next)));
    }
    for &edge in system.bad.iter().chain(&system.constraints) {
        line(&mut out, number(edge).to_string());
    }
    for (own, a, b) in conjunctions {
        let (low, high) = (number(a).min(number(b)), number(a).max(number(b)));
        match format {
            Format::Text => line(&mut out, format!("{own} {high} {low}")),
            Format::Binary => {
                debug_assert!(own > high, "operands are numbered before");
                difference(&mut out, own - high);
                difference(&mut out, high - low);
            }
        }
    }
    for (k, input) in system.inputs.iter().enumerate() {
        line(&mut out, format!("i{k} {}", input.name));
    }
    for (k, latch) in system.latches.iter().enumerate() {
        line(&mut out, format!("l{k} {}", latch.name));
    }
    for (k, name) in bad.iter().enumerate() {
        line(&mut out, format!("b{k} {name}"));
    }
    out
}

fn difference(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads bytes and remembers the line.
struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<&'a str, Malformed> {
        if self.rest.is_empty() {
            return Err(Malformed::End);
        }
        self.line += 1;
        let end = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
        let line = std::str::from_utf8(&self.rest[..end]);
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        line.map_err(|_not_text| Malformed::Line(self.line))
    }

    fn numbers(&mut self, least: usize, most: usize) -> Result<Vec<u32>, Malformed> {
        let line = self.line()?;
        let numbers: Option<Vec<u32>> = line.split(' ').map(|n| n.parse().ok()).collect();
        match numbers {
            Some(n) if n.len() >= least && n.len() <= most => Ok(n),
            Some(_) | None => Err(Malformed::Line(self.line)),
        }
    }

    fn difference(&mut self) -> Result<u32, Malformed> {
        let (mut value, mut shift) = (0u32, 0);
        loop {
            let (&byte, rest) = self.rest.split_first().ok_or(Malformed::End)?;
            self.rest = rest;
            if shift > 28 {
                return Err(Malformed::Line(self.line));
            }
            value |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }
}

/// What the first line announces.
struct Header {
    format: Format,
    inputs: usize,
    latches: usize,
    outputs: usize,
    ands: usize,
    bad: usize,
    constraints: usize,
}

fn header(line: &str) -> Result<Header, Malformed> {
    let mut words = line.split(' ');
    let format = match words.next() {
        Some("aag") => Format::Text,
        Some("aig") => Format::Binary,
        Some(_) | None => return Err(Malformed::Header),
    };
    let numbers: Option<Vec<u32>> = words.map(|n| n.parse().ok()).collect();
    let mut numbers = numbers.ok_or(Malformed::Header)?;
    if numbers.len() < 5 || numbers.len() > 9 || numbers[0] > u32::MAX / 4 {
        return Err(Malformed::Header);
    }
    numbers.resize(9, 0);
    let [most, inputs, latches, outputs, ands, bad, constraints, justice, fairness] =
        <[u32; 9]>::try_from(numbers).map_err(|_length| Malformed::Header)?;
    if justice + fairness > 0 {
        return Err(Malformed::Liveness);
    }
    if u64::from(inputs) + u64::from(latches) + u64::from(ands) > u64::from(most) {
        return Err(Malformed::Header);
    }
    let [inputs, latches, outputs, ands, bad, constraints] =
        [inputs, latches, outputs, ands, bad, constraints].map(|n| n as usize);
    Ok(Header { format, inputs, latches, outputs, ands, bad, constraints })
}

/// The system that a file describes.
pub fn read(bytes: &[u8]) -> Result<System, Malformed> {
    let mut reader = Reader { rest: bytes, line: 0 };
    let header = header(reader.line()?)?;
    let mut system = System::default();
    // By number of a variable: its edge.
    let mut edges: rustc_hash::FxHashMap<u32, Edge> = Default::default();
    edges.insert(0, Edge::FALSE);
    let text = header.format == Format::Text;
    for k in 0..header.inputs {
        let own = if text { reader.numbers(1, 1)?[0] } else { 2 * (k as u32 + 1) };
        let now = system.graph.free();
        edges.insert(own / 2, now);
        system.inputs.push(Input { now, name: format!("i{k}") });
    }
    let mut nexts = Vec::new();
    for k in 0..header.latches {
        let mut line = reader.numbers(1 + usize::from(text), 2 + usize::from(text))?;
        let own = if text { line.remove(0) } else { 2 * (header.inputs + k + 1) as u32 };
        let now = system.graph.free();
        edges.insert(own / 2, now);
        let initial = match line.get(1) {
            None | Some(0) => Some(false),
            Some(1) => Some(true),
            Some(&same) if same == own => None,
            Some(_) => return Err(Malformed::Line(reader.line)),
        };
        nexts.push(line[0]);
        system.latches.push(Latch { now, next: now, initial, name: format!("l{k}") });
    }
    let mut roots = Vec::new();
    for _root in 0..header.outputs + header.bad + header.constraints {
        roots.push(reader.numbers(1, 1)?[0]);
    }
    for k in 0..header.ands {
        let [own, a, b] = if text {
            let line = reader.numbers(3, 3)?;
            [line[0], line[1], line[2]]
        } else {
            let own = 2 * (header.inputs + header.latches + k + 1) as u32;
            let bad = || Malformed::Undefined(own);
            let high = own.checked_sub(reader.difference()?).ok_or_else(bad)?;
            [own, high, high.checked_sub(reader.difference()?).ok_or_else(bad)?]
        };
        let (a, b) = (edge(&edges, a)?, edge(&edges, b)?);
        let both = system.graph.and(a, b);
        edges.insert(own / 2, both);
    }
    for (latch, next) in system.latches.iter_mut().zip(nexts) {
        latch.next = edge(&edges, next)?;
    }
    let roots = roots.into_iter().map(|r| edge(&edges, r)).collect::<Result<Vec<_>, _>>()?;
    let (outputs, rest) = roots.split_at(header.outputs);
    let (bad, constraints) = rest.split_at(header.bad);
    system.bad = if header.bad == 0 { outputs.to_vec() } else { bad.to_vec() };
    system.constraints = constraints.to_vec();
    names(&mut reader, &mut system);
    Ok(system)
}

fn edge(edges: &rustc_hash::FxHashMap<u32, Edge>, number: u32) -> Result<Edge, Malformed> {
    let known = edges.get(&(number / 2)).ok_or(Malformed::Undefined(number))?;
    Ok(known.complement_if(number % 2 == 1))
}

/// The symbol table, as far as it names inputs and latches.
fn names(reader: &mut Reader, system: &mut System) {
    while let Ok(line) = reader.line() {
        let Some((what, name)) = line.split_once(' ') else { return };
        let Some(index) = what.get(1..).and_then(|i| i.parse::<usize>().ok()) else { return };
        if let (b'i', Some(input)) = (what.as_bytes()[0], system.inputs.get_mut(index)) {
            input.name = name.into();
        } else if let (b'l', Some(latch)) = (what.as_bytes()[0], system.latches.get_mut(index)) {
            latch.name = name.into();
        }
    }
}

/// The execution in a witness: `1`, the bad edges, first values, one line of inputs per step, `.`.
/// What a witness leaves open (`x`) is 0.
pub fn read_witness(text: &str, system: &System) -> Result<Execution, Malformed> {
    let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim()));
    let mut lines = lines.by_ref().filter(|(_, l)| !l.is_empty() && !l.starts_with('c'));
    if lines.next().map(|l| l.1) != Some("1") {
        return Err(Malformed::Line(1));
    }
    let mut next = lines.next().ok_or(Malformed::End)?;
    if next.1.starts_with(['b', 'o']) {
        next = lines.next().ok_or(Malformed::End)?;
    }
    let bits = |(at, line): (usize, &str), count: usize| {
        let bits: Option<Vec<bool>> = line
            .chars()
            .map(|c| match c {
                '0' | 'x' => Some(false),
                '1' => Some(true),
                _other => None,
            })
            .collect();
        bits.filter(|b| b.len() == count).ok_or(Malformed::Line(at))
    };
    let first = bits(next, system.latches.len())?;
    let mut inputs = Vec::new();
    for line in lines {
        if line.1 == "." {
            return Ok(Execution { first, inputs });
        }
        inputs.push(bits(line, system.inputs.len())?);
    }
    Err(Malformed::End)
}
