//! Lowers files and prints times, sizes and what is not supported:
//! `cargo run --release -p raddle-frontend --example lower -- [-64] [-p] [-v] files…`
//! (`-p` prints the program, `-v` one line per file).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use raddle_frontend::{Options, load};
use raddle_ir::{Op, Property};

fn main() {
    let mut options = Options {
        pointer_bits: 32,
        checked: Property::SAFETY.into_iter().collect(),
        ..Options::default()
    };
    let (mut print, mut verbose) = (false, false);
    let mut totals = [Duration::ZERO; 3];
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-64" => options.pointer_bits = 64,
            "-p" => print = true,
            "-v" => verbose = true,
            file => match load(&[PathBuf::from(file)], &options) {
                Ok(loaded) => {
                    let p = &loaded.program;
                    if let Err(e) = raddle_ir::validate::validate(p) {
                        println!("INVALID {file}: {e}");
                    }
                    let times = [loaded.times.clang, loaded.times.read, loaded.times.lower];
                    for (total, t) in totals.iter_mut().zip(times) {
                        *total += t;
                    }
                    if verbose {
                        let instrs: usize = p
                            .functions
                            .iter()
                            .flat_map(|f| &f.blocks)
                            .map(|b| b.instrs.len())
                            .sum();
                        println!(
                            "{file}: {times:?} {} functions {instrs} instrs",
                            p.functions.len()
                        );
                    }
                    if print {
                        println!("{}", raddle_ir::print::program(p));
                    }
                    for f in &p.functions {
                        for b in &f.blocks {
                            for i in &b.instrs {
                                if let Op::Unsupported { what } = &i.op {
                                    let at = format!("{file} {}", p.show_place(i.place));
                                    refused.entry(what.clone()).or_default().push(at);
                                }
                            }
                        }
                    }
                }
                Err(e) => println!("ERROR {file}: {e}"),
            },
        }
    }
    println!("clang, read, lower: {totals:?}");
    let mut rows: Vec<_> = refused.into_iter().collect();
    rows.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    for (what, places) in rows {
        println!("{:5} {what}   (first: {})", places.len(), places[0]);
    }
}
