//! Infinite executions: formulas of linear-time temporal logic, and threads that wait for ever.
//!
//! Reading order: `tester.rs` (a formula as an automaton), `atoms.rs` (what it speaks of), `product.rs` (the
//! composition with the automaton of the negated formula, and what is fair), `raddle_reach::lasso`
//! (infinite executions as finite ones), `states.rs` (all states), `witness.rs` (back to the program),
//! this file (the search).
//!
//! First it is asked, as for every property, whether executions come to an end of the automata: then
//! more gets names, or the answer says so. Then each question is decided by itself. Bounded model
//! checking looks for lassos in the whole system: all of a state must come again, since the
//! interpreter will compare all of it. IC3 proves, in the part of the system that matters, that so
//! many rounds of fairness are never seen, for one, two, four … rounds. Decision diagrams of that part
//! say whether there is something to be found or to be proved, if they do not become too large. All
//! take turns.
//! Limits: proofs have no certificate; no reduction is applied.

mod atoms;
mod product;
mod states;
pub mod tester;
mod witness;

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use raddle_aig::{Edge, System};
use raddle_analysis::Facts;
use raddle_automaton::{Bounds as Names, CellId, StateVar, TooLarge, automata};
use raddle_interp::{ConfirmedTrace, Endless};
use raddle_ir::linear::Sentence;
use raddle_ir::{Place, Property};
use raddle_reach::{
    BDD_NODES, Bmc, End as Ic3End, Flaw, Found as BmcFound, Ic3, Interrupted, Invariant, Lasso,
    Limits, Pairs, Question, certify, lasso,
};
use raddle_term::{TermId, Terms};

use super::bits::Circuit;
use super::compose::{Composition, LeftOut, Variable};
use super::found::Figures;
use super::how::Method;
use super::names::names;
use crate::{Budget, Ground, Large, Progress, Reason, Task};
use product::{Against, Product, product};
use states::{Known, States, Turns};

/// The first slice of time for each method: most formulas about small programs are decided by
/// whichever method is right for them before it is over.
const SLICE: Duration = Duration::from_millis(50);
/// Slices from which on IC3 has turns, too, if diagrams have no answer: they are faster where they are
/// not too large. If they say that there is a lasso they show it from then on: bounded model checking
/// finds a shorter one.
const PATIENCE: Duration = Duration::from_millis(400);
/// Time for simple invariants, before each search for a proof.
const PAIRS: Duration = Duration::from_millis(1200);

/// What a question came to.
pub enum Answer {
    /// No infinite execution that counts shows it.
    Holds(Ground),
    /// One does.
    Violated(Box<ConfirmedTrace>),
    /// One of the circuit does, but not of the program.
    Unconfirmed(String),
    /// No answer.
    No(Reason),
}

/// Asks all that is asked about infinite executions, one after the other.
pub fn answers(
    task: &Task,
    facts: &Facts,
    bounds: Names,
    method: Method,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> (Vec<Answer>, Figures) {
    let program = task.program;
    let mut all = Vec::new();
    let mut figures = Figures::default();
    let formulas = program.linear.formulas.iter().enumerate();
    let mut questions: Vec<(Against, Option<usize>)> = formulas
        .filter(|_| program.checked.contains(Property::Linear))
        .map(|(i, Sentence { formula, atoms, .. })| (Against::Formula(formula, atoms), Some(i)))
        .collect();
    if program.checked.contains(Property::Starvation) {
        questions.push((Against::Waiting, None));
    }
    for (against, formula) in questions {
        progress(Progress::doing("composing", None));
        let answer = match Search::new(task, facts, bounds, &against, formula, budget) {
            Ok(search) => search.run(method, &mut figures, progress),
            Err(reason) => Answer::No(reason),
        };
        let found = matches!(answer, Answer::Violated(_));
        all.push(answer);
        if found && task.settings.first_only {
            break;
        }
    }
    (all, figures)
}

struct Search<'a> {
    task: &'a Task<'a>,
    composition: Composition,
    product: Product,
    formula: Option<usize>,
    limits: Limits,
    budget: &'a Budget,
}

/// A circuit with what its executions must satisfy.
struct Fair {
    circuit: Circuit,
    /// The part that matters, with constraints and without anything bad.
    system: System,
    justice: Vec<Edge>,
}

