//! From an engine's outcome to a whole report.

use raddle_engines::{Outcome, Verdict as EngineVerdict};
use raddle_ir::{Program, Property, PropertySet};

use crate::data::{Note, NoteKind, Reason, ReasonKind, Report, SCHEMA, Stage, Statistic, Verdict};
use crate::{collect, facts};

/// What is known about a run before it starts.
#[derive(Clone, Debug)]
pub struct Run {
    /// The version of raddle.
    pub version: String,
    /// The input files.
    pub files: Vec<String>,
    /// The engine.
    pub engine: String,
    /// 32 or 64.
    pub pointer_bits: u32,
    /// What is checked.
    pub checked: PropertySet,
    /// Remarks of the front end.
    pub warnings: Vec<String>,
}

impl Run {
    /// A report without an answer.
    pub fn unknown(&self, kind: ReasonKind, text: String, seconds: f64) -> Report {
        let warnings = self.warnings.iter();
        Report {
            schema: SCHEMA,
            raddle: self.version.clone(),
            files: self.files.clone(),
            engine: self.engine.clone(),
            pointer_bits: self.pointer_bits,
            properties: self.checked.iter().map(|p| p.name().to_string()).collect(),
            verdict: Verdict::Unknown,
            ground: None,
            bounds: Vec::new(),
            reason: Some(Reason { kind, text, at: None }),
            findings: Vec::new(),
            statistics: Vec::new(),
            stages: Vec::new(),
            notes: warnings.map(|text| Note::new(NoteKind::Warning, text)).collect(),
            seconds,
        }
    }

    /// The report of an outcome; findings are put in order, most serious first, and the order of
    /// the outcome's own list follows.
    pub fn report(&self, program: &Program, outcome: &mut Outcome, seconds: f64) -> Report {
        let mut report = self.unknown(ReasonKind::Internal, String::new(), seconds);
        report.reason = None;
        let rank = |p: Property| Property::ALL.iter().position(|q| *q == p);
        outcome.findings.sort_by_key(|t| (rank(t.finding().property), t.key().places.clone()));
        report.findings =
            outcome.findings.iter().map(|trace| collect::finding(program, trace)).collect();
        report.statistics = outcome
            .statistics
            .iter()
            .map(|s| Statistic { name: s.name.to_string(), value: s.value })
            .collect();
        report.stages = outcome
            .stages
            .iter()
            .map(|s| Stage {
                name: s.name.to_string(),
                seconds: s.seconds,
                megabytes: s.bytes.map(|b| b as f64 / f64::from(1 << 20)),
            })
            .collect();
        report.notes.extend(outcome.notes.iter().map(|n| facts::note(program, n)));
        report.verdict = match &outcome.verdict {
            EngineVerdict::Safe(ground) => {
                report.ground = Some(facts::ground(ground));
                Verdict::Safe
            }
            EngineVerdict::Unsafe => Verdict::Unsafe,
            EngineVerdict::Bounded(bounds) => {
                report.bounds = bounds.cuts.iter().map(|c| facts::bound(program, c)).collect();
                Verdict::Bounded
            }
            EngineVerdict::Unknown(reason) => {
                report.reason = Some(facts::reason(program, reason));
                Verdict::Unknown
            }
        };
        report
    }
}
