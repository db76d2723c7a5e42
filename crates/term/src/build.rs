//! The constructors: one per operation, and the derived operations defined by them.
//!
//! Idea: a constructor folds constants, puts commutative arguments in order, tries the rules of its
//! operation and only then stores a node; terms are thus simplified bottom-up and never walked
//! again. Rules call constructors. Two bounds keep that short: the nesting (`MAX_DEPTH`) and the
//! number of calls within one outermost call (`FUEL`; a rule that descends into both branches of a
//! choice could walk a shared term exponentially often). At a bound a node is stored as it is,
//! which is always correct.
//! Elsewhere: rules in `rules/`, overflow predicates in `overflow.rs`.
//! Panics: on widths that do not fit; they are bugs of the caller, not of the user.

use crate::node::{MAX_WIDTH, Node, Op, TermId};
use crate::pool::Terms;
use crate::rules;
use crate::semantics::{Value, apply, mask};

/// Nesting of rules after which terms are stored without simplification.
const MAX_DEPTH: u32 = 48;

/// Constructor calls that may apply rules within one call from outside.
const FUEL: u32 = 256;

/// A rule: the simpler term, if the rule matches.
pub(crate) type Rule1 = fn(&mut Terms, TermId) -> Option<TermId>;
/// A rule for an operation of two arguments.
pub(crate) type Rule2 = fn(&mut Terms, TermId, TermId) -> Option<TermId>;
/// A rule for `Ite`.
pub(crate) type Rule3 = fn(&mut Terms, TermId, TermId, TermId) -> Option<TermId>;

const NONE: TermId = TermId(0);

