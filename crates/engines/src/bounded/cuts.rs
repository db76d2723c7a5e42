//! The places where bounds cut executions off, as far as some execution comes there.

use raddle_ir::Place;
use raddle_sat::Lit;
use raddle_summary::{CutKind, Skeleton};

use super::composition::Shown;
use super::formula::{Formula, any_of};
use super::search::{Question, Search};

/// All cuts that are left.
pub struct Cuts<'a> {
    skeleton: &'a Skeleton,
    /// Literal and index of each.
    open: Vec<(Lit, usize)>,
    /// What was reached, each place once.
    pub reached: Vec<(CutKind, Place)>,
}

impl<'a> Cuts<'a> {
    /// All cuts, given the literal of each.
    pub fn new(skeleton: &'a Skeleton, goals: &[Lit]) -> Self {
        assert_eq!(goals.len(), skeleton.cuts.len(), "each cut is a goal");
        let open = goals.iter().enumerate().map(|(i, &l)| (l, i)).collect();
        Cuts { skeleton, open, reached: Vec::new() }
    }
}

impl Question for Cuts<'_> {
    fn open(&mut self, formula: &mut dyn Formula) -> Option<Lit> {
        let lits: Vec<Lit> = self.open.iter().map(|o| o.0).collect();
        (!lits.is_empty()).then(|| any_of(formula, &lits))
    }

    fn model(&mut self, search: &mut Search) -> Result<(), String> {
        let cuts = &self.skeleton.cuts;
        let hit: Vec<usize> = self.open.iter().filter(|o| search.value(o.0)).map(|o| o.1).collect();
        let Some(&first) = hit.first() else { return Err("a model of a cut comes to none".into()) };
        search.look(Shown::Cut(first))?;
        for i in hit {
            let key = (cuts[i].kind.clone(), cuts[i].place);
            if !self.reached.contains(&key) {
                self.reached.push(key);
            }
        }
        let (reached, before) = (&self.reached, self.open.len());
        self.open
            .retain(|o| !reached.iter().any(|r| r.0 == cuts[o.1].kind && r.1 == cuts[o.1].place));
        assert!(self.open.len() < before, "what was reached is not looked for again");
        Ok(())
    }
}
