//! Which cells threads have to tell each other about.
//!
//! Before main first creates a thread it is alone, and memory is plain values. From then on a cell
//! is *passed on* with the token if one thread may write it and another one may use it; a cell that
//! one thread only uses is its own, and one that nobody writes any more is fixed. Both begin with
//! what main left there. What a thread may read and write is read off its automaton: all terms of
//! all states, so this holds for every execution.

use raddle_automaton::{Automaton, CellId, Layout, ObjectIx, StateIx, StateVar, ThreadIx, Vars};
use raddle_term::Terms;
use rustc_hash::{FxHashMap, FxHashSet};

/// Who uses a cell once there are threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Several, and somebody writes it: its place among those that are passed on.
    Passed(usize),
    /// One thread.
    Own(ThreadIx),
    /// Nobody writes it.
    Fixed,
}

/// The roles of all cells.
pub struct Roles {
    /// By cell.
    of: Vec<Role>,
    /// Those that are passed on.
    pub passed: Vec<CellId>,
    /// The only thread that writes each of them, if there is one: what it finds is what it left.
    pub writers: Vec<Option<ThreadIx>>,
    /// The group of each of them: cells of one large object are one as far as the order of steps
    /// is concerned (`order.rs`).
    pub groups: Vec<usize>,
    /// By state of main's automaton: whether a thread may exist before or after its step.
    late: Vec<bool>,
}

/// Objects with more cells that are passed on than this are one group.
const LARGE: usize = 8;

impl Roles {
    /// The roles of so many cells for these threads; `observed` are looked at from outside.
    pub fn new(
        terms: &Terms,
        vars: &Vars,
        threads: &[Automaton],
        cells: usize,
        observed: &[CellId],
    ) -> Roles {
        let late = late(&threads[0]);
        let mut users: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); cells];
        let mut writers: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); cells];
        for (t, automaton) in threads.iter().enumerate() {
            for (i, state) in automaton.states.iter().enumerate() {
                if t == 0 && !late[i] {
                    continue;
                }
                for var in vars.in_terms(terms, &state.terms()) {
                    if let StateVar::Cell(c) = var {
                        users[c.index()].insert(t);
                    }
                }
                for touch in &state.touches {
                    users[touch.cell.index()].insert(t);
                    // A write of what was there before changes nothing, but it races.
                    if touch.writes {
                        writers[touch.cell.index()].insert(t);
                    }
                }
                for transition in &state.transitions {
                    for (var, _) in &transition.updates {
                        if let StateVar::Cell(c) = var {
                            users[c.index()].insert(t);
                            writers[c.index()].insert(t);
                        }
                    }
                }
            }
        }
        for cell in observed {
            users[cell.index()].extend([threads.len(), threads.len() + 1]);
        }
        let (mut passed, mut of, mut single) = (Vec::new(), Vec::new(), Vec::new());
        for c in 0..cells {
            let mut users = users[c].iter().copied();
            let written = !writers[c].is_empty();
            of.push(match (users.next(), users.next()) {
                (Some(_), Some(_)) if written => {
                    passed.push(CellId(c as u32));
                    let mut writers = writers[c].iter().map(|&t| ThreadIx(t as u32));
                    let first = writers.next();
                    single.push(if writers.next().is_none() { first } else { None });
                    Role::Passed(passed.len() - 1)
                }
                (Some(one), None) if written => Role::Own(ThreadIx(one as u32)),
                _ => Role::Fixed,
            });
        }
        let groups = (0..passed.len()).collect();
        Roles { of, passed, writers: single, groups, late }
    }

    /// Makes one group of the cells of each large object.
    pub fn group(&mut self, layout: &Layout) {
        let mut members: FxHashMap<ObjectIx, Vec<usize>> = FxHashMap::default();
        for (i, cell) in self.passed.iter().enumerate() {
            if let Some((object, _)) = layout.cells[cell.index()].part {
                members.entry(object).or_default().push(i);
            }
        }
        for all in members.values().filter(|all| all.len() > LARGE) {
            all.iter().for_each(|&i| self.groups[i] = all[0]);
        }
    }

    /// The groups of cells that are passed on.
    pub fn groups_of(&self, cells: &[usize]) -> Vec<usize> {
        let mut all: Vec<usize> = cells.iter().map(|&i| self.groups[i]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The role of a cell.
    pub fn of(&self, cell: CellId) -> Role {
        self.of[cell.index()]
    }

    /// Whether a thread may exist when main's step in a state has been made.
    pub fn is_late(&self, state: StateIx) -> bool {
        self.late[state.index()]
    }

    /// Whether a state's step reads or writes what is passed on.
    pub fn is_visible(&self, vars: &[StateVar]) -> bool {
        vars.iter().any(|v| match v {
            StateVar::Cell(c) => matches!(self.of(*c), Role::Passed(_)),
            StateVar::Argument(..) | StateVar::Result(_) => true,
            StateVar::Own | StateVar::Register(..) | StateVar::Count(_) | StateVar::Return(_) => {
                false
            }
        })
    }
}

/// The states of main that create a thread, or come after one that does.
fn late(main: &Automaton) -> Vec<bool> {
    let mut late: Vec<bool> = main.states.iter().map(|s| s.creates).collect();
    let mut work: Vec<usize> = (0..late.len()).filter(|&i| late[i]).collect();
    while let Some(i) = work.pop() {
        for transition in &main.states[i].transitions {
            let target = transition.target.index();
            if !std::mem::replace(&mut late[target], true) {
                work.push(target);
            }
        }
    }
    late
}
