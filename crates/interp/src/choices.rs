//! A run is a list of choices, nothing more.
//!
//! Program and choices together determine every step, so this is what a trace file stores and what
//! `raddle replay` reads. The text form is JSON; numbers that may exceed 53 bits are hexadecimal
//! strings. Maps are ordered: equal choices give equal text.

use std::collections::BTreeMap;
use std::hash::Hasher;

use raddle_ir::{GlobalId, Program, print};
use serde::{Deserialize, Serialize};

use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin, OriginName};
use crate::thread::ThreadId;

/// The version of the text form.
pub const VERSION: u32 = 1;

/// A number in a trace file, written as a hexadecimal string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Number(pub u128);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{:#x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        let digits = text.strip_prefix("0x").unwrap_or(&text);
        u128::from_str_radix(digits, 16)
            .map(Number)
            .map_err(|e| serde::de::Error::custom(format!("bad number {text:?}: {e}")))
    }
}

/// What the run is supposed to show, so that a replay knows what to look for at its end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Expected {
    /// The name of the violated property.
    pub property: String,
    /// The threads involved: one for a check, two for a race, those that wait for a deadlock.
    pub threads: Vec<ThreadId>,
    /// For a race: the two accesses (function, block, index), in the order of the threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<(u32, u32, u32)>,
    /// For a formula about infinite executions: its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<u32>,
}

/// A byte that was read before it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InitialByte {
    /// The object.
    pub object: OriginName,
    /// The offset in it.
    pub offset: u64,
    /// Its content.
    pub byte: u8,
}

/// All choices of one run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Choices {
    /// The version of this form.
    pub version: u32,
    /// [`program_hash`] of the program.
    pub program: String,
    /// The input files; filled in by whoever writes the trace to a file.
    #[serde(default)]
    pub files: Vec<String>,
    /// The options that matter for building the program; filled in likewise.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// What the run shows.
    pub expected: Expected,
    /// Thread and number of instructions that it executes in a row.
    pub schedule: Vec<(ThreadId, u64)>,
    /// For an infinite execution: after so many instructions begins what is repeated for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_from: Option<u64>,
    /// The values of each thread's `Input` instructions, in order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<ThreadId, Vec<Number>>,
    /// The addresses of each thread's `Alloc` instructions, in order; 0 where the interpreter chooses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub addresses: BTreeMap<ThreadId, Vec<Number>>,
    /// The numbers of the threads that each thread created, in order; 0 for the next free one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub created: BTreeMap<ThreadId, Vec<u32>>,
    /// Whether each of a thread's waits that may wake spuriously did so, in order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spurious: BTreeMap<ThreadId, Vec<bool>>,
    /// Addresses of threads' copies of thread-local globals (thread, index of the global, address).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<(ThreadId, u32, Number)>,
    /// Contents of memory that was read before it was written; what is missing is 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<InitialByte>,
}

impl Choices {
    /// The JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings, numbers and string-keyed maps only")
    }

    /// Reads the JSON text.
    pub fn from_json(text: &str) -> Result<Choices, String> {
        let choices: Choices = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if choices.version == VERSION {
            Ok(choices)
        } else {
            Err(format!("trace format version {}, expected {VERSION}", choices.version))
        }
    }
}

/// A fingerprint of a program: of its text form and of what is checked.
pub fn program_hash(program: &Program) -> String {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.write(print::program(program).as_bytes());
    for p in program.checked.iter() {
        hash.write(p.name().as_bytes());
    }
    if program.checked.is_linear() {
        hash.write(program.linear.fairness.name().as_bytes());
        program.linear.formulas.iter().for_each(|s| hash.write(s.text.as_bytes()));
    }
    format!("{:016x}", hash.finish())
}

/// FNV-1a, 64 bits: stable between versions of the standard library, unlike its own hashers.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Answers questions from a list of choices; what is missing is answered by 0 and "no".
pub struct FromChoices<'a> {
    choices: &'a Choices,
    initial: BTreeMap<(OriginName, u64), u8>,
}

impl<'a> FromChoices<'a> {
    /// The oracle of a list of choices.
    pub fn new(choices: &'a Choices) -> Self {
        let initial = choices.initial.iter().map(|b| ((b.object, b.offset), b.byte)).collect();
        FromChoices { choices, initial }
    }
}

fn nth<T: Copy>(map: &BTreeMap<ThreadId, Vec<T>>, thread: ThreadId, nth: u32) -> Option<T> {
    map.get(&thread)?.get(nth as usize).copied()
}

impl Oracle for FromChoices<'_> {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        nth(&self.choices.inputs, ask.thread, ask.nth).unwrap_or_default().0
    }
    fn address(&mut self, ask: &AddressAsk) -> Option<u64> {
        let Number(a) = nth(&self.choices.addresses, ask.thread, ask.nth)?;
        u64::try_from(a).ok().filter(|a| *a != 0)
    }
    fn thread_local_address(&mut self, thread: ThreadId, global: GlobalId) -> Option<u64> {
        let mut locals = self.choices.locals.iter();
        let (_, _, Number(a)) = locals.find(|(t, g, _)| *t == thread && *g == global.0)?;
        u64::try_from(*a).ok()
    }
    fn thread_number(&mut self, ask: &Ask) -> Option<u32> {
        nth(&self.choices.created, ask.thread, ask.nth).filter(|n| *n != 0)
    }
    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        self.initial.get(&((*object).into(), offset)).copied().unwrap_or(0)
    }
    fn spurious(&mut self, ask: &Ask) -> bool {
        nth(&self.choices.spurious, ask.thread, ask.nth).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_round_trip() {
        let choices = Choices {
            version: VERSION,
            program: "0123".into(),
            expected: Expected {
                property: "races".into(),
                threads: vec![ThreadId(1), ThreadId(2)],
                accesses: vec![(0, 0, 1), (1, 2, 3)],
                formula: None,
            },
            schedule: vec![(ThreadId(1), 7), (ThreadId(2), 1)],
            inputs: BTreeMap::from([(ThreadId(2), vec![Number(u128::MAX), Number(0)])]),
            initial: vec![InitialByte {
                object: OriginName::Allocation(ThreadId(1), 3),
                offset: 4,
                byte: 255,
            }],
            ..Choices::default()
        };
        assert_eq!(Choices::from_json(&choices.to_json()), Ok(choices.clone()));
        let newer = Choices { version: 2, ..choices };
        assert!(Choices::from_json(&newer.to_json()).is_err());
    }
}
