//! An SMT solver as a process: commands go in, answers come out.
//!
//! The command is a program on the search path with arguments, given by the user; for well-known solvers
//! the arguments for reading commands as they come are known. A thread reads the answers, so that a deadline can be kept.
//! Whatever is not exactly the expected answer is a failure, after which the process is ended and nothing it
//! said since is used: an error message followed by `unsat` must not become a proof.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::smtlib::Clocks;

/// Solvers that need arguments to read commands from standard input.
const KNOWN: &[(&str, &[&str])] = &[
    ("z3", &["-in", "-smt2"]),
    ("cvc5", &["--incremental", "--lang=smt2"]),
    ("yices-smt2", &["--incremental"]),
    ("boolector", &["--smt2", "--incremental"]),
];

/// Solvers without integers.
const VECTORS_ONLY: &[&str] = &["bitwuzla", "boolector", "stp"];

/// What the solver says to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reply {
    Satisfiable,
    Unsatisfiable,
    /// The time is up, or see [`Process::failure`].
    None,
}

/// A running solver.
pub struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    deadline: Option<Instant>,
    failure: Option<String>,
}

/// The program of a command.
fn program(command: &str) -> &str {
    command.split_whitespace().next().unwrap_or_default()
}

/// The kind of clocks that a solver takes.
pub fn clocks(command: &str) -> Clocks {
    let name = program(command).rsplit('/').next().unwrap_or_default();
    if VECTORS_ONLY.contains(&name) { Clocks::Vectors } else { Clocks::Integers }
}

/// Whether the solver can be started; if not, the reason.
pub fn available(command: &str) -> Result<(), String> {
    Process::start(command, None).map(drop)
}

impl Process {
    /// Starts a solver.
    pub fn start(command: &str, deadline: Option<Instant>) -> Result<Process, String> {
        let name = program(command).to_string();
        let given: Vec<&str> = command.split_whitespace().skip(1).collect();
        let last = name.rsplit('/').next().unwrap_or_default();
        let known = KNOWN.iter().find(|k| k.0 == last && given.is_empty()).map_or(&[][..], |k| k.1);
        let mut child = Command::new(&name)
            .args(given.iter().chain(known))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("the solver `{name}` cannot be started: {e}"))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output was piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { name, child, input, lines, deadline, failure: None })
    }

    /// Why the answers are not to be relied upon, if so.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Sends commands that have no answer.
    pub fn send(&mut self, text: &str) {
        let Some(input) = &mut self.input else { return };
        if let Err(e) = input.write_all(text.as_bytes()).and_then(|()| input.flush()) {
            // What it said before it went is more telling than a broken pipe.
            let said = self.lines.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
            self.fail(if said.is_empty() { e.to_string() } else { said });
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
        Some(values)
    }

    fn fail(&mut self, said: String) {
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        if self.failure.is_none() && !late {
            self.failure = Some(format!("the solver {} said: {}", self.name, said.trim()));
        }
        self.end();
    }

    /// The next line that is not empty; `None` if there is none in time.
    fn line(&mut self) -> Option<String> {
        loop {
            self.input.as_ref()?;
            let left = match self.deadline {
                Some(d) => d.saturating_duration_since(Instant::now()),
                None => Duration::from_secs(1 << 30),
            };
            match self.lines.recv_timeout(left) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Some(line.trim().to_string()),
                Err(RecvTimeoutError::Timeout) => {
                    self.end();
                    return None;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.fail("nothing, and ended".into());
                    return None;
                }
            }
        }
    }

    /// The next expression, over as many lines as it takes.
    fn expression(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            text += &self.line()?;
            text.push('\n');
            let open = text.matches('(').count();
            if open <= text.matches(')').count() {
                return Some(text);
            }
        }
    }

    fn end(&mut self) {
        self.input = None;
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
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

    #[test]
    fn what_is_no_solver_is_no_proof() {
        assert!(available("raddle-no-such-solver").is_err());
        for (command, said) in [("cat", "(check-sat)"), ("true", "")] {
            let mut process = Process::start(command, None).expect("starts");
            assert_eq!(process.ask("(check-sat)\n"), Reply::None, "{command}");
            assert!(process.failure().expect("failed").contains(said), "{command}");
        }
    }

    #[test]
    fn an_error_before_the_answer_is_a_failure() {
        let mut process = Process::start("sh -s", None).expect("starts");
        assert_eq!(process.ask("echo '(error \"what\")'; echo unsat\n"), Reply::None);
        assert!(process.failure().expect("failed").contains("what"));
        assert_eq!(process.ask("echo unsat\n"), Reply::None);
    }

    #[test]
    fn deadlines_are_kept() {
        let deadline = Some(Instant::now() + Duration::from_millis(50));
        let mut process = Process::start("sleep 100", deadline).expect("starts");
        assert_eq!(process.ask("(check-sat)\n"), Reply::None);
        assert_eq!(process.failure(), None);
    }
}
