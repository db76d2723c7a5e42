//! Which bits of memory can be 0 and which can be 1.
//!
//! Idea: whatever is ever written to the word of a mutex, a flag or a pointer to few objects differs
//! in few bits; the others need no variables when threads tell each other what is there. A cell
//! holds its initial value or what some step writes, and what steps write are terms over cells,
//! registers and inputs: so the bits of all state variables grow together from the initial ones,
//! until nothing grows any more. What holds then holds in every execution.
//! Source: known bits, as in compilers.
//! Invariant: values of the arguments that have such bits give values that have such bits (tested for
//! all operations, all bits and all values of small width).
//! Limits: inputs and sums with carries are anything above their trailing zeros.

use raddle_term::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::layout::{Initial, Layout};
use crate::machine::{Automaton, StateVar, Vars};

/// More rounds than this are not worth it: then nothing is known.
const MOST_ROUNDS: usize = 24;
/// And so are more terms.
const MOST_TERMS: usize = 1 << 20;

/// What the bits of a value can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// Those that can be 1.
    pub ones: u128,
    /// Those that can be 0.
    pub zeros: u128,
}

fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// Any value of a width.
    pub fn any(width: u32) -> Bits {
        Bits { ones: mask(width), zeros: mask(width) }
    }

    /// One value.
    pub fn of(value: u128, width: u32) -> Bits {
        Bits { ones: value, zeros: mask(width) & !value }
    }

    /// One or the other.
    #[must_use]
    pub fn or(self, other: Bits) -> Bits {
        Bits { ones: self.ones | other.ones, zeros: self.zeros | other.zeros }
    }

    /// Whether a value can be one of these.
    pub fn contains(self, value: u128) -> bool {
        value & !self.ones == 0 && (self.ones & !self.zeros) & !value == 0
    }

    /// How many low bits are certainly 0.
    fn trailing(self) -> u32 {
        self.ones.trailing_zeros()
    }

    /// Anything with as many zeros at the end.
    fn above(trailing: u32, width: u32) -> Bits {
        let ones = mask(width) & u128::MAX.checked_shl(trailing).unwrap_or(0);
        Bits { ones, zeros: mask(width) }
    }

    /// Anything that has no bit above the highest of these.
    fn up_to(self, width: u32) -> Bits {
        Bits { ones: mask(u128::BITS - self.ones.leading_zeros()), zeros: mask(width) }
    }

    /// A value of which only the bits that can be both are variables.
    pub fn fresh(self, terms: &mut Terms, width: u32) -> TermId {
        let open = self.ones & self.zeros;
        let mut value: Option<TermId> = None;
        let mut low = 0;
        while low < width {
            let is_open = |bit: u32| open >> bit & 1 == 1;
            let end = (low..width).find(|&b| is_open(b) != is_open(low)).unwrap_or(width);
            let part = match is_open(low) {
                true => terms.fresh(end - low),
                false => terms.constant(self.ones >> low & mask(end - low), end - low),
            };
            value = Some(value.map_or(part, |below| terms.concat(part, below)));
            low = end;
        }
        value.expect("a value has a bit")
    }
}

/// The variables of a value that [`Bits::fresh`] has made; none for other terms.
pub fn open_parts(terms: &Terms, value: TermId) -> Vec<VarId> {
    let (mut parts, mut rest) = (Vec::new(), vec![value]);
    while let Some(t) = rest.pop() {
        if let Some(part) = terms.as_var(t) {
            parts.push(part);
        } else if terms.op(t) == Op::Concat {
            rest.extend_from_slice(terms.args(t));
        } else if terms.as_const(t).is_none() {
            return Vec::new();
        }
    }
    parts
}

