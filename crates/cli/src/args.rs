//! The command line: what users can say, and the words that explain it.
//!
//! Options of clang that people write with one dash and several letters (`-std=c11`, `-m32`,
//! `-pthread`) are no options in the usual grammar; [`normalise`] rewrites them before parsing.
//! Everything after `--` goes to clang unchanged.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use raddle_frontend::Arguments;
use raddle_ir::CommandLines;
use raddle_ir::linear::Fairness;

use crate::options::{self, EngineArgs};
use crate::sequentialize::{self, SequentializeArgs};

const EXAMPLES: &str = "\
Examples:
  raddle check prog.c                          look for assertion failures, races, deadlocks,
                                               memory errors and lock misuse
  raddle check --property races a.c b.c        only data races, in a program of two files
  raddle check --engine explore prog.c         run every interleaving of a small program
  raddle check -I include -DN=3 -std=c11 p.c   options for clang, as you know them
  raddle check p.c -- -include config.h        anything else for clang comes after `--`
  raddle check --trace bug.trace prog.c        keep the failing run …
  raddle replay bug.trace                      … and see it again
  raddle check --engine circuit --certificate proof prog.c
                                               keep the proof of a program with endless loops …
  raddle certify proof                         … and check it
  raddle explain races                         what exactly a property means

The last line of the output is the verdict, the exit code says the same:
  VERDICT: SAFE      proved for all executions                       0
  VERDICT: UNSAFE    at least one bug, each replayed step by step    1
  VERDICT: BOUNDED   nothing found within the printed bounds         3
  VERDICT: UNKNOWN   no answer, the reason is printed                3
  (error message)    wrong usage or input                            2";

const CHECK_EXAMPLES: &str = "\
Examples:
  raddle check prog.c
  raddle check --property assertions,races --time 60 prog.c
  raddle check --property no-data-race.prp --32 prog.i
  raddle check --unwind 5 prog.c               loops at most 5 times, then VERDICT: BOUNDED
  raddle check --format json prog.c            for programs that read the result
  raddle check build/compile_commands.json     the files and options of a build

What the program needs: a `main`; everything it calls has a body in the given files or is a
function of the C library, pthread.h, semaphore.h, threads.h or stdatomic.h that raddle models.
Inputs are __VERIFIER_nondet_int() and its relatives, rand(), getchar(), time() and the like.";

/// A model checker for multithreaded C programs.
///
/// raddle searches all interleavings of a program that uses pthreads, C11 threads or atomics. It
/// shows one that breaks the program, which you can read and run again, or says how far it has
/// proved that there is none.
#[derive(Parser, Debug)]
#[command(name = "raddle", version, max_term_width = 100, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a program for bugs in all its interleavings
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Box<CheckArgs>),
    /// Run a recorded failing execution again and show it
    Replay(ReplayArgs),
    /// Check that a certificate is a proof of a program
    Certify(CertifyArgs),
    /// Print what raddle makes of a program, stage by stage
    Show(ShowArgs),
    /// Write the formula of a program for other solvers, or its circuit for other model checkers
    Export(ExportArgs),
    /// Write a sequential C program that fails iff the concurrent one does, for other verifiers
    #[command(after_help = sequentialize::EXAMPLES)]
    Sequentialize(SequentializeArgs),
    /// Print a C file with a body for each function of a program that has none: any result
    Stubs(StubsArgs),
    /// Explain a property: its meaning, an example, how to repair such a bug
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page (troff): raddle man | man -l -
    Man,
}

/// What a call of a function without a body does.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Undefined {
    Refuse,
    Any,
}

/// Which infinite executions count.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FairnessArg {
    None,
    Weak,
    Strong,
}

impl From<FairnessArg> for Fairness {
    fn from(given: FairnessArg) -> Fairness {
        match given {
            FairnessArg::None => Fairness::None,
            FairnessArg::Weak => Fairness::Weak,
            FairnessArg::Strong => Fairness::Strong,
        }
    }
}

/// `raddle stubs`.
#[derive(Args, Debug, Clone)]
pub struct StubsArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,
}

