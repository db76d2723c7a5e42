//! Terms to gates, each shared term once.
//!
//! Idea: the bits of all terms lie in one vector, with one place per term; rearrangements of bits
//! (`Concat`, `Extract`, `Sext`, `Not`) cost no gates. Terms are visited bottom-up with an explicit
//! stack. Two patterns look one level deeper, so that inner terms used only there get no literals
//! at all: a conjunction takes up the conjunctions below it into one gate, and `a + -b` is one
//! subtraction. Conjunctions used more than once keep a gate of their own: guards form long chains
//! that share prefixes, and flattening them would be quadratic.
//! Invariants: `places[t]` is set only after all bits of `t` are in `bits`; lowest bit first.

use std::ops::Not;

use raddle_term::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::adder::Sums;
use crate::divide::{Division, Quotients};
use crate::gates::Gates;
use crate::multiply::Products;
use crate::shift::Shifts;

/// No bits yet.
const NOWHERE: u32 = u32::MAX;

/// The bits of the terms of one pool, as literals of one maker of gates.
pub struct Words<L> {
    bits: Vec<L>,
    /// By term: where its bits start.
    places: Vec<u32>,
    /// By term: how many terms use it, up to 2.
    uses: Vec<u8>,
    /// By variable: start and number of its bits.
    variables: Vec<Option<(u32, u32)>>,
    /// Quotient and remainder come from one circuit.
    divisions: FxHashMap<(TermId, TermId), Division<L>>,
    stack: Vec<TermId>,
}

impl<L> Default for Words<L> {
    /// Nothing translated. All later calls must pass the same gates and the same pool of terms.
    fn default() -> Words<L> {
        Words {
            bits: Vec::new(),
            places: Vec::new(),
            uses: Vec::new(),
            variables: Vec::new(),
            divisions: FxHashMap::default(),
            stack: Vec::new(),
        }
    }
}

impl<L: Copy + Not<Output = L>> Words<L> {
    /// The bits of a term, lowest first.
    pub fn bits(&mut self, terms: &Terms, t: TermId, c: &mut impl Gates<Lit = L>) -> &[L] {
        self.translate(terms, t, c);
        self.known_bits(terms, t)
    }

    /// The literal of a term of width 1.
    pub fn lit(&mut self, terms: &Terms, t: TermId, c: &mut impl Gates<Lit = L>) -> L {
        assert_eq!(terms.width(t), 1, "a single literal has width 1");
        self.bits(terms, t, c)[0]
    }

    /// Gives a variable the bits of a term, so that both are one; false if the variable has bits
    /// already, or the term depends on it.
    pub fn define(
        &mut self,
        terms: &Terms,
        variable: TermId,
        value: TermId,
        c: &mut impl Gates<Lit = L>,
    ) -> bool {
        assert_eq!(terms.width(variable), terms.width(value), "a value fits its variable");
        debug_assert!(terms.as_var(variable).is_some(), "only variables are defined");
        if self.is_translated(variable) {
            return false;
        }
        let bits = self.bits(terms, value, c).to_vec();
        let is_new = !self.is_translated(variable);
        if is_new {
            self.store(terms, variable, &bits);
        }
        is_new
    }

    /// The literal of a term of width 1, if it has one already.
    pub fn known_lit(&self, terms: &Terms, t: TermId) -> Option<L> {
        (terms.width(t) == 1 && self.is_translated(t)).then(|| self.known_bits(terms, t)[0])
    }

    /// The bits of a variable, lowest first; `None` if no translated term depends on it.
    pub fn var_bits(&self, v: VarId) -> Option<&[L]> {
        let (start, width) = (*self.variables.get(v.index())?)?;
        Some(&self.bits[start as usize..(start + width) as usize])
    }

