//! `docs/architecture.md` as data: the list of crates with what each uses, and the table of what
//! only some may do.

use std::collections::{BTreeMap, BTreeSet};

use crate::root;

/// The page, taken apart.
pub struct Page {
    /// The crates in the order of the page, each with the crates it uses.
    pub crates: Vec<(String, BTreeSet<String>)>,
    /// What only some crates do, with the crates that do.
    pub powers: BTreeMap<String, BTreeSet<String>>,
}

/// Reads the page; a page that cannot be read this way fails the test.
pub fn read() -> Page {
    let text = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let crates: Vec<_> = section(&text, "## The crates").lines().filter_map(entry).collect();
    let rows = section(&text, "## Who may do what").lines().filter_map(row);
    let page = Page { crates, powers: rows.collect() };
    assert!(page.crates.len() > 10, "the list of crates is not understood any more");
    assert!(!page.powers.is_empty(), "the table of powers is not understood any more");
    page
}

/// The text from a heading up to the next one of its level.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("\n{heading}\n")).expect(heading);
    rest.split("\n## ").next().expect("split gives at least one part")
}

/// A line such as ``**`blast`** (term, sat). Terms to clauses.``
fn entry(line: &str) -> Option<(String, BTreeSet<String>)> {
    let (name, rest) = line.strip_prefix("**`")?.split_once("`** (")?;
    let (uses, _) = rest.split_once(").").expect("what a crate uses ends with `).`");
    let uses = uses.strip_prefix("uses ").unwrap_or(uses);
    let names = uses.split(", ").filter(|word| *word != "nothing").map(str::to_string);
    Some((name.to_string(), names.collect()))
}

/// A row such as `| prints | cli, testgen |`; the head of the table is no row.
fn row(line: &str) -> Option<(String, BTreeSet<String>)> {
    let mut columns = line.strip_prefix("| ")?.trim_end_matches(" |").split(" | ");
    let (what, who) = (columns.next()?, columns.next()?);
    let names = who.split(", ").map(|name| name.to_string());
    (what != "what").then(|| (what.to_string(), names.collect()))
}
