//! The tables of engines and of their options in README are those of the program: `RADDLE_BLESS=1`
//! writes them anew.

use std::path::Path;

use raddle_engines::options::{EngineOption, Kind};
use raddle_engines::{EngineRow, rows};
use raddle_ir::Property;

/// Where the tables begin and end.
const BEGIN: &str =
    "<!-- engines: written by `RADDLE_BLESS=1 cargo test -p raddle --test tables` -->\n";
const END: &str = "<!-- end of engines -->\n";

fn engine(row: &EngineRow) -> String {
    let all = row.decides == Property::SAFETY;
    let names: Vec<&str> = row.decides.iter().map(|p| p.name()).collect();
    let decides = if all { "all but ltl, starvation".to_string() } else { names.join(", ") };
    let source = if row.source.is_empty() { "" } else { row.source };
    format!("| `{}` | {} | {decides} | {} | {source} |\n", row.name, row.summary, row.bounded)
}

fn option(option: &EngineOption, engines: &[&str]) -> String {
    let value = match option.kind {
        Kind::Flag => String::new(),
        Kind::OneOf(names) => {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            format!(" {}", names.join("\\|"))
        }
        Kind::Bound(..) | Kind::Numbers | Kind::Text => format!(" {}", option.value),
    };
    format!("| `--{}{value}` | {} | {} |\n", option.name, option.help, engines.join(", "))
}

/// Both tables.
fn tables() -> String {
    let mut text =
        "| engine | how it searches | properties | BOUNDED means | source |\n".to_string();
    text += "|---|---|---|---|---|\n";
    text.extend(rows().map(engine));
    text += "\n| option | meaning | engines |\n|---|---|---|\n";
    let mut lines: Vec<(&str, String)> = Vec::new();
    for one in rows().flat_map(|row| row.options) {
        // Engines that mean the same by it share a line.
        let same = |row: &&EngineRow| row.option(one.name).is_some_and(|o| o.help == one.help);
        let engines: Vec<&str> = rows().filter(same).map(|row| row.name).collect();
        let line = (one.name, option(one, &engines));
        if !lines.contains(&line) {
            let after = lines.iter().rposition(|(name, _)| *name == one.name);
            lines.insert(after.map_or(lines.len(), |i| i + 1), line);
        }
    }
    text.extend(lines.into_iter().map(|(_, line)| line));
    let names = |row: &EngineRow| -> Vec<&str> { row.switches.iter().map(|s| s.name).collect() };
    let mut seen: Vec<Vec<&str>> = Vec::new();
    for row in rows().filter(|row| !row.switches.is_empty()) {
        if seen.contains(&names(row)) {
            continue;
        }
        seen.push(names(row));
        let same: Vec<&str> =
            rows().filter(|r| names(r) == names(row)).map(|row| row.name).collect();
        text += &format!(
            "| `--without NAMES` | Switch optimisations off, to measure them: {} | {} |\n",
            names(row).join(", "),
            same.join(", ")
        );
    }
    text
}

#[test]
fn readme_lists_the_engines_and_their_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(&path).expect("README.md");
    let (before, rest) = readme.split_once(BEGIN).expect("the tables begin");
    let (shown, after) = rest.split_once(END).expect("the tables end");
    let tables = tables();
    if shown != tables && std::env::var_os("RADDLE_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{tables}{END}{after}")).expect("writes");
        return;
    }
    assert_eq!(shown, tables, "README.md is not what the table of engines says");
}