impl<'a> Search<'a> {
    fn new(
        task: &'a Task<'a>,
        facts: &Facts,
        bounds: Names,
        against: &Against,
        formula: Option<usize>,
        budget: &'a Budget,
    ) -> Result<Search<'a>, Reason> {
        let program = task.program;
        let mut terms = Terms::new();
        let is_over = || budget.is_over();
        let automata = automata(program, facts, bounds, &mut terms, &is_over);
        let automata = automata.map_err(|e| match e {
            TooLarge::NoEntry | TooLarge::Cells { .. } | TooLarge::Terms { .. } => {
                unreachable!("the same automata were made before")
            }
            TooLarge::Stopped => Reason::Time,
        })?;
        let mut cells: Vec<CellId> = match against {
            Against::Formula(_, given) => atoms::observed(&automata, given),
            Against::Waiting => Vec::new(),
        };
        // States are compared: what is written counts, also where nobody reads it.
        let states = automata.classes.iter().flat_map(|a| &a.states);
        let updates = states.flat_map(|s| &s.transitions).flat_map(|t| &t.updates);
        cells.extend(updates.filter_map(|(var, _)| match var {
            StateVar::Cell(cell) => Some(*cell),
            StateVar::Own
            | StateVar::Register(..)
            | StateVar::Count(_)
            | StateVar::Return(_)
            | StateVar::Argument(..)
            | StateVar::Result(_) => None,
        }));
        cells.sort_unstable();
        cells.dedup();
        let mut composition = Composition::observing(terms, automata, &cells, LeftOut::Constants);
        let product = product(program, &mut composition, against, program.linear.fairness);
        let product = product.ok_or_else(|| {
            let what = "a formula about a variable without a definition".to_string();
            let what = raddle_ir::Unmodelled::Construct(what);
            Reason::Unsupported(vec![(what, Place::UNKNOWN)])
        })?;
        let limits = Limits { deadline: budget.deadline, stop: budget.cancelled().into() };
        Ok(Search { task, composition, product, formula, limits, budget })
    }

    /// The circuit of which these conditions are kept, besides what fairness needs.
    fn fair(&self, kept: &[TermId]) -> Fair {
        let Product { constraints, justice, .. } = &self.product;
        let conds: Vec<TermId> = constraints.iter().chain(justice).chain(kept).copied().collect();
        let names = names(self.task.program, &self.composition);
        let circuit = Circuit::new(&self.composition, &names, &conds);
        let mut system = circuit.part.system.clone();
        let edges = std::mem::take(&mut system.bad);
        system.constraints = edges[..constraints.len()].to_vec();
        let justice = edges[constraints.len()..constraints.len() + justice.len()].to_vec();
        Fair { circuit, system, justice }
    }

    fn run(
        mut self,
        method: Method,
        figures: &mut Figures,
        progress: &mut dyn FnMut(Progress),
    ) -> Answer {
        let all = self.about_all();
        let whole = self.fair(&all);
        let part = self.fair(&[]);
        let lassos = lasso::lassos(&whole.system, &whole.justice, &[]);
        let exclusive = &whole.circuit.exclusive;
        let question = Question { system: &lassos, bad: &[0], moves: None, exclusive };
        let mut bmc = Bmc::new(question);
        figures.threads = self.composition.steps.len() as u64;
        figures.states = self.composition.steps.iter().map(|s| s.len() as u64).sum();
        figures.latches = figures.latches.max(whole.system.latches.len() as u64);
        figures.gates = figures.gates.max(whole.system.graph.len() as u64);
        let (mut slice, mut rounds) = (SLICE, 1);
        let (states, less) = (States::new(&part, &self.composition), OnceCell::new());
        let mut diagrams = Turns::new(&states, &less, method);
        loop {
            let counting = lasso::counting(&part.system, &part.justice, rounds, &[]);
            let exclusive = &part.circuit.exclusive;
            let question = Question { system: &counting, bad: &[0], moves: None, exclusive };
            let mut ic3: Option<Ic3> = None;
            loop {
                tell(figures, &bmc, ic3.as_ref(), rounds, progress);
                if self.budget.is_over() {
                    return Answer::No(Reason::Time);
                }
                let known = diagrams.turn(slice, &self.slice(slice));
                if let Known::None { states } = known {
                    figures.reached = states;
                    return Answer::Holds(Ground::States { count: states });
                }
                if method != Method::Bdd || known == Known::Some {
                    let found = self.look_for_lasso(&whole, &mut bmc, slice);
                    figures.depth = figures.depth.max(bmc.depth() as u64);
                    if let Some(answer) = found {
                        return answer;
                    }
                }
                if known == Known::Some && slice >= PATIENCE {
                    let shown = diagrams.lasso(&self.slice(slice));
                    if let Some(answer) = shown.and_then(|l| self.shown(&part, &whole, l)) {
                        return answer;
                    }
                }
                slice = slice.saturating_mul(2);
                match (known, method) {
                    (Known::Never, Method::Bdd) => return Answer::No(self.too_large()),
                    // Then there is no proof to be looked for.
                    (Known::Some, _) | (_, Method::Bmc | Method::Look | Method::Bdd) => continue,
                    (Known::Nothing, Method::Auto) if slice < PATIENCE => continue,
                    (Known::Nothing | Known::None { .. } | Known::Never, _) => {}
                }
                let ic3 = ic3.get_or_insert_with(|| {
                    let pairs = Pairs::new(question).run(&self.slice(PAIRS));
                    Ic3::new(question, pairs.unwrap_or_default())
                });
                match ic3.run(&self.slice(slice)) {
                    Ok(Ic3End::Violated(_)) => break,
                    Ok(Ic3End::Broad) => unreachable!("cubes may speak of all threads"),
                    Ok(Ic3End::Holds(invariant)) => return self.proved(question, &invariant),
                    Err(Interrupted) => {}
                }
            }
            rounds *= 2;
        }
    }

    /// Conditions on each variable: who keeps them keeps all of a state.
    fn about_all(&mut self) -> Vec<TermId> {
        let Composition { variables, terms, .. } = &mut self.composition;
        let about = |v: &Variable| {
            let zero = terms.constant(0, terms.width(v.now));
            terms.eq(v.now, zero)
        };
        variables.iter().map(about).collect()
    }

    fn proved(&self, question: Question, invariant: &Invariant) -> Answer {
        if self.task.settings.recheck {
            match certify(question, invariant, &self.limits) {
                Ok(()) => {}
                Err(Flaw::Open) => return Answer::No(Reason::Time),
                Err(flaw) => panic!("an invariant of IC3 is one: {flaw:?}"),
            }
        }
        let clauses = invariant.len() as u32;
        Answer::Holds(Ground::Invariant { clauses, any_number: false })
    }

    /// Diagrams are.
    fn too_large(&self) -> Reason {
        let place = self.composition.layout.entry_place(self.task.program);
        Reason::Large { what: Large::Diagrams(BDD_NODES as u64), place }
    }

    /// The limits of one turn.
    fn slice(&self, slice: Duration) -> Limits {
        let end = Instant::now() + slice;
        let deadline = Some(self.limits.deadline.map_or(end, |d| d.min(end)));
        Limits { deadline, stop: self.limits.stop.clone() }
    }

    fn look_for_lasso(&self, whole: &Fair, bmc: &mut Bmc, slice: Duration) -> Option<Answer> {
        let limits = self.slice(slice);
        loop {
            match bmc.step(&limits) {
                Ok(BmcFound::Nothing) => {}
                Ok(BmcFound::End) => unreachable!("steps that change nothing are steps, too"),
                Ok(BmcFound::Violation(execution)) => {
                    let begin = lasso::loop_begins(&whole.system, &execution);
                    let begin = begin.expect("a loop that is closed has begun");
                    let own = witness::of_part(&whole.system, &execution);
                    let values = whole.circuit.values(&self.composition, &own);
                    return Some(self.replayed(&values, begin));
                }
                Err(Interrupted) => return None,
            }
        }
    }

    /// A lasso of the part as one of the whole: its loop is repeated until all of a state comes again.
    /// None if that does not happen soon, or if it is no execution of the program.
    fn shown(&self, part: &Fair, whole: &Fair, lasso: Lasso) -> Option<Answer> {
        let (execution, begin) = witness::of_whole(part, whole, lasso)?;
        let values = whole.circuit.values(&self.composition, &execution);
        match self.replayed(&values, begin) {
            Answer::Unconfirmed(_) => None,
            answer => Some(answer),
        }
    }

    fn replayed(&self, values: &super::bits::Values, begin: usize) -> Answer {
        let lasso = witness::lasso(&self.composition, values, begin, &self.product.waits);
        let wanted = match (self.formula, lasso.waits) {
            (Some(formula), _) => Endless::Formula(formula),
            (None, Some(thread)) => Endless::Waits(thread),
            (None, None) => return Answer::Unconfirmed("nobody waits".into()),
        };
        match witness::replayed(self.task.program, &self.composition, values, &lasso, wanted) {
            Ok(trace) => Answer::Violated(Box::new(trace)),
            Err(error) => Answer::Unconfirmed(error.to_string()),
        }
    }
}

/// Tells how far methods are.
fn tell(
    figures: &mut Figures,
    bmc: &Bmc,
    ic3: Option<&Ic3>,
    rounds: usize,
    progress: &mut dyn FnMut(Progress),
) {
    figures.depth = figures.depth.max(bmc.depth() as u64);
    figures.clauses = figures.clauses.max(bmc.clauses());
    figures.level = ic3.map_or(0, Ic3::level) as u64;
    figures.cubes = ic3.map_or(0, Ic3::cubes) as u64;
    let size = format!(
        "{} latches, {rounds} rounds, IC3 level {} with {} clauses",
        figures.latches, figures.level, figures.cubes,
    );
    let steps = Some(("steps", bmc.depth() as u64));
    progress(Progress::doing("solving", steps).of_size(size));
}
