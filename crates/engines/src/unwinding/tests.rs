//! Cells under all positions of units, against a run of the units in the order that the positions
//! mean.

use raddle_sat::Answer;
use raddle_summary::EventKind::{self, Read, Write};
use raddle_summary::ThreadIx;
use raddle_term::{Evaluator, TermId, Terms};

use super::sequence::Grain;
use super::{FEW, FIRST, Plan, Unwinding, Variant, clusters, explicit};
use crate::Budget;
use crate::bounded::before::Unit;
use crate::bounded::builtin::BuiltIn;
use crate::bounded::formula::{Formula, Lit};
use crate::options::{Given, Value};
use crate::slots::chain::{Access, Encoder};
use crate::slots::nesting::Nesting;
use crate::slots::numbers::Numbers;

const SLOTS: u32 = 3;

/// An access of the test: thread, unit, kind, and the number of its guard.
type Line = (u32, u32, EventKind, usize);

/// Positions of two threads' units, and whose guards hold.
struct Case<'a> {
    lines: &'a [Line],
    numbers: Vec<Vec<u32>>,
    guards: Vec<bool>,
}

impl Case<'_> {
    fn number(&self, unit: Unit) -> u32 {
        self.numbers[unit.0.index()][unit.1 as usize]
    }

    fn writes(&self, unit: Unit) -> bool {
        self.lines
            .iter()
            .any(|&(t, u, kind, g)| (ThreadIx(t), u) == unit && kind == Write && self.guards[g])
    }

    fn units(&self) -> Vec<Unit> {
        let threads = (0..).zip(&self.numbers);
        threads.flat_map(|(t, of)| (0..of.len() as u32).map(move |u| (ThreadIx(t), u))).collect()
    }

    /// Whether a sequence of this grain has such positions, by the definition.
    fn is_allowed(&self, grain: Grain) -> bool {
        let sorted = self.numbers.iter().all(|n| n.is_sorted());
        let writers = |k: u32| -> Vec<Unit> {
            let here = |u: &Unit| self.number(*u) == k && self.writes(*u);
            self.units().into_iter().filter(here).collect()
        };
        sorted
            && (0..SLOTS).all(|k| match grain {
                Grain::Unit => match writers(k)[..] {
                    [] => true,
                    // What follows in its thread is later.
                    [(t, u)] => self.numbers[t.index()].get(u as usize + 1) != Some(&k),
                    [..] => false,
                },
                Grain::Thread => writers(k).windows(2).all(|pair| pair[0].0 == pair[1].0),
                Grain::Threads => true,
            })
    }

    /// A unit from which on its thread is the one that comes last at a position.
    fn is_late(&self, (thread, u): Unit) -> bool {
        let here = self.number((thread, u));
        (0..=u).any(|v| self.number((thread, v)) == here && self.writes((thread, v)))
    }

    /// What the reads see; writes write 1, 2, … in turn.
    fn run(&self, grain: Grain, nesting: &Nesting) -> Vec<Option<u128>> {
        let mut order = self.units();
        order.sort_by_key(|&u| {
            let late = grain != Grain::Threads && self.is_late(u);
            (self.number(u), late, nesting.place(u))
        });
        let mut seen = vec![None; self.lines.len()];
        let mut memory = 0;
        let mut private: [Option<u128>; 2] = [None; 2];
        for unit in order {
            let look = self.number(unit) == SLOTS;
            let shared = memory;
            let contents = match look {
                // In the look everybody starts from the final memory.
                true => private[unit.0.index()].get_or_insert(shared),
                false => &mut memory,
            };
            for (i, &(t, u, kind, guard)) in self.lines.iter().enumerate() {
                match (kind, (ThreadIx(t), u) == unit && self.guards[guard]) {
                    (Read, true) => seen[i] = Some(*contents),
                    (Write, true) => *contents = i as u128 + 1,
                    (Read | Write, false) => {}
                }
            }
        }
        seen
    }
}

