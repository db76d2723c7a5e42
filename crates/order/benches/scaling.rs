//! How the order theory scales: `cargo bench -p raddle-order [-- filter]`.
//!
//! One line for each workload and size: time, effort of the solver, effort of the theory.
//! Workloads: `free` any execution of threads with many locations (a model exists; the cost of
//! building orders); `single` the same with one location only (many pairs of reads and writes);
//! `ring` store buffering in a ring, where not all reads can miss the writes (refuted);
//! `sums` two threads that add each other's variable, with a bound on the sums (refuted);
//! `locks` critical sections that count, with a wrong total asked for (refuted).

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use raddle_order::{OrderTheory, Propagation, ReadId, Settings, UnitId, WriteId, solve};
use raddle_sat::{Answer, Lit, Solver};

/// A bit-vector, least bit first.
type Word = Vec<Lit>;

/// A write with its value.
#[derive(Clone)]
struct Write {
    id: WriteId,
    value: Word,
}

/// A formula under construction.
struct Builder {
    solver: Solver,
    theory: OrderTheory,
    truth: Lit,
    /// By location.
    writes: Vec<Vec<Write>>,
    reads: Vec<Vec<(ReadId, Word)>>,
}

impl Builder {
    fn new(units_per_thread: &[u32], locations: usize, settings: Settings) -> Builder {
        let mut solver = Solver::new();
        let truth = solver.new_var().lit();
        solver.add_clause(&[truth]);
        let theory = OrderTheory::with_settings(units_per_thread, settings);
        let (writes, reads) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
        Builder { solver, theory, truth, writes, reads }
    }

    fn constant(&self, value: u64, width: usize) -> Word {
        (0..width).map(|bit| if value >> bit & 1 == 1 { self.truth } else { !self.truth }).collect()
    }

    fn fresh(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.solver.new_var().lit()).collect()
    }

    fn write(&mut self, unit: UnitId, position: u32, location: usize, value: Word) {
        let id = self.theory.write_at(unit, position);
        self.writes[location].push(Write { id, value });
    }

    fn read(&mut self, unit: UnitId, position: u32, location: usize, width: usize) -> Word {
        let value = self.fresh(width);
        let id = self.theory.read_at(unit, position);
        self.reads[location].push((id, value.clone()));
        value
    }

    /// One literal for each read and write of a location; a read sees exactly one.
    fn connect(&mut self) {
        for (reads, writes) in self.reads.iter().zip(&self.writes) {
            for (read, value) in reads {
                let mut clause = Vec::new();
                for write in writes {
                    let source = self.solver.new_var().lit();
                    self.theory.may_read(*read, write.id, Some(source), self.truth);
                    for (&a, &b) in value.iter().zip(&write.value) {
                        self.solver.add_clause(&[!source, !a, b]);
                        self.solver.add_clause(&[!source, a, !b]);
                    }
                    clause.push(source);
                }
                self.solver.add_clause(&clause);
            }
        }
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let result = self.solver.new_var().lit();
        for (x, y, z) in [(a, b, !result), (!a, !b, !result), (!a, b, result), (a, !b, result)] {
            self.solver.add_clause(&[x, y, z]);
        }
        result
    }

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let result = self.solver.new_var().lit();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.solver.add_clause(&[x, y, !result]);
            self.solver.add_clause(&[!x, !y, result]);
        }
        result
    }

    fn add(&mut self, a: &Word, b: &Word) -> Word {
        let mut carry = !self.truth;
        let mut sum = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        sum
    }

    /// A literal for `word >= bound`.
    fn at_least(&mut self, word: &Word, bound: u64) -> Lit {
        // Adding 2^width - bound carries out exactly when word >= bound.
        let complement = self.constant((1u64 << word.len()) - bound, word.len());
        let mut carry = !self.truth;
        for (&x, y) in word.iter().zip(complement) {
            carry = self.majority(x, y, carry);
        }
        carry
    }

    fn finish(mut self, name: &str, size: &str, expected: Answer) {
        self.connect();
        let theory = Rc::new(RefCell::new(self.theory));
        let start = Instant::now();
        self.solver.set_deadline(Some(start + Duration::from_secs(60)));
        let answer = solve(&mut self.solver, &theory, &[]);
        let elapsed = start.elapsed().as_secs_f64();
        let (sat, order) = (self.solver.statistics(), theory.borrow().statistics());
        println!(
            "{name:8} {size:24} {elapsed:8.3} s  {:>9} vars {:>8} conflicts {:>8} decisions  theory: {} conflicts, \
             {} propagations, {} models, {} spares{}",
            sat.vars,
            sat.conflicts,
            sat.decisions,
            order.conflicts,
            order.propagations,
            order.models,
            order.spares_used,
            if answer == expected { "" } else { "  UNEXPECTED" }
        );
    }
}

