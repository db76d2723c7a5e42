//! The default engine with one job and with several: the same answer, and the same findings in the
//! same order, however the race between its searches ends.

use std::time::Instant;

use raddle_engines::options::Host;
use raddle_engines::{Budget, Outcome, Reason, Settings, Task, Verdict, auto};
use raddle_interp::FindingKey;
use raddle_ir::Program;

use crate::compare::{Comparison, Kind, Mismatch};
use crate::limits::{Depth, Limits};

/// Compares the answers of one job and of several.
pub fn compare(program: &Program, limits: &Limits, jobs: usize) -> Comparison {
    let one = ask(program, limits, 1);
    let several = ask(program, limits, jobs);
    for outcome in [&one, &several] {
        match &outcome.verdict {
            Verdict::Unknown(Reason::Time) => return Comparison::Undecided("time".into()),
            Verdict::Unknown(Reason::Internal(what)) => {
                return mismatch(Kind::Internal, format!("{what:?}"));
            }
            Verdict::Safe(_) | Verdict::Unsafe | Verdict::Bounded(_) | Verdict::Unknown(_) => {}
        }
    }
    let same_word = word(&one.verdict) == word(&several.verdict);
    if !same_word || findings(&one) != findings(&several) {
        let show = |o: &Outcome| format!("{} {:?}", word(&o.verdict), findings(o));
        let text = format!("one job: {}\n{jobs} jobs: {}", show(&one), show(&several));
        return mismatch(Kind::Jobs, text);
    }
    match one.verdict {
        Verdict::Safe(_) => Comparison::Safe,
        Verdict::Unsafe => Comparison::Unsafe,
        Verdict::Bounded(_) | Verdict::Unknown(_) => Comparison::Open,
    }
}

fn ask(program: &Program, limits: &Limits, jobs: usize) -> Outcome {
    let given = limits.given(&auto::ROW, Depth::Deepening);
    let settings = Settings { jobs, ..Settings::new(&given) };
    let task = Task { program, settings: &settings };
    let budget = Budget::until(Some(Instant::now() + limits.time));
    let engine = (auto::ROW.make)(&given, &Host::default());
    engine.expect("no option has a value that it does not take").check(&task, &budget, &mut |_| {})
}

fn findings(outcome: &Outcome) -> Vec<&FindingKey> {
    outcome.findings.iter().map(|trace| trace.key()).collect()
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "SAFE",
        Verdict::Unsafe => "UNSAFE",
        Verdict::Bounded(_) => "BOUNDED",
        Verdict::Unknown(_) => "UNKNOWN",
    }
}

fn mismatch(kind: Kind, text: String) -> Comparison {
    Comparison::Mismatch(Mismatch { engine: auto::ROW.name, kind, text })
}