/// The bits that each cell can ever have.
pub fn cell_bits(terms: &Terms, vars: &Vars, threads: &[Automaton], layout: &Layout) -> Vec<Bits> {
    let any = || layout.cells.iter().map(|c| Bits::any(c.width)).collect();
    let mut known: FxHashMap<StateVar, Bits> = FxHashMap::default();
    for (c, cell) in layout.cell_ids().zip(&layout.cells) {
        let bits = match cell.initial {
            Initial::Value(value) => Bits::of(value, cell.width),
            Initial::Arbitrary => Bits::any(cell.width),
        };
        known.insert(StateVar::Cell(c), bits);
    }
    let states = threads.iter().flat_map(|t| &t.states);
    let updates = states.flat_map(|s| &s.transitions).flat_map(|t| &t.updates);
    let mut updates: Vec<(StateVar, TermId)> = updates.copied().collect();
    updates.sort_unstable();
    updates.dedup();
    let values: Vec<TermId> = updates.iter().map(|u| u.1).collect();
    let order = terms.reachable(&values);
    if order.len() > MOST_TERMS {
        return any();
    }
    let mut of: FxHashMap<TermId, Bits> = FxHashMap::default();
    for _ in 0..MOST_ROUNDS {
        for &t in &order {
            let bits = transfer(
                terms,
                t,
                |a| of[&a],
                |v| {
                    let var = vars.state_var(v)?;
                    // Counters begin with 0, and registers are written before they are read.
                    Some(known.get(&var).copied().unwrap_or(Bits::of(0, terms.width(t))))
                },
            );
            of.insert(t, bits);
        }
        let mut changed = false;
        for &(var, value) in &updates {
            let new = of[&value];
            let old = *known.entry(var).or_insert(Bits::of(0, terms.width(value)));
            known.insert(var, old.or(new));
            changed |= old.or(new) != old;
        }
        if !changed {
            return layout.cell_ids().map(|c| known[&StateVar::Cell(c)]).collect();
        }
    }
    any()
}

