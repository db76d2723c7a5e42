//! Lines of the user's files that stand behind a place in a library model.
//!
//! Something that a model refuses has its place in the model, which a user neither wrote nor can
//! look at. Which of the program's calls came there is not kept; all that can are named.
//! Limits: calls through pointers are not followed; then the place in the model is all that is known.

use std::collections::BTreeSet;

use raddle_ir::{Callee, FuncId, Instr, Op, Place, Program};

/// The calls in the user's files that lead to a place in a model, or the place itself.
pub fn of_place(program: &Program, place: Place) -> Vec<Place> {
    if !place.is_known() || !program.file(place.file).is_model {
        return vec![place];
    }
    let mut reach: BTreeSet<FuncId> = BTreeSet::new();
    let mut lines: BTreeSet<Place> = BTreeSet::new();
    reach.extend(instructions(program).filter(|i| i.1.place == place).map(|i| i.0));
    loop {
        let before = reach.len();
        for (caller, Instr { op, place: at }) in instructions(program) {
            let Op::Call { callee: Callee::Direct(callee), .. } = op else { continue };
            if !reach.contains(callee) {
                continue;
            }
            if at.is_known() && !program.file(at.file).is_model {
                lines.insert(*at);
            } else {
                reach.insert(caller);
            }
        }
        if reach.len() == before {
            break;
        }
    }
    if lines.is_empty() { vec![place] } else { lines.into_iter().collect() }
}

fn instructions(program: &Program) -> impl Iterator<Item = (FuncId, &Instr)> {
    let functions = program.functions.iter().enumerate();
    functions.flat_map(|(id, f)| {
        let instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.map(move |i| (FuncId::new(id), i))
    })
}
