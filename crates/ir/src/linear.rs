//! Properties of executions without end: formulas of linear-time temporal logic.
//!
//! A formula is built from *atoms*, which hold or not in a state: a C expression over globals, where
//! threads are, whether they have ended. What infinite executions are, and what a formula says of one,
//! is defined in `docs/semantics.md`.
//! `F`, `G` and `W` are abbreviations: `F p` is `true U p`, `G p` is `false R p`, and `p W q` is
//! `q R (p || q)`.

use crate::expr::{Const, Expr, Operand, mask};
use crate::ids::{FuncId, GlobalId, RegId};
use crate::instr::InstrRef;

/// Which infinite executions count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Fairness {
    /// All.
    None,
    /// Those in which a thread that can go on from some moment on does.
    #[default]
    Weak,
    /// Those in which a thread that can go on again and again does.
    Strong,
}

impl Fairness {
    /// All, with the names that users give.
    pub const ALL: [(&'static str, Fairness); 3] =
        [("none", Fairness::None), ("weak", Fairness::Weak), ("strong", Fairness::Strong)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

/// What is asked about infinite executions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Linear {
    /// The formulas that shall hold.
    pub formulas: Vec<Sentence>,
    /// Which executions count.
    pub fairness: Fairness,
}

/// A formula with where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// As it was written.
    pub text: String,
    /// The file, or the option that gave it.
    pub source: String,
    /// The line in the file, or which of the options it was.
    pub line: u32,
    /// What it says.
    pub formula: Formula,
    /// What its atoms say.
    pub atoms: Vec<Atom>,
}

/// A formula; atoms are numbered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Formula {
    True,
    False,
    Atom(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether it speaks of the next change.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) => false,
            Formula::Next(_) => true,
            Formula::Not(a) => a.has_next(),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Until(a, b)
            | Formula::Release(a, b) => a.has_next() || b.has_next(),
        }
    }
}

/// Something that holds in a state or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// A C expression over globals is not zero.
    Value(Computation),
    /// Some thread stands before one of these instructions: each follows one that marks a label.
    Before(Vec<InstrRef>),
    /// Some thread is inside a function, or in one that it has called.
    Inside(FuncId),
    /// A thread was started in the function, and all that were have ended.
    Terminated(FuncId),
}

/// A part of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The global.
    pub global: GlobalId,
    /// The first byte in it.
    pub offset: u64,
    /// How many; at most 16.
    pub bytes: u64,
}

/// A value made from parts of memory. Registers are numbered: first the parts, then the steps.
/// **Invariant:** a step uses registers before it only, and no division by something that may be 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Computation {
    /// What is read.
    pub parts: Vec<Part>,
    /// What is computed.
    pub steps: Vec<Expr>,
    /// By register: its width.
    pub widths: Vec<u32>,
    /// The result: it holds if this is not zero.
    pub result: Option<Operand>,
}

impl Computation {
    /// The width of an operand.
    pub fn width(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(r) => self.widths[r.index()],
            Operand::Const(c) => c.width,
            Operand::Global(..) | Operand::Function(_) => {
                unreachable!("atoms are made of registers and constants")
            }
        }
    }

    /// Adds a part of memory.
    pub fn part(&mut self, part: Part) -> Operand {
        assert!(self.steps.is_empty(), "parts come first");
        self.parts.push(part);
        self.widths.push(8 * part.bytes as u32);
        Operand::Reg(RegId::new(self.widths.len() - 1))
    }

    /// Adds a step with a result of so many bits.
    pub fn step(&mut self, expr: Expr, width: u32) -> Operand {
        self.steps.push(expr);
        self.widths.push(width);
        Operand::Reg(RegId::new(self.widths.len() - 1))
    }

    /// A constant.
    pub fn constant(value: i128, width: u32) -> Operand {
        Operand::Const(Const { value: value as u128 & mask(width), width })
    }
}
