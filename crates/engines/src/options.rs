//! The options of engines, as data.
//!
//! An engine lists in its row which options and switches it has. The command line, its help, the
//! tables in README and the runs over test programs and generated programs are made from the rows,
//! so a new option is one constant beside its engine. Options of one name may belong to several
//! engines, each with its own help. What the user gave is a [`Given`]; an engine turns it into its
//! own settings when it is made. What an engine does not have it must not be given
//! ([`EngineRow::misfit`]).
//!
//! **Invariant:** a value in [`Given`] has the form that the kind of its option asks for; reading
//! it otherwise panics.

use std::collections::{BTreeMap, BTreeSet};

use crate::EngineRow;
use crate::bounded::solver::SmtSolver;

/// An option of an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineOption {
    /// Its name after the two dashes.
    pub name: &'static str,
    /// A letter for the same.
    pub short: Option<char>,
    /// What stands for its value in the help (`N`); empty for a flag.
    pub value: &'static str,
    /// What can be given.
    pub kind: Kind,
    /// One line for the help text.
    pub help: &'static str,
    /// Further sentences for the long help text.
    pub more: &'static str,
}

/// What can be given for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number that limits the search: what it counts, and what the engine does without it.
    Bound(Measure, Without),
    /// Nothing: the option is there or not.
    Flag,
    /// A list of numbers.
    Numbers,
    /// Any text.
    Text,
    /// One of these names, each with its help.
    OneOf(&'static [(&'static str, &'static str)]),
}

/// What a bound counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Iterations of each loop.
    Iterations,
    /// Changes of the running thread in an execution.
    Contexts,
    /// Writes to shared memory in an execution, or clusters of them.
    Writes,
    /// Steps of each thread that others can notice.
    Steps,
    /// Instructions of an execution.
    Instructions,
}

/// What an engine does when a bound is not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Without {
    /// It begins with a small bound, which grows until there is an answer.
    Deepens,
    /// It has a fixed bound, or none.
    Fixed,
}

/// Most iterations of each loop, for engines that unroll.
pub const UNWIND: EngineOption = EngineOption {
    name: "unwind",
    short: Some('u'),
    value: "N",
    kind: Kind::Bound(Measure::Iterations, Without::Deepens),
    help: "Most iterations of each loop and depth of recursion [default: deepen until the time is up]",
    more: "",
};

/// Most changes of the running thread, as a restriction.
pub const CONTEXTS: EngineOption = EngineOption {
    name: "contexts",
    short: None,
    value: "N",
    kind: Kind::Bound(Measure::Contexts, Without::Fixed),
    help: "Most changes of the running thread up to a bug [default: any number]",
    more: "Nothing found is then VERDICT: BOUNDED.",
};

/// An optimisation that can be switched off, to measure it.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Its name for `--without`.
    pub name: &'static str,
    /// What it does when it is on.
    pub help: &'static str,
}

/// A set of switches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SwitchSet(BTreeSet<&'static str>);

impl SwitchSet {
    /// Whether a switch is in the set.
    pub fn contains(&self, switch: &Switch) -> bool {
        self.0.contains(switch.name)
    }

    /// The set with one more switch.
    #[must_use]
    pub fn with(mut self, switch: &Switch) -> SwitchSet {
        self.0.insert(switch.name);
        self
    }
}

impl<'a> FromIterator<&'a Switch> for SwitchSet {
    fn from_iter<I: IntoIterator<Item = &'a Switch>>(iter: I) -> Self {
        SwitchSet(iter.into_iter().map(|s| s.name).collect())
    }
}

/// The value of an option, by the kind of the option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a flag that is there.
    Flag,
    /// Of a bound.
    Number(u64),
    /// Of a list.
    Numbers(Vec<i128>),
    /// A text or a name.
    Text(String),
}

/// The options that the user gave.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Given {
    values: BTreeMap<&'static str, Value>,
    /// What is switched off.
    pub without: SwitchSet,
}

