//! SMT solvers: terms as they are, in SMT-LIB 2.
//!
//! Literal n is the Boolean `b<n>`, a constant or the name of a term; literal 0 is true. The model
//! is read whole after each answer, since solvers forget it with the next command.

use std::fmt::Write;

use raddle_sat::{Answer, Lit, Var};
use raddle_term::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::formula::{Effort, Formula};
use super::record::Record;
use super::solver::{Dialogue, Numbers, Reply};

/// What the solver said about its last model.
#[derive(Default)]
struct Model {
    /// By literal number.
    booleans: Vec<bool>,
    variables: FxHashMap<VarId, u128>,
}

impl Model {
    /// Whether a literal holds. One younger than the model is not part of it.
    fn value(&self, lit: Lit) -> bool {
        let value = self.booleans.get(lit.var().index()).is_some_and(|&b| b);
        value == lit.is_positive()
    }
}

/// A formula as commands, and the solver that reads them.
pub struct Smt {
    /// What the solver can count with.
    pub(crate) numbers: Numbers,
    /// Commands that the solver has not got yet.
    text: String,
    /// The literals so far.
    booleans: usize,
    /// How many assertions were made.
    assertions: u64,
    /// The literals of terms.
    named: FxHashMap<TermId, Lit>,
    /// By term: it has been defined.
    defined: Vec<bool>,
    /// The variables of terms that occur; number n is `v<n>`.
    variables: Vec<VarId>,
    dialogue: Dialogue,
    /// An answer is open: `(pop 1)` comes before everything else.
    asked: bool,
    model: Model,
    record: Record,
}

impl Smt {
    /// An empty formula. With `recheck`, what it is told is recorded.
    pub fn new(numbers: Numbers, dialogue: Dialogue, recheck: bool) -> Smt {
        let logic = match numbers {
            Numbers::Integers => "ALL",
            Numbers::Vectors => "QF_BV",
        };
        let text = format!(
            "(set-option :produce-models true)\n(set-logic {logic})\n(define-fun b0 () Bool true)\n"
        );
        Smt {
            numbers,
            text,
            booleans: 1,
            assertions: 0,
            named: FxHashMap::default(),
            defined: Vec::new(),
            variables: Vec::new(),
            dialogue,
            asked: false,
            model: Model::default(),
            record: Record::new(recheck),
        }
    }

    /// A command.
    pub(crate) fn line(&mut self, text: std::fmt::Arguments) {
        self.text.write_fmt(text).expect("strings take all");
        self.text.push('\n');
    }

    /// An assertion.
    pub(crate) fn assert(&mut self, formula: std::fmt::Arguments) {
        self.assertions += 1;
        self.line(format_args!("(assert {formula})"));
    }

    fn next_lit(&mut self) -> Lit {
        self.booleans += 1;
        Var::from_index(self.booleans - 1).lit()
    }

