//! How fast terms are built and turned into clauses. Run with `cargo bench -p raddle-blast`.

use divan::{Bencher, black_box};
use raddle_blast::{Blaster, ClauseSink};
use raddle_sat::{Lit, Var};
use raddle_term::{TermId, Terms};

fn main() {
    divan::main();
}

/// Counts clauses and keeps nothing.
#[derive(Default)]
struct Counter {
    variables: usize,
    literals: usize,
}

impl ClauseSink for Counter {
    fn new_lit(&mut self) -> Lit {
        self.variables += 1;
        Var::from_index(self.variables).lit()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.literals += black_box(clause).len();
    }
}

/// A new sum at each step: nothing simplifies, every node is interned.
#[divan::bench(args = [20_000, 1_000_000])]
fn build_sums(bencher: Bencher, count: usize) {
    bencher.counter(count).bench(|| {
        let mut terms = Terms::new();
        let x = terms.fresh(32);
        let mut sum = terms.fresh(32);
        for _step in 0..count / 2 {
            let product = terms.mul(sum, x);
            sum = terms.add(product, x);
        }
        black_box(sum)
    });
}

/// Branches and joins: the guard after each join is the guard before the branch.
#[divan::bench(args = [2_000, 100_000])]
fn branch_and_join(bencher: Bencher, count: usize) {
    bencher.counter(count).bench(|| {
        let mut terms = Terms::new();
        let entry = terms.fresh(1);
        let mut guard = entry;
        for _branch in 0..count {
            let condition = terms.fresh(1);
            let otherwise = terms.not(condition);
            let (left, right) = (terms.and(guard, condition), terms.and(guard, otherwise));
            guard = terms.or(left, right);
        }
        assert_eq!(guard, entry);
    });
}

/// One circuit per operation, at 32 bits.
#[divan::bench(args = ["add", "ult", "mul", "udiv", "shl"])]
fn circuit(bencher: Bencher, name: &str) {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh(32), terms.fresh(32));
    let t = match name {
        "add" => terms.add(a, b),
        "ult" => terms.ult(a, b),
        "mul" => terms.mul(a, b),
        "udiv" => terms.udiv(a, b),
        _shift => terms.shl(a, b),
    };
    bencher.bench(|| translate(&terms, t));
}

fn translate(terms: &Terms, t: TermId) -> usize {
    let mut sink = Counter::default();
    let mut blaster = Blaster::new(&mut sink);
    blaster.bits(terms, t, &mut sink);
    sink.literals
}

/// Conditional equalities, as between writes and reads.
#[divan::bench(args = [10_000])]
fn conditional_equalities(bencher: Bencher, count: usize) {
    let mut terms = Terms::new();
    let pairs: Vec<[TermId; 3]> =
        (0..count).map(|_pair| [terms.fresh(1), terms.fresh(32), terms.fresh(32)]).collect();
    let facts: Vec<TermId> = pairs
        .iter()
        .map(|&[p, x, y]| {
            let equal = terms.eq(x, y);
            terms.implies(p, equal)
        })
        .collect();
    bencher.counter(count).bench(|| {
        let mut sink = Counter::default();
        let mut blaster = Blaster::new(&mut sink);
        for &fact in &facts {
            blaster.assert_true(&terms, fact, &mut sink);
        }
        sink.literals
    });
}
