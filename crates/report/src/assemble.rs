//! From an engine's outcome to a whole report.

use raddle_engines::{Outcome, Reason as EngineReason, Verdict as EngineVerdict};
use raddle_interp::ConfirmedTrace;
use raddle_ir::{Program, Property, PropertySet};

use crate::data::{
    Answer, Missing, Note, NoteKind, Reason, ReasonKind, Report, SCHEMA, Stage, Statistic, Verdict,
};
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
    /// What is not modelled, as far as the front end knows: all that `main` leads to.
    pub missing: Vec<Missing>,
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
            answers: Vec::new(),
            ground: None,
            bounds: Vec::new(),
            reason: Some(Reason { kind, text, at: None }),
            missing: Vec::new(),
            findings: Vec::new(),
            statistics: Vec::new(),
            stages: Vec::new(),
            effort: Vec::new(),
            advice: Vec::new(),
            notes: warnings.map(|text| Note::new(NoteKind::Warning, text)).collect(),
            seconds,
        }
    }

    /// The report of an outcome; findings are put in order, most serious first, and the order of
    /// the outcome's own list follows.
    pub fn report(&self, program: &Program, outcome: &mut Outcome, seconds: f64) -> Report {
        let mut report = self.unknown(ReasonKind::Internal, String::new(), seconds);
        report.reason = None;
        let order = |t: &ConfirmedTrace| (rank(t.finding().property), t.key().places.clone());
        outcome.findings.sort_by_key(order);
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
                if let EngineReason::Unsupported(reached) = reason {
                    let reached = reached.iter().map(|(w, at)| facts::missing(program, w, *at));
                    add_missing(&mut report.missing, reached);
                    add_missing(&mut report.missing, self.missing.iter().cloned());
                }
                Verdict::Unknown
            }
        };
        report
    }

    /// One report from those about some of the properties each; the most serious findings first, those
    /// of one property in the order of their report.
    pub fn join(&self, parts: Vec<Report>, seconds: f64) -> Report {
        let mut report = self.unknown(ReasonKind::Internal, String::new(), seconds);
        report.reason = None;
        report.answers = parts.iter().map(answer).collect();
        report.verdict = weakest(&parts);
        // Where proofs differ, each answer has its own.
        let ground = parts[0].ground.clone();
        report.ground = ground.filter(|g| parts.iter().all(|p| p.ground.as_ref() == Some(g)));
        for part in parts {
            if report.verdict == Verdict::Unknown {
                report.reason = report.reason.or(part.reason);
                add_missing(&mut report.missing, part.missing);
            }
            if report.verdict == Verdict::Bounded {
                add_new(&mut report.bounds, part.bounds);
            }
            report.findings.extend(part.findings);
            add_new(&mut report.notes, part.notes);
            for s in part.statistics {
                match report.statistics.iter_mut().find(|known| known.name == s.name) {
                    Some(known) => known.value = known.value.max(s.value),
                    None => report.statistics.push(s),
                }
            }
            for s in part.stages {
                match report.stages.iter_mut().find(|known| known.name == s.name) {
                    Some(known) => {
                        known.seconds += s.seconds;
                        known.megabytes = known.megabytes.zip(s.megabytes).map(|(a, b)| a + b);
                    }
                    None => report.stages.push(s),
                }
            }
        }
        report.findings.sort_by_key(|f| Property::from_name(&f.property).map(rank));
        report
    }
}

/// How serious the violation of a property is: the smaller, the more.
pub fn rank(property: Property) -> usize {
    Property::ALL.iter().position(|p| *p == property).expect("every property is in the list")
}

fn answer(part: &Report) -> Answer {
    Answer {
        properties: part.properties.clone(),
        verdict: part.verdict,
        ground: part.ground.clone(),
        bounds: part.bounds.clone(),
        reason: part.reason.clone(),
        findings: part.findings.len(),
        seconds: part.seconds,
    }
}

/// The answer about all properties: UNSAFE if one is violated, else the weakest.
fn weakest(parts: &[Report]) -> Verdict {
    let order = [Verdict::Unsafe, Verdict::Unknown, Verdict::Bounded, Verdict::Safe];
    let found = order.into_iter().find(|v| parts.iter().any(|p| p.verdict == *v));
    found.expect("some property was looked at")
}

/// Joins lists of what is missing; what is reached comes first.
fn add_missing(all: &mut Vec<Missing>, more: impl IntoIterator<Item = Missing>) {
    for one in more {
        match all.iter_mut().find(|known| known.what == one.what) {
            Some(known) => {
                known.reached |= one.reached;
                known.function = known.function.take().or(one.function);
                add_new(&mut known.at, one.at);
                known.at.sort();
            }
            None => all.push(one),
        }
    }
    all.sort_by_key(|missing| !missing.reached);
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}
