//! What the variables of the composition are called where people read them: in certificates and in
//! exported circuits.
//!
//! `thread 1 at peterson.c:12 in serve`, `flag[0]`, `me of thread 2 in serve`. Files are named without
//! their folder, so that names do not depend on where raddle is started.
//! Invariants: (1) each name once; where words do not suffice, equal ones are numbered in the order of
//! variables; (2) the same program and bounds give the same names; (3) no name contains `!` or `&`.

use raddle_automaton::{CellId, Kind, Layout, ObjectIx, Position, StateIx, StateVar, ThreadIx};
use raddle_ir::{InstrRef, Op, Program};
use rustc_hash::FxHashMap;

use super::compose::{Composition, Name};

/// By variable of the composition: its name.
pub fn names(program: &Program, composition: &Composition) -> Vec<String> {
    let namer = Namer::new(program, composition);
    let mut count: FxHashMap<String, u32> = FxHashMap::default();
    let mut unique = |name: String| {
        let seen = count.entry(name.clone()).or_default();
        *seen += 1;
        if *seen == 1 { name } else { format!("{name} #{seen}") }
    };
    composition.variables.iter().map(|v| unique(plain(&namer.name(v.name)))).collect()
}

/// The name of a bit of a variable with so many bits.
pub fn bit_name(variable: &str, bit: u32, width: u32) -> String {
    if width == 1 { variable.to_string() } else { format!("{variable} bit {bit}") }
}

/// The same without what separates names.
fn plain(name: &str) -> String {
    let harmless = |c: char| c.is_alphanumeric() || " ._:+-*>[]()%".contains(c);
    name.chars().map(|c| if harmless(c) { c } else { '_' }).collect()
}

struct Namer<'a> {
    program: &'a Program,
    composition: &'a Composition,
    /// What cells are that are no memory.
    other_cells: FxHashMap<CellId, String>,
}

impl<'a> Namer<'a> {
    fn new(program: &'a Program, composition: &'a Composition) -> Namer<'a> {
        let mut namer = Namer { program, composition, other_cells: FxHashMap::default() };
        let layout = &composition.layout;
        for (t, thread) in layout.threads.iter().enumerate() {
            let number = t + 1;
            namer.other_cells.insert(thread.created, format!("thread {number} was created"));
            namer.other_cells.insert(thread.ended, format!("thread {number} has ended"));
        }
        for (o, object) in layout.objects.iter().enumerate() {
            let name = namer.part(ObjectIx(o as u32), 0);
            if let Some(life) = object.life {
                namer.other_cells.insert(life, format!("life of {name}"));
            }
            if let Some(length) = object.length {
                namer.other_cells.insert(length, format!("size of {name}"));
            }
        }
        namer
    }

    fn layout(&self) -> &Layout {
        &self.composition.layout
    }

    fn name(&self, name: Name) -> String {
        let number = |t: ThreadIx| t.0 + 1;
        match name {
            Name::At(thread, state) => {
                format!("thread {} {}", number(thread), self.stand(thread, state))
            }
            Name::Register(thread, context, reg) => {
                let function = self.program.function(self.layout().contexts.get(context).func);
                let own = function.reg(reg).name.clone();
                let own = own.unwrap_or_else(|| format!("%{}", reg.0));
                format!("{own} of thread {} in {}", number(thread), function.name)
            }
            Name::Count(thread, site) => {
                let at = self.layout().sites[site.index()].at;
                format!("made by thread {} at {}", number(thread), self.place(at))
            }
            Name::Return(thread, context) => {
                let function = self.program.function(self.layout().contexts.get(context).func);
                format!("caller of {} in thread {}", function.name, number(thread))
            }
            Name::Watch(number) => format!("watch {number}"),
            Name::Section => "some thread is inside an atomic section".into(),
            Name::Shared(StateVar::Argument(thread, i)) => {
                format!("argument {i} of thread {}", number(thread))
            }
            Name::Shared(StateVar::Result(thread)) => {
                format!("result of thread {}", number(thread))
            }
            Name::Shared(StateVar::Cell(cell)) => self.cell(cell),
            Name::Shared(
                StateVar::Own | StateVar::Register(..) | StateVar::Count(_) | StateVar::Return(_),
            ) => unreachable!("threads have their own"),
        }
    }

    /// Where a thread stands.
    fn stand(&self, thread: ThreadIx, state: StateIx) -> String {
        match self.composition.steps[thread.index()][state.index()].position {
            None => "at its beginning".into(),
            Some(Position { at, .. }) => {
                format!("at {} in {}", self.place(at), self.program.function(at.func).name)
            }
        }
    }

    fn place(&self, at: InstrRef) -> String {
        let shown = self.program.show_place(self.program.place(at));
        shown.rsplit('/').next().unwrap_or_default().to_string()
    }

    fn cell(&self, cell: CellId) -> String {
        match self.layout().cells[cell.index()].part {
            Some((object, offset)) => self.part(object, offset),
            None => match self.other_cells.get(&cell) {
                Some(name) => name.clone(),
                None => format!("cell {}", cell.0),
            },
        }
    }

    /// A part of an object.
    fn part(&self, object: ObjectIx, offset: u64) -> String {
        let program = self.program;
        match self.layout().objects[object.index()].kind {
            Kind::Global(g) => {
                let global = program.global(g);
                program.show_part(global.name.clone(), global.ctype, offset)
            }
            Kind::ThreadLocal(thread, g) => {
                let global = program.global(g);
                let part = program.show_part(global.name.clone(), global.ctype, offset);
                format!("{part} of thread {}", thread.0 + 1)
            }
            Kind::Allocated(thread, site, nth, _) => {
                let at = self.layout().sites[site.index()].at;
                let (own, ctype) = match program.instr(at).map(|i| &i.op) {
                    Some(Op::Alloc { name, ctype, .. }) if !name.is_empty() => {
                        (name.clone(), *ctype)
                    }
                    Some(_) | None => (format!("object of {}", self.place(at)), None),
                };
                let part = program.show_part(own, ctype, offset);
                let more = if nth == 0 { String::new() } else { format!(" (number {})", nth + 1) };
                format!("{part}{more} of thread {}", thread.0 + 1)
            }
        }
    }
}
