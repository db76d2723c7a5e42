//! How long the stages of the engine take and how much memory they add, summed over all bounds.
//!
//! Memory is what the process has resident, asked from the caller: engines look at no files. What a
//! stage gives back and a later one takes again counts for neither, so growth is that of the
//! largest bound.

use std::time::{Duration, Instant};

use crate::StageFigures;

/// The stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Threads to the skeleton.
    Summary,
    /// The skeleton to a formula.
    Composition,
    /// The search for models, and replay.
    Solving,
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Summary, Stage::Composition, Stage::Solving];

    /// Its name in figures.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Summary => "summary",
            Stage::Composition => "composition",
            Stage::Solving => "solving",
        }
    }
}

/// What was measured.
#[derive(Default)]
pub struct Stages {
    /// Resident bytes, if they can be asked for.
    resident: Option<fn() -> Option<u64>>,
    times: [Duration; 3],
    bytes: [u64; 3],
}

impl Stages {
    /// Nothing measured yet.
    pub fn new(resident: Option<fn() -> Option<u64>>) -> Stages {
        Stages { resident, ..Stages::default() }
    }

    /// Measures a part of a stage.
    pub fn measure<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let resident = || self.resident.and_then(|ask| ask());
        let (start, before) = (Instant::now(), resident());
        let result = work();
        if let (Some(before), Some(after)) = (before, resident()) {
            self.bytes[stage as usize] += after.saturating_sub(before);
        }
        self.times[stage as usize] += start.elapsed();
        result
    }

    /// The figures by name.
    pub fn figures(&self) -> Vec<StageFigures> {
        let figures = |stage: Stage| StageFigures {
            name: stage.name(),
            seconds: self.times[stage as usize].as_secs_f64(),
            bytes: self.resident.map(|_| self.bytes[stage as usize]),
        };
        Stage::ALL.into_iter().map(figures).collect()
    }
}
