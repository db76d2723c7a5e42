//! What steps of threads touch: now, with conditions on the state, and where.
//!
//! A step *reads* a shared variable if its outcome may depend on it: where the step leads and whether
//! it can be made, what it leaves, what it violates, where its automaton ends. It *writes* one if it
//! may leave another value there. Both are read off the terms of the step (`observe.rs`), so that
//! mutexes, joins, creations, the lives of objects and lengths are variables like others, and nothing
//! that a step depends on can be forgotten. An access that can race touches its cells even if no
//! value matters.
//! Variables that one thread alone touches, and those that nobody writes, do not count.
//! Source: paper 003 §4.2, `touch-now`. We differ: for each cell of memory there is a condition, so that
//! an access through a pointer touches what it points to in the state at hand.

use std::collections::{BTreeMap, BTreeSet};

use raddle_automaton::{State, StateIx, StateVar, ThreadIx};
use raddle_term::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::compose::{Composition, Name};
use super::observe::{Observer, Source};

/// A shared variable that matters: a position in [`Touches::variables`].
pub type Shared = usize;

/// How a step touches a variable.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// In which states.
    pub cond: TermId,
    /// Whether something that can go wrong in the step depends on it, be the step made or not.
    pub in_goals: bool,
}

/// What a step touches.
#[derive(Clone, Default, Debug)]
pub struct Step {
    /// What it depends on.
    pub reads: BTreeMap<Shared, Touch>,
    /// What it may change.
    pub writes: BTreeMap<Shared, Touch>,
    /// The condition that it can be made; none if that depends on inputs.
    pub enabled: Option<TermId>,
    /// The states where it can end, sorted.
    pub targets: Vec<StateIx>,
}

/// What all steps touch.
pub struct Touches {
    /// The variables that count, sorted.
    pub variables: Vec<StateVar>,
    /// By thread and state.
    pub steps: Vec<Vec<Step>>,
}

impl Touches {
    /// Of all threads.
    pub fn new(composition: &mut Composition) -> Touches {
        let variables = contested(composition);
        let mut sources: FxHashMap<VarId, Source> = FxHashMap::default();
        let mut index: FxHashMap<VarId, Shared> = FxHashMap::default();
        let var = |terms: &Terms, t: TermId| terms.as_var(t).expect("it is a variable");
        for variable in &composition.variables {
            if let Name::Shared(name) = variable.name
                && let Ok(i) = variables.binary_search(&name)
            {
                sources.insert(var(&composition.terms, variable.now), Source::Shared);
                index.insert(var(&composition.terms, variable.now), i);
            }
        }
        for &input in &composition.inputs {
            sources.insert(var(&composition.terms, input), Source::Input);
        }
        let source = |v: VarId| sources.get(&v).copied().unwrap_or(Source::Own);
        let mut observer = Observer::new(&source);
        let mut steps = Vec::new();
        for t in 0..composition.steps.len() {
            let of_thread = (0..composition.steps[t].len()).map(|s| {
                let at = (ThreadIx(t as u32), StateIx(s as u32));
                step(composition, &mut observer, (&variables, &index), at)
            });
            steps.push(of_thread.collect());
        }
        Touches { variables, steps }
    }
}

