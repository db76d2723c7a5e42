//! Where terms point.
//!
//! Idea: the places that a value may denote come from its term: the constants in it, and, for
//! variables that stand for what was read from shared memory, what is known to be stored there
//! ([`crate::knowledge`]). C keeps pointer arithmetic inside an object, so adding a known number
//! moves the offset and adding an unknown one loses it. What a term points to is computed once.
//! What is known besides, because arithmetic moves constants around until the address of an object
//! cannot be told from a number added to it, is noted where the pointer is made.
//! Invariants: (1) a set of targets is sorted, has no target twice, and no offsets of an object
//! that it also names as a whole; (2) no walk recurses on the depth of terms, but for
//! [`Pointers::alignment`], which stops after a few levels.
//! Limits: a pointer that is shifted, multiplied or divided on the way is lost; an access through
//! it is cut off.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_term::{Op, TermId, Terms, to_signed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::knowledge::{Knowledge, ObjectIx, Target};

/// How many levels of a term are looked at for its alignment.
const LEVELS: u32 = 12;

/// What is known about the places that terms denote.
pub(crate) struct Pointers {
    pointer_bits: u32,
    /// Where variables read from shared memory may point.
    variables: FxHashMap<TermId, Rc<[Target]>>,
    /// Memo of [`Pointers::of`], and what was noted.
    known: FxHashMap<TermId, Rc<[Target]>>,
}

impl Pointers {
    /// Nothing is known yet.
    pub fn new(pointer_bits: u32) -> Pointers {
        Pointers { pointer_bits, variables: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// A variable stands for a value read from shared memory, whose writers stored these pointers.
    pub fn set_variable(&mut self, terms: &Terms, variable: TermId, targets: Rc<[Target]>) {
        debug_assert_eq!(terms.op(variable), Op::Var, "what is read is a variable");
        debug_assert!(!self.known.contains_key(&variable), "said before anybody asked");
        let before = self.variables.insert(variable, targets);
        debug_assert!(before.is_none(), "a variable stands for one read");
    }

    /// Where a value may point.
    pub fn of(&mut self, terms: &Terms, knowledge: &Knowledge, value: TermId) -> Rc<[Target]> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let mut work = vec![value];
        while let Some(&t) = work.last() {
            if self.known.contains_key(&t) {
                work.pop();
                continue;
            }
            let pending = work.len();
            work.extend(pointing(terms, t).iter().filter(|arg| !self.known.contains_key(arg)));
            if work.len() == pending {
                let targets = self.combine(terms, knowledge, t);
                self.known.insert(t, targets);
                work.pop();
            }
        }
        self.known[&value].clone()
    }

    /// The targets of a term from those of its arguments.
    fn combine(&self, terms: &Terms, knowledge: &Knowledge, t: TermId) -> Rc<[Target]> {
        let mut set: BTreeSet<Target> = BTreeSet::new();
        let args = pointing(terms, t);
        match terms.op(t) {
            Op::Const => {
                let k = terms.as_const(t).expect("a constant has a value");
                if k != 0 && k <= u128::from(u64::MAX) {
                    set.extend(knowledge.find(k as u64).map(|(o, offset)| (o, Some(offset))));
                }
            }
            Op::Var => set.extend(self.variables.get(&t).into_iter().flat_map(|v| v.iter())),
            Op::Add => {
                let constant = args.iter().find_map(|&a| terms.as_const(a));
                for arg in args {
                    // A known number moves the pointer, an unknown one loses the offset.
                    let distance = constant.filter(|_| terms.as_const(*arg).is_none());
                    let distance = distance.map(|k| to_signed(k, self.pointer_bits) as i64);
                    set.extend(self.known[arg].iter().map(|&target| moved(target, distance)));
                }
            }
            Op::Ite => args.iter().for_each(|arg| set.extend(self.known[arg].iter())),
            Op::And | Op::Xor | Op::Not | Op::Concat | Op::Extract => {
                for arg in args {
                    set.extend(self.known[arg].iter().map(|&(o, _)| (o, None)));
                }
            }
            Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Neg
            | Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::Sext => {}
        }
        without_details(set)
    }

    /// Notes where a value may point, whatever its term looks like.
    pub fn note(&mut self, terms: &Terms, value: TermId, targets: &[Target]) {
        if targets.is_empty() || terms.as_const(value).is_some() {
            return;
        }
        let known = self.known.get(&value);
        if known.is_some_and(|k| targets.iter().all(|t| k.contains(t))) {
            return;
        }
        let mut all: BTreeSet<Target> = targets.iter().copied().collect();
        all.extend(known.iter().flat_map(|k| k.iter()));
        self.known.insert(value, without_details(all));
    }

    /// A pointer plus an offset.
    pub fn add(
        &mut self,
        terms: &mut Terms,
        knowledge: &Knowledge,
        base: TermId,
        offset: TermId,
    ) -> TermId {
        let result = terms.add(base, offset);
        let distance = terms.as_const(offset).map(|k| to_signed(k, self.pointer_bits) as i64);
        let of_base = self.of(terms, knowledge, base);
        let all: Vec<Target> = of_base.iter().map(|&target| moved(target, distance)).collect();
        self.note(terms, result, &all);
        result
    }

    /// `condition ? a : b` for values that may be pointers.
    pub fn choose(
        &mut self,
        terms: &mut Terms,
        knowledge: &Knowledge,
        condition: TermId,
        [a, b]: [TermId; 2],
    ) -> TermId {
        let result = terms.ite(condition, a, b);
        if terms.width(result) == self.pointer_bits {
            let of_both = [self.of(terms, knowledge, a), self.of(terms, knowledge, b)];
            for targets in of_both {
                self.note(terms, result, &targets);
            }
        }
        result
    }

    /// Whether all that a value is made of is known: constants, and values from shared memory whose
    /// writers are known. If such a value points nowhere, it is no pointer (null, for instance).
    pub fn is_traced(&self, terms: &Terms, value: TermId) -> bool {
        let mut work = vec![value];
        let mut seen = FxHashSet::default();
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            match terms.op(t) {
                Op::Const => {}
                Op::Var if self.variables.contains_key(&t) => {}
                Op::Ite => work.extend_from_slice(&terms.args(t)[1..]),
                Op::Add | Op::Neg => work.extend_from_slice(terms.args(t)),
                Op::Var
                | Op::Not
                | Op::And
                | Op::Xor
                | Op::Eq
                | Op::Ult
                | Op::Slt
                | Op::Mul
                | Op::Udiv
                | Op::Urem
                | Op::Shl
                | Op::Lshr
                | Op::Ashr
                | Op::Concat
                | Op::Extract
                | Op::Sext => return false,
            }
        }
        true
    }

