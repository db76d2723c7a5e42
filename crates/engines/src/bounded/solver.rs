//! The dialogue with an SMT solver: commands go in, answers come out.
//!
//! How a solver is started and spoken to is the caller's business ([`SmtSolver`]): this crate
//! starts no processes. Whatever is not exactly the expected answer is a failure, after which the
//! conversation is ended and nothing said since is used: an error message followed by `unsat` must
//! not become a proof.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Budget;

/// What comes back from a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line of text.
    Line(String),
    /// Nothing, and the time is up.
    Late,
    /// Nothing, and nothing will.
    Ended,
}

/// A running solver. Dropping it ends it.
pub trait Conversation {
    /// Sends commands.
    fn send(&mut self, text: &str) -> Result<(), String>;
    /// Waits for the next line.
    fn hear(&mut self, deadline: Option<Instant>) -> Heard;
}

/// Starts a solver; an error says what the user can do.
pub type Start = dyn Fn() -> Result<Box<dyn Conversation>, String> + Send + Sync;

/// What a solver can count with, besides the bit-vectors that programs need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Integers.
    Integers,
    /// Bit-vectors only, which must be wide enough.
    Vectors,
}

/// A solver that can be started.
#[derive(Clone)]
pub struct SmtSolver {
    /// Its name, for messages.
    pub name: String,
    /// The numbers that it takes.
    pub numbers: Numbers,
    /// Starts it.
    pub start: Arc<Start>,
}

impl std::fmt::Debug for SmtSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SmtSolver").field(&self.name).finish()
    }
}

/// What the solver says to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reply {
    Satisfiable,
    Unsatisfiable,
    /// The time is up, or see [`Dialogue::failure`].
    None,
}

/// How long to listen without a look at the clock.
const PAUSE: Duration = Duration::from_millis(50);

/// Questions and answers.
pub struct Dialogue {
    name: String,
    /// Gone after a failure or when the time is up.
    solver: Option<Box<dyn Conversation>>,
    budget: Budget,
    failure: Option<String>,
}

impl Dialogue {
    /// Starts a solver.
    pub fn start(solver: &SmtSolver, budget: &Budget) -> Result<Dialogue, String> {
        let name = solver.name.clone();
        let budget = budget.clone();
        Ok(Dialogue { name, solver: Some((solver.start)()?), budget, failure: None })
    }

    /// Why the answers are not to be relied upon, if so.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    fn send(&mut self, text: &str) {
        let Some(solver) = &mut self.solver else { return };
        if let Err(e) = solver.send(text) {
            self.fail(e);
        }
    }

    /// Sends commands of which the last one is `(check-sat)`.
    pub fn ask(&mut self, text: &str) -> Reply {
        self.send(text);
        match self.line().as_deref() {
            Some("sat") => Reply::Satisfiable,
            Some("unsat") => Reply::Unsatisfiable,
            Some(other) => {
                self.fail(other.to_string());
                Reply::None
            }
            None => Reply::None,
        }
    }

    /// The values of constants in the last model; `None` if there is no answer.
    pub fn values(&mut self, names: &[String]) -> Option<Vec<u128>> {
        let mut values = Vec::with_capacity(names.len());
        for part in names.chunks(200) {
            self.send(&format!("(get-value ({}))\n", part.join(" ")));
            let answer = self.expression()?;
            match pairs(&answer, part) {
                Some(part) => values.extend(part),
                None => {
                    self.fail(answer);
                    return None;
                }
            }
        }
        assert_eq!(values.len(), names.len(), "a value for each name");
        Some(values)
    }

    fn fail(&mut self, said: String) {
        if self.failure.is_none() && !self.budget.is_over() {
            self.failure = Some(format!("the solver {} said: {}", self.name, said.trim()));
        }
        self.solver = None;
    }

    /// The next line that is not empty; `None` if there is none in time.
    fn line(&mut self) -> Option<String> {
        loop {
            // Now and then it is looked whether anybody still waits for the answer.
            let pause = Instant::now() + PAUSE;
            let until = self.budget.deadline.map_or(pause, |d| d.min(pause));
            match self.solver.as_mut()?.hear(Some(until)) {
                Heard::Line(line) if line.trim().is_empty() => {}
                Heard::Line(line) => return Some(line.trim().to_string()),
                Heard::Late if self.budget.is_over() => self.solver = None,
                Heard::Late => {}
                Heard::Ended => self.fail("nothing, and ended".into()),
            }
        }
    }

    /// The next expression, over as many lines as it takes.
    fn expression(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut open = 0;
        loop {
            let line = self.line()?;
            open += line.matches('(').count() as i64 - line.matches(')').count() as i64;
            text += &line;
            text.push('\n');
            if open <= 0 {
                return Some(text);
            }
        }
    }
}

