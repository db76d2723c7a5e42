//! The value of terms under an assignment of the variables.
//!
//! Idea: values are computed bottom-up with an explicit stack, each shared term once. The cache is
//! a table indexed by term; an entry counts only if its stamp is that of the current assignment, so
//! a new assignment costs nothing.

use crate::node::{Op, TermId, VarId};
use crate::pool::Terms;
use crate::semantics::{Value, apply, mask};

/// The values of `roots` where `value_of` gives the value of each variable (taken modulo 2^width).
pub fn evaluate(
    terms: &Terms,
    roots: &[TermId],
    value_of: &mut dyn FnMut(VarId) -> u128,
) -> Vec<u128> {
    let mut evaluator = Evaluator::new();
    roots.iter().map(|&root| evaluator.value(terms, root, value_of)).collect()
}

/// An evaluator that keeps values between calls, for one assignment at a time.
pub struct Evaluator {
    values: Vec<u128>,
    /// When the value was computed.
    stamps: Vec<u32>,
    now: u32,
    /// Terms whose value is wanted; the arguments of a term come above it.
    stack: Vec<TermId>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// An evaluator that knows no values yet.
    pub fn new() -> Self {
        Evaluator { values: Vec::new(), stamps: Vec::new(), now: 1, stack: Vec::new() }
    }

    /// Forgets all values: the next calls are about another assignment.
    pub fn reset(&mut self) {
        self.now = self.now.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// The value of a term. `value_of` must give the same values in all calls until `reset`.
    pub fn value(
        &mut self,
        terms: &Terms,
        root: TermId,
        value_of: &mut dyn FnMut(VarId) -> u128,
    ) -> u128 {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), 0);
            self.stamps.resize(terms.len(), 0);
        }
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.stamps[t.index()] == self.now {
                self.stack.pop();
                continue;
            }
            let pending = self.stack.len();
            for &arg in terms.args(t) {
                if self.stamps[arg.index()] != self.now {
                    self.stack.push(arg);
                }
            }
            if self.stack.len() == pending {
                self.values[t.index()] = self.compute(terms, t, value_of);
                self.stamps[t.index()] = self.now;
                self.stack.pop();
            }
        }
        self.values[root.index()]
    }

    /// The value of a term whose arguments have values.
    fn compute(&self, terms: &Terms, t: TermId, value_of: &mut dyn FnMut(VarId) -> u128) -> u128 {
        let node = terms.node(t);
        if let Some(k) = terms.as_const(t) {
            return k;
        }
        if node.op() == Op::Var {
            return value_of(VarId(node.args[0].0)) & mask(node.width());
        }
        let mut args = [Value { bits: 0, width: 1 }; 3];
        for (value, &arg) in args.iter_mut().zip(node.args()) {
            *value = Value { bits: self.values[arg.index()], width: terms.width(arg) };
        }
        apply(node.op(), node.width(), node.low(), args)
    }
}
