//! Single gates: constants vanish, equal gates are one gate, negations are free.
//!
//! Idea: gates are functions of literals, kept in tables by their inputs after normalisation:
//! inputs sorted, signs moved to the output where the function allows it. Each gate is defined in
//! both directions (Tseitin), so that its output may be used in any polarity.
//! The choice gate gets two redundant clauses: equal branches decide the output without the
//! condition. A full adder is `xor3` and `majority` of the same inputs, 14 clauses.
//! Invariants: no gate has a constant input, two equal or two complementary inputs.

use raddle_aig::Gates;
use raddle_sat::Lit;
use rustc_hash::FxHashMap;

use crate::sink::ClauseSink;

/// The gates built so far.
pub struct Tables {
    /// The literal that is always true.
    tru: Lit,
    and: FxHashMap<[Lit; 2], Lit>,
    /// Conjunctions of more than two literals.
    and_many: FxHashMap<Box<[Lit]>, Lit>,
    xor: FxHashMap<[Lit; 2], Lit>,
    ite: FxHashMap<[Lit; 3], Lit>,
    xor3: FxHashMap<[Lit; 3], Lit>,
    majority: FxHashMap<[Lit; 3], Lit>,
}

impl Tables {
    /// No gates; one literal is fixed to be the constant.
    pub fn new(sink: &mut dyn ClauseSink) -> Self {
        let tru = sink.new_lit();
        sink.clause(&[tru]);
        Tables {
            tru,
            and: FxHashMap::default(),
            and_many: FxHashMap::default(),
            xor: FxHashMap::default(),
            ite: FxHashMap::default(),
            xor3: FxHashMap::default(),
            majority: FxHashMap::default(),
        }
    }

    /// The literal that is always true.
    pub fn tru(&self) -> Lit {
        self.tru
    }
}

/// Gates together with where their clauses go: what circuits are built with.
pub struct Circuit<'a> {
    /// What was built before, from this sink.
    pub gates: &'a mut Tables,
    /// Where clauses go.
    pub sink: &'a mut dyn ClauseSink,
}

