//! What a tree of operators says: a formula over atoms.
//!
//! Logical and temporal operators are those of the formula; everything below them is an atom. Atoms
//! that say the same are one.

use raddle_ir::linear::{Atom, Formula};
use raddle_ir::{InstrRef, Op, Program, Property};

use super::Wrong;
use super::syntax::{Node, Tree};
use super::values::{Values, did_you_mean};

/// The formula, and its atoms.
pub fn sentence(program: &Program, tree: &Tree) -> Result<(Formula, Vec<Atom>), Wrong> {
    let mut reader = Reader { program, atoms: Vec::new() };
    let formula = reader.formula(tree)?;
    Ok((formula, reader.atoms))
}

struct Reader<'a> {
    program: &'a Program,
    atoms: Vec<Atom>,
}

fn not(a: Formula) -> Formula {
    Formula::Not(Box::new(a))
}

fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(Box::new(a), Box::new(b))
}

fn or(a: Formula, b: Formula) -> Formula {
    Formula::Or(Box::new(a), Box::new(b))
}

fn until(a: Formula, b: Formula) -> Formula {
    Formula::Until(Box::new(a), Box::new(b))
}

fn release(a: Formula, b: Formula) -> Formula {
    Formula::Release(Box::new(a), Box::new(b))
}

impl Reader<'_> {
    fn formula(&mut self, tree: &Tree) -> Result<Formula, Wrong> {
        match &tree.node {
            Node::Name(name) if name == "true" => Ok(Formula::True),
            Node::Name(name) if name == "false" => Ok(Formula::False),
            Node::Call(name, argument, column) => {
                let atom = self.about_threads(tree, name, argument, *column)?;
                Ok(self.atom(atom))
            }
            Node::Before("!", a) => Ok(not(self.formula(a)?)),
            Node::Before("G", a) => Ok(release(Formula::False, self.formula(a)?)),
            Node::Before("F", a) => Ok(until(Formula::True, self.formula(a)?)),
            Node::Before("X", a) => Ok(Formula::Next(Box::new(self.formula(a)?))),
            Node::Between("&&", a, b) => Ok(and(self.formula(a)?, self.formula(b)?)),
            Node::Between("||", a, b) => Ok(or(self.formula(a)?, self.formula(b)?)),
            Node::Between("->", a, b) => Ok(or(not(self.formula(a)?), self.formula(b)?)),
            Node::Between("<->", a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                Ok(or(and(a.clone(), b.clone()), and(not(a), not(b))))
            }
            Node::Between("U", a, b) => Ok(until(self.formula(a)?, self.formula(b)?)),
            Node::Between("R", a, b) => Ok(release(self.formula(a)?, self.formula(b)?)),
            Node::Between("W", a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                Ok(release(b.clone(), or(a, b)))
            }
            Node::Name(_)
            | Node::Number(_)
            | Node::Element(..)
            | Node::Member(..)
            | Node::Before(..)
            | Node::Between(..) => {
                let atom = Atom::Value(Values::atom(self.program, tree)?);
                Ok(self.atom(atom))
            }
        }
    }

    fn atom(&mut self, atom: Atom) -> Formula {
        let known = self.atoms.iter().position(|a| *a == atom);
        Formula::Atom(known.unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        }))
    }

    /// `at(…)` and `terminated(…)`.
    fn about_threads(
        &self,
        tree: &Tree,
        name: &str,
        argument: &str,
        column: usize,
    ) -> Result<Atom, Wrong> {
        let functions = || self.program.function_ids().filter(|f| self.is_own(*f));
        let function = functions().find(|f| self.program.function(*f).name == argument);
        let names = || functions().map(|f| self.program.function(f).name.as_str());
        match name {
            "at" => {
                let marks = self.marks(argument);
                match (marks.is_empty(), function) {
                    (false, None) => Ok(Atom::Before(marks)),
                    (true, Some(function)) => Ok(Atom::Inside(function)),
                    (false, Some(_)) => {
                        let message = format!("`{argument}` is a label and a function");
                        Err(Wrong::new(column, message))
                    }
                    (true, None) => {
                        let labels = self.labels();
                        let known = names().chain(labels.iter().map(String::as_str));
                        let hint = did_you_mean(argument, known);
                        let message = format!("no label or function `{argument}`{hint}");
                        Err(Wrong::new(column, message))
                    }
                }
            }
            "terminated" => function.map(Atom::Terminated).ok_or_else(|| {
                let hint = did_you_mean(argument, names());
                Wrong::new(column, format!("no function `{argument}`{hint}"))
            }),
            other => {
                let message =
                    format!("`{other}` cannot be called; known are at(…) and terminated(…)");
                Err(Wrong::new(tree.column, message))
            }
        }
    }

    fn is_own(&self, function: raddle_ir::FuncId) -> bool {
        let function = self.program.function(function);
        !function.is_model
            && self.program.entry.is_none_or(|e| !std::ptr::eq(self.program.function(e), function))
    }

    /// What follows the instructions that mark a label, in all functions that have one of that name.
    fn marks(&self, label: &str) -> Vec<InstrRef> {
        let all = marks(self.program);
        let behind = |at: InstrRef| InstrRef { index: at.index + 1, ..at };
        all.filter(|(_, name)| *name == label).map(|(at, _)| behind(at)).collect()
    }

    fn labels(&self) -> Vec<String> {
        marks(self.program).map(|(_, name)| name.to_string()).collect()
    }
}

/// All instructions that mark a label: checks that never fail.
fn marks(program: &Program) -> impl Iterator<Item = (InstrRef, &str)> {
    program.function_ids().flat_map(move |func| {
        let function = program.function(func);
        function.block_ids().flat_map(move |block| {
            let instrs = function.block(block).instrs.iter();
            (0..).zip(instrs).filter_map(move |(index, instr)| match &instr.op {
                Op::Check { property: Property::Linear, message, .. } => {
                    Some((InstrRef { func, block, index }, message.as_str()))
                }
                _ => None,
            })
        })
    })
}
