//! Whether a model is an execution: the memory model itself, run over the schedule.
//!
//! Encoders reason about pairs of accesses, fixed order, sections, and leave out what cannot be
//! seen. Here nothing is left out: the units of the schedule are executed one after the other on a
//! memory of single bytes, and every read that occurs must find its value there; every thread
//! begins after its creation, every join comes after an end; who is said to hold a mutex has its
//! number in the word; and what the model is said to show is there. Only values of terms and the
//! order of units are taken from the model, and no code from encoders. So a mistake in pruning, in
//! the theory or in the reading of a model shows here, also where replay would never look: after
//! the end of the execution, or in a model of a cut, which is not replayed.
//!
//! Costs: the whole skeleton for each model, so it is on only if it is asked for
//! ([`crate::Settings::recheck`]).
//! Limits: an arbitrary byte for which nobody made a variable has the value that its first reader
//! finds.

use raddle_ir::Program;
use raddle_summary::{
    Event, EventKind, Mark, MarkKind, ObjectIx, ObjectKey, ThreadIx, Trail, WaitKind,
};
use raddle_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::before::Unit;
use super::composition::{Schedule, Shown};
use super::initial::InitialMemory;
use super::scene::Scene;
use super::sections::Sections;
use super::witness::Model;

/// Compares a model, its schedule and what it is said to show with the memory model. An error is a mistake in raddle.
pub fn check<'a>(
    scene: Scene<'a>,
    model: &mut Model<'a>,
    initial: &InitialMemory,
    idle: Option<&FxHashSet<usize>>,
    schedule: &Schedule,
    shown: Shown,
) -> Result<(), String> {
    schedule.check_invariants(scene)?;
    for &t in scene.skeleton.assumptions.iter().chain(&initial.assumptions) {
        if !model.holds(t) {
            return Err("something that is assumed in every execution does not hold".into());
        }
    }
    let place = schedule.order.iter().enumerate().map(|(i, &u)| (u, i)).collect();
    let sections = Sections::new(scene.skeleton, model.terms());
    let mutexes = mutexes(scene, model);
    let memory = Memory::new(scene, model, initial);
    let mut run = Run { scene, model, idle, schedule, place, sections, mutexes, memory };
    run.threads()?;
    run.joins()?;
    run.units(shown)?;
    run.shown(shown)
}

struct Run<'a, 'm> {
    scene: Scene<'a>,
    model: &'m mut Model<'a>,
    /// Reads that may have any value.
    idle: Option<&'m FxHashSet<usize>>,
    schedule: &'m Schedule,
    /// Where each unit stands in the order.
    place: FxHashMap<Unit, usize>,
    sections: Sections,
    /// Mutexes by who acquires them.
    mutexes: FxHashSet<(ThreadIx, u64)>,
    memory: Memory<'a>,
}

/// The mutexes whose words are in shared memory: one that only one thread uses has no events.
fn mutexes(scene: Scene, model: &mut Model) -> FxHashSet<(ThreadIx, u64)> {
    let acquired = scene.skeleton.events.iter().filter(|e| e.lock && e.kind == EventKind::Write);
    acquired.map(|e| (e.thread, model.value(e.address) as u64)).collect()
}

impl Run<'_, '_> {
    /// Whether a unit comes before another; one that the order does not have comes after all it has.
    fn precedes(&self, a: Unit, b: Unit) -> bool {
        match (self.place.get(&a), self.place.get(&b)) {
            (Some(a), Some(b)) => a < b,
            (Some(_), None) => true,
            (None, other) => other.is_none(),
        }
    }

    fn executed(&self, unit: Unit) -> bool {
        self.place.get(&unit).is_some_and(|&at| at < self.schedule.length)
    }

    /// Who does something was created before.
    fn threads(&mut self) -> Result<(), String> {
        let skeleton = self.scene.skeleton;
        let mut created: Vec<Option<&Mark>> = vec![None; skeleton.threads.len()];
        for mark in &skeleton.marks {
            if let MarkKind::Create(child) = mark.kind {
                created[child.index()] = Some(mark);
            }
        }
        for (t, mark) in created.iter().enumerate().skip(1) {
            let child = ThreadIx(t as u32);
            let Some(mark) = mark else { return Err(format!("nobody creates thread {t}")) };
            if !self.precedes((mark.thread, mark.unit), (child, 0)) {
                return Err(format!("thread {t} begins before it is created"));
            }
        }
        for e in &skeleton.events {
            let mark = created[e.thread.index()];
            if self.model.holds(e.guard) && mark.is_some_and(|m| !self.model.holds(m.guard)) {
                return Err(format!("thread {} acts, but was not created", e.thread.0));
            }
        }
        Ok(())
    }