fn random(state: &mut u64, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    ((*state >> 11) % bound as u64) as usize
}

/// A first thread of one unit that writes zero everywhere, before all others.
fn initialise(builder: &mut Builder, threads: usize, width: usize) {
    let first = builder.theory.unit(0, 0);
    for location in 0..builder.writes.len() {
        let zero = builder.constant(0, width);
        builder.write(first, location as u32, location, zero);
    }
    for thread in 1..=threads {
        let unit = builder.theory.unit(thread, 0);
        builder.theory.fixed_edge(first, unit);
    }
}

fn free(threads: usize, accesses: usize, locations: usize, settings: Settings) {
    let each = accesses / threads;
    let mut units = vec![each as u32; threads + 1];
    units[0] = 1;
    let mut builder = Builder::new(&units, locations, settings);
    initialise(&mut builder, threads, 0);
    let mut state = 0x1234_5678_9abc_def1;
    for thread in 1..=threads {
        for index in 0..each {
            let unit = builder.theory.unit(thread, index as u32);
            let location = random(&mut state, locations);
            if random(&mut state, 2) == 0 {
                builder.write(unit, 0, location, Vec::new());
            } else {
                builder.read(unit, 0, location, 0);
            }
        }
    }
    let name = if locations == 1 { "single" } else { "free" };
    builder.finish(name, &format!("{threads} threads {accesses} acc"), Answer::Satisfiable);
}

fn ring(threads: usize, rounds: usize, settings: Settings) {
    let mut units = vec![2 * rounds as u32; threads + 1];
    units[0] = 1;
    let mut builder = Builder::new(&units, threads, settings);
    initialise(&mut builder, threads, 1);
    for thread in 1..=threads {
        for round in 0..rounds as u32 {
            let (write, read) = (
                builder.theory.unit(thread, 2 * round),
                builder.theory.unit(thread, 2 * round + 1),
            );
            let one = builder.constant(1, 1);
            builder.write(write, 0, thread - 1, one);
            let seen = builder.read(read, 0, thread % threads, 1);
            if round == 0 {
                builder.solver.add_clause(&[!seen[0]]);
            }
        }
    }
    builder.finish("ring", &format!("{threads} threads {rounds} rounds"), Answer::Unsatisfiable);
}

fn sums(rounds: usize, settings: Settings) {
    let width = 16;
    let mut builder = Builder::new(&[1, 3 * rounds as u32, 3 * rounds as u32, 2], 2, settings);
    let first = builder.theory.unit(0, 0);
    for location in 0..2 {
        let one = builder.constant(1, width);
        builder.write(first, location as u32, location, one);
    }
    let last = [builder.theory.unit(3, 0), builder.theory.unit(3, 1)];
    for thread in 1..=2 {
        let unit = builder.theory.unit(thread, 0);
        builder.theory.fixed_edge(first, unit);
        let unit = builder.theory.unit(thread, 3 * rounds as u32 - 1);
        builder.theory.fixed_edge(unit, last[0]);
        for round in 0..rounds as u32 {
            let unit = |builder: &Builder, step| builder.theory.unit(thread, 3 * round + step);
            let (a, b, c) = (unit(&builder, 0), unit(&builder, 1), unit(&builder, 2));
            let own = builder.read(a, 0, thread - 1, width);
            let other = builder.read(b, 0, 2 - thread, width);
            let sum = builder.add(&own, &other);
            builder.write(c, 0, thread - 1, sum);
        }
    }
    // The largest value: both variables take turns, so they run through the Fibonacci numbers.
    let (mut a, mut b) = (1u64, 1u64);
    for _ in 0..rounds {
        a += b;
        b += a;
    }
    let ends: Vec<Lit> = (0..2)
        .map(|location| {
            let value = builder.read(last[location], 0, location, width);
            builder.at_least(&value, b + 1)
        })
        .collect();
    builder.solver.add_clause(&ends);
    builder.finish("sums", &format!("{rounds} rounds"), Answer::Unsatisfiable);
}

