//! The lives of objects and threads: how they are made and end.
//!
//! What a thread makes on a way is the next one that the legend has for it. If there is one only, it
//! must not have been made before; if there are several, they are counted.

use raddle_ir::{AllocKind, FuncId, GlobalId, InstrRef, Op, Operand, Property, RegId};
use raddle_term::TermId;

use crate::facts::When;
use crate::legend::{Kind, Way};
use crate::state::{SIZE_BITS, Var};
use crate::step::{Otherwise, Path, Walk};
use crate::{No, Outside};

/// Most cells of an object that is made with zeros.
const MOST_ZEROS: u64 = 4096;

impl Walk<'_, '_> {
    /// Where a path is, with the calls.
    fn way(&self, path: &Path) -> Way {
        path.calls.iter().chain([&path.at]).copied().collect()
    }

    /// Which of several is made now, each with the condition; the path goes on where there is one.
    /// `made` is the variable that is not 0 once one was made.
    fn next_made(
        &mut self,
        path: &mut Path,
        all: &[usize],
        made: fn(usize) -> Var,
    ) -> Result<Vec<(TermId, usize)>, No> {
        if let [one] = all {
            let made = self.get(path, &made(*one));
            let zero = self.machine.terms.constant(0, self.machine.terms.width(made));
            let new = self.machine.terms.eq(made, zero);
            self.require(path, new, Otherwise::Ends)?;
            return Ok(vec![(self.machine.terms.tru(), *one)]);
        }
        let var = Var::Count(self.thread, self.way(path));
        let count = self.get(path, &var);
        let width = self.machine.terms.width(count);
        let most = self.machine.terms.constant(all.len() as u128, width);
        let left = self.machine.terms.ult(count, most);
        self.require(path, left, Otherwise::Ends)?;
        let mut chosen = Vec::new();
        for (nth, &one) in all.iter().enumerate() {
            let nth = self.machine.terms.constant(nth as u128, width);
            chosen.push((self.machine.terms.eq(count, nth), one));
        }
        let one = self.machine.terms.constant(1, width);
        let next = self.machine.terms.add(count, one);
        path.changed.insert(var, next);
        Ok(chosen)
    }

    /// Sets a variable where a condition holds.
    fn put(&mut self, path: &mut Path, cond: TermId, var: Var, value: TermId) {
        let old = self.get(path, &var);
        let value = self.machine.resize(value, self.machine.terms.width(old));
        let value = self.machine.terms.ite(cond, value, old);
        path.changed.insert(var, value);
    }

    fn put_life(&mut self, path: &mut Path, cond: TermId, object: usize, life: u64) {
        self.touch_life(path, cond, object, true);
        let life = self.constant(life);
        self.put(path, cond, Var::Life(object), life);
    }

    pub fn allocate(&mut self, path: &mut Path, op: &Op) -> Result<bool, No> {
        let Op::Alloc { dst, size, zeroed, .. } = op else {
            unreachable!("only allocations come here");
        };
        let (way, legend) = (self.way(path), self.machine.legend);
        let mut all: Vec<(u32, usize)> = Vec::new();
        for (o, object) in legend.objects.iter().enumerate() {
            match &object.kind {
                Kind::Made(thread, made, nth, _) if *thread == self.thread && *made == way => {
                    all.push((*nth, o));
                }
                Kind::Made(..) | Kind::Global(_) | Kind::Copy(..) => {}
            }
        }
        all.sort_unstable();
        let all: Vec<usize> = all.into_iter().map(|a| a.1).collect();
        let size = self.operand(path, *size)?;
        let size = self.machine.resize(size, SIZE_BITS);
        let mut address = self.constant(0);
        for (cond, o) in self.next_made(path, &all, Var::Life)? {
            let object = &legend.objects[o];
            let expected = self.machine.terms.constant(u128::from(object.size), SIZE_BITS);
            let right = match object.varies {
                true => self.machine.terms.ule(size, expected),
                false => self.machine.terms.eq(size, expected),
            };
            let right = self.machine.terms.implies(cond, right);
            self.require(path, right, Otherwise::Ends)?;
            self.put_life(path, cond, o, 1);
            if object.varies {
                self.put(path, cond, Var::Length(o), size);
            }
            if *zeroed {
                let cells = object.size / object.grain;
                if cells > MOST_ZEROS || !object.size.is_multiple_of(object.grain) {
                    return Err(No::Outside(Outside::Many, self.place(path)));
                }
                let zero = self.constant(0);
                for nth in 0..cells {
                    self.put(path, cond, Var::Cell(o, nth), zero);
                }
            }
            let base = self.constant(object.base);
            address = self.machine.terms.ite(cond, base, address);
        }
        self.set(path, *dst, address);
        Ok(!self.machine.terms.is_false(path.cond))
    }

