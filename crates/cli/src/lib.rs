//! The command line of raddle.
//!
//! Reading order: [`args`] and [`options`] (what users can say, the latter from the table of
//! engines), [`check`] (the main command, start to end), [`watch`] (time and memory limits),
//! [`supervise`] (a crash still gives a verdict line), [`load`] (from arguments to a program),
//! [`output`] (to the terminal), [`trace`] and [`replay`], [`certificate`] and [`certify`], [`show`],
//! [`export`] and [`hardware`], [`sequentialize`], [`solver`] (SMT solvers as processes), [`explain`].
//!
//! Exit codes: 0 SAFE, 1 UNSAFE, 3 BOUNDED or UNKNOWN, 2 wrong usage or input, 4 a mistake in
//! raddle itself (the verdict is UNKNOWN then).
//!
//! **Invariant:** the last line on standard output of `check`, `replay` and `certify` is the verdict unless
//! the exit code is 2 or the format is JSON; nothing but the report goes to standard output.

pub mod analysis;
pub mod args;
mod assumptions;
pub mod bundle;
pub mod certificate;
pub mod certify;
pub mod check;
mod clocks;
pub mod explain;
pub mod export;
pub mod hardware;
pub mod interrupt;
pub mod load;
pub mod options;
pub mod output;
pub mod progress;
pub mod replay;
pub mod sequentialize;
pub mod show;
pub mod side_by_side;
pub mod solver;
pub mod supervise;
pub mod trace;
pub mod watch;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::{Cli, Command};

/// Wrong usage or input.
pub const EXIT_INPUT: u8 = 2;
/// A mistake in raddle.
pub const EXIT_INTERNAL: u8 = 4;

/// Whether a file stands where the command should be.
fn names_file(words: &[OsString]) -> bool {
    words.get(1).is_some_and(|word| Path::new(word).is_file())
}

/// A file that stands among the arguments of the program that is checked.
fn swallowed_file(words: &[OsString]) -> Option<&Path> {
    let args = words.iter().position(|word| word == "--args")?;
    let after = words[args + 1..].iter().take_while(|word| *word != "--").map(Path::new);
    after.filter(|path| path.is_file()).last()
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let words = args::normalise(std::env::args_os());
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand && names_file(&words) => {
            let file = words[1].display();
            output::error(&format!("what shall be done with {file}? try: raddle check {file}"));
            return ExitCode::from(EXIT_INPUT);
        }
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            if let Some(file) = swallowed_file(&words) {
                let file = file.display();
                output::error(&format!(
                    "no file is given: all that follows --args goes to the program, {file} too; \
                     the file comes first: raddle check {file} --args ..."
                ));
                return ExitCode::from(EXIT_INPUT);
            }
            error.exit()
        }
        // Wrong usage prints its own message and ends with code 2; --help and --version with 0.
        Err(error) => error.exit(),
    };
    let result = match &cli.command {
        Command::Check(args) if args.unsupervised || args.supervisor.is_some() => check::run(args),
        Command::Check(args) => supervise::run(args, &words),
        Command::Replay(args) => replay::run(args),
        Command::Certify(args) => certify::run(args),
        Command::Show(args) => show::run(args),
        Command::Export(args) => export::run(args),
        Command::Sequentialize(args) => sequentialize::run(args),
        Command::Stubs(args) => load::stubs(&args.input).map(|text| {
            output::write(text.as_bytes());
            0
        }),
        Command::Explain(args) => explain::run(args),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "raddle", &mut text);
            output::write(&text);
            Ok(0)
        }
        Command::Man => explain::manual(),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::error(&format!("{error:#}"));
            ExitCode::from(EXIT_INPUT)
        }
    }
}
