//! `raddle-testgen`: compares the engines on many random programs.
//!
//! `--help` lists what can be said. Each disagreement is shrunk and written to the folder.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use raddle_ir::{Program, Property, PropertySet};
use raddle_testgen::compare::{Comparison, Mismatch, compare};
use raddle_testgen::generate::{Kind, Options};
use raddle_testgen::limits::{Bound, Choice, Limits};
use raddle_testgen::shrink::shrink;
use raddle_testgen::{c_text, generate, jobs};

const HELP: &str = "\
Compares the engines with the interpreter on random programs.

  cargo run --release -p raddle-testgen -- [OPTIONS]

  --count N, --start SEED     how many programs, from which seed on (1000, 0)
  --kind K                    what they are about [default: all kinds, by their weights]
  --c                         C programs instead of programs of the model
  --inputs, --lifetimes, --waits
                              inputs with any value; objects that die; conditions, semaphores, barriers
  --properties A,B            what is checked [default: all but those about infinite executions]
  --engine NAME               compare this engine only
  --bound OPTION=N            the same bound for all engines that have it
  --choose OPTION[=NAME]      an option of an engine, as for `raddle check`
  --without A,B               switch optimisations off
  --executions N, --seconds N most executions of the interpreter (2000), most time of an engine (10)
  --jobs N                    compare the default engine with one job and with N instead
  --out FOLDER                where disagreements are written [default: printed]
  --first                     stop at the first one, and leave it as it is
  --show                      print each program
";

struct Arguments {
    start: u64,
    count: u64,
    c: bool,
    show: bool,
    first: bool,
    options: Options,
    limits: Limits,
    jobs: Option<usize>,
    out: Option<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let options = Options::new(Property::SAFETY.into_iter().collect());
    let limits = Limits::default();
    let mut all = Arguments {
        start: 0,
        count: 1000,
        c: false,
        show: false,
        first: false,
        options,
        limits,
        jobs: None,
        out: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
        match word.as_str() {
            "--start" => all.start = number(value()?)?,
            "--count" => all.count = number(value()?)?,
            "--c" => all.c = true,
            "--show" => all.show = true,
            "--first" => all.first = true,
            "--kind" => all.options.kind = Some(kind(&value()?)?),
            "--inputs" => all.options.external_inputs = true,
            "--waits" => all.options.waits = true,
            "--lifetimes" => all.options.lifetimes = true,
            "--executions" => all.limits.executions = number(value()?)?,
            "--seconds" => all.limits.time = Duration::from_secs(number(value()?)?),
            "--bound" => {
                let text = value()?;
                let bound = Bound::parse(&text).ok_or(format!("no bound {text}"))?;
                all.limits.bound = Some(bound);
            }
            "--choose" => {
                let text = value()?;
                let choice = Choice::parse(&text).ok_or(format!("no choice {text}"))?;
                all.limits.choices.push(choice);
            }
            "--without" => all.limits.without = value()?.split(',').map(String::from).collect(),
            "--engine" => all.limits.engine = Some(engine(&value()?)?),
            "--jobs" => all.jobs = Some(number(value()?)? as usize),
            "--out" => all.out = Some(PathBuf::from(value()?)),
            "--properties" => all.options.checked = properties(&value()?)?,
            other => return Err(format!("what is {other}?")),
        }
    }
    Ok(all)
}

fn kind(name: &str) -> Result<Kind, String> {
    let names: Vec<&str> = Kind::ALL.iter().map(|row| row.1).collect();
    Kind::from_name(name).ok_or(format!("no kind {name}; there are {}", names.join(", ")))
}

fn engine(name: &str) -> Result<&'static str, String> {
    let row = raddle_engines::ENGINES.iter().find(|row| row.name == name);
    row.map(|row| row.name).ok_or(format!("no engine {name}"))
}

fn properties(names: &str) -> Result<PropertySet, String> {
    let one = |name| Property::from_name(name).ok_or(format!("no property {name}"));
    names.split(',').map(one).collect()
}