    /// Who is joined has come to its end before.
    fn joins(&mut self) -> Result<(), String> {
        let skeleton = self.scene.skeleton;
        for mark in &skeleton.marks {
            let MarkKind::Join(child) = mark.kind else { continue };
            if self.model.holds(mark.guard) && !self.has_ended(child, (mark.thread, mark.unit)) {
                return Err(format!("thread {} is joined before its end", child.0));
            }
        }
        for join in &skeleton.joins {
            if !self.model.holds(join.guard) || !self.model.holds(join.done) {
                continue;
            }
            let target = self.model.value(join.target);
            let meant = skeleton.threads.iter().position(|t| u128::from(t.number) == target);
            let Some(child) = meant.filter(|&c| c != join.thread.index()) else {
                return Err(format!("a join of thread number {target}, which there is not"));
            };
            if !self.has_ended(ThreadIx(child as u32), (join.thread, join.unit)) {
                return Err(format!("thread {child} is joined by its number before its end"));
            }
            let result = self.model.value(skeleton.threads[child].result);
            if result != self.model.value(join.result) {
                return Err(format!("a join of thread {child} gives another result"));
            }
        }
        Ok(())
    }

    fn has_ended(&mut self, thread: ThreadIx, before: Unit) -> bool {
        let record = &self.scene.skeleton.threads[thread.index()];
        self.model.holds(record.ended) && self.precedes((thread, record.units - 1), before)
    }

    /// Executes all units of the order.
    fn units(&mut self, shown: Shown) -> Result<(), String> {
        let mut by_unit: FxHashMap<Unit, Vec<(usize, &Event)>> = FxHashMap::default();
        for (i, e) in self.scene.skeleton.events.iter().enumerate() {
            by_unit.entry((e.thread, e.unit)).or_default().push((i, e));
        }
        for (done, unit) in self.schedule.order.iter().enumerate() {
            if done == self.schedule.length {
                self.waits(shown)?;
            }
            let mut events = by_unit.remove(unit).unwrap_or_default();
            events.sort_by_key(|(_, e)| e.position);
            self.unit(&events)?;
        }
        if self.schedule.order.len() == self.schedule.length {
            self.waits(shown)?;
        }
        // What the order leaves out is what nobody sees.
        let left = by_unit.keys().find(|unit| self.place.contains_key(unit));
        assert!(left.is_none(), "each unit of the order is executed once");
        Ok(())
    }

    /// In a deadlock, who waits for a mutex finds its holder.
    fn waits(&mut self, shown: Shown) -> Result<(), String> {
        let waiting = match shown {
            Shown::GlobalDeadlock => self.stuck_at_locks(),
            Shown::LocalDeadlock => self.circle(),
            Shown::Violation(_) | Shown::Race(..) | Shown::Cut(_) => return Ok(()),
        };
        let looks = self.scene.skeleton.events.iter().filter(|e| e.trail == Trail::Wait);
        let words: FxHashMap<TermId, &Event> = looks.map(|e| (e.value, e)).collect();
        for wait in waiting {
            let Some(e) = words.get(&wait.word) else { continue };
            let address = self.model.value(e.address) as u64;
            let found = self.memory.read(self.model, address, e.bytes, wait.holder);
            if found != wait.holder {
                let what = self.show(e);
                return Err(format!("{what} waits for {}, memory has {found:#x}", wait.holder));
            }
        }
        Ok(())
    }

    /// One unit: its own reads see its own writes at once. Others see them only if it is completed.
    fn unit(&mut self, events: &[(usize, &Event)]) -> Result<(), String> {
        for &(i, e) in events {
            let (occurs, reached) = (self.model.holds(e.guard), self.model.holds(e.reached));
            // What a look at an object's life is for may be an error, which is not reached.
            if occurs && !reached && e.trail != Trail::Look {
                return Err(format!("{} occurs, but is not reached", self.show(e)));
            }
            let address = self.model.value(e.address) as u64;
            let is_idle = self.idle.is_some_and(|idle| idle.contains(&i));
            match e.kind {
                EventKind::Write if reached => {
                    let value = self.model.value(e.value);
                    self.memory.write(address, e.bytes, value, occurs);
                }
                // What a thread that waits finds is asked in the end.
                EventKind::Read if occurs && e.trail != Trail::Wait && !is_idle => {
                    let value = self.model.value(e.value);
                    let found = self.memory.read(self.model, address, e.bytes, value);
                    if found != value {
                        let what = self.show(e);
                        return Err(format!("{what} gives {value:#x}, memory has {found:#x}"));
                    }
                }
                EventKind::Read | EventKind::Write => {}
            }
            if occurs {
                self.holds_its_mutexes(e)?;
            }
        }
        self.memory.end_unit();
        Ok(())
    }

