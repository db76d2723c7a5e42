//! SMT solvers as processes, for `--solver`.
//!
//! The command is a program on the search path with arguments, given by the user; for well-known
//! solvers the arguments for reading commands as they come are known. A thread reads the answers,
//! so that a deadline can be kept. The engine never sees the process, only a [`Conversation`].

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use raddle_engines::bounded::solver::{Conversation, Heard, Numbers, SmtSolver};

/// Solvers that need arguments to read commands from standard input.
const KNOWN: &[(&str, &[&str])] = &[
    ("z3", &["-in", "-smt2"]),
    ("cvc5", &["--incremental", "--lang=smt2"]),
    ("yices-smt2", &["--incremental"]),
    ("boolector", &["--smt2", "--incremental"]),
];

/// Solvers without integers.
const VECTORS_ONLY: &[&str] = &["bitwuzla", "boolector", "stp"];

/// The solver of a command. Starts it once, to tell at once if that is impossible.
pub fn solver(command: &str) -> anyhow::Result<SmtSolver> {
    let words: Vec<String> = command.split_whitespace().map(String::from).collect();
    let Some(program) = words.first().cloned() else {
        anyhow::bail!("--solver needs the name of an SMT solver, for example z3 or cvc5");
    };
    let name = program.rsplit('/').next().unwrap_or_default().to_string();
    let known = KNOWN.iter().find(|k| k.0 == name && words.len() == 1).map_or(&[][..], |k| k.1);
    let args: Vec<String> =
        words[1..].iter().cloned().chain(known.iter().map(|a| a.to_string())).collect();
    let numbers =
        if VECTORS_ONLY.contains(&name.as_str()) { Numbers::Vectors } else { Numbers::Integers };
    start(&program, &args).map_err(anyhow::Error::msg)?;
    let start = move || start(&program, &args).map(|p| Box::new(p) as Box<dyn Conversation>);
    Ok(SmtSolver { name: command.to_string(), numbers, start: Arc::new(start) })
}

fn start(program: &str, args: &[String]) -> Result<Process, String> {
    let spawned = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = spawned.map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!(
            "there is no solver `{program}` on PATH. On Debian and Ubuntu `apt install z3` or `apt install cvc5` \
             installs one; without --solver raddle uses its own"
        ),
        _ => format!("the solver `{program}` cannot be started: {e}"),
    })?;
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
    Ok(Process { child, input, lines })
}

/// A running solver.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Conversation for Process {
    fn send(&mut self, text: &str) -> Result<(), String> {
        let Some(input) = &mut self.input else { return Err("nothing, and ended".into()) };
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|e| {
            // What it said before it went is more telling than a broken pipe.
            let said = self.lines.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
            if said.is_empty() { e.to_string() } else { said }
        })
    }

    fn hear(&mut self, deadline: Option<Instant>) -> Heard {
        let left = match deadline {
            Some(d) => d.saturating_duration_since(Instant::now()),
            None => Duration::from_secs(1 << 30),
        };
        match self.lines.recv_timeout(left) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Late,
            Err(RecvTimeoutError::Disconnected) => Heard::Ended,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(command: &str) -> Process {
        let words: Vec<String> = command.split_whitespace().map(String::from).collect();
        start(&words[0], &words[1..]).expect("starts")
    }

    #[test]
    fn a_missing_solver_is_named_with_what_to_do() {
        let error = solver("raddle-no-such-solver").expect_err("is not there").to_string();
        assert!(
            error.contains("raddle-no-such-solver") && error.contains("apt install"),
            "{error}"
        );
        assert!(solver(" ").is_err());
    }

    #[test]
    fn lines_go_in_and_come_out() {
        let mut cat = process("cat");
        cat.send("(check-sat)\n").expect("sent");
        assert_eq!(cat.hear(None), Heard::Line("(check-sat)".into()));
        let mut nothing = process("true");
        assert_eq!(nothing.hear(None), Heard::Ended);
    }

    #[test]
    fn deadlines_are_kept() {
        let deadline = Some(Instant::now() + Duration::from_millis(50));
        assert_eq!(process("sleep 100").hear(deadline), Heard::Late);
    }
}
