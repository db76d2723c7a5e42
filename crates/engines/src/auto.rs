//! The engine for those who do not choose one.
//!
//! `staged` decides; where it has no answer because something is not modelled (`long double`, whether memory is lost) or a
//! violation could not be replayed, the exhaustive interpreter runs as well. Its answer counts if it is one about all
//! executions, or a finding.

use crate::explore::Explore;
use crate::staged::Staged;
use crate::{Budget, Engine, Outcome, Progress, Reason, Task, Verdict};

/// `staged`, and `explore` where it has no answer.
pub struct Auto;

impl Engine for Auto {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let staged = Staged::default().check(task, budget, progress);
        match staged.verdict {
            Verdict::Unknown(Reason::Unsupported { .. } | Reason::Internal(_)) => {
                second_opinion(staged, Explore.check(task, budget, progress))
            }
            Verdict::Safe(_)
            | Verdict::Unsafe
            | Verdict::Bounded(_)
            | Verdict::Unknown(Reason::Time | Reason::Solver(_)) => staged,
        }
    }
}

/// The interpreter's answer, if it has one where `staged` had none.
fn second_opinion(staged: Outcome, explored: Outcome) -> Outcome {
    match explored.verdict {
        Verdict::Safe(_) | Verdict::Unsafe => explored,
        Verdict::Bounded(_) | Verdict::Unknown(_) => staged,
    }
}
