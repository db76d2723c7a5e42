//! From a program to its summary: passes over all threads until nothing new is learned.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use raddle_ir::Program;

use crate::holding;
use crate::knowledge::Knowledge;
use crate::skeleton::Summary;
use crate::walk::Walk;

/// How far the program is unrolled.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations of a loop whose end is not certain; also depth of recursion.
    pub unwind: u32,
    /// Iterations of a loop whose exit test folds each time.
    pub free: u32,
    /// Thread instances.
    pub threads: u32,
    /// Events: beyond, every loop is cut.
    pub events: usize,
    /// Functions that only compute are summarised once (`functions.rs`).
    pub summaries: bool,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Give up when somebody sets this.
    pub cancelled: Arc<AtomicBool>,
    /// The invariants of the skeleton are checked; by default in debug builds.
    pub check: bool,
}

impl Default for Limits {
    fn default() -> Self {
        let (unwind, free, threads, events) = (4, 100_000, 256, 2_000_000);
        let (cancelled, check) = (Arc::default(), cfg!(debug_assertions));
        Limits { unwind, free, threads, events, summaries: true, deadline: None, cancelled, check }
    }
}

impl Limits {
    /// Whether the time is up, or nobody waits any more.
    pub(crate) fn are_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// Summarises the program within limits; `None` if the time is up.
pub fn summarise(program: &Program, knowledge: &mut Knowledge, limits: &Limits) -> Option<Summary> {
    knowledge.begin_bound();
    loop {
        knowledge.begin_pass();
        let mut walk = Walk::new(program, knowledge, limits);
        walk.run_main();
        let summary = walk.finish()?;
        holding::learn(&summary.skeleton, &summary.terms, knowledge);
        if !knowledge.learned() {
            if limits.check {
                summary.skeleton.check_invariants(&summary.terms, knowledge);
            }
            return Some(summary);
        }
    }
}