/// The values in `((name value) …)`, if the names are these.
fn pairs(answer: &str, names: &[String]) -> Option<Vec<u128>> {
    let spaced = answer.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let mut values = Vec::with_capacity(names.len());
    (words.next()? == "(").then_some(())?;
    for name in names {
        (words.next()? == "(" && words.next()? == name).then_some(())?;
        let first = words.next()?;
        // `(_ bv5 32)`; a negative number `(- 5)` is no clock.
        let text = if first == "(" {
            (words.next()? == "_").then_some(())?;
            let value = words.next()?.strip_prefix("bv")?;
            words.next()?;
            (words.next()? == ")").then_some(())?;
            value
        } else {
            first
        };
        values.push(value(text)?);
        (words.next()? == ")").then_some(())?;
    }
    (words.next()? == ")" && words.next().is_none()).then_some(values)
}

fn value(text: &str) -> Option<u128> {
    match (text, text.strip_prefix("#b"), text.strip_prefix("#x")) {
        ("true", ..) => Some(1),
        ("false", ..) => Some(0),
        (_, Some(bits), _) => u128::from_str_radix(bits, 2).ok(),
        (_, _, Some(digits)) => u128::from_str_radix(digits, 16).ok(),
        (number, None, None) => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_solvers_are_read() {
        type Case = (&'static str, &'static [&'static str], Option<&'static [u128]>);
        let cases: &[Case] = &[
            ("((v0 #x0000002a))", &["v0"], Some(&[42])),
            ("((v0 #b101)\n (c0_1 7))\n", &["v0", "c0_1"], Some(&[5, 7])),
            ("((v0 (_ bv5 32)) (cut0 true))", &["v0", "cut0"], Some(&[5, 1])),
            ("((v1 #b1))", &["v0"], None),
            ("((v0 (- 5)))", &["v0"], None),
            ("((v0 #b1) (v1 #b1))", &["v0"], None),
            ("(error \"no model\")", &["v0"], None),
            ("sat", &["v0"], None),
        ];
        for (answer, names, expected) in cases {
            let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
            assert_eq!(pairs(answer, &names).as_deref(), *expected, "{answer}");
        }
    }

    /// Says these lines, whatever is asked.
    struct Parrot(Vec<&'static str>);

    impl Conversation for Parrot {
        fn send(&mut self, _text: &str) -> Result<(), String> {
            Ok(())
        }

        fn hear(&mut self, _deadline: Option<Instant>) -> Heard {
            if self.0.is_empty() { Heard::Ended } else { Heard::Line(self.0.remove(0).into()) }
        }
    }

    fn dialogue(lines: &[&'static str]) -> Dialogue {
        let lines = lines.to_vec();
        let start: Arc<Start> = Arc::new(move || Ok(Box::new(Parrot(lines.clone()))));
        let solver = SmtSolver { name: "parrot".into(), numbers: Numbers::Integers, start };
        Dialogue::start(&solver, &Budget::default()).expect("starts")
    }

    #[test]
    fn answers_are_understood() {
        assert_eq!(dialogue(&["", "sat"]).ask("(check-sat)"), Reply::Satisfiable);
        assert_eq!(dialogue(&["unsat"]).ask("(check-sat)"), Reply::Unsatisfiable);
        let values = dialogue(&["((v0 #b1)", " (v1 #b0))"]).values(&["v0".into(), "v1".into()]);
        assert_eq!(values, Some(vec![1, 0]));
    }

    #[test]
    fn what_is_no_answer_is_no_proof() {
        for (lines, said) in [(vec!["(check-sat)"], "(check-sat)"), (vec![], "ended")] {
            let mut dialogue = dialogue(&lines);
            assert_eq!(dialogue.ask("(check-sat)"), Reply::None);
            assert!(dialogue.failure().expect("failed").contains(said));
        }
    }

    #[test]
    fn an_error_before_the_answer_is_a_failure() {
        let mut dialogue = dialogue(&["(error \"what\")", "unsat"]);
        assert_eq!(dialogue.ask("(check-sat)"), Reply::None);
        assert!(dialogue.failure().expect("failed").contains("what"));
        assert_eq!(dialogue.ask("(check-sat)"), Reply::None);
    }

    /// Says nothing, however long one waits.
    struct Mute;

    impl Conversation for Mute {
        fn send(&mut self, _text: &str) -> Result<(), String> {
            Ok(())
        }

        fn hear(&mut self, deadline: Option<Instant>) -> Heard {
            let until = deadline.expect("nobody listens for ever");
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
            Heard::Late
        }
    }

    #[test]
    fn a_dialogue_can_be_cancelled() {
        let start: Arc<Start> = Arc::new(|| Ok(Box::new(Mute)));
        let solver = SmtSolver { name: "mute".into(), numbers: Numbers::Integers, start };
        let budget = Budget::default();
        let mut dialogue = Dialogue::start(&solver, &budget).expect("starts");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(120));
                budget.cancel();
            });
            assert_eq!(dialogue.ask("(check-sat)"), Reply::None);
        });
        assert_eq!(dialogue.failure(), None, "the solver did nothing wrong");
    }
}
