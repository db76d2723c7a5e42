//! Where the time of each search goes.
//!
//! Idea: a search says what it begins with ([`Doing`]); what passes until it says something else was
//! for that. So the figures are there however the run ends, also when an engine does not come back.
//! Invariant: the shares of a search add up to the time since it began.

use std::time::{Duration, Instant};

use raddle_engines::Doing;
use raddle_ir::PropertySet;
use raddle_report::Report;
use raddle_report::data::{Answer, AtBound, Effort, Share, Verdict};

use crate::check::{self, News};

/// What a search is at.
#[derive(Clone, Debug)]
pub enum Now {
    /// It works.
    Does(Doing),
    /// It has come to its end.
    Done,
    /// Its time was up.
    Late,
}

/// One clock for each group of properties.
pub struct Clocks {
    /// When the run began.
    start: Instant,
    clocks: Vec<Clock>,
}

struct Clock {
    checked: PropertySet,
    /// What the search is at since when; `None` before it begins.
    now: Option<(Now, Instant)>,
    /// What it did last, and for how long.
    last: Option<(Doing, Duration)>,
    /// The bound that is complete.
    complete: Option<(&'static str, u64)>,
    /// The time of each stage, in the order of their beginning.
    spent: Vec<(&'static str, Duration)>,
}

impl Clocks {
    /// No search has begun.
    pub fn new(start: Instant, groups: &[PropertySet]) -> Clocks {
        let clock = |&checked: &PropertySet| {
            let (now, last, complete, spent) = (None, None, None, Vec::new());
            Clock { checked, now, last, complete, spent }
        };
        Clocks { start, clocks: groups.iter().map(clock).collect() }
    }

    /// What a search says.
    pub fn note(&mut self, news: &News) {
        let clock = &mut self.clocks[news.group];
        clock.stop(news.at);
        if let Now::Does(doing) = &news.now
            && news.so_far.is_some()
        {
            // Findings of another search come without a bound.
            clock.complete = doing.bound.or(clock.complete);
        }
        clock.now = Some((news.now.clone(), news.at));
    }

    /// The same as a line for people.
    pub fn line(&self, news: &News) -> String {
        let names = check::names(self.clocks[news.group].checked);
        match &news.now {
            Now::Does(doing) => format!("{names}: {doing}"),
            Now::Done | Now::Late => format!("{names}: done"),
        }
    }

    /// Where the time went in the searches that did not come to their end.
    pub fn effort(mut self, report: &Report, end: Instant) -> Vec<Effort> {
        if self.clocks.iter().all(|c| c.now.is_none()) {
            return self.compiling(report, end);
        }
        let answers = &report.answers;
        self.clocks.iter_mut().filter_map(|c| c.effort(answers, report.verdict, end)).collect()
    }

    /// No search has begun: an error of the program, or a front end that takes long.
    fn compiling(&self, report: &Report, end: Instant) -> Vec<Effort> {
        let seconds = end.saturating_duration_since(self.start).as_secs_f64();
        let stage = "compiling".to_string();
        let share = Share { name: stage.clone(), seconds };
        vec![Effort {
            properties: report.properties.clone(),
            stage,
            lasting: seconds,
            bound: None,
            size: String::new(),
            complete: None,
            stages: vec![share],
        }]
    }
}

impl Clock {
    /// Counts the time until then for what the search was at. The same stage at the same bound goes
    /// on, although the search has said something in between.
    fn stop(&mut self, at: Instant) {
        let Some((Now::Does(doing), since)) = self.now.take() else { return };
        let passed = at.saturating_duration_since(since);
        match self.spent.iter_mut().find(|(stage, _)| *stage == doing.stage) {
            Some((_, time)) => *time += passed,
            None => self.spent.push((doing.stage, passed)),
        }
        let goes_on =
            |(last, _): &&(Doing, Duration)| (last.stage, last.bound) == (doing.stage, doing.bound);
        let before = self.last.as_ref().filter(goes_on).map_or(Duration::ZERO, |(_, time)| *time);
        self.last = Some((doing, before + passed));
    }

    fn effort(&mut self, answers: &[Answer], verdict: Verdict, end: Instant) -> Option<Effort> {
        let properties: Vec<String> = self.checked.iter().map(|p| p.name().to_string()).collect();
        let answer = answers.iter().find(|a| a.properties == properties);
        let open = match answer.map_or(verdict, |a| a.verdict) {
            Verdict::Safe | Verdict::Unsafe => false,
            Verdict::Bounded | Verdict::Unknown => true,
        };
        let ended = matches!(self.now, Some((Now::Done, _)));
        self.stop(end);
        let (doing, lasting) = self.last.take().filter(|_| open && !ended)?;
        let bound = |(what, value): (&str, u64)| AtBound { what: what.into(), value };
        let share = |(name, time): &(&str, Duration)| Share {
            name: (*name).into(),
            seconds: time.as_secs_f64(),
        };
        Some(Effort {
            properties,
            stage: doing.stage.into(),
            lasting: lasting.as_secs_f64(),
            bound: doing.bound.map(bound),
            size: doing.size,
            complete: self.complete.map(bound),
            stages: self.spent.iter().map(share).collect(),
        })
    }
}
