//! The engine for those who do not choose one.
//!
//! `staged` decides; where it has no answer because something is not modelled (`long double`,
//! whether memory is lost) or a violation could not be replayed, the exhaustive interpreter runs as
//! well. Its answer counts if it is one about all executions, or a finding.

use raddle_ir::Property;

use crate::explore::{self, Explore};
use crate::options::{CONTEXTS, Given, Host, UNWIND};
use crate::staged::{self, Staged};
use crate::{Budget, Engine, EngineRow, Outcome, Progress, Reason, Role, Task, Values, Verdict};

/// Its row.
pub const ROW: EngineRow = EngineRow {
    name: "auto",
    summary: "staged, and explore where staged meets something that it does not model",
    source: "",
    bounded: "as for staged",
    decides: &Property::ALL,
    values: Values::All,
    role: Role::Portfolio,
    options: &[
        UNWIND,
        CONTEXTS,
        staged::SOLVER,
        explore::STEPS,
        explore::INPUTS,
        explore::NO_REDUCTION,
    ],
    switches: staged::SWITCHES,
    make: |given, host| Ok(Box::new(Auto::new(given, host)?)),
};

/// The engines that it uses.
pub const PARTS: &[EngineRow] = &[staged::ROW, explore::ROW];

/// `staged`, and `explore` where it has no answer.
#[derive(Default)]
pub struct Auto {
    staged: Staged,
    explore: Explore,
}

impl Auto {
    /// Each part as the user wants it.
    pub fn new(given: &Given, host: &Host) -> Result<Auto, String> {
        Ok(Auto { staged: Staged::new(given, host)?, explore: Explore::new(given) })
    }
}

impl Engine for Auto {
    fn check(
        &mut self,
        task: &Task,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let staged = self.staged.check(task, budget, progress);
        match staged.verdict {
            Verdict::Unknown(Reason::Unsupported { .. } | Reason::Internal(_)) => {
                second_opinion(staged, self.explore.check(task, budget, progress))
            }
            Verdict::Safe(_)
            | Verdict::Unsafe
            | Verdict::Bounded(_)
            | Verdict::Unknown(Reason::Time | Reason::Solver(_) | Reason::Large { .. }) => staged,
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