    /// The value of a variable in a model given by the values of its literals; `None` as for
    /// `var_bits`.
    pub fn var_value(&self, v: VarId, mut is_true: impl FnMut(L) -> bool) -> Option<u128> {
        let bits = self.var_bits(v)?;
        Some(bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(is_true(bit))))
    }

    /// Gives the term and all it needs their bits.
    fn translate(&mut self, terms: &Terms, root: TermId, c: &mut impl Gates<Lit = L>) {
        self.take_note_of_new_terms(terms);
        let mut needed = Vec::new();
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.is_translated(t) {
                self.stack.pop();
                continue;
            }
            needed.clear();
            self.inputs(terms, t, &mut needed);
            let pending = self.stack.len();
            let places = &self.places;
            self.stack.extend(needed.iter().filter(|arg| places[arg.index()] == NOWHERE));
            if self.stack.len() == pending {
                let bits = self.build(terms, t, &needed, c);
                self.store(terms, t, &bits);
                self.stack.pop();
            }
        }
    }

    /// Whether the term has bits.
    pub fn is_translated(&self, t: TermId) -> bool {
        self.places.get(t.index()).is_some_and(|&place| place != NOWHERE)
    }

    fn known_bits(&self, terms: &Terms, t: TermId) -> &[L] {
        let start = self.places[t.index()] as usize;
        &self.bits[start..start + terms.width(t) as usize]
    }

    fn store(&mut self, terms: &Terms, t: TermId, bits: &[L]) {
        let start = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits fit into memory");
        debug_assert_eq!(bits.len(), terms.width(t) as usize, "one literal per bit");
        self.bits.extend_from_slice(bits);
        self.places[t.index()] = start;
        if let Some(v) = terms.as_var(t) {
            if self.variables.len() <= v.index() {
                self.variables.resize(v.index() + 1, None);
            }
            self.variables[v.index()] = Some((start, bits.len() as u32));
        }
    }

    /// Extends the tables to terms made since the last call.
    pub fn take_note_of_new_terms(&mut self, terms: &Terms) {
        let known = self.places.len();
        if known == terms.len() {
            return;
        }
        self.places.resize(terms.len(), NOWHERE);
        self.uses.resize(terms.len(), 0);
        for t in terms.ids_from(known) {
            for arg in terms.args(t) {
                let uses = &mut self.uses[arg.index()];
                *uses = uses.saturating_add(1).min(2);
            }
        }
    }

    /// Whether the term is used once and has no bits: it may vanish into its user.
    pub fn is_private(&self, t: TermId) -> bool {
        self.uses[t.index()] <= 1 && !self.is_translated(t)
    }

    /// The terms whose bits are needed to build a term.
    fn inputs(&self, terms: &Terms, t: TermId, needed: &mut Vec<TermId>) {
        let op = terms.op(t);
        if op == Op::And && terms.width(t) == 1 {
            self.conjuncts(terms, t, needed);
        } else if op == Op::Add {
            let args = terms.args(t).iter();
            needed.extend(args.map(|&arg| negated(terms, arg).unwrap_or(arg)));
        } else {
            needed.extend_from_slice(terms.args(t));
        }
    }

    /// The conjuncts of a conjunction, through inner conjunctions that nothing else uses.
    pub fn conjuncts(&self, terms: &Terms, t: TermId, result: &mut Vec<TermId>) {
        let mut todo = terms.args(t).to_vec();
        while let Some(part) = todo.pop() {
            if terms.op(part) == Op::And && self.is_private(part) {
                todo.extend_from_slice(terms.args(part));
            } else {
                result.push(part);
            }
        }
    }

    /// The bits of a term whose inputs have bits.
    fn build(
        &mut self,
        terms: &Terms,
        t: TermId,
        needed: &[TermId],
        c: &mut impl Gates<Lit = L>,
    ) -> Vec<L> {
        if terms.op(t) == Op::Udiv || terms.op(t) == Op::Urem {
            return self.build_division(terms, t, c);
        }
        let width = terms.width(t) as usize;
        let inputs: Vec<Vec<L>> =
            needed.iter().map(|&arg| self.known_bits(terms, arg).to_vec()).collect();
        let pairs = || inputs[0].iter().zip(&inputs[1]);
        match terms.op(t) {
            Op::Const => {
                let value = terms.as_const(t).expect("a Const has a value");
                (0..width).map(|i| c.constant(value >> i & 1 == 1)).collect()
            }
            Op::Var => (0..width).map(|_bit| c.free()).collect(),
            Op::Not => inputs[0].iter().map(|&x| !x).collect(),
            Op::And if width == 1 => {
                let all: Vec<L> = inputs.iter().map(|bits| bits[0]).collect();
                vec![c.and_many(&all)]
            }
            Op::And => pairs().map(|(&x, &y)| c.and(x, y)).collect(),
            Op::Xor => pairs().map(|(&x, &y)| c.xor(x, y)).collect(),
            Op::Ite => c.choose(inputs[0][0], &inputs[1], &inputs[2]),
            Op::Eq => vec![c.equal(&inputs[0], &inputs[1])],
            Op::Ult => vec![c.less(&inputs[0], &inputs[1])],
            Op::Slt => vec![c.less_signed(&inputs[0], &inputs[1])],
            Op::Neg => c.negate(&inputs[0]),
            Op::Add => {
                let [a, b] = [0, 1].map(|i| negated(terms, terms.args(t)[i]).is_some());
                let (x, y) = (&inputs[0], &inputs[1]);
                match (a, b) {
                    (false, false) => c.add(x, y, c.fals()),
                    (false, true) => c.subtract(x, y),
                    (true, false) => c.subtract(y, x),
                    (true, true) => {
                        let minus_x = c.negate(x);
                        c.subtract(&minus_x, y)
                    }
                }
            }
            Op::Mul => c.multiply(&inputs[0], &inputs[1]),
            Op::Udiv | Op::Urem => unreachable!("handled above, where divisions are shared"),
            Op::Shl => c.shift_left(&inputs[0], &inputs[1]),
            Op::Lshr => c.shift_right(&inputs[0], &inputs[1], c.fals()),
            Op::Ashr => c.shift_right(&inputs[0], &inputs[1], inputs[0][width - 1]),
            Op::Concat => [&inputs[1][..], &inputs[0]].concat(),
            Op::Extract => {
                let low = terms.node(t).low() as usize;
                inputs[0][low..low + width].to_vec()
            }
            Op::Sext => {
                let mut bits = inputs[0].clone();
                bits.resize(width, inputs[0][inputs[0].len() - 1]);
                bits
            }
        }
    }

    fn build_division(&mut self, terms: &Terms, t: TermId, c: &mut impl Gates<Lit = L>) -> Vec<L> {
        let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
        if !self.divisions.contains_key(&(a, b)) {
            let (dividend, divisor) =
                (self.known_bits(terms, a).to_vec(), self.known_bits(terms, b).to_vec());
            let division = c.divide(&dividend, &divisor);
            self.divisions.insert((a, b), division);
        }
        let division = &self.divisions[&(a, b)];
        if terms.op(t) == Op::Udiv { division.quotient.clone() } else { division.remainder.clone() }
    }
}

/// `x` for `-x`
fn negated(terms: &Terms, t: TermId) -> Option<TermId> {
    (terms.op(t) == Op::Neg).then(|| terms.args(t)[0])
}
