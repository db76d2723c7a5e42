//! What can go wrong, as literals over slots.
//!
//! A violation or a cut needs that its unit is executed. A race needs that both threads stand right
//! before their accesses when the last slot ends: the units before are executed, those of the
//! accesses are in the look, where what they depend on is read from the final memory. (Paper 002
//! §5.1 raises a flag before each write and looks at it at each access; standing before the access
//! is the same, without an access to a flag.) A deadlock needs that every thread has ended, or
//! stands at a waiting point: what it did before is executed, what it reads to find out that it
//! cannot go on is in the look. (The paper counts waiting threads; here
//! [`crate::bounded::deadlocks`] says who must wait.)

use raddle_ir::Property;
use raddle_summary::ThreadIx;
use raddle_term::{TermId, Terms};

use super::numbers::Numbers;
use crate::bounded::before::Unit;
use crate::bounded::composition::{Goals, Job, Stop};
use crate::bounded::deadlocks;
use crate::bounded::facts::Facts;
use crate::bounded::formula::{Formula, Lit};
use crate::bounded::races::{self, Pair, before};

/// Encodes everything that is asked about a skeleton; each goal implies the literal `within`.
pub fn encode(
    job: &Job,
    terms: &mut Terms,
    formula: &mut dyn Formula,
    numbers: &Numbers,
    facts: &mut Facts,
    within: Lit,
) -> Result<Goals, Stop> {
    let skeleton = job.scene.skeleton;
    let mut ask = Ask { formula, numbers, within };
    let violations = skeleton.violations.iter().map(|v| (v.condition, (v.thread, v.unit)));
    let violations = violations.map(|(t, unit)| ask.condition(terms, t, unit)).collect();
    let cuts = skeleton.cuts.iter().map(|c| (c.condition, (c.thread, c.unit)));
    let cuts = cuts.map(|(t, unit)| ask.condition(terms, t, unit)).collect();
    let races = job.scene.program.checked.contains(Property::Races) && skeleton.threads.len() > 1;
    let races = match races {
        true => {
            let pairs = races::pairs(job.scene, terms, facts, job.budget).ok_or(Stop::Time)?;
            pairs.iter().map(|p| ask.race(job, terms, p)).collect()
        }
        false => Vec::new(),
    };
    let deadlocks = match skeleton.waits.is_empty() {
        true => Vec::new(),
        false => ask.deadlocks(job, terms),
    };
    Ok(Goals { violations, cuts, races, deadlocks, beyond: None })
}

struct Ask<'a> {
    formula: &'a mut dyn Formula,
    numbers: &'a Numbers,
    within: Lit,
}

impl Ask<'_> {
    /// A literal that implies these.
    fn all(&mut self, lits: &[Lit]) -> Lit {
        let all = self.formula.new_lit();
        for &lit in lits.iter().chain([&self.within]) {
            self.formula.clause(&[!all, lit]);
        }
        all
    }

    /// A condition that holds once a unit is executed.
    fn condition(&mut self, terms: &Terms, condition: TermId, unit: Unit) -> Lit {
        let condition = self.formula.lit(terms, condition);
        self.all(&[condition, self.numbers.executed(unit)])
    }

    fn race(&mut self, job: &Job, terms: &Terms, pair: &Pair) -> races::Goal {
        let Pair { first, second, overlap } = *pair;
        let events = [first, second].map(|i| &job.scene.skeleton.events[i]);
        let mut needs = vec![self.formula.lit(terms, overlap)];
        for e in events {
            needs.push(self.formula.lit(terms, e.reached));
            needs.push(self.numbers.executed(before(e)));
            needs.push(self.numbers.in_look((e.thread, e.unit)));
        }
        races::Goal { selector: self.all(&needs), first, second }
    }

    fn deadlocks(&mut self, job: &Job, terms: &mut Terms) -> Vec<deadlocks::Goal> {
        let skeleton = job.scene.skeleton;
        let mut goals = deadlocks::encode(job.scene, terms, self.formula);
        for goal in &mut goals {
            for ended in &goal.ended {
                let ThreadIx(t) = ended.thread;
                let last = skeleton.threads[t as usize].units - 1;
                let done = self.numbers.executed((ended.thread, last));
                self.formula.clause(&[!ended.ended, done]);
            }
            for point in &goal.points {
                let wait = &skeleton.waits[point.wait];
                assert!(wait.unit > 0, "the first unit of a thread is its existence");
                let before = self.numbers.executed((wait.thread, wait.unit - 1));
                self.formula.clause(&[!point.stands, before]);
                if wait.reads {
                    let look = self.numbers.in_look((wait.thread, wait.unit));
                    self.formula.clause(&[!point.stands, look]);
                }
            }
            goal.some = self.all(&[goal.some]);
        }
        goals
    }
}