/// Compares the encoding of a cell with runs, for all positions and guards that a variant allows.
fn check(variant: Variant, lines: &[Line], units: u32, guards: usize) {
    let (mut formula, mut terms) = (BuiltIn::new(&Budget::default(), true), Terms::new());
    let after = Numbers::increase(&mut formula, &[units, units], SLOTS, &[0, 0], |_, _| true);
    let mut numbers = Numbers::new(&mut formula, SLOTS, after);
    let nesting = Nesting::of_threads(&[units, units], vec![((ThreadIx(0), 0), ThreadIx(1))]);
    let guard_terms: Vec<TermId> = (0..guards).map(|_| terms.fresh(1)).collect();
    let mut accesses = Vec::new();
    for (i, &(t, unit, kind, guard)) in lines.iter().enumerate() {
        let value = match kind {
            Read => terms.fresh(8),
            Write => terms.constant(i as u128 + 1, 8),
        };
        let (unit, occurs) = ((ThreadIx(t), unit), guard_terms[guard]);
        accesses.push(Access { unit, kind, occurs, reached: occurs, value, known: None });
    }
    let zero = terms.constant(0, 8);
    let encoder = &mut Encoder { terms: &mut terms, formula: &mut formula, numbers: &mut numbers };
    match variant {
        Variant::CoarseIntra => encoder.cell(zero, &accesses),
        Variant::CoarseInter => clusters::cell(encoder, &nesting, zero, &accesses),
        Variant::FineExplicit | Variant::FineImplicit | Variant::FineMixed => {
            explicit::cell(encoder, zero, &accesses)
        }
    };
    let guard_lits: Vec<Lit> = guard_terms.iter().map(|&g| formula.lit(&terms, g)).collect();
    let mut cases = 0;
    for code in 0..(SLOTS + 1).pow(2 * units) << guards {
        let (code, row) = (code >> guards, code & ((1 << guards) - 1));
        let number = |i: u32| code / (SLOTS + 1).pow(i) % (SLOTS + 1);
        let of_thread = |t| (0..units).map(|u| number(t * units + u)).collect();
        let case = Case {
            lines,
            numbers: (0..2).map(of_thread).collect(),
            guards: (0..guards).map(|g| row >> g & 1 == 1).collect(),
        };
        if !case.is_allowed(variant.grain()) {
            continue;
        }
        let guards = guard_lits.iter().zip(&case.guards).map(|(&l, &v)| if v { l } else { !l });
        let at = case.units().into_iter().map(|u| numbers.at(u, case.number(u)));
        let assumed: Vec<Lit> = guards.chain(at).collect();
        assert_eq!(formula.solve(&assumed), Answer::Satisfiable, "{:?}", case.numbers);
        let model = formula.variables(terms.variable_count());
        let mut evaluator = Evaluator::new();
        let mut value =
            |t| evaluator.value(&terms, t, &mut |v| model.get(&v).copied().unwrap_or(0));
        for (access, seen) in accesses.iter().zip(case.run(variant.grain(), &nesting)) {
            if let Some(seen) = seen {
                let what = (&access, &case.numbers, &case.guards);
                assert_eq!(value(access.value), seen, "{variant:?} {what:?}");
            }
        }
        cases += 1;
    }
    assert!(cases > 50, "{cases} cases");
}

const CELLS: [Variant; 3] = [Variant::FineExplicit, Variant::CoarseIntra, Variant::CoarseInter];

#[test]
fn reads_find_what_a_run_finds() {
    for variant in CELLS {
        check(
            variant,
            &[(0, 0, Write, 0), (0, 1, Read, 0), (1, 0, Read, 1), (1, 1, Write, 1)],
            2,
            2,
        );
        check(
            variant,
            &[(0, 0, Write, 0), (0, 1, Write, 1), (1, 0, Write, 2), (1, 1, Read, 2)],
            2,
            3,
        );
        check(
            variant,
            &[(0, 0, Read, 0), (0, 1, Write, 0), (1, 0, Write, 0), (1, 1, Read, 0)],
            2,
            1,
        );
    }
}

#[test]
fn several_accesses_of_a_unit_are_one_write() {
    for variant in CELLS {
        let section = [(0, 1, Read, 0), (0, 1, Write, 1), (0, 1, Read, 0), (0, 1, Write, 2)];
        let others = [(1, 0, Read, 0), (1, 1, Write, 2)];
        check(variant, &[section.as_slice(), &others].concat(), 2, 3);
    }
}

#[test]
fn the_variant_depends_on_the_number_of_writes() {
    assert_eq!(Variant::of(FEW), Variant::FineExplicit);
    assert_eq!(Variant::of(FEW + 1), Variant::CoarseInter);
    let plan = |given: &Given, writes| Unwinding::new(given).plan(writes);
    let default = Given::default();
    let (fine, inter) = (Variant::FineExplicit, Variant::CoarseInter);
    // Few writes are looked at at once, many are approached.
    assert_eq!(plan(&default, 7), Plan { variant: fine, positions: 7, complete: true });
    assert_eq!(plan(&default, 70), Plan { variant: inter, positions: FIRST, complete: false });
    let five = Given::default().with(&super::WRITES, Value::Number(5));
    assert_eq!(plan(&five, 7), Plan { variant: fine, positions: 5, complete: false });
    assert_eq!(plan(&five, 3), Plan { variant: fine, positions: 3, complete: true });
    let chosen = five.with(&super::VARIANT, Value::Text("coarse-inter".into()));
    assert_eq!(plan(&chosen, 3), Plan { variant: inter, positions: 5, complete: false });
    assert_eq!(plan(&chosen, 2), Plan { variant: inter, positions: 4, complete: true });
}

#[test]
fn every_name_is_a_variant() {
    let crate::options::Kind::OneOf(names) = super::VARIANT.kind else {
        panic!("variants are chosen by name")
    };
    let variants: Vec<Option<Variant>> = names.iter().map(|(n, _)| Variant::named(n)).collect();
    assert!(variants.iter().all(Option::is_some), "{names:?}");
    assert_eq!(names.len(), 5);
}
