//! The obligations: what holds at first, and is kept by every step.
//!
//! Besides the conjuncts of the certificate there are *facts*: where a thread stands at a place, or
//! once it was created, or always, a variable has a value. They are guessed when a step shows one
//! value, and for globals that are read; what is not true at first or not kept by some step is
//! dropped, until all that is left is kept by all steps in all states that the conjuncts and these
//! facts allow. Facts that are dropped allow more steps, so these are made anew then.
//! Invariant: the steps that are returned were made, and found to keep everything, under exactly
//! the facts that are assumed at the end.

use raddle_ir::Program;
use raddle_sat::Lit;
use raddle_term::TermId;
use rustc_hash::FxHashSet;

use crate::legend::{Kind, Legend};
use crate::state::{Cube, Literal, Machine, Var};
use crate::step::{Step, steps};
use crate::{Limits, No};

/// When a fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum When {
    Always,
    /// While a thread stands at a place.
    At(usize, usize),
    /// Once a thread was created.
    Created(usize),
}

/// A variable has a value.
#[derive(Clone, Debug)]
struct Fact {
    when: When,
    var: Var,
    value: u128,
    /// Its name in the solver.
    assumed: Lit,
}

/// The facts that stand, and all that were ever guessed.
#[derive(Default)]
pub(crate) struct Facts {
    standing: Vec<Fact>,
    guessed: FxHashSet<(When, Var)>,
}

pub(crate) struct Checker<'a> {
    pub machine: Machine<'a>,
    never: &'a [Cube],
}

impl Machine<'_> {
    /// Guesses a fact, unless one was guessed there before or it does not hold at first.
    pub fn guess(&mut self, when: When, var: Var, value: u128) {
        let holds_at_first = match when {
            When::At(_, 0) | When::Always => self.initial(&var) == Some(value),
            When::At(..) => true,
            When::Created(thread) => thread != 0,
        };
        if !holds_at_first || !self.facts.guessed.insert((when, var.clone())) {
            return;
        }
        let now = self.now(&var);
        let expected = self.terms.constant(value, self.terms.width(now));
        let right = self.terms.eq(now, expected);
        let mut clause = vec![self.prover.lit(&self.terms, right)];
        if let Some(guard) = self.guard(when) {
            clause.push(!self.prover.lit(&self.terms, guard));
        }
        let assumed = self.prover.new_lit();
        clause.push(!assumed);
        self.prover.add_clause(&clause);
        self.prover.assume(assumed);
        self.facts.standing.push(Fact { when, var, value, assumed });
    }

    fn guard(&mut self, when: When) -> Option<TermId> {
        match when {
            When::Always => None,
            When::At(thread, place) => Some(self.now(&Var::At(thread, place))),
            When::Created(thread) => Some(self.now(&Var::Created(thread))),
        }
    }
}

