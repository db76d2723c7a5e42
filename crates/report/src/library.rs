//! What the library does, in words of the program: its functions are models, whose inner life is not
//! shown.
//!
//! Idea: a model draws arbitrary numbers and makes its answer of them. What means something to a
//! reader is the answer: what the function that the program calls returns (`rand` 7), and bytes
//! that it writes into the program's memory (`read`, as a string).
//! Limits: a function whose call is not over has not answered yet; results that are written
//! elsewhere than into a buffer of bytes show only where the program reads them.

use std::collections::BTreeMap;

use raddle_interp::{Event, ThreadId, TraceStep, Value};
use raddle_ir::{Callee, FuncId, Function, Op, Place, Program};

/// Something that the library has answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The function that the program called.
    pub name: String,
    /// What it gave.
    pub value: String,
}

/// The model that fills buffers.
const FILL: &str = "__raddle_fill";

/// The answers of library functions that depend on something outside of the program, by the number
/// of the step in which they are given.
pub fn answers(program: &Program, steps: &[TraceStep]) -> BTreeMap<usize, Answer> {
    let mut answers = BTreeMap::new();
    // For each thread the function that the program called, once that has asked for an input.
    let mut pending: BTreeMap<ThreadId, FuncId> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate().filter(|(_, s)| s.in_model) {
        match &step.event {
            Event::Input { value, .. } if is_input(program, step) => {
                let Some(function) = function_called_at(program, step.function, step.place) else {
                    continue;
                };
                if program.function(step.at.func).name == FILL {
                    let name = format!("bytes of {}", program.function(function).name);
                    answers.insert(index, Answer { name, value: bytes(value) });
                }
                pending.insert(step.thread, function);
            }
            Event::Return { from, value } if pending.get(&step.thread) == Some(from) => {
                pending.remove(&step.thread);
                if let Some(value) = value {
                    let name = program.function(*from).name.clone();
                    answers.insert(index, Answer { name, value: value.text.clone() });
                }
            }
            _ => {}
        }
    }
    answers
}

/// Whether a step asks the outside, and not for a choice of the library.
fn is_input(program: &Program, step: &TraceStep) -> bool {
    let op = program.instr(step.at).map(|i| &i.op);
    matches!(op, Some(Op::Input { kind, .. }) if !matches!(kind, raddle_ir::InputKind::Choice(_)))
}

/// The bytes of a value in memory, as C writes a string.
fn bytes(value: &Value) -> String {
    let bytes = value.bits.to_le_bytes();
    let own = bytes.iter().take(value.width.div_ceil(8) as usize);
    let text: String = own.map(|b| std::ascii::escape_default(*b).to_string()).collect();
    format!("\"{text}\"")
}

/// The library function that is called at a place of the program.
pub fn called_at(program: &Program, place: Place) -> Option<&str> {
    let ids = (0..program.functions.len()).map(FuncId::new);
    let mut users = ids.filter(|f| !program.function(*f).is_model);
    let callee = users.find_map(|f| function_called_at(program, f, place))?;
    Some(&program.function(callee).name)
}

fn function_called_at(program: &Program, caller: FuncId, place: Place) -> Option<FuncId> {
    let instrs = program.function(caller).blocks.iter().flat_map(|b| &b.instrs);
    let callees = instrs.filter(|i| i.place == place).filter_map(|i| match &i.op {
        Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    });
    let mut known = callees.filter(|f| {
        let function = program.function(*f);
        function.is_model && !function.name.starts_with("__raddle_")
    });
    known.next()
}

/// A function in which something happens: what a model calls its own functions is nobody's business.
pub fn shown_name(function: &Function) -> String {
    if function.is_model { "the library".into() } else { function.name.clone() }
}
