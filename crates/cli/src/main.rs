//! The program `raddle`; see the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    raddle_cli::main()
}
