//! The places where executions are cut off, as far as some execution comes there: by bounds, or by undefined
//! behaviour that nobody checks. Of the latter, one place for each property is enough.

use raddle_ir::Place;
use raddle_sat::Lit;
use raddle_summary::{Cut, CutKind, Skeleton};

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
    /// What bounds cut off, given the literal of each cut.
    pub fn of_bounds(skeleton: &'a Skeleton, goals: &[Lit]) -> Self {
        Self::new(skeleton, goals, |kind| !is_undefined(kind))
    }

    /// What undefined behaviour cuts off, given the literal of each cut.
    pub fn undefined(skeleton: &'a Skeleton, goals: &[Lit]) -> Self {
        Self::new(skeleton, goals, is_undefined)
    }

    fn new(skeleton: &'a Skeleton, goals: &[Lit], wanted: fn(&CutKind) -> bool) -> Self {
        assert_eq!(goals.len(), skeleton.cuts.len(), "each cut is a goal");
        let all = goals.iter().enumerate().map(|(i, &l)| (l, i));
        let open = all.filter(|&(_, i)| wanted(&skeleton.cuts[i].kind)).collect();
        Cuts { skeleton, open, reached: Vec::new() }
    }

    /// What is left to be decided.
    pub fn left(&self) -> impl Iterator<Item = (CutKind, Place)> + use<'_> {
        let cuts = &self.skeleton.cuts;
        self.open.iter().map(|o| (cuts[o.1].kind.clone(), cuts[o.1].place))
    }
}

/// Whether it is not a bound that cuts executions off.
pub fn is_undefined(kind: &CutKind) -> bool {
    matches!(kind, CutKind::Undefined(_))
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
        self.open.retain(|o| {
            let Cut { kind, place, .. } = &cuts[o.1];
            !reached.iter().any(|r| r.0 == *kind && (r.1 == *place || is_undefined(kind)))
        });
        assert!(self.open.len() < before, "what was reached is not looked for again");
        Ok(())
    }
}