/// What is checked and how it is read: the same for all commands that take C files.
#[derive(Args, Debug, Clone)]
pub struct InputArgs {
    /// C files (.c, .i), LLVM IR (.ll, .bc) or compile_commands.json; several files are linked
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Properties: a list of names (see `raddle explain`), an SV-COMP name or a .prp file
    ///
    /// Checked without this option: assertions, reach-error, races, deadlocks, memory, locks. Not
    /// so: overflow, leaks, lost-memory, starvation, ltl (see --ltl). SV-COMP: unreach-call,
    /// no-data-race, valid-memsafety, valid-memcleanup, no-overflow. Can be given several times.
    #[arg(short, long, value_name = "NAMES")]
    pub property: Vec<String>,

    /// Formula of linear-time temporal logic that every infinite execution shall satisfy
    ///
    /// Operators: G F X U R W ! && || -> <->. Atoms are C expressions over global variables,
    /// at(label), at(function), terminated(function). Can be given several times. Without --property
    /// nothing else is checked. Example:
    /// --ltl 'G (request == 1 -> F (grant == 1))'
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub ltl: Vec<String>,

    /// File of such formulas, one on each line; `#` and `//` begin a comment
    #[arg(long, value_name = "FILE")]
    pub ltl_file: Vec<PathBuf>,

    /// Which infinite executions count [default: weak]
    ///
    /// none: all. weak: those in which a thread makes steps that can go on from some moment on.
    /// strong: those in which a thread makes steps that can go on again and again.
    #[arg(long, value_enum, value_name = "HOW")]
    pub fairness: Option<FairnessArg>,

    /// 32-bit machine (int, long and pointers of 4 bytes)
    #[arg(long = "32", overrides_with = "bits_64")]
    pub bits_32: bool,

    /// 64-bit machine (the default)
    #[arg(long = "64", overrides_with = "bits_32")]
    pub bits_64: bool,

    /// Folder with header files, as for clang
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Macro definition, as for clang
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// C standard, as for clang (written -std=c11 or --std c11)
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<String>,

    /// Accesses of volatile variables count as atomic ones, for old code that relies on it
    #[arg(long)]
    pub volatile_is_atomic: bool,

    /// Library functions that may fail: malloc (all that allocate), pthread_create (and thrd_create)
    ///
    /// The others never do; a report of SAFE or BOUNDED says so where a program relies on it.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(raddle_frontend::MAY_FAIL))]
    pub may_fail: Vec<String>,

    /// What `main` is called with: all that follows, up to `--`
    ///
    /// Without it the arguments are inputs of the program: any number and contents up to a bound
    /// (--max-args, --max-arg-length) that the report names.
    #[arg(long, value_name = "ARGUMENT", num_args = 0.., allow_hyphen_values = true)]
    pub args: Option<Vec<String>>,

    /// Most arguments of `main` that are tried, if it looks at them
    #[arg(long, value_name = "N", default_value_t = Arguments::DEFAULT.most, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub max_args: u32,

    /// Most characters of each of them
    #[arg(long, value_name = "N", default_value_t = Arguments::DEFAULT.length, value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub max_arg_length: u32,

    /// Label that must not be reached, as `reach_error` (property reach-error)
    #[arg(long, value_name = "LABEL")]
    pub error_label: Vec<String>,

    /// What a call of a function without a body does: no verdict (refuse), or anything (any)
    ///
    /// With `any` it gives any result, and what its parameters point to has any content afterwards,
    /// unless it is constant. The best verdict is then BOUNDED. `raddle stubs` prints what is done.
    #[arg(long, value_enum, default_value_t = Undefined::Refuse, value_name = "HOW")]
    pub undefined: Undefined,

    /// The clang to use [default: the newest clang on PATH; 15 or newer is needed]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// Further arguments for clang
    #[arg(last = true, value_name = "CLANG ARGS")]
    pub clang_args: Vec<String>,
}

impl InputArgs {
    /// Width of an address.
    pub fn pointer_bits(&self) -> u32 {
        if self.bits_32 { 32 } else { 64 }
    }

    /// What `main` is called with.
    pub fn arguments(&self) -> Arguments {
        match &self.args {
            Some(given) => Arguments::Given(given.clone()),
            None => {
                Arguments::Any(CommandLines { most: self.max_args, length: self.max_arg_length })
            }
        }
    }

    /// All arguments for clang, in the order -I, -D, -std, the rest.
    pub fn all_clang_args(&self) -> Vec<String> {
        let include = self.include.iter().map(|dir| format!("-I{dir}"));
        let define = self.define.iter().map(|macro_| format!("-D{macro_}"));
        let standard = self.standard.iter().map(|name| format!("-std={name}"));
        include.chain(define).chain(standard).chain(self.clang_args.iter().cloned()).collect()
    }
}

