//! Variables and literals.
//!
//! A literal is a non-zero integer as in DIMACS files: `v` or `-v`. `Option<Lit>` is as small as
//! `Lit`. Dense tables are indexed by [`Var::index`] or [`Lit::index`], both counted from zero.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A Boolean variable of one [`crate::Solver`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(NonZeroI32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

impl Var {
    /// The variable with the given dense index (from zero).
    pub fn from_index(index: usize) -> Var {
        let number = i32::try_from(index + 1).expect("fewer than 2^31 variables");
        Var(NonZeroI32::new(number).expect("index + 1 is positive"))
    }

    /// The dense index of the variable, from zero.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The variable as a literal.
    pub fn lit(self) -> Lit {
        Lit(self.0)
    }
}

impl Lit {
    /// The literal that is true when `var` is true.
    pub fn positive(var: Var) -> Lit {
        Lit(var.0)
    }

    /// The literal that is true when `var` is false.
    pub fn negative(var: Var) -> Lit {
        Lit(-var.0)
    }

    /// The variable of the literal.
    pub fn var(self) -> Var {
        Var(self.0.abs())
    }

    /// Whether the literal is its variable, not the negation.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// A dense index from zero: twice the variable's, plus one for a negation.
    pub fn index(self) -> usize {
        2 * self.var().index() + usize::from(!self.is_positive())
    }

    /// The literal as in a DIMACS file.
    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// The literal from its DIMACS number; `None` for 0 and for `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        (number != i32::MIN).then(|| NonZeroI32::new(number).map(Lit)).flatten()
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Lit {
        Lit::positive(var)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_small_and_invertible() {
        assert_eq!(size_of::<Option<Lit>>(), 4);
        for index in [0usize, 1, 41] {
            let var = Var::from_index(index);
            assert_eq!(var.index(), index);
            for lit in [Lit::positive(var), Lit::negative(var)] {
                assert_eq!(!!lit, lit);
                assert_ne!(!lit, lit);
                assert_eq!(lit.var(), var);
                assert_eq!(lit.index() / 2, index);
                assert_eq!(Lit::from_dimacs(lit.to_dimacs()), Some(lit));
                assert_ne!(lit.index(), (!lit).index());
            }
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }
}
