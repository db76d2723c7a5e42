//! Whether a broken rule of the paper's tables 1 to 3 is seen (`recheck.rs`).
//!
//! A model of figure 1 is an execution. Then it is changed, one bit or one pass at a time: what is no
//! longer an execution has to be refused, and over all changes each equation is the reason at least once.

use std::collections::BTreeSet;

use raddle_analysis::Facts;
use raddle_interp::Wanted;
use raddle_ir::{Program, Property};
use raddle_term::{TermId, VarId};
use rustc_hash::FxHashMap;

use super::goals::{Goal, key};
use super::recheck::{check, check_goal, check_lock};
use super::search::{Search, prepared};
use super::tests::{figure_1, manner};
use super::token::{At, Pair};
use super::unroll::Need;
use super::witness::{Model, thread_id};
use crate::bounded::formula::{Answer, Formula};
use crate::options::Given;
use crate::{Budget, Settings, Task};

type Values = FxHashMap<VarId, u128>;

/// Bits that are changed of each variable.
const BITS: u32 = 3;

/// Each goal of figure 1 that has a model, with the values of its variables and its passes.
fn with_models(mut look: impl FnMut(&Program, &mut Search, &Goal, &Values, &[Pair])) {
    let program = figure_1();
    let settings = Settings::new(&Given::default());
    let task = Task { program: &program, settings: &settings };
    let (manner, budget) = (manner(true, false), Budget::default());
    let then = |mut search: Search| {
        search.begin();
        assert!(search.unroll(20), "there is no limit of time");
        let depth = search.formula.new_lit();
        search.token.close(&search.ground, &mut search.formula, &search.runs, depth);
        let mut models = 0;
        for goal in search.goals.goals.clone() {
            if search.ask(depth, &[goal.cond]) != Some(Answer::Satisfiable) {
                continue;
            }
            models += 1;
            let values = search.formula.variables(search.ground.terms.variable_count());
            let happens = |p: &&Pair| search.formula.value(p.lit);
            let passes: Vec<Pair> = search.token.pairs.iter().filter(happens).copied().collect();
            look(&program, &mut search, &goal, &values, &passes);
        }
        assert!(models > 0, "figure 1 has a race");
    };
    let result = prepared(&task, &Facts::new(&program), &manner, &budget, then);
    result.unwrap_or_else(|_| panic!("the figure is small enough"));
}

fn result(
    program: &Program,
    search: &Search,
    values: &Values,
    passes: &[Pair],
) -> Result<(), String> {
    let mut model = Model::new(&search.ground, &search.runs, values.clone());
    check(&mut model, program, &search.runs, passes)
}

/// The values with one bit of a variable changed.
fn changed(values: &Values, var: VarId, bit: u32) -> Values {
    let mut values = values.clone();
    *values.entry(var).or_default() ^= 1 << bit;
    values
}

/// The equations that a message begins with.
fn equations(message: &str) -> Vec<u32> {
    let numbers = message.strip_prefix('(').and_then(|rest| rest.split(')').next());
    let one = |number: &str| number.parse().expect("a number of an equation");
    numbers.map_or_else(Vec::new, |numbers| numbers.split(", ").map(one).collect())
}

#[test]
fn each_equation_is_a_reason() {
    let seen = std::cell::RefCell::new(BTreeSet::new());
    with_models(|program, search, _, values, passes| {
        let note = |values: &Values, passes: &[Pair]| {
            if let Err(message) = result(program, search, values, passes) {
                seen.borrow_mut().extend(equations(&message));
            }
        };
        assert_eq!(result(program, search, values, passes), Ok(()));
        for v in 0..search.ground.terms.variable_count() {
            for bit in 0..BITS {
                note(&changed(values, VarId::new(v), bit), passes);
            }
        }
        for i in 0..passes.len() {
            let mut fewer = passes.to_vec();
            fewer.remove(i);
            note(values, &fewer);
            let mut more = passes.to_vec();
            more.extend(search.token.pairs.iter().find(|p| p.from == passes[i].from));
            note(values, &more);
        }
        note_locks(program, search, values, &mut seen.borrow_mut());
        assert_eq!(result(program, search, values, passes), Ok(()), "all is as it was");
    });
    let seen = seen.into_inner();
    // 7, 14 and 16 are about goals; see below.
    for equation in [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15] {
        assert!(seen.contains(&equation), "nothing breaks equation {equation}: {seen:?}");
    }
}

