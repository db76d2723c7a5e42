//! What the analyses claim, compared with what executions do.
//!
//! Idea: the interpreter runs programs under random schedules and inputs ([`walk`]); before and
//! after each step every claim about what is seen there is checked ([`claims`]). An analysis that
//! says too much is caught; one that says too little is not (the other tests look at that).
//! Programs: all of `tests/programs`, and generated ones.

mod claims;
mod walk;

use std::path::{Path, PathBuf};

use claims::{Claims, Tally};
use raddle_analysis::Facts;
use raddle_frontend::{Options, load};
use raddle_interp::state::Code;
use raddle_ir::{Program, Property, PropertySet};

/// Runs a program some times; panics where a claim does not hold.
fn observe(name: &str, program: &Program, walks: u64) -> Tally {
    let facts = Facts::new(program);
    let code = Code::new(program);
    let mut tally = Tally::default();
    for seed in 0..walks {
        let mut claims = Claims::new(program, &facts, &code);
        walk::walk(&code, seed, &mut claims);
        assert!(claims.failures.is_empty(), "{name}, walk {seed}:\n{}", claims.failures.join("\n"));
        tally.add(&claims.tally);
    }
    tally
}

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn test_programs() {
    let mut files = Vec::new();
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs"), &mut files);
    files.sort();
    let mut all = Tally::default();
    for path in files {
        let bits = std::fs::read_to_string(&path).expect("a readable file").contains("--32");
        let options = Options {
            checked: Property::SAFETY.into_iter().collect(),
            pointer_bits: if bits { 32 } else { 64 },
            ..Options::default()
        };
        // Programs that are wrong on purpose are the business of other tests.
        if let Ok(loaded) = load(std::slice::from_ref(&path), &options) {
            all.add(&observe(&path.display().to_string(), &loaded.program, 6));
        }
    }
    all.expect_all();
}

#[test]
fn generated_programs() {
    let mut all = Tally::default();
    for seed in 0..400 {
        let checked: PropertySet = Property::SAFETY.into_iter().collect();
        let options = raddle_testgen::generate::Options::new(checked);
        let program = raddle_testgen::generate::program(seed, options);
        all.add(&observe(&format!("seed {seed}"), &program, 10));
    }
    assert!(all.steps > 20_000 && all.accesses > 5_000 && all.parallel > 5_000, "{all:?}");
}
