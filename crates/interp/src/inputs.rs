//! Values that exploration tries for inputs, and the tape that enumerates them.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_ir::expr::mask;
use raddle_ir::{InputKind, InstrRef, Op, Operand, Place, Program, Terminator};
use rustc_hash::FxHashMap;

use crate::choices::{Choices, InitialByte, Number};
use crate::explore::{Cut, InputValues};
use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin};
use crate::thread::ThreadId;
use crate::walk::Dice;

/// The values for inputs of each width.
pub struct Candidates {
    constants: BTreeSet<(u32, u128)>,
    settings: InputValues,
    by_width: FxHashMap<u32, (Rc<[u128]>, bool)>,
}

impl Candidates {
    /// Collects the constants of a program.
    pub fn new(program: &Program, settings: &InputValues) -> Candidates {
        let mut constants = BTreeSet::new();
        let functions = program.functions.iter().filter(|f| !f.is_model);
        for block in functions.flat_map(|f| &f.blocks) {
            let operands = block.instrs.iter().flat_map(|i| i.op.operands());
            for operand in operands.chain(block.end.operand()) {
                if let Operand::Const(c) = operand {
                    constants.insert((c.width, c.value));
                }
            }
            if let Terminator::Switch { cases, .. } = &block.end {
                for (value, _) in cases {
                    constants.extend([8, 16, 32, 64].map(|w| (w, *value & mask(w))));
                }
            }
        }
        Candidates { constants, settings: settings.clone(), by_width: FxHashMap::default() }
    }

    /// The values to try, and whether these are all there are.
    fn values(&mut self, width: u32) -> (Rc<[u128]>, bool) {
        if let Some(found) = self.by_width.get(&width) {
            return found.clone();
        }
        let all = if width < 16 { 1usize << width } else { usize::MAX };
        let mut values: Vec<u128> = Vec::new();
        let limit = match &self.settings {
            InputValues::These(given) => {
                values.extend(given.iter().map(|v| *v as u128 & mask(width)));
                usize::MAX
            }
            InputValues::FromConstants { at_most } if all <= *at_most => {
                values.extend((0..all).map(|v| v as u128));
                all
            }
            InputValues::FromConstants { at_most } => {
                values.extend([0, 1, mask(width)]);
                let own = self.constants.iter().filter(|(w, _)| *w == width).map(|(_, v)| *v);
                let own: Vec<u128> = own.collect();
                values.extend(&own);
                values.extend([mask(width) >> 1, (mask(width) >> 1) + 1]);
                for v in own {
                    values
                        .extend([v.wrapping_add(1) & mask(width), v.wrapping_sub(1) & mask(width)]);
                }
                (*at_most).max(1)
            }
        };
        let mut seen = BTreeSet::new();
        values.retain(|v| seen.insert(*v));
        values.truncate(limit);
        if values.is_empty() {
            values.push(0);
        }
        let complete = values.len() == all;
        let result = (Rc::from(values), complete);
        self.by_width.insert(width, result.clone());
        result
    }
}

/// A sequence of choices that counts through all combinations, like an odometer.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// Value and number of possibilities.
    choices: Vec<(u32, u32)>,
    position: usize,
    /// Makes the choices of a walk; else each begins with the first possibility.
    dice: Option<Dice>,
}

impl Tape {
    /// A tape whose choices are made at random.
    pub fn thrown(dice: Dice) -> Tape {
        Tape { dice: Some(dice), ..Tape::default() }
    }

    fn choose(&mut self, possibilities: u32) -> u32 {
        if self.position == self.choices.len() {
            let value = self.dice.as_mut().map_or(0, |dice| dice.choice(possibilities));
            self.choices.push((value, possibilities));
        }
        let (value, _) = self.choices[self.position];
        self.position += 1;
        value
    }

    /// Whether nothing was chosen yet.
    pub fn is_blank(&self) -> bool {
        self.choices.is_empty()
    }

    /// How many choices were made.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The first of the choices made with which there are more combinations than that.
    pub fn beyond(&self, most: u64) -> Option<usize> {
        let mut combinations = 1u64;
        self.choices[..self.position].iter().position(|(_, count)| {
            combinations = combinations.saturating_mul(u64::from(*count));
            combinations > most
        })
    }

    /// Forgets all choices but the first ones.
    pub fn forget(&mut self, first: usize) {
        self.choices.truncate(first);
    }