/// The bits of a term, from those of its arguments and of variables; a variable of which nothing is
/// known is anything.
fn transfer(
    terms: &Terms,
    t: TermId,
    of: impl Fn(TermId) -> Bits,
    variable: impl Fn(VarId) -> Option<Bits>,
) -> Bits {
    let width = terms.width(t);
    let args: Vec<Bits> = terms.args(t).iter().map(|&a| of(a)).collect();
    let amount = |i: usize| terms.as_const(terms.args(t)[i]).filter(|k| *k < u128::from(width));
    match terms.op(t) {
        Op::Const => Bits::of(terms.as_const(t).expect("it is a constant"), width),
        Op::Var => {
            let var = terms.as_var(t).expect("it is a variable");
            variable(var).unwrap_or(Bits::any(width))
        }
        Op::Not => Bits { ones: args[0].zeros, zeros: args[0].ones },
        Op::And => Bits { ones: args[0].ones & args[1].ones, zeros: args[0].zeros | args[1].zeros },
        Op::Xor => Bits {
            ones: args[0].ones & args[1].zeros | args[0].zeros & args[1].ones,
            zeros: args[0].ones & args[1].ones | args[0].zeros & args[1].zeros,
        },
        Op::Ite => args[1].or(args[2]),
        Op::Eq | Op::Ult | Op::Slt | Op::Udiv | Op::Ashr => Bits::any(width),
        Op::Neg => Bits::above(args[0].trailing(), width),
        // Without carries a sum is a disjunction.
        Op::Add if args[0].ones & args[1].ones == 0 => {
            Bits { ones: args[0].ones | args[1].ones, zeros: args[0].zeros & args[1].zeros }
        }
        Op::Add => Bits::above(args[0].trailing().min(args[1].trailing()), width),
        Op::Mul => Bits::above(args[0].trailing().saturating_add(args[1].trailing()), width),
        Op::Urem => args[0].up_to(width),
        Op::Shl => match amount(1) {
            Some(k) => Bits {
                ones: args[0].ones << k & mask(width),
                zeros: (args[0].zeros << k | mask(k as u32)) & mask(width),
            },
            None => Bits::above(args[0].trailing(), width),
        },
        Op::Lshr => match amount(1) {
            Some(k) => Bits {
                ones: args[0].ones >> k,
                zeros: args[0].zeros >> k | mask(width) & !(mask(width) >> k),
            },
            None => args[0].up_to(width),
        },
        Op::Concat => {
            let low = width - terms.width(terms.args(t)[0]);
            Bits {
                ones: args[0].ones << low | args[1].ones,
                zeros: args[0].zeros << low | args[1].zeros,
            }
        }
        Op::Extract => {
            let low = terms.node(t).low();
            Bits {
                ones: args[0].ones >> low & mask(width),
                zeros: args[0].zeros >> low & mask(width),
            }
        }
        Op::Sext => {
            let narrow = terms.width(terms.args(t)[0]);
            let (sign, high) = (1 << (narrow - 1), mask(width) & !mask(narrow));
            let extend = |bits: u128| if bits & sign != 0 { bits | high } else { bits };
            Bits { ones: extend(args[0].ones), zeros: extend(args[0].zeros) }
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_term::Evaluator;

    use super::*;

    const WIDTH: u32 = 3;

    /// All bits that some value has.
    fn all() -> impl Iterator<Item = Bits> + Clone {
        let each = (0..1 << WIDTH).flat_map(|ones| (0..1 << WIDTH).map(move |zeros| (ones, zeros)));
        let each = each.map(|(ones, zeros)| Bits { ones, zeros });
        each.filter(|b| b.ones | b.zeros == mask(WIDTH))
    }

    #[test]
    fn operations_give_what_their_bits_say() {
        let mut terms = Terms::new();
        let (a, b) = (terms.fresh(WIDTH), terms.fresh(WIDTH));
        let (flag, two) = (terms.fresh(1), terms.constant(2, WIDTH));
        let results = [
            terms.not(a),
            terms.neg(a),
            terms.and(a, b),
            terms.xor(a, b),
            terms.ite(flag, a, b),
            terms.eq(a, b),
            terms.ult(a, b),
            terms.slt(a, b),
            terms.add(a, b),
            terms.mul(a, b),
            terms.udiv(a, b),
            terms.urem(a, b),
            terms.shl(a, b),
            terms.lshr(a, b),
            terms.ashr(a, b),
            terms.shl(a, two),
            terms.lshr(a, two),
            terms.concat(a, b),
            terms.extract(a, 2, 1),
            terms.sext(a, 5),
        ];
        for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
            for t in results {
                let of = |u: TermId| match u {
                    u if u == a => x,
                    u if u == b => y,
                    u => terms.as_const(u).map_or(Bits::any(1), |k| Bits::of(k, terms.width(u))),
                };
                let bits = transfer(&terms, t, of, |_| None);
                for (i, j, k) in values() {
                    if !x.contains(i) || !y.contains(j) {
                        continue;
                    }
                    let value = Evaluator::new().value(&terms, t, &mut |v| {
                        let var = terms.variable(v);
                        if var == a {
                            i
                        } else if var == b {
                            j
                        } else {
                            k
                        }
                    });
                    let text = terms.display(t, 3);
                    assert!(bits.contains(value), "{text} of {i} and {j}: {value} not in {bits:?}");
                }
            }
        }
    }

    fn values() -> impl Iterator<Item = (u128, u128, u128)> {
        let pairs = (0..1 << WIDTH).flat_map(|i| (0..1 << WIDTH).map(move |j| (i, j)));
        pairs.flat_map(|(i, j)| [(i, j, 0), (i, j, 1)])
    }

    #[test]
    fn only_open_bits_are_variables() {
        let mut terms = Terms::new();
        for bits in all() {
            let before = terms.variable_count();
            let value = bits.fresh(&mut terms, WIDTH);
            assert_eq!(terms.width(value), WIDTH);
            let made: Vec<VarId> = (before..terms.variable_count()).map(VarId::new).collect();
            let open: u32 = made.iter().map(|&v| terms.width(terms.variable(v))).sum();
            let mut parts = open_parts(&terms, value);
            parts.sort_unstable();
            assert_eq!(parts, made, "{bits:?}");
            assert_eq!(open, (bits.ones & bits.zeros).count_ones(), "{bits:?}");
            let one = Evaluator::new().value(&terms, value, &mut |_| u128::MAX);
            assert_eq!(one & mask(WIDTH), bits.ones, "{bits:?}");
        }
    }
}