    /// Critical sections: who is said to hold a mutex that excludes others has its number in the word.
    fn holds_its_mutexes(&mut self, e: &Event) -> Result<(), String> {
        let number = u128::from(self.scene.skeleton.threads[e.thread.index()].number);
        for held in e.locks.iter() {
            let shared = self.mutexes.contains(&(e.thread, held.address));
            if !shared || !self.sections.protects(held.address) {
                continue;
            }
            let word = self.memory.read(self.model, held.address, 4, number);
            if word != number {
                let what = self.show(e);
                return Err(format!("{what} without the mutex at {:#x}", held.address));
            }
        }
        Ok(())
    }

    /// What the model is said to show.
    fn shown(&mut self, shown: Shown) -> Result<(), String> {
        let skeleton = self.scene.skeleton;
        let right = match shown {
            Shown::Violation(i) => {
                let v = &skeleton.violations[i];
                self.model.holds(v.condition) && self.executed((v.thread, v.unit))
            }
            Shown::Cut(i) => {
                let c = &skeleton.cuts[i];
                self.model.holds(c.condition) && self.executed((c.thread, c.unit))
            }
            Shown::Race(a, b) => self.is_race(&skeleton.events[a], &skeleton.events[b]),
            Shown::GlobalDeadlock => {
                (0..skeleton.threads.len()).all(|t| self.is_idle(ThreadIx(t as u32)))
            }
            Shown::LocalDeadlock => !self.circle().is_empty(),
        };
        if right { Ok(()) } else { Err(format!("a model does not show {shown:?}")) }
    }

    /// Both threads stand right before accesses of common bytes.
    fn is_race(&mut self, a: &Event, b: &Event) -> bool {
        let stands = |run: &Self, e: &Event| {
            run.executed((e.thread, e.unit - 1)) && !run.executed((e.thread, e.unit))
        };
        let (from, other) = (self.model.value(a.address), self.model.value(b.address));
        let common = from < other + u128::from(b.bytes) && other < from + u128::from(a.bytes);
        let both = self.model.holds(a.reached) && self.model.holds(b.reached);
        both && common && a.thread != b.thread && stands(self, a) && stands(self, b)
    }

    /// A thread has ended, was never created, or stands somewhere.
    fn is_idle(&mut self, thread: ThreadIx) -> bool {
        let skeleton = self.scene.skeleton;
        let create = skeleton.marks.iter().find(|m| m.kind == MarkKind::Create(thread));
        self.model.holds(skeleton.threads[thread.index()].ended)
            || create.is_some_and(|m| !self.model.holds(m.guard))
            || skeleton.waits.iter().any(|w| w.thread == thread && self.model.holds(w.stuck))
    }

    /// Who waits for locks.
    fn stuck_at_locks(&mut self) -> Vec<AtLock> {
        let skeleton = self.scene.skeleton;
        let mut waiting = Vec::new();
        for wait in &skeleton.waits {
            if let WaitKind::Lock(word) = wait.kind
                && self.model.holds(wait.stuck)
            {
                let thread = u128::from(skeleton.threads[wait.thread.index()].number);
                waiting.push(AtLock { thread, holder: self.model.value(word), word });
            }
        }
        waiting
    }

    /// Who waits for locks that are held by some among them, and holds what some among them wait for.
    fn circle(&mut self) -> Vec<AtLock> {
        let mut waiting = self.stuck_at_locks();
        loop {
            let members: FxHashSet<u128> = waiting.iter().map(|w| w.thread).collect();
            let holders: FxHashSet<u128> = waiting.iter().map(|w| w.holder).collect();
            let before = waiting.len();
            waiting.retain(|w| members.contains(&w.holder) && holders.contains(&w.thread));
            if waiting.len() == before {
                return waiting;
            }
        }
    }

