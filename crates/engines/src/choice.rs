//! Who gets the time: which of its searches `auto` begins, lets rest or stops.
//!
//! `staged` begins, and decides most programs before anything else is asked. What was learned from
//! the experiments (`docs/experiments.md`) and from the tasks of the competition about those that
//! come after it:
//!
//! - **`explore` proves by counting states, so how many there are decides.** The size of a program
//!   does not tell: a barrier of 10 threads has 20,000, a table with 27 threads and as much
//!   code a number with nine digits. But the search tells after a quarter of a second
//!   (`interp/src/gauge.rs`). Of those that it decided none was ever estimated at more than 3·10⁶
//!   states, nor at much more than a hundred times what it had; those that it did not come near to
//!   were estimated at 10⁸ (account, 11 threads), 10⁹ (indexer, 27), 10¹³ (a buffer), 10⁴⁴ and
//!   more. So it goes on as long as a hundredth of the estimate is within the time that is
//!   left. Otherwise it rests, with an eighth of the time, since an estimate can be wrong.
//! - **Where inputs take some values only, it proves nothing.** Then it is one more that looks for
//!   mistakes, and gets three seconds for those that are near before it rests.
//! - **`circuit` proves with few latches.** Its proofs (13 programs) had 18 to 700 of them; with 800
//!   to 2,000 there was none in the same time, and where threads were more than a dozen there
//!   mostly was no circuit by then. Loops without an end and any number of threads are what it is
//!   for; no other search proves these, so it is begun early where loops create threads, and
//!   stopped where the circuit is large or does not come about.
//! - **Races are excluded by structure in a moment**, or not at all, but such a proof rests on more than others: so
//!   it is asked for when `staged` has searched for a fifth of a second.
//! - **Walks prove nothing**: they get two seconds, and then an eighth of the time that has passed. A
//!   part of the time that is left is a minute at once if the limit is long.
//! - **Whoever is about to end is not disturbed**: if `explore` needs a few seconds more nobody else
//!   begins.
//!
//! A search that was stopped is begun again, and one that rests goes on, when `staged` has ended
//! without an answer.
//! Invariant: what is decided here changes when an answer comes, never which.

use std::time::Duration;

use raddle_interp::gauge::Reading;

/// How long `staged` searches alone.
const PATIENCE: Duration = Duration::from_millis(500);
/// After which time it is asked whether the structure of the program excludes races.
const PATIENCE_WITH_STRUCTURE: Duration = Duration::from_millis(200);
/// After which time executions are run at random.
const PATIENCE_WITHOUT_FINDINGS: Duration = Duration::from_secs(2);
/// How long `staged` unrolls before a proof is looked for that needs no unrolling.
const PATIENCE_WITH_LOOPS: Duration = Duration::from_secs(5);

/// How long `explore` runs before it is judged.
const TRIAL: Duration = Duration::from_millis(250);
/// How often estimates were too large, at most.
const TOO_LARGE: f64 = 100.0;
/// How long `explore` goes on if it will prove nothing.
const FOR_FINDINGS: Duration = Duration::from_secs(3);
/// Whoever needs so long, at most, is about to end.
const SOON: f64 = 3.0;
/// The part of the time that a search gets which rests.
const PART: u128 = 8;
/// How long its turns are, in milliseconds.
const TURN: u128 = 100;
/// Time that is left if there is no limit.
const LONG: Duration = Duration::from_secs(600);

/// Latches with which a proof was found, and half as many more.
const MOST_LATCHES: u64 = 1_000;
/// How long a circuit may take to be made.
const TO_BE_MADE: Duration = Duration::from_secs(4);

/// Time for walks at first.
const FIRST_WALKS: Duration = Duration::from_secs(2);

/// What is known about the searches.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Facts {
    /// Since the first one began.
    pub elapsed: Duration,
    /// Until the time is up, if ever.
    pub left: Option<Duration>,
    /// What `staged` has come to.
    pub staged: Staged,
    /// Loops create threads; none if nobody has looked yet.
    pub any_number: Option<bool>,
    /// What `explore` shows, if it was begun and has not ended.
    pub explore: Option<Reading>,
    /// What is known of `circuit`, if it was begun and was not stopped.
    pub circuit: Option<Making>,
    /// It was stopped before.
    pub too_large: bool,
}

/// What has become of `staged`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Staged {
    /// It searches.
    #[default]
    Searches,
    /// It has ended at something that it does not model.
    HasNoModel,
    /// It has ended with an answer about a part of the executions.
    KnowsAPart,
    /// It has ended with an answer.
    Answers,
}

/// How a circuit comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Making {
    /// Since it was begun.
    pub elapsed: Duration,
    /// How large it is, once it is made.
    pub latches: Option<u64>,
}

/// What is to be done with a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It is not begun.
    Wait,
    /// It is begun, or goes on.
    Go,
    /// It keeps what it has and does nothing for now.
    Rest,
    /// It is stopped; what it has is lost.
    Stop,
}