fn read_c(text: &str, checked: PropertySet) -> Result<Program, String> {
    let name = format!("raddle-testgen-{}.c", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).map_err(|e| e.to_string())?;
    let options = raddle_frontend::Options { checked, ..Default::default() };
    let loaded = raddle_frontend::load(std::slice::from_ref(&path), &options);
    std::fs::remove_file(&path).map_err(|e| e.to_string())?;
    let mut loaded = loaded.map_err(|e| e.to_string())?;
    raddle_properties::instrument(&mut loaded.program, checked);
    Ok(loaded.program)
}

fn compare_one(all: &Arguments, program: &Program, limits: &Limits) -> Comparison {
    match all.jobs {
        Some(jobs) => jobs::compare(program, limits, jobs),
        None => compare(program, limits),
    }
}

/// Shrinks a failing program and writes it down.
fn report(all: &Arguments, seed: u64, program: &Program, source: Option<&str>, found: &Mismatch) {
    let limits = Limits { time: Duration::from_secs(2), ..all.limits.clone() };
    let same = |p: &Program| matches!(compare_one(all, p, &limits), Comparison::Mismatch(m) if m.kind == found.kind && m.engine == found.engine);
    let small = match source {
        Some(_) => program.clone(),
        None => shrink(program, Duration::from_secs(20), same),
    };
    let text = match source {
        Some(source) => source.to_string(),
        None => raddle_ir::print::program(&small),
    };
    let again = match compare_one(all, &small, &limits) {
        Comparison::Mismatch(m) => m.text,
        Comparison::Safe
        | Comparison::Unsafe
        | Comparison::Open
        | Comparison::Skipped
        | Comparison::Undecided(_) => "no longer fails".into(),
    };
    let report = format!(
        "seed {seed}: {} {:?}\n{}\nshrunk: {again}\n\n{text}\n",
        found.engine, found.kind, found.text
    );
    match all.out.as_deref() {
        None => println!("{report}"),
        Some(folder) => {
            let path = folder.join(format!("{seed}.txt"));
            match std::fs::write(&path, &report) {
                Ok(()) => println!(
                    "seed {seed}: {} {:?}, see {}",
                    found.engine,
                    found.kind,
                    path.display()
                ),
                Err(e) => println!("{e}\n{report}"),
            }
        }
    }
}

fn run(all: &Arguments) -> ExitCode {
    let start = Instant::now();
    let (mut safe, mut broken, mut open, mut skipped, mut mismatches) = (0, 0, 0, 0, 0);
    let mut undecided: Vec<(u64, String)> = Vec::new();
    for seed in all.start..all.start + all.count {
        let source = all.c.then(|| c_text::program(seed));
        let program = match &source {
            None => generate::program(seed, all.options),
            Some(text) => match read_c(text, all.options.checked) {
                Ok(program) => program,
                Err(e) => {
                    println!("seed {seed}: {e}\n{text}");
                    return ExitCode::FAILURE;
                }
            },
        };
        if all.show {
            println!("{}", source.clone().unwrap_or(raddle_ir::print::program(&program)));
        }
        match compare_one(all, &program, &all.limits) {
            Comparison::Safe => safe += 1,
            Comparison::Unsafe => broken += 1,
            Comparison::Open => open += 1,
            Comparison::Skipped => skipped += 1,
            Comparison::Undecided(why) => undecided.push((seed, why)),
            Comparison::Mismatch(found) if all.first => {
                let tried = seed - all.start + 1;
                println!("seed {seed}, program {tried}: {:?}\n{}", found.kind, found.text);
                return ExitCode::FAILURE;
            }
            Comparison::Mismatch(found) => {
                mismatches += 1;
                report(all, seed, &program, source.as_deref(), &found);
            }
        }
    }
    for (seed, why) in undecided.iter().take(20) {
        println!("seed {seed}: undecided: {why}");
    }
    println!(
        "{} programs in {:.1} s: {safe} safe, {broken} unsafe, {open} open, {skipped} skipped, {} undecided, \
         {mismatches} mismatches",
        all.count,
        start.elapsed().as_secs_f64(),
        undecided.len(),
    );
    if mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let all = match arguments() {
        Ok(all) => all,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    // Engines recurse: a stack as in the tool itself.
    let worker = std::thread::Builder::new().stack_size(16 << 20).spawn(move || run(&all));
    worker.expect("a thread can be started").join().unwrap_or(ExitCode::FAILURE)
}
