//! Rules of the house that no compiler checks.
//!
//! What `docs/architecture.md` says about the crates is read from the page and compared with cargo
//! and with the sources ([`page`], [`layers`]); the rest of the style is checked file by file
//! ([`style`]). No rule has exceptions.

mod layers;
mod page;
mod sources;
mod style;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}