impl Facts {
    /// What `explore` is to do.
    pub fn explore(&self) -> Turn {
        let wanted = match self.staged {
            Staged::Searches => self.elapsed > PATIENCE,
            Staged::HasNoModel => return Turn::Go,
            Staged::KnowsAPart | Staged::Answers => false,
        };
        let Some(reading) = self.explore else {
            return if wanted { Turn::Go } else { Turn::Wait };
        };
        if reading.busy < TRIAL || self.staged == Staged::KnowsAPart {
            return Turn::Go;
        }
        let left = self.left.unwrap_or(LONG).as_secs_f64();
        let hopeless = match reading.cut {
            true => reading.busy > FOR_FINDINGS,
            false => needs(&reading) / TOO_LARGE > left,
        };
        let turn = self.elapsed.as_millis() / TURN;
        if hopeless && !turn.is_multiple_of(PART) { Turn::Rest } else { Turn::Go }
    }

    /// Whether executions are to be run at random, if that was done for so long.
    pub fn walks(&self, walked: Duration) -> bool {
        match self.staged {
            Staged::Searches => {
                let late = self.elapsed > PATIENCE_WITHOUT_FINDINGS && !self.ends_soon();
                late && (walked < FIRST_WALKS || walked < self.elapsed / PART as u32)
            }
            Staged::HasNoModel => true,
            Staged::KnowsAPart | Staged::Answers => false,
        }
    }

    /// Whether it is time to ask whether the structure of the program excludes races.
    pub fn asks_about_structure(&self) -> bool {
        match self.staged {
            Staged::Searches => self.elapsed > PATIENCE_WITH_STRUCTURE,
            Staged::KnowsAPart | Staged::HasNoModel => true,
            Staged::Answers => false,
        }
    }

    /// Whether it is time to look for loops that create threads.
    pub fn asks_about_threads(&self) -> bool {
        self.any_number.is_none() && self.wants_proof(PATIENCE)
    }

    /// What `circuit` is to do.
    pub fn circuit(&self) -> Turn {
        let alone = self.staged != Staged::Searches;
        let Some(circuit) = self.circuit else {
            let patience = match self.any_number {
                Some(true) => PATIENCE,
                Some(false) | None => PATIENCE_WITH_LOOPS,
            };
            let wanted = (alone || !self.too_large) && self.wants_proof(patience);
            return if wanted { Turn::Go } else { Turn::Wait };
        };
        let too_large = match circuit.latches {
            Some(latches) => latches > MOST_LATCHES,
            None => circuit.elapsed > TO_BE_MADE,
        };
        if too_large && !alone { Turn::Stop } else { Turn::Go }
    }

    fn wants_proof(&self, patience: Duration) -> bool {
        match self.staged {
            Staged::Searches => self.elapsed > patience && !self.ends_soon(),
            Staged::KnowsAPart => true,
            Staged::HasNoModel | Staged::Answers => false,
        }
    }

    /// Whether `explore` has been through in a moment.
    fn ends_soon(&self) -> bool {
        let soon = |r: &Reading| r.busy >= TRIAL && !r.cut && needs(r) < SOON;
        self.explore.as_ref().is_some_and(soon)
    }
}

