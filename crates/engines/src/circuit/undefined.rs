//! Where executions end in undefined behaviour whose property is not checked: what comes after it is not
//! looked at, so a proof says where that is, or may be.

use raddle_automaton::CutKind;
use raddle_ir::Property;
use raddle_reach::{Bmc, Cube, Interrupted, Limits, Question, allows};

use super::search::Search;
use crate::Note;

/// Which of these bad edges executions come to first.
pub(super) type Reaches<'a> =
    dyn FnMut(&[usize], &Limits) -> Result<Option<usize>, Interrupted> + 'a;

/// Which of these bad edges bounded model checking has come to; that it has not says nothing.
pub(super) fn so_far(
    bmc: &mut Bmc,
    bad: &[usize],
    limits: &Limits,
) -> Result<Option<usize>, Interrupted> {
    bmc.reaches(bad, limits)?.map(Some).ok_or(Interrupted)
}

impl Search<'_> {
    /// Where executions end in undefined behaviour, one place for each property. Where that is not known,
    /// with an invariant: where that does not exclude it.
    pub(super) fn note_undefined(
        &mut self,
        reaches: &mut Reaches,
        proof: Option<(Question, &[Cube])>,
    ) {
        for property in [Property::Memory, Property::Overflow] {
            let here: Vec<usize> = (0..self.ends.len())
                .filter(|&e| self.ends[e].cut.kind == CutKind::Undefined(property))
                .map(|e| e + self.goals.len())
                .collect();
            let place = |i: usize| self.ends[i - self.goals.len()].cut.place;
            let note = |places, certain| Note::Undefined { property, places, certain };
            match (reaches(&here, &self.limits), proof) {
                (Ok(Some(i)), _) => self.found.notes.push(note(vec![place(i)], true)),
                (Ok(None), _) | (Err(Interrupted), None) => {}
                (Err(Interrupted), Some((question, cubes))) => {
                    let possible =
                        |i: &usize| allows(question, cubes, &[*i], &self.limits) != Ok(false);
                    if let Some(&i) = here.iter().find(|i| possible(i)) {
                        self.found.notes.push(note(vec![place(i)], false));
                    }
                }
            }
        }
    }
}