fn locks(threads: usize, rounds: usize, settings: Settings) {
    let width = 8;
    let mut units = vec![4 * rounds as u32; threads + 2];
    units[0] = 1;
    units[threads + 1] = 1;
    let mut builder = Builder::new(&units, 1, settings);
    initialise(&mut builder, threads, width);
    let last = builder.theory.unit(threads + 1, 0);
    let mut sections: Vec<(usize, UnitId, UnitId)> = Vec::new();
    for thread in 1..=threads {
        for round in 0..rounds as u32 {
            let unit = |builder: &Builder, step| builder.theory.unit(thread, 4 * round + step);
            let (lock, unlock) = (unit(&builder, 0), unit(&builder, 3));
            for &(other, first, end) in &sections {
                if other != thread {
                    let before = builder.solver.new_var().lit();
                    builder.theory.guarded_edge(before, end, lock);
                    builder.theory.guarded_edge(!before, unlock, first);
                }
            }
            sections.push((thread, lock, unlock));
            let (read, write) = (unit(&builder, 1), unit(&builder, 2));
            let value = builder.read(read, 0, 0, width);
            let one = builder.constant(1, width);
            let sum = builder.add(&value, &one);
            builder.write(write, 0, 0, sum);
        }
        let end = builder.theory.unit(thread, 4 * rounds as u32 - 1);
        builder.theory.fixed_edge(end, last);
    }
    let total = builder.read(last, 0, 0, width);
    let enough = builder.at_least(&total, (threads * rounds) as u64);
    builder.solver.add_clause(&[!enough]);
    builder.finish("locks", &format!("{threads} threads {rounds} rounds"), Answer::Unsatisfiable);
}

fn main() {
    let filter: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |name: &str| filter.is_empty() || filter.iter().any(|word| word == name);
    for propagation in [Propagation::ConflictsOnly, Propagation::Sources] {
        if !wanted(&format!("{propagation:?}"))
            && filter.iter().any(|word| word.starts_with(char::is_uppercase))
        {
            continue;
        }
        let settings = Settings { propagation, ..Settings::default() };
        println!("{propagation:?}");
        let only_setting = filter.iter().all(|word| word.starts_with(char::is_uppercase));
        let wanted = |name: &str| only_setting || wanted(name);
        if wanted("free") {
            for (threads, accesses) in [
                (2, 10),
                (2, 100),
                (2, 1000),
                (2, 10_000),
                (8, 100),
                (8, 1000),
                (8, 10_000),
                (64, 1000),
                (64, 10_000),
            ] {
                free(threads, accesses, accesses.div_ceil(10), settings);
            }
        }
        if wanted("single") {
            for (threads, accesses) in [(2, 100), (2, 600), (8, 600), (32, 600), (8, 1200)] {
                free(threads, accesses, 1, settings);
            }
        }
        if wanted("ring") {
            for (threads, rounds) in [(2, 1), (2, 10), (2, 100), (8, 1), (8, 10), (64, 1), (64, 5)]
            {
                ring(threads, rounds, settings);
            }
        }
        if wanted("sums") {
            for rounds in [2, 3, 4, 5, 6] {
                sums(rounds, settings);
            }
        }
        if wanted("locks") {
            for (threads, rounds) in
                [(2, 2), (2, 4), (2, 8), (3, 2), (3, 3), (4, 1), (4, 2), (6, 1), (8, 1)]
            {
                locks(threads, rounds, settings);
            }
        }
    }
}
