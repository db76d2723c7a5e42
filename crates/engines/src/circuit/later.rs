//! What threads may touch from where they stand on, and where they run in circles.
//!
//! `touch-now-later` of a state is what the states touch that control can reach from there; guards
//! are ignored. With *acquisition patterns* it also says what must be passed on the way: for each
//! touch the least sets of gates (`gates.rs`) that lie on paths to it. While one gate of each set is
//! shut, the touch does not happen.
//! A step that passes a gate touches behind it what it touches; but what can go wrong in the step is
//! judged before.
//! *Sticky* states: on each cycle of control there is one. Those are chosen that conflict with most
//! threads anyway, one cycle after the other.
//! Source: paper 003 §4.2; Kurshan et al., TACAS 1998, for sticky transitions.
//! Limits: at most [`MOST_PATTERNS`] sets for each touch; if there are more, what they have in common
//! stands for all.

use std::collections::BTreeMap;

use raddle_automaton::StateIx;

use super::touches::{Shared, Step};

/// Most patterns that are told apart.
const MOST_PATTERNS: usize = 6;

/// A set of gates: a bit for each.
pub type Gates = u64;

/// How a variable is touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// Its value matters.
    Reads,
    /// It may change.
    Writes,
}

/// By variable and how it is touched: the least sets of gates that are passed on the way.
pub type Later = BTreeMap<(Shared, How), Vec<Gates>>;

/// For each state of a thread what it touches from there on; `passed` are the gates that the step of
/// each state passes.
pub fn later(steps: &[Step], passed: &[Gates]) -> Vec<Later> {
    let mut all: Vec<Later> = steps.iter().zip(passed).map(|(s, &gates)| now(s, gates)).collect();
    loop {
        let mut changed = false;
        for s in (0..steps.len()).rev() {
            for target in &steps[s].targets {
                let beyond = all[target.index()].clone();
                for (key, patterns) in beyond {
                    for pattern in patterns {
                        changed |= add(&mut all[s], key, pattern | passed[s]);
                    }
                }
            }
        }
        if !changed {
            return all;
        }
    }
}

fn now(step: &Step, gates: Gates) -> Later {
    let mut all = Later::new();
    for (how, touches) in [(How::Reads, &step.reads), (How::Writes, &step.writes)] {
        for (&variable, touch) in touches {
            add(&mut all, (variable, how), if touch.in_goals { 0 } else { gates });
        }
    }
    all
}

/// Adds a pattern; false if it says nothing new.
fn add(all: &mut Later, key: (Shared, How), pattern: Gates) -> bool {
    let patterns = all.entry(key).or_default();
    if patterns.iter().any(|&known| known & !pattern == 0) {
        return false;
    }
    patterns.retain(|&known| pattern & !known != 0);
    patterns.push(pattern);
    if patterns.len() > MOST_PATTERNS {
        let common = patterns.iter().fold(Gates::MAX, |a, b| a & b);
        *patterns = vec![common];
    }
    patterns.sort_unstable();
    true
}

/// States of which each cycle has one; `weight` says how little it matters that a state is one.
pub fn sticky(steps: &[Step], weight: impl Fn(StateIx) -> usize) -> Vec<bool> {
    let mut marked = vec![false; steps.len()];
    while let Some(cycle) = cycle(steps, &marked) {
        let heaviest = cycle.iter().copied().rev().max_by_key(|&s| weight(s));
        marked[heaviest.expect("a cycle has states").index()] = true;
    }
    marked
}

/// A cycle without marked states.
fn cycle(steps: &[Step], marked: &[bool]) -> Option<Vec<StateIx>> {
    let mut done = marked.to_vec();
    for first in 0..steps.len() {
        // States on the way, each with the number of its next target.
        let mut way: Vec<(StateIx, usize)> = Vec::new();
        if !done[first] {
            way.push((StateIx(first as u32), 0));
        }
        while let Some((state, next)) = way.last_mut() {
            let Some(&target) = steps[state.index()].targets.get(*next) else {
                done[state.index()] = true;
                way.pop();
                continue;
            };
            *next += 1;
            if done[target.index()] {
                continue;
            }
            match way.iter().position(|(s, _)| *s == target) {
                Some(begin) => return Some(way[begin..].iter().map(|(s, _)| *s).collect()),
                None => way.push((target, 0)),
            }
        }
    }
    None
}
