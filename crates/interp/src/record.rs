//! An oracle that writes down what another one answers.

use std::collections::BTreeMap;

use raddle_ir::GlobalId;

use crate::choices::{Choices, InitialByte, Number};
use crate::oracle::{AddressAsk, Ask, InputAsk, Oracle, Origin, OriginName};
use crate::thread::ThreadId;

/// Passes questions on and keeps the answers. A question asked again overwrites its old answer.
pub struct Recorder<'a> {
    inner: &'a mut dyn Oracle,
    answers: Choices,
    initial: BTreeMap<(OriginName, u64), u8>,
}

fn put<T: Clone + Default>(
    map: &mut BTreeMap<ThreadId, Vec<T>>,
    thread: ThreadId,
    nth: u32,
    value: T,
) {
    let list = map.entry(thread).or_default();
    let nth = nth as usize;
    if list.len() <= nth {
        list.resize(nth + 1, T::default());
    }
    list[nth] = value;
}

impl<'a> Recorder<'a> {
    /// A recorder around an oracle.
    pub fn new(inner: &'a mut dyn Oracle) -> Self {
        Recorder { inner, answers: Choices::default(), initial: BTreeMap::new() }
    }

    /// The answers so far, in a list of choices that has nothing else.
    pub fn answers(&self) -> Choices {
        let mut choices = self.answers.clone();
        choices.initial = self
            .initial
            .iter()
            .map(|(&(object, offset), &byte)| InitialByte { object, offset, byte })
            .collect();
        choices
    }
}

impl Oracle for Recorder<'_> {
    fn input(&mut self, ask: &InputAsk<'_>) -> u128 {
        let value = self.inner.input(ask);
        put(&mut self.answers.inputs, ask.thread, ask.nth, Number(value));
        value
    }
    fn address(&mut self, ask: &AddressAsk) -> Option<u64> {
        let value = self.inner.address(ask)?;
        put(&mut self.answers.addresses, ask.thread, ask.nth, Number(u128::from(value)));
        Some(value)
    }
    fn thread_local_address(&mut self, thread: ThreadId, global: GlobalId) -> Option<u64> {
        let value = self.inner.thread_local_address(thread, global)?;
        self.answers.locals.retain(|(t, g, _)| (*t, *g) != (thread, global.0));
        self.answers.locals.push((thread, global.0, Number(u128::from(value))));
        Some(value)
    }
    fn thread_number(&mut self, ask: &Ask) -> Option<u32> {
        let value = self.inner.thread_number(ask)?;
        put(&mut self.answers.created, ask.thread, ask.nth, value);
        Some(value)
    }
    fn initial_byte(&mut self, object: &Origin, offset: u64) -> u8 {
        let byte = self.inner.initial_byte(object, offset);
        if byte != 0 {
            self.initial.insert(((*object).into(), offset), byte);
        }
        byte
    }
    fn spurious(&mut self, ask: &Ask) -> bool {
        let value = self.inner.spurious(ask);
        put(&mut self.answers.spurious, ask.thread, ask.nth, value);
        value
    }
}
