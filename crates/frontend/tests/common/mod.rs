//! Helpers of the tests: C text to a program, and what is in it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use raddle_frontend::{Error, Loaded, Options, load};
use raddle_ir::{Op, Program, Property};

/// A folder of its own for each call.
pub fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("raddle-frontend-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&path).expect("the folder for temporary files is usable");
    path
}

/// Loads files given by name and text.
pub fn load_files(files: &[(&str, &str)], bits: u32) -> Result<Loaded, Error> {
    let folder = folder();
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("the folder for temporary files is usable");
            path
        })
        .collect();
    let checked = Property::SAFETY.into_iter().collect();
    let options = Options { pointer_bits: bits, checked, ..Options::default() };
    let result = load(&paths, &options);
    std::fs::remove_dir_all(&folder).expect("the folder for temporary files is usable");
    result
}

/// The program of one C file.
#[allow(dead_code)]
pub fn lower(c: &str, bits: u32) -> Program {
    match load_files(&[("program.c", c)], bits) {
        Ok(loaded) => {
            raddle_ir::validate::validate(&loaded.program).expect("lowering keeps the invariants");
            loaded.program
        }
        Err(e) => panic!("{e}\n{c}"),
    }
}

/// The text of one function of a program.
#[allow(dead_code)]
pub fn function(program: &Program, name: &str) -> String {
    let all = raddle_ir::print::program(program);
    let start =
        all.find(&format!("function {name}(")).unwrap_or_else(|| panic!("no {name}:\n{all}"));
    let end = all[start..].find("\n}").map_or(all.len(), |e| start + e);
    all[start..end].to_string()
}

/// What is not supported, with the line.
#[allow(dead_code)]
pub fn unsupported(program: &Program) -> Vec<(String, u32)> {
    let instrs = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instrs);
    instrs
        .filter_map(|i| match &i.op {
            Op::Unsupported { what } => Some((what.clone(), i.place.line)),
            _ => None,
        })
        .collect()
}
