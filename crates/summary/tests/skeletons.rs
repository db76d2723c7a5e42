//! Small C programs and their exact skeletons.
//!
//! Each `tests/skeletons/*.c` has its skeleton beside it as `.txt`. The first lines of a program
//! say what it shows, and with what it is summarised: `// property: deadlocks` (assertions unless
//! given), `// unwind: 1` (2 unless given). `RADDLE_BLESS=1 cargo test -p raddle-summary` rewrites
//! the texts; their diff is read like code.

use std::path::{Path, PathBuf};

use raddle_frontend::{Options, load};
use raddle_ir::PropertySet;
use raddle_summary::{Knowledge, Limits, Printer, Summary, summarise};

/// Deep enough that hardly a term of these programs is cut.
const LEVELS: u32 = 12;

fn setting<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    source.lines().find_map(|l| l.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "))
}

fn skeleton(path: &Path) -> String {
    let source = std::fs::read_to_string(path).expect("a readable file");
    let property = setting(&source, "property").unwrap_or("assertions");
    let unwind = setting(&source, "unwind").map_or(2, |n| n.parse().expect("a number"));
    let checked = raddle_properties::parse(property).expect("properties");
    let checked = checked.iter().fold(PropertySet::EMPTY, PropertySet::with);
    let options = Options { checked, ..Options::default() };
    let mut program = load(&[path.to_path_buf()], &options).expect("valid C").program;
    raddle_properties::instrument(&mut program, checked);
    let mut knowledge = Knowledge::new(&program);
    let limits = Limits { unwind, ..Limits::default() };
    let Summary { skeleton, terms } =
        summarise(&program, &mut knowledge, &limits).expect("there is no deadline");
    let (program, knowledge, terms, skeleton) = (&program, &knowledge, &terms, &skeleton);
    Printer { program, knowledge, terms, skeleton, levels: LEVELS }.skeleton()
}

#[test]
fn programs_have_these_skeletons() {
    // Relative, because paths are part of the text.
    let folder = Path::new("tests/skeletons");
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut programs: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    programs.retain(|p| p.extension().is_some_and(|e| e == "c"));
    programs.sort();
    assert!(programs.len() >= 30, "only {} programs in {}", programs.len(), folder.display());
    let bless = std::env::var_os("RADDLE_BLESS").is_some();
    let mut different = Vec::new();
    for path in &programs {
        let (found, beside) = (skeleton(path), path.with_extension("txt"));
        if bless {
            std::fs::write(&beside, &found).expect("a writable file");
            continue;
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
            let line = line.unwrap_or(found.lines().count().min(expected.lines().count()));
            different.push(format!(
                "{}, line {}:\n  is  {}\n  was {}",
                beside.display(),
                line + 1,
                found.lines().nth(line).unwrap_or("(nothing)"),
                expected.lines().nth(line).unwrap_or("(nothing)"),
            ));
        }
    }
    assert!(different.is_empty(), "\n{}\n", different.join("\n"));
}