/// How a report is written.
#[derive(Args, Debug, Clone)]
pub struct OutputArgs {
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Colours in the report
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,

    /// Show every step of a failing execution, and more figures
    #[arg(short, long)]
    pub verbose: bool,

    /// Only the headline of each finding and the verdict; no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// Options of `raddle check`.
#[derive(Args, Debug, Clone)]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub input: InputArgs,

    /// How to search
    #[arg(short, long, default_value = raddle_engines::AUTO.name, value_parser = options::engine_names())]
    #[arg(long_help = options::engines_help())]
    pub engine: String,

    /// Seconds until raddle gives up with VERDICT: UNKNOWN; 0 for no limit
    #[arg(short, long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    pub time: f64,

    /// Megabytes of memory until raddle gives up with VERDICT: UNKNOWN; 0 for no limit
    ///
    /// Without it: nine tenths of the machine's memory. A limit on the address space (`ulimit -v`)
    /// is respected as well.
    #[arg(short, long, value_name = "MB")]
    pub memory: Option<u64>,

    /// Stop at the first finding
    #[arg(long)]
    pub first: bool,

    /// With 1, the default engine looks at one group of properties after the other
    ///
    /// Otherwise it looks at all of them side by side. The answers are the same. [default: the
    /// number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub jobs: Option<usize>,

    /// Write the most serious failing execution to a file, for `raddle replay`
    ///
    /// Further findings go to FILE with a number before its ending: bug.trace, bug.2.trace, …
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: EngineArgs,

    /// Work in this process instead of in a child that is watched (for debuggers and profilers)
    #[arg(long, hide = true)]
    pub unsupervised: bool,

    /// The process that watches this one; when it is gone, so is this one
    #[arg(long, hide = true, value_name = "PID")]
    pub supervisor: Option<u32>,
}

/// Options of `raddle replay`.
#[derive(Args, Debug, Clone)]
pub struct ReplayArgs {
    /// Witness of a model checker for the circuit of `raddle export --aiger`, in the AIGER format
    ///
    /// Then the files and options are those of the program, as given to `raddle export`. Without it the
    /// only file is a trace written by `raddle check --trace`, which knows its options.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub input: InputArgs,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

/// Options of `raddle certify`.
#[derive(Args, Debug, Clone)]
pub struct CertifyArgs {
    /// A file written by `raddle check --engine circuit --certificate`
    #[arg(value_name = "CERTIFICATE")]
    pub file: PathBuf,

    /// The files of the program [default: those that the certificate names]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Seconds until raddle gives up with VERDICT: UNKNOWN; 0 for no limit
    #[arg(short, long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    pub time: f64,

    /// Megabytes of memory until raddle gives up with VERDICT: UNKNOWN; 0 for no limit
    #[arg(short, long, value_name = "MB")]
    pub memory: Option<u64>,

    /// The clang to use [default: the one that the program was checked with, or the newest on PATH]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

/// Options of `raddle show`.
#[derive(Args, Debug, Clone)]
pub struct ShowArgs {
    /// Which stage
    #[arg(long, value_enum, default_value_t = Stage::Program)]
    pub stage: Stage,

    /// Most iterations of each loop (skeleton)
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub unwind: u32,

    /// Only functions whose name contains this text (program)
    #[arg(long, value_name = "TEXT")]
    pub function: Option<String>,

    /// Also the bodies of library functions (program)
    #[arg(long)]
    pub models: bool,

    /// As a graph for Graphviz (automata)
    #[arg(long)]
    pub dot: bool,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub input: InputArgs,
}

/// Options of `raddle export`.
#[derive(Args, Debug, Clone)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["smtlib", "aiger", "btor2"])))]
pub struct ExportArgs {
    /// As SMT-LIB 2, with a clock for each step; `sat` means that a property is violated
    #[arg(long)]
    pub smtlib: bool,

    /// As a circuit with a latch for each bit, AIGER 1.9: binary if the name of the output ends in .aig
    ///
    /// Loops are not unrolled. There is a bad state for each property, and one for the end of the
    /// circuit: more threads, objects or recursion than it has, or something that is not modelled.
    #[arg(long)]
    pub aiger: bool,

    /// The same circuit as BTOR2
    #[arg(long)]
    pub btor2: bool,

