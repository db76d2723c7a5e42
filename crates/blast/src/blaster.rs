//! Terms to literals of a sink, each shared term once: the gates of `raddle_aig` as clauses.
//!
//! Elsewhere: which circuit a term is stands in `raddle_aig::Words`; facts in `assert.rs`.

use raddle_aig::Words;
use raddle_sat::Lit;
use raddle_term::{TermId, Terms, VarId};

use crate::gates::{Circuit, Tables};
use crate::sink::ClauseSink;

/// Turns the terms of one pool into literals of one sink.
pub struct Blaster {
    pub(crate) gates: Tables,
    pub(crate) words: Words<Lit>,
}

impl Blaster {
    /// A blaster with nothing translated. All later calls must pass the same sink and the same pool
    /// of terms.
    pub fn new(sink: &mut dyn ClauseSink) -> Self {
        Blaster { gates: Tables::new(sink), words: Words::default() }
    }

    /// The literal that is always true.
    pub fn tru(&self) -> Lit {
        self.gates.tru()
    }

    /// The bits of a term, lowest first.
    pub fn bits(&mut self, terms: &Terms, t: TermId, sink: &mut dyn ClauseSink) -> &[Lit] {
        self.words.bits(terms, t, &mut Circuit { gates: &mut self.gates, sink })
    }

    /// The literal of a term of width 1.
    pub fn lit(&mut self, terms: &Terms, t: TermId, sink: &mut dyn ClauseSink) -> Lit {
        self.words.lit(terms, t, &mut Circuit { gates: &mut self.gates, sink })
    }

    /// Gives a variable the bits of a term; false if the variable has bits already, or the term
    /// depends on it.
    pub fn define(
        &mut self,
        terms: &Terms,
        variable: TermId,
        value: TermId,
        sink: &mut dyn ClauseSink,
    ) -> bool {
        self.words.define(terms, variable, value, &mut Circuit { gates: &mut self.gates, sink })
    }

    /// The literal of a term of width 1, if it has one already.
    pub fn known_lit(&self, terms: &Terms, t: TermId) -> Option<Lit> {
        self.words.known_lit(terms, t)
    }

    /// The bits of a variable, lowest first; `None` if no translated term depends on it.
    pub fn var_bits(&self, v: VarId) -> Option<&[Lit]> {
        self.words.var_bits(v)
    }

    /// The value of a variable in a model given by the values of its literals; `None` as for
    /// `var_bits`.
    pub fn var_value(&self, v: VarId, is_true: impl FnMut(Lit) -> bool) -> Option<u128> {
        self.words.var_value(v, is_true)
    }
}