    /// The objects that an address can be the beginning of, each with the condition that it is and
    /// that the object lives; and the condition that the address is null.
    fn beginnings(
        &mut self,
        path: &mut Path,
        addr: TermId,
        heap_only: bool,
    ) -> Result<(TermId, Vec<(TermId, usize)>), No> {
        let legend = self.machine.legend;
        let zero = self.constant(0);
        let null = self.machine.terms.eq(addr, zero);
        let mut all = Vec::new();
        for (o, object) in legend.objects.iter().enumerate() {
            if heap_only && !matches!(object.kind, Kind::Made(_, _, _, AllocKind::Heap)) {
                continue;
            }
            let (base, alive) = (self.constant(object.base), self.alive(path, o));
            let here = self.machine.terms.eq(addr, base);
            let cond = self.machine.terms.and(here, alive);
            if !self.machine.terms.is_false(cond) && self.possible(path, here)? {
                self.touch_life(path, here, o, false);
                all.push((cond, o));
            }
        }
        Ok((null, all))
    }

    pub fn free(&mut self, path: &mut Path, addr: Operand) -> Result<bool, No> {
        let addr = self.operand(path, addr)?;
        let (null, all) = self.beginnings(path, addr, true)?;
        let conds: Vec<TermId> = all.iter().map(|a| a.0).chain([null]).collect();
        let valid = self.machine.terms.or_all(&conds);
        let wrong = self.undefined(Property::Memory);
        let goes_on = self.require(path, valid, wrong)?;
        for (cond, o) in all {
            self.put_life(path, cond, o, 2);
        }
        Ok(goes_on)
    }

    pub fn object_size(&mut self, path: &mut Path, dst: RegId, addr: Operand) -> Result<bool, No> {
        let addr = self.operand(path, addr)?;
        let (null, all) = self.beginnings(path, addr, false)?;
        let conds: Vec<TermId> = all.iter().map(|a| a.0).chain([null]).collect();
        let valid = self.machine.terms.or_all(&conds);
        let wrong = self.undefined(Property::Memory);
        let goes_on = self.require(path, valid, wrong)?;
        let mut result = self.constant(0);
        for (cond, o) in all {
            let size = self.size(path, o);
            let size = self.machine.resize(size, self.machine.program.pointer_bits);
            result = self.machine.terms.ite(cond, size, result);
        }
        self.set(path, dst, result);
        Ok(goes_on)
    }

    pub fn thread_local(&mut self, path: &mut Path, dst: RegId, g: GlobalId) -> Result<bool, No> {
        let thread = self.thread;
        let own = |k: &Kind| matches!(k, Kind::Copy(t, other) if *t == thread && *other == g);
        let object = self.machine.legend.objects.iter().find(|o| own(&o.kind));
        let Some(base) = object.map(|o| o.base) else { return Err(No::End(self.place(path))) };
        let base = self.constant(base);
        self.set(path, dst, base);
        Ok(true)
    }

    /// Ends the local objects of the activation to which the first so many calls have led.
    pub fn bury(&mut self, path: &mut Path, depth: usize) {
        let legend = self.machine.legend;
        for (o, object) in legend.objects.iter().enumerate() {
            let Kind::Made(thread, way, _, AllocKind::Stack) = &object.kind else { continue };
            let (calls, site) = (&way[..way.len() - 1], way[way.len() - 1]);
            let func = path.calls.get(depth).map_or(path.at.func, |call: &InstrRef| call.func);
            if *thread == self.thread && *calls == path.calls[..depth] && site.func == func {
                let alive = self.alive(path, o);
                if !self.machine.terms.is_false(alive) {
                    self.put_life(path, alive, o, 2);
                }
            }
        }
    }

