//! Which threads main can create, if its own control flow says so.
//!
//! Idea: a place in a loop gives names to a fixed number of threads, however often the loop runs.
//! Follow main alone, value by value: where it stands and what its own registers and counters hold,
//! as far as these are constants; all else is unknown, so that whatever others do is allowed for.
//! If that comes to an end soon, as with a loop that counts to a constant, what was not created on the
//! way never is, and all that such a thread has is left out of the circuit.
//! Limits: threads that others create count as created if these are.

use std::collections::BTreeSet;

use raddle_automaton::{Automaton, CutKind, Layout, StateIx, StateVar, Vars};
use raddle_term::{TermId, Terms};
use rustc_hash::FxHashMap;

/// Most places with values of registers that are looked at.
const MOST: usize = 400;

/// Where main stands, with what is known of its own variables, sorted.
type Here = (StateIx, Vec<(StateVar, TermId)>);

/// Whom main creates.
#[derive(Clone, Debug)]
pub struct Creations {
    /// By thread: whether it may be created. Main is.
    pub created: Vec<bool>,
    /// Whether these are all that main ever creates.
    pub all: bool,
}

impl Creations {
    /// Whoever has a name, and perhaps others.
    pub fn unknown(layout: &Layout) -> Creations {
        Creations { created: vec![true; layout.threads.len()], all: false }
    }
}

/// Whom main creates, as far as its own control flow shows.
pub fn creations(terms: &mut Terms, layout: &Layout, vars: &Vars, main: &Automaton) -> Creations {
    let mut found = Creations { created: vec![false; layout.threads.len()], all: true };
    if !follow(terms, layout, vars, main, &mut found) {
        return Creations::unknown(layout);
    }
    let created = &mut found.created;
    for (t, thread) in layout.threads.iter().enumerate() {
        created[t] = match thread.origin {
            None => true,
            Some((parent, _, _)) if parent.index() == 0 => created[t],
            // Creators come before whom they create.
            Some((parent, _, _)) => created[parent.index()],
        };
    }
    found
}

/// Notes whom main creates; false if it cannot be followed to its end.
fn follow(
    terms: &mut Terms,
    layout: &Layout,
    vars: &Vars,
    main: &Automaton,
    found: &mut Creations,
) -> bool {
    let all: Vec<TermId> = main.states.iter().flat_map(|s| s.terms()).collect();
    let own = vars.in_terms(terms, &all).into_iter().filter(|v| !v.is_shared());
    let zero = |v: StateVar, terms: &mut Terms| {
        let term = vars.known(v).expect("it occurs");
        (v, terms.constant(0, terms.width(term)))
    };
    // Main is thread 0, and its registers and counters begin with 0.
    let first: Vec<(StateVar, TermId)> = own.map(|v| zero(v, terms)).collect();
    let mut flags: FxHashMap<StateVar, usize> = FxHashMap::default();
    for (t, thread) in layout.threads.iter().enumerate() {
        flags.insert(StateVar::Cell(thread.created), t);
    }
    let mut seen: BTreeSet<Here> = BTreeSet::new();
    let mut open: Vec<Here> = vec![(StateIx::START, first)];
    while let Some((at, known)) = open.pop() {
        if !seen.insert((at, known.clone())) {
            continue;
        }
        if seen.len() > MOST {
            return false;
        }
        let term = |v: StateVar| vars.known(v).expect("it occurs");
        let map = known.iter().map(|&(v, value)| (term(v), value)).collect();
        for cut in main.state(at).cuts.iter().filter(|c| c.kind == CutKind::Threads) {
            let cond = terms.substitute(&[cut.cond], &map)[0];
            found.all &= terms.is_false(cond);
        }
        for transition in &main.state(at).transitions {
            let guard = terms.substitute(&[transition.guard], &map)[0];
            if terms.is_false(guard) {
                continue;
            }
            let mut after: FxHashMap<StateVar, TermId> = known.iter().copied().collect();
            for &(var, value) in &transition.updates {
                let flag = flags.get(&var);
                if flag.is_none() && var.is_shared() {
                    continue;
                }
                let value = terms.substitute(&[value], &map)[0];
                match flag {
                    Some(&thread) => found.created[thread] |= vars.known(var) != Some(value),
                    None if terms.as_const(value).is_some() => drop(after.insert(var, value)),
                    None => drop(after.remove(&var)),
                }
            }
            let live = &main.state(transition.target).live;
            let is_read = |v: &StateVar| match *v {
                StateVar::Register(context, reg) => live.binary_search(&(context, reg)).is_ok(),
                StateVar::Own | StateVar::Count(_) | StateVar::Return(_) => true,
                StateVar::Cell(_) | StateVar::Argument(..) | StateVar::Result(_) => false,
            };
            let mut after: Vec<_> = after.into_iter().filter(|(v, _)| is_read(v)).collect();
            after.sort_unstable();
            open.push((transition.target, after));
        }
    }
    true
}
