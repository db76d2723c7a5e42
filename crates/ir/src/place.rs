//! Source places.

use crate::ids::FileId;

/// A line and column of a source file; line 0 means unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
    /// The column, from 1; 0 where it is not known.
    pub column: u32,
}

impl Place {
    /// The place of something that stands nowhere in the source.
    pub const UNKNOWN: Place = Place { file: FileId(0), line: 0, column: 0 };

    /// Whether there is a line to show.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}

/// A source file that places refer to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path as a user would open it.
    pub path: String,
    /// True for the library models that come with raddle: reports show the caller instead.
    pub is_model: bool,
}
