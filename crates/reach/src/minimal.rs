//! Invariants without anything that can be left out.
//!
//! Idea: for each thing that must not happen, something bad or a step into a cube, the solver says which
//! cubes it used to refute it. What nothing bad leads to, directly or through others, is left out at
//! once. Then cubes are left out one by one: what was refuted with the missing one is asked again, a
//! cube that is entered now goes as well, and if something bad can happen then everything stays, and it
//! is known that this cube cannot be missed. Those that refute something bad come first, then those that
//! refute steps into these: so most questions end at once at a cube that cannot be missed.
//! Source: Houdini (Flanagan, Leino, FME 2001) for the largest part that every step keeps; minimal
//! inductive parts of proofs: Ghassabani, Gacek, Whalen, FSE 2016.
//! Invariant: whatever is left out of the result, the largest part of the rest that every step keeps
//! allows something bad. It was so when a cube was tried, and of fewer cubes fewer are kept.

use raddle_sat::Lit;

use crate::certify::{Flaw, cube_lits, may_begin, next_lits};
use crate::unroll::{Begin, Unrolling};
use crate::{Cube, Interrupted, Limits, Question};

/// A part of the cubes that is an invariant and excludes what is bad, and of which no cube can be left out.
pub fn minimal(question: Question, cubes: &[Cube], limits: &Limits) -> Result<Vec<Cube>, Flaw> {
    if let Some(cube) = cubes.iter().find(|c| may_begin(question.system, c)) {
        return Err(Flaw::Initial(cube.clone()));
    }
    let mut search = Search::new(question, cubes, limits);
    let mut proof = search.needed(cubes)?;
    for cube in search.by_distance(&proof) {
        if proof.used[cube].is_some() {
            match search.without(&proof, cube)? {
                Some(smaller) => proof = smaller,
                None => search.essential.push(cube),
            }
        }
    }
    Ok(proof.kept(cubes.len()).into_iter().map(|c| cubes[c].clone()).collect())
}

/// A part of the cubes that is an invariant and excludes what is bad, found soon: nothing is tried that
/// the first proofs do not need.
pub fn needed(question: Question, cubes: &[Cube], limits: &Limits) -> Result<Vec<Cube>, Flaw> {
    if let Some(cube) = cubes.iter().find(|c| may_begin(question.system, c)) {
        return Err(Flaw::Initial(cube.clone()));
    }
    let proof = Search::new(question, cubes, limits).needed(cubes)?;
    Ok(proof.kept(cubes.len()).into_iter().map(|c| cubes[c].clone()).collect())
}

/// By target: the cubes that refute it; none if the target is a cube that is left out. Targets are the
/// cubes, then what must not happen at all.
#[derive(Clone)]
struct Proof {
    used: Vec<Option<Vec<usize>>>,
}

impl Proof {
    fn kept(&self, cubes: usize) -> Vec<usize> {
        (0..cubes).filter(|&c| self.used[c].is_some()).collect()
    }
}

struct Search<'a> {
    step: Unrolling<'a>,
    limits: &'a Limits,
    cubes: usize,
    /// By cube: the literal that excludes it before the step.
    active: Vec<Lit>,
    /// By target: what must not hold together.
    targets: Vec<Vec<Lit>>,
    /// Targets without which there is no proof: what must not happen, then cubes.
    essential: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(question: Question<'a>, cubes: &[Cube], limits: &'a Limits) -> Search<'a> {
        let mut step = Unrolling::new(question, Begin::Anywhere);
        step.push();
        let mut active = Vec::new();
        for cube in cubes {
            let switch = step.solver.new_var().lit();
            let mut clause: Vec<Lit> = cube_lits(&mut step, cube).into_iter().map(|l| !l).collect();
            clause.push(!switch);
            step.solver.add_clause(&clause);
            active.push(switch);
        }
        let mut targets: Vec<Vec<Lit>> = cubes.iter().map(|c| next_lits(&mut step, c)).collect();
        targets.push(vec![step.bad(0)]);
        for group in question.exclusive {
            targets.push(vec![step.two_next(0, group)]);
        }
        let essential = (cubes.len()..targets.len()).collect();
        Search { step, limits, cubes: cubes.len(), active, targets, essential }
    }

    /// The cubes among these that refute a target; none if they do not.
    fn refute(&mut self, target: usize, with: &[usize]) -> Result<Option<Vec<usize>>, Interrupted> {
        let mut assumptions: Vec<Lit> = with.iter().map(|&c| self.active[c]).collect();
        assumptions.extend(&self.targets[target]);
        if self.step.solve(&assumptions, self.limits)? {
            return Ok(None);
        }
        let used = with.iter().copied().filter(|&c| self.step.solver.failed(self.active[c]));
        Ok(Some(used.collect()))
    }

    /// The part that nothing bad needs more than.
    fn needed(&mut self, cubes: &[Cube]) -> Result<Proof, Flaw> {
        let all: Vec<usize> = (0..self.cubes).collect();
        let mut proof = Proof { used: vec![None; self.targets.len()] };
        let mut open: Vec<usize> = (self.cubes..self.targets.len()).collect();
        while let Some(target) = open.pop() {
            if proof.used[target].is_some() {
                continue;
            }
            let Some(used) = self.refute(target, &all)? else {
                return Err(cubes.get(target).map_or(Flaw::Bad, |c| Flaw::Step(c.clone())));
            };
            open.extend(&used);
            proof.used[target] = Some(used);
        }
        Ok(proof)
    }

    /// All cubes of a proof: those that refute what must not happen, then those that refute steps into
    /// these, and so on.
    fn by_distance(&self, proof: &Proof) -> Vec<usize> {
        let mut order: Vec<usize> = (self.cubes..self.targets.len()).collect();
        let mut seen = vec![false; self.targets.len()];
        let mut next = 0;
        while next < order.len() {
            for &cube in proof.used[order[next]].iter().flatten() {
                if !std::mem::replace(&mut seen[cube], true) {
                    order.push(cube);
                }
            }
            next += 1;
        }
        order.retain(|&t| t < self.cubes);
        order
    }

    /// The proof without a cube, if there is one.
    fn without(&mut self, proof: &Proof, cube: usize) -> Result<Option<Proof>, Interrupted> {
        let mut smaller = proof.clone();
        smaller.used[cube] = None;
        let mut gone = vec![cube];
        // What decides soon is asked first.
        let rest = (0..self.cubes).filter(|t| !self.essential.contains(t));
        let order: Vec<usize> = self.essential.iter().copied().chain(rest).collect();
        while let Some(left_out) = gone.pop() {
            for (place, &target) in order.iter().enumerate() {
                let concerned = |used: &Vec<usize>| used.contains(&left_out);
                if !smaller.used[target].as_ref().is_some_and(concerned) {
                    continue;
                }
                let kept = smaller.kept(self.cubes);
                smaller.used[target] = self.refute(target, &kept)?;
                if smaller.used[target].is_none() {
                    if place < self.essential.len() {
                        return Ok(None);
                    }
                    gone.push(target);
                }
            }
        }
        Ok(Some(smaller))
    }
}
