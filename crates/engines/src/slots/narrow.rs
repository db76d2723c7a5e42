//! How many bits of a cell there are to write down.
//!
//! Flags, states and the words of mutexes take few bits of the integers that hold them: whatever is
//! ever written there is a small constant, or a choice of such. The bits above the highest one of
//! all values that a cell can hold are 0 at all times; only those below need contents in time.

use raddle_summary::EventKind;
use raddle_term::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

use super::chain::Access;

/// The number of low bits in which a cell with these accesses can differ from 0; at least one.
pub fn bits(terms: &Terms, initial: TermId, accesses: &[Access]) -> u32 {
    let writes = accesses.iter().filter(|a| a.kind == EventKind::Write);
    let all = writes.map(|a| significant(terms, a.value)).chain([significant(terms, initial)]);
    let bits = all.max().unwrap_or(0).max(1);
    assert!(bits <= terms.width(initial), "a cell holds what is written there");
    bits
}

/// All bits of a term from this one on are 0.
fn significant(terms: &Terms, t: TermId) -> u32 {
    let mut seen = FxHashSet::default();
    let mut work = vec![t];
    let mut most = 0;
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let of_constant = |t| terms.as_const(t).map(|value| u128::BITS - value.leading_zeros());
        match (terms.op(t), terms.args(t)) {
            (Op::Ite, &[_, yes, no]) => work.extend([yes, no]),
            (Op::Concat, &[high, low]) => match of_constant(high) {
                Some(0) => work.push(low),
                Some(bits) => most = most.max(terms.width(low) + bits),
                None => return terms.width(t),
            },
            _ => match of_constant(t) {
                Some(bits) => most = most.max(bits),
                None => most = most.max(terms.width(t)),
            },
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_of_small_constants_are_small() {
        let mut terms = Terms::new();
        let [zero, one, five] = [0, 1, 5].map(|v| terms.constant(v, 32));
        let (condition, byte, word) = (terms.fresh(1), terms.fresh(8), terms.fresh(32));
        let choice = terms.ite(condition, one, five);
        let wide = terms.zext(byte, 32);
        let either = terms.ite(condition, choice, wide);
        let cases = [(zero, 0), (one, 1), (choice, 3), (wide, 8), (either, 8), (word, 32)];
        for (t, bits) in cases {
            assert_eq!(significant(&terms, t), bits);
        }
    }
}