    /// The end of the thread, and of its copies of thread-local globals.
    pub fn end_thread(&mut self, mut path: Path, value: Option<TermId>) -> Result<(), No> {
        self.must_be_first(&path)?;
        let legend = self.machine.legend;
        let tru = self.machine.terms.tru();
        for (o, object) in legend.objects.iter().enumerate() {
            if matches!(object.kind, Kind::Copy(thread, _) if thread == self.thread) {
                self.put_life(&mut path, tru, o, 2);
            }
        }
        let value = match value {
            Some(value) => value,
            None => self.constant(0),
        };
        self.put(&mut path, tru, Var::Result(self.thread), value);
        self.put(&mut path, tru, Var::Ended(self.thread), tru);
        self.finish(path, None)
    }

    pub fn create(
        &mut self,
        path: &mut Path,
        dst: Option<RegId>,
        func: Operand,
        args: &[Operand],
    ) -> Result<bool, No> {
        self.must_be_first(path)?;
        let target = self.operand(path, func)?;
        let args = self.operands(path, args)?;
        let functions = self.functions(path, target)?;
        let one_function = functions.len() == 1;
        let mut number = self.constant(0);
        for (is_it, entry) in functions {
            let all = self.children(path, entry);
            if all.is_empty() || !(one_function || all.len() == 1) {
                return Err(No::End(self.place(path)));
            }
            for (cond, child) in self.next_made(path, &all, Var::Created)? {
                let cond = self.machine.terms.and(cond, is_it);
                let tru = self.machine.terms.tru();
                self.put(path, cond, Var::Created(child), tru);
                self.hand_over(path, cond, child, &args)?;
                let own = self.constant(child as u64 + 1);
                number = self.machine.terms.ite(cond, own, number);
            }
        }
        if let Some(dst) = dst {
            self.set(path, dst, number);
        }
        Ok(!self.machine.terms.is_false(path.cond))
    }

    /// The threads that the legend has for this creation in a function, in order.
    fn children(&self, path: &Path, entry: FuncId) -> Vec<usize> {
        let way = self.way(path);
        let mut all: Vec<(u32, usize)> = Vec::new();
        for (t, thread) in self.machine.legend.threads.iter().enumerate() {
            if let Some((parent, made, nth)) = &thread.origin
                && (*parent, made, thread.entry) == (self.thread, &way, entry)
            {
                all.push((*nth, t));
            }
        }
        all.sort_unstable();
        all.into_iter().map(|a| a.1).collect()
    }

    fn hand_over(
        &mut self,
        path: &mut Path,
        cond: TermId,
        child: usize,
        args: &[TermId],
    ) -> Result<(), No> {
        let entry = self.machine.legend.threads[child].entry;
        for nth in 0..self.machine.program.function(entry).params.len() {
            let var = Var::Argument(child, nth as u32);
            let value = match args.get(nth) {
                Some(&value) => value,
                None => self.constant(0),
            };
            let value = self.machine.resize(value, self.machine.width(&var));
            if let Some(one) = self.only_value(path, cond, value)? {
                self.machine.guess(When::Created(child), var.clone(), one);
            }
            self.put(path, cond, var, value);
        }
        Ok(())
    }

    pub fn join(
        &mut self,
        path: &mut Path,
        dst: Option<RegId>,
        thread: Operand,
    ) -> Result<bool, No> {
        let number = self.operand(path, thread)?;
        let width = self.machine.terms.width(number);
        let mut ended = Vec::new();
        let mut result = self.constant(0);
        for t in 0..self.machine.legend.threads.len() {
            let own = self.machine.terms.constant(t as u128 + 1, width);
            let this = self.machine.terms.eq(number, own);
            let over = self.get(path, &Var::Ended(t));
            ended.push(self.machine.terms.and(this, over));
            let left = self.get(path, &Var::Result(t));
            result = self.machine.terms.ite(this, left, result);
        }
        let any = self.machine.terms.or_all(&ended);
        self.must_be_first(path)?;
        let goes_on = self.require(path, any, Otherwise::Wait)?;
        if let Some(dst) = dst {
            self.set(path, dst, result);
        }
        Ok(goes_on)
    }
}
