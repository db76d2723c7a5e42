//! What the names of a certificate mean in the program: its threads, objects and places, and the
//! variables that it speaks of.
//!
//! Whoever checks the certificate without automata (the crate `certificate`, whose `legend.rs` has
//! the format) needs no more than that, and believes none of it. Instructions are
//! `function.block.index`; a way is the calls that lead somewhere.
//! Limits: threads that stand for any number are nothing that the program has; then there are no
//! lines.

use raddle_automaton::{CellId, ContextId, Kind, Layout, Memory, SiteIx, StateVar, ThreadIx};
use raddle_ir::{FuncId, InstrRef, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::certificate::Literal;
use super::compose::{Composition, Name};
use super::names::names;

/// The legend of a certificate.
pub fn legend(program: &Program, composition: &Composition, never: &[Vec<Literal>]) -> Vec<String> {
    let layout = &composition.layout;
    if layout.stand_ins().next().is_some() {
        return Vec::new();
    }
    let mut lines: Vec<String> = layout.thread_ids().map(|t| thread(layout, t)).collect();
    let mut cells: FxHashMap<CellId, String> = FxHashMap::default();
    for t in layout.thread_ids() {
        let thread = layout.threads[t.index()];
        cells.insert(thread.created, format!("created {}", number(t)));
        cells.insert(thread.ended, format!("ended {}", number(t)));
    }
    // Nobody can access what has no cells.
    let objects = layout.objects.iter().filter(|o| o.grain > 0 || o.life.is_some());
    for (o, memory) in objects.enumerate() {
        lines.push(format!("object {o} {}", object(layout, memory)));
        let (first, count) = memory.cells;
        let parts = (0..count).map(|i| CellId(first.0 + i as u32));
        cells.extend((0..).zip(parts).map(|(i, c)| (c, format!("cell {o} {}", i * memory.grain))));
        cells.extend(memory.life.map(|life| (life, format!("life {o}"))));
        cells.extend(memory.length.map(|length| (length, format!("length {o}"))));
    }
    let mut spoken_of: FxHashSet<&str> = FxHashSet::default();
    for literal in never.iter().flatten() {
        let latch = literal.latch.as_str();
        spoken_of.insert(latch);
        spoken_of.extend(latch.rsplit_once(" bit ").map(|(name, _)| name));
    }
    for (variable, name) in composition.variables.iter().zip(names(program, composition)) {
        let is_place = matches!(variable.name, Name::At(..));
        if (is_place || spoken_of.contains(name.as_str()))
            && let Some(meaning) = meaning(composition, &cells, variable.name)
        {
            lines.push(format!("{meaning} = {name}"));
        }
    }
    lines
}

/// The number of a thread in the program.
fn number(thread: ThreadIx) -> u32 {
    raddle_automaton::Thread::number(thread)
}

fn thread(layout: &Layout, t: ThreadIx) -> String {
    let thread = layout.threads[t.index()];
    let number = number(t);
    match thread.origin {
        None => format!("thread {number}"),
        Some((parent, site, nth)) => {
            let entry: FuncId = layout.classes[thread.class.index()].entry;
            let (parent, way) = (self::number(parent), made_at(layout, site));
            format!("thread {number} of {parent} way {way} nth {nth} in {}", entry.0)
        }
    }
}

fn object(layout: &Layout, memory: &Memory) -> String {
    let (base, grain) = (memory.base, memory.grain.max(1));
    match memory.kind {
        Kind::Global(g) => format!("global {} grain {grain}", g.0),
        Kind::ThreadLocal(t, g) => {
            format!("copy {} global {} at {base} grain {grain}", number(t), g.0)
        }
        Kind::Allocated(t, site, nth, _) => {
            let size = match memory.length {
                Some(_) => format!("most {}", memory.size),
                None => format!("size {}", memory.size),
            };
            let (t, way) = (number(t), made_at(layout, site));
            format!("made {t} way {way} nth {nth} at {base} {size} grain {grain}")
        }
    }
}

/// The way to an instruction that makes threads or objects.
fn made_at(layout: &Layout, site: SiteIx) -> String {
    let site = layout.sites[site.index()];
    way(layout, site.context, Some(site.at))
}

/// The calls that lead to a context, and an instruction there.
fn way(layout: &Layout, context: ContextId, at: Option<InstrRef>) -> String {
    let mut all: Vec<InstrRef> = at.into_iter().collect();
    let mut inner = context;
    while let Some((outer, call)) = layout.contexts.get(inner).caller() {
        all.push(call);
        inner = outer;
    }
    let show = |i: &InstrRef| format!("{}.{}.{}", i.func.0, i.block.0, i.index);
    let all: Vec<String> = all.iter().rev().map(show).collect();
    if all.is_empty() { "-".into() } else { all.join("/") }
}

/// What a variable is; none if it is nothing that the program has.
fn meaning(
    composition: &Composition,
    cells: &FxHashMap<CellId, String>,
    name: Name,
) -> Option<String> {
    let layout = &composition.layout;
    Some(match name {
        Name::At(t, state) => match composition.steps[t.index()][state.index()].position {
            None => format!("place {} beginning", number(t)),
            Some(position) => {
                let way = way(layout, position.context, Some(position.at));
                format!("place {} way {way} sections {}", number(t), position.sections)
            }
        },
        Name::Register(t, context, reg) => {
            let func = layout.contexts.get(context).func;
            let way = way(layout, context, None);
            format!("register {} way {way} in {} reg {}", number(t), func.0, reg.0)
        }
        Name::Count(t, site) => format!("count {} way {}", number(t), made_at(layout, site)),
        Name::Shared(StateVar::Argument(t, nth)) => format!("argument {} {nth}", number(t)),
        Name::Shared(StateVar::Result(t)) => format!("result {}", number(t)),
        Name::Shared(StateVar::Cell(cell)) => cells.get(&cell)?.clone(),
        Name::Shared(
            StateVar::Own | StateVar::Register(..) | StateVar::Count(_) | StateVar::Return(_),
        ) => unreachable!("threads have their own"),
        Name::Return(..) | Name::Watch(_) | Name::Section => return None,
    })
}
