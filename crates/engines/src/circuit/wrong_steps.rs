//! Wrong automata: with a step left out, an alias missed, two steps taken for one.
//!
//! Each program here violates its assertion. A wrong automaton of it has a proof that it does not,
//! which a check on the circuit of this automaton accepts. The check without automata refuses it, and
//! accepts the proof of a program that does what the wrong automaton says.

use raddle_analysis::Facts;
use raddle_automaton::{Automata, Bounds, State, StateVar, Transition, automata};
use raddle_certificate::{Claim, No};
use raddle_ir::{GlobalId, InstrRef, Op, Operand, Program, Property};
use raddle_reach::{End, Ic3, Limits, Question};
use raddle_term::{TermId, Terms};
use raddle_testkit::build::{Body, Builder, PLAIN, g};

use super::bits::Circuit;
use super::certificate::Literal;
use super::certify::conjuncts;
use super::compose::Composition;
use super::goals::goals;
use super::legend::legend;
use super::lines::Shown;
use super::names::names;

/// The class of the thread that main creates.
const OTHER: usize = 1;

/// A proof that a check on the same circuit accepts.
struct Proof {
    never: Vec<Vec<Literal>>,
    legend: Vec<String>,
}

impl Proof {
    /// The proof of a program by automata that are spoilt first.
    fn new(program: &Program, spoil: impl FnOnce(&mut Automata)) -> Proof {
        let facts = Facts::new(program);
        let mut terms = Terms::new();
        let bounds = Bounds { every_iteration: true, ..Bounds::default() };
        let mut automata = automata(program, &facts, bounds, &mut terms, &|| false)
            .unwrap_or_else(|_| panic!("it is small"));
        spoil(&mut automata);
        let mut composition = Composition::new(terms, automata);
        let shown = Shown::default();
        let (goals, ends) = goals(&mut composition, program.checked, &facts.locks, &shown);
        let conds = goals.iter().map(|g| g.cond).chain(ends.iter().map(|e| e.cond));
        let conds: Vec<TermId> = conds.collect();
        let names = names(program, &composition);
        let circuit = Circuit::new(&composition, &names, &conds);
        let bad: Vec<usize> = (0..conds.len()).collect();
        let (system, exclusive) = (&circuit.part.system, &circuit.exclusive);
        let question = Question { system, bad: &bad, moves: None, exclusive };
        let limits = Limits::default();
        let invariant = match Ic3::new(question, Vec::new()).run(&limits) {
            Ok(End::Holds(invariant)) => invariant,
            Ok(End::Violated(_) | End::Broad) | Err(_) => panic!("its automata never violate it"),
        };
        raddle_reach::certify(question, &invariant, &limits).expect("it is one of the circuit");
        let never = conjuncts(&circuit, &bad, &invariant, &limits).expect("there is time");
        let legend = legend(program, &composition, &never);
        Proof { never, legend }
    }

    /// What the check without automata says.
    fn check(&self, program: &Program) -> Result<(), No> {
        let literal = |l: &Literal| (l.latch.clone(), l.value);
        let never = self.never.iter().map(|never| never.iter().map(literal).collect());
        let never: Vec<Vec<(String, bool)>> = never.collect();
        let claim = Claim { legend: &self.legend, never: &never };
        let limits = raddle_certificate::Limits { deadline: None, stop: Default::default() };
        raddle_certificate::check(program, claim, &limits)
    }
}

/// Main creates a thread and asserts that x is 0, again and again.
fn program(other: impl FnOnce(&mut Builder, GlobalId) -> raddle_ir::FuncId) -> Program {
    let mut b = Builder::checking(&[Property::Assertions]);
    let x = b.global("x", 4);
    let other = other(&mut b, x);
    let main = b.thread("main", &[], |f| {
        f.create(other);
        let head = f.block();
        f.goto(head);
        let value = f.read(x);
        let right = f.equal(value, 0);
        f.assert(right);
        f.goto(head);
    });
    b.finish(main)
}

