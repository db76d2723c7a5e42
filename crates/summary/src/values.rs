//! The few values that threads leave in a place.
//!
//! Idea: what a critical section finds at its beginning is what an earlier section, of any thread,
//! left there. Often that is one of a few constants (a flag, the head of a list, where a queue
//! ends), however many values the place has in between. They are learned from pass to pass like
//! everything else. A counter would take a pass for each value, so after a few passes to one bound in
//! which the set grew it is given up: the place may hold anything. Each larger bound may add values.

use raddle_term::{Op, TermId, Terms};

/// More values than this are as good as any.
const MOST: usize = 8;

/// In more passes to one bound than this a set does not grow.
const MOST_GROWTH: u32 = 3;

/// Of a larger term the values are not looked for.
const MOST_TERMS: usize = 64;

/// What a place may hold when nobody is in a critical section of it. `any` never becomes false.
#[derive(Clone, Default, Debug)]
pub(crate) struct Values {
    few: Vec<u128>,
    any: bool,
    /// In how many passes to the last bound it has grown.
    grown: u32,
    last: Pass,
}

/// One of the passes to a bound.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Pass {
    /// Its number among all.
    pub number: u32,
    /// That of the first one to its bound.
    pub first: u32,
}

impl Values {
    /// Adds values (`None`: any) in a pass; whether something was learned.
    pub fn add(&mut self, values: &[Option<u128>], pass: Pass) -> bool {
        let mut learned = false;
        for value in values {
            if self.any {
                break;
            }
            match value {
                None => self.any = true,
                Some(value) => match self.few.binary_search(value) {
                    Ok(_) => continue,
                    Err(at) => self.few.insert(at, *value),
                },
            }
            learned = true;
        }
        if learned && self.last != pass {
            if self.last.first != pass.first {
                self.grown = 0;
            }
            self.last = pass;
            self.grown += 1;
        }
        self.any |= self.few.len() > MOST || self.grown > MOST_GROWTH;
        learned
    }

    /// The values, if they are few.
    pub fn few(&self) -> Option<&[u128]> {
        (!self.any).then_some(&self.few)
    }
}

/// The constants that a term may be; one of them is `None` if it may be something else.
pub(crate) fn of(terms: &Terms, term: TermId) -> Vec<Option<u128>> {
    let (mut work, mut seen, mut found) = (vec![term], Vec::new(), Vec::new());
    while let Some(t) = work.pop() {
        if seen.contains(&t) {
            continue;
        }
        seen.push(t);
        match (terms.as_const(t), terms.op(t) == Op::Ite) {
            (Some(value), _) => found.push(Some(value)),
            (None, true) if seen.len() < MOST_TERMS => work.extend_from_slice(&terms.args(t)[1..]),
            (None, true | false) => return vec![None],
        }
    }
    debug_assert!(!found.is_empty(), "a term has a value");
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_constants_has_their_values() {
        let mut terms = Terms::default();
        let [one, two] = [1, 2].map(|k| terms.constant(k, 8));
        let (condition, x) = (terms.fresh(1), terms.fresh(8));
        let choice = terms.ite(condition, one, two);
        let mut values = of(&terms, choice);
        values.sort_unstable();
        assert_eq!(values, [Some(1), Some(2)]);
        let other = terms.ite(condition, one, x);
        assert_eq!(of(&terms, other), [None]);
    }

    #[test]
    fn what_grows_in_every_pass_is_given_up() {
        let mut values = Values::default();
        let pass = |number| Pass { number, first: 1 };
        for number in 1..=MOST_GROWTH {
            assert!(values.add(&[Some(u128::from(number))], pass(number)));
            assert!(!values.add(&[Some(u128::from(number))], pass(number)), "known already");
            assert_eq!(values.few().map(<[u128]>::len), Some(number as usize));
        }
        let mut larger = values.clone();
        assert!(values.add(&[Some(100)], pass(100)));
        assert_eq!(values.few(), None);
        assert!(!values.add(&[Some(200), None], pass(200)), "any is all");
        assert!(larger.add(&[Some(100)], Pass { number: 100, first: 100 }));
        assert_eq!(
            larger.few().map(<[u128]>::len),
            Some(MOST_GROWTH as usize + 1),
            "another bound"
        );
    }

    #[test]
    fn what_may_be_anything_is_not_few() {
        let mut values = Values::default();
        assert!(values.add(&[Some(1), None], Pass::default()));
        assert_eq!(values.few(), None);
    }
}
