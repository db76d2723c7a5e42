//! The lives of threads: how they begin, create others, wait for them and end.

use raddle_ir::{AllocKind, FuncId, InputKind, Operand, RegId};
use raddle_term::TermId;

use crate::build::{Builder, Otherwise, Path};
use crate::contexts::{ClassIx, ContextId};
use crate::layout::{Kind, ObjectIx, SOME_THREAD, STAND_INS, SiteIx, Thread, ThreadIx};
use crate::machine::{Answer, Choice, CutKind, Position, StateIx, StateVar, Trail};

impl Builder<'_> {
    /// The number of the running thread.
    pub fn own_number(&mut self, width: u32) -> TermId {
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        let mut number = self.terms.constant(0, width);
        for thread in threads {
            let own = self.is_own(thread);
            let value = match self.layout.threads[thread.index()].stands_in {
                true => SOME_THREAD,
                false => Thread::number(thread),
            };
            let value = self.terms.constant(u128::from(value), width);
            number = self.terms.ite(own, value, number);
        }
        number
    }

    /// The number of the running thread, where the program asks for it. Those that stand for any
    /// number have none.
    pub fn ask_own_number(&mut self, here: Position, path: &mut Path, dst: RegId) -> bool {
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        let mut stands_in = self.terms.fals();
        for thread in threads {
            if self.layout.threads[thread.index()].stands_in {
                let own = self.is_own(thread);
                stands_in = self.terms.or(stands_in, own);
            }
        }
        let has_one = self.terms.not(stands_in);
        if !self.require(path, here, has_one, Otherwise::Cut(CutKind::Threads)) {
            return false;
        }
        let number = self.own_number(self.program.pointer_bits);
        self.set(path, here.context, dst, number);
        true
    }

    /// A thread begins once it is created, with its arguments.
    pub fn begin(&mut self, path: &mut Path, context: ContextId) {
        if self.class == ClassIx::MAIN {
            return;
        }
        let func = self.layout.contexts.get(context).func;
        let params = self.program.function(func).params.clone();
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        let mut exists = self.terms.fals();
        for &thread in &threads {
            let own = self.is_own(thread);
            let created = self.cell(path, self.layout.threads[thread.index()].created);
            exists = self.terms.ite(own, created, exists);
        }
        path.cond = self.terms.and(path.cond, exists);
        for (i, &param) in params.iter().enumerate() {
            let width = self.width(context, param);
            let mut value = self.terms.constant(0, width);
            for &thread in &threads {
                let own = self.is_own(thread);
                let argument = StateVar::Argument(thread, i as u32);
                let argument = self.vars.term(self.terms, argument, width);
                value = self.terms.ite(own, argument, value);
            }
            self.set(path, context, param, value);
        }
    }

    pub fn create(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: Option<RegId>,
        func: Operand,
        args: &[Operand],
    ) -> bool {
        self.now.creates = true;
        let target = self.operand(path, here.context, func);
        let values: Vec<TermId> =
            args.iter().map(|a| self.operand(path, here.context, *a)).collect();
        let site = self.layout.site(here.context, here.at);
        let any_number = self.layout.sites[site.index()].any_number;
        let bits = self.program.pointer_bits;
        let (mut number, mut any) = (self.terms.constant(0, bits), self.terms.fals());
        let mut is_function = self.terms.fals();
        let mut entries: Vec<FuncId> = self.layout.classes.iter().map(|c| c.entry).collect();
        entries.sort_unstable();
        entries.dedup();
        for entry in entries {
            let address = u128::from(self.program.function(entry).address);
            let address = self.terms.constant(address, bits);
            let hit = self.terms.eq(target, address);
            if self.terms.is_false(hit) {
                continue;
            }
            is_function = self.terms.or(is_function, hit);
            let children = match any_number {
                true => self.any_child(path, site, entry),
                false => self.next_child(path, site, entry),
            };
            for (cond, child) in children {
                let cond = self.terms.and(cond, hit);
                any = self.terms.or(any, cond);
                let value = self.terms.constant(u128::from(Thread::number(child)), bits);
                number = self.terms.ite(cond, value, number);
                let tru = self.terms.tru();
                self.set_cell(path, self.layout.threads[child.index()].created, cond, tru);
                self.hand_over(path, child, entry, cond, &values);
            }
        }
        if any_number {
            // Most of them do not show, and what numbers they get is not known.
            any = self.terms.tru();
            number = self.ask(path.cond, bits, InputKind::External);
        } else {
            let count = self.count(path, site);
            self.advance(path, site, count);
        }
        let other = self.candidates(here.context, func);
        let wrong = match other.unknown {
            true => {
                let what = raddle_ir::Unmodelled::UnknownCall;
                Otherwise::Cut(CutKind::Unsupported(what))
            }
            false => self.fault(),
        };
        if !self.require(path, here, is_function, wrong)
            || !self.require(path, here, any, Otherwise::Cut(CutKind::Threads))
        {
            return false;
        }
        self.trail(here, path, None);
        self.now.choices.push(Choice { cond: path.cond, answer: Answer::Number(number) });
        if let Some(dst) = dst {
            let number = self.resize(number, self.width(here.context, dst));
            self.set(path, here.context, dst, number);
        }
        true
    }

    /// The threads that a site creates in a function, one after the other, each with the condition.
    fn next_child(&mut self, path: &Path, site: SiteIx, entry: FuncId) -> Vec<(TermId, ThreadIx)> {
        let count = self.count(path, site);
        let mut all = Vec::new();
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        for thread in threads {
            let own = self.is_own(thread);
            for (nth, &child) in self.layout.children(thread, site, entry).iter().enumerate() {
                let now = self.is_nth(site, count, nth);
                all.push((self.terms.and(own, now), child));
            }
        }
        all
    }

    /// The threads that stand for all that a site creates in a function, each with the condition that
    /// it is the one which is created.
    fn any_child(&mut self, path: &Path, site: SiteIx, entry: FuncId) -> Vec<(TermId, ThreadIx)> {
        let width = u32::BITS - STAND_INS.leading_zeros();
        let which = self.ask(path.cond, width, InputKind::External);
        let mut all = Vec::new();
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        for thread in threads {
            let own = self.is_own(thread);
            for (nth, &child) in self.layout.children(thread, site, entry).iter().enumerate() {
                let nth = self.terms.constant(nth as u128, width);
                let this = self.terms.eq(which, nth);
                let created = self.cell(path, self.layout.threads[child.index()].created);
                let new = self.terms.not(created);
                all.push((self.terms.and_all(&[own, this, new]), child));
            }
        }
        all
    }

    fn hand_over(
        &mut self,
        path: &mut Path,
        child: ThreadIx,
        entry: FuncId,
        cond: TermId,
        values: &[TermId],
    ) {
        let function = self.program.function(entry);
        for (i, &param) in function.params.iter().enumerate() {
            let width = function.reg(param).width;
            let value = match values.get(i) {
                Some(&value) => self.resize(value, width),
                None => self.terms.constant(0, width),
            };
            let var = StateVar::Argument(child, i as u32);
            let old = self.vars.term(self.terms, var, width);
            let old = path.vars.get(&var).copied().unwrap_or(old);
            let value = self.terms.ite(cond, value, old);
            path.vars.insert(var, value);
        }
    }

    pub fn join_thread(
        &mut self,
        here: Position,
        path: &mut Path,
        dst: Option<RegId>,
        thread: Operand,
    ) -> bool {
        let number = self.operand(path, here.context, thread);
        let width = self.terms.width(number);
        let mut any = self.terms.fals();
        let mut result = self.terms.constant(0, self.program.pointer_bits);
        let some_stand_in = self.layout.stand_ins().next().is_some();
        let mut known = self.terms.fals();
        for thread in self.layout.thread_ids() {
            if self.layout.threads[thread.index()].stands_in {
                continue;
            }
            let this = self.terms.constant(u128::from(Thread::number(thread)), width);
            let this = self.terms.eq(number, this);
            let ended = self.cell(path, self.layout.threads[thread.index()].ended);
            let both = self.terms.and(this, ended);
            any = self.terms.or(any, both);
            known = self.terms.or(known, this);
            if dst.is_some() {
                let bits = self.program.pointer_bits;
                let value = self.vars.term(self.terms, StateVar::Result(thread), bits);
                result = self.terms.ite(this, value, result);
            }
        }
        // Who is joined may be one that does not show.
        if some_stand_in && !self.require(path, here, known, Otherwise::Cut(CutKind::Threads)) {
            return false;
        }
        if !self.require(path, here, any, Otherwise::Wait(None)) {
            return false;
        }
        self.trail(here, path, None);
        if let Some(dst) = dst {
            let result = self.resize(result, self.width(here.context, dst));
            self.set(path, here.context, dst, result);
        }
        true
    }

    /// `pthread_exit`: all functions under way end.
    pub fn exit_thread(&mut self, here: Position, path: &mut Path, value: Operand) -> bool {
        let value = self.operand(path, here.context, value);
        for context in self.layout.contexts.under_way(here.context) {
            self.bury(path, context);
        }
        self.end_thread(path.clone(), Some(value));
        false
    }

    /// The local objects of a context, of all threads of the class.
    pub fn local_objects(&self, context: ContextId) -> impl Iterator<Item = ObjectIx> + '_ {
        let objects = self.layout.objects.iter().enumerate();
        objects.filter_map(move |(o, memory)| match memory.kind {
            Kind::Allocated(_, site, _, AllocKind::Stack)
                if self.layout.sites[site.index()].context == context =>
            {
                Some(ObjectIx(o as u32))
            }
            Kind::Allocated(..) | Kind::Global(_) | Kind::ThreadLocal(..) => None,
        })
    }

    /// Ends the local objects of an activation.
    pub fn bury(&mut self, path: &mut Path, context: ContextId) {
        let objects: Vec<ObjectIx> = self.local_objects(context).collect();
        for object in objects {
            let Kind::Allocated(owner, ..) = self.layout.objects[object.index()].kind else {
                continue;
            };
            let (own, alive) = (self.is_own(owner), self.alive(path, object));
            let cond = self.terms.and(own, alive);
            if self.spin.is_some() && self.layout.objects[object.index()].escapes {
                // Others may notice.
                let not = self.terms.not(cond);
                path.cond = self.terms.and(path.cond, not);
            }
            self.set_life(path, object, cond, 2);
        }
    }

    /// The end of the thread, and of its copies of thread-local globals.
    pub fn end_thread(&mut self, mut path: Path, value: Option<TermId>) {
        let bits = self.program.pointer_bits;
        let value = match value {
            Some(value) => self.resize(value, bits),
            None => self.terms.constant(0, bits),
        };
        for o in 0..self.layout.objects.len() {
            let Kind::ThreadLocal(owner, _) = self.layout.objects[o].kind else { continue };
            if self.layout.threads[owner.index()].class == self.class {
                let own = self.is_own(owner);
                self.set_life(&mut path, ObjectIx(o as u32), own, 2);
            }
        }
        let threads: Vec<ThreadIx> = self.layout.threads_of(self.class).collect();
        let tru = self.terms.tru();
        for thread in threads {
            let own = self.is_own(thread);
            self.set_cell(&mut path, self.layout.threads[thread.index()].ended, own, tru);
            let var = StateVar::Result(thread);
            let old = self.vars.term(self.terms, var, bits);
            let value = self.terms.ite(own, value, old);
            path.vars.insert(var, value);
        }
        self.now.trail.push(Trail { cond: path.cond, at: None, address: None });
        self.end(StateIx::STOP, path);
    }
}