/// Changes what steps find and leave, and asks for locks alone: no model is such, since a lock's step is
/// not made then.
fn note_locks(program: &Program, search: &mut Search, values: &Values, seen: &mut BTreeSet<u32>) {
    let slots = search.runs.iter().enumerate().map(|(r, run)| (r, run.slots.len()));
    let all: Vec<At> = slots.flat_map(|(r, n)| (0..n).map(move |s| (r, s))).collect();
    for (r, s) in all {
        for i in 0..search.runs[r].slots[s].before.len() {
            let slot = &mut search.runs[r].slots[s];
            let width = search.ground.terms.width(slot.before[i]);
            let [zero, large] =
                [0, u128::MAX >> (128 - width)].map(|v| search.ground.terms.constant(v, width));
            let right = (slot.before[i], slot.after[i]);
            for wrong in [(right.0, zero), (right.0, large), (large, right.1)] {
                let slot = &mut search.runs[r].slots[s];
                (slot.before[i], slot.after[i]) = wrong;
                let mut model = Model::new(&search.ground, &search.runs, values.clone());
                let done = model.holds(search.runs[r].slots[s].done);
                if done && let Err(e) = check_lock(&mut model, program, &search.runs[r], s) {
                    seen.extend(equations(&e));
                }
            }
            let slot = &mut search.runs[r].slots[s];
            (slot.before[i], slot.after[i]) = right;
        }
    }
}

/// Whatever a step that is made has, and that is a variable of its own, matters.
#[test]
fn what_a_step_has_cannot_be_changed() {
    with_models(|program, search, _, values, passes| {
        let mut model = Model::new(&search.ground, &search.runs, values.clone());
        let mut tried = 0;
        for run in &search.runs {
            for slot in run.slots.iter().filter(|s| s.need == Need::Token) {
                if !model.holds(slot.done) {
                    continue;
                }
                let mut own: Vec<TermId> = vec![slot.token, slot.go, slot.keeps];
                // What nobody looks at any more may be anything.
                let last = passes.iter().all(|p| p.from != at(search, slot));
                if last && !model.holds(slot.keeps) {
                    own.pop();
                }
                own.extend(&slot.before);
                for var in own.into_iter().filter_map(|t| search.ground.terms.as_var(t)) {
                    let wrong = changed(values, var, 0);
                    assert!(result(program, search, &wrong, passes).is_err(), "{var:?}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 20, "there are steps");
    });
}

fn at(search: &Search, slot: &super::unroll::Slot) -> At {
    let is = |(r, run): (usize, &super::unroll::Run)| {
        run.slots.iter().position(|s| std::ptr::eq(s, slot)).map(|s| (r, s))
    };
    search.runs.iter().enumerate().find_map(is).expect("the slot is one of them")
}

#[test]
fn who_has_no_token_shows_nothing() {
    with_models(|_, search, goal, values, _| {
        let mut model = Model::new(&search.ground, &search.runs, values.clone());
        assert_eq!(check_goal(&mut model, &search.runs, &search.goals, goal), Ok(()));
        let Wanted::Race { first, second } = goal.wanted else {
            panic!("only races are looked for")
        };
        // Both have the token, or none has (7).
        let mut seen = 0;
        for run in &search.runs {
            for slot in run.slots.iter().filter(|s| s.need == Need::Token) {
                let Some(var) = search.ground.terms.as_var(slot.token) else { continue };
                let wrong = changed(values, var, 0);
                let mut model = Model::new(&search.ground, &search.runs, wrong);
                let wrong = check_goal(&mut model, &search.runs, &search.goals, goal);
                seen += wrong.is_err_and(|e| equations(&e) == [7]) as u32;
            }
        }
        assert_eq!(seen, 2, "one for each of the two");
        // One access is made (7).
        let wanted = Wanted::Race { first, second: (second.0, first.1) };
        let wrong = Goal { wanted, ..goal.clone() };
        let answer = check_goal(&mut model, &search.runs, &search.goals, &wrong);
        assert!(first.1 == second.1 || answer.is_err_and(|e| equations(&e) == [7]));
        // An assertion where nobody has the token (14).
        for (r, run) in search.runs.iter().enumerate() {
            for (s, slot) in run.slots.iter().enumerate() {
                let right = model.holds(slot.token) && slot.nodes.iter().any(|n| model.holds(n.at));
                let wanted = Wanted::Check { thread: thread_id(run.thread), at: first.1 };
                let key = key(Property::Assertions, []);
                let goal = Goal { wanted, key, at: Some((r, s)), ..goal.clone() };
                let answer = check_goal(&mut model, &search.runs, &search.goals, &goal);
                assert_eq!(answer.is_ok(), right, "{r}, {s}");
                assert!(right || answer.is_err_and(|e| equations(&e) == [14]));
            }
        }
    });
}

#[test]
fn what_was_found_is_not_shown_again() {
    with_models(|_, search, goal, values, _| {
        let mut model = Model::new(&search.ground, &search.runs, values.clone());
        let mut goals = super::goals::Goals::default();
        assert_eq!(check_goal(&mut model, &search.runs, &goals, goal), Ok(()));
        goals.closed.insert(goal.key.clone());
        let again = check_goal(&mut model, &search.runs, &goals, goal);
        assert_eq!(again.map_err(|e| equations(&e)), Err(vec![16]));
    });
}
