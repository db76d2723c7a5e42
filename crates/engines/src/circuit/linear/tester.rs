//! A formula as a symbolic Büchi automaton: promises, and when they are kept.
//!
//! Idea: a formula is brought to negation normal form. What it says of the present is a condition on the
//! letter; what it says of the rest is *promised*, one bit for each `X`, `U` and `R` below it. When the next
//! letter is read the promised part must hold there. A `U` that is promised for ever without its second part
//! is excluded by a condition that must hold infinitely often. The automaton has one state for each set of
//! promises; it is never written down.
//! Source: the tableau of Gerth, Peled, Vardi, Wolper (PSTV 1995), with sets of subformulas as bits as in
//! Clarke, Grumberg, Hamaguchi (CAV 1994); only one direction of each promise is needed, as formulas are positive.
//! Invariant: subformulas come before those that contain them.

use raddle_ir::linear::Formula;

/// A part of a formula in negation normal form, by its number.
pub type PartIx = usize;

/// What a part of the formula is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A constant.
    Constant(bool),
    /// An atom, as it is or negated.
    Atom(usize, bool),
    /// Both.
    And(PartIx, PartIx),
    /// One of them.
    Or(PartIx, PartIx),
    /// The part holds at the next letter: a promise.
    Next(PartIx, usize),
    /// The first up to the second, which comes: a promise.
    Until(PartIx, PartIx, usize),
    /// The second up to and including the first, which need not come: a promise.
    Release(PartIx, PartIx, usize),
}

/// The automaton of a formula.
#[derive(Clone, Debug, Default)]
pub struct Tester {
    /// The parts.
    pub parts: Vec<Part>,
    /// By promise: the part that must hold at the next letter.
    pub promised: Vec<PartIx>,
    /// The part that must hold at the first letter.
    pub root: PartIx,
}

impl Tester {
    /// The automaton of the words of which a formula holds, or does not.
    pub fn new(formula: &Formula, positive: bool) -> Tester {
        let mut tester = Tester::default();
        tester.root = tester.part_of(formula, positive);
        tester
    }

    fn part_of(&mut self, formula: &Formula, positive: bool) -> PartIx {
        match formula {
            Formula::True => self.add(Part::Constant(positive)),
            Formula::False => self.add(Part::Constant(!positive)),
            Formula::Atom(a) => self.add(Part::Atom(*a, positive)),
            Formula::Not(a) => self.part_of(a, !positive),
            Formula::And(a, b) | Formula::Or(a, b) => {
                let is_and = matches!(formula, Formula::And(..));
                let (a, b) = (self.part_of(a, positive), self.part_of(b, positive));
                let part = if is_and == positive { Part::And(a, b) } else { Part::Or(a, b) };
                self.add(part)
            }
            Formula::Next(a) => {
                let a = self.part_of(a, positive);
                self.promise(|promise| Part::Next(a, promise))
            }
            Formula::Until(a, b) | Formula::Release(a, b) => {
                let is_until = matches!(formula, Formula::Until(..));
                let (a, b) = (self.part_of(a, positive), self.part_of(b, positive));
                match is_until == positive {
                    true => self.promise(|promise| Part::Until(a, b, promise)),
                    false => self.promise(|promise| Part::Release(a, b, promise)),
                }
            }
        }
    }

    fn add(&mut self, part: Part) -> PartIx {
        if let Some(known) = self.parts.iter().position(|p| *p == part) {
            return known;
        }
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// A part with a promise of its own, unless it is known.
    fn promise(&mut self, make: impl Fn(usize) -> Part) -> PartIx {
        let new = self.promised.len();
        let known = (0..new).find_map(|p| self.parts.iter().position(|q| *q == make(p)));
        if let Some(known) = known {
            return known;
        }
        self.parts.push(make(new));
        let this = self.parts.len() - 1;
        self.promised.push(match self.parts[this] {
            Part::Next(a, _) => a,
            Part::Until(..) | Part::Release(..) => this,
            Part::Constant(_) | Part::Atom(..) | Part::And(..) | Part::Or(..) => {
                unreachable!("only these are promised")
            }
        });
        this
    }

    /// The `U` parts: the promise of each, and its second part.
    pub fn eventualities(&self) -> impl Iterator<Item = (usize, PartIx)> + '_ {
        self.parts.iter().filter_map(|part| match *part {
            Part::Until(_, second, promise) => Some((promise, second)),
            Part::Constant(_)
            | Part::Atom(..)
            | Part::And(..)
            | Part::Or(..)
            | Part::Next(..)
            | Part::Release(..) => None,
        })
    }
}
