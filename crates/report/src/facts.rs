//! What an engine says about its search, in words: bounds, reasons, grounds, notes.
//!
//! Each fact becomes a kind for programs and a text for people, side by side.

use std::collections::BTreeSet;

use raddle_certificate::{No, Outside};
use raddle_engines::circuit::certify::Refusal;
use raddle_engines::{
    Cut, Ground as EngineGround, Large, Limit, Mistake, Note as EngineNote, Reason as EngineReason,
};
use raddle_ir::{CommandLines, Function, Place, Program, PropertySet, Unmodelled};

use crate::collect::spot;
use crate::data::{
    Bound, BoundKind, Ground, GroundKind, Missing, Note, NoteKind, Reason, ReasonKind,
};
use crate::wording::counted;
use crate::{callers, library};

/// Limits that a note names; the others are counted.
const NAMED: usize = 4;

/// A point of the program with its preposition: a line of the user, or what he knows of the library,
/// whose lines mean nothing to him.
fn whereabouts(program: &Program, place: Place) -> String {
    if !place.is_known() || !program.file(place.file).is_model {
        return format!("at {}", program.show_place(place));
    }
    let before = |f: &&Function| f.place.file == place.file && f.place.line <= place.line;
    let function = program.functions.iter().filter(before).max_by_key(|f| f.place.line);
    let called: Vec<Place> =
        callers::of_place(program, place).into_iter().filter(|p| *p != place).collect();
    let what = match function.map_or("", |f| f.name.as_str()) {
        "__raddle_read_string" => "over a string that the library reads".into(),
        "__raddle_read_bytes" => "over bytes that the library reads".into(),
        "__raddle_fill" => "over bytes that are read in".into(),
        _ => match called.first().and_then(|p| library::called_at(program, *p)) {
            Some(name) => format!("in `{name}` of the library"),
            None => "in the library".into(),
        },
    };
    match called.as_slice() {
        [] => what,
        [one] => format!("{what}, called at {},", program.show_place(*one)),
        [first, more @ ..] => {
            format!("{what}, called at {} and {} more,", program.show_place(*first), more.len())
        }
    }
}

const SIGNALS: &str = "handlers of signals run only in calls of the main thread that can wait";
const UNDEFINED: &str = "undefined functions return anything";

/// What was left out.
pub fn bound(program: &Program, cut: &Cut) -> Bound {
    let at = |place: Place| whereabouts(program, place);
    let (kind, limit, place, text) = match *cut {
        Cut::Loop { place, bound } => {
            let text = format!("loop {} unrolled up to bound {bound}", at(place));
            (BoundKind::Loop, Some(bound.into()), Some(place), text)
        }
        Cut::Recursion { place, bound } => {
            let text = format!("recursion {} to depth {bound}", at(place));
            (BoundKind::Recursion, Some(bound.into()), Some(place), text)
        }
        Cut::Calls { place, bound } => {
            let text = format!("{bound} calls that are inlined; the one {} is not", at(place));
            (BoundKind::Calls, Some(bound.into()), Some(place), text)
        }
        Cut::Threads { place, bound } => {
            let text = threads(bound, &at(place));
            (BoundKind::Threads, Some(bound.into()), Some(place), text)
        }
        Cut::Object { place, cells } => {
            let limit = cells.map_or("a size limit".into(), |most| format!("{most} elements"));
            let text = format!("objects allocated or accessed {} up to {limit}", at(place));
            (BoundKind::Object, cells, Some(place), text)
        }
        Cut::Contexts { bound } => {
            let switches = if bound == 1 { "switch" } else { "switches" };
            let text = format!("schedules with at most {bound} context {switches}");
            (BoundKind::Contexts, Some(bound.into()), None, text)
        }
        Cut::Writes { bound } => {
            let writes = counted(bound.into(), "writes");
            let text =
                format!("executions with at most {writes} to shared memory, or clusters of them");
            (BoundKind::Writes, Some(bound.into()), None, text)
        }
        Cut::Steps { bound } => {
            let steps = counted(bound.into(), "steps");
            let text = format!("executions in which each thread makes at most {steps}");
            (BoundKind::Steps, Some(bound.into()), None, text)
        }
        Cut::AllSteps { bound } => {
            let steps = counted(bound.into(), "steps");
            let text = format!("executions in which all threads together make at most {steps}");
            (BoundKind::Steps, Some(bound.into()), None, text)
        }
        Cut::Allocations { place, bound } => {
            let text = format!("objects that a thread allocates {} up to {bound}", at(place));
            (BoundKind::Allocations, Some(bound.into()), Some(place), text)
        }
        Cut::Instructions { bound } => {
            let text = format!("executions of at most {}", counted(bound, "instructions"));
            (BoundKind::Instructions, Some(bound), None, text)
        }
        Cut::Inputs { place } => {
            let at = at(place);
            let text = format!("some values only of the input {}", at.trim_end_matches(','));
            (BoundKind::Inputs, None, Some(place), text)
        }
        Cut::Uninitialised { place } => {
            let text =
                format!("some values only of memory read {} before it is written", at(place));
            (BoundKind::Uninitialised, None, Some(place), text)
        }
        Cut::Arguments(CommandLines { most, length }) => {
            let (most, length) =
                (counted(most.into(), "arguments"), counted(length.into(), "characters"));
            let text =
                format!("command lines of at most {most} of at most {length} (--args, --max-args)");
            (BoundKind::Arguments, None, None, text)
        }
        Cut::Signals => (BoundKind::Signals, None, None, SIGNALS.to_string()),
        Cut::Undefined => (BoundKind::Undefined, None, None, UNDEFINED.to_string()),
        Cut::Time => (BoundKind::Time, None, None, "the time was up".to_string()),
    };
    // A line of a model means nothing to its user: the first of the calls that lead there does.
    let at = place.map(|p| callers::of_place(program, p)[0]).and_then(|p| spot(program, p));
    Bound { kind, text, limit, at }
}