impl Given {
    /// The same with one more option.
    ///
    /// # Panics
    /// If the value is not of the option's kind.
    #[must_use]
    pub fn with(mut self, option: &EngineOption, value: Value) -> Given {
        let fits = match (&option.kind, &value) {
            (Kind::Bound(..), Value::Number(_))
            | (Kind::Flag, Value::Flag)
            | (Kind::Numbers, Value::Numbers(_))
            | (Kind::Text, Value::Text(_)) => true,
            (Kind::OneOf(names), Value::Text(name)) => names.iter().any(|(n, _)| n == name),
            (Kind::Bound(..) | Kind::Flag | Kind::Numbers | Kind::Text | Kind::OneOf(_), _) => {
                false
            }
        };
        assert!(fits, "--{} is given as {value:?}", option.name);
        self.values.insert(option.name, value);
        self
    }

    /// Whether an option is given.
    pub fn has(&self, option: &EngineOption) -> bool {
        self.values.contains_key(option.name)
    }

    /// A bound.
    pub fn number(&self, option: &EngineOption) -> Option<u64> {
        match self.values.get(option.name)? {
            Value::Number(n) => Some(*n),
            other => unreachable!("`with` lets no {other:?} be a bound"),
        }
    }

    /// A bound that is small by nature; what is larger is as good as the largest.
    pub fn small(&self, option: &EngineOption) -> Option<u32> {
        self.number(option).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }

    /// A list of numbers; empty if it is not given.
    pub fn numbers(&self, option: &EngineOption) -> Vec<i128> {
        match self.values.get(option.name) {
            Some(Value::Numbers(list)) => list.clone(),
            Some(other) => unreachable!("`with` lets no {other:?} be a list"),
            None => Vec::new(),
        }
    }

    /// A text or name.
    pub fn text(&self, option: &EngineOption) -> Option<&str> {
        match self.values.get(option.name)? {
            Value::Text(text) => Some(text),
            other => unreachable!("`with` lets no {other:?} be a text"),
        }
    }

    /// Only what an engine has.
    #[must_use]
    pub fn for_engine(&self, row: &EngineRow) -> Given {
        let values = self.values.iter().filter(|(name, _)| row.option(name).is_some());
        let values = values.map(|(name, value)| (*name, value.clone())).collect();
        let without = self.without.0.iter().filter(|name| row.switch(name).is_some());
        Given { values, without: SwitchSet(without.copied().collect()) }
    }
}

/// What engines cannot do themselves: they start no processes.
#[derive(Clone, Copy)]
pub struct Host {
    /// The SMT solver of a command; an error says what the user can do.
    pub solver: fn(&str) -> Result<SmtSolver, String>,
}

impl Default for Host {
    fn default() -> Host {
        Host { solver: |_| Err("no SMT solver can be started here".into()) }
    }
}

/// Something that an engine was given and does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// An option or a switch.
    pub what: MisfitKind,
    /// The engines that have it.
    pub engines: Vec<&'static str>,
}

/// What does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MisfitKind {
    /// An option of this name.
    Option(&'static str),
    /// A switch of this name.
    Switch(&'static str),
}

impl EngineRow {
    /// The option of that name, if the engine has it.
    pub fn option(&self, name: &str) -> Option<&'static EngineOption> {
        self.options.iter().find(|o| o.name == name)
    }

    /// The switch of that name, if the engine has it.
    pub fn switch(&self, name: &str) -> Option<&'static Switch> {
        self.switches.iter().find(|s| s.name == name)
    }

    /// The first thing that this engine was given and does not have.
    pub fn misfit(&self, given: &Given) -> Option<Misfit> {
        let names = |has: &dyn Fn(&EngineRow) -> bool| {
            crate::rows().filter(|row| has(row)).map(|row| row.name).collect()
        };
        let option = given.values.keys().find(|name| self.option(name).is_none());
        let switch = || given.without.0.iter().find(|name| self.switch(name).is_none());
        match option {
            Some(&name) => Some(Misfit {
                what: MisfitKind::Option(name),
                engines: names(&|row| row.option(name).is_some()),
            }),
            None => switch().map(|&name| Misfit {
                what: MisfitKind::Switch(name),
                engines: names(&|row| row.switch(name).is_some()),
            }),
        }
    }
}