    /// The name of a term, after the definitions that it needs.
    fn term(&mut self, terms: &Terms, t: TermId) -> String {
        assert!(self.defined.len() <= terms.len(), "terms are never forgotten");
        self.defined.resize(terms.len(), false);
        let mut stack = vec![(t, false)];
        while let Some((t, arguments_known)) = stack.pop() {
            if self.defined[t.index()] {
                continue;
            }
            if !arguments_known {
                stack.push((t, true));
                stack.extend(terms.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            self.defined[t.index()] = true;
            let known = terms.args(t).iter().all(|a| self.defined[a.index()]);
            debug_assert!(known, "a term is defined after its arguments");
            if let Some(command) = terms.smtlib_command(t) {
                self.line(format_args!("{command}"));
            }
            self.variables.extend(terms.as_var(t));
        }
        terms.smtlib_name(t)
    }

    /// Reads the model; `None` if the solver does not give it.
    fn read_model(&mut self) -> Option<Model> {
        let dialogue = &mut self.dialogue;
        let names: Vec<String> = (0..self.booleans).map(|n| format!("b{n}")).collect();
        let booleans = dialogue.values(&names)?.into_iter().map(|v| v != 0).collect();
        let names: Vec<String> = self.variables.iter().map(|v| format!("v{}", v.index())).collect();
        let values = dialogue.values(&names)?;
        assert_eq!(values.len(), names.len(), "each constant has a value");
        let variables = self.variables.iter().copied().zip(values).collect();
        Some(Model { booleans, variables })
    }

    /// The values of other constants in the last model; `None` if the solver does not give them.
    pub(crate) fn values(&mut self, names: &[String]) -> Option<Vec<u128>> {
        self.dialogue.values(names)
    }
}

/// The name of a literal.
pub fn name(lit: Lit) -> String {
    let number = lit.var().index();
    if lit.is_positive() { format!("b{number}") } else { format!("(not b{number})") }
}

impl Formula for Smt {
    fn new_lit(&mut self) -> Lit {
        let lit = self.next_lit();
        self.line(format_args!("(declare-const {} Bool)", name(lit)));
        lit
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.record.clause(lits);
        let names: Vec<String> = lits.iter().map(|&l| name(l)).collect();
        self.assert(format_args!("(or {} false)", names.join(" ")));
    }

    fn tru(&self) -> Lit {
        Var::from_index(0).lit()
    }

    fn lit(&mut self, terms: &Terms, t: TermId) -> Lit {
        match terms.as_const(t) {
            Some(0) => return !self.tru(),
            Some(_) => return self.tru(),
            None => {}
        }
        if terms.op(t) == Op::Not {
            return !self.lit(terms, terms.args(t)[0]);
        }
        if let Some(&lit) = self.named.get(&t) {
            return lit;
        }
        let (term, lit) = (self.term(terms, t), self.next_lit());
        self.line(format_args!("(define-fun {} () Bool (= {term} #b1))", name(lit)));
        self.named.insert(t, lit);
        self.record.named(t, lit);
        lit
    }

    fn assert_implies(&mut self, terms: &Terms, premises: &[Lit], conclusion: TermId) {
        if terms.is_true(conclusion) {
            return;
        }
        self.record.implied(premises, conclusion);
        let mut clause: Vec<Lit> = premises.iter().map(|&p| !p).collect();
        clause.push(self.lit(terms, conclusion));
        self.clause(&clause);
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        let pop = if std::mem::replace(&mut self.asked, true) { "(pop 1)\n" } else { "" };
        let text = std::mem::take(&mut self.text);
        let assumed: String =
            assumptions.iter().map(|&l| format!("(assert {})\n", name(l))).collect();
        match self.dialogue.ask(&format!("{pop}{text}(push 1)\n{assumed}(check-sat)\n")) {
            Reply::Unsatisfiable => Answer::Unsatisfiable,
            Reply::None => Answer::Interrupted,
            Reply::Satisfiable => match self.read_model() {
                Some(model) => {
                    self.model = model;
                    Answer::Satisfiable
                }
                None => Answer::Interrupted,
            },
        }
    }

    /// There is no standard way to say so.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}

    fn value(&mut self, lit: Lit) -> bool {
        self.model.value(lit)
    }

    fn variables(&mut self, _count: usize) -> FxHashMap<VarId, u128> {
        self.model.variables.clone()
    }

    fn recheck(&mut self, terms: &Terms) -> Result<(), String> {
        let Smt { model, record, .. } = self;
        record.check(terms, &model.variables, |lit| model.value(lit))
    }

    fn effort(&self) -> Effort {
        let (variables, clauses) = (self.booleans as u64, self.assertions);
        Effort { variables, clauses, conflicts: 0 }
    }

    fn failure(&self) -> Option<&str> {
        self.dialogue.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::super::solver::{Conversation, Heard, SmtSolver};
    use super::*;

    fn silence() -> Dialogue {
        struct Silence;
        impl Conversation for Silence {
            fn send(&mut self, _: &str) -> Result<(), String> {
                Ok(())
            }
            fn hear(&mut self, _: Option<std::time::Instant>) -> Heard {
                Heard::Ended
            }
        }
        let start = std::sync::Arc::new(|| Ok(Box::new(Silence) as Box<dyn Conversation>));
        let solver = SmtSolver { name: "silence".into(), numbers: Numbers::Integers, start };
        Dialogue::start(&solver, &crate::Budget::default()).expect("starts")
    }

    #[test]
    fn terms_become_literals_once() {
        let mut terms = Terms::new();
        let mut smt = Smt::new(Numbers::Integers, silence(), true);
        let (x, five) = (terms.fresh(8), terms.constant(5, 8));
        let equal = terms.eq(x, five);
        let other = terms.not(equal);
        let lit = smt.lit(&terms, equal);
        assert_eq!(smt.lit(&terms, equal), lit);
        assert_eq!(smt.lit(&terms, other), !lit);
        let (tru, fals) = (terms.tru(), terms.fals());
        assert_eq!((smt.lit(&terms, tru), smt.lit(&terms, fals)), (smt.tru(), !smt.tru()));
        assert_eq!(smt.text.matches("(declare-const v0 (_ BitVec 8))").count(), 1);
    }
}