/// How many threads a place may create.
fn threads(bound: u32, at: &str) -> String {
    match bound {
        0 => format!("not all threads created {at}: there are too many in all"),
        _ => format!("threads created {at} up to {bound}"),
    }
}

/// Why there is no answer.
pub fn reason(program: &Program, reason: &EngineReason) -> Reason {
    let (kind, text, at) = match reason {
        EngineReason::Time => (ReasonKind::Time, "the time is up (--time)".to_string(), None),
        EngineReason::Unsupported(reached) => {
            let (what, place) = reached.first().expect("the reason is something");
            let text = format!("{} is not modelled and can be reached", unmodelled(what));
            let place = callers::of_place(program, *place)[0];
            (ReasonKind::Unsupported, text, spot(program, place))
        }
        EngineReason::Solver(text) => (ReasonKind::Solver, text.clone(), None),
        EngineReason::Large { what, place } => {
            (ReasonKind::Large, large(*what), spot(program, *place))
        }
        EngineReason::Internal(what) => {
            (ReasonKind::Internal, format!("a mistake in raddle: {}", mistake(what)), None)
        }
    };
    Reason { kind, text, at }
}

/// Why a certificate is refused.
pub fn refusal(program: &Program, refusal: &Refusal) -> Reason {
    let list = |places: &[Place]| {
        places.iter().map(|p| program.show_place(*p)).collect::<Vec<_>>().join(" and ")
    };
    let (text, place) = match refusal {
        Refusal::No(why) => return reason(program, why),
        Refusal::Name(name) => (format!("the program has no `{name}`"), None),
        Refusal::Initial(conjunct) => (format!("it does not hold at first: {conjunct}"), None),
        Refusal::Step(conjunct) => (format!("a step does not keep it: {conjunct}"), None),
        Refusal::Violation(property, places) => {
            let at = list(places);
            (format!("it does not exclude {property} at {at}"), places.first().copied())
        }
        Refusal::End(place) => {
            let at = program.show_place(*place);
            (format!("it does not exclude that more is needed at {at}"), Some(*place))
        }
        Refusal::Broad(conjunct) => {
            (format!("it speaks of too many threads to hold of any number: {conjunct}"), None)
        }
        Refusal::AnyNumber => {
            let text = "what is checked is about all threads at once, the certificate about few";
            (text.to_string(), None)
        }
        Refusal::Places => ("a thread could stand in two places".to_string(), None),
    };
    let text = format!("the certificate is refused: {text}");
    Reason { kind: ReasonKind::Certificate, text, at: place.and_then(|p| spot(program, p)) }
}