fn thread(body: impl FnOnce(&mut Body<'_>, GlobalId)) -> Program {
    program(|b, x| b.thread("other", &[], |f| body(f, x)))
}

/// The states of the other thread before stores.
fn at_stores(program: &Program, automata: &Automata) -> Vec<usize> {
    let is_store = |state: &State| {
        let instr = state.position.and_then(|p| program.instr(p.at));
        instr.is_some_and(|i| matches!(i.op, Op::Store { .. }))
    };
    let states = &automata.classes[OTHER].states;
    (0..states.len()).filter(|&s| is_store(&states[s])).collect()
}

#[test]
fn a_step_that_is_left_out() {
    let with = |value: u128| {
        thread(|f, x| {
            let chosen = f.choice(2);
            let nonzero = f.differs(chosen, 0);
            f.when(nonzero, |f| f.write(x, value));
        })
    };
    let unsafe_program = with(1);
    let proof = Proof::new(&unsafe_program, |automata| {
        let stores = at_stores(&unsafe_program, automata);
        for state in &mut automata.classes[OTHER].states {
            state.transitions.retain(|t: &Transition| !stores.contains(&t.target.index()));
        }
    });
    let no = proof.check(&unsafe_program).expect_err("x becomes 1");
    assert!(matches!(no, No::Step(..)), "{no:?}");
    let safe = with(0);
    assert_eq!(Proof::new(&safe, |_| {}).check(&safe), Ok(()));
}

#[test]
fn an_alias_that_is_missed() {
    let through = |to_x: bool| {
        program(|b, x| {
            let y = b.global("y", 4);
            let pointer = b.pointer("p", g(if to_x { x } else { y }));
            b.thread("other", &[], |f| {
                let address = f.load(g(pointer), 64, PLAIN);
                f.store(Operand::Reg(address), raddle_testkit::build::c(1, 32), PLAIN);
            })
        })
    };
    let unsafe_program = through(true);
    let proof = Proof::new(&unsafe_program, |automata| {
        for s in at_stores(&unsafe_program, automata) {
            for t in &mut automata.classes[OTHER].states[s].transitions {
                t.updates.retain(|(var, _)| !matches!(var, StateVar::Cell(_)));
            }
        }
    });
    let no = proof.check(&unsafe_program).expect_err("x becomes 1");
    assert!(matches!(no, No::Step(..)), "{no:?}");
    let safe = through(false);
    assert_eq!(Proof::new(&safe, |_| {}).check(&safe), Ok(()));
}

/// The other thread writes a value and then 0.
fn for_a_moment(value: u128) -> Program {
    thread(|f, x| {
        f.write(x, value);
        f.write(x, 0);
    })
}

/// A proof for automata in which both writes are one step.
fn glued(program: &Program) -> Proof {
    let mut second: Option<InstrRef> = None;
    let mut proof = Proof::new(program, |automata| {
        let [first, last] = at_stores(program, automata)[..] else { panic!("two writes") };
        let states = &mut automata.classes[OTHER].states;
        second = states[last].position.map(|p| p.at);
        states[first].transitions = states[last].transitions.clone();
    });
    let at = second.expect("it stands somewhere");
    let way = format!("way {}.{}.{} ", at.func.0, at.block.0, at.index);
    let before = proof.legend.len();
    proof.legend.retain(|line| !line.starts_with("place 2") || !line.contains(&way));
    assert_eq!(proof.legend.len(), before - 1, "{way}: {:?}", proof.legend);
    proof
}

#[test]
fn steps_that_are_taken_for_one() {
    let unsafe_program = for_a_moment(1);
    let no = glued(&unsafe_program).check(&unsafe_program).expect_err("x is 1 for a moment");
    assert!(matches!(no, No::Glued(..)), "{no:?}");
    let safe = for_a_moment(0);
    assert_eq!(Proof::new(&safe, |_| {}).check(&safe), Ok(()));
}

/// Whatever a legend says, a program that violates its assertion has no proof, and nothing panics.
#[test]
fn lies_in_the_legend() {
    let program = for_a_moment(1);
    let proof = glued(&program);
    let lie = |legend: Vec<String>| {
        let lie = Proof { never: proof.never.clone(), legend };
        assert!(lie.check(&program).is_err(), "{:?}", lie.legend);
    };
    for nth in 0..proof.legend.len() {
        let mut dropped = proof.legend.clone();
        dropped.remove(nth);
        lie(dropped);
        let mut twice = proof.legend.clone();
        twice.push(twice[nth].clone());
        lie(twice);
        let words: Vec<&str> = proof.legend[nth].split(' ').collect();
        for (i, word) in words.iter().enumerate() {
            let parts: Vec<&str> = word.split('.').collect();
            for (j, _) in parts.iter().enumerate().filter(|p| p.1.parse::<u64>().is_ok()) {
                for other in ["0", "1", "2", "3", "18446744073709551615"] {
                    let mut changed = parts.clone();
                    changed[j] = other;
                    let changed = changed.join(".");
                    let mut line = words.clone();
                    line[i] = &changed;
                    let mut legend = proof.legend.clone();
                    legend[nth] = line.join(" ");
                    lie(legend);
                }
            }
        }
    }
}