    /// Goes back to the start.
    pub fn rewind(&mut self) {
        self.position = 0;
    }

    /// The next combination; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((value, possibilities)) = self.choices.pop() {
            if value + 1 < possibilities {
                self.choices.push((value + 1, possibilities));
                return true;
            }
        }
        false
    }
}

/// An answer that a replay needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An input of a thread.
    Input(ThreadId, u32, u128),
    /// A spurious wakeup of a thread.
    Wakeup(ThreadId, u32),
    /// A byte of unknown content.
    Byte(Origin, u64, u8),
}

impl Answer {
    /// Writes the answer down.
    pub fn record(&self, choices: &mut Choices) {
        match *self {
            Answer::Input(thread, nth, value) => {
                let list = choices.inputs.entry(thread).or_default();
                list.resize(list.len().max(nth as usize + 1), Number(0));
                list[nth as usize] = Number(value);
            }
            Answer::Wakeup(thread, nth) => {
                let list = choices.spurious.entry(thread).or_default();
                list.resize(list.len().max(nth as usize + 1), false);
                list[nth as usize] = true;
            }
            Answer::Byte(object, offset, byte) => {
                choices.initial.push(InitialByte { object: object.into(), offset, byte });
            }
        }
    }
}

/// The oracle of one transition.
pub struct Enumerator<'a> {
    /// The program.
    pub program: &'a Program,
    /// The values of inputs.
    pub candidates: &'a mut Candidates,
    /// The combination of choices.
    pub tape: &'a mut Tape,
    /// Whether the thread wakes spuriously.
    pub wake: bool,
    /// What was answered.
    pub answers: Vec<Answer>,
    /// What was not tried.
    pub cuts: &'a mut BTreeSet<Cut>,
    /// The last byte of unknown content that was asked for: its neighbour in the same access is filled alike.
    pub last_byte: Option<(Origin, u64, u8)>,
    /// Nobody will look at the value asked for next, so one stands for all.
    pub ignored: bool,
}

impl Enumerator<'_> {
    fn place(&self, at: InstrRef) -> Place {
        self.program.place(at)
    }

    /// Decides whether the next wait that may wake spuriously does.
    pub fn decide_wakeup(&mut self) -> bool {
        self.tape.choose(2) == 1
    }
}

impl Oracle for Enumerator<'_> {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        if self.ignored {
            return 0;
        }
        let value = match ask.kind {
            InputKind::Choice(n) => u128::from(self.tape.choose(n.max(1))),
            InputKind::External | InputKind::Uninitialised => {
                let (values, complete) = self.candidates.values(ask.width);
                if !complete {
                    let place = self.place(ask.at);
                    self.cuts.insert(Cut::Inputs { place });
                }
                values[self.tape.choose(values.len() as u32) as usize]
            }
        };
        self.answers.push(Answer::Input(ask.thread, ask.nth, value));
        value
    }
    fn address(&mut self, _: &AddressAsk) -> Option<u64> {
        None
    }
    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }
    fn fixes_bytes(&self) -> bool {
        !self.ignored
    }
    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        if self.ignored {
            return 0;
        }
        let byte = match self.last_byte {
            Some((o, last, byte)) if o == *object && last + 1 == offset => byte,
            Some(_) | None => [0, 0xff][self.tape.choose(2) as usize],
        };
        self.last_byte = Some((*object, offset, byte));
        if byte != 0 {
            self.answers.push(Answer::Byte(*object, offset, byte));
        }
        byte
    }
    fn spurious(&mut self, ask: &Ask) -> bool {
        if self.wake {
            self.answers.push(Answer::Wakeup(ask.thread, ask.nth));
        }
        self.wake
    }
}

/// For each function, whether it or something it calls may wait with spurious wakeups.
pub fn waits_spuriously(program: &Program) -> Vec<bool> {
    let mut result: Vec<bool> = vec![false; program.functions.len()];
    loop {
        let mut changed = false;
        for (i, f) in program.functions.iter().enumerate() {
            let hit = |op: &Op| match op {
                Op::Block { spurious, .. } => *spurious,
                Op::Call { callee: raddle_ir::Callee::Direct(g), .. } => result[g.index()],
                _ => false,
            };
            if !result[i] && f.blocks.iter().flat_map(|b| &b.instrs).any(|i| hit(&i.op)) {
                result[i] = true;
                changed = true;
            }
        }
        if !changed {
            return result;
        }
    }
}
