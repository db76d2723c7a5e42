//! Where the time went, in words, and what to try when it did not suffice.
//!
//! What is advised follows from the figures: the stage that took the time, the bound that is
//! complete, which properties have their answer, and the options that the engine has and that were
//! not given yet.

use raddle_engines::options::{CONTEXTS, EngineOption, Given, UNWIND};
use raddle_ir::Property;

use crate::data::{AtBound, BoundKind, Effort, Report, Verdict};

/// A number of switches that most bugs need at most.
const FEW: u32 = 3;

/// Who has been beyond this bound has loops that may have no end.
const ENDLESS: u64 = 4;

/// The longer time that is advised, as a multiple of the present one.
const LONGER: f64 = 5.0;

/// The part of the report; empty if all searches came to their end.
pub fn text(report: &Report) -> String {
    if report.effort.is_empty() {
        return String::new();
    }
    let mut text = String::from("Where the time went:\n");
    for effort in &report.effort {
        text += &one(effort);
    }
    if !report.advice.is_empty() {
        text += "What to try:\n";
    }
    for advice in &report.advice {
        text += &format!("  - {advice}\n");
    }
    text
}

fn one(effort: &Effort) -> String {
    let mut stages = effort.stages.clone();
    stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let stages: Vec<String> =
        stages.iter().map(|s| format!("{} {:.1} s", s.name, s.seconds)).collect();
    let at = effort.bound.as_ref().map(|b| format!(" at {}", bound(b))).unwrap_or_default();
    let size = match effort.size.as_str() {
        "" => String::new(),
        size => format!(" ({size})"),
    };
    let complete = match &effort.complete {
        Some(complete) => format!("; {} is complete", bound(complete)),
        None => String::new(),
    };
    format!(
        "  {}: {}\n    at the end: {}{at}{size}, for {:.1} s{complete}\n",
        effort.properties.join(", "),
        stages.join(", "),
        effort.stage,
        effort.lasting
    )
}

/// `unwinding 4`.
fn bound(bound: &AtBound) -> String {
    format!("{} {}", bound.what, bound.value)
}

/// What a run that came to no end had too little of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Short {
    /// So many seconds; none if there was no limit.
    Time(f64),
    /// So many megabytes, if there was a limit of the user's.
    Memory(Option<u64>),
}

/// What to try, most promising first.
pub fn advice(report: &Report, given: &Given, short: Short) -> Vec<String> {
    let effort = &report.effort;
    let Some(first) = effort.first() else { return Vec::new() };
    let mut advice = Vec::new();
    if effort.iter().any(|e| e.stage != "compiling") {
        advice.extend(command_line(report));
        advice.extend(apart(report));
        advice.extend(bounds(report, first, given));
        advice.extend(proofs(report));
    }
    match short {
        Short::Time(time) if time > 0.0 => {
            advice.push(format!("--time {:.0}: more time", (time * LONGER).ceil()));
        }
        Short::Memory(Some(most)) => advice.push(format!("--memory {}: more memory", 2 * most)),
        Short::Time(_) | Short::Memory(None) => {}
    }
    advice
}

/// One command line, where all of them were looked at: what options do is most of some programs.
fn command_line(report: &Report) -> Option<String> {
    let all = report.bounds.iter().chain(report.answers.iter().flat_map(|a| &a.bounds));
    let any = all.into_iter().any(|bound| bound.kind == BoundKind::Arguments);
    any.then(|| "--args ARGUMENTS…: one command line instead of all of them".into())
}

/// The properties of which least is known, without others that hold them back.
fn apart(report: &Report) -> Option<String> {
    let several = report.answers.len() > 1;
    let known = |e: &&Effort| e.complete.as_ref().map(|bound| bound.value);
    let names = report.effort.iter().min_by_key(known)?.properties.join(",");
    several.then(|| format!("--property {names}: all processors for what is least known"))
}

