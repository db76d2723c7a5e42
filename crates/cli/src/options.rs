//! The options of engines on the command line, made from the table of engines.
//!
//! Each option of a row becomes an option of `raddle check`, with the engines that have it in its
//! help. Whether the chosen engine has what was given is looked at afterwards, so that the message
//! can say which engines do.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use raddle_engines::options::{EngineOption, Kind, Misfit, MisfitKind, Value};
use raddle_engines::{EngineRow, Given, Switch, rows, staged};

/// Under which title the help lists them.
const HEADING: &str = "Options of engines";
/// The option that switches optimisations off.
const WITHOUT: &str = "without";

/// What was given for engines.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    /// All of it, also what the chosen engine may not have.
    pub given: Given,
}

impl Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let command = options().into_iter().fold(command, |c, option| c.arg(arg(option)));
        let names = PossibleValuesParser::new(switches().iter().map(|s| s.name));
        let have: Vec<&str> =
            rows().filter(|row| !row.switches.is_empty()).map(|row| row.name).collect();
        let list: String =
            switches().iter().map(|s| format!("\n  {}: {}", s.name, s.help)).collect();
        let help = format!("Switch optimisations off, to measure them ({})", have.join(", "));
        command.arg(
            Arg::new(WITHOUT)
                .long(WITHOUT)
                .value_name("NAMES")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .value_parser(names)
                .hide_possible_values(true)
                .help_heading(HEADING)
                .long_help(format!("{help}\n{list}"))
                .help(help),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = options().into_iter().fold(Given::default(), |given, option| {
            match value(option, matches) {
                Some(value) => given.with(option, value),
                None => given,
            }
        });
        let off = matches.get_many::<String>(WITHOUT).into_iter().flatten();
        let off: Vec<&String> = off.collect();
        let without = switches().into_iter().filter(|s| off.iter().any(|name| *name == s.name));
        given.without = without.collect();
        Ok(EngineArgs { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// All options, each name once, in the order of the table.
fn options() -> Vec<&'static EngineOption> {
    let mut all: Vec<&EngineOption> = Vec::new();
    for option in raddle_engines::ENGINES.iter().chain(rows()).flat_map(|row| row.options) {
        if all.iter().all(|known| known.name != option.name) {
            all.push(option);
        }
    }
    all
}

/// All switches, each name once.
fn switches() -> Vec<&'static Switch> {
    let mut all: Vec<&Switch> = Vec::new();
    for switch in rows().flat_map(|row| row.switches) {
        if all.iter().all(|known| known.name != switch.name) {
            all.push(switch);
        }
    }
    all
}

fn arg(option: &'static EngineOption) -> Arg {
    let have: Vec<&EngineRow> = rows().filter(|row| row.option(option.name).is_some()).collect();
    let names: Vec<&str> = have.iter().map(|row| row.name).collect();
    let help = format!("{} ({})", option.help, names.join(", "));
    let own = have.iter().filter_map(|row| {
        let help = row.option(option.name).map(|o| o.help).filter(|help| *help != option.help);
        help.map(|help| format!("{}: {help}", row.name))
    });
    let more = (!option.more.is_empty()).then(|| option.more.to_string());
    let paragraphs: Vec<String> = [help.clone()].into_iter().chain(more).chain(own).collect();
    let arg = Arg::new(option.name).long(option.name).help(help).help_heading(HEADING);
    let arg = arg.long_help(paragraphs.join("\n\n"));
    let arg = if let Some(letter) = option.short { arg.short(letter) } else { arg };
    match option.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Bound(..) => arg.value_name(option.value).value_parser(value_parser!(u64)),
        Kind::Numbers => arg
            .value_name(option.value)
            .value_delimiter(',')
            .allow_hyphen_values(true)
            .action(ArgAction::Append)
            .value_parser(value_parser!(i128)),
        Kind::Text => arg.value_name(option.value),
        Kind::OneOf(names) => arg
            .value_name(option.value)
            .value_parser(PossibleValuesParser::new(names.iter().map(|(name, _)| *name))),
    }
}

fn value(option: &EngineOption, matches: &ArgMatches) -> Option<Value> {
    match option.kind {
        Kind::Flag => matches.get_flag(option.name).then_some(Value::Flag),
        Kind::Bound(..) => matches.get_one::<u64>(option.name).map(|n| Value::Number(*n)),
        Kind::Numbers => {
            let numbers = matches.get_many::<i128>(option.name)?;
            Some(Value::Numbers(numbers.copied().collect()))
        }
        Kind::Text | Kind::OneOf(_) => {
            matches.get_one::<String>(option.name).map(|text| Value::Text(text.clone()))
        }
    }
}

/// The names for `--engine`.
pub fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(rows().map(|row| row.name))
}

/// What the engines are.
pub fn engines_help() -> String {
    let lines: Vec<String> = rows().map(|row| format!("{}: {}", row.name, row.summary)).collect();
    format!("How to search\n\n{}", lines.join("\n"))
}

/// The names for `raddle export --without`.
pub fn staged_switch_names() -> PossibleValuesParser {
    PossibleValuesParser::new(staged::SWITCHES.iter().map(|s| s.name))
}

/// What is wrong with the options of an engine.
pub fn misfit_text(row: &EngineRow, misfit: &Misfit) -> String {
    let engines = misfit.engines.join(", ");
    match misfit.what {
        MisfitKind::Option(name) => {
            format!(
                "the engine {} has no option --{name}; the engines that have it: {engines}",
                row.name
            )
        }
        MisfitKind::Switch(name) => format!(
            "the engine {} has no optimisation `{name}` (--without); the engines that have it: {engines}",
            row.name
        ),
    }
}
