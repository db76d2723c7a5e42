//! What the user chooses: how threads are put in sequence, for which verifier, within which
//! bounds.

use thiserror::Error;

/// How the interleaving of threads is guessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// All writes; every cell has its contents tabulated at every position.
    FineExplicit,
    /// All writes; reads look for the last write.
    FineImplicit,
    /// All writes; scalar variables are tabulated, the rest is looked for.
    FineMixed,
    /// Clusters of writes of one thread each.
    CoarseIntra,
    /// Clusters of writes of all threads.
    CoarseInter,
    /// Contexts: what one thread does between two context switches.
    Context,
}

impl Scheme {
    /// All schemes with their names and what they do.
    pub const ALL: [(Scheme, &'static str); 6] = [
        (Scheme::FineExplicit, "fine-explicit"),
        (Scheme::FineImplicit, "fine-implicit"),
        (Scheme::FineMixed, "fine-mixed"),
        (Scheme::CoarseIntra, "coarse-intra"),
        (Scheme::CoarseInter, "coarse-inter"),
        (Scheme::Context, "context"),
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        Scheme::ALL.iter().find(|(s, _)| *s == self).map_or("", |(_, name)| name)
    }

    /// Whether single writes are guessed.
    pub fn is_fine(self) -> bool {
        match self {
            Scheme::FineExplicit | Scheme::FineImplicit | Scheme::FineMixed => true,
            Scheme::CoarseIntra | Scheme::CoarseInter | Scheme::Context => false,
        }
    }
}

/// How choices and assertions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `__CPROVER_assume`, `nondet_…`.
    Cbmc,
    /// `__ESBMC_assume`, `nondet_…`.
    Esbmc,
    /// `__VERIFIER_assume`, `__VERIFIER_nondet_…`, `reach_error`.
    Svcomp,
}

/// Everything that the user chooses.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How threads are put in sequence.
    pub scheme: Scheme,
    /// For whom.
    pub style: Style,
    /// Writes (fine), clusters (coarse) or context switches (context).
    pub bound: u32,
    /// Most threads, main included; `None`: as many as the program seems to have.
    pub threads: Option<u32>,
    /// Cells of 8 bytes for each kind of memory that is allocated at run time; `None`: an
    /// estimate.
    pub heap: Option<u32>,
    /// Most iterations of each loop; `None`: as many as the verifier likes.
    pub unwind: Option<u32>,
    /// The name of the C file, for `#line`.
    pub output_name: String,
}

/// Largest bound: tables grow with it, and no verifier comes near it.
pub const LARGEST_BOUND: u32 = 10_000;
/// Most threads.
pub const MOST_THREADS: u32 = 1_000;

/// Why there is no sequential program.
#[derive(Error, Debug)]
pub enum Error {
    /// A program without `main`.
    #[error("the program has no main function")]
    NoMain,
    /// A bound that makes no sense.
    #[error("{what} must be between {least} and {most}")]
    Bound {
        /// The option.
        what: &'static str,
        /// Smallest value.
        least: u32,
        /// Largest value.
        most: u32,
    },
    /// More memory than tables can hold.
    #[error("the program has {0} bytes of global variables: too many for a sequential program")]
    TooLarge(u64),
}

impl Settings {
    /// Whether the numbers make sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let within = |what, value: u32, least, most| {
            let fits = (least..=most).contains(&value);
            if fits { Ok(()) } else { Err(Error::Bound { what, least, most }) }
        };
        let least = if self.scheme == Scheme::Context { 0 } else { 1 };
        within("the bound", self.bound, least, LARGEST_BOUND)?;
        within("--threads", self.threads.unwrap_or(2), 1, MOST_THREADS)?;
        within("--heap", self.heap.unwrap_or(1), 1, 1_000_000)?;
        within("--unwind", self.unwind.unwrap_or(1), 0, 1_000_000)
    }
}