/// How many seconds more a search takes if its estimate is right.
fn needs(reading: &Reading) -> f64 {
    let states = reading.states.max(1) as f64;
    (reading.estimate() - states) * reading.busy.as_secs_f64() / states
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    /// `staged` has searched for so long, and there are 20 s more.
    fn after(s: f64) -> Facts {
        Facts { elapsed: seconds(s), left: Some(seconds(20.0)), ..Facts::default() }
    }

    /// What a search showed after one second: states, places that were left, places.
    fn shows(states: u64, back: u32, deep: u32) -> Option<Reading> {
        Some(Reading { states, busy: seconds(1.0), deep, back, cut: false })
    }

    #[test]
    fn explore_goes_on_while_its_states_are_within_reach() {
        let check = |what: &str, explore, expected| {
            // Not at the beginning of a turn of those that rest.
            let facts = Facts { explore, ..after(1.75) };
            assert_eq!(facts.explore(), expected, "{what}");
        };
        check("not begun", None, Turn::Go);
        check("too early to say", Some(Reading::default()), Turn::Go);
        // As measured.
        check("barrier, 10 threads", shows(3_358, 35, 55), Turn::Go);
        check("buffer with two producers", shows(4_674, 25, 31), Turn::Go);
        check("pool, 4 workers and 4 jobs", shows(6_338, 53, 64), Turn::Go);
        check("a stealing queue, 4 workers", shows(33_764, 33, 45), Turn::Go);
        check("sums in two threads", shows(86_796, 16, 24), Turn::Go);
        check("indexer, 27 threads", shows(9_490, 114, 263), Turn::Rest);
        check("account, 11 threads", shows(5_380, 24, 56), Turn::Rest);
        check("a buffer of the competition", shows(17_123, 12, 39), Turn::Rest);
        check("50 threads", shows(5_260, 13, 150), Turn::Rest);
    }

    #[test]
    fn explore_begins_late_and_rests_in_turns() {
        assert_eq!(after(0.4).explore(), Turn::Wait);
        assert_eq!(after(0.6).explore(), Turn::Go);
        let hopeless = shows(5_260, 13, 150);
        let turns =
            (0..16).map(|i| Facts { explore: hopeless, ..after(1.65 + 0.1 * f64::from(i)) });
        let rests = turns.filter(|facts| facts.explore() == Turn::Rest).count();
        assert_eq!(rests, 14, "an eighth of the time is its");
        for (staged, expected) in [
            (Staged::HasNoModel, Turn::Go),
            (Staged::KnowsAPart, Turn::Go),
            (Staged::Searches, Turn::Rest),
        ] {
            let facts = Facts { staged, explore: hopeless, ..after(1.75) };
            assert_eq!(facts.explore(), expected, "{staged:?}");
        }
        let staged = Staged::KnowsAPart;
        assert_eq!(Facts { staged, ..after(0.1) }.explore(), Turn::Wait, "a model is there");
        let staged = Staged::HasNoModel;
        assert_eq!(Facts { staged, ..after(0.1) }.explore(), Turn::Go);
    }

    #[test]
    fn explore_with_some_values_of_inputs_looks_for_what_is_near() {
        let after_busy = |busy| {
            let reading =
                Reading { states: 9_000, busy: seconds(busy), deep: 9, back: 9, cut: true };
            Facts { explore: Some(reading), ..after(4.75) }.explore()
        };
        assert_eq!(after_busy(2.0), Turn::Go);
        assert_eq!(after_busy(3.5), Turn::Rest);
    }

    #[test]
    fn circuit_is_for_few_latches_and_for_loops() {
        let none: Option<bool> = None;
        let not_begun: Option<Making> = None;
        let made = |s, latches| Some(Making { elapsed: seconds(s), latches });
        for (any_number, at, circuit, staged, expected) in [
            (none, 4.0, not_begun, Staged::Searches, Turn::Wait),
            (none, 6.0, not_begun, Staged::Searches, Turn::Go),
            (Some(true), 0.6, not_begun, Staged::Searches, Turn::Go),
            (Some(false), 0.6, not_begun, Staged::Searches, Turn::Wait),
            (none, 0.1, not_begun, Staged::KnowsAPart, Turn::Go),
            (none, 6.0, not_begun, Staged::HasNoModel, Turn::Wait),
            (none, 7.0, made(1.0, None), Staged::Searches, Turn::Go),
            (none, 10.0, made(4.5, None), Staged::Searches, Turn::Stop),
            (none, 7.0, made(1.0, Some(700)), Staged::Searches, Turn::Go),
            (none, 20.0, made(15.0, Some(700)), Staged::Searches, Turn::Go),
            (none, 7.0, made(1.0, Some(2_061)), Staged::Searches, Turn::Stop),
            // Nobody else is there.
            (none, 7.0, made(1.0, Some(2_061)), Staged::KnowsAPart, Turn::Go),
            (none, 10.0, made(4.5, None), Staged::KnowsAPart, Turn::Go),
        ] {
            let facts = Facts { any_number, circuit, staged, ..after(at) };
            assert_eq!(facts.circuit(), expected, "{facts:?}");
        }
    }

    #[test]
    fn a_circuit_that_was_too_large_is_made_again_when_nobody_else_searches() {
        let facts = Facts { too_large: true, ..after(12.0) };
        assert_eq!(facts.circuit(), Turn::Wait);
        assert_eq!(Facts { staged: Staged::KnowsAPart, ..facts }.circuit(), Turn::Go);
    }

    #[test]
    fn walks_take_a_part_of_the_time_that_has_passed() {
        for (at, walked, expected) in [
            (1.0, 0.0, false),
            (2.5, 0.0, true),
            (4.0, 1.9, true),
            (4.5, 2.1, false),
            (40.0, 4.9, true),
            (40.0, 5.1, false),
        ] {
            assert_eq!(after(at).walks(seconds(walked)), expected, "{at} s, {walked} s of walks");
        }
    }

    #[test]
    fn nobody_begins_while_explore_is_about_to_end() {
        let explore = shows(8_000, 40, 42);
        let facts = Facts { explore, any_number: Some(true), ..after(6.0) };
        assert_eq!(facts.circuit(), Turn::Wait);
        assert!(!facts.walks(Duration::ZERO));
        let cut = explore.map(|reading| Reading { cut: true, ..reading });
        let facts = Facts { explore: cut, ..facts };
        assert_eq!(facts.circuit(), Turn::Go, "it will prove nothing");
        assert!(facts.walks(Duration::ZERO));
    }
}