/// What a check of a certificate says that makes no automata: a note, or why it is refused.
/// `conjunct` shows a conjunct by its number.
pub fn independent(
    program: &Program,
    conjunct: &dyn Fn(usize) -> String,
    answer: &Result<(), No>,
) -> Result<Note, Reason> {
    let at = |place: Place| program.show_place(place);
    let (text, place) = match answer {
        Ok(()) => {
            let text = "each conjunct was checked against the instructions of the program as well, \
                        without automata and static analysis";
            return Ok(Note::new(NoteKind::Certificate, text));
        }
        Err(No::Outside(what, place)) => {
            let text = format!(
                "the automata of threads and the static analysis were trusted: the check without \
                 them does not cover {}",
                outside(*what)
            );
            return Ok(Note {
                at: spot(program, *place),
                ..Note::new(NoteKind::Certificate, text)
            });
        }
        Err(No::Time) => return Err(reason(program, &EngineReason::Time)),
        Err(No::Legend(line)) => (format!("the program has no `{line}`"), None),
        Err(No::Name(name)) => (format!("it does not say what `{name}` is"), None),
        Err(No::Initial(nth)) => (format!("it does not hold at first: {}", conjunct(*nth)), None),
        Err(No::Step(nth, place)) => {
            let text = format!("an instruction does not keep it: {}", conjunct(*nth));
            (text, Some(*place))
        }
        Err(No::Violation(property, place)) => {
            (format!("it does not exclude {property} at {}", at(*place)), Some(*place))
        }
        Err(No::End(place)) => {
            (format!("it does not exclude that more is needed at {}", at(*place)), Some(*place))
        }
        Err(No::Glued(first, second)) => {
            let (a, b) = (at(*first), at(*second));
            (format!("it takes for one step what others can notice: {a} and {b}"), Some(*first))
        }
    };
    let text = format!("the certificate is refused: {text}");
    let at = place.and_then(|p| spot(program, p));
    Err(Reason { kind: ReasonKind::Certificate, text, at })
}

/// What the check without automata does not cover.
fn outside(what: Outside) -> String {
    match what {
        Outside::NoLegend => "certificates that do not say what their names are".into(),
        Outside::AnyNumber => "any number of threads".into(),
        Outside::Property(property) => format!("{property}"),
        Outside::Arithmetic => "floating point and such products".into(),
        Outside::Many => "so many cases".into(),
    }
}

/// What is too large.
fn large(what: Large) -> String {
    match what {
        Large::Clauses(n) => {
            format!("the formula would have more than {} million clauses", n / 1_000_000)
        }
        Large::Cells(n) => format!("memory has more than {n} cells that threads could use"),
        Large::Terms(n) => {
            format!(
                "the automata of the threads would have more than {} million terms",
                n / 1_000_000
            )
        }
        Large::Bits(n) => format!("a state has {n} bits"),
        Large::Diagrams(n) => format!(
            "decision diagrams would have more than {} million nodes; other methods need none",
            n / 1_000_000
        ),
    }
}

/// Something that is not modelled and that an execution reaches.
pub fn missing(program: &Program, what: &Unmodelled, place: Place) -> Missing {
    let at = callers::of_place(program, place).into_iter();
    let at = at.filter_map(|p| spot(program, p)).collect();
    Missing { what: unmodelled(what), function: None, at, reached: true }
}

/// What is not modelled.
fn unmodelled(what: &Unmodelled) -> String {
    match what {
        Unmodelled::Construct(what) => what.clone(),
        Unmodelled::UnknownAccess => "an access through a pointer of unknown origin".into(),
        Unmodelled::UnknownCall => "a call through a pointer of unknown origin".into(),
        Unmodelled::UnknownFree => "free of a pointer of unknown origin".into(),
        Unmodelled::UnknownSize => "the size of an object of unknown origin".into(),
        Unmodelled::NestedCalls(most) => format!("calls nested more than {most} deep"),
        Unmodelled::Arithmetic => {
            "a floating-point remainder or arithmetic in long double (use --engine explore)".into()
        }
        Unmodelled::HalfOpenSection => "an atomic section that is open on one path only".into(),
        Unmodelled::ScatteredSection => {
            "an atomic section that begins in several places (use --engine explore)".into()
        }
        Unmodelled::WaitingSection => {
            "an atomic section that waits after a step of its own (use --engine explore)".into()
        }
        Unmodelled::Elsewhere => "an access that leaves its object for another one".into(),
        Unmodelled::LostMemory => "whether memory that is left at the end is lost".into(),
        Unmodelled::ManyThreads(most) => format!("more than {most} threads"),
        Unmodelled::NoRoom => "no room for an object".into(),
        Unmodelled::UnconfirmedRace => "a possible race that could not be replayed".into(),
        Unmodelled::UnconfirmedViolation => "a violation that could not be replayed".into(),
    }
}

/// A mistake in raddle, for its authors.
pub fn mistake(mistake: &Mistake) -> String {
    match mistake {
        Mistake::Unreplayed(why) => {
            format!("a violation could not be replayed: {}", why.join("; "))
        }
        Mistake::Model(what) => what.clone(),
    }
}