impl<'a> Checker<'a> {
    pub fn new(
        program: &'a Program,
        legend: &'a Legend,
        never: &'a [Cube],
        limits: &Limits,
    ) -> Result<Checker<'a>, No> {
        let mut machine = Machine::new(program, legend, limits);
        for (nth, cube) in never.iter().enumerate() {
            if let Some(literal) = cube.iter().find(|l| l.bit >= machine.width(&l.var)) {
                return Err(No::Name(format!("bit {} of {:?}", literal.bit, literal.var)));
            }
            let may_begin = |l: &Literal| {
                machine.initial(&l.var).is_none_or(|value| (value >> l.bit & 1 == 1) == l.value)
            };
            if cube.iter().all(may_begin) {
                return Err(No::Initial(nth));
            }
            let mut clause = Vec::new();
            for literal in cube {
                let now = machine.now(&literal.var);
                clause.push(machine.prover.bit(&machine.terms, now, literal.bit, !literal.value));
            }
            machine.prover.add_clause(&clause);
        }
        let mut checker = Checker { machine, never };
        checker.guess_beginnings();
        Ok(checker)
    }

    /// Nothing was made by a thread that has not begun; who stands somewhere was created and has not
    /// ended, and its copies of thread-local globals live.
    fn guess_beginnings(&mut self) {
        let legend = self.machine.legend;
        for thread in 0..legend.threads.len() {
            for var in made_by(legend, thread) {
                self.machine.guess(When::At(thread, 0), var, 0);
            }
            let copies: Vec<Var> = (0..legend.objects.len())
                .filter(|&o| matches!(legend.objects[o].kind, Kind::Copy(t, _) if t == thread))
                .map(Var::Life)
                .collect();
            for place in 0..legend.places[thread].len() {
                let when = When::At(thread, place);
                self.machine.guess(when, Var::Created(thread), 1);
                self.machine.guess(when, Var::Ended(thread), 0);
                copies.iter().for_each(|copy| self.machine.guess(when, copy.clone(), 1));
            }
        }
    }

    /// Checks that nothing leads out of the certificate, and no step does what it must not; all
    /// steps that can be made.
    pub fn inductive(&mut self) -> Result<Vec<Step>, No> {
        loop {
            let guessed = self.machine.facts.guessed.len();
            let steps = self.explore()?;
            let standing = self.machine.facts.standing.len();
            self.drop_broken(&steps)?;
            for step in &steps {
                self.keep(step)?;
            }
            let facts = &self.machine.facts;
            if facts.standing.len() == standing && facts.guessed.len() == guessed {
                return Ok(steps);
            }
        }
    }

    /// All steps from places that threads come to.
    fn explore(&mut self) -> Result<Vec<Step>, No> {
        let mut all = Vec::new();
        for thread in 0..self.machine.legend.threads.len() {
            let mut reached = vec![false; self.machine.legend.places[thread].len()];
            let mut open = vec![0];
            while let Some(place) = open.pop() {
                if std::mem::replace(&mut reached[place], true) {
                    continue;
                }
                let may_step = self.machine.may_step(thread, place);
                if !self.machine.possible(&[may_step])? {
                    continue;
                }
                for step in steps(&mut self.machine, thread, place)? {
                    self.guess_after(&step)?;
                    open.extend(step.target);
                    all.push(step);
                }
            }
        }
        Ok(all)
    }

    /// Guesses what has one value where a step ends.
    fn guess_after(&mut self, step: &Step) -> Result<(), No> {
        let Some(target) = step.target.filter(|t| *t != step.from) else { return Ok(()) };
        let live = self.machine.live(step.thread, target).iter();
        let registers = live.map(|(calls, f, r)| Var::Register(step.thread, calls.clone(), *f, *r));
        let mut vars: Vec<Var> = registers.collect();
        vars.extend(made_by(self.machine.legend, step.thread));
        // Who has waited for the end of others knows about it.
        vars.extend((0..self.machine.legend.threads.len()).map(Var::Ended));
        let when = When::At(step.thread, target);
        for var in vars {
            let key = (when, var);
            if self.machine.facts.guessed.contains(&key) {
                continue;
            }
            let before = self.machine.facts.value(When::At(step.thread, step.from), &key.1);
            let asks = before.is_none() && matches!(key.1, Var::Ended(_));
            let after = match step.changed.get(&key.1) {
                None if asks => Some(self.machine.now(&key.1)),
                changed => changed.copied(),
            };
            let value = match after {
                Some(after) => self.machine.only_value(&step.conds, after)?,
                None => before,
            };
            match value {
                Some(value) => self.machine.guess(when, key.1, value),
                None => {
                    self.machine.facts.guessed.insert(key);
                }
            }
        }
        Ok(())
    }

    /// Drops facts until all that stand are kept by these steps.
    fn drop_broken(&mut self, steps: &[Step]) -> Result<(), No> {
        loop {
            let before = self.machine.facts.standing.len();
            for step in steps {
                while self.drop_some(step)? {}
            }
            if self.machine.facts.standing.len() == before {
                return Ok(());
            }
        }
    }

    /// Drops facts that a step does not keep; false if there are none.
    fn drop_some(&mut self, step: &Step) -> Result<bool, No> {
        let mut broken = Vec::new();
        for nth in 0..self.machine.facts.standing.len() {
            let fact = self.machine.facts.standing[nth].clone();
            if let Some(conds) = self.breaks(step, &fact) {
                let lits = conds.iter().map(|&c| self.machine.prover.lit(&self.machine.terms, c));
                broken.push((lits.collect(), fact.assumed));
            }
        }
        let Some(held) = self.some_of(step, broken)? else { return Ok(false) };
        for lit in &held {
            self.machine.prover.forget(*lit);
        }
        self.machine.facts.standing.retain(|f| !held.contains(&f.assumed));
        Ok(true)
    }

    /// The conditions under which a fact does not hold after a step; none if it always does.
    fn breaks(&mut self, step: &Step, fact: &Fact) -> Option<Vec<TermId>> {
        let machine = &mut self.machine;
        let changes = step.changed.contains_key(&fact.var);
        let mut conds = Vec::new();
        match fact.when {
            When::At(thread, place) if thread == step.thread => {
                if step.target != Some(place) || !changes && step.from == place {
                    return None;
                }
            }
            When::Created(thread) => {
                let var = Var::Created(thread);
                if !changes && !step.changed.contains_key(&var) {
                    return None;
                }
                let created = step.changed.get(&var).copied();
                conds.push(created.unwrap_or_else(|| machine.now(&var)));
            }
            When::At(..) | When::Always => {
                if !changes {
                    return None;
                }
                conds.extend(machine.guard(fact.when));
            }
        }
        let after = step.changed.get(&fact.var).copied();
        let after = after.unwrap_or_else(|| machine.now(&fact.var));
        let value = machine.terms.constant(fact.value, machine.terms.width(after));
        conds.push(machine.terms.ne(after, value));
        (!conds.iter().any(|c| machine.terms.is_false(*c))).then_some(conds)
    }

    /// Of groups of literals those that hold together in some state after a step, by their names; none if
    /// none can.
    fn some_of<T: Copy>(
        &mut self,
        step: &Step,
        groups: Vec<(Vec<Lit>, T)>,
    ) -> Result<Option<Vec<T>>, No> {
        if groups.is_empty() {
            return Ok(None);
        }
        let Machine { terms, prover, .. } = &mut self.machine;
        let go = prover.new_lit();
        let mut any = vec![!go];
        for (lits, _) in &groups {
            let holds = prover.new_lit();
            lits.iter().for_each(|&lit| prover.add_clause(&[!holds, lit]));
            any.push(holds);
        }
        prover.add_clause(&any);
        let mut assumptions = vec![go];
        assumptions.extend(step.conds.iter().map(|&c| prover.lit(terms, c)));
        let found = prover.holds(&assumptions)?;
        let mut held = Vec::new();
        if found {
            for ((_, name), &holds) in groups.iter().zip(&any[1..]) {
                if prover.held(holds) {
                    held.push(*name);
                }
            }
        }
        prover.add_clause(&[!go]);
        Ok(found.then_some(held))
    }

    /// Checks that a step keeps the conjuncts.
    fn keep(&mut self, step: &Step) -> Result<(), No> {
        let mut entered = Vec::new();
        for nth in 0..self.never.len() {
            if let Some(lits) = self.enters(step, &self.never[nth]) {
                entered.push((lits, nth));
            }
        }
        match self.some_of(step, entered)?.and_then(|held| held.first().copied()) {
            None => Ok(()),
            Some(nth) => {
                let place = self.machine.place_of(step.thread, step.from);
                Err(No::Step(nth, place))
            }
        }
    }

    /// The literals that must hold before a step if a cube holds after it; none if the step does not
    /// change whether it does, or it does not.
    fn enters(&mut self, step: &Step, cube: &Cube) -> Option<Vec<Lit>> {
        let moves = step.target != Some(step.from);
        let concerns = |l: &Literal| match l.var {
            Var::At(thread, _) => moves && thread == step.thread,
            Var::Register(..)
            | Var::Cell(..)
            | Var::Life(_)
            | Var::Length(_)
            | Var::Created(_)
            | Var::Ended(_)
            | Var::Argument(..)
            | Var::Result(_)
            | Var::Count(..) => step.changed.contains_key(&l.var),
        };
        if !cube.iter().any(concerns) {
            return None;
        }
        let mut lits = Vec::new();
        for Literal { var, bit, value } in cube {
            if let Var::At(thread, place) = *var
                && thread == step.thread
            {
                if (step.target == Some(place)) != *value {
                    return None;
                }
                continue;
            }
            let after = step.changed.get(var).copied();
            let after = after.unwrap_or_else(|| self.machine.now(var));
            lits.push(self.machine.prover.bit(&self.machine.terms, after, *bit, *value));
        }
        Some(lits)
    }
}

impl Facts {
    /// The value that a variable has by a fact that stands.
    fn value(&self, when: When, var: &Var) -> Option<u128> {
        self.standing.iter().find(|f| f.when == when && f.var == *var).map(|f| f.value)
    }
}

/// What says whether and how often a thread has made something.
fn made_by(legend: &Legend, thread: usize) -> Vec<Var> {
    let mut all = Vec::new();
    for (child, created) in legend.threads.iter().enumerate() {
        if let Some((parent, way, _)) = &created.origin
            && *parent == thread
        {
            all.extend([Var::Created(child), Var::Count(thread, way.clone())]);
        }
    }
    for (o, object) in legend.objects.iter().enumerate() {
        match &object.kind {
            Kind::Made(maker, way, ..) if *maker == thread => {
                all.extend([Var::Life(o), Var::Count(thread, way.clone())]);
            }
            Kind::Made(..) | Kind::Global(_) | Kind::Copy(..) => {}
        }
    }
    all
}