impl Terms {
    /// Complement of every bit; of a Boolean, negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(Op::Not, a, rules::boolean::NOT)
    }

    /// Bitwise conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::And, self.width(a), a, b, rules::boolean::AND)
    }

    /// Bitwise disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (na, nb) = (self.not(a), self.not(b));
        let neither = self.and(na, nb);
        self.not(neither)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Xor, self.width(a), a, b, rules::boolean::XOR)
    }

    /// `a → b`, bitwise.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let nb = self.not(b);
        let counterexample = self.and(a, nb);
        self.not(counterexample)
    }

    /// `a ↔ b`, bitwise; for Booleans the same as [`Terms::eq`].
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let differ = self.xor(a, b);
        self.not(differ)
    }

    /// Conjunction of Booleans; true if there are none.
    pub fn and_all(&mut self, all: &[TermId]) -> TermId {
        all.iter().fold(self.tru(), |result, &t| self.and(result, t))
    }

    /// Disjunction of Booleans; false if there are none.
    pub fn or_all(&mut self, all: &[TermId]) -> TermId {
        all.iter().fold(self.fals(), |result, &t| self.or(result, t))
    }

    /// `a` if the Boolean `c` holds, else `b`.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(c), 1, "a condition has width 1");
        self.same_width(a, b);
        if let Some(result) =
            self.simplify(|t| rules::first(rules::ite::ITE, |rule| rule(t, c, a, b)))
        {
            return result;
        }
        let width = self.node(a).width;
        self.intern(Node { op: Op::Ite, width, low: 0, args: [c, a, b] })
    }

    /// Whether the vectors are equal, as a Boolean.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Eq, 1, a, b, rules::equality::EQ)
    }

    /// Whether the vectors differ.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Ult, 1, a, b, rules::order::ULT)
    }

    /// Unsigned `a <= b`.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Unsigned `a > b`.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Slt, 1, a, b, rules::order::SLT)
    }

    /// Signed `a <= b`.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Signed `a > b`.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// `-a` modulo 2^width.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.unary(Op::Neg, a, rules::arith::NEG)
    }

    /// `a + b` modulo 2^width.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Add, self.width(a), a, b, rules::arith::ADD)
    }

    /// `a - b` modulo 2^width.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus_b = self.neg(b);
        self.add(a, minus_b)
    }

    /// `a * b` modulo 2^width.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Mul, self.width(a), a, b, rules::arith::MUL)
    }

    /// Unsigned quotient; all ones if `b` is 0.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Udiv, self.width(a), a, b, rules::divide::UDIV)
    }

    /// Unsigned remainder; `a` if `b` is 0.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Urem, self.width(a), a, b, rules::divide::UREM)
    }

    /// Signed quotient, rounded to zero. As in SMT-LIB, division by 0 gives -1 for `a >= 0`, else
    /// 1.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_negative, b_negative) = (self.sign(a), self.sign(b));
        let (a_magnitude, b_magnitude) = (self.magnitude(a), self.magnitude(b));
        let quotient = self.udiv(a_magnitude, b_magnitude);
        let opposite = self.neg(quotient);
        let negative = self.xor(a_negative, b_negative);
        self.ite(negative, opposite, quotient)
    }

    /// Signed remainder with the sign of `a`; `a` if `b` is 0.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let (a_magnitude, b_magnitude) = (self.magnitude(a), self.magnitude(b));
        let remainder = self.urem(a_magnitude, b_magnitude);
        let opposite = self.neg(remainder);
        let negative = self.sign(a);
        self.ite(negative, opposite, remainder)
    }

    /// The highest bit.
    pub fn sign(&mut self, a: TermId) -> TermId {
        let top = self.width(a) - 1;
        self.extract(a, top, top)
    }

    /// The absolute value, as an unsigned vector of the same width.
    fn magnitude(&mut self, a: TermId) -> TermId {
        let negative = self.sign(a);
        let opposite = self.neg(a);
        self.ite(negative, opposite, a)
    }

    /// `a << b`; 0 if `b` is the width or more.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Shl, self.width(a), a, b, rules::shift::SHL)
    }

    /// `a >> b` with zeros moved in; 0 if `b` is the width or more.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Lshr, self.width(a), a, b, rules::shift::LSHR)
    }

    /// `a >> b` with the sign moved in; all signs if `b` is the width or more.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        self.binary(Op::Ashr, self.width(a), a, b, rules::shift::ASHR)
    }

    /// The bits of `hi` above those of `lo`.
    pub fn concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        let width = self.width(hi) + self.width(lo);
        assert!(width <= MAX_WIDTH, "concatenation of {width} bits");
        self.binary(Op::Concat, width, hi, lo, rules::shape::CONCAT)
    }

    /// The bits from `lo_bit` to `hi_bit`, both included.
    pub fn extract(&mut self, a: TermId, hi_bit: u32, lo_bit: u32) -> TermId {
        assert!(lo_bit <= hi_bit && hi_bit < self.width(a), "extract {hi_bit}..{lo_bit}");
        let width = hi_bit - lo_bit + 1;
        if self.rewriting
            && let Some(k) = self.as_const(a)
        {
            return self.constant(k >> lo_bit, width);
        }
        let rules = rules::shape::EXTRACT;
        if let Some(r) = self.simplify(|t| rules::first(rules, |rule| rule(t, a, hi_bit, lo_bit))) {
            return r;
        }
        let args = [a, NONE, NONE];
        self.intern(Node { op: Op::Extract, width: width as u8, low: lo_bit as u8, args })
    }

    /// Zeros above `a`, up to `width`.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        let own = self.width(a);
        assert!(width >= own, "extension from {own} to {width}");
        if width == own {
            return a;
        }
        let zeros = self.constant(0, width - own);
        self.concat(zeros, a)
    }

    /// Copies of the sign above `a`, up to `width`.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        let own = self.width(a);
        assert!((own..=MAX_WIDTH).contains(&width), "extension from {own} to {width}");
        if width == own {
            return a;
        }
        if self.rewriting
            && let Some(folded) = self.fold(Op::Sext, width, [a, NONE, NONE])
        {
            return folded;
        }
        if let Some(r) =
            self.simplify(|t| rules::first(rules::shape::SEXT, |rule| rule(t, a, width)))
        {
            return r;
        }
        self.intern(Node { op: Op::Sext, width: width as u8, low: 0, args: [a, NONE, NONE] })
    }

    /// The term with the operation of `like` and other arguments, through the constructor of the
    /// operation.
    pub(crate) fn rebuild(&mut self, like: TermId, args: [TermId; 3]) -> TermId {
        let node = *self.node(like);
        let [a, b, c] = args;
        match node.op {
            Op::Const | Op::Var => like,
            Op::Not => self.not(a),
            Op::And => self.and(a, b),
            Op::Xor => self.xor(a, b),
            Op::Ite => self.ite(a, b, c),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
            Op::Neg => self.neg(a),
            Op::Add => self.add(a, b),
            Op::Mul => self.mul(a, b),
            Op::Udiv => self.udiv(a, b),
            Op::Urem => self.urem(a, b),
            Op::Shl => self.shl(a, b),
            Op::Lshr => self.lshr(a, b),
            Op::Ashr => self.ashr(a, b),
            Op::Concat => self.concat(a, b),
            Op::Extract => self.extract(a, node.low() + node.width() - 1, node.low()),
            Op::Sext => self.sext(a, node.width()),
        }
    }

    /// All bits set.
    pub(crate) fn ones(&mut self, width: u32) -> TermId {
        self.constant(mask(width), width)
    }

    fn same_width(&self, a: TermId, b: TermId) {
        assert_eq!(self.width(a), self.width(b), "widths of the arguments differ");
    }

    fn unary(&mut self, op: Op, a: TermId, rules: &[Rule1]) -> TermId {
        let width = self.width(a);
        if self.rewriting
            && let Some(folded) = self.fold(op, width, [a, NONE, NONE])
        {
            return folded;
        }
        if let Some(result) = self.simplify(|t| rules::first(rules, |rule| rule(t, a))) {
            return result;
        }
        self.intern(Node { op, width: width as u8, low: 0, args: [a, NONE, NONE] })
    }

    fn binary(&mut self, op: Op, width: u32, a: TermId, b: TermId, rules: &[Rule2]) -> TermId {
        let (a, b) = if op.is_commutative() { self.ordered(a, b) } else { (a, b) };
        if self.rewriting
            && let Some(folded) = self.fold(op, width, [a, b, NONE])
        {
            return folded;
        }
        if let Some(result) = self.simplify(|t| rules::first(rules, |rule| rule(t, a, b))) {
            return result;
        }
        self.intern(Node { op, width: width as u8, low: 0, args: [a, b, NONE] })
    }

    /// Constants second, else the older term first.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let rank = |t: TermId| (self.op(t) == Op::Const, t);
        if rank(a) <= rank(b) { (a, b) } else { (b, a) }
    }

    /// The constant result, if all arguments are constants. Not for `Ite` and `Extract`.
    fn fold(&mut self, op: Op, width: u32, args: [TermId; 3]) -> Option<TermId> {
        let mut values = [Value { bits: 0, width: 1 }; 3];
        for (value, &arg) in values.iter_mut().zip(&args).take(op.arity()) {
            *value = Value { bits: self.as_const(arg)?, width: self.width(arg) };
        }
        Some(self.constant(apply(op, width, 0, values), width))
    }

    /// Runs rules unless rewriting is off or a bound is reached.
    fn simplify(&mut self, rules: impl FnOnce(&mut Terms) -> Option<TermId>) -> Option<TermId> {
        if self.depth == 0 {
            self.fuel = FUEL;
        }
        if !self.rewriting || self.depth >= MAX_DEPTH || self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        self.depth += 1;
        let result = rules(self);
        self.depth -= 1;
        result
    }
}
