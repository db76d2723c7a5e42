//! Terms as text: SMT-LIB 2 scripts for other solvers, and short forms for people.
//!
//! A script defines each inner term once by `define-fun`, arguments before uses, so its size is
//! that of the shared graph and no reader recurses. Booleans are vectors of width 1 there as well.

use std::fmt::{self, Write};

use rustc_hash::FxHashSet;

use crate::node::{Op, TermId, VarId};
use crate::pool::Terms;

impl Terms {
    /// Writes a script that asserts the Booleans `asserted` and asks for satisfiability.
    /// Variable number n is `vn`, the term with id n is `tn`.
    pub fn write_smtlib(&self, out: &mut dyn Write, asserted: &[TermId]) -> fmt::Result {
        writeln!(out, "(set-logic QF_BV)")?;
        for t in self.reachable(asserted) {
            if let Some(command) = self.smtlib_command(t) {
                writeln!(out, "{command}")?;
            }
        }
        for &t in asserted {
            writeln!(out, "(assert (= {} #b1))", self.smtlib_name(t))?;
        }
        writeln!(out, "(check-sat)")
    }

    /// The command that introduces a term whose arguments are known; none for constants.
    pub fn smtlib_command(&self, t: TermId) -> Option<String> {
        let (name, width) = (self.smtlib_name(t), self.width(t));
        if self.as_const(t).is_some() {
            return None;
        }
        Some(match self.as_var(t) {
            Some(_) => format!("(declare-const {name} (_ BitVec {width}))"),
            None => {
                let body = self.smtlib_application(t);
                format!("(define-fun {name} () (_ BitVec {width}) {body})")
            }
        })
    }

    /// All terms below the roots, arguments before uses.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; self.len()];
        let mut stack = roots.to_vec();
        let mut result = Vec::new();
        while let Some(t) = stack.pop() {
            if !std::mem::replace(&mut seen[t.index()], true) {
                result.push(t);
                stack.extend_from_slice(self.args(t));
            }
        }
        result.sort_unstable();
        result
    }

    /// All variables below the roots, each once; takes as long as there are terms below them.
    pub fn variables(&self, roots: &[TermId]) -> Vec<VarId> {
        let mut seen = FxHashSet::default();
        let mut stack = roots.to_vec();
        let mut result = Vec::new();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                result.extend(self.as_var(t));
                stack.extend_from_slice(self.args(t));
            }
        }
        result
    }

    /// The term in prefix form, cut at `levels` nested operations: `(and v0 (eq v1 5:8))`.
    pub fn display(&self, t: TermId, levels: u32) -> String {
        if let Some(k) = self.as_const(t) {
            return format!("{k}:{}", self.width(t));
        }
        if self.op(t) == Op::Var || levels == 0 {
            return self.smtlib_name(t);
        }
        let node = self.node(t);
        let mut text = format!("({:?}", node.op()).to_lowercase();
        if node.op() == Op::Extract {
            let _infallible = write!(text, " {}:{}", node.low() + node.width() - 1, node.low());
        }
        for &arg in node.args() {
            text.push(' ');
            text.push_str(&self.display(arg, levels - 1));
        }
        text.push(')');
        text
    }

    /// The name of a term in scripts: `v` or `t` with its number; constants in binary.
    pub fn smtlib_name(&self, t: TermId) -> String {
        match (self.as_const(t), self.as_var(t)) {
            (Some(k), _not_var) => format!("#b{k:0width$b}", width = self.width(t) as usize),
            (None, Some(v)) => format!("v{}", v.index()),
            (None, None) => format!("t{}", t.index()),
        }
    }

    fn smtlib_application(&self, t: TermId) -> String {
        let node = self.node(t);
        let args: Vec<String> = node.args().iter().map(|&arg| self.smtlib_name(arg)).collect();
        let args = args.join(" ");
        let plain = |operator: &str| format!("({operator} {args})");
        let predicate = |operator: &str| format!("(ite ({operator} {args}) #b1 #b0)");
        match node.op() {
            Op::Const | Op::Var => self.smtlib_name(t),
            Op::Not => plain("bvnot"),
            Op::And => plain("bvand"),
            Op::Xor => plain("bvxor"),
            Op::Ite => {
                let [c, a, b] = node.args.map(|arg| self.smtlib_name(arg));
                format!("(ite (= {c} #b1) {a} {b})")
            }
            Op::Eq => predicate("="),
            Op::Ult => predicate("bvult"),
            Op::Slt => predicate("bvslt"),
            Op::Neg => plain("bvneg"),
            Op::Add => plain("bvadd"),
            Op::Mul => plain("bvmul"),
            Op::Udiv => plain("bvudiv"),
            Op::Urem => plain("bvurem"),
            Op::Shl => plain("bvshl"),
            Op::Lshr => plain("bvlshr"),
            Op::Ashr => plain("bvashr"),
            Op::Concat => plain("concat"),
            Op::Extract => {
                plain(&format!("(_ extract {} {})", node.low() + node.width() - 1, node.low()))
            }
            Op::Sext => {
                let own = self.width(node.args()[0]);
                plain(&format!("(_ sign_extend {})", node.width() - own))
            }
        }
    }
}