/// Bounds that make the search smaller.
fn bounds(report: &Report, first: &Effort, given: &Given) -> Vec<String> {
    let row = raddle_engines::row(&report.engine);
    let free = |option: &EngineOption| {
        let has = row.is_some_and(|row| row.options.iter().any(|o| o.name == option.name));
        has && !given.has(option)
    };
    let mut advice = Vec::new();
    match &first.complete {
        Some(bound) if free(&UNWIND) && bound.what == "unwinding" => {
            advice.push(format!("--unwind {}: ends there, in less time", bound.value));
        }
        Some(_) | None => {}
    }
    if let Some(unwind) = given.small(&UNWIND).filter(|&n| n > 1 && first.complete.is_none()) {
        advice.push(format!("--unwind {}: a smaller bound", unwind / 2));
    }
    if free(&CONTEXTS) {
        advice.push(format!(
            "--contexts {FEW}: executions with few changes of the running thread, which most \
             mistakes need at most"
        ));
    }
    advice
}

/// An engine that needs no bound, where bounds grew without an end.
fn proofs(report: &Report) -> Option<String> {
    let row = raddle_engines::row("circuit").filter(|row| row.name != report.engine)?;
    let decides =
        |name: &String| Property::from_name(name).is_some_and(|p| row.decides.contains(&p));
    let grew = |e: &&Effort| e.complete.as_ref().is_some_and(|b| b.value > ENDLESS);
    let names = report.effort.iter().filter(grew).flat_map(|e| &e.properties);
    let names: Vec<&str> = names.filter(|p| decides(p)).map(String::as_str).collect();
    let wanted = !names.is_empty() && report.verdict != Verdict::Unsafe;
    let names = names.join(",");
    wanted.then(|| format!("--engine circuit --property {names}: proofs for loops without an end"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use crate::data::{Bound, ReasonKind, Share};
    use raddle_ir::PropertySet;

    fn effort(stage: &str, complete: Option<u64>) -> Effort {
        let bound = |value| AtBound { what: "unwinding".into(), value };
        Effort {
            properties: vec!["races".into()],
            stage: stage.into(),
            lasting: 1.25,
            bound: complete.map(|b| bound(b + 1)),
            size: "9 clauses".into(),
            complete: complete.map(bound),
            stages: vec![Share { name: stage.into(), seconds: 1.5 }],
        }
    }

    fn report(engine: &str, effort: Effort, given: &Given) -> Report {
        let run = Run {
            version: "0".into(),
            files: Vec::new(),
            engine: engine.into(),
            pointer_bits: 64,
            checked: [Property::Races].into_iter().collect::<PropertySet>(),
            warnings: Vec::new(),
            missing: Vec::new(),
        };
        let mut report = run.unknown(ReasonKind::Time, "the time is up".into(), 2.0);
        report.effort = vec![effort];
        report.advice = advice(&report, given, Short::Time(2.0));
        report
    }

    #[test]
    fn what_is_advised_follows_from_the_figures() {
        let none = Given::default();
        let text = super::text(&report("auto", effort("solving", Some(6)), &none));
        let lines = [
            "  races: solving 1.5 s",
            "    at the end: solving at unwinding 7 (9 clauses), for 1.2 s; unwinding 6 is complete",
            "  - --unwind 6: ends there, in less time",
            "  - --engine circuit --property races: proofs for loops without an end",
            "  - --time 10: more time",
        ];
        for line in lines {
            assert!(text.lines().any(|l| l == line), "{line}: {text}");
        }
        assert!(text.contains("--contexts 3"), "{text}");
        let first = report("auto", effort("solving", None), &none);
        assert!(!first.advice.iter().any(|a| a.contains("--unwind")), "{:?}", first.advice);
        let mut any = report("auto", effort("solving", None), &none);
        assert!(!any.advice.iter().any(|a| a.contains("--args")), "{:?}", any.advice);
        let kind = BoundKind::Arguments;
        any.bounds.push(Bound { kind, text: "command lines".into(), limit: None, at: None });
        any.advice = advice(&any, &none, Short::Time(2.0));
        assert!(any.advice[0].starts_with("--args"), "{:?}", any.advice);
        let compiling = report("auto", effort("compiling", None), &none);
        assert_eq!(compiling.advice, ["--time 10: more time"]);
    }

    #[test]
    fn nothing_is_advised_that_the_engine_does_not_have_or_that_was_given() {
        let given = Given::default().with(&CONTEXTS, raddle_engines::options::Value::Number(2));
        let report = report("auto", effort("solving", None), &given);
        assert!(!report.advice.iter().any(|a| a.contains("--contexts")), "{:?}", report.advice);
    }
}