    /// How many low bits of an address are certainly zero (objects start at multiples of 16).
    pub fn alignment(&self, terms: &Terms, address: TermId) -> u32 {
        self.zeros(terms, address, LEVELS)
    }

    fn zeros(&self, terms: &Terms, t: TermId, levels: u32) -> u32 {
        if let Some(k) = terms.as_const(t) {
            return k.trailing_zeros().min(terms.width(t));
        }
        if levels == 0 {
            return 0;
        }
        let args = terms.args(t);
        let of = |a: TermId| self.zeros(terms, a, levels - 1);
        match terms.op(t) {
            Op::Add => of(args[0]).min(of(args[1])),
            Op::Mul => (of(args[0]) + of(args[1])).min(terms.width(t)),
            Op::And => of(args[0]).max(of(args[1])),
            Op::Xor => of(args[0]).min(of(args[1])),
            Op::Ite => of(args[1]).min(of(args[2])),
            Op::Neg | Op::Sext => of(args[0]),
            Op::Shl => match terms.as_const(args[1]) {
                Some(k) => (of(args[0]) + k as u32).min(terms.width(t)),
                None => of(args[0]),
            },
            Op::Concat => {
                let low = of(args[1]);
                if low == terms.width(args[1]) { low + of(args[0]) } else { low }
            }
            Op::Extract => of(args[0]).saturating_sub(terms.node(t).low()).min(terms.width(t)),
            Op::Var => match self.variables.get(&t) {
                Some(targets) if !targets.is_empty() => targets
                    .iter()
                    .map(|t| t.1.map_or(0, |offset| offset.trailing_zeros().min(4)))
                    .min()
                    .unwrap_or(0),
                Some(_) | None => 0,
            },
            Op::Const
            | Op::Not
            | Op::Eq
            | Op::Ult
            | Op::Slt
            | Op::Udiv
            | Op::Urem
            | Op::Lshr
            | Op::Ashr => 0,
        }
    }
}

/// The arguments from which a term has its targets.
fn pointing(terms: &Terms, t: TermId) -> &[TermId] {
    match terms.op(t) {
        Op::Ite => &terms.args(t)[1..],
        Op::Add | Op::And | Op::Xor | Op::Not | Op::Concat | Op::Extract => terms.args(t),
        Op::Const
        | Op::Var
        | Op::Eq
        | Op::Ult
        | Op::Slt
        | Op::Neg
        | Op::Mul
        | Op::Udiv
        | Op::Urem
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Sext => &[],
    }
}

/// A target moved by a distance; an unknown one loses the offset.
fn moved((o, offset): Target, distance: Option<i64>) -> Target {
    (o, offset.zip(distance).and_then(|(at, d)| at.checked_add_signed(d)))
}

/// Drops offsets in objects that may be pointed to anywhere.
fn without_details(mut set: BTreeSet<Target>) -> Rc<[Target]> {
    let whole: Vec<ObjectIx> = set.iter().filter(|t| t.1.is_none()).map(|t| t.0).collect();
    debug_assert!(whole.is_sorted(), "a set is sorted");
    set.retain(|t| t.1.is_none() || whole.binary_search(&t.0).is_err());
    set.into_iter().collect()
}