impl Gates for Circuit<'_> {
    type Lit = Lit;

    fn tru(&self) -> Lit {
        self.gates.tru
    }

    fn as_constant(&self, a: Lit) -> Option<bool> {
        (a.var() == self.tru().var()).then_some(a == self.tru())
    }

    fn free(&mut self) -> Lit {
        self.sink.new_lit()
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(false), _any) | (_any, Some(false)) => return self.fals(),
            (Some(true), _any) => return b,
            (_any, Some(true)) => return a,
            (None, None) => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.fals();
        }
        let key = if a < b { [a, b] } else { [b, a] };
        if let Some(&known) = self.gates.and.get(&key) {
            return known;
        }
        let out = self.sink.new_lit();
        self.sink.clause(&[!out, a]);
        self.sink.clause(&[!out, b]);
        self.sink.clause(&[out, !a, !b]);
        self.gates.and.insert(key, out);
        out
    }

    fn and_many(&mut self, inputs: &[Lit]) -> Lit {
        let mut sorted: Vec<Lit> =
            inputs.iter().copied().filter(|&a| self.as_constant(a) != Some(true)).collect();
        // Complementary literals are neighbours in the order of indices.
        sorted.sort_unstable_by_key(|a| a.index());
        sorted.dedup();
        let is_false = |&a: &Lit| self.as_constant(a) == Some(false);
        if sorted.iter().any(is_false) || sorted.windows(2).any(|pair| pair[0] == !pair[1]) {
            return self.fals();
        }
        match sorted[..] {
            [] => return self.tru(),
            [a] => return a,
            [a, b] => return self.and(a, b),
            [_, _, ..] => {}
        }
        if let Some(&known) = self.gates.and_many.get(&sorted[..]) {
            return known;
        }
        let out = self.sink.new_lit();
        for &a in &sorted {
            self.sink.clause(&[!out, a]);
        }
        let mut long: Vec<Lit> = sorted.iter().map(|&a| !a).collect();
        long.push(out);
        self.sink.clause(&long);
        self.gates.and_many.insert(sorted.into_boxed_slice(), out);
        out
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(value), _any) => return if value { !b } else { b },
            (None, Some(value)) => return if value { !a } else { a },
            (None, None) => {}
        }
        let flip = a.is_positive() != b.is_positive();
        let (a, b) = (Lit::positive(a.var()), Lit::positive(b.var()));
        if a == b {
            return self.constant(flip);
        }
        let key = if a < b { [a, b] } else { [b, a] };
        let out = match self.gates.xor.get(&key) {
            Some(&known) => known,
            None => {
                let out = self.sink.new_lit();
                self.sink.clause(&[!out, a, b]);
                self.sink.clause(&[!out, !a, !b]);
                self.sink.clause(&[out, !a, b]);
                self.sink.clause(&[out, a, !b]);
                self.gates.xor.insert(key, out);
                out
            }
        };
        if flip { !out } else { out }
    }

    fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(simple) = self.ite_without_gate(c, a, b) {
            return simple;
        }
        let (c, a, b) = if c.is_positive() { (c, a, b) } else { (!c, b, a) };
        let flip = !a.is_positive();
        let (a, b) = if flip { (!a, !b) } else { (a, b) };
        let out = match self.gates.ite.get(&[c, a, b]) {
            Some(&known) => known,
            None => {
                let out = self.sink.new_lit();
                self.sink.clause(&[!c, !a, out]);
                self.sink.clause(&[!c, a, !out]);
                self.sink.clause(&[c, !b, out]);
                self.sink.clause(&[c, b, !out]);
                self.sink.clause(&[!a, !b, out]);
                self.sink.clause(&[a, b, !out]);
                self.gates.ite.insert([c, a, b], out);
                out
            }
        };
        if flip { !out } else { out }
    }

    fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let inputs = [a, b, c];
        for i in 0..3 {
            let (x, y, z) = (inputs[i], inputs[(i + 1) % 3], inputs[(i + 2) % 3]);
            if let Some(value) = self.as_constant(x) {
                let rest = self.xor(y, z);
                return if value { !rest } else { rest };
            }
            if x.var() == y.var() {
                return if x == y { z } else { !z };
            }
        }
        let flip = inputs.iter().filter(|x| !x.is_positive()).count() % 2 == 1;
        let mut key = inputs.map(|x| Lit::positive(x.var()));
        key.sort_unstable();
        let out = match self.gates.xor3.get(&key) {
            Some(&known) => known,
            None => {
                let [a, b, c] = key;
                let out = self.sink.new_lit();
                for [a, b, c] in [[a, b, c], [a, !b, !c], [!a, b, !c], [!a, !b, c]] {
                    self.sink.clause(&[a, b, c, !out]);
                    self.sink.clause(&[!a, !b, !c, out]);
                }
                self.gates.xor3.insert(key, out);
                out
            }
        };
        if flip { !out } else { out }
    }

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let inputs = [a, b, c];
        for i in 0..3 {
            let (x, y, z) = (inputs[i], inputs[(i + 1) % 3], inputs[(i + 2) % 3]);
            match self.as_constant(x) {
                Some(true) => return self.or(y, z),
                Some(false) => return self.and(y, z),
                None => {}
            }
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        let mut key = inputs;
        key.sort_unstable_by_key(|x| x.var());
        // The majority of complements is the complement of the majority.
        let flip = !key[0].is_positive();
        let key = if flip { key.map(|x| !x) } else { key };
        let out = match self.gates.majority.get(&key) {
            Some(&known) => known,
            None => {
                let [a, b, c] = key;
                let out = self.sink.new_lit();
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.sink.clause(&[!x, !y, out]);
                    self.sink.clause(&[x, y, !out]);
                }
                self.gates.majority.insert(key, out);
                out
            }
        };
        if flip { !out } else { out }
    }
}

impl Circuit<'_> {
    /// Choices with constant or related inputs are other gates.
    fn ite_without_gate(&mut self, c: Lit, a: Lit, b: Lit) -> Option<Lit> {
        if let Some(value) = self.as_constant(c) {
            return Some(if value { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if a == !b {
            return Some(self.xor(c, b));
        }
        let (value_a, value_b) = (self.as_constant(a), self.as_constant(b));
        if value_a == Some(true) || a == c {
            Some(self.or(c, b))
        } else if value_a == Some(false) || a == !c {
            Some(self.and(!c, b))
        } else if value_b == Some(true) || b == !c {
            Some(self.or(!c, a))
        } else if value_b == Some(false) || b == c {
            Some(self.and(c, a))
        } else {
            None
        }
    }
}
