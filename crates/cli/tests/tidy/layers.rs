//! The crates and what they use: the page, cargo and the sources say the same.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::sources::{self, File};
use crate::{assert_none, page, root};

/// A package of the workspace as cargo sees it.
struct Package {
    /// Its name on the page: the name of its folder.
    name: String,
    /// Names of packages that it needs to be built, and to be tested.
    needs: BTreeSet<String>,
    needs_for_tests: BTreeSet<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let package = |package: &serde_json::Value| {
        let manifest = package["manifest_path"].as_str().expect("a path");
        let folder = manifest.rsplit('/').nth(1).expect("a manifest lies in a folder");
        let needs = |tests: bool| {
            let all = package["dependencies"].as_array().expect("dependencies").iter();
            let some = all.filter(|d| (d["kind"] == "dev") == tests);
            some.map(|d| d["name"].as_str().expect("a name").to_string()).collect()
        };
        Package { name: folder.into(), needs: needs(false), needs_for_tests: needs(true) }
    };
    data["packages"].as_array().expect("packages").iter().map(package).collect()
}

#[test]
fn the_page_names_the_crates_and_their_uses() {
    let page = page::read();
    let packages = packages();
    let mut complaints = Vec::new();
    for package in &packages {
        let Some((_, uses)) = page.crates.iter().find(|(name, _)| *name == package.name) else {
            complaints.push(format!("{} is not on the page", package.name));
            continue;
        };
        let ours = package.needs.iter().filter_map(|n| n.strip_prefix("raddle-"));
        let ours: BTreeSet<String> = ours.map(str::to_string).collect();
        if ours != *uses {
            let name = &package.name;
            complaints.push(format!("{name} uses {ours:?}; the page says {uses:?}"));
        }
    }
    for (i, (name, uses)) in page.crates.iter().enumerate() {
        if !packages.iter().any(|p| p.name == *name) {
            complaints.push(format!("{name} is on the page only"));
        }
        let above = |used: &String| page.crates[..i].iter().any(|(n, _)| n == used);
        for used in uses.iter().filter(|used| !above(used)) {
            complaints.push(format!("{name} uses {used}, which is not above it"));
        }
    }
    assert_none(&complaints);
}

/// A crate and everything that it uses, by way of others as well.
fn closure(crates: &BTreeMap<String, BTreeSet<String>>, name: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::from([name.to_string()]);
    let mut work = vec![name.to_string()];
    while let Some(next) = work.pop() {
        work.extend(crates[&next].iter().filter(|used| all.insert((*used).clone())).cloned());
    }
    all
}

#[test]
fn the_referee_shares_only_the_program_model_with_the_players() {
    let crates: BTreeMap<_, _> = page::read().crates.into_iter().collect();
    let referee = closure(&crates, "interp");
    for player in ["summary", "order", "blast"] {
        let player = closure(&crates, player);
        let shared: Vec<&String> = referee.intersection(&player).collect();
        assert!(shared.iter().all(|name| *name == "ir"), "{shared:?}");
    }
    // Who checks proofs shares terms and solvers with those who find them, and no steps.
    let checker = closure(&crates, "certificate");
    for finder in ["analysis", "summary", "automaton", "reach", "engines"] {
        assert!(!checker.contains(finder), "{checker:?}");
    }
    // What the model offers to those who compute beforehand is not for the referee.
    for file in sources::files("crates/interp/src", "rs") {
        assert!(!file.text.contains("raddle_ir::fold"), "{}", file.path);
    }
    for name in crates.keys() {
        let tool_without_tests = closure(&crates, name);
        let tests = tool_without_tests.contains("testgen");
        assert!(!tests || name == "testgen", "{name} depends on what is for tests only");
    }
}

#[test]
fn every_dependency_is_used() {
    let mut complaints = Vec::new();
    let mut used_somewhere = BTreeSet::new();
    for package in packages() {
        let folder = format!("crates/{}", package.name);
        let files = sources::files(&folder, "rs");
        let mentions = |name: &str, tests: bool| {
            let name = name.replace('-', "_");
            let wanted = |file: &&File| tests || !file.path.contains("/tests/");
            files.iter().filter(wanted).any(|file| sources::mentions(&file.text, &name))
        };
        for name in &package.needs {
            if !mentions(name, false) {
                complaints.push(format!("{} does not use {name}", package.name));
            }
        }
        for name in &package.needs_for_tests {
            if !mentions(name, true) {
                complaints.push(format!("the tests of {} do not use {name}", package.name));
            }
        }
        used_somewhere.extend(package.needs);
        used_somewhere.extend(package.needs_for_tests);
    }
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let (_, rest) = manifest.split_once("[workspace.dependencies]\n").expect("dependencies");
    for line in rest.lines().take_while(|line| !line.starts_with('[')) {
        let name = line.split([' ', '.']).next().unwrap_or_default();
        if !name.is_empty() && !used_somewhere.contains(name) {
            complaints.push(format!("no crate uses {name}"));
        }
    }
    assert_none(&complaints);
}

/// What only some crates do, with words of code that show it.
const POWERS: &[(&str, &[&str])] = &[
    ("reads the environment", &["env::var", "env::args", "env::current_", "env::temp_dir"]),
    ("touches files", &["std::fs", "fs::File", "File::open", "File::create"]),
    ("starts processes", &["process::Command", "Command::new"]),
    ("prints", &["println!", "print!(", "io::stdout", "io::stderr"]),
];

#[test]
fn only_some_crates_have_powers() {
    let page = page::read();
    let said: BTreeSet<&str> = page.powers.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = POWERS.iter().map(|(what, _)| *what).collect();
    assert_eq!(said, known, "the rows of the page and of this test");
    let mut found: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
    for file in sources::files("crates", "rs") {
        let Some((name, _)) = file.path["crates/".len()..].split_once("/src/") else { continue };
        for (number, code) in file.code() {
            for (what, words) in POWERS {
                if words.iter().any(|word| code.contains(word)) {
                    let place = format!("{}:{number}", file.path);
                    found.entry(what).or_default().entry(name.to_string()).or_insert(place);
                }
            }
        }
    }
    for (what, said) in &page.powers {
        let found = found.remove(what.as_str()).unwrap_or_default();
        let names: BTreeSet<String> = found.keys().cloned().collect();
        assert_eq!(names, *said, "{what}: found in {found:?}, the page says {said:?}");
    }
}

#[test]
fn a_confirmed_trace_is_made_in_one_place() {
    let mut places = Vec::new();
    for file in sources::files("crates", "rs") {
        for (number, code) in file.code() {
            let declares = ["struct ", "impl ", "fn "].iter().any(|word| code.contains(word));
            if code.contains(concat!("ConfirmedTrace", " {")) && !declares {
                places.push(format!("{}:{number}", file.path));
            }
        }
    }
    let inside = places.iter().all(|place| place.starts_with("crates/interp/src/"));
    assert!(places.len() == 1 && inside, "{places:?}");
}
