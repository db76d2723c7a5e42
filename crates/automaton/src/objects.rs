//! The lives of objects: allocation, release, thread-local copies.

use std::collections::BTreeMap;

use raddle_ir::{AllocKind, GlobalId, Op, Operand, Place, Property, RegId, Unmodelled};
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::layout::{CellId, Kind, ObjectIx};
use crate::machine::{Answer, Choice, CutKind, Leak, Position};

impl Builder<'_> {
    pub fn allocate(&mut self, here: Position, path: &mut Path, op: &Op) -> bool {
        let Op::Alloc { dst, size, zeroed, kind, .. } = *op else {
            unreachable!("only allocations come here");
        };
        let size = self.operand(path, here.context, size);
        let size = self.resize(size, 64);
        let site = self.layout.site(here.context, here.at);
        let count = self.count(path, site);
        let bits = self.program.pointer_bits;
        let mut address = self.terms.constant(0, bits);
        let (mut any, mut fits) = (self.terms.fals(), self.terms.tru());
        let threads: Vec<_> = self.layout.threads_of(self.class).collect();
        for thread in threads {
            let own = self.is_own(thread);
            for (nth, &object) in self.layout.made(thread, site).iter().enumerate() {
                let memory = &self.layout.objects[object.index()];
                let now = self.is_nth(site, count, nth);
                let cond = self.terms.and(own, now);
                let base = self.terms.constant(u128::from(memory.base), bits);
                address = self.terms.ite(cond, base, address);
                any = self.terms.or(any, cond);
                let room = self.terms.constant(u128::from(memory.size), 64);
                // What has no length of its own has the size that was expected.
                let right = match memory.length {
                    Some(_) => self.terms.ule(size, room),
                    None => self.terms.eq(size, room),
                };
                fits = self.terms.ite(cond, right, fits);
                self.set_life(path, object, cond, 1);
                if let Some(length) = memory.length {
                    self.set_cell(path, length, cond, size);
                }
                if zeroed {
                    let (first, count) = memory.cells;
                    for i in 0..count as u32 {
                        let cell = CellId(first.0 + i);
                        let width = self.layout.cells[cell.index()].width;
                        let zero = self.terms.constant(0, width);
                        self.set_cell(path, cell, cond, zero);
                    }
                }
            }
        }
        self.advance(path, site, count);
        if !self.require(path, here, any, Otherwise::Cut(CutKind::Objects))
            || !self.require(path, here, fits, Otherwise::Cut(CutKind::Cells))
        {
            return false;
        }
        self.now.choices.push(Choice { cond: path.cond, answer: Answer::Address(address) });
        if kind == AllocKind::Heap && self.program.checked.looks_at_heap() {
            // It is a step of its own.
            self.trail(here, path, None);
        }
        self.set(path, here.context, dst, address);
        true
    }

    /// Notes the heap objects that are left when the program ends.
    pub fn note_leaks(&mut self, here: Position, path: &Path) {
        let mut lines: BTreeMap<Place, TermId> = BTreeMap::new();
        for o in 0..self.layout.objects.len() {
            let Kind::Allocated(_, site, _, AllocKind::Heap) = self.layout.objects[o].kind else {
                continue;
            };
            let site = self.layout.sites[site.index()];
            let made = Position { context: site.context, at: site.at, sections: 0 };
            let place = self.user_place(made);
            let alive = self.alive(path, ObjectIx(o as u32));
            let line = lines.entry(place).or_insert(self.terms.fals());
            *line = self.terms.or(*line, alive);
        }
        let any: Vec<TermId> = lines.values().copied().collect();
        let any = self.terms.or_all(&any);
        let cond = self.terms.and(path.cond, any);
        if !self.terms.is_false(cond) {
            // What is lost is left: if both are checked, that is the finding.
            let property = match self.program.checked.contains(Property::Leaks) {
                true => Property::Leaks,
                false => Property::LostMemory,
            };
            let (place, lines) = (self.user_place(here), lines.into_iter().collect());
            self.now.leaks.push(Leak { cond, property, place, lines });
        }
    }

    /// The address of the running thread's copy of a global.
    pub fn thread_local(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: RegId,
        global: GlobalId,
    ) -> bool {
        let mut address = self.terms.constant(0, self.program.pointer_bits);
        let mut known = self.terms.tru();
        for o in 0..self.layout.objects.len() {
            let memory = &self.layout.objects[o];
            let Kind::ThreadLocal(owner, g) = memory.kind else { continue };
            if g == global && self.layout.threads[owner.index()].class == self.class {
                if memory.escapes && self.layout.threads[owner.index()].stands_in {
                    // Others could get hold of copies that do not show.
                    let other = self.is_own(owner);
                    let other = self.terms.not(other);
                    known = self.terms.and(known, other);
                }
                let memory = &self.layout.objects[o];
                let (own, base) = (self.is_own(owner), u128::from(memory.base));
                let base = self.terms.constant(base, self.program.pointer_bits);
                address = self.terms.ite(own, base, address);
            }
        }
        if !self.require(path, here, known, Otherwise::Cut(CutKind::Objects)) {
            return false;
        }
        self.set(path, here.context, dst, address);
        true
    }

    /// The objects that an address is the beginning of, each with the condition.
    fn beginnings(
        &mut self,
        here: Position,
        path: &mut Path,
        addr: Operand,
    ) -> Vec<(TermId, ObjectIx)> {
        let address = self.operand(path, here.context, addr);
        let candidates = self.candidates(here.context, addr);
        let mut objects: Vec<ObjectIx> = Vec::new();
        for &(name, _) in &candidates.names {
            objects.extend(self.layout.objects_named(name));
        }
        objects.sort_unstable();
        objects.dedup();
        let mut all = Vec::new();
        for object in objects {
            let memory = &self.layout.objects[object.index()];
            let own = match memory.owner() {
                Some(o) if self.layout.threads[o.index()].class == self.class => self.is_own(o),
                Some(_) => continue,
                None => self.terms.tru(),
            };
            let base = self.terms.constant(u128::from(memory.base), self.program.pointer_bits);
            let here = self.terms.eq(address, base);
            let cond = self.terms.and(own, here);
            if !self.terms.is_false(cond) {
                all.push((cond, object));
            }
        }
        if candidates.unknown {
            let mut conds: Vec<TermId> = all.iter().map(|a| a.0).collect();
            let zero = self.terms.constant(0, self.program.pointer_bits);
            conds.push(self.terms.eq(address, zero));
            let known = self.terms.or_all(&conds);
            let what = Unmodelled::UnknownFree;
            self.require(path, here, known, Otherwise::Cut(CutKind::Unsupported(what)));
        }
        all
    }

    pub fn free(&mut self, here: Position, path: &mut Path, addr: Operand) -> bool {
        let address = self.operand(path, here.context, addr);
        let zero = self.terms.constant(0, self.program.pointer_bits);
        let beginnings = self.beginnings(here, path, addr);
        let mut valid = vec![self.terms.eq(address, zero)];
        let mut ending = Vec::new();
        for (cond, object) in beginnings {
            let kind = self.layout.objects[object.index()].kind;
            if matches!(kind, Kind::Allocated(_, _, _, AllocKind::Heap)) {
                let alive = self.alive(path, object);
                valid.push(self.terms.and(cond, alive));
                ending.push((cond, object));
            }
        }
        let valid = self.terms.or_all(&valid);
        let fault = self.fault();
        let goes_on = self.require(path, here, valid, fault);
        self.trail(here, path, Some(address));
        for (cond, object) in ending {
            self.set_life(path, object, cond, 2);
        }
        goes_on
    }

    pub fn object_size(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: RegId,
        addr: Operand,
    ) -> bool {
        let address = self.operand(path, here.context, addr);
        let zero = self.terms.constant(0, self.program.pointer_bits);
        let width = self.width(here.context, dst);
        let beginnings = self.beginnings(here, path, addr);
        let mut valid = vec![self.terms.eq(address, zero)];
        let mut result = self.terms.constant(0, width);
        for (cond, object) in beginnings {
            let alive = self.alive(path, object);
            valid.push(self.terms.and(cond, alive));
            let memory = &self.layout.objects[object.index()];
            let size = match memory.length {
                Some(length) => self.cell(path, length),
                None => self.terms.constant(u128::from(memory.size), 64),
            };
            let size = self.resize(size, width);
            result = self.terms.ite(cond, size, result);
        }
        let valid = self.terms.or_all(&valid);
        let fault = self.fault();
        let goes_on = self.require(path, here, valid, fault);
        self.trail(here, path, Some(address));
        self.set(path, here.context, dst, result);
        goes_on
    }
}