    fn show(&self, e: &Event) -> String {
        let program: &Program = self.scene.program;
        let place = program.show_place(program.place(e.site));
        format!("the {:?} of thread {} in unit {} at {place}", e.kind, e.thread.0, e.unit)
    }
}

/// A thread that waits for a lock.
struct AtLock {
    /// Its number.
    thread: u128,
    /// The number of the one who holds the lock.
    holder: u128,
    /// The term of that.
    word: TermId,
}

/// A byte, and whether others see it: it was written by a unit that is completed.
struct Own {
    address: u64,
    byte: u8,
    lasts: bool,
}

/// Memory, byte by byte.
struct Memory<'a> {
    scene: Scene<'a>,
    /// Arbitrary bytes that have a variable.
    arbitrary: FxHashMap<u64, u8>,
    /// The image of memory when the first thread was created that applies, by its place.
    image: Option<usize>,
    /// What was written, or found by the first reader.
    bytes: FxHashMap<u64, u8>,
    /// What the present unit has written, in order.
    own: Vec<Own>,
}

impl<'a> Memory<'a> {
    fn new(scene: Scene<'a>, model: &mut Model, initial: &InitialMemory) -> Memory<'a> {
        let base = |o: ObjectIx| scene.knowledge.object(o).base;
        let mut arbitrary = FxHashMap::default();
        for (&(o, offset), &byte) in &initial.bytes {
            arbitrary.insert(base(o) + offset, model.value(byte) as u8);
        }
        for cell in &initial.cells {
            let (address, value) = (model.value(cell.address) as u64, model.value(cell.value));
            let inside = scene.knowledge.find(address).is_some_and(|(o, _)| o == cell.object);
            for i in 0..u64::from(model.terms().width(cell.value) / 8) {
                if inside {
                    arbitrary.entry(address + i).or_insert((value >> (8 * i)) as u8);
                }
            }
        }
        // The first image stands for "none of the others".
        let images = &scene.skeleton.images;
        let last = (1..images.len()).rev().find(|&i| model.holds(images[i].guard));
        let image = last.or((!images.is_empty()).then_some(0));
        Memory { scene, arbitrary, image, bytes: FxHashMap::default(), own: Vec::new() }
    }

    fn write(&mut self, address: u64, bytes: u32, value: u128, lasts: bool) {
        for i in 0..u64::from(bytes) {
            self.own.push(Own { address: address + i, byte: (value >> (8 * i)) as u8, lasts });
        }
    }

    fn end_unit(&mut self) {
        for own in self.own.drain(..).filter(|o| o.lasts) {
            self.bytes.insert(own.address, own.byte);
        }
    }

    /// What is there; bytes that nothing determines are those of `guess`, from now on.
    fn read(&mut self, model: &mut Model, address: u64, bytes: u32, guess: u128) -> u128 {
        let mut value = 0;
        for i in 0..u64::from(bytes) {
            let at = address + i;
            let own = self.own.iter().rev().find(|o| o.address == at).map(|o| o.byte);
            let byte = own.or_else(|| self.bytes.get(&at).copied()).unwrap_or_else(|| {
                let byte = self.at_start(model, at).unwrap_or((guess >> (8 * i)) as u8);
                self.bytes.insert(at, byte);
                byte
            });
            value |= u128::from(byte) << (8 * i);
        }
        value
    }

    /// The byte at an address before the first thread is created, if something determines it.
    fn at_start(&self, model: &mut Model, address: u64) -> Option<u8> {
        let (o, offset) = self.scene.knowledge.find(address)?;
        let image = self.image.map(|i| &self.scene.skeleton.images[i].memory);
        let contents = image.and_then(|memory| memory.contents(o));
        let mut cells = contents.into_iter().flat_map(|c| c.cells());
        let covers = |&(at, n, _): &(u64, u32, _)| (at..at + u64::from(n)).contains(&offset);
        if let Some((at, _, value)) = cells.find(covers) {
            return Some((model.value(value) >> (8 * (offset - at))) as u8);
        }
        let object = self.scene.knowledge.object(o);
        let initialiser = match object.key {
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => {
                let global = self.scene.program.global(g);
                (!global.external).then_some(global.init.as_slice())
            }
            ObjectKey::Alloc { .. } => object.zeroed.then_some(&[][..]),
            ObjectKey::Function(_) | ObjectKey::Grave(_) => Some(&[][..]),
        };
        match initialiser {
            Some(init) => Some(init.get(offset as usize).copied().unwrap_or(0)),
            None => self.arbitrary.get(&address).copied(),
        }
    }
}