/// The shared variables that one thread writes and another one touches, sorted.
fn contested(composition: &Composition) -> Vec<StateVar> {
    let mut shared: FxHashMap<VarId, StateVar> = FxHashMap::default();
    for variable in &composition.variables {
        if let Name::Shared(name) = variable.name {
            let var = composition.terms.as_var(variable.now).expect("it is a variable");
            shared.insert(var, name);
        }
    }
    let mut touching: BTreeMap<StateVar, BTreeSet<usize>> = BTreeMap::new();
    let mut writing: BTreeSet<StateVar> = BTreeSet::new();
    for (t, steps) in composition.steps.iter().enumerate() {
        for step in steps {
            for var in composition.terms.variables(&step.terms()) {
                if let Some(&name) = shared.get(&var) {
                    touching.entry(name).or_default().insert(t);
                }
            }
            let updates = step.transitions.iter().flat_map(|u| &u.updates).map(|u| u.0);
            for name in updates.filter(|name| name.is_shared()) {
                touching.entry(name).or_default().insert(t);
                writing.insert(name);
            }
            for touch in &step.touches {
                let name = StateVar::Cell(touch.cell);
                touching.entry(name).or_default().insert(t);
                if touch.writes {
                    writing.insert(name);
                }
            }
        }
    }
    let contested =
        |(name, by): &(StateVar, BTreeSet<usize>)| by.len() > 1 && writing.contains(name);
    touching.into_iter().filter(contested).map(|(name, _)| name).collect()
}

fn step(
    composition: &mut Composition,
    observer: &mut Observer,
    (variables, index): (&[StateVar], &FxHashMap<VarId, Shared>),
    (thread, state): (ThreadIx, StateIx),
) -> Step {
    let step = composition.steps[thread.index()][state.index()].clone();
    let mut all = Step::default();
    let mut roots = Vec::new();
    for transition in &step.transitions {
        roots.push((transition.guard, composition.terms.tru()));
        for &(var, value) in &transition.updates {
            let name = Name::of(thread, var);
            // What has no variable is read by nobody.
            let Some(old) = composition.known(name) else { continue };
            let (terms, guard) = (&mut composition.terms, transition.guard);
            let cond = observer.assigned(terms, (old, value), guard, &mut roots);
            if let Ok(i) = variables.binary_search(&var) {
                touch(terms, &mut all.writes, i, cond, false);
            }
        }
        all.targets.push(transition.target);
    }
    all.targets.sort_unstable();
    all.targets.dedup();
    let terms = &mut composition.terms;
    for (var, cond) in observer.shared(terms, &roots) {
        touch(terms, &mut all.reads, index[&var], cond, false);
    }
    let goals = goal_terms(terms, &step);
    for (var, cond) in observer.shared(terms, &goals) {
        touch(terms, &mut all.reads, index[&var], cond, true);
    }
    for access in &step.touches {
        if let Ok(i) = variables.binary_search(&StateVar::Cell(access.cell)) {
            let of_state = observer.is_of_state(terms, access.cond);
            let cond = if of_state { access.cond } else { terms.tru() };
            let kind = if access.writes { &mut all.writes } else { &mut all.reads };
            touch(terms, kind, i, cond, true);
        }
    }
    let enabled = composition.can[thread.index()][state.index()];
    all.enabled = observer.is_of_state(terms, enabled).then_some(enabled);
    all
}

/// What can go wrong in a step, each with the condition under which it is looked at.
fn goal_terms(terms: &Terms, step: &State) -> Vec<(TermId, TermId)> {
    let State { accesses, violations, cuts, leaks, waits, touches, .. } = step;
    let mut all = Vec::new();
    for a in accesses {
        all.extend([a.cond, a.address, a.writes]);
    }
    all.extend(touches.iter().map(|t| t.cond));
    all.extend(violations.iter().map(|v| v.cond));
    all.extend(cuts.iter().map(|c| c.cond));
    for leak in leaks {
        all.push(leak.cond);
        all.extend(leak.lines.iter().map(|l| l.1));
    }
    for wait in waits {
        all.push(wait.cond);
        all.extend(wait.word);
    }
    all.into_iter().map(|t| (t, terms.tru())).collect()
}

fn touch(
    terms: &mut Terms,
    all: &mut BTreeMap<Shared, Touch>,
    variable: Shared,
    cond: TermId,
    in_goals: bool,
) {
    if terms.is_false(cond) {
        return;
    }
    let touch = all.entry(variable).or_insert(Touch { cond, in_goals });
    touch.cond = terms.or(touch.cond, cond);
    touch.in_goals |= in_goals;
}