    /// Most iterations of each loop (--smtlib)
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub unwind: u32,

    /// Most context switches (--smtlib) [default: any number]
    #[arg(long, value_name = "N")]
    pub contexts: Option<u32>,

    /// Switch optimisations of the engine staged off (--smtlib)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::staged_switch_names())]
    pub without: Vec<String>,

    /// Clocks are bit-vectors (logic QF_BV) instead of integers (--smtlib)
    #[arg(long)]
    pub vectors: bool,

    /// Where to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub input: InputArgs,
}

/// Options of `raddle explain`.
#[derive(Args, Debug, Clone)]
pub struct ExplainArgs {
    /// The property; without it all are listed
    pub property: Option<String>,
}

/// Forms of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// JSON (docs/json.md)
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Stages of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// What clang makes of the files
    Llvm,
    /// The program model: functions as graphs of small instructions
    Program,
    /// What static analysis knows: threads, sharing, pointers, locks, parallel lines, loops
    Analysis,
    /// The parts of memory that threads share
    Cells,
    /// The events that are left of each thread
    Skeleton,
    /// Threads as automata: control states with guards and updates
    Automata,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1e9).contains(&value) => Ok(value),
        Ok(_) | Err(_) => Err("a number of seconds is expected, 0 for no limit".into()),
    }
}

/// Rewrites options that clang users write with one dash, up to `--`.
pub fn normalise(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut after_dashes = false;
    let mut result = Vec::new();
    for arg in args {
        let Some(text) = arg.to_str().filter(|_| !after_dashes) else {
            result.push(arg);
            continue;
        };
        match text {
            "--" => {
                after_dashes = true;
                result.push(arg);
            }
            "-m32" => result.push("--32".into()),
            "-m64" => result.push("--64".into()),
            // Whether the program is linked with threads makes no difference here.
            "-pthread" => {}
            _ if text.starts_with("-std=") => result.push(format!("-{text}").into()),
            _ => result.push(arg),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<CheckArgs, clap::Error> {
        let words = normalise(line.split_whitespace().map(OsString::from));
        match Cli::try_parse_from(words)?.command {
            Command::Check(args) => Ok(*args),
            other => panic!("not a check: {other:?}"),
        }
    }

    #[test]
    fn grammar_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_and_readme_name_every_property() {
        let mut command = Cli::command();
        let check = command.find_subcommand_mut("check").expect("there is one");
        let help = check.render_long_help().to_string();
        let readme = include_str!("../../../README.md");
        for property in raddle_ir::Property::ALL {
            let name = property.name();
            assert!(help.contains(name), "{name} is missing in\n{help}");
            assert!(readme.contains(&format!("| `{name}` |")), "{name} is missing in the README");
        }
    }

    #[test]
    fn clang_options_are_understood() {
        let cases: &[(&str, u32, &[&str])] = &[
            ("raddle check a.c", 64, &[]),
            ("raddle check -m32 a.c", 32, &[]),
            ("raddle check --32 --64 a.c", 64, &[]),
            ("raddle check -std=c11 a.c", 64, &["-std=c11"]),
            ("raddle check --std c11 a.c", 64, &["-std=c11"]),
            (
                "raddle check -I inc -Iother -DN=3 -D M a.c",
                64,
                &["-Iinc", "-Iother", "-DN=3", "-DM"],
            ),
            ("raddle check -pthread a.c -- -std=c99 -m32", 64, &["-std=c99", "-m32"]),
        ];
        for (line, bits, clang) in cases {
            let args = parse(line).expect(line);
            assert_eq!(args.input.pointer_bits(), *bits, "{line}");
            assert_eq!(args.input.all_clang_args(), *clang, "{line}");
            assert_eq!(args.input.files, [PathBuf::from("a.c")], "{line}");
        }
    }

    #[test]
    fn limits_and_inputs() {
        let args = parse("raddle check --inputs -1,0,7 --time 0.5 a.c").expect("parses");
        assert_eq!(args.options.given.numbers(&raddle_engines::explore::INPUTS), [-1, 0, 7]);
        assert_eq!(args.time, 0.5);
        for wrong in ["--time x", "--time -1", "--engine magic", "--without magic", "--unwind -3"] {
            assert!(parse(&format!("raddle check {wrong} a.c")).is_err(), "{wrong}");
        }
        assert!(parse("raddle check").is_err());
    }
}