/// What a proof rests on.
pub fn ground(ground: &EngineGround) -> Ground {
    let (kind, text) = match ground {
        EngineGround::Exhaustion => (GroundKind::Exhaustion, "every execution was run".to_string()),
        EngineGround::Unrolling { bound } => (
            GroundKind::Unrolling,
            format!("no execution goes beyond an unrolling to bound {bound}"),
        ),
        EngineGround::Induction { bound } => {
            (GroundKind::Induction, format!("by induction over {bound} steps"))
        }
        EngineGround::Invariant { clauses, any_number } => {
            let how_many = match any_number {
                true => " that holds of any number of threads",
                false => "",
            };
            let text = format!("by an inductive invariant of {clauses} clauses{how_many}");
            (GroundKind::Invariant, text)
        }
        EngineGround::States { count } => {
            (GroundKind::States, format!("none of {} states leads to one", at_most(*count)))
        }
        EngineGround::Unreached { count } => {
            let text = format!("none of {} states that lead to one is reached", at_most(*count));
            (GroundKind::States, text)
        }
        EngineGround::Structure { pairs } => {
            let pairs = counted(*pairs, "pairs");
            let text = format!(
                "something keeps threads apart in each of {pairs} of accesses to the same memory, for any number of \
                 threads and iterations, as long as accesses stay inside their objects (property `memory`)"
            );
            (GroundKind::Structure, text)
        }
    };
    Ground { kind, text }
}

/// A number, of which the largest one stands for all that are larger.
fn at_most(count: u64) -> String {
    match count.checked_add(1) {
        Some(_) => count.to_string(),
        None => format!("more than {}", u64::MAX - 1),
    }
}

/// What a reader should know beside the verdict.
pub fn note(program: &Program, note: &EngineNote) -> Note {
    match note {
        EngineNote::FurtherFindings { limits, undecided } => {
            Note::new(NoteKind::FurtherFindings, further_findings(program, limits, *undecided))
        }
        EngineNote::Undefined { property, places, certain } => {
            let text = undefined(program, property.name(), places, *certain);
            let at = places.first().and_then(|p| spot(program, *p));
            Note { at, ..Note::new(NoteKind::Undefined, text) }
        }
        EngineNote::Reduced { stubborn, transactions } => {
            let what = match (stubborn, transactions) {
                (true, true) => "stubborn sets and transactions choose",
                (true, false) => "stubborn sets choose",
                (false, _) => "transactions choose",
            };
            let text =
                format!("This rests on a reduction: {what} which interleavings are looked at.");
            Note::new(NoteKind::Reduced, text)
        }
        EngineNote::OneThread => {
            let text = "Within these bounds no thread is created: only the start of the program was looked at.";
            Note::new(NoteKind::OneThread, text)
        }
        EngineNote::Large { what, place } => {
            let at = whereabouts(program, *place);
            let text = format!("The search went no further: {} ({at}).", large(*what));
            Note { at: spot(program, *place), ..Note::new(NoteKind::Large, text) }
        }
        EngineNote::Mistake(what) => {
            let text =
                format!("There is a mistake in raddle beside the findings: {}.", mistake(what));
            Note::new(NoteKind::Mistake, text)
        }
    }
}

fn undefined(program: &Program, property: &str, places: &[Place], certain: bool) -> String {
    let mut named: Vec<String> =
        places.iter().take(NAMED).map(|p| program.show_place(*p)).collect();
    if places.len() > NAMED {
        named.push(counted((places.len() - NAMED) as u64, "more places"));
    }
    let ends = if certain { "Some execution ends" } else { "Some execution may end" };
    format!(
        "{ends} in undefined behaviour at {} (`{property}` is not checked): \
         what comes after it was not looked at.",
        named.join(", ")
    )
}

fn further_findings(program: &Program, limits: &[Limit], undecided: PropertySet) -> String {
    let words = |limit: &Limit| match limit {
        Limit::Cut(cut) => bound(program, cut).text,
        Limit::Unsupported { what, place } => {
            let what = unmodelled(what);
            format!("{what} {} is not modelled", whereabouts(program, *place))
        }
    };
    let mut words: Vec<String> = limits.iter().map(words).collect();
    let mut said = BTreeSet::new();
    words.retain(|text| said.insert(text.clone()));
    if words.len() > NAMED {
        let more = words.len() + 1 - NAMED;
        words.truncate(NAMED - 1);
        words.push(format!("and {more} more limits"));
    }
    let mut text =
        format!("There may be further findings: the search was limited ({}).", words.join("; "));
    if undecided != PropertySet::EMPTY {
        let names: Vec<&str> = undecided.iter().map(|p| p.name()).collect();
        text += &format!(" Not decided beyond that: {}.", names.join(", "));
    }
    text
}
