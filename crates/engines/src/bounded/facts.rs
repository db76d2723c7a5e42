//! What holds in every execution of a summarised program, whatever way its threads are composed.

use raddle_term::Terms;

use super::before::Before;
use super::implication::Implication;
use super::scene::Scene;
use super::sections::Sections;

/// Cheap facts about the events of a skeleton.
pub struct Facts {
    /// The fixed part of the order.
    pub before: Before,
    /// Implications between guards.
    pub implication: Implication,
    /// What critical sections rule out.
    pub sections: Sections,
}

impl Facts {
    /// Looks at a skeleton.
    pub fn new(scene: Scene, terms: &Terms) -> Facts {
        let mut implication = Implication::default();
        let before = Before::new(scene.skeleton, terms, &mut implication);
        Facts { before, implication, sections: Sections::new(scene.skeleton, terms) }
    }
}
