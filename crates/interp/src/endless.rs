//! What formulas about infinite executions say: atoms in a state, formulas on a lasso.
//!
//! An infinite execution that repeats itself is a *lasso*: a stem, then a loop for ever. Each moment has
//! a letter: which atoms hold. Moments at which nothing changes are one (`docs/semantics.md`), so equal
//! neighbours are joined, also around the loop. Then each subformula is evaluated at all moments: `U` as a least
//! fixed point, `R` as a greatest one, each after at most two rounds.
//! Straight from the definition: nothing is shared with the automata that engines make of formulas.

use raddle_ir::linear::{Atom, Computation, Formula, Part};
use raddle_ir::{FuncId, Operand, Program};

use crate::state::{State, Status, Thread};
use crate::value::arith;

/// Which atoms hold.
pub type Letter = Vec<bool>;

/// Which atoms hold in a state; `None` if that depends on memory that was never written.
pub fn letter(program: &Program, state: &State, atoms: &[Atom]) -> Option<Letter> {
    atoms.iter().map(|atom| holds(program, state, atom)).collect()
}

fn holds(program: &Program, state: &State, atom: &Atom) -> Option<bool> {
    let running = || state.threads.iter().filter(|t| !state.exited && t.is_running());
    match atom {
        Atom::Value(computation) => value(program, state, computation),
        Atom::Before(places) => Some(running().any(|t| places.contains(&t.at()))),
        Atom::Inside(function) => {
            Some(running().any(|t| t.frames.iter().any(|f| f.func == *function)))
        }
        Atom::Terminated(function) => {
            let mut some = false;
            for thread in state.threads.iter().filter(|t| start(program, t) == *function) {
                some = true;
                if !state.exited && !matches!(thread.status, Status::Ended(_)) {
                    return Some(false);
                }
            }
            Some(some)
        }
    }
}

/// The user's function that a thread began in.
fn start(program: &Program, thread: &Thread) -> FuncId {
    let first = &thread.frames[0];
    let function = program.function(first.func);
    if program.entry == Some(first.func) {
        let is_main = |f: &FuncId| program.function(*f).name == "main";
        return program.function_ids().find(is_main).unwrap_or(first.func);
    }
    let argument = function.params.first().map(|p| first.regs[p.index()]);
    program.given_start(first.func, argument)
}

fn value(program: &Program, state: &State, made: &Computation) -> Option<bool> {
    let mut registers: Vec<u128> = Vec::new();
    for &Part { global, offset, bytes } in &made.parts {
        let address = program.global(global).address + offset;
        registers.push(state.memory.peek(address, bytes)?);
    }
    let get = |registers: &[u128], operand: Operand| match operand {
        Operand::Reg(r) => registers[r.index()],
        Operand::Const(c) => c.value,
        Operand::Global(..) | Operand::Function(_) => {
            unreachable!("atoms are made of registers and constants")
        }
    };
    for step in &made.steps {
        let mut read = |operand| (get(&registers, operand), made.width(operand));
        let value = arith::eval(step, &mut read).expect("no division by zero");
        registers.push(value);
    }
    Some(made.result.is_some_and(|r| get(&registers, r) != 0))
}

/// Whether a formula holds of the word that begins with a stem and repeats a loop for ever.
pub fn satisfies(formula: &Formula, stem: &[Letter], cycle: &[Letter]) -> bool {
    assert!(!cycle.is_empty(), "an infinite word has a letter that comes again");
    let (stem, cycle) = joined(stem, cycle);
    let word = Word { letters: [stem.as_slice(), cycle.as_slice()].concat(), back: stem.len() };
    word.evaluate(formula)[0]
}

/// The same word without letters that repeat the one before, as far as that can be.
fn joined(stem: &[Letter], cycle: &[Letter]) -> (Vec<Letter>, Vec<Letter>) {
    let (mut stem, mut cycle) = (stem.to_vec(), cycle.to_vec());
    cycle.dedup();
    if cycle.len() > 1 && cycle.first() == cycle.last() {
        cycle.pop();
    }
    stem.dedup();
    if stem.last() == cycle.first() {
        stem.pop();
    }
    (stem, cycle)
}

struct Word {
    letters: Vec<Letter>,
    /// The moment that follows the last one.
    back: usize,
}

impl Word {
    fn next(&self, moment: usize) -> usize {
        if moment + 1 < self.letters.len() { moment + 1 } else { self.back }
    }

    /// At which moments a formula holds.
    fn evaluate(&self, formula: &Formula) -> Vec<bool> {
        let all = 0..self.letters.len();
        let both = |a: &Formula, b: &Formula| (self.evaluate(a), self.evaluate(b));
        match formula {
            Formula::True => all.map(|_| true).collect(),
            Formula::False => all.map(|_| false).collect(),
            Formula::Atom(a) => all.map(|i| self.letters[i][*a]).collect(),
            Formula::Not(a) => self.evaluate(a).into_iter().map(|v| !v).collect(),
            Formula::And(a, b) => {
                let (a, b) = both(a, b);
                all.map(|i| a[i] && b[i]).collect()
            }
            Formula::Or(a, b) => {
                let (a, b) = both(a, b);
                all.map(|i| a[i] || b[i]).collect()
            }
            Formula::Next(a) => {
                let a = self.evaluate(a);
                all.map(|i| a[self.next(i)]).collect()
            }
            Formula::Until(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(false, |i, next| b[i] || a[i] && next)
            }
            Formula::Release(a, b) => {
                let (a, b) = both(a, b);
                self.fixed_point(true, |i, next| b[i] && (a[i] || next))
            }
        }
    }

    fn fixed_point(&self, first: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![first; self.letters.len()];
        // The second round has seen what the loop begins with.
        for _ in 0..2 {
            for i in (0..values.len()).rev() {
                values[i] = step(i, values[self.next(i)]);
            }
        }
        values
    }
}
