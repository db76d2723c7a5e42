//! Loads, stores, read-modify-writes and mutexes: one access to memory each.
//!
//! A mutex is a word of memory that holds 0 or the number of the thread that has it.

use raddle_ir::{Access as How, InputKind, Op, Operand, Property, RegId};
use raddle_summary::expression;
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::layout::CellId;
use crate::machine::{Access, CutKind, Position, Touch};
use crate::memory::{Match, Want};

impl Builder<'_> {
    pub fn load(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: RegId,
        addr: Operand,
        how: How,
    ) -> bool {
        let width = self.width(here.context, dst);
        let want = Want { addr, bytes: u64::from(width.div_ceil(8)), write: false };
        let fals = self.terms.fals();
        let matches = self.access(here, path, want);
        self.note(here, path, (want, &matches), how, fals);
        if !self.read_no_holder(here, path, &matches) {
            return false;
        }
        let value = self.read(path, &matches, want.bytes);
        let value = self.resize(value, width);
        self.set(path, here.context, dst, value);
        true
    }

    pub fn store(&mut self, here: Position, path: &mut Path, op: &Op) -> bool {
        let Op::Store { addr, value, width, access } = *op else {
            unreachable!("only stores come here");
        };
        let value = self.operand(path, here.context, value);
        let value = self.resize(value, width);
        let want = Want { addr, bytes: u64::from(width.div_ceil(8)), write: true };
        let tru = self.terms.tru();
        let matches = self.access(here, path, want);
        self.note(here, path, (want, &matches), access, tru);
        let value = self.resize(value, width.div_ceil(8) * 8);
        self.write(here, path, &matches, tru, value);
        true
    }

    pub fn modify(&mut self, here: Position, path: &mut Path, op: &Op) -> bool {
        let Op::Rmw { dst, op, addr, value, width, access } = *op else {
            unreachable!("only read-modify-writes come here");
        };
        let value = self.operand(path, here.context, value);
        let value = self.resize(value, width);
        let want = Want { addr, bytes: u64::from(width.div_ceil(8)), write: true };
        let tru = self.terms.tru();
        let matches = self.access(here, path, want);
        self.note(here, path, (want, &matches), access, tru);
        if !self.read_no_holder(here, path, &matches) {
            return false;
        }
        let old = self.read(path, &matches, want.bytes);
        let old = self.resize(old, width);
        let new = expression::modify(self.terms, op, old, value);
        let new = self.resize(new, width.div_ceil(8) * 8);
        self.write(here, path, &matches, tru, new);
        self.set(path, here.context, dst, old);
        true
    }

    pub fn exchange(&mut self, here: Position, path: &mut Path, op: &Op) -> bool {
        let Op::CompareExchange { old, ok, addr, expected, new, width, access, weak } = *op else {
            unreachable!("only exchanges come here");
        };
        let context = here.context;
        let [expected, new] = [expected, new].map(|o| self.operand(path, context, o));
        let (expected, new) = (self.resize(expected, width), self.resize(new, width));
        let want = Want { addr, bytes: u64::from(width.div_ceil(8)), write: true };
        let matches = self.access(here, path, want);
        if !self.read_no_holder(here, path, &matches) {
            return false;
        }
        let found = self.read(path, &matches, want.bytes);
        let found = self.resize(found, width);
        let mut equal = self.terms.eq(found, expected);
        if weak {
            let asked = self.terms.and(path.cond, equal);
            let fails = self.ask(asked, 1, InputKind::Choice(2));
            let goes = self.terms.not(fails);
            equal = self.terms.and(equal, goes);
        }
        self.note(here, path, (want, &matches), access, equal);
        let new = self.resize(new, width.div_ceil(8) * 8);
        self.write(here, path, &matches, equal, new);
        self.set(path, context, old, found);
        let done = self.resize(equal, self.width(context, ok));
        self.set(path, context, ok, done);
        true
    }

    /// Ends the path where the word of a mutex is read that does not say who has it.
    fn read_no_holder(&mut self, here: Position, path: &mut Path, matches: &[Match]) -> bool {
        let hidden = |m: &&Match| m.cells.iter().any(|&c| self.layout.hides_its_holder(c));
        let hidden: Vec<TermId> = matches.iter().filter(hidden).map(|m| m.cond).collect();
        let hidden = self.terms.or_all(&hidden);
        let known = self.terms.not(hidden);
        self.require(path, here, known, Otherwise::Cut(CutKind::Threads))
    }

    /// Notes an access that is valid on this path.
    fn note(
        &mut self,
        here: Position,
        path: &Path,
        (want, matches): (Want, &[Match]),
        how: How,
        writes: TermId,
    ) {
        let address = self.operand(path, here.context, want.addr);
        self.trail(here, path, Some(address));
        if !how.hidden && self.program.checked.contains(Property::Races) {
            for m in matches {
                let (cond, writes) = (m.cond, want.write);
                let touch = |&cell: &CellId| Touch { cond, cell, writes };
                self.now.touches.extend(m.cells.iter().map(touch));
            }
            let place = self.user_place(here);
            self.now.accesses.push(Access {
                place,
                cond: path.cond,
                address,
                bytes: want.bytes,
                writes,
                atomic: how.atomic.is_some() || here.sections > 0,
                at: here.at,
            });
        }
    }

    pub fn lock(&mut self, here: Position, path: &mut Path, mutex: Operand, wait: bool) -> bool {
        let (old, matches) = self.mutex(here, path, mutex);
        let zero = self.terms.constant(0, 32);
        let free = self.terms.eq(old, zero);
        let own = self.own_number(32);
        self.write_word(here, path, mutex, &matches, own, wait.then_some(true));
        self.require(path, here, free, Otherwise::Wait(Some(old)))
    }

    pub fn unlock(&mut self, here: Position, path: &mut Path, mutex: Operand, wait: bool) -> bool {
        let (_, matches) = self.mutex(here, path, mutex);
        let zero = self.terms.constant(0, 32);
        self.write_word(here, path, mutex, &matches, zero, wait.then_some(false));
        true
    }

    /// Writes the word of a mutex; a condition wait that acquires or releases it is noted as such.
    fn write_word(
        &mut self,
        here: Position,
        path: &mut Path,
        mutex: Operand,
        matches: &[Match],
        word: TermId,
        acquires: Option<bool>,
    ) {
        let tru = self.terms.tru();
        match acquires {
            None => self.write(here, path, matches, tru, word),
            Some(acquires) => {
                let address = self.operand(path, here.context, mutex);
                self.note_wait_step(here, path, address, acquires);
                self.put(path, matches, tru, word, false);
            }
        }
    }

    pub fn try_lock(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: RegId,
        mutex: Operand,
    ) -> bool {
        let (old, matches) = self.mutex(here, path, mutex);
        let zero = self.terms.constant(0, 32);
        let free = self.terms.eq(old, zero);
        let own = self.own_number(32);
        if self.spin.is_some() {
            // Who gets it does not spin.
            let held = self.terms.not(free);
            path.cond = self.terms.and(path.cond, held);
        }
        self.write(here, path, &matches, free, own);
        let done = self.terms.zext(free, self.width(here.context, dst));
        self.set(path, here.context, dst, done);
        true
    }

    /// The word of a mutex.
    fn mutex(&mut self, here: Position, path: &mut Path, mutex: Operand) -> (TermId, Vec<Match>) {
        let matches = self.access(here, path, Want { addr: mutex, bytes: 4, write: true });
        let address = self.operand(path, here.context, mutex);
        self.trail(here, path, Some(address));
        (self.read(path, &matches, 4), matches)
    }
}
