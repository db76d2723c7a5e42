//! Whether an invariant is one: it holds at first, is kept by every step, and excludes what is bad.
//!
//! Three questions to a solver for each cube; nothing that made the invariant is used.

use raddle_aig::System;
use raddle_sat::Lit;

use crate::unroll::{Begin, Unrolling};
use crate::{Cube, Interrupted, Limits, Question};

/// What is wrong with an invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// An initial state is in this cube.
    Initial(Cube),
    /// A step leads into this cube.
    Step(Cube),
    /// Something bad can happen outside all cubes.
    Bad,
    /// A step sets two latches that exclude each other, or they are set at first.
    Exclusive(u32, u32),
    /// The time was up.
    Open,
}

impl From<Interrupted> for Flaw {
    fn from(_: Interrupted) -> Flaw {
        Flaw::Open
    }
}

/// Checks that no state in one of the cubes is reached, and nothing bad.
pub fn certify(question: Question, cubes: &[Cube], limits: &Limits) -> Result<(), Flaw> {
    let system = question.system;
    if let Some(cube) = cubes.iter().find(|c| may_begin(system, c)) {
        return Err(Flaw::Initial(cube.clone()));
    }
    let mut step = Unrolling::new(question, Begin::Anywhere);
    step.push();
    for cube in cubes {
        let clause: Vec<Lit> = cube_lits(&mut step, cube).into_iter().map(|l| !l).collect();
        step.solver.add_clause(&clause);
    }
    let bad = step.bad(0);
    if step.solve(&[bad], limits)? {
        return Err(Flaw::Bad);
    }
    for group in question.exclusive {
        let first = |l: &u32| system.latches[*l as usize].initial != Some(false);
        let mut set: Vec<u32> = group.iter().copied().filter(first).collect();
        let two = step.two_next(0, group);
        if set.len() < 2 && step.solve(&[two], limits)? {
            let next: Vec<Lit> = group.iter().map(|&l| step.next(0, l as usize)).collect();
            let is_set = |&(_, lit): &(&u32, Lit)| step.solver.value(lit);
            set = group.iter().zip(next).filter(is_set).map(|(l, _)| *l).collect();
        }
        if let [a, b, ..] = set[..] {
            return Err(Flaw::Exclusive(a, b));
        }
    }
    for cube in cubes {
        let next = next_lits(&mut step, cube);
        if step.solve(&next, limits)? {
            return Err(Flaw::Step(cube.clone()));
        }
    }
    Ok(())
}

/// Whether one of the bad edges can hold in a state outside all cubes.
pub fn allows(
    question: Question,
    cubes: &[Cube],
    bad: &[usize],
    limits: &Limits,
) -> Result<bool, Interrupted> {
    let mut step = Unrolling::new(question, Begin::Anywhere);
    step.push();
    for cube in cubes {
        let clause: Vec<Lit> = cube_lits(&mut step, cube).into_iter().map(|l| !l).collect();
        step.solver.add_clause(&clause);
    }
    let bad = step.any_of(0, bad);
    step.solve(&[bad], limits)
}

/// The values of a cube before the step.
pub(crate) fn cube_lits(step: &mut Unrolling, cube: &Cube) -> Vec<Lit> {
    let lit = |bit: &crate::Bit| {
        let lit = step.latch(0, bit.latch as usize);
        if bit.value { lit } else { !lit }
    };
    cube.iter().map(lit).collect()
}

/// The values of a cube after the step.
pub(crate) fn next_lits(step: &mut Unrolling, cube: &Cube) -> Vec<Lit> {
    let lit = |bit: &crate::Bit| {
        let lit = step.next(0, bit.latch as usize);
        if bit.value { lit } else { !lit }
    };
    cube.iter().map(lit).collect()
}

/// Whether some initial state is in a cube.
pub(crate) fn may_begin(system: &System, cube: &[crate::Bit]) -> bool {
    cube.iter().all(|b| system.latches[b.latch as usize].initial.is_none_or(|i| i == b.value))
}
