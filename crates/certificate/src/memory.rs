//! Accesses: which cells of which objects an address means.
//!
//! What an address can be is asked of the solver, value by value; no analysis says where pointers
//! lead. An access that is not inside one live object is invalid; one inside that does not fall on
//! cells is more than the legend knows.

use raddle_ir::{Access, InputKind, Op, Operand, Property, RegId};
use raddle_term::TermId;

use crate::facts::When;
use crate::legend::Kind;
use crate::state::{SIZE_BITS, Var};
use crate::step::{Otherwise, Part, Path, Racing, Touch, Touched, Walk};
use crate::{No, value};

/// Cells that an access may mean.
pub(crate) struct Match {
    /// When.
    cond: TermId,
    object: usize,
    first: u64,
    count: u64,
}

impl Walk<'_, '_> {
    /// Loads, stores and what is both.
    pub fn access(&mut self, path: &mut Path, op: &Op) -> Result<bool, No> {
        let function = self.machine.program.function(path.at.func);
        let usage = op.memory_use(function).expect("it accesses memory");
        let bytes = usage.bytes.expect("so many bytes");
        let addr = self.operand(path, usage.addr)?;
        let (goes_on, matches) = self.matches(path, addr, bytes, usage.writes)?;
        if !goes_on {
            return Ok(false);
        }
        let old = self.read(path, &matches, bytes);
        match op {
            Op::Load { dst, access, .. } => {
                self.touch(path, &matches, None, racing(path, *access));
                self.set(path, *dst, old);
            }
            Op::Store { value, width, access, .. } => {
                let value = self.operand(path, *value)?;
                let value = self.machine.resize(value, *width);
                let always = self.machine.terms.tru();
                self.touch(path, &matches, Some(always), racing(path, *access));
                self.write(path, &matches, value, bytes);
            }
            Op::Rmw { dst, op, value, width, access, .. } => {
                let value = self.operand(path, *value)?;
                let value = self.machine.resize(value, *width);
                let old = self.machine.resize(old, *width);
                let new = value::modified(&mut self.machine.terms, *op, old, value);
                let always = self.machine.terms.tru();
                self.touch(path, &matches, Some(always), racing(path, *access));
                self.write(path, &matches, new, bytes);
                self.set(path, *dst, old);
            }
            Op::CompareExchange { old: dst, ok, expected, new, width, weak, access, .. } => {
                let both = self.operands(path, &[*expected, *new])?;
                let expected = self.machine.resize(both[0], *width);
                let new = self.machine.resize(both[1], *width);
                let old = self.machine.resize(old, *width);
                let mut equal = self.machine.terms.eq(old, expected);
                if *weak {
                    let goes = self.input(path, 1, InputKind::Choice(2));
                    equal = self.machine.terms.and(equal, goes);
                }
                self.touch(path, &matches, None, racing(path, *access));
                self.touch(path, &matches, Some(equal), racing(path, *access));
                let value = self.machine.terms.ite(equal, new, old);
                self.write(path, &matches, value, bytes);
                self.set(path, *dst, old);
                self.set(path, *ok, equal);
            }
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::ObjectSize { .. }
            | Op::ThreadLocal { .. }
            | Op::Call { .. }
            | Op::Create { .. }
            | Op::Join { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::TryLock { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Block { .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Input { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => unreachable!("it is no access"),
        }
        Ok(true)
    }

    /// The word of a mutex, and whether it is 0.
    fn mutex(
        &mut self,
        path: &mut Path,
        mutex: Operand,
    ) -> Result<Option<(Vec<Match>, TermId, TermId)>, No> {
        let addr = self.operand(path, mutex)?;
        let (goes_on, matches) = self.matches(path, addr, 4, true)?;
        if !goes_on {
            return Ok(None);
        }
        let word = self.read(path, &matches, 4);
        let always = self.machine.terms.tru();
        self.touch(path, &matches, Some(always), Racing::Never);
        let zero = self.machine.terms.constant(0, 32);
        let free = self.machine.terms.eq(word, zero);
        Ok(Some((matches, word, free)))
    }

    fn own_number(&mut self) -> TermId {
        self.machine.terms.constant(self.thread as u128 + 1, 32)
    }

    pub fn lock(&mut self, path: &mut Path, mutex: Operand) -> Result<bool, No> {
        let Some((matches, _, free)) = self.mutex(path, mutex)? else { return Ok(false) };
        if !self.require(path, free, Otherwise::Wait)? {
            return Ok(false);
        }
        let own = self.own_number();
        self.write(path, &matches, own, 4);
        Ok(true)
    }

    pub fn unlock(&mut self, path: &mut Path, mutex: Operand) -> Result<bool, No> {
        let Some((matches, ..)) = self.mutex(path, mutex)? else { return Ok(false) };
        let zero = self.machine.terms.constant(0, 32);
        self.write(path, &matches, zero, 4);
        Ok(true)
    }

    pub fn try_lock(&mut self, path: &mut Path, dst: RegId, mutex: Operand) -> Result<bool, No> {
        let Some((matches, word, free)) = self.mutex(path, mutex)? else { return Ok(false) };
        let own = self.own_number();
        let new = self.machine.terms.ite(free, own, word);
        self.write(path, &matches, new, 4);
        self.set(path, dst, free);
        Ok(true)
    }

    /// Whether an object lives.
    pub fn alive(&mut self, path: &Path, object: usize) -> TermId {
        match self.machine.legend.objects[object].kind {
            Kind::Global(_) => self.machine.terms.tru(),
            Kind::Copy(..) | Kind::Made(..) => {
                let life = self.get(path, &Var::Life(object));
                let one = self.machine.terms.constant(1, self.machine.terms.width(life));
                self.machine.terms.eq(life, one)
            }
        }
    }

    /// The size of an object.
    pub fn size(&mut self, path: &Path, object: usize) -> TermId {
        match self.machine.legend.objects[object].varies {
            true => self.get(path, &Var::Length(object)),
            false => {
                let size = self.machine.legend.objects[object].size;
                self.machine.terms.constant(u128::from(size), SIZE_BITS)
            }
        }
    }

    /// The cells that an access may mean; the path goes on where it is valid.
    fn matches(
        &mut self,
        path: &mut Path,
        addr: TermId,
        bytes: u64,
        writes: bool,
    ) -> Result<(bool, Vec<Match>), No> {
        let legend = self.machine.legend;
        let mut inside = Vec::new();
        for (o, object) in legend.objects.iter().enumerate() {
            let Some(room) = object.size.checked_sub(bytes) else { continue };
            let (base, count) = (self.constant(object.base), self.constant(room + 1));
            let distance = self.machine.terms.sub(addr, base);
            let mut here = self.machine.terms.ult(distance, count);
            // Whether it is valid depends on what others do to the object, also before it is made.
            let ends = !matches!(object.kind, Kind::Global(_));
            if ends && self.possible(path, here)? {
                self.touch_life(path, here, o, false);
            }
            if object.varies {
                let bytes = self.machine.terms.constant(u128::from(bytes), SIZE_BITS);
                let distance = self.machine.resize(distance, SIZE_BITS);
                let (end, size) = (self.machine.terms.add(distance, bytes), self.size(path, o));
                let fits = self.machine.terms.ule(end, size);
                here = self.machine.terms.and(here, fits);
            }
            if !self.machine.terms.is_false(here) {
                let alive = self.alive(path, o);
                inside.push((self.machine.terms.and(here, alive), o));
            }
        }
        let conds: Vec<TermId> = inside.iter().map(|i| i.0).collect();
        let any = self.machine.terms.or_all(&conds);
        let mut matches = Vec::new();
        let mut valid = Vec::new();
        for value in self.values(path, any, addr)? {
            let start = value as u64;
            let here = |o: &usize| {
                let object = &legend.objects[*o];
                let room = object.size.checked_sub(bytes);
                room.is_some_and(|room| start.wrapping_sub(object.base) <= room)
            };
            let found = inside.iter().find(|i| here(&i.1));
            let (is_inside, o) = *found.expect("it is inside one of them");
            let object = &legend.objects[o];
            let offset = start - object.base;
            if !offset.is_multiple_of(object.grain) || !bytes.is_multiple_of(object.grain) {
                return Err(No::End(self.place(path)));
            }
            let place = self.constant(start);
            let hit = self.machine.terms.eq(addr, place);
            if !(writes && self.is_constant(o)) {
                valid.push(self.machine.terms.and(hit, is_inside));
            }
            let (first, count) = (offset / object.grain, bytes / object.grain);
            matches.push(Match { cond: hit, object: o, first, count });
        }
        let valid = self.machine.terms.or_all(&valid);
        let wrong = self.undefined(Property::Memory);
        let goes_on = self.require(path, valid, wrong)?;
        Ok((goes_on, matches))
    }

    fn is_constant(&self, object: usize) -> bool {
        match self.machine.legend.objects[object].kind {
            Kind::Global(g) | Kind::Copy(_, g) => self.machine.program.global(g).constant,
            Kind::Made(..) => false,
        }
    }

    fn read(&mut self, path: &Path, matches: &[Match], bytes: u64) -> TermId {
        let mut result = self.machine.terms.constant(0, 8 * bytes as u32);
        for m in matches {
            let low = self.cell(path, m.object, m.first);
            let all = (1..m.count).fold(low, |low, i| {
                let high = self.cell(path, m.object, m.first + i);
                self.machine.terms.concat(high, low)
            });
            result = self.machine.terms.ite(m.cond, all, result);
        }
        result
    }

    fn cell(&mut self, path: &Path, object: usize, nth: u64) -> TermId {
        let var = Var::Cell(object, nth);
        if let Kind::Global(_) = self.machine.legend.objects[object].kind
            && let Some(initial) = self.machine.initial(&var)
        {
            self.machine.guess(When::Always, var.clone(), initial);
        }
        self.get(path, &var)
    }

    /// Writes the low bits of a value, with zeros above.
    fn write(&mut self, path: &mut Path, matches: &[Match], value: TermId, bytes: u64) {
        let value = self.machine.resize(value, 8 * bytes as u32);
        for m in matches {
            let width = 8 * self.machine.legend.objects[m.object].grain as u32;
            for i in 0..m.count {
                let var = Var::Cell(m.object, m.first + i);
                let low = i as u32 * width;
                let part = self.machine.terms.extract(value, low + width - 1, low);
                let old = self.get(path, &var);
                let new = self.machine.terms.ite(m.cond, part, old);
                path.changed.insert(var, new);
            }
        }
    }

    /// Notes an access, and under which condition it writes if it may.
    fn touch(
        &mut self,
        path: &mut Path,
        matches: &[Match],
        writes: Option<TermId>,
        racing: Racing,
    ) {
        for m in matches {
            let cond = writes.map_or(m.cond, |writes| self.machine.terms.and(m.cond, writes));
            for i in 0..m.count {
                let cell = Touched::Cell(m.object, m.first + i);
                self.note(path, cond, cell, writes.is_some(), racing);
            }
        }
    }

    /// Notes that it matters whether an object lives, or changes.
    pub fn touch_life(&mut self, path: &mut Path, cond: TermId, object: usize, writes: bool) {
        if !matches!(self.machine.legend.objects[object].kind, Kind::Global(_)) {
            self.note(path, cond, Touched::Life(object), writes, Racing::Never);
        }
    }

    fn note(&mut self, path: &mut Path, cond: TermId, what: Touched, writes: bool, racing: Racing) {
        let cond = self.machine.terms.and(path.cond, cond);
        if self.machine.terms.is_false(cond) {
            return;
        }
        let (tail, place) = (path.part == Part::Tail, self.place(path));
        path.touches.push(Touch { what, writes, cond, tail, racing, place });
    }
}

/// How an access takes part in races.
fn racing(path: &Path, access: Access) -> Racing {
    match (access.hidden, access.atomic.is_some() || path.sections > 0) {
        (true, _) => Racing::Never,
        (false, true) => Racing::Atomic,
        (false, false) => Racing::Plain,
    }
}
